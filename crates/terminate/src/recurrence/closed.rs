//! Closed recurrence sets by elimination: what holds of the states that a run comes by is assumed of the set, and dropped where a round does not keep it
//! (Houdini). What is left is closed if no state of it leaves the loop.

use std::collections::BTreeMap;

use domains::View;
use encode::{
    Candidate, Encoding, Faults, Finding, Head, InputKind, Linear, Options, Quantity, Round, Source, Step, Style, Summarizer, sum_text,
};
use kernel::ranking::Shape;
use kernel::{Atom, Choice, ClosedSet, Comparison, Given, Onward, Strategy, Sum, Variable};
use logic::sat::{Batsat, Budget};
use logic::{Answer, Bits, Context, Evaluator, Term, Terms, Value};
use model::{BinaryOp, BlockId, Body, FunctionId, LocalId, Program, Span, Type};
use rustc_hash::FxHashSet;
use summarize::{Loops, Subject};

use super::lasso::Lassos;
use super::nested::loops_with_recursion;
use super::template::{self, Numbers};
use super::track::{Place, Track};
use super::{ChosenInput, Divergence, Undefined, choice};
use crate::program::Plan;

/// What a question may cost.
const CONFLICTS: u64 = 5_000;
/// More questions are not asked, and more variables not measured.
const QUESTIONS: usize = 60;
const MEASURED: usize = 48;
/// So many rounds are shown by a solver.
const EXAMPLES: usize = 5;

/// The search for closed sets in a program; nothing is done before it is needed.
pub(super) struct Closed<'s, 'a> {
    subject: &'s Subject<'a>,
    plan: &'s Plan<'s>,
    sets: Option<Sets<'a>>,
}

impl<'s, 'a> Closed<'s, 'a> {
    pub(super) fn new(subject: &'s Subject<'a>, plan: &'s Plan<'s>) -> Self {
        Closed { subject, plan, sets: None }
    }

    fn sets(&mut self) -> &mut Sets<'a> {
        self.sets.get_or_insert_with(|| Sets::new(self.subject, self.plan))
    }

    /// A closed set around a run that did not end.
    pub(super) fn around(&mut self, lassos: &Lassos<'_, '_>) -> Option<Divergence> {
        let tracks = if self.plan.uses("closed") { lassos.tracks() } else { Vec::new() };
        tracks.iter().take_while(|_| !lassos.is_over()).find_map(|track| self.sets().around(track, lassos))
    }

    /// A closed set that a run does not leave if its inputs are well chosen.
    pub(super) fn chosen(&mut self, lassos: &Lassos<'_, '_>) -> Option<Divergence> {
        if !self.plan.uses("closed") || lassos.is_deterministic() || lassos.is_over() {
            return None;
        }
        choice::search(self.sets(), lassos)
    }

    /// Something undefined that alone stands against a closed set around a run.
    pub(super) fn undefined(&mut self, lassos: &Lassos<'_, '_>) -> Option<Undefined> {
        let tracks = if self.plan.uses("closed") { lassos.tracks() } else { Vec::new() };
        tracks.iter().take_while(|_| !lassos.is_over()).find_map(|track| self.sets().undefined(track, lassos))
    }
}

/// What decides what a loop does, by its function and head.
type Guards = BTreeMap<(FunctionId, BlockId), Guard>;

/// What decides what a loop does.
#[derive(Default)]
pub(super) struct Guard {
    /// Sums that are compared with 0.
    pub(super) comparisons: Vec<(Linear, BinaryOp)>,
    /// What is divided by a power of 2 to take the remainder, and the exponent.
    pub(super) remainders: Vec<(Linear, u32)>,
}

/// Summarises as usual, and measures every integer variable.
struct Measuring<'a> {
    loops: Loops<'a>,
    guards: Guards,
    /// Loops in which their function calls itself. Such a call never returns if it is in a closed set: their first round is what matters.
    peeled: FxHashSet<(FunctionId, BlockId)>,
}

impl Summarizer for Measuring<'_> {
    fn propose(&mut self, head: &Head<'_, '_>) -> Vec<Candidate> {
        self.loops.propose(head)
    }
    fn peels(&self, function: FunctionId, header: BlockId) -> bool {
        self.peeled.contains(&(function, header)) || self.loops.peels(function, header)
    }
    fn propose_result(&mut self, head: &Head<'_, '_>) -> Vec<Candidate> {
        self.loops.propose_result(head)
    }
    fn measures(&mut self, head: &Head<'_, '_>) -> Vec<(Linear, Vec<i128>)> {
        let view = View::new(head);
        let comparisons = view.conditions.iter().filter_map(|condition| condition.comparison.clone()).collect();
        let power = |modulus: u64| modulus.is_power_of_two().then(|| modulus.trailing_zeros());
        let remainder = |&(variable, modulus): &(usize, u64)| Some((view.variables.get(variable)?.now(), power(modulus)?));
        let remainders = view.moduli.iter().filter_map(remainder).collect();
        self.guards.insert((head.function, head.region.header), Guard { comparisons, remainders });
        let is_integer = |ty| matches!(head.program.types.get(ty), Type::Int { .. });
        let looked_at = view.variables.iter().filter(|variable| variable.is_integer()).map(|variable| variable.source);
        let locals = head.body.locals.enumerate().filter(|(_, local)| !local.temporary && !local.name.is_empty() && is_integer(local.ty));
        let globals = head.program.globals.enumerate().filter(|(_, global)| !global.constant && is_integer(global.ty));
        let mut sources: Vec<Source> = Vec::new();
        for source in looked_at.chain(locals.map(|(id, _)| Source::Local(id))).chain(globals.map(|(id, _)| Source::Global(id))) {
            if !matches!(source, Source::Expr(_)) && !sources.contains(&source) {
                sources.push(source);
            }
        }
        sources.into_iter().take(MEASURED).map(|source| (Linear::of(Quantity::value(source)), Vec::new())).collect()
    }
    fn test(&mut self, terms: &mut Terms, steps: &[Step<'_>]) -> Vec<Vec<Finding>> {
        self.loops.test(terms, steps)
    }
}

/// Which steps a run may make.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Steps {
    /// Those that C defines.
    Defined,
    /// All: numbers wrap around, and so on.
    Any,
}

/// What is needed to look for closed sets in a program.
pub(super) struct Sets<'a> {
    pub(super) program: &'a Program,
    pub(super) encoding: Encoding,
    pub(super) guards: Guards,
    /// Knows the facts.
    context: Context<Batsat>,
    budget: Budget,
}

/// A place where rounds read an input.
#[derive(PartialEq, Eq)]
pub(super) struct Site {
    what: String,
    span: Span,
    /// The function in which that is.
    pub(super) function: Option<FunctionId>,
    /// The inputs that are read there, as positions in the encoding's list.
    pub(super) positions: Vec<usize>,
}

/// A round that leads to the head again.
pub(super) struct Example {
    /// What is measured at the head.
    pub(super) head: Numbers,
    /// The inputs that are read at some sites, as bit patterns with their widths.
    pub(super) given: Vec<Option<(u128, u32)>>,
}

impl<'a> Sets<'a> {
    fn new(subject: &Subject<'a>, plan: &Plan<'_>) -> Self {
        let means = plan.means;
        let budget = means.budget.clone().with_conflicts(CONFLICTS);
        let mut loops = Loops::new(means.domains.clone(), means.candidates, budget.clone(), &[]);
        loops.follows = false;
        let mut measuring = Measuring { loops, guards: Guards::new(), peeled: loops_with_recursion(subject.program) };
        let options = Options {
            unwind: 2,
            uninitialised: false,
            terms: means.terms,
            budget: means.budget.clone(),
            effort: u64::MAX,
            faults: Faults::All,
        };
        let mut encoding = subject.encode(options, Some(&mut measuring));
        let context = kernel::facts(&mut encoding);
        Sets { program: subject.program, encoding, guards: measuring.guards, context, budget }
    }

    /// A closed set of the loop that a run stays in.
    fn around(&mut self, track: &Track, lassos: &Lassos<'_, '_>) -> Option<Divergence> {
        let rounds = self.rounds(track.place, lassos)?;
        let sites = self.sites(&rounds);
        let used = |site: &Site| track.round.iter().find(|used| used.request.what == site.what && used.request.span == site.span);
        // Inputs that the run did not need must be something, too, if not everything is allowed.
        let with = |other: Option<i128>| -> Vec<(&Site, Given)> {
            let value = |site: &Site| used(site).map(|used| used.value as i128).or(other).map(Given::constant);
            sites.iter().filter_map(|site| Some((site, value(site)?))).collect()
        };
        let mut all = vec![Vec::new(), with(None), with(Some(0)), with(Some(1))];
        all.dedup();
        all.iter().find_map(|choices| self.chosen(track, &rounds, choices, lassos))
    }

    /// A closed set of the loop that a run stays in, with inputs that are chosen.
    pub(super) fn chosen(
        &mut self,
        track: &Track,
        rounds: &[Round],
        choices: &[(&Site, Given)],
        lassos: &Lassos<'_, '_>,
    ) -> Option<Divergence> {
        let first = rounds.first()?;
        let atoms = template::atoms(self.program, first.function, &self.samples(first, track, lassos));
        let inputs = choices.iter().flat_map(|(site, given)| site.positions.iter().map(|position| (*position, given.clone())));
        let mut set = ClosedSet { atoms, inputs: inputs.collect() };
        if !self.close(&mut set, rounds, Steps::Defined)? {
            return None;
        }
        self.shorten(&mut set, rounds);
        if !set.is_closed(self.program, &mut self.encoding, rounds, &self.budget) {
            return None;
        }
        let strategy = self.strategy(first, choices, track.place, lassos);
        let arrival = lassos.arrives(track, &set.atoms, &strategy)?;
        let text = set.atoms.iter().filter_map(|atom| self.text(first, atom)).collect();
        let said = |(site, given): &(&Site, Given)| {
            Some(ChosenInput { what: site.what.clone(), span: site.span, value: self.given_text(first, site, given)? })
        };
        let said = choices.iter().filter_map(said).collect();
        Some(Divergence { choices: said, ..lassos.divergence(arrival, text, "closed") })
    }

    /// What is undefined on the way, if that is all that stands against a closed set.
    fn undefined(&mut self, track: &Track, lassos: &Lassos<'_, '_>) -> Option<Undefined> {
        let rounds = self.rounds(track.place, lassos)?;
        let first = rounds.first()?;
        let mut set =
            ClosedSet { atoms: template::atoms(self.program, first.function, &self.samples(first, track, lassos)), inputs: Vec::new() };
        if !self.close(&mut set, &rounds, Steps::Any)? {
            return None;
        }
        rounds.iter().find_map(|round| self.failure(&set, round))
    }

    /// What may fail in a round from the set.
    fn failure(&mut self, set: &ClosedSet, round: &Round) -> Option<Undefined> {
        let Sets { encoding: Encoding { terms, inputs, obligations, .. }, context, .. } = self;
        let mut asked = set.premise(terms, self.program, inputs, round)?;
        asked.push(round.failure);
        if context.solve(terms, &asked, &self.budget) != Answer::Sat {
            return None;
        }
        let model = context.model(terms);
        let mut evaluator = Evaluator::new(terms, &model);
        let failed = obligations.iter().find(|obligation| evaluator.holds(obligation.failure) == Some(true))?;
        Some(Undefined { kind: failed.check.kind.name(), span: failed.check.span })
    }

    /// The rounds of the loop, or of the calls, that a run stays in; what all of them measure is measured in the same order.
    pub(super) fn rounds(&self, place: Place, lassos: &Lassos<'_, '_>) -> Option<Vec<Round>> {
        let (name, span) = lassos.place(place)?;
        let here = |round: &&Round| {
            let function = &self.program.functions[round.function];
            let own = if round.recursive { function.span } else { round.span };
            round.recursive == place.recursion && own == span && function.name == name
        };
        let mut rounds: Vec<Round> = self.encoding.rounds.iter().filter(here).cloned().collect();
        let header = rounds.first()?.header;
        let common: Vec<Linear> = rounds[0].measured.iter().map(|measured| measured.sum.clone()).collect();
        let is_common = |sum: &&Linear| rounds.iter().all(|round| round.measured.iter().any(|measured| measured.sum == **sum));
        let common: Vec<&Linear> = common.iter().filter(is_common).collect();
        for round in &mut rounds {
            round.measured.retain(|measured| common.contains(&&measured.sum));
            round.measured.sort_by_key(|measured| common.iter().position(|sum| **sum == measured.sum));
        }
        rounds.iter().all(|round| round.header == header).then_some(rounds)
    }

    /// The places where rounds read inputs that can be chosen. What the library decides is none of them: in a real run, it decides for itself.
    pub(super) fn sites(&self, rounds: &[Round]) -> Vec<Site> {
        let mut sites: Vec<Site> = Vec::new();
        for position in rounds.iter().flat_map(|round| round.inputs.clone()) {
            let Some(input) = self.encoding.inputs.get(position) else { continue };
            let InputKind::Call(name) = &input.kind else { continue };
            if self.program.is_library(input.span)
                || !matches!(self.encoding.terms.sort(input.value), logic::Sort::Bool | logic::Sort::Bits(_))
            {
                continue;
            }
            match sites.iter_mut().find(|site| site.what == *name && site.span == input.span) {
                Some(site) if site.positions.contains(&position) => {}
                Some(site) => site.positions.push(position),
                None => {
                    sites.push(Site { what: name.clone(), span: input.span, function: input.function(), positions: vec![position] });
                }
            }
        }
        sites
    }

    /// The measured numbers in the states of a track.
    fn samples(&self, round: &Round, track: &Track, lassos: &Lassos<'_, '_>) -> Vec<Numbers> {
        let function = track.place.function;
        let measured = self.measured(round, lassos, function);
        track.states.iter().map(|state| lassos.runs.numbers(function, &measured, state)).collect()
    }

    /// What is measured, as variables of the program that is run.
    fn measured(&self, round: &Round, lassos: &Lassos<'_, '_>, function: FunctionId) -> Vec<Option<Variable>> {
        (0..round.measured.len()).map(|part| self.variable(round, part, lassos, function)).collect()
    }

    /// The variable of the program that is run which something measured is. Variables of both programs are the same if they have the same name and place.
    fn variable(&self, round: &Round, part: usize, lassos: &Lassos<'_, '_>, function: FunctionId) -> Option<Variable> {
        let original = lassos.runs.program;
        match round.measured.get(part)?.sum.parts[..] {
            [(1, Quantity::Of(Source::Local(local), ..))] => {
                self.same_local(round.function, local, original, function).map(Variable::Local)
            }
            [(1, Quantity::Of(Source::Global(global), ..))] => {
                let global = self.program.globals.get(global)?;
                let mut same = original.globals.enumerate().filter(|(_, known)| known.name == global.name && known.span == global.span);
                same.next().map(|(id, _)| Variable::Global(id))
            }
            _ => None,
        }
    }

    /// Some rounds that lead to the head again, in different states; if they are to be calm, as little as possible changes in them: what is changed
    /// may be what leads out of the loop in the end.
    pub(super) fn examples(&mut self, round: &Round, sites: &[Site], calm: bool) -> Vec<Example> {
        let Sets { encoding: Encoding { terms, inputs, .. }, context, budget, .. } = self;
        let Some(mut asked) = ClosedSet::default().premise(terms, self.program, inputs, round) else { return Vec::new() };
        asked.extend([round.again, round.again_valid, terms.not(round.failure)]);
        for measured in round.measured.iter().filter(|measured| calm && measured.head != measured.again) {
            asked.push(terms.equal(measured.head, measured.again));
            if context.solve(terms, &asked, budget) != Answer::Sat {
                asked.pop();
            }
        }
        let mut found = Vec::new();
        while found.len() < EXAMPLES && context.solve(terms, &asked, budget) == Answer::Sat {
            let model = context.model(terms);
            let mut evaluator = Evaluator::new(terms, &model);
            let mut number = |term: Term| match evaluator.value(term) {
                Some(Value::Bits(bits)) => Some(bits.clone()),
                _ => None,
            };
            let heads: Vec<Option<Bits>> = round.measured.iter().map(|measured| number(measured.head)).collect();
            let mut value = |position: &usize| {
                let input = inputs.get(*position).filter(|input| evaluator.holds(input.guard) == Some(true))?;
                match evaluator.value(input.value) {
                    Some(Value::Bits(bits)) => Some((bits.low_u128(), bits.width())),
                    _ => None,
                }
            };
            let given = sites.iter().map(|site| site.positions.iter().find_map(&mut value)).collect();
            found.push(Example { head: heads.iter().map(|head| head.as_ref().and_then(Bits::to_i128)).collect(), given });
            // What does not change is the same in all of them.
            for (measured, head) in round.measured.iter().zip(heads).filter(|(measured, _)| measured.head != measured.again) {
                if let Some(head) = head {
                    let head = terms.bits(head);
                    asked.push(terms.differ(measured.head, head));
                }
            }
        }
        found
    }

    /// What is given as inputs, for whoever runs the program.
    pub(super) fn strategy(&self, round: &Round, choices: &[(&Site, Given)], place: Place, lassos: &Lassos<'_, '_>) -> Strategy {
        let choice = |(site, given): &(&Site, Given)| {
            let function = site.function.and_then(|own| self.same_function(own, lassos.runs.program));
            let mut given = given.clone();
            for sum in given.cases.iter_mut().map(|(_, sum)| sum).chain([&mut given.otherwise]) {
                if let Some(local) = sum.here {
                    sum.here = Some(self.same_local(site.function?, local, lassos.runs.program, function?)?);
                }
            }
            Some(Choice { what: site.what.clone(), span: site.span, function: function.unwrap_or(place.function), given })
        };
        Strategy { choices: choices.iter().filter_map(choice).collect(), measured: self.measured(round, lassos, place.function) }
    }

    /// The function of the program that is run which a function of this program is: they have the same name and place.
    fn same_function(&self, function: FunctionId, original: &Program) -> Option<FunctionId> {
        let own = self.program.functions.get(function)?;
        let mut same = original.functions.enumerate().filter(|(_, known)| known.name == own.name && known.span == own.span);
        same.next().map(|(id, _)| id)
    }

    /// The variable of a function of the program that is run which a variable of a function of this program is.
    fn same_local(&self, function: FunctionId, local: LocalId, original: &Program, same_function: FunctionId) -> Option<LocalId> {
        let own = self.program.functions.get(function)?.body.as_ref()?.locals.get(local)?;
        let locals = &original.functions.get(same_function)?.body.as_ref()?.locals;
        let mut same = locals.enumerate().filter(|(_, known)| known.name == own.name && known.span == own.span);
        same.next().map(|(id, _)| id)
    }

    /// Variables of the function that reads an input whose values there are not known from what is measured at the head.
    pub(super) fn computed(&mut self, round: &Round, site: &Site) -> Vec<LocalId> {
        let Encoding { terms, inputs, .. } = &mut self.encoding;
        let input = site.positions.first().and_then(|position| inputs.get(*position));
        let body = site.function.and_then(|function| self.program.functions.get(function)?.body.as_ref());
        let mut is_new = |local: &LocalId| {
            let Some((term, signed)) = input.and_then(|input| input.variable(self.program, *local)) else { return false };
            let known = |terms: &mut Terms, head: Term| {
                let width = terms.width(head);
                terms.resize(term, width, signed) == head
            };
            let has_none = inputs.iter().any(|input| input.value == term && matches!(input.kind, InputKind::Variable(_)));
            !has_none && terms.as_bits(term).is_none() && !round.measured.iter().any(|measured| known(terms, measured.head))
        };
        let named =
            body.into_iter().flat_map(|body| body.locals.enumerate()).filter(|(_, local)| !local.temporary && !local.name.is_empty());
        named.map(|(id, _)| id).filter(&mut is_new).collect()
    }

    /// Drops atoms that a round does not keep. False if a state of the set leaves the loop; nothing if that could not be found out.
    fn close(&mut self, set: &mut ClosedSet, rounds: &[Round], steps: Steps) -> Option<bool> {
        let instances: Vec<&[Round]> = rounds.chunk_by(|a, b| a.instance == b.instance).collect();
        let onward: Option<Vec<Onward>> = instances.iter().map(|rounds| Onward::new(&mut self.encoding, rounds)).collect();
        let onward = onward?;
        let Sets { encoding: Encoding { terms, inputs, .. }, context, .. } = self;
        for _ in 0..QUESTIONS {
            let mut dropped = vec![false; set.atoms.len()];
            for (rounds, onward) in instances.iter().zip(&onward) {
                let mut asked = set.premise(terms, self.program, inputs, rounds.first()?)?;
                let mut ways: Vec<(Term, Vec<Term>)> = Vec::new();
                let mut goes_on = onward.stays_inside;
                for (round, &(comes, valid)) in rounds.iter().zip(&onward.comes) {
                    let again: Option<Vec<Term>> = set.atoms.iter().map(|atom| Some(atom.terms(terms, round)?[1])).collect();
                    let again = again?;
                    let comes = if steps == Steps::Any { comes } else { terms.and(comes, valid) };
                    let kept = terms.all(again.iter().copied().chain([comes]));
                    goes_on = terms.or(goes_on, kept);
                    ways.push((comes, again));
                }
                asked.extend([onward.valid_inside, terms.not(goes_on)]);
                match context.solve(terms, &asked, &self.budget) {
                    Answer::Unsat => {}
                    Answer::Unknown(_) => return None,
                    Answer::Sat => {
                        let model = context.model(terms);
                        let mut evaluator = Evaluator::new(terms, &model);
                        let Some((_, again)) = ways.iter().find(|(comes, _)| evaluator.holds(*comes) == Some(true)) else {
                            return Some(false);
                        };
                        for (dropped, again) in dropped.iter_mut().zip(again) {
                            *dropped |= evaluator.holds(*again) != Some(true);
                        }
                        if !dropped.contains(&true) {
                            return None;
                        }
                    }
                }
            }
            if !dropped.contains(&true) {
                return Some(true);
            }
            let mut kept = dropped.iter().map(|dropped| !dropped);
            set.atoms.retain(|_| kept.next().unwrap_or(true));
        }
        None
    }

    /// Leaves out what is not needed, so that people can read it, as long as there is time: first what just happens to be so in this run, then what is least
    /// simple. One atom stays, even if invariants say as much.
    fn shorten(&mut self, set: &mut ClosedSet, rounds: &[Round]) {
        let happens = |atom: &Atom| {
            atom.relation == Comparison::Equal && atom.measure.shape == Shape::Exact && matches!(atom.measure.parts[..], [(1, _)])
        };
        let (first, last): (Vec<Atom>, Vec<Atom>) = set.atoms.iter().cloned().partition(happens);
        for atom in first.iter().chain(last.iter().rev()) {
            let mut shorter = set.clone();
            shorter.atoms.retain(|known| known != atom);
            if shorter.atoms.is_empty() || self.budget.exhausted().is_some() {
                return;
            }
            if shorter.seems_closed(self.program, &mut self.encoding, &mut self.context, rounds, &self.budget) {
                *set = shorter;
            }
        }
    }

    /// A sum of what is measured, in terms of the source.
    fn sum_text(&self, round: &Round, parts: &[(i64, usize)], constant: i128) -> Option<(String, usize)> {
        let body: &Body = self.program.functions.get(round.function)?.body.as_ref()?;
        let mut sum = Linear { parts: Vec::new(), constant };
        for &(factor, part) in parts {
            let [(_, quantity)] = round.measured.get(part)?.sum.parts[..] else { return None };
            sum.parts.push((factor, quantity));
        }
        sum.parts.sort();
        Some((sum_text(self.program, body, &sum, Style::Source)?, sum.parts.len()))
    }

    fn given_text(&self, round: &Round, site: &Site, given: &Given) -> Option<String> {
        let sum = |sum: &Sum| {
            let Some(local) = sum.here else { return Some(self.sum_text(round, &sum.parts, sum.constant)?.0) };
            let name = &self.program.functions.get(site.function?)?.body.as_ref()?.locals.get(local)?.name;
            let more = Sum { here: None, ..sum.clone() };
            let more =
                if more == Sum::default() { String::new() } else { format!(" + {}", self.sum_text(round, &more.parts, more.constant)?.0) };
            Some(format!("{name}{more}, with {name} as it is there"))
        };
        let mut text = String::new();
        for (condition, then) in &given.cases {
            text.push_str(&format!("{} ? {} : ", self.text(round, condition)?, sum(then)?));
        }
        Some(text + &sum(&given.otherwise)?)
    }

    fn text(&self, round: &Round, atom: &Atom) -> Option<String> {
        let (text, parts) = self.sum_text(round, &atom.measure.parts, 0)?;
        let text = match atom.measure.shape {
            Shape::Modulo(power) if parts > 1 => format!("({text}) % {}", 1_u128 << power),
            Shape::Modulo(power) => format!("{text} % {}", 1_u128 << power),
            _ => text,
        };
        let symbol = match atom.relation {
            Comparison::Equal => "==",
            Comparison::Differs => "!=",
            Comparison::AtLeast => ">=",
            Comparison::AtMost => "<=",
        };
        Some(format!("{text} {symbol} {}", atom.value))
    }
}

//! Closed recurrence sets by elimination: what holds of the states that a run comes by is assumed of the set, and dropped where a round does not keep it
//! (Houdini). What is left is closed if no state of it leaves the loop. The template has equations, bounds, residues, differences of
//! variables, and relations of variables that change by constant steps (periodic sets, *Non-Termination Proofs from Templates* chapter 6).

use encode::{Candidate, Encoding, Head, InputKind, Linear, Options, Quantity, Round, Source, Step, Style, Summarizer, sum_text};
use interp::Used;
use kernel::ranking::{Measure, Shape};
use kernel::{Atom, ClosedSet, Comparison};
use logic::sat::{Batsat, Budget};
use logic::{Answer, Context, Evaluator, Term, Terms};
use model::{BlockId, ExprKind, FunctionId, Program, Type};
use summarize::{Loops, Subject};

use super::lasso::{Lassos, Track};
use super::{Divergence, Outcome, Undefined};
use crate::program::Plan;

/// What a question may cost.
const CONFLICTS: u64 = 5_000;
/// More variables, constants and questions are not used.
const VARIABLES: usize = 10;
const CONSTANTS: usize = 24;
const QUESTIONS: usize = 60;

/// Looks for a closed set around the tracks of runs that did not end; or for one that is closed only if something undefined is not.
pub(super) fn search(subject: &Subject<'_>, plan: &Plan<'_>, lassos: &mut Lassos<'_, '_>) -> Outcome {
    let tracks = lassos.tracks();
    if tracks.is_empty() {
        return Outcome::default();
    }
    let means = plan.means;
    let budget = means.budget.clone().with_conflicts(CONFLICTS);
    let mut loops = Loops::new(means.domains.clone(), means.candidates, budget.clone(), &[]);
    loops.follows = false;
    let mut measuring = Measuring(loops);
    let options =
        Options { unwind: 2, uninitialised: false, terms: means.terms, budget: means.budget.clone(), effort: u64::MAX, defined: true };
    let encoding = subject.encode(options, Some(&mut measuring));
    let mut sets = Sets { program: subject.program, encoding, budget };
    match tracks.iter().find_map(|track| sets.around(track, lassos)) {
        Some(found) => Outcome { divergence: Some(found), undefined: None },
        None => Outcome { divergence: None, undefined: tracks.iter().find_map(|track| sets.undefined(track, lassos)) },
    }
}

/// Summarises as usual, and measures every integer variable.
struct Measuring<'a>(Loops<'a>);

impl Summarizer for Measuring<'_> {
    fn propose(&mut self, head: &Head<'_, '_>) -> Vec<Candidate> {
        self.0.propose(head)
    }
    fn peels(&self, function: FunctionId, header: BlockId) -> bool {
        self.0.peels(function, header)
    }
    fn propose_result(&mut self, head: &Head<'_, '_>) -> Vec<Candidate> {
        self.0.propose_result(head)
    }
    fn measures(&mut self, head: &Head<'_, '_>) -> Vec<(Linear, Vec<i128>)> {
        let integers = head.body.locals.enumerate().filter(|(_, local)| {
            !local.temporary && !local.name.is_empty() && matches!(head.program.types.get(local.ty), Type::Int { .. })
        });
        let sum = |local| Linear { parts: vec![(1, Quantity::value(Source::Local(local)))], constant: 0 };
        integers.map(|(local, _)| (sum(local), Vec::new())).collect()
    }
    fn test(&mut self, terms: &mut Terms, step: &Step<'_>) -> Vec<Option<Term>> {
        self.0.test(terms, step)
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

/// What is measured in a state, as far as it has a value.
type Numbers = Vec<Option<i128>>;

struct Sets<'a> {
    program: &'a Program,
    encoding: Encoding,
    budget: Budget,
}

impl Sets<'_> {
    /// A closed set of the loop that a run stays in.
    fn around(&mut self, track: &Track, lassos: &Lassos<'_, '_>) -> Option<Divergence> {
        let (rounds, atoms) = self.template(track, lassos)?;
        let first = rounds.first()?;
        let chosen = self.chosen(&rounds, &track.round);
        // Inputs that the run did not need must be something, too, if not everything is allowed.
        let all = [0, 1].map(|other| {
            let others =
                rounds.iter().flat_map(|round| round.inputs.clone()).filter(|input| !chosen.iter().any(|(known, _)| known == input));
            chosen.iter().copied().chain(others.map(|input| (input, other))).collect()
        });
        for inputs in [Vec::new(), chosen].into_iter().chain(all) {
            let mut set = ClosedSet { atoms: atoms.clone(), inputs };
            if self.close(&mut set, &rounds, Steps::Defined)? && self.accepts(&set, &rounds) {
                self.shorten(&mut set, &rounds);
                let arrival = lassos.arrives(track)?;
                // What the set says must hold where the run is.
                let values = self.numbers(first, &arrival.state, lassos, arrival.function)?;
                if !set.atoms.iter().all(|atom| atom.holds(&values)) {
                    return None;
                }
                let text = set.atoms.iter().filter_map(|atom| self.text(first, atom)).collect();
                return Some(lassos.divergence(arrival, text, "closed"));
            }
        }
        None
    }

    /// What is undefined on the way, if that is all that stands against a closed set.
    fn undefined(&mut self, track: &Track, lassos: &Lassos<'_, '_>) -> Option<Undefined> {
        let (rounds, atoms) = self.template(track, lassos)?;
        for inputs in [Vec::new(), self.chosen(&rounds, &track.round)] {
            let mut set = ClosedSet { atoms: atoms.clone(), inputs };
            if self.close(&mut set, &rounds, Steps::Any)? {
                return rounds.iter().find_map(|round| self.failure(&set, round));
            }
        }
        None
    }

    /// What may fail in a round from the set.
    fn failure(&mut self, set: &ClosedSet, round: &Round) -> Option<Undefined> {
        let mut context = self.solver();
        let Encoding { terms, inputs, obligations, .. } = &mut self.encoding;
        let mut asked = set.premise(terms, inputs, round)?;
        asked.push(round.failure);
        if context.solve(terms, &asked, &self.budget) != Answer::Sat {
            return None;
        }
        let model = context.model(terms);
        let mut evaluator = Evaluator::new(terms, &model);
        let failed = obligations.iter().find(|obligation| evaluator.holds(obligation.failure) == Some(true))?;
        Some(Undefined { kind: failed.check.kind.name(), span: failed.check.span })
    }

    /// A solver that knows all facts.
    fn solver(&mut self) -> Context<Batsat> {
        let mut context = Context::with_solver(Batsat::new());
        for &fact in &self.encoding.facts {
            context.assert(&mut self.encoding.terms, fact);
        }
        context
    }

    /// The rounds of the loop that a run stays in, and what holds of the states that the run came by.
    fn template(&self, track: &Track, lassos: &Lassos<'_, '_>) -> Option<(Vec<Round>, Vec<Atom>)> {
        let rounds = self.rounds(track, lassos)?;
        let first = rounds.first()?;
        let samples = self.samples(first, track, lassos)?;
        let atoms = atoms(self.program, first.function, &samples);
        Some((rounds, atoms))
    }

    /// The rounds of the loop, if they can be asked about; with the same measures in each.
    fn rounds(&self, track: &Track, lassos: &Lassos<'_, '_>) -> Option<Vec<Round>> {
        let (name, span) = lassos.place(track)?;
        let here = |round: &&Round| round.span == span && self.program.functions[round.function].name == name;
        let rounds: Vec<Round> = self.encoding.rounds.iter().filter(here).cloned().collect();
        let same = |round: &Round| {
            let sums = |round: &Round| round.measured.iter().map(|measured| measured.sum.clone()).collect::<Vec<_>>();
            sums(round) == sums(&rounds[0]) && round.header == rounds[0].header
        };
        rounds.iter().all(same).then_some(rounds)
    }

    /// The measured numbers in the states of a track.
    fn samples(&self, round: &Round, track: &Track, lassos: &Lassos<'_, '_>) -> Option<Vec<Numbers>> {
        track.states.iter().map(|state| self.numbers(round, state, lassos, track.function)).collect()
    }

    /// The variables of both programs are the same if they have the same name and place.
    fn numbers(&self, round: &Round, state: &[(model::LocalId, u128)], lassos: &Lassos<'_, '_>, function: FunctionId) -> Option<Numbers> {
        let body = self.program.functions.get(round.function)?.body.as_ref()?;
        let original = lassos.program();
        let run = original.functions.get(function)?.body.as_ref()?;
        let number = |measured: &encode::Measured| {
            let [(1, Quantity::Of(Source::Local(local), ..))] = measured.sum.parts[..] else { return None };
            let local = body.locals.get(local)?;
            let same = |id: &model::LocalId| run.locals.get(*id).is_some_and(|known| known.name == local.name && known.span == local.span);
            let (id, pattern) = state.iter().find(|(id, _)| same(id))?;
            Some(original.types.value(run.locals[*id].ty, *pattern))
        };
        Some(round.measured.iter().map(number).collect())
    }

    /// The inputs of the rounds as the run had them, by their places.
    fn chosen(&self, rounds: &[Round], used: &[Used]) -> Vec<(usize, u128)> {
        let mut chosen = Vec::new();
        for position in rounds.iter().flat_map(|round| round.inputs.clone()) {
            let Some(input) = self.encoding.inputs.get(position) else { continue };
            let same = |used: &&Used| {
                matches!(&input.kind, InputKind::Call(name) if *name == used.request.what) && used.request.span == input.span
            };
            if let Some(used) = used.iter().find(same) {
                chosen.push((position, used.value));
            }
        }
        chosen
    }

    /// Drops atoms that a round does not keep. False if a state of the set leaves the loop; nothing if that could not be found out.
    fn close(&mut self, set: &mut ClosedSet, rounds: &[Round], steps: Steps) -> Option<bool> {
        let inside: Option<Vec<(Term, Term)>> = rounds.iter().map(|round| kernel::inside(&mut self.encoding, round)).collect();
        let inside = inside?;
        let mut context = self.solver();
        let Encoding { terms, inputs, .. } = &mut self.encoding;
        for _ in 0..QUESTIONS {
            let mut dropped = vec![false; set.atoms.len()];
            let mut leaves = false;
            for (round, &(valid_inside, stays_inside)) in rounds.iter().zip(&inside) {
                let mut asked = set.premise(terms, inputs, round)?;
                let again: Option<Vec<Term>> = set.atoms.iter().map(|atom| Some(atom.terms(terms, round)?[1])).collect();
                let again = again?;
                let comes = if steps == Steps::Any { round.again } else { terms.and(round.again, round.again_valid) };
                let kept = terms.all(again.iter().copied().chain([comes]));
                let goes_on = terms.or(kept, stays_inside);
                asked.extend([valid_inside, terms.not(goes_on)]);
                match context.solve(terms, &asked, &self.budget) {
                    Answer::Unsat => {}
                    Answer::Unknown(_) => return None,
                    Answer::Sat => {
                        let model = context.model(terms);
                        let mut evaluator = Evaluator::new(terms, &model);
                        leaves |= evaluator.holds(comes) != Some(true);
                        for (dropped, again) in dropped.iter_mut().zip(&again) {
                            *dropped |= evaluator.holds(*again) != Some(true);
                        }
                        if leaves {
                            return Some(false);
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

    /// Leaves out what is not needed, so that people can read it. The first atom stays, even if invariants say as much.
    fn shorten(&mut self, set: &mut ClosedSet, rounds: &[Round]) {
        for position in (1..set.atoms.len()).rev() {
            let mut shorter = set.clone();
            shorter.atoms.remove(position);
            if self.accepts(&shorter, rounds) {
                *set = shorter;
            }
        }
    }

    fn accepts(&mut self, set: &ClosedSet, rounds: &[Round]) -> bool {
        set.is_closed(&mut self.encoding, rounds, &self.budget)
    }

    fn text(&self, round: &Round, atom: &Atom) -> Option<String> {
        let body = self.program.functions.get(round.function)?.body.as_ref()?;
        let mut sum = Linear::default();
        for &(factor, part) in &atom.measure.parts {
            let [(_, quantity)] = round.measured.get(part)?.sum.parts[..] else { return None };
            sum.parts.push((factor, quantity));
        }
        sum.parts.sort();
        let text = sum_text(self.program, body, &sum, Style::Source)?;
        let text = match atom.measure.shape {
            Shape::Modulo(power) if sum.parts.len() > 1 => format!("({text}) % {}", 1_u128 << power),
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

/// All that the template has to say of the samples.
fn atoms(program: &Program, function: FunctionId, samples: &[Numbers]) -> Vec<Atom> {
    let Some(last) = samples.last() else { return Vec::new() };
    let constants = constants(program, function);
    let mut found = Vec::new();
    let mut propose = |parts: &[(i64, usize)], shape: Shape, relation: Comparison, value: Option<i128>| {
        let measure = Measure { parts: parts.to_vec(), shape, bound: None, when: None };
        let mut atom = Atom { measure, relation, value: value.unwrap_or(0) };
        if value.is_none() {
            let Some(value) = atom.measured(last) else { return false };
            atom.value = value;
        }
        let all = samples.iter().all(|sample| atom.holds(sample));
        if all && !found.contains(&atom) {
            found.push(atom);
        }
        all
    };
    let variables: Vec<usize> = (0..last.len()).filter(|part| last[*part].is_some()).take(VARIABLES).collect();
    for &part in &variables {
        let own = [(1, part)];
        if propose(&own, Shape::Exact, Comparison::Equal, None) {
            continue;
        }
        for power in 1..=4 {
            propose(&own, Shape::Modulo(power), Comparison::Equal, None);
        }
        for &constant in &constants {
            for relation in [Comparison::AtLeast, Comparison::AtMost, Comparison::Differs] {
                propose(&own, Shape::Exact, relation, Some(constant));
            }
        }
        for &other in variables.iter().filter(|other| **other > part) {
            let difference = [(1, part), (-1, other)];
            for relation in [Comparison::Equal, Comparison::AtLeast, Comparison::AtMost] {
                propose(&difference, Shape::Exact, relation, (relation != Comparison::Equal).then_some(0));
            }
            if let Some(parts) = relation_of_steps(samples, part, other) {
                for shape in [Shape::Exact, Shape::Modulo(8), Shape::Modulo(16), Shape::Modulo(32), Shape::Modulo(64)] {
                    propose(&parts, shape, Comparison::Equal, None);
                }
            }
        }
    }
    found
}

/// A multiple of one variable minus one of another that stays the same if both go on as in the last round.
fn relation_of_steps(samples: &[Numbers], a: usize, b: usize) -> Option<[(i64, usize); 2]> {
    let [.., before, last] = samples else { return None };
    let step = |part: usize| i64::try_from(last[part]?.checked_sub(before[part]?)?).ok().filter(|step| step.unsigned_abs() < 1 << 20);
    let (step_a, step_b) = (step(a)?, step(b)?);
    let divisor = gcd(step_a.unsigned_abs(), step_b.unsigned_abs()).max(1) as i64;
    (step_a != 0 && step_b != 0).then_some([(step_b / divisor, a), (-step_a / divisor, b)])
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Numbers of a function, with their neighbours.
fn constants(program: &Program, function: FunctionId) -> Vec<i128> {
    let mut found = vec![0];
    let body = program.functions.get(function).and_then(|function| function.body.as_ref());
    for expr in body.into_iter().flat_map(|body| body.exprs.iter()) {
        if let (ExprKind::Int(pattern), Type::Int { .. }) = (&expr.kind, program.types.get(expr.ty)) {
            let value = program.types.value(expr.ty, *pattern);
            for near in [value, value.saturating_add(1), value.saturating_sub(1)] {
                if found.len() < CONSTANTS && !found.contains(&near) {
                    found.push(near);
                }
            }
        }
    }
    found
}

//! Leaping over loops: the walk with summaries.
//!
//! The state at the head becomes arbitrary in what the loop may change; candidates about it are proposed; the body is walked once from there. What comes
//! back to the head tests the candidates, what leaves the loop goes on behind it, and what is asserted inside is asserted for an arbitrary iteration:
//! the "copy of the body" of the paper (§3, §4.6) is the body itself. Soundness: every state at the head of a run is the entry state or comes from
//! one at the head by the body, so what holds at the entry and is kept by the body holds at the head; nothing else is assumed there.

use std::collections::BTreeMap;
use std::rc::Rc;

use logic::{Op, Sort, Term, Terms};
use model::{BlockId, LocalId, Loop, Span};
use rustc_hash::FxHashSet;

use crate::combine::Walked;
use crate::effects::Effects;
use crate::encoder::{Encoder, Info};
use crate::evaluate::Moments;
use crate::formula::{Each, Formula, Links, Moment, Source};
use crate::recursion::Contract;
use crate::scalar::Scalar;
use crate::slice::{Topic, variables_since};
use crate::state::{Slot, State, Value};
use crate::summary::{Candidate, Finding, Head, Leap, Summarizer, Tested};
use crate::trial::{Outcome, Record, Trial};
use crate::walk::Pending;

/// A loop whose iterations are all certain is unwound if it has no more of them than this.
const CERTAIN: u32 = 24;
/// … and if that makes no more terms than this.
const CERTAIN_TERMS: usize = 60_000;
/// The past of a loop that tests of its candidates know: what happened since so many nests of loops before it.
const NESTS: usize = 8;

/// What must hold for an invariant leads to other facts if it is no larger than this.
const PREMISE: usize = 100;

/// The body of a loop that is in no more loops than this, and makes no more terms than that, is walked again if loops inside lean on candidates that
/// turn out not to hold.
const REPEATED_NEST: u32 = 2;
/// … so often.
const REPEATED: u32 = 3;
const REPEATED_TERMS: usize = 10_000;

/// How much was noted at a point of the walk.
pub(crate) struct Mark {
    pub(crate) obligations: usize,
    pub(crate) inputs: usize,
    cuts: usize,
    gaps: usize,
    pub(crate) exits: usize,
    pub(crate) handlers: usize,
    pub(crate) facts: usize,
    pub(crate) leaps: usize,
    pub(crate) rounds: usize,
    preferences: usize,
    pub(crate) granted: usize,
    returned: usize,
    pub(crate) objects: (usize, usize, Term, [Term; 3]),
    /// Of the current call: what it allocated, as objects and crowds.
    allocated: (usize, usize),
    /// Of each function whose calls are being summarised: the calls inside.
    pub(crate) inside: Vec<usize>,
    shared_calls: usize,
    known_of_each: usize,
    pub(crate) heap_pointers: usize,
    unknown: BTreeMap<String, (u32, Span)>,
}

/// States with the blocks that they go to.
pub(crate) type Next = Vec<(BlockId, State)>;

impl<'p> Encoder<'p> {
    /// Replaces a loop by its summary; gives the states that leave it.
    pub(crate) fn leap(&mut self, info: &Rc<Info<'p>>, number: usize, state: State, returned: &mut Vec<State>) -> Next {
        let region = &info.loops.loops[number];
        let span = region.source.map_or(info.body.blocks[region.header].span, |source| info.body.loops[source].span);
        let mut state = state;
        if region.is_irreducible() {
            self.gap(&mut state, "a loop with several entries", span);
            return Vec::new();
        }
        if let Some(kind) = self.exhausted() {
            self.cut(&state, info.id, region.header, kind, span);
            return Vec::new();
        }
        let follows = self.summarizer.as_ref().is_none_or(|summarizer| summarizer.follows());
        if follows && let Some(left) = self.unwind_certain(info, number, &state, returned) {
            return left;
        }
        // The loop around is unwound only if this one is: so it is not.
        if self.attempts > 0 {
            self.attempt_failed = true;
            return Vec::new();
        }
        if let Some(depth) = self.glimpse {
            return self.glimpse_inside(info, number, state, depth, returned);
        }
        let peels = self.summarizer.as_ref().is_some_and(|summarizer| summarizer.peels(info.id, region.header));
        if !peels {
            return self.summarise(info, number, state, returned, span);
        }
        let (again, mut left) = self.iteration(info, number, state, returned);
        if let Some(again) = again {
            left.extend(self.summarise(info, number, again, returned, span));
        }
        left
    }

    pub(crate) fn mark(&self, returned: &[State]) -> Mark {
        Mark {
            obligations: self.obligations.len(),
            inputs: self.inputs.len(),
            cuts: self.cuts.len(),
            gaps: self.gaps.len(),
            exits: self.exits.len(),
            handlers: self.handlers.len(),
            facts: self.facts.len(),
            leaps: self.leaps.len(),
            rounds: self.rounds.len(),
            preferences: self.preferences.len(),
            granted: self.granted.len(),
            returned: returned.len(),
            objects: self.objects.mark(),
            allocated: self.frames.last().map_or((0, 0), |frame| (frame.allocated.len(), frame.crowds.len())),
            inside: self.contracts.iter().map(Contract::calls).collect(),
            shared_calls: self.shared_calls.len(),
            known_of_each: self.known_of_each.len(),
            heap_pointers: self.heap_pointers.len(),
            unknown: self.unknown.clone(),
        }
    }

    /// Forgets everything that was noted since.
    pub(crate) fn go_back(&mut self, mark: &Mark, returned: &mut Vec<State>) {
        self.obligations.truncate(mark.obligations);
        self.inputs.truncate(mark.inputs);
        self.cuts.truncate(mark.cuts);
        self.gaps.truncate(mark.gaps);
        self.exits.truncate(mark.exits);
        self.handlers.truncate(mark.handlers);
        self.facts.truncate(mark.facts);
        self.topics.truncate(mark.facts);
        self.leaps.truncate(mark.leaps);
        self.forget_deferred(mark);
        self.rounds.truncate(mark.rounds);
        self.preferences.truncate(mark.preferences);
        self.granted.truncate(mark.granted);
        returned.truncate(mark.returned);
        self.objects.forget(mark.objects);
        if let Some(frame) = self.frames.last_mut() {
            frame.allocated.truncate(mark.allocated.0);
            frame.crowds.truncate(mark.allocated.1);
        }
        for (contract, &calls) in self.contracts.iter_mut().zip(&mark.inside) {
            contract.forget(calls);
        }
        self.shared_calls.truncate(mark.shared_calls);
        self.known_of_each.truncate(mark.known_of_each);
        self.heap_pointers.truncate(mark.heap_pointers);
        self.unknown = mark.unknown.clone();
        // What was noted may have been forgotten.
        self.noted.clear();
    }

    /// Unwinds a loop of which rewriting alone tells, in each iteration, whether there is another one: exact, and no larger than a small bound.
    fn unwind_certain(&mut self, info: &Rc<Info<'p>>, number: usize, state: &State, returned: &mut Vec<State>) -> Option<Next> {
        let mark = self.mark(returned);
        let room = self.terms.len() + CERTAIN_TERMS;
        let mut left = Vec::new();
        let mut at = state.clone();
        self.attempts += 1;
        let mut certain = false;
        for _ in 0..CERTAIN {
            let (again, exits) = self.iteration(info, number, at, returned);
            left.extend(exits);
            if self.attempt_failed {
                break;
            }
            let Some(next) = again else {
                certain = true;
                break;
            };
            if next.guard != state.guard || self.terms.len() > room {
                break;
            }
            at = next;
        }
        self.attempts -= 1;
        if certain {
            // What a glimpse sees may look otherwise where the loop is summarised.
            if self.glimpse.is_none() {
                self.followed.insert((info.id, info.loops.loops[number].header));
            }
            return Some(left);
        }
        if self.attempts == 0 {
            self.attempt_failed = false;
        }
        self.go_back(&mark, returned);
        None
    }

    /// Walks the body once: the state in which control comes to the head again, if it does, and those that leave.
    pub(crate) fn iteration(
        &mut self,
        info: &Rc<Info<'p>>,
        number: usize,
        state: State,
        returned: &mut Vec<State>,
    ) -> (Option<State>, Next) {
        let header = info.loops.loops[number].header;
        let mut pending = Pending::default();
        pending.insert(header, vec![state]);
        let (again, left): (Next, Next) =
            self.walk(info, Some(number), pending, returned).into_iter().partition(|(target, _)| *target == header);
        (State::merge(&mut self.terms, again.into_iter().map(|(_, state)| state).collect()), left)
    }

    fn summarise(&mut self, info: &Rc<Info<'p>>, number: usize, entry: State, returned: &mut Vec<State>, span: Span) -> Next {
        let region = &info.loops.loops[number];
        let header = region.header;
        let effects = self.effects(info, &region.blocks);
        let mark = self.mark(returned);
        let outermost = self.untested.is_empty() && self.nest == 0;
        if outermost {
            self.begin_nest(mark.facts);
        }
        self.nest += 1;
        let start = self.begin_leap();
        let head = self.head_state(info, &entry, &effects);
        let iterations = self.terms.fresh("iterations", Sort::Bits(64));
        let candidates = self.candidates(info, region, &entry, &effects);
        let (zero, one) = (self.terms.zero(64), self.terms.one(64));
        let entered = Moments { entry: &entry, now: &entry, iterations: zero, result: None };
        let at_head = Moments { entry: &entry, now: &head, iterations, result: None };
        let mut tested: Vec<Trial> = Vec::new();
        for mut candidate in candidates {
            let Some(mut entry) = self.formula(info, &entered, &candidate.formula) else { continue };
            let head = match self.formula(info, &at_head, &candidate.formula) {
                Some(head) => head,
                None => {
                    // Of all at once it cannot be said where some may be gone.
                    let Formula::Linked(links) = candidate.formula else { continue };
                    candidate.formula = Formula::Each(Each::of_links(links));
                    let [Some(before), Some(head)] = [&entered, &at_head].map(|moments| self.formula(info, moments, &candidate.formula))
                    else {
                        continue;
                    };
                    entry = before;
                    head
                }
            };
            // What is so by construction says nothing here; but others who read the summary do not know that a pointer stays in its object.
            let stays = matches!(&candidate.formula, Formula::SameObject((one, Moment::Now), (other, Moment::Entry)) if one == other);
            let known = self.terms.as_bool(head);
            if self.terms.as_bool(entry) == Some(false) || known == Some(false) || known == Some(true) && !stays {
                continue;
            }
            tested.push(Trial { candidate, literal: self.terms.fresh("candidate", Sort::Bool), entry, head });
        }
        let more = self.terms.add(iterations, one);
        let after = Moments { entry: &entry, now: &head, iterations: more, result: None };
        self.glimpse(info, number, (start, &head, &after), &mut tested, returned);
        let before = self.mark(returned);
        let room = self.terms.len() + REPEATED_TERMS;
        let wanted = self.summarizer.as_ref().is_some_and(|summarizer| summarizer.repeats(info.id, header));
        let mut walks = if wanted && self.nest <= REPEATED_NEST { REPEATED } else { 0 };
        let (again, mut left, mut terms, predicates, mut outcome) = loop {
            let (again, left) = self.try_iteration(info, number, (&head, start), &tested, returned);
            self.note_sizes(&mark);
            let Some(again) = again else {
                self.nest -= 1;
                // Nothing comes back: it is no loop from here, and what leaves it leaves in the first round.
                self.go_back(&mark, returned);
                return self.iteration(info, number, entry, returned).1;
            };
            let after = Moments { entry: &entry, now: &again, iterations: more, result: None };
            let mut terms = self.tests(info, &after, &mut tested, mark.heap_pointers);
            let predicates = self.with_head(info, region, &entry, &effects, |summarizer, head| summarizer.predicates(head));
            if self.terms.len() > room {
                walks = 0;
            }
            // What is said of each object is noted with what is known of pointers by then.
            let at_once = tested.iter().any(|trial| matches!(trial.candidate.formula, Formula::Each(_)));
            let known_inside = |encoder: &Self| encoder.premises_inside(&before, terms.iter().map(|tested| tested.literal));
            // The walk does not depend on what is kept.
            if outermost && !at_once && predicates.is_empty() && !terms.is_empty() && (walks == 0 || known_inside(self).is_empty()) {
                let later = Outcome::Later(self.iteration_on_trial(&terms, &[], start, [&entry, &head, &again]));
                break (again, left, terms, predicates, later);
            }
            let states = [&entry, &head, &again];
            let findings = self.findings_of_all(&tested, &mut terms, |encoder, terms| encoder.findings(terms, &[], start, states));
            let failing = |(tested, finding): (&Tested, &Finding<Term>)| (*finding == Finding::Fails).then_some(tested.literal);
            let failed: FxHashSet<Term> = terms.iter().zip(&findings).filter_map(failing).collect();
            if walks == 0 || self.premises_inside(&before, failed.iter().copied()).is_empty() {
                let kept = findings.into_iter().map(Finding::premise).collect();
                break (again, left, terms, predicates, Outcome::Known(kept));
            }
            walks -= 1;
            self.go_back(&before, returned);
            tested.retain(|trial| !failed.contains(&trial.literal));
        };
        self.nest -= 1;
        if self.handlers.len() > mark.handlers {
            self.gap(&mut head.clone(), "atexit in a loop", span);
        }
        let after = Moments { entry: &entry, now: &again, iterations: more, result: None };
        if let Outcome::Known(kept) = &mut outcome {
            let walked = Walked { info, start, moments: [entered, at_head, after] };
            for (candidate, test, condition) in self.combined(&walked, &predicates, &terms, kept) {
                tested.push(Trial { candidate, literal: test.literal, entry: test.entry, head: test.head });
                terms.push(test);
                kept.push(condition);
            }
        }
        let instance = self.rounds.len();
        self.note_round(info, region, (&effects, &mark, start, span), (false, instance), [&entry, &head, &again]);
        self.finish(&mark, (&entry, &head), returned, &mut left);
        let leap = Leap {
            function: info.id,
            header,
            span,
            calls: self.call_spans.clone(),
            guard: entry.guard,
            valid: head.valid,
            left: self.terms.any(left.iter().map(|(_, state)| state.guard).collect::<Vec<_>>()),
            iterations: Some(iterations),
            variables: self.shown_variables(info, &effects, &entry, &head),
            kept: Vec::new(),
            tried: terms.len(),
            predicates: self.behind(info, [&entry, &head], &left, predicates),
        };
        self.leaps.push(leap);
        self.note_outcome(Record { trials: tested, guard: entry.guard, start, leap: self.leaps.len() - 1 }, outcome);
        self.facts_are_complete(instance);
        left
    }

    /// Walks the body once, with candidates that are not tested yet: loops inside may lean on them.
    pub(crate) fn try_iteration(
        &mut self,
        info: &Rc<Info<'p>>,
        number: usize,
        (head, start): (&State, usize),
        tested: &[Trial],
        returned: &mut Vec<State>,
    ) -> (Option<State>, Next) {
        let outer = (self.untested.len(), self.untested_facts.len());
        for Trial { candidate, literal, head: there, .. } in tested {
            // What loops inside know of each object must not rest on what holds of one of them (module `each`).
            if matches!(candidate.formula, Formula::Each(_)) {
                continue;
            }
            self.untested.push(*literal);
            if let Formula::Linked(links @ Links { null: false, .. }) = candidate.formula
                && tested.iter().any(|other| other.candidate.formula == Formula::Linked(Links { null: true, ..links }))
            {
                self.bold.insert(*literal);
            }
            // What is said of elements would make the loops inside slow.
            if !candidate.formula.has_elements() {
                let holds = self.terms.and(head.guard, *literal);
                let topic = Topic::new(variables_since(&self.terms, *there, start), vec![*there]);
                self.untested_facts.push((self.terms.implies(holds, *there), topic));
            }
        }
        let result = self.iteration(info, number, head.clone(), returned);
        self.untested.truncate(outer.0);
        self.untested_facts.truncate(outer.1);
        result
    }

    /// The candidates with what they say after an iteration; those that cannot be said there are dropped.
    /// They know of the pointers to the heap from a first one on.
    pub(crate) fn tests(&mut self, info: &Info<'p>, after: &Moments<'_>, tested: &mut Vec<Trial>, first: usize) -> Vec<Tested> {
        let mut terms = Vec::new();
        tested.retain(|&Trial { ref candidate, literal, entry, head }| match self.formula(info, after, &candidate.formula) {
            Some(again) => {
                let head = if let Formula::Each(each) = &candidate.formula { self.with_instances(each, head, first) } else { head };
                terms.push(Tested { literal, entry, head, again, elements: candidate.formula.has_elements() });
                true
            }
            None => false,
        });
        terms
    }

    /// Those of some candidates that are premises of what loops inside know. If they are dropped, these know it in vain, and might know it under another
    /// premise.
    fn premises_inside(&self, before: &Mark, literals: impl Iterator<Item = Term>) -> FxHashSet<Term> {
        let literals: FxHashSet<Term> = literals.collect();
        let noted = self.topics.get(before.facts..).unwrap_or_default();
        noted.iter().flat_map(|topic| &topic.said).filter(|term| literals.contains(term)).copied().collect()
    }

    /// It is decided when a candidate holds: facts of loops inside may depend on its literal.
    pub(crate) fn decided_fact(&mut self, literal: Term, condition: Term) -> (Term, Topic) {
        self.decided.insert(literal, condition);
        (self.terms.equal(literal, condition), Topic::new(vec![literal], premises(&self.terms, condition)))
    }

    /// A loop begins that is not unwound; how many terms there are.
    pub(crate) fn begin_leap(&mut self) -> usize {
        self.starts.push(self.terms.len());
        self.terms.len()
    }

    /// A loop, or a function that calls itself, that is not inside of another one begins.
    pub(crate) fn begin_nest(&mut self, facts: usize) {
        self.nest_facts = facts;
        self.nest_starts.push_back(self.terms.len());
        if self.nest_starts.len() > NESTS {
            self.nest_past = self.nest_starts.pop_front().unwrap_or(0);
        }
    }

    /// What was noted inside holds for runs that enter the loop, and the walk inside knew only a part of the conditions for that.
    pub(crate) fn finish(&mut self, mark: &Mark, (entry, head): (&State, &State), returned: &mut [State], left: &mut Next) {
        let guard = entry.guard;
        if guard != head.guard {
            let terms = &mut self.terms;
            for obligation in &mut self.obligations[mark.obligations..] {
                obligation.failure = terms.and(guard, obligation.failure);
                obligation.anyway = terms.and(guard, obligation.anyway);
            }
            for input in &mut self.inputs[mark.inputs..] {
                input.guard = terms.and(guard, input.guard);
            }
            for cut in &mut self.cuts[mark.cuts..] {
                cut.guard = terms.and(guard, cut.guard);
                cut.anyway = terms.and(guard, cut.anyway);
            }
            for gap in &mut self.gaps[mark.gaps..] {
                gap.guard = terms.and(guard, gap.guard);
            }
            for (condition, _) in &mut self.handlers[mark.handlers..] {
                *condition = terms.and(guard, *condition);
            }
            for leap in &mut self.leaps[mark.leaps..] {
                leap.guard = terms.and(guard, leap.guard);
                leap.left = terms.and(guard, leap.left);
            }
            for round in &mut self.rounds[mark.rounds..] {
                round.entered = terms.and(guard, round.entered);
            }
            let states = self.exits[mark.exits..].iter_mut().chain(&mut returned[mark.returned..]);
            for state in states.chain(left.iter_mut().map(|(_, state)| state)) {
                state.guard = terms.and(guard, state.guard);
            }
        }
        for fact in &mut self.facts[mark.facts..] {
            *fact = self.terms.implies(guard, *fact);
        }
        self.guard_each(mark.known_of_each, guard);
    }

    pub(crate) fn candidates(&mut self, info: &Rc<Info<'p>>, region: &Loop, entry: &State, effects: &Effects) -> Vec<Candidate> {
        self.with_head(info, region, entry, effects, |summarizer, head| summarizer.propose(head))
    }

    /// Shows a loop to the summarizer.
    pub(crate) fn with_head<T>(
        &mut self,
        info: &Rc<Info<'p>>,
        region: &Loop,
        entry: &State,
        effects: &Effects,
        ask: impl FnOnce(&mut dyn Summarizer, &Head<'_, '_>) -> Vec<T>,
    ) -> Vec<T> {
        let constants = self.entry_constants(info, entry);
        let private = |local: &LocalId| matches!(entry.slots.get(local.index()), Some(Slot::Private(..)));
        let changed: Vec<LocalId> = effects.changed.iter().copied().filter(private).collect();
        let head = Head {
            program: self.program,
            analysis: self.analysis,
            function: info.id,
            body: info.body,
            region,
            changed: &changed,
            written: &effects.written,
            constants: &constants,
            round: 0,
        };
        self.summarizer.as_mut().map_or_else(Vec::new, |summarizer| ask(&mut **summarizer, &head))
    }

    /// Integer variables that are constants here.
    fn entry_constants(&mut self, info: &Info<'p>, entry: &State) -> Vec<(Source, i128)> {
        let mut found = Vec::new();
        for (local, slot) in entry.slots.iter().enumerate() {
            let local = LocalId::new(local as u32);
            if let Slot::Private(Value::Scalar(Scalar::Term(term)), _) = slot
                && let Some(bits) = self.terms.as_bits(*term)
            {
                let ty = info.body.locals[local].ty;
                found.push((Source::Local(local), self.program.types.value(ty, bits.low_u128())));
            }
        }
        found
    }

    /// The integer variables that a loop changes, before and behind it.
    fn shown_variables(&self, info: &Info<'p>, effects: &Effects, entry: &State, head: &State) -> Vec<(LocalId, Term, Term)> {
        let term = |state: &State, local: LocalId| match state.slots.get(local.index()) {
            Some(Slot::Private(Value::Scalar(Scalar::Term(term)), _)) => Some(*term),
            _ => None,
        };
        let named = |local: &&LocalId| !info.body.locals[**local].temporary && effects.begun.binary_search(local).is_err();
        let locals = effects.changed.iter().filter(named);
        locals.filter_map(|&local| Some((local, term(entry, local)?, term(head, local)?))).collect()
    }
}

/// The parts of a condition that say when it holds, without what lies behind them.
fn premises(terms: &Terms, condition: Term) -> Vec<Term> {
    let mut open = vec![condition];
    let mut found = Vec::new();
    while let Some(term) = open.pop() {
        match (terms.op(term), terms.args(term)) {
            (Op::And, args) if terms.size_within(term, PREMISE).is_some() => open.extend(args),
            (Op::And, args) => open.extend(args.iter().filter(|arg| matches!(terms.op(**arg), Op::Variable(_)))),
            _ => found.push(term),
        }
    }
    found
}

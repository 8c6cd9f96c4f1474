//! Recursion: a function that calls itself is summarised as a loop is.
//!
//! What a call finds when it begins is to calls what the head is to a loop: the first call is the entry, calls inside lead there again. Candidates about it
//! are tested in the same way. Candidates about what happens from a call to its return are assumed of the calls inside and tested at the returns
//! of the body: by induction on the depth of calls, they hold of every call that returns.

use std::rc::Rc;

use logic::{Sort, Term};
use model::{Body, FunctionId, Loop, Span, Type, TypeId};

use crate::effects::Effects;
use crate::encoder::{Encoder, Info};
use crate::evaluate::Moments;
use crate::scalar::Scalar;
use crate::slice::{Topic, variables_since};
use crate::state::{Flag, Slot, State, Value};
use crate::summary::{Candidate, Kept, Leap, Tested};
use crate::walk::Pending;

/// So deep, calls that certainly happen are followed.
const CERTAIN_CALLS: u32 = 200;
/// … and no more of them than this.
const CERTAIN_TOTAL: u32 = 2000;

/// A function whose calls are being summarised.
pub(crate) struct Contract {
    pub(crate) function: FunctionId,
    effects: Rc<Effects>,
    /// The calls inside: the state in which each begins, and what its return gives.
    inside: Vec<(State, Returned)>,
}

impl Contract {
    /// How many calls inside there are so far.
    pub(crate) fn calls(&self) -> usize {
        self.inside.len()
    }
    /// Forgets all but the first calls inside.
    pub(crate) fn forget(&mut self, calls: usize) {
        self.inside.truncate(calls);
    }
}

/// What a call that is not followed gives.
#[derive(Clone)]
pub(crate) struct Returned {
    pub(crate) state: State,
    pub(crate) value: Value,
}

impl<'p> Encoder<'p> {
    /// A call of a function that has not returned from an earlier call: `None` if it should simply be followed.
    #[allow(clippy::option_option, reason = "to be followed, not returning, returning")]
    pub(crate) fn recursive_call(
        &mut self,
        state: &State,
        info: &Rc<Info<'p>>,
        args: &[Value],
        span: Span,
    ) -> Option<Option<(State, Value, Flag)>> {
        self.summarizer.as_ref()?;
        if let Some(place) = self.contracts.iter().rposition(|contract| contract.function == info.id) {
            return Some(self.call_inside(place, state, info, args));
        }
        let since = self.contract_frames.last().copied().unwrap_or(0);
        let earlier: Vec<Term> = self.frames[since..].iter().filter(|frame| frame.info.id == info.id).map(|frame| frame.guard).collect();
        let (&last, count) = (earlier.last()?, earlier.len() as u32);
        if last == state.guard && count < CERTAIN_CALLS && self.certain_calls < CERTAIN_TOTAL {
            self.certain_calls += 1;
            return None;
        }
        // A loop around that might be unwound is not.
        if self.attempts > 0 {
            self.attempt_failed = true;
            return Some(None);
        }
        // A glimpse does not see so far.
        if self.glimpse.is_some() {
            return Some(None);
        }
        Some(self.summarise_calls(state, info, args, span))
    }

    /// A call inside of a call that is being summarised.
    fn call_inside(&mut self, place: usize, state: &State, info: &Rc<Info<'p>>, args: &[Value]) -> Option<(State, Value, Flag)> {
        let begun = self.begun(state, info, args);
        let effects = self.contracts[place].effects.clone();
        let returned = self.after_call(state, info, &effects);
        self.contracts[place].inside.push((begun, returned.clone()));
        let flag = self.flag(true);
        Some((returned.state, returned.value, flag))
    }

    /// The state in which a call begins, for those who only look at it.
    pub(crate) fn begun(&mut self, state: &State, info: &Rc<Info<'p>>, args: &[Value]) -> State {
        self.begin_call(info, Vec::new(), state.guard);
        let begun = self.enter(state.clone(), info, args.to_vec());
        self.frames.pop();
        begun
    }

    /// The arbitrary state after a call.
    fn after_call(&mut self, before: &State, info: &Info<'p>, effects: &Effects) -> Returned {
        self.after_call_from(before, None, info, effects)
    }

    /// The same; where the state is known in which the call begins, what the function writes through its parameters is in their objects.
    pub(crate) fn after_call_from(&mut self, before: &State, begun: Option<&State>, info: &Info<'p>, effects: &Effects) -> Returned {
        let mut state = before.clone();
        let valid = self.terms.fresh("valid in call", Sort::Bool);
        state.valid = self.terms.and(before.valid, valid);
        match begun {
            Some(begun) => self.havoc_framed(info, begun, &mut state, effects),
            None => self.havoc_effects(&mut state, effects),
        }
        let value = match self.program.types.get(self.program.functions[info.id].ty) {
            Type::Function { ret, .. } if *self.program.types.get(*ret) != Type::Void => {
                let mut copy = state.clone();
                let value = self.havoc_value(&mut copy, *ret, "result");
                state.guard = copy.guard;
                value
            }
            _ => self.no_value(),
        };
        Returned { state, value }
    }

    fn summarise_calls(&mut self, entry: &State, info: &Rc<Info<'p>>, args: &[Value], span: Span) -> Option<(State, Value, Flag)> {
        let blocks: Vec<_> = info.body.blocks.ids().collect();
        let effects = Rc::new(self.effects(info, &blocks));
        let mut ignored = Vec::new();
        let mark = self.mark(&ignored);
        if self.nest == 0 {
            self.begin_nest(mark.facts);
        }
        self.nest += 1;
        let start = self.begin_leap();
        let result = self.after_call(entry, info, &effects);
        let first = self.begun(entry, info, args);
        let head = self.arbitrary_call(&first, info, &effects);
        let (before, after) = self.call_candidates(info, &first, &effects);
        let zero = self.terms.zero(64);
        let at_first = Moments { entry: &first, now: &first, iterations: zero, result: None };
        let at_head = Moments { entry: &first, now: &head, iterations: zero, result: None };
        let mut calls: Vec<(Candidate, Tested)> = Vec::new();
        for candidate in before {
            let Some(entry) = self.formula(info, &at_first, &candidate.formula) else { continue };
            let Some(there) = self.formula(info, &at_head, &candidate.formula) else { continue };
            if self.terms.as_bool(entry) != Some(false) && self.terms.as_bool(there).is_none() {
                let literal = self.terms.fresh("candidate", Sort::Bool);
                let elements = candidate.formula.has_elements();
                calls.push((candidate, Tested { literal, entry, head: there, again: there, elements }));
            }
        }
        let returns: Vec<(Candidate, Term)> =
            after.into_iter().map(|candidate| (candidate, self.terms.fresh("candidate", Sort::Bool))).collect();
        let outer = self.untested.len();
        self.untested.extend(calls.iter().map(|(_, tested)| tested.literal).chain(returns.iter().map(|(_, literal)| *literal)));
        let (returned, inside) = self.body_of_calls(info, &head, &effects);
        self.untested.truncate(outer);
        self.nest -= 1;
        let tested = self.tested_calls(info, (&first, &head), &mut calls, returns, &returned, &inside);
        let all: Vec<Tested> = tested.iter().map(|(_, tested)| *tested).collect();
        let kept = self.test_calls(&all, start, (entry, &head), &returned, &inside);
        if self.handlers.len() > mark.handlers {
            self.gap(&mut head.clone(), "atexit in a function that calls itself", span);
        }
        // What runs at the end would have to know in which of all calls.
        if self.has_end && self.exits.len() > mark.exits {
            self.gap(&mut head.clone(), "exit in a function that calls itself", span);
        }
        let (region, changes) = as_loop(info, &effects);
        let instance = self.rounds.len();
        for (begun, _) in &inside {
            self.note_round(info, &region, (&changes, &mark, start, span), (true, instance), [&first, &head, begun]);
        }
        self.finish(&mark, (entry, &head), &mut ignored, &mut Vec::new());
        let behind = blank(info, &result.state);
        let at_result = Moments { entry: &first, now: &behind, iterations: zero, result: self.number(info, &result.value) };
        let mut leap = Leap {
            function: info.id,
            header: Body::ENTRY,
            span,
            calls: self.call_spans.clone(),
            guard: entry.guard,
            valid: head.valid,
            left: entry.guard,
            iterations: None,
            variables: Vec::new(),
            kept: Vec::new(),
            tried: all.len(),
            predicates: Vec::new(),
        };
        for (position, ((candidate, tested), condition)) in tested.into_iter().zip(kept).enumerate() {
            let Some(condition) = condition else { continue };
            let always = self.terms.as_bool(condition) == Some(true);
            let holds = self.terms.and(entry.guard, tested.literal);
            let mut fact = self.terms.implies(holds, tested.head);
            let mut said = vec![tested.head, tested.literal];
            if position >= calls.len()
                && let Some(here) = self.formula(info, &at_result, &candidate.formula)
            {
                let valid = self.terms.and(holds, result.state.valid);
                said.push(here);
                let here = self.terms.implies(valid, here);
                fact = self.terms.and(fact, here);
            }
            let (decided, topic) = self.decided_fact(tested.literal, condition);
            self.note_fact(decided, topic);
            let mut about: Vec<Term> = said.iter().flat_map(|term| variables_since(&self.terms, *term, start)).collect();
            about.dedup();
            self.note_fact(fact, Topic::new(about, said));
            leap.kept.push(Kept { candidate, always, literal: tested.literal, head: tested.head });
        }
        self.facts_are_complete(instance);
        self.leaps.push(leap);
        let flag = self.flag(true);
        Some((result.state, result.value, flag))
    }

    /// The arbitrary state in which some call begins.
    fn arbitrary_call(&mut self, first: &State, info: &Info<'p>, effects: &Effects) -> State {
        let mut head = first.clone();
        head.guard = self.small_conditions(first.guard);
        let valid = self.terms.fresh("valid before", Sort::Bool);
        head.valid = self.terms.and(first.valid, valid);
        self.havoc_effects(&mut head, effects);
        for local in info.body.locals.ids().take(info.body.params as usize) {
            self.havoc_slot(info, first, &mut head, local, false);
            // A parameter in memory is an object of its own in each call; what it holds is arbitrary.
            if let Slot::Memory(_) = head.slots[local.index()] {
                let cells = [pointers::Cell {
                    object: pointers::Object::Local(info.id, local),
                    offsets: pointers::Offsets::ANY,
                    size: pointers::Cell::REST,
                }];
                self.havoc_cells(&mut head, &cells);
            }
        }
        head
    }

    fn call_candidates(&mut self, info: &Rc<Info<'p>>, first: &State, effects: &Effects) -> (Vec<Candidate>, Vec<Candidate>) {
        let (region, effects) = as_loop(info, effects);
        let before = self.candidates(info, &region, first, &effects);
        let after = self.with_head(info, &region, first, &effects, |summarizer, head| summarizer.propose_result(head));
        (before, after)
    }

    /// Walks the body from the arbitrary state; gives what it returns, and the calls inside.
    fn body_of_calls(&mut self, info: &Rc<Info<'p>>, head: &State, effects: &Rc<Effects>) -> (Option<State>, Vec<(State, Returned)>) {
        self.contract_frames.push(self.frames.len());
        self.begin_call(info, Vec::new(), head.guard);
        self.contracts.push(Contract { function: info.id, effects: effects.clone(), inside: Vec::new() });
        let mut pending = Pending::default();
        pending.insert(Body::ENTRY, vec![head.clone()]);
        let mut returned = Vec::new();
        self.walk(info, None, pending, &mut returned);
        self.frames.pop();
        self.contract_frames.pop();
        let inside = self.contracts.pop().map(|contract| contract.inside).unwrap_or_default();
        (State::merge(&mut self.terms, returned), inside)
    }

    /// The number that a value is.
    pub(crate) fn number(&self, info: &Info<'p>, value: &Value) -> Option<(Term, bool)> {
        let ty: TypeId = match self.program.types.get(self.program.functions[info.id].ty) {
            Type::Function { ret, .. } => *ret,
            _ => return None,
        };
        match value {
            Value::Scalar(Scalar::Term(term)) if matches!(self.terms.sort(*term), Sort::Bits(_)) => {
                Some((*term, self.program.types.is_signed(ty)))
            }
            _ => None,
        }
    }

    /// All candidates as terms: first those about calls, then those about returns.
    fn tested_calls(
        &mut self,
        info: &Rc<Info<'p>>,
        (first, head): (&State, &State),
        calls: &mut Vec<(Candidate, Tested)>,
        returns: Vec<(Candidate, Term)>,
        returned: &Option<State>,
        inside: &[(State, Returned)],
    ) -> Vec<(Candidate, Tested)> {
        let zero = self.terms.zero(64);
        let mut tested: Vec<(Candidate, Tested)> = Vec::new();
        for (candidate, known) in calls.iter() {
            let mut again = Some(self.terms.bool(true));
            for (begun, _) in inside {
                let moments = Moments { entry: first, now: begun, iterations: zero, result: None };
                let holds = self.formula(info, &moments, &candidate.formula);
                let here = self.watched(begun);
                again = again.zip(holds).map(|(again, holds)| {
                    let holds = self.terms.implies(here, holds);
                    self.terms.and(again, holds)
                });
            }
            if let Some(again) = again {
                tested.push((candidate.clone(), Tested { again, ..*known }));
            }
        }
        calls.retain(|(candidate, _)| tested.iter().any(|(other, _)| other == candidate));
        for (candidate, literal) in returns {
            let Some(tested_return) = self.tested_return(info, head, &candidate, literal, returned, inside) else { continue };
            tested.push((candidate, tested_return));
        }
        tested
    }

    fn tested_return(
        &mut self,
        info: &Rc<Info<'p>>,
        head: &State,
        candidate: &Candidate,
        literal: Term,
        returned: &Option<State>,
        inside: &[(State, Returned)],
    ) -> Option<Tested> {
        let zero = self.terms.zero(64);
        let mut assumed = self.terms.bool(true);
        for (begun, after) in inside {
            let result = self.number(info, &after.value);
            let behind = blank(info, &after.state);
            let moments = Moments { entry: begun, now: &behind, iterations: zero, result };
            let holds = self.formula(info, &moments, &candidate.formula)?;
            let there = self.terms.and(after.state.guard, after.state.valid);
            let holds = self.terms.implies(there, holds);
            assumed = self.terms.and(assumed, holds);
        }
        let again = match returned {
            Some(state) => {
                let value = match state.slots.first() {
                    Some(Slot::Private(value, _)) => value.clone(),
                    _ => return None,
                };
                let behind = blank(info, state);
                let moments = Moments { entry: head, now: &behind, iterations: zero, result: self.number(info, &value) };
                let holds = self.formula(info, &moments, &candidate.formula)?;
                let there = self.terms.and(state.guard, state.valid);
                self.terms.implies(there, holds)
            }
            None => self.terms.bool(true),
        };
        Some(Tested { literal, entry: self.terms.bool(true), head: assumed, again, elements: candidate.formula.has_elements() })
    }

    /// That control comes to a state, by valid accesses if that is what is asked about.
    fn watched(&mut self, state: &State) -> Term {
        let asked = self.terms.variable("valid asked", Sort::Bool);
        let valid = self.terms.implies(asked, state.valid);
        self.terms.and(state.guard, valid)
    }

    fn test_calls(
        &mut self,
        tested: &[Tested],
        start: usize,
        (entry, head): (&State, &State),
        returned: &Option<State>,
        inside: &[(State, Returned)],
    ) -> Vec<Option<Term>> {
        let guards: Vec<Term> = inside.iter().map(|(begun, _)| begun.guard).chain(returned.iter().map(|state| state.guard)).collect();
        let mut again = head.clone();
        again.guard = self.terms.any(guards);
        again.valid = self.terms.variable("valid asked", Sort::Bool);
        self.test(tested, &[], start, [entry, head, &again])
    }
}

/// A state behind a call: the variables of the function are gone, and those of the caller are not what formulas about the function mean.
pub(crate) fn blank(info: &Info<'_>, state: &State) -> State {
    State { slots: Rc::new(vec![Slot::Dead; info.body.locals.len()]), ..state.clone() }
}

/// A function that calls itself, as a loop: its parameters are what a round changes.
pub(crate) fn as_loop(info: &Info<'_>, effects: &Effects) -> (Loop, Effects) {
    let region = Loop {
        header: Body::ENTRY,
        entries: vec![Body::ENTRY],
        blocks: info.body.blocks.ids().collect(),
        back_edges: Vec::new(),
        exits: Vec::new(),
        parent: None,
        children: Vec::new(),
        depth: 0,
        source: None,
    };
    let params = info.body.locals.ids().take(info.body.params as usize).collect();
    (region, Effects { changed: params, written: effects.written.clone(), ..Effects::default() })
}

//! Large functions that are called from several places are encoded once, for all their calls.
//!
//! Bodies are walked where they are called, so a large function would be encoded, summarised and checked again for each way that leads to it. Such a
//! function is *shared* instead: it is walked once, before the program starts, from the state that an arbitrary call finds. There everything is arbitrary that any part of
//! the program may change, as at the head of a loop around the whole program; what is checked inside is checked for that call. Where it is called,
//! what it may change becomes arbitrary, and nothing else is known but what holds of all its returns.
//!
//! *Demands* are candidates about the state in which calls begin. They are tested where the function is called and decided when all calls are known: the
//! greatest set is kept that holds at each call, assuming it of the calls that this one is inside of. By induction on the order in which calls of a run
//! begin, it holds of all of them.
//!
//! Soundness: take a run and a call in it. The variables of the function's walk stand for that call; the variable `called` of all other functions is
//! false, so that what is known of their walks says nothing. So all functions may share the variables of the memory that the call finds.

use std::cell::OnceCell;
use std::rc::Rc;

use logic::{Op, Sort, Term, Terms};
use model::{Body, FunctionId, LocalId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::effects::Effects;
use crate::encoder::{Encoder, Info};
use crate::evaluate::Moments;
use crate::formula::Formula;
use crate::recursion::{as_loop, blank};
use crate::slice::{Topic, variables_since};
use crate::state::{Flag, Slot, State, Value};
use crate::summary::{Candidate, Kept, Leap, Tested};
use crate::walk::Pending;

/// A function that is encoded once.
pub(crate) struct Shared {
    effects: Effects,
    /// The state in which the call begins that its walk stands for; its guard is a variable: that there is such a call.
    head: State,
    /// How many terms there were before.
    start: usize,
    demands: Vec<Demand>,
    /// What holds of each call that returns after valid accesses, once the body is walked; `None` if no call returns.
    results: OnceCell<Option<Vec<Candidate>>>,
    /// The position of its leap.
    leap: OnceCell<usize>,
}

/// Something that may hold whenever a function is called.
struct Demand {
    candidate: Candidate,
    /// It holds of the call that the walk stands for wherever this variable is true.
    literal: Term,
    /// That it does.
    head: Term,
}

/// A call of a shared function.
pub(crate) struct SharedCall {
    function: FunctionId,
    /// That all accesses before are valid.
    valid: Term,
    /// For each demand, the condition under which it holds here.
    conditions: Vec<Option<Term>>,
}

/// When a demand holds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Grade {
    Never,
    /// If all accesses before the call are valid.
    Valid,
    Always,
}

impl<'p> Encoder<'p> {
    /// Encodes the functions that are to be shared; in this state the program starts.
    pub(crate) fn share_functions(&mut self, state: &State, entry: FunctionId) {
        let Some(room) = self.summarizer.as_ref().map(|summarizer| summarizer.room_for_copies()) else { return };
        let hooked = |function: &model::Function| function.attributes.constructor.is_some() || function.attributes.destructor.is_some();
        // What runs at the end would have to know in which state, among those of calls that are not followed.
        if self.has_end || self.program.functions.iter().any(hooked) {
            return;
        }
        let functions = self.large_functions(entry, room);
        if functions.is_empty() {
            return;
        }
        let everything = self.effects_of_all(entry);
        let mut memory = state.clone();
        self.havoc_effects(&mut memory, &everything);
        for &function in &functions {
            self.prepare_shared(&memory, function, &everything);
        }
        for function in functions {
            self.walk_shared(function);
        }
    }

    /// The arbitrary call of a function, and what may hold of it.
    fn prepare_shared(&mut self, memory: &State, function: FunctionId, everything: &Effects) {
        let Some(info) = self.info(function) else { return };
        let blocks: Vec<_> = info.body.blocks.ids().collect();
        let reach = self.reach(function);
        let effects = Effects { through: reach.through.clone(), elsewhere: reach.elsewhere.clone(), ..self.effects(&info, &blocks) };
        let start = self.begin_leap();
        let mut state = memory.clone();
        state.guard = self.terms.fresh("called", Sort::Bool);
        state.valid = self.terms.fresh("valid before", Sort::Bool);
        let params: Vec<LocalId> = info.body.locals.ids().take(info.body.params as usize).collect();
        let param = |local: &LocalId| &info.body.locals[*local];
        let args: Vec<Value> = params.iter().map(param).map(|data| self.arbitrary_value(data.ty, &data.name, true)).collect();
        let first = self.begun(&state, &info, &args);
        let mut head = first.clone();
        for local in params {
            self.havoc_slot(&info, &first, &mut head, local, false);
        }
        let (region, changes) = as_loop(&info, everything);
        let candidates = self.candidates(&info, &region, &first, &changes);
        let zero = self.terms.zero(64);
        let here = Moments { entry: &head, now: &head, iterations: zero, result: None };
        let mut demands = Vec::new();
        let examples = self.example_calls(&info, &head);
        let dismissed =
            |encoder: &Self, formula: &Formula| encoder.summarizer.as_ref().is_some_and(|one| one.is_dismissed(function, formula));
        for candidate in candidates.into_iter().filter(|candidate| !candidate.formula.looks_back()) {
            if dismissed(self, &candidate.formula) {
                continue;
            }
            let Some(term) = self.formula(&info, &here, &candidate.formula) else { continue };
            let fails = examples.iter().any(|example| {
                let there = Moments { entry: example, now: example, ..here };
                self.formula(&info, &there, &candidate.formula).is_some_and(|term| self.terms.as_bool(term) == Some(false))
            });
            if self.terms.as_bool(term).is_none() && !fails {
                demands.push(Demand { candidate, literal: self.terms.fresh("candidate", Sort::Bool), head: term });
            }
        }
        let shared = Shared { effects, head, start, demands, results: OnceCell::new(), leap: OnceCell::new() };
        self.shared.insert(function, Rc::new(shared));
    }

    /// Walks the body of a shared function.
    fn walk_shared(&mut self, function: FunctionId) {
        let (Some(info), Some(shared)) = (self.info(function), self.shared.get(&function).cloned()) else { return };
        let head = &shared.head;
        let mark = self.mark(&[]);
        self.begin_nest(mark.facts);
        self.nest += 1;
        let start = self.begin_leap();
        for demand in &shared.demands {
            self.untested.push(demand.literal);
            if !demand.candidate.formula.has_elements() {
                let fact = self.demand_fact(&shared, demand);
                self.untested_facts.push(fact);
            }
        }
        self.contract_frames.push(self.frames.len());
        self.begin_call(&info, Vec::new(), head.guard);
        let mut pending = Pending::default();
        pending.insert(Body::ENTRY, vec![head.clone()]);
        let mut returned = Vec::new();
        self.walk(&info, None, pending, &mut returned);
        self.frames.pop();
        self.contract_frames.pop();
        self.untested.clear();
        self.untested_facts.clear();
        self.nest -= 1;
        let returned = State::merge(&mut self.terms, returned);
        let results = returned.map(|returned| self.results_of(&info, &shared, &returned, start));
        self.finish(&mark, (head, head), &mut [], &mut Vec::new());
        let leap = self.leaps.len();
        self.leaps.push(Leap {
            function,
            header: Body::ENTRY,
            span: self.program.functions[function].span,
            calls: Vec::new(),
            guard: head.guard,
            valid: head.valid,
            left: head.guard,
            iterations: None,
            variables: Vec::new(),
            kept: Vec::new(),
            tried: shared.demands.len(),
            predicates: Vec::new(),
        });
        shared.results.get_or_init(|| results);
        shared.leap.get_or_init(|| leap);
    }

    /// That a demand holds of the call that the walk stands for, where its literal is true.
    fn demand_fact(&mut self, shared: &Shared, demand: &Demand) -> (Term, Topic) {
        let holds = self.terms.and(shared.head.guard, demand.literal);
        let about = variables_since(&self.terms, demand.head, shared.start);
        (self.terms.implies(holds, demand.head), Topic::new(about, vec![demand.head, demand.literal]))
    }

    /// What holds of each call of a function that returns, whatever is demanded of it.
    fn results_of(&mut self, info: &Rc<Info<'p>>, shared: &Shared, returned: &State, start: usize) -> Vec<Candidate> {
        let (region, changes) = as_loop(info, &shared.effects);
        let candidates = self.with_head(info, &region, &shared.head, &changes, |summarizer, head| summarizer.propose_result(head));
        let Some(Slot::Private(value, _)) = returned.slots.first() else { return Vec::new() };
        let result = self.number(info, value);
        let behind = blank(info, returned);
        let zero = self.terms.zero(64);
        let moments = Moments { entry: &shared.head, now: &behind, iterations: zero, result };
        let truth = self.terms.bool(true);
        let mut kept = Vec::new();
        let mut tested = Vec::new();
        for candidate in candidates {
            let Some(again) = self.formula(info, &moments, &candidate.formula) else { continue };
            let literal = self.terms.fresh("candidate", Sort::Bool);
            tested.push(Tested { literal, entry: truth, head: truth, again, elements: candidate.formula.has_elements() });
            kept.push(candidate);
        }
        let conditions = self.test(&tested, &[], start, [&shared.head, &shared.head, returned]);
        let holds = |condition: Option<Term>| condition == Some(truth) || condition == Some(shared.head.valid);
        kept.into_iter().zip(conditions).filter(|(_, condition)| holds(*condition)).map(|(candidate, _)| candidate).collect()
    }

    /// A call of a shared function: `None` if it is none.
    #[allow(clippy::option_option, reason = "not shared, not followed, returning")]
    pub(crate) fn shared_call(&mut self, state: &State, info: &Rc<Info<'p>>, args: &[Value]) -> Option<Option<(State, Value, Flag)>> {
        let shared = self.shared.get(&info.id)?.clone();
        // A loop around that might be unwound is not.
        if self.attempts > 0 {
            self.attempt_failed = true;
            return Some(None);
        }
        let begun = self.begun(state, info, args);
        // A glimpse decides nothing.
        if self.glimpse.is_none() {
            let conditions = self.test_demands(info, &shared, state, &begun);
            self.shared_calls.push(SharedCall { function: info.id, valid: state.valid, conditions });
        }
        if let Some(None) = shared.results.get() {
            return Some(None);
        }
        let start = self.terms.len();
        let after = self.after_call_from(state, Some(&begun), info, &shared.effects);
        let zero = self.terms.zero(64);
        let behind = blank(info, &after.state);
        let moments = Moments { entry: &begun, now: &behind, iterations: zero, result: self.number(info, &after.value) };
        for candidate in shared.results.get().into_iter().flatten().flatten() {
            let Some(term) = self.formula(info, &moments, &candidate.formula) else { continue };
            let there = self.terms.and(after.state.guard, after.state.valid);
            let about = variables_since(&self.terms, term, start);
            let fact = self.terms.implies(there, term);
            self.note_fact(fact, Topic::new(about, vec![term]));
        }
        let flag = self.flag(true);
        Some(Some((after.state, after.value, flag)))
    }

    /// For each demand, the condition under which it holds of a call.
    fn test_demands(&mut self, info: &Rc<Info<'p>>, shared: &Shared, state: &State, begun: &State) -> Vec<Option<Term>> {
        let start = self.terms.len();
        let (truth, never, zero) = (self.terms.bool(true), self.terms.bool(false), self.terms.zero(64));
        let lost = |place: usize| {
            let mut earlier = self.shared_calls.iter().filter(|call| call.function == info.id);
            earlier.any(|call| call.conditions[place].is_none())
        };
        let open: Vec<usize> = (0..shared.demands.len()).filter(|place| !lost(*place)).collect();
        let moments = Moments { entry: begun, now: begun, iterations: zero, result: None };
        let mut asked = Vec::new();
        let mut tested = Vec::new();
        for place in open {
            let Demand { candidate, literal, .. } = &shared.demands[place];
            let Some(entry) = self.formula(info, &moments, &candidate.formula) else { continue };
            asked.push(place);
            tested.push(Tested { literal: *literal, entry, head: truth, again: truth, elements: candidate.formula.has_elements() });
        }
        let mut head = state.clone();
        head.guard = self.small_conditions(state.guard);
        let again = State { guard: never, ..state.clone() };
        // The call may be anywhere: whatever is known helps.
        self.settle_deferred();
        let facts = std::mem::take(&mut self.nest_facts);
        let found = self.test(&tested, &[], start, [state, &head, &again]);
        self.nest_facts = facts;
        let mut conditions = vec![None; shared.demands.len()];
        for (place, condition) in asked.into_iter().zip(found) {
            conditions[place] = condition;
        }
        conditions
    }

    /// Tells what does not hold of some call, although all demands are assumed of the calls around.
    fn dismiss_failed(&mut self, function: FunctionId, shared: &Shared) {
        let literals = self.shared.values().flat_map(|shared| &shared.demands).map(|demand| (demand.literal, Grade::Always));
        let assumed: FxHashMap<Term, Grade> = literals.collect();
        let mut failed: Vec<Formula> = Vec::new();
        for call in self.shared_calls.iter().filter(|call| call.function == function) {
            let valid = conjuncts(&self.terms, call.valid);
            for (demand, condition) in shared.demands.iter().zip(&call.conditions) {
                let grade = condition.map_or(Grade::Never, |condition| self.grade(condition, &valid, &assumed));
                if grade == Grade::Never {
                    failed.push(demand.candidate.formula.clone());
                }
            }
        }
        if let Some(summarizer) = self.summarizer.as_mut() {
            failed.iter().for_each(|formula| summarizer.dismiss(function, formula));
        }
    }

    /// All calls are known: decides which demands hold of them, and notes them.
    pub(crate) fn settle_shared(&mut self) {
        if self.shared.is_empty() {
            return;
        }
        let grades = self.grades();
        let functions: Vec<(FunctionId, Rc<Shared>)> = self.shared.iter().map(|(function, shared)| (*function, shared.clone())).collect();
        for (function, shared) in functions {
            if !self.shared_calls.iter().any(|call| call.function == function) {
                let never = self.terms.not(shared.head.guard);
                self.note_fact(never, Topic::new(vec![shared.head.guard], Vec::new()));
                continue;
            }
            self.dismiss_failed(function, &shared);
            for demand in &shared.demands {
                let decided = match grades.get(&demand.literal) {
                    Some(Grade::Always) => demand.literal,
                    Some(Grade::Valid) => self.terms.equal(demand.literal, shared.head.valid),
                    _ => continue,
                };
                self.note_fact(decided, Topic::new(vec![demand.literal], Vec::new()));
                let (fact, topic) = self.demand_fact(&shared, demand);
                self.note_fact(fact, topic);
                let always = decided == demand.literal;
                if let Formula::Each(each) = &demand.candidate.formula {
                    let (truth, called) = (self.terms.bool(true), shared.head.guard);
                    let valid = if always { truth } else { shared.head.valid };
                    let condition = self.terms.and(called, valid);
                    self.note_each(each.object, condition, demand.head);
                }
                let kept = Kept { candidate: demand.candidate.clone(), always, literal: demand.literal, head: demand.head };
                if let Some(leap) = shared.leap.get().and_then(|&leap| self.leaps.get_mut(leap)) {
                    leap.kept.push(kept);
                }
            }
        }
    }

    /// When each demand holds, by its literal: as much as holds at every call if it holds of those around.
    fn grades(&self) -> FxHashMap<Term, Grade> {
        let literals = self.shared.values().flat_map(|shared| &shared.demands).map(|demand| demand.literal);
        let mut grades: FxHashMap<Term, Grade> = literals.map(|literal| (literal, Grade::Always)).collect();
        let valid: Vec<FxHashSet<Term>> = self.shared_calls.iter().map(|call| conjuncts(&self.terms, call.valid)).collect();
        loop {
            let mut changed = false;
            for (call, valid) in self.shared_calls.iter().zip(&valid) {
                let Some(shared) = self.shared.get(&call.function) else { continue };
                for (demand, condition) in shared.demands.iter().zip(&call.conditions) {
                    let old = grades[&demand.literal];
                    let new = condition.map_or(Grade::Never, |condition| self.grade(condition, valid, &grades)).min(old);
                    changed |= new != old;
                    grades.insert(demand.literal, new);
                }
            }
            if !changed {
                return grades;
            }
        }
    }

    /// When a condition holds at a call: it is made of literals, of demands and of loops around, and of what says that accesses are valid.
    fn grade(&self, condition: Term, valid: &FxHashSet<Term>, grades: &FxHashMap<Term, Grade>) -> Grade {
        let mut grade = Grade::Always;
        let (mut open, mut seen) = (vec![condition], FxHashSet::default());
        while let Some(term) = open.pop() {
            if !seen.insert(term) || self.terms.as_bool(term) == Some(true) {
                continue;
            }
            if let Some(known) = grades.get(&term) {
                grade = grade.min(*known);
            } else if valid.contains(&term) {
                grade = grade.min(Grade::Valid);
            } else if let Some(decided) = self.decided.get(&term) {
                open.push(*decided);
            } else if let (Op::And, args) = (self.terms.op(term), self.terms.args(term)) {
                open.extend(args);
            } else {
                return Grade::Never;
            }
        }
        grade
    }
}

/// The parts of a conjunction, and itself.
fn conjuncts(terms: &Terms, term: Term) -> FxHashSet<Term> {
    let (mut open, mut found) = (vec![term], FxHashSet::default());
    while let Some(term) = open.pop() {
        if let (true, Op::And) = (found.insert(term), terms.op(term)) {
            open.extend(terms.args(term));
        }
    }
    found
}

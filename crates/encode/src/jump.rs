//! `setjmp`: a function that returns again whenever somebody jumps back.
//!
//! A second return comes from something that the calling function does after the first one, itself or in calls, so the state is that of a loop over
//! all its blocks: arbitrary in all that these may change. `longjmp` ends the path that it is on; where it leads to is the second return, which is followed
//! whether anybody jumps or not. A function that has returned cannot be jumped back to: C leaves that undefined.

use std::rc::Rc;

use logic::Sort;
use model::{BlockId, FunctionId};
use pointers::{Site, Writes};

use crate::encoder::Encoder;
use crate::scalar::Scalar;
use crate::state::{Flag, Slot, State, Value};

/// Functions that may return again when others end.
const RETURN_TWICE: [&str; 6] = ["setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp", "__builtin_setjmp", "vfork"];

impl Encoder<'_> {
    /// Whether a function may return more than once.
    pub(crate) fn returns_twice(&self, function: FunctionId) -> bool {
        RETURN_TWICE.contains(&self.program.functions[function].name.as_str())
    }

    /// Both returns of `setjmp`: the state after them, and the result. `None` if it is not that, or stands where this cannot be said.
    pub(crate) fn both_returns(&mut self, state: &State, site: Site, function: FunctionId) -> Option<(State, Value, Flag)> {
        let name = &self.program.functions[function].name;
        // How often it returns is not said here: nothing ends because of this.
        if !self.returns_twice(function) || name == "vfork" || self.options.faults.are_all() || !self.contracts.is_empty() {
            return None;
        }
        let info = self.frames.last()?.info.clone();
        // What comes from behind a loop changes more than the loop does.
        if info.id != site.function || info.loops.innermost(site.block).is_some() {
            return None;
        }
        let blocks: Vec<BlockId> = info.body.blocks.ids().collect();
        let effects = self.effects(&info, &blocks);
        // What lives in a block may live there again as another object.
        if effects.begun.iter().any(|local| matches!(state.slots.get(local.index()), Some(Slot::Memory(_)))) {
            return None;
        }
        let analysis = self.analysis;
        let written = self.writes.get_or_init(|| Writes::new(analysis)).of_command(analysis, site);
        let mut first = state.clone();
        self.havoc_cells(&mut first, &written);
        let again = self.terms.fresh("second return", Sort::Bool);
        let once = self.terms.not(again);
        let mut second = self.head_state(&info, &first, &effects);
        second.guard = self.terms.and(state.guard, again);
        first.guard = self.terms.and(state.guard, once);
        let number = self.terms.fresh("jump", Sort::Bits(32));
        let zero = self.terms.zero(32);
        let differs = self.terms.differ(number, zero);
        self.assume(&mut second, differs);
        let merged = State::merge(&mut self.terms, vec![with_result(first, zero), with_result(second, number)]);
        let mut state = merged?;
        let Some(Slot::Private(value, flag)) = Rc::make_mut(&mut state.slots).pop() else { return None };
        Some((state, value, flag))
    }
}

/// The result travels with the state to where both returns meet.
fn with_result(mut state: State, result: logic::Term) -> State {
    Rc::make_mut(&mut state.slots).push(Slot::Private(Value::Scalar(Scalar::Term(result)), None));
    state
}

//! States at the heads of unwound loops, for those who look for one that comes back.

use logic::Term;
use model::{BlockId, FunctionId, LocalId};

use crate::encoder::{Encoder, Info};
use crate::state::{Part, Slot, State, Value};

/// Control comes to the head of a loop.
#[derive(Clone, Debug)]
pub struct Visit {
    /// The function.
    pub function: FunctionId,
    /// The head.
    pub header: BlockId,
    /// The same number for visits of one loop that was entered once.
    pub instance: usize,
    /// That control comes there, and everything was well-defined before.
    pub guard: Term,
    /// The variables, or parts of them, and the memory. Those of visits with the same instance correspond, if there are equally many.
    pub state: Vec<(Option<LocalId>, Term)>,
}

impl<'p> Encoder<'p> {
    /// Notes that control comes to a head, where that is wanted.
    pub(crate) fn note_visit(&mut self, info: &Info<'p>, header: BlockId, instance: usize, state: &State) {
        if !self.options.faults.are_all() {
            return;
        }
        let mut terms = Vec::new();
        for ((id, local), slot) in info.body.locals.enumerate().zip(state.slots.iter()) {
            let mut parts = Vec::new();
            match slot {
                // Temporaries do not outlive the statement that they were made for.
                Slot::Private(..) if local.temporary => {}
                Slot::Private(value, _) => self.flatten(value, &mut parts),
                Slot::Memory(object) => parts.push(*object),
                Slot::Dead => {}
            }
            terms.extend(parts.into_iter().map(|part| (Some(id), part)));
        }
        terms.extend(state.regions.iter().map(|region| (None, *region)));
        let guard = self.terms.and(state.guard, state.valid);
        self.visits.push(Visit { function: info.id, header, instance, guard, state: terms });
    }

    fn flatten(&mut self, value: &Value, terms: &mut Vec<Term>) {
        match value {
            Value::Scalar(scalar) => terms.push(scalar.term(&mut self.terms)),
            Value::Parts(parts) => {
                for part in parts.iter() {
                    terms.push(match part {
                        Part::Scalar(scalar, _) => scalar.term(&mut self.terms),
                        Part::Array(content) => content.array,
                    });
                }
            }
            Value::Bytes(content) => terms.push(content.array),
        }
    }
}

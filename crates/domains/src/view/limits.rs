//! Indices and the room that their buffers have for them.

use encode::{Aspect, Linear, Moment, Quantity, Source};

use super::{Buffer, View};

/// An index and the buffer that it is used with, in elements for an array and in bytes behind a pointer.
pub struct Limit {
    /// The index: a variable, or a sum.
    pub index: Linear,
    /// Where the buffer ends.
    pub room: Linear,
    /// What an element counts.
    pub scale: i128,
    /// How many elements behind the index the loop accesses the buffer.
    pub distances: Vec<i128>,
    /// What the index is moved by.
    pub steps: Vec<i128>,
}

/// For each variable in an index, and each sum that is one, the buffers that it is used with.
pub fn limits(view: &View<'_>) -> Vec<Limit> {
    let mut limits: Vec<Limit> = Vec::new();
    for access in &view.accesses {
        let whole = Linear { constant: 0, ..access.index.clone() };
        let single = access.index.parts.iter().filter(|(factor, _)| *factor == 1).map(|(_, quantity)| Linear::of(*quantity));
        let indices = single.chain((whole.parts.len() > 1).then_some(whole));
        for index in indices {
            let steps = steps(view, &index);
            let (index, room, scale, moved) = match access.buffer {
                Buffer::Array(length) => (index, Linear::constant(i128::from(length)), 1, None),
                Buffer::Pointer(source) => {
                    let of = |aspect| Linear::of(Quantity::Of(source, aspect, Moment::Now));
                    let Ok(element) = i64::try_from(access.element) else { continue };
                    (of(Aspect::Offset).plus(element, &index), of(Aspect::Size), i128::from(element), Some(source))
                }
            };
            if !view.varies(&index) && !moved.is_some_and(|source: Source| view.variable(source).is_some_and(|pointer| pointer.changed)) {
                continue;
            }
            match limits.iter_mut().find(|limit| limit.index == index && limit.room == room) {
                Some(limit) => limit.distances.push(access.index.constant),
                None => limits.push(Limit { index, room, scale, distances: vec![access.index.constant], steps }),
            }
        }
    }
    limits
}

fn steps(view: &View<'_>, index: &Linear) -> Vec<i128> {
    let of = |quantity: &Quantity| match quantity {
        Quantity::Of(source, ..) => view.variable(*source).and_then(|variable| variable.steps()),
        Quantity::Iterations | Quantity::Result => None,
    };
    index.parts.iter().filter_map(|(_, quantity)| of(quantity)).flatten().collect()
}

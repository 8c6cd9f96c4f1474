//! Sums that may tell how far a loop has come, for termination arguments.

use encode::{Head, Linear};

use crate::view::{Origin, View};

/// No more sums than this are worth looking at.
const LIMIT: usize = 40;

/// Variables, what remains of the objects that pointers walk through, and what the conditions of the loop compare, each with the numbers that it
/// is compared with. The most telling ones come first.
pub fn measures<'a>(head: &'a Head<'a, 'a>) -> Vec<(Linear, Vec<i128>)> {
    let view = View::new(head);
    let mut found: Vec<(Linear, Vec<i128>)> = Vec::new();
    let mut add = |sum: Linear, constants: &[i128]| {
        let place = found.iter().position(|(known, _)| *known == sum).or_else(|| {
            let room = !sum.parts.is_empty() && found.len() < LIMIT;
            room.then(|| found.push((sum, Vec::new())))?;
            Some(found.len() - 1)
        });
        let Some((_, known)) = place.and_then(|place| found.get_mut(place)) else { return };
        for constant in constants {
            if !known.contains(constant) && known.len() < LIMIT {
                known.push(*constant);
            }
        }
    };
    for variable in view.variables.iter().filter(|variable| variable.changed) {
        add(variable.now(), &variable.constants);
        if variable.is_pointer() {
            add(variable.size().minus(&variable.now()), &[]);
        }
    }
    let telling = |origin| matches!(origin, Origin::Exit | Origin::Loop | Origin::Assertion);
    for condition in view.conditions.iter().filter(|condition| telling(condition.origin)) {
        if let Some((sum, _)) = &condition.comparison
            && view.varies(sum)
        {
            add(Linear { constant: 0, ..sum.clone() }, &[-sum.constant]);
        }
    }
    let unchanged = |compared: bool| {
        view.variables.iter().filter(move |variable| !variable.changed && (variable.exit || variable.compared) == compared)
    };
    for variable in unchanged(true).chain(unchanged(false)) {
        add(variable.now(), &variable.constants);
    }
    found
}

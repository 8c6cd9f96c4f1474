//! `qsort` and `bsearch`: they call back into the program.

use model::CheckKind;

use super::{Header, Invocation};
use crate::code::Shape;
use crate::fault::Step;
use crate::machine::{Argument, Machine};
use crate::memory::Pointer;

pub(super) const FUNCTIONS: Header =
    &[("qsort", |m, c| qsort(m, c, None)), ("qsort_r", |m, c| qsort(m, c, Some(c.pointer(m, 4)))), ("bsearch", bsearch)];

/// A comparison function of the program.
struct Comparison<'c> {
    function: Pointer,
    /// What it gets besides the elements.
    context: Option<Pointer>,
    call: &'c Invocation<'c>,
}

impl Comparison<'_> {
    fn compare(&self, machine: &mut Machine<'_, '_>, a: Pointer, b: Pointer) -> Step<i32> {
        let pointers = [Some(a), Some(b), self.context];
        let arguments = pointers.into_iter().flatten().map(|pointer| Argument::Scalar(u128::from(pointer), Shape::Pointer)).collect();
        match machine.call_pointer(self.function, arguments, self.call.span)? {
            Some(value) => Ok(value as i32),
            None => Err(machine.fatal(CheckKind::Uninitialised, self.call.span, "the comparison function gives no value")),
        }
    }
}

/// A stable merge sort that compares in the order in which glibc does.
fn qsort(machine: &mut Machine<'_, '_>, call: &Invocation<'_>, context: Option<Pointer>) -> Step<u128> {
    let (base, count, size) = (call.pointer(machine, 0), call.size(1), call.size(2));
    let comparison = Comparison { function: call.pointer(machine, 3), context, call };
    if count == 0 || size == 0 {
        return Ok(0);
    }
    // All of the array must be there before memory for its order is taken.
    let bytes = count.saturating_mul(size);
    if let Err(error) = machine.memory.locate(base, bytes) {
        return Err(machine.access_fault(error, base, bytes, "sorting", call.span));
    }
    let elements = (0..count).map(|index| base + index * size).collect();
    let order = merge_sort(machine, &comparison, elements)?;
    let mut blobs = Vec::with_capacity(order.len());
    for element in order {
        blobs.push(machine.get(element, size, call.span)?);
    }
    for (index, blob) in blobs.iter().enumerate() {
        machine.put(base + index as u64 * size, blob, call.span)?;
    }
    Ok(0)
}

fn merge_sort(machine: &mut Machine<'_, '_>, comparison: &Comparison<'_>, mut elements: Vec<Pointer>) -> Step<Vec<Pointer>> {
    if elements.len() <= 1 {
        return Ok(elements);
    }
    let upper = elements.split_off(elements.len() / 2);
    let lower = merge_sort(machine, comparison, elements)?;
    let upper = merge_sort(machine, comparison, upper)?;
    let mut merged = Vec::with_capacity(lower.len() + upper.len());
    let (mut a, mut b) = (lower.iter().peekable(), upper.iter().peekable());
    while let (Some(x), Some(y)) = (a.peek(), b.peek()) {
        let (x, y) = (**x, **y);
        if comparison.compare(machine, x, y)? <= 0 {
            merged.push(x);
            a.next();
        } else {
            merged.push(y);
            b.next();
        }
    }
    merged.extend(a);
    merged.extend(b);
    Ok(merged)
}

fn bsearch(machine: &mut Machine<'_, '_>, call: &Invocation<'_>) -> Step<u128> {
    let (key, base, size) = (call.pointer(machine, 0), call.pointer(machine, 1), call.size(3));
    let comparison = Comparison { function: call.pointer(machine, 4), context: None, call };
    let (mut low, mut high) = (0, call.size(2));
    while low < high {
        let middle = low + (high - low) / 2;
        let element = base.wrapping_add(middle.wrapping_mul(size));
        match comparison.compare(machine, key, element)? {
            0 => return Ok(u128::from(element)),
            order if order < 0 => high = middle,
            _ => low = middle + 1,
        }
    }
    Ok(0)
}

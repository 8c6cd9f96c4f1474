//! Guesses about loops: each domain looks at a loop and proposes what may be invariant. Nothing here has to be right; the kernel tests every candidate.
//!
//! One file per domain. A domain is a name, a sentence, and a function from a [`View`] of the loop to formulas.

mod array_content;
mod array_copy;
mod bounds;
mod congruence;
mod counter_offset;
mod differences;
mod equality;
mod float_order;
mod guards;
mod heap_fields;
mod heap_texts;
mod index_below_size;
mod index_below_size_minus;
mod index_nonnegative;
mod initialised_prefix;
mod interval;
mod interval_analysis;
mod last_found;
mod linked_memory;
mod list_fields;
mod measures;
mod memoryless_string;
mod not_found;
mod offset_bounds;
mod phases;
mod pointer_valid;
mod recurrence;
mod relational;
mod results_of_calls;
mod room;
mod rows;
mod set_since;
mod signs;
mod string_length;
mod sums;
mod templates;
mod values;
pub mod view;
mod zero_terminated;

#[cfg(test)]
mod tests;

use encode::{Candidate, Formula, Head};

pub use measures::{measures, walks};
pub use results_of_calls::results;
pub use templates::{TemplateError, Templates};
pub use view::View;

/// A source of candidates.
pub trait Domain: Sync {
    /// The name by which the user chooses it.
    fn name(&self) -> &'static str;
    /// What it proposes, in one line.
    fn about(&self) -> &'static str;
    /// From which round on it is asked: 0 for the first attempt, higher for those that are tried where a summary was too weak.
    fn round(&self) -> u32 {
        0
    }
    /// Adds its candidates.
    fn propose(&self, view: &View<'_>, out: &mut Vec<Formula>);
}

/// All domains, in the order in which they are asked and listed.
pub const ALL: &[&dyn Domain] = &[
    &linked_memory::LinkedMemory,
    &index_nonnegative::IndexNonnegative,
    &index_below_size::IndexBelowSize,
    &index_below_size_minus::IndexBelowSizeMinus,
    &offset_bounds::OffsetBounds,
    &pointer_valid::PointerValid,
    &guards::Guards,
    &bounds::Bounds,
    &equality::Equality,
    &recurrence::Recurrence,
    &counter_offset::CounterOffset,
    &sums::Sums,
    &room::Room,
    &congruence::Congruence,
    &differences::Differences,
    &values::Values,
    &relational::Relational,
    &interval::Interval,
    &interval_analysis::IntervalAnalysis,
    &zero_terminated::ZeroTerminated,
    &string_length::StringLength,
    &memoryless_string::MemorylessString,
    &not_found::NotFound,
    &last_found::LastFound,
    &array_content::ArrayContent,
    &array_copy::ArrayCopy,
    &initialised_prefix::InitialisedPrefix,
    &list_fields::ListFields,
    &heap_texts::HeapTexts,
    &heap_fields::HeapFields,
    &float_order::FloatOrder,
    &signs::Signs,
    &phases::Phases,
    &set_since::SetSince,
];

/// What some domains propose for a loop: each formula once, at most `limit`.
pub fn propose<'a>(domains: &[&dyn Domain], head: &'a Head<'a, 'a>, limit: usize) -> Vec<Candidate> {
    let view = View::new(head);
    let mut candidates: Vec<Candidate> = Vec::new();
    let mut seen = rustc_hash::FxHashSet::default();
    for domain in domains.iter().filter(|domain| domain.round() <= head.round) {
        let mut formulas = Vec::new();
        domain.propose(&view, &mut formulas);
        for formula in formulas {
            if candidates.len() < limit && !view.is_decided(&formula) && seen.insert(formula.clone()) {
                candidates.push(Candidate { formula, domain: domain.name() });
            }
        }
    }
    candidates
}

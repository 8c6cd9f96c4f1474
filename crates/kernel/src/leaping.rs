//! Leaping counterexamples: concrete steps between loops, one leap per loop (*Loop Summarization using State and Transition Invariants* §4.7).

use encode::Encoding;
use logic::{Evaluator, Term, Value};
use model::LocalId;

/// A loop that a counterexample leaps over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Leapt {
    /// Which of the encoding's leaps.
    pub leap: usize,
    /// Variables that the loop may change: their bit patterns before and behind it, or in the iteration in which the property fails.
    pub values: Vec<(LocalId, u128, u128)>,
    /// How many iterations it makes, as far as the summary knows.
    pub rounds: Option<u64>,
    /// The invariants that the summary applies here, as positions in the leap's list.
    pub known: Vec<usize>,
    /// Whether control leaves the loop; if not, the failure is in it.
    pub left: bool,
}

/// The leaps of the solver's last model, in the order of the program.
pub(crate) fn leaps(encoding: &mut Encoding) -> Vec<Leapt> {
    if encoding.leaps.is_empty() {
        return Vec::new();
    }
    let model = encoding.context.model(&encoding.terms);
    let mut evaluator = Evaluator::new(&encoding.terms, &model);
    let mut pattern = |term: Term| match evaluator.value(term) {
        Some(Value::Bool(value)) => Some(u128::from(*value)),
        Some(Value::Bits(bits)) => Some(bits.low_u128()),
        _ => None,
    };
    let mut found = Vec::new();
    for (leap, data) in encoding.leaps.iter().enumerate() {
        if pattern(data.guard) != Some(1) {
            continue;
        }
        let values = data.variables.iter().filter_map(|&(local, before, after)| Some((local, pattern(before)?, pattern(after)?))).collect();
        let known = (0..data.kept.len()).filter(|&place| pattern(data.kept[place].literal) == Some(1)).collect();
        let rounds = data.iterations.and_then(&mut pattern).and_then(|rounds| u64::try_from(rounds).ok());
        found.push(Leapt { leap, values, rounds, known, left: pattern(data.left) == Some(1) });
    }
    found
}

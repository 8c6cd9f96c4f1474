//! Bounds by constants, without those that cannot be wrong or are wrong at the entry.

use encode::{Formula, Linear};

use super::{Kind, Variable};

/// So many constants on each side are tried for one variable.
const SIDE: usize = 6;

impl Variable {
    /// The constants to compare with: 0, the value at the entry, and the smallest and largest of the program's.
    pub fn thresholds(&self) -> Vec<i128> {
        let count = self.constants.len();
        let edge = self.constants.iter().enumerate().filter(|(place, _)| *place < SIDE || *place + SIDE >= count).map(|(_, value)| *value);
        let mut thresholds: Vec<i128> = edge.chain(self.entry).chain([0]).collect();
        thresholds.sort_unstable();
        thresholds.dedup();
        thresholds
    }
    /// The smallest and the largest number that its type has.
    pub fn range(&self) -> (i128, i128) {
        match self.kind {
            Kind::Bool => (0, 1),
            Kind::Integer { bits: 0, .. } | Kind::Pointer { .. } => (i128::MIN, i128::MAX),
            Kind::Integer { bits: 128.., .. } => (i128::MIN, i128::MAX),
            Kind::Integer { bits, signed: true } => (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1),
            Kind::Integer { bits, signed: false } => (0, (1i128 << bits) - 1),
        }
    }
}

/// `x >= limit`, unless that is trivial or false at the entry.
pub fn at_least(variable: &Variable, limit: i128) -> Option<Formula> {
    let (low, high) = variable.range();
    let open = low < limit && limit <= high && variable.entry.is_none_or(|entry| entry >= limit);
    open.then(|| Formula::at_most(&Linear::constant(limit), &variable.now()))
}

/// `x <= limit`, unless that is trivial or false at the entry.
pub fn at_most(variable: &Variable, limit: i128) -> Option<Formula> {
    let (low, high) = variable.range();
    let open = low <= limit && limit < high && variable.entry.is_none_or(|entry| entry <= limit);
    open.then(|| Formula::at_most(&variable.now(), &Linear::constant(limit)))
}

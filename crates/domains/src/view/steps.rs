//! What an iteration adds to variables that are only moved by constants, on all ways through the loop at once.
//!
//! The changes of the variables since the head are vectors; those that can be had at a block span a space, with one more dimension for the
//! constant 1. Spaces merge where ways meet, as in Karr's analysis (*Affine relationships among variables of a program*, 1976). What is
//! orthogonal to the space at the end of the iterations is a sum that each iteration changes by the same number.

use std::collections::VecDeque;

use model::{BinaryOp, BlockId};
use rustc_hash::FxHashMap;

use super::drifts::{self, Moves};
use super::{Balance, Update, View, flags};

/// So many variables are looked at together.
const TRACKED: usize = 12;
/// So many variables are in one sum.
const PARTS: usize = 4;

/// A block whose branch compares a variable with a number: the variable times a factor and the number with 0.
pub struct Decision {
    pub block: BlockId,
    pub position: usize,
    pub factor: i128,
    pub constant: i128,
    pub op: BinaryOp,
}

/// Fills in the steps of variables, and the balances and drifts between them, from what the loop's blocks do to variables, in order.
pub fn find(view: &mut View<'_>, moves: &[(BlockId, usize, Update)], decisions: &[Decision]) {
    let is_moved = |position: &usize| view.variables[*position].changed && view.variables[*position].steps().is_some();
    let is_step = |position: &usize| moves.iter().all(|(_, moved, update)| moved != position || matches!(update, Update::Step(_)));
    let mut tracked: Vec<usize> = (0..view.variables.len()).filter(is_moved).filter(is_step).collect();
    tracked.truncate(TRACKED);
    let mut blocks = Moves::default();
    for (block, position, update) in moves {
        let Some(column) = tracked.iter().position(|tracked| tracked == position) else { continue };
        let Update::Step(by) = update else { continue };
        blocks.entry(*block).or_default().push((column + 1, *by));
    }
    let Some(space) = iteration(view, &blocks, tracked.len() + 1) else { return };
    for (column, position) in tracked.iter().enumerate() {
        view.variables[*position].step = space.slope(column + 1);
    }
    view.balances = balances(&space, &tracked).unwrap_or_default();
    let with_flags = flags::balances(view, &tracked, moves, decisions).unwrap_or_default();
    view.balances.extend(with_flags);
    view.drifts = drifts::find(view, &tracked, moves);
}

/// The space of changes at the end of an iteration; nothing if numbers become too large.
fn iteration(view: &View<'_>, moves: &Moves, width: usize) -> Option<Space> {
    let region = view.head.region;
    let mut spaces: FxHashMap<BlockId, Space> = FxHashMap::default();
    let mut end = Space::default();
    let mut start = vec![0; width];
    *start.first_mut()? = 1;
    spaces.entry(region.header).or_default().insert(start)?;
    let mut work = VecDeque::from([region.header]);
    while let Some(block) = work.pop_front() {
        let mut space = spaces.get(&block).cloned().unwrap_or_default();
        for (column, by) in moves.get(&block).into_iter().flatten() {
            space.shift(*column, *by)?;
        }
        for next in view.head.body.blocks[block].terminator.successors(&view.head.body.address_taken) {
            if next == region.header {
                end.join(&space)?;
            } else if region.contains(next) && spaces.entry(next).or_default().join(&space)? {
                work.push_back(next);
            }
        }
    }
    Some(end)
}

/// Sums with the iterations first, then without.
fn balances(space: &Space, tracked: &[usize]) -> Option<Vec<Balance>> {
    let width = tracked.len() + 1;
    let mut found = Vec::new();
    let mut counted = space.clone();
    let mut unit = vec![0; width];
    *unit.first_mut()? = 1;
    counted.insert(unit)?;
    for vector in space.orthogonal(width)?.into_iter().chain(counted.orthogonal(width)?) {
        if let Some(balance) = balance(&vector, tracked).filter(|balance| !found.contains(balance)) {
            found.push(balance);
        }
    }
    Some(found)
}

/// A vector that is orthogonal to all changes, as a sum; nothing if it has too many parts.
pub(super) fn balance(vector: &[i128], tracked: &[usize]) -> Option<Balance> {
    let small = |number: &i128| i64::try_from(*number).ok().filter(|number| number.abs() < 1 << 40);
    let vector: Vec<i64> = vector.iter().map(small).collect::<Option<_>>()?;
    let (constant, factors) = vector.split_first()?;
    let parts: Vec<(i64, usize)> =
        factors.iter().zip(tracked).filter(|(factor, _)| **factor != 0).map(|(factor, position)| (*factor, *position)).collect();
    let sign = parts.first().map_or(1, |(factor, _)| factor.signum());
    let parts: Vec<(i64, usize)> = parts.into_iter().map(|(factor, position)| (factor * sign, position)).collect();
    (1..=PARTS).contains(&parts.len()).then_some(Balance { parts, step: -constant * sign })
}

/// A space of vectors of integers: rows whose first numbers that are not 0, the pivots, are in different columns.
#[derive(Clone, Default)]
pub(super) struct Space {
    rows: Vec<Vec<i128>>,
}

fn pivot(row: &[i128]) -> Option<usize> {
    row.iter().position(|number| *number != 0)
}

/// Divides by what all numbers have in common, and makes the first one positive.
fn normalise(row: &mut [i128]) {
    let divisor = row.iter().fold(0u128, |divisor, number| gcd(divisor, number.unsigned_abs()));
    let sign = pivot(row).map_or(1, |pivot| row[pivot].signum());
    if let Some(divisor) = i128::try_from(divisor).ok().filter(|divisor| *divisor > 0) {
        row.iter_mut().for_each(|number| *number = *number / divisor * sign);
    }
}

fn gcd(a: u128, b: u128) -> u128 {
    let (mut a, mut b) = (a, b);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// `a` without its part in column `column`, which `b` has.
fn eliminate(a: &[i128], b: &[i128], column: usize) -> Option<Vec<i128>> {
    let (x, y) = (*a.get(column)?, *b.get(column)?);
    let difference = a.iter().zip(b).map(|(a, b)| a.checked_mul(y)?.checked_sub(b.checked_mul(x)?));
    let mut row = difference.collect::<Option<Vec<i128>>>()?;
    normalise(&mut row);
    Some(row)
}

impl Space {
    /// Adds a vector; true if it is new. Nothing if numbers become too large.
    pub(super) fn insert(&mut self, mut vector: Vec<i128>) -> Option<bool> {
        normalise(&mut vector);
        for row in &self.rows {
            let column = pivot(row)?;
            if vector.get(column).is_some_and(|number| *number != 0) {
                vector = eliminate(&vector, row, column)?;
            }
        }
        let Some(column) = pivot(&vector) else { return Some(false) };
        for row in &mut self.rows {
            if row[column] != 0 {
                *row = eliminate(row, &vector, column)?;
            }
        }
        self.rows.push(vector);
        Some(true)
    }
    /// Adds another space; true if there is something new.
    pub(super) fn join(&mut self, other: &Space) -> Option<bool> {
        let mut grown = false;
        for row in &other.rows {
            grown |= self.insert(row.clone())?;
        }
        Some(grown)
    }
    /// Moves a variable by a number.
    pub(super) fn shift(&mut self, column: usize, by: i128) -> Option<()> {
        let rows = std::mem::take(&mut self.rows);
        for mut row in rows {
            let change = row.first()?.checked_mul(by)?;
            let number = row.get_mut(column)?;
            *number = number.checked_add(change)?;
            self.insert(row)?;
        }
        Some(())
    }
    /// The number that a variable is moved by, if it is the same in all vectors.
    fn slope(&self, column: usize) -> Option<i128> {
        let first = self.rows.iter().find(|row| row[0] != 0)?;
        let slope = (first[column] % first[0] == 0).then(|| first[column] / first[0])?;
        self.rows.iter().all(|row| row[0].checked_mul(slope) == Some(row[column])).then_some(slope)
    }
    /// Vectors that span what is orthogonal to the space.
    pub(super) fn orthogonal(&self, width: usize) -> Option<Vec<Vec<i128>>> {
        let mut found = Vec::new();
        for free in (0..width).filter(|column| !self.rows.iter().any(|row| pivot(row) == Some(*column))) {
            // Rows are reduced by each other, so each fixes the factor of its pivot.
            let scale = self.rows.iter().try_fold(1i128, |scale, row| {
                let factor = row[pivot(row)?];
                scale.checked_mul(factor / i128::try_from(gcd(scale.unsigned_abs(), factor.unsigned_abs())).ok()?)
            })?;
            let mut vector = vec![0; width];
            vector[free] = scale;
            for row in &self.rows {
                let column = pivot(row)?;
                vector[column] = -(scale / row[column]).checked_mul(row[free])?;
            }
            normalise(&mut vector);
            found.push(vector);
        }
        Some(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn space(rows: &[&[i128]]) -> Space {
        let mut space = Space::default();
        for row in rows {
            space.insert(row.to_vec()).unwrap();
        }
        space
    }

    #[test]
    fn orthogonal_vectors() {
        // One way adds 1 to the first, the other one 1 to the second; both add 1 to the third.
        let ways = space(&[&[1, 1, 0, 1], &[1, 0, 1, 1], &[2, 1, 1, 2]]);
        assert_eq!(ways.rows.len(), 2);
        assert_eq!(ways.orthogonal(4).unwrap(), [vec![1, -1, -1, 0], vec![1, 0, 0, -1]]);
        assert_eq!((ways.slope(1), ways.slope(3)), (None, Some(1)));
    }

    #[test]
    fn fractions_are_cleared() {
        let way = space(&[&[1, 4, 6]]);
        let mut counted = way.clone();
        counted.insert(vec![1, 0, 0]).unwrap();
        assert_eq!(counted.orthogonal(3).unwrap(), [vec![0, 3, -2]]);
    }

    #[test]
    fn large_numbers_end_the_search() {
        let mut space = space(&[&[3, 0, i128::MAX]]);
        assert_eq!(space.clone().insert(vec![7, 1, i128::MAX - 1]), None);
        assert_eq!(space.shift(1, i128::MAX), None);
    }
}

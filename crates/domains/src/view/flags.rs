//! Sums of flags and of variables that move while flags are set: `limit` falls by one where `open` becomes 1, and rises where it becomes 0 again.
//!
//! Setting a flag changes it by a number that depends on what it was, so the flags' values are followed beside the spaces of changes of
//! [`steps`](super::steps): each block has one space for each combination of values with which control comes there, and branches that ask
//! for a flag are taken as its value says.

use std::collections::VecDeque;

use model::{BinaryOp, BlockId, Terminator};
use rustc_hash::FxHashMap;

use super::steps::{Decision, Space, balance};
use super::{Balance, Update, View};

/// So many flags are followed at once, and so many variables beside them.
const FLAGS: usize = 3;
const MOVED: usize = 6;
/// So many times a space is looked at for all blocks together.
const VISITS: usize = 20_000;

/// A variable that the loop sets to two numbers.
struct Flag {
    position: usize,
    values: [i128; 2],
}

/// A block, and which of its two values each flag has, as bits.
type Point = (BlockId, usize);

/// Sums with a flag that no iteration changes; nothing if numbers become too large.
pub fn balances(view: &View<'_>, tracked: &[usize], moves: &[(BlockId, usize, Update)], decisions: &[Decision]) -> Option<Vec<Balance>> {
    // A flag is bounded, so what it keeps in balance moves both ways.
    let both_ways = |position: &usize| view.variables[*position].moves_both_ways();
    let mut columns: Vec<usize> = tracked.iter().copied().filter(both_ways).take(MOVED).collect();
    if columns.is_empty() {
        return None;
    }
    let flags = flags(view, &columns, moves);
    if flags.is_empty() {
        return None;
    }
    let moved = columns.len();
    columns.extend(flags.iter().map(|flag| flag.position));
    let space = Flow { view, moves, decisions, flags: &flags, columns: &columns }.iteration()?;
    let vectors = space.orthogonal(columns.len() + 1)?;
    let found = vectors.iter().filter(|vector| vector.iter().skip(1 + moved).any(|factor| *factor != 0));
    Some(found.filter_map(|vector| balance(vector, &columns)).filter(|balance| balance.step == 0 && balance.parts.len() > 1).collect())
}

/// Flags that are set near to where variables move.
fn flags(view: &View<'_>, columns: &[usize], moves: &[(BlockId, usize, Update)]) -> Vec<Flag> {
    let blocks = |wanted: &[usize]| -> Vec<BlockId> {
        moves.iter().filter(|(_, position, _)| wanted.contains(position)).map(|(block, ..)| *block).collect()
    };
    let moving = blocks(columns);
    let body = view.head.body;
    let follows = |a: BlockId, b: BlockId| body.blocks[a].terminator.successors(&body.address_taken).any(|next| next == b);
    let near = |position: usize| {
        let setting = blocks(&[position]);
        setting.iter().any(|a| moving.iter().any(|b| a == b || follows(*a, *b) || follows(*b, *a)))
    };
    let candidates =
        (0..view.variables.len()).filter(|position| view.variables[*position].changed && view.variables[*position].is_integer());
    candidates.filter_map(|position| flag(view, position, moves)).filter(|flag| near(flag.position)).take(FLAGS).collect()
}

/// The two numbers that a variable is set to, if there are no others and nothing else is done to it.
fn flag(view: &View<'_>, position: usize, moves: &[(BlockId, usize, Update)]) -> Option<Flag> {
    let mut values: Vec<i128> = view.variables[position].entry.into_iter().collect();
    for (_, _, update) in moves.iter().filter(|(_, moved, _)| *moved == position) {
        let Update::Set(value) = update else { return None };
        values.push(*value);
    }
    values.sort_unstable();
    values.dedup();
    let values: [i128; 2] = values.try_into().ok()?;
    Some(Flag { position, values })
}

struct Flow<'a, 'b> {
    view: &'a View<'b>,
    moves: &'a [(BlockId, usize, Update)],
    decisions: &'a [Decision],
    flags: &'a [Flag],
    /// The variables whose changes the vectors hold, behind the constant 1; flags last.
    columns: &'a [usize],
}

impl Flow<'_, '_> {
    /// The space of changes at the end of an iteration, whatever the flags were at its beginning.
    fn iteration(&self) -> Option<Space> {
        let region = self.view.head.region;
        let mut by_block: FxHashMap<BlockId, Vec<(usize, Update)>> = FxHashMap::default();
        for (block, position, update) in self.moves.iter().filter(|(_, position, _)| self.columns.contains(position)) {
            by_block.entry(*block).or_default().push((*position, *update));
        }
        let mut spaces: FxHashMap<Point, Space> = FxHashMap::default();
        let mut work = VecDeque::new();
        for values in 0..1usize << self.flags.len() {
            let mut start = vec![0; self.columns.len() + 1];
            *start.first_mut()? = 1;
            spaces.entry((region.header, values)).or_default().insert(start)?;
            work.push_back((region.header, values));
        }
        let mut end = Space::default();
        for _ in 0..VISITS {
            let Some((block, mut values)) = work.pop_front() else { return Some(end) };
            let mut space = spaces.get(&(block, values)).cloned().unwrap_or_default();
            for (position, update) in by_block.get(&block).into_iter().flatten() {
                self.change(*position, *update, &mut space, &mut values)?;
            }
            for next in self.successors(block, values) {
                if next == region.header {
                    end.join(&space)?;
                } else if region.contains(next) && spaces.entry((next, values)).or_default().join(&space)? {
                    work.push_back((next, values));
                }
            }
        }
        None
    }
    /// What an assignment does.
    fn change(&self, position: usize, update: Update, space: &mut Space, values: &mut usize) -> Option<()> {
        let column = self.columns.iter().position(|column| *column == position)? + 1;
        match update {
            Update::Step(by) => space.shift(column, by),
            Update::Set(value) => {
                let (number, flag) = self.flags.iter().enumerate().find(|(_, flag)| flag.position == position)?;
                let bit = usize::from(value == flag.values[1]);
                let before = flag.values[*values >> number & 1];
                *values = *values & !(1 << number) | bit << number;
                space.shift(column, value.checked_sub(before)?)
            }
            Update::Other => None,
        }
    }
    /// Where control goes, as far as the flags tell.
    fn successors(&self, block: BlockId, values: usize) -> Vec<BlockId> {
        let body = self.view.head.body;
        let terminator = &body.blocks[block].terminator;
        let asked = self.decisions.iter().find(|decision| decision.block == block).and_then(|decision| {
            let (number, flag) = self.flags.iter().enumerate().find(|(_, flag)| flag.position == decision.position)?;
            decision.holds(flag.values[values >> number & 1])
        });
        match (asked, terminator) {
            (Some(holds), Terminator::Branch(_, yes, no)) => vec![if holds { *yes } else { *no }],
            _ => terminator.successors(&body.address_taken).collect(),
        }
    }
}

impl Decision {
    /// Whether the comparison holds of a number.
    fn holds(&self, value: i128) -> Option<bool> {
        let sum = value.checked_mul(self.factor)?.checked_add(self.constant)?;
        Some(match self.op {
            BinaryOp::Lt => sum < 0,
            BinaryOp::Le => sum <= 0,
            BinaryOp::Gt => sum > 0,
            BinaryOp::Ge => sum >= 0,
            BinaryOp::Eq => sum == 0,
            BinaryOp::Ne => sum != 0,
            _ => return None,
        })
    }
}

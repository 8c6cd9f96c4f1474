//! A classical interval analysis of the loop, with widening and narrowing (Cousot and Cousot, *Abstract interpretation*, 1977): the baseline of §6.3.3.
//!
//! It runs over the loop's blocks from what is known at the entry. Like everything in this crate it only proposes: what it finds is tested by the kernel, so it
//! may take some liberties, such as to ignore what is behind pointers.

use encode::{Formula, Source};
use model::{BinaryOp, BlockId, CommandKind, ExprId, ExprKind, LocalId, PlaceKind, Terminator, Type, TypeId, UnaryOp};
use rustc_hash::FxHashMap;

use crate::Domain;
use crate::rows::mirrored;
use crate::view::{View, at_least, at_most, opposite};

/// Integers between the numbers that a classical interval analysis finds.
pub struct IntervalAnalysis;

/// The head of a loop whose state has changed so often is widened; so are other blocks in the end, in loops with several entries.
const PATIENCE: u32 = 3;
const MOST: u32 = 40;
/// No larger loops than this.
const BLOCKS: usize = 300;
/// How often the result is improved.
const NARROWING: usize = 2;
/// How deep expressions are looked at.
const DEPTH: u32 = 16;

impl Domain for IntervalAnalysis {
    fn name(&self) -> &'static str {
        "interval-analysis"
    }
    fn about(&self) -> &'static str {
        "x >= c and x <= c where a classical interval analysis with widening and narrowing finds that"
    }
    fn propose(&self, view: &View<'_>, out: &mut Vec<Formula>) {
        if view.head.region.blocks.len() > BLOCKS {
            return;
        }
        let found = Walk { view }.head();
        for variable in view.changed_integers() {
            let Source::Local(local) = variable.source else { continue };
            let Some(Interval { low, high }) = found.get(&local) else { continue };
            out.extend(at_least(variable, *low).into_iter().chain(at_most(variable, *high)));
        }
    }
}

/// Some numbers in a row; none if the low one is above the high one.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Interval {
    low: i128,
    high: i128,
}

impl Interval {
    fn only(number: i128) -> Self {
        Interval { low: number, high: number }
    }
    fn join(self, other: Self) -> Self {
        Interval { low: self.low.min(other.low), high: self.high.max(other.high) }
    }
    fn meet(self, other: Self) -> Self {
        Interval { low: self.low.max(other.low), high: self.high.min(other.high) }
    }
    fn is_within(self, other: Self) -> bool {
        other.low <= self.low && self.high <= other.high
    }
    /// What one of the operations gives on the corners.
    fn corners(self, other: Self, operation: impl Fn(i128, i128) -> Option<i128>) -> Option<Self> {
        let pairs = [(self.low, other.low), (self.low, other.high), (self.high, other.low), (self.high, other.high)];
        let results: Option<Vec<i128>> = pairs.into_iter().map(|(a, b)| operation(a, b)).collect();
        let results = results?;
        Some(Interval { low: *results.iter().min()?, high: *results.iter().max()? })
    }
}

/// What is known of variables at a point that control comes to; of those that are not listed, nothing.
type Known = FxHashMap<LocalId, Interval>;

/// The analysis of a loop.
struct Walk<'v> {
    view: &'v View<'v>,
}

impl Walk<'_> {
    /// What is known at the loop's head.
    fn head(&self) -> Known {
        let header = self.view.head.region.header;
        let constants = self.view.head.constants.iter().filter_map(|(source, value)| match source {
            Source::Local(local) => Some((*local, Interval::only(*value))),
            _ => None,
        });
        let entry: Known = constants.collect();
        let mut states: FxHashMap<BlockId, Known> = FxHashMap::from_iter([(header, entry.clone())]);
        let mut changes: FxHashMap<BlockId, u32> = FxHashMap::default();
        let mut heads = vec![header];
        let mut work = vec![header];
        while let Some(block) = work.pop() {
            let Some(known) = states.get(&block).cloned() else { continue };
            for (next, after) in self.successors(block, known) {
                // Blocks are numbered about in the order in which control comes to them.
                if next <= block && !heads.contains(&next) {
                    heads.push(next);
                }
                let count = changes.entry(next).or_default();
                let widen = *count > if heads.contains(&next) { PATIENCE } else { MOST };
                let joined = states.get(&next).map_or_else(|| after.clone(), |old| self.joined(old, &after, widen));
                if states.get(&next) != Some(&joined) {
                    *count += 1;
                    states.insert(next, joined);
                    work.push(next);
                }
            }
        }
        for _ in 0..NARROWING {
            states = self.narrowed(&states, &entry, &heads);
        }
        states.remove(&header).unwrap_or_default()
    }

    /// The states that follow from those at the heads of loops.
    fn narrowed(&self, states: &FxHashMap<BlockId, Known>, entry: &Known, heads: &[BlockId]) -> FxHashMap<BlockId, Known> {
        let mut next: FxHashMap<BlockId, Known> = FxHashMap::from_iter([(self.view.head.region.header, entry.clone())]);
        for &block in &self.view.head.region.blocks {
            let known = if heads.contains(&block) { states.get(&block) } else { next.get(&block) };
            let Some(known) = known.or(states.get(&block)).cloned() else { continue };
            for (to, after) in self.successors(block, known) {
                let joined = next.get(&to).map_or_else(|| after.clone(), |old| self.joined(old, &after, false));
                next.insert(to, joined);
            }
        }
        next
    }

    /// What holds of both; with widening, what still changes may be anything on that side.
    fn joined(&self, old: &Known, new: &Known, widen: bool) -> Known {
        let both = old.iter().filter_map(|(local, before)| Some((*local, *before, *new.get(local)?)));
        let join = |(local, before, after): (LocalId, Interval, Interval)| {
            let joined = before.join(after);
            let all = self.range(self.view.head.body.locals[local].ty)?;
            let low = if widen && joined.low < before.low { all.low } else { joined.low };
            let high = if widen && joined.high > before.high { all.high } else { joined.high };
            (Interval { low, high } != all).then_some((local, Interval { low, high }))
        };
        both.filter_map(join).collect()
    }

    /// The blocks of the loop that control comes to behind one, and what is known there.
    fn successors(&self, block: BlockId, mut known: Known) -> Vec<(BlockId, Known)> {
        let (body, region) = (self.view.head.body, self.view.head.region);
        let data = &body.blocks[block];
        for command in &data.commands {
            self.step(&command.kind, &mut known);
        }
        let mut after = Vec::new();
        match data.terminator {
            Terminator::Branch(condition, yes, no) => {
                after.extend(self.refined(known.clone(), condition, true, DEPTH).map(|known| (yes, known)));
                after.extend(self.refined(known, condition, false, DEPTH).map(|known| (no, known)));
            }
            ref other => after.extend(other.successors(&body.address_taken).map(|next| (next, known.clone()))),
        }
        after.retain(|(next, _)| region.contains(*next));
        after
    }

    fn step(&self, command: &CommandKind, known: &mut Known) {
        let body = self.view.head.body;
        if let CommandKind::Assume(condition) = command {
            if let Some(refined) = self.refined(known.clone(), *condition, true, DEPTH) {
                *known = refined;
            }
            return;
        }
        let (CommandKind::Live(local) | CommandKind::LiveArray(local, _)) = command else {
            let Some(place) = command.place() else { return };
            let PlaceKind::Local(local) = body.places[place].kind else { return };
            let value = match command {
                CommandKind::Assign { src, .. } => self.value(known, *src, DEPTH),
                _ => None,
            };
            match value {
                Some(value) => known.insert(local, value),
                None => known.remove(&local),
            };
            return;
        };
        known.remove(local);
    }

    /// The numbers that a type has.
    fn range(&self, ty: TypeId) -> Option<Interval> {
        match *self.view.head.program.types.get(ty) {
            Type::Bool => Some(Interval { low: 0, high: 1 }),
            Type::Int { bits: bits @ 1..=64, signed: true } => Some(Interval { low: -(1 << (bits - 1)), high: (1 << (bits - 1)) - 1 }),
            Type::Int { bits: bits @ 1..=64, signed: false } => Some(Interval { low: 0, high: (1 << bits) - 1 }),
            _ => None,
        }
    }

    /// The numbers that an expression may have; nothing if it is no number. What leaves its type wraps, and may be anything.
    fn value(&self, known: &Known, expr: ExprId, depth: u32) -> Option<Interval> {
        let (body, types) = (self.view.head.body, &self.view.head.program.types);
        let node = &body.exprs[expr];
        let all = self.range(node.ty)?;
        let Some(depth) = depth.checked_sub(1) else { return Some(all) };
        let exact = match node.kind {
            ExprKind::Int(pattern) => Some(Interval::only(types.value(node.ty, pattern))),
            ExprKind::Zero => Some(Interval::only(0)),
            ExprKind::Load(place) => match body.places[place].kind {
                PlaceKind::Local(local) => known.get(&local).copied(),
                _ => None,
            },
            ExprKind::Cast(inner) => self.value(known, inner, depth),
            ExprKind::Unary(UnaryOp::Neg, inner) => {
                self.value(known, inner, depth).map(|value| Interval { low: -value.high, high: -value.low })
            }
            ExprKind::Select(_, yes, no) => self.value(known, yes, depth).zip(self.value(known, no, depth)).map(|(yes, no)| yes.join(no)),
            ExprKind::Binary(op, a, b) if !op.is_comparison() => {
                let operands = self.value(known, a, depth).zip(self.value(known, b, depth));
                operands.and_then(|(a, b)| operation(op, a, b))
            }
            _ => None,
        };
        Some(exact.filter(|value| value.is_within(all)).unwrap_or(all))
    }

    /// What is known where a condition holds, or does not; nothing if that cannot be.
    fn refined(&self, mut known: Known, condition: ExprId, holds: bool, depth: u32) -> Option<Known> {
        let body = self.view.head.body;
        let Some(depth) = depth.checked_sub(1) else { return Some(known) };
        match body.exprs[condition].kind {
            ExprKind::Unary(UnaryOp::Not, inner) => self.refined(known, inner, !holds, depth),
            ExprKind::Binary(op, a, b) if op.is_comparison() => {
                let (Some(left), Some(right)) = (self.value(&known, a, depth), self.value(&known, b, depth)) else { return Some(known) };
                let op = if holds { op } else { opposite(op) };
                for (side, limit) in [(a, allowed(op, left, right)), (b, allowed(mirrored(op), right, left))] {
                    if limit.low > limit.high {
                        return None;
                    }
                    if let Some(local) = self.variable(&known, side) {
                        known.insert(local, limit);
                    }
                }
                Some(known)
            }
            _ => Some(known),
        }
    }

    /// The variable that an expression is, with conversions that keep its value.
    fn variable(&self, known: &Known, mut expr: ExprId) -> Option<LocalId> {
        let body = self.view.head.body;
        for _ in 0..DEPTH {
            match body.exprs[expr].kind {
                ExprKind::Cast(inner) => {
                    let value = self.value(known, inner, DEPTH)?;
                    expr = value.is_within(self.range(body.exprs[expr].ty)?).then_some(inner)?;
                }
                ExprKind::Load(place) => {
                    let PlaceKind::Local(local) = body.places[place].kind else { return None };
                    return Some(local);
                }
                _ => return None,
            }
        }
        None
    }
}

/// What an operation gives on exact numbers.
fn operation(op: BinaryOp, a: Interval, b: Interval) -> Option<Interval> {
    match op {
        BinaryOp::Add => a.corners(b, i128::checked_add),
        BinaryOp::Sub => a.corners(b, i128::checked_sub),
        BinaryOp::Mul => a.corners(b, i128::checked_mul),
        BinaryOp::Div if b.low > 0 => a.corners(b, i128::checked_div),
        BinaryOp::Rem if b.low > 0 && a.low >= 0 => Some(Interval { low: 0, high: a.high.min(b.high - 1) }),
        BinaryOp::Rem if b.low > 0 => Some(Interval { low: a.low.max(1 - b.high), high: a.high.max(0).min(b.high - 1) }),
        BinaryOp::And if a.low >= 0 && b.low >= 0 => Some(Interval { low: 0, high: a.high.min(b.high) }),
        _ => None,
    }
}

/// The numbers on the left of a comparison that holds.
fn allowed(op: BinaryOp, left: Interval, right: Interval) -> Interval {
    let all = Interval { low: i128::MIN, high: i128::MAX };
    left.meet(match op {
        BinaryOp::Eq => right,
        BinaryOp::Lt => Interval { high: right.high.saturating_sub(1), ..all },
        BinaryOp::Le => Interval { high: right.high, ..all },
        BinaryOp::Gt => Interval { low: right.low.saturating_add(1), ..all },
        BinaryOp::Ge => Interval { low: right.low, ..all },
        BinaryOp::Ne if right == Interval::only(left.low) => Interval { low: left.low.saturating_add(1), ..all },
        BinaryOp::Ne if right == Interval::only(left.high) => Interval { high: left.high.saturating_sub(1), ..all },
        _ => all,
    })
}

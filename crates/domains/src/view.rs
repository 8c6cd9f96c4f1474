//! A loop as the domains see it: its variables, the constants and comparisons around them, and what occurs together.
//!
//! Nothing here has to be right: it serves to guess. The paper's heuristics (§6.2) are kept: only variables of fitting types are considered, and
//! they are combined only where the program combines them.

mod amounts;
mod callees;
mod claims;
mod comparison;
mod decided;
mod drifts;
mod flags;
mod limits;
pub(crate) mod live;
mod mine;
pub(crate) mod reader;
mod steps;
mod thresholds;
mod twins;
pub(crate) mod walk;

use encode::{Aspect, Formula, Head, Linear, Moment, Quantity, Source};
use model::{BinaryOp, BlockId, ExprId, PlaceId};

pub use amounts::Amount;
pub use comparison::comparison;
pub(crate) use comparison::opposite;
pub use limits::{Limit, limits};
pub(crate) use mine::commands;
pub use reader::Buffer;
pub use thresholds::{at_least, at_most};

/// What is worth combining.
pub struct View<'a> {
    /// The loop.
    pub head: &'a Head<'a, 'a>,
    /// The scalars that the loop deals with, the most interesting ones first.
    pub variables: Vec<Variable>,
    /// Elements and targets of pointers that the loop accesses.
    pub accesses: Vec<Access>,
    /// Comparisons and other truth values in the loop and behind it.
    pub conditions: Vec<Condition>,
    /// Variables that occur together.
    pub pairs: Vec<Pair>,
    /// Sums of changes that no way through the loop alters.
    pub balances: Vec<Balance>,
    /// Sums of changes that no iteration makes larger.
    pub drifts: Vec<Drift>,
    /// Positions of variables, and what is added to them where that is no constant.
    pub moves: Vec<(usize, Amount)>,
    /// Alternatives, one of which must hold if nothing is to go wrong.
    pub claims: Vec<Formula>,
    /// Positions of variables, and what the program divides them by to take the remainder.
    pub moduli: Vec<(usize, u64)>,
}

/// A scalar that the loop deals with.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Where it is.
    pub source: Source,
    /// What it is.
    pub kind: Kind,
    /// Whether the loop may change it.
    pub changed: bool,
    /// Whether it occurs in an index.
    pub index: bool,
    /// Whether it occurs in a comparison.
    pub compared: bool,
    /// Whether it occurs in a condition that decides whether the loop is left.
    pub exit: bool,
    /// Its value when the loop is entered.
    pub entry: Option<i128>,
    /// Numbers that it is compared with, set to, or limited by as an index, in order.
    pub constants: Vec<i128>,
    /// What the loop does to it, as far as assignments to it tell.
    pub updates: Vec<Update>,
    /// By how much an iteration changes it in all, if it is always the same.
    pub step: Option<i128>,
}

/// What a variable is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A truth value.
    Bool,
    /// A number.
    Integer {
        /// Its width.
        bits: u16,
        /// Whether it has a sign.
        signed: bool,
    },
    /// A pointer to elements of so many bytes.
    Pointer {
        /// The bytes that it moves when it moves by one.
        element: u64,
    },
}

/// What an assignment does to a variable; pointers count in bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Update {
    /// It moves by a number.
    Step(i128),
    /// It becomes a number.
    Set(i128),
    /// Something else.
    Other,
}

/// An element of a buffer that the loop accesses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Access {
    /// The buffer.
    pub buffer: Buffer,
    /// The size of an element in bytes.
    pub element: u64,
    /// Which element.
    pub index: Linear,
    /// The element as a place, where it is one.
    pub place: Option<PlaceId>,
}

/// Where a condition stands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Origin {
    /// It decides whether the loop is left.
    Exit,
    /// It is asserted or assumed, in the loop or behind it.
    Assertion,
    /// It stands elsewhere in the loop.
    Loop,
    /// It stands behind the loop.
    Behind,
    /// It is part of a check, in the loop or behind it.
    Check,
}

/// A truth value of the function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Condition {
    /// The expression.
    pub expr: ExprId,
    /// Where it stands.
    pub origin: Origin,
    /// Whether it can be asked at the head, and may change.
    pub askable: bool,
    /// A comparison of a sum with 0 that says about the same.
    pub comparison: Option<(Linear, BinaryOp)>,
    /// Whether it says exactly the same.
    pub exact: bool,
}

/// Two variables that occur together, as positions in the list, the smaller first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pair {
    /// One of them.
    pub first: usize,
    /// The other.
    pub second: usize,
    /// Numbers that the difference of the first and the second is compared with, in order.
    pub constants: Vec<i128>,
}

/// Factors of variables such that the sum of their changes since the entry is a multiple of the number of iterations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Balance {
    /// Factors and positions of variables.
    pub parts: Vec<(i64, usize)>,
    /// By how much an iteration changes the sum.
    pub step: i64,
}

/// Factors of variables such that the sum of their changes since the entry is never above 0.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Drift {
    /// Factors and positions of variables.
    pub parts: Vec<(i64, usize)>,
}

impl Variable {
    /// Its value or offset now.
    pub fn now(&self) -> Linear {
        Linear::of(self.quantity())
    }
    /// Its value or offset when the loop was entered.
    pub fn before(&self) -> Linear {
        Linear::of(self.quantity().before())
    }
    /// The number that it is: a value, or an offset.
    pub fn quantity(&self) -> Quantity {
        let aspect = if self.is_pointer() { Aspect::Offset } else { Aspect::Value };
        Quantity::Of(self.source, aspect, Moment::Now)
    }
    /// The size of the object that a pointer points to.
    pub fn size(&self) -> Linear {
        Linear::of(Quantity::Of(self.source, Aspect::Size, Moment::Now))
    }
    /// Whether it is a pointer.
    pub fn is_pointer(&self) -> bool {
        matches!(self.kind, Kind::Pointer { .. })
    }
    /// Whether it is a number.
    pub fn is_integer(&self) -> bool {
        matches!(self.kind, Kind::Integer { .. })
    }
    /// Whether the loop adds to it in one place and takes from it in another.
    pub fn moves_both_ways(&self) -> bool {
        let moves = |up: bool| self.updates.iter().any(|update| matches!(update, Update::Step(by) if *by != 0 && (*by > 0) == up));
        moves(true) && moves(false)
    }
    /// The width in which it is computed.
    pub fn bits(&self) -> u32 {
        match self.kind {
            Kind::Bool => 1,
            Kind::Integer { bits, .. } => u32::from(bits),
            Kind::Pointer { .. } => 64,
        }
    }
    /// The numbers that it moves by, if all that the loop does to it is to move it.
    pub fn steps(&self) -> Option<Vec<i128>> {
        let step = |update: &Update| match update {
            Update::Step(by) => Some(*by),
            Update::Set(_) | Update::Other => None,
        };
        let steps: Option<Vec<i128>> = self.updates.iter().map(step).collect();
        steps.filter(|steps| !steps.is_empty())
    }
}

impl Balance {
    /// What is 0 as long as nothing wraps: the sum of the changes without what the iterations added.
    pub fn error(&self, view: &View<'_>) -> Linear {
        let sum = view.change(&self.parts);
        if self.step == 0 { sum } else { sum.plus(-self.step, &Linear::of(Quantity::Iterations)) }
    }
}

impl View<'_> {
    /// The variable that is a source.
    pub fn variable(&self, source: Source) -> Option<&Variable> {
        self.variables.iter().find(|variable| variable.source == source)
    }
    /// Whether control can come from the loop's head to a block without leaving the loop.
    pub fn contains(&self, block: BlockId) -> bool {
        self.head.region.contains(block)
    }
    /// The sum of the changes of variables since the entry.
    pub fn change(&self, parts: &[(i64, usize)]) -> Linear {
        parts.iter().fold(Linear::default(), |sum, (factor, position)| {
            let variable = &self.variables[*position];
            sum.plus(*factor, &variable.now()).plus(-factor, &variable.before())
        })
    }
    /// By how much an iteration may carry a sum over a limit that it had not reached: 1 for counters.
    pub fn stride(&self, sum: &Linear) -> i128 {
        let stride = |(factor, quantity): &(i64, Quantity)| match quantity {
            Quantity::Of(source, ..) => {
                let steps = self.variable(*source).filter(|variable| variable.changed).and_then(Variable::steps).unwrap_or_default();
                steps.iter().map(|step| step.saturating_mul(i128::from(*factor)).saturating_abs()).max().unwrap_or(0)
            }
            Quantity::Iterations | Quantity::Result => 0,
        };
        sum.parts.iter().map(stride).max().unwrap_or(0).max(1)
    }
    /// Whether the loop may change a sum.
    pub fn varies(&self, sum: &Linear) -> bool {
        sum.parts.iter().any(|(_, quantity)| match quantity {
            Quantity::Of(source, ..) => self.variable(*source).is_some_and(|variable| variable.changed),
            Quantity::Iterations | Quantity::Result => true,
        })
    }
    /// Integers that the loop may change.
    pub fn changed_integers(&self) -> impl Iterator<Item = &Variable> {
        self.variables.iter().filter(|variable| variable.changed && variable.is_integer())
    }
    /// Pointers.
    pub fn pointers(&self) -> impl Iterator<Item = &Variable> {
        self.variables.iter().filter(|variable| variable.is_pointer())
    }
    /// Pairs of variables, at least one of which the loop may change.
    pub fn changed_pairs(&self) -> impl Iterator<Item = (&Variable, &Variable, &Pair)> {
        let pairs = self.pairs.iter().map(|pair| (&self.variables[pair.first], &self.variables[pair.second], pair));
        pairs.filter(|(first, second, _)| first.changed || second.changed)
    }
}

//! Loops that are `strlen`, `strchr`, `strspn`, `strcspn` or `memchr` in disguise.
//!
//! Where a loop looks only at the current character to decide whether to go on, the characters that it has passed are exactly those that make it go
//! on (Kapus, Ish-Shalom, Itzhaky, Rinetzky, Cadar, *Computing summaries of string loops in C for better testing and refactoring*, 2019). The set is found by
//! walking through the body once for each character; conditions on other things are taken for undecided.

use encode::{Formula, Linear};
use model::{BinaryOp, BlockId, ExprId, ExprKind, Terminator, Type, UnaryOp};
use rustc_hash::FxHashSet;

use crate::Domain;
use crate::rows::{Row, Rows, Values};
use crate::view::View;

/// `s[0..i)` is in the set of characters that the loop passes over.
pub struct MemorylessString;

/// No larger loops than this, and no sets with more gaps.
const BLOCKS: usize = 64;
const GAPS: usize = 8;

impl Domain for MemorylessString {
    fn name(&self) -> &'static str {
        "memoryless-string"
    }
    fn about(&self) -> &'static str {
        "all visited characters are ones that the loop passes over, as in strspn and strchr"
    }
    fn propose(&self, view: &View<'_>, out: &mut Vec<Formula>) {
        if view.head.region.blocks.len() > BLOCKS {
            return;
        }
        let rows = Rows::new(view);
        for row in rows.rows.iter().filter(|row| row.is_text() && !row.guards.is_empty()) {
            for index in &row.indices {
                let current = Current { rows: &rows, row, index };
                let stops: Vec<u8> = (0..=u8::MAX).filter(|character| !current.goes_on(*character)).collect();
                for segment in rows.visited(row, index) {
                    out.extend(gaps(&stops).iter().map(|values| values.within(&segment)));
                }
            }
        }
    }
}

/// The values outside of each stretch of characters that stop the loop.
fn gaps(stops: &[u8]) -> Vec<Values> {
    let mut stretches: Vec<(u8, u8)> = Vec::new();
    for &stop in stops {
        match stretches.last_mut() {
            Some((_, last)) if last.checked_add(1) == Some(stop) => *last = stop,
            _ => stretches.push((stop, stop)),
        }
    }
    if stretches.len() > GAPS {
        return Vec::new();
    }
    let outside = |(first, last): &(u8, u8)| Values { low: u128::from(*first), high: u128::from(*last) }.complement(8);
    stretches.iter().filter_map(outside).collect()
}

/// The character that the loop looks at.
struct Current<'r, 'v> {
    rows: &'r Rows<'v>,
    row: &'r Row,
    index: &'r Linear,
}

impl Current<'_, '_> {
    /// Whether the loop may come to its head again if the current character is this one.
    fn goes_on(&self, character: u8) -> bool {
        let (region, body) = (self.rows.view.head.region, self.rows.view.head.body);
        let mut seen: FxHashSet<BlockId> = FxHashSet::default();
        let mut work = vec![region.header];
        while let Some(block) = work.pop() {
            let terminator = &body.blocks[block].terminator;
            let decided = match terminator {
                Terminator::Branch(condition, yes, no) => {
                    self.value(*condition, character, 16).map(|value| if value != 0 { *yes } else { *no })
                }
                Terminator::Switch { value, cases, default } => self.value(*value, character, 16).map(|number| {
                    let ty = body.exprs[*value].ty;
                    let number_of = |pattern| self.rows.reader.program.types.value(ty, pattern);
                    let case = cases.iter().find(|case| number_of(case.low) <= number && number <= number_of(case.high));
                    case.map_or(*default, |case| case.target)
                }),
                _ => None,
            };
            let next: Vec<BlockId> = match decided {
                Some(block) => vec![block],
                None => terminator.successors(&body.address_taken).collect(),
            };
            for block in next {
                if block == region.header {
                    return true;
                }
                if region.contains(block) && seen.insert(block) {
                    work.push(block);
                }
            }
        }
        false
    }

    /// The value of an expression, if it depends on the current character only.
    fn value(&self, expr: ExprId, character: u8, depth: u32) -> Option<i128> {
        let depth = depth.checked_sub(1)?;
        let reader = &self.rows.reader;
        let types = &reader.program.types;
        let node = reader.body.exprs.get(expr)?;
        if let Some(place) = self.rows.loaded_element(expr) {
            let (row, index) = self.rows.find(place)?;
            let current = std::ptr::eq(row, self.row) && index.as_ref() == Some(self.index);
            return current.then(|| fitted(types.get(node.ty), types.value(row.ty, u128::from(character))))?;
        }
        match node.kind {
            ExprKind::Int(pattern) => Some(types.value(node.ty, pattern)),
            ExprKind::Zero => Some(0),
            ExprKind::Cast(inner) => fitted(types.get(node.ty), self.value(inner, character, depth)?),
            ExprKind::Unary(UnaryOp::Not, inner) => Some(i128::from(self.value(inner, character, depth)? == 0)),
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.value(a, character, depth)?, self.value(b, character, depth)?);
                let number = match op {
                    _ if op.is_comparison() => i128::from(op.holds(a.cmp(&b))),
                    BinaryOp::Add => a.checked_add(b)?,
                    BinaryOp::Sub => a.checked_sub(b)?,
                    BinaryOp::And => a & b,
                    BinaryOp::Or => a | b,
                    BinaryOp::Xor => a ^ b,
                    _ => return None,
                };
                fitted(types.get(node.ty), number)
            }
            _ => None,
        }
    }
}

/// A number modulo the width of a type.
fn fitted(ty: &Type, number: i128) -> Option<i128> {
    match *ty {
        Type::Bool => Some(i128::from(number != 0)),
        Type::Int { bits, signed } if (1..=64).contains(&bits) => {
            let cut = number & ((1 << bits) - 1);
            let negative = signed && cut >> (bits - 1) != 0;
            Some(if negative { cut - (1 << bits) } else { cut })
        }
        _ => None,
    }
}

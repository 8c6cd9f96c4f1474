//! Sums, and comparisons of sums with 0, in the form in which people write them: no negative part on either side.

use model::{ExprKind, Type, TypeId};

use super::Style;
use super::c::{Printer, Text, strength};
use crate::formula::{Aspect, Linear, Moment, Quantity, Relation, Source};

/// A sum without negative parts.
#[derive(Default)]
struct Side {
    parts: Vec<(u64, Quantity)>,
    constant: i128,
}

impl Printer<'_> {
    /// How a sum compares with 0.
    pub(super) fn compare(&self, sum: &Linear, relation: Relation) -> Option<Text> {
        let (mut left, mut right) = sides(sum);
        if relation == Relation::AtMost
            && let (Some(left), Some(right)) = (self.float_side(&left), self.float_side(&right))
        {
            // What is no number compares with nothing.
            return Some(Text::new(format!("!({} > {})", left.at(strength::LESS + 1), right.at(strength::LESS + 1)), strength::UNARY));
        }
        let mut symbol = match relation {
            Relation::Equal => "==",
            Relation::Different => "!=",
            Relation::AtMost => "<=",
        };
        match relation {
            Relation::AtMost if left.constant == 1 && !left.parts.is_empty() && !right.parts.is_empty() => {
                (symbol, left.constant) = ("<", 0);
            }
            Relation::AtMost => {}
            // The variable that changes comes first.
            Relation::Equal | Relation::Different => {
                if rank(&left) > rank(&right) {
                    std::mem::swap(&mut left, &mut right);
                }
            }
        }
        let strength = if relation == Relation::AtMost { strength::LESS } else { strength::EQUAL };
        let wide = !self.plainly_comparable(&left, &right);
        let (left, right) = (self.side(&left, wide)?, self.side(&right, wide)?);
        Some(Text::new(format!("{} {symbol} {}", left.at(strength + 1), right.at(strength + 1)), strength))
    }

    /// That a sum is 0 modulo 2 to a power.
    pub(super) fn modular(&self, sum: &Linear, power: u32) -> Option<Text> {
        match self.style {
            Style::Source => {
                let text = self.compare(sum, Relation::Equal)?;
                Some(Text::new(format!("{} (mod 2^{power})", text.text), strength::EQUAL))
            }
            Style::Acsl => self.multiple(sum, 1u128.checked_shl(power)?),
            Style::Cprover => {
                let ty = match power {
                    8 => "unsigned char",
                    16 => "unsigned short",
                    32 => "unsigned int",
                    64 => "unsigned long long",
                    _ => return None,
                };
                let (left, right) = sides(sum);
                let (left, right) = (self.side(&left, true)?, self.side(&right, true)?);
                Some(Text::new(format!("({ty}){} == ({ty}){}", left.at(strength::UNARY), right.at(strength::UNARY)), strength::EQUAL))
            }
        }
    }

    /// That a sum is a multiple of a number.
    pub(super) fn multiple(&self, sum: &Linear, of: u128) -> Option<Text> {
        let suffix = if self.style == Style::Cprover && of > i32::MAX as u128 { "ull" } else { "" };
        let sum = self.sum(sum)?;
        Some(Text::new(format!("{} % {of}{suffix} == 0", sum.at(strength::PRODUCT)), strength::EQUAL))
    }

    /// A sum on its own, computed exactly.
    pub(super) fn sum(&self, sum: &Linear) -> Option<Text> {
        let (left, right) = sides(sum);
        let constant = left.constant - right.constant;
        let alone = Side { parts: left.parts, constant };
        let wide = !(right.parts.is_empty() && self.plainly_comparable(&alone, &Side::default()));
        if right.parts.is_empty() {
            return self.side(&alone, wide);
        }
        let positive = Side { parts: alone.parts, constant: constant.max(0) };
        let mut text = self.side(&positive, wide)?.at(strength::SUM);
        for part in &right.parts {
            text.push_str(&format!(" - {}", self.part(*part, wide)?.at(strength::SUM + 1)));
        }
        if constant < 0 {
            text.push_str(&format!(" - {}", constant.unsigned_abs()));
        }
        Some(Text::new(text, strength::SUM))
    }

    fn side(&self, side: &Side, wide: bool) -> Option<Text> {
        let mut text = String::new();
        let mut weakest = strength::PRODUCT;
        for (i, part) in side.parts.iter().enumerate() {
            // One wide operand makes the sum wide, but not a product inside.
            let part_text = self.part(*part, wide && (i == 0 || part.0 != 1))?;
            if i == 0 {
                weakest = part_text.strength;
                text = part_text.text;
            } else {
                weakest = strength::SUM;
                text.push_str(&format!(" + {}", part_text.at(strength::SUM + 1)));
            }
        }
        if side.parts.is_empty() {
            let weakest = if side.constant < 0 { strength::UNARY } else { strength::POSTFIX };
            return Some(Text::new(self.plain_number(side.constant)?, weakest));
        }
        match side.constant {
            0 => {}
            constant if constant < 0 => {
                text.push_str(&format!(" - {}", constant.unsigned_abs()));
                weakest = strength::SUM;
            }
            constant => {
                text.push_str(&format!(" + {}", self.plain_number(constant)?));
                weakest = strength::SUM;
            }
        }
        Some(Text::new(text, weakest))
    }

    fn plain_number(&self, number: i128) -> Option<String> {
        match self.style {
            Style::Cprover if number.unsigned_abs() > u128::from(u64::MAX >> 1) => None,
            Style::Cprover if number.unsigned_abs() > i32::MAX as u128 => Some(format!("{number}ll")),
            _ => Some(number.to_string()),
        }
    }

    fn part(&self, (factor, quantity): (u64, Quantity), wide: bool) -> Option<Text> {
        let mut text = self.quantity(quantity)?;
        if wide && self.style == Style::Cprover {
            text = Text::new(format!("(__int128){}", text.at(strength::UNARY)), strength::UNARY);
        }
        Some(if factor == 1 { text } else { Text::new(format!("{factor}*{}", text.at(strength::UNARY)), strength::PRODUCT) })
    }

    /// A side that is a float, or 0.
    fn float_side(&self, side: &Side) -> Option<Text> {
        match side.parts.as_slice() {
            [] if side.constant == 0 => Some(Text::atom("0")),
            [(1, Quantity::Of(source, Aspect::Value, moment))] if side.constant == 0 && self.is_float(*source) => {
                self.source(*source, *moment)
            }
            _ => None,
        }
    }

    fn is_float(&self, source: Source) -> bool {
        self.source_type(source).is_some_and(|ty| matches!(self.program.types.get(ty), Type::Float(_)))
    }

    /// A number of a state.
    pub(super) fn quantity(&self, quantity: Quantity) -> Option<Text> {
        let Quantity::Of(source, aspect, moment) = quantity else {
            return (!self.strict()).then(|| Text::atom("iterations"));
        };
        let text = self.source(source, moment)?;
        Some(match aspect {
            // Its place in the order of all floats, which C has no word for.
            Aspect::Value if self.is_float(source) => return (!self.strict()).then(|| Text::atom(format!("order({})", text.text))),
            Aspect::Value => text,
            Aspect::Total => return self.total(source, moment),
            Aspect::Offset => self.offset(text),
            Aspect::Size => self.size(text),
            Aspect::Length => return (!self.strict()).then(|| Text::atom(format!("length({})", text.text))),
        })
    }

    /// The sum of all elements of an array, of which one is given.
    fn total(&self, source: Source, moment: Moment) -> Option<Text> {
        let text = self.source(source, moment).filter(|_| !self.strict())?.text;
        let array = text.rsplit_once('[').map_or(text.as_str(), |(array, _)| array);
        Some(Text::atom(format!("sum({array})")))
    }

    /// A scalar at a moment.
    pub(super) fn source(&self, source: Source, moment: Moment) -> Option<Text> {
        let (text, is_place) = match source {
            Source::Local(local) => (self.local(local)?, true),
            Source::Global(global) => (self.global(global)?, true),
            Source::Expr(expr) => (self.expr(expr)?, matches!(self.body.exprs.get(expr)?.kind, ExprKind::Load(_))),
        };
        match moment {
            Moment::Now => Some(text),
            Moment::Entry => self.at_entry(text, is_place),
        }
    }

    /// What something was when the loop was entered.
    pub(super) fn at_entry(&self, text: Text, is_place: bool) -> Option<Text> {
        match self.style {
            Style::Source => Some(Text::atom(format!("entry({})", text.text))),
            Style::Acsl => Some(Text::atom(format!("\\at({}, LoopEntry)", text.text))),
            Style::Cprover => is_place.then(|| Text::atom(format!("__CPROVER_loop_entry({})", text.text))),
        }
    }

    pub(super) fn source_type(&self, source: Source) -> Option<TypeId> {
        Some(match source {
            Source::Local(local) => self.body.locals.get(local)?.ty,
            Source::Global(global) => self.program.globals.get(global)?.ty,
            Source::Expr(expr) => self.body.exprs.get(expr)?.ty,
        })
    }

    /// Whether C's own comparison of two sides is exact: both have a sign, or neither has, and nothing is computed.
    fn plainly_comparable(&self, left: &Side, right: &Side) -> bool {
        let sign = |side: &Side| match side.parts.as_slice() {
            [] => Some(None),
            [(1, Quantity::Of(source, aspect, _))] if side.constant == 0 => match aspect {
                Aspect::Offset => Some(Some(true)),
                Aspect::Size => Some(Some(false)),
                Aspect::Total | Aspect::Length => None,
                Aspect::Value => match self.source_type(*source).map(|ty| self.program.types.get(ty)) {
                    // Narrow types become `int`.
                    Some(Type::Int { bits, signed }) => Some(Some(*signed || *bits < 32)),
                    Some(Type::Bool) => Some(Some(true)),
                    _ => None,
                },
            },
            _ => None,
        };
        match (sign(left), sign(right)) {
            (Some(Some(a)), Some(Some(b))) => a == b,
            (Some(Some(signed)), Some(None)) => signed || right.constant >= 0,
            (Some(None), Some(Some(signed))) => signed || left.constant >= 0,
            (Some(None), Some(None)) => true,
            _ => false,
        }
    }
}

/// The positive and the negative parts of a sum. The constant goes where it is positive, or where nothing else is.
fn sides(sum: &Linear) -> (Side, Side) {
    let (mut left, mut right) = (Side::default(), Side::default());
    for &(factor, quantity) in &sum.parts {
        let side = if factor > 0 { &mut left } else { &mut right };
        side.parts.push((factor.unsigned_abs(), quantity));
    }
    let to_left = match (left.parts.is_empty(), right.parts.is_empty()) {
        (true, false) => true,
        (false, true) => false,
        _ => sum.constant >= 0,
    };
    match to_left {
        true => left.constant = sum.constant,
        false => right.constant = sum.constant.saturating_neg(),
    }
    (left, right)
}

/// Sides that come first in an equation: those with one variable as it is now, then others with variables of now, then the rest.
fn rank(side: &Side) -> (bool, usize) {
    let is_now = |(_, quantity): &(u64, Quantity)| matches!(quantity, Quantity::Of(_, _, Moment::Now));
    (!side.parts.iter().any(is_now), side.parts.len() + usize::from(side.constant != 0))
}

/// How a sum of named numbers compares with 0, without negative parts.
pub(super) fn compared(parts: &[(i64, String)], constant: i128, relation: Relation) -> String {
    let symbol = match relation {
        Relation::Equal => "==",
        Relation::Different => "!=",
        Relation::AtMost => "<=",
    };
    let side = |sign: i64| {
        let own = parts.iter().filter(|(factor, _)| factor.signum() == sign);
        let mut summands: Vec<String> =
            own.map(|(factor, name)| if factor.abs() == 1 { name.clone() } else { format!("{}*{name}", factor.abs()) }).collect();
        let rest = constant * i128::from(sign);
        if rest > 0 || summands.is_empty() {
            summands.push(rest.max(0).to_string());
        }
        summands.join(" + ")
    };
    format!("{} {symbol} {}", side(1), side(-1))
}

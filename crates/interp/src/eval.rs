//! The values of expressions.

use model::{BinaryOp, CheckKind, ExprId, FloatFormat, OverflowOp, Span, UnaryOp};

use crate::code::{Code, Node, Shape};
use crate::fault::Step;
use crate::float;
use crate::machine::{Location, Machine, Target};
use crate::memory::{ObjectKind, split};
use crate::object::{STRAYED, moved};

impl Machine<'_, '_> {
    /// The value of a scalar expression as a bit pattern.
    pub(crate) fn eval(&mut self, code: &Code, id: ExprId) -> Step<u128> {
        Ok(match code.nodes[id.index()] {
            Node::Small(value) => u128::from(value),
            Node::Wide(index) => code.wide[index as usize],
            Node::Slot(slot) => {
                let position = self.base + slot as usize;
                if !self.known[position] {
                    return self.unknown_slot(code, id, position);
                }
                self.slots[position]
            }
            Node::Load(place, shape, size) => {
                let target = self.target(code, place, true)?;
                debug_assert_eq!(shape, target.shape);
                let span = self.expr_span(code, id);
                self.load(Target { size: u64::from(size), ..target }, span)?
            }
            Node::AddressOf(place) => match self.target(code, place, false)?.location {
                Location::Memory(pointer) | Location::Bits(pointer, _) => u128::from(pointer),
                Location::Slot(_) => 0,
            },
            Node::Function(function) => u128::from(self.function_pointer(function)),
            Node::Label(block) => u128::from(self.label_pointer(code.function, block)),
            Node::Unary(op, a, shape) => {
                let value = self.eval(code, a)?;
                self.unary(code, id, op, value, shape)?
            }
            Node::Binary(op, a, b, shape) => {
                let (x, y) = (self.eval(code, a)?, self.eval(code, b)?);
                let wraps = self.policy.of(CheckKind::UnsignedOverflow) == crate::Reaction::Ignore;
                match shape {
                    Shape::Int(bits @ ..=64, signed) => match quick(op, bits, signed, wraps, x as u64, y as u64) {
                        Some(value) => u128::from(value),
                        None => self.int_binary(code, id, op, (x, shape), (y, code.shapes[b.index()]))?,
                    },
                    Shape::Int(..) | Shape::Bool => self.int_binary(code, id, op, (x, shape), (y, code.shapes[b.index()]))?,
                    Shape::Float(format) => self.float_binary(code, id, op, format, x, y)?,
                    Shape::Pointer => {
                        if self.policy.is_exact() && !self.memory.settles(op, x as u64, y as u64) {
                            return Err(self.left_open("how these pointers compare"));
                        }
                        let (x, y) = (self.memory.address(x as u64), self.memory.address(y as u64));
                        u128::from(op.holds(x.cmp(&y)))
                    }
                    Shape::Aggregate => 0,
                }
            }
            Node::Cast(a, from, to) => {
                let value = self.eval(code, a)?;
                self.cast(code, id, value, from, to)?
            }
            Node::PointerAdd(pointer, index, size) => {
                let base = self.eval(code, pointer)? as u64;
                let shape = code.shapes[index.index()];
                let index = shape.value(self.eval(code, index)?);
                if self.memory.strays(base, index, u64::from(size)) {
                    let span = self.expr_span(code, id);
                    self.fault(CheckKind::Bounds, span, STRAYED)?;
                }
                u128::from(moved(base, index, u64::from(size)))
            }
            Node::PointerDiff(a, b, size) => {
                let (a, b) = (self.eval(code, a)? as u64, self.eval(code, b)? as u64);
                self.pointer_difference(code, id, a, b, i128::from(size))?
            }
            Node::Select(condition, a, b) => {
                let condition = self.eval(code, condition)?;
                self.eval(code, if condition != 0 { a } else { b })?
            }
            Node::Overflows(op, a, b, shape) => {
                let (x, y) = (self.eval(code, a)?, self.eval(code, b)?);
                let (x, y) = ((x, code.shapes[a.index()]), (y, code.shapes[b.index()]));
                u128::from(overflows(op, x, y, shape))
            }
            Node::Query(..) | Node::SameObject(..) | Node::Initialised(_) | Node::HeapEmpty if self.policy.is_exact() => {
                return Err(self.left_open("what an analysis asks about memory"));
            }
            Node::Query(query, pointer) => {
                let pointer = self.eval(code, pointer)? as u64;
                self.memory.answer(query, pointer)
            }
            Node::SameObject(a, b) => {
                let (a, b) = (self.eval(code, a)? as u64, self.eval(code, b)? as u64);
                u128::from(self.memory.owner(a) == self.memory.owner(b))
            }
            Node::Initialised(place) => {
                let target = self.target(code, place, false)?;
                u128::from(self.is_initialised(target))
            }
            Node::HeapEmpty => u128::from(self.memory.objects().all(|(_, object)| object.kind != ObjectKind::Heap)),
            Node::Aggregate => 0,
        })
    }

    fn expr_span(&self, code: &Code, id: ExprId) -> Span {
        self.program.functions[code.function].body.as_ref().map_or(Span::NONE, |body| body.exprs[id].span)
    }

    #[cold]
    fn unknown_slot(&mut self, code: &Code, id: ExprId, position: usize) -> Step<u128> {
        let span = self.expr_span(code, id);
        let shape = code.shapes[id.index()];
        self.load(Target { location: Location::Slot(position), shape, size: 0 }, span)
    }

    fn unary(&mut self, code: &Code, id: ExprId, op: UnaryOp, value: u128, shape: Shape) -> Step<u128> {
        Ok(match (op, shape) {
            (UnaryOp::Not, _) => value ^ 1,
            (UnaryOp::BitNot, _) => shape.cut(!value),
            (UnaryOp::Neg, Shape::Float(format)) => value ^ (1 << (format.bits() - 1)),
            (UnaryOp::Neg, _) => {
                let result = shape.cut(value.wrapping_neg());
                if let Shape::Int(bits, true) = shape
                    && value == 1 << (bits - 1)
                {
                    let span = self.expr_span(code, id);
                    self.fault(CheckKind::SignedOverflow, span, format!("-({}) does not fit in {bits} bits", shape.value(value)))?;
                }
                result
            }
            (UnaryOp::FloatAbs, Shape::Float(format)) => value & !(1 << (format.bits() - 1)),
            (UnaryOp::IsNan, Shape::Float(format)) => u128::from(float::compare(format, BinaryOp::Ne, value, value)),
            (UnaryOp::IsInfinite, Shape::Float(format)) => {
                let magnitude = value & !(1 << (format.bits() - 1));
                u128::from(float::compare(format, BinaryOp::Eq, magnitude, model::float::infinity(format)))
            }
            (UnaryOp::SignBit, Shape::Float(format)) => value >> (format.bits() - 1) & 1,
            (UnaryOp::PopCount, _) => u128::from(value.count_ones()),
            (UnaryOp::LeadingZeros | UnaryOp::TrailingZeros, Shape::Int(bits, _)) => {
                if value == 0 {
                    let span = self.expr_span(code, id);
                    self.fault(CheckKind::Shift, span, "the leading or trailing zeros of 0 are counted")?;
                }
                match op {
                    UnaryOp::LeadingZeros => u128::from(value.leading_zeros()) + u128::from(bits) - 128,
                    _ => u128::from(value.trailing_zeros().min(u32::from(bits))),
                }
            }
            (UnaryOp::ByteSwap, Shape::Int(bits, _)) => value.swap_bytes() >> (128 - u32::from(bits)),
            _ => value,
        })
    }

    #[inline]
    fn int_binary(&mut self, code: &Code, id: ExprId, op: BinaryOp, (x, shape): (u128, Shape), (y, distance): (u128, Shape)) -> Step<u128> {
        use BinaryOp::*;
        let signed = matches!(shape, Shape::Int(_, true));
        match op {
            And => return Ok(x & y),
            Or => return Ok(x | y),
            Xor => return Ok(x ^ y),
            Eq | Ne | Lt | Le | Gt | Ge => {
                let ordering = if signed { shape.value(x).cmp(&shape.value(y)) } else { x.cmp(&y) };
                return Ok(u128::from(op.holds(ordering)));
            }
            _ => {}
        }
        let (a, b) = (shape.value(x), shape.value(y));
        let (exact, wrapped) = match op {
            Add => (a.checked_add(b), x.wrapping_add(y)),
            Sub => (a.checked_sub(b), x.wrapping_sub(y)),
            Mul => (a.checked_mul(b), x.wrapping_mul(y)),
            Div | Rem => return self.divide(code, id, op, (x, y), shape),
            _ => return self.shift(code, id, op, x, (y, distance), shape),
        };
        let result = shape.cut(wrapped);
        if signed {
            if exact != Some(shape.value(result)) {
                self.overflow(code, id, CheckKind::SignedOverflow, op, (a, b), shape)?;
            }
        } else if exact != Some(result as i128) && self.policy.of(CheckKind::UnsignedOverflow) != crate::Reaction::Ignore {
            self.overflow(code, id, CheckKind::UnsignedOverflow, op, (a, b), shape)?;
        }
        Ok(result)
    }

    #[cold]
    fn overflow(&mut self, code: &Code, id: ExprId, kind: CheckKind, op: BinaryOp, (a, b): (i128, i128), shape: Shape) -> Step<()> {
        let span = self.expr_span(code, id);
        let bits = shape.bits(0);
        self.fault(kind, span, format!("{a} {} {b} does not fit in {bits} bits", op.symbol()))
    }

    fn divide(&mut self, code: &Code, id: ExprId, op: BinaryOp, (x, y): (u128, u128), shape: Shape) -> Step<u128> {
        if y == 0 {
            let span = self.expr_span(code, id);
            let value = shape.value(x);
            return Err(self.fatal(CheckKind::Division, span, format!("{value} {} 0", op.symbol())));
        }
        let Shape::Int(_, true) = shape else { return Ok(if op == BinaryOp::Div { x / y } else { x % y }) };
        let (a, b) = (shape.value(x), shape.value(y));
        let quotient = a.wrapping_div(b);
        if a.checked_div(b).is_none() || shape.value(shape.cut(quotient as u128)) != quotient {
            self.overflow(code, id, CheckKind::SignedOverflow, op, (a, b), shape)?;
        }
        Ok(shape.cut(if op == BinaryOp::Div { quotient } else { a.wrapping_rem(b) } as u128))
    }

    /// What everybody leaves undefined is the distance; a signed number that overflows only counts for those who want to know.
    fn shift(&mut self, code: &Code, id: ExprId, op: BinaryOp, x: u128, (y, distance): (u128, Shape), shape: Shape) -> Step<u128> {
        let bits = u32::from(shape.bits(0));
        let value = distance.value(y);
        let valid = u32::try_from(value).ok().filter(|distance| *distance < bits);
        let by = match valid {
            Some(by) => by,
            None => {
                let span = self.expr_span(code, id);
                self.fault(CheckKind::Shift, span, format!("a shift by {value} of a number of {bits} bits"))?;
                (y as u32) & (bits - 1)
            }
        };
        let wanted = self.policy.of_left_shifts();
        if wanted != crate::Reaction::Ignore && matches!((op, shape), (BinaryOp::Shl, Shape::Int(_, true))) && !shift_fits(x, valid, bits) {
            let (span, number) = (self.expr_span(code, id), shape.value(x));
            self.react(wanted, CheckKind::SignedOverflow, span, format!("{number} << {value} does not fit in {bits} bits"))?;
        }
        Ok(match op {
            BinaryOp::Shl => shape.cut(x << by),
            _ => shape
                .cut((shape.value(x) >> by) as u128 & if matches!(shape, Shape::Int(128, false)) { u128::MAX >> by } else { u128::MAX }),
        })
    }

    fn float_binary(&mut self, code: &Code, id: ExprId, op: BinaryOp, format: FloatFormat, x: u128, y: u128) -> Step<u128> {
        if op.is_comparison() {
            return Ok(u128::from(float::compare(format, op, x, y)));
        }
        let result = float::arithmetic(format, op, x, y);
        if self.policy.of(CheckKind::Float) != crate::Reaction::Ignore && !float::is_finite(format, result) {
            let span = self.expr_span(code, id);
            self.fault(CheckKind::Float, span, "the result is infinite or not a number")?;
        }
        Ok(result)
    }

    fn cast(&mut self, code: &Code, id: ExprId, value: u128, from: Shape, to: Shape) -> Step<u128> {
        Ok(match (from, to) {
            (Shape::Int(..) | Shape::Bool, Shape::Int(..)) => to.cut(from.value(value) as u128),
            (Shape::Int(bits, signed), Shape::Float(format)) => float::from_int(format, value, bits, signed),
            (Shape::Bool, Shape::Float(format)) => float::from_int(format, value, 8, false),
            (Shape::Float(from), Shape::Float(to)) => float::convert(from, to, value),
            (Shape::Float(format), Shape::Int(bits, signed)) => match float::to_int(format, value, bits, signed) {
                Some(result) => result,
                None => {
                    let span = self.expr_span(code, id);
                    let shown = float::display(format, value);
                    self.fault(CheckKind::Conversion, span, format!("{shown} does not fit in an integer of {bits} bits"))?;
                    // What x86 gives: the number with only the top bit set.
                    to.cut(1 << (u32::from(bits) - 1))
                }
            },
            (Shape::Pointer, Shape::Pointer) => value,
            (Shape::Pointer, Shape::Int(..)) => {
                self.expose(value)?;
                to.cut(u128::from(self.memory.address(value as u64)))
            }
            (Shape::Int(..) | Shape::Bool, Shape::Pointer) => {
                self.expose(value)?;
                let address = from.value(value) as u64;
                u128::from(self.memory.pointer(address))
            }
            _ => value,
        })
    }

    fn pointer_difference(&mut self, code: &Code, id: ExprId, a: u64, b: u64, size: i128) -> Step<u128> {
        if split(a).0 != split(b).0 {
            let span = self.expr_span(code, id);
            self.fault(CheckKind::Bounds, span, "the difference of pointers into different objects")?;
        }
        if self.policy.is_exact() && !self.memory.settles(BinaryOp::Lt, a, b) {
            return Err(self.left_open("how far these pointers are apart"));
        }
        let bytes = i128::from(self.memory.address(a) as i64) - i128::from(self.memory.address(b) as i64);
        let elements = bytes.checked_div(size).unwrap_or(0);
        Ok(Shape::Int(self.program.types.target().pointer_bits() as u8, true).cut(elements as u128))
    }
}

/// The common case: up to 64 bits, nothing undefined, no other operation than the everyday ones. `None` if it is not that. `wraps` tells that
/// nobody wants to know of unsigned overflow.
#[inline]
fn quick(op: BinaryOp, bits: u8, signed: bool, wraps: bool, x: u64, y: u64) -> Option<u64> {
    let shift = 64 - u32::from(bits);
    if !signed {
        return Some(match op {
            BinaryOp::Add if wraps => x.wrapping_add(y) & (u64::MAX >> shift),
            BinaryOp::Sub if wraps => x.wrapping_sub(y) & (u64::MAX >> shift),
            BinaryOp::Mul if wraps => x.wrapping_mul(y) & (u64::MAX >> shift),
            BinaryOp::And => x & y,
            BinaryOp::Or => x | y,
            BinaryOp::Xor => x ^ y,
            BinaryOp::Eq => u64::from(x == y),
            BinaryOp::Ne => u64::from(x != y),
            BinaryOp::Lt => u64::from(x < y),
            BinaryOp::Le => u64::from(x <= y),
            BinaryOp::Gt => u64::from(x > y),
            BinaryOp::Ge => u64::from(x >= y),
            _ => return None,
        });
    }
    let extend = |value: u64| ((value << shift) as i64) >> shift;
    let (a, b) = (extend(x), extend(y));
    let result = match op {
        BinaryOp::Add => a.checked_add(b)?,
        BinaryOp::Sub => a.checked_sub(b)?,
        BinaryOp::Mul => a.checked_mul(b)?,
        BinaryOp::And => a & b,
        BinaryOp::Or => a | b,
        BinaryOp::Xor => a ^ b,
        BinaryOp::Eq => return Some(u64::from(a == b)),
        BinaryOp::Ne => return Some(u64::from(a != b)),
        BinaryOp::Lt => return Some(u64::from(a < b)),
        BinaryOp::Le => return Some(u64::from(a <= b)),
        BinaryOp::Gt => return Some(u64::from(a > b)),
        BinaryOp::Ge => return Some(u64::from(a >= b)),
        _ => return None,
    };
    (extend(result as u64) == result).then_some(result as u64 & (u64::MAX >> shift))
}

/// Whether a number is not negative and its product with a power of two fits a signed type of so many bits (C17 6.5.7p4). Only 0 stands a
/// distance beyond the width.
fn shift_fits(pattern: u128, distance: Option<u32>, bits: u32) -> bool {
    let room = pattern.leading_zeros() + bits - 128;
    pattern == 0 || distance.is_some_and(|distance| distance < room)
}

/// Whether the exact result of an operation does not fit. Computed in sign and magnitude, where 128 bits and a carry are enough.
fn overflows(op: OverflowOp, (x, a): (u128, Shape), (y, b): (u128, Shape), to: Shape) -> bool {
    let magnitude = |pattern: u128, shape: Shape| {
        let negative = matches!(shape, Shape::Int(_, true)) && shape.value(pattern) < 0;
        (negative, if negative { shape.value(pattern).unsigned_abs() } else { pattern })
    };
    let ((mut p, m), (mut q, n)) = (magnitude(x, a), magnitude(y, b));
    let (negative, size) = match op {
        OverflowOp::Mul => {
            p ^= q;
            (p, m.checked_mul(n))
        }
        OverflowOp::Add | OverflowOp::Sub => {
            if op == OverflowOp::Sub {
                q = !q;
            }
            if p == q {
                (p, m.checked_add(n))
            } else if m >= n {
                (p, Some(m - n))
            } else {
                (q, Some(n - m))
            }
        }
    };
    let Some(size) = size else { return true };
    match to {
        Shape::Int(bits, true) => size > (1u128 << (bits - 1)) - u128::from(!negative),
        Shape::Int(bits, false) => (negative && size != 0) || (bits < 128 && size >> bits != 0),
        _ => (negative && size != 0) || size > 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is quick is also right: all pairs of 5-bit patterns against wide arithmetic.
    #[test]
    fn the_common_case_is_exact_at_small_widths() {
        use BinaryOp::*;
        for signed in [false, true] {
            let shape = Shape::Int(5, signed);
            for (x, y) in (0..32u64).flat_map(|x| (0..32u64).map(move |y| (x, y))) {
                let (a, b) = (shape.value(x.into()), shape.value(y.into()));
                for op in [Add, Sub, Mul, Div, Rem, Shl, Shr, And, Or, Xor, Eq, Ne, Lt, Le, Gt, Ge] {
                    let exact = match op {
                        Add => a + b,
                        Sub => a - b,
                        Mul => a * b,
                        And => a & b,
                        Or => a | b,
                        Xor => a ^ b,
                        _ if op.is_comparison() => i128::from(op.holds(a.cmp(&b))),
                        _ => continue,
                    };
                    let wrapped = shape.value(shape.cut(exact as u128));
                    let Some(result) = quick(op, 5, signed, true, x, y) else {
                        assert!(signed && wrapped != exact, "{op:?} {a} {b}");
                        continue;
                    };
                    let result = if op.is_comparison() { i128::from(result) } else { shape.value(result.into()) };
                    assert_eq!(result, if op.is_comparison() { exact } else { wrapped }, "{op:?} {a} {b}");
                    assert!(!signed || op.is_comparison() || wrapped == exact, "{op:?} {a} {b}");
                }
            }
        }
    }

    /// All pairs of 5-bit patterns against wide arithmetic.
    #[test]
    fn shifts_fit_exactly_at_small_widths() {
        let shape = Shape::Int(5, true);
        for (x, distance) in (0..32u128).flat_map(|x| (0..5u32).map(move |distance| (x, distance))) {
            let exact = shape.value(x) << distance;
            let fits = exact >= 0 && shape.value(shape.cut(exact as u128)) == exact;
            assert_eq!(shift_fits(x, Some(distance), 5), fits, "{x} {distance}");
        }
        assert!(shift_fits(0, None, 5) && !shift_fits(1, None, 5));
        assert!(shift_fits(1, Some(126), 128) && !shift_fits(1, Some(127), 128));
    }

    /// All pairs of 4-bit patterns, both signs, against wide arithmetic.
    #[test]
    fn overflow_is_exact_at_small_widths() {
        let shapes = [Shape::Int(4, true), Shape::Int(4, false)];
        for a in shapes {
            for b in shapes {
                for to in [Shape::Int(4, true), Shape::Int(4, false), Shape::Int(8, true), Shape::Int(3, false)] {
                    for (x, y) in (0..16u128).flat_map(|x| (0..16u128).map(move |y| (x, y))) {
                        for (op, exact) in [
                            (OverflowOp::Add, a.value(x) + b.value(y)),
                            (OverflowOp::Sub, a.value(x) - b.value(y)),
                            (OverflowOp::Mul, a.value(x) * b.value(y)),
                        ] {
                            let fits = to.value(to.cut(exact as u128)) == exact;
                            assert_eq!(overflows(op, (x, a), (y, b), to), !fits, "{op:?} {x} {y} {a:?} {b:?} {to:?}");
                        }
                    }
                }
            }
        }
    }
}

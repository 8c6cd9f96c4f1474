//! Terms in a notation like C's, for people to read.
//!
//! Operators bind as in C. Those without a mark are unsigned, those on signed numbers have an `s`: `a / b`, `a /s b`, `a >>s b`, `a <=s b`.
//! Constants are decimal, hexadecimal from 65536 on, and negative if they are little below 2^width in at least 32 bits.
//!
//! | notation | meaning |
//! |---|---|
//! | `x[7:0]` | the bits from 7 down to 0 |
//! | `{a, b}` | both in a row, `a` at the top |
//! | `(u64)x`, `(s64)x` | widened by zeros, by the sign; of a float: converted towards zero |
//! | `(f32)x`, `(f32)(s64)x`, `(f32)(u64)x` | a float, a signed, an unsigned integer as a float |
//! | `a === b` | of floats: the same value; `a == b` compares as C does |
//! | `m[i]`, `m{i := v}` | an array's element; an array with another element |
//! | `m{i ..+ n := b[j ..]}` | an array with `n` elements from `i` on that `b` has from `j` on |
//! | `{.. := v}` | the array that has `v` everywhere |
//! | `1.5_f32`, `inf_f64` | float constants with their format |
//!
//! A large term that uses parts more than once is a list of definitions, `let t1 = …;`, and what it is in terms of them.

use std::fmt;

use model::{FloatFormat, in_format};
use rustc_apfloat::Float;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::bits::Bits;
use crate::op::{Op, Rounding};
use crate::sort::Sort;
use crate::term::{Term, Terms};

/// Terms that would take more operators and leaves than this are written with definitions.
const LARGE: u64 = 64;
/// Shared parts of more operators and leaves than this get a definition.
const SMALL: u64 = 4;

impl Terms {
    /// The term in a notation like C's: signed operators have an `s` (`a <s b`), `x[7:0]` are bits, `(u64)x` and `(s64)x` widen, `m{i := v}`
    /// is an array with another element. Large terms have definitions of what they use more than once.
    pub fn display(&self, term: Term) -> impl fmt::Display + '_ {
        Displayed { terms: self, term }
    }
}

struct Displayed<'a> {
    terms: &'a Terms,
    term: Term,
}

impl fmt::Display for Displayed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let defined = definitions(self.terms, self.term);
        let mut names = FxHashMap::default();
        let prefix = prefix(self.terms, self.term, defined.len());
        for (number, term) in (1..).zip(defined) {
            write!(f, "let {prefix}{number} = ")?;
            write_tree(self.terms, term, &names, f)?;
            f.write_str(";\n")?;
            names.insert(term, format!("{prefix}{number}"));
        }
        write_tree(self.terms, self.term, &names, f)
    }
}

/// The parts that get a definition, each after those that it uses.
fn definitions(terms: &Terms, root: Term) -> Vec<Term> {
    let cone = terms.cone(&[root]);
    let mut sizes: FxHashMap<Term, u64> = FxHashMap::default();
    let mut uses: FxHashMap<Term, u32> = FxHashMap::default();
    for &term in &cone {
        let mut size = 1u64;
        for arg in terms.args(term) {
            size = size.saturating_add(sizes.get(arg).copied().unwrap_or(1));
            *uses.entry(*arg).or_default() += 1;
        }
        sizes.insert(term, size);
    }
    if sizes.get(&root).is_none_or(|size| *size <= LARGE) {
        return Vec::new();
    }
    cone.into_iter()
        .filter(|term| uses.get(term).is_some_and(|uses| *uses > 1) && sizes.get(term).is_some_and(|size| *size > SMALL))
        .collect()
}

/// What the names of definitions begin with: `t`, unless a variable is called like one of them.
fn prefix(terms: &Terms, root: Term, count: usize) -> String {
    let mut prefix = "t".to_owned();
    if count > 0 {
        let variables = terms.free_variables(&[root]);
        let names: FxHashSet<&str> = variables.iter().map(|&variable| terms.variable_info(variable).0).collect();
        while (1..=count).any(|number| names.contains(format!("{prefix}{number}").as_str())) {
            prefix.push('_');
        }
    }
    prefix
}

/// How strongly what is written binds, as in C.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Binding {
    Conditional,
    LogicalOr,
    LogicalAnd,
    BitOr,
    BitXor,
    BitAnd,
    Equality,
    Relation,
    Shift,
    Sum,
    Product,
    Unary,
    Postfix,
}

impl Binding {
    /// That of an operand on the right: an equal operator there needs parentheses.
    fn tighter(self) -> Binding {
        use Binding::{BitAnd, BitOr, BitXor, Conditional, Equality, LogicalAnd, LogicalOr, Postfix, Product, Relation, Shift, Sum, Unary};
        match self {
            Conditional => LogicalOr,
            LogicalOr => LogicalAnd,
            LogicalAnd => BitOr,
            BitOr => BitXor,
            BitXor => BitAnd,
            BitAnd => Equality,
            Equality => Relation,
            Relation => Shift,
            Shift => Sum,
            Sum => Product,
            Product => Unary,
            Unary | Postfix => Postfix,
        }
    }
}

/// A part of the text.
enum Piece {
    Word(&'static str),
    Text(String),
    /// A term, in parentheses if it binds less than this.
    Term(Term, Binding),
}

/// The text of a term as pieces, and how strongly it binds.
struct Layout {
    pieces: Vec<Piece>,
    binding: Binding,
}

fn write_tree(terms: &Terms, root: Term, names: &FxHashMap<Term, String>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let mut open = vec![Piece::Term(root, Binding::Conditional)];
    while let Some(piece) = open.pop() {
        match piece {
            Piece::Word(word) => f.write_str(word)?,
            Piece::Text(text) => f.write_str(&text)?,
            Piece::Term(term, least) => {
                if let Some(name) = names.get(&term) {
                    f.write_str(name)?;
                    continue;
                }
                let layout = layout(terms, term, names);
                let parentheses = layout.binding < least;
                if parentheses {
                    f.write_str("(")?;
                    open.push(Piece::Word(")"));
                }
                open.extend(layout.pieces.into_iter().rev());
            }
        }
    }
    Ok(())
}

fn layout(terms: &Terms, term: Term, names: &FxHashMap<Term, String>) -> Layout {
    let node = terms.node(term);
    match (node.op, node.args.as_slice()) {
        (Op::Bool(value), _) => atom(value.to_string()),
        (Op::Constant(constant), _) => constant_text(terms.constant_value(constant)),
        (Op::Variable(variable), _) => atom(terms.variable_info(variable).0.to_owned()),
        (Op::Not, &[a]) => negation(terms, a, names),
        (Op::Ite, &[condition, yes, no]) => Layout {
            pieces: vec![
                Piece::Term(condition, Binding::LogicalOr),
                Piece::Word(" ? "),
                Piece::Term(yes, Binding::Conditional),
                Piece::Word(" : "),
                Piece::Term(no, Binding::Conditional),
            ],
            binding: Binding::Conditional,
        },
        (Op::BitNot, &[a]) => unary("~", a),
        (Op::Neg | Op::FloatNeg, &[a]) => unary("-", a),
        (Op::Concat, &[a, b]) => call("{", &[a, b], "}"),
        (Op::Extract(low), &[a]) => postfix(a, format!("[{}:{low}]", (low + node.sort.width()).saturating_sub(1))),
        (Op::ZeroExtend, &[a]) => cast(format!("(u{})", node.sort.width()), a),
        (Op::SignExtend, &[a]) => cast(format!("(s{})", node.sort.width()), a),
        (Op::FloatFromBits(format), &[a]) => match terms.as_bits(a) {
            Some(bits) => float_text(format, bits),
            None => function(format!("{}_from_bits(", format.name()), &[a]),
        },
        (Op::FloatConvert(format), &[a]) => cast(format!("({})", format.name()), a),
        (Op::FloatFromInt { format, signed }, &[a]) => cast(format!("({})({}{})", format.name(), sign(signed), terms.width(a)), a),
        (Op::FloatToInt { signed, width }, &[a]) => cast(format!("({}{width})", sign(signed)), a),
        (Op::FloatFitsInt { signed, width }, args) => function(format!("fits_{}{width}(", sign(signed)), args),
        (Op::Select, &[array, index]) => Layout {
            pieces: vec![
                Piece::Term(array, Binding::Postfix),
                Piece::Word("["),
                Piece::Term(index, Binding::Conditional),
                Piece::Word("]"),
            ],
            binding: Binding::Postfix,
        },
        (Op::Store, &[array, index, value]) => update(array, vec![inner(index), Piece::Word(" := "), inner(value)]),
        (Op::Copy, &[array, at, source, from, count]) => update(
            array,
            vec![
                inner(at),
                Piece::Word(" ..+ "),
                inner(count),
                Piece::Word(" := "),
                Piece::Term(source, Binding::Postfix),
                Piece::Word("["),
                inner(from),
                Piece::Word(" ..]"),
            ],
        ),
        (Op::ConstantArray, args) => call("{.. := ", args, "}"),
        (Op::Within { step }, &[array, from, end, low, high]) => {
            let mut pieces = vec![Piece::Word("within(")];
            pieces.extend(segment(array, from, end, step));
            pieces.extend([Piece::Word(", "), inner(low), Piece::Word(" ..= "), inner(high), Piece::Word(")")]);
            Layout { pieces, binding: Binding::Postfix }
        }
        (Op::Agree { step }, &[a, from_a, b, from_b, end]) => {
            let mut pieces = vec![Piece::Word("agree(")];
            pieces.extend(segment(a, from_a, end, step));
            pieces.extend([Piece::Word(", "), Piece::Term(b, Binding::Postfix), Piece::Word("["), inner(from_b), Piece::Word(" ..])")]);
            Layout { pieces, binding: Binding::Postfix }
        }
        (op, &[a, b]) => match infix(op, terms.sort(a)) {
            Some((word, binding, associative)) => binary(a, word, b, binding, associative),
            None => function(name(op).to_owned() + "(", &[a, b]),
        },
        (op, args) => function(name(op).to_owned() + "(", args),
    }
}

/// The symbol of a binary operator, how it binds, and whether it is associative.
fn infix(op: Op, operand: Sort) -> Option<(&'static str, Binding, bool)> {
    Some(match op {
        Op::And => (" && ", Binding::LogicalAnd, true),
        Op::Or => (" || ", Binding::LogicalOr, true),
        Op::Equal if matches!(operand, Sort::Float(_)) => (" === ", Binding::Equality, false),
        Op::Equal | Op::FloatEq => (" == ", Binding::Equality, false),
        Op::Xor => (" != ", Binding::Equality, false),
        Op::BitAnd => (" & ", Binding::BitAnd, true),
        Op::BitOr => (" | ", Binding::BitOr, true),
        Op::BitXor => (" ^ ", Binding::BitXor, true),
        Op::Add => (" + ", Binding::Sum, true),
        Op::FloatAdd => (" + ", Binding::Sum, false),
        Op::Sub | Op::FloatSub => (" - ", Binding::Sum, false),
        Op::Mul => (" * ", Binding::Product, true),
        Op::FloatMul => (" * ", Binding::Product, false),
        Op::Udiv | Op::FloatDiv => (" / ", Binding::Product, false),
        Op::Urem => (" % ", Binding::Product, false),
        Op::Sdiv => (" /s ", Binding::Product, false),
        Op::Srem => (" %s ", Binding::Product, false),
        Op::Shl => (" << ", Binding::Shift, false),
        Op::Lshr => (" >> ", Binding::Shift, false),
        Op::Ashr => (" >>s ", Binding::Shift, false),
        Op::Ult | Op::FloatLt => (" < ", Binding::Relation, false),
        Op::Slt => (" <s ", Binding::Relation, false),
        Op::FloatLe => (" <= ", Binding::Relation, false),
        _ => return None,
    })
}

/// The name of an operator that is written as a function.
fn name(op: Op) -> &'static str {
    match op {
        Op::UmulOverflows => "umul_overflows",
        Op::SmulOverflows => "smul_overflows",
        Op::FloatToBits => "bits",
        Op::FloatSqrt => "sqrt",
        Op::FloatFma => "fma",
        Op::FloatMod => "fmod",
        Op::FloatRem => "remainder",
        Op::FloatRound(Rounding::NearestEven) => "rint",
        Op::FloatRound(Rounding::NearestAway) => "round",
        Op::FloatRound(Rounding::TowardZero) => "trunc",
        Op::FloatRound(Rounding::Up) => "ceil",
        Op::FloatRound(Rounding::Down) => "floor",
        Op::FloatAbs => "fabs",
        Op::FloatIsNan => "isnan",
        Op::FloatIsInfinite => "isinf",
        // The other operators have a notation of their own.
        _ => "?",
    }
}

fn sign(signed: bool) -> &'static str {
    if signed { "s" } else { "u" }
}

/// `!a`, or the opposite comparison where there is one; floats have none.
fn negation(terms: &Terms, a: Term, names: &FxHashMap<Term, String>) -> Layout {
    let node = terms.node(a);
    let float = node.args.first().is_some_and(|&arg| matches!(terms.sort(arg), Sort::Float(_)));
    match (node.op, node.args.as_slice()) {
        _ if names.contains_key(&a) => unary("!", a),
        (Op::Ult, &[x, y]) => binary(y, " <= ", x, Binding::Relation, false),
        (Op::Slt, &[x, y]) => binary(y, " <=s ", x, Binding::Relation, false),
        (Op::Equal, &[x, y]) => binary(x, if float { " !== " } else { " != " }, y, Binding::Equality, false),
        (Op::FloatEq, &[x, y]) => binary(x, " != ", y, Binding::Equality, false),
        (Op::Xor, &[x, y]) => binary(x, " == ", y, Binding::Equality, false),
        _ => unary("!", a),
    }
}

fn atom(text: String) -> Layout {
    Layout { pieces: vec![Piece::Text(text)], binding: Binding::Postfix }
}

/// A term where anything can stand.
fn inner(term: Term) -> Piece {
    Piece::Term(term, Binding::Conditional)
}

/// `array[from .. end by step]`.
fn segment(array: Term, from: Term, end: Term, step: u64) -> Vec<Piece> {
    let close = if step == 1 { "]".to_owned() } else { format!(" by {step}]") };
    vec![Piece::Term(array, Binding::Postfix), Piece::Word("["), inner(from), Piece::Word(" .. "), inner(end), Piece::Text(close)]
}

fn unary(word: &'static str, a: Term) -> Layout {
    Layout { pieces: vec![Piece::Word(word), Piece::Term(a, Binding::Unary)], binding: Binding::Unary }
}

fn cast(text: String, a: Term) -> Layout {
    Layout { pieces: vec![Piece::Text(text), Piece::Term(a, Binding::Unary)], binding: Binding::Unary }
}

fn postfix(a: Term, text: String) -> Layout {
    Layout { pieces: vec![Piece::Term(a, Binding::Postfix), Piece::Text(text)], binding: Binding::Postfix }
}

fn binary(a: Term, word: &'static str, b: Term, binding: Binding, associative: bool) -> Layout {
    let right = if associative { binding } else { binding.tighter() };
    Layout { pieces: vec![Piece::Term(a, binding), Piece::Word(word), Piece::Term(b, right)], binding }
}

fn update(array: Term, change: Vec<Piece>) -> Layout {
    let mut pieces = vec![Piece::Term(array, Binding::Postfix), Piece::Word("{")];
    pieces.extend(change);
    pieces.push(Piece::Word("}"));
    Layout { pieces, binding: Binding::Postfix }
}

fn function(name: String, args: &[Term]) -> Layout {
    let mut layout = call("", args, ")");
    layout.pieces.insert(0, Piece::Text(name));
    layout
}

fn call(begin: &'static str, args: &[Term], end: &'static str) -> Layout {
    let mut pieces = vec![Piece::Word(begin)];
    for (position, &arg) in args.iter().enumerate() {
        if position > 0 {
            pieces.push(Piece::Word(", "));
        }
        pieces.push(inner(arg));
    }
    pieces.push(Piece::Word(end));
    Layout { pieces, binding: Binding::Postfix }
}

fn constant_text(bits: &Bits) -> Layout {
    if let Some(value @ -1024..=-1) = bits.to_i128().filter(|_| bits.width() >= 32) {
        return Layout { pieces: vec![Piece::Text(value.to_string())], binding: Binding::Unary };
    }
    match bits.to_u64() {
        Some(value @ 0..=0xffff) => atom(value.to_string()),
        _ => {
            let digits = hexadecimal(bits);
            atom(format!("0x{}", digits.trim_start_matches('0')))
        }
    }
}

/// All hexadecimal digits of a bit-vector, the first of them of what is left of the width.
pub(crate) fn hexadecimal(bits: &Bits) -> String {
    let digit = |index: u32| bits.extract(4 * index + 3, 4 * index).low_u128() as u32;
    (0..bits.width().div_ceil(4)).rev().filter_map(|index| char::from_digit(digit(index), 16)).collect()
}

fn float_text(format: FloatFormat, bits: &Bits) -> Layout {
    let (text, negative) = in_format!(format, F => {
        let value = F::from_bits(bits.low_u128());
        let text = if value.is_nan() { "nan".to_owned() } else { value.to_string().to_lowercase() };
        (text, value.is_negative() && !value.is_nan())
    });
    let whole = text.chars().all(|digit| digit.is_ascii_digit() || digit == '-');
    let text = format!("{text}{}_{}", if whole { ".0" } else { "" }, format.name());
    Layout { pieces: vec![Piece::Text(text)], binding: if negative { Binding::Unary } else { Binding::Postfix } }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(build: impl FnOnce(&mut Terms) -> Term, expected: Expect) {
        let mut terms = Terms::plain();
        let term = build(&mut terms);
        assert_eq!(terms.error(), None);
        expected.assert_eq(&terms.display(term).to_string());
    }

    fn words(terms: &mut Terms) -> [Term; 3] {
        ["a", "b", "c"].map(|name| terms.variable(name, Sort::Bits(32)))
    }

    #[test]
    fn operators_bind_as_in_c() {
        check(
            |terms| {
                let [a, b, c] = words(terms);
                let sum = terms.add(a, b);
                let product = terms.mul(sum, c);
                let other = terms.add(c, a);
                let other = terms.sub(product, other);
                let shifted = terms.ashr(other, b);
                let quotient = terms.sdiv(shifted, c);
                let less = terms.slt(quotient, a);
                let most = terms.ule(a, b);
                let differ = terms.differ(b, c);
                let both = terms.and(less, most);
                terms.or(differ, both)
            },
            expect!["b != c || (c * (a + b) - (a + c) >>s b) /s c <s a && a <= b"],
        );
    }

    #[test]
    fn constants_and_widths() {
        check(
            |terms| {
                let [a, ..] = words(terms);
                let large = terms.number(32, 0xdead_beef);
                let minus = terms.number(32, 0xffff_ffff);
                let masked = terms.bit_and(a, large);
                let sum = terms.add(masked, minus);
                let byte = terms.extract(sum, 7, 0);
                let wide = terms.sign_extend(byte, 64);
                let high = terms.zero_extend(a, 64);
                let high = terms.neg(high);
                let product = terms.mul(high, wide);
                let ten = terms.number(64, 10);
                let product = terms.urem(product, ten);
                let bit = terms.number(4, 15);
                terms.concat(product, bit)
            },
            expect!["{(s64)(-1 + (a & 0xdeadbeef))[7:0] * -(u64)a % 10, 15}"],
        );
    }

    #[test]
    fn arrays() {
        check(
            |terms| {
                let m = terms.variable("m", Sort::Array { index: 32, element: 8 });
                let [a, b, c] = words(terms);
                let zero = terms.zero(8);
                let empty = terms.constant_array(32, zero);
                let stored = terms.store(empty, a, zero);
                let copied = terms.copy(m, a, stored, b, c);
                let element = terms.select(copied, b);
                let absent = terms.absent(m, a, b, zero);
                let same = terms.equal(element, zero);
                let agree = terms.agree(m, a, empty, b, c, 4);
                terms.ite(absent, same, agree)
            },
            expect![
                "within(m[a .. b], 0 + 1 ..= 0 - 1) ? 0 == m{a ..+ c := {.. := 0}{a := 0}[b ..]}[b] : agree(m[a .. c by 4], {.. := 0}[b ..])"
            ],
        );
    }

    #[test]
    fn floats() {
        check(
            |terms| {
                let x = terms.variable("x", Sort::Float(FloatFormat::F32));
                let [a, ..] = words(terms);
                let half = terms.float(FloatFormat::F32, 0x3fc0_0000);
                let minus = terms.float(FloatFormat::F32, 0x8000_0000);
                let nan = terms.float(FloatFormat::F64, u128::from(u64::MAX));
                let from = terms.float_from_int(a, true, FloatFormat::F32);
                let sum = terms.float_add(x, half);
                let sum = terms.float_mul(sum, from);
                let sum = terms.float_sub(sum, minus);
                let wide = terms.float_convert(sum, FloatFormat::F64);
                let same = terms.equal(wide, nan);
                let int = terms.float_to_int(sum, false, 8);
                let fits = terms.float_fits_int(sum, true, 8);
                let zero = terms.zero(8);
                let int = terms.differ(int, zero);
                let less = terms.float_le(x, half);
                let less = terms.not(less);
                let floor = terms.float_round(x, Rounding::Down);
                let equal = terms.float_eq(floor, x);
                terms.all([same, int, fits, less, equal])
            },
            expect![
                "f32_from_bits(x) == floor(f32_from_bits(x)) && !(f32_from_bits(x) <= 1.5_f32) && fits_s8((f32)(s32)a * (f32_from_bits(x) + 1.5_f32) - -0.0_f32) && (u8)((f32)(s32)a * (f32_from_bits(x) + 1.5_f32) - -0.0_f32) != 0 && nan_f64 === (f64)((f32)(s32)a * (f32_from_bits(x) + 1.5_f32) - -0.0_f32) && true"
            ],
        );
    }

    #[test]
    fn large_terms_have_definitions() {
        check(
            |terms| {
                let mut term = terms.variable("t1", Sort::Bits(8));
                for name in ["x", "y", "z", "v", "w"] {
                    let other = terms.variable(name, Sort::Bits(8));
                    let product = terms.mul(term, other);
                    term = terms.add(product, term);
                }
                term
            },
            expect![[r#"
                let t_1 = t1 + t1 * x;
                let t_2 = t_1 + t_1 * y;
                let t_3 = t_2 + t_2 * z;
                let t_4 = t_3 + t_3 * v;
                t_4 + t_4 * w"#]],
        );
    }

    #[test]
    fn deep_terms_take_no_stack() {
        let mut terms = Terms::plain();
        let one = terms.variable("x", Sort::Bits(8));
        let mut term = one;
        for _ in 0..200_000 {
            term = terms.sub(one, term);
        }
        assert_eq!(terms.display(term).to_string().len(), 200_000 * 6 - 1);
    }
}

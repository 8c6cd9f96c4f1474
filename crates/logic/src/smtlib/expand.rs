//! Operators that SMT-LIB does not have, by what defines them. Arguments are bound by `let` where they are needed more than once.

use model::in_format;
use rustc_apfloat::Float;

use super::print::bits_text;
use super::shape;
use crate::bits::Bits;
use crate::sort::Sort;

/// The upper half of the exact product is not 0.
pub(super) fn umul_overflows(width: u32, a: &str, b: &str) -> String {
    let (top, zero) = (2 * u64::from(width) - 1, bits_text(&Bits::zero(width)));
    format!("(not (= ((_ extract {top} {width}) (bvmul ((_ zero_extend {width}) {a}) ((_ zero_extend {width}) {b}))) {zero}))")
}

/// The exact product is not the extension of its lower half.
pub(super) fn smul_overflows(width: u32, a: &str, b: &str) -> String {
    let top = width - 1;
    format!(
        "(let ((p (bvmul ((_ sign_extend {width}) {a}) ((_ sign_extend {width}) {b})))) (not (= p ((_ sign_extend {width}) ((_ extract {top} 0) p)))))"
    )
}

/// All elements of the segment are between the bounds.
pub(super) fn within(array: Sort, low_bits: u32, step: u64, [a, from, end, low, high]: [&str; 5]) -> String {
    let Sort::Array { index, .. } = array else { return String::new() };
    let inside = inside(index, low_bits, step);
    format!(
        "(let ((a {a}) (from {from}) (end {end}) (low {low}) (high {high})) (forall ((i (_ BitVec {index}))) (=> {inside} (bvule (bvsub (select a i) low) (bvsub high low)))))"
    )
}

/// The elements of a segment are those as far behind another index.
pub(super) fn agree(array: Sort, low_bits: u32, step: u64, [a, from_a, b, from_b, end]: [&str; 5]) -> String {
    let Sort::Array { index, .. } = array else { return String::new() };
    let inside = inside(index, low_bits, step);
    let part = |word: &str| low_part(index, low_bits, word);
    let low = format!("(bvadd {} (bvsub {} {}))", part("other"), part("i"), part("from"));
    let there = if low_bits == index { low } else { format!("(concat ((_ extract {} {low_bits}) other) {low})", index - 1) };
    format!(
        "(let ((a {a}) (from {from_a}) (b {b}) (other {from_b}) (end {end})) (forall ((i (_ BitVec {index}))) (=> {inside} (= (select a i) (select b {there})))))"
    )
}

/// The low bits of an index.
fn low_part(index: u32, low_bits: u32, word: &str) -> String {
    if low_bits == index { word.to_owned() } else { format!("((_ extract {} 0) {word})", low_bits - 1) }
}

/// Whether `i` is in the segment that begins with `from` and ends before `end`. The step may be wider than an index.
fn inside(index: u32, low_bits: u32, step: u64) -> String {
    let (i, from) = (low_part(index, low_bits, "i"), low_part(index, low_bits, "from"));
    let mut parts = vec![format!("(bvule {from} {i})"), format!("(bvult {i} end)")];
    if low_bits < index {
        let high = |word: &str| format!("((_ extract {} {low_bits}) {word})", index - 1);
        parts.push(format!("(= {} {})", high("i"), high("from")));
    }
    if step > 1 {
        let width = low_bits.max(64);
        let (step, zero) = (bits_text(&Bits::new(width, u128::from(step))), bits_text(&Bits::zero(width)));
        parts.push(format!("(= (bvurem ((_ zero_extend {}) (bvsub {i} {from})) {step}) {zero})", width - low_bits));
    }
    format!("(and {})", parts.join(" "))
}

/// SMT-LIB leaves open what a float is that does not fit; here it is 0.
pub(super) fn float_to_int(float: Sort, signed: bool, width: u32, a: &str) -> String {
    let (letter, zero, fits) = (if signed { 's' } else { 'u' }, bits_text(&Bits::zero(width)), range(float, signed, width));
    format!("(let ((f {a})) (ite {fits} ((_ fp.to_{letter}bv {width}) RTZ f) {zero}))")
}

/// Whether the integral part is in the range of the integers.
pub(super) fn float_fits_int(float: Sort, signed: bool, width: u32, a: &str) -> String {
    format!("(let ((f {a})) {})", range(float, signed, width))
}

/// Whether `f` fits: it is finite, and its integral part is neither below the least integer nor at or above the first one that is too large.
/// A bound beyond the format's range is an infinity here, which no finite number reaches.
fn range(float: Sort, signed: bool, width: u32) -> String {
    let Sort::Float(format) = float else { return String::new() };
    let (exponent, significand) = shape(format).unwrap_or_default();
    if width == 0 {
        return "false".to_owned();
    }
    let power = i32::try_from(if signed { width - 1 } else { width }).unwrap_or(i32::MAX);
    let (least, bound) = in_format!(format, F => {
        let bound = F::from_u128(1).value.scalbn(power);
        (if signed { (-bound).to_bits() } else { 0 }, bound.to_bits())
    });
    let constant = |pattern| format!("((_ to_fp {exponent} {significand}) {})", bits_text(&Bits::new(float.width(), pattern)));
    let (least, bound) = (constant(least), constant(bound));
    format!("(let ((r (fp.roundToIntegral RTZ f))) (and (not (fp.isInfinite f)) (fp.leq {least} r) (fp.lt r {bound})))")
}

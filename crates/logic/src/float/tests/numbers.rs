//! Numbers worth trying.

use model::FloatFormat;

use super::super::unpack::Layout;
use super::value;
use crate::op::Op;
use crate::sort::Sort;

/// Pseudo-random numbers, always the same ones.
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }
    pub(super) fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }
    pub(super) fn bits(&mut self, width: u32) -> u128 {
        let bits = u128::from(self.next()) << 64 | u128::from(self.next());
        bits >> (128 - width)
    }
    /// Few ones, few zeros, or any bits.
    pub(super) fn sparse(&mut self, width: u32) -> u128 {
        let ones = !0 >> (128 - width);
        match self.below(4) {
            0 => self.bits(width),
            1 => 1 << self.below(width as usize),
            2 => ones << self.below(width as usize) & ones,
            _ => (ones >> self.below(width as usize)) ^ (1 << self.below(width as usize)),
        }
    }
}

/// The pattern of a sign, an exponent field and a fraction.
pub(super) fn pattern(format: FloatFormat, sign: bool, exponent: u128, fraction: u128) -> u128 {
    let layout = Layout::of(format);
    let integer = u128::from(exponent != 0);
    let significand_bits = u32::from(format.bits()) - 1 - layout.exponent;
    let explicit = if significand_bits > layout.fraction { integer << layout.fraction } else { 0 };
    u128::from(sign) << (format.bits() - 1) | exponent << significand_bits | explicit | fraction
}

/// Any pattern as the canonical one.
pub(super) fn canonical(format: FloatFormat, bits: u128) -> u128 {
    value(Op::FloatFromBits(format), &[Sort::Bits(format.bits().into())], &[bits])
}

/// Zeros, subnormals, neighbours of powers of two, ties, the largest, infinities, NaN; of both signs.
pub(super) fn specials(format: FloatFormat) -> Vec<u128> {
    let layout = Layout::of(format);
    let ones = (1 << layout.fraction) - 1;
    let half = 1 << (layout.fraction - 1);
    let (bias, top) = (layout.bias() as u128, layout.top_exponent() as u128);
    let digits = u128::from(layout.fraction);
    let mut magnitudes = vec![(0, 0), (0, 1), (0, 2), (0, half), (0, ones), (top, 0), (top, half), (top - 1, ones), (top - 1, 0)];
    for exponent in [1, 2, bias - 2, bias - 1, bias, bias + 1, bias + digits - 1, bias + digits, bias + digits + 1] {
        // For F16 the last ones are beyond the range.
        if exponent < top {
            magnitudes.extend([(exponent, 0), (exponent, 1), (exponent, half), (exponent, half + 1), (exponent, ones)]);
        }
    }
    let signs = |(exponent, fraction)| [false, true].map(|sign| canonical(format, pattern(format, sign, exponent, fraction)));
    let mut patterns: Vec<u128> = magnitudes.into_iter().flat_map(signs).collect();
    patterns.sort_unstable();
    patterns.dedup();
    patterns
}

/// A number of some interesting kind, perhaps related to the ones before it.
fn number(format: FloatFormat, specials: &[u128], random: &mut Random, others: &[u128]) -> u128 {
    let layout = Layout::of(format);
    let sign = random.below(2) == 1;
    let fraction = random.sparse(layout.fraction);
    let bits = match (random.below(10), others.last()) {
        (0, _) => specials[random.below(specials.len())],
        (1, _) => pattern(format, sign, 0, fraction),
        (2, _) => pattern(format, sign, random.bits(layout.exponent), fraction),
        (3, _) => random.bits(format.bits().into()),
        // A close neighbour, of the same or the other sign.
        (4, Some(other)) => other ^ random.bits(3) ^ u128::from(sign) << (format.bits() - 1),
        // Another fraction with the same exponent.
        (5, Some(other)) => other ^ fraction,
        (6..10, Some(_)) => pattern(format, sign, related_exponent(layout, random, &exponents(format, others)), fraction),
        _ => pattern(format, sign, near(layout, random, layout.bias()), fraction),
    };
    canonical(format, bits)
}

fn exponents(format: FloatFormat, patterns: &[u128]) -> Vec<i64> {
    let layout = Layout::of(format);
    let place = u32::from(format.bits()) - 1 - layout.exponent;
    patterns.iter().map(|pattern| (pattern >> place) as i64 & layout.top_exponent()).collect()
}

/// An exponent field not much farther from this one than the significands are long.
fn near(layout: Layout, random: &mut Random, exponent: i64) -> u128 {
    let range = i64::from(layout.precision()) + 3;
    let exponent = exponent - range + random.below(2 * range as usize + 1) as i64;
    exponent.clamp(0, layout.top_exponent() - 1) as u128
}

/// An exponent with which something happens: the product or the quotient with the number before is at an end of the range, or the number is
/// about as large as the product of the two before.
fn related_exponent(layout: Layout, random: &mut Random, others: &[i64]) -> u128 {
    let bias = layout.bias();
    let end = [0, layout.top_exponent()][random.below(2)];
    let center = match others {
        [.., a, b] if random.below(2) == 0 => a + b - bias,
        [.., a] => [end + bias - a, a + bias - end, *a][random.below(3)],
        [] => bias,
    };
    near(layout, random, center)
}

/// Calls `check` with combinations of special numbers, no more than `4 * count`, and with `count` random ones.
pub(super) fn try_numbers<const N: usize>(format: FloatFormat, count: usize, mut check: impl FnMut([u128; N])) {
    let specials = specials(format);
    let mut random = Random::new(u64::from(format.bits()) * 8 + N as u64);
    let combinations = specials.len().pow(N as u32);
    for index in 0..combinations.min(4 * count) {
        // All of them if they are few enough.
        let mut rest = if combinations <= 4 * count { index } else { random.below(combinations) };
        check([(); N].map(|()| {
            let special = specials[rest % specials.len()];
            rest /= specials.len();
            special
        }));
    }
    for _ in 0..count {
        let mut args = [0; N];
        for index in 0..N {
            args[index] = number(format, &specials, &mut random, &args[..index]);
        }
        check(args);
    }
}

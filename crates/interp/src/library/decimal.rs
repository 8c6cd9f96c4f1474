//! Binary floating-point numbers as exact decimal ones.

use model::FloatFormat;

/// What a floating-point pattern stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    /// Not a number.
    Nan,
    /// Infinity.
    Infinite,
    /// The number `mantissa * 2^exponent`.
    Finite {
        /// An integer.
        mantissa: u128,
        /// Of two.
        exponent: i32,
    },
}

/// The bits of the mantissa that are stored, the bits of the exponent.
pub fn layout(format: FloatFormat) -> (u32, u32) {
    match format {
        FloatFormat::F16 => (10, 5),
        FloatFormat::F32 => (23, 8),
        FloatFormat::F64 => (52, 11),
        FloatFormat::X87 => (64, 15),
        FloatFormat::F128 => (112, 15),
    }
}

/// The sign of a pattern and what it stands for.
pub fn classify(format: FloatFormat, pattern: u128) -> (bool, Class) {
    let (stored, width) = layout(format);
    let negative = pattern >> (stored + width) & 1 == 1;
    let field = (pattern >> stored) as i32 & ((1 << width) - 1);
    let fraction = pattern & ((1 << stored) - 1);
    // The 80-bit format stores the bit before the point, the others leave it out.
    let (bits, hidden, payload) = match format {
        FloatFormat::X87 => (63, 0, fraction & !(1 << 63)),
        _ => (stored as i32, 1 << stored, fraction),
    };
    let bias = (1 << (width - 1)) - 1;
    let class = match field {
        _ if field == (1 << width) - 1 && payload != 0 => Class::Nan,
        _ if field == (1 << width) - 1 => Class::Infinite,
        0 => Class::Finite { mantissa: fraction, exponent: 1 - bias - bits },
        _ => Class::Finite { mantissa: fraction | hidden, exponent: field - bias - bits },
    };
    (negative, class)
}

/// A decimal number `0.d1 d2 d3... * 10^point`, exact or rounded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Decimal {
    /// The digits, as numbers; the first is not 0; none for zero.
    pub digits: Vec<u8>,
    /// Where the point is: how many digits are before it.
    pub point: i64,
}

/// A limb holds nine decimal digits.
const BASE: u64 = 1_000_000_000;

impl Decimal {
    /// The exact value of `mantissa * 2^exponent`.
    pub fn new(mantissa: u128, exponent: i32) -> Self {
        // A negative power of two is a power of five over a power of ten.
        let scale = if exponent < 0 { -exponent } else { 0 };
        let mut limbs = limbs(mantissa);
        let (factor, step) = if exponent < 0 { (5u32, 13) } else { (2, 29) };
        let mut left = exponent.unsigned_abs();
        while left > 0 && !limbs.is_empty() {
            let power = left.min(step);
            multiply(&mut limbs, factor.pow(power));
            left -= power;
        }
        let text: String = limbs.iter().rev().map(|limb| format!("{limb:09}")).collect();
        let digits: Vec<u8> = text.trim_start_matches('0').bytes().map(|byte| byte - b'0').collect();
        let point = if digits.is_empty() { 0 } else { digits.len() as i64 - i64::from(scale) };
        let mut decimal = Decimal { digits, point };
        decimal.trim();
        decimal
    }

    fn trim(&mut self) {
        let used = self.digits.iter().rposition(|digit| *digit != 0).map_or(0, |last| last + 1);
        self.digits.truncate(used);
    }

    /// Keeps so many digits, counted from the first, and rounds to nearest, halves to even.
    pub fn round(mut self, count: i64) -> Self {
        let Ok(count) = usize::try_from(count) else { return Decimal { digits: Vec::new(), point: 0 } };
        if count >= self.digits.len() {
            return self;
        }
        let rest = &self.digits[count..];
        let odd = count > 0 && self.digits[count - 1] % 2 == 1;
        let up = rest[0] > 5 || rest[0] == 5 && (rest.len() > 1 || odd);
        self.digits.truncate(count);
        if up {
            while self.digits.last() == Some(&9) {
                self.digits.pop();
            }
            match self.digits.last_mut() {
                Some(digit) => *digit += 1,
                None => {
                    self.digits.push(1);
                    self.point += 1;
                }
            }
        }
        self.trim();
        if self.digits.is_empty() {
            self.point = 0;
        }
        self
    }

    /// The digit at a position behind (or, if negative, before) the point, as text.
    pub fn digit(&self, position: i64) -> u8 {
        let index = usize::try_from(self.point + position).ok();
        b'0' + index.and_then(|index| self.digits.get(index)).copied().unwrap_or(0)
    }
}

fn limbs(mut number: u128) -> Vec<u32> {
    let mut limbs = Vec::new();
    while number > 0 {
        limbs.push((number % u128::from(BASE)) as u32);
        number /= u128::from(BASE);
    }
    limbs
}

fn multiply(limbs: &mut Vec<u32>, factor: u32) {
    let mut carry = 0;
    for limb in limbs.iter_mut() {
        let product = u64::from(*limb) * u64::from(factor) + carry;
        *limb = (product % BASE) as u32;
        carry = product / BASE;
    }
    while carry > 0 {
        limbs.push((carry % BASE) as u32);
        carry /= BASE;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exact(value: f64) -> Decimal {
        match classify(FloatFormat::F64, u128::from(value.to_bits())).1 {
            Class::Finite { mantissa, exponent } => Decimal::new(mantissa, exponent),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn conversion_is_exact() {
        let tenth = exact(0.1);
        assert_eq!(tenth.point, 0);
        assert_eq!(tenth.digits.iter().map(u8::to_string).collect::<String>(), "1000000000000000055511151231257827021181583404541015625");
        let large = exact(2f64.powi(70));
        assert_eq!(large.digits.iter().map(u8::to_string).collect::<String>(), "1180591620717411303424");
        assert_eq!(large.point, 22);
        assert_eq!(exact(0.0), Decimal { digits: vec![], point: 0 });
    }

    #[test]
    fn halves_go_to_even() {
        assert_eq!(exact(0.5).round(0), Decimal { digits: vec![], point: 0 });
        assert_eq!(exact(1.5).round(1).digits, [2]);
        assert_eq!(exact(2.5).round(1).digits, [2]);
        assert_eq!(exact(9.5).round(1), Decimal { digits: vec![1], point: 2 });
        assert_eq!(exact(999.0).round(2), Decimal { digits: vec![1], point: 4 });
    }

    #[test]
    fn extended_numbers_have_their_integer_bit() {
        let one = 0x3fff_8000_0000_0000_0000u128;
        assert_eq!(classify(FloatFormat::X87, one), (false, Class::Finite { mantissa: 1 << 63, exponent: -63 }));
        assert_eq!(classify(FloatFormat::X87, 0xffff_8000_0000_0000_0000), (true, Class::Infinite));
        assert_eq!(classify(FloatFormat::X87, 0x7fff_c000_0000_0000_0000), (false, Class::Nan));
    }
}

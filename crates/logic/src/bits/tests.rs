use super::*;

type Binary = fn(&Bits, &Bits) -> Bits;
type Relation = fn(&Bits, &Bits) -> bool;

const BINARY: [(&str, Binary); 13] = [
    ("and", Bits::and),
    ("or", Bits::or),
    ("xor", Bits::xor),
    ("add", Bits::add),
    ("sub", Bits::sub),
    ("mul", Bits::mul),
    ("udiv", Bits::udiv),
    ("urem", Bits::urem),
    ("sdiv", Bits::sdiv),
    ("srem", Bits::srem),
    ("shl", Bits::shl),
    ("lshr", Bits::lshr),
    ("ashr", Bits::ashr),
];

const RELATIONS: [(&str, Relation); 6] = [
    ("ult", Bits::ult),
    ("ule", Bits::ule),
    ("slt", Bits::slt),
    ("sle", Bits::sle),
    ("umul_overflows", Bits::umul_overflows),
    ("smul_overflows", Bits::smul_overflows),
];

/// The widths that are small enough to try all values.
const SMALL: std::ops::RangeInclusive<u32> = 1..=5;

/// All values of a width, as numbers.
fn values(width: u32) -> std::ops::Range<i64> {
    0..1 << width
}

fn bits(width: u32, value: i64) -> Bits {
    Bits::new(width, value as u128)
}

/// The signed value of the low bits.
fn signed(width: u32, value: i64) -> i64 {
    value << (64 - width) >> (64 - width)
}

/// What a binary operation gives, by arithmetic on small numbers; the result is still to be cut to the width.
fn reference(name: &str, width: u32, a: i64, b: i64) -> i64 {
    let (sa, sb) = (signed(width, a), signed(width, b));
    match name {
        "and" => a & b,
        "or" => a | b,
        "xor" => a ^ b,
        "add" => a + b,
        "sub" => a - b,
        "mul" => a * b,
        "udiv" => a.checked_div(b).unwrap_or(-1),
        "urem" => a.checked_rem(b).unwrap_or(a),
        "sdiv" => sa.checked_div(sb).unwrap_or(if sa < 0 { 1 } else { -1 }),
        "srem" => sa.checked_rem(sb).unwrap_or(sa),
        "shl" => a << b,
        "lshr" => a >> b,
        "ashr" => sa >> b,
        _ => panic!("no reference for {name}"),
    }
}

/// Whether a relation holds, by arithmetic on small numbers.
fn reference_relation(name: &str, width: u32, a: i64, b: i64) -> bool {
    let (sa, sb) = (signed(width, a), signed(width, b));
    match name {
        "ult" => a < b,
        "ule" => a <= b,
        "slt" => sa < sb,
        "sle" => sa <= sb,
        "umul_overflows" => a * b >= 1 << width,
        "smul_overflows" => sa * sb != signed(width, sa * sb),
        _ => panic!("no reference for {name}"),
    }
}

/// Marsaglia's xorshift; numbers of all lengths, and those next to powers of two, come often.
struct Random(u64);

impl Random {
    fn word(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
    fn bits(&mut self, width: u32) -> Bits {
        let shape = self.word();
        let length = (shape >> 8) % u64::from(width) + 1;
        let dense = Bits::from_fn(width, |index| u64::from(index) < length && self.word() >> 40 & 1 == 1);
        let power = Bits::from_fn(width, |index| u64::from(index) + 1 == length);
        match shape % 8 {
            0 => power,
            1 => power.neg(),
            2 => power.sub(&Bits::one(width)),
            3 => dense.neg(),
            4 => Bits::from_fn(width, |_| self.word() >> 40 & 1 == 1),
            _ => dense,
        }
    }
}

/// Calls `check` with many pairs of random values of each width.
fn random_pairs(widths: &[u32], check: impl Fn(u32, &Bits, &Bits)) {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for &width in widths {
        for _ in 0..2000 {
            check(width, &random.bits(width), &random.bits(width));
        }
    }
}

#[test]
fn operations_at_small_widths() {
    for width in SMALL {
        for (a, b) in values(width).flat_map(|a| values(width).map(move |b| (a, b))) {
            let (x, y) = (bits(width, a), bits(width, b));
            for (name, operation) in BINARY {
                assert_eq!(operation(&x, &y), bits(width, reference(name, width, a, b)), "{name} {x:?} {y:?}");
            }
            for (name, relation) in RELATIONS {
                assert_eq!(relation(&x, &y), reference_relation(name, width, a, b), "{name} {x:?} {y:?}");
            }
            assert_eq!(x.cmp(&y), a.cmp(&b));
        }
    }
}

#[test]
fn one_operand_at_small_widths() {
    for width in SMALL {
        for a in values(width) {
            let x = bits(width, a);
            assert_eq!(x.width(), width);
            assert_eq!(x.not(), bits(width, !a));
            assert_eq!(x.neg(), bits(width, -a));
            assert_eq!(x.sign(), signed(width, a) < 0);
            assert_eq!((x.is_zero(), x.is_one(), x.is_ones()), (a == 0, a == 1, a == (1 << width) - 1));
            assert_eq!((x.to_u64(), x.to_u128(), x.low_u128()), (Some(a as u64), Some(a as u128), a as u128));
            assert_eq!(x.to_i128(), Some(i128::from(signed(width, a))));
            assert_eq!(Bits::signed(width, i128::from(signed(width, a))), x);
            assert_eq!(x.trailing_zeros(), a.trailing_zeros().min(width));
            assert_eq!(x.leading_zeros(), a.leading_zeros() - (64 - width));
            assert_eq!(x.count_ones(), a.count_ones());
            assert_eq!(x.power_of_two(), (a.count_ones() == 1).then(|| a.trailing_zeros()));
            assert_eq!(Bits::from_fn(width, |index| x.bit(index)), x);
            assert!((width..200).all(|index| !x.bit(index)));
            assert_eq!(x.to_string(), a.to_string());
            assert_eq!(format!("{x:?}"), format!("{a}:{width}"));
        }
    }
}

#[test]
fn parts_at_small_widths() {
    for (width, other) in SMALL.flat_map(|width| SMALL.map(move |other| (width, other))) {
        for a in values(width) {
            let x = bits(width, a);
            assert_eq!(x.zero_extend(other), bits(other, a));
            assert_eq!(x.sign_extend(other), bits(other, signed(width, a)));
            for b in values(other) {
                assert_eq!(x.concat(&bits(other, b)), bits(width + other, a << other | b));
            }
            for low in 0..=other {
                assert_eq!(x.extract(other, low), bits(other - low + 1, a >> low));
            }
        }
    }
}

#[test]
fn second_operand_of_another_width() {
    for (width, other) in [(3, 5), (5, 3), (64, 65), (65, 64), (130, 60), (60, 130), (200, 129), (129, 200)] {
        let mut random = Random(u64::from(width));
        for _ in 0..200 {
            let (x, y) = (random.bits(width), random.bits(other));
            let fitted = y.zero_extend(width);
            for (name, operation) in BINARY {
                assert_eq!(operation(&x, &y), operation(&x, &fitted), "{name} {x:?} {y:?}");
            }
            for (name, relation) in RELATIONS {
                assert_eq!(relation(&x, &y), relation(&x, &fitted), "{name} {x:?} {y:?}");
            }
        }
    }
}

#[test]
fn machine_widths() {
    random_pairs(&[64, 65, 127, 128], |width, x, y| {
        let (a, b) = (x.low_u128(), y.low_u128());
        let cut = 128 - width;
        let (sa, sb) = ((a << cut) as i128 >> cut, (b << cut) as i128 >> cut);
        let unsigned = |value: u128| Bits::new(width, value);
        let signed = |value: i128| Bits::signed(width, value);
        assert_eq!((x.to_u128(), x.to_i128()), (Some(a), Some(sa)));
        assert_eq!(x.to_u64(), u64::try_from(a).ok());
        assert_eq!((x.trailing_zeros(), x.leading_zeros()), (a.trailing_zeros().min(width), a.leading_zeros() - cut));
        assert_eq!((x.not(), x.neg()), (unsigned(!a), unsigned(a.wrapping_neg())));
        assert_eq!((x.and(y), x.or(y), x.xor(y)), (unsigned(a & b), unsigned(a | b), unsigned(a ^ b)));
        assert_eq!(x.add(y), unsigned(a.wrapping_add(b)));
        assert_eq!(x.sub(y), unsigned(a.wrapping_sub(b)));
        assert_eq!(x.mul(y), unsigned(a.wrapping_mul(b)));
        assert_eq!(x.udiv(y), a.checked_div(b).map_or(Bits::ones(width), unsigned));
        assert_eq!(x.urem(y), a.checked_rem(b).map_or(x.clone(), unsigned));
        let by_zero = if sa < 0 { 1 } else { -1 };
        assert_eq!(x.sdiv(y), signed(if b == 0 { by_zero } else { sa.wrapping_div(sb) }));
        assert_eq!(x.srem(y), signed(if b == 0 { sa } else { sa.wrapping_rem(sb) }));
        for (distance, bits) in [(b, y.clone()), (b % u128::from(width), unsigned(b % u128::from(width)))] {
            let distance = u32::try_from(distance).unwrap_or(u32::MAX);
            assert_eq!(x.shl(&bits), unsigned(a.checked_shl(distance).unwrap_or(0)));
            assert_eq!(x.lshr(&bits), unsigned(a.checked_shr(distance).unwrap_or(0)));
            assert_eq!(x.ashr(&bits), signed(sa >> distance.min(127)));
        }
        assert_eq!((x.ult(y), x.ule(y), x.slt(y), x.sle(y)), (a < b, a <= b, sa < sb, sa <= sb));
        assert_eq!(x.umul_overflows(y), a.checked_mul(b).is_none_or(|product| unsigned(product).low_u128() != product));
        assert_eq!(x.smul_overflows(y), sa.checked_mul(sb).is_none_or(|product| signed(product).to_i128() != Some(product)));
    });
}

#[test]
fn wide_arithmetic() {
    random_pairs(&[129, 200, 256, 1000], |width, x, y| {
        let (zero, one) = (Bits::zero(width), Bits::one(width));
        assert_eq!(x.add(y).sub(y), *x);
        assert_eq!(x.sub(y), y.sub(x).neg());
        assert_eq!(x.add(&x.not()), Bits::ones(width));
        assert_eq!(x.mul(y), y.mul(x));
        assert_eq!(x.mul(&y.add(&one)), x.mul(y).add(x));
        assert_eq!(x.add(y).mul(&x.sub(y)), x.mul(x).sub(&y.mul(y)));
        assert_eq!((x.or(y), x.xor(y)), (x.add(y).sub(&x.and(y)), x.or(y).sub(&x.and(y))));
        if y.is_zero() {
            assert_eq!((x.udiv(y), x.urem(y), x.srem(y)), (Bits::ones(width), x.clone(), x.clone()));
            assert_eq!(x.sdiv(y), if x.sign() { one.clone() } else { one.neg() });
            return;
        }
        let (quotient, remainder) = (x.udiv(y), x.urem(y));
        assert_eq!(quotient.mul(y).add(&remainder), *x);
        assert!(remainder.ult(y) && !quotient.umul_overflows(y));
        let (quotient, remainder) = (x.sdiv(y), x.srem(y));
        assert_eq!(quotient.mul(y).add(&remainder), *x);
        assert!(remainder.magnitude().ult(&y.magnitude()));
        assert!(remainder.is_zero() || remainder.sign() == x.sign());
        // The one quotient that does not fit.
        assert!(*x == Bits::min_signed(width) && y.is_ones() || !quotient.smul_overflows(y));
        assert_eq!((zero.udiv(y), zero.urem(y)), (zero.clone(), zero));
    });
}

#[test]
fn wide_overflow_and_order() {
    random_pairs(&[129, 200, 256], |width, x, y| {
        let double = 2 * width;
        let product = x.zero_extend(double).mul(&y.zero_extend(double));
        assert_eq!(x.umul_overflows(y), product != x.mul(y).zero_extend(double));
        let product = x.sign_extend(double).mul(&y.sign_extend(double));
        assert_eq!(x.smul_overflows(y), product != x.mul(y).sign_extend(double));
        assert_eq!(x.ult(y), x.zero_extend(double).sub(&y.zero_extend(double)).sign());
        assert_eq!(x.slt(y), x.sign_extend(double).sub(&y.sign_extend(double)).sign());
        assert_eq!((x.ule(y), x.sle(y)), (x.ult(y) || x == y, x.slt(y) || x == y));
        assert_eq!(x < y, x.ult(y));
    });
}

#[test]
fn wide_shifts_and_parts() {
    random_pairs(&[129, 200, 256], |width, x, y| {
        let distance = y.low_u128() as u32 % width;
        let by = Bits::new(width, u128::from(distance));
        let power = Bits::from_fn(width, |index| index == distance);
        assert_eq!(power.power_of_two(), Some(distance));
        assert_eq!((power.trailing_zeros(), power.leading_zeros()), (distance, width - 1 - distance));
        assert_eq!(x.shl(&by), x.mul(&power));
        assert_eq!(x.lshr(&by), x.udiv(&power));
        assert_eq!(x.ashr(&by), x.extract(width - 1, distance).sign_extend(width));
        let too_far = y.or(&Bits::new(width, u128::from(width)).or(&Bits::ones(width).shl(&Bits::new(width, 8))));
        assert_eq!((x.shl(&too_far), x.lshr(&too_far)), (Bits::zero(width), Bits::zero(width)));
        assert_eq!(x.ashr(&too_far), if x.sign() { Bits::ones(width) } else { Bits::zero(width) });
        assert_eq!(x.concat(y).extract(2 * width - 1, width), *x);
        assert_eq!(x.concat(y).extract(width - 1, 0), *y);
        if distance > 0 {
            assert_eq!(x.extract(width - 1, distance).concat(&x.extract(distance - 1, 0)), *x);
        }
        assert_eq!(Bits::from_fn(width, |index| x.bit(index)), *x);
        assert_eq!(x.count_ones() + x.not().count_ones(), width);
        assert_eq!(x.to_u128(), (x.leading_zeros() >= width - 128).then(|| x.low_u128()));
        assert_eq!(x.to_i128().map(|value| Bits::signed(width, value)), (x.sign_extend(128).sign_extend(width) == *x).then(|| x.clone()));
    });
}

#[test]
fn extremes() {
    for width in [1, 2, 63, 64, 65, 127, 128, 129, 192, 1000] {
        let (least, greatest) = (Bits::min_signed(width), Bits::max_signed(width));
        assert_eq!(least.power_of_two(), Some(width - 1));
        assert_eq!(greatest.add(&Bits::one(width)), least);
        assert_eq!(least.neg(), least);
        assert!(least.sle(&greatest) && greatest.ult(&least));
        assert!(Bits::ones(width).is_ones() && Bits::zero(width).is_zero() && Bits::one(width).is_one());
        assert_eq!(Bits::signed(width, -1), Bits::ones(width));
        assert_eq!(Bits::ones(width).to_i128(), Some(-1));
        assert_eq!((Bits::zero(width).leading_zeros(), Bits::zero(width).trailing_zeros()), (width, width));
        assert!(Bits::ones(width) < Bits::zero(width + 1));
    }
    assert_eq!(Bits::new(0, 3), Bits::one(1));
    assert_eq!([Bits::min_signed(0), Bits::max_signed(0)], [Bits::one(1), Bits::zero(1)]);
    assert_eq!(Bits::from_fn(0, |_| true), Bits::one(1));
    assert_eq!(Bits::ones(8).extract(3, 5), Bits::one(1));
    assert_eq!(Bits::ones(8).extract(19, 4), Bits::new(16, 15));
}

#[test]
fn text() {
    assert_eq!(format!("{:?}", Bits::ones(128)), "340282366920938463463374607431768211455:128");
    assert_eq!(format!("{:?}", Bits::new(200, 7)), "7:200");
    assert_eq!(Bits::one(2).concat(&Bits::new(128, 0xab)).zero_extend(300).to_string(), "0x1000000000000000000000000000000ab");
}

//! Every operator: its circuit against the evaluator, and the evaluator against native arithmetic.

use logic::sat::Budget;
use logic::{Answer, Assignment, Bits, Context, Evaluator, Op, Sort, Term, Terms, Value};

use crate::garden::Random;

/// What an operator gives for numbers of some width.
type Reference = Box<dyn Fn(u128, u128) -> u128>;

struct Case {
    name: String,
    term: Term,
    reference: Reference,
}

fn mask(width: u32) -> u128 {
    if width >= 128 { u128::MAX } else { (1 << width) - 1 }
}

fn signed(width: u32, value: u128) -> i128 {
    let shift = 128 - width;
    (value << shift) as i128 >> shift
}

fn binary_reference(op: Op, width: u32) -> Reference {
    let all = mask(width);
    let s = move |value| signed(width, value);
    let (least, most) = (s(1 << (width - 1)), s(all >> 1));
    let reference: Reference = match op {
        Op::BitAnd => Box::new(|a, b| a & b),
        Op::BitOr => Box::new(|a, b| a | b),
        Op::BitXor => Box::new(|a, b| a ^ b),
        Op::Add => Box::new(u128::wrapping_add),
        Op::Sub => Box::new(u128::wrapping_sub),
        Op::Mul => Box::new(u128::wrapping_mul),
        Op::Udiv => Box::new(move |a, b| a.checked_div(b).unwrap_or(all)),
        Op::Urem => Box::new(|a, b| a.checked_rem(b).unwrap_or(a)),
        Op::Sdiv => Box::new(move |a, b| match (s(a), s(b)) {
            (a, 0) => {
                if a < 0 {
                    1
                } else {
                    all
                }
            }
            (a, b) => a.wrapping_div(b) as u128,
        }),
        Op::Srem => Box::new(move |a, b| if b == 0 { a } else { s(a).wrapping_rem(s(b)) as u128 }),
        Op::Shl => Box::new(move |a, b| if b >= u128::from(width) { 0 } else { a << b }),
        Op::Lshr => Box::new(move |a, b| if b >= u128::from(width) { 0 } else { a >> b }),
        Op::Ashr => Box::new(move |a, b| (s(a) >> b.min(u128::from(width) - 1)) as u128),
        Op::Ult => Box::new(|a, b| u128::from(a < b)),
        Op::Slt => Box::new(move |a, b| u128::from(s(a) < s(b))),
        Op::Equal => Box::new(|a, b| u128::from(a == b)),
        Op::UmulOverflows => Box::new(move |a, b| u128::from(a.checked_mul(b).is_none_or(|product| product > all))),
        Op::SmulOverflows => {
            Box::new(move |a, b| u128::from(s(a).checked_mul(s(b)).is_none_or(|product| product < least || product > most)))
        }
        _ => panic!("{op:?}"),
    };
    reference
}

const BINARY: [Op; 18] = [
    Op::BitAnd,
    Op::BitOr,
    Op::BitXor,
    Op::Add,
    Op::Sub,
    Op::Mul,
    Op::Udiv,
    Op::Urem,
    Op::Sdiv,
    Op::Srem,
    Op::Shl,
    Op::Lshr,
    Op::Ashr,
    Op::Ult,
    Op::Slt,
    Op::Equal,
    Op::UmulOverflows,
    Op::SmulOverflows,
];

/// A term for each operator over two variables of one width, with its reference. Results are at most 128 bits wide.
fn cases(terms: &mut Terms, a: Term, b: Term, width: u32) -> Vec<Case> {
    let mut cases = Vec::new();
    let mut case = |name: String, term: Term, reference: Reference| cases.push(Case { name, term, reference });
    for op in BINARY {
        case(format!("{op:?}"), terms.apply(op, &[a, b], None), binary_reference(op, width));
    }
    case("BitNot".into(), terms.bit_not(a), Box::new(|a, _| !a));
    case("Neg".into(), terms.neg(a), Box::new(|a, _| a.wrapping_neg()));
    if width <= 64 {
        case("Concat".into(), terms.concat(a, b), Box::new(move |a, b| a << width | b));
    }
    let wide = (width + 3).min(128);
    case("ZeroExtend".into(), terms.zero_extend(a, wide), Box::new(|a, _| a));
    case("SignExtend".into(), terms.sign_extend(a, wide), Box::new(move |a, _| signed(width, a) as u128));
    let places: Vec<u32> = if width <= 8 { (0..width).collect() } else { vec![0, 1, width / 2, width - 2, width - 1] };
    for &low in &places {
        for &high in places.iter().filter(|high| **high >= low) {
            case(format!("Extract {high}..{low}"), terms.extract(a, high, low), Box::new(move |a, _| a >> low));
        }
    }
    let (p, q) = (terms.test_bit(a, 0), terms.test_bit(b, width - 1));
    let top = width - 1;
    for (op, reference) in [
        (Op::And, Box::new(move |a: u128, b: u128| (a & 1) & (b >> top & 1)) as Reference),
        (Op::Or, Box::new(move |a, b| (a & 1) | (b >> top & 1))),
        (Op::Xor, Box::new(move |a, b| (a & 1) ^ (b >> top & 1))),
        (Op::Equal, Box::new(move |a, b| !((a & 1) ^ (b >> top & 1)))),
    ] {
        case(format!("{op:?} of truth values"), terms.apply(op, &[p, q], None), reference);
    }
    case("Not".into(), terms.not(p), Box::new(|a, _| !a));
    case("Ite".into(), terms.ite(p, a, b), Box::new(|a, b| if a & 1 == 1 { a } else { b }));
    case("Ite of truth values".into(), terms.ite(p, q, p), Box::new(move |a, b| (a & 1) & (b >> top & 1)));
    cases
}

/// The value of a term as a constant term.
fn constant(terms: &mut Terms, value: &Value) -> Term {
    match value {
        Value::Bool(value) => terms.bool(*value),
        Value::Bits(bits) => terms.bits(bits.clone()),
        Value::Array(_) => panic!("no operator here gives arrays"),
    }
}

/// Compares all operators on these operands: circuits with the evaluator, and where a width has a reference, the evaluator with that.
fn compare(width: u32, operands: &[(Bits, Bits)]) {
    // Circuits are made of the terms as they are, without rewriting.
    let mut terms = Terms::plain();
    let (a, b) = (terms.variable("a", Sort::Bits(width)), terms.variable("b", Sort::Bits(width)));
    let cases = if width <= 128 { cases(&mut terms, a, b, width) } else { wide_cases(&mut terms, a, b) };
    let ids: Vec<_> = terms.variable_terms().map(|(id, _)| id).collect();
    let mut context = Context::new();
    for (x, y) in operands {
        let mut assignment = Assignment::new();
        assignment.set(ids[0], Value::Bits(x.clone()));
        assignment.set(ids[1], Value::Bits(y.clone()));
        let mut evaluator = Evaluator::new(&terms, &assignment);
        let values: Vec<Value> = cases.iter().map(|case| evaluator.value(case.term).unwrap().clone()).collect();
        for (case, value) in cases.iter().zip(&values) {
            if width <= 128 {
                let result = terms.width(case.term);
                let wanted = Bits::new(result, (case.reference)(x.low_u128(), y.low_u128()));
                let wanted = if terms.sort(case.term) == Sort::Bool { Value::Bool(!wanted.is_zero()) } else { Value::Bits(wanted) };
                assert_eq!(*value, wanted, "{} of {x:?} and {y:?}", case.name);
            }
        }
        let (x_term, y_term) = (terms.bits(x.clone()), terms.bits(y.clone()));
        let fixed = [terms.equal(a, x_term), terms.equal(b, y_term)];
        let mut right = terms.bool(true);
        for (case, value) in cases.iter().zip(&values) {
            let value = constant(&mut terms, value);
            let equal = terms.equal(case.term, value);
            right = terms.and(right, equal);
        }
        let wrong = terms.not(right);
        let unlimited = Budget::unlimited();
        let answer = context.solve(&mut terms, &[fixed[0], fixed[1], right], &unlimited);
        if answer != Answer::Sat {
            assert_eq!(context.solve(&mut terms, &fixed, &unlimited), Answer::Sat);
            for (case, value) in cases.iter().zip(&values) {
                let bits = context.bits_of(&terms, case.term).unwrap();
                let wanted = value.as_bits().cloned().unwrap_or_else(|| Bits::new(1, u128::from(value.as_bool() == Some(true))));
                assert_eq!(bits, wanted, "circuit of {} for {x:?} and {y:?}", case.name);
            }
            panic!("{answer:?} for {x:?} and {y:?}");
        }
        assert_eq!(context.solve(&mut terms, &[fixed[0], fixed[1], wrong], &unlimited), Answer::Unsat, "{x:?} and {y:?}");
    }
}

/// For widths without native arithmetic: the evaluator's own is tested with `Bits`.
fn wide_cases(terms: &mut Terms, a: Term, b: Term) -> Vec<Case> {
    BINARY
        .into_iter()
        .map(|op| Case { name: format!("{op:?}"), term: terms.apply(op, &[a, b], None), reference: Box::new(|_, _| 0) })
        .collect()
}

#[test]
fn all_operands_of_small_widths() {
    for width in 1..=4 {
        let all = || (0..1u128 << width).map(move |value| Bits::new(width, value));
        let operands: Vec<(Bits, Bits)> = all().flat_map(|a| all().map(move |b| (a.clone(), b))).collect();
        compare(width, &operands);
    }
}

/// Pairs of boundary values and of random ones.
fn samples(width: u32, count: usize, seed: u64) -> Vec<(Bits, Bits)> {
    let mut random = Random(seed);
    let (least, one) = (Bits::min_signed(width), Bits::one(width));
    let boundaries = [
        Bits::zero(width),
        one.clone(),
        Bits::ones(width),
        least.clone(),
        least.sub(&one),
        least.add(&one),
        Bits::new(width, u128::from(width)),
    ];
    let mut samples: Vec<(Bits, Bits)> = boundaries.iter().flat_map(|a| boundaries.iter().map(|b| (a.clone(), b.clone()))).collect();
    for _ in 0..count {
        samples.push((random.bits(width), random.bits(width)));
    }
    samples
}

#[test]
fn boundary_and_random_operands_of_machine_widths() {
    for width in [8, 16, 32] {
        compare(width, &samples(width, 150, u64::from(width)));
    }
}

#[test]
fn boundary_and_random_operands_of_64_bits() {
    compare(64, &samples(64, 50, 64));
}

#[test]
fn boundary_and_random_operands_of_wide_vectors() {
    for width in [128, 130] {
        compare(width, &samples(width, 0, 0)[..20]);
    }
}

//! Rewriting keeps the meaning: terms as they are made, against what the rules make of them.

use logic::sat::Budget;
use logic::{Answer, Bits, Context, Evaluator, Op, Sort};

use crate::garden::{Garden, Plant, Soil, rebuild};

const PURE: Soil = Soil { width: 4, array: None, extended: false, variables: 2, products: true };

/// Under random assignments, each term has the same value in both stores.
fn agree(garden: &mut Garden, plants: &[Plant], assignments: usize) {
    for _ in 0..assignments {
        let assignment = garden.assignment();
        let mut plain = Evaluator::new(&garden.plain, &assignment);
        let mut simple = Evaluator::new(&garden.simple, &assignment);
        for plant in plants {
            let (a, b) = (plain.value(plant.plain).cloned(), simple.value(plant.simple).cloned());
            assert_eq!(a, b, "\n{}\nis no\n{}", garden.plain.display(plant.plain), garden.simple.display(plant.simple));
        }
    }
}

#[test]
fn random_terms_keep_their_values() {
    let mut seed = 0;
    for width in 1..=8 {
        for array in [None, Some((width, width)), Some((2, 3))] {
            for _ in 0..40 {
                seed += 1;
                let mut garden = Garden::new(seed, Soil { width, array, extended: true, variables: 2, products: true });
                for _ in 0..60 {
                    garden.grow();
                }
                let plants = garden.pool.clone();
                agree(&mut garden, &plants, 12);
            }
        }
    }
}

/// Asks the solver whether the terms in both stores can differ. Whether it was decided.
fn proved(garden: &mut Garden, plant: Plant, conflicts: u64) -> bool {
    let again = rebuild(&garden.simple, plant.simple, &mut garden.plain);
    let differ = garden.plain.differ(plant.plain, again);
    let mut context = Context::new();
    let answer = context.solve(&mut garden.plain, &[differ], &Budget::unlimited().with_conflicts(conflicts));
    assert_ne!(answer, Answer::Sat, "\n{}\nis no\n{}", garden.plain.display(plant.plain), garden.plain.display(again));
    answer == Answer::Unsat
}

#[test]
fn random_terms_are_proved_equivalent() {
    let (mut asked, mut open) = (0, 0);
    for (number, width) in [4, 8, 13, 32].into_iter().cycle().take(160).enumerate() {
        let soil = Soil { width, products: width <= 4, array: (number % 3 == 0).then_some((width, 4)), ..PURE };
        let mut garden = Garden::new(1000 + number as u64, soil);
        for _ in 0..80 {
            garden.grow();
        }
        for plant in garden.pool.clone().into_iter().rev().take(3) {
            if !matches!(garden.sort(plant), Sort::Array { .. }) {
                asked += 1;
                open += usize::from(!proved(&mut garden, plant, 20_000));
            }
        }
    }
    assert!(asked >= 300 && open * 50 <= asked, "{open} of {asked} were not decided");
}

/// Terms of shapes that rules look for, over `x`, `y` and `p`.
fn shapes(garden: &mut Garden, width: u32) -> Vec<Plant> {
    let sort = Sort::Bits(width);
    let (x, y) = (garden.variable("x", sort), garden.variable("y", sort));
    let p = garden.variable("p", Sort::Bool);
    let mut shapes = vec![x, y];
    for value in [0, 1, 2, 3, 5, 6] {
        shapes.push(garden.constant(Bits::new(width, value)));
    }
    for value in [Bits::ones(width), Bits::min_signed(width), Bits::max_signed(width), Bits::ones(width).sub(&Bits::one(width))] {
        shapes.push(garden.constant(value));
    }
    let (zero, one, two) = (shapes[2], shapes[3], shapes[4]);
    for (op, a, b) in [
        (Op::Add, x, y),
        (Op::Add, x, one),
        (Op::Add, x, two),
        (Op::Sub, x, y),
        (Op::Sub, y, x),
        (Op::Sub, one, x),
        (Op::BitAnd, x, y),
        (Op::BitAnd, x, two),
        (Op::BitOr, x, one),
        (Op::BitXor, x, y),
        (Op::BitXor, x, one),
        (Op::Mul, x, y),
        (Op::Shl, x, one),
        (Op::Lshr, x, one),
        (Op::Udiv, x, y),
    ] {
        shapes.push(garden.apply(op, &[a, b], None));
    }
    for a in [x, y] {
        shapes.push(garden.apply(Op::BitNot, &[a], None));
        shapes.push(garden.apply(Op::Neg, &[a], None));
    }
    for (quotient, remainder) in [(Op::Udiv, Op::Urem), (Op::Sdiv, Op::Srem)] {
        let division = garden.apply(quotient, &[x, y], None);
        shapes.push(garden.apply(Op::Mul, &[division, y], None));
        shapes.push(garden.apply(remainder, &[x, y], None));
    }
    let sum = garden.apply(Op::Add, &[x, y], None);
    shapes.push(garden.apply(Op::Add, &[sum, one], None));
    for (yes, no) in [(x, y), (one, zero), (two, x), (x, one)] {
        shapes.push(garden.apply(Op::Ite, &[p, yes, no], None));
    }
    if width > 1 {
        for (of, low) in [(x, 0), (y, 0), (x, 1)] {
            let part = garden.apply(Op::Extract(low), &[of], Some(Sort::Bits(width - 1)));
            shapes.push(garden.apply(Op::ZeroExtend, &[part], Some(sort)));
            shapes.push(garden.apply(Op::SignExtend, &[part], Some(sort)));
        }
        let top = garden.apply(Op::Extract(width - 1), &[x], Some(Sort::Bits(1)));
        for of in [x, y] {
            let rest = garden.apply(Op::Extract(0), &[of], Some(Sort::Bits(width - 1)));
            shapes.push(garden.apply(Op::Concat, &[top, rest], None));
            shapes.push(garden.apply(Op::Concat, &[rest, top], None));
        }
    }
    shapes
}

const OPERATORS: [Op; 19] = [
    Op::Equal,
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
    Op::UmulOverflows,
    Op::SmulOverflows,
    Op::Concat,
];

/// All operators on all pairs of shapes.
fn pairs(garden: &mut Garden, width: u32) -> Vec<Plant> {
    let shapes = shapes(garden, width);
    let p = garden.variable("p", Sort::Bool);
    let mut made = Vec::new();
    for &a in &shapes {
        for op in [Op::BitNot, Op::Neg] {
            made.push(garden.apply(op, &[a], None));
        }
        for wanted in [width, width + 2] {
            made.push(garden.apply(Op::ZeroExtend, &[a], Some(Sort::Bits(wanted))));
            made.push(garden.apply(Op::SignExtend, &[a], Some(Sort::Bits(wanted))));
        }
        for low in 0..width {
            for part in 1..=width - low {
                made.push(garden.apply(Op::Extract(low), &[a], Some(Sort::Bits(part))));
            }
        }
        for &b in &shapes {
            for op in OPERATORS {
                made.push(garden.apply(op, &[a, b], None));
            }
            made.push(garden.apply(Op::Ite, &[p, a, b], None));
        }
    }
    made
}

#[test]
fn operators_on_all_pairs_of_shapes_keep_their_values() {
    for (width, assignments) in [(1, 12), (2, 20), (3, 20), (5, 8)] {
        let mut garden = Garden::new(u64::from(width), Soil { variables: 0, ..PURE });
        let made = pairs(&mut garden, width);
        agree(&mut garden, &made, assignments);
    }
}

#[test]
fn operators_on_all_pairs_of_truth_values_keep_their_values() {
    let mut garden = Garden::new(0, Soil { variables: 0, ..PURE });
    let [p, q, r] = ["p", "q", "r"].map(|name| garden.variable(name, Sort::Bool));
    let mut level = vec![p, q, r];
    for depth in 0..2 {
        let mut next = level.clone();
        let constants = [true, false].map(|value| Plant { plain: garden.plain.bool(value), simple: garden.simple.bool(value) });
        next.extend(constants);
        for &a in &level {
            next.push(garden.apply(Op::Not, &[a], None));
            for &b in &level {
                for op in [Op::And, Op::Or, Op::Xor, Op::Equal] {
                    next.push(garden.apply(op, &[a, b], None));
                }
                if depth == 0 {
                    next.push(garden.apply(Op::Ite, &[p, a, b], None));
                    next.push(garden.apply(Op::Ite, &[a, b, q], None));
                }
            }
        }
        // What is the same in both stores already need not be combined again.
        next.sort_by_key(|plant| (plant.simple, plant.plain));
        next.dedup_by_key(|plant| plant.simple);
        level = next;
    }
    agree(&mut garden, &level, 30);
}

#[test]
fn operators_on_pairs_of_shapes_are_proved_equivalent() {
    for (width, products) in [(4, true), (8, false), (13, false), (32, false)] {
        let mut garden = Garden::new(u64::from(width), Soil { variables: 0, ..PURE });
        let made = pairs(&mut garden, width);
        // All questions of a batch at once: a disjunction of differences that has no model.
        let hard = |garden: &Garden, plant: Plant| {
            let cone = garden.plain.cone(&[plant.plain]);
            cone.iter().any(|&term| {
                matches!(garden.plain.op(term), Op::Mul | Op::Udiv | Op::Urem | Op::Sdiv | Op::Srem | Op::UmulOverflows | Op::SmulOverflows)
            })
        };
        let mut chosen: Vec<Plant> = Vec::new();
        for plant in made {
            if garden.random.below(if products { 8 } else { 40 }) == 0 && (products || !hard(&garden, plant)) {
                chosen.push(plant);
            }
        }
        assert!(chosen.len() > 300);
        let mut context = Context::new();
        for plant in chosen {
            let again = rebuild(&garden.simple, plant.simple, &mut garden.plain);
            let differ = garden.plain.differ(plant.plain, again);
            let answer = context.solve(&mut garden.plain, &[differ], &Budget::unlimited());
            assert_eq!(answer, Answer::Unsat, "\n{}\nis no\n{}", garden.plain.display(plant.plain), garden.plain.display(again));
        }
    }
}

#[test]
fn arrays_with_all_elements_written_are_compared_by_elements() {
    let zeros = logic::ArrayValue::constant(Bits::zero(2));
    let mut ones = zeros.clone();
    ones.set(Bits::zero(1), Bits::one(2));
    assert_ne!(ones, logic::ArrayValue::constant(Bits::one(2)));
    ones.set(Bits::one(1), Bits::one(2));
    assert_eq!(ones, logic::ArrayValue::constant(Bits::one(2)));
    assert_ne!(ones, zeros);
}

/// What a table says of each character, two bytes apart, in the middle of other things.
#[test]
fn bits_of_aligned_entries_are_conditions_on_the_index() {
    let (first, entries) = (0x0700_0040_u128, 256_u128);
    let mut content = logic::ArrayValue::constant(Bits::new(16, 0x0100));
    let entry = |number: u128| match number {
        9..=13 | 32 => 0x2100,
        48..=57 => 0x1908,
        number => 0x0100 | (number % 7),
    };
    for number in 0..entries {
        content.set(Bits::new(32, first + 2 * number), Bits::new(16, entry(number)));
    }
    content.set(Bits::new(32, first - 1), Bits::new(16, 0xffff));
    let mut terms = logic::Terms::new();
    let table = terms.table(32, content);
    let character = terms.variable("character", Sort::Bits(8));
    let Op::Variable(variable) = terms.op(character) else { panic!("a variable") };
    let (zero, high, start) = (terms.zero(1), terms.number(8, 0x07), terms.number(24, first & 0xff_ffff));
    let wide = terms.zero_extend(character, 23);
    let doubled = terms.concat(wide, zero);
    let low = terms.add(start, doubled);
    let index = terms.concat(high, low);
    let read = terms.select(table, index);
    for bit in [0, 3, 8, 11, 13] {
        let found = terms.test_bit(read, bit);
        let mask = terms.number(16, 1 << bit);
        let masked = terms.bit_and(read, mask);
        let tested = terms.nonzero(masked);
        let in_table = terms.display(found).to_string().contains("?()[");
        assert_eq!(in_table, bit == 0, "bit {bit}: {}", terms.display(found));
        assert!(found == tested || in_table, "bit {bit}: {}", terms.display(tested));
        for number in 0..entries {
            let mut assignment = logic::Assignment::new();
            assignment.set(variable, logic::Value::Bits(Bits::new(8, number)));
            let value = Evaluator::new(&terms, &assignment).value(found).cloned();
            assert_eq!(value, Some(logic::Value::Bool(entry(number) >> bit & 1 == 1)), "bit {bit} of {number}");
        }
    }
    let found = terms.test_bit(read, 11);
    assert_eq!(terms.display(found).to_string(), "48 <= character && character <= 57");
    // The solver needs few axioms for what it reads from the table itself: runs of equal entries are one.
    let digit = terms.number(16, 0x1908);
    let is_digit = terms.equal(read, digit);
    let (least, most) = (terms.number(8, 48), terms.number(8, 57));
    let (from, to) = (terms.ule(least, character), terms.ule(character, most));
    let between = terms.and(from, to);
    let wrong = terms.implies(between, is_digit);
    let wrong = terms.not(wrong);
    let mut context = Context::new();
    assert_eq!(context.solve(&mut terms, &[wrong], &Budget::unlimited()), Answer::Unsat);
    assert!(context.statistics().lemmas <= 2, "{}", context.statistics().lemmas);
}

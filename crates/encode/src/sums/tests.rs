use logic::{Assignment, Bits, Evaluator, Op, Sort, Terms, Value};

use super::{Sum, Summand};
use crate::formula::Relation;

/// `(p + n) + (room - n)`, where control took one of two ways.
fn moved(terms: &mut Terms, signed: bool, extended: bool) -> (Sum, Sum) {
    let (p, room) = (terms.variable("p", Sort::Bits(5)), terms.variable("room", Sort::Bits(4)));
    let (n, moves) = (terms.variable("n", Sort::Bits(3)), terms.variable("moves", Sort::Bool));
    let sum = |p, room| Sum {
        parts: vec![Summand { factor: 1, term: p, signed: true }, Summand { factor: 1, term: room, signed }],
        constant: -6,
    };
    let n = terms.bit_not(n);
    let wide = terms.resize(n, 4, extended);
    let (wide, less) = (terms.resize(wide, 5, extended), wide);
    let (more, less) = (terms.add(p, wide), terms.sub(room, less));
    let (after, left) = (terms.ite(moves, more, p), terms.ite(moves, less, room));
    (sum(p, room), sum(after, left))
}

#[test]
fn what_is_cancelled_says_what_the_plain_comparison_says() {
    for (signed, relation) in [(true, Relation::AtMost), (false, Relation::AtMost), (true, Relation::Equal), (false, Relation::Different)] {
        for extended in [true, false] {
            let mut terms = Terms::new();
            let (_, after) = moved(&mut terms, signed, extended);
            let short = after.settled(&mut terms, relation).unwrap();
            let plain = after.compared(&mut terms, relation).unwrap();
            assert_ne!(short, plain);
            let variables: Vec<_> = terms.variable_terms().collect();
            for values in 0..1u128 << 13 {
                let mut model = Assignment::new();
                let mut rest = values;
                for (variable, term) in &variables {
                    let width = match terms.sort(*term) {
                        Sort::Bits(width) => width,
                        _ => 1,
                    };
                    let low = rest & ((1 << width) - 1);
                    rest >>= width;
                    let is_bool = terms.sort(*term) == Sort::Bool;
                    model.set(*variable, if is_bool { Value::Bool(low == 1) } else { Value::Bits(Bits::new(width, low)) });
                }
                let mut evaluator = Evaluator::new(&terms, &model);
                assert_eq!(evaluator.holds(short), evaluator.holds(plain), "{values}");
            }
        }
    }
}

#[test]
fn what_is_left_is_what_was_before() {
    let mut terms = Terms::new();
    let (before, after) = moved(&mut terms, true, true);
    let before = before.settled(&mut terms, Relation::AtMost).unwrap();
    let after = after.settled(&mut terms, Relation::AtMost).unwrap();
    let &[_, moved, stayed] = terms.args(after) else { panic!("no choice: {:?}", terms.op(after)) };
    assert_eq!(stayed, before);
    assert_eq!(terms.op(moved), Op::Ite);
    assert_eq!(terms.args(moved)[1], before);
}

//! What ends a question early, what is refused, and what must not be too much.

use logic::sat::{Batsat, Budget, Interrupt, Reason, SatSolver};
use logic::{Answer, Assignment, Bits, Context, Dump, Evaluator, Sort, Term, Terms, Unknown};
use std::collections::HashMap;

/// A question that takes many conflicts: a product of two odd primes.
fn factors(terms: &mut Terms) -> Term {
    let (x, y) = (terms.variable("x", Sort::Bits(24)), terms.variable("y", Sort::Bits(24)));
    let (wide_x, wide_y) = (terms.zero_extend(x, 48), terms.zero_extend(y, 48));
    let (product, wanted) = (terms.mul(wide_x, wide_y), terms.number(48, 16_769_023 * 16_777_213));
    let one = terms.one(24);
    let parts = [terms.equal(product, wanted), terms.ult(one, x), terms.ult(one, y)];
    terms.all(parts)
}

fn budgets<S: SatSolver>(solver: S) {
    let mut terms = Terms::new();
    let question = factors(&mut terms);
    let mut context = Context::with_solver(solver);
    for conflicts in [0, 1, 100] {
        let answer = context.solve(&mut terms, &[question], &Budget::unlimited().with_conflicts(conflicts));
        assert_eq!(answer, Answer::Unknown(Unknown::Solver(Reason::Conflicts)));
    }
    let interrupt = Interrupt::new();
    interrupt.raise();
    let budget = Budget::unlimited().with_interrupt(interrupt.clone());
    assert_eq!(context.solve(&mut terms, &[question], &budget), Answer::Unknown(Unknown::Solver(Reason::Interrupted)));
    let past = Budget::unlimited().with_deadline(std::time::Instant::now());
    assert_eq!(context.solve(&mut terms, &[question], &past), Answer::Unknown(Unknown::Solver(Reason::Time)));
    // Nothing is lost: the context still answers.
    interrupt.clear();
    let x = terms.variable("x", Sort::Bits(24));
    let (zero, nonzero) = (terms.zero(24), terms.nonzero(x));
    let is_zero = terms.equal(x, zero);
    assert_eq!(context.solve(&mut terms, &[is_zero], &budget), Answer::Sat);
    assert_eq!(context.solve(&mut terms, &[is_zero, nonzero], &budget), Answer::Unsat);
}

#[test]
fn a_budget_ends_a_question() {
    budgets(logic::sat::Cadical::default());
    budgets(Batsat::default());
}

#[test]
fn another_thread_interrupts_a_question() {
    let mut terms = Terms::new();
    let question = factors(&mut terms);
    let interrupt = Interrupt::new();
    let other = interrupt.clone();
    let thread = std::thread::spawn(move || other.raise());
    let answer = Context::new().solve(&mut terms, &[question], &Budget::unlimited().with_interrupt(interrupt));
    assert_eq!(answer, Answer::Unknown(Unknown::Solver(Reason::Interrupted)));
    thread.join().unwrap();
}

#[test]
fn conflicts_are_those_of_all_searches_of_a_question() {
    let mut terms = Terms::new();
    let question = factors(&mut terms);
    let mut context = Context::new();
    let answer = context.solve(&mut terms, &[question], &Budget::unlimited().with_conflicts(500));
    assert_eq!(answer, Answer::Unknown(Unknown::Solver(Reason::Conflicts)));
    assert!(context.statistics().solver.conflicts <= 600);
}

/// Asks about a term and expects that it is refused.
fn refused(make: impl FnOnce(&mut Terms) -> Term) {
    let mut terms = Terms::new();
    let term = make(&mut terms);
    // Whatever is done with the term afterwards, nothing panics.
    for sort in [Sort::Bits(8), Sort::Bool] {
        let other = terms.variable("other", sort);
        for again in [terms.equal(term, other), terms.add(term, other), terms.concat(term, other), terms.select(term, other)] {
            terms.not(again);
        }
    }
    assert!(terms.error().is_some());
    let mut context = Context::new();
    assert!(matches!(context.solve(&mut terms, &[term], &Budget::unlimited()), Answer::Unknown(Unknown::IllSorted(_))));
    context.assert(&mut terms, term);
    assert!(matches!(context.solve(&mut terms, &[], &Budget::unlimited()), Answer::Unknown(Unknown::IllSorted(_))));
    assert!(context.core().is_empty());
}

#[test]
fn ill_sorted_terms_are_refused() {
    let array = Sort::Array { index: 8, element: 4 };
    let x = |terms: &mut Terms| terms.variable("x", Sort::Bits(8));
    let y = |terms: &mut Terms| terms.variable("y", Sort::Bits(9));
    let p = |terms: &mut Terms| terms.variable("p", Sort::Bool);
    let m = move |terms: &mut Terms| terms.variable("m", array);
    refused(|t| {
        let (a, b) = (x(t), y(t));
        t.add(a, b)
    });
    refused(|t| {
        let (a, b) = (x(t), y(t));
        t.equal(a, b)
    });
    refused(|t| {
        let (a, b) = (x(t), y(t));
        t.ult(a, b)
    });
    refused(|t| {
        let a = x(t);
        t.not(a)
    });
    refused(|t| {
        let a = p(t);
        t.bit_not(a)
    });
    refused(|t| {
        let (a, b) = (p(t), x(t));
        t.and(a, b)
    });
    refused(|t| {
        let (a, b) = (x(t), p(t));
        t.ite(a, b, b)
    });
    refused(|t| {
        let (a, b, c) = (p(t), x(t), y(t));
        t.ite(a, b, c)
    });
    refused(|t| {
        let a = x(t);
        t.extract(a, 8, 0)
    });
    refused(|t| {
        let a = x(t);
        t.extract(a, 2, 3)
    });
    refused(|t| {
        let a = x(t);
        t.extract(a, 0, 7)
    });
    refused(|t| {
        let a = x(t);
        t.extract(a, u32::MAX, 0)
    });
    refused(|t| {
        let a = x(t);
        t.extract(a, u32::MAX, u32::MAX)
    });
    refused(|t| {
        let a = x(t);
        t.zero_extend(a, 7)
    });
    refused(|t| {
        let a = x(t);
        t.sign_extend(a, 0)
    });
    refused(|t| {
        let a = x(t);
        t.resize(a, 0, true)
    });
    refused(|t| {
        let a = p(t);
        t.resize(a, 4, true)
    });
    refused(|t| {
        let a = m(t);
        t.resize(a, 4, false)
    });
    refused(|t| {
        let (a, b) = (m(t), y(t));
        t.select(a, b)
    });
    refused(|t| {
        let (a, b) = (m(t), x(t));
        t.store(a, b, b)
    });
    refused(|t| {
        let (a, b) = (m(t), x(t));
        t.copy(a, b, b, b, b)
    });
    refused(|t| {
        let (a, b) = (m(t), x(t));
        t.absent(a, b, b, b)
    });
    refused(|t| {
        let (a, b) = (m(t), x(t));
        let low = t.zero(4);
        t.within(a, b, b, 0, low, low)
    });
    refused(|t| {
        let (a, b) = (m(t), x(t));
        let other = t.variable("n", Sort::Array { index: 8, element: 5 });
        t.agree(a, b, other, b, b, 1)
    });
    refused(|t| {
        let (a, b) = (m(t), x(t));
        t.agree(a, b, a, b, b, 0)
    });
    refused(|t| {
        let a = m(t);
        t.constant_array(4, a)
    });
    refused(|t| {
        let a = x(t);
        t.constant_array(0, a)
    });
    refused(|t| {
        let a = x(t);
        t.float_neg(a)
    });
    refused(|t| t.variable("none", Sort::Bits(0)));
    refused(|t| t.variable("none", Sort::Array { index: 0, element: 1 }));
    refused(|t| {
        x(t);
        t.variable("x", Sort::Bool)
    });
    refused(|t| {
        let mut content = logic::ArrayValue::constant(Bits::zero(4));
        content.set(Bits::one(3), Bits::one(4));
        t.table(8, content)
    });
}

#[test]
fn only_truth_values_are_asserted() {
    let mut terms = Terms::new();
    let x = terms.variable("x", Sort::Bits(8));
    let mut context = Context::new();
    assert!(matches!(context.solve(&mut terms, &[x], &Budget::unlimited()), Answer::Unknown(Unknown::IllSorted(_))));
    // The question was wrong, but the context is not.
    assert_eq!(context.solve(&mut terms, &[], &Budget::unlimited()), Answer::Sat);
    context.assert(&mut terms, x);
    assert!(matches!(context.solve(&mut terms, &[], &Budget::unlimited()), Answer::Unknown(Unknown::IllSorted(_))));
}

#[test]
fn the_same_questions_have_the_same_models() {
    let run = || {
        let mut terms = Terms::new();
        let m = terms.variable("m", Sort::Array { index: 8, element: 8 });
        let indices: Vec<Term> = (0..12).map(|number| terms.variable(&format!("i{number}"), Sort::Bits(8))).collect();
        let mut context = Context::new();
        for pair in indices.windows(2) {
            let (a, b) = (terms.select(m, pair[0]), terms.select(m, pair[1]));
            let sum = terms.add(a, pair[1]);
            let less = terms.ult(b, sum);
            context.assert(&mut terms, less);
        }
        assert_eq!(context.solve(&mut terms, &[], &Budget::unlimited()), Answer::Sat);
        let model = context.model(&terms);
        terms.variable_terms().map(|(variable, _)| format!("{:?}", model.get(variable))).collect::<Vec<_>>()
    };
    assert_eq!(run(), run());
}

/// Makes a term, then does everything with it that walks over terms.
fn walk(mut terms: Terms, term: Term) {
    let truth = if terms.sort(term) == Sort::Bool {
        term
    } else {
        let zero = terms.zero(terms.width(term));
        terms.equal(term, zero)
    };
    assert!(terms.size(&[truth]) > 100_000);
    assert!(!terms.free_variables(&[truth]).is_empty());
    let assignment = Assignment::new();
    assert!(Evaluator::new(&terms, &assignment).holds(truth).is_some());
    let (x, other) = (terms.variable("x", Sort::Bits(8)), terms.variable("other", Sort::Bits(8)));
    let replaced = terms.substitute(truth, &HashMap::from_iter([(x, other)]));
    assert_ne!(replaced, truth);
    assert!(!terms.display(truth).to_string().is_empty());
    let script = logic::smtlib::script(&mut terms, &[truth], &[]);
    assert!(logic::smtlib::parse(&mut Terms::new(), &script).is_ok());
    let mut context = Context::new();
    let answer = context.solve(&mut terms, &[truth], &Budget::unlimited().with_conflicts(0));
    assert!(!matches!(answer, Answer::Unknown(Unknown::IllSorted(_) | Unknown::Unsupported(_))), "{answer:?}");
}

const DEEP: u32 = 200_000;

#[test]
fn deep_sums_are_no_problem() {
    let mut terms = Terms::new();
    let (x, y) = (terms.variable("x", Sort::Bits(8)), terms.variable("y", Sort::Bits(8)));
    let mut sum = x;
    for number in 0..DEEP {
        sum = if number % 2 == 0 { terms.add(sum, y) } else { terms.bit_xor(sum, x) };
    }
    // Rules that look through it, too.
    terms.extract(sum, 3, 0);
    terms.sub(sum, y);
    walk(terms, sum);
}

#[test]
fn deep_choices_are_no_problem() {
    let mut terms = Terms::new();
    let x = terms.variable("x", Sort::Bits(8));
    let mut choice = x;
    for number in 0..DEEP {
        let value = terms.number(8, u128::from(number % 200));
        let is = terms.equal(x, value);
        let condition = if number % 3 == 0 { terms.not(is) } else { is };
        let next = terms.number(8, u128::from(number % 77));
        choice = if number % 2 == 0 { terms.ite(condition, next, choice) } else { terms.ite(condition, choice, next) };
        let changed = terms.bit_xor(choice, x);
        choice = if number % 10 == 0 { changed } else { choice };
    }
    let seven = terms.number(8, 7);
    terms.ult(choice, seven);
    terms.extract(choice, 2, 1);
    walk(terms, choice);
}

#[test]
fn deep_conjunctions_are_no_problem() {
    let mut terms = Terms::new();
    let x = terms.variable("x", Sort::Bits(8));
    let wide = terms.zero_extend(x, 32);
    let mut all = terms.bool(true);
    for number in 0..DEEP {
        let value = terms.number(32, u128::from(number));
        let product = terms.add(wide, value);
        let changed = terms.bit_xor(product, wide);
        let differ = terms.differ(changed, value);
        all = if number % 5 == 0 { terms.or(all, differ) } else { terms.and(all, differ) };
    }
    walk(terms, all);
}

#[test]
fn deep_arrays_are_no_problem() {
    let mut terms = Terms::new();
    let x = terms.variable("x", Sort::Bits(8));
    let mut array = terms.variable("m", Sort::Array { index: 32, element: 8 });
    let wide = terms.zero_extend(x, 32);
    for number in 0..DEEP {
        let at = terms.number(32, u128::from(number));
        let at = if number % 1000 == 0 { terms.add(at, wide) } else { at };
        array = terms.store(array, at, x);
    }
    let last = terms.number(32, u128::from(DEEP + 1000));
    let element = terms.select(array, last);
    assert_eq!(terms.width(element), 8);
    assert!(terms.size(&[array]) > DEEP as usize);
    let mut context = Context::new();
    let zero = terms.equal(element, x);
    assert_eq!(context.solve(&mut terms, &[zero], &Budget::unlimited()), Answer::Sat);
}

#[test]
fn much_shared_terms_are_no_problem() {
    let mut terms = Terms::new();
    let (x, y) = (terms.variable("x", Sort::Bits(64)), terms.variable("y", Sort::Bits(64)));
    let mut sum = terms.mul(x, y);
    for _ in 0..300 {
        let square = terms.mul(sum, sum);
        sum = terms.add(square, sum);
        // Cutting goes into both operands.
        terms.extract(sum, 7, 0);
    }
    assert!(terms.len() < 1_000_000);
    let low = terms.extract(sum, 0, 0);
    let one = terms.one(1);
    let odd = terms.equal(low, one);
    assert!(terms.size(&[odd]) > 300);
}

#[test]
fn questions_are_written_to_files() {
    let folder = tempfile::tempdir().unwrap();
    let mut terms = Terms::new();
    let x = terms.variable("x", Sort::Bits(8));
    let (seven, nonzero) = (terms.number(8, 7), terms.nonzero(x));
    let less = terms.ult(x, seven);
    let mut context = Context::new();
    context.dump_to(Dump::new(folder.path(), "query"));
    context.assert(&mut terms, less);
    context.solve(&mut terms, &[], &Budget::unlimited());
    context.solve(&mut terms, &[nonzero], &Budget::unlimited());
    let mut names: Vec<String> =
        std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    assert_eq!(names, ["query-0001.smt2", "query-0002.smt2"]);
    for (assumptions, name) in names.iter().enumerate() {
        let text = std::fs::read_to_string(folder.path().join(name)).unwrap();
        let script = logic::smtlib::parse(&mut Terms::new(), &text).unwrap();
        assert_eq!(script.assumptions.len(), assumptions);
    }
}

//! Facts about segments of arrays: their values, and how much it takes to decide questions about them.

use logic::sat::Budget;
use logic::{Answer, ArrayValue, Assignment, Bits, Context, Evaluator, Sort, Term, Terms, Value};

use crate::garden::Random;

/// The indices of a segment, one by one, each with the one as far behind another index.
fn indices(from: &Bits, end: &Bits, step: u64, other: &Bits) -> Vec<(Bits, Bits)> {
    let (width, low) = (from.width(), end.width());
    let parts = |bits: &Bits| (bits.low_u128() >> low, bits.low_u128() & ((1 << low) - 1));
    let ((high, start), (other_high, other_start)) = (parts(from), parts(other));
    let distances = (0..end.low_u128().saturating_sub(start)).step_by(usize::try_from(step).unwrap_or(usize::MAX));
    let index = |high: u128, place: u128| Bits::new(width, high << low | place & ((1 << low) - 1));
    distances.map(|distance| (index(high, start + distance), index(other_high, other_start + distance))).collect()
}

#[test]
fn values_are_those_of_all_elements() {
    let mut random = Random(1);
    let (mut held, mut failed) = (0, 0);
    for round in 0..6000 {
        let (width, element) = (1 + random.below(4) as u32, 1 + random.below(3) as u32);
        let step = random.choose(&[1, 2, 3, 4, 5, 8, 1 << 40]);
        let sort = Sort::Array { index: width, element };
        let mut terms = if round % 2 == 0 { Terms::plain() } else { Terms::new() };
        let [a, b] = ["a", "b"].map(|name| terms.variable(name, sort));
        let chosen = terms.variable("chosen", Sort::Bool);
        let mut assignment = Assignment::new();
        for (variable, term) in terms.variable_terms().collect::<Vec<_>>() {
            if terms.sort(term) == Sort::Bool {
                assignment.set(variable, Value::Bool(random.below(2) == 0));
                continue;
            }
            // Mostly the same, so that not everything fails.
            let mut content = ArrayValue::constant(Bits::zero(element));
            for _ in 0..random.below(3) {
                content.set(random.bits(width), random.bits(element));
            }
            assignment.set(variable, Value::Array(content));
        }
        let mut arrays = vec![a, b];
        for _ in 0..3 {
            let [at, from, count] = [(); 3].map(|()| terms.bits(random.bits(width)));
            let (x, y) = (random.choose(&arrays), random.choose(&arrays));
            let value = terms.bits(random.bits(element));
            arrays.push(if random.below(2) == 0 { terms.copy(x, at, y, from, count) } else { terms.store(x, at, value) });
        }
        let (x, y) = (random.choose(&arrays), random.choose(&arrays));
        let [from, other] = [(); 2].map(|()| random.bits(width));
        let low_bits = 1 + random.below(width as usize) as u32;
        let end = random.bits(low_bits);
        let [low, high] = [(); 2].map(|()| random.bits(element));
        let [from_term, other_term, end_term] = [&from, &other, &end].map(|bits| terms.bits(bits.clone()));
        let [low_term, high_term] = [&low, &high].map(|bits| terms.bits(bits.clone()));
        let within = terms.within(x, from_term, end_term, step, low_term, high_term);
        let agree = terms.agree(x, from_term, y, other_term, end_term, step);
        let elsewhere = terms.bits(random.bits(low_bits));
        let without = terms.within(x, other_term, elsewhere, step, low_term, high_term);
        let (from_chosen, end_chosen) = (terms.ite(chosen, from_term, other_term), terms.ite(chosen, end_term, elsewhere));
        let either = terms.within(x, from_chosen, end_chosen, step, low_term, high_term);
        let (here, there): (Vec<Bits>, Vec<Bits>) = indices(&from, &end, step, &other).into_iter().unzip();
        let reads = |terms: &mut Terms, array: Term, indices: Vec<Bits>| -> Vec<Bits> {
            let reads: Vec<Term> = indices
                .into_iter()
                .map(|index| {
                    let index = terms.bits(index);
                    terms.select(array, index)
                })
                .collect();
            let mut evaluator = Evaluator::new(terms, &assignment);
            reads.iter().map(|&read| evaluator.value(read).unwrap().as_bits().unwrap().clone()).collect()
        };
        let (left, right) = (reads(&mut terms, x, here), reads(&mut terms, y, there));
        let expected_within = left.iter().all(|value| value.sub(&low).ule(&high.sub(&low)));
        let mut evaluator = Evaluator::new(&terms, &assignment);
        assert_eq!(evaluator.holds(within), Some(expected_within), "{}", terms.display(within));
        assert_eq!(evaluator.holds(agree), Some(left == right), "{}", terms.display(agree));
        let expected = if evaluator.holds(chosen) == Some(true) { within } else { without };
        assert_eq!(evaluator.holds(either), evaluator.holds(expected), "{}", terms.display(either));
        held += usize::from(expected_within) + usize::from(left == right);
        failed += usize::from(!expected_within) + usize::from(left != right);
    }
    assert!(held > 1000 && failed > 1000, "{held} held, {failed} failed");
}

#[test]
fn long_segments_are_evaluated_without_enumeration() {
    let mut terms = Terms::new();
    let m = terms.variable("m", Sort::Array { index: 64, element: 8 });
    let [zero, five, nine] = [0, 5, 9].map(|value| terms.number(8, value));
    let fives = terms.constant_array(64, five);
    let [start, other, size, size_more] = [1 << 20, 3, 3 << 40, (3 << 40) + 1].map(|value| terms.number(64, value));
    let copied = terms.copy(m, start, fives, other, size);
    let last = terms.number(64, (1 << 20) + (3 << 40));
    let [end, end_more] = [size, size_more].map(|size| terms.add(start, size));
    let stored = terms.store(copied, last, nine);
    let holds = |term: Term, expected: bool, terms: &Terms| {
        assert_eq!(Evaluator::new(terms, &Assignment::new()).holds(term), Some(expected), "{}", terms.display(term));
    };
    let term = terms.within(stored, start, end, 1, five, five);
    holds(term, true, &terms);
    let term = terms.within(stored, start, end_more, 1, five, five);
    holds(term, false, &terms);
    // The last index is a multiple of 3 away, but not of 7.
    let term = terms.within(stored, start, end_more, 3, five, five);
    holds(term, false, &terms);
    let term = terms.within(stored, start, end_more, 7, five, five);
    holds(term, true, &terms);
    let term = terms.agree(stored, start, fives, other, end, 1);
    holds(term, true, &terms);
    let all = terms.ones(64);
    let term = terms.agree(stored, start, m, start, all, 1);
    holds(term, false, &terms);
    let term = terms.within(m, start, all, 1, zero, five);
    holds(term, true, &terms);
}

#[test]
fn what_is_known_of_a_segment_is_known_where_it_is_chosen() {
    let mut terms = Terms::new();
    let m = terms.variable("m", Sort::Array { index: 64, element: 8 });
    let [old, new] = ["old", "new"].map(|name| terms.variable(name, Sort::Bits(64)));
    let [old_end, new_end] = ["old end", "new end"].map(|name| terms.variable(name, Sort::Bits(40)));
    let (low, high) = (terms.one(8), terms.ones(8));
    let renewed = terms.variable("renewed", Sort::Bool);
    let before = terms.within(m, old, old_end, 1, low, high);
    let (from, end) = (terms.ite(renewed, new, old), terms.ite(renewed, new_end, old_end));
    let after = terms.within(m, from, end, 1, low, high);
    assert_eq!(terms.args(after).last(), Some(&before), "{}", terms.display(after));
}

const WORDS: Sort = Sort::Array { index: 64, element: 32 };

/// What a question costs: searches and lemmas.
fn cost(context: &mut Context, terms: &mut Terms, assumptions: &[Term], expected: Answer) -> (u64, u64) {
    let before = context.statistics();
    let answer = context.solve(terms, assumptions, &Budget::unlimited());
    assert_eq!(answer, expected);
    let after = context.statistics();
    (after.solver.solves - before.solver.solves, after.lemmas - before.lemmas)
}

/// One more element is written at the end of a segment. What holds before, that the new element fits, and that the longer segment is wrong after all.
struct Extension {
    before: Vec<Term>,
    fits: Term,
    wrong: Term,
}

impl Extension {
    /// With the new memory as a term, or as a variable that equals it.
    fn new(terms: &mut Terms, step: u64, direct: bool) -> Extension {
        let memory = terms.variable("memory", WORDS);
        let [from, count] = ["from", "count"].map(|name| terms.variable(name, Sort::Bits(64)));
        let [value, low, high] = ["value", "low", "high"].map(|name| terms.variable(name, Sort::Bits(32)));
        let at = terms.add(from, count);
        let written = terms.store(memory, at, value);
        let next = if direct { written } else { terms.variable("next", WORDS) };
        let (size, limit, zero) = (terms.number(64, u128::from(step)), terms.number(64, 1 << 40), terms.zero(64));
        let (rest, more) = (terms.urem(count, size), terms.add(at, size));
        let before = vec![
            terms.equal(next, written),
            terms.within(memory, from, at, step, low, high),
            terms.ult(count, limit),
            terms.ult(from, limit),
            terms.equal(rest, zero),
        ];
        let (distance, range) = (terms.sub(value, low), terms.sub(high, low));
        let after = terms.within(next, from, more, step, low, high);
        Extension { before, fits: terms.ule(distance, range), wrong: terms.not(after) }
    }
}

#[test]
fn bounds_that_are_kept_take_few_searches() {
    for (step, direct) in [(1, true), (1, false), (4, true), (4, false), (8, true)] {
        let mut terms = Terms::new();
        let mut context = Context::new();
        let Extension { mut before, fits, wrong } = Extension::new(&mut terms, step, direct);
        before.push(wrong);
        let fitting: Vec<Term> = before.iter().copied().chain([fits]).collect();
        let (searches, lemmas) = cost(&mut context, &mut terms, &fitting, Answer::Unsat);
        assert!(searches <= 2 && lemmas <= 8, "{searches} searches and {lemmas} lemmas for step {step}");
        assert!(context.statistics().solver.conflicts < 2000);
        let (searches, lemmas) = cost(&mut context, &mut terms, &before, Answer::Sat);
        assert!(searches <= 2 && lemmas <= 4, "{searches} searches and {lemmas} lemmas for step {step}");
    }
}

#[test]
fn many_facts_about_one_array_take_few_searches() {
    let mut terms = Terms::new();
    let memory = terms.variable("memory", WORDS);
    let (count, value) = (terms.variable("count", Sort::Bits(64)), terms.variable("value", Sort::Bits(32)));
    let (limit, one, low) = (terms.number(64, 1 << 30), terms.one(64), terms.number(32, 10));
    let mut before = vec![terms.ult(count, limit)];
    let mut goals = Vec::new();
    for number in 0..50 {
        let base = terms.variable(&format!("base{number}"), Sort::Bits(64));
        let from = if number % 2 == 0 { base } else { terms.number(64, number << 32) };
        let high = terms.number(32, 20 + number);
        let at = terms.add(from, count);
        let more = terms.add(at, one);
        before.push(terms.within(memory, from, at, 1, low, high));
        before.push(terms.ult(from, at));
        let written = terms.store(memory, at, value);
        let after = terms.within(written, from, more, 1, low, high);
        let (distance, range) = (terms.sub(value, low), terms.sub(high, low));
        goals.push((terms.ule(distance, range), terms.not(after)));
    }
    let mut context = Context::new();
    for (fits, wrong) in goals {
        for (more, expected) in [(vec![fits, wrong], Answer::Unsat), (vec![wrong], Answer::Sat)] {
            let all: Vec<Term> = before.iter().copied().chain(more).collect();
            let (searches, lemmas) = cost(&mut context, &mut terms, &all, expected);
            assert!(searches <= 3 && lemmas <= 40, "{searches} searches and {lemmas} lemmas");
        }
    }
}

#[test]
fn copying_one_more_element_takes_few_searches() {
    for step in [1, 4] {
        let mut terms = Terms::new();
        let [target, source] = ["target", "source"].map(|name| terms.variable(name, WORDS));
        let [to, from, count] = ["to", "from", "count"].map(|name| terms.variable(name, Sort::Bits(64)));
        let (size, limit, zero) = (terms.number(64, u128::from(step)), terms.number(64, 1 << 40), terms.zero(64));
        let rest = terms.urem(count, size);
        let (here, there) = (terms.add(to, count), terms.add(from, count));
        let value = terms.select(source, there);
        let written = terms.store(target, here, value);
        let more = terms.add(here, size);
        let after = terms.agree(written, to, source, from, more, step);
        let mut all = vec![
            terms.agree(target, to, source, from, here, step),
            terms.ult(count, limit),
            terms.ult(to, limit),
            terms.equal(rest, zero),
            terms.not(after),
        ];
        let mut context = Context::new();
        let (searches, lemmas) = cost(&mut context, &mut terms, &all, Answer::Unsat);
        assert!(searches <= 5 && lemmas <= 12, "{searches} searches and {lemmas} lemmas for step {step}");
        // What is written elsewhere does no harm; what is written inside does.
        let (somewhere, word) = (terms.variable("somewhere", Sort::Bits(64)), terms.variable("word", Sort::Bits(32)));
        let changed = terms.store(target, somewhere, word);
        let changed = terms.agree(changed, to, source, from, here, step);
        let distance = terms.sub(somewhere, to);
        let inside = terms.ult(distance, count);
        all.truncate(4);
        all.extend([terms.not(changed), terms.not(inside)]);
        let (searches, lemmas) = cost(&mut context, &mut terms, &all, Answer::Unsat);
        assert!(searches <= 5 && lemmas <= 12, "{searches} searches and {lemmas} lemmas for step {step}");
        all.pop();
        let (searches, lemmas) = cost(&mut context, &mut terms, &all, Answer::Sat);
        assert!(searches <= 6 && lemmas <= 16, "{searches} searches and {lemmas} lemmas for step {step}");
    }
}

#[test]
fn bounds_that_exclude_each_other_hold_in_different_segments() {
    let mut terms = Terms::new();
    let memory = terms.variable("memory", WORDS);
    let [a, b, n] = ["a", "b", "n"].map(|name| terms.variable(name, Sort::Bits(64)));
    let [end_a, end_b] = [a, b].map(|from| terms.add(from, n));
    let [one, nine, twenty] = [1, 9, 20].map(|value| terms.number(32, value));
    let least = terms.number(64, 100);
    let (first, second) = (terms.within(memory, a, end_a, 1, one, nine), terms.within(memory, b, end_b, 1, twenty, twenty));
    let long = terms.ult(least, n);
    let forward = [(a, end_a), (b, end_b)].map(|(from, end)| terms.ult(from, end));
    let large = terms.all(forward.into_iter().chain([long]));
    let mut context = Context::new();
    let (searches, lemmas) = cost(&mut context, &mut terms, &[first, second, large], Answer::Sat);
    assert!(searches <= 10 && lemmas <= 40, "{searches} searches and {lemmas} lemmas");
    // The fields of the elements of an array.
    let word = terms.number(64, 4);
    let (after, end) = (terms.add(a, word), terms.add(end_a, word));
    let (even, odd) = (terms.within(memory, a, end_a, 8, one, nine), terms.within(memory, after, end, 8, twenty, twenty));
    let (searches, lemmas) = cost(&mut context, &mut terms, &[even, odd, large], Answer::Sat);
    assert!(searches <= 10 && lemmas <= 40, "{searches} searches and {lemmas} lemmas");
    let same = terms.equal(a, b);
    cost(&mut context, &mut terms, &[first, second, large, same], Answer::Unsat);
}

#[test]
fn bounds_of_copies_are_bounds_of_what_was_copied() {
    let mut terms = Terms::new();
    let [target, source] = ["target", "source"].map(|name| terms.variable(name, WORDS));
    let [to, from, count] = ["to", "from", "count"].map(|name| terms.variable(name, Sort::Bits(64)));
    let (zero, least) = (terms.zero(32), terms.number(64, 5000));
    let copied = terms.copy(target, to, source, from, count);
    let (end_there, end_here) = (terms.add(to, count), terms.add(from, count));
    let (there, here) = (terms.absent(copied, to, end_there, zero), terms.absent(source, from, end_here, zero));
    let forward = terms.ult(to, end_there);
    let (long, wrong) = (terms.ult(least, count), terms.not(here));
    let mut context = Context::new();
    let (searches, _) = cost(&mut context, &mut terms, &[there, forward, long], Answer::Sat);
    assert!(searches <= 2, "{searches} searches");
    let (searches, _) = cost(&mut context, &mut terms, &[there, forward, wrong], Answer::Unsat);
    assert!(searches <= 6, "{searches} searches");
}

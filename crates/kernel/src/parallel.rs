//! Independent questions about one program, asked by several threads.

use std::sync::atomic::{AtomicUsize, Ordering};

use logic::Terms;
use logic::sat::Budget;

/// Terms may be deep.
const STACK: usize = 1 << 30;

/// The answers to some questions, without those that the budget leaves no time for. Each question begins with the terms of the program and no others, so the
/// answers do not depend on who asks what when. Another thread helps if there are so many questions for it.
pub(crate) fn answers<Q: Sync, A: Send>(
    terms: &mut Terms,
    questions: &[Q],
    least: usize,
    budget: &Budget,
    ask: impl Fn(&mut Terms, &Q) -> A + Sync,
) -> Vec<Option<A>> {
    let helpers = std::thread::available_parallelism().map_or(0, |cores| cores.get() - 1);
    answers_with(helpers.min(questions.len() / least), terms, questions, budget, ask)
}

/// The same with so many threads besides this one.
fn answers_with<Q: Sync, A: Send>(
    helpers: usize,
    terms: &mut Terms,
    questions: &[Q],
    budget: &Budget,
    ask: impl Fn(&mut Terms, &Q) -> A + Sync,
) -> Vec<Option<A>> {
    let next = AtomicUsize::new(0);
    let work = |terms: &mut Terms| {
        let mark = terms.mark();
        let mut found = Vec::new();
        while budget.exhausted().is_none() {
            let place = next.fetch_add(1, Ordering::Relaxed);
            let Some(question) = questions.get(place) else { break };
            found.push((place, ask(terms, question)));
            terms.forget(mark);
        }
        found
    };
    let found = std::thread::scope(|scope| {
        let mut threads = Vec::new();
        for _ in 0..helpers {
            let mut copy = terms.clone();
            threads.extend(std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, move || work(&mut copy)));
        }
        let mut found = work(terms);
        for thread in threads {
            found.extend(thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        found
    });
    let mut answers: Vec<Option<A>> = questions.iter().map(|_| None).collect();
    for (place, answer) in found {
        answers[place] = Some(answer);
    }
    answers
}

#[cfg(test)]
mod tests {
    use super::*;
    use logic::Sort;

    /// Numbers as terms that others have not made yet, and how many terms there are then.
    fn asked(terms: &mut Terms, number: &u128) -> (usize, usize) {
        let x = terms.fresh("x", Sort::Bits(32));
        let number = terms.number(32, *number);
        let sum = terms.add(x, number);
        (sum.index(), terms.len())
    }

    #[test]
    fn answers_do_not_depend_on_who_asks() {
        let numbers: Vec<u128> = (1000..1100).collect();
        let mut terms = Terms::new();
        terms.variable("y", Sort::Bits(32));
        let alone = answers_with(0, &mut terms, &numbers, &Budget::unlimited(), asked);
        assert_eq!(alone, vec![Some((3, 4)); numbers.len()]);
        assert_eq!(terms.len(), 1);
        for helpers in [1, 5] {
            assert_eq!(answers_with(helpers, &mut terms, &numbers, &Budget::unlimited(), asked), alone);
        }
    }

    #[test]
    fn there_are_no_answers_when_time_is_over() {
        let over = Budget::unlimited().with_deadline(std::time::Instant::now());
        for helpers in [0, 2] {
            assert_eq!(answers_with(helpers, &mut Terms::new(), &[1, 2, 3], &over, asked), [None; 3]);
        }
    }
}

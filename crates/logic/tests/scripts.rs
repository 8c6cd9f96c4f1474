//! The scripts in `tests/smtlib`: each has the answer that it expects, in every form in which it can be asked.

use std::path::Path;

use logic::sat::Budget;
use logic::smtlib::{Script, Status, parse, script};
use logic::{Answer, Context, Evaluator, Terms};

/// The answer to a script. If there is a model, everything holds in it.
fn answer(terms: &mut Terms, question: &Script, name: &str) -> Answer {
    let mut context = Context::new();
    for &assertion in &question.assertions {
        context.assert(terms, assertion);
    }
    let answer = context.solve(terms, &question.assumptions, &Budget::unlimited().with_conflicts(2_000_000));
    if answer == Answer::Sat {
        let model = context.model(terms);
        let mut evaluator = Evaluator::new(terms, &model);
        for &term in question.assertions.iter().chain(&question.assumptions) {
            assert_eq!(evaluator.holds(term), Some(true), "{name}: {}", terms.display(term));
        }
    }
    answer
}

#[test]
fn scripts_have_the_answers_that_they_expect() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/smtlib");
    let mut names: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    names.sort();
    assert!(names.len() >= 20);
    for path in names {
        let name = path.display().to_string();
        let text = std::fs::read_to_string(&path).unwrap();
        for mut terms in [Terms::new(), Terms::plain()] {
            let question = parse(&mut terms, &text).unwrap_or_else(|error| panic!("{name}:{error}"));
            let expected = match question.status {
                Some(Status::Sat) => Answer::Sat,
                Some(Status::Unsat) => Answer::Unsat,
                None => panic!("{name}: no status"),
            };
            assert_eq!(answer(&mut terms, &question, &name), expected, "{name}");
            // Written and read again, the question is still the same.
            let written = script(&mut terms, &question.assertions, &question.assumptions);
            let mut terms = Terms::new();
            let again = parse(&mut terms, &written).unwrap_or_else(|error| panic!("{name}, written again: {error}\n{written}"));
            assert_eq!(answer(&mut terms, &again, &name), expected, "{name}, written again");
        }
    }
}

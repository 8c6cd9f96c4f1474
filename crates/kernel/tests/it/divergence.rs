//! What the kernel accepts as a run that never ends: claims about all pairs of visits of loop heads, true and false ones.

use std::cell::RefCell;

use interp::{Extent, Inputs, Observer, Values};
use kernel::{Lasso, Repetition, Replay, Runs, UNVALUED};
use logic::sat::Budget;
use model::{BlockId, FunctionId, Program, Target};

use crate::pipeline::translate;

/// A visit: steps and values used until then, and where.
type Visit = (u64, usize, (FunctionId, BlockId));

/// How long programs run here.
const STEPS: u64 = 400;

fn runs(program: &Program) -> Runs<'_> {
    Runs::new(&Replay { program, analysed: program, function: None, limits: interp::Limits::default() }, Budget::unlimited())
}

/// The distances, in visits of the same head, of all claims that are accepted; all inputs are 1.
fn accepted(source: &str, extent: Extent, inside: bool) -> Vec<usize> {
    let mut distances: Vec<usize> = repetitions(source, extent, inside, None).into_iter().map(|(distance, _)| distance).collect();
    distances.sort_unstable();
    distances.dedup();
    distances
}

/// All claims that are accepted, with their distances.
fn repetitions(source: &str, extent: Extent, inside: bool, unvalued: Option<u128>) -> Vec<(usize, Repetition)> {
    let program = translate(source, Target::Lp64);
    let runs = runs(&program);
    let visits: RefCell<Vec<Visit>> = RefCell::default();
    let observer: Observer<'_> = Box::new(|machine, position| {
        visits.borrow_mut().push((machine.steps, machine.used.len(), (position.function, position.block)));
        true
    });
    let marks = if extent == Extent::Whole { &runs.heads } else { &runs.entries };
    let inputs = Inputs { values: Values::Ask(Box::new(|_| Some(1))), ..Inputs::default() };
    let ended = runs.run(inputs, STEPS, Some(marks), observer);
    let values: Vec<u128> = ended.used.iter().map(|used| used.value).collect();
    let visits = visits.into_inner();
    let mut found = Vec::new();
    for (first, &(from, stem, head)) in visits.iter().enumerate().take(12) {
        let same = visits.iter().skip(first + 1).filter(|visit| visit.2 == head).take(6);
        for (distance, &(to, used, _)) in (1..).zip(same) {
            let lasso = Lasso {
                arguments: vec![b"program".to_vec()],
                stdin: Vec::new(),
                values: values[..used].to_vec(),
                stem,
                times: (from, to),
                extent,
                inside: inside.then_some(head),
                unvalued,
            };
            found.extend(runs.confirm(&lasso).map(|run| (distance, run)));
        }
    }
    found
}

#[test]
fn a_state_that_comes_back() {
    let source = "int main(void) { int x = 0; while (1) x = x == 2 ? 0 : x + 1; }";
    assert_eq!(accepted(source, Extent::Whole, false), [3, 6]);
    let fed = "int __VERIFIER_nondet_int(void); int main(void) { while (__VERIFIER_nondet_int()) ; return 0; }";
    assert_eq!(accepted(fed, Extent::Whole, false), [1, 2, 3, 4, 5, 6]);
}

#[test]
fn variables_without_value() {
    let source = "int main(void) { int x; while (x != 3) ; return 0; }";
    assert!(accepted(source, Extent::Whole, false).is_empty());
    // Inputs are 1 here: it holds nothing else.
    assert!(repetitions(source, Extent::Whole, false, Some(0)).is_empty());
    let (_, run) = repetitions(source, Extent::Whole, false, Some(1)).swap_remove(0);
    assert_eq!(run.unvalued, Some(1));
    let holding = |unvalued| Repetition { unvalued, ..run.clone() };
    assert!(Repetition::standing(vec![holding(Some(1))]).is_none());
    assert!(Repetition::standing(vec![holding(Some(1)), holding(None)]).is_some_and(|run| run.unvalued.is_none()));
    assert!(Repetition::standing(UNVALUED.map(Some).map(holding).to_vec()).is_some());
}

#[test]
fn loops_that_end() {
    for source in [
        "int main(void) { for (int i = 0; i < 9; i++) ; return 0; }",
        "int main(void) { for (unsigned i = 0; i < 3; i++) for (unsigned j = 0; j < 2; j++) ; return 0; }",
        "static unsigned left = 7; int main(void) { while (left) left--; return 0; }",
    ] {
        assert!(accepted(source, Extent::Whole, false).is_empty(), "{source}");
        assert!(accepted(source, Extent::Whole, true).is_empty(), "{source}");
    }
}

#[test]
fn variables_that_nobody_asks() {
    let counting = "int main(void) { unsigned n = 0; while (1) n++; }";
    assert!(accepted(counting, Extent::Whole, true).contains(&1));
    // In the last ones, a branch, an access, a signed number or a stored value depends on the counter.
    for source in [
        "int main(void) { unsigned n = 0; while (n != 1000) n++; return 0; }",
        "int main(void) { unsigned n = 0, m = 0; while (m < 1000) { m = n; n++; } return 0; }",
        "int main(void) { char a[2000] = {0}; unsigned n = 0; while (!a[n]) n++; return 0; }",
        "int main(void) { int n = 0; while (1) n++; }",
        "unsigned last; int main(void) { unsigned n = 0; while (1) { last = n; n++; } }",
    ] {
        assert!(accepted(source, Extent::Whole, true).is_empty(), "{source}");
    }
}

#[test]
fn calls_inside_of_calls() {
    let endless = "void f(int n) { if (n) f(n); } int main(void) { f(3); return 0; }";
    assert!(accepted(endless, Extent::Call, false).contains(&1));
    for source in [
        "void f(int n) { if (n) f(n - 1); } int main(void) { f(30); return 0; }",
        // The calls see the same, but the first ones have returned.
        "void f(int n) { if (n) n--; } int main(void) { for (int i = 0; i < 9; i++) f(3); return 0; }",
        "void *malloc(unsigned long); void f(int n) { if (n && malloc(4)) f(n); } int main(void) { f(3); return 0; }",
        "int left = 30; void f(void) { if (left-- > 0) f(); } int main(void) { f(); return 0; }",
    ] {
        assert!(accepted(source, Extent::Call, false).is_empty(), "{source}");
    }
}

#[test]
fn what_is_no_witness() {
    for source in [
        "int main(void) { int x; while (x) ; return 0; }",
        "int f(void); int main(void) { while (f()) ; return 0; }",
        "extern int x; int main(void) { while (!x) ; return 0; }",
    ] {
        assert!(accepted(source, Extent::Whole, false).is_empty(), "{source}");
    }
}

#[test]
fn memory_is_compared_as_memory() {
    let anew = "void *malloc(unsigned long); void free(void *);\n\
                int main(void) { while (1) { int *p = malloc(4); if (!p) return 1; *p = 7; free(p); } }";
    assert!(accepted(anew, Extent::Whole, false).contains(&1));
    let grows = "void *malloc(unsigned long); struct s { struct s *next; };\n\
                 int main(void) { struct s *list = 0; while (1) { struct s *p = malloc(8); if (!p) return 1; p->next = list; list = p; } }";
    assert!(accepted(grows, Extent::Whole, false).is_empty());
}

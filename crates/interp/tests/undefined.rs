//! Undefined behaviour of every kind is noticed at its place, and a repaired twin runs clean.

mod harness;
mod samples;

use harness::run;
use interp::{End, Policy, Reaction};
use model::CheckKind;

/// What C leaves undefined, also where GCC defines it.
fn strict() -> Policy {
    let mut policy = Policy::default();
    policy.set(CheckKind::SignedOverflow, Reaction::Stop);
    policy
}

#[test]
fn samples_go_wrong_where_they_should() {
    for sample in samples::samples() {
        let (end, _) = harness::run_with(&sample.source, strict());
        match (end, sample.fault) {
            (End::Fault(fault), Some(kind)) => {
                assert_eq!(
                    (fault.kind, Some(fault.span.line)),
                    (kind, sample.line()),
                    "{}: {}\n{}",
                    sample.group,
                    fault.message,
                    sample.source
                );
            }
            (end, _) => assert_eq!((end, sample.fault), (End::Exit(0), None), "{}\n{}", sample.group, sample.source),
        }
    }
}

#[test]
fn what_is_ignored_goes_on() {
    let source = "int main(void) { int x = 2147483647; x = x + 1; return x == -2147483647 - 1 ? 0 : 1; }";
    let (end, faults) = harness::run_with(source, Policy::all(Reaction::Ignore));
    assert_eq!((end, faults.len()), (End::Exit(0), 0));
    let (end, faults) = harness::run_with(source, Policy::all(Reaction::Record));
    assert_eq!((end, faults.len()), (End::Exit(0), 1));
}

#[test]
fn left_shifts_overflow_for_those_who_want_to_know() {
    let source = "int main(void) { unsigned char c = 255; return c << 24 == -16777216 ? 0 : 1; }";
    assert_eq!(run(source).0, End::Exit(0));
    assert!(matches!(harness::run_with(source, strict()).0, End::Fault(fault) if fault.message == "255 << 24 does not fit in 32 bits"));
    let (end, faults) = harness::run_with(source, Policy::all(Reaction::Record));
    assert_eq!((end, faults.len()), (End::Exit(0), 1));
}

#[test]
fn calls_are_told() {
    let (end, _) = run("int g(int *p) { return *p; }\nint f(int *p) { return g(p); }\nint main(void) { return f(0); }");
    let End::Fault(fault) = end else { panic!("{end:?}") };
    let names: Vec<&str> = fault.stack.iter().map(|call| call.function.as_str()).collect();
    assert_eq!(names, ["g", "f", "main"]);
}

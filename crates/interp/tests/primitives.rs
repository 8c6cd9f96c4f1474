//! The primitives of library functions that are written in C.

mod harness;

use harness::{run, run_with};
use interp::{End, Inputs, Machine, Policy, Reaction, Setup, Values};
use model::CheckKind;

const PROTOTYPES: &str = "typedef unsigned long size_t; typedef long ptrdiff_t;
    void *__loopfrog_allocate(size_t); void __loopfrog_free(void *); void __loopfrog_copy(void *, const void *, size_t);
    void __loopfrog_fill(void *, int, size_t); void __loopfrog_clear(void *, size_t); size_t __loopfrog_find(const void *, int, size_t); void __loopfrog_havoc(void *, size_t);
    int __loopfrog_nondet_int(void); void __loopfrog_assert(_Bool, const char *);
    size_t __loopfrog_size(const void *); ptrdiff_t __loopfrog_offset(const void *); _Bool __loopfrog_is_null(const void *);
    _Bool __loopfrog_alive(const void *); _Bool __loopfrog_heap(const void *); _Bool __loopfrog_writable(const void *);
    _Bool __loopfrog_same_object(const void *, const void *);\n";

fn with_prototypes(source: &str) -> String {
    format!("{PROTOTYPES}{source}")
}

/// The line of a piece of text in a source with prototypes.
fn line_of(source: &str, piece: &str) -> u32 {
    let source = with_prototypes(source);
    let line = source.lines().position(|line| line.contains(piece)).expect("the piece is there");
    line as u32 + 1
}

#[test]
fn memory_is_copied_filled_and_searched() {
    let source = "int main(void) {
        char *p = __loopfrog_allocate(8);
        __loopfrog_fill(p, 'x', 7); p[7] = 0;
        p[0] = 'a'; p[1] = 'b';
        __loopfrog_copy(p + 1, p, 3);
        if (p[0] != 'a' || p[1] != 'a' || p[2] != 'b' || p[3] != 'x') return 1;
        if (__loopfrog_find(p, 0, 8) != 7 || __loopfrog_find(p, 'b', 8) != 2 || __loopfrog_find(p, 0, 5) != 5) return 2;
        if (__loopfrog_find(p, 'q', 0) != 0) return 3;
        __loopfrog_clear(p, 8);
        if (__loopfrog_find(p, 'b', 8) != 8 || p[0] || p[7]) return 4;
        __loopfrog_free(p);
        __loopfrog_free(0);
        return 0; }";
    assert_eq!(run(&with_prototypes(source)).0, End::Exit(0));
}

#[test]
fn questions_about_pointers_are_answered() {
    let source = "int global; const int constant = 1;
        int *leaked(void) { int x = 0; return &x; }
        int main(void) {
        char *p = __loopfrog_allocate(8); int local[3];
        if (__loopfrog_size(p + 2) != 8 || __loopfrog_offset(p + 2) != 2 || __loopfrog_offset(p - 1) != -1) return 1;
        if (__loopfrog_size(local) != 12 || __loopfrog_size(0) != 0 || __loopfrog_offset((char *)0 + 3) != 3) return 2;
        if (__loopfrog_size(main) != 0 || __loopfrog_is_null(main) || !__loopfrog_alive(main)) return 3;
        if (!__loopfrog_is_null(0) || __loopfrog_alive(0) || __loopfrog_heap(0) || __loopfrog_is_null(p)) return 4;
        if (!__loopfrog_alive(p) || !__loopfrog_heap(p) || __loopfrog_heap(local) || !__loopfrog_alive(&global)) return 5;
        if (!__loopfrog_writable(p) || !__loopfrog_writable(&global) || __loopfrog_writable(\"text\") || __loopfrog_writable(&constant)) return 6;
        if (!__loopfrog_same_object(p, p + 8) || __loopfrog_same_object(p, local) || !__loopfrog_same_object(0, 0)) return 7;
        if (__loopfrog_same_object(p, 0) || __loopfrog_alive(leaked())) return 8;
        __loopfrog_free(p);
        if (__loopfrog_alive(p) || !__loopfrog_heap(p) || __loopfrog_is_null(p) || !__loopfrog_same_object(p, p + 1)) return 9;
        return 0; }";
    for target in [model::Target::Lp64, model::Target::Ilp32] {
        let options = frontend::Options { target, ..frontend::Options::default() };
        let program = frontend::translate("test.c", with_prototypes(source).as_bytes(), &options).program.unwrap();
        assert_eq!(Machine::new(&program, Setup::default()).unwrap().run_main(), End::Exit(0), "{target:?}");
    }
}

/// A copy keeps bytes without values without value; what is allocated has none.
#[test]
fn new_memory_has_no_values() {
    let source = "int main(void) { int *p = __loopfrog_allocate(8), *q = __loopfrog_allocate(8);
        p[1] = 5; __loopfrog_copy(q, p, 8);
        int r = q[1];
        return r + q[0]; }";
    let (end, _) = run_with(&with_prototypes(source), Policy::default());
    let End::Fault(fault) = end else { panic!("{end:?}") };
    assert_eq!((fault.kind, fault.span.line), (CheckKind::Uninitialised, line_of(source, "return r")));
}

#[test]
fn arbitrary_values_are_inputs_and_replayed() {
    let source = "int main(void) { unsigned char *p = __loopfrog_allocate(2); __loopfrog_havoc(p, 2);
        return (p[0] * 3 + p[1] * 5 + __loopfrog_nondet_int() % 7) & 63; }";
    let program = harness::translate(&with_prototypes(source));
    let run = |values| {
        let inputs = Inputs { values, ..Inputs::default() };
        let mut machine = Machine::new(&program, Setup { inputs, ..Setup::default() }).unwrap();
        (machine.run_main(), machine.used)
    };
    let (end, used) = run(Values::Seeded(5));
    let names: Vec<&str> = used.iter().map(|value| value.request.what.as_str()).collect();
    assert_eq!(names, ["__loopfrog_havoc", "__loopfrog_havoc", "__loopfrog_nondet_int"]);
    let list: Vec<u128> = used.iter().map(|value| value.value).collect();
    assert_eq!(run(Values::List(list.into_iter())), (end, used));
}

/// What a library function asserts is charged to the line that calls it.
#[test]
fn assertions_are_charged_to_the_caller() {
    let source = "char get(const char *p) {
            __loopfrog_assert(!__loopfrog_is_null(p), \"null: get from nothing\");
            __loopfrog_assert(__loopfrog_offset(p) < 2, \"bounds: too far\");
            return 'x'; }
        int user(void) {
            get(\"ab\");
            get(\"abc\" + 2);
            get(0);
            return 3; }
        int main(void) { return user(); }";
    let (end, _) = run_with(&with_prototypes(source), Policy::default());
    let End::Fault(fault) = end else { panic!("{end:?}") };
    let place = (fault.kind, fault.message.as_str(), fault.span.line);
    assert_eq!(place, (CheckKind::Bounds, "too far", line_of(source, "\"abc\" + 2")));
    let stack: Vec<&str> = fault.stack.iter().map(|call| call.function.as_str()).collect();
    assert_eq!(stack, ["user", "main"]);

    let (end, faults) = run_with(&with_prototypes(source), Policy::all(Reaction::Record));
    assert_eq!(end, End::Exit(3));
    let found: Vec<(CheckKind, u32)> = faults.iter().map(|fault| (fault.kind, fault.span.line)).collect();
    assert_eq!(found, [(CheckKind::Bounds, line_of(source, "\"abc\" + 2")), (CheckKind::Null, line_of(source, "get(0)"))]);
}

/// Without a caller the assertion itself is the place; a kind that does not exist is not passed over.
#[test]
fn assertions_without_caller_or_kind() {
    let source = "int main(void) {
        __loopfrog_assert(0, \"free: bare\");
        return 0; }";
    let (end, _) = run_with(&with_prototypes(source), Policy::default());
    let End::Fault(fault) = end else { panic!("{end:?}") };
    assert_eq!((fault.kind, fault.span.line, fault.stack.len()), (CheckKind::Free, line_of(source, "bare"), 1));

    let (end, _) = run_with(&with_prototypes(&source.replace("free", "frog")), Policy::default());
    assert!(matches!(end, End::Unsupported(..)), "{end:?}");
}

/// Nothing outside of objects is touched, whatever was asserted before.
#[test]
fn primitives_check_what_they_are_given() {
    for (command, kind) in [
        ("__loopfrog_copy(p + 4, p, 5)", CheckKind::Bounds),
        ("__loopfrog_fill(0, 0, 1)", CheckKind::Null),
        ("__loopfrog_find(\"abc\", 'x', 5)", CheckKind::Bounds),
        ("__loopfrog_free(p + 1)", CheckKind::Free),
        ("__loopfrog_free(p); __loopfrog_havoc(p, 1)", CheckKind::Dangling),
    ] {
        let source = format!("int main(void) {{ char *p = __loopfrog_allocate(8); __loopfrog_fill(p, 1, 8); {command}; return 0; }}");
        let (end, _) = run_with(&with_prototypes(&source), Policy::default());
        let End::Fault(fault) = end else { panic!("{command}: {end:?}") };
        assert_eq!(fault.kind, kind, "{command}");
    }
}

#[test]
fn the_memory_budget_holds() {
    let source = "int main(void) { __loopfrog_allocate(-1); return 0; }";
    assert!(matches!(run(&with_prototypes(source)).0, End::Budget(interp::Budget::Memory, _)));
}

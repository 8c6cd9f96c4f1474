//! Inputs, budgets, jumps, snapshots.

mod harness;

use harness::{run, translate};
use interp::{Budget, End, Inputs, Limits, Machine, Setup, Values, input};

#[test]
fn inputs_are_recorded_and_replayed() {
    let source = "int __VERIFIER_nondet_int(void); int main(void) { int x; int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(); return (a ^ b) & 63; }";
    let program = translate(source);
    let inputs = Inputs { values: Values::Seeded(7), ..Inputs::default() };
    let mut machine = Machine::new(&program, Setup { inputs, ..Setup::default() }).unwrap();
    let first = machine.run_main();
    assert_eq!(machine.used.len(), 2);
    let file = input::write_file(&machine.inputs.arguments, &machine.inputs.stdin, &machine.used, |_| "here".into());
    let inputs = input::read_file(&file).unwrap();
    let mut again = Machine::new(&program, Setup { inputs, ..Setup::default() }).unwrap();
    assert_eq!(again.run_main(), first);
    assert_eq!(again.used, machine.used);
}

#[test]
fn a_list_that_ends_too_early_is_told() {
    let program =
        translate("int __VERIFIER_nondet_int(void); int main(void) { return __VERIFIER_nondet_int() + __VERIFIER_nondet_int(); }");
    let inputs = Inputs { values: Values::List(vec![1].into_iter()), ..Inputs::default() };
    let end = Machine::new(&program, Setup { inputs, ..Setup::default() }).unwrap().run_main();
    let End::NoInput(what, _) = end else { panic!("{end:?}") };
    assert_eq!(what, "__VERIFIER_nondet_int");
}

#[test]
fn budgets_end_what_goes_on_for_ever() {
    let limits = Limits { steps: 100_000, memory: 1 << 20, depth: 1000, output: 100 };
    let ends_by = |source: &str| {
        let program = translate(source);
        match Machine::new(&program, Setup { limits, ..Setup::default() }).unwrap().run_main() {
            End::Budget(budget, _) => budget,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(ends_by("int main(void) { for (;;); }"), Budget::Steps);
    assert_eq!(ends_by("int f(int x) { return f(x + 1) + 1; } int main(void) { return f(0); }"), Budget::Depth);
    assert_eq!(ends_by("void *malloc(unsigned long); int main(void) { for (;;) malloc(1000); }"), Budget::Memory);
    assert_eq!(ends_by("int puts(const char *); int main(void) { for (;;) puts(\"again\"); }"), Budget::Output);
}

#[test]
fn jumps_come_back() {
    let source = "typedef long jmp_buf[8]; int setjmp(jmp_buf); void longjmp(jmp_buf, int) __attribute__((noreturn)); jmp_buf b;
        int f(int n) { if (n == 0) longjmp(b, 5); return f(n - 1); }
        int main(void) { volatile int x = 0; int r = setjmp(b); if (r == 0) { x = 1; f(3); } return r == 5 && x == 1 ? 0 : 1; }";
    assert_eq!(run(source).0, End::Exit(0));
}

#[test]
fn handlers_run_at_the_end() {
    let source = "int atexit(void (*)(void)); int puts(const char *); void exit(int) __attribute__((noreturn));
        void a(void) { puts(\"a\"); } void b(void) { puts(\"b\"); }
        __attribute__((constructor)) void first(void) { puts(\"first\"); } __attribute__((destructor)) void last(void) { puts(\"last\"); }
        int main(void) { atexit(a); atexit(b); puts(\"main\"); exit(3); }";
    assert_eq!(run(source), (End::Exit(3), "first\nmain\nb\na\nlast\n".into()));
}

/// States at the head of a loop that builds a list and drops it: equal although the nodes are new each time.
#[test]
fn states_are_equal_up_to_names_of_objects() {
    let source = "void *malloc(unsigned long); void free(void *); struct n { struct n *next; int v; };
        int main(void) { struct n *p = 0; int i = 0;
          while (1) { struct n *q = malloc(sizeof *q); q->next = 0; q->v = 7; if (p) free(p); p = q; i = i + 0; }
        }";
    let program = translate(source);
    let limits = Limits { steps: 300, ..Limits::default() };
    let states = std::cell::RefCell::new(Vec::new());
    let mut machine = Machine::new(&program, Setup { limits, ..Setup::default() }).unwrap();
    let head = program.functions.enumerate().find(|(_, f)| f.name == "main").and_then(|(_, f)| f.body.as_ref()).unwrap().loops[0].head;
    machine.observe(Box::new(|machine, position| {
        if position.block == head && position.command == 0 {
            states.borrow_mut().push(machine.snapshot_at(position));
        }
        true
    }));
    assert!(matches!(machine.run_main(), End::Budget(Budget::Steps, _)));
    drop(machine);
    let states = states.into_inner();
    assert!(states.len() > 3);
    assert!(states[0] != states[1], "there is no node before the first round");
    assert!(states[1] == states[2] && states[2] == states[3]);
}

/// A pointer to freed memory that was stored before still compares equal to its like, on both data models.
#[test]
fn pointers_to_ended_objects_compare() {
    let source = "void *malloc(unsigned int); void free(void *); struct n { struct n *next; };
        int main(void) { struct n *a = malloc(sizeof *a), *b = malloc(sizeof *b); b->next = a; free(a); struct n *c = b->next; return c != a; }";
    for target in [model::Target::Lp64, model::Target::Ilp32] {
        let options = frontend::Options { target, ..frontend::Options::default() };
        let program = frontend::translate("test.c", source.as_bytes(), &options).program.unwrap();
        assert_eq!(Machine::new(&program, Setup::default()).unwrap().run_main(), End::Exit(0), "{target:?}");
    }
}

/// Assembly without instructions changes nothing but registers that it names as outputs.
#[test]
fn empty_assembly_keeps_values() {
    let source = "int main(void) { int x = 5, y = 6, z; int *p = &x; __asm__ volatile (\"\" : \"+r\" (p) : : \"memory\");
        __asm__ (\"\" : \"=m\" (y) : \"m\" (y)); __asm__ (\"\" : \"=r\" (z) : \"0\" (y)); return *p + y + z - 17; }";
    assert_eq!(run(source).0, End::Exit(0));
}

/// What was written stays when the bits around it are read before they have a value.
#[test]
fn known_bits_survive_a_read_of_unknown_ones() {
    let source = "union u { struct { unsigned a : 3, b : 29; } f; unsigned w; } x, *p = &x;
        void *malloc(unsigned long);
        int main(void) { union u *q = malloc(sizeof *q); q->f.a = 5; union u r = *q; unsigned w = r.w; return (w & 7) == 5 && r.w == w && r.f.a == 5 ? 0 : 1; }";
    let program = translate(source);
    for seed in 0..5 {
        let inputs = Inputs { values: Values::Seeded(seed), ..Inputs::default() };
        let setup = Setup { policy: interp::Policy::all(interp::Reaction::Ignore), inputs, ..Setup::default() };
        assert_eq!(Machine::new(&program, setup).unwrap().run_main(), End::Exit(0), "seed {seed}");
    }
}

/// A loop that asks the library for something is in another state each time, although no variable changes.
#[test]
fn what_the_library_remembers_is_part_of_the_state() {
    let source = "int rand(void); int main(void) { while (1) { rand(); } }";
    let program = translate(source);
    let states = std::cell::RefCell::new(Vec::new());
    let limits = Limits { steps: 30, ..Limits::default() };
    let mut machine = Machine::new(&program, Setup { limits, ..Setup::default() }).unwrap();
    machine.observe(Box::new(|machine, position| {
        if position.command == 0 {
            states.borrow_mut().push(machine.snapshot_at(position));
        }
        true
    }));
    machine.run_main();
    drop(machine);
    let states = states.into_inner();
    let (before, after) = (&states[states.len() - 1], &states[states.len() - 3]);
    assert!(before != after && *before == before.clone());
}

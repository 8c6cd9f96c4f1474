//! Inputs, budgets, jumps, snapshots.

mod harness;

use harness::{run, translate};
use std::cell::RefCell;

use interp::{ArgumentLimits, Budget, End, Inputs, Limits, Machine, Policy, Rest, Setup, Values, input};

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
fn whoever_gives_inputs_may_look_at_variables() {
    let source =
        "int __VERIFIER_nondet_int(void); int main(void) { int wanted = 6; wanted *= 7; return __VERIFIER_nondet_int() - wanted; }";
    let program = translate(source);
    let look = |machine: &Machine<'_, '_>, _: &interp::Request| {
        let main = machine.innermost()?;
        let locals = &program.functions[main].body.as_ref()?.locals;
        let (wanted, _) = locals.enumerate().find(|(_, local)| local.name == "wanted")?;
        machine.variable(wanted)
    };
    let inputs = Inputs { values: Values::Look(Box::new(look)), ..Inputs::default() };
    let mut machine = Machine::new(&program, Setup { inputs, ..Setup::default() }).unwrap();
    assert_eq!(machine.run_main(), End::Exit(0));
    assert_eq!(machine.used.iter().map(|used| used.value).collect::<Vec<_>>(), [42]);
}

#[test]
fn objects_that_are_only_declared_may_be_forbidden() {
    let end = |source: &str| {
        let mut policy = Policy::default();
        policy.forbid_declared_objects();
        Machine::new(&translate(source), Setup { policy, ..Setup::default() }).unwrap().run_main()
    };
    let forbidden = [
        "extern int x; int main(void) { return x; }",
        "extern int x; int main(void) { x = 3; return 0; }",
        "extern int a[]; int main(void) { return a[1]; }",
        "extern struct { int y, z; } s; int main(void) { int *p = &s.z; return *p; }",
    ];
    for source in forbidden {
        assert!(!matches!(end(source), End::Exit(_)), "{source}");
    }
    assert_eq!(end("extern int x; int y; int main(void) { int *p = &x; return p == &y; }"), End::Exit(0));
    assert_eq!(end("int x = 2; extern int x; int main(void) { return x; }"), End::Exit(2));
}

/// Prints its arguments and its standard input; fails if its arguments are not well formed.
const ECHO: &str = "int printf(const char *, ...); int getchar(void); int putchar(int);
    int main(int argc, char **argv) {
      if (argc < 1 || argv[argc]) return 99;
      for (int i = 0; i < argc; i++) printf(\"<%s>\", argv[i]);
      for (int c = getchar(); c >= 0; c = getchar()) putchar(c);
      return 0; }";

/// How a run with these inputs ends, what it prints, and the record of its inputs.
fn recorded(program: &model::Program, inputs: Inputs<'_>) -> (End, Vec<u8>, String) {
    let mut printed = Vec::new();
    let setup = Setup { inputs, output: Box::new(|bytes, _| printed.extend_from_slice(bytes)), ..Setup::default() };
    let mut machine = Machine::new(program, setup).unwrap();
    let end = machine.run_main();
    let file = input::write_file(&machine.inputs.arguments, &machine.inputs.stdin, &machine.used, |_| "here".into());
    drop(machine);
    (end, printed, file)
}

#[test]
fn drawn_arguments_and_standard_input_are_recorded_and_replayed() {
    let program = translate(ECHO);
    let mut outputs = Vec::new();
    for seed in 0..20 {
        let drawn = Some(ArgumentLimits { count: 3, length: 5 });
        let inputs = Inputs { drawn_arguments: drawn, rest: Rest::Drawn(10), values: Values::Seeded(seed), ..Inputs::default() };
        let (end, printed, file) = recorded(&program, inputs);
        assert_eq!(end, End::Exit(0), "seed {seed}");
        let replay = input::read_file(&file).unwrap();
        assert!(replay.arguments.len() <= 4 && replay.arguments[1..].iter().all(|text| text.len() <= 5) && replay.stdin.len() <= 10);
        assert_eq!(replay.arguments[0], b"program");
        assert_eq!(recorded(&program, replay), (end, printed.clone(), file));
        outputs.push(printed);
    }
    outputs.sort();
    outputs.dedup();
    assert!(outputs.len() > 10, "seeds give different inputs");
}

#[test]
fn the_caller_is_asked_for_arguments_and_standard_input() {
    let program = translate(ECHO);
    let asked = RefCell::new(Vec::new());
    let ask = |request: &interp::Request| {
        asked.borrow_mut().push(format!("{}:{}", request.what, request.bits));
        Some(match request.what.as_str() {
            "argc" | "strlen(argv[1])" => 2,
            "strlen(argv[0])" => 3,
            "length of stdin" => 1,
            // The zero byte ends the first argument early.
            "argv[0][1]" => 0,
            _ => u128::from(b'a'),
        })
    };
    let inputs = Inputs {
        arguments: Vec::new(),
        drawn_arguments: Some(ArgumentLimits::default()),
        rest: Rest::Drawn(100),
        values: Values::Ask(Box::new(ask)),
        ..Inputs::default()
    };
    let (end, printed, file) = recorded(&program, inputs);
    assert_eq!((end, printed.as_slice()), (End::Exit(0), b"<a><aa>a".as_slice()));
    assert!(file.contains("argument \"a\"\nargument \"aa\"\nstdin \"a\"\n"), "{file}");
    let expected = "argc:32 strlen(argv[0]):32 argv[0][0]:8 argv[0][1]:8 argv[0][2]:8 strlen(argv[1]):32 argv[1][0]:8 argv[1][1]:8 \
        length of stdin:32 stdin[0]:8";
    assert_eq!(asked.into_inner().join(" "), expected.split_whitespace().collect::<Vec<_>>().join(" "));
}

#[test]
fn a_list_that_ends_before_the_arguments_is_told() {
    let program = translate(ECHO);
    let values = Values::List(vec![2].into_iter());
    let inputs = Inputs { drawn_arguments: Some(ArgumentLimits::default()), values, ..Inputs::default() };
    let (end, ..) = recorded(&program, inputs);
    let End::NoInput(what, _) = end else { panic!("{end:?}") };
    assert_eq!(what, "strlen(argv[1])");
}

/// A program that asks and answers has printed its answer before it is given the next line.
#[test]
fn standard_input_is_read_as_needed() {
    let source = "int printf(const char *, ...); int scanf(const char *, ...); int getchar(void);
        struct file; extern struct file *stdin; char *fgets(char *, int, struct file *);
        int main(void) { int n; char line[80];
          printf(\"number? \"); if (scanf(\"%d\", &n) != 1) return 1; printf(\"got %d\\n\", n); getchar();
          printf(\"name? \"); if (!fgets(line, sizeof line, stdin)) return 2; printf(\"hello %s\", line);
          return 0; }";
    let program = translate(source);
    let printed = RefCell::new(Vec::new());
    let mut script =
        vec![("number? ", "42\n"), ("number? got 42\nname? ", "fr"), ("number? got 42\nname? ", "og\n"), ("never", "asked for\n")]
            .into_iter();
    let reader = || {
        let (before, line) = script.next().unwrap();
        assert_eq!(String::from_utf8_lossy(&printed.borrow()), before);
        line.as_bytes().to_vec()
    };
    let inputs = Inputs { rest: Rest::Reader(Box::new(reader)), ..Inputs::default() };
    let setup = Setup { inputs, output: Box::new(|bytes, _| printed.borrow_mut().extend_from_slice(bytes)), ..Setup::default() };
    let mut machine = Machine::new(&program, setup).unwrap();
    assert_eq!(machine.run_main(), End::Exit(0));
    assert_eq!(machine.inputs.stdin, b"42\nfrog\n");
    assert_eq!(printed.borrow().as_slice(), b"number? got 42\nname? hello frog\n");
}

/// Whatever the pieces in which the input comes, the program sees the same.
#[test]
fn pieces_of_standard_input_do_not_matter() {
    let source = "int printf(const char *, ...); int scanf(const char *, ...); int getchar(void); long read(int, void *, unsigned long);
        struct file; extern struct file *stdin; char *fgets(char *, int, struct file *); int ungetc(int, struct file *);
        int feof(struct file *); int fseek(struct file *, long, int); long ftell(struct file *);
        unsigned long fread(void *, unsigned long, unsigned long, struct file *);
        int main(void) { int n; char a[40] = \"\", b[40] = \"\"; double d;
          printf(\"%d %d\\n\", scanf(\"%d, %3s %[a-c]\", &n, a, b), n); printf(\"%s|%s|\\n\", a, b);
          int c = getchar(); ungetc('!', stdin); ungetc('?', stdin); printf(\"%d %ld %d %d\\n\", c, ftell(stdin), getchar(), getchar());
          fgets(a, 3, stdin); fgets(b, 40, stdin); printf(\"%s|%s|%d\\n\", a, b, feof(stdin));
          ungetc('7', stdin); printf(\"%d %g\\n\", scanf(\"%lf\", &d), d);
          ungetc('x', stdin); fgets(a, 40, stdin); printf(\"%s|\\n\", a);
          fseek(stdin, 4, 0); printf(\"%c %ld\\n\", getchar(), ftell(stdin));
          fseek(stdin, -3, 2); printf(\"%lu %d\\n\", fread(a, 2, 3, stdin), feof(stdin)); fseek(stdin, 0, 0); printf(\"%d\\n\", feof(stdin));
          printf(\"%ld %ld\\n\", (long)read(0, a, 5), (long)read(0, a, 30));
          fseek(stdin, 1000, 0); printf(\"%d %d\\n\", getchar(), feof(stdin)); fseek(stdin, 0, 0);
          while (!feof(stdin)) if (fgets(a, 7, stdin)) printf(\"<%s>\", a);
          return scanf(\"%d\", &n) == -1 ? 0 : 1; }";
    let program = translate(source);
    let text = b"12, froggy bcad\nthe second line\n.5e1 and\nno end";
    let whole = recorded(&program, Inputs { stdin: text.to_vec(), ..Inputs::default() });
    assert_eq!(whole.0, End::Exit(0));
    for size in [1, 2, 7, 100] {
        let mut pieces = text.chunks(size);
        let rest = Rest::Reader(Box::new(move || pieces.next().unwrap_or_default().to_vec()));
        assert_eq!(recorded(&program, Inputs { rest, ..Inputs::default() }), whole, "pieces of {size}");
    }
    expect_test::expect![[r#"
        2 12
        fro||
        103 6 63 33
        gy| bcad
        |0
        1 7
        xthe second line
        |
        f 5
        1 1
        0
        5 30
        -1 1
        <12, fr><oggy b><cad
        ><the se><cond l><ine
        ><.5e1 a><nd
        ><no end>"#]]
    .assert_eq(&String::from_utf8_lossy(&whole.1));
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
fn a_run_without_loops_can_be_stopped_too() {
    let program = translate("int f(int x) { return x; } int main(void) { again: f(0); goto again; }");
    let asked = std::cell::Cell::new(0);
    let mut machine = Machine::new(&program, Setup::default()).unwrap();
    machine.stop_when(Box::new(|| asked.replace(asked.get() + 1) == 3));
    assert_eq!(machine.run_main(), End::Interrupted);
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

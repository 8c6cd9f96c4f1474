//! `loopfrog run` as users call it.

use std::process::Stdio;

use crate::support::{Run, Sandbox, have};

const LOOPFROG: &str = env!("CARGO_BIN_EXE_loopfrog");

/// Prints its arguments and its standard input, and asks for two values.
const ECHO: &str = "\
int printf(const char *, ...);
int getchar(void);
int __VERIFIER_nondet_int(void);
int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++)
        printf(\"<%s>\", argv[i]);
    for (int c = getchar(); c >= 0; c = getchar())
        printf(\"%c\", c);
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    printf(\"%d %d\\n\", x, y);
    return (x ^ y) & 63;
}
";

/// Goes wrong two calls deep, on line 2.
const DIVIDE: &str = "\
int divide(int a, int b) {
    return a / b;
}
int middle(int a) {
    return divide(a, 0);
}
int main(void) {
    return middle(7);
}
";

fn with(name: &str, source: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write(name, source);
    sandbox
}

/// Runs a program with these options.
#[track_caller]
fn run(source: &str, options: &str) -> Run {
    with("a.i", source).loopfrog(&format!("run {options} a.i"))
}

#[test]
fn the_status_is_passed_on() {
    run("int main(void) { return 0; }", "").ok();
    assert_eq!(run("int main(void) { return 42; }", "").fails(42), "");
    assert_eq!(run("void exit(int); int main(void) { exit(257); }", "").fails(1), "");
    assert!(run("void abort(void); int main(void) { abort(); }", "").fails(134).contains("abort"));
}

#[test]
fn output_goes_where_the_program_sends_it() {
    let ended = run("int puts(const char *); void perror(const char *); int main(void) { puts(\"out\"); perror(\"err\"); return 3; }", "");
    assert_eq!((ended.code, ended.stdout.as_str()), (3, "out\n"));
    assert!(ended.stderr.starts_with("err: "), "{}", ended.stderr);
}

#[test]
fn arguments_and_standard_input() {
    let sandbox = with("echo.i", ECHO);
    assert_eq!(sandbox.loopfrog("run echo.i").ok(), "0 0\n");
    assert_eq!(sandbox.loopfrog("run echo.i -- -a --stdin -Dx --").ok(), "<-a><--stdin><-Dx><-->0 0\n");
    assert_eq!(sandbox.run_with_input(LOOPFROG, "run echo.i", "piped ").ok(), "piped 0 0\n");
    sandbox.write("text", "from a file ");
    assert_eq!(sandbox.run_with_input(LOOPFROG, "run --stdin text echo.i", "piped ").ok(), "from a file 0 0\n");
    assert!(sandbox.loopfrog("run --stdin missing echo.i").fails(1).contains("missing"));
    sandbox.write("name.i", "int puts(const char *); int main(int argc, char **argv) { puts(argv[0]); return argv[argc] != 0; }");
    assert_eq!(sandbox.loopfrog("run name.i").ok(), "name.i\n");
}

#[test]
fn standard_input_from_a_pipe() {
    use std::io::Write;
    let sandbox = with("echo.i", ECHO);
    let mut command = sandbox.command(LOOPFROG);
    let mut child = command.args(["run", "echo.i"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    // More than one piece of what is read at a time.
    let text = "all frogs leap ".repeat(1000);
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    assert_eq!(Run::from(child.wait_with_output().unwrap()).ok(), format!("{text}0 0\n"));
}

/// A program at the other end of two pipes is answered line by line.
#[test]
fn a_dialogue() {
    use std::io::{BufRead, BufReader, Write};
    let source = "int printf(const char *, ...); int scanf(const char *, ...);
        int main(void) { int n; while (scanf(\"%d\", &n) == 1) printf(\"%d\\n\", 2 * n); return 7; }";
    let sandbox = with("double.i", source);
    let mut command = sandbox.command(LOOPFROG);
    let mut child = command.args(["run", "double.i"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let (mut questions, mut answers) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
    let (sender, receiver) = std::sync::mpsc::channel();
    let reader = std::thread::spawn(move || {
        let mut line = String::new();
        while answers.read_line(&mut line).is_ok_and(|count| count > 0) {
            let _ = sender.send(std::mem::take(&mut line));
        }
    });
    for number in [21, 4] {
        writeln!(questions, "{number}").unwrap();
        // The time matters only if there is no answer at all.
        let answer = receiver.recv_timeout(std::time::Duration::from_secs(60));
        assert_eq!(answer, Ok(format!("{}\n", 2 * number)));
    }
    drop(questions);
    reader.join().unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(7));
}

#[test]
fn standard_input_without_end_is_stopped() {
    let sandbox = with("echo.i", ECHO);
    let endless = std::fs::File::open("/dev/zero").unwrap();
    let stopped = sandbox.command(LOOPFROG).args(["run", "--memory", "1", "echo.i"]).stdin(endless).output().unwrap();
    assert!(Run::from(stopped).fails(5).contains("its budget of memory is used up"));
}

#[test]
fn several_files_and_models() {
    let sandbox = with("main.i", "int twice(int); int main(void) { return twice(4); }");
    sandbox.write("twice.i", "int twice(int x) { return 2 * x; }");
    sandbox.loopfrog("run main.i twice.i").fails(8);
    sandbox.loopfrog("compile main.i twice.i -o both.lfm").ok();
    sandbox.loopfrog("run both.lfm").fails(8);
    let alone = sandbox.loopfrog("run main.i");
    assert_eq!(alone.code, 0);
    assert!(alone.stderr.contains("without body") && alone.stderr.contains("twice"), "{}", alone.stderr);
    assert_eq!(sandbox.loopfrog("run --quiet main.i").stderr, "");
}

#[test]
fn executables_with_models() {
    if !have(&["gcc", "cc", "objcopy"]) {
        return;
    }
    let sandbox = with("main.c", "#include <stdio.h>\nint twice(int);\nint main(void) { printf(\"%d\\n\", twice(N)); return 5; }\n");
    sandbox.write("twice.c", "int twice(int x) { return 2 * x; }");
    sandbox.cc("-DN=21 main.c twice.c -o prog").ok();
    for words in ["run prog", "run ./prog", "run -DN=21 main.c twice.c"] {
        let ended = sandbox.loopfrog(words);
        assert_eq!((ended.code, ended.stdout.as_str()), (5, "42\n"), "{words}: {}", ended.stderr);
    }
}

#[test]
fn the_program_may_come_from_a_database_and_be_for_32_bits() {
    if !have(&["cc"]) {
        return;
    }
    let sandbox = with("a.c", "int main(void) { return sizeof(long) + N; }");
    sandbox.write("compile_commands.json", r#"[{"directory": ".", "command": "cc -DN=10 -c a.c", "file": "a.c"}]"#);
    sandbox.loopfrog("run --compile-commands compile_commands.json").fails(18);
    sandbox.loopfrog("run --32 -DN=20 a.c").fails(24);
}

#[test]
fn a_recorded_run_is_reproduced() {
    let sandbox = with("echo.i", ECHO);
    let recorded = sandbox.run_with_input(LOOPFROG, "run --seed 7 --record inputs echo.i -- one two", "some \"text\"\n");
    assert!(recorded.stdout.starts_with("<one><two>some \"text\"\n"), "{}", recorded.stdout);
    let replayed = sandbox.loopfrog("run --inputs inputs --record again echo.i");
    assert_eq!((&replayed.stdout, replayed.code), (&recorded.stdout, recorded.code));
    assert_eq!(sandbox.read("inputs"), sandbox.read("again"));
    let text = String::from_utf8(sandbox.read("inputs")).unwrap();
    assert!(text.contains("argument \"one\"\n") && text.contains("__VERIFIER_nondet_int, echo.i:9:13"), "{text}");
    assert!(sandbox.loopfrog("run --record no/such/dir echo.i").fails(1).contains("no/such/dir"));
    sandbox.loopfrog("run --inputs inputs --seed 1 echo.i").fails(1);
    sandbox.loopfrog("run --inputs inputs --stdin inputs echo.i").fails(1);
}

#[test]
fn a_faulty_run_is_recorded_too() {
    let source = "int __VERIFIER_nondet_int(void);\nint main(void) { int x = __VERIFIER_nondet_int(); return 1 / (x - x); }";
    let sandbox = with("a.i", source);
    let message = sandbox.loopfrog("run --seed 3 --record inputs a.i").fails(10);
    assert_eq!(sandbox.loopfrog("run --inputs inputs a.i").fails(10), message);
}

#[test]
fn bad_inputs() {
    let sandbox = with("echo.i", ECHO);
    sandbox.write("short", "value 1\n");
    let message = sandbox.loopfrog("run --inputs short echo.i").fails(1);
    assert!(message.contains("the inputs end too early") && message.contains("__VERIFIER_nondet_int"), "{message}");
    assert!(message.contains("echo.i:9:"), "{message}");
    for (content, expected) in [
        ("value 1\nvalue x\n", "line 2: expected a number"),
        ("argument one\n", "line 1: expected a string in quotes"),
        ("stdin \"open\n", "line 1: expected a string in quotes"),
        ("\nnonsense\n", "line 2: expected `argument`, `stdin`, `value` or `repeat`"),
    ] {
        sandbox.write("malformed", content);
        let message = sandbox.loopfrog("run --inputs malformed echo.i").fails(1);
        assert!(message.contains(&format!("malformed: {expected}")), "{message}");
    }
    sandbox.write("garbage", [0u8, 255, 10, 34, 92, 120].repeat(20));
    sandbox.loopfrog("run --inputs garbage echo.i").fails(1);
    assert!(sandbox.loopfrog("run --inputs missing echo.i").fails(1).contains("missing"));
}

#[test]
fn seeds_are_deterministic() {
    let sandbox = with("echo.i", ECHO);
    let outputs: Vec<String> = ["1", "1", "2"].iter().map(|seed| sandbox.loopfrog(&format!("run --seed {seed} echo.i")).stdout).collect();
    assert_eq!(outputs[0], outputs[1]);
    assert_ne!(outputs[0], outputs[2]);
    sandbox.loopfrog("run --seed frog echo.i").fails(1);
}

#[test]
fn arguments_and_standard_input_may_be_drawn() {
    let sandbox = with("echo.i", ECHO);
    let mut outputs = Vec::new();
    for seed in 1..10 {
        let options = format!("--seed {seed} --draw-arguments --draw-stdin");
        let drawn = sandbox.run_with_input(LOOPFROG, &format!("run {options} --record inputs echo.i -- given"), "piped");
        assert!(drawn.stdout.starts_with("<given>") && !drawn.stdout.contains("piped"), "{}", drawn.stdout);
        let replayed = sandbox.loopfrog("run --inputs inputs echo.i");
        assert_eq!((&replayed.stdout, replayed.code), (&drawn.stdout, drawn.code), "seed {seed}");
        assert_eq!(sandbox.loopfrog(&format!("run {options} echo.i -- given")).stdout, drawn.stdout, "seed {seed}");
        outputs.push(drawn.stdout);
    }
    assert!(outputs.iter().any(|output| output.starts_with("<given><")), "{outputs:?}");
    for contradiction in ["--draw-arguments", "--draw-stdin", "--seed 1 --draw-stdin --stdin inputs", "--inputs inputs --draw-arguments"] {
        sandbox.loopfrog(&format!("run {contradiction} echo.i")).fails(1);
    }
}

#[test]
fn traces() {
    let source = "\
int half(int n) {
    n /= 2;
    return n;
}
int main(void) {
    int s = 0;
    for (int i = 4; i < 6; i++)
        s += half(i);
    return s;
}
";
    let trace = run(source, "--trace").fails(4);
    let expected = "\
a.i:6:13  main
a.i:7:14  main  s = 0
a.i:8:14  main  i = 4
a.i:2:5  half  n = 4
a.i:3:5  half  n = 2
a.i:8:9  main
a.i:7:28  main  s = 2
a.i:8:14  main  i = 5
a.i:2:5  half  n = 5
a.i:3:5  half  n = 2
a.i:8:9  main
a.i:7:28  main  s = 4
a.i:9:5  main
";
    assert_eq!(trace, expected);
}

#[test]
fn checks_are_chosen() {
    let overflow = "int main(void) { int x = 2147483647;\n x = x + 1;\n return x < 0; }";
    assert!(run(overflow, "").fails(10).contains("error[overflow]"));
    run(overflow, "--check overflow").fails(10);
    run(overflow, "--check all").fails(10);
    assert_eq!(run(overflow, "--check none").fails(1), "");
    assert_eq!(run(overflow, "--check shift,memory").fails(1), "");
    let bounds = "int main(void) { int a[2] = { 0 }, *p = a;\n return p[2]; }";
    assert!(run(bounds, "--check memory").fails(10).contains("error[bounds]"));
    let unsigned = "int main(void) { unsigned x = 4294967295u;\n x = x + 1;\n return x; }";
    run(unsigned, "").ok();
    assert!(run(unsigned, "--check shift,unsigned-overflow").fails(10).contains("error[unsigned-overflow]"));
    let message = run(overflow, "--check frogs").fails(1);
    assert!(
        message.contains("there is no check `frogs`") && message.contains("none, memory, ") && message.contains("overflow"),
        "{message}"
    );
}

#[test]
fn undefined_behaviour_is_shown() {
    let message = run(DIVIDE, "").fails(10);
    let expected = "\
error[division]: 7 / 0
  ┌─ a.i:2:12
 2│     return a / b;
  │            ^^^^^ in `divide`
  ·
 5│     return divide(a, 0);
  │            ------------ called from `middle`
  ·
 8│     return middle(7);
  │            --------- called from `main`
";
    assert_eq!(message, expected);
    assert!(run(DIVIDE, "--color always").fails(10).contains('\x1b'));
}

#[test]
fn what_was_printed_before_a_fault_is_there() {
    let ended = run("int puts(const char *); int main(void) { puts(\"before\"); int *p = 0; return *p; }", "");
    assert_eq!((ended.code, ended.stdout.as_str()), (10, "before\n"));
}

#[test]
fn runs_without_end_are_stopped() {
    let stopped = |source: &str, options: &str, what: &str| {
        let message = run(source, options).fails(5);
        assert!(message.contains(&format!("its budget of {what} is used up")) && message.contains("a.i:2:"), "{message}");
    };
    stopped("int f(int x) {\n return f(x + 1) + 1; }\nint main(void) { return f(0); }", "", "call depth");
    stopped("int main(void) {\n for (;;); }", "--steps 1000", "steps");
    let allocation = |size: &str| format!("void *malloc(unsigned long);\nint main(void) {{ for (;;) malloc({size}); }}");
    stopped(&allocation("1 << 20"), "", "memory");
    stopped(&allocation("1 << 20"), "--memory 16", "memory");
    // Small objects take room too, beside their bytes.
    stopped(&allocation("1"), "--memory 64", "memory");
    stopped(&allocation("0"), "--memory 64", "memory");
    let large = run("char a[3ul << 30];\nint main(void) { return 0; }", "").fails(5);
    assert!(large.contains("its budget of memory is used up"), "{large}");
}

#[test]
fn output_without_end_is_stopped() {
    let source = "void *memset(void *, int, unsigned long); int puts(const char *); char text[1 << 24];\n\
                  int main(void) { memset(text, 'x', sizeof text - 1); for (;;) puts(text); }";
    let sandbox = with("a.i", source);
    let stopped = sandbox.command(LOOPFROG).args(["run", "a.i"]).stdout(Stdio::null()).output().unwrap();
    assert!(Run::from(stopped).fails(5).contains("its budget of output is used up"));
}

#[test]
fn a_reader_that_goes_away_does_not_matter() {
    let source = "int puts(const char *); int main(void) { for (int i = 0; i < 50000; i++) puts(\"frog\"); return 7; }";
    let sandbox = with("a.i", source);
    let mut child = sandbox.command(LOOPFROG).args(["run", "a.i"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    assert_eq!(Run::from(child.wait_with_output().unwrap()).fails(7), "");
}

#[test]
fn assumptions_end_a_run() {
    let message = run("void __VERIFIER_assume(int);\nint main(void) { __VERIFIER_assume(0); return 0; }", "").fails(5);
    assert!(message.contains("an assumption does not hold") && message.contains("a.i:2:"), "{message}");
}

#[test]
fn what_is_not_modelled_is_told() {
    let message = run("int fork(void);\nint main(void) { return fork(); }", "").fails(6);
    assert!(message.contains("the run cannot go on: `fork` is not modelled\n") && message.contains("a.i:2:"), "{message}");
    let message = run("int main(void) { asm(\"cpuid\"); return 0; }", "").fails(6);
    assert!(message.contains("the run cannot go on: assembly `cpuid`"), "{message}");
    let message = run("int f(void) { return 0; }", "").fails(6);
    assert_eq!(message, "error: the run cannot go on: the program has no function `main`\n");
}

#[test]
fn damaged_programs() {
    let sandbox = with("a.i", "int main(void) { return 0; }");
    sandbox.loopfrog("compile a.i -o a.lfm").ok();
    let model = sandbox.read("a.lfm");
    sandbox.write("short.lfm", &model[..model.len() / 2]);
    assert!(sandbox.loopfrog("run short.lfm").fails(2).contains("truncated"));
    let mut damaged = model;
    let middle = damaged.len() / 2;
    damaged[middle] ^= 0x55;
    sandbox.write("damaged.lfm", &damaged);
    sandbox.loopfrog("run damaged.lfm").fails(2);
    sandbox.write("broken.i", "int main(void) { return ]; }");
    sandbox.loopfrog("run broken.i").fails(2);
    assert!(sandbox.loopfrog("run missing.i").fails(1).contains("missing.i"));
    sandbox.loopfrog("run").fails(1);
}

#[test]
fn a_single_function() {
    let source = "int puts(const char *); int f(int a, int b) { puts(\"f\"); return a + b + 6; }\n\
                  void g(void) {}\nstruct s { int x; }; int h(struct s s) { return s.x; }\nint main(void) { return 1; }";
    let ended = run(source, "--function f");
    assert_eq!((ended.code, ended.stdout.as_str(), ended.stderr.as_str()), (0, "f\n", "note: the function returned 6\n"));
    assert_eq!(run(source, "--function g").stderr, "note: the function returned\n");
    assert!(run(source, "--function h").fails(6).contains("an arbitrary structure as parameter s is not modelled"));
    for missing in ["frog", "puts"] {
        assert!(run(source, &format!("--function {missing}")).fails(1).contains(&format!("there is no function `{missing}` with a body")));
    }
    let sandbox = with("a.i", source);
    sandbox.write("inputs", "value 30\nvalue 6\n");
    assert_eq!(sandbox.loopfrog("run --inputs inputs --function f a.i").stderr, "note: the function returned 42\n");
}

#[test]
fn help_names_all_statuses() {
    let help = Sandbox::new().loopfrog("run --help").ok();
    assert!(help.contains("10\nsomething undefined") && help.contains("5 a budget"), "{help}");
}

#[test]
fn leaks() {
    let declare = "void *malloc(unsigned long); void free(void *); typedef struct f FILE; FILE *fopen(const char *, const char *); int fclose(FILE *); char *p;";
    let ended = |body: &str| run(&format!("{declare}\nint main(void) {{ {body}\nreturn 0; }}"), "--check leak");
    assert!(ended("malloc(3);").fails(10).contains("memory from a.i:2:18 is not freed at the end; nothing leads to it any more"));
    let kept = ended("p = malloc(3);").fails(10);
    assert!(kept.contains("error[leak]") && kept.contains("something still leads to it") && kept.contains("a.i:3:1"), "{kept}");
    assert!(ended("fopen(\"new\", \"w\");").fails(10).contains("a stream that was opened is not closed"));
    ended("p = malloc(3); free(p); fclose(fopen(\"new\", \"w\"));").ok();
}

#[test]
fn objects_without_size_are_not_guessed() {
    let source = "extern int table[]; int main(void) { return table[1]; }";
    assert!(run(source, "").fails(6).contains("how large `table` is"));
    let checked = with("a.i", source).loopfrog("check a.i").fails(5);
    assert!(checked.contains("not decided"), "{checked}");
}

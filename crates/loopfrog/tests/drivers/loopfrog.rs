//! `loopfrog` as users call it.

use crate::support::{Sandbox, have};

const LOOPS: &str = "\
int sum(int n)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        while (s > 10)
            s--;
    return s;
}
int global = 3;
static const char *title = \"frog\";
";

fn with_loops() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("loops.i", LOOPS);
    sandbox
}

#[test]
fn show_loops() {
    let text = with_loops().loopfrog("show loops loops.i").ok();
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("sum  loops.i:1:"), "{text}");
    assert!(lines[1].starts_with("  for   loops.i:4:5") && lines[1].contains("1 exit (line 4)"), "{text}");
    assert!(lines[2].starts_with("    while loops.i:5:9"), "{text}");
    assert_eq!(lines[3], "2 loops in 1 of 1 function");
    let json = with_loops().loopfrog("show loops --json loops.i").ok();
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json[0]["loops"][1]["parent"], 0);
    assert_eq!(json[0]["loops"][1]["place"]["line"], 5);
}

#[test]
fn show_irreducible_loops() {
    let sandbox = Sandbox::new();
    sandbox.write("goto.i", "int f(int n) { if (n) goto b;\na: n++;\nb: n--;\nif (n > 3) goto a;\nreturn n; }");
    let text = sandbox.loopfrog("show loops goto.i").ok();
    assert!(text.contains("goto") && text.contains("irreducible: entered at"), "{text}");
    assert!(text.ends_with(", 1 irreducible\n"), "{text}");
}

#[test]
fn show_symbols() {
    let text = with_loops().loopfrog("show symbols loops.i").ok();
    let line = |name: &str| text.lines().find(|line| line.starts_with(name)).unwrap_or_else(|| panic!("{name} in {text}"));
    assert!(line("sum").contains("function") && line("sum").contains("external") && line("sum").contains("loops.i:1:"));
    assert!(line("global").contains("object"));
    assert!(line("title").contains("internal"));
}

#[test]
fn show_cfg_in_all_forms() {
    let sandbox = with_loops();
    assert!(sandbox.loopfrog("show cfg loops.i").ok().contains("sum"));
    assert!(sandbox.loopfrog("show cfg --dot --function sum loops.i").ok().contains("digraph"));
    assert!(sandbox.loopfrog("show cfg --svg loops.i --function sum").ok().contains("<svg"));
    let json = sandbox.loopfrog("show cfg --json loops.i").ok();
    serde_json::from_str::<serde_json::Value>(&json).unwrap();
    assert!(sandbox.loopfrog("show cfg loops.i --function none").fails(1).contains("no function `none`"));
    sandbox.loopfrog("show symbols --dot loops.i").fails(1);
}

#[test]
fn models_as_files() {
    let sandbox = with_loops();
    let shown = sandbox.loopfrog("show model --spans full loops.i").ok();
    sandbox.loopfrog("compile loops.i -o loops.lfm").ok();
    assert_eq!(sandbox.loopfrog("show model --spans full loops.lfm").ok(), shown);
    sandbox.loopfrog("show model --spans full loops.i -o loops.txt").ok();
    assert_eq!(sandbox.loopfrog("show model --spans full loops.txt").ok(), shown);
    sandbox.loopfrog("compile loops.i -o again.lfm").ok();
    assert_eq!(sandbox.read("loops.lfm"), sandbox.read("again.lfm"));
}

#[test]
fn assertions_are_shown() {
    let sandbox = with_loops();
    assert!(!sandbox.loopfrog("show model loops.i").ok().contains("assert"));
    assert!(sandbox.loopfrog("show model --check all loops.i").ok().contains("    assert overflow: "));
    assert!(!sandbox.loopfrog("show model --check division loops.i").ok().contains("    assert overflow: "));
    assert!(sandbox.loopfrog("show model --check frogs loops.i").fails(1).contains("there is no check `frogs`"));
}

#[test]
fn damaged_models() {
    let sandbox = with_loops();
    sandbox.loopfrog("compile loops.i -o loops.lfm").ok();
    let model = sandbox.read("loops.lfm");
    sandbox.write("truncated.lfm", &model[..model.len() / 2]);
    assert!(sandbox.loopfrog("show model truncated.lfm").fails(2).contains("truncated"));
    let mut other = model.clone();
    other[8] = 99;
    sandbox.write("other.lfm", &other);
    assert!(sandbox.loopfrog("show model other.lfm").fails(2).contains("version 99"));
    let mut damaged = model;
    let middle = damaged.len() / 2;
    damaged[middle] ^= 0x55;
    sandbox.write("damaged.lfm", &damaged);
    sandbox.loopfrog("show model damaged.lfm").fails(2);
    sandbox.write("garbage.lfm", [0xfe, 0x00, 0x7f]);
    sandbox.loopfrog("show model garbage.lfm").fails(1);
    sandbox.write("empty.lfm", "");
    sandbox.loopfrog("show model empty.lfm").fails(1);
    sandbox.write("broken.o", b"\x7fELF\x02\x01\x01 and then nothing");
    sandbox.loopfrog("show model broken.o").fails(2);
    sandbox.write("broken.a", b"!<arch>\nnothing");
    sandbox.loopfrog("show model broken.a").fails(2);
}

#[test]
fn usage() {
    let sandbox = Sandbox::new();
    for words in ["", "frobnicate", "show", "show model", "show nothing a.c", "compile a.c", "show cfg --dot --svg a.i"] {
        sandbox.loopfrog(words).fails(1);
    }
    let help = sandbox.loopfrog("help").ok();
    assert!(help.lines().count() <= 24, "{help}");
    assert!(sandbox.loopfrog("--version").ok().starts_with("loopfrog "));
    assert!(sandbox.loopfrog("show model missing.c").fails(1).contains("missing.c"));
    assert!(sandbox.loopfrog("show model missing.lfm").fails(1).contains("missing.lfm"));
    sandbox.write("a.i", "int x;");
    assert!(sandbox.loopfrog("compile a.i -o no/such/dir/a.lfm").fails(1).contains("no/such/dir"));
}

#[test]
fn broken_c() {
    let sandbox = Sandbox::new();
    sandbox.write("broken.i", "int f(void) {\n    return 1 +;\n}\nint g(void) { return ]; }\n");
    let message = sandbox.loopfrog("show model broken.i").fails(2);
    assert!(message.contains("broken.i:2:15") && message.contains("return 1 +;") && message.contains("broken.i:4:"), "{message}");
    sandbox.write("garbage.i", [0u8, 200, 3, 255, 10, 13, 0x80].repeat(50));
    sandbox.loopfrog("show model garbage.i").fails(2);
}

#[test]
fn preprocessor_failures() {
    if !have(&["cc"]) {
        return;
    }
    let sandbox = Sandbox::new();
    sandbox.write("a.c", "#include <no/such/header.h>\nint x;");
    assert!(sandbox.loopfrog("show model a.c").fails(8).contains("no/such/header.h"));
    let missing = sandbox.command(env!("CARGO_BIN_EXE_loopfrog")).args(["show", "model", "a.c"]).env("LOOPFROG_REAL_CC", "/no/cc").output();
    let missing = missing.unwrap();
    assert_eq!(missing.status.code(), Some(8));
    assert!(String::from_utf8_lossy(&missing.stderr).contains("/no/cc"));
}

#[test]
fn compiler_options_reach_the_preprocessor() {
    if !have(&["cc"]) {
        return;
    }
    let sandbox = Sandbox::new();
    sandbox
        .write("inc/h.h", "int from_header(void) { return N; }")
        .write("a.c", "#include <h.h>\n#ifdef M\nint m(void) { return M; }\n#endif\n");
    assert_eq!(sandbox.defined_functions("a.c -I inc -DN=1 -D M=2 -std=c99 -O2"), ["from_header", "m"]);
    let stdin = sandbox.run_with_input(env!("CARGO_BIN_EXE_loopfrog"), "show symbols -x c -", "int from_stdin;").ok();
    assert!(stdin.contains("from_stdin") && stdin.contains("<stdin>:1:"), "{stdin}");
    let stdin = sandbox.run_with_input(env!("CARGO_BIN_EXE_loopfrog"), "show symbols -", "int from_stdin;").ok();
    assert!(stdin.contains("from_stdin"), "{stdin}");
    sandbox.write("text", "int x;");
    assert!(sandbox.loopfrog("show symbols text").fails(1).contains("-x c"));
    sandbox.loopfrog("show symbols -x c text").ok();
}

#[test]
fn the_32_bit_model() {
    if !have(&["cc"]) {
        return;
    }
    let sandbox = Sandbox::new();
    sandbox.write(
        "a.c",
        "#include <stdio.h>\n#include <limits.h>\n_Static_assert(sizeof(long) == 4 && LONG_MAX == 0x7fffffff, \"\");\nint x;",
    );
    sandbox.loopfrog("show symbols --32 a.c").ok();
    sandbox.loopfrog("show symbols -m32 a.c").ok();
}

#[test]
fn several_files_are_linked() {
    let sandbox = Sandbox::new();
    sandbox
        .write("a.i", "int f(void); static int s; int main(void) { return f() + s; }")
        .write("b.i", "static int s; int f(void) { return s; }");
    assert_eq!(sandbox.defined_functions("a.i b.i"), ["f", "main"]);
    sandbox.loopfrog("compile b.i -o b.lfm").ok();
    assert_eq!(sandbox.defined_functions("a.i b.lfm"), ["f", "main"]);
    let message = sandbox.loopfrog("show model a.i a.i").fails(2);
    assert!(message.contains("multiple definition of `main`"), "{message}");
}

#[test]
fn compilation_databases() {
    if !have(&["cc"]) {
        return;
    }
    let sandbox = Sandbox::new();
    sandbox.write("src/a.c", "#include \"n.h\"\nint f(void); int main(void) { return N + f(); }").write("src/inc/n.h", "#define N 1\n");
    sandbox.write("src/b.c", "int f(void) { return F; }").write("src/other.c", "int main(void) { return 0; }");
    sandbox.write(
        "build/compile_commands.json",
        r#"[{"directory": "../src", "command": "cc -Iinc -DF=2 -c a.c b.c", "file": "a.c"},
            {"directory": "../src", "arguments": ["cc", "-c", "other.c"], "file": "other.c"}]"#,
    );
    let database = "--compile-commands build/compile_commands.json";
    assert_eq!(sandbox.defined_functions(&format!("{database} a.c b.c")), ["f", "main"]);
    assert_eq!(sandbox.defined_functions(&format!("{database} src/other.c")), ["main"]);
    let message = sandbox.loopfrog(&format!("show symbols {database}")).fails(2);
    assert!(message.contains("`main`") && message.contains("a.c:2:") && message.contains("other.c:1:"), "{message}");
    assert!(sandbox.loopfrog(&format!("show symbols {database} c.c")).fails(1).contains("c.c"));
    sandbox.loopfrog("show symbols --compile-commands missing.json").fails(1);
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    use std::process::Stdio;
    let sandbox = Sandbox::new();
    let text: String = (0..20_000).map(|i| format!("int variable_{i};\n")).collect();
    sandbox.write("many.i", text);
    let mut command = sandbox.command(env!("CARGO_BIN_EXE_loopfrog"));
    let mut child = command.args(["show", "symbols", "many.i"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0));
}

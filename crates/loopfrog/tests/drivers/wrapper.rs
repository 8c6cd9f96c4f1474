//! `loopfrog-cc` as builds use it.

use std::os::unix::fs::symlink;

use crate::support::{Run, Sandbox, have};

const CC: &str = env!("CARGO_BIN_EXE_loopfrog-cc");
const TOOLS: &[&str] = &["gcc", "cc", "objcopy"];

const MAIN: &str = "int twice(int);\nint main(void) { return twice(21) - 42; }\n";
const TWICE: &str = "static int helper(int x) { return x; }\nint twice(int x) { return 2 * helper(x); }\n";

fn two_sources() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("main.c", MAIN).write("lib/twice.c", TWICE);
    sandbox
}

#[test]
fn compile_then_link() {
    if !have(TOOLS) {
        return;
    }
    let sandbox = two_sources();
    assert_eq!(sandbox.cc("-O2 -g3 -Wall -c main.c").stderr, "");
    sandbox.cc("-c -o twice.o lib/twice.c").ok();
    assert_eq!(sandbox.defined_functions("main.o"), ["main"]);
    assert_eq!(sandbox.defined_functions("main.o twice.o"), ["helper", "main", "twice"]);
    sandbox.cc("main.o twice.o -o prog").ok();
    assert_eq!(sandbox.run(sandbox.path("prog").to_str().unwrap(), "").code, 0);
    assert_eq!(sandbox.defined_functions("prog"), ["helper", "main", "twice"]);
}

#[test]
fn compile_and_link_at_once() {
    if !have(TOOLS) {
        return;
    }
    let sandbox = two_sources();
    sandbox.cc("main.c lib/twice.c").ok();
    assert_eq!(sandbox.run(sandbox.path("a.out").to_str().unwrap(), "").code, 0);
    assert_eq!(sandbox.defined_functions("a.out"), ["helper", "main", "twice"]);
    // A source beside an object that has its model already.
    sandbox.cc("-c lib/twice.c").ok();
    sandbox.cc("main.c twice.o -o both").ok();
    assert_eq!(sandbox.defined_functions("both"), ["helper", "main", "twice"]);
    assert!(!sandbox.exists("main.o"));
}

#[test]
fn several_sources_and_dependency_files() {
    if !have(TOOLS) {
        return;
    }
    let sandbox = two_sources();
    sandbox.cc("-MD -pipe -c main.c lib/twice.c").ok();
    assert!(String::from_utf8_lossy(&sandbox.read("main.d")).starts_with("main.o: main.c"));
    assert!(sandbox.exists("twice.d"));
    assert_eq!(sandbox.defined_functions("twice.o"), ["helper", "twice"]);
}

#[test]
fn response_files() {
    if !have(TOOLS) {
        return;
    }
    let sandbox = two_sources();
    sandbox.write("options", "-DX='a b' -c\nmain.c -o 'with space.o'");
    sandbox.cc("@options").ok();
    let name = sandbox.path("with space.o");
    let shown = sandbox.command(env!("CARGO_BIN_EXE_loopfrog")).args(["show", "symbols"]).arg(name).output().unwrap();
    assert!(String::from_utf8_lossy(&shown.stdout).contains("main"));
}

#[test]
fn standard_input() {
    if !have(TOOLS) {
        return;
    }
    let sandbox = Sandbox::new();
    sandbox.run_with_input(CC, "-x c -c - -o in.o", "int from_stdin(void) { return 1; }").ok();
    assert_eq!(sandbox.defined_functions("in.o"), ["from_stdin"]);
    sandbox.run_with_input(CC, "-c -xc -", "int again(void) { return 1; }").ok();
    assert_eq!(sandbox.defined_functions("./-.o"), ["again"]);
}

#[test]
fn archives() {
    if !have(TOOLS) || !have(&["ar"]) {
        return;
    }
    let sandbox = two_sources();
    sandbox.write("unused.c", "int unused(void) { return 0; }");
    sandbox.cc("-c main.c lib/twice.c unused.c").ok();
    sandbox.run("ar", "rcs libtwice.a twice.o unused.o").ok();
    assert_eq!(sandbox.defined_functions("libtwice.a"), ["helper", "twice", "unused"]);
    sandbox.run("ar", "rcsT thin.a twice.o unused.o").ok();
    assert_eq!(sandbox.defined_functions("thin.a"), ["helper", "twice", "unused"]);
    // Only the members that the linker takes are part of the program.
    sandbox.cc("main.o -L. -ltwice -o prog").ok();
    assert_eq!(sandbox.defined_functions("prog"), ["helper", "main", "twice"]);
}

#[test]
fn shared_objects_partial_links_and_stripping() {
    if !have(TOOLS) || !have(&["strip"]) {
        return;
    }
    let sandbox = two_sources();
    sandbox.cc("-shared -fPIC lib/twice.c -o libtwice.so").ok();
    assert_eq!(sandbox.defined_functions("libtwice.so"), ["helper", "twice"]);
    sandbox.cc("-c main.c lib/twice.c").ok();
    sandbox.cc("-r -nostdlib main.o twice.o -o both.o").ok();
    sandbox.cc("-s both.o -o prog").ok();
    sandbox.run("strip", "prog").ok();
    assert_eq!(sandbox.defined_functions("prog"), ["helper", "main", "twice"]);
}

#[test]
fn link_time_optimisation() {
    if !have(TOOLS) {
        return;
    }
    let sandbox = two_sources();
    if sandbox.run("gcc", "-flto main.c lib/twice.c -o probe").code != 0 {
        eprintln!("skipped: gcc has no link-time optimisation");
        return;
    }
    sandbox.cc("-flto -c main.c lib/twice.c").ok();
    for words in ["-flto main.o twice.o -o prog", "main.o twice.o -o prog", "-flto main.c twice.o -o prog"] {
        sandbox.cc(words).ok();
        assert_eq!(sandbox.run(sandbox.path("prog").to_str().unwrap(), "").code, 0);
        assert_eq!(sandbox.defined_functions("prog"), ["helper", "main", "twice"], "{words}");
    }
}

#[test]
fn passes_through() {
    if !have(TOOLS) {
        return;
    }
    let sandbox = two_sources();
    assert!(sandbox.cc("-E main.c").ok().contains("int twice(int);"));
    assert!(sandbox.cc("-M main.c").ok().starts_with("main.o: main.c"));
    sandbox.cc("-S main.c").ok();
    sandbox.cc("-fsyntax-only main.c").ok();
    sandbox.cc("-c main.s -o assembled.o").ok();
    assert_eq!(sandbox.cc("--version").ok(), sandbox.run("cc", "--version").ok());
    assert_eq!(sandbox.cc("-dumpmachine").ok(), sandbox.run("cc", "-dumpmachine").ok());
    sandbox.cc("-c main.c -o /dev/null").ok();
    assert!(std::fs::read("/dev/null").unwrap().is_empty());
    assert!(sandbox.loopfrog("show symbols assembled.o").fails(1).contains("no model"));
}

#[test]
fn failures_are_those_of_the_compiler() {
    if !have(TOOLS) {
        return;
    }
    let sandbox = Sandbox::new();
    sandbox.write("broken.c", "int main(void) { return x; }");
    for words in ["-c broken.c", "-c missing.c", "", "-c broken.c -o no/such/dir.o"] {
        let (ours, theirs) = (sandbox.cc(words), sandbox.run("cc", words));
        assert_ne!(ours.code, 0, "{words}");
        assert_eq!((ours.code, ours.stdout, ours.stderr), (theirs.code, theirs.stdout, theirs.stderr), "{words}");
    }
    sandbox.write("warn.c", "int f(void) { int unused; return 0; }");
    assert_eq!(sandbox.cc("-Wall -c warn.c").stderr, sandbox.run("cc", "-Wall -c warn.c").stderr);
}

#[test]
fn code_without_model_is_told() {
    if !have(TOOLS) {
        return;
    }
    let sandbox = two_sources();
    // A compiler that compiles and does not preprocess stands for all reasons why there can be no model.
    sandbox.write("half-cc", "#!/bin/sh\nfor word; do test \"$word\" != -E || { echo not today >&2; exit 1; }; done\nexec cc \"$@\"\n");
    sandbox.run("chmod", "+x half-cc").ok();
    let half = |words: &str, variable: &str| -> Run {
        let compiler = format!("--loopfrog-real-cc={}", sandbox.path("half-cc").display());
        sandbox.command(CC).arg(compiler).args(words.split_whitespace()).env(variable, "1").output().unwrap().into()
    };
    let silent = half("-c lib/twice.c", "SOMETHING");
    assert_eq!((silent.code, silent.stderr.as_str()), (0, ""));
    sandbox.cc("main.c twice.o -o prog").ok();
    let shown = sandbox.loopfrog("show symbols prog");
    assert_eq!(shown.code, 0);
    assert!(shown.stdout.contains("main"));
    let expected = "prog contains code of lib/twice.c for which there is no model: the preprocessor failed:\nnot today";
    assert!(shown.stderr.contains(expected), "{}", shown.stderr);
    let told = half("-c lib/twice.c", "LOOPFROG_CC_VERBOSE");
    assert!(told.code == 0 && told.stderr.contains("no model of lib/twice.c"), "{told:?}");
    assert_eq!(half("-c lib/twice.c", "LOOPFROG_CC_STRICT").code, 6);
}

#[test]
fn personality_and_the_real_compiler() {
    if !have(TOOLS) {
        return;
    }
    let sandbox = two_sources();
    std::fs::create_dir(sandbox.path("bin")).unwrap();
    for name in ["cc", "gcc"] {
        symlink(CC, sandbox.path("bin").join(name)).unwrap();
        let mut path = sandbox.path("bin").into_os_string();
        path.push(":");
        path.push(std::env::var_os("PATH").unwrap());
        let run = sandbox.command(sandbox.path("bin").join(name)).args(["-c", "main.c"]).env("PATH", path).output().unwrap();
        assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
        assert_eq!(sandbox.defined_functions("main.o"), ["main"]);
    }
    sandbox.cc("--loopfrog-real-cc=gcc -c main.c").ok();
    assert!(sandbox.cc("--loopfrog-real-cc=/no/such/compiler -c main.c").fails(1).contains("/no/such/compiler"));
    let itself = sandbox.command(CC).args(["-c", "main.c"]).env("LOOPFROG_REAL_CC", CC).output().unwrap();
    assert_eq!(itself.status.code(), Some(1));
}

#[test]
fn a_build_with_configure_and_make() {
    if !have(TOOLS) || !have(&["make", "sh"]) {
        return;
    }
    let sandbox = two_sources();
    sandbox.write(
        "configure",
        r#"set -e
echo 'int main(void) { return 0; }' > conftest.c
$CC -o conftest conftest.c 2> conftest.err
test ! -s conftest.err
./conftest
if $CC -c -o conftest.o -x c - < /dev/null -Werror 2> conftest.err; then test ! -s conftest.err; fi
echo 'no C at all' > conftest.c
if $CC -c conftest.c 2> /dev/null; then exit 1; fi
rm -f conftest*
printf 'prog: main.o twice.o\n\t$(CC) -o $@ main.o twice.o\ntwice.o: lib/twice.c\n\t$(CC) $(CFLAGS) -c -o $@ lib/twice.c\n' > Makefile
"#,
    );
    let configured = sandbox.command("sh").arg("configure").env("CC", CC).output().unwrap();
    assert!(configured.status.success(), "{}", String::from_utf8_lossy(&configured.stderr));
    sandbox.run("make", &format!("CC={CC} CFLAGS=-O1")).ok();
    assert_eq!(sandbox.run(sandbox.path("prog").to_str().unwrap(), "").code, 0);
    assert_eq!(sandbox.defined_functions("prog"), ["helper", "main", "twice"]);
}

//! `loopfrog-cc` where something is out of the ordinary: the build goes on as without it.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use crate::support::{Run, Sandbox, have};

const CC: &str = env!("CARGO_BIN_EXE_loopfrog-cc");
const TOOLS: &[&str] = &["gcc", "cc", "objcopy"];

fn with_main() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("main.c", "int main(void) { return 0; }\n");
    sandbox
}

/// Writes a script that can stand for a compiler, and gives the option that names it.
fn compiler_script(sandbox: &Sandbox, name: &str, text: &str) -> String {
    sandbox.write(name, format!("#!/bin/sh\n{text}\n"));
    fs::set_permissions(sandbox.path(name), fs::Permissions::from_mode(0o755)).unwrap();
    sandbox.path(name).display().to_string()
}

/// Runs `loopfrog-cc` in front of another compiler.
fn cc_with(sandbox: &Sandbox, compiler: &str, words: &str, variables: &[(&str, &str)]) -> Run {
    let mut command = sandbox.command(CC);
    command.args(words.split_whitespace()).env("LOOPFROG_REAL_CC", compiler).envs(variables.iter().copied());
    command.output().unwrap().into()
}

#[test]
fn everything_that_is_said_is_the_compilers() {
    if !have(TOOLS) {
        return;
    }
    let sandbox = with_main();
    sandbox.write("broken.c", "int main(void) { return x; }");
    let words = [
        "-c",
        "--version",
        "-dumpmachine",
        "-dumpversion",
        "-print-prog-name=ld",
        "-print-search-dirs",
        "--help",
        "-c missing.c -o main.o",
        "-o",
        "-x",
        "-c broken.c main.c",
        "-Wno-such-warning -c main.c",
        "-fno-such-option -c main.c",
        "-c main.c main.c -o two.o",
        "main.c no-such-object.o",
        "-fsyntax-only main.c",
        "-c main.c -o /dev/null",
        "-c main.c -o -",
        "main.c -o /dev/null -E",
    ];
    for words in words {
        let (ours, theirs) = (sandbox.cc(words), sandbox.run("cc", words));
        // The linker and the compiler proper get temporary files, whose names differ.
        let same_every_time =
            |text: String| text.split(['/', ' ', '\n']).filter(|word| !word.starts_with("cc")).collect::<Vec<_>>().join(" ");
        let (ours, theirs) = [ours, theirs].map(|run| (run.code, same_every_time(run.stdout), same_every_time(run.stderr))).into();
        assert_eq!(ours, theirs, "{words}");
    }
    // Only the path of the compiler is told in full.
    let last_line = |run: Run| run.stderr.lines().last().map(str::to_string);
    assert_eq!(last_line(sandbox.cc("-v")), last_line(sandbox.run("cc", "-v")));
}

#[test]
fn special_outputs() {
    if !have(TOOLS) {
        return;
    }
    let sandbox = with_main();
    sandbox.cc("main.c -o /dev/null").ok();
    assert!(fs::metadata("/dev/null").is_ok_and(|null| !null.is_file()));
    sandbox.cc("-c main.c -o real.o").ok();
    symlink("real.o", sandbox.path("link.o")).unwrap();
    sandbox.cc("-c main.c -o link.o").ok();
    assert_eq!(sandbox.defined_functions("link.o"), ["main"]);
    // A linked file that is no ELF file.
    sandbox.cc("-nostdlib -static -Wl,--oformat=binary -Wl,-emain main.c -o image").ok();
    sandbox.run("gcc", "-nostdlib -static -Wl,--oformat=binary -Wl,-emain main.c -o their-image").ok();
    assert_eq!(sandbox.read("image"), sandbox.read("their-image"));
}

#[test]
fn no_objcopy() {
    if !have(TOOLS) {
        return;
    }
    let sandbox = with_main();
    let script = "case \"$*\" in *print-prog-name*) echo /no/such/objcopy;; *) exec cc \"$@\";; esac";
    let compiler = compiler_script(&sandbox, "poor-cc", script);
    let silent = cc_with(&sandbox, &compiler, "main.c -o prog", &[]);
    assert_eq!((silent.code, silent.stderr.as_str()), (0, ""));
    assert_eq!(sandbox.run(sandbox.path("prog").to_str().unwrap(), "").code, 0);
    let told = cc_with(&sandbox, &compiler, "main.c -o prog", &[("LOOPFROG_CC_VERBOSE", "1")]);
    assert!(told.code == 0 && told.stderr.contains("cannot put the model into prog"), "{told:?}");
    assert_eq!(cc_with(&sandbox, &compiler, "main.c -o prog", &[("LOOPFROG_CC_STRICT", "1")]).code, 6);
}

#[test]
fn no_room_for_temporary_files() {
    if !have(TOOLS) {
        return;
    }
    let sandbox = with_main();
    let run = cc_with(&sandbox, "cc", "-pipe -c main.c", &[("TMPDIR", "/no/such/directory")]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
}

#[test]
fn compilers_behind_compilers() {
    if !have(TOOLS) {
        return;
    }
    let sandbox = with_main();
    let cache = compiler_script(&sandbox, "cache", "echo \"$@\" >> calls; exec \"$@\"");
    cc_with(&sandbox, &format!("{cache} gcc -DX"), "-c main.c", &[]).ok();
    assert_eq!(sandbox.defined_functions("main.o"), ["main"]);
    assert!(String::from_utf8_lossy(&sandbox.read("calls")).starts_with("gcc -DX -c main.c\n"));
    // A cache in front of the wrapper preprocesses first and compiles the text later.
    let text = sandbox.cc("-E main.c").ok();
    sandbox.write("text", text);
    sandbox.cc("-c -x cpp-output text -o from-text.o").ok();
    assert_eq!(sandbox.defined_functions("from-text.o"), ["main"]);
    // A compiler that is killed.
    let killed = compiler_script(&sandbox, "killed", "kill -9 $$");
    assert_eq!(cc_with(&sandbox, &killed, "-c main.c", &[]).code, 128 + 9);
}

#[test]
fn names_with_spaces_and_quotes() {
    if !have(TOOLS) {
        return;
    }
    let sandbox = Sandbox::new();
    let folder = "it's a \"folder\"";
    sandbox.write(&format!("{folder}/a file.c"), "#include \"a header.h\"\nint f(void) { return sizeof S + X; }");
    sandbox.write(&format!("{folder}/include it/a header.h"), "#define X 1\n");
    let mut command = sandbox.command(CC);
    command.arg("-I").arg(format!("{folder}/include it")).arg("-DS=\"a 'b' \\\"c\\\"\"").arg("-c").arg(format!("{folder}/a file.c"));
    let run: Run = command.arg("-o").arg(format!("{folder}/out put.o")).env("TMPDIR", sandbox.path(folder)).output().unwrap().into();
    run.ok();
    let shown =
        sandbox.command(env!("CARGO_BIN_EXE_loopfrog")).args(["show", "symbols"]).arg(format!("{folder}/out put.o")).output().unwrap();
    assert!(shown.status.success() && String::from_utf8_lossy(&shown.stdout).contains("a file.c"));
}

#[test]
fn long_response_files() {
    if !have(TOOLS) {
        return;
    }
    let sandbox = Sandbox::new();
    let definitions: String = (0..3_000).map(|i| format!("-DNAME_{i}={i}\n")).collect();
    sandbox.write("options", definitions).write("a.c", "int f(void) { return NAME_0 + NAME_2999; }");
    sandbox.cc("@options -c a.c").ok();
    assert_eq!(sandbox.defined_functions("a.o"), ["f"]);
}

#[test]
fn dependencies_are_written_once() {
    if !have(TOOLS) {
        return;
    }
    let sandbox = with_main();
    cc_with(&sandbox, "cc", "-c main.c", &[("DEPENDENCIES_OUTPUT", "deps")]).ok();
    assert_eq!(String::from_utf8_lossy(&sandbox.read("deps")).matches("main.o:").count(), 1);
}

#[test]
fn other_machines_and_languages_pass() {
    if !have(TOOLS) {
        return;
    }
    let sandbox = with_main();
    sandbox.write("plain.c", "long f(long x) { return x + (long)sizeof(long); }").write("start.S", ".globl start\nstart:\n");
    sandbox.cc("-c start.S").ok();
    sandbox.cc("-m32 -c plain.c -o plain32.o").ok();
    assert_eq!(sandbox.defined_functions("plain32.o"), ["f"]);
    assert!(sandbox.loopfrog("show model plain32.o").ok().contains("4"));
    if sandbox.run("gcc", "-mx32 -c plain.c -o probe.o").code == 0 {
        sandbox.cc("-mx32 -c plain.c -o plainx32.o").ok();
        assert!(sandbox.loopfrog("show symbols plainx32.o").stderr.contains("no model"));
    }
}

#[test]
fn a_parallel_build_is_the_same_build() {
    if !have(TOOLS) || !have(&["make"]) {
        return;
    }
    let sandbox = Sandbox::new();
    let numbers: Vec<usize> = (0..24).collect();
    for i in &numbers {
        sandbox.write(
            &format!("f{i}.c"),
            format!("#include <stdio.h>\nstatic int helper(void) {{ return {i}; }}\nint f{i}(void) {{ return helper(); }}\n"),
        );
    }
    sandbox.write("main.c", "int main(void) { return 0; }\n");
    let objects: Vec<String> = numbers.iter().map(|i| format!("f{i}.o")).collect();
    sandbox.write("Makefile", format!("prog: main.o {}\n\t$(CC) -o $@ $^\n", objects.join(" ")));
    sandbox.run("make", &format!("-j8 CC={CC}")).ok();
    let parallel = sandbox.read("prog");
    sandbox.run("make", &format!("-B CC={CC}")).ok();
    assert!(parallel == sandbox.read("prog"), "two builds differ");
    assert_eq!(sandbox.defined_functions("prog").len(), 2 * numbers.len() + 1);
}

#[test]
fn sections_that_the_linker_collects() {
    if !have(TOOLS) {
        return;
    }
    let sandbox = with_main();
    sandbox.write("unused.c", "int unused(void) { return 1; }");
    sandbox.cc("-ffunction-sections -fdata-sections -c main.c unused.c").ok();
    sandbox.cc("-Wl,--gc-sections -Wl,--build-id -s main.o unused.o -o prog").ok();
    assert!(sandbox.defined_functions("prog").contains(&"main".to_string()));
}

#[test]
fn fortified_functions_have_no_wrong_bodies() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "a.i",
        "typedef unsigned long size_t;
        extern int __printf_chk(int, const char *, ...);
        extern inline __attribute__((gnu_inline, always_inline)) void *memcpy(void *to, const void *from, size_t n)
        { return __builtin___memcpy_chk(to, from, n, __builtin_object_size(to, 0)); }
        extern inline __attribute__((gnu_inline, always_inline)) int printf(const char *format, ...)
        { return __printf_chk(1, format, __builtin_va_arg_pack()); }
        extern inline __attribute__((gnu_inline)) int getchar(void) { return 3; }
        int f(char *to, char *from) { memcpy(to, from, 3); return printf(\"%s\", to) + getchar(); }",
    );
    assert_eq!(sandbox.defined_functions("a.i"), ["f", "getchar"]);
}

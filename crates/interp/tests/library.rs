//! Programs that use the C library print the same as when gcc compiles them.

use std::ffi::OsStr;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

mod harness;

use frontend::preprocess::Preprocessor;
use interp::{End, Machine, Setup};

/// What a program prints, and its exit status.
type Outcome = (String, i32);

fn programs() -> Vec<PathBuf> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    let entries = std::fs::read_dir(directory).expect("the programs are there");
    let mut files: Vec<PathBuf> =
        entries.map(|entry| entry.expect("readable").path()).filter(|path| path.extension() == Some(OsStr::new("c"))).collect();
    files.sort();
    files
}

fn stdin_of(file: &Path) -> Vec<u8> {
    std::fs::read(file.with_extension("stdin")).unwrap_or_default()
}

/// Compiles with gcc and runs the result. Builtins are off so that the library computes everything.
fn compiled(file: &Path, directory: &Path) -> Outcome {
    let binary = directory.join("program");
    let status =
        Command::new("gcc").args(["-w", "-fno-builtin", "-o"]).args([&binary, file].map(|path| path.as_os_str())).arg("-lm").status();
    assert!(status.expect("gcc runs").success(), "{}", file.display());
    let mut child = Command::new(&binary).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the program runs");
    child.stdin.take().expect("piped").write_all(&stdin_of(file)).expect("written");
    let output = child.wait_with_output().expect("the program ends");
    (String::from_utf8_lossy(&output.stdout).into_owned(), output.status.code().unwrap_or(-1))
}

fn interpreted(file: &Path) -> Outcome {
    let text = Preprocessor::new(Vec::new()).run(file, None, None).expect("preprocessed");
    let translation = frontend::translate(&file.to_string_lossy(), &text, &frontend::Options::default());
    let program = translation.program.unwrap_or_else(|| panic!("{:?}", translation.diagnostics.list()));
    model::verify(&program).unwrap_or_else(|flaws| panic!("{}", flaws[0]));
    let mut printed = Vec::new();
    let mut setup = Setup { output: Box::new(|bytes, _| printed.extend_from_slice(bytes)), ..Setup::default() };
    setup.inputs.stdin = stdin_of(file);
    let end = Machine::new(&program, setup).expect("the globals fit").run_main();
    let End::Exit(status) = end else { panic!("{}: {end:?}", file.display()) };
    (String::from_utf8_lossy(&printed).into_owned(), status)
}

#[test]
fn programs_print_what_gcc_programs_print() {
    if Command::new("gcc").arg("--version").stdout(Stdio::null()).status().is_err() {
        eprintln!("skipped: there is no gcc to compare with");
        return;
    }
    let directory = std::env::temp_dir().join(format!("interp-library-{}", std::process::id()));
    std::fs::create_dir_all(&directory).expect("a place for binaries");
    for file in programs() {
        let expected = compiled(&file, &directory);
        let path = file.clone();
        let worker = std::thread::Builder::new().stack_size(256 << 20).spawn(move || interpreted(&path)).expect("a thread");
        let found = worker.join().unwrap_or_else(|_| panic!("{} does not run", file.display()));
        for (number, (found, expected)) in found.0.lines().zip(expected.0.lines()).enumerate() {
            assert_eq!(found, expected, "{}, line {} of the output", file.display(), number + 1);
        }
        assert_eq!(found, expected, "{}", file.display());
    }
    std::fs::remove_dir_all(&directory).expect("removable");
}

/// Whether a program comes to this end.
#[track_caller]
fn ends(source: &str, expected: &str) {
    let (end, _) = harness::run(source);
    let found = match end {
        End::Fault(fault) => format!("{}: {}", fault.kind.name(), fault.message),
        End::Unsupported(what, _) => format!("unsupported: {what}"),
        other => format!("{other:?}"),
    };
    assert_eq!(found, expected, "{source}");
}

#[test]
fn misuse_of_the_library_is_a_fault_of_the_call() {
    let text = "char *strcpy(char *, const char *); void *memcpy(void *, const void *, unsigned long); int printf(const char *, ...);
        int sprintf(char *, const char *, ...); void *malloc(unsigned long); void free(void *); unsigned long strlen(const char *);
        int puts(const char *); void *memset(void *, int, unsigned long); char *strcat(char *, const char *);
        int sscanf(const char *, const char *, ...); int abs(int); int fclose(void *); extern void *stdout; int fputs(const char *, void *);\n";
    let cases = [
        ("char a[4]; strcpy(a, \"long text\");", "bounds: write of 10 bytes at offset 0 of `a`, which has 4 bytes"),
        ("char a[8] = \"abcdef\"; memcpy(a, a + 2, 4);", "bounds: overlapping memcpy"),
        ("char a[9] = \"abcd\"; strcpy(a + 2, a);", "bounds: overlapping strcpy"),
        ("char a[3] = {1, 2, 3}; strlen(a);", "bounds: read of 1 byte at offset 3 of `a`, which has 3 bytes"),
        ("char a[4]; strlen(a);", "uninit: the library reads this object before it has a value"),
        ("char *p = malloc(4); free(p); strlen(p);", "dangling: read of memory that has been freed"),
        ("strlen(0);", "null: read through the null pointer"),
        ("char a[4]; sprintf(a, \"%d\", 12345);", "bounds: write of 6 bytes at offset 0 of `a`, which has 4 bytes"),
        ("printf(\"%d %d\", 1);", "bounds: the format wants more arguments than there are"),
        ("printf(\"%d\", 1.5);", "bounds: the format wants an integer, but the argument is something else"),
        ("printf(\"%s\", (char *)5);", "null: read through the null pointer"),
        ("static const char k[3] = \"ab\"; memset((char *)k, 0, 1);", "bounds: write to `main.k`, which is constant"),
        ("char a[3]; sscanf(\"word\", \"%s\", a);", "bounds: write of 5 bytes at offset 0 of `a`, which has 3 bytes"),
        ("abs(-2147483647 - 1);", "overflow: -(-2147483648) does not fit in 32 bits"),
        ("fclose(stdout); fputs(\"x\", stdout);", "dangling: use of a stream of an object whose lifetime has ended"),
        ("int x; free(&x);", "free: something that did not come from malloc is freed"),
    ];
    for (body, expected) in cases {
        ends(&format!("{text}int main(void) {{ {body} return 0; }}"), expected);
    }
}

#[test]
fn what_is_not_modelled_is_refused() {
    ends("int fork(void); int main(void) { return fork(); }", "unsupported: `fork` is not modelled");
    ends("long double sinl(long double); int main(void) { return sinl(1.0L); }", "unsupported: `sinl` is not modelled");
    ends(
        "int pthread_create(void *, void *, void *, void *); int main(void) { return pthread_create(0, 0, 0, 0); }",
        "unsupported: `pthread_create` is not modelled",
    );
}

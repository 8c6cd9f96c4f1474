//! Random programs without undefined behaviour: what gcc's program prints, the interpreter prints.

mod generator;
mod harness;

use std::fs;
use std::process::{Command, Stdio};

use interp::End;

#[test]
fn random_programs_print_what_gcc_makes_them_print() {
    if !Command::new("gcc").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success()) {
        eprintln!("skipped: there is no gcc");
        return;
    }
    let folder = std::env::temp_dir().join(format!("loopfrog-differential-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    for seed in 1..=25 {
        let source = generator::program(seed);
        let (file, binary) = (folder.join(format!("{seed}.c")), folder.join(format!("{seed}.out")));
        fs::write(&file, &source).unwrap();
        let compiled = Command::new("gcc").args(["-w", "-O0", "-o"]).arg(&binary).arg(&file).status().unwrap();
        assert!(compiled.success(), "gcc does not take program {seed}:\n{source}");
        let expected = Command::new(&binary).output().unwrap();
        let (end, printed) = harness::run(&source);
        assert_eq!(end, End::Exit(0), "program {seed}:\n{source}");
        assert_eq!(printed.as_bytes(), expected.stdout, "program {seed}:\n{source}");
    }
    fs::remove_dir_all(&folder).unwrap();
}

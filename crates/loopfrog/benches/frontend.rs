//! From preprocessed text to model: time as a ratio to `gcc -fsyntax-only` on the same files, and memory per input.
//!
//! `cargo bench --bench frontend` prints tables; nothing is asserted, because times depend on the machine. Times are processor time, so that
//! other load matters little. The amalgamation of SQLite is the
//! file that `LOOPFROG_BENCH_SQLITE` names (`.c` or `.i`), else the one that `cargo xtask packages sqlite3` has left in the target folder.

mod measure;

use std::env;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use frontend::Options;
use loopfrog::workers;

use self::measure::processor_time;

/// Each time is the mean of so many runs.
const RUNS: usize = 5;
/// The word that makes this program translate a file and print its peak of memory.
const PEAK: &str = "--peak-of";

fn main() {
    let arguments: Vec<String> = env::args().collect();
    if let Some(file) = arguments.iter().position(|word| word == PEAK).and_then(|index| arguments.get(index + 1)) {
        translate(&read(Path::new(file)));
        println!("{}", peak_of_this_process());
        return;
    }
    let folder = tempfile::tempdir().expect("a folder for generated files");
    compare_with_gcc(folder.path());
    doubling_series(folder.path());
}

fn compare_with_gcc(folder: &Path) {
    if Command::new("gcc").arg("--version").stdout(Stdio::null()).status().is_err() {
        println!("SKIPPED: no gcc to compare with");
        return;
    }
    println!("{:<24} {:>8} {:>10} {:>12} {:>7} {:>12} {:>7}", "input", "MB", "gcc, s", "translate, s", "ratio", "process, s", "ratio");
    match amalgamation(folder) {
        Some(file) => compare("sqlite3", &[file]),
        None => println!("{:<24} SKIPPED: run `cargo xtask packages sqlite3`, or name the file in LOOPFROG_BENCH_SQLITE", "sqlite3"),
    }
    let headers = "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n";
    let small = |number| {
        let source = folder.join(format!("small{number}.c"));
        fs::write(&source, format!("{headers}{}", functions(number, 3))).expect("a generated file");
        preprocessed(&source, folder)
    };
    let files: Vec<PathBuf> = (0..100).map(small).collect();
    compare("100 small files", &files);
}

/// One line of the table: gcc, the front end alone, and the whole program that reads a file and writes a model.
fn compare(name: &str, files: &[PathBuf]) {
    let gcc = mean(|| files.iter().for_each(|file| run(Command::new("gcc").args(["-w", "-fsyntax-only"]).arg(file))));
    let texts: Vec<Vec<u8>> = files.iter().map(|file| read(file)).collect();
    let translated = mean(|| texts.iter().for_each(|text| translate(text)));
    let compile = |file: &PathBuf| run(Command::new(env!("CARGO_BIN_EXE_loopfrog")).args(["compile", "-o", "/dev/null"]).arg(file));
    let process = mean(|| files.iter().for_each(compile));
    let size = texts.iter().map(Vec::len).sum::<usize>() as f64 / 1e6;
    println!("{name:<24} {size:>8.2} {gcc:>10.3} {translated:>12.3} {:>7.2} {process:>12.3} {:>7.2}", translated / gcc, process / gcc);
}

/// Time and memory of inputs that double: both per megabyte should stay what they are.
fn doubling_series(folder: &Path) {
    println!("\n{:<24} {:>8} {:>12} {:>12} {:>14}", "input", "MB", "translate, s", "s per MB", "peak per MB");
    let empty = folder.join("empty.i");
    fs::write(&empty, "").expect("a generated file");
    let base = peak_of(&empty);
    for factor in [1, 2, 4, 8, 16] {
        let file = folder.join(format!("series{factor}.i"));
        fs::write(&file, functions(0, 1000 * factor)).expect("a generated file");
        let text = read(&file);
        let size = text.len() as f64 / 1e6;
        let time = mean(|| translate(&text));
        let peak = base.and_then(|base| Some((peak_of(&file)? - base) / size));
        let peak = peak.map_or("unknown".into(), |peak| format!("{peak:.1} MB"));
        println!("{:<24} {size:>8.2} {time:>12.3} {:>12.3} {peak:>14}", format!("{factor} x 1000 functions"), time / size);
    }
}

fn translate(text: &[u8]) {
    workers::on_big_stack(|| {
        let translation = frontend::translate("input.i", text, &Options::default());
        assert!(translation.program.is_some(), "the input has no model");
    });
}

/// The processor time that some work takes, in seconds.
fn mean(work: impl Fn()) -> f64 {
    let start = processor_time();
    (0..RUNS).for_each(|_| work());
    (processor_time() - start) / RUNS as f64
}

fn run(command: &mut Command) {
    let status = command.stdin(Stdio::null()).status().expect("a program that can be run");
    assert!(status.success(), "{command:?} failed");
}

fn read(file: &Path) -> Vec<u8> {
    fs::read(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

/// The peak of memory of a process that translates this file, in megabytes.
fn peak_of(file: &Path) -> Option<f64> {
    let output = Command::new(env::current_exe().ok()?).arg(PEAK).arg(file).output().ok()?;
    String::from_utf8(output.stdout).ok()?.trim().parse().ok()
}

/// What the system says of this process, in megabytes.
fn peak_of_this_process() -> f64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes: Option<f64> = line.and_then(|line| line.trim().trim_end_matches("kB").trim().parse().ok());
    kilobytes.map_or(f64::NAN, |kilobytes| kilobytes * 1024.0 / 1e6)
}

/// The amalgamation of SQLite, preprocessed.
fn amalgamation(folder: &Path) -> Option<PathBuf> {
    let target = env::current_exe().ok()?.ancestors().nth(3)?.to_path_buf();
    let source = env::var_os("LOOPFROG_BENCH_SQLITE").map(PathBuf::from).unwrap_or(target.join("packages/sqlite3/gcc/sqlite3.c"));
    source.is_file().then(|| preprocessed(&source, folder))
}

fn preprocessed(source: &Path, folder: &Path) -> PathBuf {
    if source.extension().is_some_and(|extension| extension == "i") {
        return source.to_path_buf();
    }
    let text = folder.join(source.file_name().unwrap_or_default()).with_extension("i");
    run(Command::new("gcc").args(["-w", "-E"]).arg(source).arg("-o").arg(&text));
    text
}

/// C functions as people write them: loops, arrays, structures, pointers, calls. Different numbers give different text.
fn functions(seed: usize, count: usize) -> String {
    let mut text = String::new();
    for number in 0..count {
        let id = seed * 31 + number;
        let (bound, factor, shift) = (id % 97 + 3, id % 13 + 2, id % 7);
        let _ = write!(
            text,
            r#"
struct node{id} {{ struct node{id} *next; int key; char name[{bound}]; unsigned flags : {factor}; }};
static const short table{id}[] = {{ {factor}, {bound}, [4] = {shift}, 'a', sizeof(struct node{id}) }};
int compare{id}(const struct node{id} *a, const struct node{id} *b)
{{
    for (int i = 0; i < {bound} && (a->name[i] || b->name[i]); i++)
        if (a->name[i] != b->name[i])
            return a->name[i] < b->name[i] ? -1 : 1;
    return a->key - b->key;
}}
unsigned long hash{id}(const unsigned char *text, unsigned long length)
{{
    unsigned long hash = {bound}ul, i = 0;
    while (i < length) {{
        hash = (hash << {shift}) ^ (hash >> 3) ^ text[i++] * {factor};
        switch (hash & 7) {{
        case 0: hash += table{id}[i % 5]; break;
        case 1: case 2: hash ^= 0x{bound}f; /* fall through */
        default: hash--;
        }}
    }}
    return hash;
}}
struct node{id} *insert{id}(struct node{id} **list, struct node{id} *new_node)
{{
    struct node{id} **place = list;
    do {{
        if (!*place || compare{id}(*place, new_node) > 0)
            break;
        place = &(*place)->next;
    }} while (1);
    new_node->next = *place;
    new_node->flags = (unsigned)hash{id}((const unsigned char *)new_node->name, sizeof new_node->name);
    return *place = new_node;
}}
"#
        );
    }
    text
}

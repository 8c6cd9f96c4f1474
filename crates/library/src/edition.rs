//! The texts of the models, and what each defines.

use std::sync::OnceLock;

use frontend::Options;
use model::{Body, CommandKind, Linkage, Program, Target};
use rustc_hash::FxHashMap;

const PRELUDE: &str = include_str!("../models/prelude.h");

/// A file of models in one of its versions.
struct Edition {
    file: &'static str,
    text: &'static str,
    /// What is behind the names of its functions.
    suffix: &'static str,
    /// What only this version has.
    definitions: &'static str,
}

const fn plain(file: &'static str, text: &'static str) -> Edition {
    Edition { file, text, suffix: "", definitions: "" }
}

const fn math(suffix: &'static str, definitions: &'static str) -> Edition {
    Edition { file: "math.c", text: include_str!("../models/math.c"), suffix, definitions }
}

const EDITIONS: &[Edition] = &[
    plain("callback.c", include_str!("../models/callback.c")),
    plain("ctype.c", include_str!("../models/ctype.c")),
    plain("dirent.c", include_str!("../models/dirent.c")),
    plain("errno.c", include_str!("../models/errno.c")),
    plain("format.c", include_str!("../models/format.c")),
    plain("scan.c", include_str!("../models/scan.c")),
    plain("fortify.c", include_str!("../models/fortify.c")),
    plain("getopt.c", include_str!("../models/getopt.c")),
    plain("inet.c", include_str!("../models/inet.c")),
    plain("libintl.c", include_str!("../models/libintl.c")),
    plain("locale.c", include_str!("../models/locale.c")),
    math(
        "",
        "typedef double real;
static real any(void) { return __loopfrog_nondet_double(); }
static real magnitude(real x) { return __builtin_fabs(x); }
static _Bool negative(real x) { return __builtin_signbit(x); }
static real largest(void) { return 0x1.fffffffffffffp1023; }
static real smallest(void) { return 0x1p-1022; }
static real integral(void) { return 0x1p52; }
",
    ),
    math(
        "f",
        "typedef float real;
static real any(void) { return __loopfrog_nondet_float(); }
static real magnitude(real x) { return __builtin_fabsf(x); }
static _Bool negative(real x) { return __builtin_signbitf(x); }
static real largest(void) { return 0x1.fffffep127f; }
static real smallest(void) { return 0x1p-126f; }
static real integral(void) { return 0x1p23f; }
",
    ),
    math(
        "l",
        "typedef long double real;
static real any(void) { return __loopfrog_nondet_longdouble(); }
static real magnitude(real x) { return __builtin_fabsl(x); }
static _Bool negative(real x) { return __builtin_signbitl(x); }
static real largest(void) { return 0x1.fffffffffffffffep16383L; }
static real smallest(void) { return 0x1p-16382L; }
static real integral(void) { return 0x1p63L; }
",
    ),
    plain("netdb.c", include_str!("../models/netdb.c")),
    plain("pwd.c", include_str!("../models/pwd.c")),
    plain("resolv.c", include_str!("../models/resolv.c")),
    plain("shm.c", include_str!("../models/shm.c")),
    plain("signal.c", include_str!("../models/signal.c")),
    plain("stdio.c", include_str!("../models/stdio.c")),
    plain("stdlib.c", include_str!("../models/stdlib.c")),
    plain("string.c", include_str!("../models/string.c")),
    plain("syslog.c", include_str!("../models/syslog.c")),
    plain("time.c", include_str!("../models/time.c")),
    plain("unistd.c", include_str!("../models/unistd.c")),
];

/// The types whose size depends on the data model.
fn types(target: Target) -> &'static str {
    match target {
        Target::Lp64 => "typedef unsigned long size_t; typedef long ptrdiff_t, ssize_t;\n",
        Target::Ilp32 => "typedef unsigned int size_t; typedef int ptrdiff_t, ssize_t;\n",
    }
}

/// The edition that defines a name.
pub(crate) fn defining(name: &str) -> Option<usize> {
    static INDEX: OnceLock<FxHashMap<String, usize>> = OnceLock::new();
    let index = INDEX.get_or_init(|| {
        let named = |(number, edition): (usize, &'static Edition)| {
            definitions(edition.text).map(move |name| (format!("{name}{}", edition.suffix), number))
        };
        EDITIONS.iter().enumerate().flat_map(named).collect()
    });
    index.get(name).copied()
}

/// The name that a symbol has in the models: without the prefixes of special versions that do the same.
pub(crate) fn model_name(name: &str) -> Option<&str> {
    // glibc's own names for functions of <string.h>. Other names that begin like this are not the library's.
    let inner = name.strip_prefix("__").filter(|stem| ["str", "stp", "mem", "raw"].iter().any(|start| stem.starts_with(start)));
    let stem = name.strip_prefix("__isoc99_").or_else(|| name.strip_prefix("__isoc23_")).or(inner);
    let candidates = [Some(name), stem, name.strip_suffix("_unlocked"), name.strip_prefix("__builtin_")];
    candidates.into_iter().flatten().find(|candidate| defining(candidate).is_some())
}

/// What a text defines for others: functions and variables whose definition begins at the start of a line and is not `static`. The text of
/// a function's head is on one line.
fn definitions(text: &'static str) -> impl Iterator<Item = &'static str> {
    text.lines().filter_map(|line| {
        let starts = line.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
        if !starts || line.starts_with("static ") || line.starts_with("typedef ") {
            return None;
        }
        let head = match (line.split_once(" = "), line.split_once('(')) {
            (_, Some((head, _))) if line.ends_with('{') || line.ends_with('}') => head,
            (Some((head, _)), _) if line.ends_with(';') => head,
            _ => return None,
        };
        head.rsplit(|c: char| !c.is_ascii_alphanumeric() && c != '_').next()
    })
}

/// Translates an edition. The error says what is wrong with it.
pub(crate) fn translate(number: usize, target: Target) -> Result<Program, String> {
    let Edition { file, text, suffix, definitions } = &EDITIONS[number];
    let library = Program::LIBRARY;
    let text = [
        format!("# 1 \"{library}types.h\"\n{}", types(target)),
        format!("# 1 \"{library}prelude.h\"\n{PRELUDE}"),
        format!("# 1 \"{library}real.h\"\n{definitions}"),
        format!("# 1 \"{library}{file}\"\n{text}"),
    ]
    .concat();
    let options = Options { target, ..Options::default() };
    let translation = frontend::translate(&format!("{library}{file}"), text.as_bytes(), &options);
    let Some(mut program) = translation.program.filter(|_| translation.diagnostics.list().is_empty()) else {
        return Err(format!("the library's {file} is wrong: {:?}", translation.diagnostics.list()));
    };
    for function in program.functions.iter_mut().filter(|function| function.body.is_some() && function.linkage == Linkage::External) {
        function.name.push_str(suffix);
        // The program's own definition wins.
        function.linkage = Linkage::Inline;
    }
    program.functions.iter_mut().flat_map(|function| &mut function.body).for_each(name_gaps);
    for global in program.globals.iter_mut().filter(|global| global.init.is_some() && global.linkage == Linkage::External) {
        global.linkage = Linkage::Weak;
    }
    Ok(program)
}

/// Models say by assembly what they do not model.
fn name_gaps(body: &mut Body) {
    for command in body.blocks.iter_mut().flat_map(|block| &mut block.commands) {
        if let CommandKind::Unsupported(text) = &mut command.kind
            && let Some(what) = text.strip_prefix("assembly ")
        {
            *text = what.to_string();
        }
    }
}

/// What each file defines.
pub(crate) fn contents() -> Vec<(String, Vec<String>)> {
    let names = |edition: &Edition| definitions(edition.text).map(|name| format!("{name}{}", edition.suffix)).collect();
    EDITIONS.iter().map(|edition| (edition.file.to_string(), names(edition))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::Callee;

    /// The index by text and the translation agree.
    #[test]
    fn every_edition_translates_and_defines_what_the_index_says() {
        for target in [Target::Lp64, Target::Ilp32] {
            for (number, (file, names)) in contents().into_iter().enumerate() {
                let program = translate(number, target).unwrap_or_else(|error| panic!("{error}"));
                model::verify(&program).unwrap_or_else(|flaws| panic!("{file}: {}", flaws[0]));
                let functions = program.functions.iter().filter(|f| f.linkage == Linkage::Inline).map(|f| f.name.clone());
                let globals = program.globals.iter().filter(|g| g.linkage == Linkage::Weak).map(|g| g.name.clone());
                let (mut defined, mut listed): (Vec<String>, _) = (functions.chain(globals).collect(), names);
                defined.sort();
                listed.sort();
                assert_eq!(defined, listed, "{file}");
            }
        }
    }

    #[test]
    fn no_name_is_defined_twice() {
        let mut names: Vec<String> = contents().into_iter().flat_map(|(_, names)| names).collect();
        names.sort();
        let twice: Vec<_> = names.windows(2).filter(|pair| pair[0] == pair[1]).collect();
        assert!(twice.is_empty(), "{twice:?}");
    }

    #[test]
    fn special_versions_have_the_usual_model() {
        for (name, model) in [("__isoc23_strtol", "strtol"), ("__strdup", "strdup"), ("putc_unlocked", "putc"), ("sinf", "sinf")] {
            assert_eq!(model_name(name), Some(model));
        }
        assert_eq!(model_name("frobnicate"), None);
    }

    /// The names of functions that a function of an edition calls, directly or through other models.
    fn calls(program: &Program, name: &str) -> Vec<String> {
        let (mut found, mut pending) = (Vec::new(), vec![name.to_string()]);
        while let Some(name) = pending.pop() {
            let Some(body) = program.functions.iter().find(|f| f.name == name).and_then(|f| f.body.as_ref()) else { continue };
            for command in body.blocks.iter().flat_map(|block| &block.commands) {
                if let CommandKind::Call { callee: Callee::Direct(callee), .. } = command.kind
                    && !found.contains(&program.functions[callee].name)
                {
                    found.push(program.functions[callee].name.clone());
                    pending.push(program.functions[callee].name.clone());
                }
            }
        }
        found
    }

    /// The table of the manual: what has a model, and whether it leaves something open.
    #[test]
    fn the_manual_lists_all_models() {
        let mut table = String::from("| file | does exactly what C or glibc says | leaves something open |\n|---|---|---|\n");
        let is_listed =
            |edition: &Edition| edition.suffix.is_empty() && !["callback.c", "format.c", "fortify.c", "scan.c"].contains(&edition.file);
        for (number, Edition { file, .. }) in EDITIONS.iter().enumerate().filter(|(_, edition)| is_listed(edition)) {
            let program = translate(number, Target::Lp64).unwrap();
            let is_open = |name: &String| {
                calls(&program, name).iter().any(|callee| callee.starts_with("__loopfrog_nondet_") || callee == "__loopfrog_havoc")
            };
            let (open, exact): (Vec<String>, Vec<String>) = contents()[number].1.iter().cloned().partition(is_open);
            let list = |names: Vec<String>| names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" ");
            table.push_str(&format!("| `{file}` | {} | {} |\n", list(exact), list(open)));
        }
        let manual = include_str!("../../../docs/library.md");
        let (before, _) = manual.split_once("| file |").unwrap_or((manual, ""));
        expect_test::expect_file!["../../../docs/library.md"].assert_eq(&format!("{before}{table}"));
    }

    /// Analyses would have to unwind them. Only callbacks that change something need them.
    #[test]
    fn models_have_no_loops() {
        for number in (0..EDITIONS.len()).filter(|number| EDITIONS[*number].file != "callback.c") {
            let program = translate(number, Target::Lp64).unwrap();
            for function in program.functions.iter() {
                let loops = function.body.as_ref().map_or(0, |body| body.loops.len());
                assert_eq!(loops, 0, "{}", function.name);
            }
        }
    }
}

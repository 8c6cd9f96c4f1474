//! `loopfrog explain`: what each check is about, for people who meet its name in a message.

use model::CheckKind;
use passes::checks::DEFAULT;

/// A check in words.
struct Explanation {
    /// What is demanded, in a line.
    demand: &'static str,
    /// What is reported, and what is not.
    meaning: &'static str,
    /// The weaknesses that a violation may be, the usual one first.
    cwe: &'static [u16],
    /// What a proof rests on.
    assumed: &'static str,
}

/// What holds for all checks.
const IN_GENERAL: &str = "\
A proof speaks of runs that did nothing undefined before, of whatever kind: check those kinds too. Functions with neither body nor model
are listed with the results: they may write to all memory that they can reach, but free nothing and do nothing undefined.";

/// The text about one check, by its name as options take it; about all of them without a name.
pub fn explain(name: Option<&str>) -> Result<String, String> {
    let Some(name) = name else { return Ok(overview()) };
    match CheckKind::ALL.into_iter().find(|kind| kind.name() == name) {
        Some(kind) => Ok(text(kind)),
        None => {
            let names: Vec<&str> = CheckKind::ALL.iter().map(|kind| kind.name()).collect();
            Err(format!("there is no check `{name}`; there are {}", names.join(", ")))
        }
    }
}

fn overview() -> String {
    let mut text = String::new();
    for kind in CheckKind::ALL {
        let mark = if DEFAULT.contains(&kind) { "*" } else { " " };
        text.push_str(&format!("{mark} {:<18} CWE-{:<5} {}\n", kind.name(), kind.cwe(), explanation(kind).demand));
    }
    text.push_str("* checked unless `--property` chooses\n");
    text
}

fn text(kind: CheckKind) -> String {
    let Explanation { demand, meaning, cwe, assumed } = explanation(kind);
    let name = kind.name();
    let weaknesses: Vec<String> = cwe.iter().map(|number| format!("CWE-{number}")).collect();
    let switch = match DEFAULT.contains(&kind) {
        true => format!("Checked as usual; alone with --property {name}."),
        false => format!("Checked with --property {name}, or default,{name} for the usual ones as well."),
    };
    format!("{name}: {demand}\n\n{meaning}\nAssumed: {assumed}\n{IN_GENERAL}\n\n{}. {switch}\n", weaknesses.join(", "))
}

fn explanation(kind: CheckKind) -> Explanation {
    match kind {
        CheckKind::Assertion => Explanation {
            demand: "assertions hold",
            meaning: "\
The condition of `assert`, `__VERIFIER_assert` or `__CPROVER_assert` is not zero, and control comes to no call of `reach_error` or
`__VERIFIER_error`. With NDEBUG defined, `assert` is nothing and is not checked.",
            cwe: &[617],
            assumed: "`__VERIFIER_assume` and `__CPROVER_assume` are taken at their word: runs that break them are no runs.",
        },
        CheckKind::Bounds => Explanation {
            demand: "accesses stay inside their objects",
            meaning: "\
An index is below the number of elements, an access lies within its object, nothing is written to constants and string literals, pointers
that are subtracted or compared by `<` belong to one object, calls and jumps through pointers lead to code. Library functions check what
they are given. To move a pointer out of its object is not reported, to use it there is.",
            cwe: &[823, 125, 787, 121],
            assumed: "objects do not lie next to each other: what is behind one belongs to nobody.",
        },
        CheckKind::Null => Explanation {
            demand: "nothing is accessed through null pointers",
            meaning: "\
An access or call through a pointer that is null, or null moved by less than a page (a member of a structure at null).",
            cwe: &[476],
            assumed: "\
`malloc` and the like find memory; `fopen` and others that can fail in ordinary runs may return null. An access through a null
pointer ends the run, so what comes behind does not rely on it.",
        },
        CheckKind::Dangling => Explanation {
            demand: "objects that are accessed still exist",
            meaning: "\
An access to memory that was freed, to a variable whose block was left, or to a variable of a function that has returned. To hold or
compare such a pointer is not reported.",
            cwe: &[416],
            assumed: "the memory of a dead object is not given to another one.",
        },
        CheckKind::Free => Explanation {
            demand: "only the start of a living heap object is freed",
            meaning: "\
What `free` and `realloc` are given is null or came from `malloc` and the like, was not freed before, and is where the object begins.",
            cwe: &[590, 415, 761],
            assumed: "nothing beyond the general.",
        },
        CheckKind::Leak => Explanation {
            demand: "everything is freed when the program ends",
            meaning: "\
A heap object that is alive, or a stream that is open, when `main` returns or `exit` is called and all handlers have run; also if a
variable still leads to it (SV-COMP's valid-memcleanup). The message says whether it does. Where a program gives up (`abort`, failed
assertions) nothing may be left either, but no run shows that it is: `loopfrog run` does not look there.",
            cwe: &[401],
            assumed: "nothing beyond the general.",
        },
        CheckKind::SignedOverflow => Explanation {
            demand: "signed arithmetic fits its type",
            meaning: "\
The exact result of `+ - * / <<`, unary minus, `++` and `--` on signed integers is a value of the type in which C computes, after
promotion: `char` and `short` are added as `int`. `<<` of a negative number has none.",
            cwe: &[190, 191],
            assumed: "nothing beyond the general; -fwrapv is not looked at.",
        },
        CheckKind::UnsignedOverflow => Explanation {
            demand: "unsigned arithmetic does not wrap around",
            meaning: "\
The exact result of `+ - *` on unsigned integers is a value of their type. C defines the wrapped result, so this is a matter of intent:
hashes and counters that go round are reported as well.",
            cwe: &[190, 191],
            assumed: "nothing beyond the general.",
        },
        CheckKind::Division => Explanation {
            demand: "no integer is divided by zero",
            meaning: "The divisor of `/` and `%` on integers is not zero. The smallest number divided by -1 is an overflow.",
            cwe: &[369],
            assumed: "nothing beyond the general.",
        },
        CheckKind::Shift => Explanation {
            demand: "shift distances are below the width",
            meaning: "\
The distance of `<<` and `>>` is at least 0 and below the width of the promoted left operand. A signed number that does not fit after
`<<` is an overflow.",
            cwe: &[1335],
            assumed: "nothing beyond the general.",
        },
        CheckKind::Conversion => Explanation {
            demand: "floating-point numbers fit the integers they become",
            meaning: "\
A floating-point number that is converted to an integer type is one of its values after its fraction is cut off; NaN never is.
Conversions between integer types are defined and are not reported.",
            cwe: &[681],
            assumed: "rounding is to the nearest.",
        },
        CheckKind::Float => Explanation {
            demand: "floating-point results are finite numbers",
            meaning: "\
The result of `+ - * /` on floating-point numbers is neither infinite nor NaN. C defines both, so this is a matter of intent. Results of
library functions are not looked at, but what is computed with them is.",
            cwe: &[1339],
            assumed: "rounding is to the nearest, and each operation rounds to its own type.",
        },
        CheckKind::Uninitialised => Explanation {
            demand: "what is read was written before",
            meaning: "\
A scalar that is read, in a variable or on the heap, got a value before; every byte of it. Structures may be copied with holes. The result
of a function that ended without `return` counts as not written.",
            cwe: &[457],
            assumed: "nothing beyond the general; what only a function without body can have written counts as not written.",
        },
        CheckKind::Unreachable => Explanation {
            demand: "control does not come where it is said never to come",
            meaning: "`__builtin_unreachable` is not executed, and a function that is declared not to return does not return.",
            cwe: &[758],
            assumed: "nothing beyond the general.",
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_check_is_explained() {
        for kind in CheckKind::ALL {
            let text = explain(Some(kind.name())).unwrap();
            assert!(text.starts_with(kind.name()) && text.contains(&format!("CWE-{}", kind.cwe())), "{text}");
            assert!(text.contains(&format!("--property {}", kind.name())) || text.contains(&format!("default,{}", kind.name())), "{text}");
            assert!(text.lines().all(|line| line.chars().count() <= 140), "{text}");
            assert!(overview().contains(&format!(" {} ", kind.name())));
        }
        assert!(explain(Some("nonsense")).unwrap_err().contains("unsigned-overflow"));
    }

    #[test]
    fn the_manual_names_every_check() {
        let manual = include_str!("../../../docs/manual.md");
        for kind in CheckKind::ALL {
            let row = format!("| `{}` |", kind.name());
            assert!(manual.contains(&row), "docs/manual.md has no row {row}");
        }
    }
}

//! Library functions whose effect and result C settles, so that a run in which they are called is the only one.

use super::Invocation;

/// Whether the C standard leaves nothing open about a call, as far as can be told before it. There is always enough memory, as elsewhere.
pub(super) fn is_settled(call: &Invocation<'_>) -> bool {
    let name = plain(call.name);
    match name {
        // What an object of no bytes is differs between libraries.
        "malloc" => call.size(0) != 0,
        "realloc" => call.size(1) != 0,
        "calloc" => call.size(0) != 0 && call.size(1) != 0,
        // Writing may fail; only the result tells.
        "printf" | "fprintf" | "puts" | "fputs" | "putchar" | "putc" | "fputc" | "fflush" => call.target.is_none(),
        _ => SETTLED.contains(&name) || is_exact_mathematics(name) || is_comparison(name),
    }
}

/// Whether C settles a result: of a comparison that finds a difference, only the sign.
pub(super) fn settles_result(call: &Invocation<'_>, result: u128) -> bool {
    !is_comparison(plain(call.name)) || result == 0
}

fn plain(name: &str) -> &str {
    name.strip_prefix("__builtin_").unwrap_or(name)
}

fn is_comparison(name: &str) -> bool {
    matches!(name, "strcmp" | "strncmp" | "memcmp")
}

fn is_exact_mathematics(name: &str) -> bool {
    let exact = |name: &str| MATHEMATICS.contains(&name);
    exact(name) || name.strip_suffix(['f', 'l']).is_some_and(exact)
}

/// IEEE 754 says what these give.
const MATHEMATICS: [&str; 12] =
    ["fabs", "copysign", "floor", "ceil", "trunc", "round", "rint", "nearbyint", "sqrt", "fmod", "fmin", "fmax"];

const SETTLED: [&str; 39] = [
    "free",
    "memcpy",
    "memmove",
    "memset",
    "memchr",
    "strlen",
    "strcpy",
    "strncpy",
    "strcat",
    "strncat",
    "strchr",
    "strrchr",
    "strstr",
    "strspn",
    "strcspn",
    "strpbrk",
    "abs",
    "labs",
    "llabs",
    "atoi",
    "atol",
    "atoll",
    "strtol",
    "strtoul",
    "exit",
    "_exit",
    "_Exit",
    "abort",
    "atexit",
    "assert",
    "__assert_fail",
    "reach_error",
    "__VERIFIER_error",
    "__VERIFIER_assert",
    "__VERIFIER_assume",
    "__VERIFIER_atomic_begin",
    "__VERIFIER_atomic_end",
    "__CPROVER_assume",
    "__CPROVER_assert",
];

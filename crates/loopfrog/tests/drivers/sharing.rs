//! Large functions that are called from several places.

use crate::check::{check, statuses};

/// A program that calls a function of more than a thousand commands twice; it writes to one element of what it is given.
fn program(first: &str, second: &str) -> String {
    let mix: String = (0..600).map(|number| format!("    s ^= table[(s + {number}) & 63];\n")).collect();
    format!(
        "extern int __VERIFIER_nondet_int(void);
unsigned table[64];
static unsigned put(char *text, int n) {{
    unsigned s = (unsigned)n;
{mix}    text[n] = (char)s;
    return s & 15;
}}
int main(void) {{
    char small[32], large[64];
    int x[16], n = __VERIFIER_nondet_int();
    if (n < 0) return 0;
    if (n < {first}) x[put(small, n)] = 1;
    if (n < {second}) x[put(large, n)] = 2;
    return 0;
}}
"
    )
}

/// The properties that are not proved.
fn open(source: &str) -> Vec<String> {
    let mut found = statuses(&check(source, "--json --property memory"));
    found.retain(|property| !property.ends_with("proved"));
    found
}

#[test]
fn what_holds_at_all_calls_is_known_inside_and_what_holds_of_all_returns_behind() {
    assert_eq!(open(&program("32", "64")), [] as [String; 0]);
}

#[test]
fn what_fails_at_one_call_is_not_proved() {
    for source in [program("33", "64"), program("32", "65")] {
        let found = open(&source);
        assert!(found.iter().any(|property| property.starts_with("605 bounds")), "{found:?}");
    }
}

//! Closures over predicates: `--summaries closures`.

use expect_test::expect;

use crate::support::Sandbox;

/// Figure 2 of the paper.
const NESTED: &str = "\
int __VERIFIER_nondet_int(void);
void __assert_fail(const char *, const char *, unsigned, const char *);
int main(void)
{
    int y = 0, t = 0, m = __VERIFIER_nondet_int();
    if (m < 0) return 1;
    while (y < m) {
        y++;
        t = 0;
        while (t < y)
            t++;
    }
    if (t != m) __assert_fail(\"t == m\", \"a.i\", 12, \"main\");
    return 0;
}
";

/// The output without the time that it took.
fn timeless(text: &str) -> String {
    text.lines().map(|line| line.rsplit_once("   (").map_or(line, |(start, _)| start).to_owned() + "\n").collect()
}

fn sandbox(source: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("a.i", source);
    sandbox
}

#[test]
fn nested_loops_are_closed_from_the_inside() {
    let sandbox = sandbox(NESTED);
    let printed = timeless(&sandbox.loopfrog("summarize --summaries closures a.i").ok());
    expect![[r#"
        loop a.i:7:5 in main  modifies y, t
          keeps     y == t
          keeps     y <= m
          keeps     0 <= y
          after     y >= m
          exit      y == m && y == t && 0 <= y
        loop a.i:10:9 in main  modifies t
          keeps     0 <= t
          keeps     t <= y || t == 0
          keeps     entry(t) < entry(m) => y == t || t < m
          keeps     entry(t) == entry(m) => t == m
          after     t >= y
          exit      y == t && 1 <= t && t <= m
        2 loops, 7 invariants of 13 candidates
    "#]]
    .assert_eq(&printed);
    // Path by path, it is the same.
    assert_eq!(timeless(&sandbox.loopfrog("summarize --summaries closures --path-wise a.i").ok()), printed);
}

/// What the first loop leaves is what the second is entered with, and both branches between them count.
#[test]
fn sequences_of_loops_and_conditions() {
    let sandbox = sandbox(
        "int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);
int main(void)
{
    int x = 0, y = 0, n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n >= 0);
    while (y < n) y++;
    if (__VERIFIER_nondet_int()) x = y;
    while (x < n) x++;
    return x == y;
}
",
    );
    expect![[r#"
        loop a.i:7:5 in main  modifies y
          keeps     y <= n
          keeps     0 <= y
          after     y >= n
          exit      y == n && 0 <= y
        loop a.i:9:5 in main  modifies x
          keeps     0 <= x
          keeps     entry(x) == entry(y) => x == y
          keeps     0 == entry(x) => x <= n
          after     x >= n
          exit      x == n && x == y && 0 <= x
        2 loops, 5 invariants of 13 candidates
    "#]]
    .assert_eq(&timeless(&sandbox.loopfrog("summarize --summaries closures a.i").ok()));
}

#[test]
fn predicates_of_the_user_take_the_place_of_those_of_the_program() {
    let sandbox = sandbox(NESTED);
    sandbox.write("list", "# how t and y compare\nt < y\nt == y\nt > y\n");
    let printed = sandbox.loopfrog("summarize --summaries closures --predicates list a.i").ok();
    expect![[r#"
        loop a.i:7:5 in main  modifies y, t
          keeps     y <= t
          after     y >= m
          exit      y <= t
        loop a.i:10:9 in main  modifies t
          keeps     entry(t) < entry(y) => t <= y
          keeps     entry(t) == entry(y) => y == t
          keeps     entry(y) < entry(t) => y < t
          after     t >= y
          exit      y <= t
        2 loops, 4 invariants of 4 candidates
    "#]]
    .assert_eq(&timeless(&printed));
    sandbox.write("wrong", "t <\n");
    let run = sandbox.loopfrog("summarize --summaries closures --predicates wrong a.i");
    assert!(run.stderr.contains("wrong:1:"), "{}", run.stderr);
    let run = sandbox.loopfrog("summarize --summaries closures --predicates missing a.i");
    assert!(run.stderr.contains("cannot read missing"), "{}", run.stderr);
}

#[test]
fn closures_help_where_invariants_are_too_weak() {
    let sandbox = sandbox(NESTED);
    let last = |words: &str| timeless(&sandbox.loopfrog(words).stdout).lines().last().unwrap_or_default().to_owned();
    let check = "check -q --property assert --domains none";
    assert_eq!(last(&format!("{check} a.i")), "checked 1 property in 1 file, 2 loops: 1 proved, 0 violated, 0 possible");
    assert_eq!(
        last(&format!("{check} --summaries closures a.i")),
        "checked 1 property in 1 file, 2 loops: 1 proved, 0 violated, 0 possible"
    );
    assert_eq!(
        last(&format!("{check} --summaries invariants a.i")),
        "checked 1 property in 1 file, 2 loops: 0 proved, 0 violated, 1 possible"
    );
}

#[test]
fn runs_without_overflow_keep_more() {
    let sandbox = sandbox(
        "int __VERIFIER_nondet_int(void);\nint main(void)\n{\n    int x = 0;\n    while (__VERIFIER_nondet_int()) x = x + 2;\n    return x;\n}\n",
    );
    let exits = |words: &str| {
        let printed = sandbox.loopfrog(words).ok();
        printed.lines().filter(|line| line.starts_with("  exit")).map(|line| line.trim().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(exits("summarize --summaries closures a.i"), ["exit      true"]);
    assert_eq!(exits("summarize --summaries closures --defined a.i"), ["exit      0 <= x"]);
}

#[test]
fn what_is_left_out_is_said() {
    let mut source = String::from("int __VERIFIER_nondet_int(void);\nint main(void)\n{\n    int n = __VERIFIER_nondet_int();\n");
    for number in 0..9 {
        source += &format!("    int v{number} = 0;\n");
    }
    source += "    while (v0 < n) {\n        v0++;\n";
    for number in 1..9 {
        source += &format!("        if (v{number} < __VERIFIER_nondet_int()) v{number}++;\n");
    }
    source += "    }\n    return v0 + v1 + v2 + v3 + v4 + v5 + v6 + v7 + v8;\n}\n";
    let printed = sandbox(&source).loopfrog("summarize --summaries closures a.i").ok();
    assert!(printed.lines().any(|line| line.starts_with("  coarse    only ")), "{printed}");
}

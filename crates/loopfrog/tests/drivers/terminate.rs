//! `loopfrog terminate` as users call it.

use expect_test::{Expect, expect};
use serde_json::Value;

use crate::support::{Run, Sandbox};

/// Loops that are not simply followed, and a function that calls itself.
const LOOPS: &str = "\
unsigned __VERIFIER_nondet_uint(void);
int __VERIFIER_nondet_int(void);
int size(const char *);
static unsigned half(unsigned n)
{
    return n < 2 ? n : half(n / 2);
}
int main(void)
{
    int n = size(\"x\"), x = n, y = n;
    unsigned char few = __VERIFIER_nondet_uint();
    while (few)
        few--;
    while (x > 0 && y > 0)
        if (__VERIFIER_nondet_int()) {
            x--;
            y = __VERIFIER_nondet_int();
        } else
            y--;
    return half(n);
}
";

fn terminate(source: &str, options: &str) -> Run {
    let sandbox = Sandbox::new();
    sandbox.write("a.i", source).write("termination.prp", "CHECK( init(main()), LTL(F end) )\n");
    sandbox.loopfrog(&format!("terminate {options} a.i"))
}

/// What is printed, without the time that it took.
#[track_caller]
fn prints(run: Run, code: i32, expected: Expect) {
    assert_eq!(run.code, code, "{}{}", run.stdout, run.stderr);
    let lines = run.stdout.lines().map(|line| line.split_once("   (").map_or(line, |(start, _)| start));
    expected.assert_eq(&lines.map(|line| format!("{line}\n")).collect::<String>());
}

#[test]
fn each_loop_has_a_line() {
    prints(
        terminate(LOOPS, ""),
        0,
        expect![[r#"
            a.i:6:24  calls of half in half  terminates: n decreases, at most n - 1 calls inside each other, counted at the entry
            a.i:12:5  while in main          terminates: few decreases, at most 255 rounds
            a.i:14:5  while in main          terminates: (x, y) decreases lexicographically
            3 loops: 3 terminating; the program terminates
            assumed: `size` has no body (1 call, first at a.i:10:13); it returns, with any value, and may write to all memory that it can reach
            assumed: nothing undefined happens (`loopfrog check` tells); a run that leaves an object, say, is one that ends
        "#]],
    );
}

#[test]
fn json_has_the_same() {
    let run = terminate(LOOPS, "--json");
    let json: Value = serde_json::from_str(&run.stdout).unwrap_or_else(|_| panic!("{}{}", run.stdout, run.stderr));
    assert_eq!((run.code, &json["verdict"], &json["entry"]), (0, &Value::from("terminates"), &Value::from("main")));
    let few = &json["loops"].as_array().unwrap().iter().find(|one| one["line"] == 12).unwrap();
    assert_eq!((&few["verdict"], &few["argument"], &few["bound"]), (&"terminates".into(), &"few decreases".into(), &"255".into()));
    assert_eq!((&few["engine"], &few["recursion"], &few["function"]), (&"orders".into(), &false.into(), &"main".into()));
    assert_eq!(json["assumed"][0]["function"], "size");
}

#[test]
fn invariants_that_an_argument_needs_are_told() {
    let source = "\
int __VERIFIER_nondet_int(void);
int main(void)
{
    int x = __VERIFIER_nondet_int(), y = 1, z = 3;
    while (x > 0) {
        x = x - y;
        if (__VERIFIER_nondet_int())
            y = y < 100 ? y + 1 : 5;
        z = 4;
    }
    return z;
}
";
    prints(
        terminate(source, ""),
        0,
        expect![[r#"
            a.i:5:5  while in main  terminates: x decreases, at most x rounds, counted at the entry; it keeps 1 <= y
            1 loop: 1 terminating; the program terminates
            assumed: nothing undefined happens (`loopfrog check` tells); a run that leaves an object, say, is one that ends
        "#]],
    );
    let json: Value = serde_json::from_str(&terminate(source, "--json").stdout).unwrap();
    assert_eq!(json["loops"][0]["invariants"], serde_json::json!(["1 <= y"]));
}

#[test]
fn answers_for_svcomp_come_last() {
    assert!(terminate(LOOPS, "--svcomp termination.prp").ok().ends_with("\nTRUE\n"));
    let run = terminate("int main(void) { while (1) ; }", "--svcomp termination.prp");
    assert_eq!((run.code, run.stdout.lines().last()), (10, Some("FALSE(termination)")));
    let message = terminate(LOOPS, "--svcomp missing.prp").fails(1);
    assert!(message.contains("cannot read missing.prp"), "{message}");
}

#[test]
fn engines_are_chosen_by_name() {
    let sandbox = Sandbox::new();
    let list = sandbox.loopfrog("terminate --engine list").ok();
    assert!(list.contains("\norders ") && list.contains("\nterminator "), "{list}");
    let message = terminate(LOOPS, "--engine frogs").fails(1);
    assert!(message.contains("there is no engine `frogs`; there are orders, "), "{message}");
    assert!(sandbox.loopfrog("terminate --engine orders").fails(1).contains("which files?"));
    let line = |engine: &str| {
        let run = terminate(LOOPS, &format!("--engine {engine}"));
        run.stdout.lines().find(|line| line.starts_with("a.i:14:")).unwrap_or_default().to_string()
    };
    assert!(line("order-numeric").contains("unknown"), "{}", line("order-numeric"));
    assert!(line("compositional").contains("terminates: since each earlier round, ") && line("compositional").ends_with("[compositional]"));
}

#[test]
fn library_loops_are_not_the_users() {
    let source = "unsigned long strlen(const char *); int main(int argc, char **argv) { return strlen(argv[0]) > 3; }";
    assert!(terminate(source, "").ok().starts_with("no loops; the program terminates"));
}

#[test]
fn two_runs_print_the_same() {
    let text = || terminate(LOOPS, "").ok().lines().filter(|line| !line.contains(" s)")).map(str::to_string).collect::<Vec<_>>();
    assert_eq!(text(), text());
}

//! Runs that never end: `loopfrog terminate` and what it says of them.

use expect_test::expect;
use serde_json::Value;

use crate::support::Sandbox;

/// A server that stops when it is told to, after a choice.
const SERVER: &str = "\
int __VERIFIER_nondet_int(void);
int main(void)
{
    int served = 0, mode = __VERIFIER_nondet_int();
    if (mode != 77)
        return 1;
    while (1) {
        int request = __VERIFIER_nondet_int();
        if (request < 5)
            return served;
        served = !served;
    }
}
";

/// A loop that should end, and does not.
const STUCK: &str = "\
int main(void)
{
    unsigned char i = 0;
    while (i != 5)
        i += 2;
    return 0;
}
";

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("server.c", SERVER).write("stuck.c", STUCK);
    sandbox
}

#[test]
fn a_run_is_told_with_its_inputs() {
    let run = sandbox().loopfrog("terminate stuck.c --engine lasso");
    assert_eq!(run.code, 10);
    let text: Vec<&str> = run.stdout.lines().filter(|line| !line.contains(" s)")).collect();
    expect![[r#"
        stuck.c:4:5: the loop in main goes on for ever [lasso]
          one round:
            stuck.c:5:9  i = 2
            stuck.c:5:9  i = 4
            stuck.c:5:9  i = 6
            stuck.c:5:9  i = 8
            stuck.c:5:9  i = 10
            stuck.c:5:9  i = 12
            stuck.c:5:9  i = 14
            stuck.c:5:9  i = 16
            stuck.c:5:9  i = 18
            stuck.c:5:9  i = 20
            stuck.c:5:9  i = 22
            stuck.c:5:9  i = 24
            stuck.c:5:9  i = 26
            stuck.c:5:9  i = 28
            stuck.c:5:9  i = 30
            stuck.c:5:9  i = 32
            stuck.c:5:9  i = 34
            stuck.c:5:9  i = 36
            stuck.c:5:9  i = 38
            stuck.c:5:9  i = 40
            stuck.c:5:9  i = 42
            stuck.c:5:9  i = 44
            stuck.c:5:9  i = 46
            stuck.c:5:9  i = 48
            … and 104 more
          each round begins with i == 0
        stuck.c:4:5  while in main  does not terminate"#]]
    .assert_eq(&text.join("\n"));
}

#[test]
fn the_inputs_can_be_run() {
    let sandbox = sandbox();
    assert_eq!(sandbox.loopfrog("terminate server.c --inputs inputs.txt").code, 10);
    let inputs = String::from_utf8(sandbox.read("inputs.txt")).unwrap();
    assert!(inputs.contains("value 77") && inputs.contains("\nrepeat\nvalue "), "{inputs}");
    // The budget of steps is used up, but the inputs are not.
    let run = sandbox.loopfrog("run server.c --inputs inputs.txt --steps 100000");
    assert_eq!(run.code, 5, "{}", run.stderr);
    assert!(run.stderr.contains("its budget of steps is used up"), "{}", run.stderr);
}

#[test]
fn a_loop_may_be_meant_to_go_on() {
    let sandbox = sandbox();
    let run = sandbox.loopfrog("terminate server.c --endless-ok");
    assert_eq!(run.code, 0);
    assert!(run.stdout.contains("server.c:7:5: this loop is written to go on for ever, and it does"), "{}", run.stdout);
    assert_eq!(sandbox.loopfrog("terminate stuck.c --endless-ok").code, 10);
}

#[test]
fn the_run_is_in_the_json() {
    let run = sandbox().loopfrog("terminate server.c --json");
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(report["verdict"], "diverges");
    assert_eq!(report["run"]["line"], 7);
    assert_eq!(report["run"]["stem"][0]["value"], "77");
    assert_eq!(report["run"]["round"].as_array().map(Vec::len), Some(2));
    assert_eq!(report["run"]["meant"], true);
}

#[test]
fn a_closed_set_is_told() {
    let sandbox = Sandbox::new();
    sandbox.write("odd.c", "int main(void) { unsigned x = 1; while (x != 300) x += 6; return 0; }\n");
    let run = sandbox.loopfrog("terminate odd.c --engine lasso,closed");
    assert_eq!(run.code, 10);
    assert!(run.stdout.contains("each round begins with x % 2 == 1\n"), "{}", run.stdout);
}

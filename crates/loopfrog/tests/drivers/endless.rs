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

/// It goes on only if the input is what the state asks for.
const FOLLOWING: &str = "\
unsigned __VERIFIER_nondet_uint(void);
int main(void)
{
    unsigned x = __VERIFIER_nondet_uint();
    if (x != 5)
        return 1;
    while (__VERIFIER_nondet_uint() == x + 2)
        x = x * 3 + 1;
    return 0;
}
";

#[test]
fn inputs_that_are_chosen_in_each_round_are_told() {
    let sandbox = Sandbox::new();
    sandbox.write("follow.c", FOLLOWING);
    let run = sandbox.loopfrog("terminate follow.c --inputs inputs.txt");
    assert_eq!(run.code, 10, "{}", run.stdout);
    let text: Vec<&str> = run.stdout.lines().filter(|line| !line.contains(" s)")).collect();
    expect![[r#"
        follow.c:7:5: the loop in main goes on for ever
          with these inputs:
            __VERIFIER_nondet_uint = 5  (follow.c:4:18)
          and then these in each round, computed where it begins:
            __VERIFIER_nondet_uint = x + 2  (follow.c:7:12)
          one round:
            follow.c:8:9  x = 16
          each round begins with x >= 0
        follow.c:7:5  while in main  does not terminate"#]]
    .assert_eq(&text.join("\n"));
    // There are inputs for a million steps.
    let inputs = String::from_utf8(sandbox.read("inputs.txt")).unwrap();
    assert!(inputs.contains("\nvalue 7 ") && inputs.contains("\nvalue 18\n") && !inputs.contains("repeat"));
    let run = sandbox.loopfrog("run follow.c --inputs inputs.txt --steps 1000000");
    assert!(run.stderr.contains("its budget of steps is used up"), "{}", run.stderr);
    let run = sandbox.loopfrog("run follow.c --inputs inputs.txt");
    assert_eq!(run.code, 1, "{}", run.stderr);
    assert!(run.stderr.contains("the inputs end too early"), "{}", run.stderr);
    let report: Value = serde_json::from_str(&sandbox.loopfrog("terminate follow.c --json").stdout).unwrap();
    assert_eq!(report["run"]["choices"][0]["value"], "x + 2");
    assert_eq!(report["run"]["further"][0], "18");
}

#[test]
fn loops_that_read_input_say_so() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "copy.c",
        "#include <stdio.h>\nint main(void) {\n    int c;\n    while ((c = getchar()) != EOF)\n        putchar(c);\n    return 0;\n}\n",
    );
    let run = sandbox.loopfrog("terminate copy.c");
    assert_eq!(run.code, 5, "{}", run.stdout);
    let reason = "copy.c:4:5  while in main  unknown: no ranking function was found; it reads input, which may have no end";
    assert_eq!(run.stdout.lines().next(), Some(reason));
}

#[test]
fn arguments_and_standard_input_are_told() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "told.c",
        "#include <stdio.h>\n\
         int main(int argc, char **argv)\n\
         {\n\
         \x20   unsigned n = 0;\n\
         \x20   if (argc == 2 && argv[1][0] == '-' && getchar() == 'x')\n\
         \x20       while (n != 1)\n\
         \x20           n += 2;\n\
         \x20   return 0;\n\
         }\n",
    );
    let run = sandbox.loopfrog("terminate told.c --inputs inputs.txt");
    assert_eq!(run.code, 10, "{}", run.stdout);
    assert!(run.stdout.contains("  with the arguments \"-"), "{}", run.stdout);
    assert!(run.stdout.contains("  with the standard input \"x"), "{}", run.stdout);
    assert_eq!(sandbox.loopfrog("run told.c --inputs inputs.txt --steps 100000").code, 5);
}

#[test]
fn calls_may_go_on_for_ever() {
    let sandbox = Sandbox::new();
    sandbox
        .write("climb.c", "static unsigned climb(unsigned n) { return n == 4 ? 0 : climb(n + 2); }\nint main(void) { return climb(1); }\n");
    let run = sandbox.loopfrog("terminate climb.c");
    assert_eq!(run.code, 10, "{}", run.stdout);
    assert!(run.stdout.contains("calls of climb go on for ever\n"), "{}", run.stdout);
    assert!(run.stdout.contains("each round begins with n % 2 == 1\n"), "{}", run.stdout);
}

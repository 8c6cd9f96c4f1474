//! What is said of loops: `loopfrog summarize`, `loopfrog domains`, and leaping counterexamples.

use expect_test::{Expect, expect};
use serde_json::Value;

use crate::support::{Run, Sandbox};

/// Strings, pointers, two calls of one function, nested loops, and a loop of gotos.
const LOOPS: &str = "\
int __VERIFIER_nondet_int(void);
static int fill(char *p, int n, char c)
{
    int done = 0;
    while (done < n) {
        *p++ = c;
        done++;
    }
    return done;
}
int main(void)
{
    char a[40], b[64];
    int total = 0, n = __VERIFIER_nondet_int();
    if (n < 0 || n > 40) return 1;
    fill(a, n, 'x');
    fill(b, 64, 'y');
    for (int i = 0; i < n; i++) {
        if (a[i] == 'z') break;
        for (int j = 0; j < i; j++)
            b[j] = a[i];
    }
    do { total ^= n; } while (total > 5);
again:
    if (n > 3) { n--; goto again; }
    return total;
}
";

/// A loop that no domain knows enough about, and an access that needs to know it.
const MIXED: &str = "\
int __VERIFIER_nondet_int(void);
int main(void)
{
    int a[100] = {0}, i = 0, x = 1;
    while (i < 900000 && x != 0) {
        i++;
        x = (x * 75 + 74) % 65537;
    }
    a[5] = 3;
    return a[x % 200];
}
";

fn run(source: &str, words: &str) -> Run {
    let sandbox = Sandbox::new();
    sandbox.write("a.i", source);
    sandbox.loopfrog(words)
}

/// The output without the time that it took.
fn timeless(text: &str) -> String {
    let line = |line: &str| line.rsplit_once("   (").filter(|(_, end)| end.ends_with(" s)")).map_or(line, |(start, _)| start).to_owned();
    text.lines().filter(|line| !line.contains("\"seconds")).map(|text| line(text) + "\n").collect()
}

/// Summarises the loops with some domains, so that others may come and go.
#[track_caller]
fn prints(source: &str, words: &str, expected: &Expect) {
    let domains = "--domains index-nonnegative,guards,bounds,pointer-valid,offset-bounds,recurrence,counter-offset,not-found,array-copy";
    expected.assert_eq(&timeless(&run(source, &format!("{words} {domains}")).ok()));
}

#[test]
fn summaries_for_people() {
    prints(
        LOOPS,
        "summarize a.i",
        &expect![[r#"
            loop a.i:5:5 in fill  modifies p, *p, done
              keeps     0 <= done
              keeps     offset(p) <= size(p)
              keeps     same_object(p, entry(p))
              keeps     done == entry(done) + iterations
              keeps     offset(entry(p)) + done == offset(p) + entry(done)
              keeps     p[0..size(p) - offset(p)) == entry(p[0..size(p) - offset(p)))
              called at a.i:16:5
                keeps   done <= n
              after     done >= n
            loop a.i:18:5 in main  modifies b[..], i
              keeps     0 <= i
              keeps     i <= n
              keeps     i <= 40
              keeps     i == entry(i) + iterations
              keeps     a[0..i) != 'z'
              after     i >= n or a[i] == 'z'
            loop a.i:20:9 in main  modifies b[..], j
              keeps     j <= i
              keeps     (unsigned long long)j < 64
              keeps     j == entry(j) + iterations
              keeps     b[j..64) == entry(b[j..64))
              after     j >= i
            loop a.i:23:5 in main  modifies total
              keeps     0 <= total
              after     total <= 5
            loop a.i:25:9 in main  modifies n
              keeps     0 <= n
              keeps     n <= entry(n)
              keeps     n + iterations == entry(n)
              after     n <= 3
            5 loops, 20 invariants of 71 candidates
        "#]],
    );
}

#[test]
fn summaries_of_a_function() {
    prints(
        LOOPS,
        "summarize --function fill a.i",
        &expect![[r#"
            loop a.i:5:5 in fill  modifies p, *p, done
              keeps     0 <= done
              keeps     same_object(p, entry(p))
              keeps     done <= 0
              keeps     done == entry(done) + iterations
              keeps     offset(entry(p)) + done == offset(p) + entry(done)
              keeps     p[0..size(p) - offset(p)) == entry(p[0..size(p) - offset(p)))
              after     done >= n
            loop a.i:18:5 in main
              no summary: its iterations were followed one by one, or control does not come to it
            loop a.i:20:9 in main
              no summary: its iterations were followed one by one, or control does not come to it
            loop a.i:23:5 in main
              no summary: its iterations were followed one by one, or control does not come to it
            loop a.i:25:9 in main
              no summary: its iterations were followed one by one, or control does not come to it
            1 loop, 6 invariants of 18 candidates
        "#]],
    );
}

#[test]
fn annotations_for_frama_c() {
    prints(
        LOOPS,
        "summarize -q --annotate acsl a.i",
        &expect![[r#"
            int __VERIFIER_nondet_int(void);
            static int fill(char *p, int n, char c)
            {
                int done = 0;
                /*@ loop invariant 0 <= done;
                    loop invariant \offset(p) <= \block_length(p);
                    loop invariant \base_addr(p) == \base_addr(\at(p, LoopEntry));
                    loop invariant \offset(\at(p, LoopEntry)) + done == \offset(p) + \at(done, LoopEntry);
                */
                while (done < n) {
                    *p++ = c;
                    done++;
                }
                return done;
            }
            int main(void)
            {
                char a[40], b[64];
                int total = 0, n = __VERIFIER_nondet_int();
                if (n < 0 || n > 40) return 1;
                fill(a, n, 'x');
                fill(b, 64, 'y');
                /*@ loop invariant 0 <= i;
                    loop invariant i <= n;
                    loop invariant i <= 40;
                    loop invariant (\forall integer k; 0 <= k < i ==> a[k] != 'z');
                    loop assigns b[..], i;
                */
                for (int i = 0; i < n; i++) {
                    if (a[i] == 'z') break;
                    /*@ loop invariant j <= i;
                        loop invariant (unsigned long long)j < 64;
                        loop invariant (\forall integer k; j <= k < 64 ==> b[k] == \at(b[k], LoopEntry));
                        loop assigns b[..], j;
                    */
                    for (int j = 0; j < i; j++)
                        b[j] = a[i];
                }
                /*@ loop invariant 0 <= total;
                    loop assigns total;
                */
                do { total ^= n; } while (total > 5);
            again:
                if (n > 3) { n--; goto again; }
                return total;
            }
        "#]],
    );
}

#[test]
fn annotations_for_cbmc() {
    prints(
        LOOPS,
        "summarize -q --annotate cprover a.i",
        &expect![[r#"
            int __VERIFIER_nondet_int(void);
            static int fill(char *p, int n, char c)
            {
                int done = 0;
                while (done < n)
                    __CPROVER_loop_invariant(0 <= done)
                    __CPROVER_loop_invariant((__int128)(long long)__CPROVER_POINTER_OFFSET(p) <= (__int128)__CPROVER_OBJECT_SIZE(p))
                    __CPROVER_loop_invariant(__CPROVER_same_object(p, __CPROVER_loop_entry(p)))
                    __CPROVER_loop_invariant((__int128)(long long)__CPROVER_POINTER_OFFSET(__CPROVER_loop_entry(p)) + done == (__int128)(long long)__CPROVER_POINTER_OFFSET(p) + __CPROVER_loop_entry(done))
                {
                    *p++ = c;
                    done++;
                }
                return done;
            }
            int main(void)
            {
                char a[40], b[64];
                int total = 0, n = __VERIFIER_nondet_int();
                if (n < 0 || n > 40) return 1;
                fill(a, n, 'x');
                fill(b, 64, 'y');
                for (int i = 0; i < n; i++)
                    __CPROVER_loop_invariant(0 <= i)
                    __CPROVER_loop_invariant(i <= n)
                    __CPROVER_loop_invariant(i <= 40)
                    __CPROVER_loop_invariant(__CPROVER_forall { long long k; (0 <= k && k < i) ==> (a[k] != 'z') })
                {
                    if (a[i] == 'z') break;
                    for (int j = 0; j < i; j++)
                        __CPROVER_loop_invariant(j <= i)
                        __CPROVER_loop_invariant((unsigned long long)j < 64ull)
                        b[j] = a[i];
                }
                do { total ^= n; } while (total > 5);
            again:
                if (n > 3) { n--; goto again; }
                return total;
            }
        "#]],
    );
}

#[test]
fn loops_that_cannot_be_annotated() {
    let said = run(LOOPS, "summarize --annotate cprover a.i").stderr;
    expect![[r#"
        warning: the loop at a.i:23:5 is not annotated: CBMC takes no invariants of do loops
        warning: the loop at a.i:25:9 is not annotated: it is made of jumps
    "#]]
    .assert_eq(&said);
}

#[test]
fn annotations_go_to_a_file() {
    let sandbox = Sandbox::new();
    sandbox.write("a.i", LOOPS);
    assert_eq!(sandbox.loopfrog("summarize -q --annotate acsl a.i -o annotated.c").ok(), "");
    let annotated = String::from_utf8(sandbox.read("annotated.c")).unwrap();
    let without: Vec<&str> = annotated.lines().filter(|line| !line.contains("loop ") && line.trim() != "*/").collect();
    assert_eq!(without, LOOPS.lines().collect::<Vec<_>>());
}

#[test]
fn annotated_programs_are_the_same_programs() {
    let sandbox = Sandbox::new();
    sandbox.write("a.i", LOOPS);
    let annotated = sandbox.loopfrog("summarize -q --annotate acsl a.i").ok();
    // Comments do not survive in what is preprocessed already.
    sandbox.write("b.c", annotated);
    let loops = |file: &str| sandbox.loopfrog(&format!("show loops {file}")).ok().lines().count();
    assert_eq!(loops("a.i"), loops("b.c"));
}

#[test]
fn summaries_as_json() {
    let json: Value = serde_json::from_str(&run(LOOPS, "summarize --json a.i").ok()).unwrap();
    let loops = json["loops"].as_array().unwrap();
    let lines: Vec<(u64, &str)> = loops.iter().map(|one| (one["line"].as_u64().unwrap(), one["kind"].as_str().unwrap())).collect();
    assert_eq!(lines, [(5, "while"), (18, "for"), (20, "for"), (23, "do"), (25, "goto")]);
    assert_eq!(loops[0]["function"], "fill");
    assert_eq!(loops[0]["summarised"], 2);
    assert_eq!(loops[0]["after"], "done >= n");
    let invariants = loops[0]["invariants"].as_array().unwrap();
    assert!(
        invariants.iter().any(|invariant| invariant["text"] == "0 <= done" && invariant["domain"] == "index-nonnegative"),
        "{invariants:?}"
    );
}

#[test]
fn wrong_command_lines() {
    for words in
        ["summarize", "summarize --annotate latex a.i", "summarize --json --annotate acsl a.i", "summarize --unwind 3 a.i", "domains x"]
    {
        run(LOOPS, words).fails(1);
    }
    assert!(run("int f(void) { return 1; }", "summarize a.i").fails(1).contains("no function `main`"));
    assert!(run(LOOPS, "summarize --domains frogs a.i").fails(1).contains("there is no domain `frogs`"));
}

#[test]
fn domains_are_listed() {
    let text = Sandbox::new().loopfrog("domains").ok();
    assert!(text.lines().any(|line| line.starts_with("index-nonnegative  ") && line.contains("0 <= i")), "{text}");
}

#[test]
fn what_is_possible_names_its_loops() {
    let run = run(MIXED, "check --property bounds --domains index-nonnegative,guards --stats --table a.i");
    expect![[r#"
        warning[bounds]: not excluded: an access outside of its object
          ┌─ a.i:10:12
        10│     return a[x % 200];
          │            ^^^^^^^^^^ in `main`
          = possible: could not be replayed; leaps the loop at a.i:5 (x: 1 → 128)
          = the summary knows nothing of it
          = CWE-125
    "#]]
    .assert_eq(&run.stderr);
    assert_eq!(run.code, 5);
    let table: Vec<&str> = run.stdout.lines().take(3).collect();
    expect![[r#"
        function  properties  proved  violated  possible  conditional  unknown
        main               2       1         0         1            0        0
        total              2       1         0         1            0        0"#]]
    .assert_eq(&table.join("\n"));
    for word in ["checked 2 properties in 1 file, 1 loop: 1 proved, 0 violated, 1 possible", "candidates ", "questions ", "time "] {
        assert!(run.stdout.contains(word), "{}", run.stdout);
    }
}

#[test]
fn json_has_leaps_loops_and_totals() {
    let json: Value = serde_json::from_str(&run(MIXED, "check --property bounds --json a.i").stdout).unwrap();
    let properties = json["properties"].as_array().unwrap();
    // The access with a constant index is listed, too.
    let found: Vec<_> = properties.iter().map(|one| (one["line"].as_u64().unwrap(), one["status"].as_str().unwrap())).collect();
    assert!(found.contains(&(9, "proved")) && found.contains(&(10, "possible")), "{found:?}");
    let possible = properties.iter().find(|one| one["status"] == "possible").unwrap();
    let leap = &possible["leaps"][0];
    assert_eq!((&leap["loop"], &leap["left"]), (&"a.i:5:5".into(), &true.into()));
    assert!(leap["values"].as_array().unwrap().iter().any(|value| value["variable"] == "x" && value["before"] == "1"), "{leap}");
    assert!(leap["invariants"].as_array().is_some_and(|list| !list.is_empty()), "{leap}");
    assert_eq!((&json["summary"]["possible"], &json["summary"]["loops"]), (&1.into(), &1.into()));
    assert!(json["summary"]["confirmed"].as_u64() > Some(0));
    assert_eq!(json["loops"][0]["line"], 5);
}

#[test]
fn candidates_of_the_user() {
    let source = "int __VERIFIER_nondet_int(void); void __VERIFIER_assert(int);
        int main(void) { int n = __VERIFIER_nondet_int(), x = 0, y = 0; if (n < 0) return 0;
        for (int i = 0; i < n; i++) { x++; y = x; }
        __VERIFIER_assert(x == y); return 0; }";
    let sandbox = Sandbox::new();
    sandbox.write("a.i", source).write("mine.txt", "# equal counters\nforall integer a, integer b: a == b\n");
    let check = |words: &str| sandbox.loopfrog(&format!("check --property assert {words} a.i"));
    assert_ne!(check("--summaries invariants --domains none").code, 0);
    check("--domains none --candidate x==y").ok();
    check("--domains none --candidates mine.txt").ok();
    assert!(check("--candidate x==").fails(1).contains("--candidate 'x=='"));
    sandbox.write("broken.txt", "x == y\nforall frog f: f == 1\n");
    assert!(check("--candidates broken.txt").fails(1).contains("broken.txt:2:8: "));
}

#[test]
fn progress_is_told() {
    let said = run(LOOPS, "check -v a.i").stderr;
    assert!(said.contains("loops 1 · a.i:5 · "), "{said}");
}

/// In a large program, what holds always is seen from nearby.
#[test]
fn many_loops() {
    let mut source =
        String::from("int __VERIFIER_nondet_int(void);\nint main(void)\n{\n    char a[32];\n    int i, n = __VERIFIER_nondet_int();\n");
    source += "    if (n < 1 || n > 30) return 1;\n";
    for number in 0..24 {
        source += &format!("    for (i = 0; i < n; i++)\n        a[i] = {number};\n");
    }
    source += "    return a[0];\n}\n";
    let sandbox = Sandbox::new();
    sandbox.write("a.i", &source);
    let printed = sandbox.loopfrog("summarize a.i").ok();
    assert_eq!(printed.matches("keeps     i <= n\n").count(), 24, "{printed}");
}

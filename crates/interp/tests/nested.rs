//! Functions inside functions: what they compute, and where the model of pointers to them ends.

mod harness;

use harness::run;
use interp::End;

#[track_caller]
fn exits(source: &str, status: i32) {
    assert_eq!(run(source).0, End::Exit(status), "{source}");
}

/// Whether a run comes to a gap with this in its reason.
#[track_caller]
fn is_refused(source: &str, reason: &str) {
    let (end, _) = run(source);
    let text = format!("{end:?}");
    assert!(!matches!(end, End::Exit(_)) && text.contains(reason), "{text}");
}

#[test]
fn a_closure_sorts_for_the_library() {
    exits(
        "void qsort(void *, unsigned long, unsigned long, int (*)(const void *, const void *));
         int order(int sign) {
           int a[5] = {3, 1, 5, 2, 4}, calls = 0, sum = 0;
           int compare(const void *x, const void *y) { calls++; return sign * (*(int *)x - *(int *)y); }
           qsort(a, 5, sizeof *a, compare);
           for (int i = 0; i < 5; i++) sum = sum * 3 + a[i];
           return calls ? sum : -1;
         }
         int main(void) { return order(1) == 1 * 81 + 2 * 27 + 3 * 9 + 4 * 3 + 5 && order(-1) == 5 * 81 + 4 * 27 + 3 * 9 + 2 * 3 + 1; }",
        1,
    );
}

#[test]
fn inner_functions_recur_and_nest() {
    exits(
        "int f(int n) {
           int calls = 0;
           int g(int k) {
             int h(int m) { calls += n; return m < 1 ? k : 1 + h(m - 1); }
             return k < 1 ? 0 : h(k) + g(k - 1);
           }
           return g(4) * 10 + calls;
         }
         int main(void) { return f(1) - 200; }",
        14,
    );
}

#[test]
fn each_activation_has_its_own_variables() {
    exits(
        "int f(int n) { int x = n; int g(void) { return x; } int below = n ? f(n - 1) : 0; x++; return below * 4 + g(); }
         int main(void) { return f(2); }",
        27,
    );
}

#[test]
fn a_dead_variable_is_noticed() {
    is_refused(
        "int f(void) { int (*p)(void); { int x = 3; int g(void) { return x; } p = g; } return p(); }
         int main(void) { return f(); }",
        "lifetime",
    );
}

#[test]
fn pointers_of_two_activations_are_refused() {
    is_refused(
        "int one(void) { return 1; }
         int a(int k, int x(void), int y(void)) { int b(void) { return a(--k, b, x); } return k <= 0 ? x() + y() : b(); }
         int main(void) { return a(3, one, one); }",
        "while one of another activation is in use",
    );
}

#[test]
fn a_pointer_that_outlives_its_activation_is_refused() {
    is_refused(
        "int (*p)(void);
         int f(int x) { int g(void) { return x; } p = g; return p(); }
         int main(void) { f(1); f(2); return p(); }",
        "after its function has returned",
    );
}

#[test]
fn a_jump_past_an_unknown_caller_is_refused() {
    is_refused(
        "void call(void (*f)(void)) { f(); }
         int main(void) { __label__ out; void g(void) { goto out; } call(g); return 1; out: return 2; }",
        "called through a pointer",
    );
}

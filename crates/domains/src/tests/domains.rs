//! Candidates of each domain.

use super::candidates;
use expect_test::{Expect, expect};

fn check(domain: &str, code: &str, expected: Expect) {
    expected.assert_eq(&candidates(domain, code, 0));
}
fn check_later(domain: &str, code: &str, expected: Expect) {
    expected.assert_eq(&candidates(domain, code, 1));
}

const COPY: &str = "void f(char *dst, const int *src, int n) {
    int i;
    for (i = 0; i < n && src[i] != 0; i++) dst[i + 2] = (char)src[i];
}";
const WALK: &str = "int f(int *p, int *end, int n) {
    int c = 0;
    while (p < end && *p != n) { p++; c++; }
    return c;
}";
const FILL: &str = "int nondet(void);
int f(void) {
    char a[16]; int i, j = 15;
    for (i = 0; i < 16; i += 2) { a[i] = 0; a[i + 1] = 1; if (nondet()) j--; }
    return j;
}";
const STATES: &str = "int nondet(void);
int f(int n) {
    int state = 0, flag = 0, i = 0;
    while (nondet()) {
        if (state == 0) { state = 1; flag = 1; }
        else { state = 0; flag = 0; i++; }
        if (i > n) break;
    }
    return flag;
}";
const WAYS: &str = "int nondet(void);
int f(int n) {
    int x = 0, y = 0, i = 0;
    while (i < n) { if (nondet()) x++; else y++; i++; }
    return x + y;
}";

#[test]
fn index_nonnegative() {
    check(
        "index-nonnegative",
        COPY,
        expect![[r#"
        0 <= i
    "#]],
    );
}
#[test]
fn index_below_size() {
    check(
        "index-below-size",
        COPY,
        expect![[r#"
        offset(src) + 4*i < size(src)
        offset(src) + 4*i <= size(src)
        offset(dst) + i < size(dst)
        offset(dst) + i <= size(dst)
    "#]],
    );
    check(
        "index-below-size",
        FILL,
        expect![[r#"
        i <= 15
        i <= 16
    "#]],
    );
}
#[test]
fn index_below_size_minus() {
    check(
        "index-below-size-minus",
        COPY,
        expect![[r#"
        offset(src) + 4*i + 5 <= size(src)
        offset(dst) + i + 2 <= size(dst)
        offset(dst) + i + 3 <= size(dst)
    "#]],
    );
    check(
        "index-below-size-minus",
        FILL,
        expect![[r#"
        i <= 14
        i <= 13
    "#]],
    );
}
#[test]
fn offset_bounds() {
    check(
        "offset-bounds",
        WALK,
        expect![[r#"
        0 <= offset(p)
        offset(p) <= size(p)
        offset(p) < size(p)
        offset(p) + 4 <= size(p)
        offset(p) % 4 == 0
    "#]],
    );
}
#[test]
fn pointer_valid() {
    check(
        "pointer-valid",
        WALK,
        expect![[r#"
        valid(p)
        same_object(p, entry(p))
        p != NULL
        same_object(p, end)
    "#]],
    );
}
#[test]
fn interval() {
    check(
        "interval",
        FILL,
        expect![[r#"
        0 <= i
        i <= 0
        i <= 14
        i <= 15
        i <= 16
        i <= 17
        0 <= j
        15 <= j
        j <= 15
    "#]],
    );
}
#[test]
fn relational() {
    check(
        "relational",
        COPY,
        expect![[r#"
        i <= n
        n <= i
        i == n
        i != n
    "#]],
    );
}
#[test]
fn bounds() {
    check(
        "bounds",
        FILL,
        expect![[r#"
            0 <= i
            i <= 0
            i <= 14
            i <= 15
            i <= 16
            i <= 17
            j <= 15
            0 <= j
            15 <= j
        "#]],
    );
}
#[test]
fn differences() {
    check(
        "differences",
        WALK,
        expect![[r#"
        offset(end) <= offset(p)
        offset(p) <= offset(end)
    "#]],
    );
    check_later(
        "differences",
        WAYS,
        expect![[r#"
            x + entry(i) <= entry(x) + i
            y + entry(i) <= entry(y) + i
            n <= i + 1
            i < n
            n <= i
            i <= n
            n < i
            i <= n + 1
        "#]],
    );
}
#[test]
fn recurrence() {
    check(
        "recurrence",
        WALK,
        expect![[r#"
        offset(p) == offset(entry(p)) + 4*iterations
        c == entry(c) + iterations
        c == entry(c) + iterations (mod 2^32)
    "#]],
    );
    check(
        "recurrence",
        WAYS,
        expect![[r#"
        i == entry(i) + iterations
        i == entry(i) + iterations (mod 2^32)
    "#]],
    );
}
#[test]
fn counter_offset() {
    check(
        "counter-offset",
        WALK,
        expect![[r#"
        offset(p) + 4*entry(c) == offset(entry(p)) + 4*c
        offset(p) + 4*entry(c) == offset(entry(p)) + 4*c (mod 2^32)
    "#]],
    );
}
#[test]
fn congruence() {
    check(
        "congruence",
        FILL,
        expect![[r#"
        (i - entry(i)) % 2 == 0
    "#]],
    );
    check(
        "congruence",
        WALK,
        expect![[r#"
        (offset(p) - offset(entry(p))) % 4 == 0
        offset(p) % 4 == 0
        (offset(p) - offset(end)) % 4 == 0
        (offset(p) - size(p)) % 4 == 0
    "#]],
    );
}
#[test]
fn equality() {
    check(
        "equality",
        WALK,
        expect![[r#"
        p == end
    "#]],
    );
}
#[test]
fn guards() {
    check(
        "guards",
        COPY,
        expect![[r#"
            i < n
            i <= n
            n <= i
            src[i] != 0
            src[i] == 0
            size(src + i) >= 4
            (unsigned long long)offset(src + i) <= size(src + i) - 4
            offset(src) + 4*i + 4 <= size(src)
            offset(src) + 4*i + 3 <= size(src)
            offset(src) + 4*i <= size(src)
            (unsigned long long)offset(dst + (i + 2)) < size(dst + (i + 2))
            offset(dst) + i + 3 <= size(dst)
            offset(dst) + i + 2 <= size(dst)
        "#]],
    );
    check(
        "guards",
        WALK,
        expect![[r#"
            p < end
            offset(p) < offset(end)
            offset(p) <= offset(end)
            offset(p) <= offset(end) + 3
            p >= end
            *p != n
            *p == n
            size(p) >= 4
            4 <= size(p)
            3 <= size(p)
            0 <= size(p)
            (unsigned long long)offset(p) <= size(p) - 4
            offset(p) + 4 <= size(p)
            offset(p) + 3 <= size(p)
            offset(p) <= size(p)
        "#]],
    );
}
#[test]
fn values() {
    check(
        "values",
        STATES,
        expect![[r#"
        state == 0 || state == 1
        flag == 0 || flag == 1
        state != 0 || flag != 1
        state != 1 || flag != 0
        state != 1 || flag != 1
    "#]],
    );
    check_later(
        "values",
        STATES,
        expect![[r#"
        state == 0 || state == 1
        flag == 0 || flag == 1
        state != 0 || flag != 1
        state != 1 || flag != 0
        state != 1 || flag != 1
        state != 0 || n < i
        state != 0 || i <= n
        state != 1 || n < i
        state != 1 || i <= n
        flag != 0 || n < i
        flag != 0 || i <= n
        flag != 1 || n < i
        flag != 1 || i <= n
        flag != 0 || state == 0
        flag != 0 || state != 0
        flag != 1 || state == 0
        flag != 1 || state != 0
    "#]],
    );
}
#[test]
fn sums() {
    check(
        "sums",
        WAYS,
        expect![[r#"
        x + y == entry(x) + entry(y) + iterations
        x + y == entry(x) + entry(y) + iterations (mod 2^32)
        entry(x) + entry(y) + i == x + y + entry(i)
        entry(x) + entry(y) + i == x + y + entry(i) (mod 2^32)
    "#]],
    );
}

#[test]
fn interval_analysis() {
    check(
        "interval-analysis",
        FILL,
        expect![[r#"
        0 <= i
        i <= 17
    "#]],
    );
    check(
        "interval-analysis",
        STATES,
        expect![[r#"
        0 <= state
        state <= 1
        0 <= flag
        flag <= 1
    "#]],
    );
    let steps = "int f(int n) {
    int i = 3, x = 40, y = 1;
    while (i + 1 < 20) { i = i + 2; x = i % 7; y = y * 2; }
    return x + y + n;
}";
    check(
        "interval-analysis",
        steps,
        expect![[r#"
        -6 <= x
        x <= 40
    "#]],
    );
}

#[test]
fn initialised_prefix() {
    check(
        "initialised-prefix",
        FILL,
        expect![[r#"
        initialised(a[0..i))
        initialised(a[1..i + 1))
        initialised(a[0..i + 1))
        initialised(a[0..16))
    "#]],
    );
    check(
        "initialised-prefix",
        COPY,
        expect![[r#"
        initialised(dst[2..i + 2))
        initialised(dst[0..i + 2))
    "#]],
    );
}

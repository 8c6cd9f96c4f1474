//! Candidates of the domains about elements.

use super::candidates;
use expect_test::{Expect, expect};

fn check(domain: &str, code: &str, expected: Expect) {
    expected.assert_eq(&candidates(domain, code, 0));
}

const COPY: &str = "void f(char *dst, const char *src) {
    int i = 0;
    while (src[i] != 0) { dst[i] = src[i]; i++; }
    dst[i] = 0;
}";
const WALK: &str = "int f(const char *p) {
    while (*p != 0 && *p != 'x') p++;
    return *p == 0;
}";
const COPY_WALK: &str = "void f(char *d, const char *s) {
    while ((*d++ = *s++)) ;
}";
const BOUNDED_WALK: &str = "void f(char *d, const char *s, unsigned n) {
    while (n-- && *s) *d++ = *s++;
    *d = 0;
}";
const EARLY: &str = "const char *f(const char *p) {
    while (*++p) ;
    return p;
}";
const EARLY_DO: &str = "const char *f(const char *p) {
    do { p++; } while (*p);
    return p;
}";
const PASSED: &str = "unsigned long strlen(const char *); char *strcpy(char *, const char *); char *next(void);
char *name;
unsigned long f(char *p, int *numbers) {
    char buf[8]; unsigned long n = 0;
    while (n < 100) { strcpy(p, buf); n += strlen(name) + strlen(p + 1) + strlen((char *)numbers); p = next(); }
    return n;
}";
const BACK: &str = "int f(int *a, int n) {
    int i = n - 1;
    while (i >= 0) { a[i] = 7; i--; }
    return a[0];
}";
const FILL: &str = "int nondet(void); void __VERIFIER_assert(int);
int f(void) {
    unsigned char a[16]; int i;
    for (i = 0; i < 16; i++) a[i] = nondet() & 15;
    __VERIFIER_assert(a[3] < 20);
    return 0;
}";
const SPACES: &str = "int f(const char *s) {
    int i = 0;
    while (s[i] == ' ' || (s[i] >= '\\t' && s[i] <= '\\r')) i++;
    return i;
}";
const LINE: &str = "int f(const char *s, int n) {
    int i; char c;
    for (i = 0; i < n; i++) {
        c = s[i];
        switch (c) { case 0: case '\\n': return i; default: break; }
    }
    return -1;
}";
const DO: &str = "int f(const char *s) {
    int i = -1;
    do { i++; } while (s[i] != '/');
    return i;
}";
const WORDS: &str = "int *f(int *p) {
    while (*p != 0) { *p = 1; p++; }
    return p;
}";
const LIST: &str = "struct node { int mark; struct node *next; };
int f(struct node *l) {
    struct node *p = l;
    while (p) { if (p->mark != 3) p->mark = 5; p = p->next; }
    return l->mark;
}";
const PAIRS: &str = "struct pair { int key; int value; };
int f(struct pair *a, int n) {
    int i;
    for (i = 0; i < n; i++) { if (a[i].key == 9) return a[i].value; a[i].value = 2; }
    return -1;
}";

const TEXTS: &str = "void *malloc(unsigned long);
struct text { char *start; struct text *next; };
struct text *f(int n) {
    struct text *all = 0;
    while (n-- > 0) {
        struct text *new = malloc(sizeof *new);
        new->start = malloc(n + 1);
        new->start[n] = 0;
        new->next = all;
        all = new;
    }
    return all;
}";

#[test]
fn zero_terminated() {
    check(
        "zero-terminated",
        COPY,
        expect![[r#"
        zero_terminated(src)
        zero_terminated(dst)
    "#]],
    );
    check(
        "zero-terminated",
        WALK,
        expect![[r#"
        zero_terminated(p)
        zero_terminated(entry(p))
    "#]],
    );
    check(
        "zero-terminated",
        COPY_WALK,
        expect![[r#"
        zero_terminated(d)
        zero_terminated(entry(d))
        zero_terminated(s)
        zero_terminated(entry(s))
    "#]],
    );
    check("zero-terminated", BACK, expect![[r#""#]]);
    check(
        "zero-terminated",
        PASSED,
        expect![[r#"
            zero_terminated(buf)
            zero_terminated(p)
            zero_terminated(entry(p))
            zero_terminated(name)
            zero_terminated(entry(name))
            p == NULL || zero_terminated(p)
            name == NULL || zero_terminated(name)
        "#]],
    );
}
#[test]
fn string_length() {
    check(
        "string-length",
        COPY,
        expect![[r#"
        src[0..i) != 0
        dst[0..i) != 0
    "#]],
    );
    check(
        "string-length",
        WALK,
        expect![[r#"
        [entry(p)..p) != 0
    "#]],
    );
    check(
        "string-length",
        COPY_WALK,
        expect![[r#"
        [entry(d)..d) != 0
        [entry(s)..s) != 0
    "#]],
    );
    check(
        "string-length",
        BOUNDED_WALK,
        expect![[r#"
        [entry(s)..s) != 0
        [entry(d)..d) != 0
    "#]],
    );
    check(
        "string-length",
        EARLY_DO,
        expect![[r#"
        [entry(p) + 1..p + 1) != 0
        [entry(p)..p) != 0
    "#]],
    );
    check(
        "string-length",
        EARLY,
        expect![[r#"
        [entry(p) + 1..p + 1) != 0
    "#]],
    );
    check(
        "string-length",
        DO,
        expect![[r#"
        s[-1..i) != 0
        s[0..i) != 0
        s[0..i + 1) != 0
    "#]],
    );
}
#[test]
fn array_content() {
    check(
        "array-content",
        BACK,
        expect![[r#"
        a[i + 1..entry(i) + 1) == 7
    "#]],
    );
    check(
        "array-content",
        FILL,
        expect![[r#"
        a[0..i) <= 15
        a[0..i) <= 19
        a[0..i) >= 20
        a[0..16) <= 15
        a[0..16) <= 19
        a[0..16) >= 20
    "#]],
    );
    check(
        "array-content",
        WORDS,
        expect![[r#"
        entry(p)[0..iterations) == 1
    "#]],
    );
    check(
        "array-content",
        PAIRS,
        expect![[r#"
        a[0..i).value == 2
    "#]],
    );
}
#[test]
fn array_copy() {
    check(
        "array-copy",
        COPY,
        expect![[r#"
        dst[0..i) == src[0..i)
        dst[i..size(dst) - offset(dst)) == entry(dst[i..size(dst) - offset(dst)))
    "#]],
    );
    check(
        "array-copy",
        COPY_WALK,
        expect![[r#"
        [entry(d)..d) == entry(s)[0..offset(d) - offset(entry(d)))
        d[0..size(d) - offset(d)) == entry(d[0..size(d) - offset(d)))
    "#]],
    );
    check(
        "array-copy",
        BOUNDED_WALK,
        expect![[r#"
        [entry(d)..d) == entry(s)[0..offset(d) - offset(entry(d)))
        d[0..size(d) - offset(d)) == entry(d[0..size(d) - offset(d)))
    "#]],
    );
    check(
        "array-copy",
        BACK,
        expect![[r#"
        a[0..i + 1) == entry(a[0..i + 1))
        a[entry(i) + 1..size(a)) == entry(a[entry(i) + 1..size(a)))
    "#]],
    );
    check(
        "array-copy",
        FILL,
        expect![[r#"
        a[i..16) == entry(a[i..16))
    "#]],
    );
}
#[test]
fn not_found() {
    check(
        "not-found",
        WALK,
        expect![[r#"
        [entry(p)..p) != 0
        [entry(p)..p) == 0
        [entry(p)..p) != 'x'
        [entry(p)..p) == 'x'
    "#]],
    );
    check(
        "not-found",
        LINE,
        expect![[r#"
        s[0..i) == 0
        s[0..i) != 0
        s[0..i) == '\n'
        s[0..i) != '\n'
    "#]],
    );
    check(
        "not-found",
        PAIRS,
        expect![[r#"
        a[0..i).key == 9
        a[0..i).key != 9
    "#]],
    );
}
#[test]
fn memoryless_string() {
    check(
        "memoryless-string",
        WALK,
        expect![[r#"
        [entry(p)..p) != 0
        [entry(p)..p) != 'x'
    "#]],
    );
    check(
        "memoryless-string",
        SPACES,
        expect![[r#"
        s[0..i) <= -1 || s[0..i) >= '\t'
        s[0..i) <= '\r' || s[0..i) >= ' '
        0 <= s[0..i) <= ' '
    "#]],
    );
    check(
        "memoryless-string",
        LINE,
        expect![[r#"
        s[0..i) != 0
        s[0..i) != '\n'
    "#]],
    );
    check(
        "memoryless-string",
        DO,
        expect![[r#"
        s[-1..i) != '/'
        s[0..i) != '/'
        s[0..i + 1) != '/'
    "#]],
    );
}
#[test]
fn list_fields() {
    check(
        "list-fields",
        LIST,
        expect![[r#"
        p == NULL || valid(p)
        p == NULL || p->mark == 3
        p == NULL || p->mark == 5
        p == NULL || 3 <= p->mark
        p == NULL || p->mark <= 5
        l == NULL || valid(l)
        l == NULL || l->mark == 3
        l == NULL || l->mark == 5
        l == NULL || 3 <= l->mark
        l == NULL || l->mark <= 5
    "#]],
    );
}
#[test]
fn all_domains_are_documented() {
    let document = include_str!("../../../../docs/domains.md");
    for domain in crate::ALL {
        assert!(document.contains(&format!("| `{}` |", domain.name())), "{}", domain.name());
    }
}

#[test]
fn heap_texts() {
    check(
        "heap-texts",
        TEXTS,
        expect![[r#"
        all of what line 7 allocates is zero-terminated
    "#]],
    );
}

#[test]
fn heap_fields() {
    check(
        "heap-fields",
        "void *malloc(unsigned long);
struct part { int start, size; struct part *next; };
struct part *f(int n) {
    struct part *all = 0;
    while (n-- > 0) {
        struct part *new = malloc(sizeof *new);
        new->start = 4;
        new->size = 16;
        if (n == 3) { new->start = 0; new->size = 20; }
        new->next = all;
        all = new;
    }
    return all;
}",
        expect![[r#"
            0 <= start in all of what line 6 allocates
            4 <= start in all of what line 6 allocates
            start <= 4 in all of what line 6 allocates
            start <= 0 in all of what line 6 allocates
            0 <= size in all of what line 6 allocates
            16 <= size in all of what line 6 allocates
            20 <= size in all of what line 6 allocates
            size <= 20 in all of what line 6 allocates
            size <= 16 in all of what line 6 allocates
            start + size <= 20 in all of what line 6 allocates
            start + 12 <= size in all of what line 6 allocates
            start <= size in all of what line 6 allocates
            size <= start in all of what line 6 allocates
            size <= start + 20 in all of what line 6 allocates
        "#]],
    );
}

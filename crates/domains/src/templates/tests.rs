use expect_test::{Expect, expect};

use super::Templates;
use crate::Domain;
use crate::tests::proposals;

const COPY: &str = "int f(char *dst, const char *src, int *sums, int n) {
    int i = 0, k = 0; char buf[16]; const char *p = src; char *q = buf;
    while (src[i] != 0 && i < n) { dst[i] = src[i]; sums[k] = 1; buf[i] = 0; i++; k++; p++; }
    return *p + *q;
}";

fn check(templates: &str, expected: Expect) {
    let out = match Templates::parse(templates) {
        Ok(templates) => proposals(&[&templates as &dyn Domain], COPY, 0),
        Err(errors) => errors.iter().map(|error| format!("{error}\n")).collect(),
    };
    expected.assert_eq(&out);
}

#[test]
fn variables_stand_for_all_of_a_kind() {
    check(
        "forall index i, buffer s: 0 <= i && i < length(s)",
        expect![[r#"
            0 <= i
            offset(src) + i < size(src)
            offset(dst) + i < size(dst)
            0 <= k
            offset(sums) + 4*k + 4 <= size(sums)
            i <= 15
        "#]],
    );
    check(
        "forall string s, index i: i <= strlen(s) # Table 1",
        expect![[r#"
        src[0..i) != 0
        dst[0..i) != 0
        buf[0..i) != 0
    "#]],
    );
    check(
        "forall pointer p: p != NULL && valid(p) && same_object(p, entry(p))",
        expect![[r#"
            p != NULL
            valid(p)
            same_object(p, entry(p))
            src != NULL
            valid(src)
            same_object(src, entry(src))
            dst != NULL
            valid(dst)
            same_object(dst, entry(dst))
            sums != NULL
            valid(sums)
            same_object(sums, entry(sums))
            q != NULL
            valid(q)
            same_object(q, entry(q))
        "#]],
    );
    check(
        "forall string s: zero_terminated(s)\nforall integer x: x == entry(x) + 1 * iterations",
        expect![[r#"
        zero_terminated(src)
        zero_terminated(dst)
        zero_terminated(buf)
        i == entry(i) + iterations
        k == entry(k) + iterations
        *q == entry(*q) + iterations
        n == entry(n) + iterations
    "#]],
    );
}
#[test]
fn names_are_those_of_the_program() {
    check(
        "candidate: p - src == i",
        expect![[r#"
            same_object(p, src)
            offset(p) == offset(src) + i
        "#]],
    );
    check(
        "in f: q == buf || null(q) => i <= 2 * n - 3",
        expect![[r#"
            q == buf || q == NULL => i + 3 <= 2*n
        "#]],
    );
    check("in g: n <= 10", expect![[r#""#]]);
    check("nothing <= 10", expect![[r#""#]]);
    check(
        "strlen(src) <= n && i < size(buf) && !(offset(p) > 'a') && strlen(dst) == i",
        expect![[r#"
            !(src[0..n + 1) != 0)
            i <= 15
            offset(p) <= 97
            dst[0..i) != 0 && dst[i..i + 1) == 0
        "#]],
    );
}
#[test]
fn errors_say_where_and_what() {
    check(
        "n <= \nforall char c: c < 1\n\nn = 3\nn * i == 3\nn + 1\nfoo(n) == 2\n(n <= 3\n3 <= n <= 2 $\nsize(n + 1) == 2\nn == 2 n\nforall index i 0 <= i",
        expect![[r#"
            1:6: something is missing at the end
            2:8: there are the kinds index, integer, pointer, buffer and string
            4:3: `=` compares nothing; write `==`
            5:5: only multiples by constants can be written here
            6:1: this is a number; compare it with something, as in `n <= 10`
            7:1: there is no `foo`; there are entry, size, offset, length, strlen, valid, null, same_object and zero_terminated
            8:8: `)` is missing here
            9:13: `$` means nothing here
            10:6: `size` takes a variable, or entry(variable)
            11:8: `n` does not belong here; join formulas with &&, || or =>
            12:16: `:` is missing here
        "#]],
    );
    let deep = format!("{}n{} == 1", "(".repeat(100), ")".repeat(100));
    check(
        &deep,
        expect![[r#"
        1:41: this is nested too deep
    "#]],
    );
}

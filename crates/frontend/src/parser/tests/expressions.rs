use expect_test::expect;

use super::{check_statements, check_with, standard};

#[test]
fn precedence() {
    check_statements(
        "a + b * c - d; a << 1 + 2 < 3 == 4 & 5 ^ 6 | 7 && 8 || 9; a = b += c ? d : e ? f : g, h; a - b - c;",
        expect![[r#"
            (Sub (Add a (Mul b c)) d)
            (|| (&& (Or (Xor (And (Eq (Lt (Shl a (Add 1 2)) 3) 4) 5) 6) 7) 8) 9)
            (, (= a (Add= b (? c d (? e f g)))) h)
            (Sub (Sub a b) c)
        "#]],
    );
    check_statements(
        "-a * !b; *p++; &a[1].b->c; ++*p--; ~-+x; a ?: b; a ? b, c : d; sizeof a + 1; (a, b); -(a + b)[c];",
        expect![[r#"
            (Mul (Minus a) (Not b))
            (Deref (PostIncrement p))
            (AddressOf (-> (. (index a 1) b) c))
            (PreIncrement (Deref (PostDecrement p)))
            (BitNot (Minus (Plus x)))
            (?: a b)
            (? a (, b c) d)
            (Add (sizeof a) 1)
            (, a b)
            (Minus (index (Add a b) c))
        "#]],
    );
}

#[test]
fn calls_and_members() {
    check_statements(
        "f(); f(1, (2, 3), g(x))(y); a.b.c; p->q[i](1).r;",
        expect![[r#"
            (call f)
            (call (call f 1 (, 2 3) (call g x)) y)
            (. (. a b) c)
            (. (call (index (-> p q) i) 1) r)
        "#]],
    );
}

#[test]
fn casts_and_literals() {
    check_statements(
        "(T) x; (x)(y); (T)(T)-x; (T) { 1 }.x; sizeof (T) { 1 }; sizeof(T) * 2; sizeof (x) + 1; (int (*)(void)) 0; (struct s *[3]) { 0 };",
        expect![[r#"
            (cast <T> x)
            (call x y)
            (cast <T> (cast <T> (Minus x)))
            (. (literal <T> {1}) x)
            (sizeof (literal <T> {1}))
            (Mul (sizeof <T>) 2)
            (Add (sizeof x) 1)
            (cast <Int (_ * (function))> 0)
            (literal <(struct s) (_ [3] *)> {0})
        "#]],
    );
    check_statements(
        "_Alignof(int); __alignof__(int); __alignof__ x; &(T) { 0 }; (const T *) p;",
        expect![[r#"
            (alignof <Int>)
            (gnu-alignof <Int>)
            (alignof x)
            (AddressOf (literal <T> {0}))
            (cast <const T (_ *)> p)
        "#]],
    );
}

#[test]
fn gnu_expressions() {
    check_statements(
        "({ int x = 1; x; }); &&lab; __extension__ 1; __real__ z + __imag__ z; __func__; __FUNCTION__;",
        expect![[r#"
            (do {(declare Int x=1) x})
            &&lab
            1
            (Add (Real z) (Imag z))
            __func__
            __func__
        "#]],
    );
    check_statements(
        "__builtin_va_arg(ap, int *); __builtin_offsetof(struct s, a.b[3].c); __builtin_types_compatible_p(int, T); __builtin_choose_expr(1, a, b);",
        expect![[r#"
            (va-arg ap <Int (_ *)>)
            (offsetof <(struct s)> .a.b[3].c)
            (compatible <Int> <T>)
            (choose 1 a b)
        "#]],
    );
    check_statements(
        "_Generic(x, int: 1, T *: 2, default: 3); __builtin_expect(!!(x), 0);",
        expect![[r#"
            (generic x <Int>:1 <T (_ *)>:2 default:3)
            (call __builtin_expect (Not (Not x)) 0)
        "#]],
    );
}

#[test]
fn constants() {
    check_statements(
        "0x1fUL; 1e3f; 'a'; L'b'; \"a\" \"b\\n\"; L\"a\" \"b\"; u8\"x\"; 0b11; 3.0i; 017; '\\377'; 'ab'; u\"a\" \"é\";",
        expect![[r#"
            31ul
            1e3:Float
            '97
            '98:wide
            "ab\n"
            "a\x00\x00\x00b\x00\x00\x00":wide
            "x":u8
            3
            3.0:Doublei
            15
            '-1
            '24930
            "a\x00\xe9\x00":u16
        "#]],
    );
    check_with(
        "int a = 1'000, b = true ? false : 0x1'f;",
        standard(2023, false),
        expect![[r#"
        (declare Int a=1000 b=(? true false 31))
    "#]],
    );
}

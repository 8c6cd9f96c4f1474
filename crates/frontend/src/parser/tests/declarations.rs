use expect_test::expect;

use super::{check, check_with, standard};

#[test]
fn basic_types() {
    check(
        "int a; unsigned b; long unsigned int long c; signed char d; char e; short f; double long g; _Complex float h; __complex__ i;",
        expect![[r#"
        (declare Int a)
        (declare UnsignedInt b)
        (declare UnsignedLongLong c)
        (declare SignedChar d)
        (declare Char e)
        (declare Short f)
        (declare LongDouble g)
        (declare ComplexFloat h)
        (declare ComplexDouble i)
    "#]],
    );
    check(
        "__int128 a; unsigned __int128 b; __uint128_t c; _Float128 d; __float80 e; _Float32x f; _Bool g; __builtin_va_list h;",
        expect![[r#"
        (declare Int128 a)
        (declare UnsignedInt128 b)
        (declare UnsignedInt128 c)
        (declare Float128 d)
        (declare LongDouble e)
        (declare Double f)
        (declare Bool g)
        (declare VaList h)
    "#]],
    );
    check(
        "_Decimal64 a; _Float16 b; _Complex int c; void *d; long double _Complex e;",
        expect![[r#"
            (declare Decimal a)
            (declare Float16 b)
            (declare ComplexInt c)
            (declare Void (d *))
            (declare ComplexLongDouble e)
        "#]],
    );
}

#[test]
fn declarators() {
    check(
        "int *a[3], (*b)[3], *c(void), (*d)(int, char *), (*(*e)(int))[5], **const volatile f;",
        expect![[r#"
        (declare Int (a [3] *) (b * [3]) (c (function) *) (d * (function (declare Int) (declare Char (_ *)))) (e * (function (declare Int)) * [5]) (f *const-volatile *))
    "#]],
    );
    check(
        "int (*signal(int s, void (*f)(int)))(int); void v(int a[static const 3], int b[*], int n, int c[n][n+1], ...);",
        expect![[r#"
        (declare Int (signal (function (declare Int s) (declare Void (f * (function (declare Int))))) * (function (declare Int))))
        (declare Void (v (function (declare Int (a [const3])) (declare Int (b [*])) (declare Int n) (declare Int (c [n] [(Add n 1)])) ...)))
    "#]],
    );
    check(
        "void g(int (*)(int), int (), int *[], int (*)[2], char *restrict);",
        expect![[r#"
        (declare Void (g (function (declare Int (_ * (function (declare Int)))) (declare Int (_ (names))) (declare Int (_ [] *)) (declare Int (_ * [2])) (declare Char (_ *restrict)))))
    "#]],
    );
}

#[test]
fn storage_and_qualifiers() {
    check(
        "static inline const int a(void); extern _Thread_local volatile int b; _Noreturn void c(void); _Atomic int d; _Atomic(int *) e;",
        expect![[r#"
        (declare static inline const Int (a (function)))
        (declare extern thread-local volatile Int b)
        (declare noreturn Void (c (function)))
        (declare atomic Int d)
        (declare (atomic <Int (_ *)>) e)
    "#]],
    );
    check(
        "int const extern typedef_less; register int r; _Alignas(16) _Alignas(double) char buf[4];",
        expect![[r#"
        (declare extern const Int typedef_less)
        (declare register Int r)
        (declare (align 16) (align <Double>) Char (buf [4]))
    "#]],
    );
}

#[test]
fn records() {
    check(
        "struct s { int a, *b; unsigned c : 3, : 0; struct { int d; }; union u { float f; } u; int flex[]; };",
        expect![[r#"
        (declare (struct s ((declare Int a (b *)) (declare UnsignedInt c:3 _:0) (declare (struct ((declare Int d)))) (declare (union u ((declare Float f))) u) (declare Int (flex [])))))
    "#]],
    );
    check(
        "struct { int x; } __attribute__((packed, aligned(8))) v; struct empty {}; struct s; union __attribute__((__transparent_union__)) t { int a; };",
        expect![[r#"
        (declare (struct @packed @aligned(8) ((declare Int x))) v)
        (declare (struct empty ()))
        (declare (struct s))
        (declare (union t @transparent_union ((declare Int a))))
    "#]],
    );
    check(
        "struct s { ; __extension__ union { int a; }; _Static_assert(1, \"x\"); const struct s *next; };",
        expect![[r#"
        (declare (struct s ((declare (union ((declare Int a)))) (static-assert 1 "x") (declare const (struct s) (next *)))))
    "#]],
    );
}

#[test]
fn enumerations() {
    check(
        "enum e { A, B = 3, C __attribute__((deprecated)) = B + 1, }; enum e x; enum : unsigned char { D } y; enum f : long; struct s { enum e b : 3; };",
        expect![[r#"
        (declare (enum e (A B=3 C=(Add B 1))))
        (declare (enum e) x)
        (declare (enum :<UnsignedChar> (D)) y)
        (declare (enum f :<Long>))
        (declare (struct s ((declare (enum e) b:3))))
    "#]],
    );
}

#[test]
fn initialisers() {
    check(
        "int a[] = { 1, [3] = 4, [5 ... 7] = 6, [9] 8, { 2 }, }; struct s b = { .x = 1, .y.z[2] = 3, w: 4 }; int c = { 1 }, d[2] = {};",
        expect![[r#"
        (declare Int (a [])={1 [3]=4 [5...7]=6 [9]=8 {2}})
        (declare (struct s) b={.x=1 .y.z[2]=3 .w=4})
        (declare Int c={1} (d [2])={})
    "#]],
    );
}

#[test]
fn typedef_names() {
    check(
        "typedef int T; T a; void f(T); void g(int T); void h(int (T)); unsigned T; int b = sizeof(T) * T;",
        expect![[r#"
        (declare typedef Int T)
        (declare T a)
        (declare Void (f (function (declare T))))
        (declare Void (g (function (declare Int T))))
        (declare Void (h (function (declare Int (_ (function (declare T)))))))
        (declare UnsignedInt T)
        (declare Int b=(Mul (sizeof T) T))
    "#]],
    );
    check(
        "typedef int T; void f(void) { T T; T * 2; { typedef char T; T x; } T = 1; } T y;",
        expect![[r#"
        (declare typedef Int T)
        (define Void (f (function)) {(declare T T) (Mul T 2) {(declare typedef Char T) (declare T x)} (= T 1)})
        (declare T y)
    "#]],
    );
    check(
        "typedef int T; void f(int T) { T = 1; } void g(T x) { T y; (T) x; } int T2(T, T);",
        expect![[r#"
        (declare typedef Int T)
        (define Void (f (function (declare Int T))) {(= T 1)})
        (define Void (g (function (declare T x))) {(declare T y) (cast <T> x)})
        (declare Int (T2 (function (declare T) (declare T))))
    "#]],
    );
    check(
        "typedef int T; void f(void) { for (int T = 0; T < 3; T++) ; T x; ({ int T; T++; }); T z; enum { T }; T + 1; }",
        expect![[r#"
        (declare typedef Int T)
        (define Void (f (function)) {(for (declare Int T=0) (Lt T 3) (PostIncrement T) (empty)) (declare T x) (do {(declare Int T) (PostIncrement T)}) (declare T z) (declare (enum (T))) (Add T 1)})
    "#]],
    );
    check(
        "typedef int T; struct s { T T; T other; }; int f(a, T2) T a; int T2; { return a; }",
        expect![[r#"
            (declare typedef Int T)
            (declare (struct s ((declare T T) (declare T other))))
            (define Int (f (names a T2)) (declare T a) (declare Int T2) {(return a)})
        "#]],
    );
    check(
        "typedef struct s S, *P; struct s { S *a; P b; }; const S c; static P d(S *);",
        expect![[r#"
        (declare typedef (struct s) S (P *))
        (declare (struct s ((declare S (a *)) (declare P b))))
        (declare const S c)
        (declare static P (d (function (declare S (_ *)))))
    "#]],
    );
}

#[test]
fn definitions() {
    check(
        "int f(void) { } static int *g(int a, char b) { return 0; } int (*h(int x))(int) { return 0; }",
        expect![[r#"
        (define Int (f (function)) {})
        (define static Int (g (function (declare Int a) (declare Char b)) *) {(return 0)})
        (define Int (h (function (declare Int x)) * (function (declare Int))) {(return 0)})
    "#]],
    );
    check(
        "int f(a, b, c) int a; char *b, c[]; { return a; } main(argc) { }",
        expect![[r#"
        (define Int (f (names a b c)) (declare Int a) (declare Char (b *) (c [])) {(return a)})
        (define missing (main (names argc)) {})
        1:51+4 Warning: this declaration has no type [`int` is assumed]
    "#]],
    );
    check(
        "void f(void) __attribute__((noinline)) { } __attribute__((constructor(101))) static void g(void) { }",
        expect![[r#"
        (define Void (f (function) @noinline) {})
        (define static Void @constructor(101) (g (function)) {})
    "#]],
    );
}

#[test]
fn implicit_int() {
    check(
        "static x; main() { } const y = 3;",
        expect![[r#"
        (declare static missing x)
        (define missing (main (names)) {})
        (declare const missing y=3)
        1:1+6 Warning: this declaration has no type [`int` is assumed]
        1:11+4 Warning: this declaration has no type [`int` is assumed]
        1:22+5 Warning: this declaration has no type [`int` is assumed]
    "#]],
    );
    check_with(
        "static x; main() { } *p, q;",
        standard(1989, false),
        expect![[r#"
        (declare static missing x)
        (define missing (main (names)) {})
        (declare missing (p *) q)
    "#]],
    );
}

#[test]
fn attributes() {
    check(
        "__attribute__((__noreturn__)) void f(int) __attribute__((nonnull(1), format(printf, 1, 2))); int * __attribute__((may_alias)) p;",
        expect![[r#"
        (declare Void @noreturn (f (function (declare Int)) @nonnull(1) @format(printf 1 2)))
        (declare Int (p * @may_alias))
    "#]],
    );
    check(
        "int x __asm__(\"y\" \"z\") __attribute__((section(\".data\"))), z __attribute__((unused)) = 1;",
        expect![[r#"
        (declare Int (x asm:yz @section(".data")) (z @unused)=1)
    "#]],
    );
    check(
        "[[nodiscard]] int f(void); [[gnu::aligned(4), clang::odd(int x, 3.4.5)]] int a [[maybe_unused]][3]; struct [[deprecated(\"no\")]] s { [[x]] int y; };",
        expect![[r#"
        (declare Int @nodiscard (f (function)))
        (declare Int @aligned(4) @odd (a [3] @maybe_unused))
        (declare (struct s @deprecated ((declare Int @x y))))
    "#]],
    );
    check(
        "typedef int vec __attribute__((vector_size(4 * sizeof(int)), mode(__SI__))); void g(__attribute__((unused)) int a, int (__attribute__((x)) *b));",
        expect![[r#"
        (declare typedef Int (vec @vector_size((Mul 4 (sizeof <Int>))) @mode(__SI__)))
        (declare Void (g (function (declare Int @unused a) (declare Int (b * @x)))))
    "#]],
    );
    check(
        "int __attribute__((const, , pure)) h(void), __attribute__((cold)) i(void);",
        expect![[r#"
        (declare Int @const @pure (h (function)) (i (function) @cold))
    "#]],
    );
}

#[test]
fn gnu_types() {
    check(
        "typeof(int *) a; __typeof__(a + 1) b; __auto_type c = 1; __extension__ typedef long long ll; asm(\"nop\"); ;",
        expect![[r#"
        (declare (typeof <Int (_ *)>) a)
        (declare (typeof (Add a 1)) b)
        (declare auto-type c=1)
        (declare typedef LongLong ll)
        (asm)
    "#]],
    );
    check(
        "_Static_assert(sizeof(int) == 4, \"int\" \" size\"); _Static_assert(1);",
        expect![[r#"
        (static-assert (Eq (sizeof <Int>) 4) "int size")
        (static-assert 1)
    "#]],
    );
}

#[test]
fn c23() {
    let text = "constexpr bool a = true; auto b = nullptr; thread_local int c; static_assert(false); typeof_unqual(a) d; alignas(8) int e; int f(); int g(...);";
    check_with(
        text,
        standard(2023, false),
        expect![[r#"
        (declare constexpr Bool a=true)
        (declare auto auto-type b=nullptr)
        (declare thread-local Int c)
        (static-assert false)
        (declare (typeof-unqual a) d)
        (declare (align 8) Int e)
        (declare Int (f (function)))
        (declare Int (g (function ...)))
    "#]],
    );
    check_with(
        "int bool, true, nullptr, constexpr, alignas;",
        standard(2017, true),
        expect![[r#"
        (declare Int bool true nullptr constexpr alignas)
    "#]],
    );
}

#[test]
fn keywords_by_standard() {
    check_with(
        "int inline, restrict, typeof, asm;",
        standard(1989, false),
        expect![[r#"
        (declare Int inline restrict typeof asm)
    "#]],
    );
    check_with(
        "int restrict; inline typeof(int) f(void);",
        standard(1989, true),
        expect![[r#"
        (declare Int restrict)
        (declare inline (typeof <Int>) (f (function)))
    "#]],
    );
    check_with(
        "int typeof, asm; inline int f(int *restrict p);",
        standard(1999, false),
        expect![[r#"
        (declare Int typeof asm)
        (declare inline Int (f (function (declare Int (p *restrict)))))
    "#]],
    );
}

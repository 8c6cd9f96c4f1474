//! What is said of wrong programs, and where.

use expect_test::expect;

use super::check_errors;

#[test]
fn names() {
    check_errors(
        r#"
        int f(void) { return y + T; }
        typedef int T;
        int T;
        int g(int a, int a) { return a; }
        void h(void) { int b; int b; }
        struct s { int x; int x; };
        struct s { int z; };
        enum s e;
        "#,
        expect![[r#"
            2:30 Error: `y` is not declared (unknown name)
            4:13 Error: `T` is declared twice, as different things (second declaration)
              3:21: first declaration
            5:22 Error: `a` is declared twice, as different things (second declaration)
              5:15: first declaration
            6:35 Error: `b` is declared twice in this block (second declaration)
              6:28: first declaration
            7:9 Error: there are two members `x`
            9:9 Error: `s` is the tag of something else
        "#]],
    );
}

#[test]
fn types_that_do_not_fit() {
    check_errors(
        r#"
        struct s { int a; } s, *p;
        int f(int i, int *q, double d) {
          i = s;
          s = 1;
          q = d;
          i = *i;
          i = s + 1;
          i = d % 2;
          i = p->b;
          i = i.a;
          i = q * 2;
          return s;
        }
        "#,
        expect![[r#"
            4:15 Error: a `struct s` cannot become a `int` (has type `struct s`)
            5:15 Error: a `int` cannot become a `struct s` (has type `int`)
            6:15 Error: a `double` cannot become a `int *` (has type `double`)
            7:15 Error: only a pointer can be dereferenced (has type `int`)
            8:15 Error: `+` cannot take a `struct s` and a `int` (invalid operands)
            9:15 Error: `%` cannot take a `double` and a `int` (invalid operands)
            10:15 Error: `struct s` has no member `b` (unknown member)
            11:15 Error: `a` is asked of something that has no members (has type `int`)
            12:15 Error: `*` cannot take a `int *` and a `int` (invalid operands)
            13:18 Error: a `struct s` cannot become a `int` (has type `struct s`)
        "#]],
    );
}

#[test]
fn objects_that_cannot_be_changed() {
    check_errors(
        r#"
        const int c = 1;
        struct s { const int a; int b : 3; } x;
        void f(int a[2]) { c = 2; x.a++; 3 = 4; f = 0; &x.b; &5; int b[2]; b = a; "x"[0]++; }
        "#,
        expect![[r#"
            4:28 Error: this object is `const` (cannot be assigned to)
            4:35 Error: this object is `const` (cannot be assigned to)
            4:42 Error: this cannot be assigned to (not an object, but a value of type `int`)
            4:49 Error: this cannot be assigned to (not an object, but a value of type `void (int *)`)
            4:56 Error: a bit-field has no address (bit-field)
            4:62 Error: only objects and functions have an address (this is a value)
            4:76 Error: this cannot be assigned to (not an object, but a value of type `int[2]`)
        "#]],
    );
}

#[test]
fn incomplete_types() {
    check_errors(
        r#"
        struct u;
        struct u v;
        int f(struct u *p) { return sizeof(struct u) + *p; }
        void a[3];
        int g(struct u x) { return 0; }
        struct r { struct r inner; };
        "#,
        expect![[r#"
            4:37 Error: the type `struct u` is incomplete here (needs a complete type)
            5:15 Error: an array cannot hold functions or `void`
            6:24 Error: the type `struct u` is incomplete here (needs a complete type)
            7:29 Error: the type `struct r` is incomplete here (needs a complete type)
            3:18 Error: the type `struct u` is incomplete here (needs a complete type)
        "#]],
    );
}

#[test]
fn calls() {
    check_errors(
        r#"
        int f(int, char *);
        int v;
        void g(void) { f(1); f(1, 2, 3); v(2); f(1, v)(2); struct s { int a; } s; f(s, 0); }
        "#,
        expect![[r#"
            4:24 Error: this function takes 2 arguments, but 1 is given
            4:30 Error: this function takes 2 arguments, but 3 are given
            4:42 Error: only functions can be called (has type `int`)
            4:53 Warning: `int` is converted to `char *` without a cast
            4:48 Error: only functions can be called (has type `int`)
            4:85 Error: a `struct s` cannot become a `int` (has type `struct s`)
        "#]],
    );
}

#[test]
fn constants() {
    check_errors(
        r#"
        int n;
        int a[n];
        int b[-1];
        int c = n;
        enum { E = 1 / 0, F = n };
        _Static_assert(sizeof(int) == 8, "no");
        struct s { int w : 33; int z : -1; double d : 2; int : 0; int y : 0; };
        int d[1.5];
        "#,
        expect![[r#"
            3:15 Error: the length of an array at file scope must be a constant (not a constant)
            4:15 Error: the length of an array cannot be negative (is -1)
            5:17 Error: the initialiser of a static object must be a constant (not a constant)
            6:20 Error: the value of an enumerator must be an integer constant (not a constant)
            7:24 Error: static assertion failed: no (is false)
            8:24 Error: a bit-field of this type has 1 to 32 bits (has 33)
            9:15 Error: the length of an array must be an integer (has type `double`)
        "#]],
    );
}

#[test]
fn statements() {
    check_errors(
        r#"
        int f(int n) {
          break;
          continue;
          case 1: ;
          goto nowhere;
          switch (n) { case 1: case 1: default: default: case n: ; }
          switch (1.5) {}
          l: l: ;
          { int a[n]; in: ; }
          goto in;
          if ((struct s { int x; }){ 1 }) n = 1;
          return;
        }
        "#,
        expect![[r#"
            3:11 Error: `break` outside of a loop or switch
            4:11 Error: `continue` outside of a loop
            5:11 Error: `case` outside of a switch
            7:49 Error: this switch has two defaults (second default)
              7:40: first default
            7:63 Error: a case must be an integer constant (not a constant)
            7:32 Error: this value has two cases (second case)
              7:24: first case
            8:19 Error: `switch` needs an integer (has type `double`)
            9:14 Error: the label `l` is defined twice
            12:15 Error: a condition must be a number or a pointer (has type `struct s`)
            11:11 Error: this jumps into the scope of a variable-length array
            6:11 Error: there is no label `nowhere` in this function
        "#]],
    );
}

#[test]
fn definitions() {
    check_errors(
        r#"
        int x = 1;
        int x = 2;
        int f(void) { return 1; }
        int f(void) { return 2; }
        int g(int);
        int g(char);
        static int h(void);
        extern int h(void);
        int i(void);
        static int i(void);
        double x;
        int j(void) = 3;
        int k(int a, void b);
        int l(a) int b; {}
        int m(int, int);
        int m(a) int a; { return a; }
        "#,
        expect![[r#"
            3:17 Error: this object is defined twice (second definition)
              2:13: first definition
            5:13 Error: `f` is defined twice (second definition)
              4:13: first definition
            7:13 Error: `g` has type `int (char)` here, but `int (int)` elsewhere
              6:13: declared as `int (int)`
            11:20 Error: `i` is `static` here, but was not before
              10:13: declared here
            12:16 Error: `x` has type `double` here, but `int` elsewhere
              2:13: declared as `int`
            13:23 Error: a function cannot have an initialiser
            14:27 Error: a parameter cannot have type `void`
            15:22 Error: `b` is not among the parameters
            17:13 Error: this definition has another number of parameters than the prototype
        "#]],
    );
}

#[test]
fn initialisers() {
    check_errors(
        r#"
        struct s { int a; } s = { .b = 1 };
        int a[2] = { [2] = 1 };
        int b[] = 3;
        int c = { { 1 } , };
        int *p = { 1, 2 };
        char d[2] = L"a";
        int e[2] = { [0 ... 1000000000] = 1 };
        "#,
        expect![[r#"
            2:36 Error: `struct s` has no member `b` (unknown member)
            3:28 Error: there is no element 2: the array has 2
            4:19 Error: an array needs an initialiser in braces or a string
            6:18 Warning: more than one value for a single number or pointer
            6:20 Warning: `int` is converted to `int *` without a cast
            7:21 Error: an array needs an initialiser in braces or a string
            8:43 Error: this range of elements is empty or too large
        "#]],
    );
}

#[test]
fn too_deep() {
    check_errors(
        r#"
        typedef int a1[1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1];
        "#,
        expect![[r#"
            2:23 Error: arrays and structures inside each other deeper than 250 levels
        "#]],
    );
}

#[test]
fn what_is_not_modelled_at_file_scope() {
    check_errors(
        r#"
        _Decimal32 d;
        struct __attribute__((scalar_storage_order("big-endian"))) s { int a; } s;
        _Imaginary c;
        "#,
        expect![[r#"
            2:9 Unsupported: decimal floating point is not supported
            3:9 Unsupported: the attribute `scalar_storage_order` is not supported
            4:9 Unsupported: `_Imaginary` is not supported
        "#]],
    );
}

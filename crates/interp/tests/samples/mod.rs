//! Small programs that do something undefined, and repaired twins.

use model::CheckKind;

/// A program, and what is wrong with it.
pub struct Sample {
    /// What it is about.
    pub group: &'static str,
    /// What is undefined in the line with `// HERE`; none if nothing is, and the program returns 0.
    pub fault: Option<CheckKind>,
    pub source: String,
}

impl Sample {
    /// The line that does something undefined.
    pub fn line(&self) -> Option<u32> {
        self.source.lines().position(|line| line.contains("// HERE")).map(|line| line as u32 + 1)
    }
}

/// All samples.
pub fn samples() -> Vec<Sample> {
    let mut list = List { group: "", samples: Vec::new() };
    for (name, group) in GROUPS {
        list.group = name;
        group(&mut list);
    }
    list.samples
}

struct List {
    group: &'static str,
    samples: Vec<Sample>,
}

impl List {
    fn faulty(&mut self, kind: CheckKind, source: &str) {
        self.samples.push(Sample { group: self.group, fault: Some(kind), source: source.to_string() });
    }
    fn clean(&mut self, source: &str) {
        self.samples.push(Sample { group: self.group, fault: None, source: source.to_string() });
    }
}

/// Where they come from.
type Group = fn(&mut List);

const GROUPS: [(&str, Group); 15] = [
    ("bounds of arrays", bounds_of_arrays),
    ("bounds of members", bounds_of_members),
    ("bounds behind pointers", bounds_behind_pointers),
    ("pointers do not stray into other objects", pointers_do_not_stray_into_other_objects),
    ("sizes beyond everything", sizes_beyond_everything),
    ("constants are not written", constants_are_not_written),
    ("null pointers", null_pointers),
    ("lifetimes", lifetimes),
    ("misuse of free", misuse_of_free),
    ("signed overflow", signed_overflow),
    ("overflow of left shifts", overflow_of_left_shifts),
    ("division and shifts", division_and_shifts),
    ("conversions out of range", conversions_out_of_range),
    ("objects without value", objects_without_value),
    ("values that nobody takes", values_that_nobody_takes),
];

fn bounds_of_arrays(list: &mut List) {
    list.faulty(CheckKind::Bounds, "int main(void) {\n int a[4]; int i;\n for (i = 0; i <= 4; i++)\n  a[i] = i; // HERE\n return 0; }");
    list.clean("int main(void) {\n int a[4]; int i;\n for (i = 0; i < 4; i++)\n  a[i] = i;\n return 0; }");
    list.faulty(CheckKind::Bounds, "int a[4][3];\nint main(void) { int j = 3;\n return a[1][j]; // HERE\n}");
    list.faulty(CheckKind::Bounds, "char s[] = \"abc\";\nint main(void) { char *p = s;\n return p[4]; // HERE\n}");
    list.clean("char s[] = \"abc\";\nint main(void) { char *p = s + 4;\n return p[-1]; }");
}

fn bounds_of_members(list: &mut List) {
    let declare = "struct s { char a[4]; int n; char t[1]; };\nvoid *malloc(unsigned long);\n";
    list.faulty(CheckKind::Bounds, &format!("{declare}int main(void) {{ struct s x; int i = 4;\n x.a[i] = 1; // HERE\n return 0; }}"));
    list.faulty(
        CheckKind::Bounds,
        &format!("{declare}int main(void) {{ struct s x[2]; int i = 1;\n x[0].t[i] = 1; // HERE\n return 0; }}"),
    );
    list.faulty(CheckKind::Bounds, &format!("{declare}int main(void) {{ struct s x; int i = 1;\n x.t[i] = 1; // HERE\n return 0; }}"));
    list.clean(&format!("{declare}int main(void) {{ struct s *p = malloc(sizeof *p + 10); p->t[9] = 0; return p->t[9]; }}"));
}

fn bounds_behind_pointers(list: &mut List) {
    list.faulty(CheckKind::Bounds, "void *malloc(unsigned long);\nint main(void) { int *p = malloc(8);\n p[2] = 1; // HERE\n return 0; }");
    list.faulty(CheckKind::Bounds, "struct s { int a, b; } x;\nint main(void) { int *p = &x.b;\n return p[1]; // HERE\n}");
    list.faulty(CheckKind::Bounds, "int main(void) { int x = 0; int *p = &x;\n return p[100000]; // HERE\n}");
    list.faulty(CheckKind::Bounds, "int f(int n) { int a[n]; a[0] = 1;\n return a[n]; // HERE\n}\nint main(void) { return f(3); }");
    list.clean("int f(int n) { int a[n]; a[n - 1] = 0;\n return a[n - 1];\n}\nint main(void) { return f(3); }");
}

/// However far a pointer goes, it does not get into another object.
fn pointers_do_not_stray_into_other_objects(list: &mut List) {
    let declare = "char a[4], b[4];\n";
    for step in ["p -= 1l << 32", "p += 1l << 32", "p += -1ul", "p = &p[1l << 40]"] {
        list.faulty(CheckKind::Bounds, &format!("{declare}int main(void) {{ char *p = b;\n {step}; // HERE\n p[0] = 1; return 0; }}"));
    }
    list.clean(&format!("{declare}int main(void) {{ char *p = b; p = (char *)0 + (unsigned long)p; p += 100; p -= 98; return *p; }}"));
}

fn sizes_beyond_everything(list: &mut List) {
    let declare = "void *memset(void *, int, unsigned long); void *memcpy(void *, const void *, unsigned long); char a[4], b[4];\n";
    for call in ["memset(a, 0, -1ul)", "memcpy(a, b, -1ul)", "memset(a + 2, 0, -2ul)", "memcpy(a + 1, b, 1ul << 63)", "memset(a, 0, 5)"] {
        list.faulty(CheckKind::Bounds, &format!("{declare}int main(void) {{\n {call}; // HERE\n return 0; }}"));
    }
    list.clean(&format!("{declare}int main(void) {{ memset(a, 0, 4); memcpy(a + 4, b, 0); return a[3]; }}"));
}

fn constants_are_not_written(list: &mut List) {
    list.faulty(CheckKind::Bounds, "int main(void) { char *p = \"abc\";\n p[0] = 'x'; // HERE\n return 0; }");
    list.faulty(CheckKind::Bounds, "const int c = 1;\nint main(void) { int *p = (int *)&c;\n *p = 2; // HERE\n return 0; }");
}

fn null_pointers(list: &mut List) {
    list.faulty(CheckKind::Null, "int main(void) { int *p = 0;\n return *p; // HERE\n}");
    list.faulty(CheckKind::Null, "struct s { int a, b; };\nint main(void) { struct s *p = 0;\n p->b = 1; // HERE\n return 0; }");
    list.faulty(CheckKind::Null, "int main(void) { int (*f)(void) = 0;\n return f(); // HERE\n}");
}

fn lifetimes(list: &mut List) {
    list.faulty(
        CheckKind::Dangling,
        "int *f(void) { int x = 1; int *p = &x; return p; }\nint main(void) { int *p = f();\n return *p; // HERE\n}",
    );
    list.faulty(CheckKind::Dangling, "int main(void) { int *p; { int x = 1; p = &x; }\n return *p; // HERE\n}");
    list.clean("int main(void) { int *p; { int x = 0; p = &x; return *p; } }");
    list.faulty(
        CheckKind::Dangling,
        "int main(void) { int *p, i;\n for (i = 0; i < 2; i++) { int x; if (i)\n   return *p; // HERE\n  x = 1; p = &x; } return 0; }",
    );
    list.faulty(
        CheckKind::Dangling,
        "void *malloc(unsigned long); void free(void *);\nint main(void) { int *p = malloc(4); *p = 1; free(p);\n return *p; // HERE\n}",
    );
}

fn misuse_of_free(list: &mut List) {
    let declare = "void *malloc(unsigned long); void free(void *);\n";
    list.faulty(CheckKind::Free, &format!("{declare}int main(void) {{ int *p = malloc(4); free(p);\n free(p); // HERE\n return 0; }}"));
    list.faulty(CheckKind::Free, &format!("{declare}int main(void) {{ int x;\n free(&x); // HERE\n return 0; }}"));
    list.faulty(CheckKind::Free, &format!("{declare}int main(void) {{ char *p = malloc(4);\n free(p + 1); // HERE\n return 0; }}"));
    list.clean(&format!("{declare}int main(void) {{ int *p = malloc(4); free(p); free(0); return 0; }}"));
}

fn signed_overflow(list: &mut List) {
    list.faulty(CheckKind::SignedOverflow, "int main(void) { int x = 2147483647;\n x = x + 1; // HERE\n return 0; }");
    list.faulty(CheckKind::SignedOverflow, "int main(void) { int x = -2147483647 - 1;\n x = -x; // HERE\n return 0; }");
    list.faulty(CheckKind::SignedOverflow, "int main(void) { long x = 1l << 62;\n x = x * 2; // HERE\n return 0; }");
    list.faulty(CheckKind::SignedOverflow, "int main(void) { int x = -2147483647 - 1, y = -1;\n x = x / y; // HERE\n return 0; }");
    list.faulty(CheckKind::SignedOverflow, "int main(void) { int x = 2147483647;\n x++; // HERE\n return 0; }");
    list.clean("int main(void) { unsigned x = 4294967295u; x = x + 1; short s = 32767; s++; return x + (s != -32768); }");
}

/// GCC defines them; C does not.
fn overflow_of_left_shifts(list: &mut List) {
    let faulty =
        ["unsigned char c = 255; int x", "int d = 31; int x", "int n = -1; int x", "long n = 1, d = 63; long x", "short x = -1; x"];
    for (declare, shift) in faulty.into_iter().zip(["c << 24", "1 << d", "n << 3", "n << d", "x << 1"]) {
        list.faulty(CheckKind::SignedOverflow, &format!("int main(void) {{ {declare}\n  = {shift}; // HERE\n return x == 77; }}"));
    }
    list.faulty(CheckKind::SignedOverflow, "int main(void) { int x = 1 << 30;\n x <<= 1; // HERE\n return 0; }");
    list.faulty(
        CheckKind::SignedOverflow,
        "int main(void) { __int128 x = (__int128)1 << 126; int d = 1;\n x = x << d; // HERE\n return 0; }",
    );
    list.clean(
        "int main(void) { unsigned char c = 255; int d = 30, n = 127; long l = n; unsigned u = -1; n = c << 23; n = 1 << d; n = 0;\n\
         n = n << 31; u = u << 31; l = l << 56; c <<= 7; return u != 1u << 31 || c != 128 || n; }",
    );
}

fn division_and_shifts(list: &mut List) {
    list.faulty(CheckKind::Division, "int main(void) { int z = 0;\n return 1 / z; // HERE\n}");
    list.faulty(CheckKind::Division, "int main(void) { unsigned z = 0;\n return 1 % z; // HERE\n}");
    list.faulty(CheckKind::Shift, "int main(void) { int d = 32;\n return 1 << d; // HERE\n}");
    list.faulty(CheckKind::Shift, "int main(void) { int d = -1;\n return 1 >> d; // HERE\n}");
    list.clean("int main(void) { int d = 31; return (1u << d) >> 31 == 1 ? 0 : 1; }");
}

fn conversions_out_of_range(list: &mut List) {
    list.faulty(CheckKind::Conversion, "int main(void) { double d = 3e9;\n return (int)d; // HERE\n}");
    list.faulty(CheckKind::Conversion, "int main(void) { float f = -1.0f;\n return (unsigned)f; // HERE\n}");
    list.clean("int main(void) { double d = -0.9; return (unsigned)d; }");
}

fn objects_without_value(list: &mut List) {
    list.faulty(CheckKind::Uninitialised, "int main(void) { int x;\n return x; // HERE\n}");
    list.faulty(CheckKind::Uninitialised, "int main(void) { int a[2]; a[0] = 1;\n return a[1]; // HERE\n}");
    list.faulty(
        CheckKind::Uninitialised,
        "struct s { int a : 3, b : 5; };\nint main(void) { struct s x; x.a = 1;\n return x.b; // HERE\n}",
    );
    list.faulty(CheckKind::Uninitialised, "int f(int x) { if (x) return 1; }\nint main(void) {\n return f(0); // HERE\n}");
    list.clean(
        "struct s { char c; int x; };\nint main(void) { struct s a, b; a.c = 0; a.x = 0; b = a; int x = 0, *p = &x; return b.x + *p; }",
    );
    list.clean("int f(int x) { if (x) return 1; }\nint main(void) { f(0); return 0; }");
}

fn values_that_nobody_takes(list: &mut List) {
    let declare = "struct s { int x, f : 3; char t[4]; };\n";
    for (kind, objects, statement) in [
        (CheckKind::Bounds, "int n = 9; char b[3];", "b[n];"),
        (CheckKind::Bounds, "int n = 9; char b[3];", "(void)b[n];"),
        (CheckKind::Bounds, "int n = 9; char b[3] = { 0 };", "n + b[0] + b[n];"),
        (CheckKind::Bounds, "int n = 9; char b[3];", "n = 0, b[n + 3], n = 1;"),
        (CheckKind::Bounds, "int n = 9; char b[3];", "n ? b[n] : b[0];"),
        (CheckKind::Bounds, "int n = 9; char b[3], c[2][2];", "c[b[n]];"),
        (CheckKind::Bounds, "int n = 9; char b[3];", "__builtin_expect(b[n], 0);"),
        (CheckKind::Bounds, "int n = 9; char b[3];", "for (int i = 0; i < 1; i++, b[n]) { }"),
        (CheckKind::Null, "int *p = 0;", "*p;"),
        (CheckKind::Null, "int *p = 0;", "!*p;"),
        (CheckKind::Null, "struct s *p = 0;", "(void)p->x;"),
        (CheckKind::Null, "struct s *p = 0;", "p->f;"),
        (CheckKind::Null, "struct s *p = 0;", "*p;"),
    ] {
        list.faulty(kind, &format!("{declare}int main(void) {{ {objects}\n {statement} // HERE\n return 0; }}"));
    }
    list.clean(&format!(
        "{declare}int main(void) {{ int x, *p = 0; struct s s, *q = 0; char b[3]; void *v = 0; struct open *o = 0;\n\
         (void)x; (void)s; (void)s.x; (void)b; &b[3]; (void)&q->x; q->t; sizeof *p; p && *p; (void)(p ? *p : 0); *v; &*o;\n\
         return p && (*p, 1); }}"
    ));
}

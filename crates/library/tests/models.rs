//! The models against the interpreter's own library.

mod harness;

use harness::{Outcome, linked, native, outcomes, run, run_with, translate};
use interp::Policy;
use model::{CheckKind, Target};

const TARGETS: [Target; 2] = [Target::Lp64, Target::Ilp32];

/// Bodies of `main` that call functions whose models are exact.
const EXACT: &[&str] = &[
    "char b[8]; memcpy(b, \"abcdefg\", 8); return memmove(b + 1, b, 4) == b + 1 && b[1] == 'a' && b[4] == 'd' && b[5] == 'f';",
    "char b[8]; return (char *)mempcpy(b, \"abc\", 4) - b + b[2];",
    "char b[8]; memset(b, 'x', 7); char *p = memccpy(b, \"abcdef\", 'c', 6); return p - b + (memccpy(b, \"abc\", 'z', 2) == 0) * 10 + b[3];",
    "char b[8] = \"abcabc\"; bzero(b + 5, 2); bcopy(b, b + 1, 3); return b[1] * 2 + b[3] + b[5];",
    "char b[] = \"abcabc\"; return ((char *)memchr(b, 'c', 6) - b) * 10 + (memchr(b, 'z', 6) == 0) + (memchr(b, 'c', 2) == 0) * 2;",
    "char b[] = \"hello\"; return strlen(b) * 10 + strnlen(b, 3) + strnlen(b, 9) + strlen(\"\");",
    "char b[9]; char *p = stpcpy(b, \"abc\"); return (p - b) * 10 + (strcpy(b, \"xy\") == b) + b[1] + b[3];",
    "char b[9]; memset(b, 'q', 9); char *p = stpncpy(b, \"ab\", 5); strncpy(b + 5, \"xyz\", 2); return (p - b) * 10 + b[4] + b[6] + b[7];",
    "char b[16] = \"ab\"; strcat(b, \"cd\"); strncat(b, \"efgh\", 2); return strlen(b) * 10 + b[3] + b[5];",
    "char b[5]; size_t n = strlcpy(b, \"abcdefg\", 5); size_t m = strlcat(b, \"xyz\", 5); return n * 10 + m + b[3] + b[4];",
    "char *p = strdup(\"abc\"), *q = strndup(\"abcdef\", 2); int r = p[2] * 2 + q[1] + q[2]; free(p); free(q); return r;",
    "const char *s = \"abcabc\"; return (strchr(s, 'b') - s) * 10 + (strchr(s, 'z') == 0) + (strchr(s, 0) - s) * 20 + (strchrnul(s, 'x') - s);",
    "const char *s = \"abc\"; return (char *)rawmemchr(s, 'c') - s;",
    "return ffs(0) + ffs(1) * 2 + ffs(96) * 3;",
    "int *p = calloc(3, 4); p[1] = 5; p = realloc(p, 400); int r = p[0] + p[1] + p[2]; free(p); free(0); return r;",
    "void *p = 0; int r = posix_memalign(&p, 16, 8); free(p); return r + (malloc(-1) == 0) * 2 + (calloc(-1, -1) == 0) * 4 + *__errno_location();",
    "return abs(-3) + abs(4) * 2 + labs(-5) * 3 + div(-7, 2).quot * 4 + div(-7, 2).rem;",
    "return tolower('A') + toupper('z') * 2 + tolower('[') + toupper(-1) + toascii(200);",
    "const unsigned short *t = *__ctype_b_loc(); int s = 0, i; for (i = -128; i < 256; i++) s += (t[i] % 251) * (i + 200); return s % 250;",
    "const int *t = *__ctype_tolower_loc(), *u = *__ctype_toupper_loc(); int s = 0, i; for (i = -128; i < 256; i++) s += t[i] * (i + 200) + u[i]; return s % 250;",
    "return fabs(-2.5) * 2 + floor(-2.5) + ceil(-2.5) * 3 + trunc(-2.5) * 5 + round(-2.5) * 7 + rint(-2.5) * 11 + rint(3.5) * 13 == 0;",
    "return floor(2.5) + ceil(2.5) * 3 + trunc(2.5) * 5 + round(2.5) * 7 + rint(2.5) * 11 + floor(1e300) / 1e300 + ceil(0.2) + floorf(2.9f) + ceill(1.1L);",
    "return 1 / ceil(-0.5) < 0 && 1 / trunc(-0.5) < 0 && 1 / round(-0.2) < 0 && 1 / floor(-0.0) < 0 && 1 / copysign(0.0, -1.0) < 0;",
    "double w; double f = modf(-3.25, &w); return f * 8 + w + 10 + lround(2.5) + fmin(1, 2) + fmax(1, 2) + fmin(0.0 / 0.0, 3) + __fpclassify(1e-310);",
    "return getchar() + getchar() + fgetc(stdin);",
    "char b[9]; int n = sprintf(b, \"abc\"); return n * 10 + b[2] + (snprintf(b, 3, \"%s\", \"wxyz\") == 4) + b[1] + b[2];",
];

/// Functions whose models are exact: the same result, and only that.
#[test]
fn exact_models_do_what_the_library_does() {
    for body in EXACT {
        let source = format!("int main(void) {{ {body} }}");
        for target in TARGETS {
            let expected = native(&source, target);
            assert!(matches!(expected, Outcome::Exit(_)), "{body}: {expected:?}");
            assert_eq!(outcomes(&source, target), [expected], "{body}");
        }
    }
}

/// Functions whose models approximate: what the library does is among what the models do.
#[test]
fn approximate_models_include_what_the_library_does() {
    let bodies = [
        "int r = memcmp(\"abcd\", \"abxd\", 4); return (r > 0) - (r < 0) + (memcmp(\"ab\", \"ab\", 2) == 0) * 2 + 5;",
        "char b[] = \"abcabc\"; return (char *)memrchr(b, 'b', 6) - b + (memrchr(b, 'z', 6) == 0) * 10;",
        "const char *s = \"abcabc\"; return strrchr(s, 'b') - s + (strrchr(s, 0) - s) * 10;",
        "const char *s = \"abcabc\", *p = strstr(s, \"ca\"); return p ? p - s : 99;",
        "const char *s = \"abcabc\", *p = memmem(s, 6, \"bc\", 2); return p ? p - s : 99;",
        "return strstr(\"abc\", \"x\") == 0;",
        "int r = strcmp(\"abc\", \"abd\"); return (r > 0) - (r < 0) + 5;",
        "int r = strcmp(\"abc\", \"ab\"); return (r > 0) - (r < 0) + 5;",
        "return strcmp(\"abc\", \"abc\") == 0;",
        "char a[2] = \"ab\"; int r = strncmp(a, \"abc\", 2); return r == 0;",
        "int r = strcasecmp(\"ABC\", \"abd\"); return (r > 0) - (r < 0) + 5;",
        "return strspn(\"aabc\", \"ab\") * 10 + strcspn(\"aabc\", \"cd\");",
        "const char *s = \"xyz,\", *p = strpbrk(s, \";,\"); return p ? p - s : 99;",
        "char b[] = \",a,,b\", *p = strtok(b, \",\"), *q = strtok(0, \",\"); return p && q ? (p - b) * 10 + (q - b) : 99;",
        "char b[] = \"a b\", *s; char *p = strtok_r(b, \" \", &s); return p ? (p - b) * 10 + (s - b) + b[1] : 99;",
        "char b[] = \"a b\", *s = b; char *p = strsep(&s, \" \"); return s ? (p - b) * 10 + (s - b) + b[1] : 99;",
        "return atoi(\"5\");",
        "char *e; long n = strtol(\"7x\", &e, 10); return n * 10 + *e;",
        "return !!isalpha('q') + !!isalpha('1') * 2 + !!isspace('\\t') * 4;",
        "return !!ispunct('!') + !!isxdigit('F') * 2 + !!isdigit(-1) * 4;",
        "return getenv(\"HOME\") == 0;",
        "FILE *f = fopen(\"a\", \"w\"); if (!f) return 1; fclose(f); return 2;",
        "return putchar('x') + 1;",
        "char b[5]; return sprintf(b, \"x%d-%u\", 7, 3) * 10 + strlen(b);",
        "int a = 1, b = 2; int n = sscanf(\"120 x\", \"%d %d\", &a, &b); return n * 1000 + (a == 120) * 10 + b % 10;",
        "char w[4] = \"q\"; int n = sscanf(\"ab cd\", \"%3s\", w); return n * 100 + strlen(w);",
        "char w[6] = \"q\"; char k = 9; int n = sscanf(\"x=120\", \"%5[a-z]=%hhd\", w, &k); return n * 1000 + k + w[0];",
        "char w = 0; return sscanf(\"\", \"%c\", &w) + 5 + w;",
        "char s = 0; int at = 1; int n = sscanf(\"y\", \"%hhd%n\", &s, &at); return n * 100 + s * 10 + at % 2;",
    ];
    for body in bodies {
        let source = format!("int main(void) {{ {body} }}");
        for target in TARGETS {
            let expected = native(&source, target);
            assert!(matches!(expected, Outcome::Exit(_)), "{body}: {expected:?}");
            let found = outcomes(&source, target);
            assert!(found.contains(&expected), "{body}: {expected:?} is not among {found:?}");
            assert!(found.iter().all(|outcome| matches!(outcome, Outcome::Exit(_))), "{body}: {found:?}");
        }
    }
}

/// A translation is the text or another one, and names that nobody set may be there.
#[test]
fn translations_are_texts() {
    let declared = "char *gettext(const char *); char *textdomain(const char *);";
    let cases = [
        ("return gettext(\"abc\")[0] == 'a' ? 1 : 2;", vec![Outcome::Exit(1), Outcome::Exit(2)]),
        ("return textdomain(0) ? 1 : 2;", vec![Outcome::Exit(1), Outcome::Exit(2)]),
        ("char full[2] = \"xy\"; gettext(full); return 0;", vec![Outcome::Fault(CheckKind::Bounds, 1)]),
    ];
    for (body, expected) in cases {
        let source = format!("{declared} int main(void) {{ {body} }}");
        for target in TARGETS {
            let found = outcomes(&source, target);
            assert!(expected.iter().all(|outcome| found.contains(outcome)) && found.len() == expected.len(), "{body}: {found:?}");
        }
    }
}

/// What is wrong with a call is noticed, by the same kind of check, and charged to the line of the call.
#[test]
fn preconditions_are_charged_to_the_caller() {
    let (bounds, null, dangling) = (CheckKind::Bounds, CheckKind::Null, CheckKind::Dangling);
    let calls = [
        ("memcpy(b, \"abc\", 5)", bounds),
        ("memcpy(b + 6, \"abc\", 4)", bounds),
        ("memcpy(b, b + 1, 4)", bounds),
        ("memcpy(b - 1, \"abc\", 1)", bounds),
        ("memcpy(0, \"abc\", 4)", null),
        ("memcpy(b, gone, 1)", dangling),
        ("memcpy(gone, b, 1)", dangling),
        ("memmove(b, \"abc\", 5)", bounds),
        ("memset((void *)\"abc\", 0, 1)", bounds),
        ("memset(b, 0, 9)", bounds),
        ("memset(b + 9, 0, 1)", bounds),
        ("bzero(b, -1)", bounds),
        ("memchr(b, 'z', 9)", bounds),
        ("memcmp(b, \"abcdefgh\", 10)", bounds),
        ("memrchr(b, 'z', 9)", bounds),
        ("strlen(full)", bounds),
        ("strlen(0)", null),
        ("strlen(gone)", dangling),
        ("strnlen(full, 3)", bounds),
        ("strcpy(b, \"12345678\")", bounds),
        ("strcpy((char *)\"abc\", \"x\")", bounds),
        ("strncpy(b, \"1\", 9)", bounds),
        ("strncpy(b, full, 3)", bounds),
        ("strcat(strcpy(b, \"abcd\"), \"efgh\")", bounds),
        ("strncat(strcpy(b, \"abcd\"), \"efgh\", 4)", bounds),
        ("strdup(full)", bounds),
        ("strchr(full, 'z')", bounds),
        ("strcmp(0, b)", null),
        ("strcmp(gone, b)", dangling),
        ("strtok((char *)\"a,b\", full)", bounds),
        ("free(gone)", CheckKind::Free),
        ("free(b)", CheckKind::Free),
        ("free((char *)malloc(4) + 1)", CheckKind::Free),
        ("realloc(b, 3)", CheckKind::Free),
        ("realloc(gone, 3)", CheckKind::Free),
        ("abs(-2147483647 - 1)", CheckKind::SignedOverflow),
        ("div(1, zero)", CheckKind::Division),
        ("puts(full)", bounds),
        ("fputs(\"x\", 0)", null),
        ("fprintf(0, \"x\")", null),
        ("printf(\"%s\", gone)", dangling),
        ("printf(\"%d %s\", 1, full)", bounds),
        ("printf(\"%d %s\", abs(zero), full)", bounds),
        ("printf(full)", bounds),
        ("sprintf(b, \"12345678\")", bounds),
        ("sprintf(b, \"%s%s\", \"1234\", \"5678\")", bounds),
        ("sprintf(b, \"%9d\", 1)", bounds),
        ("snprintf(b, 10, \"12345678\")", bounds),
        ("printf(\"%d\", *(int *)gone)", dangling),
        ("sscanf(\"12345 6\", \"%s\", b + 4)", bounds),
        ("sscanf(\"12345 6\", \"%4s\", b + 4)", bounds),
        ("sscanf(\"1\", \"%ld\", (long *)(b + 6))", bounds),
        ("sscanf(\"123456789\", \"%5c\", b + 4)", bounds),
        ("sscanf(full, \"%d\", &zero)", bounds),
        ("sscanf(\"1\", \"%d\", 0)", null),
        ("sscanf(\"1 x\", \"%d%s\", &zero, gone)", dangling),
        ("qsort(b, 3, 4, 0)", bounds),
        ("fwrite(b, 3, 4, stdout)", bounds),
        ("write(1, b, 9)", bounds),
        ("modf(1.5, 0)", null),
    ];
    for (call, kind) in calls {
        let source = format!(
            "int main(void) {{ char b[8] = \"abcdefg\"; char full[2] = \"xy\"; int zero = 0;
            char *gone = malloc(8); free(gone);
            {call};
            return zero; }}"
        );
        for target in TARGETS {
            let expected = Outcome::Fault(kind, 3);
            assert_eq!(native(&source, target), expected, "{call}");
            let found = outcomes(&source, target);
            assert!(found.contains(&expected), "{call}: {found:?}");
        }
    }
}

/// Checks inside the models do not fail where the preconditions hold, and say the same where they do not.
#[test]
fn instrumented_models_agree() {
    let kinds: Vec<CheckKind> = CheckKind::ALL
        .into_iter()
        .filter(|kind| !matches!(kind, CheckKind::UnsignedOverflow | CheckKind::Conversion | CheckKind::Leak | CheckKind::Float))
        .collect();
    let instrumented = |source: &str| {
        let mut program = linked(source, Target::Lp64);
        passes::checks::instrument(&mut program, &kinds);
        model::verify(&program).unwrap_or_else(|flaws| panic!("{source}: {}", flaws[0]));
        run_with(&program, Vec::new(), Policy::assertions())
    };
    for body in EXACT.iter().filter(|body| !body.contains("fmin")) {
        let source = format!("int main(void) {{ {body} }}");
        assert_eq!(instrumented(&source), native(&source, Target::Lp64), "{body}");
    }
    for (call, kind) in [("strlen(full)", CheckKind::Bounds), ("memcpy(0, full, 2)", CheckKind::Null), ("free(full)", CheckKind::Free)] {
        let source = format!("int main(void) {{ char full[2] = \"xy\";\n{call}; return 0; }}");
        assert_eq!(instrumented(&source), Outcome::Fault(kind, 2), "{call}");
    }
}

/// Streams: closing twice, using a closed one, freeing one.
#[test]
fn streams_are_objects() {
    for (use_of, kind) in [("fclose(f)", CheckKind::Dangling), ("fputs(\"x\", f)", CheckKind::Dangling), ("feof(f)", CheckKind::Dangling)] {
        let source = format!("int main(void) {{ FILE *f = fopen(\"a\", \"w\"); if (!f) return 1;\nfclose(f);\n{use_of}; return 0; }}");
        let expected = Outcome::Fault(kind, 3);
        assert_eq!(native(&source, Target::Lp64), expected);
        assert!(outcomes(&source, Target::Lp64).contains(&expected), "{use_of}");
    }
    let source = "int main(void) { FILE *f = fopen(\"a\", \"w\"); if (!f) return 1;\nfree(f); return 0; }";
    assert!(outcomes(source, Target::Lp64).contains(&Outcome::Fault(CheckKind::Free, 2)));
}

/// What happens in a comparison function is charged to it, not to who called `qsort`.
#[test]
fn callbacks_are_the_programs_own() {
    let source = "int compare(const void *a, const void *b) {\nreturn memcmp(a, b, 9); }\nint main(void) { char b[4] = \"dcb\"; qsort(b, 4, 1, compare); return 0; }";
    let expected = Outcome::Fault(CheckKind::Bounds, 2);
    assert_eq!(native(source, Target::Lp64), expected);
    assert!(outcomes(source, Target::Lp64).contains(&expected));
}

/// One call of a comparison function stands for all only if it changes nothing.
#[test]
fn callbacks_that_count_are_called_any_number_of_times() {
    let program = |body: &str| {
        format!(
            "int calls; int compare(const void *a, const void *b) {{ {body} return 0; }} int main(void) {{ char b[2] = \"d\"; qsort(b, 2, 1, compare); return calls; }}"
        )
    };
    let defined = |source: &str| {
        let program = linked(source, Target::Lp64);
        let qsort = program.functions.iter().find(|function| function.name == "qsort").and_then(|function| function.body.as_ref());
        qsort.map(|body| body.loops.len())
    };
    assert_eq!(defined(&program("")), Some(0));
    assert_eq!(defined(&program("int x = 0; x = memcmp(a, b, 1);")), Some(0));
    assert_eq!(defined(&program("calls++;")), Some(1));
    assert_eq!(defined(&program("puts(a);")), Some(1));
    assert_eq!(native(&program("calls++;"), Target::Lp64), Outcome::Exit(1));
}

/// What is not modelled ends a run.
#[test]
fn gaps_are_visible() {
    let source = "int setvbuf(FILE *, char *, int, size_t); int main(void) { char b[99]; setvbuf(stdin, b, 0, 99); return 0; }";
    let Outcome::Other(end) = run(&linked(source, Target::Lp64), Vec::new()) else { panic!() };
    assert!(end.contains("Unsupported(\"`a stream with a buffer of the program` is not modelled\""), "{end}");
    assert_eq!(outcomes(&source.replace("b, 0", "0, 0"), Target::Lp64), [Outcome::Exit(0)]);
}

#[test]
fn own_definitions_win() {
    let source = "size_t strlen(const char *s) { return 42; } int main(void) { char *p = strdup(\"a\"); free(p); return strlen(\"a\"); }";
    assert_eq!(outcomes(source, Target::Lp64), [Outcome::Exit(42)]);
    let source = source.replace("return", "printf(\"x\"); return");
    let linked = library::link(translate(&source, Target::Lp64)).unwrap();
    assert_eq!(linked.modelled, ["free", "printf", "strdup"]);
}

/// Declarations that are not quite the library's are served; those with other sizes are not.
#[test]
fn declarations_need_not_be_exact() {
    let translate = |source: &str| frontend::translate("test.c", source.as_bytes(), &frontend::Options::default()).program.unwrap();
    for source in [
        "unsigned char *strdup(unsigned char *); int main(void) { return strdup((unsigned char *)\"abc\")[1]; }",
        "char *strdup(); int main(void) { return strdup(\"abc\")[1]; }",
        "char *twice(const char *) __asm__(\"__strdup\"); int main(void) { return twice(\"abc\")[1]; }",
        "char *strdup(const char *); char *(*f)(const char *) = strdup; int main(void) { return f(\"abc\")[1]; }",
    ] {
        let linked = library::link(translate(source)).unwrap();
        model::verify(&linked.program).unwrap();
        assert_eq!(run(&linked.program, Vec::new()), Outcome::Exit(i32::from(b'b')), "{source}");
        assert_eq!(linked.modelled.len(), 1);
    }
    let linked = library::link(translate("int malloc(int); int main(void) { return malloc(1); }")).unwrap();
    assert!(linked.modelled.is_empty());
}

/// Nothing is added that nobody needs, and everything that is added tells where it comes from.
#[test]
fn only_what_is_needed_is_linked() {
    let program = linked("int main(void) { return strlen(\"ab\"); }", Target::Lp64);
    let mut defined: Vec<&str> = program.functions.iter().filter(|f| f.body.is_some()).map(|f| f.name.as_str()).collect();
    defined.sort_unstable();
    assert_eq!(defined, ["main", "nowhere", "readable", "room", "string", "strlen"]);
    let library = program.functions.iter().filter(|f| f.body.is_some() && f.name != "main");
    assert!(library.clone().all(|function| library::is_library(&program, function.span)));

    let before = translate("int main(void) { return 0; }", Target::Lp64);
    let after = library::link(before.clone()).unwrap();
    assert_eq!((after.program, after.modelled), (before, Vec::new()));
}

/// The lengths of formatted text are known as exactly as the format tells.
#[test]
fn formatted_text_has_its_length() {
    let source = "int main(void) { char b[6]; return snprintf(b, 0, \"%s-%.2s%c%5c%%\", \"ab\", \"xyz\", 'q', 7); }";
    assert_eq!(native(source, Target::Lp64), Outcome::Exit(12));
    assert_eq!(outcomes(source, Target::Lp64), [Outcome::Exit(12)]);
    assert_eq!(outcomes("int main(void) { return snprintf(0, 0, \"%%\"); }", Target::Lp64), [Outcome::Exit(1)]);
    let source = "int main(void) { return snprintf(0, 0, \"%+hhd\", 7); }";
    assert_eq!(outcomes(source, Target::Lp64), [1, 2, 3, 4].map(Outcome::Exit));
    for call in ["%d%d\", -2147483647 - 1, 2147483647", "%lld\", -9223372036854775807LL - 1", "%llu\", -1ULL", "%hhd%hu\", 300, 65636"] {
        let source = format!("int main(void) {{ return snprintf(0, 0, \"{call}); }}");
        assert_eq!(outcomes(&source, Target::Lp64), [native(&source, Target::Lp64)], "{call}");
    }
}

/// A function that prints what it gets, at second hand; `vsnprintf` must be declared.
const PRINTER: &str = "
    int vsnprintf(char *, unsigned long, const char *, __builtin_va_list);
    static int listed(char *to, unsigned long size, const char *format, __builtin_va_list list) {
        int n = vsnprintf(to, size, format, list);
        return n + 1;
    }
    static int text(char *to, unsigned long size, const char *format, ...) {
        __builtin_va_list list;
        __builtin_va_start(list, format);
        int n = listed(to, size, format, list);
        __builtin_va_end(list);
        return n;
    }";

/// The same where the format is a parameter, and each caller has another one.
#[test]
fn text_from_a_list_has_the_length_that_the_callers_format_tells() {
    let calls = [
        "return text(0, 0, \"plain\") * 10 + text(0, 0, \"%d\", 123);",
        "char b[8]; int n = text(b, 8, \"%s-%.*s\", \"ab\", 2, \"xyz\"); return n * 10 + strlen(b) + text(b, 3, \"%c%lu\", 'x', 77ul) * 2 + b[2];",
        "return text(0, 0, \"%d\", 12345) + text(0, 0, \"%d\", -1) * 2 + text(0, 0, \"%*d|%hhd\", 7, 1, 300) * 3;",
    ];
    for call in calls {
        let source = format!("{PRINTER} int main(void) {{ {call} }}");
        assert_eq!(outcomes(&source, Target::Lp64), [native(&source, Target::Lp64)], "{call}");
    }
    let wrong = format!("{PRINTER} int main(void) {{ return text(0, 0, \"%s\", (char *)0); }}");
    assert!(outcomes(&wrong, Target::Lp64).iter().all(|outcome| matches!(outcome, Outcome::Fault(CheckKind::Null, _))));
}

/// A format that is none of the known ones is not printed as one of them.
#[test]
fn other_formats_stay_unknown() {
    let body = "char f[2] = \"x\"; return text(0, 0, argc > 1 ? f : \"yy\") + text(0, 0, \"zzz\");";
    let program = linked(&format!("{PRINTER} int main(int argc, char **argv) {{ {body} }}"), Target::Lp64);
    let calls = program.functions.iter().filter_map(|function| function.body.as_ref()).flat_map(|body| body.blocks.iter());
    let unknown = program.functions.enumerate().find(|(_, function)| function.name == "vsnprintf").map(|(id, _)| id);
    let is_left = |command: &model::Command| matches!(command.kind, model::CommandKind::Call { callee: model::Callee::Direct(callee), .. } if Some(callee) == unknown);
    assert_eq!(calls.flat_map(|block| &block.commands).filter(|command| is_left(command)).count(), 1);
    let program = linked(&format!("{PRINTER} int main(void) {{ return text(0, 0, \"zzz\"); }}"), Target::Lp64);
    assert_eq!(run(&program, Vec::new()), Outcome::Exit(4));
}

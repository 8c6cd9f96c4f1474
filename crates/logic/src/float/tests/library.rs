//! Values in the formats that Rust does not have are those that the C library and the processor compute.

use std::io::Write;
use std::process::{Command, Stdio};

use super::numbers::{canonical, try_numbers};
use super::*;

/// Reads lines with a format, an operation and three patterns, and prints the patterns of the results.
const PROGRAM: &str = r#"
#define __STDC_WANT_IEC_60559_TYPES_EXT__ 1
#include <math.h>
#include <stdio.h>
#include <string.h>
typedef unsigned __int128 U;
static int is(const char *op, const char *name) { return !strcmp(op, name); }
#define FORMAT(name, T, S, REMAINDER, BYTES) \
    static T from_##name(U u) { T v = 0; memcpy(&v, &u, BYTES); return v; } \
    static U to_##name(T v) { U u = 0; memcpy(&u, &v, BYTES); return u; } \
    static U run_##name(const char *op, U ua, U ub, U uc) { \
        volatile T a = from_##name(ua), b = from_##name(ub), c = from_##name(uc); \
        if (is(op, "add")) return to_##name(a + b); \
        if (is(op, "sub")) return to_##name(a - b); \
        if (is(op, "mul")) return to_##name(a * b); \
        if (is(op, "div")) return to_##name(a / b); \
        if (is(op, "sqrt")) return to_##name(sqrt##S(a)); \
        if (is(op, "fma")) return to_##name(fma##S(a, b, c)); \
        if (is(op, "mod")) return to_##name(fmod##S(a, b)); \
        if (is(op, "rem")) return to_##name(REMAINDER(a, b)); \
        if (is(op, "rint")) return to_##name(rint##S(a)); \
        if (is(op, "round")) return to_##name(round##S(a)); \
        if (is(op, "trunc")) return to_##name(trunc##S(a)); \
        if (is(op, "ceil")) return to_##name(ceil##S(a)); \
        if (is(op, "floor")) return to_##name(floor##S(a)); \
        if (is(op, "eq")) return a == b; \
        if (is(op, "lt")) return a < b; \
        if (is(op, "le")) return a <= b; \
        if (is(op, "f32")) { volatile float f = (float)a; U u = 0; memcpy(&u, (float *)&f, 4); return u; } \
        if (is(op, "f64")) { volatile double d = (double)a; U u = 0; memcpy(&u, (double *)&d, 8); return u; } \
        if (is(op, "int")) return to_##name((T)(__int128)ua); \
        if (is(op, "unsigned")) return to_##name((T)ua); \
        return 0; \
    }
/* The remainder in double precision of older libraries gets the sign of zeros wrong. */
FORMAT(f64, double, , (double)remainderl, 8)
FORMAT(x87, long double, l, remainderl, 10)
FORMAT(f128, _Float128, f128, remainderf128, 16)
int main(void) {
    char format[8], op[16];
    unsigned long w[6];
    while (scanf("%7s %15s %16lx%16lx %16lx%16lx %16lx%16lx", format, op, w, w + 1, w + 2, w + 3, w + 4, w + 5) == 8) {
        U a = (U)w[0] << 64 | w[1], b = (U)w[2] << 64 | w[3], c = (U)w[4] << 64 | w[5];
        U r = is(format, "f64") ? run_f64(op, a, b, c) : is(format, "x87") ? run_x87(op, a, b, c) : run_f128(op, a, b, c);
        printf("%016lx%016lx\n", (unsigned long)(r >> 64), (unsigned long)r);
    }
    return 0;
}
"#;

/// What is asked of the library.
struct Question {
    format: FloatFormat,
    name: &'static str,
    op: Op,
    sorts: Vec<Sort>,
    args: [u128; 3],
}

impl Question {
    /// The format of the result, whose NaNs the library writes in many ways.
    fn canonical(&self, result: u128) -> u128 {
        match self.op.result(&self.sorts, None) {
            Some(Sort::Float(format)) => canonical(format, result),
            _ => result,
        }
    }
}

/// The library's answers; `None` without a compiler that has all the formats.
fn answers(questions: &[Question]) -> Option<Vec<u128>> {
    if !cfg!(all(target_arch = "x86_64", target_os = "linux")) {
        return None;
    }
    let folder = tempfile::tempdir().ok()?;
    let (source, program) = (folder.path().join("floats.c"), folder.path().join("floats"));
    std::fs::write(&source, PROGRAM).ok()?;
    // No contraction: a product and a sum are two operations.
    let compiled = Command::new("cc").args(["-O1", "-ffp-contract=off", "-o"]).arg(&program).arg(&source).arg("-lm").output().ok()?;
    if !compiled.status.success() {
        eprintln!("{}", String::from_utf8_lossy(&compiled.stderr));
        return None;
    }
    let mut child = Command::new(&program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().ok()?;
    let mut input = child.stdin.take()?;
    let lines: String = questions
        .iter()
        .map(|Question { format, name, args: [a, b, c], .. }| format!("{} {name} {a:032x} {b:032x} {c:032x}\n", format.name()))
        .collect();
    let writer = std::thread::spawn(move || input.write_all(lines.as_bytes()));
    let output = child.wait_with_output().ok()?;
    writer.join().ok()?.ok()?;
    Some(String::from_utf8(output.stdout).ok()?.lines().filter_map(|line| u128::from_str_radix(line, 16).ok()).collect())
}

fn ask<const N: usize>(questions: &mut Vec<Question>, format: FloatFormat, name: &'static str, op: Op, count: usize) {
    try_numbers::<N>(format, count, |numbers| {
        let mut args = [0; 3];
        args[..N].copy_from_slice(&numbers);
        questions.push(Question { format, name, op, sorts: vec![Sort::Float(format); N], args });
    });
}

fn questions() -> Vec<Question> {
    let mut all = Vec::new();
    for (format, count) in [(X87, 10_000), (F128, 4_000)] {
        ask::<2>(&mut all, format, "add", Op::FloatAdd, count);
        ask::<2>(&mut all, format, "sub", Op::FloatSub, count);
        ask::<2>(&mut all, format, "mul", Op::FloatMul, count);
        ask::<2>(&mut all, format, "div", Op::FloatDiv, count);
        ask::<1>(&mut all, format, "sqrt", Op::FloatSqrt, count);
        ask::<3>(&mut all, format, "fma", Op::FloatFma, count);
        ask::<2>(&mut all, format, "eq", Op::FloatEq, count / 10);
        ask::<2>(&mut all, format, "lt", Op::FloatLt, count / 10);
        ask::<2>(&mut all, format, "le", Op::FloatLe, count / 10);
        for (name, rounding) in ["rint", "round", "trunc", "ceil", "floor"].into_iter().zip(ROUNDINGS) {
            ask::<1>(&mut all, format, name, Op::FloatRound(rounding), count / 10);
        }
        ask::<1>(&mut all, format, "f32", Op::FloatConvert(F32), count);
        ask::<1>(&mut all, format, "f64", Op::FloatConvert(F64), count);
        let mut random = super::numbers::Random::new(2);
        for (name, signed) in [("int", true), ("unsigned", false)] {
            for _ in 0..count {
                let args = [random.sparse(128), 0, 0];
                all.push(Question { format, name, op: Op::FloatFromInt { format, signed }, sorts: vec![Sort::Bits(128)], args });
            }
        }
    }
    for (format, count) in [(F64, 2_000), (X87, 500), (F128, 200)] {
        ask::<2>(&mut all, format, "mod", Op::FloatMod, count);
        ask::<2>(&mut all, format, "rem", Op::FloatRem, count);
    }
    all
}

#[test]
fn values_are_those_of_the_c_library() {
    let questions = questions();
    let Some(answers) = answers(&questions) else {
        eprintln!("SKIPPED: needs cc with long double and _Float128 on x86-64 Linux");
        return;
    };
    assert_eq!(answers.len(), questions.len());
    for (question, answer) in questions.iter().zip(answers) {
        let Question { name, op, sorts, args, .. } = question;
        let value = value(*op, sorts, &args[..sorts.len()]);
        assert_eq!(value, question.canonical(answer), "{name} {sorts:?} {args:x?}: not {value:x}");
    }
}

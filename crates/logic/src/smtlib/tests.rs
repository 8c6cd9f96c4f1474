//! Printing, reading, both together, and against another solver.

use expect_test::{Expect, expect};
use model::FloatFormat;

use super::{Status, parse, script};
use crate::sort::Sort;
use crate::term::{Term, Terms};

mod random;

fn printed(build: impl FnOnce(&mut Terms) -> (Vec<Term>, Vec<Term>), expected: Expect) {
    let mut terms = Terms::plain();
    let (assertions, assumptions) = build(&mut terms);
    assert_eq!(terms.error(), None);
    expected.assert_eq(&script(&mut terms, &assertions, &assumptions));
}

#[test]
fn bit_vectors_and_arrays() {
    printed(
        |terms| {
            let m = terms.variable("m", Sort::Array { index: 32, element: 8 });
            let x = terms.variable("main::x", Sort::Bits(32));
            let odd = terms.variable("a|b", Sort::Bits(5));
            let one = terms.number(32, 1);
            let next = terms.add(x, one);
            let byte = terms.extract(next, 7, 0);
            let stored = terms.store(m, next, byte);
            let element = terms.select(stored, x);
            let same = terms.equal(element, byte);
            let overflow = terms.smul_overflows(next, x);
            let unsigned = terms.umul_overflows(odd, odd);
            let wide = terms.zero_extend(odd, 8);
            let less = terms.slt(wide, byte);
            (vec![same, overflow], vec![unsigned, less])
        },
        expect![[r#"
            (set-logic QF_ABV)
            (declare-const |m| (Array (_ BitVec 32) (_ BitVec 8)))
            (declare-const |main::x| (_ BitVec 32))
            (declare-const variable.1 (_ BitVec 5))
            (define-fun term.2 () (_ BitVec 32) (bvadd |main::x| #x00000001))
            (define-fun term.3 () (_ BitVec 8) ((_ extract 7 0) term.2))
            (assert (= term.3 (select (store |m| term.2 term.3) |main::x|)))
            (assert (let ((p (bvmul ((_ sign_extend 32) |main::x|) ((_ sign_extend 32) term.2)))) (not (= p ((_ sign_extend 32) ((_ extract 31 0) p))))))
            (declare-const assumption.4 Bool)
            (assert (= assumption.4 (not (= ((_ extract 9 5) (bvmul ((_ zero_extend 5) variable.1) ((_ zero_extend 5) variable.1))) #b00000))))
            (declare-const assumption.5 Bool)
            (assert (= assumption.5 (bvslt ((_ zero_extend 3) variable.1) term.3)))
            (check-sat-assuming (assumption.4 assumption.5))
        "#]],
    );
}

#[test]
fn floats() {
    printed(
        |terms| {
            let x = terms.variable("x", Sort::Float(FloatFormat::F32));
            let y = terms.float(FloatFormat::F32, 0x3f80_0000);
            let sum = terms.float_add(x, y);
            let bits = terms.float_to_bits(sum);
            let int = terms.float_to_int(sum, true, 32);
            let same = terms.equal(bits, int);
            let fits = terms.float_fits_int(x, false, 8);
            let wide = terms.float_convert(x, FloatFormat::F64);
            let nan = terms.float_is_nan(wide);
            (vec![same, fits, nan], vec![])
        },
        expect![[r#"
            (set-logic ALL)
            (declare-const |x| (_ BitVec 32))
            (define-fun term.1 () (_ FloatingPoint 8 24) ((_ to_fp 8 24) |x|))
            (define-fun term.2 () (_ FloatingPoint 8 24) (fp.add RNE term.1 ((_ to_fp 8 24) #x3f800000)))
            (declare-const bits.3 (_ BitVec 32))
            (assert (let ((f term.2)) (and (= ((_ to_fp 8 24) bits.3) f) (=> (fp.isNaN f) (= bits.3 #x7fc00000)))))
            (assert (= bits.3 (let ((f term.2)) (ite (let ((r (fp.roundToIntegral RTZ f))) (and (not (fp.isInfinite f)) (fp.leq ((_ to_fp 8 24) #xcf000000) r) (fp.lt r ((_ to_fp 8 24) #x4f000000)))) ((_ fp.to_sbv 32) RTZ f) #x00000000))))
            (assert (let ((f term.1)) (let ((r (fp.roundToIntegral RTZ f))) (and (not (fp.isInfinite f)) (fp.leq ((_ to_fp 8 24) #x00000000) r) (fp.lt r ((_ to_fp 8 24) #x43800000))))))
            (assert (fp.isNaN ((_ to_fp 11 53) RNE term.1)))
            (check-sat)
        "#]],
    );
}

#[test]
fn ranges_of_arrays() {
    printed(
        |terms| {
            let [a, b] = ["a", "b"].map(|name| terms.variable(name, Sort::Array { index: 4, element: 8 }));
            let [i, j, n] = ["i", "j", "n"].map(|name| terms.variable(name, Sort::Bits(4)));
            let zero = terms.zero(8);
            let copied = terms.copy(a, i, b, j, n);
            let absent = terms.absent(copied, i, n, zero);
            let empty = terms.constant_array(4, zero);
            let same = terms.equal(copied, empty);
            let agree = terms.agree(copied, i, b, n, j, 3);
            (vec![absent, same, agree], vec![])
        },
        expect![[r#"
            (set-logic ALL)
            (declare-const |a| (Array (_ BitVec 4) (_ BitVec 8)))
            (declare-const |b| (Array (_ BitVec 4) (_ BitVec 8)))
            (declare-const |i| (_ BitVec 4))
            (declare-const |j| (_ BitVec 4))
            (declare-const |n| (_ BitVec 4))
            (declare-const copy.1 (Array (_ BitVec 4) (_ BitVec 8)))
            (assert (let ((a |a|) (at |i|) (b |b|) (from |j|) (count |n|)) (forall ((i (_ BitVec 4))) (= (select copy.1 i) (ite (bvult (bvsub i at) count) (select b (bvadd from (bvsub i at))) (select a i))))))
            (assert (let ((a copy.1) (from |i|) (end |n|) (low (bvadd #x00 #x01)) (high (bvsub #x00 #x01))) (forall ((i (_ BitVec 4))) (=> (and (bvule from i) (bvult i end)) (bvule (bvsub (select a i) low) (bvsub high low))))))
            (assert (= copy.1 ((as const (Array (_ BitVec 4) (_ BitVec 8))) #x00)))
            (assert (let ((a copy.1) (from |i|) (b |b|) (other |n|) (end |j|)) (forall ((i (_ BitVec 4))) (=> (and (bvule from i) (bvult i end) (= (bvurem ((_ zero_extend 60) (bvsub i from)) #x0000000000000003) #x0000000000000000)) (= (select a i) (select b (bvadd other (bvsub i from))))))))
            (check-sat)
        "#]],
    );
}

#[test]
fn names_are_not_taken_twice() {
    let mut terms = Terms::plain();
    let x = terms.variable("term.1", Sort::Bits(8));
    let sum = terms.add(x, x);
    let product = terms.mul(sum, sum);
    let zero = terms.zero(8);
    let same = terms.equal(product, zero);
    let text = script(&mut terms, &[same], &[]);
    assert!(text.contains("(define-fun term.2 () (_ BitVec 8) (bvadd |term.1| |term.1|))"), "{text}");
}

#[test]
fn what_has_no_form_asks_nothing() {
    let mut terms = Terms::plain();
    let wide = terms.variable("x", Sort::Bits(200));
    let float = terms.float_from_int(wide, false, FloatFormat::X87);
    let nan = terms.float_is_nan(float);
    let text = script(&mut terms, &[nan], &[]);
    assert!(!text.contains("check-sat"), "{text}");
}

/// What the only assertion of a script is in C-like notation, without rewriting.
fn assertion(declarations: &str, term: &str) -> String {
    let mut terms = Terms::plain();
    match parse(&mut terms, &format!("{declarations}(assert {term})(check-sat)")) {
        Ok(script) => script.assertions.iter().map(|&term| terms.display(term).to_string()).collect(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn operators_are_read() {
    let declarations = "(declare-const p Bool)(declare-fun q () Bool)(declare-fun f ((_ BitVec 8) Bool) (_ BitVec 8))
        (declare-const a (_ BitVec 8))(declare-const b (_ BitVec 8))(declare-const c (_ BitVec 8))
        (declare-const m (Array (_ BitVec 8) (_ BitVec 8)))(declare-const x Float32)(declare-const y (_ FloatingPoint 8 24))
        (define-fun twice ((v (_ BitVec 8))) (_ BitVec 8) (bvadd v v))(define-fun half ((v Float32)) Float32 (fp.div RNE v ((_ to_fp 8 24) RNE 2.0)))";
    let mut text = String::new();
    for term in [
        "(=> p q p)",
        "(= a b c)",
        "(distinct a b c)",
        "(xor p q true)",
        "(bvule a b)",
        "(bvsge a (bvnand b c))",
        "(= (bvcomp a b) #b1)",
        "(= (bvsub a b) (bvxnor a #x0f) ((_ rotate_left 3) a))",
        "(= ((_ repeat 2) a) (concat b c))",
        "(= ((_ sign_extend 8) a) (concat a #b0000 ((_ extract 7 4) b)))",
        "(= (bvsmod a b) (_ bv200 8))",
        "(let ((a b) (b a)) (let ((a a)) (bvult a b)))",
        "(= (select (store m a b) c) (f a p))",
        "(= m ((as const (Array (_ BitVec 8) (_ BitVec 8))) #x00))",
        "(= (twice (twice a)) b)",
        "(fp.lt x (half y))",
        "(fp.geq x (fp.add RNE x y) (_ -oo 8 24))",
        "(= (fp.roundToIntegral RTN x) (fp #b0 #x7f #b00000000000000000000000))",
        "(fp.isNormal x)",
        "(= ((_ fp.to_sbv 8) RTZ x) a)",
        "(! (and |p| q) :named both)",
    ] {
        text += &format!("{term}\n    {}\n", assertion(declarations, term));
    }
    expect![[r#"
        (=> p q p)
            p || !q || !p
        (= a b c)
            a == b && b == c
        (distinct a b c)
            true && a != b && a != c && b != c
        (xor p q true)
            true != (p != q)
        (bvule a b)
            a <= b
        (bvsge a (bvnand b c))
            ~(b & c) <=s a
        (= (bvcomp a b) #b1)
            1 == (a == b ? 1 : 0)
        (= (bvsub a b) (bvxnor a #x0f) ((_ rotate_left 3) a))
            a - b == ~(a ^ 15) && ~(a ^ 15) == {a[4:0], a[7:5]}
        (= ((_ repeat 2) a) (concat b c))
            {a, a} == {b, c}
        (= ((_ sign_extend 8) a) (concat a #b0000 ((_ extract 7 4) b)))
            (s16)a == {{a, 0}, b[7:4]}
        (= (bvsmod a b) (_ bv200 8))
            (a %s b <s 0 != b <s 0 && a %s b != 0 ? b + a %s b : a %s b) == 200
        (let ((a b) (b a)) (let ((a a)) (bvult a b)))
            b < a
        (= (select (store m a b) c) (f a p))
            m{a := b}[c] == f[{a, p ? 1 : 0}]
        (= m ((as const (Array (_ BitVec 8) (_ BitVec 8))) #x00))
            m == {.. := 0}
        (= (twice (twice a)) b)
            b == a + a + a + a
        (fp.lt x (half y))
            f32_from_bits(x) < f32_from_bits(bits(f32_from_bits(y))) / 2.0_f32
        (fp.geq x (fp.add RNE x y) (_ -oo 8 24))
            -inf_f32 <= f32_from_bits(x) + f32_from_bits(y) && f32_from_bits(x) + f32_from_bits(y) <= f32_from_bits(x)
        (= (fp.roundToIntegral RTN x) (fp #b0 #x7f #b00000000000000000000000))
            floor(f32_from_bits(x)) === f32_from_bits({{0, 127}, 0})
        (fp.isNormal x)
            !isinf(f32_from_bits(x)) && 1.17549435e-38_f32 <= fabs(f32_from_bits(x))
        (= ((_ fp.to_sbv 8) RTZ x) a)
            a == (fits_s8(trunc(f32_from_bits(x))) ? (s8)trunc(f32_from_bits(x)) : fp.to_sbv 8 TowardZero of f32 that do not fit[bits(f32_from_bits(x))])
        (! (and |p| q) :named both)
            p && q
    "#]].assert_eq(&text);
}

#[test]
fn errors_have_places() {
    let mut text = String::new();
    for script in [
        "(assert true",
        "(assert true))",
        "(declare-const x Int)",
        "(declare-const x (_ BitVec 0))",
        "(declare-const x (_ BitVec 8))\n(assert (= x\n  (bvadd x #b1)))",
        "(declare-const x (_ BitVec 8))\n(assert x)",
        "(assert (= y #b1))",
        "(assert (forall ((x Bool)) x))",
        "(assert (frob true))",
        "(assert)",
        "(push 1)",
        "(declare-const |é| Bool) (declare-const |é| Bool)",
        "(declare-const x Float32)\n(assert (fp.eq x (fp.add RTZ x x)))",
        "(define-fun f ((x Bool)) Bool x)\n(assert (f #b1))",
        "(define-fun f ((x Bool)) (_ BitVec 1) x)",
        "(assert (= ((_ extract 8 0) #x00) #x00))",
        "(assert (= ((_ zero_extend 4294967295) #x00) #x00))",
        "(assert (= ((_ repeat 4000000000) #x00) #x00))",
        "(assert (= #b2 #b1))",
        "(assert (let ((x)) true))",
        "(assert ())",
        "(assert (= RNE RNE))",
        "(check-sat)(check-sat)",
        "(set-info :source |never closed)",
        "(declare-fun f ((Array (_ BitVec 8) (_ BitVec 8))) Bool)",
        "(assert (= ((_ fp.to_ubv 0) RTZ (_ NaN 8 24)) #b1))",
        "(declare-const x (_ FloatingPoint 15 64))",
    ] {
        match parse(&mut Terms::new(), script) {
            Ok(script) => text += &format!("{script:?}\n"),
            Err(error) => text += &format!("{error}\n"),
        }
    }
    expect![[r#"
        1:1: this parenthesis is never closed
        1:14: nothing to close here
        1:18: this sort is not supported
        1:28: a bit-vector has at least one bit
        3:3: this operator does not take (bits8, bits1)
        2:9: this is bits8, not bool
        1:12: `y` is not declared
        1:9: the quantifier `forall` is not supported
        1:9: the operator `frob` is not supported, or not with these arguments
        1:1: this command does not have the right number of arguments
        1:2: the command `push` is not supported
        1:41: `é` has a meaning already
        2:18: only the rounding mode RNE is supported here
        2:9: the parameters are (bool), the arguments are (bits1)
        1:39: this is bool, not bits1
        1:12: there are no bits from 8 down to 0 in 8 bits
        1:12: the result is too wide
        1:12: the result is too wide
        1:12: `#b2` begins no expression
        1:15: a binding is a name and a term
        1:9: a term is expected
        1:9: a rounding mode cannot stand here
        1:12: only one question for each script is supported
        1:19: this quoted symbol has no end
        1:14: functions of or to arrays or very wide bit-vectors are not supported
        1:12: this operator does not take (f32)
        1:18: this float format is not supported
    "#]]
    .assert_eq(&text);
}

#[test]
fn the_question_is_read() {
    let mut terms = Terms::new();
    let text = "; a comment\n(set-logic QF_BV)(set-info :status unsat)(set-info :source \"a \"\"quoted\"\" one\")
        (declare-const p Bool)(assert (not p))(check-sat-assuming (p))(exit)(nonsense)";
    let script = parse(&mut terms, text).unwrap();
    let p = terms.variable("p", Sort::Bool);
    let not = terms.not(p);
    assert_eq!((script.assertions, script.assumptions, script.status), (vec![not], vec![p], Some(Status::Unsat)));
}

#[test]
fn deep_scripts_take_no_stack() {
    let depth = 100_000;
    let mut terms = Terms::plain();
    let text = format!("(declare-const p Bool)(assert {}p{})", "(not ".repeat(depth), ")".repeat(depth));
    let read = parse(&mut terms, &text).unwrap();
    let written = script(&mut terms, &read.assertions, &[]);
    assert_eq!(parse(&mut terms, &written).unwrap().assertions, read.assertions);
}

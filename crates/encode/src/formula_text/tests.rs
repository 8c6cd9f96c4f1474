use expect_test::{Expect, expect};
use model::{Body, ExprId, PlaceId, Program, Terminator};

use super::{Style, c::Printer, formula_text};
use crate::formula::{Aspect, Elements, Formula, Linear, Moment, Quantity, Relation, Source};

const PROGRAM: &str = r#"
struct pair { int first; char tag[4]; };
int total;
int f(char *src, char *dst, unsigned n, struct pair *pairs, int *numbers, char *p) {
    char buf[16];
    static long calls;
    int i = 0, j = 0, k = 0;
    calls++;
    while (src[i] != 0 && i < 16) { dst[i] = src[i]; buf[i] = 'x'; numbers[i] = 3; pairs[i].first = 1; i++; *p = 0; }
    if (!(i + 1 < j) || *src == '-') return 1;
    if (pairs->tag[2] == "ab"[i] && (unsigned long)k < n * 2 && (k & 3) == 1) return (short)k;
    if (numbers != 0 && src > dst + 3 && -j * (k - 1) > (i - j) - k) return total / 2;
    return j;
}
"#;

fn program() -> Program {
    let translation = frontend::translate("test.c", PROGRAM.as_bytes(), &frontend::Options::default());
    translation.program.unwrap_or_else(|| panic!("{:?}", translation.diagnostics.list()))
}

fn body(program: &Program) -> &Body {
    program.functions.iter().find_map(|function| function.body.as_ref()).expect("a body")
}

/// What stands for the variables of the program.
struct Names<'a>(&'a Program, &'a Body);

impl Names<'_> {
    fn local(&self, name: &str) -> Source {
        Source::Local(self.1.locals.enumerate().find(|(_, local)| local.name == name).expect(name).0)
    }
    fn value(&self, name: &str) -> Linear {
        Linear::of(Quantity::value(self.local(name)))
    }
    fn entry(&self, name: &str) -> Linear {
        Linear::of(Quantity::value(self.local(name)).before())
    }
    fn number(&self, name: &str, aspect: Aspect, moment: Moment) -> Linear {
        Linear::of(Quantity::Of(self.local(name), aspect, moment))
    }
    fn place(&self, text: &str) -> PlaceId {
        let is_it = |id: &PlaceId| Printer::new(self.0, self.1, Style::Source).place(*id).is_some_and(|place| place.text == text);
        self.1.places.ids().find(is_it).expect(text)
    }
    fn elements(&self, text: &str) -> Elements {
        Elements { place: Some(self.place(text)), pointer: None, base: Moment::Now, content: Moment::Now }
    }
    fn conditions(&self) -> Vec<ExprId> {
        let condition = |terminator: &Terminator| match terminator {
            Terminator::Branch(condition, ..) => Some(*condition),
            _ => None,
        };
        self.1.blocks.iter().filter_map(|block| condition(&block.terminator)).collect()
    }
}

fn check(formulas: impl FnOnce(&Names<'_>) -> Vec<Formula>, expected: Expect) {
    let program = program();
    let names = Names(&program, body(&program));
    let mut out = String::new();
    for formula in formulas(&names) {
        for style in [Style::Source, Style::Acsl, Style::Cprover] {
            let text = formula_text(names.0, names.1, &formula, style);
            let indent = if style == Style::Source { "" } else { "    " };
            out.push_str(&format!("{indent}{}\n", text.as_deref().unwrap_or("-")));
        }
    }
    expected.assert_eq(&out);
}

#[test]
fn sums_have_no_negative_parts() {
    check(
        |names| {
            let (i, j, n) = (names.value("i"), names.value("j"), names.value("n"));
            let zero = Linear::default();
            vec![
                Formula::at_most(&zero, &i),
                Formula::at_most(&Linear::constant(-3), &i),
                Formula::at_most(&i, &j),
                Formula::below(&i, &j),
                Formula::at_most(&i, &n),
                Formula::at_most(&i.clone().shifted(2), &j),
                Formula::at_most(&i, &Linear::constant(-1)),
                Formula::equal(&i, &names.entry("i").plus(2, &Linear::of(Quantity::Iterations))),
                Formula::equal(&names.entry("i").plus(-3, &n).plus(1, &i), &Linear::constant(7)),
                Formula::Compare(i.clone().minus(&j), Relation::AtMost).negation(),
                Formula::equal(&i, &j).negation(),
                Formula::Modular(i.clone().minus(&j).shifted(-1), 32),
                Formula::Multiple(i.clone().minus(&names.entry("i")), 4),
                Formula::at_most(
                    &names.number("src", Aspect::Offset, Moment::Now),
                    &names.number("src", Aspect::Size, Moment::Now).shifted(-4),
                ),
                Formula::equal(
                    &names.number("p", Aspect::Offset, Moment::Now).minus(&names.number("p", Aspect::Offset, Moment::Entry)),
                    &i,
                ),
            ]
        },
        expect![[r#"
            0 <= i
                0 <= i
                0 <= i
            -3 <= i
                -3 <= i
                -3 <= i
            i <= j
                i <= j
                i <= j
            i < j
                i < j
                i < j
            i <= n
                i <= n
                (__int128)i <= (__int128)n
            i + 2 <= j
                i + 2 <= j
                (__int128)i + 2 <= (__int128)j
            i <= -1
                i <= -1
                i <= -1
            i == entry(i) + 2*iterations
                -
                -
            i + entry(i) == 3*n + 7
                i + \at(i, LoopEntry) == 3*n + 7
                (__int128)i + __CPROVER_loop_entry(i) == 3*(__int128)n + 7
            j < i
                j < i
                j < i
            i != j
                i != j
                i != j
            i == j + 1 (mod 2^32)
                (i - j - 1) % 4294967296 == 0
                (unsigned int)(__int128)i == (unsigned int)((__int128)j + 1)
            (i - entry(i)) % 4 == 0
                (i - \at(i, LoopEntry)) % 4 == 0
                ((__int128)i - (__int128)__CPROVER_loop_entry(i)) % 4 == 0
            offset(src) + 4 <= size(src)
                \offset(src) + 4 <= \block_length(src)
                (__int128)(long long)__CPROVER_POINTER_OFFSET(src) + 4 <= (__int128)__CPROVER_OBJECT_SIZE(src)
            offset(p) == offset(entry(p)) + i
                \offset(p) == \offset(\at(p, LoopEntry)) + i
                (__int128)(long long)__CPROVER_POINTER_OFFSET(p) == (__int128)(long long)__CPROVER_POINTER_OFFSET(__CPROVER_loop_entry(p)) + i
        "#]],
    );
}

#[test]
fn pointers() {
    check(
        |names| {
            let (src, dst) = (names.local("src"), names.local("dst"));
            vec![
                Formula::Null(src),
                Formula::Null(src).negation(),
                Formula::Alive(src),
                Formula::SameObject((src, Moment::Now), (src, Moment::Entry)),
                Formula::SamePointer((src, Moment::Now), (dst, Moment::Now)),
                Formula::implies(Formula::Null(src), Formula::Alive(dst)),
                Formula::Any(vec![Formula::Null(src), Formula::All(vec![Formula::Alive(src), Formula::Alive(dst).negation()])]),
                Formula::All(Vec::new()),
            ]
        },
        expect![[r#"
            src == NULL
                src == \null
                src == (void *)0
            src != NULL
                src != \null
                src != (void *)0
            valid(src)
                \valid_read((char *)\base_addr(src))
                __CPROVER_LIVE_OBJECT(src)
            same_object(src, entry(src))
                \base_addr(src) == \base_addr(\at(src, LoopEntry))
                __CPROVER_same_object(src, __CPROVER_loop_entry(src))
            src == dst
                src == dst
                src == dst
            src == NULL => valid(dst)
                src == \null ==> \valid_read((char *)\base_addr(dst))
                src != (void *)0 || __CPROVER_LIVE_OBJECT(dst)
            src == NULL || valid(src) && !valid(dst)
                src == \null || \valid_read((char *)\base_addr(src)) && !\valid_read((char *)\base_addr(dst))
                src == (void *)0 || __CPROVER_LIVE_OBJECT(src) && !__CPROVER_LIVE_OBJECT(dst)
            true
                \true
                1
        "#]],
    );
}

#[test]
fn elements() {
    check(
        |names| {
            let (i, n, zero) = (names.value("i"), names.value("n"), Linear::default());
            let range = |elements: Elements, first: &Linear, count: &Linear, low, high| Formula::Range {
                elements,
                first: first.clone(),
                count: count.clone(),
                low,
                high,
            };
            let src = names.elements("src[i]");
            let was = Elements { base: Moment::Entry, content: Moment::Entry, ..src };
            let moved = Elements { base: Moment::Entry, ..names.elements("*p") };
            let copy = Elements { pointer: Some(names.local("p")), base: Moment::Entry, ..src };
            let passed = Elements { place: None, base: Moment::Now, ..copy };
            let walked = names.number("p", Aspect::Offset, Moment::Now).minus(&names.number("p", Aspect::Offset, Moment::Entry));
            let back = Linear::default().minus(&walked);
            vec![
                range(src, &zero, &i, 1, 255),
                range(src, &zero, &i, b'0'.into(), b'9'.into()),
                range(src, &zero, &i, b'y'.into(), b'w'.into()),
                range(src, &zero, &i, 0x80, 0x7f),
                range(names.elements("buf[i]"), &i, &n.clone().minus(&i), b'x'.into(), b'x'.into()),
                range(names.elements("numbers[i]"), &zero, &i, 0, i32::MAX as u128),
                range(names.elements("numbers[i]"), &zero, &i, u128::from(u32::MAX - 4), 5),
                range(names.elements("pairs[i].first"), &zero, &i, 1, 1),
                range(names.elements("*p"), &back, &walked, 1, 255),
                range(moved, &zero, &walked, 1, 255),
                range(copy, &zero, &walked, 1, 255),
                range(Elements { pointer: Some(names.local("p")), ..names.elements("numbers[i]") }, &zero, &i, 1, 1),
                Formula::Terminated(copy),
                Formula::Terminated(passed),
                Formula::Terminated(src),
                Formula::Terminated(was),
                Formula::Terminated(moved),
                Formula::Terminated(names.elements("numbers[i]")),
                Formula::Agree {
                    elements: names.elements("dst[i]"),
                    first: zero.clone(),
                    others: src,
                    other_first: zero.clone(),
                    count: i.clone(),
                },
                Formula::Agree { elements: src, first: i.clone(), others: was, other_first: i.clone(), count: n.clone().minus(&i) },
                Formula::Agree {
                    elements: names.elements("dst[i]"),
                    first: zero.clone(),
                    others: src,
                    other_first: i.clone(),
                    count: n.clone(),
                },
            ]
        },
        expect![[r#"
            src[0..i) != 0
                (\forall integer k_; 0 <= k_ < i ==> src[k_] != 0)
                __CPROVER_forall { long long k_; (0 <= k_ && k_ < i) ==> (src[k_] != 0) }
            '0' <= src[0..i) <= '9'
                (\forall integer k_; 0 <= k_ < i ==> '0' <= src[k_] <= '9')
                __CPROVER_forall { long long k_; (0 <= k_ && k_ < i) ==> ('0' <= src[k_] && src[k_] <= '9') }
            src[0..i) != 'x'
                (\forall integer k_; 0 <= k_ < i ==> src[k_] != 'x')
                __CPROVER_forall { long long k_; (0 <= k_ && k_ < i) ==> (src[k_] != 'x') }
            src[0..i) <= 127
                (\forall integer k_; 0 <= k_ < i ==> src[k_] <= 127)
                __CPROVER_forall { long long k_; (0 <= k_ && k_ < i) ==> (src[k_] <= 127) }
            buf[i..n) == 'x'
                (\forall integer k_; i <= k_ < n ==> buf[k_] == 'x')
                __CPROVER_forall { long long k_; (i <= k_ && k_ < n) ==> (buf[k_] == 'x') }
            numbers[0..i) >= 0
                (\forall integer k_; 0 <= k_ < i ==> numbers[k_] >= 0)
                __CPROVER_forall { long long k_; (0 <= k_ && k_ < i) ==> (numbers[k_] >= 0) }
            -5 <= numbers[0..i) <= 5
                (\forall integer k_; 0 <= k_ < i ==> -5 <= numbers[k_] <= 5)
                __CPROVER_forall { long long k_; (0 <= k_ && k_ < i) ==> (-5 <= numbers[k_] && numbers[k_] <= 5) }
            pairs[0..i).first == 1
                (\forall integer k_; 0 <= k_ < i ==> pairs[k_].first == 1)
                __CPROVER_forall { long long k_; (0 <= k_ && k_ < i) ==> (pairs[k_].first == 1) }
            [entry(p)..p) != 0
                (\forall integer k_; \offset(\at(p, LoopEntry)) - \offset(p) <= k_ < 0 ==> p[k_] != 0)
                __CPROVER_forall { long long k_; ((__int128)(long long)__CPROVER_POINTER_OFFSET(__CPROVER_loop_entry(p)) - (__int128)(long long)__CPROVER_POINTER_OFFSET(p) <= k_ && k_ < 0) ==> (p[k_] != 0) }
            [entry(p)..p) != 0
                (\forall integer k_; 0 <= k_ < \offset(p) - \offset(\at(p, LoopEntry)) ==> \at(p, LoopEntry)[k_] != 0)
                __CPROVER_forall { long long k_; (0 <= k_ && k_ < (__int128)(long long)__CPROVER_POINTER_OFFSET(p) - (__int128)(long long)__CPROVER_POINTER_OFFSET(__CPROVER_loop_entry(p))) ==> (__CPROVER_loop_entry(p)[k_] != 0) }
            [entry(p)..p) != 0
                (\forall integer k_; 0 <= k_ < \offset(p) - \offset(\at(p, LoopEntry)) ==> \at(p, LoopEntry)[k_] != 0)
                __CPROVER_forall { long long k_; (0 <= k_ && k_ < (__int128)(long long)__CPROVER_POINTER_OFFSET(p) - (__int128)(long long)__CPROVER_POINTER_OFFSET(__CPROVER_loop_entry(p))) ==> (__CPROVER_loop_entry(p)[k_] != 0) }
            ((int *)p)[0..i) == 1
                (\forall integer k_; 0 <= k_ < i ==> ((int *)p)[k_] == 1)
                __CPROVER_forall { long long k_; (0 <= k_ && k_ < i) ==> (((int *)p)[k_] == 1) }
            zero_terminated(entry(p))
                (\exists integer k_; 0 <= k_ && k_ < \block_length(\at(p, LoopEntry)) - \offset(\at(p, LoopEntry)) && \at(p, LoopEntry)[k_] == 0)
                __CPROVER_exists { long long k_; 0 <= k_ && k_ < (long long)__CPROVER_OBJECT_SIZE(__CPROVER_loop_entry(p)) - (long long)__CPROVER_POINTER_OFFSET(__CPROVER_loop_entry(p)) && __CPROVER_loop_entry(p)[k_] == 0 }
            zero_terminated(p)
                (\exists integer k_; 0 <= k_ && k_ < \block_length(p) - \offset(p) && p[k_] == 0)
                __CPROVER_exists { long long k_; 0 <= k_ && k_ < (long long)__CPROVER_OBJECT_SIZE(p) - (long long)__CPROVER_POINTER_OFFSET(p) && p[k_] == 0 }
            zero_terminated(src)
                (\exists integer k_; 0 <= k_ && k_ < \block_length(src) - \offset(src) && src[k_] == 0)
                __CPROVER_exists { long long k_; 0 <= k_ && k_ < (long long)__CPROVER_OBJECT_SIZE(src) - (long long)__CPROVER_POINTER_OFFSET(src) && src[k_] == 0 }
            entry(zero_terminated(src))
                (\exists integer k_; 0 <= k_ && k_ < \block_length(\at(src, LoopEntry)) - \offset(\at(src, LoopEntry)) && \at(src[k_], LoopEntry) == 0)
                -
            zero_terminated(entry(p))
                (\exists integer k_; 0 <= k_ && k_ < \block_length(\at(p, LoopEntry)) - \offset(\at(p, LoopEntry)) && \at(p, LoopEntry)[k_] == 0)
                __CPROVER_exists { long long k_; 0 <= k_ && k_ < (long long)__CPROVER_OBJECT_SIZE(__CPROVER_loop_entry(p)) - (long long)__CPROVER_POINTER_OFFSET(__CPROVER_loop_entry(p)) && __CPROVER_loop_entry(p)[k_] == 0 }
            zero_terminated(numbers)
                (\exists integer k_; 0 <= k_ && 4*k_ < \block_length(numbers) - \offset(numbers) && numbers[k_] == 0)
                __CPROVER_exists { long long k_; 0 <= k_ && 4*k_ < (long long)__CPROVER_OBJECT_SIZE(numbers) - (long long)__CPROVER_POINTER_OFFSET(numbers) && numbers[k_] == 0 }
            dst[0..i) == src[0..i)
                (\forall integer k_; 0 <= k_ < i ==> dst[k_] == src[k_])
                __CPROVER_forall { long long k_; (0 <= k_ && k_ < i) ==> (dst[k_] == src[k_]) }
            src[i..n) == entry(src[i..n))
                (\forall integer k_; i <= k_ < n ==> src[k_] == \at(src[k_], LoopEntry))
                -
            dst[0..n) == src[i..n + i)
                (\forall integer k_; 0 <= k_ < n ==> dst[k_] == src[k_ + i])
                __CPROVER_forall { long long k_; (0 <= k_ && k_ < n) ==> (dst[k_] == src[k_ + i]) }
        "#]],
    );
}

#[test]
fn expressions_of_the_program() {
    check(
        |names| {
            let conditions = names.conditions();
            let mut formulas: Vec<Formula> = conditions.iter().map(|condition| Formula::Holds(*condition)).collect();
            formulas.extend(conditions.iter().take(2).map(|condition| Formula::Holds(*condition).negation()));
            formulas
        },
        expect![[r#"
            src[i] != 0
                src[i] != 0
                src[i] != 0
            i < 16
                i < 16
                i < 16
            i + 1 < j
                (int)(i + 1) < j
                i + 1 < j
            *src == '-'
                *src == '-'
                *src == '-'
            pairs->tag[2] == "ab"[i]
                pairs->tag[2] == "ab"[i]
                pairs->tag[2] == "ab"[i]
            (unsigned long long)k < n * 2
                (unsigned long long)k < (unsigned int)(n * 2)
                (unsigned long long)k < (unsigned long long)(n * 2u)
            (k & 3) == 1
                (k & 3) == 1
                (k & 3) == 1
            numbers != NULL
                numbers != \null
                numbers != (void *)0
            src > dst + 3
                src > dst + 3
                src > dst + 3
            -j * (k - 1) > i - j - k
                (int)((int)-j * (int)(k - 1)) > (int)((int)(i - j) - k)
                -j * (k - 1) > i - j - k
            src[i] == 0
                src[i] == 0
                src[i] == 0
            i >= 16
                i >= 16
                i >= 16
        "#]],
    );
}

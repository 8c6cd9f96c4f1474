//! The two worked examples of *Loop Leaping with Closures* §2, step by step: images, closure, application, exit formula.

use closures::{Closure, Cube, Limits, Monotone, Universe, cubes, groups};
use encode::{Step, Tested};
use expect_test::expect;
use logic::{Sort, Term, Terms};

/// Triples `a < b`, `a = b`, `a > b`: their names, and their meaning where the variables have these values.
struct Sigma {
    pairs: Vec<(&'static str, &'static str)>,
}

impl Sigma {
    fn names(&self) -> Vec<String> {
        self.pairs.iter().flat_map(|(a, b)| ["<", "=", ">"].map(|relation| format!("{a} {relation} {b}"))).collect()
    }
    fn at(&self, terms: &mut Terms, state: &[(&str, Term)]) -> Vec<Term> {
        let zero = terms.zero(32);
        let value = |name: &str| state.iter().find(|(variable, _)| *variable == name).map_or(zero, |(_, term)| *term);
        let mut found = Vec::new();
        for (a, b) in &self.pairs {
            let (a, b) = (value(a), value(b));
            found.extend([terms.slt(a, b), terms.equal(a, b), terms.slt(b, a)]);
        }
        found
    }
}

/// A state: variables and their values.
type State<'a> = &'a [(&'a str, Term)];

fn closure(terms: &mut Terms, sigma: &Sigma, [entry, head, again]: [State<'_>; 3], guard: Term, facts: &[Term]) -> Closure {
    let (at_entry, at_head, at_again) = (sigma.at(terms, entry), sigma.at(terms, head), sigma.at(terms, again));
    let mut candidates = Vec::new();
    for ((&entry, &head), &again) in at_entry.iter().zip(&at_head).zip(&at_again) {
        candidates.push(Tested { literal: head, entry, head, again, elements: false });
    }
    let truth = terms.bool(true);
    let step = Step {
        candidates: &candidates,
        entered: truth,
        entered_valid: truth,
        head_valid: truth,
        again: guard,
        again_valid: truth,
        facts,
        outer: &[],
        bold: &[],
        leant_on: false,
    };
    Closure::new(terms, &step, &groups(&[]), &Limits::default()).expect("the loop changes something")
}

fn text(universe: &Universe, names: &[String], formula: &Monotone) -> String {
    let cube = |cube: Cube| cube.iter().map(|number| names[number].as_str()).collect::<Vec<_>>().join(" ∧ ");
    let cubes: Vec<String> = cubes(universe, formula).into_iter().map(cube).collect();
    match cubes.as_slice() {
        [] => "false".into(),
        [one] if one.is_empty() => "true".into(),
        _ => cubes.join(" ∨ "),
    }
}

/// Everything in the order of the paper: `input` is the formula with which the loop is entered, a conjunction of predicates; `exit` the negation of the
/// loop's condition, a disjunction of predicates.
fn story(sigma: &Sigma, closure: &Closure, input: &[&str], exit: &[&str]) -> String {
    let names = sigma.names();
    let names: Vec<String> = closure.predicates.iter().map(|&place| names[place].clone()).collect();
    let numbers = |wanted: &[&str]| (0..names.len()).filter(|&number| wanted.contains(&names[number].as_str())).collect::<Cube>();
    let show = |formula: &Monotone| text(&closure.universe, &names, formula);
    let mut story = format!("{} valuations\n", closure.universe.len());
    for (symbol, operator) in [("f", &closure.images), ("↑f", &closure.closed)] {
        for (number, name) in names.iter().enumerate() {
            story += &format!("{symbol}({name}) = {}\n", operator.image(number).map(show).unwrap_or_default());
        }
    }
    let entered = closure.universe.conjunction(numbers(input));
    let applied = closure.closed.apply(&closure.universe, &entered);
    let left = applied.meet(&closure.universe.disjunction(numbers(exit)));
    story + &format!("↑f({}) = {}\nexit: {}\n", show(&entered), show(&applied), show(&left))
}

/// Figure 1: `assume i = 0; assume n > 0; while i < n do if nondet then i := i + 1`.
#[test]
fn a_single_loop() {
    let mut terms = Terms::new();
    let terms = &mut terms;
    let [first, i, n] = ["first", "i", "n"].map(|name| terms.variable(name, Sort::Bits(32)));
    let (b, one) = (terms.variable("b", Sort::Bool), terms.one(32));
    let more = terms.add(i, one);
    let next = terms.ite(b, more, i);
    let guard = terms.slt(i, n);
    let sigma = Sigma { pairs: vec![("i", "0"), ("i", "n")] };
    let states: [State<'_>; 3] = [&[("i", first), ("n", n)], &[("i", i), ("n", n)], &[("i", next), ("n", n)]];
    let closure = closure(terms, &sigma, states, guard, &[]);
    expect![[r#"
        9 valuations
        f(i < 0) = i < 0 ∨ i = 0 ∧ i < n ∨ i = 0 ∧ i = n
        f(i = 0) = i = 0 ∨ i > 0 ∧ i < n ∨ i > 0 ∧ i = n
        f(i > 0) = i > 0
        f(i < n) = i < n ∨ i = n
        f(i = n) = i = n
        f(i > n) = i > n
        ↑f(i < 0) = i < 0 ∨ i < n ∨ i = n
        ↑f(i = 0) = i = 0 ∨ i > 0 ∧ i < n ∨ i > 0 ∧ i = n
        ↑f(i > 0) = i > 0
        ↑f(i < n) = i < n ∨ i = n
        ↑f(i = n) = i = n
        ↑f(i > n) = i > n
        ↑f(i = 0 ∧ i < n) = i > 0 ∧ i < n ∨ i = 0 ∧ i < n ∨ i > 0 ∧ i = n ∨ i = 0 ∧ i = n
        exit: i > 0 ∧ i = n ∨ i = 0 ∧ i = n
    "#]]
    .assert_eq(&story(&sigma, &closure, &["i = 0", "i < n"], &["i = n", "i > n"]));
}

/// Figure 2: `assume y = 0, t = 0, m >= 0; while y < m do { y := y + 1; t := 0; while t < y do t := t + 1 }`. The inner closure becomes conditional
/// assumptions in the outer body.
#[test]
fn a_nested_loop() {
    let mut terms = Terms::new();
    let terms = &mut terms;
    let [first, t, y] = ["first", "t", "y"].map(|name| terms.variable(name, Sort::Bits(32)));
    let (one, zero) = (terms.one(32), terms.zero(32));
    let inner_sigma = Sigma { pairs: vec![("y", "0"), ("t", "0"), ("t", "y")] };
    let (next, guard) = (terms.add(t, one), terms.slt(t, y));
    let states: [State<'_>; 3] = [&[("t", first), ("y", y)], &[("t", t), ("y", y)], &[("t", next), ("y", y)]];
    let inner = closure(terms, &inner_sigma, states, guard, &[]);
    expect![[r#"
        9 valuations
        f(t < 0) = t < 0 ∨ t = 0 ∧ t < y ∨ t = 0 ∧ t = y
        f(t = 0) = t = 0 ∨ t > 0 ∧ t < y ∨ t > 0 ∧ t = y
        f(t > 0) = t > 0
        f(t < y) = t < y ∨ t = y
        f(t = y) = t = y
        f(t > y) = t > y
        ↑f(t < 0) = t < 0 ∨ t < y ∨ t = y
        ↑f(t = 0) = t = 0 ∨ t > 0 ∧ t < y ∨ t > 0 ∧ t = y
        ↑f(t > 0) = t > 0
        ↑f(t < y) = t < y ∨ t = y
        ↑f(t = y) = t = y
        ↑f(t > y) = t > y
        ↑f(t = 0 ∧ t < y) = t > 0 ∧ t < y ∨ t = 0 ∧ t < y ∨ t > 0 ∧ t = y ∨ t = 0 ∧ t = y
        exit: t > 0 ∧ t = y ∨ t = 0 ∧ t = y
    "#]]
    .assert_eq(&story(&inner_sigma, &inner, &["t = 0", "t < y"], &["t = y", "t > y"]));

    let [start_y, start_t, y, t, m, behind] =
        ["start y", "start t", "outer y", "outer t", "m", "behind"].map(|name| terms.variable(name, Sort::Bits(32)));
    let next = terms.add(y, one);
    let (before, after) = (inner_sigma.at(terms, &[("t", zero), ("y", next)]), inner_sigma.at(terms, &[("t", behind), ("y", next)]));
    let mut facts = Vec::new();
    for (number, &place) in inner.predicates.iter().enumerate() {
        let Some(image) = inner.closed.image(number) else { continue };
        for clause in closures::clauses(&inner.universe, image) {
            let one = terms.any(clause.iter().map(|number| after[inner.predicates[number]]).collect::<Vec<_>>());
            facts.push(terms.implies(before[place], one));
        }
    }
    let sigma = Sigma { pairs: vec![("y", "0"), ("t", "0"), ("t", "y"), ("t", "m"), ("y", "m")] };
    let (guard, stays) = (terms.slt(y, m), terms.slt(behind, next));
    let leaves = terms.not(stays);
    let again = terms.and(guard, leaves);
    let states: [State<'_>; 3] =
        [&[("y", start_y), ("t", start_t), ("m", m)], &[("y", y), ("t", t), ("m", m)], &[("y", next), ("t", behind), ("m", m)]];
    let outer = closure(terms, &sigma, states, again, &facts);
    expect![[r#"
        59 valuations
        f(y < 0) = y < 0 ∨ t = 0 ∧ t = y ∧ y < m ∨ t = 0 ∧ t = m ∧ y = m
        f(y = 0) = y = 0 ∨ t > 0 ∧ t = y ∧ y < m ∨ t > 0 ∧ t = m ∧ y = m
        f(y > 0) = y > 0
        f(t < 0) = t < 0 ∨ t = y ∧ t < m ∨ t = y ∧ t = m ∨ t = 0 ∧ t > y ∧ y < m ∨ t = 0 ∧ t > m ∧ y = m
        f(t = 0) = t = 0 ∨ t > 0 ∧ t = y ∧ y < m ∨ t > 0 ∧ t = m ∧ y = m
        f(t > 0) = t > 0 ∨ t = 0 ∧ t = y ∧ y < m ∨ t = 0 ∧ t > y ∧ y < m ∨ t = 0 ∧ t = m ∧ y = m ∨ t = 0 ∧ t > m ∧ y = m
        f(t < y) = t < y ∨ t = 0 ∧ y < m ∨ t = 0 ∧ y = m ∨ t > 0 ∧ t = y ∧ y < m ∨ t > 0 ∧ t = m ∧ y = m
        f(t = y) = t = y ∨ t = 0 ∧ t > y ∧ y < m ∨ t = 0 ∧ t > m ∧ y = m
        f(t > y) = t > y ∨ t = 0 ∧ t = y ∧ y < m ∨ t > 0 ∧ t = y ∧ y < m ∨ t = 0 ∧ t = m ∧ y = m ∨ t > 0 ∧ t = m ∧ y = m
        f(t < m) = t < m ∨ t = 0 ∧ y < m ∨ t = 0 ∧ y = m ∨ t > 0 ∧ t = m ∧ y = m
        f(t = m) = t = m ∨ t = 0 ∧ t = y ∧ y < m ∨ t > 0 ∧ t = y ∧ y < m ∨ t = 0 ∧ t > y ∧ y < m ∨ t = 0 ∧ t > m ∧ y = m
        f(t > m) = t > m ∨ t > 0 ∧ t = y ∨ y = 0 ∧ t = 0 ∨ y < 0 ∧ t = 0
        f(y < m) = y < m ∨ t = 0 ∧ t = m ∧ y = m ∨ t > 0 ∧ t = m ∧ y = m ∨ t = 0 ∧ t > m ∧ y = m
        f(y = m) = y = m
        f(y > m) = y > m
        ↑f(y < 0) = y < 0 ∨ t = y ∧ t < m ∨ t = y ∧ t = m
        ↑f(y = 0) = y = 0 ∨ t > 0 ∧ t = y ∧ y < m ∨ t > 0 ∧ t = m ∧ y = m
        ↑f(y > 0) = y > 0
        ↑f(t < 0) = t < 0 ∨ t = y ∧ t < m ∨ t = y ∧ t = m ∨ t = 0 ∧ t > y ∧ y < m ∨ t = 0 ∧ t > m ∧ y = m
        ↑f(t = 0) = t = 0 ∨ t > 0 ∧ t = y ∧ y < m ∨ t > 0 ∧ t = m ∧ y = m
        ↑f(t > 0) = t > 0 ∨ t = 0 ∧ t = y ∧ y < m ∨ t = 0 ∧ t > y ∧ y < m ∨ t = 0 ∧ t = m ∧ y = m ∨ t = 0 ∧ t > m ∧ y = m
        ↑f(t < y) = t < y ∨ t = 0 ∧ y < m ∨ t = 0 ∧ y = m ∨ t > 0 ∧ t = y ∧ y < m ∨ t > 0 ∧ t = m ∧ y = m
        ↑f(t = y) = t = y ∨ t = 0 ∧ t > y ∧ y < m ∨ t = 0 ∧ t > m ∧ y = m
        ↑f(t > y) = t > y ∨ t = 0 ∧ t = y ∧ y < m ∨ t > 0 ∧ t = y ∧ y < m ∨ t = 0 ∧ t = m ∧ y = m ∨ t > 0 ∧ t = m ∧ y = m
        ↑f(t < m) = t < m ∨ t = 0 ∧ y < m ∨ t = 0 ∧ y = m ∨ t > 0 ∧ t = m ∧ y = m
        ↑f(t = m) = t = m ∨ t = 0 ∧ t = y ∧ y < m ∨ t > 0 ∧ t = y ∧ y < m ∨ t = 0 ∧ t > y ∧ y < m ∨ t = 0 ∧ t > m ∧ y = m
        ↑f(t > m) = t > m ∨ t > 0 ∧ t = y ∨ y = 0 ∧ t = 0 ∨ y < 0 ∧ t = 0
        ↑f(y < m) = y < m ∨ t = 0 ∧ t = m ∧ y = m ∨ t > 0 ∧ t = m ∧ y = m ∨ t = 0 ∧ t > m ∧ y = m
        ↑f(y = m) = y = m
        ↑f(y > m) = y > m
        ↑f(t = 0 ∧ t = y ∧ y < m) = t = 0 ∧ t = y ∧ y < m ∨ t > 0 ∧ t = y ∧ y < m ∨ t = 0 ∧ t = m ∧ y = m ∨ t > 0 ∧ t = m ∧ y = m
        exit: t = 0 ∧ t = m ∧ y = m ∨ t > 0 ∧ t = m ∧ y = m
    "#]]
    .assert_eq(&story(&sigma, &outer, &["y = 0", "t = 0", "y < m"], &["y = m", "y > m"]));
}

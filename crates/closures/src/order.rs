//! What is true of comparisons whatever their operands are. For a SAT solver, that `a <= b` and `b <= c` imply `a <= c` is hundreds of conflicts about
//! bits; here it is told so, and questions about predicates that compare become questions about orders.

use std::collections::BTreeSet;

use logic::{Op, Sort, Term, Terms};

/// More operands of a width are not related to each other.
const POINTS: usize = 12;
/// No more of a formula is searched for comparisons than this.
const VISITED: usize = 4_000;

/// Things that are compared with each other.
struct Points {
    width: u32,
    signed: bool,
    list: Vec<Term>,
}

/// Lemmas about the operands of comparisons in some formulas: orders are total and transitive, nothing lies between a number and its successor, and a
/// choice is one of its alternatives.
pub fn lemmas(terms: &mut Terms, formulas: &[Term]) -> Vec<Term> {
    let mut lemmas = Vec::new();
    for points in points(terms, formulas) {
        points.total(terms, &mut lemmas);
        points.transitive(terms, &mut lemmas);
        points.successors(terms, &mut lemmas);
        points.choices(terms, &mut lemmas);
    }
    lemmas.retain(|&lemma| terms.as_bool(lemma).is_none());
    lemmas.sort_unstable();
    lemmas.dedup();
    lemmas
}

/// The operands of comparisons.
fn points(terms: &Terms, formulas: &[Term]) -> Vec<Points> {
    let mut found: Vec<Points> = Vec::new();
    let mut equal: Vec<Term> = Vec::new();
    let mut open: Vec<Term> = formulas.iter().rev().copied().collect();
    let mut seen: BTreeSet<Term> = BTreeSet::new();
    while let Some(term) = open.pop() {
        if seen.len() > VISITED || terms.sort(term) != Sort::Bool || !seen.insert(term) {
            continue;
        }
        let args = terms.args(term);
        match (terms.op(term), args) {
            (op @ (Op::Slt | Op::Ult), &[a, b]) => {
                let (width, signed) = (terms.width(a), op == Op::Slt);
                let place = found.iter().position(|points| (points.width, points.signed) == (width, signed)).unwrap_or_else(|| {
                    found.push(Points { width, signed, list: Vec::new() });
                    found.len() - 1
                });
                found[place].add(a);
                found[place].add(b);
            }
            (Op::Equal, &[a, _]) if matches!(terms.sort(a), Sort::Bits(_)) => equal.push(term),
            _ => open.extend(args.iter().rev()),
        }
    }
    // What is compared only for equality is related to what is compared otherwise.
    for term in equal {
        let args = terms.args(term);
        for points in found.iter_mut().filter(|points| args.iter().any(|argument| points.list.contains(argument))) {
            args.iter().for_each(|&argument| points.add(argument));
        }
    }
    for points in &mut found {
        points.open_choices(terms);
    }
    found
}

impl Points {
    fn add(&mut self, term: Term) {
        if self.list.len() < POINTS && !self.list.contains(&term) {
            self.list.push(term);
        }
    }
    /// Adds the alternatives of choices.
    fn open_choices(&mut self, terms: &Terms) {
        let mut at = 0;
        while let Some(&point) = self.list.get(at) {
            at += 1;
            if let (Op::Ite, &[_, yes, no]) = (terms.op(point), terms.args(point)) {
                self.add(yes);
                self.add(no);
            }
        }
    }
    fn below(&self, terms: &mut Terms, a: Term, b: Term) -> Term {
        if self.signed { terms.slt(a, b) } else { terms.ult(a, b) }
    }
    fn at_most(&self, terms: &mut Terms, a: Term, b: Term) -> Term {
        let above = self.below(terms, b, a);
        terms.not(above)
    }
    fn pairs(&self) -> impl Iterator<Item = (Term, Term)> {
        self.list.iter().enumerate().flat_map(|(place, &a)| self.list.iter().skip(place + 1).map(move |&b| (a, b)))
    }
    fn total(&self, terms: &mut Terms, lemmas: &mut Vec<Term>) {
        for (a, b) in self.pairs() {
            let (below, above, equal) = (self.below(terms, a, b), self.below(terms, b, a), terms.equal(a, b));
            let one = terms.any([below, above, equal]);
            let (not_below, not_above, different) = (terms.not(below), terms.not(above), terms.not(equal));
            lemmas.extend([one, terms.or(not_below, not_above), terms.or(not_below, different), terms.or(not_above, different)]);
        }
    }
    fn transitive(&self, terms: &mut Terms, lemmas: &mut Vec<Term>) {
        for &a in &self.list {
            for &b in self.list.iter().filter(|&&b| b != a) {
                for &c in self.list.iter().filter(|&&c| c != a && c != b) {
                    let (first, second) = (self.below(terms, b, a), self.below(terms, c, b));
                    let all = self.at_most(terms, a, c);
                    lemmas.push(terms.any([first, second, all]));
                }
            }
        }
    }
    fn successors(&self, terms: &mut Terms, lemmas: &mut Vec<Term>) {
        let one = terms.one(self.width);
        for &a in &self.list {
            let next = terms.add(a, one);
            if !self.list.contains(&next) {
                continue;
            }
            for &b in &self.list {
                let (below, reaches) = (self.below(terms, a, b), self.at_most(terms, next, b));
                lemmas.push(terms.implies(below, reaches));
            }
            // If there is anything above, the successor does not wrap.
            for &b in &self.list {
                let (below, grows) = (self.below(terms, a, b), self.below(terms, a, next));
                lemmas.push(terms.implies(below, grows));
            }
        }
    }
    fn choices(&self, terms: &mut Terms, lemmas: &mut Vec<Term>) {
        for &point in &self.list {
            let (Op::Ite, &[condition, yes, no]) = (terms.op(point), terms.args(point)) else { continue };
            let not = terms.not(condition);
            for &other in self.list.iter().filter(|&&other| other != point) {
                for (premise, same) in [(condition, yes), (not, no)] {
                    for (a, b, c, d) in [(point, other, same, other), (other, point, other, same)] {
                        let (choice, alternative) = (self.below(terms, a, b), self.below(terms, c, d));
                        let equal = terms.equal(choice, alternative);
                        lemmas.push(terms.implies(premise, equal));
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use logic::sat::Budget;
    use logic::{Answer, Context};

    #[test]
    fn all_lemmas_are_valid() {
        for signed in [false, true] {
            let mut terms = Terms::new();
            let [x, n, m] = ["x", "n", "m"].map(|name| terms.variable(name, Sort::Bits(4)));
            let (condition, one) = (terms.variable("c", Sort::Bool), terms.one(4));
            let next = terms.add(x, one);
            let choice = terms.ite(condition, n, next);
            let compare = if signed { Terms::slt } else { Terms::ult };
            let formulas = [compare(&mut terms, x, n), compare(&mut terms, choice, m), terms.equal(x, next)];
            let found = lemmas(&mut terms, &formulas);
            assert!(found.len() > 100, "{}", found.len());
            let mut context = Context::new();
            for lemma in found {
                let fails = terms.not(lemma);
                assert_eq!(context.solve(&mut terms, &[fails], &Budget::unlimited()), Answer::Unsat);
            }
        }
    }
}

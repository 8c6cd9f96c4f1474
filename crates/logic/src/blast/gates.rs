//! Gates over literals, each defined once by clauses (Tseitin) and shared: the same inputs give the same output.

use rustc_hash::FxHashMap;

use crate::sat::{Lit, SatSolver};

/// A gate by its inputs, in a normal form.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Gate {
    And(Lit, Lit),
    Xor(Lit, Lit),
    Xor3(Lit, Lit, Lit),
    Majority(Lit, Lit, Lit),
    Mux(Lit, Lit, Lit),
}

/// Makes gates in a solver.
pub struct Gates<S> {
    /// The solver that holds the clauses.
    pub solver: S,
    truth: Lit,
    known: FxHashMap<Gate, Lit>,
}

impl<S: SatSolver> Gates<S> {
    /// Starts with the constant literals only.
    pub fn new(mut solver: S) -> Self {
        let truth = Lit::positive(solver.new_var());
        solver.add_clause(&[truth]);
        Gates { solver, truth, known: FxHashMap::default() }
    }
    /// The literal of a constant.
    pub fn constant(&self, value: bool) -> Lit {
        if value { self.truth } else { !self.truth }
    }
    /// The constant that a literal is.
    pub fn as_constant(&self, lit: Lit) -> Option<bool> {
        (lit.var() == self.truth.var()).then_some(lit == self.truth)
    }
    /// A literal of a new variable.
    pub fn fresh(&mut self) -> Lit {
        Lit::positive(self.solver.new_var())
    }

    fn define(&mut self, gate: Gate, clauses: impl FnOnce(&mut S, Lit)) -> Lit {
        if let Some(&out) = self.known.get(&gate) {
            return out;
        }
        let out = self.fresh();
        clauses(&mut self.solver, out);
        self.known.insert(gate, out);
        out
    }

    /// Conjunction.
    pub fn and(&mut self, a: Lit, b: Lit) -> Lit {
        match (self.as_constant(a), self.as_constant(b)) {
            (Some(false), _) | (_, Some(false)) => return !self.truth,
            (Some(true), _) => return b,
            (_, Some(true)) => return a,
            _ => {}
        }
        if a == b {
            return a;
        }
        if a == !b {
            return !self.truth;
        }
        let (a, b) = if a < b { (a, b) } else { (b, a) };
        self.define(Gate::And(a, b), |solver, out| {
            solver.add_clause(&[!out, a]);
            solver.add_clause(&[!out, b]);
            solver.add_clause(&[out, !a, !b]);
        })
    }
    /// Disjunction.
    pub fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }
    /// Conjunction of all.
    pub fn all(&mut self, lits: &[Lit]) -> Lit {
        self.balanced(lits, self.truth, Self::and)
    }
    /// Disjunction of all.
    pub fn any(&mut self, lits: &[Lit]) -> Lit {
        self.balanced(lits, !self.truth, Self::or)
    }

    /// A balanced tree keeps the depth, and so the length of propagations, logarithmic.
    fn balanced(&mut self, lits: &[Lit], unit: Lit, gate: impl Fn(&mut Self, Lit, Lit) -> Lit) -> Lit {
        let mut layer = lits.to_vec();
        while layer.len() > 1 {
            layer = layer.chunks(2).map(|pair| if let [a, b] = *pair { gate(self, a, b) } else { pair[0] }).collect();
        }
        layer.first().copied().unwrap_or(unit)
    }

    /// Exclusive or.
    pub fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        match (self.as_constant(a), self.as_constant(b)) {
            (Some(value), _) => return if value { !b } else { b },
            (_, Some(value)) => return if value { !a } else { a },
            _ => {}
        }
        // Signs move to the output, so that a gate serves all four combinations.
        let flip = a.is_negative() != b.is_negative();
        let (a, b) = (Lit::positive(a.var()), Lit::positive(b.var()));
        if a == b {
            return self.constant(flip);
        }
        let (a, b) = if a < b { (a, b) } else { (b, a) };
        let out = self.define(Gate::Xor(a, b), |solver, out| {
            solver.add_clause(&[!out, a, b]);
            solver.add_clause(&[!out, !a, !b]);
            solver.add_clause(&[out, !a, b]);
            solver.add_clause(&[out, a, !b]);
        });
        if flip { !out } else { out }
    }
    /// Equivalence.
    pub fn iff(&mut self, a: Lit, b: Lit) -> Lit {
        !self.xor(a, b)
    }
    /// One or the other.
    pub fn mux(&mut self, condition: Lit, yes: Lit, no: Lit) -> Lit {
        match self.as_constant(condition) {
            Some(true) => return yes,
            Some(false) => return no,
            None => {}
        }
        if condition.is_negative() {
            return self.mux(!condition, no, yes);
        }
        if yes == no {
            return yes;
        }
        if yes == !no {
            return self.iff(condition, yes);
        }
        match (self.as_constant(yes), self.as_constant(no)) {
            (Some(true), _) => return self.or(condition, no),
            (Some(false), _) => return self.and(!condition, no),
            (_, Some(true)) => return self.or(!condition, yes),
            (_, Some(false)) => return self.and(condition, yes),
            _ => {}
        }
        if yes == condition || no == condition {
            return if yes == condition { self.or(condition, no) } else { self.and(condition, yes) };
        }
        if yes == !condition || no == !condition {
            return if yes == !condition { self.and(!condition, no) } else { self.or(!condition, yes) };
        }
        if yes.is_negative() {
            return !self.mux(condition, !yes, !no);
        }
        self.define(Gate::Mux(condition, yes, no), |solver, out| {
            solver.add_clause(&[!condition, !yes, out]);
            solver.add_clause(&[!condition, yes, !out]);
            solver.add_clause(&[condition, !no, out]);
            solver.add_clause(&[condition, no, !out]);
            // Redundant, but it propagates when both cases agree.
            solver.add_clause(&[!yes, !no, out]);
            solver.add_clause(&[yes, no, !out]);
        })
    }

    /// Exclusive or of three: the sum of a full adder.
    pub fn xor3(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        let constant = |lit| self.as_constant(lit).is_some();
        if constant(a) || constant(b) || constant(c) || a.var() == b.var() || b.var() == c.var() || a.var() == c.var() {
            // Those that cancel or vanish are put together first.
            let (a, b, c) = if a.var() == c.var() || constant(c) { (a, c, b) } else { (a, b, c) };
            let (a, b, c) = if b.var() == c.var() { (b, c, a) } else { (a, b, c) };
            let first = self.xor(a, b);
            return self.xor(first, c);
        }
        let flip = a.is_negative() ^ b.is_negative() ^ c.is_negative();
        let mut inputs = [a, b, c].map(|lit| Lit::positive(lit.var()));
        inputs.sort_unstable();
        let [a, b, c] = inputs;
        let out = self.define(Gate::Xor3(a, b, c), |solver, out| {
            for (x, y, z) in [(a, b, c), (a, !b, !c), (!a, b, !c), (!a, !b, c)] {
                solver.add_clause(&[!x, !y, !z, out]);
                solver.add_clause(&[x, y, z, !out]);
            }
        });
        if flip { !out } else { out }
    }
    /// Whether at least two of three hold: the carry of a full adder.
    pub fn majority(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        for (a, b, c) in [(a, b, c), (b, c, a), (c, a, b)] {
            match self.as_constant(a) {
                Some(true) => return self.or(b, c),
                Some(false) => return self.and(b, c),
                None => {}
            }
            if a == b {
                return a;
            }
            if a == !b {
                return c;
            }
        }
        let mut inputs = [a, b, c];
        inputs.sort_unstable();
        // The majority of the negations is the negation of the majority.
        let flip = inputs.iter().filter(|lit| lit.is_negative()).count() >= 2;
        let [a, b, c] = if flip { inputs.map(|lit| !lit) } else { inputs };
        let out = self.define(Gate::Majority(a, b, c), |solver, out| {
            for (x, y) in [(a, b), (a, c), (b, c)] {
                solver.add_clause(&[!x, !y, out]);
                solver.add_clause(&[x, y, !out]);
            }
        });
        if flip { !out } else { out }
    }
}

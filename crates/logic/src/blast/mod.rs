//! Bit-blasting: terms of sort `Bool`, `Bits` and `Float` become literals of a SAT solver.
//!
//! A float is its bit pattern; its operators are lowered to bit-vector terms first. An array's elements are blasted where they are read:
//! `Select`, `Within` and `Agree` become free literals here, and the array axioms ([`crate::arrays`]) tie them to their meaning.

mod arithmetic;
mod gates;

use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::bits::Bits;
use crate::float;
use crate::op::Op;
use crate::sat::{Lit, SatSolver};
use crate::sort::Sort;
use crate::term::{Node, Term, Terms};
use arithmetic::invert;
pub use gates::Gates;

/// What cannot be blasted: its operator, for the message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unsupported(pub String);

/// The literals of terms in one solver.
pub struct Blaster<S> {
    /// The gates made so far.
    pub gates: Gates<S>,
    known: FxHashMap<Term, Range<u32>>,
    pool: Vec<Lit>,
    lowered: FxHashMap<Term, Term>,
    /// Terms whose meaning comes from the array axioms, in the order in which they were met.
    pub array_terms: Vec<Term>,
}

impl<S: SatSolver> Blaster<S> {
    /// Nothing blasted yet.
    pub fn new(solver: S) -> Self {
        Blaster {
            gates: Gates::new(solver),
            known: FxHashMap::default(),
            pool: Vec::new(),
            lowered: FxHashMap::default(),
            array_terms: Vec::new(),
        }
    }
    /// The literals of a term that was blasted, lowest bit first.
    pub fn known(&self, term: Term) -> Option<&[Lit]> {
        let range = self.known.get(&term)?;
        Some(&self.pool[range.start as usize..range.end as usize])
    }
    /// The value of a term in the model, if it was blasted.
    pub fn value(&mut self, term: Term) -> Option<Bits> {
        let literals = self.known(term)?.to_vec();
        let solver = &mut self.gates.solver;
        let width = u32::try_from(literals.len()).ok()?;
        Some(Bits::from_fn(width, |bit| literals.get(bit as usize).is_some_and(|&literal| solver.value(literal))))
    }
    /// Whether a truth value that was blasted holds in the model.
    pub fn holds(&mut self, term: Term) -> bool {
        self.truth(term) == Some(true)
    }
    /// The value of a truth value in the model, if it was blasted.
    pub fn truth(&mut self, term: Term) -> Option<bool> {
        let &literal = self.known(term)?.first()?;
        Some(self.gates.solver.value(literal))
    }
    /// The term whose circuit computes a float operator, if it was blasted.
    pub fn lowered(&self, term: Term) -> Option<Term> {
        self.lowered.get(&term).copied()
    }
    /// The literal of a truth value.
    pub fn literal(&mut self, terms: &mut Terms, term: Term) -> Result<Lit, Unsupported> {
        self.blast(terms, term)?;
        Ok(self.of(term).first().copied().unwrap_or_else(|| self.gates.constant(false)))
    }

    /// Gives a term literals.
    pub fn blast(&mut self, terms: &mut Terms, term: Term) -> Result<(), Unsupported> {
        let mut open = vec![term];
        while let Some(&top) = open.last() {
            if self.known.contains_key(&top) {
                open.pop();
                continue;
            }
            let before = open.len();
            self.push_needed(terms, top, &mut open)?;
            if open.len() == before {
                open.pop();
                let lits = self.circuit(terms, top)?;
                self.remember(top, &lits);
            }
        }
        Ok(())
    }

    /// Gives a variable that has no literals yet those of a term. The caller sees to it that the two are equal for good.
    pub fn define(&mut self, terms: &mut Terms, variable: Term, term: Term) -> Result<(), Unsupported> {
        let is_new = |blaster: &Self| !blaster.known.contains_key(&variable);
        if !matches!((terms.op(variable), terms.sort(variable)), (Op::Variable(_), Sort::Bits(_))) || !is_new(self) {
            return Ok(());
        }
        self.blast(terms, term)?;
        // The term may contain the variable itself.
        if is_new(self) {
            let lits = self.of(term).to_vec();
            self.remember(variable, &lits);
        }
        Ok(())
    }

    /// The terms that must have literals before this one can.
    fn push_needed(&mut self, terms: &mut Terms, term: Term, open: &mut Vec<Term>) -> Result<(), Unsupported> {
        let node = terms.node(term);
        let is_float = |sort: Sort| matches!(sort, Sort::Float(_));
        let float_operator =
            !matches!(node.op, Op::Ite | Op::Equal) && (is_float(node.sort) || node.args.iter().any(|&arg| is_float(terms.sort(arg))));
        if matches!(node.op, Op::FloatToBits) || !float_operator {
            // Arrays have no literals; what is read from them has.
            let missing = |arg: &Term| !matches!(terms.sort(*arg), Sort::Array { .. }) && !self.known.contains_key(arg);
            if node.op == Op::Equal && node.args.iter().any(|&arg| matches!(terms.sort(arg), Sort::Array { .. })) {
                return Ok(());
            }
            open.extend(node.args.iter().copied().filter(missing));
            return Ok(());
        }
        let lowered = self.lower(terms, term)?;
        if !self.known.contains_key(&lowered) {
            open.push(lowered);
        }
        Ok(())
    }

    /// The bit-vector (or truth value) term that computes a float operator.
    fn lower(&mut self, terms: &mut Terms, term: Term) -> Result<Term, Unsupported> {
        if let Some(&lowered) = self.lowered.get(&term) {
            return Ok(lowered);
        }
        let node = terms.node(term).clone();
        let mut args = Vec::with_capacity(node.args.len());
        for &arg in &node.args {
            args.push(match terms.sort(arg) {
                Sort::Float(_) => terms.float_to_bits(arg),
                _ => arg,
            });
        }
        let lowered = float::lower(terms, node.op, node.sort, &args).ok_or_else(|| unsupported(&node))?;
        self.lowered.insert(term, lowered);
        Ok(lowered)
    }

    fn remember(&mut self, term: Term, lits: &[Lit]) {
        let start = self.pool.len() as u32;
        self.pool.extend_from_slice(lits);
        self.known.insert(term, start..self.pool.len() as u32);
    }

    fn of(&self, term: Term) -> &[Lit] {
        self.known(term).unwrap_or(&[])
    }

    fn fresh(&mut self, width: u32) -> Vec<Lit> {
        (0..width).map(|_| self.gates.fresh()).collect()
    }

    /// The literals of a term whose arguments have theirs.
    fn circuit(&mut self, terms: &mut Terms, term: Term) -> Result<Vec<Lit>, Unsupported> {
        if let Some(lowered) = self.lowered.get(&term) {
            return Ok(self.of(*lowered).to_vec());
        }
        let node = terms.node(term).clone();
        let width = node.sort.width();
        let mut lits = node.args.iter().map(|&arg| self.of(arg).to_vec());
        let [a, b, c] = [(); 3].map(|()| lits.next().unwrap_or_default());
        let gates = &mut self.gates;
        Ok(match node.op {
            Op::Bool(value) => vec![gates.constant(value)],
            Op::Constant(constant) => {
                let value = terms.constant_value(constant);
                (0..width).map(|bit| gates.constant(value.bit(bit))).collect()
            }
            Op::Variable(_) if width > 0 => self.fresh(width),
            Op::Select | Op::Within { .. } | Op::Agree { .. } => {
                self.array_terms.push(term);
                self.fresh(width)
            }
            Op::Equal if node.args.iter().any(|&arg| matches!(terms.sort(arg), Sort::Array { .. })) => {
                self.array_terms.push(term);
                self.fresh(1)
            }
            Op::Not | Op::BitNot => invert(&a),
            Op::And | Op::BitAnd => a.iter().zip(&b).map(|(&a, &b)| gates.and(a, b)).collect(),
            Op::Or | Op::BitOr => a.iter().zip(&b).map(|(&a, &b)| gates.or(a, b)).collect(),
            Op::Xor | Op::BitXor => a.iter().zip(&b).map(|(&a, &b)| gates.xor(a, b)).collect(),
            Op::Equal => vec![gates.equal(&a, &b)],
            Op::Ite if width > 0 => {
                let condition = a.first().copied().unwrap_or_else(|| gates.constant(false));
                gates.choose(condition, &b, &c)
            }
            Op::Neg => gates.neg(&a),
            Op::Add => gates.add(&a, &b, gates.constant(false)).0,
            Op::Sub => gates.sub(&a, &b).0,
            Op::Mul => gates.mul(&a, &b),
            Op::Udiv => gates.divide(&a, &b).0,
            Op::Urem => gates.divide(&a, &b).1,
            Op::Sdiv => signed_quotient(gates, &a, &b),
            Op::Srem => signed_remainder(gates, &a, &b),
            Op::Shl => gates.shift(&a, &b, true, gates.constant(false)),
            Op::Lshr => gates.shift(&a, &b, false, gates.constant(false)),
            Op::Ashr => gates.shift(&a, &b, false, a[a.len() - 1]),
            Op::Ult => vec![gates.ult(&a, &b)],
            Op::Slt => vec![gates.slt(&a, &b)],
            Op::UmulOverflows => vec![gates.umul_overflows(&a, &b)],
            Op::SmulOverflows => vec![gates.smul_overflows(&a, &b)],
            Op::Concat => b.iter().chain(&a).copied().collect(),
            Op::Extract(low) => a.into_iter().skip(low as usize).take(width as usize).collect(),
            Op::ZeroExtend => resized(a, width, gates.constant(false)),
            Op::SignExtend => {
                let sign = a.last().copied().unwrap_or_else(|| gates.constant(false));
                resized(a, width, sign)
            }
            Op::FloatToBits => a,
            _ => return Err(unsupported(&node)),
        })
    }
}

fn unsupported(node: &Node) -> Unsupported {
    Unsupported(format!("{:?} of sort {}", node.op, node.sort))
}

fn resized(mut lits: Vec<Lit>, width: u32, fill: Lit) -> Vec<Lit> {
    lits.resize(width as usize, fill);
    lits
}

/// Signs and magnitudes apart. A divisor 0 gives all ones for the quotient of a non-negative dividend, 1 for a negative one, as SMT-LIB says.
fn signed_quotient<S: SatSolver>(gates: &mut Gates<S>, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
    let (sign_a, sign_b) = (a[a.len() - 1], b[b.len() - 1]);
    let (x, y) = (gates.negate_if(sign_a, a), gates.negate_if(sign_b, b));
    let (quotient, _) = gates.divide(&x, &y);
    let negative = gates.xor(sign_a, sign_b);
    gates.negate_if(negative, &quotient)
}

fn signed_remainder<S: SatSolver>(gates: &mut Gates<S>, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
    let (sign_a, sign_b) = (a[a.len() - 1], b[b.len() - 1]);
    let (x, y) = (gates.negate_if(sign_a, a), gates.negate_if(sign_b, b));
    let (_, remainder) = gates.divide(&x, &y);
    gates.negate_if(sign_a, &remainder)
}

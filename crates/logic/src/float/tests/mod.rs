//! Values against the hardware and the C library, circuits against values.

mod circuits;
mod hardware;
mod library;
mod numbers;

use model::FloatFormat;
use model::FloatFormat::{F16, F32, F64, F128, X87};

use super::{evaluate, lower};
use crate::bits::Bits;
use crate::eval::{Assignment, Evaluator, Value};
use crate::op::{Op, Rounding};
use crate::sort::Sort;
use crate::term::{Term, Terms};

const FORMATS: [FloatFormat; 5] = [F16, F32, F64, X87, F128];

const ROUNDINGS: [Rounding; 5] = [Rounding::NearestEven, Rounding::NearestAway, Rounding::TowardZero, Rounding::Up, Rounding::Down];

/// The value of an operator on patterns.
fn value(op: Op, sorts: &[Sort], args: &[u128]) -> u128 {
    let sort = op.result(sorts, None).expect("sorts fit");
    let args: Vec<Bits> = sorts.iter().zip(args).map(|(sort, &arg)| Bits::new(sort.width(), arg)).collect();
    let args: Vec<(Sort, &Bits)> = sorts.iter().copied().zip(&args).collect();
    evaluate(op, sort, &args).expect("a float operator").low_u128()
}

/// The circuit of an operator, with variables as arguments.
struct Lowered {
    terms: Terms,
    args: Vec<Term>,
    result: Term,
}

impl Lowered {
    fn new(op: Op, sorts: &[Sort]) -> Self {
        let mut terms = Terms::new();
        let args: Vec<Term> =
            sorts.iter().enumerate().map(|(index, sort)| terms.variable(&format!("a{index}"), Sort::Bits(sort.width()))).collect();
        let result = lower(&mut terms, op, op.result(sorts, None).expect("sorts fit"), &args).expect("a circuit");
        assert_eq!(terms.error(), None);
        Lowered { terms, args, result }
    }
    fn value(&self, args: &[u128]) -> u128 {
        let mut assignment = Assignment::new();
        for (&term, &arg) in self.args.iter().zip(args) {
            if let Op::Variable(variable) = self.terms.op(term) {
                assignment.set(variable, Value::Bits(Bits::new(self.terms.width(term), arg)));
            }
        }
        match Evaluator::new(&self.terms, &assignment).value(self.result) {
            Some(Value::Bits(bits)) => bits.low_u128(),
            Some(Value::Bool(value)) => (*value).into(),
            other => panic!("{other:?}"),
        }
    }
}

/// What the circuit of an operator gives if it is built with constants.
fn folded(op: Op, sorts: &[Sort], args: &[u128]) -> u128 {
    let mut terms = Terms::new();
    let args: Vec<Term> = sorts.iter().zip(args).map(|(sort, &arg)| terms.number(sort.width(), arg)).collect();
    let result = lower(&mut terms, op, op.result(sorts, None).expect("sorts fit"), &args).expect("a circuit");
    match terms.as_bool(result) {
        Some(value) => value.into(),
        None => terms.as_bits(result).expect("a constant").low_u128(),
    }
}

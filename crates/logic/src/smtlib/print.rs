//! Questions as SMT-LIB 2.6 scripts.
//!
//! The text is linear in the number of terms: what is used more than once, or nests too deep for comfort, is a definition. Operators without a
//! counterpart in the language are written by what defines them: see `expand.rs` for those of one term, and [`Writer::constrain`] for those
//! that need a constant of their own.

use std::fmt::Write;

use rustc_hash::{FxHashMap, FxHashSet};

use super::expand;
use super::lower::lower;
use super::shape;
use crate::bits::Bits;
use crate::eval::ArrayValue;
use crate::op::{Op, Rounding};
use crate::print::hexadecimal;
use crate::sort::Sort;
use crate::term::{Term, Terms};

/// Expressions that nest deeper get a definition.
const DEEP: u32 = 24;

/// The question whether all these truth values can hold, as a script for any solver that knows SMT-LIB 2.6. The assumptions are constants that
/// equal them, in `check-sat-assuming`.
///
/// If an operator cannot be written at all, the script says so in a comment and asks nothing.
pub fn script(terms: &mut Terms, assertions: &[Term], assumptions: &[Term]) -> String {
    let roots: Vec<Term> = assertions.iter().chain(assumptions).copied().collect();
    let lowered = match lower(terms, &roots) {
        Ok(lowered) => lowered,
        Err(op) => return format!("; This question has no form in SMT-LIB: there is no circuit for {op:?}.\n(exit)\n"),
    };
    let (assertions, assumptions) = lowered.split_at(assertions.len());
    Writer::new(terms, &lowered).script(assertions, assumptions)
}

/// The text of a term, as long as nobody has used it.
struct Expression {
    text: String,
    depth: u32,
}

struct Writer<'a> {
    terms: &'a Terms,
    cone: Vec<Term>,
    uses: FxHashMap<Term, u32>,
    done: FxHashMap<Term, Expression>,
    names: FxHashSet<String>,
    counter: u32,
    body: String,
}

impl<'a> Writer<'a> {
    fn new(terms: &'a Terms, roots: &[Term]) -> Self {
        let cone = terms.cone(roots);
        let mut uses: FxHashMap<Term, u32> = FxHashMap::default();
        for &term in cone.iter().flat_map(|&term| terms.args(term)).chain(roots) {
            *uses.entry(term).or_default() += 1;
        }
        Writer { terms, cone, uses, done: FxHashMap::default(), names: FxHashSet::default(), counter: 0, body: String::new() }
    }

    fn script(mut self, assertions: &[Term], assumptions: &[Term]) -> String {
        self.declare_variables();
        for term in std::mem::take(&mut self.cone) {
            self.term(term);
        }
        for &assertion in assertions {
            let text = self.take(assertion);
            self.line(format_args!("(assert {text})"));
        }
        let mut literals = Vec::new();
        for &assumption in assumptions {
            let text = self.take(assumption);
            let name = self.declare("assumption", Sort::Bool);
            self.line(format_args!("(assert (= {name} {text}))"));
            literals.push(name);
        }
        match literals.as_slice() {
            [] => self.line(format_args!("(check-sat)")),
            literals => self.line(format_args!("(check-sat-assuming ({}))", literals.join(" "))),
        }
        self.body
    }

    fn line(&mut self, text: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.body, "{text}");
    }

    /// The logic, and a constant for each variable. Their names are as they are, unless they cannot be quoted.
    fn declare_variables(&mut self) {
        let terms = self.terms;
        let plain = |term: &Term| {
            let node = terms.node(*term);
            !matches!(node.sort, Sort::Float(_))
                && !matches!(node.op, Op::Copy | Op::Within { .. } | Op::Agree { .. } | Op::ConstantArray | Op::Table(_))
        };
        let logic = if self.cone.iter().all(plain) { "QF_ABV" } else { "ALL" };
        self.line(format_args!("(set-logic {logic})"));
        let variables: Vec<(Term, &str, Sort)> = self
            .cone
            .iter()
            .filter_map(|&term| match terms.op(term) {
                Op::Variable(variable) => Some((term, terms.variable_info(variable).0, terms.sort(term))),
                _ => None,
            })
            .collect();
        let quotable = |name: &str| !name.contains(['|', '\\']);
        self.names.extend(variables.iter().map(|(_, name, _)| (*name).to_owned()));
        for (term, name, sort) in variables {
            let name = if quotable(name) {
                let name = format!("|{name}|");
                self.line(format_args!("(declare-const {name} {})", sort_text(sort)));
                name
            } else {
                self.declare("variable", sort)
            };
            self.done.insert(term, Expression { text: name, depth: 0 });
        }
    }

    /// A name that nothing has yet.
    fn fresh(&mut self, prefix: &str) -> String {
        loop {
            self.counter += 1;
            let name = format!("{prefix}.{}", self.counter);
            if self.names.insert(name.clone()) {
                return name;
            }
        }
    }

    /// A new constant.
    fn declare(&mut self, prefix: &str, sort: Sort) -> String {
        let name = self.fresh(prefix);
        self.line(format_args!("(declare-const {name} {})", sort_text(sort)));
        name
    }

    /// The text of a term for one of its uses.
    fn take(&mut self, term: Term) -> String {
        let shared = self.uses.get(&term).is_some_and(|uses| *uses > 1);
        match self.done.get_mut(&term) {
            // What is used more than once is a name.
            Some(expression) if shared => expression.text.clone(),
            Some(expression) => std::mem::take(&mut expression.text),
            None => String::new(),
        }
    }

    /// Writes a term whose arguments are written.
    fn term(&mut self, term: Term) {
        if self.done.contains_key(&term) {
            return;
        }
        let node = self.terms.node(term);
        let depth = node.args.iter().filter_map(|arg| self.done.get(arg)).map(|arg| arg.depth + 1).max().unwrap_or(0);
        let args: Vec<String> = node.args.iter().map(|&arg| self.take(arg)).collect();
        let expression = match self.constrain(term, &args) {
            Some(name) => Expression { text: name, depth: 0 },
            None => Expression { text: expression(self.terms, term, &args), depth },
        };
        let shared = self.uses.get(&term).is_some_and(|uses| *uses > 1);
        let expression = if expression.depth > 0 && (shared || expression.depth > DEEP) {
            let name = self.fresh("term");
            self.line(format_args!("(define-fun {name} () {} {})", sort_text(node.sort), expression.text));
            Expression { text: name, depth: 0 }
        } else {
            expression
        };
        self.done.insert(term, expression);
    }

    /// Operators whose result is a constant of its own with an assertion that defines it. Each argument is bound by `let`, so that it is
    /// written once and no binder catches its names.
    fn constrain(&mut self, term: Term, args: &[String]) -> Option<String> {
        let node = self.terms.node(term);
        match (node.op, args) {
            (Op::Table(table), _) => Some(self.table(node.sort, self.terms.table_value(table))),
            (Op::FloatToBits, [float]) => {
                let &[argument] = node.args.as_slice() else { return None };
                let Sort::Float(format) = self.terms.sort(argument) else { return None };
                let (exponent, significand) = shape(format)?;
                let name = self.declare("bits", node.sort);
                let nan = bits_text(&Bits::new(node.sort.width(), model::float::nan(format, 0, false)));
                self.line(format_args!("(assert (let ((f {float})) (and (= ((_ to_fp {exponent} {significand}) {name}) f) (=> (fp.isNaN f) (= {name} {nan})))))"));
                Some(name)
            }
            (Op::Copy, [array, at, source, from, count]) => {
                let Sort::Array { index, .. } = node.sort else { return None };
                let name = self.declare("copy", node.sort);
                self.line(format_args!("(assert (let ((a {array}) (at {at}) (b {source}) (from {from}) (count {count})) (forall ((i (_ BitVec {index}))) (= (select {name} i) (ite (bvult (bvsub i at) count) (select b (bvadd from (bvsub i at))) (select a i))))))"));
                Some(name)
            }
            _ => None,
        }
    }

    /// A constant array, written out: so many writes to one value everywhere, not too many of them inside each other.
    fn table(&mut self, sort: Sort, content: &ArrayValue) -> String {
        let entries: Vec<(&Bits, &Bits)> = content.entries().collect();
        let mut text = format!("((as const {}) {})", sort_text(sort), bits_text(content.default()));
        for chunk in entries.chunks(DEEP as usize) {
            let writes: String = chunk.iter().map(|(index, value)| format!(" {} {})", bits_text(index), bits_text(value))).collect();
            let name = self.fresh("table");
            self.line(format_args!("(define-fun {name} () {} {}{text}{writes})", sort_text(sort), "(store ".repeat(chunk.len())));
            text = name;
        }
        text
    }
}

fn sort_text(sort: Sort) -> String {
    match sort {
        Sort::Bool => "Bool".to_owned(),
        Sort::Bits(width) => format!("(_ BitVec {width})"),
        Sort::Float(format) => {
            // Other formats are lowered before.
            let (exponent, significand) = shape(format).unwrap_or_default();
            format!("(_ FloatingPoint {exponent} {significand})")
        }
        Sort::Array { index, element } => format!("(Array (_ BitVec {index}) (_ BitVec {element}))"),
    }
}

pub(super) fn bits_text(bits: &Bits) -> String {
    if bits.width().is_multiple_of(4) {
        return format!("#x{}", hexadecimal(bits));
    }
    let digits: String = (0..bits.width()).rev().map(|bit| if bits.bit(bit) { '1' } else { '0' }).collect();
    format!("#b{digits}")
}

/// The text of a term from those of its arguments.
fn expression(terms: &Terms, term: Term, args: &[String]) -> String {
    let node = terms.node(term);
    let argument = node.args.first().map_or(Sort::Bool, |&arg| terms.sort(arg));
    let width = |number: usize| node.args.get(number).map_or(0, |&arg| terms.width(arg));
    match (node.op, args) {
        (Op::Bool(value), _) => value.to_string(),
        (Op::Constant(constant), _) => bits_text(terms.constant_value(constant)),
        (Op::UmulOverflows, [a, b]) => expand::umul_overflows(argument.width(), a, b),
        (Op::SmulOverflows, [a, b]) => expand::smul_overflows(argument.width(), a, b),
        (Op::FloatToInt { signed, width }, [a]) => expand::float_to_int(argument, signed, width, a),
        (Op::FloatFitsInt { signed, width }, [a]) => expand::float_fits_int(argument, signed, width, a),
        (Op::Within { step }, [array, from, end, low, high]) => expand::within(argument, width(2), step, [array, from, end, low, high]),
        (Op::Agree { step }, [a, from_a, b, from_b, end]) => expand::agree(argument, width(4), step, [a, from_a, b, from_b, end]),
        _ => format!("({} {})", operator(node.op, node.sort, argument), args.join(" ")),
    }
}

/// The operator of SMT-LIB that takes the same arguments.
fn operator(op: Op, sort: Sort, argument: Sort) -> String {
    let float = match sort {
        Sort::Float(format) => shape(format).unwrap_or_default(),
        _ => (0, 0),
    };
    let to_float = |name: &str, rounding: &str| format!("(_ {name} {} {}){rounding}", float.0, float.1);
    match op {
        Op::Extract(low) => format!("(_ extract {} {low})", (low + sort.width()).saturating_sub(1)),
        Op::ZeroExtend => format!("(_ zero_extend {})", sort.width() - argument.width()),
        Op::SignExtend => format!("(_ sign_extend {})", sort.width() - argument.width()),
        Op::ConstantArray => format!("(as const {})", sort_text(sort)),
        Op::FloatFromBits(_) => to_float("to_fp", ""),
        Op::FloatConvert(_) | Op::FloatFromInt { signed: true, .. } => to_float("to_fp", " RNE"),
        Op::FloatFromInt { signed: false, .. } => to_float("to_fp_unsigned", " RNE"),
        _ => name(op).to_owned(),
    }
}

/// The name of an operator without indices.
fn name(op: Op) -> &'static str {
    match op {
        Op::Not => "not",
        Op::And => "and",
        Op::Or => "or",
        Op::Xor => "xor",
        Op::Equal => "=",
        Op::Ite => "ite",
        Op::BitNot => "bvnot",
        Op::BitAnd => "bvand",
        Op::BitOr => "bvor",
        Op::BitXor => "bvxor",
        Op::Neg => "bvneg",
        Op::Add => "bvadd",
        Op::Sub => "bvsub",
        Op::Mul => "bvmul",
        Op::Udiv => "bvudiv",
        Op::Urem => "bvurem",
        Op::Sdiv => "bvsdiv",
        Op::Srem => "bvsrem",
        Op::Shl => "bvshl",
        Op::Lshr => "bvlshr",
        Op::Ashr => "bvashr",
        Op::Ult => "bvult",
        Op::Slt => "bvslt",
        Op::Concat => "concat",
        Op::FloatAdd => "fp.add RNE",
        Op::FloatSub => "fp.sub RNE",
        Op::FloatMul => "fp.mul RNE",
        Op::FloatDiv => "fp.div RNE",
        Op::FloatSqrt => "fp.sqrt RNE",
        Op::FloatFma => "fp.fma RNE",
        Op::FloatRem => "fp.rem",
        Op::FloatRound(Rounding::NearestEven) => "fp.roundToIntegral RNE",
        Op::FloatRound(Rounding::NearestAway) => "fp.roundToIntegral RNA",
        Op::FloatRound(Rounding::TowardZero) => "fp.roundToIntegral RTZ",
        Op::FloatRound(Rounding::Up) => "fp.roundToIntegral RTP",
        Op::FloatRound(Rounding::Down) => "fp.roundToIntegral RTN",
        Op::FloatNeg => "fp.neg",
        Op::FloatAbs => "fp.abs",
        Op::FloatEq => "fp.eq",
        Op::FloatLt => "fp.lt",
        Op::FloatLe => "fp.leq",
        Op::FloatIsNan => "fp.isNaN",
        Op::FloatIsInfinite => "fp.isInfinite",
        Op::Select => "select",
        Op::Store => "store",
        // Everything else is written in another way; no solver accepts this.
        _ => "unsupported",
    }
}

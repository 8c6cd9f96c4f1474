//! SMT-LIB scripts as terms: bit-vectors, arrays, uninterpreted functions of bit-vectors, and floats rounded to nearest even.

use rustc_hash::FxHashMap;

use super::error::{Fault, ParseError};
use super::operators::{self, Head, MOST_WIDTH, Operand};
use super::syntax::{Form, Id, Tree};
use super::{format_of_shape, shape};
use crate::bits::Bits;
use crate::op::{Op, Rounding};
use crate::sort::Sort;
use crate::term::{Term, Terms};

/// The store of terms may not grow beyond this while definitions are applied: they can double with each line.
const MOST_TERMS: usize = 1 << 24;

/// What a script says.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Script {
    /// What holds.
    pub assertions: Vec<Term>,
    /// What holds for the question.
    pub assumptions: Vec<Term>,
    /// The answer that its author expects.
    pub status: Option<Status>,
}

/// An expected answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// There is a model.
    Sat,
    /// There is none.
    Unsat,
}

/// Reads a script that asks one question. Its constants become variables of the same name; a function is an array variable, as in
/// [`Terms::call`].
pub fn parse(terms: &mut Terms, text: &str) -> Result<Script, ParseError> {
    read(terms, text).map_err(|fault| fault.in_text(text))
}

fn read(terms: &mut Terms, text: &str) -> Result<Script, Fault> {
    let tree = Tree::read(text)?;
    let mut reader = Reader { terms, tree: &tree, symbols: FxHashMap::default(), script: Script::default(), asked: false };
    for &command in &tree.top {
        if !reader.command(command)? {
            break;
        }
    }
    Ok(reader.script)
}

/// What a symbol means.
#[derive(Clone)]
enum Meaning<'a> {
    Value(Operand<'a>),
    /// An uninterpreted function.
    Function {
        params: Vec<Sort>,
        result: Sort,
    },
    /// A definition: its body in terms of variables that stand for the parameters.
    Macro {
        params: Vec<(Term, Sort)>,
        body: Term,
    },
}

/// A step of reading a term.
enum Work {
    Read(Id),
    /// Applies the head of this list to so many values.
    Apply(Id, usize),
    /// Gives the names of this `let` their values.
    Bind(Id),
    /// Ends the scope of this `let`.
    Unbind(Id),
    /// Gives the last value the names of this annotation.
    Name(Id),
}

struct Reader<'t, 'a> {
    terms: &'t mut Terms,
    tree: &'t Tree<'a>,
    /// The meanings of each symbol, the innermost last.
    symbols: FxHashMap<&'a str, Vec<Meaning<'a>>>,
    script: Script,
    asked: bool,
}

/// Commands.
impl<'a> Reader<'_, 'a> {
    /// Obeys a command; whether more may follow.
    fn command(&mut self, id: Id) -> Result<bool, Fault> {
        let items = self.tree.list(id)?;
        let Some((&head, args)) = items.split_first() else { return Err(self.tree.fault(id, "a command is expected")) };
        match (self.tree.symbol(head)?, args) {
            ("set-logic" | "set-option", _) => {}
            ("set-info", args) => self.set_info(args),
            ("declare-const", &[name, sort]) => self.declare(name, &[], sort)?,
            ("declare-fun", &[name, params, sort]) => self.declare(name, self.tree.list(params)?, sort)?,
            ("define-fun", &[name, params, sort, body]) => self.define(name, self.tree.list(params)?, sort, body)?,
            ("assert", &[term]) => {
                self.not_asked(id)?;
                let term = self.truth(term)?;
                self.script.assertions.push(term);
            }
            ("check-sat", []) => {
                self.not_asked(id)?;
                self.asked = true;
            }
            ("check-sat-assuming", &[list]) => {
                self.not_asked(id)?;
                for &term in self.tree.list(list)? {
                    let term = self.truth(term)?;
                    self.script.assumptions.push(term);
                }
                self.asked = true;
            }
            ("exit", []) => return Ok(false),
            ("declare-const" | "declare-fun" | "define-fun" | "assert" | "check-sat" | "check-sat-assuming" | "exit", _) => {
                return Err(self.tree.fault(id, "this command does not have the right number of arguments"));
            }
            (name, _) => return Err(self.tree.fault(head, format!("the command `{name}` is not supported"))),
        }
        Ok(true)
    }

    fn not_asked(&self, id: Id) -> Result<(), Fault> {
        if self.asked { Err(self.tree.fault(id, "only one question for each script is supported")) } else { Ok(()) }
    }

    fn set_info(&mut self, args: &[Id]) {
        if let &[key, value] = args
            && matches!(self.tree.form(key), Form::Keyword("status"))
        {
            self.script.status = match self.tree.as_symbol(value) {
                Some("sat") => Some(Status::Sat),
                Some("unsat") => Some(Status::Unsat),
                _ => None,
            };
        }
    }

    /// Gives a symbol a meaning for the rest of the script.
    fn introduce(&mut self, name: Id, meaning: Meaning<'a>) -> Result<(), Fault> {
        let symbol = self.tree.symbol(name)?;
        let meanings = self.symbols.entry(symbol).or_default();
        if !meanings.is_empty() {
            return Err(self.tree.fault(name, format!("`{symbol}` has a meaning already")));
        }
        meanings.push(meaning);
        Ok(())
    }

    fn declare(&mut self, name: Id, params: &[Id], sort: Id) -> Result<(), Fault> {
        let symbol = self.tree.symbol(name)?;
        let result = self.sort(sort)?;
        if params.is_empty() {
            let term = self.variable(name, symbol, result)?;
            return self.introduce(name, Meaning::Value(Operand::Term(term)));
        }
        let params = params.iter().map(|&param| self.sort(param)).collect::<Result<Vec<Sort>, Fault>>()?;
        let width = params.iter().fold(0u32, |sum, param| sum.saturating_add(param.width()));
        if width > MOST_WIDTH || params.iter().chain([&result]).any(|sort| matches!(sort, Sort::Array { .. })) {
            return Err(self.tree.fault(name, "functions of or to arrays or very wide bit-vectors are not supported"));
        }
        // The variable is made now, so that a clash of sorts is found at the declaration.
        self.variable(name, symbol, Sort::Array { index: width, element: result.width() })?;
        self.introduce(name, Meaning::Function { params, result })
    }

    fn variable(&mut self, at: Id, name: &str, sort: Sort) -> Result<Term, Fault> {
        let known = self.terms.error().is_some();
        let term = self.terms.variable(name, sort);
        match self.terms.error() {
            Some(error) if !known => Err(self.tree.fault(at, error.message.clone())),
            _ => Ok(term),
        }
    }

    fn define(&mut self, name: Id, params: &[Id], sort: Id, body: Id) -> Result<(), Fault> {
        let tree = self.tree;
        let result = self.sort(sort)?;
        let mut names = Vec::new();
        let mut variables = Vec::new();
        for &param in params {
            let &[symbol, sort] = tree.list(param)? else { return Err(tree.fault(param, "a parameter is a name and a sort")) };
            let (symbol, sort) = (tree.symbol(symbol)?, self.sort(sort)?);
            let (variable, value) = self.placeholder(symbol, sort);
            self.bind(symbol, Operand::Term(value));
            names.push(symbol);
            variables.push((variable, sort));
        }
        let value = self.read(body)?;
        for symbol in names {
            self.unbind(symbol);
        }
        let term = self.of_sort(body, value, result)?;
        let meaning = if variables.is_empty() { Meaning::Value(value) } else { Meaning::Macro { params: variables, body: term } };
        self.introduce(name, meaning)
    }

    /// A variable to be replaced when a definition is applied, and the value of the parameter. Of a float it is the bit pattern that is
    /// replaced, because rewriting may use that directly.
    fn placeholder(&mut self, name: &str, sort: Sort) -> (Term, Term) {
        match sort {
            Sort::Float(format) => {
                let bits = self.terms.fresh(name, Sort::Bits(sort.width()));
                (bits, self.terms.float_from_bits(format, bits))
            }
            _ => {
                let variable = self.terms.fresh(name, sort);
                (variable, variable)
            }
        }
    }

    fn truth(&mut self, id: Id) -> Result<Term, Fault> {
        let value = self.read(id)?;
        self.of_sort(id, value, Sort::Bool)
    }

    fn of_sort(&self, id: Id, value: Operand<'_>, wanted: Sort) -> Result<Term, Fault> {
        match value {
            Operand::Term(term) if self.terms.sort(term) == wanted => Ok(term),
            _ => Err(self.tree.fault(id, format!("this is {}, not {wanted}", operators::describe(self.terms, value)))),
        }
    }
}

/// Sorts.
impl Reader<'_, '_> {
    fn sort(&self, id: Id) -> Result<Sort, Fault> {
        let unsupported = || self.tree.fault(id, "this sort is not supported");
        match self.tree.form(id) {
            Form::Symbol("Bool") => Ok(Sort::Bool),
            Form::Symbol("Float16") => self.float(id, 5, 11),
            Form::Symbol("Float32") => self.float(id, 8, 24),
            Form::Symbol("Float64") => self.float(id, 11, 53),
            Form::Symbol("Float128") => self.float(id, 15, 113),
            Form::List(items) => match (items.first().and_then(|&head| self.tree.as_symbol(head)), items.as_slice()) {
                (Some("_"), &[_, name, width]) if self.tree.as_symbol(name) == Some("BitVec") => self.width(width).map(Sort::Bits),
                (Some("_"), &[_, name, exponent, significand]) if self.tree.as_symbol(name) == Some("FloatingPoint") => {
                    self.float(id, self.tree.numeral(exponent)?, self.tree.numeral(significand)?)
                }
                (Some("Array"), &[_, index, element]) => match (self.flat_sort(index)?, self.flat_sort(element)?) {
                    (Sort::Bits(index), Sort::Bits(element)) => Ok(Sort::Array { index, element }),
                    _ => Err(unsupported()),
                },
                _ => Err(unsupported()),
            },
            _ => Err(unsupported()),
        }
    }
    /// The sort of an index or element: a bit-vector. It is read without recursion.
    fn flat_sort(&self, id: Id) -> Result<Sort, Fault> {
        match self.tree.list(id)? {
            &[head, name, width] if self.tree.as_symbol(head) == Some("_") && self.tree.as_symbol(name) == Some("BitVec") => {
                self.width(width).map(Sort::Bits)
            }
            _ => Err(self.tree.fault(id, "only arrays from bit-vectors to bit-vectors are supported")),
        }
    }
    fn width(&self, id: Id) -> Result<u32, Fault> {
        match self.tree.numeral(id)? {
            0 => Err(self.tree.fault(id, "a bit-vector has at least one bit")),
            width if width > MOST_WIDTH => Err(self.tree.fault(id, "this bit-vector is too wide")),
            width => Ok(width),
        }
    }
    fn float(&self, id: Id, exponent: u32, significand: u32) -> Result<Sort, Fault> {
        format_of_shape(exponent, significand).map(Sort::Float).ok_or_else(|| self.tree.fault(id, "this float format is not supported"))
    }
}

/// Terms.
impl<'a> Reader<'_, 'a> {
    fn bind(&mut self, symbol: &'a str, value: Operand<'a>) {
        self.symbols.entry(symbol).or_default().push(Meaning::Value(value));
    }
    fn unbind(&mut self, symbol: &'a str) {
        if let Some(meanings) = self.symbols.get_mut(symbol) {
            meanings.pop();
        }
    }
    fn meaning(&self, symbol: &str) -> Option<&Meaning<'a>> {
        self.symbols.get(symbol)?.last()
    }

    fn read(&mut self, root: Id) -> Result<Operand<'a>, Fault> {
        let mut work = vec![Work::Read(root)];
        let mut values: Vec<Operand<'a>> = Vec::new();
        while let Some(step) = work.pop() {
            match step {
                Work::Read(id) => {
                    if let Some(value) = self.open(id, &mut work)? {
                        values.push(value);
                    }
                }
                Work::Apply(id, count) => {
                    let args = values.split_off(values.len().saturating_sub(count));
                    values.push(Operand::Term(self.apply(id, &args)?));
                }
                Work::Bind(id) => {
                    let names = self.let_names(id)?;
                    let bound = values.split_off(values.len().saturating_sub(names.len()));
                    for (name, value) in names.into_iter().zip(bound) {
                        self.bind(name, value);
                    }
                }
                Work::Unbind(id) => {
                    for name in self.let_names(id)? {
                        self.unbind(name);
                    }
                }
                Work::Name(id) => {
                    if let Some(&value) = values.last() {
                        self.annotate(id, value)?;
                    }
                }
            }
        }
        values.pop().ok_or_else(|| self.tree.fault(root, "a term is expected"))
    }

    /// The value of an expression without arguments; of others, the steps that lead to it.
    fn open(&mut self, id: Id, work: &mut Vec<Work>) -> Result<Option<Operand<'a>>, Fault> {
        let tree = self.tree;
        let constant = match tree.form(id) {
            Form::Symbol(name) => return self.symbol(id, name).map(Some),
            Form::Numeral(digits) | Form::Decimal(digits) => return Ok(Some(Operand::Number(digits))),
            Form::Binary(digits) => self.literal(id, digits, 1)?,
            Form::Hexadecimal(digits) => self.literal(id, digits, 4)?,
            Form::Keyword(_) | Form::String => return Err(tree.fault(id, "a term is expected")),
            Form::List(items) => {
                let Some((&head, args)) = items.split_first() else { return Err(tree.fault(id, "a term is expected")) };
                match (tree.as_symbol(head), args) {
                    (Some("_"), &[name, ref indices @ ..]) => self.indexed_constant(id, name, indices)?,
                    (Some("let"), &[bindings, body]) => {
                        work.extend([Work::Unbind(id), Work::Read(body), Work::Bind(id)]);
                        for &binding in tree.list(bindings)?.iter().rev() {
                            let &[_, value] = tree.list(binding)? else {
                                return Err(tree.fault(binding, "a binding is a name and a term"));
                            };
                            work.push(Work::Read(value));
                        }
                        return Ok(None);
                    }
                    (Some("!"), &[term, ..]) => {
                        work.extend([Work::Name(id), Work::Read(term)]);
                        return Ok(None);
                    }
                    (Some(name @ ("forall" | "exists")), _) => {
                        return Err(tree.fault(id, format!("the quantifier `{name}` is not supported")));
                    }
                    (_, args) => {
                        work.push(Work::Apply(id, args.len()));
                        work.extend(args.iter().rev().map(|&arg| Work::Read(arg)));
                        return Ok(None);
                    }
                }
            }
        };
        Ok(Some(Operand::Term(constant)))
    }

    fn let_names(&self, id: Id) -> Result<Vec<&'a str>, Fault> {
        let &[_, bindings, _] = self.tree.list(id)? else { return Err(self.tree.fault(id, "a `let` has bindings and a term")) };
        let name = |&binding: &Id| match self.tree.list(binding)?.first() {
            Some(&name) => self.tree.symbol(name),
            None => Err(self.tree.fault(binding, "a binding is a name and a term")),
        };
        self.tree.list(bindings)?.iter().map(name).collect()
    }

    /// `(! term :named name)`; other annotations say nothing about the value.
    fn annotate(&mut self, id: Id, value: Operand<'a>) -> Result<(), Fault> {
        for pair in self.tree.list(id)?.windows(2) {
            if let &[key, name] = pair
                && matches!(self.tree.form(key), Form::Keyword("named"))
            {
                self.introduce(name, Meaning::Value(value))?;
            }
        }
        Ok(())
    }

    fn symbol(&mut self, id: Id, name: &str) -> Result<Operand<'a>, Fault> {
        match self.meaning(name) {
            Some(Meaning::Value(value)) => return Ok(*value),
            Some(_) => return Err(self.tree.fault(id, format!("the function `{name}` needs arguments"))),
            None => {}
        }
        Ok(match name {
            "true" => Operand::Term(self.terms.bool(true)),
            "false" => Operand::Term(self.terms.bool(false)),
            "RNE" | "roundNearestTiesToEven" => Operand::Rounding(Rounding::NearestEven),
            "RNA" | "roundNearestTiesToAway" => Operand::Rounding(Rounding::NearestAway),
            "RTP" | "roundTowardPositive" => Operand::Rounding(Rounding::Up),
            "RTN" | "roundTowardNegative" => Operand::Rounding(Rounding::Down),
            "RTZ" | "roundTowardZero" => Operand::Rounding(Rounding::TowardZero),
            _ => return Err(self.tree.fault(id, format!("`{name}` is not declared"))),
        })
    }

    /// `#b…` or `#x…`, with so many bits for each digit.
    fn literal(&mut self, id: Id, digits: &str, size: u32) -> Result<Term, Fault> {
        let width = u32::try_from(digits.len()).ok().and_then(|count| count.checked_mul(size)).filter(|width| *width <= MOST_WIDTH);
        let Some(width) = width else { return Err(self.tree.fault(id, "this constant is too wide")) };
        let values: Vec<u32> = digits.chars().rev().filter_map(|digit| digit.to_digit(16)).collect();
        let bit = |index: u32| values.get((index / size) as usize).is_some_and(|digit| digit >> (index % size) & 1 == 1);
        Ok(self.terms.bits(Bits::from_fn(width, bit)))
    }

    /// `(_ bv5 32)`, `(_ +oo 8 24)` and so on.
    fn indexed_constant(&mut self, id: Id, name: Id, indices: &[Id]) -> Result<Term, Fault> {
        let name = self.tree.symbol(name)?;
        if let (Some(digits), &[width]) = (name.strip_prefix("bv"), indices) {
            let width = self.width(width)?;
            let value = digits.parse::<u128>().ok().filter(|value| width >= 128 || value >> width == 0);
            return match value {
                Some(value) => Ok(self.terms.number(width, value)),
                None => Err(self.tree.fault(id, "this is no number of that width")),
            };
        }
        let &[exponent, significand] = indices else { return Err(self.tree.fault(id, format!("`{name}` is not supported"))) };
        let Sort::Float(format) = self.float(id, self.tree.numeral(exponent)?, self.tree.numeral(significand)?)? else {
            return Err(self.tree.fault(id, "a float is expected"));
        };
        let sign = 1u128 << (format.bits() - 1);
        let pattern = match name {
            "+zero" => 0,
            "-zero" => sign,
            "+oo" => model::float::infinity(format),
            "-oo" => sign | model::float::infinity(format),
            "NaN" => model::float::nan(format, 0, false),
            _ => return Err(self.tree.fault(id, format!("`{name}` is not supported"))),
        };
        Ok(self.terms.float(format, pattern))
    }

    fn apply(&mut self, id: Id, args: &[Operand<'a>]) -> Result<Term, Fault> {
        let tree = self.tree;
        let Some(&head) = tree.list(id)?.first() else { return Err(tree.fault(id, "a term is expected")) };
        let result = match tree.form(head) {
            Form::Symbol(name) => match self.meaning(name).cloned() {
                Some(Meaning::Function { params, result }) => self.call(name, &params, result, args),
                Some(Meaning::Macro { params, body }) => self.expand(&params, body, args),
                Some(Meaning::Value(_)) => Err(format!("`{name}` is no function")),
                None => operators::apply(self.terms, &Head::Operator { name, indices: &[] }, args),
            },
            Form::List(items) => match (items.first().and_then(|&item| tree.as_symbol(item)), items.as_slice()) {
                (Some("_"), &[_, name, ref indices @ ..]) => {
                    let name = tree.symbol(name)?;
                    let indices = indices.iter().map(|&index| tree.numeral(index)).collect::<Result<Vec<u32>, Fault>>()?;
                    operators::apply(self.terms, &Head::Operator { name, indices: &indices }, args)
                }
                (Some("as"), &[_, name, sort]) if tree.as_symbol(name) == Some("const") => {
                    let sort = self.sort(sort)?;
                    operators::apply(self.terms, &Head::ConstantArray(sort), args)
                }
                _ => Err("this is no operator".to_owned()),
            },
            _ => Err("this is no operator".to_owned()),
        };
        result.map_err(|reason| tree.fault(id, reason))
    }

    fn call(&mut self, name: &str, params: &[Sort], result: Sort, args: &[Operand<'_>]) -> Result<Term, String> {
        let args = operators::checked(self.terms, params, args)?;
        let patterns: Vec<Term> = args.iter().map(|&arg| self.pattern(arg)).collect();
        let value = self.terms.call(name, &patterns, result.width());
        Ok(match result {
            Sort::Bool => self.terms.test_bit(value, 0),
            Sort::Float(format) => self.terms.float_from_bits(format, value),
            _ => value,
        })
    }

    /// The bits of a truth value, bit-vector or float.
    fn pattern(&mut self, term: Term) -> Term {
        match self.terms.sort(term) {
            Sort::Bool => self.terms.bit(term),
            Sort::Float(format) if shape(format).is_some() => self.terms.float_to_bits(term),
            _ => term,
        }
    }

    fn expand(&mut self, params: &[(Term, Sort)], body: Term, args: &[Operand<'_>]) -> Result<Term, String> {
        let sorts: Vec<Sort> = params.iter().map(|&(_, sort)| sort).collect();
        let args = operators::checked(self.terms, &sorts, args)?;
        let mut replaced = FxHashMap::default();
        for (&(variable, sort), arg) in params.iter().zip(args) {
            let arg = if matches!(sort, Sort::Float(_)) { self.terms.apply(Op::FloatToBits, &[arg], None) } else { arg };
            replaced.insert(variable, arg);
        }
        if self.terms.len() > MOST_TERMS {
            return Err("the definitions of this script are too large when they are applied".to_owned());
        }
        Ok(self.terms.substitute(body, &replaced))
    }
}

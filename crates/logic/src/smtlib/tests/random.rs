//! Random terms: what is printed is read back with the same meaning, and another solver agrees with the evaluator.

use std::io::Write;
use std::process::{Command, Stdio};

use model::FloatFormat;
use rustc_hash::FxHashMap;

use super::{parse, script};
use crate::bits::Bits;
use crate::eval::{ArrayValue, Assignment, Evaluator, Value};
use crate::op::{Op, Rounding};
use crate::sort::Sort;
use crate::term::{Term, Terms};

/// A sequence of numbers that looks random (splitmix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }
    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }
    fn choose<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }
    /// Bits with many extreme values.
    fn bits(&mut self, width: u32) -> Bits {
        let random = u128::from(self.next()) << 64 | u128::from(self.next());
        let random = Bits::new(width, random);
        match self.below(6) {
            0 => Bits::zero(width),
            1 => Bits::ones(width),
            2 => Bits::new(width, u128::from(self.next() % 4)),
            3 => Bits::min_signed(width),
            _ => random,
        }
    }
    /// A bit pattern of a float: often small numbers, and the special ones.
    fn pattern(&mut self, format: FloatFormat) -> Bits {
        let width = u32::from(format.bits());
        let bits = self.bits(width);
        match self.below(4) {
            0 => bits,
            1 => Bits::new(width, self.choose(&[model::float::infinity(format), model::float::nan(format, 3, false), 1])),
            _ => Bits::new(width, model::float::from_int(format, u128::from(self.next() % 2001), 64, true)),
        }
    }
}

const ARRAY: Sort = Sort::Array { index: 4, element: 8 };
const ROUNDINGS: [Rounding; 5] = [Rounding::NearestEven, Rounding::NearestAway, Rounding::TowardZero, Rounding::Up, Rounding::Down];

/// Which operators random terms have. The circuits of x87 remainders are large.
#[derive(Clone, Copy)]
struct Choice {
    formats: &'static [FloatFormat],
    ranges: bool,
    remainders: bool,
}

struct Garden {
    terms: Terms,
    random: Random,
    pool: Vec<Term>,
    assignment: Assignment,
    choice: Choice,
}

impl Garden {
    fn new(seed: u64, choice: Choice) -> Garden {
        let mut garden = Garden { terms: Terms::plain(), random: Random(seed), pool: Vec::new(), assignment: Assignment::new(), choice };
        let mut sorts = vec![Sort::Bool, ARRAY];
        sorts.extend([1, 4, 5, 8, 16].map(Sort::Bits));
        sorts.extend(choice.formats.iter().map(|format| Sort::Bits(u32::from(format.bits()))));
        for (number, &sort) in sorts.iter().chain(&sorts).enumerate() {
            let term = garden.terms.variable(&format!("v{number}"), sort);
            garden.pool.push(term);
        }
        let variables: Vec<_> = garden.terms.variable_terms().map(|(variable, _)| variable).collect();
        for variable in variables {
            let value = garden.value(garden.terms.variable_info(variable).1);
            garden.assignment.set(variable, value);
        }
        for &format in choice.formats {
            for _ in 0..2 {
                let pattern = garden.random.pattern(format);
                let bits = garden.terms.bits(pattern);
                let float = garden.terms.float_from_bits(format, bits);
                let variable = garden.pick(Sort::Bits(u32::from(format.bits())));
                let other = garden.terms.float_from_bits(format, variable);
                garden.pool.extend([float, other]);
            }
        }
        garden
    }
    fn value(&mut self, sort: Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(self.random.below(2) == 0),
            Sort::Array { index, element } => {
                let mut array = ArrayValue::constant(self.random.bits(element));
                for _ in 0..self.random.below(5) {
                    array.set(self.random.bits(index), self.random.bits(element));
                }
                Value::Array(array)
            }
            _ => match self.choice.formats.iter().find(|format| u32::from(format.bits()) == sort.width()) {
                Some(&format) => Value::Bits(self.random.pattern(format)),
                None => Value::Bits(self.random.bits(sort.width())),
            },
        }
    }
    fn pick(&mut self, sort: Sort) -> Term {
        let fitting: Vec<Term> = self.pool.iter().copied().filter(|&term| self.terms.sort(term) == sort).collect();
        self.random.choose(&fitting)
    }
    fn pick_bits(&mut self) -> Term {
        let fitting: Vec<Term> = self.pool.iter().copied().filter(|&term| matches!(self.terms.sort(term), Sort::Bits(..=64))).collect();
        self.random.choose(&fitting)
    }
    fn pick_any(&mut self) -> Term {
        let term = self.random.below(self.pool.len());
        self.pool[term]
    }
    fn grow(&mut self) {
        let term = match self.random.below(12) {
            0 => self.boolean(),
            1..=3 => self.bit_vector(),
            4 => self.resized(),
            5 | 6 => self.array(),
            _ => self.float(),
        };
        assert_eq!(self.terms.error(), None);
        self.pool.push(term);
    }
    fn boolean(&mut self) -> Term {
        let (a, b) = (self.pick(Sort::Bool), self.pick(Sort::Bool));
        match self.random.below(6) {
            0 => self.terms.not(a),
            1 => {
                let any = self.pick_any();
                let other = self.pick(self.terms.sort(any));
                self.terms.equal(any, other)
            }
            2 => {
                let any = self.pick_any();
                let other = self.pick(self.terms.sort(any));
                self.terms.ite(a, any, other)
            }
            _ => {
                let op = self.random.choose(&[Op::And, Op::Or, Op::Xor]);
                self.terms.apply(op, &[a, b], None)
            }
        }
    }
    fn bit_vector(&mut self) -> Term {
        let a = self.pick_bits();
        let b = self.pick(self.terms.sort(a));
        let op = self.random.choose(&[
            Op::BitAnd,
            Op::BitOr,
            Op::BitXor,
            Op::Add,
            Op::Sub,
            Op::Mul,
            Op::Udiv,
            Op::Urem,
            Op::Sdiv,
            Op::Srem,
            Op::Shl,
            Op::Lshr,
            Op::Ashr,
            Op::Ult,
            Op::Slt,
            Op::UmulOverflows,
            Op::SmulOverflows,
            Op::BitNot,
            Op::Neg,
        ]);
        if matches!(op, Op::BitNot | Op::Neg) { self.terms.apply(op, &[a], None) } else { self.terms.apply(op, &[a, b], None) }
    }
    fn resized(&mut self) -> Term {
        let a = self.pick_bits();
        let (width, more) = (self.terms.width(a), self.random.below(9) as u32);
        match self.random.below(4) {
            0 => {
                let low = self.random.below(width as usize) as u32;
                let high = low + self.random.below((width - low) as usize) as u32;
                self.terms.extract(a, high, low)
            }
            1 => self.terms.zero_extend(a, width + more),
            2 => self.terms.sign_extend(a, width + more),
            _ => {
                let b = self.pick_bits();
                self.terms.concat(a, b)
            }
        }
    }
    fn array(&mut self) -> Term {
        let (a, b) = (self.pick(ARRAY), self.pick(ARRAY));
        let [i, j, n] = [(); 3].map(|()| self.pick(Sort::Bits(4)));
        let v = self.pick(Sort::Bits(8));
        match self.random.below(if self.choice.ranges { 7 } else { 4 }) {
            0 | 1 => self.terms.select(a, i),
            2 => self.terms.store(a, i, v),
            3 => self.terms.constant_array(4, v),
            4 => self.terms.copy(a, i, b, j, n),
            5 => {
                let (high, step) = (self.pick(Sort::Bits(8)), self.random.choose(&[1, 2, 3, 4, 8, 1 << 40]));
                let end = self.end(n);
                self.terms.within(a, i, end, step, v, high)
            }
            _ => {
                let step = self.random.choose(&[1, 2, 3, 4, 8, 1 << 40]);
                let end = self.end(n);
                self.terms.agree(a, i, b, j, end, step)
            }
        }
    }
    /// The end of a segment: as wide as an index, or narrower.
    fn end(&mut self, index: Term) -> Term {
        let width = 1 + self.random.below(4) as u32;
        self.terms.extract(index, width - 1, 0)
    }
    fn float(&mut self) -> Term {
        let format = self.random.choose(self.choice.formats);
        let [a, b, c] = [(); 3].map(|()| self.pick(Sort::Float(format)));
        let (signed, width) = (self.random.below(2) == 0, 1 + self.random.below(70) as u32);
        match self.random.below(13) {
            0 => {
                let bits = self.pick(Sort::Bits(u32::from(format.bits())));
                self.terms.float_from_bits(format, bits)
            }
            1 => self.terms.float_to_bits(a),
            2..=4 => {
                let ops = [Op::FloatAdd, Op::FloatSub, Op::FloatMul, Op::FloatDiv, Op::FloatMod, Op::FloatRem];
                let op = self.random.choose(if self.choice.remainders { &ops } else { &ops[..4] });
                self.terms.apply(op, &[a, b], None)
            }
            5 => {
                let op = self.random.choose(&[Op::FloatSqrt, Op::FloatNeg, Op::FloatAbs, Op::FloatIsNan, Op::FloatIsInfinite]);
                self.terms.apply(op, &[a], None)
            }
            6 => {
                let rounding = self.random.choose(&ROUNDINGS);
                self.terms.float_round(a, rounding)
            }
            7 => self.terms.float_fma(a, b, c),
            8 => {
                let op = self.random.choose(&[Op::FloatEq, Op::FloatLt, Op::FloatLe]);
                self.terms.apply(op, &[a, b], None)
            }
            9 => {
                let to = self.random.choose(self.choice.formats);
                self.terms.float_convert(a, to)
            }
            10 => {
                let int = self.pick_bits();
                self.terms.float_from_int(int, signed, format)
            }
            11 => self.terms.float_to_int(a, signed, width),
            _ => self.terms.float_fits_int(a, signed, width),
        }
    }
    /// The constant term of a value.
    fn constant(&mut self, sort: Sort, value: &Value) -> Term {
        match (sort, value) {
            (Sort::Float(format), Value::Bits(bits)) => {
                let bits = self.terms.bits(bits.clone());
                self.terms.float_from_bits(format, bits)
            }
            (_, Value::Bits(bits)) => self.terms.bits(bits.clone()),
            (_, Value::Bool(value)) => self.terms.bool(*value),
            (_, Value::Array(array)) => {
                let default = self.terms.bits(array.default().clone());
                let mut term = self.terms.constant_array(4, default);
                for (index, element) in array.entries() {
                    let (index, element) = (self.terms.bits(index.clone()), self.terms.bits(element.clone()));
                    term = self.terms.store(term, index, element);
                }
                term
            }
        }
    }
}

/// The assignment for the variables that a script declares by itself: each is the bit pattern of a float, as an assertion says.
fn complete(terms: &Terms, assertions: &[Term], assignment: &mut Assignment) {
    let bits_of = |term: Term| match (terms.op(term), terms.args(term)) {
        (Op::FloatFromBits(_), &[bits]) => match terms.op(bits) {
            Op::Variable(variable) => Some(variable),
            _ => None,
        },
        _ => None,
    };
    let parts = assertions.iter().flat_map(|&assertion| terms.args(assertion));
    for &equal in parts.filter(|&&part| terms.op(part) == Op::Equal) {
        let &[a, b] = terms.args(equal) else { continue };
        for (own, float) in [(a, b), (b, a)] {
            if let Some(variable) = bits_of(own).filter(|&variable| assignment.get(variable).is_none()) {
                let value = Evaluator::new(terms, assignment).value(float).cloned().unwrap();
                assignment.set(variable, value);
                break;
            }
        }
    }
}

#[test]
fn what_is_printed_is_read_back() {
    let choice = Choice { formats: &[FloatFormat::F16, FloatFormat::F32, FloatFormat::F64], ranges: false, remainders: true };
    for seed in 0..60 {
        let mut garden = Garden::new(seed, choice);
        for _ in 0..40 {
            garden.grow();
        }
        let roots: Vec<Term> = garden.pool.iter().copied().filter(|&term| garden.terms.sort(term) == Sort::Bool).collect();
        let expected: Vec<Option<bool>> = {
            let mut evaluator = Evaluator::new(&garden.terms, &garden.assignment);
            roots.iter().map(|&root| evaluator.holds(root)).collect()
        };
        let values: FxHashMap<String, Value> = garden
            .terms
            .variable_terms()
            .filter_map(|(variable, _)| Some((garden.terms.variable_info(variable).0.to_owned(), garden.assignment.get(variable)?.clone())))
            .collect();
        let text = script(&mut garden.terms, &roots, &[]);
        let mut terms = Terms::plain();
        let read = parse(&mut terms, &text).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{text}"));
        let mut assignment = Assignment::new();
        for (variable, _) in terms.variable_terms() {
            if let Some(value) = values.get(terms.variable_info(variable).0) {
                assignment.set(variable, value.clone());
            }
        }
        let (definitions, read_roots) = read.assertions.split_at(read.assertions.len() - roots.len());
        complete(&terms, definitions, &mut assignment);
        let mut evaluator = Evaluator::new(&terms, &assignment);
        for &definition in definitions {
            assert_eq!(evaluator.holds(definition), Some(true), "seed {seed}: {}\n{text}", terms.display(definition));
        }
        for (&root, expected) in read_roots.iter().zip(expected) {
            assert_eq!(evaluator.holds(root), expected, "seed {seed}: {}\n{text}", terms.display(root));
        }
    }
}

/// What z3 answers to a script; `None` if there is no z3.
fn ask_z3(text: &str) -> Option<String> {
    let mut z3 = Command::new("z3").args(["-in", "rlimit=3000000"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().ok()?;
    let mut input = z3.stdin.take()?;
    input.write_all(text.as_bytes()).ok()?;
    drop(input);
    Some(String::from_utf8_lossy(&z3.wait_with_output().ok()?.stdout).trim().to_owned())
}

/// Under random values of the variables, no term may have another value than the evaluator says.
fn agrees_with_z3(seeds: std::ops::Range<u64>, choice: Choice) {
    let mut undecided = 0;
    for seed in seeds.clone() {
        let mut garden = Garden::new(seed, choice);
        for _ in 0..12 {
            garden.grow();
        }
        let pool = garden.pool.clone();
        let mut assertions = Vec::new();
        let variables: Vec<_> = pool.iter().copied().filter(|&term| matches!(garden.terms.op(term), Op::Variable(_))).collect();
        let mut wrong = Vec::new();
        for &term in &pool {
            let sort = garden.terms.sort(term);
            let Some(value) = Evaluator::new(&garden.terms, &garden.assignment).value(term).cloned() else { continue };
            let value = garden.constant(sort, &value);
            if variables.contains(&term) {
                assertions.push(garden.terms.equal(term, value));
            } else {
                wrong.push(garden.terms.differ(term, value));
            }
        }
        assertions.push(garden.terms.any(wrong));
        let text = script(&mut garden.terms, &assertions, &[]);
        let Some(answer) = ask_z3(&text) else {
            eprintln!("skipped: there is no z3 to compare with");
            return;
        };
        match answer.as_str() {
            "unsat" => {}
            "unknown" | "timeout" => undecided += 1,
            _ => panic!("seed {seed}: z3 says {answer}\n{text}"),
        }
    }
    eprintln!("z3 left {undecided} of {} questions open", seeds.count());
}

#[test]
fn z3_agrees_on_half_and_single_floats() {
    agrees_with_z3(100..108, Choice { formats: &[FloatFormat::F16, FloatFormat::F32], ranges: false, remainders: true });
}

#[test]
fn z3_agrees_on_ranges_of_arrays() {
    agrees_with_z3(200..210, Choice { formats: &[FloatFormat::F16], ranges: true, remainders: true });
}

#[test]
fn z3_agrees_on_x87_circuits() {
    agrees_with_z3(300..306, Choice { formats: &[FloatFormat::X87, FloatFormat::F16], ranges: false, remainders: false });
}

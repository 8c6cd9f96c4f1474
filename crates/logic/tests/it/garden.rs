//! Random terms, made the same way in two stores: one that keeps them as they are, one that rewrites.

use logic::{ArrayValue, Assignment, Bits, Op, Sort, Term, Terms, Value};

/// A sequence of numbers that looks random (splitmix64).
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }
    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }
    pub fn choose<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }
    /// Bits with many special values: 0, 1, -1, powers of two, masks, extremes.
    pub fn bits(&mut self, width: u32) -> Bits {
        let random = u128::from(self.next()) << 64 | u128::from(self.next());
        let place = self.below(width as usize) as u32;
        let power = Bits::one(width).shl(&Bits::new(width, u128::from(place)));
        match self.below(10) {
            0 => Bits::zero(width),
            1 => Bits::one(width),
            2 => Bits::ones(width),
            3 => Bits::min_signed(width),
            4 => Bits::max_signed(width),
            5 => power,
            6 => power.sub(&Bits::one(width)),
            7 => power.neg(),
            _ => Bits::new(width, random),
        }
    }
    /// An array with a few entries.
    pub fn array(&mut self, index: u32, element: u32) -> ArrayValue {
        let mut array = ArrayValue::constant(self.bits(element));
        for _ in 0..self.below(4) {
            let (at, value) = (self.bits(index), self.bits(element));
            array.set(at, value);
        }
        array
    }
    pub fn value(&mut self, sort: Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(self.below(2) == 0),
            Sort::Array { index, element } => Value::Array(self.array(index, element)),
            _ => Value::Bits(self.bits(sort.width())),
        }
    }
}

/// One term in both stores.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Plant {
    pub plain: Term,
    pub simple: Term,
}

/// What may grow in a garden.
#[derive(Clone, Copy)]
pub struct Soil {
    /// The width of most bit-vectors.
    pub width: u32,
    /// The widths of the index and the elements of arrays; `None` for no arrays.
    pub array: Option<(u32, u32)>,
    /// Whether arrays are compared and searched, not only read and written.
    pub extended: bool,
    /// How many variables there are of each sort.
    pub variables: usize,
    /// Whether there are products and quotients.
    pub products: bool,
}

pub struct Garden {
    pub plain: Terms,
    pub simple: Terms,
    pub random: Random,
    pub pool: Vec<Plant>,
    soil: Soil,
}

const UNARY: [Op; 2] = [Op::BitNot, Op::Neg];
const BINARY: [Op; 8] = [Op::BitAnd, Op::BitOr, Op::BitXor, Op::Add, Op::Sub, Op::Shl, Op::Lshr, Op::Ashr];
const PRODUCTS: [Op; 5] = [Op::Mul, Op::Udiv, Op::Urem, Op::Sdiv, Op::Srem];
/// Steps of segments.
const STEPS: [u64; 7] = [1, 1, 2, 3, 4, 8, 1 << 40];
const COMPARISONS: [Op; 3] = [Op::Equal, Op::Ult, Op::Slt];
const OVERFLOWS: [Op; 2] = [Op::UmulOverflows, Op::SmulOverflows];
const CONNECTIVES: [Op; 4] = [Op::And, Op::Or, Op::Xor, Op::Equal];

impl Garden {
    pub fn new(seed: u64, soil: Soil) -> Garden {
        let mut garden = Garden { plain: Terms::plain(), simple: Terms::new(), random: Random(seed), pool: Vec::new(), soil };
        for number in 0..soil.variables {
            garden.variable(&format!("p{number}"), Sort::Bool);
            garden.variable(&format!("x{number}"), Sort::Bits(soil.width));
            if let Some((index, element)) = soil.array {
                garden.variable(&format!("m{number}"), Sort::Array { index, element });
                if index != soil.width {
                    garden.variable(&format!("i{number}"), Sort::Bits(index));
                }
            }
        }
        garden
    }
    pub fn sort(&self, plant: Plant) -> Sort {
        self.plain.sort(plant.plain)
    }
    fn keep(&mut self, plain: Term, simple: Term) -> Plant {
        let plant = Plant { plain, simple };
        assert_eq!(self.plain.sort(plain), self.simple.sort(simple));
        self.pool.push(plant);
        plant
    }
    pub fn variable(&mut self, name: &str, sort: Sort) -> Plant {
        let (plain, simple) = (self.plain.variable(name, sort), self.simple.variable(name, sort));
        self.keep(plain, simple)
    }
    pub fn constant(&mut self, value: Bits) -> Plant {
        let (plain, simple) = (self.plain.bits(value.clone()), self.simple.bits(value));
        self.keep(plain, simple)
    }
    pub fn apply(&mut self, op: Op, args: &[Plant], wanted: Option<Sort>) -> Plant {
        let plain: Vec<Term> = args.iter().map(|plant| plant.plain).collect();
        let simple: Vec<Term> = args.iter().map(|plant| plant.simple).collect();
        let (plain, simple) = (self.plain.apply(op, &plain, wanted), self.simple.apply(op, &simple, wanted));
        self.keep(plain, simple)
    }

    /// A term of this sort that there is already, rather a new one; or a new constant.
    pub fn pick(&mut self, sort: Sort) -> Plant {
        let fitting: Vec<Plant> = self.pool.iter().copied().filter(|plant| self.sort(*plant) == sort).collect();
        if fitting.is_empty() || self.random.below(6) == 0 {
            return self.leaf(sort);
        }
        let latest = fitting.len().saturating_sub(6);
        let from = if self.random.below(2) == 0 { latest } else { 0 };
        fitting[from + self.random.below(fitting.len() - from)]
    }
    fn leaf(&mut self, sort: Sort) -> Plant {
        match sort {
            Sort::Bool => {
                let value = self.random.below(2) == 0;
                let (plain, simple) = (self.plain.bool(value), self.simple.bool(value));
                self.keep(plain, simple)
            }
            Sort::Array { index, element } => {
                let content = self.random.array(index, element);
                let (plain, simple) = (self.plain.table(index, content.clone()), self.simple.table(index, content));
                self.keep(plain, simple)
            }
            _ => {
                let value = self.random.bits(sort.width());
                self.constant(value)
            }
        }
    }
    fn width(&mut self) -> u32 {
        let widths: Vec<u32> = self.pool.iter().map(|plant| self.sort(*plant).width()).filter(|width| *width > 0).collect();
        if self.random.below(3) == 0 { self.random.choose(&widths) } else { self.soil.width }
    }
    fn binary(&mut self, ops: &[Op]) -> Plant {
        let (op, sort) = (self.random.choose(ops), Sort::Bits(self.width()));
        let (a, b) = (self.pick(sort), self.pick(sort));
        self.apply(op, &[a, b], None)
    }

    /// One more term.
    pub fn grow(&mut self) -> Plant {
        match self.random.below(if self.soil.array.is_some() { 20 } else { 14 }) {
            0 => {
                let (op, sort) = (self.random.choose(&UNARY), Sort::Bits(self.width()));
                let a = self.pick(sort);
                self.apply(op, &[a], None)
            }
            1..=3 => self.binary(&BINARY),
            4 if self.soil.products => self.binary(&PRODUCTS),
            5 if self.soil.products => self.binary(&OVERFLOWS),
            4..=6 => self.binary(&COMPARISONS),
            7 => {
                let a = self.pick(Sort::Bool);
                self.apply(Op::Not, &[a], None)
            }
            8 => {
                let op = self.random.choose(&CONNECTIVES);
                let (a, b) = (self.pick(Sort::Bool), self.pick(Sort::Bool));
                self.apply(op, &[a, b], None)
            }
            9 | 10 => {
                let width = self.width();
                let sort = self.random.choose(&[Sort::Bits(width), Sort::Bits(width), Sort::Bool]);
                self.choice(sort)
            }
            11..=13 => self.reshaped(),
            _ => self.array(),
        }
    }
    /// The low bits of a number, or all of them: where a segment ends.
    fn cut(&mut self, number: Plant) -> Plant {
        let width = self.sort(number).width();
        match 1 + self.random.below(width as usize) as u32 {
            low if low < width => self.apply(Op::Extract(0), &[number], Some(Sort::Bits(low))),
            _ => number,
        }
    }
    fn choice(&mut self, sort: Sort) -> Plant {
        let (condition, yes, no) = (self.pick(Sort::Bool), self.pick(sort), self.pick(sort));
        self.apply(Op::Ite, &[condition, yes, no], None)
    }
    fn reshaped(&mut self) -> Plant {
        let width = self.width();
        let a = self.pick(Sort::Bits(width));
        let more = Sort::Bits(width + self.random.below(4) as u32);
        match self.random.below(5) {
            0 if width <= 2 * self.soil.width => {
                let width = self.width();
                let b = self.pick(Sort::Bits(width));
                self.apply(Op::Concat, &[a, b], None)
            }
            1 if width <= 2 * self.soil.width => self.apply(Op::ZeroExtend, &[a], Some(more)),
            2 if width <= 2 * self.soil.width => self.apply(Op::SignExtend, &[a], Some(more)),
            // Back to the width that most have.
            3 if width > self.soil.width => {
                let low = self.random.below((width - self.soil.width) as usize + 1) as u32;
                self.apply(Op::Extract(low), &[a], Some(Sort::Bits(self.soil.width)))
            }
            _ => {
                let low = self.random.below(width as usize) as u32;
                let part = 1 + self.random.below((width - low) as usize) as u32;
                self.apply(Op::Extract(low), &[a], Some(Sort::Bits(part)))
            }
        }
    }
    fn array(&mut self) -> Plant {
        let (index, element) = self.soil.array.unwrap();
        let sort = Sort::Array { index, element };
        let (index, element) = (Sort::Bits(index), Sort::Bits(element));
        let array = self.pick(sort);
        match self.random.below(if self.soil.extended { 11 } else { 8 }) {
            0..=2 => {
                let at = self.pick(index);
                self.apply(Op::Select, &[array, at], None)
            }
            3 | 4 => {
                let (at, value) = (self.pick(index), self.pick(element));
                self.apply(Op::Store, &[array, at, value], None)
            }
            5 => {
                let (at, source, from, count) = (self.pick(index), self.pick(sort), self.pick(index), self.pick(index));
                self.apply(Op::Copy, &[array, at, source, from, count], None)
            }
            6 => self.choice(sort),
            7 => {
                let value = self.pick(element);
                self.apply(Op::ConstantArray, &[value], Some(sort))
            }
            8 => {
                let other = self.pick(sort);
                self.apply(Op::Equal, &[array, other], None)
            }
            9 => {
                let (from, end, low, high) = (self.pick(index), self.pick(index), self.pick(element), self.pick(element));
                let end = self.cut(end);
                let step = self.random.choose(&STEPS);
                self.apply(Op::Within { step }, &[array, from, end, low, high], None)
            }
            _ => {
                let (from, other, from_other, end) = (self.pick(index), self.pick(sort), self.pick(index), self.pick(index));
                let end = self.cut(end);
                let step = self.random.choose(&STEPS);
                self.apply(Op::Agree { step }, &[array, from, other, from_other, end], None)
            }
        }
    }

    /// A random value for each variable. Variables are the same in both stores.
    pub fn assignment(&mut self) -> Assignment {
        let mut assignment = Assignment::new();
        for (variable, term) in self.plain.variable_terms() {
            assignment.set(variable, self.random.value(self.plain.sort(term)));
        }
        assignment
    }
}

/// A term made anew in a store that keeps it as it is.
pub fn rebuild(from: &Terms, term: Term, to: &mut Terms) -> Term {
    let mut done = std::collections::HashMap::new();
    for part in from.cone(&[term]) {
        let node = from.node(part);
        let copy = match node.op {
            Op::Constant(constant) => to.bits(from.constant_value(constant).clone()),
            Op::Variable(variable) => to.variable(from.variable_info(variable).0, node.sort),
            Op::Table(table) => {
                let Sort::Array { index, .. } = node.sort else { panic!("a table is an array") };
                to.table(index, from.table_value(table).clone())
            }
            op => {
                let args: Vec<Term> = node.args.iter().map(|arg| done[arg]).collect();
                to.apply(op, &args, Some(node.sort))
            }
        };
        done.insert(part, copy);
    }
    done[&term]
}

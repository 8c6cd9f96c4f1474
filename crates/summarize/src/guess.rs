//! Inputs to try: constants that programs compare with, the same again and again, or at random.

use std::rc::Rc;

use interp::Request;
use interp::input::splitmix;
use kernel::Candidate;
use model::{ExprKind, Program, Type};
use rustc_hash::{FxHashMap, FxHashSet};

/// How inputs are chosen in a run. Each choice is a function of the requests so far, so a run can be repeated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Guess {
    /// Always this number.
    Constant(i128),
    /// Each place where an input is read has a number of its own, chosen by this seed.
    Sites(u64),
    /// So many at random, then as [`Guess::Sites`].
    Prefix(u64, u32),
    /// All at random.
    Random(u64),
    /// What the same function gave before.
    Last,
}

/// Numbers and texts that are worth trying.
#[derive(Clone, Debug)]
pub struct Pool {
    numbers: Vec<i128>,
    texts: Vec<Vec<u8>>,
}

/// More numbers and texts of a program are not tried, nor longer ones.
const NUMBERS: usize = 96;
const TEXTS: usize = 48;
const LENGTH: usize = 24;

impl Pool {
    /// Small numbers, the ends of the usual types, and the constants of the program with their neighbours; the same as texts, and the program's strings.
    pub fn of(program: &Program) -> Self {
        let mut found: Vec<i128> = vec![0, 1, -1, 2, 3, 10, i128::from(i32::MAX), i128::from(i32::MIN)];
        let mut seen: FxHashSet<i128> = found.iter().copied().collect();
        let bodies = program.functions.iter().filter_map(|function| function.body.as_ref());
        for expr in bodies.flat_map(|body| body.exprs.iter()) {
            if let (ExprKind::Int(pattern), Type::Int { .. }) = (&expr.kind, program.types.get(expr.ty)) {
                let value = program.types.value(expr.ty, *pattern);
                for near in [value, value.saturating_add(1), value.saturating_sub(1)] {
                    if found.len() < NUMBERS && seen.insert(near) {
                        found.push(near);
                    }
                }
            }
        }
        let strings = program.globals.iter().filter(|global| global.constant).filter_map(|global| global.init.as_ref());
        let strings = strings.filter_map(|init| init.chunks.first()?.bytes.split(|byte| *byte == 0).next());
        let mut texts: Vec<Vec<u8>> = strings.filter(|text| (1..=LENGTH).contains(&text.len())).map(<[u8]>::to_vec).take(TEXTS).collect();
        texts.extend(found.iter().take(TEXTS).map(|number| number.to_string().into_bytes()));
        Pool { numbers: found, texts }
    }

    /// Some texts, if the guess is made at random.
    pub fn words(&self, guess: Guess) -> Vec<Vec<u8>> {
        let (Guess::Sites(seed) | Guess::Prefix(seed, _) | Guess::Random(seed)) = guess else { return Vec::new() };
        let mut state = seed ^ 0x2545_f491;
        let count = 1 + splitmix(&mut state) % 3;
        (0..count).filter_map(|_| self.texts.get(splitmix(&mut state) as usize % self.texts.len().max(1)).cloned()).collect()
    }
}

/// Answers requests as a guess says.
pub struct Guesser {
    guess: Guess,
    pool: Rc<Pool>,
    sites: FxHashMap<(model::Span, u16), u128>,
    asked: u32,
    state: u64,
    /// Values that come first, where there are some.
    first: Option<Candidate>,
    last: FxHashMap<String, u128>,
}

impl Guesser {
    /// With values that come first, where there are some.
    pub fn new(guess: Guess, pool: Rc<Pool>, first: Option<Candidate>) -> Self {
        let state = match guess {
            Guess::Constant(_) | Guess::Last => 0,
            Guess::Sites(seed) | Guess::Prefix(seed, _) | Guess::Random(seed) => seed,
        };
        let state = state.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d;
        Guesser { guess, pool, sites: FxHashMap::default(), asked: 0, state, first, last: FxHashMap::default() }
    }

    /// The value for a request.
    pub fn answer(&mut self, request: &Request) -> u128 {
        if let Some(value) = self.first.as_mut().and_then(|first| first.take(request)) {
            self.last.insert(request.what.clone(), value);
            return value;
        }
        self.asked += 1;
        match self.guess {
            Guess::Last => self.last.get(&request.what).copied().unwrap_or(0),
            Guess::Constant(number) => number as u128,
            Guess::Random(_) => self.draw(),
            Guess::Prefix(_, count) if self.asked <= count => self.draw(),
            Guess::Sites(_) | Guess::Prefix(..) => {
                let site = (request.span, request.bits);
                match self.sites.get(&site) {
                    Some(value) => *value,
                    None => {
                        let value = self.draw();
                        self.sites.insert(site, value);
                        value
                    }
                }
            }
        }
    }

    /// A number: mostly a truth value, often one that the program mentions, sometimes any.
    fn draw(&mut self) -> u128 {
        let random = splitmix(&mut self.state);
        let choice = random >> 32;
        match random % 10 {
            0..=3 => u128::from(choice & 1),
            4..=7 => self.pool.numbers.get(choice as usize % self.pool.numbers.len().max(1)).copied().unwrap_or(0) as u128,
            8 => u128::from(choice % 10),
            _ => u128::from(splitmix(&mut self.state)) << 64 | u128::from(splitmix(&mut self.state)),
        }
    }
}

//! How fast questions are answered: many small ones on one body, large bodies, large arrays, and the arithmetic that solvers fear.

use std::io::Write;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use logic::sat::Budget;
use logic::{Answer, Context, Op, Sort, Term, Terms};

/// A sequence of numbers that looks random (splitmix64).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ mixed >> 31) % bound as u64) as usize
    }
}

fn main() {
    queries();
    doubling();
    arrays();
    equivalences();
}

/// How many variables a body has.
const STATE: usize = 16;

/// The state after so many statements as loops in C have them: counters go up, values are copied, added, masked and compared with constants, some
/// go through memory.
fn body(terms: &mut Terms, statements: usize) -> Vec<Term> {
    let mut random = Random(7);
    let mut state: Vec<Term> = (0..STATE).map(|number| terms.variable(&format!("v{number}"), Sort::Bits(32))).collect();
    let mut memory = terms.variable("memory", Sort::Array { index: 32, element: 32 });
    for number in 0..statements {
        let (a, b, target) = (state[random.below(STATE)], state[random.below(STATE)], random.below(STATE));
        let constant = terms.number(32, 1 + random.below(100) as u128);
        state[target] = match number % 20 {
            3 => terms.mul(a, constant),
            5 => terms.bit_and(a, constant),
            9 => terms.select(memory, a),
            14 => {
                memory = terms.store(memory, a, b);
                state[target]
            }
            4 | 8 | 12 | 16 => {
                let (less, more) = (terms.slt(a, constant), terms.add(state[target], constant));
                terms.ite(less, more, state[target])
            }
            2 | 7 => terms.add(a, b),
            6 | 11 | 18 => a,
            _ => terms.add(state[target], constant),
        };
    }
    state
}

fn queries() {
    let mut terms = Terms::new();
    let state = body(&mut terms, 100);
    let mut context = Context::new();
    let mut random = Random(1);
    let (mut sat, mut unsat) = (0, 0);
    let start = Instant::now();
    let bound = terms.number(32, 1000);
    for number in 0..STATE {
        let variable = terms.variable(&format!("v{number}"), Sort::Bits(32));
        let small = terms.ult(variable, bound);
        context.assert(&mut terms, small);
    }
    // What is asked about: relations between variables, and between variables and constants.
    let mut candidates = Vec::new();
    for _ in 0..200 {
        let (a, b) = (state[random.below(STATE)], state[random.below(STATE)]);
        let constant = terms.number(32, random.below(1000) as u128);
        let candidate = match random.below(4) {
            0 => terms.slt(a, constant),
            1 => terms.ult(constant, a),
            2 => terms.differ(a, b),
            _ => terms.sle(a, b),
        };
        context.prepare(&mut terms, candidate);
        candidates.push(candidate);
    }
    let encoded = start.elapsed();
    let start = Instant::now();
    const COUNT: usize = 10_000;
    for _ in 0..COUNT {
        let assumptions: Vec<Term> = (0..4).map(|_| candidates[random.below(candidates.len())]).collect();
        match context.solve(&mut terms, &assumptions, &Budget::unlimited()) {
            Answer::Sat => sat += 1,
            Answer::Unsat => unsat += 1,
            Answer::Unknown(unknown) => panic!("{unknown}"),
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    let statistics = context.statistics();
    println!("{COUNT} questions on a body of 100 statements ({sat} sat, {unsat} unsat), encoded in {:.1} ms", encoded.as_secs_f64() * 1e3);
    println!(
        "  {:.0} a second; {:.1} conflicts and {:.2} searches each; {} variables, {} axioms of arrays\n",
        COUNT as f64 / seconds,
        statistics.solver.conflicts as f64 / COUNT as f64,
        statistics.solver.solves as f64 / COUNT as f64,
        statistics.solver.variables,
        statistics.lemmas
    );
}

/// The largest memory that the process had so far, in MiB.
fn peak() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok()).unwrap_or(0.0) / 1024.0
}

fn doubling() {
    println!(
        "{:>10} {:>9} {:>10} {:>10} {:>9} {:>12} {:>9}",
        "statements", "terms", "variables", "clauses", "seconds", "µs/statement", "peak MiB"
    );
    for statements in [500, 1000, 2000, 4000, 8000, 16_000] {
        let start = Instant::now();
        let mut terms = Terms::new();
        let state = body(&mut terms, statements);
        let mut context = Context::new();
        for &term in &state {
            let nonzero = terms.nonzero(term);
            context.assert(&mut terms, nonzero);
        }
        let seconds = start.elapsed().as_secs_f64();
        let (statistics, size) = (context.statistics().solver, terms.len());
        println!(
            "{statements:>10} {size:>9} {:>10} {:>10} {seconds:>9.3} {:>12.1} {:>9.1}",
            statistics.variables,
            statistics.clauses,
            seconds * 1e6 / statements as f64,
            peak()
        );
    }
    println!();
}

/// Writes and reads at symbolic indices: all indices differ, so each read finds what was written there.
fn accesses(index: u32, elements: u128, count: usize) -> (f64, u64) {
    let start = Instant::now();
    let mut terms = Terms::new();
    let mut context = Context::new();
    let bound = terms.number(index, elements - 1);
    let mut array = terms.variable("array", Sort::Array { index, element: 32 });
    let mut written = Vec::new();
    for number in 0..count {
        let (at, value) = (terms.variable(&format!("i{number}"), Sort::Bits(index)), terms.variable(&format!("x{number}"), Sort::Bits(32)));
        let inside = terms.ule(at, bound);
        context.assert(&mut terms, inside);
        for &(other, _) in &written {
            let differ = terms.differ(at, other);
            context.assert(&mut terms, differ);
        }
        array = terms.store(array, at, value);
        written.push((at, value));
    }
    for (at, value) in written {
        let found = terms.select(array, at);
        let lost = terms.differ(found, value);
        assert_eq!(context.solve(&mut terms, &[lost], &Budget::unlimited()), Answer::Unsat);
        let kept = terms.equal(found, value);
        assert_eq!(context.solve(&mut terms, &[kept], &Budget::unlimited()), Answer::Sat);
    }
    (start.elapsed().as_secs_f64(), context.statistics().lemmas)
}

fn arrays() {
    println!("{:<44} {:>9} {:>8}", "12 writes, 12 reads at symbolic indices", "seconds", "axioms");
    for (name, index, elements) in [
        ("16 elements, 4 bits", 4, 16),
        ("16 elements, 32 bits", 32, 16),
        ("1 000 000 elements, 20 bits", 20, 1_000_000),
        ("1 000 000 elements, 32 bits", 32, 1_000_000),
    ] {
        let (seconds, lemmas) = accesses(index, elements, 12);
        println!("{name:<44} {seconds:>9.3} {lemmas:>8}");
    }
    println!();
}

const PATIENCE: Duration = Duration::from_secs(10);

/// The time and answer of z3, if it is installed.
fn z3(script: &str) -> String {
    let start = Instant::now();
    let run = || {
        let mut z3 = Command::new("z3")
            .args(["-in", &format!("-T:{}", PATIENCE.as_secs())])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .ok()?;
        z3.stdin.take()?.write_all(script.as_bytes()).ok()?;
        let output = z3.wait_with_output().ok()?;
        String::from_utf8_lossy(&output.stdout).lines().next().map(ToOwned::to_owned)
    };
    run().map_or_else(|| "not installed".to_owned(), |answer| format!("{answer} {:.3}", start.elapsed().as_secs_f64()))
}

type Claim = (&'static str, u32, fn(&mut Terms, Term, Term) -> Term);

/// Claims about `x` and `y`, by what would refute them.
const CLAIMS: &[Claim] = &[
    ("x * y == y * x, by other names", 8, commutes),
    ("x * y == y * x, by other names", 12, commutes),
    ("(x / y) * y + x % y == x", 8, quotient_and_remainder),
    ("(x / y) * y + x % y == x", 12, quotient_and_remainder),
    ("(x / y) * y + x % y == x", 32, quotient_and_remainder),
    ("x / 10 == (x * 0xcccd) >> 19", 16, division_by_multiplication),
    ("x / 7 * 7 + x % 7 == x", 32, division_by_constant),
    ("x * 10 == (x << 3) + (x << 1)", 32, multiplication_by_shifts),
    ("x / 8 == x >> 3, signed, x >= 0", 32, signed_shift),
    ("x * x >= 0 unless it overflows", 16, squares),
    ("x * x >= 0 unless it overflows", 32, squares),
    ("x <= 46340 => x * x fits", 32, small_squares),
    ("x * y overflows as its wide product says", 8, overflow),
    ("x * y overflows as its wide product says", 12, overflow),
    ("x * (y + 1) == x * y + x", 8, distributes),
    ("x % y < y unless y == 0", 32, remainder_is_less),
    ("x / y <= x unless y == 0", 32, quotient_is_not_more),
];

fn commutes(terms: &mut Terms, x: Term, y: Term) -> Term {
    let sort = terms.sort(x);
    let (u, v) = (terms.variable("u", sort), terms.variable("v", sort));
    let (left, right) = (terms.mul(x, y), terms.mul(v, u));
    let parts = [terms.equal(x, u), terms.equal(y, v), terms.differ(left, right)];
    terms.all(parts)
}
fn quotient_and_remainder(terms: &mut Terms, x: Term, y: Term) -> Term {
    let (quotient, remainder) = (terms.udiv(x, y), terms.urem(x, y));
    let product = terms.mul(quotient, y);
    let sum = terms.add(product, remainder);
    terms.differ(sum, x)
}
fn division_by_multiplication(terms: &mut Terms, x: Term, _: Term) -> Term {
    let wide = terms.zero_extend(x, 32);
    let (ten, magic, shift) = (terms.number(32, 10), terms.number(32, 0xcccd), terms.number(32, 19));
    let (quotient, product) = (terms.udiv(wide, ten), terms.mul(wide, magic));
    let shifted = terms.lshr(product, shift);
    terms.differ(quotient, shifted)
}
fn division_by_constant(terms: &mut Terms, x: Term, _: Term) -> Term {
    let seven = terms.number(32, 7);
    quotient_and_remainder(terms, x, seven)
}
fn multiplication_by_shifts(terms: &mut Terms, x: Term, _: Term) -> Term {
    let (ten, three, one) = (terms.number(32, 10), terms.number(32, 3), terms.number(32, 1));
    let (product, eightfold, double) = (terms.mul(x, ten), terms.shl(x, three), terms.shl(x, one));
    let sum = terms.add(eightfold, double);
    terms.differ(product, sum)
}
fn signed_shift(terms: &mut Terms, x: Term, _: Term) -> Term {
    let (eight, three, zero) = (terms.number(32, 8), terms.number(32, 3), terms.zero(32));
    let (quotient, shifted) = (terms.sdiv(x, eight), terms.ashr(x, three));
    let parts = [terms.sle(zero, x), terms.differ(quotient, shifted)];
    terms.all(parts)
}
fn squares(terms: &mut Terms, x: Term, _: Term) -> Term {
    let (square, overflows, zero) = (terms.mul(x, x), terms.smul_overflows(x, x), terms.zero(terms.width(x)));
    let parts = [terms.not(overflows), terms.slt(square, zero)];
    terms.all(parts)
}
fn small_squares(terms: &mut Terms, x: Term, _: Term) -> Term {
    let bound = terms.number(32, 46340);
    let parts = [terms.ule(x, bound), terms.smul_overflows(x, x)];
    terms.all(parts)
}
fn overflow(terms: &mut Terms, x: Term, y: Term) -> Term {
    let width = terms.width(x);
    let (a, b) = (terms.sign_extend(x, 2 * width), terms.sign_extend(y, 2 * width));
    let (exact, cut) = (terms.mul(a, b), terms.mul(x, y));
    let again = terms.sign_extend(cut, 2 * width);
    let (lost, overflows) = (terms.differ(exact, again), terms.smul_overflows(x, y));
    terms.xor(lost, overflows)
}
fn distributes(terms: &mut Terms, x: Term, y: Term) -> Term {
    let one = terms.one(terms.width(x));
    let (more, product) = (terms.add(y, one), terms.mul(x, y));
    let (left, right) = (terms.mul(x, more), terms.add(product, x));
    terms.differ(left, right)
}
fn remainder_is_less(terms: &mut Terms, x: Term, y: Term) -> Term {
    let remainder = terms.urem(x, y);
    let parts = [terms.nonzero(y), terms.ule(y, remainder)];
    terms.all(parts)
}
fn quotient_is_not_more(terms: &mut Terms, x: Term, y: Term) -> Term {
    let quotient = terms.apply(Op::Udiv, &[x, y], None);
    let parts = [terms.nonzero(y), terms.ult(x, quotient)];
    terms.all(parts)
}

fn equivalences() {
    println!("{:<44} {:>5} {:>9} {:>10} {:>20}", "claim", "bits", "seconds", "conflicts", "z3");
    for &(name, width, claim) in CLAIMS {
        let mut terms = Terms::new();
        let (x, y) = (terms.variable("x", Sort::Bits(width)), terms.variable("y", Sort::Bits(width)));
        let refuted = claim(&mut terms, x, y);
        let mut context = Context::new();
        let start = Instant::now();
        context.assert(&mut terms, refuted);
        let answer = context.solve(&mut terms, &[], &Budget::unlimited().with_deadline(start + PATIENCE));
        let seconds = start.elapsed().as_secs_f64();
        assert_ne!(answer, Answer::Sat, "{name} at {width} bits");
        let seconds = if answer == Answer::Unsat { format!("{seconds:.3}") } else { "-".to_owned() };
        // z3 gets the terms as they are written.
        let mut plain = Terms::plain();
        let (x, y) = (plain.variable("x", Sort::Bits(width)), plain.variable("y", Sort::Bits(width)));
        let refuted = claim(&mut plain, x, y);
        let script = logic::smtlib::script(&mut plain, &[refuted], &[]);
        println!("{name:<44} {width:>5} {seconds:>9} {:>10} {:>20}", context.statistics().solver.conflicts, z3(&script));
    }
}

//! The template of closed sets: equations, bounds, residues, differences of variables, and relations of variables that change by constant steps (periodic sets,
//! *Non-Termination Proofs from Templates* chapter 6).

use kernel::ranking::{Measure, Shape};
use kernel::{Atom, Comparison};
use model::{ExprKind, FunctionId, Program, Type};

/// More variables that change, and more constants, are not used.
const VARIABLES: usize = 10;
const CONSTANTS: usize = 24;

/// What is measured in a state, as far as it has a value.
pub(super) type Numbers = Vec<Option<i128>>;

/// All that the template has to say of the samples.
pub(super) fn atoms(program: &Program, function: FunctionId, samples: &[Numbers]) -> Vec<Atom> {
    let Some(last) = samples.last() else { return Vec::new() };
    let constants = constants(program, function);
    let mut found = Vec::new();
    let mut propose = |parts: &[(i64, usize)], shape: Shape, relation: Comparison, value: Option<i128>| {
        let measure = Measure { parts: parts.to_vec(), shape, bound: None, when: None };
        let mut atom = Atom { measure, relation, value: value.unwrap_or(0) };
        if value.is_none() {
            let Some(value) = atom.measured(last) else { return false };
            atom.value = value;
        }
        let all = samples.iter().all(|sample| atom.holds(sample));
        if all && !found.contains(&atom) {
            found.push(atom);
        }
        all
    };
    let known = (0..last.len()).filter(|part| last[*part].is_some());
    let (still, moving): (Vec<usize>, Vec<usize>) = known.partition(|part| propose(&[(1, *part)], Shape::Exact, Comparison::Equal, None));
    let variables: Vec<usize> = moving.into_iter().take(VARIABLES).collect();
    for &part in &variables {
        let own = [(1, part)];
        for power in 1..=4 {
            propose(&own, Shape::Modulo(power), Comparison::Equal, None);
        }
        for &constant in &constants {
            for relation in [Comparison::AtLeast, Comparison::AtMost, Comparison::Differs] {
                propose(&own, Shape::Exact, relation, Some(constant));
            }
        }
        // What does not move may do so in other runs.
        for &other in still.iter().take(VARIABLES).chain(variables.iter().filter(|other| **other > part)) {
            let difference = [(1, part), (-1, other)];
            for relation in [Comparison::Equal, Comparison::AtLeast, Comparison::AtMost] {
                propose(&difference, Shape::Exact, relation, (relation != Comparison::Equal).then_some(0));
            }
            propose(&[(1, part), (1, other)], Shape::Exact, Comparison::Equal, None);
            if let Some(parts) = relation_of_steps(samples, part, other) {
                for shape in [Shape::Exact, Shape::Modulo(8), Shape::Modulo(16), Shape::Modulo(32), Shape::Modulo(64)] {
                    propose(&parts, shape, Comparison::Equal, None);
                }
            }
        }
    }
    found
}

/// A multiple of one variable minus one of another that stays the same if both go on as in the last round.
fn relation_of_steps(samples: &[Numbers], a: usize, b: usize) -> Option<[(i64, usize); 2]> {
    let [.., before, last] = samples else { return None };
    let step = |part: usize| i64::try_from(last[part]?.checked_sub(before[part]?)?).ok().filter(|step| step.unsigned_abs() < 1 << 20);
    let (step_a, step_b) = (step(a)?, step(b)?);
    let divisor = gcd(step_a.unsigned_abs(), step_b.unsigned_abs()).max(1) as i64;
    (step_a != 0 && step_b != 0).then_some([(step_b / divisor, a), (-step_a / divisor, b)])
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Numbers of a function, with their neighbours.
pub(super) fn constants(program: &Program, function: FunctionId) -> Vec<i128> {
    let mut found = vec![0];
    let body = program.functions.get(function).and_then(|function| function.body.as_ref());
    for expr in body.into_iter().flat_map(|body| body.exprs.iter()) {
        if let (ExprKind::Int(pattern), Type::Int { .. }) = (&expr.kind, program.types.get(expr.ty)) {
            let value = program.types.value(expr.ty, *pattern);
            for near in [value, value.saturating_add(1), value.saturating_sub(1)] {
                if found.len() < CONSTANTS && !found.contains(&near) {
                    found.push(near);
                }
            }
        }
    }
    found
}

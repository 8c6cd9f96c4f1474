//! Congruences: a variable moves by multiples of a number.

use encode::{Formula, Linear};

use crate::{Domain, View};

/// Remainders up to this one are tried where the program computes remainders.
const REMAINDERS: u64 = 4;

/// Variables with a fixed remainder.
pub struct Congruence;

impl Domain for Congruence {
    fn name(&self) -> &'static str {
        "congruence"
    }
    fn about(&self) -> &'static str {
        "x is entry(x) modulo the steps of x; x modulo what the program divides it by"
    }
    fn propose(&self, view: &View<'_>, out: &mut Vec<Formula>) {
        for variable in view.variables.iter().filter(|variable| variable.changed) {
            let steps = variable.steps().unwrap_or_default();
            let divisor = steps.iter().fold(0, |divisor, step| gcd(divisor, step.unsigned_abs()));
            if let Some(divisor) = u64::try_from(divisor).ok().filter(|divisor| *divisor > 1) {
                out.push(Formula::Multiple(variable.now().minus(&variable.before()), divisor));
                if variable.entry.is_none() {
                    out.push(Formula::Multiple(variable.now(), divisor));
                }
            }
        }
        // A loop that runs until two numbers meet must not step over the point where they do.
        for (sum, _) in view.conditions.iter().filter_map(|condition| condition.comparison.as_ref()) {
            let stride = view.stride(sum);
            if let Some(stride) = u64::try_from(stride).ok().filter(|stride| *stride > 1 && sum.parts.len() == 2) {
                out.push(Formula::Multiple(Linear { constant: 0, ..sum.clone() }, stride));
            }
        }
        for (position, modulus) in &view.moduli {
            let variable = &view.variables[*position];
            if !variable.changed {
                continue;
            }
            out.push(Formula::Multiple(variable.now().minus(&variable.before()), *modulus));
            for remainder in 0..REMAINDERS.min(*modulus) {
                out.push(Formula::Multiple(variable.now().minus(&Linear::constant(i128::from(remainder))), *modulus));
            }
        }
    }
}

fn gcd(a: u128, b: u128) -> u128 {
    let (mut a, mut b) = (a, b);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

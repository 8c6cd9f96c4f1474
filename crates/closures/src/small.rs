//! Small numbers: what an iteration does to predicates shows in states with small numbers already, and a solver is much quicker there. If it does not, the
//! kernel refuses what comes of it, and all states are looked at.

use logic::{Bits, Op, Sort, Term, Terms};

/// How many more bits than the constants numbers have.
const MORE_BITS: u32 = 4;
/// Fewer bits than this are as good as this many.
const BITS: u32 = 6;

/// That the variables in some predicates are small, but as large as the constants there, and larger. None if that would leave out nothing.
pub(crate) fn numbers(terms: &mut Terms, predicates: &[&[Term]]) -> Option<Vec<Term>> {
    let roots: Vec<Term> = predicates.iter().copied().flatten().copied().collect();
    let (mut variables, mut bits) = (Vec::new(), BITS);
    for term in terms.cone(&roots) {
        match (terms.op(term), terms.sort(term)) {
            (Op::Variable(_), Sort::Bits(_)) => variables.push(term),
            (_, Sort::Bits(_)) => {
                if let Some(value) = terms.as_bits(term) {
                    bits = bits.max(significant(value).saturating_add(MORE_BITS));
                }
            }
            _ => {}
        }
    }
    let mut small = Vec::new();
    for variable in variables {
        let width = terms.width(variable);
        if width > 2 * bits {
            let low = terms.extract(variable, bits - 1, 0);
            let extended = terms.sign_extend(low, width);
            small.push(terms.equal(variable, extended));
        }
    }
    (!small.is_empty()).then_some(small)
}

/// How many bits a signed number needs.
fn significant(value: &Bits) -> u32 {
    let sign = if value.sign() { value.not().leading_zeros() } else { value.leading_zeros() };
    value.width().saturating_sub(sign) + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_as_large_as_constants() {
        let mut terms = Terms::new();
        let [x, y] = ["x", "y"].map(|name| terms.variable(name, Sort::Bits(32)));
        let compared = |terms: &mut Terms, value: i128| {
            let value = terms.bits(Bits::signed(32, value));
            terms.slt(x, value)
        };
        let (few, many) = (compared(&mut terms, -100), compared(&mut terms, 100_000_000));
        let both = terms.slt(x, y);
        assert_eq!(numbers(&mut terms, &[&[few], &[both]]).map(|small| small.len()), Some(2));
        assert_eq!(numbers(&mut terms, &[&[few, many]]), None);
    }
}

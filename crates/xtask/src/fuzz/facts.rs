//! Assertions from runs: what held whenever a run came to a place often holds in all runs, or nearly.

use std::cell::RefCell;
use std::collections::BTreeMap;

use interp::{Inputs, Machine, Observer, Position, Values};

use super::random::Random;
use super::runs::{self, Chooser, Rules};
use super::tree::{Node, Program, Variable};

/// The values of a probe's variables, each time a run came there.
type Samples = BTreeMap<u32, Vec<Vec<(Variable, i128)>>>;

/// So many visits of a place are looked at.
const VISITS: usize = 40;

/// Replaces each probe by an assertion that held in a few runs; where none came, by a guess.
pub fn settle(program: &mut Program, random: &mut Random) {
    let samples = sample(program, random);
    let probes = program.probes();
    let mut facts = probes.iter().map(|(line, variables)| {
        let visits = samples.get(line).map_or(&[][..], Vec::as_slice);
        fact(visits, random).or_else(|| random.pick(variables).map(|variable| format!("{} == {}", variable.name, random.between(0, 3))))
    });
    replace(&mut program.nodes, &mut facts);
}

fn replace(nodes: &mut [Node], facts: &mut impl Iterator<Item = Option<String>>) {
    for node in nodes {
        match node {
            Node::Line(_) => {}
            Node::Block { inside, .. } => replace(inside, facts),
            Node::Probe(_) => *node = Node::Line(format!("assert({});", facts.next().flatten().unwrap_or("1".into()))),
        }
    }
}

/// Runs the program a few times and looks at the variables where probes are.
fn sample(program: &Program, random: &mut Random) -> Samples {
    let probes: BTreeMap<u32, Vec<Variable>> = program.probes().into_iter().collect();
    let mut samples = Samples::new();
    let Ok(translated) = runs::translate(&program.text(), program.ilp32) else { return samples };
    let constants = program.constants();
    for _ in 0..1 + random.below(3) {
        let chooser = RefCell::new(Chooser::new(random, &constants));
        let samples = RefCell::new(&mut samples);
        let values = Values::Ask(Box::new(|request| Some(chooser.borrow_mut().value(request.bits))));
        let observer: Observer<'_> = Box::new(|machine, position| {
            if let Some(variables) = probes.get(&position.span.line) {
                let mut samples = samples.borrow_mut();
                let visits: &mut Vec<_> = samples.entry(position.span.line).or_default();
                if visits.len() < VISITS {
                    visits.push(visit(machine, position, variables, program.ilp32));
                }
            }
            true
        });
        runs::run(&translated, &[], Rules::SAMPLE, Inputs { values, ..Inputs::default() }, Some(observer));
    }
    samples
}

fn visit(machine: &Machine<'_, '_>, position: Position, variables: &[Variable], ilp32: bool) -> Vec<(Variable, i128)> {
    let Some(body) = &machine.program.functions[position.function].body else { return Vec::new() };
    let known = machine.variables();
    let value = |variable: &Variable| {
        let (_, pattern) = known.iter().find(|(local, _)| body.locals[*local].name == variable.name)?;
        Some((variable.clone(), variable.ty.number((*pattern)?, ilp32)))
    };
    variables.iter().filter_map(value).collect()
}

/// Something that holds in all visits.
fn fact(visits: &[Vec<(Variable, i128)>], random: &mut Random) -> Option<String> {
    let (x, _) = random.pick(visits.first()?)?;
    let (y, _) = random.pick(visits.first()?)?;
    let column = |name: &str| -> Vec<i128> {
        visits.iter().filter_map(|visit| visit.iter().find(|(variable, _)| variable.name == name).map(|(_, value)| *value)).collect()
    };
    let (xs, ys) = (column(&x.name), column(&y.name));
    if xs.len() != visits.len() || ys.len() != visits.len() {
        return None;
    }
    let (low, high) = (xs.iter().min()?, xs.iter().max()?);
    let (a, b) = (operand(&x, &y), operand(&y, &x));
    let pairs = || xs.iter().zip(&ys);
    let mut facts = vec![format!("{} <= {}", x.name, literal(*high)), format!("{} >= {}", x.name, literal(*low))];
    if low == high {
        facts.push(format!("{} == {}", x.name, literal(*low)));
    }
    if x.name != y.name {
        let mut add = |holds: bool, text: String| facts.extend(holds.then_some(text));
        add(pairs().all(|(x, y)| x == y), format!("{a} == {b}"));
        add(pairs().all(|(x, y)| x != y), format!("{a} != {b}"));
        add(pairs().all(|(x, y)| x < y), format!("{a} < {b}"));
        add(pairs().all(|(x, y)| x <= y), format!("{a} <= {b}"));
        let (x, y) = pairs().next()?;
        let (difference, sum) = (x - y, x + y);
        add(pairs().all(|(x, y)| x - y == difference), format!("(long){a} - {b} == {}", literal(difference)));
        add(pairs().all(|(x, y)| x + y == sum), format!("(long){a} + {b} == {}", literal(sum)));
    }
    for divisor in [2, 3, 4] {
        let rest = xs.first()? % divisor;
        if visits.len() > 1 && xs.iter().all(|x| x % divisor == rest) {
            facts.push(format!("{} % {divisor} == {rest}", x.name));
        }
    }
    random.pick(&facts)
}

/// A variable as it is compared with another: no sign gets lost on the way, unless a type is too large to prevent it.
fn operand(variable: &Variable, other: &Variable) -> String {
    match variable.ty.is_signed() == other.ty.is_signed() {
        true => variable.name.clone(),
        false => format!("(long){}", variable.name),
    }
}

/// A number in C. The smallest of a type has no literal of its own.
fn literal(value: i128) -> String {
    if value == i64::MIN.into() {
        "(-9223372036854775807L - 1)".into()
    } else if value > i64::MAX.into() {
        format!("{value}UL")
    } else if i32::try_from(value).is_ok() && value != i32::MIN.into() {
        value.to_string()
    } else {
        format!("{value}L")
    }
}

#[cfg(test)]
mod tests {
    use super::super::tree::Integer;
    use super::*;

    #[test]
    fn facts_hold_where_they_were_seen() {
        let variable = |name: &str, ty: Integer| Variable { name: name.into(), ty };
        let visits: Vec<Vec<_>> =
            (0..5).map(|i| vec![(variable("i", Integer::Int), 2 * i), (variable("n", Integer::Unsigned), 9 - 2 * i)]).collect();
        let mut random = Random::new(1, 1);
        let facts: std::collections::BTreeSet<String> = (0..300).filter_map(|_| fact(&visits, &mut random)).collect();
        for expected in ["i <= 8", "i >= 0", "i % 2 == 0", "n % 2 == 1", "(long)i != (long)n", "(long)(long)i + (long)n == 9"] {
            assert!(facts.contains(expected), "{expected} is not among {facts:?}");
        }
        assert!(!facts.contains("i == 0") && !facts.contains("(long)i < (long)n"));
    }

    #[test]
    fn numbers_are_written_as_c_reads_them() {
        assert_eq!(literal(-5), "-5");
        assert_eq!(literal(i32::MIN.into()), "-2147483648L");
        assert_eq!(literal(u64::MAX.into()), "18446744073709551615UL");
    }
}

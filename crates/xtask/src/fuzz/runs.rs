//! Concrete runs of a program with inputs that make a difference.

use std::cell::RefCell;
use std::collections::BTreeSet;

use interp::{End, Fault, Inputs, Limits, Machine, Observer, Policy, Reaction, Setup, Values};
use model::{CheckKind, Program, Target};

use super::random::Random;

/// How a program is run.
#[derive(Clone, Copy)]
pub struct Rules {
    /// Whether an assertion that fails ends the run.
    assertions_end: bool,
    limits: Limits,
}

/// Some programs never end; faults show early.
const SHORT: Limits = Limits { steps: 30_000, memory: 16 << 20, depth: 400, output: 1 << 16 };

impl Rules {
    /// A run that may refute something. The analysis takes an assertion that always fails for the end of the run, so what lies behind one that fails
    /// does not count.
    const EXPLORE: Rules = Rules { assertions_end: true, limits: SHORT };
    /// A run that is looked at.
    pub const SAMPLE: Rules = Rules { assertions_end: false, limits: SHORT };
    /// A run that the tool has made before, within no more than this.
    pub const REPLAY: Rules =
        Rules { assertions_end: false, limits: Limits { steps: 4_000_000, memory: 1 << 30, depth: 50_000, output: 1 << 20 } };
}

/// The model of a program; the error says why there is none.
pub fn translate(text: &str, ilp32: bool) -> Result<Program, String> {
    let target = if ilp32 { Target::Ilp32 } else { Target::Lp64 };
    let translation = frontend::translate("program.i", text.as_bytes(), &frontend::Options { target, ..Default::default() });
    let reasons = || translation.diagnostics.list().iter().map(|diagnostic| diagnostic.message.clone()).collect::<Vec<_>>().join("; ");
    let program = translation.program.as_ref().ok_or_else(reasons)?;
    model::verify(program).map_err(|flaws| flaws.first().map(ToString::to_string).unwrap_or_default())?;
    Ok(program.clone())
}

/// Runs the program; each fault that it meets, in order. After an invalid access a run means nothing, so that is the last one; behind others it goes on,
/// as the analysis takes it.
pub fn run<'a>(
    program: &Program,
    kinds: &[CheckKind],
    rules: Rules,
    inputs: Inputs<'a>,
    observer: Option<Observer<'a>>,
) -> (Vec<Fault>, End) {
    let mut policy = Policy::all(Reaction::Ignore);
    kinds.iter().for_each(|kind| policy.set(*kind, Reaction::Record));
    if rules.assertions_end {
        policy.set(CheckKind::Assertion, Reaction::Stop);
    }
    CheckKind::ALL.into_iter().filter(|kind| kind.guards_memory()).for_each(|kind| policy.set(kind, Reaction::Stop));
    let setup = Setup { policy, limits: rules.limits, inputs, output: Box::new(|_, _| {}) };
    let mut machine = match Machine::new(program, setup) {
        Ok(machine) => machine,
        Err(end) => return (Vec::new(), end),
    };
    if let Some(observer) = observer {
        machine.observe(observer);
    }
    let end = machine.run_main();
    let mut faults = std::mem::take(&mut machine.faults);
    if let End::Fault(fault) = &end {
        faults.push((**fault).clone());
    }
    (faults, end)
}

/// What many runs of a program met.
#[derive(Default)]
pub struct Experience {
    /// Faults of different kinds or at different places.
    pub faults: Vec<Fault>,
    /// The lines that were executed.
    pub lines: BTreeSet<u32>,
    pub runs: usize,
}

/// Runs the program so many times with different inputs; once, if it asks for none.
pub fn explore(program: &Program, kinds: &[CheckKind], constants: &[u64], random: &mut Random, runs: usize) -> Experience {
    let mut experience = Experience::default();
    for _ in 0..runs {
        let chooser = RefCell::new(Chooser::new(random, constants));
        let lines = RefCell::new(&mut experience.lines);
        let values = Values::Ask(Box::new(|request| Some(chooser.borrow_mut().value(request.bits))));
        let observer: Observer<'_> = Box::new(|_, position| {
            lines.borrow_mut().insert(position.span.line);
            true
        });
        let (faults, _) = run(program, kinds, Rules::EXPLORE, Inputs { values, ..Inputs::default() }, Some(observer));
        experience.runs += 1;
        for fault in faults {
            let same = |known: &Fault| known.kind == fault.kind && known.span == fault.span;
            if !experience.faults.iter().any(same) {
                experience.faults.push(fault);
            }
        }
        if chooser.into_inner().asked() == 0 {
            break;
        }
    }
    experience
}

/// What kind of inputs a run gets.
#[derive(Clone, Copy)]
enum Manner {
    Tiny,
    Small,
    /// What the program mentions, or next to it.
    Constant,
    /// The ends of the type.
    Extreme,
    Any,
}

const MANNERS: [Manner; 8] =
    [Manner::Tiny, Manner::Tiny, Manner::Small, Manner::Small, Manner::Constant, Manner::Constant, Manner::Extreme, Manner::Any];

/// Gives a run its inputs.
pub struct Chooser {
    random: Random,
    constants: Vec<u64>,
    /// All inputs of a run are of one manner, or of any.
    manner: Option<Manner>,
    asked: usize,
}

impl Chooser {
    /// For one run. Takes a number from the generator.
    pub fn new(random: &mut Random, constants: &[u64]) -> Self {
        let mut random = Random::new(random.next(), 3);
        let manner = if random.chance(40) { random.pick(&MANNERS) } else { None };
        Chooser { random, constants: constants.to_vec(), manner, asked: 0 }
    }

    /// How many inputs the run has asked for.
    pub fn asked(&self) -> usize {
        self.asked
    }

    /// The next value with so many bits.
    pub fn value(&mut self, bits: u16) -> u128 {
        self.asked += 1;
        let manner = self.manner.or_else(|| self.random.pick(&MANNERS)).unwrap_or(Manner::Small);
        let top = 1_i128 << bits.clamp(1, 64);
        let value = match manner {
            Manner::Tiny => self.random.between(0, 2).into(),
            Manner::Small => self.random.between(-3, 14).into(),
            Manner::Constant => {
                let constant = self.random.pick(&self.constants).unwrap_or(0);
                i128::from(constant) + i128::from(self.random.between(-1, 1))
            }
            Manner::Extreme => self.random.pick(&[0, -1, top / 2 - 1, top / 2, top / 2 + 1, -2, top / 2 - 2]).unwrap_or(0),
            Manner::Any => self.random.next().into(),
        };
        value.rem_euclid(top) as u128
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "int __VERIFIER_nondet_int(void);\n\
        int main(void) {\n\
          int a[37], n = __VERIFIER_nondet_int();\n\
          if (n < 0 || n > 37) return 0;\n\
          n = n * 100000000;\n\
          return a[n / 100000000];\n\
        }";

    fn explored(seed: u64) -> Experience {
        let program = translate(SOURCE, false).unwrap();
        explore(&program, &[CheckKind::SignedOverflow, CheckKind::Bounds], &[0, 37], &mut Random::new(seed, 1), 100)
    }

    #[test]
    fn inputs_at_the_limits_are_tried() {
        let experience = explored(1);
        let faults: Vec<_> = experience.faults.iter().map(|fault| (fault.kind, fault.span.line)).collect();
        assert!(faults.contains(&(CheckKind::SignedOverflow, 5)), "{faults:?}");
        assert!(faults.contains(&(CheckKind::Bounds, 6)), "{faults:?}");
        assert!(experience.lines.contains(&6) && experience.runs == 100);
    }

    #[test]
    fn a_seed_gives_the_same_runs() {
        assert_eq!(explored(5).faults, explored(5).faults);
    }

    #[test]
    fn without_inputs_one_run_is_enough() {
        let program = translate("int main(void) { return 0; }", true).unwrap();
        assert_eq!(explore(&program, &[], &[], &mut Random::new(1, 1), 100).runs, 1);
    }
}

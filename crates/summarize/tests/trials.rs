//! Loops that are tested together are summarised as if each were tested when the walk comes to it.

use encode::{Candidate, Encoding, Finding, Formula, Head, Linear, Options, Relation, Round, Step, Summarizer};
use logic::Terms;
use logic::sat::Budget;
use model::{BlockId, CheckKind, FunctionId};
use pointers::Regions;
use summarize::Loops;

/// Loops one after the other, before `main`, and in each other: those inside of the last one lean on what is guessed of it.
const PROGRAM: &str = "
int __VERIFIER_nondet_int(void);
int limit, text[40];
__attribute__((constructor)) void prepare(void) {
    for (int i = 0; i < 30; i++) limit = i;
}
int main(void) {
    int a, b, c, d, n = __VERIFIER_nondet_int();
    if (n < 0 || n > 30) return 1;
    for (a = 0; a < n; a++) text[a] = 1;
    for (b = n; b > 0; b--) text[b] = 2;
    for (c = 0; c < limit; c += 2)
        for (d = 0; d < n; d++) text[d] = c;
    for (a = 0; a <= n; a++)
        for (b = a; b < n; b++) text[b] = text[a];
    return text[n];
}
";

/// Summarises loops as usual; if there is a predicate to combine, one after the other.
struct Counting<'a> {
    loops: Loops<'a>,
    predicates: Vec<Formula>,
    /// How many loops were tested together, at most.
    together: usize,
}

impl Summarizer for Counting<'_> {
    fn propose(&mut self, head: &Head<'_, '_>) -> Vec<Candidate> {
        self.loops.propose(head)
    }
    fn peels(&self, function: FunctionId, header: BlockId) -> bool {
        self.loops.peels(function, header)
    }
    fn propose_result(&mut self, head: &Head<'_, '_>) -> Vec<Candidate> {
        self.loops.propose_result(head)
    }
    fn test(&mut self, terms: &mut Terms, steps: &[Step<'_>]) -> Vec<Vec<Finding>> {
        self.together = self.together.max(steps.len());
        self.loops.test(terms, steps)
    }
    fn predicates(&mut self, _: &Head<'_, '_>) -> Vec<Formula> {
        self.predicates.clone()
    }
}

fn summarised(predicates: Vec<Formula>) -> (Encoding, usize) {
    let translation = frontend::translate("test.c", PROGRAM.as_bytes(), &frontend::Options::default());
    let program = translation.program.unwrap_or_else(|| panic!("{:?}", translation.diagnostics.list()));
    let mut program = library::link(program).expect("it links").program;
    passes::reducible::make_reducible(&mut program);
    passes::checks::instrument(&mut program, &[CheckKind::Bounds]);
    let entry = program.functions.enumerate().find(|(_, function)| function.name == "main").map(|(id, _)| id).expect("there is main");
    let analysis = pointers::analyse_from(&program, &[entry]);
    let regions = Regions::new(&analysis);
    let options = Options {
        unwind: 2,
        uninitialised: false,
        terms: 1 << 20,
        budget: Budget::unlimited(),
        effort: u64::MAX,
        faults: encode::Faults::Memory,
    };
    let loops = Loops::new(domains::ALL.to_vec(), 100, Budget::unlimited().with_conflicts(1000), &[]);
    let mut counting = Counting { loops, predicates, together: 0 };
    let encoding = encode::encode(&program, &analysis, &regions, entry, options, Some(&mut counting));
    (encoding, counting.together)
}

/// What is known of each loop.
fn invariants(encoding: &Encoding) -> Vec<(u32, Vec<(&Candidate, bool)>)> {
    let leaps = encoding.leaps.iter();
    leaps.map(|leap| (leap.span.line, leap.kept.iter().map(|kept| (&kept.candidate, kept.always)).collect())).collect()
}

#[test]
fn together_or_one_after_the_other() {
    let trivial = Formula::Compare(Linear::default(), Relation::Equal);
    let (one_by_one, alone) = summarised(vec![trivial]);
    let (at_once, together) = summarised(Vec::new());
    assert!(alone == 1 && together > 1);
    let known = invariants(&at_once);
    assert_eq!(known.iter().map(|(line, _)| *line).collect::<Vec<_>>(), [5, 10, 11, 13, 12, 15, 14]);
    assert!(known.iter().all(|(_, kept)| !kept.is_empty()), "{known:?}");
    assert_eq!(known, invariants(&one_by_one));
    // Facts stand where they would have been noted.
    let facts = |encoding: &Encoding| encoding.rounds.iter().map(|round: &Round| round.facts.clone()).collect::<Vec<_>>();
    assert_eq!(facts(&at_once), facts(&one_by_one));
    let about = |encoding: &Encoding| encoding.topics.iter().map(|topic| (topic.about.len(), topic.said.len())).collect::<Vec<_>>();
    assert_eq!(about(&at_once), about(&one_by_one));
    assert_eq!(at_once.facts.len(), at_once.topics.len());
}

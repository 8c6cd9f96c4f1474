//! Loops as summaries: what a loop may change becomes arbitrary, and what is known to be kept is assumed.
//!
//! The summary of *Loop Summarization using State and Transition Invariants* §3, in one walk over the program: the body is encoded once, from an
//! arbitrary state at the head. The same terms serve to test candidates, to check the assertions inside, and to go on behind the loop.

use logic::{Term, Terms};
use model::{BlockId, Body, ExprId, FunctionId, LocalId, Loop, Program, Span};
use pointers::{Analysis, Cell};

use crate::formula::{Formula, Linear, Source};

/// Something that may be an invariant of a loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Candidate {
    /// What it says.
    pub formula: Formula,
    /// The domain that it comes from.
    pub domain: &'static str,
}

/// A loop that control has come to, for those who guess its invariants.
pub struct Head<'a, 'p> {
    /// The program.
    pub program: &'p Program,
    /// Where its pointers lead.
    pub analysis: &'a Analysis<'p>,
    /// The function that the loop is in.
    pub function: FunctionId,
    /// Its body.
    pub body: &'p Body,
    /// The loop.
    pub region: &'a Loop,
    /// The variables outside of memory that it may change, in order.
    pub changed: &'a [LocalId],
    /// The memory that it may change.
    pub written: &'a [Cell],
    /// Integer variables, local and global, that have constant values when the loop is entered.
    pub constants: &'a [(Source, i128)],
    /// How often this loop was summarised before without the result that was hoped for: richer domains may be tried.
    pub round: u32,
}

/// A candidate as terms.
#[derive(Clone, Copy, Debug)]
pub struct Tested {
    /// A variable; the candidate holds at the head wherever it is true.
    pub literal: Term,
    /// That it holds when the loop is entered.
    pub entry: Term,
    /// That it holds at the head.
    pub head: Term,
    /// That it holds when control comes to the head again.
    pub again: Term,
    /// Whether it speaks of the elements of arrays: such candidates are tested after the others.
    pub elements: bool,
}

/// One iteration of a loop from an arbitrary state at its head.
pub struct Step<'a> {
    /// The candidates.
    pub candidates: &'a [Tested],
    /// What is known when the loop is entered.
    pub entered: Term,
    /// That all accesses before the loop were valid.
    pub entered_valid: Term,
    /// That all accesses before this iteration were valid.
    pub head_valid: Term,
    /// That control comes from the head to the head again.
    pub again: Term,
    /// That all accesses were valid on the way there.
    pub again_valid: Term,
    /// What holds anyway, also of the loops inside.
    pub facts: &'a [Term],
    /// The literals of candidates of the loops around, which are not tested yet.
    pub outer: &'a [Term],
    /// Those of them that say more than another one does: a proof that needs the other one only is worth more.
    pub bold: &'a [Term],
    /// Whether what is known of loops inside rests on candidates of this one.
    pub leant_on: bool,
}

/// What must hold for a candidate to hold at the head, all of it: terms of the step, literals of the loops around and what was so when the loop was entered.
pub type Premises = Vec<Term>;
/// The same where it is enough that one of several is true.
pub type Alternatives = Vec<Premises>;

/// What a test tells of a candidate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Finding<P = Alternatives> {
    /// It holds at the head if this does.
    Holds(P),
    /// It does not, or nobody knows, although all other candidates were assumed.
    Fails,
    /// It does not without others that fail. It might if what is known of loops inside did not rest on those.
    Falls,
}

impl<P> Finding<P> {
    /// When it holds at the head.
    pub fn premise(self) -> Option<P> {
        match self {
            Finding::Holds(premise) => Some(premise),
            Finding::Fails | Finding::Falls => None,
        }
    }
}

/// Guesses and tests invariants.
pub trait Summarizer {
    /// Candidates for a loop.
    fn propose(&mut self, head: &Head<'_, '_>) -> Vec<Candidate>;
    /// Whether the first iteration of a loop should be followed exactly, and only the others summarised.
    fn peels(&self, function: FunctionId, header: BlockId) -> bool;
    /// Whether the body of a loop is walked again if loops inside lean on candidates that turn out not to hold: they may know more without them.
    fn repeats(&self, _function: FunctionId, _header: BlockId) -> bool {
        true
    }
    /// Whether loops of which it is certain when they end are followed to their end, where that is cheap.
    fn follows(&self) -> bool {
        true
    }
    /// A function whose copies, one for each way that leads to it, have more commands than this is encoded once for all its calls.
    fn room_for_copies(&self) -> usize {
        usize::MAX
    }
    /// Whether functions that call themselves may be encoded once as well. Then nothing is known of their calls inside each other.
    fn shares_recursion(&self) -> bool {
        true
    }
    /// Told that something does not hold of all calls of a function that is encoded once.
    fn dismiss(&mut self, _function: FunctionId, _formula: &Formula) {}
    /// Whether it is known already that something does not. What the function does is found out without it then: what is known of loops inside may rest on
    /// what is demanded of calls, in vain where that does not hold.
    fn is_dismissed(&self, _function: FunctionId, _formula: &Formula) -> bool {
        false
    }
    /// Candidates about what a recursive function does from a call to its return.
    fn propose_result(&mut self, head: &Head<'_, '_>) -> Vec<Candidate>;
    /// Sums that a termination argument may speak of, for a loop or for calls of a function that calls itself, with constants that may matter for each.
    fn measures(&mut self, _head: &Head<'_, '_>) -> Vec<(Linear, Vec<i128>)> {
        Vec::new()
    }
    /// Pointers, and fields that are read through them, along which a loop or calls may go from object to object.
    fn walks(&mut self, _head: &Head<'_, '_>) -> Vec<(Source, ExprId)> {
        Vec::new()
    }
    /// For loops that do not depend on each other, and for each of their candidates, whether it holds at the head. Terms that are made for this are forgotten.
    fn test(&mut self, terms: &mut Terms, steps: &[Step<'_>]) -> Vec<Vec<Finding>>;
    /// Whether it is worth a look at loops with others inside before those are summarised.
    fn glimpses(&self) -> bool {
        false
    }
    /// Which candidates an iteration certainly does not keep, whatever the others help. Terms that are made for this are forgotten.
    fn refute(&mut self, _terms: &mut Terms, step: &Step<'_>) -> Vec<bool> {
        vec![false; step.candidates.len()]
    }
    /// Predicates whose combinations may be invariants; none where nobody wants to combine any.
    fn predicates(&mut self, _head: &Head<'_, '_>) -> Vec<Formula> {
        Vec::new()
    }
    /// Candidates that are combinations of predicates, the candidates of this step. They are tested when others are known already. None if looking
    /// at some of the states only makes no difference.
    fn combine(&mut self, _terms: &mut Terms, _step: &Step<'_>, _predicates: &[Formula], _scope: Scope) -> Option<Vec<Candidate>> {
        None
    }
}

/// Which states are looked at to find candidates.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Scope {
    /// Those with small numbers: quick, and mostly they tell what all others do.
    Small,
    /// All of them.
    #[default]
    Whole,
}

/// A loop that was replaced by its summary, at one point of the program.
#[derive(Clone, Debug)]
pub struct Leap {
    /// The function that it is in.
    pub function: FunctionId,
    /// Its header.
    pub header: BlockId,
    /// Where it stands.
    pub span: Span,
    /// The calls that lead to it, the outermost first.
    pub calls: Vec<Span>,
    /// That control comes to it.
    pub guard: Term,
    /// That all accesses before an iteration are valid.
    pub valid: Term,
    /// That control leaves it.
    pub left: Term,
    /// How many iterations it makes; nothing for calls.
    pub iterations: Option<Term>,
    /// The integer variables that it may change, with their values before and behind it.
    pub variables: Vec<(LocalId, Term, Term)>,
    /// The invariants.
    pub kept: Vec<Kept>,
    /// How many candidates there were.
    pub tried: usize,
    /// The predicates that were to be combined.
    pub predicates: Vec<Behind>,
}

impl Leap {
    /// Whether it is a function that was encoded once, for all its calls.
    pub fn is_shared(&self) -> bool {
        self.iterations.is_none() && self.calls.is_empty()
    }
}

/// A predicate behind a loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Behind {
    /// What it says.
    pub formula: Formula,
    /// That it holds at the head.
    pub head: Term,
    /// That control leaves the loop, and that it holds there.
    pub left: Term,
}

/// An invariant of a summary.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Kept {
    /// What holds, and who proposed it.
    pub candidate: Candidate,
    /// Whether it holds always when control is at the head; if not, only where `literal` is true.
    pub always: bool,
    /// That it is known to hold.
    pub literal: Term,
    /// What holds, as a term.
    pub head: Term,
}

/// What leads from the head of a summarised loop to its head again, or from a call of a function to a call of the same function inside. A run
/// that never ends makes such rounds for ever, in one of finitely many loops and functions.
#[derive(Clone, Debug)]
pub struct Round {
    /// The function.
    pub function: FunctionId,
    /// The loop's header; the entry of the body for calls.
    pub header: BlockId,
    /// Where the loop, or the outermost call, stands.
    pub span: Span,
    /// Whether it leads from call to call.
    pub recursive: bool,
    /// The same number for rounds that share their head: there is one round for a loop, and one for each call inside of a call.
    pub instance: usize,
    /// That control comes to the loop at all.
    pub entered: Term,
    /// That everything was well-defined up to the head.
    pub head_valid: Term,
    /// That control comes from the head to the head again.
    pub again: Term,
    /// That everything was well-defined on the way there.
    pub again_valid: Term,
    /// That a signed number leaves its range on the way, so that the program has no meaning any more.
    pub overflow: Term,
    /// That something that is checked fails on the way, in loops inside too.
    pub failure: Term,
    /// What the surroundings of the program see to on the way: the library makes no choice that it cannot make.
    pub granted: Term,
    /// What may tell how far it has come.
    pub measured: Vec<Measured>,
    /// Pointers that may go from object to object.
    pub walks: Vec<Walk>,
    /// The inputs on the way, as positions in the encoding's list.
    pub inputs: std::ops::Range<usize>,
    /// How many loops and calls inside are replaced by summaries, so that not every run from the head is followed to its end.
    pub leaps_inside: usize,
    /// The rounds of those, as positions in the encoding's list.
    pub inside: std::ops::Range<usize>,
    /// If the loop is in a function whose calls are being summarised: how many of the calls inside stand before it. The loop may be around those that follow.
    pub calls_before: usize,
    /// How many calls on the way are assumed to return though they are calls of a function whose calls are being summarised: of the loop's own function,
    /// or of one that has called this one.
    pub calls_inside: usize,
    /// Whether the first iteration of the loop is followed, so that nothing here speaks of the first visit of the head.
    pub peeled: bool,
    /// How many terms were made before the loop was looked at.
    pub since: usize,
    /// What is known of the loop and of those inside, as positions in the encoding's list of facts.
    pub facts: std::ops::Range<usize>,
}

/// A pointer that may go where a field of its object leads.
#[derive(Clone, Debug)]
pub struct Walk {
    /// The pointer.
    pub pointer: Source,
    /// The field, as an expression that reads it through the pointer.
    pub link: ExprId,
    /// That the pointer is null at the head.
    pub null: Term,
    /// That the field holds a pointer or null at the head, rather than a number that may be the address of anything.
    pub held: Term,
    /// That the pointer is, when control comes to the head again, what the field held at the head.
    pub moved: Term,
}

/// An exact sum at both ends of a round.
#[derive(Clone, Debug)]
pub struct Measured {
    /// The sum.
    pub sum: Linear,
    /// Numbers that the program compares it with, and the like.
    pub constants: Vec<i128>,
    /// At the head, as a signed number.
    pub head: Term,
    /// When control comes there again, as wide.
    pub again: Term,
    /// The first without the second, as a signed number that is added up element by element, if it is the sum of the elements of an array.
    pub lost: Option<Term>,
    /// Whether it has finitely many values even if nothing undefined happens: it wraps where it would leave its range. A signed number, or an
    /// offset, does not: where it would leave its range, the program has no meaning any more.
    pub wraps: bool,
}

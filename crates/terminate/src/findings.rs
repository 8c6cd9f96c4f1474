//! What is said about loops and programs.

use encode::Round;
use kernel::Candidate;
use model::{BlockId, FunctionId, Span};

use crate::recurrence::{Divergence, Undefined};

/// What is said about a program.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// Every run ends.
    Terminates,
    /// Some run does not.
    Diverges(Box<Divergence>),
    /// It is not known.
    Unknown {
        /// Why.
        reason: String,
        /// Where.
        span: Span,
    },
}

/// What is said about a loop, or about the calls of a function that calls itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LoopVerdict {
    /// No run makes infinitely many rounds, for this reason.
    Terminates(Argument),
    /// Some run does.
    Diverges,
    /// It is not known, for this reason.
    Unknown(String),
}

/// Why a loop ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Argument {
    /// No run makes more than a few rounds, or comes there at all: all of them were followed.
    Unwound,
    /// The program has only one run, and that ends.
    Run {
        /// Control comes to the head again at most so often each time that the loop is entered, if that was counted.
        rounds: Option<u64>,
    },
    /// Something decreases in each round that cannot decrease for ever: what it is, in terms of the source, and the engine that found it.
    Ranked {
        /// What is so in each round.
        text: String,
        /// The measures, most significant first; or those of which one decreases.
        measures: Vec<String>,
        /// Who found it.
        engine: &'static str,
        /// Control comes to the head again at most so often, in terms of the source when the loop is entered, if that is known.
        bound: Option<String>,
        /// Invariants of the loop on which it relies, in terms of the source.
        invariants: Vec<String>,
    },
}

/// A loop with what is said about it.
#[derive(Clone, Debug)]
pub struct LoopFinding {
    /// The function.
    pub function: FunctionId,
    /// The loop's header; the entry of the body for calls.
    pub header: BlockId,
    /// Where it is.
    pub span: Span,
    /// Whether it is a function that calls itself.
    pub recursion: bool,
    /// What is said.
    pub verdict: LoopVerdict,
}

impl LoopFinding {
    /// What is said of a round's loop, or function.
    pub(crate) fn new(round: &Round, verdict: LoopVerdict) -> Self {
        LoopFinding { function: round.function, header: round.header, span: round.span, recursion: round.recursive, verdict }
    }

    /// Whether a round is one of this loop, or function.
    pub(crate) fn is_of(&self, round: &Round) -> bool {
        (self.function, self.header, self.recursion) == (round.function, round.header, round.recursive)
    }
}

/// What was found out.
#[derive(Clone, Debug)]
pub struct Findings {
    /// About the program.
    pub verdict: Verdict,
    /// About each loop, in the order of the source.
    pub loops: Vec<LoopFinding>,
    /// Inputs that lead to a loop in a state in which it is not known to end, where it is in others.
    pub outside: Vec<Candidate>,
    /// Something undefined without which some run would never end, if that is known.
    pub undefined: Option<Undefined>,
    /// Functions without body that were assumed to return, how often they are called, where first.
    pub unknown: Vec<(String, u32, Span)>,
}

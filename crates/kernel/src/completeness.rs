//! What an encoding does not follow: no verdict about all runs may rest on it unless no run comes there.

use encode::{CutKind, Encoding};
use logic::sat::{Budget, SatSolver};
use logic::{Answer, Context, Term};
use model::{CheckKind, Span};

/// Why facts must not be used: they exclude no run, so together they cannot be impossible.
pub const CONTRADICTION: &str = "the summaries of its loops contradict each other, which is a defect of Loopfrog";

/// The first place at which runs are not followed, and why; nothing if all runs without undefined behaviour are. The facts are asserted already.
pub fn unfollowed(encoding: &mut Encoding, budget: &Budget) -> Option<(String, Span)> {
    if !encoding.leaps.is_empty() && encoding.context.solve(&mut encoding.terms, &[], budget) == Answer::Unsat {
        return Some((CONTRADICTION.into(), Span::NONE));
    }
    let mut places: Vec<(Term, String, Span)> = Vec::new();
    for cut in &encoding.cuts {
        let reason = match cut.kind {
            CutKind::Loop => "a loop needs more iterations than were unwound",
            CutKind::Recursion => "recursion goes deeper than was followed",
            CutKind::Size => "the formula would be too large",
            CutKind::Budget => "time or memory was used up",
            CutKind::Invalid => continue,
        };
        places.push((cut.guard, reason.into(), cut.span));
    }
    places.extend(encoding.gaps.iter().map(|gap| (gap.guard, format!("not modelled: {}", gap.reason), gap.span)));
    let reached = |(guard, ..): &(Term, String, Span)| encoding.context.solve(&mut encoding.terms, &[*guard], budget) != Answer::Unsat;
    places.into_iter().find(reached).map(|(_, reason, span)| (reason, span))
}

/// Whether no run without undefined behaviour comes to a place where runs are not followed, as far as this solver knows what holds.
pub(crate) fn follows_all(encoding: &mut Encoding, context: &mut Context<impl SatSolver>, budget: &Budget) -> bool {
    let cuts = encoding.cuts.iter().filter(|cut| cut.kind != CutKind::Invalid).map(|cut| cut.guard);
    let mut places = cuts.chain(encoding.gaps.iter().map(|gap| gap.guard));
    places.all(|guard| context.solve(&mut encoding.terms, &[guard], budget) == Answer::Unsat)
}

/// Whether no signed number leaves its range in any run that is followed.
pub fn stays_in_range(encoding: &mut Encoding, budget: &Budget) -> bool {
    let overflows = encoding.obligations.iter().filter(|obligation| obligation.check.kind == CheckKind::SignedOverflow);
    let overflow = encoding.terms.any(overflows.map(|obligation| obligation.failure).collect::<Vec<_>>());
    encoding.context.solve(&mut encoding.terms, &[overflow], budget) == Answer::Unsat
}

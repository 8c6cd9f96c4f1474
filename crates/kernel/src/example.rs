//! Rounds for tests.

use encode::{Linear, Measured, Round};
use logic::{Term, Terms};
use model::{Body, FunctionId, Span};

/// A number at both ends of a round.
pub(crate) fn measured(head: Term, again: Term, wraps: bool) -> Measured {
    Measured { sum: Linear::default(), constants: Vec::new(), head, again, lost: None, wraps }
}

/// A round of a loop that is entered, well-defined and made again under a condition.
pub(crate) fn round(terms: &mut Terms, again: Term, measured: Vec<Measured>) -> Round {
    let (yes, no) = (terms.bool(true), terms.bool(false));
    Round {
        function: FunctionId::new(0),
        header: Body::ENTRY,
        span: Span::NONE,
        recursive: false,
        instance: 0,
        entered: yes,
        head_valid: yes,
        again,
        again_valid: yes,
        overflow: no,
        failure: no,
        granted: yes,
        measured,
        walks: Vec::new(),
        inputs: 0..0,
        leaps_inside: 0,
        inside: 0..0,
        calls_before: 0,
        peeled: false,
        calls_inside: 0,
        since: 0,
        facts: 0..0,
    }
}

//! Arguments that loops end.

use model::Span;
use summarize::Subject;

use crate::findings::{Findings, Verdict};
use crate::program::Plan;

/// Looks for an argument for each loop.
pub fn rank(_subject: &Subject<'_>, _plan: &Plan<'_>) -> Findings {
    let verdict = Verdict::Unknown { reason: "no argument was found".into(), span: Span::NONE };
    Findings { verdict, loops: Vec::new(), unknown: Vec::new() }
}

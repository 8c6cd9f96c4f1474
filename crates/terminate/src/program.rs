//! The strategy: both sides at once, the cheapest arguments first.

use std::sync::mpsc;
use std::time::Duration;

use logic::sat::Interrupt;
use model::{Body, FunctionId, Loop, LoopForest, Program, Span};
use summarize::Subject;

use crate::findings::{Findings, LoopFinding, LoopVerdict, Verdict};
use crate::{ranking, recurrence};

/// How to go about it.
pub struct Plan<'a> {
    /// How invariants are found, and when to stop.
    pub means: &'a summarize::Plan<'a>,
    /// Raised to stop everything, when one side is done; part of the budget.
    pub interrupt: Interrupt,
    /// The engines to use, by name; none for the usual ones.
    pub engines: Option<Vec<String>>,
    /// Whether to find out how many rounds loops make at most, and whatever else there is to say of loops.
    pub bounds: bool,
}

impl Plan<'_> {
    /// Whether an engine is to be used.
    pub fn uses(&self, engine: &str) -> bool {
        self.engines.as_ref().is_none_or(|engines| engines.iter().any(|name| name == engine))
    }
}

/// Expressions and calls may be deep.
const STACK: usize = 1 << 30;

/// Where a run does not end, so much time is left to say something of the other loops, too.
const SURVEY: Duration = Duration::from_millis(300);

/// Finds out whether a program ends.
pub fn terminate(subject: &Subject<'_>, plan: &Plan<'_>) -> Findings {
    let (mut findings, outcome) = std::thread::scope(|scope| {
        let stack = std::thread::Builder::new().stack_size(STACK);
        let (surveying, survey) = mpsc::channel::<()>();
        let other = stack.spawn_scoped(scope, move || {
            let found = recurrence::search(subject, plan);
            if found.divergence.is_some() {
                // Nothing is ever sent: it is over when nobody can send any more.
                if plan.bounds {
                    let _ = survey.recv_timeout(SURVEY);
                }
                plan.interrupt.raise();
            }
            found
        });
        let findings = ranking::rank(subject, plan, || drop(surveying));
        if let Verdict::Terminates = findings.verdict {
            plan.interrupt.raise();
        }
        let join = |thread: std::thread::ScopedJoinHandle<'_, recurrence::Outcome>| {
            thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        (findings, other.map(join).unwrap_or_default())
    });
    findings.undefined = outcome.undefined;
    let mut divergence = outcome.divergence;
    // Where a loop ends under a condition, the other states are left.
    if let (None, Verdict::Unknown { .. }) = (&divergence, &findings.verdict) {
        divergence = recurrence::from(subject, plan, &findings.outside);
    }
    if let Some(divergence) = divergence {
        let name = |program: &Program, function: FunctionId| program.functions.get(function).map(|function| function.name.clone());
        let diverging = name(subject.replay.program, divergence.run.function);
        let same = |finding: &&mut LoopFinding| {
            let same_place = finding.recursion || finding.span == divergence.run.span;
            same_place && finding.recursion == divergence.run.recursion && name(subject.program, finding.function) == diverging
        };
        match findings.loops.iter_mut().find(same) {
            Some(finding) if matches!(finding.verdict, LoopVerdict::Unknown(_)) => finding.verdict = LoopVerdict::Diverges,
            Some(_) => {}
            // The other side may not have come so far.
            None => findings.loops.extend(diverging_loop(subject, &divergence.run)),
        }
        findings.loops.sort_by_key(|finding| (finding.span, finding.function, finding.header));
        findings.verdict = match findings.verdict {
            // Both cannot be.
            Verdict::Terminates => Verdict::Unknown {
                reason: "there is an argument that it ends and a run that does not, which is a defect of Loopfrog".into(),
                span: Span::NONE,
            },
            _ => Verdict::Diverges(Box::new(divergence)),
        };
    }
    findings
}

/// The loop, or the function, in which a run stays for ever.
fn diverging_loop(subject: &Subject<'_>, run: &kernel::Repetition) -> Option<LoopFinding> {
    let name = &subject.replay.program.functions.get(run.function)?.name;
    let (function, found) = subject.program.functions.enumerate().find(|(_, function)| function.name == *name)?;
    let body = found.body.as_ref()?;
    let header = if run.recursion {
        Body::ENTRY
    } else {
        let here = |region: &Loop| region.source.and_then(|source| body.loops.get(source)).is_some_and(|source| source.span == run.span);
        LoopForest::new(body).loops.iter().find(|region| here(region))?.header
    };
    Some(LoopFinding { function, header, span: run.span, recursion: run.recursion, verdict: LoopVerdict::Diverges })
}

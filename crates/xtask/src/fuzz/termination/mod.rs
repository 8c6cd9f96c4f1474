//! Whether programs end: what the tool says, against runs. A run that comes to the same state twice can go on for ever; no run makes more rounds of a
//! loop than the tool says.

mod generate;
mod watch;

use std::cell::RefCell;
use std::fs;

use interp::{Inputs, Limits, Machine, Policy, Reaction, Setup, Values};
use loopfrog::exit;
use model::CheckKind;
use serde_json::Value;

pub use self::generate::program;
use self::watch::{Loops, Place, Seen};
use super::examine::Report;
use super::oracle::{Finding, Wrong};
use super::random::Random;
use super::runs::{self, Chooser};
use super::tree::Program;
use crate::corpus::execution::{End, Tool};

/// What the tool says.
struct Claims {
    verdict: String,
    loops: Vec<LoopClaim>,
}

/// What the tool says of a loop.
struct LoopClaim {
    place: Place,
    terminates: bool,
    bound: Option<u64>,
}

/// Examines a program. The seed decides about inputs.
pub fn examine(tool: &Tool, runs: usize, program: &Program, seed: u64) -> Result<Report, String> {
    let text = program.text();
    let translated = match exit::catch_panics(|| runs::translate(&text, program.ilp32)) {
        Ok(Ok(translated)) => translated,
        Ok(Err(reason)) => return Ok(Report::of(Finding::general(Wrong::Refusal, reason))),
        Err(panic) => return Ok(Report::of(Finding::general(Wrong::Crash, format!("front end: {panic}")))),
    };
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let file = folder.path().join("program.i");
    fs::write(&file, &text).map_err(|error| error.to_string())?;
    let inputs = folder.path().join("inputs");
    let mut command = tool.command_line(&["terminate"], program.ilp32, std::slice::from_ref(&file));
    command.extend(["--inputs".into(), inputs.display().to_string()]);
    let end = tool.run(&command)?;
    if end.late {
        return Ok(Report { late: true, ..Report::default() });
    }
    let claims = match claims(&end) {
        Ok(claims) => claims,
        Err(finding) => return Ok(Report::of(finding)),
    };
    let mut report = Report {
        proved: usize::from(claims.verdict == "terminates"),
        violated: usize::from(claims.verdict == "diverges"),
        open: usize::from(claims.verdict == "unknown"),
        ..Report::default()
    };
    if claims.verdict == "diverges" {
        let inputs = fs::read_to_string(&inputs).map_err(|error| error.to_string())?;
        if let Some(finding) = ends(&translated, &inputs) {
            report.findings.push(finding);
            return Ok(report);
        }
    }
    let loops = Loops::of(&translated);
    let mut random = Random::new(seed, 2);
    for _ in 0..runs {
        let chooser = RefCell::new(Chooser::new(&mut random, &program.constants()));
        let values = Values::Ask(Box::new(|request| Some(chooser.borrow_mut().value(request.bits))));
        let seen = watch::run(&translated, &loops, Inputs { values, ..Inputs::default() });
        report.runs += 1;
        report.exercised += usize::from(seen.exhausted.is_none() && seen.repeats.is_none());
        if let Some(finding) = judge(&claims, &seen) {
            report.findings.push(finding);
            break;
        }
        if let Some(budget) = seen.exhausted.filter(|_| claims.verdict == "terminates") {
            report.suspicious.get_or_insert_with(|| format!("said to terminate, but a run needs more {}", budget.name()));
        }
        if chooser.into_inner().asked() == 0 {
            break;
        }
    }
    Ok(report)
}

/// How long a run must go on that is said never to end. The tool looks no further than at so much memory and so many calls.
const ENDLESS: Limits = Limits { steps: 1_000_000, memory: 32 << 20, depth: 20_000, output: u64::MAX };

/// Whether a run ends that is said never to, or whether its inputs do.
fn ends(program: &model::Program, inputs: &str) -> Option<Finding> {
    let endless = |message: String| Some(Finding::general(Wrong::Endless, message));
    let inputs = match interp::input::read_file(inputs) {
        Ok(inputs) => inputs,
        Err(reason) => return endless(reason),
    };
    let mut policy = Policy::default();
    policy.set(CheckKind::Uninitialised, Reaction::Ignore);
    let setup = Setup { policy, limits: ENDLESS, inputs, output: Box::new(|_, _| {}) };
    match Machine::new(program, setup).map_or_else(|end| end, |mut machine| machine.run_main()) {
        interp::End::Budget(..) => None,
        end => endless(format!("{end:?}")),
    }
}

/// What a run says against the claims.
fn judge(claims: &Claims, seen: &Seen) -> Option<Finding> {
    let finding = |(line, _): Place, message: String| Finding { wrong: Wrong::End, kind: "loop".into(), line, message };
    let of = |place: Place| claims.loops.iter().find(move |claim| claim.place == place);
    if let Some((place, stays)) = seen.repeats {
        if claims.verdict == "terminates" {
            return Some(finding(place, "the program is said to terminate".into()));
        }
        if stays && of(place).is_some_and(|claim| claim.terminates) {
            return Some(finding(place, "the loop is said to terminate".into()));
        }
    }
    seen.rounds.iter().find_map(|(&place, &rounds)| {
        let bound = of(place)?.bound?;
        let text = format!("{rounds} rounds, said to be at most {bound}");
        (rounds > bound).then(|| Finding { wrong: Wrong::Bound, ..finding(place, text) })
    })
}

/// The claims of an answer.
fn claims(end: &End) -> Result<Claims, Finding> {
    let said = || end.errors.lines().find(|line| !line.trim().is_empty()).unwrap_or("it says nothing").to_string();
    let report: Value = match end.code {
        Some(0 | 5 | 10) => serde_json::from_str(&end.output).map_err(|error| Finding::general(Wrong::Crash, error.to_string()))?,
        Some(1 | 2 | 8) => return Err(Finding::general(Wrong::Refusal, said())),
        _ => return Err(Finding::general(Wrong::Crash, format!("exit code {:?}: {}", end.code, said()))),
    };
    let verdict = report.get("verdict").and_then(Value::as_str).unwrap_or_default().to_string();
    let expected = match verdict.as_str() {
        "terminates" => 0,
        "diverges" => 10,
        _ => 5,
    };
    if end.code != Some(expected) {
        return Err(Finding::general(Wrong::ExitCode, format!("{:?} instead of {expected}", end.code)));
    }
    let mut loops: Vec<LoopClaim> = Vec::new();
    for one in report.get("loops").and_then(Value::as_array).into_iter().flatten() {
        let number = |key: &str| one.get(key).and_then(Value::as_u64).unwrap_or_default() as u32;
        if one.get("recursion") == Some(&Value::Bool(true)) {
            continue;
        }
        let terminates = one.get("verdict").and_then(Value::as_str) == Some("terminates");
        let bound = one.get("bound").and_then(Value::as_str).and_then(|bound| bound.parse().ok());
        loops.push(LoopClaim { place: (number("line"), number("column")), terminates, bound });
    }
    if report.get("run").is_some_and(|run| !run.is_null()) != (verdict == "diverges") {
        return Err(Finding::general(Wrong::Crash, "a run that never ends belongs to a program that does not terminate"));
    }
    Ok(Claims { verdict, loops })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claims_of(bound: Option<u64>) -> Claims {
        Claims { verdict: "terminates".into(), loops: vec![LoopClaim { place: (2, 2), terminates: true, bound }] }
    }

    #[test]
    fn runs_that_end_are_found_out() {
        let program = runs::translate("int main(void) { int x = 0; while (x < 5) x++; while (x == 5); return 0; }", false).unwrap();
        assert_eq!(ends(&program, ""), None);
        let program = runs::translate("int main(void) { int x = 0; while (x < 5) x++; return 0; }", false).unwrap();
        assert_eq!(ends(&program, "").map(|finding| finding.wrong), Some(Wrong::Endless));
        let program = runs::translate("int main(void) { while (__VERIFIER_nondet_int() != 5); return 0; }", false).unwrap();
        assert_eq!(ends(&program, "repeat\nvalue 4"), None);
        assert_eq!(ends(&program, "repeat\nvalue 4\nvalue 5").map(|finding| finding.wrong), Some(Wrong::Endless));
        // There must be inputs for all steps.
        assert_eq!(ends(&program, "value 4\nvalue 4").map(|finding| finding.wrong), Some(Wrong::Endless));
    }

    #[test]
    fn runs_refute_claims() {
        let seen = Seen { repeats: Some(((2, 2), true)), ..Seen::default() };
        assert_eq!(judge(&claims_of(None), &seen).map(|finding| finding.wrong), Some(Wrong::End));
        let open = Claims { verdict: "unknown".into(), ..claims_of(None) };
        assert_eq!(judge(&open, &seen).map(|finding| finding.wrong), Some(Wrong::End));
        let left = Seen { repeats: Some(((2, 2), false)), ..Seen::default() };
        assert_eq!(judge(&open, &left), None);
        let rounds = |rounds| Seen { rounds: [((2, 2), rounds)].into(), ..Seen::default() };
        assert_eq!(judge(&claims_of(Some(3)), &rounds(4)).map(|finding| finding.wrong), Some(Wrong::Bound));
        assert_eq!(judge(&claims_of(Some(4)), &rounds(4)), None);
    }
}

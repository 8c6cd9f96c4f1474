//! Alternatives that the program spells as branches: where `assert(a || b)` fails, first `a` was false and then `b`.

use encode::{Formula, Head};
use model::{BlockId, Callee, CheckKind, CommandKind, ExprId, ExprKind, PlaceKind, Terminator};
use rustc_hash::FxHashMap;

use super::live::Scope;

/// So many conditions are put together.
const LENGTH: usize = 3;
/// So many claims.
const CLAIMS: usize = 24;

/// Disjunctions that hold if something does not go wrong, or a truth value is not false. The function gives the formula of a condition.
pub fn find(head: &Head<'_, '_>, scope: &Scope, literal: impl Fn(ExprId) -> Option<Formula>) -> Vec<Formula> {
    let mut predecessors: FxHashMap<BlockId, Vec<BlockId>> = FxHashMap::default();
    for block in scope.blocks() {
        for next in head.body.blocks[block].terminator.successors(&head.body.address_taken) {
            predecessors.entry(next).or_default().push(block);
        }
    }
    let mut claims = Vec::new();
    for block in scope.blocks().filter(|block| fails(head, *block)) {
        for &before in predecessors.get(&block).into_iter().flatten() {
            let mut parts: Vec<Formula> = Vec::new();
            for (condition, holds) in way(head, &predecessors, before, block) {
                let Some(formula) = literal(condition) else { break };
                parts.push(if holds { formula.negation() } else { formula });
                if parts.len() > 1 && claims.len() < CLAIMS {
                    claims.push(Formula::Any(parts.clone()));
                }
            }
        }
    }
    claims
}

/// The conditions on the only way to a block, the last one first, and whether they hold on it.
fn way(head: &Head<'_, '_>, predecessors: &FxHashMap<BlockId, Vec<BlockId>>, before: BlockId, block: BlockId) -> Vec<(ExprId, bool)> {
    let mut found = Vec::new();
    let (mut before, mut block) = (before, block);
    for _ in 0..4 * LENGTH {
        if let Terminator::Branch(condition, yes, no) = head.body.blocks[before].terminator
            && yes != no
        {
            found.push((condition, block == yes));
        }
        if found.len() == LENGTH || before == head.region.header {
            break;
        }
        let Some([only]) = predecessors.get(&before).map(Vec::as_slice) else { break };
        (before, block) = (*only, before);
    }
    found
}

/// Whether a block is where something goes wrong, or where a condition that was put together turns out to be false.
fn fails(head: &Head<'_, '_>, block: BlockId) -> bool {
    let body = head.body;
    let is_false = |expr: ExprId| matches!(body.exprs[expr].kind, ExprKind::Int(0));
    body.blocks[block].commands.iter().any(|command| match &command.kind {
        CommandKind::Assert(condition, check) => check.kind == CheckKind::Assertion && is_false(*condition),
        CommandKind::Call { callee: Callee::Direct(callee), .. } => {
            head.program.functions.get(*callee).is_some_and(|function| function.marks_error())
        }
        CommandKind::Assign { dst, src } => {
            is_false(*src) && matches!(body.places[*dst].kind, PlaceKind::Local(local) if body.locals[local].temporary)
        }
        _ => false,
    })
}

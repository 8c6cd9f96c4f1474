//! Loops with calls in them that lead to their own function again.

use model::{BlockId, Callee, CommandKind, FunctionId, LoopForest, Program};
use rustc_hash::FxHashSet;

/// The loops in which a function may call itself, by function and head. Calls through pointers are not looked at.
pub(super) fn loops_with_recursion(program: &Program) -> FxHashSet<(FunctionId, BlockId)> {
    let mut found = FxHashSet::default();
    for (function, body) in program.functions.enumerate().filter_map(|(id, function)| Some((id, function.body.as_ref()?))) {
        for region in LoopForest::new(body).loops {
            let called = region.blocks.iter().flat_map(|block| callees(program, function, Some(*block)));
            if called.into_iter().any(|callee| leads_to(program, callee, function)) {
                found.insert((function, region.header));
            }
        }
    }
    found
}

/// Whether a call of one function may lead to a call of another.
fn leads_to(program: &Program, from: FunctionId, to: FunctionId) -> bool {
    let (mut seen, mut open) = (FxHashSet::from_iter([from]), vec![from]);
    while let Some(function) = open.pop() {
        if function == to {
            return true;
        }
        open.extend(callees(program, function, None).into_iter().filter(|callee| seen.insert(*callee)));
    }
    false
}

/// The functions that are called in a function, or in one of its blocks.
fn callees(program: &Program, function: FunctionId, only: Option<BlockId>) -> Vec<FunctionId> {
    let body = program.functions.get(function).and_then(|function| function.body.as_ref());
    let blocks = body.into_iter().flat_map(|body| body.blocks.enumerate());
    let commands = blocks.filter(|(id, _)| only.is_none_or(|only| only == *id)).flat_map(|(_, block)| &block.commands);
    let called = commands.filter_map(|command| match command.kind {
        CommandKind::Call { callee: Callee::Direct(callee), .. } => Some(callee),
        _ => None,
    });
    called.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loops_with_calls_that_come_back_are_found() {
        let source = b"void g(int);\n\
            void leaf(void) { for (;;) { } }\n\
            void f(int n) { while (n) { n--; g(n); } for (;;) leaf(); }\n\
            void g(int n) { do n--; while (n); if (n) f(n); }\n\
            int main(void) { for (;;) f(3); }\n";
        let program = frontend::translate("test.c", source, &frontend::Options::default()).program.unwrap();
        let found = loops_with_recursion(&program);
        let names: Vec<_> = found.iter().map(|(function, _)| program.functions[*function].name.as_str()).collect();
        assert_eq!(names, ["f"]);
    }
}

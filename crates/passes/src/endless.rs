//! Calls that do not come back: behind a call of a function that never returns, a block ends.
//!
//! Programs wrap `exit` in functions of their own that say why. Where such a call stands in a loop, control does not go back to the head from there, and
//! what the function does on its way out (release all memory, say) is nothing that an iteration does.

use model::{Block, BlockId, Body, Callee, CommandKind, FlowGraph, Function, FunctionId, Program, Terminator};

/// Ends blocks behind calls of functions that never return. What came behind stays, in blocks that control does not come to.
///
/// Runs stay what they are: a function counts as returning if a way leads from its entry to a return on which all calls return, which is so for all that
/// return after finitely many steps, recursive ones included.
pub fn end_calls(program: &mut Program) {
    let returning = returning(program);
    for function in program.functions.iter_mut() {
        let Some(body) = function.body.as_mut() else { continue };
        for block in body.blocks.ids().collect::<Vec<_>>() {
            let Some(last) = endless_call(body, block, &returning) else { continue };
            let Block { commands, terminator, span } = &mut body.blocks[block];
            let commands = commands.split_off(last + 1);
            let rest = Block { commands, terminator: std::mem::replace(terminator, Terminator::Unreachable), span: *span };
            body.blocks.push(rest);
        }
    }
}

/// For each function, whether it may return.
fn returning(program: &Program) -> Vec<bool> {
    let ends = |function: &Function| function.attributes.noreturn || function.exits() || function.name == "abort";
    let is_given = |function: &Function| function.body.is_none() && !ends(function);
    let mut returning: Vec<bool> = program.functions.iter().map(is_given).collect();
    let flows: Vec<Option<FlowGraph>> = program.functions.iter().map(|function| function.body.as_ref().map(FlowGraph::new)).collect();
    // The least set: what returns does so after functions did that it calls.
    loop {
        let mut more = false;
        for (id, function) in program.functions.enumerate() {
            let (Some(body), Some(flow)) = (&function.body, &flows[id.index()]) else { continue };
            if !returning[id.index()] && may_return(body, flow, &returning) {
                returning[id.index()] = true;
                more = true;
            }
        }
        if !more {
            return returning;
        }
    }
}

/// Whether a way leads through a body on which all calls return.
fn may_return(body: &Body, flow: &FlowGraph, returning: &[bool]) -> bool {
    let mut seen = vec![false; body.blocks.len()];
    let mut open = vec![Body::ENTRY];
    while let Some(block) = open.pop() {
        if std::mem::replace(&mut seen[block.index()], true) || endless_call(body, block, returning).is_some() {
            continue;
        }
        if matches!(body.blocks[block].terminator, Terminator::Return(_)) {
            return true;
        }
        open.extend(flow.successors(block));
    }
    false
}

/// The first command of a block that calls a function which does not return.
fn endless_call(body: &Body, block: BlockId, returning: &[bool]) -> Option<usize> {
    let is_endless = |callee: FunctionId| !returning[callee.index()];
    let calls_it = |kind: &CommandKind| matches!(kind, CommandKind::Call { callee: Callee::Direct(callee), .. } if is_endless(*callee));
    body.blocks[block].commands.iter().position(|command| calls_it(&command.kind))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names of the functions that return, and how many calls end a block, each followed by a block that control does not come to.
    fn ended(source: &str) -> (Vec<String>, usize) {
        let translation = frontend::translate("test.c", source.as_bytes(), &frontend::Options::default());
        let mut program = translation.program.unwrap_or_else(|| panic!("{:?}", translation.diagnostics.list()));
        let returning = returning(&program);
        let names = program.functions.enumerate().filter(|(id, function)| function.body.is_some() && returning[id.index()]);
        let names = names.map(|(_, function)| function.name.clone()).collect();
        let blocks =
            |program: &Program| program.functions.iter().filter_map(|function| Some(function.body.as_ref()?.blocks.len())).sum::<usize>();
        let before = blocks(&program);
        end_calls(&mut program);
        model::verify(&program).unwrap_or_else(|flaws| panic!("{}", flaws[0]));
        (names, blocks(&program) - before)
    }

    #[test]
    fn wrappers_of_exit_do_not_return() {
        let source = "void exit(int); int puts(const char *);
            static void clean(void) { puts(\"clean\"); }
            static void die(const char *why) { puts(why); clean(); exit(1); }
            static void usage(int n) { if (n) die(\"usage\"); else die(\"help\"); }
            static int get(int n) { if (n < 0) die(\"negative\"); return n; }
            int main(void) { int n = get(1); if (n) usage(n); return n; }";
        let (returning, ended) = ended(source);
        assert_eq!(returning, ["clean", "get", "main"]);
        assert_eq!(ended, 5);
    }

    #[test]
    fn recursion_and_loops_return_if_a_way_leads_out() {
        let source = "int down(int n) { return n ? down(n - 1) : 0; }
            int forever(int n) { return forever(n) + 1; }
            void spin(void) { for (;;); }
            void wait(volatile int *flag) { while (!*flag); }
            int main(void) { int flag = down(3); wait(&flag); if (flag) forever(1); else spin(); return 0; }";
        let (returning, ended) = ended(source);
        assert_eq!(returning, ["down", "wait"]);
        assert_eq!(ended, 3);
    }

    #[test]
    fn what_a_pointer_leads_to_may_return() {
        let source = "void exit(int); static void leave(int n) { exit(n); }
            int main(int argc, char **argv) { void (*f)(int) = leave; f(argc); return 0; }";
        assert_eq!(ended(source), (vec!["main".to_string()], 1));
    }
}

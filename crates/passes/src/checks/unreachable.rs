//! Unreachable: control does not come where the program says it never comes (`__builtin_unreachable`, the end of a function that does not
//! return; CWE-758).

use model::{Callee, CheckKind, CommandKind};

use super::site::Site;

pub(super) fn end(site: &mut Site<'_>) {
    // What follows a library function that does not return is no place in the program.
    let after_end = site.commands.last().is_some_and(|command| match command.kind {
        CommandKind::Call { callee: Callee::Direct(function), .. } => {
            site.functions[function].attributes.noreturn && !site.roles.has_body(function)
        }
        CommandKind::Assume(condition) => site.pattern(condition) == Some(0),
        _ => false,
    });
    if !after_end {
        let never = site.boolean(false);
        site.require(CheckKind::Unreachable, never);
    }
}

//! The names of checks on the command line.

use model::CheckKind;
use passes::checks::DEFAULT;

/// The checks that a list names: `all`, `none`, `default`, `memory`, or single ones, with commas between them.
pub fn parse(list: &str) -> Result<Vec<CheckKind>, String> {
    let mut kinds: Vec<CheckKind> = Vec::new();
    for name in list.split(',').map(str::trim).filter(|name| !name.is_empty()) {
        match name {
            "all" => kinds.extend(CheckKind::ALL),
            "none" => kinds.clear(),
            "default" => kinds.extend(DEFAULT),
            "memory" => kinds.extend([CheckKind::Bounds, CheckKind::Null, CheckKind::Dangling, CheckKind::Free]),
            _ => match CheckKind::ALL.iter().find(|kind| kind.name() == name) {
                Some(kind) => kinds.push(*kind),
                None => {
                    let names: Vec<&str> = CheckKind::ALL.iter().map(|kind| kind.name()).collect();
                    return Err(format!("there is no check `{name}`; there are all, none, memory, default, {}", names.join(", ")));
                }
            },
        }
    }
    Ok(kinds)
}

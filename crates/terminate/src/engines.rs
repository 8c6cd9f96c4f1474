//! The engines of both sides, and the choice among them.

use crate::{ranking, recurrence};

/// All engines, a line for each.
pub fn list() -> String {
    let width = names().iter().map(|name| name.len()).max().unwrap_or(0);
    let mut text = format!("{:<width$}  shows that loops end because\n", "engine");
    for engine in &ranking::ENGINES {
        let star = if engine.turn == ranking::Turn::Named { " *" } else { "" };
        text.push_str(&format!("{:<width$}  {}{star}\n", engine.name, engine.about));
    }
    for (name, about) in ranking::OTHERS {
        text.push_str(&format!("{name:<width$}  {about}\n"));
    }
    if !recurrence::ENGINES.is_empty() {
        text.push_str(&format!("\n{:<width$}  finds runs that never end:\n", "engine"));
    }
    for (name, about) in recurrence::ENGINES {
        text.push_str(&format!("{name:<width$}  {about}\n"));
    }
    text.push_str("Those with * are used only where they are named: they are there for comparison.\n");
    text
}

/// The engines of a list of names with commas between them.
pub fn parse(list: &str) -> Result<Vec<String>, String> {
    let known = names();
    let mut chosen = Vec::new();
    for name in list.split(',').map(str::trim).filter(|name| !name.is_empty()) {
        if !known.contains(&name) {
            return Err(format!("there is no engine `{name}`; there are {}", known.join(", ")));
        }
        chosen.push(name.to_owned());
    }
    if chosen.is_empty() { Err(format!("which engines? There are {}", known.join(", "))) } else { Ok(chosen) }
}

fn names() -> Vec<&'static str> {
    let ranking = ranking::ENGINES.iter().map(|engine| engine.name).chain(ranking::OTHERS.map(|(name, _)| name));
    ranking.chain(recurrence::ENGINES.iter().map(|(name, _)| *name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_choose() {
        assert_eq!(parse("orders, terminator").unwrap(), ["orders", "terminator"]);
        let message = parse("orders,frogs").unwrap_err();
        assert!(message.contains("`frogs`") && names().iter().all(|name| message.contains(name)), "{message}");
        assert!(parse(" ,").is_err());
    }

    #[test]
    fn no_two_engines_share_a_name() {
        let mut sorted = names();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(sorted.len(), names().len());
    }

    #[test]
    fn lines_fit() {
        assert!(list().lines().all(|line| line.chars().count() <= 120), "{}", list());
    }
}

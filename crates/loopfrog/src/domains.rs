//! `loopfrog domains`, and the choice among them.

use domains::{ALL, Domain};

/// All domains, a line for each.
pub fn list() -> String {
    let width = ALL.iter().map(|domain| domain.name().len()).max().unwrap_or(0);
    let mut text = format!("{:<width$}  round  proposes\n", "domain");
    for domain in ALL {
        text.push_str(&format!("{:<width$}  {:>5}  {}\n", domain.name(), domain.round(), domain.about()));
    }
    text.push_str("Domains of a later round are asked where the summaries of the rounds before were too weak.\n");
    text
}

/// The domains of a list of names with commas between them. Names with `+` and `-` change what is usual, which is all of them.
pub fn parse(list: &str) -> Result<Vec<&'static dyn Domain>, String> {
    let mut names: Vec<&str> = list.split(',').map(str::trim).filter(|name| !name.is_empty()).collect();
    let relative = names.iter().all(|name| name.starts_with(['+', '-']));
    names.retain(|name| *name != "none");
    let mut chosen = vec![relative; ALL.len()];
    for name in names {
        let (on, plain) = match name.strip_prefix('-') {
            Some(plain) => (false, plain),
            None => (true, name.strip_prefix('+').unwrap_or(name)),
        };
        if plain == "all" {
            chosen.fill(on);
            continue;
        }
        let place = ALL.iter().position(|domain| domain.name() == plain).ok_or_else(|| unknown(plain))?;
        chosen[place] = on;
    }
    Ok(ALL.iter().zip(chosen).filter(|(_, chosen)| *chosen).map(|(domain, _)| *domain).collect())
}

fn unknown(name: &str) -> String {
    let names: Vec<&str> = ALL.iter().map(|domain| domain.name()).collect();
    format!("there is no domain `{name}`; there are {}", names.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(list: &str) -> Vec<&'static str> {
        parse(list).map(|domains| domains.iter().map(|domain| domain.name()).collect()).unwrap_or_default()
    }

    #[test]
    fn lists_choose_and_change() {
        let all: Vec<&str> = ALL.iter().map(|domain| domain.name()).collect();
        let (first, last) = (all[0], all[all.len() - 1]);
        assert_eq!(names(""), all);
        assert_eq!(names(first), [first]);
        assert_eq!(names(&format!("{last}, {first}")), [first, last]);
        assert_eq!(names(&format!("-{first}")), all[1..]);
        assert_eq!(names(&format!("-{first},+{first}")), all);
        assert_eq!(names(&format!("all,-{last}")), all[..all.len() - 1]);
        assert!(names("none").is_empty());
        let message = parse("frogs").err().unwrap_or_default();
        assert!(message.contains("`frogs`") && all.iter().all(|name| message.contains(name)), "{message}");
    }

    #[test]
    fn each_domain_has_a_line_of_its_own() {
        let text = list();
        assert_eq!(text.lines().count(), ALL.len() + 2);
        assert!(text.lines().all(|line| line.chars().count() <= 160), "{text}");
    }
}

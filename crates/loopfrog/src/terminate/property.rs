//! The property file of an SV-COMP task.

use std::path::Path;

/// The property that is decided here, without white space.
const TERMINATION: &str = "CHECK(init(main()),LTL(Fend))";

/// Makes sure that a property file asks whether the program ends, and nothing else.
pub(super) fn read(file: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(file).map_err(|error| format!("cannot read {}: {error}", file.display()))?;
    accepts(&text).map_err(|message| format!("{}: {message}", file.display()))
}

fn accepts(text: &str) -> Result<(), String> {
    let mut found = false;
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if line.split_whitespace().collect::<String>() != TERMINATION {
            return Err(format!("`{line}` is not the termination property, which is `CHECK( init(main()), LTL(F end) )`"));
        }
        found = true;
    }
    if found { Ok(()) } else { Err("there is no property in it".into()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_termination_is_accepted() {
        assert_eq!(accepts("CHECK( init(main()), LTL(F end) )\n\n"), Ok(()));
        assert_eq!(accepts("CHECK(init(main()),LTL(F end))"), Ok(()));
        assert!(accepts("CHECK( init(main()), LTL(G ! overflow) )").is_err());
        assert!(accepts("CHECK( init(main()), LTL(F end) )\nCHECK( init(main()), LTL(G ! overflow) )").is_err());
        assert!(accepts(" \n").is_err());
    }
}

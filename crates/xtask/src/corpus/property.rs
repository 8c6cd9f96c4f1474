//! The properties that tasks ask about, and how the tool is asked.

/// A property that index and task files name.
#[derive(Debug, PartialEq)]
pub struct Property {
    /// Its name in index files; `.prp` files have it, too.
    pub name: &'static str,
    /// The command of the tool that answers, with its options.
    pub command: &'static [&'static str],
    /// Whether only the accesses count that comments in the program mark.
    pub marked: bool,
}

/// All that is known.
const PROPERTIES: &[Property] = &[
    Property { name: "unreach-call", command: &["check", "--property", "assert"], marked: false },
    Property { name: "valid-memsafety", command: &["check", "--property", "memory,leak"], marked: false },
    Property { name: "valid-memcleanup", command: &["check", "--property", "leak"], marked: false },
    Property { name: "memsafety", command: &["check", "--property", "memory,assert"], marked: true },
    Property { name: "no-overflow", command: &["check", "--property", "overflow"], marked: false },
    Property { name: "def-behavior", command: &["check", "--property", "memory,overflow,division,shift,uninit"], marked: false },
    Property { name: "termination", command: &["terminate"], marked: false },
];

/// Which kinds of findings break which part of a property.
const PARTS: &[(&str, &[&str])] =
    &[("valid-deref", &["bounds", "null", "dangling"]), ("valid-free", &["free"]), ("valid-memtrack", &["leak"])];

/// The property of this name.
pub fn find(name: &str) -> Option<&'static Property> {
    PROPERTIES.iter().find(|property| property.name == name)
}

/// The kinds of findings that break this part of a property; none if the part is not known.
pub fn kinds_of_part(name: &str) -> &'static [&'static str] {
    PARTS.iter().find(|(part, _)| *part == name).map_or(&[], |(_, kinds)| kinds)
}

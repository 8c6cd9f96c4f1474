//! Command lines that are kept as one text.

/// How a text is split into words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Quoting {
    /// As a POSIX shell does, without expansions: for `command` in a compilation database.
    Shell,
    /// As gcc does in a response file (`@file`): a backslash takes the next character as it is, everywhere.
    ResponseFile,
}

/// Splits a command line into words at white space, minding quotes and backslashes.
pub fn split(text: &str, quoting: Quoting) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match (quote, c) {
            (None, c) if c.is_ascii_whitespace() => words.extend(word.take()),
            (None, '\'' | '"') => {
                word.get_or_insert_default();
                quote = Some(c);
            }
            (Some(open), c) if c == open => quote = None,
            (quote, '\\') if takes_next(quote, chars.peek().copied(), quoting) => {
                let next = chars.next();
                // A shell joins lines that end in a backslash.
                if quoting != Quoting::Shell || next != Some('\n') {
                    word.get_or_insert_default().extend(next);
                }
            }
            _ => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

/// Whether a backslash inside these quotes makes the next character an ordinary one.
fn takes_next(quote: Option<char>, next: Option<char>, quoting: Quoting) -> bool {
    match (quoting, quote) {
        (Quoting::ResponseFile, _) | (Quoting::Shell, None) => true,
        (Quoting::Shell, Some('"')) => matches!(next, Some('$' | '`' | '"' | '\\' | '\n')),
        (Quoting::Shell, Some(_)) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shell_words() {
        let words = |text| split(text, Quoting::Shell);
        assert_eq!(words("cc -c  a.c\t-o 'a b.o'\n"), ["cc", "-c", "a.c", "-o", "a b.o"]);
        assert_eq!(words(r#"-DS=\"x\" "-DT=\"y\n\"" '-DU="\z"' a\ b"#), [r#"-DS="x""#, r#"-DT="y\n""#, r#"-DU="\z""#, "a b"]);
        assert_eq!(words("a '' \"\" b\\\nc"), ["a", "", "", "bc"]);
        assert_eq!(words("'open"), ["open"]);
        assert!(words("  ").is_empty());
    }

    #[test]
    fn response_file_words() {
        assert_eq!(split(r#"-DS=\"x\" '-DT=\'y\'' a\b"#, Quoting::ResponseFile), [r#"-DS="x""#, "-DT='y'", "ab"]);
    }
}

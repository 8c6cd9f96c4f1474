//! Invariants written into the source, where other tools read them.

use encode::Style;
use model::{LoopKind, Span};

use super::describe::Description;

/// Text that takes the place of a part of the source.
struct Edit {
    from: usize,
    to: usize,
    text: String,
}

/// The source with what is known of its loops; and loops that could not be annotated, with the reason.
pub(super) fn annotate(source: &str, loops: &[&Description], style: Style) -> (String, Vec<(Span, &'static str)>) {
    let mut edits: Vec<Edit> = Vec::new();
    let mut left_out = Vec::new();
    for one in loops {
        let edit = match style {
            Style::Cprover => cprover(source, one),
            _ => acsl(source, one),
        };
        match edit {
            Ok(edit) => edits.extend(edit),
            Err(reason) => left_out.push((one.span, reason)),
        }
    }
    edits.sort_by_key(|edit| edit.from);
    let (mut text, mut at) = (String::new(), 0);
    for Edit { from, to, text: new } in edits {
        // Two loops at one place are one loop of a macro.
        if let Some(before) = source.get(at..from) {
            text.push_str(before);
            text.push_str(&new);
            at = to;
        }
    }
    text.push_str(source.get(at..).unwrap_or_default());
    (text, left_out)
}

/// What holds whenever control is at the head, wherever the loop is reached from.
fn invariants(one: &Description) -> Vec<&str> {
    one.keeps.iter().filter(|invariant| invariant.always).map(|invariant| invariant.text.as_str()).collect()
}

fn acsl(source: &str, one: &Description) -> Result<Option<Edit>, &'static str> {
    let at = keyword(source, one)?;
    let mut clauses: Vec<String> = invariants(one).iter().map(|text| format!("loop invariant {text};")).collect();
    if one.effects.exact && !one.effects.places.is_empty() {
        clauses.push(format!("loop assigns {};", one.effects.places.join(", ")));
    }
    if clauses.is_empty() {
        return Ok(None);
    }
    Ok(Some(match indentation(source, at) {
        Some(indent) if clauses.len() > 1 => {
            let lines = clauses.join(&format!("\n{indent}    "));
            Edit { from: at, to: at, text: format!("/*@ {lines}\n{indent}*/\n{indent}") }
        }
        indent => {
            let end = indent.map_or(" ".to_owned(), |indent| format!("\n{indent}"));
            Edit { from: at, to: at, text: format!("/*@ {} */{end}", clauses.join(" ")) }
        }
    }))
}

fn cprover(source: &str, one: &Description) -> Result<Option<Edit>, &'static str> {
    let at = keyword(source, one)?;
    if one.kind == Some(LoopKind::Do) {
        return Err("CBMC takes no invariants of do loops");
    }
    let texts = invariants(one);
    if texts.is_empty() {
        return Ok(None);
    }
    let from = closing(source, at).ok_or("its condition has no end")?;
    let line = source.get(..at).map_or(0, |before| before.rfind('\n').map_or(0, |end| end + 1));
    let indent: String = source[line..].chars().take_while(|c| matches!(c, ' ' | '\t')).collect();
    let mut text = String::new();
    for invariant in texts {
        text.push_str(&format!("\n{indent}    __CPROVER_loop_invariant({invariant})"));
    }
    // What follows on the line goes to a line of its own.
    let rest = source[from..].trim_start_matches([' ', '\t']);
    let to = source.len() - rest.len();
    if !rest.starts_with(['\n', '\r']) {
        text.push_str(&format!("\n{indent}"));
    }
    Ok(Some(Edit { from, to, text }))
}

/// Where the loop's keyword stands in the source.
fn keyword(source: &str, one: &Description) -> Result<usize, &'static str> {
    let word = match one.kind {
        Some(LoopKind::While) => "while",
        Some(LoopKind::Do) => "do",
        Some(LoopKind::For) => "for",
        None => return Err("it is made of jumps"),
    };
    let mut start = 0;
    for _ in 1..one.span.line {
        start += source[start..].find('\n').ok_or("it is not where it seems to be")? + 1;
    }
    let at = start + (one.span.column as usize).saturating_sub(1);
    let rest = source.get(at..).and_then(|rest| rest.strip_prefix(word)).ok_or("it comes from a macro")?;
    let ends = !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
    let within_directive = source[start..].trim_start().starts_with('#');
    if ends && !within_directive { Ok(at) } else { Err("it comes from a macro") }
}

/// The white space before a place, if there is nothing else on its line.
fn indentation(source: &str, at: usize) -> Option<&str> {
    let line = source.get(..at)?.rfind('\n').map_or(0, |end| end + 1);
    source.get(line..at).filter(|before| before.trim().is_empty())
}

/// The end of the parentheses behind a keyword.
fn closing(source: &str, keyword: usize) -> Option<usize> {
    let bytes = source.as_bytes();
    let (mut depth, mut at) = (0usize, keyword);
    while let Some(&byte) = bytes.get(at) {
        at = match byte {
            b'/' if bytes.get(at + 1) == Some(&b'*') => at + 2 + source.get(at + 2..)?.find("*/")? + 2,
            b'/' if bytes.get(at + 1) == Some(&b'/') => at + source.get(at..)?.find('\n')?,
            b'"' | b'\'' => quoted(bytes, at)?,
            b'(' => {
                depth += 1;
                at + 1
            }
            b')' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at + 1);
                }
                at + 1
            }
            _ => at + 1,
        };
    }
    None
}

/// The end of a string or character.
fn quoted(bytes: &[u8], start: usize) -> Option<usize> {
    let quote = *bytes.get(start)?;
    let mut at = start + 1;
    loop {
        match *bytes.get(at)? {
            b'\\' => at += 2,
            byte if byte == quote => return Some(at + 1),
            _ => at += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_condition() {
        let end = |source: &'static str| closing(source, 0).map(|end| &source[..end]);
        assert_eq!(end("while (a[i] != ')') x();"), Some("while (a[i] != ')')"));
        assert_eq!(end(r#"while (f("\")(") /* ) */ && (b)) {"#), Some(r#"while (f("\")(") /* ) */ && (b))"#));
        assert_eq!(end("for (; // )\n ;) {}"), Some("for (; // )\n ;)"));
        for broken in ["while", "while (", "while ('", "while (/*", "while (\"\\"] {
            assert_eq!(end(broken), None);
        }
    }
}

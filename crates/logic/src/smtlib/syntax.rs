//! The s-expressions of a script.

use super::error::Fault;

/// An s-expression of a [`Tree`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Id(usize);

/// What an s-expression is.
#[derive(Debug)]
pub(super) enum Form<'a> {
    /// A name, without the bars around it.
    Symbol(&'a str),
    /// A name that begins with a colon, without the colon.
    Keyword(&'a str),
    /// Digits.
    Numeral(&'a str),
    /// Digits with a point.
    Decimal(&'a str),
    /// The digits after `#b`.
    Binary(&'a str),
    /// The digits after `#x`.
    Hexadecimal(&'a str),
    /// Text in quotation marks.
    String,
    /// Expressions in parentheses.
    List(Vec<Id>),
}

/// All s-expressions of a script. They refer to each other by number, so that no nesting is too deep.
pub(super) struct Tree<'a> {
    forms: Vec<(Form<'a>, usize)>,
    /// The expressions that are in no other.
    pub(super) top: Vec<Id>,
}

impl<'a> Tree<'a> {
    /// Reads a text.
    pub(super) fn read(text: &'a str) -> Result<Tree<'a>, Fault> {
        let mut tree = Tree { forms: Vec::new(), top: Vec::new() };
        // The lists that are not closed yet: where they begin, and what they have so far.
        let mut open: Vec<(usize, Vec<Id>)> = Vec::new();
        let mut position = 0;
        while let Some((token, start, end)) = next_token(text, position)? {
            position = end;
            let id = match token {
                Token::Open => {
                    open.push((start, Vec::new()));
                    continue;
                }
                Token::Close => {
                    let (start, items) = open.pop().ok_or_else(|| Fault::at(start, "nothing to close here"))?;
                    tree.add(Form::List(items), start)
                }
                Token::Atom(form) => tree.add(form, start),
            };
            open.last_mut().map_or(&mut tree.top, |(_, items)| items).push(id);
        }
        match open.pop() {
            Some((start, _)) => Err(Fault::at(start, "this parenthesis is never closed")),
            None => Ok(tree),
        }
    }
    fn add(&mut self, form: Form<'a>, offset: usize) -> Id {
        self.forms.push((form, offset));
        Id(self.forms.len() - 1)
    }
    /// What an expression is.
    pub(super) fn form(&self, id: Id) -> &Form<'a> {
        &self.forms[id.0].0
    }
    /// Where an expression begins.
    pub(super) fn offset(&self, id: Id) -> usize {
        self.forms[id.0].1
    }
    /// Something is wrong with this expression.
    pub(super) fn fault(&self, id: Id, reason: impl Into<String>) -> Fault {
        Fault::at(self.offset(id), reason)
    }
    /// The elements of a list.
    pub(super) fn list(&self, id: Id) -> Result<&[Id], Fault> {
        match self.form(id) {
            Form::List(items) => Ok(items),
            _ => Err(self.fault(id, "a list in parentheses is expected")),
        }
    }
    /// A name.
    pub(super) fn symbol(&self, id: Id) -> Result<&'a str, Fault> {
        self.as_symbol(id).ok_or_else(|| self.fault(id, "a symbol is expected"))
    }
    /// The name, if it is one.
    pub(super) fn as_symbol(&self, id: Id) -> Option<&'a str> {
        match self.form(id) {
            Form::Symbol(name) => Some(name),
            _ => None,
        }
    }
    /// A number of reasonable size.
    pub(super) fn numeral(&self, id: Id) -> Result<u32, Fault> {
        match self.form(id) {
            Form::Numeral(digits) => digits.parse().map_err(|_| self.fault(id, "this number is too large")),
            _ => Err(self.fault(id, "a number is expected")),
        }
    }
}

enum Token<'a> {
    Open,
    Close,
    Atom(Form<'a>),
}

/// The token at or after a position, where it begins, and where it ends.
fn next_token(text: &str, position: usize) -> Result<Option<(Token<'_>, usize, usize)>, Fault> {
    let start = skip_blanks(text, position);
    let rest = text.get(start..).unwrap_or("");
    let Some(first) = rest.chars().next() else { return Ok(None) };
    let (token, length) = match first {
        '(' => (Token::Open, 1),
        ')' => (Token::Close, 1),
        '|' => {
            let (inside, _) = rest[1..].split_once('|').ok_or_else(|| Fault::at(start, "this quoted symbol has no end"))?;
            (Token::Atom(Form::Symbol(inside)), inside.len() + 2)
        }
        '"' => (Token::Atom(Form::String), string_length(rest).ok_or_else(|| Fault::at(start, "this string has no end"))?),
        _ => {
            let word = &rest[..rest.find(|next| !is_word(next)).unwrap_or(rest.len())];
            (Token::Atom(word_form(word).ok_or_else(|| Fault::at(start, format!("`{}` begins no expression", shown(rest))))?), word.len())
        }
    };
    Ok(Some((token, start, start + length)))
}

/// The position of what is no space and no comment.
fn skip_blanks(text: &str, position: usize) -> usize {
    let mut rest = text.get(position..).unwrap_or("");
    loop {
        rest = rest.trim_start();
        match rest.strip_prefix(';') {
            Some(comment) => rest = comment.find('\n').map_or("", |end| &comment[end..]),
            None => return text.len() - rest.len(),
        }
    }
}

/// The length of a string with its quotation marks; two of them inside stand for one.
fn string_length(rest: &str) -> Option<usize> {
    let mut end = 1;
    loop {
        end += rest.get(end..)?.find('"')? + 1;
        if !rest.get(end..)?.starts_with('"') {
            return Some(end);
        }
        end += 1;
    }
}

fn is_word(character: char) -> bool {
    character.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/:#".contains(character)
}

/// What a word is; `None` if it is nothing.
fn word_form(word: &str) -> Option<Form<'_>> {
    let digits = |text: &str, radix| !text.is_empty() && text.chars().all(|digit| digit.is_digit(radix));
    if let Some(name) = word.strip_prefix(':') {
        return (!name.is_empty()).then_some(Form::Keyword(name));
    }
    if let Some(bits) = word.strip_prefix("#b") {
        return digits(bits, 2).then_some(Form::Binary(bits));
    }
    if let Some(bits) = word.strip_prefix("#x") {
        return digits(bits, 16).then_some(Form::Hexadecimal(bits));
    }
    if word.starts_with(|first: char| first.is_ascii_digit()) {
        return match word.split_once('.') {
            Some((whole, part)) => (digits(whole, 10) && digits(part, 10)).then_some(Form::Decimal(word)),
            None => digits(word, 10).then_some(Form::Numeral(word)),
        };
    }
    (!word.is_empty() && !word.contains([':', '#'])).then_some(Form::Symbol(word))
}

/// The beginning of a text, for a message.
fn shown(text: &str) -> String {
    text.chars().take(20).take_while(|next| !next.is_whitespace() && !"()".contains(*next)).collect()
}

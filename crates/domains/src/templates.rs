//! Candidates that the user writes down, tested like all others.
//!
//! A file has one template per line; `#` begins a comment. A template is a formula, with variables of the program by their names or with variables of
//! its own that stand for all of a kind:
//!
//! ```text
//! forall index i, buffer s: 0 <= i && i < length(s)
//! forall string s, index i: i <= strlen(s)
//! candidate: p - buf == n
//! in parse: n <= 10
//! ```

mod instance;
mod parse;
#[cfg(test)]
mod tests;

use std::fmt;

use encode::{Formula, Moment};

use crate::{Domain, View};

/// The user's templates: a domain that is made at run time.
pub struct Templates {
    list: Vec<Template>,
}

/// What is wrong with a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TemplateError {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// What is wrong, and what to do.
    pub message: String,
}

impl fmt::Display for TemplateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for TemplateError {}

impl Templates {
    /// Reads templates.
    ///
    /// # Errors
    /// One for each line that is none.
    pub fn parse(text: &str) -> Result<Self, Vec<TemplateError>> {
        let (mut list, mut errors) = (Vec::new(), Vec::new());
        for (number, line) in text.lines().enumerate() {
            match parse::template(line) {
                Ok(template) => list.extend(template),
                Err((column, message)) => errors.push(TemplateError { line: number + 1, column, message }),
            }
        }
        if errors.is_empty() { Ok(Templates { list }) } else { Err(errors) }
    }
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
}

impl Domain for Templates {
    fn name(&self) -> &'static str {
        "templates"
    }
    fn about(&self) -> &'static str {
        "the user's own candidates, from a file"
    }
    fn propose(&self, view: &View<'_>, out: &mut Vec<Formula>) {
        if !self.list.is_empty() {
            instance::propose(view, &self.list, out);
        }
    }
}

/// A line of the file.
#[derive(Debug)]
struct Template {
    /// The function that it is for; all of them if there is none.
    function: Option<String>,
    variables: Vec<(Sort, String)>,
    formula: Node,
}

/// What a template's variable stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Sort {
    /// Integers that occur in indices.
    Index,
    /// Integers.
    Integer,
    /// Pointers.
    Pointer,
    /// Arrays, and what pointers lead to.
    Buffer,
    /// The same, of characters.
    Text,
}

/// A formula of the template language.
#[derive(Clone, PartialEq, Debug)]
enum Node {
    Compare(Comparison, Sum, Sum),
    Valid(Sum),
    Null(Sum),
    SameObject(Sum, Sum),
    Terminated(String),
    Not(Box<Node>),
    All(Vec<Node>),
    Any(Vec<Node>),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Comparison {
    Equal,
    Different,
    AtMost,
    Below,
}

/// A sum of multiples.
#[derive(Clone, PartialEq, Debug, Default)]
struct Sum {
    parts: Vec<(i64, Atom)>,
    constant: i128,
}

#[derive(Clone, PartialEq, Debug)]
enum Atom {
    Of(Part, String, Moment),
    Iterations,
    Null,
}

/// Which number of a variable is meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Part {
    /// The variable itself.
    Value,
    /// Bytes of a pointer's object.
    Size,
    /// Bytes in front of where a pointer points.
    Offset,
    /// Elements from where a pointer points to the end.
    Length,
    /// Characters in front of the first 0.
    StringLength,
}

impl Sum {
    fn of(atom: Atom) -> Self {
        Sum { parts: vec![(1, atom)], constant: 0 }
    }
    fn plus(mut self, factor: i64, other: &Sum) -> Option<Self> {
        for (inner, atom) in &other.parts {
            self.parts.push((inner.checked_mul(factor)?, atom.clone()));
        }
        self.constant = self.constant.checked_add(other.constant.checked_mul(i128::from(factor))?)?;
        Some(self)
    }
}

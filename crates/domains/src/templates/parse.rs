//! The parser of templates.

use encode::Moment;

use super::{Atom, Comparison, Node, Part, Sort, Sum, Template};

/// A column and what is wrong there.
type Error = (usize, String);

/// How deep formulas may be nested.
const DEPTH: u32 = 40;

/// The template on a line, if there is one.
pub(super) fn template(line: &str) -> Result<Option<Template>, Error> {
    let mut parser = Parser { tokens: tokens(line)?, at: 0, end: line.chars().count() + 1, depth: DEPTH };
    if parser.tokens.is_empty() {
        return Ok(None);
    }
    let function = match parser.follows("in") {
        true => {
            parser.at += 1;
            let name = parser.name("the name of a function")?;
            parser.expect(":")?;
            Some(name)
        }
        false => None,
    };
    let mut variables = Vec::new();
    if parser.follows("forall") {
        parser.at += 1;
        loop {
            let column = parser.column();
            let sort = sort(&parser.name("a kind of variable")?).ok_or_else(|| (column, KINDS.to_owned()))?;
            variables.push((sort, parser.name("a name for it")?));
            if !parser.take(",") {
                break;
            }
        }
        parser.expect(":")?;
    } else if parser.follows("candidate") && parser.tokens.get(1 + parser.at).is_some_and(|(_, token)| *token == Token::Symbol(":")) {
        parser.at += 2;
    }
    let column = parser.column();
    let formula = parser.expression()?.formula(column)?;
    match parser.tokens.get(parser.at) {
        None => Ok(Some(Template { function, variables, formula })),
        Some((column, token)) => Err((*column, format!("`{}` does not belong here; join formulas with &&, || or =>", token.text()))),
    }
}

const KINDS: &str = "there are the kinds index, integer, pointer, buffer and string";

fn sort(word: &str) -> Option<Sort> {
    Some(match word {
        "index" => Sort::Index,
        "integer" => Sort::Integer,
        "pointer" => Sort::Pointer,
        "buffer" => Sort::Buffer,
        "string" => Sort::Text,
        _ => return None,
    })
}

#[derive(Clone, PartialEq, Debug)]
enum Token {
    Name(String),
    Number(i128),
    Symbol(&'static str),
}

impl Token {
    fn text(&self) -> String {
        match self {
            Token::Name(name) => name.clone(),
            Token::Number(number) => number.to_string(),
            Token::Symbol(symbol) => (*symbol).to_owned(),
        }
    }
}

/// Longer ones first.
const SYMBOLS: [&str; 18] = ["&&", "||", "=>", "==", "!=", "<=", ">=", "<", ">", "!", "+", "-", "*", "(", ")", ",", ":", "="];

fn tokens(line: &str) -> Result<Vec<(usize, Token)>, Error> {
    let mut tokens = Vec::new();
    let mut rest = line;
    let column = |rest: &str| line.chars().count() - rest.chars().count() + 1;
    while let Some(first) = rest.chars().next() {
        if first == '#' {
            break;
        }
        if first.is_whitespace() {
            rest = &rest[first.len_utf8()..];
            continue;
        }
        let at = column(rest);
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        if is_word(first) {
            let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
            let (word, after) = rest.split_at(end);
            rest = after;
            let token = match first.is_ascii_digit() {
                true => Token::Number(number(word).ok_or_else(|| (at, format!("`{word}` is no number that fits")))?),
                false => Token::Name(word.to_owned()),
            };
            tokens.push((at, token));
        } else if let Some((character, after)) = character(rest) {
            rest = after;
            tokens.push((at, Token::Number(character)));
        } else {
            let symbol = SYMBOLS.into_iter().find(|symbol| rest.starts_with(symbol));
            let symbol = symbol.ok_or_else(|| (at, format!("`{first}` means nothing here")))?;
            rest = &rest[symbol.len()..];
            tokens.push((at, Token::Symbol(symbol)));
        }
    }
    Ok(tokens)
}

fn number(word: &str) -> Option<i128> {
    match word.strip_prefix("0x") {
        Some(digits) => i128::from_str_radix(digits, 16).ok(),
        None => word.parse().ok(),
    }
    .filter(|number| i64::try_from(*number).is_ok())
}

/// A character constant, and what follows it.
fn character(text: &str) -> Option<(i128, &str)> {
    let text = text.strip_prefix('\'')?;
    let mut rest = text.chars();
    let value = match rest.next()? {
        '\\' => match rest.next()? {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            '0' => '\0',
            other @ ('\\' | '\'') => other,
            _ => return None,
        },
        other => other,
    };
    let after = rest.as_str().strip_prefix('\'')?;
    value.is_ascii().then_some((i128::from(u32::from(value)), after))
}

/// What an expression is.
enum Value {
    Sum(Sum),
    Formula(Node),
}

impl Value {
    fn formula(self, column: usize) -> Result<Node, Error> {
        match self {
            Value::Formula(node) => Ok(node),
            Value::Sum(_) => Err((column, "this is a number; compare it with something, as in `n <= 10`".to_owned())),
        }
    }
    fn sum(self, column: usize) -> Result<Sum, Error> {
        match self {
            Value::Sum(sum) => Ok(sum),
            Value::Formula(_) => Err((column, "this is true or false; a number should be here".to_owned())),
        }
    }
}

struct Parser {
    tokens: Vec<(usize, Token)>,
    at: usize,
    /// The column behind the line.
    end: usize,
    depth: u32,
}

impl Parser {
    fn column(&self) -> usize {
        self.tokens.get(self.at).map_or(self.end, |(column, _)| *column)
    }
    fn follows(&self, word: &str) -> bool {
        matches!(self.tokens.get(self.at), Some((_, Token::Name(name))) if name == word)
    }
    fn take(&mut self, symbol: &str) -> bool {
        let found = matches!(self.tokens.get(self.at), Some((_, Token::Symbol(known))) if *known == symbol);
        self.at += usize::from(found);
        found
    }
    fn expect(&mut self, symbol: &str) -> Result<(), Error> {
        let column = self.column();
        if self.take(symbol) { Ok(()) } else { Err((column, format!("`{symbol}` is missing here"))) }
    }
    fn name(&mut self, what: &str) -> Result<String, Error> {
        match self.tokens.get(self.at) {
            Some((_, Token::Name(name))) => {
                self.at += 1;
                Ok(name.clone())
            }
            _ => Err((self.column(), format!("{what} is missing here"))),
        }
    }

    /// `=>` binds weakest and to the right.
    fn expression(&mut self) -> Result<Value, Error> {
        let column = self.column();
        self.depth = self.depth.checked_sub(1).ok_or_else(|| (column, "this is nested too deep".to_owned()))?;
        let left = self.disjunction()?;
        let value = if self.take("=>") {
            let right_column = self.column();
            let right = self.expression()?.formula(right_column)?;
            Value::Formula(Node::Any(vec![Node::Not(Box::new(left.formula(column)?)), right]))
        } else {
            left
        };
        self.depth += 1;
        Ok(value)
    }

    fn disjunction(&mut self) -> Result<Value, Error> {
        self.joined("||", Self::conjunction, Node::Any)
    }
    fn conjunction(&mut self) -> Result<Value, Error> {
        self.joined("&&", Self::comparison, Node::All)
    }
    fn joined(&mut self, symbol: &str, part: fn(&mut Self) -> Result<Value, Error>, join: fn(Vec<Node>) -> Node) -> Result<Value, Error> {
        let column = self.column();
        let first = part(self)?;
        if !self.take(symbol) {
            return Ok(first);
        }
        let mut nodes = vec![first.formula(column)?];
        loop {
            let column = self.column();
            nodes.push(part(self)?.formula(column)?);
            if !self.take(symbol) {
                return Ok(Value::Formula(join(nodes)));
            }
        }
    }

    /// Comparisons may be chained: `0 <= i < n`.
    fn comparison(&mut self) -> Result<Value, Error> {
        let mut column = self.column();
        let first = self.sum()?;
        let Some(mut comparison) = self.comparison_symbol()? else { return Ok(first) };
        let mut left = first.sum(column)?;
        let mut nodes = Vec::new();
        loop {
            column = self.column();
            let right = self.sum()?.sum(column)?;
            let (kind, mirrored) = comparison;
            nodes.push(match mirrored {
                true => Node::Compare(kind, right.clone(), left),
                false => Node::Compare(kind, left, right.clone()),
            });
            match self.comparison_symbol()? {
                Some(next) => (comparison, left) = (next, right),
                None if nodes.len() == 1 => return Ok(Value::Formula(nodes.remove(0))),
                None => return Ok(Value::Formula(Node::All(nodes))),
            }
        }
    }
    /// A comparison, and whether its sides change places.
    fn comparison_symbol(&mut self) -> Result<Option<(Comparison, bool)>, Error> {
        let Some((column, Token::Symbol(symbol))) = self.tokens.get(self.at) else { return Ok(None) };
        let found = match *symbol {
            "==" => (Comparison::Equal, false),
            "!=" => (Comparison::Different, false),
            "<=" => (Comparison::AtMost, false),
            "<" => (Comparison::Below, false),
            ">=" => (Comparison::AtMost, true),
            ">" => (Comparison::Below, true),
            "=" => return Err((*column, "`=` compares nothing; write `==`".to_owned())),
            _ => return Ok(None),
        };
        self.at += 1;
        Ok(Some(found))
    }

    fn sum(&mut self) -> Result<Value, Error> {
        let column = self.column();
        let mut value = self.product()?;
        loop {
            let factor = if self.take("+") {
                1
            } else if self.take("-") {
                -1
            } else {
                return Ok(value);
            };
            let right_column = self.column();
            let right = self.product()?.sum(right_column)?;
            let sum = value.sum(column)?.plus(factor, &right);
            value = Value::Sum(sum.ok_or_else(|| (column, "these numbers are too large".to_owned()))?);
        }
    }
    fn product(&mut self) -> Result<Value, Error> {
        let column = self.column();
        let mut value = self.unary()?;
        while self.take("*") {
            let right_column = self.column();
            let (left, right) = (value.sum(column)?, self.unary()?.sum(right_column)?);
            let (factor, sum) = match (left.parts.is_empty(), right.parts.is_empty()) {
                (true, _) => (left.constant, right),
                (_, true) => (right.constant, left),
                _ => return Err((right_column, "only multiples by constants can be written here".to_owned())),
            };
            let product = i64::try_from(factor).ok().and_then(|factor| Sum::default().plus(factor, &sum));
            value = Value::Sum(product.ok_or_else(|| (column, "these numbers are too large".to_owned()))?);
        }
        Ok(value)
    }
    fn unary(&mut self) -> Result<Value, Error> {
        let (mut not, mut minus) = (0, 0);
        loop {
            if self.take("!") {
                not += 1;
            } else if self.take("-") {
                minus += 1;
            } else {
                break;
            }
        }
        let column = self.column();
        let value = self.primary()?;
        match (not, minus) {
            (0, 0) => Ok(value),
            (0, _) => {
                let factor = if minus % 2 == 1 { -1 } else { 1 };
                let sum = Sum::default().plus(factor, &value.sum(column)?);
                Ok(Value::Sum(sum.ok_or_else(|| (column, "this number is too large".to_owned()))?))
            }
            (_, 0) if not % 2 == 0 => Ok(Value::Formula(value.formula(column)?)),
            (_, 0) => Ok(Value::Formula(Node::Not(Box::new(value.formula(column)?)))),
            _ => Err((column, "`!` and `-` do not go together".to_owned())),
        }
    }
    fn primary(&mut self) -> Result<Value, Error> {
        let column = self.column();
        if self.take("(") {
            let value = self.expression()?;
            self.expect(")")?;
            return Ok(value);
        }
        let Some((_, token)) = self.tokens.get(self.at).cloned() else {
            return Err((column, "something is missing at the end".to_owned()));
        };
        self.at += 1;
        match token {
            Token::Number(constant) => Ok(Value::Sum(Sum { parts: Vec::new(), constant })),
            Token::Name(name) if name == "NULL" => Ok(Value::Sum(Sum::of(Atom::Null))),
            Token::Name(name) if self.take("(") => {
                let value = self.call(&name, column)?;
                self.expect(")")?;
                Ok(value)
            }
            Token::Name(name) if name == "iterations" => Ok(Value::Sum(Sum::of(Atom::Iterations))),
            Token::Name(name) => Ok(Value::Sum(Sum::of(Atom::Of(Part::Value, name, Moment::Now)))),
            Token::Symbol(symbol) => Err((column, format!("a variable or a number should be here, not `{symbol}`"))),
        }
    }

    /// What stands behind `name(`.
    fn call(&mut self, name: &str, column: usize) -> Result<Value, Error> {
        let argument_column = self.column();
        let part = match name {
            "size" => Some(Part::Size),
            "offset" => Some(Part::Offset),
            "length" => Some(Part::Length),
            "strlen" => Some(Part::StringLength),
            _ => None,
        };
        if let Some(part) = part {
            let argument = self.expression()?.sum(argument_column)?;
            return match &argument.parts[..] {
                [(1, Atom::Of(Part::Value, name, moment))] if argument.constant == 0 => {
                    Ok(Value::Sum(Sum::of(Atom::Of(part, name.clone(), *moment))))
                }
                _ => Err((argument_column, format!("`{name}` takes a variable, or entry(variable)"))),
            };
        }
        match name {
            "entry" => {
                let mut sum = self.expression()?.sum(argument_column)?;
                for (_, atom) in &mut sum.parts {
                    if let Atom::Of(_, _, moment) = atom {
                        *moment = Moment::Entry;
                    }
                }
                Ok(Value::Sum(sum))
            }
            "valid" => Ok(Value::Formula(Node::Valid(self.expression()?.sum(argument_column)?))),
            "null" => Ok(Value::Formula(Node::Null(self.expression()?.sum(argument_column)?))),
            "same_object" => {
                let first = self.expression()?.sum(argument_column)?;
                self.expect(",")?;
                let second_column = self.column();
                Ok(Value::Formula(Node::SameObject(first, self.expression()?.sum(second_column)?)))
            }
            "zero_terminated" => Ok(Value::Formula(Node::Terminated(self.name("the name of a string")?))),
            _ => Err((column, format!("there is no `{name}`; there are {FUNCTIONS}"))),
        }
    }
}

const FUNCTIONS: &str = "entry, size, offset, length, strlen, valid, null, same_object and zero_terminated";

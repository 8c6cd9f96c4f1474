//! Expressions. The left operand of an operator stands in parentheses, so that no two operators begin at one place.

use super::{Buffer, Generator};

impl Generator {
    /// A value of some type.
    pub(super) fn expression(&mut self, depth: usize) -> String {
        if depth == 0 || self.random.chance(40) {
            return self.leaf();
        }
        let (left, right) = (self.expression(depth - 1), self.expression(depth - 1));
        let constant = self.random.pick(&[1, 2, 3, 4, 7, 10, 16]).unwrap_or(1);
        match self.random.below(12) {
            0 | 1 => format!("({left}) + {}", atom(&right)),
            2 | 3 => format!("({left}) - {}", atom(&right)),
            4 => format!("({left}) * {constant}"),
            5 => format!("({left}) / {}", self.divisor(&right)),
            6 => format!("({left}) % {}", self.divisor(&right)),
            7 => format!("({left}) & {}", (1 << constant.min(8)) - 1),
            8 => format!("({left}) {} {}", self.random.word(&["^", "|", "&"]), atom(&right)),
            9 => format!("({left}) {} {}", self.random.word(&["<<", ">>"]), if self.slips() { atom(&right) } else { constant.to_string() }),
            10 => format!("({}) ? {} : {}", self.condition(), atom(&left), atom(&right)),
            _ => format!("({})({left})", self.integer().name()),
        }
    }

    /// Something to divide by: rarely zero.
    fn divisor(&mut self, value: &str) -> String {
        if self.slips() { atom(value) } else { self.random.pick(&[1, 2, 3, 5, 10, -1]).unwrap_or(1).to_string() }
    }

    pub(super) fn leaf(&mut self) -> String {
        match self.random.below(10) {
            0..=5 => self.variable().unwrap_or_else(|| self.number()),
            6 | 7 => match self.random.pick(&self.buffers) {
                Some(buffer) => format!("{}[{}]", buffer.name, self.index(&buffer)),
                None => self.number(),
            },
            8 if self.random.chance(40) => match self.random.pick(&self.pointers) {
                Some(pointer) => format!("*{}", pointer.name),
                None => self.number(),
            },
            8 if self.random.chance(50) => format!("{}()", self.integer().input()),
            _ => self.number(),
        }
    }

    /// A variable in scope.
    pub(super) fn variable(&mut self) -> Option<String> {
        self.random.pick(&self.variables).map(|variable| variable.name)
    }

    fn number(&mut self) -> String {
        self.random.pick(&[0, 0, 1, 1, 2, 3, 5, 7, 8, 10, 32, 48, 97, 100, 127, 255, 1000, 2147483647, -1, -2]).unwrap_or(0).to_string()
    }

    /// An index of a buffer: a counter that is bound by its length, a constant, something reduced to it.
    pub(super) fn index(&mut self, buffer: &Buffer) -> String {
        if self.random.chance(self.slip / 3) {
            return self.leaf_variable();
        }
        let fitting: Vec<String> =
            self.counters.iter().filter(|(_, length)| *length == buffer.length).map(|(counter, _)| counter.clone()).collect();
        match self.random.pick(&fitting) {
            Some(counter) if self.random.chance(80) => format!("{counter}{}", self.off_by_one()),
            _ => match (buffer.constant, self.random.chance(50)) {
                (Some(length), true) => match self.slips() {
                    true => length.to_string(),
                    false => self.random.between(0, length - 1).to_string(),
                },
                // A length that is computed may be zero for once, and what is divided by it is lost.
                (None, _) if !self.slips() => "0".into(),
                _ => format!("(unsigned)({}) % {}", self.leaf_variable(), divided(&buffer.length)),
            },
        }
    }

    fn leaf_variable(&mut self) -> String {
        self.variable().unwrap_or_else(|| self.number())
    }

    /// Something that holds or not.
    pub(super) fn condition(&mut self) -> String {
        match self.random.below(8) {
            0 => self.leaf_variable(),
            1 => format!("{} && {}", self.comparison(), self.comparison()),
            2 => format!("{} || {}", self.comparison(), self.comparison()),
            3 => "__VERIFIER_nondet_int()".into(),
            4 => format!("({}) % {} == {}", self.leaf_variable(), self.random.between(2, 4), self.random.between(0, 2)),
            _ => self.comparison(),
        }
    }

    pub(super) fn comparison(&mut self) -> String {
        let left = if self.random.chance(75) { self.leaf_variable() } else { self.leaf() };
        let right = if self.random.chance(50) { self.number() } else { self.leaf() };
        format!("{left} {} {right}", self.random.word(&["<", "<=", ">", ">=", "==", "!="]))
    }
}

/// An operand on the right.
fn atom(text: &str) -> String {
    let is_name = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    if is_name { text.into() } else { format!("({text})") }
}

/// A length as a divisor.
fn divided(length: &str) -> String {
    format!("(unsigned)({length})")
}

//! Programs as trees of lines, so that parts of them can be taken away.

/// A line, or lines between an opening and a closing one.
#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    /// A declaration or a simple statement.
    Line(String),
    /// A compound statement or a function: `while (…) {`, what is inside, `}`.
    Block { open: String, inside: Vec<Node>, close: String },
    /// An assertion that is yet to be found: the scalar variables that it may speak of.
    Probe(Vec<Variable>),
}

/// A scalar variable.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    pub name: String,
    pub ty: Integer,
}

/// An integer type of C.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Integer {
    Char,
    UnsignedChar,
    Short,
    Int,
    Unsigned,
    Long,
    UnsignedLong,
}

impl Integer {
    pub const ALL: [Integer; 7] =
        [Integer::Char, Integer::UnsignedChar, Integer::Short, Integer::Int, Integer::Unsigned, Integer::Long, Integer::UnsignedLong];

    /// Its name in C.
    pub fn name(self) -> &'static str {
        match self {
            Integer::Char => "char",
            Integer::UnsignedChar => "unsigned char",
            Integer::Short => "short",
            Integer::Int => "int",
            Integer::Unsigned => "unsigned",
            Integer::Long => "long",
            Integer::UnsignedLong => "unsigned long",
        }
    }

    /// The function that gives an arbitrary value of it.
    pub fn input(self) -> &'static str {
        match self {
            Integer::Char => "__VERIFIER_nondet_char",
            Integer::UnsignedChar => "__VERIFIER_nondet_uchar",
            Integer::Short => "__VERIFIER_nondet_short",
            Integer::Int => "__VERIFIER_nondet_int",
            Integer::Unsigned => "__VERIFIER_nondet_uint",
            Integer::Long => "__VERIFIER_nondet_long",
            Integer::UnsignedLong => "__VERIFIER_nondet_ulong",
        }
    }

    pub fn is_signed(self) -> bool {
        !matches!(self, Integer::UnsignedChar | Integer::Unsigned | Integer::UnsignedLong)
    }

    fn bits(self, ilp32: bool) -> u32 {
        match self {
            Integer::Char | Integer::UnsignedChar => 8,
            Integer::Short => 16,
            Integer::Int | Integer::Unsigned => 32,
            Integer::Long | Integer::UnsignedLong => 64 >> u32::from(ilp32),
        }
    }

    /// The number that a bit pattern means.
    pub fn number(self, pattern: u128, ilp32: bool) -> i128 {
        let unused = 128 - self.bits(ilp32);
        let high = pattern << unused;
        if self.is_signed() { high as i128 >> unused } else { (high >> unused) as i128 }
    }
}

/// How assertions are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// As verification tasks have them: the run goes on behind one that fails.
    Verifier,
    /// As `<assert.h>` expands them: the run ends there.
    Library,
}

/// A generated program.
#[derive(Clone, Debug, PartialEq)]
pub struct Program {
    pub nodes: Vec<Node>,
    pub style: Style,
    pub ilp32: bool,
}

/// Everything from outside. No header is included, so that nothing has to be preprocessed and lines are what they seem.
fn prelude(ilp32: bool) -> String {
    let size = if ilp32 { "unsigned int" } else { "unsigned long" };
    let mut lines = vec![
        "void __VERIFIER_assert(int);".to_string(),
        "void __VERIFIER_assume(int);".to_string(),
        "void __assert_fail(const char *, const char *, unsigned, const char *);".to_string(),
        format!("void *malloc({size});"),
        format!("void *calloc({size}, {size});"),
        format!("void *realloc(void *, {size});"),
        format!("void *__builtin_alloca({size});"),
        "void free(void *);".to_string(),
        "void exit(int);".to_string(),
        "int rand(void);".to_string(),
        format!("{size} strlen(const char *);"),
        "char *strcpy(char *, const char *);".to_string(),
        "char *strcat(char *, const char *);".to_string(),
        "char *strchr(const char *, int);".to_string(),
        format!("char *strncpy(char *, const char *, {size});"),
        format!("void *memset(void *, int, {size});"),
        format!("void *memcpy(void *, const void *, {size});"),
        format!("void *memmove(void *, const void *, {size});"),
        "char *strdup(const char *);".into(),
    ];
    lines.extend(Integer::ALL.map(|ty| format!("{} {}(void);", ty.name(), ty.input())));
    lines.join("\n") + "\n"
}

impl Program {
    /// The program in C, one node a line.
    pub fn text(&self) -> String {
        let mut text = prelude(self.ilp32);
        self.walk(|node, depth| text.push_str(&format!("{:depth$}{}\n", "", self.line(node), depth = 4 * depth)));
        text
    }

    /// The lines of the probes, with their variables.
    pub fn probes(&self) -> Vec<(u32, Vec<Variable>)> {
        let mut line = prelude(self.ilp32).lines().count() as u32;
        let mut found = Vec::new();
        self.walk(|node, _| {
            line += 1;
            if let Visit::Whole(Node::Probe(variables)) = node {
                found.push((line, variables.clone()));
            }
        });
        found
    }

    fn line(&self, visit: Visit<'_>) -> String {
        match visit {
            Visit::Whole(Node::Line(text)) => match (text.strip_prefix("assert(").and_then(|rest| rest.strip_suffix(");")), self.style) {
                (Some(condition), Style::Verifier) => format!("__VERIFIER_assert({condition});"),
                (Some(condition), Style::Library) => {
                    format!("if (!({condition})) __assert_fail(\"an assertion\", \"program.c\", 1, \"a function\");")
                }
                (None, _) => text.clone(),
            },
            Visit::Whole(_) => "__VERIFIER_assert(1);".into(),
            Visit::Part(text) => text.into(),
        }
    }

    /// Visits each line with its depth. The depth is bounded by the generator.
    fn walk<'a>(&'a self, mut visit: impl FnMut(Visit<'a>, usize)) {
        fn go<'a>(nodes: &'a [Node], depth: usize, visit: &mut impl FnMut(Visit<'a>, usize)) {
            for node in nodes {
                match node {
                    Node::Block { open, inside, close } => {
                        visit(Visit::Part(open), depth);
                        go(inside, depth + 1, visit);
                        visit(Visit::Part(close), depth);
                    }
                    _ => visit(Visit::Whole(node), depth),
                }
            }
        }
        go(&self.nodes, 0, &mut visit);
    }

    /// The numbers that the program mentions, without its prelude; each once, in order.
    pub fn constants(&self) -> Vec<u64> {
        let mut found = Vec::new();
        self.walk(|node, _| found.extend(numbers(&self.line(node)).into_iter().map(|(_, value)| value)));
        found.sort_unstable();
        found.dedup();
        found
    }
}

/// What is on a line: a node, or the beginning or end of one.
#[derive(Clone, Copy)]
enum Visit<'a> {
    Whole(&'a Node),
    Part(&'a str),
}

/// The decimal numbers in a text that are not parts of names, with where they begin.
pub fn numbers(text: &str) -> Vec<(usize, u64)> {
    let bytes = text.as_bytes();
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let length = bytes[at..].iter().take_while(|byte| is_word(byte)).count();
        if let Some(value) = text.get(at..at + length).and_then(|word| word.parse().ok()) {
            found.push((at, value));
        }
        at += length.max(1);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_told_from_names() {
        assert_eq!(numbers("x1 = a[23] + 4u - 5;"), [(7, 23), (18, 5)]);
    }

    #[test]
    fn patterns_are_numbers() {
        assert_eq!(Integer::Char.number(0xff, false), -1);
        assert_eq!(Integer::UnsignedChar.number(0xff, false), 255);
        assert_eq!(Integer::Long.number(0xffff_ffff, true), -1);
        assert_eq!(Integer::Long.number(0xffff_ffff, false), 0xffff_ffff);
    }

    #[test]
    fn probes_know_their_lines() {
        let probe = Node::Probe(vec![Variable { name: "x".into(), ty: Integer::Int }]);
        let main = Node::Block { open: "int main(void) {".into(), inside: vec![Node::Line("int x = 1;".into()), probe], close: "}".into() };
        let program = Program { nodes: vec![main], style: Style::Library, ilp32: false };
        let (line, variables) = program.probes().remove(0);
        assert_eq!(program.text().lines().nth(line as usize - 1), Some("    __VERIFIER_assert(1);"));
        assert_eq!(variables[0].name, "x");
    }
}

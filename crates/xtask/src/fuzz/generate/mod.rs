//! Random programs with loops: most of what they do is right, some of it only almost.
//!
//! All names of a program are different, and values from outside come from `__VERIFIER_nondet_*` alone. Whatever the generator means to be right, it gets
//! wrong with the probability `slip`: bounds by one, comparisons that include their end, terminators and releases that are forgotten.

mod expression;
mod flow;
mod function;
mod idiom;
mod layout;
mod looping;
mod pointer;
mod statement;
mod storage;
mod tables;
mod texts;

use self::pointer::Pointer;
use super::random::Random;
use super::tree::{Integer, Node, Program, Style, Variable};

/// An array, or what a pointer leads to.
#[derive(Clone, Debug)]
struct Buffer {
    name: String,
    element: Integer,
    /// How many elements it has, in C.
    length: String,
    /// The same, if it is a constant.
    constant: Option<i64>,
    /// Whether it is meant to have a terminating zero.
    is_string: bool,
}

/// What a function is called with, beside something of its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wants {
    /// An array and its length.
    Length,
    /// An array with a terminating zero.
    String,
    /// A single object.
    Object,
}

/// A function that can be called with a buffer.
#[derive(Clone, Debug)]
struct Function {
    name: String,
    element: Integer,
    wants: Wants,
}

/// A generator at work on a function.
struct Generator {
    random: Random,
    /// How many of a hundred right things become wrong.
    slip: usize,
    /// How many of a hundred places for assertions have one: a run ends at the first that fails.
    assertions: usize,
    /// The number of the next name.
    fresh: usize,
    /// What is written of the innermost block.
    nodes: Vec<Node>,
    variables: Vec<Variable>,
    buffers: Vec<Buffer>,
    pointers: Vec<Pointer>,
    functions: Vec<Function>,
    /// Variables that stay between zero and this length, exclusive, where the generator is.
    counters: Vec<(String, String)>,
    /// How many C loops are around.
    loops: usize,
    /// The label behind the outermost loop, and whether something jumps there.
    exit: Option<(String, bool)>,
    /// What main has to do in the end.
    cleanup: Vec<String>,
    /// How many statements may still be written.
    fuel: usize,
}

/// The program of a seed.
pub fn program(seed: u64) -> Program {
    let mut random = Random::new(seed, 1);
    let slip = random.pick(&[0, 0, 3, 6, 12, 25]).unwrap_or(0);
    let assertions = random.pick(&[0, 15, 40, 100]).unwrap_or(0);
    let style = random.pick(&[Style::Verifier, Style::Verifier, Style::Library]).unwrap_or(Style::Verifier);
    let ilp32 = random.chance(8);
    let mut generator = Generator {
        random,
        slip,
        assertions,
        fresh: 0,
        nodes: Vec::new(),
        variables: Vec::new(),
        buffers: Vec::new(),
        pointers: Vec::new(),
        functions: Vec::new(),
        counters: Vec::new(),
        loops: 0,
        exit: None,
        cleanup: Vec::new(),
        fuel: 0,
    };
    generator.whole();
    Program { nodes: generator.nodes, style, ilp32 }
}

impl Generator {
    fn whole(&mut self) {
        self.lines(
            "struct node { int value; struct node *next; };
            struct record { int count; char name[6]; int data[4]; };
            struct record shared[2];",
        );
        for _ in 0..self.random.below(3) {
            self.global();
        }
        let functions = self.random.pick(&[0, 0, 1, 1, 2, 3]).unwrap_or(0);
        for _ in 0..functions {
            self.function();
        }
        self.main();
    }

    /// A variable or an array outside of functions.
    fn global(&mut self) {
        let ty = self.element();
        if self.random.chance(40) {
            let name = self.name("g");
            let value = self.random.between(0, 9);
            self.line(format!("{} {name} = {value};", ty.name()));
            self.variables.push(Variable { name: name.clone(), ty });
            if self.random.chance(40) {
                let (pointer, home) = (self.name("q"), format!("&{name}"));
                self.line(format!("{} *{pointer} = {home};", ty.name()));
                self.pointers.push(Pointer { name: pointer, element: ty, home, older: self.variables.len() });
            }
        } else {
            let (name, length) = (self.name("t"), self.length());
            self.line(format!("{} {name}[{length}];", ty.name()));
            self.buffers.push(Buffer { name, element: ty, length: length.to_string(), constant: Some(length), is_string: true });
        }
    }

    fn main(&mut self) {
        // Small programs are examined soon, and most defects need little.
        let most = self.random.pick(&[1, 3, 6, 14]).unwrap_or(6);
        self.fuel = most / 2 + self.random.below(most);
        self.inside("int main(void) {", "}", |this| {
            for _ in 0..1 + this.random.below(2) {
                this.input();
            }
            for _ in 0..1 + this.random.below(2) {
                this.local_buffer();
            }
            for _ in 0..this.random.below(3) {
                this.local();
            }
            if this.random.chance(40) {
                this.new_pointer();
            }
            if this.random.chance(25) {
                this.heap_buffer();
            }
            match this.random.below(6) {
                0 => this.flow(2),
                1 => this.storage(),
                2 => this.layout(),
                _ => this.looping(2),
            }
            while this.fuel > 0 {
                this.statement(3);
            }
            this.probe();
            for line in std::mem::take(&mut this.cleanup) {
                if !this.slips() {
                    this.line(line);
                }
            }
            this.line("return 0;".into());
        });
    }

    /// A variable with a value from outside, usually within bounds.
    fn input(&mut self) {
        let ty = if self.random.chance(70) { Integer::Int } else { self.integer() };
        let name = self.name("n");
        self.line(format!("{} {name} = {}();", ty.name(), ty.input()));
        let low = self.random.pick(&[0, 0, 1, -2]).unwrap_or(0);
        let high = self.length().min(100);
        let condition = match self.random.below(if ty.is_signed() { 8 } else { 4 }) {
            0 | 1 => format!("{name} > {high}"),
            2 => String::new(),
            3 => format!("{name} == {high}"),
            _ => format!("{name} < {low} || {name} > {high}"),
        };
        if !condition.is_empty() && self.random.chance(50) {
            self.line(format!("if ({condition}) return 0;"));
        } else if !condition.is_empty() {
            self.line(format!("__VERIFIER_assume(!({condition}));"));
        }
        self.variables.push(Variable { name, ty });
    }

    /// A variable of the function.
    fn local(&mut self) {
        let (ty, name) = (self.integer(), self.name("x"));
        let value = self.expression(1);
        self.line(format!("{} {name} = {value};", ty.name()));
        self.variables.push(Variable { name, ty });
    }

    /// An array of the function: all zero, text, or with any content.
    fn local_buffer(&mut self) {
        let (element, name, length) = (self.element(), self.name("a"), self.length());
        let is_char = element == Integer::Char;
        let (initial, is_string) = match self.random.below(4) {
            0 if is_char && length >= 4 => (" = \"abc\"", true),
            0 | 1 => (" = { 0 }", true),
            2 => (" = { 1, }", length > 1),
            _ => ("", false),
        };
        self.line(format!("{} {name}[{length}]{initial};", element.name()));
        self.buffers.push(Buffer { name, element, length: length.to_string(), constant: Some(length), is_string });
    }

    /// An array from `malloc`, with a length that is computed.
    fn heap_buffer(&mut self) {
        let (element, name, length) = (self.element(), self.name("h"), self.name("n"));
        let high = self.length();
        let low = if self.slips() { 0 } else { 1 };
        let more = if self.slips() { " - 1" } else { "" };
        self.line(format!("int {length} = __VERIFIER_nondet_int();"));
        self.line(format!("if ({length} < {low} || {length} > {high}) return 0;"));
        let (zeroed, ty) = (self.random.chance(40), element.name());
        self.line(match zeroed {
            true => format!("{ty} *{name} = calloc({length}{more}, sizeof({ty}));"),
            false => format!("{ty} *{name} = malloc(({length}{more}) * sizeof({ty}));"),
        });
        if !self.slips() {
            self.line(format!("if (!{name}) return 0;"));
        }
        self.cleanup.push(format!("free({name});"));
        self.variables.push(Variable { name: length.clone(), ty: Integer::Int });
        self.buffers.push(Buffer { name, element, length, constant: None, is_string: zeroed });
    }

    /// A name that nothing else has.
    fn name(&mut self, prefix: &str) -> String {
        self.fresh += 1;
        format!("{prefix}{}", self.fresh)
    }

    /// Any type; `int` is the usual one.
    fn integer(&mut self) -> Integer {
        if self.random.chance(45) { Integer::Int } else { self.random.pick(&Integer::ALL).unwrap_or(Integer::Int) }
    }

    /// The type of an array's elements.
    fn element(&mut self) -> Integer {
        let usual = [Integer::Int, Integer::Int, Integer::Int, Integer::Char, Integer::Char, Integer::Char, Integer::UnsignedChar];
        if self.random.chance(90) { self.random.pick(&usual).unwrap_or(Integer::Int) } else { self.integer() }
    }

    /// The length of an array: small enough to be unwound, or not.
    fn length(&mut self) -> i64 {
        self.random.pick(&[1, 2, 3, 4, 5, 6, 8, 10, 11, 16, 20, 32, 64, 100, 300]).unwrap_or(8)
    }

    /// Whether something right is to become wrong.
    fn slips(&mut self) -> bool {
        self.random.chance(self.slip)
    }

    /// Nothing, or what makes a number wrong by one.
    fn off_by_one(&mut self) -> &'static str {
        if self.slips() { self.random.word(&[" + 1", " - 1"]) } else { "" }
    }

    fn line(&mut self, text: String) {
        if text.starts_with("assert(") && !self.random.chance(self.assertions) {
            return;
        }
        self.nodes.push(Node::Line(text));
    }

    /// Adds lines; those that end with `{` and begin with `}` are blocks.
    fn lines(&mut self, text: &str) {
        let mut open: Vec<(String, Vec<Node>)> = Vec::new();
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            if line.ends_with('{') {
                open.push((line.into(), std::mem::take(&mut self.nodes)));
            } else if let Some((head, outside)) = open.pop_if(|_| line.starts_with('}')) {
                let inside = std::mem::replace(&mut self.nodes, outside);
                self.nodes.push(Node::Block { open: head, inside, close: line.into() });
            } else {
                self.line(line.into());
            }
        }
    }

    /// A block; what is declared inside is forgotten behind it.
    fn inside(&mut self, open: &str, close: &str, write: impl FnOnce(&mut Self)) {
        let outside = std::mem::take(&mut self.nodes);
        let (variables, buffers, pointers) = (self.variables.len(), self.buffers.len(), self.pointers.len());
        write(self);
        self.variables.truncate(variables);
        self.buffers.truncate(buffers);
        self.pointers.truncate(pointers);
        let inside = std::mem::replace(&mut self.nodes, outside);
        self.nodes.push(Node::Block { open: open.into(), inside, close: close.into() });
    }

    /// A place for a fact about a variable, perhaps together with others.
    fn probe_of(&mut self, name: &str) {
        if self.random.chance(self.assertions) {
            let alone = self.random.chance(60);
            let spoken_of = self.variables.iter().filter(|variable| variable.name == name || !alone);
            self.nodes.push(Node::Probe(spoken_of.cloned().collect()));
        }
    }

    /// A place for a fact.
    fn probe(&mut self) {
        if !self.variables.is_empty() && self.random.chance(self.assertions) {
            self.nodes.push(Node::Probe(self.variables.clone()));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};

    use super::*;

    #[test]
    fn a_seed_gives_one_program() {
        for seed in 0..50 {
            assert_eq!(program(seed).text(), program(seed).text());
        }
        assert_ne!(program(1).text(), program(2).text());
    }

    #[test]
    fn gcc_accepts_the_programs() {
        if Command::new("gcc").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_err() {
            eprintln!("SKIPPED: gcc is not installed");
            return;
        }
        let folder = tempfile::tempdir().unwrap();
        let mut command = Command::new("gcc");
        command.args(["-fsyntax-only", "-w", "-std=gnu17"]);
        for seed in 0..60 {
            let mut program = program(seed);
            program.ilp32 = false;
            let path = folder.path().join(format!("{seed}.c"));
            std::fs::write(&path, program.text()).unwrap();
            command.arg(path);
        }
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }

    #[test]
    fn objects_of_all_lifetimes_and_jumps_of_all_kinds_occur() {
        let texts: String = (0..400).map(|seed| program(seed).text()).collect();
        for part in [
            "= __builtin_alloca(",
            "= realloc(",
            "static int",
            "union {",
            "goto top",
            "goto inner",
            "goto middle",
            "memmove(c",
            " = &x",
            ".head;",
        ] {
            assert!(texts.contains(part), "{part}");
        }
    }

    #[test]
    fn lines_become_blocks() {
        let mut program = program(1);
        program.nodes.retain(|node| matches!(node, Node::Block { open, .. } if open.starts_with("int main")));
        assert_eq!(program.nodes.len(), 1);
    }
}

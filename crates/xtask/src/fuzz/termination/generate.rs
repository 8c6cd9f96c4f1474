//! Random programs whose loops are interesting to those who ask whether they end: counters in nests and phases, numbers that wrap, shifts and masks,
//! remainders, several exits, choices from outside, arrays, recursion. Most of them are almost right in one way or another.

use super::super::random::Random;
use super::super::tree::{Integer, Node, Program, Style};

/// Loops inside of loops.
const DEPTH: usize = 3;

/// The types of variables. Small ones wrap soon, so that a run shows what they do.
const TYPES: [Integer; 12] = [
    Integer::UnsignedChar,
    Integer::UnsignedChar,
    Integer::UnsignedChar,
    Integer::Char,
    Integer::Char,
    Integer::Short,
    Integer::Int,
    Integer::Int,
    Integer::Int,
    Integer::Unsigned,
    Integer::Long,
    Integer::UnsignedLong,
];

/// The program of a seed.
pub fn program(seed: u64) -> Program {
    let mut random = Random::new(seed, 7);
    let ilp32 = random.chance(25);
    let mut generator = Generator { random, variables: Vec::new(), fresh: 0, loops: 0, callee: None };
    let mut nodes = generator.globals();
    nodes.extend(generator.function());
    nodes.push(generator.main());
    Program { nodes, style: Style::Verifier, ilp32 }
}

struct Generator {
    random: Random,
    /// Names with their types.
    variables: Vec<(String, Integer)>,
    fresh: usize,
    /// How many loops are around.
    loops: usize,
    /// A function with one parameter and a result.
    callee: Option<String>,
}

fn block(open: String, inside: Vec<Node>) -> Node {
    Node::Block { open, inside, close: "}".into() }
}

impl Generator {
    fn globals(&mut self) -> Vec<Node> {
        let mut nodes = vec![Node::Line("unsigned char table[8];".into())];
        for _ in 0..self.random.below(3) {
            let (name, ty) = self.declare("g");
            nodes.push(Node::Line(format!("{} {name};", ty.name())));
        }
        nodes
    }

    fn declare(&mut self, prefix: &str) -> (String, Integer) {
        self.fresh += 1;
        let (name, ty) = (format!("{prefix}{}", self.fresh), self.random.pick(&TYPES).unwrap_or(Integer::Int));
        self.variables.push((name.clone(), ty));
        (name, ty)
    }

    /// Sometimes a function: one that calls itself, or one with a loop.
    fn function(&mut self) -> Option<Node> {
        if self.random.chance(60) {
            return None;
        }
        let outside = self.variables.len();
        let (parameter, ty) = self.declare("p");
        let mut inside = Vec::new();
        if self.random.chance(50) {
            let condition = self.condition();
            let known = self.random.between(0, 3);
            inside.push(Node::Line(format!("if ({condition}) return {known};")));
            inside.push(self.update());
            let (argument, other) = (self.step(&parameter), self.step(&parameter));
            inside.push(Node::Line(match self.random.below(11) {
                0 => format!("return f({argument}) & f({other});"),
                1 => format!("if ({}) exit(4); return f({argument});", self.condition()),
                2 => format!("f({argument}); return f({other});"),
                3 => format!("while ({}) {{ f({argument}); }} return 1;", self.condition()),
                4 => format!("for (;;) {{ if ({}) break; {parameter}++; f({other}); }} return 2;", self.condition()),
                5 => format!("do {{ {parameter}--; if ({}) f({argument}); }} while ({}); return 3;", self.condition(), self.condition()),
                _ => format!("return f({argument});"),
            }));
        } else {
            inside.push(self.looping(DEPTH - 1));
            inside.push(Node::Line(format!("return {parameter};")));
        }
        self.variables.truncate(outside);
        self.callee = Some("f".into());
        Some(block(format!("int f({} {parameter}) {{", ty.name()), inside))
    }

    /// What is one step nearer to something.
    fn step(&mut self, name: &str) -> String {
        match self.random.below(6) {
            0 | 1 => format!("{name} - 1"),
            2 => format!("{name} + 1"),
            3 => format!("{name} / 2"),
            4 => format!("{name} - {}", self.random.between(0, 3)),
            _ => self.value(),
        }
    }

    fn main(&mut self) -> Node {
        let mut inside = Vec::new();
        for _ in 0..self.random.between(2, 4) {
            let (name, ty) = self.declare("x");
            let value = if self.random.chance(60) { format!("{}()", ty.input()) } else { self.random.between(-4, 20).to_string() };
            inside.push(Node::Line(format!("{} {name} = {value};", ty.name())));
        }
        if self.random.chance(40) {
            let variable = self.variable();
            let limit = self.random.between(0, 30);
            let relation = self.random.word(&["<", ">", "<=", ">=", "!="]);
            inside.push(Node::Line(format!("if (!({variable} {relation} {limit})) return 1;")));
        }
        for _ in 0..self.random.between(1, 2) {
            let node = self.looping(0);
            inside.push(node);
        }
        inside.push(Node::Line("return 0;".into()));
        block("int main(void) {".into(), inside)
    }

    fn variable(&mut self) -> String {
        self.random.pick(&self.variables).map_or_else(|| "0".into(), |(name, _)| name)
    }

    /// A value without side effects, or one from outside.
    fn value(&mut self) -> String {
        match self.random.below(13) {
            12 => "rand() % 4".into(),
            0..5 => self.variable(),
            5..9 => self.random.between(-2, 12).to_string(),
            9 => format!("table[{} & 7]", self.variable()),
            10 => "__VERIFIER_nondet_uchar()".into(),
            _ => match self.callee.clone() {
                Some(name) => format!("{name}({})", self.variable()),
                None => "__VERIFIER_nondet_int()".into(),
            },
        }
    }

    fn condition(&mut self) -> String {
        let (a, b) = (self.variable(), self.variable());
        let constant = self.random.pick(&[0, 0, 1, 1, 2, 5, 10, 100, 127, 128, 255, 256, -1, -5]).unwrap_or(0);
        match self.random.below(14) {
            0..3 => format!("{a} {} {constant}", self.random.word(&["<", ">", "<=", ">="])),
            3 | 4 => format!("{a} {} {b}", self.random.word(&["<", ">", "<=", ">=", "!="])),
            5 => format!("{a} != {constant}"),
            6 => a,
            7 => format!("{a} & {}", self.random.pick(&[1, 2, 4, 15, 128]).unwrap_or(1)),
            8 => format!("table[{a} & 7] {} {b}", self.random.word(&["<", ">", "!="])),
            9 => "__VERIFIER_nondet_int()".into(),
            10 => format!("{a} + {b} > {constant}"),
            11 => format!("{a} - {b} != {constant}"),
            12 => format!("({}) && ({})", self.simple_condition(), self.simple_condition()),
            _ => format!("({}) || ({})", self.simple_condition(), self.simple_condition()),
        }
    }

    fn simple_condition(&mut self) -> String {
        let (a, b) = (self.variable(), self.value());
        format!("{a} {} {b}", self.random.word(&["<", ">", "<=", ">=", "!="]))
    }

    /// Something that changes a variable.
    fn update(&mut self) -> Node {
        let (a, b) = (self.variable(), self.variable());
        let number = self.random.between(1, 4);
        Node::Line(match self.random.below(22) {
            0..4 => format!("{a}++;"),
            4..8 => format!("{a}--;"),
            8 => format!("{a} += {number};"),
            9 => format!("{a} -= {number};"),
            10 => format!("{a} -= {b};"),
            11 => format!("{a} += {b};"),
            12 => format!("{a} = {a} / {};", number + 1),
            13 => format!("{a} = (unsigned char)({a} >> {number});"),
            14 => format!("{a} = (unsigned char)({a} << {number});"),
            15 => format!("{a} &= {a} - 1;"),
            16 => format!("{a} ^= {number};"),
            17 => format!("if ({b} > 0) {a} = {a} % {b};"),
            18 => format!("table[{a} & 7] {} 1;", self.random.word(&["+=", "-=", "="])),
            19 => format!("{{ long t = {a}; {a} = {b}; {b} = t; }}"),
            20 => format!("{a} = {};", self.value()),
            _ => format!("{a} |= {number};"),
        })
    }

    /// A loop with its counter in order, or of anything.
    fn looping(&mut self, depth: usize) -> Node {
        let (open, close, first, last) = self.form();
        self.loops += 1;
        let mut inside: Vec<Node> = first.into_iter().map(Node::Line).collect();
        for _ in 0..self.random.between(0, 3) {
            let node = self.statement(depth + 1);
            inside.push(node);
        }
        inside.extend(last.into_iter().map(Node::Line));
        self.loops -= 1;
        Node::Block { open, inside, close }
    }

    /// How a loop begins and ends, and what its body begins and ends with.
    fn form(&mut self) -> (String, String, Option<String>, Option<String>) {
        let (i, bound) = (self.variable(), self.value());
        let number = self.random.pick(&[1, 1, 1, 2, 3, 7]).unwrap_or(1);
        let end = |close: &str| close.to_string();
        match self.random.below(16) {
            0 | 1 => (format!("for ({i} = 0; {i} < {bound}; {i} += {number}) {{"), end("}"), None, None),
            2 => (format!("for ({i} = {bound}; {i} > 0; {i} -= {number}) {{"), end("}"), None, None),
            3 => (format!("for (; {i} != {bound}; {i}++) {{"), end("}"), None, None),
            4 => (format!("while ({i} >= {bound}) {{"), end("}"), None, Some(format!("{i}--;"))),
            5 => (format!("while ({i} > 1) {{"), end("}"), None, Some(format!("{i} = {i} / 2;"))),
            6 => (format!("while ({i}) {{"), end("}"), None, Some(format!("{i} &= {i} - 1;"))),
            7 => (end("do {"), format!("}} while (++{i} < {bound});"), None, None),
            8 => (end("do {"), format!("}} while ({});", self.condition()), None, None),
            9 => {
                let j = self.variable();
                (
                    format!("while ({i} < {j}) {{"),
                    end("}"),
                    None,
                    Some(self.random.word(&["I++;", "J--;", "if (I & 1) J--; else I++;"]).replace('I', &i).replace('J', &j)),
                )
            }
            10 => {
                let j = self.variable();
                let remainder = format!("{{ long t = {j} > 0 ? {i} % {j} : 0; {i} = {j}; {j} = t; }}");
                (format!("while ({j} {} 0) {{", self.random.word(&[">", "!="])), end("}"), None, Some(remainder))
            }
            11 => (end("for (;;) {"), end("}"), Some(format!("if ({}) break;", self.condition())), None),
            12 => (format!("while ({} && __VERIFIER_nondet_int()) {{", self.simple_condition()), end("}"), None, None),
            13 => {
                let relation = self.random.word(&["==", "<=", ">", "+ 1 =="]);
                (format!("while (__VERIFIER_nondet_uchar() {relation} {i}) {{"), end("}"), None, None)
            }
            _ => (format!("while ({}) {{", self.condition()), end("}"), None, None),
        }
    }

    fn statement(&mut self, depth: usize) -> Node {
        match self.random.below(21) {
            20 if self.loops > 0 => {
                let (a, b) = (self.variable(), self.value());
                let computed = self.random.word(&["A * A + B", "A * 2 - B", "A ^ B", "A + B", "A % 7"]).replace('A', &a).replace('B', &b);
                Node::Line(format!("{{ unsigned t = {computed}; if (__VERIFIER_nondet_uint() != t) break; }}"))
            }
            0..11 => self.update(),
            11..15 => {
                let condition = self.condition();
                let inside = (0..self.random.between(1, 2)).map(|_| self.update()).collect();
                block(format!("if ({condition}) {{"), inside)
            }
            15 => {
                let condition = self.condition();
                let (yes, no) = (self.update(), self.update());
                let (Node::Line(yes), Node::Line(no)) = (yes, no) else { return Node::Line(";".into()) };
                Node::Line(format!("if ({condition}) {{ {yes} }} else {{ {no} }}"))
            }
            16 if self.loops > 0 => {
                Node::Line(format!("if ({}) {};", self.condition(), self.random.word(&["break", "continue", "return 2", "exit(3)"])))
            }
            17 => Node::Line(format!("__VERIFIER_assume({});", self.condition())),
            _ if depth < DEPTH => self.looping(depth),
            _ => self.update(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::runs;
    use super::*;

    #[test]
    fn the_front_end_accepts_the_programs() {
        for seed in 0..200 {
            let program = program(seed);
            let refused = runs::translate(&program.text(), program.ilp32).err();
            assert_eq!(refused, None, "seed {seed}\n{}", program.text());
        }
    }
}

//! Random C programs whose behaviour is defined: indices, divisors and shift distances are cut to size, arithmetic that could overflow is done
//! without sign. Statements come from templates ([`crate::templates`]), expressions are drawn.

use std::fmt::Write as _;

use crate::random::Random;
use crate::templates;

/// The integer types that variables and members have.
const TYPES: [&str; 10] = [
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
];
/// The types of inputs, with the function that gives one.
const INPUTS: [(&str, &str); 5] = [("int", "int"), ("unsigned", "uint"), ("long", "long"), ("short", "short"), ("unsigned char", "uchar")];

/// A program that waits for its inputs and its assertion.
pub struct Draft {
    declarations: String,
    calls: String,
    inputs: Vec<Input>,
}

/// A value from outside.
struct Input {
    ty: &'static str,
    function: &'static str,
    value: i64,
}

impl Draft {
    /// The program of a seed, with as many functions as wanted.
    pub fn new(seed: u64, functions: usize, inputs: usize) -> Self {
        let mut generator = Generator { random: Random(seed), text: String::new(), locals: 0, labels: 0 };
        generator.declarations();
        for number in 0..functions {
            generator.function(number);
        }
        let random = &mut generator.random;
        let drawn = (0..inputs).map(|_| {
            let (ty, function) = random.pick(&INPUTS);
            let value = match function {
                "uchar" => random.below(256) as i64,
                "short" => random.below(65536) as i64 - 32768,
                "uint" => random.next() as u32 as i64,
                _ if random.coin() => random.below(300) as i64 - 100,
                _ => i64::from(random.next() as i32),
            };
            Input { ty, function, value }
        });
        let inputs: Vec<Input> = drawn.collect();
        let mut calls = String::new();
        for number in 0..functions {
            let (a, b) = (generator.random.below(inputs.len()), generator.random.below(inputs.len()));
            let _ = writeln!(calls, "  r = r * 31u + f{number}(in{a}, in{b});");
        }
        Draft { declarations: generator.text, calls, inputs }
    }

    /// The values that fix the inputs.
    pub fn values(&self) -> Vec<u128> {
        self.inputs.iter().map(|input| input.value as u128).collect()
    }
    /// The program with its inputs fixed by assumptions. The result is `r`; the text at the end may use it.
    pub fn fixed(&self, end: &str) -> String {
        let assumptions =
            self.inputs.iter().enumerate().map(|(number, input)| format!("  __VERIFIER_assume(in{number} == {});\n", input.value));
        self.source(&assumptions.collect::<String>(), end)
    }
    /// The program with inputs within bounds.
    pub fn bounded(&self, least: i64, most: i64, end: &str) -> String {
        let bounds = (0..self.inputs.len()).map(|number| format!("  __VERIFIER_assume(in{number} >= {least} && in{number} <= {most});\n"));
        self.source(&bounds.collect::<String>(), end)
    }
    fn source(&self, assumptions: &str, end: &str) -> String {
        let mut text = format!("{}int main(void) {{\n  unsigned long r = 1;\n", self.declarations);
        for (number, Input { ty, function, .. }) in self.inputs.iter().enumerate() {
            let _ = writeln!(text, "  {ty} in{number} = __VERIFIER_nondet_{function}();");
        }
        let _ = writeln!(text, "{assumptions}{}  {end}\n  return 0;\n}}", self.calls);
        text
    }
}

/// What draws programs.
pub struct Generator {
    pub random: Random,
    pub text: String,
    /// How many scalar variables the current function has.
    locals: usize,
    labels: usize,
}

impl Generator {
    /// An integer type.
    pub fn ty(&mut self) -> &'static str {
        self.random.pick(&TYPES)
    }
    /// A number for names that must be new.
    pub fn label(&mut self) -> usize {
        self.labels += 1;
        self.labels
    }

    fn declarations(&mut self) {
        self.text += templates::PROTOTYPES;
        let (p, w1, w2, w3) = (self.ty(), 1 + self.random.below(31), 1 + self.random.below(31), 1 + self.random.below(16));
        let _ = writeln!(self.text, "typedef {p} P;");
        let (a, b) = (self.ty(), self.ty());
        let _ = writeln!(self.text, "struct I {{ {a} x; {b} y; }};");
        let (a, c) = (self.ty(), self.ty());
        let _ = writeln!(
            self.text,
            "struct S {{ {a} a; int b : {w1}; {c} c[3]; unsigned d : {w2}, f : {w3}; struct I in; _Bool e : 1; P z; }};"
        );
        let a = self.ty();
        let _ = writeln!(
            self.text,
            "union U {{ {a} i; float f; double d; unsigned char c[8]; unsigned short h[4]; unsigned long long l; struct I s; }};"
        );
        for i in 0..6 {
            let (ty, value) = (self.ty(), self.random.next() as i32 >> self.random.below(30));
            let _ = writeln!(self.text, "{ty} g{i} = {value};");
        }
        let (i, j, k) = (self.random.below(8), self.random.below(100), self.random.below(8));
        let _ = writeln!(self.text, "P t[8] = {{ 1, {j}, [{i}] = 5, 7 }};\nstatic P u[8] = {{ [{k}] = {j} }};\nP *gp = &t[{k}];");
        let _ = writeln!(self.text, "P mat[3][4] = {{ {{ 1, 2 }}, {{ 3 }}, {{ {j} }} }};");
        let _ = writeln!(
            self.text,
            "struct S gs = {{ 1, -1, {{ 2, 3 }}, 1, 1, {{ {j}, 4 }}, 1, 9 }}, ga[3] = {{ {{ 5 }} }};\nunion U gu = {{ {j} }};"
        );
        self.text += templates::HELPERS;
        self.locals = 2;
        for number in 0..3 {
            let (a, b, c, d) = (self.ty(), self.ty(), self.expr(2), self.expr(2));
            let _ = writeln!(self.text, "static long h{number}({a} x0, {b} x1) {{\n  if ({c}) return (int)({d});");
            let (value, result) = (self.expr(1), self.expr(2));
            let _ = writeln!(
                self.text,
                "  switch ({value} & 3) {{ case 0: return x0; case 1: x1 ^= 5; case 2: return x1; }}\n  return (short)({result});\n}}"
            );
        }
        self.text += "static long (*table[3])(int, int) = { k0, k1, k2 };\n";
    }

    fn function(&mut self, number: usize) {
        self.locals = 2;
        let (a, b) = (self.ty(), self.ty());
        let _ = writeln!(self.text, "static unsigned long f{number}({a} x0, {b} x1) {{\n  unsigned long r = 7;");
        for _ in 0..1 + self.random.below(3) {
            let (ty, value) = (self.ty(), self.expr(2));
            let _ = writeln!(self.text, "  {ty} x{} = {value};", self.locals);
            self.locals += 1;
        }
        let (i, j) = (self.expr(1), self.expr(1));
        let _ = writeln!(
            self.text,
            "  P v[8] = {{ {i}, {j} }}; struct S ls = {{ {j} }}, la[2] = {{ {{ 0 }} }}; union U lu = {{ 0 }};\n  P *lp = &v[{i} & 7];"
        );
        for _ in 0..2 + self.random.below(3) {
            self.statement(2);
        }
        let value = self.expr(2);
        let _ =
            writeln!(self.text, "  r = r * 31u + (unsigned long)({value});\n  r += v[2] + t[3] + ls.z + la[1].a + lu.l;\n  return r;\n}}");
    }

    /// Adds a statement, with others inside as deep as wanted.
    pub fn statement(&mut self, depth: usize) {
        match self.random.below(if depth == 0 { 8 } else { 12 }) {
            0 | 1 => {
                let (place, value) = (self.place(), self.expr(2));
                let _ = writeln!(self.text, "  {place} = {value};");
            }
            2 => {
                let (place, op, value) = (self.place(), self.random.pick(&["&=", "|=", "^="]), self.expr(2));
                let _ = writeln!(self.text, "  {place} {op} {value};");
            }
            3..=7 => templates::statement(self),
            8 | 9 => {
                let condition = self.expr(2);
                let _ = writeln!(self.text, "  if ({condition}) {{");
                self.statement(depth - 1);
                self.text.push_str("  } else {\n");
                self.statement(depth - 1);
                self.text.push_str("  }\n");
            }
            10 => {
                let (label, count, stop) = (self.label(), 1 + self.random.below(3), self.expr(1));
                let _ = writeln!(self.text, "  for (int i{label} = 0; i{label} < {count}; i{label}++) {{");
                self.statement(0);
                let _ = writeln!(self.text, "  if ({stop} == i{label}) {};", self.random.pick(&["break", "continue"]));
                self.statement(0);
                self.text.push_str("  }\n");
            }
            _ => {
                let value = self.expr(2);
                let _ = writeln!(self.text, "  switch ((unsigned char)({value}) % 7) {{ case 0: case 1:");
                self.statement(depth - 1);
                self.text.push_str("  break; case 2 ... 4:\n");
                self.statement(0);
                self.text.push_str("  default:\n");
                self.statement(0);
                self.text.push_str("  }\n");
            }
        }
    }

    /// A structure.
    pub fn record(&mut self) -> String {
        match self.random.below(4) {
            0 => "gs".into(),
            1 => "ls".into(),
            2 => format!("ga[(unsigned)({}) % 3u]", self.expr(1)),
            _ => format!("la[{} & 1]", self.expr(1)),
        }
    }
    /// An array of `P` with 8 elements.
    pub fn array(&mut self) -> &'static str {
        self.random.pick(&["t", "u", "v"])
    }

    /// Something that can be assigned to, of integer type. Only functions with all local variables may use it.
    pub fn place(&mut self) -> String {
        match self.random.below(12) {
            0 | 1 => format!("x{}", self.random.below(self.locals)),
            2 => format!("g{}", self.random.below(6)),
            3 | 4 => format!("{}[{} & 7]", self.array(), self.expr(1)),
            5 | 6 => format!("{}.{}", self.record(), self.random.pick(&["a", "b", "c[1]", "d", "f", "in.x", "in.y", "z"])),
            7 => format!("{}.c[(unsigned)({}) % 3u]", self.record(), self.expr(1)),
            8 => format!("{}.{}", self.random.pick(&["gu", "lu"]), self.random.pick(&["i", "c[3]", "h[1]", "l", "s.x", "s.y"])),
            9 => format!("mat[(unsigned)({}) % 3u][{} & 3]", self.expr(1), self.expr(1)),
            10 => self.random.pick(&["*lp", "*gp"]).into(),
            _ => format!("lu.c[{} & 7]", self.expr(1)),
        }
    }

    /// An integer expression without side effects whose value is defined, over variables that all functions have.
    pub fn expr(&mut self, depth: usize) -> String {
        if depth == 0 {
            return match self.random.below(6) {
                0 => {
                    let suffix = self.random.pick(&["", "u", "l", "ul"]);
                    format!("{}{suffix}", self.random.next() >> (33 + self.random.below(30)))
                }
                1 | 2 => format!("x{}", self.random.below(self.locals)),
                3 => {
                    self.random.pick(&["gs.b", "gs.d", "ga[1].in.x", "gu.l", "gu.h[2]", "t[5]", "u[2]", "mat[1][2]", "*gp", "gs.e"]).into()
                }
                _ => format!("g{}", self.random.below(6)),
            };
        }
        let (a, b) = (self.expr(depth - 1), self.expr(depth - 1));
        let unsigned = self.random.pick(&["unsigned", "unsigned long"]);
        match self.random.below(16) {
            0 | 1 => format!("(({unsigned})({a}) {} ({unsigned})({b}))", self.random.pick(&["+", "-", "*"])),
            2 => format!("((unsigned)({a}) {} ((unsigned short)({b}) | 1u))", self.random.pick(&["/", "%"])),
            3 => format!("((short)({a}) {} ((int)({b}) & 15 | 1))", self.random.pick(&["/", "%", "*", "+", "-"])),
            4 => format!("(({unsigned})({a}) << (({b}) & 31))"),
            5 => format!("(({})({a}) >> (({b}) & 31))", self.random.pick(&["int", "long", "unsigned"])),
            6 | 7 => format!("(({a}) {} ({b}))", self.random.pick(&["&", "|", "^"])),
            8 | 9 => format!("(({a}) {} ({b}))", self.random.pick(&["<", "<=", ">", ">=", "==", "!="])),
            10 => format!("(({a}) {} ({b}))", self.random.pick(&["&&", "||"])),
            11 => format!("(({a}) ? ({b}) : {})", self.expr(depth - 1)),
            12 => format!("(~({a}))"),
            13 => format!("(!({a}) + (({b}) & 3))"),
            14 => format!("((_Bool)({a}) | ({b}))"),
            _ => format!("(({})({a}))", self.ty()),
        }
    }
}

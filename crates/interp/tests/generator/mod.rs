//! Random C programs whose behaviour is defined: indices, divisors and shift distances are cut to size, arithmetic that could overflow is
//! done without sign, and an expression has no side effects, so that the order of evaluation does not matter.

use std::fmt::Write as _;

const TYPES: [&str; 9] = ["signed char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long", "unsigned long", "_Bool"];
const SCALARS: usize = 8;
const FUNCTIONS: usize = 4;

/// The program of a seed.
pub fn program(seed: u64) -> String {
    let mut generator = Generator { state: seed, text: String::new(), locals: 0, calls: 0 };
    generator.program();
    generator.text
}

struct Generator {
    state: u64,
    text: String,
    /// How many local variables the current function has.
    locals: usize,
    /// Functions with a smaller number may be called: there is no recursion.
    calls: usize,
}

impl Generator {
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }
    fn ty(&mut self) -> &'static str {
        TYPES[self.below(TYPES.len())]
    }

    fn program(&mut self) {
        self.text.push_str("int printf(const char *, ...);\n");
        for i in 0..SCALARS {
            let (ty, value) = (self.ty(), self.next() as i32 >> 4);
            let _ = writeln!(self.text, "{ty} g{i} = {value};");
        }
        for (name, len) in [("a", 8), ("b", 5)] {
            let (ty, x, y) = (self.ty(), self.below(200), self.below(200));
            let _ = writeln!(self.text, "{ty} {name}[{len}] = {{ {x}, [3] = {y} }};");
        }
        let (w, x, y) = (1 + self.below(31), 1 + self.below(31), 1 + self.below(63));
        let ty = self.ty();
        let _ = writeln!(
            self.text,
            "struct s {{ int p : {w}; unsigned q : {x}; {ty} r; unsigned long t : {y}; short u[2]; }} s = {{ 1, 2, 3, 4, {{ 5 }} }}, v[3];"
        );
        let _ = writeln!(self.text, "union {{ unsigned long l; unsigned char c[8]; unsigned short h[4]; }} w;");
        let (i, j) = (self.below(8), self.below(8));
        let ty = self.ty();
        let _ = writeln!(self.text, "{ty} t[8]; {ty} *p = &t[{i}], *q = &t[{j}];");
        for function in 0..FUNCTIONS {
            self.function(function);
        }
        self.main();
    }

    fn function(&mut self, number: usize) {
        (self.locals, self.calls) = (2, number);
        let (ret, x, y) = (self.ty(), self.ty(), self.ty());
        let _ = writeln!(self.text, "{ret} f{number}({x} x0, {y} x1) {{");
        for _ in 0..2 + self.below(3) {
            let (ty, value) = (self.ty(), self.expr(2));
            let _ = writeln!(self.text, "  {ty} x{} = {value};", self.locals);
            self.locals += 1;
        }
        for _ in 0..3 + self.below(4) {
            self.statement(2);
        }
        let value = self.expr(3);
        let _ = writeln!(self.text, "  return {value};\n}}");
    }

    fn statement(&mut self, depth: usize) {
        match self.below(if depth == 0 { 5 } else { 10 }) {
            0 | 1 => {
                let (place, value) = (self.place(), self.expr(3));
                let _ = writeln!(self.text, "  {place} = {value};");
            }
            2 => {
                // Only operators that cannot overflow on any type.
                let op = ["&=", "|=", "^="][self.below(3)];
                let (place, value) = (self.place(), self.expr(2));
                let _ = writeln!(self.text, "  {place} {op} {value};");
            }
            3 if self.calls > 0 => {
                // Whether an index on the left is computed before or after the call is open: only plain variables stand there.
                let (callee, a, b, target) = (self.below(self.calls), self.expr(2), self.expr(2), self.below(SCALARS));
                let _ = writeln!(self.text, "  g{target} = f{callee}({a}, {b});");
            }
            3 | 4 => {
                let (index, value) = (self.below(3), self.expr(2));
                let _ = writeln!(self.text, "  v[{index}] = s; v[{index}].r = {value}; s = v[(unsigned)({value}) % 3u];");
            }
            5 | 6 => {
                let condition = self.expr(3);
                let _ = writeln!(self.text, "  if ({condition}) {{");
                self.statement(depth - 1);
                self.text.push_str("  } else {\n");
                self.statement(depth - 1);
                self.text.push_str("  }\n");
            }
            7 | 8 => {
                let (count, counter) = (1 + self.below(6), self.next() % 1_000_000);
                let stop = self.expr(2);
                let _ = writeln!(self.text, "  for (int i{counter} = 0; i{counter} < {count}; i{counter}++) {{");
                self.statement(depth - 1);
                let _ = writeln!(self.text, "  if (({stop}) == i{counter}) break;\n  if (i{counter} == 2) continue;");
                self.statement(depth - 1);
                self.text.push_str("  }\n");
            }
            _ => {
                let value = self.expr(2);
                let _ = writeln!(self.text, "  switch ((unsigned char)({value}) % 7) {{ case 0: case 1:");
                self.statement(depth - 1);
                self.text.push_str("  break; case 2 ... 4:\n");
                self.statement(depth - 1);
                self.text.push_str("  default:\n");
                self.statement(depth - 1);
                self.text.push_str("  }\n");
            }
        }
    }

    /// Something that can be assigned to.
    fn place(&mut self) -> String {
        match self.below(10) {
            0..=2 => format!("g{}", self.below(SCALARS)),
            3 => format!("a[(unsigned)({}) % 8u]", self.expr(1)),
            4 => format!("b[(unsigned long)({}) % 5ul]", self.expr(1)),
            5 => format!("s.{}", ["p", "q", "r", "t", "u[0]", "u[1]"][self.below(6)]),
            6 => ["*p", "*q", "w.l", "w.c[3]", "w.h[1]"][self.below(5)].into(),
            7 => format!("v[(unsigned char)({}) % 3].{}", self.expr(1), ["p", "q", "t"][self.below(3)]),
            _ if self.locals == 0 => format!("g{}", self.below(SCALARS)),
            _ => format!("x{}", self.below(self.locals)),
        }
    }

    /// An expression without side effects whose value is defined.
    fn expr(&mut self, depth: usize) -> String {
        if depth == 0 {
            return match self.below(3) {
                0 => {
                    let suffix = ["", "u", "l", "ul"][self.below(4)];
                    format!("{}{suffix}", self.next() >> (33 + self.below(30)))
                }
                _ if self.locals > 0 && self.below(2) == 0 => format!("x{}", self.below(self.locals)),
                _ => format!("g{}", self.below(SCALARS)),
            };
        }
        let (a, b) = (self.expr(depth - 1), self.expr(depth - 1));
        let unsigned = ["unsigned", "unsigned long"][self.below(2)];
        match self.below(16) {
            0 | 1 => format!("(({unsigned})({a}) {} ({unsigned})({b}))", ["+", "-", "*"][self.below(3)]),
            2 => format!("(({unsigned})({a}) {} (({b}) | 1u))", ["/", "%"][self.below(2)]),
            3 => format!("((short)({a}) {} ((int)({b}) & 15 | 1))", ["/", "%", "*", "+", "-"][self.below(5)]),
            4 => format!("(({unsigned})({a}) << (({b}) & 31))"),
            5 => format!("(({})({a}) >> (({b}) & 31))", ["int", "long", "unsigned"][self.below(3)]),
            6 | 7 => format!("(({a}) {} ({b}))", ["&", "|", "^"][self.below(3)]),
            8 | 9 => format!("(({a}) {} ({b}))", ["<", "<=", ">", ">=", "==", "!="][self.below(6)]),
            10 => format!("(({a}) {} ({b}))", ["&&", "||"][self.below(2)]),
            11 => format!("(({a}) ? ({b}) : {})", self.expr(depth - 1)),
            12 => format!("(~({a}))"),
            13 => format!("(!({a}) + (({b}) & 3))"),
            14 => format!("(({})({a}))", self.ty()),
            _ => self.place(),
        }
    }

    fn main(&mut self) {
        (self.locals, self.calls) = (0, FUNCTIONS);
        self.text.push_str("int main(void) {\n  for (int round = 0; round < 5; round++) {\n");
        for function in 0..FUNCTIONS {
            let (a, b, place) = (self.expr(2), self.expr(2), self.below(SCALARS));
            let _ = writeln!(self.text, "  g{place} = f{function}({a}, {b});");
        }
        self.text.push_str("  }\n");
        for i in 0..SCALARS {
            let _ = writeln!(self.text, "  printf(\"g{i} %ld\\n\", (long)g{i});");
        }
        self.text.push_str(
            "  for (int i = 0; i < 8; i++) printf(\"%ld %ld %ld\\n\", (long)a[i], (long)b[i % 5], (long)t[i]);\n  \
             printf(\"%d %u %ld %lu %d\\n\", s.p, s.q, (long)s.r, (unsigned long)s.t, s.u[0] + s.u[1]);\n  \
             for (int i = 0; i < 3; i++) printf(\"%d %u %ld %lu\\n\", v[i].p, v[i].q, (long)v[i].r, (unsigned long)v[i].t);\n  \
             printf(\"%lx %d\\n\", w.l, (int)(p - q));\n  return 0;\n}\n",
        );
    }
}

//! Functions with pointer parameters, recursive ones, and calls of them.

use super::super::tree::{Integer, Variable};
use super::{Buffer, Function, Generator};

impl Generator {
    /// A function that can be called from now on.
    pub(super) fn function(&mut self) {
        match self.random.below(8) {
            0 => self.recursive_sum(),
            1 => self.recursive_length(),
            2 => self.string_function(),
            _ => self.buffer_function(),
        }
    }

    /// Something about an array whose length is told.
    fn buffer_function(&mut self) {
        let (name, a, n, element) = (self.name("f"), self.name("b"), self.name("n"), self.element());
        let (variables, buffers) = (self.variables.len(), self.buffers.len());
        self.fuel = 2 + self.random.below(4);
        self.inside(&format!("int {name}({} *{a}, int {n}) {{", element.name()), "}", |this| {
            this.variables.push(Variable { name: n.clone(), ty: Integer::Int });
            this.buffers.push(Buffer { name: a, element, length: n, constant: None, is_string: false });
            this.looping(2);
            while this.fuel > 0 {
                this.statement(2);
            }
            let value = this.expression(1);
            this.line(format!("return {value};"));
        });
        self.variables.truncate(variables);
        self.buffers.truncate(buffers);
        self.functions.push(Function { name, element, wants_string: false });
    }

    /// Something about a string: how often a character is in it, or where; or one is replaced.
    fn string_function(&mut self) {
        let (name, s, n) = (self.name("f"), self.name("s"), self.name("k"));
        let wanted = self.random.word(&["'a'", "'x'", "'b'"]);
        let body = match self.random.below(3) {
            0 => format!("while (*{s}) {{\nif (*{s} == {wanted}) {n}++;\n{s}++;\n}}"),
            1 => format!("while ({s}[{n}] && {s}[{n}] != {wanted}) {{\n{n}++;\n}}"),
            _ => format!("for (; *{s}; {s}++) {{\nif (*{s} == {wanted}) {{\n*{s} = '_';\n{n} = {n} + 1;\n}}\n}}"),
        };
        self.lines(&format!("int {name}(char *{s}) {{\nint {n} = 0;\n{body}\nreturn {n};\n}}"));
        self.functions.push(Function { name, element: Integer::Char, wants_string: true });
    }

    fn recursive_sum(&mut self) {
        let (name, a, n, element) = (self.name("f"), self.name("b"), self.name("n"), self.element());
        let end = if self.slips() { "== 0" } else { "<= 0" };
        let last = if self.slips() { "" } else { " - 1" };
        self.lines(&format!(
            "int {name}({} *{a}, int {n}) {{
                if ({n} {end}) return 0;
                return ({a}[{n}{last}] & 7) + {name}({a}, {n} - 1);
            }}",
            element.name()
        ));
        self.functions.push(Function { name, element, wants_string: false });
    }

    fn recursive_length(&mut self) {
        let (name, s) = (self.name("f"), self.name("s"));
        self.lines(&format!(
            "int {name}(char *{s}) {{
                if (!*{s}) return 0;
                return 1 + {name}({s} + 1);
            }}"
        ));
        self.functions.push(Function { name, element: Integer::Char, wants_string: true });
    }

    /// A call of a function with a buffer that suits it.
    pub(super) fn call(&mut self) {
        let Some(function) = self.random.pick(&self.functions) else { return self.probe() };
        let suits = |buffer: &&Buffer| buffer.element == function.element && (buffer.is_string || !function.wants_string || self.slip > 5);
        let suiting: Vec<Buffer> = self.buffers.iter().filter(suits).cloned().collect();
        let Some(buffer) = self.random.pick(&suiting) else { return self.probe() };
        let (result, off) = (self.name("x"), self.off_by_one());
        let length = if function.wants_string { String::new() } else { format!(", {}{off}", buffer.length) };
        self.line(format!("int {result} = {}({}{length});", function.name, buffer.name));
        self.variables.push(Variable { name: result, ty: Integer::Int });
    }
}

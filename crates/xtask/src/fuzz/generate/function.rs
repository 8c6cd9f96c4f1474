//! Functions with pointer parameters, recursive ones, and calls of them.

use super::super::tree::{Integer, Variable};
use super::pointer::Pointer;
use super::{Buffer, Function, Generator, Wants};

impl Generator {
    /// A function that can be called from now on.
    pub(super) fn function(&mut self) {
        match self.random.below(18) {
            16 | 17 => self.list_function(),
            0 => self.recursive_sum(),
            1 => self.recursive_length(),
            2 | 3 => self.string_function(),
            4..7 => self.object_function(),
            7..10 => self.recursive_function(),
            10 => self.giving_function(),
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
        self.functions.push(Function { name, element, wants: Wants::Length });
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
        self.functions.push(Function { name, element: Integer::Char, wants: Wants::String });
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
        self.functions.push(Function { name, element, wants: Wants::Length });
    }

    fn recursive_length(&mut self) {
        let (name, s) = (self.name("f"), self.name("s"));
        self.lines(&format!(
            "int {name}(char *{s}) {{
                if (!*{s}) return 0;
                return 1 + {name}({s} + 1);
            }}"
        ));
        self.functions.push(Function { name, element: Integer::Char, wants: Wants::String });
    }

    /// Something about one object, with objects of its own and of all calls.
    fn object_function(&mut self) {
        let (name, q, element, keeper) = (self.name("f"), self.name("q"), self.element(), self.name("x"));
        let (variables, pointers) = (self.variables.len(), self.pointers.len());
        self.fuel = 2 + self.random.below(3);
        self.inside(&format!("int {name}({} *{q}) {{", element.name()), "}", |this| {
            this.pointers.push(Pointer { name: q.clone(), element, home: q, older: this.variables.len() });
            if this.random.chance(50) {
                this.line(format!("static int {keeper} = 1;"));
                this.note(&keeper, Integer::Int);
            }
            if this.random.chance(60) {
                this.local_buffer();
            }
            this.store_through();
            while this.fuel > 0 {
                this.statement(2);
            }
            let value = this.expression(1);
            this.line(format!("return {value};"));
        });
        self.variables.truncate(variables);
        self.pointers.truncate(pointers);
        self.functions.push(Function { name, element, wants: Wants::Object });
    }

    /// Calls itself with the rest of an array, or with something of its own.
    fn recursive_function(&mut self) {
        let (name, a, n, x, element) = (self.name("f"), self.name("b"), self.name("n"), self.name("x"), self.element());
        let (ty, own) = (element.name(), self.random.between(1, 5));
        let end = if self.slips() { "< 0" } else { "<= 0" };
        let again = match self.random.below(5) {
            0 => format!("{name}({a}, {n} - 1)"),
            1 => format!("{name}({a} + 1, {n} - 1)"),
            2 => format!("{name}({x}, {n} > {own} ? {own} : {n} - 1)"),
            3 => format!("{name}({a}, {n} / 2) + {name}({a} + {n} / 2, {n} - {n} / 2 - 1)"),
            _ => format!("{name}({x}, {n} <= {own} ? {n} - 1 : 0)"),
        };
        self.fuel = 2 + self.random.below(3);
        self.inside(&format!("int {name}({ty} *{a}, int {n}) {{"), "}", |this| {
            this.line(format!("if ({n} {end} || {n} > 20) return 0;"));
            this.note(&n, Integer::Int);
            this.line(format!("{ty} {x}[{own}] = {{ 1 }};"));
            let length = Some(own);
            this.buffers.push(Buffer { name: x, element, length: own.to_string(), constant: length, is_string: own > 1 });
            this.buffers.push(Buffer { name: a, element, length: n, constant: None, is_string: false });
            while this.fuel > 0 {
                this.statement(1);
            }
            let (result, value) = (this.name("y"), this.leaf());
            this.line(format!("int {result} = {again};"));
            this.note(&result, Integer::Int);
            this.look();
            this.some_statements(1, 2);
            this.line(format!("return {value};"));
        });
        self.functions.push(Function { name, element, wants: Wants::Length });
    }

    /// Makes a list, by recursion or node by node in a function of its own, and walks through it.
    fn list_function(&mut self) {
        let (make, name, n, p) = (self.name("f"), self.name("f"), self.name("n"), self.name("p"));
        let (first, k, b) = (self.name("p"), self.name("k"), self.name("b"));
        let value = self.random.pick(&["1".into(), n.clone(), "__VERIFIER_nondet_int()".into()]).unwrap_or_default();
        let node = format!(
            "struct node *{p} = malloc(sizeof(struct node));
            if (!{p}) exit(0);
            {p}->value = {value};"
        );
        let made = if self.random.chance(60) {
            self.lines(&format!(
                "struct node *{make}(int {n}) {{
                    if ({n} <= 0 || {n} > 9) return 0;
                    {node}
                    {p}->next = {make}({n} - 1);
                    return {p};
                }}"
            ));
            format!("struct node *{first} = {make}({n});")
        } else {
            self.lines(&format!(
                "struct node *{make}(struct node *{first}, int {n}) {{
                    {node}
                    {p}->next = {first};
                    return {p};
                }}"
            ));
            format!("struct node *{first} = {make}(0, 0);\nwhile ({n} > 1 && {n} < 9) {{\n{first} = {make}({first}, {n});\n{n}--;\n}}")
        };
        let claims = [
            format!("{p} != {first}"),
            format!("{p} == {first}"),
            format!("{p}->value > 0"),
            format!("{p}->value < 9"),
            format!("{k} < 9"),
            format!("{first}->next != 0"),
        ];
        let (claim, later) = (self.random.pick(&claims).unwrap_or_default(), self.random.pick(&claims).unwrap_or_default());
        let guard = if self.slips() { format!("{p}->next") } else { format!("{p} && {p}->next") };
        self.lines(&format!(
            "int {name}(int *{b}, int {n}) {{
                {made}
                struct node *{p} = {first};
                int {k} = 0;
                while ({guard}) {{
                    {p} = {p}->next;
                    {k}++;
                    assert({claim});
                }}
                if ({p}) {{
                    {p}->value = {k};
                    assert({later});
                }}
                return {k};
            }}"
        ));
        self.functions.push(Function { name, element: Integer::Int, wants: Wants::Length });
    }

    /// Gives memory to its caller, some of which does not last.
    fn giving_function(&mut self) {
        let (give, name, x, m, i) = (self.name("f"), self.name("f"), self.name("x"), self.name("m"), self.name("i"));
        let element = self.element();
        let (ty, length) = (element.name(), self.random.between(1, 6));
        let good = [format!("static {ty} {x}[{length}];"), format!("{ty} *{x} = {m};")];
        let bad = [format!("{ty} {x}[{length}];"), format!("{ty} *{x} = __builtin_alloca({length} * sizeof({ty}));")];
        let bodies = if self.random.chance(3 * self.slip) { bad } else { good };
        let own = self.random.pick(&bodies).unwrap_or_default();
        let (index, value) = (self.random.between(0, length - 1) * i64::from(!own.contains(&m)), self.leaf());
        let result = self.name("p");
        self.lines(&format!(
            "{ty} *{give}({ty} *{m}) {{
                {own}
                {x}[0] = {value};
                return {x};
            }}
            int {name}({ty} *{m}, int {i}) {{
                {ty} *{result} = {give}({m});
                while ({i} > 0) {{
                    {result}[{index}] += 1;
                    {i} = {i} / 2;
                    if ({i} & 1) {result} = {give}({result});
                }}
                return {result}[{index}];
            }}"
        ));
        self.functions.push(Function { name, element, wants: Wants::Length });
    }

    /// A call of a function with something that suits it.
    pub(super) fn call(&mut self) {
        let Some(function) = self.random.pick(&self.functions) else { return self.look() };
        let Some(arguments) = self.arguments(&function) else { return self.look() };
        let result = self.name("x");
        self.line(format!("int {result} = {}({arguments});", function.name));
        self.note(&result, Integer::Int);
    }

    fn arguments(&mut self, function: &Function) -> Option<String> {
        let suits =
            |buffer: &&Buffer| buffer.element == function.element && (buffer.is_string || function.wants != Wants::String || self.slip > 5);
        let suiting: Vec<Buffer> = self.buffers.iter().filter(suits).cloned().collect();
        let buffer = self.random.pick(&suiting);
        match function.wants {
            Wants::String => buffer.map(|buffer| buffer.name),
            Wants::Length => buffer.map(|buffer| match self.random.chance(25) {
                true => format!("{} + 1, {} - 1{}", buffer.name, buffer.length, self.off_by_one()),
                false => format!("{}, {}{}", buffer.name, buffer.length, self.off_by_one()),
            }),
            Wants::Object => self.object(function.element, buffer),
        }
    }

    /// The address of something of a type.
    fn object(&mut self, element: Integer, buffer: Option<Buffer>) -> Option<String> {
        let variables = self.variables.iter().filter(|variable| variable.ty == element && self.is_free(&variable.name));
        let mut known: Vec<String> = variables.map(|variable| format!("&{}", variable.name)).collect();
        known.extend(self.pointers.iter().filter(|pointer| pointer.element == element).map(|pointer| pointer.name.clone()));
        known.extend(buffer.map(|buffer| format!("&{}[{}]", buffer.name, self.index(&buffer))));
        self.random.pick(&known)
    }
}

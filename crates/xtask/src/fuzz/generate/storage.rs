//! Objects that live for a moment: of a block in a loop, of a call, from `alloca` and `malloc`.

use super::super::tree::Integer;
use super::{Buffer, Generator};

impl Generator {
    /// Something about objects that come and go.
    pub(super) fn storage(&mut self) {
        match self.random.below(13) {
            0 | 1 => self.block_array(),
            2 => self.block_scalar(),
            3 => self.stack_memory(),
            4 | 5 => self.kept_memory(),
            6 => self.queue(),
            7 => self.growing_memory(),
            8 | 9 => self.texts(),
            10 | 11 => self.table(),
            _ => self.block_of_its_own(),
        }
    }

    /// How often a loop is repeated: so often, or as an input says.
    pub(super) fn times(&mut self) -> String {
        match self.variable().filter(|_| self.random.chance(40)) {
            Some(variable) => format!("(int)({variable} & 15)"),
            None => self.random.between(1, 12).to_string(),
        }
    }

    /// A block with declarations of its own.
    fn block_of_its_own(&mut self) {
        self.inside("{", "}", |this| {
            this.local_buffer();
            this.new_pointer();
            this.some_statements(1, 3);
        });
    }

    /// An array in the body of a loop; a pointer into it may survive.
    fn block_array(&mut self) {
        let (i, a, p, x, n) = (self.name("i"), self.name("a"), self.name("p"), self.name("x"), self.times());
        let element = self.element();
        let (ty, length) = (element.name(), self.random.between(1, 9));
        let initial = self.random.word(&["", " = { 0 }", " = { 1 }"]);
        let kept = self.random.chance(3 * self.slip);
        self.line(format!("{ty} {x} = 0, *{p} = 0;"));
        self.note(&x, element);
        let previous = self.random.word(&["X += *P;", "*P = X;", "if (*P) X++;"]).replace('X', &x).replace('P', &p);
        self.loops += 1;
        self.inside(&format!("for (int {i} = 0; {i} < {n}; {i}++) {{"), "}", |this| {
            this.line(format!("{ty} {a}[{length}]{initial};"));
            this.note(&i, Integer::Int);
            this.buffers.push(Buffer {
                name: a.clone(),
                element,
                length: length.to_string(),
                constant: Some(length),
                is_string: !initial.is_empty() && length > 1,
            });
            if kept {
                this.line(format!("if ({p}) {{ {previous} }}"));
            }
            this.some_statements(1, 2);
            this.call();
            let place = if this.random.chance(50) { 0 } else { this.random.between(0, length - 1) };
            let off = this.off_by_one();
            this.line(format!("{p} = &{a}[{place}{off}];"));
            this.line(previous.clone());
            this.some_statements(0, 1);
            if this.random.chance(30) {
                this.line(format!("{p} = 0;"));
            }
        });
        self.loops -= 1;
        if kept && self.random.chance(50) {
            self.line(format!("if ({p}) {{ {previous} }}"));
        }
        self.probe();
    }

    /// A variable or record in the body of a loop whose address is stored outside.
    fn block_scalar(&mut self) {
        let (i, s, x, n, sum) = (self.name("i"), self.name("k"), self.name("x"), self.times(), self.name("x"));
        let length = self.random.between(2, 5);
        let later = if self.random.chance(2 * self.slip) { format!("{sum} += *{s}[{i} % {length}];") } else { String::new() };
        let last = if self.random.chance(3 * self.slip) { x.clone() } else { sum.clone() };
        let (value, most) = (self.leaf(), 7 * self.random.between(1, 15));
        let first = self.random.word(&["int X = V;", "int X; X = V;", "int X; if (I > 1) X = V; else X = 3;"]);
        let declaration = first.replace('X', &x).replace('V', &format!("({value})")).replace('I', &i);
        self.lines(&format!(
            "int *{s}[{length}] = {{ 0 }}, {i}, {sum} = 0;
            for ({i} = 0; {i} < {n}; {i}++) {{
                {declaration}
                {s}[{i} % {length}] = &{x};
                *{s}[{i} % {length}] &= 7;
                {sum} += {x};
                assert({x} >= 0);
                {s}[{i} % {length}] = &{last};
            }}
            for ({i} = 0; {i} < {length}; {i}++) {{
                if ({s}[{i}]) {{
                    {later}
                }}
            }}
            assert({sum} <= {most});"
        ));
        self.note(&i, Integer::Int);
        self.note(&sum, Integer::Int);
    }

    /// `alloca` in a loop: each piece lives until the function returns.
    fn stack_memory(&mut self) {
        let (k, i, n, m) = (self.name("k"), self.name("i"), self.name("n"), self.name("m"));
        let length = self.random.between(1, 8);
        let size = self.random.word(&["4", "8", "I + 1", "I + 1", "I"]).replace('I', &i);
        let place = self.random.word(&["0", "0", "I", "3"]).replace('I', &i);
        let less = if self.slips() { "<=" } else { "<" };
        self.lines(&format!(
            "char *{k}[{length}];
            int {i}, {n} = 0;
            for ({i} = 0; {i} {less} {length}; {i}++) {{
                char *{m} = __builtin_alloca({size});
                {m}[{place}] = {i};
                {k}[{i}] = {m};
            }}
            for ({i} = 0; {i} {less} {length}; {i}++) {{
                {n} += {k}[{i}][{place}];
                assert({k}[{i}][{place}] == {i});
            }}"
        ));
        self.note(&i, Integer::Int);
        self.note(&n, Integer::Int);
        self.probe();
    }

    /// Memory from a loop, kept in an array, released by a later loop.
    fn kept_memory(&mut self) {
        let (k, i, j, m, x) = (self.name("k"), self.name("i"), self.name("j"), self.name("m"), self.name("x"));
        let (length, count) = (self.random.between(1, 10), self.name("n"));
        let n = self.times();
        let size = self.random.word(&["4", "10", "I + 1", "I + 1", "2 * I + 1"]).replace('I', &i);
        let last = self.random.word(&["0", "0", "I", "3"]);
        let (less, check) = (if self.slips() { "<=" } else { "<" }, if self.slips() { "" } else { "if (!M) break;" });
        let check = check.replace('M', &m);
        let some = if self.random.chance(4 * self.slip) { format!("if ({j} & 1) ") } else { String::new() };
        let zero = if self.random.chance(50) { format!("{k}[{j}] = 0;") } else { String::new() };
        let early = if self.slips() { format!("if ({count} > 2) free({k}[1]);") } else { String::new() };
        let after = if self.slips() { format!("if ({count} > 1) {k}[1][0]++;") } else { String::new() };
        let (value, most) = (self.leaf(), 3 * self.random.between(1, 10));
        let (here, there) = (last.replace('I', &i), last.replace('I', &j));
        self.lines(&format!(
            "char *{k}[{length}] = {{ 0 }};
            int {i}, {j}, {x} = 0, {count} = 0;
            for ({i} = 0; {i} < {n} && {i} {less} {length}; {i}++) {{
                char *{m} = malloc({size});
                {check}
                {m}[{here}] = {value};
                {k}[{count}++] = {m};
            }}
            {early}
            for ({j} = 0; {j} {less} {count}; {j}++) {{
                {x} += {k}[{j}][{there}] & 3;
                {some}free({k}[{j}]);
                {zero}
            }}
            {after}
            assert({x} <= {most});"
        ));
        self.note(&i, Integer::Int);
        self.note(&count, Integer::Int);
        self.note(&x, Integer::Int);
        self.probe();
    }

    /// A list that takes and gives back records, one by one.
    fn queue(&mut self) {
        let (l, p, i, n, x) = (self.name("l"), self.name("p"), self.name("i"), self.times(), self.name("x"));
        let condition = self.condition();
        let next = if self.slips() { format!("free({p});\n{l} = {p}->next;") } else { format!("{l} = {p}->next;\nfree({p});") };
        let again = if self.slips() { format!("{x} += {p}->value;") } else { String::new() };
        let release = if self.slips() { String::new() } else { format!("while ({l}) {{\n{p} = {l};\n{next}\n}}") };
        self.lines(&format!(
            "struct node *{l} = 0, *{p} = 0;
            int {i}, {x} = 0;
            for ({i} = 0; {i} < {n}; {i}++) {{
                if ({l} && ({condition})) {{
                    {p} = {l};
                    {x} = {p}->value;
                    {next}
                    {again}
                    continue;
                }}
                {p} = malloc(sizeof(*{p}));
                if (!{p}) break;
                {p}->value = {i};
                {p}->next = {l};
                {l} = {p};
                assert({l}->value >= {x});
            }}
            {release}"
        ));
        self.note(&i, Integer::Int);
        self.note(&x, Integer::Int);
        self.probe();
    }

    /// `realloc` in a loop.
    fn growing_memory(&mut self) {
        let (m, q, i, n, room) = (self.name("m"), self.name("m"), self.name("i"), self.times(), self.name("n"));
        let more = self.random.word(&["R + 1", "2 * R", "R + 4"]).replace('R', &room);
        let (old, full) = (self.slips(), if self.slips() { ">" } else { ">=" });
        self.lines(&format!(
            "int {room} = 1, {i};
            char *{m} = malloc(1), *{q};
            if (!{m}) exit(1);
            for ({i} = 0; {i} < {n}; {i}++) {{
                if ({i} {full} {room}) {{
                    {q} = realloc({m}, {more});
                    if (!{q}) break;
                    {room} = {more};
                    {}
                }}
                {m}[{i}] = {i};
            }}
            assert({room} >= {i});
            free({m});",
            if old { String::new() } else { format!("{m} = {q};") }
        ));
        self.note(&i, Integer::Int);
        self.note(&room, Integer::Int);
    }
}

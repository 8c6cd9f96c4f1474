//! What programs do with loops: strings, pointers that walk, lists, records, sorting and searching.

use super::super::tree::{Integer, Variable};
use super::{Buffer, Generator};

impl Generator {
    /// Some idiom, with names of its own.
    pub(super) fn idiom(&mut self) {
        match self.random.below(16) {
            0 => self.fill_string(),
            1 => self.string_length(),
            2 => self.copy_string(),
            3 => self.find_character(),
            4 => self.library_string(),
            5 | 6 => self.walk_forward(),
            7 => self.walk_backward(),
            8 => self.list(),
            9 => self.list_at_end(),
            10 => self.records(),
            11 => self.reverse(),
            12 => self.sort(),
            13 => self.search(),
            14 => self.divide(),
            _ => self.temporary_memory(),
        }
    }

    /// A buffer of characters; a new one if there is none in scope.
    fn characters(&mut self) -> Buffer {
        let known: Vec<Buffer> = self.buffers.iter().filter(|buffer| buffer.element == Integer::Char).cloned().collect();
        self.random.pick(&known).unwrap_or_else(|| self.new_characters(8))
    }

    fn new_characters(&mut self, length: i64) -> Buffer {
        let name = self.name("c");
        self.line(format!("char {name}[{length}] = {{ 0 }};"));
        let buffer = Buffer { name, element: Integer::Char, length: length.to_string(), constant: Some(length), is_string: true };
        self.buffers.push(buffer.clone());
        buffer
    }

    /// A buffer that is meant to be a string; a new one if there is none.
    pub(super) fn string(&mut self) -> Buffer {
        let known: Vec<Buffer> =
            self.buffers.iter().filter(|buffer| buffer.element == Integer::Char && (buffer.is_string || self.slip > 5)).cloned().collect();
        match self.random.pick(&known) {
            Some(buffer) => buffer,
            None => {
                let length = self.length();
                self.new_characters(length)
            }
        }
    }

    /// Makes a variable known that was declared.
    pub(super) fn note(&mut self, name: &str, ty: Integer) {
        self.variables.push(Variable { name: name.into(), ty });
    }

    /// Text of any or of a certain kind, and its end.
    fn fill_string(&mut self) {
        let buffer = self.characters();
        let (s, n, i) = (&buffer.name, &buffer.length, self.name("i"));
        let (less, off) = (if self.slips() { "<=" } else { "<" }, self.off_by_one());
        let value = self.random.word(&["'x'", "__VERIFIER_nondet_char()", "'a' + (i % 26)"]).replace("i %", &format!("{i} %"));
        let end = match (self.slips(), self.random.chance(50)) {
            (true, _) => String::new(),
            (false, true) => format!("{s}[{n} - 1{off}] = 0;"),
            (false, false) => format!("{s}[{i}{off}] = '\\0';"),
        };
        self.lines(&format!("int {i};\nfor ({i} = 0; {i} {less} {n} - 1; {i}++) {{\n{s}[{i}] = {value};\n}}\n{end}"));
        if let Some(known) = self.buffers.iter_mut().find(|known| known.name == buffer.name) {
            known.is_string = true;
        }
        self.note(&i, Integer::Int);
    }

    /// `strlen` by index, by pointer, or with a limit.
    fn string_length(&mut self) {
        let buffer = self.string();
        let (s, n, i, p) = (&buffer.name, &buffer.length, self.name("i"), self.name("p"));
        let limit = self.off_by_one();
        let text = match self.random.below(4) {
            0 => format!("int {i} = 0;\nwhile ({s}[{i}] != '\\0') {{\n{i}++;\n}}"),
            1 => format!("char *{p} = {s};\nwhile (*{p}) {{\n{p}++;\n}}\nint {i} = {p} - {s};"),
            2 => format!("int {i};\nfor ({i} = 0; {i} < {n}{limit} && {s}[{i}]; {i}++) {{\n}}"),
            _ => format!("char *{p};\nfor ({p} = {s}; *{p} != 0; ++{p}) {{\n}}\nlong {i} = {p} - {s};"),
        };
        self.lines(&text);
        self.note(&i, Integer::Int);
        let line = match self.random.below(3) {
            0 => format!("assert({i} < {n});"),
            1 => format!("assert({s}[{i}] == 0);"),
            _ => format!("assert({i} >= 0);"),
        };
        self.line(line);
    }

    /// `strcpy` by index, by pointer, or with a limit.
    fn copy_string(&mut self) {
        let source = self.string();
        let length = source.constant.unwrap_or(300);
        let length = match self.slips() {
            true => (length - 1).max(1),
            false => length + self.random.between(0, 1),
        };
        let target = self.new_characters(length);
        let (s, d, i) = (&source.name, &target.name, self.name("i"));
        let (p, q) = (self.name("p"), self.name("q"));
        let limit = format!("{length} - 1{}", self.off_by_one());
        let text = match self.random.below(4) {
            0 => format!("int {i} = 0;\nwhile (({d}[{i}] = {s}[{i}]) != 0) {{\n{i}++;\n}}"),
            1 => format!("char *{p} = {s}, *{q} = {d};\nwhile ((*{q}++ = *{p}++)) {{\n}}"),
            2 => format!("int {i};\nfor ({i} = 0; {s}[{i}] && {i} < {limit}; {i}++) {{\n{d}[{i}] = {s}[{i}];\n}}\n{d}[{i}] = 0;"),
            _ => format!("char *{p} = {s}, *{q} = {d};\nwhile (*{p}) {{\n*{q} = *{p};\n{p}++;\n{q}++;\n}}\n*{q} = 0;"),
        };
        self.lines(&text);
        if self.random.chance(40) {
            let place = if self.slips() { length - 1 } else { 0 };
            self.line(format!("assert({d}[{place}] == {s}[0]);"));
        }
    }

    /// `strchr` in disguise.
    fn find_character(&mut self) {
        let buffer = self.string();
        let (s, p) = (&buffer.name, self.name("p"));
        let wanted = self.random.word(&["'b'", "'x'", "' '", "0"]);
        let guard = if self.slips() { String::new() } else { format!("*{p} && ") };
        let after = self.random.word(&["", "++"]);
        self.lines(&format!("char *{p} = {s};\nwhile ({guard}*{p} != {wanted}) {{\n{p}++;\n}}\nif (*{p}) {{\n*{p}{after} = 'y';\n}}"));
        if self.random.chance(50) {
            self.line(format!("assert({p} - {s} < {});", buffer.length));
        }
    }

    /// Functions of the library on strings and memory.
    fn library_string(&mut self) {
        let buffer = self.string();
        let (s, n, k) = (buffer.name.clone(), buffer.length.clone(), self.name("k"));
        let off = self.off_by_one();
        match self.random.below(5) {
            0 => {
                let byte = self.random.between(0, 1);
                self.line(format!("memset({s}, {byte}, {n}{off});"));
            }
            1 => {
                let length = buffer.constant.unwrap_or(300) - i64::from(self.slips());
                let target = self.new_characters(length.max(1));
                self.line(format!("strcpy({}, {s});", target.name));
            }
            2 => {
                let length = buffer.constant.unwrap_or(8).min(8);
                let target = self.new_characters(length);
                self.line(format!("memcpy({}, {s}, {}{off});", target.name, if buffer.constant.is_some() { length } else { 1 }));
            }
            3 => self.line(format!("strncpy({s}, \"hello\", {n}{off});")),
            _ => {
                self.line(format!("int {k} = strlen({s});"));
                self.note(&k, Integer::Int);
                self.line(format!("assert({k} < {n});"));
            }
        }
    }

    /// A pointer from the beginning of a buffer to its end.
    fn walk_forward(&mut self) {
        let Some(buffer) = self.random.pick(&self.buffers) else { return };
        let (a, n, ty) = (&buffer.name, format!("{}{}", buffer.length, self.off_by_one()), buffer.element.name());
        let (p, end, sum) = (self.name("p"), self.name("e"), self.name("x"));
        let less = if self.slips() { "<=" } else { "<" };
        let value = self.leaf();
        let text = match self.random.below(4) {
            0 => format!("{ty} *{p};\nfor ({p} = {a}; {p} {less} {a} + {n}; {p}++) {{\n*{p} = {value};\n}}"),
            1 => format!("{ty} *{p} = {a}, *{end} = {a} + {n};\nwhile ({p} != {end}) {{\n*{p}++ = {value};\n}}"),
            2 => format!("{ty} *{p} = {a}, *{end} = {a} + {n};\nint {sum} = 0;\nwhile ({p} {less} {end}) {{\n{sum} += *{p};\n{p}++;\n}}"),
            _ => format!("{ty} *{p} = {a};\nint {sum} = 0;\ndo {{\n{sum} ^= *{p}++;\n}} while ({p} - {a} {less} {n});"),
        };
        self.lines(&text);
        if text.contains(&format!("int {sum}")) {
            self.note(&sum, Integer::Int);
        }
    }

    /// A pointer from the end of a buffer to its beginning.
    fn walk_backward(&mut self) {
        let Some(buffer) = self.random.pick(&self.buffers) else { return };
        let (a, n, ty) = (&buffer.name, format!("{}{}", buffer.length, self.off_by_one()), buffer.element.name());
        let p = self.name("p");
        let more = if self.slips() { ">=" } else { ">" };
        let value = self.leaf();
        let text = match self.random.below(2) {
            0 => format!("{ty} *{p} = {a} + {n};\nwhile ({p} {more} {a}) {{\n*--{p} = {value};\n}}"),
            _ => format!("{ty} *{p};\nfor ({p} = {a} + {n} - 1; {p} {more} {a}; {p}--) {{\n*{p} = {value};\n}}"),
        };
        self.lines(&text);
    }

    /// A list that grows at its head, is walked, and freed.
    fn list(&mut self) {
        let (head, p, i, sum) = (self.name("l"), self.name("p"), self.name("i"), self.name("x"));
        let bound = self.variable().filter(|_| self.random.chance(50)).unwrap_or_else(|| "7".into());
        let value = self.random.word(&["I", "3", "I & 1", "__VERIFIER_nondet_int()"]).replace('I', &i);
        let check = if self.slips() { String::new() } else { format!("if (!{p}) exit(1);") };
        let release = match (self.slips(), self.slips()) {
            (true, _) => String::new(),
            (_, true) => format!("while ({head}) {{\nfree({head});\n{head} = {head}->next;\n}}"),
            _ => format!("while ({head}) {{\n{p} = {head}->next;\nfree({head});\n{head} = {p};\n}}"),
        };
        let guess = self.random.word(&["P->value >= 0", "P->value == 3", "P->value < 100"]).replace('P', &p);
        let assertion = if self.random.chance(50) { format!("assert({guess});") } else { String::new() };
        self.lines(&format!(
            "struct node *{head} = 0, *{p};
            int {i}, {sum} = 0;
            for ({i} = 0; {i} < (int){bound} && {i} < 50; {i}++) {{
                {p} = malloc(sizeof(struct node));
                {check}
                {p}->value = {value};
                {p}->next = {head};
                {head} = {p};
            }}
            for ({p} = {head}; {p}; {p} = {p}->next) {{
                {assertion}
                {sum} += {p}->value & 7;
            }}
            {release}"
        ));
        self.note(&i, Integer::Int);
        self.note(&sum, Integer::Int);
    }

    /// A list on the stack or heap that grows at its end.
    fn list_at_end(&mut self) {
        let (nodes, i, p, count) = (self.name("l"), self.name("i"), self.name("p"), self.name("x"));
        let length = self.random.between(1, 20);
        let last = if self.slips() { length } else { length - 1 };
        let walk = if self.slips() { format!("{p}->next") } else { p.clone() };
        self.lines(&format!(
            "struct node {nodes}[{length}];
            int {i}, {count} = 0;
            for ({i} = 0; {i} < {length}; {i}++) {{
                {nodes}[{i}].value = {i};
                {nodes}[{i}].next = {i} < {last} ? &{nodes}[{i} + 1] : 0;
            }}
            struct node *{p} = {nodes};
            while ({walk}) {{
                {count}++;
                {p} = {p}->next;
            }}
            assert({count} <= {length});"
        ));
        self.note(&count, Integer::Int);
    }

    /// An array of records with arrays in them.
    fn records(&mut self) {
        let (r, i, j) = (self.name("r"), self.name("i"), self.name("j"));
        let (length, rows, columns) = (self.random.between(1, 12), self.off_by_one(), self.off_by_one());
        let value = self.random.word(&["I + J", "J", "7", "__VERIFIER_nondet_int()"]).replace('I', &i).replace('J', &j);
        let (name, least) = (if self.slips() { 6 } else { 5 }, self.random.between(0, 7));
        self.lines(&format!(
            "struct record {r}[{length}];
            int {i}, {j};
            for ({i} = 0; {i} < {length}{rows}; {i}++) {{
                {r}[{i}].count = 0;
                {r}[{i}].name[{name}] = 0;
                for ({j} = 0; {j} < 4{columns}; {j}++) {{
                    {r}[{i}].data[{j}] = {value};
                    {r}[{i}].count++;
                }}
            }}
            assert({r}[0].count == 4);
            assert({r}[{}].data[3] >= {least});",
            length - 1
        ));
        self.note(&i, Integer::Int);
    }

    fn reverse(&mut self) {
        let Some(buffer) = self.random.pick(&self.buffers) else { return };
        let (a, n, ty) = (&buffer.name, &buffer.length, buffer.element.name());
        let (i, j, x) = (self.name("i"), self.name("j"), self.name("x"));
        let last = if self.slips() { "" } else { " - 1" };
        self.lines(&format!(
            "int {i} = 0, {j} = {n}{last};
            while ({i} < {j}) {{
                {ty} {x} = {a}[{i}];
                {a}[{i}++] = {a}[{j}];
                {a}[{j}--] = {x};
            }}"
        ));
        self.note(&i, Integer::Int);
        self.note(&j, Integer::Int);
    }

    fn sort(&mut self) {
        let Some(buffer) = self.random.pick(&self.buffers) else { return };
        let (a, n, ty) = (&buffer.name, &buffer.length, buffer.element.name());
        let (i, j, x) = (self.name("i"), self.name("j"), self.name("x"));
        let last = if self.slips() { "" } else { " - 1" };
        self.lines(&format!(
            "int {i}, {j};
            for ({i} = 0; {i} < {n}; {i}++) {{
                for ({j} = 0; {j} < {n}{last} - {i}; {j}++) {{
                    if ({a}[{j}] > {a}[{j} + 1]) {{
                        {ty} {x} = {a}[{j}];
                        {a}[{j}] = {a}[{j} + 1];
                        {a}[{j} + 1] = {x};
                    }}
                }}
            }}
            assert({a}[0] <= {a}[{n} - 1]);"
        ));
    }

    /// Binary search; the middle may overflow only if somebody made the bounds large.
    fn search(&mut self) {
        let Some(buffer) = self.random.pick(&self.buffers) else { return };
        let (a, n) = (&buffer.name, &buffer.length);
        let (low, high, middle) = (self.name("x"), self.name("y"), self.name("m"));
        let (wanted, last) = (self.leaf(), if self.slips() { "" } else { " - 1" });
        self.lines(&format!(
            "int {low} = 0, {high} = {n}{last};
            while ({low} <= {high}) {{
                int {middle} = ({low} + {high}) / 2;
                if ({a}[{middle}] == {wanted}) {{
                    break;
                }}
                if ({a}[{middle}] < {wanted}) {{
                    {low} = {middle} + 1;
                }}
                else {{
                    {high} = {middle} - 1;
                }}
            }}
            assert({low} >= 0 && {low} <= {n});"
        ));
        self.note(&low, Integer::Int);
        self.note(&high, Integer::Int);
    }

    /// Division and remainder in a loop: Euclid, digits, halving.
    fn divide(&mut self) {
        let (x, y, t) = (self.name("x"), self.name("y"), self.name("z"));
        let (ty, value) = (self.integer(), self.leaf());
        let zero = if self.slips() { "-1" } else { "0" };
        let text = match self.random.below(4) {
            0 => format!("while ({y} != {zero}) {{\nint {t} = {x} % {y};\n{x} = {y};\n{y} = {t};\n}}"),
            1 => format!("while ({x} > {zero}) {{\n{y} += {x} % 10;\n{x} /= 10;\n}}\nassert({y} >= 0);"),
            2 => format!("while ({x} > 1) {{\n{x} = {x} >> 1;\n{y} = {y} + 1;\n}}\nassert({y} < 100);"),
            _ => format!("while ({x} > {zero}) {{\n{y} = 100 / {x};\n{x}--;\n}}"),
        };
        self.line(format!("{} {x} = {value};", ty.name()));
        let second = self.random.between(0, 12);
        self.line(format!("int {y} = {second};"));
        self.lines(&text);
        self.note(&x, ty);
        self.note(&y, Integer::Int);
    }

    /// Memory for a moment, in a loop or not.
    fn temporary_memory(&mut self) {
        let (m, i, size) = (self.name("m"), self.name("i"), self.name("n"));
        let (less, again) = (if self.slips() { "<=" } else { "<" }, self.random.chance(30));
        let high = self.length();
        let release = match (self.slips(), self.slips()) {
            (true, _) => String::new(),
            (_, true) => format!("free({m});\nfree({m});"),
            (_, _) if self.slips() => format!("free({m});\n{m}[0] = 1;"),
            _ => format!("free({m});"),
        };
        let zero = if self.slips() { 0 } else { 1 };
        let (open, close) = if again { ("while (__VERIFIER_nondet_int()) {", "}") } else { ("", "") };
        self.lines(&format!(
            "{open}
            int {size} = __VERIFIER_nondet_int();
            if ({size} >= {zero} && {size} < {high}) {{
                char *{m} = malloc({size});
                if ({m}) {{
                    int {i};
                    for ({i} = 0; {i} {less} {size}; {i}++) {{
                        {m}[{i}] = {i} & 15;
                    }}
                    {m}[{size} - 1] = 0;
                    {release}
                }}
            }}
            {close}"
        ));
    }
}

//! Records, unions, rows of arrays, and library functions on parts of memory, all in loops.

use super::super::tree::Integer;
use super::{Buffer, Generator};

impl Generator {
    /// Something about how memory is laid out.
    pub(super) fn layout(&mut self) {
        match self.random.below(10) {
            0 => self.record_copies(),
            1 => self.rows(),
            2 => self.bytes_of_a_union(),
            3 => self.record_of_a_pointer(),
            4 => self.static_counter(),
            5 => self.global_record(),
            6 | 7 => self.turned_pointers(),
            _ => self.library_in_a_loop(),
        }
    }

    /// Records are assigned as a whole.
    fn record_copies(&mut self) {
        let (r, x, i, t) = (self.name("r"), self.name("r"), self.name("i"), self.name("k"));
        let (length, off) = (self.random.between(2, 9), self.off_by_one());
        let (before, last, place) = (self.random.between(0, 2), length - 1, self.random.between(0, 3));
        self.lines(&format!(
            "struct record {r}[{length}], {x} = {{ {before}, \"ab\" }};
            int {i}, {t} = 0;
            for ({i} = 0; {i} < {length}{off}; {i}++) {{
                {x}.count += {i};
                {x}.data[{i} & 3] = {i};
                {x}.name[{i} % 6] = 'a' + {i};
                {r}[{i}] = {x};
                struct record {x}b = {r}[{i} / 2];
                {x}b.count++;
                {t} += {x}b.data[0];
                assert({r}[{i}].count >= {x}b.count - 1);
            }}
            assert({r}[1].count == {r}[0].count + 1);
            assert({r}[{last}].data[1] == 1);
            int {x}v = {r}[{last}].data[{place}];"
        ));
        self.note(&t, Integer::Int);
        self.note(&format!("{x}v"), Integer::Int);
        self.probe_of(&format!("{x}v"));
    }

    /// An array of arrays, as such or through a pointer to a row.
    fn rows(&mut self) {
        let (a, i, j, p, v) = (self.name("a"), self.name("i"), self.name("j"), self.name("p"), self.name("v"));
        let element = self.element();
        let (ty, rows, columns) = (element.name(), self.random.between(1, 6), self.random.between(1, 8));
        let (down, right) = (self.off_by_one(), self.off_by_one());
        let value = self.random.word(&["I + J", "I * 8 + J", "J", "I"]).replace('I', &i).replace('J', &j);
        let (open, cell) = match self.random.below(3) {
            0 => (String::new(), format!("{a}[{i}][{j}]")),
            1 => (format!("{ty} *{p} = {a}[{i}];"), format!("{p}[{j}]")),
            _ => (format!("{ty} (*{p})[{columns}] = {a} + {i};"), format!("(*{p})[{j}]")),
        };
        let (row, column) = (self.random.between(0, rows - 1), self.random.between(0, columns - 1));
        let initial = self.random.word(&["", " = { { 0 } }"]);
        self.lines(&format!(
            "{ty} {a}[{rows}][{columns}]{initial};
            int {i}, {j};
            for ({i} = 0; {i} < {rows}{down}; {i}++) {{
                {open}
                for ({j} = 0; {j} < {columns}{right}; {j}++) {{
                    {cell} = {value};
                }}
            }}
            {ty} {v} = {a}[{row}][{column}];"
        ));
        self.note(&i, Integer::Int);
        self.note(&v, element);
        self.probe_of(&v);
        if self.random.chance(50) {
            let flat =
                Buffer { name: format!("{a}[{row}]"), element, length: columns.to_string(), constant: Some(columns), is_string: false };
            self.buffers.push(flat);
        }
    }

    /// The bytes of a number.
    fn bytes_of_a_union(&mut self) {
        let (u, i, x, y) = (self.name("u"), self.name("i"), self.name("x"), self.name("y"));
        let (value, byte) = (self.leaf(), self.random.between(0, 3));
        let limit = if self.slips() { 5 } else { 4 };
        let written = self.random.word(&["I", "1", "U.b[0] + 1", "U.b[I] ^ 1"]).replace('I', &i).replace('U', &u);
        let number = self.random.word(&["U.n = V;", "U.n = I;", "U.h[I & 1] = I;"]).replace('U', &u).replace('V', &value).replace('I', &i);
        self.lines(&format!(
            "union {{ int n; unsigned char b[4]; short h[2]; }} {u};
            int {i}, {x} = 0, {y};
            {u}.n = {value};
            for ({i} = 0; {i} < {limit}; {i}++) {{
                {x} += {u}.b[{i}];
                {u}.b[{i}] = {written};
                if ({i} == {byte}) {{
                    {number}
                }}
            }}
            {y} = {u}.n;
            assert({u}.b[{byte}] <= 4);"
        ));
        self.note(&i, Integer::Int);
        self.note(&x, Integer::Int);
        self.note(&y, Integer::Int);
        self.probe_of(&y);
    }

    /// A record that leads to itself, to an array of the block, or to another one.
    fn record_of_a_pointer(&mut self) {
        let (s, t, i, n, a) = (self.name("r"), self.name("r"), self.name("i"), self.times(), self.name("a"));
        let target = self.random.word(&["&S.v", "&T.v", "A", "A + (I & 1)"]).replace('S', &s).replace('T', &t).replace('I', &i);
        let inner = target.contains('A') && self.random.chance(3 * self.slip);
        let (outside, inside) = match inner {
            true => (String::new(), format!("int {a}[2] = {{ {i}, 2 }};")),
            false => (format!("int {a}[2] = {{ 1, 2 }};"), String::new()),
        };
        let target = target.replace('A', &a);
        let copy = self.random.word(&["T = S;", "", "T.v = *S.p;", "S = T;"]).replace('S', &s).replace('T', &t);
        self.lines(&format!(
            "struct {{ int v; int *p; }} {s} = {{ 0, 0 }}, {t} = {{ 1, 0 }};
            {s}.p = &{t}.v;
            {t}.p = &{s}.v;
            {outside}
            int {i};
            for ({i} = 0; {i} < {n}; {i}++) {{
                {inside}
                *{s}.p = {i};
                {s}.p = {target};
                {copy}
                *{t}.p += 1;
            }}
            int {s}v = {s}.v, {t}v = {t}.v;"
        ));
        for name in [format!("{s}v"), format!("{t}v")] {
            self.note(&name, Integer::Int);
            self.probe_of(&name);
        }
    }

    /// Pointers that change their objects from round to round: by assignment, through a pointer to them, or by way of each other.
    fn turned_pointers(&mut self) {
        let (a, b, p, q, r) = (self.name("a"), self.name("a"), self.name("p"), self.name("p"), self.name("p"));
        let (i, v, n, length) = (self.name("i"), self.name("v"), self.times(), self.random.between(1, 4));
        let turns = [
            "",
            "Q = P;",
            "*R = B;",
            "R = &Q;",
            "R = I & 1 ? &P : &Q;",
            "P = *R;",
            "*R += 1; *R -= 1;",
            "Q = I & 1 ? A : B;",
            "if (V) Q = P; else *R = B;",
        ];
        let mut body = String::new();
        for _ in 0..self.random.between(2, 5) {
            body.push_str(self.random.word(&turns));
            body.push_str(self.random.word(&["", " *P = I;", " *Q = I;", " **R = 1;", " V += *Q;", " V ^= **R;", " Q[LENGTH] = I;"]));
            body.push('\n');
        }
        let off = if self.slips() { length } else { length - 1 };
        let names = [
            ("LENGTH", off.to_string()),
            ("A", a.clone()),
            ("B", b.clone()),
            ("P", p.clone()),
            ("Q", q.clone()),
            ("R", r.clone()),
            ("I", i.clone()),
            ("V", v.clone()),
        ];
        for (letter, name) in names {
            body = body.replace(letter, &name);
        }
        let first = self.random.word(&["&P", "&Q"]).replace('P', &p).replace('Q', &q);
        self.lines(&format!(
            "int {a}[{length}] = {{ 0 }}, {b}[{length}] = {{ 0 }}, *{p} = {a}, *{q} = {b}, **{r} = {first};
            int {i}, {v} = 0;
            for ({i} = 0; {i} < {n}; {i}++) {{
                {body}
            }}
            assert({b}[0] == 0);
            assert({a}[0] == 0);
            assert({p} == {a});
            int {v}a = {a}[0], {v}b = {b}[0];"
        ));
        for name in [v.clone(), format!("{v}a"), format!("{v}b")] {
            self.note(&name, Integer::Int);
            self.probe_of(&name);
        }
    }

    /// A variable that keeps its value over calls and iterations.
    fn static_counter(&mut self) {
        let (x, i, n, a) = (self.name("x"), self.name("i"), self.times(), self.name("a"));
        let length = self.random.between(1, 8);
        let wrap = if self.slips() { ">" } else { ">=" };
        self.loops += 1;
        self.inside(&format!("for (int {i} = 0; {i} < {n}; {i}++) {{"), "}", |this| {
            this.note(&i, Integer::Int);
            this.line(format!("static int {x} = 0, {a}[{length}];"));
            this.line(format!("{a}[{x}] = {i};"));
            this.line(format!("if (++{x} {wrap} {length}) {x} = 0;"));
            this.note(&x, Integer::Int);
            this.probe();
        });
        self.loops -= 1;
    }

    /// A record outside of functions, changed through a pointer.
    fn global_record(&mut self) {
        let (p, i, v, n) = (self.name("p"), self.name("i"), self.name("v"), self.times());
        let (place, value) = (self.random.word(&["I & 3", "P->count & 3", "I % 4"]).replace('I', &i).replace('P', &p), self.leaf());
        let off = self.off_by_one();
        let member = self.random.word(&["P->count", "P->data[1]", "P->name[2]"]).replace("P->", "shared[1].");
        self.lines(&format!(
            "struct record *{p} = &shared[0];
            int {i};
            for ({i} = 0; {i} < {n}; {i}++) {{
                {p}->data[{place}{off}] = {value};
                {p}->count++;
                {p}->name[{i} % 6] = {i};
                if ({p}->count > 3) {{
                    {p} = &shared[1];
                }}
            }}
            int {v} = {member};"
        ));
        self.note(&v, Integer::Int);
        self.probe_of(&v);
    }

    /// Library functions with lengths and places that depend on the loop.
    fn library_in_a_loop(&mut self) {
        let (i, k, t) = (self.name("i"), self.name("k"), self.name("c"));
        let n = self.random.between(2, 12);
        // The target has room for everything that is right.
        let room = n + 1 + i64::from(!self.slips());
        let source = self.name("c");
        let (off, less) = (self.off_by_one(), if self.slips() { "<=" } else { "<" });
        let work: Vec<String> = (0..1 + self.random.below(3)).map(|_| self.library_call(&t, &source, &i, &k)).collect();
        let declared = format!("char {t}[{room}] = {{ 0 }};");
        let (outside, inside) = if self.random.chance(30) { (String::new(), declared) } else { (declared, String::new()) };
        self.lines(&format!(
            "char {source}[{n}] = \"a\";
            int {i}, {k} = 0;
            {outside}
            for ({i} = 0; {i} {less} {n} - 1{off}; {i}++) {{
                {inside}
                {source}[{i}] = 'a' + {i};
                {source}[{i} + 1] = 0;
                {}
                assert({k} <= {n});
            }}",
            work.join("\n")
        ));
        self.note(&i, Integer::Int);
        self.note(&k, Integer::Int);
        if !outside.is_empty() {
            self.buffers.push(Buffer { name: t, element: Integer::Char, length: room.to_string(), constant: Some(room), is_string: true });
            self.look();
        }
    }

    fn library_call(&mut self, target: &str, source: &str, i: &str, k: &str) -> String {
        let off = self.off_by_one();
        let call = match self.random.below(13) {
            0 => "strcpy(T, S);",
            1 => "strncpy(T, S, I + 1OFF);",
            2 => "T[0] = 0;\nstrcat(T, S);",
            3 => "strcat(T, \"x\");",
            4 => "K = strlen(S);",
            5 => "K = strlen(T);",
            6 => "if (strchr(S, 'b')) K = strchr(S, 'b') - S;",
            7 => "memset(T, 'x', I + 1OFF);",
            8 => "memcpy(T, S, I + 2OFF);",
            9 => "memmove(T + 1, T, I + 1OFF);",
            10 => "memmove(T, T + 1, I + 1OFF);",
            11 => "T[I + 1OFF] = 0;",
            _ => "memset(T + I, 0, 2);",
        };
        call.replace("OFF", off).replace('T', target).replace('S', source).replace('I', i).replace('K', k)
    }
}

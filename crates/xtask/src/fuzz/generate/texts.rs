//! Strings on the heap that only lists lead to: made, changed and read, mostly in ways that keep them strings.

use super::super::tree::Integer;
use super::Generator;

impl Generator {
    /// A list of strings.
    pub(super) fn texts(&mut self) {
        let source = self.string().name;
        let [ty, l, p, m, q, i, x] = ["t", "l", "p", "m", "p", "i", "x"].map(|letter| self.name(letter));
        let n = self.times();
        let make = match self.random.below(5) {
            0 | 1 => format!("char *{m} = strdup({source});"),
            2 => format!("char *{m} = malloc(strlen({source}) + 1);"),
            3 => format!("char *{m} = calloc(4, 1);"),
            _ => format!("char *{m} = malloc(5);"),
        };
        let fill = match self.random.below(4) {
            0 => format!("strcpy({m}, {source});"),
            1 => format!("{m}[0] = 0;"),
            2 if self.slips() => format!("{m}[0] = 'a';"),
            _ => format!("strncpy({m}, \"ab\", 3);"),
        };
        // What `malloc` gives has to be filled; what is a string already need not be.
        let fill = if make.contains("malloc") && !self.slips() || self.random.chance(20) { fill } else { String::new() };
        let change = match self.random.below(6) {
            0 => format!("for ({q} = {p}->s; *{q}; {q}++) {{\n*{q} = *{q} | 32;\n}}"),
            1 => format!("if ({p}->s[0]) {p}->s[strlen({p}->s) - 1] = 0;"),
            2 if self.slips() => format!("{p}->s[strlen({p}->s)] = 'x';"),
            3 => format!("for ({q} = {p}->s; *{q} && *{q} != 'b'; {q}++) ;\n*{q} = 0;"),
            4 if self.slips() => format!("if ({x} > 2) free({p}->s);"),
            _ => format!("{p}->s[0] = {};", self.random.word(&["0", "0", "'c'"])),
        };
        let change = if self.random.chance(60) { format!("for ({p} = {l}; {p}; {p} = {p}->next) {{\n{change}\n}}") } else { String::new() };
        let check = if self.slips() { String::new() } else { format!("if (!{m}) break;") };
        let guess = self.random.word(&["strlen(P->s) < 20", "P->s[0] != 'q'", "strlen(P->s) == 0"]).replace('P', &p);
        let assertion = if self.random.chance(40) { format!("assert({guess});") } else { String::new() };
        self.lines(&format!(
            "struct {ty} {{ char *s; struct {ty} *next; }} *{l} = 0, *{p};
            int {i}, {x} = 0;
            char *{q};
            for ({i} = 0; {i} < {n}; {i}++) {{
                {p} = malloc(sizeof(*{p}));
                if (!{p}) break;
                {make}
                {check}
                {fill}
                {p}->s = {m};
                {p}->next = {l};
                {l} = {p};
            }}
            {change}
            for ({p} = {l}; {p}; {p} = {p}->next) {{
                {assertion}
                {x} += (int)(strlen({p}->s) & 7);
            }}"
        ));
        self.note(&i, Integer::Int);
        self.note(&x, Integer::Int);
        self.probe();
    }
}

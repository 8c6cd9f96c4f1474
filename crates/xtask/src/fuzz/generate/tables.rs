//! Tables of pointers: each leads to a list of nodes, or is null. They are static, local or made at run time, by themselves or in records.

use super::Generator;

impl Generator {
    /// A table of lists.
    pub(super) fn table(&mut self) {
        let [ty, row, t, p, i, j, x] = ["t", "r", "t", "p", "i", "j", "x"].map(|letter| self.name(letter));
        let (n, rounds) = (self.random.between(2, 6), self.times());
        let is_record = self.random.chance(40);
        let (element, member) = if is_record { (format!("struct {row}"), ".head") } else { (format!("struct {ty} *"), "") };
        let table = match self.random.below(4) {
            0 => format!("static {element} {t}[{n}];"),
            1 => format!("{element} *{t} = calloc({n}, sizeof(*{t}));\nif (!{t}) return 0;"),
            // Nobody fills what is left behind this.
            2 if self.slips() => format!("{element} {t}[{n}];\n{t}[0]{member} = 0;"),
            _ => format!("{element} {t}[{n}] = {{ 0 }};"),
        };
        let at = match self.random.below(3) {
            0 => format!("{i} % {n}"),
            1 => format!("(unsigned)__VERIFIER_nondet_int() % {}", n + i64::from(self.slips())),
            _ => self.random.between(0, n - 1).to_string(),
        };
        let value = self
            .random
            .word(&["&x", "0", "n->next ? n->next->value : &x"])
            .replace("n->", &format!("{p}->"))
            .replace("&x", &format!("&{x}"));
        let change = match self.random.below(5) {
            0 => format!("{t}[{j}]{member} = 0;"),
            1 if self.slips() => format!("free({t}[{j}]{member});"),
            2 => format!("if ({t}[{j}]{member}) {t}[{j}]{member} = {t}[{j}]{member}->next;"),
            3 => format!("{t}[{j}] = {t}[0];"),
            _ => String::new(),
        };
        let change = if change.is_empty() { change } else { format!("for ({j} = 0; {j} < {n}; {j}++) {{\n{change}\n}}") };
        let guard = if self.slips() { String::new() } else { format!("if ({p}->value) ") };
        let guess = self.random.word(&["P->value != 0", "P->next == 0 || P->next != P", "T[J]M == 0 || T[J]M->next == 0"]);
        let guess = guess.replace('P', &p).replace('T', &t).replace('J', &j).replace('M', member);
        let assertion = if self.random.chance(40) { format!("assert({guess});") } else { String::new() };
        self.lines(&format!(
            "struct {ty} {{ int *value; struct {ty} *next; }} *{p};
            struct {row} {{ int count; struct {ty} *head; }};
            int {i}, {j}, {x} = 1;
            {table}
            for ({i} = 0; {i} < {rounds}; {i}++) {{
                {j} = {at};
                {p} = malloc(sizeof(*{p}));
                if (!{p}) break;
                {p}->next = {t}[{j}]{member};
                {p}->value = {value};
                {t}[{j}]{member} = {p};
            }}
            {change}
            for ({j} = 0; {j} < {n}; {j}++) {{
                for ({p} = {t}[{j}]{member}; {p}; {p} = {p}->next) {{
                    {assertion}
                    {guard}{x} = {x} / 2 + *{p}->value;
                }}
            }}"
        ));
        self.probe();
    }
}

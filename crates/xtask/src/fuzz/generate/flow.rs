//! Loops that are no statements, or leave and go on in many ways.

use super::super::tree::Integer;
use super::Generator;

impl Generator {
    /// A loop with unusual jumps.
    pub(super) fn flow(&mut self, depth: usize) {
        match self.random.below(6) {
            0 => self.shared_head(depth),
            1 => self.backward_jump(depth),
            2 => self.many_continues(depth),
            3 => self.broken_do(depth),
            4 => self.entered_in_the_middle(depth),
            _ => self.two_backward_jumps(depth),
        }
        self.probe();
    }

    /// A counter with its limit; the counter counts as free, so that statements may change it.
    fn limited(&mut self) -> (String, String) {
        let (i, n) = (self.name("i"), self.times());
        let first = self.random.between(0, 1);
        self.line(format!("int {i} = {first};"));
        self.note(&i, Integer::Int);
        self.counters.push((i.clone(), n.clone()));
        (i, n)
    }

    /// A label that is jumped to from inside of the loop behind it.
    fn shared_head(&mut self, depth: usize) {
        let (counters, top, (i, n), k) = (self.counters.len(), self.name("top"), self.limited(), self.name("k"));
        self.line(format!("int {k} = 0;"));
        self.note(&k, Integer::Int);
        self.line(format!("{top}: ;"));
        if self.random.chance(50) {
            self.line(format!("{k}++;"));
        }
        self.loops += 1;
        self.inside(&format!("while ({i} < {n}) {{"), "}", |this| {
            this.local_in_body();
            this.some_statements(depth.saturating_sub(1), 2);
            this.line(format!("{i}++;"));
            let condition = this.condition();
            this.line(format!("if ({condition}) goto {top};"));
            this.some_statements(depth.saturating_sub(1), 2);
        });
        self.loops -= 1;
        self.counters.truncate(counters);
    }

    fn local_in_body(&mut self) {
        match self.random.below(4) {
            0 => self.local_buffer(),
            1 => self.new_pointer(),
            2 => self.local(),
            _ => {}
        }
    }

    /// `goto` back over declarations: they are the same objects, with values of before or none.
    fn backward_jump(&mut self, depth: usize) {
        let (counters, again, (i, n)) = (self.counters.len(), self.name("again"), self.limited());
        let around = self.random.chance(50);
        let write = |this: &mut Self| {
            this.line(format!("{again}: ;"));
            this.local_in_body();
            this.some_statements(depth.saturating_sub(1), 2);
            this.line(format!("if (++{i} < {n}) goto {again};"));
        };
        if around {
            self.inside("{", "}", write)
        } else {
            write(self)
        }
        self.counters.truncate(counters);
    }

    /// Two jumps back to one label, and one to another.
    fn two_backward_jumps(&mut self, depth: usize) {
        let (counters, outer, inner, (i, n)) = (self.counters.len(), self.name("outer"), self.name("inner"), self.limited());
        let (j, m) = (self.name("j"), self.random.between(1, 6));
        self.line(format!("int {j} = 0;"));
        self.note(&j, Integer::Int);
        self.line(format!("{outer}: ;"));
        if self.random.chance(60) {
            self.line(format!("{j} = 0;"));
        }
        self.line(format!("{inner}: ;"));
        self.some_statements(depth.saturating_sub(1), 2);
        self.line(format!("if (++{j} < {m}) goto {inner};"));
        self.some_statements(depth.saturating_sub(1), 1);
        let condition = self.condition();
        self.line(format!("if ({i} < {n} && ({condition})) {{ {i}++; goto {inner}; }}"));
        self.line(format!("if (++{i} < {n}) goto {outer};"));
        self.counters.truncate(counters);
    }

    fn many_continues(&mut self, depth: usize) {
        let (counters, (i, n)) = (self.counters.len(), self.limited());
        let first = self.random.chance(50);
        let open = if first { format!("while ({i} < {n}) {{") } else { format!("for (; {i} < {n}; {i}++) {{") };
        self.loops += 1;
        self.inside(&open, "}", |this| {
            if first {
                this.line(format!("{i}++;"));
            }
            for _ in 0..2 + this.random.below(3) {
                this.local_in_body();
                this.some_statements(depth.saturating_sub(1), 1);
                let condition = this.condition();
                this.line(format!("if ({condition}) continue;"));
            }
            this.some_statements(0, 2);
        });
        self.loops -= 1;
        self.counters.truncate(counters);
    }

    fn broken_do(&mut self, depth: usize) {
        let (counters, (i, n)) = (self.counters.len(), self.limited());
        self.loops += 1;
        self.inside("do {", &format!("}} while (++{i} < {n});"), |this| {
            this.local_in_body();
            this.some_statements(depth.saturating_sub(1), 2);
            for jump in ["break", "continue"] {
                let condition = this.condition();
                this.line(format!("if ({condition}) {jump};"));
                this.some_statements(depth.saturating_sub(1), 1);
            }
        });
        self.loops -= 1;
        self.counters.truncate(counters);
    }

    fn entered_in_the_middle(&mut self, depth: usize) {
        let (counters, middle, (i, n)) = (self.counters.len(), self.name("middle"), self.limited());
        let condition = self.condition();
        self.line(format!("if ({condition}) goto {middle};"));
        self.loops += 1;
        self.inside(&format!("while ({i} < {n}) {{"), "}", |this| {
            this.some_statements(depth.saturating_sub(1), 2);
            this.line(format!("{middle}: ;"));
            this.some_statements(depth.saturating_sub(1), 2);
            this.line(format!("{i}++;"));
        });
        self.loops -= 1;
        self.counters.truncate(counters);
    }
}

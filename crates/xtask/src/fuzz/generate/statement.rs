//! Statements other than loops.

use super::Generator;

impl Generator {
    /// Some statement; loops and branches inside of it are so deep at most.
    pub(super) fn statement(&mut self, depth: usize) {
        self.fuel = self.fuel.saturating_sub(1);
        let compound = depth > 0 && self.fuel > 0;
        match self.random.below(if compound { 122 } else { 68 }) {
            0..18 => self.assignment(),
            18..36 => self.store(),
            36..44 => self.guarded_access(),
            44..47 => self.probe(),
            47..51 => self.look(),
            51..54 => self.assertion(),
            54..59 => self.call(),
            59..63 => self.store_through(),
            63..66 => self.move_pointer(),
            66..68 => self.declaration(),
            68..78 => self.branch(depth),
            78..82 => self.switch(depth),
            82..96 => self.looping(depth),
            96..101 => self.flow(depth),
            101..109 => self.idiom(),
            109..116 => self.storage(),
            _ => self.layout(),
        }
    }

    /// Something new in the block.
    fn declaration(&mut self) {
        match self.random.below(3) {
            0 => self.local(),
            1 => self.local_buffer(),
            _ => self.new_pointer(),
        }
    }

    fn assignment(&mut self) {
        // Counters and lengths keep their values, but not always.
        let lengths = self.buffers.iter().map(|buffer| &buffer.length);
        let kept: Vec<&String> = self.counters.iter().map(|(counter, _)| counter).chain(lengths).collect();
        let others: Vec<String> =
            self.variables.iter().map(|variable| variable.name.clone()).filter(|name| !kept.contains(&name)).collect();
        let target = if self.slips() { self.variable() } else { self.random.pick(&others) };
        let Some(target) = target else { return self.store() };
        let line = match self.random.below(6) {
            0 => format!("{target}{};", self.random.word(&["++", "--"])),
            1 | 2 => {
                let value = self.expression(1);
                format!("{target} {} {value};", self.random.word(&["+=", "-=", "^=", "&=", "|="]))
            }
            _ => format!("{target} = {};", self.expression(2)),
        };
        self.line(line);
    }

    /// Writes an element.
    fn store(&mut self) {
        let Some(buffer) = self.random.pick(&self.buffers) else { return self.probe() };
        let (index, value) = (self.index(&buffer), self.expression(1));
        let operator = self.random.word(&["=", "=", "=", "+=", "^="]);
        self.line(format!("{}[{index}] {operator} {value};", buffer.name));
    }

    /// An access whose index is compared with the bounds before.
    fn guarded_access(&mut self) {
        let (Some(buffer), Some(index)) = (self.random.pick(&self.buffers), self.variable()) else { return self.assignment() };
        let less = if self.slips() { "<=" } else { "<" };
        let low = if self.slips() { "-1" } else { "0" };
        let value = self.expression(1);
        // The cast keeps the comparison one between signed numbers.
        let condition = format!("(long){index} >= {low} && (long){index} {less} {}", buffer.length);
        self.lines(&format!("if ({condition}) {{\n{}[{index}] = {value};\n}}", buffer.name));
    }

    /// A guess. Facts that were seen are better guesses: see the probes.
    fn assertion(&mut self) {
        let condition = self.comparison();
        self.line(format!("assert({condition});"));
    }

    fn branch(&mut self, depth: usize) {
        let condition = self.condition();
        self.inside(&format!("if ({condition}) {{"), "}", |this| this.some_statements(depth - 1, 2));
        if self.random.chance(35) {
            self.inside("else {", "}", |this| this.some_statements(depth - 1, 2));
        }
    }

    fn switch(&mut self, depth: usize) {
        let value = self.expression(1);
        self.inside(&format!("switch (({value}) & 3) {{"), "}", |this| {
            for case in 0..1 + this.random.below(3) {
                this.line(format!("case {case}: ;"));
                this.some_statements(depth - 1, 1);
                if this.random.chance(75) {
                    this.line("break;".into());
                }
            }
            this.line("default: ;".into());
            this.some_statements(depth - 1, 1);
        });
    }

    /// At least one statement. What they declare is not known behind them: control may come there on other ways.
    pub(super) fn some_statements(&mut self, depth: usize, most: usize) {
        let (variables, buffers, pointers) = (self.variables.len(), self.buffers.len(), self.pointers.len());
        for _ in 0..1 + self.random.below(most) {
            self.statement(depth);
        }
        self.variables.truncate(variables);
        self.buffers.truncate(buffers);
        self.pointers.truncate(pointers);
    }
}

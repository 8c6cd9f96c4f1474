//! Loops of all forms.

use super::super::tree::{Integer, Variable};
use super::Generator;

/// How a loop is written around its body.
struct Form {
    before: Vec<String>,
    open: String,
    first: Vec<String>,
    last: Vec<String>,
    close: String,
    /// Whether `break` and `continue` mean this loop.
    is_statement: bool,
    /// A second counter.
    other: Option<String>,
}

impl Form {
    fn new(before: String, open: String, last: &[String]) -> Self {
        let before = if before.is_empty() { Vec::new() } else { vec![before] };
        Form { before, open, first: Vec::new(), last: last.to_vec(), close: "}".into(), is_statement: true, other: None }
    }
}

impl Generator {
    /// A loop, usually over a buffer.
    pub(super) fn looping(&mut self, depth: usize) {
        let outermost = self.exit.is_none();
        if outermost {
            let label = self.name("out");
            self.exit = Some((label, false));
        }
        match self.random.below(20) {
            0 => self.wrapping_loop(depth),
            1 => self.state_machine(depth),
            _ => self.counting_loop(depth),
        }
        if let Some((label, true)) = self.exit.take_if(|_| outermost) {
            self.line(format!("{label}: ;"));
        }
    }

    fn counting_loop(&mut self, depth: usize) {
        let (counter, ty) = (self.name("i"), self.counter_type());
        let (length, bound) = self.bound();
        let form = self.form(&counter, ty, &bound);
        form.before.iter().for_each(|line| self.line(line.clone()));
        self.variables.push(Variable { name: counter.clone(), ty });
        self.variables.extend(form.other.iter().map(|other| Variable { name: other.clone(), ty }));
        let counters = self.counters.len();
        self.counters.push((counter, length.clone()));
        self.counters.extend(form.other.iter().map(|other| (other.clone(), length.clone())));
        self.loops += usize::from(form.is_statement);
        self.inside(&form.open.clone(), &form.close.clone(), |this| {
            form.first.iter().for_each(|line| this.line(line.clone()));
            this.body(depth, form.last.is_empty());
            form.last.iter().for_each(|line| this.line(line.clone()));
        });
        self.loops -= usize::from(form.is_statement);
        self.counters.truncate(counters);
        if self.random.chance(25) {
            self.probe();
        }
    }

    fn counter_type(&mut self) -> Integer {
        let usual = [Integer::Int, Integer::Int, Integer::Int, Integer::Unsigned, Integer::Long, Integer::UnsignedLong];
        if self.random.chance(92) { self.random.pick(&usual).unwrap_or(Integer::Int) } else { self.integer() }
    }

    /// The length that the counter is to stay below, and the same as the loop has it.
    fn bound(&mut self) -> (String, String) {
        let length = match (self.random.pick(&self.buffers), self.random.below(10)) {
            (Some(buffer), 0..7) => buffer.length,
            (_, 7 | 8) => self.variable().unwrap_or_else(|| "5".into()),
            _ => self.random.between(0, 12).to_string(),
        };
        let bound = format!("{length}{}", self.off_by_one());
        (length, bound)
    }

    fn form(&mut self, i: &str, ty: Integer, bound: &str) -> Form {
        let ty = ty.name();
        let less = if self.slips() { "<=" } else { "<" };
        let start = if self.random.chance(80) { 0 } else { self.random.between(1, 3) };
        let step = match self.random.pick(&[1, 1, 1, 1, 1, 2, 3, 4]).unwrap_or(1) {
            1 => format!("{i}++"),
            step => format!("{i} += {step}"),
        };
        let (plain, counted) = (format!("{ty} {i};"), format!("{ty} {i} = {start};"));
        let advance = [format!("{step};")];
        match self.random.below(14) {
            0..3 => Form::new(plain, format!("for ({i} = {start}; {i} {less} {bound}; {step}) {{"), &[]),
            3 | 4 => Form::new(counted, format!("while ({i} {less} {bound}) {{"), &advance),
            5 => Form { close: format!("}} while ({i} {less} {bound});"), ..Form::new(counted, "do {".into(), &advance) },
            6 => {
                let end = if self.slips() { "> -2" } else { self.random.word(&[">= 0", ">= 0", "> 0"]) };
                Form::new(plain, format!("for ({i} = {bound} - 1; {i} {end}; {i}--) {{"), &[])
            }
            7 => {
                let form = Form::new(format!("{ty} {i} = {bound};"), format!("while ({i} > 0) {{"), &[]);
                Form { first: vec![format!("{i}--;")], ..form }
            }
            8 => {
                let end = if self.slips() { ">" } else { ">=" };
                let form = Form::new(counted, self.random.word(&["while (1) {", "for (;;) {"]).into(), &advance);
                Form { first: vec![format!("if ({i} {end} {bound}) break;")], ..form }
            }
            9 => {
                let label = self.name("again");
                let last = [format!("{step};"), format!("goto {label};")];
                Form { is_statement: false, ..Form::new(counted, format!("{label}: if ({i} {less} {bound}) {{"), &last) }
            }
            10 => Form::new(plain, format!("for ({i} = {start}; {i} != {bound}; {step}) {{"), &[]),
            11 => Form::new(counted, format!("while (__VERIFIER_nondet_int() && {i} {less} {bound}) {{"), &advance),
            12 => {
                let j = self.name("j");
                let form =
                    Form::new(format!("{ty} {i}, {j};"), format!("for ({i} = 0, {j} = {bound} - 1; {i} < {j}; {i}++, {j}--) {{"), &[]);
                Form { other: Some(j), ..form }
            }
            _ => {
                let stop = self.comparison();
                Form::new(plain, format!("for ({i} = {start}; {i} {less} {bound} && !({stop}); {step}) {{"), &[])
            }
        }
    }

    /// What a loop repeats, with further exits. `continue` leaves out what stands last in the body.
    fn body(&mut self, depth: usize, may_continue: bool) {
        if self.random.chance(30) {
            self.exit_statement(may_continue);
        }
        self.some_statements(depth.saturating_sub(1), 3);
        if self.random.chance(15) {
            self.exit_statement(may_continue);
        }
    }

    fn exit_statement(&mut self, may_continue: bool) {
        let condition = self.condition();
        let jump = match self.random.below(4) {
            0 | 1 if self.loops > 0 => "break".to_string(),
            2 if self.loops > 0 && (may_continue || self.slips()) => "continue".into(),
            _ => match &mut self.exit {
                Some((label, used)) => {
                    *used = true;
                    format!("goto {label}")
                }
                None => return,
            },
        };
        self.line(format!("if ({condition}) {jump};"));
    }

    /// A counter that comes to its end by way of zero.
    fn wrapping_loop(&mut self, depth: usize) {
        let ty =
            self.random.pick(&[Integer::UnsignedChar, Integer::Char, Integer::Unsigned, Integer::Short]).unwrap_or(Integer::UnsignedChar);
        let counter = self.name("w");
        let (start, end) = (self.random.between(-12, 120), self.random.between(-10, 10));
        self.line(format!("{} {counter} = {start};", ty.name()));
        self.variables.push(Variable { name: counter.clone(), ty });
        let step = self.random.word(&["++", "++", "--", " += 2", " += 3", " *= 2"]);
        let compared = self.random.word(&["!=", "!=", ">", "<"]);
        self.loops += 1;
        self.inside(&format!("while ({counter} {compared} {end}) {{"), "}", |this| {
            this.line(format!("{counter}{step};"));
            this.body(depth, true);
        });
        self.loops -= 1;
        self.probe();
    }

    /// A loop around a switch.
    fn state_machine(&mut self, depth: usize) {
        let (state, count) = (self.name("s"), self.name("k"));
        let first = self.random.between(0, 2);
        self.line(format!("int {state} = {first}, {count} = 0;"));
        self.variables.push(Variable { name: state.clone(), ty: Integer::Int });
        self.variables.push(Variable { name: count.clone(), ty: Integer::Int });
        self.loops += 1;
        self.inside(&format!("while ({state} != 3) {{"), "}", |this| {
            this.inside(&format!("switch ({state}) {{"), "}", |this| {
                for case in 0..3 {
                    this.line(format!("case {case}: ;"));
                    this.some_statements(depth.saturating_sub(1), 1);
                    let next = this.random.between(0, 3);
                    let line = match this.random.chance(50) {
                        true => format!("{state} = {next};"),
                        false => format!("if ({}) {state} = {};", this.condition(), case + 1),
                    };
                    this.line(line);
                    if !this.slips() {
                        this.line("break;".into());
                    }
                }
                if this.random.chance(50) {
                    this.line(format!("default: {state} = 3;"));
                }
            });
            let most = this.random.between(3, 40);
            this.line(format!("if (++{count} > {most}) break;"));
        });
        self.loops -= 1;
        self.probe();
    }
}

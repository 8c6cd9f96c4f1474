//! What can be wrong with a run, and what to do about it.

use model::{CheckKind, Span};

/// What to do when a run does something undefined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reaction {
    /// The run ends there.
    Stop,
    /// It is noted; the run goes on if it can.
    Record,
    /// Nothing; the run goes on if it can.
    Ignore,
}

/// The reaction to each kind of undefined behaviour.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Policy {
    reactions: [Reaction; CheckKind::ALL.len()],
    left_shifts: Reaction,
    assertions: Option<Reaction>,
    exact: bool,
    declared: bool,
}

impl Default for Policy {
    /// Everything that C leaves undefined stops the run; what is defined but may be unwanted (unsigned overflow, NaN, leaks) is ignored. So
    /// are signed left shifts whose result does not fit: GCC defines them, and programs rely on it.
    fn default() -> Self {
        let mut policy = Policy::all(Reaction::Stop);
        for kind in [CheckKind::UnsignedOverflow, CheckKind::Float, CheckKind::Leak] {
            policy.set(kind, Reaction::Ignore);
        }
        policy.left_shifts = Reaction::Ignore;
        policy
    }
}

impl Policy {
    /// The same reaction to everything.
    pub fn all(reaction: Reaction) -> Self {
        Policy { reactions: [reaction; CheckKind::ALL.len()], left_shifts: reaction, assertions: None, exact: false, declared: true }
    }
    /// Chooses the reaction to one kind. Who names signed overflow means that of left shifts, too.
    pub fn set(&mut self, kind: CheckKind, reaction: Reaction) {
        if kind == CheckKind::SignedOverflow {
            self.left_shifts = reaction;
        }
        self.reactions[kind as usize] = reaction;
    }
    /// Signed left shifts mean what gcc says they mean, whatever was chosen before.
    pub fn permit_left_shifts(&mut self) {
        self.left_shifts = Reaction::Ignore;
    }
    /// Only assertions of the model that do not hold stop the run, whatever they are about. What the interpreter notices by itself is
    /// ignored: so runs a model in which all checks are written down.
    pub fn assertions() -> Self {
        Policy { assertions: Some(Reaction::Stop), ..Policy::all(Reaction::Ignore) }
    }
    /// The usual reactions; and what C leaves open ends the run as well, as something that is not modelled: where objects lie, and what library
    /// functions may do in one way or another. A run without inputs that ends by itself is then the only one that the program has.
    pub fn exact() -> Self {
        Policy { exact: true, ..Policy::default() }
    }
    /// Whether what C leaves open ends the run.
    #[inline]
    pub fn is_exact(&self) -> bool {
        self.exact
    }
    /// What objects hold that are only declared is not known: who reads or writes one ends the run, as something that is not modelled. Else they hold zeros.
    pub fn forbid_declared_objects(&mut self) {
        self.declared = false;
    }
    /// Whether objects that are only declared may be used.
    pub fn permits_declared_objects(&self) -> bool {
        self.declared
    }
    /// The reaction to an assertion of this kind that does not hold.
    pub fn of_assertion(&self, kind: CheckKind) -> Reaction {
        self.assertions.unwrap_or(self.of(kind))
    }
    /// The reaction to a signed left shift of a negative number, or whose result does not fit.
    pub fn of_left_shifts(&self) -> Reaction {
        self.left_shifts
    }
    /// The reaction to a kind.
    pub fn of(&self, kind: CheckKind) -> Reaction {
        self.reactions[kind as usize]
    }
}

/// Something undefined that a run did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// What it is about.
    pub kind: CheckKind,
    /// What happened, in one line.
    pub message: String,
    /// Where.
    pub span: Span,
    /// The calls that led there, innermost first.
    pub stack: Vec<Call>,
}

/// A call that has not returned.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Call {
    /// The function that was called.
    pub function: String,
    /// Where it was called; none for the first.
    pub span: Span,
}

/// How a run ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// The program ended with this status: by returning from its first function, or by `exit` and the like.
    Exit(i32),
    /// The first function returned a value that is no exit status: its bit pattern.
    Returned(Option<u128>),
    /// The program called `abort`.
    Abort,
    /// It did something undefined.
    Fault(Box<Fault>),
    /// An assumption did not hold: this is no run of the program.
    Assumption(Span),
    /// It came to something that is not modelled.
    Unsupported(String, Span),
    /// A budget was used up.
    Budget(Budget, Span),
    /// The given inputs ended too early: what the next one was needed for.
    NoInput(String, Span),
    /// The caller's hook ended it.
    Interrupted,
}

/// Something that a run may use up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Budget {
    /// Commands and branches.
    Steps,
    /// Bytes of live objects.
    Memory,
    /// Calls that have not returned.
    Depth,
    /// Bytes written.
    Output,
}

impl Budget {
    /// What it is, for messages.
    pub fn name(self) -> &'static str {
        match self {
            Budget::Steps => "steps",
            Budget::Memory => "memory",
            Budget::Depth => "call depth",
            Budget::Output => "output",
        }
    }
}

/// Why execution does not go on; boxed so that the usual case stays small.
pub type Stop = Box<End>;
/// The result of a step.
pub type Step<T> = Result<T, Stop>;

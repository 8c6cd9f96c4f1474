//! A loop-free region of the model as terms.
//!
//! [`encode`] walks a program from a function on, with loops unwound and calls inlined: every block gets the condition under which control
//! comes to it, variables are SSA values that merge where paths meet, memory is one array term per region (design §6). What must hold is
//! collected as obligations, what could not be followed as cuts and gaps: nothing is left out silently.

mod access;
mod aggregate;
mod arbitrary;
mod call;
mod combine;
mod command;
mod convert;
mod each;
mod effects;
mod encoder;
mod evaluate;
mod examples;
mod expr;
mod formula;
mod formula_text;
mod glimpse;
mod havoc;
mod jump;
mod leap;
mod length;
mod links;
mod math;
mod object;
mod options;
mod origin;
mod place;
mod primitive;
mod reach;
mod recursion;
mod roots;
mod rounds;
mod scalar;
mod shape;
mod shared;
mod sharing;
mod slice;
mod start;
mod state;
mod summary;
mod sums;
mod trial;
mod visits;
mod walk;

pub use encoder::{Cut, CutKind, Encoding, Gap, Input, InputKind, Obligation, encode};
pub use formula::{Aspect, Each, Elements, Field, Formula, Holding, Linear, Links, Moment, Quantity, Relation, Repeat, Source};
pub use formula_text::{Style, formula_text, sum_text};
pub use options::{Faults, Options};
pub use scalar::OBJECT;
pub use slice::{Extent, FactIndex, Meaning, Slice, Topic};
pub use summary::{
    Alternatives, Behind, Candidate, Finding, Head, Kept, Leap, Measured, Premises, Round, Scope, Step, Summarizer, Tested, Walk,
};
pub use visits::Visit;

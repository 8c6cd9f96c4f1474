//! The text form of a program, for reading and for writing by hand.
//!
//! A line is a command, a declaration or a definition; a comment runs from `//` to the end of its line.
//!
//! ```text
//! model lp64
//! file "list.c"
//!
//! struct node size 16 align 8 {
//!     value: i32 at 0
//!     next: *struct node at 8
//! }  @"list.c":1:8+4
//!
//! function sum(list: *struct node) -> i32 {
//!     local total: i32
//!     while b1
//! b0:
//!     total = 0
//!     goto b1
//! b1:
//!     if list != null goto b2 else b3
//! b2:
//!     total = total + list->value
//!     list = list->next
//!     goto b1
//! b3:
//!     return total
//! }
//! ```
//!
//! * **Types** read from left to right: `*[16]u8` is a pointer to an array. `i32` and `u32` are integers with and without sign, `f64`
//!   and `x87` floats, `[]u8` an array of unknown length, `fn(i32, ...) -> f64` a function.
//! * **Expressions** are those of C with every conversion written as a cast. A constant has the type that its context asks for, else
//!   `i32` or `f64`, else it says so: `5u64`, `null(*i32)`, `zero(struct node)`. `&&` and `||` work on truth values and evaluate both
//!   sides. `p[i]` is an element of an array or what a pointer leads to.
//! * **Names** that occur twice get a number (`i`, `i#1`), things without name are only a number (`#1`); names that would be mistaken
//!   for something else stand in backquotes.
//! * **Places** that are seen as another type than they have are written `(x as T)`; `volatile(x)` is accessed as volatile.
//! * **Definitions** before the first block give names to expressions (`$e1 = …`) and places (`$p1 = …`) that are used several times.
//! * **Spans** stand at the end of a line: `@12:9+6` is line 12, column 9, 6 bytes, in the file of the function, else `@"file.h":12:9+6`.

mod data;
mod lex;
mod names;
mod parse;
mod parse_body;
mod parse_data;
mod parse_expr;
mod parse_types;
mod print;
mod print_body;
mod print_expr;
mod words;

pub use lex::ParseError;
pub use parse::parse;
pub use print::{Printer, function, program, type_name};
pub use print_body::BodyPrinter;

/// Which spans are printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Spans {
    /// All, those of expressions and places too, which are then listed one by one: parsing this text gives exactly the same program,
    /// ids included.
    Full,
    /// Those of declarations, commands and terminators. Parsing gives expressions the spans of their commands.
    #[default]
    Commands,
    /// None.
    None,
}

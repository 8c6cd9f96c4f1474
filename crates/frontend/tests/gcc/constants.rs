//! Constant expressions: values and types.

use std::fmt::Write;

use crate::random::Random;
use crate::types::PRELUDE;

const TYPES: &[&str] = &[
    "_Bool",
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
    "enum small",
    "enum negative",
    "enum large",
    "enum packed",
    "float",
    "double",
    "long double",
];

/// A number for each type that an expression can have.
const WHICH: &str = "#define WHICH(e) _Generic((e), _Bool: 1, char: 2, signed char: 3, unsigned char: 4, short: 5, unsigned short: 6, \
                     int: 7, unsigned: 8, long: 9, unsigned long: 10, long long: 11, unsigned long long: 12, float: 13, double: 14, \
                     long double: 15, default: 16)";

/// Random expressions: the value in a random type, and the type and size of each expression itself.
pub fn program(random: &mut Random) -> String {
    let mut text = PRELUDE.to_string();
    for number in 0..150 {
        let ty = random.pick(TYPES);
        let expression = expression(random, 4);
        writeln!(text, "{ty} value_{number} = {expression};").unwrap();
        let which = WHICH.split_once("(e) ").map_or("", |(_, body)| body).replace("((e)", &format!("(({expression})"));
        writeln!(text, "int type_{number}[] = {{ {which}, sizeof({expression}) }};").unwrap();
    }
    text
}

/// An arithmetic constant expression.
fn expression(random: &mut Random, depth: u32) -> String {
    if depth == 0 {
        return real_or_integer(random);
    }
    match random.below(12) {
        0 | 1 => format!("({})({})", random.pick(TYPES), expression(random, depth - 1)),
        2 => format!("({} ? {} : {})", expression(random, depth - 1), expression(random, depth - 1), expression(random, depth - 1)),
        3 => format!("({}{})", random.pick(&["-", "+", "!"]), expression(random, depth - 1)),
        4 => {
            let op = random.pick(&["<", ">", "<=", ">=", "==", "!=", "&&", "||", "+", "-", "*"]);
            format!("({} {op} {})", expression(random, depth - 1), expression(random, depth - 1))
        }
        5 => format!("({} / {}.5)", expression(random, depth - 1), 1 + random.below(9)),
        _ => integer(random, depth),
    }
}

/// An integer constant expression.
fn integer(random: &mut Random, depth: u32) -> String {
    if depth == 0 {
        return literal(random);
    }
    match random.below(10) {
        0 => format!("({} {} {})", integer(random, depth - 1), random.pick(&["<<", ">>"]), random.below(16)),
        1 => format!("({} {} {})", integer(random, depth - 1), random.pick(&["/", "%"]), 1 + random.number() % 1000),
        2 => format!("(~{})", integer(random, depth - 1)),
        3 => format!("({})({})", random.pick(&TYPES[..16]), integer(random, depth - 1)),
        4 => format!("({} ? {} : {})", integer(random, depth - 1), integer(random, depth - 1), integer(random, depth - 1)),
        _ => {
            let op = random.pick(&["+", "-", "*", "&", "|", "^", "<", "<=", "==", "&&", "||"]);
            format!("({} {op} {})", integer(random, depth - 1), integer(random, depth - 1))
        }
    }
}

fn literal(random: &mut Random) -> String {
    let suffix = random.pick(&["", "", "u", "l", "ul", "ll", "ull", "LLU"]);
    match random.below(8) {
        0 => random.pick(&["'a'", "'\\377'", "'\\x80'", "'ab'", "'abcd'", "L'\\xffff'", "u'x'", "U'x'", "'\\0'"]).into(),
        1 => random.pick(&["SMALL_B", "NEGATIVE_A", "LARGE_A", "LARGE_B", "PACKED_A", "sizeof(long)", "sizeof \"abc\""]).into(),
        2 => format!("0x{:x}{suffix}", random.number()),
        3 => format!("0{:o}{suffix}", random.number() >> 2),
        4 => format!("{}{suffix}", random.below(10)),
        _ => format!("{}{suffix}", random.number() >> 1),
    }
}

fn real_or_integer(random: &mut Random) -> String {
    match random.below(4) {
        0 => format!("{}.{}{}", random.below(100), random.below(1000), random.pick(&["", "f", "L"])),
        1 => format!("0x{:x}p{}", random.number() >> 30, random.below(20) as i64 - 10),
        _ => literal(random),
    }
}

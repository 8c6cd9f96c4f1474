//! <ctype.h> in the C locale, and the tables that glibc's macros read.

use model::Span;

use super::{Header, store_pointer, word};
use crate::fault::Step;
use crate::machine::Machine;
use crate::memory::{ObjectKind, Pointer};

pub(super) const FUNCTIONS: Header = &[
    ("isalnum", |_, c| Ok(is(c.integer(0), b'n'))),
    ("isalpha", |_, c| Ok(is(c.integer(0), b'a'))),
    ("isblank", |_, c| Ok(is(c.integer(0), b'b'))),
    ("iscntrl", |_, c| Ok(is(c.integer(0), b'c'))),
    ("isdigit", |_, c| Ok(is(c.integer(0), b'd'))),
    ("isgraph", |_, c| Ok(is(c.integer(0), b'g'))),
    ("islower", |_, c| Ok(is(c.integer(0), b'l'))),
    ("isprint", |_, c| Ok(is(c.integer(0), b'P'))),
    ("ispunct", |_, c| Ok(is(c.integer(0), b't'))),
    ("isspace", |_, c| Ok(is(c.integer(0), b's'))),
    ("isupper", |_, c| Ok(is(c.integer(0), b'u'))),
    ("isxdigit", |_, c| Ok(is(c.integer(0), b'x'))),
    ("isascii", |_, c| Ok(u128::from((0..128).contains(&c.integer(0))))),
    ("toascii", |_, c| Ok(c.scalar(0) & 0x7f)),
    ("tolower", |_, c| Ok(folded(c.integer(0), u8::to_ascii_lowercase) as u128)),
    ("_tolower", |_, c| Ok(folded(c.integer(0), u8::to_ascii_lowercase) as u128)),
    ("toupper", |_, c| Ok(folded(c.integer(0), u8::to_ascii_uppercase) as u128)),
    ("_toupper", |_, c| Ok(folded(c.integer(0), u8::to_ascii_uppercase) as u128)),
    ("__ctype_b_loc", |m, _| table(m, "classes", |value| u8::try_from(value).map_or(0, classes).to_le_bytes().to_vec())),
    ("__ctype_tolower_loc", |m, _| folding_table(m, "lower", u8::to_ascii_lowercase)),
    ("__ctype_toupper_loc", |m, _| folding_table(m, "upper", u8::to_ascii_uppercase)),
    ("__ctype_get_mb_cur_max", |_, _| Ok(1)),
];

/// glibc's bit for each class.
const BITS: [(u8, u16); 12] = [
    (b'u', 0x100),
    (b'l', 0x200),
    (b'a', 0x400),
    (b'd', 0x800),
    (b'x', 0x1000),
    (b's', 0x2000),
    (b'P', 0x4000),
    (b'g', 0x8000),
    (b'b', 0x1),
    (b'c', 0x2),
    (b't', 0x4),
    (b'n', 0x8),
];

/// Whether a character is in a class, named by a letter: `u`pper, `l`ower, `a`lpha, `d`igit, `x`digit, `s`pace, `P`rint, `g`raph, `b`lank,
/// `c`ntrl, punc`t`, al`n`um.
fn belongs(byte: u8, class: u8) -> bool {
    match class {
        b'u' => byte.is_ascii_uppercase(),
        b'l' => byte.is_ascii_lowercase(),
        b'a' => byte.is_ascii_alphabetic(),
        b'd' => byte.is_ascii_digit(),
        b'x' => byte.is_ascii_hexdigit(),
        b's' => super::number::is_space(byte),
        b'P' => (b' '..=b'~').contains(&byte),
        b'g' => byte.is_ascii_graphic(),
        b'b' => byte == b' ' || byte == b'\t',
        b'c' => byte.is_ascii_control(),
        b't' => byte.is_ascii_punctuation(),
        _ => byte.is_ascii_alphanumeric(),
    }
}

/// All classes of a character.
fn classes(byte: u8) -> u16 {
    BITS.iter().filter(|(class, _)| belongs(byte, *class)).map(|(_, bit)| bit).sum()
}

/// Whether a character is in a class: the bit of the class, as glibc answers.
fn is(character: i128, class: u8) -> u128 {
    let belongs = u8::try_from(character).is_ok_and(|byte| belongs(byte, class));
    BITS.iter().find(|(known, _)| belongs && *known == class).map_or(0, |(_, bit)| u128::from(*bit))
}

/// A character in the other case; what is no character stays.
fn folded(value: i128, fold: fn(&u8) -> u8) -> i128 {
    u8::try_from(value).map_or(value, |byte| i128::from(fold(&byte)))
}

fn folding_table(machine: &mut Machine<'_, '_>, name: &'static str, fold: fn(&u8) -> u8) -> Step<u128> {
    table(machine, name, |value| (folded(value, fold) as i32).to_le_bytes().to_vec())
}

/// The table with an entry for each number from -128 to 255: a pointer to a pointer to the entry of 0.
fn table(machine: &mut Machine<'_, '_>, name: &'static str, entry: impl Fn(i128) -> Vec<u8>) -> Step<u128> {
    if let Some(pointer) = machine.library.ctype.get(name) {
        return Ok(u128::from(*pointer));
    }
    // Negative numbers other than EOF are characters of a signed `char`.
    let bytes: Vec<u8> = (-128..256).flat_map(|value: i128| entry(if value < -1 { value + 256 } else { value })).collect();
    let size = bytes.len() as u64;
    let content: Pointer = machine.allocate(ObjectKind::Environment, size, true, Span::NONE)?;
    machine.write_bytes(content, &bytes)?;
    let holder = machine.allocate(ObjectKind::Environment, word(machine), true, Span::NONE)?;
    store_pointer(machine, holder, content + size / 3)?;
    machine.library.ctype.insert(name, holder);
    Ok(u128::from(holder))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_those_of_the_c_locale() {
        assert_eq!(classes(b'A'), 0xd508);
        assert_eq!(classes(b'z'), 0xc608);
        assert_eq!(classes(b'7'), 0xd808);
        assert_eq!(classes(b' '), 0x6001);
        assert_eq!(classes(b'\t'), 0x2003);
        assert_eq!(classes(0x80), 0);
    }
}

//! The conversions of a format.

/// A width or precision.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Amount {
    Absent,
    Fixed(i32),
    /// The next argument is it.
    Argument,
}

/// What a conversion takes and how long its text may be, without width: at least and at most.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Class {
    Integer(u64, u64),
    /// A decimal number as short as possible, of so many bits and perhaps a sign.
    Decimal(u16, bool),
    Float(u64, u64),
    Pointer((u64, u64)),
    Character,
    String,
    /// Takes a pointer to an integer of so many bytes.
    Count(u64),
}

/// A part of a format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Piece {
    /// So many bytes of text.
    Text(u64),
    Conversion {
        class: Class,
        width: Amount,
        precision: Amount,
        /// How many bytes its argument has behind `...`, where small integers are `int`.
        bytes: u64,
    },
}

/// Widths and precisions beyond this are not looked at.
const LARGEST: i32 = 1 << 20;

/// The parts of a format for a machine with words of so many bytes; `None` if there is something in it that is not known.
pub(super) fn pieces(format: &[u8], word: u64) -> Option<Vec<Piece>> {
    let mut pieces = Vec::new();
    let mut rest = format;
    while !rest.is_empty() {
        let length = rest.iter().position(|byte| *byte == b'%').unwrap_or(rest.len());
        if length > 0 {
            pieces.push(Piece::Text(length as u64));
            rest = &rest[length..];
            continue;
        }
        let (piece, tail) = conversion(&rest[1..], word)?;
        pieces.push(piece);
        rest = tail;
    }
    Some(pieces)
}

/// The conversion at the start, behind its `%`, and what follows.
fn conversion(text: &[u8], word: u64) -> Option<(Piece, &[u8])> {
    if let [b'%', rest @ ..] = text {
        return Some((Piece::Text(1), rest));
    }
    let flags = text.iter().take_while(|byte| b"-+ #0".contains(byte)).count();
    let (width, rest) = amount(&text[flags..])?;
    let (precision, rest) = match rest {
        [b'.', rest @ ..] => match amount(rest)? {
            // A point alone is a zero.
            (Amount::Absent, rest) => (Amount::Fixed(0), rest),
            given => given,
        },
        _ => (Amount::Absent, rest),
    };
    let length = rest.iter().take_while(|byte| b"hlLqjzt".contains(byte)).count();
    let (size, rest) = rest.split_at(length);
    let (letter, rest) = rest.split_first()?;
    let class = match class(*letter, size, precision, word)? {
        Class::Integer(..)
            if b"diu".contains(letter) && precision == Amount::Absent && !text[..flags].iter().any(|flag| b"+ ".contains(flag)) =>
        {
            Class::Decimal(8 * integer_size(size, word)? as u16, *letter != b'u')
        }
        class => class,
    };
    let bytes = argument_size(class, size, word)?;
    Some((Piece::Conversion { class, width, precision, bytes }, rest))
}

fn amount(text: &[u8]) -> Option<(Amount, &[u8])> {
    if let [b'*', rest @ ..] = text {
        return Some((Amount::Argument, rest));
    }
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if digits == 0 {
        return Some((Amount::Absent, text));
    }
    let number: i32 = std::str::from_utf8(&text[..digits]).ok()?.parse().ok()?;
    (number <= LARGEST).then_some((Amount::Fixed(number), &text[digits..]))
}

/// How many bytes the integer of a conversion has.
pub(super) fn integer_size(size: &[u8], word: u64) -> Option<u64> {
    Some(match size {
        b"" => 4,
        b"hh" => 1,
        b"h" => 2,
        b"l" | b"z" | b"t" => word,
        b"ll" | b"q" | b"j" | b"L" => 8,
        _ => return None,
    })
}

/// How many bytes the argument of a conversion has.
fn argument_size(class: Class, size: &[u8], word: u64) -> Option<u64> {
    Some(match class {
        Class::Integer(..) | Class::Decimal(..) => integer_size(size, word)?.max(4),
        Class::Character => 4,
        Class::Float(..) if size == b"L" => 16,
        Class::Float(..) => 8,
        Class::String | Class::Pointer(_) | Class::Count(_) => word,
    })
}

fn class(letter: u8, size: &[u8], precision: Amount, word: u64) -> Option<Class> {
    // What is added for digits that were asked for; those that an argument asks for are added when it is known.
    let digits = |usual: u64| match precision {
        Amount::Absent => usual,
        Amount::Fixed(number) => number as u64,
        Amount::Argument => 0,
    };
    Some(match letter {
        b'd' | b'i' | b'u' | b'x' | b'X' | b'o' => {
            // An octal digit stands for three bits; sign or prefix need two more.
            let most = (8 * integer_size(size, word)?).div_ceil(3) + 2;
            let most = if letter == b'o' { most } else { decimal_or_hexadecimal(letter, 8 * integer_size(size, word)?) };
            let (low, asked) = if precision == Amount::Absent { (1, 0) } else { (0, digits(0) + 2) };
            Class::Integer(low, if precision == Amount::Argument { most + asked } else { most.max(asked) })
        }
        b'c' if size.is_empty() => Class::Character,
        b's' if size.is_empty() => Class::String,
        b'p' if size.is_empty() => Class::Pointer((3, 2 + 2 * word)),
        b'n' => Class::Count(integer_size(size, word)?),
        b'f' | b'F' => Class::Float(1, integral_digits(size)? + 2 + digits(6)),
        b'e' | b'E' | b'g' | b'G' => {
            integral_digits(size)?;
            Class::Float(1, 16 + digits(6))
        }
        b'a' | b'A' => {
            integral_digits(size)?;
            Class::Float(1, 16 + digits(28))
        }
        _ => return None,
    })
}

/// The most that a decimal or hexadecimal number of so many bits needs, with sign or prefix.
fn decimal_or_hexadecimal(letter: u8, bits: u64) -> u64 {
    match (letter, bits) {
        (b'x' | b'X', _) => bits / 4 + 2,
        (b'u', 8) => 3,
        (b'u', 16) => 5,
        (b'u', 32) => 10,
        (_, 8) => 4,
        (_, 16) => 6,
        (_, 32) => 11,
        _ => 20,
    }
}

/// How many digits may be before the point.
fn integral_digits(size: &[u8]) -> Option<u64> {
    match size {
        b"" | b"l" => Some(309),
        b"L" => Some(4933),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn conversion_of(format: &str) -> Option<(Class, Amount, Amount)> {
        match pieces(format.as_bytes(), 8)?.as_slice() {
            [Piece::Conversion { class, width, precision, .. }] => Some((*class, *width, *precision)),
            _ => None,
        }
    }

    #[test]
    fn formats_have_pieces() {
        let conversion = Piece::Conversion { class: Class::Decimal(32, true), width: Amount::Absent, precision: Amount::Absent, bytes: 4 };
        assert_eq!(pieces(b"a%db%%", 8), Some(vec![Piece::Text(1), conversion, Piece::Text(1), Piece::Text(1)]));
        assert_eq!(pieces(b"", 8), Some(Vec::new()));
        for unknown in ["%", "%1$d", "%m", "%ls", "%lc", "%k", "%5", "%99999999999d", "%'d", "%Lhd"] {
            assert_eq!(pieces(unknown.as_bytes(), 8), None, "{unknown}");
        }
    }

    #[test]
    fn widths_and_precisions_are_read() {
        assert_eq!(conversion_of("%-*.*s"), Some((Class::String, Amount::Argument, Amount::Argument)));
        assert_eq!(conversion_of("%08.3lf"), Some((Class::Float(1, 314), Amount::Fixed(8), Amount::Fixed(3))));
        assert_eq!(conversion_of("%.s"), Some((Class::String, Amount::Absent, Amount::Fixed(0))));
    }

    /// The longest text that C's own printf makes of each.
    #[test]
    fn bounds_hold_for_extreme_numbers() {
        let most = |format: &str| match conversion_of(format).unwrap().0 {
            Class::Integer(_, most) | Class::Float(_, most) | Class::Pointer((_, most)) => most as usize,
            other => panic!("{other:?}"),
        };
        assert_eq!(conversion_of("%hu"), Some((Class::Decimal(16, false), Amount::Absent, Amount::Absent)));
        assert_eq!(most("%+d"), i32::MIN.to_string().len());
        assert_eq!(most("%+hhd"), i8::MIN.to_string().len());
        assert_eq!(most("%.0hu"), u16::MAX.to_string().len());
        assert_eq!(most("%.0lu"), u64::MAX.to_string().len());
        assert_eq!(most("%+lld"), i64::MIN.to_string().len());
        assert!(most("%#llx") >= format!("0x{:x}", u64::MAX).len());
        assert!(most("%#o") >= format!("0{:o}", u32::MAX).len());
        assert!(most("%.20d") >= 21);
        assert!(most("%#.20x") >= 22);
        assert!(most("%f") >= format!("{:.6}", -f64::MAX).len());
        assert!(most("%e") >= "-1.797693e+308".len());
        assert!(most("%Le") >= "-1.797693e+4932".len());
        assert!(most("%g") >= "-0.000123457".len());
        assert!(most("%a") >= "-0x1.fffffffffffffp+1023".len());
        assert!(most("%La") >= "-0xf.fffffffffffffffp+16380".len());
        assert_eq!(most("%p"), "0x7fffffffffffffff".len());
    }
}

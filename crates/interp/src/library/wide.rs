//! <wchar.h> and <wctype.h> in the C locale: characters up to 127 are the same wide and narrow, others have no narrow form.

use super::{Header, Invocation, load_int, store_int, write_string};
use crate::fault::Step;
use crate::machine::Machine;
use crate::memory::Pointer;

type M<'a, 'p, 'i> = &'a mut Machine<'p, 'i>;

/// The size of `wchar_t`.
const SIZE: u64 = 4;
/// The error of a conversion.
const EILSEQ: i32 = 84;
/// -1, as a result of any width.
const FAILED: u128 = u128::MAX;

pub(super) const FUNCTIONS: Header = &[
    ("wcslen", |m, c| Ok(wide_string(m, c, 0, u64::MAX)?.len() as u128)),
    ("wcsnlen", |m, c| Ok(wide_string(m, c, 0, c.size(1))?.len() as u128)),
    ("wcscpy", |m, c| copy_string(m, c, 0)),
    ("wcscat", wcscat),
    ("wcsncpy", wcsncpy),
    ("wcscmp", |m, c| compare(m, c, u64::MAX)),
    ("wcscoll", |m, c| compare(m, c, u64::MAX)),
    ("wcsncmp", |m, c| compare(m, c, c.size(2))),
    ("wcschr", |m, c| find(m, c, false)),
    ("wcsrchr", |m, c| find(m, c, true)),
    ("wcsstr", wcsstr),
    ("wmemcpy", wmemmove),
    ("wmemmove", wmemmove),
    ("wmemset", wmemset),
    ("wmemcmp", wmemcmp),
    ("wmemchr", wmemchr),
    ("mblen", |m, c| multibyte(m, c, 0, c.size(1)).map(|(result, _)| result)),
    ("mbtowc", mbtowc),
    ("wctomb", wctomb),
    ("mbstowcs", mbstowcs),
    ("wcstombs", wcstombs),
    ("btowc", |_, c| Ok(if (0..128).contains(&c.integer(0)) { c.scalar(0) } else { FAILED })),
    ("wctob", |_, c| Ok(if (0..128).contains(&c.integer(0)) { c.scalar(0) } else { FAILED })),
    ("iswalnum", |_, c| is(c, u8::is_ascii_alphanumeric)),
    ("iswalpha", |_, c| is(c, u8::is_ascii_alphabetic)),
    ("iswdigit", |_, c| is(c, u8::is_ascii_digit)),
    ("iswlower", |_, c| is(c, u8::is_ascii_lowercase)),
    ("iswupper", |_, c| is(c, u8::is_ascii_uppercase)),
    ("iswpunct", |_, c| is(c, u8::is_ascii_punctuation)),
    ("iswxdigit", |_, c| is(c, u8::is_ascii_hexdigit)),
    ("iswcntrl", |_, c| is(c, u8::is_ascii_control)),
    ("iswgraph", |_, c| is(c, u8::is_ascii_graphic)),
    ("iswprint", |_, c| is(c, |byte| (b' '..=b'~').contains(byte))),
    ("iswspace", |_, c| is(c, |byte| super::number::is_space(*byte))),
    ("towlower", |_, c| Ok(u8::try_from(c.scalar(0)).map_or(c.scalar(0), |byte| byte.to_ascii_lowercase().into()))),
    ("towupper", |_, c| Ok(u8::try_from(c.scalar(0)).map_or(c.scalar(0), |byte| byte.to_ascii_uppercase().into()))),
];

fn is(call: &Invocation<'_>, class: fn(&u8) -> bool) -> Step<u128> {
    Ok(u8::try_from(call.scalar(0)).is_ok_and(|byte| class(&byte)).into())
}

fn element(pointer: Pointer, index: usize) -> Pointer {
    pointer.wrapping_add(SIZE * index as u64)
}

fn wide_at(m: M<'_, '_, '_>, start: Pointer, limit: u64) -> Step<Vec<i128>> {
    let mut text = Vec::new();
    while (text.len() as u64) < limit {
        match load_int(m, element(start, text.len()), SIZE)? {
            0 => break,
            character => text.push(character),
        }
    }
    Ok(text)
}

fn wide_string(m: M<'_, '_, '_>, c: &Invocation<'_>, index: usize, limit: u64) -> Step<Vec<i128>> {
    let start = c.pointer(m, index);
    wide_at(m, start, limit)
}

fn put(m: M<'_, '_, '_>, to: Pointer, text: &[i128]) -> Step<()> {
    text.iter().enumerate().try_for_each(|(index, character)| store_int(m, element(to, index), *character, SIZE))
}

/// Copies the second string to the first place, so many characters behind its start.
fn copy_string(m: M<'_, '_, '_>, c: &Invocation<'_>, behind: usize) -> Step<u128> {
    let mut text = wide_string(m, c, 1, u64::MAX)?;
    text.push(0);
    let to = c.pointer(m, 0);
    put(m, element(to, behind), &text)?;
    Ok(u128::from(to))
}

fn wcscat(m: M<'_, '_, '_>, c: &Invocation<'_>) -> Step<u128> {
    let length = wide_string(m, c, 0, u64::MAX)?.len();
    copy_string(m, c, length)
}

fn wcsncpy(m: M<'_, '_, '_>, c: &Invocation<'_>) -> Step<u128> {
    let (to, size) = (c.pointer(m, 0), c.size(2));
    let text = wide_string(m, c, 1, size)?;
    put(m, to, &text)?;
    for index in text.len() as u64..size {
        store_int(m, element(to, index as usize), 0, SIZE)?;
    }
    Ok(u128::from(to))
}

fn compare(m: M<'_, '_, '_>, c: &Invocation<'_>, limit: u64) -> Step<u128> {
    let (a, b) = (c.pointer(m, 0), c.pointer(m, 1));
    for index in 0..limit {
        let (x, y) = (load_int(m, element(a, index as usize), SIZE)?, load_int(m, element(b, index as usize), SIZE)?);
        if x != y || x == 0 {
            return Ok(x.cmp(&y) as i128 as u128);
        }
    }
    Ok(0)
}

fn find(m: M<'_, '_, '_>, c: &Invocation<'_>, last: bool) -> Step<u128> {
    let (start, wanted) = (c.pointer(m, 0), c.scalar(1) as i32 as i128);
    let mut text = wide_at(m, start, u64::MAX)?;
    text.push(0);
    let is_wanted = |character: &i128| *character == wanted;
    let at = if last { text.iter().rposition(is_wanted) } else { text.iter().position(is_wanted) };
    Ok(at.map_or(0, |at| element(start, at).into()))
}

fn wcsstr(m: M<'_, '_, '_>, c: &Invocation<'_>) -> Step<u128> {
    let (text, pattern, start) = (wide_string(m, c, 0, u64::MAX)?, wide_string(m, c, 1, u64::MAX)?, c.pointer(m, 0));
    let at = if pattern.is_empty() { Some(0) } else { text.windows(pattern.len()).position(|window| window == pattern) };
    Ok(at.map_or(0, |at| element(start, at).into()))
}

fn wmemmove(m: M<'_, '_, '_>, c: &Invocation<'_>) -> Step<u128> {
    let (to, from) = (c.pointer(m, 0), c.pointer(m, 1));
    let content = m.get(from, c.size(2).saturating_mul(SIZE), c.span)?;
    m.put(to, &content, c.span)?;
    Ok(u128::from(to))
}

fn wmemset(m: M<'_, '_, '_>, c: &Invocation<'_>) -> Step<u128> {
    let to = c.pointer(m, 0);
    for index in 0..c.size(2) {
        store_int(m, element(to, index as usize), c.integer(1), SIZE)?;
    }
    Ok(u128::from(to))
}

fn wmemcmp(m: M<'_, '_, '_>, c: &Invocation<'_>) -> Step<u128> {
    let (a, b) = (c.pointer(m, 0), c.pointer(m, 1));
    for index in 0..c.size(2) as usize {
        let ordering = load_int(m, element(a, index), SIZE)?.cmp(&load_int(m, element(b, index), SIZE)?);
        if ordering.is_ne() {
            return Ok(ordering as i128 as u128);
        }
    }
    Ok(0)
}

fn wmemchr(m: M<'_, '_, '_>, c: &Invocation<'_>) -> Step<u128> {
    let start = c.pointer(m, 0);
    for index in 0..c.size(2) as usize {
        if load_int(m, element(start, index), SIZE)? == c.scalar(1) as i32 as i128 {
            return Ok(element(start, index).into());
        }
    }
    Ok(0)
}

/// The length of a multibyte character and the character; no pointer asks whether there is a state, and there is none.
fn multibyte(m: M<'_, '_, '_>, c: &Invocation<'_>, index: usize, limit: u64) -> Step<(u128, u8)> {
    let from = c.pointer(m, index);
    if from == 0 {
        return Ok((0, 0));
    }
    if limit == 0 {
        return Ok((FAILED, 0));
    }
    match m.read_byte(from)? {
        byte if byte < 128 => Ok((u128::from(byte != 0), byte)),
        _ => failed(m).map(|result| (result, 0)),
    }
}

fn failed(m: M<'_, '_, '_>) -> Step<u128> {
    super::errors::set(m, EILSEQ)?;
    Ok(FAILED)
}

fn mbtowc(m: M<'_, '_, '_>, c: &Invocation<'_>) -> Step<u128> {
    let (result, byte) = multibyte(m, c, 1, c.size(2))?;
    let to = c.pointer(m, 0);
    if to != 0 && result != FAILED && c.pointer(m, 1) != 0 {
        store_int(m, to, byte.into(), SIZE)?;
    }
    Ok(result)
}

fn wctomb(m: M<'_, '_, '_>, c: &Invocation<'_>) -> Step<u128> {
    let to = c.pointer(m, 0);
    match u8::try_from(c.scalar(1)) {
        _ if to == 0 => Ok(0),
        Ok(byte) if byte < 128 => m.write_bytes(to, &[byte]).map(|()| 1),
        _ => failed(m),
    }
}

fn mbstowcs(m: M<'_, '_, '_>, c: &Invocation<'_>) -> Step<u128> {
    let to = c.pointer(m, 0);
    let mut text: Vec<i128> = c.string(m, 1)?.into_iter().map(i128::from).collect();
    if text.iter().any(|character| *character >= 128) {
        return failed(m);
    }
    let length = text.len();
    if to == 0 {
        return Ok(length as u128);
    }
    text.push(0);
    text.truncate(usize::try_from(c.size(2)).unwrap_or(usize::MAX));
    put(m, to, &text)?;
    Ok(length.min(text.len()) as u128)
}

fn wcstombs(m: M<'_, '_, '_>, c: &Invocation<'_>) -> Step<u128> {
    let (to, size) = (c.pointer(m, 0), c.size(2));
    let text = wide_string(m, c, 1, if to == 0 { u64::MAX } else { size })?;
    let Some(bytes) = text.iter().map(|character| u8::try_from(*character).ok().filter(u8::is_ascii)).collect::<Option<Vec<u8>>>() else {
        return failed(m);
    };
    if to != 0 && (bytes.len() as u64) < size {
        write_string(m, to, &bytes)?;
    } else if to != 0 {
        m.write_bytes(to, &bytes)?;
    }
    Ok(bytes.len() as u128)
}

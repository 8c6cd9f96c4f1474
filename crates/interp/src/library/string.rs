//! <string.h> and <strings.h>.

use model::CheckKind;

use super::{Header, Invocation, duplicate, load_pointer, store_pointer, string, string_up_to, write_string};
use crate::fault::Step;
use crate::machine::Machine;
use crate::memory::{Pointer, split};

type M<'a, 'p, 'i> = &'a mut Machine<'p, 'i>;

pub(super) const FUNCTIONS: Header = &[
    ("memcpy", |m, c| copy(m, c).map(u128::from)),
    ("mempcpy", |m, c| Ok(u128::from(copy(m, c)?.wrapping_add(c.size(2))))),
    ("memmove", |m, c| relocate(m, c, 0, 1)),
    ("bcopy", |m, c| relocate(m, c, 1, 0)),
    ("memccpy", memccpy),
    ("memset", |m, c| fill(m, c, c.scalar(1) as u8, c.size(2))),
    ("explicit_bzero", |m, c| fill(m, c, 0, c.size(1))),
    ("bzero", |m, c| fill(m, c, 0, c.size(1))),
    ("memcmp", memcmp),
    ("bcmp", memcmp),
    ("memchr", memchr),
    ("rawmemchr", |m, c| find_byte(m, c, u64::MAX)),
    ("memrchr", memrchr),
    ("memmem", memmem),
    ("strlen", |m, c| Ok(c.string(m, 0)?.len() as u128)),
    ("strnlen", strnlen),
    ("strcpy", |m, c| Ok(strcpy(m, c)?.0.into())),
    ("stpcpy", |m, c| Ok(strcpy(m, c).map(|(start, length)| start.wrapping_add(length))?.into())),
    ("strncpy", |m, c| Ok(strncpy(m, c)?.0.into())),
    ("stpncpy", |m, c| Ok(strncpy(m, c).map(|(start, length)| start.wrapping_add(length))?.into())),
    ("strcat", |m, c| strcat(m, c, u64::MAX)),
    ("strncat", |m, c| strcat(m, c, c.size(2))),
    ("strlcpy", strlcpy),
    ("strlcat", strlcat),
    ("strcmp", |m, c| compare(m, c, u64::MAX, |byte| byte)),
    ("strcoll", |m, c| compare(m, c, u64::MAX, |byte| byte)),
    ("strncmp", |m, c| compare(m, c, c.size(2), |byte| byte)),
    ("strcasecmp", |m, c| compare(m, c, u64::MAX, |byte| byte.to_ascii_lowercase())),
    ("strncasecmp", |m, c| compare(m, c, c.size(2), |byte| byte.to_ascii_lowercase())),
    ("strxfrm", strxfrm),
    ("strchr", strchr),
    ("index", strchr),
    ("strchrnul", strchrnul),
    ("strrchr", strrchr),
    ("rindex", strrchr),
    ("strstr", |m, c| strstr(m, c, |text| text.to_vec())),
    ("strcasestr", |m, c| strstr(m, c, |text| text.to_ascii_lowercase())),
    ("strspn", |m, c| span(m, c, true).map(|length| length as u128)),
    ("strcspn", |m, c| span(m, c, false).map(|length| length as u128)),
    ("strpbrk", strpbrk),
    ("strtok", strtok),
    ("strtok_r", strtok_r),
    ("strsep", strsep),
    ("strdup", |m, c| copy_of(m, c, u64::MAX)),
    ("strndup", |m, c| copy_of(m, c, c.size(1))),
    ("ffs", ffs),
    ("ffsl", ffs),
    ("ffsll", ffs),
    ("swab", swab),
];

// ---- memory ----------------------------------------------------------------------------------------------------------------------

/// What must not overlap does not.
fn apart(m: M<'_, '_, '_>, c: &Invocation<'_>, to: Pointer, from: Pointer, size: u64) -> Step<()> {
    let ((a, at), (b, other)) = (split(to), split(from));
    if a == b && size > 0 && at.abs_diff(other) < size {
        m.fault(CheckKind::Bounds, c.span, format!("overlapping {}", c.name))?;
    }
    Ok(())
}

fn copy(m: M<'_, '_, '_>, c: &Invocation<'_>) -> Step<Pointer> {
    let (to, from, size) = (c.pointer(m, 0), c.pointer(m, 1), c.size(2));
    apart(m, c, to, from, size)?;
    let content = m.get(from, size, c.span)?;
    m.put(to, &content, c.span)?;
    Ok(to)
}

pub(super) fn relocate(m: M<'_, '_, '_>, c: &Invocation<'_>, to: usize, from: usize) -> Step<u128> {
    let (to, from) = (c.pointer(m, to), c.pointer(m, from));
    let content = m.get(from, c.size(2), c.span)?;
    m.put(to, &content, c.span)?;
    Ok(to.into())
}

fn memccpy(m: M<'_, '_, '_>, c: &Invocation<'_>) -> Step<u128> {
    let (to, from, wanted) = (c.pointer(m, 0), c.pointer(m, 1), c.scalar(2) as u8);
    for offset in 0..c.size(3) {
        let byte = m.read_byte(from.wrapping_add(offset))?;
        m.write_bytes(to.wrapping_add(offset), &[byte])?;
        if byte == wanted {
            return Ok(to.wrapping_add(offset + 1).into());
        }
    }
    Ok(0)
}

pub(super) fn fill(m: M<'_, '_, '_>, c: &Invocation<'_>, byte: u8, size: u64) -> Step<u128> {
    let to = c.pointer(m, 0);
    m.fill(to, byte, size, c.span)?;
    Ok(to.into())
}

/// Both objects must have that many bytes, but only those up to the first difference need a value.
fn memcmp(m: M<'_, '_, '_>, c: &Invocation<'_>) -> Step<u128> {
    let (a, b, size) = (c.pointer(m, 0), c.pointer(m, 1), c.size(2));
    let (x, y) = (m.get(a, size, c.span)?, m.get(b, size, c.span)?);
    if x.known.is_empty() && y.known.is_empty() {
        let difference = x.bytes.iter().zip(&y.bytes).find(|(x, y)| x != y);
        return Ok(difference.map_or(0, |(x, y)| minus(*x, *y)));
    }
    for offset in 0..size {
        let (x, y) = (m.read_byte(a.wrapping_add(offset))?, m.read_byte(b.wrapping_add(offset))?);
        if x != y {
            return Ok(minus(x, y));
        }
    }
    Ok(0)
}

/// The result of a comparison: C only fixes its sign, glibc gives the difference.
fn minus(x: u8, y: u8) -> u128 {
    (i128::from(x) - i128::from(y)) as u128
}

fn memchr(m: M<'_, '_, '_>, c: &Invocation<'_>) -> Step<u128> {
    find_byte(m, c, c.size(2))
}

/// Reads byte by byte and stops at the first that is wanted.
fn find_byte(m: M<'_, '_, '_>, c: &Invocation<'_>, limit: u64) -> Step<u128> {
    let (start, wanted) = (c.pointer(m, 0), c.scalar(1) as u8);
    for offset in 0..limit {
        let at = start.wrapping_add(offset);
        if m.read_byte(at)? == wanted {
            return Ok(at.into());
        }
    }
    Ok(0)
}

fn memrchr(m: M<'_, '_, '_>, c: &Invocation<'_>) -> Step<u128> {
    let (start, wanted) = (c.pointer(m, 0), c.scalar(1) as u8);
    let bytes = m.read_bytes(start, c.size(2))?;
    Ok(bytes.iter().rposition(|byte| *byte == wanted).map_or(0, |at| start.wrapping_add(at as u64).into()))
}

fn memmem(m: M<'_, '_, '_>, c: &Invocation<'_>) -> Step<u128> {
    let (start, pattern) = (c.pointer(m, 0), c.pointer(m, 2));
    let (bytes, pattern) = (m.read_bytes(start, c.size(1))?, m.read_bytes(pattern, c.size(3))?);
    Ok(position(&bytes, &pattern).map_or(0, |at| start.wrapping_add(at as u64).into()))
}

fn position(text: &[u8], pattern: &[u8]) -> Option<usize> {
    if pattern.is_empty() { Some(0) } else { text.windows(pattern.len()).position(|window| window == pattern) }
}

fn swab(m: M<'_, '_, '_>, c: &Invocation<'_>) -> Step<u128> {
    let (from, to) = (c.pointer(m, 0), c.pointer(m, 1));
    let mut bytes = m.read_bytes(from, c.integer(2).max(0) as u64 & !1)?;
    bytes.chunks_exact_mut(2).for_each(|pair| pair.swap(0, 1));
    m.write_bytes(to, &bytes)?;
    Ok(0)
}

// ---- strings ---------------------------------------------------------------------------------------------------------------------

fn strnlen(m: M<'_, '_, '_>, c: &Invocation<'_>) -> Step<u128> {
    let pointer = c.pointer(m, 0);
    Ok(string_up_to(m, pointer, c.size(1))?.len() as u128)
}

/// The destination and the length of what was copied.
fn strcpy(m: M<'_, '_, '_>, c: &Invocation<'_>) -> Step<(Pointer, u64)> {
    let (to, from) = (c.pointer(m, 0), c.pointer(m, 1));
    let text = string(m, from)?;
    apart(m, c, to, from, text.len() as u64 + 1)?;
    write_string(m, to, &text)?;
    Ok((to, text.len() as u64))
}

fn strncpy(m: M<'_, '_, '_>, c: &Invocation<'_>) -> Step<(Pointer, u64)> {
    let (to, from, size) = (c.pointer(m, 0), c.pointer(m, 1), c.size(2));
    let text = string_up_to(m, from, size)?;
    apart(m, c, to, from, (text.len() as u64 + 1).min(size))?;
    m.write_bytes(to, &text)?;
    let length = text.len() as u64;
    m.fill(to.wrapping_add(length), 0, size - length, c.span)?;
    Ok((to, length))
}

fn strcat(m: M<'_, '_, '_>, c: &Invocation<'_>, limit: u64) -> Step<u128> {
    let (to, from) = (c.pointer(m, 0), c.pointer(m, 1));
    let end = to.wrapping_add(string(m, to)?.len() as u64);
    let text = string_up_to(m, from, limit)?;
    apart(m, c, end, from, text.len() as u64 + 1)?;
    write_string(m, end, &text)?;
    Ok(to.into())
}

fn strlcpy(m: M<'_, '_, '_>, c: &Invocation<'_>) -> Step<u128> {
    let (to, text, size) = (c.pointer(m, 0), c.string(m, 1)?, c.size(2) as usize);
    if size > 0 {
        write_string(m, to, &text[..text.len().min(size - 1)])?;
    }
    Ok(text.len() as u128)
}

fn strlcat(m: M<'_, '_, '_>, c: &Invocation<'_>) -> Step<u128> {
    let (to, text, size) = (c.pointer(m, 0), c.string(m, 1)?, c.size(2));
    let length = string_up_to(m, to, size)?.len() as u64;
    if length < size {
        let room = (size - length - 1) as usize;
        write_string(m, to.wrapping_add(length), &text[..text.len().min(room)])?;
    }
    Ok(u128::from(length) + text.len() as u128)
}

fn compare(m: M<'_, '_, '_>, c: &Invocation<'_>, limit: u64, fold: fn(u8) -> u8) -> Step<u128> {
    let (a, b) = (c.pointer(m, 0), c.pointer(m, 1));
    for offset in 0..limit {
        let (x, y) = (fold(m.read_byte(a.wrapping_add(offset))?), fold(m.read_byte(b.wrapping_add(offset))?));
        if x != y {
            return Ok(minus(x, y));
        }
        if x == 0 {
            break;
        }
    }
    Ok(0)
}

fn strxfrm(m: M<'_, '_, '_>, c: &Invocation<'_>) -> Step<u128> {
    let (to, text, size) = (c.pointer(m, 0), c.string(m, 1)?, c.size(2) as usize);
    if text.len() < size {
        write_string(m, to, &text)?;
    }
    Ok(text.len() as u128)
}

/// The first byte of a string that is wanted or ends it.
fn first(m: M<'_, '_, '_>, c: &Invocation<'_>) -> Step<(Pointer, bool)> {
    let (start, wanted) = (c.pointer(m, 0), c.scalar(1) as u8);
    let mut at = start;
    loop {
        let byte = m.read_byte(at)?;
        if byte == wanted || byte == 0 {
            return Ok((at, byte == wanted));
        }
        at = at.wrapping_add(1);
    }
}

fn strchr(m: M<'_, '_, '_>, c: &Invocation<'_>) -> Step<u128> {
    let (at, found) = first(m, c)?;
    Ok(if found { at.into() } else { 0 })
}

fn strchrnul(m: M<'_, '_, '_>, c: &Invocation<'_>) -> Step<u128> {
    Ok(first(m, c)?.0.into())
}

fn strrchr(m: M<'_, '_, '_>, c: &Invocation<'_>) -> Step<u128> {
    let (start, wanted) = (c.pointer(m, 0), c.scalar(1) as u8);
    let mut text = string(m, start)?;
    text.push(0);
    Ok(text.iter().rposition(|byte| *byte == wanted).map_or(0, |at| start.wrapping_add(at as u64).into()))
}

fn strstr(m: M<'_, '_, '_>, c: &Invocation<'_>, fold: fn(&[u8]) -> Vec<u8>) -> Step<u128> {
    let (text, pattern) = (c.string(m, 0)?, c.string(m, 1)?);
    Ok(position(&fold(&text), &fold(&pattern)).map_or(0, |at| c.pointer(m, 0).wrapping_add(at as u64).into()))
}

/// How many bytes at the start are all in the set, or all outside of it.
fn span(m: M<'_, '_, '_>, c: &Invocation<'_>, inside: bool) -> Step<u64> {
    let (text, set) = (c.string(m, 0)?, c.string(m, 1)?);
    Ok(text.iter().take_while(|byte| set.contains(byte) == inside).count() as u64)
}

fn strpbrk(m: M<'_, '_, '_>, c: &Invocation<'_>) -> Step<u128> {
    let at = c.pointer(m, 0).wrapping_add(span(m, c, false)?);
    Ok(if m.read_byte(at)? == 0 { 0 } else { at.into() })
}

/// The next word from here on, and where the one after it begins (0 if there is none).
fn token(m: M<'_, '_, '_>, start: Pointer, separators: &[u8]) -> Step<(Pointer, Pointer)> {
    let text = string(m, start)?;
    let skipped = text.iter().take_while(|byte| separators.contains(byte)).count();
    let length = text[skipped..].iter().take_while(|byte| !separators.contains(byte)).count();
    if length == 0 {
        return Ok((0, start.wrapping_add(text.len() as u64)));
    }
    let (word, end) = (start.wrapping_add(skipped as u64), start.wrapping_add((skipped + length) as u64));
    if skipped + length == text.len() {
        return Ok((word, end));
    }
    m.write_bytes(end, &[0])?;
    Ok((word, end.wrapping_add(1)))
}

fn strtok(m: M<'_, '_, '_>, c: &Invocation<'_>) -> Step<u128> {
    let separators = c.string(m, 1)?;
    let start = match c.pointer(m, 0) {
        0 => m.library.strtok,
        start => start,
    };
    let (word, next) = token(m, start, &separators)?;
    m.library.strtok = next;
    Ok(word.into())
}

fn strtok_r(m: M<'_, '_, '_>, c: &Invocation<'_>) -> Step<u128> {
    let (separators, save) = (c.string(m, 1)?, c.pointer(m, 2));
    let start = match c.pointer(m, 0) {
        0 => load_pointer(m, save)?,
        start => start,
    };
    let (word, next) = token(m, start, &separators)?;
    store_pointer(m, save, next)?;
    Ok(word.into())
}

fn strsep(m: M<'_, '_, '_>, c: &Invocation<'_>) -> Step<u128> {
    let (place, separators) = (c.pointer(m, 0), c.string(m, 1)?);
    let start = load_pointer(m, place)?;
    if start == 0 {
        return Ok(0);
    }
    let text = string(m, start)?;
    let next = match text.iter().position(|byte| separators.contains(byte)) {
        Some(at) => {
            let end = start.wrapping_add(at as u64);
            m.write_bytes(end, &[0])?;
            end.wrapping_add(1)
        }
        None => 0,
    };
    store_pointer(m, place, next)?;
    Ok(start.into())
}

fn copy_of(m: M<'_, '_, '_>, c: &Invocation<'_>, limit: u64) -> Step<u128> {
    let pointer = c.pointer(m, 0);
    let text = string_up_to(m, pointer, limit)?;
    Ok(duplicate(m, &text, c.span)?.into())
}

fn ffs(_: M<'_, '_, '_>, c: &Invocation<'_>) -> Step<u128> {
    let value = c.scalar(0);
    Ok(if value == 0 { 0 } else { u128::from(value.trailing_zeros()) + 1 })
}

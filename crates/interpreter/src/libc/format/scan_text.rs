// SPDX-License-Identifier: MIT OR Apache-2.0
//! How scanf collects the text of a number: byte by byte, as far as a number could reach, within the field's width.

use super::scan::{Scanner, Session};
use crate::libc::number::{self, Integer};

/// Counts a field's bytes down.
struct Budget(Option<usize>);

impl Budget {
    fn left(&self) -> bool {
        self.0 != Some(0)
    }
    fn spend(&mut self) {
        if let Some(n) = &mut self.0 {
            *n = n.saturating_sub(1);
        }
    }
}

/// Reads an integer. Fails with `true` at the end of input and `false` where no number stands.
pub fn read_integer<S: Session>(
    input: &mut Scanner<'_, S>,
    base: u32,
    width: Option<usize>,
    pointer: bool,
) -> Result<Integer, bool> {
    let mut text = Vec::new();
    let mut budget = Budget(width);
    let mut base = base;
    let mut c = input.next();
    if c.is_none() {
        return Err(true);
    }
    if let Some(sign @ (b'-' | b'+')) = c {
        text.push(sign);
        budget.spend();
        c = input.next();
    }
    let signs = text.len();
    if budget.left() && c == Some(b'0') {
        budget.spend();
        text.push(b'0');
        c = input.next();
        if budget.left() && matches!(c, Some(b'x' | b'X')) {
            base = if base == 0 { 16 } else { base };
            if base == 16 {
                budget.spend();
                c = input.next();
            }
        } else if base == 0 {
            base = 8;
        }
    }
    if base == 0 {
        base = 10;
    }
    while budget.left()
        && let Some(digit) = c.filter(|b| (*b as char).is_digit(base))
    {
        text.push(digit);
        budget.spend();
        c = input.next();
    }
    if text.len() > signs {
        input.unread(c);
        return Ok(number::integer(&text, base));
    }
    if pointer && signs == 0 && c == Some(b'(') && b"nil)".iter().all(|b| input.next() == Some(*b)) {
        return Ok(Integer { used: 5, negative: false, magnitude: Some(0) });
    }
    input.unread(c);
    Err(false)
}

/// What the input holds where a float is wanted.
pub enum FloatReader {
    /// Nothing: the input ended.
    End,
    /// Something else.
    Mismatch,
    /// Text that starts like a float.
    Text(Vec<u8>),
}

/// Collects the text of a float.
pub fn read_float<S: Session>(input: &mut Scanner<'_, S>, width: Option<usize>) -> FloatReader {
    let mut budget = Budget(width);
    let mut text = Vec::new();
    let Some(mut c) = input.next() else { return FloatReader::End };
    budget.spend();
    if matches!(c, b'-' | b'+') {
        text.push(c);
        let Some(next) = take(input, &mut budget) else { return FloatReader::Mismatch };
        c = next;
    }
    let signs = text.len();
    match c {
        b'n' | b'N' => return read_word(input, &mut budget, text, c, b"nan"),
        b'i' | b'I' => return read_infinity(input, &mut budget, text, c),
        _ => {}
    }
    if !read_float_digits(input, &mut budget, &mut text, c) || text.len() == signs {
        return FloatReader::Mismatch;
    }
    FloatReader::Text(text)
}

/// The next byte, if the field has room for it.
fn take<S: Session>(input: &mut Scanner<'_, S>, budget: &mut Budget) -> Option<u8> {
    if !budget.left() {
        return None;
    }
    let byte = input.next()?;
    budget.spend();
    Some(byte)
}

/// Digits, point and exponent from `c` on. False if only `0x` was there.
fn read_float_digits<S: Session>(
    input: &mut Scanner<'_, S>,
    budget: &mut Budget,
    text: &mut Vec<u8>,
    c: u8,
) -> bool {
    let mut c = c;
    let (mut got_digit, mut got_dot, mut got_e, mut hex) = (false, false, false, false);
    let mut prefix_end = 0;
    if c == b'0' {
        text.push(c);
        got_digit = true;
        let Some(next) = take(input, budget) else { return true };
        c = next;
        // An x that uses up the field cannot be followed by a digit: it is not taken.
        if budget.left() && matches!(c, b'x' | b'X') {
            text.push(c);
            (hex, got_digit) = (true, false);
            prefix_end = text.len();
            let Some(next) = take(input, budget) else { return false };
            c = next;
        }
    }
    let exponent = if hex { b'p' } else { b'e' };
    loop {
        let after_exponent = got_e && text.last() == Some(&exponent);
        if c.is_ascii_digit() || (!got_e && hex && c.is_ascii_hexdigit()) {
            got_digit = true;
            text.push(c);
        } else if after_exponent && matches!(c, b'-' | b'+') {
            text.push(c);
        } else if got_digit && !got_e && c.eq_ignore_ascii_case(&exponent) {
            text.push(exponent);
            (got_e, got_dot) = (true, true);
        } else if c == b'.' && !got_dot {
            got_dot = true;
            text.push(c);
        } else {
            input.unread(Some(c));
            break;
        }
        match take(input, budget) {
            Some(next) => c = next,
            None => break,
        }
    }
    !hex || text.len() > prefix_end
}

fn read_word<S: Session>(
    input: &mut Scanner<'_, S>,
    budget: &mut Budget,
    mut text: Vec<u8>,
    first: u8,
    word: &[u8],
) -> FloatReader {
    text.push(first);
    for wanted in &word[1..] {
        match take(input, budget) {
            Some(byte) if byte.eq_ignore_ascii_case(wanted) => text.push(byte),
            other => {
                input.unread(other);
                return FloatReader::Mismatch;
            }
        }
    }
    FloatReader::Text(text)
}

fn read_infinity<S: Session>(
    input: &mut Scanner<'_, S>,
    budget: &mut Budget,
    text: Vec<u8>,
    first: u8,
) -> FloatReader {
    let short = match read_word(input, budget, text, first, b"inf") {
        FloatReader::Text(short) => short,
        other => return other,
    };
    match take(input, budget) {
        Some(byte @ (b'i' | b'I')) => read_word(input, budget, short, byte, b"inity"),
        other => {
            input.unread(other);
            FloatReader::Text(short)
        }
    }
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! The scanf engine: bytes in, values out, as glibc reads them in the C locale.

use clew_base::float::text::parse_prefix;
use clew_base::float::{Format, Rounding};

use super::directive::{BadFormat, Cursor, Length};
use super::scan_text::{FloatReader, read_float, read_integer};
use crate::libc::number::is_space;

/// Where bytes come from. One byte can be put back.
pub trait ByteSource {
    /// The next byte, or none at the end.
    fn next(&mut self) -> Option<u8>;
    /// Puts the last byte back.
    fn unread(&mut self, byte: u8);
}

/// Where values go.
pub trait Targets {
    /// Why the program stops here.
    type Error: From<ScanError>;

    /// Selects the argument for the next store: the next one, or that of `position`.
    fn select(&mut self, position: Option<usize>, directive: &[u8]) -> Result<(), Self::Error>;
    /// Bits of `long`.
    fn long_bits(&self) -> u32;
    /// Stores an integer of this many bits.
    fn store_int(&mut self, bits: u32, value: u64) -> Result<(), Self::Error>;
    /// Stores the float that `strtod` and its kin read from the text; says whether there was one.
    fn store_float(&mut self, length: Length, text: &[u8]) -> Result<bool, Self::Error>;
    /// Stores a pointer read as a number.
    fn store_pointer(&mut self, address: u64) -> Result<(), Self::Error>;
    /// Stores characters, with a NUL if `terminated`, as `wchar_t` if `wide`, into memory of its own if `allocate`.
    fn store_text(&mut self, text: &[u8], shape: TextShape) -> Result<(), Self::Error>;
}

/// How characters are stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TextShape {
    /// A NUL follows.
    pub terminated: bool,
    /// Characters are `wchar_t`.
    pub wide: bool,
    /// The argument points to a pointer that receives fresh memory (`%ms`).
    pub allocate: bool,
}

/// What stops scanning as a fault of the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ScanError {
    /// The format has no meaning; at which byte.
    BadFormat(BadFormat, usize),
}

/// Why scanning ends.
enum Stop<E> {
    /// The input ended before the directive was served.
    Input,
    /// The input does not match.
    Mismatch,
    /// The program is at fault.
    Fault(E),
}

impl<E> From<E> for Stop<E> {
    fn from(error: E) -> Self {
        Stop::Fault(error)
    }
}

/// Where bytes come from and values go: one thing, since both are the program's world.
pub trait Session: ByteSource + Targets {}

impl<T: ByteSource + Targets> Session for T {}

/// A session and how many bytes it has taken, for `%n`.
pub struct Scanner<'a, S> {
    session: &'a mut S,
    count: u64,
}

impl<S: Session> Scanner<'_, S> {
    /// The next byte, or none at the end.
    pub fn next(&mut self) -> Option<u8> {
        let byte = self.session.next();
        self.count += u64::from(byte.is_some());
        byte
    }

    /// Puts the last byte back, if there was one.
    pub fn unread(&mut self, byte: Option<u8>) {
        if let Some(byte) = byte {
            self.session.unread(byte);
            self.count -= 1;
        }
    }

    fn skip_space(&mut self) {
        loop {
            let byte = self.next();
            if !byte.is_some_and(is_space) {
                return self.unread(byte);
            }
        }
    }
}

/// A scanf directive.
struct Directive<'a> {
    text: &'a [u8],
    position: Option<usize>,
    suppress: bool,
    allocate: bool,
    width: Option<usize>,
    length: Length,
    conversion: u8,
    /// For `%[`: which bytes belong.
    set: Option<Box<[bool; 256]>>,
}

/// Reads values; returns what scanf returns (-1 for `EOF`).
pub fn scan<S: Session>(format: &[u8], session: &mut S) -> Result<i32, S::Error> {
    let mut scanner = Scanner { session, count: 0 };
    let mut done = 0;
    match scan_all(format, &mut scanner, &mut done) {
        Ok(()) | Err(Stop::Mismatch) => Ok(done),
        Err(Stop::Input) => Ok(if done == 0 { -1 } else { done }),
        Err(Stop::Fault(error)) => Err(error),
    }
}

fn scan_all<S: Session>(
    format: &[u8],
    scanner: &mut Scanner<'_, S>,
    done: &mut i32,
) -> Result<(), Stop<S::Error>> {
    let mut at = 0;
    while let Some(byte) = format.get(at).copied() {
        if is_space(byte) {
            scanner.skip_space();
            at += 1;
        } else if byte != b'%' {
            match_byte(scanner, byte)?;
            at += 1;
        } else {
            let bad = |error| Stop::Fault(ScanError::BadFormat(error, at).into());
            let (directive, end) = parse(format, at).map_err(bad)?;
            at = end;
            scan_one(&directive, scanner, done)?;
        }
    }
    Ok(())
}

fn match_byte<S: Session>(scanner: &mut Scanner<'_, S>, wanted: u8) -> Result<(), Stop<S::Error>> {
    match scanner.next() {
        None => Err(Stop::Input),
        Some(byte) if byte == wanted => Ok(()),
        other => {
            scanner.unread(other);
            Err(Stop::Mismatch)
        }
    }
}

fn parse(format: &[u8], start: usize) -> Result<(Directive<'_>, usize), BadFormat> {
    let mut cursor = Cursor::new(format, start + 1);
    let position = cursor.position()?;
    let (mut suppress, mut allocate) = (false, false);
    loop {
        if cursor.eat(b'*') {
            suppress = true;
        } else if !cursor.eat(b'\'') && !cursor.eat(b'I') {
            break;
        }
    }
    // A width of zero is as good as none.
    let width = cursor.number()?.filter(|w| *w > 0);
    if cursor.eat(b'm') {
        allocate = true;
    }
    let length = cursor.length();
    let conversion = cursor.peek().ok_or(BadFormat::Truncated)?;
    cursor.at += 1;
    if !b"diouxXcspneEfFgGaA%[CS".contains(&conversion) {
        return Err(BadFormat::UnknownConversion(conversion));
    }
    let set = if conversion == b'[' { Some(parse_set(&mut cursor)?) } else { None };
    let text = &format[start..cursor.at];
    Ok((Directive { text, position, suppress, allocate, width, length, conversion, set }, cursor.at))
}

fn parse_set(cursor: &mut Cursor<'_>) -> Result<Box<[bool; 256]>, BadFormat> {
    let negated = cursor.eat(b'^');
    let mut set = Box::new([negated; 256]);
    let mut first = true;
    let mut last: Option<u8> = None;
    loop {
        let byte = cursor.peek().ok_or(BadFormat::Truncated)?;
        cursor.at += 1;
        match byte {
            b']' if !first => return Ok(set),
            b'-' if last.is_some() && !matches!(cursor.peek(), None | Some(b']')) => {
                let end = cursor.peek().ok_or(BadFormat::Truncated)?;
                cursor.at += 1;
                for member in last.unwrap_or(end)..=end {
                    set[usize::from(member)] = !negated;
                }
                last = Some(end);
            }
            byte => {
                set[usize::from(byte)] = !negated;
                last = Some(byte);
            }
        }
        first = false;
    }
}

fn scan_one<S: Session>(
    d: &Directive<'_>,
    scanner: &mut Scanner<'_, S>,
    done: &mut i32,
) -> Result<(), Stop<S::Error>> {
    if !matches!(d.conversion, b'c' | b'C' | b'[' | b'n') {
        scanner.skip_space();
    }
    if d.conversion == b'%' {
        return match_byte(scanner, b'%');
    }
    if !d.suppress {
        scanner.session.select(d.position, d.text)?;
    }
    match d.conversion {
        b'n' => {
            // %n is no conversion: it does not count.
            if !d.suppress {
                let (count, long) = (scanner.count, scanner.session.long_bits());
                scanner.session.store_int(d.length.int_bits(long), count)?;
            }
            return Ok(());
        }
        b'd' | b'i' | b'o' | b'u' | b'x' | b'X' | b'p' => scan_integer(d, scanner)?,
        b'c' | b'C' => scan_chars(d, scanner)?,
        b's' | b'S' => scan_text(d, scanner, |b| !is_space(b))?,
        b'[' => {
            let set = d.set.as_deref();
            scan_text(d, scanner, |b| set.is_some_and(|s| s[usize::from(b)]))?;
        }
        _ => scan_float(d, scanner)?,
    }
    if !d.suppress {
        *done += 1;
    }
    Ok(())
}

fn scan_integer<S: Session>(d: &Directive<'_>, scanner: &mut Scanner<'_, S>) -> Result<(), Stop<S::Error>> {
    let base = match d.conversion {
        b'i' => 0,
        b'o' => 8,
        b'x' | b'X' | b'p' => 16,
        _ => 10,
    };
    let signed = matches!(d.conversion, b'd' | b'i');
    let pointer = d.conversion == b'p';
    let number = match read_integer(scanner, base, d.width, pointer) {
        Ok(number) => number,
        Err(at_end) => return Err(if at_end { Stop::Input } else { Stop::Mismatch }),
    };
    if d.suppress {
        return Ok(());
    }
    let value = if signed { number.signed().0 as u64 } else { number.unsigned().0 };
    if pointer {
        scanner.session.store_pointer(value)?;
    } else {
        let long = scanner.session.long_bits();
        scanner.session.store_int(d.length.int_bits(long), value)?;
    }
    Ok(())
}

fn scan_float<S: Session>(d: &Directive<'_>, scanner: &mut Scanner<'_, S>) -> Result<(), Stop<S::Error>> {
    match read_float(scanner, d.width) {
        FloatReader::End => Err(Stop::Input),
        FloatReader::Mismatch => Err(Stop::Mismatch),
        FloatReader::Text(text) => {
            if d.suppress {
                let number = parse_prefix(&text, Format::F64, Rounding::NearestEven);
                return number.map(drop).ok_or(Stop::Mismatch);
            }
            if scanner.session.store_float(d.length, &text)? { Ok(()) } else { Err(Stop::Mismatch) }
        }
    }
}

fn text_shape(d: &Directive<'_>, terminated: bool) -> TextShape {
    let wide = d.length == Length::Long || matches!(d.conversion, b'C' | b'S');
    TextShape { terminated, wide, allocate: d.allocate }
}

fn scan_chars<S: Session>(d: &Directive<'_>, scanner: &mut Scanner<'_, S>) -> Result<(), Stop<S::Error>> {
    let wanted = d.width.unwrap_or(1);
    let mut text = Vec::new();
    while text.len() < wanted {
        match scanner.next() {
            Some(byte) => text.push(byte),
            None if text.is_empty() => return Err(Stop::Input),
            None => break,
        }
    }
    if !d.suppress {
        scanner.session.store_text(&text, text_shape(d, false))?;
    }
    Ok(())
}

fn scan_text<S: Session>(
    d: &Directive<'_>,
    scanner: &mut Scanner<'_, S>,
    belongs: impl Fn(u8) -> bool,
) -> Result<(), Stop<S::Error>> {
    let mut text = Vec::new();
    let limit = d.width.unwrap_or(usize::MAX);
    while text.len() < limit {
        match scanner.next() {
            Some(byte) if belongs(byte) => text.push(byte),
            None if text.is_empty() => return Err(Stop::Input),
            other => {
                scanner.unread(other);
                break;
            }
        }
    }
    if text.is_empty() {
        return Err(Stop::Mismatch);
    }
    if !d.suppress {
        scanner.session.store_text(&text, text_shape(d, true))?;
    }
    Ok(())
}

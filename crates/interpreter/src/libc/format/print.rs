// SPDX-License-Identifier: MIT OR Apache-2.0
//! The printf engine: a format and a source of arguments in, bytes out, as glibc prints them in the C locale.

use clew_base::float::Float;

use super::directive::{Amount, BadFormat, Directive, Flags, Length};
use super::float;

/// What kind of argument a directive takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ArgKind {
    /// An integer of this many bits (after promotion: 32 or 64).
    Int {
        /// Bits as passed.
        bits: u32,
        /// Whether the directive reads it as signed.
        signed: bool,
    },
    /// A `double`.
    Double,
    /// A `long double`.
    LongDouble,
    /// A pointer to a string of `char`.
    String,
    /// A pointer to a string of `wchar_t`.
    WideString,
    /// A pointer of any type, for `%p`.
    Address,
    /// A pointer to an integer of this many bits, for `%n`.
    Count {
        /// Bits of the integer pointed to.
        bits: u32,
    },
}

/// An argument as the source hands it over.
#[derive(Clone, Copy, Debug)]
pub enum Argument<P> {
    /// An integer, sign- or zero-extended as asked.
    Int(i128),
    /// A float.
    Float(Float),
    /// A pointer.
    Pointer(P),
}

/// Where arguments come from and what they point to.
pub trait ArgSource {
    /// A pointer of the program.
    type Pointer: Copy;
    /// Why the program stops here.
    type Error: From<PrintError>;

    /// The next argument. `directive` is the text that asks for it.
    fn next(&mut self, kind: ArgKind, directive: Text<'_>) -> Result<Argument<Self::Pointer>, Self::Error>;
    /// Bits of `long`.
    fn long_bits(&self) -> u32;
    /// At most `limit` bytes of a string, without its NUL. `None` if the pointer is null and that is tolerated.
    fn string(
        &mut self,
        pointer: Self::Pointer,
        limit: Option<usize>,
        directive: Text<'_>,
    ) -> Result<Option<Vec<u8>>, Self::Error>;
    /// The characters of a wide string, without its NUL; reading may stop after `limit` of them.
    fn wide_string(
        &mut self,
        pointer: Self::Pointer,
        limit: Option<usize>,
        directive: Text<'_>,
    ) -> Result<Option<Vec<u32>>, Self::Error>;
    /// The number `%p` prints.
    fn address(&self, pointer: Self::Pointer) -> u64;
    /// Stores the number of bytes printed so far, for `%n`.
    fn store_count(
        &mut self,
        pointer: Self::Pointer,
        bits: u32,
        count: usize,
        directive: Text<'_>,
    ) -> Result<(), Self::Error>;
    /// The message that `%m` prints.
    fn error_message(&mut self) -> String;
}

/// The text of a directive inside its format, for messages.
pub type Text<'a> = &'a [u8];

/// What stops printing without a fault of the machine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PrintError {
    /// The format has no meaning; at which byte.
    BadFormat(BadFormat, usize),
    /// A wide character that the C locale cannot print (`EILSEQ`).
    IllegalSequence,
    /// More than `INT_MAX` bytes (`EOVERFLOW`).
    TooLong,
    /// A field of so many bytes, which is not printed.
    FieldTooWide(usize),
}

/// A wider field would be a quarter of a gigabyte of padding: said to be unsupported rather than made.
const WIDEST_FIELD: usize = 1 << 28;

type Fetched<S> = Argument<<S as ArgSource>::Pointer>;

/// Appends what the format and its arguments print to `out`.
pub fn format<S: ArgSource>(format: &[u8], source: &mut S, out: &mut Vec<u8>) -> Result<(), S::Error> {
    let pieces = Pieces { format, at: 0 };
    if uses_positions(format) {
        return format_positioned(format, source, out);
    }
    let start = out.len();
    for piece in pieces {
        match piece.map_err(S::Error::from)? {
            Piece::Text(text) => out.extend_from_slice(text),
            Piece::Directive(d) => {
                let text = &format[d.text.0..d.text.1];
                let mut printer = Printer { source: &mut *source, out: &mut *out, start, directive: d, text };
                let width = printer.next_amount(d.width)?;
                let precision = printer.next_amount(d.precision)?;
                let argument = match argument_kind(&d, printer.source.long_bits()) {
                    Some(kind) => Some(printer.source.next(kind, text)?),
                    None => None,
                };
                printer.print(width, precision, argument)?;
            }
        }
        if out.len() - start > i32::MAX as usize {
            return Err(PrintError::TooLong.into());
        }
    }
    Ok(())
}

enum Piece<'a> {
    Text(&'a [u8]),
    Directive(Directive),
}

struct Pieces<'a> {
    format: &'a [u8],
    at: usize,
}

impl<'a> Iterator for Pieces<'a> {
    type Item = Result<Piece<'a>, PrintError>;

    fn next(&mut self) -> Option<Self::Item> {
        let rest = self.format.get(self.at..).filter(|rest| !rest.is_empty())?;
        let start = self.at;
        if rest[0] != b'%' {
            let length = rest.iter().position(|b| *b == b'%').unwrap_or(rest.len());
            self.at += length;
            return Some(Ok(Piece::Text(&rest[..length])));
        }
        match Directive::parse(self.format, start) {
            Ok(directive) => {
                self.at = directive.text.1;
                Some(Ok(Piece::Directive(directive)))
            }
            Err(error) => {
                self.at = self.format.len();
                Some(Err(PrintError::BadFormat(error, start)))
            }
        }
    }
}

fn uses_positions(format: &[u8]) -> bool {
    format.contains(&b'$')
        && Pieces { format, at: 0 }
            .any(|piece| matches!(piece, Ok(Piece::Directive(Directive { position: Some(_), .. }))))
}

/// The argument that a directive takes itself, beside width and precision.
fn argument_kind(d: &Directive, long: u32) -> Option<ArgKind> {
    let int = |signed| {
        let bits = d.length.int_bits(long).max(32);
        Some(ArgKind::Int { bits, signed })
    };
    match d.conversion {
        b'd' | b'i' => int(true),
        b'o' | b'u' | b'x' | b'X' => int(false),
        b'c' | b'C' => Some(ArgKind::Int { bits: 32, signed: true }),
        b's' if d.length == Length::Long => Some(ArgKind::WideString),
        b'S' => Some(ArgKind::WideString),
        b's' => Some(ArgKind::String),
        b'p' => Some(ArgKind::Address),
        b'n' => Some(ArgKind::Count { bits: d.length.int_bits(long) }),
        b'%' | b'm' => None,
        _ if d.length == Length::LongDouble => Some(ArgKind::LongDouble),
        _ => Some(ArgKind::Double),
    }
}

const STAR: ArgKind = ArgKind::Int { bits: 32, signed: true };

/// The way of formats with `%1$d`: all arguments are fetched in their order first.
fn format_positioned<S: ArgSource>(format: &[u8], source: &mut S, out: &mut Vec<u8>) -> Result<(), S::Error> {
    let start = out.len();
    let mut kinds: Vec<Option<(ArgKind, (usize, usize))>> = Vec::new();
    let mut wants = |position: usize, kind: ArgKind, text: (usize, usize)| {
        if kinds.len() < position {
            kinds.resize(position, None);
        }
        kinds[position - 1] = Some((kind, text));
    };
    for piece in (Pieces { format, at: 0 }) {
        let Piece::Directive(d) = piece.map_err(S::Error::from)? else { continue };
        for amount in [d.width, d.precision] {
            match amount {
                Amount::Position(position) => wants(position, STAR, d.text),
                Amount::Next => return Err(mixed(&d).into()),
                Amount::None | Amount::Fixed(_) => {}
            }
        }
        match (argument_kind(&d, source.long_bits()), d.position) {
            (Some(kind), Some(position)) => wants(position, kind, d.text),
            (Some(_), None) => return Err(mixed(&d).into()),
            (None, _) => {}
        }
    }
    let mut arguments: Vec<Fetched<S>> = Vec::new();
    for kind in kinds {
        // glibc skips an argument that no directive names as an `int`.
        let (kind, text) = kind.unwrap_or((STAR, (0, 0)));
        arguments.push(source.next(kind, &format[text.0..text.1])?);
    }
    for piece in (Pieces { format, at: 0 }) {
        match piece.map_err(S::Error::from)? {
            Piece::Text(text) => out.extend_from_slice(text),
            Piece::Directive(d) => {
                let text = &format[d.text.0..d.text.1];
                let amount = |amount: Amount| match amount {
                    Amount::Position(n) => int_of::<S>(arguments.get(n - 1)),
                    Amount::Fixed(n) => Some(n as i64),
                    Amount::None | Amount::Next => None,
                };
                let (width, precision) = (amount(d.width), amount(d.precision));
                let argument = d.position.and_then(|n| arguments.get(n - 1).copied());
                let mut printer = Printer { source: &mut *source, out: &mut *out, start, directive: d, text };
                printer.print(width, precision, argument)?;
            }
        }
    }
    Ok(())
}

fn mixed(d: &Directive) -> PrintError {
    PrintError::BadFormat(BadFormat::MixedPositions, d.text.0)
}

fn int_of<S: ArgSource>(argument: Option<&Fetched<S>>) -> Option<i64> {
    match argument {
        Some(Argument::Int(value)) => Some(*value as i64),
        _ => None,
    }
}

/// One directive on its way out.
struct Printer<'a, S: ArgSource> {
    source: &'a mut S,
    out: &'a mut Vec<u8>,
    /// Where this call's output starts in `out`.
    start: usize,
    directive: Directive,
    text: &'a [u8],
}

/// Flags, width and precision after `*` has been resolved.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// The flags; a negative width sets `left`.
    pub flags: Flags,
    /// Least number of bytes.
    pub width: usize,
    /// Precision, if given and not negative.
    pub precision: Option<usize>,
}

impl<S: ArgSource> Printer<'_, S> {
    fn next_amount(&mut self, amount: Amount) -> Result<Option<i64>, S::Error> {
        match amount {
            Amount::None => Ok(None),
            Amount::Fixed(n) => Ok(Some(n as i64)),
            Amount::Next => match self.source.next(STAR, self.text)? {
                Argument::Int(value) => Ok(Some(value as i64)),
                _ => Ok(None),
            },
            Amount::Position(_) => {
                Err(PrintError::BadFormat(BadFormat::MixedPositions, self.directive.text.0).into())
            }
        }
    }

    fn print(
        &mut self,
        width: Option<i64>,
        precision: Option<i64>,
        argument: Option<Fetched<S>>,
    ) -> Result<(), S::Error> {
        let d = self.directive;
        let mut flags = d.flags;
        let width = width.unwrap_or(0);
        flags.left |= width < 0;
        let field = Field {
            flags,
            width: width.unsigned_abs() as usize,
            precision: precision.and_then(|p| usize::try_from(p).ok()),
        };
        let asked = field.width.max(field.precision.unwrap_or(0));
        if asked >= i32::MAX as usize {
            return Err(PrintError::TooLong.into());
        }
        if asked > WIDEST_FIELD {
            return Err(PrintError::FieldTooWide(asked).into());
        }
        match argument {
            None if d.conversion == b'm' => {
                let message = self.source.error_message();
                self.print_string(field, message.as_bytes());
            }
            None => self.out.push(b'%'),
            Some(Argument::Int(value)) if matches!(d.conversion, b'c' | b'C') => {
                self.print_char(field, value)?;
            }
            Some(Argument::Int(value)) => self.print_int(field, value),
            Some(Argument::Float(value)) => float::print(self.out, field, d.conversion, value),
            Some(Argument::Pointer(pointer)) => self.print_pointer(field, pointer)?,
        }
        Ok(())
    }

    fn print_char(&mut self, field: Field, value: i128) -> Result<(), S::Error> {
        let wide = self.directive.conversion == b'C' || self.directive.length == Length::Long;
        if wide && !(0..=127).contains(&value) {
            return Err(PrintError::IllegalSequence.into());
        }
        pad(self.out, field, &[], &[value as u8]);
        Ok(())
    }

    /// `%s` and what prints like it: cut at the precision, padded with blanks whatever the flags.
    fn print_string(&mut self, field: Field, text: &[u8]) {
        let shown = field.precision.map_or(text, |p| &text[..p.min(text.len())]);
        pad(self.out, field, &[], shown);
    }

    fn print_int(&mut self, field: Field, value: i128) {
        let d = self.directive;
        let bits = d.length.int_bits(self.source.long_bits());
        if matches!(d.conversion, b'd' | b'i') {
            let shift = 128 - bits;
            let value = (value << shift) >> shift;
            print_decimal(self.out, field, value < 0, value.unsigned_abs());
        } else {
            let mask = if bits == 64 { u64::MAX } else { (1 << bits) - 1 };
            print_unsigned(self.out, field, d.conversion, value as u64 & mask);
        }
    }

    fn print_pointer(&mut self, field: Field, pointer: S::Pointer) -> Result<(), S::Error> {
        match argument_kind(&self.directive, self.source.long_bits()) {
            Some(ArgKind::String) => {
                match self.source.string(pointer, field.precision, self.text)? {
                    Some(text) => self.print_string(field, &text),
                    // glibc prints "(null)" only where all of it fits.
                    None if field.precision.is_none_or(|p| p >= 6) => self.print_string(field, b"(null)"),
                    None => self.print_string(field, b""),
                }
            }
            Some(ArgKind::WideString) => {
                let wide = self.source.wide_string(pointer, field.precision, self.text)?;
                let wide = wide.unwrap_or_else(|| b"(null)".iter().map(|b| u32::from(*b)).collect());
                let shown = field.precision.map_or(&wide[..], |p| &wide[..p.min(wide.len())]);
                if shown.iter().any(|c| *c > 127) {
                    return Err(PrintError::IllegalSequence.into());
                }
                let narrow: Vec<u8> = shown.iter().map(|c| *c as u8).collect();
                self.print_string(field, &narrow);
            }
            Some(ArgKind::Count { bits }) => {
                let count = self.out.len() - self.start;
                self.source.store_count(pointer, bits, count, self.text)?;
            }
            _ => match self.source.address(pointer) {
                0 => self.print_string(Field { precision: None, ..field }, b"(nil)"),
                address => {
                    let flags = Flags { alternate: true, ..field.flags };
                    let sign = sign_text(field.flags, false);
                    print_radix(self.out, Field { flags, ..field }, sign, b'x', address);
                }
            },
        }
        Ok(())
    }
}

/// The sign that a signed conversion prints.
pub fn sign_text(flags: Flags, negative: bool) -> &'static [u8] {
    match (negative, flags.plus, flags.space) {
        (true, _, _) => b"-",
        (false, true, _) => b"+",
        (false, false, true) => b" ",
        (false, false, false) => b"",
    }
}

/// Writes `prefix` and `body` in the field, padded with blanks.
pub fn pad(out: &mut Vec<u8>, field: Field, prefix: &[u8], body: &[u8]) {
    let blanks = field.width.saturating_sub(prefix.len() + body.len());
    if !field.flags.left {
        out.resize(out.len() + blanks, b' ');
    }
    out.extend_from_slice(prefix);
    out.extend_from_slice(body);
    if field.flags.left {
        out.resize(out.len() + blanks, b' ');
    }
}

/// Writes `prefix` and `body` in the field, with zeros between them if the flags ask for it.
pub fn pad_number(out: &mut Vec<u8>, field: Field, prefix: &[u8], body: &[u8]) {
    if !field.flags.zero || field.flags.left {
        return pad(out, field, prefix, body);
    }
    let zeros = field.width.saturating_sub(prefix.len() + body.len());
    out.extend_from_slice(prefix);
    out.resize(out.len() + zeros, b'0');
    out.extend_from_slice(body);
}

fn print_decimal(out: &mut Vec<u8>, field: Field, negative: bool, magnitude: u128) {
    print_digits(out, field, sign_text(field.flags, negative), &mut decimal_digits(magnitude as u64));
}

fn print_unsigned(out: &mut Vec<u8>, field: Field, conversion: u8, value: u64) {
    if conversion == b'u' {
        print_digits(out, field, b"", &mut decimal_digits(value));
    } else {
        print_radix(out, field, b"", conversion, value);
    }
}

fn print_radix(out: &mut Vec<u8>, field: Field, sign: &[u8], conversion: u8, value: u64) {
    let mut digits = match conversion {
        b'o' => format!("{value:o}"),
        b'X' => format!("{value:X}"),
        _ => format!("{value:x}"),
    }
    .into_bytes();
    let mut prefix = sign.to_vec();
    if field.flags.alternate {
        match conversion {
            // Octal grows a zero unless it has one already (also by its precision).
            b'o' if value != 0 && field.precision.is_none_or(|p| p <= digits.len()) => digits.insert(0, b'0'),
            b'o' if value == 0 && field.precision == Some(0) => {
                return pad(out, field, &prefix, b"0");
            }
            b'x' if value != 0 => prefix.extend_from_slice(b"0x"),
            b'X' if value != 0 => prefix.extend_from_slice(b"0X"),
            _ => {}
        }
    }
    print_digits(out, field, &prefix, &mut digits);
}

fn decimal_digits(value: u64) -> Vec<u8> {
    value.to_string().into_bytes()
}

/// Applies an integer's precision: it asks for leading zeros, switches the flag `0` off, and prints nothing for zero in
/// zero digits.
fn print_digits(out: &mut Vec<u8>, mut field: Field, prefix: &[u8], digits: &mut Vec<u8>) {
    if let Some(precision) = field.precision {
        field.flags.zero = false;
        if precision == 0 && digits == b"0" {
            digits.clear();
        }
        let missing = precision.saturating_sub(digits.len());
        digits.splice(0..0, std::iter::repeat_n(b'0', missing));
    }
    pad_number(out, field, prefix, digits);
}

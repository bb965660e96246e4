// SPDX-License-Identifier: MIT OR Apache-2.0
//! The grammar of printf and scanf directives, as glibc reads them.

use std::fmt;

/// The length modifier of a directive.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Length {
    /// None.
    None,
    /// `hh`
    Char,
    /// `h`
    Short,
    /// `l`
    Long,
    /// `ll`, `q`, or `L` before an integer conversion
    LongLong,
    /// `L` before a float conversion
    LongDouble,
    /// `j`
    IntMax,
    /// `z`, `Z`
    Size,
    /// `t`
    PtrDiff,
}

impl Length {
    /// Bits of the integer that the directive speaks of, before promotion, where `long` has so many.
    pub const fn int_bits(self, long: u32) -> u32 {
        match self {
            Length::None => 32,
            Length::Char => 8,
            Length::Short => 16,
            Length::Long | Length::Size | Length::PtrDiff => long,
            Length::LongLong | Length::LongDouble | Length::IntMax => 64,
        }
    }
}

/// A number in a directive: absent, written, or taken from an argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Amount {
    /// Not given.
    None,
    /// Written in the format.
    Fixed(usize),
    /// `*`
    Next,
    /// `*3$`, counted from one
    Position(usize),
}

/// The flags of a printf directive.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Flags {
    /// `-`
    pub left: bool,
    /// `+`
    pub plus: bool,
    /// space
    pub space: bool,
    /// `#`
    pub alternate: bool,
    /// `0`
    pub zero: bool,
}

/// One printf directive.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Directive {
    /// Where it stands in the format: first byte and one past the last.
    pub text: (usize, usize),
    /// Position of its argument (`%2$d`), counted from one.
    pub position: Option<usize>,
    /// Flags.
    pub flags: Flags,
    /// Field width.
    pub width: Amount,
    /// Precision.
    pub precision: Amount,
    /// Length modifier.
    pub length: Length,
    /// Conversion character.
    pub conversion: u8,
}

/// A format that the C standard gives no meaning.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BadFormat {
    /// The format ends inside a directive.
    Truncated,
    /// The conversion character is none.
    UnknownConversion(u8),
    /// A written number is beyond `INT_MAX`.
    NumberTooLarge,
    /// `%1$d` and `%d` in one format.
    MixedPositions,
    /// A length modifier that does not go with the conversion.
    LengthMismatch(u8),
}

impl fmt::Display for BadFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BadFormat::Truncated => f.write_str("the format ends inside a directive"),
            BadFormat::UnknownConversion(c) => {
                write!(f, "`{}` is no conversion", c.escape_ascii())
            }
            BadFormat::NumberTooLarge => f.write_str("a width or precision exceeds INT_MAX"),
            BadFormat::MixedPositions => f.write_str("numbered and unnumbered arguments are mixed"),
            BadFormat::LengthMismatch(c) => {
                write!(f, "the length modifier does not go with `{}`", c.escape_ascii())
            }
        }
    }
}

/// Reads bytes of a format in order.
#[derive(Clone, Copy)]
pub struct Cursor<'a> {
    format: &'a [u8],
    /// The next byte.
    pub at: usize,
}

impl<'a> Cursor<'a> {
    /// A cursor at `at`.
    pub fn new(format: &'a [u8], at: usize) -> Self {
        Cursor { format, at }
    }

    /// The next byte, if any.
    pub fn peek(&self) -> Option<u8> {
        self.format.get(self.at).copied()
    }

    /// Takes the next byte if it is `byte`.
    pub fn eat(&mut self, byte: u8) -> bool {
        let hit = self.peek() == Some(byte);
        self.at += usize::from(hit);
        hit
    }

    /// Takes a decimal number; none if there is no digit.
    pub fn number(&mut self) -> Result<Option<usize>, BadFormat> {
        let start = self.at;
        let mut value = 0usize;
        while let Some(digit @ b'0'..=b'9') = self.peek() {
            value = value * 10 + usize::from(digit - b'0');
            if value > i32::MAX as usize {
                return Err(BadFormat::NumberTooLarge);
            }
            self.at += 1;
        }
        Ok((self.at > start).then_some(value))
    }

    /// Takes `N$`; leaves the cursor alone if there is none.
    pub fn position(&mut self) -> Result<Option<usize>, BadFormat> {
        let start = self.at;
        match self.number()? {
            Some(n) if n > 0 && self.eat(b'$') => Ok(Some(n)),
            _ => {
                self.at = start;
                Ok(None)
            }
        }
    }

    /// Takes a length modifier.
    pub fn length(&mut self) -> Length {
        if self.eat(b'h') {
            return if self.eat(b'h') { Length::Char } else { Length::Short };
        }
        if self.eat(b'l') {
            return if self.eat(b'l') { Length::LongLong } else { Length::Long };
        }
        let length = match self.peek() {
            Some(b'L') => Length::LongDouble,
            Some(b'q') => Length::LongLong,
            Some(b'j') => Length::IntMax,
            Some(b'z' | b'Z') => Length::Size,
            Some(b't') => Length::PtrDiff,
            _ => return Length::None,
        };
        self.at += 1;
        length
    }

    fn amount(&mut self) -> Result<Amount, BadFormat> {
        if self.eat(b'*') {
            return Ok(self.position()?.map_or(Amount::Next, Amount::Position));
        }
        Ok(self.number()?.map_or(Amount::None, Amount::Fixed))
    }
}

impl Directive {
    /// Reads the directive whose `%` stands at `start`.
    pub fn parse(format: &[u8], start: usize) -> Result<Directive, BadFormat> {
        let mut cursor = Cursor::new(format, start + 1);
        let position = cursor.position()?;
        let flags = parse_flags(&mut cursor);
        let width = cursor.amount()?;
        let precision = if cursor.eat(b'.') {
            match cursor.amount()? {
                Amount::None => Amount::Fixed(0),
                amount => amount,
            }
        } else {
            Amount::None
        };
        let mut length = cursor.length();
        let conversion = cursor.peek().ok_or(BadFormat::Truncated)?;
        cursor.at += 1;
        if !b"diouxXcspneEfFgGaA%mCS".contains(&conversion) {
            return Err(BadFormat::UnknownConversion(conversion));
        }
        let is_float = b"eEfFgGaA".contains(&conversion);
        if length == Length::LongDouble && !is_float {
            length = Length::LongLong;
        }
        let float_length = matches!(length, Length::None | Length::Long | Length::LongDouble);
        if is_float && !float_length && length != Length::LongLong {
            return Err(BadFormat::LengthMismatch(conversion));
        }
        if is_float && length == Length::LongLong {
            length = Length::LongDouble;
        }
        Ok(Directive { text: (start, cursor.at), position, flags, width, precision, length, conversion })
    }
}

fn parse_flags(cursor: &mut Cursor<'_>) -> Flags {
    let mut flags = Flags::default();
    while let Some(byte) = cursor.peek() {
        match byte {
            b'-' => flags.left = true,
            b'+' => flags.plus = true,
            b' ' => flags.space = true,
            b'#' => flags.alternate = true,
            b'0' => flags.zero = true,
            // Grouping and alternative digits change nothing in the C locale.
            b'\'' | b'I' => {}
            _ => break,
        }
        cursor.at += 1;
    }
    flags
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_a_full_directive() {
        let d = Directive::parse(b"x%-+08.*lldy", 1).unwrap();
        assert_eq!(d.text, (1, 11));
        assert!(d.flags.left && d.flags.plus && d.flags.zero);
        assert_eq!((d.width, d.precision), (Amount::Fixed(8), Amount::Next));
        assert_eq!((d.length, d.conversion), (Length::LongLong, b'd'));
    }

    #[test]
    fn reads_positions() {
        let d = Directive::parse(b"%2$*1$.3s", 0).unwrap();
        assert_eq!((d.position, d.width, d.precision), (Some(2), Amount::Position(1), Amount::Fixed(3)));
    }

    #[test]
    fn refuses_nonsense() {
        assert_eq!(Directive::parse(b"%5", 0), Err(BadFormat::Truncated));
        assert_eq!(Directive::parse(b"%y", 0), Err(BadFormat::UnknownConversion(b'y')));
        assert_eq!(Directive::parse(b"%99999999999d", 0), Err(BadFormat::NumberTooLarge));
    }
}

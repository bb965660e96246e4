// SPDX-License-Identifier: MIT OR Apache-2.0
//! The host's `printf` and `strtod`: the referees our own are tested against.

use std::ffi::{CStr, c_char};

use clew_base::float::{Flags, Float};

use crate::{Bits, format_code};

/// A floating conversion of `printf`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Conversion {
    /// `%e`
    E = b'e',
    /// `%f`
    F = b'f',
    /// `%g`
    G = b'g',
    /// `%a`
    A = b'a',
}

/// What `strtod` made of a text.
#[derive(Clone, Copy, Debug)]
pub struct Parsed {
    /// The value.
    pub value: Float,
    /// How many bytes it took.
    pub length: usize,
    /// The exceptions raised.
    pub flags: Flags,
    /// `errno` after the call, 0 if it was not set.
    pub errno: i32,
}

#[repr(C)]
#[derive(Default)]
struct RawParsed {
    value: Bits,
    length: usize,
    flags: i32,
    error: i32,
}

unsafe extern "C" {
    fn clew_format(
        buffer: *mut c_char,
        size: usize,
        conversion: c_char,
        alternate: i32,
        precision: i32,
        format: i32,
        operand: *const Bits,
    ) -> i32;
    fn clew_parse(text: *const c_char, format: i32, out: *mut RawParsed) -> i32;
}

/// `snprintf` of one value; none if the host cannot print the format.
pub fn format(
    value: Float,
    conversion: Conversion,
    alternate: bool,
    precision: Option<u16>,
) -> Option<String> {
    let bits = Bits::from(value.to_bits());
    let precision = precision.map_or(-1, i32::from);
    let print = |buffer: &mut [u8]| {
        // SAFETY: the buffer is as long as is said, and `conversion` is one that takes a floating argument.
        unsafe {
            clew_format(
                buffer.as_mut_ptr().cast(),
                buffer.len(),
                conversion as c_char,
                i32::from(alternate),
                precision,
                format_code(value.format()),
                &bits,
            )
        }
    };
    let length = usize::try_from(print(&mut [])).ok()?;
    let mut buffer = vec![0; length + 1];
    print(&mut buffer);
    buffer.truncate(length);
    String::from_utf8(buffer).ok()
}

/// `strtof`, `strtod` or `strtold`; none if the host lacks the format.
pub fn parse(text: &CStr, format: clew_base::float::Format) -> Option<Parsed> {
    let mut out = RawParsed::default();
    // SAFETY: the text ends in a zero byte and the result struct has the C side's layout.
    let done = unsafe { clew_parse(text.as_ptr(), format_code(format), &mut out) };
    let parsed = Parsed {
        value: Float::from_bits(format, out.value.into()),
        length: out.length,
        flags: Flags::from_bits(out.flags as u8),
        errno: out.error,
    };
    (done != 0).then_some(parsed)
}

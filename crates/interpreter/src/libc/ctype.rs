// SPDX-License-Identifier: MIT OR Apache-2.0
//! `<ctype.h>` in the C locale: the functions, and the tables that glibc's macros read.

use super::Table;
use super::context::{Answer, int, pointer};
use crate::machine::Stop;
use crate::native::NativeCtx;
use crate::value::Pointer;

type Ctx<'a, 'm, 'p> = &'a mut NativeCtx<'m, 'p>;

/// The functions.
pub const TABLE: Table = &[
    ("isalpha", |c| class(c, ALPHA)),
    ("isdigit", |c| class(c, DIGIT)),
    ("isalnum", |c| class(c, ALNUM)),
    ("isspace", |c| class(c, SPACE)),
    ("isupper", |c| class(c, UPPER)),
    ("islower", |c| class(c, LOWER)),
    ("isxdigit", |c| class(c, XDIGIT)),
    ("isprint", |c| class(c, PRINT)),
    ("isgraph", |c| class(c, GRAPH)),
    ("ispunct", |c| class(c, PUNCT)),
    ("iscntrl", |c| class(c, CNTRL)),
    ("isblank", |c| class(c, BLANK)),
    ("isascii", isascii),
    ("toascii", toascii),
    ("tolower", |c| convert(c, lower)),
    ("toupper", |c| convert(c, upper)),
    ("_tolower", |c| convert(c, lower)),
    ("_toupper", |c| convert(c, upper)),
    ("__ctype_b_loc", ctype_b_loc),
    ("__ctype_tolower_loc", ctype_tolower_loc),
    ("__ctype_toupper_loc", ctype_toupper_loc),
    ("__ctype_get_mb_cur_max", mb_cur_max),
];

// The bits of glibc's table on a little-endian machine.
const UPPER: u16 = 1 << 8;
const LOWER: u16 = 1 << 9;
const ALPHA: u16 = 1 << 10;
const DIGIT: u16 = 1 << 11;
const XDIGIT: u16 = 1 << 12;
const SPACE: u16 = 1 << 13;
const PRINT: u16 = 1 << 14;
const GRAPH: u16 = 1 << 15;
const BLANK: u16 = 1 << 0;
const CNTRL: u16 = 1 << 1;
const PUNCT: u16 = 1 << 2;
const ALNUM: u16 = 1 << 3;

/// The classes of a byte.
fn classes(byte: u8) -> u16 {
    let bit = |holds: bool, bit: u16| if holds { bit } else { 0 };
    bit(byte.is_ascii_uppercase(), UPPER)
        | bit(byte.is_ascii_lowercase(), LOWER)
        | bit(byte.is_ascii_alphabetic(), ALPHA)
        | bit(byte.is_ascii_digit(), DIGIT)
        | bit(byte.is_ascii_hexdigit(), XDIGIT)
        | bit(super::number::is_space(byte), SPACE)
        | bit(byte == b' ' || byte.is_ascii_graphic(), PRINT)
        | bit(byte.is_ascii_graphic(), GRAPH)
        | bit(byte == b' ' || byte == b'\t', BLANK)
        | bit(byte.is_ascii_control(), CNTRL)
        | bit(byte.is_ascii_punctuation(), PUNCT)
        | bit(byte.is_ascii_alphanumeric(), ALNUM)
}

/// The argument, if C allows it: `EOF` or an `unsigned char`.
fn argument(ctx: &mut NativeCtx<'_, '_>) -> Result<Option<u8>, Stop> {
    let value = ctx.i32(0);
    if let Ok(byte) = u8::try_from(value) {
        return Ok(Some(byte));
    }
    if value != -1 {
        ctx.bad_argument(0, &format!("{value} is neither EOF nor a value of unsigned char"))?;
        // glibc's table reaches down to -128.
        if (-128..-1).contains(&value) {
            return Ok(Some(value as u8));
        }
    }
    Ok(None)
}

fn class(ctx: Ctx, bit: u16) -> Answer {
    let byte = argument(ctx)?;
    int(byte.map_or(0, |byte| i32::from(classes(byte) & bit)))
}

fn lower(byte: u8) -> u8 {
    byte.to_ascii_lowercase()
}

fn upper(byte: u8) -> u8 {
    byte.to_ascii_uppercase()
}

fn convert(ctx: Ctx, map: fn(u8) -> u8) -> Answer {
    match argument(ctx)? {
        Some(byte) => int(i32::from(map(byte))),
        None => int(ctx.i32(0)),
    }
}

fn isascii(ctx: Ctx) -> Answer {
    int(i32::from(ctx.i32(0) & !0x7f == 0))
}

fn toascii(ctx: Ctx) -> Answer {
    int(ctx.i32(0) & 0x7f)
}

fn mb_cur_max(_: Ctx) -> Answer {
    int(1)
}

/// A pointer to a pointer to the entry for 0 of a table that starts at -128.
fn table(ctx: &mut NativeCtx<'_, '_>, name: &'static str, entry: fn(i32) -> Vec<u8>) -> Pointer {
    if let Some(place) = ctx.state().statics.get(name) {
        return *place;
    }
    let bytes: Vec<u8> = (-128..256).flat_map(entry).collect();
    let width = bytes.len() as u64 / 384;
    let data = ctx.alloc_static(bytes.len() as u64, "a table of <ctype.h>");
    ctx.memory().write(data, &bytes);
    ctx.memory().make_read_only(data.prov);
    let place = ctx.static_object(name, 8);
    ctx.memory().write_pointer(place, data.add(128 * width));
    place
}

fn ctype_b_loc(ctx: Ctx) -> Answer {
    let entry = |c: i32| {
        let classes = if c == -1 { 0 } else { classes(c as u8) };
        // The C locale gives bytes above 127 no class, wherever they stand.
        (if (0..128).contains(&c) { classes } else { 0 }).to_le_bytes().to_vec()
    };
    pointer(table(ctx, "the classes of characters", entry))
}

fn ctype_tolower_loc(ctx: Ctx) -> Answer {
    pointer(table(ctx, "the lower case of characters", |c| converted(c, lower)))
}

fn ctype_toupper_loc(ctx: Ctx) -> Answer {
    pointer(table(ctx, "the upper case of characters", |c| converted(c, upper)))
}

/// An entry of a conversion table: below zero stands the unsigned value, except for `EOF`.
fn converted(c: i32, map: fn(u8) -> u8) -> Vec<u8> {
    let value = if c == -1 { -1 } else { i32::from(map(c as u8)) };
    value.to_le_bytes().to_vec()
}

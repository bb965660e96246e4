// SPDX-License-Identifier: MIT OR Apache-2.0
//! `<stdlib.h>`: floats in text.

use clew_base::float::text::{Parsed, parse_prefix};
use clew_base::float::{Flags, Float, Format, Rounding};

use super::Table;
use super::context::{Answer, pointer};
use super::errno::Errno;
use super::format::{directive, print::Field};
use crate::machine::Stop;
use crate::native::NativeCtx;
use crate::value::Value;

type Ctx<'a, 'm, 'p> = &'a mut NativeCtx<'m, 'p>;

/// The functions.
pub const TABLE: Table = &[
    ("strtod", strtod),
    ("strtof", strtof),
    ("strtold", strtold),
    ("strtof32", strtof),
    ("strtof64", strtod),
    ("atof", atof),
    ("gcvt", gcvt),
];

/// The float at the start of a text, and whether `errno` becomes `ERANGE`.
pub fn parse(text: &[u8], format: Format) -> Option<(Parsed, bool)> {
    let parsed = parse_prefix(text, format, Rounding::NearestEven)?;
    let range = parsed.flags.contains(Flags::OVERFLOW) || parsed.flags.contains(Flags::UNDERFLOW);
    Some((parsed, range))
}

fn float_at(ctx: &mut NativeCtx<'_, '_>, format: Format) -> Result<Option<(Parsed, bool)>, Stop> {
    let start = ctx.ptr(0);
    ctx.number_at(start, 0, |text| {
        let found = parse(text, format);
        let used = found.map_or(0, |(parsed, _)| parsed.length);
        (found, used)
    })
}

fn convert(ctx: &mut NativeCtx<'_, '_>, format: Format) -> Result<Float, Stop> {
    let (start, end) = (ctx.ptr(0), ctx.ptr(1));
    let found = float_at(ctx, format)?;
    let (value, length, range) = match found {
        Some((parsed, range)) => (parsed.value, parsed.length as u64, range),
        None => (Float::zero(format, false), 0, false),
    };
    if range {
        ctx.set_errno(Errno::ERANGE.0);
    }
    if !end.is_null() {
        ctx.write_ptr(end, start.add(length), 1)?;
    }
    Ok(value)
}

fn strtod(ctx: Ctx) -> Answer {
    Ok(Value::Float(convert(ctx, Format::F64)?))
}

fn strtof(ctx: Ctx) -> Answer {
    Ok(Value::Float(convert(ctx, Format::F32)?))
}

fn strtold(ctx: Ctx) -> Answer {
    let format = ctx.program().target.long_double;
    Ok(Value::Float(convert(ctx, format)?))
}

fn atof(ctx: Ctx) -> Answer {
    let value = float_at(ctx, Format::F64)?.map_or(Float::from_f64(0.0), |(parsed, _)| parsed.value);
    Ok(Value::Float(value))
}

fn gcvt(ctx: Ctx) -> Answer {
    let (value, digits, place) = (ctx.arg(0).as_float(Format::F64), ctx.i32(1), ctx.ptr(2));
    let precision = Some(digits.clamp(0, 17) as usize);
    let mut text = Vec::new();
    let field = Field { flags: directive::Flags::default(), width: 0, precision };
    super::format::float::print(&mut text, field, b'g', value);
    ctx.write_c_string(place, &text, 2)?;
    pointer(place)
}

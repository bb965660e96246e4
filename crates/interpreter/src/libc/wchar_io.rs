// SPDX-License-Identifier: MIT OR Apache-2.0
//! `<wchar.h>`: wide output and numbers in wide text, through the narrow functions: in the C locale a wide character
//! that can be printed is a byte below 128.

use clew_base::float::{Float, Format};

use super::Table;
use super::args::{Failure, Unnamed};
use super::context::{Answer, int, null, pointer};
use super::errno::Errno;
use super::format::print;
use super::number;
use super::wchar::{WIDE, wide_string, write_wide};
use crate::machine::Stop;
use crate::native::{NativeCtx, VaSource};
use crate::value::{Pointer, Value};

type Ctx<'a, 'm, 'p> = &'a mut NativeCtx<'m, 'p>;

/// The functions.
pub const TABLE: Table = &[
    ("wprintf", |c| to_stdout(c, c.unnamed(1))),
    ("vwprintf", |c| to_stdout(c, c.va_list(1))),
    ("fwprintf", |c| to_stream(c, c.unnamed(2))),
    ("vfwprintf", |c| to_stream(c, c.va_list(2))),
    ("swprintf", |c| to_buffer(c, c.unnamed(3))),
    ("vswprintf", |c| to_buffer(c, c.va_list(3))),
    ("fputwc", fputwc),
    ("putwc", fputwc),
    ("putwchar", putwchar),
    ("fputws", fputws),
    ("fwide", fwide),
    ("wcsncpy", wcsncpy),
    ("wcsdup", wcsdup),
    ("wcsstr", wcsstr),
    ("wmemcmp", wmemcmp),
    ("wmemmove", wmemmove),
    ("wmemchr", wmemchr),
    ("wcstol", wcstol),
    ("wcstoll", wcstol),
    ("wcstoul", wcstoul),
    ("wcstoull", wcstoul),
    ("wcstod", wcstod),
];

/// Wide text as bytes; none if a character has none (`EILSEQ`).
fn narrowed(ctx: &mut NativeCtx<'_, '_>, wide: &[u32]) -> Option<Vec<u8>> {
    if wide.iter().any(|c| *c > 127) {
        ctx.set_errno(Errno::EILSEQ.0);
        return None;
    }
    Some(wide.iter().map(|c| *c as u8).collect())
}

fn formatted(
    ctx: &mut NativeCtx<'_, '_>,
    format_index: usize,
    source: VaSource,
) -> Result<Option<Vec<u8>>, Stop> {
    let wide = wide_string(ctx, ctx.ptr(format_index), format_index)?;
    let Some(format) = narrowed(ctx, &wide) else { return Ok(None) };
    let mut out = Vec::new();
    let mut unnamed = Unnamed { ctx: &mut *ctx, source };
    match print::format(&format, &mut unnamed, &mut out) {
        Ok(()) => Ok(Some(out)),
        Err(Failure::Stop(stop)) => Err(stop),
        Err(Failure::Print(error)) => {
            ctx.bad_argument(format_index, &format!("cannot be printed: {error:?}"))?;
            Ok(None)
        }
    }
}

fn put(ctx: &mut NativeCtx<'_, '_>, file: Option<u64>, text: Option<Vec<u8>>) -> Answer {
    let (Some(file), Some(text)) = (file, text) else { return int(-1) };
    let written = ctx.write_stream(file, &text).is_ok();
    int(if written { text.len() as i32 } else { -1 })
}

fn to_stdout(ctx: Ctx, source: VaSource) -> Answer {
    let text = formatted(ctx, 0, source)?;
    let file = ctx.standard_stream(1)?;
    put(ctx, file, text)
}

fn to_stream(ctx: Ctx, source: VaSource) -> Answer {
    let file = ctx.stream(ctx.ptr(0), 0)?;
    let text = formatted(ctx, 1, source)?;
    put(ctx, file, text)
}

/// Unlike `snprintf`, a text that does not fit is an error.
fn to_buffer(ctx: Ctx, source: VaSource) -> Answer {
    let (place, size) = (ctx.ptr(0), ctx.size(1));
    let Some(text) = formatted(ctx, 2, source)? else { return int(-1) };
    let mut wide: Vec<u32> = text.iter().map(|b| u32::from(*b)).collect();
    let fits = (wide.len() as u64) < size;
    wide.truncate(usize::try_from(size).unwrap_or(usize::MAX).saturating_sub(1));
    if size > 0 {
        write_wide(ctx, place, &wide)?;
    }
    int(if fits { text.len() as i32 } else { -1 })
}

fn put_one(ctx: &mut NativeCtx<'_, '_>, file: Option<u64>, wide: u32) -> Answer {
    let text = narrowed(ctx, &[wide]);
    let written = put(ctx, file, text)?.as_int() >= 0;
    int(if written { wide } else { u32::MAX })
}

fn fputwc(ctx: Ctx) -> Answer {
    let wide = ctx.int(0) as u32;
    let file = ctx.stream(ctx.ptr(1), 1)?;
    put_one(ctx, file, wide)
}

fn putwchar(ctx: Ctx) -> Answer {
    let wide = ctx.int(0) as u32;
    let file = ctx.standard_stream(1)?;
    put_one(ctx, file, wide)
}

fn fputws(ctx: Ctx) -> Answer {
    let wide = wide_string(ctx, ctx.ptr(0), 0)?;
    let file = ctx.stream(ctx.ptr(1), 1)?;
    let text = narrowed(ctx, &wide);
    put(ctx, file, text)
}

fn fwide(ctx: Ctx) -> Answer {
    int(ctx.i32(1))
}

fn wcsncpy(ctx: Ctx) -> Answer {
    let (to, count) = (ctx.ptr(0), ctx.size(2));
    let bytes = count.saturating_mul(WIDE);
    let mut wide = wide_string(ctx, ctx.ptr(1), 1)?;
    if ctx.check_write(to, bytes, 0)? {
        wide.resize(count as usize, 0);
        let data: Vec<u8> = wide.iter().flat_map(|c| c.to_le_bytes()).collect();
        ctx.write(to, &data, 0)?;
    }
    pointer(to)
}

fn wcsdup(ctx: Ctx) -> Answer {
    let wide = wide_string(ctx, ctx.ptr(0), 0)?;
    let place = ctx.alloc((wide.len() as u64 + 1) * WIDE, 16, false);
    if place.is_null() {
        return ctx.fail_null(Errno::ENOMEM);
    }
    write_wide(ctx, place, &wide)?;
    pointer(place)
}

fn wcsstr(ctx: Ctx) -> Answer {
    let place = ctx.ptr(0);
    let haystack = wide_string(ctx, place, 0)?;
    let needle = wide_string(ctx, ctx.ptr(1), 1)?;
    let found = (0..=haystack.len()).find(|at| haystack[*at..].starts_with(&needle));
    found.map_or_else(null, |at| pointer(place.add(at as u64 * WIDE)))
}

fn words(ctx: &mut NativeCtx<'_, '_>, argument: usize) -> Result<Vec<i32>, Stop> {
    let bytes = ctx.size(2).saturating_mul(WIDE);
    let data = ctx.read(ctx.ptr(argument), bytes, argument)?;
    Ok(data.chunks_exact(4).map(|c| i32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect())
}

fn wmemcmp(ctx: Ctx) -> Answer {
    let a = words(ctx, 0)?;
    let b = words(ctx, 1)?;
    int(a.cmp(&b) as i32)
}

fn wmemmove(ctx: Ctx) -> Answer {
    let (to, from, bytes) = (ctx.ptr(0), ctx.ptr(1), ctx.size(2).saturating_mul(WIDE));
    ctx.copy((to, 0), (from, 1), bytes)?;
    pointer(to)
}

fn wmemchr(ctx: Ctx) -> Answer {
    let (place, wanted) = (ctx.ptr(0), ctx.int(1) as i32);
    let found = words(ctx, 0)?.into_iter().position(|c| c == wanted);
    found.map_or_else(null, |at| pointer(place.add(at as u64 * WIDE)))
}

/// The start of a wide string as bytes, up to the first character that no number has.
fn number_text(ctx: &mut NativeCtx<'_, '_>) -> Result<Vec<u8>, Stop> {
    let wide = wide_string(ctx, ctx.ptr(0), 0)?;
    Ok(wide.iter().take_while(|c| **c < 128).map(|c| *c as u8).collect())
}

fn set_end(ctx: &mut NativeCtx<'_, '_>, used: usize) -> Result<(), Stop> {
    let (start, end): (Pointer, Pointer) = (ctx.ptr(0), ctx.ptr(1));
    if end.is_null() {
        return Ok(());
    }
    ctx.write_ptr(end, start.add(used as u64 * WIDE), 1)
}

fn integer(ctx: &mut NativeCtx<'_, '_>) -> Result<number::Integer, Stop> {
    let base = ctx.i32(2);
    if base != 0 && !(2..=36).contains(&base) {
        ctx.bad_argument(2, &format!("the base {base} is neither 0 nor in 2..=36"))?;
    }
    let text = number_text(ctx)?;
    let found = number::integer(&text, if (0..=36).contains(&base) && base != 1 { base as u32 } else { 10 });
    set_end(ctx, found.used)?;
    Ok(found)
}

fn wcstol(ctx: Ctx) -> Answer {
    let (value, out_of_range) = integer(ctx)?.signed();
    if out_of_range {
        ctx.set_errno(Errno::ERANGE.0);
    }
    int(value)
}

fn wcstoul(ctx: Ctx) -> Answer {
    let (value, out_of_range) = integer(ctx)?.unsigned();
    if out_of_range {
        ctx.set_errno(Errno::ERANGE.0);
    }
    int(value)
}

fn wcstod(ctx: Ctx) -> Answer {
    let text = number_text(ctx)?;
    let found = super::strtod::parse(&text, Format::F64);
    set_end(ctx, found.map_or(0, |(parsed, _)| parsed.length))?;
    if found.is_some_and(|(_, range)| range) {
        ctx.set_errno(Errno::ERANGE.0);
    }
    Ok(Value::Float(found.map_or(Float::from_f64(0.0), |(parsed, _)| parsed.value)))
}

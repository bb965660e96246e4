// SPDX-License-Identifier: MIT OR Apache-2.0
//! `<stdio.h>`: the printf family, with its fortified variants.

use super::Table;
use super::args::{Failure, Unnamed};
use super::context::{Answer, int};
use super::errno::Errno;
use super::format::print::{self, PrintError};
use crate::machine::Stop;
use crate::native::{NativeCtx, VaSource};
use crate::value::Pointer;

type Ctx<'a, 'm, 'p> = &'a mut NativeCtx<'m, 'p>;

/// The functions. In the fortified ones a flag precedes the format, and a size follows the buffer.
pub const TABLE: Table = &[
    ("printf", |c| to_stdout(c, 0, c.unnamed(1))),
    ("vprintf", |c| to_stdout(c, 0, c.va_list(1))),
    ("__printf_chk", |c| to_stdout(c, 1, c.unnamed(2))),
    ("__vprintf_chk", |c| to_stdout(c, 1, c.va_list(2))),
    ("fprintf", |c| to_stream(c, 1, c.unnamed(2))),
    ("vfprintf", |c| to_stream(c, 1, c.va_list(2))),
    ("__fprintf_chk", |c| to_stream(c, 2, c.unnamed(3))),
    ("__vfprintf_chk", |c| to_stream(c, 2, c.va_list(3))),
    ("sprintf", |c| to_buffer(c, None, 1, c.unnamed(2))),
    ("vsprintf", |c| to_buffer(c, None, 1, c.va_list(2))),
    ("__sprintf_chk", |c| to_buffer(c, None, 3, c.unnamed(4))),
    ("__vsprintf_chk", |c| to_buffer(c, None, 3, c.va_list(4))),
    ("snprintf", |c| to_buffer(c, Some(c.size(1)), 2, c.unnamed(3))),
    ("vsnprintf", |c| to_buffer(c, Some(c.size(1)), 2, c.va_list(3))),
    ("__snprintf_chk", |c| to_buffer(c, Some(c.size(1)), 4, c.unnamed(5))),
    ("__vsnprintf_chk", |c| to_buffer(c, Some(c.size(1)), 4, c.va_list(5))),
    ("dprintf", |c| to_descriptor(c, 1, c.unnamed(2))),
    ("vdprintf", |c| to_descriptor(c, 1, c.va_list(2))),
    ("__dprintf_chk", |c| to_descriptor(c, 2, c.unnamed(3))),
    ("__vdprintf_chk", |c| to_descriptor(c, 2, c.va_list(3))),
    ("asprintf", |c| to_heap(c, 1, c.unnamed(2))),
    ("vasprintf", |c| to_heap(c, 1, c.va_list(2))),
    ("__asprintf_chk", |c| to_heap(c, 2, c.unnamed(3))),
    ("__vasprintf_chk", |c| to_heap(c, 2, c.va_list(3))),
    ("syslog", |c| to_nowhere(c, 1, c.unnamed(2))),
    ("err", |c| complain(c, 1, c.unnamed(2), true)),
    ("errx", |c| complain(c, 1, c.unnamed(2), false)),
    ("warn", |c| complain(c, 0, c.unnamed(1), true)),
    ("warnx", |c| complain(c, 0, c.unnamed(1), false)),
];

/// What a format prints; none if the call fails (`errno` is set).
fn formatted(
    ctx: &mut NativeCtx<'_, '_>,
    format_index: usize,
    source: VaSource,
) -> Result<Option<Vec<u8>>, Stop> {
    let format = ctx.c_string(ctx.ptr(format_index), format_index)?;
    let mut out = Vec::new();
    let mut unnamed = Unnamed { ctx: &mut *ctx, source };
    match print::format(&format, &mut unnamed, &mut out) {
        Ok(()) => Ok(Some(out)),
        Err(Failure::Stop(stop)) => Err(stop),
        Err(Failure::Print(error)) => {
            let errno = match error {
                PrintError::IllegalSequence => Errno::EILSEQ,
                PrintError::TooLong => Errno::EOVERFLOW,
                PrintError::FieldTooWide(bytes) => {
                    return Err(ctx.unsupported(format!("a printf field of {bytes} bytes")));
                }
                PrintError::BadFormat(bad, at) => {
                    let shown = format.escape_ascii();
                    ctx.bad_argument(format_index, &format!("{bad}, at byte {at} of \"{shown}\""))?;
                    Errno::EINVAL
                }
            };
            ctx.set_errno(errno.0);
            Ok(None)
        }
    }
}

fn to_file(ctx: &mut NativeCtx<'_, '_>, file: Option<u64>, text: Option<Vec<u8>>) -> Answer {
    let (Some(file), Some(text)) = (file, text) else { return int(-1) };
    let written = ctx.write_stream(file, &text).is_ok();
    int(if written { text.len() as i32 } else { -1 })
}

fn to_stdout(ctx: Ctx, format_index: usize, source: VaSource) -> Answer {
    let text = formatted(ctx, format_index, source)?;
    let file = ctx.standard_stream(1)?;
    to_file(ctx, file, text)
}

fn to_stream(ctx: Ctx, format_index: usize, source: VaSource) -> Answer {
    let file = ctx.stream(ctx.ptr(0), 0)?;
    let text = formatted(ctx, format_index, source)?;
    to_file(ctx, file, text)
}

fn to_buffer(ctx: Ctx, size: Option<u64>, format_index: usize, source: VaSource) -> Answer {
    let place = ctx.ptr(0);
    let Some(text) = formatted(ctx, format_index, source)? else { return int(-1) };
    let mut shown = text.clone();
    if let Some(size) = size {
        shown.truncate(usize::try_from(size).unwrap_or(usize::MAX).saturating_sub(1));
    }
    if size != Some(0) {
        ctx.write_c_string(place, &shown, 0)?;
    }
    int(text.len() as i32)
}

fn to_descriptor(ctx: Ctx, format_index: usize, source: VaSource) -> Answer {
    let number = ctx.i32(0);
    let Some(text) = formatted(ctx, format_index, source)? else { return int(-1) };
    match ctx.with_files(|files| files.write_all(number, &text)) {
        Ok(()) => int(text.len() as i32),
        Err(error) => ctx.fail(error),
    }
}

fn to_heap(ctx: Ctx, format_index: usize, source: VaSource) -> Answer {
    let place = ctx.ptr(0);
    let Some(text) = formatted(ctx, format_index, source)? else { return int(-1) };
    let string = ctx.heap_string(&text);
    ctx.write_ptr(place, string, 0)?;
    int(if string.is_null() { -1 } else { text.len() as i32 })
}

/// The system log is not part of what a run shows; the arguments are checked all the same.
fn to_nowhere(ctx: Ctx, format_index: usize, source: VaSource) -> Answer {
    formatted(ctx, format_index, source)?;
    int(0)
}

/// `<err.h>`: the program's name, the message, and for some the error's text; `err` and `errx` end the program.
fn complain(ctx: Ctx, format_index: usize, source: VaSource, with_errno: bool) -> Answer {
    let errno = ctx.errno();
    let mut line = ctx.program_name(true);
    line.extend_from_slice(b": ");
    if ctx.ptr(format_index) != Pointer::NULL {
        line.extend(formatted(ctx, format_index, source)?.unwrap_or_default());
        if with_errno {
            line.extend_from_slice(b": ");
        }
    }
    if with_errno {
        line.extend_from_slice(super::errno::message(errno).as_bytes());
    }
    line.push(b'\n');
    ctx.flush_standard_output();
    if let Some(stderr) = ctx.open_standard(2) {
        let _ = ctx.write_stream(stderr, &line);
    }
    if format_index == 1 {
        let status = ctx.i32(0);
        return Err(ctx.exit(status));
    }
    int(0)
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! `<stdio.h>`: the scanf family.

use clew_base::float::Format;
use clew_base::int::IntType;

use super::Table;
use super::args::Unnamed;
use super::context::{Answer, int};
use super::format::directive::Length;
use super::format::print::{ArgKind, ArgSource};
use super::format::scan::{self, ByteSource, ScanError, Targets, TextShape};
use super::strtod;
use crate::machine::Stop;
use crate::native::{NativeCtx, VaSource};
use crate::value::Pointer;

type Ctx<'a, 'm, 'p> = &'a mut NativeCtx<'m, 'p>;

/// The functions; `__isoc99_` is what glibc's header makes of them.
pub const TABLE: Table = &[
    ("scanf", |c| from_stdin(c, c.unnamed(1))),
    ("__isoc99_scanf", |c| from_stdin(c, c.unnamed(1))),
    ("__isoc23_scanf", |c| from_stdin(c, c.unnamed(1))),
    ("vscanf", |c| from_stdin(c, c.va_list(1))),
    ("__isoc99_vscanf", |c| from_stdin(c, c.va_list(1))),
    ("fscanf", |c| from_stream(c, c.unnamed(2))),
    ("__isoc99_fscanf", |c| from_stream(c, c.unnamed(2))),
    ("__isoc23_fscanf", |c| from_stream(c, c.unnamed(2))),
    ("vfscanf", |c| from_stream(c, c.va_list(2))),
    ("__isoc99_vfscanf", |c| from_stream(c, c.va_list(2))),
    ("sscanf", |c| from_string(c, c.unnamed(2))),
    ("__isoc99_sscanf", |c| from_string(c, c.unnamed(2))),
    ("__isoc23_sscanf", |c| from_string(c, c.unnamed(2))),
    ("vsscanf", |c| from_string(c, c.va_list(2))),
    ("__isoc99_vsscanf", |c| from_string(c, c.va_list(2))),
];

enum Failure {
    Stop(Stop),
    Scan(ScanError),
}

impl From<ScanError> for Failure {
    fn from(error: ScanError) -> Self {
        Failure::Scan(error)
    }
}

impl From<Stop> for Failure {
    fn from(stop: Stop) -> Self {
        Failure::Stop(stop)
    }
}

/// Where scanned bytes come from.
enum Origin {
    /// A string.
    Text {
        /// Its bytes.
        bytes: Vec<u8>,
        /// The next one.
        at: usize,
    },
    /// An open stream, by the address of its `FILE`.
    Stream(u64),
}

/// A scanf call: bytes come from its origin, values go to the objects that the unnamed arguments point to.
struct Call<'a, 'm, 'p> {
    origin: Origin,
    unnamed: Unnamed<'a, 'm, 'p>,
    first: VaSource,
    target: Pointer,
    argument: usize,
}

impl Targets for Call<'_, '_, '_> {
    type Error = Failure;

    fn select(&mut self, position: Option<usize>, directive: &[u8]) -> Result<(), Failure> {
        if let Some(position) = position {
            // Every target is a pointer, so the one before can be skipped as such.
            self.unnamed.source = self.first;
            for _ in 1..position {
                self.unnamed.next_pointer(ArgKind::Address, directive)?;
            }
        }
        self.target = self.unnamed.next_pointer(ArgKind::Address, directive)?;
        self.argument = self.unnamed.last_index();
        Ok(())
    }

    fn long_bits(&self) -> u32 {
        self.unnamed.long_bits()
    }

    fn store_int(&mut self, bits: u32, value: u64) -> Result<(), Failure> {
        let ty = IntType { bits: bits as u16, signed: false };
        let value = ty.wrap(i128::from(value));
        Ok(self.unnamed.ctx.write_int(self.target, ty, value, self.argument)?)
    }

    fn store_float(&mut self, length: Length, text: &[u8]) -> Result<bool, Failure> {
        let format = match length {
            Length::Long => Format::F64,
            Length::LongDouble | Length::LongLong => self.unnamed.ctx.program().target.long_double,
            _ => Format::F32,
        };
        let Some((parsed, _)) = strtod::parse(text, format) else { return Ok(false) };
        self.unnamed.ctx.write_float(self.target, parsed.value, self.argument)?;
        Ok(true)
    }

    fn store_pointer(&mut self, address: u64) -> Result<(), Failure> {
        let ctx = &mut *self.unnamed.ctx;
        let value = if address == 0 { Pointer::NULL } else { ctx.memory().recover(address) };
        Ok(ctx.write_ptr(self.target, value, self.argument)?)
    }

    fn store_text(&mut self, text: &[u8], shape: TextShape) -> Result<(), Failure> {
        let ctx = &mut *self.unnamed.ctx;
        let mut bytes: Vec<u8> = if shape.wide {
            text.iter().flat_map(|b| u32::from(*b).to_le_bytes()).collect()
        } else {
            text.to_vec()
        };
        if shape.terminated {
            bytes.resize(bytes.len() + if shape.wide { 4 } else { 1 }, 0);
        }
        if shape.allocate {
            let place = ctx.alloc(bytes.len() as u64, 16, false);
            ctx.memory().write(place, &bytes);
            ctx.write_ptr(self.target, place, self.argument)?;
        } else {
            ctx.write(self.target, &bytes, self.argument)?;
        }
        Ok(())
    }
}

impl ByteSource for Call<'_, '_, '_> {
    fn next(&mut self) -> Option<u8> {
        match &mut self.origin {
            Origin::Text { bytes, at } => {
                let byte = bytes.get(*at).copied()?;
                *at += 1;
                Some(byte)
            }
            Origin::Stream(file) => self.unnamed.ctx.read_stream_byte(*file),
        }
    }

    fn unread(&mut self, byte: u8) {
        match &mut self.origin {
            Origin::Text { at, .. } => *at -= 1,
            Origin::Stream(file) => self.unnamed.ctx.unread_stream_byte(*file, byte),
        }
    }
}

fn scan_all(ctx: &mut NativeCtx<'_, '_>, origin: Origin, arguments: VaSource, format_index: usize) -> Answer {
    let format = ctx.c_string(ctx.ptr(format_index), format_index)?;
    let unnamed = Unnamed { ctx: &mut *ctx, source: arguments };
    let mut call = Call { origin, unnamed, first: arguments, target: Pointer::NULL, argument: 0 };
    match scan::scan(&format, &mut call) {
        Ok(count) => int(count),
        Err(Failure::Stop(stop)) => Err(stop),
        Err(Failure::Scan(ScanError::BadFormat(bad, at))) => {
            let shown = format.escape_ascii();
            ctx.bad_argument(format_index, &format!("{bad}, at byte {at} of \"{shown}\""))?;
            int(-1)
        }
    }
}

fn from_string(ctx: Ctx, arguments: VaSource) -> Answer {
    let bytes = ctx.c_string(ctx.ptr(0), 0)?;
    scan_all(ctx, Origin::Text { bytes, at: 0 }, arguments, 1)
}

fn from_stdin(ctx: Ctx, arguments: VaSource) -> Answer {
    match ctx.standard_stream(0)? {
        Some(file) => scan_all(ctx, Origin::Stream(file), arguments, 0),
        None => int(-1),
    }
}

fn from_stream(ctx: Ctx, arguments: VaSource) -> Answer {
    match ctx.stream(ctx.ptr(0), 0)? {
        Some(file) => scan_all(ctx, Origin::Stream(file), arguments, 1),
        None => int(-1),
    }
}

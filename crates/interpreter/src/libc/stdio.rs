// SPDX-License-Identifier: MIT OR Apache-2.0
//! `<stdio.h>`: characters, lines and blocks of streams.

use clew_ir::obligation::CheckKind;

use super::Table;
use super::context::{Answer, LONG, SIZE, find_byte, int, null, pointer, unit};
use super::errno::{self, Errno};
use super::state::State;
use super::stream::{Backing, Buffering, Mode, Stream};
use crate::host::Host;
use crate::machine::{Machine, Stop};
use crate::native::NativeCtx;
use crate::value::Pointer;

type Ctx<'a, 'm, 'p> = &'a mut NativeCtx<'m, 'p>;

/// The functions.
pub const TABLE: Table = &[
    ("fgetc", fgetc),
    ("getc", fgetc),
    ("_IO_getc", fgetc),
    ("getc_unlocked", fgetc),
    ("fgetc_unlocked", fgetc),
    ("__uflow", fgetc),
    ("getchar", getchar),
    ("getchar_unlocked", getchar),
    ("getw", getw),
    ("ungetc", ungetc),
    ("fputc", fputc),
    ("putc", fputc),
    ("_IO_putc", fputc),
    ("putc_unlocked", fputc),
    ("fputc_unlocked", fputc),
    ("__overflow", overflow),
    ("putchar", putchar),
    ("putchar_unlocked", putchar),
    ("fgets", fgets),
    ("fgets_unlocked", fgets),
    ("__fgets_chk", fgets_chk),
    ("gets", gets),
    ("fputs", fputs),
    ("fputs_unlocked", fputs),
    ("puts", puts),
    ("fread", fread),
    ("fread_unlocked", fread),
    ("__fread_chk", fread_chk),
    ("fwrite", fwrite),
    ("fwrite_unlocked", fwrite),
    ("getline", getline),
    ("getdelim", getdelim),
    ("__getdelim", getdelim),
    ("perror", perror),
    ("feof", feof),
    ("feof_unlocked", feof),
    ("ferror", ferror),
    ("ferror_unlocked", ferror),
    ("clearerr", clearerr),
    ("clearerr_unlocked", clearerr),
    ("fflush", fflush),
    ("fflush_unlocked", fflush),
    ("flockfile", nothing),
    ("funlockfile", nothing),
    ("ftrylockfile", ftrylockfile),
];

/// Bytes of a `FILE` of glibc.
pub const FILE_BYTES: u64 = 216;

/// The `FILE` objects of the standard streams, made at the first use.
pub fn standard(machine: &mut Machine<'_>) -> [Pointer; 3] {
    if let Some(files) = machine.libc.standard {
        return files;
    }
    let files = ["stdin", "stdout", "stderr"].map(|name| machine.alloc_library(FILE_BYTES, name));
    for (number, file) in files.iter().enumerate() {
        let mode = Mode { read: number == 0, write: number != 0, append: false };
        let buffering = (number == 2).then_some(Buffering::None);
        let stream = Stream::new(Backing::Descriptor(number as i32), mode, buffering);
        machine.libc.streams.push((file.addr, stream));
    }
    machine.libc.standard = Some(files);
    files
}

impl State {
    /// glibc flushes a line-buffered stdout before it waits for input of a stream that is not fully buffered.
    pub(super) fn prepare_read(&mut self, host: &mut dyn Host, file: u64) {
        let Some((stream, mut files)) = self.stream_and_files(host, file) else { return };
        if !stream.needs_input() || stream.buffering(&mut files) == Buffering::Full {
            return;
        }
        let Some([_, stdout, _]) = self.standard else { return };
        let Some((stdout, mut files)) = self.stream_and_files(host, stdout.addr) else { return };
        if stdout.has_pending_output() && stdout.buffering(&mut files) == Buffering::Line {
            // A failure shows at the stream's next use.
            let _ = stdout.flush_output(&mut files);
        }
    }
}

impl NativeCtx<'_, '_> {
    /// A standard stream for the library's own messages, unless the program closed it.
    pub fn open_standard(&mut self, number: usize) -> Option<u64> {
        let file = standard(self.machine)[number].addr;
        self.state().streams.iter().any(|(at, _)| *at == file).then_some(file)
    }

    /// The stream that a standard stream's variable stands for. None: the program closed it, and the run goes on.
    pub fn standard_stream(&mut self, number: usize) -> Result<Option<u64>, Stop> {
        let name = ["stdin", "stdout", "stderr"][number];
        let variable = self.library_variable(name);
        let file = self.read_ptr(variable, 0)?;
        if self.state().streams.iter().any(|(at, _)| *at == file.addr) {
            return Ok(Some(file.addr));
        }
        let message = format!("`{}`: `{name}` is no open stream", self.name());
        self.violate_about(CheckKind::BadArgument, None, message, file.prov)?;
        Ok(None)
    }

    /// The open stream a `FILE *` stands for. None: it is not one, and the run goes on.
    pub fn stream(&mut self, file: Pointer, argument: usize) -> Result<Option<u64>, Stop> {
        standard(self.machine);
        if self.state().streams.iter().any(|(at, _)| *at == file.addr) {
            return Ok(Some(file.addr));
        }
        if !self.check_read(file, 0, argument)? {
            return Ok(None);
        }
        self.bad_argument(argument, "the pointer is no open stream")?;
        Ok(None)
    }

    /// Works with an open stream.
    pub fn on_stream<T>(
        &mut self,
        file: u64,
        work: impl FnOnce(&mut Stream, &mut super::descriptors::Files<'_>) -> Result<T, Errno>,
    ) -> Result<T, Errno> {
        let (state, host) = self.state_and_host();
        let (stream, mut files) = state.stream_and_files(host, file).ok_or(Errno::EBADF)?;
        work(stream, &mut files)
    }

    /// Writes to a stream; `errno` is set if that fails.
    pub fn write_stream(&mut self, file: u64, bytes: &[u8]) -> Result<(), Errno> {
        let result = self.on_stream(file, |stream, files| stream.write(files, bytes).map_err(|(_, e)| e));
        self.show_lent(file);
        self.note_error(result)
    }

    fn note_error<T>(&mut self, result: Result<T, Errno>) -> Result<T, Errno> {
        result.inspect_err(|error| self.set_errno(error.0))
    }

    /// What waits to be written stands in the buffer that the program lent to the stream.
    fn show_lent(&mut self, file: u64) {
        let streams = &self.state().streams;
        let lent = streams.iter().find(|(at, _)| *at == file).and_then(|(_, stream)| stream.lent());
        if let Some((place, bytes)) = lent.map(|(place, bytes)| (place, bytes.to_vec())) {
            self.memory().write(place, &bytes);
        }
    }

    /// The next byte of a stream; `errno` is set if that fails.
    pub fn read_stream_byte(&mut self, file: u64) -> Option<u8> {
        let (state, host) = self.state_and_host();
        state.prepare_read(host, file);
        let result = self.on_stream(file, |stream, files| stream.read_byte(files));
        self.note_error(result).ok().flatten()
    }

    /// Puts a byte back.
    pub fn unread_stream_byte(&mut self, file: u64, byte: u8) {
        let _ = self.on_stream(file, |stream, _| {
            stream.unread(byte);
            Ok(())
        });
    }

    /// Bytes up to and with a delimiter, at most `most`. Fewer at the end of the file or on an error.
    fn read_until(&mut self, file: u64, delimiter: Option<u8>, most: usize) -> (Vec<u8>, bool) {
        let mut line = Vec::new();
        let mut failed = false;
        while line.len() < most {
            let (state, host) = self.state_and_host();
            state.prepare_read(host, file);
            let room = most - line.len();
            let step = self.on_stream(file, |stream, files| {
                let ready = stream.peek(files)?;
                let ready = &ready[..ready.len().min(room)];
                let end = delimiter.and_then(|d| find_byte(ready, d)).map(|i| i + 1);
                let count = end.unwrap_or(ready.len());
                line.extend_from_slice(&ready[..count]);
                stream.consume(count);
                Ok((count, end.is_some()))
            });
            match self.note_error(step) {
                Ok((count, found)) if count > 0 && !found => {}
                Ok(_) => break,
                Err(_) => {
                    failed = true;
                    break;
                }
            }
        }
        (line, failed)
    }

    /// Sends what waits for standard output on its way.
    pub fn flush_standard_output(&mut self) {
        if let Some(stdout) = self.open_standard(1) {
            let _ = self.on_stream(stdout, |stream, files| stream.flush_output(files));
        }
    }
}

fn nothing(_: Ctx) -> Answer {
    unit()
}

fn ftrylockfile(_: Ctx) -> Answer {
    int(0)
}

fn get(ctx: &mut NativeCtx<'_, '_>, file: Option<u64>) -> Answer {
    let byte = file.and_then(|file| ctx.read_stream_byte(file));
    int(byte.map_or(-1, i32::from))
}

fn fgetc(ctx: Ctx) -> Answer {
    let file = ctx.stream(ctx.ptr(0), 0)?;
    get(ctx, file)
}

fn getchar(ctx: Ctx) -> Answer {
    let file = ctx.standard_stream(0)?;
    get(ctx, file)
}

fn getw(ctx: Ctx) -> Answer {
    let Some(file) = ctx.stream(ctx.ptr(0), 0)? else { return int(-1) };
    let (bytes, _) = ctx.read_until(file, None, 4);
    int(bytes.first_chunk::<4>().map_or(-1, |b| i32::from_le_bytes(*b)))
}

fn ungetc(ctx: Ctx) -> Answer {
    let (byte, file) = (ctx.i32(0), ctx.ptr(1));
    let Some(file) = ctx.stream(file, 1)? else { return int(-1) };
    if byte == -1 {
        return int(-1);
    }
    ctx.unread_stream_byte(file, byte as u8);
    int(i32::from(byte as u8))
}

fn put(ctx: &mut NativeCtx<'_, '_>, file: Option<u64>, byte: u8) -> Answer {
    let Some(file) = file else { return int(-1) };
    match ctx.write_stream(file, &[byte]) {
        Ok(()) => int(i32::from(byte)),
        Err(_) => int(-1),
    }
}

fn fputc(ctx: Ctx) -> Answer {
    let byte = ctx.i32(0) as u8;
    let file = ctx.stream(ctx.ptr(1), 1)?;
    put(ctx, file, byte)
}

/// What glibc's inline `putc` calls when the buffer it never has is full.
fn overflow(ctx: Ctx) -> Answer {
    let byte = ctx.i32(1) as u8;
    let file = ctx.stream(ctx.ptr(0), 0)?;
    put(ctx, file, byte)
}

fn putchar(ctx: Ctx) -> Answer {
    let byte = ctx.i32(0) as u8;
    let file = ctx.standard_stream(1)?;
    put(ctx, file, byte)
}

fn read_line(ctx: &mut NativeCtx<'_, '_>, size: i64, file_index: usize) -> Answer {
    let place = ctx.ptr(0);
    let Some(file) = ctx.stream(ctx.ptr(file_index), file_index)? else { return null() };
    if size <= 0 {
        ctx.bad_argument(file_index - 1, &format!("the size {size} leaves no room for a NUL"))?;
        return null();
    }
    if size == 1 {
        ctx.write(place, &[0], 0)?;
        return pointer(place);
    }
    let (mut line, failed) = ctx.read_until(file, Some(b'\n'), size as usize - 1);
    if line.is_empty() || failed {
        return null();
    }
    line.push(0);
    ctx.write(place, &line, 0)?;
    pointer(place)
}

fn fgets(ctx: Ctx) -> Answer {
    let size = i64::from(ctx.i32(1));
    read_line(ctx, size, 2)
}

fn fgets_chk(ctx: Ctx) -> Answer {
    let size = i64::from(ctx.i32(2));
    read_line(ctx, size, 3)
}

/// `gets` knows no size: the write is judged when the line is known.
fn gets(ctx: Ctx) -> Answer {
    let place = ctx.ptr(0);
    let Some(file) = ctx.standard_stream(0)? else { return null() };
    let (mut line, failed) = ctx.read_until(file, Some(b'\n'), usize::MAX);
    if line.is_empty() || failed {
        return null();
    }
    if line.last() == Some(&b'\n') {
        line.pop();
    }
    ctx.write_c_string(place, &line, 0)?;
    pointer(place)
}

fn fputs(ctx: Ctx) -> Answer {
    let text = ctx.c_string(ctx.ptr(0), 0)?;
    let Some(file) = ctx.stream(ctx.ptr(1), 1)? else { return int(-1) };
    int(if ctx.write_stream(file, &text).is_ok() { 1 } else { -1 })
}

fn puts(ctx: Ctx) -> Answer {
    let mut text = ctx.c_string(ctx.ptr(0), 0)?;
    text.push(b'\n');
    let Some(file) = ctx.standard_stream(1)? else { return int(-1) };
    int(if ctx.write_stream(file, &text).is_ok() { text.len() as i32 } else { -1 })
}

fn read_block(ctx: &mut NativeCtx<'_, '_>, first: usize) -> Answer {
    let (place, size, count) = (ctx.ptr(0), ctx.size(first), ctx.size(first + 1));
    let Some(file) = ctx.stream(ctx.ptr(first + 2), first + 2)? else { return int(0) };
    let total = size.saturating_mul(count);
    if total == 0 || !ctx.check_write(place, total, 0)? {
        return int(0);
    }
    let (bytes, _) = ctx.read_until(file, None, total as usize);
    ctx.write(place, &bytes, 0)?;
    int(bytes.len() as u64 / size)
}

fn fread(ctx: Ctx) -> Answer {
    read_block(ctx, 1)
}

fn fread_chk(ctx: Ctx) -> Answer {
    read_block(ctx, 2)
}

fn fwrite(ctx: Ctx) -> Answer {
    let (place, size, count) = (ctx.ptr(0), ctx.size(1), ctx.size(2));
    let Some(file) = ctx.stream(ctx.ptr(3), 3)? else { return int(0) };
    let total = size.saturating_mul(count);
    if total == 0 {
        return int(0);
    }
    let bytes = ctx.read_any(place, total, 0)?;
    int(if ctx.write_stream(file, &bytes).is_ok() { count } else { 0 })
}

/// Reads a line into a heap buffer that grows.
fn read_delimited(ctx: &mut NativeCtx<'_, '_>, delimiter: u8, file_index: usize) -> Answer {
    let (line_place, size_place) = (ctx.ptr(0), ctx.ptr(1));
    let Some(file) = ctx.stream(ctx.ptr(file_index), file_index)? else { return int(-1) };
    let old = ctx.read_ptr(line_place, 0)?;
    let old_size = if old.is_null() { 0 } else { ctx.read_int(size_place, SIZE, 1)? as u64 };
    let (line, failed) = ctx.read_until(file, Some(delimiter), usize::MAX);
    let needed = line.len() as u64 + 1;
    let mut place = old;
    if old.is_null() || old_size < needed {
        // glibc starts with 120 bytes and at least doubles. A buffer of size 0 is none, and is forgotten.
        let size = needed.max(old_size.saturating_mul(2).min(needed.saturating_mul(2))).max(120);
        place = ctx.alloc(size, 16, false);
        if place.is_null() {
            return ctx.fail(Errno::ENOMEM);
        }
        if old_size > 0 {
            ctx.free(old, 0)?;
        }
        ctx.write_ptr(line_place, place, 0)?;
        ctx.write_int(size_place, SIZE, i128::from(size), 1)?;
    }
    if line.is_empty() || failed {
        return int(-1);
    }
    ctx.write_c_string(place, &line, 0)?;
    int(LONG.wrap(line.len() as i128))
}

fn getline(ctx: Ctx) -> Answer {
    read_delimited(ctx, b'\n', 2)
}

fn getdelim(ctx: Ctx) -> Answer {
    let delimiter = ctx.i32(2) as u8;
    read_delimited(ctx, delimiter, 3)
}

fn perror(ctx: Ctx) -> Answer {
    let place = ctx.ptr(0);
    let mut line = if place.is_null() { Vec::new() } else { ctx.c_string(place, 0)? };
    if !line.is_empty() {
        line.extend_from_slice(b": ");
    }
    line.extend_from_slice(errno::message(ctx.errno()).as_bytes());
    line.push(b'\n');
    if let Some(file) = ctx.open_standard(2) {
        let _ = ctx.write_stream(file, &line);
    }
    unit()
}

/// An indicator of a stream.
fn indicator(ctx: &mut NativeCtx<'_, '_>, read: fn(&Stream) -> bool) -> Answer {
    let Some(file) = ctx.stream(ctx.ptr(0), 0)? else { return int(0) };
    let set = ctx.on_stream(file, |stream, _| Ok(read(stream))).unwrap_or(false);
    int(i32::from(set))
}

fn feof(ctx: Ctx) -> Answer {
    indicator(ctx, |stream| stream.eof)
}

fn ferror(ctx: Ctx) -> Answer {
    indicator(ctx, |stream| stream.error)
}

fn clearerr(ctx: Ctx) -> Answer {
    if let Some(file) = ctx.stream(ctx.ptr(0), 0)? {
        let _ = ctx.on_stream(file, |stream, _| {
            (stream.eof, stream.error) = (false, false);
            Ok(())
        });
    }
    unit()
}

fn fflush(ctx: Ctx) -> Answer {
    let place = ctx.ptr(0);
    if place.is_null() {
        standard(ctx.machine);
        let good = ctx.files(|state, host| state.flush_all(host));
        return int(if good { 0 } else { -1 });
    }
    let Some(file) = ctx.stream(place, 0)? else { return int(-1) };
    let result = ctx.on_stream(file, |stream, files| stream.flush(files));
    ctx.sync_memory_stream(file)?;
    ctx.status(result)
}

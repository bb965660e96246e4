// SPDX-License-Identifier: MIT OR Apache-2.0
//! `<stdio.h>`: opening, closing, positioning and buffering of streams, and operations on files by name.

use super::Table;
use super::context::{Answer, LONG, SIZE, int, null, pointer, unit};
use super::descriptors::Handle;
use super::errno::Errno;
use super::stdio::{FILE_BYTES, standard};
use super::stream::{self, Backing, Buffering, Mode, Stream};
use crate::machine::Stop;
use crate::native::NativeCtx;
use crate::value::Pointer;

type Ctx<'a, 'm, 'p> = &'a mut NativeCtx<'m, 'p>;

/// The functions.
pub const TABLE: Table = &[
    ("fopen", fopen),
    ("fopen64", fopen),
    ("freopen", freopen),
    ("freopen64", freopen),
    ("fdopen", fdopen),
    ("fclose", fclose),
    ("fcloseall", fcloseall),
    ("fileno", fileno),
    ("fileno_unlocked", fileno),
    ("setvbuf", setvbuf),
    ("setbuf", setbuf),
    ("setbuffer", setbuffer),
    ("setlinebuf", setlinebuf),
    ("fseek", fseek),
    ("fseeko", fseek),
    ("fseeko64", fseek),
    ("ftell", ftell),
    ("ftello", ftell),
    ("ftello64", ftell),
    ("rewind", rewind),
    ("fgetpos", fgetpos),
    ("fgetpos64", fgetpos),
    ("fsetpos", fsetpos),
    ("fsetpos64", fsetpos),
    ("remove", remove),
    ("rename", rename),
    ("tmpfile", tmpfile),
    ("tmpfile64", tmpfile),
    ("tmpnam", tmpnam),
    ("tempnam", tempnam),
    ("open_memstream", open_memstream),
    ("fmemopen", fmemopen),
    ("popen", popen),
    ("pclose", pclose),
    ("fpurge", fpurge),
    ("__fpurge", fpurge),
];

/// Adds a stream with a fresh `FILE`.
fn add(ctx: &mut NativeCtx<'_, '_>, stream: Stream) -> Pointer {
    standard(ctx.machine);
    let file = ctx.alloc_static(FILE_BYTES, "a stream");
    ctx.state().streams.push((file.addr, stream));
    file
}

pub(super) fn add_descriptor(ctx: &mut NativeCtx<'_, '_>, fd: std::os::fd::OwnedFd, mode: Mode) -> Pointer {
    let number = ctx.with_files(|files| files.table.insert(Handle::System(fd), 0));
    add(ctx, Stream::new(Backing::Descriptor(number), mode, None))
}

fn fopen(ctx: Ctx) -> Answer {
    let path = ctx.c_string(ctx.ptr(0), 0)?;
    let mode = ctx.c_string(ctx.ptr(1), 1)?;
    check_mode(ctx, &mode, 1)?;
    match stream::open(&path, &mode) {
        Ok((fd, mode)) => pointer(add_descriptor(ctx, fd, mode)),
        Err(error) => ctx.fail_null(error),
    }
}

/// C leaves other modes undefined; glibc answers `EINVAL`.
pub(super) fn check_mode(ctx: &mut NativeCtx<'_, '_>, mode: &[u8], argument: usize) -> Result<(), Stop> {
    if Mode::parse(mode).is_some() {
        return Ok(());
    }
    ctx.bad_argument(argument, &format!("\"{}\" is no mode", mode.escape_ascii()))
}

fn fdopen(ctx: Ctx) -> Answer {
    let number = ctx.i32(0);
    let text = ctx.c_string(ctx.ptr(1), 1)?;
    let Some((mode, _)) = Mode::parse(&text) else { return ctx.fail_null(Errno::EINVAL) };
    if let Err(error) = ctx.with_files(|files| files.table.get(number).map(drop)) {
        return ctx.fail_null(error);
    }
    pointer(add(ctx, Stream::new(Backing::Descriptor(number), mode, None)))
}

/// Flushes a stream, takes it off the list and closes its descriptor.
fn close(ctx: &mut NativeCtx<'_, '_>, file: u64) -> Result<Result<(), Errno>, Stop> {
    let flushed = ctx.on_stream(file, |stream, files| stream.flush(files));
    ctx.sync_memory_stream(file)?;
    let state = ctx.state();
    let index = state.streams.iter().position(|(at, _)| *at == file);
    let Some((_, stream)) = index.map(|index| state.streams.remove(index)) else {
        return Ok(Err(Errno::EBADF));
    };
    state.memory_streams.remove(&file);
    let closed = match stream.descriptor() {
        Some(number) => ctx.with_files(|files| files.table.close(number)),
        None => Ok(()),
    };
    Ok(flushed.and(closed))
}

fn fclose(ctx: Ctx) -> Answer {
    let place = ctx.ptr(0);
    standard(ctx.machine);
    let Some(file) = ctx.stream(place, 0)? else { return int(-1) };
    let result = close(ctx, file)?;
    let died = ctx.machine.trace();
    ctx.memory().kill(place.prov, died);
    ctx.status(result)
}

fn fcloseall(ctx: Ctx) -> Answer {
    standard(ctx.machine);
    let files: Vec<u64> = ctx.state().streams.iter().map(|(at, _)| *at).collect();
    for file in files {
        let _ = close(ctx, file)?;
    }
    int(0)
}

fn freopen(ctx: Ctx) -> Answer {
    let (path, mode_place, place) = (ctx.ptr(0), ctx.ptr(1), ctx.ptr(2));
    let mode = ctx.c_string(mode_place, 1)?;
    check_mode(ctx, &mode, 1)?;
    let Some(file) = ctx.stream(place, 2)? else { return null() };
    if path.is_null() {
        return Err(ctx.unsupported("freopen without a file name, which changes the mode of an open stream"));
    }
    let path = ctx.c_string(path, 0)?;
    let number = ctx.on_stream(file, |stream, files| {
        let _ = stream.flush(files);
        Ok(stream.descriptor())
    });
    let (fd, mode) = match stream::open(&path, &mode) {
        Ok(opened) => opened,
        Err(error) => {
            let _ = close(ctx, file)?;
            return ctx.fail_null(error);
        }
    };
    let wanted = number.ok().flatten();
    let number = ctx.with_files(|files| match wanted {
        // The new file keeps the descriptor's number, so that stdout stays 1.
        Some(number) if number >= 0 => {
            files.table.put(Handle::System(fd), number as usize);
            number
        }
        _ => files.table.insert(Handle::System(fd), 0),
    });
    let stderr = ctx.state().standard.is_some_and(|files| files[2].addr == file);
    let buffering = stderr.then_some(Buffering::None);
    let fresh = Stream::new(Backing::Descriptor(number), mode, buffering);
    if let Some((_, stream)) = ctx.state().streams.iter_mut().find(|(at, _)| *at == file) {
        *stream = fresh;
    }
    pointer(place)
}

fn fileno(ctx: Ctx) -> Answer {
    let Some(file) = ctx.stream(ctx.ptr(0), 0)? else { return int(-1) };
    match ctx.on_stream(file, |stream, _| Ok(stream.descriptor())) {
        Ok(Some(number)) => int(number),
        _ => ctx.fail(Errno::EBADF),
    }
}

/// With a buffer of the program's, or null.
fn set_buffering(
    ctx: &mut NativeCtx<'_, '_>,
    buffering: Buffering,
    size: Option<u64>,
    buffer: Pointer,
) -> Result<bool, Stop> {
    let Some(file) = ctx.stream(ctx.ptr(0), 0)? else { return Ok(false) };
    let size = size.and_then(|size| usize::try_from(size).ok());
    let done = ctx.on_stream(file, |stream, files| {
        if buffering == Buffering::None {
            stream.flush_output(files)?;
        }
        stream.set_buffering(buffering, size);
        stream.lend(buffer);
        Ok(())
    });
    Ok(done.is_ok())
}

/// What waits to be written shows in the program's buffer, as in glibc; what was read ahead does not.
fn setvbuf(ctx: Ctx) -> Answer {
    let (buffer, mode, size) = (ctx.ptr(1), ctx.i32(2), ctx.size(3));
    let buffering = match mode {
        0 => Buffering::Full,
        1 => Buffering::Line,
        2 => Buffering::None,
        _ => {
            ctx.bad_argument(2, &format!("{mode} is no way of buffering"))?;
            return int(-1);
        }
    };
    if !buffer.is_null() && mode != 2 {
        ctx.check_write(buffer, size, 1)?;
    }
    let size = (!buffer.is_null()).then_some(size);
    let lent = if mode == 2 { Pointer::NULL } else { buffer };
    int(if set_buffering(ctx, buffering, size, lent)? { 0 } else { -1 })
}

/// `BUFSIZ`
const BUFFER_BYTES: u64 = 8192;

fn setbuf(ctx: Ctx) -> Answer {
    let buffer = ctx.ptr(1);
    if buffer.is_null() {
        set_buffering(ctx, Buffering::None, None, Pointer::NULL)?;
    } else {
        ctx.check_write(buffer, BUFFER_BYTES, 1)?;
        set_buffering(ctx, Buffering::Full, Some(BUFFER_BYTES), buffer)?;
    }
    unit()
}

fn setbuffer(ctx: Ctx) -> Answer {
    let (buffer, size) = (ctx.ptr(1), ctx.size(2));
    if buffer.is_null() {
        set_buffering(ctx, Buffering::None, None, Pointer::NULL)?;
    } else {
        ctx.check_write(buffer, size, 1)?;
        set_buffering(ctx, Buffering::Full, Some(size), buffer)?;
    }
    unit()
}

fn setlinebuf(ctx: Ctx) -> Answer {
    set_buffering(ctx, Buffering::Line, None, Pointer::NULL)?;
    unit()
}

fn fseek(ctx: Ctx) -> Answer {
    let (offset, whence) = (ctx.i64(1), ctx.i32(2));
    let Some(file) = ctx.stream(ctx.ptr(0), 0)? else { return int(-1) };
    if !(0..=2).contains(&whence) {
        return ctx.fail(Errno::EINVAL);
    }
    let result = ctx.on_stream(file, |stream, files| stream.seek(files, offset, whence));
    ctx.sync_memory_stream(file)?;
    ctx.status(result)
}

fn ftell(ctx: Ctx) -> Answer {
    let Some(file) = ctx.stream(ctx.ptr(0), 0)? else { return int(-1) };
    match ctx.on_stream(file, |stream, files| stream.tell(files)) {
        Ok(at) => int(at),
        Err(error) => ctx.fail(error),
    }
}

fn rewind(ctx: Ctx) -> Answer {
    if let Some(file) = ctx.stream(ctx.ptr(0), 0)? {
        let result = ctx.on_stream(file, |stream, files| {
            stream.seek(files, 0, 0)?;
            stream.error = false;
            Ok(())
        });
        if let Err(error) = result {
            ctx.set_errno(error.0);
        }
    }
    unit()
}

/// `fpos_t` starts with the offset; the rest is the shift state, which the C locale does not have.
fn fgetpos(ctx: Ctx) -> Answer {
    let place = ctx.ptr(1);
    let Some(file) = ctx.stream(ctx.ptr(0), 0)? else { return int(-1) };
    match ctx.on_stream(file, |stream, files| stream.tell(files)) {
        Ok(at) => {
            ctx.fill(place, 0, 16, 1)?;
            ctx.write_int(place, LONG, i128::from(at), 1)?;
            int(0)
        }
        Err(error) => ctx.fail(error),
    }
}

fn fsetpos(ctx: Ctx) -> Answer {
    let Some(file) = ctx.stream(ctx.ptr(0), 0)? else { return int(-1) };
    let at = ctx.read_int(ctx.ptr(1), LONG, 1)? as i64;
    let result = ctx.on_stream(file, |stream, files| stream.seek(files, at, 0));
    ctx.status(result)
}

fn fpurge(ctx: Ctx) -> Answer {
    Err(ctx.unsupported("fpurge"))
}

fn remove(ctx: Ctx) -> Answer {
    let path = ctx.c_string(ctx.ptr(0), 0)?;
    let result = match rustix::fs::unlink(&path[..]) {
        Err(rustix::io::Errno::ISDIR) => rustix::fs::rmdir(&path[..]),
        other => other,
    };
    ctx.status(result.map_err(Errno::from))
}

fn rename(ctx: Ctx) -> Answer {
    let from = ctx.c_string(ctx.ptr(0), 0)?;
    let to = ctx.c_string(ctx.ptr(1), 1)?;
    let result = rustix::fs::rename(&from[..], &to[..]);
    ctx.status(result.map_err(Errno::from))
}

/// A file without a name, as glibc makes it.
fn tmpfile(ctx: Ctx) -> Answer {
    use rustix::fs::{Mode as FileMode, OFlags};
    let flags = OFlags::RDWR | OFlags::TMPFILE;
    let opened = rustix::fs::open(std::env::temp_dir(), flags, FileMode::from_raw_mode(0o600));
    match opened {
        Ok(fd) => {
            let mode = Mode { read: true, write: true, append: false };
            pointer(add_descriptor(ctx, fd, mode))
        }
        Err(error) => ctx.fail_null(error.into()),
    }
}

/// A name that no file has now.
fn fresh_name(prefix: &str) -> Vec<u8> {
    let directory = std::env::temp_dir();
    let process = std::process::id();
    let mut count = 0u32;
    loop {
        let path = directory.join(format!("{prefix}{process:x}{count:x}"));
        if !path.exists() {
            return std::os::unix::ffi::OsStringExt::into_vec(path.into_os_string());
        }
        count += 1;
    }
}

fn tmpnam(ctx: Ctx) -> Answer {
    let place = ctx.ptr(0);
    let name = fresh_name("file");
    if place.is_null() {
        return pointer(ctx.static_text("the result of tmpnam", &name));
    }
    ctx.write_c_string(place, &name, 0)?;
    pointer(place)
}

fn tempnam(ctx: Ctx) -> Answer {
    let prefix = ctx.ptr(1);
    let prefix = if prefix.is_null() { b"file".to_vec() } else { ctx.c_string_n(prefix, 5, 1)? };
    let name = fresh_name(&String::from_utf8_lossy(&prefix));
    pointer(ctx.heap_string(&name))
}

fn open_memstream(ctx: Ctx) -> Answer {
    let (text_place, size_place) = (ctx.ptr(0), ctx.ptr(1));
    ctx.check_write(text_place, 8, 0)?;
    ctx.check_write(size_place, 8, 1)?;
    let mode = Mode { read: false, write: true, append: false };
    let backing = Backing::Memory { bytes: Vec::new(), at: 0 };
    let file = add(ctx, Stream::new(backing, mode, Some(Buffering::Full)));
    ctx.state().memory_streams.insert(file.addr, (text_place, size_place));
    ctx.sync_memory_stream(file.addr)?;
    pointer(file)
}

impl NativeCtx<'_, '_> {
    /// Hands what an `open_memstream` stream holds to the program, as a flush does.
    pub fn sync_memory_stream(&mut self, file: u64) -> Result<(), Stop> {
        let Some((text_place, size_place)) = self.state().memory_streams.get(&file).copied() else {
            return Ok(());
        };
        // No call is to blame: the obligation that they last stands at `open_memstream`.
        if [text_place, size_place].iter().any(|place| self.memory().live(place.prov).is_none()) {
            return Err(self.unsupported("a stream of open_memstream whose variables no longer exist"));
        }
        let text = self.on_stream(file, |stream, _| match stream.backing() {
            Backing::Memory { bytes, .. } => Ok(bytes.clone()),
            Backing::Descriptor(_) => Err(Errno::EBADF),
        });
        let Ok(text) = text else { return Ok(()) };
        let old = self.read_ptr_raw(text_place);
        let place = self.heap_string(&text);
        if !old.is_null() && self.machine.judge_free(old).is_none() {
            self.free(old, 0)?;
        }
        self.write_ptr(text_place, place, 0)?;
        self.write_int(size_place, SIZE, text.len() as i128, 1)
    }

    /// The pointer at a place, whatever is known of it.
    fn read_ptr_raw(&mut self, place: Pointer) -> Pointer {
        let memory = self.memory();
        if memory.is_initialised(place, 8, None) { memory.read_pointer(place) } else { Pointer::NULL }
    }
}

/// Only for reading: what is written would have to reach the program's buffer at once.
fn fmemopen(ctx: Ctx) -> Answer {
    let (buffer, size) = (ctx.ptr(0), ctx.size(1));
    let mode = ctx.c_string(ctx.ptr(2), 2)?;
    if mode.first() != Some(&b'r') || mode.contains(&b'+') || buffer.is_null() {
        return Err(ctx.unsupported("fmemopen for writing"));
    }
    let bytes = ctx.read_any(buffer, size, 0)?;
    let mode = Mode { read: true, write: false, append: false };
    let backing = Backing::Memory { bytes, at: 0 };
    pointer(add(ctx, Stream::new(backing, mode, Some(Buffering::Full))))
}

fn popen(ctx: Ctx) -> Answer {
    Err(ctx.unsupported("popen: other programs are not started"))
}

fn pclose(ctx: Ctx) -> Answer {
    Err(ctx.unsupported("pclose: other programs are not started"))
}

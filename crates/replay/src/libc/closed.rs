// SPDX-License-Identifier: MIT OR Apache-2.0
//! The functions that reach outside, under a closed host: nothing of the system is read or changed, and what a program
//! learns comes from the host. Files live in memory; what would change the system fails, as it may.

use clew_base::int::IntType;
use clew_ir::types::Class;
use clew_ir::witness::InputKind;
use rustix::fs::{MemfdFlags, OFlags, SeekFrom};
use std::os::fd::OwnedFd;

use super::Table;
use super::context::{Answer, LONG, int, pointer};
use super::descriptors::Handle;
use super::errno::Errno;
use super::stream::Mode;
use crate::machine::Stop;
use crate::native::NativeCtx;
use crate::value::Pointer;

type Ctx<'a, 'm, 'p> = &'a mut NativeCtx<'m, 'p>;

/// The functions that differ from those of an open host.
pub const TABLE: Table = &[
    ("fopen", fopen),
    ("fopen64", fopen),
    ("freopen", refuse_null),
    ("freopen64", refuse_null),
    ("open", open),
    ("open64", open),
    ("__open_2", open),
    ("__open64_2", open),
    ("openat", refuse),
    ("openat64", refuse),
    ("creat", creat),
    ("creat64", creat),
    ("flock", succeed),
    ("ioctl", refuse),
    ("truncate", refuse),
    ("truncate64", refuse),
    ("sync", succeed),
    ("unlink", refuse),
    ("unlinkat", refuse),
    ("rmdir", refuse),
    ("link", refuse),
    ("symlink", refuse),
    ("readlink", readlink),
    ("access", refuse),
    ("euidaccess", refuse),
    ("faccessat", refuse),
    ("chown", refuse),
    ("fchown", refuse),
    ("lchown", refuse),
    ("chdir", refuse),
    ("fchdir", refuse),
    ("getcwd", getcwd),
    ("__getcwd_chk", getcwd),
    ("get_current_dir_name", new_text),
    ("ttyname", refuse_null),
    ("getpid", identity),
    ("getppid", identity),
    ("getpgrp", identity),
    ("getuid", identity),
    ("geteuid", identity),
    ("getgid", identity),
    ("getegid", identity),
    ("gettid", identity),
    ("gethostname", gethostname),
    ("uname", refuse),
    ("getlogin", refuse_null),
    ("nice", refuse),
    ("setuid", refuse),
    ("setgid", refuse),
    ("getrandom", refuse),
    ("getentropy", refuse),
    ("arc4random", arc4random),
    ("stat", refuse),
    ("stat64", refuse),
    ("__xstat", refuse),
    ("__xstat64", refuse),
    ("lstat", refuse),
    ("lstat64", refuse),
    ("__lxstat", refuse),
    ("__lxstat64", refuse),
    ("fstatat", refuse),
    ("fstatat64", refuse),
    ("chmod", refuse),
    ("fchmod", refuse),
    ("umask", succeed),
    ("mkdir", refuse),
    ("utime", refuse),
    ("utimes", refuse),
    ("utimensat", refuse),
    ("futimens", refuse),
    ("opendir", refuse_null),
    ("fdopendir", refuse_null),
    ("remove", refuse),
    ("rename", refuse),
    ("tmpfile", refuse_null),
    ("tmpfile64", refuse_null),
    ("tmpnam", refuse_null),
    ("tempnam", refuse_null),
    ("realpath", realpath),
    ("__realpath_chk", realpath),
    ("canonicalize_file_name", canonicalize),
    ("mkstemp", refuse),
    ("mkstemp64", refuse),
    ("mkdtemp", refuse_null),
    ("getloadavg", refuse),
    ("getenv", getenv),
    ("secure_getenv", getenv),
    ("__secure_getenv", getenv),
    ("rand", rand),
    ("random", rand),
    ("time", time),
    ("clock", clock),
    ("gettimeofday", gettimeofday),
    ("clock_gettime", clock_gettime),
    ("timespec_get", timespec_get),
    ("times", clock),
    ("getrusage", refuse),
    ("nanosleep", succeed),
    ("sleep", succeed),
    ("usleep", succeed),
];

fn refuse(ctx: Ctx) -> Answer {
    ctx.fail(Errno::EACCES)
}

fn refuse_null(ctx: Ctx) -> Answer {
    ctx.fail_null(Errno::EACCES)
}

fn succeed(_: Ctx) -> Answer {
    int(0)
}

/// What the system answers the function that is called, up to a zero.
fn answered(ctx: &mut NativeCtx<'_, '_>) -> Option<Vec<u8>> {
    let name = ctx.name();
    let name = name.strip_prefix("__builtin_").unwrap_or(name);
    let name = name.strip_prefix("__").and_then(|name| name.strip_suffix("_chk")).unwrap_or(name);
    let mut text = ctx.host().system(name)?;
    text.truncate(text.iter().position(|byte| *byte == 0).unwrap_or(text.len()));
    Some(text)
}

/// The buffer must be as large as the caller says, whatever the folder is called.
fn getcwd(ctx: Ctx) -> Answer {
    let (place, size) = (ctx.ptr(0), ctx.size(1));
    if !place.is_null() {
        ctx.check_write(place, size, 0)?;
    }
    let text = answered(ctx).unwrap_or_else(|| b"/".to_vec());
    let is_any_size = place.is_null() && size == 0;
    if !is_any_size && size <= text.len() as u64 {
        return ctx.fail_null(Errno::ERANGE);
    }
    if place.is_null() {
        return pointer(ctx.heap_string(&text));
    }
    ctx.write_c_string(place, &text, 0)?;
    pointer(place)
}

/// As many bytes as there is room for, and no zero behind them.
fn readlink(ctx: Ctx) -> Answer {
    let (place, size) = (ctx.ptr(1), ctx.size(2));
    ctx.c_string(ctx.ptr(0), 0)?;
    ctx.check_write(place, size, 1)?;
    match answered(ctx) {
        Some(mut target) if size > 0 => {
            target.truncate(size as usize);
            ctx.write(place, &target, 1)?;
            int(target.len() as i64)
        }
        Some(_) => ctx.fail(Errno::EINVAL),
        None => ctx.fail(Errno::EACCES),
    }
}

fn gethostname(ctx: Ctx) -> Answer {
    let (place, size) = (ctx.ptr(0), ctx.size(1));
    ctx.check_write(place, size, 0)?;
    match answered(ctx) {
        Some(name) if (name.len() as u64) < size => {
            ctx.write_c_string(place, &name, 0)?;
            int(0)
        }
        Some(name) => {
            ctx.write(place, &name[..size as usize], 0)?;
            ctx.fail(Errno::ENAMETOOLONG)
        }
        None => ctx.fail(Errno::EACCES),
    }
}

/// A text that the caller frees.
fn new_text(ctx: Ctx) -> Answer {
    match answered(ctx) {
        Some(text) => pointer(ctx.heap_string(&text)),
        None => ctx.fail_null(Errno::EACCES),
    }
}

fn canonicalize(ctx: Ctx) -> Answer {
    ctx.c_string(ctx.ptr(0), 0)?;
    new_text(ctx)
}

/// No name is longer than `PATH_MAX`, with its zero.
fn realpath(ctx: Ctx) -> Answer {
    const PATH_MAX: usize = 4096;
    let place = ctx.ptr(1);
    if ctx.ptr(0).is_null() {
        return ctx.fail_null(Errno::EINVAL);
    }
    ctx.c_string(ctx.ptr(0), 0)?;
    match answered(ctx) {
        Some(text) if text.len() >= PATH_MAX => ctx.fail_null(Errno::ENAMETOOLONG),
        Some(text) if place.is_null() => pointer(ctx.heap_string(&text)),
        Some(text) => {
            ctx.write_c_string(place, &text, 1)?;
            pointer(place)
        }
        None => ctx.fail_null(Errno::EACCES),
    }
}

/// Of a process, a user or a group: the same in every run.
fn identity(_: Ctx) -> Answer {
    int(1000)
}

/// A file in memory that holds these bytes, to be read from its start.
pub(super) fn file_of(bytes: &[u8]) -> Result<OwnedFd, Errno> {
    let fd = rustix::fs::memfd_create("clew", MemfdFlags::CLOEXEC)?;
    let mut rest = bytes;
    while !rest.is_empty() {
        let written = rustix::io::write(&fd, rest)?;
        rest = &rest[written..];
    }
    rustix::fs::seek(&fd, SeekFrom::Start(0))?;
    Ok(fd)
}

/// What opening a file for reading or writing gives. One that is made anew is empty.
fn opened(ctx: &mut NativeCtx<'_, '_>, path: &[u8], flags: OFlags) -> Result<OwnedFd, Errno> {
    let is_new = flags.contains(OFlags::CREATE) && flags.contains(OFlags::TRUNC);
    let found = if is_new { None } else { ctx.host().file(path) };
    match found {
        Some(bytes) => file_of(&bytes),
        None if flags.contains(OFlags::CREATE) => file_of(&[]),
        None => Err(Errno::ENOENT),
    }
}

fn fopen(ctx: Ctx) -> Answer {
    let path = ctx.c_string(ctx.ptr(0), 0)?;
    let text = ctx.c_string(ctx.ptr(1), 1)?;
    super::stdio_files::check_mode(ctx, &text, 1)?;
    let Some((mode, flags)) = Mode::parse(&text) else { return ctx.fail_null(Errno::EINVAL) };
    match opened(ctx, &path, flags) {
        Ok(fd) => pointer(super::stdio_files::add_descriptor(ctx, fd, mode)),
        Err(error) => ctx.fail_null(error),
    }
}

fn descriptor(ctx: &mut NativeCtx<'_, '_>, flags: OFlags) -> Answer {
    let path = ctx.c_string(ctx.ptr(0), 0)?;
    match opened(ctx, &path, flags) {
        Ok(fd) => int(ctx.with_files(|files| files.table.insert(Handle::System(fd), 0))),
        Err(error) => ctx.fail(error),
    }
}

fn open(ctx: Ctx) -> Answer {
    let flags = OFlags::from_bits_retain(ctx.i32(1) as u32);
    descriptor(ctx, flags)
}

fn creat(ctx: Ctx) -> Answer {
    descriptor(ctx, OFlags::CREATE | OFlags::TRUNC)
}

fn getenv(ctx: Ctx) -> Answer {
    let name = ctx.c_string(ctx.ptr(0), 0)?;
    if super::environment::find(ctx, &name).is_none()
        && let Some(value) = ctx.host().variable(&name)
    {
        super::environment::set(ctx, &name, &value);
    }
    super::environment::getenv(ctx)
}

fn rand(ctx: Ctx) -> Answer {
    if let Some(known) = ctx.state().drawn.next() {
        return int(known);
    }
    match ctx.ask(InputKind::Random, Class::Int(IntType::unsigned(31))) {
        Some(value) => {
            let number = (value & 0x7fff_ffff) as i64;
            ctx.state().drawn.push(number);
            int(number)
        }
        None => super::stdlib::rand(ctx),
    }
}

fn arc4random(ctx: Ctx) -> Answer {
    int(ctx.ask(InputKind::Random, Class::Int(IntType::U32)).unwrap_or(0) as u32)
}

/// What a clock says, in seconds.
fn now(ctx: &mut NativeCtx<'_, '_>) -> i64 {
    ctx.ask(InputKind::Time, Class::Int(LONG)).unwrap_or(0) as i64
}

fn time(ctx: Ctx) -> Answer {
    let (seconds, place) = (now(ctx), ctx.ptr(0));
    if !place.is_null() {
        ctx.write_int(place, LONG, i128::from(seconds), 0)?;
    }
    int(seconds)
}

/// Processor time, which only grows.
fn clock(ctx: Ctx) -> Answer {
    let ticks = now(ctx);
    int(forward(ctx, PROCESS_TIME, ticks))
}

const PROCESS_TIME: i32 = 2;
/// Clocks that may be set: `CLOCK_REALTIME`, its coarse one, its alarm, and `CLOCK_TAI`.
const SETTABLE: [i32; 4] = [0, 5, 8, 11];

/// What a clock that cannot be set shows: never less than before.
fn forward(ctx: &mut NativeCtx<'_, '_>, clock: i32, shown: i64) -> i64 {
    let last = ctx.state().clocks.entry(clock).or_insert(0);
    *last = shown.max(*last);
    *last
}

fn put_time(
    ctx: &mut NativeCtx<'_, '_>,
    clock: Option<i32>,
    place: Pointer,
    argument: usize,
) -> Result<(), Stop> {
    let mut seconds = now(ctx);
    if let Some(clock) = clock.filter(|clock| !SETTABLE.contains(clock)) {
        seconds = forward(ctx, clock, seconds);
    }
    if !place.is_null() {
        ctx.write_int(place, LONG, i128::from(seconds), argument)?;
        ctx.write_int(place.add(8), LONG, 0, argument)?;
    }
    Ok(())
}

fn gettimeofday(ctx: Ctx) -> Answer {
    let place = ctx.ptr(0);
    put_time(ctx, None, place, 0)?;
    int(0)
}

fn clock_gettime(ctx: Ctx) -> Answer {
    let (clock, place) = (ctx.i32(0), ctx.ptr(1));
    put_time(ctx, Some(clock), place, 1)?;
    int(0)
}

fn timespec_get(ctx: Ctx) -> Answer {
    let place = ctx.ptr(0);
    put_time(ctx, None, place, 0)?;
    int(ctx.i32(1))
}

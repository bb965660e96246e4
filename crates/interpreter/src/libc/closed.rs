// SPDX-License-Identifier: MIT OR Apache-2.0
//! The functions that reach outside, under a closed host: nothing of the system is read or changed, and what a program
//! learns comes from the host. Files live in memory; what would change the system fails, as it may.

use clew_base::int::IntType;
use clew_ir::types::Class;
use clew_ir::witness::InputKind;

use super::Table;
use super::closed_files as files;
use super::context::{Answer, LONG, int, pointer};
use super::errno::Errno;
use crate::machine::Stop;
use crate::native::NativeCtx;
use crate::value::Pointer;

type Ctx<'a, 'm, 'p> = &'a mut NativeCtx<'m, 'p>;

/// The functions that differ from those of an open host.
pub const TABLE: Table = &[
    ("fopen", files::fopen),
    ("fopen64", files::fopen),
    ("freopen", freopen),
    ("freopen64", freopen),
    ("open", files::open),
    ("open64", files::open),
    ("__open_2", files::open),
    ("__open64_2", files::open),
    ("openat", |c| files::refuse(c, 1)),
    ("openat64", |c| files::refuse(c, 1)),
    ("creat", files::creat),
    ("creat64", files::creat),
    ("flock", succeed),
    ("ioctl", refuse),
    ("truncate", |c| files::refuse(c, 0)),
    ("truncate64", |c| files::refuse(c, 0)),
    ("sync", succeed),
    ("unlink", files::remove),
    ("unlinkat", |c| files::refuse(c, 1)),
    ("rmdir", refuse),
    ("link", |c| files::refuse(c, 0)),
    ("symlink", |c| files::refuse(c, 1)),
    ("readlink", readlink),
    ("access", files::access),
    ("euidaccess", files::access),
    ("faccessat", |c| files::refuse(c, 1)),
    ("chown", |c| files::refuse(c, 0)),
    ("fchown", refuse),
    ("lchown", |c| files::refuse(c, 0)),
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
    ("stat", |c| files::refuse(c, 0)),
    ("stat64", |c| files::refuse(c, 0)),
    ("__xstat", |c| files::refuse(c, 1)),
    ("__xstat64", |c| files::refuse(c, 1)),
    ("lstat", |c| files::refuse(c, 0)),
    ("lstat64", |c| files::refuse(c, 0)),
    ("__lxstat", |c| files::refuse(c, 1)),
    ("__lxstat64", |c| files::refuse(c, 1)),
    ("fstatat", |c| files::refuse(c, 1)),
    ("fstatat64", |c| files::refuse(c, 1)),
    ("chmod", |c| files::refuse(c, 0)),
    ("fchmod", refuse),
    ("umask", succeed),
    ("mkdir", refuse),
    ("utime", |c| files::refuse(c, 0)),
    ("utimes", |c| files::refuse(c, 0)),
    ("utimensat", |c| files::refuse(c, 1)),
    ("futimens", refuse),
    ("opendir", refuse_null),
    ("fdopendir", refuse_null),
    ("remove", files::remove),
    ("rename", files::rename),
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
    ("setenv", setenv),
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

/// Refused like [`files::refuse`]; without a name it is about the stream's own file, which has none here.
fn freopen(ctx: Ctx) -> Answer {
    if !ctx.ptr(0).is_null() {
        files::refuse(ctx, 0)?;
    }
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

/// A variable that the host knows was there from the start, though nobody sees it before it is asked for: the program
/// has not changed it yet.
fn found(ctx: &mut NativeCtx<'_, '_>, name: &[u8]) {
    if super::environment::may_come(ctx, name)
        && let Some(value) = ctx.host().variable(name)
    {
        super::environment::set(ctx, name, &value);
    }
}

fn getenv(ctx: Ctx) -> Answer {
    let name = ctx.c_string(ctx.ptr(0), 0)?;
    found(ctx, &name);
    super::environment::getenv(ctx)
}

/// Whether it changes anything may depend on what is there.
fn setenv(ctx: Ctx) -> Answer {
    let name = ctx.c_string(ctx.ptr(0), 0)?;
    if ctx.i32(2) == 0 {
        found(ctx, &name);
    }
    super::environment::setenv(ctx)
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

/// The last second that Linux's clocks can show: they count nanoseconds in 64 bits. `models/libc/time.c` says the same.
const LAST_SECOND: i128 = 9_223_372_036;

/// What a clock says, between these.
fn now(ctx: &mut NativeCtx<'_, '_>, least: i128, most: i128) -> i64 {
    ctx.ask_within(InputKind::Time, LONG, (least, most)).unwrap_or(0) as i64
}

/// It may be that nobody knows.
fn time(ctx: Ctx) -> Answer {
    let (seconds, place) = (now(ctx, -1, LAST_SECOND), ctx.ptr(0));
    if !place.is_null() {
        ctx.write_int(place, LONG, i128::from(seconds), 0)?;
    }
    int(seconds)
}

/// Processor time in millionths, which only grows. That nobody knows it (-1), now or ever, is left to proofs.
fn clock(ctx: Ctx) -> Answer {
    let ticks = now(ctx, 0, LAST_SECOND * 1_000_000);
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
    let mut seconds = now(ctx, 0, LAST_SECOND);
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

// SPDX-License-Identifier: MIT OR Apache-2.0
//! `<fcntl.h>` and `<sys/file.h>`: opening files and what can be asked of descriptors.
//!
//! Record locks always succeed: a run is one process, and other processes are not kept out. `flock` is the system's.

use clew_base::int::IntType;
use rustix::fs::{self, FlockOperation, Mode, OFlags};
use rustix::io::FdFlags;

use super::Table;
use super::context::{Answer, int};
use super::descriptors::Handle;
use super::errno::Errno;
use crate::native::NativeCtx;

type Ctx<'a, 'm, 'p> = &'a mut NativeCtx<'m, 'p>;

/// The functions.
pub const TABLE: Table = &[
    ("open", open),
    ("open64", open),
    ("__open_2", open),
    ("__open64_2", open),
    ("openat", openat),
    ("openat64", openat),
    ("creat", creat),
    ("creat64", creat),
    ("fcntl", fcntl),
    ("fcntl64", fcntl),
    ("flock", flock),
    ("lockf", lockf),
    ("posix_fallocate", posix_fallocate),
    ("posix_fadvise", posix_fadvise),
    ("ioctl", ioctl),
];

fn opened(ctx: &mut NativeCtx<'_, '_>, fd: Result<std::os::fd::OwnedFd, Errno>) -> Answer {
    match fd {
        Ok(fd) => int(ctx.with_files(|files| files.table.insert(Handle::System(fd), 0))),
        Err(error) => ctx.fail(error),
    }
}

fn flags(bits: i32) -> OFlags {
    // The interpreter's own descriptors must not leak into anything, whatever the program asks.
    OFlags::from_bits_retain(bits as u32) | OFlags::CLOEXEC
}

fn open(ctx: Ctx) -> Answer {
    let path = ctx.c_string(ctx.ptr(0), 0)?;
    let mode = Mode::from_raw_mode(ctx.int(2) as u32);
    let fd = fs::open(&path[..], flags(ctx.i32(1)), mode);
    opened(ctx, fd.map_err(Errno::from))
}

fn openat(ctx: Ctx) -> Answer {
    let (directory, bits) = (ctx.i32(0), ctx.i32(2));
    let path = ctx.c_string(ctx.ptr(1), 1)?;
    let mode = Mode::from_raw_mode(ctx.int(3) as u32);
    let fd = ctx.in_directory(directory, |at| fs::openat(at, &path[..], flags(bits), mode));
    opened(ctx, fd)
}

fn creat(ctx: Ctx) -> Answer {
    let path = ctx.c_string(ctx.ptr(0), 0)?;
    let mode = Mode::from_raw_mode(ctx.int(1) as u32);
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::TRUNC | OFlags::CLOEXEC;
    let fd = fs::open(&path[..], flags, mode);
    opened(ctx, fd.map_err(Errno::from))
}

fn fcntl(ctx: Ctx) -> Answer {
    let (number, command) = (ctx.i32(0), ctx.i32(1));
    if let Err(error) = ctx.with_files(|files| files.table.get(number).map(drop)) {
        return ctx.fail(error);
    }
    match command {
        // F_DUPFD, F_DUPFD_CLOEXEC
        0 | 1030 => duplicate(ctx, number),
        // F_GETFD, F_SETFD: close-on-exec means nothing where nothing is executed.
        1 => int(FdFlags::empty().bits() as i32),
        2 => int(0),
        3 => get_flags(ctx, number),
        4 => set_flags(ctx, number),
        // F_GETLK: nobody else holds a lock.
        5 | 36 => {
            let place = ctx.ptr(2);
            ctx.write_int(place, IntType::I16, 2, 2)?;
            int(0)
        }
        // F_SETLK, F_SETLKW and their variants for open file descriptions.
        6 | 7 | 37 | 38 => {
            let place = ctx.ptr(2);
            ctx.check_read(place, 32, 2)?;
            int(0)
        }
        _ => ctx.fail(Errno::EINVAL),
    }
}

fn duplicate(ctx: &mut NativeCtx<'_, '_>, number: i32) -> Answer {
    let least = ctx.i32(2);
    let Ok(least) = usize::try_from(least) else { return ctx.fail(Errno::EINVAL) };
    let copy = ctx.with_files(|files| {
        let copy = files.table.get(number)?.duplicate()?;
        Ok(files.table.insert(copy, least))
    });
    match copy {
        Ok(number) => int(number),
        Err(error) => ctx.fail(error),
    }
}

fn get_flags(ctx: &mut NativeCtx<'_, '_>, number: i32) -> Answer {
    let flags = ctx.with_files(|files| match files.table.get(number)? {
        Handle::Host(0) => Ok(OFlags::RDONLY),
        Handle::Host(_) => Ok(OFlags::WRONLY),
        Handle::System(fd) | Handle::Socket(fd) => Ok(fs::fcntl_getfl(fd)?),
    });
    match flags {
        Ok(flags) => int(flags.bits() as i32),
        Err(error) => ctx.fail(error),
    }
}

fn set_flags(ctx: &mut NativeCtx<'_, '_>, number: i32) -> Answer {
    let bits = OFlags::from_bits_retain(ctx.i32(2) as u32);
    let result = ctx.with_files(|files| match files.table.get(number)? {
        Handle::Host(_) => Ok(()),
        Handle::System(fd) | Handle::Socket(fd) => Ok(fs::fcntl_setfl(fd, bits)?),
    });
    ctx.status(result)
}

fn flock(ctx: Ctx) -> Answer {
    let (number, operation) = (ctx.i32(0), ctx.i32(1));
    let operation = match operation {
        1 => FlockOperation::LockShared,
        2 => FlockOperation::LockExclusive,
        5 => FlockOperation::NonBlockingLockShared,
        6 => FlockOperation::NonBlockingLockExclusive,
        8 => FlockOperation::Unlock,
        _ => return ctx.fail(Errno::EINVAL),
    };
    let result = ctx.with_files(|files| Ok(fs::flock(files.table.system(number)?, operation)?));
    ctx.status(result)
}

fn lockf(ctx: Ctx) -> Answer {
    let number = ctx.i32(0);
    let result = ctx.with_files(|files| files.table.get(number).map(drop));
    ctx.status(result)
}

/// The result is an error number; `errno` stays as it was.
fn posix_fallocate(ctx: Ctx) -> Answer {
    let (number, offset, length) = (ctx.i32(0), ctx.i64(1), ctx.i64(2));
    let (Ok(offset), Ok(length)) = (u64::try_from(offset), u64::try_from(length)) else {
        return int(Errno::EINVAL.0);
    };
    let result = ctx.with_files(|files| {
        let fd = files.table.system(number)?;
        Ok::<(), Errno>(fs::fallocate(fd, fs::FallocateFlags::empty(), offset, length)?)
    });
    int(result.err().map_or(0, |error| error.0))
}

fn posix_fadvise(_: Ctx) -> Answer {
    int(0)
}

/// No device here knows any request.
fn ioctl(ctx: Ctx) -> Answer {
    let number = ctx.i32(0);
    let known = ctx.with_files(|files| files.table.get(number).map(drop));
    ctx.fail(known.err().unwrap_or(Errno::ENOTTY))
}

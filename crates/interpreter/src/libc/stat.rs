// SPDX-License-Identifier: MIT OR Apache-2.0
//! `<sys/stat.h>`: what the system knows of files.

use rustix::fs::{self, AtFlags, Mode, Stat, Timespec, Timestamps};

use super::Table;
use super::context::{Answer, LONG, int};
use super::descriptors::{Handle, Io};
use super::errno::Errno;
use crate::machine::Stop;
use crate::native::NativeCtx;
use crate::value::Pointer;

type Ctx<'a, 'm, 'p> = &'a mut NativeCtx<'m, 'p>;

/// The functions. The `__x` ones of old headers have a version in front.
pub const TABLE: Table = &[
    ("stat", |c| stat_path(c, 0, true)),
    ("stat64", |c| stat_path(c, 0, true)),
    ("__xstat", |c| stat_path(c, 1, true)),
    ("__xstat64", |c| stat_path(c, 1, true)),
    ("lstat", |c| stat_path(c, 0, false)),
    ("lstat64", |c| stat_path(c, 0, false)),
    ("__lxstat", |c| stat_path(c, 1, false)),
    ("__lxstat64", |c| stat_path(c, 1, false)),
    ("fstat", |c| stat_descriptor(c, 0)),
    ("fstat64", |c| stat_descriptor(c, 0)),
    ("__fxstat", |c| stat_descriptor(c, 1)),
    ("__fxstat64", |c| stat_descriptor(c, 1)),
    ("fstatat", fstatat),
    ("fstatat64", fstatat),
    ("chmod", chmod),
    ("fchmod", fchmod),
    ("umask", umask),
    ("mkdir", mkdir),
    ("utime", utime),
    ("utimes", utimes),
    ("utimensat", utimensat),
    ("futimens", futimens),
    ("statvfs", statvfs),
];

/// Bytes of `struct stat` on x86-64.
const STAT_BYTES: usize = 144;

/// The bytes of a `struct stat`.
fn layout(stat: &Stat) -> [u8; STAT_BYTES] {
    let mut bytes = [0; STAT_BYTES];
    let mut put = |at: usize, value: u64, width: usize| {
        bytes[at..at + width].copy_from_slice(&value.to_le_bytes()[..width]);
    };
    put(0, stat.st_dev, 8);
    put(8, stat.st_ino, 8);
    put(16, stat.st_nlink, 8);
    put(24, u64::from(stat.st_mode), 4);
    put(28, u64::from(stat.st_uid), 4);
    put(32, u64::from(stat.st_gid), 4);
    put(40, stat.st_rdev, 8);
    put(48, stat.st_size as u64, 8);
    put(56, stat.st_blksize as u64, 8);
    put(64, stat.st_blocks as u64, 8);
    put(72, stat.st_atime as u64, 8);
    put(80, stat.st_atime_nsec, 8);
    put(88, stat.st_mtime as u64, 8);
    put(96, stat.st_mtime_nsec, 8);
    put(104, stat.st_ctime as u64, 8);
    put(112, stat.st_ctime_nsec, 8);
    bytes
}

/// What `fstat` says of a stream that the host keeps: a pipe.
fn pipe_layout() -> [u8; STAT_BYTES] {
    let mut bytes = [0; STAT_BYTES];
    bytes[24..28].copy_from_slice(&0o010_600u32.to_le_bytes());
    bytes[56..64].copy_from_slice(&4096u64.to_le_bytes());
    bytes
}

fn answer(ctx: &mut NativeCtx<'_, '_>, stat: Io<[u8; STAT_BYTES]>, place: usize) -> Answer {
    match stat {
        Ok(bytes) => {
            ctx.write(ctx.ptr(place), &bytes, place)?;
            int(0)
        }
        Err(error) => ctx.fail(error),
    }
}

fn stat_path(ctx: Ctx, first: usize, follow: bool) -> Answer {
    let path = ctx.c_string(ctx.ptr(first), first)?;
    let stat = if follow { fs::stat(&path[..]) } else { fs::lstat(&path[..]) };
    answer(ctx, stat.map(|s| layout(&s)).map_err(Errno::from), first + 1)
}

fn stat_descriptor(ctx: Ctx, first: usize) -> Answer {
    let number = ctx.i32(first);
    let stat = ctx.with_files(|files| files.stat(number));
    answer(ctx, stat.map(|s| s.map_or_else(pipe_layout, |s| layout(&s))), first + 1)
}

/// `AT_FDCWD`
pub const CURRENT_DIRECTORY: i32 = -100;

impl NativeCtx<'_, '_> {
    /// Works relative to the directory that an `...at` function names.
    pub fn in_directory<T>(
        &mut self,
        number: i32,
        work: impl FnOnce(std::os::fd::BorrowedFd<'_>) -> rustix::io::Result<T>,
    ) -> Io<T> {
        if number == CURRENT_DIRECTORY {
            return Ok(work(fs::CWD)?);
        }
        self.with_files(|files| Ok(work(files.table.system(number)?)?))
    }
}

fn fstatat(ctx: Ctx) -> Answer {
    let (directory, flags) = (ctx.i32(0), ctx.i32(3));
    let path = ctx.c_string(ctx.ptr(1), 1)?;
    let flags = AtFlags::from_bits_retain(flags as u32);
    let stat = ctx.in_directory(directory, |at| fs::statat(at, &path[..], flags));
    answer(ctx, stat.map(|s| layout(&s)), 2)
}

fn chmod(ctx: Ctx) -> Answer {
    let path = ctx.c_string(ctx.ptr(0), 0)?;
    let result = fs::chmod(&path[..], Mode::from_raw_mode(ctx.int(1) as u32));
    ctx.status(result.map_err(Errno::from))
}

fn fchmod(ctx: Ctx) -> Answer {
    let (number, mode) = (ctx.i32(0), Mode::from_raw_mode(ctx.int(1) as u32));
    let result = ctx.with_files(|files| match files.table.get(number)? {
        Handle::Host(_) => Err(Errno::EINVAL),
        Handle::System(fd) | Handle::Socket(fd) => Ok(fs::fchmod(fd, mode)?),
    });
    ctx.status(result)
}

fn umask(ctx: Ctx) -> Answer {
    int(rustix::process::umask(Mode::from_raw_mode(ctx.int(0) as u32)).as_raw_mode())
}

fn mkdir(ctx: Ctx) -> Answer {
    let path = ctx.c_string(ctx.ptr(0), 0)?;
    let result = fs::mkdir(&path[..], Mode::from_raw_mode(ctx.int(1) as u32));
    ctx.status(result.map_err(Errno::from))
}

/// Two times of `(seconds, fraction)`, where the fraction counts `unit` nanoseconds. Null is now.
fn read_times(
    ctx: &mut NativeCtx<'_, '_>,
    place: Pointer,
    argument: usize,
    unit: Option<i64>,
) -> Result<Timestamps, Stop> {
    /// `UTIME_NOW`
    const NOW: i64 = (1 << 30) - 1;
    let now = Timespec { tv_sec: 0, tv_nsec: NOW };
    let mut times = [now, now];
    if !place.is_null() {
        let stride = if unit.is_some() { 16 } else { 8 };
        for (index, time) in times.iter_mut().enumerate() {
            let at = place.add(index as u64 * stride);
            time.tv_sec = ctx.read_int(at, LONG, argument)? as i64;
            time.tv_nsec = match unit {
                Some(unit) => (ctx.read_int(at.add(8), LONG, argument)? as i64).wrapping_mul(unit),
                None => 0,
            };
        }
    }
    Ok(Timestamps { last_access: times[0], last_modification: times[1] })
}

fn set_times(ctx: &mut NativeCtx<'_, '_>, unit: Option<i64>) -> Answer {
    let path = ctx.c_string(ctx.ptr(0), 0)?;
    let times = read_times(ctx, ctx.ptr(1), 1, unit)?;
    let result = fs::utimensat(fs::CWD, &path[..], &times, AtFlags::empty());
    ctx.status(result.map_err(Errno::from))
}

fn utime(ctx: Ctx) -> Answer {
    set_times(ctx, None)
}

fn utimes(ctx: Ctx) -> Answer {
    set_times(ctx, Some(1000))
}

fn utimensat(ctx: Ctx) -> Answer {
    let (directory, flags) = (ctx.i32(0), AtFlags::from_bits_retain(ctx.i32(3) as u32));
    let path = ctx.c_string(ctx.ptr(1), 1)?;
    let times = read_times(ctx, ctx.ptr(2), 2, Some(1))?;
    let result = ctx.in_directory(directory, |at| fs::utimensat(at, &path[..], &times, flags));
    ctx.status(result)
}

fn futimens(ctx: Ctx) -> Answer {
    let number = ctx.i32(0);
    let times = read_times(ctx, ctx.ptr(1), 1, Some(1))?;
    let result = ctx.with_files(|files| Ok(fs::futimens(files.table.system(number)?, &times)?));
    ctx.status(result)
}

fn statvfs(ctx: Ctx) -> Answer {
    Err(ctx.unsupported("statvfs"))
}

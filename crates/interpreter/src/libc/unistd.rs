// SPDX-License-Identifier: MIT OR Apache-2.0
//! `<unistd.h>`, `<sys/mman.h>` and `<sys/utsname.h>`: descriptors, files by name, and the process.

use std::os::fd::BorrowedFd;

use rustix::fs::{self, Access, AtFlags, SeekFrom};
use rustix::process;

use super::Table;
use super::context::{Answer, int, pointer};
use super::descriptors::{Handle, Io};
use super::errno::Errno;
use crate::memory::{Kind, Name, NewObject, TraceId};
use crate::native::NativeCtx;
use crate::value::{Pointer, Provenance};

type Ctx<'a, 'm, 'p> = &'a mut NativeCtx<'m, 'p>;

/// The functions.
pub const TABLE: Table = &[
    ("read", read),
    ("__read_chk", read),
    ("write", write),
    ("pread", pread),
    ("pread64", pread),
    ("pwrite", pwrite),
    ("pwrite64", pwrite),
    ("readv", readv),
    ("writev", writev),
    ("lseek", lseek),
    ("lseek64", lseek),
    ("close", close),
    ("dup", dup),
    ("dup2", dup2),
    ("dup3", dup2),
    ("ftruncate", ftruncate),
    ("ftruncate64", ftruncate),
    ("truncate", truncate),
    ("truncate64", truncate),
    ("fsync", fsync),
    ("fdatasync", fdatasync),
    ("sync", sync),
    ("unlink", unlink),
    ("unlinkat", unlinkat),
    ("rmdir", rmdir),
    ("link", link),
    ("symlink", symlink),
    ("readlink", readlink),
    ("access", access),
    ("euidaccess", access),
    ("faccessat", faccessat),
    ("chown", chown),
    ("fchown", fchown),
    ("lchown", chown),
    ("chdir", chdir),
    ("fchdir", fchdir),
    ("getcwd", getcwd),
    ("__getcwd_chk", getcwd),
    ("get_current_dir_name", get_current_dir_name),
    ("isatty", isatty),
    ("ttyname", ttyname),
    ("getpid", getpid),
    ("getppid", getppid),
    ("getpgrp", getpgrp),
    ("getuid", getuid),
    ("geteuid", geteuid),
    ("getgid", getgid),
    ("getegid", getegid),
    ("gettid", getpid),
    ("getpagesize", getpagesize),
    ("sysconf", sysconf),
    ("pathconf", pathconf),
    ("fpathconf", pathconf),
    ("gethostname", gethostname),
    ("uname", uname),
    ("getlogin", getlogin),
    ("mmap", mmap),
    ("mmap64", mmap),
    ("munmap", munmap),
    ("mremap", mremap),
    ("msync", no_effect),
    ("mprotect", no_effect),
    ("madvise", no_effect),
    ("nice", no_effect),
    ("setuid", no_effect),
    ("setgid", no_effect),
    ("getrandom", getrandom),
    ("getentropy", getentropy),
    ("arc4random", arc4random),
];

const PAGE: u64 = 4096;

fn no_effect(_: Ctx) -> Answer {
    int(0)
}

fn counted(ctx: &mut NativeCtx<'_, '_>, count: Io<usize>) -> Answer {
    match count {
        Ok(count) => int(count as i64),
        Err(error) => ctx.fail(error),
    }
}

/// Reads at most this many bytes at once, as Linux does.
pub(super) const MOST: u64 = 0x7fff_f000;

pub(super) fn read_with(
    ctx: &mut NativeCtx<'_, '_>,
    fill: impl FnOnce(&mut NativeCtx<'_, '_>, &mut [u8]) -> Io<usize>,
) -> Answer {
    let (place, bytes) = (ctx.ptr(1), ctx.size(2).min(MOST));
    if bytes > 0 && !ctx.check_write(place, bytes, 1)? {
        return ctx.fail(Errno::EFAULT);
    }
    let mut buffer = vec![0; bytes as usize];
    let result = fill(ctx, &mut buffer);
    // POSIX asks nothing of the place of no bytes.
    if let Ok(count) = result
        && count > 0
    {
        ctx.write(place, &buffer[..count], 1)?;
    }
    counted(ctx, result)
}

fn read(ctx: Ctx) -> Answer {
    let number = ctx.i32(0);
    read_with(ctx, |ctx, buffer| ctx.with_files(|files| files.read(number, buffer)))
}

fn pread(ctx: Ctx) -> Answer {
    let (number, offset) = (ctx.i32(0), ctx.i64(3));
    read_with(ctx, |ctx, buffer| {
        let offset = u64::try_from(offset).map_err(|_| Errno::EINVAL)?;
        ctx.with_files(|files| Ok(rustix::io::pread(files.table.system(number)?, buffer, offset)?))
    })
}

fn write(ctx: Ctx) -> Answer {
    let (number, place, bytes) = (ctx.i32(0), ctx.ptr(1), ctx.size(2).min(MOST));
    let data = if bytes > 0 { ctx.read_any(place, bytes, 1)? } else { Vec::new() };
    let count = ctx.with_files(|files| files.write(number, &data));
    counted(ctx, count)
}

fn pwrite(ctx: Ctx) -> Answer {
    let (number, place, bytes, offset) = (ctx.i32(0), ctx.ptr(1), ctx.size(2).min(MOST), ctx.i64(3));
    let data = if bytes > 0 { ctx.read_any(place, bytes, 1)? } else { Vec::new() };
    let count = match u64::try_from(offset) {
        Err(_) => Err(Errno::EINVAL),
        Ok(offset) => {
            ctx.with_files(|files| Ok(rustix::io::pwrite(files.table.system(number)?, &data, offset)?))
        }
    };
    counted(ctx, count)
}

/// The parts of a `struct iovec` array.
fn parts(ctx: &mut NativeCtx<'_, '_>) -> Result<Vec<(Pointer, u64)>, crate::machine::Stop> {
    let (place, count) = (ctx.ptr(1), ctx.i32(2).max(0) as u64);
    let mut all = Vec::new();
    for index in 0..count {
        let at = place.add(index * 16);
        let start = ctx.read_ptr(at, 1)?;
        let bytes = ctx.read_int(at.add(8), super::context::SIZE, 1)? as u64;
        all.push((start, bytes));
    }
    Ok(all)
}

fn writev(ctx: Ctx) -> Answer {
    let number = ctx.i32(0);
    let mut data = Vec::new();
    for (start, bytes) in parts(ctx)? {
        if bytes > 0 {
            data.extend(ctx.read_any(start, bytes, 1)?);
        }
    }
    let count = ctx.with_files(|files| files.write(number, &data));
    counted(ctx, count)
}

fn readv(ctx: Ctx) -> Answer {
    let number = ctx.i32(0);
    let parts = parts(ctx)?;
    let mut total = 0u64;
    for (start, bytes) in &parts {
        if *bytes > 0 && !ctx.check_write(*start, *bytes, 1)? {
            return ctx.fail(Errno::EFAULT);
        }
        total = total.saturating_add(*bytes).min(MOST);
    }
    let mut buffer = vec![0; total as usize];
    let result = ctx.with_files(|files| files.read(number, &mut buffer));
    if let Ok(count) = result {
        let mut rest = &buffer[..count];
        for (start, bytes) in parts {
            let (head, tail) = rest.split_at(rest.len().min(bytes as usize));
            ctx.write(start, head, 1)?;
            rest = tail;
        }
    }
    counted(ctx, result)
}

fn lseek(ctx: Ctx) -> Answer {
    let (number, offset, whence) = (ctx.i32(0), ctx.i64(1), ctx.i32(2));
    let to = match whence {
        0 => u64::try_from(offset).map(SeekFrom::Start).map_err(|_| Errno::EINVAL),
        1 => Ok(SeekFrom::Current(offset)),
        2 => Ok(SeekFrom::End(offset)),
        _ => Err(Errno::EINVAL),
    };
    match to.and_then(|to| ctx.with_files(|files| files.seek(number, to))) {
        Ok(at) => int(at as i64),
        Err(error) => ctx.fail(error),
    }
}

fn close(ctx: Ctx) -> Answer {
    let number = ctx.i32(0);
    let result = ctx.with_files(|files| files.table.close(number));
    ctx.status(result)
}

fn dup(ctx: Ctx) -> Answer {
    let number = ctx.i32(0);
    let copy = ctx.with_files(|files| {
        let copy = files.table.get(number)?.duplicate()?;
        Ok(files.table.insert(copy, 0) as usize)
    });
    counted(ctx, copy)
}

fn dup2(ctx: Ctx) -> Answer {
    let (number, wanted) = (ctx.i32(0), ctx.i32(1));
    let copy = ctx.with_files(|files| {
        let wanted = usize::try_from(wanted).map_err(|_| Errno::EBADF)?;
        let copy = files.table.get(number)?.duplicate()?;
        if wanted as i32 != number {
            files.table.put(copy, wanted);
        }
        Ok(wanted)
    });
    counted(ctx, copy)
}

/// Does something with the system's descriptor behind the first argument.
fn on_descriptor(
    ctx: &mut NativeCtx<'_, '_>,
    work: impl FnOnce(BorrowedFd<'_>) -> rustix::io::Result<()>,
) -> Answer {
    let number = ctx.i32(0);
    let result = ctx.with_files(|files| match files.table.get(number)? {
        Handle::Host(_) => Err(Errno::EINVAL),
        Handle::System(_) | Handle::Socket(_) => Ok(work(files.table.system(number)?)?),
    });
    ctx.status(result)
}

fn ftruncate(ctx: Ctx) -> Answer {
    let Ok(length) = u64::try_from(ctx.i64(1)) else { return ctx.fail(Errno::EINVAL) };
    on_descriptor(ctx, |fd| fs::ftruncate(fd, length))
}

fn fsync(ctx: Ctx) -> Answer {
    on_descriptor(ctx, |fd| fs::fsync(fd))
}

fn fdatasync(ctx: Ctx) -> Answer {
    on_descriptor(ctx, |fd| fs::fdatasync(fd))
}

fn sync(_: Ctx) -> Answer {
    Ok(crate::value::Value::Unit)
}

/// Does something with the file that the first argument names.
fn on_path(ctx: &mut NativeCtx<'_, '_>, work: impl FnOnce(&[u8]) -> rustix::io::Result<()>) -> Answer {
    let path = ctx.c_string(ctx.ptr(0), 0)?;
    let result = work(&path).map_err(Errno::from);
    ctx.status(result)
}

fn truncate(ctx: Ctx) -> Answer {
    let Ok(length) = u64::try_from(ctx.i64(1)) else { return ctx.fail(Errno::EINVAL) };
    on_path(ctx, |path| {
        let fd = fs::open(path, fs::OFlags::WRONLY | fs::OFlags::CLOEXEC, fs::Mode::empty())?;
        fs::ftruncate(fd, length)
    })
}

fn unlink(ctx: Ctx) -> Answer {
    on_path(ctx, |path| fs::unlink(path))
}

fn unlinkat(ctx: Ctx) -> Answer {
    let (directory, flags) = (ctx.i32(0), AtFlags::from_bits_retain(ctx.i32(2) as u32));
    let path = ctx.c_string(ctx.ptr(1), 1)?;
    let result = ctx.in_directory(directory, |at| fs::unlinkat(at, &path[..], flags));
    ctx.status(result)
}

fn rmdir(ctx: Ctx) -> Answer {
    on_path(ctx, |path| fs::rmdir(path))
}

fn link(ctx: Ctx) -> Answer {
    let new = ctx.c_string(ctx.ptr(1), 1)?;
    on_path(ctx, |path| fs::link(path, &new[..]))
}

fn symlink(ctx: Ctx) -> Answer {
    let new = ctx.c_string(ctx.ptr(1), 1)?;
    on_path(ctx, |path| fs::symlink(path, &new[..]))
}

fn readlink(ctx: Ctx) -> Answer {
    let (place, size) = (ctx.ptr(1), ctx.size(2));
    let path = ctx.c_string(ctx.ptr(0), 0)?;
    match fs::readlink(&path[..], Vec::new()) {
        Ok(target) => {
            let mut target = target.into_bytes();
            target.truncate(size as usize);
            ctx.write(place, &target, 1)?;
            int(target.len() as i64)
        }
        Err(error) => ctx.fail(error.into()),
    }
}

fn access(ctx: Ctx) -> Answer {
    let mode = Access::from_bits_retain(ctx.i32(1) as u32);
    on_path(ctx, |path| fs::access(path, mode))
}

fn faccessat(ctx: Ctx) -> Answer {
    let (directory, mode) = (ctx.i32(0), Access::from_bits_retain(ctx.i32(2) as u32));
    let path = ctx.c_string(ctx.ptr(1), 1)?;
    let result = ctx.in_directory(directory, |at| fs::accessat(at, &path[..], mode, AtFlags::empty()));
    ctx.status(result)
}

/// Owner and group; -1 leaves one as it is.
fn owner(ctx: &NativeCtx<'_, '_>) -> (Option<fs::Uid>, Option<fs::Gid>) {
    let (user, group) = (ctx.int(1) as u32, ctx.int(2) as u32);
    (
        (user != u32::MAX).then(|| fs::Uid::from_raw(user)),
        (group != u32::MAX).then(|| fs::Gid::from_raw(group)),
    )
}

fn chown(ctx: Ctx) -> Answer {
    let (user, group) = owner(ctx);
    on_path(ctx, |path| fs::chown(path, user, group))
}

fn fchown(ctx: Ctx) -> Answer {
    let (user, group) = owner(ctx);
    on_descriptor(ctx, |fd| fs::fchown(fd, user, group))
}

fn chdir(ctx: Ctx) -> Answer {
    on_path(ctx, |path| process::chdir(path))
}

fn fchdir(ctx: Ctx) -> Answer {
    on_descriptor(ctx, |fd| process::fchdir(fd))
}

fn getcwd(ctx: Ctx) -> Answer {
    let (place, size) = (ctx.ptr(0), ctx.size(1));
    let path = match process::getcwd(Vec::new()) {
        Ok(path) => path.into_bytes(),
        Err(error) => return ctx.fail_null(error.into()),
    };
    let needed = path.len() as u64 + 1;
    if place.is_null() {
        if size != 0 && size < needed {
            return ctx.fail_null(Errno::ERANGE);
        }
        return pointer(ctx.heap_string(&path));
    }
    match size {
        0 => ctx.fail_null(Errno::EINVAL),
        size if size < needed => ctx.fail_null(Errno::ERANGE),
        _ => {
            ctx.write_c_string(place, &path, 0)?;
            pointer(place)
        }
    }
}

fn get_current_dir_name(ctx: Ctx) -> Answer {
    match process::getcwd(Vec::new()) {
        Ok(path) => pointer(ctx.heap_string(path.as_bytes())),
        Err(error) => ctx.fail_null(error.into()),
    }
}

fn isatty(ctx: Ctx) -> Answer {
    let number = ctx.i32(0);
    match ctx.with_files(|files| files.is_terminal(number)) {
        Ok(true) => int(1),
        answer => {
            ctx.set_errno(answer.err().unwrap_or(Errno::ENOTTY).0);
            int(0)
        }
    }
}

fn ttyname(ctx: Ctx) -> Answer {
    ctx.fail_null(Errno::ENOTTY)
}

fn getpid(_: Ctx) -> Answer {
    int(std::process::id() as i32)
}

fn getppid(_: Ctx) -> Answer {
    int(process::getppid().map_or(0, |pid| pid.as_raw_nonzero().get()))
}

fn getpgrp(_: Ctx) -> Answer {
    int(process::getpgrp().as_raw_nonzero().get())
}

fn getuid(_: Ctx) -> Answer {
    int(process::getuid().as_raw())
}

fn geteuid(_: Ctx) -> Answer {
    int(process::geteuid().as_raw())
}

fn getgid(_: Ctx) -> Answer {
    int(process::getgid().as_raw())
}

fn getegid(_: Ctx) -> Answer {
    int(process::getegid().as_raw())
}

fn getpagesize(_: Ctx) -> Answer {
    int(PAGE as i32)
}

/// The limits that programs ask for, by glibc's numbers.
fn sysconf(ctx: Ctx) -> Answer {
    let value: i64 = match ctx.i32(0) {
        // _SC_ARG_MAX, _SC_CHILD_MAX, _SC_CLK_TCK, _SC_NGROUPS_MAX, _SC_OPEN_MAX
        0 => 2_097_152,
        2 => 100,
        3 => 65_536,
        4 => 1024,
        // _SC_PAGESIZE
        30 => PAGE as i64,
        // _SC_NPROCESSORS_CONF, _SC_NPROCESSORS_ONLN: a run has one thread.
        83 | 84 => 1,
        // _SC_PHYS_PAGES, _SC_AVPHYS_PAGES
        85 | 86 => (ctx.options().memory_limit / PAGE) as i64,
        // _SC_GETPW_R_SIZE_MAX, _SC_LINE_MAX, _SC_HOST_NAME_MAX
        69 | 70 => 1024,
        43 => 2048,
        180 => 64,
        _ => -1,
    };
    int(value)
}

fn pathconf(ctx: Ctx) -> Answer {
    int(match ctx.i32(1) {
        0 => 127,
        3 => 255,
        4 => 4096,
        5 => 4096,
        _ => -1,
    })
}

fn host_name() -> Vec<u8> {
    rustix::system::uname().nodename().to_bytes().to_vec()
}

fn gethostname(ctx: Ctx) -> Answer {
    let (place, size) = (ctx.ptr(0), ctx.size(1));
    let mut name = host_name();
    name.push(0);
    if size < name.len() as u64 {
        return ctx.fail(Errno::ENAMETOOLONG);
    }
    ctx.write(place, &name, 0)?;
    int(0)
}

/// `struct utsname`: six fields of 65 bytes.
fn uname(ctx: Ctx) -> Answer {
    let place = ctx.ptr(0);
    let system = rustix::system::uname();
    let fields = [
        system.sysname().to_bytes(),
        system.nodename().to_bytes(),
        system.release().to_bytes(),
        system.version().to_bytes(),
        system.machine().to_bytes(),
        b"(none)",
    ];
    let mut bytes = vec![0; 6 * 65];
    for (index, field) in fields.iter().enumerate() {
        let shown = &field[..field.len().min(64)];
        bytes[index * 65..index * 65 + shown.len()].copy_from_slice(shown);
    }
    ctx.write(place, &bytes, 0)?;
    int(0)
}

fn getlogin(ctx: Ctx) -> Answer {
    ctx.fail_null(Errno::ENXIO)
}

/// What anonymous mappings are called, and told from other objects by.
const MAPPING: &str = "mapped memory";

/// `MAP_FAILED`
const FAILED: Pointer = Pointer { addr: u64::MAX, prov: Provenance::NONE };

/// Anonymous memory is an object; a mapped file would have to change with the file.
fn mmap(ctx: Ctx) -> Answer {
    const ANONYMOUS: i32 = 0x20;
    let (length, flags) = (ctx.size(1), ctx.i32(3));
    let fail = |ctx: &mut NativeCtx<'_, '_>, error: Errno| {
        ctx.set_errno(error.0);
        pointer(FAILED)
    };
    if length == 0 {
        return fail(ctx, Errno::EINVAL);
    }
    if flags & ANONYMOUS == 0 {
        const LIMIT: &str = "mmap of a file is not supported: the call failed with ENODEV";
        if !ctx.state().said.contains(&LIMIT) {
            ctx.state().said.push(LIMIT);
            ctx.note(LIMIT);
        }
        return fail(ctx, Errno::ENODEV);
    }
    let Some(size) = length.checked_next_multiple_of(PAGE) else { return fail(ctx, Errno::ENOMEM) };
    let born: TraceId = ctx.machine.trace();
    let new = NewObject {
        size,
        align: PAGE,
        kind: Kind::Library,
        name: Name::Unnamed(MAPPING),
        initialised: true,
        writable: true,
        born,
    };
    match ctx.memory().alloc(new) {
        Some(place) => pointer(place),
        None => fail(ctx, Errno::ENOMEM),
    }
}

fn munmap(ctx: Ctx) -> Answer {
    let (place, length) = (ctx.ptr(0), ctx.size(1));
    let Some(object) = ctx.machine.memory.live(place.prov) else { return ctx.fail(Errno::EINVAL) };
    if object.name != Name::Unnamed(MAPPING) {
        ctx.bad_argument(0, "the pointer is no mapping")?;
        return ctx.fail(Errno::EINVAL);
    }
    let whole = object.base == place.addr && Some(object.size) == length.checked_next_multiple_of(PAGE);
    if !whole {
        return Err(ctx.unsupported("munmap of a part of a mapping"));
    }
    let died = ctx.machine.trace();
    ctx.memory().kill(place.prov, died);
    int(0)
}

fn mremap(ctx: Ctx) -> Answer {
    Err(ctx.unsupported("mremap"))
}

fn random_bytes(count: u64) -> Io<Vec<u8>> {
    let mut bytes = vec![0; count as usize];
    let file = fs::open("/dev/urandom", fs::OFlags::RDONLY | fs::OFlags::CLOEXEC, fs::Mode::empty())?;
    let mut filled = 0;
    while filled < bytes.len() {
        filled += rustix::io::read(&file, &mut bytes[filled..])?;
    }
    Ok(bytes)
}

fn getrandom(ctx: Ctx) -> Answer {
    let (place, count) = (ctx.ptr(0), ctx.size(1).min(MOST));
    if !ctx.check_write(place, count, 0)? {
        return ctx.fail(Errno::EFAULT);
    }
    match random_bytes(count) {
        Ok(bytes) => {
            ctx.write(place, &bytes, 0)?;
            int(count as i64)
        }
        Err(error) => ctx.fail(error),
    }
}

fn getentropy(ctx: Ctx) -> Answer {
    let count = ctx.size(1);
    if count > 256 {
        return ctx.fail(Errno::EIO);
    }
    getrandom(ctx)?;
    int(0)
}

fn arc4random(ctx: Ctx) -> Answer {
    match random_bytes(4) {
        Ok(bytes) => int(bytes.first_chunk::<4>().map_or(0, |b| u32::from_le_bytes(*b))),
        Err(error) => ctx.fail(error),
    }
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! Files by name under a closed host: they live in memory, and a name that was opened once keeps its file. What the
//! program writes there is what it reads again, whatever the host would have made up.
//!
//! The compiled test does the same (`confirm/src/files.rs`).

use std::os::fd::{AsRawFd, OwnedFd};

use rustix::fs::{MemfdFlags, OFlags, SeekFrom};

use super::context::{Answer, int, pointer};
use super::descriptors::Handle;
use super::errno::Errno;
use super::stream::Mode;
use crate::machine::Stop;
use crate::native::NativeCtx;

type Ctx<'a, 'm, 'p> = &'a mut NativeCtx<'m, 'p>;

/// Bytes that a name may have, with its zero.
const PATH_MAX: usize = 4096;

/// Bytes between two slashes.
const NAME_MAX: usize = 255;

/// A name that the program used, and its file; none: the program took it away.
pub(super) struct Named {
    name: Vec<u8>,
    file: Option<OwnedFd>,
}

/// The parts of a path that say something.
fn parts(path: &[u8]) -> impl Iterator<Item = &[u8]> {
    path.split(|byte| *byte == b'/').filter(|part| !matches!(*part, b"" | b"."))
}

/// One spelling for `a`, `./a` and `.//a`.
fn plain(path: &[u8]) -> Vec<u8> {
    let joined = parts(path).collect::<Vec<_>>().join(&b'/');
    if path.starts_with(b"/") { [b"/", &joined[..]].concat() } else { joined }
}

/// Whether a path can only be that of a folder.
fn is_folder(path: &[u8]) -> bool {
    matches!(path.rsplit(|byte| *byte == b'/').next(), Some(b"" | b"." | b".."))
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

/// A descriptor of its own for a file in memory, with a position of its own.
fn again(file: &OwnedFd, flags: OFlags) -> Result<OwnedFd, Errno> {
    let kept = flags & (OFlags::ACCMODE | OFlags::APPEND | OFlags::TRUNC | OFlags::NONBLOCK);
    let path = format!("/proc/self/fd/{}", file.as_raw_fd());
    Ok(rustix::fs::open(path, kept | OFlags::CLOEXEC, rustix::fs::Mode::empty())?)
}

/// The entry of a name, if the program used it before.
fn known<'a>(ctx: &'a mut NativeCtx<'_, '_>, name: &[u8]) -> Option<&'a mut Named> {
    ctx.state().named.iter_mut().find(|named| named.name == name)
}

/// What opening a file for reading or writing gives.
fn opened(ctx: &mut NativeCtx<'_, '_>, path: &[u8], flags: OFlags) -> Result<OwnedFd, Errno> {
    let creates = flags.contains(OFlags::CREATE);
    if path.is_empty() {
        return Err(Errno::ENOENT);
    }
    if path.len() >= PATH_MAX || parts(path).any(|part| part.len() > NAME_MAX) {
        return Err(Errno::ENAMETOOLONG);
    }
    if is_folder(path) {
        return Err(Errno::EISDIR);
    }
    if flags.contains(OFlags::DIRECTORY) {
        return Err(Errno::ENOTDIR);
    }
    let name = plain(path);
    let excludes = creates && flags.contains(OFlags::EXCL);
    match known(ctx, &name) {
        Some(Named { file: Some(_), .. }) if excludes => return Err(Errno::EEXIST),
        Some(Named { file: Some(file), .. }) => return again(file, flags),
        Some(Named { file: None, .. }) if !creates => return Err(Errno::ENOENT),
        Some(named) => {
            let file = file_of(&[])?;
            let opened = again(&file, flags);
            named.file = Some(file);
            return opened;
        }
        None => {}
    }
    // A file that is made anew is empty: what was there before does not matter.
    let is_new = excludes || (creates && flags.contains(OFlags::TRUNC));
    let found = if is_new { None } else { ctx.host().file(path) };
    let file = match found {
        Some(bytes) => file_of(&bytes)?,
        None if creates => file_of(&[])?,
        None => return Err(Errno::ENOENT),
    };
    let opened = again(&file, flags);
    ctx.state().named.push(Named { name, file: Some(file) });
    opened
}

/// A folder can be opened for reading; it has no model here.
fn refuse_folder(ctx: &NativeCtx<'_, '_>, path: &[u8], flags: OFlags) -> Result<(), Stop> {
    if is_folder(path) && !path.is_empty() && flags & (OFlags::ACCMODE | OFlags::CREATE) == OFlags::RDONLY {
        return Err(ctx.unsupported("opening a folder"));
    }
    Ok(())
}

pub(super) fn fopen(ctx: Ctx) -> Answer {
    let path = ctx.c_string(ctx.ptr(0), 0)?;
    let text = ctx.c_string(ctx.ptr(1), 1)?;
    super::stdio_files::check_mode(ctx, &text, 1)?;
    let Some((mode, flags)) = Mode::parse(&text) else { return ctx.fail_null(Errno::EINVAL) };
    refuse_folder(ctx, &path, flags)?;
    match opened(ctx, &path, flags) {
        Ok(fd) => pointer(super::stdio_files::add_descriptor(ctx, fd, mode)),
        Err(error) => ctx.fail_null(error),
    }
}

fn descriptor(ctx: &mut NativeCtx<'_, '_>, flags: OFlags) -> Answer {
    let path = ctx.c_string(ctx.ptr(0), 0)?;
    refuse_folder(ctx, &path, flags)?;
    match opened(ctx, &path, flags) {
        Ok(fd) => int(ctx.with_files(|files| files.table.insert(Handle::System(fd), 0))),
        Err(error) => ctx.fail(error),
    }
}

pub(super) fn open(ctx: Ctx) -> Answer {
    let flags = OFlags::from_bits_retain(ctx.i32(1) as u32);
    descriptor(ctx, flags)
}

pub(super) fn creat(ctx: Ctx) -> Answer {
    descriptor(ctx, OFlags::WRONLY | OFlags::CREATE | OFlags::TRUNC)
}

/// `remove` and `unlink`: only what the program itself has opened goes away.
pub(super) fn remove(ctx: Ctx) -> Answer {
    let path = ctx.c_string(ctx.ptr(0), 0)?;
    match known(ctx, &plain(&path)) {
        Some(Named { file: None, .. }) => ctx.fail(Errno::ENOENT),
        Some(named) => {
            named.file = None;
            int(0)
        }
        None => ctx.fail(Errno::EACCES),
    }
}

pub(super) fn rename(ctx: Ctx) -> Answer {
    let (from, to) = (ctx.c_string(ctx.ptr(0), 0)?, ctx.c_string(ctx.ptr(1), 1)?);
    let (from, to) = (plain(&from), plain(&to));
    let file = match known(ctx, &from) {
        Some(named) if from != to => named.file.take(),
        Some(Named { file: Some(_), .. }) => return int(0),
        Some(_) => None,
        None => return ctx.fail(Errno::EACCES),
    };
    if file.is_none() {
        return ctx.fail(Errno::ENOENT);
    }
    match known(ctx, &to) {
        Some(named) => named.file = file,
        None => ctx.state().named.push(Named { name: to, file }),
    }
    int(0)
}

/// What was opened is there to be read and written, and no program.
pub(super) fn access(ctx: Ctx) -> Answer {
    const EXECUTE: i32 = 1;
    let path = ctx.c_string(ctx.ptr(0), 0)?;
    let asked = ctx.i32(1);
    match known(ctx, &plain(&path)) {
        Some(Named { file: None, .. }) => ctx.fail(Errno::ENOENT),
        Some(_) if asked & EXECUTE == 0 => int(0),
        _ => ctx.fail(Errno::EACCES),
    }
}

/// Refused, as it may be; but what the program has opened before would answer.
pub(super) fn refuse(ctx: &mut NativeCtx<'_, '_>, argument: usize) -> Answer {
    let path = ctx.c_string(ctx.ptr(argument), argument)?;
    if known(ctx, &plain(&path)).is_some() {
        return Err(ctx.unsupported(format!("`{}` of a file that the program has opened", ctx.name())));
    }
    ctx.fail(Errno::EACCES)
}

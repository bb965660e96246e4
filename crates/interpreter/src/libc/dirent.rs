// SPDX-License-Identifier: MIT OR Apache-2.0
//! `<dirent.h>`: reading directories.

use rustix::fs::{self, Dir, Mode, OFlags};

use super::Table;
use super::context::{Answer, int, null, pointer, unit};
use super::descriptors::Handle;
use super::errno::Errno;
use crate::machine::Stop;
use crate::native::NativeCtx;
use crate::value::Pointer;

type Ctx<'a, 'm, 'p> = &'a mut NativeCtx<'m, 'p>;

/// The functions.
pub const TABLE: Table = &[
    ("opendir", opendir),
    ("fdopendir", fdopendir),
    ("readdir", readdir),
    ("readdir64", readdir),
    ("closedir", closedir),
    ("rewinddir", rewinddir),
    ("telldir", telldir),
    ("dirfd", dirfd),
];

/// An open directory.
pub struct Directory {
    entries: Dir,
    /// The descriptor that the program sees.
    number: i32,
    /// The `struct dirent` that `readdir` hands out.
    entry: Pointer,
    /// How many entries were read.
    position: i64,
}

/// Bytes of `struct dirent`: inode, offset, length, type, name.
const ENTRY_BYTES: u64 = 280;

fn add(ctx: &mut NativeCtx<'_, '_>, number: i32) -> Answer {
    let entries = ctx.with_files(|files| Ok(Dir::read_from(files.table.system(number)?)?));
    let entries = match entries {
        Ok(entries) => entries,
        Err(error) => {
            let error: Errno = error;
            return ctx.fail_null(error);
        }
    };
    let handle = ctx.alloc_static(64, "an open directory");
    let entry = ctx.alloc_static(ENTRY_BYTES, "the result of readdir");
    ctx.state().directories.insert(handle.addr, Directory { entries, number, entry, position: 0 });
    pointer(handle)
}

fn opendir(ctx: Ctx) -> Answer {
    let path = ctx.c_string(ctx.ptr(0), 0)?;
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    match fs::open(&path[..], flags, Mode::empty()) {
        Ok(fd) => {
            let number = ctx.with_files(|files| files.table.insert(Handle::System(fd), 0));
            add(ctx, number)
        }
        Err(error) => ctx.fail_null(error.into()),
    }
}

fn fdopendir(ctx: Ctx) -> Answer {
    let number = ctx.i32(0);
    add(ctx, number)
}

/// The open directory that the first argument stands for.
fn directory(ctx: &mut NativeCtx<'_, '_>) -> Result<Option<u64>, Stop> {
    let place = ctx.ptr(0);
    if ctx.state().directories.contains_key(&place.addr) {
        return Ok(Some(place.addr));
    }
    if ctx.check_read(place, 0, 0)? {
        ctx.bad_argument(0, "the pointer is no open directory")?;
    }
    Ok(None)
}

fn readdir(ctx: Ctx) -> Answer {
    let Some(at) = directory(ctx)? else { return null() };
    let Some(open) = ctx.state().directories.get_mut(&at) else { return null() };
    let entry = match open.entries.read() {
        None => return null(),
        Some(Err(error)) => return ctx.fail_null(error.into()),
        Some(Ok(entry)) => entry,
    };
    open.position += 1;
    let (place, position) = (open.entry, open.position);
    let name = entry.file_name().to_bytes();
    let mut bytes = vec![0; ENTRY_BYTES as usize];
    bytes[0..8].copy_from_slice(&entry.ino().to_le_bytes());
    bytes[8..16].copy_from_slice(&position.to_le_bytes());
    let length = ((19 + name.len() + 1).next_multiple_of(8)) as u16;
    bytes[16..18].copy_from_slice(&length.to_le_bytes());
    bytes[18] = match entry.file_type() {
        fs::FileType::Fifo => 1,
        fs::FileType::CharacterDevice => 2,
        fs::FileType::Directory => 4,
        fs::FileType::BlockDevice => 6,
        fs::FileType::RegularFile => 8,
        fs::FileType::Symlink => 10,
        fs::FileType::Socket => 12,
        _ => 0,
    };
    bytes[19..19 + name.len()].copy_from_slice(name);
    ctx.memory().write(place, &bytes);
    pointer(place)
}

fn closedir(ctx: Ctx) -> Answer {
    let place = ctx.ptr(0);
    let Some(at) = directory(ctx)? else { return int(-1) };
    let Some(open) = ctx.state().directories.remove(&at) else { return int(-1) };
    let died = ctx.machine.trace();
    ctx.memory().kill(open.entry.prov, died);
    ctx.memory().kill(place.prov, died);
    let result = ctx.with_files(|files| files.table.close(open.number));
    ctx.status(result)
}

fn rewinddir(ctx: Ctx) -> Answer {
    if let Some(at) = directory(ctx)?
        && let Some(open) = ctx.state().directories.get_mut(&at)
    {
        open.entries.rewind();
        open.position = 0;
    }
    unit()
}

fn telldir(ctx: Ctx) -> Answer {
    let Some(at) = directory(ctx)? else { return int(-1) };
    int(ctx.state().directories.get(&at).map_or(-1, |open| open.position))
}

fn dirfd(ctx: Ctx) -> Answer {
    let Some(at) = directory(ctx)? else { return int(-1) };
    int(ctx.state().directories.get(&at).map_or(-1, |open| open.number))
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! `<string.h>`: functions that write, with their fortified variants (the extra size is the compiler's guess of what
//! our own check of the destination knows exactly).

use super::Table;
use super::context::{Answer, find_byte, int, null, pointer, unit};
use crate::machine::Stop;
use crate::native::NativeCtx;
use crate::value::Pointer;

type Ctx<'a, 'm, 'p> = &'a mut NativeCtx<'m, 'p>;

/// The functions.
pub const TABLE: Table = &[
    ("memcpy", memcpy),
    ("__memcpy_chk", memcpy),
    ("mempcpy", mempcpy),
    ("__mempcpy", mempcpy),
    ("__mempcpy_chk", mempcpy),
    ("memmove", memmove),
    ("__memmove_chk", memmove),
    ("bcopy", bcopy),
    ("memccpy", memccpy),
    ("memset", memset),
    ("__memset_chk", memset),
    ("bzero", bzero),
    ("explicit_bzero", bzero),
    ("__explicit_bzero_chk", bzero),
    ("strcpy", strcpy),
    ("__strcpy_chk", strcpy),
    ("stpcpy", stpcpy),
    ("__stpcpy", stpcpy),
    ("__stpcpy_chk", stpcpy),
    ("strncpy", strncpy),
    ("__strncpy_chk", strncpy),
    ("stpncpy", stpncpy),
    ("__stpncpy_chk", stpncpy),
    ("strcat", strcat),
    ("__strcat_chk", strcat),
    ("strncat", strncat),
    ("__strncat_chk", strncat),
    ("strxfrm", strxfrm),
    ("strdup", strdup),
    ("__strdup", strdup),
    ("strndup", strndup),
    ("__strndup", strndup),
    ("swab", swab),
];

/// `memcpy` without its result: overlap is undefined.
fn copy_disjoint(ctx: &mut NativeCtx<'_, '_>) -> Result<u64, Stop> {
    let (to, from, bytes) = (ctx.ptr(0), ctx.ptr(1), ctx.size(2));
    ctx.copy_checked((to, 0), (from, 1), bytes)?;
    Ok(bytes)
}

impl NativeCtx<'_, '_> {
    /// Copies a range that must not overlap its target.
    fn copy_checked(&mut self, to: (Pointer, usize), from: (Pointer, usize), bytes: u64) -> Result<(), Stop> {
        // The ranges are judged first: a wild size is out of bounds rather than an overlap.
        if self.check_read(from.0, bytes, from.1)? && self.check_write(to.0, bytes, to.1)? {
            // A copy onto itself is undefined too, but compilers make such calls for assignments.
            if to.0.addr != from.0.addr {
                self.check_disjoint((to.0, bytes, to.1), (from.0, bytes, from.1))?;
            }
            self.machine.touch(from.0, bytes, false);
            self.machine.touch(to.0, bytes, true);
            self.machine.memory.copy(to.0, from.0, bytes);
        }
        Ok(())
    }
}

fn memcpy(ctx: Ctx) -> Answer {
    copy_disjoint(ctx)?;
    pointer(ctx.ptr(0))
}

fn mempcpy(ctx: Ctx) -> Answer {
    let bytes = copy_disjoint(ctx)?;
    pointer(ctx.ptr(0).add(bytes))
}

fn memmove(ctx: Ctx) -> Answer {
    let (to, from, bytes) = (ctx.ptr(0), ctx.ptr(1), ctx.size(2));
    ctx.copy((to, 0), (from, 1), bytes)?;
    pointer(to)
}

fn bcopy(ctx: Ctx) -> Answer {
    let (from, to, bytes) = (ctx.ptr(0), ctx.ptr(1), ctx.size(2));
    ctx.copy((to, 1), (from, 0), bytes)?;
    unit()
}

fn memccpy(ctx: Ctx) -> Answer {
    let (to, from, stop, most) = (ctx.ptr(0), ctx.ptr(1), ctx.i32(2) as u8, ctx.size(3));
    let available = ctx.memory().remaining(from).unwrap_or(0).min(most);
    let at = find_byte(ctx.view(from, available), stop);
    let bytes = at.map_or(most, |i| i as u64 + 1);
    ctx.copy_checked((to, 0), (from, 1), bytes)?;
    if at.is_some() { pointer(to.add(bytes)) } else { null() }
}

fn memset(ctx: Ctx) -> Answer {
    let (to, byte, bytes) = (ctx.ptr(0), ctx.i32(1) as u8, ctx.size(2));
    ctx.fill(to, byte, bytes, 0)?;
    pointer(to)
}

fn bzero(ctx: Ctx) -> Answer {
    let (to, bytes) = (ctx.ptr(0), ctx.size(1));
    ctx.fill(to, 0, bytes, 0)?;
    unit()
}

/// Copies a string with its NUL; returns its length.
fn copy_string(ctx: &mut NativeCtx<'_, '_>, to: Pointer) -> Result<u64, Stop> {
    let from = ctx.ptr(1);
    let length = ctx.string_length(from, 1)?;
    let bytes = length + 1;
    if ctx.check_write(to, bytes, 0)? {
        ctx.check_disjoint((to, bytes, 0), (from, bytes, 1))?;
        ctx.machine.touch(to, bytes, true);
        ctx.machine.memory.copy(to, from, bytes);
    }
    Ok(length)
}

fn strcpy(ctx: Ctx) -> Answer {
    copy_string(ctx, ctx.ptr(0))?;
    pointer(ctx.ptr(0))
}

fn stpcpy(ctx: Ctx) -> Answer {
    let length = copy_string(ctx, ctx.ptr(0))?;
    pointer(ctx.ptr(0).add(length))
}

fn copy_padded(ctx: &mut NativeCtx<'_, '_>) -> Result<u64, Stop> {
    let (to, from, size) = (ctx.ptr(0), ctx.ptr(1), ctx.size(2));
    let length = ctx.string_length_n(from, size, 1)?;
    if ctx.check_write(to, size, 0)? && size > 0 {
        ctx.check_disjoint((to, size, 0), (from, (length + 1).min(size), 1))?;
        ctx.machine.touch(to, size, true);
        ctx.machine.memory.copy(to, from, length);
        ctx.machine.memory.fill(to.add(length), 0, size - length);
    }
    Ok(length)
}

fn strncpy(ctx: Ctx) -> Answer {
    copy_padded(ctx)?;
    pointer(ctx.ptr(0))
}

fn stpncpy(ctx: Ctx) -> Answer {
    let length = copy_padded(ctx)?;
    pointer(ctx.ptr(0).add(length))
}

/// Appends at most `most` bytes of the second argument and a NUL.
fn append(ctx: &mut NativeCtx<'_, '_>, most: u64) -> Answer {
    let (to, from) = (ctx.ptr(0), ctx.ptr(1));
    let old = ctx.string_length(to, 0)?;
    let added = ctx.string_length_n(from, most, 1)?;
    let end = to.add(old);
    if ctx.check_write(end, added + 1, 0)? {
        ctx.check_disjoint((to, old + added + 1, 0), (from, (added + 1).min(most), 1))?;
        ctx.machine.touch(end, added + 1, true);
        ctx.machine.memory.copy(end, from, added);
        ctx.machine.memory.fill(end.add(added), 0, 1);
    }
    pointer(to)
}

fn strcat(ctx: Ctx) -> Answer {
    append(ctx, u64::MAX)
}

fn strncat(ctx: Ctx) -> Answer {
    let most = ctx.size(2);
    append(ctx, most)
}

fn strxfrm(ctx: Ctx) -> Answer {
    let (to, from, size) = (ctx.ptr(0), ctx.ptr(1), ctx.size(2));
    let text = ctx.c_string(from, 1)?;
    if size > 0 {
        let mut shown = text.clone();
        shown.push(0);
        shown.truncate(size as usize);
        ctx.write(to, &shown, 0)?;
    }
    int(text.len() as u64)
}

fn duplicate(ctx: &mut NativeCtx<'_, '_>, most: u64) -> Answer {
    let text = ctx.c_string_n(ctx.ptr(0), most, 0)?;
    pointer(ctx.heap_string(&text))
}

fn strdup(ctx: Ctx) -> Answer {
    duplicate(ctx, u64::MAX)
}

fn strndup(ctx: Ctx) -> Answer {
    let most = ctx.size(1);
    duplicate(ctx, most)
}

fn swab(ctx: Ctx) -> Answer {
    let (from, to) = (ctx.ptr(0), ctx.ptr(1));
    let bytes = ctx.i64(2).max(0) as u64 & !1;
    let mut data = ctx.read_any(from, bytes, 0)?;
    data.chunks_exact_mut(2).for_each(|pair| pair.swap(0, 1));
    ctx.write(to, &data, 1)?;
    unit()
}

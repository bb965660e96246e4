// SPDX-License-Identifier: MIT OR Apache-2.0
//! `<stdlib.h>`: allocation.

use clew_base::int::IntType;
use clew_ir::types::Class;
use clew_ir::witness::InputKind;

use super::Table;
use super::context::{Answer, int, pointer, unit};
use super::errno::Errno;
use crate::machine::Stop;
use crate::native::NativeCtx;
use crate::value::Pointer;

type Ctx<'a, 'm, 'p> = &'a mut NativeCtx<'m, 'p>;

/// The functions.
pub const TABLE: Table = &[
    ("malloc", malloc),
    ("valloc", valloc),
    ("calloc", calloc),
    ("realloc", realloc),
    ("reallocarray", reallocarray),
    ("free", free),
    ("cfree", free),
    ("free_sized", free),
    ("aligned_alloc", aligned_alloc),
    ("memalign", aligned_alloc),
    ("posix_memalign", posix_memalign),
    ("malloc_usable_size", malloc_usable_size),
    ("malloc_trim", malloc_trim),
];

/// What `malloc` aligns to.
const ALIGN: u64 = 16;
/// `PTRDIFF_MAX`: no object is larger.
const MOST: u64 = i64::MAX as u64;

/// An object, or null and `ENOMEM`. A closed host says which allocations fail; what does not fit our own memory is then
/// no failure of the program's.
fn allocate(ctx: &mut NativeCtx<'_, '_>, size: u64, align: u64, zeroed: bool) -> Result<Pointer, Stop> {
    let may_be_had = size <= MOST && ctx.ask(InputKind::Allocation, Class::Int(IntType::BOOL)) != Some(0);
    let place = if may_be_had { ctx.alloc(size, align, zeroed) } else { Pointer::NULL };
    if place.is_null() {
        if may_be_had && ctx.host().is_closed() {
            return Err(ctx.out_of_memory());
        }
        ctx.set_errno(Errno::ENOMEM.0);
    } else if !zeroed && let Some(bytes) = ctx.unwritten(size) {
        ctx.memory().leave(place, &bytes);
    }
    Ok(place)
}

fn malloc(ctx: Ctx) -> Answer {
    let size = ctx.size(0);
    pointer(allocate(ctx, size, ALIGN, false)?)
}

fn valloc(ctx: Ctx) -> Answer {
    let size = ctx.size(0);
    pointer(allocate(ctx, size, 4096, false)?)
}

fn calloc(ctx: Ctx) -> Answer {
    let size = ctx.size(0).saturating_mul(ctx.size(1));
    pointer(allocate(ctx, size, ALIGN, true)?)
}

fn resize(ctx: &mut NativeCtx<'_, '_>, old: Pointer, size: u64) -> Result<Pointer, Stop> {
    if old.is_null() {
        return allocate(ctx, size, ALIGN, false);
    }
    if !ctx.check_free(old, 0)? {
        return Ok(Pointer::NULL);
    }
    if size == 0 {
        // glibc frees and returns null.
        ctx.free(old, 0)?;
        return Ok(Pointer::NULL);
    }
    let new = allocate(ctx, size, ALIGN, false)?;
    if !new.is_null() {
        let kept = ctx.object_size(old).unwrap_or(0).min(size);
        ctx.memory().copy(new, old, kept);
        ctx.free(old, 0)?;
    }
    Ok(new)
}

fn realloc(ctx: Ctx) -> Answer {
    let (old, size) = (ctx.ptr(0), ctx.size(1));
    pointer(resize(ctx, old, size)?)
}

fn reallocarray(ctx: Ctx) -> Answer {
    let old = ctx.ptr(0);
    match ctx.size(1).checked_mul(ctx.size(2)) {
        Some(size) => pointer(resize(ctx, old, size)?),
        None => ctx.fail_null(Errno::ENOMEM),
    }
}

fn free(ctx: Ctx) -> Answer {
    let place = ctx.ptr(0);
    ctx.free(place, 0)?;
    unit()
}

fn aligned_alloc(ctx: Ctx) -> Answer {
    let (align, size) = (ctx.size(0), ctx.size(1));
    if !align.is_power_of_two() {
        ctx.bad_argument(0, &format!("the alignment {align} is no power of two"))?;
        return ctx.fail_null(Errno::EINVAL);
    }
    pointer(allocate(ctx, size, align.max(ALIGN), false)?)
}

fn posix_memalign(ctx: Ctx) -> Answer {
    let (place, align, size) = (ctx.ptr(0), ctx.size(1), ctx.size(2));
    if !align.is_power_of_two() || align % 8 != 0 {
        return int(Errno::EINVAL.0);
    }
    // The result is the return value; `errno` stays as it was.
    let errno = ctx.errno();
    let new = allocate(ctx, size, align.max(ALIGN), false)?;
    ctx.set_errno(errno);
    if new.is_null() {
        return int(Errno::ENOMEM.0);
    }
    ctx.write_ptr(place, new, 0)?;
    int(0)
}

/// The size that was asked for: no byte beyond it may be used under a checker.
fn malloc_usable_size(ctx: Ctx) -> Answer {
    let place = ctx.ptr(0);
    if place.is_null() {
        return int(0);
    }
    if !ctx.check_free(place, 0)? {
        return int(0);
    }
    int(ctx.object_size(place).unwrap_or(0))
}

fn malloc_trim(_: Ctx) -> Answer {
    int(0)
}

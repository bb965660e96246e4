// SPDX-License-Identifier: MIT OR Apache-2.0
//! `<string.h>`: functions that look for bytes and strings.

use super::Table;
use super::context::{Answer, find_byte, int, null, pointer};
use crate::machine::Stop;
use crate::native::NativeCtx;
use crate::value::Pointer;

type Ctx<'a, 'm, 'p> = &'a mut NativeCtx<'m, 'p>;

/// The functions.
pub const TABLE: Table = &[
    ("memchr", memchr),
    ("memrchr", memrchr),
    ("__memrchr", memrchr),
    ("rawmemchr", rawmemchr),
    ("__rawmemchr", rawmemchr),
    ("memmem", memmem),
    ("strchr", strchr),
    ("index", strchr),
    ("strchrnul", strchrnul),
    ("__strchrnul", strchrnul),
    ("strrchr", strrchr),
    ("rindex", strrchr),
    ("strspn", strspn),
    ("strcspn", strcspn),
    ("strpbrk", strpbrk),
    ("strstr", strstr),
    ("strcasestr", strcasestr),
    ("strtok", strtok),
    ("strtok_r", strtok_r),
    ("__strtok_r", strtok_r),
    ("strsep", strsep),
    ("__strsep", strsep),
    ("basename", gnu_basename),
    ("__xpg_basename", xpg_basename),
    ("dirname", dirname),
];

/// C promises that `memchr` reads only up to the byte it finds.
fn memchr(ctx: Ctx) -> Answer {
    let (start, wanted, bytes) = (ctx.ptr(0), ctx.i32(1) as u8, ctx.size(2));
    let available = ctx.memory().remaining(start).unwrap_or(0).min(bytes);
    let found = find_byte(ctx.view(start, available), wanted);
    let read = found.map_or(bytes, |i| i as u64 + 1);
    if !ctx.check_read(start, read, 0)? {
        return null();
    }
    ctx.check_initialised(start, read, 0)?;
    ctx.machine.touch(start, read, false);
    found.map_or(null(), |i| pointer(start.add(i as u64)))
}

fn memrchr(ctx: Ctx) -> Answer {
    let (start, wanted, bytes) = (ctx.ptr(0), ctx.i32(1) as u8, ctx.size(2));
    if !ctx.check_read(start, bytes, 0)? {
        return null();
    }
    let found = ctx.view(start, bytes).iter().rposition(|b| *b == wanted);
    found.map_or(null(), |i| pointer(start.add(i as u64)))
}

fn rawmemchr(ctx: Ctx) -> Answer {
    let (start, wanted) = (ctx.ptr(0), ctx.i32(1) as u8);
    let available = ctx.memory().remaining(start).unwrap_or(0);
    let found = find_byte(ctx.view(start, available), wanted);
    let read = found.map_or(available + 1, |i| i as u64 + 1);
    if !ctx.check_read(start, read, 0)? {
        return null();
    }
    ctx.check_initialised(start, read, 0)?;
    found.map_or(null(), |i| pointer(start.add(i as u64)))
}

fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    let Some((&first, _)) = needle.split_first() else { return Some(0) };
    let mut at = 0;
    while at + needle.len() <= haystack.len() {
        at += find_byte(&haystack[at..=haystack.len() - needle.len()], first)?;
        if haystack[at..].starts_with(needle) {
            return Some(at);
        }
        at += 1;
    }
    None
}

fn memmem(ctx: Ctx) -> Answer {
    let (start, bytes, wanted, length) = (ctx.ptr(0), ctx.size(1), ctx.ptr(2), ctx.size(3));
    let haystack = ctx.read(start, bytes, 0)?;
    let needle = ctx.read(wanted, length, 2)?;
    find(&haystack, &needle).map_or(null(), |i| pointer(start.add(i as u64)))
}

impl NativeCtx<'_, '_> {
    /// Where a string first has a byte that `stop` holds for, or ends; and whether it was such a byte. Only that much is
    /// read, so that walking through a long text piece by piece costs no more than it should.
    fn scan_string(
        &mut self,
        start: Pointer,
        argument: usize,
        stop: impl Fn(u8) -> bool,
    ) -> Result<(u64, bool), Stop> {
        if !self.check_read(start, 1, argument)? {
            return Ok((0, false));
        }
        let text = self.machine.memory.tail(start).unwrap_or(&[]);
        let Some(at) = text.iter().position(|b| *b == 0 || stop(*b)) else {
            return Ok((self.string_length(start, argument)?, false));
        };
        let found = text[at] != 0 || stop(0);
        let read = at as u64 + 1;
        self.check_initialised(start, read, argument)?;
        self.machine.touch(start, read, false);
        Ok((at as u64, found))
    }
}

/// Where the byte of the second argument stands in the first, or where that ends.
fn position_or_end(ctx: &mut NativeCtx<'_, '_>) -> Result<(u64, bool), Stop> {
    let (start, wanted) = (ctx.ptr(0), ctx.i32(1) as u8);
    ctx.scan_string(start, 0, |b| b == wanted)
}

fn strchr(ctx: Ctx) -> Answer {
    let (at, found) = position_or_end(ctx)?;
    if found { pointer(ctx.ptr(0).add(at)) } else { null() }
}

fn strchrnul(ctx: Ctx) -> Answer {
    let (at, _) = position_or_end(ctx)?;
    pointer(ctx.ptr(0).add(at))
}

fn strrchr(ctx: Ctx) -> Answer {
    let (start, wanted) = (ctx.ptr(0), ctx.i32(1) as u8);
    let length = ctx.string_length(start, 0)?;
    if wanted == 0 {
        return pointer(start.add(length));
    }
    let found = ctx.view(start, length).iter().rposition(|b| *b == wanted);
    found.map_or(null(), |i| pointer(start.add(i as u64)))
}

/// Which bytes belong to a set given as a string.
fn byte_set(ctx: &mut NativeCtx<'_, '_>, set: Pointer, argument: usize) -> Result<[bool; 256], Stop> {
    let mut members = [false; 256];
    for byte in ctx.string_view(set, argument)? {
        members[usize::from(*byte)] = true;
    }
    Ok(members)
}

/// How many bytes at the start of a string belong to the set.
fn span_inside(ctx: &mut NativeCtx<'_, '_>, start: Pointer, set: &[bool; 256]) -> Result<u64, Stop> {
    Ok(ctx.scan_string(start, 0, |b| !set[usize::from(b)])?.0)
}

/// How many bytes at the start of a string do not belong to the set, and whether one that does follows.
fn span_outside(ctx: &mut NativeCtx<'_, '_>, start: Pointer, set: &[bool; 256]) -> Result<(u64, bool), Stop> {
    ctx.scan_string(start, 0, |b| b != 0 && set[usize::from(b)])
}

fn strspn(ctx: Ctx) -> Answer {
    let set = byte_set(ctx, ctx.ptr(1), 1)?;
    int(span_inside(ctx, ctx.ptr(0), &set)?)
}

fn strcspn(ctx: Ctx) -> Answer {
    let set = byte_set(ctx, ctx.ptr(1), 1)?;
    int(span_outside(ctx, ctx.ptr(0), &set)?.0)
}

fn strpbrk(ctx: Ctx) -> Answer {
    let set = byte_set(ctx, ctx.ptr(1), 1)?;
    let start = ctx.ptr(0);
    let (at, found) = span_outside(ctx, start, &set)?;
    if found { pointer(start.add(at)) } else { null() }
}

fn strstr(ctx: Ctx) -> Answer {
    let start = ctx.ptr(0);
    let needle = ctx.c_string(ctx.ptr(1), 1)?;
    let found = find(ctx.string_view(start, 0)?, &needle);
    found.map_or(null(), |i| pointer(start.add(i as u64)))
}

fn strcasestr(ctx: Ctx) -> Answer {
    let start = ctx.ptr(0);
    let haystack = ctx.c_string(start, 0)?.to_ascii_lowercase();
    let needle = ctx.c_string(ctx.ptr(1), 1)?.to_ascii_lowercase();
    find(&haystack, &needle).map_or(null(), |i| pointer(start.add(i as u64)))
}

/// The next token from `start` on, and where to go on.
fn next_token(ctx: &mut NativeCtx<'_, '_>, start: Pointer) -> Result<(Pointer, Pointer), Stop> {
    let set = byte_set(ctx, ctx.ptr(1), 1)?;
    let skipped = span_inside(ctx, start, &set)?;
    let token = start.add(skipped);
    let (token_length, ends_early) = span_outside(ctx, token, &set)?;
    if token_length == 0 {
        return Ok((Pointer::NULL, token));
    }
    let end = token.add(token_length);
    if !ends_early {
        return Ok((token, end));
    }
    ctx.write(end, &[0], 0)?;
    Ok((token, end.add(1)))
}

fn strtok(ctx: Ctx) -> Answer {
    let given = ctx.ptr(0);
    let start = if given.is_null() { ctx.state().strtok } else { given };
    if start.is_null() {
        ctx.bad_argument(0, "null at the first call, with no string to go on with")?;
        return null();
    }
    let (token, rest) = next_token(ctx, start)?;
    ctx.state().strtok = rest;
    pointer(token)
}

fn strtok_r(ctx: Ctx) -> Answer {
    let (given, save) = (ctx.ptr(0), ctx.ptr(2));
    let start = if given.is_null() { ctx.read_ptr(save, 2)? } else { given };
    if start.is_null() {
        ctx.bad_argument(0, "null at the first call, with no string to go on with")?;
        return null();
    }
    let (token, rest) = next_token(ctx, start)?;
    ctx.write_ptr(save, rest, 2)?;
    pointer(token)
}

fn strsep(ctx: Ctx) -> Answer {
    let place = ctx.ptr(0);
    let start = ctx.read_ptr(place, 0)?;
    if start.is_null() {
        return null();
    }
    let set = byte_set(ctx, ctx.ptr(1), 1)?;
    let (at, found) = span_outside(ctx, start, &set)?;
    if !found {
        ctx.write_ptr(place, Pointer::NULL, 0)?;
    } else {
        ctx.write(start.add(at), &[0], 0)?;
        ctx.write_ptr(place, start.add(at + 1), 0)?;
    }
    pointer(start)
}

fn gnu_basename(ctx: Ctx) -> Answer {
    let start = ctx.ptr(0);
    let slash = ctx.string_view(start, 0)?.iter().rposition(|b| *b == b'/');
    pointer(start.add(slash.map_or(0, |i| i as u64 + 1)))
}

/// `basename` of `<libgen.h>`, which may write to its argument.
fn xpg_basename(ctx: Ctx) -> Answer {
    let start = ctx.ptr(0);
    let text = if start.is_null() { Vec::new() } else { ctx.c_string(start, 0)? };
    if text.is_empty() {
        return pointer(ctx.static_text("the result of basename", b"."));
    }
    let Some(last) = text.iter().rposition(|b| *b != b'/') else {
        return pointer(start.add(text.len() as u64 - 1));
    };
    if last + 1 < text.len() {
        ctx.write(start.add(last as u64 + 1), &[0], 0)?;
    }
    let slash = text[..last].iter().rposition(|b| *b == b'/');
    pointer(start.add(slash.map_or(0, |i| i as u64 + 1)))
}

/// `dirname` of `<libgen.h>`, which may write to its argument.
fn dirname(ctx: Ctx) -> Answer {
    let start = ctx.ptr(0);
    let text = if start.is_null() { Vec::new() } else { ctx.c_string(start, 0)? };
    let last = text.iter().rposition(|b| *b != b'/');
    let slash = last.and_then(|last| text[..last].iter().rposition(|b| *b == b'/'));
    let Some(slash) = slash else {
        let root = last.is_none() && !text.is_empty();
        if root {
            ctx.write(start.add(1), &[0], 0)?;
            return pointer(start);
        }
        return pointer(ctx.static_text("the result of dirname", b"."));
    };
    let end = text[..slash].iter().rposition(|b| *b != b'/').map_or(1, |i| i + 1);
    ctx.write(start.add(end as u64), &[0], 0)?;
    pointer(start)
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! Multibyte and wide characters in the C locale, where each byte below 128 is a character and the others are none.

use clew_base::int::IntType;

use super::Table;
use super::context::{Answer, int, null, pointer};
use super::errno::Errno;
use crate::machine::Stop;
use crate::native::NativeCtx;
use crate::value::Pointer;

type Ctx<'a, 'm, 'p> = &'a mut NativeCtx<'m, 'p>;

/// The functions.
pub const TABLE: Table = &[
    ("mblen", mblen),
    ("mbtowc", mbtowc),
    ("wctomb", wctomb),
    ("mbstowcs", mbstowcs),
    ("wcstombs", wcstombs),
    ("mbrtowc", mbrtowc),
    ("wcrtomb", wcrtomb),
    ("mbsinit", mbsinit),
    ("btowc", btowc),
    ("wctob", wctob),
    ("wcslen", wcslen),
    ("wcscmp", wcscmp),
    ("wcsncmp", wcsncmp),
    ("wcscpy", wcscpy),
    ("wcscat", wcscat),
    ("wcschr", wcschr),
    ("wcsrchr", wcsrchr),
    ("wmemset", wmemset),
    ("wmemcpy", wmemcpy),
    ("iswalpha", |c| wide_class(c, |b| b.is_ascii_alphabetic())),
    ("iswdigit", |c| wide_class(c, |b| b.is_ascii_digit())),
    ("iswalnum", |c| wide_class(c, |b| b.is_ascii_alphanumeric())),
    ("iswspace", |c| wide_class(c, super::number::is_space)),
    ("iswupper", |c| wide_class(c, |b| b.is_ascii_uppercase())),
    ("iswlower", |c| wide_class(c, |b| b.is_ascii_lowercase())),
    ("iswprint", |c| wide_class(c, |b| b == b' ' || b.is_ascii_graphic())),
    ("iswpunct", |c| wide_class(c, |b| b.is_ascii_punctuation())),
    ("towlower", |c| wide_case(c, |b| b.to_ascii_lowercase())),
    ("towupper", |c| wide_case(c, |b| b.to_ascii_uppercase())),
];

/// Bytes of `wchar_t`.
pub const WIDE: u64 = 4;

/// One byte as a wide character: the byte itself below 128.
fn widen(byte: u8) -> Option<u32> {
    byte.is_ascii().then_some(u32::from(byte))
}

fn mblen(ctx: Ctx) -> Answer {
    let (place, most) = (ctx.ptr(0), ctx.size(1));
    convert_one(ctx, Pointer::NULL, place, most, 0)
}

fn mbtowc(ctx: Ctx) -> Answer {
    let (target, place, most) = (ctx.ptr(0), ctx.ptr(1), ctx.size(2));
    convert_one(ctx, target, place, most, 1)
}

/// Length of the character at `place`: 1, 0 for NUL, -1 for none.
fn convert_one(
    ctx: &mut NativeCtx<'_, '_>,
    target: Pointer,
    place: Pointer,
    most: u64,
    argument: usize,
) -> Answer {
    if place.is_null() {
        return int(0);
    }
    if most == 0 {
        return int(-1);
    }
    let byte = ctx.read(place, 1, argument)?.first().copied().unwrap_or(0);
    match widen(byte) {
        None => ctx.fail(Errno::EILSEQ),
        Some(wide) => {
            if !target.is_null() {
                ctx.write_int(target, IntType::I32, i128::from(wide), 0)?;
            }
            int(i32::from(byte != 0))
        }
    }
}

fn mbrtowc(ctx: Ctx) -> Answer {
    let (target, place, most) = (ctx.ptr(0), ctx.ptr(1), ctx.size(2));
    if place.is_null() {
        return int(0);
    }
    if most == 0 {
        return int(u64::MAX - 1);
    }
    let byte = ctx.read(place, 1, 1)?.first().copied().unwrap_or(0);
    let Some(wide) = widen(byte) else {
        ctx.set_errno(Errno::EILSEQ.0);
        return int(u64::MAX);
    };
    if !target.is_null() {
        ctx.write_int(target, IntType::I32, i128::from(wide), 0)?;
    }
    int(u64::from(byte != 0))
}

fn narrow_one(ctx: &mut NativeCtx<'_, '_>, failed: i128) -> Answer {
    let (place, wide) = (ctx.ptr(0), ctx.int(1) as u32);
    if wide > 127 {
        ctx.set_errno(Errno::EILSEQ.0);
        return int(failed);
    }
    ctx.write(place, &[wide as u8], 0)?;
    int(1)
}

fn wctomb(ctx: Ctx) -> Answer {
    if ctx.ptr(0).is_null() {
        return int(0);
    }
    narrow_one(ctx, -1)
}

fn wcrtomb(ctx: Ctx) -> Answer {
    if ctx.ptr(0).is_null() {
        return int(1);
    }
    narrow_one(ctx, i128::from(u64::MAX))
}

fn mbsinit(_: Ctx) -> Answer {
    int(1)
}

fn mbstowcs(ctx: Ctx) -> Answer {
    let (target, most) = (ctx.ptr(0), ctx.size(2));
    let text = ctx.c_string(ctx.ptr(1), 1)?;
    let count = if target.is_null() { text.len() } else { text.len().min(most as usize) };
    if text[..count].iter().any(|b| !b.is_ascii()) {
        ctx.set_errno(Errno::EILSEQ.0);
        return int(u64::MAX);
    }
    if !target.is_null() {
        let mut bytes: Vec<u8> = text[..count].iter().flat_map(|b| u32::from(*b).to_le_bytes()).collect();
        if (count as u64) < most {
            bytes.extend([0; WIDE as usize]);
        }
        ctx.write(target, &bytes, 0)?;
    }
    int(count as u64)
}

/// The characters of a wide string, without its NUL.
pub fn wide_string(ctx: &mut NativeCtx<'_, '_>, place: Pointer, argument: usize) -> Result<Vec<u32>, Stop> {
    let mut wide = Vec::new();
    let mut at = place;
    loop {
        if !ctx.check_read(at, WIDE, argument)? {
            return Ok(wide);
        }
        match ctx.read_int(at, IntType::U32, argument)? as u32 {
            0 => return Ok(wide),
            c => wide.push(c),
        }
        at = at.add(WIDE);
    }
}

fn wcstombs(ctx: Ctx) -> Answer {
    let (target, most) = (ctx.ptr(0), ctx.size(2));
    let wide = wide_string(ctx, ctx.ptr(1), 1)?;
    let count = if target.is_null() { wide.len() } else { wide.len().min(most as usize) };
    if wide[..count].iter().any(|c| *c > 127) {
        ctx.set_errno(Errno::EILSEQ.0);
        return int(u64::MAX);
    }
    if !target.is_null() {
        let mut bytes: Vec<u8> = wide[..count].iter().map(|c| *c as u8).collect();
        if (count as u64) < most {
            bytes.push(0);
        }
        ctx.write(target, &bytes, 0)?;
    }
    int(count as u64)
}

fn btowc(ctx: Ctx) -> Answer {
    let value = ctx.i32(0);
    let wide = u8::try_from(value).ok().and_then(widen);
    int(wide.unwrap_or(u32::MAX))
}

fn wctob(ctx: Ctx) -> Answer {
    let wide = ctx.int(0) as u32;
    int(if wide < 128 { wide as i32 } else { -1 })
}

fn wcslen(ctx: Ctx) -> Answer {
    int(wide_string(ctx, ctx.ptr(0), 0)?.len() as u64)
}

fn compare(a: &[u32], b: &[u32]) -> i32 {
    let signed = |s: &[u32]| s.iter().map(|c| *c as i32).collect::<Vec<_>>();
    signed(a).cmp(&signed(b)) as i32
}

fn wcscmp(ctx: Ctx) -> Answer {
    let a = wide_string(ctx, ctx.ptr(0), 0)?;
    let b = wide_string(ctx, ctx.ptr(1), 1)?;
    int(compare(&a, &b))
}

fn wcsncmp(ctx: Ctx) -> Answer {
    let most = ctx.size(2) as usize;
    let a = wide_string(ctx, ctx.ptr(0), 0)?;
    let b = wide_string(ctx, ctx.ptr(1), 1)?;
    int(compare(&a[..a.len().min(most)], &b[..b.len().min(most)]))
}

/// Writes a wide string and its NUL.
pub fn write_wide(ctx: &mut NativeCtx<'_, '_>, place: Pointer, wide: &[u32]) -> Result<(), Stop> {
    let mut bytes: Vec<u8> = wide.iter().flat_map(|c| c.to_le_bytes()).collect();
    bytes.extend([0; WIDE as usize]);
    ctx.write(place, &bytes, 0)
}

fn wcscpy(ctx: Ctx) -> Answer {
    let place = ctx.ptr(0);
    let wide = wide_string(ctx, ctx.ptr(1), 1)?;
    write_wide(ctx, place, &wide)?;
    pointer(place)
}

fn wcscat(ctx: Ctx) -> Answer {
    let place = ctx.ptr(0);
    let old = wide_string(ctx, place, 0)?.len() as u64;
    let wide = wide_string(ctx, ctx.ptr(1), 1)?;
    write_wide(ctx, place.add(old * WIDE), &wide)?;
    pointer(place)
}

/// Where a wide character stands; the NUL counts.
fn find(ctx: &mut NativeCtx<'_, '_>, last: bool) -> Answer {
    let (place, wanted) = (ctx.ptr(0), ctx.int(1) as u32);
    let mut wide = wide_string(ctx, place, 0)?;
    wide.push(0);
    let found =
        if last { wide.iter().rposition(|c| *c == wanted) } else { wide.iter().position(|c| *c == wanted) };
    found.map_or_else(null, |index| pointer(place.add(index as u64 * WIDE)))
}

fn wcschr(ctx: Ctx) -> Answer {
    find(ctx, false)
}

fn wcsrchr(ctx: Ctx) -> Answer {
    find(ctx, true)
}

fn wmemset(ctx: Ctx) -> Answer {
    let (place, wide, count) = (ctx.ptr(0), ctx.int(1) as u32, ctx.size(2));
    let bytes = count.saturating_mul(WIDE);
    if ctx.check_write(place, bytes, 0)? {
        let data = wide.to_le_bytes().repeat(count as usize);
        ctx.write(place, &data, 0)?;
    }
    pointer(place)
}

fn wmemcpy(ctx: Ctx) -> Answer {
    let (to, from) = (ctx.ptr(0), ctx.ptr(1));
    let bytes = ctx.size(2).saturating_mul(WIDE);
    ctx.copy((to, 0), (from, 1), bytes)?;
    pointer(to)
}

fn wide_class(ctx: Ctx, belongs: fn(u8) -> bool) -> Answer {
    let wide = ctx.int(0) as u32;
    int(i32::from(wide < 128 && belongs(wide as u8)))
}

fn wide_case(ctx: Ctx, map: fn(u8) -> u8) -> Answer {
    let wide = ctx.int(0) as u32;
    int(if wide < 128 { u32::from(map(wide as u8)) } else { wide })
}

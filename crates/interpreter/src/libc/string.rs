// SPDX-License-Identifier: MIT OR Apache-2.0
//! `<string.h>` and `<strings.h>`: lengths, comparisons and messages.

use clew_base::int::IntType;

use super::Table;
use super::context::{Answer, int, pointer};
use super::errno;
use crate::machine::Stop;
use crate::native::NativeCtx;
use crate::value::Pointer;

type Ctx<'a, 'm, 'p> = &'a mut NativeCtx<'m, 'p>;

/// The functions.
pub const TABLE: Table = &[
    ("strlen", strlen),
    ("strnlen", strnlen),
    ("memcmp", memcmp),
    ("bcmp", memcmp),
    ("strcmp", strcmp),
    ("strncmp", strncmp),
    ("strcasecmp", strcasecmp),
    ("strncasecmp", strncasecmp),
    ("__strcasecmp", strcasecmp),
    ("strcoll", strcmp),
    ("strverscmp", strverscmp),
    ("strerror", strerror),
    ("strerror_l", strerror),
    ("__xpg_strerror_r", xpg_strerror_r),
    ("strerror_r", gnu_strerror_r),
    ("strerrorname_np", strerrorname),
    ("strsignal", strsignal),
    ("ffs", ffs),
    ("ffsl", ffsl),
    ("ffsll", ffsl),
];

fn strlen(ctx: Ctx) -> Answer {
    int(ctx.string_length(ctx.ptr(0), 0)?)
}

fn strnlen(ctx: Ctx) -> Answer {
    int(ctx.string_length_n(ctx.ptr(0), ctx.size(1), 0)?)
}

fn memcmp(ctx: Ctx) -> Answer {
    let bytes = ctx.size(2);
    for argument in [0, 1] {
        let pointer = ctx.ptr(argument);
        if !ctx.check_read(pointer, bytes, argument)? {
            return int(0);
        }
        ctx.check_initialised(pointer, bytes, argument)?;
    }
    let (a, b) = (ctx.ptr(0), ctx.ptr(1));
    ctx.machine.touch(a, bytes, false);
    ctx.machine.touch(b, bytes, false);
    int(difference(ctx.view(a, bytes), ctx.view(b, bytes)))
}

/// The difference of the first bytes that differ.
fn difference(a: &[u8], b: &[u8]) -> i32 {
    if a == b {
        return 0;
    }
    let pair = a.iter().zip(b).find(|(x, y)| x != y);
    pair.map_or(0, |(x, y)| i32::from(*x) - i32::from(*y))
}

/// Where two strings stop being compared: after the first difference or NUL, or after `most` bytes.
/// Only the bytes up to there need to be readable, in both.
fn compared(ctx: &mut NativeCtx<'_, '_>, most: u64, fold: fn(u8) -> u8) -> Result<i32, Stop> {
    let (a, b) = (ctx.ptr(0), ctx.ptr(1));
    let first = most.min(1);
    if !ctx.check_read(a, first, 0)? || !ctx.check_read(b, first, 1)? || most == 0 {
        return Ok(0);
    }
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    let memory = &ctx.machine.memory;
    let (left, right) = (memory.tail(a).unwrap_or(&[]), memory.tail(b).unwrap_or(&[]));
    let end = left.iter().zip(right).take(most).position(|(x, y)| fold(*x) != fold(*y) || *x == 0);
    let (read, result) = match end {
        Some(at) => (at + 1, i32::from(fold(left[at])) - i32::from(fold(right[at]))),
        None => (most.min(left.len()).min(right.len()), 0),
    };
    let (left_short, right_short) = (left.len() == read, right.len() == read);
    if end.is_none() && read < most {
        // One of them ran out of its object: the string function reports it.
        if left_short {
            ctx.string_length_n(a, most as u64, 0)?;
        }
        if right_short {
            ctx.string_length_n(b, most as u64, 1)?;
        }
        return Ok(0);
    }
    for (pointer, argument) in [(a, 0), (b, 1)] {
        ctx.check_initialised(pointer, read as u64, argument)?;
        ctx.machine.touch(pointer, read as u64, false);
    }
    Ok(result)
}

fn strcmp(ctx: Ctx) -> Answer {
    int(compared(ctx, u64::MAX, |b| b)?)
}

fn strncmp(ctx: Ctx) -> Answer {
    let most = ctx.size(2);
    int(compared(ctx, most, |b| b)?)
}

fn strcasecmp(ctx: Ctx) -> Answer {
    int(compared(ctx, u64::MAX, |b| b.to_ascii_lowercase())?)
}

fn strncasecmp(ctx: Ctx) -> Answer {
    let most = ctx.size(2);
    int(compared(ctx, most, |b| b.to_ascii_lowercase())?)
}

/// Compares with runs of digits as numbers; a run that starts with a zero is a fraction.
fn strverscmp(ctx: Ctx) -> Answer {
    let a = ctx.c_string(ctx.ptr(0), 0)?;
    let b = ctx.c_string(ctx.ptr(1), 1)?;
    int(compare_versions(&a, &b))
}

fn compare_versions(a: &[u8], b: &[u8]) -> i32 {
    let common = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    if common == a.len() && common == b.len() {
        return 0;
    }
    let digits_before = a[..common].iter().rev().take_while(|d| d.is_ascii_digit()).count();
    let run = |s: &[u8]| s[common..].iter().take_while(|d| d.is_ascii_digit()).count();
    let at = |s: &[u8]| i32::from(s.get(common).copied().unwrap_or(0));
    let start = &a[common - digits_before..common];
    let fractional = start.first() == Some(&b'0')
        || (start.is_empty() && (a.get(common) == Some(&b'0') || b.get(common) == Some(&b'0')));
    let (run_a, run_b) = (run(a), run(b));
    let both_numbers = (run_a > 0 && run_b > 0) || (digits_before > 0 && (run_a > 0 || run_b > 0));
    if both_numbers && !fractional && run_a != run_b {
        return if run_a > run_b { 1 } else { -1 };
    }
    if fractional && !start.is_empty() && (run_a == 0) != (run_b == 0) && start.iter().all(|d| *d == b'0') {
        // A longer run of leading zeros is smaller.
        return if run_a > run_b { -1 } else { 1 };
    }
    at(a) - at(b)
}

fn message_in(ctx: &mut NativeCtx<'_, '_>, number: i32) -> Pointer {
    let text = errno::message(number);
    if text.starts_with("Unknown") {
        // glibc frees the last one.
        const NAME: &str = "the text of an unknown error";
        if let Some(last) = ctx.state().statics.remove(NAME) {
            let died = ctx.machine.trace();
            ctx.memory().kill(last.prov, died);
        }
        return ctx.static_text(NAME, text.as_bytes());
    }
    ctx.static_message(number, &text)
}

fn strerror(ctx: Ctx) -> Answer {
    let number = ctx.i32(0);
    pointer(message_in(ctx, number))
}

fn xpg_strerror_r(ctx: Ctx) -> Answer {
    let (number, buffer, size) = (ctx.i32(0), ctx.ptr(1), ctx.size(2));
    let text = errno::message(number);
    let shown = &text.as_bytes()[..text.len().min(size.saturating_sub(1) as usize)];
    if size > 0 {
        ctx.write_c_string(buffer, shown, 1)?;
    }
    let known = number == 0 || errno::name(number).is_some();
    int(match (known, shown.len() == text.len()) {
        (false, _) => errno::Errno::EINVAL.0,
        (true, false) => errno::Errno::ERANGE.0,
        (true, true) => 0,
    })
}

/// The GNU form returns the message itself and leaves the buffer alone for known numbers.
fn gnu_strerror_r(ctx: Ctx) -> Answer {
    let (number, buffer, size) = (ctx.i32(0), ctx.ptr(1), ctx.size(2));
    if number == 0 || errno::name(number).is_some() {
        return pointer(message_in(ctx, number));
    }
    let text = errno::message(number);
    if size > 0 {
        let shown = &text.as_bytes()[..text.len().min(size as usize - 1)];
        ctx.write_c_string(buffer, shown, 1)?;
    }
    pointer(buffer)
}

fn strerrorname(ctx: Ctx) -> Answer {
    match errno::name(ctx.i32(0)) {
        Some(name) => pointer(ctx.static_text("the result of strerrorname_np", name.as_bytes())),
        None => pointer(Pointer::NULL),
    }
}

/// glibc's descriptions of the signals, from 1.
const SIGNALS: [&str; 31] = [
    "Hangup",
    "Interrupt",
    "Quit",
    "Illegal instruction",
    "Trace/breakpoint trap",
    "Aborted",
    "Bus error",
    "Floating point exception",
    "Killed",
    "User defined signal 1",
    "Segmentation fault",
    "User defined signal 2",
    "Broken pipe",
    "Alarm clock",
    "Terminated",
    "Stack fault",
    "Child exited",
    "Continued",
    "Stopped (signal)",
    "Stopped",
    "Stopped (tty input)",
    "Stopped (tty output)",
    "Urgent I/O condition",
    "CPU time limit exceeded",
    "File size limit exceeded",
    "Virtual timer expired",
    "Profiling timer expired",
    "Window changed",
    "I/O possible",
    "Power failure",
    "Bad system call",
];

/// What `strsignal` says.
pub fn signal_text(number: i32) -> String {
    let index = usize::try_from(number).ok().and_then(|n| n.checked_sub(1));
    match index.and_then(|i| SIGNALS.get(i)) {
        Some(text) => (*text).to_owned(),
        None if (34..=64).contains(&number) => format!("Real-time signal {}", number - 34),
        None => format!("Unknown signal {number}"),
    }
}

fn strsignal(ctx: Ctx) -> Answer {
    let number = ctx.i32(0);
    let text = signal_text(number);
    if (1..=SIGNALS.len() as i32).contains(&number) {
        // Known signals have texts that stay; negative keys tell them from errors.
        return pointer(ctx.static_message(-number, &text));
    }
    pointer(ctx.static_text("the result of strsignal", text.as_bytes()))
}

fn ffs(ctx: Ctx) -> Answer {
    first_set(ctx.i32(0) as u32 as u64)
}

fn ffsl(ctx: Ctx) -> Answer {
    first_set(IntType::U64.wrap(ctx.int(0)) as u64)
}

fn first_set(value: u64) -> Answer {
    int(if value == 0 { 0 } else { value.trailing_zeros() as i32 + 1 })
}

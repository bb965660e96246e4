// SPDX-License-Identifier: MIT OR Apache-2.0
//! `<signal.h>`: handlers are recorded; a signal arrives only when the program raises it.

use super::Table;
use super::context::{Answer, int, pointer};
use super::errno::Errno;
use crate::machine::Stop;
use crate::native::NativeCtx;
use crate::value::{Pointer, Value};

type Ctx<'a, 'm, 'p> = &'a mut NativeCtx<'m, 'p>;

/// The functions.
pub const TABLE: Table = &[
    ("signal", signal),
    ("bsd_signal", signal),
    ("__sysv_signal", signal),
    ("sigaction", sigaction),
    ("raise", raise),
    ("kill", kill),
    ("sigemptyset", sigemptyset),
    ("sigfillset", sigfillset),
    ("sigaddset", sigaddset),
    ("sigdelset", sigdelset),
    ("sigismember", sigismember),
    ("sigprocmask", sigprocmask),
    ("pthread_sigmask", sigprocmask),
    ("siginterrupt", nothing),
    ("alarm", alarm),
    ("sigaltstack", nothing),
];

const LAST: i32 = 64;
/// `SIG_ERR`
const ERROR: Pointer = Pointer { addr: u64::MAX, prov: crate::value::Provenance::NONE };

fn nothing(_: Ctx) -> Answer {
    int(0)
}

/// Zero seconds cancel an alarm, and there is none.
fn alarm(ctx: Ctx) -> Answer {
    if ctx.int(0) == 0 {
        return int(0);
    }
    Err(ctx.unsupported("alarm: signals do not arrive on their own"))
}

fn valid(number: i32) -> bool {
    // SIGKILL and SIGSTOP cannot be handled.
    (1..=LAST).contains(&number) && number != 9 && number != 19
}

fn signal(ctx: Ctx) -> Answer {
    let (number, handler) = (ctx.i32(0), ctx.ptr(1));
    if !valid(number) {
        ctx.set_errno(Errno::EINVAL.0);
        return pointer(ERROR);
    }
    let old = ctx.state().handlers.insert(number, handler);
    pointer(old.unwrap_or(Pointer::NULL))
}

/// The handler is the first word of `struct sigaction` (152 bytes); mask and flags are zero when read back.
fn sigaction(ctx: Ctx) -> Answer {
    let (number, new, old) = (ctx.i32(0), ctx.ptr(1), ctx.ptr(2));
    if !valid(number) {
        return ctx.fail(Errno::EINVAL);
    }
    let before = ctx.state().handlers.get(&number).copied().unwrap_or(Pointer::NULL);
    if !new.is_null() {
        let handler = ctx.read_ptr(new, 1)?;
        ctx.state().handlers.insert(number, handler);
    }
    if !old.is_null() {
        ctx.fill(old, 0, 152, 2)?;
        ctx.write_ptr(old, before, 2)?;
    }
    int(0)
}

/// Signals whose default is to do nothing.
fn ignored_by_default(number: i32) -> bool {
    matches!(number, 17 | 18 | 20..=23 | 28)
}

/// Calls the handler of a signal, if there is one.
pub(super) fn handle(ctx: &mut NativeCtx<'_, '_>, number: i32) -> Result<(), Stop> {
    match ctx.state().handlers.get(&number).copied() {
        Some(handler) if handler.addr > 1 => {
            ctx.call_back(handler, &[Value::Int(i128::from(number))]).map(drop)
        }
        _ => Ok(()),
    }
}

fn deliver(ctx: &mut NativeCtx<'_, '_>, number: i32) -> Result<(), Stop> {
    let handler = ctx.state().handlers.get(&number).copied().unwrap_or(Pointer::NULL);
    match handler.addr {
        0 if ignored_by_default(number) => Ok(()),
        0 => Err(ctx.kill(number)),
        // SIG_IGN
        1 => Ok(()),
        _ => handle(ctx, number),
    }
}

fn raise(ctx: Ctx) -> Answer {
    let number = ctx.i32(0);
    if !(1..=LAST).contains(&number) {
        return ctx.fail(Errno::EINVAL);
    }
    deliver(ctx, number)?;
    int(0)
}

fn kill(ctx: Ctx) -> Answer {
    let (process, number) = (ctx.i32(0), ctx.i32(1));
    if process != std::process::id() as i32 {
        return Err(ctx.unsupported("kill: signals to other processes are not sent"));
    }
    if number != 0 {
        deliver(ctx, number)?;
    }
    int(0)
}

const SET_BYTES: u64 = 128;

fn sigemptyset(ctx: Ctx) -> Answer {
    let place = ctx.ptr(0);
    ctx.fill(place, 0, SET_BYTES, 0)?;
    int(0)
}

fn sigfillset(ctx: Ctx) -> Answer {
    let place = ctx.ptr(0);
    ctx.fill(place, 0xff, SET_BYTES, 0)?;
    int(0)
}

/// The place and bit of a signal in a set; none for a wrong number (`errno` is set).
fn member(ctx: &mut NativeCtx<'_, '_>) -> Option<(Pointer, u8)> {
    let (place, number) = (ctx.ptr(0), ctx.i32(1));
    if !(1..=LAST).contains(&number) {
        ctx.set_errno(Errno::EINVAL.0);
        return None;
    }
    let bit = number as u64 - 1;
    Some((place.add(bit / 8), 1 << (bit % 8)))
}

fn sigaddset(ctx: Ctx) -> Answer {
    let Some((place, bit)) = member(ctx) else { return int(-1) };
    let byte = ctx.read(place, 1, 0)?.first().copied().unwrap_or(0);
    ctx.write(place, &[byte | bit], 0)?;
    int(0)
}

fn sigdelset(ctx: Ctx) -> Answer {
    let Some((place, bit)) = member(ctx) else { return int(-1) };
    let byte = ctx.read(place, 1, 0)?.first().copied().unwrap_or(0);
    ctx.write(place, &[byte & !bit], 0)?;
    int(0)
}

fn sigismember(ctx: Ctx) -> Answer {
    let Some((place, bit)) = member(ctx) else { return int(-1) };
    let byte = ctx.read(place, 1, 0)?.first().copied().unwrap_or(0);
    int(i32::from(byte & bit != 0))
}

/// Nothing arrives on its own, so there is nothing to block.
fn sigprocmask(ctx: Ctx) -> Answer {
    let old = ctx.ptr(2);
    if !old.is_null() {
        ctx.fill(old, 0, SET_BYTES, 2)?;
    }
    int(0)
}

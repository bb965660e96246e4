// SPDX-License-Identifier: MIT OR Apache-2.0
//! `<fenv.h>`: the flags that library calls raise, and the one rounding mode there is.
//!
//! The interpreter does not record the flags of the program's own arithmetic; the first use of `fetestexcept` says so.

use clew_base::float::Flags;
use clew_base::int::IntType;

use super::Table;
use super::context::{Answer, int};
use crate::native::NativeCtx;

type Ctx<'a, 'm, 'p> = &'a mut NativeCtx<'m, 'p>;

/// The functions.
pub const TABLE: Table = &[
    ("feclearexcept", feclearexcept),
    ("feraiseexcept", feraiseexcept),
    ("fetestexcept", fetestexcept),
    ("fegetexceptflag", fegetexceptflag),
    ("fesetexceptflag", fesetexceptflag),
    ("fegetround", fegetround),
    ("fesetround", fesetround),
    ("fegetenv", fegetenv),
    ("feholdexcept", feholdexcept),
    ("fesetenv", fesetenv),
    ("feupdateenv", fesetenv),
    ("feenableexcept", unmask),
    ("fedisableexcept", fedisableexcept),
    ("fegetexcept", fedisableexcept),
];

const ALL: u32 = 0x3d;

/// The bits of `<fenv.h>` on x86 for flags.
pub fn bits(flags: Flags) -> u32 {
    let pairs = [
        (Flags::INVALID, 0x01),
        (Flags::DIV_BY_ZERO, 0x04),
        (Flags::OVERFLOW, 0x08),
        (Flags::UNDERFLOW, 0x10),
        (Flags::INEXACT, 0x20),
    ];
    pairs.iter().filter(|(flag, _)| flags.contains(*flag)).fold(0, |all, (_, bit)| all | bit)
}

fn say_limit(ctx: &mut NativeCtx<'_, '_>) {
    const LIMIT: &str =
        "fetestexcept: only exceptions raised by library calls and feraiseexcept are recorded";
    if !ctx.state().said.contains(&LIMIT) {
        ctx.state().said.push(LIMIT);
        ctx.note(LIMIT);
    }
}

fn feclearexcept(ctx: Ctx) -> Answer {
    let mask = ctx.i32(0) as u32;
    ctx.state().raised &= !mask;
    int(0)
}

fn feraiseexcept(ctx: Ctx) -> Answer {
    let mask = ctx.i32(0) as u32 & ALL;
    ctx.state().raised |= mask;
    int(0)
}

fn fetestexcept(ctx: Ctx) -> Answer {
    say_limit(ctx);
    let mask = ctx.i32(0) as u32;
    int((ctx.state().raised & mask) as i32)
}

fn fegetexceptflag(ctx: Ctx) -> Answer {
    say_limit(ctx);
    let mask = ctx.i32(1) as u32;
    let value = ctx.state().raised & mask;
    ctx.write_int(ctx.ptr(0), IntType::U16, i128::from(value), 0)?;
    int(0)
}

fn fesetexceptflag(ctx: Ctx) -> Answer {
    let mask = ctx.i32(1) as u32 & ALL;
    let value = ctx.read_int(ctx.ptr(0), IntType::U16, 0)? as u32;
    let state = ctx.state();
    state.raised = state.raised & !mask | value & mask;
    int(0)
}

fn fegetround(_: Ctx) -> Answer {
    int(0)
}

fn fesetround(ctx: Ctx) -> Answer {
    if ctx.i32(0) == 0 {
        return int(0);
    }
    Err(ctx.unsupported("fesetround: only rounding to nearest is supported"))
}

/// `fenv_t` is 28 bytes of x87 state and 4 of MXCSR; the flags are all of it that exists here.
fn fegetenv(ctx: Ctx) -> Answer {
    let place = ctx.ptr(0);
    let raised = ctx.state().raised;
    ctx.fill(place, 0, 32, 0)?;
    ctx.write_int(place.add(28), IntType::U32, i128::from(raised), 0)?;
    int(0)
}

fn feholdexcept(ctx: Ctx) -> Answer {
    fegetenv(ctx)?;
    ctx.state().raised = 0;
    int(0)
}

/// `FE_DFL_ENV` is the address -1.
fn fesetenv(ctx: Ctx) -> Answer {
    let place = ctx.ptr(0);
    let update = if ctx.name().contains("update") { ctx.state().raised } else { 0 };
    let stored =
        if place.addr == u64::MAX { 0 } else { ctx.read_int(place.add(28), IntType::U32, 0)? as u32 };
    ctx.state().raised = stored | update;
    int(0)
}

fn unmask(ctx: Ctx) -> Answer {
    if ctx.i32(0) == 0 {
        return int(0);
    }
    Err(ctx.unsupported("feenableexcept: floating-point traps are not supported"))
}

fn fedisableexcept(_: Ctx) -> Answer {
    int(0)
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! Small headers: `<assert.h>`, `<errno.h>`, `<setjmp.h>`'s gaps, `<inttypes.h>`, byte order, and the stack protector.

use clew_ir::obligation::CheckKind;

use super::Table;
use super::context::{Answer, int, pointer};
use crate::native::NativeCtx;

type Ctx<'a, 'm, 'p> = &'a mut NativeCtx<'m, 'p>;

/// The functions.
pub const TABLE: Table = &[
    ("__errno_location", errno_location),
    ("__assert_fail", assert_fail),
    ("__assert", assert_short),
    ("__assert_perror_fail", assert_perror_fail),
    ("__stack_chk_fail", stack_chk_fail),
    ("__chk_fail", chk_fail),
    ("__fortify_fail", chk_fail),
    ("htonl", swap32),
    ("ntohl", swap32),
    ("htons", swap16),
    ("ntohs", swap16),
    ("dlopen", unsupported),
    ("dlsym", unsupported),
    ("dlclose", unsupported),
    ("dlerror", unsupported),
    ("fork", unsupported),
    ("vfork", unsupported),
    ("execve", unsupported),
    ("execv", unsupported),
    ("execvp", unsupported),
    ("execl", unsupported),
    ("execlp", unsupported),
    ("wait", unsupported),
    ("waitpid", unsupported),
    ("pipe", unsupported),
    ("socket", unsupported),
    ("bind", unsupported),
    ("connect", unsupported),
    ("listen", unsupported),
    ("accept", unsupported),
    ("shutdown", unsupported),
    ("setsockopt", unsupported),
    ("recv", unsupported),
    ("recvfrom", unsupported),
    ("send", unsupported),
    ("sendto", unsupported),
    ("select", unsupported),
    ("poll", unsupported),
];

fn errno_location(ctx: Ctx) -> Answer {
    pointer(ctx.errno_location())
}

/// What glibc prints before it aborts; the finding says the same.
fn assert_fail(ctx: Ctx) -> Answer {
    let text = |ctx: &mut NativeCtx<'_, '_>, index: usize| -> Result<String, crate::machine::Stop> {
        let place = ctx.ptr(index);
        let bytes = if place.is_null() { b"?".to_vec() } else { ctx.c_string(place, index)? };
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    };
    let expression = text(ctx, 0)?;
    let file = text(ctx, 1)?;
    let line = ctx.i32(2) as u32;
    let function = text(ctx, 3)?;
    fail(ctx, &expression, &format!("{file}:{line}: {function}"))
}

fn assert_short(ctx: Ctx) -> Answer {
    let expression = ctx.c_string(ctx.ptr(0), 0)?;
    let file = ctx.c_string(ctx.ptr(1), 1)?;
    let place = format!("{}:{}", String::from_utf8_lossy(&file), ctx.i32(2));
    fail(ctx, &String::from_utf8_lossy(&expression), &place)
}

fn assert_perror_fail(ctx: Ctx) -> Answer {
    let message = super::errno::message(ctx.i32(0));
    fail(ctx, &message, "assert_perror")
}

/// The finding comes first: under a stop the message that glibc would print is the finding's.
fn fail(ctx: &mut NativeCtx<'_, '_>, expression: &str, place: &str) -> Answer {
    ctx.violate(CheckKind::Assertion, format!("the assertion `{expression}` does not hold"))?;
    let name = String::from_utf8_lossy(&ctx.program_name(true)).into_owned();
    let line = format!("{name}: {place}: Assertion `{expression}' failed.\n");
    ctx.files(|state, host| state.flush_all(host));
    if let Some(stderr) = ctx.open_standard(2) {
        let _ = ctx.write_stream(stderr, line.as_bytes());
    }
    Err(ctx.kill(6))
}

fn stack_chk_fail(ctx: Ctx) -> Answer {
    ctx.violate(CheckKind::ErrorCall, "the stack protector found its canary changed")?;
    Err(ctx.kill(6))
}

fn chk_fail(ctx: Ctx) -> Answer {
    ctx.violate(CheckKind::OutOfBounds, "a fortified function found its buffer too small")?;
    Err(ctx.kill(6))
}

fn swap32(ctx: Ctx) -> Answer {
    int((ctx.int(0) as u32).swap_bytes())
}

fn swap16(ctx: Ctx) -> Answer {
    int((ctx.int(0) as u16).swap_bytes())
}

fn unsupported(ctx: Ctx) -> Answer {
    Err(ctx.unsupported(format!("`{}`", ctx.name())))
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! `<pthread.h>` of a program with one thread: locks are always free, and a second thread is refused.

use super::Table;
use super::context::{Answer, INT, int, null, pointer};
use super::errno::Errno;
use crate::native::NativeCtx;
use crate::value::Pointer;

type Ctx<'a, 'm, 'p> = &'a mut NativeCtx<'m, 'p>;

/// The functions.
pub const TABLE: Table = &[
    ("pthread_mutex_init", init_mutex),
    ("pthread_mutex_destroy", touch_first),
    ("pthread_mutex_lock", touch_first),
    ("pthread_mutex_trylock", touch_first),
    ("pthread_mutex_unlock", touch_first),
    ("pthread_mutexattr_init", init_attribute),
    ("pthread_mutexattr_destroy", nothing),
    ("pthread_mutexattr_settype", nothing),
    ("pthread_rwlock_init", init_rwlock),
    ("pthread_rwlock_destroy", nothing),
    ("pthread_rwlock_rdlock", touch_first),
    ("pthread_rwlock_wrlock", touch_first),
    ("pthread_rwlock_unlock", touch_first),
    ("pthread_cond_init", init_condition),
    ("pthread_cond_destroy", nothing),
    ("pthread_cond_signal", nothing),
    ("pthread_cond_broadcast", nothing),
    ("pthread_cond_wait", wait),
    ("pthread_cond_timedwait", wait),
    ("pthread_once", once),
    ("pthread_self", this_thread),
    ("pthread_equal", equal),
    ("pthread_exit", exit),
    ("pthread_create", create),
    ("pthread_join", create),
    ("pthread_detach", create),
    ("pthread_key_create", key_create),
    ("pthread_key_delete", nothing),
    ("pthread_setspecific", setspecific),
    ("pthread_getspecific", getspecific),
    ("pthread_atfork", nothing),
    ("sched_yield", nothing),
];

/// The end of the last thread is the end of the program.
fn exit(ctx: Ctx) -> Answer {
    Err(ctx.exit(0))
}

fn nothing(_: Ctx) -> Answer {
    int(0)
}

/// The object must at least be one that can be written.
fn touch_first(ctx: Ctx) -> Answer {
    let place = ctx.ptr(0);
    ctx.check_write(place, 4, 0)?;
    int(0)
}

fn zero(ctx: &mut NativeCtx<'_, '_>, bytes: u64) -> Answer {
    let place = ctx.ptr(0);
    ctx.fill(place, 0, bytes, 0)?;
    int(0)
}

fn init_mutex(ctx: Ctx) -> Answer {
    zero(ctx, 40)
}

fn init_attribute(ctx: Ctx) -> Answer {
    zero(ctx, 4)
}

fn init_rwlock(ctx: Ctx) -> Answer {
    zero(ctx, 56)
}

fn init_condition(ctx: Ctx) -> Answer {
    zero(ctx, 48)
}

fn wait(ctx: Ctx) -> Answer {
    Err(ctx.unsupported("waiting on a condition that no other thread can signal"))
}

fn once(ctx: Ctx) -> Answer {
    let (control, function) = (ctx.ptr(0), ctx.ptr(1));
    if ctx.read_int(control, INT, 0)? == 0 {
        ctx.write_int(control, INT, 2, 0)?;
        ctx.call_back(function, &[])?;
    }
    int(0)
}

fn this_thread(_: Ctx) -> Answer {
    int(1)
}

fn equal(ctx: Ctx) -> Answer {
    int(i32::from(ctx.int(0) == ctx.int(1)))
}

fn create(ctx: Ctx) -> Answer {
    Err(ctx.unsupported(format!("`{}`: programs with several threads are not run", ctx.name())))
}

fn key_create(ctx: Ctx) -> Answer {
    let place = ctx.ptr(0);
    let values = &mut ctx.state().thread_values;
    values.push(Pointer::NULL);
    let key = values.len() - 1;
    ctx.write_int(place, INT, key as i128, 0)?;
    int(0)
}

fn setspecific(ctx: Ctx) -> Answer {
    let (key, value) = (ctx.i32(0), ctx.ptr(1));
    let slot = usize::try_from(key).ok().and_then(|key| ctx.state().thread_values.get_mut(key));
    match slot {
        Some(slot) => {
            *slot = value;
            int(0)
        }
        None => int(Errno::EINVAL.0),
    }
}

fn getspecific(ctx: Ctx) -> Answer {
    let key = ctx.i32(0);
    let slot = usize::try_from(key).ok().and_then(|key| ctx.state().thread_values.get(key).copied());
    slot.map_or_else(null, pointer)
}

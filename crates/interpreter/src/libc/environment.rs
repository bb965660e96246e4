// SPDX-License-Identifier: MIT OR Apache-2.0
//! The environment: `environ` is an array in the program's memory, and `getenv` and its kin work on that array.

use super::Table;
use super::context::{Answer, int, null, pointer};
use super::errno::Errno;
use crate::machine::{Machine, Stop};
use crate::native::NativeCtx;
use crate::value::Pointer;

type Ctx<'a, 'm, 'p> = &'a mut NativeCtx<'m, 'p>;

/// The functions.
pub const TABLE: Table = &[
    ("getenv", getenv),
    ("secure_getenv", getenv),
    ("__secure_getenv", getenv),
    ("setenv", setenv),
    ("putenv", putenv),
    ("unsetenv", unsetenv),
    ("clearenv", clearenv),
];

/// What of the environment is the program's doing: such variables were not there from the start.
#[derive(Default)]
pub(super) struct Changed {
    /// Variables that were set or removed.
    names: Vec<Vec<u8>>,
    /// Whether all of them were.
    all: bool,
    /// The array that the library made last; another one is the program's own.
    array: Option<Pointer>,
}

/// Whether a variable may still turn out to have been there from the start.
pub(super) fn may_come(ctx: &mut NativeCtx<'_, '_>, name: &[u8]) -> bool {
    let place = environ(ctx.machine);
    let array = ctx.memory().read_pointer(place);
    let changed = &ctx.state().environment;
    let is_old = changed.array.is_none_or(|ours| ours == array);
    is_old && !changed.all && !changed.names.iter().any(|known| known == name) && find(ctx, name).is_none()
}

/// Notes that a variable is what the program made it.
fn note_change(ctx: &mut NativeCtx<'_, '_>, name: &[u8]) {
    ctx.state().environment.names.push(name.to_vec());
}

/// The variable `environ`: a library object that holds the pointer to the array. Made from the options at first use.
pub fn environ(machine: &mut Machine<'_>) -> Pointer {
    if let Some(place) = machine.libc.globals.get("environ") {
        return *place;
    }
    let strings: Vec<Pointer> = machine
        .options
        .environment
        .iter()
        .map(|text| text.as_slice())
        .collect::<Vec<_>>()
        .into_iter()
        .map(|text| {
            let place = machine.alloc_library(text.len() as u64 + 1, "a string of the environment");
            machine.memory.write(place, text);
            place
        })
        .collect();
    let place = machine.alloc_library(machine.memory.pointer_bytes(), "environ");
    machine.libc.globals.insert("environ", place);
    set_array(machine, place, &strings);
    place
}

/// Gives `environ` a new array of these strings.
fn set_array(machine: &mut Machine<'_>, environ: Pointer, strings: &[Pointer]) {
    let word = machine.memory.pointer_bytes();
    let array = machine.alloc_library((strings.len() as u64 + 1) * word, "the array of the environment");
    for (index, string) in strings.iter().enumerate() {
        machine.memory.write_pointer(array.add(index as u64 * word), *string);
    }
    let old = machine.memory.read_pointer(environ);
    let changed = &mut machine.libc.environment;
    changed.all |= changed.array.is_some_and(|ours| ours != old);
    changed.array = Some(array);
    machine.memory.write_pointer(environ, array);
}

/// The strings of the environment as the program left them.
fn strings(ctx: &mut NativeCtx<'_, '_>) -> Vec<Pointer> {
    let place = environ(ctx.machine);
    let memory = ctx.memory();
    let word = memory.pointer_bytes();
    let mut at = memory.read_pointer(place);
    let mut found = Vec::new();
    while memory.remaining(at).is_some_and(|left| left >= word) {
        let string = memory.read_pointer(at);
        if string.is_null() {
            break;
        }
        found.push(string);
        at = at.add(word);
    }
    found
}

/// The text of a string, as far as there is one.
fn text(ctx: &mut NativeCtx<'_, '_>, string: Pointer) -> Vec<u8> {
    let tail = ctx.memory().tail(string).unwrap_or(&[]);
    tail.iter().copied().take_while(|b| *b != 0).collect()
}

/// The value of a variable and its place among the strings.
pub(super) fn find(ctx: &mut NativeCtx<'_, '_>, name: &[u8]) -> Option<(usize, Pointer)> {
    for (index, string) in strings(ctx).into_iter().enumerate() {
        let text = text(ctx, string);
        if text.len() > name.len() && text.starts_with(name) && text[name.len()] == b'=' {
            return Some((index, string.add(name.len() as u64 + 1)));
        }
    }
    None
}

/// The value of a variable, for the library itself.
pub fn value(ctx: &mut NativeCtx<'_, '_>, name: &str) -> Option<Vec<u8>> {
    let (_, place) = find(ctx, name.as_bytes())?;
    Some(text(ctx, place))
}

pub(super) fn getenv(ctx: Ctx) -> Answer {
    let name = ctx.c_string(ctx.ptr(0), 0)?;
    match find(ctx, &name) {
        Some((_, value)) if !name.is_empty() => {
            // C11 7.22.4.6p4: the program shall not modify it.
            ctx.memory().make_read_only(value.prov);
            pointer(value)
        }
        _ => null(),
    }
}

/// The name, if it may be one.
fn checked_name(ctx: &mut NativeCtx<'_, '_>) -> Result<Option<Vec<u8>>, Stop> {
    let name = ctx.c_string(ctx.ptr(0), 0)?;
    Ok((!name.is_empty() && !name.contains(&b'=')).then_some(name))
}

/// Puts a string in place of the variable's old one, or at the end.
fn install(ctx: &mut NativeCtx<'_, '_>, name: &[u8], string: Pointer) {
    let mut all = strings(ctx);
    match find(ctx, name) {
        Some((index, _)) => all[index] = string,
        None => all.push(string),
    }
    let place = environ(ctx.machine);
    set_array(ctx.machine, place, &all);
}

pub(super) fn setenv(ctx: Ctx) -> Answer {
    let Some(name) = checked_name(ctx)? else { return ctx.fail(Errno::EINVAL) };
    let value = ctx.c_string(ctx.ptr(1), 1)?;
    if ctx.i32(2) == 0 && find(ctx, &name).is_some() {
        return int(0);
    }
    note_change(ctx, &name);
    set(ctx, &name, &value);
    int(0)
}

/// Gives a variable a value.
pub(super) fn set(ctx: &mut NativeCtx<'_, '_>, name: &[u8], value: &[u8]) {
    let string = [name, b"=", value, b"\0"].concat();
    let place = ctx.alloc_static(string.len() as u64, "a string of the environment");
    ctx.memory().write(place, &string);
    install(ctx, name, place);
}

fn putenv(ctx: Ctx) -> Answer {
    let place = ctx.ptr(0);
    let string = ctx.c_string(place, 0)?;
    match string.iter().position(|b| *b == b'=') {
        Some(end) => {
            note_change(ctx, &string[..end]);
            install(ctx, &string[..end], place);
        }
        None => remove(ctx, &string),
    }
    int(0)
}

fn remove(ctx: &mut NativeCtx<'_, '_>, name: &[u8]) {
    note_change(ctx, name);
    let mut all = strings(ctx);
    while let Some((index, _)) = find(ctx, name) {
        all.remove(index);
        let place = environ(ctx.machine);
        set_array(ctx.machine, place, &all);
    }
}

fn unsetenv(ctx: Ctx) -> Answer {
    let Some(name) = checked_name(ctx)? else { return ctx.fail(Errno::EINVAL) };
    remove(ctx, &name);
    int(0)
}

fn clearenv(ctx: Ctx) -> Answer {
    let place = environ(ctx.machine);
    ctx.memory().write_pointer(place, Pointer::NULL);
    ctx.state().environment.all = true;
    int(0)
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! Inputs of a witness in words.

use clew_ir::witness::{Input, InputKind, VARIABLES, Witness};
use clew_report::Note;

/// How many inputs a message shows; the rest is counted.
pub const SHOWN: usize = 8;

/// The inputs of a witness, equal ones in a row told once.
pub fn input_notes(witness: &Witness) -> Vec<Note> {
    let mut notes = Vec::new();
    let mut rest = &witness.inputs[..];
    while let Some(first) = rest.first().filter(|_| notes.len() < SHOWN) {
        let shown = shown_input(first);
        let same = |input: &&Input| input.kind == first.kind && shared(input) == shared(first);
        let count = rest.iter().take_while(same).count();
        let times = match first.kind {
            _ if count == 1 => String::new(),
            InputKind::Written => format!(", and so on to {}", place(&rest[count - 1].name)),
            _ => format!(" ({count} times)"),
        };
        notes.push(Note::plain(format!("with {shown}{times}")));
        rest = &rest[count..];
    }
    if !rest.is_empty() {
        notes.push(Note::plain(format!("... and {} more inputs", rest.len())));
    }
    notes
}

/// What inputs must share to be told in one line: everything, but for elements of the same array.
fn shared(input: &Input) -> (&str, Option<&str>) {
    let name = match input.kind {
        InputKind::Written if place(&input.name).ends_with(']') => input.name.split('[').next(),
        _ => Some(&*input.name),
    };
    (name.unwrap_or_default(), input.value.as_deref())
}

/// The element that a function without a body writes: what stands behind `read(1)`.
fn place(name: &str) -> &str {
    name.split_once(')').map_or("", |(_, place)| place)
}

/// An input in words: `__VERIFIER_nondet_int() = 2147483647 (0x7fffffff)`.
pub fn shown_input(input: &Input) -> String {
    const LONGEST: usize = 60;
    const HEAD: usize = 36;
    const TAIL: usize = 16;
    let value = input.value.as_deref().unwrap_or("?");
    let bits = input.bits.as_deref().unwrap_or("?");
    match input.kind {
        InputKind::Call | InputKind::Time | InputKind::Random => {
            let plain = value.parse::<i128>().is_ok_and(|value| value.unsigned_abs() < 1000);
            let bits = if plain { String::new() } else { format!(" ({bits})") };
            format!("{}() = {value}{bits}", input.name)
        }
        InputKind::Allocation => format!("{}() that {value}", input.name),
        InputKind::Written => written_input(&input.name, value),
        InputKind::Argument
        | InputKind::Stdin
        | InputKind::File
        | InputKind::Environment
        | InputKind::Network
        | InputKind::System
        | InputKind::Unwritten => {
            let bytes = bits.len().saturating_sub(2) / 2;
            let name = match input.kind {
                InputKind::File => format!("the file `{}`", input.name),
                InputKind::Unwritten => unwritten_name(&input.name),
                InputKind::Network => "what every connection sends".to_owned(),
                InputKind::System => format!("the answer to {}()", input.name),
                InputKind::Environment if input.name.starts_with(VARIABLES) => input.name.clone(),
                InputKind::Environment => format!("getenv(\"{}\")", input.name),
                _ => input.name.clone(),
            };
            // Escaped texts are ASCII; of a long one the ends say most.
            match (value.get(..HEAD), value.len().checked_sub(TAIL).and_then(|at| value.get(at..))) {
                (Some(head), Some(tail)) if value.len() > LONGEST => {
                    format!("{name} = {head}...{tail} ({bytes} bytes)")
                }
                _ => format!("{name} = {value}"),
            }
        }
        InputKind::Register => format!("{} that reads as {value} ({bits})", input.name),
        InputKind::Volatile => format!("`{}` that reads as {value} ({bits})", input.name),
        InputKind::Parameter | InputKind::Global => format!("{} = {value} ({bits})", input.name),
    }
}

/// What a function without a body writes, in words: `read(1)` is the number of elements behind its first argument,
/// `read(1)[0].x` a number in one of them.
fn written_input(name: &str, value: &str) -> String {
    let parts = name.split_once('(').and_then(|(function, rest)| Some((function, rest.split_once(')')?)));
    match parts {
        Some((function, (argument, ""))) => {
            let elements = if value == "1" { "element" } else { "elements" };
            format!("{value} {elements} that `{function}` writes through its argument {argument}")
        }
        Some((function, (argument, path))) => {
            format!("{value} that `{function}` writes to {path} of its argument {argument}")
        }
        None => format!("{name} = {value}"),
    }
}

/// What was never written, in words: a local goes by its function, memory of the heap by what allocated it.
fn unwritten_name(name: &str) -> String {
    match name.split_once('.') {
        Some((function, "")) => format!("what is never written of a temporary in `{function}`"),
        Some((function, local)) => format!("what is never written of `{local}` in `{function}`"),
        None => format!("what is never written of the memory from {name}()"),
    }
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! From the tape of a run to the witness that people and other engines read.

use clew_base::float::{Float, Format};
use clew_ir::types::Class;
use clew_ir::witness::{Input, InputKind, NO_ARGUMENTS, PROGRAM, VARIABLES, VERSION, Witness};

use crate::tape::{Asked, Log, Tape, until_zero};

/// The inputs that a run was given, as far as it asked for them.
pub(crate) fn witness(tape: &Tape, log: &Log) -> Witness {
    let arguments = tape.arguments.iter().enumerate();
    let arguments = arguments.map(|(i, bytes)| text(InputKind::Argument, format!("argv[{}]", i + 1), bytes));
    let name_of_program = tape.name.iter().map(|bytes| text(InputKind::Argument, PROGRAM.to_owned(), bytes));
    let none = tape
        .is_bare
        .then(|| input(InputKind::Argument, NO_ARGUMENTS.to_owned(), "0x0".to_owned(), "0".to_owned()));
    let arguments = none.into_iter().chain(name_of_program.chain(arguments).filter(|_| !tape.is_bare));
    let environment = tape.environment.iter().enumerate();
    let environment =
        environment.map(|(i, bytes)| text(InputKind::Environment, format!("{VARIABLES}{i}]"), bytes));
    let stdin = log.stdin.then(|| {
        let read = &tape.stdin[..log.stdin_read.min(tape.stdin.len())];
        text(InputKind::Stdin, "stdin".to_owned(), read)
    });
    let name = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let variables = tape
        .variable
        .iter()
        .flat_map(|value| log.variables.iter().map(|known| text(InputKind::Environment, name(known), value)));
    let files = tape
        .file
        .iter()
        .flat_map(|value| log.files.iter().map(|known| text(InputKind::File, name(known), value)));
    let network = tape
        .network
        .iter()
        .filter(|_| log.network)
        .map(|bytes| text(InputKind::Network, "network".to_owned(), bytes));
    let system = tape
        .system
        .iter()
        .flat_map(|value| log.system.iter().map(|known| text(InputKind::System, known.clone(), value)));
    let failing = tape.failing.map_or(0, |number| number as usize + 1).min(log.allocations.len());
    let allocations = log.allocations[..failing].iter().enumerate().map(|(number, name)| {
        let fails = tape.failing == Some(number as u64);
        let (bits, value) = if fails { ("0x0", "fails") } else { ("0x1", "succeeds") };
        input(InputKind::Allocation, name.clone(), bits.to_owned(), value.to_owned())
    });
    let unwritten = unwritten(log);
    let numbers = log.numbers.iter().map(number);
    let inputs = arguments
        .chain(stdin)
        .chain(environment)
        .chain(variables)
        .chain(files)
        .chain(network)
        .chain(system)
        .chain(allocations)
        .chain(unwritten)
        .chain(numbers);
    Witness { version: VERSION, inputs: inputs.collect(), goes_on_after: Vec::new() }
}

/// The contents of objects; those behind the last of their name that has any say nothing.
fn unwritten(log: &Log) -> impl Iterator<Item = Input> {
    let all = &log.unwritten;
    let is_needed = move |at: usize, name: &str| all[at..].iter().any(|(n, b)| n == name && !b.is_empty());
    let needed = all.iter().enumerate().filter(move |(at, (name, _))| is_needed(*at, name));
    needed.map(|(_, (name, bytes))| text(InputKind::Unwritten, name.clone(), bytes))
}

fn input(kind: InputKind, name: String, bits: String, value: String) -> Input {
    Input { kind, name, bits: Some(bits), value: Some(value) }
}

fn text(kind: InputKind, name: String, bytes: &[u8]) -> Input {
    let bytes = match kind {
        InputKind::Argument | InputKind::Environment => until_zero(bytes),
        _ => bytes,
    };
    let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    input(kind, name, format!("0x{digits}"), format!("\"{}\"", bytes.escape_ascii()))
}

fn number(asked: &Asked) -> Input {
    let (bits, value) = match asked.class {
        Class::Int(int) => {
            let value = int.wrap(asked.bits as i128);
            (int.to_bits(value), int.display(value).to_string())
        }
        Class::Float(format @ (Format::F32 | Format::F64)) => {
            let bits = asked.bits & (u128::MAX >> (128 - format.bits()));
            let value = Float::from_bits(format, bits);
            let shown = if format == Format::F32 {
                format!("{:?}", value.to_f32())
            } else {
                format!("{:?}", value.to_f64())
            };
            (bits, shown)
        }
        _ => (asked.bits, format!("{:#x}", asked.bits)),
    };
    input(asked.kind, asked.name.clone(), format!("{bits:#x}"), value)
}

#[cfg(test)]
mod tests {
    use clew_base::int::IntType;

    use super::*;

    fn shown(tape: &Tape, log: &Log) -> Vec<(InputKind, String, String)> {
        let inputs = witness(tape, log).inputs.into_iter();
        inputs.map(|input| (input.kind, input.name, input.value.unwrap_or_default())).collect()
    }

    #[test]
    fn only_what_was_asked_for_is_in_a_witness() {
        let tape = Tape {
            stdin: b"12 34".to_vec(),
            variable: Some(b"value".to_vec()),
            file: Some(b"never opened".to_vec()),
            ..Tape::default()
        };
        let asked = |bits| Asked {
            kind: InputKind::Call,
            name: "nondet".to_owned(),
            class: Class::Int(IntType::I32),
            bits,
        };
        let log = Log {
            numbers: vec![asked(5), asked(u128::from(u32::MAX))],
            stdin: true,
            stdin_read: 2,
            variables: vec![b"HOME".to_vec()],
            ..Log::default()
        };
        let expected = [
            (InputKind::Stdin, "stdin", "\"12\""),
            (InputKind::Environment, "HOME", "\"value\""),
            (InputKind::Call, "nondet", "5"),
            (InputKind::Call, "nondet", "-1"),
        ];
        assert_eq!(shown(&tape, &log), expected.map(|(kind, name, value)| (kind, name.into(), value.into())));
    }

    #[test]
    fn allocations_are_told_up_to_the_one_that_fails() {
        let tape = Tape { failing: Some(1), ..Tape::default() };
        let log = Log { allocations: vec!["malloc".to_owned(); 3], ..Log::default() };
        let values: Vec<String> = shown(&tape, &log).into_iter().map(|(_, _, value)| value).collect();
        assert_eq!(values, ["succeeds", "fails"]);
    }

    #[test]
    fn arguments_end_at_a_zero_byte() {
        let tape = Tape { arguments: vec![b"a\0b".to_vec()], ..Tape::default() };
        let expected = (InputKind::Argument, "argv[1]".to_owned(), "\"a\"".to_owned());
        assert_eq!(shown(&tape, &Log::default()), [expected]);
    }
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! Variables of the library that programs declare: `stdout`, `environ`, `optarg` and their kin.

use super::{environment, stdio};
use crate::machine::Machine;
use crate::native::NativeCtx;
use crate::value::Pointer;

/// The object behind an external variable of the library; none if the library has no such variable.
pub fn external_global(machine: &mut Machine<'_>, name: &str) -> Option<Pointer> {
    let name = canonical(name)?;
    if let Some(place) = machine.libc.globals.get(name) {
        return Some(*place);
    }
    let place = match name {
        "environ" => return Some(environment::environ(machine)),
        "stdin" | "stdout" | "stderr" => {
            let files = stdio::standard(machine);
            let index = ["stdin", "stdout", "stderr"].iter().position(|n| *n == name).unwrap_or(0);
            pointer_to(machine, name, files[index])
        }
        "optind" | "opterr" => int_object(machine, name, 1),
        "optopt" => int_object(machine, name, i32::from(b'?')),
        "signgam" | "daylight" => int_object(machine, name, 0),
        "optarg" | "timezone" => machine.alloc_library(8, name),
        "program_invocation_name" | "program_invocation_short_name" => {
            let text = program_name(machine, name == "program_invocation_short_name");
            let string = machine.alloc_library(text.len() as u64 + 1, "the program's name");
            machine.memory.write(string, &text);
            pointer_to(machine, name, string)
        }
        "tzname" => time_zone_names(machine),
        _ => return None,
    };
    machine.libc.globals.insert(name, place);
    Some(place)
}

/// The name under which the variable is kept.
fn canonical(name: &str) -> Option<&'static str> {
    Some(match name {
        "environ" | "__environ" | "_environ" => "environ",
        "stdin" | "_IO_2_1_stdin_" => "stdin",
        "stdout" | "_IO_2_1_stdout_" => "stdout",
        "stderr" | "_IO_2_1_stderr_" => "stderr",
        "optarg" => "optarg",
        "optind" => "optind",
        "opterr" => "opterr",
        "optopt" => "optopt",
        "signgam" => "signgam",
        "timezone" | "__timezone" => "timezone",
        "daylight" | "__daylight" => "daylight",
        "tzname" | "__tzname" => "tzname",
        "program_invocation_name" | "__progname_full" => "program_invocation_name",
        "program_invocation_short_name" | "__progname" => "program_invocation_short_name",
        _ => return None,
    })
}

fn int_object(machine: &mut Machine<'_>, name: &'static str, value: i32) -> Pointer {
    let place = machine.alloc_library(4, name);
    machine.memory.write(place, &value.to_le_bytes());
    place
}

fn pointer_to(machine: &mut Machine<'_>, name: &'static str, value: Pointer) -> Pointer {
    let place = machine.alloc_library(8, name);
    machine.memory.write_pointer(place, value);
    place
}

fn time_zone_names(machine: &mut Machine<'_>) -> Pointer {
    let place = machine.alloc_library(16, "tzname");
    for index in 0..2 {
        let text = machine.alloc_library(8, "the name of a time zone");
        machine.memory.write(text, b"UTC");
        machine.memory.write_pointer(place.add(index * 8), text);
    }
    place
}

fn program_name(machine: &Machine<'_>, short: bool) -> Vec<u8> {
    let name = machine.options.args.first().map_or(&b"program"[..], Vec::as_slice);
    let start = name.iter().rposition(|b| *b == b'/').map_or(0, |i| i + 1);
    if short { name[start..].to_vec() } else { name.to_vec() }
}

impl NativeCtx<'_, '_> {
    /// `argv[0]`, or what follows its last slash.
    pub fn program_name(&self, short: bool) -> Vec<u8> {
        program_name(self.machine, short)
    }

    /// A variable of the library, for the library itself.
    pub fn library_variable(&mut self, name: &'static str) -> Pointer {
        external_global(self.machine, name).unwrap_or(Pointer::NULL)
    }
}

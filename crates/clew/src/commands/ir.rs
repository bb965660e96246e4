// SPDX-License-Identifier: MIT OR Apache-2.0
//! `clew ir`: the intermediate representation, for people, programs and compilers.

use std::ffi::OsString;

use clew_frontend::DiskFiles;
use clew_ir::syntax::Program;
use clew_ir::{emit_c, text};

use crate::commands::fail;
use crate::exit::Exit;
use crate::flags::{Emit, IrFlags};
use crate::hardware;
use crate::input;
use crate::load;
use crate::messages::show_rejection;
use crate::terminal::{eprint, print};

/// Prints the IR of the linked files.
pub fn ir(flags: &IrFlags, compiler_flags: &[OsString]) -> Exit {
    if let Err(message) = hardware::settle(&flags.hardware, &[], true) {
        return fail(&message);
    }
    let disk = DiskFiles::new();
    let units = match input::named_files(&flags.files, compiler_flags, &disk) {
        Ok(units) => units,
        Err(rejection) => {
            show_rejection(&rejection);
            return Exit::BadInput;
        }
    };
    let loaded = load::load(units, disk);
    if loaded.fault {
        return Exit::Fault;
    }
    if loaded.bad_input {
        return Exit::BadInput;
    }
    let [program] = &loaded.programs[..] else {
        return fail("the files have several functions `main`: show them one at a time");
    };
    match rendered(program, flags) {
        Ok(out) => {
            print(&out);
            Exit::Clean
        }
        Err(message) => fail(&message),
    }
}

fn rendered(program: &Program, flags: &IrFlags) -> Result<String, String> {
    let options = if flags.full { text::Options::FULL } else { text::Options::READABLE };
    if let Some(name) = &flags.function {
        let found = program.functions.iter_enumerated().find(|(_, f)| &*f.name == name.as_str());
        let (id, _) = found.ok_or_else(|| format!("there is no function `{name}`"))?;
        return match flags.emit {
            Emit::Text => Ok(text::print_function(program, id, options)),
            Emit::Json => serde_json::to_string_pretty(&program.functions[id]).map_err(|e| e.to_string()),
            Emit::C => Err("--function shows a part, and a part is no C program: leave it out".to_owned()),
        };
    }
    match flags.emit {
        Emit::Text => Ok(text::print_with(program, options)),
        Emit::Json => serde_json::to_string(program).map(|j| j + "\n").map_err(|e| e.to_string()),
        Emit::C => Ok(as_c(program)),
    }
}

/// C that behaves as the original. What it leaves out is said, not only left out.
fn as_c(program: &Program) -> String {
    let emitted = emit_c::emit_c(program, emit_c::Options::default());
    for what in &emitted.omitted {
        eprint(&format!("warning: left out of the C: {what}\n"));
    }
    emitted.text
}

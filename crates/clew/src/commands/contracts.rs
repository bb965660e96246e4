// SPDX-License-Identifier: MIT OR Apache-2.0
//! `clew contracts`: what functions ask of their callers.

use std::ffi::OsString;

use clew_environment::contract::{Clause, Necessity};
use clew_environment::infer::infer;
use clew_environment::written::{Style, Writer};
use clew_frontend::DiskFiles;
use clew_frontend::library::{Linked, with_models};
use clew_ir::syntax::FuncId;

use crate::commands::fail;
use crate::exit::Exit;
use crate::flags::ContractsFlags;
use crate::input;
use crate::load;
use crate::messages::show_rejection;
use crate::terminal::print;

/// Prints what the functions of the linked files ask.
pub fn contracts(flags: &ContractsFlags, compiler_flags: &[OsString]) -> Exit {
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
    let mut text = String::new();
    for program in loaded.programs {
        let linked = with_models(program);
        let inferred = infer(&linked.program);
        for function in own(&linked) {
            let clauses = &inferred.contracts[function.0 as usize].clauses;
            let name = &linked.program.functions[function].source_name;
            let is_wanted = |clause: &&Clause| !flags.necessary || clause.necessity == Necessity::Necessary;
            let is_named = flags.function.as_deref().is_none_or(|wanted| wanted == &**name);
            if !is_named {
                continue;
            }
            let writer = Writer { program: &linked.program, function, style: Style::Paper };
            for clause in clauses.iter().filter(is_wanted) {
                text.push_str(&format!("{name}: {}  [{}]\n", writer.clause(clause), clause.necessity.name()));
            }
        }
    }
    if text.is_empty()
        && let Some(name) = &flags.function
    {
        return fail(&format!("nothing is inferred of `{name}`"));
    }
    print(&text);
    Exit::Clean
}

/// The program's own functions that have a body.
fn own(linked: &Linked) -> impl Iterator<Item = FuncId> + '_ {
    let functions = linked.program.functions.iter_enumerated();
    functions.filter(|(id, f)| f.body.is_some() && !linked.models.contains(id)).map(|(id, _)| id)
}

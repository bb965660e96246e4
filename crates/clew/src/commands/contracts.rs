// SPDX-License-Identifier: MIT OR Apache-2.0
//! `clew contracts`: what functions ask of their callers.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clew_environment::contract::Necessity;
use clew_environment::file;
use clew_frontend::DiskFiles;
use clew_frontend::library::with_models;

use crate::commands::fail;
use crate::contracts::Contracts;
use crate::exit::Exit;
use crate::flags::ContractsFlags;
use crate::input;
use crate::load;
use crate::messages::show_rejection;
use crate::suggest::{Suggestion, suggestions};
use crate::terminal::print;

/// Prints what the functions of the linked files ask, keeps it, or compares it.
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
    let base = flags.write.as_ref().map(|named| file_to_write(named, &flags.files)).or(flags.diff.clone());
    let known = match base.as_deref().filter(|path| flags.diff.is_some() || path.is_file()) {
        Some(path) => match Contracts::load(path, &loaded.programs) {
            Ok(known) => known,
            Err(message) => return fail(&message),
        },
        None => Contracts::default(),
    };
    let is_wanted = |one: &Suggestion| {
        (!flags.necessary || one.necessity == Necessity::Necessary)
            && flags.function.as_ref().is_none_or(|wanted| *wanted == one.source_name)
    };
    let mut all: Vec<Suggestion> = Vec::new();
    for program in loaded.programs {
        all.extend(suggestions(&with_models(program)).into_iter().filter(is_wanted));
    }
    if all.is_empty()
        && let Some(name) = &flags.function
    {
        return fail(&format!("nothing is inferred of `{name}`"));
    }
    match (&flags.diff, base.filter(|_| flags.write.is_some())) {
        (Some(_), _) => print(&difference(&all, &known)),
        (None, Some(path)) => {
            if let Err(message) = write(&path, &all, &known) {
                return fail(&message);
            }
        }
        (None, None) => {
            let line =
                |one: &Suggestion| format!("{}: {}  [{}]\n", one.source_name, one.text, one.necessity.name());
            print(&all.iter().map(line).collect::<String>());
        }
    }
    Exit::Clean
}

fn file_to_write(named: &Path, files: &[PathBuf]) -> PathBuf {
    let folder = files.first().and_then(|file| file.parent()).unwrap_or(Path::new(""));
    if named.as_os_str().is_empty() { folder.join(file::NAME) } else { named.to_path_buf() }
}

fn is_known(known: &Contracts, one: &Suggestion) -> bool {
    known.of(&one.function).iter().any(|accepted| accepted.text == one.acsl || accepted.text == one.text)
}

/// Adds what the file does not say yet.
fn write(path: &Path, all: &[Suggestion], known: &Contracts) -> Result<(), String> {
    let mut text = std::fs::read_to_string(path).unwrap_or_default();
    let mut by_function: BTreeMap<&str, Vec<&Suggestion>> = BTreeMap::new();
    for one in all.iter().filter(|one| !is_known(known, one)) {
        by_function.entry(&one.function).or_default().push(one);
    }
    for ones in by_function.values() {
        let requires: Vec<(String, String)> =
            ones.iter().map(|one| (one.acsl.clone(), one.origin())).collect();
        text = file::with(&text, &ones[0].declaration, &requires);
    }
    file::replace(path, &text).map_err(|e| format!("{}: {e}", path.display()))
}

/// What is asked now and was not, and the other way round.
fn difference(all: &[Suggestion], known: &Contracts) -> String {
    let mut text = String::new();
    for one in all.iter().filter(|one| !is_known(known, one)) {
        text.push_str(&format!("+ {}: {}  [{}]\n", one.source_name, one.text, one.necessity.name()));
    }
    for (function, accepted) in known.all() {
        let is_asked = |one: &Suggestion| {
            one.function == function && (accepted.text == one.acsl || accepted.text == one.text)
        };
        if !all.iter().any(is_asked) {
            text.push_str(&format!("- {function}: {}\n", accepted.text));
        }
    }
    text
}

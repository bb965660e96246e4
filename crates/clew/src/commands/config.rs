// SPDX-License-Identifier: MIT OR Apache-2.0
//! `clew config` shows what is in force and from where; `clew init` writes a file for the project it finds.

use std::path::Path;

use clap::CommandFactory;

use crate::commands::fail;
use crate::config::{self, Config, FILE_NAME, Kind, Value};
use crate::exit::Exit;
use crate::flags::{ConfigFlags, Flags};
use crate::terminal::print;

/// Prints every key: what is in force, and where that is said.
pub fn config(flags: &ConfigFlags) -> Exit {
    let words = ["clew".into(), "check".into()].into_iter().chain(flags.words.iter().cloned());
    let matches = match Flags::command().try_get_matches_from(words) {
        Ok(matches) => matches,
        Err(error) => {
            let _ = error.print();
            return Exit::BadInput;
        }
    };
    let Some((_, given)) = matches.subcommand() else { return fail("name flags of `clew check`") };
    let Config { file, settings } = match config::of_call(given) {
        Ok(config) => config,
        Err(message) => return fail(&message),
    };
    let mut out = match &file {
        Some(file) => format!("# {}\n", file.display()),
        None => format!("# no {FILE_NAME} from here upwards; `clew init` writes one\n"),
    };
    let width = config::keys().iter().map(|(key, _)| key.len()).max().unwrap_or(0);
    for (key, kind) in config::keys() {
        let set = settings.iter().find(|setting| setting.key == key);
        let (value, place) = match set {
            _ if config::is_given(given, &key) => (given_value(given, &key), "the command line".to_owned()),
            Some(setting) => (shown(&setting.value, kind), setting.place.clone()),
            None => (String::new(), "default".to_owned()),
        };
        match value.is_empty() {
            true => out += &format!("{key:width$}    # {place}\n"),
            false => out += &format!("{key:width$} = {value}    # {place}\n"),
        }
    }
    print(&out);
    Exit::Clean
}

fn given_value(given: &clap::ArgMatches, key: &str) -> String {
    let id = key.replace('-', "_");
    let raw = given.get_raw(&id).map(|words| words.map(|word| word.to_string_lossy().into_owned()));
    raw.map_or_else(|| "true".to_owned(), |words| words.collect::<Vec<_>>().join(", "))
}

fn shown(value: &Value, kind: Kind) -> String {
    match value {
        Value::Switch(on) => on.to_string(),
        Value::Words(words) if kind == Kind::List => format!("{words:?}"),
        Value::Words(words) => format!("{:?}", words.first().map_or("", |word| word)),
    }
}

/// Writes a `clew.toml` with comments; one that is there stays.
pub fn init() -> Exit {
    let file = Path::new(FILE_NAME);
    if file.exists() {
        return fail(&format!("{FILE_NAME} is there already; `clew config` shows what it says"));
    }
    let build = ["build", "builddir", "out", "."]
        .into_iter()
        .find(|folder| Path::new(folder).join("compile_commands.json").is_file());
    let project = match build {
        Some(folder) => format!("project = {folder:?}"),
        None => {
            "# project = \"build\"    # no compile_commands.json was found: `clew record -- make` writes one"
                .to_owned()
        }
    };
    let text = format!(
        "# What `clew check` is told here. A key is a flag without its dashes; `clew config` shows what is in force.\n\n\
         # The folder of compile_commands.json.\n\
         {project}\n\n\
         # Which checks: ids, groups, `all`, `default`; `-NAME` takes away. `clew explain list` names them.\n\
         # check = [\"default\", \"-memory-leak\"]\n\n\
         # Where runs start; without this `main`, else all that others can call.\n\
         # entry = [\"parse\"]\n\n\
         # What may be assumed, what not; `clew assumptions` lists the names.\n\
         # assume = [\"malloc-succeeds\"]\n\n\
         # Files that are not looked at.\n\
         # exclude = [\"third_party/*\"]\n\n\
         # How much work proving is worth: quick, light, usual, thorough; and how many seconds.\n\
         # level = \"usual\"\n\
         # budget = 300\n\n\
         # Findings that are known; `clew check --update-baseline` writes them.\n\
         # baseline = \"clew-baseline.json\"\n\n\
         # What ends with status 1 besides violations.\n\
         # fail-on = \"open\"\n"
    );
    match std::fs::write(file, text) {
        Ok(()) => {
            print(&format!("{FILE_NAME} is written; next: clew check\n"));
            Exit::Clean
        }
        Err(error) => fail(&format!("{FILE_NAME}: {error}")),
    }
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! `clew.toml`: what a project always says to `clew check`.
//!
//! A key is a flag of `check` without its dashes, so that there is one list of names and one meaning; what the command
//! line says outweighs the file. The file is found upwards from the project, and may extend another.

mod file;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::parser::ValueSource;
use clap::{ArgAction, ArgMatches, Command, CommandFactory};

use crate::flags::Flags;

pub use file::{Setting, Value};

/// The name of the file.
pub const FILE_NAME: &str = "clew.toml";

/// Flags that are about one call, and no keys.
const NO_KEYS: [&str; 11] = [
    "help",
    "version",
    "config",
    "no-config",
    "output",
    "slice",
    "update-baseline",
    "overlay",
    "color",
    "extra-arg-before",
    "costs-without",
];

/// Keys whose values are files: relative ones start at the folder of the file that names them.
const PATHS: [&str; 6] = ["project", "baseline", "keep", "remember", "exclude", "env"];

/// What a key takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// `true` or `false`.
    Switch,
    /// One value.
    One,
    /// A list, or one value.
    List,
}

/// The keys, as the flags of `check` have them.
pub fn keys() -> Vec<(String, Kind)> {
    let command = Flags::command();
    let Some(check) = command.find_subcommand("check") else { return Vec::new() };
    let named = check.get_arguments().filter_map(|arg| Some((arg.get_long()?, arg)));
    let keys = named.filter(|(name, _)| !NO_KEYS.contains(name));
    let kind = |action: &ArgAction| match action {
        ArgAction::SetTrue => Kind::Switch,
        ArgAction::Append => Kind::List,
        _ => Kind::One,
    };
    keys.map(|(name, arg)| (name.to_owned(), kind(arg.get_action()))).collect()
}

/// What is in force: the settings of the files, the outermost first.
pub struct Config {
    /// The file; none if there is none.
    pub file: Option<PathBuf>,
    /// What it says.
    pub settings: Vec<Setting>,
}

/// The configuration for a call of `check` with these flags.
pub fn of_call(matches: &ArgMatches) -> Result<Config, String> {
    if matches.get_flag("no_config") {
        return Ok(Config { file: None, settings: Vec::new() });
    }
    let file = match matches.get_one::<PathBuf>("config") {
        Some(named) => Some(named.clone()),
        None => found_from(&start(matches)),
    };
    let settings = file.as_deref().map_or(Ok(Vec::new()), file::read)?;
    Ok(Config { file, settings })
}

/// Where the search begins: at the project, else at the first file, else here.
fn start(matches: &ArgMatches) -> PathBuf {
    let project = matches.get_one::<PathBuf>("project").map(|place| match place.is_dir() {
        true => place.clone(),
        false => place.parent().map_or_else(PathBuf::new, Path::to_owned),
    });
    let first = || matches.get_many::<PathBuf>("files").and_then(|mut files| files.next().cloned());
    let folder = project.or_else(|| Some(first()?.parent()?.to_owned())).unwrap_or_default();
    if folder.as_os_str().is_empty() { ".".into() } else { folder }
}

/// The file in a folder or in one that it lies in.
fn found_from(folder: &Path) -> Option<PathBuf> {
    let full = folder.canonicalize().ok()?;
    let there = full.ancestors().map(|folder| folder.join(FILE_NAME)).find(|file| file.is_file())?;
    let here = std::env::current_dir().ok();
    // Shorter for people, where it is below.
    Some(here.and_then(|here| there.strip_prefix(here).ok().map(Path::to_owned)).unwrap_or(there))
}

/// Whether the command line itself says something of a key.
pub fn is_given(matches: &ArgMatches, key: &str) -> bool {
    let id = key.replace('-', "_");
    matches.try_contains_id(&id).unwrap_or(false)
        && matches.value_source(&id) == Some(ValueSource::CommandLine)
}

/// The words of a call of `check` with what the configuration adds, behind the command's name.
pub fn with_config(words: Vec<OsString>, config: &Config, given: &ArgMatches) -> Vec<OsString> {
    let mut all: Vec<OsString> = words[..2].to_vec();
    for setting in config.settings.iter().filter(|setting| !is_given(given, &setting.key)) {
        all.extend(setting.words());
    }
    all.extend_from_slice(&words[2..]);
    all
}

/// The words of a call with those of the configuration; others than `check` have none.
pub fn applied(words: Vec<OsString>) -> Result<Vec<OsString>, String> {
    if words.get(1).is_none_or(|command| command != "check") {
        return Ok(words);
    }
    // What is wrong with the flags is said when they are read in earnest.
    let Ok(matches) = command().try_get_matches_from(&words) else { return Ok(words) };
    let Some(("check", given)) = matches.subcommand() else { return Ok(words) };
    let config = of_call(given)?;
    Ok(with_config(words, &config, given))
}

fn command() -> Command {
    Flags::command()
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! From what the user named to the files to read and how.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clew_frontend::compdb::Skipped;
use clew_frontend::{Command, CommandLine, Diagnostic, Diagnostics, Files, read_project};

/// The units to read.
#[derive(Debug, Default)]
pub struct Units {
    /// How to read each.
    pub commands: Vec<Command>,
    /// Entries of a project that are not read.
    pub skipped: Vec<Skipped>,
    /// Flags that have no effect.
    pub notes: Vec<Diagnostic>,
    /// `-w`: warnings are not wanted.
    pub no_warnings: bool,
}

/// The named files under the compiler's flags.
pub fn named_files(
    files: &[PathBuf],
    compiler_flags: &[OsString],
    disk: &dyn Files,
) -> Result<Units, Diagnostics> {
    let words: Vec<String> = compiler_flags.iter().map(|f| f.to_string_lossy().into_owned()).collect();
    let line = CommandLine::parse(&words, None, disk)
        .map_err(|list| Diagnostics { list, sources: Default::default() })?;
    let refused: Vec<Diagnostic> = files.iter().filter_map(|file| line.refusal(file)).collect();
    if !refused.is_empty() {
        return Err(Diagnostics { list: refused, sources: Default::default() });
    }
    let commands = files.iter().map(|file| line.command_for(file)).chain(line.commands());
    let commands = commands.collect();
    let no_warnings = words.iter().any(|word| word == "-w");
    Ok(Units { commands, skipped: Vec::new(), notes: line.notes, no_warnings })
}

/// The units of a project.
pub fn project(place: &Path, disk: &dyn Files) -> Result<Units, Diagnostics> {
    let project = read_project(place, disk)?;
    Ok(Units {
        commands: project.commands,
        skipped: project.skipped,
        notes: project.notes,
        no_warnings: false,
    })
}

/// Splits the words of `clew run` into files and arguments: leading words that end in `.c` or `.i` are files.
pub fn split_words(words: &[OsString]) -> (Vec<PathBuf>, Vec<OsString>) {
    let is_source = |word: &OsString| matches!(Path::new(word).extension(), Some(e) if e == "c" || e == "i");
    let sources = words.iter().take_while(|word| is_source(word)).count();
    (words[..sources].iter().map(PathBuf::from).collect(), words[sources..].to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leading_sources_then_arguments() {
        let words = |text: &str| text.split(' ').map(OsString::from).collect::<Vec<_>>();
        let (files, arguments) = split_words(&words("a.c b.i -l x.c"));
        assert_eq!(files, [PathBuf::from("a.c"), PathBuf::from("b.i")]);
        assert_eq!(arguments, words("-l x.c"));
    }
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a build compiles, recorded by standing in for its compiler.
//!
//! The build gets a small shell script as its compiler, which writes down each call and then calls the real one.
//! The log becomes a `compile_commands.json` like those of CMake.

use std::collections::HashSet;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde_json::{Value, json};

/// Separates the arguments of a call in the log: no file name contains it.
const SEPARATOR: char = '\u{1f}';

/// One call of the compiler on one C file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CompileCommand {
    /// Where it ran.
    pub directory: PathBuf,
    /// The source, as given.
    pub file: PathBuf,
    /// All arguments, without the compiler's name.
    pub arguments: Vec<String>,
}

impl CompileCommand {
    /// The source's place in the file system.
    pub fn path(&self) -> PathBuf {
        self.directory.join(&self.file)
    }

    /// The arguments that say how to read the source: what names outputs, dependencies and the source is left out.
    pub fn reading_flags(&self) -> Vec<String> {
        let mut flags = Vec::new();
        let mut arguments = self.arguments.iter();
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "-o" | "-MT" | "-MF" | "-MQ" => drop(arguments.next()),
                "-c" | "-MD" | "-MP" | "-MMD" => {}
                _ if Path::new(argument) == self.file => {}
                _ => flags.push(argument.clone()),
            }
        }
        flags
    }
}

/// Writes the script that stands in for the compiler.
pub fn write_wrapper(script: &Path) -> Result<()> {
    let text = "#!/bin/sh\n\
        if [ -n \"$CLEW_CC_LOG\" ]; then\n\
        \x20 line=$(printf '\\037%s' \"$@\"; printf .)\n\
        \x20 printf '%s%s\\n' \"$PWD\" \"${line%.}\" >> \"$CLEW_CC_LOG\"\n\
        fi\n\
        exec \"${CLEW_CC:-gcc}\" \"$@\"\n";
    std::fs::write(script, text).with_context(|| format!("cannot write {}", script.display()))?;
    std::fs::set_permissions(script, std::fs::Permissions::from_mode(0o755))?;
    Ok(())
}

/// The compile calls of a log, each file and flags once.
pub fn read_log(text: &str) -> Vec<CompileCommand> {
    let mut seen = HashSet::new();
    let commands = text.lines().flat_map(|line| {
        let mut parts = line.split(SEPARATOR);
        let directory = PathBuf::from(parts.next().unwrap_or_default());
        let arguments: Vec<String> = parts.map(str::to_owned).collect();
        let sources: Vec<PathBuf> = arguments.iter().filter(|a| is_source(a)).map(PathBuf::from).collect();
        sources.into_iter().map(move |file| CompileCommand {
            directory: directory.clone(),
            file,
            arguments: arguments.clone(),
        })
    });
    commands.filter(|command| seen.insert((command.path(), command.reading_flags()))).collect()
}

fn is_source(argument: &str) -> bool {
    !argument.starts_with('-') && argument.ends_with(".c")
}

/// Writes a compilation database.
pub fn write_database(commands: &[CompileCommand], file: &Path) -> Result<()> {
    let entries: Vec<Value> = commands
        .iter()
        .map(|command| {
            let mut arguments = vec!["gcc".to_owned()];
            arguments.extend(command.arguments.iter().cloned());
            json!({ "directory": command.directory, "file": command.file, "arguments": arguments })
        })
        .collect();
    std::fs::write(file, serde_json::to_string_pretty(&entries)?)?;
    Ok(())
}

/// Reads a database that [`write_database`] wrote.
pub fn read_database(file: &Path) -> Result<Vec<CompileCommand>> {
    let text = std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    let entries: Vec<Value> = serde_json::from_str(&text)?;
    entries
        .iter()
        .map(|entry| read_entry(entry).context("a strange entry in compile_commands.json"))
        .collect()
}

fn read_entry(entry: &Value) -> Option<CompileCommand> {
    let arguments = entry["arguments"].as_array()?.iter().skip(1);
    Some(CompileCommand {
        directory: entry["directory"].as_str()?.into(),
        file: entry["file"].as_str()?.into(),
        arguments: arguments.map(|a| a.as_str().map(str::to_owned)).collect::<Option<_>>()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_compile_calls_and_drops_links_and_repeats() {
        let compile = "/d\u{1f}-I.\u{1f}-MF\u{1f}x.d\u{1f}-c\u{1f}-o\u{1f}a.o\u{1f}a.c";
        let log = format!("{compile}\n/d\u{1f}-o\u{1f}a\u{1f}a.o\n{compile}\n");
        let commands = read_log(&log);
        assert_eq!(commands.len(), 1);
        assert_eq!(commands[0].path(), Path::new("/d/a.c"));
        assert_eq!(commands[0].reading_flags(), ["-I."]);
    }

    #[test]
    fn a_database_reads_back() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("compile_commands.json");
        let commands = read_log("/d\u{1f}-Dx=\"a b\"\u{1f}-c\u{1f}a.c\n");
        write_database(&commands, &file).unwrap();
        assert_eq!(read_database(&file).unwrap(), commands);
    }
}

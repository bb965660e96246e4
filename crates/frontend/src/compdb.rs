// SPDX-License-Identifier: MIT OR Apache-2.0
//! Projects: compile_commands.json, as CMake, Meson, Bear and others write it.

use std::path::{Path, PathBuf};

use clew_base::source::Span;
use serde::Deserialize;

use crate::args::shell_words;
use crate::cmdline::CommandLine;
use crate::command::{Command, MacroFlag};
use crate::diagnostic::{Diagnostic, Diagnostics, Severity};
use crate::files::Files;
use crate::foreign;

/// The name of the file in a build folder.
const FILE_NAME: &str = "compile_commands.json";

/// Programs that run a compiler given as their argument.
const WRAPPERS: [&str; 6] = ["ccache", "sccache", "distcc", "icecc", "env", "nice"];

/// The units of a project.
#[derive(Clone, Debug, Default)]
pub struct Project {
    /// The C files, in the order of the file, each once per distinct command.
    pub commands: Vec<Command>,
    /// Entries that are not read as C, and why.
    pub skipped: Vec<Skipped>,
    /// Flags that were accepted without their effect.
    pub notes: Vec<Diagnostic>,
}

/// An entry that is not read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Skipped {
    /// The file of the entry.
    pub file: PathBuf,
    /// Why not, for people.
    pub reason: String,
    /// Whether this is a fault of the input (a refused flag) rather than another language.
    pub is_error: bool,
}

#[derive(Deserialize)]
struct Entry {
    #[serde(default)]
    directory: PathBuf,
    file: PathBuf,
    command: Option<String>,
    arguments: Option<Vec<String>>,
}

/// Reads the project of a build folder (or of the JSON file itself).
pub fn read_project(place: &Path, files: &dyn Files) -> Result<Project, Diagnostics> {
    let fail = |message: String| {
        Diagnostics::one(Diagnostic::new(Severity::Error, "bad-project", message, Span::NONE))
    };
    let path = if place.is_dir() { place.join(FILE_NAME) } else { place.to_owned() };
    let text = files
        .read(&path)
        .map_err(|e| fail(format!("{}: {}", path.display(), crate::settings::io_message(&e))))?;
    let entries: Vec<Entry> = serde_json::from_slice(&text).map_err(|e| fail(misread(&path, &e)))?;
    if entries.is_empty() {
        return Err(fail(format!("{}: it lists no files; build the project first", path.display())));
    }
    let base = path.parent().unwrap_or(Path::new(""));
    let mut project = Project::default();
    for entry in entries {
        project.add(entry, base, files);
    }
    Ok(project)
}

impl Project {
    fn add(&mut self, entry: Entry, base: &Path, files: &dyn Files) {
        let directory = base.join(&entry.directory);
        let mut skip = |reason: String, is_error| {
            self.skipped.push(Skipped { file: entry.file.clone(), reason, is_error });
        };
        let words = match (entry.arguments, entry.command) {
            (Some(arguments), _) => arguments,
            (None, Some(command)) => shell_words(&command),
            (None, None) => return skip("the entry has neither `command` nor `arguments`".to_owned(), true),
        };
        let Some((compiler, flags)) = split_compiler(&words) else {
            return skip("the command is empty".to_owned(), true);
        };
        if let Some(why) = foreign::refused_compiler(compiler) {
            return skip(why, true);
        }
        let mut line = match CommandLine::parse(flags, Some(&directory), files) {
            Ok(line) => line,
            Err(errors) => {
                let reasons: Vec<String> = errors.into_iter().map(|e| e.message).collect();
                return skip(reasons.join("; "), true);
            }
        };
        let named = line.inputs.iter().any(|input| directory.join(input) == directory.join(&entry.file));
        let is_cxx = Path::new(compiler).file_name().is_some_and(|n| n.to_string_lossy().contains("++"));
        if !named || is_cxx {
            return skip("not C".to_owned(), false);
        }
        line.set_compiler(compiler);
        self.notes.extend(std::mem::take(&mut line.notes));
        let command = line.command_for(&shown_name(&directory, &entry.file));
        let built = without_build(&command);
        if !self.commands.iter().any(|other| without_build(other) == built) {
            self.commands.push(command);
        }
    }
}

/// What is wrong with the file, at its place.
fn misread(path: &Path, error: &serde_json::Error) -> String {
    let (line, column) = (error.line(), error.column().max(1));
    let said = error.to_string();
    let said =
        said.strip_suffix(&format!(" at line {} column {}", error.line(), error.column())).unwrap_or(&said);
    let what = if error.is_eof() { "it ends too soon: " } else { "" };
    format!("{}:{line}:{column}: {what}{said}", path.display())
}

/// The command without what only says into which library the object goes: static and shared ones have the same units.
fn without_build(command: &Command) -> Command {
    let mut command = command.clone();
    command.probe_flags.retain(|flag| !matches!(&**flag, "-fPIC" | "-fpic" | "-fPIE" | "-fpie" | "-fno-pic"));
    let is_build = |text: &str| {
        let name = text.split('=').next().unwrap_or(text);
        name == "PIC" || name == "DLL_EXPORT" || name.ends_with("_EXPORTS")
    };
    command.macros.retain(|flag| !matches!(flag, MacroFlag::Define(text) if is_build(text)));
    command
}

/// The compiler and its arguments, without wrappers before it.
fn split_compiler(words: &[String]) -> Option<(&str, &[String])> {
    let is_wrapper = |word: &str| {
        let name = Path::new(word).file_name().and_then(|n| n.to_str()).unwrap_or("");
        WRAPPERS.contains(&name) || (word.contains('=') && !word.starts_with('-'))
    };
    let at = words.iter().position(|word| !is_wrapper(word))?;
    Some((words[at].as_str(), &words[at + 1..]))
}

/// The file as a person here would write it: relative when it is below the current folder.
fn shown_name(directory: &Path, file: &Path) -> PathBuf {
    let path = directory.join(file);
    let full = std::fs::canonicalize(&path).unwrap_or_else(|_| rucc_session::path_key(&path));
    match std::env::current_dir().ok().and_then(|here| full.strip_prefix(here).ok().map(Path::to_owned)) {
        Some(below) => below,
        None => full,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::DiskFiles;

    #[test]
    fn both_forms_are_read_and_the_rest_is_named() {
        let json = br#"[
            {"directory": "/p", "file": "a.c", "command": "ccache /usr/bin/gcc -DS='\"x y\"' -c a.c -o a.o"},
            {"directory": "/p", "file": "/p/b.c", "arguments": ["gcc", "@b.rsp", "/p/b.c"]},
            {"directory": "/p", "file": "c.cpp", "command": "g++ -c c.cpp"},
            {"directory": "/p", "file": "d.c", "command": "gcc -mlong-double-64 -c d.c"},
            {"directory": "/p", "file": "e.S", "command": "gcc -c e.S"}
        ]"#;
        let mut files = DiskFiles::new();
        files.overlay("/p/compile_commands.json", *json);
        files.overlay("/p/b.rsp", *b"-Iinclude -fwrapv");
        let project = read_project(Path::new("/p/compile_commands.json"), &files).unwrap();
        assert_eq!(project.commands.len(), 2);
        let (a, b) = (&project.commands[0], &project.commands[1]);
        assert_eq!(a.compiler, "/usr/bin/gcc");
        assert_eq!(a.macros, [crate::command::MacroFlag::Define("S=\"x y\"".to_owned())]);
        assert!(b.semantics.wrapv);
        assert_eq!(b.resolve(&b.includes[0].1), Path::new("/p/include"));
        let skipped: Vec<(&Path, bool)> =
            project.skipped.iter().map(|s| (s.file.as_path(), s.is_error)).collect();
        let expected = [(Path::new("c.cpp"), false), (Path::new("d.c"), true), (Path::new("e.S"), false)];
        assert_eq!(skipped, expected);
    }

    #[test]
    fn a_broken_file_is_an_error_with_a_place() {
        let mut files = DiskFiles::new();
        files.overlay("/q/compile_commands.json", *b"[{\"file\": }]");
        let error = read_project(Path::new("/q/compile_commands.json"), &files).unwrap_err();
        assert!(error.to_string().contains("/q/compile_commands.json:1:11: expected value"), "{error}");
        files.overlay("/r/compile_commands.json", *b"[{\"file\": \"a.c\",\n");
        let error = read_project(Path::new("/r/compile_commands.json"), &files).unwrap_err();
        assert!(error.to_string().contains("/r/compile_commands.json:2:1: it ends too soon"), "{error}");
        files.overlay("/s/compile_commands.json", *b"[]");
        let error = read_project(Path::new("/s/compile_commands.json"), &files).unwrap_err();
        assert!(error.to_string().contains("it lists no files"), "{error}");
    }

    #[test]
    fn a_unit_of_a_static_and_a_shared_library_is_read_once() {
        let json = br#"[
            {"directory": "/p", "file": "a.c", "command": "gcc -DX=1 -c a.c"},
            {"directory": "/p", "file": "a.c", "command": "gcc -DX=1 -fPIC -DPIC -Dz_EXPORTS -c a.c"},
            {"directory": "/p", "file": "a.c", "command": "gcc -DX=2 -c a.c"}
        ]"#;
        let mut files = DiskFiles::new();
        files.overlay("/p/compile_commands.json", *json);
        assert_eq!(read_project(Path::new("/p/compile_commands.json"), &files).unwrap().commands.len(), 2);
    }
}

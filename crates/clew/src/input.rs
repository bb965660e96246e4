// SPDX-License-Identifier: MIT OR Apache-2.0
//! From what the user named to the files to read and how.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clew_base::source::Span;
use clew_frontend::compdb::Skipped;
use clew_frontend::{Command, CommandLine, Diagnostic, Diagnostics, Files, Severity, read_project};

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

impl Units {
    /// Without the files that are excluded.
    pub fn without(mut self, excluded: &[PathBuf]) -> Units {
        let is_excluded = |file: &Path| excluded.iter().any(|pattern| matches(pattern, file));
        self.commands.retain(|command| !is_excluded(&command.file));
        self.skipped.retain(|skipped| !is_excluded(&skipped.file));
        self
    }
}

/// Whether a path is meant: it is the pattern, below it, or fits it where `*` is anything.
fn matches(pattern: &Path, file: &Path) -> bool {
    let full = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let (pattern, file) = (full(pattern), full(file));
    file.starts_with(&pattern) || fits(&pattern.to_string_lossy(), &file.to_string_lossy())
}

fn fits(pattern: &str, text: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == text,
        Some((head, rest)) => text.strip_prefix(head).is_some_and(|tail| {
            let ends = tail.char_indices().map(|(at, _)| at).chain([tail.len()]);
            ends.into_iter().any(|at| fits(rest, &tail[at..]))
        }),
    }
}

/// The named files under the compiler's flags.
pub fn named_files(
    files: &[PathBuf],
    compiler_flags: &[OsString],
    disk: &dyn Files,
) -> Result<Units, Diagnostics> {
    let words: Vec<String> = compiler_flags.iter().map(|f| f.to_string_lossy().into_owned()).collect();
    let words = without_compiler(words, files);
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

/// The units of a project; where files are named, those alone, with the project's flags.
pub fn project(place: &Path, files: &[PathBuf], disk: &dyn Files) -> Result<Units, Diagnostics> {
    let mut project = read_project(place, disk)?;
    if !files.is_empty() {
        let full = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let wanted: Vec<PathBuf> = files.iter().map(|file| full(file)).collect();
        let compiled: Vec<PathBuf> = project.commands.iter().map(|command| full(&command.file)).collect();
        let missing = files.iter().zip(&wanted).filter(|(_, wanted)| !compiled.contains(wanted));
        let missing: Vec<Diagnostic> = missing.map(|(file, _)| not_compiled(file, place)).collect();
        if !missing.is_empty() {
            return Err(Diagnostics { list: missing, sources: Default::default() });
        }
        let mut compiled = compiled.iter();
        project.commands.retain(|_| compiled.next().is_some_and(|file| wanted.contains(file)));
        project.skipped.clear();
    }
    Ok(Units {
        commands: project.commands,
        skipped: project.skipped,
        notes: project.notes,
        no_warnings: false,
    })
}

fn not_compiled(file: &Path, place: &Path) -> Diagnostic {
    let message = format!(
        "{}: the project {} does not compile it; without -p it is checked with the flags after `--`",
        file.display(),
        place.display()
    );
    Diagnostic::new(Severity::Error, "bad-project", message, Span::NONE)
}

/// What stands before the flags where a whole compile command follows `--`, as CMake calls clang-tidy: the compiler. The
/// command names the file again.
fn without_compiler(words: Vec<String>, files: &[PathBuf]) -> Vec<String> {
    let is_compiler = |word: &String| {
        !word.starts_with('-') && Path::new(word).extension().is_none_or(|e| e != "c" && e != "i")
    };
    if !words.first().is_some_and(is_compiler) {
        return words;
    }
    let full = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let named: Vec<PathBuf> = files.iter().map(|file| full(file)).collect();
    words.into_iter().skip(1).filter(|word| !named.contains(&full(Path::new(word)))).collect()
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
    fn stars_stand_for_anything() {
        assert!(fits("a*c", "a/b/c") && fits("*", "") && fits("x", "x"));
        assert!(!fits("a*c", "a/b/d") && !fits("", "x"));
        assert!(matches(Path::new("third"), Path::new("third/a.c")));
        assert!(!matches(Path::new("third"), Path::new("thirdly.c")));
    }

    #[test]
    fn leading_sources_then_arguments() {
        let words = |text: &str| text.split(' ').map(OsString::from).collect::<Vec<_>>();
        let (files, arguments) = split_words(&words("a.c b.i -l x.c"));
        assert_eq!(files, [PathBuf::from("a.c"), PathBuf::from("b.i")]);
        assert_eq!(arguments, words("-l x.c"));
    }
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! From a compiler's command line to [`Command`]s.

use std::path::{Path, PathBuf};

use clew_base::source::Span;

use crate::args::expand_responses;
use crate::command::{Command, Language, MacroFlag, Preinclude, is_cxx, is_of_another_language, language_of};
use crate::diagnostic::{Diagnostic, Severity};
use crate::files::Files;
use crate::flags::{self, Effect, Shape};
use crate::foreign;

/// What a compiler's command line says.
#[derive(Clone, Debug)]
pub struct CommandLine {
    /// The C files it names.
    pub inputs: Vec<PathBuf>,
    /// Files it names that are not C (objects, libraries, other languages).
    pub other_inputs: Vec<PathBuf>,
    /// Flags that were accepted without their effect.
    pub notes: Vec<Diagnostic>,
    template: Command,
    language: Option<Language>,
}

impl CommandLine {
    /// Reads flags and file names as gcc does. `@file` is replaced; relative paths start at `directory`.
    pub fn parse(
        args: &[String],
        directory: Option<&Path>,
        files: &dyn Files,
    ) -> Result<Self, Vec<Diagnostic>> {
        let mut template = Command::new("");
        template.directory = directory.map(Path::to_owned);
        let mut line = CommandLine {
            inputs: Vec::new(),
            other_inputs: Vec::new(),
            notes: Vec::new(),
            template,
            language: None,
        };
        let mut state = Reader { line: &mut line, errors: Vec::new(), skip_language: false };
        state.words(&expand_responses(args, directory, files));
        // Flags alone are for files that are named elsewhere, all of which are C.
        if state.skip_language && state.line.inputs.is_empty() && state.line.other_inputs.is_empty() {
            state.error("`-x` and `-std` name another language; clew reads C".to_owned());
        }
        let errors = state.errors;
        if errors.is_empty() { Ok(line) } else { Err(errors) }
    }

    /// Names the compiler that is asked about itself.
    pub fn set_compiler(&mut self, compiler: &str) {
        self.template.compiler = compiler.to_owned();
    }

    /// The command for one file under these flags.
    pub fn command_for(&self, file: &Path) -> Command {
        let language = self.language.or_else(|| language_of(file)).unwrap_or(Language::C);
        Command { file: file.to_owned(), language, ..self.template.clone() }
    }

    /// Why a file that is named is not read: by its name compilers take it for another language, and no flag says otherwise.
    pub fn refusal(&self, file: &Path) -> Option<Diagnostic> {
        let what = if is_cxx(file) { "C++, which clew does not read" } else { "not C by its name" };
        let message = format!("{}: {what}; `-- -x c` reads it as C", file.display());
        let is_refused = self.language.is_none() && is_of_another_language(file);
        is_refused.then(|| Diagnostic::new(Severity::Error, "language", message, Span::NONE))
    }

    /// The commands for the C files it names.
    pub fn commands(&self) -> Vec<Command> {
        self.inputs.iter().map(|file| self.command_for(file)).collect()
    }
}

struct Reader<'a> {
    line: &'a mut CommandLine,
    errors: Vec<Diagnostic>,
    /// After `-x c++` and the like: the files that follow are not C.
    skip_language: bool,
}

impl Reader<'_> {
    fn words(&mut self, words: &[String]) {
        let mut rest = words.iter();
        while let Some(word) = rest.next() {
            if !word.starts_with('-') || word == "-" {
                self.input(word);
                continue;
            }
            let Some(flag) = flags::find(word) else {
                self.error(format!("`{word}`: unknown compiler flag"));
                continue;
            };
            let joined = &word[flag.spelling.len()..];
            let argument = match flag.shape {
                Shape::Alone => Some(""),
                Shape::Joined => Some(joined),
                Shape::JoinedOrNext if !joined.is_empty() => Some(joined),
                Shape::JoinedOrNext | Shape::Next => rest.next().map(String::as_str),
            };
            match argument {
                None => self.error(format!("`{word}`: its argument is missing")),
                Some(argument) => self.flag(word, argument, flag),
            }
        }
    }

    fn flag(&mut self, word: &str, argument: &str, flag: &flags::Flag) {
        let template = &mut self.line.template;
        match flag.effect {
            Effect::Ignore => {}
            Effect::Probe => self.probe(word, argument, flag.shape),
            Effect::Meaning(apply) => {
                apply(&mut template.semantics, argument);
                self.probe(word, argument, flag.shape);
            }
            Effect::Machine if foreign::is_foreign(argument) => {
                self.error(format!("`{word}` {}", foreign::WHY));
            }
            Effect::Machine => self.probe(word, argument, flag.shape),
            Effect::Linker if argument.split(',').any(flags::leads_elsewhere) => {
                self.error(format!("`{word}` {}", flags::NOT_LINKED));
            }
            Effect::Linker => {}
            Effect::Refuse(why) => self.error(format!("`{word}` {why}")),
            Effect::Note(what) => self.note(format!("`{word}` {what}")),
            Effect::Include(kind) => template.includes.push((kind, argument.into())),
            Effect::Define => template.macros.push(MacroFlag::Define(argument.to_owned())),
            Effect::Undefine => template.macros.push(MacroFlag::Undefine(argument.to_owned())),
            Effect::Preinclude { macros_only } => {
                template.preincludes.push(Preinclude { name: argument.to_owned(), macros_only });
            }
            Effect::Std => self.std(word, argument),
            Effect::Language => self.language(argument),
            Effect::Trigraphs => template.trigraphs = true,
            Effect::Nested => {
                let words: Vec<String> = argument.split(',').map(str::to_owned).collect();
                self.words(&words);
            }
        }
    }

    /// A flag that is handed on when the compiler is asked about itself.
    fn probe(&mut self, word: &str, argument: &str, shape: Shape) {
        let flags = &mut self.line.template.probe_flags;
        flags.push(word.to_owned());
        let separate = shape == Shape::Next || (shape == Shape::JoinedOrNext && !word.ends_with(argument));
        if separate {
            flags.push(argument.to_owned());
        }
    }

    fn std(&mut self, word: &str, std: &str) {
        if std.contains("++") {
            self.skip_language = true;
            return;
        }
        self.line.template.std = Some(std.to_owned());
        self.line.template.probe_flags.push(word.trim_start_matches("--").to_owned());
        if let Some(flag) = self.line.template.probe_flags.last_mut()
            && !flag.starts_with('-')
        {
            flag.insert(0, '-');
        }
    }

    fn language(&mut self, name: &str) {
        (self.line.language, self.skip_language) = match name {
            "c" | "c-header" => (Some(Language::C), false),
            "cpp-output" | "c-cpp-output" => (Some(Language::PreprocessedC), false),
            "none" => (None, false),
            _ => (None, true),
        };
    }

    fn input(&mut self, word: &str) {
        let path = PathBuf::from(word);
        let is_c = !self.skip_language && (self.line.language.is_some() || language_of(&path).is_some());
        if is_c { self.line.inputs.push(path) } else { self.line.other_inputs.push(path) }
    }

    fn error(&mut self, message: String) {
        self.errors.push(Diagnostic::new(Severity::Error, "bad-flag", message, Span::NONE));
    }

    fn note(&mut self, message: String) {
        self.line.notes.push(Diagnostic::new(Severity::Warning, "ignored-flag", message, Span::NONE));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::IncludeKind;
    use crate::files::DiskFiles;

    fn parse(line: &str) -> Result<CommandLine, Vec<Diagnostic>> {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        CommandLine::parse(&words, None, &DiskFiles::new())
    }

    #[test]
    fn flags_land_where_they_belong() {
        let line = parse(
            "-Iinc -I inc2 -isystem sys -DA=1 -D B -UA -include pre.h -std=c99 -O2 -Wall -o out -c a.c b.o -MF d \
             -fwrapv -funsigned-char -fpack-struct=2 -Wp,-DX=1,-MD,y.d --sysroot /s",
        )
        .unwrap();
        let command = &line.commands()[0];
        assert_eq!(line.inputs, [PathBuf::from("a.c")]);
        assert_eq!(line.other_inputs, [PathBuf::from("b.o"), PathBuf::from("y.d")]);
        assert_eq!(command.includes[1], (IncludeKind::Normal, "inc2".into()));
        assert_eq!(command.includes[2], (IncludeKind::System, "sys".into()));
        let define = |s: &str| MacroFlag::Define(s.to_owned());
        let undefine = MacroFlag::Undefine("A".to_owned());
        assert_eq!(command.macros, [define("A=1"), define("B"), undefine, define("X=1")]);
        assert_eq!(command.std.as_deref(), Some("c99"));
        assert!(command.semantics.wrapv && command.semantics.optimised);
        assert_eq!(command.semantics.char_signed, Some(false));
        assert_eq!(command.semantics.pack_struct, Some(2));
        let probed = "-std=c99 -O2 -fwrapv -funsigned-char -fpack-struct=2 --sysroot /s";
        assert_eq!(command.probe_flags.join(" "), probed);
    }

    #[test]
    fn every_bad_flag_is_named() {
        let errors = parse("--frobnicate -mlong-double-64 a.c -I").unwrap_err();
        let messages: Vec<&str> = errors.iter().map(|e| e.message.as_str()).collect();
        assert_eq!(messages.len(), 3, "{messages:?}");
        assert!(messages[0].contains("--frobnicate"));
        assert!(messages[1].contains("not modelled"));
        assert!(messages[2].contains("missing"));
    }

    #[test]
    fn the_language_is_said_or_read_off_the_name() {
        let line = parse("a.i -x c b.txt -x none c.cpp -x c++ d.c").unwrap();
        assert_eq!(line.inputs, [PathBuf::from("a.i"), PathBuf::from("b.txt")]);
        assert_eq!(line.other_inputs, [PathBuf::from("c.cpp"), PathBuf::from("d.c")]);
        assert_eq!(line.command_for(Path::new("a.i")).language, Language::PreprocessedC);
    }
}

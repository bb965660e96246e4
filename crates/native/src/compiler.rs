// SPDX-License-Identifier: MIT OR Apache-2.0
//! Finding the compiler and building programs with it.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tempfile::TempDir;

use crate::child::{Child, Outcome};

/// How long a compiler may take. SQLite with sanitizers needs half a minute; what takes longer is not worth the wait for one witness.
const BUILD_TIME: Duration = Duration::from_secs(100);

/// A C compiler with a command line like gcc's.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Compiler {
    program: OsString,
}

/// Why there is no program.
#[derive(Debug)]
pub enum BuildError {
    /// No compiler was found; the names that were tried.
    NoCompiler(Vec<String>),
    /// It could not be started, or a folder could not be made.
    Io(io::Error),
    /// The compiler refused the sources; what it said.
    Rejected { status: String, message: String },
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BuildError::NoCompiler(tried) => write!(f, "no C compiler found (tried {})", tried.join(", ")),
            BuildError::Io(error) => write!(f, "cannot run the compiler: {error}"),
            BuildError::Rejected { status, message } => {
                write!(f, "the compiler failed ({status}):\n{message}")
            }
        }
    }
}

impl std::error::Error for BuildError {}

impl From<io::Error> for BuildError {
    fn from(error: io::Error) -> Self {
        BuildError::Io(error)
    }
}

/// A program that was built, in a folder of its own that goes away with this value.
#[derive(Debug)]
pub struct Executable {
    folder: TempDir,
}

impl Executable {
    /// The program's file.
    pub fn path(&self) -> PathBuf {
        self.folder.path().join("program")
    }

    /// A child that runs it.
    pub fn child(&self) -> Child {
        Child::new(self.path())
    }
}

impl Compiler {
    /// The compiler that `CC` names, else the first of gcc, cc and clang that answers `--version`.
    ///
    /// # Errors
    /// When none does.
    pub fn find() -> Result<Compiler, BuildError> {
        let named = std::env::var_os("CC").filter(|name| !name.is_empty());
        let names: Vec<OsString> = match named {
            Some(name) => vec![name],
            None => ["gcc", "cc", "clang"].map(OsString::from).to_vec(),
        };
        for name in &names {
            let compiler = Compiler::named(name);
            if compiler.answers() {
                return Ok(compiler);
            }
        }
        Err(BuildError::NoCompiler(names.iter().map(|name| name.to_string_lossy().into_owned()).collect()))
    }

    /// The compiler of that name, whether it exists or not.
    pub fn named(program: impl AsRef<OsStr>) -> Compiler {
        Compiler { program: program.as_ref().to_owned() }
    }

    /// Its name.
    pub fn program(&self) -> &OsStr {
        &self.program
    }

    fn answers(&self) -> bool {
        Child::new(&self.program).arg("--version").run().is_ok_and(|outcome| outcome.success())
    }

    /// Runs the compiler with these arguments in this folder.
    ///
    /// # Errors
    /// When it cannot be started. A compiler that refuses its input is an [`Outcome`] like any other.
    pub fn run<S: AsRef<OsStr>>(
        &self,
        arguments: impl IntoIterator<Item = S>,
        directory: Option<&Path>,
    ) -> io::Result<Outcome> {
        let mut child = Child::new(&self.program).args(arguments).time(BUILD_TIME);
        if let Some(directory) = directory {
            child = child.directory(directory);
        }
        child.run()
    }

    /// Builds a program from sources; flags that name libraries go last, as linkers want it.
    ///
    /// # Errors
    /// When the compiler does not make a program, with what it said.
    pub fn build<P: AsRef<Path>, S: AsRef<OsStr>>(
        &self,
        sources: &[P],
        flags: &[S],
        libraries: &[&str],
    ) -> Result<Executable, BuildError> {
        let executable = Executable { folder: tempfile::Builder::new().prefix("clew-").tempdir()? };
        let mut arguments: Vec<OsString> = flags.iter().map(|flag| flag.as_ref().to_owned()).collect();
        arguments.extend(["-o".into(), executable.path().into_os_string()]);
        arguments.extend(sources.iter().map(|source| source.as_ref().as_os_str().to_owned()));
        arguments.extend(libraries.iter().map(OsString::from));
        let outcome = self.run(arguments, None)?;
        if outcome.success() {
            Ok(executable)
        } else {
            Err(BuildError::Rejected { status: outcome.status.to_string(), message: outcome.stderr_text() })
        }
    }

    /// Builds a program from the text of one source file.
    ///
    /// # Errors
    /// As [`Compiler::build`].
    pub fn build_text<S: AsRef<OsStr>>(&self, text: &str, flags: &[S]) -> Result<Executable, BuildError> {
        let folder = tempfile::Builder::new().prefix("clew-").tempdir()?;
        let source = folder.path().join("program.c");
        std::fs::write(&source, text)?;
        self.build(&[source], flags, &["-lm"])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn builds_and_runs_a_program() {
        let compiler = Compiler::find().unwrap();
        let program = compiler.build_text("int main(int n, char **v) { return n + 6; }", &["-O0"]).unwrap();
        let outcome = program.child().arg("one").run().unwrap();
        assert_eq!(outcome.status, crate::Status::Exited(8));
    }

    #[test]
    fn says_why_a_program_was_refused() {
        let compiler = Compiler::find().unwrap();
        let error = compiler.build_text("int main(void) { return nowhere; }", &["-O0"]).unwrap_err();
        assert!(error.to_string().contains("nowhere"), "{error}");
    }

    #[test]
    fn the_folder_goes_away_with_the_program() {
        let compiler = Compiler::find().unwrap();
        let program = compiler.build_text("int main(void) { return 0; }", &["-O0"]).unwrap();
        let path = program.path();
        assert!(path.exists());
        drop(program);
        assert!(!path.exists());
    }
}

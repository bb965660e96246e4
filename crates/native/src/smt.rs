// SPDX-License-Identifier: MIT OR Apache-2.0
//! SMT solvers of the system as tools: which are there, and what they print for a script.
//!
//! A solver is asked with a limit that it counts itself in steps, where it has one, so that it answers the same on
//! every machine; a limit of time stands behind that. It is a stranger: it may be missing, crash, hang or print
//! anything, and all of that is an error with a reason, never more.

use std::fmt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::child::{Child, Limits, Status};
use crate::launch::ATTEND;

/// The solvers that clew knows how to ask.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// By Microsoft Research.
    Z3,
    /// By Stanford and Iowa.
    Cvc5,
    /// By Stanford and Linz.
    Bitwuzla,
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 3] = [Kind::Z3, Kind::Cvc5, Kind::Bitwuzla];

    /// The name of its program.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Z3 => "z3",
            Kind::Cvc5 => "cvc5",
            Kind::Bitwuzla => "bitwuzla",
        }
    }

    /// How it is made to read a script from its input, and to end.
    fn arguments(self, seconds: u64) -> Vec<String> {
        // About five seconds of work each.
        const Z3_STEPS: u64 = 20_000_000;
        const CVC5_STEPS: u64 = 500_000;
        let words: &[String] = match self {
            Kind::Z3 => {
                &["-in".into(), "-smt2".into(), format!("rlimit={Z3_STEPS}"), format!("-T:{seconds}")]
            }
            Kind::Cvc5 => &[
                "--lang=smt2".into(),
                // Constant arrays and half precision.
                "--arrays-exp".into(),
                "--fp-exp".into(),
                format!("--rlimit={CVC5_STEPS}"),
                format!("--tlimit-per={}", seconds.saturating_mul(1000)),
            ],
            // It counts no steps.
            Kind::Bitwuzla => &["-t".into(), seconds.saturating_mul(1000).to_string()],
        };
        words.to_vec()
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A solver of the system.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SmtSolver {
    /// Which it is.
    pub kind: Kind,
    /// Its program.
    pub path: PathBuf,
}

/// How much longer than its own limit a solver may take before it is ended.
const GRACE: Duration = Duration::from_secs(2);

/// Bytes of address space.
const MEMORY: u64 = 4 << 30;

impl SmtSolver {
    /// The first of that name in the folders of `PATH`.
    pub fn on_path(kind: Kind) -> Option<SmtSolver> {
        let folders = std::env::var_os("PATH")?;
        let mut places = std::env::split_paths(&folders).map(|folder| folder.join(kind.name()));
        places.find(|place| is_program(place)).map(|path| SmtSolver { kind, path })
    }

    /// A program somewhere else, whose name begins with that of a solver.
    ///
    /// # Errors
    /// Why it is none.
    pub fn at(path: &Path) -> Result<SmtSolver, String> {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let kind = Kind::ALL.into_iter().find(|kind| name.starts_with(kind.name()));
        let kind = kind.ok_or_else(|| {
            format!(
                "{}: the name must begin with z3, cvc5 or bitwuzla, to say how it is asked",
                path.display()
            )
        })?;
        match is_program(path) {
            true => Ok(SmtSolver { kind, path: path.to_owned() }),
            false => Err(format!("{}: there is no such program", path.display())),
        }
    }

    /// What it prints for a script, in at most so many seconds.
    ///
    /// # Errors
    /// Why it printed nothing that could be an answer.
    pub fn ask(&self, script: &str, seconds: u64, launcher: Option<&Path>) -> Result<String, String> {
        let limits = Limits {
            time: Duration::from_secs(seconds).saturating_add(GRACE),
            memory: Some(MEMORY),
            ..Limits::default()
        };
        let arguments = self.kind.arguments(seconds);
        let child = match launcher {
            Some(launcher) => Child::new(launcher).arg(ATTEND).arg(&self.path),
            None => Child::new(&self.path),
        };
        let outcome = child.args(arguments).stdin(script).limits(limits).run();
        let outcome = outcome.map_err(|error| format!("it cannot be started: {error}"))?;
        match outcome.status {
            // Some end with an error after an answer, because there is no model to show.
            Status::Exited(_) if !outcome.stdout.is_empty() => {}
            Status::TimedOut => {
                return Err(format!("it did not end within {} s, and was ended", limits.time.as_secs()));
            }
            status => {
                let said = outcome.stderr_text();
                let said = said.lines().next().map_or_else(String::new, |line| format!(": {line}"));
                return Err(format!("it ended without an answer, with {status}{said}"));
            }
        }
        String::from_utf8(outcome.stdout).map_err(|_| "its output is no text".to_owned())
    }

    /// What it says of its version, in one line.
    pub fn version(&self) -> Option<String> {
        let outcome = Child::new(&self.path).arg("--version").time(Duration::from_secs(5)).run().ok()?;
        let text = String::from_utf8(outcome.stdout).ok()?;
        text.lines().next().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned)
    }
}

fn is_program(path: &Path) -> bool {
    path.metadata().is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

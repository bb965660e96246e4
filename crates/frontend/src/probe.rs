// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the system compiler says about itself: predefined macros, header folders, target.

use std::path::PathBuf;
use std::process::{Command as Process, Stdio};

use serde::{Deserialize, Serialize};

use crate::command::Command;

/// A compiler's answers.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Compiler {
    /// `#define` lines.
    pub macros: String,
    /// Folders for `#include <...>` in order.
    pub folders: Vec<PathBuf>,
    /// The target triple, `x86_64-linux-gnu`.
    pub target: String,
    /// The version line, for people.
    pub version: String,
}

impl Compiler {
    /// The value of a predefined macro that is a decimal number.
    pub fn number(&self, name: &str) -> Option<u64> {
        let value = self
            .macros
            .lines()
            .find_map(|line| line.strip_prefix("#define ")?.strip_prefix(name)?.strip_prefix(' '))?;
        value.trim_end_matches(['L', 'U', 'l', 'u']).parse().ok()
    }
}

/// Asks the compiler of a command; without one, an x86-64 Linux machine is assumed.
pub fn probe(command: &Command) -> Compiler {
    ask(command).unwrap_or_else(without_compiler)
}

fn ask(command: &Command) -> Option<Compiler> {
    let output = Process::new(&command.compiler)
        .args(&command.probe_flags)
        .args(["-E", "-dM", "-v", "-x", "c", "/dev/null"])
        .env("LC_ALL", "C")
        .stdin(Stdio::null())
        .output()
        .ok()
        .filter(|o| o.status.success())?;
    let log = String::from_utf8_lossy(&output.stderr);
    let after = |prefix: &str| log.lines().find_map(|l| l.strip_prefix(prefix)).unwrap_or("").to_owned();
    let folders = log
        .lines()
        .skip_while(|l| !l.starts_with("#include <...>"))
        .skip(1)
        .take_while(|l| l.starts_with(' '))
        .map(|l| PathBuf::from(l.trim()));
    let version = log.lines().find(|l| l.contains(" version ")).unwrap_or("").to_owned();
    Some(Compiler {
        macros: String::from_utf8_lossy(&output.stdout).into_owned(),
        folders: folders.collect(),
        target: after("Target: "),
        version,
    })
}

/// What is assumed when there is no compiler to ask.
fn without_compiler() -> Compiler {
    let folders = ["<builtin>", "/usr/local/include", "/usr/include/x86_64-linux-gnu", "/usr/include"];
    Compiler {
        macros: String::new(),
        folders: folders.iter().map(PathBuf::from).collect(),
        target: "x86_64-linux-gnu".to_owned(),
        version: "no compiler found".to_owned(),
    }
}

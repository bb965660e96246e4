// SPDX-License-Identifier: MIT OR Apache-2.0
//! Running the real binary.
#![allow(dead_code, reason = "each test file is a crate of its own and uses a part")]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What a run left.
pub struct Ran {
    pub stdout: String,
    pub stderr: String,
    pub status: Option<i32>,
}

impl Ran {
    /// Everything, for a snapshot.
    pub fn whole(&self) -> String {
        let status = self.status.map_or("killed".to_owned(), |s| s.to_string());
        format!("status: {status}\n--- stdout\n{}--- stderr\n{}", self.stdout, self.stderr)
    }
}

/// The root of the repository.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .and_then(Path::parent)
        .expect("crates/clew is two folders down")
}

/// Runs clew at the root of the repository.
pub fn clew(arguments: &[&str]) -> Ran {
    clew_in(root(), arguments)
}

/// Runs clew in a folder.
pub fn clew_in(folder: &Path, arguments: &[&str]) -> Ran {
    let output = command(folder).args(arguments).output().expect("the binary starts");
    Ran {
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        status: output.status.code(),
    }
}

/// clew in a folder, without the surroundings of whoever runs the tests.
pub fn command(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_clew"));
    command.current_dir(folder).env_remove("NO_COLOR").stdin(Stdio::null());
    command
}

/// The C files of a folder of tests, with those of its folders, in order.
pub fn c_files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(&folder).expect("the folder is there") {
            let path = entry.expect("it can be read").path();
            match path.extension() {
                _ if path.is_dir() => open.push(path),
                Some(extension) if extension == "c" => found.push(path),
                _ => {}
            }
        }
    }
    found.sort();
    found
}

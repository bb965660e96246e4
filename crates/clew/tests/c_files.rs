// SPDX-License-Identifier: MIT OR Apache-2.0
//! C files with their expectations in comments, run through the real binary.
//!
//! In the lines at the head of a file:
//!
//! ```text
//! // run: same as cc        it prints and ends as when gcc compiles it; this is so if the line is missing
//! // run: exit 3            so, and with this status
//! // run: finding           it is stopped, at the line that says `// finds: CHECK`
//! // run: error             clew cannot run it, and says why in words that hold `// says: TEXT`
//! // args: a b              arguments, separated by spaces
//! // stdin: text\n          standard input
//! // stop-on: CHECK         as the option
//! // inputs: FILE           as the option, from the folder of the test
//! // with: FILE             another C file of the program, from the folder of the test
//! // flags: -DX -lm         flags for clew's front end and for gcc
//! ```
//!
//! and behind any line `// counts: CHECK`: the check fails there, and the run goes on.

mod common;

use std::collections::BTreeSet;
use std::io::Write;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use clew_base::workers::{cores, in_order};
use common::{c_files, command, root};

#[test]
fn c_files_do_what_their_comments_say() {
    let files = c_files(&root().join("tests/c"));
    let filter = std::env::var("CLEW_TEST").unwrap_or_default();
    let files: Vec<_> = files.iter().filter(|f| f.to_string_lossy().contains(&filter)).collect();
    assert!(!files.is_empty(), "no test matches");
    let judged = in_order(cores(), &files, |_, file| {
        let message = Test::read(file)?.judge().err()?;
        Some(format!("{}: {message}", file.display()))
    });
    let mut failures: Vec<String> = judged.into_iter().flatten().collect();
    failures.sort();
    assert!(failures.is_empty(), "{} of {} fail:\n{}", failures.len(), files.len(), failures.join("\n"));
}

/// How a run must end.
enum Expected {
    SameAsCc,
    Exit(i32),
    Finding,
    Error,
}

struct Test {
    file: PathBuf,
    expected: Expected,
    args: Vec<String>,
    stdin: String,
    options: Vec<String>,
    with: Vec<PathBuf>,
    flags: Vec<String>,
    says: Option<String>,
    /// Marks `finds` and `counts`: line and check.
    finds: BTreeSet<(u32, String)>,
    counts: BTreeSet<(u32, String)>,
}

impl Test {
    /// The test that a file describes; none for a file that is a part of another test.
    fn read(file: &Path) -> Option<Test> {
        let text = String::from_utf8_lossy(&std::fs::read(file).expect("the test can be read")).into_owned();
        let mut test = Test {
            file: file.to_owned(),
            expected: Expected::SameAsCc,
            args: Vec::new(),
            stdin: String::new(),
            options: Vec::new(),
            with: Vec::new(),
            flags: Vec::new(),
            says: None,
            finds: marks(&text, "// finds: "),
            counts: marks(&text, "// counts: "),
        };
        for line in text.lines().take_while(|line| line.starts_with("//")) {
            let Some((key, value)) = line[2..].trim().split_once(": ") else {
                if line.trim() == "// part of another test" {
                    return None;
                }
                continue;
            };
            test.set(key, value);
        }
        Some(test)
    }

    fn set(&mut self, key: &str, value: &str) {
        let folder = self.file.parent().expect("a file has a folder").to_owned();
        let words = || value.split(' ').map(str::to_owned);
        match key {
            "run" => {
                self.expected = match value.strip_prefix("exit ") {
                    Some(status) => Expected::Exit(status.parse().expect("a status is a number")),
                    None if value == "same as cc" => Expected::SameAsCc,
                    None if value == "finding" => Expected::Finding,
                    None if value == "error" => Expected::Error,
                    None => panic!("{}: run: {value}?", self.file.display()),
                }
            }
            "args" => self.args = words().collect(),
            "stdin" => self.stdin = value.replace("\\n", "\n"),
            "stop-on" => self.options.extend(["--stop-on".to_owned(), value.to_owned()]),
            "inputs" => {
                self.options.extend(["--inputs".to_owned(), folder.join(value).display().to_string()]);
            }
            "with" => self.with.extend(words().map(|file| folder.join(file))),
            "flags" => self.flags = words().collect(),
            "says" => self.says = Some(value.to_owned()),
            _ => {}
        }
    }

    fn judge(&self) -> Result<(), String> {
        let mut clew = command(root());
        clew.arg("run").args(&self.options).arg(&self.file).args(&self.with).args(&self.args);
        clew.arg("--").args(&self.flags);
        let ran = run(&mut clew, &self.stdin)?;
        let stderr = String::from_utf8_lossy(&ran.stderr).into_owned();
        let fail = |what: String| Err(format!("{what}\n{stderr}"));
        let status = ran.status.code();
        match self.expected {
            Expected::Exit(expected) if status != Some(expected) => {
                return fail(format!("status {status:?}, not {expected}"));
            }
            Expected::Exit(_) | Expected::SameAsCc => {
                self.agrees_with_gcc(&ran).map_err(|what| format!("{what}\n{stderr}"))?;
            }
            Expected::Finding if status != Some(99) => return fail(format!("status {status:?}, not 99")),
            Expected::Error if status != Some(98) => return fail(format!("status {status:?}, not 98")),
            Expected::Finding | Expected::Error => {}
        }
        if let Some(says) = self.says.as_deref().filter(|says| !stderr.contains(says)) {
            return fail(format!("it does not say `{says}`"));
        }
        let name = self.file.file_name().unwrap_or_default().to_string_lossy();
        let found = shown(&stderr, "error[", &name);
        if found != self.finds {
            return fail(format!("finds {found:?}, not {:?}", self.finds));
        }
        let counted = shown(&stderr, "warning[", &name);
        match self.counts.difference(&counted).next() {
            Some(missing) => fail(format!("counts {counted:?}, not {missing:?}")),
            None => Ok(()),
        }
    }

    /// The compiled program prints the same and ends the same way.
    fn agrees_with_gcc(&self, ours: &Output) -> Result<(), String> {
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        let program = folder.path().join("program");
        // What clew itself answers says nothing to the compiled program.
        let intrinsics = folder.path().join("intrinsics.c");
        std::fs::write(&intrinsics, "int __clew_stable(double x, double w) { return 1; }\n")
            .map_err(|e| e.to_string())?;
        let mut gcc = Command::new("gcc");
        gcc.args(["-O0", "-w", "-o"])
            .arg(&program)
            .args([&self.file, &intrinsics])
            .args(&self.with)
            .args(&self.flags)
            .arg("-lm");
        if self.options.contains(&"--inputs".to_owned()) {
            return Ok(()); // Only clew knows what the nondeterministic functions give.
        }
        let compiled = gcc.output().map_err(|e| format!("gcc: {e}"))?;
        if !compiled.status.success() {
            return Err(format!("gcc refuses it: {}", String::from_utf8_lossy(&compiled.stderr)));
        }
        let native = run(Command::new(&program).args(&self.args).current_dir(root()), &self.stdin)?;
        if native.stdout != ours.stdout {
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            return Err(format!("prints\n{}\nnatively\n{}", text(&ours.stdout), text(&native.stdout)));
        }
        // A signal is told as a shell tells it.
        let natively = native.status.code().or(native.status.signal().map(|signal| 128 + signal));
        match natively == ours.status.code() {
            true => Ok(()),
            false => Err(format!("status {:?}, natively {natively:?}", ours.status.code())),
        }
    }
}

fn run(command: &mut Command, stdin: &str) -> Result<Output, String> {
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|e| e.to_string())?;
    // A program may end without reading its input.
    let _ = child.stdin.take().map(|mut pipe| pipe.write_all(stdin.as_bytes()));
    child.wait_with_output().map_err(|e| e.to_string())
}

/// The marks behind lines, after the head: line and check.
fn marks(text: &str, mark: &str) -> BTreeSet<(u32, String)> {
    let mut found = BTreeSet::new();
    for (number, line) in text.lines().enumerate() {
        if let Some((code, checks)) = line.split_once(mark)
            && !code.trim().is_empty()
        {
            found.extend(checks.split([' ', ',']).map(|check| (number as u32 + 1, check.to_owned())));
        }
    }
    found
}

/// What a report shows in this file: `error[CHECK]: ...` and, in a line after it, ` --> file:line:column`.
fn shown(report: &str, head: &str, file: &str) -> BTreeSet<(u32, String)> {
    let mut found = BTreeSet::new();
    let mut check = None;
    for line in report.lines() {
        if let Some((id, _)) = line.strip_prefix(head).and_then(|rest| rest.split_once(']')) {
            check = Some(id.to_owned());
        } else if let Some(place) = line.trim_start().strip_prefix("--> ")
            && let Some(check) = check.take()
        {
            let mut parts = place.rsplit(':');
            let number = parts.nth(1).and_then(|n| n.parse().ok());
            let here = parts.next().is_some_and(|path| path.ends_with(file));
            found.extend(number.filter(|_| here).map(|number| (number, check)));
        }
    }
    found
}

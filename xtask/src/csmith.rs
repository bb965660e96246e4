// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random programs must print the same under clew and gcc.
//!
//! Two sets. Without floats, csmith's programs have no undefined behaviour: the output must be that of `gcc -O0`
//! and nothing may stop. With floats they convert out of range here and there: under `--all` the output must
//! still be gcc's, and without it every stop must be confirmed at its line by gcc's own sanitizer.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::Args;
use clew_native::sanitizer::read_reports;
use clew_native::{BuildError, Child, Compiler, Outcome, Status};

use crate::clew::{Choice, Clew, FINDING, OWN_ERROR, crashed, findings, first_line, target_folder};
use crate::jobs;

/// Programs that run longer than this natively are skipped: most of them never end.
const NATIVE_TIME: Duration = Duration::from_secs(5);
/// An interpreter is slower than the machine; one that is slower by more than this has hung.
const SLOWDOWN: u32 = 200;

/// Flags of the command.
#[derive(Args)]
pub struct Options {
    /// Seeds: `7`, `1..=30` or `1..31`.
    #[arg(long, default_value = "1..=30", value_parser = parse_seeds)]
    seeds: Seeds,
    /// Default options plus `--float`, instead of `--no-packed-struct`.
    #[arg(long)]
    float: bool,
    /// Programs at once.
    #[arg(long, default_value_t = jobs::default_jobs())]
    jobs: usize,
}

/// A range of seeds.
#[derive(Clone, Debug)]
pub struct Seeds(pub std::ops::RangeInclusive<u64>);

pub fn parse_seeds(text: &str) -> Result<Seeds> {
    let range = if let Some((low, high)) = text.split_once("..=") {
        low.parse()?..=high.parse()?
    } else if let Some((low, high)) = text.split_once("..") {
        let high: u64 = high.parse()?;
        low.parse()?..=high.checked_sub(1).context("the range is empty")?
    } else {
        let seed = text.parse()?;
        seed..=seed
    };
    Ok(Seeds(range))
}

/// Which kind of programs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Set {
    /// `--no-packed-struct`, no floats: nothing may stop.
    Plain,
    /// Default options and `--float`.
    Float,
}

impl Set {
    /// The set that `--float` asks for.
    pub fn new(float: bool) -> Set {
        if float { Set::Float } else { Set::Plain }
    }

    fn csmith_flag(self) -> &'static str {
        match self {
            Set::Plain => "--no-packed-struct",
            Set::Float => "--float",
        }
    }

    /// The name of a program's file.
    pub fn file_name(self, seed: u64) -> String {
        match self {
            Set::Plain => format!("plain-{seed}.c"),
            Set::Float => format!("float-{seed}.c"),
        }
    }
}

/// How clew and gcc differ.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Failure {
    /// clew refuses the program.
    Rejected(String),
    /// clew panicked or was killed.
    Crash(String),
    /// clew gave up with its own error.
    OwnError(String),
    /// clew stopped at something, and gcc's sanitizer does not say the same.
    Stopped(String),
    /// clew took far longer than gcc's program.
    Hang,
    /// Different output.
    Output(String),
    /// Different exit status.
    Status(String),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Rejected(text) => write!(f, "rejected: {text}"),
            Failure::Crash(text) => write!(f, "crash: {text}"),
            Failure::OwnError(text) => write!(f, "own error: {text}"),
            Failure::Stopped(text) => write!(f, "stopped: {text}"),
            Failure::Hang => f.write_str("hang"),
            Failure::Output(text) => write!(f, "output differs: {text}"),
            Failure::Status(text) => write!(f, "exit status differs: {text}"),
        }
    }
}

/// What came of one program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Agreement.
    Passed,
    /// Nothing to compare, and why.
    Skipped(String),
    /// Disagreement.
    Failed(Failure),
}

/// Runs the command.
pub fn run(choice: &Choice, options: &Options) -> Result<bool> {
    let clew = choice.program()?;
    let set = Set::new(options.float);
    let folder = target_folder().join("csmith");
    std::fs::create_dir_all(&folder)?;
    let seeds: Vec<u64> = options.seeds.0.clone().collect();
    let results = jobs::for_each(
        options.jobs,
        &seeds,
        |&seed| one_seed(&clew, set, seed, &folder),
        |seed, result| match result {
            Ok(Verdict::Passed) => {}
            Ok(Verdict::Skipped(why)) => println!("seed {seed}: skipped: {why}"),
            Ok(Verdict::Failed(failure)) => println!("seed {seed}: FAILED: {failure}"),
            Err(error) => println!("seed {seed}: FAILED: {error:#}"),
        },
    );
    let passed = results.iter().filter(|r| matches!(r, Ok(Verdict::Passed))).count();
    let skipped = results.iter().filter(|r| matches!(r, Ok(Verdict::Skipped(_)))).count();
    let failed = results.len() - passed - skipped;
    if failed > 0 {
        println!("failing programs are kept in {}", folder.display());
    }
    println!("{passed} passed, {failed} failed, {skipped} skipped");
    Ok(failed == 0)
}

fn one_seed(clew: &Clew, set: Set, seed: u64, folder: &Path) -> Result<Verdict> {
    let file = folder.join(set.file_name(seed));
    generate(set, seed, &file)?;
    let verdict = judge(clew, set, &file)?;
    if !matches!(verdict, Verdict::Failed(_)) {
        std::fs::remove_file(&file)?;
    }
    Ok(verdict)
}

/// Writes the program of a seed.
pub fn generate(set: Set, seed: u64, file: &Path) -> Result<()> {
    std::fs::write(file, text(seed, &[set.csmith_flag()])?)?;
    Ok(())
}

/// The program of a seed, by csmith with these flags.
///
/// csmith leaves a `platform.info` where it runs and reads the one that is there; one that finds what another has just
/// begun to write fails. So each runs in a folder of its own.
pub fn text(seed: u64, flags: &[&str]) -> Result<Vec<u8>> {
    let folder = tempfile::tempdir()?;
    let outcome = Child::new("csmith")
        .args(["--seed", &seed.to_string()])
        .args(flags)
        .directory(folder.path())
        .time(Duration::from_secs(120))
        .run()?;
    if !outcome.success() {
        bail!("csmith failed ({}): {}", outcome.status, outcome.stderr_text());
    }
    Ok(outcome.stdout)
}

/// Where `csmith.h` is.
pub fn include_folder() -> Result<PathBuf> {
    let named = std::env::var_os("CSMITH_INCLUDE").map(PathBuf::from);
    let usual = ["/usr/include/csmith", "/usr/local/include/csmith", "/usr/local/include/csmith-2.3.0"];
    let mut folders = named.into_iter().chain(usual.map(PathBuf::from));
    folders
        .find(|folder| folder.join("csmith.h").exists())
        .context("csmith.h not found: install csmith, or set CSMITH_INCLUDE")
}

/// Compares clew and gcc on one program.
pub fn judge(clew: &Clew, set: Set, file: &Path) -> Result<Verdict> {
    let include = format!("-I{}", include_folder()?.display());
    let compiler = Compiler::find()?;
    let program = match compiler.build(&[file], &["-O0", "-w", &include], &["-lm"]) {
        Ok(program) => program,
        Err(BuildError::Rejected { message, .. }) => {
            return Ok(Verdict::Skipped(format!("gcc: {}", first_line(&message))));
        }
        Err(error) => return Err(error.into()),
    };
    let native = program.child().time(NATIVE_TIME).run()?;
    match native.status {
        Status::Exited(_) => {}
        Status::TimedOut => return Ok(Verdict::Skipped("runs too long natively".into())),
        other => return Ok(Verdict::Skipped(format!("natively: {other}"))),
    }
    let time = Duration::from_secs(30) + native.wall * SLOWDOWN;
    let all = run_clew(clew, set == Set::Float, file, &include, time)?;
    if let Some(failure) = compare(set, &native, &all) {
        return Ok(Verdict::Failed(failure));
    }
    if set == Set::Float {
        let stopping = run_clew(clew, false, file, &include, time)?;
        if let Some(failure) = unconfirmed_stop(&compiler, file, &include, &stopping)? {
            return Ok(Verdict::Failed(failure));
        }
    }
    Ok(Verdict::Passed)
}

fn run_clew(clew: &Clew, all: bool, file: &Path, include: &str, time: Duration) -> Result<Outcome> {
    let mut child = clew.child("run", time);
    if all {
        child = child.arg("--all");
    }
    Ok(child.arg(file).args(["--", "-w", include]).run()?)
}

/// The first way in which clew's run differs from the native one.
fn compare(set: Set, native: &Outcome, clew: &Outcome) -> Option<Failure> {
    if let Some(failure) = own_failure(clew) {
        return Some(failure);
    }
    let text = clew.stderr_text();
    // Less output means that it stopped there; as much of it but different, that it went on.
    let lines = |outcome: &Outcome| outcome.stdout.iter().filter(|byte| **byte == b'\n').count();
    if clew.status == Status::Exited(FINDING) && lines(clew) < lines(native) {
        let found = findings(&text);
        let place = found.first().map(|f| format!("{} at line {}", f.check, f.line));
        return Some(Failure::Stopped(place.unwrap_or_else(|| first_line(&text))));
    }
    if clew.stdout != native.stdout {
        return Some(Failure::Output(first_difference(&native.stdout, &clew.stdout)));
    }
    // A run with `--all` that found something says so with its own status. Without floats nothing may be found.
    let found = set == Set::Float && clew.status == Status::Exited(FINDING);
    if clew.status != native.status && !found {
        return Some(Failure::Status(format!("{} natively, {} here", native.status, clew.status)));
    }
    None
}

/// What went wrong with clew itself.
fn own_failure(clew: &Outcome) -> Option<Failure> {
    if let Some(crash) = crashed(clew) {
        return Some(Failure::Crash(crash));
    }
    let text = clew.stderr_text();
    match clew.status {
        Status::TimedOut | Status::TooMuchOutput => Some(Failure::Hang),
        Status::Exited(OWN_ERROR) => Some(Failure::OwnError(first_line(&text))),
        Status::Exited(2) if clew.stdout.is_empty() => Some(Failure::Rejected(first_line(&text))),
        _ => None,
    }
}

fn first_difference(native: &[u8], clew: &[u8]) -> String {
    let native = String::from_utf8_lossy(native);
    let clew = String::from_utf8_lossy(clew);
    let mut pairs = native.lines().zip(clew.lines()).enumerate();
    match pairs.find(|(_, (n, c))| n != c) {
        Some((line, (n, c))) => {
            format!("line {}: `{}` natively, `{}` here", line + 1, first_line(n), first_line(c))
        }
        None => format!("{} lines natively, {} here", native.lines().count(), clew.lines().count()),
    }
}

/// A stop of clew that gcc's sanitizer does not report at that line.
fn unconfirmed_stop(
    compiler: &Compiler,
    file: &Path,
    include: &str,
    stopping: &Outcome,
) -> Result<Option<Failure>> {
    if let Some(failure) = own_failure(stopping) {
        return Ok(Some(failure));
    }
    if stopping.status != Status::Exited(FINDING) {
        return Ok(None);
    }
    let text = stopping.stderr_text();
    let Some(stop) = findings(&text).into_iter().find(|finding| finding.stops) else {
        return Ok(Some(Failure::Stopped(format!("without a place: {}", first_line(&text)))));
    };
    let flags = ["-O0", "-g", "-w", "-fsanitize=undefined,float-cast-overflow", include];
    let program = compiler.build(&[file], &flags, &["-lm"])?;
    let outcome = program.child().time(NATIVE_TIME * 20).run()?;
    let reports = read_reports(&outcome.stderr_text());
    let confirmed =
        reports.iter().filter_map(|report| report.location.as_ref()).any(|at| at.line == stop.line);
    let message = format!("{} at line {}, which gcc does not report", stop.check, stop.line);
    Ok((!confirmed).then_some(Failure::Stopped(message)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_are_read_like_rust_ranges() {
        assert_eq!(parse_seeds("1..=30").unwrap().0, 1..=30);
        assert_eq!(parse_seeds("1..31").unwrap().0, 1..=30);
        assert_eq!(parse_seeds("7").unwrap().0, 7..=7);
        assert!(parse_seeds("x").is_err());
    }

    #[test]
    fn names_the_first_line_that_differs() {
        assert_eq!(first_difference(b"a\nb\n", b"a\nc\n"), "line 2: `b` natively, `c` here");
        assert_eq!(first_difference(b"a\nb\n", b"a\n"), "2 lines natively, 1 here");
    }
}

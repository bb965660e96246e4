// SPDX-License-Identifier: MIT OR Apache-2.0
//! Faults planted at random in running programs: every sanitizer report must meet a finding in the same statement.
//!
//! Programs are those of `bench/plant`, the tests that run to an end, and small csmith programs. The first report
//! of AddressSanitizer, LeakSanitizer or UBSan is compared with where `clew run` stops, and if they do not meet
//! with all that `clew run --all` finds: clew sees things that sanitizers do not, and may have stopped before. What
//! a program does after its first undefined operation has no meaning, so later reports are not compared.
//! Disagreements are listed in a table for a person to say who is right.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Result, bail};
use clap::Args;
use clew_native::sanitizer::{Kind, Report, read_reports};
use clew_native::{Compiler, Limits, Outcome, Status};
use fastrand::Rng;

use crate::clew::{Choice, Clew, Finding, crashed, findings, first_line, target_folder};
use crate::csmith::{Set, generate, include_folder};
use crate::faults::{Faulty, plant, unsafe_macros};
use crate::tokens::same_statement;
use crate::{corpus, jobs};

/// How long a faulty program may run natively. One that runs on tells nothing.
const NATIVE_TIME: Duration = Duration::from_secs(5);

/// Flags of the command.
#[derive(Args)]
pub struct Options {
    /// How many faults with a sanitizer report to compare.
    #[arg(long, default_value_t = 300)]
    reports: usize,
    /// Of ten programs, how many are csmith's (0 to 10).
    #[arg(long, default_value_t = 2)]
    csmith: u8,
    /// The first seed.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Programs at once.
    #[arg(long, default_value_t = jobs::default_jobs())]
    jobs: usize,
}

/// What came of one seed.
enum Seed {
    /// The fault does not compile, or no fault fits, or the sanitizers say nothing.
    Silent,
    /// Report and finding meet.
    Agreed,
    /// They do not, because the fault is a value never written: clew names the read of it, and what comes after
    /// depends on the garbage that the compiled program finds. A row of the table.
    Garbage(String),
    /// They do not: a row of the table.
    Disagreed(String),
}

/// Runs the command.
pub fn run(choice: &Choice, options: &Options) -> Result<bool> {
    let clew = choice.program()?;
    let folder = target_folder().join("plant");
    std::fs::create_dir_all(&folder)?;
    let bases = Bases::new(&clew, options.csmith)?;
    let (mut agreed, mut garbage, mut rows, mut silent) = (0, Vec::new(), Vec::new(), 0);
    let mut seed = options.seed;
    // In rounds, because nobody knows before how many seeds it takes.
    while agreed + garbage.len() + rows.len() < options.reports {
        let wanted = options.reports - agreed - garbage.len() - rows.len();
        let seeds: Vec<u64> = (seed..seed + wanted.max(options.jobs) as u64).collect();
        seed += seeds.len() as u64;
        let results =
            jobs::for_each(options.jobs, &seeds, |&seed| one_seed(&clew, &bases, seed, &folder), |_, _| ());
        for result in results {
            match result? {
                Seed::Silent => silent += 1,
                Seed::Agreed => agreed += 1,
                Seed::Garbage(row) => garbage.push(row),
                Seed::Disagreed(row) => rows.push(row),
            }
        }
        if seed > options.seed + 100 * options.reports as u64 {
            bail!("too few faults are reported by the sanitizers; are they installed?");
        }
    }
    println!("| seed | program | fault | sanitizer | clew |\n|---|---|---|---|---|");
    garbage.iter().chain(&rows).for_each(|row| println!("{row}"));
    println!(
        "{agreed} agreed, {} where clew names a value never written and the sanitizer what came of it, {} disagreed \
         ({silent} faults without a report); programs are kept in {}",
        garbage.len(),
        rows.len(),
        folder.display()
    );
    Ok(rows.is_empty())
}

/// The programs that faults are planted in.
struct Bases {
    programs: Vec<PathBuf>,
    tests: Vec<PathBuf>,
    csmith: u8,
    include: String,
}

impl Bases {
    fn new(clew: &Clew, csmith: u8) -> Result<Bases> {
        let compiler = Compiler::find()?;
        let mut tests = corpus::c_files(&["tests/c"])?;
        // Those that run to an end without input, a report or a finding.
        let silent = |outcome: Result<Outcome>| outcome.is_ok_and(|o| o.success() && o.stderr.is_empty());
        tests.retain(|file| {
            let program = build(&compiler, file, "-I.");
            program.is_some_and(|p| silent(sanitized(&p))) && silent(interpreted(clew, file, "-I.", false))
        });
        let include = if csmith > 0 { format!("-I{}", include_folder()?.display()) } else { "-I.".into() };
        Ok(Bases { programs: corpus::c_files(&["bench/plant"])?, tests, csmith, include })
    }

    /// A program for a seed, and its name.
    fn choose(&self, seed: u64, random: &mut Rng, folder: &Path) -> Result<(String, String)> {
        if random.u8(..10) < self.csmith {
            let number = random.u64(1..=60);
            let file = folder.join(format!("base-{seed}.c"));
            generate(Set::Plain, number, &file)?;
            let text = std::fs::read_to_string(&file)?;
            std::fs::remove_file(&file)?;
            return Ok((format!("csmith {number}"), unsafe_macros() + &text));
        }
        // The tests are many and small, so the programs get their share first.
        let files = if self.tests.is_empty() || random.bool() { &self.programs } else { &self.tests };
        let file = &files[random.usize(..files.len())];
        let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        Ok((name, std::fs::read_to_string(file)?))
    }
}

fn build(compiler: &Compiler, file: &Path, include: &str) -> Option<clew_native::Executable> {
    let sanitizers = "-fsanitize=address,undefined,float-cast-overflow";
    let flags = ["-O0", "-g", "-w", sanitizers, "-fno-omit-frame-pointer", include];
    compiler.build(&[file], &flags, &["-lm"]).ok()
}

fn sanitized(program: &clew_native::Executable) -> Result<Outcome> {
    let child = program
        .child()
        .env("ASAN_OPTIONS", "detect_stack_use_after_return=1:detect_leaks=1:allocator_may_return_null=1")
        .env("UBSAN_OPTIONS", "halt_on_error=1");
    Ok(child.limits(Limits { time: NATIVE_TIME, output: 1 << 20, memory: None }).run()?)
}

fn interpreted(clew: &Clew, file: &Path, include: &str, all: bool) -> Result<Outcome> {
    let child = clew.child("run", Duration::from_secs(60)).args(all.then_some("--all")).arg(file);
    Ok(child.args(["--", "-w", include]).directory(folder_of(file)).run()?)
}

fn one_seed(clew: &Clew, bases: &Bases, seed: u64, folder: &Path) -> Result<Seed> {
    let mut random = Rng::with_seed(seed);
    let (name, base) = bases.choose(seed, &mut random, folder)?;
    let Some(faulty) = plant(&base, &mut random) else { return Ok(Seed::Silent) };
    let file = folder.join(format!("fault-{seed}.c"));
    std::fs::write(&file, &faulty.text)?;
    let result = compare(clew, bases, seed, &name, &faulty, &file)?;
    if matches!(result, Seed::Agreed | Seed::Silent) {
        std::fs::remove_file(&file)?;
    }
    Ok(result)
}

fn compare(clew: &Clew, bases: &Bases, seed: u64, name: &str, faulty: &Faulty, file: &Path) -> Result<Seed> {
    let Some(program) = build(&Compiler::find()?, file, &bases.include) else { return Ok(Seed::Silent) };
    let native = sanitized(&program)?;
    let Some(report) = read_reports(&native.stderr_text()).into_iter().next() else {
        return Ok(Seed::Silent);
    };
    let stopping = interpreted(clew, file, &bases.include, false)?;
    if crashed(&stopping).is_none() && meets(&report, &findings(&stopping.stderr_text()), &faulty.text, file)
    {
        return Ok(Seed::Agreed);
    }
    let outcome = interpreted(clew, file, &bases.include, true)?;
    let found = findings(&outcome.stderr_text());
    if crashed(&outcome).is_none() && meets(&report, &found, &faulty.text, file) {
        return Ok(Seed::Agreed);
    }
    let place = report.location.as_ref().map_or_else(|| "?".into(), |at| at.line.to_string());
    let sanitizer = format!("{:?} at {place}: {}", report.kind, first_line(&report.message));
    let fault = format!("{} at {}", faulty.fault, faulty.line);
    let ours = describe(&outcome, &found);
    let row = format!("| {seed} | {name} | {fault} | {sanitizer} | {ours} |");
    let unwritten = found.iter().any(|finding| finding.check == "uninitialised-read");
    Ok(if unwritten { Seed::Garbage(row) } else { Seed::Disagreed(row) })
}

fn folder_of(file: &Path) -> PathBuf {
    file.parent().unwrap_or(Path::new(".")).to_owned()
}

/// Whether some finding is in the statement that the report is about.
fn meets(report: &Report, found: &[Finding], text: &str, file: &Path) -> bool {
    let name = file.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    let at_line = |line: u32| found.iter().any(|finding| same_statement(text, finding.line, line));
    match report.place_in(&name) {
        // The sanitizer sees the stack end inside the function that is called, clew at the call.
        Some(_) if report.kind == Kind::StackExhausted => report.stack.iter().any(|at| at_line(at.line)),
        Some(at) => at_line(at.line),
        // A call through a null pointer leaves no place to compare.
        None => !found.is_empty(),
    }
}

fn describe(outcome: &Outcome, found: &[Finding]) -> String {
    if let Some(crash) = crashed(outcome) {
        return crash;
    }
    if found.is_empty() {
        return match outcome.status {
            Status::Exited(code) => format!("nothing, exit {code} {}", first_line(&outcome.stderr_text())),
            other => other.to_string(),
        };
    }
    let places: Vec<String> = found.iter().take(4).map(|f| format!("{} at {}", f.check, f.line)).collect();
    places.join(", ")
}

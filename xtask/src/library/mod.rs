// SPDX-License-Identifier: MIT OR Apache-2.0
//! The models of the library against the host's functions: calls with buffers of exactly the size that is needed, of one
//! byte less or one more.
//!
//! A program has a function for each call, and its number of arguments says which one runs. The sanitizers say of each
//! whether it fails, `clew check` what it knows of it. Two things must never happen: everything in a function that fails was
//! proved, or a violation was found in one that does not. Everything follows from the seeds.

mod cases;

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};
use clap::Args;
use clew_native::{Compiler, Limits, Status};

use crate::clew::{Choice, Clew, crashed, first_line, target_folder};
use crate::csmith::{Seeds, parse_seeds};
use crate::jobs;

/// Flags of the command.
#[derive(Args)]
pub struct Options {
    /// Seeds: `7`, `1..=30` or `1..31`. Each is a call.
    #[arg(long, default_value = "1..=2000", value_parser = parse_seeds)]
    seeds: Seeds,
    /// Calls in one program.
    #[arg(long, default_value_t = 20)]
    batch: usize,
    /// Only writes the programs.
    #[arg(long)]
    write: bool,
    /// Programs at once.
    #[arg(long, default_value_t = jobs::default_jobs())]
    jobs: usize,
}

/// What clew says of a function.
#[derive(Default)]
struct Said {
    /// Checks with a violation.
    violated: Vec<String>,
    /// Something is open, or holds only if something else does.
    is_open: bool,
}

/// What came of a program.
#[derive(Default)]
struct Outcome {
    calls: usize,
    failing: usize,
    found: usize,
    exceptions: Vec<String>,
}

/// Runs the command.
pub fn run(choice: &Choice, options: &Options) -> Result<bool> {
    let clew = choice.program()?;
    let compiler = Compiler::find()?;
    let folder = target_folder().join("library");
    std::fs::create_dir_all(&folder)?;
    let seeds: Vec<u64> = options.seeds.0.clone().collect();
    let batches: Vec<&[u64]> = seeds.chunks(options.batch.max(1)).collect();
    if options.write {
        for batch in &batches {
            println!("{}", write(batch, &folder)?.display());
        }
        return Ok(true);
    }
    let judged = |batch: &&[u64]| judge(&clew, &compiler, batch, &folder);
    let shown = |_: &&[u64], result: &Result<Outcome>| match result {
        Ok(outcome) => outcome.exceptions.iter().for_each(|line| println!("{line}")),
        Err(error) => println!("{error:#}"),
    };
    let mut sum = Outcome::default();
    for outcome in jobs::for_each(options.jobs, &batches, judged, shown) {
        let outcome = outcome?;
        sum.calls += outcome.calls;
        sum.failing += outcome.failing;
        sum.found += outcome.found;
        sum.exceptions.extend(outcome.exceptions);
    }
    println!(
        "{} calls, {} fail, clew has a witness of {}; {} exceptions; programs are kept in {}",
        sum.calls,
        sum.failing,
        sum.found,
        sum.exceptions.len(),
        folder.display()
    );
    Ok(sum.exceptions.is_empty())
}

fn write(seeds: &[u64], folder: &Path) -> Result<PathBuf> {
    let file = folder.join(format!("calls{}.c", seeds.first().copied().unwrap_or_default()));
    std::fs::write(&file, cases::program(seeds))
        .with_context(|| format!("cannot write {}", file.display()))?;
    Ok(file)
}

fn judge(clew: &Clew, compiler: &Compiler, seeds: &[u64], folder: &Path) -> Result<Outcome> {
    let file = write(seeds, folder)?;
    let flags =
        ["-O0", "-g", "-w", "-fno-builtin", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"];
    let executable = compiler.build(&[&file], &flags, &["-lm"])?;
    let said = ask(clew, &file)?;
    let mut outcome = Outcome { calls: seeds.len(), ..Outcome::default() };
    let nothing = Said::default();
    for (index, seed) in seeds.iter().enumerate() {
        let child = executable.child().args(vec!["x"; index]).env("ASAN_OPTIONS", "detect_leaks=0");
        let limits = Limits { time: Duration::from_secs(10), output: 1 << 20, memory: None };
        let run = child.limits(limits).run()?;
        let fails = run.status != Status::Exited(0);
        let said = said.get(&cases::name(*seed)).unwrap_or(&nothing);
        outcome.failing += usize::from(fails);
        outcome.found += usize::from(!said.violated.is_empty());
        let place = format!("{}: seed {seed}", file.display());
        if fails && said.violated.is_empty() && !said.is_open {
            let report = run.stderr_text();
            let report = report.lines().find(|l| l.contains("ERROR") || l.contains("runtime error"));
            let report = report.unwrap_or("it ends by a signal");
            outcome.exceptions.push(format!("{place}: proved, but {}", first_line(report)));
        }
        if !fails && !said.violated.is_empty() {
            let violated = said.violated.join(", ");
            outcome.exceptions.push(format!("{place}: {violated} is violated, but nothing fails"));
        }
    }
    Ok(outcome)
}

/// What clew says of each function.
fn ask(clew: &Clew, file: &Path) -> Result<std::collections::BTreeMap<String, Said>> {
    let child =
        clew.child("check", Duration::from_secs(600)).args(["--format", "json", "--no-replay"]).arg(file);
    let outcome = child.args(["--", "-w", "-fno-builtin"]).run()?;
    if let Some(crash) = crashed(&outcome) {
        anyhow::bail!("{}: {crash}", file.display());
    }
    let report: serde_json::Value = serde_json::from_slice(&outcome.stdout)
        .with_context(|| format!("{}: {}", file.display(), first_line(&outcome.stderr_text())))?;
    let mut said: std::collections::BTreeMap<String, Said> = Default::default();
    for row in report["obligations"].as_array().into_iter().flatten() {
        let text = |name: &str| row[name].as_str().unwrap_or_default().to_owned();
        // Buffers are not freed, and nobody asks.
        if text("check") == "memory-leak" {
            continue;
        }
        let said = said.entry(text("function")).or_default();
        let given = row["given"].as_array().is_some_and(|given| !given.is_empty());
        match text("verdict").as_str() {
            "violated" => said.violated.push(text("check")),
            "open" => said.is_open = true,
            _ => said.is_open |= given,
        }
    }
    Ok(said)
}

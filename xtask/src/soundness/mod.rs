// SPDX-License-Identifier: MIT OR Apache-2.0
//! Proofs are judged by running: what an engine proves of a program must hold in every run of it.
//!
//! Random programs are analysed and then interpreted on random inputs. Two things must never happen: an obligation that
//! a run violates was proved unconditionally, or a state of a run at a loop head lies outside the engine's invariant
//! there. The interpreter shares no evaluation code with the engines, and its own arithmetic is judged elsewhere.
//!
//! Everything follows from the seeds. A program with an exception is kept with the inputs of the run.

mod absint;
mod csmith_inputs;
mod engine;
mod frozen;
mod generator;
mod inputs;
mod judge;
pub mod slices;
mod source;
mod symbolic;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use clap::{Args, ValueEnum};
use clew_ir::witness::Witness;

use crate::clew::target_folder;
use crate::csmith::{Seeds, parse_seeds};
use crate::jobs;
use engine::Choice;
use judge::{Report, judge};
use source::Reader;

/// Flags of the command.
#[derive(Args)]
pub struct Options {
    /// Seeds: `7`, `1..=30` or `1..31`.
    #[arg(long, default_value = "1..=100", value_parser = parse_seeds)]
    seeds: Seeds,
    /// Runs of each program.
    #[arg(long, default_value_t = 20)]
    runs: u64,
    /// Which programs.
    #[arg(long, value_enum, default_value_t = Programs::Generated)]
    programs: Programs,
    /// A file to judge in place of random programs.
    #[arg(long)]
    file: Option<PathBuf>,
    /// The inputs of its only run, instead of random ones.
    #[arg(long, requires = "file")]
    inputs: Option<PathBuf>,
    /// The engine to judge.
    #[arg(long, value_enum, default_value_t = Choice::DEFAULT)]
    engine: Choice,
    /// Seconds for the analysis of a program; one that takes longer is given up, and claims nothing.
    #[arg(long, default_value_t = 60)]
    limit: u64,
    /// Only writes the programs, with these seeds, into this folder.
    #[arg(long, value_name = "FOLDER")]
    write: Option<PathBuf>,
    /// Ends at the first exception.
    #[arg(long)]
    first: bool,
    /// Programs at once.
    #[arg(long, default_value_t = jobs::default_jobs())]
    jobs: usize,
}

/// A kind of random programs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Programs {
    /// Ours: with bugs.
    Generated,
    /// Ours: loops over arrays.
    Parts,
    /// Ours: sums of floats and integers.
    Sums,
    /// Ours: digital filters.
    Filters,
    /// Ours: programs that wait for a clock.
    Clocked,
    /// Ours: loops that change their ways.
    Phases,
    /// Pointers from a table.
    Pointers,
    /// Ours: flags and what they decide on.
    Flags,
    /// csmith's, with its scalar globals made inputs.
    Csmith,
}

impl Programs {
    fn name(self) -> &'static str {
        match self {
            Programs::Generated => "generated",
            Programs::Parts => "parts",
            Programs::Sums => "sums",
            Programs::Filters => "filters",
            Programs::Clocked => "clocked",
            Programs::Phases => "phases",
            Programs::Pointers => "pointers",
            Programs::Flags => "flags",
            Programs::Csmith => "csmith",
        }
    }

    fn text(self, seed: u64) -> Result<String> {
        match self {
            Programs::Generated => Ok(generator::program(seed)),
            Programs::Parts => Ok(generator::parts::program(seed)),
            Programs::Sums => Ok(generator::sums::program(seed)),
            Programs::Filters => Ok(generator::filters::program(seed)),
            Programs::Clocked => Ok(generator::clocked::program(seed)),
            Programs::Phases => Ok(generator::phases::program(seed)),
            Programs::Pointers => Ok(generator::pointers::program(seed)),
            Programs::Flags => Ok(generator::flags::program(seed)),
            Programs::Csmith => csmith_inputs::program(seed),
        }
    }
}

/// Runs the command.
pub fn run(options: &Options) -> Result<bool> {
    let reader = Reader::new()?;
    if let Some(file) = &options.file {
        return one_file(&reader, options, file);
    }
    let seeds: Vec<u64> = options.seeds.0.clone().collect();
    if let Some(folder) = &options.write {
        std::fs::create_dir_all(folder)?;
        for seed in seeds {
            let file = folder.join(format!("{}-{seed}.c", options.programs.name()));
            std::fs::write(file, options.programs.text(seed)?)?;
        }
        return Ok(true);
    }
    let folder = target_folder().join("soundness");
    std::fs::create_dir_all(&folder)?;
    let start = Instant::now();
    let found = AtomicBool::new(false);
    let results = jobs::for_each(
        options.jobs,
        &seeds,
        |&seed| match found.load(Ordering::Relaxed) && options.first {
            true => Ok(Report::default()),
            false => one_seed(&reader, options, seed, &folder),
        },
        |seed, result| match result {
            Ok(report) => {
                found.fetch_or(report.exception.is_some(), Ordering::Relaxed);
            }
            Err(error) => println!("seed {seed}: FAILED: {error:#}"),
        },
    );
    let failed = results.iter().filter(|result| result.is_err()).count();
    let reports: Vec<Report> = results.into_iter().flatten().collect();
    let exceptions = reports.iter().filter(|report| report.exception.is_some()).count();
    summary(&reports, start.elapsed());
    let unexamined = reports.iter().filter(|report| report.unexamined.is_some()).count();
    let unjudged = failed + unexamined;
    println!("{exceptions} programs with an exception, {unjudged} that could not be judged");
    Ok(exceptions == 0 && unjudged == 0)
}

fn one_seed(reader: &Reader, options: &Options, seed: u64, folder: &Path) -> Result<Report> {
    let name = format!("{}-{seed}", options.programs.name());
    let file = folder.join(&name).with_extension("c");
    let text = options.programs.text(seed)?;
    let program = reader.program(&file, text.clone().into_bytes())?;
    let sets = (0..options.runs).map(|run| inputs::set(seed, run));
    let report = Report {
        seed,
        ..judge(&program, &*options.engine.engine(Duration::from_secs(options.limit)), sets)?
    };
    if let Some(why) = &report.unexamined {
        println!("seed {seed}: not examined: {why}");
    }
    if let Some(exception) = &report.exception {
        std::fs::write(&file, text)?;
        let inputs = file.with_extension("json");
        std::fs::write(&inputs, serde_json::to_string_pretty(&inputs::witness(&exception.inputs))?)?;
        println!("seed {seed}: {exception}");
        println!("    see it: clew run --inputs {} {}", inputs.display(), file.display());
        println!(
            "    judge it: cargo xtask soundness --file {} --inputs {}",
            file.display(),
            inputs.display()
        );
    }
    Ok(report)
}

/// Judges a file; with the same inputs this is also what tells creduce whether a smaller program is interesting.
fn one_file(reader: &Reader, options: &Options, file: &Path) -> Result<bool> {
    let text = std::fs::read(file).with_context(|| file.display().to_string())?;
    let program = reader.program(file, text)?;
    let report = match &options.inputs {
        Some(inputs) => {
            let witness: Witness = serde_json::from_str(&std::fs::read_to_string(inputs)?)?;
            judge(
                &program,
                &*options.engine.engine(Duration::from_secs(options.limit)),
                std::iter::once(witness.bits()?),
            )?
        }
        None => {
            let sets = (0..options.runs).map(|run| inputs::set(*options.seeds.0.start(), run));
            judge(&program, &*options.engine.engine(Duration::from_secs(options.limit)), sets)?
        }
    };
    if let Some(exception) = &report.exception {
        println!("{exception}");
    }
    summary(std::slice::from_ref(&report), Duration::ZERO);
    Ok(report.exception.is_none())
}

/// What was looked at, so that a test that has become blind is seen.
fn summary(reports: &[Report], time: Duration) {
    let total = |count: fn(&Report) -> u64| reports.iter().map(count).sum::<u64>();
    let runs = total(|r| r.runs);
    println!(
        "{} programs with {} obligations, {} claimed safe; {runs} runs: {} ended in a finding, {} at the limit of \
         steps, {} were given up",
        reports.len(),
        total(|r| r.obligations),
        total(|r| r.claimed),
        total(|r| r.stopped),
        total(|r| r.limited),
        total(|r| r.given_up),
    );
    let mut checks: BTreeMap<&str, u64> = BTreeMap::new();
    for check in reports.iter().flat_map(|report| report.violations.values()) {
        *checks.entry(check.id()).or_default() += 1;
    }
    let violated: u64 = checks.values().sum();
    let checks: Vec<String> = checks.iter().map(|(check, count)| format!("{check} {count}")).collect();
    let states = total(|r| r.states);
    println!("{violated} violated obligations and {states} states at loop heads were compared");
    println!("violated: {}", checks.join(", "));
    let slowest =
        reports.iter().max_by_key(|r| r.analysis).map_or((0, Duration::ZERO), |r| (r.seed, r.analysis));
    println!(
        "{:.1} s; the slowest analysis, of seed {}, took {:.2} s",
        time.as_secs_f64(),
        slowest.0,
        slowest.1.as_secs_f64()
    );
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the referees `arguments`, `selection` and `mended` share: a random program is analysed by `clew check`, compiled
//! with sanitizers and run on many inputs, and what was claimed is compared with what the runs did.
//!
//! The compiled program and the sanitizers share nothing with clew, so that an error in its front end, its models and
//! its interpreter at once is seen too.

pub mod faulty;
pub mod report;
pub mod runs;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use anyhow::Result;
use clap::Args;

use crate::clew::target_folder;
use crate::csmith::{Seeds, parse_seeds};
use crate::jobs;

/// Seeds between two lines of progress.
const PROGRESS: usize = 250;

/// Flags of each of these commands.
#[derive(Args)]
pub struct Options {
    /// Seeds: `7`, `1..=30` or `1..31`.
    #[arg(long, default_value = "1..=200", value_parser = parse_seeds)]
    seeds: Seeds,
    /// Programs with an exception after which no more are judged.
    #[arg(long, default_value_t = 5)]
    most: usize,
    /// Only writes the programs.
    #[arg(long)]
    write: bool,
    /// Programs at once.
    #[arg(long, default_value_t = jobs::default_jobs())]
    jobs: usize,
}

/// What came of a program.
#[derive(Default)]
pub struct Judged {
    /// What must never happen, each with its evidence.
    pub exceptions: Vec<String>,
    /// What was looked at, so that a referee that has become blind is seen.
    pub counts: BTreeMap<&'static str, usize>,
}

impl Judged {
    /// Adds to a count.
    pub fn count(&mut self, what: &'static str, number: usize) {
        *self.counts.entry(what).or_default() += number;
    }
}

/// Writes and judges the program of each seed. `judge` gets its file.
pub fn judge_all(
    name: &str,
    options: &Options,
    program: impl Fn(u64) -> String + Sync,
    judge: impl Fn(u64, &Path) -> Result<Judged> + Sync,
) -> Result<bool> {
    let folder = target_folder().join(name);
    std::fs::create_dir_all(&folder)?;
    let seeds: Vec<u64> = options.seeds.0.clone().collect();
    let file = |seed: u64| -> PathBuf { folder.join(format!("{name}-{seed}.c")) };
    let (done, bad, start) = (AtomicUsize::new(0), AtomicUsize::new(0), Instant::now());
    let one = |seed: &u64| -> Result<Judged> {
        if bad.load(Ordering::Relaxed) >= options.most {
            return Ok(Judged::default());
        }
        let file = file(*seed);
        std::fs::write(&file, program(*seed))?;
        if options.write {
            return Ok(Judged::default());
        }
        let judged = judge(*seed, &file)?;
        if judged.exceptions.is_empty() {
            std::fs::remove_file(&file)?;
        }
        Ok(Judged { counts: [("programs", 1)].into_iter().chain(judged.counts).collect(), ..judged })
    };
    let shown = |seed: &u64, result: &Result<Judged>| {
        match result {
            Ok(judged) => judged.exceptions.iter().for_each(|exception| {
                println!("seed {seed}: EXCEPTION: {}: {exception}", file(*seed).display());
            }),
            Err(error) => println!("seed {seed}: FAILED: {error:#}"),
        }
        if result.as_ref().map_or(true, |judged| !judged.exceptions.is_empty()) {
            bad.fetch_add(1, Ordering::Relaxed);
        }
        let number = done.fetch_add(1, Ordering::Relaxed) + 1;
        if number % PROGRESS == 0 {
            println!("{number} of {} seeds, {:.0} s", seeds.len(), start.elapsed().as_secs_f64());
        }
    };
    let results = jobs::for_each(options.jobs, &seeds, one, shown);
    let mut sum = Judged::default();
    for judged in results.iter().flatten() {
        judged.counts.iter().for_each(|(what, number)| sum.count(what, *number));
    }
    let counts: Vec<String> = sum.counts.iter().map(|(what, number)| format!("{number} {what}")).collect();
    let bad = bad.into_inner();
    println!("{}; {:.0} s", counts.join(", "), start.elapsed().as_secs_f64());
    println!("{bad} programs with an exception; they are kept in {}", folder.display());
    Ok(bad == 0)
}

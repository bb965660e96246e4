// SPDX-License-Identifier: MIT OR Apache-2.0
//! The referee of `clew precision`: compiled kernels against gcc's binary128.
//!
//! A kernel is written in FPCore. clew bounds its C; gcc compiles the same C, and once more in binary128 for the reals.
//! Random inputs must never show an error above the bound. The only code shared with clew is the writer of the C.

mod driver;
mod random;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result};
use clap::Args;
use serde_json::Value;

use crate::clew::{Choice, Clew};

#[derive(Args)]
pub struct Options {
    /// FPCore files; without any, random kernels
    files: Vec<PathBuf>,
    /// Random kernels
    #[arg(long, default_value_t = 200)]
    kernels: u64,
    /// Inputs tried for each kernel
    #[arg(long, default_value_t = 100_000)]
    samples: u64,
    /// Where random kernels start
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Inputs are floats, rather than rounded reals
    #[arg(long)]
    exact: bool,
}

/// Kernels of one compiled program.
const BATCH: u64 = 50;

/// What the comparison came to.
#[derive(Default)]
struct Tally {
    bounded: u64,
    relative: u64,
    ulps: u64,
    unbounded: u64,
    refused: u64,
    unsound: Vec<String>,
    ratios: Vec<f64>,
}

pub fn run(clew: &Choice, options: &Options) -> Result<bool> {
    let clew = clew.program()?;
    let folder = tempfile::tempdir()?;
    let mut tally = Tally::default();
    let started = Instant::now();
    if options.files.is_empty() {
        let mut first = 0;
        while first < options.kernels {
            let count = BATCH.min(options.kernels - first);
            let text: String = (first..first + count).map(|n| random::kernel(options.seed + n)).collect();
            let path = folder.path().join("random.fpcore");
            std::fs::write(&path, text)?;
            judge(&clew, &path, folder.path(), options, &mut tally)?;
            first += count;
        }
    }
    for file in &options.files {
        judge(&clew, file, folder.path(), options, &mut tally)?;
    }
    tally.ratios.sort_by(f64::total_cmp);
    let median = tally.ratios.get(tally.ratios.len() / 2).copied().unwrap_or(f64::NAN);
    println!(
        "{} bounded ({} relatively, {} in ulps), {} without a bound, {} refused; median of bound over sampled error {median:.2}; {:.1} s",
        tally.bounded,
        tally.relative,
        tally.ulps,
        tally.unbounded,
        tally.refused,
        started.elapsed().as_secs_f64()
    );
    tally.unsound.iter().for_each(|what| println!("UNSOUND {what}"));
    Ok(tally.unsound.is_empty())
}

fn judge(clew: &Clew, file: &Path, folder: &Path, options: &Options, tally: &mut Tally) -> Result<()> {
    let kind = if options.exact { "exact" } else { "rounded" };
    let answer = Command::new(clew.path())
        .args(["precision", "--format", "json", "--no-search", "--effort", "1", "--inputs", kind])
        .arg(file)
        .output()?;
    let report: Value = serde_json::from_slice(&answer.stdout)
        .with_context(|| format!("{}: {}", file.display(), String::from_utf8_lossy(&answer.stderr)))?;
    let text = std::fs::read_to_string(file)?;
    let claims = driver::claims(&report, &text, tally)?;
    let errors = driver::sampled(&claims, &text, folder, options)?;
    for (claim, seen) in claims.iter().zip(errors) {
        tally.bounded += 1;
        tally.relative += u64::from(claim.relative.is_some());
        tally.ulps += u64::from(claim.ulps.is_some());
        let error = seen.absolute;
        // What is read from JSON may be an ulp off.
        let is_above =
            |seen: f64, bound: Option<f64>| bound.is_some_and(|bound| seen > bound * (1.0 + 4e-16));
        let checks = [
            ("absolute", error, Some(claim.bound), error > claim.bound + claim.slack),
            ("relative", seen.relative, claim.relative, is_above(seen.relative, claim.relative)),
            ("ulps", seen.ulps, claim.ulps, is_above(seen.ulps, claim.ulps)),
        ];
        for (measure, seen, bound, _) in checks.iter().filter(|(.., is_wrong)| *is_wrong) {
            let what = format!(
                "{}: {} {}: {measure} bound {:e}, sampled {seen:e}",
                file.display(),
                claim.function,
                claim.name,
                bound.unwrap_or(f64::INFINITY)
            );
            // Said at once as well: a long run may be cut short.
            println!("UNSOUND {what}");
            tally.unsound.push(what);
        }
        if error > 0.0 {
            tally.ratios.push(claim.bound / error);
        }
        println!(
            "{:<40} bound {:.4e}  sampled {error:.4e}",
            format!("{} {}", claim.function, claim.name),
            claim.bound
        );
    }
    Ok(())
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random fixed-point programs: no run may have an error beyond its bound, nor a value that does not fit where clew proved
//! that all do.
//!
//! The generators write each program three times: as C with doubles or integers for clew, in scaled integers for the machine, and in
//! long doubles for the reals. gcc runs the last two side by side on many inputs. Nothing of clew's arithmetic is used.

mod integer;
mod program;

use anyhow::{Context, Result, bail};
use clew_native::{Child, Compiler};
use serde_json::Value;

use crate::clew::Choice;

#[derive(clap::Args)]
pub struct Options {
    /// How many programs.
    #[arg(long, default_value_t = 1000)]
    programs: u64,
    /// The first seed.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Runs of each program.
    #[arg(long, default_value_t = 100_000)]
    runs: u64,
    /// What programs compute with.
    #[arg(long, default_value = "both")]
    kind: Kind,
    /// Print each program's bound and what its runs reach.
    #[arg(long)]
    verbose: bool,
}

/// Kinds of programs.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Kind {
    /// Doubles that become fixed point.
    Floats,
    /// Integers that stand for numbers.
    Integers,
    /// One of each in turn.
    Both,
}

/// What the judge found in one program.
#[derive(Default)]
struct Judged {
    bounded: bool,
    compared: usize,
    faults: Vec<String>,
    ratios: Vec<f64>,
}

/// Judges many programs.
pub fn run(clew: &Choice, options: &Options) -> Result<bool> {
    let clew = clew.program()?;
    let compiler = Compiler::find()?;
    let folder = tempfile::Builder::new().prefix("clew-fixed-").tempdir()?;
    let (mut bounded, mut compared, mut wrong, mut ratios) = (0, 0, 0, Vec::new());
    for seed in options.seed..options.seed + options.programs {
        let is_integer = match options.kind {
            Kind::Both => seed % 2 == 0,
            Kind::Integers => true,
            Kind::Floats => false,
        };
        let program = if is_integer { integer::program(seed) } else { program::program(seed) };
        let file = folder.path().join("program.c");
        std::fs::write(&file, &program.source)?;
        let name = file.to_string_lossy().into_owned();
        let ran = Child::new(clew.path())
            .args([
                "fixed",
                "--no-replay",
                "--format",
                "json",
                "--function",
                "entry",
                "--boxes",
                "60",
                "--runs",
                "200",
                &name,
            ])
            .time(std::time::Duration::from_secs(120))
            .run()?;
        let status = ran.status;
        let text = String::from_utf8_lossy(&ran.stdout).into_owned();
        let report: Value = serde_json::from_str(&text).with_context(|| {
            format!("seed {seed}: no report, {status}: {}\n{}", ran.stderr_text(), program.source)
        })?;
        let built = compiler.build_text(&program.referee, &["-O1", "-w", "-fwrapv"])?;
        let seen = built.child().arg(options.runs.to_string()).run()?;
        if !seen.success() {
            bail!("seed {seed}: the referee failed: {}\n{}", seen.stderr_text(), program.referee);
        }
        let judged = judge(&report, &String::from_utf8_lossy(&seen.stdout));
        bounded += u64::from(judged.bounded);
        compared += judged.compared;
        ratios.extend(judged.ratios.iter().copied());
        if options.verbose {
            let worst = judged.ratios.iter().copied().fold(1.0, f64::max);
            println!("seed {seed}: {} rows, bound over reached up to {worst:.2}", judged.compared);
        }
        if !judged.faults.is_empty() {
            wrong += 1;
            println!("seed {seed}:\n  {}\n{}", judged.faults.join("\n  "), program.source);
        }
    }
    ratios.sort_by(f64::total_cmp);
    let middle = ratios.get(ratios.len() / 2).copied().unwrap_or(1.0);
    println!(
        "{} programs, {bounded} with bounds, {compared} bounds compared, median bound over reached {middle:.2}, {wrong} wrong",
        options.programs
    );
    Ok(wrong == 0)
}

/// Compares a report with lines `error NAME VALUE` and `overflow LINE`.
fn judge(report: &Value, seen: &str) -> Judged {
    let analysis = &report["analysis"];
    let mut judged = Judged { bounded: analysis["no_bound"].is_null(), ..Judged::default() };
    if !judged.bounded {
        return judged;
    }
    let empty = Vec::new();
    let rows = analysis["rows"].as_array().unwrap_or(&empty);
    for line in seen.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["error", name, error] => {
                let error: f64 = error.parse().unwrap_or(f64::NAN);
                let row = rows.iter().find(|row| row["place"].is_null() && row["variable"] == name);
                let Some(row) = row.filter(|row| row["why"].is_null()) else { continue };
                judged.compared += 1;
                judge_row(&mut judged, row, name, error);
            }
            ["overflow", line] => {
                let overflows = analysis["overflows"].as_array().unwrap_or(&empty);
                let is_said = overflows.iter().any(|row| row["line"].as_u64() == line.parse().ok());
                if !is_said {
                    judged
                        .faults
                        .push(format!("a value on line {line} does not fit, and all were proved to"));
                }
            }
            _ => {}
        }
    }
    judged
}

fn judge_row(judged: &mut Judged, row: &Value, name: &str, error: f64) {
    let bound = row["bound"].as_f64().unwrap_or(f64::INFINITY);
    // The reals run in long doubles, and a root makes 3e-10 of their 1e-19 beside zero; formats have steps of 2^-8 and more.
    let slack = 2e-9;
    if error.is_nan() || error > bound + slack {
        judged.faults.push(format!("the error of {name} reaches {error}, beyond its bound {bound}"));
    }
    if error > 0.0 {
        judged.ratios.push(bound / error);
    }
    for by in row["by"].as_array().into_iter().flatten() {
        let (Some(low), Some(high)) = (by["error"]["low"].as_f64(), by["error"]["high"].as_f64()) else {
            continue;
        };
        let bound = low.abs().max(high.abs());
        if error > bound + slack {
            judged.faults.push(format!("the error of {name} reaches {error}, beyond {} {bound}", by["name"]));
        }
    }
}

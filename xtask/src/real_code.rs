// SPDX-License-Identifier: MIT OR Apache-2.0
//! Lowers and verifies every unit that the builds of real projects compile.
//!
//! Counts what must not happen (panics, errors, unsupported places) and measures speed: preprocessed lines a
//! second of one core, and the ratio to `gcc -fsyntax-only` on the same units.

use std::time::Duration;

use anyhow::Result;
use clap::Args;
use clew_native::{Child, Compiler, Limits};
use serde_json::Value;

use crate::clew::{Choice, Clew, crashed, first_line};
use crate::compile_log::CompileCommand;
use crate::jobs;
use crate::sources::Project;

/// Flags of the command.
#[derive(Args)]
pub struct Options {
    /// The projects; all of them when none is named.
    projects: Vec<Project>,
    /// Only fetches and builds them.
    #[arg(long)]
    fetch_only: bool,
    /// Units at once. Speed is processor time, so this does not change it much.
    #[arg(long, default_value_t = 1)]
    jobs: usize,
}

/// What came of one unit.
struct Unit {
    /// Non-blank lines after preprocessing, without line markers.
    lines: u64,
    clew: Duration,
    gcc: Duration,
    /// Why it was not lowered.
    trouble: Option<String>,
    unsupported: Vec<String>,
}

/// Runs the command.
pub fn run(choice: &Choice, options: &Options) -> Result<bool> {
    let projects = if options.projects.is_empty() { Project::ALL.to_vec() } else { options.projects.clone() };
    let mut rows = Vec::new();
    let mut good = true;
    for project in projects {
        let built = project.prepare()?;
        eprintln!("{}: {} units", project.name(), built.commands.len());
        if options.fetch_only {
            continue;
        }
        let clew = choice.program()?;
        let units = jobs::for_each(options.jobs, &built.commands, |command| one_unit(&clew, command), show);
        let units = units.into_iter().collect::<Result<Vec<_>>>()?;
        good &= units.iter().all(|unit| unit.trouble.is_none());
        rows.push(row(project, &units));
    }
    if !rows.is_empty() {
        println!(
            "| project | units | failed | unsupported places | lines | clew | lines/s | gcc | clew/gcc |"
        );
        println!("|---|---|---|---|---|---|---|---|---|");
        rows.iter().for_each(|row| println!("{row}"));
    }
    Ok(good)
}

fn one_unit(clew: &Clew, command: &CompileCommand) -> Result<Unit> {
    let flags = command.reading_flags();
    let gcc = Compiler::named("gcc");
    let mut preprocess = vec!["-E".to_owned(), "-P".to_owned(), "-w".to_owned()];
    preprocess.extend(flags.iter().cloned());
    preprocess.push(command.file.display().to_string());
    let text = Child::new(gcc.program())
        .args(&preprocess)
        .directory(&command.directory)
        .limits(Limits { output: 1 << 30, ..Limits::default() })
        .run()?;
    let lines = text.stdout.split(|b| *b == b'\n').filter(|line| !line.trim_ascii().is_empty()).count();
    let mut syntax = vec!["-fsyntax-only".to_owned(), "-w".to_owned()];
    syntax.extend(preprocess.iter().skip(3).cloned());
    let judged = gcc.run(&syntax, Some(&command.directory))?;
    let outcome = clew
        .child("check", Duration::from_secs(300))
        .args(["--format", "json"])
        .arg(&command.file)
        .args(["--", "-w"])
        .args(&flags)
        .directory(&command.directory)
        .limits(Limits { time: Duration::from_secs(300), output: 1 << 30, memory: None })
        .run()?;
    let report: Option<Value> = serde_json::from_slice(&outcome.stdout).ok();
    let trouble = crashed(&outcome).or_else(|| {
        let words = || format!("{}: {}", outcome.status, first_line(&outcome.stderr_text()));
        (!outcome.success() || report.is_none()).then(words)
    });
    Ok(Unit {
        lines: lines as u64,
        clew: outcome.cpu,
        gcc: judged.cpu,
        trouble,
        unsupported: report.as_ref().map(unsupported).unwrap_or_default(),
    })
}

/// The unsupported places of a report: open obligations for that reason, and assumptions that say so.
fn unsupported(report: &Value) -> Vec<String> {
    let says = |value: &Value| value.to_string().contains("unsupported");
    let obligations = report["obligations"].as_array().into_iter().flatten();
    let places = obligations
        .filter(|o| says(&o["reason"]))
        .map(|o| format!("{}:{}: {}", o["file"].as_str().unwrap_or("?"), o["line"], o["reason"]));
    let assumptions = report["assumptions"].as_array().into_iter().flatten();
    places.chain(assumptions.filter(|a| says(a)).map(Value::to_string)).collect()
}

fn show(command: &CompileCommand, unit: &Result<Unit>) {
    let name = command.file.display();
    match unit {
        Ok(unit) => {
            if let Some(trouble) = &unit.trouble {
                println!("{name}: {trouble}");
            }
            unit.unsupported.iter().for_each(|place| println!("{name}: {place}"));
        }
        Err(error) => println!("{name}: {error:#}"),
    }
}

fn row(project: Project, units: &[Unit]) -> String {
    let failed = units.iter().filter(|unit| unit.trouble.is_some()).count();
    let unsupported: usize = units.iter().map(|unit| unit.unsupported.len()).sum();
    let lines: u64 = units.iter().map(|unit| unit.lines).sum();
    let clew: f64 = units.iter().map(|unit| unit.clew.as_secs_f64()).sum();
    let gcc: f64 = units.iter().map(|unit| unit.gcc.as_secs_f64()).sum();
    format!(
        "| {} | {} | {failed} | {unsupported} | {lines} | {clew:.2} s | {:.0} | {gcc:.2} s | {:.2} |",
        project.name(),
        units.len(),
        lines as f64 / clew.max(0.01),
        clew / gcc.max(0.01),
    )
}

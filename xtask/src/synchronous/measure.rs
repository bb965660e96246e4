// SPDX-License-Identifier: MIT OR Apache-2.0
//! `cargo xtask bench synchronous`: how `clew check` grows with the size of such programs, and what it says of them.
//!
//! The clean program must run 10,000 random ticks under gcc's sanitizers without a report, and each planted bug, alone
//! in the clean program, must be the first report, at its line. Then `clew check` is timed on the clean program (its open
//! obligations are false alarms) and on one with all the bugs (each must be open at its line). Needs GNU time.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::Args;
use clew_native::sanitizer::read_reports;
use clew_native::{Child, Limits};
use serde_json::Value;

use super::blocks::BLOCKS;
use super::program::{Bug, Program, generate};
use super::write;
use crate::clew::{Choice, Clew, first_line, target_folder};
use crate::jobs;

const SANITIZERS: &str = "-fsanitize=address,undefined,float-cast-overflow,float-divide-by-zero";

/// How often the clock ticks at most, as `system.h` says.
const MOST_TICKS: &str = "36000000";

/// Flags of the command.
#[derive(Args)]
pub struct Options {
    /// Sizes in lines.
    #[arg(long, value_delimiter = ',', default_value = "1000,3000,10000,30000,100000")]
    lines: Vec<usize>,
    /// Another number, other programs.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Bugs to plant in each.
    #[arg(long, default_value_t = 10)]
    bugs: usize,
    /// Do not compile and run the programs.
    #[arg(long)]
    no_runs: bool,
    /// Compilations at once.
    #[arg(long, default_value_t = jobs::default_jobs())]
    jobs: usize,
    /// Seconds that one check may take.
    #[arg(long, default_value_t = 3600)]
    time: u64,
}

/// What came of one size.
struct Row {
    lines: usize,
    globals: usize,
    seconds: f64,
    megabytes: f64,
    obligations: usize,
    /// Open obligations of the clean program, by function and check.
    alarms: BTreeMap<(String, String), usize>,
    /// Bugs whose line has an open obligation of their check.
    alarmed: usize,
    bugs: usize,
}

/// Runs the command.
pub fn run(choice: &Choice, options: &Options) -> Result<bool> {
    let clew = choice.program()?;
    let folder = target_folder().join("synchronous");
    let mut good = true;
    let mut rows = Vec::new();
    println!(
        "| lines | globals | obligations | seconds | MB | alarms | bugs alarmed |\n|---|---|---|---|---|---|---|"
    );
    for &lines in &options.lines {
        let folder = folder.join(lines.to_string());
        let clean = generate(lines, options.seed);
        let bugs = clean.choose(options.bugs, options.seed);
        write(&clean, &[], &folder.join("clean"))?;
        if !options.no_runs {
            good &= runs_as_said(&clean, &bugs, &folder.join("clean"), options)?;
        }
        let row = check(&clew, options, lines, &clean, &bugs, &folder)?;
        println!(
            "| {} | {} | {} | {:.1} | {:.0} | {} | {} of {} |",
            row.lines,
            row.globals,
            row.obligations,
            row.seconds,
            row.megabytes,
            row.alarms.values().sum::<usize>(),
            row.alarmed,
            row.bugs
        );
        good &= row.alarmed == row.bugs;
        rows.push(row);
    }
    print_causes(&rows);
    let points: Vec<(f64, f64)> = rows.iter().map(|row| (row.lines as f64, row.seconds)).collect();
    if points.len() > 1 {
        println!("\ntime grows as lines^{:.2}", exponent(&points));
    }
    Ok(good)
}

/// The slope of the least-squares line through the logarithms.
fn exponent(points: &[(f64, f64)]) -> f64 {
    let logs: Vec<(f64, f64)> = points.iter().map(|(x, y)| (x.ln(), y.max(0.001).ln())).collect();
    let n = logs.len() as f64;
    let (mx, my) = (logs.iter().map(|p| p.0).sum::<f64>() / n, logs.iter().map(|p| p.1).sum::<f64>() / n);
    let over = logs.iter().map(|(x, y)| (x - mx) * (y - my)).sum::<f64>();
    over / logs.iter().map(|(x, _)| (x - mx) * (x - mx)).sum::<f64>()
}

/// False alarms of the largest program by cause.
fn print_causes(rows: &[Row]) {
    let Some(row) = rows.last() else { return };
    println!(
        "\n| operator | check | alarms in {} lines | the operator needs |\n|---|---|---|---|",
        row.lines
    );
    for ((operator, check), count) in &row.alarms {
        let needs = BLOCKS.iter().find(|block| block.name == operator).map_or("", |block| block.needs);
        println!("| {operator} | {check} | {count} | {needs} |");
    }
}

/// Whether the clean program runs clean and every bug is met by a run.
fn runs_as_said(clean: &Program, bugs: &[Bug], folder: &Path, options: &Options) -> Result<bool> {
    let mut sources: Vec<PathBuf> =
        clean.files.iter().filter(|f| f.name.ends_with(".c")).map(|f| folder.join(&f.name)).collect();
    sources.push(folder.join(&clean.simulation.name));
    let compiled = jobs::for_each(options.jobs, &sources, |source| compile(source), |_, _| ());
    let objects = compiled.into_iter().collect::<Result<Vec<_>>>()?;
    let program = folder.join("simulation");
    let (done, stderr) = link_and_run(&objects, &program)?;
    let mut good = done && stderr.is_empty();
    if !good {
        println!("the clean program of {} lines does not run clean: {}", clean.lines(), first_line(&stderr));
    }
    for bug in bugs {
        let file = &clean.files[bug.file];
        let mut lines = file.lines.clone();
        lines[bug.edit.0 - 1].clone_from(&bug.edit.1);
        let variant = folder.join(format!("bug_{}", file.name));
        std::fs::write(&variant, lines.join("\n") + "\n")?;
        let replaced = folder.join(&file.name).with_extension("o");
        let object = compile(&variant)?;
        let objects: Vec<PathBuf> =
            objects.iter().map(|o| if *o == replaced { object.clone() } else { o.clone() }).collect();
        let (_, stderr) = link_and_run(&objects, &program)?;
        let name = format!("bug_{}", file.name);
        let reports = read_reports(&stderr);
        let place = reports.first().and_then(|report| report.place_in(&name)).map(|at| at.line as usize);
        if place != Some(bug.line) {
            println!(
                "{}:{} ({}) is not met by a run: {}",
                file.name,
                bug.line,
                bug.check,
                first_line(&stderr)
            );
            good = false;
        }
        std::fs::remove_file(&variant)?;
        std::fs::remove_file(&object)?;
    }
    Ok(good)
}

fn compile(source: &Path) -> Result<PathBuf> {
    let object = source.with_extension("o");
    let flags = ["-O1", "-g", "-w", "-c", SANITIZERS, "-fno-sanitize-recover=all", "-fno-omit-frame-pointer"];
    let child = Child::new("gcc").args(flags).arg(source).arg("-o").arg(&object);
    let outcome = child.time(Duration::from_secs(300)).run()?;
    if !outcome.success() {
        bail!("{} does not compile: {}", source.display(), first_line(&outcome.stderr_text()));
    }
    Ok(object)
}

/// Whether the program came to its last tick, and what it wrote to standard error.
fn link_and_run(objects: &[PathBuf], program: &Path) -> Result<(bool, String)> {
    let linked = Child::new("gcc").arg(SANITIZERS).args(objects).arg("-o").arg(program);
    let linked = linked.time(Duration::from_secs(120)).run()?;
    if !linked.success() {
        bail!("the program does not link: {}", first_line(&linked.stderr_text()));
    }
    let limits = Limits { time: Duration::from_secs(1800), output: 1 << 20, memory: None };
    let outcome = Child::new(program).limits(limits).run()?;
    Ok((outcome.success() && outcome.stdout == b"done\n", outcome.stderr_text()))
}

/// Runs `clew check` on the clean program and on the one with bugs.
fn check(
    clew: &Clew,
    options: &Options,
    lines: usize,
    clean: &Program,
    bugs: &[Bug],
    folder: &Path,
) -> Result<Row> {
    let (report, seconds, megabytes) = report(clew, options, clean, &folder.join("clean"))?;
    let obligations = report["obligations"].as_array().context("a report without obligations")?;
    let mut alarms: BTreeMap<(String, String), usize> = BTreeMap::new();
    for open in obligations.iter().filter(|o| o["verdict"] == "open") {
        let function = operator(open["function"].as_str().unwrap_or_default());
        let check = open["check"].as_str().unwrap_or_default().to_owned();
        *alarms.entry((function.to_owned(), check)).or_default() += 1;
    }
    let mut buggy = generate(lines, options.seed);
    bugs.iter().for_each(|bug| buggy.plant(bug));
    write(&buggy, bugs, &folder.join("bugs"))?;
    let (with_bugs, ..) = self::report(clew, options, &buggy, &folder.join("bugs"))?;
    let alarmed = bugs.iter().filter(|bug| is_alarmed(&with_bugs, &buggy.files[bug.file].name, bug)).count();
    Ok(Row {
        lines: clean.lines(),
        globals: clean.globals,
        seconds,
        megabytes,
        obligations: obligations.len(),
        alarms,
        alarmed,
        bugs: bugs.len(),
    })
}

/// Whether there is an open obligation of the bug's check at its line. Anything else there is too little.
fn is_alarmed(report: &Value, file: &str, bug: &Bug) -> bool {
    let here = |o: &Value| {
        o["line"] == bug.line
            && o["check"] == *bug.check
            && o["file"].as_str().is_some_and(|f| f.ends_with(file))
    };
    let all = report["obligations"].as_array();
    let alarmed = all.is_some_and(|all| {
        all.iter().any(|o| here(o) && matches!(o["verdict"].as_str(), Some("open" | "violated")))
    });
    if !alarmed {
        println!("{file}:{} ({}) is not alarmed", bug.line, bug.check);
    }
    alarmed
}

/// The name of a function without the number of its block.
fn operator(function: &str) -> &str {
    let digit = function.find(|c: char| c.is_ascii_digit()).unwrap_or(function.len());
    function[..digit].trim_end_matches('_')
}

/// The report on a program, and the processor time and memory that it took.
fn report(clew: &Clew, options: &Options, program: &Program, folder: &Path) -> Result<(Value, f64, f64)> {
    let (json, usage) = (folder.join("report.json"), folder.join("usage.txt"));
    let sources = program.files.iter().chain([&program.inputs]).filter(|f| f.name.ends_with(".c"));
    let child = Child::new("time").args(["-f", "%U %S %M", "-o"]).arg(&usage).arg(clew.path());
    let child = child
        .args(["check", "--no-search", "--max-clock", MOST_TICKS, "--format", "json", "-o"])
        .arg(&json)
        .args(sources.map(|f| &f.name));
    let outcome = child.directory(folder).time(Duration::from_secs(options.time)).run()?;
    let text = std::fs::read_to_string(&json)
        .with_context(|| format!("{}: {}", outcome.status, first_line(&outcome.stderr_text())))?;
    let usage = std::fs::read_to_string(&usage).context("GNU time says nothing")?;
    let mut numbers = usage.lines().last().unwrap_or_default().split(' ').map(str::parse::<f64>);
    let (Some(Ok(user)), Some(Ok(system)), Some(Ok(kilobytes))) =
        (numbers.next(), numbers.next(), numbers.next())
    else {
        bail!("GNU time says {usage}");
    };
    Ok((serde_json::from_str(&text)?, user + system, kilobytes / 1024.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponent_of_a_power() {
        let points: Vec<(f64, f64)> =
            [1.0, 3.0, 10.0].iter().map(|x: &f64| (*x, 5.0 * x.powf(1.5))).collect();
        assert!((exponent(&points) - 1.5).abs() < 1e-9);
    }

    #[test]
    fn operators_are_functions_without_numbers() {
        assert_eq!(operator("filter_003_a02"), "filter");
        assert_eq!(operator("lag_step"), "lag_step");
    }
}

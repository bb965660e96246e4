// SPDX-License-Identifier: MIT OR Apache-2.0
//! Lowers and verifies every unit that the builds of real projects compile.
//!
//! Counts what must not happen (crashes, errors, faults that the verifier finds, unsupported places) and measures
//! speed: preprocessed lines a second of one core, and the ratio to `gcc -fsyntax-only` on the same units. Lines
//! are counted in what `gcc -E` writes, so that the measure owes nothing to clew's own counting: all of them, and
//! those with code (not blank, no line markers). Times are processor time of one thread of work, so that what else
//! the machine does matters little.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use clap::Args;
use clew_base::stack::try_with_large_stack;
use clew_frontend::{Command, DiskFiles, lower, parse_unit, read_project};
use clew_ir::syntax::{Program, StatementKind};
use clew_ir::verify::verify;
use clew_native::{Child, Limits};
use rustix::time::{ClockId, clock_gettime};

use crate::clew::first_line;
use crate::compile_log::CompileCommand;
use crate::sources::{Project, work_folder};

/// Flags of the command.
#[derive(Args)]
pub struct Options {
    /// The projects; all of them when none is named.
    projects: Vec<Project>,
    /// Only fetches and builds them.
    #[arg(long)]
    fetch_only: bool,
}

/// What came of one unit.
#[derive(Default)]
struct Unit {
    /// Reading it: preprocessing, parsing, types.
    read: Duration,
    /// Lowering it to IR.
    lower: Duration,
    /// Verifying the IR.
    verify: Duration,
    /// Obligations made.
    obligations: usize,
    /// Why it was not lowered, or what is wrong with the IR.
    trouble: Vec<String>,
    unsupported: Vec<String>,
}

/// Runs the command.
pub fn run(options: &Options) -> Result<bool> {
    let projects = if options.projects.is_empty() { Project::ALL.to_vec() } else { options.projects.clone() };
    let mut rows: Vec<Row> = Vec::new();
    let mut good = true;
    for project in projects {
        let built = project.prepare()?;
        eprintln!("{}: {} units", project.name(), built.commands.len());
        if options.fetch_only {
            continue;
        }
        let files = DiskFiles::new();
        let read = read_project(&built.folder, &files).map_err(|error| anyhow!("{error}"))?;
        let units: Vec<Unit> = read.commands.iter().map(|command| one_unit(command, &files)).collect();
        for (command, unit) in read.commands.iter().zip(&units) {
            let name = command.file.display();
            unit.trouble.iter().for_each(|trouble| println!("{name}: {trouble}"));
            unit.unsupported.iter().for_each(|place| println!("{name}: unsupported: {place}"));
        }
        good &= units.iter().all(|unit| unit.trouble.is_empty());
        rows.push(Row::new(project, &units, &built.commands)?);
    }
    if !rows.is_empty() {
        println!(
            "| project | units | failed | unsupported | obligations | lines | code lines | read | lower | verify | \
             lines/s | code lines/s | gcc | clew/gcc |"
        );
        println!("|---|---|---|---|---|---|---|---|---|---|---|---|---|---|");
        let all = rows.iter().fold(Row { name: "all", ..Row::default() }, Row::plus);
        rows.iter().chain([&all]).for_each(|row| println!("{row}"));
    }
    Ok(good)
}

/// Processor time of this whole process so far: only one thread of it works.
fn processor_time() -> Duration {
    let now = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(now.tv_sec.unsigned_abs(), u32::try_from(now.tv_nsec).unwrap_or(0))
}

fn one_unit(command: &Command, files: &DiskFiles) -> Unit {
    // Lowering recurses as deeply as the program nests, and a crash is a result here.
    let work = || catch_unwind(AssertUnwindSafe(|| measured(command, files)));
    match try_with_large_stack(work) {
        Some(Ok(unit)) => unit,
        _ => Unit { trouble: vec!["crash".into()], ..Unit::default() },
    }
}

fn measured(command: &Command, files: &DiskFiles) -> Unit {
    let start = processor_time();
    let unit = match parse_unit(command, files) {
        Ok(unit) => unit,
        Err(errors) => {
            let trouble = vec![first_line(&errors.to_string())];
            return Unit { trouble, read: processor_time() - start, ..Unit::default() };
        }
    };
    let read = processor_time();
    let program = lower::lower(&unit);
    let lowered = processor_time();
    let faults = verify(&program);
    let verified = processor_time();
    Unit {
        read: read - start,
        lower: lowered - read,
        verify: verified - lowered,
        obligations: program
            .functions
            .iter()
            .filter_map(|f| f.body.as_ref())
            .map(|b| b.obligations.len())
            .sum(),
        trouble: faults.iter().take(5).map(|fault| format!("verifier: {fault}")).collect(),
        unsupported: unsupported(&program),
    }
}

/// Every place that clew does not support, with what it is.
fn unsupported(program: &Program) -> Vec<String> {
    let mut places: Vec<String> = program
        .unsupported
        .iter()
        .map(|place| format!("{} at {}", place.what, program.sources.place(place.span)))
        .collect();
    for body in program.functions.iter().filter_map(|function| function.body.as_ref()) {
        for statement in body.blocks.iter().flat_map(|block| &block.statements) {
            if let StatementKind::Unsupported { what } = &statement.kind {
                places.push(format!("{what} at {}", program.sources.place(statement.span)));
            }
        }
    }
    places
}

/// One line of the table: the sums of a project.
#[derive(Clone, Copy, Default)]
struct Row {
    name: &'static str,
    units: usize,
    failed: usize,
    unsupported: usize,
    obligations: usize,
    lines: u64,
    code: u64,
    read: Duration,
    lower: Duration,
    verify: Duration,
    gcc: Duration,
}

impl Row {
    fn new(project: Project, units: &[Unit], commands: &[CompileCommand]) -> Result<Row> {
        let lines = preprocessed_lines(commands)?;
        Ok(Row {
            name: project.name(),
            units: units.len(),
            failed: units.iter().filter(|unit| !unit.trouble.is_empty()).count(),
            unsupported: units.iter().map(|unit| unit.unsupported.len()).sum(),
            obligations: units.iter().map(|unit| unit.obligations).sum(),
            lines: lines.all,
            code: lines.code,
            read: units.iter().map(|unit| unit.read).sum(),
            lower: units.iter().map(|unit| unit.lower).sum(),
            verify: units.iter().map(|unit| unit.verify).sum(),
            gcc: syntax_time(project, commands)?,
        })
    }

    fn plus(self, other: &Row) -> Row {
        Row {
            name: self.name,
            units: self.units + other.units,
            failed: self.failed + other.failed,
            unsupported: self.unsupported + other.unsupported,
            obligations: self.obligations + other.obligations,
            lines: self.lines + other.lines,
            code: self.code + other.code,
            read: self.read + other.read,
            lower: self.lower + other.lower,
            verify: self.verify + other.verify,
            gcc: self.gcc + other.gcc,
        }
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Row { name, units, failed, unsupported, obligations, lines, code, .. } = self;
        let [read, lower, verify, gcc] =
            [self.read, self.lower, self.verify, self.gcc].map(|time| time.as_secs_f64());
        let all = (read + lower + verify).max(0.001);
        write!(f, "| {name} | {units} | {failed} | {unsupported} | {obligations} | {lines} | {code} ")?;
        write!(f, "| {read:.2} s | {lower:.2} s | {verify:.2} s ")?;
        write!(
            f,
            "| {:.0} | {:.0} | {gcc:.2} s | {:.2} |",
            *lines as f64 / all,
            *code as f64 / all,
            all / gcc.max(0.001)
        )
    }
}

/// Lines of preprocessed units.
struct Lines {
    all: u64,
    code: u64,
}

fn preprocessed_lines(commands: &[CompileCommand]) -> Result<Lines> {
    let mut lines = Lines { all: 0, code: 0 };
    for command in commands {
        let outcome = Child::new("gcc")
            .args(["-E", "-w"])
            .args(command.reading_flags())
            .arg(&command.file)
            .directory(&command.directory)
            .limits(Limits { output: 1 << 30, time: Duration::from_secs(60), memory: None })
            .run()?;
        for line in outcome.stdout.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii) {
            lines.all += 1;
            lines.code += u64::from(!line.is_empty() && !line.starts_with(b"#"));
        }
    }
    Ok(lines)
}

/// Processor time of `gcc -fsyntax-only` for all units. One script runs them all: the kernel's clock is too coarse
/// for a single one.
fn syntax_time(project: Project, commands: &[CompileCommand]) -> Result<Duration> {
    let mut script = String::from("set -e\n");
    let quote = |text: &str| format!("'{}'", text.replace('\'', "'\\''"));
    let quote_path = |path: &Path| quote(&path.display().to_string());
    for command in commands {
        let flags: Vec<String> = command.reading_flags().iter().map(|flag| quote(flag)).collect();
        script.push_str(&format!("cd {}\n", quote_path(&command.directory)));
        script.push_str(&format!("gcc -fsyntax-only -w {} {}\n", flags.join(" "), quote_path(&command.file)));
    }
    let file = work_folder().join("log").join(format!("{}-syntax.sh", project.name()));
    std::fs::write(&file, script)?;
    let outcome = Child::new("sh").arg(&file).time(Duration::from_secs(900)).run()?;
    outcome.success().then_some(outcome.cpu).with_context(|| format!("gcc: {}", outcome.stderr_text()))
}

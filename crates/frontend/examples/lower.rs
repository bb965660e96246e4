// SPDX-License-Identifier: MIT OR Apache-2.0
//! Lowers C files under compiler flags, verifies the result and prints the rate; with `--print`, the IR too, with `--emit`, C.
//! `cargo run --release --example lower -- [--print] -Iinclude a.c b.c`, or `-p BUILD` for a project.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clew_frontend::{Command, CommandLine, DiskFiles, lower, parse_unit, read_project};
use clew_ir::syntax::{Program, StatementKind};

fn main() -> ExitCode {
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    let option = args.first().filter(|a| ["--print", "--emit"].contains(&a.as_str())).cloned();
    if option.is_some() {
        args.remove(0);
    }
    let files = DiskFiles::new();
    let commands = match commands(&args, &files) {
        Ok(commands) => commands,
        Err(message) => {
            eprintln!("{message}");
            return ExitCode::from(2);
        }
    };
    let mut total = Total::default();
    for command in &commands {
        total.add(command, &files, option.as_deref());
    }
    total.report(commands.len());
    ExitCode::from(if total.failed > 0 || total.faults > 0 { 2 } else { 0 })
}

#[derive(Default)]
struct Total {
    lines: u64,
    failed: u64,
    faults: usize,
    obligations: usize,
    unsupported: BTreeMap<String, usize>,
    reading: Duration,
    lowering: Duration,
    verifying: Duration,
}

impl Total {
    fn add(&mut self, command: &Command, files: &DiskFiles, option: Option<&str>) {
        let start = Instant::now();
        let unit = match parse_unit(command, files) {
            Ok(unit) => unit,
            Err(errors) => {
                println!("{}: {errors}", command.file.display());
                self.failed += 1;
                return;
            }
        };
        self.reading += start.elapsed();
        self.lines += unit.lines();
        let start = Instant::now();
        let program = lower::lower(&unit);
        self.lowering += start.elapsed();
        let start = Instant::now();
        let faults = clew_ir::verify::verify(&program);
        self.verifying += start.elapsed();
        for fault in faults.iter().take(10) {
            println!("{}: {fault}", command.file.display());
        }
        self.faults += faults.len();
        self.count(&program);
        match option {
            Some("--print") => print!("{}", clew_ir::text::print(&program)),
            Some("--emit") => print!("{}", clew_ir::emit_c::emit_c(&program, Default::default()).text),
            _ => {}
        }
    }

    fn count(&mut self, program: &Program) {
        for place in &program.unsupported {
            *self.unsupported.entry(place.what.to_string()).or_default() += 1;
        }
        for body in program.functions.iter().filter_map(|f| f.body.as_ref()) {
            self.obligations += body.obligations.len();
            for statement in body.blocks.iter().flat_map(|b| &b.statements) {
                if let StatementKind::Unsupported { what } = &statement.kind {
                    let at = format!("{what} at {}", program.sources.place(statement.span));
                    *self.unsupported.entry(at).or_default() += 1;
                }
            }
        }
    }

    fn report(&self, files: usize) {
        for (what, count) in &self.unsupported {
            eprintln!("unsupported: {what} ({count})");
        }
        let all = self.reading + self.lowering + self.verifying;
        eprintln!(
            "{files} files, {} failed, {} faults, {} obligations, {} lines; read {:.2?}, lower {:.2?}, verify {:.2?}; {:.0} lines/s",
            self.failed,
            self.faults,
            self.obligations,
            self.lines,
            self.reading,
            self.lowering,
            self.verifying,
            self.lines as f64 / all.as_secs_f64()
        );
    }
}

fn commands(args: &[String], files: &DiskFiles) -> Result<Vec<Command>, String> {
    if let [flag, folder] = args
        && flag == "-p"
    {
        return read_project(Path::new(folder), files).map(|p| p.commands).map_err(|e| e.to_string());
    }
    let line = CommandLine::parse(args, None, files)
        .map_err(|errors| errors.into_iter().map(|e| e.message).collect::<Vec<_>>().join("\n"))?;
    Ok(line.commands())
}

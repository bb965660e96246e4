// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reads C files under compiler flags and prints their messages and the rate: the quickest look at the front
//! end. `cargo run --release --example parse -- -Iinclude a.c b.c`, or `-p BUILD` for a project.

use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use clew_frontend::{Command, CommandLine, DiskFiles, parse_unit, read_project};

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let files = DiskFiles::new();
    let commands = match commands(&args, &files) {
        Ok(commands) => commands,
        Err(message) => {
            eprintln!("{message}");
            return ExitCode::from(2);
        }
    };
    let (mut lines, mut failed) = (0, 0);
    let start = Instant::now();
    for command in &commands {
        match read(command, &files) {
            Some(read) => lines += read,
            None => failed += 1,
        }
    }
    let rate = lines as f64 / start.elapsed().as_secs_f64();
    println!("{} files, {failed} failed, {lines} lines, {rate:.0} lines/s", commands.len());
    ExitCode::from(if failed > 0 { 2 } else { 0 })
}

fn commands(args: &[String], files: &DiskFiles) -> Result<Vec<Command>, String> {
    if let [flag, folder] = args
        && flag == "-p"
    {
        let project = read_project(Path::new(folder), files).map_err(|e| e.to_string())?;
        for skipped in &project.skipped {
            println!("{}: skipped: {}", skipped.file.display(), skipped.reason);
        }
        return Ok(project.commands);
    }
    let line = CommandLine::parse(args, None, files)
        .map_err(|errors| errors.into_iter().map(|e| e.message).collect::<Vec<_>>().join("\n"))?;
    Ok(line.commands())
}

fn read(command: &Command, files: &DiskFiles) -> Option<u64> {
    let start = Instant::now();
    let result = parse_unit(command, files);
    let seconds = start.elapsed().as_secs_f64();
    match result {
        Ok(unit) => {
            let map = unit.source_map();
            for warning in &unit.warnings {
                println!("{}", warning.display(&map));
            }
            let rate = unit.lines() as f64 / seconds;
            println!("{}: {} lines, {seconds:.3} s, {rate:.0} lines/s", unit.file.display(), unit.lines());
            Some(unit.lines())
        }
        Err(failure) => {
            println!("{failure}");
            None
        }
    }
}

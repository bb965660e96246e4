// SPDX-License-Identifier: MIT OR Apache-2.0
//! Lets the system compiler judge the types and layouts of C files: `judge [flags] a.c b.c`, or `-p BUILD`.
//!
//! For each file, the judges are compiled with `-fsyntax-only` under the file's own flags; what the compiler
//! says is a disagreement.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command as Process, ExitCode, Stdio};

use clew_frontend::dwarf::Dwarf;
use clew_frontend::judge::{Judgement, preprocessed, type_judge};
use clew_frontend::layout::{RecordLayout, layout_judge, layouts};
use clew_frontend::{
    Command, CommandLine, DiskFiles, parse_unit_with_tokens, read_project, with_large_stack,
};

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
    let mut disagreements = 0;
    for command in &commands {
        let judged = with_large_stack(|| {
            let unit = parse_unit_with_tokens(command, &files).map_err(|e| e.to_string())?;
            let judges = [("types", type_judge(&unit)), ("layout", layout_judge(&unit))];
            Ok::<_, String>((judges, preprocessed(&unit), layouts(&unit)))
        });
        match judged {
            Some(Ok((judges, program, records))) => {
                disagreements +=
                    judges.iter().map(|(what, judge)| report(command, what, judge)).sum::<usize>();
                disagreements += compare(command, &program, &records);
            }
            Some(Err(message)) => println!("{message}"),
            None => println!("{}: the judge failed", command.file.display()),
        }
    }
    println!("{} files, {disagreements} disagreements", commands.len());
    ExitCode::from(u8::from(disagreements > 0))
}

fn commands(args: &[String], files: &DiskFiles) -> Result<Vec<Command>, String> {
    if let [flag, folder] = args
        && flag == "-p"
    {
        return Ok(read_project(Path::new(folder), files).map_err(|e| e.to_string())?.commands);
    }
    let line = CommandLine::parse(args, None, files)
        .map_err(|errors| errors.into_iter().map(|e| e.message).collect::<Vec<_>>().join("\n"))?;
    Ok(line.commands())
}

/// Compiles a judgement and prints what the compiler disagrees with.
fn report(command: &Command, what: &str, judgement: &Judgement) -> usize {
    let errors = compile(command, &["-fsyntax-only"], &judgement.source);
    let skipped: usize = judgement.skipped.values().sum();
    println!(
        "{}: {what}: {} asserted, {skipped} skipped, {} disagreements",
        command.file.display(),
        judgement.asserted,
        errors.len()
    );
    for (why, count) in &judgement.skipped {
        println!("    {count} skipped: {why}");
    }
    for error in errors.iter().take(20) {
        println!("    {error}");
    }
    errors.len()
}

/// Compares the layouts with the compiler's debug information.
fn compare(command: &Command, program: &[u8], records: &[RecordLayout]) -> usize {
    let object = std::env::temp_dir().join(format!("clew-judge-{}.o", std::process::id()));
    let name = object.display().to_string();
    let flags = ["-g", "-fno-eliminate-unused-debug-types", "-c", "-o", &name];
    let errors = compile(command, &flags, program);
    let dump = Process::new("readelf").arg("--debug-dump=info").arg(&object).output();
    drop(std::fs::remove_file(&object));
    let Some(dump) = dump.ok().filter(|_| errors.is_empty()) else {
        println!("{}: no debug information", command.file.display());
        return 0;
    };
    let result = Dwarf::parse(&String::from_utf8_lossy(&dump.stdout)).compare(records);
    println!(
        "{}: debug information: {} records, {} members, {} bit-fields compared, {} records missing, {} differences",
        command.file.display(),
        result.compared,
        result.members,
        result.bit_fields,
        result.missing.len(),
        result.differences.len()
    );
    for record in result.missing.iter().take(5) {
        println!("    missing: {record}");
    }
    for difference in result.differences.iter().take(20) {
        println!("    {difference}");
    }
    result.differences.len()
}

fn compile(command: &Command, flags: &[&str], source: &[u8]) -> Vec<String> {
    let child = Process::new(&command.compiler)
        .args(&command.probe_flags)
        .args(["-w", "-fmax-errors=0", "-x", "cpp-output"])
        .args(flags)
        .arg("-")
        .env("LC_ALL", "C")
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .stdout(Stdio::null())
        .spawn();
    let Ok(mut child) = child else { return vec![format!("{} cannot be run", command.compiler)] };
    let Some(mut input) = child.stdin.take() else { return vec!["no pipe".to_owned()] };
    // The compiler may stop reading; its messages say why.
    let written = input.write_all(source);
    drop(input);
    let Ok(output) = child.wait_with_output() else { return vec!["the compiler did not end".to_owned()] };
    let log = String::from_utf8_lossy(&output.stderr);
    let mut errors: Vec<String> = log.lines().filter(|l| l.contains("error:")).map(str::to_owned).collect();
    if errors.is_empty() && (written.is_err() || !output.status.success()) {
        errors.push(log.lines().next().unwrap_or("the compiler failed").to_owned());
    }
    errors
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random expressions must be evaluated in one order under `clew run` and gcc -O0.
//!
//! C leaves the order open where the programs here look: calls that change what other operands read, operands that gcc
//! folds to plain variables, all kinds of statements. clew says that it follows gcc, and this is where it is held to it.

mod generator;

use std::path::Path;
use std::time::Duration;

use anyhow::Result;
use clap::Args;
use clew_native::{BuildError, Compiler};

use crate::clew::{Choice, Clew, first_line, target_folder};
use crate::csmith::{Seeds, parse_seeds};
use crate::jobs;

/// Flags of the command.
#[derive(Args)]
pub struct Options {
    /// Seeds: `7`, `1..=30` or `1..31`.
    #[arg(long, default_value = "1..=500", value_parser = parse_seeds)]
    seeds: Seeds,
    /// Programs at once.
    #[arg(long, default_value_t = jobs::default_jobs())]
    jobs: usize,
}

enum Verdict {
    Same,
    Skipped(String),
    Different(String),
}

/// Runs the command.
pub fn run(choice: &Choice, options: &Options) -> Result<bool> {
    let clew = choice.program()?;
    let folder = target_folder().join("order");
    std::fs::create_dir_all(&folder)?;
    let seeds: Vec<u64> = options.seeds.0.clone().collect();
    let results = jobs::for_each(
        options.jobs,
        &seeds,
        |&seed| one(&clew, seed, &folder),
        |seed, result| match result {
            Ok(Verdict::Same) => {}
            Ok(Verdict::Skipped(why)) => println!("seed {seed}: skipped: {why}"),
            Ok(Verdict::Different(how)) => println!("seed {seed}: DIFFERENT: {how}"),
            Err(error) => println!("seed {seed}: FAILED: {error:#}"),
        },
    );
    let same = results.iter().filter(|r| matches!(r, Ok(Verdict::Same))).count();
    let skipped = results.iter().filter(|r| matches!(r, Ok(Verdict::Skipped(_)))).count();
    let different = results.len() - same - skipped;
    if different > 0 {
        println!("their programs are kept in {}", folder.display());
    }
    println!("{same} the same, {different} different, {skipped} skipped");
    Ok(different == 0)
}

fn one(clew: &Clew, seed: u64, folder: &Path) -> Result<Verdict> {
    let file = folder.join(format!("order-{seed}.c"));
    std::fs::write(&file, generator::program(seed))?;
    let verdict = judge(clew, &file)?;
    if !matches!(verdict, Verdict::Different(_)) {
        std::fs::remove_file(&file)?;
    }
    Ok(verdict)
}

fn judge(clew: &Clew, file: &Path) -> Result<Verdict> {
    let program = match Compiler::find()?.build(&[file], &["-O0", "-w"], &[]) {
        Ok(program) => program,
        Err(BuildError::Rejected { message, .. }) => {
            let error = message.lines().find(|line| line.contains("error:")).unwrap_or(&message);
            return Ok(Verdict::Skipped(first_line(error)));
        }
        Err(error) => return Err(error.into()),
    };
    let native = program.child().time(Duration::from_secs(10)).run()?;
    let ours = clew.child("run", Duration::from_secs(60)).arg(file).args(["--", "-w"]).run()?;
    if ours.stdout == native.stdout && ours.status == native.status {
        return Ok(Verdict::Same);
    }
    if let Some(error) = ours.stderr_text().lines().find(|line| line.starts_with("error")) {
        return Ok(Verdict::Skipped(first_line(error)));
    }
    let text = |outcome: &clew_native::Outcome| String::from_utf8_lossy(&outcome.stdout).into_owned();
    let (theirs, said) = (text(&native), text(&ours));
    let line = theirs.lines().zip(said.lines()).find(|(a, b)| a != b);
    Ok(Verdict::Different(match line {
        Some((native, here)) => format!("`{native}` natively, `{here}` here"),
        None => {
            format!("{} natively, {} here: {}", native.status, ours.status, first_line(&ours.stderr_text()))
        }
    }))
}

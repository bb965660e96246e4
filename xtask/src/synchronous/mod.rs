// SPDX-License-Identifier: MIT OR Apache-2.0
//! Programs like those of paper 004, section 4: a periodic loop over ranged inputs, made of filters, limiters, counters,
//! tables and small state machines, with as many globals as the size asks for.
//!
//! The clean program has no error in any run; `--bugs` plants some that a run meets, at lines that `bugs.csv` lists.
//! `main.c`, `module_*.c`, `operators.c` and `inputs.c` are for verifiers; `simulation.c` takes the place of `inputs.c`
//! in a program that draws its inputs at random and ends after 10,000 ticks.

mod blocks;
mod library;
pub mod measure;
mod program;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Args;

use program::{Bug, Program};

/// Flags of the command.
#[derive(Args)]
pub struct Options {
    /// About how many lines.
    #[arg(long, default_value_t = 10_000)]
    lines: usize,
    /// Another number, another program.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many bugs to plant.
    #[arg(long, default_value_t = 0)]
    bugs: usize,
    /// The folder to write to.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

/// Runs the command.
pub fn run(options: &Options) -> Result<bool> {
    let mut program = program::generate(options.lines, options.seed);
    let bugs = program.choose(options.bugs, options.seed);
    bugs.iter().for_each(|bug| program.plant(bug));
    write(&program, &bugs, &options.out)?;
    println!("{} lines, {} globals, {} bugs", program.lines(), program.globals, bugs.len());
    Ok(true)
}

/// Writes a program and the list of its bugs.
fn write(program: &Program, bugs: &[Bug], folder: &Path) -> Result<()> {
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    for file in program.files.iter().chain([&program.inputs, &program.simulation]) {
        std::fs::write(folder.join(&file.name), file.text())?;
    }
    let mut list = "file,line,check\n".to_owned();
    for bug in bugs {
        list += &format!("{},{},{}\n", program.files[bug.file].name, bug.line, bug.check);
    }
    std::fs::write(folder.join("bugs.csv"), list)?;
    Ok(())
}

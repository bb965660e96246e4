// SPDX-License-Identifier: MIT OR Apache-2.0
//! Measures speed side by side with gcc.
//!
//! `loops`: processor time of the interpreter against the program that `gcc -O0` makes. `startup`: how long a
//! one-line program takes, with the files clew reads in the page cache (warm) and, where the kernel lets us drop
//! them, without (cold). Both print a Markdown table, which is what the recorded runs in `bench/` are.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::{Args, Subcommand};
use clew_native::{Child, Compiler, Outcome};

use crate::clew::{Choice, Clew, first_line, root};

/// The loops, each one kind of work.
const LOOPS: [&str; 4] = ["integer", "float", "memory", "calls"];

/// Flags of the command.
#[derive(Args)]
pub struct Options {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Interpreter against `gcc -O0` on four loops.
    Loops {
        /// Runs of each program; the fastest counts.
        #[arg(long, default_value_t = 3)]
        runs: u32,
        /// The ratio that no loop may pass.
        #[arg(long, default_value_t = 80.0)]
        limit: f64,
    },
    /// A one-line program, warm and cold.
    Startup {
        /// Runs; the median counts.
        #[arg(long, default_value_t = 21)]
        runs: u32,
    },
    /// `clew check` on synchronous programs of growing size.
    Synchronous(crate::synchronous::measure::Options),
}

/// Runs the command.
pub fn run(choice: &Choice, options: &Options) -> Result<bool> {
    let clew = choice.program()?;
    match &options.what {
        What::Loops { runs, limit } => loops(&clew, *runs, *limit),
        What::Startup { runs } => startup(&clew, *runs),
        What::Synchronous(options) => crate::synchronous::measure::run(choice, options),
    }
}

fn loops(clew: &Clew, runs: u32, limit: f64) -> Result<bool> {
    let compiler = Compiler::find()?;
    let mut good = true;
    println!("| loop | gcc -O0 | clew run | ratio |\n|---|---|---|---|");
    for name in LOOPS {
        let file = root().join("bench/loops").join(name).with_extension("c");
        let program = compiler.build(&[&file], &["-O0", "-w"], &[])?;
        let native = fastest(runs, || Ok(program.child().time(Duration::from_secs(60)).run()?))?;
        let ours = fastest(runs, || Ok(clew.child("run", Duration::from_secs(600)).arg(&file).run()?))?;
        if native.stdout != ours.stdout {
            println!("| {name} | | {}: {} | |", ours.status, first_line(&ours.stderr_text()));
            good = false;
            continue;
        }
        let ratio = ours.cpu.as_secs_f64() / native.cpu.as_secs_f64().max(0.001);
        let (native, ours) = (native.cpu.as_secs_f64(), ours.cpu.as_secs_f64());
        println!("| {name} | {native:.2} s | {ours:.2} s | {ratio:.1} |");
        good &= ratio <= limit;
    }
    Ok(good)
}

/// The run with the least processor time.
fn fastest(runs: u32, run: impl Fn() -> Result<Outcome>) -> Result<Outcome> {
    let mut best: Option<Outcome> = None;
    for _ in 0..runs.max(1) {
        let outcome = run()?;
        if best.as_ref().is_none_or(|best| outcome.cpu < best.cpu) {
            best = Some(outcome);
        }
    }
    best.context("no run")
}

fn startup(clew: &Clew, runs: u32) -> Result<bool> {
    let file = root().join("bench/startup/hello.c");
    let once = |clear: bool| -> Result<Duration> {
        if clear {
            forget(clew, &file)?;
        }
        let start = std::time::Instant::now();
        let output = std::process::Command::new(clew.path()).arg("run").arg(&file).output()?;
        let wall = start.elapsed();
        if !output.status.success() || output.stdout != b"hello, world\n" {
            bail!("hello.c does not run: {}", String::from_utf8_lossy(&output.stderr));
        }
        Ok(wall)
    };
    once(false)?;
    let warm = median(runs, || once(false))?;
    let cold = median(runs.min(5), || once(true))?;
    println!("| one-line program | median | limit |\n|---|---|---|");
    println!("| warm | {:.1} ms | 30 ms |", warm.as_secs_f64() * 1e3);
    println!("| cold | {:.1} ms | 150 ms |", cold.as_secs_f64() * 1e3);
    Ok(warm < Duration::from_millis(30) && cold < Duration::from_millis(150))
}

fn median(runs: u32, run: impl Fn() -> Result<Duration>) -> Result<Duration> {
    let mut times = (0..runs.max(1)).map(|_| run()).collect::<Result<Vec<_>>>()?;
    times.sort();
    Ok(times[times.len() / 2])
}

/// Makes the next run a cold one: clew's own caches are removed, and the kernel is asked to drop the files that
/// the run reads from its page cache.
fn forget(clew: &Clew, file: &Path) -> Result<()> {
    for folder in cache_folders() {
        if folder.exists() {
            std::fs::remove_dir_all(&folder)?;
        }
    }
    for path in [clew.path(), file] {
        let input = format!("if={}", path.display());
        // `nocache` with `count=0` advises the kernel to forget the whole file.
        Child::new("dd").args([&input, "iflag=nocache", "count=0"]).run()?;
    }
    Ok(())
}

/// Where clew keeps what it asked the compiler.
fn cache_folders() -> Vec<PathBuf> {
    let home = std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache"));
    let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from).or(home);
    cache.into_iter().map(|folder| folder.join("clew")).collect()
}

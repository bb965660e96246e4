// SPDX-License-Identifier: MIT OR Apache-2.0
//! Makes a failing program small with creduce.
//!
//! creduce asks a script whether a smaller program is still interesting. Ours is: gcc takes it and it ends, the
//! sanitizers find nothing wrong with it (or reduction would walk into undefined behaviour), and clew fails on it
//! in the same way as on the original. The script calls this same command with `--judge`.

use std::mem::discriminant;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::Args;
use clew_native::Compiler;
use clew_native::sanitizer::read_reports;

use crate::clew::{Choice, Clew, target_folder};
use crate::csmith::{Failure, Set, Verdict, generate, include_folder, judge};

/// Flags of the command.
#[derive(Args)]
pub struct Options {
    /// A csmith seed or a C file.
    program: String,
    /// The program is of the float set.
    #[arg(long)]
    float: bool,
    /// Programs at once.
    #[arg(long, default_value_t = crate::jobs::default_jobs())]
    jobs: usize,
    /// Only says by its exit status whether the program fails like this original.
    #[arg(long, hide = true, value_name = "ORIGINAL")]
    judge: Option<PathBuf>,
}

/// Runs the command.
pub fn run(choice: &Choice, options: &Options) -> Result<bool> {
    let clew = choice.program()?;
    let set = Set::new(options.float);
    if let Some(original) = &options.judge {
        return interesting(&clew, set, Path::new(&options.program), original);
    }
    let folder = target_folder().join("reduce");
    std::fs::create_dir_all(&folder)?;
    let original = original_file(set, &options.program, &folder)?;
    let Verdict::Failed(failure) = judge(&clew, set, &original)? else {
        bail!("{} does not fail", original.display());
    };
    println!("{}: {failure}", original.display());
    std::fs::write(original.with_extension("failure"), kind_name(&failure))?;
    let small = folder.join("small.c");
    std::fs::copy(&original, &small)?;
    let script = write_script(&clew, options, &folder, &original)?;
    let status = Command::new("creduce")
        .args(["--n", &options.jobs.to_string()])
        .arg(&script)
        .arg("small.c")
        .current_dir(&folder)
        .status()
        .context("cannot run creduce (Debian package creduce)")?;
    println!("the small program is {}", small.display());
    Ok(status.success())
}

fn original_file(set: Set, program: &str, folder: &Path) -> Result<PathBuf> {
    if let Ok(seed) = program.parse() {
        let file = folder.join(set.file_name(seed));
        generate(set, seed, &file)?;
        return Ok(file);
    }
    let given = std::path::absolute(program)?;
    let name = given.file_name().context("not a file")?;
    let file = folder.join(format!("original-{}", name.to_string_lossy()));
    std::fs::copy(&given, &file).with_context(|| format!("cannot copy {}", given.display()))?;
    Ok(file)
}

fn write_script(clew: &Clew, options: &Options, folder: &Path, original: &Path) -> Result<PathBuf> {
    let script = folder.join("interesting.sh");
    let float = if options.float { " --float" } else { "" };
    let text = format!(
        "#!/bin/sh\nexec '{}' --clew '{}' reduce{float} --judge '{}' small.c\n",
        std::env::current_exe()?.display(),
        clew.path().display(),
        original.display(),
    );
    std::fs::write(&script, text)?;
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755))?;
    Ok(script)
}

/// Whether a smaller program still fails like the original.
fn interesting(clew: &Clew, set: Set, file: &Path, original: &Path) -> Result<bool> {
    let wanted = std::fs::read_to_string(original.with_extension("failure"))?;
    let Verdict::Failed(failure) = judge(clew, set, file)? else { return Ok(false) };
    Ok(kind_name(&failure) == wanted && clean(file)?)
}

/// What must stay the same: the kind of failure, and for crashes and stops what was said, without numbers.
fn kind_name(failure: &Failure) -> String {
    let detail = match failure {
        Failure::Crash(text) | Failure::OwnError(text) | Failure::Stopped(text) | Failure::Rejected(text) => {
            text.replace(|c: char| c.is_ascii_digit(), "")
        }
        Failure::Hang | Failure::Output(_) | Failure::Status(_) => String::new(),
    };
    format!("{:?} {detail}", discriminant(failure))
}

/// Whether compiler and sanitizers find nothing undefined in the program.
fn clean(file: &Path) -> Result<bool> {
    let include = format!("-I{}", include_folder()?.display());
    let compiler = Compiler::find()?;
    let warnings = ["-Werror=uninitialized", "-Werror=return-type", "-Werror=implicit-function-declaration"];
    let mut flags = vec!["-O1", "-g", "-Wall", "-fsanitize=address,undefined", &include];
    flags.extend(warnings);
    let Ok(program) = compiler.build(&[file], &flags, &["-lm"]) else { return Ok(false) };
    let outcome =
        program.child().env("ASAN_OPTIONS", "detect_leaks=0").time(Duration::from_secs(20)).run()?;
    Ok(outcome.success() && read_reports(&outcome.stderr_text()).is_empty())
}

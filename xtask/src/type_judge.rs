// SPDX-License-Identifier: MIT OR Apache-2.0
//! Lets gcc judge the type, size and value of every expression of real code, by `_Static_assert`.

use std::collections::BTreeMap;

use anyhow::{Context, Result, anyhow};
use clap::Args;
use clew_base::stack::try_with_large_stack;
use clew_frontend::judge::type_judge;
use clew_frontend::{Command, DiskFiles, parse_unit_with_tokens, read_project};
use clew_native::Child;

use crate::clew::first_line;
use crate::sources::Project;

/// How many files of GSL are judged, spread evenly over the project.
const GSL_FILES: usize = 50;

/// Flags of the command.
#[derive(Args)]
pub struct Options {
    /// The projects; zlib, bc and 50 files of GSL when none is named.
    projects: Vec<Project>,
}

/// Runs the command.
pub fn run(options: &Options) -> Result<bool> {
    let defaults = [Project::Zlib, Project::Bc, Project::Gsl];
    let projects = if options.projects.is_empty() { &defaults[..] } else { &options.projects };
    let mut rows =
        vec!["| project | files | asserted | skipped | disagreements |\n|---|---|---|---|---|".to_owned()];
    let mut good = true;
    for project in projects {
        let built = project.prepare()?;
        let files = DiskFiles::new();
        let mut commands = read_project(&built.folder, &files).map_err(|error| anyhow!("{error}"))?.commands;
        if *project == Project::Gsl && options.projects.is_empty() {
            let step = (commands.len() / GSL_FILES).max(1);
            commands = commands.into_iter().step_by(step).take(GSL_FILES).collect();
        }
        let (mut asserted, mut disagreements) = (0, 0);
        let mut skipped: BTreeMap<&str, usize> = BTreeMap::new();
        for command in &commands {
            let judgement = try_with_large_stack(|| {
                parse_unit_with_tokens(command, &files).map(|unit| type_judge(&unit))
            });
            let judgement =
                judgement.context("the front end crashed")?.map_err(|error| anyhow!("{error}"))?;
            asserted += judgement.asserted;
            judgement.skipped.iter().for_each(|(why, count)| *skipped.entry(why).or_default() += count);
            let complaints = compile(command, judgement.source)?;
            complaints.iter().take(5).for_each(|line| println!("{}: {line}", command.file.display()));
            disagreements += complaints.len();
        }
        good &= disagreements == 0;
        for (why, count) in &skipped {
            println!("{}: {count} skipped: {why}", project.name());
        }
        let skipped: usize = skipped.values().sum();
        rows.push(format!(
            "| {} | {} | {asserted} | {skipped} | {disagreements} |",
            project.name(),
            commands.len()
        ));
    }
    rows.iter().for_each(|row| println!("{row}"));
    Ok(good)
}

/// What the compiler says against the assertions.
fn compile(command: &Command, source: Vec<u8>) -> Result<Vec<String>> {
    let outcome = Child::new(&command.compiler)
        .args(&command.probe_flags)
        .args(["-w", "-fsyntax-only", "-fmax-errors=0", "-x", "cpp-output", "-"])
        .env("LC_ALL", "C")
        .stdin(source)
        .time(std::time::Duration::from_secs(300))
        .run()?;
    let text = outcome.stderr_text();
    let mut complaints: Vec<String> =
        text.lines().filter(|line| line.contains("error:")).map(str::to_owned).collect();
    if complaints.is_empty() && !outcome.success() {
        complaints.push(format!("{}: {}", outcome.status, first_line(&text)));
    }
    Ok(complaints)
}

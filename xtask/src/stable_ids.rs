// SPDX-License-Identifier: MIT OR Apache-2.0
//! Obligation ids must survive edits elsewhere: blank lines and an unrelated function are inserted, and every id of
//! the original must still be there, and no other but those of the new function.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result};
use clap::Args;
use serde_json::Value;

use crate::clew::{Choice, Clew};
use crate::{corpus, jobs};

/// The function that is inserted: loads, stores, a string, a static local, arithmetic and a call of its own.
const UNRELATED: &str = "int clew_unrelated(int a, int b)\n{\n    static int seen;\n    int x[3] = {a, b, 1};\n    \
                         const char *s = \"unrelated\";\n    seen++;\n    return x[a & 1] + a * b / (b | 1) + s[b & 7];\n}\n";

/// Flags of the command.
#[derive(Args)]
pub struct Options {
    /// Files at once.
    #[arg(long, default_value_t = jobs::default_jobs())]
    jobs: usize,
}

/// Runs the command.
pub fn run(choice: &Choice, options: &Options) -> Result<bool> {
    let clew = choice.program()?;
    let files = corpus::c_files(&["tests/c", "examples", "bench/plant", "bench/loops"])?;
    let results = jobs::for_each(
        options.jobs,
        &files,
        |file| one_file(&clew, file),
        |file, result| match result {
            Ok(Some(trouble)) => println!("{}: {trouble}", file.display()),
            Ok(None) => {}
            Err(error) => println!("{}: {error:#}", file.display()),
        },
    );
    let failed = results.iter().filter(|result| !matches!(result, Ok(None))).count();
    println!("{} files, {failed} with ids that changed", results.len());
    Ok(failed == 0)
}

fn one_file(clew: &Clew, file: &Path) -> Result<Option<String>> {
    let folder = tempfile::tempdir()?;
    let copy = folder.path().join(file.file_name().context("not a file")?);
    let text = std::fs::read_to_string(file)?;
    std::fs::write(&copy, &text)?;
    let Some(before) = ids(clew, &copy)? else { return Ok(None) };
    std::fs::write(&copy, edited(&text))?;
    let Some(mut after) = ids(clew, &copy)? else { return Ok(Some("the edited file is refused".into())) };
    after.retain(|(_, function), _| function != "clew_unrelated");
    if before == after {
        return Ok(None);
    }
    let lost: Vec<String> = before
        .iter()
        .filter(|(key, count)| after.get(*key) != Some(count))
        .map(|((id, function), _)| format!("{id} of {function}"))
        .take(3)
        .collect();
    Ok(Some(format!("changed: {}", lost.join(", "))))
}

/// How often each id occurs, with its function; `None` when clew refuses the file.
fn ids(clew: &Clew, file: &Path) -> Result<Option<BTreeMap<(String, String), usize>>> {
    let outcome = clew.child("check", Duration::from_secs(30)).args(["--format", "json"]).arg(file).run()?;
    let Ok(report) = serde_json::from_slice::<Value>(&outcome.stdout) else { return Ok(None) };
    let mut ids = BTreeMap::new();
    for obligation in report["obligations"].as_array().into_iter().flatten() {
        let text = |key: &str| obligation[key].as_str().unwrap_or_default().to_owned();
        *ids.entry((text("id"), text("function"))).or_default() += 1;
    }
    Ok((!ids.is_empty()).then_some(ids))
}

/// The text with the function in front and blank lines after each line that ends a statement or block.
fn edited(text: &str) -> String {
    let mut out = format!("\n\n{UNRELATED}\n");
    for line in text.lines() {
        out.push_str(line);
        out.push('\n');
        if line.ends_with([';', '}']) {
            out.push_str("\n\n");
        }
    }
    out
}

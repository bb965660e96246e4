// SPDX-License-Identifier: MIT OR Apache-2.0
//! SARIF logs of every program under `tests` against the official schema, which the crate `serde-sarif` carries.
//!
//! `cargo run --manifest-path xtask/schema/Cargo.toml -- target/release/clew`, at the root of the repository. The programs
//! are read several at a time, without search; some are searched, for logs with flows.
#![forbid(unsafe_code)]

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use serde_json::Value;

type Fallible<T> = Result<T, Box<dyn std::error::Error>>;

fn main() -> ExitCode {
    let clew = std::env::args_os().nth(1).unwrap_or_else(|| "target/release/clew".into());
    match all(Path::new(&clew)) {
        Ok(logs) => {
            println!("{logs} logs follow the schema");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn all(clew: &Path) -> Fallible<usize> {
    let validator = jsonschema::draft7::new(&schema()?)?;
    let mut files = c_files(Path::new("tests"))?;
    files.extend(c_files(Path::new("examples"))?);
    let quick = ["--level", "quick", "--no-search", "--budget", "20"].map(PathBuf::from);
    let mut calls: Vec<Vec<PathBuf>> =
        files.chunks(8).map(|some| [&quick[..], some].concat()).collect();
    let searched = ["examples/words.c", "examples/events.c", "examples/quadratic.c", "examples/leak.c"];
    calls.extend(searched.map(|file| vec![PathBuf::from("--no-replay"), file.into()]));
    calls.push(vec!["-p".into(), "tests/cli/project".into(), "--no-replay".into()]);
    for call in &calls {
        let log = log(clew, call)?;
        let faults: Vec<String> =
            validator.iter_errors(&log).map(|e| format!("{}: {e}", e.instance_path())).collect();
        if !faults.is_empty() {
            return Err(format!("{call:?}: {}", faults.join("\n")).into());
        }
        if log["runs"].as_array().map(Vec::len) != Some(1) {
            return Err(format!("{call:?}: not exactly one run").into());
        }
        let _: serde_sarif::sarif::Sarif =
            serde_json::from_value(log).map_err(|e| format!("{call:?}: {e}"))?;
    }
    Ok(calls.len())
}

fn log(clew: &Path, arguments: &[PathBuf]) -> Fallible<Value> {
    let ran = Command::new(clew)
        .args(["check", "--format", "sarif", "--with-open", "--sarif-suppressed"])
        .args(arguments)
        .output()?;
    let text = String::from_utf8_lossy(&ran.stderr);
    serde_json::from_slice(&ran.stdout).map_err(|e| format!("{arguments:?}: {e}\n{text}").into())
}

/// The official schema, as the crate carries it.
fn schema() -> Fallible<Value> {
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    let metadata = Command::new("cargo")
        .args(["metadata", "--format-version", "1", "--manifest-path", manifest])
        .output()?;
    let metadata: Value = serde_json::from_slice(&metadata.stdout)?;
    let packages = metadata["packages"].as_array().ok_or("cargo names no packages")?;
    let sarif = packages.iter().find(|package| package["name"] == "serde-sarif");
    let manifest = sarif.and_then(|package| package["manifest_path"].as_str()).ok_or("no serde-sarif")?;
    let text = std::fs::read(Path::new(manifest).with_file_name("src/schema.json"))?;
    Ok(serde_json::from_slice(&text)?)
}

fn c_files(folder: &Path) -> Fallible<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(&folder)? {
            let path = entry?.path();
            match path.extension() {
                _ if path.is_dir() => open.push(path),
                Some(extension) if extension == "c" => found.push(path),
                _ => {}
            }
        }
    }
    found.sort();
    Ok(found)
}

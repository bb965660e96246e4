// SPDX-License-Identifier: MIT OR Apache-2.0
//! The C models of the library, compiled natively over a shim of their intrinsics, against the host's libc on random
//! arguments. They share no code with the interpreter's library; this is where they meet a referee.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn models() -> Vec<PathBuf> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/libc");
    let entries = fs::read_dir(directory).expect("the folder of models");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "c"));
    files.sort();
    assert!(files.len() >= 8, "models are missing: {files:?}");
    files
}

fn compile(arguments: &[&str], files: &[&Path]) {
    let output = Command::new("gcc")
        .args(["-std=gnu11", "-O1", "-Wall", "-Wextra", "-Werror"])
        .args(arguments)
        .args(files)
        .output()
        .expect("gcc runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// The functions and variables that an object file defines for others.
fn defined_names(object: &Path) -> Vec<String> {
    let output =
        Command::new("nm").args(["-g", "--defined-only", "-P"]).arg(object).output().expect("nm runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.lines().filter_map(|line| line.split(' ').next()).map(str::to_owned).collect()
}

#[test]
fn models_agree_with_the_host() {
    let directory = std::env::temp_dir().join(format!("clew-models-{}", std::process::id()));
    fs::create_dir_all(&directory).expect("a folder for the build");
    let flags = ["-ffreestanding", "-fno-builtin", "-c"];
    // First as they are, to learn their names; then with each name prefixed, so that the host's can be called beside.
    let mut renames = String::new();
    for model in models() {
        let object = directory.join("plain.o");
        compile(&[&flags[..], &["-o", object.to_str().expect("a path")]].concat(), &[&model]);
        for name in defined_names(&object) {
            writeln!(renames, "#define {name} model_{name}").expect("memory");
        }
    }
    let header = directory.join("renames.h");
    fs::write(&header, renames).expect("the list of names");
    let mut objects = Vec::new();
    for model in models() {
        let object = directory.join(model.file_name().expect("a name")).with_extension("o");
        let include = ["-include", header.to_str().expect("a path"), "-o", object.to_str().expect("a path")];
        compile(&[&flags[..], &include].concat(), &[&model]);
        objects.push(object);
    }
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models");
    let (driver, shim, program) = (tests.join("driver.c"), tests.join("shim.c"), directory.join("driver"));
    let mut files: Vec<&Path> = vec![&driver, &shim];
    files.extend(objects.iter().map(PathBuf::as_path));
    files.push(Path::new("-lm"));
    let flags = ["-fno-builtin", "-Wno-clobbered", "-Wno-nonnull", "-o", program.to_str().expect("a path")];
    compile(&flags, &files);
    let output = Command::new(&program).output().expect("the driver runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    fs::remove_dir_all(&directory).expect("the folder goes");
    assert!(output.status.success(), "{text}");
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a program under test cannot do, whoever runs clew: the launcher is the real binary.

mod common;

use std::path::Path;
use std::sync::LazyLock;
use std::time::Duration;

use clew_native::launch::Confinement;
use clew_native::{BuildError, Compiler, Executable, Outcome, Sandbox, Status};

static MISCHIEF: LazyLock<Executable> = LazyLock::new(|| mischief(&["-O0", "-pthread"]).unwrap());

fn mischief(flags: &[&str]) -> Result<Executable, BuildError> {
    let source = common::root().join("tests/sandbox/mischief.c");
    Compiler::find().unwrap().build(&[source], flags, &[])
}

fn run(folder: &Path, arguments: &[&str]) -> Outcome {
    run_program(&MISCHIEF, folder, arguments)
}

/// Runs a program in a sandbox on a folder of its own.
fn run_program(program: &Executable, folder: &Path, arguments: &[&str]) -> Outcome {
    let confinement = Confinement {
        folder: folder.to_owned(),
        cpu: Duration::from_secs(20),
        file_bytes: 1 << 20,
        traces_itself: false,
    };
    let sandbox = Sandbox {
        launcher: env!("CARGO_BIN_EXE_clew").into(),
        confinement,
        memory: 128 << 20,
        folder_bytes: 4 << 20,
    };
    program.child().args(arguments).time(Duration::from_secs(2)).sandbox(sandbox).run().unwrap()
}

fn said(outcome: &Outcome) -> String {
    String::from_utf8_lossy(&outcome.stdout).into_owned()
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

#[test]
fn what_loops_is_stopped() {
    let outcome = run(folder().path(), &["loop"]);
    assert_eq!(outcome.status, Status::TimedOut);
    assert!(outcome.wall < Duration::from_secs(10));
}

#[test]
fn nothing_forks() {
    let outcome = run(folder().path(), &["fork"]);
    assert_eq!((outcome.status, said(&outcome).as_str()), (Status::Exited(0), "made 0 processes\n"));
    assert_eq!(running(), 0, "a child is left");
}

/// Processes that run the program, as the system lists them.
fn running() -> usize {
    let path = MISCHIEF.path();
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    let is_ours = |entry: &std::fs::DirEntry| {
        // A test beside this one may loop: what counts is what this one was asked to do.
        std::fs::read_link(entry.path().join("exe")).is_ok_and(|exe| exe == path)
            && std::fs::read(entry.path().join("cmdline")).is_ok_and(|words| words.ends_with(b"\0fork\0"))
    };
    entries.filter(is_ours).count()
}

#[test]
fn memory_ends() {
    let outcome = run(folder().path(), &["allocate"]);
    assert_eq!(outcome.status, Status::TooMuchMemory);
}

#[test]
fn files_are_small_few_and_in_one_folder() {
    const SIGXFSZ: i32 = 25;
    let place = folder();
    assert_eq!(run(place.path(), &["big"]).status, Status::Signalled(SIGXFSZ));
    assert!(std::fs::metadata(place.path().join("big")).unwrap().len() <= 1 << 20);
    assert_eq!(run(place.path(), &["many"]).status, Status::TooManyFiles);
    let elsewhere = folder();
    let outside = elsewhere.path().join("file");
    let outcome = run(folder().path(), &["outside", outside.to_str().unwrap()]);
    assert_eq!(said(&outcome), "outside: Permission denied\n");
    assert!(!outside.exists());
}

#[track_caller]
fn reaches_nobody(program: &Executable) {
    let outcome = run_program(program, folder().path(), &["others"]);
    let expected = "socket: Function not implemented\n\
                    signal to the parent: Function not implemented\n\
                    signal to itself: sent\n\
                    system: 0\n\
                    exec: Function not implemented\n\
                    thread: Success\n";
    assert_eq!(said(&outcome), expected);
}

#[test]
fn other_processes_and_the_network_are_out_of_reach() {
    reaches_nobody(&MISCHIEF);
}

#[test]
fn programs_of_32_bits_run_and_are_as_confined() {
    // Most machines have no library for them.
    let Ok(program) = mischief(&["-O0", "-pthread", "-m32"]) else { return };
    reaches_nobody(&program);
    let outcome = run_program(&program, folder().path(), &["fork"]);
    assert_eq!((outcome.status, said(&outcome).as_str()), (Status::Exited(0), "made 0 processes\n"));
}

#[test]
fn the_launcher_is_not_for_users() {
    let ran = common::clew(&["__launch", "x"]);
    assert_eq!(ran.status, Some(98));
    assert!(ran.stderr.contains("for clew's own use"), "{}", ran.stderr);
}

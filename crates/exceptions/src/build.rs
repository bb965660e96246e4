// SPDX-License-Identifier: MIT OR Apache-2.0
//! The two programs: the search, whose units call back, and the replay, to which nothing is added.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clew_base::workers::{cores, in_order};
use clew_confirm::Unit;
use clew_ir::syntax::Program;
use clew_native::Compiler;

use crate::entry::Entry;
use crate::lines::Lines;
use crate::{text, wrapped};

/// What the search may cost and looks for.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Blocks for each function.
    pub budget: u64,
    /// Where random numbers start.
    pub seed: u64,
    /// Whether tiny results count.
    pub underflow: bool,
    /// Functions by which a library tells of errors.
    pub told_by: Vec<String>,
    /// The program that is clew, which starts children in their sandbox.
    pub launcher: PathBuf,
}

/// The runtime, by the names that its files include each other by.
const RUNTIME: [(&str, &str); 5] = [
    ("entry.h", include_str!("runtime/entry.h")),
    ("call.h", include_str!("runtime/call.h")),
    ("libm.h", include_str!("runtime/libm.h")),
    ("search.c", include_str!("runtime/search.c")),
    ("replay.c", include_str!("runtime/replay.c")),
];

/// Flags of every unit: as written, operation by operation, with places.
const UNIT: &[&str] = &["-g", "-O0", "-ffp-contract=off", "-fno-pie", "-w", "-c"];
/// Blocks and comparisons call back.
const CALLS_BACK: &str = "-fsanitize-coverage=trace-pc,trace-cmp";
/// Flags of what is ours. It runs inside the others' runs, so it is fast.
const OURS: &[&str] = &["-std=gnu11", "-O2", "-fno-pie", "-w", "-c"];

/// The name of a program's own `main`, which is never called.
const OWN_MAIN: &str = "-Dmain=clew_main_of_the_program";

/// Both programs, in a folder that goes away with this value.
pub struct Programs {
    folder: tempfile::TempDir,
    /// Where the instructions of each stand.
    pub(crate) search_lines: Lines,
    pub(crate) replay_lines: Lines,
}

/// One compilation.
struct Job {
    compiler: String,
    arguments: Vec<OsString>,
}

impl Programs {
    /// The search.
    pub fn search(&self) -> PathBuf {
        self.folder.path().join("search")
    }

    /// The replay.
    pub fn replay(&self) -> PathBuf {
        self.folder.path().join("replay")
    }

    /// Builds both.
    ///
    /// # Errors
    /// Why the compiler does not build them, in its words.
    pub fn build(
        program: &Program,
        units: &[Unit],
        entries: &[Entry],
        settings: &Settings,
    ) -> Result<Programs, String> {
        let folder =
            tempfile::Builder::new().prefix("clew-exceptions-").tempdir().map_err(|e| e.to_string())?;
        let at = folder.path();
        let write = |name: &str, text: &str| std::fs::write(at.join(name), text).map_err(|e| e.to_string());
        for (name, text) in RUNTIME {
            write(name, text)?;
        }
        let defined = |name: &str| program.functions.iter().any(|f| *f.name == *name && f.body.is_some());
        let (wrappers, wraps) = wrapped::wrappers(defined, &settings.told_by);
        let (ends, replay_wraps) = wrapped::ended(defined, &settings.told_by);
        write("wrapped.inc", &wrappers)?;
        write("ended.inc", &ends)?;
        write("tables.c", &text::tables(entries, &text::constants(program, units.len(), entries)))?;
        let mut jobs = Vec::new();
        for (number, unit) in units.iter().enumerate() {
            let mine: Vec<(usize, &Entry)> =
                entries.iter().enumerate().filter(|(_, entry)| entry.unit == number).collect();
            let file = std::path::absolute(&unit.file).map_err(|e| e.to_string())?;
            write(&format!("unit{number}.c"), &text::unit(&file.display().to_string(), &mine))?;
            jobs.push(unit_job(at, unit, number, true));
            jobs.push(unit_job(at, unit, number, false));
        }
        let compiler = units.first().map_or("cc", |unit| &unit.compiler).to_owned();
        for name in ["search", "replay", "tables"] {
            jobs.push(our_job(at, &compiler, name));
        }
        let built = in_order(cores(), &jobs, |_, job| job.run());
        built.into_iter().collect::<Result<Vec<()>, String>>()?;
        link(at, &compiler, "search", units.len(), &wraps)?;
        link(at, &compiler, "replay", units.len(), &replay_wraps)?;
        let search_lines = Lines::read(&at.join("search"))?;
        let replay_lines = Lines::read(&at.join("replay"))?;
        Ok(Programs { folder, search_lines, replay_lines })
    }
}

fn object(name: &str, number: usize) -> String {
    format!("{name}{number}.o")
}

fn unit_job(at: &Path, unit: &Unit, number: usize, calls_back: bool) -> Job {
    let name = if calls_back { "search" } else { "replay" };
    let mut arguments = unit.preprocess.clone();
    arguments.extend(unit.compile.iter().cloned());
    arguments.extend(UNIT.iter().map(OsString::from));
    arguments.push(OWN_MAIN.into());
    if calls_back {
        arguments.push(CALLS_BACK.into());
    }
    arguments.push(at.join(format!("unit{number}.c")).into_os_string());
    arguments.extend(["-o".into(), at.join(object(name, number)).into_os_string()]);
    Job { compiler: unit.compiler.clone(), arguments }
}

fn our_job(at: &Path, compiler: &str, name: &str) -> Job {
    let mut arguments: Vec<OsString> = OURS.iter().map(OsString::from).collect();
    arguments.push(at.join(format!("{name}.c")).into_os_string());
    arguments.extend(["-o".into(), at.join(format!("{name}.o")).into_os_string()]);
    Job { compiler: compiler.to_owned(), arguments }
}

impl Job {
    fn run(&self) -> Result<(), String> {
        let outcome =
            Compiler::named(&self.compiler).run(&self.arguments, None).map_err(|e| e.to_string())?;
        if outcome.success() {
            return Ok(());
        }
        let text = outcome.stderr_text();
        let telling = text.lines().find(|line| line.contains("error") || line.contains("undefined"));
        Err(telling.or(text.lines().next()).unwrap_or("the compiler says nothing").trim().to_owned())
    }
}

fn link(at: &Path, compiler: &str, name: &str, units: usize, wraps: &[String]) -> Result<(), String> {
    let mut arguments: Vec<OsString> = vec!["-no-pie".into(), "-o".into(), at.join(name).into_os_string()];
    arguments.extend([at.join(format!("{name}.o")).into(), at.join("tables.o").into()]);
    arguments.extend((0..units).map(|number| at.join(object(name, number)).into_os_string()));
    arguments.extend(wraps.iter().map(|name| format!("-Wl,--wrap={name}").into()));
    // What is called and nowhere defined ends the run that calls it.
    arguments.extend(["-Wl,--unresolved-symbols=ignore-all".into(), "-lm".into(), "-pthread".into()]);
    Job { compiler: compiler.to_owned(), arguments }.run()
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! `clew check`: every obligation, and what is known of it.

use std::ffi::OsString;
use std::io::Read;
use std::path::Path;
use std::time::{Duration, Instant};

use clew_checks::{CheckSet, Stops, UnknownCheck};
use clew_frontend::DiskFiles;
use clew_ir::verdict::Verdict;
use clew_report::{Report, Row};

use crate::assumed::Assumed;
use crate::commands::fail;
use crate::contracts::{self, Contracts};
use crate::exit::Exit;
use crate::flags::{CheckFlags, FailOn, ReportFormat};
use crate::guard::has_failed;
use crate::hardware;
use crate::input;
use crate::level;
use crate::load::{self, Loaded};
use crate::messages::show_rejection;
use crate::output;
use crate::pipeline::{self, Checked};
use crate::remember;
use crate::review::{allow, review};
use crate::settings::Settings;
use crate::slices::Asked;
use crate::solvers::Outside;
use crate::terminal::{complain, note};

/// The function that waits for the clock, unless the user names another.
const DEFAULT_CLOCK: &str = "__clew_tick";

/// Lists the obligations of files or of a project.
pub fn check(flags: &CheckFlags, compiler_flags: &[OsString]) -> Exit {
    let shown = match selected(&flags.check) {
        Ok(shown) if shown.is_empty() => {
            return fail(
                "--check selects nothing: name checks, groups or `all`; `clew explain list` names them",
            );
        }
        Ok(shown) => shown,
        Err(unknown) => return fail(&unknown.to_string()),
    };
    if flags.files.is_empty() && flags.project.is_none() {
        return fail("name C files to check, or a project with -p");
    }
    let assumed = match Assumed::new(&flags.assume, &flags.no_assume, flags.max_clock) {
        Ok(assumed) => assumed,
        Err(message) => return fail(&message),
    };
    let solver = match Outside::chosen(&flags.solver, flags.solver_time) {
        Ok(solver) => solver,
        Err(message) => return fail(&message),
    };
    let assumed = match &solver {
        Some(solver) => assumed.with_solver(solver.name(), &flags.no_assume),
        None => assumed,
    };
    let level = match level::chosen(flags.level.as_deref(), &flags.without) {
        Ok(level) => level,
        Err(message) => return fail(&message),
    };
    let megabytes =
        match hardware::settle(&flags.hardware, &flags.interrupt, assumed.holds("registers-apart")) {
            Ok(megabytes) => megabytes,
            Err(message) => return fail(&message),
        };
    if let Some(Err(message)) = flags.report.output.as_deref().map(output::try_file) {
        return fail(&message);
    }
    let mut settings = Settings {
        entries: flags.entry.clone(),
        shown,
        assumed,
        contracts: Contracts::default(),
        level,
        stops: Stops::of_selection(shown),
        slices: Asked::new(flags.slices, &flags.slice, shown),
        invariants: flags.invariants,
        tells_path: flags.report.format == ReportFormat::Sarif || flags.report.changed_since.is_some(),
        // Who asks where something comes from wants to see why it is open.
        searches: !flags.no_search && flags.slice.is_empty(),
        solver,
        costs_without: flags.costs_without.clone(),
        keep: (!flags.no_replay).then(|| flags.keep.clone().unwrap_or_else(|| crate::confirm::OUT.into())),
        clock: flags.clock.clone().unwrap_or_else(|| DEFAULT_CLOCK.to_owned()),
        end: deadline(flags.budget, 1.0),
        // What proofs leave of the time is for the search and the solver.
        deadline: deadline(flags.budget, if flags.no_search { 1.0 } else { 0.75 }),
        threads: flags.threads.or_else(|| std::thread::available_parallelism().ok()).map_or(1, usize::from),
    };
    let mut memory = match flags.remember.as_deref().map(remember::load).transpose() {
        Ok(memory) => memory.map(|memory| memory.unwrap_or_default().under(remember::settings(&settings))),
        Err(message) => return fail(&message),
    };
    crate::watch::end_at_ctrl_c();
    let memory_limit = megabytes.map(|megabytes| megabytes.saturating_mul(1 << 20));
    crate::watch::end_when_memory_is_short(memory_limit);
    settings.end.into_iter().for_each(crate::watch::end_at);
    let disk = match disk(flags.report.overlay.as_deref()) {
        Ok(disk) => disk,
        Err(message) => return fail(&message),
    };
    let units = match &flags.project {
        Some(place) => input::project(place, &flags.files, &disk),
        None => input::named_files(&flags.files, compiler_flags, &disk),
    };
    let units = match units {
        Ok(units) => units.without(&flags.report.exclude),
        Err(rejection) => {
            show_rejection(&rejection);
            return Exit::BadInput;
        }
    };
    let mut loaded = load::load(units, disk);
    let mut allows = match allow::collect(&loaded.programs) {
        Ok(allows) => allows,
        Err(errors) => {
            errors.iter().for_each(|error| complain(error));
            return Exit::BadInput;
        }
    };
    if let Some(path) = contracts::file_of(flags.env.as_deref(), &flags.files) {
        match Contracts::load(&path, &loaded.programs) {
            Ok(known) => settings.contracts = known,
            Err(message) => return fail(&message),
        }
    }
    let checked = pipeline::check(&mut loaded, &settings, memory.as_mut());
    let Checked { report, violations } = match checked {
        Ok(checked) => checked,
        Err(message) => return fail(&message),
    };
    violations.notes.iter().for_each(|text| note(text));
    violations.faults.iter().for_each(|fault| complain(fault));
    let is_wrong = !violations.faults.is_empty();
    if let Some(what) = nothing_analysed(&loaded, &report) {
        complain(what);
        loaded.bad_input = true;
    }
    if let Some((path, memory)) = flags.remember.as_deref().zip(memory.as_ref())
        && !(loaded.bad_input || loaded.fault || is_wrong || has_failed())
        && let Err(message) = remember::save(path, memory)
    {
        return fail(&message);
    }
    let asked = settings.slices.as_ref().filter(|asked| asked.is_only_some());
    if let Some(Err(message)) = asked.map(|asked| asked.has_open(&report)) {
        return fail(&message);
    }
    let mut checked = Checked { report, violations };
    let review = match review(&mut checked, &mut allows, flags) {
        Ok(review) => review,
        Err(message) => return fail(&message),
    };
    review.notes.iter().for_each(|text| note(text));
    let text = output::rendered(flags, &checked, &review, asked);
    if let Err(message) = output::write(&text, flags.report.output.as_deref()) {
        return fail(&message);
    }
    let status = if is_wrong { Exit::Fault } else { status(&loaded, &checked.report, flags) };
    // The process ends here: taking a million objects apart one by one would only cost time.
    std::mem::forget((loaded, checked));
    status
}

/// The checks of all lists together: one after the other, as if they stood in one.
fn selected(lists: &[String]) -> Result<CheckSet, UnknownCheck> {
    match lists {
        [] => Ok(CheckSet::by_default()),
        lists => CheckSet::parse(&lists.join(",")),
    }
}

/// The disk, with an editor's buffer in the place of a file.
fn disk(overlay: Option<&Path>) -> Result<DiskFiles, String> {
    let mut disk = DiskFiles::new();
    if let Some(file) = overlay {
        let mut text = Vec::new();
        std::io::stdin().read_to_end(&mut text).map_err(|e| format!("standard input: {e}"))?;
        disk.overlay(file, text);
    }
    Ok(disk)
}

/// When a share of so many seconds is over.
fn deadline(seconds: Option<u64>, share: f64) -> Option<Instant> {
    Instant::now().checked_add(Duration::from_secs(seconds?).mul_f64(share))
}

/// What is said where nothing was looked at: silence would look like an all-clear.
fn nothing_analysed(loaded: &Loaded, report: &Report) -> Option<&'static str> {
    match () {
        // Why is said already.
        () if loaded.bad_input || loaded.fault => None,
        () if loaded.functions == 0 => Some("there is nothing to analyse: no function has a body"),
        () if report.program.entries.is_empty() => Some(
            "nothing is analysed: there is no `main`, and no function that code elsewhere can call; --entry names where runs start",
        ),
        () => None,
    }
}

/// Answers that contradict each other outweigh everything (they are seen before); bad input outweighs a violation, that an
/// engine that failed, and that an end before the work was done.
fn status(loaded: &Loaded, report: &Report, flags: &CheckFlags) -> Exit {
    let count = |keep: &dyn Fn(&Row) -> bool| {
        report.rows.iter().filter(|row| report.counts_for(row) && keep(row)).count()
    };
    // What callers of an entry that nobody named may prevent is shown and does not count.
    let is_violated = |row: &Row| {
        matches!(row.verdict, Verdict::Violated { .. })
            && !(flags.entry.is_empty() && row.assumptions.iter().any(|name| name == "params-valid-or-null"))
    };
    let violated = count(&is_violated);
    // What nobody selected and others rest on is as good as open, whatever is known of it.
    let is_unsettled = |row: &&Row| !matches!(row.verdict, Verdict::Proved(_) | Verdict::Unreachable(_));
    let open = count(&|row| matches!(row.verdict, Verdict::Open(_)))
        + report.rests_on.iter().filter(is_unsettled).count();
    let counted = violated + if flags.fail_on == Some(FailOn::Open) { open } else { 0 };
    match () {
        () if loaded.bad_input => Exit::BadInput,
        () if counted > 0 => Exit::Violated,
        () if loaded.fault || has_failed() => Exit::Fault,
        () if report.coverage.truncated => Exit::CutShort,
        () => Exit::Clean,
    }
}

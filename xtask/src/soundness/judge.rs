// SPDX-License-Identifier: MIT OR Apache-2.0
//! One program: analysed once, run many times, and compared.

use std::collections::BTreeMap;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use clew_interpreter::host::Captured;
use clew_interpreter::observe::{Observer, View};
use clew_interpreter::outcome::{End, Outcome, RunError};
use clew_interpreter::{Options, run_observed};
use clew_ir::location::Location;
use clew_ir::obligation::CheckKind;
use clew_ir::syntax::{BlockId, FuncId, ObligationId, Program};

use super::engine::{Analysis, Engine};

/// Steps of a run. Programs are small: one that takes more does nothing new.
const STEPS: u64 = 300_000;
/// States of a run that are compared, so that a run of a long loop costs no more than others.
const STATES: u64 = 1_000;

/// What came of a program.
#[derive(Default)]
pub struct Report {
    /// The seed of the program, if it has one.
    pub seed: u64,
    /// What must never happen.
    pub exception: Option<Exception>,
    /// Why the engine claims nothing, if it gave the program up.
    pub unexamined: Option<String>,
    /// Its obligations, and those that the engine claims to hold without a condition.
    pub obligations: u64,
    pub claimed: u64,
    /// Runs, and how they ended.
    pub runs: u64,
    pub stopped: u64,
    pub limited: u64,
    pub given_up: u64,
    /// What some run violated.
    pub violations: BTreeMap<Violated, CheckKind>,
    /// States at loop heads that were compared.
    pub states: u64,
    /// How long the analysis took.
    pub analysis: Duration,
}

/// Something that a run violated.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Violated {
    /// An obligation of the program.
    Obligation(FuncId, ObligationId),
    /// A rule of the library at a call.
    Call(Location, CheckKind),
}

/// An engine claimed what is not so.
pub struct Exception {
    /// What, for a person.
    pub message: String,
    /// The inputs of the run that shows it.
    pub inputs: Vec<u128>,
}

impl fmt::Display for Exception {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "EXCEPTION: {}", self.message)
    }
}

/// Analyses a program and compares it with its runs, until the first exception.
pub fn judge(
    program: &Program,
    engine: &dyn Engine,
    inputs: impl Iterator<Item = Vec<u128>>,
) -> Result<Report> {
    let start = Instant::now();
    let analysis = match catch_unwind(AssertUnwindSafe(|| engine.analyse(program))) {
        Ok(analysis) => analysis?,
        Err(_) => bail!("the engine panicked"),
    };
    let unexamined = analysis.given_up();
    let mut report = Report { analysis: start.elapsed(), unexamined, ..Report::default() };
    count_claims(program, &*analysis, &mut report);
    for inputs in inputs {
        if let Some(message) = one_run(program, &*analysis, &inputs, &mut report)? {
            report.exception = Some(Exception { message, inputs });
            break;
        }
    }
    Ok(report)
}

fn count_claims(program: &Program, analysis: &dyn Analysis, report: &mut Report) {
    for (id, function) in program.functions.iter_enumerated() {
        let Some(body) = &function.body else { continue };
        report.obligations += body.obligations.len() as u64;
        report.claimed += body.obligations.indices().filter(|o| analysis.claims(id, *o)).count() as u64;
    }
}

/// Runs the program once; says what the engine was wrong about.
fn one_run(
    program: &Program,
    analysis: &dyn Analysis,
    inputs: &[u128],
    report: &mut Report,
) -> Result<Option<String>> {
    let options = Options {
        inputs: inputs.to_vec(),
        step_limit: Some(STEPS),
        memory_limit: 256 << 20,
        count_all: true,
        ..Options::default()
    };
    let mut watcher = Watcher { analysis, states: 0, ticks: 0, outside: None };
    let mut heads = analysis.loop_heads();
    heads.extend(analysis.clock().map(|function| (function, BlockId(0))));
    let outcome = run_observed(program, &options, &mut Captured::default(), &heads, &mut watcher);
    report.runs += 1;
    report.states += watcher.states;
    match &outcome.end {
        End::Finding => report.stopped += 1,
        End::Error(RunError::Limit(_)) => report.limited += 1,
        End::Error(RunError::Unsupported { .. }) => report.given_up += 1,
        End::Error(error) => bail!("the run failed: {error:?}"),
        End::Exit(_) | End::Signal(_) | End::Assumed => {}
    }
    let wrong = wrong_claim(program, analysis, &outcome, report);
    // The state comes before the violation.
    Ok(watcher
        .outside
        .map(|(function, block, what)| {
            let name = &program.functions[function].source_name;
            format!("a state at {block} of `{name}` lies outside the invariant: {what}")
        })
        .or(wrong))
}

/// A violation of the run that the engine claims does not happen.
fn wrong_claim(
    program: &Program,
    analysis: &dyn Analysis,
    outcome: &Outcome,
    report: &mut Report,
) -> Option<String> {
    let findings = outcome.findings.iter().map(|f| (f.check, f.obligation, f.call, f.span, &f.message));
    let counted = outcome.counted.iter().map(|c| (c.check, c.obligation, c.call, c.span, &c.first));
    let mut wrong = None;
    for (check, obligation, call, span, message) in findings.chain(counted) {
        // That the stack suffices is an assumption of every proof.
        if check == CheckKind::StackExhausted {
            continue;
        }
        let (violated, claimed) = match (obligation, call) {
            (Some((function, obligation)), _) => {
                (Violated::Obligation(function, obligation), analysis.claims(function, obligation))
            }
            (None, Some(call)) => (Violated::Call(call, check), analysis.claims_call(call, check)),
            (None, None) => continue,
        };
        report.violations.insert(violated, check);
        if claimed && wrong.is_none() {
            let place = program.sources.place(span);
            wrong = Some(format!(
                "{place}: {check} was proved without a condition, yet: {message} ({violated:?})"
            ));
        }
    }
    wrong
}

/// Compares states with invariants.
struct Watcher<'a> {
    analysis: &'a dyn Analysis,
    states: u64,
    /// Calls of the function that waits for the clock.
    ticks: u64,
    outside: Option<(FuncId, BlockId, String)>,
}

impl Observer for Watcher<'_> {
    fn at_block(&mut self, function: FuncId, block: BlockId, view: &View<'_>) {
        if self.analysis.clock() == Some(function) && block == BlockId(0) {
            self.ticks += 1;
            return;
        }
        if self.outside.is_some() || self.states >= STATES {
            return;
        }
        self.states += 1;
        if let Err(what) = self.analysis.contains(function, block, view, self.ticks) {
            self.outside = Some((function, block, what));
        }
    }
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a run on given inputs violates: how the witnesses of engines that run nothing themselves are confirmed.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use clew_interpreter::Options;
use clew_interpreter::closed::run_witness;
use clew_ir::obligation::CheckKind;
use clew_ir::syntax::Program;
use clew_ir::witness::Witness;

use crate::effort::MEMORY;
use crate::engine::{Found, GARBAGE, Key, key_of, violations};

/// How a run is looked at, and for how long.
pub struct Effort {
    /// Whether the checks that are off by default are looked at too.
    pub count_all: bool,
    /// Steps.
    pub steps: u64,
    /// Ends the run when it is set.
    pub cancelled: Arc<AtomicBool>,
}

/// What a run on the inputs of a witness violates, in its order. Nothing if the witness cannot be read. What follows
/// a read of what was never written counts only if it happens with other garbage there too.
pub fn replayed(program: &Program, witness: &Witness, effort: &Effort) -> Vec<Found> {
    let options = Options {
        count_all: effort.count_all,
        step_limit: Some(effort.steps),
        cancelled: Some(effort.cancelled.clone()),
        memory_limit: MEMORY,
        counts_once: true,
        ..Options::default()
    };
    let mut found = run(program, witness, &options);
    let garbage = found.iter().position(|found| found.finding.check == CheckKind::UninitialisedRead);
    if let Some(first) = garbage.filter(|first| first + 1 < found.len()) {
        let others = run(program, witness, &Options { garbage: GARBAGE, ..options });
        let happens = |key: Key| others.iter().any(|other| other.key == key);
        let mut index = 0;
        found.retain(|found| {
            index += 1;
            index <= first + 1 || happens(found.key)
        });
    }
    found
}

fn run(program: &Program, witness: &Witness, options: &Options) -> Vec<Found> {
    let Ok((outcome, _)) = run_witness(program, witness, options) else { return Vec::new() };
    let mut found: Vec<Found> = Vec::new();
    for finding in violations(&outcome) {
        let Some(key) = key_of(&finding) else { continue };
        let before = found.iter().map(|found| found.key).collect();
        let (witness, missing) = (witness.clone(), outcome.missing.clone());
        found.push(Found { key, finding, witness, missing, before });
    }
    found
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a run on given inputs violates: how the witnesses of engines that run nothing themselves are confirmed.

use clew_ir::obligation::CheckKind;
use clew_ir::syntax::Program;
use clew_ir::witness::Witness;
use clew_replay::Options;
use clew_replay::closed::run_witness;

use crate::engine::{Found, GARBAGE, Key, MEMORY, key_of, violations};

/// What a run on the inputs of a witness violates, in its order. Nothing if the witness cannot be read. What follows
/// a read of what was never written counts only if it happens with other garbage there too. Runs end after so many
/// steps.
pub fn replayed(program: &Program, witness: &Witness, count_all: bool, steps: u64) -> Vec<Found> {
    let step_limit = Some(steps);
    let options =
        Options { count_all, step_limit, memory_limit: MEMORY, counts_once: true, ..Options::default() };
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

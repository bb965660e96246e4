// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs that are too long for the search: the compiled program makes them, and where it fails the interpreter follows.
//!
//! The compiled program is several times faster, so that most long runs, which end well or do not end, cost little. It
//! is only asked which runs are worth following: what they violate, and that they do, is the interpreter's word. Where
//! it cannot be asked, the one run of a program without inputs is followed as it is.

use std::collections::BTreeSet;

use clew_confirm::scout::{Sighting, sees};
use clew_ir::obligation::CheckKind;
use clew_ir::syntax::Program;
use clew_ir::witness::Witness;
use clew_search::{Effort, Found, Key, LONGEST_ALONE, Unfinished, replayed};

use crate::confirm::Confirming;
use crate::watch::{CANCEL, is_cancelled};

/// Blocks of the compiled program in all runs: about three seconds of one core.
const BLOCKS: u64 = 1_200_000_000;
/// Blocks in one run. The interpreter must be able to follow, and has about half as many steps.
const BLOCKS_OF_ONE: u64 = 2 * LONGEST_ALONE;
/// Places where the compiled program fails that the interpreter goes to: each may take it seconds.
const FOLLOWED: usize = 3;

/// What the unfinished runs of a search violate of what is open, and what else they do on their way.
pub fn scout(
    program: &Program,
    open: &BTreeSet<Key>,
    unfinished: &[Unfinished],
    confirming: Option<&mut Confirming<'_>>,
) -> Vec<Found> {
    if open.is_empty() || unfinished.is_empty() || is_cancelled() {
        return Vec::new();
    }
    let checks: BTreeSet<CheckKind> = open.iter().filter_map(|key| check_of(program, key)).collect();
    let sightings = native(&checks, unfinished, confirming);
    let sees_all = checks.iter().all(|check| sees(*check));
    let mut places = BTreeSet::new();
    let mut left = open.clone();
    let (mut all, mut seen): (Vec<Found>, BTreeSet<Key>) = Default::default();
    for (run, sighting) in unfinished.iter().zip(sightings) {
        let is_followed = match sighting {
            Some(Sighting::Fault(place)) => places.insert(place) && places.len() <= FOLLOWED,
            // Silence settles nothing where the sanitizers do not see all that is open.
            Some(Sighting::Nothing) => run.is_only && !sees_all,
            None => run.is_only,
        };
        if !is_followed || left.is_empty() {
            continue;
        }
        for found in follow(program, &run.witness) {
            left.remove(&found.key);
            if seen.insert(found.key) {
                all.push(found);
            }
        }
    }
    all
}

/// What the compiled program does in each of the runs; none where nobody knows.
fn native(
    checks: &BTreeSet<CheckKind>,
    unfinished: &[Unfinished],
    confirming: Option<&mut Confirming<'_>>,
) -> Vec<Option<Sighting>> {
    let Some(confirming) = confirming.filter(|_| checks.iter().any(|check| sees(*check))) else {
        return vec![None; unfinished.len()];
    };
    let witnesses: Vec<&Witness> = unfinished.iter().map(|run| &run.witness).collect();
    let blocks = (BLOCKS / witnesses.len() as u64).min(BLOCKS_OF_ONE);
    confirming.scout(&witnesses, checks.contains(&CheckKind::MemoryLeak), blocks)
}

/// What a long run violates: for checks that are on by default, the others would take too long to look at.
fn follow(program: &Program, witness: &Witness) -> Vec<Found> {
    let effort = Effort { count_all: false, steps: LONGEST_ALONE, cancelled: CANCEL.clone() };
    replayed(program, witness, &effort)
}

fn check_of(program: &Program, key: &Key) -> Option<CheckKind> {
    match key {
        Key::Obligation(function, id) => {
            program.functions[*function].body.as_ref().map(|body| body.obligations[*id].check)
        }
        Key::Call(_, check) => Some(*check),
    }
}

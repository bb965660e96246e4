// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a run does about each check: not look, count, or stop.

use clew_checks::After;
use clew_ir::obligation::CheckKind;
use clew_ir::syntax::Semantics;

use crate::outcome::Options;

/// What happens when a check is violated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// Nothing: the check is off.
    Ignore,
    /// Counted, and the run goes on with the machine's answer.
    Count,
    /// The run ends.
    Stop,
    /// Recorded as a finding, and the run goes on (`--all`).
    Record,
}

/// The action for every check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Policy {
    actions: Vec<Action>,
}

impl Policy {
    /// From the options and the flags that change what operations mean.
    pub fn new(options: &Options, semantics: Semantics) -> Policy {
        let actions = CheckKind::ALL.iter().map(|check| action(*check, options, semantics)).collect();
        Policy { actions }
    }

    /// What to do about a check.
    #[inline]
    pub fn action(&self, check: CheckKind) -> Action {
        self.actions[check as usize]
    }
}

fn action(check: CheckKind, options: &Options, semantics: Semantics) -> Action {
    if options.stop_on.contains(&check) {
        return if options.all { Action::Record } else { Action::Stop };
    }
    match clew_checks::after(check, semantics) {
        _ if !clew_checks::check(check).on_by_default && !options.count_all => Action::Ignore,
        After::Continue => Action::Count,
        After::Stop if options.goes_on_after.contains(&check) => Action::Count,
        After::Stop if options.all => Action::Record,
        After::Stop => Action::Stop,
    }
}

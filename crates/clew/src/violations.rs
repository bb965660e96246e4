// SPDX-License-Identifier: MIT OR Apache-2.0
//! What was violated, for people, as the engines find it.

use clew_report::{Effort, Finding};

use crate::guard::worse;

/// What was violated, for people.
#[derive(Default)]
pub struct Violations {
    pub findings: Vec<Finding>,
    /// What was proved and violated: never the program's fault.
    pub faults: Vec<String>,
    /// Witnesses that the compiled program does not follow, and tests that could not be kept.
    pub notes: Vec<String>,
    /// How far the search for them came.
    pub search: Effort,
    /// And the solver, for what was open then.
    pub solver: Effort,
}

impl Violations {
    /// Of an entry on which the engines failed.
    pub fn failed() -> Violations {
        Violations { search: Effort::Failed, solver: Effort::Failed, ..Violations::default() }
    }

    /// Adds those of another program.
    pub fn extend(&mut self, other: Violations) {
        self.findings.extend(other.findings);
        self.faults.extend(other.faults);
        self.notes.extend(other.notes);
        self.search = worse(std::mem::take(&mut self.search), other.search);
        self.solver = worse(std::mem::take(&mut self.solver), other.solver);
    }
}

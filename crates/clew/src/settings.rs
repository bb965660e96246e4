// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the user asked for, in one place: flags and defaults, read once and handed down the road.

use std::path::PathBuf;
use std::time::Instant;

use clew_absint::level::Level;
use clew_checks::{CheckSet, Stops};

use crate::assumed::Assumed;
use crate::contracts::Contracts;
use crate::flags::Part;
use crate::slices::Asked;
use crate::solvers::Outside;

/// The settings of one `clew check`.
#[derive(Clone)]
pub struct Settings {
    /// The entries that the user named; none: `main`, or all that code elsewhere can call.
    pub entries: Vec<String>,
    /// The checks that are shown.
    pub shown: CheckSet,
    /// What may be assumed.
    pub assumed: Assumed,
    /// What callers of entries are trusted with.
    pub contracts: Contracts,
    /// Which checks end runs.
    pub stops: Stops,
    /// When all work must end.
    pub end: Option<Instant>,
    /// When the proofs of all programs together must end, but for a first answer.
    pub deadline: Option<Instant>,
    /// Entries at once.
    pub threads: usize,
    /// Whether to say what holds at loop heads.
    pub invariants: bool,
    /// The domains that take part in proofs, and how much work they are worth, at most: the lowest level comes first.
    pub level: Level,
    /// The name of the function that waits for the clock.
    pub clock: String,
    /// The slices that are asked for.
    pub slices: Option<Asked>,
    /// Whether findings carry the branches that lead to them.
    pub tells_path: bool,
    /// Whether inputs are looked for that violate what is open.
    pub searches: bool,
    /// The second solver.
    pub solver: Option<Outside>,
    /// Whether to say what solving costs, without these parts.
    pub costs_without: Option<Vec<Part>>,
    /// Where the tests of confirmed violations are kept; none: the compiled program is not asked.
    pub keep: Option<PathBuf>,
}

impl Settings {
    /// Whether the user named no entries: then callers may see to it that nothing happens.
    pub fn is_implicit(&self) -> bool {
        self.entries.is_empty()
    }
}

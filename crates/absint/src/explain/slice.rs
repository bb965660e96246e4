// SPDX-License-Identifier: MIT OR Apache-2.0
//! Alarm slices (paper 004, section 3.3): the part of a program that an open obligation comes from.
//!
//! Weiser's slice of an alarm holds every statement that its operands depend on, and is mostly too large to read. Paper
//! 004 follows only "the variables we lack information about", and hopes for an *abstract slice*: "the computations that
//! lead to an alarm point and a meaningful fragment of the invariant". This is that. It goes backwards from the operands
//! of an obligation over the values that were met (`value_log`) and
//!
//! - follows, of the operands of an operation, those that leave the most freedom (`blame`), and names the ranges of the
//!   others, where it stops: they are the fragment of the invariant;
//! - follows a read of memory to the writes that may have put there what was read, in callers and callees too;
//! - shows, of the definitions that come together, those that reach the bounds of what came out;
//! - shows the tests that decide whether a statement of the slice runs if they look at a value of the slice, since such
//!   a test could have bounded it, and follows what that value is compared with; of the obligation's own tests all;
//! - ends at constants and inputs, calls of functions that are not here, writes through pointers that are not known:
//!   there it says what was lost. It also says where a loop was widened and where a join lost what its parts knew.
//!
//! What it claims, and `cargo xtask slices` tests on generated programs: with the statements of the slice as they are,
//! any value of its range for each operand where it stops, tests that are not in it undecided, and every other
//! statement that gives a number giving one fixed number, the obligation is still open.
//!
//! Each statement is visited once for each register that is sought backwards over it: linear in the functions that the
//! slice comes to, as long as it stays small. After `MOST_STEPS` statements it ends and says so.

mod blame;
mod cells;
mod control;
mod deciding;
mod search;
mod start;
mod text;
mod values;
mod walk;

use std::collections::{BTreeMap, BTreeSet};

use clew_base::source::Span;
use clew_ir::syntax::LocalId;

use crate::engine::evaluator::Evaluator;
use crate::engine::finding::{Finding, Outcome};
use crate::engine::results::Subject;
use crate::program::object::Site;

/// A statement that reads a register, and the least and largest number it may be there, if it is a number.
pub type Stop = (Site, LocalId, Option<(i128, i128)>);

/// Why an obligation is open.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Slice {
    /// The lines, that of the obligation first, then in the order in which they were met going backwards.
    pub steps: Vec<Step>,
    /// The operands where it stopped because enough is known of them, or because they only decide what runs.
    pub stops: BTreeSet<Stop>,
    /// The statements themselves, those of library models among them.
    pub sites: BTreeSet<Site>,
    /// Whether there is more than was worth looking at.
    pub is_cut: bool,
}

/// The statements and tests of a slice on one line of the text; those of a library model stand at the program's call.
#[derive(Clone, PartialEq, Debug)]
pub struct Step {
    /// The C text of the first of them.
    pub span: Span,
    /// Variables and places with what is known of them there.
    pub values: Vec<(String, String)>,
    /// What was lost there, in words.
    pub lost: Vec<String>,
}

impl Evaluator<'_> {
    /// The slices that were asked for.
    pub(crate) fn slices(&mut self, findings: &BTreeMap<Subject, Finding>) -> BTreeMap<Subject, Slice> {
        let (Some(wanted), Some(noted)) = (self.facts.options.slices, self.recorder.value_log.take()) else {
            return BTreeMap::new();
        };
        let mut slices = BTreeMap::new();
        let mut shapes = walk::Shapes::default();
        for (subject, finding) in findings {
            if matches!(finding.outcome, Outcome::Open(_)) && wanted(subject) {
                let slice = walk::Walk::new(self, &noted, &mut shapes).slice(subject);
                slices.extend(slice.map(|slice| (*subject, slice)));
            }
        }
        slices
    }
}

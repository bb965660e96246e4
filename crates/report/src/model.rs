// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a report says, before any format.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use clew_base::source::Place;
use clew_checks::check;
use clew_ir::obligation::{CheckKind, StableId};
use clew_ir::verdict::Verdict;

/// What is known of a program.
#[derive(Clone, PartialEq, Debug)]
pub struct Report {
    /// What was read.
    pub program: Program,
    /// The obligations that are shown, by file, line, column, check and id.
    pub rows: Vec<Row>,
    /// Obligations of checks that are not selected, on which some that are shown rest, in the same order.
    pub rests_on: Vec<Row>,
    /// Obligations that exist and are not shown.
    pub hidden: u64,
    /// Names of the assumptions in force.
    pub assumptions: Vec<String>,
    /// How much work proving was worth, where something was to be proved.
    pub level: Option<Level>,
    /// What was looked at and what was not.
    pub coverage: Coverage,
    /// What holds at loop heads, where it was asked for.
    pub invariants: Vec<Invariant>,
    /// Rows that a comment or a baseline suppresses.
    pub suppressed: BTreeMap<StableId, Suppression>,
    /// Violations that have nothing to do with the changed lines, where only those were asked for.
    pub elsewhere: BTreeSet<StableId>,
}

/// Who suppresses a row, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Suppression {
    /// Whether it is a comment in the source, and not a baseline.
    pub in_source: bool,
    /// Why, where that is said.
    pub reason: Option<String>,
}

/// How much work proving was worth.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Level {
    /// As users write it.
    pub number: u8,
    /// What it is called.
    pub name: String,
    /// Whether it is the one that is taken when none is named.
    pub is_default: bool,
    /// Domains that were switched off.
    pub without: Vec<String>,
}

/// What holds at the head of a loop in every iteration.
#[derive(Clone, PartialEq, Debug)]
pub struct Invariant {
    /// The function where runs start.
    pub entry: String,
    /// The function of the loop.
    pub function: Arc<str>,
    /// Where the loop is.
    pub place: Place,
    /// What holds, one fact each.
    pub facts: Vec<String>,
}

/// What was read.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Program {
    /// The C files, as the user names them.
    pub files: Vec<String>,
    /// The machine.
    pub target: String,
    /// Where runs start.
    pub entries: Vec<String>,
}

/// One obligation and what is known of it.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    /// Its stable name.
    pub id: StableId,
    /// Which check.
    pub check: CheckKind,
    /// The function it stands in.
    pub function: Arc<str>,
    /// Where.
    pub place: Place,
    /// The C text of the operation, shortened.
    pub text: String,
    /// What is known.
    pub verdict: Verdict,
    /// Names of the assumptions that this verdict rests on.
    pub assumptions: Vec<String>,
    /// Where it comes from, if it is open and that was asked for.
    pub slice: Option<Slice>,
}

/// The part of the program that an open obligation comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Slice {
    /// Lines of the text, in their order.
    pub lines: Vec<SliceLine>,
    /// Whether there is more.
    pub is_cut: bool,
}

/// A line of a slice.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SliceLine {
    /// Where.
    pub place: Place,
    /// The line's text, shortened.
    pub text: String,
    /// Variables with what is known of them there.
    pub values: Vec<(String, String)>,
    /// What was lost there.
    pub lost: Vec<String>,
}

/// What was looked at and what was not.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Coverage {
    /// Functions with a body.
    pub functions: u64,
    /// Functions with a body that no entry reaches.
    pub unreached: Vec<String>,
    /// Functions that are called and have no body.
    pub missing: Vec<String>,
    /// Places that clew does not support.
    pub unsupported: Vec<(Place, String)>,
    /// Files that could not be read, with the reason.
    pub rejected: Vec<(String, String)>,
    /// Whether a limit or the user cut the work short.
    pub truncated: bool,
    /// What the engines did from each entry, in the order of the entries.
    pub tried: Vec<Tried>,
}

/// What the engines did from one entry.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tried {
    /// The entry.
    pub entry: String,
    /// The proofs for all inputs.
    pub proofs: Effort,
    /// The search for inputs that violate what is open.
    pub search: Effort,
    /// The solver, for what is still open then.
    pub solver: Effort,
}

/// How far an engine came.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Effort {
    /// It did what it was asked for. For a search that is as many runs as it has steps.
    Done,
    /// Nothing was left for it.
    #[default]
    NotNeeded,
    /// It was not asked, or could not be, for this reason.
    Skipped(String),
    /// It left something out, for this reason.
    GaveUp(String),
    /// It was ended from outside: by the user, by `--budget`.
    CutShort,
    /// It failed, which is a fault of ours.
    Failed,
}

impl Effort {
    /// In one word, for programs.
    pub fn name(&self) -> &'static str {
        match self {
            Effort::Done => "done",
            Effort::NotNeeded => "not_needed",
            Effort::Skipped(_) => "skipped",
            Effort::GaveUp(_) => "gave_up",
            Effort::CutShort => "cut_short",
            Effort::Failed => "failed",
        }
    }

    /// Why it did not do all, where there is more to say than the name.
    pub fn why(&self) -> Option<&str> {
        match self {
            Effort::Skipped(why) | Effort::GaveUp(why) => Some(why),
            Effort::Done | Effort::NotNeeded | Effort::CutShort | Effort::Failed => None,
        }
    }
}

/// How many rows have which verdict.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Proved without a condition.
    pub proved: u64,
    /// Proved given other obligations.
    pub proved_given: u64,
    /// Violated.
    pub violated: u64,
    /// Unreachable without a condition.
    pub unreachable: u64,
    /// Unreachable given other obligations.
    pub unreachable_given: u64,
    /// Open.
    pub open: u64,
}

impl Counts {
    /// All of them.
    pub fn total(&self) -> u64 {
        self.proved
            + self.proved_given
            + self.violated
            + self.unreachable
            + self.unreachable_given
            + self.open
    }

    pub(crate) fn add(&mut self, verdict: &Verdict) {
        *match verdict {
            Verdict::Proved(proof) if proof.given.is_empty() => &mut self.proved,
            Verdict::Proved(_) => &mut self.proved_given,
            Verdict::Violated { .. } => &mut self.violated,
            Verdict::Unreachable(proof) if proof.given.is_empty() => &mut self.unreachable,
            Verdict::Unreachable(_) => &mut self.unreachable_given,
            Verdict::Open(_) => &mut self.open,
        } += 1;
    }
}

impl Report {
    /// A report of which nothing is known yet.
    pub fn of(program: Program) -> Report {
        Report {
            program,
            rows: Vec::new(),
            rests_on: Vec::new(),
            hidden: 0,
            assumptions: Vec::new(),
            level: None,
            coverage: Coverage::default(),
            invariants: Vec::new(),
            suppressed: BTreeMap::new(),
            elsewhere: BTreeSet::new(),
        }
    }

    /// Puts the rows in the order in which they are shown.
    pub fn sort(&mut self) {
        self.rows.sort_by(|a, b| (&a.place, a.check, &a.id).cmp(&(&b.place, b.check, &b.id)));
    }

    /// Whether a row counts: nobody suppresses it, and it has to do with what is asked about.
    pub fn counts_for(&self, row: &Row) -> bool {
        !self.suppressed.contains_key(&row.id) && !self.elsewhere.contains(&row.id)
    }

    /// Counts of all rows.
    pub fn counts(&self) -> Counts {
        count(&self.rows)
    }

    /// The rows of each check that has some, in the order of the checks.
    pub fn by_check(&self) -> Vec<(CheckKind, Vec<&Row>)> {
        // Large programs have a million rows: one pass for all checks.
        let mut groups: Vec<Vec<&Row>> = vec![Vec::new(); CheckKind::ALL.len()];
        self.rows.iter().for_each(|row| groups[row.check as usize].push(row));
        let named = CheckKind::ALL.iter().copied().zip(groups);
        named.filter(|(_, rows)| !rows.is_empty()).collect()
    }
}

/// Counts of some rows.
pub fn count<'a>(rows: impl IntoIterator<Item = &'a Row>) -> Counts {
    let mut counts = Counts::default();
    rows.into_iter().for_each(|row| counts.add(&row.verdict));
    counts
}

impl Row {
    /// The number in the Common Weakness Enumeration.
    pub fn cwe(&self) -> u16 {
        check(self.check).cwe
    }
}

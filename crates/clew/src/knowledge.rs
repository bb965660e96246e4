// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is known of one program's obligations: what each is called, and the ledger of what engines said. The rows of the
//! report are the last view of it.

use std::sync::Arc;

use clew_base::source::Place;
use clew_ir::fact::ledger::{Entry, Ledger};
use clew_ir::obligation::{CheckKind, StableId};
use clew_ir::verdict::Verdict;
use clew_report::{Row, Slice};

/// What is said of an obligation whatever is known of it.
#[derive(Clone, Debug)]
pub struct Title {
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
    /// Where it comes from, should it stay open.
    pub slice: Option<Slice>,
}

impl Title {
    /// The row of an obligation of which this is known.
    pub fn with(&self, verdict: Verdict, assumptions: Vec<String>) -> Row {
        let Title { id, check, function, place, text, slice } = self.clone();
        let slice = slice.filter(|_| matches!(verdict, Verdict::Open(_)));
        Row { id, check, function, place, text, verdict, assumptions, slice }
    }

    /// The row, as the ledger says.
    pub fn row(&self, ledger: &Ledger) -> Row {
        let assumptions = ledger.get(&self.id).map(Entry::assumptions).unwrap_or_default();
        self.with(ledger.verdict(&self.id).clone(), assumptions.to_vec())
    }
}

/// What is known of a program's obligations.
#[derive(Clone, Debug, Default)]
pub struct Knowledge {
    /// The obligations.
    pub titles: Vec<Title>,
    /// What is known of them.
    pub ledger: Ledger,
}

impl Knowledge {
    /// Of obligations of which nothing is known yet.
    pub fn open(titles: Vec<Title>) -> Knowledge {
        Knowledge { titles, ledger: Ledger::default() }
    }

    /// The obligations with their verdicts.
    pub fn verdicts(&self) -> impl Iterator<Item = (&Title, &Verdict)> {
        self.titles.iter().map(|title| (title, self.ledger.verdict(&title.id)))
    }

    /// Whether something is open.
    pub fn has_open(&self) -> bool {
        self.verdicts().any(|(_, verdict)| matches!(verdict, Verdict::Open(_)))
    }

    /// The rows of the report.
    pub fn rows(&self) -> Vec<Row> {
        self.titles.iter().map(|title| title.row(&self.ledger)).collect()
    }
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! A solver outside of clew: for what is too hard for ours, and as a second opinion on what ours says cannot be.
//!
//! Its `sat` counts only with values that hold by the terms' own meaning. Its `unsat` counts where ours has no answer,
//! and whoever builds on it says so. One that fails (it ends badly, says nothing that is an answer) is not asked
//! again, and so is one that too often has no answer: how long it takes us is bounded by counting.

use std::collections::BTreeSet;

use clew_ir::syntax::{FuncId, ObligationId};

use crate::effort::MOST_UNANSWERED_OUTSIDE;
use crate::smtlib::{Query, Reply};
use crate::term::evaluate::Model;
use crate::term::{TermId, Terms};

/// Puts a script to the solver: what it prints, or why it cannot be asked.
pub type Ask<'a> = &'a (dyn Fn(&str) -> Result<String, String> + Sync);

/// How much of what is no answer is kept.
const SHOWN: usize = 80;

/// What came of asking.
#[derive(Clone, Default, Debug)]
pub struct Log {
    /// Queries that were too hard for us, and that it answered.
    pub settled: u64,
    /// Those that it did not answer either.
    pub unsettled: u64,
    /// Proofs of ours that it agrees with.
    pub agreed: u64,
    /// Times that it said `sat` without values for which it is so.
    pub unshown: u64,
    /// Proofs of ours that its values contradict, each the obligations that it was about; none: about runs that are
    /// not followed.
    pub contradicted: Vec<BTreeSet<(FuncId, ObligationId)>>,
    /// Why it is not asked any more.
    pub trouble: Option<String>,
}

/// What it says of a proof of ours.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Opinion {
    /// The same, or nothing.
    NoObjection,
    /// Something else, without values that show it.
    Disputed,
    /// There are values.
    Contradicted,
}

/// What it says of a query that was too hard.
#[derive(Debug)]
pub(crate) enum Settled {
    /// There are values: these.
    Sat(Model),
    /// There are none.
    Unsat,
    /// Nothing that counts.
    Unknown,
}

/// A solver outside.
pub(crate) struct Outside<'a> {
    ask: Ask<'a>,
    log: Log,
    /// Second opinions that it did not have.
    silent: u32,
}

impl<'a> Outside<'a> {
    pub fn new(ask: Ask<'a>) -> Outside<'a> {
        Outside { ask, log: Log::default(), silent: 0 }
    }

    pub fn into_log(self) -> Log {
        self.log
    }

    /// A query that was too hard for our solver.
    pub fn settle(&mut self, terms: &Terms, assumptions: &[TermId]) -> Settled {
        if self.log.unsettled >= u64::from(MOST_UNANSWERED_OUTSIDE) {
            return Settled::Unknown;
        }
        let settled = match self.reply(terms, assumptions) {
            None => return Settled::Unknown,
            Some((Reply::Sat(model), _)) => Settled::Sat(model),
            Some((Reply::Unsat, _)) => Settled::Unsat,
            Some(_) => {
                self.log.unsettled += 1;
                return Settled::Unknown;
            }
        };
        self.log.settled += 1;
        settled
    }

    /// A second opinion: our solver says that these cannot all hold.
    pub fn opinion(&mut self, terms: &Terms, assumptions: &[TermId]) -> Opinion {
        if self.silent >= MOST_UNANSWERED_OUTSIDE {
            return Opinion::NoObjection;
        }
        match self.reply(terms, assumptions) {
            None => Opinion::NoObjection,
            Some((Reply::Sat(_), _)) => Opinion::Contradicted,
            // The script is weaker than the terms where bits of a NaN matter: that is no dispute.
            Some((Reply::Unshown, true)) => Opinion::Disputed,
            Some((Reply::Unsat, _)) => {
                self.log.agreed += 1;
                Opinion::NoObjection
            }
            Some(_) => {
                self.silent += 1;
                Opinion::NoObjection
            }
        }
    }

    /// Notes down which obligations a contradicted proof was about.
    pub fn contradict(&mut self, about: BTreeSet<(FuncId, ObligationId)>) {
        self.log.contradicted.push(about);
    }

    /// The reply, and whether the query was all that the terms say; none if it cannot be asked.
    fn reply(&mut self, terms: &Terms, assumptions: &[TermId]) -> Option<(Reply, bool)> {
        if self.log.trouble.is_some() {
            return None;
        }
        let query = Query::new(terms, assumptions).ok()?;
        let reply = match (self.ask)(query.text()) {
            Ok(output) => query.read(&output),
            Err(why) => {
                self.log.trouble = Some(why);
                Reply::Unknown
            }
        };
        match &reply {
            Reply::Unshown => self.log.unshown += 1,
            Reply::Nonsense(line) => {
                let line: String = line.chars().take(SHOWN).collect();
                self.log.trouble = Some(format!("its output is no answer: `{}`", line.escape_debug()));
            }
            _ => {}
        }
        Some((reply, query.is_exact()))
    }
}

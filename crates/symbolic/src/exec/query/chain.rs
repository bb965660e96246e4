// SPDX-License-Identifier: MIT OR Apache-2.0
//! The events of an execution in a chain: which of them may be the first to end a run.

use clew_ir::location::ObligationRef;

use crate::exec::context::Exec;
use crate::exec::record::event::{EventKind, Reason, Shows};
use crate::term::TermId;

/// A check that may be the first to be violated.
pub(crate) struct Candidate {
    pub subject: ObligationRef,
    /// One bit: it is violated, and nothing before it ended the run.
    pub first: TermId,
    /// One bit: the same, and up to here the interpreter runs it as the execution did.
    pub sure: TermId,
    pub shows: Shows,
}

/// What the events say together.
pub(crate) struct Chain {
    pub candidates: Vec<Candidate>,
    pub cuts: Vec<(Reason, TermId)>,
    /// One bit: no assumption of the run fails.
    pub counts: TermId,
    /// One bit: the interpreter runs it as the execution did, to its end.
    pub exact: TermId,
}

/// The open checks and the cuts, each with the condition that a run comes to it.
pub(crate) fn chain(exec: &mut Exec<'_>) -> Chain {
    let terms = &mut exec.eval.encoder.terms;
    let mut going = terms.bool(true);
    let (mut candidates, mut cuts) = (Vec::new(), Vec::new());
    let (mut failed, mut loose) = (Vec::new(), terms.bool(false));
    for event in &exec.eval.record.events {
        let first = terms.and(going, event.happens);
        if terms.is_false(first) {
            continue;
        }
        match &event.kind {
            EventKind::Check { subject, stops: _, is_open, shows } => {
                if *is_open {
                    let exact = terms.not(loose);
                    let sure = terms.and(first, exact);
                    candidates.push(Candidate { subject: *subject, first, sure, shows: *shows });
                }
            }
            EventKind::Assume => failed.push(first),
            EventKind::Cut(why) => {
                cuts.push((*why, first));
                // What was chosen is in the witness.
                let is_given = exec.eval.plan.chooses && *why == Reason::Unwritten;
                if why.is_loose() && !is_given {
                    loose = terms.or(loose, first);
                }
            }
            EventKind::Loose => loose = terms.or(loose, first),
        }
        if event.kind.ends() {
            let not = terms.not(event.happens);
            going = terms.and(going, not);
        }
    }
    let failed = terms.any(&failed);
    let (counts, exact) = (terms.not(failed), terms.not(loose));
    Chain { candidates, cuts, counts, exact }
}

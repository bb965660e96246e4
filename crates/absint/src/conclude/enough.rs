// SPDX-License-Identifier: MIT OR Apache-2.0
//! Whether one round of an analysis alone would have said as much as all of them.

use crate::conclude::rounds::Analysis;
use crate::engine::finding::{Finding, Outcome};

/// Whether this is as good as what was known before: settled if that was, and resting on no more.
fn is_as_good(now: (&Outcome, usize), before: Option<(&Outcome, usize)>) -> bool {
    let settled = |outcome: &Outcome| matches!(outcome, Outcome::Holds | Outcome::Unreached);
    match before {
        Some((outcome, given)) => !settled(outcome) || (settled(now.0) && now.1 <= given),
        // No run comes there.
        None => settled(now.0) && now.1 == 0,
    }
}

/// Whether one round alone says as much as was said in the end.
pub(crate) fn is_enough(round: &Analysis, end: &Analysis) -> bool {
    let of = |finding: &Finding| (finding.outcome.clone(), finding.given.len());
    let findings = round.findings.iter().all(|(subject, now)| {
        let before = end.findings.get(subject).map(of);
        is_as_good((&now.outcome, now.given.len()), before.as_ref().map(|(outcome, given)| (outcome, *given)))
    });
    let calls = round.unreached_calls.iter().all(|(site, (outcome, given))| {
        let before = end.unreached_calls.get(site).map(|(outcome, given)| (outcome, given.len()));
        is_as_good((outcome, given.len()), before)
    });
    findings && calls
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_good_is_settled_and_resting_on_no_more() {
        let (holds, open) = (Outcome::Holds, Outcome::Open(None));
        assert!(is_as_good((&holds, 1), Some((&holds, 1))));
        assert!(is_as_good((&Outcome::Unreached, 0), Some((&holds, 1))));
        assert!(!is_as_good((&holds, 2), Some((&holds, 1))));
        assert!(!is_as_good((&open, 0), Some((&holds, 1))));
        assert!(is_as_good((&open, 0), Some((&open, 0))));
        assert!(is_as_good((&holds, 0), None) && !is_as_good((&holds, 1), None));
        assert!(!is_as_good((&Outcome::Unsupported(String::new()), 0), None));
    }
}

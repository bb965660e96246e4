// SPDX-License-Identifier: MIT OR Apache-2.0
//! Under which condition a run is where it is: the branches it took, as a list.
//!
//! Two states that meet share the branches before they parted. A list, rather than one condition, lets the merged
//! state go on with just those, so that what follows an `if` has the guard of what stood before it, and the choice
//! between the two needs only the branch at which they parted.

use crate::term::{TermId, Terms};

/// The branches taken, each with the conjunction up to it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Path {
    steps: Vec<(TermId, TermId)>,
}

impl Path {
    /// The condition under which the run is here.
    pub fn guard(&self, terms: &mut Terms) -> TermId {
        self.steps.last().map_or_else(|| terms.bool(true), |(_, guard)| *guard)
    }

    /// What is known of a condition here, from the branches alone.
    pub fn decides(&self, terms: &mut Terms, condition: TermId) -> Option<bool> {
        if terms.is_true(condition) {
            return Some(true);
        }
        if terms.is_false(condition) {
            return Some(false);
        }
        let not = terms.not(condition);
        self.steps.iter().find_map(|(step, _)| match *step {
            step if step == condition => Some(true),
            step if step == not => Some(false),
            _ => None,
        })
    }

    /// Takes a branch. `false`: no run comes here.
    #[must_use]
    pub fn take(&mut self, terms: &mut Terms, condition: TermId) -> bool {
        match self.decides(terms, condition) {
            Some(known) => known,
            None => {
                let guard = self.guard(terms);
                let guard = terms.and(guard, condition);
                self.steps.push((condition, guard));
                !terms.is_false(guard)
            }
        }
    }

    /// Takes the branches of another path too. `false`: no run comes here.
    #[must_use]
    pub fn take_all(&mut self, terms: &mut Terms, other: &Path) -> bool {
        other.steps.iter().all(|(step, _)| self.take(terms, *step))
    }

    /// How many branches two paths share before they part.
    pub fn shared(one: &Path, other: &Path) -> usize {
        one.steps.iter().zip(&other.steps).take_while(|(a, b)| a == b).count()
    }

    /// The first branch that only the one took.
    pub fn parted(one: &Path, other: &Path) -> Option<TermId> {
        one.steps.get(Path::shared(one, other)).map(|(step, _)| *step)
    }

    /// The path of two states that exclude each other and meet, and a condition that holds for the first and not
    /// for the second.
    pub fn merge(terms: &mut Terms, one: &Path, other: &Path) -> (Path, TermId) {
        let shared = Path::shared(one, other);
        let (left, right) = (&one.steps[shared..], &other.steps[shared..]);
        let mut path = Path { steps: one.steps[..shared].to_vec() };
        let whole = |terms: &mut Terms, steps: &[(TermId, TermId)]| {
            let steps: Vec<TermId> = steps.iter().map(|(step, _)| *step).collect();
            terms.all(&steps)
        };
        let parted = match (left.first(), right.first()) {
            (Some((a, _)), Some((b, _))) if terms.not(*a) == *b => Some(*a),
            _ => None,
        };
        if let (Some(condition), 1, 1) = (parted, left.len(), right.len()) {
            return (path, condition);
        }
        let (a, b) = (whole(terms, left), whole(terms, right));
        let either = terms.or(a, b);
        // A false disjunction would mean that neither run exists; then what the merged state says is of no account.
        let _ = path.take(terms, either);
        (path, parted.unwrap_or(a))
    }
}

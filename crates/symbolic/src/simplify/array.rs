// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rules of reads and writes.

use super::{Binary, Ternary};
use crate::term::{BinaryOp, Term, TermId, Terms};

pub(super) const SELECT: &[Binary] = &[
    ("everywhere(v)[i] => v", |t, array, _| match t.get(array) {
        Term::ConstArray(element) => Some(element),
        _ => None,
    }),
    ("a[i := v][i] => v", |t, array, index| match t.get(array) {
        Term::Store(_, at, element) => (at == index).then_some(element),
        _ => None,
    }),
    ("a[i := v][j] => a[j], where i and j differ", |t, array, index| {
        let below = below_other_writes(t, array, index);
        (below != array).then(|| t.select(below, index))
    }),
];

pub(super) const STORE: &[Ternary] = &[
    ("a[i := v][i := w] => a[i := w]", |t, array, index, element| match t.get(array) {
        Term::Store(base, at, _) => (at == index).then(|| t.store(base, index, element)),
        _ => None,
    }),
    ("a[i := a[i]] => a", |t, array, index, element| {
        (t.get(element) == Term::Select(array, index)).then_some(array)
    }),
];

/// The array without the latest writes that are all elsewhere.
fn below_other_writes(t: &Terms, array: TermId, index: TermId) -> TermId {
    let mut array = array;
    while let Term::Store(base, at, _) = t.get(array) {
        if !differ(t, at, index) {
            break;
        }
        array = base;
    }
    array
}

/// Whether two indices differ in all models: by their facts, or by a constant that is added to one thing.
pub(super) fn differ(t: &Terms, a: TermId, b: TermId) -> bool {
    if t.facts(a).disjoint(t.facts(b)) {
        return true;
    }
    let ((x, k), (y, m)) = (with_offset(t, a), with_offset(t, b));
    x == y && k != m
}

fn with_offset(t: &Terms, term: TermId) -> (TermId, u128) {
    t.with_constant(BinaryOp::Add, term).unwrap_or((term, 0))
}

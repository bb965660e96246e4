// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a walk leaves: bounds by variable and place, where values may overflow, which tests were not decided.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use clew_base::source::Span;

use crate::algebra::Seen;

/// A variable at an assignment, or at the end (`None`).
pub type RowKey = (Option<Span>, Arc<str>);

/// An operation whose result has to fit.
#[derive(Clone, PartialEq, Debug)]
pub struct Site {
    /// What it has to fit.
    pub format: String,
    /// The variable that gets it, if it is named.
    pub variable: Option<Arc<str>>,
    /// Whether it may not.
    pub may: bool,
    /// The machine's values before they are made to fit.
    pub before: Seen,
}

/// What a walk saw.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Journal {
    /// By variable and place.
    pub rows: BTreeMap<RowKey, Seen>,
    /// Rows without a bound, and why.
    pub unclear: BTreeMap<RowKey, Arc<str>>,
    /// By operation.
    pub sites: BTreeMap<Span, Site>,
    /// Tests that were not decided; whether machine and reals may part there.
    pub tests: BTreeMap<Span, bool>,
    /// Functions that were called, by name.
    pub called: BTreeSet<Arc<str>>,
    /// Whether rows are of no account: on one side of a test at which machine and reals parted.
    pub is_muted: bool,
}

impl Journal {
    /// A variable has a value.
    pub fn row(&mut self, key: RowKey, seen: Seen) {
        if self.is_muted && key.0.is_some() {
            return;
        }
        self.rows.entry(key).and_modify(|old| *old = old.hull(seen)).or_insert(seen);
    }

    /// A variable has a value that nothing is known of.
    pub fn unclear(&mut self, key: RowKey, why: &Arc<str>) {
        self.unclear.entry(key).or_insert_with(|| why.clone());
    }

    /// A result had to fit.
    pub fn site(&mut self, span: Span, site: Site) {
        match self.sites.get_mut(&span) {
            None => {
                self.sites.insert(span, site);
            }
            Some(old) => {
                old.may |= site.may;
                old.before = old.before.hull(site.before);
                old.variable = old.variable.take().or(site.variable);
            }
        }
    }

    /// A test was not decided.
    pub fn test(&mut self, span: Span, parts: bool) {
        *self.tests.entry(span).or_default() |= parts;
    }

    /// What either saw: of two boxes of inputs.
    pub fn merge(&mut self, other: &Journal) {
        for (key, seen) in &other.rows {
            self.rows.entry(key.clone()).and_modify(|old| *old = old.hull(*seen)).or_insert(*seen);
        }
        for (key, why) in &other.unclear {
            self.unclear(key.clone(), why);
        }
        for (span, site) in &other.sites {
            self.site(*span, site.clone());
        }
        for (span, parts) in &other.tests {
            self.test(*span, *parts);
        }
        self.called.extend(other.called.iter().cloned());
    }
}

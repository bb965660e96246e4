// SPDX-License-Identifier: MIT OR Apache-2.0
//! What one execution may cost, and what it has cost.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::exec::request::Options;

/// Statements and terms of one execution.
pub(crate) struct Budget {
    /// Statements so far.
    pub steps: u64,
    most_steps: u64,
    most_terms: usize,
    cancelled: Option<Arc<AtomicBool>>,
}

impl Budget {
    /// As much as is asked for.
    pub fn new(options: &Options<'_>) -> Budget {
        let (most_steps, most_terms) = (options.most_steps, options.most_terms);
        Budget { steps: 0, most_steps, most_terms, cancelled: options.cancelled.clone() }
    }

    /// Whether an execution with so many terms may go on.
    pub fn is_left(&self, terms: usize) -> bool {
        self.steps < self.most_steps
            && terms < self.most_terms
            && !self.cancelled.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
    }
}

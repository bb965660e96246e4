// SPDX-License-Identifier: MIT OR Apache-2.0
//! Compiled functions.

use clew_base::source::Span;

/// A compiled function.
#[derive(Debug)]
pub struct Code {
    spans: Vec<(u32, Span)>,
}

impl Code {
    /// The C text of an operation.
    pub fn span(&self, pc: u32) -> Span {
        let index = self.spans.partition_point(|(start, _)| *start <= pc);
        index.checked_sub(1).map_or(Span::NONE, |i| self.spans[i].1)
    }
}

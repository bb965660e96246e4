// SPDX-License-Identifier: MIT OR Apache-2.0
//! What lay in the memory of an object before anything was written there, as far as somebody looked at it.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use super::contents::Cell;
use crate::effort::LARGEST_CHOSEN;
use crate::exec::state::value::Value;
use crate::term::{Sort, TermId, Terms};

/// The bytes of one object that somebody looked at.
#[derive(Clone, Debug)]
pub(crate) struct Remains {
    bytes: Rc<RefCell<BTreeMap<u64, TermId>>>,
    counts_as_written: bool,
}

/// Remains are the same if they are those of one object.
impl PartialEq for Remains {
    fn eq(&self, other: &Remains) -> bool {
        Rc::ptr_eq(&self.bytes, &other.bytes)
    }
}

impl Remains {
    pub fn new(counts_as_written: bool) -> Remains {
        Remains { bytes: Rc::default(), counts_as_written }
    }

    /// What stands at an offset.
    pub fn at(&self, terms: &mut Terms, offset: u64, bytes: u32) -> Cell {
        let mut known = self.bytes.borrow_mut();
        let mut byte = |terms: &mut Terms, at: u64| {
            *known.entry(at).or_insert_with(|| terms.fresh("old", Sort::Bits(8)))
        };
        let mut value = byte(terms, offset);
        for at in 1..u64::from(bytes) {
            let high = byte(terms, offset + at);
            value = terms.concat(high, value);
        }
        Cell { bytes, value: Value::Bits(value), written: terms.bool(self.counts_as_written) }
    }

    /// The bytes in order, up to the last that somebody looked at.
    pub fn bytes(&self, terms: &mut Terms) -> Vec<TermId> {
        let known = self.bytes.borrow();
        // Who looks far outside of the object violates something else.
        let within = known.range(..LARGEST_CHOSEN as u64).next_back();
        let length = within.map_or(0, |(last, _)| last + 1);
        (0..length).map(|at| known.get(&at).copied().unwrap_or_else(|| terms.constant(8, 0))).collect()
    }
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! Cells taken apart into bytes and put together again.

use crate::exec::state::contents::Cell;
use crate::exec::state::value::Value;
use crate::term::{TermId, Terms};

/// A byte of a cell, counted from the lowest address. A pointer has no bytes: they are lost.
pub(crate) fn byte_of(terms: &mut Terms, cell: &Cell, index: u32) -> Cell {
    if cell.bytes == 1 {
        return cell.clone();
    }
    let value = match &cell.value {
        Value::Bits(bits) => Value::Bits(terms.extract(*bits, index * 8, 8)),
        Value::Pointer(_) | Value::Lost => Value::Lost,
    };
    Cell { bytes: 1, value, written: cell.written }
}

/// One cell of the bytes, lowest address first.
pub(crate) fn join_bytes(terms: &mut Terms, parts: &[Cell]) -> Cell {
    let mut bits: Option<TermId> = None;
    let mut written = terms.bool(true);
    let mut is_lost = false;
    for part in parts {
        written = terms.and(written, part.written);
        match part.value {
            Value::Bits(byte) => bits = Some(bits.map_or(byte, |low| terms.concat(byte, low))),
            _ => is_lost = true,
        }
    }
    let value = match bits {
        Some(bits) if !is_lost => Value::Bits(bits),
        _ => Value::Lost,
    };
    Cell { bytes: parts.len() as u32, value, written }
}

/// How many of the lowest bits of a term are known to be zero.
pub(crate) fn low_zeros(terms: &Terms, term: TermId) -> u32 {
    terms.facts(term).zeros.trailing_ones()
}

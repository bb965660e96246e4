// SPDX-License-Identifier: MIT OR Apache-2.0
//! What one object holds.
//!
//! Contents are *cells* at constant offsets, over a fill, and under a log of writes whose offset is a term. A store
//! at a constant offset replaces cells. A store at a term's offset changes every cell of a small object that it may
//! hit; of a large one, or one whose size is a term, it is logged, and reads choose among the logged writes.
//! Everything is little-endian bytes in the end: an access that does not match its cells is put together from them.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::effort::MOST_PLACES;
use crate::exec::state::bytes::{byte_of, join_bytes, low_zeros};
use crate::exec::state::remains::Remains;
use crate::exec::state::value::Value;
use crate::term::{Sort, TermId, Terms};

/// A stored scalar.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Cell {
    /// How many bytes it takes.
    pub bytes: u32,
    /// Its bits, as many as the bytes have, or a pointer.
    pub value: Value,
    /// One bit: whether it was written.
    pub written: TermId,
}

/// A write whose place is a term.
#[derive(Clone, PartialEq, Debug)]
struct Write {
    guard: TermId,
    offset: TermId,
    cell: Cell,
}

/// What stands where no cell does.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Fill {
    /// Nothing was written.
    Unwritten,
    /// Nothing was written, and what lies there is chosen.
    Chosen(Remains),
    /// Something that is not known.
    Lost,
    /// These bytes, then zeros.
    Bytes(Rc<[u8]>),
    /// The bytes of an array, at the width of an address.
    Any(TermId),
    /// The first where the condition holds, else the second.
    Choice(TermId, Rc<Fill>, Rc<Fill>),
}

/// What an object holds.
#[derive(Clone, Debug)]
pub(crate) struct Contents {
    fill: Fill,
    cells: BTreeMap<u64, Cell>,
    log: Vec<Write>,
}

/// A scalar that changed: its offset and bytes, what it was, and what it is.
pub(crate) type Changed<'a> = ((u64, u32), Option<&'a Cell>, &'a Cell);

/// The largest cell: a 16-byte integer or float.
const WIDEST: u64 = 16;

/// Where an access may be: a term, and what is known of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reach {
    /// The offset.
    pub offset: TermId,
    /// How many bytes are accessed.
    pub bytes: u32,
    /// The size of the object, if it is known.
    pub size: Option<u64>,
}

impl Reach {
    /// The offsets to try, if they are few enough.
    fn places(&self, terms: &Terms) -> Option<impl Iterator<Item = u64> + use<>> {
        let step = 1u64 << low_zeros(terms, self.offset).min(4);
        let facts = terms.facts(self.offset);
        let last = self.size?.checked_sub(u64::from(self.bytes));
        let last = last.map(|last| last.min(u64::try_from(facts.greatest).unwrap_or(u64::MAX)));
        let first = u64::try_from(facts.least).unwrap_or(u64::MAX).next_multiple_of(step);
        let count = last.map_or(0, |last| if first > last { 0 } else { (last - first) / step + 1 });
        (count <= MOST_PLACES).then(|| (0..count).map(move |i| first + i * step))
    }
}

impl Contents {
    /// Contents without cells.
    pub fn new(fill: Fill) -> Contents {
        Contents { fill, cells: BTreeMap::new(), log: Vec::new() }
    }

    /// What a read gives: the cell, or none where it cannot be told.
    pub fn read(&self, terms: &mut Terms, reach: Reach) -> Option<Cell> {
        if let Some(offset) = terms.as_const(reach.offset) {
            return Some(self.read_at(terms, offset as u64, reach.bytes));
        }
        let places = reach.places(terms).filter(|_| !self.fill.is_any());
        let Some(places) = places else { return self.read_far(terms, reach) };
        let mut found: Option<Cell> = None;
        for place in places {
            let here = self.read_cells(terms, place, reach.bytes);
            found = Some(match found {
                None => here,
                Some(rest) => {
                    let place = terms.constant(terms.width(reach.offset), u128::from(place));
                    let is_here = terms.eq(reach.offset, place);
                    Cell::choose(terms, is_here, &here, &rest)
                }
            });
        }
        let found = found?;
        Some(overlay(terms, &self.log, reach.offset, found))
    }

    /// A read that may be anywhere in a large object: all cells are writes that it may see.
    fn read_far(&self, terms: &mut Terms, reach: Reach) -> Option<Cell> {
        if self.cells.len() as u64 > MOST_PLACES {
            return None;
        }
        let guard = terms.bool(true);
        let below = match &self.fill {
            Fill::Any(array) => any_bytes(terms, *array, reach.offset, reach.bytes),
            fill => fill.anywhere(terms, reach.bytes)?,
        };
        let mut log = Vec::with_capacity(self.cells.len() + self.log.len());
        for (at, cell) in &self.cells {
            let offset = terms.constant(terms.width(reach.offset), u128::from(*at));
            log.push(Write { guard, offset, cell: cell.clone() });
        }
        log.extend(self.log.iter().cloned());
        Some(overlay(terms, &log, reach.offset, below))
    }

    fn read_at(&self, terms: &mut Terms, offset: u64, bytes: u32) -> Cell {
        let found = self.read_cells(terms, offset, bytes);
        if self.log.is_empty() {
            return found;
        }
        let place = terms.constant(terms.width(self.log[0].offset), u128::from(offset));
        overlay(terms, &self.log, place, found)
    }

    /// What the cells hold, whatever the log says.
    fn read_cells(&self, terms: &mut Terms, offset: u64, bytes: u32) -> Cell {
        match self.cells.get(&offset) {
            Some(cell) if cell.bytes == bytes => return cell.clone(),
            _ => {}
        }
        if self.overlapping(offset, u64::from(bytes)).next().is_none() {
            return self.filling(terms, offset, bytes);
        }
        let parts: Vec<Cell> = (0..u64::from(bytes)).map(|i| self.read_byte(terms, offset + i)).collect();
        join_bytes(terms, &parts)
    }

    fn read_byte(&self, terms: &mut Terms, offset: u64) -> Cell {
        match self.overlapping(offset, 1).next() {
            Some((start, cell)) => byte_of(terms, cell, (offset - start) as u32),
            None => self.filling(terms, offset, 1),
        }
    }

    fn filling(&self, terms: &mut Terms, offset: u64, bytes: u32) -> Cell {
        self.fill.at(terms, offset, bytes)
    }

    fn overlapping(&self, offset: u64, bytes: u64) -> impl Iterator<Item = (u64, &Cell)> {
        self.cells
            .range(offset.saturating_sub(WIDEST - 1)..offset.saturating_add(bytes))
            .filter(move |(start, cell)| **start + u64::from(cell.bytes) > offset)
            .map(|(start, cell)| (*start, cell))
    }

    /// A write where the guard holds.
    pub fn write(&mut self, terms: &mut Terms, guard: TermId, reach: Reach, cell: Cell) {
        let constant = terms.as_const(reach.offset);
        match constant {
            Some(offset) if self.log.is_empty() => self.write_at(terms, guard, offset as u64, cell),
            None if self.log.is_empty() && !self.fill.is_any() && reach.places(terms).is_some() => {
                for place in reach.places(terms).into_iter().flatten() {
                    let here = terms.constant(terms.width(reach.offset), u128::from(place));
                    let is_here = terms.eq(reach.offset, here);
                    let guard = terms.and(guard, is_here);
                    if !terms.is_false(guard) {
                        self.write_at(terms, guard, place, cell.clone());
                    }
                }
            }
            _ => self.log.push(Write { guard, offset: reach.offset, cell }),
        }
    }

    fn write_at(&mut self, terms: &mut Terms, guard: TermId, offset: u64, cell: Cell) {
        let new = if terms.is_true(guard) {
            cell
        } else {
            let old = self.read_cells(terms, offset, cell.bytes);
            Cell::choose(terms, guard, &cell, &old)
        };
        self.make_room(terms, offset, u64::from(new.bytes));
        self.cells.insert(offset, new);
    }

    /// Takes the cells away that overlap a range; what of them lies outside stays, byte by byte.
    fn make_room(&mut self, terms: &mut Terms, offset: u64, bytes: u64) {
        let hit: Vec<(u64, Cell)> =
            self.overlapping(offset, bytes).map(|(start, cell)| (start, cell.clone())).collect();
        for (start, cell) in hit {
            self.cells.remove(&start);
            for i in 0..u64::from(cell.bytes) {
                let place = start + i;
                if place < offset || place >= offset + bytes {
                    let byte = byte_of(terms, &cell, i as u32);
                    self.cells.insert(place, byte);
                }
            }
        }
    }

    /// The cells that lie wholly inside a range, if no write at a term's offset stands over them.
    pub fn cells_within(&self, offset: u64, bytes: u64) -> Option<Vec<(u64, u32)>> {
        self.log.is_empty().then(|| {
            let end = offset.saturating_add(bytes);
            let cells = self.cells.range(offset..end);
            cells
                .map(|(at, cell)| (*at, cell.bytes))
                .filter(|(at, bytes)| at + u64::from(*bytes) <= end)
                .collect()
        })
    }

    /// Where scalars at constant offsets are not what they were in earlier contents, before (none: part of the fill)
    /// and after. None if more than that may have changed, or their places.
    pub fn changed<'a>(&'a self, later: &'a Contents) -> Option<Vec<Changed<'a>>> {
        let is_plain = self.fill == later.fill && self.log.is_empty() && later.log.is_empty();
        let is_kept =
            |(at, cell): (&u64, &Cell)| later.cells.get(at).is_some_and(|now| now.bytes == cell.bytes);
        if !is_plain || !self.cells.iter().all(is_kept) {
            return None;
        }
        let mut changed = Vec::new();
        for (at, now) in &later.cells {
            let before = self.cells.get(at);
            if before.is_none() && self.overlapping(*at, u64::from(now.bytes)).next().is_some() {
                return None;
            }
            if before != Some(now) {
                changed.push(((*at, now.bytes), before, now));
            }
        }
        Some(changed)
    }

    /// Puts a scalar at a constant offset.
    pub fn put(&mut self, terms: &mut Terms, offset: u64, cell: Cell) {
        let always = terms.bool(true);
        self.write_at(terms, always, offset, cell);
    }

    /// Everything becomes this fill.
    pub fn refill(&mut self, fill: Fill) {
        *self = Contents::new(fill);
    }

    /// The contents of two states that meet: the first's where the condition holds.
    pub fn merge(terms: &mut Terms, condition: TermId, one: &Contents, other: &Contents) -> Contents {
        let fill = if one.fill == other.fill {
            one.fill.clone()
        } else {
            Fill::Choice(condition, Rc::new(one.fill.clone()), Rc::new(other.fill.clone()))
        };
        let mut merged = Contents::new(fill);
        let mut places: Vec<(u64, u32)> =
            one.cells.iter().chain(&other.cells).map(|(at, cell)| (*at, cell.bytes)).collect();
        places.sort_unstable();
        places.dedup();
        let mut done = 0;
        for (i, (at, bytes)) in places.iter().copied().enumerate() {
            let end = at + u64::from(bytes);
            let clear = at >= done && places.get(i + 1).is_none_or(|(next, _)| *next >= end);
            if clear {
                let (a, b) = (one.read_cells(terms, at, bytes), other.read_cells(terms, at, bytes));
                merged.cells.insert(at, Cell::choose(terms, condition, &a, &b));
            } else {
                // The two have cells of different form here.
                for place in at.max(done)..end {
                    let (a, b) = (one.read_byte(terms, place), other.read_byte(terms, place));
                    merged.cells.insert(place, Cell::choose(terms, condition, &a, &b));
                }
            }
            done = done.max(end);
        }
        let shared = one.log.iter().zip(&other.log).take_while(|(a, b)| a == b).count();
        merged.log = one.log[..shared].to_vec();
        let not = terms.not(condition);
        for (condition, writes) in [(condition, &one.log[shared..]), (not, &other.log[shared..])] {
            for write in writes {
                let guard = terms.and(condition, write.guard);
                merged.log.push(Write { guard, ..write.clone() });
            }
        }
        merged
    }
}

/// So many bytes of an array.
fn any_bytes(terms: &mut Terms, array: TermId, offset: TermId, bytes: u32) -> Cell {
    let parts = (0..bytes).map(|i| {
        let distance = terms.constant(terms.width(offset), u128::from(i));
        let place = terms.add(offset, distance);
        let byte = Value::Bits(terms.select(array, place));
        Cell::written(terms, 1, byte)
    });
    let parts: Vec<Cell> = parts.collect();
    join_bytes(terms, &parts)
}

impl Fill {
    fn is_any(&self) -> bool {
        matches!(self, Fill::Any(_))
    }

    fn at(&self, terms: &mut Terms, offset: u64, bytes: u32) -> Cell {
        let (value, written) = match self {
            Fill::Unwritten => (0, false),
            Fill::Chosen(remains) => return remains.at(terms, offset, bytes),
            Fill::Lost => return Cell { bytes, value: Value::Lost, written: terms.bool(true) },
            Fill::Bytes(given) => {
                let byte = |i: u64| given.get((offset + i) as usize).copied().unwrap_or(0);
                let bits = (0..u64::from(bytes)).rev().fold(0u128, |bits, i| bits << 8 | u128::from(byte(i)));
                (bits, true)
            }
            Fill::Any(array) => {
                let Sort::Array { index, .. } = terms.sort(*array) else {
                    return Cell { bytes, value: Value::Lost, written: terms.bool(true) };
                };
                let offset = terms.constant(index, u128::from(offset));
                return any_bytes(terms, *array, offset, bytes);
            }
            Fill::Choice(condition, one, other) => {
                let (one, other) = (one.at(terms, offset, bytes), other.at(terms, offset, bytes));
                return Cell::choose(terms, *condition, &one, &other);
            }
        };
        let value = Value::Bits(terms.constant(bytes * 8, value));
        Cell { bytes, value, written: terms.bool(written) }
    }

    /// What stands anywhere, if that is the same everywhere.
    fn anywhere(&self, terms: &mut Terms, bytes: u32) -> Option<Cell> {
        match self {
            Fill::Unwritten | Fill::Lost => Some(self.at(terms, 0, bytes)),
            Fill::Chosen(_) | Fill::Any(_) => None,
            Fill::Bytes(given) => given.is_empty().then(|| self.at(terms, 0, bytes)),
            Fill::Choice(condition, one, other) => {
                let (one, other) = (one.anywhere(terms, bytes)?, other.anywhere(terms, bytes)?);
                Some(Cell::choose(terms, *condition, &one, &other))
            }
        }
    }
}

/// The logged writes over what stood there before.
fn overlay(terms: &mut Terms, log: &[Write], offset: TermId, below: Cell) -> Cell {
    let needed = below.bytes.trailing_zeros();
    let placed = below.bytes.is_power_of_two() && low_zeros(terms, offset) >= needed;
    let aligned = |terms: &Terms, write: &Write| {
        write.cell.bytes == below.bytes && low_zeros(terms, write.offset) >= needed
    };
    if placed && log.iter().all(|write| aligned(terms, write)) {
        return log.iter().fold(below, |below, write| {
            let same = terms.eq(write.offset, offset);
            let hit = terms.and(write.guard, same);
            Cell::choose(terms, hit, &write.cell, &below)
        });
    }
    let bytes = (0..below.bytes).map(|i| {
        let distance = terms.constant(terms.width(offset), u128::from(i));
        let place = terms.add(offset, distance);
        let byte = byte_of(terms, &below, i);
        log.iter().fold(byte, |below, write| overlay_byte(terms, place, below, write))
    });
    let bytes: Vec<Cell> = bytes.collect();
    join_bytes(terms, &bytes)
}

fn overlay_byte(terms: &mut Terms, place: TermId, below: Cell, write: &Write) -> Cell {
    let distance = terms.sub(place, write.offset);
    let bytes = terms.constant(terms.width(distance), u128::from(write.cell.bytes));
    let inside = terms.lt(distance, bytes, false);
    let hit = terms.and(write.guard, inside);
    if terms.is_false(hit) {
        return below;
    }
    let mut byte = byte_of(terms, &write.cell, 0);
    for i in 1..write.cell.bytes {
        let index = terms.constant(terms.width(distance), u128::from(i));
        let is_here = terms.eq(distance, index);
        let here = byte_of(terms, &write.cell, i);
        byte = Cell::choose(terms, is_here, &here, &byte);
    }
    Cell::choose(terms, hit, &byte, &below)
}

impl Cell {
    /// A value that was written.
    pub fn written(terms: &mut Terms, bytes: u32, value: Value) -> Cell {
        Cell { bytes, value, written: terms.bool(true) }
    }

    /// The first if the condition holds, else the second. A value of no account (not written) gives way to one that
    /// is.
    pub fn choose(terms: &mut Terms, condition: TermId, one: &Cell, other: &Cell) -> Cell {
        if one == other {
            return one.clone();
        }
        let written = terms.ite(condition, one.written, other.written);
        let value = if terms.is_false(one.written) && matches!(other.value, Value::Pointer(_)) {
            other.value.clone()
        } else if terms.is_false(other.written) && matches!(one.value, Value::Pointer(_)) {
            one.value.clone()
        } else {
            Value::choose(terms, condition, &one.value, &other.value)
        };
        Cell { bytes: one.bytes, value, written }
    }
}

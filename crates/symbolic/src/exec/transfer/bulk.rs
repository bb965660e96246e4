// SPDX-License-Identifier: MIT OR Apache-2.0
//! Many bytes at once: copies, fills, any bytes, the search for a NUL.
//!
//! A length that is a term is followed up to a bound that grows with the depth of the execution; longer ones are cut.

use std::rc::Rc;

use clew_ir::syntax::TypeId;
use clew_ir::witness::InputKind;

use crate::effort::MOST_COPIED_CELLS;
use crate::exec::context::encoder::Encoder;
use crate::exec::context::evaluator::Evaluator;
use crate::exec::record::event::{Event, EventKind, Reason};
use crate::exec::record::input::{Read, Shape};
use crate::exec::state::State;
use crate::exec::state::contents::{Cell, Fill};
use crate::exec::state::value::{Base, Pointer, Value};
use crate::term::{Sort, TermId};

/// Functions that the system answers with a text: a witness says which.
const ANSWERED: &[&str] = &["getcwd", "readlink", "gethostname", "realpath"];

/// The model that says of a variable that it may change where the interpreter never changes it: `malloc`, of `errno`.
const KEEPS_ERRNO: &str = "malloc";

/// What fills a range.
#[derive(Clone, Copy)]
pub(crate) enum Filling {
    /// One byte everywhere.
    Byte(TermId),
    /// Any bytes.
    Any,
}

impl Encoder<'_> {
    /// How many bytes may follow a pointer in the largest of its objects, if that is known.
    pub fn room(&self, pointer: &Pointer) -> Option<u64> {
        let rooms = pointer.cases.iter().filter_map(|case| match case.base {
            Base::Object(object) => Some((object, case.offset)),
            _ => None,
        });
        let mut most = 0;
        for (object, offset) in rooms {
            let size = self.terms.as_const(self.objects.metas[object.0 as usize].size)? as u64;
            let offset = self.terms.as_const(offset).map_or(0, |offset| offset as u64);
            most = most.max(size.saturating_sub(offset));
        }
        Some(most)
    }

    /// The condition that a byte lies in a range.
    fn within(&mut self, index: u64, length: TermId) -> TermId {
        let index = self.address(index);
        self.terms.lt(index, length, false)
    }

    pub fn moved(&mut self, pointer: &Pointer, bytes: u64) -> Pointer {
        let bytes = self.address(bytes);
        pointer.moved(&mut self.terms, bytes)
    }

    /// The ranges of a range in which a copy keeps whole what was stored whole.
    fn ranges(&mut self, state: &State, from: &Pointer, length: u64) -> Vec<(u64, u32)> {
        let mut ranges = Vec::new();
        let mut done = 0;
        if let [case] = from.cases.as_slice()
            && let Base::Object(object) = case.base
            && let Some(start) = self.terms.as_const(case.offset)
            && let Some(cells) =
                state.memory.get(object).and_then(|o| o.contents.cells_within(start as u64, length))
        {
            for (at, bytes) in cells {
                let at = at - start as u64;
                if at >= done {
                    gap(&mut ranges, done, at);
                    ranges.push((at, bytes));
                    done = at + u64::from(bytes);
                }
            }
            gap(&mut ranges, done, length);
            return ranges;
        }
        let word = u64::from(self.facts.program.target.pointer_bytes);
        let whole = length / word;
        ranges.extend((0..whole).map(|i| (i * word, word as u32)));
        ranges.extend((whole * word..length).map(|at| (at, 1)));
        ranges
    }

    /// Zeros in a whole object.
    fn refill(&mut self, state: &mut State, to: &Pointer, length: TermId) -> bool {
        let [case] = to.cases.as_slice() else { return false };
        let Base::Object(object) = case.base else { return false };
        let whole = self.objects.metas[object.0 as usize].size == length
            && self.terms.as_const(case.offset) == Some(0);
        let Some(now) = state.memory.get_mut(object).filter(|_| whole) else { return false };
        Rc::make_mut(&mut now.contents).refill(Fill::Bytes(Rc::from([])));
        true
    }
}

impl Evaluator<'_> {
    /// How many bytes of a range are followed, given its length. Cuts the runs with more.
    fn followed(&mut self, state: &State, ranges: &[&Pointer], length: TermId) -> Option<u64> {
        if let Some(length) = self.encoder.terms.as_const(length) {
            return (length <= u128::from(MOST_COPIED_CELLS) * 16).then_some(length as u64);
        }
        let rooms = ranges.iter().filter_map(|pointer| self.encoder.room(pointer));
        let room = rooms.min().unwrap_or(u64::MAX);
        let most = room.min(16 * u64::from(self.plan.depth)).min(MOST_COPIED_CELLS);
        let most_term = self.encoder.address(most);
        let more = self.encoder.terms.lt(most_term, length, false);
        if most < room {
            self.cut_if(state, more, Reason::Depth);
        }
        Some(most)
    }

    /// What lies between the members of an object that was assigned or initialised may be anything. `false`: not
    /// followed.
    #[must_use]
    pub fn lose_padding(&mut self, state: &mut State, to: &Pointer, ty: TypeId) -> bool {
        self.encoder.facts.program.types().padding(ty).into_iter().all(|(from, end)| {
            let (place, bytes) = (self.encoder.moved(to, from), self.encoder.address(end - from));
            self.fill(state, &place, Filling::Any, bytes)
        })
    }

    /// Copies bytes, as if by a temporary. `false`: not followed.
    #[must_use]
    pub fn copy(&mut self, state: &mut State, to: &Pointer, from: &Pointer, length: TermId) -> bool {
        let Some(most) = self.followed(state, &[to, from], length) else { return false };
        let ranges = match self.encoder.terms.as_const(length) {
            Some(_) => self.encoder.ranges(state, from, most),
            None => (0..most).map(|at| (at, 1)).collect(),
        };
        if ranges.len() as u64 > MOST_COPIED_CELLS {
            return false;
        }
        let mut cells = Vec::with_capacity(ranges.len());
        for (at, bytes) in ranges {
            let place = self.encoder.moved(from, at);
            let Some(cell) = self.read(state, &place, bytes) else { return false };
            cells.push((at, cell));
        }
        for (at, cell) in cells {
            let inside = self.encoder.within(at, length);
            let place = self.encoder.moved(to, at);
            self.encoder.write_if(state, inside, &place, &cell);
        }
        true
    }

    /// Fills a range. `false`: not followed.
    #[must_use]
    pub fn fill(&mut self, state: &mut State, to: &Pointer, filling: Filling, length: TermId) -> bool {
        if let Filling::Byte(byte) = filling
            && self.encoder.terms.as_const(byte) == Some(0)
            && self.encoder.refill(state, to, length)
        {
            return true;
        }
        let Some(most) = self.followed(state, &[to], length).filter(|most| *most <= MOST_COPIED_CELLS) else {
            return false;
        };
        let is_kept = &*self.encoder.facts.program.functions[state.frame.function].name == KEEPS_ERRNO;
        if matches!(filling, Filling::Any) && !is_kept {
            self.loosen(state);
        }
        let mut drawn = Vec::new();
        for at in 0..most {
            let byte = match filling {
                Filling::Byte(byte) => byte,
                Filling::Any => {
                    drawn.push(self.encoder.terms.fresh("byte", Sort::Bits(8)));
                    drawn[at as usize]
                }
            };
            let cell = Cell::written(&mut self.encoder.terms, 1, Value::Bits(byte));
            let inside = self.encoder.within(at, length);
            let place = self.encoder.moved(to, at);
            if matches!(filling, Filling::Any) && is_kept {
                self.loosen_where_changed(state, &place, byte);
            }
            self.encoder.write_if(state, inside, &place, &cell);
        }
        if matches!(filling, Filling::Any) {
            self.answer(state, length, drawn);
        }
        true
    }

    /// The interpreter leaves this byte as it was: it does the same as the runs in which nothing else was drawn for it.
    fn loosen_where_changed(&mut self, state: &State, place: &Pointer, drawn: TermId) {
        let old = self.read(state, place, 1).map(|cell| cell.value);
        let Some(Value::Bits(old)) = old else { return self.loosen(state) };
        let guard = state.guard(&mut self.encoder.terms);
        let changed = self.encoder.terms.ne(old, drawn);
        let happens = self.encoder.terms.and(guard, changed);
        self.record.events.push(Event { happens, kind: EventKind::Loose });
    }

    /// Bytes that were drawn for an answer of the system, which is a text, are an input. Others the interpreter
    /// decides about.
    fn answer(&mut self, state: &State, length: TermId, bytes: Vec<TermId>) {
        let called = self.called_of_library().and_then(|name| ANSWERED.iter().find(|known| **known == name));
        let Some(name) = called else { return };
        let mut proper = self.encoder.terms.bool(true);
        for (at, byte) in bytes.iter().enumerate() {
            let inside = self.encoder.within(at as u64, length);
            let nonzero = self.encoder.terms.nonzero(*byte);
            let is_text = self.encoder.terms.implies(inside, nonzero);
            proper = self.encoder.terms.and(proper, is_text);
        }
        // Whether any run is left is not of account.
        let _ = self.assume(state, proper);
        let guard = state.guard(&mut self.encoder.terms);
        let terms = std::iter::once(length).chain(bytes).collect();
        let (kind, shape, name) = (InputKind::System, Shape::Text, (*name).to_owned());
        self.record.inputs.push(Read { guard, kind, terms, shape, name });
    }

    /// The bytes at and after a pointer inside its object, each with the condition that it is inside; and whether
    /// that is all of them.
    fn bytes_after(&mut self, state: &State, pointer: &Pointer) -> Option<(Vec<(TermId, TermId)>, bool)> {
        let room = self.encoder.room(pointer);
        let most = room.unwrap_or(u64::MAX).min(64 * u64::from(self.plan.depth)).min(MOST_COPIED_CELLS);
        let mut found = Vec::new();
        for at in 0..most {
            let place = self.encoder.moved(pointer, at);
            let mut inside = self.encoder.terms.bool(false);
            for case in &place.cases {
                if let Base::Object(object) = case.base {
                    let size = self.encoder.objects.metas[object.0 as usize].size;
                    let fits = self.encoder.terms.lt(case.offset, size, false);
                    let here = self.encoder.terms.and(case.guard, fits);
                    inside = self.encoder.terms.or(inside, here);
                }
            }
            if self.encoder.terms.is_false(inside) {
                return Some((found, true));
            }
            let Value::Bits(byte) = self.read(state, &place, 1)?.value else { return None };
            let zero = self.encoder.terms.constant(8, 0);
            let ends = self.encoder.terms.eq(byte, zero);
            found.push((inside, ends));
            if self.encoder.terms.is_true(ends) && self.encoder.terms.is_true(inside) {
                return Some((found, true));
            }
        }
        Some((found, room.is_some_and(|room| room <= most)))
    }

    /// One bit: whether a NUL stands at or after a pointer inside its object. Runs for which that cannot be told
    /// are cut, and said to have one.
    pub fn nul_within(&mut self, state: &State, pointer: &Pointer) -> Option<TermId> {
        let (bytes, is_all) = self.bytes_after(state, pointer)?;
        let mut found = self.encoder.terms.bool(false);
        for (inside, ends) in bytes.iter().rev() {
            let here = self.encoder.terms.and(*inside, *ends);
            found = self.encoder.terms.or(here, found);
        }
        if is_all {
            return Some(found);
        }
        let not = self.encoder.terms.not(found);
        self.cut_if(state, not, Reason::Depth);
        Some(self.encoder.terms.bool(true))
    }

    /// The distance to the first NUL, at the width of an address.
    pub fn nul_position(&mut self, state: &State, pointer: &Pointer) -> Option<TermId> {
        let (bytes, is_all) = self.bytes_after(state, pointer)?;
        let mut position = self.encoder.address(bytes.len() as u64);
        let mut found = self.encoder.terms.bool(false);
        for (at, (inside, ends)) in bytes.iter().enumerate().rev() {
            let here = self.encoder.terms.and(*inside, *ends);
            let at = self.encoder.address(at as u64);
            position = self.encoder.terms.ite(here, at, position);
            found = self.encoder.terms.or(found, here);
        }
        if !is_all {
            let not = self.encoder.terms.not(found);
            self.cut_if(state, not, Reason::Depth);
            if !self.assume(state, found) {
                return None;
            }
        }
        Some(position)
    }
}

/// The ranges of a range where nothing is stored.
fn gap(ranges: &mut Vec<(u64, u32)>, from: u64, to: u64) {
    let mut at = from;
    while at < to {
        let bytes = if at.is_multiple_of(8) && to - at >= 8 { 8 } else { 1 };
        ranges.push((at, bytes as u32));
        at += bytes;
    }
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! What stands in one object: cells by offset, runs of equal cells, and where a NUL is.
//!
//! The bytes of an object are cut into [`Segment`]s that do not overlap. A segment is a run of elements of one size
//! which all are in one value: a scalar is a run of one, a zeroed array a run of bytes, an array that was written at an
//! unknown index one run for all (paper 004, 6.1.1: expanded and shrunk cells). Reads that fit the elements are
//! exact; reads that do not (unions, casts, bytes of a scalar) see the bits of the scalars: see `encoding`.

use std::sync::{Arc, Mutex};

use crate::domain::clocked::Clocked;
use crate::domain::int::Int;
use crate::domain::shape::{Shape, top};
use crate::domain::value::{Kind, Value};
use crate::effort::contents::MOST_SEGMENTS;
use crate::map::{Change, Map, Merge};
use crate::memory::bit_fields::BitFields;
use crate::memory::encoding::{aligned, bits_of, decode, element_format, from_bytes, piece, restricted};
use crate::program::thresholds::Thresholds;

/// A run of elements in `start .. end`, each `element` bytes long and in `value`.
#[derive(Clone, PartialEq, Debug)]
pub struct Segment {
    /// One past the last byte.
    pub end: u64,
    /// Bytes of an element; divides the length.
    pub element: u32,
    /// What each element may hold.
    pub value: Value,
}

/// The bytes of an object.
#[derive(Clone, Debug, Default)]
pub struct Contents {
    /// By first byte. Bytes in no segment are uninitialised.
    segments: Map<u64, Segment>,
    /// Some byte in this range of offsets is zero, and inside the object: what was written was in bounds.
    nul: Option<(u64, u64)>,
    /// Scalars against the clock, by first byte.
    clocked: Map<u64, Clocked>,
    /// Bit-fields that were written one by one.
    pub(crate) fields: BitFields,
    /// Writes since the segments were counted.
    writes: u32,
    /// The last read of many elements.
    wide: WideRead,
}

impl PartialEq for Contents {
    fn eq(&self, other: &Contents) -> bool {
        self.nul == other.nul
            && self.segments == other.segments
            && self.clocked == other.clocked
            && self.fields == other.fields
    }
}

impl Contents {
    /// Whether a pointer, or a part of one, stands in the bytes that an access at one of these offsets may touch.
    pub fn has_address(&self, offset: &Int, bytes: u64) -> bool {
        let from = u64::try_from(offset.lo()).unwrap_or(0);
        let to = u64::try_from(offset.hi()).unwrap_or(u64::MAX).saturating_add(bytes);
        let first = self.segments.at_or_below(from).map_or(from, |(start, _)| start);
        let touched = self.segments.iter_from(first).take_while(|(start, _)| *start < to);
        touched.filter(|(_, s)| s.end > from).any(|(_, s)| matches!(s.value.kind, Kind::Address(_)))
    }

    /// Whether some bytes may be parts of a pointer that were copied one by one.
    pub fn may_hide_address(&self) -> bool {
        let is_open = |value: &Value| match &value.kind {
            Kind::Number(n) => n.as_constant().is_none(),
            Kind::Any => true,
            Kind::Float(_) | Kind::Address(_) => false,
        };
        self.segments.iter().any(|(_, s)| is_open(&s.value))
    }
}

/// The last read of many elements of an object, and what it gave: tables are read again and again, in every round of a loop,
/// and mostly at the same offsets.
#[derive(Default)]
struct WideRead(Mutex<Option<Arc<Wide>>>);

struct Wide {
    /// What was read; it is the same as long as the tree is.
    segments: Map<u64, Segment>,
    /// First and last offset, the step between them, and the shape.
    at: (u64, u64, u64, Shape),
    value: Value,
}

impl WideRead {
    fn get(
        &self,
        segments: &Map<u64, Segment>,
        at: (u64, u64, u64, Shape),
        read: impl FnOnce() -> Value,
    ) -> Value {
        let mut last = self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(wide) = last.as_ref().filter(|wide| wide.at == at && wide.segments.is_same(segments)) {
            return wide.value.clone();
        }
        let value = read();
        *last = Some(Arc::new(Wide { segments: segments.clone(), at, value: value.clone() }));
        value
    }
}

impl Clone for WideRead {
    fn clone(&self) -> WideRead {
        WideRead(Mutex::new(self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).clone()))
    }
}

impl std::fmt::Debug for WideRead {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("WideRead")
    }
}

/// Whether a write is to one known object, or to one of several.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strength {
    /// What was there is gone.
    Strong,
    /// What was there may still be there.
    Weak,
}

impl Segment {
    fn single(start: u64, bytes: u64, value: Value) -> (u64, Segment) {
        (start, Segment { end: start + bytes, element: bytes as u32, value })
    }

    fn is_zero(&self) -> bool {
        !self.value.uninit
            && match &self.value.kind {
                Kind::Number(n) => n.as_constant() == Some(0),
                _ => false,
            }
    }

    /// Whether nobody writes the last bytes of an element: those of a `long double` behind the number.
    fn may_be_padded(&self) -> bool {
        matches!(self.value.kind, Kind::Float(_)) && u64::from(self.element) > X87
    }

    /// Whether its bytes mean the same whatever the size of elements: zeros, anything, nothing written.
    fn is_uniform(&self) -> bool {
        self.is_zero() || self.value.kind == Kind::Any
    }

    /// The bytes of an element, lowest first, where they are one value.
    fn constant_bytes(&self) -> Option<Vec<u8>> {
        if self.value.uninit || self.element > 16 {
            return None;
        }
        match &self.value.kind {
            Kind::Number(n) => Some(n.as_constant()?.to_le_bytes()[..self.element as usize].to_vec()),
            Kind::Float(f) => {
                let format = element_format(self.element)?;
                Some(f.as_constant_bits(format)?.to_le_bytes()[..self.element as usize].to_vec())
            }
            _ => None,
        }
    }
}

/// How a scalar of so many bytes may be read, by what it holds. Numbers do not say of what type they are: they are read as
/// signed ones, unless that would cut them.
fn shape_of<'k>(element: u32, kinds: impl Iterator<Item = &'k Kind>) -> Option<Shape> {
    use clew_base::int::IntType;
    let mut shape = None;
    for kind in kinds {
        let signed = IntType::signed(element as u16 * 8);
        shape = match kind {
            _ if !matches!(element, 1 | 2 | 4 | 8) => None,
            Kind::Float(_) => return Some(Shape::Float(element_format(element)?, element)),
            Kind::Address(_) => return (element == 8).then_some(Shape::Pointer(element)),
            Kind::Number(n) if n.hi() > signed.max() => {
                Some(Shape::Int(IntType::unsigned(element as u16 * 8)))
            }
            Kind::Number(_) => shape.or(Some(Shape::Int(signed))),
            Kind::Any => shape,
        };
    }
    shape
}

/// Bytes of the floats of the x87, whatever room they have.
const X87: u64 = 10;

/// Bytes `from .. to` of a segment that starts at `start`, as segments. Elements that are cut become bytes.
fn clip(start: u64, segment: &Segment, from: u64, to: u64) -> Vec<(u64, Segment)> {
    let element = u64::from(segment.element);
    if (from - start).is_multiple_of(element) && (to - start).is_multiple_of(element) {
        return vec![(from, Segment { end: to, ..segment.clone() })];
    }
    if segment.is_uniform() {
        return vec![(from, Segment { end: to, element: 1, value: segment.value.clone() })];
    }
    let mut parts = Vec::new();
    let (first, last) =
        (from.next_multiple_of_from(start, element), (to - start) / element * element + start);
    let mut bytes = |a: u64, b: u64| {
        if a >= b {
            return;
        }
        match segment.constant_bytes() {
            Some(known) => parts.extend((a..b).map(|at| {
                let byte = known[((at - start) % element) as usize];
                (at, Segment { end: at + 1, element: 1, value: Value::constant(i128::from(byte)) })
            })),
            // Never more than a part of one element.
            None => {
                let inside = (a - start) % element;
                let kind = bits_of(&segment.value.kind, segment.element).map(|n| piece(&n, inside, b - a));
                let (size, kind) = kind.map_or((1, Kind::Any), |n| ((b - a) as u32, Kind::Number(n)));
                let uninit =
                    segment.value.uninit || (segment.may_be_padded() && (b - 1 - start) % element >= X87);
                parts.push((a, Segment { end: b, element: size, value: Value { kind, uninit } }));
            }
        }
    };
    bytes(from, first.min(to));
    if first < last {
        bytes(last, to);
        parts.push((first, Segment { end: last, ..segment.clone() }));
    } else if first < to {
        bytes(first.max(from), to);
    }
    parts.sort_by_key(|(at, _)| *at);
    parts
}

trait NextFrom {
    fn next_multiple_of_from(self, start: u64, element: u64) -> u64;
}

impl NextFrom for u64 {
    /// The first element boundary of a run at or after this.
    fn next_multiple_of_from(self, start: u64, element: u64) -> u64 {
        start + (self - start).div_ceil(element) * element
    }
}

impl Contents {
    /// So many zero bytes.
    pub fn zero(bytes: u64) -> Contents {
        Contents::filled(bytes, Value::constant(0))
    }

    /// So many bytes, each in the value.
    pub fn filled(bytes: u64, value: Value) -> Contents {
        let mut contents = Contents::default();
        if bytes > 0 {
            let is_nul = value.kind.as_constant() == Some(0) && !value.uninit;
            contents.segments.insert(0, Segment { end: bytes, element: 1, value });
            contents.nul = is_nul.then_some((0, 0));
        }
        contents
    }

    /// So many elements, each in the value.
    pub fn run(count: u64, element: u32, value: Value) -> Contents {
        let mut contents = Contents::default();
        contents.segments.insert(0, Segment { end: count * u64::from(element), element, value });
        contents
    }

    /// The segments that meet `from .. to`, cut to it, with the gaps as unwritten bytes, in order.
    fn parts(&self, from: u64, to: u64) -> Vec<(u64, Segment)> {
        let mut parts = Vec::new();
        let mut at = from;
        let before = self.segments.at_or_below(from).map_or(from, |(start, _)| start);
        for (start, segment) in self.segments.iter_from(before) {
            if start >= to {
                break;
            }
            if segment.end <= from {
                continue;
            }
            let (a, b) = (start.max(from), segment.end.min(to));
            if a > at {
                parts.push(gap(at, a));
            }
            parts.extend(clip(start, segment, a, b));
            at = b;
        }
        if at < to {
            parts.push(gap(at, to));
        }
        parts
    }

    /// Takes `from .. to` out.
    fn clear(&mut self, from: u64, to: u64) {
        self.forget_beside(from, to);
        let before = self.segments.at_or_below(from).map_or(from, |(start, _)| start);
        let meeting: Vec<(u64, Segment)> = self
            .segments
            .iter_from(before)
            .take_while(|(start, _)| *start < to)
            .filter(|(_, segment)| segment.end > from)
            .map(|(start, segment)| (start, segment.clone()))
            .collect();
        for (start, segment) in meeting {
            self.segments.remove(start);
            if start < from {
                self.put(clip(start, &segment, start, from));
            }
            if segment.end > to {
                self.put(clip(start, &segment, to, segment.end));
            }
        }
    }

    fn put(&mut self, parts: Vec<(u64, Segment)>) {
        for (start, segment) in parts {
            self.segments.insert(start, segment);
        }
    }

    /// What a read of the shape at one of these offsets may give. The whole read lies inside the object: its
    /// obligations were checked before, and offsets that violate them were cut.
    pub fn read(&self, offset: &Int, shape: Shape) -> Value {
        let bytes = shape.bytes();
        let Some((lo, hi)) = range(offset) else { return Value { uninit: true, ..Value::any() } };
        if lo == hi {
            return self.read_at(lo, bytes, shape);
        }
        let (step, _) = offset.stride();
        let step = u64::try_from(step).unwrap_or(1).max(1);
        let few = (hi - lo) / step < 64;
        if few {
            let mut offsets = (lo..=hi).step_by(step as usize);
            let first = offsets.next().map(|o| self.read_at(o, bytes, shape));
            return first.map_or_else(Value::uninitialised, |first| {
                offsets.fold(first, |joined, o| joined.join(&self.read_at(o, bytes, shape)))
            });
        }
        self.wide.get(&self.segments, (lo, hi, step, shape), || self.read_many(lo, hi, step, shape))
    }

    /// What a read at one of many offsets may give.
    fn read_many(&self, lo: u64, hi: u64, step: u64, shape: Shape) -> Value {
        let bytes = shape.bytes();
        let mut result: Option<Value> = None;
        let mut add = |start: u64, segment: &Segment| {
            let fits = u64::from(segment.element) == bytes
                && step.is_multiple_of(bytes)
                && (i128::from(start) - i128::from(lo)) % i128::from(bytes) == 0;
            let value = if fits || segment.is_uniform() {
                decode(&segment.value, segment.element, shape)
            } else {
                Value { kind: top(shape), uninit: segment.value.uninit }
            };
            result = Some(match result.take() {
                None => value,
                Some(joined) if value == joined => joined,
                Some(joined) => joined.join(&value),
            });
        };
        let end = hi.saturating_add(bytes);
        let mut last: Option<&Segment> = None;
        let mut at = lo;
        let before = self.segments.at_or_below(lo).map_or(lo, |(start, _)| start);
        for (start, segment) in self.segments.iter_from(before).take_while(|(start, _)| *start < end) {
            if segment.end <= lo {
                continue;
            }
            if start > at {
                let (start, segment) = gap(at, start);
                add(start, &segment);
            }
            let is_whole = start >= lo && segment.end <= end;
            let is_aligned = is_whole && start.abs_diff(lo).is_multiple_of(bytes);
            // Neighbours often hold the same.
            let is_same = |last: &&Segment| last.element == segment.element && last.value == segment.value;
            if !is_aligned {
                let parts = clip(start, segment, start.max(lo), segment.end.min(end));
                parts.iter().for_each(|(start, segment)| add(*start, segment));
                last = None;
            } else if last.as_ref().is_none_or(|last| !is_same(last)) {
                add(start, segment);
                last = Some(segment);
            }
            at = segment.end.min(end);
        }
        if at < end {
            let (start, segment) = gap(at, end);
            add(start, &segment);
        }
        result.unwrap_or_else(Value::uninitialised)
    }

    fn read_at(&self, at: u64, bytes: u64, shape: Shape) -> Value {
        // The common case: the scalar that was written.
        if let Some((start, segment)) = self.segments.at_or_below(at)
            && segment.end >= at + bytes
            && ((u64::from(segment.element) == bytes && (at - start).is_multiple_of(bytes))
                || segment.is_uniform())
        {
            return decode(&segment.value, segment.element, shape);
        }
        let parts = self.parts(at, at + bytes);
        let uninit = parts.iter().any(|(_, s)| s.value.uninit);
        if let Some(known) = known_bytes(&parts) {
            return from_bytes(&known, shape).map_or(Value { kind: top(shape), uninit }, Value::new);
        }
        match assembled(&parts, at, bytes) {
            Some(bits) => Value { uninit, ..decode(&Value::number(bits), bytes as u32, shape) },
            None => Value { kind: top(shape), uninit },
        }
    }

    /// The run of elements of this size around one of them: first byte, one past the last, and what each holds.
    pub fn run_around(&self, at: u64, bytes: u64) -> Option<(u64, u64, Value)> {
        let (start, segment) = self.segments.at_or_below(at)?;
        let fits = u64::from(segment.element) == bytes && (at - start).is_multiple_of(bytes);
        if at + bytes > segment.end || !(fits || segment.is_zero()) {
            return None;
        }
        // Zeros are elements of any size.
        let first = at - (at - start) / bytes * bytes;
        let end = at + (segment.end - at) / bytes * bytes;
        Some((first, end, segment.value.clone()))
    }

    /// The element that holds these bytes, if it is a single one: where it begins, and its run.
    fn element_around(&self, at: u64, bytes: u64) -> Option<(u64, &Segment)> {
        let (start, segment) = self.segments.at_or_below(at)?;
        let element = u64::from(segment.element);
        let begin = start + (at - start) / element * element;
        (at + bytes <= begin + element && begin + element <= segment.end).then_some((begin, segment))
    }

    /// The bits of the float that a read of these bytes as an integer looks into, in parts: kind by kind, or only by
    /// sign and whether it is a number.
    pub fn float_parts(&self, at: u64, bytes: u64, fine: bool) -> Vec<Int> {
        match self.element_around(at, bytes) {
            Some((_, segment)) => match (&segment.value.kind, element_format(segment.element)) {
                (Kind::Float(f), Some(format)) if !segment.value.uninit => {
                    if fine { f.kinds(format) } else { f.patterns(format) }.unwrap_or_default()
                }
                _ => Vec::new(),
            },
            None => Vec::new(),
        }
    }

    /// The element around these bytes has these bits.
    pub fn set_bits(&mut self, at: u64, bytes: u64, bits: Int) {
        if let Some((begin, segment)) = self.element_around(at, bytes) {
            let element = u64::from(segment.element);
            self.replace(begin, element, Value::number(bits));
        }
    }

    /// What stands there read in this shape is in a smaller value than before.
    pub fn restrict(&mut self, at: u64, shape: Shape, kept: &Kind) {
        let bytes = shape.bytes();
        let new = self.element_around(at, bytes).map(|(begin, segment)| {
            (begin, u64::from(segment.element), restricted(segment, at - begin, shape, kept))
        });
        match new {
            Some((begin, element, Some(kind))) => self.replace(begin, element, Value::new(kind)),
            Some((_, element, None)) if element != bytes => {}
            _ => self.replace(at, bytes, Value::new(kept.clone())),
        }
    }

    /// Another way to say what stands there already.
    fn replace(&mut self, at: u64, bytes: u64, value: Value) {
        let (clocked, fields) = (self.clocked.clone(), self.fields.clone());
        self.clear(at, at + bytes);
        (self.clocked, self.fields) = (clocked, fields);
        let (start, segment) = Segment::single(at, bytes, value);
        self.segments.insert(start, segment);
        self.shrink();
    }

    /// Writes a scalar of so many bytes at one of these offsets.
    pub fn write(&mut self, offset: &Int, bytes: u64, value: Value, strength: Strength) {
        let Some((lo, hi)) = range(offset) else {
            return self.havoc(Value { uninit: false, ..Value::any() });
        };
        let is_zero = !value.uninit && value.kind.as_constant() == Some(0) && bytes == 1;
        let nul = self.nul_after(lo, hi.saturating_add(bytes), is_zero, strength);
        if lo == hi && strength == Strength::Strong {
            self.clear(lo, lo + bytes);
            let (start, segment) = Segment::single(lo, bytes, value);
            self.segments.insert(start, segment);
        } else {
            let (step, _) = offset.stride();
            self.write_some(lo, hi.saturating_add(bytes), bytes, u64::try_from(step).unwrap_or(1), &value);
        }
        self.nul = nul;
        self.shrink();
    }

    /// Where a NUL is after a write to somewhere in `lo .. end`.
    fn nul_after(&self, lo: u64, end: u64, is_zero: bool, strength: Strength) -> Option<(u64, u64)> {
        let untouched = self.nul.filter(|(a, b)| *b < lo || *a >= end);
        let old = if is_zero { self.nul } else { untouched };
        let new = (is_zero && strength == Strength::Strong).then_some((lo, end - 1));
        match (old, new) {
            // The first NUL is what strings ask for.
            (Some(a), Some(b)) => Some(if a.1 <= b.1 { a } else { b }),
            (a, b) => a.or(b),
        }
    }

    /// Some element of `from .. to` may get the value: all of them may hold it from now on.
    fn write_some(&mut self, from: u64, to: u64, bytes: u64, step: u64, value: &Value) {
        let aligned_step = step.is_multiple_of(bytes);
        if aligned_step && self.holds_everywhere(from, to, bytes, value) {
            return self.forget_beside(from, to);
        }
        let parts = self.parts(from, to);
        self.clear(from, to);
        let mut merged: Vec<(u64, Segment)> = Vec::with_capacity(parts.len());
        for (start, segment) in parts {
            let on_grid = (start - from).is_multiple_of(bytes)
                && (segment.end - from).is_multiple_of(bytes)
                && aligned_step;
            let fits = on_grid && (u64::from(segment.element) == bytes || segment.is_uniform());
            let new = if fits {
                Segment {
                    end: segment.end,
                    element: bytes as u32,
                    value: aligned_join(&segment.value, value, bytes as u32),
                }
            } else {
                let uninit = segment.value.uninit || value.uninit;
                Segment { end: segment.end, element: 1, value: Value { kind: Kind::Any, uninit } }
            };
            match merged.last_mut() {
                Some((_, last)) if last.element == new.element && last.value == new.value => {
                    last.end = new.end
                }
                _ => merged.push((start, new)),
            }
        }
        self.put(merged);
    }

    /// Whether every element of `from .. to` may hold all of the value already.
    fn holds_everywhere(&self, from: u64, to: u64, bytes: u64, value: &Value) -> bool {
        let mut at = from;
        let before = self.segments.at_or_below(from).map_or(from, |(start, _)| start);
        for (start, segment) in self.segments.iter_from(before).take_while(|(start, _)| *start < to) {
            let fits = start <= at
                && at.abs_diff(start).is_multiple_of(bytes)
                && u64::from(segment.element) == bytes
                && value.is_subset(&segment.value);
            if !fits {
                return false;
            }
            at = segment.end;
        }
        at >= to
    }

    /// Whether nothing is known of any byte, but for whether it was written.
    pub fn is_havocked(&self) -> bool {
        let unknown = |(_, s): (u64, &Segment)| s.element == 1 && s.value.kind == Kind::Any;
        let nothing_beside = self.nul.is_none() && self.clocked.is_empty() && self.fields.is_empty();
        nothing_beside && self.segments.iter().all(unknown)
    }

    /// Every byte may become this.
    pub fn havoc(&mut self, value: Value) {
        let all = self.segments.filter_map(&mut |_, segment| {
            let uninit = segment.value.uninit || value.uninit;
            Change::To(Segment { element: 1, end: segment.end, value: Value { kind: Kind::Any, uninit } })
        });
        *self = Contents { segments: all, writes: self.writes, ..Contents::default() };
        self.shrink();
    }

    /// Elements that are known to be in a value, where that says more than the segments do.
    pub fn set_run(&mut self, base: u64, count: u64, stride: u64, value: &Value) {
        let Some(end) = count.checked_mul(stride).and_then(|n| n.checked_add(base)) else { return };
        let better = self
            .parts(base, end)
            .iter()
            .any(|(_, s)| u64::from(s.element) != stride && !s.is_zero() || !s.value.is_subset(value));
        if better && stride <= 16 {
            let (clocked, fields) = (self.clocked.clone(), self.fields.clone());
            self.clear(base, end);
            (self.clocked, self.fields) = (clocked, fields);
            self.segments.insert(base, Segment { end, element: stride as u32, value: value.clone() });
        }
    }

    /// Bytes `from .. to` surely become this byte.
    pub fn fill(&mut self, from: u64, to: u64, byte: Value) {
        if from >= to {
            return;
        }
        let is_zero = !byte.uninit && byte.kind.as_constant() == Some(0);
        self.nul = self.nul_after(from, to, is_zero, Strength::Weak);
        if is_zero && self.nul.is_none_or(|(_, b)| b > from) {
            self.nul = Some((from, from));
        }
        self.clear(from, to);
        self.segments.insert(from, Segment { end: to, element: 1, value: byte });
    }

    /// Bytes `from .. to` may become this byte.
    pub fn fill_some(&mut self, from: u64, to: u64, byte: &Value) {
        if from >= to {
            return;
        }
        let is_zero = !byte.uninit && byte.kind.as_constant() == Some(0);
        self.nul = self.nul_after(from, to, is_zero, Strength::Weak);
        self.write_some(from, to, 1, 1, byte);
    }

    /// The bytes `from .. to`, to be put elsewhere by [`Contents::paste`].
    pub fn copy(&self, from: u64, to: u64) -> Vec<(u64, Segment)> {
        let mut parts = self.parts(from, to);
        for (start, segment) in &mut parts {
            *start -= from;
            segment.end -= from;
        }
        parts
    }

    /// Where a NUL is known to be in `from .. to`, from `from` on.
    pub fn nul_in(&self, from: u64, to: u64) -> Option<(u64, u64)> {
        self.nul.filter(|(a, b)| *a >= from && *b < to).map(|(a, b)| (a - from, b - from))
    }

    /// Puts copied bytes at an offset; `nul` is where a NUL is among them.
    pub fn paste(&mut self, at: u64, parts: Vec<(u64, Segment)>, nul: Option<(u64, u64)>) {
        let Some(end) = parts.last().map(|(_, s)| s.end) else { return };
        self.nul = self.nul_after(at, at + end, false, Strength::Strong);
        self.clear(at, at + end);
        for (start, segment) in parts {
            self.segments.insert(at + start, Segment { end: at + segment.end, ..segment });
        }
        if let Some((a, b)) = nul
            && self.nul.is_none_or(|(_, old)| at + b < old)
        {
            self.nul = Some((at + a, at + b));
        }
        self.shrink();
    }

    /// One value that covers every byte `from .. to`, for copies to unknown places.
    pub fn summary(&self, from: u64, to: u64) -> Value {
        let parts = self.parts(from, to);
        let uninit = parts.iter().any(|(_, s)| s.value.uninit);
        let bytes = |(_, s): &(u64, Segment)| (s.element == 1 || s.is_zero()).then(|| s.value.kind.clone());
        let joined = parts.iter().map(bytes).reduce(|a, b| {
            let (a, b) = (Value::new(a?), Value::new(b?));
            Some(a.join(&b).kind)
        });
        Value { kind: joined.flatten().unwrap_or(Kind::Any), uninit }
    }

    /// Whether some byte of `from .. to` may never have been written.
    pub fn may_be_unwritten(&self, from: u64, to: u64) -> bool {
        from < to && self.parts(from, to).iter().any(|(_, segment)| segment.value.uninit)
    }

    /// Whether some byte of `from .. to` was written by nobody.
    pub fn is_never_written(&self, from: u64, to: u64) -> bool {
        let mut at = from;
        let before = self.segments.at_or_below(from).map_or(from, |(start, _)| start);
        for (start, segment) in self.segments.iter_from(before).take_while(|(start, _)| *start < to) {
            if start > at {
                return true;
            }
            at = at.max(segment.end);
        }
        at < to
    }

    /// The offsets, from `from` on and below `end`, at which the first NUL may be: none if there may be no NUL.
    pub fn first_nul(&self, from: u64, end: u64) -> (u64, Option<u64>) {
        let mut earliest = None;
        for (start, segment) in self.parts(from, end.min(from.saturating_add(1 << 20))) {
            if segment.is_zero() {
                let found = earliest.unwrap_or(start);
                return (found, Some(self.bounded_by_nul(from, start)));
            }
            if earliest.is_none() && may_hold_zero(&segment) {
                earliest = Some(start);
            }
        }
        let earliest = earliest.unwrap_or(end);
        match self.nul.filter(|(a, b)| *a >= from && *b < end) {
            Some((_, latest)) => (earliest, Some(latest)),
            None => (earliest, None),
        }
    }

    fn bounded_by_nul(&self, from: u64, latest: u64) -> u64 {
        self.nul.filter(|(a, b)| *a >= from && *b < latest).map_or(latest, |(_, b)| b)
    }

    /// A NUL is known to be in this range of offsets.
    pub fn set_nul(&mut self, range: (u64, u64)) {
        self.nul = Some(range);
    }

    /// Every value changed, as renaming objects needs.
    pub fn map_values(&mut self, change: &mut impl FnMut(&Value) -> Option<Value>) {
        self.segments = self.segments.filter_map(&mut |_, segment| match change(&segment.value) {
            None => Change::Keep,
            Some(value) => Change::To(Segment { value, ..segment.clone() }),
        });
    }

    /// Some byte in this range of offsets, its end included, is zero.
    pub fn nul(&self) -> Option<(u64, u64)> {
        self.nul
    }

    /// All segments, in order.
    pub fn segments(&self) -> impl Iterator<Item = (u64, &Segment)> {
        self.segments.iter()
    }

    /// Single scalars that differ from those of another, at most so many, and how they may be read.
    pub fn differing(&self, other: &Contents, most: usize) -> Vec<(u64, Shape)> {
        let mut found: Vec<(u64, Shape)> = Vec::new();
        let mut see = |start: u64, mine: Option<&Segment>, theirs: Option<&Segment>| {
            let is_scalar = |s: &&Segment| s.end == start + u64::from(s.element);
            let scalars = [mine, theirs].into_iter().flatten().filter(is_scalar);
            let element = scalars.clone().map(|s| s.element).next();
            let kinds = scalars.filter(|s| Some(s.element) == element).map(|s| &s.value.kind);
            if let Some(shape) = element.and_then(|element| shape_of(element, kinds))
                && !found.iter().any(|(at, _)| *at == start)
            {
                found.push((start, shape));
            }
            found.len() < most
        };
        let mut alone = Vec::new();
        self.segments.all_pairs(
            &other.segments,
            &mut |start, mine, theirs| match theirs {
                Some(theirs) if theirs == mine => true,
                theirs => see(start, Some(mine), theirs),
            },
            &mut |start, theirs| {
                alone.push((start, theirs.clone()));
                alone.len() < most
            },
        );
        alone.iter().all(|(start, theirs)| see(*start, None, Some(theirs)));
        found
    }

    /// Whether some byte at or after an offset is surely zero, if the object has at least `end` bytes.
    pub fn is_terminated(&self, from: u64, end: u64) -> bool {
        self.nul.is_some_and(|(a, _)| a >= from) || self.first_nul(from, end).1.is_some()
    }

    /// Where some byte is zero: as it is known, or the first one that is there to be seen.
    fn some_nul(&self) -> Option<(u64, u64)> {
        let seen = || self.segments.iter().find(|(_, s)| s.is_zero()).map(|(start, _)| (start, start));
        self.nul.or_else(seen)
    }

    /// Scalars against the clock, by first byte.
    pub fn clocked(&self) -> &Map<u64, Clocked> {
        &self.clocked
    }

    /// What is known of scalars against the clock.
    pub fn set_clocked(&mut self, clocked: Map<u64, Clocked>) {
        self.clocked = clocked;
    }

    /// Bytes `from .. to` are written: what is known of them beside the segments is over.
    fn forget_beside(&mut self, from: u64, to: u64) {
        self.fields.forget(from, to);
        if self.clocked.is_empty() {
            return;
        }
        let before = self.clocked.iter_from(from.saturating_sub(16)).take_while(|(at, _)| *at < to);
        let end = |at: u64, clocked: &Clocked| at + clocked.shape().bytes();
        let meeting: Vec<u64> =
            before.filter(|(at, clocked)| end(*at, clocked) > from).map(|(at, _)| at).collect();
        meeting.into_iter().for_each(|at| self.clocked.remove(at));
    }

    /// Joins or widens values, and ranges of offsets; scalars against the clock are left out.
    #[must_use]
    pub fn merge(
        &self,
        other: &Contents,
        values: &mut impl FnMut(&Value, &Value) -> Value,
        offsets: &mut impl FnMut(&Int, &Int) -> Int,
    ) -> Contents {
        let nul = match (self.nul, other.nul) {
            (a, b) if a == b => a,
            _ => match (self.some_nul(), other.some_nul()) {
                (Some(a), Some(b)) => {
                    let as_int = |(a, b): (u64, u64)| Int::range(i128::from(a), i128::from(b));
                    range(&offsets(&as_int(a), &as_int(b)))
                }
                _ => None,
            },
        };
        if self.segments.is_same(&other.segments) {
            let segments = self.segments.clone();
            let wide = self.wide.clone();
            let fields = self.merged_fields(other, values);
            return Contents { segments, nul, clocked: Map::default(), fields, writes: self.writes, wide };
        }
        let fields = self.merged_fields(other, values);
        let mut merge = SameCuts { values, differs: Vec::new() };
        let mut merged = self.segments.merge(&other.segments, &mut merge);
        let differs = together(merge.differs);
        let mut writes = self.writes.max(other.writes);
        for (from, to) in &differs {
            writes = writes.saturating_add(self.recut(other, *from, *to, values, &mut merged));
        }
        let wide = self.wide.clone();
        let mut result = Contents { segments: merged, nul, clocked: Map::default(), fields, writes, wide };
        result.shrink();
        result
    }

    /// The merge of bytes that the two have cut differently: both are cut at the bounds of either. The answer is how
    /// many segments came of it.
    fn recut(
        &self,
        other: &Contents,
        from: u64,
        to: u64,
        values: &mut impl FnMut(&Value, &Value) -> Value,
        result: &mut Map<u64, Segment>,
    ) -> u32 {
        let mut bounds: Vec<u64> = vec![from, to];
        for side in [self, other] {
            for (start, segment) in side.segments.iter_from(from).take_while(|(start, _)| *start < to) {
                bounds.extend([start, segment.end]);
                result.remove(start);
            }
        }
        bounds.sort_unstable();
        bounds.dedup();
        let mut count = 0;
        for pair in bounds.windows(2) {
            let (a, b) = (self.parts(pair[0], pair[1]), other.parts(pair[0], pair[1]));
            for (start, segment) in pairwise(&a, &b, values) {
                result.insert(start, segment);
                count += 1;
            }
        }
        count
    }

    /// Whether everything here is there too.
    pub fn is_subset(&self, other: &Contents) -> bool {
        let nul = match (self.nul, other.nul) {
            (_, None) => true,
            (mine, theirs) if mine == theirs => true,
            (_, Some((c, d))) => self.some_nul().is_some_and(|(a, b)| c <= a && b <= d),
        };
        nul && self.fields_within(other) && {
            let mut larger = |a: &Value, b: &Value| if a.is_subset(b) { b.clone() } else { a.join(b) };
            let joined = self.merge(other, &mut larger, &mut |a, b| a.join(b));
            joined.segments == other.segments
        }
    }

    fn shrink(&mut self) {
        // A write adds a few segments at most: counting them all is for now and then.
        self.writes = self.writes.saturating_add(1);
        if (self.writes as usize) < MOST_SEGMENTS / 2 {
            return;
        }
        self.writes = 0;
        if self.segments.iter().nth(MOST_SEGMENTS).is_none() {
            return;
        }
        let mut merged: Vec<(u64, Segment)> = Vec::new();
        for (start, segment) in self.segments.iter() {
            match merged.last_mut() {
                Some((_, last)) if last.element == segment.element && last.end == start => {
                    last.end = segment.end;
                    last.value = last.value.join(&segment.value);
                }
                _ => merged.push((start, segment.clone())),
            }
        }
        self.segments = Map::default();
        self.put(merged);
    }
}

/// The bytes of these parts, if all are constant.
fn known_bytes(parts: &[(u64, Segment)]) -> Option<Vec<u8>> {
    let mut known = Vec::new();
    for (start, segment) in parts {
        let element =
            if segment.is_zero() { vec![0; segment.element as usize] } else { segment.constant_bytes()? };
        for _ in 0..(segment.end - start) / u64::from(segment.element) {
            known.extend_from_slice(&element);
        }
    }
    Some(known)
}

/// The number that the parts make up from `at` on, lowest byte first.
fn assembled(parts: &[(u64, Segment)], at: u64, bytes: u64) -> Option<Int> {
    if bytes > 8 {
        return None;
    }
    let whole = clew_base::int::IntType::unsigned((bytes * 8) as u16);
    let mut result = Int::constant(0);
    for (start, segment) in parts {
        let bits = bits_of(&segment.value.kind, segment.element)?;
        let mut element = *start;
        while element < segment.end {
            let moved = bits.shl(&Int::constant(i128::from((element - at) * 8)), whole);
            // No bit is in both, so the sum is the union: each knows something that the other does not.
            let (sum, union) = (result.add(&moved), result.or(&moved, whole));
            result = sum.meet(&union).unwrap_or(sum);
            element += u64::from(segment.element);
        }
    }
    Some(result)
}

fn aligned_join(a: &Value, b: &Value, element: u32) -> Value {
    let (a, b) = aligned(a, b, element);
    a.join(&b)
}

fn gap(from: u64, to: u64) -> (u64, Segment) {
    (from, Segment { end: to, element: 1, value: Value::uninitialised() })
}

fn may_hold_zero(segment: &Segment) -> bool {
    if segment.value.uninit || segment.element != 1 {
        return true;
    }
    match &segment.value.kind {
        Kind::Number(n) => n.contains(0),
        _ => true,
    }
}

/// Merges two lists of parts of the same bytes.
fn pairwise(
    a: &[(u64, Segment)],
    b: &[(u64, Segment)],
    values: &mut impl FnMut(&Value, &Value) -> Value,
) -> Vec<(u64, Segment)> {
    if let ([(start, x)], [(_, y)]) = (a, b) {
        let element = match () {
            () if x.element == y.element => Some(x.element),
            () if x.is_uniform() => Some(y.element),
            () if y.is_uniform() => Some(x.element),
            () => None,
        };
        if let Some(element) = element {
            let (left, right) = aligned(&x.value, &y.value, element);
            return vec![(*start, Segment { end: x.end, element, value: values(&left, &right) })];
        }
    }
    let uninit = a.iter().chain(b).any(|(_, s)| s.value.uninit);
    match (a.first(), a.last()) {
        (Some((start, _)), Some((_, last))) => {
            let value = Value { kind: Kind::Any, uninit };
            vec![(*start, Segment { end: last.end, element: 1, value })]
        }
        _ => Vec::new(),
    }
}

/// Ranges of bytes, those that meet put together. Neighbours are not: what lies between them may be cut alike.
fn together(mut ranges: Vec<(u64, u64)>) -> Vec<(u64, u64)> {
    ranges.sort_unstable();
    let mut result: Vec<(u64, u64)> = Vec::new();
    for (from, to) in ranges {
        match result.last_mut() {
            Some(last) if from < last.1 => last.1 = last.1.max(to),
            _ => result.push((from, to)),
        }
    }
    result
}

struct SameCuts<'a, F> {
    values: &'a mut F,
    /// The bytes that are cut differently.
    differs: Vec<(u64, u64)>,
}

impl<F: FnMut(&Value, &Value) -> Value> Merge<u64, Segment> for SameCuts<'_, F> {
    fn both(&mut self, start: u64, a: &Segment, b: &Segment) -> Change<Segment> {
        if a.end != b.end || a.element != b.element {
            self.differs.push((start, a.end.max(b.end)));
            return Change::Keep;
        }
        let (left, right) = aligned(&a.value, &b.value, a.element);
        let value = (self.values)(&left, &right);
        if value == a.value { Change::Keep } else { Change::To(Segment { value, ..a.clone() }) }
    }
    fn left(&mut self, start: u64, a: &Segment) -> Change<Segment> {
        self.differs.push((start, a.end));
        Change::Keep
    }
    fn right(&mut self, start: u64, b: &Segment) -> Change<Segment> {
        self.differs.push((start, b.end));
        Change::Keep
    }
}

/// Widens as [`Contents::merge`] joins.
pub fn widening(thresholds: &Thresholds) -> impl FnMut(&Value, &Value) -> Value + '_ {
    move |a, b| a.widen(b, thresholds)
}

/// The first and last offset, if they are offsets at all.
fn range(offset: &Int) -> Option<(u64, u64)> {
    let (lo, hi) = (offset.lo().max(0), offset.hi());
    let hi = u64::try_from(hi).unwrap_or(u64::MAX / 4).min(u64::MAX / 4);
    let lo = u64::try_from(lo).ok()?;
    (lo <= hi).then_some((lo, hi))
}

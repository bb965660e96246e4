// SPDX-License-Identifier: MIT OR Apache-2.0
//! Ranges of bytes: reading, writing, copying and filling, with what is known of each byte.
//!
//! Callers judge the range first ([`Memory::judge`]); here a range outside its object does nothing.

use std::ops::Range;

use super::{Memory, Object};
use crate::value::{Pointer, Provenance};

impl Memory {
    fn range(&self, pointer: Pointer, bytes: u64) -> Option<(&Object, Range<usize>)> {
        let object = self.live(pointer.prov)?;
        let start = usize::try_from(pointer.addr.wrapping_sub(object.base)).ok()?;
        let end = start.checked_add(usize::try_from(bytes).ok()?)?;
        (end <= object.data.len()).then_some((object, start..end))
    }

    /// The bytes of a range, written or not.
    pub fn bytes(&self, pointer: Pointer, bytes: u64) -> Option<&[u8]> {
        let (object, range) = self.range(pointer, bytes)?;
        object.data.get(range)
    }

    /// The bytes from a pointer to the end of its object.
    pub fn tail(&self, pointer: Pointer) -> Option<&[u8]> {
        self.bytes(pointer, self.remaining(pointer)?)
    }

    /// How many of so many bytes stand before the first pointer among them.
    pub fn before_pointers(&self, pointer: Pointer, bytes: u64) -> u64 {
        let Some((object, range)) = self.range(pointer, bytes) else { return 0 };
        let words = range.start / 8..range.end.div_ceil(8).min(object.words.len());
        let first = words.into_iter().find(|word| object.words[*word] != 0);
        first.map_or(bytes, |word| (word * 8).saturating_sub(range.start) as u64)
    }

    /// Which bits of a range were written; `None` means all.
    pub fn mask(&self, pointer: Pointer, bytes: u64) -> Option<&[u8]> {
        let (object, range) = self.range(pointer, bytes)?;
        object.mask.get(range)
    }

    /// Writes plain bytes, whether the object is const or not.
    pub fn write(&mut self, pointer: Pointer, bytes: &[u8]) {
        let Some(range) = self.claim(pointer, bytes.len() as u64) else { return };
        let Some(object) = self.live_mut(pointer.prov) else { return };
        object.data[range.clone()].copy_from_slice(bytes);
        object.mark_written(range);
    }

    /// Puts bytes where they do not count as written, as many as the object has room for.
    pub fn leave(&mut self, pointer: Pointer, bytes: &[u8]) {
        let room = self.remaining(pointer).unwrap_or(0).min(bytes.len() as u64);
        let Some((_, range)) = self.range(pointer, room) else { return };
        let Some(object) = self.live_mut(pointer.prov) else { return };
        object.data[range].copy_from_slice(&bytes[..room as usize]);
    }

    /// Fills a range with one byte.
    pub fn fill(&mut self, pointer: Pointer, byte: u8, bytes: u64) {
        let Some(range) = self.claim(pointer, bytes) else { return };
        let Some(object) = self.live_mut(pointer.prov) else { return };
        object.data[range.clone()].fill(byte);
        object.mark_written(range);
    }

    /// All of an object counts as written, with the bytes it has.
    pub fn count_as_written(&mut self, prov: Provenance) {
        if let Some(object) = self.live_mut(prov) {
            object.mask.clear();
        }
    }

    /// Sets which bits of a range count as written. A mask of all ones is the usual state after a write.
    pub fn set_mask(&mut self, pointer: Pointer, mask: &[u8]) {
        if mask.iter().all(|m| *m == 0xff) {
            return;
        }
        let Some((_, range)) = self.range(pointer, mask.len() as u64) else { return };
        let Some(object) = self.live_mut(pointer.prov) else { return };
        object.materialise_mask();
        object.mask[range].copy_from_slice(mask);
    }

    /// Reads the pointer stored at a place; one without a known provenance is looked up by its address.
    pub fn read_pointer(&self, place: Pointer) -> Pointer {
        let bytes = self.pointer_bytes;
        let Some((object, range)) = self.range(place, bytes) else { return Pointer::NULL };
        let mut raw = [0; 8];
        raw[..bytes as usize].copy_from_slice(&object.data[range.clone()]);
        let addr = u64::from_le_bytes(raw);
        let word = object.words.get(range.start / 8).copied().filter(|_| range.start.is_multiple_of(8));
        match word {
            Some(word) if word != 0 => Pointer { addr, prov: Provenance(word) },
            _ if addr == 0 => Pointer::NULL,
            _ => self.recover(addr),
        }
    }

    /// Writes a pointer.
    pub fn write_pointer(&mut self, place: Pointer, value: Pointer) {
        let raw = value.addr.to_le_bytes();
        self.write(place, &raw[..self.pointer_bytes as usize]);
        if !value.prov.is_none() {
            self.remember_word(place.addr, place.prov, value.prov);
        }
    }

    /// Copies a range as if through a temporary, with what is known of each bit and each pointer.
    pub fn copy(&mut self, to: Pointer, from: Pointer, bytes: u64) {
        let Some((source, range)) = self.range(from, bytes) else { return };
        let start = range.start;
        let small = range.len() <= 64 && source.words.is_empty() && source.mask.is_empty();
        if small {
            let mut buffer = [0; 64];
            let length = range.len();
            buffer[..length].copy_from_slice(&source.data[range]);
            self.write(to, &buffer[..length]);
            return;
        }
        let data = source.data[range.clone()].to_vec();
        let mask = source.mask.get(range.clone()).map(<[u8]>::to_vec);
        let words = if source.words.is_empty() {
            Vec::new()
        } else {
            source.words[range.start / 8..range.end.div_ceil(8)].to_vec()
        };
        self.write(to, &data);
        if let Some(mask) = mask {
            self.set_mask(to, &mask);
        }
        self.place_words(to, start, bytes as usize, &words);
    }

    /// Stores the provenances of copied words: whole words at matching alignment keep them, others are exposed.
    fn place_words(&mut self, to: Pointer, start: usize, bytes: usize, words: &[u64]) {
        let first = start / 8 * 8;
        for (index, word) in words.iter().enumerate().filter(|(_, w)| **w != 0) {
            let position = first + index * 8;
            if position >= start && position + 8 <= start + bytes {
                let target = to.add((position - start) as u64);
                self.remember_word(target.addr, target.prov, Provenance(*word));
            } else {
                self.expose(Provenance(*word));
            }
        }
    }

    /// Checks that a range may be written to by a plain write, and drops the provenance of what is overwritten.
    fn claim(&mut self, pointer: Pointer, bytes: u64) -> Option<Range<usize>> {
        let (object, range) = self.range(pointer, bytes)?;
        if !object.words.is_empty() {
            self.forget_words(pointer.prov, range.start, range.len());
        }
        Some(range)
    }
}

impl Object {
    fn mark_written(&mut self, range: Range<usize>) {
        if self.mask.is_empty() {
            return;
        }
        if range.len() == self.data.len() {
            self.mask.clear();
        } else {
            self.mask[range].fill(0xff);
        }
    }

    fn materialise_mask(&mut self) {
        if self.mask.is_empty() {
            self.mask.resize(self.data.len(), 0xff);
        }
    }
}

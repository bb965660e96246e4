// SPDX-License-Identifier: MIT OR Apache-2.0
//! Loads and stores: a fast path that says only yes or no, and the question which rule an access breaks.

use super::Memory;
use crate::value::{Pointer, Provenance};

/// The first rule that an access breaks, in the order in which obligations are judged.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Fault {
    /// The pointer is null.
    Null,
    /// It was derived from no object.
    Invalid,
    /// Its object is dead.
    Dead,
    /// Not all bytes lie inside its object.
    OutOfBounds,
    /// A write to something that may not be written.
    ReadOnly,
    /// Some bit was never written.
    Uninitialised,
}

impl Memory {
    /// The bytes at a pointer, if the access is allowed, all bits were written and no pointer's bytes are among them.
    #[inline(always)]
    pub fn load<const N: usize>(&self, addr: u64, prov: Provenance) -> Option<[u8; N]> {
        let object = self.live(prov)?;
        let offset = addr.wrapping_sub(object.base) as usize;
        let bytes = object.data.get(offset..)?.first_chunk::<N>()?;
        if !object.mask.is_empty() && object.mask.get(offset..)?.first_chunk::<N>()? != &[0xff; N] {
            return None;
        }
        if !object.words.is_empty() && has_word(&object.words, offset, N) {
            return None;
        }
        Some(*bytes)
    }

    /// The pointer stored at a pointer, if the access is allowed, all bits were written and its provenance is known.
    #[inline(always)]
    pub fn load_pointer(&self, addr: u64, prov: Provenance) -> Option<Pointer> {
        let object = self.live(prov)?;
        let offset = addr.wrapping_sub(object.base) as usize;
        let bytes = object.data.get(offset..)?.first_chunk::<8>()?;
        if !object.mask.is_empty() && object.mask.get(offset..)?.first_chunk::<8>()? != &[0xff; 8] {
            return None;
        }
        let value = u64::from_le_bytes(*bytes);
        if value == 0 {
            return Some(Pointer::NULL);
        }
        match object.words.get(offset / 8) {
            Some(word) if *word != 0 && offset.is_multiple_of(8) => {
                Some(Pointer { addr: value, prov: Provenance(*word) })
            }
            _ => None,
        }
    }

    /// Stores bytes that are no pointer, if the access is allowed.
    #[inline(always)]
    pub fn store<const N: usize>(&mut self, addr: u64, prov: Provenance, bytes: [u8; N]) -> bool {
        let Some(object) = self.live_mut(prov) else { return false };
        let offset = addr.wrapping_sub(object.base) as usize;
        if !object.writable {
            return false;
        }
        let Some(place) = object.data.get_mut(offset..).and_then(|d| d.first_chunk_mut::<N>()) else {
            return false;
        };
        if !object.words.is_empty() && has_word(&object.words, offset, N) {
            self.forget_words(prov, offset, N);
            return self.store(addr, prov, bytes);
        }
        *place = bytes;
        if let Some(mask) = object.mask.get_mut(offset..).and_then(|m| m.first_chunk_mut::<N>()) {
            *mask = [0xff; N];
        }
        true
    }

    /// Stores a pointer, if the access is allowed.
    #[inline(always)]
    pub fn store_pointer(&mut self, addr: u64, prov: Provenance, value: Pointer) -> bool {
        if !self.store(addr, prov, value.addr.to_le_bytes()) {
            return false;
        }
        if !value.prov.is_none() {
            self.remember_word(addr, prov, value.prov);
        }
        true
    }

    /// Notes which object the pointer just stored was derived from.
    pub(super) fn remember_word(&mut self, addr: u64, prov: Provenance, value: Provenance) {
        let pointer_bytes = self.pointer_bytes as usize;
        let Some(object) = self.live_mut(prov) else { return };
        let offset = addr.wrapping_sub(object.base) as usize;
        if pointer_bytes != 8 {
            self.expose_stored(value);
            return;
        }
        if !offset.is_multiple_of(8) {
            self.expose(value);
            return;
        }
        if object.words.is_empty() {
            object.words = vec![0; object.data.len().div_ceil(8)];
        }
        if let Some(word) = object.words.get_mut(offset / 8) {
            *word = value.0;
        }
    }

    /// Drops the provenance of words that are about to be overwritten. One that is overwritten only in part is
    /// exposed: its other bytes still carry the address.
    #[cold]
    pub(super) fn forget_words(&mut self, prov: Provenance, offset: usize, bytes: usize) {
        if bytes == 0 {
            return;
        }
        let last = (offset + bytes - 1) / 8;
        for index in offset / 8..=last {
            let Some(object) = self.live_mut(prov) else { return };
            let Some(word) = object.words.get_mut(index) else { return };
            let old = Provenance(std::mem::take(word));
            let whole = offset <= index * 8 && index * 8 + 8 <= offset + bytes;
            if !whole && !old.is_none() {
                self.expose(old);
            }
        }
    }

    /// Exposes the objects of all pointers whose bytes lie in a range that is read as something else.
    #[cold]
    pub fn expose_words(&mut self, addr: u64, prov: Provenance, bytes: usize) {
        let Some(object) = self.live(prov) else { return };
        if object.words.is_empty() || bytes == 0 {
            return;
        }
        let offset = addr.wrapping_sub(object.base) as usize;
        let last = ((offset + bytes - 1) / 8 + 1).min(object.words.len());
        let words: Vec<u64> = object.words.get(offset / 8..last).unwrap_or(&[]).to_vec();
        for word in words.into_iter().filter(|w| *w != 0) {
            self.expose(Provenance(word));
        }
    }

    /// Judges an access of `bytes` bytes. Of several broken rules it names the first.
    pub fn judge(&self, pointer: Pointer, bytes: u64, writes: bool) -> Result<(), Fault> {
        if pointer.addr == 0 && pointer.prov.is_none() {
            return Err(Fault::Null);
        }
        if pointer.prov.is_none() {
            return Err(Fault::Invalid);
        }
        let Some(object) = self.live(pointer.prov) else { return Err(Fault::Dead) };
        let offset = pointer.addr.wrapping_sub(object.base);
        let length = object.data.len() as u64;
        if offset.checked_add(bytes).is_none_or(|end| end > length) {
            return Err(Fault::OutOfBounds);
        }
        if writes && !object.writable {
            return Err(Fault::ReadOnly);
        }
        Ok(())
    }

    /// Whether all bits of a range that may be read were written; `bits` narrows it to a bit-field.
    pub fn is_initialised(&self, pointer: Pointer, bytes: u64, bits: Option<(u8, u8)>) -> bool {
        let Some(object) = self.live(pointer.prov) else { return true };
        let offset = pointer.addr.wrapping_sub(object.base) as usize;
        let Some(mask) = object.mask.get(offset..offset.saturating_add(bytes as usize)) else { return true };
        match bits {
            None => mask.iter().all(|m| *m == 0xff),
            Some((start, width)) => (u32::from(start)..u32::from(start) + u32::from(width))
                .all(|bit| mask.get(bit as usize / 8).is_none_or(|m| m >> (bit % 8) & 1 == 1)),
        }
    }
}

/// Whether a pointer's bytes are among those of a scalar inside the object.
#[inline(always)]
fn has_word(words: &[u64], offset: usize, bytes: usize) -> bool {
    let last = (offset + bytes - 1) / 8;
    let hit = |index: usize| words.get(index).is_some_and(|w| *w != 0);
    hit(offset / 8) || (bytes > 1 && hit(last)) || (bytes > 8 && hit(offset / 8 + 1))
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which heap objects nothing points to any more.

use rustc_hash::FxHashSet;

use super::{Kind, Memory, Object};
use crate::value::Provenance;

impl Memory {
    /// Live heap objects that no pointer in a static or stack object, in `roots`, or in a reachable heap object was
    /// derived from. An escaped object counts as reachable: its address may be held as an integer.
    pub fn lost(&self, roots: impl Iterator<Item = Provenance>) -> Vec<Provenance> {
        let mut seen: FxHashSet<Provenance> = FxHashSet::default();
        let mut work: Vec<Provenance> = roots.collect();
        let start = self.live_objects().filter(|(_, o)| o.kind != Kind::Heap || o.escaped);
        work.extend(start.map(|(prov, _)| prov));
        while let Some(prov) = work.pop() {
            let Some(object) = self.live(prov) else { continue };
            if seen.insert(prov) {
                work.extend(object.words.iter().filter(|w| **w != 0).map(|w| Provenance(*w)));
                if self.pointer_bytes == 4 {
                    work.extend(self.led_to(object));
                }
            }
        }
        let heap = self.live_objects().filter(|(_, o)| o.kind == Kind::Heap);
        heap.map(|(prov, _)| prov).filter(|prov| !seen.contains(prov)).collect()
    }

    /// Objects that short pointers in an object lead to: their provenance is not kept, so any word that could be such an
    /// address counts.
    fn led_to(&self, object: &Object) -> impl Iterator<Item = Provenance> {
        let words = object.data.chunks_exact(4).filter_map(|word| word.first_chunk::<4>());
        let addresses = words.map(|word| u64::from(u32::from_le_bytes(*word))).filter(|addr| *addr != 0);
        addresses.map(|addr| self.recover(addr).prov).filter(|prov| !prov.is_none())
    }
}

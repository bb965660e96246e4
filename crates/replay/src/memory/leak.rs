// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which heap objects nothing points to any more.

use rustc_hash::FxHashSet;

use super::{Kind, Memory};
use crate::value::Provenance;

impl Memory {
    /// Live heap objects that no pointer in a static or stack object, in `roots`, or in a reachable heap object was
    /// derived from. An exposed object counts as reachable: its address may be held as an integer.
    pub fn lost(&self, roots: impl Iterator<Item = Provenance>) -> Vec<Provenance> {
        let mut seen: FxHashSet<Provenance> = FxHashSet::default();
        let mut work: Vec<Provenance> = roots.collect();
        let start = self.live_objects().filter(|(_, o)| o.kind != Kind::Heap || o.exposed);
        work.extend(start.map(|(prov, _)| prov));
        while let Some(prov) = work.pop() {
            let Some(object) = self.live(prov) else { continue };
            if seen.insert(prov) {
                work.extend(object.words.iter().filter(|w| **w != 0).map(|w| Provenance(*w)));
            }
        }
        let heap = self.live_objects().filter(|(_, o)| o.kind == Kind::Heap);
        heap.map(|(prov, _)| prov).filter(|prov| !seen.contains(prov)).collect()
    }
}

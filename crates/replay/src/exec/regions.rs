// SPDX-License-Identifier: MIT OR Apache-2.0
//! Regions of unordered calls: what each part touched, and whether two parts conflict.

use clew_ir::syntax::ObligationId;

/// How many accesses are remembered. Beyond it, the regions that are open are not judged.
const MOST: usize = 1 << 16;

/// Accesses since the outermost open region began.
#[derive(Debug, Default)]
pub struct Log {
    entries: Vec<Entry>,
    full: bool,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    start: u64,
    end: u64,
    writes: bool,
}

impl Log {
    /// Remembers an access.
    #[inline]
    pub fn push(&mut self, addr: u64, bytes: u64, writes: bool) {
        if self.entries.len() < MOST {
            self.entries.push(Entry { start: addr, end: addr.saturating_add(bytes), writes });
        } else {
            self.full = true;
        }
    }
}

/// An open region: where in the log each part began.
#[derive(Debug)]
struct Region {
    obligation: ObligationId,
    depth: usize,
    parts: Vec<usize>,
}

/// Open regions, the innermost last.
#[derive(Debug, Default)]
pub struct Regions {
    /// The accesses.
    pub log: Log,
    open: Vec<Region>,
}

impl Regions {
    /// Whether accesses must be logged.
    #[inline]
    pub fn active(&self) -> bool {
        !self.open.is_empty() && !self.log.full
    }

    /// A region opens in the frame of this depth.
    pub fn begin(&mut self, obligation: ObligationId, depth: usize) {
        self.leave(depth);
        if self.open.is_empty() {
            self.log.entries.clear();
            self.log.full = false;
        }
        self.open.push(Region { obligation, depth, parts: vec![self.log.entries.len()] });
    }

    /// The next part begins.
    pub fn next(&mut self, obligation: ObligationId, depth: usize) {
        self.leave(depth);
        if let Some(region) = self.open.last_mut().filter(|r| r.obligation == obligation && r.depth == depth)
        {
            region.parts.push(self.log.entries.len());
        }
    }

    /// A region closes. Says where two of its parts conflict, if they do.
    pub fn end(&mut self, obligation: ObligationId, depth: usize) -> Option<u64> {
        self.leave(depth);
        let position = self.open.iter().rposition(|r| r.obligation == obligation && r.depth == depth)?;
        let region = self.open.drain(position..).next()?;
        if self.log.full {
            return None;
        }
        conflict(&self.log.entries, &region.parts)
    }

    /// Regions of frames that are gone (`longjmp`) are gone too.
    fn leave(&mut self, depth: usize) {
        while self.open.last().is_some_and(|region| region.depth > depth) {
            self.open.pop();
        }
    }
}

/// A byte that two parts touch, one of them writing.
fn conflict(entries: &[Entry], parts: &[usize]) -> Option<u64> {
    let start = *parts.first()?;
    if !entries.get(start..)?.iter().any(|entry| entry.writes) {
        return None;
    }
    let part_of = |index: usize| parts.partition_point(|first| *first <= index);
    let mut sorted: Vec<(Entry, usize)> =
        entries.iter().enumerate().skip(start).map(|(index, entry)| (*entry, part_of(index))).collect();
    sorted.sort_unstable_by_key(|(entry, part)| (entry.start, *part));
    // Accesses that begin before another ends overlap it; few do, so the rest of the run is short.
    for (position, (entry, part)) in sorted.iter().enumerate() {
        let overlapping = sorted[position + 1..]
            .iter()
            .take_while(|(other, _)| other.start < entry.end)
            .take(MOST_NEIGHBOURS);
        for (other, other_part) in overlapping {
            if part != other_part && (entry.writes || other.writes) {
                return Some(other.start);
            }
        }
    }
    None
}

/// How many overlapping accesses are compared with each: repeated accesses to one place are alike.
const MOST_NEIGHBOURS: usize = 1024;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_that_write_the_same_bytes_conflict() {
        let mut regions = Regions::default();
        let region = ObligationId(0);
        regions.begin(region, 1);
        regions.log.push(16, 4, true);
        regions.next(region, 1);
        regions.log.push(18, 1, false);
        assert_eq!(regions.end(region, 1), Some(18));
        assert!(!regions.active());
    }

    #[test]
    fn reads_do_not_conflict_and_neither_does_one_part_with_itself() {
        let mut regions = Regions::default();
        let region = ObligationId(0);
        regions.begin(region, 1);
        regions.log.push(16, 4, true);
        regions.log.push(16, 4, false);
        regions.next(region, 1);
        regions.log.push(20, 4, true);
        assert_eq!(regions.end(region, 1), None);
    }
}

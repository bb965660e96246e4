// SPDX-License-Identifier: MIT OR Apache-2.0
//! Regions of unordered calls: what each part touched, and whether two parts conflict.

use clew_ir::syntax::{ObligationId, UnorderedMarker};

use crate::effort::{MOST_ACCESSES, MOST_NEIGHBOURS};

/// Accesses since the outermost open region began.
#[derive(Debug, Default)]
pub struct Log {
    entries: Vec<Entry>,
    /// One past the last entry that writes.
    last_write: usize,
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
        if self.entries.len() < MOST_ACCESSES {
            self.entries.push(Entry { start: addr, end: addr.saturating_add(bytes), writes });
            if writes {
                self.last_write = self.entries.len();
            }
        } else {
            self.full = true;
        }
    }
}

/// An open region.
#[derive(Debug)]
struct Region {
    obligation: ObligationId,
    depth: usize,
    /// Where its parts begin in the list of parts.
    parts: usize,
}

/// Open regions, the innermost last.
#[derive(Debug, Default)]
pub struct Regions {
    /// The accesses.
    pub log: Log,
    open: Vec<Region>,
    /// Where in the log each part of each open region began.
    parts: Vec<Part>,
}

/// Where a part of a region begins or goes on.
#[derive(Clone, Copy, Debug)]
struct Part {
    start: usize,
    /// Which part of its region it is.
    number: usize,
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
            self.log.last_write = 0;
            self.log.full = false;
            self.parts.clear();
        }
        if !self.log.full {
            self.open.push(Region { obligation, depth, parts: self.parts.len() });
            self.parts.push(Part { start: self.log.entries.len(), number: 0 });
        }
    }

    /// The next part begins.
    pub fn next(&mut self, obligation: ObligationId, depth: usize) {
        self.part(obligation, depth, |parts| parts.iter().map(|part| part.number + 1).max());
    }

    /// The part before this one goes on.
    pub fn back(&mut self, obligation: ObligationId, depth: usize) {
        self.part(obligation, depth, |parts| parts.iter().rev().nth(1).map(|part| part.number));
    }

    fn part(&mut self, obligation: ObligationId, depth: usize, number: impl Fn(&[Part]) -> Option<usize>) {
        self.leave(depth);
        let region = self.open.last().filter(|r| r.obligation == obligation && r.depth == depth);
        if let Some(number) = region.and_then(|region| number(&self.parts[region.parts..])) {
            self.parts.push(Part { start: self.log.entries.len(), number });
        }
    }

    /// Closes the innermost region if it is this one and nothing was written in it, which is no conflict. `false` if
    /// it takes more to tell.
    #[inline]
    pub fn end_quietly(&mut self, obligation: ObligationId, depth: usize) -> bool {
        let Some(region) = self.open.last().filter(|r| r.obligation == obligation && r.depth == depth) else {
            return false;
        };
        let first = region.parts;
        let start = self.parts.get(first).map_or(0, |part| part.start);
        let quiet = !self.log.full && self.log.last_write <= start;
        if quiet {
            self.open.pop();
            self.parts.truncate(first);
        }
        quiet
    }

    /// Whether a marker means nothing because the log is full: inner regions are not judged then.
    #[inline]
    pub fn skips(&self, marker: UnorderedMarker, obligation: ObligationId, depth: usize) -> bool {
        let Some(last) = self.open.last().filter(|_| self.log.full) else { return false };
        // Regions close from the innermost out: only an end of the last one, or past it, matters.
        let inner = last.depth < depth || (last.depth == depth && last.obligation != obligation);
        marker != UnorderedMarker::End || inner
    }

    /// A region closes. Says where two of its parts conflict, if they do.
    pub fn end(&mut self, obligation: ObligationId, depth: usize) -> Option<u64> {
        self.leave(depth);
        let position = self.open.iter().rposition(|r| r.obligation == obligation && r.depth == depth)?;
        let first = self.open[position].parts;
        self.open.truncate(position);
        let found = if self.log.full { None } else { conflict(&self.log.entries, &self.parts[first..]) };
        self.parts.truncate(first);
        found
    }

    /// Regions of frames that are gone (`longjmp`) are gone too.
    fn leave(&mut self, depth: usize) {
        while let Some(region) = self.open.last().filter(|region| region.depth > depth) {
            self.parts.truncate(region.parts);
            self.open.pop();
        }
    }
}

/// A byte that two parts touch, one of them writing.
fn conflict(entries: &[Entry], parts: &[Part]) -> Option<u64> {
    let start = parts.first()?.start;
    if !entries.get(start..)?.iter().any(|entry| entry.writes) {
        return None;
    }
    let part_of = |index: usize| {
        let behind = parts.partition_point(|part| part.start <= index);
        parts[..behind].last().map(|part| part.number)
    };
    let mut sorted: Vec<(Entry, Option<usize>)> =
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
        assert!(!regions.end_quietly(region, 1), "something was written");
        assert_eq!(regions.end(region, 1), None);
    }

    #[test]
    fn a_part_that_goes_on_does_not_conflict_with_itself() {
        let mut regions = Regions::default();
        let region = ObligationId(0);
        regions.begin(region, 1);
        regions.log.push(16, 4, true);
        regions.next(region, 1);
        regions.log.push(20, 4, true);
        regions.back(region, 1);
        regions.log.push(16, 4, true);
        regions.back(region, 1);
        regions.log.push(20, 4, true);
        assert_eq!(regions.end(region, 1), None);
        regions.begin(region, 1);
        regions.next(region, 1);
        regions.log.push(20, 4, true);
        regions.back(region, 1);
        regions.log.push(20, 4, false);
        assert_eq!(regions.end(region, 1), Some(20));
    }

    #[test]
    fn inner_regions_are_parts_of_outer_ones() {
        let mut regions = Regions::default();
        let (outer, inner) = (ObligationId(0), ObligationId(1));
        regions.begin(outer, 1);
        regions.begin(inner, 2);
        regions.log.push(16, 4, false);
        regions.next(inner, 2);
        assert!(regions.end_quietly(inner, 2));
        regions.next(outer, 1);
        regions.log.push(16, 4, true);
        assert_eq!(regions.end(outer, 1), Some(16));
    }
}

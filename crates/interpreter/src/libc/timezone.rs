// SPDX-License-Identifier: MIT OR Apache-2.0
//! Time zones: what `TZ` or the host's `/etc/localtime` says, read from compiled zone files (RFC 8536).
//!
//! Limits, said here and in the manual: after the last transition of a zone file its last local time type holds
//! (the footer's rule is not evaluated), and `TZ` may name a file or be a fixed offset such as `EST5`; daylight
//! saving rules written in `TZ` itself are not evaluated.

use std::fs;
use std::path::Path;

/// One kind of local time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LocalType {
    /// Seconds east of Greenwich.
    pub offset: i64,
    /// Daylight saving time.
    pub dst: bool,
    /// Abbreviation.
    pub name: String,
}

/// A time zone: when which kind of local time begins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Zone {
    transitions: Vec<(i64, usize)>,
    types: Vec<LocalType>,
}

impl Zone {
    /// Greenwich time under a name.
    pub fn utc(name: &str) -> Zone {
        Zone::fixed(0, name)
    }

    fn fixed(offset: i64, name: &str) -> Zone {
        Zone { transitions: Vec::new(), types: vec![LocalType { offset, dst: false, name: name.to_owned() }] }
    }

    /// The zone that `TZ` (if set) or the host selects.
    pub fn select(tz: Option<&[u8]>) -> Zone {
        let Some(tz) = tz else {
            return read_file(Path::new("/etc/localtime")).unwrap_or_else(|| Zone::utc("UTC"));
        };
        let text = String::from_utf8_lossy(tz);
        let name = text.strip_prefix(':').unwrap_or(&text);
        if name.is_empty() {
            return Zone::utc("UTC");
        }
        let path = Path::new("/usr/share/zoneinfo").join(name);
        read_file(&path).or_else(|| fixed_offset(name)).unwrap_or_else(|| Zone::utc("UTC"))
    }

    /// The kind of local time in force at a moment.
    pub fn at(&self, seconds: i64) -> &LocalType {
        let index = self.transitions.partition_point(|(start, _)| *start <= seconds);
        let kind = match index.checked_sub(1) {
            Some(last) => self.transitions[last].1,
            None => self.types.iter().position(|t| !t.dst).unwrap_or(0),
        };
        &self.types[kind]
    }

    /// Moments whose local time reads as `local` seconds, best guess first: the offsets of one day around it.
    pub fn candidates(&self, local: i64) -> [i64; 2] {
        let before = local - self.at(local - 86_400).offset;
        let after = local - self.at(local + 86_400).offset;
        [before, after]
    }

    /// The last standard and the last daylight saving type, for `tzname`, `timezone` and `daylight`.
    pub fn standard_and_daylight(&self) -> (Option<&LocalType>, Option<&LocalType>) {
        let last = |dst: bool| {
            let used = self.transitions.iter().rev().map(|(_, kind)| &self.types[*kind]);
            used.chain(self.types.iter()).find(|t| t.dst == dst)
        };
        (last(false), last(true))
    }
}

/// `NAME[+-]H[:MM[:SS]]`, counted west of Greenwich as POSIX does.
fn fixed_offset(text: &str) -> Option<Zone> {
    let name_end = text.find(|c: char| !c.is_ascii_alphabetic())?;
    let (name, rest) = text.split_at(name_end);
    let (sign, rest) = match rest.strip_prefix('-') {
        Some(rest) => (1, rest),
        None => (-1, rest.strip_prefix('+').unwrap_or(rest)),
    };
    let mut seconds = 0;
    for (part, unit) in rest.split(':').zip([3600, 60, 1]) {
        seconds += part.parse::<i64>().ok()? * unit;
    }
    (name.len() >= 3).then(|| Zone::fixed(sign * seconds, name))
}

fn read_file(path: &Path) -> Option<Zone> {
    parse(&fs::read(path).ok()?)
}

/// Takes numbers off the front of a zone file.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (head, tail) = self.0.split_at_checked(count)?;
        self.0 = tail;
        Some(head)
    }
    fn u32(&mut self) -> Option<u32> {
        Some(u32::from_be_bytes(self.take(4)?.try_into().ok()?))
    }
    fn i64(&mut self, wide: bool) -> Option<i64> {
        if !wide {
            return Some(i64::from(self.u32()? as i32));
        }
        Some(i64::from_be_bytes(self.take(8)?.try_into().ok()?))
    }
}

/// Counts in the header of a zone file.
struct Header {
    version: u8,
    isut: usize,
    isstd: usize,
    leap: usize,
    time: usize,
    kind: usize,
    chars: usize,
}

fn header(reader: &mut Reader<'_>) -> Option<Header> {
    if reader.take(4)? != b"TZif" {
        return None;
    }
    let version = reader.take(16)?[0];
    let mut count = || reader.u32().map(|n| n as usize);
    let (isut, isstd, leap) = (count()?, count()?, count()?);
    let (time, kind, chars) = (count()?, count()?, count()?);
    Some(Header { version, isut, isstd, leap, time, kind, chars })
}

fn parse(bytes: &[u8]) -> Option<Zone> {
    let mut reader = Reader(bytes);
    let mut head = header(&mut reader)?;
    let wide = head.version >= b'2';
    if wide {
        // The first body has 32-bit times only; the second one follows it.
        reader.take(head.time * 5 + head.kind * 6 + head.chars + head.leap * 8 + head.isstd + head.isut)?;
        head = header(&mut reader)?;
    }
    let mut starts = Vec::new();
    for _ in 0..head.time {
        starts.push(reader.i64(wide)?);
    }
    let kinds = reader.take(head.time)?;
    let mut raw_types = Vec::new();
    for _ in 0..head.kind {
        let offset = i64::from(reader.u32()? as i32);
        let rest = reader.take(2)?;
        raw_types.push((offset, rest[0] != 0, usize::from(rest[1])));
    }
    let chars = reader.take(head.chars)?;
    let types: Vec<LocalType> = raw_types
        .into_iter()
        .map(|(offset, dst, at)| {
            let tail = chars.get(at..).unwrap_or(b"");
            let end = tail.iter().position(|b| *b == 0).unwrap_or(tail.len());
            LocalType { offset, dst, name: String::from_utf8_lossy(&tail[..end]).into_owned() }
        })
        .collect();
    let transitions: Vec<(i64, usize)> =
        starts.into_iter().zip(kinds.iter().map(|k| usize::from(*k))).collect();
    let valid = !types.is_empty() && transitions.iter().all(|(_, kind)| *kind < types.len());
    valid.then_some(Zone { transitions, types })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fixed_offsets() {
        assert_eq!(fixed_offset("EST5").unwrap().at(0).offset, -5 * 3600);
        assert_eq!(fixed_offset("IST-5:30").unwrap().at(0).offset, 5 * 3600 + 1800);
        assert_eq!(fixed_offset("nonsense"), None);
    }
}

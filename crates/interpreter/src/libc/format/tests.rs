// SPDX-License-Identifier: MIT OR Apache-2.0
//! The engines over arguments and texts of the test's own. Whole programs against gcc are in `tests/c/libc`.

use clew_base::float::text::parse_prefix;
use clew_base::float::{Float, Format, Rounding};

use super::directive::{BadFormat, Length};
use super::print::{self, ArgKind, ArgSource, Argument, PrintError, Text};
use super::scan::{self, ByteSource, ScanError, Targets, TextShape};

/// Arguments in order; pointers are texts.
struct Given<'a> {
    arguments: std::iter::Copied<std::slice::Iter<'a, Argument<&'a [u8]>>>,
    counts: Vec<usize>,
}

impl<'a> ArgSource for Given<'a> {
    type Pointer = &'a [u8];
    type Error = PrintError;

    fn long_bits(&self) -> u32 {
        64
    }

    fn next(&mut self, _: ArgKind, _: Text<'_>) -> Result<Argument<&'a [u8]>, PrintError> {
        Ok(self.arguments.next().unwrap_or(Argument::Int(0)))
    }
    fn string(
        &mut self,
        text: &'a [u8],
        limit: Option<usize>,
        _: Text<'_>,
    ) -> Result<Option<Vec<u8>>, PrintError> {
        Ok(Some(text[..text.len().min(limit.unwrap_or(usize::MAX))].to_vec()))
    }
    fn wide_string(
        &mut self,
        text: &'a [u8],
        _: Option<usize>,
        _: Text<'_>,
    ) -> Result<Option<Vec<u32>>, PrintError> {
        Ok(Some(text.iter().map(|b| u32::from(*b)).collect()))
    }
    fn address(&self, text: &'a [u8]) -> u64 {
        text.len() as u64
    }
    fn store_count(&mut self, _: &'a [u8], _: u32, count: usize, _: Text<'_>) -> Result<(), PrintError> {
        self.counts.push(count);
        Ok(())
    }
    fn error_message(&mut self) -> String {
        "message".into()
    }
}

fn printed(format: &str, arguments: &[Argument<&'static [u8]>]) -> Result<String, PrintError> {
    let mut out = Vec::new();
    let mut given = Given { arguments: arguments.iter().copied(), counts: Vec::new() };
    print::format(format.as_bytes(), &mut given, &mut out)?;
    Ok(String::from_utf8_lossy(&out).into_owned())
}

const fn int(value: i128) -> Argument<&'static [u8]> {
    Argument::Int(value)
}

fn float(value: f64) -> Argument<&'static [u8]> {
    Argument::Float(Float::from_f64(value))
}

#[test]
fn prints_integers() {
    let print = |format, value| printed(format, &[int(value)]).unwrap();
    assert_eq!(print("[%5d|%%]", -42), "[  -42|%]");
    assert_eq!(print("[%-8.3d]", 7), "[007     ]");
    assert_eq!(print("[%08.3d]", 7), "[     007]");
    assert_eq!(print("[%#x] ", 255), "[0xff] ");
    assert_eq!(print("[%#.0o]", 0), "[0]");
    assert_eq!(print("[%.0d]", 0), "[]");
    assert_eq!(print("[%hhd]", 511), "[-1]");
    assert_eq!(print("[%+d]", 3), "[+3]");
}

#[test]
fn prints_texts_and_floats() {
    assert_eq!(
        printed("%.2s|%5s", &[Argument::Pointer(b"abc"), Argument::Pointer(b"x")]).unwrap(),
        "ab|    x"
    );
    assert_eq!(printed("%08.2f|%e", &[float(-1.5), float(0.0)]).unwrap(), "-0001.50|0.000000e+00");
    assert_eq!(printed("%010f", &[float(f64::INFINITY)]).unwrap(), "       inf");
    assert_eq!(
        printed("%p %p", &[Argument::Pointer(b""), Argument::Pointer(b"1234567890123456")]).unwrap(),
        "(nil) 0x10"
    );
    assert_eq!(printed("%m", &[]).unwrap(), "message");
}

#[test]
fn stars_and_positions() {
    assert_eq!(
        printed("%*d|%-*d|%.*d", &[int(4), int(1), int(3), int(2), int(-1), int(5)]).unwrap(),
        "   1|2  |5"
    );
    assert_eq!(printed("%2$d-%1$d", &[int(1), int(2)]).unwrap(), "2-1");
}

#[test]
fn formats_without_meaning() {
    assert_eq!(printed("ab%", &[]), Err(PrintError::BadFormat(BadFormat::Truncated, 2)));
    assert_eq!(printed("%1$d %d", &[int(1)]), Err(PrintError::BadFormat(BadFormat::MixedPositions, 5)));
    assert_eq!(printed("%400000000d", &[int(1)]), Err(PrintError::FieldTooWide(400_000_000)));
}

/// A text to scan, and what was stored.
struct Scan {
    text: &'static [u8],
    at: usize,
    stored: Vec<String>,
}

impl ByteSource for Scan {
    fn next(&mut self) -> Option<u8> {
        let byte = self.text.get(self.at).copied()?;
        self.at += 1;
        Some(byte)
    }
    fn unread(&mut self, _: u8) {
        self.at -= 1;
    }
}

impl Targets for Scan {
    type Error = ScanError;

    fn long_bits(&self) -> u32 {
        64
    }

    fn select(&mut self, _: Option<usize>, _: &[u8]) -> Result<(), ScanError> {
        Ok(())
    }
    fn store_int(&mut self, bits: u32, value: u64) -> Result<(), ScanError> {
        self.stored.push(format!("{}:{bits}", value as i64));
        Ok(())
    }
    fn store_float(&mut self, _: Length, text: &[u8]) -> Result<bool, ScanError> {
        let parsed = parse_prefix(text, Format::F64, Rounding::NearestEven);
        self.stored.extend(parsed.map(|p| p.value.to_f64().to_string()));
        Ok(parsed.is_some())
    }
    fn store_pointer(&mut self, address: u64) -> Result<(), ScanError> {
        self.stored.push(format!("{address:#x}"));
        Ok(())
    }
    fn store_text(&mut self, text: &[u8], _: TextShape) -> Result<(), ScanError> {
        self.stored.push(String::from_utf8_lossy(text).into_owned());
        Ok(())
    }
}

fn scanned(text: &'static str, format: &str) -> (i32, Vec<String>, usize) {
    let mut scan = Scan { text: text.as_bytes(), at: 0, stored: Vec::new() };
    let result = scan::scan(format.as_bytes(), &mut scan).unwrap();
    (result, scan.stored, scan.at)
}

#[test]
fn scans_numbers() {
    assert_eq!(scanned(" -12 0x1f", "%d %i"), (2, vec!["-12:32".into(), "31:32".into()], 9));
    assert_eq!(scanned("0xg", "%x"), (1, vec!["0:32".into()], 2));
    assert_eq!(scanned("12345", "%2d%hhd"), (2, vec!["12:32".into(), "345:8".into()], 5));
    assert_eq!(scanned("1e", "%f"), (1, vec!["1".into()], 2));
    assert_eq!(scanned("0x1p3", "%2a"), (1, vec!["0".into()], 1));
    assert_eq!(scanned("infinit", "%f").0, 0);
    assert_eq!(scanned("x", "%d"), (0, vec![], 0));
    assert_eq!(scanned("", "%d").0, -1);
}

#[test]
fn scans_texts() {
    assert_eq!(scanned("ab cd", "%s%c%[a-c]%n").1, ["ab", " ", "c", "4:32"]);
    assert_eq!(scanned("]a-b", "%[]a]%s").1, ["]a", "-b"]);
    assert_eq!(scanned("a,b", "%[^,],%*c%n").1, ["a", "3:32"]);
    assert_eq!(scanned("50%", "%d%%").0, 1);
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! What people say about formats and ranges: in a comment of the source, or by flags.
//!
//! The paper's comment (Figure 1):
//!
//! ```text
//! /* CANA
//! CANA ALL sign 7 8
//! global x range 0 1
//! */
//! ```
//!
//! and our own, with the words of the command line: `/* clew-fixed: fixed a=q15 range a=-1..1 */`. Every wish keeps its
//! place, so that what is wrong with it is said there.

use clew_base::exact::Rational;
use clew_base::source::{FileId, SourceMap, Span};

use crate::exact::decimal;
use crate::format::{Format, Overflow, Rounding};

/// One thing that is said.
#[derive(Clone, PartialEq, Debug)]
pub enum Wish {
    /// A variable's format, `ALL` for all floats.
    Fixed { name: String, format: Format },
    /// An input's range; with a length for what a pointer points to.
    Range { name: String, length: Option<u64>, low: Rational, high: Rational },
    /// How results are rounded.
    Round(Rounding),
    /// What becomes of those that do not fit.
    Overflow(Overflow),
}

/// A wish and where it stands; flags stand nowhere.
#[derive(Clone, PartialEq, Debug)]
pub struct Said {
    /// What.
    pub wish: Wish,
    /// Where.
    pub span: Span,
}

/// Something wrong with what was said.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// Where; none for flags.
    pub span: Span,
    /// What.
    pub message: String,
}

/// Reads `x=s7.8`.
///
/// # Errors
/// What is wrong with it.
pub fn fixed(text: &str) -> Result<Wish, String> {
    let (name, format) =
        text.split_once('=').ok_or_else(|| format!("`{text}` is no format: write NAME=s7.8, or ALL=s7.8"))?;
    Ok(Wish::Fixed { name: variable_name(name)?, format: Format::parse(format)? })
}

/// Reads `x=0..1` or `p[8]=-1..1`.
///
/// # Errors
/// What is wrong with it.
pub fn range(text: &str) -> Result<Wish, String> {
    let wrong = || format!("`{text}` is no range: write NAME=LOW..HIGH");
    let (name, ends) = text.split_once('=').ok_or_else(wrong)?;
    let (low, high) = ends.split_once("..").ok_or_else(wrong)?;
    let (name, length) = match name.split_once('[') {
        Some((name, rest)) => {
            let digits = rest.strip_suffix(']').ok_or_else(wrong)?;
            (name, Some(digits.parse::<u64>().map_err(|_| wrong())?))
        }
        None => (name, None),
    };
    ordered(variable_name(name)?, length, low, high)
}

fn ordered(name: String, length: Option<u64>, low: &str, high: &str) -> Result<Wish, String> {
    let number = |text: &str| decimal(text).ok_or_else(|| format!("`{text}` is no number"));
    let (low, high) = (number(low)?, number(high)?);
    if low > high {
        return Err(format!("the range of `{name}` is empty: its low end is above its high end"));
    }
    if length == Some(0) {
        return Err(format!("`{name}` needs at least one element"));
    }
    Ok(Wish::Range { name, length, low, high })
}

fn variable_name(name: &str) -> Result<String, String> {
    let name = name.trim();
    let good = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
    if name.is_empty() || !name.chars().all(good) {
        return Err(format!("`{name}` is no variable's name"));
    }
    Ok(name.to_owned())
}

/// Reads the name of a rounding mode.
///
/// # Errors
/// The names there are.
pub fn rounding(text: &str) -> Result<Rounding, String> {
    match text {
        "half-up" => Ok(Rounding::HalfUp),
        "half-even" => Ok(Rounding::HalfEven),
        "truncate" => Ok(Rounding::Truncate),
        "toward-zero" => Ok(Rounding::TowardZero),
        _ => Err(format!("`{text}` is no rounding: half-up, half-even, truncate or toward-zero")),
    }
}

/// Reads what becomes of values that do not fit.
///
/// # Errors
/// The names there are.
pub fn overflow(text: &str) -> Result<Overflow, String> {
    match text {
        "wrap" => Ok(Overflow::Wrap),
        "saturate" => Ok(Overflow::Saturate),
        _ => Err(format!("`{text}` is no way to overflow: wrap or saturate")),
    }
}

/// All that the comments of a program say.
pub fn read(sources: &SourceMap) -> (Vec<Said>, Vec<Problem>) {
    let (mut said, mut problems) = (Vec::new(), Vec::new());
    for (file, source) in sources.files.iter_enumerated() {
        for (start, end) in comments(&source.text) {
            let text = String::from_utf8_lossy(&source.text[start..end]).into_owned();
            let mut reader = Reader { file, start, said: &mut said, problems: &mut problems };
            reader.comment(&text);
        }
    }
    (said, problems)
}

struct Reader<'a> {
    file: FileId,
    start: usize,
    said: &'a mut Vec<Said>,
    problems: &'a mut Vec<Problem>,
}

impl Reader<'_> {
    fn comment(&mut self, text: &str) {
        let body = text.trim_start_matches(['/', '*']).trim_start();
        if let Some(rest) = body.strip_prefix("clew-fixed:") {
            let at = text.len() - rest.len();
            self.words(rest.trim_end_matches("*/"), at);
        } else if let Some(rest) =
            ["clew-fixed", "clew fixed", "clew_fixed", "CLEW-FIXED"].iter().find_map(|w| body.strip_prefix(w))
        {
            // A comment that merely speaks of `clew fixed` has no words of ours.
            let next = rest.trim_start_matches([':', ' ']).split([' ', '=', '\n']).next();
            if matches!(next, Some("fixed" | "range" | "round" | "overflow")) {
                let message = "a comment for clew begins with `clew-fixed:`".to_owned();
                let at = text.len() - body.len();
                self.put(Err(message), at, "clew-fixed".len());
            }
        } else if body.strip_prefix("CANA").is_some_and(|rest| rest.starts_with([' ', '\n', '\r', '\t'])) {
            let mut at = 0;
            for line in text.split_inclusive('\n') {
                self.line(line, at);
                at += line.len();
            }
        }
    }

    /// A line of the paper's comment.
    fn line(&mut self, line: &str, at: usize) {
        let plain = line.trim().trim_start_matches("/*").trim_end_matches("*/").trim();
        let words: Vec<&str> = plain.split_whitespace().collect();
        let wish = match words[..] {
            [] | ["CANA"] => return,
            ["CANA", name, sign, integer, fraction] => cana_format(name, sign, integer, fraction, ""),
            ["CANA", name, sign, integer, fraction, "base", base] => {
                cana_format(name, sign, integer, fraction, base)
            }
            ["global" | "parameter" | "local", name, "range", low, high] => {
                variable_name(name).and_then(|name| ordered(name, None, low, high))
            }
            _ => Err(format!(
                "`{plain}` is not understood: `CANA ALL sign 7 8` gives a format, `global x range 0 1` a range"
            )),
        };
        let indent = line.len() - line.trim_start().len();
        self.put(wish, at + indent, plain.len().max(1));
    }

    /// The words of the command line.
    fn words(&mut self, text: &str, at: usize) {
        let mut words =
            text.split_whitespace().map(|word| (word, word.as_ptr() as usize - text.as_ptr() as usize));
        while let Some((word, offset)) = words.next() {
            let Some((value, end)) = words.next() else {
                let message = format!(
                    "`{word}` lacks its value: fixed x=s7.8, range x=0..1, round half-even, overflow saturate"
                );
                self.put(Err(message), at + offset, word.len());
                return;
            };
            let wish = match word {
                "fixed" => fixed(value),
                "range" => range(value),
                "round" => rounding(value).map(Wish::Round),
                "overflow" => overflow(value).map(Wish::Overflow),
                _ => Err(format!("`{word}` is not understood: fixed, range, round or overflow")),
            };
            self.put(wish, at + offset, end + value.len() - offset);
        }
    }

    fn put(&mut self, wish: Result<Wish, String>, at: usize, length: usize) {
        let start = (self.start + at) as u32;
        let span = Span { file: self.file, start, end: start + length as u32, expansion: None };
        match wish {
            Ok(wish) => self.said.push(Said { wish, span }),
            Err(message) => self.problems.push(Problem { span, message }),
        }
    }
}

fn cana_format(name: &str, sign: &str, integer: &str, fraction: &str, base: &str) -> Result<Wish, String> {
    let kind = match sign {
        "sign" => "s",
        "unsign" => "u",
        _ => return Err(format!("`{sign}` is neither `sign` nor `unsign`")),
    };
    let suffix = match base {
        "" | "2" => "",
        "10" => "d",
        _ => return Err(format!("base {base}: only 2 and 10 are known")),
    };
    for digits in [integer, fraction] {
        if digits.parse::<u16>().is_err() {
            return Err(format!("`{digits}` is no number of digits: `CANA ALL sign 7 8` has 7 and 8"));
        }
    }
    let format = Format::parse(&format!("{kind}{integer}.{fraction}{suffix}"))?;
    Ok(Wish::Fixed { name: variable_name(name)?, format })
}

/// Where the comments of a C text are; strings and characters are skipped.
fn comments(text: &[u8]) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        if rest.starts_with(b"/*") {
            let end = rest[2..].windows(2).position(|w| w == b"*/").map_or(text.len(), |i| at + i + 4);
            found.push((at, end));
            at = end;
        } else if rest.starts_with(b"//") {
            let end = rest.iter().position(|b| *b == b'\n').map_or(text.len(), |i| at + i);
            found.push((at, end));
            at = end;
        } else if rest[0] == b'"' || rest[0] == b'\'' {
            at += 1;
            while at < text.len() && text[at] != rest[0] && text[at] != b'\n' {
                at += if text[at] == b'\\' { 2 } else { 1 };
            }
            at += 1;
        } else {
            at += 1;
        }
    }
    found
}

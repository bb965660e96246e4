// SPDX-License-Identifier: MIT OR Apache-2.0
//! Inputs that would cost hours or gigabytes are turned away first, with a place and a reason.
//!
//! rucc bounds the depth of brackets it parses, but not what its preprocessor and its types do with some
//! shapes that no person writes: macro calls nested ten thousand deep take memory quadratic in the depth,
//! and so does time in the number of array dimensions.

use rucc_lex::Punct;
use rucc_pp::Tok;

/// Brackets nested deeper than this are refused in the text, before macros are expanded.
pub(crate) const MAX_TEXT_NESTING: usize = 2000;

/// `[1][1][1]...` longer than this is refused.
pub(crate) const MAX_SUBSCRIPT_CHAIN: usize = 256;

/// A file whose start holds more control bytes than one in this many is not text.
const CONTROL_BYTES_ONE_IN: usize = 32;

/// How much of a file is looked at to tell whether it is text.
const TEXT_SAMPLE: usize = 8192;

/// Why a text is refused, and at which byte.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    pub(crate) at: usize,
    pub(crate) code: &'static str,
    pub(crate) message: String,
}

/// Looks at a file before it is preprocessed.
pub(crate) fn refuse_text(text: &[u8]) -> Option<Refusal> {
    refuse_binary(text).or_else(|| refuse_nesting(text))
}

fn refuse_binary(text: &[u8]) -> Option<Refusal> {
    let is_control = |b: &u8| *b < 0x20 && !matches!(*b, b'\n' | b'\r' | b'\t' | 0x0b | 0x0c);
    let sample = &text[..text.len().min(TEXT_SAMPLE)];
    let control = sample.iter().filter(|b| is_control(b)).count();
    (control > sample.len() / CONTROL_BYTES_ONE_IN && control > 1).then(|| Refusal {
        at: sample.iter().position(is_control).unwrap_or(0),
        code: "binary-file",
        message: "this is not text but a binary file".to_owned(),
    })
}

fn refuse_nesting(text: &[u8]) -> Option<Refusal> {
    // Most files are cleared by a count that does not even know comments and strings.
    if nesting_bound(text) <= MAX_TEXT_NESTING {
        return None;
    }
    let at = deep_bracket(text)?;
    let message = format!("brackets nested more deeply than {MAX_TEXT_NESTING} levels");
    Some(Refusal { at, code: "nesting", message })
}

/// At least the depth of brackets anywhere in the text. Blocks are counted, not walked: a loop of that shape is
/// done many bytes at a time.
fn nesting_bound(text: &[u8]) -> usize {
    let (mut depth, mut deepest) = (0usize, 0);
    for block in text.chunks(512) {
        let count =
            |wanted: fn(u8) -> bool| block.iter().map(|b| u16::from(wanted(*b))).sum::<u16>() as usize;
        let opened = count(|b| (b == b'(') | (b == b'{') | (b == b'['));
        let closed = count(|b| (b == b')') | (b == b'}') | (b == b']'));
        deepest = deepest.max(depth + opened);
        // What closes more than is open leaves nothing open but what this block opened.
        depth = (depth + opened).saturating_sub(closed).max(opened);
    }
    deepest
}

/// The first bracket that is nested too deeply, outside comments and literals.
fn deep_bracket(text: &[u8]) -> Option<usize> {
    let mut depth = 0usize;
    let mut i = 0;
    while i < text.len() {
        match text[i] {
            b'(' | b'{' | b'[' => {
                depth += 1;
                if depth > MAX_TEXT_NESTING {
                    return Some(i);
                }
            }
            b')' | b'}' | b']' => depth = depth.saturating_sub(1),
            quote @ (b'"' | b'\'') => i = literal_end(text, i, quote),
            b'/' if text.get(i + 1) == Some(&b'*') => i = find(text, i + 2, b"*/")? + 1,
            b'/' if text.get(i + 1) == Some(&b'/') => i = find(text, i, b"\n")?,
            _ => {}
        }
        i += 1;
    }
    None
}

/// The closing quote, or the last byte of the line when there is none.
fn literal_end(text: &[u8], start: usize, quote: u8) -> usize {
    let mut i = start + 1;
    while i < text.len() && text[i] != quote && text[i] != b'\n' {
        i += if text[i] == b'\\' { 2 } else { 1 };
    }
    i
}

fn find(text: &[u8], from: usize, what: &[u8]) -> Option<usize> {
    let found = text.get(from..)?.windows(what.len()).position(|window| window == what)?;
    Some(from + found)
}

/// Looks at the tokens before they are parsed; answers the token that goes too far.
pub(crate) fn refuse_tokens(tokens: &[Tok]) -> Option<(usize, String)> {
    let mut chain = 0;
    for (i, pair) in tokens.windows(2).enumerate() {
        if pair[0].is(Punct::RBracket) {
            chain = if pair[1].is(Punct::LBracket) { chain + 1 } else { 0 };
            if chain >= MAX_SUBSCRIPT_CHAIN {
                let message = format!("more than {MAX_SUBSCRIPT_CHAIN} dimensions or subscripts in a row");
                return Some((i + 1, message));
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deep_brackets_are_found_outside_comments_and_literals() {
        let deep = "(".repeat(MAX_TEXT_NESTING + 1);
        let refusal = refuse_text(format!("int x = {deep}").as_bytes()).unwrap();
        assert_eq!(refusal.at, 8 + MAX_TEXT_NESTING);
        assert_eq!(
            refuse_text(format!("/* {deep} */ char *s = \"\\\"{deep}\"; // {deep}\nint x;").as_bytes()),
            None
        );
        assert_eq!(refuse_text("()".repeat(100_000).as_bytes()), None);
    }

    #[test]
    fn binary_files_are_told_from_text() {
        assert_eq!(refuse_text(b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0").unwrap().code, "binary-file");
        assert_eq!(refuse_text("int \u{e9} = 1; /* \x0c */\r\n".as_bytes()), None);
        assert_eq!(refuse_text(b"int x\0 = 3; int y; int z;"), None);
    }
}

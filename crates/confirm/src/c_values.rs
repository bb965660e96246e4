// SPDX-License-Identifier: MIT OR Apache-2.0
//! Inputs as C text.

use clew_ir::witness::{Input, InputKind, Witness};

/// The inputs of a kind, in order.
pub(crate) fn of_kind(witness: &Witness, kind: InputKind) -> impl Iterator<Item = &Input> {
    witness.inputs.iter().filter(move |input| input.kind == kind)
}

/// A string literal that holds these bytes, on several lines where it is long.
pub(crate) fn literal(bytes: &[u8]) -> String {
    const LINE: usize = 64;
    if bytes.is_empty() {
        return "\"\"".to_owned();
    }
    let lines: Vec<String> = bytes.chunks(LINE).map(|line| format!("\"{}\"", escaped(line))).collect();
    if lines.len() == 1 { lines.concat() } else { format!("\n        {}", lines.join("\n        ")) }
}

fn escaped(bytes: &[u8]) -> String {
    let mut text = String::new();
    for byte in bytes {
        match byte {
            b'\n' => text.push_str("\\n"),
            b'\t' => text.push_str("\\t"),
            b'"' | b'\\' => text.extend(['\\', char::from(*byte)]),
            // `??` begins a trigraph.
            b' '..=b'~' if *byte != b'?' => text.push(char::from(*byte)),
            // Three octal digits end the escape whatever follows.
            _ => text.push_str(&format!("\\{byte:03o}")),
        }
    }
    text
}

/// Text that can stand in a comment.
pub(crate) fn in_comment(text: &str) -> String {
    let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    text.replace("*/", "* /").replace("/*", "/ *")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_mean_their_bytes() {
        assert_eq!(literal(b"a\"b\\c\n\x001?"), "\"a\\\"b\\\\c\\n\\0001\\077\"");
    }
}

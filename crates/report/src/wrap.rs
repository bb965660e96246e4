// SPDX-License-Identifier: MIT OR Apache-2.0
//! Paragraphs broken into lines.

/// Breaks text at spaces so that lines have at most `width` characters, each after `indent` spaces.
pub(crate) fn wrap(text: &str, indent: usize, width: usize) -> String {
    let mut out = String::new();
    let mut column = 0;
    for word in text.split_whitespace() {
        let length = word.chars().count();
        if column == 0 {
            out.push_str(&" ".repeat(indent));
            column = indent;
        } else if column + 1 + length > width {
            out.push('\n');
            out.push_str(&" ".repeat(indent));
            column = indent;
        } else {
            out.push(' ');
            column += 1;
        }
        out.push_str(word);
        column += length;
    }
    out.push('\n');
    out
}

#[cfg(test)]
mod tests {
    use super::wrap;

    #[test]
    fn lines_are_filled_and_not_overfilled() {
        assert_eq!(wrap("one two three", 2, 9), "  one two\n  three\n");
        assert_eq!(wrap("incomprehensible", 0, 5), "incomprehensible\n");
    }
}

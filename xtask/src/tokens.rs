// SPDX-License-Identifier: MIT OR Apache-2.0
//! C text cut into tokens by position, just well enough to change programs at sensible places.
//!
//! Independent of the front end on purpose: it makes the inputs that the front end is judged on.

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// An identifier or keyword.
    Word,
    /// A number.
    Number,
    /// A character constant or string literal.
    Quoted,
    /// Anything else, operators of several characters in one piece.
    Punctuation,
}

/// A token: where it is and what.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token<'a> {
    /// Byte offset of its start.
    pub start: usize,
    /// The text.
    pub text: &'a str,
    /// What it is.
    pub kind: Kind,
}

impl Token<'_> {
    /// Byte offset past its end.
    pub fn end(&self) -> usize {
        self.start + self.text.len()
    }
}

const OPERATORS: &[&str] = &[
    "<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=", "-=", "*=",
    "/=", "%=", "&=", "|=", "^=",
];

/// The tokens of a program; comments and preprocessor lines are left out.
pub fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let length = if first.is_whitespace() {
            first.len_utf8()
        } else if rest.starts_with("//") || first == '#' {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else {
            let (kind, length) = token_length(rest, first);
            tokens.push(Token { start: at, text: &rest[..length], kind });
            length
        };
        at += length;
    }
    tokens
}

fn token_length(rest: &str, first: char) -> (Kind, usize) {
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
    if first.is_ascii_digit() {
        (Kind::Number, rest.find(|c| !word(c)).unwrap_or(rest.len()))
    } else if first.is_ascii_alphabetic() || first == '_' {
        (Kind::Word, rest.find(|c| !word(c) || c == '.').unwrap_or(rest.len()))
    } else if first == '"' || first == '\'' {
        (Kind::Quoted, quoted_length(rest, first))
    } else {
        let operator = OPERATORS.iter().find(|operator| rest.starts_with(**operator));
        (Kind::Punctuation, operator.map_or(first.len_utf8(), |operator| operator.len()))
    }
}

fn quoted_length(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        if !escaped && c == quote {
            return at + 1;
        }
        escaped = !escaped && c == '\\';
    }
    rest.len()
}

/// The index of the bracket that closes the one at `open`.
pub fn closing(tokens: &[Token<'_>], open: usize) -> Option<usize> {
    let mut depth = 0usize;
    for (index, token) in tokens.iter().enumerate().skip(open) {
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return Some(index);
        }
    }
    None
}

/// Whether two lines of a program (from 1) belong to one statement: nothing between them ends one.
pub fn same_statement(text: &str, a: u32, b: u32) -> bool {
    let (low, high) = (a.min(b), a.max(b));
    let between = text.lines().skip(low as usize - 1).take((high - low) as usize);
    // The text from the first line up to the last, without the last itself.
    between.into_iter().all(|line| {
        let code = line.split("//").next().unwrap_or_default();
        !code.contains(['{', '}'])
            && (!code.contains(';') || code.contains("for (") && !code.trim_end().ends_with(';'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_text_into_tokens() {
        let texts: Vec<&str> =
            tokens("#define X 1\nx->y <<= 0x1F; // no\n\"a\\\"b\"").iter().map(|t| t.text).collect();
        assert_eq!(texts, ["x", "->", "y", "<<=", "0x1F", ";", "\"a\\\"b\""]);
    }

    #[test]
    fn finds_the_closing_bracket() {
        let tokens = tokens("f(a[1], (b))");
        assert_eq!(closing(&tokens, 1), Some(tokens.len() - 1));
        assert_eq!(closing(&tokens, 3), Some(5));
    }

    #[test]
    fn statements_may_take_several_lines() {
        let text = "x = a +\n    b;\ny = c;\n";
        assert!(same_statement(text, 1, 2));
        assert!(same_statement(text, 2, 2));
        assert!(!same_statement(text, 2, 3));
    }
}

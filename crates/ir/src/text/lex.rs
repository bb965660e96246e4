// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tokens of the text form, read one at a time: texts of whole programs are large.

use clew_base::source::{FileId, MacroId, Span};

use super::parse::ParseError;

/// A token.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Token<'t> {
    /// A word; hyphens may stand between letters.
    Word(&'t str),
    /// A decimal or hexadecimal number, with its sign.
    Number(i128),
    /// A quoted string, unescaped.
    Text(Vec<u8>),
    /// `%3`
    Local(u32),
    /// `@g3`
    Global(u32),
    /// `@f3`
    Function(u32),
    /// `!10-15` of an expression or `#10-15` of something else.
    Span { of_expr: bool, file: Option<u32>, start: u32, end: u32, expansion: Option<u32> },
    /// An operator or bracket.
    Punct(&'static str),
    /// The end of the text.
    End,
}

const PUNCTUATION: [&str; 39] = [
    "...", "<<", ">>", "<=", ">=", "==", "!=", "->", "&&", "..", "(", ")", "{", "}", "[", "]", "<", ">", "=",
    "+", "-", "*", "/", "%", "&", "|", "^", "~", "?", ":", ",", ".", "!", "#", "@", "$", ";", "\\", "'",
];

/// Reads tokens with one of lookahead.
pub(super) struct Cursor<'t> {
    text: &'t [u8],
    position: usize,
    start: usize,
    pub(super) token: Token<'t>,
}

impl<'t> Cursor<'t> {
    pub(super) fn new(text: &'t str) -> Result<Cursor<'t>, ParseError> {
        let mut cursor = Cursor { text: text.as_bytes(), position: 0, start: 0, token: Token::End };
        cursor.advance()?;
        Ok(cursor)
    }

    /// Where the current token starts, to come back with [`Cursor::seek`].
    pub(super) fn offset(&self) -> usize {
        self.start
    }

    pub(super) fn seek(&mut self, offset: usize) -> Result<(), ParseError> {
        self.position = offset;
        self.advance().map(|_| ())
    }

    /// An error at the current token.
    pub(super) fn error(&self, message: impl Into<String>) -> ParseError {
        self.error_at(self.start, message)
    }

    /// An error at an offset. Counts lines, so it is made only when there is an error.
    pub(super) fn error_at(&self, offset: usize, message: impl Into<String>) -> ParseError {
        let before = &self.text[..offset.min(self.text.len())];
        let line = before.iter().filter(|b| **b == b'\n').count() + 1;
        let column = before.iter().rev().take_while(|b| **b != b'\n').count() + 1;
        ParseError { line, column, message: message.into() }
    }

    /// Reads the next token; returns the one before it.
    pub(super) fn advance(&mut self) -> Result<Token<'t>, ParseError> {
        self.skip_space();
        self.start = self.position;
        let next = self.lex()?;
        Ok(std::mem::replace(&mut self.token, next))
    }

    fn peek(&self, ahead: usize) -> u8 {
        self.text.get(self.position + ahead).copied().unwrap_or(0)
    }

    fn skip_space(&mut self) {
        loop {
            match self.peek(0) {
                b' ' | b'\n' | b'\t' | b'\r' => self.position += 1,
                b';' => self.take_while(|b| b != b'\n').map_or((), |_| ()),
                _ => return,
            }
        }
    }

    fn take_while(&mut self, accept: impl Fn(u8) -> bool) -> Option<&'t str> {
        let rest = &self.text[self.position..];
        let length = rest.iter().position(|b| !accept(*b)).unwrap_or(rest.len());
        self.position += length;
        std::str::from_utf8(&rest[..length]).ok()
    }

    fn lex(&mut self) -> Result<Token<'t>, ParseError> {
        match self.peek(0) {
            0 if self.position >= self.text.len() => Ok(Token::End),
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => self.word(),
            b'0'..=b'9' => self.number(),
            b'-' if self.peek(1).is_ascii_digit() => self.number(),
            b'"' => self.quoted(),
            b'%' if self.peek(1).is_ascii_digit() => self.handle(1).map(Token::Local),
            b'@' if self.peek(1) == b'g' => self.handle(2).map(Token::Global),
            b'@' if self.peek(1) == b'f' => self.handle(2).map(Token::Function),
            b'!' | b'#' if self.peek(1).is_ascii_digit() => self.span(),
            _ => self.punct(),
        }
    }

    fn word(&mut self) -> Result<Token<'t>, ParseError> {
        let start = self.position;
        loop {
            self.take_while(|b| b.is_ascii_alphanumeric() || b == b'_');
            if self.peek(0) != b'-' || !self.peek(1).is_ascii_alphabetic() {
                break;
            }
            self.position += 1;
        }
        std::str::from_utf8(&self.text[start..self.position])
            .map(Token::Word)
            .map_err(|_| self.error("not text"))
    }

    fn number(&mut self) -> Result<Token<'t>, ParseError> {
        if self.peek(0) == b'0' && self.peek(1) == b'x' {
            self.position += 2;
            let digits = self.take_while(|b| b.is_ascii_hexdigit()).unwrap_or("");
            return match u128::from_str_radix(digits, 16) {
                Ok(bits) => Ok(Token::Number(bits as i128)),
                Err(_) => Err(self.error("a hexadecimal number of at most 128 bits was expected")),
            };
        }
        let start = self.position;
        self.position += 1;
        self.take_while(|b| b.is_ascii_digit());
        let digits = std::str::from_utf8(&self.text[start..self.position]).unwrap_or("");
        digits.parse().map(Token::Number).map_err(|_| self.error("a number of at most 128 bits was expected"))
    }

    fn digits(&mut self) -> Result<u32, ParseError> {
        let digits = self.take_while(|b| b.is_ascii_digit()).unwrap_or("");
        digits.parse().map_err(|_| self.error("a 32-bit number was expected"))
    }

    /// A handle after its prefix, with the name that may follow for the reader.
    fn handle(&mut self, prefix: usize) -> Result<u32, ParseError> {
        self.position += prefix;
        let number = self.digits()?;
        if self.peek(0) == b'.' {
            self.take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'$'));
        }
        Ok(number)
    }

    fn span(&mut self) -> Result<Token<'t>, ParseError> {
        let of_expr = self.peek(0) == b'!';
        self.position += 1;
        let mut file = None;
        let mut start = self.digits()?;
        if self.peek(0) == b':' {
            self.position += 1;
            file = Some(start);
            start = self.digits()?;
        }
        if self.peek(0) != b'-' {
            return Err(self.error("`-` was expected in a span"));
        }
        self.position += 1;
        let end = self.digits()?;
        let mut expansion = None;
        if self.peek(0) == b'^' {
            self.position += 1;
            expansion = Some(self.digits()?);
        }
        Ok(Token::Span { of_expr, file, start, end, expansion })
    }

    fn quoted(&mut self) -> Result<Token<'t>, ParseError> {
        self.position += 1;
        let mut bytes = Vec::new();
        loop {
            match (self.peek(0), self.peek(1)) {
                (b'"', _) => break,
                (b'\\', quote @ (b'"' | b'\\')) => {
                    bytes.push(quote);
                    self.position += 2;
                }
                (b'\\', _) => {
                    let hex = self.text.get(self.position + 1..self.position + 3).unwrap_or(b"");
                    let byte = std::str::from_utf8(hex).ok().and_then(|h| u8::from_str_radix(h, 16).ok());
                    bytes.push(byte.ok_or_else(|| self.error("a bad escape in a string"))?);
                    self.position += 3;
                }
                (b'\n' | 0, _) => return Err(self.error("a string does not end")),
                (byte, _) => {
                    bytes.push(byte);
                    self.position += 1;
                }
            }
        }
        self.position += 1;
        Ok(Token::Text(bytes))
    }

    fn punct(&mut self) -> Result<Token<'t>, ParseError> {
        let rest = &self.text[self.position..];
        match PUNCTUATION.iter().find(|p| rest.starts_with(p.as_bytes())) {
            Some(punct) => {
                self.position += punct.len();
                Ok(Token::Punct(punct))
            }
            None => Err(self.error("a character that has no meaning here")),
        }
    }

    /// Takes a span of the given kind, if one stands here. `file` is the file where none is written.
    pub(super) fn take_span(&mut self, expr: bool, default: FileId) -> Result<Span, ParseError> {
        match self.token {
            Token::Span { of_expr, file, start, end, expansion } if of_expr == expr => {
                self.advance()?;
                let file = file.map_or(default, FileId);
                Ok(Span { file, start, end, expansion: expansion.map(MacroId) })
            }
            _ => Ok(Span::NONE),
        }
    }

    /// Takes a word, if it stands here.
    pub(super) fn eat(&mut self, word: &str) -> Result<bool, ParseError> {
        let found = self.token == Token::Word(word);
        if found {
            self.advance()?;
        }
        Ok(found)
    }

    /// Takes punctuation, if it stands here.
    pub(super) fn eat_punct(&mut self, punct: &str) -> Result<bool, ParseError> {
        let found = matches!(self.token, Token::Punct(p) if p == punct);
        if found {
            self.advance()?;
        }
        Ok(found)
    }

    pub(super) fn expect(&mut self, word: &str) -> Result<(), ParseError> {
        if self.eat(word)? { Ok(()) } else { Err(self.error(format!("`{word}` was expected"))) }
    }

    pub(super) fn expect_punct(&mut self, punct: &str) -> Result<(), ParseError> {
        if self.eat_punct(punct)? { Ok(()) } else { Err(self.error(format!("`{punct}` was expected"))) }
    }

    pub(super) fn word_token(&mut self) -> Result<&'t str, ParseError> {
        match self.token {
            Token::Word(word) => {
                self.advance()?;
                Ok(word)
            }
            _ => Err(self.error("a word was expected")),
        }
    }

    pub(super) fn number_i128(&mut self) -> Result<i128, ParseError> {
        match self.token {
            Token::Number(value) => {
                self.advance()?;
                Ok(value)
            }
            _ => Err(self.error("a number was expected")),
        }
    }

    /// A number that fits the type asked for.
    pub(super) fn number_as<T: TryFrom<i128>>(&mut self) -> Result<T, ParseError> {
        let at = self.start;
        self.number_i128()?.try_into().map_err(|_| self.error_at(at, "the number is out of range"))
    }

    pub(super) fn bytes(&mut self) -> Result<Vec<u8>, ParseError> {
        match &mut self.token {
            Token::Text(bytes) => {
                let bytes = std::mem::take(bytes);
                self.advance()?;
                Ok(bytes)
            }
            _ => Err(self.error("a string was expected")),
        }
    }

    pub(super) fn string(&mut self) -> Result<std::sync::Arc<str>, ParseError> {
        let at = self.start;
        String::from_utf8(self.bytes()?)
            .map(Into::into)
            .map_err(|_| self.error_at(at, "the string is not UTF-8"))
    }

    pub(super) fn optional_string(&mut self) -> Result<Option<std::sync::Arc<str>>, ParseError> {
        if matches!(self.token, Token::Text(_)) { self.string().map(Some) } else { Ok(None) }
    }

    /// A handle that is written as a letter and a number: `b3`, `r0`.
    pub(super) fn numbered(&mut self, prefix: &str) -> Result<u32, ParseError> {
        let number = match self.token {
            Token::Word(word) => word.strip_prefix(prefix).and_then(|digits| digits.parse().ok()),
            _ => None,
        };
        match number {
            Some(number) => {
                self.advance()?;
                Ok(number)
            }
            None => Err(self.error(format!("`{prefix}` and a number were expected"))),
        }
    }
}

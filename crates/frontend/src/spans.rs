// SPDX-License-Identifier: MIT OR Apache-2.0
//! From rucc's spans to ours, keeping the macro a token came out of.
//!
//! rucc drops where a macro's token was spelled when it hands tokens to its parser. So the driver gives the
//! parser spans of another kind: token number `i` covers `2i..2i+1`. A span of the tree then names its
//! first and last *token*, and this table knows for each token both where it is spelled and where the
//! outermost macro that produced it was used.
//!
//! rucc keeps the list of macros between the two to itself. We recover the ends of the chain from the
//! source: the name at the place of use, and the name of the `#define` line the text is spelled in.

use std::cell::{Cell, RefCell};
use std::sync::Arc;

use clew_base::index::{Idx, IndexVec};
use clew_base::source::{FileId, MacroId, MacroUse, SourceFile, Span};
use rucc_lex::Punct;
use rucc_pp::Tok;
use rustc_hash::FxHashMap;

/// Where one token is, as flat positions over all files.
#[derive(Clone, Copy)]
struct TokenPlace {
    spelled: (u32, u32),
    /// Where the outermost macro was used; `None` for text outside macros.
    used: Option<(u32, u32)>,
    /// The other parenthesis of a pair; the token itself when it is none.
    partner: u32,
}

/// What is known of a macro at the end of the unit.
#[derive(Clone, Copy)]
pub(crate) struct MacroInfo {
    pub(crate) function_like: bool,
    pub(crate) definition: (u32, u32),
}

/// The `#define` line a piece of text is spelled in.
#[derive(Clone)]
struct DefineLine {
    name: Arc<str>,
}

/// The table for one unit.
pub(crate) struct SpanTable {
    tokens: Vec<TokenPlace>,
    /// First flat position of each file, in order, by file.
    starts: Vec<u32>,
    files: IndexVec<FileId, SourceFile>,
    macros: FxHashMap<Arc<str>, MacroInfo>,
    memo: RefCell<Memo>,
    /// The file of the last position asked about: the next one is mostly there too.
    last_file: Cell<usize>,
    /// The last answers of [`SpanTable::span`]: an operation and its obligations ask for the same ones.
    recent: RefCell<[(rucc_diag::Span, Span); RECENT]>,
}

/// How many answers are kept; a power of two.
const RECENT: usize = 64;

#[derive(Default)]
struct Memo {
    uses: IndexVec<MacroId, MacroUse>,
    known_uses: FxHashMap<(u32, u32, u32), MacroId>,
    invocation_ends: FxHashMap<u32, u32>,
    /// The last text asked about: flat range known to be in one logical line, and that line's macro.
    last_line: Option<(u32, u32, Option<DefineLine>)>,
}

impl SpanTable {
    pub(crate) fn new(
        tokens: &[Tok],
        starts: Vec<u32>,
        files: IndexVec<FileId, SourceFile>,
        macros: FxHashMap<Arc<str>, MacroInfo>,
    ) -> Self {
        SpanTable {
            tokens: token_places(tokens),
            starts,
            files,
            macros,
            memo: RefCell::default(),
            last_file: Cell::new(0),
            recent: RefCell::new([(rucc_diag::Span::DUMMY, Span::NONE); RECENT]),
        }
    }

    /// The span the parser is given for a token.
    pub(crate) fn token_span(index: usize) -> rucc_diag::Span {
        let lo = (index * 2).min(u32::MAX as usize - 2) as u32;
        rucc_diag::Span::new(lo, lo + 1)
    }

    pub(crate) fn files(&self) -> &IndexVec<FileId, SourceFile> {
        &self.files
    }

    pub(crate) fn macro_uses(&self) -> IndexVec<MacroId, MacroUse> {
        self.memo.borrow().uses.clone()
    }

    /// The place of a span of the tree.
    pub(crate) fn span(&self, span: rucc_diag::Span) -> Span {
        let slot = (span.lo ^ span.hi << 3) as usize % RECENT;
        let (known, place) = self.recent.borrow()[slot];
        if known == span {
            return place;
        }
        let place = self.find(span);
        self.recent.borrow_mut()[slot] = (span, place);
        place
    }

    fn find(&self, span: rucc_diag::Span) -> Span {
        if span.is_dummy() || self.tokens.is_empty() {
            return Span::NONE;
        }
        let last_token = self.tokens.len() - 1;
        if span.is_empty() && span.lo % 2 == 1 {
            // Just behind a token: where something is missing.
            let token = self.tokens[((span.lo / 2) as usize).min(last_token)];
            let (_, end) = self.shown(token);
            return self.flat(end, end);
        }
        let (first, last) = self.token_range(span);
        let (a, b) = (self.tokens[first], self.tokens[last]);
        let (start, a_end) = self.shown(a);
        let (b_start, end) = self.shown(b);
        let (start, end) = if self.file_of(start) == self.file_of(end) {
            (start.min(b_start), end.max(a_end))
        } else {
            (start, a_end)
        };
        let mut result = self.flat(start, end);
        if let (Some(used), Some(other)) = (a.used, b.used)
            && used == other
        {
            result.expansion = Some(self.macro_use(used, a.spelled, b.spelled));
        }
        result
    }

    /// The first and last token of a span of the tree. rucc leaves out the parentheses around an operand;
    /// those that an operand at either end needs to be whole are taken back in.
    pub(crate) fn token_range(&self, span: rucc_diag::Span) -> (usize, usize) {
        let last_token = self.tokens.len().saturating_sub(1);
        let mut first = ((span.lo / 2) as usize).min(last_token);
        let mut last = ((span.hi.max(span.lo + 1) - 1) as usize / 2).clamp(first, last_token);
        let within = |at: usize, first: usize, last: usize| {
            let partner = self.tokens[at].partner as usize;
            partner != at && (first..=last).contains(&partner)
        };
        loop {
            if first > 0 && within(first - 1, first, last) {
                first -= 1;
            } else if last < last_token && within(last + 1, first, last) {
                last += 1;
            } else {
                return (first, last);
            }
        }
    }

    /// Where the text of a span is spelled, in a macro or outside.
    pub(crate) fn spelling(&self, span: Span) -> Span {
        let memo = self.memo.borrow();
        span.expansion.and_then(|id| memo.uses.get(id)).map_or(span, |use_| use_.spelling)
    }

    /// The macros a span came out of, innermost first, as notes of a message.
    pub(crate) fn macro_notes(&self, span: Span) -> Vec<(Span, String)> {
        let memo = self.memo.borrow();
        let mut notes = Vec::new();
        let mut next = span.expansion;
        while let Some(use_) = next.and_then(|id| memo.uses.get(id)) {
            notes.push((use_.spelling, format!("in expansion of macro `{}`", use_.name)));
            next = use_.parent;
        }
        notes
    }

    /// A range of flat positions, as the preprocessor's own messages have them.
    pub(crate) fn flat_span(&self, span: rucc_diag::Span) -> Span {
        if span.is_dummy() { Span::NONE } else { self.flat(span.lo, span.hi) }
    }

    /// The range a person is shown for a token: its own text where they wrote it, also as a macro's
    /// argument; the whole use of the macro where a macro's body wrote it.
    fn shown(&self, token: TokenPlace) -> (u32, u32) {
        match token.used {
            None => token.spelled,
            Some(used) => match self.define_line(token.spelled.0) {
                None if self.file_of(used.0) == self.file_of(token.spelled.0) => token.spelled,
                _ => (used.0, self.invocation_end(used)),
            },
        }
    }

    fn file_of(&self, at: u32) -> usize {
        let last = self.last_file.get();
        let next = self.starts.get(last + 1).copied().unwrap_or(u32::MAX);
        if self.starts.get(last).is_some_and(|start| (*start..next).contains(&at)) {
            return last;
        }
        let file = self.starts.partition_point(|s| *s <= at).saturating_sub(1);
        self.last_file.set(file);
        file
    }

    fn flat(&self, start: u32, end: u32) -> Span {
        let file = self.file_of(start);
        let (Some(base), Some(source)) = (self.starts.get(file), self.files.get(FileId::new(file))) else {
            return Span::NONE;
        };
        let length = source.text.len() as u32;
        let start = (start - base).min(length);
        let end = end.saturating_sub(*base).clamp(start, length);
        Span { file: FileId::new(file), start, end, expansion: None }
    }

    fn text(&self, at: u32) -> (&[u8], usize) {
        let file = self.file_of(at);
        match self.files.get(FileId::new(file)) {
            Some(source) => (&source.text, (at - self.starts[file]) as usize),
            None => (b"", 0),
        }
    }

    /// Where a use of a macro ends: behind its closing parenthesis when it takes arguments.
    fn invocation_end(&self, used: (u32, u32)) -> u32 {
        if let Some(end) = self.memo.borrow().invocation_ends.get(&used.0) {
            return *end;
        }
        let name = self.name_at(used);
        let takes_arguments = self.macros.get(&name).is_some_and(|m| m.function_like);
        let (text, at) = self.text(used.1);
        let length = if takes_arguments { arguments_length(text.get(at..).unwrap_or(b"")) } else { 0 };
        let end = used.1 + length as u32;
        self.memo.borrow_mut().invocation_ends.insert(used.0, end);
        end
    }

    fn name_at(&self, range: (u32, u32)) -> Arc<str> {
        let (text, at) = self.text(range.0);
        let end = at + (range.1 - range.0) as usize;
        String::from_utf8_lossy(text.get(at..end).unwrap_or(b"")).into()
    }

    /// The macro use behind a range of tokens that all came out of the macro used at `used`.
    fn macro_use(&self, used: (u32, u32), first: (u32, u32), last: (u32, u32)) -> MacroId {
        // An end that is an argument says nothing of the macro; the body does.
        let spelled = match (self.define_line(first.0), self.define_line(last.0)) {
            (None, Some(_)) => last,
            (Some(_), None) => first,
            _ if self.file_of(first.0) == self.file_of(last.1) && first.0 <= last.1 => (first.0, last.1),
            _ => first,
        };
        let key = (used.0, spelled.0, spelled.1);
        if let Some(id) = self.memo.borrow().known_uses.get(&key) {
            return *id;
        }
        let outermost = self.name_at(used);
        let spelling = self.flat(spelled.0, spelled.1);
        let innermost = self.define_line(spelled.0).map(|line| line.name);
        let use_ = match innermost {
            Some(name) if name != outermost => {
                let parent = Some(self.outer_use(used, &outermost));
                MacroUse { name, spelling, parent }
            }
            _ => MacroUse { name: outermost, spelling, parent: None },
        };
        self.intern(key, use_)
    }

    /// The use of the outermost macro as a whole; its spelling is the definition's line.
    fn outer_use(&self, used: (u32, u32), name: &Arc<str>) -> MacroId {
        let key = (used.0, u32::MAX, u32::MAX);
        if let Some(id) = self.memo.borrow().known_uses.get(&key) {
            return *id;
        }
        let definition = self.macros.get(name).map(|m| m.definition);
        let spelling = definition.map_or(Span::NONE, |(lo, hi)| self.flat(lo, hi));
        self.intern(key, MacroUse { name: name.clone(), spelling, parent: None })
    }

    fn intern(&self, key: (u32, u32, u32), use_: MacroUse) -> MacroId {
        let mut memo = self.memo.borrow_mut();
        let id = memo.uses.push(use_);
        memo.known_uses.insert(key, id);
        id
    }

    /// The `#define` whose logical line holds this position, if it is one.
    fn define_line(&self, at: u32) -> Option<DefineLine> {
        if let Some((from, to, line)) = &self.memo.borrow().last_line
            && (*from..=*to).contains(&at)
        {
            return line.clone();
        }
        let (text, offset) = self.text(at);
        let start = logical_line_start(text, offset);
        let line = define_name(text.get(start..).unwrap_or(b""))
            .map(|name| DefineLine { name: String::from_utf8_lossy(name).into() });
        let from = at - (offset - start) as u32;
        self.memo.borrow_mut().last_line = Some((from, at, line.clone()));
        line
    }
}

fn token_places(tokens: &[Tok]) -> Vec<TokenPlace> {
    let mut places: Vec<TokenPlace> = Vec::with_capacity(tokens.len());
    let mut open = Vec::new();
    for (i, token) in tokens.iter().enumerate() {
        let i = i as u32;
        let mut partner = i;
        if token.is(Punct::LParen) {
            open.push(i);
        } else if token.is(Punct::RParen)
            && let Some(start) = open.pop()
        {
            places[start as usize].partner = i;
            partner = start;
        }
        places.push(TokenPlace {
            spelled: (token.span.lo, token.span.hi),
            used: (!token.expansion.is_dummy()).then_some((token.expansion.lo, token.expansion.hi)),
            partner,
        });
    }
    places
}

/// Start of the line a byte is on, counting lines joined by a backslash as one.
fn logical_line_start(text: &[u8], offset: usize) -> usize {
    let mut at = offset.min(text.len());
    loop {
        let Some(newline) = text[..at].iter().rposition(|b| *b == b'\n') else { return 0 };
        let before = text[..newline].strip_suffix(b"\r").unwrap_or(&text[..newline]);
        if !before.ends_with(b"\\") {
            return newline + 1;
        }
        at = newline;
    }
}

/// The name a `#define` line defines.
fn define_name(line: &[u8]) -> Option<&[u8]> {
    let rest = line.trim_ascii_start().strip_prefix(b"#")?.trim_ascii_start().strip_prefix(b"define")?;
    let name = rest.trim_ascii_start();
    let length = name.iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'_' || **b == b'$').count();
    (length > 0 && rest.len() > name.len()).then(|| &name[..length])
}

/// How many bytes `  ( ... )` takes at the start of a text; nothing when it does not start so.
fn arguments_length(text: &[u8]) -> usize {
    /// Arguments longer than this are not shown whole.
    const FAR: usize = 4096;
    let mut depth = 0usize;
    let mut quote = None;
    let mut i = 0;
    while i < text.len().min(FAR) {
        let byte = text[i];
        match (quote, byte) {
            (Some(_), b'\\') => i += 1,
            (Some(q), _) if q == byte => quote = None,
            (Some(_), _) => {}
            (None, b'"' | b'\'') if depth > 0 => quote = Some(byte),
            (None, b'(') => depth += 1,
            (None, b')') if depth > 1 => depth -= 1,
            (None, b')') if depth == 1 => return i + 1,
            (None, _) if depth == 0 && !byte.is_ascii_whitespace() => return 0,
            _ => {}
        }
        i += 1;
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_logical_line_spans_backslashes() {
        let text = b"a\n#define X \\\n  1 + \\\r\n  2\nb";
        assert_eq!(logical_line_start(text, 24), 2);
        assert_eq!(define_name(&text[2..]), Some(&b"X"[..]));
        assert_eq!(define_name(b"#defined X"), None);
    }

    #[test]
    fn arguments_end_at_the_matching_parenthesis() {
        assert_eq!(arguments_length(b" (a, f(\")\"), ')') + 1"), 17);
        assert_eq!(arguments_length(b" + (1)"), 0);
    }
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! From rucc's diagnostics to ours: which are shown, where, and through which macros and headers.

use clew_base::source::{SourceMap, Span};
use rucc_diag::{BytePos, DiagnosticPragma, Named, PragmaKind};
use rustc_hash::FxHashSet;

use crate::diagnostic::{Diagnostic, Diagnostics, Severity};
use crate::settings::ERROR_LIMIT;
use crate::spans::SpanTable;

/// rucc's code for a header that is not there.
const HEADER_NOT_FOUND: &str = "E0341";

/// The longest chain of `#include` that is noted.
const MAX_INCLUDE_NOTES: usize = 4;

/// Collects the messages of one unit.
pub(crate) struct Messages<'a> {
    table: &'a SpanTable,
    sources: &'a rucc_diag::SourceMap,
    preprocessor: Vec<rucc_diag::Diagnostic>,
    tree: Vec<rucc_diag::Diagnostic>,
    pragmas: Vec<(BytePos, DiagnosticPragma)>,
    remarks: Vec<Diagnostic>,
}

impl<'a> Messages<'a> {
    pub(crate) fn new(table: &'a SpanTable, sources: &'a rucc_diag::SourceMap) -> Self {
        Messages {
            table,
            sources,
            preprocessor: Vec::new(),
            tree: Vec::new(),
            pragmas: Vec::new(),
            remarks: Vec::new(),
        }
    }

    /// Messages whose spans are positions in files.
    pub(crate) fn preprocessor(&mut self, list: Vec<rucc_diag::Diagnostic>) {
        self.preprocessor.extend(list);
    }

    /// Messages whose spans are token numbers.
    pub(crate) fn tree(&mut self, list: Vec<rucc_diag::Diagnostic>) {
        self.tree.extend(list);
    }

    /// The `#pragma GCC diagnostic` lines, which silence warnings.
    pub(crate) fn pragmas(&mut self, pragmas: Vec<(BytePos, DiagnosticPragma)>) {
        self.pragmas = pragmas;
    }

    /// An error of the driver's own.
    pub(crate) fn refuse(&mut self, code: &str, message: String, span: Span) {
        self.remarks.push(Diagnostic::new(Severity::Error, code, message, span));
    }

    /// A warning about no place.
    pub(crate) fn remark(&mut self, message: &str) {
        self.remarks.push(Diagnostic::new(Severity::Warning, "compiler", message, Span::NONE));
    }

    /// Whether a header was not found. What follows would be about names the header declares.
    pub(crate) fn header_missing(&self) -> bool {
        self.preprocessor.iter().any(|d| d.severity.is_fatal() && d.code == Some(HEADER_NOT_FOUND))
    }

    /// Whether the file is rejected.
    pub(crate) fn failed(&self) -> bool {
        self.preprocessor.iter().chain(&self.tree).any(|d| d.severity.is_fatal())
    }

    /// The messages of a rejected file.
    pub(crate) fn into_failure(self) -> Diagnostics {
        let (table, mut list) = (self.table, self.translate());
        let errors = list.iter().filter(|d| d.is_error()).count();
        if errors >= ERROR_LIMIT {
            let message = format!("more than {ERROR_LIMIT} errors; the rest of the file was not read");
            list.push(Diagnostic::new(Severity::Error, "too-many-errors", message, Span::NONE));
        }
        let sources = SourceMap { files: table.files().clone(), macros: table.macro_uses() };
        Diagnostics { list, sources }
    }

    /// The messages of an accepted file.
    pub(crate) fn into_warnings(self) -> Vec<Diagnostic> {
        self.translate()
    }

    fn translate(self) -> Vec<Diagnostic> {
        let Messages { table, sources, preprocessor, mut tree, pragmas, remarks } = self;
        let mut list = remarks;
        let mut seen = FxHashSet::default();
        let mut add = |diagnostic: Diagnostic| {
            // A junk file has a complaint a byte; nobody reads the ten thousandth.
            let room = list.len() < 2 * ERROR_LIMIT;
            if room && seen.insert((diagnostic.span, diagnostic.message.clone())) {
                list.push(diagnostic);
            }
        };
        let defaults = Named::default();
        for raw in preprocessor {
            if !rucc_diag::dropped(&raw, sources, true, false) && !defaults.silenced(&raw) {
                add(converted(&raw, &|span| table.flat_span(span), sources));
            }
        }
        tree.sort_by_key(|d| d.span.lo);
        let scopes = scopes(&pragmas);
        for mut raw in tree {
            let after = scopes.partition_point(|(at, _)| *at <= raw.span.lo);
            let named = after.checked_sub(1).map_or(&defaults, |i| &scopes[i].1);
            let shown = named.permit(&mut raw) && (raw.severity.is_fatal() || !named.silenced(&raw));
            let mut diagnostic = converted(&raw, &|span| table.span(span), sources);
            let origin = table.macro_notes(diagnostic.span);
            diagnostic.notes.splice(0..0, origin);
            if shown && (diagnostic.is_error() || !in_system_header(diagnostic.span, sources)) {
                add(diagnostic);
            }
        }
        list
    }
}

/// Which warnings are on from each token number on.
fn scopes(pragmas: &[(BytePos, DiagnosticPragma)]) -> Vec<(BytePos, Named)> {
    let mut current = Named::default();
    let mut saved = Vec::new();
    let mut result = Vec::with_capacity(pragmas.len());
    for (at, pragma) in pragmas {
        match pragma {
            DiagnosticPragma::Push => saved.push(current.clone()),
            DiagnosticPragma::Pop => current = saved.pop().unwrap_or_default(),
            DiagnosticPragma::Set(PragmaKind::Ignored, name) => current.flag(&format!("no-{name}")),
            // Raising a warning to an error is the build's policy, not a property of the program.
            DiagnosticPragma::Set(PragmaKind::Warning | PragmaKind::Error, name) => current.flag(name),
        }
        result.push((*at, current.clone()));
    }
    result
}

fn converted(
    raw: &rucc_diag::Diagnostic,
    place: &dyn Fn(rucc_diag::Span) -> Span,
    sources: &rucc_diag::SourceMap,
) -> Diagnostic {
    let severity = match raw.severity {
        rucc_diag::Severity::Ice => Severity::Internal,
        rucc_diag::Severity::Error => Severity::Error,
        _ => Severity::Warning,
    };
    let span = place(raw.span);
    let mut notes: Vec<(Span, String)> =
        raw.children.iter().map(|child| (place(child.span), child.message.clone())).collect();
    if severity >= Severity::Error {
        notes.extend(include_notes(span, sources));
    }
    Diagnostic { severity, message: raw.message.clone(), span, notes, code: raw.code.map(str::to_owned) }
}

/// The chain of `#include` that led to a header with an error in it.
fn include_notes(span: Span, sources: &rucc_diag::SourceMap) -> Vec<(Span, String)> {
    let mut notes = Vec::new();
    let mut file = sources.files().get(span.file.0 as usize);
    while let Some(from) = file.and_then(|f| f.included_from) {
        let Some(id) = sources.lookup_file(from.lo) else { break };
        let includer = sources.file(id);
        if notes.len() == MAX_INCLUDE_NOTES {
            break;
        }
        let (start, end) = (from.lo - includer.start, from.hi.min(includer.end) - includer.start);
        let file_id = clew_base::source::FileId(id.index() as u32);
        notes.push((Span { file: file_id, start, end, expansion: None }, "included from here".to_owned()));
        file = Some(includer);
    }
    notes
}

fn in_system_header(span: Span, sources: &rucc_diag::SourceMap) -> bool {
    let file = sources.files().get(span.file.0 as usize);
    file.is_some_and(|f| f.system_from.is_some_and(|from| f.start + span.start >= from))
}

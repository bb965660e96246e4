// SPDX-License-Identifier: MIT OR Apache-2.0
//! One C file through all phases of the front end: preprocess, convert, parse, check.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clew_base::index::IndexVec;
use clew_base::source::{FileId, LineMarker, SourceFile, SourceMap, Span};
use clew_base::stack::try_with_large_stack;
use rucc_base::{Interner, Symbol};
use rucc_lex::{Convert, Keywords, PpToken, TokenFlags};
use rucc_pp::{Preprocessor, Tok};
use rucc_target::TargetInfo;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::command::{Command, Semantics};
use crate::diagnostic::{Diagnostic, Diagnostics, Severity};
use crate::files::{Adapter, Files};
use crate::messages::Messages;
use crate::probe::Compiler;
use crate::promises::Promises;
use crate::spans::{MacroInfo, SpanTable};
use crate::{attributes, blocks, initialisers, limits, predefined, probe, settings};

/// A checked C file: rucc's typed tree and everything needed to read it.
pub struct Unit {
    /// The file.
    pub file: PathBuf,
    /// The typed tree.
    pub tast: rucc_sema::Tast,
    /// The types it speaks of.
    pub types: rucc_types::Types,
    /// The names it speaks of.
    pub names: Interner,
    /// Sizes, alignments and conventions of the target.
    pub target: TargetInfo,
    /// What flags change about meaning.
    pub semantics: Semantics,
    /// Accepted, but worth telling.
    pub warnings: Vec<Diagnostic>,
    /// Functions that are declared handlers of interrupts.
    pub(crate) interrupt_handlers: FxHashSet<Symbol>,
    /// Functions whose callers promise more of the arguments than their types say.
    pub(crate) promises: FxHashMap<Symbol, Promises>,
    /// Places that mean something else to the program's own compiler.
    pub(crate) misread: Vec<(rucc_diag::Span, &'static str)>,
    /// Objects whose initialisers are not understood.
    pub(crate) unsure: FxHashSet<rucc_sema::DeclId>,
    spans: SpanTable,
    /// The preprocessed text, when it was asked for.
    tokens: Vec<Tok>,
}

impl Unit {
    /// The place of a span of the typed tree. Cheap: an index into a table, more only inside macros.
    pub fn span(&self, span: rucc_diag::Span) -> Span {
        self.spans.span(span)
    }

    /// The preprocessed tokens; empty unless the unit was read with them.
    pub(crate) fn tokens(&self) -> &[Tok] {
        &self.tokens
    }

    /// The first and last token of a span of the typed tree.
    pub(crate) fn token_range(&self, span: rucc_diag::Span) -> (usize, usize) {
        self.spans.token_range(span)
    }

    /// The files, and the macro uses met so far: take it when all spans have been asked for.
    pub fn source_map(&self) -> SourceMap {
        SourceMap { files: self.spans.files().clone(), macros: self.spans.macro_uses() }
    }

    /// How many lines were read, headers included; for rates.
    pub fn lines(&self) -> u64 {
        let lines = |file: &SourceFile| file.text.iter().filter(|b| **b == b'\n').count() as u64;
        self.spans.files().iter().map(lines).sum()
    }

    /// The source text of a span.
    pub fn text(&self, span: Span) -> &[u8] {
        let file = self.spans.files().get(span.file);
        file.and_then(|f| f.text.get(span.start as usize..span.end as usize)).unwrap_or(b"")
    }

    /// The source text where it is spelled: in the macro's body for what a macro wrote. A literal that hides
    /// behind a name reads as the literal.
    pub fn spelled_text(&self, span: Span) -> &[u8] {
        self.text(self.spans.spelling(span))
    }

    /// The text of a name.
    pub fn name(&self, symbol: Symbol) -> &str {
        self.names.resolve(symbol)
    }
}

/// Whether a unit keeps its preprocessed tokens.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tokens {
    Keep,
    Drop,
}

/// Reads one file. All its errors are reported, and nothing a file may hold makes this panic or run out of
/// stack: what rucc does not survive becomes an internal error that names the file.
pub fn parse_unit(command: &Command, files: &dyn Files) -> Result<Unit, Diagnostics> {
    guarded_read(command, files, Tokens::Drop)
}

/// [`parse_unit`], and the unit remembers its preprocessed text, which the judges write out again.
pub fn parse_unit_with_tokens(command: &Command, files: &dyn Files) -> Result<Unit, Diagnostics> {
    guarded_read(command, files, Tokens::Keep)
}

fn guarded_read(command: &Command, files: &dyn Files, keep: Tokens) -> Result<Unit, Diagnostics> {
    let compiler = probe::probe(command);
    let guarded = || catch_unwind(AssertUnwindSafe(|| read(command, &compiler, files, keep)));
    match try_with_large_stack(guarded) {
        Some(Ok(result)) => result,
        Some(Err(_)) | None => Err(Diagnostics::one(Diagnostic::new(
            Severity::Internal,
            "front-end-failure",
            format!("internal error in the C front end while reading {}", command.file.display()),
            Span::NONE,
        ))),
    }
}

fn read(
    command: &Command,
    compiler: &Compiler,
    files: &dyn Files,
    keep: Tokens,
) -> Result<Unit, Diagnostics> {
    let adapter = Adapter::new(files, command.semantics.pack_struct);
    let dialect = settings::dialect(command, compiler);
    let target = settings::target(command, compiler).map_err(Diagnostics::one)?;
    let mut names = Interner::new();
    // Keywords come first: rucc finds them by their place among the names.
    let mut keywords = Keywords::new(&mut names, dialect.std, dialect.gnu);
    if matches!(target.tuple.arch().as_str(), "x86_64" | "x86" | "i686") {
        keywords = keywords.x86(dialect.gnu);
    }

    let source = settings::Source { command, compiler, dialect, target: &target, adapter: &adapter };
    let preprocessed = preprocess(&source, &mut names)?;
    let Preprocessed { tokens, sources, directives, macros, messages: pp_messages } = preprocessed;
    let table = span_table(&tokens, &sources, &directives, macros, &adapter);

    let mut messages = Messages::new(&table, &sources);
    messages.preprocessor(pp_messages);
    if let Some(remark) = &compiler.remark {
        messages.remark(remark);
    }
    if let Some((token, message)) = limits::refuse_tokens(&tokens) {
        messages.refuse("nesting", message, table.span(SpanTable::token_span(token)));
        return Err(messages.into_failure());
    }
    if messages.header_missing() {
        return Err(messages.into_failure());
    }
    let fast_math = sources.files().iter().any(|file| asks_for_fast_math(file.bytes()));
    let mut stream = parser_input(&tokens, &sources);
    attributes::rename_handlers(&mut stream, &mut names);
    crate::universal::spell_out(&mut stream, &mut names);
    let runs_by_itself = attributes::runs_by_itself(&stream, &names);
    let definitions = blocks::definitions(&stream, &names);
    // Dropped before the next list of the same length is made: it can have the memory.
    let kept = match keep {
        Tokens::Keep => tokens,
        Tokens::Drop => {
            drop(tokens);
            Vec::new()
        }
    };
    let convert = Convert {
        keywords: &keywords,
        interner: &names,
        target: &target,
        std: dialect.std,
        gnu: dialect.gnu,
        pedantic: false,
    };
    let (tokens, complaints) = rucc_lex::convert(&stream, &convert);
    drop(stream);
    messages.tree(complaints);

    let type_names: Vec<Symbol> =
        target.type_names().iter().filter_map(|(name, _)| names.find(name)).collect();
    let parsed = rucc_parse::parse(
        &tokens,
        rucc_parse::Context {
            interner: &names,
            std: dialect.std,
            gnu: dialect.gnu,
            pedantic: false,
            error_limit: settings::ERROR_LIMIT,
            type_names: &type_names,
        },
    );
    drop(tokens);
    messages.pragmas(parsed.diagnostic_pragmas);
    messages.tree(old_style_definitions(&parsed.ast));
    messages.tree(parsed.diagnostics);
    if let Some(at) = attributes::unknown_layout(&parsed.ast, &names) {
        let message = "bit-fields that are packed or aligned in this way are not supported: where gcc puts them is not known";
        messages.tree(vec![rucc_diag::Diagnostic::error(message, at).with_code("bit-field-layout")]);
    }
    if let Some(at) = blocks::endless_scope(&parsed.ast, &definitions) {
        let message = "a tag or an enumerator that is declared in a condition, or in a statement without braces, is not supported: its scope ends there";
        messages.tree(vec![rucc_diag::Diagnostic::error(message, at).with_code("scope-of-condition")]);
    }
    // A tree with holes would make the checker complain of names that are declared in the holes.
    if messages.failed() {
        return Err(messages.into_failure());
    }

    let mut checker = rucc_sema::Checker::new(&parsed.ast, settings::check_context(&source, &names));
    checker.check_unit();
    for pragma in &parsed.weak_pragmas {
        checker.pragma_weak(pragma.name, pragma.target, pragma.span);
    }
    for pragma in &parsed.extname_pragmas {
        checker.pragma_extname(pragma.old, pragma.new, pragma.span);
    }
    let mut checked = checker.finish();
    messages.tree(checked.diagnostics);
    if messages.failed() {
        return Err(messages.into_failure());
    }
    let warnings = messages.into_warnings();
    let unsure = initialisers::settle(&parsed.ast, &mut checked.tast, &checked.types, &target, &names);
    let interrupt_handlers = attributes::handlers(&parsed.ast, &names);
    let promises = crate::promises::promises(&parsed.ast, &names);
    let mut misread = Vec::new();
    misread.extend(runs_by_itself.map(|at| (at, "functions that run by the section they are named in")));
    let selected = crate::generic::qualified_controls(&parsed.ast, &checked.tast, &checked.types);
    misread.extend(selected.map(|at| (at, "`_Generic` of a value whose type is qualified")));
    Ok(Unit {
        file: command.file.clone(),
        tast: checked.tast,
        types: checked.types,
        names,
        target,
        semantics: Semantics {
            fast_math: command.semantics.fast_math || fast_math,
            ..command.semantics.clone()
        },
        warnings,
        interrupt_handlers,
        promises,
        misread,
        unsure,
        spans: table,
        tokens: kept,
    })
}

/// Warnings about definitions whose parameters are declared behind the list. Calls of such functions are not
/// checked against them, which is worth knowing.
fn old_style_definitions(ast: &rucc_ast::Ast) -> Vec<rucc_diag::Diagnostic> {
    let old_style = |declarator: rucc_ast::DeclaratorId| match ast[ast[declarator].derived].first() {
        Some(rucc_ast::Derived::Function { kind, .. }) => *kind == rucc_ast::ParamKind::Identifiers,
        _ => false,
    };
    let warnings = ast.top_level().iter().filter_map(|decl| match ast[*decl] {
        rucc_ast::Decl::Function { declarator, params, .. }
            if !params.is_empty() || old_style(declarator) =>
        {
            let at = ast[declarator].name_span;
            Some(rucc_diag::Diagnostic::warning("old-style function definition", at))
        }
        _ => None,
    });
    warnings.collect()
}

/// Whether an attribute or a pragma asks for arithmetic that is not computed as types say: `optimize("fast-math")`,
/// `target("fpmath=387")`. rucc drops both, so the text is looked at.
fn asks_for_fast_math(text: &[u8]) -> bool {
    const FLAGS: [&[u8]; 12] = [
        b"fpmath=387",
        b"fpmath=both",
        b"fp-contract=fast",
        b"no-sse",
        b"fast-math",
        b"Ofast",
        b"finite-math-only",
        b"unsafe-math",
        b"associative-math",
        b"reciprocal-math",
        b"no-signed-zeros",
        b"float_control",
    ];
    let holds = |text: &[u8], word: &[u8]| text.windows(word.len()).any(|w| w == word);
    // Hardly any file has one of the words: they are looked for first.
    if !FLAGS.iter().any(|flag| holds(text, flag)) {
        return false;
    }
    let lines = || text.split(|byte| *byte == b'\n');
    let near = |line: &[u8]| {
        [&b"optimize"[..], b"pragma", b"attribute", b"target"].iter().any(|word| holds(line, word))
    };
    lines().any(|line| near(line) && FLAGS.iter().any(|flag| holds(line, flag)))
}

struct Preprocessed {
    tokens: Vec<Tok>,
    sources: rucc_diag::SourceMap,
    /// Flat position of each `#line` directive.
    directives: Vec<u32>,
    macros: FxHashMap<Arc<str>, MacroInfo>,
    messages: Vec<rucc_diag::Diagnostic>,
}

fn preprocess(source: &settings::Source<'_>, names: &mut Interner) -> Result<Preprocessed, Diagnostics> {
    let command = source.command;
    let unreadable = |message: String| {
        let message = format!("{}: {message}", command.file.display());
        Diagnostics::one(Diagnostic::new(Severity::Error, "unreadable-file", message, Span::NONE))
    };
    let path = &command.file;
    let bytes = rucc_session::FileSystem::read(source.adapter, path)
        .map_err(|e| unreadable(settings::io_message(&e)))?;
    if let Some(refusal) = limits::refuse_text(&bytes) {
        return Err(refused(path, &bytes, refusal));
    }
    let full = || unreadable("this and its headers are more than four gigabytes".to_owned());
    let mut sources = rucc_diag::SourceMap::new();
    let file = sources.add_shared(path.display().to_string(), bytes, None).map_err(|_| full())?;

    let search = settings::search_path(command, source.compiler);
    let mut pp = Preprocessor::new();
    let mut tokens = Vec::new();
    {
        let mut cx = rucc_pp::Context::new(names, &mut sources, source.adapter, &search);
        cx.lex = rucc_lex::Options::for_dialect(source.dialect.std, source.dialect.gnu, command.trigraphs);
        predefined::define(&mut pp, source, &mut cx).map_err(|_| full())?;
        let preincludes = settings::preincludes(command);
        pp.preinclude(&preincludes, &mut tokens, &mut cx).map_err(|_| full())?;
        append(&mut tokens, pp.run(file, &mut cx));
    }
    let macros = pp.macros().sorted().into_iter().map(|m| {
        let info = MacroInfo { function_like: m.function_like, definition: (m.span.lo, m.span.hi) };
        (names.resolve(m.name).into(), info)
    });
    Ok(Preprocessed {
        macros: macros.collect(),
        directives: pp.line_directives().iter().map(|d| d.span.lo).collect(),
        messages: pp.take_diagnostics(),
        tokens,
        sources,
    })
}

/// Millions of tokens are not copied behind nothing.
fn append(tokens: &mut Vec<Tok>, more: Vec<Tok>) {
    if tokens.is_empty() {
        *tokens = more;
    } else {
        tokens.extend(more);
    }
}

/// A refusal of the main file's text, with the text it points into.
fn refused(path: &Path, text: &[u8], refusal: limits::Refusal) -> Diagnostics {
    let mut sources = SourceMap::default();
    let file = sources.files.push(SourceFile::new(path.display().to_string(), text.into()));
    let at = refusal.at as u32;
    let span = Span { file, start: at, end: at + 1, expansion: None };
    let diagnostic = Diagnostic::new(Severity::Error, refusal.code, refusal.message, span);
    Diagnostics { list: vec![diagnostic], sources }
}

fn span_table(
    tokens: &[Tok],
    sources: &rucc_diag::SourceMap,
    directives: &[u32],
    macros: FxHashMap<Arc<str>, MacroInfo>,
    adapter: &Adapter<'_>,
) -> SpanTable {
    let mut files: IndexVec<FileId, SourceFile> = IndexVec::new();
    for file in sources.files() {
        files.push(SourceFile::new(file.name.as_str(), adapter.shared(file.bytes())));
    }
    for at in directives {
        let Some(id) = sources.lookup_file(*at) else { continue };
        let file = sources.file(id);
        let Some(next) = file.line_span(*at).map(|line| line.hi) else { continue };
        let Some(presumed) = file.presumed_position(next) else { continue };
        let marker =
            LineMarker { offset: next - file.start, name: presumed.name.into(), line: presumed.line };
        files[FileId(id.index() as u32)].markers.push(marker);
    }
    let starts = sources.files().iter().map(|f| f.start).collect();
    SpanTable::new(tokens, starts, files, macros)
}

/// The tokens as the parser gets them: spans are token numbers (see `spans`), and what a system header's
/// macro wrote is marked, because warnings about it help nobody.
fn parser_input(tokens: &[Tok], sources: &rucc_diag::SourceMap) -> Vec<PpToken> {
    let mut last: Option<&rucc_diag::SourceFile> = None;
    let mut from_system = |at: u32| {
        if !last.is_some_and(|file| file.contains(at)) {
            last = sources.lookup_file(at).map(|id| sources.file(id));
        }
        last.is_some_and(|file| file.system_from.is_some_and(|from| at >= from))
    };
    let input = tokens.iter().enumerate().map(|(i, token)| {
        let mut out = token.to_pp();
        out.span = SpanTable::token_span(i);
        if !token.expansion.is_dummy() && from_system(token.span.lo) {
            out.flags = out.flags.with(TokenFlags::SYSTEM_MACRO);
        }
        out
    });
    input.collect()
}

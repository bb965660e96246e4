// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a command and its compiler mean to each phase of rucc.

use std::io;

use clew_base::source::Span;
use rucc_base::Interner;
use rucc_session::{SearchPath, Std};
use rucc_target::{TargetInfo, Triple};

use crate::command::{Command, IncludeKind, Language};
use crate::diagnostic::{Diagnostic, Severity};
use crate::files::{Adapter, PACK_STRUCT_FILE};
use crate::probe::Compiler;

/// After so many errors a file is not read on.
pub(crate) const ERROR_LIMIT: usize = 500;

/// The dialect of C.
#[derive(Clone, Copy)]
pub(crate) struct Dialect {
    pub(crate) std: Std,
    pub(crate) gnu: bool,
}

/// Everything known of a unit before its text is read.
pub(crate) struct Source<'a> {
    pub(crate) command: &'a Command,
    pub(crate) compiler: &'a Compiler,
    pub(crate) dialect: Dialect,
    pub(crate) target: &'a TargetInfo,
    pub(crate) adapter: &'a Adapter<'a>,
}

/// What is claimed when no compiler says otherwise: `__GNUC__`, minor, patch.
pub(crate) const DEFAULT_GNUC: [u32; 3] = [12, 2, 0];

/// The dialect, read off the compiler's own macros so that a default `-std` follows the compiler.
pub(crate) fn dialect(command: &Command, compiler: &Compiler) -> Dialect {
    if compiler.macros.is_empty() {
        return dialect_by_name(command.std.as_deref().unwrap_or("gnu17"));
    }
    let std = match compiler.number("__STDC_VERSION__").unwrap_or(0) {
        0..199_901 => Std::C89,
        199_901..201_112 => Std::C99,
        201_112..201_710 => Std::C11,
        201_710 => Std::C17,
        201_711..202_312 => Std::C23,
        _ => Std::C2y,
    };
    Dialect { std, gnu: compiler.number("__STRICT_ANSI__").is_none() }
}

fn dialect_by_name(name: &str) -> Dialect {
    let std = match name.trim_start_matches("gnu").trim_start_matches('c') {
        "89" | "90" | "iso9899:1990" => Std::C89,
        "99" | "9x" | "iso9899:1999" => Std::C99,
        "11" | "1x" | "iso9899:2011" => Std::C11,
        "23" | "2x" => Std::C23,
        "2y" => Std::C2y,
        _ => Std::C17,
    };
    Dialect { std, gnu: name.starts_with("gnu") }
}

/// The machine the program is for.
pub(crate) fn target(command: &Command, compiler: &Compiler) -> Result<TargetInfo, Diagnostic> {
    let mut name = compiler.target.clone();
    if command.semantics.m32 && name.starts_with("x86_64") {
        name = name.replacen("x86_64", "i686", 1);
    }
    let triple: Triple = name.parse().map_err(|_| {
        let message = format!("the target `{name}` of {} is not supported", command.compiler);
        Diagnostic::new(Severity::Error, "unsupported-target", message, Span::NONE)
    })?;
    // A cross compiler under a plain name: sizes and alignments of other machines are not all modelled.
    if crate::foreign::is_foreign(&name) && !name.starts_with("aarch64-") {
        let message = format!("`{}`: its target `{name}` {}", command.compiler, crate::foreign::WHY);
        return Err(Diagnostic::new(Severity::Error, "unsupported-target", message, Span::NONE));
    }
    let mut target = TargetInfo::new(triple);
    if let Some(signed) = command.semantics.char_signed {
        target.char_is_signed = signed;
    }
    if command.semantics.short_wchar {
        (target.wchar_width, target.wchar_is_signed) = (16, false);
    }
    Ok(target)
}

/// The name under which rucc serves the headers it carries.
const BUILT_IN_HEADERS: &str = "<builtin>";

/// Where headers are looked for.
pub(crate) fn search_path(command: &Command, compiler: &Compiler) -> SearchPath {
    let mut search = SearchPath::new();
    for (kind, folder) in &command.includes {
        let folder = command.resolve(folder);
        match kind {
            IncludeKind::Quote => search.push_quote(folder),
            IncludeKind::Normal => search.push_bracket(folder),
            IncludeKind::System => search.push_system(folder),
            IncludeKind::After => search.push_after(folder),
        }
    }
    for folder in &compiler.folders {
        search.push_system(folder);
    }
    // rucc's own versions of what the compiler's folder has and rucc cannot read (see `files`), or of all
    // compiler headers when there is no compiler.
    search.push_after(BUILT_IN_HEADERS);
    search.remove_duplicates();
    search
}

/// Files read before the source.
pub(crate) fn preincludes(command: &Command) -> Vec<rucc_session::Preinclude> {
    if command.language == Language::PreprocessedC {
        return Vec::new();
    }
    let pack = command
        .semantics
        .pack_struct
        .map(|_| rucc_session::Preinclude { name: PACK_STRUCT_FILE.to_owned(), macros_only: false });
    let list = command.preincludes.iter().map(|p| rucc_session::Preinclude {
        // Found from the command's folder when it is there, else along the search path.
        name: match command.resolve(p.name.as_ref()) {
            path if command.directory.is_some() && path.is_file() => path.display().to_string(),
            _ => p.name.clone(),
        },
        macros_only: p.macros_only,
    });
    pack.into_iter().chain(list).collect()
}

/// What the checker is told.
pub(crate) fn check_context<'a>(source: &Source<'a>, names: &'a Interner) -> rucc_sema::Context<'a> {
    let Source { command, compiler, dialect, target, .. } = *source;
    let semantics = &command.semantics;
    let defaults = rucc_sema::Context::new(names, target, dialect.std);
    rucc_sema::Context {
        gnu: dialect.gnu,
        // Old code is read, with warnings: implicit declarations, implicit int, loose pointers.
        permissive: true,
        gnu89_inline: semantics.gnu89_inline,
        optimizing: false,
        error_limit: ERROR_LIMIT,
        builtins: !semantics.no_builtin,
        no_builtin: &semantics.no_builtin_names,
        short_enums: semantics.short_enums,
        ms_extensions: semantics.ms_extensions,
        gnuc: compiler.number("__GNUC__").map_or(DEFAULT_GNUC[0], |v| v as u32),
        ..defaults
    }
}

/// What a person needs to know of a file that cannot be read.
pub(crate) fn io_message(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "no such file".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        _ => error.to_string(),
    }
}

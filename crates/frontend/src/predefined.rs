// SPDX-License-Identifier: MIT OR Apache-2.0
//! The macros that exist before the first line: the compiler's own, then `-D` and `-U`.
//!
//! rucc describes a compiler of its own. We want the one the command names, so that `#if __GNUC__` and the
//! system's headers choose what they choose in the real build.

use rucc_diag::SourceMapFull;
use rucc_lex::{PpToken, PpTokenKind, Punct, TokenFlags};
use rucc_pp::{Predef, Preprocessor, parse_define};
use rucc_session::GnucVersion;

use crate::command::{Language, MacroFlag};
use crate::settings::{DEFAULT_GNUC, Source};

/// Macros whose values are rucc's to give: the compiler's list does not have them.
const KEPT: [&str; 3] = ["__DATE__", "__TIME__", "__TIMESTAMP__"];

/// With it headers replace functions by others that end a run which the plain ones leave undefined. What those ask of their
/// callers is what is checked here, so programs are read without it.
const FORTIFIED: &str = "_FORTIFY_SOURCE";

/// Gives a fresh preprocessor its first macros.
pub(crate) fn define(
    pp: &mut Preprocessor,
    source: &Source<'_>,
    cx: &mut rucc_pp::Context<'_>,
) -> Result<(), SourceMapFull> {
    let mut predef = Predef::new();
    predef.std = source.dialect.std;
    predef.gnu_extensions = source.dialect.gnu;
    let [major, minor, patch] = match source.compiler.number("__GNUC__") {
        None => DEFAULT_GNUC,
        Some(major) => {
            let number = |name| source.compiler.number(name).unwrap_or(0) as u32;
            [major as u32, number("__GNUC_MINOR__"), number("__GNUC_PATCHLEVEL__")]
        }
    };
    predef.gnuc = GnucVersion { major, minor, patch };
    // Also tells the preprocessor which target the `__has_*` operators answer for.
    pp.predefine(source.target, &predef, cx)?;
    if source.command.language == Language::PreprocessedC {
        // Its macros have been replaced already; a name that is left is the program's own.
        let names: Vec<_> = pp.macros().sorted().iter().map(|m| m.name).collect();
        for name in names {
            pp.macros_mut().undef(name);
        }
        return Ok(());
    }
    if !source.compiler.macros.is_empty() {
        let drop: Vec<_> = (pp.macros().sorted().iter())
            .filter(|m| m.builtin.is_none() && !KEPT.contains(&cx.interner.resolve(m.name)))
            .map(|m| m.name)
            .collect();
        for name in drop {
            pp.macros_mut().undef(name);
        }
        let is_kept = |line: &&str| line.split_whitespace().nth(1) != Some(FORTIFIED);
        let macros: String =
            source.compiler.macros.lines().filter(is_kept).flat_map(|line| [line, "\n"]).collect();
        define_lines(pp, rucc_pp::BUILT_IN, &macros, cx)?;
    }
    define_lines(pp, rucc_pp::COMMAND_LINE, &command_line(&source.command.macros), cx)
}

/// `-D` and `-U` as the lines they stand for.
fn command_line(flags: &[MacroFlag]) -> String {
    let mut text = String::new();
    for flag in flags {
        match flag {
            MacroFlag::Define(define) => {
                let (name, value) = define.split_once('=').unwrap_or((define, "1"));
                if name == FORTIFIED {
                    continue;
                }
                // A value ends at its line: gcc says so, and a macro cannot hold a line end.
                let value = value.lines().next().unwrap_or("");
                text.push_str(&format!("#define {name} {value}\n"));
            }
            MacroFlag::Undefine(name) => text.push_str(&format!("#undef {name}\n")),
        }
    }
    text
}

/// Reads `#define` and `#undef` lines as a file of that name.
fn define_lines(
    pp: &mut Preprocessor,
    name: &str,
    text: &str,
    cx: &mut rucc_pp::Context<'_>,
) -> Result<(), SourceMapFull> {
    if text.is_empty() {
        return Ok(());
    }
    let file = cx.sources.add(name, text.as_bytes().to_vec())?;
    let start = cx.sources.file(file).start;
    let (tokens, _) = rucc_lex::tokenize(text.as_bytes(), start, cx.lex, cx.interner);
    let starts_line = |t: &PpToken| t.flags.has(TokenFlags::START_OF_LINE) || t.kind == PpTokenKind::Eof;
    let mut rest = tokens.as_slice();
    while let [hash, directive, line @ ..] = rest {
        let length = line.iter().position(starts_line).unwrap_or(line.len());
        let (line, next) = line.split_at(length);
        rest = next;
        let word = directive.value.map(|w| cx.interner.resolve(w).to_owned());
        match (hash.kind, word.as_deref(), line.first()) {
            (PpTokenKind::Punct(Punct::Hash), Some("define"), Some(_)) => {
                if let (Some(definition), _) = parse_define(line, cx.interner) {
                    pp.macros_mut().undef(definition.name);
                    pp.macros_mut().define(definition, cx.interner);
                }
            }
            (PpTokenKind::Punct(Punct::Hash), Some("undef"), Some(&PpToken { value: Some(name), .. })) => {
                pp.macros_mut().undef(name);
            }
            _ => {}
        }
    }
    Ok(())
}

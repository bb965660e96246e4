// SPDX-License-Identifier: MIT OR Apache-2.0
//! One file and everything the command line says about how to read it.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// The language a file is in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
pub enum Language {
    /// C as people write it.
    C,
    /// C that a preprocessor has already read (`.i`, `-x cpp-output`).
    PreprocessedC,
}

/// One `-D` or `-U`, in the order given.
#[derive(Clone, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
pub enum MacroFlag {
    /// `-D`: `NAME`, `NAME=VALUE` or `NAME(ARGS)=VALUE`.
    Define(String),
    /// `-U`.
    Undefine(String),
}

/// Which list a folder of headers joins.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
pub enum IncludeKind {
    /// `-iquote`: only for `#include "..."`.
    Quote,
    /// `-I`.
    Normal,
    /// `-isystem`: warnings inside are not shown.
    System,
    /// `-idirafter`.
    After,
}

/// A file that is read before the source.
#[derive(Clone, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
pub struct Preinclude {
    /// The name as given.
    pub name: String,
    /// `-imacros`: keep its macros, drop its text.
    pub macros_only: bool,
}

/// What flags change about the meaning of a program, beyond its text.
#[derive(Clone, PartialEq, Eq, Debug, Hash, Default, Serialize, Deserialize)]
pub struct Semantics {
    /// `-fwrapv` (or `-fno-strict-overflow`): signed arithmetic wraps.
    pub wrapv: bool,
    /// `-funsigned-char` / `-fsigned-char`; the target decides when absent.
    pub char_signed: Option<bool>,
    /// `-fshort-enums`.
    pub short_enums: bool,
    /// `-fpack-struct[=N]`: the largest alignment of a member in bytes.
    pub pack_struct: Option<u32>,
    /// `-fshort-wchar`.
    pub short_wchar: bool,
    /// `-m32`.
    pub m32: bool,
    /// `-ffast-math` or one of the flags it stands for that changes values.
    pub fast_math: bool,
    /// `-fno-math-errno`.
    pub no_math_errno: bool,
    /// `-ffreestanding`, `-fno-builtin`: library names mean nothing special.
    pub no_builtin: bool,
    /// `-fno-builtin-NAME`.
    pub no_builtin_names: Vec<String>,
    /// `-O1` and more: `__OPTIMIZE__` is defined and glibc headers choose other definitions.
    pub optimised: bool,
    /// `-fgnu89-inline`.
    pub gnu89_inline: bool,
    /// `-fms-extensions`.
    pub ms_extensions: bool,
}

/// How to read one file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Command {
    /// The file, as the user names it: from the current folder, not from `directory`.
    pub file: PathBuf,
    /// The language.
    pub language: Language,
    /// The compiler that is asked for macros and folders.
    pub compiler: String,
    /// Relative paths of the flags start here; the current folder when absent.
    pub directory: Option<PathBuf>,
    /// Folders of headers in order.
    pub includes: Vec<(IncludeKind, PathBuf)>,
    /// `-D` and `-U` in order.
    pub macros: Vec<MacroFlag>,
    /// `-include` and `-imacros` in order.
    pub preincludes: Vec<Preinclude>,
    /// Flags that change what the compiler answers about itself (`-std= -m32 -O2 -pthread ...`).
    pub probe_flags: Vec<String>,
    /// `-std=`, without the prefix; the compiler's default when absent.
    pub std: Option<String>,
    /// `-trigraphs`.
    pub trigraphs: bool,
    /// What flags change about meaning.
    pub semantics: Semantics,
}

impl Command {
    /// A file with no flags.
    pub fn new(file: impl Into<PathBuf>) -> Self {
        let file = file.into();
        Command {
            language: language_of(&file).unwrap_or(Language::C),
            file,
            compiler: "gcc".to_owned(),
            directory: None,
            includes: Vec::new(),
            macros: Vec::new(),
            preincludes: Vec::new(),
            probe_flags: Vec::new(),
            std: None,
            trigraphs: false,
            semantics: Semantics::default(),
        }
    }

    /// A path of a flag, from where the command runs.
    pub fn resolve(&self, path: &Path) -> PathBuf {
        match &self.directory {
            Some(directory) if path.is_relative() => directory.join(path),
            _ => path.to_owned(),
        }
    }
}

/// Whether a file name says that compilers read it as another language.
pub fn is_of_another_language(file: &Path) -> bool {
    const OTHERS: [&str; 14] =
        ["C", "cc", "cp", "cpp", "cxx", "CPP", "c++", "ii", "m", "mi", "mm", "s", "S", "sx"];
    file.extension().and_then(|e| e.to_str()).is_some_and(|e| OTHERS.contains(&e))
}

/// Whether a file is C++ by its name.
pub fn is_cxx(file: &Path) -> bool {
    const CXX: [&str; 8] = ["C", "cc", "cp", "cpp", "cxx", "CPP", "c++", "ii"];
    file.extension().and_then(|e| e.to_str()).is_some_and(|e| CXX.contains(&e))
}

/// The language a file name says, or `None` when it is not C.
pub fn language_of(file: &Path) -> Option<Language> {
    match file.extension()?.to_str()? {
        "c" | "h" => Some(Language::C),
        "i" => Some(Language::PreprocessedC),
        _ => None,
    }
}

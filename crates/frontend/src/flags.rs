// SPDX-License-Identifier: MIT OR Apache-2.0
//! The table of compiler flags: what each means to clew.
//!
//! A flag either changes meaning (and is modelled), or says where things are, or is known to change nothing
//! clew looks at, or is refused: a flag that changes the program in a way that is not modelled must not be
//! passed over in silence, or every verdict would be about another program.

use crate::command::{IncludeKind, Semantics};

/// How a flag takes its argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shape {
    /// The flag is the whole word.
    Alone,
    /// The rest of the word belongs to it (`-march=native`).
    Joined,
    /// The rest of the word, or the next word when there is no rest (`-I dir`, `-Idir`).
    JoinedOrNext,
    /// The next word (`-MF file`).
    Next,
}

/// What a flag does.
#[derive(Clone, Copy)]
pub(crate) enum Effect {
    /// Nothing that clew looks at.
    Ignore,
    /// Changes what the compiler says about itself: handed on when it is asked.
    Probe,
    /// Changes meaning; handed on too, since most such flags also define macros.
    Meaning(fn(&mut Semantics, &str)),
    /// Says which machine the program is for: handed on if that is one that is modelled, else refused.
    Machine,
    /// Changes the program in a way that is not modelled.
    Refuse(&'static str),
    /// Accepted without its effect, and said so.
    Note(&'static str),
    /// A folder of headers.
    Include(IncludeKind),
    Define,
    Undefine,
    /// `-include`, `-imacros`.
    Preinclude {
        macros_only: bool,
    },
    /// `-std=`.
    Std,
    /// `-x`.
    Language,
    /// `-trigraphs`.
    Trigraphs,
    /// `-Wp,a,b` and `-Xpreprocessor a`: flags in the argument.
    Nested,
    /// `-Wl,a,b` and `-Xlinker a`: refused where they lead calls elsewhere.
    Linker,
}

/// One row.
pub(crate) struct Flag {
    pub(crate) spelling: &'static str,
    pub(crate) shape: Shape,
    pub(crate) effect: Effect,
}

const fn row(spelling: &'static str, shape: Shape, effect: Effect) -> Flag {
    Flag { spelling, shape, effect }
}

/// Whether a flag of the linker gives the program another start, or a name another meaning.
pub(crate) fn leads_elsewhere(word: &str) -> bool {
    let word = word.trim_start_matches('-');
    let names = ["wrap", "defsym", "entry", "allow-multiple-definition", "muldefs"];
    word == "e" || names.iter().any(|name| word == *name || word.starts_with(&format!("{name}=")))
}

/// The row for a word of the command line: the longest spelling that fits it.
pub(crate) fn find(word: &str) -> Option<&'static Flag> {
    let fits = |flag: &&Flag| match flag.shape {
        Shape::Alone | Shape::Next => word == flag.spelling,
        Shape::Joined | Shape::JoinedOrNext => word.starts_with(flag.spelling),
    };
    TABLE.iter().filter(fits).max_by_key(|flag| flag.spelling.len())
}

use Effect::{Ignore, Machine, Meaning, Note, Probe, Refuse};
use Shape::{Alone, Joined, JoinedOrNext, Next};

const NOT_LAYOUT: &str = "changes the layout of types in a way that is not modelled";
const NOT_FLOATS: &str = "changes floating-point arithmetic in a way that is not modelled";
const NOT_TYPES: &str = "changes the types of expressions in a way that is not modelled";
/// Also what is said of flags of the linker.
pub(crate) const NOT_LINKED: &str = "starts the program or leads its calls elsewhere, which is not modelled";
const NOT_TEXT: &str = "changes how source text is read in a way that is not modelled";

/// The rows, by what they are about. The last sections are catch-alls; a longer spelling wins over them.
static TABLE: &[Flag] = &[
    // Where things are.
    row("-I", JoinedOrNext, Effect::Include(IncludeKind::Normal)),
    row("-iquote", JoinedOrNext, Effect::Include(IncludeKind::Quote)),
    row("-isystem", JoinedOrNext, Effect::Include(IncludeKind::System)),
    row("-cxx-isystem", JoinedOrNext, Ignore),
    row("-idirafter", JoinedOrNext, Effect::Include(IncludeKind::After)),
    row("-include", JoinedOrNext, Effect::Preinclude { macros_only: false }),
    row("-imacros", JoinedOrNext, Effect::Preinclude { macros_only: true }),
    row("-include-pch", Next, Refuse("precompiled headers are not read; give the header with -include")),
    row("-iprefix", JoinedOrNext, Refuse("is not supported; give the folders with -I")),
    row("-iwithprefix", JoinedOrNext, Refuse("is not supported; give the folders with -I")),
    row("-iwithprefixbefore", JoinedOrNext, Refuse("is not supported; give the folders with -I")),
    row("-I-", Alone, Refuse("is not supported; use -iquote")),
    row("--sysroot", JoinedOrNext, Probe),
    row("-isysroot", JoinedOrNext, Probe),
    row("-nostdinc", Alone, Probe),
    row("-B", JoinedOrNext, Probe),
    row("-specs=", Joined, Probe),
    row("--target=", Joined, Machine),
    row("-target", Next, Machine),
    row("--gcc-toolchain=", Joined, Probe),
    // The text.
    row("-D", JoinedOrNext, Effect::Define),
    row("-U", JoinedOrNext, Effect::Undefine),
    row("-undef", Alone, Probe),
    row("-std=", Joined, Effect::Std),
    row("--std=", Joined, Effect::Std),
    row("-ansi", Alone, Probe),
    row("-x", JoinedOrNext, Effect::Language),
    row("-trigraphs", Alone, Effect::Trigraphs),
    row("-Wp,", Joined, Effect::Nested),
    row("-Xpreprocessor", Next, Effect::Nested),
    row("-finput-charset=", Joined, Refuse(NOT_TEXT)),
    row("-fexec-charset=", Joined, Refuse(NOT_TEXT)),
    row("-fwide-exec-charset=", Joined, Refuse(NOT_TEXT)),
    row("-finput-charset=UTF-8", Alone, Ignore),
    row("-finput-charset=utf-8", Alone, Ignore),
    row("-fexec-charset=UTF-8", Alone, Ignore),
    row("-fexec-charset=utf-8", Alone, Ignore),
    row("-fno-asm", Alone, Refuse(NOT_TEXT)),
    row("-traditional", Alone, Refuse(NOT_TEXT)),
    row("-traditional-cpp", Alone, Refuse(NOT_TEXT)),
    row("-fpch-preprocess", Alone, Ignore),
    row("-pthread", Alone, Probe),
    row("-fopenmp", Alone, Note("is ignored: the program is analysed as its sequential version")),
    row("-fopenmp=", Joined, Note("is ignored: the program is analysed as its sequential version")),
    row("-fopenacc", Alone, Note("is ignored: the program is analysed as its sequential version")),
    row("-fcilkplus", Alone, Refuse("is another language")),
    // Integers.
    row("-fwrapv", Alone, Meaning(|s, _| s.wrapv = true)),
    row("-fno-wrapv", Alone, Meaning(|s, _| s.wrapv = false)),
    row("-fno-strict-overflow", Alone, Meaning(|s, _| s.wrapv = true)),
    row("-fstrict-overflow", Alone, Meaning(|s, _| s.wrapv = false)),
    row("-fno-math-errno", Alone, Meaning(|s, _| s.no_math_errno = true)),
    row("-fmath-errno", Alone, Meaning(|s, _| s.no_math_errno = false)),
    row("-fno-trapv", Alone, Ignore),
    row(
        "-ftrapv",
        Alone,
        Note("is not modelled: runs go on behind a signed overflow, with the wrapped value"),
    ),
    row("-funsigned-char", Alone, Meaning(|s, _| s.char_signed = Some(false))),
    row("-fno-signed-char", Alone, Meaning(|s, _| s.char_signed = Some(false))),
    row("-fsigned-char", Alone, Meaning(|s, _| s.char_signed = Some(true))),
    row("-fno-unsigned-char", Alone, Meaning(|s, _| s.char_signed = Some(true))),
    row("-funsigned-bitfields", Alone, Refuse(NOT_TYPES)),
    row("-fno-signed-bitfields", Alone, Refuse(NOT_TYPES)),
    row("-fshort-wchar", Alone, Meaning(|s, _| s.short_wchar = true)),
    row("-fno-short-wchar", Alone, Meaning(|s, _| s.short_wchar = false)),
    // Layout.
    row("-fshort-enums", Alone, Meaning(|s, _| s.short_enums = true)),
    row("-fno-short-enums", Alone, Meaning(|s, _| s.short_enums = false)),
    row("-fpack-struct", Alone, Meaning(|s, _| s.pack_struct = Some(1))),
    row("-fpack-struct=", Joined, Meaning(|s, n| s.pack_struct = n.parse().ok())),
    row("-fno-pack-struct", Alone, Meaning(|s, _| s.pack_struct = None)),
    row("-m32", Alone, Meaning(|s, _| s.m32 = true)),
    row("-m64", Alone, Meaning(|s, _| s.m32 = false)),
    row("-mx32", Alone, Refuse("the x32 target is not supported")),
    row("-m16", Alone, Refuse("the 16-bit target is not supported")),
    row("-malign-double", Alone, Refuse(NOT_LAYOUT)),
    row("-mms-bitfields", Alone, Refuse(NOT_LAYOUT)),
    row("-fsso-struct=", Joined, Refuse(NOT_LAYOUT)),
    row("-m96bit-long-double", Alone, Refuse(NOT_LAYOUT)),
    row("-m128bit-long-double", Alone, Refuse(NOT_LAYOUT)),
    row("-fms-extensions", Alone, Meaning(|s, _| s.ms_extensions = true)),
    row("-fno-ms-extensions", Alone, Meaning(|s, _| s.ms_extensions = false)),
    row("-fplan9-extensions", Alone, Refuse("is not supported")),
    // Floats.
    row("-ffast-math", Alone, Meaning(|s, _| s.fast_math = true)),
    row("-fno-fast-math", Alone, Meaning(|s, _| s.fast_math = false)),
    row("-Ofast", Alone, Meaning(|s, _| (s.fast_math, s.optimised) = (true, true))),
    row("-funsafe-math-optimizations", Alone, Meaning(|s, _| s.fast_math = true)),
    row("-ffinite-math-only", Alone, Meaning(|s, _| s.fast_math = true)),
    row("-fassociative-math", Alone, Meaning(|s, _| s.fast_math = true)),
    row("-freciprocal-math", Alone, Meaning(|s, _| s.fast_math = true)),
    row("-fno-signed-zeros", Alone, Meaning(|s, _| s.fast_math = true)),
    row("-fcx-limited-range", Alone, Meaning(|s, _| s.fast_math = true)),
    row("-mrecip", Alone, Meaning(|s, _| s.fast_math = true)),
    row("-mlong-double-64", Alone, Refuse(NOT_FLOATS)),
    row("-mlong-double-80", Alone, Ignore),
    row("-mlong-double-128", Alone, Refuse(NOT_FLOATS)),
    row("-mfpmath=387", Alone, Refuse(NOT_FLOATS)),
    row("-mfpmath=both", Alone, Refuse(NOT_FLOATS)),
    row("-mpc32", Alone, Refuse(NOT_FLOATS)),
    row("-mpc64", Alone, Refuse(NOT_FLOATS)),
    row("-msoft-float", Alone, Refuse(NOT_FLOATS)),
    row("-fsingle-precision-constant", Alone, Refuse(NOT_FLOATS)),
    // The library and inline.
    row("-ffreestanding", Alone, Meaning(|s, _| s.no_builtin = true)),
    row("-fhosted", Alone, Meaning(|s, _| s.no_builtin = false)),
    row("-fno-builtin", Alone, Meaning(|s, _| s.no_builtin = true)),
    row("-fbuiltin", Alone, Meaning(|s, _| s.no_builtin = false)),
    row("-fno-builtin-", Joined, Meaning(|s, name| s.no_builtin_names.push(name.to_owned()))),
    row("-fgnu89-inline", Alone, Meaning(|s, _| s.gnu89_inline = true)),
    row("-fno-gnu89-inline", Alone, Meaning(|s, _| s.gnu89_inline = false)),
    // Optimisation decides `__OPTIMIZE__`, which headers look at.
    row("-O", Joined, Meaning(|s, level| s.optimised = !matches!(level, "0"))),
    // Processor features decide macros such as `__AVX2__`.
    row("-m", Joined, Probe),
    row("-march=", Joined, Machine),
    row("-mtune=", Joined, Ignore),
    // Of other processors.
    row("-mcpu=", Joined, Refuse(crate::foreign::WHY)),
    row("-mmcu=", Joined, Refuse(crate::foreign::WHY)),
    row("-mthumb", Joined, Refuse(crate::foreign::WHY)),
    row("-marm", Alone, Refuse(crate::foreign::WHY)),
    row("-mfloat-abi=", Joined, Refuse(crate::foreign::WHY)),
    row("-mfpu=", Joined, Refuse(crate::foreign::WHY)),
    row("-mabi=", Joined, Refuse(crate::foreign::WHY)),
    row("-mabi=sysv", Alone, Ignore),
    row("-mlittle-endian", Alone, Refuse(crate::foreign::WHY)),
    row("-mbig-endian", Alone, Refuse(crate::foreign::WHY)),
    row("-mips", Joined, Refuse(crate::foreign::WHY)),
    row("-mlongcalls", Alone, Refuse(crate::foreign::WHY)),
    row("-mint8", Alone, Refuse(crate::foreign::WHY)),
    row("-EB", Alone, Refuse(crate::foreign::WHY)),
    row("-EL", Alone, Refuse(crate::foreign::WHY)),
    row("-mno-red-zone", Alone, Ignore),
    row("-mcmodel=", Joined, Ignore),
    row("-mindirect-branch=", Joined, Ignore),
    // Position independence decides `__PIC__` and `__PIE__`.
    row("-fPIC", Alone, Probe),
    row("-fpic", Alone, Probe),
    row("-fPIE", Alone, Probe),
    row("-fpie", Alone, Probe),
    row("-fno-pic", Alone, Probe),
    row("-fno-PIC", Alone, Probe),
    row("-fno-pie", Alone, Probe),
    row("-fno-PIE", Alone, Probe),
    // What to produce, and where.
    row("-c", Alone, Ignore),
    row("-S", Alone, Ignore),
    row("-E", Alone, Ignore),
    row("-fsyntax-only", Alone, Ignore),
    row("-o", JoinedOrNext, Ignore),
    row("--output", Next, Ignore),
    row("-M", Alone, Ignore),
    row("-MM", Alone, Ignore),
    row("-MD", Alone, Ignore),
    row("-MMD", Alone, Ignore),
    row("-MP", Alone, Ignore),
    row("-MG", Alone, Ignore),
    row("-MF", JoinedOrNext, Ignore),
    row("-MT", JoinedOrNext, Ignore),
    row("-MQ", JoinedOrNext, Ignore),
    row("-MJ", JoinedOrNext, Ignore),
    row("-C", Alone, Ignore),
    row("-CC", Alone, Ignore),
    row("-P", Alone, Ignore),
    row("-H", Alone, Ignore),
    row("-pipe", Alone, Ignore),
    row("-v", Alone, Ignore),
    row("-###", Alone, Ignore),
    row("-time", Alone, Ignore),
    row("-save-temps", Joined, Ignore),
    row("-dumpbase", Next, Ignore),
    row("-dumpdir", Next, Ignore),
    row("-dumpbase-ext", Next, Ignore),
    row("-aux-info", Next, Ignore),
    row("--param", JoinedOrNext, Ignore),
    row(
        "-finstrument-functions",
        Alone,
        Refuse("calls functions of the program at every entry and exit, which is not modelled"),
    ),
    row("-p", Alone, Ignore),
    row("-pg", Alone, Ignore),
    row("-coverage", Alone, Ignore),
    row("--coverage", Alone, Ignore),
    row("-Qunused-arguments", Alone, Ignore),
    row("-arch", Next, Refuse("is not supported")),
    // The linker and the assembler.
    row("-l", JoinedOrNext, Ignore),
    row("-L", JoinedOrNext, Ignore),
    row("-Wl,", Joined, Effect::Linker),
    row("-Wa,", Joined, Ignore),
    row("-Xlinker", Next, Effect::Linker),
    row("-Xassembler", Next, Ignore),
    row("-Xclang", Next, Ignore),
    row("-T", JoinedOrNext, Ignore),
    row("-u", JoinedOrNext, Ignore),
    row("-z", JoinedOrNext, Ignore),
    row("-e", JoinedOrNext, Refuse(NOT_LINKED)),
    row("-s", Alone, Ignore),
    row("-r", Alone, Ignore),
    row("-shared", Joined, Ignore),
    row("-static", Joined, Ignore),
    row("-pie", Alone, Ignore),
    row("-no-pie", Alone, Ignore),
    row("-rdynamic", Alone, Ignore),
    row("-symbolic", Alone, Ignore),
    row("-nostdlib", Alone, Ignore),
    row("-nolibc", Alone, Ignore),
    row("-nodefaultlibs", Alone, Ignore),
    row("-nostartfiles", Alone, Note("is not modelled: runs start at `main`, or where --entry says")),
    // Messages, debug information, and optimisations that keep the meaning of a correct program.
    row("-w", Alone, Ignore),
    row("-pedantic", Alone, Ignore),
    row("-pedantic-errors", Alone, Ignore),
    row("-W", Joined, Ignore),
    row("-g", Joined, Ignore),
    row("-f", Joined, Ignore),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_spelling_wins() {
        let spelling = |word| find(word).map(|f| f.spelling);
        assert_eq!(spelling("-fwrapv"), Some("-fwrapv"));
        assert_eq!(spelling("-ftree-vectorize"), Some("-f"));
        assert_eq!(spelling("-include"), Some("-include"));
        assert_eq!(spelling("-Iinclude"), Some("-I"));
        assert_eq!(spelling("-MMD"), Some("-MMD"));
        assert_eq!(spelling("-fno-builtin-memcpy"), Some("-fno-builtin-"));
        assert_eq!(spelling("-finput-charset=latin1"), Some("-finput-charset="));
        assert_eq!(spelling("--frobnicate"), None);
    }

    #[test]
    fn no_flag_is_listed_twice() {
        for (i, flag) in TABLE.iter().enumerate() {
            let again = TABLE[..i].iter().any(|f| f.spelling == flag.spelling && f.shape == flag.shape);
            assert!(!again, "{} is listed twice", flag.spelling);
        }
    }
}

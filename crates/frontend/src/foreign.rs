// SPDX-License-Identifier: MIT OR Apache-2.0
//! Programs for other machines. Their sizes, alignments and byte order are not those of x86, and a verdict about the
//! program as one for x86 would be one about another program: so they are refused, with what to do instead.

use std::path::Path;

/// Why, and what to do: behind the flag or the compiler that says so.
pub(crate) const WHY: &str = "is for another machine, and clew knows the sizes of types on x86-64 and, with -m32, 32-bit x86 \
    only: leave it out to have the program checked as one for those (-m32 where `int`, `long` and pointers have 32 bits)";

/// How the names of machines begin that are modelled.
const MODELLED: &[&str] = &["x86_64", "x86-64", "amd64", "i386", "i486", "i586", "i686"];

/// How the names of others begin, of processors and of architectures. What is in neither list is taken for a processor of x86,
/// whose compiler refuses it if it is none.
const OTHERS: &[&str] = &[
    "arm",
    "thumb",
    "cortex",
    "aarch64",
    "avr",
    "riscv",
    "rv32",
    "rv64",
    "mips",
    "msp430",
    "xtensa",
    "powerpc",
    "ppc",
    "sparc",
    "m68k",
    "sh",
    "s390",
    "loongarch",
    "la64",
    "la464",
    "hexagon",
    "wasm",
    "bpf",
    "tricore",
    "rx-",
    "rl78",
    "v850",
    "microblaze",
    "nios2",
    "or1k",
    "csky",
    "arc-",
    "pic32",
    "xc",
    "h8300",
    "ia64",
    "alpha",
    "hppa",
];

/// Whether a target, an architecture or a processor is of a machine that is not modelled.
pub(crate) fn is_foreign(name: &str) -> bool {
    !MODELLED.iter().any(|known| name.starts_with(known))
        && OTHERS.iter().any(|other| name.starts_with(other))
}

/// Compilers for other machines whose names say nothing of gcc or clang.
const COMPILERS: &[&str] =
    &["armcc", "armclang", "iccarm", "iccavr", "icc430", "sdcc", "cl430", "tiarmclang", "xc8-cc", "xc8"];

/// Why a compiler is refused: it makes code for a machine that is not modelled.
pub(crate) fn refused_compiler(compiler: &str) -> Option<String> {
    let name = Path::new(compiler).file_name().and_then(|name| name.to_str()).unwrap_or(compiler);
    let name = name.strip_suffix(".exe").unwrap_or(name);
    let is_cross = name.contains('-') && is_foreign(name) && !is_here(name);
    (is_cross || COMPILERS.contains(&name)).then(|| format!("the compiler `{name}` {WHY}"))
}

/// The compiler of the machine that this runs on, under its long name.
fn is_here(name: &str) -> bool {
    name.starts_with(&format!("{}-linux", std::env::consts::ARCH))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_machines_are_told_from_x86() {
        for name in
            ["arm-none-eabi", "armv7-m", "rv32imc", "avr", "riscv64-unknown-elf", "thumbv7em-none-eabi"]
        {
            assert!(is_foreign(name), "{name}");
        }
        for name in
            ["x86_64-linux-gnu", "i686-linux-gnu", "native", "haswell", "x86-64-v3", "skylake", "znver3"]
        {
            assert!(!is_foreign(name), "{name}");
        }
    }

    #[test]
    fn cross_compilers_are_refused() {
        for name in [
            "arm-none-eabi-gcc",
            "/opt/bin/avr-gcc",
            "riscv64-unknown-elf-gcc",
            "sdcc",
            "xtensa-esp32-elf-gcc",
        ] {
            assert!(refused_compiler(name).is_some(), "{name}");
        }
        for name in ["gcc", "clang-17", "x86_64-linux-gnu-gcc", "i686-linux-gnu-gcc-12", "cc"] {
            assert!(refused_compiler(name).is_none(), "{name}");
        }
    }
}

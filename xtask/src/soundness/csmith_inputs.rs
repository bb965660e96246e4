// SPDX-License-Identifier: MIT OR Apache-2.0
//! csmith's programs with their scalar globals made inputs.
//!
//! csmith gives every global a constant, so that a program has one run. Assigned anything at the start of `main`, they
//! give it many, and an analysis that takes the constants for granted is found out.

use std::fmt::Write;

use anyhow::{Context, Result};

use crate::csmith;

/// Small programs: an engine should have many rather than large ones.
const FLAGS: [&str; 10] = [
    "--no-packed-struct",
    "--concise",
    "--max-funcs",
    "4",
    "--max-block-depth",
    "3",
    "--max-expr-complexity",
    "6",
    "--no-argc",
    "--no-checksum",
];

/// The program of a seed.
pub fn program(seed: u64) -> Result<String> {
    let text = csmith::text(seed, &FLAGS)?;
    with_inputs(&String::from_utf8_lossy(&text))
}

/// Puts an assignment of any value for each scalar global at the start of `main`.
fn with_inputs(text: &str) -> Result<String> {
    let globals: Vec<(&str, &str)> = text.lines().filter_map(scalar_global).collect();
    let main = text.find("int main").context("a program without main")?;
    let start = main + text[main..].find('{').context("main has no body")? + 1;
    let mut assigned = String::new();
    for (ty, name) in &globals {
        let _ = write!(assigned, "\n    {name} = ({ty})__VERIFIER_nondet_ulong();");
    }
    let declaration = "unsigned long __VERIFIER_nondet_ulong(void);\n";
    Ok(format!("{declaration}{}{assigned}{}", &text[..start], &text[start..]))
}

/// The type and name that a line declares, if it is a global integer that may be assigned.
fn scalar_global(line: &str) -> Option<(&str, &str)> {
    let declared = line.strip_prefix("static ")?;
    let declared = declared.strip_prefix("volatile ").unwrap_or(declared);
    let (ty, rest) = declared.split_once(' ')?;
    let (name, _) = rest.split_once(" = ")?;
    let integer = ty.ends_with("_t") && (ty.starts_with("int") || ty.starts_with("uint"));
    let plain = name.starts_with("g_") && !name.contains(|c: char| c != '_' && !c.is_alphanumeric());
    (integer && plain).then_some((ty, name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scalar_globals_become_inputs() {
        assert_eq!(scalar_global("static int8_t g_25 = (-5L);"), Some(("int8_t", "g_25")));
        assert_eq!(scalar_global("static volatile int64_t g_42 = 1LL;/* V */"), Some(("int64_t", "g_42")));
        assert_eq!(scalar_global("static const uint32_t g_131 = 1;"), None);
        assert_eq!(scalar_global("static int32_t *g_24 = &g_25;"), None);
        assert_eq!(scalar_global("static int64_t g_2[2] = {1,2};"), None);
        let text = "static uint8_t g_4 = 1;\nint main (void)\n{\n    return 0;\n}\n";
        let with = with_inputs(text).unwrap();
        assert!(with.contains("{\n    g_4 = (uint8_t)__VERIFIER_nondet_ulong();\n    return 0;"), "{with}");
    }
}

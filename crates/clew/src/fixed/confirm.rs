// SPDX-License-Identifier: MIT OR Apache-2.0
//! Overflows that the compiled emulation of the format shows: same place, same value.

use clew_fixed::analysis::{Analysis, OverflowRow};
use clew_fixed::emulate::{emulation, site};
use clew_fixed::setup::Setup;
use clew_ir::syntax::Program;
use clew_native::Compiler;

/// Asks the compiled emulation about each overflow that a run showed. What cannot be emulated or compiled stays unasked.
pub fn confirm(program: &Program, setup: &Setup, analysis: &mut Analysis) {
    let shown = |row: &&mut OverflowRow| row.inputs.is_some();
    let Ok(compiler) = Compiler::find() else { return };
    for row in analysis.overflows.iter_mut().filter(shown) {
        match emulation(program, setup, &row.point, row.span) {
            Ok(text) => {
                row.confirmed = is_shown(&compiler, &text, row);
                row.emulation = row.confirmed.filter(|confirmed| *confirmed).map(|_| text);
            }
            Err(why) => row.unconfirmed = Some(format!("no emulation: {why}")),
        }
    }
}

/// Whether the emulation ends at that place, with that value.
fn is_shown(compiler: &Compiler, text: &str, row: &OverflowRow) -> Option<bool> {
    let built = compiler.build_text(text, &["-O1", "-w", "-fwrapv"]).ok()?;
    let outcome = built.child().run().ok()?;
    let printed = String::from_utf8_lossy(&outcome.stdout).into_owned();
    let words: Vec<&str> = printed.split_whitespace().collect();
    let [first, at, top, bottom] = words[..] else { return Some(false) };
    let value = top.parse::<f64>().ok()? / bottom.parse::<f64>().ok()?;
    let expected = row.value.unwrap_or(f64::NAN);
    let is_close = (value - expected).abs() <= 1e-9 * expected.abs().max(1.0);
    Some(first == "overflow" && at == site(row.span).to_string() && is_close)
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! `clew assumptions`: what verdicts may rest on.

use clew_ir::verdict::{ASSUMPTIONS, Polarity};

use crate::exit::Exit;
use crate::terminal::print;

/// Prints the assumptions by name.
pub fn assumptions() -> Exit {
    let mut out = String::new();
    for assumption in ASSUMPTIONS {
        let state = match (assumption.fixed, assumption.by_default) {
            (true, _) => "always",
            (false, true) => "on",
            (false, false) => "off",
        };
        let weakens = match assumption.polarity {
            Polarity::Restricting => "proofs",
            Polarity::Widening => "violations",
            Polarity::Both => "both",
        };
        out += &format!("{:<32} {state:<7} {weakens:<11} {}\n", assumption.name, assumption.text);
    }
    print(&format!("{:<32} {:<7} {:<11} what it says\n{out}", "name", "default", "weakens"));
    Exit::Clean
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! `clew solvers`: what `check --solver` can ask here.

use clew_native::smt::{Kind, SmtSolver};

use crate::exit::Exit;
use crate::solvers::BUILT_IN;
use crate::terminal::print;

/// Prints the solvers, and which of them are there.
pub fn solvers() -> Exit {
    let mut out = format!("{BUILT_IN:<10} built in, the default\n");
    for kind in Kind::ALL {
        let state = match SmtSolver::on_path(kind) {
            Some(solver) => {
                let version = solver.version().unwrap_or_else(|| "does not say its version".to_owned());
                format!("{}: {version}", solver.path.display())
            }
            None => "not on PATH".to_owned(),
        };
        out += &format!("{:<10} {state}\n", kind.name());
    }
    print(&out);
    Exit::Clean
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! `clew explain`: the page of a check.

use clew_checks::UnknownCheck;
use clew_ir::obligation::CheckKind;
use clew_report::page;

use crate::exit::Exit;
use crate::flags::ExplainFlags;
use crate::terminal::{eprint, print, stdout_style};

/// Prints the page of a check, or the list of all.
pub fn explain(flags: &ExplainFlags) -> Exit {
    let style = stdout_style();
    if flags.check == "list" {
        print(&page::list(style));
        return Exit::Clean;
    }
    match CheckKind::from_id(&flags.check) {
        Some(kind) => {
            print(&page::text(clew_checks::check(kind), style));
            Exit::Clean
        }
        None => {
            eprint(&format!("clew: {}\n", UnknownCheck { name: flags.check.clone() }));
            Exit::BadInput
        }
    }
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! `clew clean`: takes away the tests that clew keeps.

use clew_confirm::kept;

use crate::commands::fail;
use crate::exit::Exit;
use crate::flags::CleanFlags;
use crate::terminal::print;

/// Removes what clew made in its folder, and nothing else.
pub fn clean(flags: &CleanFlags) -> Exit {
    let folder = flags.folder.clone().unwrap_or_else(|| crate::confirm::OUT.into());
    if !folder.exists() {
        print(&format!("{}: nothing to clean\n", folder.display()));
        return Exit::Clean;
    }
    match kept::clean(&folder) {
        Ok(0) => print(&format!("{}: nothing to clean\n", folder.display())),
        Ok(1) => print(&format!("{}: 1 test removed\n", folder.display())),
        Ok(tests) => print(&format!("{}: {tests} tests removed\n", folder.display())),
        Err(error) => return fail(&error.to_string()),
    }
    Exit::Clean
}

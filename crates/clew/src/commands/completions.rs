// SPDX-License-Identifier: MIT OR Apache-2.0
//! `clew completions` and `clew man`: what shells and manual readers are told, written from the flags.

use std::path::Path;

use clap::CommandFactory;
use clap_complete::Shell;

use crate::commands::fail;
use crate::exit::Exit;
use crate::flags::Flags;
use crate::terminal::print;

/// Prints the completions for a shell.
pub fn completions(shell: Shell) -> Exit {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Flags::command(), "clew", &mut text);
    print(&String::from_utf8_lossy(&text));
    Exit::Clean
}

/// Prints the manual page of clew, or writes those of all commands into a folder.
pub fn man(folder: Option<&Path>) -> Exit {
    let Some(folder) = folder else {
        let mut page = Vec::new();
        return match clap_mangen::Man::new(Flags::command()).render(&mut page) {
            Ok(()) => {
                print(&String::from_utf8_lossy(&page));
                Exit::Clean
            }
            Err(error) => fail(&error.to_string()),
        };
    };
    let written =
        std::fs::create_dir_all(folder).and_then(|()| clap_mangen::generate_to(Flags::command(), folder));
    match written {
        Ok(()) => Exit::Clean,
        Err(error) => fail(&format!("{}: {error}", folder.display())),
    }
}

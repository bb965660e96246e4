// SPDX-License-Identifier: MIT OR Apache-2.0
//! One file a command.

pub mod assumptions;
pub mod check;
pub mod explain;
pub mod fixed;
pub mod ir;
pub mod replay;
pub mod run;
pub mod solvers;

use clew_report::{Level, Message, text};

use crate::exit::Exit;
use crate::terminal::{eprint, stderr_style};

/// Says why the input or the flags are wrong.
fn fail(message: &str) -> Exit {
    complain(message);
    Exit::BadInput
}

/// An error that is about no place.
pub fn complain(message: &str) {
    say(Level::Error, message);
}

/// Something that explains what clew does.
pub fn note(message: &str) {
    say(Level::Note, message);
}

fn say(level: Level, message: &str) {
    let message = Message::plain(level, message);
    eprint(&text::render(&message, &Default::default(), stderr_style()));
}

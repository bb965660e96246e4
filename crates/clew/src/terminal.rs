// SPDX-License-Identifier: MIT OR Apache-2.0
//! The terminal: what may be coloured, how wide it is, and writing that survives a closed pipe.

use std::io::{self, IsTerminal, Write};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::ColorChoice;
use clew_report::{Level, Message, Style, text};

/// How to draw on standard output.
pub fn stdout_style() -> Style {
    style(io::stdout().is_terminal(), rustix::termios::tcgetwinsize(io::stdout()))
}

/// How to draw on standard error.
pub fn stderr_style() -> Style {
    style(io::stderr().is_terminal(), rustix::termios::tcgetwinsize(io::stderr()))
}

/// What the user wants coloured, whoever looks.
static COLOUR: OnceLock<bool> = OnceLock::new();

/// Takes the user's word; without one, output is coloured where somebody looks.
pub fn colour(choice: ColorChoice) {
    let wanted = match choice {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto => return,
    };
    let _ = COLOUR.set(wanted);
}

fn style(is_terminal: bool, size: rustix::io::Result<rustix::termios::Winsize>) -> Style {
    let set = |name| std::env::var_os(name).is_some_and(|v| !v.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|t| t == "dumb");
    let width = match size {
        Ok(size) if is_terminal && size.ws_col >= 40 => usize::from(size.ws_col),
        _ => Style::PLAIN.width,
    };
    let usual = is_terminal && !set("NO_COLOR") && !dumb;
    Style { colour: COLOUR.get().copied().unwrap_or(usual), width }
}

/// Whether something could not be written to standard output.
static LOST: AtomicBool = AtomicBool::new(false);

/// Writes to standard output. A reader that has gone away is no error of ours; a disk that is full must not look like
/// an empty report.
pub fn print(text: &str) {
    let mut out = io::stdout().lock();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    if let Err(error) = written
        && error.kind() != io::ErrorKind::BrokenPipe
        && !LOST.swap(true, Ordering::Relaxed)
    {
        eprint(&format!("error: standard output cannot be written: {error}\n"));
    }
}

/// Whether something that was to be printed is lost.
pub fn is_output_lost() -> bool {
    LOST.load(Ordering::Relaxed)
}

/// Writes to standard error.
pub fn eprint(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// Says that something is wrong that is about no place.
pub fn complain(message: &str) {
    say(Level::Error, message);
}

/// Says something that explains what clew does.
pub fn note(message: &str) {
    say(Level::Note, message);
}

fn say(level: Level, message: &str) {
    let message = Message::plain(level, message);
    eprint(&text::render(&message, &Default::default(), stderr_style()));
}

/// A line on a terminal that says how far the work is; nothing where nobody looks.
pub struct Progress {
    shown: bool,
    total: usize,
}

impl Progress {
    /// For so many steps. A few are over before anybody could read the line.
    pub fn new(total: usize) -> Progress {
        Progress { shown: total > 8 && io::stderr().is_terminal(), total }
    }

    /// For work of which nobody knows how long it is.
    pub fn always() -> Progress {
        Progress { shown: io::stderr().is_terminal(), total: 0 }
    }

    /// What is being done.
    pub fn say(&self, what: &str) {
        if self.shown {
            eprint(&format!("\r\x1b[K{what}"));
        }
    }

    /// So many are done.
    pub fn at(&self, done: usize, what: &str) {
        if self.shown {
            eprint(&format!("\r\x1b[K[{done}/{}] {what}", self.total));
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.shown {
            eprint("\r\x1b[K");
        }
    }
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is outside the program that runs: its standard streams, so that tests and reports can stand in for the
//! terminal, and its inputs, so that a run is a function of them.

use std::io::{self, IsTerminal, Read, Write};
use std::os::fd::{AsFd, OwnedFd};

use clew_ir::types::Class;
use clew_ir::witness::InputKind;

/// What a run wants to know from outside.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct InputQuery<'a> {
    /// What kind of thing asks.
    pub kind: InputKind,
    /// Who asks: the name of a function.
    pub name: &'a str,
    /// What the value will be read as.
    pub class: Class,
    /// The least and the largest value that make sense, if not all of the class do.
    pub range: Option<(i128, i128)>,
}

impl InputQuery<'_> {
    /// An answer that makes sense, nearest to this one.
    pub fn fitting(&self, answer: u128) -> u128 {
        match (self.range, self.class) {
            (Some((least, most)), Class::Int(int)) if least < 0 => {
                int.to_bits(int.wrap(answer as i128).clamp(least, most))
            }
            (Some((least, most)), _) => answer.clamp(least as u128, most as u128),
            (None, _) => answer,
        }
    }
}

/// Where the program's standard streams lead, and who answers for its inputs. Files and clocks are the real system's,
/// unless the host is closed.
pub trait Host: Send {
    /// Reads from standard input; 0 at its end.
    fn read_stdin(&mut self, buffer: &mut [u8]) -> io::Result<usize>;
    /// Writes to standard output (descriptor 1), unbuffered.
    fn write_stdout(&mut self, bytes: &[u8]) -> io::Result<()>;
    /// Writes to standard error (descriptor 2), unbuffered.
    fn write_stderr(&mut self, bytes: &[u8]) -> io::Result<()>;
    /// The system's descriptor behind stream 0, 1 or 2, where there is one: the program then uses it directly.
    fn descriptor(&self, _number: u8) -> Option<OwnedFd> {
        None
    }
    /// The value of an input, as its bit pattern. `None`: the host does not care, and the run takes what the options,
    /// the system or the library's own generators say.
    fn answer(&mut self, _query: &InputQuery<'_>) -> Option<u128> {
        None
    }
    /// Whether nothing but this host is outside: no file, clock or other process of the system is seen or touched.
    fn is_closed(&self) -> bool {
        false
    }
    /// Whether [`Host::unwritten`] has anything to say.
    fn says_unwritten(&self) -> bool {
        false
    }
    /// The first bytes of what a new object holds before anything is written there. `None`: as the options say.
    fn unwritten(&mut self, _name: &str, _size: u64) -> Option<Vec<u8>> {
        None
    }
    /// What the other side of every connection sends; asked only of a closed host. `None`: there is no network.
    fn network(&mut self) -> Option<Vec<u8>> {
        None
    }
    /// The text by which the system answers a function; asked only of a closed host. `None`: it has no answer.
    fn system(&mut self, _function: &str) -> Option<Vec<u8>> {
        None
    }
    /// What a file holds; asked only of a closed host. `None`: there is no such file.
    fn file(&mut self, _path: &[u8]) -> Option<Vec<u8>> {
        None
    }
    /// The value of a variable of the environment; asked only of a closed host.
    fn variable(&mut self, _name: &[u8]) -> Option<Vec<u8>> {
        None
    }
}

/// The streams of this process, or a file in place of standard input.
#[derive(Debug, Default)]
pub struct System {
    /// What the program reads instead of this process's standard input.
    pub stdin: Option<std::fs::File>,
    /// What hardware registers hold, in the order in which they are read.
    pub registers: std::collections::VecDeque<u128>,
}

impl Host for System {
    fn read_stdin(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match &mut self.stdin {
            Some(file) => file.read(buffer),
            None => io::stdin().read(buffer),
        }
    }

    fn write_stdout(&mut self, bytes: &[u8]) -> io::Result<()> {
        let mut out = io::stdout().lock();
        out.write_all(bytes)?;
        out.flush()
    }

    fn write_stderr(&mut self, bytes: &[u8]) -> io::Result<()> {
        io::stderr().write_all(bytes)
    }

    fn answer(&mut self, query: &InputQuery<'_>) -> Option<u128> {
        if query.kind != InputKind::Register {
            return None;
        }
        let value = self.registers.pop_front().or_else(|| ask_person(query.name))?;
        Some(query.fitting(value))
    }

    fn descriptor(&self, number: u8) -> Option<OwnedFd> {
        match (number, &self.stdin) {
            (0, Some(file)) => file.as_fd().try_clone_to_owned().ok(),
            (0, None) => io::stdin().as_fd().try_clone_to_owned().ok(),
            (1, _) => io::stdout().as_fd().try_clone_to_owned().ok(),
            (2, _) => io::stderr().as_fd().try_clone_to_owned().ok(),
            _ => None,
        }
    }
}

/// Asks who sits at the terminal what a register holds: a number, in decimal or hexadecimal. `None` where nobody does.
fn ask_person(name: &str) -> Option<u128> {
    if !(io::stdin().is_terminal() && io::stderr().is_terminal()) {
        return None;
    }
    eprint!("clew: {name} is read; it holds: ");
    let mut line = String::new();
    io::stdin().read_line(&mut line).ok()?;
    let text = line.trim();
    match text.strip_prefix("0x") {
        Some(digits) => u128::from_str_radix(digits, 16).ok(),
        None => text.parse::<i128>().ok().map(|number| number as u128),
    }
}

/// Streams in memory.
#[derive(Debug, Default)]
pub struct Captured {
    /// What is left to read.
    pub stdin: io::Cursor<Vec<u8>>,
    /// What was written to standard output.
    pub stdout: Vec<u8>,
    /// What was written to standard error.
    pub stderr: Vec<u8>,
}

impl Host for Captured {
    fn read_stdin(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.stdin.read(buffer)
    }

    fn write_stdout(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.stdout.extend_from_slice(bytes);
        Ok(())
    }

    fn write_stderr(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.stderr.extend_from_slice(bytes);
        Ok(())
    }
}

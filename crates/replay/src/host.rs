// SPDX-License-Identifier: MIT OR Apache-2.0
//! The three standard streams of the program that runs, so that tests and reports can stand in for the terminal.

use std::io::{self, Read, Write};
use std::os::fd::{AsFd, OwnedFd};

/// Where the program's standard streams lead. Everything else (files, clocks) is the real system's.
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
}

/// The streams of this process, or a file in place of standard input.
#[derive(Debug, Default)]
pub struct System {
    /// What the program reads instead of this process's standard input.
    pub stdin: Option<std::fs::File>,
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

// SPDX-License-Identifier: MIT OR Apache-2.0
//! Exit statuses: one place for all commands.

use std::process::ExitCode;

/// How a command ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// Nothing was violated.
    Clean,
    /// A violation, or an open obligation where those count.
    Violated,
    /// The input or the flags were wrong.
    BadInput,
    /// A fault of ours.
    Fault,
    /// A limit or the user ended the work before it was done, and nothing was violated by then.
    CutShort,
    /// `run`: the program ended by itself, with this status.
    Program(u8),
    /// `run`: the program was stopped by a finding.
    Finding,
    /// `run`: clew could not go on.
    CannotRun,
}

impl Exit {
    /// The status as a number.
    pub const fn code(self) -> u8 {
        match self {
            Exit::Clean => 0,
            Exit::Violated => 1,
            Exit::BadInput => 2,
            Exit::Fault => 3,
            Exit::CutShort => 4,
            Exit::Program(status) => status,
            Exit::Finding => 99,
            Exit::CannotRun => 98,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.code())
    }
}

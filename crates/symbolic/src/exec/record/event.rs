// SPDX-License-Identifier: MIT OR Apache-2.0
//! Events: what happens in an execution that is of account, in an order that agrees with the order of every single run.

use clew_ir::location::ObligationRef;

use crate::term::TermId;

/// Something of account.
#[derive(Clone, Debug)]
pub(crate) struct Event {
    /// One bit. Of a check: that it is violated here. Of an assumption: that it does not hold. Of a cut: that a run
    /// comes here.
    pub happens: TermId,
    pub kind: EventKind,
}

/// What kind of event it is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum EventKind {
    /// A check.
    Check {
        /// What it checks, with the call of the library that it stands in.
        subject: ObligationRef,
        /// Whether a violation ends the run.
        stops: bool,
        /// Whether somebody asks.
        is_open: bool,
        /// Whether a run shows it.
        shows: Shows,
    },
    /// A run that does not count.
    Assume,
    /// Runs that are not followed, and why.
    Cut(Reason),
    /// From here on a run does what the execution lets it do, and perhaps something else: of account for witnesses only.
    Loose,
}

/// Whether a run shows that a check is violated.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Shows {
    Always,
    /// The execution does not know all that decides it.
    Perhaps,
    Never,
}

impl EventKind {
    /// Whether no run goes on behind it.
    pub(crate) fn ends(&self) -> bool {
        match self {
            EventKind::Check { stops, .. } => *stops,
            EventKind::Assume => true,
            EventKind::Cut(_) | EventKind::Loose => false,
        }
    }
}

/// Why runs are not followed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Reason {
    /// The depth was reached in a loop or a recursion: a deeper execution sees more.
    Depth,
    /// The budget was used up.
    Budget,
    /// A value or a place that is not followed.
    Value,
    /// A function without a body.
    Missing,
    /// An operation that is not followed.
    Operation,
    /// Addresses are compared or reckoned with in a way that depends on where objects lie.
    Addresses,
    /// Something that was never written is used.
    Unwritten,
    /// What the run is given from outside is not all that it could be given.
    Environment,
    /// Something volatile is read: it may be anything, and is taken to be what was written last.
    Volatile,
}

impl Reason {
    /// Whether the interpreter may do something else in a run that comes to such a cut. It goes on behind a function
    /// without a body, and a volatile read, as the execution does.
    pub(crate) fn is_loose(self) -> bool {
        !matches!(self, Reason::Missing | Reason::Volatile)
    }
}

impl Reason {
    /// What is left out, for people.
    pub fn in_words(self) -> &'static str {
        match self {
            Reason::Depth => "loops or calls that go deeper than it follows",
            Reason::Budget => "more work than its limit",
            Reason::Value => "values that it does not follow",
            Reason::Missing => "functions without a body",
            Reason::Operation => "operations that it does not follow",
            Reason::Addresses => "addresses that depend on where objects lie",
            Reason::Unwritten => "memory that was never written",
            Reason::Environment => "what may be given from outside beyond its limit",
            Reason::Volatile => "something volatile",
        }
    }
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a run is asked to do, and what came of it.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use clew_base::source::Span;
use clew_ir::location::Location;
use clew_ir::obligation::CheckKind;
use clew_ir::syntax::{FuncId, ObligationId};

/// How to run.
#[derive(Clone, Debug)]
pub struct Options {
    /// `argv`, the program's name first.
    pub args: Vec<Vec<u8>>,
    /// `NAME=value` strings; what `getenv` and `environ` see.
    pub environment: Vec<Vec<u8>>,
    /// Continue checks that stop the run too. Checks that are off by default run only if named here.
    pub stop_on: Vec<CheckKind>,
    /// Checks that are counted though a run stops at them else: it goes on with the machine's value.
    pub goes_on_after: Vec<CheckKind>,
    /// Count violations of the checks that are off by default too.
    pub count_all: bool,
    /// Go on after findings where the machine has an answer.
    pub all: bool,
    /// Values for `__VERIFIER_nondet_*`, in order, as their bit patterns.
    pub inputs: Vec<u128>,
    /// What every byte of an object holds that was never written, and every register: programs must not depend on it.
    pub garbage: u8,
    /// Whether nobody asks how often a check is violated at which the run goes on: only the first time costs anything.
    pub counts_once: bool,
    /// How many operations may run; none is no limit.
    pub step_limit: Option<u64>,
    /// Ends the run soon after it is set, as the limit of steps does.
    pub cancelled: Option<Arc<AtomicBool>>,
    /// Bytes of live objects.
    pub memory_limit: u64,
    /// Bytes of C stack: locals and a fixed amount for each call.
    pub stack_limit: u64,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            args: vec![b"program".to_vec()],
            environment: Vec::new(),
            stop_on: Vec::new(),
            goes_on_after: Vec::new(),
            count_all: false,
            all: false,
            inputs: Vec::new(),
            garbage: 0,
            counts_once: false,
            step_limit: None,
            cancelled: None,
            memory_limit: 4 << 30,
            stack_limit: 8 << 20,
        }
    }
}

/// What came of a run.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// How it ended.
    pub end: End,
    /// Findings, the one that ended the run last. Several only with `all`, or for leaks.
    pub findings: Vec<Finding>,
    /// Continue checks that were violated, in the order of their first time.
    pub counted: Vec<Counted>,
    /// Things a reader must know, such as inputs that ran out.
    pub notes: Vec<String>,
    /// Steps that were taken.
    pub steps: u64,
    /// Bytes of all objects that were made.
    pub bytes: u64,
    /// Functions without a body that were called and answered by the host, each once.
    pub missing: Vec<FuncId>,
}

/// How a run ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// The program ended with this status.
    Exit(i32),
    /// A signal killed the program (`abort`, `raise`).
    Signal(i32),
    /// A check failed; it is the last finding.
    Finding,
    /// An assumption did not hold: the run does not count.
    Assumed,
    /// clew could not go on.
    Error(RunError),
}

/// Why clew could not go on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RunError {
    /// The program does something that clew does not support.
    Unsupported {
        /// What, for a person.
        what: String,
        /// Where.
        span: Span,
    },
    /// A limit of the options was reached.
    Limit(String),
    /// There is nothing to run.
    NoMain,
    /// A fault of clew's.
    Fault(String),
}

/// A violated check.
#[derive(Clone, PartialEq, Debug)]
pub struct Finding {
    /// Which check.
    pub check: CheckKind,
    /// The obligation, where one stands in the IR.
    pub obligation: Option<(FuncId, ObligationId)>,
    /// The call of the library that broke its contract, where no obligation stands in the IR.
    pub call: Option<Location>,
    /// The argument of that call that is to blame, from 0, where it is one.
    pub argument: Option<u32>,
    /// The operation.
    pub span: Span,
    /// What happened, with the values: `2147483647 + 1 does not fit int`.
    pub message: String,
    /// The object involved.
    pub object: Option<ObjectInfo>,
    /// Where the program was, innermost first.
    pub stack: Vec<StackEntry>,
}

/// A function that runs, and where in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StackEntry {
    /// Its name in the source.
    pub function: Arc<str>,
    /// The call or operation.
    pub span: Span,
}

/// An object that a finding speaks of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ObjectInfo {
    /// `heap`, `stack`, `static`, `string literal`, `function` or `library`.
    pub kind: &'static str,
    /// Its name, if it has one.
    pub name: Option<String>,
    /// Bytes.
    pub size: u64,
    /// Where it was declared.
    pub declared: Option<Span>,
    /// Where it was allocated, innermost call first.
    pub allocated: Vec<StackEntry>,
    /// Where its life ended, innermost call first.
    pub freed: Vec<StackEntry>,
}

/// A Continue check that was violated.
#[derive(Clone, PartialEq, Debug)]
pub struct Counted {
    /// Which check.
    pub check: CheckKind,
    /// The obligation, where one stands in the IR.
    pub obligation: Option<(FuncId, ObligationId)>,
    /// The call of the library that broke its contract, where no obligation stands in the IR.
    pub call: Option<Location>,
    /// The argument of that call that is to blame, from 0, where it is one.
    pub argument: Option<u32>,
    /// The operation.
    pub span: Span,
    /// How often.
    pub count: u64,
    /// What happened the first time.
    pub first: String,
    /// Where the program was then, innermost first.
    pub stack: Vec<StackEntry>,
}

impl Counted {
    /// Its first time, as a finding.
    pub fn first_finding(&self) -> Finding {
        Finding {
            check: self.check,
            obligation: self.obligation,
            call: self.call,
            argument: self.argument,
            span: self.span,
            message: self.first.clone(),
            object: None,
            stack: self.stack.clone(),
        }
    }
}

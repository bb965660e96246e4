// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is known of an obligation, and what that rests on.
//!
//! There are four verdicts and no fifth: what clew does not support is open, never silence.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::obligation::StableId;
use crate::witness::Witness;

/// What is known of one obligation.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Verdict {
    /// It holds in every run.
    Proved(Proof),
    /// No run comes to its place.
    Unreachable(Proof),
    /// Some run violates it.
    Violated {
        /// The inputs of such a run; none for the run that the user started.
        witness: Option<Witness>,
        /// Who saw it.
        confirmed: Confirmed,
    },
    /// Not decided.
    Open(Reason),
}

impl Verdict {
    /// The worse it is for the program, the smaller.
    pub fn rank(&self) -> u8 {
        match self {
            Verdict::Violated { .. } => 0,
            Verdict::Open(_) => 1,
            Verdict::Proved(proof) => 2 + u8::from(proof.given.is_empty()),
            Verdict::Unreachable(proof) => 4 + u8::from(proof.given.is_empty()),
        }
    }
}

/// Who proved an obligation, and on the strength of what.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Proof {
    /// The engine; `symbolic by z3` where the answer is that of another solver.
    pub by: String,
    /// Obligations before it that are open or violated, whose violation the proof sets aside. Empty: unconditional.
    /// Thousands of proofs of a large program rest on the same, and share the list.
    pub given: Arc<[StableId]>,
}

impl Proof {
    /// The solver that alone vouches for it, if there is one: not clew itself.
    pub fn on_word_of(&self) -> Option<&str> {
        self.by.split_once(" by ").map(|(_, solver)| solver)
    }
}

/// Who saw a violation happen. The compiled program comes first: it says most.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Confirmed {
    /// The compiled program.
    Native,
    /// The interpreter, and why the compiled program does not show it; nothing where nobody asked it.
    Interpreter(Option<String>),
}

impl Confirmed {
    /// The word that reports use.
    pub const fn name(&self) -> &'static str {
        match self {
            Confirmed::Native => "native",
            Confirmed::Interpreter(_) => "interpreter",
        }
    }

    /// Why the compiled program does not show it, as a clause.
    pub fn why_not_native(&self) -> Option<&str> {
        match self {
            Confirmed::Native => None,
            Confirmed::Interpreter(why) => why.as_deref(),
        }
    }
}

/// Why an obligation is open. In this order where several reasons meet: the last says most.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Reason {
    /// No engine has looked at it.
    NotAnalysed,
    /// An engine looked and could not tell. The question, small enough for a person, where there is one.
    Imprecise(Option<String>),
    /// A limit was reached; so much was explored.
    Limit(u64),
    /// Code that clew does not support may touch it.
    Unsupported(String),
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::NotAnalysed => f.write_str("not analysed"),
            Reason::Unsupported(what) => write!(f, "unsupported: {what}"),
            Reason::Limit(explored) => write!(f, "limit reached, explored: {explored}"),
            Reason::Imprecise(None) => f.write_str("not decided"),
            Reason::Imprecise(Some(question)) => write!(f, "not decided: {question}"),
        }
    }
}

/// Which verdicts an assumption weakens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Polarity {
    /// It leaves runs out: proofs rest on it.
    Restricting,
    /// It adds runs that may not exist: violations rest on it.
    Widening,
    /// It does both.
    Both,
}

/// Something that verdicts rest on and that clew did not prove.
#[derive(Clone, Copy, Debug)]
pub struct Assumption {
    /// The name of the switch.
    pub name: &'static str,
    /// Which verdicts it weakens.
    pub polarity: Polarity,
    /// Whether it is made when nobody says otherwise.
    pub by_default: bool,
    /// Whether it can be switched.
    pub fixed: bool,
    /// What it says.
    pub text: &'static str,
}

const fn switch(name: &'static str, polarity: Polarity, by_default: bool, text: &'static str) -> Assumption {
    Assumption { name, polarity, by_default, fixed: false, text }
}

const fn always(name: &'static str, text: &'static str) -> Assumption {
    Assumption { name, polarity: Polarity::Restricting, by_default: true, fixed: true, text }
}

/// The assumptions by name, in the order they are listed.
pub const ASSUMPTIONS: &[Assumption] = &[
    switch("malloc-succeeds", Polarity::Restricting, false, "malloc and its siblings never return null"),
    switch(
        "uninitialised-values-stay",
        Polarity::Restricting,
        false,
        "a variable that was never written has some value, which stays the same until it is written",
    ),
    switch(
        "params-not-aliased",
        Polarity::Restricting,
        true,
        "pointer parameters of an entry point to different objects, and to no global",
    ),
    switch(
        "params-valid-or-null",
        Polarity::Both,
        true,
        "a pointer parameter of an entry is null or points to an object of its type",
    ),
    switch(
        "params-lead-apart",
        Polarity::Restricting,
        false,
        "a pointer in what a parameter of an entry points to is null or points to the start of a whole object of its type that is no global",
    ),
    switch(
        "missing-functions-leave-globals",
        Polarity::Restricting,
        true,
        "a function without a body changes what its arguments lead to and nothing else: no global variable, and nothing that was handed out in an earlier call; it calls functions of the program that it has been handed or finds in memory, and none by name",
    ),
    switch(
        "missing-functions-free-nothing",
        Polarity::Restricting,
        true,
        "a function without a body frees nothing that the program made",
    ),
    switch("round-to-nearest", Polarity::Restricting, true, "floats are rounded to nearest, ties to even"),
    switch(
        "no-fma",
        Polarity::Restricting,
        true,
        "the compiler does not fuse a multiplication and an addition",
    ),
    switch(
        "no-excess-precision",
        Polarity::Both,
        true,
        "float operations are rounded to their types, on 32-bit x86 as with -msse2 -mfpmath=sse",
    ),
    switch(
        "evaluation-order",
        Polarity::Restricting,
        true,
        "what C leaves unordered is evaluated in the order of gcc",
    ),
    switch(
        "no-asynchronous-writes",
        Polarity::Restricting,
        true,
        "no other thread, signal handler or device writes ordinary memory",
    ),
    switch(
        "registers-apart",
        Polarity::Restricting,
        true,
        "a volatile access at a constant address is one to a hardware register: it reads anything and changes no object (--memory says where)",
    ),
    switch(
        "loops-bounded",
        Polarity::Restricting,
        false,
        "no loop makes more than N iterations (not supported yet)",
    ),
    switch(
        "max-clock",
        Polarity::Restricting,
        false,
        "the function that waits for the clock is called at most N times (--max-clock N)",
    ),
    switch(
        "solver-correct",
        Polarity::Restricting,
        false,
        "the solver that --solver names is right where it says that something cannot be",
    ),
    always("no-strict-aliasing", "objects may be accessed through other types, as with -fno-strict-aliasing"),
    always(
        "pointers-do-not-wrap",
        "a pointer that is moved forward does not come around the end of memory to null",
    ),
    always(
        "signed-overflow-wraps",
        "a signed operation that overflows gives the wrapped value, as with -fwrapv: what is proved behind one that is not proved may rest on this",
    ),
    always(
        "argument-lists-fit",
        "va_arg, and formats that are no literals, find arguments of the type that they ask for, in a list that was started and has not ended",
    ),
    always("library-reads-written", "texts and bytes that library functions read have been written before"),
    always("stack-suffices", "calls do not go deeper than the stack allows"),
    always("compiler-correct", "the compiler translates the program as the standard says"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn assumptions_have_names_of_their_own() {
        let mut names: Vec<_> = ASSUMPTIONS.iter().map(|a| a.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), ASSUMPTIONS.len());
    }
}

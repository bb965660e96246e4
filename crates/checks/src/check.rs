// SPDX-License-Identifier: MIT OR Apache-2.0
//! What every check declares about itself.

use clew_ir::obligation::CheckKind;

/// A check: what `clew explain` says of it and what engines need to know.
#[derive(Clone, Copy, Debug)]
pub struct Check {
    /// Which.
    pub kind: CheckKind,
    /// What happens to a run that violates it.
    pub after: After,
    /// Whether it is shown, and counts for the exit status, without being asked for.
    pub on_by_default: bool,
    /// Its number in the Common Weakness Enumeration.
    pub cwe: u16,
    /// The group that selects it.
    pub group: Group,
    /// The properties of SV-COMP that it is part of.
    pub properties: &'static [Property],
    /// The headline of a finding: a clause without capital and full stop.
    pub title: &'static str,
    /// The manual page.
    pub page: Page,
}

/// What happens to a run that violates a check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum After {
    /// Undefined behaviour: no run goes on from there.
    Stop,
    /// The machine gives a value, and the run goes on with it.
    Continue,
}

/// The manual page of a check. Paragraphs are plain text; the examples are whole programs, which the tests run.
#[derive(Clone, Copy, Debug)]
pub struct Page {
    /// What it is.
    pub what: &'static str,
    /// Why it is bad.
    pub why: &'static str,
    /// A program that has the fault, with the expectations of the tests in comments.
    pub bad: &'static str,
    /// The same program without the fault.
    pub fixed: &'static str,
    /// What to do about it.
    pub advice: &'static str,
    /// How clew decides it.
    pub how: &'static str,
}

impl Page {
    /// The faulty program as a reader is shown it.
    pub fn bad_example(&self) -> String {
        without_expectations(self.bad)
    }

    /// The corrected program as a reader is shown it.
    pub fn fixed_example(&self) -> String {
        without_expectations(self.fixed)
    }
}

/// The program without the head that the tests read; the line of a finding keeps a mark.
fn without_expectations(program: &str) -> String {
    let body = program.lines().skip_while(|line| line.starts_with("//"));
    body.fold(String::new(), |text, line| text + &line.replace("// finds: ", "// <-- ") + "\n")
}

/// A group of checks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Group {
    /// Pointers, objects and calls.
    Memory,
    /// Integers.
    Integer,
    /// Floats.
    Float,
    /// What the author promised, and what the language leaves open.
    Assert,
}

impl Group {
    /// Every group.
    pub const ALL: &[Group] = &[Group::Memory, Group::Integer, Group::Float, Group::Assert];

    /// The name that users see.
    pub const fn name(self) -> &'static str {
        match self {
            Group::Memory => "memory",
            Group::Integer => "integer",
            Group::Float => "float",
            Group::Assert => "assert",
        }
    }
}

/// A property of the Competition on Software Verification.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Property {
    /// No error function is called.
    UnreachCall,
    /// No signed overflow.
    NoOverflow,
    /// Every access and every free is valid, and nothing is lost.
    ValidMemsafety,
    /// Everything is freed at the end.
    ValidMemcleanup,
}

impl Property {
    /// Every property.
    pub const ALL: &[Property] =
        &[Property::UnreachCall, Property::NoOverflow, Property::ValidMemsafety, Property::ValidMemcleanup];

    /// The name that users see.
    pub const fn name(self) -> &'static str {
        match self {
            Property::UnreachCall => "unreach-call",
            Property::NoOverflow => "no-overflow",
            Property::ValidMemsafety => "valid-memsafety",
            Property::ValidMemcleanup => "valid-memcleanup",
        }
    }
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is raised where: a site is a place and a kind, with the witness that a user of the library would meet first.

use crate::lines::Place;

/// What an operation raises.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Kind {
    /// A number that is not zero is divided by zero, or a function has a pole.
    DivisionByZero,
    /// A finite operation gives infinity.
    Overflow,
    /// There is no result.
    Invalid,
    /// The result is tiny and inexact: the flag of IEEE 754.
    Underflow,
    /// The result is tiny, and exact.
    Tiny,
}

impl Kind {
    /// All, in the order of reports.
    pub const ALL: [Kind; 5] =
        [Kind::DivisionByZero, Kind::Overflow, Kind::Invalid, Kind::Underflow, Kind::Tiny];

    /// As the runtime numbers them.
    pub(crate) fn of_number(number: u32) -> Option<Kind> {
        Some(match number {
            0 => Kind::DivisionByZero,
            1 => Kind::Overflow,
            2 => Kind::Underflow,
            3 => Kind::Invalid,
            4 => Kind::Tiny,
            _ => return None,
        })
    }

    pub(crate) fn number(self) -> u32 {
        match self {
            Kind::DivisionByZero => 0,
            Kind::Overflow => 1,
            Kind::Underflow => 2,
            Kind::Invalid => 3,
            Kind::Tiny => 4,
        }
    }

    /// For people.
    pub fn name(self) -> &'static str {
        match self {
            Kind::DivisionByZero => "divide-by-zero",
            Kind::Overflow => "overflow",
            Kind::Invalid => "invalid",
            Kind::Underflow => "underflow",
            Kind::Tiny => "tiny",
        }
    }
}

/// What raises it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Operation {
    /// An addition, subtraction, multiplication, division or root.
    Arithmetic,
    /// A conversion to another float type.
    Conversion,
    /// A conversion to an integer.
    ToInteger,
    /// An ordered comparison: one side is no number.
    Comparison,
    /// A call of a function of `<math.h>`.
    Call,
}

impl Operation {
    pub(crate) fn of_letter(letter: &str) -> Operation {
        match letter {
            "i" => Operation::ToInteger,
            "c" => Operation::Conversion,
            "<" => Operation::Comparison,
            "m" => Operation::Call,
            _ => Operation::Arithmetic,
        }
    }

    /// For people.
    pub fn name(self) -> &'static str {
        match self {
            Operation::Arithmetic => "operation",
            Operation::Conversion => "conversion",
            Operation::ToInteger => "conversion to an integer",
            Operation::Comparison => "comparison",
            Operation::Call => "library call",
        }
    }
}

/// How a user meets it, the worst first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Via {
    /// A public function says that all is well, and what it gives is infinite or no number.
    Silent,
    /// A public function.
    Public,
    /// A static function that was called directly, perhaps as no caller does.
    Direct,
}

/// One input on which a place raises something.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// The number of the entry.
    pub entry: usize,
    /// The numbers of the run.
    pub values: Vec<u64>,
    /// How it is met.
    pub via: Via,
    /// What the search had cost by then.
    pub cost: u64,
}

/// A place that raises something.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Site {
    /// Where.
    pub place: Place,
    /// What.
    pub kind: Kind,
    /// By what.
    pub operation: Operation,
    /// The function that the place is in.
    pub function: String,
    /// The witnesses, the best first: one of each entry that comes there.
    pub findings: Vec<Finding>,
}

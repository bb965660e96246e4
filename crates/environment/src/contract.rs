// SPDX-License-Identifier: MIT OR Apache-2.0
//! Conditions on what callers pass.
//!
//! A contract is a list of clauses that must all hold. A clause is a test, excused if one of the tests before it holds:
//! `sent == NULL || fwdBnds(sent) >= 1024`.

use clew_base::source::Span;
use clew_ir::obligation::CheckKind;

use crate::linear::Linear;
use crate::source::{Kind, Source};

/// One thing that holds or not when a function is called.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Test {
    /// The sum is at most zero.
    AtMostZero(Linear),
    /// The sum is zero.
    Zero(Linear),
    /// The sum is not zero.
    NotZero(Linear),
    /// The pointer is null.
    Null(Source),
    /// The pointer is not null.
    NotNull(Source),
    /// From the pointer on, so many bytes exist. Where the number is not positive nothing is asked.
    Room {
        /// The pointer.
        pointer: Source,
        /// How many bytes.
        bytes: Linear,
        /// Whether they are written, too.
        writes: bool,
    },
    /// A NUL stands at or after the pointer, inside its object.
    Terminated(Source),
}

impl Test {
    /// The test that holds where this one does not; none if it cannot be said.
    pub fn negated(&self) -> Option<Test> {
        Some(match self {
            // sum > 0: 1 - sum <= 0
            Test::AtMostZero(sum) => Test::AtMostZero(Linear::constant(1).plus(-1, sum)?),
            Test::Zero(sum) => Test::NotZero(sum.clone()),
            Test::NotZero(sum) => Test::Zero(sum.clone()),
            Test::Null(pointer) => Test::NotNull(pointer.clone()),
            Test::NotNull(pointer) => Test::Null(pointer.clone()),
            Test::Room { .. } | Test::Terminated(_) => return None,
        })
    }

    /// Whether it holds for all values, or for none, by the types of what it speaks of.
    pub fn truth(&self) -> Option<bool> {
        let range = |sum: &Linear| sum.range(&|_| None);
        match self {
            Test::AtMostZero(sum) => match range(sum) {
                (_, high) if high <= 0 => Some(true),
                (low, _) if low > 0 => Some(false),
                _ => None,
            },
            Test::Zero(sum) => match range(sum) {
                (0, 0) => Some(true),
                (low, high) if low > 0 || high < 0 => Some(false),
                _ => None,
            },
            Test::NotZero(sum) => Test::Zero(sum.clone()).truth().map(|truth| !truth),
            Test::Room { bytes, .. } if range(bytes).1 <= 0 => Some(true),
            _ => None,
        }
    }

    /// The sources that it speaks of.
    pub fn sources(&self) -> Vec<&Source> {
        match self {
            Test::AtMostZero(sum) | Test::Zero(sum) | Test::NotZero(sum) => sum.terms.keys().collect(),
            Test::Null(pointer) | Test::NotNull(pointer) | Test::Terminated(pointer) => vec![pointer],
            Test::Room { pointer, bytes, .. } => bytes.terms.keys().chain([pointer]).collect(),
        }
    }

    /// Whether this test, where it holds, makes the other hold.
    pub fn implies(&self, other: &Test) -> bool {
        match (self, other) {
            _ if self == other => true,
            (Test::AtMostZero(a), Test::AtMostZero(b)) | (Test::Zero(a), Test::AtMostZero(b)) => {
                b.plus(-1, a).and_then(|difference| difference.as_constant()).is_some_and(|d| d <= 0)
            }
            (Test::AtMostZero(a), Test::NotZero(b)) => {
                let negative = |sum: Option<Linear>| sum.and_then(|d| d.as_constant()).is_some_and(|d| d < 0);
                negative(b.plus(-1, a)) || negative(b.times(-1).and_then(|b| b.plus(-1, a)))
            }
            (
                Test::Room { pointer, bytes, writes },
                Test::Room { pointer: other, bytes: fewer, writes: also },
            ) => {
                let less = fewer.plus(-1, bytes).and_then(|difference| difference.as_constant());
                pointer == other && less.is_some_and(|d| d <= 0) && (*writes || !also)
            }
            (Test::Terminated(p), Test::Room { pointer, bytes, writes: false }) => {
                p == pointer && bytes.as_constant().is_some_and(|bytes| bytes <= 1)
            }
            _ => false,
        }
    }
}

/// How a condition stands to the failures that it is about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Necessity {
    /// Where it does not hold, every run fails.
    Necessary,
    /// Where it holds, the failures that it is about do not happen; where it does not, some may not happen either.
    Sufficient,
    /// Somebody wrote it.
    Given,
}

impl Necessity {
    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Necessity::Necessary => "necessary",
            Necessity::Sufficient => "sufficient",
            Necessity::Given => "given",
        }
    }
}

/// Where a clause comes from.
#[derive(Clone, PartialEq, Debug)]
pub struct Origin {
    /// The check that would fail.
    pub check: CheckKind,
    /// The operation, in the function or in one that it calls.
    pub span: Span,
}

/// One condition.
#[derive(Clone, PartialEq, Debug)]
pub struct Clause {
    /// Each of these excuses from the test.
    pub unless: Vec<Test>,
    /// What holds otherwise.
    pub test: Test,
    /// How it stands to failures.
    pub necessity: Necessity,
    /// Where it comes from.
    pub origins: Vec<Origin>,
}

impl Clause {
    /// The sources that it speaks of.
    pub fn sources(&self) -> impl Iterator<Item = &Source> {
        self.unless.iter().chain([&self.test]).flat_map(Test::sources)
    }

    /// Whether this clause, where it holds, makes the other hold.
    pub fn implies(&self, other: &Clause) -> bool {
        let excused = |test: &Test| other.unless.iter().any(|known| test.implies(known));
        let implied =
            || self.test.implies(&other.test) || (self.unless == other.unless && self.implies_inside(other));
        self.unless.iter().all(excused) && implied()
    }

    /// Whether more bytes are asked than by the other, where nothing excuses: `n <= 1 || fwdBnds(p) >= n` asks for two.
    fn implies_inside(&self, other: &Clause) -> bool {
        let (Test::Room { pointer, bytes, .. }, Test::Room { pointer: same, bytes: fewer, writes: false }) =
            (&self.test, &other.test)
        else {
            return false;
        };
        let Some(less) = fewer.plus(-1, bytes).filter(|_| pointer == same) else { return false };
        let helps = |excuse: &Test| {
            // Not excused: sum >= 1, so that less <= less + factor * (sum - 1).
            let Test::AtMostZero(sum) = excuse else { return false };
            let factor = less.terms.iter().next().and_then(|(source, c)| Some(-c / sum.terms.get(source)?));
            let factor = factor.filter(|factor| *factor > 0);
            let rest = factor.and_then(|factor| less.plus(factor, sum)?.plus(-factor, &Linear::constant(1)));
            rest.and_then(|rest| rest.as_constant()).is_some_and(|rest| rest <= 0)
        };
        self.unless.iter().any(helps)
    }
}

/// What a function asks of its callers.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Contract {
    /// All of them must hold.
    pub clauses: Vec<Clause>,
}

/// More clauses than this a function has not.
const MOST: usize = 24;

impl Contract {
    /// Adds a clause, unless the others say as much already; those that it says more than go.
    pub fn add(&mut self, clause: Clause) {
        let rank = |clause: &Clause| clause.necessity == Necessity::Necessary;
        if let Some(known) =
            self.clauses.iter_mut().find(|k| k.unless == clause.unless && k.test == clause.test)
        {
            known.necessity = known.necessity.min(clause.necessity);
            for origin in clause.origins {
                if known.origins.len() < 8 && !known.origins.contains(&origin) {
                    known.origins.push(origin);
                }
            }
            return;
        }
        if self.clauses.iter().any(|known| known.implies(&clause) && rank(known) >= rank(&clause)) {
            return;
        }
        self.clauses.retain(|known| !(clause.implies(known) && rank(&clause) >= rank(known)));
        if self.clauses.len() < MOST {
            self.clauses.push(clause);
        }
    }

    /// Whether a source is a pointer that the contract says is not null, whatever else holds.
    pub fn is_not_null(&self, source: &Source) -> bool {
        matches!(source.kind, Kind::Pointer(_))
            && self
                .clauses
                .iter()
                .any(|c| c.unless.is_empty() && matches!(&c.test, Test::NotNull(p) if p == source))
    }
}

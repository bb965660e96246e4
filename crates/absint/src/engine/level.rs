// SPDX-License-Identifier: MIT OR Apache-2.0
//! How much work an analysis is worth: the domains that it may go without, and the four levels.
//!
//! Plain values and memory are always there. Every other domain asks [`Analyser::uses`] where it begins to say
//! something; one that is switched off never begins, and what was never said cannot be wrong. Nothing else may depend on the
//! switch: what a function with the domain has said is followed, or forgotten, in functions without it as in all others.
//!
//! A level is a set of domains and an [`Effort`]: bounds on work that decide how exact a result is, not whether it holds. The
//! levels were chosen by what each domain closes and costs on the lists and on synchronous programs (`docs/domains.md`).
//!
//! Some functions may be worth more than the rest of a program: see [`Raised`].

use clew_ir::syntax::FuncId;
use rustc_hash::FxHashSet;

use crate::domain::difference::Relations;
use crate::domain::var::Var;
use crate::engine::evaluator::Evaluator;
use crate::engine::facts::Facts;
use crate::engine::loops::Pace;
use crate::engine::options::Options;

/// A domain that an analysis may go without.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Domain {
    /// Ranges of sums by their linear forms (`linear`).
    Linear,
    /// `x - y <= c` between integers (`difference`).
    Differences,
    /// `x + y <= c` between integers (`sum`).
    Sums,
    /// Affine equalities between the counters of a function (`affine`).
    Equalities,
    /// Sizes and pointers in terms of registers and of each other (`cursor`, `extent`).
    Cursors,
    /// The zero byte that ends a string (`nul_position`).
    Strings,
    /// What accesses have shown of objects that nobody knows (`access`).
    Accesses,
    /// What holds of parts of arrays (`array_segment`, `array_segments`).
    Arrays,
    /// `x - y <= c` and `x + y <= c` between floats (`octagon`).
    Octagons,
    /// Second-order filters and lags (`tuple`).
    Filters,
    /// What shrinks, or drifts with the clock (`progression`).
    Progressions,
    /// Integers against the clock (`clock`).
    Clock,
    /// What the result of a float operation says of its operands (`backward_float`).
    Undo,
    /// Inputs split into cases, floats told apart by their sign (`case_split`).
    Pieces,
    /// Runs told apart by an index, or by the iteration or the path on which they left a loop (`partition`).
    Partitions,
    /// What flags decide on (`tuple/tree`).
    Decisions,
    /// Loops whose iterations change their behaviour, an invariant for each phase (`phase`).
    Phases,
    /// Runs told apart by the bits of a float that are read.
    Bits,
}

impl Domain {
    /// All of them.
    pub const ALL: [Domain; 18] = [
        Domain::Linear,
        Domain::Differences,
        Domain::Sums,
        Domain::Equalities,
        Domain::Cursors,
        Domain::Strings,
        Domain::Accesses,
        Domain::Arrays,
        Domain::Octagons,
        Domain::Filters,
        Domain::Progressions,
        Domain::Clock,
        Domain::Undo,
        Domain::Pieces,
        Domain::Partitions,
        Domain::Decisions,
        Domain::Phases,
        Domain::Bits,
    ];

    /// As users write it.
    pub fn name(self) -> &'static str {
        match self {
            Domain::Linear => "linear",
            Domain::Differences => "differences",
            Domain::Sums => "sums",
            Domain::Equalities => "equalities",
            Domain::Cursors => "cursors",
            Domain::Strings => "strings",
            Domain::Accesses => "accesses",
            Domain::Arrays => "arrays",
            Domain::Octagons => "octagons",
            Domain::Filters => "filters",
            Domain::Progressions => "progressions",
            Domain::Clock => "clock",
            Domain::Undo => "undo",
            Domain::Pieces => "pieces",
            Domain::Partitions => "partitions",
            Domain::Decisions => "decisions",
            Domain::Phases => "phases",
            Domain::Bits => "bits",
        }
    }

    /// The domain of a name.
    pub fn of_name(name: &str) -> Option<Domain> {
        Domain::ALL.into_iter().find(|domain| domain.name() == name)
    }
}

/// A set of domains.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Domains(u32);

impl Domains {
    /// No domain.
    pub const NONE: Domains = Domains(0);
    /// Every domain.
    pub const ALL: Domains = Domains((1 << Domain::ALL.len()) - 1);

    /// With one more.
    #[must_use]
    pub const fn with(self, domain: Domain) -> Domains {
        Domains(self.0 | 1 << domain as u32)
    }

    /// Without one.
    #[must_use]
    pub const fn without(self, domain: Domain) -> Domains {
        Domains(self.0 & !(1 << domain as u32))
    }

    /// What is in both.
    #[must_use]
    pub const fn common(self, other: Domains) -> Domains {
        Domains(self.0 & other.0)
    }

    /// Whether a domain is among them.
    pub const fn has(self, domain: Domain) -> bool {
        self.0 & 1 << domain as u32 != 0
    }

    /// Its domains.
    pub fn iter(self) -> impl Iterator<Item = Domain> {
        Domain::ALL.into_iter().filter(move |domain| self.has(*domain))
    }

    /// Whether a difference of these two is said by one of the domains.
    fn relate(self, x: Var, y: Var) -> bool {
        let is_minus = |var: Var| matches!(var, Var::Minus(_));
        let is_nul = |var: Var| matches!(var, Var::Nul(_));
        let is_register = |var: Var| matches!(var, Var::Register(_));
        self.has(match () {
            () if is_minus(x) || is_minus(y) => Domain::Sums,
            () if is_nul(x) || is_nul(y) => Domain::Strings,
            () if is_register(x) && is_register(y) => Domain::Differences,
            () => Domain::Cursors,
        })
    }
}

/// Bounds on work: results hold whatever they are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effort {
    /// Statements that the calls of one function may take before it is analysed once for all its calls, at least.
    pub(crate) least_share: u64,
    /// The same for each statement of the program: large programs are given more.
    pub(crate) share: u64,
    /// How far loops are unrolled, as a multiple of the usual, and as a part of it.
    pub(crate) unroll: (u64, u64),
    /// How much work loops are worth.
    pub(crate) pace: &'static Pace,
    /// Statements that one more round with inputs split into cases may take at most.
    pub(crate) pieces: u64,
}

impl Effort {
    /// A bound on unrolling at this level.
    pub(crate) fn unrolled(self, usual: u64) -> u64 {
        usual.saturating_mul(self.unroll.0) / self.unroll.1
    }
}

/// How an analysis goes about its work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Level {
    /// As users write it.
    pub number: u8,
    /// What it is called.
    pub name: &'static str,
    /// The domains that take part.
    pub domains: Domains,
    /// How much work it is worth.
    pub effort: Effort,
}

/// What [`Level::USUAL`] takes.
const USUAL_EFFORT: Effort =
    Effort { least_share: 50_000, share: 2, unroll: (1, 1), pace: &Pace::CAREFUL, pieces: 100_000 };

impl Level {
    /// Plain values and memory; functions are soon analysed once for all their calls, and loops are widened at once.
    pub const QUICK: Level = Level {
        number: 0,
        name: "quick",
        domains: Domains::NONE,
        effort: Effort { least_share: 5_000, share: 0, unroll: (1, 10), pace: &Pace::HURRIED, pieces: 0 },
    };

    /// All that costs little: no octagon, no filter, and runs are told apart by few things.
    pub const LIGHT: Level = Level {
        number: 1,
        name: "light",
        domains: Domains::ALL
            .without(Domain::Octagons)
            .without(Domain::Filters)
            .without(Domain::Pieces)
            .without(Domain::Partitions)
            .without(Domain::Phases),
        effort: Effort { unroll: (1, 2), pieces: 0, ..USUAL_EFFORT },
    };

    /// Every domain; functions are analysed in their contexts as long as that is cheap.
    pub const USUAL: Level = Level { number: 2, name: "usual", domains: Domains::ALL, effort: USUAL_EFFORT };

    /// Functions are analysed in ten times as many contexts, loops and pieces of inputs with more patience.
    pub const THOROUGH: Level = Level {
        number: 3,
        name: "thorough",
        domains: Domains::ALL,
        effort: Effort {
            least_share: 500_000,
            share: 20,
            unroll: (2, 1),
            pace: &Pace::PATIENT,
            pieces: 2_000_000,
        },
    };

    /// All levels, the quickest first.
    pub const ALL: [Level; 4] = [Level::QUICK, Level::LIGHT, Level::USUAL, Level::THOROUGH];

    /// The same without some domains.
    #[must_use]
    pub fn without(self, domains: impl IntoIterator<Item = Domain>) -> Level {
        Level { domains: domains.into_iter().fold(self.domains, Domains::without), ..self }
    }
}

impl Default for Level {
    fn default() -> Level {
        Level::USUAL
    }
}

/// Functions that are analysed at a level of their own, with the models of the library that they may call.
#[derive(Clone, Debug)]
pub struct Raised {
    /// Their level.
    pub level: Level,
    /// The functions.
    pub functions: FxHashSet<FuncId>,
}

impl Options<'_> {
    /// The level of a function.
    fn level_of(&self, function: FuncId) -> &Level {
        let has = |raised: &&Raised| raised.functions.contains(&function) || self.models.contains(&function);
        self.raised.filter(has).map_or(&self.level, |raised| &raised.level)
    }

    /// The highest level of any function: what rounds over the whole program may take.
    pub(crate) fn highest(&self) -> &Level {
        self.raised.map_or(&self.level, |raised| &raised.level)
    }
}

impl<'p> Facts<'p> {
    /// Whether a domain may begin to say something in a function.
    pub(crate) fn uses_in(&self, function: FuncId, domain: Domain) -> bool {
        self.options.level_of(function).domains.has(domain)
    }

    /// Statements that the calls of one function may take in their contexts.
    pub(crate) fn share(&self, function: FuncId) -> u64 {
        let effort = self.options.level_of(function).effort;
        let by_size = effort.least_share.max(self.statements.saturating_mul(effort.share));
        self.options.share.unwrap_or(by_size)
    }
}

impl Evaluator<'_> {
    /// The level of the running function.
    pub(crate) fn level(&self) -> &Level {
        match self.context.stack.last() {
            _ if self.budget.is_spent => &Level::QUICK,
            Some(function) if self.facts.options.raised.is_some() => self.facts.options.level_of(*function),
            _ => &self.facts.options.level,
        }
    }

    /// Whether a domain may begin to say something in the running function.
    pub(crate) fn uses(&self, domain: Domain) -> bool {
        self.level().domains.has(domain)
    }

    /// How much work the loops of the running function are worth.
    pub(crate) fn pace(&self) -> &'static Pace {
        if self.context.is_hurried { &Pace::HURRIED } else { self.level().effort.pace }
    }

    /// Whether there is a domain for the difference of these two.
    pub(crate) fn may_relate(&self, x: Var, y: Var) -> bool {
        self.level().domains.relate(x, y)
    }

    /// Remembers `x - y <= c`, if there is a domain for it.
    pub(crate) fn relate(&self, relations: &mut Relations, x: impl Into<Var>, y: impl Into<Var>, c: i128) {
        let (x, y) = (x.into(), y.into());
        if self.may_relate(x, y) {
            relations.learn(x, y, c);
        }
    }

    /// Remembers `x = y + c`, if there is a domain for it.
    pub(crate) fn relate_equal(
        &self,
        relations: &mut Relations,
        x: impl Into<Var>,
        y: impl Into<Var>,
        c: i128,
    ) {
        let (x, y) = (x.into(), y.into());
        self.relate(relations, x, y, c);
        self.relate(relations, y, x, -c);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_domain_has_a_name_of_its_own() {
        for (at, domain) in Domain::ALL.into_iter().enumerate() {
            assert_eq!(domain as usize, at);
            assert_eq!(Domain::of_name(domain.name()), Some(domain));
        }
        assert_eq!(Domain::of_name("octagon"), None);
    }

    #[test]
    fn sets_hold_what_was_put_in() {
        let two = Domains::NONE.with(Domain::Bits).with(Domain::Sums);
        assert_eq!(two.iter().collect::<Vec<_>>(), [Domain::Sums, Domain::Bits]);
        assert_eq!(two.without(Domain::Sums), Domains::NONE.with(Domain::Bits));
        assert_eq!(Domains::ALL.iter().count(), Domain::ALL.len());
    }

    #[test]
    fn a_level_is_no_less_than_the_one_before() {
        for pair in Level::ALL.windows(2) {
            let [lower, higher] = pair else { unreachable!("windows of two") };
            assert_eq!(lower.number + 1, higher.number);
            assert_eq!(lower.domains.common(higher.domains), lower.domains);
            assert!(lower.effort.least_share <= higher.effort.least_share);
            assert!(lower.effort.unrolled(1000) <= higher.effort.unrolled(1000));
            assert!(lower.effort.pieces <= higher.effort.pieces);
        }
    }
}

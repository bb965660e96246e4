// SPDX-License-Identifier: MIT OR Apache-2.0
//! Word lengths: the shortest formats that keep an error and let nothing overflow, with the proof.
//!
//! First one format for all floats: fraction digits are tried from none upward until the bound is small enough, integer
//! digits follow from the values that the machine may have. What runs reach with fewer fraction digits says how many no
//! format can do without. Then by variable: digits are taken away from one variable after the other as long as the bound
//! stays within the error. Every choice is analysed like any other format: that is the proof.
//!
//! Integer C has the fraction digits that its shifts give it. There the question is how wide its variables have to be.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use clew_ir::syntax::{Program, Type, TypeId};

use crate::begin::variable_type;
use crate::bound::{Effort, bounds};
use crate::format::Format;
use crate::interval::Interval;
use crate::journal::Journal;
use crate::reach::{Runs, Tries, runs};
use crate::setup::{Kept, Setup, Variable, name_of};

/// The longest part that is tried.
const MOST: u16 = 36;

/// Analyses that the choice by variable may take.
const MOST_TRIES: usize = 300;

/// Formats and why they are the ones.
#[derive(Clone, PartialEq, Debug)]
pub struct Fitted {
    /// One format for all floats; none for integer C.
    pub format: Option<String>,
    /// The largest error of a result in it.
    pub bound: f64,
    /// Operations that are proved to fit.
    pub proved: usize,
    /// With this many fraction digits a run exceeds the error, so that no format has fewer than one more.
    pub too_few: Option<TooFew>,
    /// By variable: shorter where that keeps the error, too; for integer C the width it needs.
    pub variables: Vec<Chosen>,
    /// The largest error with formats by variable.
    pub bound_by_variable: f64,
}

/// A variable's format.
#[derive(Clone, PartialEq, Debug)]
pub struct Chosen {
    /// `x`, or `f.x` where several have the name.
    pub name: String,
    /// The format.
    pub format: String,
    /// Digits in all, with the sign.
    pub digits: u16,
}

/// Why fewer digits do not do.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TooFew {
    /// Fraction digits.
    pub fraction: u16,
    /// The error that is reached with them.
    pub reached: f64,
}

/// Finds the shortest formats.
///
/// # Errors
/// Why there are none.
pub fn fit(
    program: &Program,
    setup: &Setup,
    error: f64,
    effort: Effort,
    tries: Tries,
) -> Result<Fitted, String> {
    let search = Fit { program, setup, error, effort };
    let has_integers = setup.kept.values().any(|kept| matches!(kept, Kept::Quantity { .. }));
    match setup.all {
        Some(template) => search.floats(template, tries),
        None if has_integers => search.integers(),
        None => {
            let all = "it needs ALL in some format to begin with (--fixed ALL=s7.8)";
            Err(format!("--fit chooses the formats of all floats: {all}"))
        }
    }
}

struct Fit<'a> {
    program: &'a Program,
    setup: &'a Setup,
    error: f64,
    effort: Effort,
}

impl Fit<'_> {
    fn with(&self, format: Format) -> Setup {
        Setup { all: Some(format), ..self.setup.clone() }
    }

    /// What is proved with a setup, if its errors are small enough and nothing overflows.
    fn proved(&self, setup: &Setup) -> Option<(Journal, f64)> {
        let journal = bounds(self.program, setup, self.effort).best.ok()?;
        let bound = worst(self.program, self.setup, &journal);
        let fits = journal.sites.values().all(|site| !site.may);
        (bound <= self.error && fits).then_some((journal, bound))
    }

    fn floats(&self, template: Format, tries: Tries) -> Result<Fitted, String> {
        let mut found = None;
        let mut why = String::new();
        for fraction in 0..=MOST {
            let wide = self.with(Format { integer: MOST, fraction, ..template });
            match bounds(self.program, &wide, self.effort).best {
                Ok(journal) if worst(self.program, self.setup, &journal) <= self.error => {
                    found = Some((fraction, journal));
                    break;
                }
                Ok(_) => {
                    why = format!(
                        "even with {fraction} fraction digits the error is not proved to be within {}",
                        self.error
                    );
                }
                Err(stop) => {
                    why = format!("{}: {}", self.program.sources.place(stop.span), stop.why);
                }
            }
        }
        let Some((fraction, journal)) = found else { return Err(why) };
        let holds = |integer: &u16| {
            let format = Format { integer: *integer, fraction, ..template };
            journal.sites.values().all(|site| format.range().encloses(site.before.machine))
        };
        let least = (0..=MOST).find(holds).ok_or("no format holds all values")?;
        // The values of a narrower format may differ: what is chosen is proved for itself.
        for integer in least..=MOST {
            let format = Format { integer, fraction, ..template };
            let Some((journal, bound)) = self.proved(&self.with(format)) else { continue };
            let too_few = (0..fraction).rev().find_map(|fewer| {
                let wide = self.with(Format { integer: MOST, fraction: fewer, ..template });
                let reached = most(self.program, self.setup, &runs(self.program, &wide, tries));
                (reached > self.error).then_some(TooFew { fraction: fewer, reached })
            });
            let (variables, bound_by_variable) = self.by_variable(format, &journal, bound);
            return Ok(Fitted {
                format: Some(format.to_string()),
                bound,
                proved: journal.sites.len(),
                too_few,
                variables,
                bound_by_variable,
            });
        }
        Err("no format lets nothing overflow".to_owned())
    }

    /// Takes digits away from one variable after the other.
    fn by_variable(&self, all: Format, journal: &Journal, bound: f64) -> (Vec<Chosen>, f64) {
        let variables = self.floats_of(journal);
        let mut setup = self.with(all);
        for variable in &variables {
            setup.kept.insert(*variable, Kept::Fixed(all));
        }
        let (mut left, mut bound) = (MOST_TRIES, bound);
        for variable in &variables {
            for is_fraction in [true, false] {
                while let Some(Kept::Fixed(format)) = setup.kept.get(variable) {
                    let mut shorter = *format;
                    let digits = if is_fraction { &mut shorter.fraction } else { &mut shorter.integer };
                    if *digits == 0 || left == 0 {
                        break;
                    }
                    *digits -= 1;
                    if shorter.integer + shorter.fraction == 0 {
                        break;
                    }
                    left -= 1;
                    let mut tried = setup.clone();
                    tried.kept.insert(*variable, Kept::Fixed(shorter));
                    let Some((_, smaller)) = self.proved(&tried) else { break };
                    (setup, bound) = (tried, smaller);
                }
            }
        }
        let chosen = |variable: &Variable| match setup.kept.get(variable) {
            Some(Kept::Fixed(format)) => Some(Chosen {
                name: self.name(*variable, &variables),
                format: format.to_string(),
                digits: format.integer + format.fraction + u16::from(format.signed),
            }),
            _ => None,
        };
        (variables.iter().filter_map(chosen).collect(), bound)
    }

    /// The variables with floats that were written or read.
    fn floats_of(&self, journal: &Journal) -> Vec<Variable> {
        let is_float = |ty: TypeId| matches!(self.program.types[scalar(self.program, ty)], Type::Float(_));
        self.named(journal, is_float)
    }

    /// Named variables of the entry, of what it calls, and globals, of a type, that the journal speaks of.
    fn named(&self, journal: &Journal, is_it: impl Fn(TypeId) -> bool) -> Vec<Variable> {
        let names: BTreeSet<&str> =
            journal.rows.keys().map(|(_, name)| name.split(['[', '.', ' ']).next().unwrap_or(name)).collect();
        let mut found: Vec<Variable> =
            self.program.globals.iter_enumerated().map(|(id, _)| Variable::Global(id)).collect();
        for (id, function) in self.program.functions.iter_enumerated() {
            let is_reached = id == self.setup.entry || journal.called.contains(&function.source_name);
            let Some(body) = function.body.as_ref().filter(|_| is_reached) else { continue };
            let named = body.locals.iter_enumerated().filter(|(_, local)| local.name.is_some());
            found.extend(named.map(|(local, _)| Variable::Local(id, local)));
        }
        found.retain(|variable| {
            variable_type(self.program, *variable).is_some_and(&is_it)
                && names.contains(name_of(self.program, *variable).as_str())
        });
        found
    }

    fn name(&self, variable: Variable, among: &[Variable]) -> String {
        let name = name_of(self.program, variable);
        let is_one = among.iter().filter(|other| name_of(self.program, **other) == name).count() == 1;
        match variable {
            Variable::Local(function, _) if !is_one => {
                format!("{}.{name}", self.program.functions[function].source_name)
            }
            _ => name,
        }
    }

    /// How wide the variables of integer C have to be.
    fn integers(&self) -> Result<Fitted, String> {
        let journal = bounds(self.program, self.setup, self.effort)
            .best
            .map_err(|stop| format!("{}: {}", self.program.sources.place(stop.span), stop.why))?;
        let bound = worst(self.program, self.setup, &journal);
        if bound > self.error {
            return Err(format!(
                "errors are at most {bound}, and that is not within {}: integers have the digits that the program's shifts give them",
                self.error
            ));
        }
        if let Some(span) = journal.sites.iter().find(|(_, site)| site.may).map(|(span, _)| *span) {
            return Err(format!("{}: a value may overflow already", self.program.sources.place(span)));
        }
        let is_integer =
            |ty: TypeId| matches!(self.program.types[scalar(self.program, ty)], Type::Int { .. });
        let variables = self.named(&journal, is_integer);
        // Rows know names, not variables: those of one name are as wide as the widest.
        let mut values: BTreeMap<Arc<str>, Interval> = BTreeMap::new();
        for ((_, name), seen) in &journal.rows {
            let plain: Arc<str> = name.split(['[', '.', ' ']).next().unwrap_or(name).into();
            values.entry(plain).and_modify(|all| *all = all.hull(seen.machine)).or_insert(seen.machine);
        }
        let chosen = |variable: &Variable| {
            let fraction = match self.setup.kept.get(variable) {
                Some(Kept::Quantity { fraction }) => *fraction,
                _ => 0,
            };
            let machine = *values.get(name_of(self.program, *variable).as_str())?;
            let signed = machine.lo < 0.0;
            let holds = |digits: &u16| {
                let integer = digits.checked_sub(fraction);
                let format = integer.map(|integer| Format::binary(signed, integer, fraction));
                format.is_some_and(|format| format.range().encloses(machine))
            };
            let digits = (fraction.max(1)..=64).find(holds)?;
            let format = Format::binary(signed, digits - fraction, fraction);
            let digits = digits + u16::from(signed);
            Some(Chosen { name: self.name(*variable, &variables), format: format.to_string(), digits })
        };
        let variables: Vec<Chosen> = variables.iter().filter_map(chosen).collect();
        let proved = journal.sites.len();
        Ok(Fitted { format: None, bound, proved, too_few: None, variables, bound_by_variable: bound })
    }
}

/// The scalar of an array or behind a pointer.
fn scalar(program: &Program, ty: TypeId) -> TypeId {
    match program.types[ty] {
        Type::Array { element, .. } | Type::Pointer(element) => scalar(program, element),
        _ => ty,
    }
}

/// Whether a row is a result: what is returned, else any variable but the inputs.
pub(crate) fn is_result(program: &Program, setup: &Setup, name: &str, has_return: bool) -> bool {
    if has_return {
        return name == "return";
    }
    let is_input = |variable: Variable| {
        let input = name_of(program, variable);
        name == input || name == format!("{input}[]") || name == format!("{input} at the start")
    };
    !setup.inputs.iter().any(|input| is_input(input.variable))
}

fn worst(program: &Program, setup: &Setup, journal: &Journal) -> f64 {
    let ends = || journal.rows.iter().filter(|(key, _)| key.0.is_none());
    let has_return = ends().any(|(key, _)| &*key.1 == "return");
    if journal.unclear.keys().any(|key| key.0.is_none() && is_result(program, setup, &key.1, has_return)) {
        return f64::INFINITY;
    }
    ends()
        .filter(|(key, _)| is_result(program, setup, &key.1, has_return))
        .map(|(_, seen)| if seen.error == Interval::ZERO { 0.0 } else { seen.error.magnitude() })
        .fold(0.0, f64::max)
}

fn most(program: &Program, setup: &Setup, runs: &Runs) -> f64 {
    let has_return = runs.reached.contains_key("return");
    let results = runs.reached.iter().filter(|(name, _)| is_result(program, setup, name, has_return));
    results.map(|(_, reached)| reached.error).fold(0.0, f64::max)
}

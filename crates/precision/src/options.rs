// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a user may say of inputs and effort.

use crate::interval::Interval;
use crate::model::Model;

/// What a user may say.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Ranges by name; `a` is said of every `a[i]`.
    pub ranges: Vec<(String, Interval)>,
    /// Errors that inputs come with, by name; no name is said of all.
    pub errors: Vec<(Option<String>, f64)>,
    /// Inputs are reals that are rounded to floats, rather than floats.
    pub rounds_inputs: bool,
    /// Known numbers are not computed on the way: the model of paper 000 looks at every operation.
    pub keeps_operations: bool,
    /// The interval-real model that properties are judged in.
    pub model: Model,
    /// Every result is to be as stable as this.
    pub stable: Option<f64>,
    /// Where there are too many paths, ways are joined where they meet. No referee has judged those bounds yet.
    pub joins: bool,
    /// Inputs that come close to the bound are not looked for.
    pub no_search: bool,
    /// Relative errors and ulps are not bounded.
    pub absolute_only: bool,
    /// Points of the error along the first input; 0 for none.
    pub profiles: usize,
    /// Work for one bound, as evaluated operations; 0 is the default.
    pub effort: u64,
}

impl Options {
    /// What was said of the range of an input.
    pub fn range_of(&self, name: &str) -> Option<Interval> {
        let exact = self.ranges.iter().find(|(known, _)| known == name);
        exact.or_else(|| self.ranges.iter().find(|(known, _)| known == base(name))).map(|(_, range)| *range)
    }

    /// What was said of the error of an input.
    pub fn error_of(&self, name: &str) -> f64 {
        let is_meant = |known: &Option<String>| {
            known.as_deref().is_none_or(|known| known == name || known == base(name))
        };
        self.errors.iter().filter(|(known, _)| is_meant(known)).map(|(_, error)| *error).fold(0.0, f64::max)
    }
}

/// The array that an element is of.
fn base(name: &str) -> &str {
    name.split(['[', '.', '#']).next().unwrap_or(name)
}

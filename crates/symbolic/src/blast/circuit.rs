// SPDX-License-Identifier: MIT OR Apache-2.0
//! The circuit of one term, to be run on values: how the bit-blasting is judged without a solver.

use crate::blast::Blaster;
use crate::blast::gates::Lit;
use crate::blast::word::Word;
use crate::term::{TermId, Terms};

/// A circuit with chosen inputs.
pub struct Circuit {
    blaster: Blaster,
    widths: Vec<u32>,
    output: Word,
}

impl Circuit {
    /// How many assignments [`Circuit::run`] takes at once.
    pub const LANES: usize = 64;

    /// The circuit of a bit-vector term over bit-vector variables, which must be all that it has.
    pub fn new(terms: &Terms, root: TermId, variables: &[TermId]) -> Circuit {
        let mut blaster = Blaster::default();
        let mut word = |term: TermId| blaster.word(terms, term, usize::MAX).unwrap_or_default();
        // Variables first, so that inputs are numbered in their order.
        for &variable in variables {
            word(variable);
        }
        let output = word(root);
        let widths = variables.iter().map(|&variable| terms.width(variable)).collect();
        Circuit { blaster, widths, output }
    }

    /// How many gates there are, inputs included.
    pub fn gates(&self) -> usize {
        self.blaster.gates.len()
    }

    /// The term's values for up to 64 assignments, each with a value for every variable in order.
    pub fn run<const N: usize>(&self, assignments: &[[u128; N]]) -> Vec<u128> {
        debug_assert!(assignments.len() <= Circuit::LANES && self.widths.len() <= N);
        let mut inputs = Vec::new();
        for (variable, &width) in self.widths.iter().enumerate() {
            for bit in 0..width {
                let lanes = assignments.iter().enumerate();
                inputs.push(lanes.fold(0u64, |word, (lane, values)| {
                    word | ((values[variable] >> bit & 1) as u64) << lane
                }));
            }
        }
        let outputs = self.blaster.gates.run(&inputs);
        let bit = |lit: Lit, lane: usize| (outputs[lit.gate()] >> lane & 1 == 1) != lit.is_negated();
        let value = |lane: usize| {
            let places = self.output.iter().enumerate();
            places.fold(0u128, |value, (place, &lit)| value | u128::from(bit(lit, lane)) << place)
        };
        (0..assignments.len()).map(value).collect()
    }
}

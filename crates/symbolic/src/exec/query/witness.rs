// SPDX-License-Identifier: MIT OR Apache-2.0
//! From a model of a query to the inputs of a run.

use clew_ir::witness::{Input, PROGRAM, VERSION, Witness};

use crate::exec::record::input::{Read, Shape, show_text};
use crate::exec::record::text::Texts;
use crate::exec::transfer::arguments::USUAL_NAME;
use crate::term::evaluate::{Model, evaluate};
use crate::term::{TermId, Terms};

/// The inputs that a run reads, in its order.
pub(crate) fn witness(terms: &Terms, reads: &[Read], model: &Model) -> Witness {
    let roots = reads.iter().flat_map(|read| std::iter::once(&read.guard).chain(&read.terms));
    let roots: Vec<TermId> = roots.copied().collect();
    let values = evaluate(terms, model, &roots);
    let mut values = values.iter().map(|value| value.bits());
    let mut inputs = Vec::new();
    let mut texts = Texts::default();
    for read in reads {
        let is_read = values.next() == Some(1);
        let own: Vec<u128> = values.by_ref().take(read.terms.len()).collect();
        if !is_read {
            continue;
        }
        if let Shape::TextSegment(segment) = read.shape {
            texts.append(read, segment, &own);
            continue;
        }
        let (bits, value) = read.shape.show(&own);
        // Programs have this name unless something else is said.
        if read.name == PROGRAM && bits == show_text(USUAL_NAME).0 {
            continue;
        }
        let (kind, name) = (read.kind, read.name.clone());
        inputs.push(Input { kind, name, bits: Some(bits), value: Some(value) });
    }
    inputs.extend(texts.into_inputs());
    Witness { version: VERSION, inputs, goes_on_after: Vec::new() }
}

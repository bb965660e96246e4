// SPDX-License-Identifier: MIT OR Apache-2.0
//! Obligations after checks were taken out.

use clew_base::index::{Idx, IndexVec};

use crate::syntax::{Body, ObligationId, StatementKind};

/// Obligations in the order their checks stand, without those that no check names.
pub fn renumber_obligations(body: &mut Body) {
    let old = std::mem::take(&mut body.obligations);
    let mut old: Vec<Option<_>> = old.into_iter().map(Some).collect();
    let mut moved: Vec<Option<ObligationId>> = vec![None; old.len()];
    let mut new = IndexVec::new();
    let mut take = |id: ObligationId| -> ObligationId {
        if let Some(known) = moved[id.index()] {
            return known;
        }
        match old[id.index()].take() {
            Some(obligation) => {
                let at = new.push(obligation);
                moved[id.index()] = Some(at);
                at
            }
            None => id,
        }
    };
    for block in body.blocks.iter_mut() {
        for statement in &mut block.statements {
            match &mut statement.kind {
                StatementKind::Check { first, count } => {
                    let start = *first;
                    *first = take(start);
                    for offset in 1..*count {
                        take(ObligationId(start.0 + offset));
                    }
                }
                StatementKind::Unordered { obligation, .. } => *obligation = take(*obligation),
                _ => {}
            }
        }
    }
    body.obligations = new;
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! From where on no run comes to an obligation of a group any more: there is nothing left to execute for.
//!
//! What is not known to lead nowhere counts as leading to all of them: calls through pointers and of functions without a
//! body, assembler, what is not supported.

use std::collections::{BTreeMap, BTreeSet};

use clew_base::index::Idx;
use clew_ir::analysis::graph::reached_behind;
use clew_ir::syntax::{BlockId, Callee, FuncId, ObligationId, Statement, StatementKind, Terminator};

use super::effects::KnownEffect;
use super::survey::Survey;

/// The first statement of a block from which on nothing is left.
pub(crate) type Over = BTreeMap<(FuncId, BlockId), u32>;

/// From where on no run comes to these obligations.
pub(crate) fn over(survey: &Survey<'_>, group: &BTreeSet<(FuncId, ObligationId)>) -> Over {
    let leading = leading(survey, group);
    let search = Search { survey, group, leading };
    let ends: BTreeMap<FuncId, BTreeMap<BlockId, Ahead>> =
        survey.functions.iter().map(|function| (*function, search.ahead(*function))).collect();
    let waited_for = search.waited_for(&ends);
    let mut found = Over::new();
    for (function, blocks) in &ends {
        if !waited_for.contains(function) {
            let over = blocks.iter().filter(|(_, ahead)| !ahead.behind);
            found.extend(over.map(|(block, ahead)| ((*function, *block), ahead.last)));
        }
    }
    found
}

/// Functions in which, or in whose calls, an obligation of the group may stand.
fn leading(survey: &Survey<'_>, group: &BTreeSet<(FuncId, ObligationId)>) -> BTreeSet<FuncId> {
    let mut search = Search { survey, group, leading: BTreeSet::new() };
    loop {
        let before = search.leading.len();
        for function in &survey.functions {
            let Some(body) = survey.body(*function) else { continue };
            let is_led = body.blocks.iter().any(|block| {
                matches!(block.terminator, Terminator::ComputedGoto { .. })
                    || block.statements.iter().any(|statement| search.leads(*function, statement))
            });
            if is_led {
                search.leading.insert(*function);
            }
        }
        if search.leading.len() == before {
            return search.leading;
        }
    }
}

/// What lies ahead of a run in a block.
struct Ahead {
    /// The number of statements up to the last that leads to an obligation.
    last: u32,
    /// Whether a later block does.
    behind: bool,
}

struct Search<'a, 'p> {
    survey: &'a Survey<'p>,
    group: &'a BTreeSet<(FuncId, ObligationId)>,
    leading: BTreeSet<FuncId>,
}

impl Search<'_, '_> {
    fn leads(&self, function: FuncId, statement: &Statement) -> bool {
        match &statement.kind {
            StatementKind::Check { first, count } => {
                let mut ids = first.index()..first.index() + *count as usize;
                ids.any(|id| self.group.contains(&(function, ObligationId::new(id))))
            }
            StatementKind::Unordered { obligation, .. } => self.group.contains(&(function, *obligation)),
            StatementKind::Call(call) => match call.callee {
                Callee::Indirect(_) => true,
                Callee::Direct(callee) => {
                    let body = self.survey.body(function);
                    let known = body.and_then(|body| KnownEffect::of_call(self.survey, body, callee, call));
                    known.is_none() && (self.survey.body(callee).is_none() || self.leading.contains(&callee))
                }
            },
            StatementKind::Assembler { .. } | StatementKind::Unsupported { .. } => true,
            _ => false,
        }
    }

    fn last(&self, function: FuncId, statements: &[Statement]) -> u32 {
        let last = statements.iter().rposition(|statement| self.leads(function, statement));
        last.map_or(0, |last| last as u32 + 1)
    }

    fn ahead(&self, function: FuncId) -> BTreeMap<BlockId, Ahead> {
        let Some(body) = self.survey.body(function) else { return BTreeMap::new() };
        let lasts: Vec<u32> =
            body.blocks.iter().map(|block| self.last(function, &block.statements)).collect();
        let ahead = body.blocks.indices().map(|block| {
            let behind = reached_behind(body, block).iter().any(|later| lasts[later.index()] > 0);
            let is_odd = matches!(body.blocks[block].terminator, Terminator::ComputedGoto { .. });
            (block, Ahead { last: lasts[block.index()], behind: behind || is_odd })
        });
        ahead.collect()
    }

    /// Functions that may return to where an obligation lies ahead.
    fn waited_for(&self, ends: &BTreeMap<FuncId, BTreeMap<BlockId, Ahead>>) -> BTreeSet<FuncId> {
        // Nobody knows who calls through a pointer.
        let mut found = self.survey.taken.clone();
        loop {
            let before = found.len();
            for (function, blocks) in ends {
                let Some(body) = self.survey.body(*function) else { continue };
                for (block, ahead) in blocks {
                    for (index, statement) in (1..).zip(&body.blocks[*block].statements) {
                        let StatementKind::Call(call) = &statement.kind else { continue };
                        let Callee::Direct(callee) = call.callee else { continue };
                        if ahead.behind || ahead.last > index || found.contains(function) {
                            found.insert(callee);
                        }
                    }
                }
            }
            if found.len() == before {
                return found;
            }
        }
    }
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! Definite assignment: a check that a register has a value is dropped where every way there assigns it.
//!
//! A forward analysis over the blocks; a set holds the suspicious registers that are surely assigned. A check counts
//! as an assignment, so that a use is reported once.

use clew_base::index::{Idx, IndexVec};
use clew_ir::analysis::graph::successors;
use clew_ir::obligation::Condition;
use clew_ir::syntax::{BlockId, Body, CallResult, LocalId, Statement, StatementKind};
use rustc_hash::{FxHashMap, FxHashSet};

use super::build::OpenBlock;

pub(super) fn drop_needless_checks(
    blocks: &mut IndexVec<BlockId, OpenBlock>,
    body: &mut Body,
    suspicious: &FxHashSet<LocalId>,
) {
    if suspicious.is_empty() {
        return;
    }
    let mut locals: Vec<LocalId> = suspicious.iter().copied().collect();
    locals.sort();
    let numbers: FxHashMap<LocalId, usize> = locals.iter().enumerate().map(|(n, l)| (*l, n)).collect();
    let analysis = Analysis { numbers, body, words: locals.len().div_ceil(64) };
    let entry = analysis.fixpoint(blocks);
    for (id, block) in blocks.iter_enumerated_mut() {
        let Some(mut assigned) = entry[id.index()].clone() else { continue };
        block.statements.retain(|statement| {
            let needless = analysis.checked(statement).is_some_and(|n| assigned.has(n));
            analysis.step(statement, &mut assigned);
            !needless
        });
    }
}

#[derive(Clone, PartialEq)]
struct Set(Vec<u64>);

impl Set {
    fn has(&self, n: usize) -> bool {
        self.0[n / 64] >> (n % 64) & 1 == 1
    }

    fn insert(&mut self, n: usize) {
        self.0[n / 64] |= 1 << (n % 64);
    }

    fn remove(&mut self, n: usize) {
        self.0[n / 64] &= !(1 << (n % 64));
    }

    /// Keeps what both have; says whether that changed anything.
    fn meet(&mut self, other: &Set) -> bool {
        let mut changed = false;
        for (own, other) in self.0.iter_mut().zip(&other.0) {
            changed |= *own & other != *own;
            *own &= other;
        }
        changed
    }
}

struct Analysis<'a> {
    numbers: FxHashMap<LocalId, usize>,
    body: &'a Body,
    words: usize,
}

impl Analysis<'_> {
    /// What is assigned at the start of each block; `None` where no way leads.
    fn fixpoint(&self, blocks: &IndexVec<BlockId, OpenBlock>) -> Vec<Option<Set>> {
        let mut entry: Vec<Option<Set>> = vec![None; blocks.len()];
        entry[0] = Some(Set(vec![0; self.words]));
        let mut work = vec![BlockId(0)];
        while let Some(id) = work.pop() {
            let Some(mut assigned) = entry[id.index()].clone() else { continue };
            for statement in &blocks[id].statements {
                self.step(statement, &mut assigned);
            }
            let Some((terminator, _)) = &blocks[id].terminator else { continue };
            for successor in successors(terminator) {
                let changed = match &mut entry[successor.index()] {
                    Some(known) => known.meet(&assigned),
                    unknown => {
                        *unknown = Some(assigned.clone());
                        true
                    }
                };
                if changed {
                    work.push(successor);
                }
            }
        }
        entry
    }

    /// The register that a statement checks, if that is all it does.
    fn checked(&self, statement: &Statement) -> Option<usize> {
        let StatementKind::Check { first, count: 1 } = statement.kind else { return None };
        match self.body.obligations[first].condition {
            Condition::InitialisedLocal(local) => self.numbers.get(&local).copied(),
            _ => None,
        }
    }

    fn step(&self, statement: &Statement, assigned: &mut Set) {
        let number = |local: &LocalId| self.numbers.get(local).copied();
        match &statement.kind {
            StatementKind::Assign { local, .. } | StatementKind::Load { local, .. } => {
                number(local).into_iter().for_each(|n| assigned.insert(n));
            }
            StatementKind::StorageLive { local, .. } => {
                number(local).into_iter().for_each(|n| assigned.remove(n));
            }
            StatementKind::Call(call) => {
                if let Some(CallResult::Local(local)) = &call.result {
                    number(local).into_iter().for_each(|n| assigned.insert(n));
                }
            }
            StatementKind::Assembler { registers, .. } => {
                registers.iter().filter_map(number).for_each(|n| assigned.insert(n));
            }
            StatementKind::Check { .. } => {
                self.checked(statement).into_iter().for_each(|n| assigned.insert(n));
            }
            _ => {}
        }
    }
}

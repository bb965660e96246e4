// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which registers are kept in one octagon (paper 004, 7.2.1): floats that occur together in an assignment or a test.
//!
//! The paper takes the variables of a syntactic block. A control-flow graph has none, so packs grow from statement to
//! statement of a function as long as they stay small: the cost of an octagon is the cube of its size. Registers that
//! are loaded from one place belong together, because they may be equal.

use std::collections::BTreeSet;
use std::sync::Arc;

use clew_base::float::Format;
use clew_base::index::{Idx, IndexVec};
use clew_base::index_types;
use clew_ir::syntax::{BlockId, Body, ExprId, ExprKind, LocalId, Place, PlaceBase, StatementKind, Storage};
use clew_ir::types::{Class, Types};
use rustc_hash::FxHashMap;

use crate::effort::octagon_packing::MOST_VARIABLES;
use crate::map::handle_keys;
use crate::program::flow::{Registers, liveness_with};

/// A place, and the registers that are loaded from it.
type Loads<'a> = (&'a Place, Vec<LocalId>);

index_types! {
    /// A pack of a function.
    PackId = "pack";
}
handle_keys!(PackId);

/// The packs of a function.
#[derive(Default)]
pub struct Packs {
    /// Whether there are floats in registers at all.
    pub floats: bool,
    packs: Vec<Arc<[LocalId]>>,
    of: FxHashMap<LocalId, Vec<PackId>>,
    /// Registers whose value stands at a place that is loaded again later on, at the start of each block. What is known
    /// of such a register is known of what is loaded, as long as the place was not written.
    pub reloaded: Option<IndexVec<BlockId, Registers>>,
}

impl Packs {
    /// Looks at a body. Without octagons there are no packs.
    pub fn new(types: &Types<'_>, body: &Body, octagons: bool) -> Packs {
        let is_float = |local: LocalId| {
            let info = &body.locals[local];
            let format = match types.class(info.ty) {
                Class::Float(format) => Some(format),
                _ => None,
            };
            info.storage == Storage::Register && matches!(format, Some(Format::F32 | Format::F64))
        };
        if !body.locals.iter_enumerated().any(|(local, _)| is_float(local)) {
            return Packs::default();
        }
        if !octagons {
            return Packs { floats: true, ..Packs::default() };
        }
        let floats_of = |roots: &[ExprId]| {
            let nodes = roots.iter().flat_map(|root| body.expr_nodes(*root));
            let locals = nodes.filter_map(|node| match body.exprs[node].kind {
                ExprKind::Local(local) if is_float(local) => Some(local),
                _ => None,
            });
            locals.collect::<Vec<LocalId>>()
        };
        let mut groups: Vec<Vec<LocalId>> = Vec::new();
        let mut loads: FxHashMap<(bool, u32), Vec<Loads<'_>>> = FxHashMap::default();
        for statement in body.blocks.iter().flat_map(|block| &block.statements) {
            match &statement.kind {
                StatementKind::Assign { local, value } if is_float(*local) => {
                    let mut group = floats_of(&[*value]);
                    group.push(*local);
                    groups.push(group);
                }
                StatementKind::Load { local, place, flags } if is_float(*local) && !flags.volatile => {
                    let base = match place.base {
                        PlaceBase::Global(global) => (true, global.0),
                        PlaceBase::Local(local) => (false, local.0),
                        PlaceBase::Deref(_) => continue,
                    };
                    let loads = loads.entry(base).or_default();
                    match loads.iter_mut().find(|(other, _)| **other == **place) {
                        Some((_, locals)) => locals.push(*local),
                        None => loads.push((place, vec![*local])),
                    }
                }
                _ => {}
            }
        }
        for node in body.exprs.iter() {
            if let ExprKind::Compare(_, left, right) = node.kind {
                groups.push(floats_of(&[left, right]));
            }
        }
        let mut loads: Vec<Vec<LocalId>> = loads.into_values().flatten().map(|(_, locals)| locals).collect();
        loads.retain(|locals| locals.len() > 1);
        loads.sort_unstable();
        groups.extend(loads.iter().cloned());
        let mut packs = Packs { floats: true, ..Packs::default() };
        packs.build(groups);
        if !packs.packs.is_empty() && !loads.is_empty() {
            packs.reloaded = Some(reloaded(body, &loads));
        }
        packs
    }

    /// Without those that are not wanted.
    #[must_use]
    pub fn only(mut self, wanted: Option<&BTreeSet<u32>>) -> Packs {
        let Some(wanted) = wanted else { return self };
        self.of.values_mut().for_each(|packs| packs.retain(|pack| wanted.contains(&pack.0)));
        if self.of.values().all(Vec::is_empty) {
            self.reloaded = None;
        }
        self
    }

    fn build(&mut self, groups: Vec<Vec<LocalId>>) {
        let mut packs: Vec<Vec<LocalId>> = Vec::new();
        for mut group in groups {
            group.sort_unstable();
            group.dedup();
            if group.len() < 2 || group.len() > MOST_VARIABLES {
                continue;
            }
            // Every pack that has one of these and leaves room becomes one with them.
            packs.retain(|pack| {
                let together = union(pack, &group);
                let joins =
                    pack.iter().any(|local| group.contains(local)) && together.len() <= MOST_VARIABLES;
                if joins {
                    group = together;
                }
                !joins
            });
            packs.push(group);
        }
        for (number, pack) in packs.into_iter().enumerate() {
            for local in &pack {
                self.of.entry(*local).or_default().push(PackId(number as u32));
            }
            self.packs.push(pack.into());
        }
    }

    /// The packs that a register is in.
    pub fn of(&self, local: LocalId) -> &[PackId] {
        self.of.get(&local).map_or(&[], Vec::as_slice)
    }

    /// The packs that some of these registers are in.
    pub fn of_any(&self, locals: impl Iterator<Item = LocalId>) -> Vec<PackId> {
        let mut packs: Vec<PackId> = locals.flat_map(|local| self.of(local)).copied().collect();
        packs.sort_unstable();
        packs.dedup();
        packs
    }

    /// The registers of a pack.
    pub fn vars(&self, pack: PackId) -> &Arc<[LocalId]> {
        &self.packs[pack.index()]
    }
}

fn union(a: &[LocalId], b: &[LocalId]) -> Vec<LocalId> {
    let mut all: Vec<LocalId> = a.iter().chain(b).copied().collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// A load reads the registers that were loaded from the same place before.
fn reloaded(body: &Body, loads: &[Vec<LocalId>]) -> IndexVec<BlockId, Registers> {
    let mut fellows: FxHashMap<LocalId, &Vec<LocalId>> = FxHashMap::default();
    for locals in loads {
        for local in locals {
            fellows.insert(*local, locals);
        }
    }
    liveness_with(body, &|statement, each| {
        if let StatementKind::Load { local, .. } = &statement.kind {
            fellows.get(local).into_iter().flat_map(|locals| locals.iter()).for_each(|fellow| each(*fellow));
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(locals: &[u32]) -> Vec<LocalId> {
        locals.iter().map(|local| LocalId(*local)).collect()
    }

    #[test]
    fn what_occurs_together_is_in_one_pack() {
        let mut packs = Packs::default();
        packs.build(vec![group(&[3, 1, 2]), group(&[7]), group(&[4, 2]), group(&[8, 9]), group(&[5, 4])]);
        assert_eq!(
            packs.packs.iter().map(|pack| pack.to_vec()).collect::<Vec<_>>(),
            [group(&[8, 9]), group(&[1, 2, 3, 4, 5])]
        );
        assert_eq!(packs.of(LocalId(4)), [PackId(1)]);
        assert!(packs.of(LocalId(7)).is_empty());
    }

    #[test]
    fn packs_stay_small() {
        let mut packs = Packs::default();
        packs.build((0..40).map(|local| group(&[local, local + 1])).collect());
        assert!(packs.packs.len() > 3 && packs.packs.iter().all(|pack| pack.len() <= MOST_VARIABLES));
    }
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which variables of a function get what others held: `y = x` makes a sum `a x - b y` a filter.
//!
//! Read off the text alone, so that a filter is known in the first iteration of its loop, when it still starts where the program
//! says. It only decides what is looked at: nothing is believed because of it.

use clew_ir::syntax::{Body, ExprId, ExprKind, LocalId, Place, PlaceBase, Projection, StatementKind};
use clew_ir::types::Types;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::effort::shifts::MOST_COPIES;

/// A register or a place, told apart by how it is written.
type Name = Vec<u64>;

/// The copies of floats in a function.
#[derive(Default)]
pub struct Shifts {
    copies: FxHashMap<Name, FxHashSet<Name>>,
    loaded: FxHashMap<LocalId, Vec<Name>>,
}

impl Shifts {
    /// Those of a body.
    pub fn new(body: &Body, types: &Types<'_>) -> Shifts {
        let mut shifts = Shifts::default();
        for statement in body.blocks.iter().flat_map(|block| &block.statements) {
            match &statement.kind {
                StatementKind::Load { local, place, .. } if types.float_format(place.ty).is_some() => {
                    let Some(from) = name(body, place) else { continue };
                    shifts.copies.entry(from.clone()).or_default().insert(register(*local));
                    shifts.loaded.entry(*local).or_default().push(from);
                }
                StatementKind::Store { place, value, .. } if types.float_format(place.ty).is_some() => {
                    let (Some(to), Some(from)) = (name(body, place), local(body, *value)) else { continue };
                    shifts.copies.entry(register(from)).or_default().insert(to);
                }
                StatementKind::Assign { local: to, value } => {
                    if types.float_format(body.locals[*to].ty).is_some()
                        && let Some(from) = local(body, *value)
                    {
                        shifts.copies.entry(register(from)).or_default().insert(register(*to));
                    }
                }
                _ => {}
            }
        }
        shifts
    }

    /// Whether what the one register was read from, or it itself, is copied to what the other was read from.
    pub fn is_copied(&self, from: LocalId, to: LocalId) -> bool {
        let goals: Vec<&Name> = self.loaded.get(&to).into_iter().flatten().collect();
        let own = register(to);
        let is_goal = |name: &Name| goals.contains(&name) || goals.is_empty() && *name == own;
        let mut reached: FxHashSet<Name> = self.loaded.get(&from).into_iter().flatten().cloned().collect();
        if reached.is_empty() {
            reached.insert(register(from));
        }
        for _ in 0..MOST_COPIES {
            let next: FxHashSet<Name> =
                reached.iter().filter_map(|name| self.copies.get(name)).flatten().cloned().collect();
            if next.iter().any(is_goal) {
                return true;
            }
            reached = next;
        }
        false
    }
}

fn register(local: LocalId) -> Name {
    vec![0, u64::from(local.0)]
}

fn local(body: &Body, expr: ExprId) -> Option<LocalId> {
    match body.exprs[expr].kind {
        ExprKind::Local(local) => Some(local),
        _ => None,
    }
}

fn name(body: &Body, place: &Place) -> Option<Name> {
    let mut name = match place.base {
        PlaceBase::Local(local) => vec![1, u64::from(local.0)],
        PlaceBase::Global(global) => vec![2, u64::from(global.0)],
        PlaceBase::Deref(pointer) => vec![3, u64::from(local(body, pointer)?.0)],
    };
    for projection in &place.projections {
        match projection {
            Projection::Field { record, field } => name.extend([4, u64::from(record.0), u64::from(*field)]),
            Projection::Index { index, .. } => match body.exprs[*index].kind {
                ExprKind::Int(at) => name.extend([5, u64::try_from(at).ok()?]),
                _ => return None,
            },
        }
    }
    Some(name)
}

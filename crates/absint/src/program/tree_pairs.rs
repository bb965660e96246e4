// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which decision trees are worth having (paper 004, 7.2.3).
//!
//! The paper keeps a pack of a boolean and a number if there is a place in the program where the number is inside a branch
//! that depends on the boolean. Here a tree of two globals is kept if some function tests the flag and reads the
//! other, itself or in a function that it calls. That is coarser, and looks at each statement once. Objects
//! whose address is taken may be read anywhere; so may those that are no globals.

use clew_ir::syntax::{
    BinaryOp, Body, Callee, ExprId, ExprKind, FuncId, GlobalId, LocalId, Place, PlaceBase, Program,
    StatementKind, Terminator,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::effort::tree_pairs::MOST_COPIES;
use crate::program::flow::reads_of;
use crate::program::object::Object;

/// What functions test and read.
pub struct Wanted {
    /// The functions that test a global.
    testers: FxHashMap<GlobalId, Vec<FuncId>>,
    /// The globals that functions read, themselves or where they call.
    read: FxHashMap<FuncId, FxHashSet<GlobalId>>,
    /// Globals whose address is taken.
    taken: FxHashSet<GlobalId>,
}

/// What one body does.
struct Uses {
    tested: FxHashSet<GlobalId>,
    read: FxHashSet<GlobalId>,
    /// Integers that others are stored from: what tests the second tests the first.
    stored: Vec<(GlobalId, GlobalId)>,
    calls: Vec<FuncId>,
}

fn global(place: &Place) -> Option<GlobalId> {
    match place.base {
        PlaceBase::Global(global) => Some(global),
        PlaceBase::Local(_) | PlaceBase::Deref(_) => None,
    }
}

/// Whether an expression puts truths together, or is a copy.
fn may_be_truth(body: &Body, expr: ExprId) -> bool {
    match body.exprs[expr].kind {
        ExprKind::Cast(inner) => may_be_truth(body, inner),
        ExprKind::Local(_) | ExprKind::Compare(..) | ExprKind::Select { .. } => true,
        ExprKind::Binary(BinaryOp::And | BinaryOp::Or | BinaryOp::Xor, ..) => true,
        _ => false,
    }
}

/// The registers that decide which path is taken, directly or by way of others.
fn deciding(body: &Body) -> FxHashSet<LocalId> {
    let mut found = FxHashSet::default();
    let mut work = Vec::new();
    let mut see = |expr: ExprId, work: &mut Vec<_>| {
        reads_of(body, expr, &mut |local| {
            if found.insert(local) {
                work.push(local);
            }
        });
    };
    let mut assigned: FxHashMap<LocalId, Vec<ExprId>> = FxHashMap::default();
    for block in body.blocks.iter() {
        match &block.terminator {
            Terminator::Branch { condition, .. } => see(*condition, &mut work),
            Terminator::Switch { value, .. } => see(*value, &mut work),
            _ => {}
        }
        for statement in &block.statements {
            if let StatementKind::Assign { local, value } = &statement.kind {
                assigned.entry(*local).or_default().push(*value);
            }
        }
    }
    while let Some(local) = work.pop() {
        for expr in assigned.get(&local).into_iter().flatten() {
            see(*expr, &mut work);
        }
    }
    found
}

fn uses(body: &Body, taken: &mut FxHashSet<GlobalId>) -> Uses {
    let deciding = deciding(body);
    let mut uses = Uses {
        tested: FxHashSet::default(),
        read: FxHashSet::default(),
        stored: Vec::new(),
        calls: Vec::new(),
    };
    let mut loaded: FxHashMap<LocalId, GlobalId> = FxHashMap::default();
    for expr in body.exprs.iter() {
        if let ExprKind::AddressOf(place) = &expr.kind {
            taken.extend(global(place));
        }
    }
    for statement in body.blocks.iter().flat_map(|block| &block.statements) {
        match &statement.kind {
            StatementKind::Load { local, place, .. } => {
                let Some(global) = global(place) else { continue };
                uses.read.insert(global);
                loaded.insert(*local, global);
                if deciding.contains(local) {
                    uses.tested.insert(global);
                }
            }
            StatementKind::Store { place, value, .. } if may_be_truth(body, *value) => {
                let Some(to) = global(place) else { continue };
                reads_of(body, *value, &mut |local| {
                    uses.stored.extend(loaded.get(&local).map(|from| (*from, to)));
                });
            }
            StatementKind::Copy { from, .. } => uses.read.extend(global(from)),
            StatementKind::Call(call) => {
                if let Callee::Direct(callee) = call.callee {
                    uses.calls.push(callee);
                }
            }
            _ => {}
        }
    }
    uses
}

impl Wanted {
    /// Of a program.
    pub fn new(program: &Program) -> Wanted {
        let mut taken = FxHashSet::default();
        let bodies = program.functions.iter_enumerated().filter_map(|(id, f)| Some((id, f.body.as_ref()?)));
        let all: FxHashMap<FuncId, Uses> = bodies.map(|(id, body)| (id, uses(body, &mut taken))).collect();
        let mut testers: FxHashMap<GlobalId, Vec<FuncId>> = FxHashMap::default();
        let mut read = FxHashMap::default();
        for (id, uses) in all.iter().filter(|(_, uses)| !uses.tested.is_empty()) {
            for global in &uses.tested {
                testers.entry(*global).or_default().push(*id);
            }
            let mut own = uses.read.clone();
            for callee in &uses.calls {
                let callee = crate::program::call_graph::resolve(program, *callee);
                own.extend(all.get(&callee).into_iter().flat_map(|uses| &uses.read));
            }
            read.insert(*id, own);
        }
        let stored: Vec<(GlobalId, GlobalId)> = all.values().flat_map(|uses| uses.stored.clone()).collect();
        for _ in 0..MOST_COPIES {
            for (from, to) in &stored {
                let more = testers.get(to).cloned().unwrap_or_default();
                if more.is_empty() {
                    continue;
                }
                let list = testers.entry(*from).or_default();
                list.extend(more);
                list.sort_unstable();
                list.dedup();
            }
        }
        Wanted { testers, read, taken }
    }

    /// Whether somebody may test what is in an object.
    pub fn is_tested(&self, flag: &Object) -> bool {
        match flag {
            Object::Global(flag) => self.taken.contains(flag) || self.testers.contains_key(flag),
            _ => true,
        }
    }

    /// Whether somebody may test the one and read the other.
    pub fn is_pair(&self, flag: &Object, x: &Object) -> bool {
        let (Object::Global(flag), Object::Global(x)) = (flag, x) else { return true };
        if self.taken.contains(flag) || self.taken.contains(x) {
            return true;
        }
        let testers = self.testers.get(flag).into_iter().flatten();
        testers.into_iter().any(|tester| self.read.get(tester).is_some_and(|read| read.contains(x)))
    }
}

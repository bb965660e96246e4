// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which expressions of the block stand in which register, and until when.

use std::rc::Rc;

use clew_base::index::Idx;
use clew_ir::syntax::{Body, ExprId, ExprKind, LocalId, PlaceBase};
use rustc_hash::FxHashMap;

use crate::code::Reg;

/// A value in a register.
#[derive(Clone, Copy, Debug)]
pub struct Cached {
    /// Where.
    pub reg: Reg,
    /// The operation that computed it, if that is known.
    pub pc: Option<usize>,
    /// When: an assignment to a local it reads at this time or later makes it stale.
    stamp: u64,
    /// The local whose register holds it, for a value that was computed right into one.
    holder: Option<LocalId>,
}

/// Expressions and constants of the current block.
pub struct Cache {
    entries: FxHashMap<ExprId, Cached>,
    constants: FxHashMap<u64, Reg>,
    pairs: FxHashMap<(u64, u64), Reg>,
    /// The locals that each expression reads, found on first use.
    reads: Vec<Option<Rc<[LocalId]>>>,
    last_assigned: Vec<u64>,
    time: u64,
}

impl Cache {
    pub fn new(body: &Body) -> Cache {
        Cache {
            entries: FxHashMap::default(),
            constants: FxHashMap::default(),
            pairs: FxHashMap::default(),
            reads: vec![None; body.exprs.len()],
            last_assigned: vec![0; body.locals.len()],
            time: 1,
        }
    }

    /// Forgets everything: a block begins.
    pub fn clear(&mut self) {
        self.entries.clear();
        self.constants.clear();
        self.pairs.clear();
    }

    /// The register that holds an expression now.
    pub fn find(&self, body: &Body, expr: ExprId) -> Option<Cached> {
        let entry = self.entries.get(&expr).copied()?;
        let reads = self.reads[expr.index()].as_ref()?;
        let fresh =
            reads.iter().chain(entry.holder.as_ref()).all(|l| self.last_assigned[l.index()] < entry.stamp);
        debug_assert!(expr.index() < body.exprs.len());
        fresh.then_some(entry)
    }

    /// Notes where an expression was computed.
    pub fn insert(&mut self, body: &Body, expr: ExprId, reg: Reg, pc: Option<usize>) {
        self.reads_of(body, expr);
        self.entries.insert(expr, Cached { reg, pc, stamp: self.time, holder: None });
    }

    /// A local is assigned now.
    pub fn assign(&mut self, local: LocalId) {
        self.last_assigned[local.index()] = self.time;
        self.time += 1;
    }

    /// The value in a temporary was moved to a local's register, as the local is assigned: whatever stood in the
    /// temporary stands there now.
    pub fn moved(&mut self, body: &Body, from: Reg, to: Reg, local: LocalId) {
        let stale: Vec<ExprId> =
            self.entries.iter().filter(|(_, e)| e.reg == from).map(|(expr, _)| *expr).collect();
        for expr in stale {
            let valid = self.find(body, expr).is_some();
            let reads_it = self.reads[expr.index()].as_ref().is_none_or(|r| r.contains(&local));
            if valid && !reads_it {
                let moved = Cached { reg: to, pc: None, stamp: self.time + 1, holder: Some(local) };
                self.entries.insert(expr, moved);
            } else {
                self.entries.remove(&expr);
            }
        }
        self.assign(local);
    }

    /// The register that holds a constant.
    pub fn constant(&self, value: u64) -> Option<Reg> {
        self.constants.get(&value).copied()
    }

    pub fn insert_constant(&mut self, value: u64, reg: Reg) {
        self.constants.insert(value, reg);
    }

    /// The registers that hold a pair of constants.
    pub fn pair(&self, value: (u64, u64)) -> Option<Reg> {
        self.pairs.get(&value).copied()
    }

    pub fn insert_pair(&mut self, value: (u64, u64), reg: Reg) {
        self.pairs.insert(value, reg);
    }

    /// The locals that an expression reads. Operands come before their users in the arena, so this needs no
    /// recursion: everything missing is found in order.
    fn reads_of(&mut self, body: &Body, expr: ExprId) -> Rc<[LocalId]> {
        if let Some(known) = &self.reads[expr.index()] {
            return known.clone();
        }
        let mut missing = vec![expr];
        while let Some(&top) = missing.last() {
            if self.reads[top.index()].is_some() {
                missing.pop();
                continue;
            }
            let before = missing.len();
            body.exprs[top].operands(|operand| {
                if self.reads[operand.index()].is_none() {
                    missing.push(operand);
                }
            });
            if missing.len() == before {
                self.reads[top.index()] = Some(self.gather(body, top));
                missing.pop();
            }
        }
        self.reads[expr.index()].clone().unwrap_or_else(|| Rc::from([]))
    }

    fn gather(&self, body: &Body, expr: ExprId) -> Rc<[LocalId]> {
        let mut locals: Vec<LocalId> = Vec::new();
        match &body.exprs[expr].kind {
            ExprKind::Local(local) => locals.push(*local),
            // The address of a memory local changes when its storage begins anew.
            ExprKind::AddressOf(place) => {
                if let PlaceBase::Local(local) = place.base {
                    locals.push(local);
                }
            }
            _ => {}
        }
        body.exprs[expr].operands(|operand| {
            if let Some(known) = &self.reads[operand.index()] {
                locals.extend(known.iter().copied());
            }
        });
        locals.sort_unstable();
        locals.dedup();
        Rc::from(locals)
    }
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which registers are kept in one space: those that loops count, those that counters are begun with, and those they are
//! compared with.

use std::sync::Arc;

use clew_ir::syntax::{
    BinaryOp, BlockId, Body, ExprId, ExprKind, LocalId, StatementKind, Storage, Terminator, UnaryOp,
};
use clew_ir::types::Types;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::effort::counters::MOST_REGISTERS;

/// Widths of registers that are followed.
const WIDTHS: [u32; 2] = [32, 64];

/// The registers of a function's spaces, with their widths.
#[derive(Default)]
pub struct Counters(pub(crate) Vec<(Arc<[LocalId]>, u32)>);

impl Counters {
    /// Looks at a body and its loops.
    pub fn new(types: &Types<'_>, body: &Body, loops: &FxHashMap<BlockId, Vec<BlockId>>) -> Counters {
        let inside: FxHashSet<BlockId> = loops.values().flatten().copied().collect();
        let spaces = WIDTHS.into_iter().filter_map(|bits| {
            let registers = registers(types, body, &inside, bits);
            (registers.len() > 1).then(|| (registers.into(), bits))
        });
        Counters(spaces.collect())
    }
}

fn registers(types: &Types<'_>, body: &Body, inside: &FxHashSet<BlockId>, bits: u32) -> Vec<LocalId> {
    let fits = |local: LocalId| {
        let info = &body.locals[local];
        let is_register = info.storage == Storage::Register && info.name.is_some();
        is_register && types.int_type(info.ty).is_some_and(|ty| u32::from(ty.bits) == bits)
    };
    let assignments = |in_loops: bool| {
        let blocks = body.blocks.iter_enumerated().filter(move |(id, _)| inside.contains(id) == in_loops);
        blocks.flat_map(|(_, block)| &block.statements).filter_map(|statement| match statement.kind {
            StatementKind::Assign { local, value } if is_affine(body, value) => Some((local, value)),
            _ => None,
        })
    };
    let mut found: Vec<LocalId> = Vec::new();
    let mut add = |local: LocalId| {
        if fits(local) && !found.contains(&local) && found.len() < MOST_REGISTERS {
            found.push(local);
        }
    };
    let mut counted = FxHashSet::default();
    for (local, value) in assignments(true) {
        if !matches!(body.exprs[value].kind, ExprKind::Int(_)) && fits(local) {
            counted.insert(local);
            add(local);
        }
    }
    let locals = |expr: ExprId| {
        body.expr_nodes(expr).into_iter().filter_map(|node| match body.exprs[node].kind {
            ExprKind::Local(local) => Some(local),
            _ => None,
        })
    };
    let begun = assignments(false).filter(|(local, _)| counted.contains(local));
    begun.flat_map(|(_, value)| locals(value)).for_each(&mut add);
    let in_loops = body.blocks.iter_enumerated().filter(|(id, _)| inside.contains(id));
    let tests = in_loops.filter_map(|(_, block)| match block.terminator {
        Terminator::Branch { condition, .. } => Some(condition),
        _ => None,
    });
    let of_counters = tests.filter(|test| locals(*test).any(|local| counted.contains(&local)));
    of_counters.flat_map(locals).for_each(&mut add);
    found
}

/// Whether an expression is a sum of registers with constant factors, by its look.
fn is_affine(body: &Body, expr: ExprId) -> bool {
    let is_constant = |node: ExprId| matches!(body.exprs[node].kind, ExprKind::Int(_));
    match body.exprs[expr].kind {
        ExprKind::Int(_) | ExprKind::Local(_) => true,
        ExprKind::Cast(inner) | ExprKind::Unary(UnaryOp::Neg, inner) => is_affine(body, inner),
        ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, x, y) => is_affine(body, x) && is_affine(body, y),
        ExprKind::Binary(BinaryOp::Mul, x, y) => {
            (is_constant(x) && is_affine(body, y)) || (is_constant(y) && is_affine(body, x))
        }
        _ => false,
    }
}

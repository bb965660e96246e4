// SPDX-License-Identifier: MIT OR Apache-2.0
//! Plain memory at addresses that the user names (`--memory LO..HI=ram`): an object whose definition is elsewhere, so that it
//! begins with anything, and constant pointers into it.

use clew_base::index::IndexVec;
use clew_base::source::Span;

use super::constant::number_at;
use super::{Lies, Region};
use crate::syntax::*;
use crate::types::TypeTable;
use crate::visit::VisitMut;

/// Makes an object of each piece of memory, and pointers into it of the constants that are its addresses.
pub(super) fn place_ram(program: &mut Program, said: &[Region]) {
    for region in said.iter().filter(|region| region.lies == Lies::Ram) {
        let mut types =
            TypeTable::from_parts(std::mem::take(&mut program.types), std::mem::take(&mut program.records));
        let size = (region.last - region.first).saturating_add(1);
        let byte = types.int(8, false);
        let needed = NeededTypes {
            byte,
            pointer: types.pointer(byte),
            index: types.int(u16::from(program.target.pointer_bytes) * 8, false),
        };
        let ty = types.array(byte, Some(size));
        (program.types, program.records) = types.into_parts();
        let ram = program.globals.push(Global {
            name: format!(".ram.{:x}", region.first).into(),
            source_name: format!("memory at {:#x}", region.first).into(),
            ty,
            size,
            align: 1 << region.first.trailing_zeros().min(12),
            linkage: Linkage::External,
            kind: GlobalKind::Variable,
            is_const: false,
            thread_local: false,
            init: None,
            alias: None,
            span: Span::NONE,
        });
        place_one(program, region, ram, needed);
    }
}

/// Types that are needed.
#[derive(Clone, Copy)]
struct NeededTypes {
    byte: TypeId,
    pointer: TypeId,
    index: TypeId,
}

fn place_one(program: &mut Program, region: &Region, ram: GlobalId, needed: NeededTypes) {
    let (types, pointer_bytes) = (&program.types, u64::from(program.target.pointer_bytes));
    for function in program.functions.iter_mut() {
        let contract = function.contract.clone();
        let Some(body) = &mut function.body else { continue };
        let Some(moved) = rewrite(body, types, region, ram, needed) else { continue };
        let mut renumber = Renumber(moved);
        for condition in function.contract.requires.iter_mut().chain(&mut function.contract.ensures) {
            renumber.expr(condition);
        }
        if let (Some(assigns), true) = (&mut function.contract.assigns, contract.assigns.is_some()) {
            assigns.iter_mut().for_each(|place| renumber.place(place));
        }
        let arena = std::mem::take(&mut body.exprs);
        renumber.walk_body(body);
        body.exprs = arena;
    }
    for global in program.globals.iter_mut() {
        if !matches!(program.types[global.ty], Type::Pointer(_)) {
            continue;
        }
        let Some(init) = global.init.as_mut().filter(|init| init.relocations.is_empty()) else { continue };
        let address = number_at(&init.bytes, 0, pointer_bytes) as u64;
        if region.holds(address) {
            init.bytes.clear();
            init.relocations.push(Relocation {
                offset: 0,
                bytes: pointer_bytes as u8,
                target: Address::Global(ram),
                addend: (address - region.first) as i64,
                minus: None,
            });
        }
    }
}

/// A new arena, in which constant addresses of the region are addresses in the object. Says where each node went.
fn rewrite(
    body: &mut Body,
    types: &IndexVec<TypeId, Type>,
    region: &Region,
    ram: GlobalId,
    needed: NeededTypes,
) -> Option<IndexVec<ExprId, ExprId>> {
    let address = |exprs: &IndexVec<ExprId, Expr>, expr: &Expr| {
        let number = match (&types[expr.ty], &expr.kind) {
            (Type::Pointer(_), ExprKind::Int(number)) => *number,
            (Type::Pointer(_), ExprKind::Cast(operand)) => match exprs[*operand].kind {
                ExprKind::Int(number) => number,
                _ => return None,
            },
            _ => return None,
        };
        Some(number as u64).filter(|address| region.holds(*address))
    };
    if !body.exprs.iter().any(|expr| address(&body.exprs, expr).is_some()) {
        return None;
    }
    let old = std::mem::take(&mut body.exprs);
    let mut moved = Renumber(IndexVec::new());
    for expr in old.iter() {
        let id = match address(&old, expr) {
            Some(address) => {
                let span = expr.span;
                let mut push = |kind, ty| body.exprs.push(Expr { kind, ty, span });
                let index = push(ExprKind::Int(i128::from(address - region.first)), needed.index);
                let step = Projection::Index { index, stride: 1, length: None };
                let place = Place { base: PlaceBase::Global(ram), projections: vec![step], ty: needed.byte };
                let pointer = push(ExprKind::AddressOf(Box::new(place)), needed.pointer);
                push(ExprKind::Cast(pointer), expr.ty)
            }
            None => {
                let mut expr = expr.clone();
                moved.walk_expr(&mut expr);
                body.exprs.push(expr)
            }
        };
        moved.0.push(id);
    }
    Some(moved.0)
}

struct Renumber(IndexVec<ExprId, ExprId>);

impl VisitMut for Renumber {
    fn expr(&mut self, expr: &mut ExprId) {
        *expr = self.0[*expr];
    }
}

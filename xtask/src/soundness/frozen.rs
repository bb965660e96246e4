// SPDX-License-Identifier: MIT OR Apache-2.0
//! A program in which only a slice is left to vary: every other statement that gives an integer gives one fixed number.

use std::collections::BTreeMap;

use clew_absint::{Site, Slice};
use clew_ir::syntax::{
    Body, CallResult, CompareOp, Expr, ExprId, ExprKind, FuncId, HavocTarget, Local, LocalId, Place,
    PlaceBase, Program, Statement, StatementKind, Storage, Terminator, Type, TypeId,
};

/// Which of the numbers that a statement may give it gives from now on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    Least,
    Largest,
}

/// What stays as it is, and what the other statements gave.
pub struct Freezer<'a> {
    pub slice: &'a Slice,
    pub numbers: &'a BTreeMap<Site, (i128, i128)>,
    pub end: End,
}

impl Freezer<'_> {
    /// Freezes the bodies of a program's functions.
    pub fn freeze(&self, program: &Program, is_own: impl Fn(FuncId) -> bool) -> Program {
        let mut frozen = program.clone();
        let is_int = |ty: &Type| *ty == Type::Int { bits: 32, signed: true };
        let int = frozen.types.iter_enumerated().find(|(_, ty)| is_int(ty)).map(|(id, _)| id);
        let types: Vec<bool> =
            frozen.types.iter().map(|ty| matches!(ty, Type::Int { .. } | Type::Bool)).collect();
        let is_number = |ty: TypeId| types[ty.0 as usize];
        for id in program.functions.indices().filter(|id| is_own(*id)) {
            if let (Some(body), Some(int)) = (&mut frozen.functions[id].body, int) {
                self.body(id, body, int, &is_number);
            }
        }
        frozen
    }

    fn body(&self, function: FuncId, body: &mut Body, int: TypeId, is_number: &dyn Fn(TypeId) -> bool) {
        for block in body.blocks.indices() {
            let old = std::mem::take(&mut body.blocks[block].statements);
            let count = old.len() as u32;
            let mut new = Vec::new();
            for (number, statement) in old.into_iter().enumerate() {
                let site = Site { function, block, statement: number as u32 };
                self.stops(site, body, int, &mut new);
                match self.slice.sites.contains(&site) {
                    true => new.push(statement),
                    false => self.statement(site, statement, body, is_number, &mut new),
                }
            }
            let site = Site { function, block, statement: count };
            self.stops(site, body, int, &mut new);
            if !self.slice.sites.contains(&site) {
                let mut terminator = body.blocks[block].terminator.clone();
                undecide(&mut terminator, body, &mut new);
                body.blocks[block].terminator = terminator;
            }
            body.blocks[block].statements = new;
        }
    }

    fn number(&self, site: Site) -> Option<i128> {
        let (least, largest) = self.numbers.get(&site)?;
        Some(if self.end == End::Least { *least } else { *largest })
    }

    fn statement(
        &self,
        site: Site,
        mut statement: Statement,
        body: &mut Body,
        is_number: &dyn Fn(TypeId) -> bool,
        new: &mut Vec<Statement>,
    ) {
        let span = statement.span;
        let constant = |body: &mut Body, ty: TypeId| {
            let number = self.number(site).filter(|_| is_number(ty))?;
            Some(body.exprs.push(Expr { kind: ExprKind::Int(number), ty, span }))
        };
        let set = |body: &mut Body, local: LocalId| {
            let value = constant(body, body.locals[local].ty)?;
            Some(Statement { kind: StatementKind::Assign { local, value }, span })
        };
        match &mut statement.kind {
            // What other obligations set aside is theirs; the slice speaks of one.
            StatementKind::Check { .. } | StatementKind::Assume { .. } => {}
            StatementKind::Assign { local, .. }
            | StatementKind::Havoc { target: HavocTarget::Local(local) } => {
                let fixed = set(body, *local);
                new.push(fixed.unwrap_or(statement));
            }
            StatementKind::Load { local, place, .. } => match set(body, *local) {
                Some(fixed) => new.push(fixed),
                None => {
                    thaw(place, body, is_number, new);
                    new.push(statement);
                }
            },
            StatementKind::Store { place, value, .. } => {
                let mut moves = matches!(place.base, PlaceBase::Deref(_));
                place.exprs(|_| moves = true);
                match constant(body, body.exprs[*value].ty) {
                    // With its index frozen it might go to where nothing is, and end the run.
                    Some(_) if moves => {}
                    Some(fixed) => {
                        *value = fixed;
                        new.push(statement);
                    }
                    None => {
                        thaw(place, body, is_number, new);
                        new.push(statement);
                    }
                }
            }
            StatementKind::Call(call) => {
                let result = register(call.result.as_ref());
                new.push(statement);
                new.extend(result.and_then(|local| set(body, local)));
            }
            StatementKind::Intrinsic(call) => {
                let result = register(call.result.as_ref());
                new.push(statement);
                new.extend(result.and_then(|local| set(body, local)));
            }
            _ => new.push(statement),
        }
    }

    /// The operands where the slice stopped may be anything in their range.
    fn stops(&self, site: Site, body: &mut Body, int: TypeId, new: &mut Vec<Statement>) {
        let at = (site, LocalId(0), None);
        for (other, local, range) in self.slice.stops.range(at..) {
            if *other != site {
                break;
            }
            let Some((lo, hi)) = *range else { continue };
            let target = HavocTarget::Local(*local);
            let span = body.locals[*local].span;
            new.push(Statement { kind: StatementKind::Havoc { target }, span });
            let ty = body.locals[*local].ty;
            let mut push = |kind: ExprKind, ty: TypeId| body.exprs.push(Expr { kind, ty, span });
            let value = push(ExprKind::Local(*local), ty);
            let mut bound = |op: CompareOp, number: i128| -> ExprId {
                let number = push(ExprKind::Int(number), ty);
                push(ExprKind::Compare(op, value, number), int)
            };
            let (least, most) = (bound(CompareOp::Ge, lo), bound(CompareOp::Le, hi));
            for condition in [least, most] {
                new.push(Statement { kind: StatementKind::Assume { condition }, span });
            }
        }
    }
}

/// Pointers go on to be read and written where they were: with its index frozen an access might go to where nothing is,
/// and end the run.
fn thaw(place: &Place, body: &Body, is_number: &dyn Fn(TypeId) -> bool, new: &mut Vec<Statement>) {
    let mut roots = Vec::new();
    place.exprs(|expr| roots.push(expr));
    for node in roots.into_iter().flat_map(|root| body.expr_nodes(root)) {
        let Expr { kind: ExprKind::Local(local), ty, span } = body.exprs[node] else { continue };
        if is_number(ty) {
            let target = HavocTarget::Local(local);
            new.push(Statement { kind: StatementKind::Havoc { target }, span });
        }
    }
}

fn register(result: Option<&CallResult>) -> Option<LocalId> {
    match result {
        Some(CallResult::Local(local)) => Some(*local),
        _ => None,
    }
}

/// A test may go any way.
fn undecide(terminator: &mut Terminator, body: &mut Body, new: &mut Vec<Statement>) {
    let condition = match terminator {
        Terminator::Branch { condition, .. } => condition,
        Terminator::Switch { value, .. } => value,
        _ => return,
    };
    let Expr { ty, span, .. } = body.exprs[*condition];
    let local = body.locals.push(Local { name: None, ty, storage: Storage::Register, span });
    new.push(Statement { kind: StatementKind::Havoc { target: HavocTarget::Local(local) }, span });
    *condition = body.exprs.push(Expr { kind: ExprKind::Local(local), ty, span });
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! A function definition: parameters, body, end.

use clew_base::index::IndexVec;
use clew_base::source::Span;
use clew_checks::operation::Operation;
use clew_ir::syntax::{
    Argument, BlockId, Body, ExprKind, FuncId, Local, LocalId, StatementKind, Storage, Terminator, Type,
    TypeId,
};
use rucc_sema::{Decl, DeclId, DeclList, ExprKind as C, Stmt, StmtId, StorageDuration};
use rustc_hash::{FxHashMap, FxHashSet};

use super::UnitLowering;
use super::build::{CExpr, FunctionLowering, OpenBlock};
use super::scope::{Scope, ScopeId, ScopeLocal, StorageMode};
use super::sequence::Effects;

/// Lowers the body of a function that is defined here.
pub(super) fn lower_body(unit: &mut UnitLowering<'_>, decl_id: DeclId, function: FuncId) {
    let tast = &unit.unit.tast;
    let decl = &tast[decl_id];
    let Some(statement) = decl.body else { return };
    complete_type(unit, decl, function);
    let Type::Function { result, .. } = *unit.types.table.get(unit.functions[function].ty) else { return };
    let name = unit.functions[function].name.clone();
    let mut blocks: IndexVec<BlockId, OpenBlock> = IndexVec::new();
    let entry = blocks.push(OpenBlock::default());
    let mut scopes: IndexVec<ScopeId, Scope> = IndexVec::new();
    let scope = scopes.push(Scope::default());
    let lowering = FunctionLowering {
        unit,
        tast,
        body: Body::default(),
        last_span: Default::default(),
        fast_math_said: None,
        depths: Vec::new(),
        blocks,
        current: entry,
        locals: FxHashMap::default(),
        scopes,
        temporaries: Vec::new(),
        scope,
        storage_mode: StorageMode::Declaration,
        labels: FxHashMap::default(),
        block_scopes: FxHashMap::default(),
        jumps: Vec::new(),
        loops: Vec::new(),
        cases: FxHashMap::default(),
        defaults: Vec::new(),
        landings: Default::default(),
        pinned: FxHashMap::default(),
        hoisted: FxHashMap::default(),
        narrowed: FxHashMap::default(),
        effects: Effects::default(),
        suspicious: FxHashSet::default(),
        result,
        function,
        name,
    };
    let body = lowering.run(decl, statement);
    unit.functions[function].body = Some(body);
}

/// The type of a definition names the parameters even where the declaration had no prototype (K&R).
fn complete_type(unit: &mut UnitLowering<'_>, decl: &Decl, function: FuncId) {
    let ty = unit.ty(decl.ty);
    let Type::Function { result, variadic, prototyped, .. } = unit.types.table.get(ty).clone() else {
        return;
    };
    let tast = &unit.unit.tast;
    let parameters: Vec<TypeId> = tast[decl.params]
        .iter()
        .map(|&p| {
            let declared = unit.ty(tast[p].ty);
            if prototyped { declared } else { promoted(unit, declared) }
        })
        .collect();
    let definition = Type::Function { result, parameters, variadic, prototyped };
    unit.functions[function].ty = unit.types.table.intern(definition);
}

/// The type an argument without a prototype arrives in.
fn promoted(unit: &mut UnitLowering<'_>, ty: TypeId) -> TypeId {
    match *unit.types.table.get(ty) {
        Type::Bool => unit.known.int,
        Type::Int { bits, .. } if bits < u16::from(unit.target.int_bits) => unit.known.int,
        Type::Float(clew_base::float::Format::F32 | clew_base::float::Format::F16) => unit.known.double,
        _ => ty,
    }
}

impl FunctionLowering<'_, '_> {
    fn run(mut self, decl: &Decl, statement: StmtId) -> Body {
        self.storage_mode = self.choose_storage_mode(statement);
        self.parameters(decl.params);
        let span = self.unit.unit.span(self.tast.stmt_span(statement));
        for &parameter in &self.tast[decl.params] {
            let written = self.tast.adjusted_from(parameter).unwrap_or(self.tast[parameter].ty);
            self.variable_lengths(written);
        }
        self.stmt(statement);
        self.end(span);
        self.finish()
    }

    fn choose_storage_mode(&self, statement: StmtId) -> StorageMode {
        let mut mode = StorageMode::Declaration;
        self.walk_jumps(statement, &mut mode);
        mode
    }

    fn walk_jumps(&self, id: StmtId, mode: &mut StorageMode) {
        match self.tast[id] {
            Stmt::Block(list) => self.tast[list].iter().for_each(|s| self.walk_jumps(*s, mode)),
            Stmt::If { then, otherwise, .. } => {
                self.walk_jumps(then, mode);
                otherwise.into_iter().for_each(|s| self.walk_jumps(s, mode));
            }
            Stmt::While { body, .. } | Stmt::DoWhile { body, .. } => self.walk_jumps(body, mode),
            Stmt::For { init, body, .. } => {
                init.into_iter().for_each(|s| self.walk_jumps(s, mode));
                self.walk_jumps(body, mode);
            }
            Stmt::Switch { body, .. }
            | Stmt::Label { body, .. }
            | Stmt::Case { body, .. }
            | Stmt::Default { body } => {
                if *mode == StorageMode::Declaration {
                    *mode = StorageMode::ScopeEntry;
                }
                self.walk_jumps(body, mode);
            }
            _ => {}
        }
        self.expressions_of(id, &mut |expr| self.walk_jumps_in(expr, mode));
    }

    /// Statement expressions may have labels, too.
    fn walk_jumps_in(&self, expr: CExpr, mode: &mut StorageMode) {
        if !self.unit.scan.has_statements(expr) {
            return;
        }
        if let C::StmtExpr(stmt) = self.tast[expr].kind {
            self.walk_jumps(stmt, mode);
        }
        super::scan::for_each_operand(self.tast, expr, |operand| self.walk_jumps_in(operand, mode));
    }

    /// The expressions that a statement itself evaluates.
    fn expressions_of(&self, id: StmtId, visit: &mut dyn FnMut(CExpr)) {
        match self.tast[id] {
            Stmt::Expr(expr) | Stmt::IndirectGoto(expr) | Stmt::Return(Some(expr)) => visit(expr),
            Stmt::If { cond, .. }
            | Stmt::While { cond, .. }
            | Stmt::DoWhile { cond, .. }
            | Stmt::Switch { cond, .. } => visit(cond),
            Stmt::For { cond, step, .. } => cond.into_iter().chain(step).for_each(visit),
            Stmt::Decls(decls) => {
                let inits = self.tast[decls].iter().filter_map(|decl| self.tast[*decl].init);
                inits.flat_map(|init| &self.tast[init]).for_each(|entry| visit(entry.value));
            }
            _ => {}
        }
    }

    fn parameters(&mut self, params: DeclList) {
        let Type::Function { parameters: types, .. } = self.function_type() else { return };
        let decls: Vec<DeclId> = self.tast[params].to_vec();
        let mut copies = Vec::new();
        for (at, &param) in decls.iter().enumerate() {
            let decl = &self.tast[param];
            let declared = self.unit.ty(decl.ty);
            let arrives = types.get(at).copied().unwrap_or(declared);
            if arrives == declared {
                self.declare(param);
            } else {
                let span = self.unit.decl_span(param);
                let local = self.temporary(arrives, span);
                copies.push((param, local));
            }
        }
        self.body.parameters = decls.len() as u32;
        for (param, local) in copies {
            self.narrow_parameter(param, local);
        }
    }

    /// A K&R parameter of a narrow type arrives promoted.
    fn narrow_parameter(&mut self, param: DeclId, local: LocalId) {
        let span = self.unit.decl_span(param);
        let target = self.declare(param);
        self.begin_storage(target, span);
        let value = self.local_value(local, span);
        let ty = self.body.locals[target].ty;
        let value = self.expr(ExprKind::Cast(value), ty, span);
        self.initialise_local(target, value, span);
    }

    fn function_type(&self) -> Type {
        self.unit.types.table.get(self.unit.functions[self.function].ty).clone()
    }

    /// Makes the local of a declaration. Parameters and objects of the function's own scope alike.
    pub(super) fn declare(&mut self, id: DeclId) -> LocalId {
        if let Some(local) = self.locals.get(&id) {
            return *local;
        }
        let decl = &self.tast[id];
        let ty = self.unit.ty(decl.ty);
        let span = self.unit.decl_span(id);
        let in_memory = self.unit.is_aggregate(ty)
            || self.unit.scan.is_addressed(id)
            || self.unit.is_volatile(decl.ty)
            || decl.cleanup.is_some();
        let storage = if in_memory {
            let align = self.unit.align(decl.ty).max(decl.alignment.unwrap_or(0));
            Storage::Memory { align, is_const: self.unit.is_const(decl.ty) }
        } else {
            Storage::Register
        };
        let name = decl.name.map(|name| self.unit.name(name));
        let local = self.body.locals.push(Local { name, ty, storage, span });
        self.locals.insert(id, local);
        local
    }

    /// Makes the local of a declaration inside a block and gives it to the present scope.
    pub(super) fn declare_in_scope(&mut self, id: DeclId, variable: bool) -> LocalId {
        let fresh = !self.locals.contains_key(&id);
        let local = self.declare(id);
        if fresh {
            let cleanup = self.tast[id].cleanup;
            let scope = self.scope;
            self.scopes[scope].locals.push(ScopeLocal { local, variable, cleanup });
        }
        local
    }

    /// Where the closing brace is reached.
    fn end(&mut self, span: Span) {
        if !self.is_reachable() {
            self.terminate(Terminator::Unreachable, span);
            return;
        }
        let end = Span { start: span.end.saturating_sub(1), ..span };
        self.leave_to(ScopeId(0), end);
        let void = matches!(self.ir_type(self.result), Type::Void);
        let value = if &*self.name == "main" && !void {
            let zero = self.zero(self.result, end);
            Some(Argument::Value(zero))
        } else {
            if !void {
                self.demand(&Operation::EndWithoutValue, end);
            }
            None
        };
        self.demand_no_return(end);
        self.terminate(Terminator::Return(value), end);
    }

    /// A function that is declared not to return does not: calls of it are taken to end the run.
    pub(super) fn demand_no_return(&mut self, span: Span) {
        if self.unit.functions[self.function].attributes.noreturn {
            self.demand(&Operation::Unreachable, span);
        }
    }

    /// Whether the function is declared to return a pointer that is not null.
    pub(super) fn promises_result(&self) -> bool {
        let name = &self.unit.functions[self.function].source_name;
        let name = self.unit.unit.names.find(name);
        name.and_then(|name| self.unit.unit.promises.get(&name)).is_some_and(|it| it.returns_nonnull)
    }

    /// Whether a declaration is an object of this function (not static, not extern, not a type).
    pub(super) fn is_automatic(decl: &Decl) -> bool {
        decl.kind == rucc_sema::DeclKind::Object && decl.duration == StorageDuration::Automatic
    }

    /// A register or memory local gets its first value; const is no obstacle.
    pub(super) fn initialise_local(&mut self, local: LocalId, value: clew_ir::syntax::ExprId, span: Span) {
        match self.body.locals[local].storage {
            Storage::Register => self.emit(StatementKind::Assign { local, value }, span),
            Storage::Memory { .. } => {
                let place = self.local_place(local);
                self.emit(
                    StatementKind::Store { place: Box::new(place), value, flags: Default::default() },
                    span,
                );
            }
        }
    }
}

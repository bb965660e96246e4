// SPDX-License-Identifier: MIT OR Apache-2.0
//! Statements.

use clew_base::source::Span;
use clew_ir::syntax::{
    Argument, BlockId, CompareOp, ExprId, ExprKind, LocalId, StatementKind, Storage, Terminator,
};
use rucc_sema::{DeclId, DeclKind, DeclList, LabelId, Stmt, StmtId, StmtList};
use rucc_types::{ArrayLen, TypeKind};

use super::build::{CExpr, FunctionLowering, Loop};
use super::expr::Value;
use super::scope::{Jump, StorageMode};
use super::types::CType;

/// Bytes of a stack on Linux, unless somebody asked for another.
const USUAL_STACK: u64 = 8 << 20;

impl FunctionLowering<'_, '_> {
    pub(super) fn stmt(&mut self, id: StmtId) {
        let span = self.unit.unit.span(self.tast.stmt_span(id));
        match self.tast[id] {
            Stmt::Error | Stmt::Empty => {}
            Stmt::Expr(expr) => self.full_effect(expr),
            Stmt::Block(list) => self.in_scope(end_of(span), |f| f.block(list)),
            Stmt::Decls(decls) => self.declarations(decls),
            // These and their parts are blocks, with braces or without (6.8.4p3, 6.8.5p5).
            Stmt::If { cond, then, otherwise } => {
                self.in_scope(end_of(span), |f| f.if_stmt(cond, then, otherwise, span));
            }
            Stmt::While { cond, body } => {
                self.in_scope(end_of(span), |f| f.while_stmt(cond, body, span));
            }
            Stmt::DoWhile { body, cond } => {
                self.in_scope(end_of(span), |f| f.do_stmt(body, cond, span));
            }
            Stmt::For { init, cond, step, body } => {
                self.in_scope(end_of(span), |f| f.for_stmt(init, cond, step, body, span));
            }
            Stmt::Switch { cond, body, cases, default } => {
                self.in_scope(end_of(span), |f| f.switch_stmt(cond, body, cases, default, span));
            }
            Stmt::Case { case, body } => {
                let block = self.case_block(case);
                self.label_here(block, span);
                self.stmt(body);
            }
            Stmt::Default { body } => {
                if let Some(block) = self.default_block() {
                    self.label_here(block, span);
                }
                self.stmt(body);
            }
            Stmt::Label { label, body } => {
                let block = self.label_block(label);
                self.label_here(block, span);
                self.stmt(body);
            }
            Stmt::Goto(label) => self.goto_label(label, span),
            Stmt::IndirectGoto(target) => self.computed_goto(target, span),
            Stmt::Asm(asm) => self.assembler(asm, span),
            Stmt::Break => self.break_stmt(span),
            Stmt::Continue => self.continue_stmt(span),
            Stmt::Return(value) => self.return_stmt(value, span),
        }
    }

    /// A part of an `if`, a loop or a `switch`.
    pub(super) fn substatement(&mut self, id: StmtId) {
        if matches!(self.tast[id], Stmt::Block(_)) {
            return self.stmt(id);
        }
        let span = self.unit.unit.span(self.tast.stmt_span(id));
        self.in_scope(end_of(span), |f| f.stmt(id));
    }

    /// The statements of a block, in a scope that is open.
    pub(super) fn block(&mut self, list: StmtList) {
        self.declare_ahead(&self.tast[list]);
        for &stmt in &self.tast[list] {
            self.stmt(stmt);
        }
    }

    /// Where jumps may pass declarations, storage begins with the scope.
    pub(super) fn declare_ahead(&mut self, statements: &[StmtId]) {
        if self.storage_mode == StorageMode::Declaration {
            return;
        }
        for &stmt in statements {
            let mut inner = stmt;
            while let Stmt::Label { body, .. } | Stmt::Case { body, .. } | Stmt::Default { body } =
                self.tast[inner]
            {
                inner = body;
            }
            let Stmt::Decls(decls) = self.tast[inner] else { continue };
            for &id in &self.tast[decls] {
                let decl = &self.tast[id];
                if Self::is_automatic(decl) && !self.is_variable(decl.ty) {
                    let span = self.unit.decl_span(id);
                    let local = self.declare_in_scope(id, false);
                    self.suspicious.insert(local);
                    self.begin_storage(local, span);
                }
            }
        }
    }

    pub(super) fn declarations(&mut self, decls: DeclList) {
        for &id in &self.tast[decls] {
            self.declaration(id);
        }
    }

    fn declaration(&mut self, id: DeclId) {
        let decl = &self.tast[id];
        let span = self.unit.decl_span(id);
        self.variable_lengths(decl.ty);
        match decl.kind {
            DeclKind::Object if Self::is_automatic(decl) => self.local_object(id, span),
            DeclKind::Object => self.static_local(id),
            // A prototype in a block and the definition at file scope are one declaration.
            DeclKind::Function if decl.body.is_some() && decl.linkage == rucc_sema::Linkage::None => {
                self.unsupported("nested functions", span);
            }
            DeclKind::Function | DeclKind::Type => {}
        }
    }

    fn local_object(&mut self, id: DeclId, span: Span) {
        let decl = &self.tast[id];
        if decl.register.is_some() {
            self.unsupported("variables in named machine registers", span);
        }
        let variable = self.is_variable(decl.ty);
        let local = self.declare_in_scope(id, variable);
        if variable && self.holds_variable_record(decl.ty) {
            self.unsupported("variable-length arrays inside structs", span);
            self.begin_storage(local, span);
        } else if variable {
            let bytes = self.variable_size(decl.ty, span);
            self.demand(&clew_checks::operation::Operation::StackObject(bytes), span);
            self.emit(StatementKind::StorageLive { local, bytes: Some(bytes) }, span);
        } else {
            self.demand_stack(local, span);
            let in_register = self.body.locals[local].storage == Storage::Register;
            let reads_itself = decl.init.is_some_and(|init| self.reads_itself(id, init));
            let has_value = decl.init.is_some() && in_register && !reads_itself;
            // A register that gets its value at once needs no beginning.
            if !has_value {
                self.begin_storage(local, span);
            }
            if !has_value && in_register {
                self.suspicious.insert(local);
            }
            if reads_itself && !in_register && self.unit.is_aggregate(self.body.locals[local].ty) {
                // Its other parts may be zero by then, or not yet.
                self.unsupported("an initialiser that reads the object itself", span);
            }
        }
        if let Some(init) = decl.init {
            self.initialise(local, id, init, true, span);
        }
        self.effects.clear();
    }

    /// An object that is larger than a whole stack fits none; that smaller ones fit together is an assumption.
    fn demand_stack(&mut self, local: LocalId, span: Span) {
        let bytes = self.unit.size_of(self.body.locals[local].ty);
        if bytes > USUAL_STACK {
            let bytes = self.int_const(i128::from(bytes), self.unit.known.size, span);
            self.demand(&clew_checks::operation::Operation::StackObject(bytes), span);
        }
    }

    /// Whether the type's size is computed at run time.
    pub(super) fn is_variable(&self, ty: CType) -> bool {
        match self.unit.kind(ty) {
            TypeKind::Array { elem, len } => matches!(len, ArrayLen::Variable(_)) || self.is_variable(elem),
            TypeKind::Record(id) => self.unit.unit.types.record_info(id).variable.is_some(),
            _ => false,
        }
    }

    fn holds_variable_record(&self, ty: CType) -> bool {
        match self.unit.kind(ty) {
            TypeKind::Array { elem, .. } => self.holds_variable_record(elem),
            kind => matches!(kind, TypeKind::Record(_)) && self.is_variable(ty),
        }
    }

    /// The length of a variable-length array type, which is more than zero.
    pub(super) fn demand_length(&mut self, value: ExprId, span: Span) -> ExprId {
        let kept = self.keep(value, span);
        let zero = self.zero(self.type_of(kept), span);
        let int = self.unit.known.int;
        let positive = self.expr(ExprKind::Compare(CompareOp::Gt, kept, zero), int, span);
        self.demand(&clew_checks::operation::Operation::ArrayLength(positive), span);
        kept
    }

    /// Evaluates the lengths that a variably modified type names, once, where it is written: in a declaration, a
    /// parameter or a cast.
    pub(super) fn variable_lengths(&mut self, ty: CType) {
        match self.unit.kind(ty) {
            TypeKind::Array { elem, len } => {
                self.variable_lengths(elem);
                if let ArrayLen::Variable(vla) = len {
                    let size = self.tast.vla_size(vla);
                    if !self.pinned.contains_key(&size) {
                        let span = self.span_of(size);
                        let value = self.scalar(size);
                        let kept = self.demand_length(value, span);
                        self.pinned.insert(size, kept);
                    }
                }
            }
            TypeKind::Pointer(to) => self.variable_lengths(to),
            TypeKind::Record(id) if self.unit.unit.types.record_info(id).variable.is_some() => {
                let members = self.unit.unit.types.record_info(id).fields.iter().map(|f| f.ty);
                members.collect::<Vec<_>>().into_iter().for_each(|ty| self.variable_lengths(ty));
            }
            _ => {}
        }
    }

    fn if_stmt(&mut self, cond: CExpr, then: StmtId, otherwise: Option<StmtId>, span: Span) {
        let on_true = self.new_block();
        let on_false = self.new_block();
        let after = if otherwise.is_some() { self.new_block() } else { on_false };
        self.full_branch(cond, on_true, on_false);
        self.switch_to(on_true);
        self.substatement(then);
        self.goto(after, span);
        if let Some(otherwise) = otherwise {
            self.switch_to(on_false);
            self.substatement(otherwise);
            self.goto(after, span);
        }
        self.switch_to(after);
    }

    fn while_stmt(&mut self, cond: CExpr, body: StmtId, span: Span) {
        let head = self.new_block();
        let inside = self.new_block();
        let after = self.new_block();
        self.flow_into(head, span);
        self.full_branch(cond, inside, after);
        self.switch_to(inside);
        self.in_loop(after, Some(head), |f| f.substatement(body));
        self.goto(head, span);
        self.switch_to(after);
    }

    fn do_stmt(&mut self, body: StmtId, cond: CExpr, span: Span) {
        let inside = self.new_block();
        let test = self.new_block();
        let after = self.new_block();
        self.flow_into(inside, span);
        self.in_loop(after, Some(test), |f| f.substatement(body));
        self.flow_into(test, span);
        self.full_branch(cond, inside, after);
        self.switch_to(after);
    }

    fn for_stmt(
        &mut self,
        init: Option<StmtId>,
        cond: Option<CExpr>,
        step: Option<CExpr>,
        body: StmtId,
        span: Span,
    ) {
        if let Some(init) = init {
            self.declare_ahead(&[init]);
            self.stmt(init);
        }
        let head = self.new_block();
        let inside = self.new_block();
        let next = self.new_block();
        let after = self.new_block();
        self.flow_into(head, span);
        match cond {
            Some(cond) => self.full_branch(cond, inside, after),
            None => self.goto(inside, span),
        }
        self.switch_to(inside);
        self.in_loop(after, Some(next), |f| f.substatement(body));
        self.flow_into(next, span);
        if let Some(step) = step {
            self.full_effect(step);
        }
        self.goto(head, span);
        self.switch_to(after);
    }

    pub(super) fn in_loop(
        &mut self,
        on_break: BlockId,
        on_continue: Option<BlockId>,
        body: impl FnOnce(&mut Self),
    ) {
        self.loops.push(Loop { on_break, on_continue, scope: self.scope });
        body(self);
        self.loops.pop();
    }

    fn break_stmt(&mut self, span: Span) {
        let Some(Loop { on_break, scope, .. }) = self.loops.last() else { return };
        let (block, scope) = (*on_break, *scope);
        self.leave_to(scope, span);
        self.goto(block, span);
    }

    fn continue_stmt(&mut self, span: Span) {
        let inner = self.loops.iter().rev().find_map(|l| l.on_continue.map(|block| (block, l.scope)));
        let Some((block, scope)) = inner else { return };
        self.leave_to(scope, span);
        self.goto(block, span);
    }

    pub(super) fn label_block(&mut self, label: LabelId) -> BlockId {
        if let Some(block) = self.labels.get(&label) {
            return *block;
        }
        let block = self.new_block();
        self.labels.insert(label, block);
        block
    }

    /// The block begins here; control may also come from above.
    pub(super) fn label_here(&mut self, block: BlockId, span: Span) {
        self.block_scopes.insert(block, self.scope);
        if self.is_reachable() {
            self.flow_into(block, span);
        } else {
            self.switch_to(block);
        }
        // A jump from further down, or a computed one, may lead here, so what follows counts as reached.
        self.blocks[block].is_target = true;
    }

    pub(super) fn goto_label(&mut self, label: LabelId, span: Span) {
        let target = self.label_block(label);
        self.jumps.push(Jump::Goto { from: self.current, scope: self.scope, span });
        self.goto(target, span);
    }

    fn computed_goto(&mut self, target: CExpr, span: Span) {
        self.begin_full(target);
        let address = self.scalar(target);
        self.effects.clear();
        // The targets are filled in at the end, when all labels with an address are known.
        self.jumps.push(Jump::Computed { from: self.current, scope: self.scope, span });
        self.terminate(Terminator::ComputedGoto { address, targets: Vec::new() }, span);
    }

    fn return_stmt(&mut self, value: Option<CExpr>, span: Span) {
        let value = value.map(|expr| {
            self.begin_full(expr);
            (self.rvalue(expr), self.span_of(expr))
        });
        self.effects.clear();
        let mut returned = match value {
            None | Some((Value::None, _)) => None,
            Some((Value::Scalar(value), at)) => {
                // A void function may `return f();`.
                let is_void = matches!(self.ir_type(self.result), clew_ir::syntax::Type::Void);
                let value = if is_void { value } else { self.coerce(value, self.result, at) };
                (!is_void).then_some(Argument::Value(value))
            }
            Some((Value::Object(object), at)) => {
                self.demand_read(&object, false, at);
                Some(Argument::Object(object.place))
            }
        };
        if self.has_cleanups() {
            returned = returned.map(|r| self.keep_argument(r, span));
            self.run_all_cleanups(span);
        }
        if returned.is_none() && !matches!(self.ir_type(self.result), clew_ir::syntax::Type::Void) {
            self.demand(&clew_checks::operation::Operation::EndWithoutValue, span);
        }
        if let Some(Argument::Value(value)) = &returned
            && self.promises_result()
        {
            self.demand(&clew_checks::operation::Operation::PromisedPointer(*value), span);
        }
        self.demand_no_return(span);
        self.terminate(Terminator::Return(returned), span);
    }

    /// A returned value must not change while cleanups run.
    fn keep_argument(&mut self, argument: Argument, span: Span) -> Argument {
        match argument {
            Argument::Value(value) => Argument::Value(self.keep(value, span)),
            Argument::Object(place) => {
                let copy = self.memory_temporary(place.ty, span);
                let to = Box::new(copy.clone());
                self.emit(StatementKind::Copy { to, from: Box::new(place), flags: Default::default() }, span);
                Argument::Object(copy)
            }
        }
    }
}

/// The closing brace of a statement.
pub(super) fn end_of(span: Span) -> Span {
    if span.is_none() { span } else { Span { start: span.end.saturating_sub(1), ..span } }
}

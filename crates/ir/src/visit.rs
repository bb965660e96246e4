// SPDX-License-Identifier: MIT OR Apache-2.0
//! Traversal: every handle in a program, a function, a statement or an expression, once and in order.
//!
//! [`Visit`] reads, [`VisitMut`] renumbers; one macro makes both, so that a handle added to the syntax cannot
//! be seen by one and missed by the other. A visitor overrides what it is interested in; the defaults go on
//! into the parts. Expressions are *not* followed through the arena: a visitor sees the handles a statement
//! names, and the arena is walked once as a whole.

use std::collections::BTreeSet;

use clew_base::index::IndexVec;
use clew_base::source::Span;

use crate::obligation::{Condition, Obligation};
use crate::syntax::*;

macro_rules! make_visitor {
    ($(#[$meta:meta])* $Visitor:ident $(, $mutability:ident)?) => {
        $(#[$meta])*
        pub trait $Visitor {
            /// A use of a type.
            fn ty(&mut self, _ty: &$($mutability)? TypeId) {}
            /// A use of a record.
            fn record(&mut self, _record: &$($mutability)? RecordId) {}
            /// A use of a global.
            fn global(&mut self, _global: &$($mutability)? GlobalId) {}
            /// A use of a function.
            fn function(&mut self, _function: &$($mutability)? FuncId) {}
            /// A use of a local.
            fn local(&mut self, _local: &$($mutability)? LocalId) {}
            /// A use of an expression.
            fn expr(&mut self, _expr: &$($mutability)? ExprId) {}
            /// A use of a block.
            fn block(&mut self, _block: &$($mutability)? BlockId) {}
            /// A use of an obligation: the first of a check's, or a region's.
            fn obligation(&mut self, _obligation: &$($mutability)? ObligationId) {}
            /// A place in the source.
            fn span(&mut self, _span: &$($mutability)? Span) {}

            /// A place in memory.
            fn place(&mut self, place: &$($mutability)? Place) {
                self.walk_place(place);
            }

            /// The parts of a place.
            fn walk_place(&mut self, place: &$($mutability)? Place) {
                match &$($mutability)? place.base {
                    PlaceBase::Local(local) => self.local(local),
                    PlaceBase::Global(global) => self.global(global),
                    PlaceBase::Deref(pointer) => self.expr(pointer),
                }
                for step in &$($mutability)? place.projections {
                    match step {
                        Projection::Field { record, .. } => self.record(record),
                        Projection::Index { index, .. } => self.expr(index),
                    }
                }
                self.ty(&$($mutability)? place.ty);
            }

            /// The parts of one node of the arena; its operands are named, not followed.
            fn walk_expr(&mut self, expr: &$($mutability)? Expr) {
                match &$($mutability)? expr.kind {
                    ExprKind::Int(_) | ExprKind::Float { .. } => {}
                    ExprKind::Local(local) => self.local(local),
                    ExprKind::AddressOf(place) => self.place(place),
                    ExprKind::Function(function) => self.function(function),
                    ExprKind::Label(block) => self.block(block),
                    ExprKind::Unary(_, operand) | ExprKind::Cast(operand) => self.expr(operand),
                    ExprKind::Binary(_, left, right)
                    | ExprKind::Compare(_, left, right)
                    | ExprKind::PointerAdd { pointer: left, index: right, .. }
                    | ExprKind::PointerDifference { left, right, .. } => {
                        self.expr(left);
                        self.expr(right);
                    }
                    ExprKind::Overflows { left, right, of, .. } => {
                        self.expr(left);
                        self.expr(right);
                        self.ty(of);
                    }
                    ExprKind::Builtin(_, operands) => {
                        for operand in operands {
                            self.expr(operand);
                        }
                    }
                    ExprKind::Select { condition, then, otherwise } => {
                        self.expr(condition);
                        self.expr(then);
                        self.expr(otherwise);
                    }
                }
                self.ty(&$($mutability)? expr.ty);
                self.span(&$($mutability)? expr.span);
            }

            /// The parts of a condition.
            fn walk_condition(&mut self, condition: &$($mutability)? Condition) {
                match condition {
                    Condition::Never | Condition::NotLeaked | Condition::ResultUnused | Condition::Commutes => {}
                    Condition::InitialisedLocal(local) => self.local(local),
                    Condition::Holds(expr)
                    | Condition::NotRaised(_, expr)
                    | Condition::NotNull(expr)
                    | Condition::Valid(expr)
                    | Condition::Live(expr)
                    | Condition::AllocBase(expr)
                    | Condition::Handle(expr)
                    | Condition::Lasting(expr)
                    | Condition::NulWithin(expr)
                    | Condition::WrittenText(expr)
                    | Condition::Callable(expr)
                    | Condition::StackFits(expr) => self.expr(expr),
                    Condition::Unnamed(list, ty) => {
                        self.expr(list);
                        self.ty(ty);
                    }
                    Condition::InBounds(place)
                    | Condition::Writable(place)
                    | Condition::Aligned(place, _)
                    | Condition::Initialised(place, _) => {
                        self.place(place);
                    }
                    Condition::SameObject(p, q)
                    | Condition::ReadableRange(p, q)
                    | Condition::WrittenRange(p, q)
                    | Condition::WritableRange(p, q) => {
                        self.expr(p);
                        self.expr(q);
                    }
                    Condition::SameOrDisjoint { p, q, n } => {
                        self.expr(p);
                        self.expr(q);
                        self.expr(n);
                    }
                    Condition::Disjoint { p, n, q, m } => {
                        self.expr(p);
                        self.expr(n);
                        self.expr(q);
                        self.expr(m);
                    }
                }
            }

            /// The parts of an obligation.
            fn walk_obligation(&mut self, obligation: &$($mutability)? Obligation) {
                self.walk_condition(&$($mutability)? obligation.condition);
                self.span(&$($mutability)? obligation.span);
            }

            /// Where a result goes.
            fn walk_result(&mut self, result: &$($mutability)? CallResult) {
                match result {
                    CallResult::Local(local) => self.local(local),
                    CallResult::Place(place) => self.place(place),
                }
            }

            /// An argument or a returned value.
            fn walk_argument(&mut self, argument: &$($mutability)? Argument) {
                match argument {
                    Argument::Value(value) => self.expr(value),
                    Argument::Object(place) => self.place(place),
                }
            }

            /// The parts of a call.
            fn walk_call(&mut self, call: &$($mutability)? Call) {
                if let Some(result) = &$($mutability)? call.result {
                    self.walk_result(result);
                }
                match &$($mutability)? call.callee {
                    Callee::Direct(function) => self.function(function),
                    Callee::Indirect(pointer) => self.expr(pointer),
                }
                for argument in &$($mutability)? call.arguments {
                    self.walk_argument(argument);
                }
                self.ty(&$($mutability)? call.signature);
            }

            /// The parts of an intrinsic call.
            fn walk_intrinsic(&mut self, call: &$($mutability)? IntrinsicCall) {
                if let Some(result) = &$($mutability)? call.result {
                    self.walk_result(result);
                }
                if let Intrinsic::VaArg(ty) = &$($mutability)? call.op {
                    self.ty(ty);
                }
                for argument in &$($mutability)? call.arguments {
                    self.expr(argument);
                }
            }

            /// The parts of a statement.
            fn walk_statement(&mut self, statement: &$($mutability)? Statement) {
                match &$($mutability)? statement.kind {
                    StatementKind::Check { first, .. } => self.obligation(first),
                    StatementKind::Assign { local, value } => {
                        self.local(local);
                        self.expr(value);
                    }
                    StatementKind::Load { local, place, .. } => {
                        self.local(local);
                        self.place(place);
                    }
                    StatementKind::Store { place, value, .. } => {
                        self.place(place);
                        self.expr(value);
                    }
                    StatementKind::Copy { to, from, .. } => {
                        self.place(to);
                        self.place(from);
                    }
                    StatementKind::Zero { place } => self.place(place),
                    StatementKind::StorageLive { local, bytes } => {
                        self.local(local);
                        if let Some(bytes) = bytes {
                            self.expr(bytes);
                        }
                    }
                    StatementKind::StorageDead { local } => self.local(local),
                    StatementKind::Assume { condition } => self.expr(condition),
                    StatementKind::Havoc { target: HavocTarget::Local(local) } => self.local(local),
                    StatementKind::Havoc { target: HavocTarget::Place(place) } => self.place(place),
                    StatementKind::Call(call) => self.walk_call(call),
                    StatementKind::Intrinsic(call) => self.walk_intrinsic(call),
                    StatementKind::Assembler { outputs, registers, inputs, .. } => {
                        for place in outputs {
                            self.place(place);
                        }
                        for local in registers {
                            self.local(local);
                        }
                        for input in inputs {
                            self.expr(input);
                        }
                    }
                    StatementKind::Unordered { obligation, .. } => self.obligation(obligation),
                    StatementKind::Unsupported { .. } => {}
                }
                self.span(&$($mutability)? statement.span);
            }

            /// The parts of a terminator.
            fn walk_terminator(&mut self, terminator: &$($mutability)? Terminator) {
                match terminator {
                    Terminator::Goto(target) => self.block(target),
                    Terminator::Branch { condition, then, otherwise } => {
                        self.expr(condition);
                        self.block(then);
                        self.block(otherwise);
                    }
                    Terminator::Switch { value, cases, default } => {
                        self.expr(value);
                        for (_, _, target) in cases {
                            self.block(target);
                        }
                        self.block(default);
                    }
                    Terminator::Return(value) => {
                        if let Some(value) = value {
                            self.walk_argument(value);
                        }
                    }
                    Terminator::Unreachable => {}
                    Terminator::ComputedGoto { address, targets } => {
                        self.expr(address);
                        for target in targets {
                            self.block(target);
                        }
                    }
                }
            }

            /// All of a body: locals, arena, obligations, blocks.
            fn walk_body(&mut self, body: &$($mutability)? Body) {
                for local in each!($($mutability)? body.locals) {
                    self.ty(&$($mutability)? local.ty);
                    self.span(&$($mutability)? local.span);
                }
                for expr in each!($($mutability)? body.exprs) {
                    self.walk_expr(expr);
                }
                for obligation in each!($($mutability)? body.obligations) {
                    self.walk_obligation(obligation);
                }
                for block in each!($($mutability)? body.blocks) {
                    for statement in &$($mutability)? block.statements {
                        self.walk_statement(statement);
                    }
                    self.walk_terminator(&$($mutability)? block.terminator);
                    self.span(&$($mutability)? block.span);
                }
            }

            /// All of a function.
            fn walk_function(&mut self, function: &$($mutability)? Function) {
                self.ty(&$($mutability)? function.ty);
                self.span(&$($mutability)? function.span);
                for condition in &$($mutability)? function.contract.requires {
                    self.expr(condition);
                }
                for condition in &$($mutability)? function.contract.ensures {
                    self.expr(condition);
                }
                if let Some(assigns) = &$($mutability)? function.contract.assigns {
                    for place in assigns {
                        self.place(place);
                    }
                }
                if let Some(body) = &$($mutability)? function.body {
                    self.walk_body(body);
                }
            }

            /// An address of a static initialiser.
            fn walk_address(&mut self, address: &$($mutability)? Address) {
                match address {
                    Address::Global(global) => self.global(global),
                    Address::Function(function) => self.function(function),
                    Address::Label(function, block) => {
                        self.function(function);
                        self.block(block);
                    }
                }
            }

            /// All of a global.
            fn walk_global(&mut self, global: &$($mutability)? Global) {
                self.ty(&$($mutability)? global.ty);
                self.span(&$($mutability)? global.span);
                if let Some(init) = &$($mutability)? global.init {
                    for relocation in &$($mutability)? init.relocations {
                        self.walk_address(&$($mutability)? relocation.target);
                        if let Some(minus) = &$($mutability)? relocation.minus {
                            self.walk_address(minus);
                        }
                    }
                }
            }

            /// All of a record.
            fn walk_record(&mut self, record: &$($mutability)? Record) {
                for field in &$($mutability)? record.fields {
                    self.ty(&$($mutability)? field.ty);
                }
            }

            /// The parts of a type.
            fn walk_type(&mut self, ty: &$($mutability)? Type) {
                match ty {
                    Type::Void | Type::Bool | Type::Int { .. } | Type::Float(_) | Type::Opaque { .. } => {}
                    Type::Pointer(inner) => self.ty(inner),
                    Type::Array { element, .. } => self.ty(element),
                    Type::Record(record) => self.record(record),
                    Type::Function { result, parameters, .. } => {
                        self.ty(result);
                        for parameter in parameters {
                            self.ty(parameter);
                        }
                    }
                }
            }
        }
    };
}

macro_rules! each {
    (mut $vector:expr) => {
        $vector.iter_mut()
    };
    ($vector:expr) => {
        $vector.iter()
    };
}

make_visitor! {
    /// Reads every handle.
    Visit
}

make_visitor! {
    /// May change every handle.
    VisitMut, mut
}

/// Calls back for each expression handle.
struct ExprHandles<F>(F);

impl<F: FnMut(ExprId)> Visit for ExprHandles<F> {
    fn expr(&mut self, expr: &ExprId) {
        (self.0)(*expr);
    }
}

/// Calls back for each block handle.
struct BlockHandles<F>(F);

impl<F: FnMut(BlockId)> Visit for BlockHandles<F> {
    fn block(&mut self, block: &BlockId) {
        (self.0)(*block);
    }
}

impl Expr {
    /// The expressions that this node is made from, those of a place among them.
    pub fn operands(&self, each: impl FnMut(ExprId)) {
        ExprHandles(each).walk_expr(self);
    }
}

impl Place {
    /// The expressions that the place is made from.
    pub fn exprs(&self, each: impl FnMut(ExprId)) {
        ExprHandles(each).place(self);
    }
}

impl Condition {
    /// The expressions that the condition names.
    pub fn exprs(&self, each: impl FnMut(ExprId)) {
        ExprHandles(each).walk_condition(self);
    }
}

impl Statement {
    /// The expressions that the statement names (not those of its obligations).
    pub fn exprs(&self, each: impl FnMut(ExprId)) {
        ExprHandles(each).walk_statement(self);
    }
}

impl Terminator {
    /// The expressions that the terminator names.
    pub fn exprs(&self, each: impl FnMut(ExprId)) {
        ExprHandles(each).walk_terminator(self);
    }

    /// The blocks that may run next; one may come more than once.
    pub fn successors(&self, each: impl FnMut(BlockId)) {
        BlockHandles(each).walk_terminator(self);
    }
}

impl Body {
    /// For each block, those that may run just before it, each once and in order.
    pub fn predecessors(&self) -> IndexVec<BlockId, Vec<BlockId>> {
        let mut predecessors: IndexVec<BlockId, Vec<BlockId>> =
            self.blocks.iter().map(|_| Vec::new()).collect();
        for (id, block) in self.blocks.iter_enumerated() {
            block.terminator.successors(|next| {
                if predecessors[next].last() != Some(&id) {
                    predecessors[next].push(id);
                }
            });
        }
        predecessors
    }

    /// All expressions reachable from one, itself included, each operand before its user and each node once.
    pub fn expr_nodes(&self, root: ExprId) -> Vec<ExprId> {
        let mut nodes = BTreeSet::from([root]);
        let mut current = Some(root);
        while let Some(node) = current {
            self.exprs[node].operands(|operand| {
                nodes.insert(operand);
            });
            // Operands come before their users, so everything above `node` is done.
            current = nodes.range(..node).next_back().copied();
        }
        nodes.into_iter().collect()
    }
}

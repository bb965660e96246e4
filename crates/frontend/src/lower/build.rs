// SPDX-License-Identifier: MIT OR Apache-2.0
//! The function under construction: blocks, locals, expression nodes, obligations.

use std::cell::Cell;
use std::sync::Arc;

use clew_base::float::Format;
use clew_base::index::{Idx, IndexVec};
use clew_base::source::Span;
use clew_checks::operation::{Operation, Scalar};
use clew_ir::obligation::{CheckKind, Condition, Obligation, Raise};
use clew_ir::syntax::{
    BinaryOp, Block, BlockId, Body, Expr, ExprId, ExprKind, FuncId, Local, LocalId, ObligationId, Statement,
    StatementKind, Storage, Terminator, Type, TypeId,
};
use rucc_sema::{CaseId, DeclId, LabelId, Tast};
use rustc_hash::{FxHashMap, FxHashSet};

use super::UnitLowering;
use super::narrow::Narrowed;
use super::scope::{Jump, Scope, ScopeId, StorageMode};
use super::sequence::{Effects, Touches};

/// An expression of rucc's tree.
pub(super) type CExpr = rucc_sema::ExprId;

/// State for one function.
pub(super) struct FunctionLowering<'f, 'u> {
    pub(super) unit: &'f mut UnitLowering<'u>,
    pub(super) tast: &'u Tast,
    pub(super) body: Body,
    /// The place asked for last.
    pub(super) last_span: Cell<Option<(CExpr, Span)>>,
    /// The block in which it was last said that floats are computed otherwise.
    pub(super) fast_math_said: Option<BlockId>,
    /// How deep each expression is.
    pub(super) depths: Vec<u32>,
    /// Blocks under construction; those without a terminator are open.
    pub(super) blocks: IndexVec<BlockId, OpenBlock>,
    pub(super) current: BlockId,
    pub(super) locals: FxHashMap<DeclId, LocalId>,
    pub(super) scopes: IndexVec<ScopeId, Scope>,
    /// Temporaries in memory of the full expressions that are being lowered.
    pub(super) temporaries: Vec<LocalId>,
    pub(super) scope: ScopeId,
    pub(super) storage_mode: StorageMode,
    pub(super) labels: FxHashMap<LabelId, BlockId>,
    pub(super) block_scopes: FxHashMap<BlockId, ScopeId>,
    pub(super) jumps: Vec<Jump>,
    pub(super) loops: Vec<Loop>,
    pub(super) cases: FxHashMap<CaseId, BlockId>,
    pub(super) defaults: Vec<Option<BlockId>>,
    /// Labels whose address is taken, and the blocks that computed gotos to them come through.
    pub(super) landings: FxHashMap<BlockId, BlockId>,
    /// Expressions that have been evaluated and must not be again: lengths of variable arrays, the shared
    /// operand of GNU's `?:`.
    pub(super) pinned: FxHashMap<CExpr, ExprId>,
    /// Sequences `a, b` whose `a` has been evaluated already, and what it touched.
    pub(super) hoisted: FxHashMap<CExpr, Touches>,
    /// Operations whose result is made narrower, which gcc computes in the narrow type.
    pub(super) narrowed: FxHashMap<CExpr, Narrowed>,
    pub(super) effects: Effects,
    /// Register locals that may be read before they are assigned.
    pub(super) suspicious: FxHashSet<LocalId>,
    pub(super) result: TypeId,
    pub(super) function: FuncId,
    pub(super) name: Arc<str>,
}

/// A block under construction.
#[derive(Default)]
pub(super) struct OpenBlock {
    pub(super) statements: Vec<Statement>,
    pub(super) terminator: Option<(Terminator, Span)>,
    pub(super) is_target: bool,
}

/// Where `break` and `continue` lead.
pub(super) struct Loop {
    pub(super) on_break: BlockId,
    pub(super) on_continue: Option<BlockId>,
    pub(super) scope: ScopeId,
}

impl FunctionLowering<'_, '_> {
    pub(super) fn new_block(&mut self) -> BlockId {
        self.blocks.push(OpenBlock::default())
    }

    /// Goes on writing in that block.
    pub(super) fn switch_to(&mut self, block: BlockId) {
        self.current = block;
    }

    /// Ends the current block. Code after it goes to a block that nothing reaches unless a label is there.
    pub(super) fn terminate(&mut self, terminator: Terminator, span: Span) {
        terminator.successors(|next| self.blocks[next].is_target = true);
        self.blocks[self.current].terminator = Some((terminator, span));
        self.current = self.new_block();
    }

    pub(super) fn goto(&mut self, block: BlockId, span: Span) {
        self.terminate(Terminator::Goto(block), span);
    }

    /// Ends the current block by going to `block` and goes on there.
    pub(super) fn flow_into(&mut self, block: BlockId, span: Span) {
        self.blocks[block].is_target = true;
        self.blocks[self.current].terminator = Some((Terminator::Goto(block), span));
        self.current = block;
    }

    /// Whether some run may come to the current block.
    pub(super) fn is_reachable(&self) -> bool {
        self.current.0 == 0 || self.blocks[self.current].is_target
    }

    pub(super) fn emit(&mut self, kind: StatementKind, span: Span) {
        let block = self.current;
        self.blocks[block].statements.push(Statement { kind, span });
    }

    pub(super) fn expr(&mut self, kind: ExprKind, ty: TypeId, span: Span) -> ExprId {
        let expr = Expr { kind, ty, span };
        let mut depth = 0;
        expr.operands(|operand| depth = depth.max(self.depths[operand.index()]));
        self.depths.push(depth + 1);
        self.body.exprs.push(expr)
    }

    /// The value, in a register if the expression is very deep: engines walk expressions, and some sums have a
    /// hundred thousand terms.
    pub(super) fn bounded(&mut self, value: ExprId, span: Span) -> ExprId {
        const DEEPEST: u32 = 48;
        if self.depths[value.index()] < DEEPEST { value } else { self.keep(value, span) }
    }

    pub(super) fn int_const(&mut self, value: i128, ty: TypeId, span: Span) -> ExprId {
        self.expr(ExprKind::Int(value), ty, span)
    }

    /// The zero of any scalar type.
    pub(super) fn zero(&mut self, ty: TypeId, span: Span) -> ExprId {
        let kind = match self.ir_type(ty) {
            Type::Float(_) => ExprKind::Float { bits: 0, text: None },
            _ => ExprKind::Int(0),
        };
        self.expr(kind, ty, span)
    }

    pub(super) fn local_value(&mut self, local: LocalId, span: Span) -> ExprId {
        let ty = self.body.locals[local].ty;
        self.expr(ExprKind::Local(local), ty, span)
    }

    pub(super) fn type_of(&self, expr: ExprId) -> TypeId {
        self.body.exprs[expr].ty
    }

    pub(super) fn ir_type(&self, ty: TypeId) -> &Type {
        self.unit.types.table.get(ty)
    }

    /// A fresh register without a name.
    pub(super) fn temporary(&mut self, ty: TypeId, span: Span) -> LocalId {
        self.body.locals.push(Local { name: None, ty, storage: Storage::Register, span })
    }

    /// A fresh register with a value.
    pub(super) fn keep(&mut self, value: ExprId, span: Span) -> ExprId {
        let local = self.temporary(self.type_of(value), span);
        self.emit(StatementKind::Assign { local, value }, span);
        self.local_value(local, span)
    }

    pub(super) fn span_of(&self, expr: CExpr) -> Span {
        // A node passes through several functions here, each of which wants its place.
        match self.last_span.get() {
            Some((known, span)) if known == expr => span,
            _ => {
                let span = self.unit.unit.span(self.tast.expr_span(expr));
                self.last_span.set(Some((expr, span)));
                span
            }
        }
    }

    pub(super) fn scalar_of(&self, ty: TypeId) -> Scalar {
        match self.ir_type(ty) {
            Type::Bool => Scalar::Bool,
            Type::Int { bits, signed } => Scalar::Int { bits: *bits, signed: *signed },
            Type::Float(format) => Scalar::Float(*format),
            _ => Scalar::Pointer,
        }
    }

    /// Adds the obligations that an operation carries, and a check for them.
    pub(super) fn demand(&mut self, operation: &Operation<'_>, span: Span) {
        let is_float = |scalar: Scalar| matches!(scalar, Scalar::Float(_));
        let is_half = |scalar: Scalar| matches!(scalar, Scalar::Float(Format::F16));
        match *operation {
            Operation::Arithmetic { scalar, .. } | Operation::Compare { scalar, .. } if is_half(scalar) => {
                // gcc computes in float and rounds where a value is stored.
                self.unsupported("arithmetic of `_Float16`", span);
            }
            Operation::Arithmetic { scalar, .. } | Operation::Compare { scalar, .. } if is_float(scalar) => {
                self.floats_here(span);
            }
            Operation::Convert { from, to, .. } if is_float(from) || is_float(to) => self.floats_here(span),
            _ => {}
        }
        let first = self.body.obligations.next_index();
        let exprs = &self.body.exprs;
        let table = &self.unit.types.table;
        let obligations = &mut self.body.obligations;
        clew_checks::demand(operation, &mut |check, condition| {
            if !holds_by_constants(exprs, table, &condition) {
                obligations.push(Obligation { check, condition, span });
            }
        });
        let count = (self.body.obligations.len() - first.0 as usize) as u32;
        if count > 0 {
            self.emit(StatementKind::Check { first, count }, span);
        }
    }

    /// Under `-ffast-math` the compiler computes something else, which is not modelled: said once in a block.
    pub(super) fn floats_here(&mut self, span: Span) {
        if self.unit.unit.semantics.fast_math && self.fast_math_said != Some(self.current) {
            self.fast_math_said = Some(self.current);
            self.unsupported("floats under -ffast-math", span);
        }
    }

    /// One obligation without a check statement of its own.
    pub(super) fn obligation(&mut self, operation: &Operation<'_>, span: Span) -> Option<ObligationId> {
        let mut made: Option<(CheckKind, Condition)> = None;
        clew_checks::demand(operation, &mut |check, condition| made = Some((check, condition)));
        let (check, condition) = made?;
        Some(self.body.obligations.push(Obligation { check, condition, span }))
    }

    /// Nothing is known from here on; the value stands in for one that cannot be computed.
    pub(super) fn unsupported(&mut self, what: &str, span: Span) {
        self.emit(StatementKind::Unsupported { what: what.into() }, span);
    }
}

/// Conditions that the constants in them settle: `x / 2` divides by no zero.
fn holds_by_constants(
    exprs: &IndexVec<ExprId, Expr>,
    table: &clew_ir::types::TypeTable,
    condition: &Condition,
) -> bool {
    let constant = |id: ExprId| match exprs[id].kind {
        ExprKind::Int(value) => Some(value),
        _ => None,
    };
    let Condition::NotRaised(raise, id) = condition else { return false };
    let ExprKind::Binary(op, _, right) = exprs[*id].kind else { return false };
    let Some(right) = constant(right) else { return false };
    let Type::Int { bits, signed } = table.get(exprs[*id].ty) else { return false };
    match (raise, op) {
        (Raise::DivisionByZero, _) => right != 0,
        (Raise::SignedOverflow, BinaryOp::Div | BinaryOp::Rem) => right != -1,
        (Raise::ShiftRange, BinaryOp::Shr) => (0..i128::from(*bits)).contains(&right),
        (Raise::ShiftRange, BinaryOp::Shl) => !signed && (0..i128::from(*bits)).contains(&right),
        _ => false,
    }
}

impl From<OpenBlock> for Block {
    fn from(block: OpenBlock) -> Block {
        let (terminator, span) = block.terminator.unwrap_or((Terminator::Unreachable, Span::NONE));
        Block { statements: block.statements, terminator, span }
    }
}

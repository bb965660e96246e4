// SPDX-License-Identifier: MIT OR Apache-2.0
//! Walking the expressions of rucc's typed tree.

use rucc_sema::{DeclId, ExprId, ExprKind, StmtId, Tast};

/// What a walk meets.
pub(crate) trait Visit {
    /// An expression, before its parts.
    fn expr(&mut self, id: ExprId);
    /// The block of a statement expression; its own statements are not walked.
    fn nested_block(&mut self, block: StmtId);
}

/// Visits an expression and all its parts. Trees may be very deep, so this keeps its own stack.
pub(crate) fn walk_expr(tast: &Tast, root: ExprId, visitor: &mut impl Visit) {
    let mut open = vec![root];
    let mut parts = Vec::new();
    while let Some(id) = open.pop() {
        visitor.expr(id);
        if let ExprKind::StmtExpr(block) = tast[id].kind {
            visitor.nested_block(block);
        }
        parts.clear();
        push_parts(tast, id, &mut parts);
        open.extend(parts.iter().rev());
    }
}

/// The values an initialiser stores.
pub(crate) fn initialiser_values(tast: &Tast, decl: DeclId) -> impl Iterator<Item = ExprId> + '_ {
    tast[decl].init.into_iter().flat_map(|init| tast[init].iter().map(|entry| entry.value))
}

/// The direct parts of an expression, in the order they are written.
fn push_parts(tast: &Tast, id: ExprId, out: &mut Vec<ExprId>) {
    use ExprKind as K;
    match tast[id].kind {
        K::Member { base: a, .. }
        | K::Unary { operand: a, .. }
        | K::Cast(a)
        | K::Convert { operand: a, .. }
        | K::ConvertVector { operand: a }
        | K::Abs { operand: a }
        | K::ByteSwap { operand: a }
        | K::BitCount { operand: a, .. }
        | K::VaArg { list: a }
        | K::VaStart { list: a }
        | K::VaEnd { list: a }
        | K::Prefetch { address: a, .. }
        | K::ObjectSize { address: a, .. }
        | K::ConstantP { value: a }
        | K::Alloca { size: a }
        | K::Jump { buffer: a, .. } => out.push(a),
        K::Subscript { base: a, index: b }
        | K::Binary { lhs: a, rhs: b, .. }
        | K::Assign { lhs: a, rhs: b, .. }
        | K::Comma { lhs: a, rhs: b }
        | K::VaCopy { dst: a, src: b }
        | K::Complex { real: a, imag: b }
        | K::Expect { value: a, hint: b, .. }
        | K::XState { address: a, mask: b, .. }
        | K::Apply { function: a, args: b, .. } => out.extend([a, b]),
        K::Cond { cond, then, otherwise } => out.extend([cond, then, otherwise]),
        K::Classify { lhs, rhs, .. } | K::Sign { lhs, rhs, .. } | K::Elementwise { lhs, rhs, .. } => {
            out.push(lhs);
            out.extend(rhs);
        }
        K::Shuffle { lhs, rhs, mask } => {
            out.push(lhs);
            out.extend(rhs);
            out.push(mask);
        }
        K::Call { callee, args } => {
            out.push(callee);
            out.extend(&tast[args]);
        }
        K::FpClassify { value, answers } => {
            out.push(value);
            out.extend(&tast[answers]);
        }
        K::ShuffleVector { operands: list }
        | K::Overflow { args: list, .. }
        | K::Atomic { args: list, .. } => {
            out.extend(&tast[list]);
        }
        K::TimeStamp { aux: part } | K::Eflags { value: part } => out.extend(part),
        K::CompoundLiteral(decl) => out.extend(initialiser_values(tast, decl)),
        K::Error | K::Const(_) | K::Str(_) | K::Decl(_) | K::StmtExpr(_) | K::LabelAddr(_) => {}
        K::Unreachable | K::Trap | K::FrameAddress { .. } | K::ThreadPointer | K::SpEntry => {}
        K::CpuModel { .. } | K::ApplyArgs => {}
    }
}

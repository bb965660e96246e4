// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a test says about the values that went into it, backwards through the expression.

use clew_base::int::IntType;
use clew_ir::syntax::{BinaryOp, Builtin, CompareOp, ExprId, ExprKind, LocalId, UnaryOp};
use clew_ir::types::Class;

use crate::domain::float::Float;
use crate::domain::int::Int;
use crate::domain::value::{Address, Kind, Value, meet};
use crate::domain::{Tri, float, int};
use crate::effort::refine::{DEEPEST, RELATED};
use crate::engine::facts::{Facts, Frame};
use crate::engine::transfer::Transfer;
use crate::memory::object::Obj;
use crate::program::comparison::Comparison;
use crate::program::object::Object;
use crate::state::{Definition, State};
use crate::transfer::eval::is_near;

impl<'p> Facts<'p> {
    fn keeps_zero(&self, from: clew_ir::syntax::TypeId, to: clew_ir::syntax::TypeId) -> bool {
        match (self.types.class(from), self.types.class(to)) {
            (_, Class::Int(IntType::BOOL)) => true,
            (Class::Int(a), Class::Int(b)) => b.bits >= a.bits,
            (Class::Pointer, Class::Pointer) => true,
            _ => false,
        }
    }

    fn refine_addresses(&self, op: CompareOp, a: &Address, b: &Address) -> Option<(Kind, Kind)> {
        let only_null = |x: &Address| {
            x.targets.is_empty() && !x.unknown && x.number.is_some_and(|n| n.as_constant() == Some(0))
        };
        let keep = |x: Address, y: Address| Some((x.into_kind()?, y.into_kind()?));
        match op {
            CompareOp::Eq if only_null(b) => keep(keep_null(a, true), b.clone()),
            CompareOp::Eq if only_null(a) => keep(a.clone(), keep_null(b, true)),
            CompareOp::Ne if only_null(b) => keep(keep_null(a, false), b.clone()),
            CompareOp::Ne if only_null(a) => keep(a.clone(), keep_null(b, false)),
            _ => {
                let single = |x: &Address| {
                    (x.number.is_none() && !x.unknown && x.targets.len() == 1).then(|| x.targets[0])
                };
                match (single(a), single(b)) {
                    (Some((x, o)), Some((y, p))) if x == y && !self.is_summary(x) => {
                        let (o, p) = int::refine(op, &o, &p)?;
                        keep(Address::of(x, o), Address::of(x, p))
                    }
                    _ => keep(a.clone(), b.clone()),
                }
            }
        }
    }

    /// The object of a function, behind its alias.
    pub(crate) fn function_object(
        &mut self,
        function: clew_ir::syntax::FuncId,
    ) -> crate::program::object::ObjectId {
        let function = self.resolve(function);
        self.objects.id(Object::Function(function))
    }

    /// The function behind an alias.
    pub(crate) fn resolve(&self, function: clew_ir::syntax::FuncId) -> clew_ir::syntax::FuncId {
        crate::program::call_graph::resolve(self.program, function)
    }
}

impl<'p> Transfer<'p> {
    /// Keeps the runs in which the expression is (or is not) zero. False: there are none.
    #[must_use]
    pub(crate) fn assume(&mut self, frame: &Frame<'p>, state: &mut State, expr: ExprId, truth: bool) -> bool {
        self.assume_within(frame, state, expr, truth, DEEPEST)
    }

    fn assume_within(
        &mut self,
        frame: &Frame<'p>,
        state: &mut State,
        expr: ExprId,
        truth: bool,
        depth: u32,
    ) -> bool {
        match self.eval.truth(frame, state, expr, 2) {
            Tri::True if !truth => return false,
            Tri::False if truth => return false,
            _ => {}
        }
        if depth == 0 {
            return true;
        }
        let node = &frame.body.exprs[expr];
        match &node.kind {
            ExprKind::Compare(op, left, right) => {
                let test = Comparison { op: *op, left: *left, right: *right };
                self.assume_compare(frame, state, test, truth, depth)
            }
            ExprKind::Local(local) => {
                if let Some(Definition::Expr(definition)) = state.definitions.get(*local) {
                    let definition = *definition;
                    if !self.assume_within(frame, state, definition, truth, depth - 1) {
                        return false;
                    }
                }
                self.assume_nonzero(frame, state, expr, truth, depth)
            }
            // To `_Bool` or a wider type: zero stays zero.
            ExprKind::Cast(inner) if self.eval.facts.keeps_zero(frame.body.exprs[*inner].ty, node.ty) => {
                self.assume_within(frame, state, *inner, truth, depth - 1)
            }
            ExprKind::Binary(BinaryOp::And, left, right)
                if truth && is_truth(frame, state, *left) && is_truth(frame, state, *right) =>
            {
                self.assume_within(frame, state, *left, true, depth - 1)
                    && self.assume_within(frame, state, *right, true, depth - 1)
            }
            ExprKind::Binary(BinaryOp::Or, left, right) if !truth => {
                self.assume_within(frame, state, *left, false, depth - 1)
                    && self.assume_within(frame, state, *right, false, depth - 1)
            }
            ExprKind::Builtin(builtin, operands) if is_test(frame, expr) => {
                let Some(operand) = operands.first().copied() else { return true };
                let Kind::Float(f) = self.eval.eval(frame, state, operand).kind else { return true };
                let Some(format) = self.eval.facts.types.float_format(frame.body.exprs[operand].ty) else {
                    return true;
                };
                let kept = match builtin {
                    Builtin::IsNan => f.nan_only_if(truth),
                    Builtin::IsInf | Builtin::IsInfSign => f.infinite_if(truth, format),
                    Builtin::IsFinite => f.finite_if(truth, format),
                    _ => f.negative_if(truth),
                };
                match kept {
                    Some(kept) if kept != f => self.push(frame, state, operand, &Kind::Float(kept), depth),
                    kept => kept.is_some(),
                }
            }
            _ => self.assume_nonzero(frame, state, expr, truth, depth),
        }
    }

    fn assume_nonzero(
        &mut self,
        frame: &Frame<'p>,
        state: &mut State,
        expr: ExprId,
        truth: bool,
        depth: u32,
    ) -> bool {
        let value = self.eval.eval(frame, state, expr);
        let zero = Int::constant(0);
        let op = if truth { CompareOp::Ne } else { CompareOp::Eq };
        let kept = match &value.kind {
            Kind::Number(n) => int::refine(op, n, &zero).map(|(n, _)| Kind::Number(n)),
            Kind::Address(address) => keep_null(address, !truth).into_kind(),
            _ => return true,
        };
        match kept {
            Some(kind) => self.push(frame, state, expr, &kind, depth),
            None => false,
        }
    }

    fn assume_compare(
        &mut self,
        frame: &Frame<'p>,
        state: &mut State,
        test: Comparison,
        truth: bool,
        depth: u32,
    ) -> bool {
        let Comparison { op, left, right } = test;
        let known = if truth { test } else { test.negated() };
        let (a, b) = (self.eval.eval(frame, state, left).kind, self.eval.eval(frame, state, right).kind);
        let format = self.eval.facts.types.float_format(frame.body.exprs[left].ty);
        let same = self.eval.facts.same_float(frame, state, left, right);
        let kept = match (&a, &b, format) {
            (Kind::Float(x), Kind::Float(y), Some(_)) if same => {
                let not_nan = matches!(op, CompareOp::Eq | CompareOp::Le | CompareOp::Ge) == truth;
                let strict = matches!(op, CompareOp::Lt | CompareOp::Gt);
                let of = |f: &Float| match (strict, not_nan) {
                    (true, _) => (!truth).then_some(*f),
                    (false, true) => f.without_nan(),
                    (false, false) => f.meet(&Float::nan()),
                };
                of(x).zip(of(y)).map(|(x, y)| (Kind::Float(x), Kind::Float(y)))
            }
            (Kind::Float(x), Kind::Float(y), Some(format)) => {
                let kept = if truth {
                    float::refine(op, x, y, format)
                } else {
                    float::refine_false(op, x, y, format)
                };
                kept.map(|(x, y)| (Kind::Float(x), Kind::Float(y)))
            }
            (Kind::Number(x), Kind::Number(y), _) => {
                int::refine(known.op, x, y).map(|(x, y)| (Kind::Number(x), Kind::Number(y)))
            }
            (Kind::Number(_) | Kind::Address(_), Kind::Number(_) | Kind::Address(_), _) => {
                self.eval.facts.refine_addresses(known.op, &a.to_address(), &b.to_address())
            }
            _ => Some((a.clone(), b.clone())),
        };
        let Some((x, y)) = kept else { return false };
        if (x != a && !self.push(frame, state, left, &x, depth))
            || (y != b && !self.push(frame, state, right, &y, depth))
        {
            return false;
        }
        if format.is_some() && !self.assume_octagons(frame, state, known) {
            return false;
        }
        if format.is_none() {
            self.learn(frame, state, known);
        }
        self.assume_flag(frame, state, test, truth, depth)
    }

    /// `flag != 0` and `flag == 0`, where the flag has a definition of its own.
    fn assume_flag(
        &mut self,
        frame: &Frame<'p>,
        state: &mut State,
        test: Comparison,
        truth: bool,
        depth: u32,
    ) -> bool {
        let is_zero = matches!(frame.body.exprs[test.right].kind, ExprKind::Int(0));
        let truth = match test.op {
            CompareOp::Ne if is_zero => truth,
            CompareOp::Eq if is_zero => !truth,
            _ => return true,
        };
        let expr = test.left;
        match &frame.body.exprs[expr].kind {
            ExprKind::Compare(..) | ExprKind::Cast(_) | ExprKind::Builtin(..) => {
                self.assume_within(frame, state, expr, truth, depth - 1)
            }
            ExprKind::Local(local) => match state.definitions.get(*local) {
                Some(Definition::Expr(definition)) => {
                    let definition = *definition;
                    self.assume_within(frame, state, definition, truth, depth - 1)
                }
                _ => true,
            },
            _ => true,
        }
    }

    /// Remembers a comparison of two registers.
    fn learn(&mut self, frame: &Frame<'p>, state: &mut State, test: Comparison) {
        let Comparison { op, left, right } = test;
        let is_pointer = self.eval.facts.types.is_pointer(frame.body.exprs[left].ty);
        match (self.eval.offset_local(frame, state, left), self.eval.offset_local(frame, state, right)) {
            (Some((x, a)), Some((y, b))) if !is_pointer => {
                self.compared(state, op, (x.into(), a), (y.into(), b));
            }
            _ => {
                self.learn_cursors(frame, state, test);
                if !is_pointer {
                    self.learn_sums(frame, state, test);
                }
            }
        }
    }

    /// Learns that an expression is in a smaller value. False: that cannot be.
    #[must_use]
    pub(crate) fn push(
        &mut self,
        frame: &Frame<'p>,
        state: &mut State,
        expr: ExprId,
        kind: &Kind,
        depth: u32,
    ) -> bool {
        if depth == 0 {
            return true;
        }
        let node = &frame.body.exprs[expr];
        match &node.kind {
            ExprKind::Local(local) => self.restrict(frame, state, *local, kind, depth),
            ExprKind::Cast(inner) => {
                let (inner, from) = (*inner, frame.body.exprs[*inner].ty);
                match (self.eval.facts.types.class(from), self.eval.facts.types.class(node.ty), kind) {
                    (Class::Pointer, Class::Pointer, kind) => self.push(frame, state, inner, kind, depth - 1),
                    (Class::Int(_), Class::Int(to), Kind::Number(n)) if to.bits > 1 => {
                        let Kind::Number(before) = self.eval.eval(frame, state, inner).kind else {
                            return true;
                        };
                        // Only where the conversion keeps values can it be undone.
                        if before.fits(to).is_true() {
                            self.push(frame, state, inner, &Kind::Number(*n), depth - 1)
                        } else {
                            self.push_through_wrap(frame, state, inner, &before, n, to, depth)
                        }
                    }
                    (Class::Float(a), Class::Float(b), Kind::Float(f)) if b.precision() >= a.precision() => {
                        match f.of_format(a) {
                            Some(f) => self.push(frame, state, inner, &Kind::Float(f), depth - 1),
                            None => false,
                        }
                    }
                    (_, to, kind) => self.push_float_cast(frame, state, inner, to, kind, depth),
                }
            }
            ExprKind::Binary(op, left, right) => {
                self.push_binary(frame, state, expr, *op, *left, *right, kind, depth)
            }
            ExprKind::Unary(UnaryOp::Neg, inner) => match (kind, self.eval.facts.types.class(node.ty)) {
                // An unsigned negation wraps: what it came from is not the negation of what it is.
                (Kind::Number(n), Class::Int(ty)) if ty.signed && n.lo() > ty.min() => {
                    let inner = *inner;
                    self.push(frame, state, inner, &Kind::Number(n.neg()), depth - 1)
                }
                (Kind::Float(f), _) => self.push(frame, state, *inner, &Kind::Float(f.neg()), depth - 1),
                _ => true,
            },
            ExprKind::Select { condition, then, otherwise } => {
                self.push_select(frame, state, *condition, *then, *otherwise, kind, depth)
            }
            // What has this magnitude is the magnitude itself or its negation.
            ExprKind::Builtin(Builtin::Fabs, operands) => {
                let ([inner], Kind::Float(magnitude)) = (&operands[..], kind) else { return true };
                let Kind::Float(before) = self.eval.eval(frame, state, *inner).kind else { return true };
                let kept = match (before.meet(magnitude), before.meet(&magnitude.neg())) {
                    (Some(a), Some(b)) => a.join(&b),
                    (Some(one), None) | (None, Some(one)) => one,
                    (None, None) => return false,
                };
                self.push(frame, state, *inner, &Kind::Float(kept), depth - 1)
            }
            ExprKind::PointerAdd { pointer, index, stride } => {
                self.push_pointer_add(frame, state, *pointer, *index, *stride, kind, depth)
            }
            _ => true,
        }
    }

    /// A signed value seen as unsigned: `(unsigned)i < 10` says that `i` is not negative.
    #[expect(clippy::too_many_arguments, reason = "the two sides of a conversion and where they stand")]
    fn push_through_wrap(
        &mut self,
        frame: &Frame<'p>,
        state: &mut State,
        inner: ExprId,
        before: &Int,
        after: &Int,
        to: IntType,
        depth: u32,
    ) -> bool {
        if to.bits >= 128 {
            return true;
        }
        // Values of `before` that wrap into `after`: as they are, or wrapped around once, down or up.
        let iteration = Int::constant(1i128 << to.bits);
        let candidates = [*after, after.sub(&iteration), after.add(&iteration)];
        let reach = candidates[1].join(&candidates[2]);
        if !before.is_subset(&Int::range(reach.lo(), reach.hi())) {
            return true;
        }
        let kept = candidates.iter().filter_map(|c| before.meet(c)).reduce(|a, b| a.join(&b));
        match kept {
            Some(n) => self.push(frame, state, inner, &Kind::Number(n), depth - 1),
            None => false,
        }
    }

    #[expect(clippy::too_many_arguments, reason = "an operation has this many parts")]
    fn push_binary(
        &mut self,
        frame: &Frame<'p>,
        state: &mut State,
        expr: ExprId,
        op: BinaryOp,
        left: ExprId,
        right: ExprId,
        kind: &Kind,
        depth: u32,
    ) -> bool {
        if let (Kind::Float(result), Class::Float(format)) =
            (kind, self.eval.facts.types.class(frame.body.exprs[expr].ty))
        {
            return self.push_float_binary(frame, state, op, left, right, result, format, depth);
        }
        let Kind::Number(result) = kind else { return true };
        let (Kind::Number(a), Kind::Number(b)) =
            (self.eval.eval(frame, state, left).kind, self.eval.eval(frame, state, right).kind)
        else {
            return true;
        };
        let Class::Int(ty) = self.eval.facts.types.class(frame.body.exprs[expr].ty) else { return true };
        let exact = match op {
            BinaryOp::Add => a.add(&b),
            BinaryOp::Sub => a.sub(&b),
            _ => return self.push_bits(frame, state, op, (left, &a), (right, &b), result, depth),
        };
        let no_wrap = exact.fits(ty).is_true()
            || (self.eval.context.prune_arithmetic && frame.unwrapped.contains(&expr));
        if !no_wrap {
            let (x, y) = match unwrapped(op, &a, &b, result, ty) {
                Some(kept) => kept,
                None => return ty.bits >= 128,
            };
            return self.push_number(frame, state, left, &a, &x, depth)
                && self.push_number(frame, state, right, &b, &y, depth);
        }
        let (x, y) = match op {
            BinaryOp::Add => (result.sub(&b), result.sub(&a)),
            _ => (result.add(&b), a.sub(result)),
        };
        self.push_number(frame, state, left, &a, &x, depth)
            && self.push_number(frame, state, right, &b, &y, depth)
    }

    /// `x & mask`, `x / c` and shifts by constants are undone.
    #[expect(clippy::too_many_arguments, reason = "an operation has this many parts")]
    fn push_bits(
        &mut self,
        frame: &Frame<'p>,
        state: &mut State,
        op: BinaryOp,
        (left, a): (ExprId, &Int),
        (_, b): (ExprId, &Int),
        result: &Int,
        depth: u32,
    ) -> bool {
        let Some(c) = b.as_constant() else { return true };
        if op == BinaryOp::And {
            return match a.masked_in(c, result) {
                None => false,
                Some(x) => self.push_number(frame, state, left, a, &x, depth),
            };
        }
        let bounded = |lo: i128, hi: i128| lo != i128::MIN && hi != i128::MAX;
        if !bounded(result.lo(), result.hi())
            || c.abs() >= 1 << 62
            || result.lo().abs().max(result.hi().abs()) >= 1 << 62
        {
            return true;
        }
        let bits = match self.eval.facts.types.class(frame.body.exprs[left].ty) {
            Class::Int(ty) => i128::from(ty.bits),
            _ => return true,
        };
        let x = match op {
            BinaryOp::Div if c > 0 => {
                let lo = if result.lo() > 0 { result.lo() * c } else { result.lo() * c - (c - 1) };
                let hi = if result.hi() < 0 { result.hi() * c } else { result.hi() * c + (c - 1) };
                Int::range(lo, hi)
            }
            // A count that is too large does what the machine likes.
            BinaryOp::Shr
                if (0..40.min(bits)).contains(&c) && result.hi() < 1 << 40 && result.lo() > -(1 << 40) =>
            {
                Int::range(result.lo() << c, (result.hi() << c) + (1 << c) - 1)
            }
            _ => return true,
        };
        self.push_number(frame, state, left, a, &x, depth)
    }

    fn push_number(
        &mut self,
        frame: &Frame<'p>,
        state: &mut State,
        expr: ExprId,
        old: &Int,
        new: &Int,
        depth: u32,
    ) -> bool {
        match old.meet(new) {
            None => false,
            Some(n) if n == *old => true,
            Some(n) => self.push(frame, state, expr, &Kind::Number(n), depth - 1),
        }
    }

    #[expect(clippy::too_many_arguments, reason = "an operation has this many parts")]
    fn push_pointer_add(
        &mut self,
        frame: &Frame<'p>,
        state: &mut State,
        pointer: ExprId,
        index: ExprId,
        stride: u64,
        kind: &Kind,
        depth: u32,
    ) -> bool {
        let Kind::Address(moved) = kind else { return true };
        let Kind::Address(base) = self.eval.eval(frame, state, pointer).kind else { return true };
        let Kind::Number(step) = self.eval.eval(frame, state, index).kind else { return true };
        // One object on both sides: the offsets say how far.
        let ([(x, to)], [(y, from)]) = (&moved.targets[..], &base.targets[..]) else { return true };
        if x != y || moved.unknown || base.unknown || stride == 0 {
            return true;
        }
        let distance = step.mul(&Int::constant(i128::from(stride)));
        let pointer_type = IntType::signed(u16::from(self.eval.facts.program.target.pointer_bytes) * 8);
        if !distance.fits(pointer_type).is_true() {
            return true;
        }
        let travelled = to.sub(from);
        let steps = if travelled.lo() == i128::MIN || travelled.hi() == i128::MAX {
            None
        } else {
            let s = i128::from(stride);
            let (lo, hi) = (
                travelled.lo().div_euclid(s) + i128::from(travelled.lo().rem_euclid(s) != 0),
                travelled.hi().div_euclid(s),
            );
            if lo > hi {
                return false;
            }
            Some(Int::range(lo, hi))
        };
        if let Some(steps) = steps
            && !self.push_number(frame, state, index, &step, &steps, depth)
        {
            return false;
        }
        match from.meet(&to.sub(&distance)) {
            None => false,
            Some(offset) => {
                let mut kept = Address::of(*x, offset);
                kept.number = if moved.number.is_some() { base.number } else { None };
                match kept.into_kind() {
                    Some(kind) => self.push(frame, state, pointer, &kind, depth - 1),
                    None => false,
                }
            }
        }
    }

    /// A register is in a smaller value, and so is what it is known to equal.
    pub(crate) fn restrict(
        &mut self,
        frame: &Frame<'p>,
        state: &mut State,
        local: LocalId,
        kind: &Kind,
        depth: u32,
    ) -> bool {
        let old = state.register(local);
        if let Some(Definition::Loaded(_, site)) = state.definitions.get(local)
            && matches!(kind, Kind::Number(n) if !n.contains(0))
        {
            self.pass_nul(frame, state, *site);
        }
        if old.uninit {
            // Two reads of such a register need not agree.
            return true;
        }
        let Some(kept) = meet(&old.kind, kind) else { return false };
        if kept == old.kind {
            return true;
        }
        state.refine_register(local, Value::new(kept.clone()));
        self.follow_readers(frame, state, local);
        if !self.decide(frame, state, crate::domain::place::Place::Register(local), depth - 1) {
            return false;
        }
        let goes_on = match state.definitions.get(local).cloned() {
            Some(Definition::Expr(expr)) => self.push(frame, state, expr, &kept, depth - 1),
            Some(Definition::Loaded(_, site)) => self.restrict_loaded(frame, state, site, &kept, depth - 1),
            Some(Definition::Cell(cell)) => self.restrict_cell(frame, state, cell, &kept, depth - 1),
            Some(Definition::Parameter(_)) | None => true,
        };
        goes_on && (depth <= RELATED || self.restrict_related(frame, state, local, &kept))
    }

    /// A register is in a smaller range: so are those that are known to be at most so far from it. False: that cannot be.
    fn restrict_related(
        &mut self,
        frame: &Frame<'p>,
        state: &mut State,
        local: LocalId,
        kind: &Kind,
    ) -> bool {
        let Kind::Number(number) = kind else { return true };
        let of_other = |(x, y, c): (LocalId, LocalId, i128)| {
            if y == local {
                Some((x, Int::range(i128::MIN, number.hi().checked_add(c)?)))
            } else if x == local {
                Some((y, Int::range(number.lo().checked_sub(c)?, i128::MAX)))
            } else {
                None
            }
        };
        let ranges: Vec<(LocalId, Int)> = state.domains.relations.iter().filter_map(of_other).collect();
        ranges.into_iter().all(|(other, range)| {
            let known = state.registers().get(other).map(|value| &value.kind);
            !matches!(known, Some(Kind::Number(_)))
                || self.restrict(frame, state, other, &Kind::Number(range), RELATED)
        })
    }

    /// One of two expressions, by a condition, is in a smaller value: the condition held and the one is, or it did not
    /// and the other is.
    #[expect(clippy::too_many_arguments, reason = "an operation has this many parts")]
    fn push_select(
        &mut self,
        frame: &Frame<'p>,
        state: &mut State,
        condition: ExprId,
        then: ExprId,
        otherwise: ExprId,
        kind: &Kind,
        depth: u32,
    ) -> bool {
        let mut chosen = |truth: bool, expr: ExprId| {
            let mut own = state.clone();
            let possible = self.assume_within(frame, &mut own, condition, truth, depth - 1)
                && match meet(&self.eval.eval(frame, &own, expr).kind, kind) {
                    Some(kept) => self.push(frame, &mut own, expr, &kept, depth - 1),
                    None => false,
                };
            possible.then_some(own)
        };
        match (chosen(true, then), chosen(false, otherwise)) {
            (Some(a), Some(b)) => *state = a.join(&b),
            (Some(one), None) | (None, Some(one)) => *state = one,
            (None, None) => return false,
        }
        true
    }

    /// What stands in memory is what was read from there: others that read it know more, too.
    fn restrict_cell(
        &mut self,
        frame: &Frame<'p>,
        state: &mut State,
        cell: crate::domain::place::Cell,
        kind: &Kind,
        depth: u32,
    ) -> bool {
        if self.eval.facts.is_summary(cell.object) {
            return true;
        }
        let offset = Int::constant(i128::from(cell.offset));
        if let Some(object) = state.object(cell.object) {
            let read = object.contents.read(&offset, cell.shape);
            if !read.uninit
                && let Some(kept) = meet(&read.kind, kind)
                && kept != read.kind
            {
                let mut new: Obj = (**object).clone();
                new.contents.restrict(cell.offset, cell.shape, &kept);
                state.set_object(cell.object, new);
            }
        }
        reread(state, cell.object, cell.offset, cell.offset + cell.shape.bytes())
            && self.decide(frame, state, crate::domain::place::Place::Cell(cell), depth)
    }

    /// Learns something about where an address expression points. False: that cannot be.
    #[must_use]
    pub(crate) fn push_address(
        &mut self,
        frame: &Frame<'p>,
        state: &mut State,
        expr: ExprId,
        address: Address,
    ) -> bool {
        match address.into_kind() {
            Some(kind) => self.push(frame, state, expr, &kind, DEEPEST),
            None => false,
        }
    }
}

/// Whether an expression is a test of a float: zero, or not.
pub(crate) fn is_test(frame: &Frame<'_>, expr: ExprId) -> bool {
    matches!(
        frame.body.exprs[expr].kind,
        ExprKind::Builtin(
            Builtin::IsNan | Builtin::IsInf | Builtin::IsInfSign | Builtin::IsFinite | Builtin::SignBit,
            _
        )
    )
}

/// Whether an expression is a comparison: 0 or 1.
pub(crate) fn is_truth(frame: &Frame<'_>, state: &State, expr: ExprId) -> bool {
    match &frame.body.exprs[expr].kind {
        ExprKind::Compare(..) => true,
        ExprKind::Cast(inner) => is_truth(frame, state, *inner),
        ExprKind::Local(local) => match state.definitions.get(*local) {
            Some(Definition::Expr(definition)) => {
                matches!(frame.body.exprs[*definition].kind, ExprKind::Compare(..) | ExprKind::Cast(_))
                    && is_truth(frame, state, *definition)
            }
            _ => false,
        },
        _ => false,
    }
}

/// The address restricted to null, or to everything else.
fn keep_null(address: &Address, null: bool) -> Address {
    if !null {
        return Address { number: address.number.and_then(|n| n.exclude(0)), ..address.clone() };
    }
    let zero = Int::constant(0);
    let number = if address.unknown { Some(zero) } else { address.number.and_then(|n| n.meet(&zero)) };
    let far = |(_, offset): &&(crate::program::object::ObjectId, Int)| !is_near(offset);
    Address { number, targets: address.targets.iter().filter(far).copied().collect(), unknown: false }
}

/// Registers that equal what stands in these bytes know what is known there. False: that cannot be.
pub(crate) fn reread(
    state: &mut State,
    object: crate::program::object::ObjectId,
    from: u64,
    to: u64,
) -> bool {
    let Some(contents) = state.object(object).map(|o| o.contents.clone()) else { return true };
    let meets = |c: &crate::domain::place::Cell| {
        c.object == object && c.offset < to && from < c.offset + c.shape.bytes()
    };
    let readers: Vec<(LocalId, crate::domain::place::Cell)> = state
        .definitions
        .iter()
        .filter_map(|(local, d)| match d {
            Definition::Cell(c) if meets(c) => Some((local, *c)),
            _ => None,
        })
        .collect();
    for (local, cell) in readers {
        let old = state.register(local);
        let read = contents.read(&Int::constant(i128::from(cell.offset)), cell.shape);
        if old.uninit || read.uninit {
            continue;
        }
        match meet(&old.kind, &read.kind) {
            Some(kept) if kept != old.kind => state.refine_register(local, Value::new(kept)),
            Some(_) => {}
            None => return false,
        }
    }
    true
}

/// The operands of a sum or difference that comes to `result` after it went round at most once, either way.
fn unwrapped(op: BinaryOp, a: &Int, b: &Int, result: &Int, ty: IntType) -> Option<(Int, Int)> {
    if ty.bits >= 128 {
        return None;
    }
    let iteration = 1i128 << ty.bits;
    let ways = [-iteration, 0, iteration].into_iter().filter_map(|iteration| {
        let exact = result.add(&Int::constant(iteration));
        let (x, y) = match op {
            BinaryOp::Add => (exact.sub(b), exact.sub(a)),
            _ => (exact.add(b), a.sub(&exact)),
        };
        Some((a.meet(&x)?, b.meet(&y)?))
    });
    ways.reduce(|(x, y), (z, w)| (x.join(&z), y.join(&w)))
}

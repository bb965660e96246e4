// SPDX-License-Identifier: MIT OR Apache-2.0
//! The value of an expression in a state.

use std::sync::Arc;

use clew_base::float::Format;
use clew_base::int::IntType;
use clew_ir::obligation::CheckKind;
use clew_ir::syntax::{
    BinaryOp, Builtin, CompareOp, ExprId, ExprKind, GlobalKind, LocalId, Place, PlaceBase, Projection,
    UnaryOp,
};
use clew_ir::types::{Class, Types};

use crate::domain::float::Float;
use crate::domain::int::Int;
use crate::domain::shape::top;
use crate::domain::value::{Address, Kind, Value, meet};
use crate::domain::{Tri, float, int};
use crate::effort::eval::DEEPEST_DEFINITION;
use crate::engine::evaluator::Evaluator;
use crate::engine::facts::{Facts, Frame};
use crate::memory::object::Obj;
use crate::program::comparison::Comparison;
use crate::program::object::{Object, ObjectId};
use crate::state::{Definition, State};
use crate::transfer::linear;

/// A float expression behind what does not change its value, or changes its sign.
#[derive(Clone, Copy)]
struct Numeric {
    of: ExprId,
    is_negated: bool,
}

/// No object lies below this.
const FIRST_PAGES: i128 = 0x1_0000;

impl<'p> Facts<'p> {
    /// Any value of a type.
    pub(crate) fn any_of(&self, ty: clew_ir::syntax::TypeId) -> Value {
        match self.types.class(ty) {
            Class::Int(ty) => Value::number(Int::of_type(ty)),
            Class::Float(_) => Value::new(Kind::Float(Float::top())),
            Class::Pointer => Value::new(Kind::Address(Arc::new(Address::anywhere()))),
            _ => Value::any(),
        }
    }

    /// Anything that may lie where a scalar is read that nobody wrote: a `_Bool` need not be 0 or 1 there.
    pub(crate) fn any_found(&self, ty: clew_ir::syntax::TypeId) -> Value {
        self.shape(ty).map_or_else(|| self.any_of(ty), |shape| Value::new(crate::domain::shape::top(shape)))
    }

    /// An integer that was computed from an address. That it still is while it stays in its object; elsewhere it is any
    /// number, and may be the address of anything that escaped.
    fn still_address(&self, state: &State, value: Value, ty: IntType) -> Value {
        let Kind::Address(address) = &value.kind else { return value };
        let stays = |object: ObjectId, offset: &Int| match self.objects.get(object) {
            Object::Function(_) | Object::Label(..) => offset.as_constant() == Some(0),
            _ => state.object(object).is_some_and(|o| offset.lo() >= 0 && offset.hi() <= o.size.lo()),
        };
        if address.targets.iter().all(|(object, offset)| stays(*object, offset)) {
            return value;
        }
        let anywhere =
            Address { number: Some(Int::of_type(ty)), targets: address.targets.clone(), unknown: true };
        Value { kind: Kind::Address(Arc::new(anywhere)), uninit: value.uninit }
    }

    /// Compares two values.
    fn compare_kinds(&self, state: &State, op: CompareOp, a: &Kind, b: &Kind) -> Tri {
        match (a, b) {
            (Kind::Number(a), Kind::Number(b)) => int::compare(op, a, b),
            (Kind::Float(a), Kind::Float(b)) => float::compare(op, a, b),
            (Kind::Number(_) | Kind::Address(_), Kind::Number(_) | Kind::Address(_)) => {
                self.compare_addresses(state, op, &a.to_address(), &b.to_address())
            }
            _ => Tri::Maybe,
        }
    }

    fn compare_addresses(&self, state: &State, op: CompareOp, a: &Address, b: &Address) -> Tri {
        if a.unknown || b.unknown {
            return Tri::Maybe;
        }
        let mut result: Option<Tri> = None;
        let mut note = |truth: Tri| result = Some(result.map_or(truth, |r| r.join(truth)));
        if let (Some(x), Some(y)) = (&a.number, &b.number) {
            note(int::compare(op, x, y));
        }
        // Objects are nowhere near address 0.
        let null_against_object = |number: &Int, near: bool| match op {
            CompareOp::Eq if near && number.as_constant() == Some(0) => Tri::False,
            CompareOp::Ne if near && number.as_constant() == Some(0) => Tri::True,
            _ => Tri::Maybe,
        };
        for (x, side) in [(&a.number, &b.targets), (&b.number, &a.targets)] {
            if let Some(x) = x
                && !side.is_empty()
            {
                let near = side.iter().all(|(_, offset)| is_near(offset));
                note(null_against_object(x, near));
            }
        }
        for (object, offset) in &a.targets {
            for (other, there) in &b.targets {
                // What takes the place of an object that is gone may have its address.
                let inside = |id: &ObjectId, offset: &Int| {
                    let lives = |o: &Obj| !o.life.dead && offset.lo() >= 0 && offset.hi() < o.size.lo();
                    let starts = offset.as_constant() == Some(0);
                    state.object(*id).is_some_and(|o| lives(o))
                        || starts && matches!(self.objects.get(*id), Object::Function(_))
                };
                // Literals may share their bytes, and the library's texts theirs.
                let shared = self.is_literal(*object) && self.is_literal(*other)
                    || self.may_be_shared(*object) && self.may_be_shared(*other);
                note(if object == other && !self.is_summary(*object) {
                    int::compare(op, offset, there)
                } else if object != other && !shared && inside(object, offset) && inside(other, there) {
                    match op {
                        CompareOp::Eq => Tri::False,
                        CompareOp::Ne => Tri::True,
                        _ => Tri::Maybe,
                    }
                } else {
                    Tri::Maybe
                });
            }
        }
        result.unwrap_or(Tri::Maybe)
    }

    fn is_literal(&self, object: ObjectId) -> bool {
        match self.objects.get(object) {
            Object::Global(global) => self.program.globals[*global].kind == GlobalKind::StringLiteral,
            _ => false,
        }
    }

    fn unary(&self, op: UnaryOp, value: &Value, ty: clew_ir::syntax::TypeId) -> Value {
        match (self.types.class(ty), &value.kind, op) {
            (Class::Float(_), Kind::Float(f), UnaryOp::Neg) => Value::new(Kind::Float(f.neg())),
            (Class::Int(ty), Kind::Number(n), UnaryOp::Neg) => Value::number(n.neg().wrap(ty)),
            (Class::Int(ty), Kind::Number(n), UnaryOp::Not) => Value::number(n.not(ty)),
            _ => self.any_of(ty),
        }
    }

    /// Whether two expressions are one float in a register.
    pub(crate) fn same_float(&self, frame: &Frame<'p>, state: &State, left: ExprId, right: ExprId) -> bool {
        if self.types.float_format(frame.body.exprs[left].ty).is_none() {
            return false;
        }
        self.same(frame, state, left, right, 4)
    }

    /// Whether one expression is the other with its sign changed.
    fn is_negation(&self, frame: &Frame<'p>, state: &State, left: ExprId, right: ExprId) -> bool {
        let negates = |x: ExprId, y: ExprId| match frame.body.exprs[x].kind {
            ExprKind::Unary(UnaryOp::Neg, inner) => self.same(frame, state, inner, y, 4),
            _ => false,
        };
        negates(right, left) || negates(left, right)
    }

    /// Whether two expressions surely have one value: the same operations on the same registers.
    pub(crate) fn same(
        &self,
        frame: &Frame<'p>,
        state: &State,
        left: ExprId,
        right: ExprId,
        depth: u32,
    ) -> bool {
        if let (Some(a), Some(b)) = (self.root(frame, state, left), self.root(frame, state, right)) {
            return a == b && !state.register(a).uninit;
        }
        let (a, b) = (&frame.body.exprs[left], &frame.body.exprs[right]);
        if depth == 0 || a.ty != b.ty {
            return false;
        }
        let inner = |x: ExprId, y: ExprId| self.same(frame, state, x, y, depth - 1);
        match (&a.kind, &b.kind) {
            (ExprKind::Cast(x), ExprKind::Cast(y)) => {
                let from = frame.body.exprs[*x].ty;
                // What does not fit an integer need not become the same twice.
                let steady =
                    self.types.float_format(from).is_none() || self.types.float_format(a.ty).is_some();
                steady && from == frame.body.exprs[*y].ty && inner(*x, *y)
            }
            (ExprKind::Unary(p, x), ExprKind::Unary(q, y)) => p == q && inner(*x, *y),
            (ExprKind::Binary(p, x, y), ExprKind::Binary(q, z, w)) => {
                p == q && inner(*x, *z) && inner(*y, *w)
            }
            (ExprKind::Int(x), ExprKind::Int(y)) => x == y,
            (ExprKind::Float { bits: x, .. }, ExprKind::Float { bits: y, .. }) => x == y,
            _ => false,
        }
    }

    /// The register that an expression is equal to, through equalities.
    pub(crate) fn root(&self, frame: &Frame<'p>, state: &State, expr: ExprId) -> Option<LocalId> {
        let mut expr = expr;
        let mut found = None;
        for _ in 0..8 {
            if let Some(before) = self.before_widening(frame, state, expr) {
                expr = before;
            }
            let ExprKind::Local(local) = frame.body.exprs[expr].kind else { break };
            found = Some(local);
            match state.definitions.get(local) {
                Some(Definition::Expr(definition)) => expr = *definition,
                _ => break,
            }
        }
        found
    }

    /// The float that was made wider and is now narrowed again to what it was.
    pub(crate) fn before_widening(&self, frame: &Frame<'p>, state: &State, expr: ExprId) -> Option<ExprId> {
        let ExprKind::Cast(wide) = frame.body.exprs[expr].kind else { return None };
        let widening = match frame.body.exprs[wide].kind {
            ExprKind::Local(local) => match state.definitions.get(local) {
                Some(Definition::Expr(definition)) => *definition,
                _ => return None,
            },
            _ => wide,
        };
        let ExprKind::Cast(narrow) = frame.body.exprs[widening].kind else { return None };
        let format = |expr: ExprId| self.types.float_format(frame.body.exprs[expr].ty);
        let is_wider = matches!((format(narrow), format(widening)), (Some(Format::F32), Some(Format::F64)));
        (is_wider && format(expr) == format(narrow)).then_some(narrow)
    }

    /// An address `index * stride` bytes further.
    pub(crate) fn shifted(&self, base: &Kind, index: &Int, stride: u64) -> Kind {
        let pointer = IntType::signed(u16::from(self.program.target.pointer_bytes) * 8);
        let distance = index.mul(&Int::constant(i128::from(stride))).wrap(pointer);
        match base {
            Kind::Number(n) => Kind::Number(n.add(&distance).wrap(IntType { signed: false, ..pointer })),
            Kind::Address(address) => {
                let mut moved = (**address).clone();
                moved.number =
                    moved.number.map(|n| n.add(&distance).wrap(IntType { signed: false, ..pointer }));
                for (_, offset) in &mut moved.targets {
                    *offset = offset.add(&distance);
                }
                if moved.unknown && !is_near(&distance) {
                    moved.number = Some(Int::of_type(IntType { signed: false, ..pointer }));
                }
                Kind::Address(Arc::new(moved))
            }
            Kind::Float(_) | Kind::Any => Kind::Any,
        }
    }

    pub(crate) fn builtin(
        &self,
        builtin: Builtin,
        values: &[Value],
        operand: Option<clew_ir::syntax::TypeId>,
        ty: clew_ir::syntax::TypeId,
    ) -> Value {
        let any = self.any_of(ty);
        let ints = values.first().map(|v| &v.kind);
        let int_type = operand.and_then(|t| self.types.int_type(t));
        let format = operand.and_then(|t| self.types.float_format(t));
        if let (Some(Kind::Number(n)), Some(of)) = (ints, int_type) {
            let result = match builtin {
                Builtin::Clz => n.clz(of),
                Builtin::Ctz => n.ctz(of),
                Builtin::Popcount => n.popcount(of),
                Builtin::Parity => n.parity(of),
                Builtin::Ffs => n.ffs(of),
                Builtin::Clrsb => n.clrsb(of),
                Builtin::Bswap => n.bswap(of),
                _ => return any,
            };
            return Value::number(result);
        }
        let (Some(Kind::Float(f)), Some(format)) = (ints, format) else { return any };
        let flag = |truth: Tri| Value::number(truth_range(truth));
        let second = match values.get(1).map(|v| &v.kind) {
            Some(Kind::Float(g)) => Some(*g),
            _ => None,
        };
        match (builtin, second) {
            // Any number that is not zero says yes.
            (Builtin::IsNan, _) => flag(f.is_nan_tri()),
            (Builtin::IsInf, _) => match f.is_inf_tri() {
                Tri::False => Value::constant(0),
                _ => any,
            },
            (Builtin::IsInfSign, _) => Value::number(f.infinity_sign()),
            (Builtin::IsFinite, _) => flag(f.is_finite_tri()),
            (Builtin::IsNormal, _) => flag(f.is_normal_tri(format)),
            (Builtin::SignBit, _) => match f.sign_bit_tri() {
                Tri::False => Value::constant(0),
                _ => any,
            },
            (Builtin::IsUnordered, Some(g)) => flag(f.is_nan_tri().or(g.is_nan_tri())),
            (Builtin::IsLessGreater, Some(g)) => {
                flag(float::compare(CompareOp::Lt, f, &g).or(float::compare(CompareOp::Gt, f, &g)))
            }
            (Builtin::Fabs, _) => Value::new(Kind::Float(f.abs())),
            (Builtin::CopySign, Some(g)) => Value::new(Kind::Float(f.copysign(&g))),
            _ => any,
        }
    }
}

impl<'p> Evaluator<'p> {
    /// The value of an expression.
    pub(crate) fn eval(&mut self, frame: &Frame<'p>, state: &State, expr: ExprId) -> Value {
        self.eval_within(frame, state, expr, DEEPEST_DEFINITION)
    }

    fn eval_within(&mut self, frame: &Frame<'p>, state: &State, expr: ExprId, depth: u32) -> Value {
        let node = &frame.body.exprs[expr];
        let int_type = self.facts.types.int_type(node.ty);
        match &node.kind {
            ExprKind::Int(value) => {
                // An `unsigned __int128` from 2^127 on is stored as its bit pattern.
                let beyond = int_type.is_some_and(|ty| ty.bits == 128 && !ty.signed && *value < 0);
                Value::number(if beyond { Int::TOP } else { Int::constant(*value) })
            }
            ExprKind::Float { bits, .. } => match self.facts.types.float_format(node.ty) {
                Some(format) => Value::new(Kind::Float(Float::constant_bits(*bits, format))),
                None => Value::any(),
            },
            ExprKind::Local(local) => self.eval_local(frame, state, *local, depth),
            ExprKind::AddressOf(place) => {
                let address = self.address(frame, state, place);
                Value::new(address.into_kind().unwrap_or(Kind::Any))
            }
            ExprKind::Function(function) => {
                let object = self.facts.function_object(*function);
                Value::pointer(object, 0)
            }
            ExprKind::Label(block) => {
                let object = self.facts.objects.id(Object::Label(frame.function, *block));
                Value::pointer(object, 0)
            }
            ExprKind::Unary(op, operand) => {
                let value = self.eval_within(frame, state, *operand, depth);
                self.facts.unary(*op, &value, node.ty)
            }
            ExprKind::Binary(op, left, right) => {
                let (a, b) = (
                    self.eval_within(frame, state, *left, depth),
                    self.eval_within(frame, state, *right, depth),
                );
                let value = match self.facts.types.class(node.ty) {
                    Class::Float(format) if self.facts.same_float(frame, state, *left, *right) => {
                        float_binary_with_itself(*op, &a, &b, format)
                    }
                    Class::Float(format) => float_binary(*op, &a, &b, format),
                    Class::Int(ty) => {
                        let unwrapped = self.context.prune_arithmetic && frame.unwrapped.contains(&expr);
                        let value =
                            self.facts.still_address(state, self.int_binary(*op, &a, &b, ty, unwrapped), ty);
                        let value = self.facts.reduced_by_domains(frame, state, expr, value);
                        match (op, &a.kind, &value.kind) {
                            (BinaryOp::Or, Kind::Number(x), Kind::Number(n))
                                if !x.contains(0) && self.facts.is_negation(frame, state, *left, *right) =>
                            {
                                Value::number(with_top_bit(n, ty))
                            }
                            _ => value,
                        }
                    }
                    _ => Value::any(),
                };
                if depth > 0 { self.sharpen(frame, state, expr, value) } else { value }
            }
            ExprKind::Compare(op, left, right) => {
                let test = Comparison { op: *op, left: *left, right: *right };
                let truth = self.compare(frame, state, test, depth);
                Value::number(truth_range(truth))
            }
            ExprKind::Cast(operand) => {
                let value = self.eval_within(frame, state, *operand, depth);
                self.cast(&value, frame.body.exprs[*operand].ty, node.ty)
            }
            ExprKind::PointerAdd { pointer, index, stride } => {
                let base = self.eval_within(frame, state, *pointer, depth);
                let index = self.number(frame, state, *index, depth);
                Value { kind: self.facts.shifted(&base.kind, &index, *stride), uninit: base.uninit }
            }
            ExprKind::PointerDifference { left, right, stride } => {
                let (a, b) = (
                    self.eval_within(frame, state, *left, depth),
                    self.eval_within(frame, state, *right, depth),
                );
                let any = int_type.map_or(Int::TOP, Int::of_type);
                Value::number(
                    pointer_difference(&a.kind, &b.kind, *stride, |o| self.facts.is_summary(o))
                        .unwrap_or(any),
                )
            }
            ExprKind::Overflows { op, left, right, of } => {
                let (a, b) =
                    (self.number(frame, state, *left, depth), self.number(frame, state, *right, depth));
                let ty = self.facts.types.int_type(*of).unwrap_or(IntType::I64);
                Value::number(truth_range(int::raises_overflow(*op, &a, &b, ty)))
            }
            ExprKind::Builtin(builtin, operands) => {
                let values: Vec<Value> =
                    operands.iter().map(|e| self.eval_within(frame, state, *e, depth)).collect();
                let operand = operands.first().map(|e| frame.body.exprs[*e].ty);
                self.facts.builtin(*builtin, &values, operand, node.ty)
            }
            ExprKind::Select { condition, then, otherwise } => {
                let condition = self.truth(frame, state, *condition, depth);
                match condition {
                    Tri::True => self.eval_within(frame, state, *then, depth),
                    Tri::False => self.eval_within(frame, state, *otherwise, depth),
                    Tri::Maybe => {
                        let then = self.eval_within(frame, state, *then, depth);
                        then.join(&self.eval_within(frame, state, *otherwise, depth))
                    }
                }
            }
        }
    }

    /// What linear forms know better than intervals.
    fn sharpen(&mut self, frame: &Frame<'p>, state: &State, expr: ExprId, value: Value) -> Value {
        match &value.kind {
            Kind::Float(range) => match linear::float_range(self, frame, state, expr) {
                Some(better) => {
                    let kind = range.meet(&better).map_or(value.kind.clone(), Kind::Float);
                    Value { kind, uninit: value.uninit }
                }
                None => value,
            },
            Kind::Number(range) => match linear::int_range(self, frame, state, expr) {
                Some(better) => {
                    let kind = range.meet(&better).map_or(value.kind.clone(), Kind::Number);
                    Value { kind, uninit: value.uninit }
                }
                None => value,
            },
            _ => value,
        }
    }

    fn eval_local(&mut self, frame: &Frame<'p>, state: &State, local: LocalId, depth: u32) -> Value {
        let mut value = state.register(local);
        if value.uninit || value.kind == Kind::Any {
            // Reading it is a violation of its own; from there on it is any value of its type.
            if value.uninit {
                return self.facts.any_found(frame.body.locals[local].ty);
            }
            let any = self.facts.any_found(frame.body.locals[local].ty);
            return Value { kind: any.kind, uninit: false };
        }
        if depth > 0
            && let Some(Definition::Expr(expr)) = state.definitions.get(local)
        {
            let expr = *expr;
            let defined = self.eval_within(frame, state, expr, depth - 1);
            value.kind = meet(&value.kind, &defined.kind).unwrap_or(value.kind);
        }
        if let Some(kind) = state.clocked(local, &value.kind) {
            value.kind = kind;
        }
        value
    }

    /// The number an integer expression is; an address is any number.
    pub(crate) fn number(&mut self, frame: &Frame<'p>, state: &State, expr: ExprId, depth: u32) -> Int {
        let ty = self.facts.types.int_type(frame.body.exprs[expr].ty);
        match self.eval_within(frame, state, expr, depth).kind {
            Kind::Number(number) => number,
            _ => ty.map_or(Int::TOP, Int::of_type),
        }
    }

    /// Whether an expression is not zero.
    pub(crate) fn truth(&mut self, frame: &Frame<'p>, state: &State, expr: ExprId, depth: u32) -> Tri {
        if let Some(test) = self.builtin_test(frame, state, expr, depth) {
            return test;
        }
        match self.eval_within(frame, state, expr, depth).kind {
            Kind::Number(n) => not_zero(&n),
            Kind::Float(f) => float::compare(CompareOp::Ne, &f, &Float::range(0.0, 0.0)),
            Kind::Address(address) if may_be_null(&address) => Tri::Maybe,
            Kind::Address(_) => Tri::True,
            Kind::Any => Tri::Maybe,
        }
    }

    fn compare(&mut self, frame: &Frame<'p>, state: &State, test: Comparison, depth: u32) -> Tri {
        let Comparison { op, left, right } = test;
        if matches!(op, CompareOp::Eq | CompareOp::Ne)
            && matches!(frame.body.exprs[right].kind, ExprKind::Int(0))
            && let Some(answer) = self.builtin_test(frame, state, left, depth)
        {
            return if op == CompareOp::Ne { answer } else { answer.not() };
        }
        let (a, b) =
            (self.eval_within(frame, state, left, depth), self.eval_within(frame, state, right, depth));
        let truth = self.facts.compare_kinds(state, op, &a.kind, &b.kind);
        if truth != Tri::Maybe {
            return truth;
        }
        if let Kind::Float(f) = &a.kind
            && let (x, y) = (self.numeric(frame, state, left, 6), self.numeric(frame, state, right, 6))
            && x.is_negated == y.is_negated
            && self.facts.same_float(frame, state, x.of, y.of)
        {
            return match op {
                CompareOp::Lt | CompareOp::Gt => Tri::False,
                CompareOp::Ne => f.is_nan_tri(),
                CompareOp::Eq | CompareOp::Le | CompareOp::Ge => f.is_nan_tri().not(),
            };
        }
        match &a.kind {
            Kind::Float(_) if depth > 0 => self.compare_by_octagons(frame, state, test),
            Kind::Float(_) => Tri::Maybe,
            _ => match self.compare_by_relations(frame, state, test) {
                Tri::Maybe if depth > 0 => match self.compare_sums(frame, state, test) {
                    Tri::Maybe => self.facts.compare_by_spaces(frame, state, test),
                    truth => truth,
                },
                truth => truth,
            },
        }
    }

    /// The answer of a test of a float, of which only whether it is zero is promised.
    fn builtin_test(&mut self, frame: &Frame<'p>, state: &State, expr: ExprId, depth: u32) -> Option<Tri> {
        let ExprKind::Builtin(builtin, operands) = &frame.body.exprs[expr].kind else { return None };
        if !matches!(builtin, Builtin::IsInf | Builtin::SignBit) {
            return None;
        }
        match self.eval_within(frame, state, *operands.first()?, depth).kind {
            Kind::Float(f) if *builtin == Builtin::IsInf => Some(f.is_inf_tri()),
            Kind::Float(f) => Some(f.sign_bit_tri()),
            _ => None,
        }
    }

    fn compare_by_relations(&self, frame: &Frame<'p>, state: &State, test: Comparison) -> Tri {
        let Comparison { op, left, right } = test;
        let (Some((x, a)), Some((y, b))) =
            (self.offset_local(frame, state, left), self.offset_local(frame, state, right))
        else {
            return self.facts.compare_cursors(frame, state, test);
        };
        // left - right = (x - y) + (a - b)
        let most = if x == y { Some(0) } else { state.domains.relations.bound(x, y) }.map(|c| c + a - b);
        let least = if x == y { Some(0) } else { state.domains.relations.bound(y, x) }.map(|c| a - b - c);
        decided(op, most, least)
    }

    /// An integer expression as a register plus a constant, if it surely is that mathematically.
    pub(crate) fn offset_local(
        &self,
        frame: &Frame<'p>,
        state: &State,
        expr: ExprId,
    ) -> Option<(LocalId, i128)> {
        let node = &frame.body.exprs[expr];
        let constant = |e: ExprId| match frame.body.exprs[e].kind {
            ExprKind::Int(c) if c.abs() < 1 << 64 => Some(c),
            _ => None,
        };
        match &node.kind {
            ExprKind::Local(local) if matches!(self.facts.types.class(node.ty), Class::Int(t) if t.bits < 128) => {
                Some((*local, 0))
            }
            ExprKind::Cast(inner) => {
                let (x, c) = self.offset_local(frame, state, *inner)?;
                let ty = self.facts.types.int_type(node.ty)?;
                let range = register_int(state, x)?.add(&Int::constant(c));
                range.fits(ty).is_true().then_some((x, c))
            }
            ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), left, right) => {
                let ty = self.facts.types.int_type(node.ty)?;
                let (x, c) = match (constant(*left), constant(*right)) {
                    (None, Some(c)) => {
                        let (x, d) = self.offset_local(frame, state, *left)?;
                        (x, if *op == BinaryOp::Add { d + c } else { d - c })
                    }
                    (Some(c), None) if *op == BinaryOp::Add => {
                        let (x, d) = self.offset_local(frame, state, *right)?;
                        (x, d + c)
                    }
                    _ => return None,
                };
                let exact = self.context.prune_arithmetic && frame.unwrapped.contains(&expr)
                    || register_int(state, x)?.add(&Int::constant(c)).fits(ty).is_true();
                exact.then_some((x, c))
            }
            _ => None,
        }
    }

    /// An expression that has the same value as a float expression, but perhaps for the sign of zero: without what adds zero,
    /// multiplies by one or changes the sign, and without conversions that change nothing.
    fn numeric(&mut self, frame: &Frame<'p>, state: &State, expr: ExprId, depth: u32) -> Numeric {
        let node = &frame.body.exprs[expr];
        let itself = Numeric { of: expr, is_negated: false };
        let format = |types: &Types<'p>, expr: ExprId| types.float_format(frame.body.exprs[expr].ty);
        if depth == 0 {
            return itself;
        }
        let (inner, negates) = match &node.kind {
            ExprKind::Binary(op, left, right) if format(&self.facts.types, expr).is_some() => {
                let numbers =
                    (self.float_number(frame, state, *left), self.float_number(frame, state, *right));
                match (op, numbers.0, numbers.1) {
                    (BinaryOp::Add, Some(0.0), None) => (*right, false),
                    (BinaryOp::Add | BinaryOp::Sub, None, Some(0.0)) => (*left, false),
                    (BinaryOp::Sub, Some(0.0), None) => (*right, true),
                    (BinaryOp::Mul, Some(factor), None) if factor.abs() == 1.0 => (*right, factor < 0.0),
                    (BinaryOp::Mul | BinaryOp::Div, None, Some(factor)) if factor.abs() == 1.0 => {
                        (*left, factor < 0.0)
                    }
                    _ => return itself,
                }
            }
            ExprKind::Unary(UnaryOp::Neg, inner) => (*inner, true),
            ExprKind::Cast(inner) => {
                let found = self.numeric(frame, state, *inner, depth - 1);
                return match (format(&self.facts.types, found.of), format(&self.facts.types, expr)) {
                    (Some(from), Some(to)) if to.precision() >= from.precision() => found,
                    _ => itself,
                };
            }
            ExprKind::Local(local) => match state.definitions.get(*local) {
                Some(Definition::Expr(definition)) if !state.register(*local).uninit => {
                    let found = self.numeric(frame, state, *definition, depth - 1);
                    let is_register = matches!(frame.body.exprs[found.of].kind, ExprKind::Local(_));
                    return if is_register { found } else { itself };
                }
                _ => return itself,
            },
            _ => return itself,
        };
        let found = self.numeric(frame, state, inner, depth - 1);
        Numeric { is_negated: found.is_negated != negates, ..found }
    }

    /// The one number that a float expression is, if it is no register.
    fn float_number(&mut self, frame: &Frame<'p>, state: &State, expr: ExprId) -> Option<f64> {
        let node = &frame.body.exprs[expr];
        let format = self.facts.types.float_format(node.ty)?;
        if matches!(node.kind, ExprKind::Local(_)) {
            return None;
        }
        let Kind::Float(value) = self.eval_within(frame, state, expr, 0).kind else { return None };
        let bits = value.as_constant_bits(format)?;
        Some(clew_base::float::Float::from_bits(format, bits).to_f64())
    }

    fn int_binary(&self, op: BinaryOp, a: &Value, b: &Value, ty: IntType, unwrapped: bool) -> Value {
        let divides = matches!(op, BinaryOp::Div | BinaryOp::Rem);
        match (&a.kind, &b.kind) {
            // What a division by zero gives, no machine says. Where such runs have not ended it is anything.
            (Kind::Number(_), Kind::Number(y))
                if divides && y.contains(0) && !self.prunes(CheckKind::DivisionByZero) =>
            {
                Value::number(Int::of_type(ty))
            }
            (Kind::Number(x), Kind::Number(y)) => Value::number(numbers(op, x, y, ty, unwrapped)),
            (Kind::Address(_), Kind::Number(y)) if op == BinaryOp::Add => {
                Value::new(self.facts.shifted(&a.kind, y, 1))
            }
            (Kind::Number(x), Kind::Address(_)) if op == BinaryOp::Add => {
                Value::new(self.facts.shifted(&b.kind, x, 1))
            }
            (Kind::Address(_), Kind::Number(y)) if op == BinaryOp::Sub => {
                Value::new(self.facts.shifted(&a.kind, &y.neg(), 1))
            }
            (Kind::Address(_), Kind::Address(_)) if op == BinaryOp::Sub => {
                let difference =
                    pointer_difference(&a.kind, &b.kind, 1, |o| self.facts.is_summary(o)).map(|d| d.wrap(ty));
                difference.map_or_else(|| mixed_addresses(&a.kind, &b.kind, ty), Value::number)
            }
            (Kind::Number(_) | Kind::Address(_), Kind::Number(_) | Kind::Address(_)) => {
                mixed_addresses(&a.kind, &b.kind, ty)
            }
            _ => Value::number(Int::of_type(ty)),
        }
    }

    /// The address of a place.
    pub(crate) fn address(&mut self, frame: &Frame<'p>, state: &State, place: &Place) -> Address {
        let base = match place.base {
            PlaceBase::Local(local) => {
                Address::of(self.facts.objects.id(Object::Local(frame.function, local)), Int::constant(0))
            }
            PlaceBase::Global(global) => Address::of(self.facts.global(global), Int::constant(0)),
            PlaceBase::Deref(pointer) => self.eval(frame, state, pointer).kind.to_address(),
        };
        let mut kind = match base.into_kind() {
            Some(kind) => kind,
            None => Kind::Any,
        };
        for step in &place.projections {
            kind = match step {
                Projection::Field { record, field } => {
                    let offset = self.facts.types.field(*record, *field).map_or(0, |f| f.offset);
                    self.facts.shifted(&kind, &Int::constant(i128::from(offset)), 1)
                }
                Projection::Index { index, stride, .. } => {
                    let index = self.number(frame, state, *index, DEEPEST_DEFINITION);
                    self.facts.shifted(&kind, &index, *stride)
                }
            };
        }
        kind.to_address()
    }

    /// A conversion between scalar types.
    fn cast(&self, value: &Value, from: clew_ir::syntax::TypeId, to: clew_ir::syntax::TypeId) -> Value {
        let pointer = IntType::unsigned(u16::from(self.facts.program.target.pointer_bytes) * 8);
        let kind = match (self.facts.types.class(from), self.facts.types.class(to), &value.kind) {
            (_, Class::Int(IntType::BOOL), kind) => match kind {
                Kind::Number(n) => Kind::Number(truth_range(not_zero(n))),
                Kind::Float(f) => {
                    Kind::Number(truth_range(float::compare(CompareOp::Ne, f, &Float::range(0.0, 0.0))))
                }
                Kind::Address(a) if !may_be_null(a) => Kind::Number(Int::constant(1)),
                _ => Kind::Number(Int::range(0, 1)),
            },
            (Class::Int(_) | Class::Pointer, Class::Int(ty), Kind::Number(n)) => Kind::Number(n.wrap(ty)),
            (_, Class::Int(ty), Kind::Address(_)) if ty.bits >= pointer.bits => value.kind.clone(),
            (Class::Int(_), Class::Pointer, Kind::Number(n)) => match n.as_constant() {
                Some(_) => Kind::Number(n.wrap(pointer)),
                // Some integer that may have come from an address whose trace was lost.
                None => {
                    let unknown = n.wrap(pointer);
                    Kind::Address(Arc::new(Address {
                        number: Some(unknown),
                        targets: Vec::new(),
                        unknown: true,
                    }))
                }
            },
            (Class::Pointer, Class::Pointer, kind) => kind.clone(),
            (_, Class::Pointer, Kind::Address(_)) => value.kind.clone(),
            (Class::Int(_), Class::Float(format), Kind::Number(n)) => Kind::Float(Float::from_int(n, format)),
            (Class::Float(from), Class::Float(to), Kind::Float(f)) => Kind::Float(f.convert(from, to)),
            (Class::Float(_), Class::Int(ty), Kind::Float(f)) => {
                // Out of range is a violation before this, or any value.
                let exact = f.to_int().and_then(|n| n.meet(&Int::of_type(ty)));
                match exact {
                    Some(n) if self.prunes(CheckKind::FloatToInt) => Kind::Number(n),
                    Some(n) if float::float_to_int_raises(f, ty).is_false() => Kind::Number(n),
                    _ => Kind::Number(Int::of_type(ty)),
                }
            }
            _ => match self.facts.shape(to) {
                Some(shape) => top(shape),
                None => Kind::Any,
            },
        };
        Value { kind, uninit: value.uninit }
    }
}

/// Whether an address may be zero. Something far from its object may be anywhere.
fn may_be_null(address: &Address) -> bool {
    address.unknown
        || address.number.is_some_and(|number| number.contains(0))
        || address.targets.iter().any(|(_, offset)| !is_near(offset))
}

/// Whether something derived from an object is not zero: nothing lies in the first pages, and that pointers do not
/// come around the end of memory is assumed (`pointers-do-not-wrap`).
pub(crate) fn is_near(offset: &Int) -> bool {
    offset.lo() > -FIRST_PAGES
}

pub(crate) fn register_int(state: &State, local: LocalId) -> Option<Int> {
    match state.registers().get(local) {
        Some(Value { kind: kind @ Kind::Number(n), uninit: false }) => match state.clocked(local, kind) {
            Some(Kind::Number(less)) => Some(less),
            _ => Some(*n),
        },
        _ => None,
    }
}

fn float_binary(op: BinaryOp, a: &Value, b: &Value, format: clew_base::float::Format) -> Value {
    let (Kind::Float(x), Kind::Float(y)) = (&a.kind, &b.kind) else {
        return Value::new(Kind::Float(Float::top()));
    };
    let result = match op {
        BinaryOp::Add => x.add(y, format),
        BinaryOp::Sub => x.sub(y, format),
        BinaryOp::Mul => x.mul(y, format),
        BinaryOp::Div => x.div(y, format),
        _ => Float::top(),
    };
    Value::new(Kind::Float(result))
}

/// An operation on a float and itself.
fn float_binary_with_itself(op: BinaryOp, a: &Value, b: &Value, format: clew_base::float::Format) -> Value {
    let (Kind::Float(x), Kind::Float(y)) = (&a.kind, &b.kind) else {
        return float_binary(op, a, b, format);
    };
    let x = x.meet(y).unwrap_or(*x);
    let result = match op {
        BinaryOp::Sub => x.minus_itself(),
        BinaryOp::Div => x.over_itself(),
        BinaryOp::Mul => x.abs().mul(&x.abs(), format),
        _ => return float_binary(op, a, b, format),
    };
    Value::new(Kind::Float(result))
}

/// A number computed from addresses: any, and it may still point into their objects.
fn mixed_addresses(a: &Kind, b: &Kind, ty: IntType) -> Value {
    let joined = Value::new(a.clone()).join(&Value::new(b.clone()));
    let mut address = joined.kind.to_address();
    address.number = Some(Int::of_type(ty));
    for (_, offset) in &mut address.targets {
        *offset = Int::TOP;
    }
    Value::new(address.into_kind().unwrap_or(Kind::Any))
}

/// An integer operation on numbers. `unwrapped`: runs in which it overflows have ended.
fn numbers(op: BinaryOp, x: &Int, y: &Int, ty: IntType, unwrapped: bool) -> Int {
    let fit = |exact: Int| match exact.meet(&Int::of_type(ty)) {
        Some(inside) if unwrapped => inside,
        _ => exact.wrap(ty),
    };
    match op {
        BinaryOp::Add => fit(x.add(y)),
        BinaryOp::Sub => fit(x.sub(y)),
        BinaryOp::Mul => fit(x.mul(y)),
        BinaryOp::Div => x.div(y).map_or(Int::of_type(ty), fit),
        BinaryOp::Rem => x.rem(y).map_or(Int::of_type(ty), |r| r.wrap(ty)),
        BinaryOp::Shl => x.shl(y, ty),
        BinaryOp::Shr => x.shr(y, ty),
        BinaryOp::And => x.and(y, ty),
        BinaryOp::Or => x.or(y, ty),
        BinaryOp::Xor => x.xor(y, ty),
    }
}

/// `x | -x` where `x` is not zero: one of the two has its top bit set.
fn with_top_bit(n: &Int, ty: IntType) -> Int {
    if ty.bits >= 128 {
        return *n;
    }
    let set = if ty.signed { Int::range(ty.min(), -1) } else { Int::range(1 << (ty.bits - 1), ty.max()) };
    n.meet(&set).unwrap_or(*n)
}

/// Whether a number is not zero.
fn not_zero(n: &Int) -> Tri {
    int::compare(CompareOp::Ne, n, &Int::constant(0))
}

/// A comparison of two numbers by the largest and the least their difference may be.
pub(crate) fn decided(op: CompareOp, most: Option<i128>, least: Option<i128>) -> Tri {
    let below = |c: i128| most.is_some_and(|m| m <= c);
    let above = |c: i128| least.is_some_and(|l| l >= c);
    let decide = |yes: bool, no: bool| match (yes, no) {
        (true, _) => Tri::True,
        (_, true) => Tri::False,
        _ => Tri::Maybe,
    };
    match op {
        CompareOp::Lt => decide(below(-1), above(0)),
        CompareOp::Le => decide(below(0), above(1)),
        CompareOp::Gt => decide(above(1), below(0)),
        CompareOp::Ge => decide(above(0), below(-1)),
        CompareOp::Eq => decide(below(0) && above(0), below(-1) || above(1)),
        CompareOp::Ne => decide(below(-1) || above(1), below(0) && above(0)),
    }
}

/// 0, 1, or either.
fn truth_range(truth: Tri) -> Int {
    match truth {
        Tri::True => Int::constant(1),
        Tri::False => Int::constant(0),
        Tri::Maybe => Int::range(0, 1),
    }
}

/// `(a - b) / stride`, if both surely point into one object.
fn pointer_difference(a: &Kind, b: &Kind, stride: u64, is_summary: impl Fn(ObjectId) -> bool) -> Option<Int> {
    match (a, b) {
        (Kind::Address(a), Kind::Address(b)) => {
            let single = |a: &Address| {
                (a.number.is_none() && !a.unknown && a.targets.len() == 1).then(|| a.targets[0])
            };
            let ((x, o), (y, p)) = (single(a)?, single(b)?);
            // Two pointers into what stands for many objects may point into different ones.
            if x != y || is_summary(x) {
                return None;
            }
            o.sub(&p).div(&Int::constant(i128::from(stride.max(1))))
        }
        (Kind::Number(a), Kind::Number(b)) => a.sub(b).div(&Int::constant(i128::from(stride.max(1)))),
        _ => None,
    }
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! Obligations: whether a condition holds, and what the runs that go on have in common.

use clew_base::int::IntType;
use clew_ir::obligation::{CheckKind, Condition, Obligation, Raise};
use clew_ir::stack::piles_up;
use clew_ir::syntax::{
    BinaryOp, BitRange, ExprId, ExprKind, ObligationId, Place, PlaceBase, Type, TypeId, UnaryOp,
};
use clew_ir::types::Class;

use crate::domain::int::Int;
use crate::domain::value::{Address, Kind, Value};
use crate::domain::{Tri, float, int};
use crate::effort::check::LARGEST_LOCAL;
use crate::engine::evaluator::Evaluator;
use crate::engine::facts::{Facts, Frame};
use crate::engine::results::{Pruning, Subject};
use crate::engine::transfer::Transfer;
use crate::memory::object::Life;
use crate::program::object::{Object, ObjectId};
use crate::state::State;
use crate::transfer::eval::{is_near, register_int};
use crate::transfer::memory::fields_at;
use crate::transfer::written;

impl<'p> Facts<'p> {
    pub(crate) fn is_live(&self, state: &State, address: &Address) -> Tri {
        if address.unknown {
            return Tri::Maybe;
        }
        let mut result = address.number.map(|_| Tri::True);
        for (object, _) in &address.targets {
            let life = self.life(state, *object);
            let truth = match (life.alive, life.dead) {
                (_, false) => Tri::True,
                (false, true) => Tri::False,
                (true, true) => Tri::Maybe,
            };
            result = Some(result.map_or(truth, |r| r.join(truth)));
        }
        result.unwrap_or(Tri::True)
    }

    pub(crate) fn life(&self, state: &State, object: ObjectId) -> Life {
        match self.objects.get(object) {
            Object::DeadLocal(..) => Life::DEAD,
            Object::Function(_) | Object::Label(..) => Life::ALIVE,
            _ => state.object(object).map_or(Life { alive: true, dead: true }, |o| o.life),
        }
    }

    /// Bytes of an object.
    pub(crate) fn size(&self, state: &State, object: ObjectId) -> Int {
        match (self.objects.get(object), state.object(object)) {
            (Object::Function(_) | Object::Label(..), _) => Int::constant(1),
            (_, Some(object)) => object.size,
            (_, None) => Int::range(0, i128::from(i64::MAX)),
        }
    }

    /// Whether `bytes` bytes from the address on lie inside its object.
    fn in_bounds(&self, state: &State, address: &Address, bytes: &Int) -> Tri {
        if address.unknown {
            return Tri::Maybe;
        }
        let mut result = address.number.map(|_| Tri::Maybe);
        for (object, offset) in &address.targets {
            let size = self.size(state, *object);
            let end = offset.add(bytes);
            // Code is no data, though it has a place in memory.
            let is_code = matches!(self.objects.get(*object), Object::Function(_) | Object::Label(..));
            let truth = if is_code {
                if bytes.lo() > 0 { Tri::False } else { Tri::Maybe }
            } else if bytes.lo() >= 0 && offset.lo() >= 0 && end.hi() <= size.lo() {
                Tri::True
            } else if offset.hi() < 0 || end.lo() > size.hi() {
                Tri::False
            } else {
                Tri::Maybe
            };
            result = Some(result.map_or(truth, |r| r.join(truth)));
        }
        result.unwrap_or(Tri::Maybe)
    }

    /// Whether so many bytes may be written.
    fn is_writable(&self, address: &Address, bytes: &Int) -> Tri {
        if address.unknown {
            return Tri::Maybe;
        }
        let truths = address.targets.iter().map(|(object, offset)| {
            let in_part =
                || self.declared_type(*object).is_some_and(|ty| self.touches_const(ty, offset, bytes.hi()));
            match self.is_constant(*object) {
                true => Tri::False,
                false if self.may_be_const(*object) || in_part() => Tri::Maybe,
                false => Tri::True,
            }
        });
        truths.reduce(Tri::join).unwrap_or(Tri::True)
    }

    /// Whether so many bytes at these offsets of an object may hold a part of a const member.
    fn touches_const(&self, ty: TypeId, offset: &Int, bytes: i128) -> bool {
        if let Type::Array { element, .. } = self.types.get(ty) {
            let size = i128::from(self.types.size_of(*element));
            let (modulus, remainder) = offset.stride();
            // The same place of some element.
            if size > 0 && modulus > 0 && modulus % size.unsigned_abs() == 0 {
                let start = remainder.rem_euclid(size);
                return self.types.touches_const(ty, start, start.saturating_add(bytes));
            }
        }
        self.types.touches_const(ty, offset.lo(), offset.hi().saturating_add(bytes))
    }

    fn is_aligned(&self, address: &Address, align: u64) -> Tri {
        if address.unknown || align == 0 {
            return Tri::Maybe;
        }
        let align_wide = u128::from(align);
        let mut result = address.number.map(|_| Tri::Maybe);
        for (object, offset) in &address.targets {
            let known = self.alignment(*object).is_multiple_of(align);
            let (modulus, remainder) = offset.stride();
            let truth = match () {
                () if !known => Tri::Maybe,
                () if modulus % align_wide == 0 => Tri::from(remainder.rem_euclid(i128::from(align)) == 0),
                () => Tri::Maybe,
            };
            result = Some(result.map_or(truth, |r| r.join(truth)));
        }
        result.unwrap_or(Tri::Maybe)
    }

    fn is_alloc_base(&self, state: &State, address: &Address) -> Tri {
        if address.unknown {
            return Tri::Maybe;
        }
        let mut result = address.number.map(|n| match n.as_constant() {
            Some(0) => Tri::True,
            _ => Tri::Maybe,
        });
        for (object, offset) in &address.targets {
            let heap = match self.objects.get(*object) {
                Object::Recent(..) | Object::Older(..) => Tri::from(!self.is_owned(*object)),
                // A caller may have it from anywhere.
                Object::Input(_) => Tri::Maybe,
                _ => Tri::False,
            };
            let truth = heap.and(self.is_live_start(state, *object, offset));
            result = Some(result.map_or(truth, |r| r.join(truth)));
        }
        result.unwrap_or(Tri::Maybe)
    }

    /// Whether this is the start of an object, and the object lives.
    fn is_live_start(&self, state: &State, object: ObjectId, offset: &Int) -> Tri {
        let at_start = int::compare(clew_ir::syntax::CompareOp::Eq, offset, &Int::constant(0));
        let life = self.life(state, object);
        at_start.and(match (life.alive, life.dead) {
            (true, false) => Tri::True,
            (false, true) => Tri::False,
            _ => Tri::Maybe,
        })
    }

    /// Whether it is an object that the library made for the program to hand back.
    pub(crate) fn is_handle(&self, state: &State, address: &Address) -> Tri {
        if address.unknown {
            return Tri::Maybe;
        }
        let mut result = address.number.map(|_| Tri::False);
        for (object, offset) in &address.targets {
            let made = match self.objects.get(*object) {
                Object::Recent(..) | Object::Older(..) => {
                    Tri::from(self.is_owned(*object) && !self.may_be_shared(*object))
                }
                Object::Global(global) => Tri::from(self.program.globals[*global].is_handle()),
                // A caller may have it from anywhere.
                Object::Input(_) => Tri::Maybe,
                _ => Tri::False,
            };
            let truth = made.and(self.is_live_start(state, *object, offset));
            result = Some(result.map_or(truth, |r| r.join(truth)));
        }
        result.unwrap_or(Tri::Maybe)
    }

    /// Whether an object could be one that is freed.
    fn is_releasable(&self, object: ObjectId) -> bool {
        match self.objects.get(object) {
            Object::Recent(..) | Object::Older(..) => !self.is_owned(object),
            Object::Input(_) => true,
            _ => false,
        }
    }

    fn are_disjoint(&self, p: &Address, n: &Int, q: &Address, m: &Int) -> Tri {
        if n.hi() <= 0 || m.hi() <= 0 {
            return Tri::True;
        }
        if p.unknown || q.unknown {
            return Tri::Maybe;
        }
        let mut result = Tri::True;
        for (object, offset) in &p.targets {
            for (other, there) in &q.targets {
                if object != other {
                    continue;
                }
                let apart = !self.is_summary(*object)
                    && (offset.add(n).hi() <= there.lo() || there.add(m).hi() <= offset.lo());
                let clash = n.lo() > 0
                    && m.lo() > 0
                    && offset.as_constant().is_some()
                    && offset.as_constant() == there.as_constant()
                    && !self.is_summary(*object);
                result = match () {
                    () if apart => result,
                    () if clash && p.targets.len() == 1 && q.targets.len() == 1 => Tri::False,
                    () => Tri::Maybe,
                };
            }
        }
        result
    }

    fn same_signature(&self, a: clew_ir::syntax::TypeId, b: clew_ir::syntax::TypeId) -> bool {
        if a == b {
            return true;
        }
        match (self.types.get(a), self.types.get(b)) {
            (
                Type::Function { result, parameters, variadic, prototyped: true },
                Type::Function { result: r, parameters: p, variadic: v, prototyped: true },
            ) => {
                let same = |x, y| {
                    self.types.class(x) == self.types.class(y) && self.types.class(x) != Class::Aggregate
                };
                let results = same(*result, *r);
                results
                    && variadic == v
                    && parameters.len() == p.len()
                    && parameters.iter().zip(p).all(|(x, y)| x == y || same(*x, *y))
            }
            _ => false,
        }
    }

    /// Offsets that leave room for so many bytes.
    fn keep_inside(&self, state: &State, address: &mut Address, bytes: i128) {
        let kept = address.targets.iter().filter_map(|(object, offset)| {
            let size = self.size(state, *object);
            let last = size.hi().checked_sub(bytes).filter(|last| *last >= 0)?;
            Some((*object, offset.meet(&Int::range(0, last))?))
        });
        address.targets = kept.collect();
    }
}

impl<'p> Evaluator<'p> {
    /// Whether runs that violate this check of arithmetic end there, as far as this round is concerned.
    pub(crate) fn prunes(&self, check: CheckKind) -> bool {
        self.context.prune_arithmetic && (self.facts.options.stops)(check, self.facts.program.semantics)
    }

    pub(crate) fn subject(&self, frame: &Frame<'p>, obligation: ObligationId) -> Subject {
        let is_model = self.facts.options.models.contains(&frame.function);
        let call = if is_model { self.context.model_call } else { None };
        Subject { function: frame.function, obligation, call }
    }

    fn record(
        &mut self,
        frame: &Frame<'p>,
        state: &State,
        subject: Subject,
        obligation: &Obligation,
        holds: Tri,
    ) {
        let question =
            if holds.is_true() { None } else { self.question(frame, state, &obligation.condition) };
        self.recorder.results.see(subject, obligation.check, holds, &state.given, || question);
        self.context.note_subject(subject);
    }

    fn eval_address(&mut self, frame: &Frame<'p>, state: &State, expr: ExprId) -> Address {
        self.eval(frame, state, expr).kind.to_address()
    }

    /// Whether a condition holds on every run that comes here.
    fn holds(&mut self, frame: &Frame<'p>, state: &State, id: ObligationId) -> Tri {
        let obligation = &frame.body.obligations[id];
        let condition = &obligation.condition;
        match condition {
            Condition::Holds(expr) => self.truth(frame, state, *expr, 2),
            Condition::Never => Tri::False,
            Condition::NotRaised(raise, expr) => self.raised(frame, state, *raise, *expr).not(),
            Condition::InitialisedLocal(local) => match state.registers().get(*local) {
                None => Tri::False,
                Some(value) => {
                    if value.uninit {
                        Tri::Maybe
                    } else {
                        Tri::True
                    }
                }
            },
            Condition::NotNull(expr) => {
                let address = self.eval_address(frame, state, *expr);
                let far = |(_, offset): &(ObjectId, Int)| !is_near(offset);
                match address.number {
                    Some(n) if n.contains(0) => {
                        let only =
                            n.as_constant() == Some(0) && address.targets.is_empty() && !address.unknown;
                        if only { Tri::False } else { Tri::Maybe }
                    }
                    _ if address.targets.iter().any(far) => Tri::Maybe,
                    _ => Tri::True,
                }
            }
            Condition::Valid(expr) => {
                let address = self.eval_address(frame, state, *expr);
                match address.number {
                    None => Tri::True,
                    Some(_) if address.targets.is_empty() && !address.unknown => Tri::False,
                    Some(_) => Tri::Maybe,
                }
            }
            Condition::Live(expr) => {
                let mut address = self.eval_address(frame, state, *expr);
                // What dies without being freed is not freed twice: invalid-free says so.
                if obligation.check == CheckKind::DoubleFree {
                    address.targets.retain(|(object, _)| self.facts.is_releasable(*object));
                }
                match self.facts.is_live(state, &address) {
                    Tri::Maybe if self.facts.was_alive(frame, state, *expr) => Tri::True,
                    truth => truth,
                }
            }
            Condition::InBounds(place) => {
                let address = self.address(frame, state, place);
                let bytes = self.facts.types.access_bytes(place);
                match self.facts.in_bounds(state, &address, &Int::constant(i128::from(bytes))) {
                    Tri::Maybe
                        if self.facts.was_inside(frame, state, place)
                            || self.inside_extent(frame, state, place, i128::from(bytes))
                            || self.inside_object(frame, state, place, &address, i128::from(bytes)) =>
                    {
                        Tri::True
                    }
                    truth => truth,
                }
            }
            Condition::Writable(place) => {
                let address = self.address(frame, state, place);
                let bytes = self.facts.types.access_bytes(place);
                match self.facts.is_writable(&address, &Int::constant(i128::from(bytes))) {
                    Tri::Maybe if self.facts.was_writable(frame, state, place) => Tri::True,
                    truth => truth,
                }
            }
            Condition::Aligned(place, align) => {
                let address = self.address(frame, state, place);
                self.facts.is_aligned(&address, u64::from(*align))
            }
            Condition::Initialised(place, bits) => self.is_initialised(frame, state, place, *bits),
            Condition::AllocBase(expr) => {
                let address = self.eval_address(frame, state, *expr);
                self.facts.is_alloc_base(state, &address)
            }
            Condition::Handle(expr) => {
                let address = self.eval_address(frame, state, *expr);
                self.facts.is_handle(state, &address)
            }
            Condition::Lasting(expr) => {
                let address = self.eval_address(frame, state, *expr);
                let lasts = |(object, _): &(ObjectId, Int)| {
                    matches!(
                        self.facts.objects.get(*object),
                        Object::Global(_) | Object::Function(_) | Object::Label(..)
                    )
                };
                let all = !address.unknown && address.targets.iter().all(lasts);
                if all { Tri::True } else { Tri::Maybe }
            }
            Condition::SameObject(a, b) => {
                let (a, b) = (self.eval_address(frame, state, *a), self.eval_address(frame, state, *b));
                match same_object(&a, &b) {
                    // Two pointers into a summary may point into two objects.
                    Tri::True if a.targets.iter().any(|(o, _)| self.facts.is_summary(*o)) => Tri::Maybe,
                    truth => truth,
                }
            }
            Condition::Disjoint { p, n, q, m } => {
                let (p, q) = (self.eval_address(frame, state, *p), self.eval_address(frame, state, *q));
                let (n, m) = (self.number(frame, state, *n, 2), self.number(frame, state, *m, 2));
                self.facts.are_disjoint(&p, &n, &q, &m)
            }
            Condition::SameOrDisjoint { p, q, n } => {
                let (p, q) = (self.eval_address(frame, state, *p), self.eval_address(frame, state, *q));
                let n = self.number(frame, state, *n, 2);
                same_or_disjoint(&p, &q, &n)
            }
            Condition::ReadableRange(p, n) | Condition::WritableRange(p, n) => {
                let address = self.eval_address(frame, state, *p);
                let bytes = self.number(frame, state, *n, 2);
                if bytes.hi() <= 0 {
                    return Tri::True;
                }
                match condition {
                    // Runs that are out of bounds have ended before.
                    Condition::WritableRange(..) => self.facts.is_writable(&address, &bytes),
                    _ => self.facts.in_bounds(state, &address, &bytes),
                }
            }
            Condition::NulWithin(p) => {
                let address = self.eval_address(frame, state, *p);
                is_string(state, &address)
            }
            Condition::WrittenRange(p, n) => {
                let address = self.eval_address(frame, state, *p);
                let bytes = self.number(frame, state, *n, 2);
                written::is_written(&self.facts, state, &address, Some(&bytes))
            }
            Condition::WrittenText(p) => {
                let address = self.eval_address(frame, state, *p);
                written::is_written(&self.facts, state, &address, None)
            }
            Condition::Callable(expr) => self.is_callable(frame, state, *expr),
            Condition::Unnamed(list, ty) => {
                let list = self.eval_address(frame, state, *list);
                self.is_unnamed(state, &list, *ty)
            }
            Condition::StackFits(expr) => {
                let bytes = self.number(frame, state, *expr, 2);
                let fits = bytes.lo() > 0 && bytes.hi() <= LARGEST_LOCAL;
                if fits && !piles_up(self.facts.program, frame.function, id) { Tri::True } else { Tri::Maybe }
            }
            Condition::ResultUnused => {
                if frame.result_used {
                    Tri::Maybe
                } else {
                    Tri::True
                }
            }
            // Judged where the program ends, and where the region ends.
            Condition::NotLeaked | Condition::Commutes => Tri::True,
        }
    }

    fn is_initialised(
        &mut self,
        frame: &Frame<'p>,
        state: &State,
        place: &Place,
        bits: Option<BitRange>,
    ) -> Tri {
        let address = self.address(frame, state, place);
        let is_bits = bits.is_some();
        if let Some(value) = bits.and_then(|bits| fields_at(state, &address, bits)) {
            return if value.uninit { Tri::Maybe } else { Tri::True };
        }
        if address.unknown {
            return Tri::Maybe;
        }
        let bytes = self.facts.types.access_bytes(place);
        for (id, offset) in &address.targets {
            let Some(object) = state.object(*id) else { return Tri::Maybe };
            let Some(offset) = clamp(offset, &object.size, bytes) else { continue };
            let shape = match self.facts.shape(place.ty) {
                Some(shape) if !is_bits && shape.bytes() == bytes => shape,
                _ => crate::domain::shape::Shape::Int(clew_base::int::IntType::unsigned(
                    (bytes * 8).min(128) as u16,
                )),
            };
            if object.contents.read(&offset, shape).uninit
                && (is_bits || !self.is_filled_place(frame, state, place, *id, &offset))
            {
                return Tri::Maybe;
            }
        }
        Tri::True
    }

    fn is_callable(&mut self, frame: &Frame<'p>, state: &State, expr: ExprId) -> Tri {
        // A model stands for a declaration only where it fits every call by name.
        if matches!(frame.body.exprs[expr].kind, ExprKind::Function(f) if self.facts.options.models.contains(&f))
        {
            return Tri::True;
        }
        let address = self.eval_address(frame, state, expr);
        if address.unknown || address.number.is_some() {
            return Tri::Maybe;
        }
        let declared = self.facts.types.pointee(frame.body.exprs[expr].ty);
        let fits = |(object, offset): &(ObjectId, Int)| match self.facts.objects.get(*object) {
            Object::Function(function) if offset.as_constant() == Some(0) => {
                declared.is_some_and(|ty| self.facts.same_signature(ty, self.facts.function(*function).ty))
            }
            _ => false,
        };
        if address.targets.iter().all(fits) { Tri::True } else { Tri::Maybe }
    }

    /// Whether the operation at the root of an expression raises something.
    fn raised(&mut self, frame: &Frame<'p>, state: &State, raise: Raise, expr: ExprId) -> Tri {
        let node = &frame.body.exprs[expr];
        let number = |this: &mut Self, e: ExprId| this.number(frame, state, e, 2);
        match &node.kind {
            ExprKind::Binary(op, left, right) => match self.facts.types.class(node.ty) {
                Class::Float(format) => {
                    let (a, b) = (self.eval(frame, state, *left).kind, self.eval(frame, state, *right).kind);
                    match (a, b) {
                        (Kind::Float(a), Kind::Float(b)) => {
                            let plain = float::raises(raise, *op, &a, &b, format);
                            self.raised_by_linear(frame, state, raise, expr, plain, format)
                        }
                        _ => Tri::Maybe,
                    }
                }
                Class::Int(ty) => {
                    let (a, b) = (number(self, *left), number(self, *right));
                    match raise {
                        Raise::DivisionByZero => {
                            int::compare(clew_ir::syntax::CompareOp::Eq, &b, &Int::constant(0))
                        }
                        Raise::SignedOverflow | Raise::UnsignedWrap => {
                            let plain = int::raises_overflow(*op, &a, &b, ty);
                            self.overflow_by_relations(frame, state, *op, *left, *right, plain, ty)
                        }
                        Raise::ShiftRange => shift_raises(*op, &a, &b, ty),
                        _ => Tri::Maybe,
                    }
                }
                _ => Tri::Maybe,
            },
            ExprKind::Unary(UnaryOp::Neg, inner) => match (self.facts.types.class(node.ty), raise) {
                (Class::Int(ty), Raise::SignedOverflow | Raise::UnsignedWrap) => {
                    let a = number(self, *inner);
                    int::raises_overflow(BinaryOp::Sub, &Int::constant(0), &a, ty)
                }
                _ => Tri::Maybe,
            },
            ExprKind::Compare(_, left, right) => {
                // Only a NaN is invalid in an ordered comparison.
                let (a, b) = (self.eval(frame, state, *left).kind, self.eval(frame, state, *right).kind);
                match (a, b, raise) {
                    (Kind::Float(a), Kind::Float(b), Raise::FloatInvalid) => {
                        a.is_nan_tri().or(b.is_nan_tri())
                    }
                    _ => Tri::Maybe,
                }
            }
            ExprKind::Cast(inner) => {
                let from = frame.body.exprs[*inner].ty;
                let value = self.eval(frame, state, *inner).kind;
                match (self.facts.types.class(from), self.facts.types.class(node.ty), value, raise) {
                    (Class::Float(_), Class::Int(ty), Kind::Float(f), Raise::FloatToInt) => {
                        float::float_to_int_raises(&f, ty)
                    }
                    (Class::Int(_), Class::Int(ty), Kind::Number(n), Raise::LossyConversion) => {
                        n.fits(ty).not()
                    }
                    (Class::Float(a), Class::Float(b), Kind::Float(f), _) => {
                        float::convert_raises(raise, &f, a, b)
                    }
                    // The largest of the widest type are negative numbers to this domain.
                    (Class::Int(from), Class::Float(to), Kind::Number(n), _) if from != IntType::U128 => {
                        float::from_int_raises(raise, &n, to)
                    }
                    _ => Tri::Maybe,
                }
            }
            _ => Tri::Maybe,
        }
    }

    /// A float operation whose linear form stays finite does not overflow.
    fn raised_by_linear(
        &mut self,
        frame: &Frame<'p>,
        state: &State,
        raise: Raise,
        expr: ExprId,
        plain: Tri,
        format: clew_base::float::Format,
    ) -> Tri {
        if plain != Tri::Maybe || raise != Raise::FloatOverflow {
            return plain;
        }
        match crate::transfer::linear::float_range(self, frame, state, expr) {
            Some(range) if range.is_subset(&crate::domain::float::Float::finite(format)) => Tri::False,
            _ => plain,
        }
    }

    /// `x - y` and the like do not overflow where `x` is known not to be below `y`.
    #[expect(clippy::too_many_arguments, reason = "an operation has this many parts")]
    fn overflow_by_relations(
        &mut self,
        frame: &Frame<'p>,
        state: &State,
        op: BinaryOp,
        left: ExprId,
        right: ExprId,
        plain: Tri,
        ty: clew_base::int::IntType,
    ) -> Tri {
        if plain != Tri::Maybe {
            return plain;
        }
        if self.exact_sum(frame, state, op, left, right).is_some_and(|exact| exact.fits(ty).is_true()) {
            return Tri::False;
        }
        let constant = match frame.body.exprs[right].kind {
            ExprKind::Int(c) => Some(c),
            _ => None,
        };
        let (x, a) = match self.offset_local(frame, state, left) {
            Some(found) => found,
            None => return plain,
        };
        let fits = match (op, constant) {
            // x + c <= y + ... <= the largest y.
            (BinaryOp::Add, Some(c)) => relative_range(state, x).map(|r| r.add(&Int::constant(a + c))),
            (BinaryOp::Sub, Some(c)) => relative_range(state, x).map(|r| r.add(&Int::constant(a - c))),
            (BinaryOp::Sub, None) => match self.offset_local(frame, state, right) {
                Some((y, b)) => {
                    let most = state.domains.relations.bound(x, y).map(|c| c + a - b);
                    let least = state.domains.relations.bound(y, x).map(|c| a - b - c);
                    let exact = self.number(frame, state, left, 2).sub(&self.number(frame, state, right, 2));
                    let lo = least.map_or(exact.lo(), |l| l.max(exact.lo()));
                    let hi = most.map_or(exact.hi(), |m| m.min(exact.hi()));
                    (lo <= hi).then(|| Int::range(lo, hi))
                }
                None => None,
            },
            _ => None,
        };
        match fits {
            Some(range) if range.fits(ty).is_true() => Tri::False,
            _ => plain,
        }
    }
}

impl<'p> Transfer<'p> {
    /// Judges one obligation. False: no run goes on.
    pub(crate) fn check(&mut self, frame: &Frame<'p>, state: &mut State, id: ObligationId) -> bool {
        let obligation = &frame.body.obligations[id];
        let subject = self.eval.subject(frame, id);
        if matches!(obligation.condition, Condition::NotLeaked) {
            self.eval.recorder.pending_leak = Some(subject);
            return true;
        }
        let holds = self.eval.holds(frame, state, id);
        let is_model = self.eval.facts.options.models.contains(&frame.function);
        // Models fill objects of the library, which nobody else may write.
        if is_model && matches!(obligation.condition, Condition::Writable(_)) {
            return true;
        }
        // What a model checks for itself follows from what it asked for before.
        let is_own = is_model && !self.eval.facts.options.requirements.contains(&(frame.function, id));
        if self.eval.context.recording && !is_own && !matches!(obligation.condition, Condition::Commutes) {
            self.eval.record(frame, state, subject, obligation, holds);
        }
        let arithmetic = matches!(obligation.condition, Condition::NotRaised(..));
        let stops = (self.eval.facts.options.stops)(obligation.check, self.eval.facts.program.semantics)
            && (!arithmetic || (self.eval.context.prune_arithmetic && !is_model));
        if !stops || holds.is_true() {
            return true;
        }
        let goes_on = !holds.is_false() && self.prune_violations(frame, state, &obligation.condition);
        let is_noted = goes_on && self.note_access(frame, state, &obligation.condition);
        if !is_own && (!goes_on || is_noted || prunes_runs(&obligation.condition)) {
            self.prune_from(state, Pruning::Violated(subject));
        }
        if !goes_on {
            self.eval.prune_at(id, &state.given);
        }
        goes_on
    }

    /// Keeps the runs in which the condition holds. False: there are none.
    fn prune_violations(&mut self, frame: &Frame<'p>, state: &mut State, condition: &Condition) -> bool {
        match condition {
            Condition::Holds(expr) => self.assume(frame, state, *expr, true),
            Condition::NotNull(expr) => {
                let mut address = self.eval.eval_address(frame, state, *expr);
                address.number = address.number.and_then(|n| n.exclude(0));
                self.push_address(frame, state, *expr, address)
            }
            Condition::Valid(expr) => {
                let mut address = self.eval.eval_address(frame, state, *expr);
                address.number = None;
                self.push_address(frame, state, *expr, address)
            }
            Condition::Live(expr) => {
                let mut address = self.eval.eval_address(frame, state, *expr);
                address.targets.retain(|(object, _)| self.eval.facts.life(state, *object).alive);
                if let ([(object, _)], None, false) = (&address.targets[..], address.number, address.unknown)
                    && !self.eval.facts.is_summary(*object)
                    && let Some(obj) = state.object(*object)
                    && obj.life.dead
                {
                    let alive = crate::memory::object::Obj { life: Life::ALIVE, ..(**obj).clone() };
                    state.set_object(*object, alive);
                }
                self.push_address(frame, state, *expr, address)
            }
            Condition::InBounds(place) => self.prune_bounds(frame, state, place),
            Condition::ReadableRange(p, n) | Condition::WritableRange(p, n) => {
                let bytes = self.eval.number(frame, state, *n, 2);
                if bytes.lo() <= 0 {
                    return true;
                }
                let mut address = self.eval.eval_address(frame, state, *p);
                address.number = None;
                self.eval.facts.keep_inside(state, &mut address, bytes.lo());
                self.push_address(frame, state, *p, address)
            }
            Condition::NotRaised(Raise::DivisionByZero, expr) => match frame.body.exprs[*expr].kind {
                ExprKind::Binary(_, _, right) => {
                    let divisor = self.eval.number(frame, state, right, 2);
                    match divisor.exclude(0) {
                        Some(n) => self.push(frame, state, right, &Kind::Number(n), 4),
                        None => false,
                    }
                }
                _ => true,
            },
            Condition::NotRaised(Raise::SignedOverflow, expr) => {
                // The expression is worth its exact value from here on; its operands are those that allow it.
                let Class::Int(ty) = self.eval.facts.types.class(frame.body.exprs[*expr].ty) else {
                    return true;
                };
                let Kind::Number(n) = self.eval.eval(frame, state, *expr).kind else { return true };
                match n.meet(&Int::of_type(ty)) {
                    Some(n) => self.push(frame, state, *expr, &Kind::Number(n), 4),
                    None => true,
                }
            }
            _ => true,
        }
    }

    fn prune_bounds(&mut self, frame: &Frame<'p>, state: &mut State, place: &Place) -> bool {
        let mut address = self.eval.address(frame, state, place);
        let bytes = i128::from(self.eval.facts.types.access_bytes(place));
        address.number = None;
        self.eval.facts.keep_inside(state, &mut address, bytes);
        if address.is_empty() {
            return false;
        }
        let PlaceBase::Deref(pointer) = place.base else { return true };
        // Constant steps from the pointer: what is known of the place is known of the pointer.
        let Some(distance) = self.eval.facts.types.constant_offset(frame.body, place) else { return true };
        for (_, offset) in &mut address.targets {
            *offset = offset.sub(&Int::constant(i128::from(distance)));
        }
        self.push_address(frame, state, pointer, address)
    }
}

pub(crate) fn is_string(state: &State, address: &Address) -> Tri {
    if address.unknown || address.number.is_some() {
        return Tri::Maybe;
    }
    for (object, offset) in &address.targets {
        let Some(obj) = state.object(*object) else { return Tri::Maybe };
        // Bytes that are known to hold something exist, whatever the size may be.
        let (Ok(last), Ok(end)) = (u64::try_from(offset.hi()), u64::try_from(obj.size.hi())) else {
            return Tri::Maybe;
        };
        if offset.lo() < 0 || !obj.contents.is_terminated(last, end) {
            return Tri::Maybe;
        }
    }
    Tri::True
}

/// The range of a register by its own bounds and those of registers it is compared with.
fn relative_range(state: &State, x: clew_ir::syntax::LocalId) -> Option<Int> {
    let own = register_int(state, x)?;
    let (plus, minus) = (crate::domain::var::Var::Register(x), crate::domain::var::Var::Minus(x));
    let lo = [state.least(plus), state.greatest(minus).map(|c| -c)]
        .into_iter()
        .flatten()
        .fold(own.lo(), i128::max);
    let hi = [state.greatest(plus), state.least(minus).map(|c| -c)]
        .into_iter()
        .flatten()
        .fold(own.hi(), i128::min);
    (lo <= hi).then(|| Int::range(lo, hi))
}

/// Whether two ranges of `n` bytes each are the same or apart. Offsets that differ by a multiple of `n` are, also in two
/// objects of one summary.
fn same_or_disjoint(p: &Address, q: &Address, n: &Int) -> Tri {
    if p.unknown || q.unknown {
        return Tri::Maybe;
    }
    let Some(n) = n.as_constant().filter(|n| *n > 0) else { return Tri::Maybe };
    let pairs = p.targets.iter().flat_map(|one| q.targets.iter().map(move |other| (one, other)));
    let met = pairs.filter(|((object, _), (other, _))| object == other);
    let is_fine = |((_, offset), (_, there)): ((_, &Int), (_, &Int))| {
        let distance = offset.sub(there);
        let (modulus, remainder) = distance.stride();
        let in_steps = match distance.as_constant() {
            Some(distance) => distance % n == 0,
            None => modulus % n.unsigned_abs() == 0 && remainder % n == 0,
        };
        in_steps || distance.lo() >= n || distance.hi() <= -n
    };
    let mut met = met.map(|((_, offset), (_, there))| (((), offset), ((), there)));
    if met.all(is_fine) { Tri::True } else { Tri::Maybe }
}

/// Whether the state after a check leaves out runs that violate it. The others are analysed as if they went on.
fn prunes_runs(condition: &Condition) -> bool {
    !matches!(
        condition,
        Condition::StackFits(_)
            | Condition::Aligned(..)
            | Condition::Writable(_)
            | Condition::SameObject(..)
            | Condition::Commutes
            | Condition::ResultUnused
    )
}

/// Offsets that leave room for so many bytes of an object; none if there are none.
pub(crate) fn clamp(offset: &Int, size: &Int, bytes: u64) -> Option<Int> {
    let last = size.hi().checked_sub(i128::from(bytes)).filter(|last| *last >= 0)?;
    offset.meet(&Int::range(0, last))
}

fn shift_raises(op: BinaryOp, a: &Int, b: &Int, ty: clew_base::int::IntType) -> Tri {
    use clew_ir::syntax::CompareOp;
    let width = Int::constant(i128::from(ty.bits));
    let count_bad =
        int::compare(CompareOp::Lt, b, &Int::constant(0)).or(int::compare(CompareOp::Ge, b, &width));
    if op != BinaryOp::Shl || !ty.signed || count_bad.is_true() {
        return count_bad;
    }
    let negative = int::compare(CompareOp::Lt, a, &Int::constant(0));
    count_bad.or(negative).or(int::raises_overflow(BinaryOp::Shl, a, b, ty))
}

fn same_object(a: &Address, b: &Address) -> Tri {
    if a.unknown || b.unknown {
        return Tri::Maybe;
    }
    match (&a.targets[..], &b.targets[..], a.number, b.number) {
        ([(x, _)], [(y, _)], None, None) => {
            if x == y {
                Tri::True
            } else {
                Tri::False
            }
        }
        ([], [], Some(x), Some(y)) => int::compare(clew_ir::syntax::CompareOp::Eq, &x, &y),
        _ => Tri::Maybe,
    }
}

/// The value with its flag for "never written" cleared, as it is worth after its check.
pub(crate) fn written(value: Value) -> Value {
    Value { uninit: false, ..value }
}

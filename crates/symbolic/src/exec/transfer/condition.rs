// SPDX-License-Identifier: MIT OR Apache-2.0
//! Conditions of obligations as terms. The interpreter's `encoder/condition.rs` is its twin.

use std::rc::Rc;

use clew_base::index::Idx;
use clew_ir::obligation::{CheckKind, Condition};
use clew_ir::syntax::{ExprId, ExprKind, GlobalId, Place};

use crate::exec::context::encoder::Encoder;
use crate::exec::context::evaluator::Evaluator;
use crate::exec::context::objects::Kind;
use crate::exec::record::event::Reason;
use crate::exec::state::State;
use crate::exec::state::value::{Base, Case, ObjectId, Pointer, Value};
use crate::exec::transfer::expression::Evaluated;
use crate::term::TermId;

/// Bytes of the stack that a program has.
const STACK: u64 = 8 << 20;

impl Encoder<'_> {
    /// One bit: whether such a condition holds of one case of that pointer.
    pub fn holds_of(
        &mut self,
        state: &State,
        condition: &Condition,
        check: CheckKind,
        case: &Case,
    ) -> Option<TermId> {
        let zero = self.address(0);
        let is_zero = self.terms.eq(case.offset, zero);
        let holds = match (condition, case.base) {
            // Objects do not lie at zero.
            (Condition::NotNull(_), Base::Number) => self.terms.not(is_zero),
            (Condition::Valid(_), Base::Number) => is_zero,
            // What dies without being freed is not freed twice: invalid-free says so.
            (Condition::Live(_), Base::Object(object))
                if check != CheckKind::DoubleFree || self.meta(object).kind == Kind::Heap =>
            {
                self.alive(state, object)
            }
            (Condition::InBounds(_), Base::Function(_)) => self.terms.bool(false),
            (Condition::InBounds(place), Base::Object(object)) => {
                let bytes = self.facts.program.types().access_bytes(place);
                let bytes = self.address(bytes);
                let inside = self.inside(object, case.offset, bytes);
                let alive = self.alive(state, object);
                self.terms.implies(alive, inside)
            }
            (
                Condition::NotNull(_) | Condition::Valid(_) | Condition::Live(_) | Condition::InBounds(_),
                _,
            ) => self.terms.bool(true),
            _ => return None,
        };
        Some(holds)
    }

    /// One bit: whether something holds of each case that a pointer may be.
    fn each(
        &mut self,
        pointer: &Pointer,
        mut holds: impl FnMut(&mut Self, &Case) -> Option<TermId>,
    ) -> Option<TermId> {
        let mut all = self.terms.bool(true);
        for (case, chosen) in pointer.choices(&mut self.terms) {
            let here = holds(self, case)?;
            let here = self.terms.implies(chosen, here);
            all = self.terms.and(all, here);
        }
        Some(all)
    }

    fn meta(&self, object: ObjectId) -> &crate::exec::context::objects::Meta {
        &self.objects.metas[object.0 as usize]
    }

    /// Whether an object is one that the library made for the program to hand back.
    fn is_handle(&self, object: ObjectId) -> bool {
        let global = || self.objects.globals.iter().position(|global| *global == object);
        match self.meta(object).kind {
            Kind::Library { shared } => !shared,
            Kind::Static => {
                global().is_some_and(|at| self.facts.program.globals[GlobalId::new(at)].is_handle())
            }
            _ => false,
        }
    }

    /// One bit: whether an object lives. A pointer to one that this path did not make cannot be followed here.
    pub fn alive(&mut self, state: &State, object: ObjectId) -> TermId {
        state.memory.get(object).map_or_else(|| self.terms.bool(true), |object| object.alive)
    }

    /// One bit: whether a range lies inside an object.
    fn inside(&mut self, object: ObjectId, offset: TermId, bytes: TermId) -> TermId {
        let size = self.meta(object).size;
        let fits = self.terms.le(bytes, size, false);
        let last = self.terms.sub(size, bytes);
        let before = self.terms.le(offset, last, false);
        self.terms.and(fits, before)
    }

    /// Whether a write of so many bytes, or of any number, may change a const member of an object that is not const.
    fn may_touch_const(&self, object: ObjectId, offset: TermId, bytes: Option<u64>) -> bool {
        let Some(ty) = self.meta(object).partly_const else { return false };
        match (self.terms.as_const(offset), bytes) {
            (Some(offset), Some(bytes)) => {
                let start = i128::from(offset as i64);
                self.facts.program.types().touches_const(ty, start, start + i128::from(bytes))
            }
            _ => true,
        }
    }

    fn disjoint(&mut self, (p, n): (&Case, TermId), (q, m): (&Case, TermId)) -> TermId {
        if p.base != q.base {
            return self.terms.bool(true);
        }
        let zero = self.address(0);
        let (no_n, no_m) = (self.terms.eq(n, zero), self.terms.eq(m, zero));
        let empty = self.terms.or(no_n, no_m);
        let before = self.is_before(p.offset, n, q.offset);
        let after = self.is_before(q.offset, m, p.offset);
        let apart = self.terms.or(before, after);
        self.terms.or(empty, apart)
    }

    /// One bit: whether a range that begins at an offset ends before another, without wrapping.
    fn is_before(&mut self, start: TermId, length: TermId, other: TermId) -> TermId {
        let ordered = self.terms.le(start, other, false);
        let room = self.terms.sub(other, start);
        let fits = self.terms.le(length, room, false);
        self.terms.and(ordered, fits)
    }
}

impl Evaluator<'_> {
    /// One bit: whether a condition holds. None: not understood.
    pub fn condition(&mut self, state: &State, condition: &Condition, check: CheckKind) -> Option<TermId> {
        let known = &mut Evaluated::default();
        match condition {
            // What is any value of an iteration, or was forgotten, counts as written, whether or not it was.
            Condition::InitialisedLocal(_) | Condition::Initialised(..)
                if self.plan.induction.is_some() || self.plan.slice.is_some() || self.plan.stays =>
            {
                None
            }
            Condition::Holds(expr) => {
                let value = self.eval_with(state, known, *expr);
                self.truth(state, value)
            }
            Condition::Never => Some(self.encoder.terms.bool(false)),
            Condition::NotRaised(raise, expr) => {
                let body = self.encoder.body(state.frame.function)?;
                let node = &body.exprs[*expr];
                let mut ids = Vec::new();
                node.operands(|operand| ids.push(operand));
                let operands: Vec<_> =
                    ids.iter().map(|id| (self.eval_with(state, known, *id), body.exprs[*id].ty)).collect();
                let raised = self.encoder.arithmetic().raises(*raise, node, &operands)?;
                Some(self.encoder.terms.not(raised))
            }
            Condition::InitialisedLocal(local) => Some(
                state.frame.get(*local).map_or_else(|| self.encoder.terms.bool(false), |local| local.written),
            ),
            Condition::NotNull(_) | Condition::Valid(_) | Condition::Live(_) | Condition::InBounds(_) => {
                let pointer = self.asked_about(state, known, condition)?;
                if matches!(condition, Condition::NotNull(_)) {
                    self.cut_far(state, &pointer);
                }
                self.encoder.each(&pointer, |encoder, case| encoder.holds_of(state, condition, check, case))
            }
            // Models fill objects of the library, which nobody else may write.
            Condition::Writable(_) if self.encoder.facts.options.models.contains(&state.frame.function) => {
                Some(self.encoder.terms.bool(true))
            }
            Condition::Writable(place) => {
                let pointer = self.place_pointer(state, known, place)?;
                let bytes = self.encoder.facts.program.types().access_bytes(place);
                self.encoder.each(&pointer, |encoder, case| match case.base {
                    Base::Object(object) if encoder.may_touch_const(object, case.offset, Some(bytes)) => None,
                    Base::Object(object) if !encoder.meta(object).writable => {
                        let alive = encoder.alive(state, object);
                        Some(encoder.terms.not(alive))
                    }
                    _ => Some(encoder.terms.bool(true)),
                })
            }
            Condition::Aligned(place, align) => {
                let pointer = self.place_pointer(state, known, place)?;
                let align = (*align).max(1);
                self.encoder.each(&pointer, |encoder, case| {
                    match case.base {
                        Base::Object(object) if encoder.meta(object).align < align => return None,
                        Base::Function(_) => return None,
                        _ => {}
                    }
                    let mask = encoder.address(u64::from(align - 1));
                    let low = encoder.terms.and(case.offset, mask);
                    let odd = encoder.terms.nonzero(low);
                    Some(encoder.terms.not(odd))
                })
            }
            Condition::Initialised(_, Some(_)) => None,
            Condition::Initialised(place, None) => {
                let pointer = self.place_pointer(state, known, place)?;
                let bytes = self.encoder.stored_bytes(place.ty)?;
                Some(self.read(state, &pointer, bytes)?.written)
            }
            Condition::AllocBase(expr) => {
                let pointer = self.pointer(state, known, *expr)?;
                self.encoder.each(&pointer, |encoder, case| {
                    let zero = encoder.address(0);
                    let at_start = encoder.terms.eq(case.offset, zero);
                    match case.base {
                        Base::Number => Some(at_start),
                        Base::Object(object) if encoder.meta(object).kind == Kind::Heap => {
                            let alive = encoder.alive(state, object);
                            Some(encoder.terms.and(at_start, alive))
                        }
                        _ => Some(encoder.terms.bool(false)),
                    }
                })
            }
            Condition::Handle(expr) => {
                let pointer = self.pointer(state, known, *expr)?;
                self.encoder.each(&pointer, |encoder, case| {
                    let zero = encoder.address(0);
                    let at_start = encoder.terms.eq(case.offset, zero);
                    match case.base {
                        Base::Object(object) if encoder.is_handle(object) => {
                            let alive = encoder.alive(state, object);
                            Some(encoder.terms.and(at_start, alive))
                        }
                        _ => Some(encoder.terms.bool(false)),
                    }
                })
            }
            // Of which types unnamed arguments were is not kept.
            Condition::Unnamed(..) => None,
            Condition::Lasting(expr) => {
                let pointer = self.pointer(state, known, *expr)?;
                self.encoder.each(&pointer, |encoder, case| match case.base {
                    Base::Object(object)
                        if !matches!(encoder.meta(object).kind, Kind::Static | Kind::Literal) =>
                    {
                        None
                    }
                    _ => Some(encoder.terms.bool(true)),
                })
            }
            Condition::SameObject(left, right) => {
                let (a, b) = (self.pointer(state, known, *left)?, self.pointer(state, known, *right)?);
                self.encoder.each(&a, |encoder, one| {
                    encoder.each(&b, |encoder, other| Some(encoder.terms.bool(one.base == other.base)))
                })
            }
            Condition::Disjoint { p, n, q, m } => {
                let (n, m) = (self.size(state, known, *n)?, self.size(state, known, *m)?);
                let (a, b) = (self.pointer(state, known, *p)?, self.pointer(state, known, *q)?);
                self.encoder.each(&a, |encoder, one| {
                    encoder.each(&b, |encoder, other| Some(encoder.disjoint((one, n), (other, m))))
                })
            }
            Condition::SameOrDisjoint { p, q, n } => {
                let n = self.size(state, known, *n)?;
                let (a, b) = (self.pointer(state, known, *p)?, self.pointer(state, known, *q)?);
                self.encoder.each(&a, |encoder, one| {
                    encoder.each(&b, |encoder, other| {
                        let same = encoder.terms.eq(one.offset, other.offset);
                        let apart = encoder.disjoint((one, n), (other, n));
                        Some(encoder.terms.or(same, apart))
                    })
                })
            }
            Condition::ReadableRange(pointer, bytes) => self.range(state, known, *pointer, *bytes, false),
            Condition::WritableRange(pointer, bytes) => self.range(state, known, *pointer, *bytes, true),
            // Whether single bytes of a text were written is not followed.
            Condition::WrittenRange(..) | Condition::WrittenText(_) => None,
            Condition::NulWithin(expr) => {
                let pointer = self.pointer(state, known, *expr)?;
                self.nul_within(state, &pointer)
            }
            Condition::Callable(expr) => {
                let body = self.encoder.body(state.frame.function)?;
                // A model stands for a declaration only where it fits every call by name.
                let is_model = |function| self.encoder.facts.options.models.contains(&function);
                if matches!(body.exprs[*expr].kind, ExprKind::Function(function) if is_model(function)) {
                    return Some(self.encoder.terms.bool(true));
                }
                let called_as = self.encoder.facts.program.types().pointee(body.exprs[*expr].ty)?;
                let pointer = self.pointer(state, known, *expr)?;
                self.encoder.each(&pointer, |encoder, case| match case.base {
                    // A function of another type may still do: that is not looked at.
                    Base::Function(function) => (encoder.facts.program.functions[function].ty == called_as)
                        .then(|| encoder.terms.bool(true)),
                    _ => Some(encoder.terms.bool(false)),
                })
            }
            Condition::StackFits(expr) => {
                let bytes = self.size(state, known, *expr)?;
                let (zero, most) = (self.encoder.address(0), self.encoder.address(STACK));
                let some = self.encoder.terms.lt(zero, bytes, true);
                let fits = self.encoder.terms.le(bytes, most, true);
                // How much of the stack is in use is not counted.
                let little = self.encoder.address(STACK / 8);
                let much = self.encoder.terms.lt(little, bytes, true);
                self.cut_if(state, much, Reason::Environment);
                Some(self.encoder.terms.and(some, fits))
            }
            Condition::ResultUnused => Some(self.encoder.terms.bool(!state.frame.result_used)),
            Condition::NotLeaked | Condition::Commutes => None,
        }
    }

    /// The pointer that a condition about where one leads is about.
    pub fn asked_about(
        &mut self,
        state: &State,
        known: &mut Evaluated,
        condition: &Condition,
    ) -> Option<Rc<Pointer>> {
        match condition {
            Condition::NotNull(expr) | Condition::Valid(expr) | Condition::Live(expr) => {
                self.pointer(state, known, *expr)
            }
            Condition::InBounds(place) => self.place_pointer(state, known, place),
            _ => None,
        }
    }

    fn pointer(&mut self, state: &State, known: &mut Evaluated, expr: ExprId) -> Option<Rc<Pointer>> {
        match self.eval_with(state, known, expr) {
            Value::Pointer(pointer) => Some(pointer),
            _ => None,
        }
    }

    fn place_pointer(&mut self, state: &State, known: &mut Evaluated, place: &Place) -> Option<Rc<Pointer>> {
        match self.place(state, known, place) {
            Value::Pointer(pointer) => Some(pointer),
            _ => None,
        }
    }

    /// A number of bytes, at the width of an address.
    pub fn size(&mut self, state: &State, known: &mut Evaluated, expr: ExprId) -> Option<TermId> {
        let body = self.encoder.body(state.frame.function)?;
        let int = self.encoder.facts.program.types().int_type(body.exprs[expr].ty)?;
        match self.eval_with(state, known, expr) {
            Value::Bits(bits) => {
                Some(self.encoder.terms.resize(bits, self.encoder.facts.address_bits(), int.signed))
            }
            _ => None,
        }
    }

    fn range(
        &mut self,
        state: &State,
        known: &mut Evaluated,
        pointer: ExprId,
        bytes: ExprId,
        writes: bool,
    ) -> Option<TermId> {
        let bytes = self.size(state, known, bytes)?;
        let pointer = self.pointer(state, known, pointer)?;
        self.encoder.each(&pointer, |encoder, case| match case.base {
            Base::Object(object) if writes && encoder.may_touch_const(object, case.offset, None) => None,
            Base::Object(object) if !writes || encoder.meta(object).writable => {
                let inside = encoder.inside(object, case.offset, bytes);
                let alive = encoder.alive(state, object);
                Some(encoder.terms.and(alive, inside))
            }
            _ => Some(encoder.terms.bool(false)),
        })
    }
}

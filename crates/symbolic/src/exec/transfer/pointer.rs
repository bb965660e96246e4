// SPDX-License-Identifier: MIT OR Apache-2.0
//! Pointers compared, subtracted, and made into numbers and back.
//!
//! Where objects lie is not known. Inside one object offsets say everything. Between two, what depends on it is
//! answered in one way, and the runs for which that may be wrong are noted as cut.

use std::rc::Rc;

use clew_ir::syntax::CompareOp;

use crate::exec::context::encoder::Encoder;
use crate::exec::context::evaluator::Evaluator;
use crate::exec::context::objects::Kind;
use crate::exec::record::event::Reason;
use crate::exec::state::State;
use crate::exec::state::value::{Base, Case, ObjectId, Pointer, Value};
use crate::term::{BinaryOp, Term, TermId};

/// No object lies below this.
const FIRST_PAGES: u64 = 0x1_0000;

impl Encoder<'_> {
    /// One bit: whether a pointer is surely not equal to one of another base, seen from its side.
    fn is_apart(&mut self, state: &State, case: &Case, other: &Case) -> TermId {
        match (case.base, other.base) {
            (Base::Number, _) => {
                let zero = self.address(0);
                self.terms.eq(case.offset, zero)
            }
            (Base::Function(_), _) => {
                let zero = self.address(0);
                self.terms.eq(case.offset, zero)
            }
            (Base::Object(object), _) => {
                let meta = self.objects.metas[object.0 as usize].clone();
                let Some(now) = state.memory.get(object) else { return self.terms.bool(true) };
                let alive = now.alive;
                let against_null = other.base == Base::Number;
                let inside = if against_null {
                    self.terms.le(case.offset, meta.size, false)
                } else {
                    self.terms.lt(case.offset, meta.size, false)
                };
                match (against_null, meta.kind) {
                    (true, _) => inside,
                    // Equal literals may be one.
                    (false, Kind::Literal) => self.terms.bool(false),
                    (false, Kind::Library { shared: true }) if self.is_shared(other) => {
                        self.terms.bool(false)
                    }
                    (false, _) => self.terms.and(inside, alive),
                }
            }
        }
    }

    fn is_shared(&self, case: &Case) -> bool {
        let kind = |object: ObjectId| self.objects.metas[object.0 as usize].kind;
        matches!(case.base, Base::Object(object) if kind(object) == Kind::Library { shared: true })
    }

    fn case_number(&mut self, case: &Case) -> TermId {
        let address = self.address_of(case.base);
        self.terms.add(address, case.offset)
    }

    /// The address of a pointer, from which it can be had back.
    pub fn number_at(&mut self, pointer: &Rc<Pointer>) -> TermId {
        let mut number: Option<TermId> = None;
        for case in &pointer.cases {
            let here = self.case_number(case);
            number = Some(number.map_or(here, |rest| self.terms.ite(case.guard, here, rest)));
        }
        let number = number.unwrap_or_else(|| self.address(0));
        if pointer.cases.iter().any(|case| case.base != Base::Number) {
            let known = self.whole(pointer);
            self.objects.exposed.insert(number, Rc::new(known));
        }
        number
    }

    /// The pointer with the first case where no other holds. The number of a pointer means the same on every path, and
    /// another that comes to it may not have the check behind which the pointer lost cases (`prune`).
    fn whole(&mut self, pointer: &Pointer) -> Pointer {
        let mut cases = pointer.cases.clone();
        if let [first, rest @ ..] = cases.as_mut_slice() {
            let guards: Vec<TermId> = rest.iter().map(|case| case.guard).collect();
            let any = self.terms.any(&guards);
            first.guard = self.terms.not(any);
        }
        Pointer { cases }
    }
}

impl Evaluator<'_> {
    /// One bit: a comparison of two pointers.
    pub fn pointer_compare(&mut self, state: &State, op: CompareOp, a: &Pointer, b: &Pointer) -> TermId {
        let mut holds = self.encoder.terms.bool(false);
        for one in &a.cases {
            for other in &b.cases {
                let both = self.encoder.terms.and(one.guard, other.guard);
                if self.encoder.terms.is_false(both) {
                    continue;
                }
                let here = self.case_compare(state, op, both, one, other);
                let here = self.encoder.terms.and(both, here);
                holds = self.encoder.terms.or(holds, here);
            }
        }
        holds
    }

    fn case_compare(&mut self, state: &State, op: CompareOp, both: TermId, a: &Case, b: &Case) -> TermId {
        if a.base == b.base {
            // A pointer a little before its object has a negative offset.
            return self.encoder.arithmetic().int_compare(op, a.base != Base::Number, a.offset, b.offset);
        }
        match op {
            CompareOp::Eq | CompareOp::Ne => {
                let (x, y) = (self.encoder.is_apart(state, a, b), self.encoder.is_apart(state, b, a));
                let apart = self.encoder.terms.and(x, y);
                let not = self.encoder.terms.not(apart);
                let doubtful = self.encoder.terms.and(both, not);
                self.cut_if(state, doubtful, Reason::Addresses);
                self.encoder.terms.bool(op == CompareOp::Ne)
            }
            _ => {
                self.cut_if(state, both, Reason::Addresses);
                let (x, y) = (self.encoder.case_number(a), self.encoder.case_number(b));
                self.encoder.arithmetic().int_compare(op, false, x, y)
            }
        }
    }

    /// Notes the runs in which a pointer is so far before its object that it may be null: nothing lies in the first pages.
    pub fn cut_far(&mut self, state: &State, pointer: &Pointer) {
        let first = self.encoder.address(FIRST_PAGES);
        for case in pointer.cases.iter().filter(|case| case.base != Base::Number) {
            if self.encoder.terms.facts(case.offset).signed_least > -i128::from(FIRST_PAGES) {
                continue;
            }
            let end = self.encoder.terms.neg(first);
            let far = self.encoder.terms.le(case.offset, end, true);
            let happens = self.encoder.terms.and(case.guard, far);
            self.cut_if(state, happens, Reason::Addresses);
        }
    }

    /// `(left - right) / stride`.
    pub fn difference(&mut self, state: &State, left: Value, right: Value, stride: u64) -> Value {
        let (Value::Pointer(left), Value::Pointer(right)) = (left, right) else { return Value::Lost };
        let mut result: Option<TermId> = None;
        for a in &left.cases {
            for b in &right.cases {
                let both = self.encoder.terms.and(a.guard, b.guard);
                if self.encoder.terms.is_false(both) {
                    continue;
                }
                let (x, y) = if a.base == b.base {
                    (a.offset, b.offset)
                } else {
                    self.cut_if(state, both, Reason::Addresses);
                    (self.encoder.case_number(a), self.encoder.case_number(b))
                };
                let distance = self.encoder.terms.sub(x, y);
                let stride = self.encoder.address(stride.max(1));
                let here = self.encoder.terms.div(distance, stride, true);
                result = Some(result.map_or(here, |rest| self.encoder.terms.ite(both, here, rest)));
            }
        }
        result.map_or(Value::Lost, Value::Bits)
    }

    /// The pointer that a number was made from, perhaps moved; else an address without an object.
    pub fn pointer_at(&mut self, state: &State, address: TermId) -> Value {
        if let Some(pointer) = self.recovered(address) {
            self.cut_strayed(state, &pointer);
            return Value::Pointer(pointer);
        }
        // An earlier iteration of a loop, or what was stepped over, may have made the number from a pointer.
        let may_be_exposed = !self.encoder.objects.exposed.is_empty()
            || self.plan.induction.is_some()
            || self.plan.slice.is_some();
        if self.encoder.terms.as_const(address) != Some(0) && may_be_exposed {
            self.cut(state, Reason::Addresses);
        }
        Value::pointer(&mut self.encoder.terms, Base::Number, address)
    }

    /// Notes the runs in which a number that was made from a pointer has left its object: it may be in another, or in none.
    fn cut_strayed(&mut self, state: &State, pointer: &Pointer) {
        for case in &pointer.cases {
            let size = match case.base {
                Base::Number => continue,
                Base::Object(object) => self.encoder.objects.metas[object.0 as usize].size,
                Base::Function(_) => self.encoder.address(0),
            };
            let inside = self.encoder.terms.le(case.offset, size, false);
            let outside = self.encoder.terms.not(inside);
            let happens = self.encoder.terms.and(case.guard, outside);
            self.cut_if(state, happens, Reason::Addresses);
        }
    }

    fn recovered(&mut self, address: TermId) -> Option<Rc<Pointer>> {
        if let Some(pointer) = self.encoder.objects.exposed.get(&address) {
            return Some(pointer.clone());
        }
        let (pointer, distance) = match self.encoder.terms.get(address) {
            Term::Binary(BinaryOp::Add, a, b) => {
                match (self.encoder.objects.exposed.get(&a), self.encoder.objects.exposed.get(&b)) {
                    (Some(pointer), None) => (pointer.clone(), b),
                    (None, Some(pointer)) => (pointer.clone(), a),
                    _ => return None,
                }
            }
            Term::Binary(BinaryOp::Sub, a, b) => {
                let pointer = self.encoder.objects.exposed.get(&a)?.clone();
                (pointer, self.encoder.terms.neg(b))
            }
            _ => return None,
        };
        // A distance that was forgotten may lead from one object to another.
        let is_sure = self.plan.slice.is_none() || self.encoder.terms.as_const(distance).is_some();
        is_sure.then(|| Rc::new(pointer.moved(&mut self.encoder.terms, distance)))
    }
}

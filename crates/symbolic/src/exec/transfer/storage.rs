// SPDX-License-Identifier: MIT OR Apache-2.0
//! Birth and death of objects.

use std::rc::Rc;

use clew_ir::syntax::{Body, ExprId, LocalId, Storage, TypeId};

use crate::exec::context::encoder::Encoder;
use crate::exec::context::evaluator::Evaluator;
use crate::exec::context::objects::{Kind, Meta};
use crate::exec::record::event::Reason;
use crate::exec::state::contents::{Contents, Fill};
use crate::exec::state::value::{Base, ObjectId, Pointer, Value};
use crate::exec::state::{Object, State};
use crate::exec::transfer::expression::Evaluated;
use crate::term::TermId;

impl Encoder<'_> {
    /// Whether none of the objects lives that a pointer may lead to.
    pub fn is_dead(&self, state: &State, pointer: &Pointer) -> bool {
        pointer.cases.iter().all(|case| match case.base {
            Base::Object(object) => state.memory.get(object).is_none_or(|now| self.terms.is_false(now.alive)),
            _ => true,
        })
    }

    /// The object that was made last was declared with a type.
    pub fn newest_is_of(&mut self, ty: TypeId) {
        let partly_const = self.partly_const(ty);
        if let Some(meta) = self.objects.metas.last_mut() {
            meta.partly_const = partly_const;
        }
    }

    /// A type, if it has const members.
    pub fn partly_const(&self, ty: TypeId) -> Option<TypeId> {
        self.facts.program.types().touches_const(ty, 0, i128::MAX).then_some(ty)
    }

    pub fn stack_object_with(
        &mut self,
        state: &mut State,
        size: TermId,
        align: u32,
        writable: bool,
        fill: Fill,
    ) -> Value {
        let meta = Meta {
            kind: Kind::Stack,
            size,
            align: align.next_power_of_two(),
            writable,
            partly_const: None,
            whole: None,
        };
        let object = self.allocate(state, meta, fill);
        state.frame.owned.push(object);
        let zero = self.address(0);
        Value::pointer(&mut self.terms, Base::Object(object), zero)
    }

    /// An object's life ends.
    pub fn kill(&mut self, state: &mut State, object: ObjectId) {
        let dead = self.terms.bool(false);
        if let Some(object) = state.memory.get_mut(object) {
            // Nobody may look at what it held.
            *object = Object { alive: dead, contents: self.objects.nothing.clone() };
        }
    }

    /// The life of what a pointer points into ends.
    pub fn kill_cases(&mut self, state: &mut State, pointer: &Pointer) {
        for (case, chosen) in pointer.choices(&mut self.terms) {
            let Base::Object(object) = case.base else { continue };
            let spared = self.terms.not(chosen);
            let Some(now) = state.memory.get_mut(object) else { continue };
            now.alive = self.terms.and(now.alive, spared);
        }
    }
}

impl Evaluator<'_> {
    /// An object that a model makes: nothing was written to it yet.
    pub fn library_object(&mut self, state: &mut State, kind: Kind, size: TermId, writable: bool) -> Value {
        let meta = Meta { kind, size, align: 16, writable, partly_const: None, whole: None };
        let name = self.allocator().to_owned();
        let fill = self.unwritten(state, size, name);
        let object = self.encoder.allocate(state, meta, fill);
        self.born(object);
        let zero = self.encoder.address(0);
        Value::pointer(&mut self.encoder.terms, Base::Object(object), zero)
    }

    pub fn storage_live(
        &mut self,
        state: &mut State,
        body: &Body,
        local: LocalId,
        bytes: Option<ExprId>,
    ) -> bool {
        let declared = &body.locals[local];
        let Storage::Memory { align, is_const } = declared.storage else {
            let unwritten = self.unwritten_register(state, body, local, declared.ty);
            state.frame.set(local, unwritten);
            return true;
        };
        if let Some(Value::Pointer(old)) = state.frame.get(local).map(|local| local.value.clone()) {
            if bytes.is_none() && self.forget(state, body, local, &old) {
                return true;
            }
            // In some runs it may still be the same object, in others not.
            if bytes.is_none() && !self.encoder.is_dead(state, &old) {
                return self.follows(state, false, Reason::Value);
            }
            self.encoder.kill_cases(state, &old);
        }
        let size = match bytes {
            Some(expr) => self.size(state, &mut Evaluated::default(), expr),
            None => Some(self.encoder.address(self.encoder.facts.program.size_of(declared.ty))),
        };
        let Some(size) = size else { return self.follows(state, false, Reason::Value) };
        let name = self.encoder.facts.local_name(state.frame.function, body, local);
        let fill = self.unwritten(state, size, name);
        let pointer = self.encoder.stack_object_with(state, size, align, !is_const, fill);
        self.encoder.newest_is_of(declared.ty);
        if self.is_private(state.frame.function, local) {
            self.encoder
                .objects
                .private
                .extend(self.encoder.objects.metas.len().checked_sub(1).map(|last| ObjectId(last as u32)));
        }
        self.encoder.set(state, local, pointer);
        true
    }

    /// A jump back inside the scope of an object: it stays the same one, without a value.
    pub fn forget(&mut self, state: &mut State, body: &Body, local: LocalId, pointer: &Pointer) -> bool {
        let [case] = pointer.cases.as_slice() else { return false };
        let Base::Object(object) = case.base else { return false };
        let is_alive = state.memory.get(object).is_some_and(|now| self.encoder.terms.is_true(now.alive));
        if !is_alive {
            return false;
        }
        let (size, name) = (
            self.encoder.objects.metas[object.0 as usize].size,
            self.encoder.facts.local_name(state.frame.function, body, local),
        );
        let fill = self.unwritten(state, size, name);
        let Some(now) = state.memory.get_mut(object) else { return false };
        now.contents = Rc::new(Contents::new(fill));
        true
    }

    /// A new object of the running call.
    pub fn stack_object(&mut self, state: &mut State, size: TermId, align: u32, writable: bool) -> Value {
        let fill = if self.plan.stays { self.unwritten(state, size, String::new()) } else { Fill::Unwritten };
        self.encoder.stack_object_with(state, size, align, writable, fill)
    }

    /// A new object of the running call, of a type.
    pub fn declared_object(&mut self, state: &mut State, ty: TypeId, align: u32, writable: bool) -> Value {
        let size = self.encoder.address(self.encoder.facts.program.size_of(ty));
        let object = self.stack_object(state, size, align, writable);
        self.encoder.newest_is_of(ty);
        object
    }
}

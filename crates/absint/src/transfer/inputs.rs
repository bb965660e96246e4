// SPDX-License-Identifier: MIT OR Apache-2.0
//! What callers of an entry are thought to pass (paper 001, Table IV).
//!
//! A pointer parameter is null or points to an object of its own, of its type (or several in a row). Pointers inside such
//! objects may point anywhere, unless the user says that they lead apart (`--assume params-lead-apart`): to the start
//! of a whole object of their type, and to no global. That is not so where a list begins with a node inside another record,
//! where a cursor stands in the middle of a buffer, or where a field points to its own record's fields.
//!
//! Even then they need not be alone: lists are linked both ways, and what is inside may point back outside. So all
//! objects of one type that are not parameters' own are one, which stands for many, and a pointer inside may point to that
//! or to a parameter's object of the type. Pointers to functions, to `void`, inside unions and past the first element may
//! point anywhere in any case.

use clew_ir::syntax::{Type, TypeId};

use crate::domain::int::Int;
use crate::domain::value::{Address, Kind, Value};
use crate::effort::inputs::{LARGEST, MOST_ELEMENTS, MOST_POINTERS};
use crate::engine::facts::Facts;
use crate::engine::transfer::Transfer;
use crate::memory::contents::{Contents, Strength};
use crate::memory::object::{Life, Obj};
use crate::program::object::{Input, Object, ObjectId};
use crate::state::State;

/// What is made up for one entry.
#[derive(Default)]
pub(crate) struct MadeUp {
    /// The objects of parameters, with their types.
    parameters: Vec<(ObjectId, TypeId)>,
    /// Objects whose pointers have not been described yet.
    waiting: Vec<(ObjectId, TypeId)>,
    pointers: usize,
}

impl<'p> Facts<'p> {
    /// Null, or an object of the pointee's type (or several in a row) of its own.
    pub(crate) fn pointer_argument(
        &mut self,
        state: &mut State,
        made: &mut MadeUp,
        (index, reads_only): (usize, u64),
        pointee: TypeId,
    ) -> Value {
        if !self.options.parameters_valid || matches!(self.types.get(pointee), Type::Function { .. }) {
            return Value::new(Kind::Address(std::sync::Arc::new(Address::anywhere())));
        }
        let read_only = reads_only.checked_shr(index as u32).unwrap_or(1) & 1 == 1;
        let input = Input::Parameter { number: index as u32, align: self.align_of(pointee), read_only };
        let object = self.make(state, made, input, pointee);
        made.parameters.push((object, pointee));
        null_or([object].into_iter())
    }

    pub(crate) fn make(
        &mut self,
        state: &mut State,
        made: &mut MadeUp,
        input: Input,
        ty: TypeId,
    ) -> ObjectId {
        let object = self.objects.id(Object::Input(input));
        let least = self.types.size_of(ty).max(1);
        let contents = Contents::filled(LARGEST as u64, Value::any());
        let size = Int::range(i128::from(least), LARGEST);
        state.set_object(object, Obj { life: Life::ALIVE, size, contents });
        made.waiting.push((object, ty));
        object
    }

    fn align_of(&self, ty: TypeId) -> u32 {
        if self.types.is_complete(ty) { self.types.align_of(ty).max(1) } else { 1 }
    }

    /// Where in a type pointers are, and to what.
    fn pointers_of(&self, ty: TypeId, at: u64, out: &mut Vec<(u64, TypeId)>) {
        if out.len() >= MOST_POINTERS {
            return;
        }
        match self.types.get(ty) {
            Type::Pointer(pointee) => out.push((at, *pointee)),
            Type::Array { element, length } => {
                let bytes = self.types.size_of(*element);
                for index in 0..length.unwrap_or(0).min(MOST_ELEMENTS) {
                    self.pointers_of(*element, at + index * bytes, out);
                }
            }
            Type::Record(record) if !self.types.records[*record].is_union => {
                let fields = self.types.records[*record].fields.iter().filter(|field| field.bits.is_none());
                for field in fields {
                    self.pointers_of(field.ty, at + field.offset, out);
                }
            }
            _ => {}
        }
    }
}

impl Transfer<'_> {
    /// Says where the pointers in made-up objects point.
    pub(crate) fn describe_made_up(&mut self, state: &mut State, mut made: MadeUp) {
        if !self.eval.facts.options.parameters_lead_apart {
            return;
        }
        while let Some((object, ty)) = made.waiting.pop() {
            if let Type::Pointer(pointee) = *self.eval.facts.types.get(ty) {
                let bytes = u64::from(self.eval.facts.program.target.pointer_bytes);
                if let Some(value) = self.pointer_inside(state, &mut made, pointee) {
                    let contents = Contents::run(LARGEST as u64 / bytes, bytes as u32, value);
                    set_contents(state, object, contents);
                }
                continue;
            }
            let mut pointers = Vec::new();
            self.eval.facts.pointers_of(ty, 0, &mut pointers);
            for (offset, pointee) in pointers {
                if let Some(value) = self.pointer_inside(state, &mut made, pointee)
                    && let Some(obj) = state.object(object)
                {
                    let mut contents = obj.contents.clone();
                    let bytes = u64::from(self.eval.facts.program.target.pointer_bytes);
                    contents.write(&Int::constant(i128::from(offset)), bytes, value, Strength::Strong);
                    set_contents(state, object, contents);
                }
            }
        }
    }

    /// A pointer that was found inside what a caller passed; none: it may be any.
    fn pointer_inside(&mut self, state: &mut State, made: &mut MadeUp, pointee: TypeId) -> Option<Value> {
        made.pointers += 1;
        if matches!(self.eval.facts.types.get(pointee), Type::Function { .. } | Type::Void)
            || made.pointers > MOST_POINTERS
        {
            return None;
        }
        let others = Object::Input(Input::Others(pointee, self.eval.facts.align_of(pointee)));
        let known = self.eval.facts.objects.find(&others).filter(|id| state.object(*id).is_some());
        let object = match (known, others) {
            (Some(object), _) => object,
            (None, Object::Input(input)) => self.eval.facts.make(state, made, input, pointee),
            _ => return None,
        };
        let alike = made.parameters.iter().filter(|(_, ty)| *ty == pointee).map(|(object, _)| *object);
        let value = null_or(alike.chain([object]));
        self.eval.recorder.note_stored(&value);
        Some(value)
    }
}

/// Null, or the start of one of these objects.
fn null_or(objects: impl Iterator<Item = ObjectId>) -> Value {
    let start = |object| Value::pointer(object, 0);
    objects.map(start).fold(Value::constant(0), |all, one| all.join(&one))
}

fn set_contents(state: &mut State, object: ObjectId, contents: Contents) {
    if let Some(obj) = state.object(object) {
        let obj = Obj { contents, ..Obj::clone(obj) };
        state.set_object(object, obj);
    }
}

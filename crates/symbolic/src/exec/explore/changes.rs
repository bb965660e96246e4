// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the iterations of a loop change, and any state at its head that differs from the entry's in that.

use std::collections::BTreeMap;
use std::rc::Rc;

use clew_base::index::Idx;
use clew_ir::head::Fact;
use clew_ir::syntax::{Body, LocalId, Storage};
use clew_ir::types::Class;

use crate::effort::MOST_HEAD_BASES;
use crate::exec::context::encoder::Encoder;
use crate::exec::context::evaluator::Evaluator;
use crate::exec::explore::induction::Loop;
use crate::exec::state::contents::{Cell, Contents, Fill};
use crate::exec::state::value::{Base, Case, ObjectId, Pointer, Value};
use crate::exec::state::{Local, Object, State};
use crate::term::Sort;

/// What something that a loop changes may be at its head.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Change {
    /// Any number.
    Number,
    /// One of these, which are there when the loop is entered, at this place of it or any. A number among them is null.
    Within(BTreeMap<Base, Option<u128>>),
    /// Not followed.
    Lost,
}

/// What of an object a loop changes.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Part {
    /// Scalars at constant offsets, of so many bytes.
    Cells(BTreeMap<(u64, u32), Change>),
    /// Everything.
    Whole,
}

/// What the iterations of a loop change.
#[derive(Clone, Default)]
pub(crate) struct Changes {
    locals: BTreeMap<LocalId, Change>,
    objects: BTreeMap<ObjectId, Part>,
}

impl Change {
    /// What is one or the other.
    fn join(self, other: Change) -> Change {
        match (self, other) {
            (Change::Number, Change::Number) => Change::Number,
            (Change::Within(mut some), Change::Within(more)) => {
                for (base, at) in more {
                    let known = some.entry(base).or_insert(at);
                    *known = known.filter(|_| *known == at);
                }
                if some.len() > MOST_HEAD_BASES { Change::Lost } else { Change::Within(some) }
            }
            _ => Change::Lost,
        }
    }

    /// Adds a change to what is known: whether that says more.
    fn add<K: Ord>(known: &mut BTreeMap<K, Change>, key: K, change: Change) -> bool {
        let joined =
            known.get(&key).map_or_else(|| change.clone(), |known| known.clone().join(change.clone()));
        let more = known.get(&key) != Some(&joined);
        known.insert(key, joined);
        more
    }
}

impl Encoder<'_> {
    /// Adds what an iteration changed that was not known to change: whether there was such. None if it is not followed.
    pub fn more(&self, body: &Body, start: &State, back: &State, changes: &mut Changes) -> Option<bool> {
        let mut more = false;
        for local in body.locals.indices() {
            let (before, after) = (start.frame.get(local), back.frame.get(local));
            if before == after || is_pruned(before, after) {
                continue;
            }
            let change = match self.facts.program.types().class(body.locals[local].ty) {
                _ if matches!(body.locals[local].storage, Storage::Memory { .. }) => Change::Lost,
                Class::Int(_) | Class::Float(_) => Change::Number,
                Class::Pointer => {
                    let value = |local: Option<&'_ Local>| local.map(|local| local.value.clone());
                    self.pointers(start, value(before), value(after))
                }
                _ => Change::Lost,
            };
            more |= Change::add(&mut changes.locals, local, change);
        }
        for object in start.memory.changed(&back.memory) {
            // A life that ends or begins anew in an iteration is not followed.
            let (before, after) = (start.memory.get(object)?, back.memory.get(object)?);
            if before.alive != after.alive {
                return None;
            }
            let known = changes.objects.entry(object).or_insert_with(|| Part::Cells(BTreeMap::new()));
            let Part::Cells(cells) = known else { continue };
            match before.contents.changed(&after.contents) {
                Some(changed) => {
                    for (place, one, other) in changed {
                        more |= Change::add(cells, place, self.cell_change(start, one, other));
                    }
                }
                None => {
                    more = true;
                    *known = Part::Whole;
                }
            }
        }
        Some(more)
    }

    /// What a scalar in memory becomes.
    fn cell_change(&self, start: &State, before: Option<&Cell>, after: &Cell) -> Change {
        match (before.map(|cell| &cell.value), &after.value) {
            (None | Some(Value::Bits(_)), Value::Bits(_)) => Change::Number,
            (Some(before), after) => self.pointers(start, Some(before.clone()), Some(after.clone())),
            (None, _) => Change::Lost,
        }
    }

    fn pointers(&self, start: &State, before: Option<Value>, after: Option<Value>) -> Change {
        match (self.bases(start, before), self.bases(start, after)) {
            (Some(one), Some(other)) => Change::Within(one).join(Change::Within(other)),
            _ => Change::Lost,
        }
    }

    /// What a pointer may lead to, if a later iteration can say that too: what an iteration makes itself is another
    /// thing in each.
    fn bases(&self, start: &State, value: Option<Value>) -> Option<BTreeMap<Base, Option<u128>>> {
        let can_be_said = |base: Base, at: Option<u128>| match base {
            Base::Number => at == Some(0),
            Base::Object(object) => start.memory.get(object).is_some(),
            Base::Function(_) => true,
        };
        match value? {
            Value::Pointer(pointer) => {
                let cases = pointer.cases.iter().map(|case| (case.base, self.terms.as_const(case.offset)));
                cases.map(|(base, at)| can_be_said(base, at).then_some((base, at))).collect()
            }
            // Null is often stored as the number zero.
            Value::Bits(bits) => {
                let is_null = self.terms.as_const(bits) == Some(0);
                is_null.then(|| BTreeMap::from([(Base::Number, Some(0))]))
            }
            Value::Lost => None,
        }
    }

    /// Anything in some scalars of an object.
    fn any_cells(&mut self, contents: &mut Contents, cells: &BTreeMap<(u64, u32), Change>) {
        for (&(offset, bytes), change) in cells {
            let value = match change {
                Change::Number => Value::Bits(self.terms.fresh("turn", Sort::Bits(bytes * 8))),
                Change::Within(bases) => self.any_pointer(bases, None),
                Change::Lost => Value::Lost,
            };
            let cell = Cell::written(&mut self.terms, bytes, value);
            contents.put(&mut self.terms, offset, cell);
        }
    }

    /// A pointer to one of some things. One that is known to lie so far from the start of an object is not null.
    fn any_pointer(&mut self, bases: &BTreeMap<Base, Option<u128>>, range: Option<(i128, i128)>) -> Value {
        let is_left = |base: &Base| *base != Base::Number || range.is_none() || !self.facts.options.prunes;
        let bases: Vec<_> = bases.iter().filter(|(base, _)| is_left(base)).collect();
        let mut others = self.terms.bool(true);
        let mut cases = Vec::with_capacity(bases.len());
        for (i, (base, at)) in bases.iter().enumerate() {
            let bits = self.facts.address_bits();
            let offset = match at {
                Some(at) => self.terms.constant(bits, *at),
                None => self.any_within("offset", bits, range),
            };
            let guard = if i + 1 == bases.len() {
                others
            } else {
                let this = self.terms.fresh("which", Sort::Bits(1));
                let not = self.terms.not(this);
                let guard = self.terms.and(others, this);
                others = self.terms.and(others, not);
                guard
            };
            cases.push(Case { guard, base: **base, offset });
        }
        if cases.is_empty() { Value::Lost } else { Value::Pointer(Rc::new(Pointer { cases })) }
    }

    /// Any number of a register's type, as wide as what is known of it needs.
    fn any_number(&mut self, body: &Body, local: LocalId, facts: &[Fact]) -> Value {
        let ty = body.locals[local].ty;
        let bits = match self.facts.program.types().class(ty) {
            Class::Int(int) => u32::from(int.bits),
            Class::Float(format) => format.bits(),
            _ => return Value::Lost,
        };
        let range = facts.iter().find_map(|fact| match fact {
            Fact::Int { local: of, least, most } if *of == local => Some((*least, *most)),
            _ => None,
        });
        Value::Bits(self.any_within("turn", bits, range))
    }

    /// A global that is one number is any number of its range.
    fn narrow_global(&mut self, state: &mut State, object: ObjectId, facts: &[Fact]) {
        for fact in facts {
            if let Fact::Global { global, int, least, most } = *fact
                && self.facts.options.narrows
                && self.objects.globals.get(global.index()) == Some(&object)
            {
                let number = self.any_within("turn", u32::from(int.bits), Some((least, most)));
                let bytes = clew_ir::types::int_bytes(int.bits) as u32;
                let value = Value::Bits(self.terms.resize(number, bytes * 8, int.signed && int.bits > 1));
                let cell = Cell::written(&mut self.terms, bytes, value);
                let zero = self.address(0);
                let place = Pointer::one(&mut self.terms, Base::Object(object), zero);
                self.write(state, &place, &cell);
            }
        }
    }
}

impl Evaluator<'_> {
    /// Any state at a head: that of the entry, with anything that may be where iterations change it.
    pub fn anywhere(&mut self, of: Loop<'_>, entry: &State, changes: &Changes) -> State {
        let mut state = entry.clone();
        let facts =
            self.encoder.facts.options.heads.and_then(|heads| heads.get(&(state.frame.function, of.head)));
        let facts: &[Fact] = facts.map_or(&[], Vec::as_slice);
        for (local, change) in &changes.locals {
            let value = match change {
                Change::Number => self.encoder.any_number(of.body, *local, facts),
                Change::Within(bases) => {
                    let range = facts.iter().find_map(|fact| match fact {
                        Fact::Offset { local: of, least, most } if of == local => Some((*least, *most)),
                        _ => None,
                    });
                    self.encoder.any_pointer(bases, range)
                }
                Change::Lost => Value::Lost,
            };
            self.encoder.set(&mut state, *local, value);
        }
        for (object, part) in &changes.objects {
            let Some(now) = state.memory.get(*object) else { continue };
            let (alive, mut contents) = (now.alive, now.contents.clone());
            match part {
                Part::Cells(cells) => self.encoder.any_cells(Rc::make_mut(&mut contents), cells),
                Part::Whole => {
                    let sort = Sort::Array { index: self.encoder.facts.address_bits(), element: 8 };
                    let bytes = self.encoder.terms.fresh("bytes", sort);
                    contents = Rc::new(Contents::new(Fill::Any(bytes)));
                }
            }
            state.memory.insert(*object, Object { alive, contents });
            self.encoder.narrow_global(&mut state, *object, facts);
        }
        self.known_at_head(&state, facts);
        state
    }
}

/// Whether a register only lost cases that no run has (`prune`): those that are left are as they were, guards and all.
fn is_pruned(before: Option<&Local>, after: Option<&Local>) -> bool {
    let (Some(before), Some(after)) = (before, after) else { return false };
    match (&before.value, &after.value) {
        (Value::Pointer(all), Value::Pointer(left)) => {
            before.written == after.written && left.cases.iter().all(|case| all.cases.contains(case))
        }
        _ => false,
    }
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reads and writes through addresses, and the lives of objects.

use std::sync::Arc;

use clew_ir::syntax::{BitRange, FuncId, LocalId, TypeId};

use crate::domain::int::Int;
use crate::domain::shape::{Shape, top};
use crate::domain::value::{Address, Kind, Renaming, Value, single};
use crate::engine::context::CallContext;
use crate::engine::effects::{Effects, LIBRARIES};
use crate::engine::evaluator::Evaluator;
use crate::engine::facts::{Facts, Frame};
use crate::engine::recorder::Recorder;
use crate::engine::transfer::Transfer;
use crate::map::Change;
use crate::memory::bit_fields::BitField;
use crate::memory::contents::{Contents, Strength};
use crate::memory::object::{Life, Obj};
use crate::program::object::{Object, ObjectId};
use crate::state::State;
use crate::transfer::check::clamp;

/// One byte.
const BYTE: Shape = Shape::Int(clew_base::int::IntType::U8);

impl<'p> Facts<'p> {
    /// What stands in memory points to other objects under new names.
    pub(crate) fn rename_memory(&self, state: &mut State, to: &Renaming<'_>) {
        rename_facts(state, to);
        // Constant globals never point to what is made later, and may be large tables. (Constant locals may.)
        let is_global = |id: ObjectId| matches!(self.objects.get(id), Object::Global(_));
        let is_table = |id: ObjectId| is_global(id) && self.is_constant(id);
        state.memory = state.memory.filter_map(&mut |id, obj| match is_table(id) {
            true => Change::Keep,
            false => renamed_object(obj, to),
        });
    }

    /// What `alloca` made in a function ends when the function returns. Calls of it that still run keep theirs.
    pub(crate) fn end_alloca(&mut self, function: FuncId, state: &mut State) {
        state.accesses.end_lives();
        let others_run = self.recursive.contains(&function);
        for id in self.objects.on_stack_of(function) {
            let Some(obj) = state.object(id) else { continue };
            let mut new = (**obj).clone();
            new.life = if others_run { Life { alive: new.life.alive, dead: true } } else { Life::DEAD };
            state.set_object(id, new);
            state.forget_object(id);
        }
    }

    /// Whether an object may be one that `free` takes.
    fn may_be_freed(&self, object: ObjectId) -> bool {
        matches!(self.objects.get(object), Object::Recent(..) | Object::Older(..) | Object::Input(_))
    }
}

impl CallContext {
    /// Tells open regions what is touched.
    pub(crate) fn touch(&mut self, object: Option<ObjectId>, writes: bool) {
        if writes {
            self.written.note(object);
        }
        for region in &mut self.regions {
            region.touch(object, writes);
        }
        for running in self.recursion.values_mut() {
            running.effects.touch(object, writes);
        }
        if let Some(notes) = self.notes.last_mut() {
            notes.effects.touch(object, writes);
        }
    }

    /// A call does all this, which is not analysed again.
    pub(crate) fn absorb_effects(&mut self, effects: &Effects) {
        for region in &mut self.regions {
            region.absorb(effects);
        }
        for running in self.recursion.values_mut() {
            running.effects.absorb(effects);
        }
        if let Some(notes) = self.notes.last_mut() {
            notes.effects.absorb(effects);
        }
    }

    /// Tells open regions that a library without a model was called, which may keep something between calls.
    pub(crate) fn touch_libraries(&mut self) {
        let mut effects = Effects::default();
        effects.touch(Some(LIBRARIES), true);
        self.absorb_effects(&effects);
    }
}

impl Recorder {
    /// Remembers which objects' addresses are in memory.
    pub(crate) fn note_stored(&mut self, value: &Value) {
        if let Kind::Address(address) = &value.kind {
            self.stored.extend(address.targets.iter().map(|(object, _)| *object));
        }
    }
}

impl<'p> Evaluator<'p> {
    /// What a read gives.
    pub(crate) fn load(&mut self, state: &State, address: &Address, shape: Shape) -> Option<Value> {
        let mut result: Option<Value> = None;
        let mut note = |value: Value| result = Some(result.take().map_or(value.clone(), |r| r.join(&value)));
        if address.unknown {
            self.context.touch(None, false);
            note(Value { kind: top(shape), uninit: true });
        }
        for (object, offset) in &address.targets {
            self.context.touch(Some(*object), false);
            match state.object(*object) {
                None => note(Value { kind: top(shape), uninit: true }),
                Some(obj) => {
                    if let Some(offset) = clamp(offset, &obj.size, shape.bytes()) {
                        let value = obj.contents.read(&offset, shape);
                        // A part of a pointer is any number.
                        if !self.recorder.callbacks.torn
                            && !matches!(shape, Shape::Pointer(_))
                            && value.kind == top(shape)
                        {
                            self.recorder.callbacks.torn = obj.contents.has_address(&offset, shape.bytes());
                        }
                        note(value);
                    }
                }
            }
        }
        result
    }

    /// A value is on its way into memory.
    fn note_written(&mut self, state: &State, to: &Address, value: &Value) {
        self.recorder.note_stored(value);
        for (object, _) in &to.targets {
            self.note_seen(state, Some(*object), value);
        }
        if to.unknown {
            self.note_seen(state, None, value);
        }
    }

    /// Reads a bit-field.
    pub(crate) fn load_bits(
        &mut self,
        state: &State,
        address: &Address,
        bits: BitRange,
        ty: clew_base::int::IntType,
    ) -> Option<Value> {
        let bytes = bits.covering_bytes();
        let whole = clew_base::int::IntType::unsigned((bytes * 8) as u16);
        let field = clew_base::int::IntType { bits: u16::from(bits.width), signed: ty.signed };
        if let Some(value) = fields_at(state, address, bits) {
            let number = match &value.kind {
                Kind::Number(n) => n.wrap(field),
                _ => Int::of_type(field),
            };
            address.targets.iter().for_each(|(object, _)| self.context.touch(Some(*object), false));
            return Some(Value { kind: Kind::Number(number), uninit: value.uninit });
        }
        if !bytes.is_power_of_two() {
            // No integer has so many bytes, and a longer one may not fit the object.
            let mut uninit = false;
            for at in 0..bytes {
                uninit |= self.load(state, &address.further(at), BYTE)?.uninit;
            }
            return Some(Value { kind: Kind::Number(Int::of_type(field)), uninit });
        }
        let value = self.load(state, address, Shape::Int(whole))?;
        let number = match (&value.kind, bytes <= 8) {
            (Kind::Number(n), true) => n.shr(&Int::constant(i128::from(bits.start)), whole).wrap(field),
            _ => Int::of_type(field),
        };
        Some(Value { kind: Kind::Number(number), uninit: value.uninit })
    }
}

impl<'p> Transfer<'p> {
    /// Writes a scalar. False: there is no place it could go to.
    pub(crate) fn store(&mut self, state: &mut State, address: &Address, shape: Shape, value: Value) -> bool {
        // A number of any value is no pointer, unless pointers are taken to pieces.
        if matches!(shape, Shape::Pointer(_)) || value.kind != top(shape) || self.eval.recorder.callbacks.torn
        {
            self.eval.note_written(state, address, &value);
        }
        if address.unknown {
            self.eval.context.touch(None, true);
            self.havoc_escaped(state);
        }
        let only = address.targets.len() == 1 && !address.unknown && address.number.is_none();
        let mut went = address.unknown;
        for (object, offset) in &address.targets {
            self.eval.context.touch(Some(*object), true);
            let Some(obj) = state.object(*object) else {
                went = true;
                continue;
            };
            let Some(offset) = clamp(offset, &obj.size, shape.bytes()) else { continue };
            went = true;
            let strength =
                if only && !self.eval.facts.is_summary(*object) { Strength::Strong } else { Strength::Weak };
            let mut new = (**obj).clone();
            new.contents.write(&offset, shape.bytes(), value.clone(), strength);
            facts_written(state, *object, &offset, shape.bytes(), &value);
            state.nul_after_write(*object, &offset, shape.bytes(), &value);
            let (from, to) =
                (offset.lo() as u64, u64::try_from(offset.hi()).unwrap_or(u64::MAX / 2) + shape.bytes());
            state.set_object(*object, new);
            state.forget_cells(&self.tuples, Some(*object), from, to);
        }
        went
    }

    /// Anything whose address may be known elsewhere may change.
    pub(crate) fn havoc_escaped(&mut self, state: &mut State) {
        self.eval.context.written.note(None);
        self.eval.note_blind();
        if self.havocked.as_ref().is_some_and(|last| state.memory.is_same(last)) {
            state.memory.note_all();
        } else {
            self.havoc_memory(state);
        }
        state.forget_contents(None);
        state.forget_cells(&self.tuples, None, 0, u64::MAX);
    }

    fn havoc_memory(&mut self, state: &mut State) {
        state.memory = state.memory.filter_map(&mut |id, obj| {
            if obj.contents.is_havocked() || self.eval.facts.is_constant(id) {
                return Change::Keep;
            }
            let mut new = (**obj).clone();
            new.contents.havoc(Value::any());
            Change::To(std::sync::Arc::new(new))
        });
        self.havocked = Some(state.memory.clone());
    }

    /// Writes a bit-field; its neighbours stay.
    pub(crate) fn store_bits(
        &mut self,
        state: &mut State,
        address: &Address,
        bits: BitRange,
        value: &Value,
    ) -> bool {
        let only = address.targets.len() == 1 && !address.unknown && address.number.is_none();
        let kept: Vec<KeptFields> = address
            .targets
            .iter()
            .filter_map(|(object, offset)| {
                let is_strong = only && !self.eval.facts.is_summary(*object);
                KeptFields::over_write(state, *object, offset, bits, value, is_strong)
            })
            .collect();
        let went =
            self.store_bytes_of_bits(state, address, bits, value, kept.iter().all(|kept| kept.is_whole));
        for KeptFields { object, fields, .. } in kept {
            if let Some(obj) = state.object(object) {
                let mut new = (**obj).clone();
                new.contents.set_fields(fields);
                state.set_object(object, new);
            }
        }
        went
    }

    /// The bytes around a bit-field that is written, as far as one value can say what they hold then. `is_whole`: the other bits
    /// of these bytes were written before.
    fn store_bytes_of_bits(
        &mut self,
        state: &mut State,
        address: &Address,
        bits: BitRange,
        value: &Value,
        is_whole: bool,
    ) -> bool {
        let bytes = bits.covering_bytes();
        let is_whole = is_whole && !address.targets.is_empty() && !value.uninit;
        if !bytes.is_power_of_two() {
            return (0..bytes).all(|at| {
                let byte = address.further(at);
                let old = self.eval.load(state, &byte, BYTE);
                old.is_some_and(|old| {
                    let uninit = old.uninit && !is_whole;
                    self.store(state, &byte, BYTE, Value { kind: top(BYTE), uninit })
                })
            });
        }
        let whole = clew_base::int::IntType::unsigned((bytes * 8) as u16);
        let Some(old) = self.eval.load(state, address, Shape::Int(whole)) else { return false };
        let narrow = bytes <= 8;
        let field = clew_base::int::IntType::unsigned(u16::from(bits.width));
        let new = match (&old.kind, &value.kind) {
            (Kind::Number(o), Kind::Number(v)) if narrow && !old.uninit => {
                let mask = ((1i128 << bits.width) - 1) << bits.start;
                let kept = o.and(&Int::constant(whole.wrap(!mask)), whole);
                let put = v.wrap(field).shl(&Int::constant(i128::from(bits.start)), whole);
                Kind::Number(kept.or(&put, whole))
            }
            _ => top(Shape::Int(whole)),
        };
        let value = Value { kind: new, uninit: old.uninit && !is_whole };
        self.store(state, address, Shape::Int(whole), value)
    }

    /// Begins the life of a memory local. One that may live already (a jump back inside its scope) goes on as the same
    /// object without a value, unless its length varies: then a new one takes its place.
    pub(crate) fn begin(
        &mut self,
        frame: &Frame<'p>,
        state: &mut State,
        local: LocalId,
        size: Int,
        is_variable: bool,
    ) {
        let id = self.eval.facts.objects.id(Object::Local(frame.function, local));
        state.accesses.end_lives();
        if self.eval.facts.is_summary(id) {
            if let Some(old) = state.object(id) {
                let mut joined = (**old).clone();
                joined.size = joined.size.join(&size);
                joined.life = Life { alive: true, dead: joined.life.dead };
                joined.contents.havoc(Value::uninitialised());
                state.forget_object(id);
                state.set_object(id, joined);
                state.forget_cells(&self.tuples, Some(id), 0, u64::MAX);
                return;
            }
        } else if is_variable && state.object(id).is_some() {
            self.end(frame, state, local);
        }
        state.forget_object(id);
        state.set_object(id, Obj { life: Life::ALIVE, size, contents: Contents::default() });
        state.forget_cells(&self.tuples, Some(id), 0, u64::MAX);
    }

    /// Ends the life of a memory local: pointers to it dangle from here on.
    pub(crate) fn end(&mut self, frame: &Frame<'p>, state: &mut State, local: LocalId) {
        let id = self.eval.facts.objects.id(Object::Local(frame.function, local));
        let dead = self.eval.facts.objects.id(Object::DeadLocal(frame.function, local));
        state.accesses.end_lives();
        if self.eval.facts.is_summary(id) {
            if self.eval.recorder.stored.contains(&id)
                && let Some(old) = state.object(id)
            {
                let mut new = (**old).clone();
                new.life.dead = true;
                state.set_object(id, new);
            }
            rename_registers(state, &|object| (object == id).then(|| vec![id, dead]));
            return;
        }
        state.memory.remove(id);
        state.forget_object(id);
        state.forget_cells(&self.tuples, Some(id), 0, u64::MAX);
        let rename = |object: ObjectId| (object == id).then(|| vec![dead]);
        rename_registers(state, &rename);
        if self.eval.recorder.stored.contains(&id) {
            rename_facts(state, &rename);
            // Nothing that was there before this call can point to it.
            state.memory = state.memory.filter_map_changed(&mut |obj| renamed_object(obj, &rename));
            self.eval.recorder.stored.insert(dead);
        }
    }

    /// Makes a heap object: the last one of its allocation becomes one of the older ones.
    pub(crate) fn allocate(
        &mut self,
        state: &mut State,
        recent: Object,
        older: Object,
        size: Int,
    ) -> ObjectId {
        let (recent, older) = (self.eval.facts.objects.id(recent), self.eval.facts.objects.id(older));
        if let Some(last) = state.object(recent).cloned() {
            let merged = match state.object(older) {
                None => (*last).clone(),
                Some(old) => Obj {
                    life: Life {
                        alive: last.life.alive || old.life.alive,
                        dead: last.life.dead || old.life.dead,
                    },
                    size: last.size.join(&old.size),
                    contents: last
                        .contents
                        .merge(&old.contents, &mut |a, b| a.join(b), &mut |a, b| a.join(b)),
                },
            };
            state.set_object(older, merged);
            state.forget_object(older);
            state.forget_object(recent);
            let rename = |object: ObjectId| (object == recent).then(|| vec![older]);
            rename_registers(state, &rename);
            self.eval.facts.rename_memory(state, &rename);
            if self.eval.recorder.stored.contains(&recent) {
                self.eval.recorder.stored.insert(older);
            }
            state.forget_cells(&self.tuples, Some(recent), 0, u64::MAX);
            state.forget_cells(&self.tuples, Some(older), 0, u64::MAX);
            self.eval.context.aged.insert(recent);
            self.eval.context.written.note(Some(recent));
            self.eval.context.written.note(Some(older));
        }
        state.set_object(recent, Obj { life: Life::ALIVE, size, contents: Contents::default() });
        recent
    }

    /// A function that is not here has run: it may have freed what it could reach, or anything, unless that is excluded.
    pub(crate) fn may_free(&mut self, state: &mut State, reached: Option<&[ObjectId]>) {
        if self.eval.facts.options.missing_functions_free_nothing {
            return;
        }
        let unknown = reached.is_none();
        let targets = reached.into_iter().flatten().map(|object| (*object, Int::constant(0)));
        let mut targets: Vec<(ObjectId, Int)> =
            targets.filter(|(o, _)| self.eval.facts.may_be_freed(*o)).collect();
        targets.sort_unstable_by_key(|(object, _)| *object);
        // It may have freed nothing, too.
        let number = Some(Int::constant(0));
        self.release(state, &Address { number, targets, unknown });
    }

    /// Frees what the address points to.
    pub(crate) fn release(&mut self, state: &mut State, address: &Address) {
        state.accesses.free();
        if address.unknown {
            self.eval.context.touch(None, true);
            state.memory = state.memory.filter_map(&mut |id, obj| {
                if obj.life.dead || !self.eval.facts.may_be_freed(id) {
                    return Change::Keep;
                }
                let mut new = (**obj).clone();
                new.life.dead = true;
                Change::To(std::sync::Arc::new(new))
            });
        }
        let only = address.targets.len() == 1 && !address.unknown && address.number.is_none();
        for (object, _) in &address.targets {
            self.eval.context.touch(Some(*object), true);
            let Some(obj) = state.object(*object) else { continue };
            let mut new = (**obj).clone();
            new.life = if only && !self.eval.facts.is_summary(*object) {
                Life::DEAD
            } else {
                Life { alive: new.life.alive, dead: true }
            };
            state.set_object(*object, new);
        }
    }

    /// What lies between the members of an object that was assigned or initialised may be anything: compilers leave
    /// it, copy it or clear it as they like. What an initialiser fills may not have been written there at all.
    pub(crate) fn lose_padding(&mut self, state: &mut State, to: &Address, ty: TypeId, first: bool) -> bool {
        // Where the target is not known, all bytes of the object have become much the same.
        let Some((object, offset)) = single(to).filter(|(_, offset)| offset.as_constant().is_some()) else {
            return true;
        };
        for (from, end) in self.eval.facts.types.padding(ty) {
            let (from, bytes) = (Int::constant(i128::from(from)), Int::constant(i128::from(end - from)));
            let place = Address::of(object, offset.add(&from));
            let uninit = first || summary(state, &place, &bytes).uninit;
            if !self.fill(state, &place, &Value { kind: Kind::Number(Int::range(0, 255)), uninit }, &bytes) {
                return false;
            }
        }
        true
    }

    /// Copies `n` bytes from one address to another.
    pub(crate) fn copy(&mut self, state: &mut State, to: &Address, from: &Address, n: &Int) -> bool {
        if n.hi() <= 0 {
            return true;
        }
        for (object, _) in &from.targets {
            self.eval.context.touch(Some(*object), false);
        }
        if from.unknown {
            self.eval.context.touch(None, false);
        }
        let exact = match (single(from), n.as_constant()) {
            (Some((object, offset)), Some(bytes)) => offset
                .as_constant()
                .and_then(|o| u64::try_from(o).ok())
                .zip(u64::try_from(bytes).ok())
                .and_then(|(start, bytes)| {
                    let contents = &state.object(object)?.contents;
                    let end = start.checked_add(bytes)?;
                    Some((contents.copy(start, end), contents.nul_in(start, end)))
                }),
            _ => None,
        };
        if let (Some((parts, nul)), Some((object, offset))) = (exact, single(to))
            && let Some(at) = offset.as_constant().and_then(|o| u64::try_from(o).ok())
            && !self.eval.facts.is_summary(object)
            && let Some(obj) = state.object(object)
        {
            for (_, segment) in &parts {
                self.eval.note_written(state, to, &segment.value);
            }
            let mut new = (**obj).clone();
            let end = parts.last().map_or(at, |(_, s)| at + s.end);
            if i128::from(end) > new.size.hi() {
                return false;
            }
            new.contents.paste(at, parts, nul);
            state.forget_contents(Some(object));
            self.eval.context.touch(Some(object), true);
            state.set_object(object, new);
            state.forget_cells(&self.tuples, Some(object), at, end);
            return true;
        }
        let summary = summary(state, from, n);
        self.eval.note_written(state, to, &summary);
        self.fill(state, to, &summary, n)
    }

    /// Sets `n` bytes from the address on to a byte. False: there is no place for them.
    pub(crate) fn fill(&mut self, state: &mut State, to: &Address, byte: &Value, n: &Int) -> bool {
        if n.hi() <= 0 {
            return true;
        }
        if to.unknown {
            self.eval.context.touch(None, true);
            self.havoc_escaped(state);
        }
        let only = single(to).is_some();
        for (object, offset) in &to.targets {
            self.eval.context.touch(Some(*object), true);
            let Some(obj) = state.object(*object) else { continue };
            let mut new = (**obj).clone();
            let size = u64::try_from(obj.size.hi()).unwrap_or(u64::MAX / 4);
            let first = u64::try_from(offset.lo().max(0)).unwrap_or(0);
            let end = u64::try_from(offset.add(n).hi()).unwrap_or(u64::MAX / 4).min(size);
            // Bytes that are surely written: from the last possible start to the first possible end.
            let sure_from = u64::try_from(offset.hi().max(0)).unwrap_or(u64::MAX / 4);
            let sure_to = u64::try_from(offset.add(n).lo().max(0)).unwrap_or(0).min(end);
            if only && !self.eval.facts.is_summary(*object) && sure_from < sure_to {
                new.contents.fill_some(first, sure_from.min(end), byte);
                new.contents.fill_some(sure_to, end, byte);
                new.contents.fill(sure_from, sure_to, byte.clone());
            } else {
                new.contents.fill_some(first, end, byte);
            }
            state.forget_contents(Some(*object));
            state.set_object(*object, new);
            state.forget_cells(&self.tuples, Some(*object), first, end);
        }
        true
    }
}

/// Registers point to other objects under new names.
pub(crate) fn rename_registers(state: &mut State, to: &Renaming<'_>) {
    state.map_registers(&mut |_, value| match renamed(value, to) {
        None => Change::Keep,
        Some(value) => Change::To(value),
    });
}

/// What is said of parts of objects points to other objects under new names.
pub(crate) fn rename_facts(state: &mut State, to: &Renaming<'_>) {
    if state.symbolic.segments.is_empty() {
        return;
    }
    state.symbolic.segments = state.symbolic.segments.filter_map(&mut |_, facts| {
        if facts.iter().all(|fact| renamed(&fact.claim.value, to).is_none()) {
            return Change::Keep;
        }
        let mut new = facts.clone();
        for fact in &mut new {
            if let Some(value) = renamed(&fact.claim.value, to) {
                fact.claim.value = value;
            }
        }
        Change::To(new)
    });
}

/// One value for each byte that `n` bytes from the address on may hold.
pub(crate) fn summary(state: &State, from: &Address, n: &Int) -> Value {
    if from.unknown || from.targets.is_empty() {
        return Value { kind: Kind::Any, uninit: true };
    }
    let values = from.targets.iter().map(|(object, offset)| match state.object(*object) {
        None => Value::uninitialised(),
        Some(obj) => {
            let last = obj.size.hi().min(offset.add(n).hi()).max(0);
            let (first, last) = (u64::try_from(offset.lo().max(0)), u64::try_from(last));
            match (first, last) {
                (Ok(first), Ok(last)) if first < last => obj.contents.summary(first, last),
                _ => Value::uninitialised(),
            }
        }
    });
    values.reduce(|a, b| a.join(&b)).unwrap_or_else(Value::uninitialised)
}

/// A scalar was written somewhere into an object of which parts are known.
fn facts_written(state: &mut State, object: ObjectId, offset: &Int, bytes: u64, value: &Value) {
    state.symbolic.forget_sources(&|o| o == object);
    let Some(facts) = state.symbolic.segments.get(object) else { return };
    let mut facts = facts.clone();
    let (modulus, remainder) = offset.stride();
    facts.retain_mut(|fact| {
        let elsewhere = fact.bytes(state).is_some_and(|(first, end)| {
            end <= offset.lo() || offset.hi().saturating_add(i128::from(bytes)) <= first
        });
        if elsewhere {
            return true;
        }
        let (wide, grid) = (fact.shape.bytes(), fact.grid());
        if grid < wide || !modulus.is_multiple_of(u128::from(grid)) {
            return false;
        }
        let stride = i128::from(grid);
        let into = (remainder - i128::from(fact.base)).rem_euclid(stride);
        if into >= i128::from(wide) && into + i128::from(bytes) <= stride {
            // Another member of the elements.
            return true;
        }
        if bytes != wide || into != 0 {
            return false;
        }
        let value = crate::memory::encoding::decode(value, bytes as u32, fact.shape);
        fact.claim.value = fact.claim.value.join(&value);
        fact.claim.terms.clear();
        true
    });
    if facts.is_empty() {
        state.symbolic.segments.remove(object);
    } else {
        state.symbolic.segments.insert(object, facts);
    }
}

fn renamed_object(obj: &Arc<Obj>, to: &Renaming<'_>) -> Change<Arc<Obj>> {
    let holds = obj.contents.segments().any(|(_, s)| renamed(&s.value, to).is_some());
    if !holds {
        return Change::Keep;
    }
    let mut new = (**obj).clone();
    new.contents.map_values(&mut |value| renamed(value, to));
    Change::To(Arc::new(new))
}

fn renamed(value: &Value, to: &Renaming<'_>) -> Option<Value> {
    let Kind::Address(address) = &value.kind else { return None };
    if address.targets.iter().all(|(object, _)| to(*object).is_none()) {
        return None;
    }
    let kind = address.rename(to).into_kind().unwrap_or(Kind::Any);
    Some(Value { kind, uninit: value.uninit })
}

/// What is known of the bit-fields of an object once one of them is written.
struct KeptFields {
    object: ObjectId,
    fields: Vec<(BitField, Value)>,
    /// Whether all bits of the field's bytes are written then.
    is_whole: bool,
}

impl KeptFields {
    fn over_write(
        state: &State,
        object: ObjectId,
        offset: &Int,
        bits: BitRange,
        value: &Value,
        is_strong: bool,
    ) -> Option<KeptFields> {
        let (field, at) = field_at(offset, bits)?;
        let contents = &state.object(object)?.contents;
        let number = match &value.kind {
            Kind::Number(n) => n.wrap(clew_base::int::IntType::unsigned(u16::from(bits.width))),
            _ => Int::of_type(clew_base::int::IntType::unsigned(u16::from(bits.width))),
        };
        let new = Value { kind: Kind::Number(number), uninit: value.uninit };
        let new = if is_strong { Some(new) } else { contents.bit_field(field).map(|old| old.join(&new)) };
        let bytes = bits.covering_bytes();
        let is_whole = is_strong && contents.fields_cover(at, bytes, field);
        let mut fields = contents.fields_beside(field, at, bytes);
        fields.extend(new.map(|new| (field, new)));
        Some(KeptFields { object, fields, is_whole })
    }
}

/// The bit-field at an offset that is known, and its first byte.
fn field_at(offset: &Int, bits: BitRange) -> Option<(BitField, u64)> {
    let at = u64::try_from(offset.as_constant()?).ok()?;
    let first = at.checked_mul(8)?.checked_add(u64::from(bits.start))?;
    Some((BitField { first, width: bits.width }, at))
}

/// What a bit-field holds as an unsigned number, where it was written as one wherever it may be.
pub(crate) fn fields_at(state: &State, address: &Address, bits: BitRange) -> Option<Value> {
    if address.unknown || address.number.is_some() {
        return None;
    }
    let values = address.targets.iter().map(|(object, offset)| {
        let (field, _) = field_at(offset, bits)?;
        state.object(*object)?.contents.bit_field(field).cloned()
    });
    values.reduce(|a, b| Some(a?.join(&b?))).flatten()
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! Memory on the walk: objects with scalars at fixed bytes. What a parameter points to is made of inputs, as they are read.

use std::collections::BTreeMap;
use std::rc::Rc;

use clew_base::float::Float;
use clew_base::int::IntType;
use clew_ir::syntax::{GlobalId, Place, PlaceBase, Type, TypeId};
use rustc_hash::FxHashMap;

use super::{Number, State, Step, Value, Walk, refused};
use crate::constant::Constant;
use crate::dag::Sort;

/// An object of a state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct ObjectId(pub(super) u32);

#[derive(Clone, PartialEq, Debug)]
enum Kind {
    /// Of the function's own; not written yet is uninitialised.
    Own,
    /// A global.
    Global(GlobalId),
    /// What callers give, under this name; elements of this type.
    Input(String, TypeId),
}

#[derive(Clone, Debug)]
struct Object {
    kind: Kind,
    size: u64,
    /// By first byte, with their sizes and types.
    cells: BTreeMap<i64, (Value, i64, TypeId)>,
    /// Bytes of what callers gave that were overwritten.
    written: Vec<i64>,
}

impl Object {
    /// Whether a number lies partly on these bytes, rather than on all of them or none.
    fn overlaps(&self, offset: i64, size: i64) -> bool {
        let near = self.cells.range(offset - 15..offset + size);
        near.into_iter().any(|(at, (_, bytes, _))| at + bytes > offset && (*at, *bytes) != (offset, size))
    }
}

/// The objects of a state; shared between states until they are written.
#[derive(Clone, Default, Debug)]
pub(crate) struct Memory {
    objects: Vec<Rc<Object>>,
    globals: FxHashMap<GlobalId, ObjectId>,
}

impl Memory {
    fn push(&mut self, kind: Kind, size: u64) -> ObjectId {
        self.objects.push(Rc::new(Object { kind, size, cells: BTreeMap::new(), written: Vec::new() }));
        ObjectId(self.objects.len() as u32 - 1)
    }

    /// A new object of the function's own.
    pub(super) fn fresh(&mut self, size: u64) -> ObjectId {
        self.push(Kind::Own, size)
    }

    /// An object that callers give.
    pub(super) fn input(&mut self, name: String, element: TypeId, size: u64) -> ObjectId {
        self.push(Kind::Input(name, element), size)
    }

    /// The object of a global.
    pub(super) fn global(&mut self, global: GlobalId) -> ObjectId {
        if let Some(object) = self.globals.get(&global) {
            return *object;
        }
        let object = self.push(Kind::Global(global), u64::MAX);
        self.globals.insert(global, object);
        object
    }

    /// What was written where callers see it.
    pub(super) fn outputs(&self) -> Vec<(String, Value)> {
        let mut outputs = Vec::new();
        for object in &self.objects {
            let Kind::Input(name, _) = &object.kind else { continue };
            for offset in &object.written {
                if let Some((value @ (Value::Float(_) | Value::Int(_) | Value::Whole(_)), ..)) =
                    object.cells.get(offset)
                {
                    outputs.push((format!("{name}@{offset}"), value.clone()));
                }
            }
        }
        outputs.sort_by(|a, b| a.0.cmp(&b.0));
        outputs
    }
}

/// A number in memory: its object, its byte and its type.
pub(super) type CellKey = (ObjectId, i64, TypeId);

impl Memory {
    /// How many objects there are.
    pub(super) fn count(&self) -> usize {
        self.objects.len()
    }

    /// Forgets the objects from that one on: nothing leads there any more.
    pub(super) fn truncate(&mut self, count: usize) {
        self.objects.truncate(count);
        self.globals.retain(|_, object| (object.0 as usize) < count);
    }

    /// Whether the first objects are of the same kinds.
    pub(super) fn is_alike(&self, other: &Memory) -> bool {
        let pairs = self.objects.iter().zip(&other.objects);
        pairs.into_iter().all(|(a, b)| Rc::ptr_eq(a, b) || (a.kind == b.kind && a.size == b.size))
    }

    /// The numbers of objects in which the two differ.
    pub(super) fn differing(&self, other: &Memory, into: &mut std::collections::BTreeSet<CellKey>) {
        for (index, (a, b)) in self.objects.iter().zip(&other.objects).enumerate() {
            if Rc::ptr_eq(a, b) {
                continue;
            }
            let cells = a.cells.iter().chain(&b.cells);
            into.extend(cells.map(|(offset, (_, _, ty))| (ObjectId(index as u32), *offset, *ty)));
        }
    }

    /// All numbers.
    pub(super) fn cells(&self) -> impl Iterator<Item = &Value> {
        self.objects.iter().flat_map(|object| object.cells.values().map(|(value, ..)| value))
    }

    /// What is known of a number without looking further.
    pub(super) fn peek(&self, (id, offset, _): CellKey) -> Option<&Value> {
        self.objects.get(id.0 as usize)?.cells.get(&offset).map(|(value, ..)| value)
    }

    /// Replaces a number, or forgets it.
    pub(super) fn poke(&mut self, (id, offset, ty): CellKey, size: i64, value: Option<Value>) {
        let object = Rc::make_mut(&mut self.objects[id.0 as usize]);
        match value {
            Some(value) => object.cells.insert(offset, (value, size, ty)),
            None => object.cells.remove(&offset),
        };
    }

    /// Replaces numbers.
    pub(super) fn replace(&mut self, with: &impl Fn(&Value) -> Option<Value>) {
        for object in &mut self.objects {
            let is_meant = object.cells.values().any(|(value, ..)| with(value).is_some());
            if is_meant {
                for (value, ..) in Rc::make_mut(object).cells.values_mut() {
                    if let Some(other) = with(value) {
                        *value = other;
                    }
                }
            }
        }
    }

    /// What callers gave and either has overwritten.
    pub(super) fn unite_written(&mut self, other: &Memory) {
        for (object, other) in self.objects.iter_mut().zip(&other.objects) {
            let new: Vec<i64> =
                other.written.iter().filter(|at| !object.written.contains(at)).copied().collect();
            if !new.is_empty() {
                Rc::make_mut(object).written.extend(new);
            }
        }
    }

    /// Whether a number of the object may be read that was not written.
    pub(super) fn is_own(&self, id: ObjectId) -> bool {
        matches!(self.objects[id.0 as usize].kind, Kind::Own)
    }
}

impl Walk<'_> {
    /// What an entry gets in a parameter of that name and type.
    pub(super) fn input_value(&mut self, memory: &mut Memory, name: &str, ty: TypeId) -> Step<Value> {
        let types = self.program.types();
        match types.get(ty) {
            Type::Float(format) => {
                let sort = Sort::Float(*format);
                let range = self.all_of(sort, None);
                let node = self.new_input(name, sort, range);
                // An input that is one number is that number.
                let point = self.point_of(node, *format).filter(|_| !self.options.keeps_operations);
                let number = point.unwrap_or(Number::Node(node));
                Ok(Value::Float(number))
            }
            Type::Int { .. } | Type::Bool => {
                let int = types.int_type(ty).unwrap_or(IntType::unsigned(1));
                let node = self.new_input(name, Sort::Integer, self.all_of(Sort::Integer, Some(int)));
                let range = self.ranges.value(node);
                Ok(if range.is_point() { Value::Int(range.lo as i128) } else { Value::Whole(node) })
            }
            Type::Pointer(pointee) => match types.get(*pointee) {
                Type::Function { .. } => refused("a parameter that is a function"),
                _ => Ok(Value::Pointer(Some((memory.input(name.to_owned(), *pointee, u64::MAX), 0)))),
            },
            _ => refused(format!("the parameter `{name}` is neither a number nor a pointer")),
        }
    }

    fn point_of(&self, node: crate::dag::NodeId, format: clew_base::float::Format) -> Option<Number> {
        let reach = self.ranges.get(node);
        if !reach.value.is_point() || reach.error != 0.0 {
            return None;
        }
        let float =
            Float::from_f64(reach.value.lo).convert(format, clew_base::float::Rounding::NearestEven).0;
        let constant = Constant::exact(float)?;
        (constant.real.enclosure() == reach.value).then(|| Number::Known(Rc::new(constant)))
    }

    pub(super) fn load(
        &mut self,
        state: &mut State,
        (id, offset): (ObjectId, i64),
        ty: TypeId,
    ) -> Step<Value> {
        let object = &state.memory.objects[id.0 as usize];
        let size = self.program.size_of(ty) as i64;
        if let Some((value, bytes, _)) = object.cells.get(&offset) {
            let is_float = matches!(self.program.types().get(ty), Type::Float(_));
            let fits = match value {
                Value::Float(_) => is_float && self.value_format(value)? == self.format(ty)?,
                _ => !is_float,
            } && *bytes == size;
            return if fits {
                Ok(value.clone())
            } else {
                refused("the bits of a number are read as another type")
            };
        }
        if object.overlaps(offset, size) {
            return refused("the bits of a number are read as another type");
        }
        match object.kind.clone() {
            Kind::Own => refused("an object is read before it is written"),
            Kind::Global(global) => self.initial(global, offset, ty),
            Kind::Input(name, element) => {
                if offset < 0 || offset as u64 >= object.size {
                    return refused("an access outside of an object");
                }
                let unit = self.program.size_of(element).max(1) as i64;
                let is_misaligned = unit == size && (offset % unit != 0);
                if is_misaligned {
                    return refused("an object is read across its elements");
                }
                let name = match unit == size {
                    true if offset == 0 && object.size != u64::MAX => name,
                    true => format!("{name}[{}]", offset / unit),
                    false => format!("{name}.{}", self.member(element, offset)),
                };
                let value = self.input_value(&mut state.memory, &name, ty)?;
                Rc::make_mut(&mut state.memory.objects[id.0 as usize])
                    .cells
                    .insert(offset, (value.clone(), size, ty));
                Ok(value)
            }
        }
    }

    /// The member of a struct at a byte, by its name where it has one.
    fn member(&self, ty: TypeId, offset: i64) -> String {
        let fields = match self.program.types().get(ty) {
            Type::Record(record) => &self.program.records[*record].fields[..],
            _ => &[],
        };
        let field = fields.iter().find(|field| field.offset as i64 == offset);
        field.and_then(|field| field.name.as_deref()).map_or_else(|| offset.to_string(), str::to_owned)
    }

    /// A global as the program starts with it, if nobody can have changed it since.
    fn initial(&mut self, global: GlobalId, offset: i64, ty: TypeId) -> Step<Value> {
        let global = &self.program.globals[global];
        let Some(init) = &global.init else {
            return refused(format!("`{}` is defined elsewhere", global.source_name));
        };
        if !global.is_const && !self.is_main {
            return refused(format!("`{}` may have been changed before", global.source_name));
        }
        let size = self.program.size_of(ty) as usize;
        if offset < 0 || offset as u64 + size as u64 > global.size {
            return refused("an access outside of an object");
        }
        if init
            .relocations
            .iter()
            .any(|r| (r.offset as i64) < offset + size as i64 && offset < r.offset as i64 + 8)
        {
            return refused("an address in a global");
        }
        let byte = |index: usize| init.bytes.get(offset as usize + index).copied().unwrap_or(0);
        let bits = (0..size.min(16)).fold(0u128, |bits, index| bits | u128::from(byte(index)) << (8 * index));
        match self.program.types().get(ty) {
            Type::Float(format) => match Constant::exact(Float::from_bits(*format, bits)) {
                Some(constant) => Ok(Value::Float(Number::Known(Rc::new(constant)))),
                None => refused("an infinite number or a NaN in a table"),
            },
            Type::Int { .. } | Type::Bool => {
                let ty = self.program.types().int_type(ty).unwrap_or(IntType::unsigned(8));
                Ok(Value::Int(ty.wrap(bits as i128)))
            }
            _ => refused("a global that is no number"),
        }
    }

    pub(super) fn store(
        &mut self,
        state: &mut State,
        (id, offset): (ObjectId, i64),
        ty: TypeId,
        value: Value,
    ) -> Step<()> {
        let size = self.program.size_of(ty) as i64;
        let object = Rc::make_mut(&mut state.memory.objects[id.0 as usize]);
        if offset < 0 || (offset + size) as u64 > object.size {
            return refused("an access outside of an object");
        }
        if object.overlaps(offset, size) {
            return refused("an object is written across its elements");
        }
        object.cells.insert(offset, (value, size, ty));
        if matches!(object.kind, Kind::Input(..)) && !object.written.contains(&offset) {
            object.written.push(offset);
        }
        Ok(())
    }

    /// Copies an object of that type, number by number.
    pub(super) fn copy(
        &mut self,
        state: &mut State,
        to: (ObjectId, i64),
        from: (ObjectId, i64),
        ty: TypeId,
    ) -> Step<()> {
        for (offset, scalar) in self.scalars(ty)? {
            let object = &state.memory.objects[from.0.0 as usize];
            let is_unwritten =
                matches!(object.kind, Kind::Own) && !object.cells.contains_key(&(from.1 + offset));
            if is_unwritten {
                continue;
            }
            let value = self.load(state, (from.0, from.1 + offset), scalar)?;
            self.store(state, (to.0, to.1 + offset), scalar, value)?;
        }
        Ok(())
    }

    pub(super) fn zero(&mut self, state: &mut State, to: (ObjectId, i64), ty: TypeId) -> Step<()> {
        for (offset, scalar) in self.scalars(ty)? {
            let value = match self.program.types().get(scalar) {
                Type::Float(format) => Value::Float(Number::Known(Rc::new(self.zero_of(*format)?))),
                Type::Pointer(_) => Value::Pointer(None),
                _ => Value::Int(0),
            };
            self.store(state, (to.0, to.1 + offset), scalar, value)?;
        }
        Ok(())
    }

    fn scalars(&self, ty: TypeId) -> Step<Vec<(i64, TypeId)>> {
        let types = self.program.types();
        Ok(match types.get(ty) {
            Type::Array { element, length: Some(length) } => {
                let unit = self.program.size_of(*element) as i64;
                let inner = self.scalars(*element)?;
                let at =
                    |index: u64| inner.iter().map(move |(offset, ty)| (index as i64 * unit + offset, *ty));
                (0..*length).flat_map(at).collect()
            }
            Type::Record(record) => {
                let record = &self.program.records[*record];
                if record.is_union {
                    return refused("a union is copied");
                }
                let mut all = Vec::new();
                for field in &record.fields {
                    if field.bits.is_some() {
                        return refused("a bit-field");
                    }
                    all.extend(
                        self.scalars(field.ty)?.into_iter().map(|(at, ty)| (at + field.offset as i64, ty)),
                    );
                }
                all
            }
            Type::Opaque { what, .. } => return refused(format!("not supported: {what}")),
            _ => vec![(0, ty)],
        })
    }

    /// A place in the caller's frame that gets a struct: one without computed steps.
    pub(super) fn caller_address(&mut self, state: &mut State, place: &Place) -> Step<(ObjectId, i64)> {
        let (PlaceBase::Local(_), true) = (place.base, place.projections.is_empty()) else {
            return refused("a struct is returned into something computed");
        };
        let frame = state.top();
        let function = frame.function;
        let Some(body) = &self.program.functions[function].body else { return refused("no body") };
        self.address(state, body, place)
    }
}

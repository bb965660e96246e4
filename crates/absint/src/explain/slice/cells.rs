// SPDX-License-Identifier: MIT OR Apache-2.0
//! What stands in memory: the statements that may have put it there, and what was passed and copied.

use clew_ir::syntax::{AccessFlags, Argument, Place, PlaceBase, StatementKind};

use crate::domain::int::Int;
use crate::domain::value::Value;
use crate::engine::value_log::{Point, Seen, Touched};
use crate::explain::slice::search::{Bytes, stores};
use crate::explain::slice::text;
use crate::explain::slice::walk::{Sought, Task, Thing, Walk};
use crate::program::object::{Object, ObjectId};

impl<'p> Walk<'_, 'p> {
    pub(super) fn load(&mut self, point: Point, place: &'p Place, flags: AccessFlags) {
        if flags.volatile {
            self.lose(point, "volatile: any value");
            return;
        }
        let Some(read) = self.noted.seen(point).and_then(|seen| seen.from.clone()) else { return };
        let given = self.given(point);
        if let Some(given) = &given {
            self.name_value(point, &text::place(self.a, &read), Some(place.ty), given);
        }
        self.mention(point, place);
        if read.address.unknown {
            self.lose(point, "read through a pointer that is not known: any value");
            if let PlaceBase::Deref(pointer) = place.base {
                self.operands(point, &[pointer]);
            }
        }
        self.tasks.push_back(Task::Memory(point, read, given));
    }

    pub(super) fn copied(&mut self, point: Point, from: Option<&'p Place>) {
        let Some(read) = self.noted.seen(point).and_then(|seen| seen.from.clone()) else { return };
        if read.address.unknown {
            self.lose(point, "copied through a pointer that is not known: any value");
            if let Some(PlaceBase::Deref(pointer)) = from.map(|from| from.base) {
                self.operands(point, &[pointer]);
            }
        }
        self.tasks.push_back(Task::Memory(point, read, None));
    }

    /// A write that may have gone anywhere: the pointer is to blame.
    pub(super) fn through_pointer(&mut self, point: Point, place: &'p Place) {
        let to = self.noted.seen(point).and_then(|seen| seen.to.as_ref());
        if to.is_some_and(|to| to.address.unknown) {
            self.lose(point, "a write through a pointer that is not known");
            if let PlaceBase::Deref(pointer) = place.base {
                self.operands(point, &[pointer]);
            }
        }
    }

    pub(super) fn memory(&mut self, point: Point, read: &Touched, value: Option<Value>) {
        let offsets = read.address.targets.iter().map(|(object, at)| (*object, at.lo(), at.hi())).collect();
        if !self.done.insert((point, Sought::Memory(offsets))) {
            return;
        }
        self.things.extend(read.address.targets.iter().map(|(object, _)| Thing::Object(*object)));
        let bytes = Bytes::new(self.a, self.noted, read);
        let found = stores(self.a, self.noted, self.shapes, point, &bytes);
        self.widened(&found, Some(&text::objects(self.a, read)));
        let writers = self.that_take_part(&found, value.as_ref());
        for writer in &writers {
            if self.step(*writer) {
                self.stored(*writer);
                self.definition(*writer);
                self.blind(*writer);
            }
        }
        let explains = |writer: &Point| match (&value, self.given(*writer)) {
            (Some(value), Some(part)) => value.is_subset(&part),
            _ => true,
        };
        if found.from_start && !writers.iter().any(explains) {
            self.before_all(point, read);
        }
        if found.from_start {
            self.passed(point, read);
        }
    }

    /// Names what a statement stored.
    fn stored(&mut self, point: Point) {
        if let Some(Seen { to: Some(to), gives: Some(value), .. }) = self.noted.seen(point) {
            self.name_value(point, &text::place(self.a, to), None, value);
        }
    }

    /// A call that may write where nobody sees.
    fn blind(&mut self, point: Point) {
        let callees = self.noted.callees.get(&point);
        let missing = callees.into_iter().flatten().find(|f| self.a.facts.function(**f).body.is_none());
        if let Some(missing) = missing {
            let name = self.a.facts.function(*missing).source_name.clone();
            self.lose(point, format!("`{name}` has no body here: it may write this"));
        }
    }

    fn is_parameter(&self, object: ObjectId) -> bool {
        let Object::Local(function, local) = self.a.facts.objects.get(object) else { return false };
        self.a.facts.function(*function).body.as_ref().is_some_and(|body| local.0 < body.parameters)
    }

    /// What the callers passed into a parameter that lives in memory.
    fn passed(&mut self, point: Point, read: &Touched) {
        for (object, offset) in &read.address.targets {
            let Object::Local(function, local) = *self.a.facts.objects.get(*object) else { continue };
            if !self.is_parameter(*object) {
                continue;
            }
            let through = point.through.filter(|_| self.a.facts.options.models.contains(&function));
            let callers: Vec<Point> =
                self.noted.callers.get(&(function, through)).into_iter().flatten().copied().collect();
            for caller in callers {
                let argument = self.argument(caller, local);
                if !self.step(caller) {
                    continue;
                }
                match argument {
                    Some(Argument::Value(expr)) => self.operands(caller, &[*expr]),
                    Some(Argument::Object(place)) => self.part(caller, place, offset, &read.bytes),
                    None => self.lose(caller, "called without this argument"),
                }
            }
        }
    }

    /// A part of a record that a statement reads as a whole.
    pub(super) fn part(&mut self, point: Point, place: &Place, offset: &Int, bytes: &Int) {
        let Some((frame, state)) = self.met(point) else { return };
        let mut address = self.a.address(&frame, &state, place);
        address.targets.iter_mut().for_each(|(_, at)| *at = at.add(offset));
        self.mention(point, place);
        self.follow_memory(point, Touched { address, bytes: *bytes });
    }

    /// What stood in memory before any statement wrote there.
    fn before_all(&mut self, point: Point, read: &Touched) {
        let mut lost = Vec::new();
        for (object, _) in &read.address.targets {
            let name = crate::explain::question::object_name(self.a, *object);
            match self.a.facts.objects.get(*object) {
                Object::Global(global) if self.a.facts.program.globals[*global].init.is_none() => {
                    lost.push(format!("{name} is defined elsewhere: any value"));
                }
                Object::Input(_) => lost.push("what the caller of the entry passed: any value".to_owned()),
                Object::Global(_) => {}
                Object::Local(..) if self.is_parameter(*object) => {}
                _ => lost.push(format!("{name} may not have been written: any value")),
            }
        }
        lost.into_iter().for_each(|what| self.lose(point, what));
    }

    /// Whether a statement reads a register that may not have been written.
    fn may_be_unwritten(&self, point: Point) -> bool {
        let reads = self.noted.seen(point).into_iter().flat_map(|seen| &seen.reads);
        reads.flat_map(|(_, value)| value).any(|value| value.uninit)
    }

    /// Follows what a copy read: that may not have been written either.
    fn follow_copied(&mut self, point: Point) {
        if let Some(from) = self.noted.seen(point).and_then(|seen| seen.from.clone()) {
            self.follow_written(point, from);
        }
    }

    /// The writes that may have been meant to initialise some bytes.
    pub(super) fn written(&mut self, point: Point, read: &Touched) {
        if !self.done.insert((point, Sought::Written)) {
            return;
        }
        let bytes = Bytes::new(self.a, self.noted, read);
        let found = stores(self.a, self.noted, self.shapes, point, &bytes);
        for writer in &found.writers {
            if !self.step(*writer) {
                continue;
            }
            self.stored(*writer);
            let Some(body) = self.body(*writer) else { continue };
            let statement = body.blocks[writer.site.block].statements.get(writer.site.statement as usize);
            let mut exprs = Vec::new();
            match statement.map(|s| &s.kind) {
                Some(StatementKind::Store { place, value, .. }) => {
                    place.exprs(|expr| exprs.push(expr));
                    // A character that was never written may have been copied.
                    if self.may_be_unwritten(*writer) {
                        exprs.push(*value);
                    }
                }
                Some(StatementKind::Intrinsic(call)) => {
                    exprs.clone_from(&call.arguments);
                    self.follow_copied(*writer);
                }
                Some(StatementKind::Copy { .. }) => self.follow_copied(*writer),
                _ => {}
            }
            self.operands(*writer, &exprs);
        }
        if found.from_start {
            let what = text::objects(self.a, read);
            self.lose(point, format!("`{what}` may not have been written"));
        }
    }
}

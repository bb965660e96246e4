// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where a slice begins: what the condition of an obligation depends on.

use clew_ir::obligation::{Condition, Raise};
use clew_ir::syntax::{ExprId, ExprKind, FuncId, LocalId, Place, StatementKind};

use crate::domain::int::Int;
use crate::domain::value::Address;
use crate::engine::results::Subject;
use crate::engine::value_log::{Point, Touched};
use crate::explain::slice::search::all_of;
use crate::explain::slice::walk::{Sought, Walk};
use crate::program::object::{Object, ObjectId, Site};

impl<'p> Walk<'_, 'p> {
    /// Begins at an obligation; none if it was not met.
    pub(super) fn begin(&mut self, subject: &Subject) -> Option<()> {
        let body = self.a.facts.function(subject.function).body.as_ref()?;
        let shape = self.shapes.of(self.a, subject.function)?;
        let (block, statement) = *shape.checks.get(&subject.obligation.0)?;
        let site = Site { function: subject.function, block, statement: statement as u32 };
        let point = Point { site, through: subject.call };
        self.noted.seen(point)?;
        self.step(point);
        let condition = &body.obligations[subject.obligation].condition;
        self.condition(point, condition);
        if matches!(condition, Condition::Never | Condition::ResultUnused) {
            self.why_reached(point);
        } else {
            self.show_tests(point);
        }
        Some(())
    }

    fn condition(&mut self, point: Point, condition: &'p Condition) {
        match condition {
            Condition::NotRaised(Raise::DivisionByZero | Raise::FloatDivisionByZero, expr) => {
                self.operands(point, &[self.divisor(point, *expr)]);
            }
            Condition::InitialisedLocal(local) => self.follow(point, *local),
            Condition::InBounds(place) => {
                self.place_operands(point, place);
                let read = self.bytes_at(point, place);
                self.sizes(read);
            }
            Condition::Initialised(place, _) => {
                self.place_operands(point, place);
                if let Some(read) = self.bytes_at(point, place) {
                    self.sizes(Some(read.clone()));
                    self.follow_written(point, read);
                }
            }
            Condition::Live(pointer)
            | Condition::AllocBase(pointer)
            | Condition::Handle(pointer)
            | Condition::Lasting(pointer) => {
                self.operands(point, &[*pointer]);
                self.ends_of_lives(point, *pointer);
            }
            Condition::NulWithin(pointer)
            | Condition::WrittenText(pointer)
            | Condition::WrittenRange(pointer, _) => {
                self.operands(point, &[*pointer]);
                for (object, _) in self.targets(point, *pointer) {
                    self.follow_memory(point, all_of(object));
                }
            }
            Condition::ReadableRange(pointer, bytes) | Condition::WritableRange(pointer, bytes) => {
                self.operands(point, &[*pointer, *bytes]);
                let address = Address { targets: self.targets(point, *pointer), ..Address::default() };
                self.sizes(Some(Touched { address, bytes: Int::constant(1) }));
            }
            other => {
                let mut exprs = Vec::new();
                other.exprs(|expr| exprs.push(expr));
                self.operands(point, &exprs);
            }
        }
    }

    /// An operation whose dividend does not matter.
    fn divisor(&self, point: Point, expr: ExprId) -> ExprId {
        match self.body(point).map(|body| &body.exprs[expr].kind) {
            Some(ExprKind::Binary(_, _, right)) => *right,
            _ => expr,
        }
    }

    fn place_operands(&mut self, point: Point, place: &Place) {
        let mut exprs = Vec::new();
        place.exprs(|expr| exprs.push(expr));
        self.operands(point, &exprs);
    }

    fn bytes_at(&mut self, point: Point, place: &Place) -> Option<Touched> {
        let (frame, state) = self.met(point)?;
        let address = self.a.address(&frame, &state, place);
        Some(Touched { address, bytes: Int::constant(i128::from(self.a.facts.types.access_bytes(place))) })
    }

    fn targets(&mut self, point: Point, pointer: ExprId) -> Vec<(ObjectId, Int)> {
        let value = self.evaluated(point, pointer);
        value.map(|value| value.kind.to_address().targets).unwrap_or_default()
    }

    /// How large the objects are: the sizes that their allocations were asked for.
    fn sizes(&mut self, read: Option<Touched>) {
        for (object, _) in read.into_iter().flat_map(|read| read.address.targets) {
            let Some((point, bytes)) = self.birth(object) else { continue };
            let is_known = self.evaluated(point, bytes).is_none_or(|size| size.kind.as_constant().is_some());
            if !is_known && self.step(point) {
                self.operands(point, &[bytes]);
            }
        }
    }

    /// The statement that makes an object, and the bytes that it asks for.
    fn birth(&self, object: ObjectId) -> Option<(Point, ExprId)> {
        let (site, through) = match self.a.facts.objects.get(object) {
            Object::Recent(site, through) | Object::Older(site, through) => (*site, *through),
            Object::Alloca(site) | Object::OlderAlloca(site) => (*site, None),
            Object::Local(function, local) => return self.variable_length(*function, *local),
            _ => return None,
        };
        let point = Point { site, through };
        let statement = self.body(point)?.blocks[site.block].statements.get(site.statement as usize)?;
        let StatementKind::Intrinsic(call) = &statement.kind else { return None };
        Some((point, *call.arguments.first()?))
    }

    /// The same for an array of variable length.
    fn variable_length(&self, function: FuncId, array: LocalId) -> Option<(Point, ExprId)> {
        let body = self.a.facts.function(function).body.as_ref()?;
        for (block, code) in body.blocks.iter_enumerated() {
            for (number, statement) in code.statements.iter().enumerate() {
                if let StatementKind::StorageLive { local, bytes: Some(bytes) } = &statement.kind
                    && *local == array
                {
                    let site = Site { function, block, statement: number as u32 };
                    return Some((Point { site, through: None }, *bytes));
                }
            }
        }
        None
    }

    /// The statements that may have ended the life of what a pointer points to.
    fn ends_of_lives(&mut self, point: Point, pointer: ExprId) {
        for (object, _) in self.targets(point, pointer) {
            for kin in self.a.facts.kin(object) {
                let ends: Vec<Point> = self.noted.releases.get(&kin).into_iter().flatten().copied().collect();
                for end in ends {
                    if self.step(end) {
                        self.lose(end, "its life may end here");
                    }
                }
            }
        }
    }

    /// Nothing but its being reached is wrong: the tests on the way decide, in the callers if there are none here.
    fn why_reached(&mut self, point: Point) {
        let is_new = self.done.insert((point, Sought::Reached));
        self.follow_control(point);
        if !is_new || self.has_tests(point) {
            return;
        }
        let function = point.site.function;
        let callers: Vec<Point> =
            self.noted.callers.get(&(function, point.through)).into_iter().flatten().copied().collect();
        for caller in callers {
            if self.step(caller) {
                self.why_reached(caller);
            }
        }
    }
}

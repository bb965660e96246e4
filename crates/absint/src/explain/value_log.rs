// SPDX-License-Identifier: MIT OR Apache-2.0
//! What each statement read, wrote and gave while obligations were judged: the ground that alarm slices walk on.
//!
//! An analysis keeps a state no longer than it needs it. A slice needs to know afterwards which values met at a
//! statement, so this is noted on the way, joined over all visits, but only where somebody asked for slices: without
//! them it costs one test for each statement. Statements of library models are told apart by the call of the program
//! that led to them.

use std::collections::BTreeSet;

pub(crate) use clew_ir::analysis::registers::assigned as defined;
use clew_ir::syntax::{
    Argument, BlockId, Body, CallResult, Callee, ExprId, FuncId, HavocTarget, Intrinsic, LocalId, Place,
    Statement, StatementKind, Terminator,
};

use crate::domain::int::Int;
use crate::domain::value::{Kind, Value};
use crate::engine::context::CallContext;
use crate::engine::evaluator::Evaluator;
use crate::engine::facts::{Facts, Frame};
use crate::engine::value_log::{Point, Seen, Touched};
use crate::program::object::{Object, ObjectId, Site};
use crate::state::{Name, State};

/// The registers that some expressions read, in order.
pub(crate) fn registers(body: &Body, roots: impl IntoIterator<Item = ExprId>) -> Vec<LocalId> {
    let mut found = BTreeSet::new();
    for root in roots {
        for node in body.expr_nodes(root) {
            if let clew_ir::syntax::ExprKind::Local(local) = body.exprs[node].kind {
                found.insert(local);
            }
        }
    }
    found.into_iter().collect()
}

fn join_values(slot: &mut Option<Value>, value: &Value) {
    *slot = Some(match slot.take() {
        None => value.clone(),
        Some(before) => before.join(value),
    });
}

fn join_touched(slot: &mut Option<Touched>, new: Touched) {
    *slot = Some(match slot.take() {
        None => new,
        Some(before) => {
            Touched { address: before.address.join(&new.address), bytes: before.bytes.join(&new.bytes) }
        }
    });
}

impl<'p> Facts<'p> {
    /// The program's call that tells apart the statements of a function that is called there.
    pub(crate) fn inside(&self, call: Point, callee: FuncId) -> Option<Site> {
        let models = &self.options.models;
        match (models.contains(&callee), models.contains(&call.site.function)) {
            (true, true) => call.through,
            (true, false) => Some(call.site),
            (false, _) => None,
        }
    }

    /// The objects whose bytes may be those of this one: what an allocation made last and all it made before.
    pub(crate) fn kin(&self, object: ObjectId) -> Vec<ObjectId> {
        let other = match self.objects.get(object) {
            Object::Recent(site, call) => self.objects.find(&Object::Older(*site, *call)),
            Object::Older(site, call) => self.objects.find(&Object::Recent(*site, *call)),
            Object::Alloca(site) => self.objects.find(&Object::OlderAlloca(*site)),
            Object::OlderAlloca(site) => self.objects.find(&Object::Alloca(*site)),
            _ => None,
        };
        std::iter::once(object).chain(other).collect()
    }
}

impl CallContext {
    pub(crate) fn point(&self, site: Site) -> Point {
        Point { site, through: self.model_call }
    }
}

impl<'p> Evaluator<'p> {
    /// Whether what happens is to be noted.
    pub(crate) fn notes_values(&self) -> bool {
        self.context.recording && self.recorder.value_log.is_some()
    }

    /// Notes what a statement is about to read and write.
    fn note_before(&mut self, frame: &Frame<'p>, state: &State, site: Site, statement: &'p Statement) {
        let reads = |body: &Body| {
            let mut roots = Vec::new();
            match &statement.kind {
                StatementKind::Check { first, count } => {
                    for id in first.0..first.0 + count {
                        let condition = &body.obligations[clew_ir::syntax::ObligationId(id)].condition;
                        condition.exprs(|expr| roots.push(expr));
                    }
                }
                _ => statement.exprs(|expr| roots.push(expr)),
            }
            registers(body, roots)
        };
        self.note_reads(frame, state, site, reads);
        let constant = |bytes: u64| Int::constant(i128::from(bytes));
        match &statement.kind {
            StatementKind::Load { place, .. } => {
                let bytes = constant(self.facts.types.access_bytes(place));
                let address = self.address(frame, state, place);
                self.note_from(site, Touched { address, bytes });
            }
            StatementKind::Store { place, value, .. } => {
                let stored = self.eval(frame, state, *value);
                self.note_given(site, &stored);
                self.note_place(frame, state, site, place);
            }
            StatementKind::Copy { to, from, .. } => {
                let bytes = constant(self.facts.types.size_of(from.ty));
                let address = self.address(frame, state, from);
                self.note_from(site, Touched { address, bytes });
                self.note_place(frame, state, site, to);
            }
            StatementKind::Zero { place } => {
                self.note_given(site, &Value::constant(0));
                self.note_place(frame, state, site, place);
            }
            StatementKind::Havoc { target: HavocTarget::Place(place) } => {
                self.note_place(frame, state, site, place);
            }
            StatementKind::Assembler { outputs, memory, .. } => {
                outputs.iter().for_each(|place| self.note_place(frame, state, site, place));
                if *memory {
                    self.note_blind();
                }
            }
            StatementKind::Intrinsic(call) => self.note_intrinsic(frame, state, site, call),
            StatementKind::Call(call) => {
                if let Some(CallResult::Place(place)) = &call.result {
                    self.note_place(frame, state, site, place);
                }
            }
            _ => {}
        }
    }

    fn note_intrinsic(
        &mut self,
        frame: &Frame<'p>,
        state: &State,
        site: Site,
        call: &clew_ir::syntax::IntrinsicCall,
    ) {
        let address =
            |this: &mut Self, at: usize| this.eval(frame, state, call.arguments[at]).kind.to_address();
        match call.op {
            Intrinsic::CopyBytes => {
                let bytes = self.number(frame, state, call.arguments[2], 2);
                let (to, from) = (address(self, 0), address(self, 1));
                self.note_from(site, Touched { address: from, bytes });
                self.note_to(site, Touched { address: to, bytes });
            }
            Intrinsic::FillBytes | Intrinsic::HavocBytes => {
                let last = call.arguments.len() - 1;
                let bytes = self.number(frame, state, call.arguments[last], 2);
                if call.op == Intrinsic::FillBytes {
                    let byte = self.eval(frame, state, call.arguments[1]);
                    self.note_given(site, &byte);
                }
                let address = address(self, 0);
                self.note_to(site, Touched { address, bytes });
            }
            Intrinsic::Release => {
                let (point, what) = (self.context.point(site), address(self, 0));
                let Some(noted) = &mut self.recorder.value_log else { return };
                for (object, _) in what.targets {
                    noted.releases.entry(object).or_default().insert(point);
                }
            }
            _ => {}
        }
    }

    /// Notes what a statement gave to its register.
    fn note_after(&mut self, state: &State, site: Site, statement: &Statement) {
        if let Some(local) = defined(statement) {
            let value = state.register(local);
            self.note_given(site, &value);
        }
    }

    /// Notes what a statement is about to read and write in each of several states.
    pub(crate) fn note_all_before(
        &mut self,
        frame: &Frame<'p>,
        states: &[State],
        site: Site,
        statement: &'p Statement,
    ) {
        if self.notes_values() {
            states.iter().for_each(|state| self.note_before(frame, state, site, statement));
        }
    }

    /// Notes what a statement gave to its register in each of several states.
    pub(crate) fn note_all_after(&mut self, states: &[State], site: Site, statement: &Statement) {
        if self.notes_values() {
            states.iter().for_each(|state| self.note_after(state, site, statement));
        }
    }

    /// Notes what a terminator reads.
    pub(crate) fn note_terminator(&mut self, frame: &Frame<'p>, state: &State, block: BlockId) {
        let code = &frame.body.blocks[block];
        let site = Site { function: frame.function, block, statement: code.statements.len() as u32 };
        let reads = |body: &Body| {
            let mut roots = Vec::new();
            code.terminator.exprs(|expr| roots.push(expr));
            registers(body, roots)
        };
        self.note_reads(frame, state, site, reads);
        if let Terminator::Return(Some(Argument::Value(expr))) = &code.terminator {
            let value = self.eval(frame, state, *expr);
            self.note_given(site, &value);
        }
    }

    /// Notes that a call enters a function.
    pub(crate) fn note_call(&mut self, site: Site, callee: FuncId) {
        let point = self.context.point(site);
        let through = self.facts.inside(point, callee);
        let Some(noted) = &mut self.recorder.value_log else { return };
        noted.callers.entry((callee, through)).or_default().insert(point);
        noted.callees.entry(point).or_default().insert(callee);
    }

    /// Notes that the running statement may change anything that has escaped.
    pub(crate) fn note_blind(&mut self) {
        if let Some(site) = self.recorder.pruned.at.filter(|_| self.notes_values()) {
            let point = self.context.point(site);
            if let Some(noted) = &mut self.recorder.value_log {
                noted.blind.insert(point);
            }
        }
    }

    /// Notes that the running statement changes an object in a way that is not known.
    pub(crate) fn note_havoc(&mut self, object: ObjectId) {
        if let Some(site) = self.recorder.pruned.at.filter(|_| self.notes_values()) {
            let point = self.context.point(site);
            if let Some(noted) = &mut self.recorder.value_log {
                noted.writers.entry(object).or_default().insert(point);
            }
        }
    }

    /// Notes what widening at the head of a loop made larger than what came back to it, as far as the invariant that
    /// was found in the end still has it.
    pub(crate) fn note_widened(
        &mut self,
        (function, block): (FuncId, BlockId),
        joined: &State,
        widened: &State,
        invariant: &State,
    ) {
        let point = self.context.point(Site { function, block, statement: 0 });
        let Some(noted) = &mut self.recorder.value_log else { return };
        let names = noted.widened.entry(point).or_default();
        for name in invariant.outside(joined) {
            match name {
                Name::Register(local) => {
                    let [before, widest, value] = [joined, widened, invariant].map(|s| s.register(local));
                    if keeps_what_was_added(&before, &widest, &value) {
                        names.registers.insert(local);
                    }
                }
                Name::Object(object) => drop(names.objects.insert(object)),
            }
        }
    }

    fn note_place(&mut self, frame: &Frame<'p>, state: &State, site: Site, place: &Place) {
        let address = self.address(frame, state, place);
        let bytes = Int::constant(i128::from(self.facts.types.access_bytes(place)));
        self.note_to(site, Touched { address, bytes });
    }

    fn seen_mut(&mut self, site: Site) -> Option<&mut Seen> {
        let point = self.context.point(site);
        self.recorder.value_log.as_mut().map(|noted| noted.at.entry(point).or_default())
    }

    fn note_reads(
        &mut self,
        frame: &Frame<'p>,
        state: &State,
        site: Site,
        reads: impl FnOnce(&Body) -> Vec<LocalId>,
    ) {
        let body = frame.body;
        let point = self.context.point(site);
        let Some(noted) = &mut self.recorder.value_log else { return };
        let seen = noted.at.entry(point).or_insert_with(|| Seen {
            reads: reads(body).into_iter().map(|local| (local, None)).collect(),
            ..Seen::default()
        });
        seen.reads.iter_mut().for_each(|(local, slot)| join_values(slot, &state.register(*local)));
    }

    fn note_given(&mut self, site: Site, value: &Value) {
        if let Some(seen) = self.seen_mut(site) {
            join_values(&mut seen.gives, value);
        }
    }

    fn note_from(&mut self, site: Site, touched: Touched) {
        if let Some(seen) = self.seen_mut(site) {
            join_touched(&mut seen.from, touched);
        }
    }

    fn note_to(&mut self, site: Site, touched: Touched) {
        let point = self.context.point(site);
        let Some(noted) = &mut self.recorder.value_log else { return };
        for (object, _) in &touched.address.targets {
            noted.writers.entry(*object).or_default().insert(point);
        }
        if touched.address.unknown {
            noted.blind.insert(point);
        }
        join_touched(&mut noted.at.entry(point).or_default().to, touched);
    }
}

/// Whether a value still has a bound that widening moved.
fn keeps_what_was_added(before: &Value, widened: &Value, value: &Value) -> bool {
    match (&before.kind, &widened.kind, &value.kind) {
        (Kind::Number(a), Kind::Number(b), Kind::Number(c)) => {
            (b.hi() > a.hi() && c.hi() == b.hi()) || (b.lo() < a.lo() && c.lo() == b.lo())
        }
        (Kind::Float(a), Kind::Float(b), Kind::Float(c)) => {
            (b.hi() > a.hi() && c.hi() == b.hi()) || (b.lo() < a.lo() && c.lo() == b.lo())
        }
        _ => value == widened && value != before,
    }
}

/// Whether a call names its callee.
pub(crate) fn direct(callee: Callee) -> Option<FuncId> {
    match callee {
        Callee::Direct(function) => Some(function),
        Callee::Indirect(_) => None,
    }
}

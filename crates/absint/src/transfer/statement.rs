// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a statement does to a state.

use clew_ir::syntax::{
    AccessFlags, CallResult, ExprId, ExprKind, HavocTarget, Intrinsic, IntrinsicCall, LocalId, ObligationId,
    Place, PlaceBase, Statement, StatementKind, Storage, TypeId, UnorderedMarker,
};
use clew_ir::types::Class;

use crate::domain::Tri;
use crate::domain::difference::Relations;
use crate::domain::int::Int;
use crate::domain::place::Cell;
use crate::domain::product::{Known, Product};
use crate::domain::relational::Relational;
use crate::domain::value::{Address, Kind, Value, single};
use crate::engine::effects::Region;
use crate::engine::evaluator::Evaluator;
use crate::engine::facts::{Facts, Frame};
use crate::engine::transfer::Transfer;
use crate::program::object::{Object, Site};
use crate::state::partition::Partition;
use crate::state::{Definition, State};
use crate::transfer::clocked::set_clocked;
use crate::transfer::cursor::Follow;
use crate::transfer::octagon::with_octagons;
use crate::transfer::progression::Goal;
use crate::transfer::refine::reread;
use crate::transfer::tuple::reduced;

/// Unnamed arguments stand this far apart, at least.
pub(crate) const SLOT: u64 = 16;

impl<'p> Facts<'p> {
    /// A value that was read as a value: the obligation stands before, and what goes on is any value.
    fn settle(&self, state: &mut State, local: LocalId, ty: TypeId, flags: AccessFlags) {
        if flags.copies {
            return;
        }
        if let Some(value) = state.registers().get(local)
            && value.uninit
        {
            state.refine_register(local, self.any_found(ty));
        }
    }

    /// A value as one of the type: what came from another kind is any.
    pub(crate) fn fit(&self, ty: clew_ir::syntax::TypeId, value: Value) -> Value {
        let fits = match (self.types.class(ty), &value.kind) {
            (Class::Int(ty), Kind::Number(n)) => n.is_subset(&Int::of_type(ty)),
            (Class::Pointer, Kind::Number(_) | Kind::Address(_)) | (Class::Float(_), Kind::Float(_)) => true,
            (Class::Int(ty), Kind::Address(_)) => ty.bits >= u16::from(self.program.target.pointer_bytes) * 8,
            _ => false,
        };
        if fits { value } else { Value { uninit: value.uninit, ..self.any_of(ty) } }
    }

    fn object_size(&self, state: &State, of: &Address) -> Int {
        if of.unknown || of.targets.is_empty() {
            return Int::range(0, i128::from(i64::MAX));
        }
        let sizes = of.targets.iter().map(|(object, _)| self.size(state, *object));
        sizes.reduce(|a, b| a.join(&b)).unwrap_or(Int::range(0, i128::from(i64::MAX)))
    }

    /// Whether an unnamed argument of that kind surely stands there.
    fn is_slot_of(&self, state: &State, at: &Address, ty: clew_ir::syntax::TypeId) -> bool {
        let Some((object, offset)) = crate::domain::value::single(at) else { return false };
        let offset = offset.as_constant().and_then(|offset| u64::try_from(offset).ok());
        let (Some(offset), Some(obj)) = (offset, state.object(object)) else { return false };
        let shape = crate::domain::shape::Shape::Int(clew_base::int::IntType::I32);
        let kind = obj.contents.read(&crate::transfer::call::slot_kind_at(offset), shape);
        matches!(self.objects.get(object), Object::VarArgs(_))
            && !kind.uninit
            && kind.kind.as_constant() == Some(self.slot_kind(ty))
    }
}

impl<'p> Evaluator<'p> {
    /// Whether a register was read from that very scalar, which has not been written since.
    fn holds_already(
        &mut self,
        frame: &Frame<'p>,
        state: &State,
        local: LocalId,
        place: &Place,
        shape: crate::domain::shape::Shape,
    ) -> bool {
        let Some(Definition::Cell(cell)) = state.definitions.get(local).cloned() else {
            return false;
        };
        cell.shape == shape && !state.register(local).uninit && self.cell(frame, state, place) == Some(cell)
    }

    /// The float in memory that a store surely goes to, if packs may speak of it.
    fn stored_place(
        &mut self,
        frame: &Frame<'p>,
        state: &State,
        place: &Place,
    ) -> Option<crate::domain::place::Place> {
        self.facts.types.float_format(place.ty)?;
        let cell = self.cell(frame, state, place)?;
        self.facts.pack_place(cell)
    }

    /// The integer in memory that a store surely goes to.
    fn stored_flag(
        &mut self,
        frame: &Frame<'p>,
        state: &State,
        place: &Place,
    ) -> Option<crate::domain::place::Place> {
        self.facts.types.int_type(place.ty)?;
        self.cell(frame, state, place).map(crate::domain::place::Place::Cell)
    }

    /// The scalar that a place surely is, if it is one.
    pub(crate) fn cell(&mut self, frame: &Frame<'p>, state: &State, place: &Place) -> Option<Cell> {
        if self.facts.types.bit_range(place).is_some() {
            return None;
        }
        let shape = self.facts.shape(place.ty)?;
        let address = self.address(frame, state, place);
        let (object, offset) = single(&address)?;
        let offset = u64::try_from(offset.as_constant()?).ok()?;
        let inside = offset + shape.bytes() <= u64::try_from(state.object(object)?.size.lo()).ok()?;
        (inside && !self.facts.is_summary(object)).then_some(Cell { object, offset, shape })
    }

    fn unordered(
        &mut self,
        frame: &Frame<'p>,
        state: &State,
        marker: UnorderedMarker,
        obligation: ObligationId,
    ) {
        let subject = self.subject(frame, obligation);
        let mine = (frame.function, obligation);
        match marker {
            UnorderedMarker::Begin => self.context.regions.push(Region::new(mine)),
            UnorderedMarker::Next => {
                if let Some(region) = self.context.regions.iter_mut().rev().find(|r| r.obligation == mine) {
                    region.next();
                }
            }
            UnorderedMarker::Back => {
                if let Some(region) = self.context.regions.iter_mut().rev().find(|r| r.obligation == mine) {
                    region.back();
                }
            }
            UnorderedMarker::End => {
                let Some(at) = self.context.regions.iter().rposition(|r| r.obligation == mine) else {
                    return;
                };
                let commutes = self.context.regions.remove(at).commutes();
                if self.context.recording {
                    let truth = if commutes { Tri::True } else { Tri::Maybe };
                    let check = frame.body.obligations[obligation].check;
                    self.recorder.results.see(subject, check, truth, &state.given, || {
                        Some("the calls may touch the same object".to_owned())
                    });
                    self.context.note_subject(subject);
                }
            }
        }
    }

    /// A function of floats that is rounded correctly.
    fn float_function(&mut self, frame: &Frame<'p>, state: &State, call: &IntrinsicCall) -> Value {
        let ty = frame.body.exprs[call.arguments[0]].ty;
        let values: Vec<Value> = call.arguments.iter().map(|x| self.eval(frame, state, *x)).collect();
        let float = |value: &Value| match value.kind {
            Kind::Float(float) => Some(float),
            _ => None,
        };
        let floats: Vec<_> = values.iter().filter_map(float).collect();
        let result = match (call.op, self.facts.program.types().float_format(ty), floats.as_slice()) {
            (Intrinsic::SquareRoot, Some(format), [x]) => x.sqrt(format),
            (Intrinsic::FloatRemainder, Some(format), [x, y]) => x.fmod(y, format),
            (Intrinsic::MultiplyAdd, Some(format), [x, y, z]) => x.fma(y, z, format),
            _ => return self.facts.any_of(ty),
        };
        Value::new(Kind::Float(result))
    }

    /// Whether a list is at an argument of that type.
    pub(crate) fn is_unnamed(&mut self, state: &State, list: &Address, ty: clew_ir::syntax::TypeId) -> Tri {
        let pointer =
            crate::domain::shape::Shape::Pointer(u32::from(self.facts.program.target.pointer_bytes));
        let cursor = self.load(state, list, pointer).filter(|cursor| !cursor.uninit);
        let fits = cursor.is_some_and(|cursor| self.facts.is_slot_of(state, &cursor.kind.to_address(), ty));
        if fits { Tri::True } else { Tri::Maybe }
    }
}

impl<'p> Transfer<'p> {
    /// Runs one statement. False: no run goes on behind it.
    pub(crate) fn statement(
        &mut self,
        frame: &Frame<'p>,
        state: &mut State,
        site: Site,
        statement: &'p Statement,
    ) -> bool {
        if !self.eval.step() {
            return false;
        }
        match &statement.kind {
            StatementKind::Check { first, count } => {
                (first.0..first.0 + count).all(|id| self.check(frame, state, ObligationId(id)))
            }
            StatementKind::Assign { local, value } => {
                self.assign(frame, state, *local, *value);
                true
            }
            StatementKind::Load { local, place, flags } => {
                self.load_statement(frame, state, site, *local, place, *flags)
            }
            StatementKind::Store { place, value, flags } => {
                let mut stored = self.eval.eval(frame, state, *value);
                let clocked = self.eval.clocked_store(frame, state, place, *value);
                // A character that is copied as it is may be one that was never written, and stays so.
                if let ExprKind::Local(from) = frame.body.exprs[*value].kind
                    && self.eval.facts.types.size_of(place.ty) == 1
                {
                    stored.uninit |= state.register(from).uninit;
                }
                let target = if flags.volatile { None } else { self.eval.stored_place(frame, state, place) };
                let found = target.map(|target| self.packs_after(frame, state, target, *value));
                if let (Some(target), Some(found)) = (target, &found) {
                    stored = reduced(found, target, stored);
                }
                let flag = if flags.volatile { None } else { self.eval.stored_flag(frame, state, place) };
                let trees = flag.map(|flag| self.trees_after(frame, state, flag, *value, &stored));
                if !self.store_place(frame, state, place, stored, *value) {
                    return false;
                }
                self.tuples.learn_packs(frame, state, found.unwrap_or_default());
                self.tuples.learn_trees(state, trees.unwrap_or_default());
                if !flags.volatile {
                    self.remember_stored(frame, state, place, *value);
                    self.store_clocked(frame, state, place, clocked);
                }
                true
            }
            StatementKind::Copy { to, from, flags } => {
                let (target, source) =
                    (self.eval.address(frame, state, to), self.eval.address(frame, state, from));
                let bytes = Int::constant(i128::from(self.eval.facts.types.size_of(to.ty)));
                let goes_on = self.copy(state, &target, &source, &bytes)
                    && self.lose_padding(state, &target, to.ty, false);
                // Something volatile may hold anything when it is read.
                if flags.volatile && goes_on {
                    self.havoc(frame, state, &HavocTarget::Place((**to).clone()));
                }
                goes_on
            }
            StatementKind::Zero { place } => {
                let target = self.eval.address(frame, state, place);
                let bytes = Int::constant(i128::from(self.eval.facts.types.size_of(place.ty)));
                self.fill(state, &target, &Value::constant(0), &bytes)
                    && self.lose_padding(state, &target, place.ty, true)
            }
            StatementKind::StorageLive { local, bytes } => {
                self.storage_live(frame, state, *local, *bytes);
                true
            }
            StatementKind::StorageDead { local } => {
                if matches!(frame.body.locals[*local].storage, Storage::Memory { .. }) {
                    self.end(frame, state, *local);
                }
                true
            }
            StatementKind::Assume { condition } => self.assume(frame, state, *condition, true),
            StatementKind::Havoc { target } => {
                self.havoc(frame, state, target);
                true
            }
            // Calls leave several states: the iterator sees to them.
            StatementKind::Call(_) => true,
            StatementKind::Intrinsic(call) => self.intrinsic(frame, state, site, call),
            StatementKind::Assembler { outputs, registers, memory, .. } => {
                for local in registers {
                    let any = self.eval.facts.any_of(frame.body.locals[*local].ty);
                    self.set_register(frame, state, *local, any);
                }
                for place in outputs {
                    self.havoc(frame, state, &HavocTarget::Place(place.clone()));
                }
                if *memory {
                    self.havoc_escaped(state);
                }
                true
            }
            StatementKind::Unordered { marker, obligation } => {
                self.eval.unordered(frame, state, *marker, *obligation);
                true
            }
            StatementKind::Unsupported { what } => {
                self.not_understood(what, state);
                false
            }
        }
    }

    /// A register gets a value of which nothing else is known.
    pub(crate) fn set_register(
        &mut self,
        frame: &Frame<'p>,
        state: &mut State,
        local: LocalId,
        value: Value,
    ) {
        self.forget(frame, state, local);
        state.end_registers(&|l| l == local);
        state.write_register(local, value, Known::default(), None);
        self.anchor(state, local, frame.body.locals[local].ty);
    }

    /// Equalities that a write to a register ends.
    fn forget(&mut self, frame: &Frame<'p>, state: &mut State, local: LocalId) {
        self.end_in_packs(frame, state, &|l| l == local);
        state.accesses.forget(local);
        state.definitions.remove(local);
        state.clocked.remove(local);
        state.unwritten.remove(local);
        for reader in frame.flow.readers.get(&local).into_iter().flatten() {
            let ends = match state.definitions.get(*reader) {
                Some(Definition::Expr(expr)) => {
                    frame.flow.reads.get(expr).is_some_and(|reads| reads.contains(&local))
                }
                Some(Definition::Loaded(..)) => true,
                Some(Definition::Cell(_) | Definition::Parameter(_)) | None => false,
            };
            if ends {
                state.definitions.remove(*reader);
            }
        }
    }

    fn assign(&mut self, frame: &Frame<'p>, state: &mut State, local: LocalId, expr: ExprId) {
        let value = self.eval.eval(frame, state, expr);
        let ty = frame.body.locals[local].ty;
        let from = if self.eval.facts.types.is_pointer(ty) {
            None
        } else {
            self.eval.offset_local(frame, state, expr)
        };
        let range_fits = matches!(value.kind, Kind::Number(_));
        let follow = if from.is_none() { self.eval.follow(frame, state, local, expr) } else { None };
        let is_float = matches!(value.kind, Kind::Float(_)) && !value.uninit;
        let target = crate::domain::place::Place::Register(local);
        let found = if is_float { self.packs_after(frame, state, target, expr) } else { Vec::new() };
        let value = reduced(&found, target, value);
        let trees = self.trees_after(frame, state, target, expr, &value);
        let octagons = self.eval.octagons_after(frame, state, local, expr, &value);
        let clocked = self.eval.clocked(frame, state, expr, Some(Goal::Local(local)));
        let spaces = self.eval.facts.spaces_after(frame, state, local, expr);
        let sum = Product::FOLLOWS_SUMS.then(|| self.eval.facts.byte_sum(frame, state, expr)).flatten();
        let access = self.eval.facts.access_of(frame, state, expr);
        self.forget(frame, state, local);
        let relations = match from {
            Some((same, by)) if same == local => {
                state.symbolic.shift(local, by);
                let mut relations = state.domains.relations.clone();
                relations.shift(local, by);
                relations
            }
            Some((other, by)) if range_fits => {
                state.end_registers(&|l| l == local);
                let mut relations = state.domains.relations.clone();
                relations.forget(local);
                self.eval.relate_equal(&mut relations, local, other, by);
                relations
            }
            _ => self.follow_on(state, local, follow),
        };
        let octagons = with_octagons(state, local, octagons);
        let mut known = Known { spaces, ..Known::default() };
        known.relations = Some(relations);
        known.octagons = Some(octagons);
        state.write_register(local, value, known, sum.as_ref());
        if let Some(access) = access {
            state.accesses.set(local, access);
        }
        self.tuples.learn_packs(frame, state, found);
        self.tuples.learn_trees(state, trees);
        self.anchor(state, local, ty);
        set_clocked(state, local, clocked);
        let reads = frame.flow.reads.get(&expr);
        let reads_itself = reads.is_some_and(|r| r.contains(&local));
        let is_constant = matches!(frame.body.exprs[expr].kind, ExprKind::Int(_) | ExprKind::Float { .. });
        // What reads registers that may be uninitialised need not be the same twice.
        let steady =
            reads.into_iter().flatten().all(|r| state.registers().get(*r).is_some_and(|v| !v.uninit));
        if !reads_itself && !is_constant && steady {
            let expr = source(frame, state, local, expr).unwrap_or(expr);
            state.definitions.insert(local, Definition::Expr(expr));
        }
    }

    /// The differences after an assignment that moves or compares the register.
    fn follow_on(&self, state: &mut State, local: LocalId, follow: Option<Follow>) -> Relations {
        let mut relations = state.domains.relations.clone();
        if let Some(Follow::Moves(step)) = follow {
            relations.shift_pointer(local, &|unit| step.of_offset(unit), &|unit| step.of_room(unit));
            return relations;
        }
        state.end_registers(&|l| l == local);
        if let Some(Follow::Grows(least, most)) = follow {
            relations.shift_between(local, least, most);
            return relations;
        }
        relations.forget(local);
        if let Some(Follow::Learns(learned)) = follow {
            for (x, y, c) in learned {
                self.eval.relate(&mut relations, x, y, c);
            }
        }
        relations
    }

    fn load_statement(
        &mut self,
        frame: &Frame<'p>,
        state: &mut State,
        site: Site,
        local: LocalId,
        place: &Place,
        flags: AccessFlags,
    ) -> bool {
        let ty = frame.body.locals[local].ty;
        let address = self.eval.address(frame, state, place);
        if flags.volatile {
            let any = self.eval.facts.any_found(ty);
            self.set_register(frame, state, local, any);
            return true;
        }
        if let Some(bits) = self.eval.facts.types.bit_range(place) {
            let Class::Int(int) = self.eval.facts.types.class(place.ty) else { return true };
            let Some(value) = self.eval.load_bits(state, &address, bits, int) else { return false };
            self.set_register(frame, state, local, value);
            self.eval.facts.settle(state, local, ty, flags);
            return true;
        }
        let Some(shape) = self.eval.facts.shape(place.ty) else { return true };
        if self.eval.holds_already(frame, state, local, place, shape) {
            return true;
        }
        let Some(value) = self.eval.load(state, &address, shape) else { return false };
        let value = self.eval.load_fact(frame, state, place, &address, value);
        let value = match single(&address).map(|(object, offset)| (object, offset.as_constant())) {
            Some((object, Some(offset))) if offset >= 0 => {
                self.tuples.load_packed(state, &Cell { object, offset: offset as u64, shape }, value)
            }
            _ => value,
        };
        let steady = !value.uninit;
        let at_nul = single(&address).map(|(object, _)| object).filter(|o| state.nuls.get(*o).is_some());
        if let Some(object) = at_nul {
            self.before_nul(frame, state, place, object);
        }
        self.set_register(frame, state, local, value);
        self.eval.facts.settle(state, local, ty, flags);
        self.eval.facts.load_clocked(state, local, &address, shape);
        if let Some((object, offset)) = single(&address)
            && !self.eval.facts.is_summary(object)
        {
            let same_place = is_steady_load(frame, state, site, local);
            let definition = match offset.as_constant().map(u64::try_from) {
                Some(Ok(offset)) if at_nul.is_none() => {
                    steady.then_some(Definition::Cell(Cell { object, offset, shape }))
                }
                Some(Err(_)) => None,
                _ => same_place.then_some(Definition::Loaded(object, site)),
            };
            if let Some(definition) = definition {
                state.definitions.insert(local, definition);
                self.learn_same_place(frame, state, local);
                self.octagons_after_load(frame, state, local);
            }
            // `x = a[x]`: from here on `a[x]` is another element.
            if same_place {
                self.learn_from_facts(frame, state, local, place);
            }
        }
        true
    }

    /// A float in a register that was stored equals what stands there: tests on its bits say something about it.
    fn remember_stored(&mut self, frame: &Frame<'p>, state: &mut State, place: &Place, value: ExprId) {
        let ExprKind::Local(local) = frame.body.exprs[value].kind else { return };
        let (Class::Float(from), Class::Float(to)) =
            (self.eval.facts.types.class(frame.body.locals[local].ty), self.eval.facts.types.class(place.ty))
        else {
            return;
        };
        if from != to || state.definitions.get(local).is_some() || state.register(local).uninit {
            return;
        }
        if let Some(cell) = self.eval.cell(frame, state, place) {
            state.definitions.insert(local, Definition::Cell(cell));
        }
    }

    /// States apart by the kind of float whose bits are read next: numbers and NaNs of either sign have patterns that
    /// lie far from each other, and what is between is none of them.
    pub(crate) fn apart_by_bits(
        &mut self,
        frame: &Frame<'p>,
        state: &State,
        site: Site,
        place: &Place,
        fine: bool,
    ) -> Vec<State> {
        let state = state.clone();
        let punned = match place.base {
            PlaceBase::Deref(_) => true,
            _ => !place.projections.is_empty(),
        };
        if !punned || self.eval.facts.types.int_type(place.ty).is_none() {
            return vec![state];
        }
        let Some(cell) = self.eval.cell(frame, &state, place) else { return vec![state] };
        let Some(object) = state.object(cell.object).cloned() else { return vec![state] };
        let parts = object.contents.float_parts(cell.offset, cell.shape.bytes(), fine);
        if parts.len() < 2 {
            return vec![state];
        }
        let mark = Partition::at(site);
        let mut states = Vec::new();
        for (number, part) in (0..).zip(parts) {
            let mut own = state.clone();
            let mut new = (*object).clone();
            new.contents.set_bits(cell.offset, cell.shape.bytes(), part);
            own.set_object(cell.object, new);
            own.tokens.insert(mark, number);
            // The whole float may be wider than what is read of it.
            let from = cell.offset.saturating_sub(8);
            if reread(&mut own, cell.object, from, cell.offset + 8) {
                states.push(own);
            }
        }
        states
    }

    fn store_place(
        &mut self,
        frame: &Frame<'p>,
        state: &mut State,
        place: &Place,
        value: Value,
        stored: ExprId,
    ) -> bool {
        let address = self.eval.address(frame, state, place);
        if let Some(bits) = self.eval.facts.types.bit_range(place) {
            return self.store_bits(state, &address, bits, &value);
        }
        let Some(shape) = self.eval.facts.shape(place.ty) else { return true };
        let facts = self.eval.facts_after(frame, state, place, &value, stored);
        let nul = match self.eval.misses_nul(frame, state, place, &address, shape.bytes()) {
            true => Some((state.domains.relations.clone(), state.nuls.clone())),
            false => None,
        };
        if !self.store(state, &address, shape, value.clone()) {
            return false;
        }
        if let Some((relations, nuls)) = nul {
            (state.domains.relations, state.nuls) = (relations, nuls);
        }
        self.choose_nul(frame, state, place, &address, &value);
        if let Some(facts) = facts {
            state.symbolic.segments = facts;
        }
        true
    }

    fn storage_live(&mut self, frame: &Frame<'p>, state: &mut State, local: LocalId, bytes: Option<ExprId>) {
        let info = &frame.body.locals[local];
        if info.storage == Storage::Register {
            self.forget(frame, state, local);
            state.end_registers(&|l| l == local);
            state.end_register(local);
            return;
        }
        let size = match bytes {
            Some(bytes) => {
                let n = self.eval.number(frame, state, bytes, 2);
                n.meet(&Int::range(0, i128::from(i64::MAX))).unwrap_or(Int::constant(0))
            }
            None => Int::constant(i128::from(self.eval.facts.types.size_of(info.ty))),
        };
        self.begin(frame, state, local, size, bytes.is_some());
        if let Some(bytes) = bytes {
            let object = self.eval.facts.objects.id(Object::Local(frame.function, local));
            self.learn_extent(frame, state, &Value::pointer(object, 0), bytes);
        }
    }

    fn havoc(&mut self, frame: &Frame<'p>, state: &mut State, target: &HavocTarget) {
        match target {
            HavocTarget::Local(local) => {
                let any = self.eval.facts.any_of(frame.body.locals[*local].ty);
                self.set_register(frame, state, *local, any);
            }
            HavocTarget::Place(place) => {
                let address = self.eval.address(frame, state, place);
                let bytes = Int::constant(i128::from(self.eval.facts.types.access_bytes(place)));
                self.fill(state, &address, &Value::any(), &bytes);
            }
        }
    }

    /// Puts a result where it goes.
    pub(crate) fn put_result(
        &mut self,
        frame: &Frame<'p>,
        state: &mut State,
        result: Option<&CallResult>,
        value: Value,
    ) -> bool {
        match result {
            None => true,
            Some(CallResult::Local(local)) => {
                let fits = self.eval.facts.fit(frame.body.locals[*local].ty, value);
                self.set_register(frame, state, *local, fits);
                true
            }
            Some(CallResult::Place(place)) => {
                let address = self.eval.address(frame, state, place);
                let bytes = Int::constant(i128::from(self.eval.facts.types.size_of(place.ty)));
                self.fill(state, &address, &Value::any(), &bytes)
            }
        }
    }

    fn intrinsic(
        &mut self,
        frame: &Frame<'p>,
        state: &mut State,
        site: Site,
        call: &'p IntrinsicCall,
    ) -> bool {
        let address = |eval: &mut Evaluator<'p>, state: &State, at: usize| {
            eval.eval(frame, state, call.arguments[at]).kind.to_address()
        };
        let number = |eval: &mut Evaluator<'p>, state: &State, at: usize| {
            eval.number(frame, state, call.arguments[at], 2)
        };
        let result = match call.op {
            Intrinsic::VaStart => {
                let list = address(&mut self.eval, state, 0);
                let arguments = self.eval.facts.objects.id(Object::VarArgs(frame.function));
                let shape = crate::domain::shape::Shape::Pointer(u32::from(
                    self.eval.facts.program.target.pointer_bytes,
                ));
                return self.store(state, &list, shape, Value::pointer(arguments, 0));
            }
            Intrinsic::VaArg(ty) => return self.va_arg(frame, state, call, ty),
            Intrinsic::VaEnd => None,
            Intrinsic::VaCopy => {
                let (to, from) = (address(&mut self.eval, state, 0), address(&mut self.eval, state, 1));
                let bytes = Int::constant(i128::from(self.eval.facts.program.target.pointer_bytes));
                return self.copy(state, &to, &from, &bytes);
            }
            Intrinsic::Alloca => {
                let size = number(&mut self.eval, state, 0).meet(&Int::range(0, i128::from(i64::MAX)));
                let (last, older) = (Object::Alloca(site), Object::OlderAlloca(site));
                let object = self.allocate(state, last, older, size.unwrap_or(Int::constant(0)));
                let made = Value::pointer(object, 0);
                self.learn_extent(frame, state, &made, call.arguments[0]);
                Some(made)
            }
            Intrinsic::FrameAddress | Intrinsic::ReturnAddress => {
                Some(Value::new(Kind::Address(std::sync::Arc::new(Address::anywhere()))))
            }
            Intrinsic::ObjectSize | Intrinsic::Optimised => {
                call.result.as_ref().and_then(|r| result_type(frame, r)).map(|t| self.eval.facts.any_of(t))
            }
            Intrinsic::Trap => return false,
            Intrinsic::Came | Intrinsic::Likely => None,
            Intrinsic::CopyBytes => {
                let (to, from) = (address(&mut self.eval, state, 0), address(&mut self.eval, state, 1));
                let bytes = number(&mut self.eval, state, 2);
                return self.copy(state, &to, &from, &bytes);
            }
            Intrinsic::FillBytes => {
                let to = address(&mut self.eval, state, 0);
                let byte = number(&mut self.eval, state, 1).wrap(clew_base::int::IntType::U8);
                let bytes = number(&mut self.eval, state, 2);
                return self.fill(state, &to, &Value::number(byte), &bytes);
            }
            Intrinsic::HavocBytes => {
                let to = address(&mut self.eval, state, 0);
                let bytes = number(&mut self.eval, state, 1);
                let any = Value::number(Int::of_type(clew_base::int::IntType::U8));
                return self.fill(state, &to, &any, &bytes);
            }
            Intrinsic::NulPosition => {
                let from = address(&mut self.eval, state, 0);
                Some(Value::number(nul_position(state, &from)))
            }
            Intrinsic::Allocate | Intrinsic::Own => {
                let size = number(&mut self.eval, state, 0).meet(&Int::range(0, i128::from(i64::MAX)));
                let (recent, older) = (
                    Object::Recent(site, self.eval.context.model_call),
                    Object::Older(site, self.eval.context.model_call),
                );
                let object = self.allocate(state, recent, older, size.unwrap_or(Int::constant(0)));
                let made = Value::pointer(object, 0);
                self.learn_extent(frame, state, &made, call.arguments[0]);
                Some(made)
            }
            Intrinsic::Release => {
                let what = address(&mut self.eval, state, 0);
                self.release(state, &what);
                None
            }
            Intrinsic::SquareRoot | Intrinsic::FloatRemainder | Intrinsic::MultiplyAdd => {
                Some(self.eval.float_function(frame, state, call))
            }
            Intrinsic::SizeOfObject => {
                let of = address(&mut self.eval, state, 0);
                Some(Value::number(self.eval.facts.object_size(state, &of)))
            }
        };
        match result {
            Some(value) => self.put_result(frame, state, call.result.as_ref(), value),
            None => true,
        }
    }

    fn va_arg(
        &mut self,
        frame: &Frame<'p>,
        state: &mut State,
        call: &'p IntrinsicCall,
        ty: clew_ir::syntax::TypeId,
    ) -> bool {
        let pointer =
            crate::domain::shape::Shape::Pointer(u32::from(self.eval.facts.program.target.pointer_bytes));
        let list = self.eval.eval(frame, state, call.arguments[0]).kind.to_address();
        let Some(cursor) = self.eval.load(state, &list, pointer) else { return false };
        let at = cursor.kind.to_address();
        let bytes = self.eval.facts.types.size_of(ty);
        let next = self.eval.facts.shifted(
            &cursor.kind,
            &Int::constant(i128::from(bytes.next_multiple_of(SLOT).max(SLOT))),
            1,
        );
        let fits = self.eval.facts.is_slot_of(state, &at, ty);
        // Behind an argument that is not there, or is of another type, the machine finds others than those that were passed.
        let next = if fits { Value::new(next) } else { Value::any() };
        if !self.store(state, &list, pointer, next) {
            return false;
        }
        match (self.eval.facts.shape(ty), call.result.as_ref()) {
            (Some(shape), result) => {
                let read = if fits { self.eval.load(state, &at, shape) } else { None };
                let value = read.filter(|v| !v.uninit).unwrap_or_else(|| self.eval.facts.any_of(ty));
                self.put_result(frame, state, result, value)
            }
            (None, Some(CallResult::Place(place))) if fits => {
                let to = self.eval.address(frame, state, place);
                self.copy(state, &to, &at, &Int::constant(i128::from(bytes)))
            }
            (None, result) => self.put_result(frame, state, result, Value::any()),
        }
    }
}

/// The expression that a copied temporary is equal to: it outlives the temporary.
pub(crate) fn source(frame: &Frame<'_>, state: &State, local: LocalId, expr: ExprId) -> Option<ExprId> {
    let ExprKind::Local(from) = frame.body.exprs[expr].kind else { return None };
    if frame.body.locals[from].name.is_some() || frame.body.locals[from].ty != frame.body.locals[local].ty {
        return None;
    }
    let Definition::Expr(source) = state.definitions.get(from)? else { return None };
    let reads = frame.flow.reads.get(source)?;
    let registered =
        |r: &LocalId| *r != local && frame.flow.readers.get(r).is_some_and(|l| l.contains(&local));
    reads.iter().all(registered).then_some(*source)
}

/// Whether the place that a load reads means the same after it.
fn is_steady_load(frame: &Frame<'_>, state: &State, site: Site, local: LocalId) -> bool {
    let reads = frame.flow.loads.get(&(site.block, site.statement)).into_iter().flatten();
    let steady =
        |read: &LocalId| *read != local && state.registers().get(*read).is_some_and(|value| !value.uninit);
    reads.into_iter().all(steady)
}

fn result_type(frame: &Frame<'_>, result: &CallResult) -> Option<clew_ir::syntax::TypeId> {
    match result {
        CallResult::Local(local) => Some(frame.body.locals[*local].ty),
        CallResult::Place(_) => None,
    }
}

pub(crate) fn nul_position(state: &State, from: &Address) -> Int {
    let most = i128::from(i64::MAX);
    if from.unknown || from.targets.is_empty() {
        return Int::range(0, most);
    }
    let positions = from.targets.iter().map(|(object, offset)| {
        let Some(obj) = state.object(*object) else { return Int::range(0, most) };
        let end = u64::try_from(obj.size.hi()).unwrap_or(u64::MAX / 4);
        let (Ok(lo), Ok(hi)) = (u64::try_from(offset.lo().max(0)), u64::try_from(offset.hi())) else {
            return Int::range(0, most);
        };
        let (first, _) = obj.contents.first_nul(lo, end);
        let (_, latest) = obj.contents.first_nul(hi.min(end), end);
        // There is one: that was required before. At the latest in the last byte.
        let latest = latest.unwrap_or(end.saturating_sub(1));
        let least = if lo == hi { i128::from(first.min(latest)) - i128::from(lo) } else { 0 };
        Int::range(least, (i128::from(latest) - i128::from(lo)).max(least))
    });
    positions.reduce(|a, b| a.join(&b)).unwrap_or(Int::range(0, most))
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! What assignments, loads and stores of floats do to tuples, and how filters are found.
//!
//! An assignment is looked at before it is made, in the state in which its expression is evaluated, and the packs that hold
//! behind it are put in afterwards:
//!
//! - a copy says of the copy what is known of the original ([`Analyser::aliases`]: registers that equal cells, and
//!   cells that equal registers);
//! - `x' = a x - b y + ...`, by its linear form, is a step of a filter whose state are `x` and `y`, and `x'` and `x` are
//!   the next one. It begins from the ranges of `x` and `y` where no fact is known yet, if somewhere `y` was seen to
//!   be copied from `x`: that is what makes a sum a filter;
//! - `x = a x + ...`, stored to where `x` came from, is a step of a lag.

use clew_ir::syntax::{ExprId, ExprKind, FuncId, LocalId};

use crate::domain::float::Float;
use crate::domain::linear::Form;
use crate::domain::place::{Cell, Place};
use crate::domain::range::Range;
use crate::domain::ranges::Ranges;
use crate::domain::tuple::Index;
use crate::domain::tuple::filter::{Filter, Lag, is_lag};
use crate::domain::tuple::response::Start;
use crate::domain::tuple::{Tuple, TupleFact, is_float};
use crate::domain::value::{Kind, Value};
use crate::effort::tuple::{LARGEST_SPREAD, MOST_ALIASES, MOST_SOURCES};
use crate::engine::facts::{Facts, Frame};
use crate::engine::level::Domain;
use crate::engine::transfer::Transfer;
use crate::program::object::{Object, ObjectId};
use crate::program::shifts::Shifts;
use crate::state::{Definition, State};
use crate::transfer::linear::float_sum;

impl<'p> Facts<'p> {
    /// Whether packs may have places in an object: it is one, and every change of it is a write.
    pub(super) fn may_have_packs(&self, object: ObjectId) -> bool {
        let is_plain = matches!(
            self.objects.get(object),
            Object::Global(_) | Object::Local(..) | Object::Recent(..) | Object::Alloca(_) | Object::Input(_)
        );
        is_plain && !self.is_summary(object) && !self.is_constant(object)
    }

    /// The float in memory that is surely meant, if packs may speak of it.
    pub(crate) fn pack_place(&self, cell: Cell) -> Option<Place> {
        (is_float(cell.shape) && self.may_have_packs(cell.object)).then_some(Place::Cell(cell))
    }

    fn is_steady(&self, state: &State, place: &Place) -> bool {
        match place {
            Place::Register(local) => {
                let value = state.registers().get(*local);
                value.is_some_and(|value| !value.uninit && matches!(value.kind, Kind::Float(_)))
            }
            Place::Cell(cell) => self.pack_place(*cell).is_some(),
        }
    }
}

impl Index {
    /// What a load from a place gives, by the packs that say something of it.
    pub(crate) fn load_packed(&self, state: &State, cell: &Cell, value: Value) -> Value {
        let Kind::Float(float) = value.kind else { return value };
        if !is_float(cell.shape) {
            return value;
        }
        let said = state.pack_range(self, cell).map(|range| Float::range(range.lo, range.hi));
        match said.and_then(|said| float.meet(&said)) {
            Some(kept) => Value { kind: Kind::Float(kept), ..value },
            None => value,
        }
    }

    /// Puts in packs that hold from now on.
    pub(crate) fn learn_packs(&mut self, frame: &Frame<'_>, state: &mut State, found: Vec<Tuple>) {
        for pack in found {
            if !pack.in_memory() {
                state.tuples.put_with_register(pack);
                continue;
            }
            let wanted = match (&pack.fact, &pack.places[..]) {
                (TupleFact::Filter(_), [x, y]) => self.is_copied(frame.function, x, y),
                _ => true,
            };
            if wanted {
                let id = self.id(&pack);
                state.tuples.cells.insert(id, std::sync::Arc::new(pack));
            }
        }
    }

    /// The packs with a place.
    pub(super) fn tuples_of<'s>(
        &'s self,
        state: &'s State,
        place: &Place,
    ) -> impl Iterator<Item = &'s Tuple> {
        let place = *place;
        let object = place.cell().map(|cell| cell.object);
        let numbers = object.into_iter().flat_map(|object| self.of(object));
        let of_memory = numbers.filter_map(|id| state.tuples.cells.get(id)).map(|pack| &**pack);
        of_memory.chain(state.tuples.registers.iter()).filter(move |pack| pack.places.contains(&place))
    }
}

impl<'p> Transfer<'p> {
    /// The places that surely hold the same value, the place itself first.
    fn aliases(&self, frame: &Frame<'p>, state: &State, place: Place) -> Vec<Place> {
        let mut found = vec![place];
        let mut at = 0;
        while let Some(place) = found.get(at).copied() {
            at += 1;
            let mut next = Vec::new();
            match place {
                Place::Register(local) => aliases_of_register(frame, state, local, &mut next),
                Place::Cell(cell) => {
                    let holds = |(_, d): &(LocalId, &Definition)| **d == Definition::Cell(cell);
                    let holders = state.definitions.iter().filter(holds);
                    next.extend(holders.map(|(local, _)| Place::Register(local)));
                }
            }
            for pack in self.tuples.tuples_of(state, &place).filter(|pack| pack.fact == TupleFact::Equal) {
                next.extend(&pack.places);
            }
            for place in next {
                if found.len() < MOST_ALIASES
                    && !found.contains(&place)
                    && self.eval.facts.is_steady(state, &place)
                {
                    found.push(place);
                }
            }
        }
        found
    }

    /// The packs that hold when a place has got the value of an expression, which it has not got yet.
    pub(crate) fn packs_after(
        &mut self,
        frame: &Frame<'p>,
        state: &State,
        target: Place,
        expr: ExprId,
    ) -> Vec<Tuple> {
        let mut found = Vec::new();
        if !self.eval.uses(Domain::Filters)
            || self.eval.facts.planned(frame.function).is_some_and(|parts| !parts.filters)
        {
            return found;
        }
        if let ExprKind::Local(from) = frame.body.exprs[expr].kind {
            self.copy_packs(frame, state, target, from, &mut found);
        }
        if let Some(form) = float_sum(&mut self.eval, frame, state, expr) {
            self.lags(frame, state, target, &form, &mut found);
            if !matches!(frame.body.exprs[expr].kind, ExprKind::Local(_)) {
                self.filters(frame, state, target, &form, &mut found);
            }
        }
        found.retain(|pack| spared(pack, &target));
        self.eval.recorder.note_packs(frame.function, &found);
        found
    }

    /// Registers end or get other values: packs are said of places that hold the same, or end too.
    pub(crate) fn end_in_packs(
        &mut self,
        frame: &Frame<'p>,
        state: &mut State,
        ends: &dyn Fn(LocalId) -> bool,
    ) {
        let hit = |p: &Place| matches!(p, Place::Register(local) if ends(*local));
        if !state.tuples.registers.iter().any(|pack| pack.mentions(hit)) {
            return;
        }
        let mut moved = Vec::new();
        for pack in state.tuples.registers.iter().filter(|pack| pack.mentions(hit)) {
            if !pack.fact.is_copied() {
                continue;
            }
            let mut now = vec![pack.clone()];
            for place in pack.places.iter().filter(|p| hit(p)) {
                let aliases = self.aliases(frame, state, *place);
                let others: Vec<&Place> = aliases.iter().filter(|p| !hit(p)).take(3).collect();
                now = now.iter().flat_map(|p| others.iter().filter_map(|to| p.moved(place, **to))).collect();
            }
            moved.extend(now);
        }
        state.tuples.with_registers(|list| list.retain(|pack| !pack.mentions(hit)));
        moved.retain(|pack| !is_known(&self.tuples, state, pack));
        self.tuples.learn_packs(frame, state, moved);
    }

    fn copy_packs(
        &mut self,
        frame: &Frame<'p>,
        state: &State,
        target: Place,
        from: LocalId,
        found: &mut Vec<Tuple>,
    ) {
        let aliases = self.aliases(frame, state, Place::Register(from));
        if aliases.contains(&target) || !self.eval.facts.is_steady(state, &Place::Register(from)) {
            return;
        }
        for alias in &aliases {
            self.tuples.note_copy(frame.function, alias, &target);
            let of_memory: Vec<&Tuple> = match alias {
                Place::Cell(cell) => {
                    let tuples = self.tuples.of(cell.object).filter_map(|id| state.tuples.cells.get(id));
                    tuples.map(|pack| &**pack).collect()
                }
                Place::Register(_) => Vec::new(),
            };
            let all = of_memory.into_iter().chain(state.tuples.registers.iter());
            let with_it = all.filter(|pack| pack.fact.is_copied() && pack.places.contains(alias));
            found.extend(with_it.filter_map(|pack| pack.moved(alias, target)));
        }
        equals(state, target, from, &aliases, found);
    }

    /// `x = a x + ...`.
    fn lags(&mut self, frame: &Frame<'p>, state: &State, target: Place, form: &Form, found: &mut Vec<Tuple>) {
        for (local, by) in form.terms.iter().filter(|(_, by)| is_lag(*by)) {
            if !self.aliases(frame, state, Place::Register(*local)).contains(&target) {
                continue;
            }
            let Some(input) = form.range_without(state, &[*local]) else { continue };
            let known = self.tuples.tuples_of(state, &target).find_map(|pack| match &pack.fact {
                TupleFact::Lag(lag) => lag.step(*by, input),
                _ => None,
            });
            let start = || Lag::new(*by, state.place_range(&Place::Register(*local))?, input);
            if let Some(lag) = known.or_else(start) {
                found.push(Tuple { places: vec![target], fact: TupleFact::Lag(lag) });
            }
        }
    }

    /// `x' = a x - b y + ...`.
    fn filters(
        &mut self,
        frame: &Frame<'p>,
        state: &State,
        target: Place,
        form: &Form,
        found: &mut Vec<Tuple>,
    ) {
        if form.terms.len() < 2 {
            return;
        }
        let terms: Vec<(LocalId, Range, Vec<Place>)> = form
            .terms
            .iter()
            .map(|(local, by)| (*local, *by, self.aliases(frame, state, Place::Register(*local))))
            .collect();
        for (x, a, of_x) in &terms {
            for (y, b, of_y) in terms.iter().filter(|(y, ..)| y != x) {
                let Some((filter, input)) =
                    self.filter_before(frame, state, form, (*x, *a, of_x), (*y, b.neg(), of_y))
                else {
                    continue;
                };
                let Some(filter) = filter.step(input) else { continue };
                let after = of_x.iter().filter(|place| !meets(place, &target)).take(4);
                found.extend(after.map(|place| Tuple {
                    places: vec![target, *place],
                    fact: TupleFact::Filter(filter.clone()),
                }));
            }
        }
    }

    /// The filter that two terms of a sum are the state of, and the rest of the sum.
    fn filter_before(
        &mut self,
        frame: &Frame<'p>,
        state: &State,
        form: &Form,
        (x, a, of_x): (LocalId, Range, &[Place]),
        (y, b, of_y): (LocalId, Range, &[Place]),
    ) -> Option<(Filter, Range)> {
        let (a, spread_a) = middle(a)?;
        let (b, spread_b) = middle(b)?;
        let pair = |pack: &&Tuple| match &pack.places[..] {
            [p, q] => of_x.contains(p) && of_y.contains(q),
            _ => false,
        };
        let known = of_x.iter().flat_map(|place| self.tuples.tuples_of(state, place)).filter(pair);
        let known: Vec<Filter> = known
            .filter_map(|pack| match &pack.fact {
                TupleFact::Filter(filter) => Some(filter.clone()),
                _ => None,
            })
            .collect();
        let same = known.iter().find(|filter| filter.parts().0 == a && filter.parts().1 == b);
        let ranges = (state.place_range(&Place::Register(x))?, state.place_range(&Place::Register(y))?);
        let filter = match same {
            Some(filter) => filter.clone(),
            None => {
                let is_filter = !known.is_empty()
                    || self.shifts(frame).is_copied(x, y)
                    || of_x.iter().any(|p| of_y.iter().any(|q| self.tuples.is_copied(frame.function, p, q)));
                if !is_filter {
                    return None;
                }
                let equal = of_x.iter().any(|p| of_y.contains(p));
                let start = Start { x: ranges.0, y: ranges.1, equal };
                Filter::new(self.tuples.response(a, b)?, start)?
            }
        };
        let error = spread_a.mul(ranges.0).add(spread_b.mul(ranges.1));
        Some((filter, form.range_without(state, &[x, y])?.add(error)))
    }

    fn shifts(&mut self, frame: &Frame<'p>) -> std::rc::Rc<Shifts> {
        let new = || std::rc::Rc::new(Shifts::new(frame.body, &self.eval.facts.types));
        self.tuples.shifts.entry(frame.function).or_insert_with(new).clone()
    }
}

fn aliases_of_register(frame: &Frame<'_>, state: &State, local: LocalId, next: &mut Vec<Place>) {
    match state.definitions.get(local) {
        Some(Definition::Cell(cell)) => next.push(Place::Cell(*cell)),
        Some(Definition::Expr(expr)) => {
            if let ExprKind::Local(other) = frame.body.exprs[*expr].kind {
                next.push(Place::Register(other));
            }
        }
        _ => {}
    }
    for reader in frame.flow.readers.get(&local).into_iter().flatten() {
        if let Some(Definition::Expr(expr)) = state.definitions.get(*reader)
            && frame.body.exprs[*expr].kind == ExprKind::Local(local)
        {
            next.push(Place::Register(*reader));
        }
    }
}

/// What a float is known to be by the packs that say something of a place.
pub(crate) fn reduced(found: &[Tuple], target: Place, value: Value) -> Value {
    let Value { kind: Kind::Float(mut float), uninit: false } = value else { return value };
    for pack in found {
        let at = pack.places.iter().position(|p| *p == target);
        if let Some(range) = at.and_then(|at| pack.fact.range(at)) {
            float = float.meet(&Float::range(range.lo, range.hi)).unwrap_or(float);
        }
    }
    Value::new(Kind::Float(float))
}

/// A register that is written to memory equals what stands there, and in all places that it was written to before.
pub(crate) fn equals(state: &State, target: Place, from: LocalId, aliases: &[Place], found: &mut Vec<Tuple>) {
    if target.cell().is_none() {
        return;
    }
    let mut equal = |x: Place, y: Place| found.push(Tuple { places: vec![x, y], fact: TupleFact::Equal });
    for pack in state.tuples.registers.iter().filter(|pack| pack.fact == TupleFact::Equal) {
        if let [cell, register] = pack.places[..]
            && aliases.contains(&register)
            && cell != target
        {
            equal(target, cell);
            equal(cell, target);
        }
    }
    equal(target, Place::Register(from));
}

/// A number in the middle of a narrow range, and how far others in it are.
fn middle(range: Range) -> Option<(f64, Range)> {
    let middle = range.lo + (range.hi - range.lo) / 2.0;
    let spread = range.add(Range::point(-middle)).magnitude();
    (spread <= LARGEST_SPREAD).then_some((middle, Range { lo: -spread, hi: spread }))
}

/// Whether a write to the one may change the other.
pub(super) fn meets(place: &Place, written: &Place) -> bool {
    match (place, written) {
        (Place::Register(a), Place::Register(b)) => a == b,
        (Place::Cell(a), Place::Cell(b)) => {
            a.object == b.object
                && a.offset < b.offset + b.shape.bytes()
                && b.offset < a.offset + a.shape.bytes()
        }
        _ => false,
    }
}

/// Whether the place is in it once, exactly, and no other of its places is changed by a write to it.
fn spared(pack: &Tuple, target: &Place) -> bool {
    let hit = pack.places.iter().filter(|place| meets(place, target));
    hit.count() == 1 && pack.places.contains(target)
}

/// Whether as much is known already.
fn is_known(tuples: &Index, state: &State, pack: &Tuple) -> bool {
    match pack.places.first() {
        Some(place) => tuples.tuples_of(state, place).any(|other| other.is_same(pack)),
        None => true,
    }
}

impl crate::domain::tuple::Index {
    fn note_copy(&mut self, function: FuncId, from: &Place, to: &Place) {
        let (from, to) = (from.key(function), to.key(function));
        let mut new = vec![from];
        new.extend(self.sources.get(&from).into_iter().flatten());
        let list = self.sources.entry(to).or_default();
        for source in new {
            if list.len() < MOST_SOURCES && source != to && !list.contains(&source) {
                list.push(source);
            }
        }
    }

    /// Whether a place was seen to get what another one held.
    fn is_copied(&self, function: FuncId, from: &Place, to: &Place) -> bool {
        self.sources.get(&to.key(function)).is_some_and(|list| list.contains(&from.key(function)))
    }
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! Arrays that loops fill, copy and rewrite: how writes make facts about parts of arrays, and what reads learn of them.

use clew_ir::syntax::{ExprId, ExprKind, LocalId, Place, PlaceBase, Projection, StatementKind};
use clew_ir::types::Class;

use crate::domain::int::Int;
use crate::domain::shape::Shape;
use crate::domain::value::{Address, Value, meet, single};
use crate::effort::array_segments::{DEEPEST, MOST_INDICES, MOST_TERMS};
use crate::engine::evaluator::Evaluator;
use crate::engine::facts::Frame;
use crate::engine::level::Domain;
use crate::engine::transfer::Transfer;
use crate::map::{Change, Map};
use crate::memory::array_segment::{Bound, Claim, SegmentFact, SegmentFacts, Span, Term, add, is_anchor};
use crate::memory::encoding::decode;
use crate::program::object::{ObjectId, Site};
use crate::state::{Definition, State};
use crate::transfer::eval::register_int;
use crate::transfer::linear::int_sum;

/// A place as an element of a grid in its one object.
struct Position {
    object: ObjectId,
    /// The element alone, of which nothing is claimed.
    element: SegmentFact,
}

/// A place on the way to being a position.
struct Steps {
    base: i128,
    indices: Vec<(i128, Bound)>,
}

impl Steps {
    /// `stride * (sum of terms + plus)` bytes further.
    fn add(&mut self, terms: &[(LocalId, i128)], plus: i128, stride: i128) -> Option<()> {
        match terms {
            [] => self.base = self.base.checked_add(plus.checked_mul(stride)?)?,
            // `a[2 * i - 1]`: elements are what the stride says.
            [(local, times)] if stride > 1 || times.abs() == 1 => {
                self.indices.push((stride, Bound::new(*local, *times, plus)?));
            }
            _ => {
                for (local, times) in terms {
                    let bytes = stride.checked_mul(times.abs())?;
                    self.indices.push((bytes, Bound::new(*local, times.signum(), 0)?));
                }
                self.base = self.base.checked_add(plus.checked_mul(stride)?)?;
            }
        }
        (self.indices.len() <= MOST_INDICES).then_some(())
    }

    /// Largest stride first, with as much of the base as possible in the indices.
    fn into_element(mut self, shape: Shape) -> Option<SegmentFact> {
        self.indices.sort_by_key(|(stride, _)| std::cmp::Reverse(*stride));
        let distinct = self.indices.windows(2).all(|pair| pair[0].0 != pair[1].0);
        let last = self.indices.len().checked_sub(1)?;
        // Elements that overlap are no elements.
        if !distinct || self.indices[last].0 < i128::from(shape.bytes()) {
            return None;
        }
        for (at, (stride, bound)) in self.indices.iter_mut().enumerate() {
            let whole = if at == last { self.base.div_euclid(*stride) } else { self.base / *stride };
            *bound = bound.plus(whole);
            self.base -= whole * *stride;
        }
        let spans = self.indices.iter().map(|(stride, bound)| {
            let stride = u64::try_from(*stride).ok()?;
            Some(Span { stride, from: *bound, to: bound.plus(1) })
        });
        let claim = Claim { value: Value::any(), terms: Vec::new() };
        Some(SegmentFact {
            base: u64::try_from(self.base).ok()?,
            shape,
            spans: spans.collect::<Option<Vec<Span>>>()?,
            claim,
        })
    }
}

impl<'p> Evaluator<'p> {
    /// A place as an element of a grid, where it is one.
    fn position(&mut self, frame: &Frame<'p>, state: &State, place: &Place) -> Option<Position> {
        let shape = self.facts.shape(place.ty)?;
        let mut steps = Steps { base: 0, indices: Vec::new() };
        let start = match place.base {
            PlaceBase::Deref(pointer) => self.start(frame, state, pointer, &mut steps, DEEPEST)?,
            _ => self.address(frame, state, &Place { projections: Vec::new(), ..place.clone() }),
        };
        let (object, offset) = single(&start)?;
        steps.base = steps.base.checked_add(offset.as_constant()?)?;
        for step in &place.projections {
            match step {
                Projection::Field { record, field } => {
                    steps.base += i128::from(self.facts.types.field(*record, *field)?.offset);
                }
                Projection::Index { index, stride, .. } => {
                    let (terms, plus) = int_sum(self, frame, state, *index)?;
                    steps.add(&terms, plus, i128::from(*stride))?;
                }
            }
        }
        if self.facts.is_summary(object) {
            return None;
        }
        Some(Position { object, element: steps.into_element(shape)? })
    }

    /// The constant address that a pointer is so many steps away from.
    fn start(
        &mut self,
        frame: &Frame<'p>,
        state: &State,
        pointer: ExprId,
        steps: &mut Steps,
        depth: u32,
    ) -> Option<Address> {
        match frame.body.exprs[pointer].kind {
            ExprKind::PointerAdd { pointer, index, stride } if depth > 0 => {
                let (terms, plus) = int_sum(self, frame, state, index)?;
                steps.add(&terms, plus, i128::from(stride))?;
                self.start(frame, state, pointer, steps, depth - 1)
            }
            // A row of a matrix is a pointer of another type.
            ExprKind::Cast(inner)
                if depth > 0
                    && matches!(self.facts.types.class(frame.body.exprs[inner].ty), Class::Pointer) =>
            {
                self.start(frame, state, inner, steps, depth - 1)
            }
            _ => Some(self.eval(frame, state, pointer).kind.to_address()),
        }
    }

    /// What a read of an element gives, where its part is known.
    pub(crate) fn load_fact(
        &mut self,
        frame: &Frame<'p>,
        state: &State,
        place: &Place,
        address: &Address,
        read: Value,
    ) -> Value {
        let Some((object, offset)) = single(address) else { return read };
        let Some(shape) = self.facts.shape(place.ty) else { return read };
        let mut read = read;
        for fact in self.covering(frame, state, place, object, &offset) {
            let value = decode(&fact.claim.value, fact.shape.bytes() as u32, shape);
            let kind = match read.uninit {
                true => value.kind,
                false => meet(&read.kind, &value.kind).unwrap_or(read.kind),
            };
            read = Value { kind, uninit: read.uninit && value.uninit };
        }
        read
    }

    /// The facts of an object whose part holds the element that a place is.
    fn covering(
        &mut self,
        frame: &Frame<'p>,
        state: &State,
        place: &Place,
        object: ObjectId,
        offset: &Int,
    ) -> SegmentFacts {
        let Some(facts) = state.symbolic.segments.get(object).cloned() else { return SegmentFacts::new() };
        let bytes = self.facts.types.size_of(place.ty);
        let position = self.position(frame, state, place).filter(|at| at.object == object);
        let covers = |fact: &SegmentFact| {
            let stated = position.as_ref().is_some_and(|at| {
                state.is_among(&SegmentFact { shape: fact.shape, ..at.element.clone() }, fact)
            });
            fact.shape.bytes() == bytes && (stated || state.is_surely_among(offset, fact))
        };
        facts.into_iter().filter(covers).collect()
    }

    /// Whether what the access reads is initialised because a loop wrote it.
    pub(crate) fn is_filled_place(
        &mut self,
        frame: &Frame<'p>,
        state: &State,
        place: &Place,
        object: ObjectId,
        offset: &Int,
    ) -> bool {
        self.covering(frame, state, place, object, offset).iter().any(|fact| !fact.claim.value.uninit)
    }

    /// The facts about all objects after an element has been written, if the place is an element of a grid.
    pub(crate) fn facts_after(
        &mut self,
        frame: &Frame<'p>,
        state: &State,
        place: &Place,
        value: &Value,
        stored: ExprId,
    ) -> Option<Map<ObjectId, SegmentFacts>> {
        if value.uninit || !self.uses(Domain::Arrays) {
            return None;
        }
        let at = self.position(frame, state, place)?;
        let key = at.object;
        let mut facts = state.symbolic.segments.get(key).cloned().unwrap_or_default();
        let in_rows = at.element.is_in_rows(state);
        let terms = self.terms_of(frame, state, &at, stored);
        let written = SegmentFact { claim: Claim { value: value.clone(), terms }, ..at.element };
        if facts.is_empty() {
            facts = rest(state, at.object, &written);
        }
        if in_rows {
            facts = state.rewritten(facts, &written);
        } else {
            facts.clear();
        }
        let mut all = state.symbolic.segments.filter_map(&mut |object, known| {
            if object == key {
                return Change::Drop;
            }
            state.without_element(known, key, &written, in_rows)
        });
        if !facts.is_empty() {
            all.insert(key, facts);
        }
        Some(all)
    }

    /// What a value that is stored differs from.
    fn terms_of(
        &mut self,
        frame: &Frame<'p>,
        state: &State,
        at: &Position,
        stored: ExprId,
    ) -> Vec<(Term, Int)> {
        let mut found = Vec::new();
        let Shape::Int(ty) = at.element.shape else { return found };
        if self.facts.types.int_type(frame.body.exprs[stored].ty) != Some(ty) {
            return found;
        }
        let Some(last) = at.element.spans.last().map(|span| span.from) else { return found };
        if let Some((local, plus)) = self.toward(frame, state, stored, last.local) {
            if last.times == 1
                && let Some(index) = last.local
            {
                // value - index = (local + plus) - (index + last.plus)
                let apart = plus - last.plus;
                let difference = match local == index {
                    true => Some(Int::constant(apart)),
                    false => difference(state, local, index).map(|d| d.add(&Int::constant(apart))),
                };
                found.extend(difference.map(|d| (Term::Index, d)));
            }
            if last.local != Some(local) {
                found.push((Term::Register(local), Int::constant(plus)));
            }
        }
        if let ExprKind::Local(local) = frame.body.exprs[stored].kind
            && let Some((object, base)) = self.source_element(frame, state, at, local)
        {
            let from = SegmentFact { base, ..at.element.clone() };
            let known = state.symbolic.segments.get(object).into_iter().flatten();
            // What holds of the source holds of the copy.
            for (term, difference) in known.filter(|f| state.is_among(&from, f)).flat_map(|f| &f.claim.terms)
            {
                let itself = matches!(term, Term::Element(o, _) if *o == at.object);
                if !itself && found.iter().all(|(t, _)| t != term) {
                    found.push((*term, *difference));
                }
            }
            found.push((Term::Element(object, base), Int::constant(0)));
            found.truncate(MOST_TERMS);
        }
        found
    }

    /// A stored value as a register and a number; of several registers only the wanted one may vary.
    fn toward(
        &mut self,
        frame: &Frame<'p>,
        state: &State,
        stored: ExprId,
        wanted: Option<LocalId>,
    ) -> Option<(LocalId, i128)> {
        let (mut terms, mut plus) = int_sum(self, frame, state, stored)?;
        for at in (0..terms.len()).rev() {
            let (local, times) = terms[at];
            let constant = register_int(state, local).and_then(|n| n.as_constant());
            if let Some(value) = constant.filter(|_| Some(local) != wanted && terms.len() > 1) {
                plus = plus.checked_add(value.checked_mul(times)?)?;
                terms.remove(at);
            }
        }
        match terms[..] {
            [(local, 1)] => Some((local, plus)),
            _ => None,
        }
    }

    /// The element of another object that a register was read from, if it has the same indices.
    fn source_element(
        &mut self,
        frame: &Frame<'p>,
        state: &State,
        at: &Position,
        local: LocalId,
    ) -> Option<(ObjectId, u64)> {
        let (object, base) = match state.definitions.get(local)? {
            Definition::Loaded(object, site) => {
                let from = self.loaded(frame, state, *site)?;
                let same = from.element.spans == at.element.spans && from.element.shape == at.element.shape;
                (*object, same.then_some(from.element.base)?)
            }
            Definition::Cell(cell) if cell.shape == at.element.shape => {
                let (first, _) = at
                    .element
                    .bytes(state)
                    .filter(|(first, end)| *end - first == i128::from(cell.shape.bytes()))?;
                let further = i128::from(cell.offset) - first;
                (cell.object, u64::try_from(i128::from(at.element.base) + further).ok()?)
            }
            _ => return None,
        };
        (object != at.object && !self.facts.is_summary(object)).then_some((object, base))
    }

    /// The position of the place that a load of this function reads.
    fn loaded(&mut self, frame: &Frame<'p>, state: &State, site: Site) -> Option<Position> {
        let statement = frame.body.blocks.get(site.block)?.statements.get(site.statement as usize)?;
        let StatementKind::Load { place, .. } = &statement.kind else { return None };
        (site.function == frame.function).then_some(())?;
        self.position(frame, state, place)
    }

    /// The registers that hold what was read from an element.
    fn read_from(
        &mut self,
        frame: &Frame<'p>,
        state: &State,
        object: ObjectId,
        element: &SegmentFact,
    ) -> Vec<LocalId> {
        let mut found = Vec::new();
        let bytes = element.bytes(state);
        for (local, definition) in state.definitions.iter() {
            let is_it = match definition {
                Definition::Loaded(from, site) if *from == object => self
                    .loaded(frame, state, *site)
                    .is_some_and(|at| at.element.is_alike(element) && at.element.spans == element.spans),
                Definition::Cell(cell) if cell.object == object => {
                    let (from, to) = (i128::from(cell.offset), i128::from(cell.offset + cell.shape.bytes()));
                    cell.shape == element.shape && bytes == Some((from, to))
                }
                _ => false,
            };
            if is_it {
                found.push(local);
            }
        }
        found
    }
}

impl<'p> Transfer<'p> {
    /// What a register that was just read from an element differs from.
    pub(crate) fn learn_from_facts(
        &mut self,
        frame: &Frame<'p>,
        state: &mut State,
        local: LocalId,
        place: &Place,
    ) {
        if state.symbolic.segments.is_empty()
            || !matches!(self.eval.facts.types.class(place.ty), Class::Int(_))
        {
            return;
        }
        let Some(at) = self.eval.position(frame, state, place) else { return };
        let mut learned: Vec<(LocalId, LocalId, Int)> = Vec::new();
        let facts = state.symbolic.segments.clone();
        for (object, known) in facts.iter() {
            for fact in known {
                let mine = object == at.object;
                for (term, difference) in &fact.claim.terms {
                    match term {
                        Term::Element(source, base) if *source == at.object => {
                            let there = SegmentFact { base: fact.base, ..at.element.clone() };
                            if at.element.base == *base && state.is_among(&there, fact) {
                                let others = self.eval.read_from(frame, state, object, &there);
                                learned.extend(others.into_iter().map(|u| (u, local, *difference)));
                            }
                        }
                        _ if !mine || !state.is_among(&at.element, fact) => {}
                        Term::Index => {
                            if let Some(Bound { local: Some(index), times: 1, plus }) =
                                at.element.spans.last().map(|s| s.from)
                            {
                                learned.push((local, index, difference.add(&Int::constant(plus))));
                            }
                        }
                        Term::Register(other) => learned.push((local, *other, *difference)),
                        Term::Element(source, base) => {
                            let there = SegmentFact { base: *base, ..at.element.clone() };
                            let others = self.eval.read_from(frame, state, *source, &there);
                            learned.extend(others.into_iter().map(|u| (local, u, *difference)));
                        }
                    }
                }
            }
        }
        for (x, y, d) in learned {
            self.learn_difference(state, x, y, &d);
        }
    }

    /// A register was read from where others were read from, and nothing was written there since.
    pub(crate) fn learn_same_place(&mut self, frame: &Frame<'p>, state: &mut State, local: LocalId) {
        let Some(definition) = state.definitions.get(local).cloned() else { return };
        let ty = frame.body.locals[local].ty;
        if self.eval.facts.types.int_type(ty).is_none_or(|ty| ty.bits >= 128) {
            return;
        }
        let mut same: Vec<LocalId> = Vec::new();
        let mut position = None;
        for (other, theirs) in state.definitions.iter() {
            if other == local || frame.body.locals[other].ty != ty {
                continue;
            }
            let is_it = match (&definition, theirs) {
                (Definition::Cell(mine), Definition::Cell(theirs)) => mine == theirs,
                (Definition::Loaded(mine, site), Definition::Loaded(from, there)) if mine == from => {
                    let mine = match &position {
                        Some(known) => known,
                        None => position.insert(self.eval.loaded(frame, state, *site)),
                    };
                    let theirs = self.eval.loaded(frame, state, *there);
                    let same = |(a, b): (&Position, &Position)| a.element == b.element;
                    mine.as_ref().zip(theirs.as_ref()).is_some_and(same)
                }
                _ => false,
            };
            if is_it && !state.register(other).uninit {
                same.push(other);
            }
        }
        for other in same {
            self.learn_difference(state, local, other, &Int::constant(0));
        }
    }

    /// Learns that a register differs from another one by so much.
    fn learn_difference(&self, state: &mut State, x: LocalId, y: LocalId, difference: &Int) {
        if difference.hi() != i128::MAX {
            self.eval.relate(&mut state.domains.relations, x, y, difference.hi());
        }
        if difference.lo() != i128::MIN {
            self.eval.relate(&mut state.domains.relations, y, x, -difference.lo());
        }
    }
}

/// What the memory says of the elements around the first one that a loop writes.
pub(crate) fn rest(state: &State, object: ObjectId, written: &SegmentFact) -> SegmentFacts {
    let ([span], Some(obj)) = (&written.spans[..], state.object(object)) else { return SegmentFacts::new() };
    let bytes = written.shape.bytes();
    let at = state.bound_range(&span.from).and_then(|n| n.as_constant());
    let Some(at) = at.and_then(|at| u64::try_from(at).ok()).filter(|_| span.stride == bytes) else {
        return SegmentFacts::new();
    };
    let around = at.checked_mul(bytes).and_then(|o| obj.contents.run_around(o + written.base, bytes));
    let Some((start, end, value)) = around else { return SegmentFacts::new() };
    let index = |byte: u64| byte.checked_sub(written.base).map(|b| Bound::constant(i128::from(b / bytes)));
    let (Some(first), Some(last)) = (index(start), index(end)) else { return SegmentFacts::new() };
    let value = decode(&value, bytes as u32, written.shape);
    if value.uninit || written.claim.value.is_subset(&value) {
        return SegmentFacts::new();
    }
    let claim = Claim { value, terms: Vec::new() };
    let part = |from: Bound, to: Bound| SegmentFact {
        spans: vec![Span { stride: bytes, from, to }],
        claim: claim.clone(),
        ..written.clone()
    };
    let parts = [part(first, span.from), part(span.to, last)];
    parts.into_iter().filter(|part| !state.is_vacuous(part)).collect()
}

/// What is known of the difference of two registers.
fn difference(state: &State, x: LocalId, y: LocalId) -> Option<Int> {
    let (hi, lo) = (state.domains.relations.bound(x, y), state.domains.relations.bound(y, x).map(|c| -c));
    if hi.is_none() && lo.is_none() {
        return None;
    }
    let (lo, hi) = (lo.unwrap_or(i128::MIN), hi.unwrap_or(i128::MAX));
    (lo <= hi).then(|| Int::range(lo, hi))
}

/// What becomes of a fact when an element is written.
enum Survival {
    Kept,
    /// It says less; this is what it said.
    Weakened(SegmentFact),
    /// It is about the other elements of its part.
    Shrunk,
    Over,
}

impl State {
    /// Whether an element is one of those that a fact is about.
    fn is_among(&self, element: &SegmentFact, fact: &SegmentFact) -> bool {
        self.lies_in(element, fact)
    }

    /// The same by offsets alone.
    fn is_surely_among(&self, offset: &Int, fact: &SegmentFact) -> bool {
        let [span] = fact.spans[..] else { return false };
        let (stride, base) = (i128::from(span.stride), i128::from(fact.base));
        let (modulus, remainder) = offset.stride();
        let on_grid = modulus % (stride as u128) == 0 && (remainder - base).rem_euclid(stride) == 0;
        match (self.bound_range(&span.from), self.bound_range(&span.to)) {
            (Some(from), Some(to)) => {
                let last = to.lo().checked_sub(1).and_then(|i| i.checked_mul(stride)?.checked_add(base));
                let first = from.hi().checked_mul(stride).and_then(|b| b.checked_add(base));
                on_grid
                    && first.is_some_and(|first| offset.lo() >= first)
                    && last.is_some_and(|last| offset.hi() <= last)
            }
            _ => false,
        }
    }

    /// Whether a fact is not about an element.
    fn is_apart(&self, fact: &SegmentFact, element: &SegmentFact) -> bool {
        if !fact.is_alike(element) {
            return match (fact.bytes(self), element.bytes(self)) {
                (Some(a), Some(b)) => a.1 <= b.0 || b.1 <= a.0,
                _ => false,
            };
        }
        fact.is_in_rows(self)
            && fact.spans.iter().zip(&element.spans).any(|(part, one)| {
                self.at_most(&part.to, 0, &one.from) || self.at_most(&one.to, 0, &part.from)
            })
    }

    /// SegmentFacts after an element has been written.
    fn rewritten(&self, facts: SegmentFacts, written: &SegmentFact) -> SegmentFacts {
        let (mut kept, mut shrunk) = (SegmentFacts::new(), SegmentFacts::new());
        for mut fact in facts {
            match self.survival(&mut fact, written) {
                Survival::Over => {}
                Survival::Kept => kept.push(fact),
                Survival::Shrunk => shrunk.push(fact),
                Survival::Weakened(before) => {
                    shrunk.extend(self.around(&before, written));
                    kept.push(fact);
                }
            }
        }
        // What the element was just taken from is not what it is added to.
        self.extend(&mut kept, written);
        for fact in shrunk {
            add(&mut kept, fact);
        }
        kept
    }

    /// What becomes of a fact when an element is written.
    fn survival(&self, fact: &mut SegmentFact, written: &SegmentFact) -> Survival {
        if self.is_apart(fact, written) {
            return Survival::Kept;
        }
        if !fact.is_alike(written) {
            return Survival::Over;
        }
        if written.claim.is_subset(&fact.claim) {
            return Survival::Kept;
        }
        if let ([part], [one]) = (&mut fact.spans[..], &written.spans[..]) {
            let (first, last) = (self.is_equal(&part.from, &one.from), self.is_equal(&part.to, &one.to));
            match (first, last) {
                (true, _) => part.from = one.to,
                (_, true) => part.to = one.from,
                _ => {}
            }
            if first || last {
                return if self.is_vacuous(fact) { Survival::Over } else { Survival::Shrunk };
            }
        }
        let before = fact.clone();
        fact.claim = fact.claim.merge(&written.claim, &mut |a, b| a.join(b));
        Survival::Weakened(before)
    }

    /// What a fact still says of the elements before and behind one that is written.
    fn around(&self, fact: &SegmentFact, written: &SegmentFact) -> SegmentFacts {
        let ([part], [one]) = (&fact.spans[..], &written.spans[..]) else { return SegmentFacts::new() };
        let within =
            |from: Bound, to: Bound| SegmentFact { spans: vec![Span { from, to, ..*part }], ..fact.clone() };
        let mut parts = SegmentFacts::new();
        if self.at_most(&one.from, 0, &part.to) {
            parts.push(within(part.from, one.from));
        }
        if self.at_most(&part.from, 0, &one.to) {
            parts.push(within(one.to, part.to));
        }
        parts.retain(|part| !self.is_vacuous(part));
        parts
    }

    /// A written element joins the part that it is next to, or is a part of its own.
    fn extend(&self, facts: &mut SegmentFacts, written: &SegmentFact) {
        if facts.iter().any(|f| self.lies_in(written, f) && f.claim.is_subset(&written.claim)) {
            return;
        }
        // Better a part that it fits than one that it changes.
        let found = [true, false].into_iter().find_map(|fits| {
            facts.iter().enumerate().find_map(|(n, f)| Some((n, self.grown(f, written, fits)?)))
        });
        match found {
            Some((n, fact)) => facts[n] = fact,
            None => add(facts, self.anchored(written.clone())),
        }
        self.coalesce(facts);
    }

    /// A fact that has come to be about an element next to its part, too.
    fn grown(&self, fact: &SegmentFact, written: &SegmentFact, fits: bool) -> Option<SegmentFact> {
        if !fact.is_alike(written) || written.claim.is_subset(&fact.claim) != fits {
            return None;
        }
        let same = |a: &Span, b: &Span| self.is_equal(&a.from, &b.from) && self.is_equal(&a.to, &b.to);
        let differ: Vec<usize> =
            (0..fact.spans.len()).filter(|d| !same(&fact.spans[*d], &written.spans[*d])).collect();
        let [d] = differ[..] else { return None };
        let (part, one) = (fact.spans[d], written.spans[d]);
        let mut new = fact.clone();
        match () {
            () if self.is_equal(&part.to, &one.from) && (fits || is_anchor(&part.from, &one.from)) => {
                new.spans[d].to = one.to;
            }
            () if self.is_equal(&one.to, &part.from) && (fits || is_anchor(&part.to, &one.to)) => {
                new.spans[d].from = one.from;
            }
            () => return None,
        }
        if !fits {
            new.claim = fact.claim.merge(&written.claim, &mut |a, b| a.join(b));
        }
        Some(new)
    }

    /// A single element as the beginning of a part: the end that it will not grow at is told by what stays.
    fn anchored(&self, mut fact: SegmentFact) -> SegmentFact {
        for span in &mut fact.spans {
            let Some(local) = span.from.local else { continue };
            if let Some(c) = self.bound_range(&span.from).and_then(|n| n.as_constant()) {
                span.from = Bound::constant(c);
                continue;
            }
            // i = n - 1: the part ends at n.
            let exact = self.domains.relations.iter().find_map(|(a, b, d)| {
                (a == local && self.domains.relations.bound(b, a) == Some(-d)).then_some((b, d))
            });
            if let Some((other, d)) = exact
                && let Some(to) = Bound::new(other, span.to.times, span.to.plus + span.to.times * d)
            {
                span.to = to;
            }
        }
        fact
    }

    /// What is said of an object in terms of an element that changes.
    fn without_element(
        &self,
        facts: &SegmentFacts,
        object: ObjectId,
        written: &SegmentFact,
        in_rows: bool,
    ) -> Change<SegmentFacts> {
        let stale = |fact: &SegmentFact, term: &Term| match term {
            Term::Element(source, base) if *source == object => {
                let part = SegmentFact { base: *base, ..fact.clone() };
                !in_rows || !self.is_apart(&part, written)
            }
            _ => false,
        };
        if !facts.iter().any(|f| f.claim.terms.iter().any(|(t, _)| stale(f, t))) {
            return Change::Keep;
        }
        let mut new = facts.clone();
        for fact in &mut new {
            let old = fact.clone();
            fact.claim.terms.retain(|(t, _)| !stale(&old, t));
        }
        Change::To(new)
    }
}

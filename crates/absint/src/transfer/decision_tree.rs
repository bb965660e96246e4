// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where decision trees come from, and what a test of a flag says by them.
//!
//! - **Assignments** `flag = e` where `e` has few values: for each of them the state is looked at in which `e` has it, and
//!   what differs there from the others is what the flag decides on. That covers comparisons, truths put together of
//!   others, copies and negations of flags.
//! - **Joins** of states in which a flag has different values: what differs besides is what it decides on. `if (b) x = 1;
//!   else x = 5;`, and states of machines. A tree that one side has of the place, with other flags, is made one with it.
//! - **Tests.** Where less becomes known of a flag, directly or through a register that was read from it, the place gets
//!   what the leaves that are left say.
//!
//! How many there are is bounded by how many places a join looks at, and by `tree_pairs`.

use clew_ir::syntax::{ExprId, ExprKind, LocalId};

use crate::domain::int::Int;
use crate::domain::place::{Cell, Place};
use crate::domain::ranges::Ranges;
use crate::domain::shape::Shape;
use crate::domain::tuple::Index;
use crate::domain::tuple::tree::{Tree, few_values, holds_pointer};
use crate::domain::tuple::{Tuple, TupleFact};
use crate::domain::value::{Kind, Value, meet};
use crate::effort::decision_tree::{MOST_DECIDED, MOST_DECIDING, MOST_DIFFERENCES, MOST_FLAGS};
use crate::engine::facts::{Facts, Frame};
use crate::engine::level::Domain;
use crate::engine::transfer::Transfer;
use crate::memory::object::Obj;
use crate::program::object::ObjectId;
use crate::state::State;
use crate::transfer::refine::reread;
use crate::transfer::tuple::meets;

impl<'p> Facts<'p> {
    /// Whether two states have different values of a flag.
    fn differs_as_flag(&self, frame: Option<&Frame<'p>>, a: &State, b: &State, place: &Place) -> bool {
        let number = |state: &State| match state.place_value(place)? {
            Value { kind: Kind::Number(n), uninit: false } => few_values(&n).map(|_| n),
            _ => None,
        };
        match (number(a), number(b)) {
            (Some(x), Some(y)) => x.meet(&y).is_none() && self.may_be_flag(frame, place),
            _ => false,
        }
    }

    fn may_be_flag(&self, frame: Option<&Frame<'p>>, place: &Place) -> bool {
        match place {
            Place::Register(local) => may_be_place(frame, *local),
            Place::Cell(cell) => {
                matches!(cell.shape, Shape::Int(_))
                    && self.may_have_packs(cell.object)
                    && self.tree_pairs().is_tested(self.objects.get(cell.object))
            }
        }
    }

    fn is_wanted(&self, flag: &Place, x: &Place) -> bool {
        match (flag, x) {
            (Place::Cell(flag), Place::Cell(x)) => {
                self.tree_pairs().is_pair(self.objects.get(flag.object), self.objects.get(x.object))
            }
            _ => true,
        }
    }

    fn is_pointer_place(&self, frame: Option<&Frame<'p>>, place: &Place) -> bool {
        match place {
            Place::Register(local) => {
                let info = frame.and_then(|frame| frame.body.locals.get(*local));
                info.is_some_and(|info| self.types.is_pointer(info.ty))
            }
            Place::Cell(cell) => holds_pointer(cell.shape),
        }
    }

    /// Scalars whose values differ in two states.
    pub(crate) fn differing(&self, frame: Option<&Frame<'p>>, a: &State, b: &State) -> Vec<Place> {
        let mut found = Vec::new();
        let see = |object: ObjectId, x: &Obj, y: &Obj, found: &mut Vec<Place>| {
            if self.may_have_packs(object) {
                let cells = x.contents.differing(&y.contents, MOST_DIFFERENCES);
                found.extend(
                    cells.into_iter().map(|(offset, shape)| Place::Cell(Cell { object, offset, shape })),
                );
            }
            found.len() < MOST_DIFFERENCES
        };
        a.memory.all_mine(&b.memory, &mut |id, x, y| match y {
            Some(y) if !std::sync::Arc::ptr_eq(x, y) => see(id, x, y, &mut found),
            _ => true,
        });
        let mut registers = Vec::new();
        let mut alone = Vec::new();
        a.registers().all_pairs(
            b.registers(),
            &mut |local, x, y| {
                if y.is_none_or(|y| x != y) {
                    registers.push(local);
                }
                registers.len() < MOST_DIFFERENCES
            },
            &mut |local, _| {
                alone.push(local);
                alone.len() < MOST_DIFFERENCES
            },
        );
        let registers = registers.into_iter().chain(alone).filter(|local| may_be_place(frame, *local));
        found.extend(registers.map(Place::Register));
        found
    }
}

impl Index {
    fn put_trees(&mut self, state: &mut State, found: Vec<Tuple>) {
        for pack in found {
            if !pack.in_memory() {
                state.tuples.put_tree_with_register(pack);
                continue;
            }
            let id = self.id(&pack);
            let given_up = |known: &std::sync::Arc<Tuple>| matches!(known.fact, TupleFact::GivenUp(_));
            if !state.tuples.cells.get(id).is_some_and(given_up) {
                state.tuples.cells.insert(id, std::sync::Arc::new(pack));
            }
        }
    }

    /// Puts in trees that hold from now on.
    pub(crate) fn learn_trees(&mut self, state: &mut State, found: Vec<Tuple>) {
        self.put_trees(state, found);
    }

    /// The tree of places after one or the other.
    fn joined_tree(&self, a: &State, b: &State, places: Vec<Place>, is_pointer: bool) -> Option<Tuple> {
        let (a, b) = (self.tree_in(a, &places, is_pointer)?, self.tree_in(b, &places, is_pointer)?);
        let tree = a.merge(&b, None)?;
        Some(Tuple { places, fact: TupleFact::Tree(tree) })
    }

    /// What ranges and other trees say of places.
    fn tree_in(&self, state: &State, places: &[Place], is_pointer: bool) -> Option<Tree> {
        let (x, flags) = places.split_last()?;
        let mut tree = Tree::of(places, state, is_pointer)?;
        for pack in self.tuples_of(state, x) {
            let (TupleFact::Tree(other), Some((last, theirs))) = (&pack.fact, pack.places.split_last())
            else {
                continue;
            };
            let at: Option<Vec<usize>> =
                theirs.iter().map(|flag| flags.iter().position(|f| f == flag)).collect();
            if let (true, Some(at)) = (last == x, at) {
                tree = tree.refined_by(other, &at);
            }
        }
        Some(tree)
    }

    /// The flags of trees that one side has of a place, with one more.
    fn other_flags(&self, a: &State, b: &State, flag: &Place, x: &Place) -> Vec<Vec<Place>> {
        let mut found: Vec<Vec<Place>> = Vec::new();
        for pack in self.tuples_of(a, x).chain(self.tuples_of(b, x)) {
            let Some((last, flags)) = pack.places.split_last() else { continue };
            let fits = matches!(pack.fact, TupleFact::Tree(_)) && last == x && !flags.contains(flag);
            if fits && flags.len() < MOST_FLAGS && !flags.iter().any(|f| meets(f, flag)) {
                // One order for all: packs are found by their places.
                let mut all: Vec<Place> = flags.iter().copied().chain([*flag]).collect();
                all.sort_by_key(Place::order);
                if !found.contains(&all) {
                    found.push(all);
                }
            }
        }
        found.truncate(2);
        found
    }

    /// The packs in which a place may be.
    fn packs_around<'s>(&'s self, state: &'s State, place: &Place) -> impl Iterator<Item = &'s Tuple> {
        let object = match place {
            Place::Cell(cell) => Some(cell.object),
            Place::Register(_) => None,
        };
        let numbers = object.into_iter().flat_map(|object| self.of(object));
        let of_memory = numbers.filter_map(|id| state.tuples.cells.get(id)).map(|pack| &**pack);
        of_memory.chain(state.tuples.registers.iter())
    }
}

impl<'p> Transfer<'p> {
    /// What holds after one or the other, and the decision trees that this makes: of registers too, if there is a frame.
    pub(crate) fn join_deciding(&mut self, frame: Option<&Frame<'p>>, a: &State, b: &State) -> State {
        let found = self.trees_of_join(frame, a, b);
        let mut joined = a.join(b);
        self.tuples.put_trees(&mut joined, found);
        joined
    }

    /// The trees that hold when a place has got the value of an expression, which it has not got yet.
    pub(crate) fn trees_after(
        &mut self,
        frame: &Frame<'p>,
        state: &State,
        target: Place,
        expr: ExprId,
        value: &Value,
    ) -> Vec<Tuple> {
        let Value { kind: Kind::Number(n), uninit: false } = value else { return Vec::new() };
        if n.as_constant().is_some()
            || !self.eval.uses(Domain::Decisions)
            || !lasts(frame, state, &target, expr)
            || !self.eval.facts.may_be_flag(Some(frame), &target)
        {
            return Vec::new();
        }
        let Some(values) = few_values(n) else { return Vec::new() };
        let is_truth = values.iter().all(|v| matches!(v, 0 | 1));
        let mut cases: Vec<(i128, State)> = Vec::new();
        for value in values {
            let mut own = state.clone();
            let only = Kind::Number(Int::constant(value));
            let possible = match is_truth {
                true => self.assume(frame, &mut own, expr, value == 1),
                false => self.push(frame, &mut own, expr, &only, 6),
            };
            if possible {
                cases.push((value, own));
            }
        }
        let mut places: Vec<Place> = Vec::new();
        for (_, own) in &cases {
            for place in self.eval.facts.differing(Some(frame), state, own) {
                if !places.contains(&place) {
                    places.push(place);
                }
            }
        }
        let mut found = Vec::new();
        for x in places.into_iter().filter(|x| !meets(x, &target)) {
            if found.len() >= MOST_DECIDED || !self.eval.facts.is_wanted(&target, &x) {
                continue;
            }
            let leaf = |(v, own): &(i128, State)| Some((*v, own.place_value(&x)?));
            let Some(leaves) = cases.iter().map(leaf).collect::<Option<Vec<_>>>() else { continue };
            let tree = Tree::new(leaves, self.eval.facts.is_pointer_place(Some(frame), &x));
            found.extend(tree.map(|tree| Tuple { places: vec![target, x], fact: TupleFact::Tree(tree) }));
        }
        found
    }

    fn trees_of_join(&mut self, frame: Option<&Frame<'p>>, a: &State, b: &State) -> Vec<Tuple> {
        if !self.eval.uses(Domain::Decisions) {
            return Vec::new();
        }
        let places = self.eval.facts.differing(frame, a, b);
        let is_flag = |place: &&Place| self.eval.facts.differs_as_flag(frame, a, b, place);
        let flags: Vec<Place> = places.iter().filter(is_flag).take(MOST_DECIDING).copied().collect();
        let mut found = Vec::new();
        for flag in &flags {
            let mut decided = 0;
            for x in places.iter().filter(|x| !meets(x, flag)) {
                if decided >= MOST_DECIDED || !self.eval.facts.is_wanted(flag, x) {
                    continue;
                }
                let is_pointer = self.eval.facts.is_pointer_place(frame, x);
                let before = found.len();
                let pairs = self.tuples.joined_tree(a, b, vec![*flag, *x], is_pointer);
                found.extend(pairs);
                for flags in self.tuples.other_flags(a, b, flag, x) {
                    let places = flags.into_iter().chain([*x]).collect();
                    found.extend(self.tuples.joined_tree(a, b, places, is_pointer));
                }
                decided += usize::from(found.len() > before);
            }
        }
        found
    }

    /// Less is known to be possible of a place: what that says of others. False: that cannot be.
    pub(crate) fn decide(&mut self, frame: &Frame<'p>, state: &mut State, flag: Place, depth: u32) -> bool {
        if depth == 0 {
            return true;
        }
        let mut said: Vec<(Place, Value)> = Vec::new();
        for pack in self.tuples.packs_around(state, &flag) {
            let (TupleFact::Tree(tree), Some((x, flags))) = (&pack.fact, pack.places.split_last()) else {
                continue;
            };
            if !flags.iter().any(|place| is_same_scalar(place, &flag)) {
                continue;
            }
            match tree.decided(&pack.places, state) {
                Some(value) => said.push((*x, value)),
                None => return false,
            }
        }
        said.iter().all(|(x, value)| self.know(frame, state, x, value, depth - 1))
    }

    /// A place holds no more than a leaf says.
    fn know(&mut self, frame: &Frame<'p>, state: &mut State, x: &Place, value: &Value, depth: u32) -> bool {
        let Some(old) = state.place_value(x).filter(|_| !value.uninit) else { return true };
        let Some(kept) = meet(&old.kind, &value.kind) else { return false };
        if kept == old.kind && !old.uninit {
            return true;
        }
        match x {
            Place::Register(local) if old.uninit || depth == 0 => {
                state.refine_register(*local, Value::new(kept));
                self.decide(frame, state, *x, depth)
            }
            Place::Register(local) => self.restrict(frame, state, *local, &kept, depth),
            Place::Cell(cell) => {
                let Some(object) = state.object(cell.object) else { return true };
                let mut new: Obj = (**object).clone();
                new.contents.restrict(cell.offset, cell.shape, &kept);
                state.set_object(cell.object, new);
                reread(state, cell.object, cell.offset, cell.offset + cell.shape.bytes())
                    && self.decide(frame, state, *x, depth)
            }
        }
    }
}

/// Whether a place that gets a value may be tested later. Registers without a name are gone before anything can be
/// decided by them, but for copies of those that decide on something already.
pub(crate) fn lasts(frame: &Frame<'_>, state: &State, target: &Place, expr: ExprId) -> bool {
    let Place::Register(local) = target else { return true };
    let is_flag = |from: LocalId| {
        let from = Place::Register(from);
        let mut trees = state.tuples.registers.iter().filter(|pack| matches!(pack.fact, TupleFact::Tree(_)));
        trees.any(|pack| pack.places.iter().rev().skip(1).any(|place| *place == from))
    };
    frame.body.locals[*local].name.is_some()
        || matches!(frame.body.exprs[expr].kind, ExprKind::Local(from) if is_flag(from))
}

fn may_be_place(frame: Option<&Frame<'_>>, local: LocalId) -> bool {
    frame.is_some_and(|frame| frame.body.locals.get(local).is_some())
}

/// Whether two places are one scalar, however they are read.
fn is_same_scalar(a: &Place, b: &Place) -> bool {
    match (a, b) {
        (Place::Cell(a), Place::Cell(b)) => {
            a.object == b.object && a.offset == b.offset && a.shape.bytes() == b.shape.bytes()
        }
        _ => a == b,
    }
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! What becomes of facts about a few places where those are written.

use clew_ir::syntax::LocalId;

use crate::domain::float::Float;
use crate::domain::place::{Cell, Place};
use crate::domain::range::Range;
use crate::domain::ranges::Ranges;
use crate::domain::tuple::{Index, Tuple};
use crate::domain::value::{Kind, Value};
use crate::map::Map;
use crate::program::object::ObjectId;
use crate::state::{Definition, State};

impl State {
    /// The float in a place, if it surely holds one.
    fn place_float(&self, place: &Place) -> Option<Float> {
        match self.place_value(place)? {
            Value { kind: Kind::Float(float), uninit: false } => Some(float),
            _ => None,
        }
    }

    /// What packs say of a scalar in memory.
    pub fn pack_range(&self, index: &Index, cell: &Cell) -> Option<Range> {
        let is_it = |p: &Place| p.cell() == Some(cell);
        let of_memory = index.of(cell.object).filter_map(|id| self.tuples.cells.get(id)).map(|p| &**p);
        let said = of_memory.chain(self.tuples.registers.iter()).filter_map(|pack| {
            let at = pack.places.iter().position(is_it)?;
            pack.fact.range(at)
        });
        said.reduce(|a, b| Range { lo: a.lo.max(b.lo), hi: a.hi.min(b.hi) }).filter(|r| r.lo <= r.hi)
    }

    /// Forgets what a write to these bytes of an object, or to any, may change.
    pub fn forget_cells(&mut self, index: &Index, object: Option<ObjectId>, from: u64, to: u64) {
        let hit = |place: &Place| {
            place.cell().is_some_and(|cell| {
                object.is_none_or(|o| o == cell.object)
                    && cell.offset < to
                    && from < cell.offset.saturating_add(cell.shape.bytes())
            })
        };
        let mut ended: Vec<Tuple> = Vec::new();
        match object {
            None => self.tuples.cells = Map::default(),
            Some(object) => {
                for id in index.of(object) {
                    if let Some(pack) = self.tuples.cells.get(id).filter(|pack| pack.mentions(hit)) {
                        ended.push((**pack).clone());
                        self.tuples.cells.remove(id);
                    }
                }
            }
        }
        if self.tuples.registers.iter().any(|pack| pack.mentions(hit)) {
            self.tuples.with_registers(|list| {
                let (gone, kept) = std::mem::take(list).into_iter().partition(|pack| pack.mentions(hit));
                *list = kept;
                ended.extend::<Vec<Tuple>>(gone);
            });
        }
        for pack in &ended {
            self.move_to_registers(pack, &hit);
        }
        self.forget_definitions(object, from, to);
    }

    /// A pack whose places in memory are about to be written is said of registers that hold their values, if any.
    fn move_to_registers(&mut self, pack: &Tuple, hit: &dyn Fn(&Place) -> bool) {
        for (at, place) in pack.places.iter().enumerate().filter(|(_, place)| !hit(place)) {
            if let Some(range) = pack.fact.range(at) {
                self.restrict_place(place, range);
            }
        }
        if !pack.fact.is_copied() {
            return;
        }
        let mut moved = vec![pack.clone()];
        for place in pack.places.iter().filter(|place| hit(place)) {
            let Some(cell) = place.cell() else { return };
            let holders: Vec<LocalId> = self
                .definitions
                .iter()
                .filter(|(_, d)| **d == Definition::Cell(*cell))
                .map(|(local, _)| local)
                .filter(|local| !self.register(*local).uninit)
                .take(3)
                .collect();
            moved = moved
                .iter()
                .flat_map(|pack| holders.iter().filter_map(|to| pack.moved(place, Place::Register(*to))))
                .collect();
        }
        for pack in moved {
            self.tuples.put_with_register(pack);
        }
    }

    /// What a pack said of a place is left to its range.
    fn restrict_place(&mut self, place: &Place, range: Range) {
        let said = Float::range(range.lo, range.hi);
        let Some(known) = self.place_float(place) else { return };
        let Some(kept) = known.meet(&said).filter(|kept| *kept != known) else { return };
        match place {
            Place::Register(local) => {
                self.refine_register(*local, Value::new(Kind::Float(kept)));
            }
            Place::Cell(cell) => {
                let Some(object) = self.object(cell.object) else { return };
                let mut new = (**object).clone();
                new.contents.restrict(cell.offset, cell.shape, &Kind::Float(kept));
                self.set_object(cell.object, new);
            }
        }
    }
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a state says of the variables that differences are about.

use clew_ir::syntax::LocalId;

use crate::domain::difference::from_ranges;
use crate::domain::int::Int;
use crate::domain::place::Place;
use crate::domain::ranges::Ranges;
use crate::domain::value::{Address, Kind, Value};
use crate::domain::var::Var;
use crate::map::Map;
use crate::program::object::ObjectId;
use crate::state::State;

fn in_units(n: &Int, unit: u32) -> Int {
    let down = |bound: i128| if bound == i128::MIN || bound == i128::MAX { bound } else { bound >> unit };
    Int::range(down(n.lo()), down(n.hi()))
}

impl Ranges for State {
    fn assigned(&self, local: LocalId) -> Option<&Value> {
        self.registers().get(local)
    }

    fn var_range(&self, var: Var) -> Option<Int> {
        let value = |local: LocalId| self.registers().get(local).filter(|v| !v.uninit);
        match var {
            Var::Register(local) => match &value(local)?.kind {
                Kind::Number(n) => Some(*n),
                _ => None,
            },
            Var::Minus(local) => Some(self.var_range(Var::Register(local))?.neg()),
            Var::Offset(local, unit) => {
                let address = pointed(value(local)?)?;
                let offsets = address.targets.iter().map(|(_, offset)| *offset);
                Some(in_units(&offsets.reduce(|a, b| a.join(&b))?, unit))
            }
            Var::Room(local, unit) => {
                let address = pointed(value(local)?)?;
                let mut hull: Option<Int> = None;
                for (object, offset) in &address.targets {
                    let room = self.object(*object)?.size.sub(offset);
                    hull = Some(hull.map_or(room, |h| h.join(&room)));
                }
                Some(in_units(&hull?, unit))
            }
            Var::Size(object, unit) => Some(in_units(&self.object(object)?.size, unit)),
            Var::Nul(object) => self.nuls.get(object).map(|nul| nul.at),
        }
    }

    fn place_value(&self, place: &Place) -> Option<Value> {
        match place {
            Place::Register(local) => Some(self.register(*local)),
            Place::Cell(cell) => {
                let offset = Int::constant(i128::from(cell.offset));
                Some(self.object(cell.object)?.contents.read(&offset, cell.shape))
            }
        }
    }
}

impl State {
    /// The largest `x - y` may be, by what is remembered and by ranges.
    pub fn most(&self, x: Var, y: Var) -> Option<i128> {
        if x == y {
            return Some(0);
        }
        match (self.domains.relations.closest(x, y), from_ranges(self, x, y)) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        }
    }

    /// The same, by what each of the two is compared with, too.
    pub fn apart(&self, x: Var, y: Var) -> Option<i128> {
        let by_ranges = self.greatest(x).and_then(|hi| Some(hi - self.least(y)?));
        match (self.domains.relations.closest(x, y), by_ranges) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        }
    }

    /// The least a variable may be, by its range and by what it is compared with.
    pub fn least(&self, var: Var) -> Option<i128> {
        let own = self.var_range(var).map(|n| n.lo());
        let others = self.domains.relations.all().filter(|(_, y, _)| *y == var);
        let others = others.filter_map(|(x, _, c)| self.var_range(x)?.lo().checked_sub(c));
        others.chain(own).max().filter(|lo| *lo > i128::MIN / 4)
    }

    /// The most a variable may be, by its range and by what it is compared with.
    pub fn greatest(&self, var: Var) -> Option<i128> {
        let own = self.var_range(var).map(|n| n.hi());
        let others = self.domains.relations.all().filter(|(x, _, _)| *x == var);
        let others = others.filter_map(|(_, y, c)| self.var_range(y)?.hi().checked_add(c));
        others.chain(own).min().filter(|hi| *hi < i128::MAX / 4)
    }

    /// An object is made anew, or nothing is known of it any more.
    pub fn forget_object(&mut self, object: ObjectId) {
        self.symbolic.forget_object(object);
        self.nuls.remove(object);
        self.domains.relations.forget_object(object);
    }

    /// The contents of an object, or of all, change in a way that is not followed.
    pub fn forget_contents(&mut self, object: Option<ObjectId>) {
        self.symbolic.forget_contents(object);
        self.forget_nul(object);
    }

    /// The byte that is known to be zero may be so no longer.
    pub fn forget_nul(&mut self, object: Option<ObjectId>) {
        match object {
            Some(object) if self.nuls.get(object).is_none() => return,
            Some(object) => self.nuls.remove(object),
            None => self.nuls = Map::default(),
        }
        self.domains.relations.forget_nul(object);
    }

    /// A scalar was written somewhere into an object.
    pub fn nul_after_write(&mut self, object: ObjectId, offset: &Int, bytes: u64, value: &Value) {
        let Some(nul) = self.nuls.get(object) else { return };
        let is_zero = !value.uninit && value.kind.as_constant() == Some(0);
        let last = offset.hi().saturating_add(i128::from(bytes) - 1);
        if !is_zero && offset.lo() <= nul.at.hi() && nul.at.lo() <= last {
            self.forget_nul(Some(object));
        }
    }
}

/// Where a pointer surely points into objects that are known.
fn pointed(value: &Value) -> Option<&Address> {
    match &value.kind {
        Kind::Address(address) if !address.unknown && address.number.is_none() => Some(address),
        _ => None,
    }
}

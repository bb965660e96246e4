// SPDX-License-Identifier: MIT OR Apache-2.0
//! The search that runs guide: values that were compared take each other's place, single inputs climb, and what is
//! left of the budget goes to noise.

use std::rc::Rc;

use clew_base::float::{Float, Format};
use clew_ir::types::Class;

use crate::distance::rank;
use crate::effort::{MOST_CLIMB, MOST_MOVED, MOST_TRIES};
use crate::engine::{Engine, Start};
use crate::feedback::{Pair, Target};
use crate::tape::{Asked, Rest, Tape};
use crate::uninitialised::Filling;

/// The numbers of a run as a tape that can be changed anywhere.
fn written_out(start: &Start) -> Tape {
    let mut tape = (*start.tape).clone();
    tape.numbers = start.log.numbers.iter().map(|asked| asked.bits).collect();
    tape
}

/// The inputs to move: all, or the first and the last ones.
fn indices(count: usize) -> Vec<usize> {
    match count.checked_sub(MOST_MOVED) {
        None | Some(0) => (0..count).collect(),
        Some(_) => (0..MOST_MOVED - 4).chain(count - 4..count).collect(),
    }
}

impl Engine<'_> {
    pub(crate) fn guided(&mut self) {
        let mut tries: std::collections::BTreeMap<Target, u32> = Default::default();
        let mut takes_latest = true;
        let mut seed = 100;
        while !self.is_done() {
            // The latest leads on, the first is the simplest: both get their turn.
            takes_latest = !takes_latest;
            let fresh = if takes_latest { self.fresh.pop_back() } else { self.fresh.pop_front() };
            if let Some((start, pairs)) = fresh {
                let share = self.share();
                self.substitute(&start, &pairs, share);
                self.edges(&start, share);
                let share = self.share();
                self.out_parameter_texts(&start, share);
                continue;
            }
            let tried = |target: &Target| tries.get(target).copied().unwrap_or(0);
            let next =
                self.best.iter().filter(|(target, _)| tried(target) < MOST_TRIES && !self.is_hit(target));
            let next = next.min_by(|a, b| {
                (tried(a.0), a.1.0).partial_cmp(&(tried(b.0), b.1.0)).unwrap_or(std::cmp::Ordering::Equal)
            });
            match next.map(|(target, (distance, start))| (*target, *distance, start.clone())) {
                Some((target, distance, start)) => {
                    *tries.entry(target).or_default() += 1;
                    self.climb(target, distance, &start);
                }
                None => {
                    if self.run_longer() {
                        tries.clear();
                        self.obvious();
                    }
                    self.noise(seed);
                    seed += 1;
                }
            }
        }
    }

    /// A value that was compared with an input takes its place.
    fn substitute(&mut self, start: &Start, pairs: &[Pair], share: u64) {
        let tape = written_out(start);
        for index in indices(tape.numbers.len()) {
            let asked = &start.log.numbers[index];
            for value in suggestions(asked, pairs) {
                if self.is_spent(share) {
                    return;
                }
                let mut changed = tape.clone();
                changed.numbers[index] = value;
                self.run(&changed);
            }
        }
    }

    /// Each input goes to the edges of its type and to the constants of the source.
    fn edges(&mut self, start: &Start, share: u64) {
        const SPECIAL: usize = 12;
        const MENTIONED: usize = 40;
        let tape = written_out(start);
        let values = self.values.clone();
        for index in indices(tape.numbers.len()) {
            let class = start.log.numbers[index].class;
            let (special, mentioned) = (values.special(class), values.mentioned(class));
            let list = special.iter().take(SPECIAL).chain(mentioned.iter().take(MENTIONED));
            for value in list {
                if self.is_spent(share) {
                    return;
                }
                let mut changed = tape.clone();
                changed.numbers[index] = *value;
                self.run(&changed);
            }
        }
    }

    /// Moves single inputs in growing steps as long as that brings the run nearer to the target.
    fn climb(&mut self, target: Target, mut distance: f64, start: &Start) {
        let mut tape = written_out(start);
        let mut log = start.log.clone();
        let mut left = MOST_CLIMB;
        loop {
            let mut is_nearer = false;
            for index in indices(tape.numbers.len()) {
                for sign in [1, -1] {
                    let mut step: i128 = 1;
                    while let Some(value) = log.numbers.get(index).and_then(|asked| moved(asked, sign * step))
                    {
                        if self.is_done() || left == 0 || self.is_hit(&target) {
                            return;
                        }
                        left -= 1;
                        let mut changed = tape.clone();
                        changed.numbers[index] = value;
                        let ran = self.run(&changed);
                        let now = ran.nearest.get(&target).copied().unwrap_or(f64::INFINITY);
                        if now < distance {
                            (distance, is_nearer) = (now, true);
                            tape = written_out(&Start { tape: Rc::new(changed), log: ran.log.clone() });
                            log = ran.log;
                            step = step.saturating_mul(2);
                        } else if step > 1 {
                            step = 1;
                        } else {
                            break;
                        }
                    }
                }
            }
            if !is_nearer {
                return;
            }
        }
    }

    /// Anything.
    fn noise(&mut self, seed: u64) {
        let filling = if self.reads_unwritten { Filling::Mixed(seed) } else { Filling::Dull };
        let is_random = seed.is_multiple_of(2);
        let texts = if seed % 3 == 2 { self.some_texts(seed) } else { Tape::default() };
        let tape = Tape { rest: Rest::Noise(seed), is_random, filling, ..texts };
        self.run(&tape);
    }
}

/// A number some steps further on, inside its type.
fn moved(asked: &Asked, by: i128) -> Option<u128> {
    match asked.class {
        Class::Int(int) => {
            let value = int.wrap(asked.bits as i128);
            let to = value.saturating_add(by).clamp(int.min(), int.max());
            (to != value).then_some(to as u128)
        }
        Class::Float(format @ (Format::F32 | Format::F64)) => {
            let place = rank(Float::from_bits(format, asked.bits));
            float_at(format, place.saturating_add(by)).filter(|bits| *bits != asked.bits)
        }
        _ => None,
    }
}

/// The float of a rank; none beyond the infinities.
fn float_at(format: Format, rank: i128) -> Option<u128> {
    let most = Float::infinity(format, false).to_bits() as i128;
    let rank = rank.clamp(-most, most);
    let sign = if rank < 0 { 1u128 << (format.bits() - 1) } else { 0 };
    Some(rank.unsigned_abs() | sign)
}

/// What an input might become for the comparisons that it took part in to go the other way.
fn suggestions(asked: &Asked, pairs: &[Pair]) -> Vec<u128> {
    let mut list = Vec::new();
    let near = |value: i128| [0, 1, -1].map(|by| value.saturating_add(by));
    match asked.class {
        Class::Int(int) => {
            let value = int.wrap(asked.bits as i128);
            for pair in pairs {
                let Pair::Integers(left, right) = *pair else { continue };
                for (own, other) in [(left, right), (right, left)] {
                    if own == value {
                        let fitting = near(other).into_iter().filter(|v| int.is_canonical(*v));
                        list.extend(fitting.map(|v| v as u128));
                    }
                }
            }
        }
        Class::Float(format) => {
            let value = rank(Float::from_bits(format, asked.bits));
            for pair in pairs {
                let Pair::Floats(left, right) = *pair else { continue };
                for (own, other) in [(left, right), (right, left)] {
                    if own == value {
                        list.extend(near(other).into_iter().filter_map(|rank| float_at(format, rank)));
                    }
                }
            }
        }
        _ => {}
    }
    list.retain(|bits| *bits != asked.bits);
    list.dedup();
    list
}

#[cfg(test)]
mod tests {
    use super::*;
    use clew_base::int::IntType;
    use clew_ir::witness::InputKind;

    fn asked(class: Class, bits: u128) -> Asked {
        Asked { kind: InputKind::Call, name: "f".to_owned(), class, bits }
    }

    #[test]
    fn numbers_stay_inside_their_type() {
        let top = asked(Class::Int(IntType::I8), 126);
        assert_eq!(moved(&top, 64), Some(127));
        assert_eq!(moved(&asked(Class::Int(IntType::I8), 127), 1), None);
        assert_eq!(moved(&asked(Class::Int(IntType::I8), u128::MAX), -1), Some(-2i128 as u128));
    }

    #[test]
    fn floats_move_through_zero() {
        let zero = asked(Class::Float(Format::F64), 0);
        assert_eq!(moved(&zero, 1), Some(1));
        assert_eq!(moved(&zero, -1), Some(1 << 63 | 1));
    }

    #[test]
    fn compared_values_are_suggested() {
        let five = asked(Class::Int(IntType::I32), 5);
        assert_eq!(suggestions(&five, &[Pair::Integers(5, 12_345)]), [12_345, 12_346, 12_344]);
        assert!(suggestions(&five, &[Pair::Integers(6, 7)]).is_empty());
    }
}

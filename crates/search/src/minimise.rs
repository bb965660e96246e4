// SPDX-License-Identifier: MIT OR Apache-2.0
//! Makes the inputs of a violation few and simple: every step is run again and must still violate the same.

use clew_base::float::{Float, Format};
use clew_ir::types::Class;

use crate::effort::{BYTES_A_RUN, LONGEST_MINIMISED, MOST_MINIMISING_RUNS};
use crate::engine::{Engine, Key, Raw};
use crate::tape::{Log, Rest, Tape};
use crate::uninitialised::Filling;

struct Simpler<'e, 'p> {
    engine: &'e mut Engine<'p>,
    key: Key,
    left: u32,
    steps: u64,
    tape: Tape,
    log: Log,
    raw: Raw,
}

/// The simplest inputs that violate the same, with what their run asked and found. None if the run was ended from outside
/// before it came there again.
pub(crate) fn minimise(engine: &mut Engine<'_>, key: Key, raw: Raw) -> Option<(Tape, Log, Raw)> {
    let tape = raw.tape.clone();
    // A run that goes on after what it violates is cut short: it reads fewer inputs then.
    let whole = raw.steps.saturating_mul(2) + 1000;
    let short = [1_000, 10_000, LONGEST_MINIMISED / 2].into_iter().filter(|steps| *steps < raw.steps);
    let mut lengths = short.chain([whole]);
    let found = lengths.find_map(|steps| engine.again(&tape, key, steps).map(|found| (steps, found)));
    let Some((steps, (log, raw))) = found else {
        // A run that does not come there again by itself is a fault, which who asked will see.
        return (!engine.is_cancelled()).then(|| (tape, Log::default(), raw));
    };
    let left = if raw.steps > LONGEST_MINIMISED { 0 } else { MOST_MINIMISING_RUNS };
    let mut simpler = Simpler { engine, key, left, steps, tape, log, raw };
    simpler.drop_what_is_not_needed();
    simpler.cut_the_tail();
    simpler.simplify_numbers();
    simpler.shorten_texts();
    Some((simpler.tape, simpler.log, simpler.raw))
}

impl Simpler<'_, '_> {
    /// Takes the change if the same is still violated.
    fn accepts(&mut self, change: impl FnOnce(&mut Tape)) -> bool {
        let mut tape = self.tape.clone();
        change(&mut tape);
        if tape == self.tape {
            return false;
        }
        let Some(left) = self.left.checked_sub(1) else { return false };
        let made = self.engine.made;
        let again = self.engine.again(&tape, self.key, self.steps);
        let large = (self.engine.made - made) / BYTES_A_RUN;
        self.left = left.saturating_sub(u32::try_from(large).unwrap_or(u32::MAX));
        match again {
            Some((log, raw)) => {
                (self.tape, self.log, self.raw) = (tape, log, raw);
                true
            }
            None => false,
        }
    }

    fn drop_what_is_not_needed(&mut self) {
        self.accepts(|tape| tape.failing = None);
        self.accepts(|tape| tape.is_random = false);
        self.accepts(|tape| tape.variable = None);
        self.accepts(|tape| tape.file = None);
        self.accepts(|tape| tape.network = None);
        self.accepts(|tape| tape.system = None);
        self.accepts(|tape| tape.stdin.clear());
        self.accepts(|tape| tape.is_bare = false);
        self.accepts(|tape| tape.name = None);
        self.accepts(|tape| tape.environment.clear());
        self.keep_unwritten();
        self.accepts(|tape| tape.arguments.clear());
        self.accepts(|tape| tape.arguments.truncate(1));
    }

    /// What objects hold is written out, and left out where it does not matter.
    fn keep_unwritten(&mut self) {
        const OBJECTS: usize = 24;
        let drop = |tape: &mut Tape| {
            tape.filling = Filling::Dull;
            tape.unwritten.clear();
        };
        if self.log.unwritten.is_empty() || self.accepts(drop) {
            return;
        }
        let bytes: Vec<Vec<u8>> = self.log.unwritten.iter().map(|(_, bytes)| bytes.clone()).collect();
        if !self.accepts(|tape| (tape.filling, tape.unwritten) = (Filling::Dull, bytes)) {
            return;
        }
        for index in 0..self.tape.unwritten.len().min(OBJECTS) {
            if !self.accepts(|tape| tape.unwritten[index].clear()) {
                self.shorten(|tape| tape.unwritten.get_mut(index));
            }
        }
        let last = self.tape.unwritten.iter().rposition(|bytes| !bytes.is_empty());
        self.tape.unwritten.truncate(last.map_or(0, |last| last + 1));
        self.log.unwritten.truncate(self.tape.unwritten.len());
    }

    /// Zeroes behind as few numbers as possible.
    fn cut_the_tail(&mut self) {
        let bits: Vec<u128> = self.log.numbers.iter().map(|asked| asked.bits).collect();
        let (mut low, mut high) = (0, bits.len());
        let cut = |length: usize| {
            let numbers = bits[..length].to_vec();
            move |tape: &mut Tape| {
                tape.numbers = numbers;
                tape.rest = Rest::Zero;
            }
        };
        if !self.accepts(cut(high)) && self.tape.rest != Rest::Zero {
            return;
        }
        while low < high {
            let middle = low + (high - low) / 2;
            if self.accepts(cut(middle)) || self.tape.numbers.len() <= middle {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
    }

    fn simplify_numbers(&mut self) {
        for index in 0..self.tape.numbers.len() {
            for bits in self.simpler_values(index) {
                if self.accepts(|tape| tape.numbers[index] = bits) {
                    break;
                }
            }
        }
    }

    /// Simpler values in place of a number, the simplest first.
    fn simpler_values(&self, index: usize) -> Vec<u128> {
        let Some(asked) = self.log.numbers.get(index) else { return vec![0] };
        match asked.class {
            Class::Int(int) => {
                let value = int.wrap(asked.bits as i128);
                let smaller = (1..8).map(|bits| value / (1 << bits)).collect::<Vec<_>>();
                let list = [0, 1, -1, 2, 10].into_iter().chain(smaller.into_iter().rev());
                let simpler = |v: &i128| int.is_canonical(*v) && v.unsigned_abs() < value.unsigned_abs();
                list.filter(simpler).map(|v| v as u128).collect()
            }
            Class::Float(format @ (Format::F32 | Format::F64)) => {
                let value = Float::from_bits(format, asked.bits).to_f64();
                let rounded = (-2..4).map(|digits| {
                    let scale = 10f64.powi(digits);
                    (value * scale).round() / scale
                });
                let list = [0.0, 1.0, -1.0].into_iter().chain(rounded).filter(|v| v.is_finite());
                let bits = list.map(|v| match format {
                    Format::F32 => u128::from((v as f32).to_bits()),
                    _ => u128::from(v.to_bits()),
                });
                bits.filter(|bits| *bits != asked.bits).collect()
            }
            _ => Vec::new(),
        }
    }

    fn shorten_texts(&mut self) {
        // What was not read is not needed.
        let read = self.log.stdin_read;
        self.accepts(|tape| tape.stdin.truncate(read));
        self.shorten(|tape| Some(&mut tape.stdin));
        self.shorten(|tape| tape.variable.as_mut());
        self.shorten(|tape| tape.file.as_mut());
        self.shorten(|tape| tape.network.as_mut());
        self.shorten(|tape| tape.system.as_mut());
        self.plain(|tape| Some(&mut tape.stdin));
        self.plain(|tape| tape.variable.as_mut());
        self.plain(|tape| tape.file.as_mut());
        self.shorten(|tape| tape.name.as_mut());
        self.plain(|tape| tape.name.as_mut());
        for index in (0..self.tape.environment.len()).rev() {
            if !self.accepts(|tape| drop(tape.environment.remove(index))) {
                self.shorten(|tape| tape.environment.get_mut(index));
                self.plain(|tape| tape.environment.get_mut(index));
            }
        }
        for index in 0..self.tape.arguments.len() {
            self.shorten(|tape| tape.arguments.get_mut(index));
            self.plain(|tape| tape.arguments.get_mut(index));
        }
    }

    /// Letters in place of bytes that nobody can read, where any will do.
    fn plain(&mut self, text: impl Fn(&mut Tape) -> Option<&mut Vec<u8>>) {
        const LONGEST: usize = 32;
        let length = text(&mut self.tape).map_or(0, |text| text.len());
        for at in 0..if length > LONGEST { 0 } else { length } {
            let byte = text(&mut self.tape).map_or(0, |text| text[at]);
            if !byte.is_ascii_graphic() && byte != b'\n' && byte != b' ' {
                self.accepts(|tape| {
                    if let Some(text) = text(tape) {
                        text[at] = b'a';
                    }
                });
            }
        }
    }

    fn shorten(&mut self, text: impl Fn(&mut Tape) -> Option<&mut Vec<u8>>) {
        let mut low = 0;
        let mut high = text(&mut self.tape).map_or(0, |text| text.len());
        while low < high {
            let middle = low + (high - low) / 2;
            let is_short = self.accepts(|tape| {
                if let Some(text) = text(tape) {
                    text.truncate(middle);
                }
            });
            if is_short { high = middle } else { low = middle + 1 }
        }
    }
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! Texts that functions without a body write (`clew_ir::out_parameters`): characters with a NUL at the end, often almost as long
//! as there is room. Programs put such texts together, and the sum of their lengths is what goes wrong.

use clew_base::int::IntType;
use clew_interpreter::host::InputQuery;
use clew_ir::types::Class;
use clew_ir::witness::InputKind;

use crate::engine::{Engine, Start};
use crate::tape::{Rest, Tape};
use crate::values::scramble;

/// The text that is being written.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Text {
    /// Elements in all.
    count: u128,
    /// Elements that were asked for.
    asked: u128,
}

impl Text {
    /// What a function writes next: how many elements, then those that are asked for.
    pub fn number(&mut self, seed: u64, index: usize, query: &InputQuery<'_>) -> u128 {
        if query.kind != InputKind::Written {
            return 0;
        }
        if let Some((least, most)) = query.range {
            *self = Text { count: length(seed, index, most as u128).max(least as u128), asked: 0 };
            return self.count;
        }
        self.asked += 1;
        let is_last = self.asked
            == clew_ir::out_parameters::OutParameter::input_elements(self.count as u64).count() as u128;
        match query.class {
            Class::Int(int) if int.bits == 8 && !is_last => u128::from(b'A'),
            _ => 0,
        }
    }
}

/// How long a text is, with its NUL: one length for all, any, or a little less than there is room.
fn length(seed: u64, index: usize, most: u128) -> u128 {
    /// What a text lacks at most.
    const SHORT: u64 = 8;
    let noise = scramble(seed, index as u64);
    let less = |by: u64| most.saturating_sub(u128::from(by));
    match seed % 4 {
        0 => less(scramble(seed, 0) % SHORT),
        1 => 1 + u128::from(noise) % most.max(1),
        _ => less(noise % SHORT),
    }
}

impl Engine<'_> {
    /// Runs in which functions write texts, from where a run first asked for what they write: with the numbers before
    /// as they were, and with one of them as the source mentions it, for that may be the size of what the texts go to.
    pub(crate) fn out_parameter_texts(&mut self, start: &Start, share: u64) {
        const SEEDS: u64 = 400;
        const STARTS: usize = 3;
        const MOVED: usize = 6;
        let numbers = &start.log.numbers;
        let is_text = |class: Class| matches!(class, Class::Int(int) if int.bits == IntType::I8.bits);
        let Some(first) = numbers.iter().position(|asked| asked.kind == InputKind::Written) else { return };
        if !numbers[first..].iter().any(|asked| asked.kind == InputKind::Written && is_text(asked.class)) {
            return;
        }
        let before: Vec<u128> = numbers[..first].iter().map(|asked| asked.bits).collect();
        if self.begun_texts.len() == STARTS || !self.begun_texts.insert(before.clone()) {
            return;
        }
        let mut prefixes = vec![before.clone()];
        let sizes = numbers[..first].iter().enumerate().filter(|(_, asked)| !is_text(asked.class));
        for (index, asked) in sizes.take(MOVED) {
            for value in self.values.mentioned(asked.class).iter().filter(|value| **value > 1) {
                let mut changed = before.clone();
                changed[index] = *value;
                prefixes.push(changed);
            }
        }
        for seed in 0..SEEDS {
            let mut reaching = Vec::new();
            for numbers in prefixes {
                if self.is_spent(share) {
                    return;
                }
                let tape = Tape { numbers, rest: Rest::Texts(seed), ..(*start.tape).clone() };
                let ran = self.run(&tape);
                // What ends before a text is written is not tried again.
                if ran.log.numbers.iter().any(|asked| asked.kind == InputKind::Written) {
                    reaching.push(tape.numbers);
                }
            }
            prefixes = reaching;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_end_with_a_nul_inside_their_room() {
        for seed in 0..20 {
            let mut text = Text::default();
            let name = "f(1)";
            let query = |class, range| InputQuery { kind: InputKind::Written, name, class, range };
            let count = text.number(seed, 0, &query(Class::Int(IntType::U16), Some((1, 40))));
            assert!((1..=40).contains(&count), "{count}");
            let asked = clew_ir::out_parameters::OutParameter::input_elements(count as u64).count();
            let bytes: Vec<u128> = (0..asked)
                .map(|at| text.number(seed, at + 1, &query(Class::Int(IntType::I8), None)))
                .collect();
            assert_eq!(bytes.iter().position(|byte| *byte == 0), Some(asked - 1));
        }
    }
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! Pseudo-random numbers, bit by bit as glibc makes them: the additive generator behind `rand` and `random`, the
//! congruential ones behind `rand_r` and the `drand48` family.

/// Lag and degree of glibc's default generator, x^31 + x^3 + 1.
const DEGREE: usize = 31;
const SEPARATION: usize = 3;

/// The state of `random`.
#[derive(Clone, Debug)]
pub struct Additive {
    table: [u32; DEGREE],
    front: usize,
    rear: usize,
}

impl Default for Additive {
    fn default() -> Self {
        Additive::seeded(1)
    }
}

impl Additive {
    /// The state after `srandom(seed)`.
    pub fn seeded(seed: u32) -> Additive {
        let mut table = [0u32; DEGREE];
        // A seed of zero would stay zero for ever.
        let mut word = if seed == 0 { 1 } else { seed as i32 };
        table[0] = word as u32;
        for entry in &mut table[1..] {
            let (high, low) = (word / 127_773, word % 127_773);
            word = 16_807 * low - 2_836 * high;
            if word < 0 {
                word += i32::MAX;
            }
            *entry = word as u32;
        }
        let mut state = Additive { table, front: SEPARATION, rear: 0 };
        for _ in 0..DEGREE * 10 {
            state.next();
        }
        state
    }

    /// The next number, of 31 bits.
    pub fn next(&mut self) -> i32 {
        let sum = self.table[self.front].wrapping_add(self.table[self.rear]);
        self.table[self.front] = sum;
        self.front = (self.front + 1) % DEGREE;
        self.rear = (self.rear + 1) % DEGREE;
        (sum >> 1) as i32
    }
}

/// Numbers of `rand` that were drawn elsewhere: after the same seed the same ones follow (C11 7.22.2.2).
#[derive(Clone, Debug)]
pub struct Drawn {
    sequences: rustc_hash::FxHashMap<u32, Vec<i64>>,
    seed: u32,
    next: usize,
}

impl Default for Drawn {
    /// Nobody having said otherwise, the seed is 1.
    fn default() -> Drawn {
        Drawn { sequences: Default::default(), seed: 1, next: 0 }
    }
}

impl Drawn {
    /// After `srand(seed)`.
    pub fn seed(&mut self, seed: u32) {
        (self.seed, self.next) = (seed, 0);
    }

    /// The number that was drawn here before; one that is not is to be given to [`Drawn::push`].
    pub fn next(&mut self) -> Option<i64> {
        let known = self.sequences.get(&self.seed)?.get(self.next).copied()?;
        self.next += 1;
        Some(known)
    }

    /// The next number of the sequence.
    pub fn push(&mut self, number: i64) {
        self.sequences.entry(self.seed).or_default().push(number);
        self.next += 1;
    }
}

/// `rand_r`: the number and the seed that follows.
pub fn rand_r(seed: u32) -> (i32, u32) {
    let mut next = seed;
    let mut step = |divide: u32, modulus: u32| {
        next = next.wrapping_mul(1_103_515_245).wrapping_add(12_345);
        (next / divide) % modulus
    };
    let mut result = step(65_536, 2048);
    result = (result << 10) ^ step(65_536, 1024);
    result = (result << 10) ^ step(65_536, 1024);
    (result as i32, next)
}

/// The state of the `drand48` family: 48 bits and the constants of the step.
#[derive(Clone, Copy, Debug)]
pub struct Congruential {
    /// The current value.
    pub x: u64,
    /// Multiplier.
    pub a: u64,
    /// Increment.
    pub c: u64,
}

const MASK_48: u64 = (1 << 48) - 1;

impl Default for Congruential {
    fn default() -> Self {
        Congruential { x: 0, a: 0x5_deec_e66d, c: 0xb }
    }
}

impl Congruential {
    /// The state after `srand48(seed)`.
    pub fn seeded(seed: u32) -> Congruential {
        Congruential { x: u64::from(seed) << 16 | 0x330e, ..Congruential::default() }
    }

    /// Steps and gives the new 48 bits.
    pub fn step(&mut self) -> u64 {
        self.x = self.x.wrapping_mul(self.a).wrapping_add(self.c) & MASK_48;
        self.x
    }

    /// 48 bits as a `double` in [0, 1).
    pub fn as_double(x: u64) -> f64 {
        x as f64 / (1u64 << 48) as f64
    }

    /// 48 bits as `lrand48` gives them.
    pub fn as_unsigned(x: u64) -> i64 {
        (x >> 17) as i64
    }

    /// 48 bits as `mrand48` gives them.
    pub fn as_signed(x: u64) -> i64 {
        i64::from((x >> 16) as u32 as i32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_numbers_of_rand() {
        let mut state = Additive::default();
        assert_eq!([state.next(), state.next(), state.next()], [1_804_289_383, 846_930_886, 1_681_692_777]);
        assert_eq!(Additive::seeded(42).next(), 71_876_166);
        assert_eq!(Additive::seeded(0x8000_0001).next(), 1_081_815_585);
    }

    #[test]
    fn first_numbers_of_the_48_bit_family() {
        let mut state = Congruential::seeded(1);
        assert_eq!(Congruential::as_unsigned(state.step()), 89_400_484);
        assert_eq!(rand_r(1), (476_707_713, 662_824_084));
    }
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random inputs: small values, values at the edges of types, random bits and floats, mixed.

use clew_ir::witness::{Input, InputKind, VERSION, Witness};
use fastrand::Rng;

/// How many values a run can read before it reads zeroes.
const COUNT: usize = 200;

/// The inputs of one run of a program. Nobody says which type a value will be read as: it is given as bits that mean
/// something in several.
pub fn set(seed: u64, run: u64) -> Vec<u128> {
    let mut rng =
        Rng::with_seed(seed.wrapping_mul(0xd134_2543_de82_ef95) ^ run.wrapping_mul(0x2545_f491_4f6c_dd1d));
    // Each run has a mood: otherwise no run would ever pass all tests that ask for small values.
    let mood = rng.u32(0..5);
    (0..COUNT).map(|_| value(&mut rng, mood)).collect()
}

fn value(rng: &mut Rng, mood: u32) -> u128 {
    let kind = match mood {
        0 => 0,
        1 => rng.u32(0..2),
        2 => rng.u32(2..4),
        _ => rng.u32(0..6),
    };
    let bits = match kind {
        0 => rng.i64(-2..20),
        1 => rng.i64(-300..300),
        2 => edge(rng),
        3 => rng.i64(..),
        4 => float(rng),
        _ => edge(rng).wrapping_add(rng.i64(-2..3)),
    };
    bits as i128 as u128
}

/// A value where a type ends.
fn edge(rng: &mut Rng) -> i64 {
    let power = [7, 8, 15, 16, 31, 32, 63][rng.usize(..7)];
    let edge = 1i64.wrapping_shl(power);
    match rng.u32(0..4) {
        0 => edge,
        1 => edge.wrapping_sub(1),
        2 => edge.wrapping_neg(),
        _ => edge.wrapping_neg().wrapping_sub(1),
    }
}

/// A float that is one both as `float` (in the low half) and as `double`.
fn float(rng: &mut Rng) -> i64 {
    const SPECIAL: [f64; 12] = [
        0.0,
        -0.0,
        1.0,
        0.5,
        -1.0,
        1e-3,
        1e10,
        f64::MAX,
        f64::MIN_POSITIVE,
        f64::INFINITY,
        f64::NAN,
        2147483648.0,
    ];
    let value = match rng.u32(0..3) {
        0 => SPECIAL[rng.usize(..SPECIAL.len())],
        1 => (rng.f64() - 0.5) * 40.0,
        _ => (rng.f64() - 0.5) * 2e9,
    };
    let double = value.to_bits() & 0xffff_ffff_0000_0000;
    (double | u64::from((value as f32).to_bits())) as i64
}

/// The inputs as a file that `clew run` reads.
pub fn witness(inputs: &[u128]) -> Witness {
    let input = |bits: &u128| Input {
        kind: InputKind::Call,
        name: "__VERIFIER_nondet".into(),
        bits: Some(format!("{bits:#x}")),
        value: None,
    };
    Witness { version: VERSION, inputs: inputs.iter().map(input).collect(), goes_on_after: Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_witness_gives_the_inputs_back() {
        let inputs = set(3, 4);
        assert_eq!(witness(&inputs).bits().ok(), Some(inputs));
        assert_ne!(set(3, 4), set(3, 5));
    }
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random argument vectors and environments.

use fastrand::Rng;

use crate::referee::runs::Inputs;

/// Texts that programs of the generator look for, and some that nobody expects.
const TEXTS: [&str; 20] = [
    "",
    "a",
    "b",
    "q",
    "z",
    "-",
    "-q",
    "-v",
    "--",
    "go",
    "going",
    "0",
    "1",
    "-1",
    "7",
    "12",
    "999999999",
    "zzzzzz",
    "x=y",
    "\u{fc}",
];

/// What a run is given.
pub fn inputs(rng: &mut Rng) -> Inputs {
    // Few arguments are what programs go wrong on.
    let most = [0, 1, 1, 2, 2, 3, 3, 4, 6, 12][rng.usize(..10)];
    let count = if rng.bool() { most } else { rng.usize(..=most) };
    let arguments = (0..count).map(|_| text(rng)).collect();
    let mut environment: Vec<Vec<u8>> = Vec::new();
    for name in ["K0", "K1", "OTHER"] {
        if rng.bool() {
            environment.push([name.as_bytes(), b"=", &text(rng)].concat());
        }
    }
    if rng.u8(..8) == 0 {
        environment.push(b"K0=second".to_vec());
    }
    rng.shuffle(&mut environment);
    Inputs { arguments, environment, numbers: Vec::new() }
}

fn text(rng: &mut Rng) -> Vec<u8> {
    if rng.u8(..12) == 0 {
        return (0..rng.usize(..12)).map(|_| rng.u8(1..=255)).collect();
    }
    TEXTS[rng.usize(..TEXTS.len())].as_bytes().to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_are_empty_and_long_and_hold_no_zero_byte() {
        let mut rng = Rng::with_seed(1);
        let inputs: Vec<Inputs> = (0..300).map(|_| inputs(&mut rng)).collect();
        assert!(inputs.iter().any(|inputs| inputs.arguments.is_empty()));
        assert!(inputs.iter().any(|inputs| inputs.arguments.len() > 5));
        assert!(inputs.iter().any(|inputs| inputs.environment.is_empty()));
        assert!(inputs.iter().flat_map(|i| &i.arguments).all(|text| !text.contains(&0)));
    }
}

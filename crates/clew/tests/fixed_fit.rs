// SPDX-License-Identifier: MIT OR Apache-2.0
//! `clew fixed --fit` against brute force: every format, every input of the machine and the reals at the edges of what is
//! rounded to it, in integers, with nothing of clew's arithmetic. It may be beaten by one bit at most.

mod common;

use common::clew;
use serde_json::Value;

/// `sum of c[i] * x^i`, with chained powers: each product rounded half up to the fraction digits.
const COEFFICIENTS: [i128; 4] = [1, -1, 3, -2];

fn rounded(units: i128, drop: u32) -> i128 {
    if drop == 0 { units } else { (units + (1 << (drop - 1))) >> drop }
}

/// What the machine computes, and whether all of it fits.
fn machine(x: i128, integer: u32, fraction: u32) -> (i128, bool) {
    let (low, high) = (-(1i128 << (integer + fraction)), (1i128 << (integer + fraction)) - 1);
    let mut values = vec![x, COEFFICIENTS[0] << fraction, COEFFICIENTS[1] * x];
    let (mut power, mut sum) = (x, (COEFFICIENTS[0] << fraction) + COEFFICIENTS[1] * x);
    values.push(sum);
    for coefficient in &COEFFICIENTS[2..] {
        power = rounded(power * x, fraction);
        sum += coefficient * power;
        values.extend([power, coefficient * power, sum]);
    }
    (sum, values.iter().all(|value| (low..=high).contains(value)))
}

fn real(x: f64) -> f64 {
    COEFFICIENTS.iter().rev().fold(0.0, |sum, c| sum * x + *c as f64)
}

/// The largest error of a format over [0, high], and whether everything fits.
fn brute_force(high: f64, integer: u32, fraction: u32) -> (f64, bool) {
    let step = 2f64.powi(-(fraction as i32));
    let (mut worst, mut all_fit) = (0f64, true);
    for units in 0..=(high / step + 0.5).floor() as i128 {
        let (result, fits) = machine(units, integer, fraction);
        all_fit &= fits;
        // The reals that are rounded to it; the polynomial is monotone or nearly so in between.
        for i in -8..=8 {
            let x = (units as f64 + f64::from(i) / 16.0) * step;
            if (0.0..=high).contains(&x) {
                worst = worst.max((real(x) - result as f64 * step).abs());
            }
        }
    }
    (worst, all_fit)
}

#[test]
fn brute_force_does_not_beat_the_choice_by_more_than_a_bit() {
    let folder = tempfile::tempdir().unwrap();
    for (high, error) in [(0.2, 0.01), (0.5, 0.02), (1.0, 0.01), (1.0, 0.003), (1.5, 0.05)] {
        let file = folder.path().join("polynomial.c");
        let text = format!(
            "/* clew-fixed: fixed ALL=s7.8 range x=0..{high} */\n\
             double f(double x) {{\n    double x2 = x * x, x3 = x2 * x;\n    return 1.0 - x + 3.0 * x2 - 2.0 * x3;\n}}\n"
        );
        std::fs::write(&file, text).unwrap();
        let ran = clew(&["fixed", "--format", "json", "--fit", &error.to_string(), &file.to_string_lossy()]);
        let report: Value = serde_json::from_str(&ran.stdout).unwrap();
        let format = report["fit"]["format"].as_str().unwrap().trim_start_matches('s').to_owned();
        let (integer, fraction) = format.split_once('.').unwrap();
        let (integer, fraction): (u32, u32) = (integer.parse().unwrap(), fraction.parse().unwrap());
        // What was chosen is right,
        let (worst, fits) = brute_force(high, integer, fraction);
        assert!(fits && worst <= error, "s{format} on [0, {high}]: {worst}, fits {fits}");
        // and no format that is shorter by two bits is.
        for bits in 0..(integer + fraction).saturating_sub(1) {
            for integer in 0..=bits {
                let fraction = bits - integer;
                let (worst, fits) = brute_force(high, integer, fraction);
                let does = fits && worst <= error;
                assert!(!does, "s{integer}.{fraction} keeps {error} on [0, {high}], not only s{format}");
            }
        }
    }
}

#[test]
fn widths_of_integers_are_what_runs_need() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("filter.c");
    let text = "/* clew-fixed: fixed x=q15 fixed return=q15 range x=-1..0.99996 */\n#include <stdint.h>\nint16_t x[4];\n\
        int32_t f(void) {\n    int32_t sum = x[0] * 1000 - x[1] * 1000 + x[2] * 1000 + x[3] * 1000;\n    return sum >> 12;\n}\n";
    std::fs::write(&file, text).unwrap();
    let ran = clew(&["fixed", "--format", "json", "--fit", "0.001", &file.to_string_lossy()]);
    let report: Value = serde_json::from_str(&ran.stdout).unwrap();
    let variables = report["fit"]["variables"].as_array().unwrap();
    let digits = |name: &str| variables.iter().find(|v| v["name"] == name).unwrap()["digits"].as_u64();
    // -131,070,000 .. 131,066,000 needs 27 bits and a sign.
    assert_eq!((digits("sum"), digits("x")), (Some(28), Some(16)));
}

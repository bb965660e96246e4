// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random kernels: a third straight, a third with a test, a third with a loop.

use std::fmt::Write;

use fastrand::Rng;

/// The kernel of a number, as FPCore.
pub fn kernel(number: u64) -> String {
    let mut random = Rng::with_seed(number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let count = random.usize(1..=3);
    let names: Vec<String> = (0..count).map(|i| format!("x{i}")).collect();
    let precision = if random.u8(0..3) == 0 { "binary32" } else { "binary64" };
    let mut ranges = String::new();
    for name in &names {
        let (a, b) = (end(&mut random), end(&mut random));
        let _ = write!(ranges, " (<= {} {name} {})", a.min(b), a.max(b));
    }
    let body = match number % 3 {
        0 => bound(&mut random, &names),
        1 => {
            let (left, right) = (expression(&mut random, &names, 2), expression(&mut random, &names, 1));
            let op = ["<", "<=", ">", ">="][random.usize(0..4)];
            let (then, otherwise) = (expression(&mut random, &names, 2), expression(&mut random, &names, 2));
            format!("(if ({op} {left} {right}) {then} {otherwise})")
        }
        _ => {
            let turns = random.u32(1..12);
            let mut inner = names.clone();
            inner.push("s".to_owned());
            let start = expression(&mut random, &names, 1);
            let step = expression(&mut random, &inner, 2);
            let weight = ["0.5", "0.9", "0.25", "1"][random.usize(0..4)];
            format!("(while (< i {turns}) ([i 0 (+ i 1)] [s {start} (+ (* {weight} s) {step})]) s)")
        }
    };
    format!(
        "(FPCore ({}) :name \"k{number}\" :precision {precision} :pre (and{ranges}) {body})\n",
        names.join(" ")
    )
}

fn end(random: &mut Rng) -> f64 {
    let scale = [0.5, 1.0, 4.0, 10.0, 100.0][random.usize(0..5)];
    let x = (random.f64() * 2.0 - 0.7) * scale;
    (x * 1000.0).round() / 1000.0
}

fn bound(random: &mut Rng, names: &[String]) -> String {
    let value = expression(random, names, 2);
    let mut inner = names.to_vec();
    inner.push("t".to_owned());
    format!("(let ([t {value}]) {})", expression(random, &inner, 3))
}

fn expression(random: &mut Rng, names: &[String], depth: u32) -> String {
    if depth == 0 || random.u8(0..6) == 0 {
        return match random.u8(0..4) {
            0 => ["0.1", "2", "0.5", "3.7", "1", "1e-3"][random.usize(0..6)].to_owned(),
            _ => names[random.usize(0..names.len())].clone(),
        };
    }
    let mut part = |depth: u32| expression(random, names, depth);
    let (a, b) = (part(depth - 1), part(depth - 1));
    match random.u8(0..22) {
        0..=4 => format!("(+ {a} {b})"),
        5..=8 => format!("(- {a} {b})"),
        9..=13 => format!("(* {a} {b})"),
        14 => format!("(/ {a} (+ 1.5 (fabs {b})))"),
        15 => format!("(/ {a} {b})"),
        16 => format!("(sqrt (+ 1 (* {a} {a})))"),
        17 => format!("(sqrt (fabs {a}))"),
        18 => format!("(sin {a})"),
        19 => format!("(fmax {a} {b})"),
        20 => format!("(atan {a})"),
        _ => format!("(fma {a} {b} {a})"),
    }
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! Operations that can fail, as they are and mended.

use fastrand::Rng;

/// An operation that fails on some values of its operands.
pub struct Operation {
    /// What the compiled program does before it, to see a violation that no sanitizer sees; may be nothing.
    pub watch: String,
    pub text: String,
    pub mended: String,
}

impl Operation {
    /// What watches it, in front of its line.
    pub fn head(&self) -> String {
        if self.watch.is_empty() { String::new() } else { format!("RUNS({}) ", self.watch) }
    }
}

fn plain(text: String, mended: String) -> Operation {
    Operation { watch: String::new(), text, mended }
}

/// An expression that fails on some values of its operands.
pub fn expression(rng: &mut Rng, a: &str, b: &str) -> Operation {
    let whole = |text: String| text.trim_start_matches("_ = ").trim_end_matches(';').to_owned();
    let operation = match rng.u8(..6) {
        0 | 1 => {
            let operator = ["+", "-", "*"][rng.usize(..3)];
            let mended = format!("(int)((unsigned){a} {operator} (unsigned){b})");
            return plain(format!("{a} {operator} {b}"), mended);
        }
        2 => shift(rng, "_", a, b),
        3 => division(rng, "_", a, b),
        4 => return plain(format!("arr[{a}]"), format!("arr[{a} & 7]")),
        _ => return element(rng, a),
    };
    Operation { text: whole(operation.text), mended: format!("({})", whole(operation.mended)), ..operation }
}

/// A random one that writes to `target` from two operands that are simple and of type int.
pub fn operation(rng: &mut Rng, target: &str, a: &str, b: &str) -> Operation {
    match rng.u8(..14) {
        0..=2 => arithmetic(rng, target, a, b),
        3 | 4 => shift(rng, target, a, b),
        5 => division(rng, target, a, b),
        6 => index(rng, target, a, b),
        7 => moved(rng, target, a, b),
        8 => narrow(rng, a),
        9 => unsigned(rng),
        10 => float(target, a),
        11 => plain(format!("{target} = -{a};"), format!("{target} = (int)(0u - (unsigned){a});")),
        _ => assertion(rng, target, a, b),
    }
}

fn arithmetic(rng: &mut Rng, target: &str, a: &str, b: &str) -> Operation {
    let operator = ["+", "-", "*"][rng.usize(..3)];
    let mended = format!("{target} = (int)((unsigned){a} {operator} (unsigned){b});");
    if rng.u8(..3) == 0 {
        let mended = format!("{target} = (int)((unsigned){target} {operator} (unsigned){b});");
        return plain(format!("{target} {operator}= {b};"), mended);
    }
    plain(format!("{target} = {a} {operator} {b};"), mended)
}

fn shift(rng: &mut Rng, target: &str, a: &str, b: &str) -> Operation {
    if rng.bool() {
        return plain(format!("{target} = {a} >> {b};"), format!("{target} = {a} >> ({b} & 31);"));
    }
    plain(format!("{target} = {a} << {b};"), format!("{target} = (int)((unsigned){a} << ({b} & 31));"))
}

fn division(rng: &mut Rng, target: &str, a: &str, b: &str) -> Operation {
    let operator = ["/", "%"][rng.usize(..2)];
    let fails = format!("{b} == 0 || {b} == -1 && {a} == -2147483647 - 1");
    plain(
        format!("{target} = {a} {operator} {b};"),
        format!("{target} = ({fails}) ? 0 : {a} {operator} {b};"),
    )
}

fn index(rng: &mut Rng, target: &str, a: &str, b: &str) -> Operation {
    let (array, mask) = [("arr", 7), ("s0.t", 3), ("p0->t", 3)][rng.usize(..3)];
    if rng.bool() {
        return plain(format!("{target} = {array}[{a}];"), format!("{target} = {array}[{a} & {mask}];"));
    }
    plain(format!("{array}[{a}] = {b};"), format!("{array}[{a} & {mask}] = {b};"))
}

/// An element by its address, of which the sanitizers see only what is near.
fn element(rng: &mut Rng, a: &str) -> Operation {
    let step = rng.i32(-2..3);
    let index = format!("(long){a} + {step}");
    Operation {
        watch: format!("if ({index} < 0 || {index} > 7) clew_ended(\"out-of-bounds\", __LINE__);"),
        text: if step == 0 { format!("*(arr + {a})") } else { format!("(arr + {a})[{step}]") },
        mended: format!("arr[((unsigned){a} + {step}) & 7]"),
    }
}

/// Reads or writes it.
fn moved(rng: &mut Rng, target: &str, a: &str, b: &str) -> Operation {
    let element = element(rng, a);
    let write = rng.bool();
    let text = |element: String| match write {
        true => format!("{element} = {b};"),
        false => format!("{target} = {element};"),
    };
    Operation { watch: element.watch, text: text(element.text), mended: text(element.mended) }
}

/// A number that does not fit a `signed char`: no sanitizer of gcc says so.
fn narrow(rng: &mut Rng, a: &str) -> Operation {
    let target = ["c0", "s0.c", "p0->c"][rng.usize(..3)];
    Operation {
        watch: format!("if ({a} > 127 || {a} < -128) clew_violated(\"lossy-conversion\", __LINE__);"),
        text: format!("{target} = {a};"),
        mended: format!("{target} = (({a} & 255) ^ 128) - 128;"),
    }
}

fn unsigned(rng: &mut Rng) -> Operation {
    let watch = "if (w0 < w1) clew_violated(\"unsigned-wrap\", __LINE__);".to_owned();
    let target = ["w0", "w1"][rng.usize(..2)];
    Operation {
        watch,
        text: format!("{target} = w0 - w1;"),
        mended: format!("{target} = w0 >= w1 ? w0 - w1 : 4294967295u - (w1 - w0) + 1u;"),
    }
}

fn float(target: &str, a: &str) -> Operation {
    let value = format!("{a} * 1000.5");
    plain(
        format!("{target} = (int)({value});"),
        format!(
            "{target} = {value} > -2147483649.0 && {value} < 2147483648.0 ? (int)({value}) : -2147483647 - 1;"
        ),
    )
}

/// Mended by the end of the run, so that what is behind sees the same.
fn assertion(rng: &mut Rng, target: &str, a: &str, b: &str) -> Operation {
    let constant = rng.i32(-3..12);
    let condition = match rng.u8(..8) {
        0 => format!("{a} != {constant}"),
        1 => format!("{a} <= {b}"),
        2 => format!("{target} >= 0"),
        3 => format!("{target} < 1000"),
        4 => format!("c0 < {}", constant * 10 + 20),
        5 => format!("w0 != {}", constant.abs()),
        // Both sides are evaluated, as the marker of the line says.
        6 => format!("(({a} & 1) == 0) | ({b} != {constant})"),
        _ => format!("{target} >= {a}"),
    };
    plain(format!("assert({condition});"), format!("if (!({condition})) exit(0);"))
}

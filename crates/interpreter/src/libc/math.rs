// SPDX-License-Identifier: MIT OR Apache-2.0
//! `<math.h>`: the host's libm by name, and classification.
//!
//! Exceptions that a call raises on ordinary arguments are counted as the float checks they stand for, and set the
//! flags that `fetestexcept` reads.

use std::sync::LazyLock;

use clew_base::float::{Class, Flags, Float, Format};
use clew_base::float::{Rounding, text::parse_prefix};
use clew_hostmath::libm::{Arguments, Function, Shape};
use clew_ir::obligation::CheckKind;

use super::Table;
use super::context::{Answer, INT, int};
use crate::machine::Stop;
use crate::native::{Native, NativeCtx};
use crate::value::Value;

type Ctx<'a, 'm, 'p> = &'a mut NativeCtx<'m, 'p>;

/// The functions that are not simply libm's.
pub const TABLE: Table = &[
    ("__fpclassify", |c| fpclassify(c, Format::F64)),
    ("__fpclassifyf", |c| fpclassify(c, Format::F32)),
    ("__fpclassifyl", |c| fpclassify(c, long_double(c))),
    ("isnan", |c| test(c, Format::F64, Float::is_nan)),
    ("isnanf", |c| test(c, Format::F32, Float::is_nan)),
    ("isnanl", |c| test(c, long_double(c), Float::is_nan)),
    ("__isnan", |c| test(c, Format::F64, Float::is_nan)),
    ("__isnanf", |c| test(c, Format::F32, Float::is_nan)),
    ("__isnanl", |c| test(c, long_double(c), Float::is_nan)),
    ("isinf", |c| isinf(c, Format::F64)),
    ("isinff", |c| isinf(c, Format::F32)),
    ("isinfl", |c| isinf(c, long_double(c))),
    ("__isinf", |c| isinf(c, Format::F64)),
    ("__isinff", |c| isinf(c, Format::F32)),
    ("__isinfl", |c| isinf(c, long_double(c))),
    // A macro of <math.h>; a call without the header is one of the compiler's own function.
    ("isfinite", |c| test(c, Format::F64, Float::is_finite)),
    ("finite", |c| test(c, Format::F64, Float::is_finite)),
    ("finitef", |c| test(c, Format::F32, Float::is_finite)),
    ("finitel", |c| test(c, long_double(c), Float::is_finite)),
    ("__finite", |c| test(c, Format::F64, Float::is_finite)),
    ("__finitef", |c| test(c, Format::F32, Float::is_finite)),
    ("__finitel", |c| test(c, long_double(c), Float::is_finite)),
    ("__signbit", |c| test(c, Format::F64, Float::is_negative)),
    ("__signbitf", |c| test(c, Format::F32, Float::is_negative)),
    ("__signbitl", |c| test(c, long_double(c), Float::is_negative)),
    ("__issignaling", |c| test(c, Format::F64, Float::is_signaling)),
    ("__issignalingf", |c| test(c, Format::F32, Float::is_signaling)),
    ("__issignalingl", |c| test(c, long_double(c), Float::is_signaling)),
    ("nan", |c| nan(c, Format::F64)),
    ("nanf", |c| nan(c, Format::F32)),
    ("nanl", |c| nan(c, long_double(c))),
    ("lgamma_r", |c| lgamma_r(c, Format::F64)),
    ("lgammaf_r", |c| lgamma_r(c, Format::F32)),
    ("lgammal_r", |c| lgamma_r(c, long_double(c))),
];

fn long_double(ctx: &NativeCtx<'_, '_>) -> Format {
    ctx.program().target.long_double
}

fn fpclassify(ctx: Ctx, format: Format) -> Answer {
    int(match ctx.arg(0).as_float(format).classify() {
        Class::Nan => 0,
        Class::Infinite => 1,
        Class::Zero => 2,
        Class::Subnormal => 3,
        Class::Normal => 4,
    })
}

fn test(ctx: Ctx, format: Format, holds: fn(Float) -> bool) -> Answer {
    int(i32::from(holds(ctx.arg(0).as_float(format))))
}

fn isinf(ctx: Ctx, format: Format) -> Answer {
    let value = ctx.arg(0).as_float(format);
    int(match (value.is_infinite(), value.is_negative()) {
        (false, _) => 0,
        (true, false) => 1,
        (true, true) => -1,
    })
}

fn nan(ctx: Ctx, format: Format) -> Answer {
    let tag = ctx.c_string(ctx.ptr(0), 0)?;
    let text = [b"nan(", &tag[..], b")"].concat();
    let parsed = parse_prefix(&text, format, Rounding::NearestEven).filter(|p| p.length == text.len());
    Ok(Value::Float(parsed.map_or(Float::nan(format, false, 0), |p| p.value)))
}

fn lgamma_r(ctx: Ctx, format: Format) -> Answer {
    let x = ctx.arg(0).as_float(format);
    let Some(outcome) = Function::named("lgamma").and_then(|f| f.call(&Arguments::unary(x))) else {
        return Err(missing(ctx));
    };
    ctx.write_int(ctx.ptr(1), INT, i128::from(outcome.integer), 1)?;
    note_exceptions(ctx, outcome.flags, outcome.errno, &[x])?;
    Ok(Value::Float(outcome.value))
}

/// The native for a name of libm.
pub fn lookup(name: &str) -> Option<Native> {
    resolve(name).map(|_| call as Native)
}

/// `__sin_finite` is what `-ffast-math` makes of `sin`.
fn resolve(name: &str) -> Option<(Function, Format)> {
    let plain = name.strip_prefix("__builtin_").unwrap_or(name);
    let plain = plain.strip_prefix("__").and_then(|n| n.strip_suffix("_finite")).unwrap_or(plain);
    Function::from_c_name(plain)
}

/// The only function of two arguments whose second one is a `long double` whatever the first.
static NEXT_TOWARD: LazyLock<Option<Function>> = LazyLock::new(|| Function::named("nexttoward"));

/// A function of libm that the program called.
#[derive(Clone, Copy)]
pub struct MathFunction {
    function: Function,
    format: Format,
    quick: Option<Quick>,
}

/// Answers ordinary arguments without a call of the host: exactly rounded and raising at most inexact.
type Quick = fn(f64) -> Option<f64>;

fn quick(function: Function) -> Option<Quick> {
    let table: [(&str, Quick); 4] = [
        ("sqrt", |x| (x > 0.0 && x.is_finite()).then(|| x.sqrt())),
        ("floor", |x| x.is_finite().then(|| x.floor())),
        ("ceil", |x| x.is_finite().then(|| x.ceil())),
        ("trunc", |x| x.is_finite().then(|| x.trunc())),
    ];
    table.into_iter().find(|(name, _)| Function::named(name) == Some(function)).map(|(_, quick)| quick)
}

/// The called function, looked up by name once.
fn resolved(ctx: &mut NativeCtx<'_, '_>) -> Option<MathFunction> {
    let called = ctx.function;
    if let Some(known) = ctx.state().libm.get(&called) {
        return Some(*known);
    }
    let (function, format) = resolve(ctx.name())?;
    let format = if format == Format::X87 { long_double(ctx) } else { format };
    let quick = if format == Format::F64 { quick(function) } else { None };
    let known = MathFunction { function, format, quick };
    ctx.state().libm.insert(called, known);
    Some(known)
}

fn missing(ctx: &NativeCtx<'_, '_>) -> Stop {
    ctx.unsupported(format!("`{}`: the host's libm does not have it", ctx.name()))
}

/// Any function of libm; which one is the called function's name.
fn call(ctx: Ctx) -> Answer {
    let Some(MathFunction { function, format, quick }) = resolved(ctx) else { return Err(missing(ctx)) };
    if let Some(quick) = quick
        && let Some(value) = quick(ctx.f64(0))
    {
        return Ok(Value::f64(value));
    }
    let float = |index: usize| ctx.arg(index).as_float(format);
    let (arguments, floats) = match function.shape() {
        Shape::Unary | Shape::ToInt | Shape::IntOut | Shape::FloatOut => (Arguments::unary(float(0)), 1),
        Shape::Binary if Some(function) == *NEXT_TOWARD => {
            (Arguments::binary(float(0), ctx.arg(1).as_float(long_double(ctx))), 2)
        }
        Shape::Binary | Shape::BinaryIntOut => (Arguments::binary(float(0), float(1)), 2),
        Shape::Ternary => (Arguments { x: float(0), y: float(1), z: float(2), n: 0 }, 3),
        Shape::WithInt => (Arguments::with_int(float(0), ctx.i64(1)), 1),
        Shape::IntFirst => (Arguments::with_int(float(1), ctx.i64(0)), 1),
    };
    let Some(outcome) = function.call(&arguments) else { return Err(missing(ctx)) };
    let operands = [arguments.x, arguments.y, arguments.z];
    note_exceptions(ctx, outcome.flags, outcome.errno, &operands[..floats])?;
    match function.shape() {
        Shape::ToInt => return int(outcome.integer),
        Shape::IntOut if ctx.arg_count() > 1 => {
            ctx.write_int(ctx.ptr(1), INT, i128::from(outcome.integer), 1)?;
        }
        Shape::IntOut => {
            let place = ctx.library_variable("signgam");
            ctx.memory().write(place, &(outcome.integer as i32).to_le_bytes());
        }
        Shape::BinaryIntOut => ctx.write_int(ctx.ptr(2), INT, i128::from(outcome.integer), 2)?,
        // `modf` has one place to write, `sincos` two.
        Shape::FloatOut if ctx.arg_count() > 2 => {
            ctx.write_float(ctx.ptr(1), outcome.value, 1)?;
            ctx.write_float(ctx.ptr(2), outcome.second, 2)?;
            return Ok(Value::Unit);
        }
        Shape::FloatOut => ctx.write_float(ctx.ptr(1), outcome.second, 1)?,
        _ => {}
    }
    Ok(Value::Float(outcome.value))
}

/// Sets `errno` and the flags, and counts what ordinary operands raised.
fn note_exceptions(
    ctx: &mut NativeCtx<'_, '_>,
    flags: Flags,
    errno: i32,
    operands: &[Float],
) -> Result<(), Stop> {
    if errno != 0 {
        ctx.set_errno(errno);
    }
    let relevant = [
        (Flags::INVALID, CheckKind::FloatInvalid, "has no result"),
        (Flags::DIV_BY_ZERO, CheckKind::FloatDivisionByZero, "has a pole here"),
        (Flags::OVERFLOW, CheckKind::FloatOverflow, "overflows"),
    ];
    if flags.is_empty() {
        return Ok(());
    }
    ctx.state().raised |= super::fenv::bits(flags);
    // A NaN that was handed in is not of this call's making.
    let nan = operands.iter().any(|operand| operand.is_nan());
    for (flag, check, what) in relevant {
        if flags.contains(flag) && !(nan && check == CheckKind::FloatInvalid) {
            let shown: Vec<String> = operands.iter().map(Float::to_string).collect();
            let message = format!("`{}({})` {what}", ctx.name(), shown.join(", "));
            ctx.violate(check, message)?;
        }
    }
    Ok(())
}

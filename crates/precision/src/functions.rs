// SPDX-License-Identifier: MIT OR Apache-2.0
//! The functions of libm: their enclosures, their slopes, and how far the host's versions are from them.
//!
//! Enclosures evaluate the host's `f64` version at the ends and pad by more than its error. The table of errors is in
//! units in the last place: the largest errors known of glibc 2.36 on x86-64 (its manual, the comments of its sources
//! for `exp`, `log`, `pow`, `sin`, and published searches for the others), with room added. It is an assumption of
//! every bound that calls libm, and reports name it.

use clew_base::float::{Float, Format};
use clew_hostmath::libm::{Arguments, Function};

use crate::interval::Interval;

/// A function of one argument.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Unary {
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Sinh,
    Cosh,
    Tanh,
    Asinh,
    Acosh,
    Atanh,
    Exp,
    Exp2,
    Expm1,
    Log,
    Log2,
    Log10,
    Log1p,
    Cbrt,
}

/// A function of two arguments.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Binary {
    Pow,
    Atan2,
    Hypot,
}

/// By their names in C's `double` form.
const UNARY: [(&str, Unary, f64); 20] = [
    ("sin", Unary::Sin, 0.56),
    ("cos", Unary::Cos, 0.56),
    ("tan", Unary::Tan, 0.65),
    ("asin", Unary::Asin, 0.56),
    ("acos", Unary::Acos, 0.56),
    ("atan", Unary::Atan, 0.57),
    ("sinh", Unary::Sinh, 2.5),
    ("cosh", Unary::Cosh, 2.5),
    ("tanh", Unary::Tanh, 2.7),
    ("asinh", Unary::Asinh, 2.5),
    ("acosh", Unary::Acosh, 2.7),
    ("atanh", Unary::Atanh, 2.5),
    ("exp", Unary::Exp, 0.52),
    ("exp2", Unary::Exp2, 0.52),
    ("expm1", Unary::Expm1, 1.2),
    ("log", Unary::Log, 0.53),
    ("log2", Unary::Log2, 0.56),
    ("log10", Unary::Log10, 2.0),
    ("log1p", Unary::Log1p, 1.2),
    ("cbrt", Unary::Cbrt, 4.0),
];
const BINARY: [(&str, Binary, f64); 3] =
    [("pow", Binary::Pow, 0.55), ("atan2", Binary::Atan2, 0.57), ("hypot", Binary::Hypot, 1.0)];

/// In binary32 and the 80-bit format the errors differ; this covers all functions of either.
const OTHER_FORMATS: f64 = 4.0;
const OTHER_FORMATS_BASIC: f64 = 1.1;

impl Unary {
    /// The function of that name, such as `sin`.
    pub fn named(name: &str) -> Option<Unary> {
        UNARY.iter().find(|(known, ..)| *known == name).map(|(_, function, _)| *function)
    }

    /// Its name in C's `double` form.
    pub fn name(self) -> &'static str {
        UNARY.iter().find(|(_, function, _)| *function == self).map_or("?", |(name, ..)| name)
    }

    /// The error of the host's version, in units in the last place of the exact result.
    pub fn ulps(self, format: Format) -> f64 {
        let double =
            UNARY.iter().find(|(_, function, _)| *function == self).map_or(OTHER_FORMATS, |row| row.2);
        in_format(double, format)
    }

    /// The numbers it gives; none where it may be undefined.
    pub fn range(self, x: Interval) -> Option<Interval> {
        let increasing = |f: fn(f64) -> f64| Some(padded(f(x.lo), f(x.hi)));
        let decreasing = |f: fn(f64) -> f64| Some(padded(f(x.hi), f(x.lo)));
        let inside = |lo: f64, hi: f64| lo <= x.lo && x.hi <= hi;
        match self {
            Unary::Sin => Some(sine(x)),
            Unary::Cos => Some(cosine(x)),
            Unary::Tan => {
                let turns = turns(x)?.sub(Interval::point(0.5));
                if has_integer(turns, |_| true) { None } else { increasing(f64::tan) }
            }
            Unary::Asin => inside(-1.0, 1.0).then(|| increasing(f64::asin))?,
            Unary::Acos => inside(-1.0, 1.0).then(|| decreasing(f64::acos))?,
            Unary::Atan => increasing(f64::atan),
            Unary::Sinh => increasing(f64::sinh),
            Unary::Cosh => {
                let x = x.abs();
                let range = padded(x.lo.cosh(), x.hi.cosh());
                Some(Interval::new(range.lo.max(1.0), range.hi.max(1.0)))
            }
            Unary::Tanh => increasing(f64::tanh),
            Unary::Asinh => increasing(asinh),
            Unary::Acosh => inside(1.0, f64::INFINITY).then(|| increasing(acosh))?.map(not_negative),
            Unary::Atanh => (-1.0 < x.lo && x.hi < 1.0).then(|| increasing(f64::atanh))?,
            Unary::Exp => increasing(f64::exp).map(not_negative),
            Unary::Exp2 => increasing(f64::exp2).map(not_negative),
            Unary::Expm1 => increasing(f64::exp_m1),
            Unary::Log => (x.lo > 0.0).then(|| increasing(f64::ln))?,
            Unary::Log2 => (x.lo > 0.0).then(|| increasing(f64::log2))?,
            Unary::Log10 => (x.lo > 0.0).then(|| increasing(f64::log10))?,
            Unary::Log1p => (x.lo > -1.0).then(|| increasing(f64::ln_1p))?,
            Unary::Cbrt => increasing(f64::cbrt),
        }
    }

    /// Its derivative over `x`, where its values are `y`.
    pub fn slope(self, x: Interval, y: Interval) -> Interval {
        let one = Interval::ONE;
        let around = |x: f64| Interval::new(x.next_down(), x.next_up());
        let (ln2, ln10) = (around(std::f64::consts::LN_2), around(std::f64::consts::LN_10));
        match self {
            Unary::Sin => cosine(x),
            Unary::Cos => sine(x).neg(),
            Unary::Tan => one.add(y.square()),
            Unary::Asin => one.div(one.sub(x.square()).sqrt()),
            Unary::Acos => one.div(one.sub(x.square()).sqrt()).neg(),
            Unary::Atan => one.div(one.add(x.square())),
            Unary::Sinh => Unary::Cosh.range(x).unwrap_or(Interval::WHOLE),
            Unary::Cosh => Unary::Sinh.range(x).unwrap_or(Interval::WHOLE),
            Unary::Tanh => {
                let slope = one.sub(y.square());
                Interval::new(slope.lo.max(0.0), slope.hi.max(0.0))
            }
            Unary::Asinh => one.div(one.add(x.square()).sqrt()),
            Unary::Acosh => one.div(x.square().sub(one).sqrt()),
            Unary::Atanh => one.div(one.sub(x.square())),
            Unary::Exp => y,
            Unary::Exp2 => y.mul(ln2),
            Unary::Expm1 => Unary::Exp.range(x).unwrap_or(Interval::WHOLE),
            Unary::Log => one.div(x),
            Unary::Log2 => one.div(x.mul(ln2)),
            Unary::Log10 => one.div(x.mul(ln10)),
            Unary::Log1p => one.div(one.add(x)),
            Unary::Cbrt => one.div(y.square().scale(3.0)),
        }
    }
}

impl Binary {
    /// The function of that name, such as `pow`.
    pub fn named(name: &str) -> Option<Binary> {
        BINARY.iter().find(|(known, ..)| *known == name).map(|(_, function, _)| *function)
    }

    /// Its name in C's `double` form.
    pub fn name(self) -> &'static str {
        BINARY.iter().find(|(_, function, _)| *function == self).map_or("?", |(name, ..)| name)
    }

    /// The error of the host's version, in units in the last place of the exact result.
    pub fn ulps(self, format: Format) -> f64 {
        let double =
            BINARY.iter().find(|(_, function, _)| *function == self).map_or(OTHER_FORMATS, |row| row.2);
        in_format(double, format)
    }

    /// The numbers it gives; none where it may be undefined.
    pub fn range(self, x: Interval, y: Interval) -> Option<Interval> {
        match self {
            Binary::Hypot => Some(x.square().add(y.square()).sqrt()),
            Binary::Pow if x.lo > 0.0 => Some(not_negative(corners(x, y, f64::powf))),
            Binary::Pow => whole_power(x, y),
            // Angles of a box that holds neither the origin nor a point left of it are extreme in its corners.
            Binary::Atan2 if y.lo > 0.0 || x.lo > 0.0 || x.hi < 0.0 => Some(corners(x, y, f64::atan2)),
            Binary::Atan2 => None,
        }
    }

    /// Its derivatives, where its values are `value`.
    pub fn slopes(self, x: Interval, y: Interval, value: Interval) -> (Interval, Interval) {
        match self {
            Binary::Hypot => {
                let unit = Interval::new(-1.0, 1.0);
                let part = |part: Interval| part.div(value).meet(unit).unwrap_or(unit);
                (part(x), part(y))
            }
            Binary::Atan2 => {
                let squares = x.square().add(y.square());
                (y.div(squares), x.neg().div(squares))
            }
            Binary::Pow if x.lo > 0.0 => {
                let log = Unary::Log.range(x).unwrap_or(Interval::WHOLE);
                (y.mul(value).div(x), value.mul(log))
            }
            Binary::Pow => {
                let below = whole_power(x, y.sub(Interval::ONE)).unwrap_or(Interval::WHOLE);
                (y.mul(below), Interval::WHOLE)
            }
        }
    }
}

fn in_format(double: f64, format: Format) -> f64 {
    match format {
        Format::F64 => double,
        _ if double < 1.0 => OTHER_FORMATS_BASIC,
        _ => OTHER_FORMATS,
    }
}

/// `x^n` for a whole number `n` that may meet negative `x`.
fn whole_power(x: Interval, y: Interval) -> Option<Interval> {
    let n = y.lo;
    if !y.is_point() || n.fract() != 0.0 || n.abs() > 4096.0 || (n < 0.0 && x.contains(0.0)) {
        return None;
    }
    let (base, n) = if n < 0.0 { (Interval::ONE.div(x), -n) } else { (x, n) };
    let power = |x: f64| padded(x.powf(n), x.powf(n));
    Some(if n == 0.0 {
        Interval::ONE
    } else if n % 2.0 == 0.0 {
        not_negative(power(base.mig()).hull(power(base.mag())))
    } else {
        power(base.lo).hull(power(base.hi))
    })
}

fn corners(x: Interval, y: Interval, f: fn(f64, f64) -> f64) -> Interval {
    let values = [f(x.lo, y.lo), f(x.lo, y.hi), f(x.hi, y.lo), f(x.hi, y.hi)];
    if values.iter().any(|v| v.is_nan()) {
        return Interval::WHOLE;
    }
    let lo = values.iter().copied().fold(f64::INFINITY, f64::min);
    let hi = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    padded(lo, hi)
}

/// The host's libm; Rust's own versions of these two lose digits.
fn host(name: &str, x: f64) -> f64 {
    let call =
        Function::named(name).and_then(|function| function.call(&Arguments::unary(Float::from_f64(x))));
    call.map_or(f64::NAN, |outcome| outcome.value.to_f64())
}

fn asinh(x: f64) -> f64 {
    host("asinh", x)
}

fn acosh(x: f64) -> f64 {
    host("acosh", x)
}

/// Around values that the host computed: 16 ulps on either side.
fn padded(lo: f64, hi: f64) -> Interval {
    let pad = |x: f64| x.abs() * 16.0 * f64::EPSILON + f64::MIN_POSITIVE;
    if lo.is_nan() || hi.is_nan() {
        return Interval::WHOLE;
    }
    let lo = if lo.is_infinite() { if lo > 0.0 { f64::MAX } else { lo } } else { lo - pad(lo) };
    let hi = if hi.is_infinite() { if hi < 0.0 { f64::MIN } else { hi } } else { hi + pad(hi) };
    Interval::new(lo, hi)
}

fn not_negative(x: Interval) -> Interval {
    Interval::new(x.lo.max(0.0), x.hi.max(0.0))
}

/// Half turns: `x / pi`; none where arguments are too large to tell.
fn turns(x: Interval) -> Option<Interval> {
    let pi = Interval::new(std::f64::consts::PI, std::f64::consts::PI.next_up());
    (x.mag() < 1e9).then(|| x.div(pi))
}

fn has_integer(x: Interval, wanted: impl Fn(i64) -> bool) -> bool {
    (x.lo.ceil() as i64..=x.hi.floor() as i64).take(3).any(wanted)
}

fn cosine(x: Interval) -> Interval {
    let Some(turns) = turns(x) else { return Interval::new(-1.0, 1.0) };
    wave(x, turns, f64::cos)
}

fn sine(x: Interval) -> Interval {
    let Some(turns) = turns(x) else { return Interval::new(-1.0, 1.0) };
    wave(x, turns.sub(Interval::point(0.5)), f64::sin)
}

/// A wave that is 1 at even numbers of half turns and -1 at odd ones.
fn wave(x: Interval, turns: Interval, f: fn(f64) -> f64) -> Interval {
    let ends = padded(f(x.lo).min(f(x.hi)), f(x.lo).max(f(x.hi)));
    let lo = if has_integer(turns, |n| n % 2 != 0) { -1.0 } else { ends.lo.max(-1.0) };
    let hi = if has_integer(turns, |n| n % 2 == 0) { 1.0 } else { ends.hi.min(1.0) };
    Interval::new(lo.min(1.0), hi.max(-1.0))
}

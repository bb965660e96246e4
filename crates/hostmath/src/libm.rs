// SPDX-License-Identifier: MIT OR Apache-2.0
//! The host's libm by name.

use std::collections::HashMap;
use std::ffi::{CStr, c_char};
use std::sync::LazyLock;

use clew_base::float::{Flags, Float, Format};

use crate::{Bits, format_code};

/// What a function takes and gives, in the fields of [`Arguments`] and [`Outcome`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Shape {
    /// `value = f(x)`
    Unary,
    /// `value = f(x, y)`. For `nexttoward`, `y` is a `long double` whatever the format of `x`.
    Binary,
    /// `value = f(x, y, z)`
    Ternary,
    /// `value = f(x, n)`: `ldexp`, `scalbn`, `scalbln`
    WithInt,
    /// `value = f(n, x)`: `jn`, `yn`
    IntFirst,
    /// `integer = f(x)`: `ilogb`, `lrint` and its kin
    ToInt,
    /// `value = f(x, &integer)`: `frexp`; `lgamma` and `gamma`, whose integer is `signgam`
    IntOut,
    /// `value = f(x, y, &integer)`: `remquo`
    BinaryIntOut,
    /// `value = f(x, &second)`: `modf`; `sincos` gives the sine as `value`, the cosine as `second`
    FloatOut,
}

impl Shape {
    /// As the C side numbers them.
    const ALL: [Shape; 9] = [
        Shape::Unary,
        Shape::Binary,
        Shape::Ternary,
        Shape::WithInt,
        Shape::IntFirst,
        Shape::ToInt,
        Shape::IntOut,
        Shape::BinaryIntOut,
        Shape::FloatOut,
    ];
}

/// A function of libm, without its format: `sin` stands for `sinf`, `sin` and `sinl`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Function {
    index: i32,
    shape: Shape,
}

/// What a function is called with; fields its shape does not name are ignored.
#[derive(Clone, Copy, Debug)]
pub struct Arguments {
    /// The first floating argument. Its format chooses the variant.
    pub x: Float,
    /// The second.
    pub y: Float,
    /// The third.
    pub z: Float,
    /// The integer argument.
    pub n: i64,
}

impl Arguments {
    /// `f(x)`
    pub fn unary(x: Float) -> Arguments {
        Arguments { x, y: x, z: x, n: 0 }
    }

    /// `f(x, y)`
    pub fn binary(x: Float, y: Float) -> Arguments {
        Arguments { x, y, z: x, n: 0 }
    }

    /// `f(x, n)` or `f(n, x)`
    pub fn with_int(x: Float, n: i64) -> Arguments {
        Arguments { x, y: x, z: x, n }
    }
}

/// What a call gave; fields the function's shape does not name are zero.
#[derive(Clone, Copy, Debug)]
pub struct Outcome {
    /// The floating result.
    pub value: Float,
    /// The second floating result.
    pub second: Float,
    /// The integer result.
    pub integer: i64,
    /// The exceptions raised.
    pub flags: Flags,
    /// `errno` after the call, 0 if it was not set.
    pub errno: i32,
}

#[repr(C)]
struct RawArguments {
    x: Bits,
    y: Bits,
    z: Bits,
    n: i64,
}

#[repr(C)]
#[derive(Default)]
struct RawOutcome {
    value: Bits,
    second: Bits,
    integer: i64,
    flags: i32,
    error: i32,
}

unsafe extern "C" {
    fn clew_math_name(index: i32) -> *const c_char;
    fn clew_math_shape(index: i32) -> i32;
    fn clew_math_call(index: i32, format: i32, arguments: *const RawArguments, out: *mut RawOutcome) -> i32;
}

static FUNCTIONS: LazyLock<HashMap<&'static str, Function>> = LazyLock::new(|| {
    let entry = |index| {
        // SAFETY: the C side returns a string literal, or null beyond its table.
        let name = unsafe { clew_math_name(index).as_ref().map(|name| CStr::from_ptr(name)) }?;
        // SAFETY: the index is in the table, since it has a name.
        let shape = Shape::ALL[unsafe { clew_math_shape(index) } as usize];
        Some((name.to_str().ok()?, Function { index, shape }))
    };
    (0..).map_while(entry).collect()
});

impl Function {
    /// The function with this name in C's `double` form: `sin`, `lgamma`, `fma`.
    pub fn named(name: &str) -> Option<Function> {
        FUNCTIONS.get(name).copied()
    }

    /// The function and format that a C name means: `sinf` is (`sin`, binary32), `sinl` (`sin`, x87).
    pub fn from_c_name(name: &str) -> Option<(Function, Format)> {
        let suffixed = |suffix, format| Some((Function::named(name.strip_suffix(suffix)?)?, format));
        Function::named(name)
            .map(|function| (function, Format::F64))
            .or_else(|| suffixed('f', Format::F32))
            .or_else(|| suffixed('l', Format::X87))
    }

    /// What it takes and gives.
    pub fn shape(self) -> Shape {
        self.shape
    }

    /// Calls the host's function, rounding to nearest; none if the host lacks it in that format.
    pub fn call(self, arguments: &Arguments) -> Option<Outcome> {
        let format = arguments.x.format();
        let raw = RawArguments {
            x: arguments.x.to_bits().into(),
            y: arguments.y.to_bits().into(),
            z: arguments.z.to_bits().into(),
            n: arguments.n,
        };
        let mut out = RawOutcome::default();
        // SAFETY: both structs have the C side's layout and outlive the call; the index is in its table.
        let done = unsafe { clew_math_call(self.index, format_code(format), &raw, &mut out) };
        let outcome = Outcome {
            value: Float::from_bits(format, out.value.into()),
            second: Float::from_bits(format, out.second.into()),
            integer: out.integer,
            flags: Flags::from_bits(out.flags as u8),
            errno: out.error,
        };
        (done != 0).then_some(outcome)
    }
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! The host's arithmetic and conversions, with the exceptions they raise.
//!
//! Everything returns `None` where the host lacks the format, the rounding mode or the operation.

use clew_base::float::{Flags, Float, Format, Rounding};
use clew_base::int::IntType;

use crate::{Bits, format_code};

/// An operation of the host.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(i32)]
pub enum Op {
    /// `a + b`
    Add,
    /// `a - b`
    Sub,
    /// `a * b`
    Mul,
    /// `a / b`
    Div,
    /// `sqrt(a)`
    Sqrt,
    /// `fma(a, b, c)`
    Fma,
}

/// A comparison of the host.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(i32)]
pub enum Comparison {
    /// `a < b`
    Less = 6,
    /// `a == b`
    Equal = 7,
}

#[repr(C)]
#[derive(Default)]
struct Answer {
    value: Bits,
    flags: i32,
}

unsafe extern "C" {
    fn clew_arith(op: i32, format: i32, rounding: i32, operands: *const Bits, out: *mut Answer) -> i32;
    fn clew_convert(from: i32, to: i32, rounding: i32, operand: *const Bits, out: *mut Answer) -> i32;
    fn clew_to_int(from: i32, bits: i32, operand: *const Bits, out: *mut Answer) -> i32;
    fn clew_from_int(bits: i32, to: i32, rounding: i32, operand: *const Bits, out: *mut Answer) -> i32;
}

fn rounding_code(rounding: Rounding) -> Option<i32> {
    match rounding {
        Rounding::NearestEven => Some(0),
        Rounding::NearestAway => None,
        Rounding::Up => Some(1),
        Rounding::Down => Some(2),
        Rounding::TowardZero => Some(3),
    }
}

/// The width, negative for a signed type.
fn int_code(ty: IntType) -> i32 {
    if ty.signed { -i32::from(ty.bits) } else { i32::from(ty.bits) }
}

fn raw(op: i32, operands: [Float; 3], rounding: Rounding) -> Option<Answer> {
    let mut answer = Answer::default();
    let bits = operands.map(|operand| Bits::from(operand.to_bits()));
    let format = format_code(operands[0].format());
    // SAFETY: the operands are three patterns and the answer is one, as the C side expects; it keeps neither.
    let done = unsafe { clew_arith(op, format, rounding_code(rounding)?, bits.as_ptr(), &mut answer) };
    (done != 0).then_some(answer)
}

/// Runs an operation. `b` and `c` have the format of `a`; operations that do not take them ignore them.
pub fn arith(op: Op, a: Float, b: Float, c: Float, rounding: Rounding) -> Option<(Float, Flags)> {
    let answer = raw(op as i32, [a, b, c], rounding)?;
    Some((Float::from_bits(a.format(), answer.value.into()), Flags::from_bits(answer.flags as u8)))
}

/// Runs a comparison.
pub fn compare(comparison: Comparison, a: Float, b: Float) -> Option<(bool, Flags)> {
    let answer = raw(comparison as i32, [a, b, b], Rounding::NearestEven)?;
    Some((answer.value.low != 0, Flags::from_bits(answer.flags as u8)))
}

/// Converts to another format.
pub fn convert(value: Float, to: Format, rounding: Rounding) -> Option<(Float, Flags)> {
    let mut answer = Answer::default();
    let (from, bits) = (format_code(value.format()), Bits::from(value.to_bits()));
    // SAFETY: one pattern in, one answer out; the C side keeps neither.
    let done = unsafe { clew_convert(from, format_code(to), rounding_code(rounding)?, &bits, &mut answer) };
    let result = (Float::from_bits(to, answer.value.into()), Flags::from_bits(answer.flags as u8));
    (done != 0).then_some(result)
}

/// Converts to an integer type of 8, 16, 32, 64 or 128 bits as gcc without optimisation does.
pub fn to_int(value: Float, ty: IntType) -> Option<(i128, Flags)> {
    let mut answer = Answer::default();
    let (from, bits) = (format_code(value.format()), Bits::from(value.to_bits()));
    // SAFETY: one pattern in, one answer out; the C side keeps neither.
    let done = unsafe { clew_to_int(from, int_code(ty), &bits, &mut answer) };
    let result = (ty.wrap(u128::from(answer.value) as i128), Flags::from_bits(answer.flags as u8));
    (done != 0).then_some(result)
}

/// Converts from an integer type of 8, 16, 32, 64 or 128 bits.
pub fn from_int(value: i128, ty: IntType, to: Format, rounding: Rounding) -> Option<(Float, Flags)> {
    let mut answer = Answer::default();
    let bits = Bits::from(value as u128);
    // SAFETY: one pattern in, one answer out; the C side keeps neither.
    let done =
        unsafe { clew_from_int(int_code(ty), format_code(to), rounding_code(rounding)?, &bits, &mut answer) };
    let result = (Float::from_bits(to, answer.value.into()), Flags::from_bits(answer.flags as u8));
    (done != 0).then_some(result)
}

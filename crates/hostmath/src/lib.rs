// SPDX-License-Identifier: MIT OR Apache-2.0
//! The host's floating point, behind a safe face.
//!
//! The interpreter's libm is the host's ([`libm`]); the tests of our own arithmetic, printing and parsing
//! take the host's ([`arith`], [`text`]) as the referee. Values cross the border as bit patterns, so NaN
//! payloads and `long double` survive, and the host's floating-point environment and `errno` are left as
//! they were. This is the only crate with unsafe code.

pub mod arith;
pub mod libm;
pub mod text;

use clew_base::float::Format;

/// A bit pattern in the form the C side takes it.
#[repr(C)]
#[derive(Clone, Copy, Default)]
struct Bits {
    low: u64,
    high: u64,
}

impl From<u128> for Bits {
    fn from(bits: u128) -> Bits {
        Bits { low: bits as u64, high: (bits >> 64) as u64 }
    }
}

impl From<Bits> for u128 {
    fn from(bits: Bits) -> u128 {
        u128::from(bits.high) << 64 | u128::from(bits.low)
    }
}

/// The C side's number of a format; 0 is one it does not have.
fn format_code(format: Format) -> i32 {
    match format {
        Format::F16 => 0,
        Format::F32 => 1,
        Format::F64 => 2,
        Format::X87 => 3,
        Format::F128 => 4,
    }
}

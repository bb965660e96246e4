// SPDX-License-Identifier: MIT OR Apache-2.0
//! Values as the interpreter's slow paths and the library see them. The fast paths use raw register slots.

use clew_base::float::{Float, Format, Rounding};
use clew_base::int::IntType;

/// Which object a pointer was derived from: a slot of the object table and the slot's generation.
///
/// A slot's generation grows when its object dies, so a pointer to a dead object is told from one to the object that
/// took its slot. Zero is no object at all.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Provenance(pub u64);

impl Provenance {
    /// Derived from no object.
    pub const NONE: Provenance = Provenance(0);

    /// The provenance of the object in a slot.
    #[inline]
    pub const fn new(slot: u32, generation: u32) -> Provenance {
        Provenance(slot as u64 | (generation as u64) << 32)
    }

    /// The slot of the object table.
    #[inline]
    pub const fn slot(self) -> usize {
        self.0 as u32 as usize
    }

    /// The slot's generation when the pointer was made.
    #[inline]
    pub const fn generation(self) -> u32 {
        (self.0 >> 32) as u32
    }

    /// Whether there is no object behind it.
    #[inline]
    pub const fn is_none(self) -> bool {
        self.0 == 0
    }
}

/// A pointer: an address and the object it was derived from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Pointer {
    /// The address.
    pub addr: u64,
    /// Where it came from.
    pub prov: Provenance,
}

impl Pointer {
    /// The null pointer.
    pub const NULL: Pointer = Pointer { addr: 0, prov: Provenance::NONE };

    /// Whether the address is zero.
    #[inline]
    pub const fn is_null(self) -> bool {
        self.addr == 0
    }

    /// The pointer `bytes` further on, with the same provenance.
    #[inline]
    #[must_use]
    pub const fn add(self, bytes: u64) -> Pointer {
        Pointer { addr: self.addr.wrapping_add(bytes), prov: self.prov }
    }
}

/// A value of a scalar type.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Value {
    /// No value: what a `void` function returns.
    Unit,
    /// An integer or `_Bool`, canonical in its type (see `clew_base::int`).
    Int(i128),
    /// A float of any format.
    Float(Float),
    /// A pointer.
    Ptr(Pointer),
}

impl Value {
    /// The null pointer.
    pub const NULL: Value = Value::Ptr(Pointer::NULL);

    /// A `double`.
    pub const fn f64(value: f64) -> Value {
        Value::Float(Float::from_f64(value))
    }

    /// A `float`.
    pub const fn f32(value: f32) -> Value {
        Value::Float(Float::from_f32(value))
    }

    /// The value read as an integer: pointers give their address, floats truncate.
    pub fn as_int(self) -> i128 {
        match self {
            Value::Unit => 0,
            Value::Int(value) => value,
            Value::Ptr(pointer) => i128::from(pointer.addr),
            Value::Float(float) => float.to_f64() as i128,
        }
    }

    /// The value read as a pointer: an integer becomes an address without provenance.
    pub fn as_ptr(self) -> Pointer {
        match self {
            Value::Ptr(pointer) => pointer,
            other => Pointer { addr: other.as_int() as u64, prov: Provenance::NONE },
        }
    }

    /// The value read as a float of a format.
    pub fn as_float(self, format: Format) -> Float {
        match self {
            Value::Float(float) if float.format() == format => float,
            Value::Float(float) => float.convert(format, Rounding::NearestEven).0,
            other => Float::from_int(format, other.as_int(), IntType::I128, Rounding::NearestEven).0,
        }
    }

    /// The value read as a `double`.
    pub fn as_f64(self) -> f64 {
        match self {
            Value::Float(float) => float.to_f64(),
            other => other.as_int() as f64,
        }
    }
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! How a scalar is read: as an integer, a float or a pointer of so many bytes.

use std::sync::Arc;

use clew_base::float::Format;
use clew_base::int::IntType;

use crate::domain::float::Float;
use crate::domain::int::Int;
use crate::domain::value::{Address, Kind};

/// How a scalar is read.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Shape {
    /// An integer of so many bytes.
    Int(IntType),
    /// A float; padded formats take more bytes than they have.
    Float(Format, u32),
    /// A pointer of so many bytes.
    Pointer(u32),
}

impl Shape {
    /// Bytes in memory.
    pub fn bytes(self) -> u64 {
        match self {
            Shape::Int(ty) => clew_ir::types::int_bytes(ty.bits),
            Shape::Float(_, bytes) | Shape::Pointer(bytes) => u64::from(bytes),
        }
    }
}

/// Any value of the shape.
pub fn top(shape: Shape) -> Kind {
    match shape {
        Shape::Int(ty) => Kind::Number(Int::of_type(ty)),
        Shape::Float(..) => Kind::Float(Float::top()),
        Shape::Pointer(_) => Kind::Address(Arc::new(Address::anywhere())),
    }
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! Types and variables of the programs that are made.

use fastrand::Rng;

/// A scalar type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scalar {
    Bool,
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    F32,
    F64,
}

impl Scalar {
    /// Any scalar, `int` most often.
    pub fn any(rng: &mut Rng) -> Scalar {
        use Scalar::*;
        const WEIGHTED: [Scalar; 20] = [
            I32, I32, I32, I32, I32, I32, U32, U32, U8, U8, I8, I16, U16, I64, I64, U64, F64, F64, F32, Bool,
        ];
        WEIGHTED[rng.usize(..WEIGHTED.len())]
    }

    /// Any integer, `int` most often.
    pub fn integer(rng: &mut Rng) -> Scalar {
        loop {
            let scalar = Scalar::any(rng);
            if !scalar.is_float() {
                return scalar;
            }
        }
    }

    /// Its name in C.
    pub fn c(self) -> &'static str {
        match self {
            Scalar::Bool => "_Bool",
            Scalar::I8 => "signed char",
            Scalar::U8 => "unsigned char",
            Scalar::I16 => "short",
            Scalar::U16 => "unsigned short",
            Scalar::I32 => "int",
            Scalar::U32 => "unsigned int",
            Scalar::I64 => "long",
            Scalar::U64 => "unsigned long",
            Scalar::F32 => "float",
            Scalar::F64 => "double",
        }
    }

    /// The function that gives any value of it.
    pub fn nondet(self) -> &'static str {
        match self {
            Scalar::Bool => "__VERIFIER_nondet_bool()",
            Scalar::I8 => "__VERIFIER_nondet_schar()",
            Scalar::U8 => "__VERIFIER_nondet_uchar()",
            Scalar::I16 => "__VERIFIER_nondet_short()",
            Scalar::U16 => "__VERIFIER_nondet_ushort()",
            Scalar::I32 => "__VERIFIER_nondet_int()",
            Scalar::U32 => "__VERIFIER_nondet_uint()",
            Scalar::I64 => "__VERIFIER_nondet_long()",
            Scalar::U64 => "__VERIFIER_nondet_ulong()",
            Scalar::F32 => "__VERIFIER_nondet_float()",
            Scalar::F64 => "__VERIFIER_nondet_double()",
        }
    }

    pub fn is_float(self) -> bool {
        matches!(self, Scalar::F32 | Scalar::F64)
    }

    /// Whether arithmetic in it overflows rather than wraps.
    pub fn is_signed(self) -> bool {
        matches!(self, Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::I64)
    }

    /// Bits of an integer type.
    pub fn bits(self) -> u32 {
        match self {
            Scalar::Bool => 1,
            Scalar::I8 | Scalar::U8 => 8,
            Scalar::I16 | Scalar::U16 => 16,
            Scalar::I32 | Scalar::U32 | Scalar::F32 => 32,
            Scalar::I64 | Scalar::U64 | Scalar::F64 => 64,
        }
    }
}

/// A struct or union.
#[derive(Clone)]
pub struct Record {
    /// With its keyword: `struct S1`.
    pub tag: String,
    /// Name, type, and length for an array.
    pub fields: Vec<(String, Scalar, Option<u64>)>,
}

/// What a variable is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    Scalar(Scalar),
    /// An integer that only its own loop changes, known to lie in `low..high`.
    Counter(i64, i64),
    /// Elements at this address; a pointer counts too.
    Array(Scalar, u64),
    /// A constant array.
    Table(Scalar, u64),
    Record(usize),
    RecordPointer(usize),
    /// To one element, or null.
    Pointer(Scalar),
    /// To one element, surely.
    Reference(Scalar),
}

/// A variable in scope.
#[derive(Clone, Debug)]
pub struct Variable {
    pub name: String,
    pub shape: Shape,
}

impl Variable {
    pub fn new(name: String, shape: Shape) -> Variable {
        Variable { name, shape }
    }

    /// An `int` in `low..high` that nothing else assigns.
    pub fn counter(name: String, low: i64, high: i64) -> Variable {
        Variable { name, shape: Shape::Counter(low, high) }
    }
}

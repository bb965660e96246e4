// SPDX-License-Identifier: MIT OR Apache-2.0
//! The text form of the IR, for people and for tests.
//!
//! ```text
//! function @f0 "next" "next": fn(i32) -> i32 external {
//!   %0 "i": i32 register
//!   parameters 1
//! b0:
//!   e0 = (%0.i + 1)
//!   check
//!     o0 signed-overflow: not_raised signed_overflow e0
//!   return e0
//! }
//! ```
//!
//! - Handles print as their `Display`; `.name` after one is for the reader and is skipped by the parser.
//! - An expression that is used once stands inside its user. One that is used more often, or nests deeper than
//!   [`MAX_DEPTH`], gets a line `eN = ...` before its first use, so sharing survives.
//! - A type is written only where it is not what [`infer`] says: `:type` after an expression, `{type}` after a place.
//! - The span of an expression is `!start-end`, that of anything else `#start-end`, with the file in front
//!   (`#2:10-15`) where it is not the file of the enclosing function, and the macro use behind (`#10-15^4`).
//!   No span is no text.
//! - `;` starts a comment.
//!
//! The law: parsing gives a *canonical* program (arena nodes in order of their first use, leaves never shared,
//! unused nodes gone), printing it gives the same text, and parsing that gives an equal program.

pub mod infer;
mod lex;
pub mod parse;
mod parse_body;
mod parse_expr;
pub mod print;
mod print_body;
mod print_expr;

pub use parse::{ParseError, parse};
pub use print::{Options, print, print_function, print_with};

/// How deep expressions nest on one line before a name is given: keeps lines readable and recursion bounded.
pub const MAX_DEPTH: u32 = 24;

use clew_base::float::Format;

use crate::obligation::Raise;
use crate::syntax::{BinaryOp, Builtin, CompareOp, Intrinsic, Linkage, UnaryOp};

/// A table of fixed words, read both ways by printer and parser.
pub(crate) struct Words<T: 'static>(pub &'static [(T, &'static str)]);

impl<T: PartialEq + Copy> Words<T> {
    pub(crate) fn name(&self, value: T) -> &'static str {
        self.0.iter().find(|(v, _)| *v == value).map_or("?", |(_, name)| name)
    }

    pub(crate) fn find(&self, name: &str) -> Option<T> {
        self.0.iter().find(|(_, n)| *n == name).map(|(value, _)| *value)
    }
}

pub(crate) const FORMATS: Words<Format> = Words(&[
    (Format::F16, "f16"),
    (Format::F32, "f32"),
    (Format::F64, "f64"),
    (Format::X87, "x87"),
    (Format::F128, "f128"),
]);

pub(crate) const LINKAGES: Words<Linkage> =
    Words(&[(Linkage::External, "external"), (Linkage::Weak, "weak"), (Linkage::Internal, "internal")]);

pub(crate) const UNARY: Words<UnaryOp> = Words(&[(UnaryOp::Neg, "-"), (UnaryOp::Not, "~")]);

pub(crate) const BINARY: Words<BinaryOp> = Words(&[
    (BinaryOp::Add, "+"),
    (BinaryOp::Sub, "-"),
    (BinaryOp::Mul, "*"),
    (BinaryOp::Div, "/"),
    (BinaryOp::Rem, "%"),
    (BinaryOp::Shl, "<<"),
    (BinaryOp::Shr, ">>"),
    (BinaryOp::And, "&"),
    (BinaryOp::Or, "|"),
    (BinaryOp::Xor, "^"),
]);

pub(crate) const COMPARE: Words<CompareOp> = Words(&[
    (CompareOp::Eq, "=="),
    (CompareOp::Ne, "!="),
    (CompareOp::Lt, "<"),
    (CompareOp::Le, "<="),
    (CompareOp::Gt, ">"),
    (CompareOp::Ge, ">="),
]);

pub(crate) const BUILTINS: Words<Builtin> = Words(&[
    (Builtin::Clz, "clz"),
    (Builtin::Ctz, "ctz"),
    (Builtin::Popcount, "popcount"),
    (Builtin::Parity, "parity"),
    (Builtin::Ffs, "ffs"),
    (Builtin::Clrsb, "clrsb"),
    (Builtin::Bswap, "bswap"),
    (Builtin::IsNan, "isnan"),
    (Builtin::IsInf, "isinf"),
    (Builtin::IsInfSign, "isinf_sign"),
    (Builtin::IsFinite, "isfinite"),
    (Builtin::IsNormal, "isnormal"),
    (Builtin::SignBit, "signbit"),
    (Builtin::IsUnordered, "isunordered"),
    (Builtin::IsLessGreater, "islessgreater"),
    (Builtin::Fabs, "fabs"),
    (Builtin::CopySign, "copysign"),
]);

/// All intrinsics but `VaArg`, which carries a type.
pub(crate) const INTRINSICS: Words<Intrinsic> = Words(&[
    (Intrinsic::VaStart, "va_start"),
    (Intrinsic::VaEnd, "va_end"),
    (Intrinsic::VaCopy, "va_copy"),
    (Intrinsic::Alloca, "alloca"),
    (Intrinsic::FrameAddress, "frame_address"),
    (Intrinsic::ReturnAddress, "return_address"),
    (Intrinsic::ObjectSize, "object_size"),
    (Intrinsic::Optimised, "optimised"),
    (Intrinsic::Trap, "trap"),
    (Intrinsic::CopyBytes, "copy_bytes"),
    (Intrinsic::FillBytes, "fill_bytes"),
    (Intrinsic::HavocBytes, "havoc_bytes"),
    (Intrinsic::NulPosition, "nul_position"),
    (Intrinsic::Allocate, "allocate"),
    (Intrinsic::Release, "release"),
    (Intrinsic::Own, "own"),
    (Intrinsic::SizeOfObject, "size_of_object"),
    (Intrinsic::SquareRoot, "square_root"),
    (Intrinsic::FloatRemainder, "float_remainder"),
    (Intrinsic::MultiplyAdd, "multiply_add"),
    (Intrinsic::Came, "came"),
    (Intrinsic::Likely, "likely"),
]);

pub(crate) const RAISES: Words<Raise> = Words(&[
    (Raise::SignedOverflow, "signed_overflow"),
    (Raise::UnsignedWrap, "unsigned_wrap"),
    (Raise::DivisionByZero, "division_by_zero"),
    (Raise::ShiftRange, "shift_range"),
    (Raise::LossyConversion, "lossy_conversion"),
    (Raise::FloatOverflow, "float_overflow"),
    (Raise::FloatUnderflow, "float_underflow"),
    (Raise::FloatDivisionByZero, "float_division_by_zero"),
    (Raise::FloatInvalid, "float_invalid"),
    (Raise::FloatToInt, "float_to_int"),
]);

/// The word that stands for an intrinsic in the text form.
pub fn intrinsic_name(op: Intrinsic) -> &'static str {
    match op {
        Intrinsic::VaArg(_) => "va_arg",
        op => INTRINSICS.name(op),
    }
}

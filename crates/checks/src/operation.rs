// SPDX-License-Identifier: MIT OR Apache-2.0
//! What lowering is about to emit, as checks see it.
//!
//! Lowering describes each operation once; every check file looks at the description and says which obligation, if
//! any, the operation carries. So lowering knows no check and a check knows no C syntax.

use clew_base::float::Format;
use clew_ir::syntax::{BinaryOp, BitRange, CompareOp, ExprId, FuncId, LocalId, Place, TypeId};

/// An operation that may go wrong.
#[derive(Clone, Copy, Debug)]
pub enum Operation<'a> {
    /// A load, store or copy of a place.
    Access(Access<'a>),
    /// A register local is read as a value and may not have been assigned.
    ReadLocal(LocalId),
    /// An element of a declared array is selected: `index` is the comparison `0 <= index < length`
    /// (or `<=` where only the address is taken).
    Index {
        /// The comparison.
        in_range: ExprId,
    },
    /// `-x` or a two-operand operation, at `expr`, computed in `scalar`.
    Arithmetic {
        /// The operation node.
        expr: ExprId,
        /// Which; `None` is negation.
        op: Option<BinaryOp>,
        /// The type it is computed in.
        scalar: Scalar,
    },
    /// A comparison at `expr`.
    Compare {
        /// The comparison node.
        expr: ExprId,
        /// Which.
        op: CompareOp,
        /// The operands' type.
        scalar: Scalar,
        /// The operands.
        operands: (ExprId, ExprId),
    },
    /// A conversion at `expr`.
    Convert {
        /// The cast node.
        expr: ExprId,
        /// The operand's type.
        from: Scalar,
        /// The result's type.
        to: Scalar,
        /// Written by the programmer.
        explicit: bool,
    },
    /// Two pointers are subtracted.
    PointerDifference(ExprId, ExprId),
    /// A call through a pointer.
    CallPointer(ExprId),
    /// A call of a function by name. `unchecked` is an expression for its address, when the compiler saw no prototype.
    CallNamed {
        /// The function.
        function: FuncId,
        /// Its linkage name.
        name: &'a str,
        /// Scalar arguments in order (`None` for a record).
        arguments: &'a [Option<ExprId>],
        /// The function's address, when no prototype was in scope.
        unchecked: Option<ExprId>,
    },
    /// A bit count that is undefined for zero; the comparison `x != 0`.
    CountZero(ExprId),
    /// The length of a variable-length array type is evaluated; the comparison `length > 0`.
    ArrayLength(ExprId),
    /// A variable-length array or alloca of this many bytes.
    StackObject(ExprId),
    /// A function that must return a value ends without one.
    EndWithoutValue,
    /// A `_Bool` was read from memory; its byte is at most 1.
    ReadBool(ExprId),
    /// `va_arg` of this list, a pointer to it, and type.
    UnnamedArgument(ExprId, TypeId),
    /// A call whose format, a literal, asks for other arguments than there are.
    BadFormat,
    /// A pointer is handed on or returned where the function's declaration says that it is not null.
    PromisedPointer(ExprId),
    /// A pointer is handed to a parameter `[static n]`: with how many bytes.
    PromisedBytes(ExprId, ExprId),
    /// `__builtin_unreachable()`.
    Unreachable,
    /// Two effects on one register local in one expression without order between them.
    UnsequencedLocal,
    /// Two effects in memory in one expression without order between them: `(pointer, size)` each.
    UnsequencedMemory((ExprId, ExprId), (ExprId, ExprId)),
    /// A record is assigned to one that may share bytes with it: where they are, and how many bytes each has.
    AssignRecord { to: ExprId, from: ExprId, bytes: ExprId },
    /// Calls in one expression without order between them.
    UnorderedCalls,
}

/// A load, store or copy.
#[derive(Clone, Copy, Debug)]
pub struct Access<'a> {
    /// What is accessed.
    pub place: &'a Place,
    /// The base pointer, when the place starts at one; `None` for a named object.
    pub pointer: Option<ExprId>,
    /// Read or write.
    pub mode: AccessMode,
    /// A record that the place lies in and that asks for more than the place itself: its place and alignment.
    pub within: Option<(&'a Place, u32)>,
    /// The alignment its type asks for, in bytes.
    pub align: u32,
    /// The alignment known of a named object's place (0 for a pointer's: nothing is known).
    pub known_align: u32,
    /// The bit-field, if it is one.
    pub bits: Option<BitRange>,
    /// A scalar is read as a value (not copied on, not an aggregate).
    pub reads_value: bool,
    /// The named object is static: it is always initialised and alive.
    pub is_static: bool,
    /// The named object is const or a string literal.
    pub is_const: bool,
    /// The access lies inside the named object by its type: constant steps only.
    pub surely_inside: bool,
}

/// Direction of an access.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AccessMode {
    /// Reads.
    Read,
    /// Writes.
    Write,
}

/// The type an operation is computed in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scalar {
    /// `_Bool`.
    Bool,
    /// An integer.
    Int {
        /// Its width.
        bits: u16,
        /// Its signedness.
        signed: bool,
    },
    /// A float.
    Float(Format),
    /// A pointer.
    Pointer,
}

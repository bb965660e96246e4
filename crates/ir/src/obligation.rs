// SPDX-License-Identifier: MIT OR Apache-2.0
//! Obligations: one condition at one place, which a check makes and engines decide.

use std::fmt;
use std::sync::Arc;

use clew_base::source::Span;
use serde::{Deserialize, Serialize};

use crate::syntax::{BitRange, ExprId, LocalId, Place, TypeId};

/// One condition that must hold at one place.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Obligation {
    /// The check that asked for it.
    pub check: CheckKind,
    /// What must hold.
    pub condition: Condition,
    /// The C text of the operation.
    pub span: Span,
}

/// What must hold. A closed vocabulary: each engine implements each variant once.
///
/// `Access` conditions speak of the access that follows. They come in a fixed order (null, valid, live, bounds, writable,
/// aligned, initialised), and each is evaluated knowing that those before it held.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Condition {
    /// The expression is not zero.
    Holds(ExprId),
    /// Reaching this place is the violation.
    Never,
    /// The operation at the root of the expression does not raise this, given its operands.
    NotRaised(Raise, ExprId),
    /// The register local has been assigned since its storage began.
    InitialisedLocal(LocalId),
    /// The pointer is not null.
    NotNull(ExprId),
    /// The pointer has provenance: it was derived from some object (alive or dead) or declared memory.
    Valid(ExprId),
    /// The object that the pointer was derived from is alive.
    Live(ExprId),
    /// All bytes of the place lie inside the object its base points into.
    InBounds(Box<Place>),
    /// The object may be written: not a string literal, not declared const.
    Writable(Box<Place>),
    /// The place's address is a multiple of `align`.
    Aligned(Box<Place>, u32),
    /// All bits of the place (of the bit-field, if given) have been written.
    Initialised(Box<Place>, Option<BitRange>),
    /// The pointer is null or the start of a live heap object: it may be freed.
    AllocBase(ExprId),
    /// The pointer is the start of a live object that the library made for the program to hand back: an open stream.
    Handle(ExprId),
    /// The object that the pointer points into, if any, lives until the program ends, whatever the program does.
    Lasting(ExprId),
    /// The two pointers point into one object (or one past its end), or both are null.
    SameObject(ExprId, ExprId),
    /// The ranges `[p, p+n)` and `[q, q+m)` share no byte.
    Disjoint { p: ExprId, n: ExprId, q: ExprId, m: ExprId },
    /// The ranges `[p, p+n)` and `[q, q+n)` are one and the same, or share no byte.
    SameOrDisjoint { p: ExprId, q: ExprId, n: ExprId },
    /// `n` bytes from the pointer on may be read.
    ReadableRange(ExprId, ExprId),
    /// `n` bytes from the pointer on may be written. An obligation that they can be read stands before it.
    WritableRange(ExprId, ExprId),
    /// A NUL byte stands at or after the pointer inside its object.
    NulWithin(ExprId),
    /// `n` bytes from the pointer on have been written. An obligation that they can be read stands before it.
    WrittenRange(ExprId, ExprId),
    /// The bytes from the pointer on to the first NUL have been written. An obligation that there is one stands before it.
    WrittenText(ExprId),
    /// The pointer points to a function of the call's type; the call's argument count fits.
    Callable(ExprId),
    /// The pointer is to a list of unnamed arguments that was started, and the next of them is there and has the type.
    Unnamed(ExprId, TypeId),
    /// The stack suffices for a local object of this many bytes (variable-length arrays: more than zero, too).
    StackFits(ExprId),
    /// No heap object made at this allocation is unreachable.
    NotLeaked,
    /// The caller of this run does not use the value (stands where a function ends without one).
    ResultUnused,
    /// The parts of the region of unordered calls that this obligation names do not conflict.
    Commutes,
}

/// What an operation may raise.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Raise {
    /// The exact result does not fit the signed type (also `INT_MIN / -1`).
    SignedOverflow,
    /// The exact result does not fit the unsigned type.
    UnsignedWrap,
    /// Integer division or remainder by zero.
    DivisionByZero,
    /// The shift count is negative or not below the width, or a negative value is shifted left, or bits are lost (signed).
    ShiftRange,
    /// An integer or float conversion changes the value.
    LossyConversion,
    /// A finite float operation overflows.
    FloatOverflow,
    /// A float operation's result is tiny.
    FloatUnderflow,
    /// A finite value is divided by zero.
    FloatDivisionByZero,
    /// Numbers have no result (0/0, inf-inf), or a NaN is ordered. What an operation makes of a NaN is not this.
    FloatInvalid,
    /// The float's integral part does not fit the integer type.
    FloatToInt,
}

macro_rules! check_kinds {
    ($($(#[$meta:meta])* $name:ident = $id:literal,)*) => {
        /// The checks. Their ids never change; each has its own file in `checks`.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Serialize, Deserialize)]
        pub enum CheckKind {
            $($(#[$meta])* #[serde(rename = $id)] $name,)*
        }

        impl CheckKind {
            /// Every check.
            pub const ALL: &[CheckKind] = &[$(CheckKind::$name,)*];

            /// The id that users see.
            pub const fn id(self) -> &'static str {
                match self { $(CheckKind::$name => $id,)* }
            }

            /// The check of that id.
            pub fn from_id(id: &str) -> Option<CheckKind> {
                match id { $($id => Some(CheckKind::$name),)* _ => None }
            }
        }
    };
}

check_kinds! {
    /// A null pointer is dereferenced.
    NullDeref = "null-deref",
    /// A pointer that points to no object is dereferenced.
    InvalidDeref = "invalid-deref",
    /// An access reaches outside its object or declared array.
    OutOfBounds = "out-of-bounds",
    /// An access to an object whose life has ended.
    UseAfterFree = "use-after-free",
    /// `free` of something that is not the start of a heap object.
    InvalidFree = "invalid-free",
    /// `free` of something freed already.
    DoubleFree = "double-free",
    /// A heap object that nothing points to any more.
    MemoryLeak = "memory-leak",
    /// A write to a const object or string literal.
    WriteToConst = "write-to-const",
    /// A value is used that was never written.
    UninitialisedRead = "uninitialised-read",
    /// An access at an address that is no multiple of the type's alignment.
    MisalignedAccess = "misaligned-access",
    /// A string function runs past the end of an object without a NUL.
    StringNotTerminated = "string-not-terminated",
    /// A library function gets an argument that its contract excludes.
    BadArgument = "bad-argument",
    /// A copy between overlapping regions where that is undefined.
    Overlap = "overlap",
    /// Pointers into different objects are ordered or subtracted.
    PointerCompare = "pointer-compare",
    /// Signed integer overflow.
    SignedOverflow = "signed-overflow",
    /// Unsigned integer wrap-around.
    UnsignedWrap = "unsigned-wrap",
    /// Integer division by zero.
    DivisionByZero = "division-by-zero",
    /// A shift by too much, or of a negative value to the left.
    ShiftOutOfRange = "shift-out-of-range",
    /// A conversion changes a value.
    LossyConversion = "lossy-conversion",
    /// A float operation overflows to infinity.
    FloatOverflow = "float-overflow",
    /// A float operation's result is tiny.
    FloatUnderflow = "float-underflow",
    /// A float is divided by zero.
    FloatDivisionByZero = "float-division-by-zero",
    /// A float operation has no result.
    FloatInvalid = "float-invalid",
    /// A NaN is compared with `<`, `<=`, `>` or `>=`.
    NanCompare = "nan-compare",
    /// A float does not fit the integer it is converted to.
    FloatToInt = "float-to-int",
    /// An assertion fails.
    Assertion = "assertion",
    /// An error function is called (`abort`, `reach_error`).
    ErrorCall = "error-call",
    /// A function that returns a value ends without one, and the value is used.
    MissingReturn = "missing-return",
    /// `__builtin_unreachable` is reached.
    UnreachableReached = "unreachable-reached",
    /// Two unsequenced effects on one object.
    Unsequenced = "unsequenced",
    /// The result depends on the order of calls that C leaves open.
    OrderDependent = "order-dependent",
    /// A null function pointer is called.
    NullCall = "null-call",
    /// A function is called with a wrong type or number of arguments, or a pointer that is no function.
    BadCall = "bad-call",
    /// A variable-length array has no elements.
    BadArrayLength = "bad-array-length",
    /// A `_Bool` is read that is neither 0 nor 1.
    InvalidBool = "invalid-bool",
    /// The stack is exhausted.
    StackExhausted = "stack-exhausted",
}

impl fmt::Display for CheckKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

/// The stable name of an obligation: a hash of the function's linkage name, the check, the normalised
/// operation and an ordinal among equals. No line numbers enter it.
#[derive(Clone, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct StableId(pub Arc<str>);

impl fmt::Display for StableId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

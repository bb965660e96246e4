// SPDX-License-Identifier: MIT OR Apache-2.0
//! The operations. `d` is written, `a` and `b` are read, `x` is whatever else there is.

use clew_ir::syntax::UnorderedMarker;

use super::Reg;

/// Declares the operations in three groups: those that compute a value into `d`, jumps to `x`, and the rest.
macro_rules! operations {
    (
        computes { $($(#[$c_meta:meta])* $c:ident { $($c_field:ident: $c_type:ty),* },)* }
        jumps { $($(#[$j_meta:meta])* $j:ident { $($j_field:ident: $j_type:ty),* },)* }
        others { $($(#[$o_meta:meta])* $o:ident $({ $($o_field:ident: $o_type:ty),* })?,)* }
    ) => {
        /// An operation.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Op {
            $($(#[$c_meta])* $c { $($c_field: $c_type),* },)*
            $($(#[$j_meta])* $j { $($j_field: $j_type),* },)*
            $($(#[$o_meta])* $o $({ $($o_field: $o_type),* })?,)*
        }

        impl Op {
            /// The register that the operation writes, for those that compute a value.
            pub fn destination(&mut self) -> Option<&mut Reg> {
                match self {
                    $(Op::$c { d, .. } => Some(d),)*
                    _ => None,
                }
            }

            /// Where a jump leads.
            pub fn target(&mut self) -> Option<&mut u32> {
                match self {
                    $(Op::$j { x, .. } => Some(x),)*
                    _ => None,
                }
            }
        }
    };
}

operations! {
    computes {
        // Moves and constants.
        Mov { d: Reg, a: Reg },
        Mov2 { d: Reg, a: Reg },
        Const { d: Reg, x: i32 },
        /// A constant of the pool.
        ConstLong { d: Reg, x: u32 },
        /// Two constants of the pool.
        ConstPair { d: Reg, x: u32 },

        // Integers. `32` wraps to int, `32u` to unsigned, `64` to either of 64 bits; `C` leaves on overflow.
        Add32 { d: Reg, a: Reg, b: Reg },
        Add32u { d: Reg, a: Reg, b: Reg },
        Add64 { d: Reg, a: Reg, b: Reg },
        AddC32 { d: Reg, a: Reg, b: Reg },
        AddC64 { d: Reg, a: Reg, b: Reg },
        Sub32 { d: Reg, a: Reg, b: Reg },
        Sub32u { d: Reg, a: Reg, b: Reg },
        Sub64 { d: Reg, a: Reg, b: Reg },
        SubC32 { d: Reg, a: Reg, b: Reg },
        SubC64 { d: Reg, a: Reg, b: Reg },
        Mul32 { d: Reg, a: Reg, b: Reg },
        Mul32u { d: Reg, a: Reg, b: Reg },
        Mul64 { d: Reg, a: Reg, b: Reg },
        MulC32 { d: Reg, a: Reg, b: Reg },
        MulC64 { d: Reg, a: Reg, b: Reg },
        Div32 { d: Reg, a: Reg, b: Reg },
        Div64 { d: Reg, a: Reg, b: Reg },
        DivU { d: Reg, a: Reg, b: Reg },
        Rem32 { d: Reg, a: Reg, b: Reg },
        Rem64 { d: Reg, a: Reg, b: Reg },
        RemU { d: Reg, a: Reg, b: Reg },
        And { d: Reg, a: Reg, b: Reg },
        Or { d: Reg, a: Reg, b: Reg },
        Xor { d: Reg, a: Reg, b: Reg },
        Shl32 { d: Reg, a: Reg, b: Reg },
        Shl32u { d: Reg, a: Reg, b: Reg },
        Shl64 { d: Reg, a: Reg, b: Reg },
        Shl64u { d: Reg, a: Reg, b: Reg },
        Shr32 { d: Reg, a: Reg, b: Reg },
        Shr32u { d: Reg, a: Reg, b: Reg },
        Shr64 { d: Reg, a: Reg, b: Reg },
        Shr64u { d: Reg, a: Reg, b: Reg },

        // The same with a constant on the right.
        Add32I { d: Reg, a: Reg, x: i32 },
        Add32uI { d: Reg, a: Reg, x: i32 },
        Add64I { d: Reg, a: Reg, x: i32 },
        AddC32I { d: Reg, a: Reg, x: i32 },
        AddC64I { d: Reg, a: Reg, x: i32 },
        Mul32I { d: Reg, a: Reg, x: i32 },
        Mul32uI { d: Reg, a: Reg, x: i32 },
        Mul64I { d: Reg, a: Reg, x: i32 },
        MulC32I { d: Reg, a: Reg, x: i32 },
        MulC64I { d: Reg, a: Reg, x: i32 },
        /// Signed division by a constant that is neither 0 nor -1.
        DivI { d: Reg, a: Reg, x: i32 },
        RemI { d: Reg, a: Reg, x: i32 },
        DivUI { d: Reg, a: Reg, x: u32 },
        RemUI { d: Reg, a: Reg, x: u32 },
        AndI { d: Reg, a: Reg, x: i32 },
        OrI { d: Reg, a: Reg, x: i32 },
        XorI { d: Reg, a: Reg, x: i32 },
        Shl32I { d: Reg, a: Reg, x: u32 },
        Shl32uI { d: Reg, a: Reg, x: u32 },
        Shl64I { d: Reg, a: Reg, x: u32 },
        Shl64uI { d: Reg, a: Reg, x: u32 },
        ShrI { d: Reg, a: Reg, x: u32 },
        ShrUI { d: Reg, a: Reg, x: u32 },

        // Comparisons: `S` reads both as signed, `U` as unsigned.
        Eq { d: Reg, a: Reg, b: Reg },
        Ne { d: Reg, a: Reg, b: Reg },
        LtS { d: Reg, a: Reg, b: Reg },
        LeS { d: Reg, a: Reg, b: Reg },
        LtU { d: Reg, a: Reg, b: Reg },
        LeU { d: Reg, a: Reg, b: Reg },
        EqI { d: Reg, a: Reg, x: i32 },
        NeI { d: Reg, a: Reg, x: i32 },
        LtSI { d: Reg, a: Reg, x: i32 },
        LeSI { d: Reg, a: Reg, x: i32 },
        GtSI { d: Reg, a: Reg, x: i32 },
        GeSI { d: Reg, a: Reg, x: i32 },

        // Floats. Arithmetic leaves when the result is not finite, ordered comparisons when there is a NaN.
        AddF64 { d: Reg, a: Reg, b: Reg },
        SubF64 { d: Reg, a: Reg, b: Reg },
        MulF64 { d: Reg, a: Reg, b: Reg },
        DivF64 { d: Reg, a: Reg, b: Reg },
        AddF32 { d: Reg, a: Reg, b: Reg },
        SubF32 { d: Reg, a: Reg, b: Reg },
        MulF32 { d: Reg, a: Reg, b: Reg },
        DivF32 { d: Reg, a: Reg, b: Reg },
        EqF64 { d: Reg, a: Reg, b: Reg },
        NeF64 { d: Reg, a: Reg, b: Reg },
        LtF64 { d: Reg, a: Reg, b: Reg },
        LeF64 { d: Reg, a: Reg, b: Reg },
        EqF32 { d: Reg, a: Reg, b: Reg },
        NeF32 { d: Reg, a: Reg, b: Reg },
        LtF32 { d: Reg, a: Reg, b: Reg },
        LeF32 { d: Reg, a: Reg, b: Reg },

        // Conversions.
        /// Keeps the low `64 - x` bits, sign-extended.
        SExt { d: Reg, a: Reg, x: u32 },
        /// Keeps the low `64 - x` bits, zero-extended.
        ZExt { d: Reg, a: Reg, x: u32 },
        I64F64 { d: Reg, a: Reg },
        U64F64 { d: Reg, a: Reg },
        I64F32 { d: Reg, a: Reg },
        U64F32 { d: Reg, a: Reg },
        /// To a signed integer of `x` bits.
        F64I { d: Reg, a: Reg, x: u32 },
        /// To an unsigned integer of `x` bits.
        F64U { d: Reg, a: Reg, x: u32 },
        F32F64 { d: Reg, a: Reg },
        F64F32 { d: Reg, a: Reg },
        PtrToInt { d: Reg, a: Reg },
        IntToPtr { d: Reg, a: Reg },

        // Pointers.
        /// `a + b * x`.
        PtrAdd { d: Reg, a: Reg, b: Reg, x: u32 },
        PtrAddI { d: Reg, a: Reg, x: i32 },
        /// `(a - b) / x`.
        PtrDiff { d: Reg, a: Reg, b: Reg, x: u32 },

        // Memory: at `a + x`, or `a + b * x` for those with an `X`. They leave when anything is unusual.
        Load8 { d: Reg, a: Reg, x: i32 },
        Load8u { d: Reg, a: Reg, x: i32 },
        Load16 { d: Reg, a: Reg, x: i32 },
        Load16u { d: Reg, a: Reg, x: i32 },
        Load32 { d: Reg, a: Reg, x: i32 },
        Load32u { d: Reg, a: Reg, x: i32 },
        Load64 { d: Reg, a: Reg, x: i32 },
        LoadPtr { d: Reg, a: Reg, x: i32 },
        LoadX8 { d: Reg, a: Reg, b: Reg, x: u32 },
        LoadX8u { d: Reg, a: Reg, b: Reg, x: u32 },
        LoadX16 { d: Reg, a: Reg, b: Reg, x: u32 },
        LoadX16u { d: Reg, a: Reg, b: Reg, x: u32 },
        LoadX32 { d: Reg, a: Reg, b: Reg, x: u32 },
        LoadX32u { d: Reg, a: Reg, b: Reg, x: u32 },
        LoadX64 { d: Reg, a: Reg, b: Reg, x: u32 },
        LoadXPtr { d: Reg, a: Reg, b: Reg, x: u32 },

        // Choices and checks.
        /// `d = a != 0 ? b : slot x`.
        Select { d: Reg, a: Reg, b: Reg, x: u32 },
        Select2 { d: Reg, a: Reg, b: Reg, x: u32 },
    }
    jumps {
        // Control. `x` is the operation to go on at.
        Jump { x: u32 },
        JumpNonZero { a: Reg, x: u32 },
        JumpZero { a: Reg, x: u32 },
        JumpEq { a: Reg, b: Reg, x: u32 },
        JumpNe { a: Reg, b: Reg, x: u32 },
        JumpLtS { a: Reg, b: Reg, x: u32 },
        JumpLeS { a: Reg, b: Reg, x: u32 },
        JumpLtU { a: Reg, b: Reg, x: u32 },
        JumpLeU { a: Reg, b: Reg, x: u32 },
        JumpEqI { a: Reg, b: i16, x: u32 },
        JumpNeI { a: Reg, b: i16, x: u32 },
        JumpLtSI { a: Reg, b: i16, x: u32 },
        JumpLeSI { a: Reg, b: i16, x: u32 },
        JumpGtSI { a: Reg, b: i16, x: u32 },
        JumpGeSI { a: Reg, b: i16, x: u32 },
    }
    others {
        /// Store of `d` at `a + x`.
        Store8 { d: Reg, a: Reg, x: i32 },
        Store16 { d: Reg, a: Reg, x: i32 },
        Store32 { d: Reg, a: Reg, x: i32 },
        Store64 { d: Reg, a: Reg, x: i32 },
        StorePtr { d: Reg, a: Reg, x: i32 },
        /// Store of `d` at `a + b * x`.
        StoreX8 { d: Reg, a: Reg, b: Reg, x: u32 },
        StoreX16 { d: Reg, a: Reg, b: Reg, x: u32 },
        StoreX32 { d: Reg, a: Reg, b: Reg, x: u32 },
        StoreX64 { d: Reg, a: Reg, b: Reg, x: u32 },
        StoreXPtr { d: Reg, a: Reg, b: Reg, x: u32 },
        /// Leaves when `a` is zero.
        CheckNonZero { a: Reg },
        /// Leaves when `a` is not all ones: an uninitialised bit travels with a copied character.
        CheckFull { a: Reg },
        /// Leaves when `a`, read as unsigned, is not below `x`.
        CheckBelow { a: Reg, x: u32 },
        /// Leaves when two pointers have not one provenance.
        CheckSame { a: Reg, b: Reg },
        /// Leaves always: the site says what to do.
        Slow,
        /// A region of unordered calls, by the obligation `x`, begins, goes on or ends.
        Region { marker: UnorderedMarker, x: u32 },
        /// By switch table `x`.
        Switch { a: Reg, x: u32 },
        /// Call site `x`.
        Call { x: u32 },
        /// Returns `b` slots from `a` on.
        Return { a: Reg, b: Reg },
    }
}

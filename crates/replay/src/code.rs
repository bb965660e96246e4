// SPDX-License-Identifier: MIT OR Apache-2.0
//! The compact form that functions are compiled to: operations on the registers of a frame.
//!
//! A register is a 64-bit slot. Integers up to 64 bits stand in it extended by their signedness, floats as their bits;
//! pointers (address, provenance), wider integers and wider floats take two neighbouring slots. Operations name slots
//! by `u16`, so the executor's window of 65,536 slots needs no bounds check.
//!
//! A fast operation answers only where nothing can be wrong. Wherever something may be, it leaves the fast loop and the
//! [`Site`] of that operation says what to judge and how to go on: the slow path is exact, the fast path is only quick.

use clew_base::float::Format;
use clew_base::int::IntType;
use clew_base::source::Span;
use clew_ir::syntax::{BitRange, BlockId, ExprId, FuncId, IntrinsicCall, LocalId, ObligationId, TypeId};
use clew_ir::types::Class;
use rustc_hash::FxHashMap;

/// A slot of the frame.
pub type Reg = u16;

/// How a value stands in registers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rep {
    /// An integer of at most 64 bits.
    Int(IntType),
    /// A wider integer: low and high half.
    Wide(IntType),
    /// A float of at most 64 bits.
    Float(Format),
    /// An x87 or binary128 float: low and high half.
    WideFloat(Format),
    /// A pointer: address and provenance.
    Pointer,
}

impl Rep {
    /// How values of a class stand in registers; `None` for what has no value.
    pub fn of(class: Class) -> Option<Rep> {
        match class {
            Class::Int(int) if int.bits <= 64 => Some(Rep::Int(int)),
            Class::Int(int) => Some(Rep::Wide(int)),
            Class::Float(format @ (Format::X87 | Format::F128)) => Some(Rep::WideFloat(format)),
            Class::Float(format) => Some(Rep::Float(format)),
            Class::Pointer => Some(Rep::Pointer),
            Class::Void | Class::Aggregate | Class::Function => None,
        }
    }

    /// How many slots.
    pub fn slots(self) -> u16 {
        match self {
            Rep::Int(_) | Rep::Float(_) => 1,
            Rep::Wide(_) | Rep::WideFloat(_) | Rep::Pointer => 2,
        }
    }
}

/// An operation. `d` is written, `a` and `b` are read, `x` is whatever else there is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Op {
    // Moves and constants.
    Mov {
        d: Reg,
        a: Reg,
    },
    Mov2 {
        d: Reg,
        a: Reg,
    },
    Const {
        d: Reg,
        x: i32,
    },
    /// A constant of the pool.
    ConstLong {
        d: Reg,
        x: u32,
    },
    /// Two constants of the pool.
    ConstPair {
        d: Reg,
        x: u32,
    },

    // Integers. `32` wraps to int, `32u` to unsigned, `64` to either of 64 bits; `C` leaves on overflow.
    Add32 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Add32u {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Add64 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    AddC32 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    AddC64 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Sub32 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Sub32u {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Sub64 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    SubC32 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    SubC64 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Mul32 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Mul32u {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Mul64 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    MulC32 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    MulC64 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Div32 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Div64 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    DivU {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Rem32 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Rem64 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    RemU {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    And {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Or {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Xor {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Shl32 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Shl32u {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Shl64 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Shl64u {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Shr32 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Shr32u {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Shr64 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Shr64u {
        d: Reg,
        a: Reg,
        b: Reg,
    },

    // The same with a constant on the right.
    Add32I {
        d: Reg,
        a: Reg,
        x: i32,
    },
    Add32uI {
        d: Reg,
        a: Reg,
        x: i32,
    },
    Add64I {
        d: Reg,
        a: Reg,
        x: i32,
    },
    AddC32I {
        d: Reg,
        a: Reg,
        x: i32,
    },
    AddC64I {
        d: Reg,
        a: Reg,
        x: i32,
    },
    Mul32I {
        d: Reg,
        a: Reg,
        x: i32,
    },
    Mul32uI {
        d: Reg,
        a: Reg,
        x: i32,
    },
    Mul64I {
        d: Reg,
        a: Reg,
        x: i32,
    },
    MulC32I {
        d: Reg,
        a: Reg,
        x: i32,
    },
    MulC64I {
        d: Reg,
        a: Reg,
        x: i32,
    },
    /// Signed division by a constant that is neither 0 nor -1.
    DivI {
        d: Reg,
        a: Reg,
        x: i32,
    },
    RemI {
        d: Reg,
        a: Reg,
        x: i32,
    },
    DivUI {
        d: Reg,
        a: Reg,
        x: u32,
    },
    RemUI {
        d: Reg,
        a: Reg,
        x: u32,
    },
    AndI {
        d: Reg,
        a: Reg,
        x: i32,
    },
    OrI {
        d: Reg,
        a: Reg,
        x: i32,
    },
    XorI {
        d: Reg,
        a: Reg,
        x: i32,
    },
    Shl32I {
        d: Reg,
        a: Reg,
        x: u32,
    },
    Shl32uI {
        d: Reg,
        a: Reg,
        x: u32,
    },
    Shl64I {
        d: Reg,
        a: Reg,
        x: u32,
    },
    Shl64uI {
        d: Reg,
        a: Reg,
        x: u32,
    },
    ShrI {
        d: Reg,
        a: Reg,
        x: u32,
    },
    ShrUI {
        d: Reg,
        a: Reg,
        x: u32,
    },

    // Comparisons: `S` reads both as signed, `U` as unsigned.
    Eq {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Ne {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    LtS {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    LeS {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    LtU {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    LeU {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    EqI {
        d: Reg,
        a: Reg,
        x: i32,
    },
    NeI {
        d: Reg,
        a: Reg,
        x: i32,
    },
    LtSI {
        d: Reg,
        a: Reg,
        x: i32,
    },
    LeSI {
        d: Reg,
        a: Reg,
        x: i32,
    },
    GtSI {
        d: Reg,
        a: Reg,
        x: i32,
    },
    GeSI {
        d: Reg,
        a: Reg,
        x: i32,
    },

    // Floats. Arithmetic leaves when the result is not finite, ordered comparisons when there is a NaN.
    AddF64 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    SubF64 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    MulF64 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    DivF64 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    AddF32 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    SubF32 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    MulF32 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    DivF32 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    EqF64 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    NeF64 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    LtF64 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    LeF64 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    EqF32 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    NeF32 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    LtF32 {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    LeF32 {
        d: Reg,
        a: Reg,
        b: Reg,
    },

    // Conversions.
    /// Keeps the low `64 - x` bits, sign-extended.
    SExt {
        d: Reg,
        a: Reg,
        x: u32,
    },
    /// Keeps the low `64 - x` bits, zero-extended.
    ZExt {
        d: Reg,
        a: Reg,
        x: u32,
    },
    I64F64 {
        d: Reg,
        a: Reg,
    },
    U64F64 {
        d: Reg,
        a: Reg,
    },
    I64F32 {
        d: Reg,
        a: Reg,
    },
    U64F32 {
        d: Reg,
        a: Reg,
    },
    /// To a signed integer of `x` bits.
    F64I {
        d: Reg,
        a: Reg,
        x: u32,
    },
    /// To an unsigned integer of `x` bits.
    F64U {
        d: Reg,
        a: Reg,
        x: u32,
    },
    F32F64 {
        d: Reg,
        a: Reg,
    },
    F64F32 {
        d: Reg,
        a: Reg,
    },
    PtrToInt {
        d: Reg,
        a: Reg,
    },
    IntToPtr {
        d: Reg,
        a: Reg,
    },

    // Pointers.
    /// `a + b * x`.
    PtrAdd {
        d: Reg,
        a: Reg,
        b: Reg,
        x: u32,
    },
    PtrAddI {
        d: Reg,
        a: Reg,
        x: i32,
    },
    /// `(a - b) / x`.
    PtrDiff {
        d: Reg,
        a: Reg,
        b: Reg,
        x: u32,
    },

    // Memory: at `a + x`, or `a + b * x` for those with an `X`. They leave when anything is unusual.
    Load8 {
        d: Reg,
        a: Reg,
        x: i32,
    },
    Load8u {
        d: Reg,
        a: Reg,
        x: i32,
    },
    Load16 {
        d: Reg,
        a: Reg,
        x: i32,
    },
    Load16u {
        d: Reg,
        a: Reg,
        x: i32,
    },
    Load32 {
        d: Reg,
        a: Reg,
        x: i32,
    },
    Load32u {
        d: Reg,
        a: Reg,
        x: i32,
    },
    Load64 {
        d: Reg,
        a: Reg,
        x: i32,
    },
    LoadPtr {
        d: Reg,
        a: Reg,
        x: i32,
    },
    LoadX8 {
        d: Reg,
        a: Reg,
        b: Reg,
        x: u32,
    },
    LoadX8u {
        d: Reg,
        a: Reg,
        b: Reg,
        x: u32,
    },
    LoadX16 {
        d: Reg,
        a: Reg,
        b: Reg,
        x: u32,
    },
    LoadX16u {
        d: Reg,
        a: Reg,
        b: Reg,
        x: u32,
    },
    LoadX32 {
        d: Reg,
        a: Reg,
        b: Reg,
        x: u32,
    },
    LoadX32u {
        d: Reg,
        a: Reg,
        b: Reg,
        x: u32,
    },
    LoadX64 {
        d: Reg,
        a: Reg,
        b: Reg,
        x: u32,
    },
    LoadXPtr {
        d: Reg,
        a: Reg,
        b: Reg,
        x: u32,
    },
    /// Store of `d` at `a + x`.
    Store8 {
        d: Reg,
        a: Reg,
        x: i32,
    },
    Store16 {
        d: Reg,
        a: Reg,
        x: i32,
    },
    Store32 {
        d: Reg,
        a: Reg,
        x: i32,
    },
    Store64 {
        d: Reg,
        a: Reg,
        x: i32,
    },
    StorePtr {
        d: Reg,
        a: Reg,
        x: i32,
    },
    /// Store of `d` at `a + b * x`.
    StoreX8 {
        d: Reg,
        a: Reg,
        b: Reg,
        x: u32,
    },
    StoreX16 {
        d: Reg,
        a: Reg,
        b: Reg,
        x: u32,
    },
    StoreX32 {
        d: Reg,
        a: Reg,
        b: Reg,
        x: u32,
    },
    StoreX64 {
        d: Reg,
        a: Reg,
        b: Reg,
        x: u32,
    },
    StoreXPtr {
        d: Reg,
        a: Reg,
        b: Reg,
        x: u32,
    },

    // Choices and checks.
    /// `d = a != 0 ? b : slot x`.
    Select {
        d: Reg,
        a: Reg,
        b: Reg,
        x: u32,
    },
    Select2 {
        d: Reg,
        a: Reg,
        b: Reg,
        x: u32,
    },
    /// Leaves when `a` is zero.
    CheckNonZero {
        a: Reg,
    },
    /// Leaves when `a` is not all ones: an uninitialised bit travels with a copied character.
    CheckFull {
        a: Reg,
    },
    /// Leaves when `a`, read as unsigned, is not below `x`.
    CheckBelow {
        a: Reg,
        x: u32,
    },
    /// Leaves when two pointers have not one provenance.
    CheckSame {
        a: Reg,
        b: Reg,
    },
    /// Leaves always: the site says what to do.
    Slow,

    // Control. `x` is the operation to go on at.
    Jump {
        x: u32,
    },
    JumpNonZero {
        a: Reg,
        x: u32,
    },
    JumpZero {
        a: Reg,
        x: u32,
    },
    JumpEq {
        a: Reg,
        b: Reg,
        x: u32,
    },
    JumpNe {
        a: Reg,
        b: Reg,
        x: u32,
    },
    JumpLtS {
        a: Reg,
        b: Reg,
        x: u32,
    },
    JumpLeS {
        a: Reg,
        b: Reg,
        x: u32,
    },
    JumpLtU {
        a: Reg,
        b: Reg,
        x: u32,
    },
    JumpLeU {
        a: Reg,
        b: Reg,
        x: u32,
    },
    JumpEqI {
        a: Reg,
        b: i16,
        x: u32,
    },
    JumpNeI {
        a: Reg,
        b: i16,
        x: u32,
    },
    JumpLtSI {
        a: Reg,
        b: i16,
        x: u32,
    },
    JumpLeSI {
        a: Reg,
        b: i16,
        x: u32,
    },
    JumpGtSI {
        a: Reg,
        b: i16,
        x: u32,
    },
    JumpGeSI {
        a: Reg,
        b: i16,
        x: u32,
    },
    /// By switch table `x`.
    Switch {
        a: Reg,
        x: u32,
    },
    /// Call site `x`.
    Call {
        x: u32,
    },
    /// Returns `b` slots from `a` on.
    Return {
        a: Reg,
        b: Reg,
    },
}

impl Op {
    /// The register that the operation writes, for those that compute a value.
    pub fn destination(&mut self) -> Option<&mut Reg> {
        match self {
            Op::Mov { d, .. }
            | Op::Mov2 { d, .. }
            | Op::Const { d, .. }
            | Op::ConstLong { d, .. }
            | Op::ConstPair { d, .. }
            | Op::Add32 { d, .. }
            | Op::Add32u { d, .. }
            | Op::Add64 { d, .. }
            | Op::AddC32 { d, .. }
            | Op::AddC64 { d, .. }
            | Op::Sub32 { d, .. }
            | Op::Sub32u { d, .. }
            | Op::Sub64 { d, .. }
            | Op::SubC32 { d, .. }
            | Op::SubC64 { d, .. }
            | Op::Mul32 { d, .. }
            | Op::Mul32u { d, .. }
            | Op::Mul64 { d, .. }
            | Op::MulC32 { d, .. }
            | Op::MulC64 { d, .. }
            | Op::Div32 { d, .. }
            | Op::Div64 { d, .. }
            | Op::DivU { d, .. }
            | Op::Rem32 { d, .. }
            | Op::Rem64 { d, .. }
            | Op::RemU { d, .. }
            | Op::And { d, .. }
            | Op::Or { d, .. }
            | Op::Xor { d, .. }
            | Op::Shl32 { d, .. }
            | Op::Shl32u { d, .. }
            | Op::Shl64 { d, .. }
            | Op::Shl64u { d, .. }
            | Op::Shr32 { d, .. }
            | Op::Shr32u { d, .. }
            | Op::Shr64 { d, .. }
            | Op::Shr64u { d, .. }
            | Op::Add32I { d, .. }
            | Op::Add32uI { d, .. }
            | Op::Add64I { d, .. }
            | Op::AddC32I { d, .. }
            | Op::AddC64I { d, .. }
            | Op::Mul32I { d, .. }
            | Op::Mul32uI { d, .. }
            | Op::Mul64I { d, .. }
            | Op::MulC32I { d, .. }
            | Op::MulC64I { d, .. }
            | Op::DivI { d, .. }
            | Op::RemI { d, .. }
            | Op::DivUI { d, .. }
            | Op::RemUI { d, .. }
            | Op::AndI { d, .. }
            | Op::OrI { d, .. }
            | Op::XorI { d, .. }
            | Op::Shl32I { d, .. }
            | Op::Shl32uI { d, .. }
            | Op::Shl64I { d, .. }
            | Op::Shl64uI { d, .. }
            | Op::ShrI { d, .. }
            | Op::ShrUI { d, .. }
            | Op::Eq { d, .. }
            | Op::Ne { d, .. }
            | Op::LtS { d, .. }
            | Op::LeS { d, .. }
            | Op::LtU { d, .. }
            | Op::LeU { d, .. }
            | Op::EqI { d, .. }
            | Op::NeI { d, .. }
            | Op::LtSI { d, .. }
            | Op::LeSI { d, .. }
            | Op::GtSI { d, .. }
            | Op::GeSI { d, .. }
            | Op::AddF64 { d, .. }
            | Op::SubF64 { d, .. }
            | Op::MulF64 { d, .. }
            | Op::DivF64 { d, .. }
            | Op::AddF32 { d, .. }
            | Op::SubF32 { d, .. }
            | Op::MulF32 { d, .. }
            | Op::DivF32 { d, .. }
            | Op::EqF64 { d, .. }
            | Op::NeF64 { d, .. }
            | Op::LtF64 { d, .. }
            | Op::LeF64 { d, .. }
            | Op::EqF32 { d, .. }
            | Op::NeF32 { d, .. }
            | Op::LtF32 { d, .. }
            | Op::LeF32 { d, .. }
            | Op::SExt { d, .. }
            | Op::ZExt { d, .. }
            | Op::I64F64 { d, .. }
            | Op::U64F64 { d, .. }
            | Op::I64F32 { d, .. }
            | Op::U64F32 { d, .. }
            | Op::F64I { d, .. }
            | Op::F64U { d, .. }
            | Op::F32F64 { d, .. }
            | Op::F64F32 { d, .. }
            | Op::PtrToInt { d, .. }
            | Op::IntToPtr { d, .. }
            | Op::PtrAdd { d, .. }
            | Op::PtrAddI { d, .. }
            | Op::PtrDiff { d, .. }
            | Op::Load8 { d, .. }
            | Op::Load8u { d, .. }
            | Op::Load16 { d, .. }
            | Op::Load16u { d, .. }
            | Op::Load32 { d, .. }
            | Op::Load32u { d, .. }
            | Op::Load64 { d, .. }
            | Op::LoadPtr { d, .. }
            | Op::LoadX8 { d, .. }
            | Op::LoadX8u { d, .. }
            | Op::LoadX16 { d, .. }
            | Op::LoadX16u { d, .. }
            | Op::LoadX32 { d, .. }
            | Op::LoadX32u { d, .. }
            | Op::LoadX64 { d, .. }
            | Op::LoadXPtr { d, .. }
            | Op::Select { d, .. }
            | Op::Select2 { d, .. } => Some(d),
            _ => None,
        }
    }

    /// Where a jump leads.
    pub fn target(&mut self) -> Option<&mut u32> {
        match self {
            Op::Jump { x }
            | Op::JumpNonZero { x, .. }
            | Op::JumpZero { x, .. }
            | Op::JumpEq { x, .. }
            | Op::JumpNe { x, .. }
            | Op::JumpLtS { x, .. }
            | Op::JumpLeS { x, .. }
            | Op::JumpLtU { x, .. }
            | Op::JumpLeU { x, .. }
            | Op::JumpEqI { x, .. }
            | Op::JumpNeI { x, .. }
            | Op::JumpLtSI { x, .. }
            | Op::JumpLeSI { x, .. }
            | Op::JumpGtSI { x, .. }
            | Op::JumpGeSI { x, .. } => Some(x),
            _ => None,
        }
    }
}

/// What an operation outside the fast loop does, and what must hold for it.
#[derive(Debug)]
pub struct Site {
    /// In the order in which they are judged.
    pub obligations: Vec<ObligationId>,
    /// What then happens.
    pub action: Action,
}

/// What happens at a site once its obligations are judged.
#[derive(Debug)]
pub enum Action {
    /// Nothing more.
    Nothing,
    /// The node of the expression is computed from its operands.
    Node { d: Reg, expr: ExprId, operands: Vec<Reg> },
    /// A scalar is read.
    Load { d: Reg, rep: Rep, address: Address, bytes: u64, bits: Option<BitRange>, shadow: Option<Reg> },
    /// A scalar is written.
    Store { a: Reg, rep: Rep, address: Address, bytes: u64, bits: Option<BitRange> },
    /// The byte just written has the uninitialised bits of the one it was copied from.
    Taint { address: Address, shadow: Reg },
    /// An object is copied.
    Copy { to: Address, from: Address, bytes: u64 },
    /// An object is zeroed.
    Zero { to: Address, bytes: u64 },
    /// A memory local's storage begins, with its size in a slot if that is variable.
    Live { local: LocalId, d: Reg, bytes: Option<Reg> },
    /// A memory local's storage ends; `variable` if its size was counted when it began.
    Dead { d: Reg, variable: bool },
    /// An assumption.
    Assume { a: Reg },
    /// A register gets any value.
    HavocRegister { d: Reg, rep: Rep },
    /// A place gets any value.
    HavocPlace { to: Address, bytes: u64 },
    /// An intrinsic: its operands and result.
    Intrinsic { call: Box<IntrinsicCall>, operands: Vec<(Reg, Rep)>, result: Target },
    /// A region of unordered calls begins, goes on or ends.
    Unordered { marker: clew_ir::syntax::UnorderedMarker, obligation: ObligationId },
    /// A record is returned.
    ReturnObject { from: Address, bytes: u64 },
    /// `goto *a`.
    ComputedGoto { a: Reg, targets: Vec<(BlockId, u32)> },
    /// Cannot be run.
    Unsupported { what: String },
    /// No run comes here.
    Unreachable,
}

/// Where in memory.
#[derive(Clone, Copy, Debug)]
pub struct Address {
    /// The pointer.
    pub base: Reg,
    /// An index and what it is multiplied by.
    pub index: Option<(Reg, u32)>,
    /// Added.
    pub offset: i32,
}

/// Where a result goes.
#[derive(Clone, Copy, Debug)]
pub enum Target {
    /// Nowhere.
    None,
    /// Into registers.
    Register(Reg, Rep),
    /// Into memory: so many bytes.
    Place(Address, u64),
}

/// A call.
#[derive(Debug)]
pub struct CallSite {
    /// What is called.
    pub callee: CalleeSite,
    /// In order.
    pub arguments: Vec<ArgumentSite>,
    /// Where the result goes.
    pub result: Target,
    /// The type the call was made with.
    pub signature: TypeId,
}

/// What a call calls.
#[derive(Clone, Copy, Debug)]
pub enum CalleeSite {
    /// A function with a body.
    Body(FuncId),
    /// A function of the library.
    Native(FuncId),
    /// A pointer.
    Indirect(Reg),
}

/// An argument of a call.
#[derive(Clone, Copy, Debug)]
pub struct ArgumentSite {
    /// First slot: of the value, or of a pointer to the object.
    pub a: Reg,
    /// The value's form; `None` for an object.
    pub rep: Option<Rep>,
    /// Its type.
    pub ty: TypeId,
}

/// Where a `switch` goes.
#[derive(Debug)]
pub struct SwitchTable {
    /// The sign bit for unsigned values of 64 bits, whose order it turns into that of signed ones; else 0.
    pub flip: u64,
    /// Where no case fits.
    pub default: u32,
    /// The cases.
    pub cases: Cases,
}

/// The cases of a `switch`.
#[derive(Debug)]
pub enum Cases {
    /// By the value minus `first`.
    Dense { first: i64, targets: Vec<u32> },
    /// Inclusive ranges in order.
    Sparse(Vec<(i64, i64, u32)>),
}

/// How a parameter arrives.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// First slot: of the value, or of a pointer to the object to copy.
    pub d: Reg,
    /// The value's form; `None` for an object.
    pub rep: Option<Rep>,
}

/// A compiled function.
#[derive(Debug)]
pub struct Code {
    /// What runs.
    pub ops: Vec<Op>,
    /// Constants too long for an operation.
    pub pool: Vec<u64>,
    /// By operation.
    pub sites: FxHashMap<u32, Site>,
    /// The calls.
    pub calls: Vec<CallSite>,
    /// The switches.
    pub switches: Vec<SwitchTable>,
    /// How each parameter arrives.
    pub parameters: Vec<Parameter>,
    /// Whether unnamed arguments may follow.
    pub variadic: bool,
    /// The form of the result, if it is a scalar.
    pub result: Option<Rep>,
    /// Where each register local stands.
    pub locals: Vec<Option<(Reg, Rep)>>,
    /// Where the pointer to each memory local stands.
    pub memory_locals: Vec<Option<Reg>>,
    /// The slot that says whether a register local was assigned.
    pub flags: FxHashMap<LocalId, Reg>,
    /// Slots of a frame.
    pub slots: u32,
    /// Bytes of C stack that a call takes.
    pub stack_bytes: u64,
    /// The C text of each run of operations, by the first.
    pub spans: Vec<(u32, Span)>,
}

impl Code {
    /// The C text of an operation.
    pub fn span(&self, pc: u32) -> Span {
        let index = self.spans.partition_point(|(start, _)| *start <= pc);
        index.checked_sub(1).map_or(Span::NONE, |i| self.spans[i].1)
    }
}

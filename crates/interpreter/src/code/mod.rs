// SPDX-License-Identifier: MIT OR Apache-2.0
//! The compact form that functions are compiled to: operations on the registers of a frame.
//!
//! A register is a 64-bit slot. Integers up to 64 bits stand in it extended by their signedness, floats as their bits;
//! pointers (address, provenance), wider integers and wider floats take two neighbouring slots. Operations name slots
//! by `u16`, so the executor's window of 65,536 slots needs no bounds check.
//!
//! A fast operation answers only where nothing can be wrong. Wherever something may be, it leaves the fast loop and the
//! [`Site`] of that operation says what to judge and how to go on: the slow path is exact, the fast path is only quick.

mod op;

use clew_base::float::Format;
use clew_base::index::Idx;
use clew_base::int::IntType;
use clew_base::source::Span;
use clew_ir::syntax::{
    BitRange, BlockId, ExprId, FuncId, GlobalId, IntrinsicCall, LocalId, ObligationId, TypeId,
};
use clew_ir::types::Class;
use rustc_hash::FxHashMap;

use crate::probe::Sight;
pub use op::Op;

/// What `&&label` is: a number that only `goto *` understands.
pub fn label_address(function: FuncId, block: BlockId) -> u64 {
    const LABELS: u64 = 0x0001_0000_0000;
    LABELS + ((function.index() as u64) << 20) + ((block.index() as u64) << 4)
}

/// Whether a function of this name may return twice.
pub fn is_setjmp(name: &str) -> bool {
    matches!(name, "setjmp" | "_setjmp" | "sigsetjmp" | "__sigsetjmp" | "__builtin_setjmp")
}

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

    /// The class of the values.
    pub fn class(self) -> Class {
        match self {
            Rep::Int(int) | Rep::Wide(int) => Class::Int(int),
            Rep::Float(format) | Rep::WideFloat(format) => Class::Float(format),
            Rep::Pointer => Class::Pointer,
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
    /// A register local begins to live: the host may say what it holds.
    Unwritten { local: LocalId, d: Reg, rep: Rep },
    /// A volatile input is read next: the host may say what it says.
    ReadVolatileInput { global: GlobalId, class: Class },
    /// A probe is shown something.
    Show(Sight),
    /// The observer looks at the state where a block begins.
    Observe { block: BlockId },
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
    /// Whether arguments and result have exactly the form that the signature asks for. Then a callee of that very type
    /// finds them where it expects them: parameter slots follow each other from the first on.
    pub conforming: bool,
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
    /// The function's type.
    pub ty: TypeId,
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
    /// The statements that calls and intrinsics came from, by operation.
    pub places: Vec<(u32, BlockId, u32)>,
}

impl Code {
    /// The C text of an operation.
    pub fn span(&self, pc: u32) -> Span {
        let index = self.spans.partition_point(|(start, _)| *start <= pc);
        index.checked_sub(1).map_or(Span::NONE, |i| self.spans[i].1)
    }

    /// The statement that a call or an intrinsic came from.
    pub fn place(&self, pc: u32) -> Option<(BlockId, u32)> {
        let index = self.places.binary_search_by_key(&pc, |place| place.0).ok()?;
        Some((self.places[index].1, self.places[index].2))
    }
}

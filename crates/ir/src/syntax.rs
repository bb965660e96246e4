// SPDX-License-Identifier: MIT OR Apache-2.0
//! The IR: types only, with the meaning on each variant.
//!
//! A [`Program`] is what one link makes: types, globals, functions. A function with a body is a control-flow
//! graph of [`Block`]s over typed [`Local`]s. Expressions are *pure* trees in an arena of the function: they
//! read register locals and constants and nothing else, so evaluating one twice gives the same value as long as
//! no local in it is assigned between. Everything that touches memory is a statement. Every operation that can
//! go wrong is preceded by a [`StatementKind::Check`] that names its obligations; an expression evaluated
//! without its check has the machine's meaning (wrap-around, the hardware's answer).
//!
//! What this file must not know: rucc, any particular engine, any report format.

use std::sync::Arc;

use clew_base::float::Format;
use clew_base::index::IndexVec;
use clew_base::index_types;
use clew_base::source::{SourceMap, Span};
use serde::{Deserialize, Serialize};

use crate::obligation::Obligation;

index_types! {
    /// A type of the program.
    #[derive(Serialize, Deserialize)]
    TypeId = "t";
    /// A struct or union of the program.
    #[derive(Serialize, Deserialize)]
    RecordId = "r";
    /// An object with static storage duration, string literals among them.
    #[derive(Serialize, Deserialize)]
    GlobalId = "@g";
    /// A function, with a body or without.
    #[derive(Serialize, Deserialize)]
    FuncId = "@f";
    /// A local of a function: a register or a memory object.
    #[derive(Serialize, Deserialize)]
    LocalId = "%";
    /// A node of a function's expression arena.
    #[derive(Serialize, Deserialize)]
    ExprId = "e";
    /// A basic block of a function. `b0` is the entry.
    #[derive(Serialize, Deserialize)]
    BlockId = "b";
    /// An obligation of a function.
    #[derive(Serialize, Deserialize)]
    ObligationId = "o";
}

/// A linked program (or one translation unit before linking).
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Program {
    /// Facts about the machine.
    pub target: Target,
    /// Files and macro uses that spans refer to.
    pub sources: SourceMap,
    /// The types.
    pub types: IndexVec<TypeId, Type>,
    /// The structs and unions.
    pub records: IndexVec<RecordId, Record>,
    /// The objects with static storage duration.
    pub globals: IndexVec<GlobalId, Global>,
    /// The functions.
    pub functions: IndexVec<FuncId, Function>,
    /// Places outside functions that clew does not support, with the reason.
    pub unsupported: Vec<Unsupported>,
    /// Flags of the command line that change what operations mean.
    pub semantics: Semantics,
}

/// Facts about the machine the program is for.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Target {
    /// The compiler's name for it, such as `x86_64-linux-gnu`.
    pub triple: Arc<str>,
    /// Bytes of a pointer.
    pub pointer_bytes: u8,
    /// Whether plain `char` is signed.
    pub char_signed: bool,
    /// Bits of `int` and `long`.
    pub int_bits: u8,
    /// Bits of `long`.
    pub long_bits: u8,
    /// Format of `long double`.
    pub long_double: Format,
}

/// Flags that change what operations mean.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Semantics {
    /// `-fwrapv`: signed overflow wraps, and its check is Continue.
    pub wrapv: bool,
    /// `-ffast-math`: float obligations stay open.
    pub fast_math: bool,
    /// `-fno-math-errno`: functions of `<math.h>` may leave `errno` alone.
    pub no_math_errno: bool,
}

/// A place that clew does not support, and what it is.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Unsupported {
    /// Where.
    pub span: Span,
    /// What, for a person: `complex numbers`.
    pub what: Arc<str>,
}

/// A type. Structurally interned: equal types have equal ids.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Type {
    /// No value.
    Void,
    /// `_Bool`: one byte, 0 or 1.
    Bool,
    /// An integer of `bits` bits (1 to 128); enums are their underlying type. In memory it takes
    /// `bits` rounded up to 8, 16, 32, 64 or 128.
    Int { bits: u16, signed: bool },
    /// An IEEE or x87 float.
    Float(Format),
    /// A pointer. Its pointee says what the program declared, not what it points to.
    Pointer(TypeId),
    /// An array; `None` is an incomplete, flexible or variable-length one.
    Array { element: TypeId, length: Option<u64> },
    /// A struct or union.
    Record(RecordId),
    /// A function.
    Function { result: TypeId, parameters: Vec<TypeId>, variadic: bool, prototyped: bool },
    /// A type that clew does not support (complex, vector, decimal float, wide `_BitInt`): only its size is known.
    Opaque { bytes: u64, align: u32, what: Arc<str> },
}

/// A struct or union, laid out.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Record {
    /// The tag or typedef name, if there is one.
    pub name: Option<Arc<str>>,
    /// Whether its members overlap.
    pub is_union: bool,
    /// Members in order; unnamed bit-fields are left out, anonymous members are members without a name.
    pub fields: Vec<Field>,
    /// Bytes.
    pub size: u64,
    /// Alignment in bytes.
    pub align: u32,
    /// Whether it was declared but never defined.
    pub incomplete: bool,
}

/// A member of a record.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Field {
    /// The name; `None` for an anonymous struct or union.
    pub name: Option<Arc<str>>,
    /// The declared type.
    pub ty: TypeId,
    /// Byte offset; for a bit-field, of the byte its first bit is in.
    pub offset: u64,
    /// For a bit-field, where in that byte it starts (0 to 7) and how many bits it has.
    pub bits: Option<BitRange>,
    /// Nobody may write it in an object that was declared, whatever the object is.
    pub is_const: bool,
}

/// Bits of memory from a byte on, counted from the least significant bit of the lowest address.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct BitRange {
    /// First bit, 0 to 7.
    pub start: u8,
    /// How many, 1 to 128.
    pub width: u8,
}

/// Who sees a name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Linkage {
    /// Every unit.
    External,
    /// Every unit, but another definition wins.
    Weak,
    /// Its own unit or function.
    Internal,
}

/// An object with static storage duration.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Global {
    /// Linkage name, unique in the program: static locals are `function.name`, string literals `.str.N`.
    pub name: Arc<str>,
    /// The name in the source, for messages.
    pub source_name: Arc<str>,
    /// Declared type.
    pub ty: TypeId,
    /// Bytes, with what an initialiser adds to a flexible array member.
    pub size: u64,
    /// Alignment in bytes.
    pub align: u32,
    /// Who sees the name.
    pub linkage: Linkage,
    /// What it is.
    pub kind: GlobalKind,
    /// Declared const: a store is `write-to-const`.
    pub is_const: bool,
    /// `_Thread_local`.
    pub thread_local: bool,
    /// Start value. `None`: only declared here (its definition is in no file of this program).
    pub init: Option<Init>,
    /// `alias("name")`: this name is that object.
    pub alias: Option<Arc<str>>,
    /// Where it was declared.
    pub span: Span,
}

impl Global {
    /// Whether it is what models of the library keep for themselves: at any entry it is as at the start of the program.
    pub fn is_of_models(&self) -> bool {
        self.name.starts_with("__clew_")
    }

    /// Whether it is an object of the library's that programs hold and hand back, such as a standard stream. Models name
    /// theirs so; no program may.
    pub fn is_handle(&self) -> bool {
        self.name.starts_with("__clew_handle_")
    }
}

/// What a global is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum GlobalKind {
    /// A variable.
    Variable,
    /// A string literal. Writing to one is undefined.
    StringLiteral,
    /// Stands for a hardware register (`hardware.rs`): every read is an input, between the two numbers if they are given.
    Register { range: Option<(u64, u64)> },
}

/// Start value of a static object: zero everywhere, then `bytes`, then the addresses.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Init {
    /// The bytes from offset 0; the rest of the object is zero. Shorter than the object where its tail is zero.
    pub bytes: Vec<u8>,
    /// Addresses that the linker fills in, by offset.
    pub relocations: Vec<Relocation>,
    /// A tentative definition (`int x;`): a real one elsewhere wins, several are one.
    pub tentative: bool,
}

/// An address in a static initialiser.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Relocation {
    /// Where in the object.
    pub offset: u64,
    /// Bytes written (pointer size, or less for label differences).
    pub bytes: u8,
    /// What.
    pub target: Address,
    /// Bytes added.
    pub addend: i64,
    /// For `&&a - &&b`: the label that is subtracted.
    pub minus: Option<Address>,
}

/// Something that has an address known before the program runs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Address {
    /// A global.
    Global(GlobalId),
    /// A function.
    Function(FuncId),
    /// A label of a function, for computed goto.
    Label(FuncId, BlockId),
}

/// A function.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Function {
    /// Linkage name, unique in the program.
    pub name: Arc<str>,
    /// The name in the source, for messages.
    pub source_name: Arc<str>,
    /// A [`Type::Function`].
    pub ty: TypeId,
    /// Who sees the name.
    pub linkage: Linkage,
    /// Attributes that matter.
    pub attributes: Attributes,
    /// `alias("name")`: this name is that function.
    pub alias: Option<Arc<str>>,
    /// Requires, ensures, assigns.
    pub contract: Contract,
    /// The code; `None` when no file of the program defines it.
    pub body: Option<Body>,
    /// Where its name stands.
    pub span: Span,
}

/// Attributes of a function that change what a program does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Attributes {
    /// It does not return.
    pub noreturn: bool,
    /// It returns twice (`setjmp`).
    pub returns_twice: bool,
    /// Runs before main, with its priority.
    pub constructor: Option<u16>,
    /// Runs after main, with its priority.
    pub destructor: Option<u16>,
    /// Declared without a visible declaration (implicit int f()).
    pub implicit: bool,
    /// An inline definition: an external one of another unit may be called instead.
    pub inline: bool,
    /// Runs at any time, between any two operations of the rest: a handler of interrupts.
    pub interrupt: bool,
    /// The parameters that callers promise not to be null (`nonnull`, `[static 3]`), one bit each.
    pub nonnull: u64,
    /// Some of them lead to so many elements at least.
    pub elements: u64,
    /// Callers promise more than is known here: `[static n]`.
    pub demanding: bool,
    /// The parameters that point to something const, one bit each; those behind the 64th count as such.
    pub reads_only: u64,
}

/// What a function demands and promises; the slot for preconditions and inferred contracts.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Contract {
    /// Conditions that callers ensure, over the parameters, as expressions of the body's arena.
    pub requires: Vec<ExprId>,
    /// Conditions that hold on return.
    pub ensures: Vec<ExprId>,
    /// What it may write; `None` means anything.
    pub assigns: Option<Vec<Place>>,
}

/// The code of a function.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Body {
    /// Parameters first, in order, then the others.
    pub locals: IndexVec<LocalId, Local>,
    /// How many of the locals are parameters. Each parameter arrives in its local: by value in a register,
    /// or copied into the memory object.
    pub parameters: u32,
    /// The expression arena. An operand comes before its user.
    pub exprs: IndexVec<ExprId, Expr>,
    /// The obligations that checks refer to.
    pub obligations: IndexVec<ObligationId, Obligation>,
    /// The blocks; `b0` is the entry and has no predecessor.
    pub blocks: IndexVec<BlockId, Block>,
}

/// A local variable or a temporary.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Local {
    /// The name in the source; `None` for a temporary.
    pub name: Option<Arc<str>>,
    /// The type.
    pub ty: TypeId,
    /// Register or memory.
    pub storage: Storage,
    /// Where it was declared.
    pub span: Span,
}

/// Where a local lives.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Storage {
    /// A scalar whose address is never taken: expressions read it, `Assign` and the like write it.
    /// It is uninitialised until first assigned after each `StorageLive`.
    Register,
    /// An object in memory, alive between `StorageLive` and `StorageDead` (a parameter: from entry to return).
    Memory {
        /// Alignment in bytes.
        align: u32,
        /// Declared const.
        is_const: bool,
    },
}

/// A pure expression.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its type: `Bool`, `Int`, `Float` or `Pointer`.
    pub ty: TypeId,
    /// The C text it came from. For a rounding operation this is its site.
    pub span: Span,
}

/// What an expression computes.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum ExprKind {
    /// An integer, boolean or pointer constant in the canonical form of its type
    /// (sign-extended if signed, zero-extended if not). A pointer constant has no provenance.
    Int(i128),
    /// A float constant with the source's own spelling, where it has one.
    Float { bits: u128, text: Option<Arc<str>> },
    /// The value of a register local.
    Local(LocalId),
    /// The address of a place. Pure: nothing is read (its indices and base are expressions).
    AddressOf(Box<Place>),
    /// The address of a function.
    Function(FuncId),
    /// The address of a label of this function (`&&label`).
    Label(BlockId),
    /// One operand; operand and result have the same type.
    Unary(UnaryOp, ExprId),
    /// Two operands of the result's type (for shifts the right one may differ).
    Binary(BinaryOp, ExprId, ExprId),
    /// Compares two values of one type; the result is `int` 0 or 1. Floats: unordered makes all but `Ne` false.
    /// Pointers compare as unsigned addresses.
    Compare(CompareOp, ExprId, ExprId),
    /// Conversion between scalar types: by the two types' kinds. To `Bool`: compares with zero. Integer to integer
    /// wraps. Float to integer truncates (out of range: the hardware's answer). Pointer to integer exposes the
    /// provenance, integer to pointer recovers it.
    Cast(ExprId),
    /// `pointer + index * stride` in bytes; the index has any integer type and is extended by its signedness.
    /// The result keeps the pointer's provenance, wherever it points.
    PointerAdd { pointer: ExprId, index: ExprId, stride: u64 },
    /// `(left - right) / stride` for two pointers, as a signed integer of pointer size.
    PointerDifference { left: ExprId, right: ExprId, stride: u64 },
    /// 1 if the exact result of the operation (`Add`, `Sub`, `Mul`) on the two values, each in its own integer type,
    /// does not fit `of`, else 0 (`__builtin_add_overflow`).
    Overflows { op: BinaryOp, left: ExprId, right: ExprId, of: TypeId },
    /// A function of bits or of a float that needs no library.
    Builtin(Builtin, Vec<ExprId>),
    /// `then` if the condition (an `int` or `Bool`) is not zero, else `otherwise`. Both are evaluated: pure.
    Select { condition: ExprId, then: ExprId, otherwise: ExprId },
}

/// Operators on one operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum UnaryOp {
    /// `-x`; floats flip the sign bit.
    Neg,
    /// `~x`.
    Not,
}

/// Operators on two operands: integers by their type's signedness, floats by format.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum BinaryOp {
    /// Wraps.
    Add,
    /// Wraps.
    Sub,
    /// Wraps.
    Mul,
    /// Truncates towards zero. Division by zero has no machine value: its check must stand before.
    Div,
    /// C's `%` (integers only).
    Rem,
    /// Left shift; the count is taken modulo the width when out of range.
    Shl,
    /// Right shift, arithmetic for signed types.
    Shr,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
}

/// Comparisons.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum CompareOp {
    /// `==`.
    Eq,
    /// `!=`: true for unordered floats.
    Ne,
    /// `<`.
    Lt,
    /// `<=`.
    Le,
    /// `>`.
    Gt,
    /// `>=`.
    Ge,
}

/// Functions of bits and floats that need no library.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Builtin {
    /// Leading zeros (undefined for 0: checked before); result `int`, counted at the operand's width.
    Clz,
    /// Trailing zeros (undefined for 0).
    Ctz,
    /// Set bits.
    Popcount,
    /// Set bits modulo 2.
    Parity,
    /// 1 + index of the lowest set bit, 0 for 0.
    Ffs,
    /// Redundant sign bits.
    Clrsb,
    /// Bytes reversed; result has the operand's type.
    Bswap,
    /// Is a NaN.
    IsNan,
    /// Is an infinity.
    IsInf,
    /// 1, -1 or 0.
    IsInfSign,
    /// Is finite.
    IsFinite,
    /// Is normal.
    IsNormal,
    /// Sign bit set.
    SignBit,
    /// Either is a NaN.
    IsUnordered,
    /// `a < b || a > b`.
    IsLessGreater,
    /// Sign bit cleared.
    Fabs,
    /// First operand with the second's sign.
    CopySign,
}

/// A place in memory: a base and steps from it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Place {
    /// Where it starts.
    pub base: PlaceBase,
    /// Steps, outermost first.
    pub projections: Vec<Projection>,
    /// The type of what stands there.
    pub ty: TypeId,
}

/// The start of a place.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum PlaceBase {
    /// A memory local.
    Local(LocalId),
    /// A global.
    Global(GlobalId),
    /// What a pointer points to.
    Deref(ExprId),
}

/// A step from an enclosing object to a part of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Projection {
    /// A member: `record.fields[field]`. A bit-field step is the last one.
    Field { record: RecordId, field: u32 },
    /// An array element: `index * stride` bytes further. The index has any integer type. `length` is that of the
    /// declared array where the element must lie inside it.
    Index { index: ExprId, stride: u64, length: Option<u64> },
}

/// How an access is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct AccessFlags {
    /// Through a volatile type.
    pub volatile: bool,
    /// Through an atomic type or builtin (an ordinary access here: programs are sequential).
    pub atomic: bool,
    /// The loaded value is only copied on (a character copy): uninitialised bits travel with it and no
    /// initialised-check stands before.
    pub copies: bool,
}

/// A basic block.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Block {
    /// In order.
    pub statements: Vec<Statement>,
    /// How it ends.
    pub terminator: Terminator,
    /// Where the terminator came from.
    pub span: Span,
}

/// A statement and the C text it came from.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Statement {
    /// What it does.
    pub kind: StatementKind,
    /// The C text.
    pub span: Span,
}

/// What a statement does.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum StatementKind {
    /// The obligations `first .. first + count` must hold here, in that order.
    Check { first: ObligationId, count: u32 },
    /// A register local gets a value of its type.
    Assign { local: LocalId, value: ExprId },
    /// A register local gets what stands in memory. A bit-field place is extended to its type.
    Load { local: LocalId, place: Box<Place>, flags: AccessFlags },
    /// Memory gets a value. A bit-field place keeps its neighbours.
    Store { place: Box<Place>, value: ExprId, flags: AccessFlags },
    /// Copies an object of `to.ty` (a record, array or opaque type), uninitialised bits included.
    Copy { to: Box<Place>, from: Box<Place>, flags: AccessFlags },
    /// Fills an object of `place.ty` with zero bytes.
    Zero { place: Box<Place> },
    /// The storage of a local begins: a register becomes uninitialised; a memory object comes into being,
    /// uninitialised, `bytes` long if it is variable-length, else as long as its type.
    StorageLive { local: LocalId, bytes: Option<ExprId> },
    /// The storage of a local ends: pointers to it dangle.
    StorageDead { local: LocalId },
    /// Only runs in which the expression is not zero go on.
    Assume { condition: ExprId },
    /// The register local or memory place gets any value of its type.
    Havoc { target: HavocTarget },
    /// A call. Arguments were evaluated before.
    Call(Box<Call>),
    /// An operation on the machine that is not a function.
    Intrinsic(Box<IntrinsicCall>),
    /// Inline assembler: everything in `outputs` becomes any value; with `memory`, so does all that has escaped.
    Assembler {
        text: Arc<str>,
        outputs: Vec<Place>,
        registers: Vec<LocalId>,
        inputs: Vec<ExprId>,
        memory: bool,
    },
    /// Calls of one full expression that C leaves unordered. `Begin` opens a region, `Next` stands between its
    /// parts, `Back` where the one before goes on, `End` closes it: parts that touch the same bytes, one writing, violate the obligation
    /// (`order-dependent`).
    Unordered { marker: UnorderedMarker, obligation: ObligationId },
    /// Code that clew does not support: nothing is known after it.
    Unsupported { what: Arc<str> },
}

/// Where in a region of unordered calls a marker stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum UnorderedMarker {
    /// Before the first part.
    Begin,
    /// Between two parts.
    Next,
    /// The part before this one goes on: `a[f()] = g(h())` calls `h`, then `f`, then `g`.
    Back,
    /// After the last part.
    End,
}

/// What a havoc changes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum HavocTarget {
    /// A register local.
    Local(LocalId),
    /// A place of any type.
    Place(Place),
}

/// A call.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Call {
    /// Where the result goes, if anywhere.
    pub result: Option<CallResult>,
    /// What is called.
    pub callee: Callee,
    /// The arguments in order, already converted.
    pub arguments: Vec<Argument>,
    /// The function type the call was made with.
    pub signature: TypeId,
}

/// Where a call's result goes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum CallResult {
    /// A scalar, into a register local.
    Local(LocalId),
    /// A record, into memory.
    Place(Place),
}

/// What is called.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Callee {
    /// A function by name.
    Direct(FuncId),
    /// A function pointer.
    Indirect(ExprId),
}

/// An argument.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Argument {
    /// A scalar.
    Value(ExprId),
    /// A record by value: its bytes are copied.
    Object(Place),
}

/// An operation on the machine that is not a function.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct IntrinsicCall {
    /// Which.
    pub op: Intrinsic,
    /// Register local that gets the result, for those that have one.
    pub result: Option<CallResult>,
    /// Operands.
    pub arguments: Vec<ExprId>,
}

/// The intrinsics. `list` operands are pointers to a `va_list`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Intrinsic {
    /// `(list)`: starts a list at the first unnamed argument of this call.
    VaStart,
    /// `(list) -> value` of the given type; records arrive through a place result.
    VaArg(TypeId),
    /// `(list)`.
    VaEnd,
    /// `(to, from)`.
    VaCopy,
    /// `(bytes) -> pointer` to a stack object that lives until the function returns.
    Alloca,
    /// `() -> pointer`: `__builtin_frame_address(0)`; only its being non-null is promised.
    FrameAddress,
    /// `() -> pointer`: `__builtin_return_address(0)`.
    ReturnAddress,
    /// `(pointer, kind) -> size`: `__builtin_object_size` where the compiler does not know: -1 or 0 as gcc -O0 says.
    ObjectSize,
    /// `(answer) -> answer`: what gcc -O0 answers; a compiler that optimises may know better (`__builtin_constant_p`).
    Optimised,
    /// `()`: `__builtin_trap`: the program is killed here.
    Trap,
    // What follows is for library models (models/libc): each engine implements it once.
    /// `(to, from, n)`: copies n bytes, as if by a temporary.
    CopyBytes,
    /// `(to, byte, n)`: fills n bytes.
    FillBytes,
    /// `(to, n)`: any bytes.
    HavocBytes,
    /// `(p) -> index` of the first NUL at or after p.
    NulPosition,
    /// `(bytes) -> pointer` to a new heap object, uninitialised; never null.
    Allocate,
    /// `(p)`: the heap object that starts there dies.
    Release,
    /// `(bytes, shared) -> pointer` to a new object that belongs to the library: the program may neither write nor free it.
    /// With `shared` (a constant that is not zero), it may be one with any other such object.
    Own,
    /// `(p) -> bytes`: the size of the live object that p points into, as it was asked for.
    SizeOfObject,
    /// `(x) -> the square root`, rounded to nearest.
    SquareRoot,
    /// `(x, y) -> x - n * y`, with `n` the quotient truncated: C's `fmod`, which is exact.
    FloatRemainder,
    /// `(x, y, z) -> x * y + z`, rounded to nearest once.
    MultiplyAdd,
    /// `(how, from, descriptor, bytes, n)`: bytes that came from outside, and how they stand there. Of account for witnesses only.
    Came,
    /// `(condition)`: what most runs do. Of account for witnesses only.
    Likely,
}

/// How a block ends.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Terminator {
    /// Goes on there.
    Goto(BlockId),
    /// Two ways by an `int`, `Bool` or other integer: not zero is true.
    Branch { condition: ExprId, then: BlockId, otherwise: BlockId },
    /// Many ways by an integer. Ranges are inclusive, do not overlap, and are in the canonical form of its type.
    Switch { value: ExprId, cases: Vec<(i128, i128, BlockId)>, default: BlockId },
    /// Returns: nothing, a scalar, or the record that stands in a place.
    Return(Option<Argument>),
    /// No run comes here (after a noreturn call, or past a check that always fails).
    Unreachable,
    /// `goto *address`; the targets are all labels of the function whose address is taken.
    ComputedGoto { address: ExprId, targets: Vec<BlockId> },
}

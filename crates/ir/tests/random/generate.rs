// SPDX-License-Identifier: MIT OR Apache-2.0
//! Makes a well-formed program from a seed: every kind of expression, place, statement, condition and terminator.

use clew_base::float::Format;
use clew_base::source::{FileId, MacroId, MacroUse, SourceFile, Span};
use clew_ir::obligation::{CheckKind, Condition, Obligation, Raise};
use clew_ir::syntax::*;
use clew_ir::types::{Class, TypeTable, Types, WellKnown};

/// Choices that follow from a seed alone.
struct Random(fastrand::Rng);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0.usize(..limit.max(1))
    }

    fn chance(&mut self, one_in: usize) -> bool {
        self.below(one_in) == 0
    }

    fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }

    fn span(&mut self) -> Span {
        if self.chance(4) {
            return Span::NONE;
        }
        let start = self.below(90) as u32;
        let expansion = self.chance(5).then_some(MacroId(0));
        Span { file: FileId(self.below(2) as u32), start, end: start + self.below(9) as u32, expansion }
    }
}

/// The program of a seed.
pub fn program(seed: u64) -> Program {
    let mut random = Random(fastrand::Rng::with_seed(seed));
    let target = Target::x86_64_linux();
    let mut table = TypeTable::new();
    let known = table.well_known(&target);
    let record = record(&mut table, &known);
    let scalars = scalars(&mut table, &known);
    let signature = table.function(known.int, vec![known.int, known.char_pointer], false);
    let variadic = table.function(known.int, vec![known.char_pointer], true);
    table.pointer(signature);
    table.pointer(variadic);
    let ints = table.array(known.int, Some(4));
    let vla = table.array(known.int, None);
    let all: Vec<TypeId> = table.types().indices().collect();
    for ty in all {
        table.pointer(ty);
    }
    let mut program = Program::new(target);
    (program.types, program.records) = table.into_parts();
    program.sources.files.push(SourceFile::new("a.c", vec![b'\n'; 100].into()));
    program.sources.files.push(SourceFile::new("b \"quoted\".h", vec![b'\n'; 100].into()));
    program.sources.macros.push(MacroUse { name: "M".into(), spelling: random.span(), parent: None });
    for i in 0..3 {
        let ty = random.pick(&[known.int, record, ints, known.char_pointer]);
        program.globals.push(global(&mut random, &program.types(), i, ty));
    }
    program.functions.push(external(&mut random, "printf", variadic));
    for name in ["first", "second"] {
        let mut function = external(&mut random, name, signature);
        let shape = Shape { known, record, scalars: &scalars, vla };
        function.body = Some(Builder::new(&program, &mut random, shape).body());
        program.functions.push(function);
    }
    program
}

fn record(table: &mut TypeTable, known: &WellKnown) -> TypeId {
    let field = |name: &str, ty, offset, bits| Field {
        name: Some(name.into()),
        ty,
        offset,
        bits,
        is_const: offset == 4,
    };
    let bits = Some(BitRange { start: 3, width: 11 });
    let fields = vec![
        field("a", known.int, 0, None),
        field("bits", known.unsigned, 4, bits),
        field("p", known.char_pointer, 8, None),
    ];
    let record =
        Record { name: Some("S".into()), is_union: false, fields, size: 16, align: 8, incomplete: false };
    let record = table.add_record(record);
    table.record(record)
}

fn scalars(table: &mut TypeTable, known: &WellKnown) -> Vec<TypeId> {
    let mut scalars =
        vec![known.int, known.unsigned, known.long, known.double, known.char_pointer, known.bool];
    scalars.extend([table.int(128, true), table.int(8, false), table.int(17, true)]);
    scalars.extend([table.float(Format::F32), table.float(Format::X87), table.float(Format::F128)]);
    scalars
}

fn global(random: &mut Random, types: &Types<'_>, number: usize, ty: TypeId) -> Global {
    let size = types.size_of(ty);
    let mut init = Init { bytes: vec![7; random.below(size as usize + 1)], ..Init::default() };
    if size >= 8 && random.chance(2) {
        let target = random.pick(&[Address::Global(GlobalId(0)), Address::Function(FuncId(0))]);
        init.relocations.push(Relocation { offset: size - 8, bytes: 8, target, addend: 3, minus: None });
    }
    Global {
        name: format!("global{number}").into(),
        source_name: "x".into(),
        ty,
        size,
        align: types.align_of(ty),
        linkage: random.pick(&[Linkage::External, Linkage::Internal]),
        kind: GlobalKind::Variable,
        is_const: random.chance(3),
        thread_local: false,
        init: (number != 2).then_some(init),
        alias: None,
        span: random.span(),
    }
}

fn external(random: &mut Random, name: &str, ty: TypeId) -> Function {
    Function {
        name: name.into(),
        source_name: name.into(),
        ty,
        linkage: Linkage::External,
        attributes: Attributes::default(),
        alias: None,
        contract: Contract::default(),
        body: None,
        span: random.span(),
    }
}

struct Shape<'a> {
    known: WellKnown,
    record: TypeId,
    scalars: &'a [TypeId],
    vla: TypeId,
}

struct Builder<'a> {
    program: &'a Program,
    random: &'a mut Random,
    shape: Shape<'a>,
    body: Body,
}

const BLOCKS: usize = 5;
const MEMORY: LocalId = LocalId(2);
const VLA: LocalId = LocalId(3);

impl<'a> Builder<'a> {
    fn new(program: &'a Program, random: &'a mut Random, shape: Shape<'a>) -> Builder<'a> {
        Builder { program, random, shape, body: Body::default() }
    }

    fn body(mut self) -> Body {
        let known = self.shape.known;
        let memory = |align| Storage::Memory { align, is_const: false };
        self.local(Some("n"), known.int, Storage::Register);
        self.local(Some("odd name"), known.char_pointer, Storage::Register);
        self.local(Some("s"), self.shape.record, memory(8));
        self.local(None, self.shape.vla, memory(4));
        let scalars = self.shape.scalars;
        for &ty in scalars {
            let name = self.random.chance(2).then_some("x");
            self.local(name, ty, Storage::Register);
        }
        self.body.parameters = 2;
        for number in 0..BLOCKS {
            let statements = (0..self.random.below(7)).map(|_| self.statement()).collect();
            let terminator = self.terminator(number);
            let span = self.random.span();
            self.body.blocks.push(Block { statements, terminator, span });
        }
        self.body
    }

    fn local(&mut self, name: Option<&str>, ty: TypeId, storage: Storage) {
        let span = self.random.span();
        self.body.locals.push(Local { name: name.map(Into::into), ty, storage, span });
    }

    fn push(&mut self, kind: ExprKind, ty: TypeId) -> ExprId {
        let span = self.random.span();
        self.body.exprs.push(Expr { kind, ty, span })
    }

    /// A register of the type.
    fn register(&mut self, ty: TypeId) -> LocalId {
        let fitting: Vec<LocalId> = self
            .body
            .locals
            .iter_enumerated()
            .filter(|(_, l)| l.storage == Storage::Register && l.ty == ty)
            .map(|(id, _)| id)
            .collect();
        self.random.pick(&fitting)
    }

    fn scalar(&mut self) -> TypeId {
        self.random.pick(self.shape.scalars)
    }

    fn class(&self, ty: TypeId) -> Class {
        self.program.types().class(ty)
    }

    /// An integer constant, in the canonical form of the type.
    fn constant(&mut self, ty: TypeId) -> ExprId {
        let value = match self.program.types().int_type(ty) {
            Some(int) => {
                let wide = i128::from(self.random.0.i64(..)) << self.random.below(70);
                ExprKind::Int(int.wrap(if self.random.chance(2) { wide } else { wide % 10 }))
            }
            None => {
                let text = self.random.chance(2).then(|| "1.5".into());
                let bits = u128::from(self.random.0.u32(..));
                ExprKind::Float { bits, text }
            }
        };
        self.push(value, ty)
    }

    /// An expression of the type; an earlier one now and then, so that nodes are shared.
    fn expr(&mut self, ty: TypeId, depth: u32) -> ExprId {
        if self.random.chance(5) {
            let same: Vec<ExprId> =
                self.body.exprs.iter_enumerated().filter(|(_, e)| e.ty == ty).map(|(id, _)| id).collect();
            if !same.is_empty() {
                return self.random.pick(&same);
            }
        }
        if depth == 0 || self.random.chance(4) {
            if self.random.chance(2) {
                return self.constant(ty);
            }
            let local = self.register(ty);
            return self.push(ExprKind::Local(local), ty);
        }
        let kind = match self.class(ty) {
            Class::Pointer => self.pointer(depth - 1),
            Class::Float(_) => self.float(ty, depth - 1),
            _ => self.integer(ty, depth - 1),
        };
        self.push(kind, ty)
    }

    fn integer(&mut self, ty: TypeId, depth: u32) -> ExprKind {
        let known = self.shape.known;
        let is_bool = ty == known.bool;
        let other = self.scalar();
        match self.random.below(if ty == known.int { 12 } else { 6 }) {
            0 if !is_bool => {
                ExprKind::Unary(self.random.pick(&[UnaryOp::Neg, UnaryOp::Not]), self.expr(ty, depth))
            }
            1 | 2 if !is_bool => {
                use BinaryOp::*;
                let op = self.random.pick(&[Add, Sub, Mul, Div, Rem, Shl, Shr, And, Or, Xor]);
                ExprKind::Binary(op, self.expr(ty, depth), self.expr(ty, depth))
            }
            3 => {
                let condition = self.expr(known.int, depth);
                ExprKind::Select { condition, then: self.expr(ty, depth), otherwise: self.expr(ty, depth) }
            }
            4 if ty == known.unsigned => ExprKind::Builtin(Builtin::Bswap, vec![self.expr(ty, depth)]),
            6 | 7 => {
                use CompareOp::*;
                let op = self.random.pick(&[Eq, Ne, Lt, Le, Gt, Ge]);
                ExprKind::Compare(op, self.expr(other, depth), self.expr(other, depth))
            }
            8 => {
                let op = self.random.pick(&[BinaryOp::Add, BinaryOp::Sub, BinaryOp::Mul]);
                let (left, right) = (self.expr(known.long, depth), self.expr(known.unsigned, depth));
                ExprKind::Overflows { op, left, right, of: known.int }
            }
            9 => {
                use Builtin::*;
                let builtin = self.random.pick(&[Clz, Ctz, Popcount, Parity, Ffs, Clrsb]);
                ExprKind::Builtin(builtin, vec![self.expr(known.long, depth)])
            }
            10 => {
                use Builtin::*;
                let builtin = self.random.pick(&[IsNan, IsInf, IsInfSign, IsFinite, IsNormal, SignBit]);
                ExprKind::Builtin(builtin, vec![self.expr(known.double, depth)])
            }
            11 => {
                let builtin = self.random.pick(&[Builtin::IsUnordered, Builtin::IsLessGreater]);
                ExprKind::Builtin(
                    builtin,
                    vec![self.expr(known.double, depth), self.expr(known.double, depth)],
                )
            }
            _ => ExprKind::Cast(self.expr(other, depth)),
        }
    }

    fn float(&mut self, ty: TypeId, depth: u32) -> ExprKind {
        match self.random.below(5) {
            0 => ExprKind::Unary(UnaryOp::Neg, self.expr(ty, depth)),
            1 => {
                let op = self.random.pick(&[BinaryOp::Add, BinaryOp::Sub, BinaryOp::Mul, BinaryOp::Div]);
                ExprKind::Binary(op, self.expr(ty, depth), self.expr(ty, depth))
            }
            2 => ExprKind::Builtin(Builtin::Fabs, vec![self.expr(ty, depth)]),
            3 => ExprKind::Builtin(Builtin::CopySign, vec![self.expr(ty, depth), self.expr(ty, depth)]),
            _ => {
                let from = self.random.pick(&[self.shape.known.int, self.shape.known.double]);
                ExprKind::Cast(self.expr(from, depth))
            }
        }
    }

    fn pointer(&mut self, depth: u32) -> ExprKind {
        let known = self.shape.known;
        match self.random.below(6) {
            0 => ExprKind::AddressOf(Box::new(self.place(known.int, depth))),
            1 => ExprKind::Function(FuncId(self.random.below(2) as u32)),
            2 => ExprKind::Label(BlockId(1 + self.random.below(BLOCKS - 1) as u32)),
            3 => ExprKind::Cast(self.expr(known.long, depth)),
            _ => {
                let pointer = self.expr(known.char_pointer, depth);
                ExprKind::PointerAdd { pointer, index: self.expr(known.long, depth), stride: 12 }
            }
        }
    }

    /// A place of a scalar type: a member, an element of the array, or behind a pointer.
    fn place(&mut self, ty: TypeId, depth: u32) -> Place {
        let known = self.shape.known;
        let Type::Record(record) = self.program.types[self.shape.record] else { unreachable!("a record") };
        match self.random.below(3) {
            0 if ty == known.int => {
                let projections = vec![Projection::Field { record, field: 0 }];
                Place { base: PlaceBase::Local(MEMORY), projections, ty }
            }
            1 if ty == known.int => {
                let index = self.expr(known.long, depth);
                let projections = vec![Projection::Index { index, stride: 4, length: Some(3) }];
                Place { base: PlaceBase::Local(VLA), projections, ty }
            }
            _ => {
                let pointer = self.expr(known.char_pointer, depth);
                Place { base: PlaceBase::Deref(pointer), projections: Vec::new(), ty }
            }
        }
    }

    fn object(&mut self) -> Place {
        let pointer = self.expr(self.shape.known.char_pointer, 1);
        let base = self.random.pick(&[PlaceBase::Local(MEMORY), PlaceBase::Deref(pointer)]);
        Place { base, projections: Vec::new(), ty: self.shape.record }
    }

    fn bit_field(&mut self) -> Place {
        let Type::Record(record) = self.program.types[self.shape.record] else { unreachable!("a record") };
        let mut place = self.object();
        place.projections.push(Projection::Field { record, field: 1 });
        place.ty = self.shape.known.unsigned;
        place
    }

    fn flags(&mut self) -> AccessFlags {
        let mut flag = || self.random.chance(4);
        AccessFlags { volatile: flag(), atomic: flag(), copies: flag() }
    }

    fn statement(&mut self) -> Statement {
        let known = self.shape.known;
        let ty = self.scalar();
        let kind = match self.random.below(17) {
            0 | 1 => self.check(),
            2 => StatementKind::Assign { local: self.register(ty), value: self.expr(ty, 3) },
            3 => {
                let place = Box::new(self.place(ty, 2));
                StatementKind::Load { local: self.register(ty), place, flags: self.flags() }
            }
            4 => {
                let place = Box::new(self.place(ty, 2));
                StatementKind::Store { place, value: self.expr(ty, 2), flags: self.flags() }
            }
            5 => {
                let place = Box::new(self.bit_field());
                let value = self.expr(known.unsigned, 2);
                StatementKind::Store { place, value, flags: self.flags() }
            }
            6 => StatementKind::Copy {
                to: Box::new(self.object()),
                from: Box::new(self.object()),
                flags: self.flags(),
            },
            7 => StatementKind::Zero { place: Box::new(self.object()) },
            8 => StatementKind::StorageLive { local: MEMORY, bytes: None },
            9 => StatementKind::StorageLive { local: VLA, bytes: Some(self.expr(known.long, 2)) },
            10 => StatementKind::StorageDead { local: self.random.pick(&[MEMORY, VLA]) },
            11 => StatementKind::Assume { condition: self.expr(known.int, 2) },
            12 => {
                let local = HavocTarget::Local(self.register(ty));
                let target = if self.random.chance(2) { local } else { HavocTarget::Place(self.object()) };
                StatementKind::Havoc { target }
            }
            13 => self.call(),
            14 => self.intrinsic(),
            15 => StatementKind::Assembler {
                text: " ".into(),
                outputs: vec![self.object()],
                registers: vec![self.register(ty)],
                inputs: vec![self.expr(ty, 1)],
                memory: self.random.chance(2),
            },
            _ => StatementKind::Load {
                local: self.register(known.unsigned),
                place: Box::new(self.bit_field()),
                flags: self.flags(),
            },
        };
        Statement { kind, span: self.random.span() }
    }

    fn call(&mut self) -> StatementKind {
        let known = self.shape.known;
        let result = self.random.chance(2).then(|| CallResult::Local(self.register(known.int)));
        let function = FuncId(0);
        let signature = self.program.functions[function].ty;
        let mut arguments = vec![Argument::Value(self.expr(known.char_pointer, 2))];
        if self.random.chance(2) {
            arguments.push(Argument::Object(self.object()));
            arguments.push(Argument::Value(self.expr(known.double, 2)));
        }
        let callee = match self.random.chance(2) {
            true => Callee::Direct(function),
            false => Callee::Indirect(self.expr(known.char_pointer, 1)),
        };
        StatementKind::Call(Box::new(Call { result, callee, arguments, signature }))
    }

    fn intrinsic(&mut self) -> StatementKind {
        let known = self.shape.known;
        let pointer = self.expr(known.char_pointer, 1);
        let local = CallResult::Local(self.register(known.char_pointer));
        let number = CallResult::Local(self.register(known.long));
        let bytes = self.expr(known.long, 1);
        let (op, result, arguments) = match self.random.below(8) {
            0 => (Intrinsic::Alloca, Some(local), vec![bytes]),
            1 => (Intrinsic::Trap, None, vec![]),
            2 => (Intrinsic::VaEnd, None, vec![pointer]),
            3 => (Intrinsic::VaCopy, None, vec![pointer, pointer]),
            4 => (Intrinsic::VaArg(known.long), Some(number), vec![pointer]),
            5 => (Intrinsic::VaArg(self.shape.record), Some(CallResult::Place(self.object())), vec![pointer]),
            6 => (Intrinsic::CopyBytes, None, vec![pointer, pointer, bytes]),
            _ => (Intrinsic::FrameAddress, Some(local), vec![]),
        };
        StatementKind::Intrinsic(Box::new(IntrinsicCall { op, result, arguments }))
    }

    fn check(&mut self) -> StatementKind {
        let first = self.body.obligations.next_index();
        let count = 1 + self.random.below(3) as u32;
        for _ in 0..count {
            let condition = self.condition();
            let obligation =
                Obligation { check: self.random.pick(CheckKind::ALL), condition, span: self.random.span() };
            self.body.obligations.push(obligation);
        }
        StatementKind::Check { first, count }
    }

    fn condition(&mut self) -> Condition {
        let known = self.shape.known;
        let p = self.expr(known.char_pointer, 2);
        let q = self.expr(known.char_pointer, 2);
        let n = self.expr(known.long, 2);
        match self.random.below(21) {
            0 => Condition::Holds(n),
            1 => Condition::Never,
            2 => Condition::NotRaised(
                Raise::DivisionByZero,
                self.push(ExprKind::Binary(BinaryOp::Div, n, n), known.long),
            ),
            3 => Condition::InitialisedLocal(self.register(known.int)),
            4 => Condition::NotNull(p),
            5 => Condition::Valid(p),
            6 => Condition::Live(p),
            7 => Condition::InBounds(Box::new(self.object())),
            8 => Condition::Writable(Box::new(self.object())),
            9 => Condition::Aligned(Box::new(self.object()), 8),
            10 => Condition::Initialised(Box::new(self.bit_field()), Some(BitRange { start: 3, width: 11 })),
            11 => Condition::AllocBase(p),
            12 => Condition::SameObject(p, q),
            13 => Condition::Disjoint { p, n, q, m: n },
            14 => Condition::ReadableRange(p, n),
            15 => Condition::WritableRange(p, n),
            16 => Condition::NulWithin(p),
            17 => Condition::Callable(p),
            18 => Condition::StackFits(n),
            19 => Condition::NotLeaked,
            20 => Condition::Unnamed(p, known.long),
            _ => Condition::ResultUnused,
        }
    }

    fn terminator(&mut self, number: usize) -> Terminator {
        let known = self.shape.known;
        let mut block = || BlockId(1 + self.random.below(BLOCKS - 1) as u32);
        let (a, b) = (block(), block());
        // The last block ends the function, so that something always does.
        match if number + 1 == BLOCKS { 0 } else { self.random.below(6) } {
            0 => Terminator::Return(Some(Argument::Value(self.expr(known.int, 2)))),
            1 => Terminator::Goto(a),
            2 => Terminator::Branch { condition: self.expr(known.int, 3), then: a, otherwise: b },
            3 => {
                let cases = vec![(-9, -2, a), (0, 0, b), (5, 70_000, a)];
                Terminator::Switch { value: self.expr(known.long, 2), cases, default: b }
            }
            4 => {
                let targets = (1..BLOCKS as u32).map(BlockId).collect();
                Terminator::ComputedGoto { address: self.expr(known.char_pointer, 2), targets }
            }
            _ => Terminator::Unreachable,
        }
    }
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! The fast operations against the exact meaning of expressions in `eval`: for every operation, type and a set of
//! awkward operands, both must give the same value and see the same violation.

use clew_base::float::{Float, Format};
use clew_base::index::{Idx, IndexVec};
use clew_base::int::IntType;
use clew_base::source::Span;
use clew_ir::obligation::{CheckKind, Condition, Obligation, Raise};
use clew_ir::syntax::{
    Argument, Attributes, BinaryOp, Block, BlockId, Body, CompareOp, Contract, Expr, ExprId, ExprKind,
    FuncId, Function, Linkage, Local, LocalId, ObligationId, Program, Statement, StatementKind, Storage,
    Target, Terminator, TypeId, UnaryOp,
};
use clew_ir::types::{Class, TypeTable};

use crate::eval::Context;
use crate::host::Captured;
use crate::machine::{Machine, Stop};
use crate::memory::Memory;
use crate::outcome::Options;
use crate::value::Value;

const INTS: [IntType; 6] =
    [IntType::I32, IntType::U32, IntType::I64, IntType::U64, IntType::I128, IntType::U128];
const OPS: [BinaryOp; 10] = [
    BinaryOp::Add,
    BinaryOp::Sub,
    BinaryOp::Mul,
    BinaryOp::Div,
    BinaryOp::Rem,
    BinaryOp::Shl,
    BinaryOp::Shr,
    BinaryOp::And,
    BinaryOp::Or,
    BinaryOp::Xor,
];
const COMPARES: [CompareOp; 6] =
    [CompareOp::Eq, CompareOp::Ne, CompareOp::Lt, CompareOp::Le, CompareOp::Gt, CompareOp::Ge];

/// Integers at the edges of a type, and a few inside.
fn edges(int: IntType) -> Vec<Value> {
    let around =
        [int.min(), int.max(), 0, 1, 2, 3, 7, 31, 32, 33, 63, 64, 100, -1, -2, -33, 0x7fff_ffff, 0x8000_0000];
    let mut all: Vec<i128> = around
        .iter()
        .flat_map(|v| [int.wrap(*v), int.wrap(v.wrapping_add(1)), int.wrap(v.wrapping_sub(1))])
        .collect();
    all.sort_unstable();
    all.dedup();
    all.into_iter().map(Value::Int).collect()
}

/// Floats at the edges of a format.
fn float_edges(format: Format) -> Vec<Value> {
    let plain = [0.0, 1.0, 0.1, 3.5, 1e10, 4_294_967_295.5, 9.3e18, 1.8e19, 1e300, 5e-324, 2_147_483_647.5];
    let special = [
        Float::infinity(format, false),
        Float::largest(format, false),
        Float::smallest_normal(format, false),
        Float::nan(format, false, 0),
        Float::nan(format, true, 5),
    ];
    let converted = plain.iter().map(|v| Value::f64(*v).as_float(format)).chain(special);
    converted.flat_map(|v| [Value::Float(v), Value::Float(-v)]).collect()
}

/// Functions of two parameters, each of one expression; with what it may raise as checks before.
struct Builder {
    program: Program,
    types: TypeTable,
}

impl Builder {
    fn new() -> Builder {
        Builder { program: Program::new(Target::x86_64_linux()), types: TypeTable::new() }
    }

    fn function(
        &mut self,
        parameters: [TypeId; 2],
        result: TypeId,
        kind: ExprKind,
        constant: Option<i128>,
    ) -> FuncId {
        let mut body = Body { parameters: 2, ..Body::default() };
        for ty in parameters {
            body.locals.push(Local { name: None, ty, storage: Storage::Register, span: Span::NONE });
            let local = ExprKind::Local(LocalId::new(body.locals.len() - 1));
            body.exprs.push(Expr { kind: local, ty, span: Span::NONE });
        }
        if let Some(value) = constant {
            body.exprs[ExprId(1)].kind = ExprKind::Int(value);
        }
        let root = body.exprs.push(Expr { kind, ty: result, span: Span::NONE });
        let raises = [
            (CheckKind::DivisionByZero, Raise::DivisionByZero),
            (CheckKind::SignedOverflow, Raise::SignedOverflow),
            (CheckKind::ShiftOutOfRange, Raise::ShiftRange),
            (CheckKind::FloatToInt, Raise::FloatToInt),
        ];
        let unsigned = self.types.view(&self.program.target).int_type(result).is_some_and(|int| !int.signed);
        for (check, raise) in raises {
            if !(unsigned && check == CheckKind::SignedOverflow) {
                body.obligations.push(Obligation {
                    check,
                    condition: Condition::NotRaised(raise, root),
                    span: Span::NONE,
                });
            }
        }
        let count = body.obligations.len() as u32;
        let check = StatementKind::Check { first: ObligationId(0), count };
        body.blocks.push(Block {
            statements: vec![Statement { kind: check, span: Span::NONE }],
            terminator: Terminator::Return(Some(Argument::Value(root))),
            span: Span::NONE,
        });
        let ty = self.types.function(result, parameters.to_vec(), false);
        let name = format!("f{}", self.program.functions.len());
        self.program.functions.push(Function {
            name: name.as_str().into(),
            source_name: name.as_str().into(),
            ty,
            linkage: Linkage::External,
            attributes: Attributes::default(),
            alias: None,
            contract: Contract::default(),
            body: Some(body),
            span: Span::NONE,
        })
    }

    /// Turns the last function, which returns a truth, into one that branches on it. `swapped` puts the other way next.
    fn branch(&mut self, function: FuncId, swapped: bool) {
        let int = self.types.int(32, true);
        let Some(body) = &mut self.program.functions[function].body else { return };
        let root = ExprId::new(body.exprs.len() - 1);
        let answers = [1, 0]
            .map(|value| body.exprs.push(Expr { kind: ExprKind::Int(value), ty: int, span: Span::NONE }));
        let order = if swapped { [1, 0] } else { [0, 1] };
        for answer in order {
            body.blocks.push(Block {
                statements: Vec::new(),
                terminator: Terminator::Return(Some(Argument::Value(answers[answer]))),
                span: Span::NONE,
            });
        }
        let (then, otherwise) = if swapped { (BlockId(2), BlockId(1)) } else { (BlockId(1), BlockId(2)) };
        body.blocks[BlockId(0)].terminator = Terminator::Branch { condition: root, then, otherwise };
        body.blocks[BlockId(0)].statements.clear();
    }

    fn finish(mut self) -> Program {
        let (types, records) = self.types.into_parts();
        (self.program.types, self.program.records) = (types, records);
        self.program.globals = IndexVec::new();
        self.program
    }
}

/// What a function must give: its value, or a violation.
fn expected(program: &Program, function: FuncId, arguments: [Value; 2]) -> Result<Value, ()> {
    let mut memory = Memory::new(8, 1 << 20);
    let mut context = Context { types: program.types(), memory: &mut memory };
    let Some(body) = &program.functions[function].body else { return Err(()) };
    // The parameters come first, then the expression.
    let root = ExprId(2);
    let mut operands = Vec::new();
    body.exprs[root].operands(|operand| {
        let value = match body.exprs[operand].kind {
            ExprKind::Int(value) => Value::Int(value),
            _ => arguments[operand.index()],
        };
        operands.push((value, body.exprs[operand].ty));
    });
    for obligation in body.obligations.iter() {
        if let Condition::NotRaised(raise, _) = obligation.condition
            && context.raises(raise, &body.exprs[root], &operands)
        {
            return Err(());
        }
    }
    Ok(context.node(&body.exprs[root], &operands))
}

fn compare_all(program: &Program, cases: &[(FuncId, Vec<Value>, Vec<Value>)]) {
    let options = Options::default();
    let mut host = Captured::default();
    let mut machine = Machine::new(program, &options, &mut host);
    machine.load_functions().expect("the functions fit the memory");
    for (function, lefts, rights) in cases {
        for left in lefts {
            for right in rights {
                let wanted = expected(program, *function, [*left, *right]);
                let got = match machine.call_function(*function, &[*left, *right]) {
                    Ok(value) => Ok(value),
                    Err(Stop::Finding(_)) => Err(()),
                    Err(stop) => panic!("{stop:?}"),
                };
                machine.unwind();
                let kind = program.functions[*function].body.as_ref().map(|b| b.exprs.as_slice().last());
                assert_eq!(got, wanted, "{kind:?} on {left:?} and {right:?}");
            }
        }
    }
}

#[test]
fn integer_operations_agree() {
    let mut builder = Builder::new();
    let mut cases = Vec::new();
    let result = builder.types.int(32, true);
    for int in INTS {
        let ty = builder.types.int(int.bits, int.signed);
        let binary = |op| ExprKind::Binary(op, ExprId(0), ExprId(1));
        for op in OPS {
            cases.push((builder.function([ty, ty], ty, binary(op), None), edges(int), edges(int)));
            for constant in edges(int).into_iter().map(Value::as_int) {
                let function = builder.function([ty, ty], ty, binary(op), Some(constant));
                cases.push((function, edges(int), vec![Value::Int(0)]));
            }
        }
        for op in COMPARES {
            let compare = ExprKind::Compare(op, ExprId(0), ExprId(1));
            cases.push((builder.function([ty, ty], result, compare.clone(), None), edges(int), edges(int)));
            for constant in [0, 1, int.min(), int.max()] {
                let function = builder.function([ty, ty], result, compare.clone(), Some(constant));
                cases.push((function, edges(int), vec![Value::Int(0)]));
            }
            for swapped in [false, true] {
                let function = builder.function([ty, ty], result, compare.clone(), None);
                builder.branch(function, swapped);
                cases.push((function, edges(int), edges(int)));
                for constant in [0, 5, int.min(), int.max()] {
                    let function = builder.function([ty, ty], result, compare.clone(), Some(constant));
                    builder.branch(function, swapped);
                    cases.push((function, edges(int), vec![Value::Int(0)]));
                }
            }
        }
        for op in [UnaryOp::Neg, UnaryOp::Not] {
            let unary = builder.function([ty, ty], ty, ExprKind::Unary(op, ExprId(0)), None);
            cases.push((unary, edges(int), vec![Value::Int(0)]));
        }
    }
    compare_all(&builder.finish(), &cases);
}

#[test]
fn conversions_agree() {
    let mut builder = Builder::new();
    let narrow =
        [IntType::I8, IntType::U8, IntType::I16, IntType::U16, IntType::signed(17), IntType::unsigned(40)];
    let formats = [Format::F16, Format::F32, Format::F64, Format::X87, Format::F128];
    let mut scalars: Vec<(TypeId, Vec<Value>)> = Vec::new();
    for int in INTS.into_iter().chain(narrow) {
        scalars.push((builder.types.int(int.bits, int.signed), edges(int)));
    }
    for format in formats {
        scalars.push((builder.types.float(format), float_edges(format)));
    }
    let bool_type = builder.types.bool();
    let mut cases = Vec::new();
    for (from, values) in &scalars {
        for to in scalars.iter().map(|(ty, _)| *ty).chain([bool_type]) {
            let function = builder.function([*from, *from], to, ExprKind::Cast(ExprId(0)), None);
            cases.push((function, values.clone(), vec![values[0]]));
        }
    }
    compare_all(&builder.finish(), &cases);
}

#[test]
fn float_operations_agree() {
    let mut builder = Builder::new();
    let int = builder.types.int(32, true);
    let mut cases = Vec::new();
    for format in [Format::F16, Format::F32, Format::F64, Format::X87, Format::F128] {
        let ty = builder.types.float(format);
        let values = float_edges(format);
        for op in &OPS[..4] {
            let kind = ExprKind::Binary(*op, ExprId(0), ExprId(1));
            cases.push((builder.function([ty, ty], ty, kind, None), values.clone(), values.clone()));
        }
        for op in COMPARES {
            let kind = ExprKind::Compare(op, ExprId(0), ExprId(1));
            cases.push((builder.function([ty, ty], int, kind, None), values.clone(), values.clone()));
        }
        let negation = builder.function([ty, ty], ty, ExprKind::Unary(UnaryOp::Neg, ExprId(0)), None);
        cases.push((negation, values.clone(), vec![values[0]]));
    }
    let program = builder.finish();
    assert!(program.functions.iter().all(|f| program.types().class(f.ty) == Class::Function));
    compare_all(&program, &cases);
}

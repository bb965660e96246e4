// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which operation carries what, in which order.

use clew_base::float::Format;
use clew_ir::obligation::{CheckKind, Condition};
use clew_ir::syntax::{BinaryOp, CompareOp, ExprId, FuncId, LocalId, Place, PlaceBase, Semantics, TypeId};

use crate::operation::{Access, AccessMode, Operation, Scalar};
use crate::{ALL, After, CheckSet, after, check, demand};

fn ids(operation: &Operation<'_>) -> String {
    let mut ids = Vec::new();
    demand(operation, &mut |kind, _| ids.push(kind.id()));
    ids.join(" ")
}

fn named(place: &Place) -> Access<'_> {
    Access {
        place,
        pointer: None,
        mode: AccessMode::Read,
        within: None,
        align: 4,
        known_align: 4,
        bits: None,
        reads_value: true,
        is_static: false,
        is_const: false,
        surely_inside: true,
    }
}

static PLACE: Place = Place { base: PlaceBase::Local(LocalId(0)), projections: Vec::new(), ty: TypeId(0) };
const INT: Scalar = Scalar::Int { bits: 32, signed: true };
const UNSIGNED: Scalar = Scalar::Int { bits: 32, signed: false };
const CHAR: Scalar = Scalar::Int { bits: 8, signed: true };
const DOUBLE: Scalar = Scalar::Float(Format::F64);
const FLOAT: Scalar = Scalar::Float(Format::F32);

#[test]
fn every_check_declares_itself_at_its_place() {
    for (kind, declared) in CheckKind::ALL.iter().zip(&ALL) {
        assert_eq!(*kind, declared.kind);
        let page = &declared.page;
        assert!(page.bad_example().contains(&format!("// <-- {kind}")), "{kind}: the example has no mark");
        assert!(!page.fixed_example().contains("// <--"), "{kind}");
        for text in [page.what, page.why, page.advice, page.how] {
            assert!(text.ends_with('.') && !text.contains("  "), "{kind}: {text}");
        }
        assert!(!declared.title.ends_with('.'), "{kind}");
    }
}

#[test]
fn checks_that_are_off() {
    let off: Vec<_> = ALL.iter().filter(|c| !c.on_by_default).map(|c| c.kind.id()).collect();
    assert_eq!(off, ["unsigned-wrap", "lossy-conversion", "float-underflow", "nan-compare"]);
    assert!(!CheckSet::by_default().contains(CheckKind::UnsignedWrap));
}

#[test]
fn wrapv_lets_signed_overflow_go_on() {
    let wrapv = Semantics { wrapv: true, ..Semantics::default() };
    assert_eq!(after(CheckKind::SignedOverflow, wrapv), After::Continue);
    assert_eq!(after(CheckKind::SignedOverflow, Semantics::default()), After::Stop);
    assert_eq!(check(CheckKind::MisalignedAccess).after, After::Continue);
}

#[test]
fn access_through_a_pointer() {
    let read = Access { pointer: Some(ExprId(0)), known_align: 0, ..named(&PLACE) };
    let write = Access { mode: AccessMode::Write, ..read };
    let common = "null-deref invalid-deref use-after-free out-of-bounds";
    assert_eq!(ids(&Operation::Access(read)), format!("{common} misaligned-access uninitialised-read"));
    assert_eq!(ids(&Operation::Access(write)), format!("{common} write-to-const misaligned-access"));
    let bytes = Access { align: 1, reads_value: false, ..read };
    assert_eq!(ids(&Operation::Access(bytes)), common);
}

#[test]
fn access_to_a_named_object() {
    assert_eq!(ids(&Operation::Access(named(&PLACE))), "uninitialised-read");
    assert_eq!(ids(&Operation::Access(Access { is_static: true, ..named(&PLACE) })), "");
    let computed = Access { surely_inside: false, is_static: true, ..named(&PLACE) };
    assert_eq!(ids(&Operation::Access(computed)), "out-of-bounds");
    let constant = Access { mode: AccessMode::Write, is_const: true, ..named(&PLACE) };
    assert_eq!(ids(&Operation::Access(constant)), "write-to-const");
}

#[test]
fn arithmetic() {
    let ids = |op, scalar| ids(&Operation::Arithmetic { expr: ExprId(0), op, scalar });
    assert_eq!(ids(Some(BinaryOp::Add), INT), "signed-overflow");
    assert_eq!(ids(None, INT), "signed-overflow");
    assert_eq!(ids(Some(BinaryOp::Rem), INT), "division-by-zero signed-overflow");
    assert_eq!(ids(Some(BinaryOp::Mul), UNSIGNED), "unsigned-wrap");
    assert_eq!(ids(Some(BinaryOp::Div), UNSIGNED), "division-by-zero");
    assert_eq!(ids(Some(BinaryOp::Shl), INT), "shift-out-of-range");
    assert_eq!(ids(Some(BinaryOp::Xor), INT), "");
    assert_eq!(ids(Some(BinaryOp::Sub), DOUBLE), "float-invalid float-overflow float-underflow");
    let division = "float-division-by-zero float-invalid float-overflow float-underflow";
    assert_eq!(ids(Some(BinaryOp::Div), FLOAT), division);
    assert_eq!(ids(None, DOUBLE), "");
}

#[test]
fn comparisons() {
    let operands = (ExprId(0), ExprId(1));
    let ids = |op, scalar| ids(&Operation::Compare { expr: ExprId(2), op, scalar, operands });
    assert_eq!(ids(CompareOp::Lt, DOUBLE), "nan-compare");
    assert_eq!(ids(CompareOp::Ne, DOUBLE), "");
    assert_eq!(ids(CompareOp::Ge, Scalar::Pointer), "pointer-compare");
    assert_eq!(ids(CompareOp::Eq, Scalar::Pointer), "");
    assert_eq!(ids(CompareOp::Lt, INT), "");
}

#[test]
fn conversions() {
    let ids = |from, to, explicit| ids(&Operation::Convert { expr: ExprId(0), from, to, explicit });
    assert_eq!(ids(INT, CHAR, false), "lossy-conversion");
    assert_eq!(ids(INT, CHAR, true), "");
    assert_eq!(ids(CHAR, INT, false), "");
    assert_eq!(ids(INT, UNSIGNED, false), "lossy-conversion");
    assert_eq!(ids(UNSIGNED, Scalar::Int { bits: 64, signed: true }, false), "");
    assert_eq!(ids(DOUBLE, FLOAT, true), "float-overflow float-underflow");
    assert_eq!(ids(DOUBLE, FLOAT, false), "float-overflow float-underflow lossy-conversion");
    assert_eq!(ids(FLOAT, DOUBLE, false), "");
    assert_eq!(ids(DOUBLE, INT, true), "float-to-int");
    assert_eq!(ids(INT, DOUBLE, false), "");
    assert_eq!(ids(INT, FLOAT, false), "lossy-conversion");
    assert_eq!(ids(Scalar::Int { bits: 128, signed: false }, FLOAT, true), "float-overflow lossy-conversion");
    assert_eq!(ids(DOUBLE, Scalar::Bool, false), "");
}

#[test]
fn library_calls() {
    let argument = [Some(ExprId(3))];
    let ids = |name, unchecked| {
        ids(&Operation::CallNamed { function: FuncId(0), name, arguments: &argument, unchecked })
    };
    assert_eq!(ids("free", None), "double-free invalid-free");
    assert_eq!(ids("realloc", None), "double-free invalid-free memory-leak");
    assert_eq!(ids("__builtin_malloc", None), "memory-leak");
    assert_eq!(ids("__assert_fail", None), "assertion");
    assert_eq!(ids("__VERIFIER_assert", None), "assertion");
    assert_eq!(ids("abort", Some(ExprId(0))), "bad-call error-call");
    assert_eq!(ids("puts", None), "");
}

#[test]
fn an_assertion_carries_its_argument() {
    let arguments = [Some(ExprId(7)), None];
    let call = Operation::CallNamed {
        function: FuncId(0),
        name: "__CPROVER_assert",
        arguments: &arguments,
        unchecked: None,
    };
    let mut conditions = Vec::new();
    demand(&call, &mut |_, condition| conditions.push(condition));
    assert_eq!(conditions, [Condition::Holds(ExprId(7))]);
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rules 7 to 9 and 13 to 19: locals, blocks, statements, obligations.

use std::cmp::Ordering;

use clew_base::index::Idx;

use super::Faults;
use super::exprs::{Check, Typing, ensure};
use crate::obligation::{Condition, Raise};
use crate::syntax::*;
use crate::types::Class;

pub(super) fn verify(program: &Program, function: &Function, body: &Body, faults: &mut Faults) {
    let typing = Typing { program, types: program.types(), body };
    let rules = Rules { typing, function };
    rules.locals(faults);
    typing.exprs(faults);
    rules.blocks(faults);
    rules.obligations(faults);
    rules.contract(faults);
}

#[derive(Clone, Copy)]
struct Rules<'a> {
    typing: Typing<'a>,
    function: &'a Function,
}

/// Who names an obligation.
#[derive(Clone, Copy, PartialEq)]
enum Owner {
    Nobody,
    Check,
    Region,
}

impl Rules<'_> {
    fn locals(self, faults: &mut Faults) {
        let body = self.typing.body;
        for (id, local) in body.locals.iter_enumerated() {
            match local.storage {
                Storage::Register if !self.typing.types.is_scalar(local.ty) => {
                    faults.add(id, "a register that is no scalar");
                }
                Storage::Memory { align, .. } if !align.is_power_of_two() => {
                    faults.add(id, format!("alignment {align} is no power of two"));
                }
                _ => {}
            }
        }
        let Type::Function { parameters, prototyped, .. } = &self.typing.program.types[self.function.ty]
        else {
            return;
        };
        if body.parameters as usize > body.locals.len() {
            return faults.add("parameters", "more than there are locals");
        }
        if !prototyped {
            return;
        }
        if parameters.len() != body.parameters as usize {
            return faults.add("parameters", "their number is not the type's");
        }
        for (local, wanted) in body.locals.iter_enumerated().zip(parameters) {
            if !self.typing.fits(local.1.ty, *wanted) {
                faults.add(local.0, "the parameter has another type than the function's type says");
            }
        }
    }

    fn blocks(self, faults: &mut Faults) {
        let body = self.typing.body;
        if body.blocks.is_empty() {
            return faults.add("b0", "there is no entry block");
        }
        let entry = BlockId::new(0);
        for (id, block) in body.blocks.iter_enumerated() {
            for (number, statement) in block.statements.iter().enumerate() {
                if let Err(message) = self.statement(&statement.kind) {
                    faults.add(format_args!("{id}[{number}]"), message);
                }
            }
            if let Err(message) = self.terminator(&block.terminator) {
                faults.add(format_args!("{id}[end]"), message);
            }
            block.terminator.successors(|next| {
                if next == entry {
                    faults.add(id, "leads to the entry block");
                }
            });
        }
        for (id, expr) in body.exprs.iter_enumerated() {
            if expr.kind == ExprKind::Label(entry) {
                faults.add(id, "the address of the entry block");
            }
        }
    }

    fn register(self, local: LocalId, ty: TypeId) -> Check {
        ensure(self.typing.is_register(local), "writes a memory local as if it were a register")?;
        ensure(self.typing.fits(self.typing.body.locals[local].ty, ty), "not the type of the local")
    }

    fn ty(self, expr: ExprId) -> TypeId {
        self.typing.body.exprs[expr].ty
    }

    fn is_aggregate(self, ty: TypeId) -> bool {
        self.typing.types.class(ty) == Class::Aggregate
    }

    fn statement(self, kind: &StatementKind) -> Check {
        let typing = self.typing;
        match kind {
            StatementKind::Check { count, .. } => ensure(*count > 0, "a check without obligations"),
            StatementKind::Assign { local, value } => self.register(*local, self.ty(*value)),
            StatementKind::Load { local, place, .. } => {
                typing.place(place)?;
                self.register(*local, place.ty)
            }
            StatementKind::Store { place, value, .. } => {
                typing.place(place)?;
                ensure(typing.types.is_scalar(place.ty), "stores what is no scalar")?;
                ensure(typing.fits(place.ty, self.ty(*value)), "the value has another type than the place")
            }
            StatementKind::Copy { to, from, .. } => {
                typing.place(to)?;
                typing.place(from)?;
                ensure(self.is_aggregate(to.ty) && self.is_aggregate(from.ty), "copies a scalar")?;
                let same_size = typing.types.size_of(to.ty) == typing.types.size_of(from.ty);
                ensure(to.ty == from.ty || same_size, "the two sides differ in size")
            }
            StatementKind::Zero { place } => typing.place(place),
            StatementKind::StorageLive { local, bytes } => self.storage(*local, *bytes),
            StatementKind::StorageDead { .. } | StatementKind::Unsupported { .. } => Ok(()),
            StatementKind::Assume { condition } => {
                ensure(typing.is_int(*condition), "the condition is no integer")
            }
            StatementKind::Havoc { target: HavocTarget::Local(local) } => {
                ensure(typing.is_register(*local), "a memory local as a register")
            }
            StatementKind::Havoc { target: HavocTarget::Place(place) } => typing.place(place),
            StatementKind::Call(call) => self.call(call),
            StatementKind::Intrinsic(call) => self.intrinsic(call),
            StatementKind::Assembler { outputs, registers, .. } => {
                outputs.iter().try_for_each(|place| typing.place(place))?;
                let all = registers.iter().all(|local| typing.is_register(*local));
                ensure(all, "an output register that is a memory local")
            }
            StatementKind::Unordered { obligation, .. } => {
                let condition = &typing.body.obligations[*obligation].condition;
                ensure(*condition == Condition::Commutes, "the obligation of a region is not `commutes`")
            }
        }
    }

    fn storage(self, local: LocalId, bytes: Option<ExprId>) -> Check {
        let typing = self.typing;
        let local = &typing.body.locals[local];
        let sized = typing.types.is_complete(local.ty);
        match bytes {
            Some(bytes) => {
                ensure(!sized, "a size for a local whose type has one")?;
                ensure(typing.is_int(bytes), "the size is no integer")
            }
            None => ensure(sized, "a local without a size"),
        }
    }

    fn call(self, call: &Call) -> Check {
        let typing = self.typing;
        let Type::Function { result, parameters, variadic, prototyped } = typing.types.get(call.signature)
        else {
            return Err("the signature is no function type");
        };
        if let Callee::Indirect(pointer) = call.callee {
            ensure(typing.is_pointer(pointer), "calls what is no pointer")?;
        }
        match &call.result {
            None => {}
            Some(CallResult::Local(local)) => self.register(*local, *result)?,
            Some(CallResult::Place(place)) => {
                typing.place(place)?;
                ensure(
                    place.ty == *result && self.is_aggregate(*result),
                    "the result does not fit its place",
                )?;
            }
        }
        if *prototyped {
            let enough = call.arguments.len() == parameters.len()
                || (*variadic && call.arguments.len() > parameters.len());
            ensure(enough, "a wrong number of arguments")?;
        }
        for (i, argument) in call.arguments.iter().enumerate() {
            let ty = self.argument(argument)?;
            if let Some(wanted) = parameters.get(i).filter(|_| *prototyped) {
                ensure(typing.fits(ty, *wanted), "an argument has another type than its parameter")?;
            }
        }
        Ok(())
    }

    /// The type of an argument or returned value.
    fn argument(self, argument: &Argument) -> Result<TypeId, &'static str> {
        match argument {
            Argument::Value(value) => Ok(self.ty(*value)),
            Argument::Object(place) => {
                self.typing.place(place)?;
                ensure(self.is_aggregate(place.ty), "a scalar passed as an object")?;
                Ok(place.ty)
            }
        }
    }

    fn intrinsic(self, call: &IntrinsicCall) -> Check {
        let typing = self.typing;
        let (arguments, has_result) = match call.op {
            Intrinsic::VaStart | Intrinsic::VaEnd | Intrinsic::Release | Intrinsic::Likely => (1, false),
            Intrinsic::VaArg(_)
            | Intrinsic::Alloca
            | Intrinsic::NulPosition
            | Intrinsic::Allocate
            | Intrinsic::SizeOfObject
            | Intrinsic::Optimised
            | Intrinsic::SquareRoot => (1, true),
            Intrinsic::VaCopy | Intrinsic::HavocBytes => (2, false),
            Intrinsic::FrameAddress | Intrinsic::ReturnAddress => (0, true),
            Intrinsic::ObjectSize | Intrinsic::FloatRemainder | Intrinsic::Own => (2, true),
            Intrinsic::MultiplyAdd => (3, true),
            Intrinsic::Trap => (0, false),
            Intrinsic::CopyBytes | Intrinsic::FillBytes => (3, false),
            Intrinsic::Came => (5, false),
        };
        ensure(call.arguments.len() == arguments, "a wrong number of operands")?;
        ensure(has_result || call.result.is_none(), "a result where there is none")?;
        if matches!(call.op, Intrinsic::SquareRoot | Intrinsic::FloatRemainder | Intrinsic::MultiplyAdd) {
            let first = self.ty(call.arguments[0]);
            ensure(typing.types.float_format(first).is_some(), "a function of floats gets something else")?;
            let same = call.arguments.iter().all(|argument| self.ty(*argument) == first);
            ensure(same, "the operands differ in type")?;
            if let Some(CallResult::Local(local)) = &call.result {
                self.register(*local, first)?;
            }
        }
        match &call.result {
            None => Ok(()),
            Some(CallResult::Local(local)) => match call.op {
                Intrinsic::VaArg(ty) => self.register(*local, ty),
                _ => ensure(typing.is_register(*local), "writes a memory local as if it were a register"),
            },
            Some(CallResult::Place(place)) => {
                typing.place(place)?;
                let fits = matches!(call.op, Intrinsic::VaArg(ty) if ty == place.ty);
                ensure(fits, "the result does not fit its place")
            }
        }
    }

    fn terminator(self, terminator: &Terminator) -> Check {
        let typing = self.typing;
        match terminator {
            Terminator::Goto(_) | Terminator::Unreachable | Terminator::Return(None) => Ok(()),
            Terminator::Branch { condition, .. } => {
                ensure(typing.is_int(*condition), "the condition is no integer")
            }
            Terminator::Switch { value, cases, .. } => self.switch(*value, cases),
            Terminator::Return(Some(value)) => {
                let ty = self.argument(value)?;
                let Type::Function { result, .. } = typing.types.get(self.function.ty) else { return Ok(()) };
                ensure(typing.fits(ty, *result), "returns a value of another type")
            }
            Terminator::ComputedGoto { address, .. } => {
                ensure(typing.is_pointer(*address), "jumps to what is no pointer")
            }
        }
    }

    fn switch(self, value: ExprId, cases: &[(i128, i128, BlockId)]) -> Check {
        let Class::Int(int) = self.typing.class(value) else { return Err("switches on what is no integer") };
        let mut last = None;
        for (low, high, _) in cases {
            ensure(int.is_canonical(*low) && int.is_canonical(*high), "a case is not canonical")?;
            ensure(int.compare(*low, *high) != Ordering::Greater, "an empty case range")?;
            let ascends = last.is_none_or(|last| int.compare(last, *low) == Ordering::Less);
            ensure(ascends, "cases overlap or do not ascend")?;
            last = Some(*high);
        }
        Ok(())
    }

    fn obligations(self, faults: &mut Faults) {
        let body = self.typing.body;
        let mut owners = vec![Owner::Nobody; body.obligations.len()];
        let mut regions = Vec::new();
        for statement in body.blocks.iter().flat_map(|b| &b.statements) {
            match statement.kind {
                StatementKind::Check { first, count } => {
                    for number in first.0..first.0.saturating_add(count) {
                        own(number, Owner::Check, &mut owners, faults);
                    }
                }
                StatementKind::Unordered { marker: UnorderedMarker::Begin, obligation } => {
                    own(obligation.0, Owner::Region, &mut owners, faults);
                }
                StatementKind::Unordered { obligation, .. } => regions.push(obligation),
                _ => {}
            }
        }
        for obligation in regions {
            if owners[obligation.index()] != Owner::Region {
                faults.add(obligation, "a region ends or goes on that never began");
            }
        }
        for (id, obligation) in body.obligations.iter_enumerated() {
            let owner = owners[id.index()];
            if owner == Owner::Nobody {
                faults.add(id, "no check names it");
            } else if (owner == Owner::Region) != (obligation.condition == Condition::Commutes) {
                faults.add(id, "`commutes` belongs to regions, and only it");
            }
            if let Err(message) = self.condition(&obligation.condition) {
                faults.add(id, message);
            }
        }
    }

    fn condition(self, condition: &Condition) -> Check {
        let typing = self.typing;
        let pointer = |expr: ExprId| ensure(typing.is_pointer(expr), "the operand is no pointer");
        let integer = |expr: ExprId| ensure(typing.is_int(expr), "the operand is no integer");
        match condition {
            Condition::Never | Condition::NotLeaked | Condition::ResultUnused | Condition::Commutes => Ok(()),
            Condition::Holds(expr) => ensure(typing.is_int(*expr), "the condition is no integer"),
            Condition::NotRaised(raise, expr) => self.raise(*raise, *expr),
            Condition::InitialisedLocal(local) => {
                ensure(typing.is_register(*local), "a memory local as a register")
            }
            Condition::NotNull(p)
            | Condition::Valid(p)
            | Condition::Live(p)
            | Condition::AllocBase(p)
            | Condition::Handle(p)
            | Condition::Lasting(p)
            | Condition::NulWithin(p)
            | Condition::WrittenText(p)
            | Condition::Unnamed(p, _)
            | Condition::Callable(p) => pointer(*p),
            Condition::StackFits(bytes) => integer(*bytes),
            Condition::InBounds(place) | Condition::Writable(place) => typing.place(place),
            Condition::Aligned(place, align) => {
                ensure(align.is_power_of_two(), "an alignment that is no power of two")?;
                typing.place(place)
            }
            Condition::Initialised(place, _) => typing.place(place),
            Condition::SameObject(p, q) => pointer(*p).and_then(|()| pointer(*q)),
            Condition::ReadableRange(p, n)
            | Condition::WritableRange(p, n)
            | Condition::WrittenRange(p, n) => pointer(*p).and_then(|()| integer(*n)),
            Condition::SameOrDisjoint { p, q, n } => {
                pointer(*p)?;
                pointer(*q)?;
                integer(*n)
            }
            Condition::Disjoint { p, n, q, m } => {
                pointer(*p)?;
                integer(*n)?;
                pointer(*q)?;
                integer(*m)
            }
        }
    }

    fn raise(self, raise: Raise, expr: ExprId) -> Check {
        let typing = self.typing;
        let root = &typing.body.exprs[expr].kind;
        let class = typing.class(expr);
        let is_float = |id: &ExprId| matches!(typing.class(*id), Class::Float(_));
        let fits = match raise {
            Raise::SignedOverflow | Raise::UnsignedWrap => {
                let signed = raise == Raise::SignedOverflow;
                matches!(root, ExprKind::Unary(..) | ExprKind::Binary(..) | ExprKind::Cast(_))
                    && matches!(class, Class::Int(int) if int.signed == signed)
            }
            Raise::DivisionByZero => {
                matches!(root, ExprKind::Binary(BinaryOp::Div | BinaryOp::Rem, ..))
                    && matches!(class, Class::Int(_))
            }
            Raise::ShiftRange => matches!(root, ExprKind::Binary(BinaryOp::Shl | BinaryOp::Shr, ..)),
            Raise::LossyConversion => matches!(root, ExprKind::Cast(_)),
            Raise::FloatToInt => matches!(root, ExprKind::Cast(operand) if is_float(operand)),
            Raise::FloatDivisionByZero => {
                matches!(root, ExprKind::Binary(BinaryOp::Div, left, _) if is_float(left))
            }
            Raise::FloatOverflow | Raise::FloatUnderflow | Raise::FloatInvalid => match root {
                ExprKind::Binary(_, left, _) | ExprKind::Compare(_, left, _) => is_float(left),
                ExprKind::Unary(_, operand) => is_float(operand),
                ExprKind::Cast(operand) => is_float(operand) || matches!(class, Class::Float(_)),
                ExprKind::Builtin(..) => true,
                _ => false,
            },
        };
        ensure(fits, "the operation cannot raise that")
    }

    fn contract(self, faults: &mut Faults) {
        let contract = &self.function.contract;
        for condition in contract.requires.iter().chain(&contract.ensures) {
            if !self.typing.is_int(*condition) {
                faults.add(condition, "a condition of the contract is no integer");
            }
        }
        for place in contract.assigns.iter().flatten() {
            if let Err(message) = self.typing.place(place) {
                faults.add("assigns", message);
            }
        }
    }
}

fn own(number: u32, owner: Owner, owners: &mut [Owner], faults: &mut Faults) {
    match owners.get_mut(number as usize) {
        None => faults.add(ObligationId(number), "does not exist"),
        Some(slot) if *slot != Owner::Nobody => faults.add(ObligationId(number), "two checks name it"),
        Some(slot) => *slot = owner,
    }
}

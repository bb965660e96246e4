// SPDX-License-Identifier: MIT OR Apache-2.0
//! Statements.

use clew_base::float::Format;
use clew_base::index::Idx;
use clew_ir::analysis::registers::written;
use clew_ir::obligation::Condition;
use clew_ir::syntax::{
    AccessFlags, Argument, Call, CallResult, Callee, ExprId, ExprKind, HavocTarget, LocalId, ObligationId,
    Place, Statement, StatementKind, Type, TypeId,
};
use clew_ir::volatile_inputs::{volatile_inputs, whole_global};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Compiler;
use crate::code::{Action, Address, ArgumentSite, CallSite, CalleeSite, Op, Reg, Rep, Target};
use crate::policy::Action as PolicyAction;

impl Compiler<'_, '_> {
    pub(super) fn statement(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::Check { first, count } => {
                let obligations = (first.0..first.0 + count).map(ObligationId);
                self.check(obligations);
            }
            StatementKind::Assign { local, value } => {
                self.flush_pending();
                self.show_comparison(*value);
                self.assign(*local, *value);
            }
            StatementKind::Load { local, place, flags } => self.load(*local, place, *flags),
            StatementKind::Store { place, value, .. } => self.store(place, *value),
            StatementKind::Copy { to, from, .. } => {
                let obligations = self.take_pending(&[&**to, &**from]);
                let (target, source) = (self.plain_address(to), self.plain_address(from));
                let bytes = self.types.size_of(to.ty);
                self.slow(obligations, Action::Copy { to: target, from: source, bytes });
            }
            StatementKind::Zero { place } => {
                let obligations = self.take_pending(&[&**place]);
                let to = self.plain_address(place);
                let bytes = self.types.size_of(place.ty);
                self.slow(obligations, Action::Zero { to, bytes });
            }
            StatementKind::Call(call) => {
                for argument in &call.arguments {
                    if let Argument::Value(value) = argument {
                        self.show_comparison(*value);
                    }
                }
                self.call(call);
            }
            other => {
                self.flush_pending();
                self.other(other);
            }
        }
        if !matches!(statement.kind, StatementKind::Assign { .. }) {
            written(statement).for_each(|local| self.written(local));
        }
        self.assigned.pass(statement);
    }

    fn other(&mut self, kind: &StatementKind) {
        match kind {
            StatementKind::StorageLive { local, bytes } => self.storage_live(*local, *bytes),
            StatementKind::StorageDead { local } => {
                if let Some(d) = self.code.memory_locals[local.index()] {
                    let variable = !self.types.is_complete(self.body.locals[*local].ty);
                    self.slow(Vec::new(), Action::Dead { d, variable });
                    self.cache.assign(*local);
                }
            }
            StatementKind::Assume { condition } => {
                self.show_comparison(*condition);
                let a = self.value(*condition);
                self.emit_at_site(Op::CheckNonZero { a }, Vec::new(), Action::Assume { a });
            }
            StatementKind::Havoc { target: HavocTarget::Local(local) } => {
                if let Some((d, rep)) = self.code.locals[local.index()] {
                    self.slow(Vec::new(), Action::HavocRegister { d, rep });
                }
            }
            StatementKind::Havoc { target: HavocTarget::Place(place) } => {
                let to = self.plain_address(place);
                let bytes = self.types.size_of(place.ty);
                self.slow(Vec::new(), Action::HavocPlace { to, bytes });
            }
            StatementKind::Intrinsic(call) => {
                let operands = call.arguments.iter().map(|e| (self.value(*e), self.rep(*e))).collect();
                let result = self.target(call.result.as_ref());
                self.remember_place();
                self.slow(Vec::new(), Action::Intrinsic { call: call.clone(), operands, result });
            }
            // A barrier: nothing runs, and what the operands hold they keep.
            StatementKind::Assembler { text, .. } if text.trim().is_empty() => {}
            StatementKind::Assembler { text, .. } => {
                let what = format!("inline assembler: `{}`", text.trim());
                self.slow(Vec::new(), Action::Unsupported { what });
            }
            StatementKind::Unordered { marker, obligation }
                if self.action_of(*obligation) != PolicyAction::Ignore =>
            {
                let action = Action::Unordered { marker: *marker, obligation: *obligation };
                self.emit_at_site(Op::Region { marker: *marker, x: obligation.0 }, Vec::new(), action);
            }
            StatementKind::Unsupported { what } => {
                self.slow(Vec::new(), Action::Unsupported { what: what.to_string() });
            }
            _ => {}
        }
    }

    // Registers.

    /// A register local was written: flag and cache know.
    fn written(&mut self, local: LocalId) {
        self.cache.assign(local);
        self.mark_written(local);
    }

    fn mark_written(&mut self, local: LocalId) {
        if let Some(flag) = self.code.flags.get(&local).copied() {
            self.emit(Op::Const { d: flag, x: 1 });
        }
    }

    fn assign(&mut self, local: LocalId, value: ExprId) {
        let Some((d, rep)) = self.code.locals[local.index()] else { return };
        self.assign_shadow(local, value);
        if let (Rep::Int(_), Some(constant)) = (rep, self.constant_value(value))
            && let Ok(x) = i32::try_from(constant as i64)
        {
            self.emit(Op::Const { d, x });
            self.cache.assign(local);
            self.mark_written(local);
            return;
        }
        let before = self.code.ops.len();
        let known = self.cache.find(self.body, value);
        let a = self.value(value);
        // The operation that computed the value into a temporary just now can compute it into the local instead.
        let made_here = self.code.ops.len() > before;
        let last = self.code.ops.len().checked_sub(1);
        let fresh = match (made_here, known) {
            (true, _) => self.cache.find(self.body, value).and_then(|c| c.pc),
            (false, Some(cached)) => cached.pc,
            _ => None,
        };
        if fresh.is_some() && fresh == last && u32::from(a) >= self.first_temporary {
            let pc = fresh.unwrap_or(0);
            retarget(&mut self.code.ops[pc], d);
            if let Some(site) = self.code.sites.get_mut(&(pc as u32))
                && let Action::Node { d: target, .. } = &mut site.action
            {
                *target = d;
            }
            self.cache.moved(self.body, a, d, local);
            self.mark_written(local);
            return;
        }
        if a != d {
            self.emit(if rep.slots() == 2 { Op::Mov2 { d, a } } else { Op::Mov { d, a } });
        }
        self.cache.assign(local);
        self.mark_written(local);
    }

    fn storage_live(&mut self, local: LocalId, bytes: Option<ExprId>) {
        if let Some(d) = self.code.memory_locals[local.index()] {
            let bytes = bytes.map(|e| self.value(e));
            self.slow(Vec::new(), Action::Live { local, d, bytes });
            self.cache.assign(local);
        } else if let Some(flag) = self.code.flags.get(&local).copied() {
            self.emit(Op::Const { d: flag, x: 0 });
            self.spoil_local(local);
            if let Some((d, rep)) = self.code.locals[local.index()] {
                self.slow(Vec::new(), Action::Unwritten { local, d, rep });
            }
            self.cache.assign(local);
        }
    }

    // Characters that are only copied on.

    /// Gives a shadow to every register local that may hold a copied character.
    pub(super) fn find_shadows(&mut self) {
        let body = self.body;
        let statements = || body.blocks.iter().flat_map(|block| &block.statements);
        let mut shadowed: Vec<LocalId> = Vec::new();
        let mut handed_on: FxHashMap<LocalId, Vec<LocalId>> = FxHashMap::default();
        for statement in statements() {
            match statement.kind {
                StatementKind::Load { local, flags: AccessFlags { copies: true, .. }, .. } => {
                    shadowed.push(local)
                }
                StatementKind::Assign { local, value } => {
                    if let Some(source) = self.copied_local(value) {
                        handed_on.entry(source).or_default().push(local);
                    }
                }
                _ => {}
            }
        }
        shadowed.sort_unstable();
        shadowed.dedup();
        let mut seen: FxHashSet<LocalId> = shadowed.iter().copied().collect();
        let mut done = 0;
        while let Some(source) = shadowed.get(done) {
            done += 1;
            let targets = handed_on.remove(source).unwrap_or_default();
            shadowed.extend(targets.into_iter().filter(|local| seen.insert(*local)));
        }
        for local in shadowed {
            let shadow = self.slots(1);
            self.shadows.insert(local, shadow);
        }
    }

    /// The local that an expression only hands on, through conversions between integers.
    fn copied_local(&self, mut expr: ExprId) -> Option<LocalId> {
        loop {
            match self.body.exprs[expr].kind {
                ExprKind::Local(local) => return Some(local),
                ExprKind::Cast(operand) if matches!(self.rep(operand), Rep::Int(_)) => expr = operand,
                _ => return None,
            }
        }
    }

    fn shadow_of(&self, expr: ExprId) -> Option<Reg> {
        self.shadows.get(&self.copied_local(expr)?).copied()
    }

    fn assign_shadow(&mut self, local: LocalId, value: ExprId) {
        let Some(d) = self.shadows.get(&local).copied() else { return };
        match self.shadow_of(value) {
            Some(a) => self.emit(Op::Mov { d, a }),
            None => self.emit(Op::Const { d, x: -1 }),
        };
    }

    // Memory.

    fn load(&mut self, local: LocalId, place: &Place, flags: AccessFlags) {
        let Some((d, rep)) = self.code.locals[local.index()] else { return };
        if let Some(global) = whole_global(place).filter(|_| flags.volatile)
            && self
                .environment
                .volatile_inputs
                .get_or_init(|| volatile_inputs(self.program))
                .contains(&global)
        {
            self.slow(Vec::new(), Action::ReadVolatileInput { global, class: self.types.class(place.ty) });
        }
        let obligations = self.take_pending(&[place]);
        let shadow = self.shadows.get(&local).copied();
        if let Some(shadow) = shadow {
            self.emit(Op::Const { d: shadow, x: -1 });
        }
        let bits = self.types.bit_range(place);
        let bytes = self.types.access_bytes(place);
        let address = self.address(place);
        let op = load_op(d, rep, address, bytes).filter(|_| bits.is_none()).unwrap_or(Op::Slow);
        let shadow = shadow.filter(|_| flags.copies);
        self.emit_at_site(op, obligations, Action::Load { d, rep, address, bytes, bits, shadow });
    }

    fn store(&mut self, place: &Place, value: ExprId) {
        let obligations = self.take_pending(&[place]);
        let a = self.value(value);
        let rep = self.rep(value);
        let bits = self.types.bit_range(place);
        let bytes = self.types.access_bytes(place);
        let address = self.address(place);
        let op = store_op(a, rep, address, bytes).filter(|_| bits.is_none()).unwrap_or(Op::Slow);
        self.emit_at_site(op, obligations, Action::Store { a, rep, address, bytes, bits });
        if let Some(shadow) = self.shadow_of(value)
            && bytes == 1
            && bits.is_none()
        {
            self.emit_at_site(Op::CheckFull { a: shadow }, Vec::new(), Action::Taint { address, shadow });
        }
    }

    // Calls.

    fn target(&mut self, result: Option<&CallResult>) -> Target {
        match result {
            None => Target::None,
            Some(CallResult::Local(local)) => match self.code.locals[local.index()] {
                Some((reg, rep)) => Target::Register(reg, rep),
                None => Target::None,
            },
            Some(CallResult::Place(place)) => {
                let bytes = self.types.size_of(place.ty);
                Target::Place(self.plain_address(place), bytes)
            }
        }
    }

    fn call(&mut self, call: &Call) {
        let callee = match call.callee {
            Callee::Direct(function) => {
                let function = self.environment.resolved[function];
                if self.program.functions[function].body.is_some() {
                    CalleeSite::Body(function)
                } else {
                    CalleeSite::Native(function)
                }
            }
            Callee::Indirect(pointer) => CalleeSite::Indirect(self.value(pointer)),
        };
        // Only an indirect call can judge cheaply whether its obligations need judging.
        let deferred = matches!(callee, CalleeSite::Indirect(_))
            && self.pending.iter().all(|id| {
                matches!(self.body.obligations[*id].condition, Condition::NotNull(_) | Condition::Callable(_))
            });
        if !deferred {
            self.flush_pending();
        }
        let arguments: Vec<ArgumentSite> =
            call.arguments.iter().map(|argument| self.argument(argument)).collect();
        let result = self.target(call.result.as_ref());
        let conforming = self.conforms(call.signature, &arguments, result);
        self.call_site(CallSite { callee, arguments, result, signature: call.signature, conforming });
        if self.returns_twice(call.callee) {
            // What was computed before may be overwritten by the time the call returns again.
            self.cache.clear();
        }
    }

    /// Whether arguments and result have the form that a function type asks for.
    fn conforms(&self, signature: TypeId, arguments: &[ArgumentSite], result: Target) -> bool {
        let Type::Function { result: returned, parameters, variadic: false, prototyped: true } =
            self.types.get(signature)
        else {
            return false;
        };
        let form = |ty: TypeId| Rep::of(self.types.class(ty));
        let fits = match result {
            Target::None => true,
            Target::Register(_, rep) => form(*returned) == Some(rep),
            Target::Place(..) => false,
        };
        let alike = parameters.iter().zip(arguments).all(|(ty, argument)| form(*ty) == argument.rep);
        fits && alike && parameters.len() == arguments.len()
    }

    fn argument(&mut self, argument: &Argument) -> ArgumentSite {
        match argument {
            Argument::Value(expr) => {
                let ty = self.body.exprs[*expr].ty;
                ArgumentSite { a: self.value(*expr), rep: Some(self.rep(*expr)), ty }
            }
            Argument::Object(place) => ArgumentSite { a: self.pointer_to(place), rep: None, ty: place.ty },
        }
    }
}

/// The fast load of a value, if there is one.
fn load_op(d: Reg, rep: Rep, address: Address, bytes: u64) -> Option<Op> {
    let a = address.base;
    let signed = match rep {
        Rep::Int(int) if u64::from(int.bits) == bytes * 8 => int.signed,
        Rep::Int(int) if int.bits == 1 && bytes == 1 => false,
        Rep::Float(Format::F16 | Format::F32 | Format::F64) => false,
        Rep::Pointer if bytes == 8 => {
            return Some(match address.index {
                None => Op::LoadPtr { d, a, x: address.offset },
                Some((b, x)) => Op::LoadXPtr { d, a, b, x },
            });
        }
        _ => return None,
    };
    Some(match (address.index, bytes, signed) {
        (None, 1, true) => Op::Load8 { d, a, x: address.offset },
        (None, 1, false) => Op::Load8u { d, a, x: address.offset },
        (None, 2, true) => Op::Load16 { d, a, x: address.offset },
        (None, 2, false) => Op::Load16u { d, a, x: address.offset },
        (None, 4, true) => Op::Load32 { d, a, x: address.offset },
        (None, 4, false) => Op::Load32u { d, a, x: address.offset },
        (None, 8, _) => Op::Load64 { d, a, x: address.offset },
        (Some((b, x)), 1, true) => Op::LoadX8 { d, a, b, x },
        (Some((b, x)), 1, false) => Op::LoadX8u { d, a, b, x },
        (Some((b, x)), 2, true) => Op::LoadX16 { d, a, b, x },
        (Some((b, x)), 2, false) => Op::LoadX16u { d, a, b, x },
        (Some((b, x)), 4, true) => Op::LoadX32 { d, a, b, x },
        (Some((b, x)), 4, false) => Op::LoadX32u { d, a, b, x },
        (Some((b, x)), 8, _) => Op::LoadX64 { d, a, b, x },
        _ => return None,
    })
}

/// The fast store of a value, if there is one.
fn store_op(d: Reg, rep: Rep, address: Address, bytes: u64) -> Option<Op> {
    let a = address.base;
    match rep {
        Rep::Int(_) | Rep::Float(_) => {}
        Rep::Pointer if bytes == 8 => {
            return Some(match address.index {
                None => Op::StorePtr { d, a, x: address.offset },
                Some((b, x)) => Op::StoreXPtr { d, a, b, x },
            });
        }
        _ => return None,
    }
    Some(match (address.index, bytes) {
        (None, 1) => Op::Store8 { d, a, x: address.offset },
        (None, 2) => Op::Store16 { d, a, x: address.offset },
        (None, 4) => Op::Store32 { d, a, x: address.offset },
        (None, 8) => Op::Store64 { d, a, x: address.offset },
        (Some((b, x)), 1) => Op::StoreX8 { d, a, b, x },
        (Some((b, x)), 2) => Op::StoreX16 { d, a, b, x },
        (Some((b, x)), 4) => Op::StoreX32 { d, a, b, x },
        (Some((b, x)), 8) => Op::StoreX64 { d, a, b, x },
        _ => return None,
    })
}

/// Makes an operation write another register.
fn retarget(op: &mut Op, to: Reg) {
    if let Some(d) = op.destination() {
        *d = to;
    }
}

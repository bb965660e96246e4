// SPDX-License-Identifier: MIT OR Apache-2.0
//! What an operation does when the fast loop left it: judge its obligations exactly, then do it with care.

use clew_base::index::Idx;
use clew_ir::obligation::Condition;
use clew_ir::syntax::{ExprKind, GlobalId, GlobalKind, LocalId, ObligationId, Storage, UnorderedMarker};
use clew_ir::types::Class;
use clew_ir::volatile_inputs::{input_kind, is_register};

use super::Flow;
use crate::code::{Action, Address, Reg, Rep, label_address};
use crate::eval::Context;
use crate::host::InputQuery;
use crate::machine::{Machine, Stop, Violation};
use crate::memory::{Kind, Name, NewObject};
use crate::outcome::RunError;
use crate::value::{Pointer, Provenance, Value};

impl Machine<'_> {
    /// The operation that the innermost frame left the fast loop for.
    pub(super) fn slow(&mut self, floor: usize) -> Result<Flow, Stop> {
        let Some(frame) = self.frames.last() else { return Ok(Flow::Next) };
        let (code, pc) = (frame.code.clone(), frame.pc);
        let Some(site) = code.sites.get(&pc) else {
            let message = format!("operation {pc} of a function has no site");
            return Err(Stop::Error(RunError::Fault(message)));
        };
        for obligation in &site.obligations {
            self.judge(*obligation)?;
        }
        match &site.action {
            Action::Nothing => {}
            Action::Node { d, expr, operands } => self.compute_node(*d, *expr, operands),
            Action::Load { d, rep, address, bytes, bits, shadow } => {
                let place = self.locate(*address);
                let readable = self.memory.judge(place, *bytes, false).is_ok();
                let value = if readable {
                    self.touch(place, *bytes, false);
                    self.load_value(place, *rep, *bytes, *bits)
                } else {
                    Value::Int(0)
                };
                if let Some(shadow) = shadow {
                    let mask = self.memory.mask(place, 1).and_then(|m| m.first().copied());
                    self.set_slots(*shadow, 1, [mask.map_or(u64::MAX, |m| u64::MAX << 8 | u64::from(m)), 0]);
                }
                self.set(*d, *rep, value);
            }
            Action::Store { a, rep, address, bytes, bits } => {
                let place = self.locate(*address);
                // The first value of a const object is stored without asking whether it may be written.
                let guarded = self.asks_writable(&site.obligations);
                if self.memory.judge(place, *bytes, guarded).is_ok() {
                    self.touch(place, *bytes, true);
                    let value = self.value(*a, *rep);
                    self.store_value(place, value, *rep, *bytes, *bits);
                }
            }
            Action::Taint { address, shadow } => {
                let place = self.locate(*address);
                let mask = self.slots(*shadow)[0] as u8;
                self.memory.set_mask(place, &[mask]);
            }
            Action::Copy { to, from, bytes } => {
                let (to, from) = (self.locate(*to), self.locate(*from));
                self.copy_object(to, from, *bytes);
            }
            Action::Zero { to, bytes } => self.zero(*to, *bytes),
            Action::Live { local, d, bytes } => self.storage_live(*local, *d, *bytes)?,
            Action::Dead { d, variable } => self.storage_dead(*d, *variable),
            Action::Assume { a } => {
                if self.slots(*a)[0] == 0 {
                    return Err(Stop::Assumed);
                }
            }
            Action::Unwritten { local, d, rep } => self.unwritten_register(*local, *d, *rep),
            Action::ReadVolatileInput { global, class } => self.read_volatile_input(*global, *class)?,
            Action::HavocRegister { d, rep } => {
                let bits = self.next_input("__clew_havoc", rep.class());
                let slots = [bits as u64, (bits >> 64) as u64];
                let value = match rep {
                    Rep::Pointer => Value::Ptr(self.memory.recover(bits as u64)),
                    rep => rep.read(slots),
                };
                self.set(*d, *rep, value);
            }
            Action::Show(sight) => self.show_sight(sight),
            Action::Observe { block } => self.observe(*block),
            Action::HavocPlace { to, bytes } => self.zero(*to, *bytes),
            Action::Intrinsic { call, operands, result } => self.intrinsic(call, operands, *result)?,
            Action::Unordered { marker, obligation } => self.unordered(*marker, *obligation)?,
            Action::ReturnObject { from, bytes } => {
                let from = self.locate(*from);
                let to = self.frames.last().and_then(|frame| frame.result_place);
                if let Some(to) = to {
                    self.copy_object(to, from, *bytes);
                }
                return Ok(self.leave(floor, [0; 2], false));
            }
            Action::ComputedGoto { a, targets } => {
                let address = self.slots(*a)[0];
                let function = self.frames.last().map(|frame| frame.function);
                let target = targets.iter().find(|(block, _)| {
                    function.is_some_and(|function| label_address(function, *block) == address)
                });
                return match target {
                    Some((_, pc)) => Ok(Flow::Goto(*pc)),
                    None => {
                        let what = format!("goto to {address:#x}, which is no label of the function");
                        Err(Stop::Error(RunError::Unsupported { what, span: self.current_span() }))
                    }
                };
            }
            Action::Unsupported { what } => {
                let span = self.current_span();
                return Err(Stop::Error(RunError::Unsupported { what: what.clone(), span }));
            }
            Action::Unreachable => return Err(self.unreachable()),
        }
        Ok(Flow::Next)
    }

    /// Judges the obligations of the operation that the innermost frame is at.
    pub(super) fn judge_site(&mut self) -> Result<(), Stop> {
        let Some(frame) = self.frames.last() else { return Ok(()) };
        let (code, pc) = (frame.code.clone(), frame.pc);
        let Some(site) = code.sites.get(&pc) else { return Ok(()) };
        site.obligations.iter().try_for_each(|obligation| self.judge(*obligation))
    }

    fn asks_writable(&self, obligations: &[ObligationId]) -> bool {
        let Some(body) = self.body() else { return false };
        obligations.iter().any(|id| matches!(body.obligations[*id].condition, Condition::Writable(_)))
    }

    /// Where no run comes: past a check that always fails, in a run that records its findings.
    fn unreachable(&mut self) -> Stop {
        match self.findings.pop() {
            Some(finding) => Stop::Finding(Box::new(finding)),
            None => {
                let place = self.program.sources.place(self.current_span());
                Stop::Error(RunError::Fault(format!("{place}: a place that cannot be reached was reached")))
            }
        }
    }

    fn compute_node(&mut self, d: Reg, expr: clew_ir::syntax::ExprId, operands: &[Reg]) {
        let Some(body) = self.body() else { return };
        let node = &body.exprs[expr];
        let mut values = Vec::with_capacity(operands.len());
        let mut index = 0;
        let types = self.program.types();
        node.operands(|operand| {
            let source = &body.exprs[operand];
            let constant = matches!(source.kind, ExprKind::Int(_) | ExprKind::Float { .. });
            let value = if constant {
                Context { types, memory: &mut self.memory }.node(source, &[])
            } else {
                let rep = Rep::of(types.class(source.ty));
                rep.map_or(Value::Unit, |rep| self.value(operands[index], rep))
            };
            values.push((value, source.ty));
            index += 1;
        });
        let value = Context { types, memory: &mut self.memory }.node(node, &values);
        if let Some(rep) = Rep::of(types.class(node.ty)) {
            self.set(d, rep, value);
        }
    }

    /// Copies an object, as far as both sides exist.
    pub(super) fn copy_object(&mut self, to: Pointer, from: Pointer, bytes: u64) {
        let readable = self.memory.judge(from, bytes, false).is_ok();
        let writable = self.memory.judge(to, bytes, false).is_ok();
        if readable && writable {
            self.touch(from, bytes, false);
            self.touch(to, bytes, true);
            self.memory.copy(to, from, bytes);
        }
    }

    fn zero(&mut self, to: Address, bytes: u64) {
        let place = self.locate(to);
        if self.memory.judge(place, bytes, false).is_ok() {
            self.touch(place, bytes, true);
            self.memory.fill(place, 0, bytes);
        }
    }

    /// A memory local comes into being. One that is alive already (a jump back inside its scope) stays the same object
    /// without a value; a variable-length one is made anew.
    fn storage_live(&mut self, local: LocalId, d: Reg, bytes: Option<Reg>) -> Result<(), Stop> {
        let Some(body) = self.body() else { return Ok(()) };
        let declared = &body.locals[local];
        let Storage::Memory { align, is_const } = declared.storage else { return Ok(()) };
        let old = Provenance(self.slots(d)[1]);
        if bytes.is_none()
            && self.owns(old)
            && let Some(object) = self.memory.live(old)
        {
            let (addr, size) = (object.base, object.size as usize);
            self.memory.set_mask(Pointer { addr, prov: old }, &vec![0; size]);
            self.find_unwritten(local, Pointer { addr, prov: old }, size as u64);
            return Ok(());
        }
        self.storage_dead(d, bytes.is_some());
        let size = match bytes {
            Some(reg) => self.slots(reg)[0],
            None => self.program.size_of(declared.ty),
        };
        if bytes.is_some() {
            self.stack_used = self.stack_used.saturating_add(size);
        }
        let function = self.frames.last().map_or(clew_ir::syntax::FuncId(0), |frame| frame.function);
        let pointer = self.stack_object(size, u64::from(align), Name::Local(function, local), !is_const)?;
        self.set_slots(d, 2, [pointer.addr, pointer.prov.0]);
        self.find_unwritten(local, pointer, size);
        Ok(())
    }

    /// What a new local of the innermost frame holds, if the host has a say in it.
    fn find_unwritten(&mut self, local: LocalId, place: Pointer, size: u64) {
        if let Some(bytes) = self.unwritten_local(local, size) {
            self.memory.leave(place, &bytes);
        }
    }

    fn unwritten_local(&mut self, local: LocalId, size: u64) -> Option<Vec<u8>> {
        if !self.host.says_unwritten() {
            return None;
        }
        let function = &self.program.functions[self.frames.last()?.function];
        let name = function.body.as_ref()?.locals[local].name.as_deref().unwrap_or("");
        self.host.unwritten(&format!("{}.{name}", function.source_name), size)
    }

    /// The same for a register. A pointer stays null: no object's address is made of what happens to lie around.
    fn unwritten_register(&mut self, local: LocalId, d: Reg, rep: Rep) {
        let bytes = usize::from(rep.slots()) * 8;
        let Some(found) = self.unwritten_local(local, bytes as u64) else { return };
        if rep == Rep::Pointer {
            return;
        }
        let mut all = [0; 16];
        let known = found.len().min(bytes);
        all[..known].copy_from_slice(&found[..known]);
        let bits = u128::from_le_bytes(all);
        let value = match rep {
            Rep::Int(int) => Value::Int(int.wrap(bits as i128)),
            rep => rep.read([bits as u64, (bits >> 64) as u64]),
        };
        self.set(d, rep, value);
    }

    /// A volatile input is read. Where nobody outside says what, a variable is memory; no run guesses what a register of
    /// a device holds.
    fn read_volatile_input(&mut self, global: GlobalId, class: Class) -> Result<(), Stop> {
        let volatile = &self.program.globals[global];
        let name = &volatile.source_name;
        let range = match volatile.kind {
            GlobalKind::Register { range } => range.map(|(least, most)| (least.into(), most.into())),
            GlobalKind::Variable | GlobalKind::StringLiteral => None,
        };
        let query = InputQuery { kind: input_kind(volatile), name, class, range };
        match self.host.answer(&query) {
            Some(bits) => {
                let size = volatile.size.min(16) as usize;
                self.memory.leave(self.globals[global.index()], &bits.to_le_bytes()[..size]);
                Ok(())
            }
            None if is_register(volatile) => Err(Stop::Error(RunError::Limit(format!(
                "the program reads the hardware `{name}`, and nothing says what it holds: give an input of kind \
                 `register` for each read with --inputs FILE"
            )))),
            None => Ok(()),
        }
    }

    /// A new object of the innermost frame.
    pub(super) fn stack_object(
        &mut self,
        size: u64,
        align: u64,
        name: Name,
        writable: bool,
    ) -> Result<Pointer, Stop> {
        let new = NewObject {
            size,
            align: align.next_power_of_two(),
            kind: Kind::Stack,
            name,
            initialised: false,
            writable,
            born: Default::default(),
        };
        let Some(pointer) = self.memory.alloc(new) else {
            let message = format!("no memory for a local object of {size} bytes");
            return Err(Stop::Error(RunError::Limit(message)));
        };
        self.stack_objects.push(pointer.prov);
        Ok(pointer)
    }

    fn storage_dead(&mut self, d: Reg, variable: bool) {
        let prov = Provenance(self.slots(d)[1]);
        let size = self.memory.live(prov).map_or(0, |object| object.size);
        if self.end_storage(prov) && variable {
            self.stack_used = self.stack_used.saturating_sub(size);
        }
    }

    /// Whether an object is the innermost frame's own.
    fn owns(&self, prov: Provenance) -> bool {
        let first = self.frames.last().map_or(0, |frame| frame.objects);
        self.stack_objects[first..].contains(&prov)
    }

    /// Kills an object if it is the innermost frame's own.
    fn end_storage(&mut self, prov: Provenance) -> bool {
        let first = self.frames.last().map_or(0, |frame| frame.objects);
        let own = self.stack_objects[first..].iter().rposition(|p| *p == prov);
        if let Some(position) = own {
            self.stack_objects.remove(first + position);
            self.memory.kill(prov, Default::default());
        }
        own.is_some()
    }

    fn unordered(&mut self, marker: UnorderedMarker, obligation: ObligationId) -> Result<(), Stop> {
        let depth = self.frames.len();
        match marker {
            UnorderedMarker::Begin => self.unordered.begin(obligation, depth),
            UnorderedMarker::Next => self.unordered.next(obligation, depth),
            UnorderedMarker::Back => self.unordered.back(obligation, depth),
            UnorderedMarker::End => {
                if let Some(addr) = self.unordered.end(obligation, depth) {
                    return self.order_dependent(obligation, addr);
                }
            }
        }
        Ok(())
    }

    fn order_dependent(&mut self, obligation: ObligationId, addr: u64) -> Result<(), Stop> {
        let Some(frame) = self.frames.last() else { return Ok(()) };
        let function = frame.function;
        let Some(body) = self.body() else { return Ok(()) };
        let found = body.obligations[obligation].clone();
        let object = self.memory.containing(addr);
        let name = self.describe(object);
        let violation = Violation {
            check: found.check,
            obligation: Some((function, obligation)),
            argument: None,
            span: found.span,
            message: format!(
                "calls whose order C leaves open touch the same bytes of {name}, and one writes"
            ),
            object,
        };
        self.violate(violation)
    }
}

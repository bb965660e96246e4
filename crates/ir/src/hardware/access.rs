// SPDX-License-Identifier: MIT OR Apache-2.0
//! The accesses: which are to registers, and what becomes of them.

use clew_base::index::Idx;
use clew_base::source::Span;

use super::Apart;
use super::constant::Constants;
use crate::obligation::Condition;
use crate::syntax::*;
use crate::types::Class;

/// Whether a program has registers that are kept apart.
pub fn uses_registers(program: &Program) -> bool {
    program.globals.iter().any(|global| matches!(global.kind, GlobalKind::Register { .. }))
}

/// What is known of the place of an access.
enum Where {
    /// A register, there.
    At(u64, Option<(u64, u64)>),
    /// The program has to ask.
    Asks,
    /// Memory.
    Memory,
}

impl Apart {
    /// All accesses of a body.
    pub(super) fn body(&mut self, program: &mut Program, body: &mut Body) {
        // Constants are told from the body as it was.
        let constants = Constants::new(self.types.view(&program.target), &program.globals, body);
        let told = |block: &Block| {
            let wheres = |s: &Statement| volatile_place(s).map(|p| self.whereabouts(&constants, body, p));
            block.statements.iter().map(wheres).collect::<Vec<_>>()
        };
        let plans: Vec<Vec<Option<Where>>> = body.blocks.iter().map(told).collect();
        for (number, plan) in plans.into_iter().enumerate() {
            if plan.iter().flatten().any(|at| !matches!(at, Where::Memory)) {
                self.block(program, body, BlockId::new(number), plan);
            }
        }
    }

    fn block(&mut self, program: &mut Program, body: &mut Body, id: BlockId, plan: Vec<Option<Where>>) {
        let (span, last) = (body.blocks[id].span, body.blocks[id].terminator.clone());
        let statements = std::mem::take(&mut body.blocks[id].statements);
        let mut current = id;
        for (statement, at) in statements.into_iter().zip(plan) {
            match at {
                None | Some(Where::Memory) => body.blocks[current].statements.push(statement),
                Some(Where::At(address, range)) => {
                    self.at_register(program, body, current, &statement, address, range);
                }
                Some(Where::Asks) => current = self.asks(program, body, (current, span), statement),
            }
        }
        body.blocks[current].terminator = last;
    }

    fn whereabouts(&self, constants: &Constants<'_>, whole: &Body, place: &Place) -> Where {
        if let Some(address) = constants.address(place) {
            return match self.values(address, constants.bytes(place)) {
                Some(range) => Where::At(address, range),
                None => Where::Memory,
            };
        }
        if points_to_object(whole, place.base) { Where::Memory } else { Where::Asks }
    }

    /// An access to one register. Its obligations are asked of the object that stands for it, and hold.
    fn at_register(
        &mut self,
        program: &mut Program,
        body: &mut Body,
        block: BlockId,
        statement: &Statement,
        address: u64,
        range: Option<(u64, u64)>,
    ) {
        let span = statement.span;
        let ty = match volatile_place(statement) {
            Some(place) => self.raw_type(program, place),
            None => return,
        };
        if let (StatementKind::Copy { .. }, _) | (_, None) = (&statement.kind, ty) {
            let what = "a block of hardware registers that is copied as a whole".into();
            body.blocks[block].statements.push(Statement { kind: StatementKind::Unsupported { what }, span });
            return;
        }
        let Some(ty) = ty else { return };
        let register = self.register(program, Some(address), ty, range, span);
        let checks = last_checks(body, block);
        let place = volatile_place(statement).cloned();
        for obligation in checks {
            let about = place.as_ref().is_some_and(|p| is_about(&body.obligations[obligation].condition, p));
            if about {
                self.turn(program, body, obligation, register, ty);
            }
        }
        let made = self.read(program, body, statement, register, ty, range);
        body.blocks[block].statements.extend(made);
    }

    /// Makes an obligation one of the object that stands for a register.
    fn turn(
        &mut self,
        program: &Program,
        body: &mut Body,
        obligation: ObligationId,
        register: GlobalId,
        ty: TypeId,
    ) {
        let place = Place { base: PlaceBase::Global(register), projections: Vec::new(), ty };
        let span = body.obligations[obligation].span;
        let pointer = self.types.pointer(ty);
        let condition = &mut body.obligations[obligation].condition;
        match condition {
            Condition::NotNull(e) | Condition::Valid(e) | Condition::Live(e) => {
                let kind = ExprKind::AddressOf(Box::new(place));
                *e = body.exprs.push(Expr { kind, ty: pointer, span });
            }
            Condition::InBounds(p) | Condition::Writable(p) => **p = place,
            Condition::Aligned(p, align) => {
                let own = self.types.view(&program.target).align_of(ty);
                *align = (*align).min(own.max(1));
                **p = place;
            }
            // Nobody writes a register before it is read.
            Condition::Initialised(..) => {
                let int = self.types.int(u16::from(program.target.int_bits), true);
                *condition =
                    Condition::Holds(body.exprs.push(Expr { kind: ExprKind::Int(1), ty: int, span }));
            }
            _ => {}
        }
    }

    /// The type that a register is read with: numbers as what they are, all else as their bits. Nothing for what is no scalar.
    fn raw_type(&mut self, program: &Program, place: &Place) -> Option<TypeId> {
        let view = self.types.view(&program.target);
        let bytes = view.size_of(place.ty);
        match view.class(place.ty) {
            Class::Int(int) if int.bits > 1 && view.bit_range(place).is_none() => Some(place.ty),
            Class::Float(_) => Some(place.ty),
            Class::Int(_) | Class::Pointer => Some(self.types.int((bytes * 8) as u16, false)),
            _ => None,
        }
    }

    /// A register is read: an input. Written: nothing happens.
    fn read(
        &mut self,
        program: &Program,
        body: &mut Body,
        statement: &Statement,
        register: GlobalId,
        ty: TypeId,
        range: Option<(u64, u64)>,
    ) -> Vec<Statement> {
        let span = statement.span;
        let StatementKind::Load { local, place, .. } = &statement.kind else { return Vec::new() };
        let from = Place { base: PlaceBase::Global(register), projections: Vec::new(), ty };
        let flags = AccessFlags { volatile: true, ..AccessFlags::default() };
        let plain =
            ty == body.locals[*local].ty && self.types.view(&program.target).bit_range(place).is_none();
        let to = match plain {
            true => *local,
            false => body.locals.push(Local { name: None, ty, storage: Storage::Register, span }),
        };
        let mut made = vec![StatementKind::Load { local: to, place: Box::new(from), flags }];
        if let Some(condition) = range.and_then(|range| self.in_range(body, to, ty, range, span)) {
            made.push(StatementKind::Assume { condition });
        }
        if !plain {
            let value = self.converted(program, body, place, (to, ty), span);
            made.push(StatementKind::Assign { local: *local, value });
        }
        made.into_iter().map(|kind| Statement { kind, span }).collect()
    }

    /// That a register reads as one of its values.
    fn in_range(
        &mut self,
        body: &mut Body,
        local: LocalId,
        ty: TypeId,
        (least, most): (u64, u64),
        span: Span,
    ) -> Option<ExprId> {
        let Type::Int { bits, .. } = *self.types.get(ty) else { return None };
        let (unsigned, int) = (self.types.int(bits, false), self.types.int(32, true));
        let all = if bits >= 64 { u64::MAX } else { (1 << bits) - 1 };
        let mut push = |kind, ty| body.exprs.push(Expr { kind, ty, span });
        let value = push(ExprKind::Local(local), ty);
        let value = if ty == unsigned { value } else { push(ExprKind::Cast(value), unsigned) };
        let least = push(ExprKind::Int(i128::from(least.min(all))), unsigned);
        let most = push(ExprKind::Int(i128::from(most.min(all))), unsigned);
        let above = push(ExprKind::Compare(CompareOp::Ge, value, least), int);
        let below = push(ExprKind::Compare(CompareOp::Le, value, most), int);
        Some(push(ExprKind::Binary(BinaryOp::And, above, below), int))
    }

    /// The value that bits of a register are for the type that they are read as: a bit-field, a pointer, a truth.
    fn converted(
        &mut self,
        program: &Program,
        body: &mut Body,
        place: &Place,
        (raw, ty): (LocalId, TypeId),
        span: Span,
    ) -> ExprId {
        let (bits, class) = {
            let view = self.types.view(&program.target);
            (view.bit_range(place), view.class(place.ty))
        };
        let mut push = |kind, ty| body.exprs.push(Expr { kind, ty, span });
        let mut value = push(ExprKind::Local(raw), ty);
        let width = bits.map(|bits| u32::from(bits.width));
        let width = width.or(matches!(class, Class::Int(int) if int.bits == 1).then_some(1));
        if let Some(width) = width {
            let mask = push(ExprKind::Int((1i128 << width.min(126)) - 1), ty);
            value = push(ExprKind::Binary(BinaryOp::And, value, mask), ty);
            if matches!(class, Class::Int(int) if int.signed) {
                // Extended by its sign: flipped, and taken away again.
                let sign = push(ExprKind::Int(1i128 << (width.min(126) - 1)), ty);
                value = push(ExprKind::Binary(BinaryOp::Xor, value, sign), ty);
                value = push(ExprKind::Binary(BinaryOp::Sub, value, sign), ty);
            }
        }
        push(ExprKind::Cast(value), place.ty)
    }

    /// An access that is to a register if its address is one. Gives the block behind it.
    fn asks(
        &mut self,
        program: &mut Program,
        body: &mut Body,
        (block, span): (BlockId, Span),
        statement: Statement,
    ) -> BlockId {
        let Some(place) = volatile_place(&statement).cloned() else { return block };
        let about = |body: &Body, o: ObligationId| is_about(&body.obligations[o].condition, &place);
        let checks = last_checks(body, block);
        let (moved, kept): (Vec<_>, Vec<_>) = checks.into_iter().partition(|o| about(body, *o));
        while matches!(body.blocks[block].statements.last(), Some(s) if matches!(s.kind, StatementKind::Check { .. }))
        {
            body.blocks[block].statements.pop();
        }
        let at = statement.span;
        let checks = |list: Vec<ObligationId>| {
            list.into_iter()
                .map(move |first| Statement { kind: StatementKind::Check { first, count: 1 }, span: at })
        };
        body.blocks[block].statements.extend(checks(kept));
        let bytes = self.types.view(&program.target).size_of(place.ty);
        let condition = self.is_register(body, &place, bytes, at);
        let register = match (&statement.kind, self.raw_type(program, &place)) {
            (StatementKind::Copy { .. }, _) | (_, None) => {
                let what = "a block of hardware registers that is copied as a whole".into();
                vec![Statement { kind: StatementKind::Unsupported { what }, span: at }]
            }
            (_, Some(ty)) => {
                let register = self.register(program, None, ty, None, at);
                self.read(program, body, &statement, register, ty, None)
            }
        };
        let mut memory: Vec<Statement> = checks(moved).collect();
        memory.push(statement);
        let end = Block { statements: Vec::new(), terminator: Terminator::Unreachable, span };
        let next = body.blocks.push(end);
        let arm = |statements| Block { statements, terminator: Terminator::Goto(next), span: at };
        let then = body.blocks.push(arm(register));
        let otherwise = body.blocks.push(arm(memory));
        body.blocks[block].terminator = Terminator::Branch { condition, then, otherwise };
        next
    }

    /// Whether a place of so many bytes lies where registers are. What null leads to does not, unless one lies at null.
    fn is_register(&mut self, body: &mut Body, place: &Place, bytes: u64, span: Span) -> ExprId {
        let int = self.types.int(32, true);
        let PlaceBase::Deref(base) = place.base else {
            return body.exprs.push(Expr { kind: ExprKind::Int(0), ty: int, span });
        };
        let ty = body.exprs[base].ty;
        let address = if place.projections.is_empty() {
            base
        } else {
            // A bit-field has no address of its own: that of its record does.
            let mut place = place.clone();
            let is_bits = |step: &Projection| {
                matches!(step, Projection::Field { record, field }
                if self.types.records()[*record].fields[*field as usize].bits.is_some())
            };
            if let Some(Projection::Field { record, .. }) = place.projections.last().copied()
                && place.projections.last().is_some_and(is_bits)
            {
                place.projections.pop();
                place.ty = self.types.record(record);
            }
            body.exprs.push(Expr { kind: ExprKind::AddressOf(Box::new(place)), ty, span })
        };
        let mut push = |kind, ty| body.exprs.push(Expr { kind, ty, span });
        let mut any: Option<ExprId> = None;
        let more = if self.are_said { bytes.max(1) - 1 } else { 0 };
        let spans = self.spans().filter_map(|(first, last)| Some((first, last.checked_sub(more)?)));
        for (first, last) in spans.filter(|(first, last)| first <= last) {
            let first = push(ExprKind::Int(i128::from(first)), ty);
            let last = push(ExprKind::Int(i128::from(last)), ty);
            let above = push(ExprKind::Compare(CompareOp::Ge, address, first), int);
            let below = push(ExprKind::Compare(CompareOp::Le, address, last), int);
            let inside = push(ExprKind::Binary(BinaryOp::And, above, below), int);
            any = Some(match any {
                Some(any) => push(ExprKind::Binary(BinaryOp::Or, any, inside), int),
                None => inside,
            });
        }
        let any = any.unwrap_or_else(|| push(ExprKind::Int(0), int));
        if self.regions.iter().any(|region| region.first == 0) || address == base {
            return any;
        }
        let null = push(ExprKind::Int(0), ty);
        let not_null = push(ExprKind::Compare(CompareOp::Ne, base, null), int);
        push(ExprKind::Binary(BinaryOp::And, not_null, any), int)
    }
}

/// The place of a volatile access through a pointer.
fn volatile_place(statement: &Statement) -> Option<&Place> {
    let through = |place: &Place| matches!(place.base, PlaceBase::Deref(_));
    let place = match &statement.kind {
        StatementKind::Load { place, flags, .. } | StatementKind::Store { place, flags, .. } => {
            Some(&**place).filter(|_| flags.volatile)
        }
        StatementKind::Copy { to, from, flags } if flags.volatile => {
            Some(if through(to) { &**to } else { &**from })
        }
        _ => None,
    };
    place.filter(|place| through(place))
}

/// Whether a pointer is the address of something that has a name.
fn points_to_object(body: &Body, base: PlaceBase) -> bool {
    let PlaceBase::Deref(mut pointer) = base else { return true };
    loop {
        match &body.exprs[pointer].kind {
            ExprKind::AddressOf(place) => match place.base {
                PlaceBase::Deref(inner) => pointer = inner,
                PlaceBase::Local(_) | PlaceBase::Global(_) => return true,
            },
            ExprKind::PointerAdd { pointer: inner, .. } | ExprKind::Cast(inner) => pointer = *inner,
            _ => return false,
        }
    }
}

/// Whether a condition is one of an access to the place.
fn is_about(condition: &Condition, place: &Place) -> bool {
    match condition {
        Condition::NotNull(e) | Condition::Valid(e) | Condition::Live(e) => {
            place.base == PlaceBase::Deref(*e)
        }
        Condition::InBounds(p)
        | Condition::Writable(p)
        | Condition::Aligned(p, _)
        | Condition::Initialised(p, _) => p.base == place.base,
        _ => false,
    }
}

/// The obligations that a block ends with so far.
fn last_checks(body: &Body, block: BlockId) -> Vec<ObligationId> {
    let mut found = Vec::new();
    for statement in body.blocks[block].statements.iter().rev() {
        let StatementKind::Check { first, count } = statement.kind else { break };
        found.splice(0..0, (0..count as usize).map(|n| ObligationId::new(first.index() + n)));
    }
    found
}

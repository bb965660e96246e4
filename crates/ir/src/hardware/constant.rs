// SPDX-License-Identifier: MIT OR Apache-2.0
//! Addresses that are known before the program runs.

use clew_base::index::IndexVec;

use super::{Lies, PAGE, Region};
use crate::syntax::*;
use crate::types::{Class, Types};
use crate::visit::Visit;

/// What gives a register local its value, if one statement alone does.
#[derive(Clone, Copy)]
enum Given<'a> {
    Nothing,
    Value(ExprId),
    Loaded(&'a Place),
    Several,
}

/// The constants of a body.
pub(super) struct Constants<'a> {
    pub(super) types: Types<'a>,
    globals: &'a IndexVec<GlobalId, Global>,
    body: &'a Body,
    given: IndexVec<LocalId, Given<'a>>,
}

/// So deep is followed what a value is made from.
const DEPTH: u32 = 24;

impl<'a> Constants<'a> {
    pub(super) fn new(types: Types<'a>, globals: &'a IndexVec<GlobalId, Global>, body: &'a Body) -> Self {
        let mut writers = Writers(body.locals.iter().map(|_| Given::Nothing).collect());
        (0..body.parameters).for_each(|number| writers.0[LocalId(number)] = Given::Several);
        for statement in body.blocks.iter().flat_map(|block| &block.statements) {
            match &statement.kind {
                StatementKind::Assign { local, value } => writers.give(*local, Given::Value(*value)),
                StatementKind::Load { local, place, flags } if !flags.volatile => {
                    writers.give(*local, Given::Loaded(place));
                }
                StatementKind::StorageLive { .. } | StatementKind::StorageDead { .. } => {}
                // Whatever else names a local may write it.
                _ => writers.walk_statement(statement),
            }
        }
        Constants { types, globals, body, given: writers.0 }
    }

    /// The value of an expression, if it is always the same.
    pub(super) fn value(&self, expr: ExprId) -> Option<i128> {
        self.at_depth(expr, 0)
    }

    fn at_depth(&self, expr: ExprId, depth: u32) -> Option<i128> {
        if depth > DEPTH {
            return None;
        }
        let node = &self.body.exprs[expr];
        let int = self.types.int_type(node.ty)?;
        let value = |expr| self.at_depth(expr, depth + 1);
        let exact = match &node.kind {
            ExprKind::Int(number) => *number,
            ExprKind::Cast(operand) => {
                let number = value(*operand)?;
                if int.bits == 1 { i128::from(number != 0) } else { number }
            }
            ExprKind::Local(local) => match self.given[*local] {
                Given::Value(given) => value(given)?,
                Given::Loaded(place) => self.loaded(place, depth + 1)?,
                Given::Nothing | Given::Several => return None,
            },
            ExprKind::AddressOf(place) => self.address_at(place, depth + 1)?,
            ExprKind::PointerAdd { pointer, index, stride } => {
                value(*pointer)?.wrapping_add(value(*index)?.wrapping_mul(i128::from(*stride)))
            }
            ExprKind::Binary(op, left, right) => {
                let (left, right) = (value(*left)?, value(*right)?);
                match op {
                    BinaryOp::Add => left.wrapping_add(right),
                    BinaryOp::Sub => left.wrapping_sub(right),
                    BinaryOp::Mul => left.wrapping_mul(right),
                    BinaryOp::And => left & right,
                    BinaryOp::Or => left | right,
                    BinaryOp::Xor => left ^ right,
                    BinaryOp::Shl if (0..64).contains(&right) => left.wrapping_shl(right as u32),
                    BinaryOp::Shr if (0..64).contains(&right) => left >> right,
                    _ => return None,
                }
            }
            _ => return None,
        };
        Some(int.wrap(exact))
    }

    /// The address of a place that starts at a constant pointer.
    pub(super) fn address(&self, place: &Place) -> Option<u64> {
        self.address_at(place, 0).map(|address| address as u64)
    }

    /// The bytes of an access to a place.
    pub(super) fn bytes(&self, place: &Place) -> u64 {
        self.types.size_of(place.ty)
    }

    fn address_at(&self, place: &Place, depth: u32) -> Option<i128> {
        let PlaceBase::Deref(pointer) = place.base else { return None };
        let start = self.at_depth(pointer, depth + 1)?;
        let pointer = clew_base::int::IntType::unsigned(u16::from(self.types.target.pointer_bytes) * 8);
        Some(pointer.wrap(start.wrapping_add(self.offset(place, depth)?)))
    }

    fn offset(&self, place: &Place, depth: u32) -> Option<i128> {
        place.projections.iter().try_fold(0i128, |offset, step| {
            let step = match step {
                Projection::Field { record, field } => i128::from(self.types.field(*record, *field)?.offset),
                Projection::Index { index, stride, .. } => {
                    self.at_depth(*index, depth + 1)?.wrapping_mul(i128::from(*stride))
                }
            };
            Some(offset.wrapping_add(step))
        })
    }

    /// What a constant variable holds at a place: a number of its initialiser.
    fn loaded(&self, place: &Place, depth: u32) -> Option<i128> {
        let PlaceBase::Global(global) = place.base else { return None };
        let global = &self.globals[global];
        if !global.is_const || global.alias.is_some() || self.types.bit_range(place).is_some() {
            return None;
        }
        let init = global.init.as_ref().filter(|init| !init.tentative)?;
        let from = u64::try_from(self.offset(place, depth)?).ok()?;
        let size = self.types.size_of(place.ty);
        let touches = |at: &Relocation| at.offset < from + size && from < at.offset + u64::from(at.bytes);
        if from.checked_add(size)? > global.size || init.relocations.iter().any(touches) {
            return None;
        }
        let int = self.types.int_type(place.ty)?;
        Some(int.wrap(number_at(&init.bytes, from, size) as i128))
    }
}

/// The number that stands somewhere in an initialiser; behind its end there are zeros.
pub(super) fn number_at(bytes: &[u8], from: u64, size: u64) -> u128 {
    let byte = |at: u64| usize::try_from(at).ok().and_then(|at| bytes.get(at)).copied().unwrap_or(0);
    (0..size.min(16)).fold(0, |number, at| number | u128::from(byte(from + at)) << (at * 8))
}

struct Writers<'a>(IndexVec<LocalId, Given<'a>>);

impl<'a> Writers<'a> {
    fn give(&mut self, local: LocalId, given: Given<'a>) {
        let before = &mut self.0[local];
        *before = if matches!(before, Given::Nothing) { given } else { Given::Several };
    }
}

impl Visit for Writers<'_> {
    fn local(&mut self, local: &LocalId) {
        self.0[*local] = Given::Several;
    }
}

/// Where registers lie when nobody says it: at the constants that the program makes pointers of.
pub(super) fn regions(program: &Program) -> Vec<Region> {
    let mut found = Found { program, addresses: Vec::new() };
    let bodies = || program.functions.iter().filter_map(|function| function.body.as_ref());
    // Only what is accessed as volatile is a register.
    if !bodies().any(has_volatile_pointer) {
        return Vec::new();
    }
    let mut by_number = false;
    for body in bodies() {
        let constants = Constants::new(program.types(), &program.globals, body);
        for (id, expr) in body.exprs.iter_enumerated() {
            let Type::Pointer(pointee) = program.types[expr.ty] else { continue };
            match (&expr.kind, constants.value(id)) {
                (ExprKind::Int(_) | ExprKind::Cast(_), Some(address)) => found.add(address, pointee),
                (ExprKind::Cast(number), None) => {
                    by_number |= matches!(constants.types.class(body.exprs[*number].ty), Class::Int(_));
                }
                _ => {}
            }
        }
    }
    if by_number {
        bodies().for_each(|body| found.arguments(body));
    }
    program.globals.iter().for_each(|global| found.initialiser(global));
    let regions = found.addresses.into_iter().map(|(first, size)| {
        let page = first | (PAGE - 1);
        Region { first, last: page.max(first.saturating_add(size.max(1) - 1)), lies: Lies::Registers(None) }
    });
    regions.collect()
}

/// Whether a body reads or writes something volatile through a pointer.
fn has_volatile_pointer(body: &Body) -> bool {
    let through = |place: &Place| matches!(place.base, PlaceBase::Deref(_));
    body.blocks.iter().flat_map(|block| &block.statements).any(|statement| match &statement.kind {
        StatementKind::Load { place, flags, .. } | StatementKind::Store { place, flags, .. } => {
            flags.volatile && through(place)
        }
        StatementKind::Copy { to, from, flags } => flags.volatile && (through(to) || through(from)),
        _ => false,
    })
}

struct Found<'a> {
    program: &'a Program,
    /// With the size of what lies there.
    addresses: Vec<(u64, u64)>,
}

impl Found<'_> {
    /// Null is no register, nor is what stands for an error (`(void *)-1`), nor code.
    fn add(&mut self, address: i128, pointee: TypeId) {
        let types = self.program.types();
        let most = if types.target.pointer_bytes == 4 { u64::from(u32::MAX) } else { u64::MAX - PAGE };
        let address = address as u64;
        if address != 0 && address < most && !matches!(types.get(pointee), Type::Function { .. }) {
            self.addresses.push((address, types.size_of(pointee)));
        }
    }

    /// Numbers that are handed to functions: some make addresses of them. Small ones are counts and flags.
    fn arguments(&mut self, body: &Body) {
        let calls = body.blocks.iter().flat_map(|block| &block.statements).filter_map(|s| match &s.kind {
            StatementKind::Call(call) => Some(call),
            _ => None,
        });
        let types = self.program.types();
        let constants = Constants::new(types, &self.program.globals, body);
        for argument in calls.flat_map(|call| &call.arguments) {
            let Argument::Value(value) = argument else { continue };
            let Class::Int(int) = types.class(body.exprs[*value].ty) else { continue };
            let wide = int.bits == u16::from(types.target.pointer_bytes) * 8 || int.bits == 32;
            if let Some(number) = constants.value(*value).filter(|n| wide && (0x1_0000..1 << 48).contains(n))
            {
                self.addresses.push((number as u64, 1));
            }
        }
    }

    /// Pointers in initialisers that are numbers.
    fn initialiser(&mut self, global: &Global) {
        let Some(init) = &global.init else { return };
        self.pointers(global.ty, 0, init, &mut 0);
    }

    fn pointers(&mut self, ty: TypeId, at: u64, init: &Init, steps: &mut u32) {
        *steps += 1;
        // A table of a million pointers to objects says nothing new.
        if *steps > 10_000 || at >= init.bytes.len() as u64 {
            return;
        }
        let types = self.program.types();
        match types.get(ty) {
            Type::Pointer(pointee) => {
                let bytes = u64::from(types.target.pointer_bytes);
                if !init.relocations.iter().any(|relocation| relocation.offset == at) {
                    self.add(number_at(&init.bytes, at, bytes) as i128, *pointee);
                }
            }
            Type::Array { element, length } => {
                let stride = types.size_of(*element);
                for index in 0..length.unwrap_or(0).min(10_000) {
                    self.pointers(*element, at + index * stride, init, steps);
                }
            }
            Type::Record(record) => {
                for field in self.program.records[*record].fields.iter().filter(|f| f.bits.is_none()) {
                    self.pointers(field.ty, at + field.offset, init, steps);
                }
            }
            _ => {}
        }
    }
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! The initial store (`W_init` of the paper's Example 8): inputs are any of their range, constants are what they are.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use clew_base::source::Span;
use clew_ir::syntax::{
    ExprKind, FuncId, GlobalId, Linkage, LocalId, Place, PlaceBase, Program, StatementKind, Storage, Type,
    TypeId,
};

use crate::algebra::{Algebra, Source};
use crate::format::{Grid, Rounding};
use crate::interval::Interval;
use crate::memory::leaves;
use crate::setup::{Input, Kept, Setup, Variable, name_of};
use crate::store::{Frame, Object, ObjectId, Scalar, Shaped, Store};
use crate::walk::{Walk, Walked};

/// A number of an input: what it is called, and between what it lies, in units of the machine.
#[derive(Clone, Debug)]
pub struct Cell {
    /// `x`, or `x[3]`.
    pub name: String,
    /// Its range, as the walk takes it.
    pub range: Interval,
    /// What one of the walk's units is worth.
    pub unit: f64,
    /// Whether the machine has it exactly.
    pub is_exact: bool,
}

/// The numbers of all inputs, in the order of a box.
pub fn cells(program: &Program, setup: &Setup) -> Vec<Cell> {
    let mut found = Vec::new();
    for input in &setup.inputs {
        let name = name_of(program, input.variable);
        let leaves = input_leaves(program, input).unwrap_or_default();
        let single = leaves.len() == 1 && input.length.is_none();
        for (index, (_, ty)) in leaves.iter().enumerate() {
            let unit = setup.unit(input.variable);
            let around = |value| Interval::around(value) * Interval::point(1.0 / unit);
            let range = around(&input.range.0).hull(around(&input.range.1));
            let kept = setup.kept(program, input.variable, *ty);
            let is_exact = !matches!(kept, Some(Kept::Fixed(_)));
            let range = if is_exact { integral(range) } else { range };
            let name = if single { name.clone() } else { format!("{name}[{index}]") };
            found.push(Cell { name, range, unit, is_exact });
        }
    }
    found
}

/// How the machine rounds an input.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rounded {
    pub grid: Grid,
    pub mode: Rounding,
}

/// How the machine rounds each number of the inputs; none: it has it exactly.
pub(crate) fn rounded_cells(program: &Program, setup: &Setup) -> Vec<Option<Rounded>> {
    let mut found = Vec::new();
    for input in &setup.inputs {
        for (_, ty) in input_leaves(program, input).unwrap_or_default() {
            found.push(match setup.kept(program, input.variable, ty) {
                Some(Kept::Fixed(format)) => Some(Rounded { grid: format.grid(), mode: format.rounding }),
                _ => None,
            });
        }
    }
    found
}

/// The integers in an interval; the interval itself if there are none.
fn integral(range: Interval) -> Interval {
    let (low, high) = (range.lo.ceil(), range.hi.floor());
    if low <= high { Interval::new(low, high) } else { range }
}

/// The scalars of an input.
fn input_leaves(program: &Program, input: &Input) -> Option<Vec<(u64, TypeId)>> {
    let ty = variable_type(program, input.variable)?;
    match (&program.types[ty], input.length) {
        (Type::Pointer(element), Some(length)) => {
            let stride = program.size_of(*element);
            let inner = leaves(program, *element)?;
            Some((0..length).flat_map(|i| inner.iter().map(move |(at, ty)| (i * stride + at, *ty))).collect())
        }
        _ => leaves(program, ty),
    }
}

/// A variable's declared type.
pub fn variable_type(program: &Program, variable: Variable) -> Option<TypeId> {
    match variable {
        Variable::Global(global) => Some(program.globals[global].ty),
        Variable::Local(function, local) => {
            program.functions[function].body.as_ref()?.locals.get(local).map(|local| local.ty)
        }
    }
}

impl<'a, A: Algebra> Walk<'a, A> {
    /// The store at the start of the entry.
    pub(crate) fn begin(&mut self) -> Walked<Store<A::Value>> {
        let entry = self.setup.entry;
        let body = self.body(entry)?;
        let span = self.program.functions[entry].span;
        let frame = Frame::new(entry, body.locals.len());
        let mut store = Store { frames: vec![frame], objects: BTreeMap::new() };
        let facts = &self.setup.facts;
        let is_main = &*self.program.functions[entry].name == "main";
        for id in &facts.globals {
            let (id, global) = (*id, &self.program.globals[*id]);
            let mut object = self.initial(id, span)?;
            let is_fixed = global.is_const
                || is_main
                || (global.linkage == Linkage::Internal && !facts.written.contains(&id))
                || matches!(global.kind, clew_ir::syntax::GlobalKind::StringLiteral);
            if !is_fixed {
                let why: Arc<str> =
                    format!("`{}`, which has no range (--range {0}=LOW..HIGH)", global.source_name).into();
                object.cells.values_mut().for_each(|cell| *cell = Scalar::Unclear(why.clone()));
                self.untouched.insert(id, why);
            }
            store.objects.insert(ObjectId::Global(id), Arc::new(object));
        }
        for index in 0..body.parameters {
            let local = LocalId(index);
            let name = name_of(self.program, Variable::Local(entry, local));
            let why = format!("the parameter `{name}`, which has no range (--range {name}=LOW..HIGH)");
            let unclear = Scalar::unclear(why);
            match body.locals[local].storage {
                Storage::Register => store.frame().registers[index as usize] = unclear,
                Storage::Memory { .. } => {
                    self.live(entry, body, &mut store, local);
                    if let Some(object) = store.object_mut(ObjectId::Local(0, local)) {
                        object.cells.insert(0, unclear);
                    }
                }
            }
        }
        let mut next = 0;
        for input in &self.setup.inputs {
            self.place_input(&mut store, entry, input, &mut next, span)?;
        }
        Ok(store)
    }

    fn place_input(
        &mut self,
        store: &mut Store<A::Value>,
        entry: FuncId,
        input: &Input,
        next: &mut usize,
        span: Span,
    ) -> Walked<()> {
        let variable = input.variable;
        let name: Arc<str> = name_of(self.program, variable).into();
        let (Some(ty), Some(leaves)) =
            (variable_type(self.program, variable), input_leaves(self.program, input))
        else {
            return Err(
                self.no_bound(&format!("the input `{name}` is no number and no array of numbers"), span)
            );
        };
        let mut cells = BTreeMap::new();
        for (offset, ty) in leaves {
            let value = self.input_number(variable, ty, self.inputs[*next], span)?;
            *next += 1;
            self.note(None, &format!("{name} at the start").into(), variable, &value);
            cells.insert(offset, value);
        }
        match (variable, &self.program.types[ty]) {
            (Variable::Global(global), _) => {
                if let Some(object) = store.object_mut(ObjectId::Global(global)) {
                    object.cells.extend(cells);
                }
            }
            (Variable::Local(_, local), Type::Pointer(element)) => {
                let size = self.program.size_of(*element) * input.length.unwrap_or(1);
                let object = Object { variable: Some(variable), ty: *element, size, cells };
                store.objects.insert(ObjectId::Pointee(local), Arc::new(object));
                self.place_parameter(store, entry, local, Scalar::Pointer(ObjectId::Pointee(local), 0));
            }
            (Variable::Local(_, local), _) => {
                let value = cells.remove(&0).unwrap_or(Scalar::Undefined);
                self.place_parameter(store, entry, local, value);
            }
        }
        Ok(())
    }

    fn place_parameter(
        &mut self,
        store: &mut Store<A::Value>,
        entry: FuncId,
        local: LocalId,
        value: Scalar<A::Value>,
    ) {
        let Some(body) = &self.program.functions[entry].body else { return };
        match body.locals[local].storage {
            Storage::Register => store.frame().registers[local.0 as usize] = value,
            Storage::Memory { .. } => {
                if let Some(object) = store.object_mut(ObjectId::Local(0, local)) {
                    object.cells.insert(0, value);
                }
            }
        }
    }

    fn input_number(
        &mut self,
        variable: Variable,
        ty: TypeId,
        range: Interval,
        span: Span,
    ) -> Walked<Scalar<A::Value>> {
        let (grid, rounding, format): (Grid, Option<Rounding>, _) =
            match self.setup.kept(self.program, variable, ty) {
                Some(Kept::Fixed(format)) => (format.grid(), Some(format.rounding), Some(format)),
                Some(Kept::Quantity { .. }) => (Grid::INTEGERS, None, None),
                None if matches!(self.program.types[ty], Type::Float(_)) => {
                    let name = name_of(self.program, variable);
                    let why = format!("the input `{name}`, which has no format (--fixed {name}=s7.8)");
                    return Ok(Scalar::unclear(why));
                }
                None => return Ok(Scalar::Int(range.lo.ceil() as i128, range.hi.floor() as i128)),
            };
        let value = self.algebra.source(&Source { range, grid, rounding });
        let number = Shaped::new(self.computed(value, span)?, None, Some(grid));
        Ok(Scalar::Number(match format {
            // The rounded input has to fit, like any result.
            Some(format) => self.fit(number, &format, span)?,
            None => number,
        }))
    }
}

/// The globals that some function may write: stored to by name, or whose address goes anywhere.
pub(crate) fn written_globals(program: &Program) -> BTreeSet<GlobalId> {
    let mut found = BTreeSet::new();
    let mut add = |place: &Place| {
        if let PlaceBase::Global(global) = place.base {
            found.insert(global);
        }
    };
    for body in program.functions.iter().filter_map(|function| function.body.as_ref()) {
        for statement in body.blocks.iter().flat_map(|block| &block.statements) {
            match &statement.kind {
                StatementKind::Store { place, .. } | StatementKind::Zero { place } => add(place),
                StatementKind::Copy { to, .. } => add(to),
                _ => {}
            }
        }
        for expr in body.exprs.iter() {
            if let ExprKind::AddressOf(place) = &expr.kind {
                add(place);
            }
        }
    }
    for global in program.globals.iter().filter_map(|global| global.init.as_ref()) {
        for relocation in &global.relocations {
            if let clew_ir::syntax::Address::Global(to) = relocation.target {
                found.insert(to);
            }
        }
    }
    found
}

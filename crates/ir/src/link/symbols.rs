// SPDX-License-Identifier: MIT OR Apache-2.0
//! Names: which of several declarations and definitions a name stands for.

use std::sync::Arc;

use clew_base::index::IndexVec;
use clew_base::source::{Place, Span};
use rustc_hash::{FxHashMap, FxHashSet};

use super::LinkError;
use crate::syntax::*;

/// How much a unit says about a name; more wins.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Strength {
    Declared,
    Tentative,
    WeakDefinition,
    Definition,
}

/// The symbol that a name stands for.
#[derive(Clone, Copy)]
struct Winner {
    unit: usize,
    index: usize,
    strength: Strength,
}

/// Which declaration each symbol of the program comes from, and where each unit's handles go.
pub(super) struct Plan {
    pub(super) functions: Vec<Vec<FuncId>>,
    pub(super) globals: Vec<Vec<GlobalId>>,
    function_winners: Vec<Winner>,
    global_winners: Vec<Winner>,
}

impl Plan {
    /// The size of a variable that another unit defines.
    pub(super) fn defined_size(&self, units: &[Program], unit: usize, global: GlobalId) -> Option<u64> {
        let winner = self.global_winners[self.globals[unit][global.0 as usize].0 as usize];
        let defined = &units[winner.unit].globals.as_slice()[winner.index];
        (winner.unit != unit && defined.init.is_some() && defined.alias.is_none()).then_some(defined.size)
    }
}

/// Renames internal symbols that collide with others, and numbers string literals anew.
pub(super) fn rename_internal(units: &mut [Program]) {
    let mut uses: FxHashMap<Arc<str>, u32> = FxHashMap::default();
    for unit in units.iter() {
        let mut own: FxHashSet<&Arc<str>> = FxHashSet::default();
        let names = unit.functions.iter().map(|f| &f.name).chain(unit.globals.iter().map(|g| &g.name));
        own.extend(names);
        for name in own {
            *uses.entry(name.clone()).or_default() += 1;
        }
    }
    let mut literals = 0;
    let mut taken: FxHashSet<Arc<str>> = uses.keys().cloned().collect();
    for unit in units {
        let file = unit
            .sources
            .files
            .iter()
            .next()
            .map_or("?", |f| f.name.rsplit('/').next().unwrap_or("?"))
            .to_owned();
        let mut renamed: FxHashMap<Arc<str>, Arc<str>> = FxHashMap::default();
        let mut rename = |name: &mut Arc<str>, taken: &mut FxHashSet<Arc<str>>| {
            if uses.get(name).is_none_or(|n| *n < 2) {
                return;
            }
            let new = unused_name(&format!("{name}@{file}"), taken);
            renamed.insert(name.clone(), new.clone());
            *name = new;
        };
        // One without a definition is a reference to a name of another unit (`weakref`).
        let defined = |f: &&mut Function| f.body.is_some() || f.alias.is_some();
        for function in unit.functions.iter_mut().filter(|f| f.linkage == Linkage::Internal).filter(defined) {
            rename(&mut function.name, &mut taken);
        }
        for global in unit.globals.iter_mut().filter(|g| g.linkage == Linkage::Internal) {
            if global.kind == GlobalKind::StringLiteral {
                global.name = format!(".str.{literals}").into();
                literals += 1;
            } else {
                rename(&mut global.name, &mut taken);
            }
        }
        let aliases = unit.functions.iter_mut().filter_map(|f| f.alias.as_mut());
        for alias in aliases.chain(unit.globals.iter_mut().filter_map(|g| g.alias.as_mut())) {
            if let Some(new) = renamed.get(alias) {
                *alias = new.clone();
            }
        }
    }
}

pub(super) fn unused_name(wanted: &str, taken: &mut FxHashSet<Arc<str>>) -> Arc<str> {
    let mut name: Arc<str> = wanted.into();
    let mut number = 1;
    while !taken.insert(name.clone()) {
        name = format!("{wanted}.{number}").into();
        number += 1;
    }
    name
}

/// A symbol as the table of names sees it.
#[derive(Clone, Copy)]
enum Symbol {
    Function(FuncId),
    Global(GlobalId),
}

struct Planner<'a> {
    units: &'a [Program],
    names: FxHashMap<Arc<str>, Symbol>,
    plan: Plan,
    errors: Vec<LinkError>,
}

/// Decides for every name, or lists all conflicts.
pub(super) fn plan(units: &[Program]) -> Result<Plan, Vec<LinkError>> {
    let plan = Plan {
        functions: Vec::new(),
        globals: Vec::new(),
        function_winners: Vec::new(),
        global_winners: Vec::new(),
    };
    let mut planner = Planner { units, names: FxHashMap::default(), plan, errors: Vec::new() };
    for (number, unit) in units.iter().enumerate() {
        let functions = (0..unit.functions.len()).map(|index| planner.function(number, index)).collect();
        planner.plan.functions.push(functions);
        let globals = (0..unit.globals.len()).map(|index| planner.global(number, index)).collect();
        planner.plan.globals.push(globals);
    }
    planner.aliases();
    if planner.errors.is_empty() { Ok(planner.plan) } else { Err(planner.errors) }
}

fn strength_of_function(function: &Function) -> Strength {
    match (function.body.is_some() || function.alias.is_some(), function.linkage) {
        (false, _) => Strength::Declared,
        (true, Linkage::Weak) => Strength::WeakDefinition,
        (true, _) => Strength::Definition,
    }
}

fn strength_of_global(global: &Global) -> Strength {
    match &global.init {
        None if global.alias.is_none() => Strength::Declared,
        Some(init) if init.tentative => Strength::Tentative,
        _ if global.linkage == Linkage::Weak => Strength::WeakDefinition,
        _ => Strength::Definition,
    }
}

impl Planner<'_> {
    fn place(&self, unit: usize, span: Span) -> Place {
        self.units[unit].sources.place(span)
    }

    fn function(&mut self, unit: usize, index: usize) -> FuncId {
        let function = &self.units[unit].functions.as_slice()[index];
        let candidate = Winner { unit, index, strength: strength_of_function(function) };
        match self.names.get(&function.name) {
            Some(Symbol::Function(id)) => {
                let id = *id;
                let old = self.plan.function_winners[id.0 as usize];
                let span = self.units[old.unit].functions.as_slice()[old.index].span;
                if self.duplicate(&function.name, old, candidate, span, function.span) {
                    return id;
                }
                // Among mere declarations, one with a prototype says more than an implicit one.
                let old_function = &self.units[old.unit].functions.as_slice()[old.index];
                let says_more = old_function.attributes.implicit && !function.attributes.implicit;
                if candidate.strength > old.strength || (candidate.strength == old.strength && says_more) {
                    self.plan.function_winners[id.0 as usize] = candidate;
                }
                id
            }
            Some(Symbol::Global(id)) => {
                let old = self.plan.global_winners[id.0 as usize];
                let span = self.units[old.unit].globals.as_slice()[old.index].span;
                self.conflict(&function.name, "a function", (old.unit, span), (unit, function.span));
                self.add_function(None, candidate)
            }
            None => self.add_function(Some(function.name.clone()), candidate),
        }
    }

    fn add_function(&mut self, name: Option<Arc<str>>, winner: Winner) -> FuncId {
        let id = FuncId(self.plan.function_winners.len() as u32);
        self.plan.function_winners.push(winner);
        if let Some(name) = name {
            self.names.insert(name, Symbol::Function(id));
        }
        id
    }

    fn global(&mut self, unit: usize, index: usize) -> GlobalId {
        let global = &self.units[unit].globals.as_slice()[index];
        let candidate = Winner { unit, index, strength: strength_of_global(global) };
        match self.names.get(&global.name) {
            Some(Symbol::Global(id)) => {
                let id = *id;
                let old = self.plan.global_winners[id.0 as usize];
                let old_global = &self.units[old.unit].globals.as_slice()[old.index];
                if old_global.thread_local != global.thread_local {
                    let what = if global.thread_local { "thread-local" } else { "not thread-local" };
                    self.conflict(&global.name, what, (old.unit, old_global.span), (unit, global.span));
                    return id;
                }
                if self.duplicate(&global.name, old, candidate, old_global.span, global.span) {
                    return id;
                }
                let larger = candidate.strength == Strength::Tentative && global.size > old_global.size;
                if candidate.strength > old.strength || (candidate.strength == old.strength && larger) {
                    self.plan.global_winners[id.0 as usize] = candidate;
                }
                id
            }
            Some(Symbol::Function(id)) => {
                let old = self.plan.function_winners[id.0 as usize];
                let span = self.units[old.unit].functions.as_slice()[old.index].span;
                self.conflict(&global.name, "a variable", (old.unit, span), (unit, global.span));
                self.add_global(None, candidate)
            }
            None => self.add_global(Some(global.name.clone()), candidate),
        }
    }

    fn add_global(&mut self, name: Option<Arc<str>>, winner: Winner) -> GlobalId {
        let id = GlobalId(self.plan.global_winners.len() as u32);
        self.plan.global_winners.push(winner);
        if let Some(name) = name {
            self.names.insert(name, Symbol::Global(id));
        }
        id
    }

    fn duplicate(&mut self, name: &str, old: Winner, new: Winner, old_span: Span, new_span: Span) -> bool {
        let twice = old.strength == Strength::Definition && new.strength == Strength::Definition;
        if twice {
            let first = self.place(old.unit, old_span);
            let second = self.place(new.unit, new_span);
            self.errors.push(LinkError::Duplicate { name: name.to_owned(), first, second });
        }
        twice
    }

    fn conflict(&mut self, name: &str, what: &'static str, old: (usize, Span), new: (usize, Span)) {
        let first = self.place(old.0, old.1);
        let second = self.place(new.0, new.1);
        self.errors.push(LinkError::Conflict { name: name.to_owned(), what, first, second });
    }

    /// Every alias that is in force must name something defined.
    fn aliases(&mut self) {
        let functions = self.plan.function_winners.iter().filter_map(|w| {
            let f = &self.units[w.unit].functions.as_slice()[w.index];
            Some((w.unit, f.span, f.name.clone(), f.alias.clone()?))
        });
        let globals = self.plan.global_winners.iter().filter_map(|w| {
            let g = &self.units[w.unit].globals.as_slice()[w.index];
            Some((w.unit, g.span, g.name.clone(), g.alias.clone()?))
        });
        let all: Vec<_> = functions.chain(globals).collect();
        for (unit, span, name, target) in all {
            let defined = match self.names.get(&target) {
                Some(Symbol::Function(id)) => self.plan.function_winners[id.0 as usize].strength,
                Some(Symbol::Global(id)) => self.plan.global_winners[id.0 as usize].strength,
                None => Strength::Declared,
            };
            if defined == Strength::Declared {
                let place = self.place(unit, span);
                self.errors.push(LinkError::Alias {
                    name: name.to_string(),
                    target: target.to_string(),
                    place,
                });
            }
        }
    }
}

impl Plan {
    /// Puts a renumbered unit's symbols where they belong. Units come in order, so new symbols come last.
    pub(super) fn place(&self, unit: usize, renumbered: Program, program: &mut Program) {
        let Program { functions, globals, .. } = renumbered;
        for (index, global) in globals.into_vec().into_iter().enumerate() {
            let id = self.globals[unit][index];
            let wins = self.global_winners[id.0 as usize].is(unit, index);
            if program.globals.get(id).is_none() {
                program.globals.push(global);
            } else if wins {
                let old = std::mem::replace(&mut program.globals[id], global);
                merge_global(&mut program.globals[id], &old);
            } else {
                merge_global(&mut program.globals[id], &global);
            }
        }
        for (index, function) in functions.into_vec().into_iter().enumerate() {
            let id = self.functions[unit][index];
            let wins = self.function_winners[id.0 as usize].is(unit, index);
            if program.functions.get(id).is_none() {
                program.functions.push(function);
            } else if wins {
                let old = std::mem::replace(&mut program.functions[id], function);
                merge_function(&mut program.functions[id], &old, &program.globals);
            } else {
                merge_function(&mut program.functions[id], &function, &program.globals);
            }
        }
    }

    /// Label addresses of definitions that lost point nowhere: their tables are never read.
    pub(super) fn finish(&self, program: &mut Program) {
        let blocks: Vec<usize> =
            program.functions.iter().map(|f| f.body.as_ref().map_or(0, |b| b.blocks.len())).collect();
        let stale = |address: Address| match address {
            Address::Label(function, block) => block.0 as usize >= blocks[function.0 as usize],
            _ => false,
        };
        for init in program.globals.iter_mut().filter_map(|g| g.init.as_mut()) {
            init.relocations.retain(|r| !stale(r.target) && !r.minus.is_some_and(stale));
        }
    }
}

impl Winner {
    fn is(self, unit: usize, index: usize) -> bool {
        self.unit == unit && self.index == index
    }
}

/// What a declaration adds to the symbol that won.
fn merge_function(winner: &mut Function, other: &Function, globals: &IndexVec<GlobalId, Global>) {
    super::outside_units::compare_definitions(winner, other, globals);
    winner.attributes.noreturn |= other.attributes.noreturn;
    winner.attributes.interrupt |= other.attributes.interrupt;
    winner.attributes.demanding |= other.attributes.demanding;
    winner.attributes.nonnull |= other.attributes.nonnull;
    winner.attributes.elements = winner.attributes.elements.max(other.attributes.elements);
    winner.attributes.returns_twice |= other.attributes.returns_twice;
    winner.attributes.reads_only |= other.attributes.reads_only;
    if winner.contract == Contract::default() && other.body.is_none() {
        winner.contract = other.contract.clone();
    }
    if winner.body.is_none() && winner.alias.is_none() && other.linkage == Linkage::Weak {
        winner.linkage = Linkage::Weak;
    }
}

fn merge_global(winner: &mut Global, other: &Global) {
    let tentative = |g: &Global| g.init.as_ref().is_some_and(|i| i.tentative);
    if tentative(winner) && tentative(other) {
        winner.align = winner.align.max(other.align);
    }
    if winner.init.is_none() && winner.alias.is_none() && other.linkage == Linkage::Weak {
        winner.linkage = Linkage::Weak;
    }
}

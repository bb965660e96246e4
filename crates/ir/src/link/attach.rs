// SPDX-License-Identifier: MIT OR Apache-2.0
//! Puts what a program needs of a library behind it, as a linker does with an archive.
//!
//! [`link`](super::link) treats all units alike and numbers everything anew. Here the program comes first: every handle
//! and name of it stays what it was, so what is known of the program (ids, spans, reports) is known of the result. A
//! function that the program only declares gets the library's code in its place; what that code needs stands
//! behind the program's own, under a name with the library's file (`reserve@stdio_printf.c`) where the plain one is not
//! free for it. What nothing needs is left out.
//!
//! The library calls itself: where a program defines a function of its own under a library's name, its calls get
//! the program's, and calls inside the library still get the library's.

use std::collections::BTreeSet;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::symbols::unused_name;
use super::{Renumber, fit, sources, types};
use crate::reach::{Reached, reach};
use crate::syntax::*;
use crate::visit::VisitMut;

/// A program with the parts of a library that it needs.
#[derive(Clone, Debug)]
pub struct Attached {
    /// The program; its own functions and globals have the handles that they had.
    pub program: Program,
    /// The functions whose code is the library's: declarations of the program that got it, and what was added.
    pub functions: BTreeSet<FuncId>,
    /// The globals whose start value is the library's, likewise.
    pub globals: BTreeSet<GlobalId>,
    /// Functions that the library defines and that were left without code.
    pub misfits: Vec<Misfit>,
}

/// A function that the program calls in another way than the library defines it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Misfit {
    /// The program's declaration, which has no body.
    pub declared: FuncId,
    /// The library's definition, which nothing of the program calls.
    pub defined: FuncId,
    /// In which way they differ.
    pub why: &'static str,
}

/// Where things of the library go, by their number there. What is not reached goes nowhere.
struct Places {
    functions: Vec<FuncId>,
    globals: Vec<GlobalId>,
}

const NOWHERE: u32 = u32::MAX;

/// The program, with the parts of the library that it needs behind it. Both must be for the same machine.
pub fn attach(mut program: Program, mut library: Program) -> Attached {
    let types = types::append(&mut program, &library);
    let wanted = wanted_functions(&program, &library, &types);
    let wanted_globals = wanted_globals(&program, &library);
    let starts = wanted.iter().map(|(_, defined, _)| *defined);
    let reached = reach(&library, starts, wanted_globals.iter().map(|(_, defined)| *defined));

    let mut places = Places {
        functions: vec![FuncId(NOWHERE); library.functions.len()],
        globals: vec![GlobalId(NOWHERE); library.globals.len()],
    };
    for (declared, defined, _) in wanted.iter().filter(|(_, _, why)| why.is_none()) {
        places.functions[defined.0 as usize] = *declared;
    }
    for (declared, defined) in &wanted_globals {
        places.globals[defined.0 as usize] = *declared;
    }
    share_declarations(&program, &library, &types, &reached, &mut places);
    let first_function = program.functions.next_index();
    let first_global = program.globals.next_index();
    places.append(&program, &reached);
    let names = Names::new(&program, &library);

    let spans = sources::append(&mut program.sources, std::mem::take(&mut library.sources));
    let mut renumber =
        Renumber { types: &types, spans: &spans, functions: &places.functions, globals: &places.globals };
    let mut attached =
        Attached { program, functions: BTreeSet::new(), globals: BTreeSet::new(), misfits: Vec::new() };
    names.rename(&mut library, &places, first_function, first_global);
    for (number, mut function) in library.functions.into_vec().into_iter().enumerate() {
        let place = places.functions[number];
        if place.0 != NOWHERE {
            renumber.walk_function(&mut function);
            attached.put_function(place, function);
        }
    }
    for (number, mut global) in library.globals.into_vec().into_iter().enumerate() {
        let place = places.globals[number];
        if place.0 != NOWHERE {
            renumber.walk_global(&mut global);
            attached.put_global(place, global);
        }
    }
    let misfits = wanted.iter().filter_map(|(declared, defined, why)| {
        Some(Misfit { declared: *declared, defined: places.functions[defined.0 as usize], why: (*why)? })
    });
    attached.misfits = misfits.collect();
    attached
}

/// The functions that the program lacks and the library has, with what keeps them apart.
fn wanted_functions(
    program: &Program,
    library: &Program,
    types: &types::Renumbering,
) -> Vec<(FuncId, FuncId, Option<&'static str>)> {
    let defined = library.functions.iter_enumerated();
    let defined = defined.filter(|(_, f)| f.body.is_some() && f.linkage != Linkage::Internal);
    let defined: FxHashMap<&str, FuncId> = defined.map(|(id, f)| (&*f.name, id)).collect();
    let calls = fit::calls(program);
    let lacking = program.functions.iter_enumerated();
    let lacking =
        lacking.filter(|(_, f)| f.body.is_none() && f.alias.is_none() && f.linkage != Linkage::Internal);
    let pairs = lacking.filter_map(|(id, function)| {
        let found = *defined.get(&*function.name)?;
        let why = match function.linkage {
            // Its address may be null.
            Linkage::Weak => Some("it is a weak reference"),
            _ => fit::misfit(program, id, types.types[library.functions[found].ty], &calls),
        };
        Some((id, found, why))
    });
    pairs.collect()
}

/// The variables that the program declares and the library defines alike.
fn wanted_globals(program: &Program, library: &Program) -> Vec<(GlobalId, GlobalId)> {
    let defined = library.globals.iter_enumerated();
    let defined = defined.filter(|(_, g)| g.init.is_some() && g.linkage != Linkage::Internal);
    let defined: FxHashMap<&str, GlobalId> = defined.map(|(id, g)| (&*g.name, id)).collect();
    let lacking = program.globals.iter_enumerated();
    let lacking =
        lacking.filter(|(_, g)| g.init.is_none() && g.alias.is_none() && g.linkage == Linkage::External);
    let pairs = lacking.filter_map(|(id, global)| {
        let found = *defined.get(&*global.name)?;
        let other = &library.globals[found];
        let fits = global.size == other.size && global.thread_local == other.thread_local;
        fits.then_some((id, found))
    });
    pairs.collect()
}

/// What the library itself only declares is the program's declaration, where there is one of the same type.
fn share_declarations(
    program: &Program,
    library: &Program,
    types: &types::Renumbering,
    reached: &Reached,
    places: &mut Places,
) {
    let declared = program.functions.iter_enumerated().filter(|(_, f)| f.body.is_none() && f.alias.is_none());
    let declared: FxHashMap<&str, FuncId> = declared.map(|(id, f)| (&*f.name, id)).collect();
    for id in &reached.functions {
        let function = &library.functions[*id];
        if let (None, Some(own)) = (&function.body, declared.get(&*function.name))
            && program.functions[*own].ty == types.types[function.ty]
        {
            places.functions[id.0 as usize] = *own;
        }
    }
}

impl Places {
    /// What has no place yet stands behind the program's own, in the library's order.
    fn append(&mut self, program: &Program, reached: &Reached) {
        let mut next = program.functions.len() as u32;
        for id in &reached.functions {
            let place = &mut self.functions[id.0 as usize];
            if place.0 == NOWHERE {
                *place = FuncId(next);
                next += 1;
            }
        }
        let mut next = program.globals.len() as u32;
        for id in &reached.globals {
            let place = &mut self.globals[id.0 as usize];
            if place.0 == NOWHERE {
                *place = GlobalId(next);
                next += 1;
            }
        }
    }
}

/// Names that are not free for the library, and the files that tell its own apart.
struct Names {
    taken: FxHashSet<Arc<str>>,
    function_files: Vec<String>,
    global_files: Vec<String>,
}

impl Names {
    fn new(program: &Program, library: &Program) -> Names {
        let functions = program.functions.iter().map(|f| f.name.clone());
        let file = |span: clew_base::source::Span| {
            let file = library.sources.files.get(span.file);
            file.map_or("?", |f| f.name.rsplit('/').next().unwrap_or("?")).to_owned()
        };
        Names {
            taken: functions.chain(program.globals.iter().map(|g| g.name.clone())).collect(),
            function_files: library.functions.iter().map(|f| file(f.span)).collect(),
            global_files: library.globals.iter().map(|g| file(g.span)).collect(),
        }
    }

    /// Renames what is added. Whatever is internal gets its file's name, taken or not: the names in a report
    /// then do not depend on the program.
    fn rename(mut self, library: &mut Program, places: &Places, functions: FuncId, globals: GlobalId) {
        let added = |place: u32, first: u32| place != NOWHERE && place >= first;
        for (number, function) in library.functions.iter_mut().enumerate() {
            if added(places.functions[number].0, functions.0) {
                let internal = function.linkage == Linkage::Internal;
                function.name = self.name(&function.name, internal, &self.function_files[number].clone());
            }
        }
        for (number, global) in library.globals.iter_mut().enumerate() {
            if added(places.globals[number].0, globals.0) {
                // A literal has no name of its own: the next free number will do.
                let internal = global.linkage == Linkage::Internal && global.kind == GlobalKind::Variable;
                global.name = self.name(&global.name, internal, &self.global_files[number].clone());
            }
        }
    }

    fn name(&mut self, name: &Arc<str>, internal: bool, file: &str) -> Arc<str> {
        if !internal && self.taken.insert(name.clone()) {
            return name.clone();
        }
        // The linker may have put the file there already.
        let plain = name.split('@').next().unwrap_or(name);
        unused_name(&format!("{plain}@{file}"), &mut self.taken)
    }
}

impl Attached {
    fn put_function(&mut self, place: FuncId, function: Function) {
        if function.body.is_some() {
            self.functions.insert(place);
        }
        match self.program.functions.get(place) {
            None => {
                self.program.functions.push(function);
            }
            Some(_) => {
                let own = &mut self.program.functions[place];
                own.attributes.noreturn |= function.attributes.noreturn;
                if function.body.is_some() {
                    own.body = function.body;
                    own.ty = function.ty;
                }
            }
        }
    }

    fn put_global(&mut self, place: GlobalId, global: Global) {
        if global.init.is_some() {
            self.globals.insert(place);
        }
        match self.program.globals.get(place) {
            None => {
                self.program.globals.push(global);
            }
            Some(_) => {
                let own = &mut self.program.globals[place];
                own.init = global.init;
                own.align = own.align.max(global.align);
            }
        }
    }
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! The models of the C library (`models/libc`): a program is joined with those it needs, and learns what they ask of
//! it.
//!
//! Only the files that define something the program lacks are read, and only what is reached is kept, so that small
//! programs stay small.

mod files;
mod requirements;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

use clew_ir::link::{Attached, attach, link};
use clew_ir::obligation::CheckKind;
use clew_ir::reach::reach;
use clew_ir::syntax::{
    Address, BlockId, Call, Callee, ExprKind, FuncId, Linkage, ObligationId, Program, StatementKind, Target,
    Type,
};

use files::Models;
pub use requirements::{Asked, Requirement};

/// A program with the models of the library functions that it calls.
#[derive(Clone, Debug)]
pub struct Linked {
    /// The program. Its own functions, globals, obligations, types and files have the handles that they had before;
    /// what was added stands behind them.
    pub program: Program,
    /// The functions whose code is a model's: those of the library that the program declares, and their helpers.
    pub models: BTreeSet<FuncId>,
    /// For each model, the obligations that are requirements, with the parameter *of that function* they speak of.
    /// The other obligations of a model are its own: callers can do nothing about them.
    pub requirements: BTreeMap<FuncId, BTreeMap<ObligationId, Requirement>>,
    /// For each function that the program declares and the library defines, what a call of it is charged with. A
    /// function that was left without a body ([`Linked::notes`]) is here too; nothing of what it asks can be
    /// told to hold.
    pub asked: BTreeMap<FuncId, Asked>,
    /// Those of them whose address the program takes.
    pub pointed: BTreeSet<FuncId>,
    /// What could not be joined.
    pub notes: Vec<Note>,
}

impl Linked {
    /// The functions of the library that a call may be of: the one it names, or those that a pointer may lead to and that
    /// take as many arguments.
    pub fn callees(&self, call: &Call) -> Vec<FuncId> {
        let types = self.program.types();
        let fits = |function: &&FuncId| match types.get(self.program.functions[**function].ty) {
            Type::Function { parameters, variadic, .. } => {
                *variadic || parameters.len() == call.arguments.len()
            }
            _ => false,
        };
        match call.callee {
            Callee::Direct(callee) => vec![callee],
            Callee::Indirect(_) => self.pointed.iter().filter(fits).copied().collect(),
        }
    }

    /// The models' obligations that stand for what a check asks of the call at a statement. None, if it is no call by name,
    /// or if something that is asked has no obligation: then nothing of it can be told to hold.
    pub fn asked_at(
        &self,
        (function, block, statement): (FuncId, BlockId, u32),
        check: CheckKind,
    ) -> Vec<(FuncId, ObligationId)> {
        let body = self.program.functions[function].body.as_ref();
        let block = body.and_then(|body| body.blocks.get(block));
        let statement = block.and_then(|block| block.statements.get(statement as usize));
        let Some(StatementKind::Call(call)) = statement.map(|statement| &statement.kind) else {
            return Vec::new();
        };
        let callees = self.callees(call);
        let asked = callees.iter().filter_map(|callee| self.asked.get(callee)).flatten();
        let asked = asked.filter(|(asked, _)| asked.check == check);
        let asked: Vec<_> = asked.map(|(_, obligations)| obligations).collect();
        if asked.iter().any(|obligations| obligations.is_empty()) {
            return Vec::new();
        }
        asked.into_iter().flatten().copied().collect()
    }
}

/// A library function that was left without a body.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note {
    /// The function, as the program declares it; `None` when it is about all of them.
    pub function: Option<(FuncId, Arc<str>)>,
    /// Why.
    pub why: &'static str,
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.function {
            Some((_, name)) => write!(f, "`{name}` is not the library's function: {}", self.why),
            None => write!(f, "the models of the library are not used: {}", self.why),
        }
    }
}

/// Joins a program with the models of the functions that it declares and does not define.
pub fn with_models(program: Program) -> Linked {
    let (library, complaint) = match needed(&program) {
        Ok(library) => (library, None),
        Err(why) => (Program::new(program.target.clone()), Some(Note { function: None, why })),
    };
    let declared: Vec<FuncId> = program.functions.indices().filter(|id| lacks(&program, *id)).collect();
    let Attached { program, functions: models, misfits, .. } = attach(program, library);
    let requirements = models
        .iter()
        .map(|id| (*id, requirements::own(&program, *id).into_iter().collect::<BTreeMap<_, _>>()))
        .collect();
    let mut asked: BTreeMap<FuncId, Asked> = BTreeMap::new();
    for id in declared.into_iter().filter(|id| models.contains(id)) {
        asked.insert(id, requirements::asked(&program, id));
    }
    for misfit in &misfits {
        asked.insert(misfit.declared, requirements::asked(&program, misfit.defined));
    }
    let pointed = pointed(&program, &models, &asked);
    let refused = misfits.iter().map(|misfit| Note {
        function: Some((misfit.declared, program.functions[misfit.declared].name.clone())),
        why: misfit.why,
    });
    let notes = complaint.into_iter().chain(refused).collect();
    Linked { program, models, requirements, asked, pointed, notes }
}

/// The functions of the library whose address is somewhere in the program's own code or data.
fn pointed(
    program: &Program,
    models: &BTreeSet<FuncId>,
    asked: &BTreeMap<FuncId, Asked>,
) -> BTreeSet<FuncId> {
    let own = program.functions.iter_enumerated().filter(|(id, _)| !models.contains(id));
    let nodes = own.filter_map(|(_, function)| function.body.as_ref()).flat_map(|body| body.exprs.iter());
    let in_code = nodes.filter_map(|node| match node.kind {
        ExprKind::Function(id) => Some(id),
        _ => None,
    });
    let relocations = program.globals.iter().filter_map(|g| g.init.as_ref()).flat_map(|i| &i.relocations);
    let in_data = relocations.filter_map(|relocation| match relocation.target {
        Address::Function(id) => Some(id),
        _ => None,
    });
    in_code.chain(in_data).filter(|function| asked.contains_key(function)).collect()
}

/// Whether clew knows what a function without a body does: there is a model, or each engine knows it.
pub fn is_known(name: &str) -> bool {
    let modelled = || files::NAMES.lines().filter_map(|line| line.split_once(':'));
    name == "_exit" || modelled().any(|(_, names)| names.split_whitespace().any(|known| known == name))
}

/// Whether a function is declared and not defined.
fn lacks(program: &Program, function: FuncId) -> bool {
    let function = &program.functions[function];
    function.body.is_none() && function.alias.is_none() && function.linkage != Linkage::Internal
}

/// The models that a program needs, and those that they need, as one program.
fn needed(program: &Program) -> Result<Program, &'static str> {
    let functions = program.functions.indices().filter(|id| lacks(program, *id));
    let globals = program.globals.iter().filter(|g| g.init.is_none() && g.alias.is_none());
    let names = functions.map(|id| program.functions[id].name.clone()).chain(globals.map(|g| g.name.clone()));
    let mut open: BTreeSet<Arc<str>> = names.collect();
    let mut done: BTreeSet<Arc<str>> = BTreeSet::new();
    let models = Models::new(&program.target, program.semantics);
    let mut units: BTreeMap<&str, Program> = BTreeMap::new();
    while let Some(name) = open.pop_first() {
        let Some(file) = models.file_of(&name).filter(|_| done.insert(name.clone())) else { continue };
        if !units.contains_key(file) {
            let unit = models.read(file).ok_or("they could not be read")?;
            if !same_machine(&unit.target, &program.target) {
                return Err("the program is for another machine");
            }
            units.insert(file, unit);
        }
        if let Some(unit) = units.get(file) {
            open.extend(needs(unit, &name));
        }
    }
    // A compiler of another name calls the same machine otherwise.
    let units = units.into_values().map(|unit| Program { target: program.target.clone(), ..unit }).collect();
    let mut library = link(units).map_err(|_| "they do not go together")?;
    library.target = program.target.clone();
    Ok(library)
}

/// What a function or variable of a unit needs from other units.
fn needs(unit: &Program, name: &str) -> Vec<Arc<str>> {
    let function = unit.functions.iter_enumerated().find(|(_, f)| &*f.name == name).map(|(id, _)| id);
    let global = unit.globals.iter_enumerated().find(|(_, g)| &*g.name == name).map(|(id, _)| id);
    let reached = reach(unit, function, global);
    let functions = reached.functions.iter().map(|id| &unit.functions[*id]).filter(|f| f.body.is_none());
    let globals = reached.globals.iter().map(|id| &unit.globals[*id]).filter(|g| g.init.is_none());
    functions.map(|f| f.name.clone()).chain(globals.map(|g| g.name.clone())).collect()
}

/// Whether the two have the same types; compilers write the name of one machine in several ways.
fn same_machine(one: &Target, other: &Target) -> bool {
    let renamed = Target { triple: other.triple.clone(), ..one.clone() };
    renamed == *other
}

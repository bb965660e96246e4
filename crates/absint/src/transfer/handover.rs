// SPDX-License-Identifier: MIT OR Apache-2.0
//! Differences across calls: what is known of arguments is known of parameters, and what is known at a return of
//! parameters that still have their values, of the result and of objects is known to the caller.

use clew_ir::syntax::{Argument, Call, LocalId};
use clew_ir::types::Class;

use crate::domain::difference::Relations;
use crate::domain::relational::Relational;
use crate::domain::var::{LARGEST_UNIT, Var};
use crate::engine::call::{Exit, RESULT};
use crate::engine::evaluator::Evaluator;
use crate::engine::facts::Frame;
use crate::engine::transfer::Transfer;
use crate::map::{Change, Map};
use crate::memory::nul_position::Nul;
use crate::program::object::ObjectId;
use crate::state::State;
use crate::transfer::cursor::Follow;

/// What an argument is to its caller.
#[derive(Clone, Copy)]
pub(crate) enum Source {
    /// A variable plus a constant.
    Number(Var, i128),
    /// A register that points somewhere, and so many bytes.
    Pointer(LocalId, i128),
    /// As far into its object as a variable plus a constant, in such units.
    At(Var, i128, u32),
}

/// A parameter's variable as a variable of the caller plus a constant.
fn of_caller(source: Source, var: Var) -> Option<(Var, i128)> {
    match (source, var) {
        (Source::Number(own, plus), Var::Register(_)) => Some((own, plus)),
        (Source::Pointer(local, bytes), Var::Offset(_, unit)) => {
            whole(bytes, unit).map(|by| (Var::Offset(local, unit), by))
        }
        (Source::Pointer(local, bytes), Var::Room(_, unit)) => {
            whole(bytes, unit).map(|by| (Var::Room(local, unit), -by))
        }
        (Source::At(own, plus, unit), Var::Offset(_, wanted)) if wanted == unit => Some((own, plus)),
        _ => None,
    }
}

fn whole(bytes: i128, unit: u32) -> Option<i128> {
    (bytes.rem_euclid(1 << unit) == 0).then_some(bytes >> unit)
}

/// The parameters' variables that are a variable of the caller plus a constant.
fn of_callee(sources: &[Option<Source>], var: Var) -> Vec<(Var, i128)> {
    if var.object().is_some() {
        return vec![(var, 0)];
    }
    let mut found = Vec::new();
    for (index, source) in sources.iter().enumerate() {
        let parameter = LocalId(index as u32);
        match source {
            Some(Source::Number(own, plus)) if *own == var => found.push((Var::Register(parameter), *plus)),
            Some(Source::At(own, plus, unit)) if *own == var => {
                found.push((Var::Offset(parameter, *unit), *plus));
            }
            Some(Source::Pointer(local, _)) if var.local() == Some(*local) => {
                let own = var.of_local(parameter);
                let back = source.and_then(|source| of_caller(source, own));
                found.extend(back.map(|(_, by)| (own, by)));
            }
            _ => {}
        }
    }
    found
}

/// The zero bytes of a caller as they are when a call begins.
pub(crate) fn entered(nuls: &Map<ObjectId, Nul>) -> Map<ObjectId, Nul> {
    nuls.filter_map(&mut |_, nul| match nul.fresh {
        true => Change::To(Nul { fresh: false, ..nul.clone() }),
        false => Change::Keep,
    })
}

impl<'p> Evaluator<'p> {
    /// What the arguments of a call are.
    pub(crate) fn sources(
        &mut self,
        frame: &Frame<'p>,
        state: &State,
        call: &'p Call,
    ) -> Vec<Option<Source>> {
        let mut source = |argument: &Argument| {
            let Argument::Value(expr) = argument else { return None };
            match self.facts.types.class(frame.body.exprs[*expr].ty) {
                Class::Pointer => match self.facts.moved(frame, state, *expr) {
                    Some((local, by)) => Some(Source::Pointer(local, by)),
                    None => {
                        self.far_into(frame, state, *expr).map(|(var, by, unit)| Source::At(var, by, unit))
                    }
                },
                Class::Int(_) => self.form(frame, state, *expr).map(|(var, by)| Source::Number(var, by)),
                _ => None,
            }
        };
        call.arguments.iter().map(&mut source).collect()
    }

    /// What is known of arguments, said of parameters.
    pub(crate) fn relations_of_callee(&self, state: &State, sources: &[Option<Source>]) -> Relations {
        let mut handed = Vec::new();
        for (x, y, c) in state.domains.relations.all() {
            let below = of_callee(sources, x);
            if below.is_empty() {
                continue;
            }
            let above = of_callee(sources, y);
            for (x, a) in &below {
                for (y, b) in &above {
                    handed.push((*x, *y, c + a - b));
                }
            }
        }
        // Arguments that are one variable twice.
        for (index, source) in sources.iter().enumerate() {
            let parameter = LocalId(index as u32);
            let vars: Vec<Var> = match source {
                Some(Source::Number(..)) => vec![Var::Register(parameter)],
                Some(Source::At(_, _, unit)) => vec![Var::Offset(parameter, *unit)],
                Some(Source::Pointer(..)) => (0..=LARGEST_UNIT)
                    .flat_map(|unit| [Var::Offset(parameter, unit), Var::Room(parameter, unit)])
                    .collect(),
                None => Vec::new(),
            };
            for var in vars {
                let Some((own, plus)) = source.and_then(|source| of_caller(source, var)) else { continue };
                for (other, by) in of_callee(&sources[index + 1..], own) {
                    let Some(local) = other.local() else { continue };
                    let other = other.of_local(LocalId(local.0 + index as u32 + 1));
                    handed.push((var, other, plus - by));
                    handed.push((other, var, by - plus));
                }
            }
        }
        Relations::new(handed.into_iter().filter(|(x, y, _)| self.may_relate(*x, *y)))
    }

    /// What is known where a function returns, of what its caller knows.
    pub(crate) fn relations_at_return(
        &mut self,
        frame: &Frame<'p>,
        state: &State,
        result: Option<&Argument>,
    ) -> Relations {
        let mut relations = state.domains.relations.clone();
        if let Some(Argument::Value(expr)) = result
            && let Some(Follow::Learns(learned)) = self.follow(frame, state, RESULT, *expr)
        {
            for (x, y, c) in learned {
                self.relate(&mut relations, x, y, c);
            }
        }
        relations.retain(&|local| local == RESULT || state.unwritten.get(local).is_some());
        relations
    }
}

impl<'p> Transfer<'p> {
    /// What a call left is known to its caller, apart from what is said of the result.
    pub(crate) fn relations_of_caller(&self, state: &mut State, sources: &[Option<Source>], exit: &Exit) {
        let gone =
            |object: ObjectId| exit.aged.contains_key(&object) || exit.state.memory.get(object).is_none();
        let nuls = std::mem::take(&mut state.nuls);
        state.domains.relations.drop_all(|var| match var {
            Var::Size(object, _) => gone(object),
            // Another byte may have been chosen.
            Var::Nul(object) => gone(object) || exit.state.nuls.get(object).is_none_or(|nul| nul.fresh),
            _ => false,
        });
        state.nuls = exit.state.nuls.filter_map(&mut |object, nul| {
            let fresh = nul.fresh || nuls.get(object).is_none_or(|old| old.fresh);
            if fresh == nul.fresh { Change::Keep } else { Change::To(Nul { fresh, ..nul.clone() }) }
        });
        for (x, y, c) in exit.state.domains.relations.all() {
            if let (Some((x, a)), Some((y, b))) = (to_caller(sources, x), to_caller(sources, y)) {
                self.eval.relate(&mut state.domains.relations, x, y, c - a + b);
            }
        }
    }

    /// What is known of a result, which now is in a register of the caller.
    pub(crate) fn relations_of_result(
        &self,
        state: &mut State,
        sources: &[Option<Source>],
        exit: &Exit,
        result: LocalId,
    ) {
        let image = |var: Var| match var.local() {
            Some(RESULT) => Some((var.of_local(result), 0)),
            _ => to_caller(sources, var).filter(|(var, _)| var.local() != Some(result)),
        };
        for (x, y, c) in exit.state.domains.relations.all() {
            if (x.local() == Some(RESULT)) == (y.local() == Some(RESULT)) {
                continue;
            }
            if let (Some((x, a)), Some((y, b))) = (image(x), image(y)) {
                self.eval.relate(&mut state.domains.relations, x, y, c - a + b);
            }
        }
    }
}

fn to_caller(sources: &[Option<Source>], var: Var) -> Option<(Var, i128)> {
    match var.local() {
        None => Some((var, 0)),
        Some(local) => of_caller((*sources.get(local.0 as usize)?)?, var),
    }
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! What names stand for: `__attribute__((alias("other")))` makes a name another one of something that has its own.

use std::sync::Arc;

use clew_base::index::{Idx, IndexVec};
use rustc_hash::FxHashMap;

use crate::syntax::{FuncId, GlobalId, Program};

/// The function and the global that each name stands for: itself, unless it is an alias. An alias may name an alias; one
/// that names nothing here, or that only other aliases in a circle name, stands for itself.
#[derive(Clone, Default, Debug)]
pub struct Aliases {
    /// Of functions.
    pub functions: IndexVec<FuncId, FuncId>,
    /// Of globals.
    pub globals: IndexVec<GlobalId, GlobalId>,
}

impl Aliases {
    /// The names of a linked program.
    pub fn of(program: &Program) -> Aliases {
        Aliases {
            functions: resolve(program.functions.iter().map(|f| (&f.name, f.alias.as_ref()))),
            globals: resolve(program.globals.iter().map(|g| (&g.name, g.alias.as_ref()))),
        }
    }
}

/// What one function's name stands for: cheaper than all of them where few are aliases.
pub fn resolve_function(program: &Program, function: FuncId) -> FuncId {
    match program.functions[function].alias {
        Some(_) => Aliases::of(program).functions[function],
        None => function,
    }
}

/// What one global's name stands for.
pub fn resolve_global(program: &Program, global: GlobalId) -> GlobalId {
    match program.globals[global].alias {
        Some(_) => Aliases::of(program).globals[global],
        None => global,
    }
}

fn resolve<'a, I: Idx>(
    named: impl Iterator<Item = (&'a Arc<str>, Option<&'a Arc<str>>)> + Clone,
) -> IndexVec<I, I> {
    if named.clone().all(|(_, alias)| alias.is_none()) {
        return named.enumerate().map(|(id, _)| I::new(id)).collect();
    }
    let names: FxHashMap<&str, usize> =
        named.clone().enumerate().map(|(id, (name, _))| (&**name, id)).collect();
    let target = |alias: &Arc<str>| names.get(&**alias).copied();
    let targets: Vec<Option<usize>> = named.map(|(_, alias)| alias.and_then(target)).collect();
    let end = |id: usize| {
        let mut chain = std::iter::successors(Some(id), |id| targets[*id]);
        // More steps than names would be a circle.
        chain.by_ref().take(targets.len()).find(|id| targets[*id].is_none()).unwrap_or(id)
    };
    (0..targets.len()).map(|id| I::new(end(id))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ends(named: &[(&str, Option<&str>)]) -> Vec<usize> {
        let named: Vec<(Arc<str>, Option<Arc<str>>)> =
            named.iter().map(|(name, alias)| ((*name).into(), alias.map(Into::into))).collect();
        let ends: IndexVec<FuncId, FuncId> =
            resolve(named.iter().map(|(name, alias)| (name, alias.as_ref())));
        ends.iter().map(|id| id.index()).collect()
    }

    #[test]
    fn aliases_of_aliases_end_at_what_has_its_own_name() {
        assert_eq!(ends(&[("a", Some("b")), ("b", Some("c")), ("c", None), ("d", None)]), [2, 2, 2, 3]);
    }

    #[test]
    fn chains_are_followed_however_long() {
        let names: Vec<String> = (0..20).map(|n| format!("f{n}")).collect();
        let named: Vec<(&str, Option<&str>)> = names
            .iter()
            .enumerate()
            .map(|(n, name)| (&**name, names.get(n + 1).map(|next| &**next)))
            .collect();
        assert_eq!(ends(&named), [19; 20]);
    }

    #[test]
    fn circles_and_names_of_nothing_stand_for_themselves() {
        assert_eq!(ends(&[("a", Some("b")), ("b", Some("a")), ("c", Some("missing"))]), [0, 1, 2]);
    }
}

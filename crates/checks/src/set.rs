// SPDX-License-Identifier: MIT OR Apache-2.0
//! Sets of checks, and how users name them.

use std::fmt;

use clew_ir::obligation::CheckKind;

use crate::check::{Group, Property};
use crate::{ALL, check};

/// A set of checks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CheckSet(u64);

impl CheckSet {
    /// No check.
    pub const EMPTY: CheckSet = CheckSet(0);

    /// The checks that are on without being asked for.
    pub fn by_default() -> CheckSet {
        ALL.iter().filter(|c| c.on_by_default).map(|c| c.kind).collect()
    }

    /// The checks of a comma-separated list: ids, groups, SV-COMP properties, `default` and `all`. A name
    /// with `-` before it takes checks away, from the default ones if it comes first.
    pub fn parse(list: &str) -> Result<CheckSet, UnknownCheck> {
        let mut set = CheckSet::EMPTY;
        for (i, name) in list.split(',').map(str::trim).filter(|n| !n.is_empty()).enumerate() {
            match name.strip_prefix('-') {
                None => set.0 |= named(name)?.0,
                Some(removed) => {
                    if i == 0 {
                        set = CheckSet::by_default();
                    }
                    set.0 &= !named(removed)?.0;
                }
            }
        }
        Ok(set)
    }

    /// Whether the check is in the set.
    #[inline]
    pub fn contains(self, kind: CheckKind) -> bool {
        self.0 & bit(kind) != 0
    }

    /// Adds a check.
    pub fn insert(&mut self, kind: CheckKind) {
        self.0 |= bit(kind);
    }

    /// Whether there is no check in it.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The checks, in their fixed order.
    pub fn iter(self) -> impl Iterator<Item = CheckKind> {
        CheckKind::ALL.iter().copied().filter(move |kind| self.contains(*kind))
    }
}

impl FromIterator<CheckKind> for CheckSet {
    fn from_iter<I: IntoIterator<Item = CheckKind>>(kinds: I) -> CheckSet {
        CheckSet(kinds.into_iter().fold(0, |set, kind| set | bit(kind)))
    }
}

const fn bit(kind: CheckKind) -> u64 {
    1 << kind as u64
}

fn named(name: &str) -> Result<CheckSet, UnknownCheck> {
    let of = |keep: &dyn Fn(CheckKind) -> bool| CheckKind::ALL.iter().copied().filter(|k| keep(*k)).collect();
    if let Some(kind) = CheckKind::from_id(name) {
        return Ok(CheckSet(bit(kind)));
    }
    if let Some(group) = Group::ALL.iter().find(|g| g.name() == name) {
        return Ok(of(&|k| check(k).group == *group));
    }
    if let Some(property) = Property::ALL.iter().find(|p| p.name() == name) {
        return Ok(of(&|k| check(k).properties.contains(property)));
    }
    match name {
        "all" => Ok(of(&|_| true)),
        "default" => Ok(CheckSet::by_default()),
        _ => Err(UnknownCheck { name: name.to_owned() }),
    }
}

/// A name that no check, group or property has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownCheck {
    /// The name.
    pub name: String,
}

impl UnknownCheck {
    /// The check whose id looks most like the name, if one is near.
    pub fn nearest(&self) -> Option<CheckKind> {
        let distance = |kind: &CheckKind| edit_distance(&self.name, kind.id());
        let nearest = CheckKind::ALL.iter().copied().min_by_key(distance)?;
        (distance(&nearest) <= self.name.len().div_ceil(3)).then_some(nearest)
    }
}

impl fmt::Display for UnknownCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no check named `{}`", self.name)?;
        match self.nearest() {
            Some(kind) => write!(f, "; did you mean `{kind}`?"),
            None => f.write_str("; `clew explain list` names them all"),
        }
    }
}

impl std::error::Error for UnknownCheck {}

/// Levenshtein's distance, on bytes.
fn edit_distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.bytes().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.bytes().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_add_and_take_away() {
        let set = CheckSet::parse("integer,-unsigned-wrap,null-deref").unwrap();
        assert!(set.contains(CheckKind::SignedOverflow) && set.contains(CheckKind::NullDeref));
        assert!(!set.contains(CheckKind::UnsignedWrap) && !set.contains(CheckKind::FloatOverflow));
        let fewer = CheckSet::parse("-memory-leak").unwrap();
        assert!(fewer.contains(CheckKind::NullDeref) && !fewer.contains(CheckKind::MemoryLeak));
        assert!(!fewer.contains(CheckKind::UnsignedWrap));
    }

    #[test]
    fn groups_and_properties_are_names() {
        assert_eq!(
            CheckSet::parse("no-overflow").unwrap().iter().collect::<Vec<_>>(),
            [CheckKind::SignedOverflow]
        );
        assert_eq!(CheckSet::parse("memory,integer,float,assert"), CheckSet::parse("all"));
        assert_eq!(CheckSet::parse("default"), Ok(CheckSet::by_default()));
    }

    #[test]
    fn a_typing_mistake_gets_a_suggestion() {
        let error = CheckSet::parse("nul-deref").unwrap_err();
        assert_eq!(error.to_string(), "there is no check named `nul-deref`; did you mean `null-deref`?");
        assert_eq!(CheckSet::parse("xyz").unwrap_err().nearest(), None);
    }
}

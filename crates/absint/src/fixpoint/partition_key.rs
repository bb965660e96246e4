// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which states of a block are kept apart (trace partitioning): one key for all that tells them apart.

use clew_ir::syntax::{BlockId, LocalId};

use crate::domain::value::{Kind, Value, single};
use crate::effort::iterate::{MOST_AFTER_CALLS, MOST_FLOATS};
use crate::engine::facts::Frame;
use crate::map::Map;
use crate::program::object::{Object, Objects};
use crate::state::State;
use crate::state::partition::Partition;

/// What tells the states of a block apart. States with one key are joined.
#[derive(PartialEq, Default)]
pub(crate) struct PartitionKey {
    /// The flags that are read later on, where they are known.
    flags: Vec<Option<i128>>,
    tokens: Map<Partition, u8>,
    /// What kind of float registers hold: not a number, a sign, zero, infinite.
    floats: Vec<(LocalId, u8)>,
}

impl PartitionKey {
    /// Of a state that comes to a block.
    pub(crate) fn at_block(frame: &Frame<'_>, to: BlockId, state: &State) -> PartitionKey {
        let live = |local: LocalId| frame.flow.live[to].contains(local);
        let constant = |flag: LocalId| state.registers().get(flag)?.kind.as_constant();
        let flags = frame.flow.flags.iter().copied().filter(|flag| live(*flag)).map(constant);
        let tokens = state.tokens.clone();
        PartitionKey { flags: flags.collect(), tokens, floats: float_classes(state, live) }
    }

    /// Of a state that a call left.
    fn after_call(state: &State) -> PartitionKey {
        let tokens = state.tokens.clone();
        PartitionKey { flags: Vec::new(), tokens, floats: float_classes(state, |_| true) }
    }
}

fn float_classes(state: &State, counts: impl Fn(LocalId) -> bool) -> Vec<(LocalId, u8)> {
    let class = |(local, value): (LocalId, &Value)| match &value.kind {
        Kind::Float(f) if f.class() != 0 && counts(local) => Some((local, f.class())),
        _ => None,
    };
    let classes: Vec<_> = state.registers().iter().filter_map(class).collect();
    if classes.len() > MOST_FLOATS { Vec::new() } else { classes }
}

/// Whether a live register points to one heap object in one state, and to another or to null in the other: together
/// they would no longer know which of the objects was made, or freed.
pub(crate) fn points_elsewhere(objects: &Objects, a: &State, b: &State) -> bool {
    let heap = |value: &Value| match (&value.kind, value.uninit) {
        (Kind::Address(address), false) => {
            single(address).map(|(id, _)| id).filter(|id| matches!(objects.get(*id), Object::Recent(..)))
        }
        _ => None,
    };
    let is_null = |value: &Value| !value.uninit && value.kind.as_constant() == Some(0);
    let differ = |x: &Value, y: &Value| match (heap(x), heap(y)) {
        (Some(x), Some(y)) => x != y,
        (Some(_), None) => is_null(y),
        (None, Some(_)) => is_null(x),
        (None, None) => false,
    };
    let alike = |_: LocalId, x: &Value, y: Option<&Value>| y.is_none_or(|y| !differ(x, y));
    !a.registers().all_pairs(b.registers(), &mut { alike }, &mut |_, _| true)
}

/// Too many states become one.
pub(crate) fn limit_states(states: Vec<State>, most_apart: usize) -> Vec<State> {
    if states.len() <= MOST_AFTER_CALLS {
        return states;
    }
    // First those that floats do not tell apart.
    let mut kinds: Vec<(PartitionKey, State)> = Vec::new();
    for state in states {
        let key = PartitionKey::after_call(&state);
        match kinds.iter_mut().find(|(k, _)| *k == key) {
            Some((_, other)) => *other = other.join(&state),
            None => kinds.push((key, state)),
        }
    }
    let states: Vec<State> = kinds.into_iter().map(|(_, state)| state).collect();
    if states.len() <= most_apart {
        return states;
    }
    states.into_iter().reduce(|a, b| a.join(&b)).into_iter().collect()
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! A persistent map: a big-endian Patricia tree of shared nodes over keys that are numbers of some type.
//!
//! Environments are large and differ little. So merging two maps stops where they share a node, and gives back an
//! operand's own node where the result equals it: joins, widenings and inclusions cost the difference, not the size
//! (paper 004, 6.1). Keys are met in ascending order, so results do not depend on how a map was built.

use std::marker::PhantomData;
use std::sync::Arc;

/// What a map may have as keys: something that is a number, so that a register is not taken for an object.
pub trait Key: Copy {
    /// The number. Different keys have different ones, and maps are in the order of these.
    fn into_number(self) -> u64;
    /// The key with this number, which some key has.
    fn from_number(number: u64) -> Self;
}

/// Offsets.
impl Key for u64 {
    #[inline]
    fn into_number(self) -> u64 {
        self
    }
    #[inline]
    fn from_number(number: u64) -> u64 {
        number
    }
}

/// Handles are keys.
macro_rules! handle_keys {
    ($($name:ty),*) => {$(
        impl $crate::map::Key for $name {
            #[inline]
            fn into_number(self) -> u64 {
                u64::from(self.0)
            }
            #[inline]
            fn from_number(number: u64) -> Self {
                Self(number as u32)
            }
        }
    )*};
}
pub(crate) use handle_keys;

handle_keys!(clew_ir::syntax::LocalId);

/// The map.
#[derive(Clone, Debug)]
pub struct Map<K, V> {
    root: Link<V>,
    keys: PhantomData<fn(K) -> K>,
}

#[derive(Debug)]
enum Node<V> {
    Leaf(u64, V),
    /// All keys share `prefix` above `bit`; those with `bit` clear are on the left.
    Branch {
        prefix: u64,
        bit: u32,
        left: Arc<Node<V>>,
        right: Arc<Node<V>>,
    },
}

impl<K, V> Default for Map<K, V> {
    fn default() -> Self {
        Map::of(None)
    }
}

impl<K, V> Map<K, V> {
    fn of(root: Link<V>) -> Map<K, V> {
        Map { root, keys: PhantomData }
    }
}

/// The part of a key above a bit.
fn prefix_of(key: u64, bit: u32) -> u64 {
    if bit == 63 { 0 } else { key >> (bit + 1) << (bit + 1) }
}

fn is_right(key: u64, bit: u32) -> bool {
    key >> bit & 1 == 1
}

fn branch<V>(a_key: u64, a: Arc<Node<V>>, b_key: u64, b: Arc<Node<V>>) -> Arc<Node<V>> {
    let bit = 63 - (a_key ^ b_key).leading_zeros();
    let (left, right) = if is_right(a_key, bit) { (b, a) } else { (a, b) };
    Arc::new(Node::Branch { prefix: prefix_of(a_key, bit), bit, left, right })
}

fn pair<V>(
    prefix: u64,
    bit: u32,
    left: Option<Arc<Node<V>>>,
    right: Option<Arc<Node<V>>>,
) -> Option<Arc<Node<V>>> {
    match (left, right) {
        (Some(left), Some(right)) => Some(Arc::new(Node::Branch { prefix, bit, left, right })),
        (one, None) | (None, one) => one,
    }
}

impl<K: Key, V: Clone> Map<K, V> {
    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.root.is_none()
    }

    /// Whether the two are one tree. False says nothing.
    pub fn is_same(&self, other: &Map<K, V>) -> bool {
        match (&self.root, &other.root) {
            (None, None) => true,
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }

    /// The value of a key.
    pub fn get(&self, key: K) -> Option<&V> {
        let key = key.into_number();
        let mut node = self.root.as_deref()?;
        loop {
            match node {
                Node::Leaf(k, value) => return (*k == key).then_some(value),
                Node::Branch { bit, left, right, .. } => {
                    node = if is_right(key, *bit) { right } else { left }
                }
            }
        }
    }

    /// The entry with the largest key that is not above `key`.
    pub fn at_or_below(&self, key: K) -> Option<(K, &V)> {
        fn last<K: Key, V>(mut node: &Node<V>) -> (K, &V) {
            loop {
                match node {
                    Node::Leaf(k, value) => return (K::from_number(*k), value),
                    Node::Branch { right, .. } => node = right,
                }
            }
        }
        let key = key.into_number();
        let mut best = None;
        let mut node = self.root.as_deref()?;
        loop {
            match node {
                Node::Leaf(k, value) => {
                    return if *k <= key { Some((K::from_number(*k), value)) } else { best.map(last) };
                }
                Node::Branch { prefix, bit, left, right } => {
                    if prefix_of(key, *bit) != *prefix {
                        return if key > *prefix { Some(last(node)) } else { best.map(last) };
                    }
                    if is_right(key, *bit) {
                        best = Some(&**left);
                        node = right;
                    } else {
                        node = left;
                    }
                }
            }
        }
    }

    /// Sets the value of a key.
    pub fn insert(&mut self, key: K, value: V) {
        fn put<V: Clone>(node: &Arc<Node<V>>, key: u64, value: V) -> Arc<Node<V>> {
            match &**node {
                Node::Leaf(k, _) if *k == key => Arc::new(Node::Leaf(key, value)),
                Node::Leaf(k, _) => branch(*k, node.clone(), key, Arc::new(Node::Leaf(key, value))),
                Node::Branch { prefix, bit, left, right } => {
                    if prefix_of(key, *bit) != *prefix {
                        return branch(*prefix, node.clone(), key, Arc::new(Node::Leaf(key, value)));
                    }
                    let (left, right) = if is_right(key, *bit) {
                        (left.clone(), put(right, key, value))
                    } else {
                        (put(left, key, value), right.clone())
                    };
                    Arc::new(Node::Branch { prefix: *prefix, bit: *bit, left, right })
                }
            }
        }
        let key = key.into_number();
        self.root = Some(match &self.root {
            None => Arc::new(Node::Leaf(key, value)),
            Some(root) => put(root, key, value),
        });
    }

    /// Removes a key.
    pub fn remove(&mut self, key: K) {
        if self.get(key).is_none() {
            return;
        }
        fn take<V>(node: &Arc<Node<V>>, key: u64) -> Option<Arc<Node<V>>> {
            match &**node {
                Node::Leaf(..) => None,
                Node::Branch { prefix, bit, left, right } => {
                    let (left, right) = if is_right(key, *bit) {
                        (Some(left.clone()), take(right, key))
                    } else {
                        (take(left, key), Some(right.clone()))
                    };
                    pair(*prefix, *bit, left, right)
                }
            }
        }
        self.root = self.root.as_ref().and_then(|root| take(root, key.into_number()));
    }

    /// The entries by ascending key.
    pub fn iter(&self) -> Iter<'_, K, V> {
        Iter { stack: self.root.as_deref().into_iter().collect(), keys: PhantomData }
    }

    /// The entries whose key is at least `from`, ascending.
    pub fn iter_from(&self, from: K) -> Iter<'_, K, V> {
        let from = from.into_number();
        let mut stack = Vec::new();
        let mut next = self.root.as_deref();
        while let Some(node) = next {
            next = None;
            match node {
                Node::Leaf(k, _) => {
                    if *k >= from {
                        stack.push(node);
                    }
                }
                Node::Branch { prefix, bit, left, right } => {
                    if prefix_of(from, *bit) != *prefix {
                        if *prefix > from {
                            stack.push(node);
                        }
                    } else if is_right(from, *bit) {
                        next = Some(right);
                    } else {
                        stack.push(right);
                        next = Some(left);
                    }
                }
            }
        }
        Iter { stack, keys: PhantomData }
    }

    /// The entries that `keep` keeps, each perhaps changed; what does not change is shared.
    #[must_use]
    pub fn filter_map(&self, keep: &mut impl FnMut(K, &V) -> Change<V>) -> Map<K, V> {
        fn walk<V>(node: &Arc<Node<V>>, keep: &mut impl FnMut(u64, &V) -> Change<V>) -> Link<V> {
            match &**node {
                Node::Leaf(key, value) => match keep(*key, value) {
                    Change::Keep => Some(node.clone()),
                    Change::Drop => None,
                    Change::To(value) => Some(Arc::new(Node::Leaf(*key, value))),
                },
                Node::Branch { prefix, bit, left, right } => {
                    let (l, r) = (walk(left, keep), walk(right, keep));
                    match (&l, &r) {
                        (Some(l), Some(r)) if Arc::ptr_eq(l, left) && Arc::ptr_eq(r, right) => {
                            Some(node.clone())
                        }
                        _ => pair(*prefix, *bit, l, r),
                    }
                }
            }
        }
        let keep = &mut |key, value: &V| keep(K::from_number(key), value);
        Map::of(self.root.as_ref().and_then(|root| walk(root, keep)))
    }

    /// Whether every entry passes against its partner in the other map, which may be missing; entries of the other map
    /// alone are put to `alone`. Parts that the two share are not looked at: `pair(k, v, Some(v))` must be true.
    pub fn all_pairs(
        &self,
        other: &Map<K, V>,
        pair: &mut impl FnMut(K, &V, Option<&V>) -> bool,
        alone: &mut impl FnMut(K, &V) -> bool,
    ) -> bool {
        self.pairs::<true>(other, pair, alone)
    }

    /// The same, but what only the other map has is passed over: that may be most of it.
    pub fn all_mine(&self, other: &Map<K, V>, pair: &mut impl FnMut(K, &V, Option<&V>) -> bool) -> bool {
        self.pairs::<false>(other, pair, &mut |_, _| true)
    }

    fn pairs<const ALONE: bool>(
        &self,
        other: &Map<K, V>,
        pair: &mut impl FnMut(K, &V, Option<&V>) -> bool,
        alone: &mut impl FnMut(K, &V) -> bool,
    ) -> bool {
        fn every<V>(node: &Arc<Node<V>>, each: &mut impl FnMut(u64, &V) -> bool) -> bool {
            match &**node {
                Node::Leaf(key, value) => each(*key, value),
                Node::Branch { left, right, .. } => every(left, each) && every(right, each),
            }
        }
        fn walk<V, const ALONE: bool>(
            a: &Arc<Node<V>>,
            b: &Arc<Node<V>>,
            pair: &mut impl FnMut(u64, &V, Option<&V>) -> bool,
            alone: &mut impl FnMut(u64, &V) -> bool,
        ) -> bool {
            if Arc::ptr_eq(a, b) {
                return true;
            }
            match (&**a, &**b) {
                (Node::Leaf(k, x), Node::Leaf(l, y)) if k == l => pair(*k, x, Some(y)),
                (
                    Node::Branch { prefix, bit, left, right },
                    Node::Branch { prefix: p, bit: c, left: l, right: r },
                ) if prefix == p && bit == c => {
                    walk::<V, ALONE>(left, l, pair, alone) && walk::<V, ALONE>(right, r, pair, alone)
                }
                (Node::Branch { prefix, bit, left, right }, _) if holds(*prefix, *bit, b) => {
                    let (near, far) = if is_right(key_of(b), *bit) { (right, left) } else { (left, right) };
                    every(far, &mut |k, v| pair(k, v, None)) && walk::<V, ALONE>(near, b, pair, alone)
                }
                (_, Node::Branch { prefix, bit, left, right }) if holds(*prefix, *bit, a) => {
                    let (near, far) = if is_right(key_of(a), *bit) { (right, left) } else { (left, right) };
                    (!ALONE || every(far, alone)) && walk::<V, ALONE>(a, near, pair, alone)
                }
                _ => every(a, &mut |k, v| pair(k, v, None)) && (!ALONE || every(b, alone)),
            }
        }
        let pair = &mut |key, mine: &V, theirs: Option<&V>| pair(K::from_number(key), mine, theirs);
        let alone = &mut |key, theirs: &V| alone(K::from_number(key), theirs);
        match (&self.root, &other.root) {
            (None, None) => true,
            (Some(a), None) => every(a, &mut |k, v| pair(k, v, None)),
            (None, Some(b)) => !ALONE || every(b, alone),
            (Some(a), Some(b)) => walk::<V, ALONE>(a, b, pair, alone),
        }
    }

    /// Merges two maps. `both` must answer [`Change::Keep`] when the left value is the result, and is not asked where
    /// the maps share a node: what it does must be idempotent. `left` and `right` decide about keys of one side.
    #[must_use]
    pub fn merge(&self, other: &Map<K, V>, how: &mut impl Merge<K, V>) -> Map<K, V> {
        match (&self.root, &other.root) {
            (None, None) => Map::of(None),
            (Some(a), None) => Map::of(only(a, how, true)),
            (None, Some(b)) => Map::of(only(b, how, false)),
            (Some(a), Some(b)) => Map::of(merge(a, b, how)),
        }
    }
}

/// What becomes of an entry.
pub enum Change<V> {
    /// It stays as it is.
    Keep,
    /// It goes.
    Drop,
    /// It gets another value.
    To(V),
}

/// How two maps are merged.
pub trait Merge<K, V> {
    /// Whether keys of one map alone are all kept, so that parts which only one map has need no look.
    const KEEPS_ALONE: bool = false;
    /// A key of both. [`Change::Keep`] keeps the left value.
    fn both(&mut self, key: K, left: &V, right: &V) -> Change<V>;
    /// A key of the left map alone.
    fn left(&mut self, _key: K, _value: &V) -> Change<V> {
        Change::Keep
    }
    /// A key of the right map alone.
    fn right(&mut self, _key: K, _value: &V) -> Change<V> {
        Change::Keep
    }
}

type Link<V> = Option<Arc<Node<V>>>;

fn merge<K: Key, V: Clone>(a: &Arc<Node<V>>, b: &Arc<Node<V>>, how: &mut impl Merge<K, V>) -> Link<V> {
    if Arc::ptr_eq(a, b) {
        return Some(a.clone());
    }
    match (&**a, &**b) {
        (Node::Leaf(k, x), Node::Leaf(l, y)) if k == l => match how.both(K::from_number(*k), x, y) {
            Change::Keep => Some(a.clone()),
            Change::Drop => None,
            Change::To(value) => Some(Arc::new(Node::Leaf(*k, value))),
        },
        (
            Node::Branch { prefix, bit, left, right },
            Node::Branch { prefix: p, bit: c, left: l, right: r },
        ) if prefix == p && bit == c => {
            let (x, y) = (merge(left, l, how), merge(right, r, how));
            match (&x, &y) {
                (Some(x), Some(y)) if Arc::ptr_eq(x, left) && Arc::ptr_eq(y, right) => Some(a.clone()),
                _ => pair(*prefix, *bit, x, y),
            }
        }
        (Node::Branch { prefix, bit, left, right }, _) if holds(*prefix, *bit, b) => {
            let to_right = is_right(key_of(b), *bit);
            let (x, y) = if to_right {
                (only(left, how, true), merge(right, b, how))
            } else {
                (merge(left, b, how), only(right, how, true))
            };
            match (&x, &y) {
                (Some(x), Some(y)) if Arc::ptr_eq(x, left) && Arc::ptr_eq(y, right) => Some(a.clone()),
                _ => pair(*prefix, *bit, x, y),
            }
        }
        (_, Node::Branch { prefix, bit, left, right }) if holds(*prefix, *bit, a) => {
            let (x, y) = if is_right(key_of(a), *bit) {
                (only(left, how, false), merge(a, right, how))
            } else {
                (merge(a, left, how), only(right, how, false))
            };
            pair(*prefix, *bit, x, y)
        }
        _ => {
            let (x, y) = (only(a, how, true), only(b, how, false));
            match (x, y) {
                (Some(x), Some(y)) => Some(branch(key_of(&x), x.clone(), key_of(&y), y)),
                (one, None) | (None, one) => one,
            }
        }
    }
}

/// A key of the node: the prefix stands for all of them.
fn key_of<V>(node: &Node<V>) -> u64 {
    match node {
        Node::Leaf(key, _) => *key,
        Node::Branch { prefix, .. } => *prefix,
    }
}

/// Whether the other node lies inside one half of this branch.
fn holds<V>(prefix: u64, bit: u32, other: &Node<V>) -> bool {
    let deeper = match other {
        Node::Leaf(..) => true,
        Node::Branch { bit: c, .. } => *c < bit,
    };
    deeper && prefix_of(key_of(other), bit) == prefix
}

fn only<K: Key, V: Clone, M: Merge<K, V>>(node: &Arc<Node<V>>, how: &mut M, left: bool) -> Link<V> {
    if M::KEEPS_ALONE {
        return Some(node.clone());
    }
    let map = Map::<K, V>::of(Some(node.clone()));
    map.filter_map(&mut |key, value| if left { how.left(key, value) } else { how.right(key, value) }).root
}

/// Entries by ascending key.
pub struct Iter<'a, K, V> {
    stack: Vec<&'a Node<V>>,
    keys: PhantomData<fn() -> K>,
}

impl<'a, K: Key, V> Iterator for Iter<'a, K, V> {
    type Item = (K, &'a V);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            match self.stack.pop()? {
                Node::Leaf(key, value) => return Some((K::from_number(*key), value)),
                Node::Branch { left, right, .. } => {
                    self.stack.push(right);
                    self.stack.push(left);
                }
            }
        }
    }
}

impl<K, V: PartialEq> PartialEq for Map<K, V> {
    fn eq(&self, other: &Map<K, V>) -> bool {
        fn same<V: PartialEq>(a: &Arc<Node<V>>, b: &Arc<Node<V>>) -> bool {
            if Arc::ptr_eq(a, b) {
                return true;
            }
            match (&**a, &**b) {
                (Node::Leaf(k, x), Node::Leaf(l, y)) => k == l && x == y,
                (
                    Node::Branch { prefix, bit, left, right },
                    Node::Branch { prefix: p, bit: c, left: l, right: r },
                ) => prefix == p && bit == c && same(left, l) && same(right, r),
                _ => false,
            }
        }
        match (&self.root, &other.root) {
            (None, None) => true,
            (Some(a), Some(b)) => same(a, b),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    struct Larger;
    impl Merge<u64, u32> for Larger {
        fn both(&mut self, _: u64, a: &u32, b: &u32) -> Change<u32> {
            if a >= b { Change::Keep } else { Change::To(*b) }
        }
    }

    fn random_pair(seed: u64) -> (Map<u64, u32>, BTreeMap<u64, u32>) {
        let (mut map, mut model) = (Map::default(), BTreeMap::new());
        let mut random = fastrand::Rng::with_seed(seed);
        for _ in 0..200 {
            let x = random.u64(..);
            let key = if x & 1 == 0 { x >> 40 & 63 } else { x >> (x & 31) };
            if x >> 3 & 7 == 0 {
                map.remove(key);
                model.remove(&key);
            } else {
                map.insert(key, (x >> 20) as u32 & 15);
                model.insert(key, (x >> 20) as u32 & 15);
            }
        }
        (map, model)
    }

    #[test]
    fn agrees_with_a_plain_map() {
        for seed in 1..60 {
            let (map, model) = random_pair(seed);
            let listed: Vec<_> = map.iter().map(|(k, v)| (k, *v)).collect();
            assert_eq!(listed, model.iter().map(|(k, v)| (*k, *v)).collect::<Vec<_>>());
            for probe in (0..70).chain(model.keys().copied()) {
                assert_eq!(map.get(probe), model.get(&probe));
                let below = model.range(..=probe).next_back();
                assert_eq!(map.at_or_below(probe), below.map(|(k, v)| (*k, v)));
                let from: Vec<u64> = map.iter_from(probe).map(|(k, _)| k).collect();
                assert_eq!(from, model.range(probe..).map(|(k, _)| *k).collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn all_pairs_meets_every_key_that_is_not_shared() {
        for seed in 1..60 {
            let ((a, ma), (mut b, _)) = (random_pair(seed), random_pair(seed + 1000));
            if seed % 2 == 0 {
                b = a.clone();
                b.insert(seed, 99);
                b.remove(seed + 1);
            }
            let mb: BTreeMap<u64, u32> = b.iter().map(|(k, v)| (k, *v)).collect();
            let (mut pairs, mut alone) = (BTreeMap::new(), BTreeMap::new());
            assert!(a.all_pairs(
                &b,
                &mut |k, x, y| {
                    pairs.insert(k, (*x, y.copied()));
                    true
                },
                &mut |k, y| {
                    alone.insert(k, *y);
                    true
                },
            ));
            let mut mine = BTreeMap::new();
            assert!(a.all_mine(&b, &mut |k, x, y| mine.insert(k, (*x, y.copied())).is_none()));
            assert_eq!(mine, pairs);
            for (k, x) in &ma {
                if mb.get(k) != Some(x) {
                    assert_eq!(pairs[k], (*x, mb.get(k).copied()));
                }
            }
            for k in mb.keys().filter(|k| !ma.contains_key(k)) {
                assert!(alone.contains_key(k));
            }
        }
    }

    #[test]
    fn merges_as_a_plain_map_and_shares() {
        for seed in 1..60 {
            let ((a, ma), (b, mb)) = (random_pair(seed), random_pair(seed + 1000));
            let merged = a.merge(&b, &mut Larger);
            let mut model = ma.clone();
            for (k, v) in mb {
                let slot = model.entry(k).or_insert(v);
                *slot = (*slot).max(v);
            }
            let listed: Vec<_> = merged.iter().map(|(k, v)| (k, *v)).collect();
            assert_eq!(listed, model.into_iter().collect::<Vec<_>>());
            assert!(merged.merge(&a, &mut Larger).is_same(&merged));
            assert!(merged == b.merge(&a, &mut Larger));
        }
    }
}

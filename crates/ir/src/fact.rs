// SPDX-License-Identifier: MIT OR Apache-2.0
//! What engines have found out, by obligation and entry, and how that becomes a verdict.
//!
//! Facts come from several engines, entries, threads and machines, in any order and more than once. So merging is
//! a join of a product of three semilattices (the best proof, the best violation, the weightiest reason to be open),
//! which is commutative, associative and idempotent by construction.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::obligation::StableId;
use crate::verdict::{Confirmed, Proof, Reason, Verdict};
use crate::witness::Witness;

/// The version of the serialised form.
pub const VERSION: u32 = 1;

/// What a fact is about.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Key {
    /// The obligation.
    pub obligation: StableId,
    /// The function that the run starts in, by linkage name.
    pub entry: String,
}

/// A proof of one of the two kinds. The order is that of strength: fewer conditions first.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
struct BestProof {
    conditions: usize,
    kind: ProofKind,
    proof: Proof,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
enum ProofKind {
    Unreachable,
    Proved,
}

/// All that is known about one key.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Known {
    proof: Option<BestProof>,
    violation: Option<(Confirmed, Option<Witness>)>,
    open: Option<Reason>,
}

/// Two engines contradict each other: a fault of clew.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contradiction {
    /// What was both proved and violated.
    pub key: Key,
}

/// The smaller of two, where nothing is larger than something.
fn least<T: Ord>(a: Option<T>, b: Option<T>) -> Option<T> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}

impl Known {
    /// What one verdict says.
    pub fn new(verdict: Verdict) -> Known {
        let proof = |kind, mut proof: Proof| {
            proof.given.sort();
            proof.given.dedup();
            Known {
                proof: Some(BestProof { conditions: proof.given.len(), kind, proof }),
                ..Known::default()
            }
        };
        match verdict {
            Verdict::Proved(p) => proof(ProofKind::Proved, p),
            Verdict::Unreachable(p) => proof(ProofKind::Unreachable, p),
            Verdict::Violated { witness, confirmed } => {
                Known { violation: Some((confirmed, witness)), ..Known::default() }
            }
            Verdict::Open(reason) => Known { open: Some(reason), ..Known::default() },
        }
    }

    /// What both say.
    #[must_use]
    pub fn merge(self, other: Known) -> Known {
        Known {
            proof: least(self.proof, other.proof),
            violation: least(self.violation, other.violation),
            open: self.open.max(other.open),
        }
    }

    /// Whether it is both proved and violated.
    pub fn is_contradiction(&self) -> bool {
        self.proof.is_some() && self.violation.is_some()
    }

    /// The verdict for this key alone. A violation has a witness, so it is believed first.
    pub fn verdict(&self) -> Verdict {
        if let Some((confirmed, witness)) = &self.violation {
            return Verdict::Violated { witness: witness.clone(), confirmed: confirmed.clone() };
        }
        match &self.proof {
            Some(BestProof { kind: ProofKind::Proved, proof, .. }) => Verdict::Proved(proof.clone()),
            Some(BestProof { kind: ProofKind::Unreachable, proof, .. }) => {
                Verdict::Unreachable(proof.clone())
            }
            None => Verdict::Open(self.open.clone().unwrap_or(Reason::NotAnalysed)),
        }
    }
}

/// Facts by key.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(into = "Stored", try_from = "Stored")]
pub struct Facts {
    known: BTreeMap<Key, Known>,
}

/// The serialised form: maps with structured keys do not fit every format.
#[derive(Serialize, Deserialize)]
struct Stored {
    version: u32,
    facts: Vec<(Key, Known)>,
}

impl From<Facts> for Stored {
    fn from(facts: Facts) -> Stored {
        Stored { version: VERSION, facts: facts.known.into_iter().collect() }
    }
}

impl TryFrom<Stored> for Facts {
    type Error = String;

    fn try_from(stored: Stored) -> Result<Facts, String> {
        if stored.version != VERSION {
            return Err(format!("facts of version {}, this clew reads version {VERSION}", stored.version));
        }
        Ok(Facts { known: stored.facts.into_iter().collect() })
    }
}

impl Facts {
    /// Adds what a verdict says about a key.
    pub fn add(&mut self, key: Key, verdict: Verdict) {
        self.add_known(key, Known::new(verdict));
    }

    fn add_known(&mut self, key: Key, known: Known) {
        let slot = self.known.entry(key).or_default();
        *slot = std::mem::take(slot).merge(known);
    }

    /// Adds all facts of another set.
    pub fn merge(&mut self, other: Facts) {
        for (key, known) in other.known {
            self.add_known(key, known);
        }
    }

    /// What was both proved and violated.
    pub fn contradictions(&self) -> Vec<Contradiction> {
        let bad = self.known.iter().filter(|(_, known)| known.is_contradiction());
        bad.map(|(key, _)| Contradiction { key: key.clone() }).collect()
    }

    /// The verdict on an obligation over the given entries: those without a fact are not analysed.
    pub fn verdict<'e>(&self, obligation: &StableId, entries: impl IntoIterator<Item = &'e str>) -> Verdict {
        let of_entry = |entry: &str| {
            let key = Key { obligation: obligation.clone(), entry: entry.to_owned() };
            self.known.get(&key).map_or(Verdict::Open(Reason::NotAnalysed), Known::verdict)
        };
        let verdicts = entries.into_iter().map(of_entry);
        verdicts.reduce(join).unwrap_or(Verdict::Open(Reason::NotAnalysed))
    }
}

/// The verdict over two entries: violated if one is, proved only if both are, unreachable only if both are.
///
/// ```text
///        Violated
///           |
///          Open
///           |
///         Proved
///           |
///      Unreachable
/// ```
pub fn join(a: Verdict, b: Verdict) -> Verdict {
    match (a, b) {
        (
            Verdict::Violated { witness: w1, confirmed: c1 },
            Verdict::Violated { witness: w2, confirmed: c2 },
        ) => {
            let (confirmed, witness) = (c1, w1).min((c2, w2));
            Verdict::Violated { witness, confirmed }
        }
        (violated @ Verdict::Violated { .. }, _) | (_, violated @ Verdict::Violated { .. }) => violated,
        (Verdict::Open(a), Verdict::Open(b)) => Verdict::Open(a.max(b)),
        (open @ Verdict::Open(_), _) | (_, open @ Verdict::Open(_)) => open,
        (Verdict::Unreachable(a), Verdict::Unreachable(b)) => Verdict::Unreachable(both(a, b)),
        (Verdict::Proved(a) | Verdict::Unreachable(a), Verdict::Proved(b) | Verdict::Unreachable(b)) => {
            Verdict::Proved(both(a, b))
        }
    }
}

/// Two proofs for two entries: all engines, all conditions.
fn both(a: Proof, b: Proof) -> Proof {
    let mut engines: Vec<&str> = a.by.split(", ").chain(b.by.split(", ")).collect();
    engines.sort_unstable();
    engines.dedup();
    let by = engines.join(", ");
    let mut given = a.given;
    given.extend(b.given);
    given.sort();
    given.dedup();
    Proof { by, given }
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! A window on the decisions of a run, for those who look for inputs: what its branches compared, and how far the
//! obligations they care about were from being violated.
//!
//! A probed function has operations of its own for this, so a run that nobody probes executes the same code as ever.

use clew_ir::syntax::{BlockId, CompareOp, FuncId, ObligationId};
use rustc_hash::FxHashSet;

use crate::code::{Address, Reg, Rep};
use crate::machine::Machine;
use crate::value::Value;

/// The obligations whose operands are wanted.
pub type Wanted = FxHashSet<(FuncId, ObligationId)>;

/// Somebody who looks at the decisions of a run.
pub trait Probe {
    /// Two values are compared; for a branch, it goes by whether `op` holds of them.
    fn compare(&mut self, at: Comparison, op: CompareOp, left: Value, right: Value);
    /// The switch at the end of a block goes by this value.
    fn switch(&mut self, function: FuncId, block: BlockId, value: i128);
    /// The operation that a wanted obligation speaks of is about to be done with these operands.
    fn operands(&mut self, function: FuncId, obligation: ObligationId, left: Value, right: Value);
    /// The access that a wanted obligation speaks of is about to be made: it begins so many bytes behind the first byte
    /// of its object, and ends so many before its end. Negative: outside.
    fn access(&mut self, function: FuncId, obligation: ObligationId, before: i64, after: i64);
}

/// A comparison that decides something.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Comparison {
    /// The function.
    pub function: FuncId,
    /// The block.
    pub block: BlockId,
    /// The statement whose value it is, or that hands it on as an argument; `None` for the branch at the end.
    pub statement: Option<u32>,
}

/// What a probed run shows at a place.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Sight {
    Compare {
        block: BlockId,
        statement: Option<u32>,
        op: CompareOp,
        left: (Reg, Rep),
        right: Option<(Reg, Rep)>,
    },
    Switch {
        block: BlockId,
        value: (Reg, Rep),
    },
    Operands {
        obligation: ObligationId,
        left: (Reg, Rep),
        right: Option<(Reg, Rep)>,
    },
    Access {
        obligation: ObligationId,
        address: Address,
        bytes: u64,
    },
}

/// What a machine keeps for its probe.
pub(crate) struct Probing<'p> {
    pub wanted: &'p Wanted,
    pub probe: &'p mut dyn Probe,
}

impl Machine<'_> {
    pub(crate) fn show_sight(&mut self, sight: &Sight) {
        let Some(function) = self.frames.last().map(|frame| frame.function) else { return };
        let Some(probing) = self.probing.take() else { return };
        let value = |(reg, rep): (Reg, Rep)| self.value(reg, rep);
        let other = |right: Option<(Reg, Rep)>| right.map_or(Value::Int(0), value);
        match *sight {
            Sight::Compare { block, statement, op, left, right } => {
                let at = Comparison { function, block, statement };
                probing.probe.compare(at, op, value(left), other(right));
            }
            Sight::Switch { block, value: scrutinee } => {
                probing.probe.switch(function, block, value(scrutinee).as_int());
            }
            Sight::Operands { obligation, left, right } => {
                probing.probe.operands(function, obligation, value(left), other(right));
            }
            Sight::Access { obligation, address, bytes } => {
                let place = self.locate(address);
                if let Some(object) = self.memory.live(place.prov) {
                    let before = place.addr.wrapping_sub(object.base) as i64;
                    let end = object.base.wrapping_add(object.size);
                    let after = end.wrapping_sub(place.addr.wrapping_add(bytes)) as i64;
                    probing.probe.access(function, obligation, before, after);
                }
            }
        }
        self.probing = Some(probing);
    }
}

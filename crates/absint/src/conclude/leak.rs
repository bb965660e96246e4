// SPDX-License-Identifier: MIT OR Apache-2.0
//! Whether what was allocated is freed, or can still be reached, where the program ends.

use crate::conclude::pruned_paths::Before;
use crate::domain::Tri;
use crate::domain::value::Kind;
use crate::engine::analyser::Analyser;
use crate::engine::facts::Facts;
use crate::program::object::{Object, ObjectId};
use crate::state::State;

impl<'p> Facts<'p> {
    /// Whether an object is dead, or surely reachable from a global.
    pub(crate) fn is_kept(&self, exit: &State, id: ObjectId) -> bool {
        let Some(obj) = exit.object(id) else { return true };
        if !obj.life.alive {
            return true;
        }
        if self.is_summary(id) {
            return false;
        }
        exit.memory.iter().any(|(holder, obj)| {
            let is_root = matches!(self.objects.get(holder), Object::Global(_));
            is_root
                && obj.contents.segments().any(|(start, segment)| match &segment.value.kind {
                    Kind::Address(address) => {
                        segment.end - start == u64::from(segment.element)
                            && !segment.value.uninit
                            && address.number.is_none()
                            && !address.unknown
                            && matches!(&address.targets[..], [(target, _)] if *target == id)
                    }
                    _ => false,
                })
        })
    }
}

impl Analyser<'_> {
    /// Judges the leak obligations that were met.
    pub(crate) fn judge_leaks(&mut self, before: &Before) {
        let leaks = std::mem::take(&mut self.transfer.eval.recorder.leaks);
        let exits = self.transfer.eval.recorder.exits.take();
        let aside = self.transfer.eval.recorder.all_pruned();
        for (call, subject) in leaks {
            let check = clew_ir::obligation::CheckKind::MemoryLeak;
            let made: Vec<ObjectId> = self.transfer.eval.facts.objects.allocated_at(call);
            let safe = !self.transfer.eval.recorder.may_hang
                && match &exits {
                    // Nothing ends normally: what is lost on the way is not known.
                    None => made.is_empty(),
                    Some(exit) => made.iter().all(|id| self.transfer.eval.facts.is_kept(exit, *id)),
                };
            let truth = if safe { Tri::True } else { Tri::Maybe };
            // It is judged where the program ends: runs that were pruned anywhere may come there.
            let given = exits.as_ref().map_or(aside.clone(), |e| e.given.union(&aside));
            let given = self.transfer.eval.recorder.matter_for(&given, before.calls.get(&call), &made);
            self.transfer.eval.recorder.results.see(subject, check, truth, &given, || {
                Some("it may still be allocated where the program ends".to_owned())
            });
        }
    }
}

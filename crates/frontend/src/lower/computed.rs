// SPDX-License-Identifier: MIT OR Apache-2.0
//! Computed gotos: storage that ends and begins on the way to a label whose address is taken.
//!
//! Where such a jump leads is known at run time only, so it cannot say itself what it leaves and enters. What all its
//! targets leave ends before the jump. The rest is done in a block of each label's own, its landing, which computed
//! gotos come through and others do not: there ends what some jump may leave and begins what all jumps enter.

use clew_base::source::Span;
use clew_ir::syntax::{BlockId, ExprKind, Statement, StatementKind, Storage, Terminator};
use rustc_hash::FxHashSet;

use super::build::FunctionLowering;
use super::scope::ScopeId;

impl FunctionLowering<'_, '_> {
    /// The block that stands for the address of a label.
    pub(super) fn landing(&mut self, label: BlockId) -> BlockId {
        if let Some(known) = self.landings.get(&label) {
            return *known;
        }
        let landing = self.new_block();
        self.landings.insert(label, landing);
        landing
    }

    pub(super) fn finish_computed_gotos(&mut self, jumps: &[(BlockId, ScopeId, Span)]) {
        let mut landings: Vec<(BlockId, BlockId)> = self.landings.iter().map(|(l, b)| (*l, *b)).collect();
        landings.sort_by_key(|(_, landing)| *landing);
        let targets: Vec<Target> = landings
            .iter()
            .map(|&(label, landing)| {
                let scope = self.block_scopes.get(&label).copied().unwrap_or(ScopeId(0));
                Target { label, landing, around: self.around(scope) }
            })
            .collect();
        let sources: Vec<FxHashSet<ScopeId>> =
            jumps.iter().map(|(_, scope, _)| self.around(*scope)).collect();
        for (jump, around) in jumps.iter().zip(&sources) {
            self.leave_by_computed_goto(jump, around, &targets, &sources);
        }
        for target in &targets {
            self.land(target, &targets, &sources);
        }
        self.drop_empty_landings(&targets);
        let landings: Vec<BlockId> = targets.iter().map(|target| self.landings[&target.label]).collect();
        for block in self.blocks.iter_mut() {
            if let Some((Terminator::ComputedGoto { targets, .. }, _)) = &mut block.terminator {
                targets.clone_from(&landings);
            }
        }
        for landing in landings {
            self.blocks[landing].is_target = true;
        }
    }

    /// The scope and those around it.
    fn around(&self, scope: ScopeId) -> FxHashSet<ScopeId> {
        std::iter::successors(Some(scope), |id| self.scopes[*id].parent).collect()
    }

    /// Storage that every target leaves ends before the jump. Cleanups do not run at computed gotos.
    fn leave_by_computed_goto(
        &mut self,
        &(from, scope, span): &(BlockId, ScopeId, Span),
        around: &FxHashSet<ScopeId>,
        targets: &[Target],
        sources: &[FxHashSet<ScopeId>],
    ) {
        let mut left = Some(scope);
        while let Some(id) = left.filter(|id| !targets.iter().any(|target| target.around.contains(id))) {
            let dead = self.dead_storage(id, span);
            self.blocks[from].statements.extend(dead);
            left = self.scopes[id].parent;
        }
        // A block with objects that is entered from here, and stayed in by a jump to the same label from elsewhere: the
        // landing cannot tell the two.
        let both = targets.iter().flat_map(|target| &target.around).any(|id| {
            !around.contains(id)
                && sources.iter().any(|source| source.contains(id))
                && self.scopes[*id].locals.iter().any(|local| !local.variable)
        });
        if both {
            let what = "a computed goto into a block that others stay in".into();
            self.blocks[from].statements.push(Statement { kind: StatementKind::Unsupported { what }, span });
        }
    }

    /// Fills the block that computed gotos to a label come through.
    fn land(&mut self, target: &Target, targets: &[Target], sources: &[FxHashSet<ScopeId>]) {
        let span = Span::NONE;
        let mut statements = Vec::new();
        for scope in self.scopes.indices().rev() {
            let left = sources.iter().any(|source| source.contains(&scope));
            let stayed = targets.iter().any(|other| other.around.contains(&scope));
            if left && stayed && !target.around.contains(&scope) {
                statements.extend(self.dead_storage(scope, span));
            }
        }
        for scope in self.scopes.indices() {
            let inside = sources.iter().any(|source| source.contains(&scope));
            if target.around.contains(&scope) && !inside {
                let begun = self.scopes[scope].locals.iter().filter(|local| !local.variable);
                let live = |local| StatementKind::StorageLive { local, bytes: None };
                statements.extend(begun.map(|local| Statement { kind: live(local.local), span }));
            }
        }
        self.blocks[target.landing].statements = statements;
        self.blocks[target.landing].terminator = Some((Terminator::Goto(target.label), span));
        self.blocks[target.label].is_target = true;
    }

    fn dead_storage(&self, scope: ScopeId, span: Span) -> Vec<Statement> {
        let locals = self.scopes[scope].locals.iter().rev().map(|known| known.local);
        let in_memory =
            locals.filter(|local| matches!(self.body.locals[*local].storage, Storage::Memory { .. }));
        in_memory.map(|local| Statement { kind: StatementKind::StorageDead { local }, span }).collect()
    }

    /// A label where nothing begins or ends is its own landing.
    fn drop_empty_landings(&mut self, targets: &[Target]) {
        for target in targets {
            if !self.blocks[target.landing].statements.is_empty() {
                continue;
            }
            self.landings.insert(target.label, target.label);
            for expr in self.body.exprs.iter_mut() {
                if let ExprKind::Label(block) = &mut expr.kind
                    && *block == target.landing
                {
                    *block = target.label;
                }
            }
        }
    }
}

/// A label that computed gotos may lead to.
struct Target {
    label: BlockId,
    landing: BlockId,
    /// The scopes that it stands in.
    around: FxHashSet<ScopeId>,
}

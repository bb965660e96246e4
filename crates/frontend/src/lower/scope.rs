// SPDX-License-Identifier: MIT OR Apache-2.0
//! Scopes, and the storage that begins and ends when control enters and leaves them.
//!
//! A jump may leave scopes (their objects die, their cleanups run) and enter others (their objects begin to live,
//! uninitialised). Where a label stands is known only at the end of the function, so jumps are listed and finished
//! there.

use clew_base::index_types;
use clew_base::source::Span;
use clew_ir::syntax::{BlockId, LocalId, Statement, StatementKind, Storage, Terminator};
use rucc_sema::DeclId;

use super::build::FunctionLowering;

index_types! {
    /// A scope of the function under construction.
    ScopeId = "scope";
}

/// A block of C and what lives in it.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    pub(super) parent: Option<ScopeId>,
    pub(super) depth: u32,
    pub(super) locals: Vec<ScopeLocal>,
}

/// An object of a scope.
#[derive(Clone, Copy, Debug)]
pub(super) struct ScopeLocal {
    pub(super) local: LocalId,
    /// Lives from the place where it is made only: a variable-length array, a compound literal, a temporary. No jump
    /// into its scope begins it.
    pub(super) variable: bool,
    /// `cleanup(f)`: the function, called with its address when it dies.
    pub(super) cleanup: Option<DeclId>,
}

/// A jump whose storage is settled at the end of the function.
pub(super) enum Jump {
    /// The block ends in a plain goto.
    Goto { from: BlockId, scope: ScopeId, span: Span },
    /// The block ends in a switch.
    Switch { from: BlockId, scope: ScopeId, span: Span },
    /// The block ends in a computed goto.
    Computed { from: BlockId, scope: ScopeId, span: Span },
}

/// Where storage begins. Chosen once a function, by the jumps it has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum StorageMode {
    /// At the declaration: no jump can pass it.
    Declaration,
    /// At the entry of the scope: a switch or a goto may pass declarations.
    ScopeEntry,
}

impl FunctionLowering<'_, '_> {
    /// Runs `inside` in a scope of its own.
    pub(super) fn in_scope<T>(&mut self, span: Span, inside: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.scope;
        let depth = self.scopes[outer].depth + 1;
        self.scope = self.scopes.push(Scope { parent: Some(outer), depth, locals: Vec::new() });
        let result = inside(self);
        let scope = self.scope;
        self.end_storage(scope, span);
        self.scope = outer;
        result
    }

    /// Storage of one scope ends here.
    fn end_storage(&mut self, scope: ScopeId, span: Span) {
        for at in (0..self.scopes[scope].locals.len()).rev() {
            let ScopeLocal { local, cleanup, .. } = self.scopes[scope].locals[at];
            if let Some(function) = cleanup {
                self.call_cleanup(function, local, span);
            }
            if matches!(self.body.locals[local].storage, Storage::Memory { .. }) {
                self.emit(StatementKind::StorageDead { local }, span);
            }
        }
    }

    /// The temporaries since a mark end with their full expression. Those of inner scopes have ended with these.
    pub(super) fn end_temporaries(&mut self, mark: usize, span: Span) {
        for local in self.ended_temporaries(mark) {
            self.emit(StatementKind::StorageDead { local }, span);
        }
    }

    /// The temporaries since a mark end with a condition, whichever way it goes.
    pub(super) fn end_temporaries_on(&mut self, mark: usize, ways: [BlockId; 2], span: Span) {
        for local in self.ended_temporaries(mark) {
            for way in ways {
                let dead = Statement { kind: StatementKind::StorageDead { local }, span };
                self.blocks[way].statements.insert(0, dead);
            }
        }
    }

    /// Takes the temporaries since a mark from the present scope, the last first.
    fn ended_temporaries(&mut self, mark: usize) -> Vec<LocalId> {
        let mut ended = self.temporaries.split_off(mark.min(self.temporaries.len()));
        let locals = &mut self.scopes[self.scope].locals;
        ended.reverse();
        ended.retain(|local| {
            let at = locals.iter().rposition(|known| known.local == *local);
            at.map(|at| locals.remove(at)).is_some()
        });
        ended
    }

    /// Storage of all scopes inside `outer` ends here (a jump leaves them).
    pub(super) fn leave_to(&mut self, outer: ScopeId, span: Span) {
        let mut scope = self.scope;
        while scope != outer {
            self.end_storage(scope, span);
            match self.scopes[scope].parent {
                Some(parent) => scope = parent,
                None => break,
            }
        }
    }

    /// Cleanups of all scopes run, as at a return.
    pub(super) fn run_all_cleanups(&mut self, span: Span) {
        let mut scope = Some(self.scope);
        while let Some(id) = scope {
            for at in (0..self.scopes[id].locals.len()).rev() {
                let ScopeLocal { local, cleanup, .. } = self.scopes[id].locals[at];
                if let Some(function) = cleanup {
                    self.call_cleanup(function, local, span);
                }
            }
            scope = self.scopes[id].parent;
        }
    }

    /// Whether a return here must run cleanups.
    pub(super) fn has_cleanups(&self) -> bool {
        let mut scope = Some(self.scope);
        while let Some(id) = scope {
            if self.scopes[id].locals.iter().any(|l| l.cleanup.is_some()) {
                return true;
            }
            scope = self.scopes[id].parent;
        }
        false
    }

    /// Storage of a plain local begins: at its declaration, or when its scope is entered.
    pub(super) fn begin_storage(&mut self, local: LocalId, span: Span) {
        self.emit(StatementKind::StorageLive { local, bytes: None }, span);
    }

    /// Finishes the jumps: storage that ends and begins on the way.
    pub(super) fn finish_jumps(&mut self) {
        let mut computed = Vec::new();
        for jump in std::mem::take(&mut self.jumps) {
            match jump {
                Jump::Goto { from, scope, span } => self.finish_goto(from, scope, span),
                Jump::Switch { from, scope, span } => self.finish_switch(from, scope, span),
                Jump::Computed { from, scope, span } => computed.push((from, scope, span)),
            }
        }
        self.finish_computed_gotos(&computed);
    }

    fn finish_goto(&mut self, from: BlockId, scope: ScopeId, span: Span) {
        let Some((Terminator::Goto(target), _)) = self.blocks[from].terminator else { return };
        let Some(&to) = self.block_scopes.get(&target) else { return };
        let terminator = self.blocks[from].terminator.take();
        self.current = from;
        self.scope = scope;
        self.cross(scope, to, span);
        // Cleanups may have opened new blocks.
        let end = self.current;
        self.blocks[end].terminator = terminator;
    }

    fn finish_switch(&mut self, from: BlockId, scope: ScopeId, span: Span) {
        let Some((mut terminator, at)) = self.blocks[from].terminator.take() else { return };
        if let Terminator::Switch { cases, default, .. } = &mut terminator {
            for target in cases.iter_mut().map(|(_, _, block)| block).chain([default]) {
                *target = self.edge(*target, scope, span);
            }
        }
        self.blocks[from].terminator = Some((terminator, at));
    }

    /// The block that a case leads to: one that begins the storage it passes, if there is any.
    fn edge(&mut self, target: BlockId, scope: ScopeId, span: Span) -> BlockId {
        let Some(&to) = self.block_scopes.get(&target) else { return target };
        let block = self.new_block();
        self.current = block;
        self.cross(scope, to, span);
        if self.blocks[block].statements.is_empty() {
            return target;
        }
        self.blocks[block].is_target = true;
        self.blocks[target].is_target = true;
        let end = self.current;
        self.blocks[end].terminator = Some((Terminator::Goto(target), span));
        block
    }

    /// Leaves scopes up to the common one, then enters those on the way to `to`.
    fn cross(&mut self, from: ScopeId, to: ScopeId, span: Span) {
        let (mut up, mut down) = (from, to);
        let mut entered = Vec::new();
        while up != down {
            let (up_depth, down_depth) = (self.scopes[up].depth, self.scopes[down].depth);
            if up_depth >= down_depth {
                self.end_storage(up, span);
                up = self.scopes[up].parent.unwrap_or(up);
            }
            if down_depth >= up_depth && up != down {
                entered.push(down);
                down = self.scopes[down].parent.unwrap_or(down);
            }
        }
        for scope in entered.into_iter().rev() {
            for at in 0..self.scopes[scope].locals.len() {
                let ScopeLocal { local, variable, .. } = self.scopes[scope].locals[at];
                if !variable {
                    self.begin_storage(local, span);
                }
            }
        }
    }
}

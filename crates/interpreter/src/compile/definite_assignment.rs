// SPDX-License-Identifier: MIT OR Apache-2.0
//! Facts about a function's locals that make its code smaller: which are surely assigned where an obligation asks, and
//! which temporaries live in one block only.

use clew_base::index::Idx;
use clew_ir::analysis::registers::written;
use clew_ir::obligation::Condition;
use clew_ir::syntax::{Block, BlockId, Body, LocalId, Statement, StatementKind, Storage};
use clew_ir::visit::Visit;
use rustc_hash::{FxHashMap, FxHashSet};

/// Which of the locals that somebody asks about are surely assigned: those that `InitialisedLocal` speaks of, or all
/// registers of a function that is observed.
pub struct Assigned {
    /// Their numbers in the sets.
    numbers: FxHashMap<LocalId, usize>,
    /// Surely assigned where each block begins.
    at_entry: Vec<Vec<bool>>,
    now: Vec<bool>,
}

impl Assigned {
    pub fn new(body: &Body, all: bool) -> Assigned {
        let mut numbers = FxHashMap::default();
        if all {
            let locals = body.locals.iter_enumerated();
            let registers = locals.filter(|(_, local)| local.storage == Storage::Register).map(|(id, _)| id);
            numbers.extend(registers.enumerate().map(|(number, local)| (local, number)));
        }
        for obligation in body.obligations.iter() {
            if let Condition::InitialisedLocal(local) = obligation.condition {
                let next = numbers.len();
                numbers.entry(local).or_insert(next);
            }
        }
        let mut assigned = Assigned { numbers, at_entry: Vec::new(), now: Vec::new() };
        assigned.solve(body);
        assigned
    }

    /// A forward must-analysis: assigned at a block's entry if assigned at the end of every block before it.
    fn solve(&mut self, body: &Body) {
        let count = self.numbers.len();
        self.at_entry = vec![vec![true; count]; body.blocks.len()];
        if count == 0 || body.blocks.is_empty() {
            return;
        }
        for (local, number) in &self.numbers {
            self.at_entry[0][*number] = local.index() < body.parameters as usize;
        }
        let mut work: Vec<BlockId> = body.blocks.indices().rev().collect();
        let mut waiting = vec![true; body.blocks.len()];
        while let Some(id) = work.pop() {
            waiting[id.index()] = false;
            let mut state = self.at_entry[id.index()].clone();
            let block: &Block = &body.blocks[id];
            for statement in &block.statements {
                self.apply(&mut state, statement);
            }
            block.terminator.successors(|next| {
                let entry = &mut self.at_entry[next.index()];
                let mut changed = false;
                for (known, incoming) in entry.iter_mut().zip(&state) {
                    changed |= *known && !incoming;
                    *known &= incoming;
                }
                if changed && !std::mem::replace(&mut waiting[next.index()], true) {
                    work.push(next);
                }
            });
        }
    }

    fn apply(&self, state: &mut [bool], statement: &Statement) {
        if let StatementKind::StorageLive { local, .. } = statement.kind
            && let Some(number) = self.numbers.get(&local)
        {
            state[*number] = false;
        }
        for local in written(statement) {
            if let Some(number) = self.numbers.get(&local) {
                state[*number] = true;
            }
        }
    }

    /// The compiler comes to a block.
    pub fn enter(&mut self, block: BlockId) {
        self.now.clone_from(&self.at_entry[block.index()]);
    }

    /// The compiler passed a statement.
    pub fn pass(&mut self, statement: &Statement) {
        let mut now = std::mem::take(&mut self.now);
        self.apply(&mut now, statement);
        self.now = now;
    }

    /// Whether a local is surely assigned here.
    pub fn surely(&self, local: LocalId) -> bool {
        self.numbers.get(&local).is_some_and(|number| self.now[*number])
    }

    /// The locals that need a flag at run time, in order.
    pub fn flagged(&self) -> Vec<LocalId> {
        let mut locals: Vec<LocalId> = self.numbers.keys().copied().collect();
        locals.sort_unstable();
        locals
    }

    /// Unnamed register locals that only one block mentions.
    pub fn single_block_temporaries(&self, body: &Body) -> Singles {
        let mut homes =
            Homes { block: BlockId(0), homes: FxHashMap::default(), shared: FxHashSet::default() };
        // An expression is walked once in each block that uses it; expressions belong to one block as a rule.
        for (id, block) in body.blocks.iter_enumerated() {
            homes.block = id;
            let mut seen = FxHashSet::default();
            let mut work = Vec::new();
            for statement in &block.statements {
                homes.statement(statement);
                statement.exprs(|e| work.push(e));
                if let StatementKind::Check { first, count } = statement.kind {
                    for obligation in (first.0..first.0 + count).map(clew_ir::syntax::ObligationId) {
                        let condition = &body.obligations[obligation].condition;
                        homes.condition(condition);
                        condition.exprs(|e| work.push(e));
                    }
                }
            }
            homes.terminator(&block.terminator);
            block.terminator.exprs(|e| work.push(e));
            while let Some(expr) = work.pop() {
                if seen.insert(expr) {
                    homes.expr_node(&body.exprs[expr]);
                    body.exprs[expr].operands(|e| work.push(e));
                }
            }
        }
        let mut by_block: Vec<Vec<LocalId>> = vec![Vec::new(); body.blocks.len()];
        let mut all = FxHashSet::default();
        for (id, local) in body.locals.iter_enumerated() {
            let parameter = id.index() < body.parameters as usize;
            let plain = local.name.is_none() && local.storage == Storage::Register && !parameter;
            if let (true, false, Some(home)) = (plain, self.numbers.contains_key(&id), homes.homes.get(&id))
                && !homes.shared.contains(&id)
            {
                by_block[home.index()].push(id);
                all.insert(id);
            }
        }
        Singles { by_block, all }
    }
}

/// Temporaries by the one block they live in.
#[derive(Default)]
pub struct Singles {
    by_block: Vec<Vec<LocalId>>,
    all: FxHashSet<LocalId>,
}

impl Singles {
    pub fn contains(&self, local: &LocalId) -> bool {
        self.all.contains(local)
    }

    pub fn by_block(&self) -> &[Vec<LocalId>] {
        &self.by_block
    }
}

/// The block that mentions each local, and those that several mention.
struct Homes {
    block: BlockId,
    homes: FxHashMap<LocalId, BlockId>,
    shared: FxHashSet<LocalId>,
}

impl Homes {
    fn condition(&mut self, condition: &Condition) {
        self.walk_condition(condition);
    }

    fn expr_node(&mut self, expr: &clew_ir::syntax::Expr) {
        self.walk_expr(expr);
    }

    fn statement(&mut self, statement: &Statement) {
        self.walk_statement(statement);
    }

    fn terminator(&mut self, terminator: &clew_ir::syntax::Terminator) {
        self.walk_terminator(terminator);
    }
}

impl Visit for Homes {
    fn local(&mut self, local: &LocalId) {
        if *self.homes.entry(*local).or_insert(self.block) != self.block {
            self.shared.insert(*local);
        }
    }
}

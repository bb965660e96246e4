// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where runs were pruned, and what may come after that.
//!
//! Where an obligation is violated the analysis drops the run; a machine may go on. What is proved of places that it
//! can come to from there rests on the obligation. A state carries the obligations that were pruned on its way
//! (`State::given`), but a run that was dropped can also take paths that no state goes. So wherever a state ends, or does
//! not take one of the paths out of a block, what it rests on is noted here; in the end that is spread over all that
//! the control flow leads to. Calls come back to where they were made, not to every call of the function: what may
//! still return is handed from call to caller (`pending`).

use std::collections::BTreeMap;
use std::rc::Rc;

use clew_base::index::IndexVec;
use clew_ir::syntax::{BlockId, Body, Callee, FuncId, ObligationId, Program, StatementKind, Terminator};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::engine::evaluator::Evaluator;
use crate::engine::recorder::Recorder;
use crate::engine::results::Pruning;
use crate::engine::transfer::Transfer;
use crate::program::call_graph::resolve;
use crate::program::object::{ObjectId, Site};
use crate::state::given::Given;
use crate::state::{PruningId, State};

/// A block of a function.
pub(crate) type Node = (FuncId, BlockId);

/// The start of a block, or a position inside it.
pub(crate) type Place = (Node, Option<u64>);

/// What was noted on the way.
#[derive(Default)]
pub(crate) struct PrunedPaths {
    /// From the start of a block on.
    pub(crate) starts: FxHashMap<Node, Given>,
    /// From a position inside a block on.
    pub(crate) within: FxHashMap<Node, BTreeMap<u64, Given>>,
    /// What may still come back to the caller of the running function.
    pub(crate) pending: Given,
    /// The statement that is being executed; none between the calls that the environment makes.
    pub(crate) at: Option<Site>,
    returning: Option<Rc<Returning>>,
    /// By cut, the heap objects that may have been alive then.
    alive: FxHashMap<PruningId, FxHashSet<ObjectId>>,
}

/// The position of a statement, or of an obligation that it checks.
pub(crate) fn position(statement: u32, obligation: u32) -> u64 {
    u64::from(statement) << 32 | u64::from(obligation)
}

impl PrunedPaths {
    /// Runs that rest on this are pruned at a place.
    pub(crate) fn put(&mut self, (node, position): Place, given: &Given) {
        if given.is_empty() {
            return;
        }
        let known = match position {
            None => self.starts.entry(node).or_default(),
            Some(position) => self.within.entry(node).or_default().entry(position).or_default(),
        };
        known.add(given);
    }

    /// These objects, too, may have been alive where something was pruned.
    pub(crate) fn also_alive(&mut self, pruning: PruningId, objects: &[ObjectId]) {
        self.alive.entry(pruning).or_default().extend(objects);
    }
}

impl Recorder {
    /// Which of the prunings matter for objects that were allocated at a call: those that may come before the call, and
    /// those where one of the objects may have been alive.
    pub(crate) fn matter_for(&self, given: &Given, before: Option<&Given>, made: &[ObjectId]) -> Given {
        let matters = |number: PruningId| {
            before.is_some_and(|before| before.has(number))
                || self
                    .pruned
                    .alive
                    .get(&number)
                    .is_some_and(|alive| made.iter().any(|id| alive.contains(id)))
        };
        given.iter().filter(|number| matters(*number)).collect()
    }

    /// Everything that was pruned.
    pub(crate) fn all_pruned(&self) -> Given {
        let within = self.pruned.within.values().flat_map(|block| block.values());
        self.pruned.starts.values().chain(within).fold(Given::default(), |all, some| some.union(&all))
    }
}

impl Evaluator<'_> {
    /// A state ends at the running statement.
    pub(crate) fn prune(&mut self, given: &Given) {
        self.prune_behind(0, given);
    }

    /// A state ends at an obligation of the running statement: it was pruned.
    pub(crate) fn prune_at(&mut self, obligation: ObligationId, given: &Given) {
        self.prune_behind(obligation.0 + 1, given);
    }

    fn prune_behind(&mut self, obligation: u32, given: &Given) {
        let Some(site) = self.recorder.pruned.at.filter(|_| self.context.recording) else { return };
        let node = (site.function, site.block);
        self.put_pruned((node, Some(position(site.statement, obligation))), given);
        self.prune_in_model(given);
        self.may_return(node, given);
    }

    /// Notes that runs are pruned at a place, for this call and for those that take its result over: these may rest
    /// on something where this one rests on nothing.
    fn put_pruned(&mut self, place: Place, given: &Given) {
        self.context.note_pruned(place);
        self.recorder.pruned.put(place, given);
    }

    /// A state does not go to a block that control could go to.
    pub(crate) fn path_not_taken(&mut self, to: Node, given: &Given) {
        if self.context.recording {
            self.put_pruned((to, None), given);
            self.prune_in_model(given);
            self.may_return(to, given);
        }
    }

    /// Obligations of a library model stand at the program's call of it, whether it returns or not.
    fn prune_in_model(&mut self, given: &Given) {
        let Some(site) = self.context.model_call else { return };
        self.put_pruned(((site.function, site.block), Some(position(site.statement, 0))), given);
    }

    fn may_return(&mut self, from: Node, given: &Given) {
        let program = self.facts.program;
        let returning =
            self.recorder.pruned.returning.get_or_insert_with(|| Rc::new(Returning::new(program)));
        if returning.blocks[from.0].get(from.1.0 as usize) == Some(&true) {
            self.recorder.pruned.pending.add(given);
            self.context.note_pending();
        }
    }

    /// A call came back: what was pruned in it may come back too.
    pub(crate) fn after_call(&mut self, caller: Option<Site>, pending: Option<Given>) {
        self.recorder.pruned.at = caller;
        let Some(pending) = pending else { return };
        match caller {
            Some(_) => self.prune(&pending),
            None => {
                self.recorder.pruned.pending.add(&pending);
                self.context.note_pending();
            }
        }
    }

    /// What was pruned in functions that call each other comes back to each of their calls.
    pub(crate) fn after_recursion(&mut self) {
        let pending = self.recorder.pruned.pending.clone();
        if !self.context.recording {
            return;
        }
        let mut functions: Vec<FuncId> = self.facts.recursive.iter().copied().collect();
        functions.sort_unstable();
        for function in functions {
            let Some(body) = &self.facts.program.functions[function].body else { continue };
            for (block, code) in body.blocks.iter_enumerated() {
                if code.statements.iter().any(|s| matches!(s.kind, StatementKind::Call(_))) {
                    self.put_pruned(((function, block), None), &pending);
                }
            }
        }
    }

    /// What was pruned in a function that runs before others.
    pub(crate) fn before(&mut self, functions: &[FuncId]) {
        let pending = self.recorder.pruned.pending.clone();
        for function in functions {
            self.path_not_taken((*function, BlockId(0)), &pending);
        }
    }
}

impl Transfer<'_> {
    /// Some runs of a state are pruned, or all. Proofs behind that rest on it; while loops are still growing too,
    /// since what comes round rests on it from the first iteration on.
    pub(crate) fn prune_from(&mut self, state: &mut State, pruning: Pruning) {
        let number = self.eval.recorder.results.number(pruning);
        state.given.insert(number);
        self.eval.context.note_pruning(number);
        if self.eval.context.recording {
            let alive = self.eval.facts.objects.heap().filter(|id| {
                // What the running call does not look at else is as its caller left it: `summary` sees to that.
                state.memory.unrecorded().get(*id).is_some_and(|o| o.life.alive)
            });
            self.eval.recorder.pruned.alive.entry(number).or_default().extend(alive);
        }
    }

    /// Something that the analysis does not understand: what may come after it is not decided. Functions whose address
    /// is taken may be handlers or threads.
    pub(crate) fn not_understood(&mut self, what: &str, state: &State) {
        if !self.eval.context.recording {
            return;
        }
        let mut state = state.clone();
        self.prune_from(&mut state, Pruning::Unsupported(what.into()));
        self.eval.prune(&state.given);
        for function in crate::program::call_graph::address_taken(self.eval.facts.program) {
            self.eval.path_not_taken((self.eval.facts.resolve(function), BlockId(0)), &state.given);
        }
    }
}

/// From which blocks a function may return.
struct Returning {
    blocks: IndexVec<FuncId, Vec<bool>>,
}

impl Returning {
    /// The least solution: what only leads to calls that never return does not return.
    fn new(program: &Program) -> Returning {
        let functions = program.functions.iter();
        let mut this = Returning {
            blocks: functions.map(|f| vec![false; f.body.as_ref().map_or(0, |b| b.blocks.len())]).collect(),
        };
        loop {
            let mut changed = false;
            for (id, function) in program.functions.iter_enumerated() {
                let Some(body) = &function.body else { continue };
                // Every block counts: a function may return early and by a path through a callee of which that is not
                // known yet.
                let new = this.of_body(program, body);
                changed |= new != this.blocks[id];
                this.blocks[id] = new;
            }
            if !changed {
                return this;
            }
        }
    }

    fn of_body(&self, program: &Program, body: &Body) -> Vec<bool> {
        let passes: Vec<bool> = body
            .blocks
            .iter()
            .map(|block| block.statements.iter().all(|s| self.passes(program, &s.kind)))
            .collect();
        let predecessors = body.predecessors();
        let mut found = vec![false; passes.len()];
        let ends =
            body.blocks.iter_enumerated().filter(|(_, b)| matches!(b.terminator, Terminator::Return(_)));
        let mut work: Vec<BlockId> = ends.map(|(id, _)| id).collect();
        while let Some(block) = work.pop() {
            let index = block.0 as usize;
            if passes[index] && !std::mem::replace(&mut found[index], true) {
                work.extend(&predecessors[block]);
            }
        }
        found
    }

    fn passes(&self, program: &Program, statement: &StatementKind) -> bool {
        let StatementKind::Call(call) = statement else { return true };
        let Callee::Direct(callee) = call.callee else { return true };
        let callee = resolve(program, callee);
        match &program.functions[callee].body {
            Some(_) => self.blocks[callee].first() == Some(&true),
            None => !program.functions[callee].attributes.noreturn,
        }
    }
}

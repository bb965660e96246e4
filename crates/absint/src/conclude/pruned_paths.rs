// SPDX-License-Identifier: MIT OR Apache-2.0
//! What may come after runs that were pruned: spread over all that control flow leads to.

use std::collections::BTreeMap;

use clew_ir::syntax::{BlockId, Callee, FuncId, ObligationId, Program, StatementKind};
use rustc_hash::FxHashMap;

use crate::engine::analyser::Analyser;
use crate::engine::pruned_paths::{Node, PrunedPaths, position};
use crate::program::call_graph::resolve;
use crate::program::components::{components, is_cycle};
use crate::program::object::Site;
use crate::state::given::Given;

/// The blocks that lie behind something that was pruned.
struct Graph {
    nodes: Vec<Node>,
    successors: Vec<Vec<usize>>,
    /// With each successor, the position in the block that control goes there from.
    positions: Vec<Vec<u64>>,
}

impl Graph {
    fn new(analyser: &Analyser<'_>) -> Graph {
        let program = analyser.transfer.eval.facts.program;
        let taken: Vec<FuncId> = crate::program::call_graph::address_taken(program)
            .into_iter()
            .map(|f| resolve(program, f))
            .collect();
        let mut graph = Graph { nodes: Vec::new(), successors: Vec::new(), positions: Vec::new() };
        let mut index: FxHashMap<Node, usize> = FxHashMap::default();
        let aside = &analyser.transfer.eval.recorder.pruned;
        let mut roots: Vec<Node> = aside.starts.keys().chain(aside.within.keys()).copied().collect();
        roots.sort_unstable();
        let mut number = |graph: &mut Graph, node: Node| -> Option<usize> {
            program.functions[node.0].body.as_ref()?;
            Some(*index.entry(node).or_insert_with(|| {
                graph.nodes.push(node);
                graph.nodes.len() - 1
            }))
        };
        for root in roots {
            number(&mut graph, root);
        }
        let mut next = 0;
        while let Some(node) = graph.nodes.get(next).copied() {
            let (mut successors, mut positions) = (Vec::new(), Vec::new());
            for (to, position) in ways(program, &taken, node) {
                if let Some(to) = number(&mut graph, to) {
                    successors.push(to);
                    positions.push(position);
                }
            }
            graph.successors.push(successors);
            graph.positions.push(positions);
            next += 1;
        }
        graph
    }

    fn spread(&self, aside: &PrunedPaths) -> Behind {
        let mut start: Vec<Given> =
            self.nodes.iter().map(|node| aside.starts.get(node).cloned().unwrap_or_default()).collect();
        let within = |node: usize| aside.within.get(&self.nodes[node]);
        let all_within = |node: usize| {
            let parts = within(node).into_iter().flat_map(BTreeMap::values);
            parts.fold(Given::default(), |all, some| some.union(&all))
        };
        for members in components(&self.successors).iter().rev() {
            if is_cycle(members, &self.successors) {
                let common = members
                    .iter()
                    .fold(Given::default(), |all, node| start[*node].union(&all_within(*node)).union(&all));
                members.iter().for_each(|node| start[*node] = common.clone());
            }
            for node in members {
                let mut out = start[*node].clone();
                let mut parts = within(*node).into_iter().flatten().peekable();
                for (to, position) in self.successors[*node].iter().zip(&self.positions[*node]) {
                    while let Some((_, part)) = parts.next_if(|(p, _)| *p < position) {
                        out.add(part);
                    }
                    start[*to].add(&out);
                }
            }
        }
        let block = |(node, start): (usize, Given)| {
            (self.nodes[node], Block { start, within: within(node).cloned().unwrap_or_default() })
        };
        Behind { blocks: start.into_iter().enumerate().map(block).collect() }
    }
}

/// Where control may go from a block, in the order of the positions: into the functions that it calls, and to the next
/// ones.
fn ways(program: &Program, taken: &[FuncId], (function, block): Node) -> Vec<(Node, u64)> {
    let mut to = Vec::new();
    let Some(code) = program.functions[function].body.as_ref().map(|b| &b.blocks[block]) else { return to };
    for (index, statement) in (0u32..).zip(&code.statements) {
        let StatementKind::Call(call) = &statement.kind else { continue };
        let here = position(index, 0);
        // Code that is not here may call what it has been handed.
        let any = taken.iter().map(|f| ((*f, BlockId(0)), here));
        match call.callee {
            Callee::Direct(callee) => {
                let callee = resolve(program, callee);
                match program.functions[callee].body {
                    Some(_) => to.push(((callee, BlockId(0)), here)),
                    None => to.extend(any),
                }
            }
            Callee::Indirect(_) => to.extend(any),
        }
    }
    code.terminator.successors(|next| to.push(((function, next), u64::MAX)));
    to
}

/// What lies before obligations, and before calls.
#[derive(Default)]
pub(crate) struct Before {
    pub(crate) obligations: BTreeMap<(FuncId, ObligationId), Given>,
    pub(crate) calls: BTreeMap<Site, Given>,
}

struct Block {
    start: Given,
    within: BTreeMap<u64, Given>,
}

/// By block, what lies before it on some path.
#[derive(Default)]
pub(crate) struct Behind {
    blocks: BTreeMap<Node, Block>,
}

impl Behind {
    /// What lies before the start of a block.
    pub(crate) fn start(&self, node: Node) -> Given {
        self.blocks.get(&node).map_or_else(Given::default, |block| block.start.clone())
    }

    /// What lies before obligations, and before calls.
    pub(crate) fn before(&self, program: &Program) -> Before {
        let mut before = Before::default();
        for (&(function, block), here) in &self.blocks {
            let Some(code) = program.functions[function].body.as_ref().map(|b| &b.blocks[block]) else {
                continue;
            };
            let mut given = here.start.clone();
            let mut parts = here.within.iter().peekable();
            let mut up_to = |position: u64| {
                while let Some((_, part)) = parts.next_if(|(p, _)| **p <= position) {
                    given.add(part);
                }
                given.clone()
            };
            for (index, statement) in (0u32..).zip(&code.statements) {
                let mut obligation = |id: ObligationId| {
                    let given = up_to(position(index, id.0));
                    if !given.is_empty() {
                        before.obligations.entry((function, id)).or_default().add(&given);
                    }
                };
                match &statement.kind {
                    StatementKind::Check { first, count } => {
                        (first.0..first.0 + count).for_each(|id| obligation(ObligationId(id)));
                    }
                    StatementKind::Unordered { obligation: id, .. } => obligation(*id),
                    StatementKind::Call(_) => {
                        let site = Site { function, block, statement: index };
                        let given = up_to(position(index, u32::MAX));
                        if !given.is_empty() {
                            before.calls.insert(site, given);
                        }
                    }
                    _ => {}
                }
            }
        }
        before
    }
}

impl Analyser<'_> {
    /// Spreads what was noted.
    pub(crate) fn behind(&mut self) -> Behind {
        let all = self.transfer.eval.recorder.all_pruned();
        if all.is_empty() {
            return Behind::default();
        }
        self.at_the_end(&all);
        let graph = Graph::new(self);
        graph.spread(&self.transfer.eval.recorder.pruned)
    }

    /// What runs where the program ends.
    fn at_the_end(&mut self, all: &Given) {
        let program = self.transfer.eval.facts.program;
        let mut handlers = !self.transfer.eval.recorder.callbacks.of(false).is_empty();
        for (id, function) in program.functions.iter_enumerated() {
            if function.attributes.destructor.is_some() {
                self.transfer.eval.recorder.pruned.starts.entry((id, BlockId(0))).or_default().add(all);
            }
            handlers |= &*function.name == "atexit";
        }
        if handlers {
            for function in crate::program::call_graph::address_taken(program) {
                let start = (self.transfer.eval.facts.resolve(function), BlockId(0));
                self.transfer.eval.recorder.pruned.starts.entry(start).or_default().add(all);
            }
        }
    }
}

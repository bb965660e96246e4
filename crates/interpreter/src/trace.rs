// SPDX-License-Identifier: MIT OR Apache-2.0
//! Call stacks that objects remember, stored once each.

use clew_base::source::Span;
use clew_ir::syntax::FuncId;
use rustc_hash::FxHashMap;

use crate::memory::TraceId;

/// One function of a call stack: where in it, and who called.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Node {
    /// The function.
    pub function: FuncId,
    /// The call or operation in it.
    pub span: Span,
    /// Its caller's node; zero is none.
    pub caller: u32,
}

/// Call stacks as a tree of shared tails.
#[derive(Debug, Default)]
pub struct Traces {
    nodes: Vec<Node>,
    index: FxHashMap<Node, u32>,
}

/// How many calls of a stack are remembered, from the innermost on.
pub const REMEMBERED: usize = 12;

impl Traces {
    /// Remembers a stack, given outermost first.
    pub fn intern(&mut self, stack: impl Iterator<Item = (FuncId, Span)>) -> TraceId {
        let mut caller = 0;
        for (function, span) in stack {
            let node = Node { function, span, caller };
            caller = *self.index.entry(node).or_insert_with(|| {
                self.nodes.push(node);
                self.nodes.len() as u32
            });
        }
        TraceId(caller)
    }

    /// A remembered stack, innermost first.
    pub fn get(&self, trace: TraceId) -> impl Iterator<Item = (FuncId, Span)> {
        let node = |id: u32| id.checked_sub(1).and_then(|index| self.nodes.get(index as usize).copied());
        std::iter::successors(node(trace.0), move |n| node(n.caller)).map(|n| (n.function, n.span))
    }
}

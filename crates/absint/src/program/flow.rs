// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is known of a function before it is analysed: a weak topological order, live registers, flags.

use std::sync::Arc;

use clew_base::index::{Idx, IndexVec};
pub use clew_ir::analysis::registers::assigned;
use clew_ir::obligation::Condition;
use clew_ir::syntax::{
    Argument, Block, BlockId, Body, ExprId, ExprKind, LocalId, ObligationId, Statement, StatementKind,
    Storage,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// An element of a weak topological order (Bourdoncle): a block, or a loop with its head and the rest of it.
#[derive(Clone, Debug)]
pub enum Component {
    /// A block that is in no loop of its own.
    Block(BlockId),
    /// A loop: the head, then what is inside, in order.
    Loop(BlockId, Vec<Component>),
}

/// A set of registers that live across blocks. Most registers live in one block only: sets have no bit for them, or a
/// large function would need a bit for every register in every block.
#[derive(Clone)]
pub struct Registers {
    bits: Vec<u64>,
    numbers: Arc<Numbers>,
}

/// The registers that live across blocks.
struct Numbers {
    locals: Vec<LocalId>,
    /// The number of each register, by local; the last there is for those that have none.
    of: Vec<u32>,
}

impl Numbers {
    fn new(locals: Vec<LocalId>, count: usize) -> Numbers {
        let mut of = vec![u32::MAX; count];
        for (number, local) in locals.iter().enumerate() {
            of[local.index()] = number as u32;
        }
        Numbers { locals, of }
    }
}

impl Registers {
    fn new(numbers: &Arc<Numbers>) -> Registers {
        Registers { bits: vec![0; numbers.locals.len().div_ceil(64)], numbers: numbers.clone() }
    }
    fn number(&self, local: LocalId) -> Option<usize> {
        self.numbers
            .of
            .get(local.index())
            .filter(|number| **number != u32::MAX)
            .map(|number| *number as usize)
    }
    /// Whether the register is in it.
    pub fn contains(&self, local: LocalId) -> bool {
        self.number(local).is_some_and(|number| self.bits[number / 64] >> (number % 64) & 1 == 1)
    }
    /// All that are in it.
    pub fn iter(&self) -> impl Iterator<Item = LocalId> {
        self.numbers.locals.iter().copied().filter(|local| self.contains(*local))
    }
    /// Adds a register, if it is one that lives across blocks.
    fn insert(&mut self, local: LocalId) {
        if let Some(number) = self.number(local) {
            self.bits[number / 64] |= 1 << (number % 64);
        }
    }
    /// Adds what is in the second and not in the third; whether that is something.
    fn add_without(&mut self, other: &Registers, without: &Registers) -> bool {
        let mut grown = false;
        for ((mine, theirs), not) in self.bits.iter_mut().zip(&other.bits).zip(&without.bits) {
            let added = theirs & !not;
            grown |= added & !*mine != 0;
            *mine |= added;
        }
        grown
    }
}

/// The facts.
pub struct Flow {
    /// The order.
    pub order: Vec<Component>,
    /// The registers that may be read before they are written, at the start of each block.
    pub live: IndexVec<BlockId, Registers>,
    /// Unnamed registers that only ever get constants: the results of `&&`, `||` and `!`. States are kept apart by
    /// them while they are live, so that a test of the flag is a test of what it stands for.
    pub flags: Vec<LocalId>,
    /// For each register, those that are somewhere assigned an expression that reads it.
    pub readers: FxHashMap<LocalId, Vec<LocalId>>,
    /// The registers that an expression reads, by expression, for those that are assigned.
    pub reads: FxHashMap<ExprId, Vec<LocalId>>,
    /// The registers that the place of a load reads, by block and statement.
    pub loads: FxHashMap<(BlockId, u32), Vec<LocalId>>,
    /// Parameters in registers that are never assigned: what a call learns of them, its caller learns.
    pub steady: Vec<LocalId>,
    /// For each loop head, the blocks of its loop.
    pub loops: FxHashMap<BlockId, Vec<BlockId>>,
    /// The heads of loops that are entered beside their heads, too: jumps into a loop, cases inside of one.
    pub irreducible: FxHashSet<BlockId>,
    /// Loads of tables by an index that other tables are read by: a node that is the index.
    pub parallel: FxHashMap<(BlockId, u32), ExprId>,
    /// Loops that look something up, by head: the register that counts.
    pub searches: FxHashMap<BlockId, LocalId>,
    /// For each loop head, the registers that tests in the loop read.
    pub tested: FxHashMap<BlockId, Vec<LocalId>>,
    /// Loops that may have phases, by head: the test that tells them apart.
    pub phases: FxHashMap<BlockId, ExprId>,
}

impl Flow {
    /// Looks at a body.
    pub fn new(body: &Body) -> Flow {
        let order = Order::of(body);
        let mut loops = FxHashMap::default();
        collect_loops(&order, &mut loops);
        let irreducible = irreducible(body, &loops);
        let (readers, reads, loads) = readers(body);
        let steady = steady(body);
        let mut live = liveness(body);
        for set in live.iter_mut() {
            let parameters = (0..body.parameters).map(LocalId);
            let registers = parameters.filter(|local| body.locals[*local].storage == Storage::Register);
            registers.for_each(|local| set.insert(local));
        }
        let parallel = crate::program::partitioning::parallel(body);
        let searches = crate::program::partitioning::searches(body, &loops, &loads);
        let tested = crate::program::partitioning::tested(body, &loops);
        let phases = crate::program::phases::phases(body, &loops);
        let flags = flags(body);
        Flow {
            order,
            live,
            flags,
            readers,
            reads,
            loads,
            loops,
            irreducible,
            searches,
            parallel,
            steady,
            tested,
            phases,
        }
    }
}

fn collect_loops(order: &[Component], loops: &mut FxHashMap<BlockId, Vec<BlockId>>) -> Vec<BlockId> {
    let mut all = Vec::new();
    for component in order {
        match component {
            Component::Block(block) => all.push(*block),
            Component::Loop(head, rest) => {
                let mut inside = vec![*head];
                inside.extend(collect_loops(rest, loops));
                all.extend(&inside);
                loops.insert(*head, inside);
            }
        }
    }
    all
}

/// The heads of loops with an edge from outside to a block that is not the head.
fn irreducible(body: &Body, loops: &FxHashMap<BlockId, Vec<BlockId>>) -> FxHashSet<BlockId> {
    let mut around: FxHashMap<BlockId, Vec<BlockId>> = FxHashMap::default();
    for (head, blocks) in loops {
        blocks.iter().for_each(|block| around.entry(*block).or_default().push(*head));
    }
    let none = Vec::new();
    let mut found = FxHashSet::default();
    for (block, code) in body.blocks.iter_enumerated() {
        let from = around.get(&block).unwrap_or(&none);
        code.terminator.successors(|to| {
            let entered = around.get(&to).into_iter().flatten().filter(|head| !from.contains(head));
            found.extend(entered.filter(|head| **head != to));
        });
    }
    found
}

/// Bourdoncle's algorithm, on a stack of our own: functions may have a hundred thousand blocks.
struct Order {
    successors: IndexVec<BlockId, Vec<BlockId>>,
    number: IndexVec<BlockId, u32>,
    stack: Vec<BlockId>,
    count: u32,
}

const DONE: u32 = u32::MAX;

impl Order {
    fn of(body: &Body) -> Vec<Component> {
        let successors = body.blocks.iter().map(|block| {
            let mut list = Vec::new();
            block.terminator.successors(|next| {
                if !list.contains(&next) {
                    list.push(next);
                }
            });
            list
        });
        let successors: IndexVec<BlockId, Vec<BlockId>> = successors.collect();
        let number = body.blocks.iter().map(|_| 0).collect();
        let mut order = Order { successors, number, stack: Vec::new(), count: 0 };
        let mut result = Vec::new();
        order.visit(BlockId(0), &mut result);
        result.reverse();
        result
    }

    /// Components are pushed in reverse order.
    fn visit(&mut self, root: BlockId, out: &mut Vec<Component>) -> u32 {
        struct Frame {
            block: BlockId,
            next: usize,
            low: u32,
            is_loop: bool,
        }
        let enter = |order: &mut Order, block: BlockId| {
            order.stack.push(block);
            order.count += 1;
            order.number[block] = order.count;
            Frame { block, next: 0, low: order.count, is_loop: false }
        };
        let mut frames = vec![enter(self, root)];
        let mut result = 0;
        while let Some(frame) = frames.last_mut() {
            if let Some(&next) = self.successors[frame.block].get(frame.next) {
                frame.next += 1;
                match self.number[next] {
                    0 => {
                        let entered = enter(self, next);
                        frames.push(entered);
                    }
                    low if low <= frame.low => {
                        frame.low = low;
                        frame.is_loop = true;
                    }
                    _ => {}
                }
                continue;
            }
            let Some(Frame { block, low, is_loop, .. }) = frames.pop() else { break };
            result = low;
            if low == self.number[block] {
                self.number[block] = DONE;
                let mut element = self.stack.pop();
                if is_loop {
                    while let Some(other) = element.filter(|e| *e != block) {
                        self.number[other] = 0;
                        element = self.stack.pop();
                    }
                    let inner = self.component(block);
                    out.push(Component::Loop(block, inner));
                } else {
                    out.push(Component::Block(block));
                }
            }
            if let Some(parent) = frames.last_mut()
                && low <= parent.low
            {
                parent.low = low;
                parent.is_loop = true;
            }
        }
        result
    }

    fn component(&mut self, head: BlockId) -> Vec<Component> {
        let mut inner = Vec::new();
        for next in self.successors[head].clone() {
            if self.number[next] == 0 {
                self.visit(next, &mut inner);
            }
        }
        inner.reverse();
        inner
    }
}

/// The registers that an expression reads.
pub(crate) fn reads_of(body: &Body, root: ExprId, each: &mut impl FnMut(LocalId)) {
    for node in body.expr_nodes(root) {
        if let ExprKind::Local(local) = body.exprs[node].kind {
            each(local);
        }
    }
}

/// The registers that a statement and its obligations read.
fn reads_of_statement(body: &Body, statement: &Statement, each: &mut impl FnMut(LocalId)) {
    let mut roots = Vec::new();
    statement.exprs(|e| roots.push(e));
    if let StatementKind::Check { first, count } = &statement.kind {
        for id in first.0..first.0 + count {
            let condition = &body.obligations[ObligationId(id)].condition;
            condition.exprs(|e| roots.push(e));
            if let Condition::InitialisedLocal(local) = condition {
                each(*local);
            }
        }
    }
    for root in roots {
        reads_of(body, root, each);
    }
}

fn liveness(body: &Body) -> IndexVec<BlockId, Registers> {
    liveness_with(body, &|_, _| {})
}

/// Tells which registers a statement reads beyond those that are in it.
type Extra<'a> = &'a dyn Fn(&Statement, &mut dyn FnMut(LocalId));

/// The registers that may be read before they are written, at the start of each block, where statements read more than
/// they say.
pub fn liveness_with(body: &Body, extra: Extra<'_>) -> IndexVec<BlockId, Registers> {
    // What each block reads before writing, and what it writes.
    let lists: Vec<(Vec<LocalId>, FxHashSet<LocalId>)> =
        body.blocks.iter().map(|block| read_and_written(body, block, extra)).collect();
    let parameters = (0..body.parameters).map(LocalId);
    let mut locals: Vec<LocalId> =
        lists.iter().flat_map(|(read, _)| read).copied().chain(parameters).collect();
    locals.sort_unstable();
    locals.dedup();
    locals.retain(|local| body.locals[*local].storage == Storage::Register);
    let numbers = Arc::new(Numbers::new(locals, body.locals.len()));
    let set = |list: &mut dyn Iterator<Item = LocalId>| {
        let mut set = Registers::new(&numbers);
        list.for_each(|local| set.insert(local));
        set
    };
    let mut live: IndexVec<BlockId, Registers> =
        lists.iter().map(|(read, _)| set(&mut read.iter().copied())).collect();
    let writes: IndexVec<BlockId, Registers> =
        lists.iter().map(|(_, written)| set(&mut written.iter().copied())).collect();
    let predecessors = body.predecessors();
    let mut work: Vec<BlockId> = (0..body.blocks.len()).map(BlockId::new).collect();
    while let Some(block) = work.pop() {
        let coming = live[block].clone();
        for &before in &predecessors[block] {
            if live[before].add_without(&coming, &writes[before]) {
                work.push(before);
            }
        }
    }
    live
}

/// The registers that a block reads before it writes them, and those that it writes.
fn read_and_written(body: &Body, block: &Block, extra: Extra<'_>) -> (Vec<LocalId>, FxHashSet<LocalId>) {
    let (mut read, mut written) = (Vec::new(), FxHashSet::default());
    for statement in &block.statements {
        let mut reads = |local| {
            if !written.contains(&local) {
                read.push(local);
            }
        };
        reads_of_statement(body, statement, &mut reads);
        extra(statement, &mut reads);
        written.extend(assigned(statement));
    }
    let mut roots = Vec::new();
    block.terminator.exprs(|e| roots.push(e));
    for root in roots {
        reads_of(body, root, &mut |local| {
            if !written.contains(&local) {
                read.push(local);
            }
        });
    }
    (read, written)
}

fn steady(body: &Body) -> Vec<LocalId> {
    let statements = body.blocks.iter().flat_map(|b| &b.statements);
    let assigned_to: FxHashSet<LocalId> = statements.filter_map(assigned).collect();
    let parameters = (0..body.parameters).map(LocalId);
    parameters.filter(|l| body.locals[*l].storage == Storage::Register && !assigned_to.contains(l)).collect()
}

fn flags(body: &Body) -> Vec<LocalId> {
    let mut constant: IndexVec<LocalId, Option<bool>> = body.locals.iter().map(|_| None).collect();
    for statement in body.blocks.iter().flat_map(|b| &b.statements) {
        if let Some(local) = assigned(statement) {
            let is_constant = match &statement.kind {
                StatementKind::Assign { value, .. } => {
                    matches!(body.exprs[*value].kind, ExprKind::Int(0 | 1))
                }
                _ => false,
            };
            constant[local] = Some(constant[local].unwrap_or(true) && is_constant);
        }
    }
    let is_flag = |local: LocalId| {
        local.0 >= body.parameters && body.locals[local].name.is_none() && constant[local] == Some(true)
    };
    (0..body.locals.len()).map(LocalId::new).filter(|local| is_flag(*local)).collect()
}

fn value_of(argument: &Argument) -> Option<ExprId> {
    match argument {
        Argument::Value(expr) => Some(*expr),
        Argument::Object(_) => None,
    }
}

type Readers = (
    FxHashMap<LocalId, Vec<LocalId>>,
    FxHashMap<ExprId, Vec<LocalId>>,
    FxHashMap<(BlockId, u32), Vec<LocalId>>,
);

fn readers(body: &Body) -> Readers {
    let mut readers: FxHashMap<LocalId, Vec<LocalId>> = FxHashMap::default();
    let mut note = |roots: &[ExprId], local: LocalId| {
        let mut found = Vec::new();
        roots.iter().for_each(|root| reads_of(body, *root, &mut |read| found.push(read)));
        for read in &found {
            let list = readers.entry(*read).or_default();
            if !list.contains(&local) {
                list.push(local);
            }
        }
        found
    };
    let mut reads: FxHashMap<ExprId, Vec<LocalId>> = FxHashMap::default();
    let mut loads = FxHashMap::default();
    for (block, code) in body.blocks.iter_enumerated() {
        for (index, statement) in code.statements.iter().enumerate() {
            match &statement.kind {
                StatementKind::Assign { local, value } => {
                    reads.insert(*value, note(&[*value], *local));
                }
                // A call may return one of its arguments: see `Definition::Parameter`.
                StatementKind::Call(call) => {
                    let Some(local) = assigned(statement) else { continue };
                    for expr in call.arguments.iter().filter_map(value_of) {
                        reads.insert(expr, note(&[expr], local));
                    }
                }
                StatementKind::Load { local, .. } => {
                    let mut roots = Vec::new();
                    statement.exprs(|e| roots.push(e));
                    loads.insert((block, index as u32), note(&roots, *local));
                }
                _ => {}
            }
        }
    }
    for (local, from) in copies(body) {
        // The copy may take over what its source is defined as.
        for list in readers.values_mut() {
            if list.contains(&from) && !list.contains(&local) {
                list.push(local);
            }
        }
    }
    (readers, reads, loads)
}

/// Registers that are assigned from other registers as they are.
fn copies(body: &Body) -> Vec<(LocalId, LocalId)> {
    let statements = body.blocks.iter().flat_map(|b| &b.statements);
    let copied = statements.filter_map(|statement| match statement.kind {
        StatementKind::Assign { local, value } => match body.exprs[value].kind {
            ExprKind::Local(from) if from != local => Some((local, from)),
            _ => None,
        },
        _ => None,
    });
    copied.collect()
}

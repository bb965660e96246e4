// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a path of a program computes: a hash-consed expression over the inputs.
//!
//! A node stands for one operation of the machine and for the operation on reals that it is meant to be. Equal
//! operations on equal operands are one node: the machine rounds them to the same number, so their error counts once.

use clew_base::float::Format;
use clew_base::index::IndexVec;
use clew_base::index_types;
use clew_base::source::Span;
use rustc_hash::FxHashMap;

use crate::constant::Constant;
use crate::functions::{Binary, Unary};
use crate::interval::Interval;

index_types! {
    /// A node of the expression.
    NodeId = "n";
    /// An input of the kernel.
    InputId = "x";
    /// A known number of the kernel.
    ConstantId = "c";
}

/// What a node computes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Op {
    /// An input.
    Input(InputId),
    /// A known number.
    Constant(ConstantId),
    /// The sign flipped; exact.
    Neg(NodeId),
    /// The magnitude; exact.
    Abs(NodeId),
    /// The sum.
    Add(NodeId, NodeId),
    /// The difference.
    Sub(NodeId, NodeId),
    /// The product.
    Mul(NodeId, NodeId),
    /// The quotient.
    Div(NodeId, NodeId),
    /// The square root, correctly rounded.
    Sqrt(NodeId),
    /// `a * b + c`, rounded once.
    Fma(NodeId, NodeId, NodeId),
    /// The number in another format.
    Convert(NodeId),
    /// The lesser; exact.
    Min(NodeId, NodeId),
    /// The greater; exact.
    Max(NodeId, NodeId),
    /// A whole number near: exact, but it jumps.
    Whole(Whole, NodeId),
    /// A function of libm.
    Unary(Unary, NodeId),
    /// A function of libm.
    Binary(Binary, NodeId, NodeId),
}

/// Which whole number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Whole {
    /// The greatest that is not above.
    Floor,
    /// The least that is not below.
    Ceil,
    /// Towards zero.
    Trunc,
    /// To nearest, ties away from zero.
    Round,
    /// To nearest, ties to even.
    Even,
}

impl Whole {
    /// On numbers.
    pub fn of(self, x: f64) -> f64 {
        match self {
            Whole::Floor => x.floor(),
            Whole::Ceil => x.ceil(),
            Whole::Trunc => x.trunc(),
            Whole::Round => x.round(),
            Whole::Even => x.round_ties_even(),
        }
    }
}

/// What a node's values are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Sort {
    /// Floats of a format.
    Float(Format),
    /// Integers, in a range in which they do not wrap: operations are exact.
    Integer,
}

/// A node.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    /// What it computes.
    pub op: Op,
    /// What its values are.
    pub sort: Sort,
    /// Where it first stands in the source.
    pub span: Span,
}

/// An input: its name and what is known of it.
#[derive(Clone, PartialEq, Debug)]
pub struct Input {
    /// As the user names it: `x`, `a[3]`.
    pub name: String,
    /// Float or integer.
    pub sort: Sort,
    /// Its numbers.
    pub range: Interval,
    /// Whether somebody said so, rather than the type.
    pub is_given: bool,
    /// How far the machine's number may be from the real one, besides rounding.
    pub error: f64,
    /// Whether it is a real that is rounded, rather than a float.
    pub is_rounded: bool,
    /// Whether it is no input of the program, but stands for what several ways lead to.
    pub is_joined: bool,
}

/// The nodes of a kernel, operands first.
#[derive(Clone, Default, Debug)]
pub struct Dag {
    /// The nodes.
    pub nodes: IndexVec<NodeId, Node>,
    /// The inputs.
    pub inputs: IndexVec<InputId, Input>,
    /// The known numbers.
    pub constants: IndexVec<ConstantId, Constant>,
    known: FxHashMap<(Op, Sort), NodeId>,
    numbers: FxHashMap<(Format, u128, String), ConstantId>,
}

impl Dag {
    /// No nodes yet over these inputs.
    pub fn over(inputs: IndexVec<InputId, Input>) -> Dag {
        Dag { inputs, ..Dag::default() }
    }

    /// The node of an operation.
    pub fn node(&mut self, op: Op, sort: Sort, span: Span) -> NodeId {
        let nodes = &mut self.nodes;
        *self.known.entry((op, sort)).or_insert_with(|| nodes.push(Node { op, sort, span }))
    }

    /// The node of a known number.
    pub fn constant(&mut self, constant: &Constant, span: Span) -> NodeId {
        let machine = constant.machine;
        let key = (machine.format(), machine.to_bits(), format!("{:?}", constant.real));
        let constants = &mut self.constants;
        let id = *self.numbers.entry(key).or_insert_with(|| constants.push(constant.clone()));
        self.node(Op::Constant(id), Sort::Float(machine.format()), span)
    }

    /// The node of a known integer.
    pub fn integer(&mut self, constant: &Constant, span: Span) -> NodeId {
        let key = (Format::F128, constant.machine.to_bits(), format!("integer {:?}", constant.real));
        let constants = &mut self.constants;
        let id = *self.numbers.entry(key).or_insert_with(|| constants.push(constant.clone()));
        self.node(Op::Constant(id), Sort::Integer, span)
    }

    /// The node of an input.
    pub fn input(&mut self, id: InputId, span: Span) -> NodeId {
        let sort = self.inputs[id].sort;
        self.node(Op::Input(id), sort, span)
    }

    /// Forgets nodes and inputs from these on, to which nothing refers.
    pub(crate) fn truncate(&mut self, nodes: usize, inputs: usize) {
        for node in self.nodes.iter().skip(nodes) {
            self.known.remove(&(node.op, node.sort));
        }
        self.nodes.truncate(nodes);
        self.inputs.truncate(inputs);
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }
}

impl Op {
    /// Its operands.
    pub fn operands(self) -> impl Iterator<Item = NodeId> {
        let (a, b, c) = match self {
            Op::Input(_) | Op::Constant(_) => (None, None, None),
            Op::Neg(a) | Op::Abs(a) | Op::Sqrt(a) | Op::Convert(a) | Op::Whole(_, a) | Op::Unary(_, a) => {
                (Some(a), None, None)
            }
            Op::Add(a, b) | Op::Sub(a, b) | Op::Mul(a, b) | Op::Div(a, b) | Op::Min(a, b) | Op::Max(a, b) => {
                (Some(a), Some(b), None)
            }
            Op::Binary(_, a, b) => (Some(a), Some(b), None),
            Op::Fma(a, b, c) => (Some(a), Some(b), Some(c)),
        };
        [a, b, c].into_iter().flatten()
    }

    /// The same operation on other operands.
    pub fn mapped(self, at: impl Fn(NodeId) -> NodeId) -> Op {
        match self {
            Op::Input(_) | Op::Constant(_) => self,
            Op::Neg(a) => Op::Neg(at(a)),
            Op::Abs(a) => Op::Abs(at(a)),
            Op::Add(a, b) => Op::Add(at(a), at(b)),
            Op::Sub(a, b) => Op::Sub(at(a), at(b)),
            Op::Mul(a, b) => Op::Mul(at(a), at(b)),
            Op::Div(a, b) => Op::Div(at(a), at(b)),
            Op::Sqrt(a) => Op::Sqrt(at(a)),
            Op::Fma(a, b, c) => Op::Fma(at(a), at(b), at(c)),
            Op::Convert(a) => Op::Convert(at(a)),
            Op::Min(a, b) => Op::Min(at(a), at(b)),
            Op::Max(a, b) => Op::Max(at(a), at(b)),
            Op::Whole(whole, a) => Op::Whole(whole, at(a)),
            Op::Unary(function, a) => Op::Unary(function, at(a)),
            Op::Binary(function, a, b) => Op::Binary(function, at(a), at(b)),
        }
    }
}

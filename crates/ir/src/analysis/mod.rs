// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the shape of a program says, whatever its values: each question answered once, for all engines.
//!
//! Everything here runs without recursion, since functions may have a hundred thousand blocks, and gives the same answer
//! on every machine: lists are in order.
//!
//! - `graph`: successors and reachability; `components`: strongly connected components
//! - `order`: the order in which blocks run; `dominators`, `control`: what every run passes, and which branch decides
//! - `alias`, `calls`: what a name stands for, and which functions call which
//! - `registers`: which registers a statement writes

pub mod alias;
pub mod calls;
pub mod components;
pub mod control;
pub mod dominators;
pub mod graph;
pub mod order;
pub mod registers;

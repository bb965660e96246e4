// SPDX-License-Identifier: MIT OR Apache-2.0
//! The intermediate representation: its types, and what is done to it without running it.

pub mod analysis;
mod compare;
pub mod declared;
pub mod emit_c;
pub mod environment;
pub mod fact;
pub mod hardware;
pub mod hash;
pub mod head;
pub mod interrupt;
pub mod link;
pub mod location;
pub mod nondet;
pub mod obligation;
pub mod out_parameters;
pub mod reach;
pub mod renumber;
pub mod stable;
pub mod stack;
pub mod syntax;
pub mod text;
pub mod total_division;
pub mod type_fingerprint;
pub mod types;
pub mod verdict;
pub mod verify;
pub mod visit;
pub mod volatile_inputs;
pub mod witness;

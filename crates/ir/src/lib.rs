// SPDX-License-Identifier: MIT OR Apache-2.0
//! The intermediate representation: its types, and what is done to it without running it.

pub mod analysis;
pub mod declared;
pub mod divisors;
pub mod drawn;
pub mod emit_c;
pub mod environment;
pub mod fact;
pub mod handed;
pub mod hardware;
pub mod hash;
pub mod head;
pub mod interrupt;
pub mod link;
pub mod location;
pub mod looks;
pub mod obligation;
pub mod reach;
pub mod sensor;
pub mod stable;
pub mod stack;
pub mod syntax;
pub mod text;
pub mod types;
pub mod verdict;
pub mod verify;
pub mod visit;
pub mod witness;

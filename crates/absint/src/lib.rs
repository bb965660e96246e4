// SPDX-License-Identifier: MIT OR Apache-2.0
//! Abstract interpretation: proofs by computing with sets of values instead of values.

pub mod domain;

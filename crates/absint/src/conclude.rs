// SPDX-License-Identifier: MIT OR Apache-2.0
//! From what was recorded to what is said of obligations: the rounds of an analysis, what proofs rest on, what is left at the end.

pub(crate) mod enough;
pub(crate) mod findings;
pub(crate) mod leak;
pub(crate) mod pruned_paths;
pub(crate) mod rounds;
#[cfg(test)]
mod toy_domain_test;

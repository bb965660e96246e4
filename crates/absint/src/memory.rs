// SPDX-License-Identifier: MIT OR Apache-2.0
//! Objects as they are at one point of a run: what stands in them, how long they are and live, and which of them were looked
//! at. It knows values (`domain`), not how programs change them.

pub(crate) mod array_segment;
pub(crate) mod bit_fields;
pub(crate) mod clocked;
pub(crate) mod contents;
pub(crate) mod encoding;
pub(crate) mod extent;
pub(crate) mod footprint;
pub(crate) mod nul_position;
pub(crate) mod object;
pub(crate) mod recorded;

// SPDX-License-Identifier: MIT OR Apache-2.0
//! What people and programs are shown, one file a format.
//!
//! Input is plain values: a [`Message`] about a place, or a [`Report`] about a program. This crate knows no engine,
//! no front end and no terminal; what it renders it returns as text.

pub mod codeclimate;
pub mod exceptions;
pub mod finding;
pub mod findings;
pub mod fixed;
pub mod gcc;
mod given_lists;
pub mod json;
pub mod listing;
pub mod message;
pub mod model;
pub mod obligations;
pub mod page;
pub mod precision;
pub mod question;
pub mod sarif;
pub mod slice;
mod snippet;
mod summary;
pub mod text;
mod wrap;

pub use finding::{Finding, Frame, Step};
pub use message::{Level, Message, Note};
pub use model::{Coverage, Effort, Invariant, Program, Report, Row, Slice, SliceLine, Suppression, Tried};
pub use text::Style;

// SPDX-License-Identifier: MIT OR Apache-2.0
//! C in: the only crate that knows rucc.
//!
//! [`parse_unit`] takes a [`Command`] (a file and its flags) to a [`Unit`]: rucc's typed tree with the types,
//! names, files and spans that lowering needs.

mod args;
mod attributes;
mod blocks;
pub mod cmdline;
pub mod command;
pub mod compdb;
pub mod diagnostic;
pub mod dwarf;
pub mod files;
mod flags;
mod foreign;
mod generic;
mod initialisers;
pub mod judge;
pub mod layout;
pub mod library;
mod limits;
pub mod lower;
mod messages;
mod predefined;
pub mod probe;
mod promises;
mod settings;
mod spans;
mod tree;
pub mod unit;
mod universal;

pub use cmdline::CommandLine;
pub use command::{Command, Language, Semantics};
pub use compdb::{Project, read_project};
pub use diagnostic::{Diagnostic, Diagnostics, Severity};
pub use files::{DiskFiles, Files};
pub use unit::{Unit, parse_unit, parse_unit_with_tokens};

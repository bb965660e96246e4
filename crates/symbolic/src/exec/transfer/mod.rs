// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the parts of a program do to a state.
//!
//! - `arithmetic`, `raise`: numbers; `expression`, `pointer`, `condition`: values and obligations; `prune`: what a check
//!   that holds says
//! - `storage`, `access`, `bulk`: objects, loads, stores and copies; `uninitialised`: what was never written; `leak`: what still lives
//! - `statement`, `intrinsic`, `call`, `out_parameters`: statements; `start`, `arguments`, `external_text`: what comes from outside

pub(crate) mod access;
pub(crate) mod arguments;
pub(crate) mod arithmetic;
pub(crate) mod bulk;
pub(crate) mod call;
pub(crate) mod condition;
pub(crate) mod expression;
pub(crate) mod external_text;
pub(crate) mod intrinsic;
pub(crate) mod leak;
pub(crate) mod out_parameters;
pub(crate) mod pointer;
pub(crate) mod prune;
pub(crate) mod raise;
pub(crate) mod start;
pub(crate) mod statement;
pub(crate) mod storage;
pub(crate) mod uninitialised;

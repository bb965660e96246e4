// SPDX-License-Identifier: MIT OR Apache-2.0
//! The C library of the interpreter: real files, the host's libm, glibc's behaviour in the C locale.
//!
//! One file a header, each with a table from names to functions. They see the machine only through
//! [`NativeCtx`]; what they keep between calls is in [`State`]. They share nothing with the C models in
//! `models/libc`, which speak to the engines: two independent statements of what the library does.

mod args;
mod calendar;
mod closed;
mod closed_files;
mod context;
mod ctype;
mod descriptors;
mod dirent;
mod environment;
mod errno;
mod fcntl;
mod fenv;
mod format;
mod getopt;
mod globals;
mod locale;
mod malloc;
mod math;
mod misc;
mod number;
mod printf;
mod pthread;
mod random;
mod scanf;
mod search;
mod signal;
mod socket;
mod stat;
mod state;
mod stdio;
mod stdio_files;
mod stdlib;
mod stream;
mod string;
mod string_copy;
mod string_find;
mod strtod;
mod time;
mod timezone;
mod unistd;
mod wchar;
mod wchar_io;

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use crate::host::Host;
use crate::native::Native;

pub use globals::external_global;
pub use state::State;

/// A header's functions by name.
type Table = &'static [(&'static str, Native)];

const TABLES: &[Table] = &[
    ctype::TABLE,
    dirent::TABLE,
    environment::TABLE,
    fcntl::TABLE,
    fenv::TABLE,
    getopt::TABLE,
    locale::TABLE,
    malloc::TABLE,
    math::TABLE,
    misc::TABLE,
    printf::TABLE,
    pthread::TABLE,
    scanf::TABLE,
    search::TABLE,
    signal::TABLE,
    socket::TABLE,
    stat::TABLE,
    stdio::TABLE,
    stdio_files::TABLE,
    stdlib::TABLE,
    string::TABLE,
    string_copy::TABLE,
    string_find::TABLE,
    strtod::TABLE,
    time::TABLE,
    unistd::TABLE,
    wchar::TABLE,
    wchar_io::TABLE,
];

static FUNCTIONS: LazyLock<FxHashMap<&'static str, Native>> =
    LazyLock::new(|| TABLES.iter().flat_map(|table| table.iter().copied()).collect());

/// The library's function of that name. `__builtin_memcpy` is `memcpy`, and all of libm is here under its names.
pub fn lookup(name: &str) -> Option<Native> {
    let plain = name.strip_prefix("__builtin_").unwrap_or(name);
    FUNCTIONS.get(plain).copied().or_else(|| math::lookup(plain))
}

/// The library's function of that name under a host that is all there is outside.
pub fn lookup_closed(name: &str) -> Option<Native> {
    let plain = name.strip_prefix("__builtin_").unwrap_or(name);
    let own = closed::TABLE.iter().chain(socket::CLOSED).find(|(name, _)| *name == plain);
    own.map(|(_, native)| *native).or_else(|| lookup(name))
}

/// Sends all buffered output on its way, as `exit` does.
pub fn flush_all(state: &mut State, host: &mut dyn Host) {
    state.flush_all(host);
}

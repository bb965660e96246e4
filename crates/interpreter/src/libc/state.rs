// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the library keeps between calls.

use clew_ir::syntax::FuncId;
use rustc_hash::FxHashMap;

use super::descriptors::{Descriptors, Files};
use super::dirent::Directory;
use super::random::{Additive, Congruential, Drawn};
use super::stream::Stream;
use super::timezone::Zone;
use crate::host::Host;
use crate::value::Pointer;

/// What the library keeps between calls.
#[derive(Default)]
pub struct State {
    descriptors: Option<Descriptors>,
    /// Open streams by the address of their `FILE`, in the order they were opened.
    pub(super) streams: Vec<(u64, Stream)>,
    /// The `FILE` objects of stdin, stdout and stderr.
    pub(super) standard: Option<[Pointer; 3]>,
    /// Variables of the library that the program sees, by name.
    pub(super) globals: FxHashMap<&'static str, Pointer>,
    /// Objects the library owns, by purpose.
    pub(super) statics: FxHashMap<&'static str, Pointer>,
    /// Texts of error numbers.
    pub(super) messages: FxHashMap<i32, Pointer>,
    /// Where `strtok` goes on.
    pub(super) strtok: Pointer,
    pub(super) random: Additive,
    pub(super) congruential: Congruential,
    /// Numbers of `rand` that came from the host.
    pub(super) drawn: Drawn,
    /// What clocks that never go back showed last, by their numbers.
    pub(super) clocks: FxHashMap<i32, i64>,
    /// The zone and the value of `TZ` it was made for.
    pub(super) zone: Option<(Option<Vec<u8>>, Zone)>,
    /// Abbreviations of zones as strings of the program's memory.
    pub(super) zone_names: Vec<(String, Pointer)>,
    /// Names that the program opened, under a closed host.
    pub(super) named: Vec<super::closed_files::Named>,
    /// What of the environment is the program's doing.
    pub(super) environment: super::environment::Changed,
    pub(super) directories: FxHashMap<u64, Directory>,
    /// Handlers that `signal` and `sigaction` recorded.
    pub(super) handlers: FxHashMap<i32, Pointer>,
    /// Where `getopt` stands inside a group of options.
    pub(super) getopt: super::getopt::Progress,
    /// Limits and gaps that were said already.
    pub(super) said: Vec<&'static str>,
    /// Memory behind `open_memstream` streams, by the address of their `FILE`.
    pub(super) memory_streams: FxHashMap<u64, (Pointer, Pointer)>,
    /// Exceptions that `feraiseexcept` raised.
    pub(super) raised: u32,
    /// Functions of libm that the program called.
    pub(super) libm: FxHashMap<FuncId, super::math::MathFunction>,
    /// Values of thread-specific keys.
    pub(super) thread_values: Vec<Pointer>,
}

impl State {
    /// The descriptors, which start with the standard ones.
    pub(super) fn descriptors(&mut self, host: &dyn Host) -> &mut Descriptors {
        self.descriptors.get_or_insert_with(|| Descriptors::standard(host))
    }

    /// A stream and the files it works with.
    pub(super) fn stream_and_files<'a>(
        &'a mut self,
        host: &'a mut dyn Host,
        address: u64,
    ) -> Option<(&'a mut Stream, Files<'a>)> {
        let table = self.descriptors.get_or_insert_with(|| Descriptors::standard(host));
        let stream = self.streams.iter_mut().find(|(at, _)| *at == address)?;
        Some((&mut stream.1, Files { table, host }))
    }

    /// Sends all buffered output on its way.
    pub(super) fn flush_all(&mut self, host: &mut dyn Host) -> bool {
        let table = self.descriptors.get_or_insert_with(|| Descriptors::standard(host));
        let mut files = Files { table, host };
        let mut good = true;
        for (_, stream) in &mut self.streams {
            if stream.has_pending_output() {
                good &= stream.flush_output(&mut files).is_ok();
            }
        }
        good
    }
}

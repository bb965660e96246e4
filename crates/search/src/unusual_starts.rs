// SPDX-License-Identifier: MIT OR Apache-2.0
//! Starts that few users think of: no arguments at all, a program by another name, an environment of any strings.
//!
//! They come last, whatever else was tried: a violation that an ordinary start shows too is told by that one.

use clew_ir::environment;

use crate::effort::{MOST_LITERALS, MOST_VARIABLES};
use crate::engine::Engine;
use crate::tape::Tape;

impl Engine<'_> {
    /// Whether the program can see its whole environment.
    pub fn sees_environment(&self) -> bool {
        environment::is_seen(self.program)
    }

    /// Runs them all, as there are few: nobody else would.
    pub(crate) fn unusual_starts(&mut self) {
        let mut starts = Vec::new();
        if self.takes_arguments() {
            starts.push(Tape { is_bare: true, ..Tape::default() });
            starts.extend(self.names().map(|name| Tape { name: Some(name), ..Tape::default() }));
        }
        if self.sees_environment() {
            starts.extend(self.environments().map(|environment| Tape { environment, ..Tape::default() }));
        }
        for start in starts {
            if self.is_cancelled() || self.has_all() {
                return;
            }
            self.run(&start);
        }
    }

    fn literals(&self) -> Vec<Vec<u8>> {
        let marks = self.values.marks().into_iter().map(|mark| vec![mark]);
        let all = self.values.strings.iter().cloned().chain(marks);
        all.filter(|text| !text.contains(&0)).take(MOST_LITERALS).collect()
    }

    fn names(&self) -> impl Iterator<Item = Vec<u8>> {
        let usual = ["", "/", "/program", "./program", "-program"].map(|text| text.as_bytes().to_vec());
        usual.into_iter().chain(self.literals()).chain([vec![b'A'; 300]])
    }

    fn environments(&self) -> impl Iterator<Item = Vec<Vec<u8>>> {
        let variable = |number: usize| format!("V{number}={number}").into_bytes();
        let many = (1..=MOST_VARIABLES).map(move |count| (0..count).map(variable).collect());
        let odd = ["", "=", "A"].map(|text| vec![text.as_bytes().to_vec()]);
        let mentioned = self.literals().into_iter().flat_map(|text| {
            let set = [&text[..], b"=1"].concat();
            [vec![text], vec![set]]
        });
        many.chain(odd).chain(mentioned)
    }
}

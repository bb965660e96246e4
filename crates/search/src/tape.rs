// SPDX-License-Identifier: MIT OR Apache-2.0
//! All inputs of a run before it starts, and the host that plays them and writes down what was asked.

use std::io;

use clew_interpreter::closed::PROGRAM_NAME;
use clew_interpreter::host::{Host, InputQuery};
use clew_ir::types::Class;
use clew_ir::witness::InputKind;

use crate::effort::{MOST_CHOSEN_OBJECTS, MOST_KEPT_NUMBERS};
use crate::out_parameter_texts::Text;
use crate::uninitialised::Filling;
use crate::values::Values;

/// What a run is given.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Tape {
    /// Numbers in the order in which they are asked for: calls, clocks and, if `is_random`, random numbers.
    pub numbers: Vec<u128>,
    /// Where further numbers come from.
    pub rest: Rest,
    /// Whether random numbers are among the inputs; else they are those of the library's generator.
    pub is_random: bool,
    /// The arguments of `main` behind the program's name.
    pub arguments: Vec<Vec<u8>>,
    /// The program's name; none: the usual one.
    pub name: Option<Vec<u8>>,
    /// Whether `main` gets no arguments at all, not even the program's name.
    pub is_bare: bool,
    /// The strings of the environment before anything is asked of it.
    pub environment: Vec<Vec<u8>>,
    /// What standard input holds.
    pub stdin: Vec<u8>,
    /// The value of every variable of the environment that is asked for; none: there is none.
    pub variable: Option<Vec<u8>>,
    /// What every file holds that is opened; none: there is no file.
    pub file: Option<Vec<u8>>,
    /// What comes over every connection; none: there is no network.
    pub network: Option<Vec<u8>>,
    /// The text by which the system answers every function; none: it has no answer.
    pub system: Option<Vec<u8>>,
    /// The allocation that fails, from 0 on.
    pub failing: Option<u64>,
    /// What new objects hold before anything is written there, in the order in which they are made.
    pub unwritten: Vec<Vec<u8>>,
    /// What further ones hold.
    pub filling: Filling,
}

/// Numbers behind the end of a tape.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Rest {
    /// Zeroes.
    #[default]
    Zero,
    /// One special value of the type, by its number.
    Special(usize),
    /// Any, by a seed.
    Noise(u64),
    /// What functions without a body write is texts, by a seed; the rest is zero.
    Texts(u64),
}

/// A number that was asked for.
#[derive(Clone, PartialEq, Debug)]
pub struct Asked {
    /// By what.
    pub kind: InputKind,
    /// By whom.
    pub name: String,
    /// As what it is read.
    pub class: Class,
    /// What it was.
    pub bits: u128,
}

/// What a run asked for.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Log {
    /// The numbers.
    pub numbers: Vec<Asked>,
    /// Whether more were asked than are kept, and not only zeros: no witness can be made of them.
    pub is_cut: bool,
    /// Whether random numbers were asked for.
    pub random: bool,
    /// Bytes of standard input that were read.
    pub stdin_read: usize,
    /// Whether standard input was read, to its end or not.
    pub stdin: bool,
    /// Variables of the environment, each once.
    pub variables: Vec<Vec<u8>>,
    /// Files that were opened for reading, each once.
    pub files: Vec<Vec<u8>>,
    /// Whether the network was asked for.
    pub network: bool,
    /// Functions that the system was to answer, each once.
    pub system: Vec<String>,
    /// Allocations that were made: the name of the function for each.
    pub allocations: Vec<String>,
    /// Objects that were made, with what they held before anything was written there: only if the tape says that.
    pub unwritten: Vec<(String, Vec<u8>)>,
}

/// What a text is as an argument or in the environment: nobody can pass a zero byte inside of one.
pub fn until_zero(text: &[u8]) -> &[u8] {
    text.split(|byte| *byte == 0).next().unwrap_or_default()
}

/// Plays a tape.
pub struct Player<'a> {
    tape: &'a Tape,
    values: &'a Values,
    /// What was asked for.
    pub log: Log,
    count: usize,
    text: Text,
}

impl Tape {
    /// What `main` gets as `argv`.
    pub fn all_arguments(&self) -> Vec<Vec<u8>> {
        if self.is_bare {
            return Vec::new();
        }
        let name = self.name.as_deref().unwrap_or(PROGRAM_NAME);
        let all = std::iter::once(name).chain(self.arguments.iter().map(Vec::as_slice));
        all.map(|text| until_zero(text).to_vec()).collect()
    }

    /// What `environ` leads to.
    pub fn all_variables(&self) -> Vec<Vec<u8>> {
        self.environment.iter().map(|text| until_zero(text).to_vec()).collect()
    }
}

impl<'a> Player<'a> {
    /// At the start of a tape.
    pub fn new(tape: &'a Tape, values: &'a Values) -> Player<'a> {
        Player { tape, values, log: Log::default(), count: 0, text: Text::default() }
    }

    fn number(&mut self, query: &InputQuery<'_>) -> u128 {
        let index = self.count;
        self.count += 1;
        let bits = match self.tape.numbers.get(index) {
            Some(bits) => *bits,
            None => match self.tape.rest {
                Rest::Texts(seed) => self.text.number(seed, index, query),
                rest => self.values.rest(rest, query.class, index),
            },
        };
        let bits = query.fitting(bits);
        if self.log.numbers.len() < MOST_KEPT_NUMBERS {
            let (kind, name, class) = (query.kind, query.name.to_owned(), query.class);
            self.log.numbers.push(Asked { kind, name, class, bits });
        } else {
            // Behind the end of a witness there are zeros.
            self.log.is_cut |= bits != 0;
        }
        bits
    }
}

impl Host for Player<'_> {
    fn read_stdin(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.log.stdin = true;
        let left = &self.tape.stdin[self.log.stdin_read..];
        let count = left.len().min(buffer.len());
        buffer[..count].copy_from_slice(&left[..count]);
        self.log.stdin_read += count;
        Ok(count)
    }

    fn write_stdout(&mut self, _: &[u8]) -> io::Result<()> {
        Ok(())
    }

    fn write_stderr(&mut self, _: &[u8]) -> io::Result<()> {
        Ok(())
    }

    fn answer(&mut self, query: &InputQuery<'_>) -> Option<u128> {
        match query.kind {
            InputKind::Allocation => {
                let number = self.log.allocations.len();
                if number < MOST_KEPT_NUMBERS {
                    self.log.allocations.push(query.name.to_owned());
                }
                Some(u128::from(self.tape.failing != Some(number as u64)))
            }
            InputKind::Random => {
                self.log.random = true;
                self.tape.is_random.then(|| self.number(query))
            }
            _ => Some(self.number(query)),
        }
    }

    fn is_closed(&self) -> bool {
        true
    }

    fn says_unwritten(&self) -> bool {
        self.tape.filling != Filling::Dull || self.log.unwritten.len() < self.tape.unwritten.len()
    }

    fn unwritten(&mut self, name: &str, size: u64) -> Option<Vec<u8>> {
        let number = self.log.unwritten.len();
        if !self.says_unwritten() || number >= MOST_CHOSEN_OBJECTS {
            return None;
        }
        let bytes = match self.tape.unwritten.get(number) {
            Some(bytes) => bytes.clone(),
            None => self.tape.filling.bytes(self.values, number, size),
        };
        self.log.unwritten.push((name.to_owned(), bytes.clone()));
        Some(bytes)
    }

    fn network(&mut self) -> Option<Vec<u8>> {
        self.log.network = true;
        self.tape.network.clone()
    }

    fn system(&mut self, function: &str) -> Option<Vec<u8>> {
        if !self.log.system.iter().any(|known| known == function) {
            self.log.system.push(function.to_owned());
        }
        self.tape.system.clone()
    }

    fn file(&mut self, path: &[u8]) -> Option<Vec<u8>> {
        if !self.log.files.iter().any(|known| known == path) {
            self.log.files.push(path.to_vec());
        }
        self.tape.file.clone()
    }

    fn variable(&mut self, name: &[u8]) -> Option<Vec<u8>> {
        // What was asked for before is there, unless the program took it away.
        if self.log.variables.iter().any(|known| known == name) {
            return None;
        }
        self.log.variables.push(name.to_vec());
        self.tape.variable.as_deref().map(|text| until_zero(text).to_vec())
    }
}

impl Log {
    /// Whether anything but the program itself decided what happened.
    pub fn asks_anything(&self) -> bool {
        let texts = self.stdin || !self.variables.is_empty() || !self.files.is_empty();
        let texts = texts || self.network || !self.system.is_empty();
        texts || !self.numbers.is_empty() || self.random || !self.allocations.is_empty()
    }
}

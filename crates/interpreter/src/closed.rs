// SPDX-License-Identifier: MIT OR Apache-2.0
//! A run as a function of a witness: everything that the program learns from outside stands in the witness, and what
//! does not stand there is as dull as can be (zeroes, no arguments, no files, allocations that succeed).

use std::collections::VecDeque;
use std::io::{self, Read};

use clew_ir::syntax::Program;
use clew_ir::witness::{InputKind, VERSION, Witness, WitnessError};

use crate::host::{Host, InputQuery};
use crate::outcome::{Options, Outcome};

/// What the program is called unless a witness says otherwise.
pub const PROGRAM_NAME: &[u8] = b"program";

/// A host that plays a witness.
#[derive(Clone, Debug, Default)]
pub struct Closed {
    /// The arguments of `main`, with the program's name.
    pub arguments: Vec<Vec<u8>>,
    /// The strings of the environment.
    pub environment: Vec<Vec<u8>>,
    /// What the program wrote to standard output.
    pub stdout: Vec<u8>,
    /// What the program wrote to standard error.
    pub stderr: Vec<u8>,
    stdin: io::Cursor<Vec<u8>>,
    files: Vec<(Vec<u8>, Vec<u8>)>,
    network: Option<Vec<u8>>,
    /// What the system answers each function, in order; the last answer stands.
    system: Vec<(String, VecDeque<Vec<u8>>)>,
    numbers: Vec<(InputKind, VecDeque<u128>)>,
    unwritten: Vec<(String, VecDeque<Vec<u8>>)>,
    /// Whether random numbers are inputs; else they are those of the library's generator.
    is_random: bool,
}

impl Closed {
    /// A host for a witness.
    pub fn new(witness: &Witness) -> Result<Closed, WitnessError> {
        if witness.version != VERSION {
            return Err(WitnessError::Version(witness.version));
        }
        let mut host = Closed {
            arguments: witness.arguments(PROGRAM_NAME)?,
            environment: witness.environment()?,
            ..Closed::default()
        };
        for (index, input) in witness.inputs.iter().enumerate() {
            let bad = || WitnessError::Value { position: index + 1, name: input.name.clone() };
            match input.kind {
                InputKind::Argument | InputKind::Environment => {}
                InputKind::Stdin => host.stdin.get_mut().extend(input.bytes().ok_or_else(bad)?),
                InputKind::File => {
                    host.files.push((input.name.as_bytes().to_vec(), input.bytes().ok_or_else(bad)?));
                }
                InputKind::Network => {
                    host.network.get_or_insert_default().extend(input.bytes().ok_or_else(bad)?);
                }
                InputKind::System => append(&mut host.system, &input.name, input.bytes().ok_or_else(bad)?),
                InputKind::Unwritten => {
                    append(&mut host.unwritten, &input.name, input.bytes().ok_or_else(bad)?);
                }
                kind => host.queue(kind).push_back(input.pattern().ok_or_else(bad)?),
            }
        }
        host.is_random = !host.queue(InputKind::Random).is_empty();
        Ok(host)
    }

    fn queue(&mut self, kind: InputKind) -> &mut VecDeque<u128> {
        let index = self.numbers.iter().position(|(known, _)| *known == kind).unwrap_or_else(|| {
            self.numbers.push((kind, VecDeque::new()));
            self.numbers.len() - 1
        });
        &mut self.numbers[index].1
    }
}

/// Puts bytes at the end of the queue of a name.
fn append(queues: &mut Vec<(String, VecDeque<Vec<u8>>)>, name: &str, bytes: Vec<u8>) {
    match queues.iter_mut().find(|(known, _)| known == name) {
        Some((_, queue)) => queue.push_back(bytes),
        None => queues.push((name.to_owned(), VecDeque::from([bytes]))),
    }
}

impl Host for Closed {
    fn read_stdin(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.stdin.read(buffer)
    }

    fn write_stdout(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.stdout.extend_from_slice(bytes);
        Ok(())
    }

    fn write_stderr(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.stderr.extend_from_slice(bytes);
        Ok(())
    }

    fn answer(&mut self, query: &InputQuery<'_>) -> Option<u128> {
        let next = self.queue(query.kind).pop_front();
        match query.kind {
            InputKind::Allocation => Some(next.unwrap_or(1)),
            InputKind::Random if !self.is_random => None,
            _ => Some(query.fitting(next.unwrap_or(0))),
        }
    }

    fn is_closed(&self) -> bool {
        true
    }

    fn says_unwritten(&self) -> bool {
        !self.unwritten.is_empty()
    }

    fn unwritten(&mut self, name: &str, _size: u64) -> Option<Vec<u8>> {
        self.unwritten.iter_mut().find(|(known, _)| known == name)?.1.pop_front()
    }

    fn network(&mut self) -> Option<Vec<u8>> {
        self.network.clone()
    }

    fn system(&mut self, function: &str) -> Option<Vec<u8>> {
        let (_, queue) = self.system.iter_mut().find(|(known, _)| known == function)?;
        if queue.len() > 1 { queue.pop_front() } else { queue.front().cloned() }
    }

    fn file(&mut self, path: &[u8]) -> Option<Vec<u8>> {
        self.files.iter().find(|(known, _)| known == path).map(|(_, bytes)| bytes.clone())
    }

    /// All variables are there from the start.
    fn variable(&mut self, _: &[u8]) -> Option<Vec<u8>> {
        None
    }
}

/// Runs a program on the inputs of a witness. The arguments are the witness's; the other options are as given.
pub fn run_witness(
    program: &Program,
    witness: &Witness,
    options: &Options,
) -> Result<(Outcome, Closed), WitnessError> {
    let mut host = Closed::new(witness)?;
    if let Some(name) = options.args.first() {
        host.arguments = witness.arguments(name)?;
    }
    let goes_on_after = [&options.goes_on_after[..], &witness.goes_on_after].concat();
    let (args, environment) = (host.arguments.clone(), host.environment.clone());
    let options = Options { args, environment, goes_on_after, ..options.clone() };
    let outcome = crate::run(program, &options, &mut host);
    Ok((outcome, host))
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random programs with faults of several checks on one path, each of which can be mended.
//!
//! A mended operation gives the same value where it did not fail and cannot fail any more; where the machine has a value
//! for the failing one (wrapping arithmetic, masked counts), it gives that. Nothing else of the program changes, not even
//! the numbers of its lines.

mod operations;
mod writer;

use fastrand::Rng;

use super::runs::Inputs;

/// A program with its faults.
pub struct Program {
    /// Its lines. A fault is mended by another text of one of them.
    lines: Vec<String>,
    pub faults: Vec<Fault>,
}

/// An operation that fails on some inputs, perhaps.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The line where it fails, from 1.
    pub line: u32,
    /// The line that mends it, and its text then.
    pub mended_line: u32,
    pub mended: String,
}

impl Program {
    /// The program of a seed.
    pub fn of(seed: u64) -> Program {
        writer::program(Rng::with_seed(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0xfa17))
    }

    /// Its functions, each with its lines.
    pub fn functions(&self) -> Vec<(String, std::ops::Range<u32>)> {
        let mut functions: Vec<(String, std::ops::Range<u32>)> = Vec::new();
        for (number, line) in (1..).zip(&self.lines) {
            let named = line.strip_prefix("static int f").and_then(|rest| rest.split_once('('));
            if let Some((name, _)) = named {
                functions.push((format!("f{name}"), number..number));
            } else if line == "}"
                && let Some((_, lines)) = functions.last_mut().filter(|(_, lines)| lines.is_empty())
            {
                lines.end = number;
            }
        }
        functions
    }

    /// Its text, with some faults mended.
    pub fn text(&self, mended: &[&Fault]) -> String {
        let mut lines = self.lines.clone();
        for fault in mended {
            lines[fault.mended_line as usize - 1].clone_from(&fault.mended);
        }
        lines.join("\n") + "\n"
    }
}

/// Inputs for its runs.
pub fn inputs(rng: &mut Rng) -> Inputs {
    let number = |rng: &mut Rng| match rng.u8(..6) {
        0 => [0, 1, -1, i64::from(i32::MAX), i64::from(i32::MIN), 31, 32, 127, 128, 255][rng.usize(..10)],
        1 => i64::from(rng.i32(..)),
        2 => rng.i64(-300..300),
        _ => rng.i64(-4..12),
    };
    Inputs { numbers: (0..6).map(|_| number(rng)).collect(), ..Inputs::default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::referee::runs::{Event, Runner};

    #[test]
    fn a_mended_program_has_the_same_lines_elsewhere() {
        for seed in 0..50 {
            let program = Program::of(seed);
            let before = program.text(&[]);
            for fault in &program.faults {
                let after = program.text(&[fault]);
                let changed: Vec<u32> = (1..)
                    .zip(before.lines().zip(after.lines()))
                    .filter(|(_, (a, b))| a != b)
                    .map(|(number, _)| number)
                    .collect();
                assert_eq!(changed, [fault.mended_line], "seed {seed}");
                assert_eq!(before.lines().count(), after.lines().count());
            }
        }
    }

    /// With everything mended only assertions are left to fail, and they are mended by an end of the run.
    #[test]
    fn what_is_mended_does_not_fail() {
        let runner = Runner::new().unwrap();
        let folder = tempfile::tempdir().unwrap();
        let mut failing = 0;
        for seed in 0..12 {
            let program = Program::of(seed);
            let mut rng = Rng::with_seed(seed);
            let inputs: Vec<Inputs> = (0..20).map(|_| inputs(&mut rng)).collect();
            let file = folder.path().join("program.c");
            std::fs::write(&file, program.text(&[])).unwrap();
            let fails = |event: &Event| matches!(event, Event::Violated(_));
            failing +=
                runner.runs(&file, &inputs).unwrap().iter().filter(|r| r.events.iter().any(fails)).count();
            std::fs::write(&file, program.text(&program.faults.iter().collect::<Vec<_>>())).unwrap();
            let lines: Vec<u32> = program.faults.iter().map(|fault| fault.line).collect();
            for run in runner.runs(&file, &inputs).unwrap() {
                let left = run.violations().find(|violation| lines.contains(&violation.line));
                assert_eq!(left, None, "seed {seed}: {}\n{}", run.inputs, program.text(&[]));
            }
        }
        assert!(failing > 50, "{failing}");
    }
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! Inputs that make a program do something, as a file that people can read and write.
//!
//! Values are bit patterns. A reader may leave `bits` out and give a `value` in decimal; its meaning then follows
//! the name of the input (`__VERIFIER_nondet_float` makes 0.5 a binary32 pattern).

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::obligation::CheckKind;

/// Values for the inputs of a run.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Witness {
    /// Version of this format.
    pub version: u32,
    /// The inputs, in the order in which the run reads them.
    pub inputs: Vec<Input>,
    /// Checks that the run violates on its way, at which others stop: it goes on with the machine's value.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub goes_on_after: Vec<CheckKind>,
}

/// Where an input comes from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum InputKind {
    /// A call that may return anything, such as `__VERIFIER_nondet_int`.
    #[default]
    Call,
    /// A parameter of the entry.
    Parameter,
    /// A global variable at the start.
    Global,
    /// A read of a volatile object.
    Volatile,
    /// A read of a hardware register.
    Register,
    /// An argument of `main`, by its place: `argv[0]` is the program's name, and `argc` says that there is not even that.
    Argument,
    /// What standard input holds.
    Stdin,
    /// What a file holds.
    File,
    /// A variable of the environment by its name; or, as `environ[0]`, one of its strings, whatever stands in it.
    Environment,
    /// What comes over every connection to another machine.
    Network,
    /// A text by which the system answers a function: the current folder, where a link leads, its own name.
    System,
    /// What a clock says.
    Time,
    /// What a random number generator says.
    Random,
    /// Whether an allocation succeeds.
    Allocation,
    /// What an object holds that nothing was written to yet.
    Unwritten,
    /// What a function without a body writes through its arguments: how many elements, and the numbers in them.
    Written,
}

impl InputKind {
    fn is_call(&self) -> bool {
        *self == InputKind::Call
    }
}

/// The name of the input that says that `main` gets no arguments at all, not even the program's name.
pub const NO_ARGUMENTS: &str = "argc";

/// The name of the input that is the program's name.
pub const PROGRAM: &str = "argv[0]";

/// How the names of inputs begin that are whole strings of the environment.
pub const VARIABLES: &str = "environ[";

/// The version that this clew reads and writes.
pub const VERSION: u32 = 1;

/// One value.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Input {
    /// Where it comes from.
    #[serde(default, skip_serializing_if = "InputKind::is_call")]
    pub kind: InputKind,
    /// What reads it: the name of a nondeterministic function, a parameter or a global.
    pub name: String,
    /// The bit pattern, in hexadecimal with `0x`; for text and files, the bytes in order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bits: Option<String>,
    /// The value for a reader.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
}

/// Why a witness cannot be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WitnessError {
    /// Written by another version of clew.
    Version(u32),
    /// An input whose value cannot be read; counted from 1.
    Value {
        /// Which input.
        position: usize,
        /// Its name.
        name: String,
    },
}

impl fmt::Display for WitnessError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WitnessError::Version(found) => {
                write!(f, "the witness has version {found}, this clew reads version {VERSION}")
            }
            WitnessError::Value { position, name } => {
                write!(
                    f,
                    "input {position} (`{name}`) has neither hexadecimal `bits` nor a number as `value`"
                )
            }
        }
    }
}

impl std::error::Error for WitnessError {}

impl Witness {
    /// The bit patterns of the nondeterministic calls in order; integers are sign-extended to 128 bits.
    pub fn bits(&self) -> Result<Vec<u128>, WitnessError> {
        self.of_kind(InputKind::Call)
    }

    /// What hardware registers hold, in the order in which they are read.
    pub fn registers(&self) -> Result<Vec<u128>, WitnessError> {
        self.of_kind(InputKind::Register)
    }

    fn of_kind(&self, kind: InputKind) -> Result<Vec<u128>, WitnessError> {
        if self.version != VERSION {
            return Err(WitnessError::Version(self.version));
        }
        let inputs = self.inputs.iter().enumerate().filter(|(_, input)| input.kind == kind);
        let bits = inputs.map(|(i, input)| {
            input.pattern().ok_or_else(|| WitnessError::Value { position: i + 1, name: input.name.clone() })
        });
        bits.collect()
    }

    /// What `main` gets as `argv`, where the program has this name unless the witness says otherwise.
    pub fn arguments(&self, name: &[u8]) -> Result<Vec<Vec<u8>>, WitnessError> {
        let mut all = vec![name.to_vec()];
        let mut is_empty = false;
        for (index, input) in self.inputs.iter().enumerate() {
            let bad = || WitnessError::Value { position: index + 1, name: input.name.clone() };
            match &*input.name {
                _ if input.kind != InputKind::Argument => {}
                NO_ARGUMENTS => is_empty = input.pattern().ok_or_else(bad)? == 0,
                PROGRAM => all[0] = input.bytes().ok_or_else(bad)?,
                _ => all.push(input.bytes().ok_or_else(bad)?),
            }
        }
        Ok(if is_empty { Vec::new() } else { all })
    }

    /// The strings of the environment in which the program starts.
    pub fn environment(&self) -> Result<Vec<Vec<u8>>, WitnessError> {
        let mut all = Vec::new();
        for (index, input) in self.inputs.iter().enumerate() {
            if input.kind == InputKind::Environment {
                let bad = || WitnessError::Value { position: index + 1, name: input.name.clone() };
                let bytes = input.bytes().ok_or_else(bad)?;
                all.push(match input.name.starts_with(VARIABLES) {
                    true => bytes,
                    false => [input.name.as_bytes(), b"=", &bytes].concat(),
                });
            }
        }
        Ok(all)
    }
}

impl Input {
    /// A text input: an argument, a variable of the environment, what a file holds.
    pub fn text(kind: InputKind, name: impl Into<String>, bytes: &[u8]) -> Input {
        let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        let bits = format!("0x{digits}");
        let value = Some(format!("\"{}\"", bytes.escape_ascii()));
        Input { kind, name: name.into(), bits: Some(bits), value }
    }

    /// The bytes of a text or a file.
    pub fn bytes(&self) -> Option<Vec<u8>> {
        let Some(bits) = &self.bits else {
            return self.value.as_ref().map(|value| value.clone().into_bytes());
        };
        let digits = bits.strip_prefix("0x")?.as_bytes();
        let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
        if digits.len() % 2 == 0 { digits.chunks(2).map(byte).collect() } else { None }
    }

    /// The bit pattern of a number.
    pub fn pattern(&self) -> Option<u128> {
        if let Some(bits) = &self.bits {
            return u128::from_str_radix(bits.strip_prefix("0x")?, 16).ok();
        }
        let value = self.value.as_deref()?;
        if self.name.ends_with("float") {
            return value.parse::<f32>().ok().map(|v| u128::from(v.to_bits()));
        }
        if self.name.ends_with("double") {
            return value.parse::<f64>().ok().map(|v| u128::from(v.to_bits()));
        }
        let unsigned = || value.parse::<u128>().ok();
        value.parse::<i128>().ok().map(|v| v as u128).or_else(unsigned)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn input(name: &str, bits: Option<&str>, value: Option<&str>) -> Input {
        Input {
            kind: InputKind::Call,
            name: name.to_owned(),
            bits: bits.map(str::to_owned),
            value: value.map(str::to_owned),
        }
    }

    #[test]
    fn values_become_patterns_by_the_name_of_the_input() {
        let inputs = vec![
            input("__VERIFIER_nondet_int", None, Some("-1")),
            input("__VERIFIER_nondet_float", None, Some("0.5")),
            input("__VERIFIER_nondet_double", Some("0x3ff0000000000000"), Some("1")),
        ];
        let bits = Witness { version: VERSION, inputs, goes_on_after: Vec::new() }.bits();
        assert_eq!(bits, Ok(vec![u128::MAX, 0x3f00_0000, 0x3ff0_0000_0000_0000]));
    }

    #[test]
    fn texts_are_bytes_in_order() {
        assert_eq!(input("stdin", Some("0x410a"), None).bytes(), Some(b"A\n".to_vec()));
        assert_eq!(input("stdin", Some("0x"), None).bytes(), Some(Vec::new()));
        assert_eq!(input("stdin", Some("0x4"), None).bytes(), None);
        assert_eq!(input("stdin", None, Some("hello")).bytes(), Some(b"hello".to_vec()));
    }

    #[test]
    fn arguments_may_be_none_and_the_environment_any_strings() {
        let text = |kind, name: &str, bytes: &[u8]| Input::text(kind, name, bytes);
        let mut inputs = vec![
            text(InputKind::Argument, "argv[1]", b"x"),
            text(InputKind::Environment, "HOME", b"/"),
            text(InputKind::Environment, "environ[1]", b"odd"),
        ];
        let witness = |inputs: &[Input]| Witness {
            version: VERSION,
            inputs: inputs.to_vec(),
            goes_on_after: Vec::new(),
        };
        assert_eq!(witness(&inputs).arguments(b"p"), Ok(vec![b"p".to_vec(), b"x".to_vec()]));
        assert_eq!(witness(&inputs).environment(), Ok(vec![b"HOME=/".to_vec(), b"odd".to_vec()]));
        inputs.push(text(InputKind::Argument, PROGRAM, b""));
        assert_eq!(witness(&inputs).arguments(b"p"), Ok(vec![b"".to_vec(), b"x".to_vec()]));
        inputs.push(Input {
            kind: InputKind::Argument,
            name: NO_ARGUMENTS.to_owned(),
            bits: Some("0x0".to_owned()),
            value: None,
        });
        assert_eq!(witness(&inputs).arguments(b"p"), Ok(Vec::new()));
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        let inputs = vec![input("x", Some("12"), None)];
        let error = Witness { version: VERSION, inputs, goes_on_after: Vec::new() }.bits().unwrap_err();
        assert_eq!(error, WitnessError::Value { position: 1, name: "x".to_owned() });
        assert_eq!(
            Witness { version: 7, inputs: Vec::new(), goes_on_after: Vec::new() }.bits(),
            Err(WitnessError::Version(7))
        );
    }
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the command line says of the machine around a program: where registers and memory lie, and who interrupts it.
//!
//! Set once, before anything is read, and the same for every program of the run: whoever links one has it too.

use std::sync::OnceLock;

use clew_ir::hardware::{Lies, Region, take_apart};
use clew_ir::interrupt;
use clew_ir::syntax::{FuncId, Function, Program};

use crate::flags::HardwareFlags;

/// What was said.
#[derive(Debug)]
struct Said {
    regions: Vec<Region>,
    interrupts: Vec<String>,
    /// `registers-apart`.
    registers_apart: bool,
}

static SAID: OnceLock<Said> = OnceLock::new();

fn said() -> &'static Said {
    SAID.get_or_init(|| Said { regions: Vec::new(), interrupts: Vec::new(), registers_apart: true })
}

/// Takes the flags; gives the megabytes that a plain number among them allows.
pub fn settle(flags: &HardwareFlags, interrupts: &[String], apart: bool) -> Result<Option<u64>, String> {
    let mut megabytes = None;
    let mut regions: Vec<Region> = Vec::new();
    for word in &flags.memory {
        match word.parse::<u64>() {
            Ok(number) => megabytes = Some(number),
            Err(_) => regions.push(region(word)?),
        }
    }
    let overlap = |a: &Region, b: &Region| a.first <= b.last && b.first <= a.last;
    for (number, region) in regions.iter().enumerate() {
        if let Some(other) = regions[..number].iter().find(|other| overlap(other, region)) {
            return Err(format!(
                "--memory: {:#x}..{:#x} and {:#x}..{:#x} overlap",
                other.first, other.last, region.first, region.last
            ));
        }
    }
    let registers_apart = apart || !regions.is_empty();
    // A second command in one process says the same.
    let _ = SAID.set(Said { regions, interrupts: interrupts.to_vec(), registers_apart });
    Ok(megabytes)
}

/// `LO..HI=volatile`, `LO..HI=volatile:LEAST..MOST` or `LO..HI=ram`.
fn region(word: &str) -> Result<Region, String> {
    let bad = || {
        format!(
            "--memory {word}: not understood; write LO..HI=volatile, LO..HI=volatile:LEAST..MOST or LO..HI=ram, such \
             as 0x40000000..0x40000FFF=volatile, or a number of megabytes"
        )
    };
    let (addresses, lies) = word.split_once('=').ok_or_else(bad)?;
    let (first, last) = range(addresses).ok_or_else(bad)?;
    let lies = match lies.split_once(':') {
        None if lies == "volatile" => Lies::Registers(None),
        None if lies == "ram" => Lies::Ram,
        Some(("volatile", values)) => Lies::Registers(Some(range(values).ok_or_else(bad)?)),
        _ => return Err(bad()),
    };
    if lies == Lies::Ram && last - first >= LARGEST_RAM {
        return Err(format!("--memory {word}: more than {LARGEST_RAM} bytes of memory are not supported"));
    }
    Ok(Region { first, last, lies })
}

/// What the interpreter can hold at once without trouble.
const LARGEST_RAM: u64 = 256 << 20;

fn range(text: &str) -> Option<(u64, u64)> {
    let (first, last) = text.split_once("..")?;
    Some((number(first)?, number(last)?)).filter(|(first, last)| first <= last)
}

fn number(text: &str) -> Option<u64> {
    let text = text.trim();
    match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => u64::from_str_radix(&digits.replace('_', ""), 16).ok(),
        None => text.parse().ok(),
    }
}

/// Takes the registers of a program out of its memory.
pub fn apply(program: &mut Program) {
    if said().registers_apart {
        take_apart(program, &said().regions);
    }
}

/// The functions that may interrupt a program.
pub fn handlers(program: &Program) -> Result<Vec<FuncId>, String> {
    let defined = |name: &&String| {
        let is_named = |f: &Function| *f.name == ***name || *f.source_name == ***name;
        program.functions.iter().any(|function| function.body.is_some() && is_named(function))
    };
    if let Some(missing) = said().interrupts.iter().find(|name| !defined(name)) {
        return Err(format!("--interrupt: there is no function `{missing}` with a body"));
    }
    Ok(interrupt::handlers(program, &said().interrupts))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regions_are_read() {
        let volatile = region("0x40000000..0x40000FFF=volatile");
        let lies = Lies::Registers(None);
        assert_eq!(volatile, Ok(Region { first: 0x4000_0000, last: 0x4000_0fff, lies }));
        let lies = Lies::Registers(Some((0, 255)));
        assert_eq!(region("16..31=volatile:0..255"), Ok(Region { first: 16, last: 31, lies }));
        let lies = Lies::Ram;
        assert_eq!(
            region("0x20000000..0x20000FFF=ram"),
            Ok(Region { first: 0x2000_0000, last: 0x2000_0fff, lies })
        );
        for word in ["1..0=ram", "0x10=volatile", "1..2=rom", "1..2", "a..b=ram", "0..0xffffffff=ram"] {
            assert!(region(word).is_err(), "{word}");
        }
    }
}

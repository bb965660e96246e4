// SPDX-License-Identifier: MIT OR Apache-2.0
//! Hardware registers: volatile accesses at constant addresses (`registers-apart`).
//!
//! Firmware talks to its devices through addresses that it knows: `*(volatile uint32_t *)0x40020014`. No object of the program lies
//! there. What is read is an input, fresh at every read; what is written changes no object. This pass says so in the
//! IR, so that no engine has to know of it: a read becomes that of a [`GlobalKind::Register`], whose every read is an
//! input (`volatile_inputs.rs`), and a write goes away. Where the address is known when the program runs only (a pointer to a block of registers
//! that a function gets, an array of registers), the program asks whether it is one of a register, and only if not the
//! access is one to memory, with all its obligations:
//!
//! ```text
//! if (lo <= p && p <= hi) t = register; else { check p; t = *p; }
//! ```
//!
//! Which addresses are of registers: what the user says (`--memory`), else the constants that the program makes pointers
//! of, each to the end of its page of 4 KiB or of the object that it points to, whichever is further. Null is none.

mod access;
mod constant;
mod ram;

use std::collections::BTreeMap;

use clew_base::source::Span;

use crate::syntax::*;
use crate::types::TypeTable;

pub use access::uses_registers;

/// What lies at some addresses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lies {
    /// Registers; they read as a number between the two, if it is said.
    Registers(Option<(u64, u64)>),
    /// Memory that keeps what is written.
    Ram,
}

/// Addresses, both included, and what lies there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Region {
    /// The first.
    pub first: u64,
    /// The last.
    pub last: u64,
    /// What lies there.
    pub lies: Lies,
}

impl Region {
    fn holds(&self, address: u64) -> bool {
        (self.first..=self.last).contains(&address)
    }
}

/// Bytes of a page: a device's registers lie in as many, mostly.
const PAGE: u64 = 4096;

/// Takes the registers of a program out of its memory. `said`: what the user says of addresses; nothing else is a
/// register then.
pub fn take_apart(program: &mut Program, said: &[Region]) {
    ram::place_ram(program, said);
    let regions = match said {
        [] => constant::regions(program),
        said => said.iter().filter(|region| matches!(region.lies, Lies::Registers(_))).copied().collect(),
    };
    if regions.is_empty() {
        return;
    }
    let mut apart = Apart::new(program, joined(regions), !said.is_empty());
    let functions: Vec<FuncId> = program.functions.indices().collect();
    for function in functions {
        if let Some(mut body) = program.functions[function].body.take() {
            apart.body(program, &mut body);
            program.functions[function].body = Some(body);
        }
    }
    apart.finish(program);
}

/// Regions that overlap or touch, and of which the same is said, are one.
fn joined(mut regions: Vec<Region>) -> Vec<Region> {
    regions.sort_by_key(|region| (region.first, region.last));
    let mut all: Vec<Region> = Vec::new();
    for region in regions {
        match all.last_mut() {
            Some(last) if last.lies == region.lies && region.first <= last.last.saturating_add(1) => {
                last.last = last.last.max(region.last);
            }
            _ => all.push(region),
        }
    }
    all
}

/// An address (none: known when the program runs only), the type that is read there, and the values it may have.
type RegisterKey = (Option<u64>, TypeId, Option<(u64, u64)>);

/// What the pass makes as it goes.
struct Apart {
    regions: Vec<Region>,
    /// The user said where they end; else their ends are guesses.
    are_said: bool,
    types: TypeTable,
    /// The registers so far.
    registers: BTreeMap<RegisterKey, GlobalId>,
}

impl Apart {
    fn new(program: &mut Program, regions: Vec<Region>, are_said: bool) -> Apart {
        let types = TypeTable::from_parts(program.types.clone(), program.records.clone());
        Apart { regions, are_said, types, registers: BTreeMap::new() }
    }

    fn finish(self, program: &mut Program) {
        (program.types, program.records) = self.types.into_parts();
    }

    /// What is known of the values of the registers at a constant address and the bytes behind it; nothing if not all of
    /// them are of registers. Where nobody said how far registers go, the first byte decides.
    fn values(&self, address: u64, bytes: u64) -> Option<Option<(u64, u64)>> {
        let region = self.regions.iter().find(|region| region.holds(address))?;
        let Lies::Registers(range) = region.lies else { return None };
        let last = address.saturating_add(bytes.max(1) - 1);
        if region.holds(last) || !self.are_said {
            return Some(range);
        }
        // A part of each of several registers is any number.
        self.spans().any(|(first, end)| first <= address && last <= end).then_some(None)
    }

    /// Where registers lie, whatever is known of their values: first and last addresses.
    fn spans(&self) -> impl Iterator<Item = (u64, u64)> {
        let plain = self.regions.iter().map(|region| Region { lies: Lies::Registers(None), ..*region });
        joined(plain.collect()).into_iter().map(|region| (region.first, region.last))
    }

    /// The register at an address, read as a type.
    fn register(
        &mut self,
        program: &mut Program,
        address: Option<u64>,
        ty: TypeId,
        range: Option<(u64, u64)>,
        span: Span,
    ) -> GlobalId {
        if let Some(known) = self.registers.get(&(address, ty, range)) {
            return *known;
        }
        let number = self.registers.len();
        let source_name = match address {
            Some(address) => format!("register {address:#x}"),
            None => "register".to_owned(),
        };
        let view = self.types.view(&program.target);
        let align = view.align_of(ty);
        let promised = address.map_or(align, |address| 1 << address.trailing_zeros().min(4));
        let global = program.globals.push(Global {
            name: format!(".register.{number}").into(),
            source_name: source_name.into(),
            ty,
            size: view.size_of(ty),
            align: align.min(promised),
            linkage: Linkage::Internal,
            kind: GlobalKind::Register { range },
            is_const: false,
            thread_local: false,
            init: Some(Init { tentative: true, ..Init::default() }),
            alias: None,
            span,
        });
        self.registers.insert((address, ty, range), global);
        global
    }
}

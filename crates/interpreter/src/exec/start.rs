// SPDX-License-Identifier: MIT OR Apache-2.0
//! From a program to its first instruction: objects for globals and functions, start values, `main`.

use clew_base::index::Idx;
use clew_base::stack::with_large_stack;
use clew_ir::syntax::{Address, FuncId, Global, GlobalId, GlobalKind, Init, Linkage, Program, Relocation};
use clew_ir::volatile_inputs::volatile_inputs;

use crate::code::label_address;
use crate::host::Host;
use crate::libc;
use crate::machine::{Machine, Stop};
use crate::memory::{Kind, Name, NewObject, TraceId};
use crate::observe::{Blocks, Observer, Watch};
use crate::outcome::{End, Options, Outcome, RunError};
use crate::value::{Pointer, Provenance, Value};

/// Runs a program.
pub fn run(program: &Program, options: &Options, host: &mut dyn Host) -> Outcome {
    run_watched(program, options, host, None)
}

/// Runs a program and shows its state to an observer each time it comes to one of the blocks.
pub fn run_observed(
    program: &Program,
    options: &Options,
    host: &mut dyn Host,
    blocks: &Blocks,
    observer: &mut dyn Observer,
) -> Outcome {
    run_watched(program, options, host, Some(Watch::new(blocks, observer)))
}

fn run_watched<'p>(
    program: &'p Program,
    options: &'p Options,
    host: &'p mut dyn Host,
    watch: Option<Watch<'p>>,
) -> Outcome {
    let work = || {
        let mut machine = Machine::new(program, options, host);
        machine.watch = watch;
        let stop = machine.start();
        machine.outcome(stop)
    };
    with_large_stack(work).unwrap_or_else(|error| Outcome {
        end: End::Error(RunError::Limit(format!("no thread to run in: {error}"))),
        findings: Vec::new(),
        counted: Vec::new(),
        notes: Vec::new(),
        steps: 0,
        bytes: 0,
        missing: Vec::new(),
    })
}

impl Machine<'_> {
    pub(super) fn outcome(mut self, stop: Stop) -> Outcome {
        // A finding or a signal ends the program without flushing, but what it printed so far helps to understand it.
        libc::flush_all(&mut self.libc, self.host);
        let end = match stop {
            Stop::Finding(finding) => {
                self.findings.push(*finding);
                End::Finding
            }
            Stop::Exit(status) => End::Exit(status),
            Stop::Signal(signal) => End::Signal(signal),
            Stop::Assumed => {
                self.notes.push("an assumption does not hold: the run ends here and does not count".into());
                End::Assumed
            }
            Stop::Error(error) => End::Error(error),
            Stop::Jump(_) => End::Error(RunError::Fault("a jump led nowhere".into())),
        };
        let steps =
            self.options.step_limit.unwrap_or(u64::MAX).wrapping_sub(self.reserve).wrapping_sub(self.fuel);
        let bytes = self.memory.made;
        let Machine { findings, counted, notes, missing, .. } = self;
        Outcome { end, findings, counted, notes, steps, bytes, missing }
    }

    pub(super) fn start(&mut self) -> Stop {
        if let Some(place) = self.program.unsupported.first() {
            let what = place.what.to_string();
            return Stop::Error(RunError::Unsupported { what, span: place.span });
        }
        if !self.refuel() {
            return Self::out_of_steps();
        }
        let main = match self.load() {
            Ok(main) => main,
            Err(error) => return Stop::Error(error),
        };
        self.take_over();
        for constructor in self.ordered(|f| f.attributes.constructor) {
            if let Err(stop) = self.call_function(constructor, &[]) {
                return stop;
            }
        }
        let mut destructors = self.ordered(|f| f.attributes.destructor);
        // `exit` takes from the end; the highest priority number of a destructor runs first, last defined first.
        destructors.sort_by_key(|f| self.program.functions[*f].attributes.destructor);
        self.exits.set_destructors(destructors);
        let arguments = match self.main_arguments() {
            Ok(arguments) => arguments,
            Err(error) => return Stop::Error(error),
        };
        match self.call_function(main, &arguments) {
            Ok(status) => self.exit(status.as_int() as i32),
            Err(stop) => stop,
        }
    }

    /// Functions with an attribute, by its priority and then in order.
    fn ordered(&self, priority: impl Fn(&clew_ir::syntax::Function) -> Option<u16>) -> Vec<FuncId> {
        let functions = self.program.functions.iter_enumerated();
        let mut found: Vec<(u16, FuncId)> = functions
            .filter_map(|(id, f)| Some((priority(f)?, id)))
            .filter(|(_, id)| self.has_body(*id))
            .collect();
        found.sort();
        found.into_iter().map(|(_, id)| id).collect()
    }

    fn has_body(&self, function: FuncId) -> bool {
        self.program.functions[function].body.is_some()
    }

    /// Objects for everything static. Says which function is `main`.
    fn load(&mut self) -> Result<FuncId, RunError> {
        let program = self.program;
        self.place_functions()?;
        self.globals = vec![Pointer::NULL; program.globals.len()];
        for (id, global) in program.globals.iter_enumerated() {
            self.globals[id.index()] = self.place_global(id, global)?;
        }
        for (id, target) in self.aliases.globals.iter_enumerated() {
            self.globals[id.index()] = self.globals[target.index()];
        }
        for (id, global) in program.globals.iter_enumerated() {
            if let (Some(init), None) = (&global.init, &global.alias) {
                self.initialise(self.globals[id.index()], init);
            }
            if global.is_const || global.kind == GlobalKind::StringLiteral {
                self.memory.make_read_only(self.globals[id.index()].prov);
            }
        }
        let main = program.functions.iter_enumerated().find(|(_, f)| &*f.name == "main");
        let main = main.map(|(id, _)| self.aliases.functions[id]).filter(|id| self.has_body(*id));
        main.ok_or(RunError::NoMain)
    }

    /// Objects for functions only, and nothing to run.
    #[cfg(test)]
    pub(super) fn load_functions(&mut self) -> Result<(), RunError> {
        self.place_functions()
    }

    /// Drops the frames that a finding left behind.
    #[cfg(test)]
    pub(super) fn unwind(&mut self) {
        while !self.frames.is_empty() {
            self.pop_frame();
        }
    }

    fn place_functions(&mut self) -> Result<(), RunError> {
        self.functions = vec![Pointer::NULL; self.program.functions.len()];
        for id in self.program.functions.indices() {
            if self.aliases.functions[id] == id && !self.is_missing_weak(id) {
                self.functions[id.index()] =
                    self.static_object(0, 16, Kind::Function(id), Name::Function(id))?;
            }
        }
        for id in self.program.functions.indices() {
            self.functions[id.index()] = self.functions[self.aliases.functions[id].index()];
        }
        Ok(())
    }

    /// A weak function that nothing defines: its address is null.
    fn is_missing_weak(&self, id: FuncId) -> bool {
        let function = &self.program.functions[id];
        let weak = function.linkage == Linkage::Weak || function.alias.is_some();
        weak && function.body.is_none() && libc::lookup(&function.name).is_none()
    }

    /// An object that lives as long as the program. Its address leads to it: programs keep such addresses as numbers.
    fn static_object(&mut self, size: u64, align: u64, kind: Kind, name: Name) -> Result<Pointer, RunError> {
        let new = NewObject { size, align, kind, name, initialised: true, writable: true, born: TraceId(0) };
        let Some(pointer) = self.memory.alloc(new) else {
            return Err(RunError::Limit("the static objects do not fit the memory".into()));
        };
        self.memory.expose(pointer.prov);
        Ok(pointer)
    }

    /// Whether whoever runs the program says what a variable holds that no file defines.
    fn is_answered(&self, global: GlobalId) -> bool {
        self.host.is_closed()
            && self.volatile_inputs.get_or_init(|| volatile_inputs(self.program)).contains(&global)
    }

    fn place_global(&mut self, id: GlobalId, global: &Global) -> Result<Pointer, RunError> {
        if global.alias.is_some() {
            return Ok(Pointer::NULL);
        }
        if global.init.is_none() {
            let known = libc::external_global(self, &global.name);
            if known.is_some() || !self.is_answered(id) {
                return Ok(known.unwrap_or(Pointer::NULL));
            }
        }
        let size = global.size.max(self.program.size_of(global.ty));
        let literal = global.kind == GlobalKind::StringLiteral;
        let kind = if literal { Kind::Literal } else { Kind::Static };
        self.static_object(size, u64::from(global.align.max(1)).next_power_of_two(), kind, Name::Global(id))
    }

    fn initialise(&mut self, place: Pointer, init: &Init) {
        self.memory.write(place, &init.bytes);
        for relocation in &init.relocations {
            self.relocate(place, relocation);
        }
    }

    fn relocate(&mut self, place: Pointer, relocation: &Relocation) {
        let target = self.static_address(relocation.target).add(relocation.addend as u64);
        let at = place.add(relocation.offset);
        match relocation.minus {
            None if u64::from(relocation.bytes) == self.memory.pointer_bytes() => {
                self.memory.write_pointer(at, target)
            }
            minus => {
                let minus = minus.map_or(0, |minus| self.static_address(minus).addr);
                let bytes = target.addr.wrapping_sub(minus).to_le_bytes();
                self.memory.write(at, &bytes[..usize::from(relocation.bytes).min(8)]);
            }
        }
    }

    fn static_address(&self, address: Address) -> Pointer {
        match address {
            Address::Global(global) => self.globals[global.index()],
            Address::Function(function) => self.functions[function.index()],
            Address::Label(function, block) => {
                Pointer { addr: label_address(function, block), prov: Provenance::NONE }
            }
        }
    }

    /// `argc`, `argv` and `envp`.
    fn main_arguments(&mut self) -> Result<Vec<Value>, RunError> {
        let options = self.options;
        let argv = self.string_array(&options.args, "an argument of main", "argv")?;
        let envp = match libc::external_global(self, "environ") {
            Some(environ) => self.memory.read_pointer(environ),
            None => self.string_array(&options.environment, "an environment string", "envp")?,
        };
        Ok(vec![Value::Int(options.args.len() as i128), Value::Ptr(argv), Value::Ptr(envp)])
    }

    fn string_array(
        &mut self,
        strings: &[Vec<u8>],
        each: &'static str,
        all: &'static str,
    ) -> Result<Pointer, RunError> {
        let word = self.memory.pointer_bytes();
        let array =
            self.static_object((strings.len() as u64 + 1) * word, 16, Kind::Static, Name::Unnamed(all))?;
        for (index, text) in strings.iter().enumerate() {
            let string = self.static_object(text.len() as u64 + 1, 1, Kind::Static, Name::Unnamed(each))?;
            self.memory.write(string, text);
            self.memory.write_pointer(array.add(index as u64 * word), string);
        }
        Ok(array)
    }
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! Contracts that are taken for granted: those of `clew-env.c`, and those that the user accepts.
//!
//! They are kept as text, since each program that engines look at has names of its own for types and globals.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clew_absint::Promise;
use clew_environment::contract::{Clause, Test};
use clew_environment::file;
use clew_environment::in_c::{Promised, promised};
use clew_environment::linear::Linear;
use clew_environment::read::{Complaint, Names, read};
use clew_environment::sample::satisfying;
use clew_environment::source::{Kind, Place, Source};
use clew_ir::syntax::{FuncId, Program, Type};

/// One condition that callers are trusted with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Accepted {
    /// The condition.
    pub text: String,
    /// Where it came from.
    pub origin: String,
    /// The names of the parameters where it stands, if they are others than the function's own.
    pub parameters: Vec<String>,
}

/// The contracts of functions, by name.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Contracts {
    by_function: BTreeMap<String, Vec<Accepted>>,
}

/// The function of a name that has a body, and its number.
pub fn named(program: &Program, name: &str) -> Option<FuncId> {
    let is_it = |(_, f): &(FuncId, &clew_ir::syntax::Function)| {
        f.body.is_some() && (*f.name == *name || *f.source_name == *name)
    };
    program.functions.iter_enumerated().find(is_it).map(|(id, _)| id)
}

impl Contracts {
    /// What is accepted of a function.
    pub fn of(&self, function: &str) -> &[Accepted] {
        self.by_function.get(function).map_or(&[], Vec::as_slice)
    }

    /// All of them, with their functions.
    pub fn all(&self) -> impl Iterator<Item = (&str, &Accepted)> {
        self.by_function.iter().flat_map(|(name, list)| list.iter().map(move |one| (name.as_str(), one)))
    }

    /// One more condition.
    pub fn accept(&mut self, function: &str, accepted: Accepted) {
        self.by_function.entry(function.to_owned()).or_default().push(accepted);
    }

    /// The conditions on callers of a function, in terms of this program.
    pub fn clauses(&self, program: &Program, function: &str) -> Vec<Clause> {
        let Some(id) = named(program, function) else { return Vec::new() };
        let read_one = |accepted: &Accepted| {
            let names = Names { program, function: id, parameters: accepted.parameters.clone() };
            read(&accepted.text, &names).unwrap_or_default()
        };
        self.of(function).iter().flat_map(read_one).collect()
    }

    /// What the abstract interpreter is told of the arguments of an entry.
    pub fn promises(&self, program: &Program, function: &str) -> Vec<Vec<Promise>> {
        cases(program, &self.clauses(program, function))
    }

    /// What a driver of an entry sees to.
    pub fn promised(&self, program: &Program, function: &str) -> Promised {
        promised(program, &self.clauses(program, function))
    }

    /// What verdicts about these entries rest on.
    pub fn names<'a>(&self, entries: impl Iterator<Item = &'a str>) -> Vec<String> {
        let told = |entry: &'a str| {
            self.of(entry).iter().map(move |accepted| format!("contract of {entry}: {}", accepted.text))
        };
        entries.flat_map(told).collect()
    }

    /// Reads a file, and checks it against the programs; the message says where something is wrong.
    pub fn load(path: &Path, programs: &[Program]) -> Result<Contracts, String> {
        let text = std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
        let told = |complaint: Complaint| {
            let (line, column) = file::line_and_column(&text, complaint.at);
            format!("{}:{line}:{column}: {}", path.display(), complaint.what)
        };
        let mut contracts = Contracts::default();
        for entry in file::entries(&text).map_err(told)? {
            let Some((program, id)) =
                programs.iter().find_map(|p| named(p, &entry.function).map(|id| (p, id)))
            else {
                let what = format!("there is no function `{}` with a body in the program", entry.function);
                return Err(told(Complaint { at: entry.at, what }));
            };
            check_parameters(program, id, &entry).map_err(told)?;
            for requirement in &entry.requires {
                let names = Names { program, function: id, parameters: entry.parameters.clone() };
                let at =
                    |complaint: Complaint| told(Complaint { at: requirement.at + complaint.at, ..complaint });
                read(&requirement.text, &names).map_err(at)?;
                let origin = requirement.origin.clone().unwrap_or_else(|| "written by hand".to_owned());
                let accepted =
                    Accepted { text: requirement.text.clone(), origin, parameters: entry.parameters.clone() };
                contracts.accept(&entry.function, accepted);
            }
            if satisfying(&contracts.clauses(program, &entry.function)).is_none() {
                let at = entry.requires.last().map_or(entry.at, |requirement| requirement.at);
                let what = format!(
                    "no input of `{}` is known that keeps its contract: it contradicts itself",
                    entry.function
                );
                return Err(told(Complaint { at, what }));
            }
        }
        Ok(contracts)
    }
}

/// The file that belongs to some sources: the one that is named, or `clew-env.c` beside the first.
pub fn file_of(named: Option<&Path>, files: &[PathBuf]) -> Option<PathBuf> {
    let beside = || {
        let folder = files.first()?.parent().unwrap_or(Path::new(""));
        Some(folder.join(file::NAME)).filter(|path| path.is_file() && !files.contains(path))
    };
    named.map(Path::to_path_buf).or_else(beside)
}

fn check_parameters(program: &Program, id: FuncId, entry: &file::Entry) -> Result<(), Complaint> {
    let Type::Function { parameters, .. } = program.types().get(program.functions[id].ty) else {
        return Ok(());
    };
    let complaint = |what: String| Err(Complaint { at: entry.at, what });
    if entry.has_body {
        return complaint(format!("`{}` has a body in the program and another one here", entry.function));
    }
    if parameters.len() != entry.parameters.len() {
        let (has, here) = (parameters.len(), entry.parameters.len());
        return complaint(format!(
            "`{}` takes {has} arguments, and is declared with {here} here",
            entry.function
        ));
    }
    Ok(())
}

/// More ways than this in which callers keep a contract are not told apart.
const MOST_CASES: usize = 6;

/// The ways in which callers may keep these clauses. What cannot be said is left out, which allows more.
fn cases(program: &Program, clauses: &[Clause]) -> Vec<Vec<Promise>> {
    let mut cases: Vec<Vec<Promise>> = vec![Vec::new()];
    for clause in clauses {
        let excuses: Vec<&Test> =
            clause.unless.iter().filter(|excuse| !is_idle(program, excuse, &clause.test)).collect();
        let ways: Option<Vec<Vec<Promise>>> =
            excuses.into_iter().chain([&clause.test]).map(promise).collect();
        let Some(ways) = ways.filter(|ways| ways.len() * cases.len() <= MOST_CASES) else { continue };
        cases =
            cases.iter().flat_map(|known| ways.iter().map(|way| [&known[..], &way[..]].concat())).collect();
    }
    if cases.iter().all(Vec::is_empty) { Vec::new() } else { cases }
}

/// Whether an excuse says nothing that the test would not: null pointers lead to nothing that could be too small, and no bytes, or one
/// element, are there in any case.
fn is_idle(program: &Program, excuse: &Test, test: &Test) -> bool {
    let Test::Room { pointer, bytes, .. } = test else { return false };
    match excuse {
        Test::Null(excused) => excused == pointer,
        Test::AtMostZero(sum) => {
            let factor = sum.terms.iter().next().and_then(|(source, c)| Some(bytes.terms.get(source)? / c));
            let rest = factor.filter(|factor| *factor > 0).and_then(|factor| bytes.plus(-factor, sum));
            rest.and_then(|rest| rest.as_constant())
                .is_some_and(|rest| rest <= pointer.element_bytes(program))
        }
        _ => false,
    }
}

fn parameter(source: &Source) -> Option<u32> {
    match source.place {
        Place::Parameter(number) => Some(number),
        _ => None,
    }
}

/// What a test says of the arguments.
fn promise(test: &Test) -> Option<Vec<Promise>> {
    match test {
        Test::NotNull(pointer) => Some(vec![Promise::NotNull(parameter(pointer)?)]),
        Test::Null(pointer) => Some(vec![Promise::Null(parameter(pointer)?)]),
        Test::Terminated(pointer) => Some(vec![Promise::Terminated(parameter(pointer)?)]),
        Test::AtMostZero(sum) => at_most_zero(sum).map(|one| vec![one]),
        Test::Zero(sum) => Some(vec![at_most_zero(sum)?, at_most_zero(&sum.times(-1)?)?]),
        Test::NotZero(_) => None,
        Test::Room { pointer, bytes, .. } => {
            let pointer = parameter(pointer)?;
            let terms: Vec<(&Source, &i128)> = bytes.terms.iter().collect();
            let (scale, of) = match terms[..] {
                [] => (0, None),
                [(source, scale)] if *scale > 0 => (*scale, Some(parameter(source)?)),
                _ => return None,
            };
            Some(vec![Promise::Bytes { pointer, scale, of, plus: bytes.constant }])
        }
    }
}

fn at_most_zero(sum: &Linear) -> Option<Promise> {
    let terms: Vec<(&Source, &i128)> = sum.terms.iter().collect();
    let is_number = |source: &Source| matches!(source.kind, Kind::Number { .. });
    match terms[..] {
        [(source, 1)] if is_number(source) => {
            Some(Promise::Between(parameter(source)?, source.range().0, -sum.constant))
        }
        [(source, -1)] if is_number(source) => {
            Some(Promise::Between(parameter(source)?, sum.constant, source.range().1))
        }
        [(a, 1), (b, -1)] => {
            Some(Promise::Difference { left: parameter(a)?, right: parameter(b)?, most: -sum.constant })
        }
        [(a, -1), (b, 1)] => {
            Some(Promise::Difference { left: parameter(b)?, right: parameter(a)?, most: -sum.constant })
        }
        _ => None,
    }
}

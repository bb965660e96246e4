// SPDX-License-Identifier: MIT OR Apache-2.0
//! What holds at a loop head, in words.

use clew_ir::syntax::{BlockId, FuncId, LocalId};

use crate::domain::place::Place;
use crate::domain::range::Range;
use crate::domain::tuple::TupleFact;
use crate::domain::value::Kind;
use crate::domain::var::Var;
use crate::engine::evaluator::Evaluator;
use crate::explain::question::{kind_text, object_name};
use crate::memory::array_segment::{Bound, SegmentFact, Term};
use crate::program::object::Object;
use crate::state::State;

/// A loop head and what holds there on every iteration.
#[derive(Clone, PartialEq, Debug)]
pub struct Shown {
    /// The function.
    pub function: FuncId,
    /// The block.
    pub block: BlockId,
    /// What holds, one fact a line.
    pub facts: Vec<String>,
}

/// Describes a loop head: the variables that live there, what is remembered of them, and small objects.
pub(crate) fn head(analyser: &Evaluator<'_>, function: FuncId, block: BlockId, state: &State) -> Shown {
    let mut facts = Vec::new();
    let body = analyser.facts.function(function).body.as_ref();
    let name = |local: LocalId| body.and_then(|b| b.locals.get(local)?.name.clone());
    for (local, value) in state.registers().iter() {
        if let Some(name) = name(local) {
            let unwritten = if value.uninit { ", or never written" } else { "" };
            facts.push(format!("{name}: {}{unwritten}", kind_text(analyser, state, &value.kind)));
        }
    }
    for (local, clocked) in state.clocked.iter() {
        if let Some(name) = name(local) {
            facts.extend(clocked.text(&name));
        }
    }
    let in_units = |unit: u32| if unit == 0 { String::new() } else { format!(" in {}s", 1 << unit) };
    let var = |var: Var| match var {
        Var::Register(local) => name(local).map(|name| name.to_string()),
        Var::Minus(local) => name(local).map(|name| format!("-{name}")),
        Var::Offset(local, unit) => Some(format!("offset{}({})", in_units(unit), name(local)?)),
        Var::Room(local, unit) => Some(format!("room{}({})", in_units(unit), name(local)?)),
        Var::Size(object, unit) => Some(format!("size{}({})", in_units(unit), object_name(analyser, object))),
        Var::Nul(object) => Some(format!("nul({})", object_name(analyser, object))),
    };
    facts.extend(state.domains.describe(&var));
    for (object, extent) in state.symbolic.extents.iter() {
        if let Some(local) = name(extent.local) {
            let object = object_name(analyser, object);
            let least = if extent.is_least { "at least " } else { "" };
            facts.push(format!("{object} has {least}{} * {local} + {} bytes", extent.scale, extent.plus));
        }
    }
    for (object, known) in state.symbolic.segments.iter() {
        let object = object_name(analyser, object);
        for fact in known {
            facts.extend(part(analyser, state, &object, fact, &name));
        }
    }
    let place = |place: &Place| match place {
        Place::Register(local) => name(*local).map(|name| name.to_string()),
        Place::Cell(cell) => {
            let object = object_name(analyser, cell.object);
            Some(if cell.offset == 0 { object } else { format!("{object} at {}", cell.offset) })
        }
    };
    for pack in state.tuples.iter().filter(|pack| !matches!(pack.fact, TupleFact::GivenUp(_))) {
        if let Some(places) = pack.places.iter().map(place).collect::<Option<Vec<String>>>() {
            facts.push(format!("{}: {}", places.join(", "), fact_text(analyser, state, &pack.fact)));
        }
    }
    facts.extend(scalars(analyser, state));
    Shown { function, block, facts }
}

fn fact_text(analyser: &Evaluator<'_>, state: &State, fact: &TupleFact) -> String {
    let range = |r: Range| format!("{} to {}", r.lo, r.hi);
    match fact {
        TupleFact::Equal => "equal".to_owned(),
        TupleFact::GivenUp(_) => "anything".to_owned(),
        TupleFact::Tree(tree) => {
            let leaf = |(flags, value): (&[i128], &crate::domain::value::Value)| {
                let flags: Vec<String> = flags.iter().map(i128::to_string).collect();
                let unwritten = if value.uninit { ", or unwritten" } else { "" };
                let value = crate::explain::question::kind_text(analyser, state, &value.kind);
                format!("({}): {value}{unwritten}", flags.join(", "))
            };
            let leaves: Vec<String> = tree.leaves().map(leaf).collect();
            format!("the last is, by the others, {}", leaves.join("; "))
        }
        TupleFact::Lag(lag) => {
            let (by, start, input) = lag.parts();
            format!("a lag by {} from {} with inputs {}", range(by), range(start), range(input))
        }
        TupleFact::Filter(filter) => {
            let (a, b, start, input) = filter.parts();
            let input =
                input.map_or_else(|| "no inputs".to_owned(), |input| format!("inputs {}", range(input)));
            let equal = if start.equal { ", equal" } else { "" };
            let start = format!("{} and {}{equal}", range(start.x), range(start.y));
            format!(
                "a filter {a}, {b} from {start} with {input}: {} and {}",
                range(filter.range(0)),
                range(filter.range(1))
            )
        }
    }
}

/// What holds of a part of an object, if all that it is told by has a name.
fn part(
    analyser: &Evaluator<'_>,
    state: &State,
    object: &str,
    fact: &SegmentFact,
    name: &impl Fn(LocalId) -> Option<std::sync::Arc<str>>,
) -> Option<String> {
    let bound = |b: &Bound| {
        let Some(local) = b.local else { return Some(b.plus.to_string()) };
        let times = if b.times == 1 { String::new() } else { format!("{} * ", b.times) };
        let plus = if b.plus == 0 { String::new() } else { format!(" {:+}", b.plus) };
        Some(format!("{times}{}{plus}", name(local)?))
    };
    let mut indices = String::new();
    for span in &fact.spans {
        indices.push_str(&format!("[{} .. {}]", bound(&span.from)?, bound(&span.to)?));
    }
    let mut said = vec![kind_text(analyser, state, &fact.claim.value.kind)];
    for (term, difference) in &fact.claim.terms {
        let term = match term {
            Term::Index => "their index".to_owned(),
            Term::Register(local) => name(*local)?.to_string(),
            Term::Element(other, _) => {
                format!("those of {} at the same index", object_name(analyser, *other))
            }
        };
        said.push(format!("{term} + {}", kind_text(analyser, state, &Kind::Number(*difference))));
    }
    Some(format!("{object}{indices}: the elements are {}", said.join(", and are ")))
}

/// Objects that hold one scalar: global variables, and locals whose address is taken.
fn scalars(analyser: &Evaluator<'_>, state: &State) -> Vec<String> {
    let mut facts = Vec::new();
    for (id, obj) in state.memory.iter() {
        let is_variable = match analyser.facts.objects.get(id) {
            Object::Global(global) => {
                !analyser.facts.is_constant(id) && analyser.facts.program.globals[*global].size <= 16
            }
            Object::Local(..) => true,
            _ => false,
        };
        let mut segments = obj.contents.segments();
        if let (true, Some((0, only)), None) = (is_variable, segments.next(), segments.next())
            && i128::from(only.end) == obj.size.hi()
            && u64::from(only.element) == only.end
        {
            let value = kind_text(analyser, state, &only.value.kind);
            let name = object_name(analyser, id);
            facts.push(format!("{name}: {value}"));
            facts.extend(obj.contents.clocked().get(0).into_iter().flat_map(|clocked| clocked.text(&name)));
        }
    }
    facts
}

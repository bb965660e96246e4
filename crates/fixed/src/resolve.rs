// SPDX-License-Identifier: MIT OR Apache-2.0
//! From what was said to a [`Setup`]: names become variables of the program, and what is missing is said.

use std::collections::BTreeMap;
use std::sync::Arc;

use clew_base::source::Span;
use clew_ir::syntax::{FuncId, GlobalKind, LocalId, Program, Type, TypeId};

use crate::annotation::{Problem, Said, Wish};
use crate::begin::variable_type;
use crate::facts::Facts;
use crate::format::{Format, Overflow, Rounding};
use crate::setup::{Input, Kept, Setup, Variable, name_of};

/// Resolves what was said. `said` is in the order in which later wishes win over earlier ones.
///
/// # Errors
/// All that is wrong or missing.
pub fn resolve(program: &Program, entry: FuncId, said: &[Said]) -> Result<Setup, Vec<Problem>> {
    let (kept, facts) = (BTreeMap::new(), Arc::default());
    let mut setup = Setup { entry, all: None, kept, inputs: Vec::new(), result: None, facts };
    let mut problems = Vec::new();
    let (mut rounding, mut overflow) = (Rounding::default(), Overflow::default());
    problems.extend(said_twice(said));
    for one in said {
        match &one.wish {
            Wish::Round(mode) => rounding = *mode,
            Wish::Overflow(mode) => overflow = *mode,
            _ => {}
        }
    }
    for one in said {
        let done = match &one.wish {
            Wish::Fixed { name, format } => {
                place_format(program, &mut setup, name, Format { rounding, overflow, ..*format })
            }
            Wish::Range { name, length, low, high } => {
                let range = (low.clone(), high.clone());
                place_range(program, &mut setup, name, *length, range)
            }
            _ => Ok(()),
        };
        if let Err(message) = done {
            problems.push(Problem { span: one.span, message });
        }
    }
    if problems.is_empty() {
        missing(program, &setup, &mut problems);
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    setup.facts = Arc::new(Facts::of(program, &setup));
    Ok(setup)
}

/// Two formats, or two ranges, of one name: in the comments, or in the flags. Flags win over comments.
fn said_twice(said: &[Said]) -> Vec<Problem> {
    let key = |one: &Said| match &one.wish {
        Wish::Fixed { name, .. } => Some(("format", name.clone(), one.span == Span::NONE)),
        Wish::Range { name, .. } => Some(("range", name.clone(), one.span == Span::NONE)),
        _ => None,
    };
    let mut found = Vec::new();
    for (index, one) in said.iter().enumerate() {
        let Some((what, name, by_flag)) = key(one) else { continue };
        let is_other = |other: &Said| key(other).as_ref() == Some(&(what, name.clone(), by_flag));
        if said[..index].iter().any(|other| is_other(other) && other.wish != one.wish) {
            found.push(Problem { span: one.span, message: format!("`{name}` has two {what}s") });
        }
    }
    found
}

fn place_format(program: &Program, setup: &mut Setup, name: &str, format: Format) -> Result<(), String> {
    if name == "ALL" {
        setup.all = Some(format);
        return Ok(());
    }
    if name == "return" {
        setup.result = Some(format.fraction);
        return Ok(());
    }
    let found = named(program, name);
    if found.is_empty() {
        return Err(format!("there is no variable `{name}`"));
    }
    for variable in found {
        let kept = match variable_type(program, variable).and_then(|ty| element(program, ty)) {
            Some(Element::Float) => Kept::Fixed(format),
            Some(Element::Integer) if format.base == 2 => Kept::Quantity { fraction: format.fraction },
            Some(Element::Integer) => {
                return Err(format!("`{name}` is an integer: its format cannot be decimal"));
            }
            None => return Err(format!("`{name}` is no number and no array of numbers")),
        };
        setup.kept.insert(variable, kept);
    }
    Ok(())
}

fn place_range(
    program: &Program,
    setup: &mut Setup,
    name: &str,
    length: Option<u64>,
    range: (clew_base::exact::Rational, clew_base::exact::Rational),
) -> Result<(), String> {
    let is_input = |variable: &Variable| match variable {
        Variable::Global(_) => true,
        Variable::Local(function, local) => {
            *function == setup.entry && is_parameter(program, *function, *local)
        }
    };
    let found: Vec<Variable> = named(program, name).into_iter().filter(is_input).collect();
    // A parameter hides a global of its name.
    let parameter = found.iter().find(|variable| matches!(variable, Variable::Local(..)));
    let Some(variable) = parameter.or(found.first()).copied() else {
        return Err(format!("there is no global and no parameter of the entry with the name `{name}`"));
    };
    let ty = variable_type(program, variable);
    let is_pointer = ty.is_some_and(|ty| matches!(program.types[ty], Type::Pointer(_)));
    let is_array = ty.is_some_and(|ty| matches!(program.types[ty], Type::Array { .. }));
    if length.is_some() && !is_pointer {
        let all = if is_array { "is an array, all of which has one range" } else { "is one number" };
        return Err(format!("`{name}` {all}: write {name}=LOW..HIGH"));
    }
    if is_pointer && length.is_none() {
        return Err(format!("`{name}` is a pointer: say to how many elements, {name}[8]=LOW..HIGH"));
    }
    if ty.and_then(|ty| element(program, ty)).is_none() {
        return Err(format!("`{name}` is no number and no array of numbers"));
    }
    setup.inputs.retain(|input| input.variable != variable);
    setup.inputs.push(Input { variable, range, length: length.filter(|_| is_pointer) });
    Ok(())
}

/// Numbers that nothing says enough about.
fn missing(program: &Program, setup: &Setup, problems: &mut Vec<Problem>) {
    let function = &program.functions[setup.entry];
    let Some(body) = &function.body else {
        problems.push(Problem {
            span: function.span,
            message: format!("`{}` has no body", function.source_name),
        });
        return;
    };
    if setup.all.is_none() && setup.kept.is_empty() {
        let message = "no format is given: --fixed ALL=s7.8, --fixed NAME=s7.8, or a comment `/* clew-fixed: fixed ALL=s7.8 */`";
        problems.push(Problem { span: function.span, message: message.to_owned() });
    }
    for index in 0..body.parameters {
        let local = LocalId(index);
        let declared = &body.locals[local];
        let is_number = element(program, declared.ty).is_some();
        let has_range =
            setup.inputs.iter().any(|input| input.variable == Variable::Local(setup.entry, local));
        let is_main = &*function.name == "main";
        if is_number && !has_range && !is_main {
            let name = declared.name.as_deref().unwrap_or("it");
            let message = format!("the parameter `{name}` has no range: --range {name}=LOW..HIGH");
            problems.push(Problem { span: declared.span, message });
        }
    }
    for input in &setup.inputs {
        let name = name_of(program, input.variable);
        let Some(ty) = variable_type(program, input.variable) else { continue };
        if element(program, ty) == Some(Element::Float)
            && setup.all.is_none()
            && !setup.kept.contains_key(&input.variable)
        {
            let message =
                format!("the input `{name}` has no format: --fixed {name}=s7.8, or ALL=s7.8 for all");
            problems.push(Problem { span: variable_span(program, input.variable), message });
        }
    }
}

/// Where a variable is declared.
fn variable_span(program: &Program, variable: Variable) -> Span {
    match variable {
        Variable::Global(global) => program.globals[global].span,
        Variable::Local(function, local) => {
            program.functions[function].body.as_ref().map_or(Span::NONE, |body| body.locals[local].span)
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Element {
    Float,
    Integer,
}

/// What the numbers of a type are.
fn element(program: &Program, ty: TypeId) -> Option<Element> {
    match &program.types[ty] {
        Type::Float(_) => Some(Element::Float),
        Type::Int { .. } => Some(Element::Integer),
        Type::Array { element: inner, .. } | Type::Pointer(inner) => element(program, *inner),
        _ => None,
    }
}

fn is_parameter(program: &Program, function: FuncId, local: LocalId) -> bool {
    program.functions[function].body.as_ref().is_some_and(|body| local.0 < body.parameters)
}

/// The variables of a name; `f.x` is the `x` of `f`.
fn named(program: &Program, name: &str) -> Vec<Variable> {
    let (scope, plain) = match name.split_once('.') {
        Some((scope, plain)) => (Some(scope), plain),
        None => (None, name),
    };
    let mut found = Vec::new();
    for (id, global) in program.globals.iter_enumerated() {
        let is_it = &*global.name == name || (scope.is_none() && &*global.source_name == plain);
        if is_it && global.kind == GlobalKind::Variable {
            found.push(Variable::Global(id));
        }
    }
    for (id, function) in program.functions.iter_enumerated() {
        if scope.is_some_and(|scope| scope != &*function.source_name) {
            continue;
        }
        let Some(body) = &function.body else { continue };
        for (local, declared) in body.locals.iter_enumerated() {
            if declared.name.as_deref() == Some(plain) {
                found.push(Variable::Local(id, local));
            }
        }
    }
    found
}

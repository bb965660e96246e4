// SPDX-License-Identifier: MIT OR Apache-2.0
//! An open obligation in words: the values that could not be excluded.

use clew_ir::obligation::{Condition, Raise};
use clew_ir::syntax::{ExprId, ExprKind, Place};

use crate::domain::int::Int;
use crate::domain::value::{Address, Kind};
use crate::engine::evaluator::Evaluator;
use crate::engine::facts::Frame;
use crate::program::object::{Object, ObjectId};
use crate::state::State;

impl<'p> Evaluator<'p> {
    /// The question that an obligation leaves, small enough for a person.
    pub(crate) fn question(
        &mut self,
        frame: &Frame<'p>,
        state: &State,
        condition: &Condition,
    ) -> Option<String> {
        question(self, frame, state, condition)
    }
}

fn question<'p>(
    a: &mut Evaluator<'p>,
    frame: &Frame<'p>,
    state: &State,
    condition: &Condition,
) -> Option<String> {
    match condition {
        Condition::Holds(expr) => operands(a, frame, state, *expr),
        Condition::NotRaised(Raise::DivisionByZero, expr) => {
            let ExprKind::Binary(_, _, right) = frame.body.exprs[*expr].kind else { return None };
            Some(format!("the divisor may be {}", value(a, frame, state, right)))
        }
        Condition::NotRaised(_, expr) => operands(a, frame, state, *expr),
        Condition::NotNull(expr)
        | Condition::Valid(expr)
        | Condition::Live(expr)
        | Condition::AllocBase(expr)
        | Condition::Handle(expr)
        | Condition::Lasting(expr)
        | Condition::NulWithin(expr)
        | Condition::WrittenText(expr)
        | Condition::Unnamed(expr, _)
        | Condition::Callable(expr) => {
            let address = a.eval(frame, state, *expr).kind.to_address();
            Some(format!("it may point to {}", address_text(a, state, &address)))
        }
        Condition::InBounds(place)
        | Condition::Writable(place)
        | Condition::Initialised(place, _)
        | Condition::Aligned(place, _) => place_text(a, frame, state, place),
        Condition::ReadableRange(p, n) | Condition::WritableRange(p, n) | Condition::WrittenRange(p, n) => {
            let address = a.eval(frame, state, *p).kind.to_address();
            let bytes = a.number(frame, state, *n, 2);
            Some(format!("{} bytes at {}", range(&bytes), address_text(a, state, &address)))
        }
        Condition::StackFits(expr) => Some(format!("it may have {} bytes", value(a, frame, state, *expr))),
        _ => None,
    }
}

fn operands<'p>(a: &mut Evaluator<'p>, frame: &Frame<'p>, state: &State, expr: ExprId) -> Option<String> {
    match frame.body.exprs[expr].kind {
        ExprKind::Binary(_, left, right) | ExprKind::Compare(_, left, right) => {
            let (x, y) = (value(a, frame, state, left), value(a, frame, state, right));
            Some(format!("the operands may be {x} and {y}"))
        }
        ExprKind::Cast(inner) | ExprKind::Unary(_, inner) => {
            Some(format!("the operand may be {}", value(a, frame, state, inner)))
        }
        _ => Some(format!("it may be {}", value(a, frame, state, expr))),
    }
}

fn value<'p>(a: &mut Evaluator<'p>, frame: &Frame<'p>, state: &State, expr: ExprId) -> String {
    let kind = a.eval(frame, state, expr).kind;
    kind_text(a, state, &kind)
}

/// A value in words.
pub(crate) fn kind_text(a: &Evaluator<'_>, state: &State, kind: &Kind) -> String {
    match kind {
        Kind::Number(n) => range(n),
        Kind::Float(f) => match (f.lo(), f.hi()) {
            (Some(lo), Some(hi)) => {
                let nan = if f.may_be_nan() { " or NaN" } else { "" };
                let (lo, hi) = (float_text(lo), float_text(hi));
                if lo == hi { format!("{lo}{nan}") } else { format!("{lo} to {hi}{nan}") }
            }
            _ => "NaN".to_owned(),
        },
        Kind::Address(address) => address_text(a, state, address),
        Kind::Any => "anything".to_owned(),
    }
}

/// A float as a person writes it: `1.4e-45`, not a line of zeros.
fn float_text(f: f64) -> String {
    let is_plain = f == 0.0 || (1e-4..1e15).contains(&f.abs()) || !f.is_finite();
    if is_plain { f.to_string() } else { format!("{f:e}") }
}

/// A bound as a person writes it: the ends of types by their names.
fn bound(bound: i128) -> String {
    const NAMED: [(i128, &str); 8] = [
        (i128::MIN, "any"),
        (i64::MIN as i128, "LONG_MIN"),
        (i32::MIN as i128, "INT_MIN"),
        (i32::MAX as i128, "INT_MAX"),
        (u32::MAX as i128, "UINT_MAX"),
        (i64::MAX as i128, "LONG_MAX"),
        (u64::MAX as i128, "SIZE_MAX"),
        (i128::MAX, "any"),
    ];
    let name = NAMED.iter().find(|(value, _)| *value == bound).map(|(_, name)| (*name).to_owned());
    name.unwrap_or_else(|| bound.to_string())
}

/// A range in words.
pub(crate) fn range(n: &Int) -> String {
    if let Some(c) = n.as_constant() {
        return bound(c);
    }
    match n.stride() {
        (modulus, remainder) if modulus > 1 => {
            let rest = if remainder == 0 { String::new() } else { format!(" plus {remainder}") };
            format!("{} to {} in steps of {modulus}{rest}", bound(n.lo()), bound(n.hi()))
        }
        _ => format!("{} to {}", bound(n.lo()), bound(n.hi())),
    }
}

fn place_text<'p>(a: &mut Evaluator<'p>, frame: &Frame<'p>, state: &State, place: &Place) -> Option<String> {
    let address = a.address(frame, state, place);
    Some(format!("it may be at {}", address_text(a, state, &address)))
}

/// A number that is used as an address, in words.
pub(crate) fn number_text(n: &Int) -> String {
    match (n.lo(), n.hi()) {
        (0, 0) => "null".to_owned(),
        (0, hi) if hi == i128::from(u64::MAX) => "any address".to_owned(),
        (1, hi) if hi == i128::from(u64::MAX) => "any address but null".to_owned(),
        _ => format!("address {}", range(n)),
    }
}

/// An address in words.
pub(crate) fn address_text(a: &Evaluator<'_>, state: &State, address: &Address) -> String {
    let mut parts = Vec::new();
    parts.extend(address.number.as_ref().map(number_text));
    const MOST: usize = 3;
    for (object, offset) in address.targets.iter().take(MOST) {
        let size = range(&a.facts.size(state, *object));
        parts.push(format!("offset {} of {} ({size} bytes)", range(offset), object_name(a, *object)));
    }
    if address.targets.len() > MOST {
        parts.push(format!("{} more", address.targets.len() - MOST));
    }
    if address.unknown {
        parts.push("an object that is not known".to_owned());
    }
    parts.join(", ")
}

/// The name of an object, for a person.
pub(crate) fn object_name(a: &Evaluator<'_>, object: ObjectId) -> String {
    let local_name = |f: &clew_ir::syntax::FuncId, l: &clew_ir::syntax::LocalId| {
        let body = a.facts.function(*f).body.as_ref();
        let name = body.and_then(|b| b.locals[*l].name.as_ref());
        name.map_or_else(|| "a local".to_owned(), |n| format!("`{n}`"))
    };
    match a.facts.objects.get(object) {
        Object::Global(g) => format!("`{}`", a.facts.program.globals[*g].source_name),
        Object::Local(f, l) => local_name(f, l),
        Object::DeadLocal(f, l) => format!("{}, whose life has ended", local_name(f, l)),
        Object::Recent(..) | Object::Older(..) => "an allocated object".to_owned(),
        Object::Alloca(_) | Object::OlderAlloca(_) => "what alloca gave".to_owned(),
        Object::Function(f) => format!("function `{}`", a.facts.function(*f).source_name),
        Object::Label(..) => "a label".to_owned(),
        Object::VarArgs(_) => "the arguments".to_owned(),
        Object::Returned(_) => "a result".to_owned(),
        Object::Input(_) => "what the caller passed".to_owned(),
    }
}

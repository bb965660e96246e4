// SPDX-License-Identifier: MIT OR Apache-2.0
//! Conditions judged exactly, and what a violated one says.

use clew_base::source::Span;
use clew_ir::obligation::{CheckKind, Condition, Raise};
use clew_ir::syntax::{CompareOp, ExprId, ExprKind, ObligationId, Place, Type, TypeId};

use super::expression::Evaluated;
use crate::eval::Context;
use crate::machine::{Machine, Stop, Violation};
use crate::memory::{Fault, Kind, Name};
use crate::services::plural;
use crate::value::{Pointer, Provenance};

/// What a violated condition says, and the object it is about.
struct Verdict {
    message: String,
    object: Provenance,
}

impl Verdict {
    fn new(message: impl Into<String>) -> Option<Verdict> {
        Verdict::about(message, Provenance::NONE)
    }

    fn about(message: impl Into<String>, object: Provenance) -> Option<Verdict> {
        Some(Verdict { message: message.into(), object })
    }
}

impl Machine<'_> {
    /// Judges an obligation of the innermost frame's function; `Ok` when it holds or the run goes on.
    pub(super) fn judge(&mut self, obligation: ObligationId) -> Result<(), Stop> {
        let (Some(body), Some(frame)) = (self.body(), self.frames.last()) else { return Ok(()) };
        let function = frame.function;
        let found = &body.obligations[obligation];
        let key = (found.check, Some((function, obligation)), found.span);
        if self.options.counts_once && self.counted_index.contains_key(&key) {
            return Ok(());
        }
        let Some(verdict) = self.violated(&found.condition, found.check, found.span) else { return Ok(()) };
        self.violate(Violation {
            check: found.check,
            obligation: Some((function, obligation)),
            argument: None,
            span: found.span,
            message: verdict.message,
            object: verdict.object,
        })
    }

    fn violated(&mut self, condition: &Condition, check: CheckKind, span: Span) -> Option<Verdict> {
        let known = &mut Evaluated::default();
        match condition {
            Condition::Holds(expr) => self.holds(known, *expr, check, span),
            Condition::Never => Verdict::new(self.never(check)),
            Condition::NotRaised(raise, expr) => self.raised(known, *raise, *expr),
            Condition::InitialisedLocal(local) => {
                let frame = self.frames.last()?;
                let flag = frame.code.flags.get(local).copied()?;
                if self.slots(flag)[0] != 0 {
                    return None;
                }
                let name = self.body()?.locals[*local].name.clone();
                let name = name.map_or("a temporary".into(), |name| format!("`{name}`"));
                Verdict::new(format!("{name} has no value yet"))
            }
            Condition::NotNull(expr) => {
                let pointer = self.evaluate_with(known, *expr).as_ptr();
                let text = self.text_of(*expr);
                if pointer.is_null() { Verdict::new(format!("{text} is null")) } else { None }
            }
            Condition::Valid(expr) => {
                let pointer = self.evaluate_with(known, *expr).as_ptr();
                if !pointer.prov.is_none() || pointer.is_null() {
                    return None;
                }
                let text = self.text_of(*expr);
                Verdict::new(format!("{text} is {:#x}, which was derived from no object", pointer.addr))
            }
            Condition::Live(expr) => {
                let pointer = self.evaluate_with(known, *expr).as_ptr();
                if pointer.prov.is_none() || self.memory.live(pointer.prov).is_some() {
                    return None;
                }
                self.dead(pointer, check)
            }
            Condition::InBounds(place) => self.outside(known, place),
            Condition::Writable(place) => {
                let pointer = self.place_pointer(known, place);
                let object = self.memory.live(pointer.prov)?;
                if object.writable {
                    return None;
                }
                let message = self.explain(Fault::ReadOnly, pointer, 1, true).1;
                Verdict::about(message, pointer.prov)
            }
            Condition::Aligned(place, align) => {
                let pointer = self.place_pointer(known, place);
                if pointer.addr.is_multiple_of(u64::from((*align).max(1))) {
                    return None;
                }
                let offset =
                    self.memory.object(pointer.prov).map(|o| pointer.addr.wrapping_sub(o.base) as i64);
                let name = self.describe(pointer.prov);
                let at = offset
                    .map_or(format!("{:#x}", pointer.addr), |offset| format!("offset {offset} of {name}"));
                Verdict::about(format!("{at} is no multiple of {align}"), pointer.prov)
            }
            Condition::Initialised(place, bits) => {
                let pointer = self.place_pointer(known, place);
                let bytes = self.program.types().access_bytes(place);
                let bits = bits.map(|range| (range.start, range.width));
                let readable = self.memory.judge(pointer, bytes, false).is_ok();
                // An x87 float has padding behind its value, which stores leave alone.
                let written = match self.program.types().get(place.ty) {
                    Type::Float(format) => u64::from(format.bits() / 8),
                    _ => bytes,
                };
                if !readable || self.memory.is_initialised(pointer, written, bits) {
                    return None;
                }
                let name = self.describe(pointer.prov);
                let offset =
                    self.memory.object(pointer.prov).map_or(0, |o| pointer.addr.wrapping_sub(o.base));
                Verdict::about(format!("offset {offset} of {name} was never written"), pointer.prov)
            }
            Condition::AllocBase(expr) => {
                let pointer = self.evaluate_with(known, *expr).as_ptr();
                if pointer.is_null() {
                    return None;
                }
                let (_, message) = self.judge_free(pointer)?;
                Verdict::about(message, pointer.prov)
            }
            Condition::Handle(expr) => {
                let pointer = self.evaluate_with(known, *expr).as_ptr();
                let object = self.memory.live(pointer.prov).filter(|object| object.base == pointer.addr);
                let is_handle = object.is_some_and(|object| match object.name {
                    Name::Global(global) => self.program.globals[global].is_handle(),
                    _ => object.kind == Kind::Library,
                });
                let why = "the pointer is none that the library made";
                if is_handle { None } else { Verdict::about(why.to_owned(), pointer.prov) }
            }
            Condition::Lasting(expr) => {
                let pointer = self.evaluate_with(known, *expr).as_ptr();
                let object = self.memory.live(pointer.prov)?;
                let ends = matches!(object.kind, Kind::Stack | Kind::Heap);
                let why = || format!("{} may end before the program does", self.describe(pointer.prov));
                ends.then(|| Verdict::about(why(), pointer.prov))?
            }
            Condition::SameObject(left, right) => self.different(known, *left, *right),
            Condition::Disjoint { p, n, q, m } => self.overlapping(known, (*p, *n), (*q, *m)),
            Condition::SameOrDisjoint { p, q, n } => {
                let one = self.evaluate_with(known, *p).as_ptr();
                let other = self.evaluate_with(known, *q).as_ptr();
                if one.addr == other.addr {
                    return None;
                }
                self.overlapping(known, (*p, *n), (*q, *n))
            }
            Condition::ReadableRange(pointer, bytes) => self.bad_range(known, *pointer, *bytes, false),
            Condition::WritableRange(pointer, bytes) => self.bad_range(known, *pointer, *bytes, true),
            Condition::WrittenRange(pointer, bytes) => {
                let pointer = self.evaluate_with(known, *pointer).as_ptr();
                let bytes = self.evaluate_with(known, *bytes).as_int() as u64;
                self.unwritten(pointer, bytes)
            }
            Condition::WrittenText(expr) => {
                let pointer = self.evaluate_with(known, *expr).as_ptr();
                let bytes =
                    self.memory.tail(pointer).and_then(|tail| tail.iter().position(|byte| *byte == 0));
                self.unwritten(pointer, bytes.map_or(0, |bytes| bytes as u64 + 1))
            }
            Condition::NulWithin(expr) => {
                let pointer = self.evaluate_with(known, *expr).as_ptr();
                let terminated = self.memory.tail(pointer).is_none_or(|tail| tail.contains(&0));
                let name = self.describe(pointer.prov);
                if terminated {
                    None
                } else {
                    Verdict::about(format!("no NUL before the end of {name}"), pointer.prov)
                }
            }
            Condition::Callable(expr) => self.not_callable(known, *expr),
            Condition::Unnamed(list, ty) => {
                let list = self.evaluate_with(known, *list).as_ptr();
                let why = self.misfit_of_unnamed(list, *ty)?;
                Verdict::about(why, list.prov)
            }
            Condition::StackFits(expr) => {
                let bytes = self.evaluate_with(known, *expr).as_int();
                let left = self.options.stack_limit.saturating_sub(self.stack_used);
                if bytes <= 0 {
                    Verdict::new(format!("an object of {bytes} bytes"))
                } else if bytes > i128::from(left) {
                    Verdict::new(format!(
                        "an object of {bytes} bytes does not fit the {left} bytes of stack that are left"
                    ))
                } else {
                    None
                }
            }
            Condition::ResultUnused => {
                let frame = self.frames.last()?;
                let name = &self.program.functions[frame.function].source_name;
                frame
                    .result_used
                    .then(|| Verdict::new(format!("`{name}` ends without a value, and its caller uses it")))?
            }
            Condition::NotLeaked | Condition::Commutes => None,
        }
    }

    fn never(&self, check: CheckKind) -> &'static str {
        match check {
            CheckKind::Unsequenced => "the order of two effects on one object is left open",
            CheckKind::ErrorCall => "the error function is called",
            CheckKind::BadArgument => "the format asks for arguments that are not there or have another type",
            CheckKind::Assertion => "the assertion fails",
            CheckKind::UnreachableReached => "code that the program says is unreachable was reached",
            _ => "the program comes here",
        }
    }

    /// The C text of an expression, or words for it.
    fn text_of(&self, expr: ExprId) -> String {
        let span = self.body().map_or(Span::NONE, |body| body.exprs[expr].span);
        let text = String::from_utf8_lossy(self.program.sources.text(span)).into_owned();
        let plain = span.expansion.is_none() && !text.is_empty() && text.len() <= 40 && !text.contains('\n');
        if plain { format!("`{text}`") } else { "the pointer".into() }
    }

    /// The C text of the array in an operation such as `a.b[i]`.
    fn array_text(&self, span: Span) -> Option<String> {
        let text = std::str::from_utf8(self.program.sources.text(span)).ok()?;
        let inner = text.trim_end().strip_suffix(']')?;
        let mut open = 0;
        let start = inner.char_indices().rev().find(|(_, c)| {
            open += i32::from(*c == ']') - i32::from(*c == '[');
            open < 0
        })?;
        let array = inner[..start.0].trim();
        let plain =
            !array.is_empty() && array.len() <= 40 && !array.contains('\n') && span.expansion.is_none();
        plain.then(|| array.to_owned())
    }

    fn holds(
        &mut self,
        known: &mut Evaluated,
        expr: ExprId,
        check: CheckKind,
        span: Span,
    ) -> Option<Verdict> {
        if self.evaluate_with(known, expr).as_int() != 0 {
            return None;
        }
        let body = self.body()?;
        if let ExprKind::Compare(op, left, right) = body.exprs[expr].kind {
            let index = self.signed_index(known, left);
            let limit = self.evaluate_with(known, right).as_int();
            if check == CheckKind::OutOfBounds && matches!(op, CompareOp::Lt | CompareOp::Le) {
                let elements = plural(limit as u64, "element");
                return Verdict::new(match self.array_text(span) {
                    Some(array) => format!("index {index} is outside `{array}` ({elements})"),
                    None => format!("index {index} is outside an array of {elements}"),
                });
            }
        }
        Verdict::new(match check {
            CheckKind::Assertion => "the assertion fails",
            CheckKind::BadArgument => "the argument is 0",
            _ => "the condition does not hold",
        })
    }

    /// An index before it was read as unsigned for the comparison.
    fn signed_index(&mut self, known: &mut Evaluated, expr: ExprId) -> i128 {
        let value = self.evaluate_with(known, expr).as_int();
        match self.body().map(|body| &body.exprs[expr].kind) {
            Some(ExprKind::Cast(operand)) => self.evaluate_with(known, *operand).as_int(),
            _ => value,
        }
    }

    fn dead(&mut self, pointer: Pointer, check: CheckKind) -> Option<Verdict> {
        let freed = self.memory.object(pointer.prov).is_none_or(|object| object.kind == Kind::Heap);
        if check == CheckKind::DoubleFree {
            // What dies without being freed is not freed twice: invalid-free says so.
            let name = self.describe(pointer.prov);
            return freed.then(|| Verdict::about(format!("{name} was freed already"), pointer.prov))?;
        }
        let message = self.explain(Fault::Dead, pointer, 1, false).1;
        Verdict::about(message, pointer.prov)
    }

    fn outside(&mut self, known: &mut Evaluated, place: &Place) -> Option<Verdict> {
        let pointer = self.place_pointer(known, place);
        let bytes = self.program.types().access_bytes(place);
        match self.memory.judge(pointer, bytes, false) {
            Err(Fault::OutOfBounds) => {
                let message = self.outside_message(known, place, pointer, bytes);
                Verdict::about(message, pointer.prov)
            }
            _ => None,
        }
    }

    /// `` index 10 is outside `buf` (10 elements)`` where the place is an element, else the offset.
    fn outside_message(
        &mut self,
        known: &mut Evaluated,
        place: &Place,
        pointer: Pointer,
        bytes: u64,
    ) -> String {
        use clew_ir::syntax::Projection;
        let base = self.base_pointer(known, place);
        let object = self.memory.live(pointer.prov).map(|o| (o.base, o.size));
        if let ([Projection::Index { index, stride, .. }], Some((start, size))) =
            (place.projections.as_slice(), object)
            && *stride > 0
            && base.addr == start
            && size.is_multiple_of(*stride)
        {
            let index = self.evaluate_with(known, *index).as_int();
            let name = self.describe(pointer.prov);
            return format!("index {index} is outside {name} ({})", plural(size / stride, "element"));
        }
        self.explain(Fault::OutOfBounds, pointer, bytes, false).1.replacen("reads", "accesses", 1)
    }

    fn different(&mut self, known: &mut Evaluated, left: ExprId, right: ExprId) -> Option<Verdict> {
        let (left, right) =
            (self.evaluate_with(known, left).as_ptr(), self.evaluate_with(known, right).as_ptr());
        if left.prov == right.prov {
            return None;
        }
        let name = |machine: &Self, pointer: Pointer| match pointer {
            pointer if pointer.is_null() => "null".to_owned(),
            pointer if pointer.prov.is_none() => format!("{:#x}", pointer.addr),
            pointer => machine.describe(pointer.prov),
        };
        let message =
            format!("one pointer is into {}, the other into {}", name(self, left), name(self, right));
        Verdict::about(message, if left.prov.is_none() { right.prov } else { left.prov })
    }

    fn overlapping(
        &mut self,
        known: &mut Evaluated,
        one: (ExprId, ExprId),
        other: (ExprId, ExprId),
    ) -> Option<Verdict> {
        let p = self.evaluate_with(known, one.0).as_ptr();
        let q = self.evaluate_with(known, other.0).as_ptr();
        let n = self.evaluate_with(known, one.1).as_int() as u64;
        let m = self.evaluate_with(known, other.1).as_int() as u64;
        let apart =
            n == 0 || m == 0 || p.addr.saturating_add(n) <= q.addr || q.addr.saturating_add(m) <= p.addr;
        if apart {
            return None;
        }
        let name = self.describe(p.prov);
        Verdict::about(format!("both touch the same bytes of {name}"), p.prov)
    }

    fn bad_range(
        &mut self,
        known: &mut Evaluated,
        pointer: ExprId,
        bytes: ExprId,
        writes: bool,
    ) -> Option<Verdict> {
        let pointer = self.evaluate_with(known, pointer).as_ptr();
        let bytes = self.evaluate_with(known, bytes).as_int() as u64;
        let fault = self.memory.judge(pointer, bytes, writes).err()?;
        Verdict::about(self.explain(fault, pointer, bytes, writes).1, pointer.prov)
    }

    /// Bytes that were never written.
    fn unwritten(&mut self, pointer: Pointer, bytes: u64) -> Option<Verdict> {
        let readable = self.memory.judge(pointer, bytes, false).is_ok();
        if !readable || self.memory.is_initialised(pointer, bytes, None) {
            return None;
        }
        let name = self.describe(pointer.prov);
        Verdict::about(format!("bytes of {name} were never written"), pointer.prov)
    }

    fn not_callable(&mut self, known: &mut Evaluated, expr: ExprId) -> Option<Verdict> {
        let pointer = self.evaluate_with(known, expr).as_ptr();
        let Some(function) = self.function_at(pointer) else {
            let name = if pointer.prov.is_none() {
                format!("{:#x}", pointer.addr)
            } else {
                self.describe(pointer.prov)
            };
            return Verdict::about(
                format!("{} points to {name}, which is no function", self.text_of(expr)),
                pointer.prov,
            );
        };
        let types = self.program.types();
        let pointee = types.pointee(self.body()?.exprs[expr].ty)?;
        let actual = self.program.functions[function].ty;
        let call = self.current_call();
        if self.compatible(pointee, actual, call.as_deref()) {
            return None;
        }
        let name = &self.program.functions[function].source_name;
        Verdict::about(
            format!("`{name}` is called with a type or with arguments that it does not have"),
            pointer.prov,
        )
    }

    /// The types of the arguments of the call that the innermost frame is at.
    fn current_call(&self) -> Option<Vec<TypeId>> {
        let frame = self.frames.last()?;
        // A direct call's obligations stand before it: the call is the next operation that calls.
        let rest = frame.code.ops.get(frame.pc as usize..)?;
        let site = rest.iter().find_map(|op| match op {
            crate::code::Op::Call { x } => Some(*x),
            _ => None,
        })?;
        Some(frame.code.calls[site as usize].arguments.iter().map(|a| a.ty).collect())
    }

    /// Whether a function may be called as a function of another type. C asks for compatible types; pointers to
    /// different types are let pass, since every compiler passes them alike.
    fn compatible(&self, called_as: TypeId, actual: TypeId, arguments: Option<&[TypeId]>) -> bool {
        let types = self.program.types();
        let (Type::Function { result, parameters, variadic, prototyped }, Type::Function { .. }) =
            (types.get(called_as), types.get(actual))
        else {
            return true;
        };
        let Type::Function {
            result: real,
            parameters: wanted,
            variadic: real_variadic,
            prototyped: real_proto,
        } = types.get(actual)
        else {
            return true;
        };
        let given: &[TypeId] = if *prototyped { parameters } else { arguments.unwrap_or(parameters) };
        if !self.alike(*result, *real) {
            return false;
        }
        if !*real_proto {
            return given.len() == wanted.len() || wanted.is_empty();
        }
        let counts = if *real_variadic { given.len() >= wanted.len() } else { given.len() == wanted.len() };
        let kinds = !*prototyped || variadic == real_variadic;
        counts && kinds && given.iter().zip(wanted).all(|(a, b)| self.alike(*a, *b))
    }

    fn alike(&self, one: TypeId, other: TypeId) -> bool {
        let types = self.program.types();
        one == other
            || (types.is_pointer(one) && types.is_pointer(other))
            || types
                .int_type(one)
                .is_some_and(|a| types.int_type(other).is_some_and(|b| a.bits == b.bits && a.bits != 1))
                && types.is_pointer(one) == types.is_pointer(other)
    }

    fn raised(&mut self, known: &mut Evaluated, raise: Raise, expr: ExprId) -> Option<Verdict> {
        let body = self.body()?;
        let node = &body.exprs[expr];
        let operands = self.operands(known, expr);
        let mut context = Context { types: self.program.types(), memory: &mut self.memory };
        if !context.raises(raise, node, &operands) {
            return None;
        }
        let operation = self.operation_text(&node.kind, &operands);
        let ty = self.type_name(node.ty);
        Verdict::new(match raise {
            Raise::SignedOverflow | Raise::UnsignedWrap => format!("{operation} does not fit {ty}"),
            Raise::DivisionByZero => format!("{operation}: the divisor is 0"),
            Raise::ShiftRange => self.shift_message(&operation, &ty, &operands),
            Raise::LossyConversion => format!("{operation} does not keep its value in {ty}"),
            Raise::FloatOverflow => format!("{operation} overflows {ty}"),
            Raise::FloatUnderflow => format!("{operation} is tiny in {ty}"),
            Raise::FloatDivisionByZero => format!("{operation}: the divisor is 0"),
            Raise::FloatInvalid => format!("{operation} has no value"),
            Raise::FloatToInt => format!("{operation} does not fit {ty}"),
        })
    }
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! `<stdlib.h>` and `<search.h>`: sorting and searching with a comparison of the program.
//!
//! `qsort` compares in the order in which glibc 2.36 does (a merge sort with a temporary; elements of more than 32
//! bytes are sorted through pointers and moved once at the end), so comparisons with side effects agree.

use clew_ir::obligation::CheckKind;
use clew_ir::syntax::Type;

use super::Table;
use super::context::{Answer, INT, SIZE, null, pointer, unit};
use crate::machine::Stop;
use crate::native::NativeCtx;
use crate::value::{Pointer, Value};

type Ctx<'a, 'm, 'p> = &'a mut NativeCtx<'m, 'p>;

/// The functions.
pub const TABLE: Table =
    &[("qsort", qsort), ("qsort_r", qsort_r), ("bsearch", bsearch), ("lfind", lfind), ("lsearch", lsearch)];

/// A comparison takes so many pointers and gives an `int`; what does not is no function to be called with them.
fn check_comparison(
    ctx: &mut NativeCtx<'_, '_>,
    compare: Pointer,
    pointers: usize,
    argument: usize,
) -> Result<(), Stop> {
    let Some(function) = ctx.machine.function_at(compare) else { return Ok(()) };
    let program = ctx.program();
    let types = program.types();
    let function = &program.functions[function];
    let Type::Function { result, parameters, prototyped, .. } = types.get(function.ty) else { return Ok(()) };
    let gives_int =
        types.int_type(*result).is_some_and(|int| int.bits == INT.bits) && !types.is_pointer(*result);
    let takes = parameters.len() == pointers && parameters.iter().all(|ty| types.is_pointer(*ty));
    if gives_int && (takes || !*prototyped) {
        return Ok(());
    }
    let message = format!(
        "argument {} of `{}`: `{}` is called with a type that it does not have",
        argument + 1,
        ctx.name(),
        function.source_name
    );
    ctx.violate_about(CheckKind::BadCall, Some(argument), message, compare.prov)
}

/// A sort under way.
struct Sort {
    base: Pointer,
    size: u64,
    compare: Pointer,
    /// The third argument of `qsort_r`'s comparison.
    context: Option<Value>,
    /// Room for all elements.
    scratch: Pointer,
}

/// Above this size glibc sorts pointers to the elements.
const DIRECT: u64 = 32;

fn sort(ctx: &mut NativeCtx<'_, '_>, context: Option<Value>) -> Answer {
    let (base, count, size, compare) = (ctx.ptr(0), ctx.size(1), ctx.size(2), ctx.ptr(3));
    if compare.is_null() {
        ctx.bad_argument(3, "the comparison is null")?;
        return unit();
    }
    let total = count.saturating_mul(size);
    if !ctx.check_write(base, total, 0)? || total == 0 || count == 1 {
        return unit();
    }
    check_comparison(ctx, compare, 2 + usize::from(context.is_some()), 3)?;
    ctx.machine.touch(base, total, true);
    let scratch = ctx.alloc_static(total, "the temporary of qsort");
    if scratch.is_null() {
        return Err(ctx.out_of_memory());
    }
    let sort = Sort { base, size, compare, context, scratch };
    if size > DIRECT {
        sort.indirect(ctx, count)?;
    } else {
        sort.direct(ctx, base, count)?;
    }
    let died = ctx.machine.trace();
    ctx.memory().kill(scratch.prov, died);
    unit()
}

impl Sort {
    fn ordered(&self, ctx: &mut NativeCtx<'_, '_>, a: Pointer, b: Pointer) -> Result<bool, Stop> {
        let both = [Value::Ptr(a), Value::Ptr(b)];
        let result = match self.context {
            None => ctx.call_back(self.compare, &both)?,
            Some(context) => ctx.call_back(self.compare, &[both[0], both[1], context])?,
        };
        Ok(result.as_int() as i32 <= 0)
    }

    /// Sorts elements in place, through the scratch object.
    fn direct(&self, ctx: &mut NativeCtx<'_, '_>, start: Pointer, count: u64) -> Result<(), Stop> {
        if count <= 1 {
            return Ok(());
        }
        let first = count / 2;
        let middle = start.add(first * self.size);
        self.direct(ctx, start, first)?;
        self.direct(ctx, middle, count - first)?;
        let (mut left, mut right) = ((start, first), (middle, count - first));
        let mut out = self.scratch;
        while left.1 > 0 && right.1 > 0 {
            let side = if self.ordered(ctx, left.0, right.0)? { &mut left } else { &mut right };
            ctx.memory().copy(out, side.0, self.size);
            *side = (side.0.add(self.size), side.1 - 1);
            out = out.add(self.size);
        }
        ctx.memory().copy(out, left.0, left.1 * self.size);
        ctx.memory().copy(start, self.scratch, (count - right.1) * self.size);
        Ok(())
    }

    /// Sorts numbers of elements and moves the elements once.
    fn indirect(&self, ctx: &mut NativeCtx<'_, '_>, count: u64) -> Result<(), Stop> {
        let mut order: Vec<u64> = (0..count).collect();
        self.merge_numbers(ctx, &mut order)?;
        ctx.memory().copy(self.scratch, self.base, count * self.size);
        for (to, from) in order.into_iter().enumerate() {
            let to = self.base.add(to as u64 * self.size);
            ctx.memory().copy(to, self.scratch.add(from * self.size), self.size);
        }
        Ok(())
    }

    fn merge_numbers(&self, ctx: &mut NativeCtx<'_, '_>, order: &mut [u64]) -> Result<(), Stop> {
        if order.len() <= 1 {
            return Ok(());
        }
        let middle = order.len() / 2;
        self.merge_numbers(ctx, &mut order[..middle])?;
        self.merge_numbers(ctx, &mut order[middle..])?;
        let mut merged = Vec::with_capacity(order.len());
        let (mut left, mut right) = (0, middle);
        while left < middle && right < order.len() {
            let at = |number: u64| self.base.add(number * self.size);
            if self.ordered(ctx, at(order[left]), at(order[right]))? {
                merged.push(order[left]);
                left += 1;
            } else {
                merged.push(order[right]);
                right += 1;
            }
        }
        merged.extend_from_slice(&order[left..middle]);
        order[..merged.len()].copy_from_slice(&merged);
        Ok(())
    }
}

fn qsort(ctx: Ctx) -> Answer {
    sort(ctx, None)
}

fn qsort_r(ctx: Ctx) -> Answer {
    let context = ctx.arg(4);
    sort(ctx, Some(context))
}

fn bsearch(ctx: Ctx) -> Answer {
    let (key, base, count, size) = (ctx.ptr(0), ctx.ptr(1), ctx.size(2), ctx.size(3));
    let compare = ctx.ptr(4);
    if compare.is_null() {
        ctx.bad_argument(4, "the comparison is null")?;
        return null();
    }
    let total = count.saturating_mul(size);
    if !ctx.check_read(base, total, 1)? {
        return null();
    }
    let (mut low, mut high) = (0, count);
    if low < high {
        check_comparison(ctx, compare, 2, 4)?;
    }
    while low < high {
        let middle = low + (high - low) / 2;
        let element = base.add(middle * size);
        let order = ctx.call_back(compare, &[Value::Ptr(key), Value::Ptr(element)])?.as_int() as i32;
        match order.cmp(&0) {
            std::cmp::Ordering::Less => high = middle,
            std::cmp::Ordering::Greater => low = middle + 1,
            std::cmp::Ordering::Equal => return pointer(element),
        }
    }
    null()
}

/// Where the element equal to the key is; also the end of the array.
fn linear(ctx: &mut NativeCtx<'_, '_>) -> Result<(Option<Pointer>, Pointer, u64), Stop> {
    let (key, base, size, compare) = (ctx.ptr(0), ctx.ptr(1), ctx.size(3), ctx.ptr(4));
    let count = ctx.read_int(ctx.ptr(2), SIZE, 2)? as u64;
    let mut element = base;
    for _ in 0..count {
        if !ctx.check_read(element, size, 1)? {
            break;
        }
        if ctx.call_back(compare, &[Value::Ptr(key), Value::Ptr(element)])?.as_int() as i32 == 0 {
            return Ok((Some(element), element, count));
        }
        element = element.add(size);
    }
    Ok((None, element, count))
}

fn lfind(ctx: Ctx) -> Answer {
    pointer(linear(ctx)?.0.unwrap_or(Pointer::NULL))
}

fn lsearch(ctx: Ctx) -> Answer {
    let (found, end, count) = linear(ctx)?;
    if let Some(found) = found {
        return pointer(found);
    }
    let (key, size) = (ctx.ptr(0), ctx.size(3));
    ctx.copy((end, 1), (key, 0), size)?;
    ctx.write_int(ctx.ptr(2), SIZE, i128::from(count.wrapping_add(1)), 2)?;
    pointer(end)
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! Scalars as they are read and as they stand in memory: the bits of one, pieces of them, and the other way round.
//!
//! A union is read in another shape than it was written in. Integers and floats are then seen through their bits, so
//! that `u.f = x; if ((u.i & 0x7fffffff) > 0x7f800000)` is as exact as `isnan(x)`. Bytes are numbered from the lowest.

use std::sync::Arc;

use clew_base::float::Format;
use clew_base::int::IntType;

use crate::domain::float::Float;
use crate::domain::int::Int;
use crate::domain::shape::{Shape, top};
use crate::domain::value::{Address, Kind, Value};
use crate::memory::contents::Segment;

/// A stored value of `element` bytes, read in a shape of as many bytes (or a uniform one in any).
pub(crate) fn decode(value: &Value, element: u32, shape: Shape) -> Value {
    let kind = match (&value.kind, shape) {
        (Kind::Number(n), _) if n.as_constant() == Some(0) => zero(shape),
        (Kind::Any, _) => top(shape),
        (Kind::Number(n), Shape::Int(ty)) => Kind::Number(n.wrap(ty)),
        (Kind::Number(n), Shape::Pointer(bytes)) => {
            let number = n.wrap(IntType::unsigned(bytes as u16 * 8));
            match number.as_constant() {
                Some(_) => Kind::Number(number),
                // The bytes of an address that were copied one by one look like this.
                None => Kind::Address(Arc::new(Address {
                    number: Some(number),
                    targets: Vec::new(),
                    unknown: true,
                })),
            }
        }
        (Kind::Address(_), Shape::Pointer(_)) => value.kind.clone(),
        (Kind::Address(_), Shape::Int(ty)) if ty.bits as u32 == element * 8 => value.kind.clone(),
        (Kind::Float(_), Shape::Float(_, bytes)) if bytes == element => value.kind.clone(),
        (Kind::Number(n), Shape::Float(format, bytes)) if bytes == element => {
            Float::of_patterns(n, format).map_or_else(|| top(shape), Kind::Float)
        }
        (Kind::Float(f), Shape::Int(ty)) if u32::from(ty.bits) == element * 8 => {
            let parts = element_format(element).and_then(|format| f.patterns(format)).unwrap_or_default();
            let read = parts.iter().map(|part| part.wrap(ty)).reduce(|a, b| a.join(&b));
            read.map_or_else(|| top(shape), Kind::Number)
        }
        _ => top(shape),
    };
    Value { kind, uninit: value.uninit }
}

fn zero(shape: Shape) -> Kind {
    match shape {
        Shape::Float(format, _) => Kind::Float(Float::constant_bits(0, format)),
        Shape::Int(_) | Shape::Pointer(_) => Kind::Number(Int::constant(0)),
    }
}

pub(crate) fn from_bytes(bytes: &[u8], shape: Shape) -> Option<Kind> {
    let mut all = [0u8; 16];
    all.get_mut(..bytes.len())?.copy_from_slice(bytes);
    let bits = u128::from_le_bytes(all);
    Some(match shape {
        Shape::Int(ty) => Kind::Number(Int::constant(ty.wrap(bits as i128))),
        Shape::Float(format, _) => {
            let mask = if format.bits() == 128 { u128::MAX } else { (1 << format.bits()) - 1 };
            Kind::Float(Float::constant_bits(bits & mask, format))
        }
        Shape::Pointer(_) => Kind::Number(Int::constant(bits as i128)),
    })
}

/// The format of a float of so many bytes. (A wider one is never told by its size alone.)
pub(crate) fn element_format(element: u32) -> Option<Format> {
    match element {
        4 => Some(Format::F32),
        8 => Some(Format::F64),
        _ => None,
    }
}

/// The bits of a scalar, as an unsigned number.
pub(crate) fn bits_of(kind: &Kind, element: u32) -> Option<Int> {
    match kind {
        Kind::Number(n) if element <= 8 => Some(n.wrap(IntType::unsigned(element as u16 * 8))),
        Kind::Float(f) => f.patterns(element_format(element)?)?.into_iter().reduce(|a, b| a.join(&b)),
        _ => None,
    }
}

/// So many bytes of an unsigned number, from a byte on.
pub(crate) fn piece(bits: &Int, from: u64, bytes: u64) -> Int {
    let shifted = bits.shr(&Int::constant(i128::from(from * 8)), IntType::unsigned(64));
    shifted.wrap(IntType::unsigned(bytes as u16 * 8))
}

/// Two values of elements of one size, both as floats if one is.
pub(crate) fn aligned(a: &Value, b: &Value, element: u32) -> (Value, Value) {
    let as_float = |value: &Value, other: &Value| match (&value.kind, &other.kind, element_format(element)) {
        (Kind::Number(n), Kind::Float(_), Some(format)) => match Float::of_patterns(n, format) {
            Some(f) => Value { kind: Kind::Float(f), uninit: value.uninit },
            None => value.clone(),
        },
        _ => value.clone(),
    };
    (as_float(a, b), as_float(b, a))
}

/// What an element holds if its bytes from `inside` on are, read in the shape, in `kept`. None if it is just that, or if
/// nothing is learned.
pub(crate) fn restricted(segment: &Segment, inside: u64, shape: Shape, kept: &Kind) -> Option<Kind> {
    let element = segment.element;
    let whole = u64::from(element) == shape.bytes();
    let same_kind = matches!(
        (&segment.value.kind, kept),
        (Kind::Number(_), Kind::Number(_)) | (Kind::Float(_), Kind::Float(_))
    );
    if segment.value.uninit || element > 8 || (whole && same_kind) {
        return None;
    }
    let parts = match &segment.value.kind {
        Kind::Number(_) => vec![bits_of(&segment.value.kind, element)?],
        Kind::Float(f) => f.patterns(element_format(element)?)?,
        _ => return None,
    };
    let left: Vec<Int> = match (kept, shape) {
        (Kind::Number(kept), Shape::Int(ty)) if u64::from(ty.bits) == shape.bytes() * 8 => {
            parts.iter().filter_map(|part| restricted_part(part, element, inside, ty, kept)).collect()
        }
        (Kind::Float(kept), Shape::Float(format, bytes)) if bytes == element => {
            let patterns = kept.patterns(format)?;
            parts.iter().flat_map(|part| patterns.iter().filter_map(|p| part.meet(p))).collect()
        }
        _ => return None,
    };
    match (&left[..], &segment.value.kind) {
        ([], _) => None,
        ([one], _) => Some(Kind::Number(*one)),
        (several, Kind::Float(_)) => {
            let format = element_format(element)?;
            let floats: Option<Vec<Float>> = several.iter().map(|p| Float::of_patterns(p, format)).collect();
            floats?.into_iter().reduce(|a, b| a.join(&b)).map(Kind::Float)
        }
        (several, _) => several.iter().copied().reduce(|a, b| a.join(&b)).map(Kind::Number),
    }
}

/// The patterns of an element whose bytes from `inside` on are, read in the type, in `kept`.
fn restricted_part(part: &Int, element: u32, inside: u64, ty: IntType, kept: &Int) -> Option<Int> {
    let bytes = clew_ir::types::int_bytes(ty.bits);
    let read = piece(part, inside, bytes).wrap(ty).meet(kept)?.wrap(IntType::unsigned(bytes as u16 * 8));
    let shift = inside * 8;
    if inside + bytes == u64::from(element) {
        let hi = (read.hi() << shift) | ((1 << shift) - 1);
        return part.meet(&Int::range(read.lo() << shift, hi));
    }
    // A piece below others is a range only where those are constant.
    let end = shift + bytes * 8;
    let base = (part.lo() >> end) << end;
    if inside == 0 && part.lo() >> end == part.hi() >> end {
        return part.meet(&Int::range(base + read.lo(), base + read.hi()));
    }
    Some(*part)
}

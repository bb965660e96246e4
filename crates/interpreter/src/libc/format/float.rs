// SPDX-License-Identifier: MIT OR Apache-2.0
//! Floats in a printf field: the digits are `clew_base`'s, sign and padding are ours.

use clew_base::float::text::{Conversion, Spec};
use clew_base::float::{Float, Rounding};

use super::print::{Field, pad, pad_number, sign_text};

/// Prints a float in its field.
pub fn print(out: &mut Vec<u8>, field: Field, conversion: u8, value: Float) {
    let kind = match conversion.to_ascii_lowercase() {
        b'e' => Conversion::E,
        b'f' => Conversion::F,
        b'g' => Conversion::G,
        _ => Conversion::A,
    };
    let spec = Spec {
        conversion: kind,
        precision: field.precision,
        alternate: field.flags.alternate,
        uppercase: conversion.is_ascii_uppercase(),
    };
    let text = value.print(spec, Rounding::NearestEven);
    let sign = sign_text(field.flags, value.is_negative());
    if !value.is_finite() {
        // Infinities and NaNs are padded with blanks even under the flag 0.
        return pad(out, field, sign, text.as_bytes());
    }
    if kind == Conversion::A {
        // Zeros go between the prefix 0x and the digits.
        let (prefix, digits) = text.split_at(2);
        return pad_number(out, field, &[sign, prefix.as_bytes()].concat(), digits.as_bytes());
    }
    pad_number(out, field, sign, text.as_bytes());
}

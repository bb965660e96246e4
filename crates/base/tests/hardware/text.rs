// SPDX-License-Identifier: MIT OR Apache-2.0
//! Printing against the host's `snprintf`, parsing against its `strtof`, `strtod` and `strtold`.

use std::ffi::CString;

use clew_base::float::text::{Conversion, Spec, parse_literal, parse_prefix};
use clew_base::float::{Flags, Float, Format, Rounding};
use clew_hostmath::text as host;

use crate::random::Random;

fn rounds() -> u64 {
    if cfg!(debug_assertions) { 20_000 } else { 200_000 }
}

const CONVERSIONS: [(Conversion, host::Conversion); 4] = [
    (Conversion::E, host::Conversion::E),
    (Conversion::F, host::Conversion::F),
    (Conversion::G, host::Conversion::G),
    (Conversion::A, host::Conversion::A),
];

/// A value that a person might print: a short decimal, or a small integer, or anything.
fn printable(random: &mut Random, format: Format) -> Float {
    let nearest = Rounding::NearestEven;
    match random.below(4) {
        0 => random.float(format),
        1 => {
            let text = format!("{}e{}", random.below(100_000), random.below(40) as i64 - 20);
            parse_literal(text.as_bytes(), format, nearest).unwrap().0
        }
        2 => Float::from_f64(random.below(4096) as f64 / 64.0).convert(format, nearest).0,
        _ => {
            let decades = if format == Format::F64 { 300 } else { 40 };
            let text = format!("{}e{}", random.next(), random.below(2 * decades) as i64 - decades as i64);
            parse_literal(text.as_bytes(), format, nearest).unwrap().0
        }
    }
}

#[test]
fn printing_is_glibcs() {
    let mut random = Random::new(21);
    for _ in 0..rounds() {
        let format = [Format::F32, Format::F64, Format::X87][random.below(3) as usize];
        let value = printable(&mut random, format);
        let contradictory = format == Format::X87
            && (value.to_bits() >> 64 & 0x7fff != 0) != (value.to_bits() >> 63 & 1 == 1);
        let (conversion, host_conversion) = CONVERSIONS[random.below(4) as usize];
        let precision = random.below(42).checked_sub(1).map(|p| p as u16);
        let alternate = random.below(4) == 0;
        let Some(theirs) = host::format(value, host_conversion, alternate, precision) else { continue };
        // Patterns that are no numbers to the x87 print as glibc likes.
        if contradictory {
            continue;
        }
        let spec = Spec { conversion, precision: precision.map(usize::from), alternate, uppercase: false };
        let sign = if value.is_negative() { "-" } else { "" };
        let ours = format!("{sign}{}", value.print(spec, Rounding::NearestEven));
        assert_eq!(ours, theirs, "{value:?} as {spec:?}");
    }
}

/// Text around numbers: mostly numbers, some nearly so.
fn numeral(random: &mut Random) -> String {
    let mut text = String::new();
    text.push_str([" ", "\t\n", "", "", "", ""][random.below(6) as usize]);
    text.push_str(["-", "+", "", ""][random.below(4) as usize]);
    let words = [
        "inf",
        "INFinity",
        "infinit",
        "nan",
        "NaN(12)",
        "nan(0x7F)",
        "nan(x_1)",
        "nan(1",
        "nan(017)",
        "0x",
        "0x.p1",
        ".",
        "e5",
        "1e",
        "1e+",
        "0x1p",
        "nan(99999999999999999999999)",
        "nan()",
        "nan(0)",
        "nan(089)",
    ];
    if random.below(12) == 0 {
        return text + words[random.below(words.len() as u64) as usize];
    }
    let hexadecimal = random.below(4) == 0;
    let (alphabet, mark): (&[u8], _) =
        if hexadecimal { (b"0123456789abcdefABCDEF", 'p') } else { (b"0123456789", 'e') };
    if hexadecimal {
        text.push_str("0x");
    }
    let length = [1, 3, 9, 17, 25, 40, 800][random.below(7) as usize];
    let point = random.below(length + 1);
    let zeros = random.below(3) == 0;
    for at in 0..length {
        if at == point {
            text.push('.');
        }
        let digit = alphabet[random.below(alphabet.len() as u64) as usize];
        text.push(if zeros && random.below(4) != 0 { '0' } else { char::from(digit) });
    }
    if random.below(3) != 0 {
        let range = [4, 40, 400, 5_000, 20_000][random.below(5) as usize];
        text.push(mark);
        text.push_str(&(random.below(2 * range) as i64 - range as i64).to_string());
    }
    text.push_str(["", "", "", "x", "e", "."][random.below(6) as usize]);
    text
}

fn check_parse(text: &str, format: Format) {
    let Some(theirs) = host::parse(&CString::new(text).unwrap(), format) else { return };
    let Some(ours) = parse_prefix(text.as_bytes(), format, Rounding::NearestEven) else {
        assert_eq!(theirs.length, 0, "{text:?}");
        return;
    };
    assert_eq!((ours.value, ours.length), (theirs.value, theirs.length), "{text:?} as {format:?}");
    // A payload too large for strtoull sets errno as well, though the value is none the worse.
    let out_of_range = ours.flags.intersects(Flags::OVERFLOW | Flags::UNDERFLOW);
    assert_eq!(
        out_of_range,
        theirs.errno != 0 && !ours.value.is_nan(),
        "errno of {text:?} as {format:?}: {:?}",
        ours.flags
    );
    let visible = ours.flags.without(Flags::TINY);
    assert_eq!(visible, theirs.flags, "flags of {text:?} as {format:?}");
}

#[test]
fn parsing_is_glibcs() {
    let mut random = Random::new(22);
    for _ in 0..rounds() {
        let format = [Format::F32, Format::F64, Format::X87][random.below(3) as usize];
        check_parse(&numeral(&mut random), format);
    }
}

/// Ties and their neighbours, where only the last of hundreds of digits decides.
#[test]
fn parsing_decides_ties() {
    let mut random = Random::new(23);
    for _ in 0..rounds() / 10 {
        let format = [Format::F32, Format::F64][random.below(2) as usize];
        let value = random.float(format).abs();
        if !value.is_finite() {
            continue;
        }
        let wide = |v: Float| v.convert(Format::F128, Rounding::NearestEven).0;
        let next = Float::from_bits(format, value.to_bits() + 1);
        if !next.is_finite() {
            continue;
        }
        // Exact: binary128 has room for one more bit of both.
        let (sum, _) = wide(value).add(wide(next), Rounding::NearestEven);
        let half = Float::from_f64(0.5).convert(Format::F128, Rounding::NearestEven).0;
        let (middle, flags) = sum.mul(half, Rounding::NearestEven);
        assert!(flags.is_empty());
        let text = middle.print(Spec::new(Conversion::E, Some(1100)), Rounding::NearestEven);
        let (digits, exponent) = text.split_once('e').unwrap();
        let digits = digits.trim_end_matches('0');
        check_parse(&format!("{digits}e{exponent}"), format);
        check_parse(&format!("{digits}0000000001e{exponent}"), format);
        let last = digits.as_bytes()[digits.len() - 1];
        if last > b'0' {
            let below = format!("{}{}999e{exponent}", &digits[..digits.len() - 1], char::from(last - 1));
            check_parse(&below, format);
        }
    }
}

#[test]
fn every_format_reads_back_what_it_prints() {
    let mut random = Random::new(24);
    for _ in 0..rounds() / 100 {
        for format in [Format::F16, Format::F32, Format::F64, Format::X87, Format::F128] {
            let value = random.float(format);
            // A pseudo-denormal reads back as the proper encoding of its value.
            if !value.is_finite() || format == Format::X87 && value.to_bits() >> 63 & 0xffff == 1 {
                continue;
            }
            let shortest = value.to_string();
            let back = parse_prefix(shortest.as_bytes(), format, Rounding::NearestEven).unwrap();
            assert_eq!((back.value, back.length), (value, shortest.len()), "{shortest}");
            let hexadecimal = value.abs().print(Spec::new(Conversion::A, None), Rounding::NearestEven);
            let (back, flags) = parse_literal(hexadecimal.as_bytes(), format, Rounding::NearestEven).unwrap();
            assert_eq!((back, flags.without(Flags::TINY)), (value.abs(), Flags::NONE), "{hexadecimal}");
        }
    }
}

#[test]
fn shortest_is_for_people() {
    let f64 = |value: f64| Float::from_f64(value).to_string();
    assert_eq!(f64(0.1), "0.1");
    assert_eq!(f64(-2.0), "-2");
    assert_eq!(f64(100.0), "100");
    assert_eq!(f64(-0.0), "-0");
    assert_eq!(f64(1e300), "1e+300");
    assert_eq!(f64(f64::MIN_POSITIVE / 2.0), "1.1125369292536007e-308");
    assert_eq!(f64(f64::NEG_INFINITY), "-inf");
    assert_eq!(Float::from_f32(0.1).to_string(), "0.1");
}

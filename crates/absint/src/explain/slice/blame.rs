// SPDX-License-Identifier: MIT OR Apache-2.0
//! Whose fault it is that too little is known: how much freedom a value leaves, and which parts it came from.
//!
//! The freedom of a value is the logarithm of how many values it may be. Of several operands only those are worth
//! following that leave at least half of the most: in `x + y` with `x` from 0 to 10 and `y` anything, `y` is to blame.
//! Of several definitions only those are worth showing that reach the bounds of what comes together from them.

use crate::domain::value::{Address, Kind, Value};

/// Freedom of a value of which nothing is known.
const ANYTHING: u32 = 128;

/// Freedom of a float that may be infinite or no number: more than any finite range.
const ANY_FLOAT: u32 = 64;

/// How much freedom a value leaves: 0 for one value, else the bits that it takes to tell the possible ones apart.
pub(super) fn freedom(value: &Value) -> u32 {
    let unwritten = u32::from(value.uninit);
    match &value.kind {
        _ if value.uninit => ANYTHING,
        Kind::Any => ANYTHING,
        Kind::Number(n) => unwritten.max(between(n.lo(), n.hi())),
        Kind::Float(f) => match (f.lo(), f.hi()) {
            (Some(lo), Some(hi)) if lo.is_finite() && hi.is_finite() && !f.may_be_nan() => {
                if lo.to_bits() == hi.to_bits() {
                    return 0;
                }
                // How many powers of two it spans; at least one bit.
                let span = (hi - lo).log2();
                (span.max(0.0).min(f64::from(ANY_FLOAT - 2)) as u32) + 1
            }
            _ => ANY_FLOAT,
        },
        Kind::Address(address) => of_address(address),
    }
}

fn of_address(address: &Address) -> u32 {
    if address.unknown {
        return ANYTHING;
    }
    let ways = address.targets.len() + usize::from(address.number.is_some());
    let offsets = address.targets.iter().map(|(_, offset)| between(offset.lo(), offset.hi()));
    offsets.max().unwrap_or(0).max(usize::BITS - ways.saturating_sub(1).leading_zeros())
}

fn between(lo: i128, hi: i128) -> u32 {
    let width = hi.wrapping_sub(lo) as u128;
    u128::BITS - width.leading_zeros()
}

/// Of several values, whether each is worth following.
pub(super) fn worth_following<'v>(values: impl Iterator<Item = &'v Value> + Clone) -> Vec<bool> {
    let most = values.clone().map(freedom).max().unwrap_or(0);
    values.map(|value| freedom(value) > 0 && 2 * freedom(value) >= most).collect()
}

/// Of several values that come together, whether each takes part in what is not known of them together.
pub(super) fn taking_part(parts: &[Option<&Value>], together: Option<&Value>) -> Vec<bool> {
    let loose = parts.iter().flatten().any(|value| freedom(value) > 0);
    let part = |value: &Option<&Value>| {
        let (Some(value), Some(together)) = (value, together) else { return true };
        match (&value.kind, &together.kind) {
            (Kind::Number(part), Kind::Number(all)) => {
                part.meet(all).is_some() && (part.lo() <= all.lo() || part.hi() >= all.hi())
            }
            (Kind::Float(part), Kind::Float(all)) => {
                let reaches = match (part.lo(), part.hi(), all.lo(), all.hi()) {
                    (Some(lo), Some(hi), Some(least), Some(most)) => lo <= least || hi >= most,
                    _ => true,
                };
                (part.may_be_nan() && all.may_be_nan()) || (part.meet(all).is_some() && reaches)
            }
            // A pointer that is known takes no part if there is one that is not.
            (Kind::Address(_), Kind::Address(_)) => !loose || freedom(value) > 0,
            _ => true,
        }
    };
    let found: Vec<bool> = parts.iter().map(part).collect();
    // Where none explains what came out, all are worth a look.
    if found.contains(&true) { found } else { vec![true; parts.len()] }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::float::Float;
    use crate::domain::int::Int;

    fn numbers(lo: i128, hi: i128) -> Value {
        Value::number(Int::range(lo, hi))
    }

    #[test]
    fn freedom_counts_bits() {
        assert_eq!(freedom(&Value::constant(7)), 0);
        assert_eq!(freedom(&numbers(0, 1)), 1);
        assert_eq!(freedom(&numbers(0, 255)), 8);
        assert_eq!(freedom(&numbers(i128::MIN, i128::MAX)), 128);
        assert_eq!(freedom(&Value::uninitialised()), ANYTHING);
        let float = |lo, hi| freedom(&Value::new(Kind::Float(Float::range(lo, hi))));
        assert_eq!(float(1.5, 1.5), 0);
        assert_eq!(float(0.0, 0.5), 1);
        assert_eq!(float(0.0, 8.0), 4);
        assert_eq!(float(0.0, f64::INFINITY), ANY_FLOAT);
    }

    #[test]
    fn the_wide_ones_are_followed() {
        let values = [numbers(0, 10), numbers(0, 1 << 30), Value::constant(1)];
        assert_eq!(worth_following(values.iter()), [false, true, false]);
        let values = [numbers(0, 10), numbers(0, 100)];
        assert_eq!(worth_following(values.iter()), [true, true]);
    }

    #[test]
    fn parts_at_the_bounds_take_part() {
        let parts = [Value::constant(0), Value::constant(5), Value::constant(1000), Value::constant(2000)];
        let parts: Vec<Option<&Value>> = parts.iter().map(Some).collect();
        // 2000 was excluded by a test on the way.
        assert_eq!(taking_part(&parts, Some(&numbers(0, 1000))), [true, false, true, false]);
        // Bytes that were never written are more than any of these explains.
        assert_eq!(taking_part(&parts, Some(&numbers(-9, 9999))), [true; 4]);
    }
}

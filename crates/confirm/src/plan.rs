// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which sanitizer or trap of the compiled program sees which check.
//!
//! A run ends at its first violated Stop check, so the sanitizers of all of those are on in every build and none of
//! them lets the program go on; a report of the wrong one, or at the wrong place, speaks against the witness. What
//! sanitizers report and C does not forbid (pointer arithmetic, values of `_Bool`) is off. Continue checks are on
//! only for their own witnesses, and let the program go on.

use clew_ir::obligation::CheckKind;
use clew_native::sanitizer::Kind;

/// How well the compiled program shows a check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sight {
    /// A violation is always reported: silence speaks against the witness.
    Sharp,
    /// It is reported as a rule; else for this reason.
    Blurred(&'static str),
    /// Nothing sees it, for this reason.
    Blind(&'static str),
}

/// A handler of the test's own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trap {
    /// Of the floating-point unit: the macro of `<fenv.h>` for the exception.
    Float(&'static str),
    /// Of a call that leads nowhere, whose place the sanitizers lose.
    Call,
    /// Of a condition that is written into the program: its number.
    Condition(usize),
}

/// How a witness of a check is confirmed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    /// How well it can be seen.
    pub sight: Sight,
    /// Reports that fit the check.
    pub fits: &'static [Kind],
    /// Sanitizers beside the usual ones, which let the program go on.
    pub extra: &'static [&'static str],
    /// Settings of AddressSanitizer beside the usual ones.
    pub settings: &'static [&'static str],
    /// The trap that is switched on.
    pub trap: Option<Trap>,
    /// Whether leaks are looked for at the end.
    pub leaks: bool,
    /// Usual sanitizers that are off, since the run goes on after what they would stop it at.
    pub off: Vec<&'static str>,
    /// Whether the program is built as clew reads it (`instrumented.rs`), not as the user wrote it.
    pub is_written: bool,
}

/// The sanitizers of every build.
const USUAL: &[&str] = &[
    "address",
    "shift",
    "integer-divide-by-zero",
    "signed-integer-overflow",
    "bounds",
    "unreachable",
    "vla-bound",
    "bool",
    "float-cast-overflow",
    "nonnull-attribute",
    "builtin",
];

/// Settings of AddressSanitizer in every run. Allocations behave as with the C library; what the interpreter takes
/// for an object whose life has ended is one here, too.
const SETTINGS: &[&str] = &[
    "handle_abort=1",
    "handle_sigill=1",
    "detect_stack_use_after_return=1",
    "allocator_may_return_null=1",
    // One more does not fit an address of 32 bits, and nothing can be allocated then.
    "max_allocation_size_mb=4095",
    "hard_rss_limit_mb=1024",
    "redzone=128",
];

/// What a witness does not choose of memory that was never written is zero, as for the interpreter.
const ZEROS: &[&str] = &["max_malloc_fill_size=1073741824", "malloc_fill_byte=0"];

const OVERFLOW: &str = "signed-integer-overflow";

/// The usual sanitizer that stops a run at a check after which the machine has a value.
fn stopping(check: CheckKind) -> Option<&'static str> {
    match check {
        CheckKind::SignedOverflow => Some(OVERFLOW),
        CheckKind::ShiftOutOfRange => Some("shift"),
        CheckKind::FloatToInt => Some("float-cast-overflow"),
        _ => None,
    }
}

impl Plan {
    /// The same for a run that goes on after violations of these checks. One that the witness is of goes off too: the
    /// first report would be of another place. The program with the condition written out shows it then.
    pub fn going_on_after(mut self, checks: &[CheckKind]) -> Plan {
        self.off = checks.iter().filter_map(|check| stopping(*check)).collect();
        self
    }

    /// Names for `-fsanitize=`, which tell builds apart.
    pub fn sanitizers(&self) -> Vec<&'static str> {
        // A program as clew reads it says itself what is wrong with arithmetic, and means what C leaves open.
        if self.is_written {
            return USUAL[..1].to_vec();
        }
        let usual = USUAL.iter().filter(|name| !self.off.contains(name));
        usual.chain(self.extra).copied().collect()
    }

    /// The flags that switch the sanitizers on.
    pub fn sanitizer_flags(&self) -> Vec<String> {
        let mut flags = vec![
            format!("-fsanitize={}", self.sanitizers().join(",")),
            "-fno-sanitize-recover=all".to_owned(),
            "-fno-omit-frame-pointer".to_owned(),
        ];
        if self.off.contains(&OVERFLOW) {
            // The run goes on with what the machine has, which is what the interpreter went on with.
            flags.push("-fwrapv".to_owned());
        }
        // Pointer pairs are AddressSanitizer's own, which goes on by a setting.
        let is_on = |name: &&&str| !self.is_written && !name.starts_with("pointer-");
        let undefined = self.extra.iter().filter(is_on);
        flags.extend(undefined.map(|name| format!("-fsanitize-recover={name}")));
        flags
    }

    /// The value of `ASAN_OPTIONS`.
    pub fn options(&self) -> String {
        let leaks = if self.leaks { "detect_leaks=1" } else { "detect_leaks=0" };
        let zeros = ZEROS.iter().copied().filter(|_| self.is_written);
        let all = std::iter::once(leaks).chain(SETTINGS.iter().copied()).chain(zeros);
        let all = all.chain(self.settings.iter().copied());
        all.collect::<Vec<_>>().join(":")
    }

    /// Whether such a report fits.
    pub fn fits(&self, kind: Kind) -> bool {
        let is_condition = matches!(self.trap, Some(Trap::Condition(_))) && kind == Kind::Condition;
        is_condition || self.fits.contains(&kind)
    }

    /// Whether a program goes on after such a report.
    pub fn goes_on(&self, kind: Kind) -> bool {
        match kind {
            Kind::Leak => self.leaks,
            Kind::Misaligned => self.extra.contains(&"alignment"),
            Kind::FloatDivisionByZero | Kind::FloatOverflow | Kind::FloatUnderflow | Kind::FloatInvalid => {
                true
            }
            _ => false,
        }
    }
}

/// The plan for the program as clew reads it, in which the condition of that number is written out.
pub fn written(check: CheckKind, number: Option<usize>) -> Plan {
    let plan = plan(check);
    Plan { trap: number.map(Trap::Condition).or(plan.trap), is_written: true, ..plan }
}

fn seen(fits: &'static [Kind]) -> Plan {
    Plan {
        sight: Sight::Sharp,
        fits,
        extra: &[],
        settings: &[],
        trap: None,
        leaks: false,
        off: Vec::new(),
        is_written: false,
    }
}

fn mostly(fits: &'static [Kind], why: &'static str) -> Plan {
    Plan { sight: Sight::Blurred(why), ..seen(fits) }
}

fn unseen(why: &'static str) -> Plan {
    Plan { sight: Sight::Blind(why), ..seen(&[]) }
}

fn trapped(fits: &'static [Kind], exception: &'static str) -> Plan {
    Plan {
        trap: Some(Trap::Float(exception)),
        ..mostly(
            fits,
            "the compiler simplifies this arithmetic or does it while it compiles, where nothing traps",
        )
    }
}

/// Every way in which an access that is not allowed shows itself.
const ACCESS: &[Kind] = &[
    Kind::HeapOverflow,
    Kind::StackOverflow,
    Kind::GlobalOverflow,
    Kind::UseAfterFree,
    Kind::UseAfterScope,
    Kind::Segv,
    Kind::Bounds,
    Kind::Null,
    Kind::NullArgument,
    Kind::BadSize,
    Kind::Overlap,
    Kind::Other,
];

/// The plan for a check.
pub fn plan(check: CheckKind) -> Plan {
    match check {
        CheckKind::NullDeref => mostly(
            &[Kind::Segv, Kind::Null, Kind::NullArgument],
            "the compiled code does not touch the memory behind the null pointer",
        ),
        CheckKind::InvalidDeref => mostly(
            ACCESS,
            "what stands at an address that belongs to no object is another matter in the compiled program",
        ),
        CheckKind::OutOfBounds => mostly(
            ACCESS,
            "the access stays inside memory that belongs to the program, such as another part of the same object, \
             which sanitizers allow",
        ),
        CheckKind::UseAfterFree => {
            mostly(ACCESS, "the memory is in use again when the compiled program comes there")
        }
        CheckKind::InvalidFree | CheckKind::DoubleFree => {
            seen(&[Kind::BadFree, Kind::DoubleFree, Kind::Segv])
        }
        CheckKind::MemoryLeak => Plan {
            leaks: true,
            ..mostly(&[Kind::Leak], "a copy of the pointer is left in memory that the program no longer uses")
        },
        CheckKind::WriteToConst => {
            mostly(&[Kind::Segv], "the compiler keeps this object in memory that can be written")
        }
        CheckKind::Unstable => unseen("no sanitizer looks at rounding"),
        CheckKind::UninitialisedRead => unseen("no sanitizer of this compiler sees uninitialised values"),
        CheckKind::MisalignedAccess => Plan { extra: &["alignment"], ..seen(&[Kind::Misaligned]) },
        CheckKind::StringNotTerminated => Plan {
            settings: &["strict_string_checks=1"],
            ..mostly(ACCESS, "the compiled program finds a zero byte behind the object by chance")
        },
        CheckKind::BadArgument => mostly(
            &[
                Kind::NullArgument,
                Kind::BuiltinArgument,
                Kind::BadSize,
                Kind::Segv,
                Kind::Abort,
                Kind::BadFree,
            ],
            "the C library does not test this argument",
        ),
        CheckKind::Overlap => {
            mostly(&[Kind::Overlap], "no sanitizer looks at overlapping arguments of this function")
        }
        CheckKind::PointerCompare => Plan {
            extra: &["pointer-compare", "pointer-subtract"],
            settings: &["detect_invalid_pointer_pairs=2"],
            ..mostly(&[Kind::PointerPair], "the sanitizer does not know both objects")
        },
        CheckKind::SignedOverflow => mostly(
            &[Kind::SignedOverflow, Kind::ArithmeticTrap],
            "the compiler simplifies this arithmetic before its sanitizer sees it",
        ),
        CheckKind::UnsignedWrap => {
            unseen("unsigned arithmetic wraps by definition, and no sanitizer of this compiler looks at it")
        }
        CheckKind::LossyConversion => {
            unseen("conversions are defined, and no sanitizer of this compiler looks at them")
        }
        CheckKind::DivisionByZero => seen(&[Kind::DivisionByZero, Kind::ArithmeticTrap]),
        CheckKind::ShiftOutOfRange => {
            mostly(&[Kind::Shift], "the compiler simplifies this arithmetic before its sanitizer sees it")
        }
        CheckKind::FloatOverflow => trapped(&[Kind::FloatOverflow], "FE_OVERFLOW"),
        CheckKind::FloatUnderflow => trapped(&[Kind::FloatUnderflow], "FE_UNDERFLOW"),
        CheckKind::FloatDivisionByZero => trapped(&[Kind::FloatDivisionByZero], "FE_DIVBYZERO"),
        CheckKind::FloatInvalid | CheckKind::NanCompare => trapped(&[Kind::FloatInvalid], "FE_INVALID"),
        CheckKind::FloatToInt => seen(&[Kind::FloatToInt]),
        CheckKind::Assertion | CheckKind::ErrorCall => seen(&[Kind::Abort]),
        CheckKind::MissingReturn => unseen("the sanitizer for missing return values is for C++ only"),
        CheckKind::UnreachableReached => mostly(
            &[Kind::Unreachable],
            "a function that is declared not to return does so in the compiled program",
        ),
        CheckKind::Unsequenced | CheckKind::OrderDependent => unseen(
            "the compiled program has one of the orders that C leaves open, and nothing to compare it with",
        ),
        CheckKind::NullCall => Plan { trap: Some(Trap::Call), ..seen(&[Kind::Segv]) },
        CheckKind::BadCall => Plan {
            trap: Some(Trap::Call),
            ..mostly(&[Kind::Segv], "a call with the wrong type goes through in the compiled program")
        },
        CheckKind::InvalidBool => seen(&[Kind::InvalidValue]),
        CheckKind::BadArrayLength => {
            mostly(&[Kind::VlaBound], "the sanitizer looks at the lengths of objects, not of types")
        }
        CheckKind::StackExhausted => mostly(
            &[Kind::StackExhausted, Kind::VlaBound, Kind::StackOverflow, Kind::Segv],
            "frames of the compiled program are smaller than the interpreter takes them for",
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_can_be_seen_has_reports_that_fit() {
        for check in CheckKind::ALL {
            let plan = plan(*check);
            let blind = matches!(plan.sight, Sight::Blind(_));
            assert_eq!(plan.fits.is_empty(), blind, "{check}");
        }
    }

    #[test]
    fn most_checks_share_one_build() {
        let builds: std::collections::BTreeSet<_> =
            CheckKind::ALL.iter().map(|check| plan(*check).sanitizers()).collect();
        assert_eq!(builds.len(), 3);
    }
}

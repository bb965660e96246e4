// SPDX-License-Identifier: MIT OR Apache-2.0
//! The functions of `<math.h>` that are wrapped: their shape, and where C says that they have a pole.

/// How a function is called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Shape {
    One,
    Two,
    /// A float and an `int`.
    Scale,
}

/// Name, shape, and the condition of a pole in C.
const FUNCTIONS: &[(&str, Shape, &str)] = &[
    ("acos", Shape::One, "0"),
    ("acosh", Shape::One, "0"),
    ("asin", Shape::One, "0"),
    ("asinh", Shape::One, "0"),
    ("atan", Shape::One, "0"),
    ("atan2", Shape::Two, "0"),
    ("atanh", Shape::One, "fabs((double)x) == 1"),
    ("cbrt", Shape::One, "0"),
    ("cos", Shape::One, "0"),
    ("cosh", Shape::One, "0"),
    ("erf", Shape::One, "0"),
    ("erfc", Shape::One, "0"),
    ("exp", Shape::One, "0"),
    ("exp2", Shape::One, "0"),
    ("expm1", Shape::One, "0"),
    ("fdim", Shape::Two, "0"),
    ("fmod", Shape::Two, "0"),
    ("hypot", Shape::Two, "0"),
    ("ldexp", Shape::Scale, "0"),
    ("lgamma", Shape::One, "x <= 0"),
    ("log", Shape::One, "x == 0"),
    ("log10", Shape::One, "x == 0"),
    ("log1p", Shape::One, "x == -1"),
    ("log2", Shape::One, "x == 0"),
    ("logb", Shape::One, "x == 0"),
    ("nextafter", Shape::Two, "0"),
    ("pow", Shape::Two, "x == 0 && y < 0"),
    ("remainder", Shape::Two, "0"),
    ("scalbn", Shape::Scale, "0"),
    ("sin", Shape::One, "0"),
    ("sinh", Shape::One, "0"),
    ("sqrt", Shape::One, "0"),
    ("tan", Shape::One, "0"),
    ("tanh", Shape::One, "0"),
    ("tgamma", Shape::One, "x == 0"),
];

/// Functions that end the process: they end the run.
const ENDS: [&str; 3] = ["exit", "_exit", "quick_exit"];

/// The C that wraps them, and the names, but not those that the program defines itself.
pub(crate) fn wrappers(is_defined: impl Fn(&str) -> bool, told_by: &[String]) -> (String, Vec<String>) {
    let (mut text, mut names) = (String::new(), Vec::new());
    for (name, shape, pole) in FUNCTIONS {
        for (ty, suffix) in [("double", ""), ("float", "f")] {
            let name = format!("{name}{suffix}");
            if is_defined(&name) {
                continue;
            }
            text += &match shape {
                Shape::One => format!("CLEW_ONE({ty}, {name}, {pole})\n"),
                Shape::Two => format!("CLEW_TWO({ty}, {name}, {pole})\n"),
                Shape::Scale => format!("CLEW_SCALE({ty}, {name}, int)\n"),
            };
            names.push(name);
        }
    }
    let (ends, mut more) = ended(is_defined, told_by);
    names.append(&mut more);
    (text + &ends, names)
}

/// The C for the functions that end the process or tell of errors, which both programs have.
pub(crate) fn ended(is_defined: impl Fn(&str) -> bool, told_by: &[String]) -> (String, Vec<String>) {
    let (mut text, mut names) = (String::new(), Vec::new());
    for name in ENDS.into_iter().filter(|name| !is_defined(name)) {
        text += &format!("void __wrap_{name}(int status) {{ (void)status; clew_ended(); }}\n");
        names.push(name.to_owned());
    }
    for name in told_by {
        text += &format!("void __wrap_{name}(void) {{ clew_tell(); }}\n");
        names.push(name.clone());
    }
    (text, names)
}

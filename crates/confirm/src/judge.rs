// SPDX-License-Identifier: MIT OR Apache-2.0
//! Whether what the compiled program said is what the witness promised.
//!
//! The first report that ends the program counts, and only if its innermost place in the user's own files lies in
//! the lines of the obligation's operation and its kind fits the check. Everything else is either something that the
//! sanitizers cannot see (the plan says why) or a fault of ours.

use clew_base::source::{SourceMap, Span};
use clew_ir::obligation::CheckKind;
use clew_native::Status;
use clew_native::sanitizer::{Kind, Location, Report, read_reports};

use crate::plan::{Plan, Sight};
use crate::{Confirmation, Request};

/// Functions that say that something is wrong: the obligation stands at their call, the program ends inside them.
const MESSENGERS: &[&str] =
    &["reach_error", "__VERIFIER_error", "__VERIFIER_assert", "__CPROVER_assert", "assert", "abort"];

/// The lines of the operation, as the compiler counts them.
struct Lines {
    file: String,
    first: u32,
    last: u32,
}

/// Judges what a test said on standard error, and how it ended.
pub(crate) fn judge(request: &Request<'_>, plan: &Plan, said: &str, status: Status) -> Confirmation {
    let reports = read_reports(said);
    let sources = &request.program.sources;
    let lines = lines(request);
    for report in &reports {
        let inside = is_inside(request, report, &lines);
        if inside && plan.fits(report.kind) {
            return Confirmation::Native;
        }
        if !plan.goes_on(report.kind) {
            let place = own_places(sources, report).next();
            let place =
                place.map_or_else(|| "an unknown place".to_owned(), |at| format!("{}:{}", at.file, at.line));
            let what = format!("the compiled program fails at {place} ({})", report.message);
            return otherwise(request, plan, what);
        }
    }
    match status {
        Status::TimedOut | Status::TooMuchMemory | Status::TooMuchOutput | Status::TooManyFiles => {
            Confirmation::NotSeen { why: format!("the compiled program was stopped by its {status}") }
        }
        _ if reports.is_empty()
            && (said.contains("ReserveShadowMemoryRange") || said.contains("Sanitizer CHECK failed")) =>
        {
            Confirmation::NotSeen { why: "the sanitizers do not start on this machine".to_owned() }
        }
        _ => otherwise(
            request,
            plan,
            format!("the compiled program ends with {status} and no report at the place"),
        ),
    }
}

fn otherwise(request: &Request<'_>, plan: &Plan, what: String) -> Confirmation {
    match plan.sight {
        _ if request.target.obligation.is_none() => Confirmation::NotSeen {
            why: "the C library of this machine does not test or touch what its contract speaks of"
                .to_owned(),
        },
        Sight::Sharp => Confirmation::Mismatch { what },
        Sight::Blurred(why) | Sight::Blind(why) => Confirmation::NotSeen { why: why.to_owned() },
    }
}

fn lines(request: &Request<'_>) -> Lines {
    let span = request.target.span;
    let sources = &request.program.sources;
    let first = sources.place(span);
    let end = Span { start: span.end.saturating_sub(1).max(span.start), ..span };
    let last = sources.place(end);
    let last = if last.file == first.file { last.line.max(first.line) } else { first.line };
    Lines { file: first.file.to_string(), first: first.line, last }
}

fn is_inside(request: &Request<'_>, report: &Report, lines: &Lines) -> bool {
    let within =
        |at: &Location| (lines.first..=lines.last).contains(&at.line) && is_same_file(&at.file, &lines.file);
    let mut own = own_places(&request.program.sources, report);
    match request.target.check {
        // How much of the stack a call takes is the compiler's choice: any call of the circle may be the last.
        CheckKind::StackExhausted if report.kind == Kind::StackExhausted => own.any(within),
        CheckKind::Assertion | CheckKind::ErrorCall => messengers_then(own, &within),
        _ => own.next().is_some_and(within),
    }
}

/// Whether a place is in the lines and all places nearer to the end of the program are those of messengers.
fn messengers_then<'r>(
    mut places: impl Iterator<Item = &'r Location>,
    within: &dyn Fn(&Location) -> bool,
) -> bool {
    let is_messenger = |at: &Location| at.function.as_deref().is_some_and(|name| MESSENGERS.contains(&name));
    places.find(|at| within(at) || !is_messenger(at)).is_some_and(within)
}

/// The places of a report that lie in the user's own files, innermost first.
pub(crate) fn own_places<'r>(
    sources: &'r SourceMap,
    report: &'r Report,
) -> impl Iterator<Item = &'r Location> {
    report.stack.iter().filter(|at| is_own_file(sources, &at.file))
}

fn is_own_file(sources: &SourceMap, file: &str) -> bool {
    let markers = sources.files.iter().flat_map(|f| f.markers.iter().map(|marker| &marker.name));
    let mut names = sources.files.iter().map(|f| &f.name).chain(markers);
    !is_system(file) && names.any(|name| is_same_file(file, name))
}

/// Headers of the system hold functions that only stand between the user's code and the library.
fn is_system(file: &str) -> bool {
    ["/usr/include/", "/usr/lib/"].iter().any(|folder| file.starts_with(folder))
}

/// Whether a name in a report means a file of the program: reports often add the folder of the compilation.
fn is_same_file(reported: &str, own: &str) -> bool {
    let (reported, own) = (tidy(reported), tidy(own));
    let below = own.trim_start_matches("../");
    reported == own || (!own.starts_with('/') && reported.ends_with(&format!("/{below}")))
}

/// The name without `.` and `..`.
fn tidy(name: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in name.split('/') {
        match part {
            "." => {}
            "" if !parts.is_empty() => {}
            ".." if parts.last().is_some_and(|last| !matches!(*last, ".." | "")) => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use clew_base::source::SourceFile;
    use clew_ir::obligation::StableId;
    use clew_ir::syntax::{FuncId, ObligationId};
    use clew_ir::witness::{VERSION, Witness};

    use super::*;
    use crate::Target;

    #[test]
    fn names_of_files_meet() {
        assert!(is_same_file("/home/me/src/a.c", "src/a.c"));
        assert!(is_same_file("./src/../a.c", "a.c"));
        assert!(is_same_file("/home/me/../you/a.c", "/home/you/a.c"));
        assert!(is_same_file("/home/me/x/a.c", "../x/a.c"));
        assert!(!is_same_file("/home/me/ba.c", "a.c"));
        assert!(!is_same_file("/a.c", "/b/a.c"));
    }
    const TEXT: &str = "int f(int x)\n{\n    return 100 / x;\n}\n";

    /// What is said of a witness for the division in line 3 if the test says this.
    fn judged(check: CheckKind, said: &str, status: Status) -> Confirmation {
        let text =
            "clew-ir 1\ntarget \"x86_64-linux-gnu\" pointer 8 char signed int 32 long 64 long_double x87\n";
        let mut program = clew_ir::text::parse(text).expect("the program parses");
        let file = program.sources.files.push(SourceFile::new("a.c", TEXT.as_bytes().into()));
        let start = TEXT.find("100").expect("it is there") as u32;
        let span = Span { file, start, end: start + 7, ..Span::NONE };
        let target = Target {
            id: StableId("00ff".into()),
            check,
            function: "f".to_owned(),
            span,
            obligation: Some((FuncId(0), ObligationId(0))),
        };
        let witness = Witness { version: VERSION, inputs: Vec::new(), goes_on_after: Vec::new() };
        let request = Request { program: &program, missing: &[], witness: &witness, target: &target };
        judge(&request, &request.plan(), said, status)
    }

    fn report(line: u32, what: &str) -> String {
        format!("/tmp/x/a.c:{line}:16: runtime error: {what}\n    #0 0x1 in f /tmp/x/a.c:{line}\n")
    }

    #[test]
    fn a_report_counts_in_the_lines_of_its_operation() {
        let said = report(3, "division by zero");
        let judged = |said: &str| judged(CheckKind::DivisionByZero, said, Status::Exited(1));
        assert_eq!(judged(&said), Confirmation::Native);
        assert!(matches!(judged(&report(9, "division by zero")), Confirmation::Mismatch { .. }));
    }

    #[test]
    fn a_report_of_another_fault_speaks_against_the_witness() {
        let said = report(3, "signed integer overflow: 1 + 2147483647 cannot be represented in type 'int'");
        let judged = judged(CheckKind::DivisionByZero, &said, Status::Exited(1));
        assert!(matches!(judged, Confirmation::Mismatch { what } if what.contains("a.c:3")));
    }

    #[test]
    fn silence_says_as_much_as_the_sanitizers_see() {
        let silent = |check| judged(check, "", Status::Exited(0));
        assert!(matches!(silent(CheckKind::DivisionByZero), Confirmation::Mismatch { .. }));
        assert!(matches!(silent(CheckKind::UninitialisedRead), Confirmation::NotSeen { .. }));
        let stopped = judged(CheckKind::DivisionByZero, "", Status::TimedOut);
        assert!(matches!(stopped, Confirmation::NotSeen { why } if why.contains("time limit")));
    }
}

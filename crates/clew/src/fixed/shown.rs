// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the engine found, as the report takes it.

use clew_fixed::analysis::{self as found, Analysis};
use clew_fixed::fit::Fitted;
use clew_fixed::profile::Profile;
use clew_report::fixed as report;

/// An answer.
pub fn analysis(found: &Analysis) -> report::Analysis {
    report::Analysis {
        function: found.function.clone(),
        rows: found.rows.iter().map(row).collect(),
        overflows: found.overflows.iter().map(overflow).collect(),
        proved: found.proved,
        tests: found.tests.iter().map(test).collect(),
        no_bound: found.no_bound.clone(),
        boxes: found.boxes,
        exhaustive: found.exhaustive,
        runs: found.runs,
    }
}

fn ends(ends: found::Ends) -> report::Ends {
    report::Ends { low: ends.low, high: ends.high }
}

fn row(row: &found::Row) -> report::Row {
    let by = |by: &found::By| report::By {
        name: by.name,
        error: by.error.map(ends),
        value: by.value.map(ends),
        why: by.why.clone(),
    };
    report::Row {
        variable: row.variable.clone(),
        place: row.place.clone(),
        line: row.line,
        value: row.value.map(ends),
        machine: row.machine.map(ends),
        error: row.error.map(ends),
        bound: row.bound,
        why: row.why.clone(),
        reached: row.reached,
        reached_with: row.reached_with.clone(),
        by: row.by.iter().map(by).collect(),
    }
}

fn overflow(row: &found::OverflowRow) -> report::Overflow {
    report::Overflow {
        place: row.place.clone(),
        line: row.line,
        operation: row.operation.clone(),
        variable: row.variable.clone(),
        format: row.format.clone(),
        values: ends(row.values),
        inputs: row.inputs.clone(),
        value: row.value,
        confirmed: row.confirmed,
        unconfirmed: row.unconfirmed.clone(),
    }
}

fn test(test: &found::TestRow) -> report::Test {
    report::Test { place: test.place.clone(), test: test.test.clone(), may_part: test.may_part }
}

/// Chosen formats.
pub fn fit(fitted: &Fitted, within: f64) -> report::Fit {
    let chosen = |chosen: &clew_fixed::fit::Chosen| report::Chosen {
        name: chosen.name.clone(),
        format: chosen.format.clone(),
        digits: chosen.digits,
    };
    report::Fit {
        within,
        format: fitted.format.clone(),
        bound: fitted.bound,
        proved: fitted.proved,
        too_few: fitted.too_few.map(|few| few.fraction),
        too_few_reach: fitted.too_few.map(|few| few.reached),
        variables: fitted.variables.iter().map(chosen).collect(),
        bound_by_variable: fitted.bound_by_variable,
    }
}

/// The error along an input.
pub fn profile(function: &str, profile: &Profile) -> report::Profile {
    let slice = |slice: &clew_fixed::profile::Slice| {
        (report::Ends { low: slice.low, high: slice.high }, slice.bound, slice.reached)
    };
    report::Profile {
        function: function.to_owned(),
        input: profile.input.clone(),
        result: profile.result.clone(),
        slices: profile.slices.iter().map(slice).collect(),
    }
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tables II and III of paper 000: every length and every delta, decided as the closed condition says.

use std::path::Path;

use clew_base::stack::try_with_large_stack;
use clew_frontend::{CommandLine, DiskFiles, lower, parse_unit};
use clew_ir::syntax::Program;
use clew_precision::model::{Model, Simplified};
use clew_precision::stable::{Verdict, judge};
use clew_precision::{Options, kernel_of};

fn program(length: u32) -> Program {
    let disk = DiskFiles::new();
    let line =
        CommandLine::parse(&[format!("-DN={length}")], None, &disk).unwrap_or_else(|_| panic!("flags"));
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/precision/paper0/sum.c");
    let unit = parse_unit(&line.command_for(&file), &disk).unwrap_or_else(|_| panic!("{}", file.display()));
    let lowered = try_with_large_stack(move || lower::lower(&unit)).unwrap_or_else(|| panic!("lowering"));
    clew_ir::link::link(vec![lowered]).unwrap_or_else(|_| panic!("linking"))
}

/// Whether the sum of so many is stable, under each model.
fn verdicts(length: u32, models: &[Model]) -> Vec<bool> {
    let program = program(length);
    let main = program.functions.iter_enumerated().find(|(_, f)| &*f.name == "main").map(|(id, _)| id);
    let options = Options { keeps_operations: true, ..Options::default() };
    let kernel =
        main.and_then(|main| kernel_of(&program, main, &options).ok()).unwrap_or_else(|| panic!("no kernel"));
    let one = |model: &Model| match &judge(&kernel, model)[0].verdict {
        Verdict::Stable(_) => true,
        Verdict::Unstable(_) => false,
        Verdict::Unknown(width) => panic!("{length}, {model:?}: {width:?}"),
    };
    models.iter().map(one).collect()
}

/// The sum is stable if N + 3 roundings of delta stay below a tenth.
fn is_stable(length: u32, power: i32) -> bool {
    let delta = 2f64.powi(-power);
    ((1.0 + delta) / (1.0 - delta)).powi(length as i32 + 3) - 1.0 < 0.1
}

#[test]
fn every_delta_and_length_of_table_three() {
    let powers = [2, 4, 6, 8, 9, 10, 12, 14, 16, 18, 20, 22, 24];
    let models = powers.map(|power| Model { delta: Some(2f64.powi(-power)), ..Model::default() });
    for length in [5, 10, 15, 20, 25, 30, 35, 100, 1000] {
        let wanted: Vec<bool> = powers.iter().map(|power| is_stable(length, *power)).collect();
        assert_eq!(verdicts(length, &models), wanted, "n = {length}");
    }
}

/// The simplifications change what a solver would have to do, never the answer.
#[test]
fn every_length_of_table_two_with_and_without_simplifications() {
    let simplified =
        |status, updates, normal| Model { delta: None, simplified: Simplified { status, updates, normal } };
    let models = [
        simplified(false, false, false),
        simplified(true, false, false),
        simplified(true, true, false),
        simplified(true, true, true),
    ];
    for length in 1..=15 {
        assert_eq!(verdicts(length, &models), [true; 4], "n = {length}");
    }
    let program = program(15);
    let main = program.functions.iter_enumerated().find(|(_, f)| &*f.name == "main").map(|(id, _)| id);
    let options = Options { keeps_operations: true, ..Options::default() };
    let kernel =
        main.and_then(|main| kernel_of(&program, main, &options).ok()).unwrap_or_else(|| panic!("no kernel"));
    let cases = models.map(|model| model.cases(&kernel));
    assert!(cases.is_sorted_by(|a, b| a > b), "{cases:?}");
}

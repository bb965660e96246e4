// SPDX-License-Identifier: MIT OR Apache-2.0
//! `cargo xtask`: what is run often and judges clew from outside. One file a command.
//!
//! These commands treat `clew` as a user does, as a program, and compare it with the system compiler. What they
//! need beyond cargo and gcc (csmith, creduce, Debian sources) they ask for by name.

mod arguments;
mod bench;
mod bless;
mod clew;
mod compile_log;
mod corpus;
mod csmith;
mod dwarf;
mod elsewhere;
mod faults;
mod fixed;
mod hardware;
mod imports;
mod initialisers;
mod jobs;
mod layout;
mod library;
mod mended;
mod mutate;
mod order;
mod plant;
mod precision;
mod real_code;
mod real_programs;
mod reduce;
mod referee;
mod selection;
mod solvers;
mod soundness;
mod sources;
mod stable_ids;
mod synchronous;
mod tokens;
mod type_judge;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(about = "Judges clew from outside: against the compiler, sanitizers and real code")]
struct Options {
    /// The clew to judge; without it the release build of this tree is made and used.
    #[arg(long, global = true, value_name = "PATH")]
    clew: Option<PathBuf>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Random programs must print the same under clew and gcc.
    Csmith(csmith::Options),
    /// Makes a failing program small with creduce.
    Reduce(reduce::Options),
    /// Fetches and builds GSL, SQLite, zlib and bc, and lowers every unit.
    RealCode(real_code::Options),
    /// Runs zlib, bc, SQLite and GSL programs natively, interpreted, and through the emitted C.
    RealPrograms(real_programs::Options),
    /// Layouts of structs against the compiler's DWARF.
    Layout(layout::Options),
    /// Random initialisers must leave the same values under clew and gcc.
    Initialisers(initialisers::Options),
    /// Random expressions must be evaluated in one order under clew and gcc.
    Order(order::Options),
    /// Types of expressions against the compiler.
    TypeJudge(type_judge::Options),
    /// Broken files must end in a message, never in a crash or a hang.
    Mutate(mutate::Options),
    /// Faults planted in running programs: sanitizers and clew must meet.
    Plant(plant::Options),
    /// Errors of compiled kernels, sampled against binary128, must stay below the bounds.
    Precision(precision::Options),
    /// Bounds of fixed-point errors must hold in every run of random programs.
    Fixed(fixed::Options),
    /// Proofs must hold in every run of random programs.
    Soundness(soundness::Options),
    /// Models of the library against the host's functions, with buffers of exactly the right size and one byte off.
    Library(library::Options),
    /// What main is given: claims and witnesses must hold in compiled runs on random arguments and environments.
    Arguments(arguments::Options),
    /// Functions without a body: claims must hold in compiled runs in which another file calls what it was handed or sees.
    Elsewhere(elsewhere::Options),
    /// What is proved and rests on nothing must survive the mending of every violation.
    Mended(mended::Options),
    /// `--check` must choose what is shown and never what is true.
    Selection(selection::Options),
    /// Slices of alarms must leave out nothing that the alarm comes from.
    Slices(soundness::slices::Options),
    /// Obligation ids must survive edits elsewhere.
    StableIds(stable_ids::Options),
    /// Writes a program in the style of synchronous control software, with bugs at known lines.
    Synchronous(synchronous::Options),
    /// Measures speed side by side with gcc.
    Bench(bench::Options),
    /// The arithmetic of `base` against this machine, ten million operations.
    Hardware(hardware::Options),
    /// Circuits of floats against rustc_apfloat, and the solver's answers against z3.
    Solvers(solvers::Options),
    /// Draws which folders of each crate import which, and fails on a cycle.
    Imports(imports::Options),
    /// Accepts the present output of all snapshot tests.
    Bless,
}

fn main() -> ExitCode {
    let options = Options::parse();
    let clew = clew::Choice::new(options.clew);
    let result = match options.command {
        Command::Csmith(options) => csmith::run(&clew, &options),
        Command::Reduce(options) => reduce::run(&clew, &options),
        Command::RealCode(options) => real_code::run(&options),
        Command::RealPrograms(options) => real_programs::run(&clew, &options),
        Command::Layout(options) => layout::run(&options),
        Command::Initialisers(options) => initialisers::run(&clew, &options),
        Command::Order(options) => order::run(&clew, &options),
        Command::TypeJudge(options) => type_judge::run(&options),
        Command::Mutate(options) => mutate::run(&clew, &options),
        Command::Plant(options) => plant::run(&clew, &options),
        Command::Precision(options) => precision::run(&clew, &options),
        Command::Fixed(options) => fixed::run(&clew, &options),
        Command::Soundness(options) => soundness::run(&options),
        Command::Library(options) => library::run(&clew, &options),
        Command::Arguments(options) => arguments::run(&clew, &options),
        Command::Elsewhere(options) => elsewhere::run(&clew, &options),
        Command::Mended(options) => mended::run(&clew, &options),
        Command::Selection(options) => selection::run(&clew, &options),
        Command::Slices(options) => soundness::slices::run(&options),
        Command::StableIds(options) => stable_ids::run(&clew, &options),
        Command::Synchronous(options) => synchronous::run(&options),
        Command::Bench(options) => bench::run(&clew, &options),
        Command::Hardware(options) => hardware::run(&options),
        Command::Solvers(options) => solvers::run(&options),
        Command::Imports(options) => imports::run(&options),
        Command::Bless => bless::run(),
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::from(2)
        }
    }
}

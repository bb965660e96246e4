// SPDX-License-Identifier: MIT OR Apache-2.0
//! The binary: reads flags, follows the road of [`pipeline`], and ends with the status that `exit` lists.

mod assumed;
mod called;
mod commands;
mod confirm;
mod contracts;
mod coverage;
mod describe;
mod driver;
mod exit;
mod falsify;
mod fixed;
mod flags;
mod given_away;
mod going_on;
mod guard;
mod hardware;
mod input;
mod knowledge;
mod level;
mod library;
mod load;
mod messages;
mod pipeline;
mod precise;
mod programs;
mod prove;
mod remember;
mod rows;
mod scout;
mod settings;
mod slices;
mod solve;
mod solvers;
mod starts;
mod store;
mod story;
mod suggest;
mod table;
mod terminal;
mod violations;
mod watch;

use std::ffi::OsString;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

use clap::Parser;
use exit::Exit;
use flags::{Command, Flags};

fn main() -> ExitCode {
    let launched: Vec<OsString> = std::env::args_os().skip(1).collect();
    if let Some((first, rest)) = launched.split_first()
        && first == clew_native::launch::LAUNCH
    {
        let error = clew_native::launch::launch(rest);
        eprintln!("clew: cannot start the test: {error}");
        return Exit::CannotRun.into();
    }
    if let Some((first, rest)) = launched.split_first()
        && first == clew_native::launch::ATTEND
    {
        let error = clew_native::launch::attend(rest);
        eprintln!("clew: cannot start the solver: {error}");
        return Exit::CannotRun.into();
    }
    let (words, compiler_flags) = split_arguments(std::env::args_os().collect());
    let flags = match Flags::try_parse_from(words) {
        Ok(flags) => flags,
        Err(error) => {
            // Help and version come this way too, and go to standard output with status 0.
            let _ = error.print();
            return if error.use_stderr() { Exit::BadInput.into() } else { Exit::Clean.into() };
        }
    };
    let fault = if matches!(flags.command, Command::Run(_)) { Exit::CannotRun } else { Exit::Fault };
    std::panic::set_hook(Box::new(|info| terminal::eprint(&fault_message(&info.to_string()))));
    let ended = catch_unwind(AssertUnwindSafe(|| dispatch(flags.command, &compiler_flags)));
    match ended.unwrap_or(fault) {
        Exit::Clean | Exit::Violated if terminal::is_output_lost() => Exit::BadInput.into(),
        ended => ended.into(),
    }
}

fn dispatch(command: Command, compiler_flags: &[OsString]) -> Exit {
    match command {
        Command::Check(flags) => commands::check::check(&flags, compiler_flags),
        Command::Run(flags) => commands::run::run(&flags, compiler_flags),
        Command::Replay(flags) => commands::replay::replay(&flags),
        Command::Ir(flags) => commands::ir::ir(&flags, compiler_flags),
        Command::Precision(flags) => commands::precision::precision(&flags, compiler_flags),
        Command::Fixed(flags) => commands::fixed::fixed(&flags, compiler_flags),
        Command::Contracts(flags) => commands::contracts::contracts(&flags, compiler_flags),
        Command::Refine(flags) => commands::refine::refine(&flags, compiler_flags),
        Command::Explain(flags) => commands::explain::explain(&flags),
        Command::Assumptions => commands::assumptions::assumptions(),
        Command::Solvers => commands::solvers::solvers(),
    }
}

/// Splits at the first `--`: what follows is for the compiler, in every command.
fn split_arguments(mut words: Vec<OsString>) -> (Vec<OsString>, Vec<OsString>) {
    match words.iter().position(|word| word == "--") {
        None => (words, Vec::new()),
        Some(at) => {
            let flags = words.split_off(at + 1);
            words.truncate(at);
            (words, flags)
        }
    }
}

fn fault_message(what: &str) -> String {
    format!(
        "clew: a fault of clew's own: {what}\n\
         This is never your program's fault. Please report it with the file and the flags that led here.\n"
    )
}

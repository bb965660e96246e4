// SPDX-License-Identifier: MIT OR Apache-2.0
//! The binary: reads flags, follows the road of [`pipeline`], and ends with the status that `exit` lists.

mod assumed;
mod called;
mod commands;
mod config;
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
mod output;
mod pipeline;
mod precise;
mod programs;
mod prove;
mod remember;
mod review;
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
use std::path::Path;
use std::process::ExitCode;

use clap::{CommandFactory, Parser};
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
    let words = match config::applied(with_command(words)) {
        Ok(words) => words,
        Err(message) => {
            terminal::complain(&message);
            return Exit::BadInput.into();
        }
    };
    let flags = match Flags::try_parse_from(words) {
        Ok(flags) => flags,
        Err(error) => {
            // Help and version come this way too, and go to standard output with status 0.
            let _ = error.print();
            return if error.use_stderr() { Exit::BadInput.into() } else { Exit::Clean.into() };
        }
    };
    terminal::colour(flags.color);
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
        Command::Config(flags) => commands::config::config(&flags),
        Command::Init => commands::config::init(),
        Command::Clean(flags) => commands::clean::clean(&flags),
        Command::Completions { shell } => commands::completions::completions(shell),
        Command::Man { folder } => commands::completions::man(folder.as_deref()),
    }
}

/// `clew file.c` means `clew check file.c`: so does all that begins with a flag of `check` or the name of a file.
fn with_command(mut words: Vec<OsString>) -> Vec<OsString> {
    let is_asked = words.get(1).is_some_and(|first| {
        let text = first.to_string_lossy();
        let is_general = ["-h", "--help", "-V", "--version"].contains(&&*text) || text.starts_with("--color");
        let is_file = text.ends_with(".c") || text.ends_with(".i") || Path::new(first).is_file();
        let is_command = Flags::command().find_subcommand(&*text).is_some() || text == "help";
        !is_command && !is_general && (is_file || text.starts_with('-'))
    });
    if is_asked {
        words.insert(1, "check".into());
    }
    words
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

// SPDX-License-Identifier: MIT OR Apache-2.0
//! The launcher: gives up what a witness run must not have, then becomes the program.
//!
//! A program under test does whatever its inputs make it do, and it may be run by root. So clew starts itself
//! again as the launcher: between that start and the exec of the program nothing foreign runs, and every limit set
//! here is inherited and cannot be taken back. Three layers, each by the kernel:
//!
//! - resource limits: processor time, sizes of files, of core files and of the stack;
//! - Landlock: only one folder (and `/dev/null`) may be written;
//! - seccomp: no processes but threads, no exec, no sockets, no signals to others, nothing that administers the
//!   machine. What is denied fails with `ENOSYS`, which makes the C library fall back where it can.
//!
//! An address-space limit is not among them: AddressSanitizer reserves terabytes. Memory is watched by the parent.
//! A kernel without Landlock or seccomp still gives the other layers.

use std::ffi::{CString, OsString};
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use landlock::{
    ABI, Access, AccessFs, PathBeneath, PathFd, Ruleset, RulesetAttr, RulesetCreatedAttr, RulesetError,
};
use nix::sys::personality::{self, Persona};
use rustix::process::{Resource, Rlimit, Signal, getrlimit, set_parent_process_death_signal, setrlimit};

use crate::denied;

/// The word after the program's name that makes clew the launcher.
pub const LAUNCH: &str = "__launch";

/// The word that makes clew a launcher that takes nothing away: the program ends when clew does.
pub const ATTEND: &str = "__attend";

/// What the program may use.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Confinement {
    /// The folder that it may write to, and runs in.
    pub folder: PathBuf,
    /// Processor time.
    pub cpu: Duration,
    /// Bytes of one file.
    pub file_bytes: u64,
    /// Whether the leak detector of the sanitizers may stop the program to look at its memory.
    pub traces_itself: bool,
}

impl Confinement {
    /// As words of a command line, which [`launch`] reads.
    pub(crate) fn words(&self) -> Vec<OsString> {
        vec![
            LAUNCH.into(),
            self.folder.clone().into(),
            self.cpu.as_secs().to_string().into(),
            self.file_bytes.to_string().into(),
            if self.traces_itself { "traced" } else { "alone" }.into(),
        ]
    }

    fn parse(words: &[OsString]) -> Option<Confinement> {
        let [folder, cpu, file_bytes, traced] = words else { return None };
        let number = |word: &OsString| word.to_str()?.parse::<u64>().ok();
        Some(Confinement {
            folder: folder.into(),
            cpu: Duration::from_secs(number(cpu)?),
            file_bytes: number(file_bytes)?,
            traces_itself: traced == "traced",
        })
    }
}

/// Becomes the program that the words after [`LAUNCH`] name. Returns only if that does not work, with the reason.
pub fn launch(words: &[OsString]) -> io::Error {
    let wrong = || io::Error::new(io::ErrorKind::InvalidInput, "the launcher is for clew's own use");
    let Some((settings, command)) = words.split_at_checked(4) else { return wrong() };
    let (Some(confinement), Some(program)) = (Confinement::parse(settings), command.first()) else {
        return wrong();
    };
    match become_program(&confinement, program, command) {
        Ok(never) => match never {},
        Err(error) => error,
    }
}

/// Becomes the program that the words after [`ATTEND`] name. Returns only if that does not work, with the reason.
pub fn attend(words: &[OsString]) -> io::Error {
    let Some((program, arguments)) = words.split_first() else {
        return io::Error::new(io::ErrorKind::InvalidInput, "the launcher is for clew's own use");
    };
    match set_parent_process_death_signal(Some(Signal::KILL)) {
        Ok(()) => Command::new(program).args(arguments).exec(),
        Err(error) => error.into(),
    }
}

fn become_program(
    confinement: &Confinement,
    program: &OsString,
    command: &[OsString],
) -> io::Result<std::convert::Infallible> {
    let text = |word: &OsString| CString::new(word.as_bytes()).map_err(io::Error::from);
    let path = text(program)?;
    let arguments = command.iter().map(text).collect::<io::Result<Vec<_>>>()?;
    let variables = std::env::vars_os().map(|(name, value)| {
        let mut line = name.into_vec();
        line.push(b'=');
        line.extend(value.as_bytes());
        CString::new(line).map_err(io::Error::from)
    });
    let variables = variables.collect::<io::Result<Vec<_>>>()?;
    std::env::set_current_dir(&confinement.folder)?;
    set_limits(confinement)?;
    // The sanitizers of older compilers do not cope with every random layout, and a fixed one repeats.
    let _ = personality::set(Persona::ADDR_NO_RANDOMIZE);
    // A clew that is killed takes the run with it.
    set_parent_process_death_signal(Some(Signal::KILL))?;
    rustix::thread::set_no_new_privs(true)?;
    // A kernel without Landlock or seccomp gives the other layers: see the head of this file.
    let _ = restrict_files(&confinement.folder);
    let _ = denied::apply(&path, confinement.traces_itself);
    Err(nix::unistd::execve(&path, &arguments, &variables)
        .map_or_else(io::Error::from, |never| match never {}))
}

fn set_limits(confinement: &Confinement) -> io::Result<()> {
    /// What the interpreter takes for the stack, too.
    const STACK: u64 = 8 << 20;
    // What whoever runs clew has set lower cannot be raised.
    let set = |resource, most: u64| {
        let most = getrlimit(resource).maximum.map_or(most, |already| most.min(already));
        setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) }).map_err(io::Error::from)
    };
    // Whoever runs clew may have bounded its address space, which would keep the sanitizers from starting.
    let most = getrlimit(Resource::As).maximum;
    let _ = setrlimit(Resource::As, Rlimit { current: most, maximum: most });
    set(Resource::Core, 0)?;
    set(Resource::Cpu, confinement.cpu.as_secs().max(1))?;
    set(Resource::Fsize, confinement.file_bytes)?;
    set(Resource::Nofile, 256)?;
    set(Resource::Stack, STACK)
}

/// Everything may be read and run, one folder may be written.
fn restrict_files(folder: &Path) -> Result<(), RulesetError> {
    let version = ABI::V5;
    let all = AccessFs::from_all(version);
    let read = AccessFs::from_read(version);
    let device = AccessFs::WriteFile | AccessFs::ReadFile;
    let mut rules = Ruleset::default().handle_access(all)?.create()?;
    let allowed = [(Path::new("/"), read), (Path::new("/dev/null"), device), (folder, all)];
    for (path, access) in allowed {
        if let Ok(place) = PathFd::new(path) {
            rules = rules.add_rule(PathBeneath::new(place, access))?;
        }
    }
    rules.restrict_self().map(|_| ())
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! A child process with limits, everything it says captured.
//!
//! Limits on memory and processor time are set by the shell (`ulimit`) between fork and exec, so that the child
//! never runs without them; the wall clock and the amount of output are watched from here. The child leads its
//! own process group and the whole group is ended with it.
//!
//! A child that nobody vouches for runs in a [`Sandbox`]: the launcher takes the place of the shell (see
//! [`crate::launch`]), and the memory that it uses and the files that it writes are watched from here, too.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::io::{self, Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

use crate::launch::Confinement;

/// What a child may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Wall-clock time.
    pub time: Duration,
    /// Bytes of standard output and of standard error, each.
    pub output: u64,
    /// Bytes of address space; `None` for programs that reserve more than they use, as AddressSanitizer does.
    pub memory: Option<u64>,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { time: Duration::from_secs(10), output: 64 << 20, memory: None }
    }
}

/// When all work was asked to end.
static END: OnceLock<Instant> = OnceLock::new();

/// How long a child may go on when all work is to end: enough to confirm the last witness of an ordinary program.
const GRACE: Duration = Duration::from_secs(1);

/// All work is to end: children that run now or are started later end shortly, as if they had run too long.
pub fn end_children() {
    END.get_or_init(Instant::now);
}

fn is_over() -> bool {
    END.get().is_some_and(|end| end.elapsed() > GRACE)
}

/// How a child ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// By itself, with this status.
    Exited(i32),
    /// By this signal, and not by us.
    Signalled(i32),
    /// It was ended for running too long.
    TimedOut,
    /// It was ended for saying too much.
    TooMuchOutput,
    /// It was ended for using too much memory.
    TooMuchMemory,
    /// It was ended for writing too much to files.
    TooManyFiles,
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Status::Exited(code) => write!(f, "exit status {code}"),
            Status::Signalled(signal) => write!(f, "signal {signal}"),
            Status::TimedOut => f.write_str("time limit"),
            Status::TooMuchOutput => f.write_str("output limit"),
            Status::TooMuchMemory => f.write_str("memory limit"),
            Status::TooManyFiles => f.write_str("file limit"),
        }
    }
}

/// What a child did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// How it ended.
    pub status: Status,
    /// Standard output, up to the limit.
    pub stdout: Vec<u8>,
    /// Standard error, up to the limit.
    pub stderr: Vec<u8>,
    /// Wall-clock time from start to end.
    pub wall: Duration,
    /// Processor time of all its threads, and of its own children that it waited for, as the kernel counts it
    /// (steps of 10 ms). Zero when the kernel does not say.
    pub cpu: Duration,
}

impl Outcome {
    /// Whether it ended by itself with status 0.
    pub fn success(&self) -> bool {
        self.status == Status::Exited(0)
    }

    /// Standard error as text; bytes that are not UTF-8 are replaced.
    pub fn stderr_text(&self) -> String {
        String::from_utf8_lossy(&self.stderr).into_owned()
    }
}

/// Where a child that nobody vouches for runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sandbox {
    /// The program that is clew, and the launcher when told so.
    pub launcher: PathBuf,
    /// What the launcher leaves to the child.
    pub confinement: Confinement,
    /// Bytes of memory in use.
    pub memory: u64,
    /// Bytes of all files in its folder.
    pub folder_bytes: u64,
}

/// A program about to be run.
#[derive(Clone, Debug)]
pub struct Child {
    program: OsString,
    arguments: Vec<OsString>,
    environment: Vec<(OsString, OsString)>,
    directory: Option<PathBuf>,
    stdin: Vec<u8>,
    limits: Limits,
    sandbox: Option<Sandbox>,
}

impl Child {
    /// A program without arguments, with empty input and the default limits.
    pub fn new(program: impl AsRef<OsStr>) -> Self {
        Child {
            program: program.as_ref().to_owned(),
            arguments: Vec::new(),
            environment: Vec::new(),
            directory: None,
            stdin: Vec::new(),
            limits: Limits::default(),
            sandbox: None,
        }
    }

    /// Adds an argument.
    pub fn arg(mut self, argument: impl AsRef<OsStr>) -> Self {
        self.arguments.push(argument.as_ref().to_owned());
        self
    }

    /// Adds arguments.
    pub fn args<S: AsRef<OsStr>>(mut self, arguments: impl IntoIterator<Item = S>) -> Self {
        self.arguments.extend(arguments.into_iter().map(|a| a.as_ref().to_owned()));
        self
    }

    /// Sets a variable of its environment.
    pub fn env(mut self, name: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> Self {
        self.environment.push((name.as_ref().to_owned(), value.as_ref().to_owned()));
        self
    }

    /// Runs it in this folder.
    pub fn directory(mut self, directory: impl Into<PathBuf>) -> Self {
        self.directory = Some(directory.into());
        self
    }

    /// Gives it this input.
    pub fn stdin(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        self.stdin = bytes.into();
        self
    }

    /// Sets its limits.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Sets its time limit.
    pub fn time(mut self, time: Duration) -> Self {
        self.limits.time = time;
        self
    }

    /// Runs it in a sandbox.
    pub fn sandbox(mut self, sandbox: Sandbox) -> Self {
        self.sandbox = Some(sandbox);
        self
    }

    /// Runs it to its end or to the first limit.
    ///
    /// # Errors
    /// When the program cannot be started at all.
    pub fn run(&self) -> io::Result<Outcome> {
        let start = Instant::now();
        let mut child = self.command().spawn()?;
        let too_much = Arc::new(AtomicBool::new(false));
        let stdout = child.stdout.take().map(|pipe| capture(pipe, self.limits.output, &too_much));
        let stderr = child.stderr.take().map(|pipe| capture(pipe, self.limits.output, &too_much));
        if let Some(mut pipe) = child.stdin.take() {
            let input = self.stdin.clone();
            // A child that does not read its input closes the pipe, which is no error of ours. The thread is
            // not joined: a grandchild that outlives the child may keep the pipe open.
            thread::spawn(move || pipe.write_all(&input));
        }
        let ended = self.watch(&child, start, &too_much);
        let wall = start.elapsed();
        let cpu = processor_time(child.id()).unwrap_or_default();
        end_group(&child);
        let status = child.wait()?;
        let stdout = stdout.map(collect).unwrap_or_default();
        let stderr = stderr.map(collect).unwrap_or_default();
        // The closed pipe may have ended the child before the flag was seen.
        let status = match ended {
            _ if too_much.load(Ordering::Relaxed) => Status::TooMuchOutput,
            Some(limit) => limit,
            None => from_exit(status),
        };
        Ok(Outcome { status, stdout, stderr, wall, cpu })
    }

    fn command(&self) -> Command {
        let mut command = match &self.sandbox {
            Some(sandbox) => self.launched(sandbox),
            None => self.limited(),
        };
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        if let Some(directory) = &self.directory {
            command.current_dir(directory);
        }
        command.process_group(0).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// By the launcher, without the environment of whoever runs clew.
    fn launched(&self, sandbox: &Sandbox) -> Command {
        let mut command = Command::new(&sandbox.launcher);
        command.args(sandbox.confinement.words()).arg(&self.program).args(&self.arguments).env_clear();
        command
    }

    /// By the shell, which sets limits.
    fn limited(&self) -> Command {
        let mut command = Command::new("sh");
        // CPU time is a second line of defence against a child that survives us.
        let seconds = self.limits.time.as_secs() * 2 + 10;
        // A limit that is lower already cannot be raised, and serves as well.
        let lower = |what: &str, most: u64| format!("ulimit -{what} {most} 2>/dev/null; ");
        let mut script = lower("c", 0) + &lower("t", seconds);
        if let Some(memory) = self.limits.memory {
            script.push_str(&lower("v", memory / 1024));
        }
        script.push_str("exec \"$@\"");
        command.arg("-c").arg(script).arg("sh").arg(&self.program).args(&self.arguments);
        command
    }

    /// Waits without reaping, so that the kernel still answers questions about the child.
    fn watch(&self, child: &std::process::Child, start: Instant, too_much: &AtomicBool) -> Option<Status> {
        let pid = Pid::from_child(child);
        let mut pause = Duration::from_micros(200);
        loop {
            let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
            match waitid(WaitId::Pid(pid), options) {
                Ok(Some(_)) => return None,
                Ok(None) | Err(rustix::io::Errno::INTR) => {}
                Err(_) => return None,
            }
            if too_much.load(Ordering::Relaxed) {
                return Some(Status::TooMuchOutput);
            }
            if start.elapsed() > self.limits.time || is_over() {
                return Some(Status::TimedOut);
            }
            if let Some(limit) = self.sandbox.as_ref().and_then(|sandbox| sandbox.exceeded(child.id())) {
                return Some(limit);
            }
            thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(5));
        }
    }
}

impl Sandbox {
    /// The limit that the child has passed by now.
    fn exceeded(&self, pid: u32) -> Option<Status> {
        if resident_bytes(pid).is_some_and(|used| used > self.memory) {
            return Some(Status::TooMuchMemory);
        }
        if bytes_below(&self.confinement.folder) > self.folder_bytes {
            return Some(Status::TooManyFiles);
        }
        None
    }
}

/// Bytes of memory that a process has in use, where the system says.
fn resident_bytes(pid: u32) -> Option<u64> {
    let text = std::fs::read_to_string(format!("/proc/{pid}/statm")).ok()?;
    let pages: u64 = text.split_whitespace().nth(1)?.parse().ok()?;
    Some(pages * rustix::param::page_size() as u64)
}

/// Bytes of the files in a folder and in those inside it. A file counts at least a page: many empty ones are too many.
fn bytes_below(folder: &Path) -> u64 {
    let Ok(entries) = std::fs::read_dir(folder) else { return 0 };
    let bytes = entries.flatten().map(|entry| match entry.metadata() {
        Ok(data) if data.is_dir() => 4096 + bytes_below(&entry.path()),
        Ok(data) => data.len().max(4096),
        Err(_) => 0,
    });
    bytes.sum()
}

/// Ends what is left of the child's process group. An error means that nothing is left.
fn end_group(child: &std::process::Child) {
    let _ = kill_process_group(Pid::from_child(child), Signal::KILL);
}

fn capture(pipe: impl Read + Send + 'static, limit: u64, too_much: &Arc<AtomicBool>) -> JoinHandle<Vec<u8>> {
    let too_much = Arc::clone(too_much);
    thread::spawn(move || {
        let mut bytes = Vec::new();
        // An error ends the capture like the end of the pipe: what came before it is kept.
        let _ = pipe.take(limit + 1).read_to_end(&mut bytes);
        if bytes.len() as u64 > limit {
            bytes.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
            too_much.store(true, Ordering::Relaxed);
        }
        bytes
    })
}

fn collect(thread: JoinHandle<Vec<u8>>) -> Vec<u8> {
    thread.join().unwrap_or_default()
}

fn from_exit(status: ExitStatus) -> Status {
    match (status.code(), status.signal()) {
        (Some(code), _) => Status::Exited(code),
        (None, signal) => Status::Signalled(signal.unwrap_or(0)),
    }
}

/// User and system time of a child that has ended but has not been reaped, and of its children.
fn processor_time(pid: u32) -> Option<Duration> {
    let text = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The second field is the name in parentheses and may hold anything; the rest are numbers.
    let rest = text.rsplit_once(')')?.1;
    let times = rest.split_whitespace().skip(11).take(4).map(|field| field.parse::<u64>().ok());
    let ticks: u64 = times.sum::<Option<u64>>()?;
    Some(Duration::from_millis(ticks * 1000 / rustix::param::clock_ticks_per_second()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Child {
        Child::new("sh").args(["-c", script])
    }

    #[test]
    fn captures_both_streams_and_the_status() {
        let outcome = shell("cat; echo oops >&2; exit 3").stdin("hello").run().unwrap();
        assert_eq!(outcome.status, Status::Exited(3));
        assert_eq!(outcome.stdout, b"hello");
        assert_eq!(outcome.stderr, b"oops\n");
        assert!(!outcome.success());
    }

    #[test]
    fn reports_a_signal() {
        assert_eq!(shell("kill -SEGV $$").run().unwrap().status, Status::Signalled(11));
    }

    #[test]
    fn stops_at_the_time_limit_with_what_was_said() {
        let outcome = shell("echo early; sleep 20").time(Duration::from_millis(300)).run().unwrap();
        assert_eq!(outcome.status, Status::TimedOut);
        assert_eq!(outcome.stdout, b"early\n");
        assert!(outcome.wall < Duration::from_secs(10));
    }

    #[test]
    fn stops_at_the_output_limit() {
        let limits = Limits { output: 1000, ..Limits::default() };
        let outcome = shell("while :; do echo xxxxxxxxxxxxxxxx; done").limits(limits).run().unwrap();
        assert_eq!(outcome.status, Status::TooMuchOutput);
        assert_eq!(outcome.stdout.len(), 1000);
    }

    #[test]
    fn input_that_nobody_reads_is_no_error() {
        let outcome = shell("exit 0").stdin(vec![b'x'; 1 << 20]).run().unwrap();
        assert!(outcome.success());
    }

    #[test]
    fn measures_processor_time() {
        let outcome = shell("i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done").run().unwrap();
        assert!(outcome.success());
        assert!(outcome.cpu >= Duration::from_millis(10), "{:?}", outcome.cpu);
    }

    #[test]
    fn a_missing_program_is_seen() {
        let outcome = Child::new("/no/such/program").run().unwrap();
        assert_eq!(outcome.status, Status::Exited(127));
    }
}

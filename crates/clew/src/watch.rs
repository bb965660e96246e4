// SPDX-License-Identifier: MIT OR Apache-2.0
//! Long work: a line on the terminal, an end at ctrl-C, at a time or when memory runs out. What is known by then is
//! reported. Memory that one engine has used up is there for the next.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, Mutex, OnceLock};
use std::time::{Duration, Instant};

use crate::terminal::Progress;

/// Set when the work is to end early.
pub static CANCEL: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// Whether the work is to end early.
pub fn is_cancelled() -> bool {
    CANCEL.load(Ordering::Relaxed)
}

/// Whether that is because memory ran out.
static OUT_OF_MEMORY: AtomicBool = AtomicBool::new(false);
/// Whether it is for another reason, too.
static ENDED: AtomicBool = AtomicBool::new(false);
/// Bytes that clew as a whole may use.
static MOST_BYTES: OnceLock<u64> = OnceLock::new();

/// Why an engine ended that used up the memory.
pub const RUN_OUT: &str = "memory ran out";

/// Ends all work.
fn end() -> bool {
    CANCEL.store(true, Ordering::Relaxed);
    clew_native::end_children();
    ENDED.swap(true, Ordering::Relaxed)
}

/// Ends the engine that is at work, for lack of memory.
pub fn run_out() {
    OUT_OF_MEMORY.store(true, Ordering::Relaxed);
    CANCEL.store(true, Ordering::Relaxed);
}

/// Whether memory ran out under the engine that was at work last.
pub fn has_run_out() -> bool {
    OUT_OF_MEMORY.load(Ordering::Relaxed) && !ENDED.load(Ordering::Relaxed)
}

/// Another engine begins. What the one before used up is free again, or this one ends as soon as it looks.
pub fn start_engine() {
    if has_run_out() && !is_short() {
        OUT_OF_MEMORY.store(false, Ordering::Relaxed);
        CANCEL.store(ENDED.load(Ordering::Relaxed), Ordering::Relaxed);
    }
}

/// Whether more memory is in use than may be.
fn is_short() -> bool {
    MOST_BYTES.get().is_some_and(|most| resident_bytes().is_some_and(|used| used > *most))
}

/// Ends engines that use more memory than the user allows, or nearly all that there is: being killed by the system would
/// cost everything that is known.
pub fn end_when_memory_is_short(most: Option<u64>) {
    const PAUSE: Duration = Duration::from_millis(50);
    let Some(most) = most.or_else(most_of_the_memory) else { return };
    let _ = MOST_BYTES.set(most);
    let look = || {
        loop {
            std::thread::sleep(PAUSE);
            if is_short() {
                run_out();
            }
        }
    };
    // Without a thread it is looked at now and then.
    let _ = std::thread::Builder::new().name("memory".into()).spawn(look);
}

/// Nine tenths of what the system has to give.
fn most_of_the_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let free = line.split_whitespace().next()?.parse::<u64>().ok()?.checked_mul(1024)?;
    let group = std::fs::read_to_string("/sys/fs/cgroup/memory.max").ok();
    let group = group.and_then(|text| text.trim().parse::<u64>().ok()).unwrap_or(u64::MAX);
    Some(free.min(group) / 10 * 9)
}

/// Ends the work at a time, however far it is.
pub fn end_at(deadline: Instant) {
    let wait = move || {
        std::thread::sleep(deadline.saturating_duration_since(Instant::now()));
        end();
    };
    // Without a thread the proofs still look at the clock.
    let _ = std::thread::Builder::new().name("deadline".into()).spawn(wait);
}

/// The first ctrl-C (or SIGTERM) ends the work and keeps what is known, the second ends clew.
pub fn end_at_ctrl_c() {
    // Without a handler ctrl-C just ends clew, as it does everywhere.
    let _ = ctrlc::set_handler(|| {
        if end() {
            std::process::exit(130);
        }
        eprintln!("\nending, with what is known so far; once more ends clew at once");
    });
}

/// Looks on while an engine works.
pub struct Watch {
    line: Progress,
    started: Instant,
    /// What is known already.
    known: Mutex<String>,
}

impl Watch {
    /// From now on.
    pub fn new() -> Watch {
        Watch { line: Progress::always(), started: Instant::now(), known: Mutex::default() }
    }

    /// There is a first answer; the work goes on.
    pub fn know(&self, what: &str) {
        *self.known.lock().unwrap_or_else(|e| e.into_inner()) = format!("{what}; ");
        self.line.say(what);
    }

    /// Called now and then: so many statements have been analysed, the last in this function.
    pub fn at(&self, steps: u64, function: &str) {
        if is_short() {
            run_out();
        }
        let elapsed = self.started.elapsed();
        if elapsed > Duration::from_secs(1) {
            let known = self.known.lock().unwrap_or_else(|e| e.into_inner());
            self.line.say(&format!(
                "{known}{} s, {} thousand statements, in {function}",
                elapsed.as_secs(),
                steps / 1000
            ));
        }
    }
}

/// Bytes of memory in use, where the system says.
fn resident_bytes() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = text.split_whitespace().nth(1)?.parse().ok()?;
    Some(pages * rustix::param::page_size() as u64)
}

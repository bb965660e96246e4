// SPDX-License-Identifier: MIT OR Apache-2.0
//! Long work: a line on the terminal, an end at ctrl-C or when memory runs out. What is known by then is reported.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use crate::terminal::Progress;

/// Set when the work is to end early.
pub static CANCEL: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// Whether the work is to end early.
pub fn is_cancelled() -> bool {
    CANCEL.load(Ordering::Relaxed)
}

/// Ends the work at a time, however far it is.
pub fn end_at(deadline: Instant) {
    let wait = move || {
        std::thread::sleep(deadline.saturating_duration_since(Instant::now()));
        CANCEL.store(true, Ordering::Relaxed);
    };
    // Without a thread the proofs still look at the clock.
    let _ = std::thread::Builder::new().name("deadline".into()).spawn(wait);
}

/// The first ctrl-C ends the work and keeps what is known, the second ends clew.
pub fn end_at_ctrl_c() {
    // Without a handler ctrl-C just ends clew, as it does everywhere.
    let _ = ctrlc::set_handler(|| {
        if CANCEL.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
        eprintln!("\nending, with what is known so far; once more ends clew at once");
    });
}

/// Looks on while an engine works.
pub struct Watch {
    line: Progress,
    started: Instant,
    most_bytes: Option<u64>,
}

impl Watch {
    /// With a limit of memory, if there is one.
    pub fn new(most_bytes: Option<u64>) -> Watch {
        Watch { line: Progress::always(), started: Instant::now(), most_bytes }
    }

    /// Called now and then: so many statements have been analysed, the last in this function.
    pub fn at(&self, steps: u64, function: &str) {
        if self.most_bytes.is_some_and(|most| resident_bytes().is_some_and(|used| used > most)) {
            CANCEL.store(true, Ordering::Relaxed);
        }
        let elapsed = self.started.elapsed();
        if elapsed > Duration::from_secs(1) {
            self.line.say(&format!(
                "{} s, {} thousand statements, in {function}",
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

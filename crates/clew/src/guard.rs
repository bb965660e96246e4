// SPDX-License-Identifier: MIT OR Apache-2.0
//! What goes wrong in one engine costs its own answers: a fault of ours there is said, and the others go on.

use std::sync::atomic::{AtomicBool, Ordering};

use clew_base::stack::try_with_large_stack;
use clew_report::Effort;

use crate::watch;

static FAILED: AtomicBool = AtomicBool::new(false);

/// Whether an engine failed.
pub fn has_failed() -> bool {
    FAILED.load(Ordering::Relaxed)
}

/// The answer of an engine; none if it failed, which has then been said. It has a large stack of its own.
pub fn guarded<T: Send>(engine: &str, work: impl FnOnce() -> T + Send) -> Option<T> {
    watch::start_engine();
    let answer = try_with_large_stack(|| {
        inject(engine);
        work()
    });
    if answer.is_none() {
        FAILED.store(true, Ordering::Relaxed);
        crate::terminal::note(&format!("{engine} failed: its answers are missing, all others count"));
    }
    answer
}

/// How far an engine came that has just ended.
pub fn effort(is_done: bool) -> Effort {
    match () {
        () if !is_done => Effort::Failed,
        () if watch::has_run_out() => Effort::GaveUp(watch::RUN_OUT.to_owned()),
        () if watch::is_cancelled() => Effort::CutShort,
        () => Effort::Done,
    }
}

/// The effort that says more of two that were made one after the other.
pub fn worse(one: Effort, other: Effort) -> Effort {
    let rank = |effort: &Effort| match effort {
        Effort::NotNeeded => 0,
        Effort::Done => 1,
        Effort::Skipped(_) => 2,
        Effort::GaveUp(_) => 3,
        Effort::CutShort => 4,
        Effort::Failed => 5,
    };
    if rank(&other) > rank(&one) { other } else { one }
}

/// A fault for tests: `CLEW_FAULT` names the engine that fails, or `memory-` and the one that runs out of it.
#[cfg(debug_assertions)]
fn inject(engine: &str) {
    let Ok(wanted) = std::env::var("CLEW_FAULT") else { return };
    if wanted.strip_prefix("memory-") == Some(engine) {
        watch::run_out();
    }
    assert!(wanted != engine, "a fault for a test in {engine}");
}

#[cfg(not(debug_assertions))]
fn inject(_: &str) {}

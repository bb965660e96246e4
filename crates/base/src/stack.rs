// SPDX-License-Identifier: MIT OR Apache-2.0
//! Room for deep recursion: a thread with a very large stack.
//!
//! The depth of a tree, or of the calls of a program, is the user's choice (a sum of a hundred thousand terms is one), and
//! who follows them by recursion needs as much of a stack. The memory is reserved, not used, until a program needs it.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Mutex, PoisonError};

/// Reserved for one deep computation.
const BYTES: usize = 1 << 30;

/// Reserved where the system does not give that much.
const FEWER_BYTES: usize = BYTES / 4;

/// Runs `work` on a thread with a very large stack. A panic in `work` is the caller's; the error is the system's, which
/// gives no such thread.
pub fn with_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> io::Result<T> {
    // In a cell, because a thread that cannot be started must leave the work to the next attempt.
    let work = Mutex::new(Some(work));
    let run = || work.lock().unwrap_or_else(PoisonError::into_inner).take().map(|work| work());
    std::thread::scope(|scope| {
        let start = |bytes| std::thread::Builder::new().stack_size(bytes).spawn_scoped(scope, run);
        let thread = start(BYTES).or_else(|_| start(FEWER_BYTES))?;
        let done = thread.join().unwrap_or_else(|panic| resume_unwind(panic));
        done.ok_or_else(|| io::Error::other("the work has run already"))
    })
}

/// The same, where a panic means that there is no answer; its own message has then been printed by the panic hook.
pub fn try_with_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> Option<T> {
    catch_unwind(AssertUnwindSafe(|| with_large_stack(work))).ok()?.ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn depth(left: u32) -> u32 {
        if left == 0 { 0 } else { std::hint::black_box(depth(left - 1)) + 1 }
    }

    #[test]
    fn a_million_calls_fit() {
        assert_eq!(with_large_stack(|| depth(1_000_000)).ok(), Some(1_000_000));
    }

    #[test]
    #[should_panic(expected = "its own")]
    fn a_panic_is_the_callers() {
        let _ = with_large_stack(|| panic!("its own"));
    }

    #[test]
    fn a_panic_is_no_answer() {
        assert_eq!(try_with_large_stack(|| depth(3)), Some(3));
        assert_eq!(try_with_large_stack(|| -> u32 { panic!("caught") }), None);
    }
}

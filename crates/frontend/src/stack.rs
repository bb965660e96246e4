// SPDX-License-Identifier: MIT OR Apache-2.0
//! Room for deep recursion.
//!
//! rucc and lowering walk trees recursively, and the depth of a tree is the user's choice (a sum of a
//! hundred thousand terms is one). The memory is reserved, not used, until a program needs it.

/// Reserved for one deep computation.
const STACK_BYTES: usize = 1 << 30;

/// Runs `work` on a thread with a very large stack. `None` when it panicked; the panic's own message has
/// then been printed by the panic hook.
pub fn with_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> Option<T> {
    // In a cell, because a thread that cannot be started must leave the work to the next attempt.
    let work = std::sync::Mutex::new(Some(work));
    let run = || {
        let work = work.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take();
        work.map(|work| work())
    };
    std::thread::scope(|scope| {
        for bytes in [STACK_BYTES, STACK_BYTES / 8] {
            if let Ok(thread) = std::thread::Builder::new().stack_size(bytes).spawn_scoped(scope, run) {
                return thread.join().ok().flatten();
            }
        }
        run()
    })
}

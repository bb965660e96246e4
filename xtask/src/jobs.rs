// SPDX-License-Identifier: MIT OR Apache-2.0
//! Work on a list with several threads, results in the list's order.

use std::sync::Mutex;

use clew_base::workers::{cores, in_order};

/// How many threads to use when nobody says.
pub fn default_jobs() -> usize {
    cores()
}

/// Applies `work` to every item and hands each result to `done` as soon as it is there (in any order).
/// The results come back in the order of the items.
pub fn for_each<T: Sync, R: Send>(
    jobs: usize,
    items: &[T],
    work: impl Fn(&T) -> R + Sync,
    done: impl Fn(&T, &R) + Sync,
) -> Vec<R> {
    // Keeps the lines that `done` prints whole.
    let printing = Mutex::new(());
    in_order(jobs, items, |_, item| {
        let result = work(item);
        let _whole = printing.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        done(item, &result);
        result
    })
}

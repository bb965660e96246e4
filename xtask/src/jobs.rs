// SPDX-License-Identifier: MIT OR Apache-2.0
//! Work on a list with several threads, results in the list's order.

use std::num::NonZero;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// How many threads to use when nobody says.
pub fn default_jobs() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get)
}

/// Applies `work` to every item and hands each result to `done` as soon as it is there (in any order).
/// The results come back in the order of the items.
pub fn for_each<T: Sync, R: Send>(
    jobs: usize,
    items: &[T],
    work: impl Fn(&T) -> R + Sync,
    done: impl Fn(&T, &R) + Sync,
) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let results: Mutex<Vec<Option<R>>> = Mutex::new(items.iter().map(|_| None).collect());
    thread::scope(|scope| {
        for _ in 0..jobs.max(1).min(items.len().max(1)) {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(index) else { break };
                    let result = work(item);
                    // The lock also keeps the lines that `done` prints whole. A thread that panicked while
                    // holding it leaves results that are still good.
                    let mut results = results.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
                    done(item, &result);
                    results[index] = Some(result);
                }
            });
        }
    });
    let results = results.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    results.into_iter().flatten().collect()
}

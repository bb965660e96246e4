// SPDX-License-Identifier: MIT OR Apache-2.0
//! Work on a list with several threads, answers in the list's order, so that nothing depends on who was faster.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// How many threads run at the same time on this machine.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Puts every item to `work`, with its index, on so many threads at most, of which the caller's own is one. A panic in
/// `work` is the caller's, once the others are done with what they have begun.
pub fn in_order<T: Sync, A: Send>(
    threads: usize,
    items: &[T],
    work: impl Fn(usize, &T) -> A + Sync,
) -> Vec<A> {
    let next = AtomicUsize::new(0);
    let answers: Mutex<Vec<Option<A>>> = Mutex::new(items.iter().map(|_| None).collect());
    let worker = || {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(index) else { break };
            let answer = work(index, item);
            // Who panicked while holding the lock leaves answers that are still good.
            answers.lock().unwrap_or_else(|poisoned| poisoned.into_inner())[index] = Some(answer);
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads.min(items.len()) {
            scope.spawn(worker);
        }
        worker();
    });
    let answers = answers.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    answers.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_come_in_the_order_of_the_items() {
        let items: Vec<usize> = (0..100).collect();
        for threads in [0, 1, 3, 200] {
            let answers = in_order(threads, &items, |index, item| {
                if item % 7 == 0 {
                    std::thread::yield_now();
                }
                (index, item * 2)
            });
            assert_eq!(answers, items.iter().map(|item| (*item, item * 2)).collect::<Vec<_>>());
        }
        assert!(in_order(4, &[], |_, (): &()| ()).is_empty());
    }

    #[test]
    #[should_panic]
    fn a_panic_is_not_swallowed() {
        in_order(2, &[1, 2, 3], |_, item| assert!(*item != 2));
    }
}

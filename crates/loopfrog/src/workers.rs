//! Threads with room for deep recursion.

use std::num::NonZero;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{self, Scope};

/// Stack sizes to try. The system commits memory only when it is touched, but may refuse to reserve so much.
const STACK_SIZES: [usize; 3] = [256 << 20, 64 << 20, 8 << 20];

/// Does the work for all items, several at once, each with a big stack. The results are in the order of the items.
pub fn map<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let results: Mutex<Vec<(usize, R)>> = Mutex::new(Vec::with_capacity(items.len()));
    let worker = || {
        while let Some((index, item)) = Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|index| Some((index, items.get(index)?))) {
            let result = work(item);
            results.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push((index, result));
        }
    };
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    thread::scope(|scope| {
        let started = (0..cores.min(items.len())).filter(|_| spawn(scope, &worker)).count();
        if started == 0 {
            // The system gives no thread at all: make do with the stack at hand.
            worker();
        }
    });
    let mut results = results.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    results.sort_by_key(|&(index, _)| index);
    results.into_iter().map(|(_, result)| result).collect()
}

/// Does some work on a thread with a big stack.
pub fn on_big_stack<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    let work = Mutex::new(Some(work));
    let mut results = map(&[()], |()| {
        let work = work.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).take();
        work.map(|work| work())
    });
    results.pop().flatten().expect("there is one item, and its work is done once")
}

/// Starts a thread with the biggest stack that can be had.
fn spawn<'scope, 'env>(scope: &'scope Scope<'scope, 'env>, worker: &'env (impl Fn() + Sync)) -> bool {
    STACK_SIZES.iter().any(|&size| thread::Builder::new().stack_size(size).spawn_scoped(scope, worker).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn depth(n: u32) -> u32 {
        let room = std::hint::black_box([n; 256]);
        if n == 0 { 0 } else { depth(n - 1) + room[0] - n + 1 }
    }

    #[test]
    fn deep_recursion_fits_and_results_are_in_order() {
        let depths: Vec<u32> = (0..20).map(|i| 1000 * i).collect();
        assert_eq!(map(&depths, |&n| depth(n)), depths);
        assert!(map(&[] as &[u32], |&n| n).is_empty());
    }
}

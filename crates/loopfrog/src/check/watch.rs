//! The limits on time and memory: a thread that looks at the clock and at the memory in use, and interrupts the solver.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use logic::sat::Interrupt;

use super::Means;

/// Ends the watch when it is dropped.
pub(super) struct Watch(Arc<AtomicBool>);

impl Drop for Watch {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Raises the interrupt when a limit is passed; what was found until then is printed.
pub(super) fn start(means: &Means, started: Instant, interrupt: Interrupt) -> Watch {
    let done = Arc::new(AtomicBool::new(false));
    let watch = Watch(done.clone());
    let limit = means.timeout.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    let memory = means.memory.map(|mib| mib.saturating_mul(1 << 20));
    if limit.is_none() && memory.is_none() {
        return watch;
    }
    // Without a thread there is no limit; that is better than no answer.
    let _ = thread::Builder::new().spawn(move || {
        while !done.load(Ordering::Relaxed) {
            let late = limit.is_some_and(|limit| started.elapsed() >= limit);
            let full = memory.is_some_and(|memory| resident().is_some_and(|used| used >= memory));
            if late || full {
                return interrupt.raise();
            }
            thread::sleep(Duration::from_millis(10));
        }
    });
    watch
}

/// The memory that the process uses, where the system tells.
fn resident() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = text.split_whitespace().nth(1)?.parse().ok()?;
    Some(pages * 4096)
}

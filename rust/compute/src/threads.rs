//! The threads that share the units of work of a plan.

use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};

use tensornio_core::parallel;

thread_local! {
    /// The number of threads that a test forces for the work of this thread; else 0.
    static WANTED: Cell<usize> = const { Cell::new(0) };
}

/// For tests: runs work whose units are shared by that many threads, whatever the number of processors.
#[doc(hidden)]
pub fn in_threads<T>(threads: usize, work: impl FnOnce() -> T) -> T {
    struct Before(usize);
    impl Drop for Before {
        fn drop(&mut self) {
            WANTED.set(self.0);
        }
    }
    let _before = Before(WANTED.replace(threads));
    work()
}

fn threads() -> usize {
    match WANTED.get() {
        0 => parallel::threads(),
        wanted => wanted,
    }
}

/// Calls `work` for each of `0..count`, in any order, on as many threads as the library has.
pub fn for_each(count: usize, work: &(dyn Fn(usize) + Sync)) {
    let next = AtomicUsize::new(0);
    let all = |_| loop {
        let unit = next.fetch_add(1, Ordering::Relaxed);
        if unit >= count {
            return;
        }
        work(unit);
    };
    parallel::run(0..threads().min(count), all);
}

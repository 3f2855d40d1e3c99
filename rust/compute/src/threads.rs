//! The threads that share the units of work of a plan.

use std::cell::Cell;

use tensornio_core::parallel;

thread_local! {
    /// The number of threads that the caller, or a test, wants for the work of this thread; else 0.
    static WANTED: Cell<usize> = const { Cell::new(0) };
}

/// Runs work whose units are shared by at most so many threads, the calling one included; by as many as the library has if it is 0.
pub fn at_most<T>(threads: usize, work: impl FnOnce() -> T) -> T {
    match threads {
        0 => work(),
        _ => in_threads(threads.min(parallel::threads()), work),
    }
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

/// The number of threads that share the work of this one.
pub(crate) fn threads() -> usize {
    match WANTED.get() {
        0 => parallel::threads(),
        wanted => wanted,
    }
}

/// [`parallel::while_true`] on as many threads as the library has.
pub fn while_true(count: u64, work: &(dyn Fn(u64) -> bool + Sync)) {
    parallel::while_true(threads(), count, work);
}

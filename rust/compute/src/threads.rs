//! The threads that share the units of work of a plan.

use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};

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

/// Calls `work` for each of `0..count`, in any order, on as many threads as the library has, until one of the calls returns false. Those that others
/// have begun by then go on to their end.
pub fn while_true(count: u64, work: &(dyn Fn(u64) -> bool + Sync)) {
    let next = AtomicU64::new(0);
    let all = |_| loop {
        let unit = next.fetch_add(1, Ordering::Relaxed);
        if unit >= count {
            return;
        }
        if !work(unit) {
            next.store(count, Ordering::Relaxed);
        }
    };
    let most = usize::try_from(count).unwrap_or(usize::MAX);
    parallel::run(0..threads().min(most), all);
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::{in_threads, while_true};

    #[test]
    fn all_units_are_done_once_unless_one_is_false() {
        for threads in [1, 3] {
            let done = Mutex::new(vec![0; 1000]);
            in_threads(threads, || {
                while_true(1000, &|unit| {
                    done.lock().unwrap()[unit as usize] += 1;
                    true
                });
            });
            assert_eq!(done.into_inner().unwrap(), [1; 1000]);
            // More than anybody could count.
            in_threads(threads, || while_true(1 << 62, &|unit| unit < 100));
        }
    }
}

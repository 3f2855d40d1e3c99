//! Work on many bytes, shared by the calling thread and those of a pool.
//!
//! Work is split into jobs independently of the number of threads, and each thread takes the next one. Which thread
//! does which job varies, and no result may depend on it.

#[cfg(all(test, not(miri)))]
mod model;
mod numbers;
#[cfg(not(miri))]
mod placement;
#[cfg(not(miri))]
mod pool;
#[cfg(miri)]
#[path = "scoped.rs"]
mod pool;
mod sync;
#[cfg(any(test, not(miri)))]
mod workers;
#[cfg(test)]
mod workers_tests;

use std::cell::Cell;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

pub use pool::{end, processors, set_threads, threads};

/// The minimum of bytes for which work is shared: waking a thread takes as long as copying some 100 KiB.
pub const LEAST_SHARED: usize = 1 << 20;

thread_local! {
    /// The number of parts that a test forces for the work of this thread; else 0.
    static WANTED: Cell<usize> = const { Cell::new(0) };
}

/// For tests: splits the work of a call into that many parts, whatever its size and the number of processors; 0 for the default.
#[doc(hidden)]
pub fn in_parts<T>(parts: usize, work: impl FnOnce() -> T) -> T {
    struct Before(usize);
    impl Drop for Before {
        fn drop(&mut self) {
            WANTED.set(self.0);
        }
    }
    let _before = Before(WANTED.replace(parts));
    work()
}

/// The number of parts, each for a thread, for work on that many bytes.
pub(crate) fn parts(bytes: usize) -> usize {
    let wanted = WANTED.get();
    if wanted > 0 {
        return wanted;
    }
    let least = if cfg!(miri) { 256 } else { LEAST_SHARED };
    if bytes < least {
        return 1;
    }
    threads().min(bytes / least + 1)
}

/// An address, or several, shared with other threads.
#[derive(Clone, Copy, Debug)]
pub struct Shared<A>(pub A);

impl<A: Copy> Shared<A> {
    /// The address. A closure that calls this captures all of `self`; by the field it would capture the pointer alone, which is not `Send`.
    pub fn get(&self) -> A {
        self.0
    }
}

// SAFETY: having an address is harmless. Accessing it takes `unsafe` code, which must justify it.
unsafe impl<T> Send for Shared<*const T> {}
// SAFETY: as above; a shared reference gives copies of the address.
unsafe impl<T> Sync for Shared<*const T> {}
// SAFETY: as for `*const T`.
unsafe impl<T> Send for Shared<*mut T> {}
// SAFETY: as for `*const T`.
unsafe impl<T> Sync for Shared<*mut T> {}
// SAFETY: as for `*const T`, each of them.
unsafe impl<T, const N: usize> Send for Shared<[*mut T; N]> {}
// SAFETY: as above.
unsafe impl<T, const N: usize> Sync for Shared<[*mut T; N]> {}

/// The start of part `part` of `parts` nearly equal ones; for `part == parts` the end.
pub(crate) fn part_start(len: usize, part: usize, parts: usize) -> usize {
    (len as u128 * part as u128 / parts as u128) as usize
}

/// The ranges of `parts` nearly equal parts of `0..len`, in order.
pub(crate) fn ranges(
    len: usize,
    parts: usize,
) -> impl ExactSizeIterator<Item = Range<usize>> + Clone {
    (0..parts).map(move |part| part_start(len, part, parts)..part_start(len, part + 1, parts))
}

/// A job until a thread takes it, then its result.
struct Slot<J, T>(Mutex<(Option<J>, Option<T>)>);

impl<J, T> Slot<J, T> {
    /// Nothing panics while it is locked.
    fn lock(&self) -> MutexGuard<'_, (Option<J>, Option<T>)> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn fill(&self, work: impl Fn(J) -> T) {
        let job = self.lock().0.take();
        let given = job.map(work);
        self.lock().1 = given;
    }
}

/// Runs all jobs, in this thread and those of the pool, and returns their results in order. If jobs panic, all others still run; then the panic of
/// the first of them is resumed here.
pub fn run<J: Send, T: Send>(
    jobs: impl IntoIterator<Item = J>,
    work: impl Fn(J) -> T + Sync,
) -> Vec<T> {
    let slot = |job| Slot(Mutex::new((Some(job), None)));
    let slots: Vec<Slot<J, T>> = jobs.into_iter().map(slot).collect();
    while_true(threads(), slots.len() as u64, &|k| {
        slots[k as usize].fill(&work);
        true
    });
    slots
        .iter()
        .filter_map(|slot| slot.lock().1.take())
        .collect()
}

/// Calls `work` for each of `0..count`, in any order, in this thread and those of the pool, at most `threads` in all, until a call returns false;
/// calls that others have begun by then go on to their end. A panic is resumed as by [`run`].
///
/// Each thread has a part of the numbers that it takes first, the same one in every call, so that it finds in its cache what it wrote in the last
/// one; then it helps with the parts of others.
pub fn while_true(threads: usize, count: u64, work: &(dyn Fn(u64) -> bool + Sync)) {
    numbers::while_true(threads, count, work, pool::share);
}

#[cfg(test)]
mod tests {
    use std::panic::{self, AssertUnwindSafe};
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;
    use crate::panics;

    #[test]
    fn parts_cover_all() {
        assert_eq!(
            [0, 1, 2, 3].map(|part| part_start(10, part, 3)),
            [0, 3, 6, 10]
        );
        assert_eq!(part_start(usize::MAX, 1, 2), usize::MAX / 2);
    }

    #[test]
    fn answers_come_in_order() {
        assert_eq!(run(0..3, |job| job * 10), [0, 10, 20]);
        assert_eq!(run(0..0, |job: i32| job), []);
    }

    #[test]
    fn many_jobs_are_each_done_once() {
        let gave = run(0..1000, |job| job);
        assert!(gave.into_iter().eq(0..1000));
    }

    #[test]
    fn all_numbers_are_called_once_unless_one_is_false() {
        for (threads, count) in [(1, 1000), (3, 1000), (8, 8), (8, 3), (2, 1), (0, 5), (4, 0)] {
            let done = Mutex::new(vec![0; count]);
            while_true(threads, count as u64, &|k| {
                done.lock().unwrap()[k as usize] += 1;
                true
            });
            assert_eq!(done.into_inner().unwrap(), vec![1; count]);
        }
        for threads in [1, 3] {
            // More than anybody could count.
            while_true(threads, 1 << 62, &|k| k % (1 << 50) < 100);
        }
    }

    #[test]
    fn work_that_is_shared_may_share_its_own() {
        let sums = run(0..20, |a| run(0..20, |b| a * b).into_iter().sum::<i32>());
        assert!(sums.into_iter().eq((0..20).map(|a| a * 190)));
    }

    #[test]
    fn the_first_of_several_panics_goes_on_after_all_jobs() {
        let done = AtomicU64::new(0);
        let caught = panic::catch_unwind(AssertUnwindSafe(|| {
            run(0..40, |job| {
                done.fetch_add(1, Ordering::Relaxed);
                assert!(job % 8 != 7, "job {job}");
            })
        }));
        let message = caught.unwrap_err().downcast::<String>();
        assert_eq!(*message.expect("a formatted text"), "job 7");
        assert_eq!(done.into_inner(), 40);
    }

    #[test]
    fn little_work_is_not_shared() {
        assert_eq!(parts(100), 1);
    }

    #[test]
    fn work_has_as_many_parts_as_a_test_wants_and_no_longer() {
        let seen = in_parts(3, || {
            (parts(100), in_parts(8, || parts(1 << 30)), parts(100))
        });
        assert_eq!(seen, (3, 8, 3));
        assert_eq!(parts(100), 1);
    }

    #[test]
    fn a_panic_goes_on_with_its_place_in_the_thread_that_waits() {
        let caught = panic::catch_unwind(|| {
            run(0..3, |job| {
                if job == 1 {
                    // As a hook does.
                    panics::leave_place(Some("there".to_owned()));
                    panic!("job 1");
                }
            })
        });
        assert_eq!(caught.unwrap_err().downcast_ref(), Some(&"job 1"));
        assert_eq!(panics::take_place().as_deref(), Some("there"));
    }
}

//! The protocol of the threads under a model checker: the same code, with `loom`'s locks, signals and atomics in place of the system's. It tries all
//! orders in which threads can meet, as far as these differ by a few preemptions of running threads, and all values that a relaxed load may give.

mod sync {
    pub(super) use loom::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize};
    pub(super) use loom::sync::{Arc, Condvar, Mutex, MutexGuard};
    pub(super) use loom::thread::{Builder, JoinHandle};

    /// Few, so that workers wake others in the model, too.
    pub(super) const MOST_WOKEN: usize = 1;

    /// Nothing may depend on how long somebody looks.
    pub(super) fn soon(so: impl Fn() -> bool) {
        so();
    }
}

#[allow(clippy::duplicate_mod, reason = "the code that is checked")]
#[path = "numbers.rs"]
mod numbers;
#[allow(clippy::duplicate_mod, reason = "the code that is checked")]
#[path = "workers.rs"]
mod workers;

use std::panic::{catch_unwind, AssertUnwindSafe};

use loom::cell::UnsafeCell;
use loom::model::Builder;
use loom::thread;

use sync::{Arc, Condvar, Mutex};
use workers::Workers;

/// Checks all orders with so many preemptions, or more at depth.
fn check(preemptions: usize, test: impl Fn() + Sync + Send + 'static) {
    let depth = std::env::var("TENSORNIO_TEST_DEPTH").ok();
    let depth: u32 = depth.and_then(|depth| depth.parse().ok()).unwrap_or(1);
    let mut model = Builder::new();
    model.preemption_bound = Some(preemptions + depth.ilog10() as usize);
    model.max_branches = 100_000;
    model.check(test);
}

/// What jobs write, each its own, without a lock: the model checker fails if two threads meet there, or one reads what it need not see.
struct Written(Vec<UnsafeCell<u32>>);

impl Written {
    fn new(count: usize) -> Written {
        Written((0..count).map(|_| UnsafeCell::new(0)).collect())
    }

    fn write(&self, k: u64) {
        // SAFETY: the model checker fails if another thread has it.
        self.0[k as usize].with_mut(|times| unsafe { *times += 1 });
    }

    fn assert_once(&self) {
        for cell in &self.0 {
            // SAFETY: as above.
            assert_eq!(cell.with(|times| unsafe { *times }), 1);
        }
    }
}

// SAFETY: the model checker fails if two threads have a cell at a time.
unsafe impl Sync for Written {}

/// Shares `count` numbers of a call, and checks that when it returns each has been done once.
fn share_all(workers: &Workers, threads: usize, count: u64) {
    let written = Written::new(count as usize);
    let work = |k| {
        written.write(k);
        true
    };
    numbers::while_true(threads, count, &work, |helpers, take| {
        workers.share(helpers, take);
    });
    written.assert_once();
}

#[test]
fn each_number_is_done_once_before_the_call_returns() {
    for awake in [false, true] {
        check(3, move || {
            let workers = Workers::start(1, awake);
            share_all(&workers, 2, 3);
        });
    }
}

#[test]
fn three_threads_share_a_call() {
    check(2, || {
        let workers = Workers::start(2, false);
        share_all(&workers, 3, 3);
    });
}

#[test]
fn a_call_follows_another() {
    for awake in [false, true] {
        check(2, move || {
            let workers = Workers::start(1, awake);
            share_all(&workers, 2, 2);
            share_all(&workers, 2, 2);
        });
    }
}

#[test]
fn two_callers_share_one_worker() {
    check(2, || {
        let workers = Arc::new(Workers::start(1, false));
        let other = workers.clone();
        let caller = thread::spawn(move || share_all(&other, 2, 2));
        share_all(&workers, 2, 2);
        caller.join().unwrap();
    });
}

#[test]
fn the_last_of_two_callers_ends_the_workers() {
    check(3, || {
        let workers = Arc::new(Workers::start(1, true));
        let other = workers.clone();
        let caller = thread::spawn(move || share_all(&other, 2, 2));
        drop(workers);
        caller.join().unwrap();
    });
}

#[test]
fn a_call_within_a_call_returns() {
    check(2, || {
        let workers = Workers::start(1, false);
        workers.share(1, &|_| share_all(&workers, 2, 2));
    });
}

#[test]
fn a_panic_of_any_thread_waits_for_the_others() {
    check(2, || {
        let workers = Workers::start(1, true);
        let written = Written::new(3);
        let caught = catch_unwind(AssertUnwindSafe(|| {
            let work = |k| {
                written.write(k);
                if k > 0 {
                    // Without a message, which a hook would print for each order.
                    std::panic::resume_unwind(Box::new(k));
                }
                true
            };
            numbers::while_true(2, 3, &work, |helpers, take| workers.share(helpers, take));
        }));
        assert_eq!(
            caught.unwrap_err().downcast_ref(),
            Some(&1_u64),
            "the first"
        );
        written.assert_once();
        share_all(&workers, 2, 2);
    });
}

#[test]
fn a_panic_of_the_caller_waits_for_its_worker() {
    check(3, || {
        let workers = Workers::start(1, false);
        let written = Written::new(2);
        let caught = catch_unwind(AssertUnwindSafe(|| {
            workers.share(1, &|number| {
                written.write(number as u64);
                if number == 0 {
                    std::panic::resume_unwind(Box::new(()));
                }
            });
        }));
        assert!(caught.is_err());
        // Who has come has gone, so that this thread may write where it wrote.
        (0..2).for_each(|k| written.write(k));
    });
}

#[test]
fn who_ends_a_call_early_begins_no_more() {
    check(3, || {
        let workers = Workers::start(1, false);
        // Not the model's lock, which would order what need not be.
        let done = std::sync::Mutex::new(Vec::new());
        let work = |k| {
            done.lock().unwrap().push((thread::current().id(), k));
            k != 0
        };
        numbers::while_true(2, 4, &work, |helpers, take| workers.share(helpers, take));
        let done = done.into_inner().unwrap();
        let who = done.iter().find(|(_, k)| *k == 0).unwrap().0;
        let last = done
            .iter()
            .rev()
            .find(|(thread, _)| *thread == who)
            .unwrap();
        assert_eq!(last.1, 0);
        let mut numbers: Vec<u64> = done.iter().map(|&(_, k)| k).collect();
        numbers.sort_unstable();
        numbers.dedup();
        assert_eq!(numbers.len(), done.len(), "each at most once");
    });
}

/// A lock-step of threads: whoever comes waits for all. It fails, as a deadlock, if a worker that was wanted sleeps on.
#[test]
fn every_worker_that_is_wanted_wakes() {
    for awake in [false, true] {
        check(2, move || {
            let workers = Workers::start(2, awake);
            let (come, all) = (Mutex::new(0), Condvar::new());
            workers.share(2, &|_| {
                let mut count = come.lock().unwrap();
                *count += 1;
                all.notify_all();
                while *count < 3 {
                    count = all.wait(count).unwrap();
                }
            });
        });
    }
}

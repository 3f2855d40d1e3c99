//! Tests of [`Workers`], on the threads of the system.

use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Barrier;
use std::thread;

use super::sync::AWAKE;
use super::workers::Workers;

#[test]
fn the_caller_and_all_workers_share_a_call() {
    let workers = Workers::start(2, true);
    for _ in 0..3 {
        let (all, calls) = (Barrier::new(3), AtomicU64::new(0));
        workers.share(5, &|number| {
            all.wait();
            calls.fetch_add(10u64.pow(number as u32), Ordering::Relaxed);
        });
        assert_eq!(calls.into_inner(), 111);
    }
}

#[test]
fn a_call_takes_no_more_workers_than_it_wants() {
    let workers = Workers::start(3, true);
    for _ in 0..20 {
        let calls = AtomicU64::new(0);
        workers.share(1, &|_| {
            calls.fetch_add(1, Ordering::Relaxed);
            thread::yield_now();
        });
        assert!((1..=2).contains(&calls.into_inner()));
    }
    let calls = AtomicU64::new(0);
    workers.share(0, &|_| {
        calls.fetch_add(1, Ordering::Relaxed);
    });
    assert_eq!(calls.into_inner(), 1);
}

#[test]
fn calls_within_calls_and_of_several_callers_all_return() {
    let workers = Workers::start(2, true);
    let calls = AtomicU64::new(0);
    let jobs = |count: u64, job: &(dyn Fn() + Sync)| {
        let next = AtomicU64::new(0);
        workers.share(2, &|_| {
            while next.fetch_add(1, Ordering::Relaxed) < count {
                job();
            }
        });
    };
    thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                jobs(4, &|| {
                    jobs(5, &|| {
                        calls.fetch_add(1, Ordering::Relaxed);
                    });
                });
            });
        }
    });
    assert_eq!(calls.into_inner(), 60);
}

#[test]
fn who_slept_is_woken() {
    let workers = Workers::start(1, true);
    for _ in 0..3 {
        let both = Barrier::new(2);
        thread::sleep(2 * AWAKE);
        workers.share(1, &|_| {
            // The caller waits for the worker, asleep, too.
            if both.wait().is_leader() {
                thread::sleep(2 * AWAKE);
            }
        });
    }
}

#[test]
fn a_panic_of_the_caller_waits_for_the_workers() {
    let workers = Workers::start(1, true);
    let both = Barrier::new(2);
    let returned = AtomicU64::new(0);
    let caught = panic::catch_unwind(AssertUnwindSafe(|| {
        workers.share(1, &|number| {
            both.wait();
            if number == 0 {
                panic!("of the caller");
            }
            thread::sleep(AWAKE);
            returned.fetch_add(1, Ordering::Relaxed);
        });
    }));
    assert_eq!(caught.unwrap_err().downcast_ref(), Some(&"of the caller"));
    assert_eq!(returned.into_inner(), 1);
}

//! The threads of the library, in a process of their own, since there is one pool. Miri has none.
#![cfg(not(miri))]

use std::sync::{Barrier, Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};

use tensornio_core::parallel::{end, run, set_threads, threads};

/// Tests set the size of the pool, so they run one after the other.
fn alone() -> MutexGuard<'static, ()> {
    static LOCK: Mutex<()> = Mutex::new(());
    LOCK.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The threads that do as many jobs at the same time, by name; this one has none here.
fn workers(count: usize) -> Vec<(String, ThreadId)> {
    let caller = thread::current().id();
    let all = Barrier::new(count);
    let mut workers = run(0..count, |_| {
        all.wait();
        let thread = thread::current();
        let name = thread.name().unwrap_or_default().to_owned();
        (name, thread.id())
    });
    workers.retain(|(_, id)| *id != caller);
    workers.sort_by(|a, b| a.0.cmp(&b.0));
    workers
}

#[test]
fn the_caller_and_one_thread_less_than_set_share_work_and_stay() {
    let _alone = alone();
    set_threads(4);
    assert_eq!(threads(), 4);
    let first = workers(4);
    let names: Vec<_> = first.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["tensornio-1", "tensornio-2", "tensornio-3"]);
    assert_eq!(workers(4), first, "no thread was started anew");
    set_threads(12);
    assert_eq!(workers(12).len(), 11, "there is no maximum of 8");
    end();
}

#[test]
fn one_thread_is_the_caller() {
    let _alone = alone();
    set_threads(1);
    let caller = thread::current().id();
    assert_eq!(run(0..5, |_| thread::current().id()), [caller; 5]);
}

#[cfg(target_os = "linux")]
#[test]
fn no_thread_is_left_after_the_end_and_the_next_work_starts_others() {
    let names = || -> Vec<String> {
        let tasks = std::fs::read_dir("/proc/self/task").expect("Linux has it");
        let name = |task: std::fs::DirEntry| std::fs::read_to_string(task.path().join("comm"));
        let mut names: Vec<_> = tasks
            .filter_map(|task| name(task.ok()?).ok())
            .filter(|name| name.starts_with("tensornio-"))
            .collect();
        names.sort();
        names
    };
    let _alone = alone();
    set_threads(3);
    for _ in 0..50 {
        assert_eq!(workers(3).len(), 2);
        assert_eq!(names(), ["tensornio-1\n", "tensornio-2\n"]);
        end();
        assert_eq!(names(), [""; 0]);
    }
}

#[test]
fn many_callers_share_one_pool() {
    let _alone = alone();
    set_threads(3);
    thread::scope(|scope| {
        for caller in 0..8_u64 {
            scope.spawn(move || {
                for round in 0..200 {
                    let gave = run(0..7, |job| caller * 1000 + round + job);
                    assert!(gave
                        .into_iter()
                        .eq((0..7).map(|job| caller * 1000 + round + job)));
                }
            });
        }
    });
    end();
}

#[test]
fn the_size_may_change_while_others_work() {
    let _alone = alone();
    thread::scope(|scope| {
        let work = || {
            for _ in 0..200 {
                let gave = run(0..9, |a| run(0..3, |b| a * b).into_iter().sum::<usize>());
                assert!(gave.into_iter().eq((0..9).map(|a| a * 3)));
            }
        };
        scope.spawn(work);
        scope.spawn(work);
        for size in 0..60 {
            set_threads(1 + size % 4);
        }
    });
    end();
}

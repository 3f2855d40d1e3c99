//! How many threads share work.

use std::collections::HashSet;
use std::sync::Mutex;
use std::thread::{self, ThreadId};
use std::time::Duration;

use tensornio_compute::threads::{at_most, while_true};

fn seen() -> HashSet<ThreadId> {
    let ids = Mutex::new(HashSet::new());
    while_true(64, &|_| {
        ids.lock().unwrap().insert(thread::current().id());
        thread::sleep(Duration::from_micros(100));
        true
    });
    ids.into_inner().unwrap()
}

#[test]
fn work_takes_no_more_threads_than_it_may() {
    assert_eq!(at_most(1, seen), HashSet::from([thread::current().id()]));
    assert!(at_most(2, seen).len() <= 2);
    assert_eq!(at_most(3, || at_most(1, seen)).len(), 1);
    // More than there are, and all of them.
    let all = tensornio_core::parallel::threads();
    assert!(at_most(1000, seen).len() <= all);
    assert!(at_most(0, seen).len() <= all);
    assert_eq!(at_most(1, || at_most(0, seen)).len(), 1);
}

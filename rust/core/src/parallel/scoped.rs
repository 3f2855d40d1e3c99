//! The replacement of `pool.rs` for Miri, which wants no thread to outlive the program: threads that live as long as the work.

use std::thread;

/// A number that Miri can run in reasonable time.
pub fn threads() -> usize {
    2
}

/// What the calling thread was told.
pub fn processors(seen: usize) -> usize {
    seen
}

/// Has no effect.
pub fn set_threads(_count: usize) {}

/// Has no effect: no thread outlives its work.
pub fn end() {}

pub(super) fn share(helpers: usize, work: &(dyn Fn(usize) + Sync)) {
    thread::scope(|scope| {
        for helper in 1..=helpers {
            scope.spawn(move || work(helper));
        }
        work(0);
    });
}

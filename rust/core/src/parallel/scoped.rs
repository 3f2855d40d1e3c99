//! The replacement of `pool.rs` for Miri, which supports neither the number of processors nor rayon: threads that live as long as the work.

use std::thread;

/// A number that Miri can run in reasonable time.
pub fn threads() -> usize {
    2
}

/// Has no effect.
pub fn set_threads(_count: usize) {}

/// Has no effect: no thread outlives its work.
pub fn end() {}

pub(super) fn share(helpers: usize, work: &(dyn Fn() + Sync)) {
    thread::scope(|scope| {
        for _ in 0..helpers {
            scope.spawn(work);
        }
        work();
    });
}

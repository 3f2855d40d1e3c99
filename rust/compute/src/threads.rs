//! The threads that share the units of a plan.

/// Calls `work` for each of `0..count`, in any order, on as many threads as the library has.
pub fn for_each(count: usize, work: &(dyn Fn(usize) + Sync)) {
    for unit in 0..count {
        work(unit);
    }
}

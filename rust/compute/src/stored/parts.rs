//! The parts of a statement's outermost loop, which threads share.

use super::statement::Statement;
use crate::stack::deep;
use crate::threads;
use crate::Error;

/// The points from which on a statement is shared by threads, and the parts of its outermost loop.
const SHARED: usize = 1 << 15;
const PARTS: i64 = 64;

impl Statement {
    /// Does all parts of the outermost loop, on several threads if they write distinct elements and there are enough points.
    pub fn parts(
        &self,
        points: usize,
        outermost: i64,
        are_distinct: bool,
        part: &(dyn Fn(std::ops::Range<i64>) -> Result<(), Error> + Sync),
    ) -> Result<(), Error> {
        let parts = PARTS.min(outermost);
        if !are_distinct || parts < 2 || points < SHARED {
            return part(0..i64::MAX);
        }
        let at = |k: i64| (i128::from(outermost) * i128::from(k) / i128::from(parts)) as i64;
        let failed = std::sync::Mutex::new(None);
        threads::while_true(parts as u64, &|k| {
            let k = k as i64;
            // The stacks of threads are no longer than any.
            match deep(self.depth, || part(at(k)..at(k + 1))).and_then(|done| done) {
                Ok(()) => true,
                Err(error) => {
                    let mut failed = failed
                        .lock()
                        .unwrap_or_else(std::sync::PoisonError::into_inner);
                    failed.get_or_insert(error);
                    false
                }
            }
        });
        let failed = failed
            .into_inner()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        match failed {
            None => Ok(()),
            // The first fault is reported, whichever thread met one.
            Some(error) => Err(part(0..i64::MAX).err().unwrap_or(error)),
        }
    }
}

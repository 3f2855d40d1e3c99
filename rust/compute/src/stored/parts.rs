//! The parts of a statement's outermost loop, which threads share.

use std::sync::{Mutex, PoisonError};

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
        let some = |k: u64| part(at(k as i64)..at(k as i64 + 1));
        share(self.depth, parts as u64, &some, &|| part(0..i64::MAX))
    }
}

/// Does so many parts on several threads. If one of them fails, all is done again in order: the first fault is reported, whichever thread met one.
pub(super) fn share(
    depth: usize,
    parts: u64,
    part: &(dyn Fn(u64) -> Result<(), Error> + Sync),
    all: &dyn Fn() -> Result<(), Error>,
) -> Result<(), Error> {
    let failed = Mutex::new(None);
    threads::while_true(parts, &|number| {
        // The stacks of threads are no longer than any.
        match deep(depth, || part(number)).and_then(|done| done) {
            Ok(()) => true,
            Err(error) => {
                let mut failed = failed.lock().unwrap_or_else(PoisonError::into_inner);
                failed.get_or_insert(error);
                false
            }
        }
    });
    match failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
        None => Ok(()),
        Some(error) => Err(all().err().unwrap_or(error)),
    }
}

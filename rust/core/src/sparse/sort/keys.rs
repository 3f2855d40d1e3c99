//! Pass 1: the keys of all rows, and their histogram by bucket.

use std::ops::Range;

use super::plan::{Counts, Key, Plan};
use crate::memory::{Memory, Pages};
use crate::parallel::{self, Shared};
use crate::sparse::coordinates::{Grid, Outside};
use crate::sparse::rows::Rows;
use crate::Error;

/// Where the keys of `n` rows go.
#[derive(Clone, Copy)]
pub(in crate::sparse) struct Keying<'a, K> {
    pub grid: &'a Grid<'a>,
    pub plan: &'a Plan,
    pub keys: Shared<*mut K>,
    pub n: usize,
}

/// Where rows come from.
pub(in crate::sparse) trait Source<P: Pages, X> {
    /// Computes the keys of all rows, and counts them by part of the rows and by bucket. Returns the range of the keys.
    ///
    /// # Safety
    /// `keying.keys` is valid for writes of `keying.n` keys.
    unsafe fn keys<K: Key>(
        self,
        memory: &Memory<P>,
        keying: &Keying<'_, K>,
        counts: &mut Counts,
    ) -> Result<Range<u64>, X>;
}

/// Rows that are all in memory, which several threads read.
pub(in crate::sparse) struct InPlace<R>(pub R);

impl<P: Pages, X: From<Error>, R: Rows> Source<P, X> for InPlace<R> {
    unsafe fn keys<K: Key>(
        self,
        _memory: &Memory<P>,
        keying: &Keying<'_, K>,
        counts: &mut Counts,
    ) -> Result<Range<u64>, X> {
        let (n, parts) = (keying.n, counts.parts());
        let seen = parallel::run(counts.each(), |(part, counts)| {
            let mut seen = Seen::default();
            let range =
                parallel::part_start(n, part, parts)..parallel::part_start(n, part + 1, parts);
            // SAFETY: there are such rows, and each job has its own.
            unsafe { seen.look(self.0, 0, range, keying, counts) };
            seen
        });
        Ok(Seen::all(seen, keying.grid, R::LINEAR)?)
    }
}

/// What one thread has seen.
pub(super) struct Seen {
    /// The range that the keys are in.
    keys: Range<u64>,
    /// The first row that is not in the grid; rows behind it need not be looked at.
    outside: Option<(usize, Outside)>,
}

impl Default for Seen {
    fn default() -> Seen {
        Seen {
            keys: Range {
                start: u64::MAX,
                end: 0,
            },
            outside: None,
        }
    }
}

impl Seen {
    /// Computes the keys of a range of rows and counts them by bucket; row number `first` is the first in memory. Rows after one that was outside are
    /// skipped. Ranges may come in any order.
    ///
    /// # Safety
    /// The rows can be read, and the array of keys covers their numbers.
    #[inline]
    pub unsafe fn look<R: Rows, K: Key>(
        &mut self,
        rows: R,
        first: usize,
        range: Range<usize>,
        keying: &Keying<'_, K>,
        counts: &mut [usize],
    ) {
        if self.outside.is_some_and(|(row, _)| row < range.start) {
            return;
        }
        let (plan, keys) = (keying.plan, keying.keys.get());
        let Range { mut start, mut end } = self.keys;
        for row in range {
            // SAFETY: the caller's promise.
            match unsafe { rows.key(row - first) } {
                Ok(key) => {
                    // SAFETY: as above.
                    unsafe { keys.add(row).write(K::narrow(key)) };
                    counts[plan.bucket(key)] += 1;
                    (start, end) = (start.min(key), end.max(key + 1));
                }
                Err(outside) => {
                    self.outside = Some((row, outside));
                    break;
                }
            }
        }
        self.keys = start..end;
    }

    /// The range of all keys that threads have seen.
    ///
    /// # Errors
    /// [`Error::CoordinateOutside`], [`Error::PositionOutside`] for the first row outside.
    pub fn all(
        seen: impl IntoIterator<Item = Seen>,
        grid: &Grid<'_>,
        linear: bool,
    ) -> Result<Range<u64>, Error> {
        let mut all = Seen::default();
        for Seen { keys, outside } in seen {
            all.keys = all.keys.start.min(keys.start)..all.keys.end.max(keys.end);
            all.outside = match (all.outside, outside) {
                (Some(one), Some(other)) => Some(if other.0 < one.0 { other } else { one }),
                (one, other) => one.or(other),
            };
        }
        match all.outside {
            Some((row, outside)) => Err(grid.outside(row, outside, linear)),
            None => Ok(all.keys),
        }
    }
}

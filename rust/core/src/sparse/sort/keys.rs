//! The keys of all rows, which are in memory, or come in chunks from the one thread that can read them (as parts of a pinned Java array do).

use std::ops::Range;

use crate::parallel::{self, Shared};
use crate::sparse::coordinates::{Coordinates, Grid, Outside};
use crate::sparse::rows::{with_rows, Rows};
use crate::Error;

/// The type of a key in memory: 32 bits where these suffice, else 64.
pub(in crate::sparse) trait Key: Copy + Eq + Send + Sync {
    fn narrow(key: u64) -> Self;
    fn wide(self) -> u64;
}

impl Key for u32 {
    #[inline(always)]
    fn narrow(key: u64) -> u32 {
        key as u32
    }

    #[inline(always)]
    fn wide(self) -> u64 {
        u64::from(self)
    }
}

impl Key for u64 {
    #[inline(always)]
    fn narrow(key: u64) -> u64 {
        key
    }

    #[inline(always)]
    fn wide(self) -> u64 {
        self
    }
}

/// The least and the greatest of some keys.
#[derive(Clone, Copy)]
pub(in crate::sparse) struct Extremes {
    pub least: u64,
    pub greatest: u64,
}

impl Extremes {
    /// Those of no keys.
    pub const NONE: Extremes = Extremes {
        least: u64::MAX,
        greatest: 0,
    };

    #[inline(always)]
    pub fn with(self, key: u64) -> Extremes {
        self.and(Extremes {
            least: key,
            greatest: key,
        })
    }

    #[inline(always)]
    fn and(self, other: Extremes) -> Extremes {
        Extremes {
            least: self.least.min(other.least),
            greatest: self.greatest.max(other.greatest),
        }
    }

    /// How many bits the distance of a key from the least has at most.
    pub fn bits(&self) -> u32 {
        u64::BITS - (self.greatest - self.least).leading_zeros()
    }
}

/// Where rows come from.
pub(in crate::sparse) trait Source<X> {
    /// Computes the keys of all `n` rows, at least one, in up to `parts` threads.
    ///
    /// # Errors
    /// [`Error::CoordinateOutside`], [`Error::PositionOutside`] for the first row outside, and those of the source.
    ///
    /// # Safety
    /// `keys` is valid for writes of `n` keys.
    unsafe fn keys<K: Key>(
        self,
        grid: &Grid<'_>,
        keys: Shared<*mut K>,
        n: usize,
        parts: usize,
    ) -> Result<Extremes, X>;
}

/// Rows that are all in memory, which several threads read.
pub(in crate::sparse) struct InPlace<R>(pub R);

impl<X: From<Error>, R: Rows> Source<X> for InPlace<R> {
    unsafe fn keys<K: Key>(
        self,
        grid: &Grid<'_>,
        keys: Shared<*mut K>,
        n: usize,
        parts: usize,
    ) -> Result<Extremes, X> {
        let done = parallel::run(parallel::ranges(n, parts), |rows| {
            // SAFETY: there are such rows, and each job has its own.
            unsafe { write_keys(self.0, rows, keys.get()) }
        });
        // Jobs are in the order of their rows, so the first error is that of the first row.
        done.into_iter()
            .try_fold(Extremes::NONE, |all, part| part.map(|one| all.and(one)))
            .map_err(|(row, outside)| grid.outside(row, outside, R::LINEAR).into())
    }
}

/// Computes the keys of some rows. The error has the number of the first row that is outside.
///
/// # Safety
/// There are such rows and keys.
unsafe fn write_keys<R: Rows, K: Key>(
    rows: R,
    range: Range<usize>,
    keys: *mut K,
) -> Result<Extremes, (usize, Outside)> {
    let mut extremes = Extremes::NONE;
    for row in range {
        // SAFETY: the caller's promise.
        unsafe {
            let key = rows.key(row).map_err(|outside| (row, outside))?;
            keys.add(row).write(K::narrow(key));
            extremes = extremes.with(key);
        }
    }
    Ok(extremes)
}

/// Accepts coordinates, a chunk at a time.
pub struct Chunks<'a> {
    /// Accepts a chunk, whose coordinates can be read until it returns.
    take: &'a mut dyn FnMut(Coordinates, usize),
}

impl Chunks<'_> {
    /// Accepts the next `n` rows. It neither logs nor waits.
    ///
    /// # Safety
    /// `rows` is aligned, of the form that was announced, and valid for reads of `n` rows; others may write them.
    pub unsafe fn take(&mut self, rows: Coordinates, n: usize) {
        (self.take)(rows, n);
    }
}

/// Rows that a function feeds, in their order.
pub(in crate::sparse) struct Chunked<F> {
    pub feed: F,
    pub linear: bool,
}

impl<X: From<Error>, F: FnOnce(&mut Chunks<'_>) -> Result<(), X>> Source<X> for Chunked<F> {
    unsafe fn keys<K: Key>(
        self,
        grid: &Grid<'_>,
        keys: Shared<*mut K>,
        n: usize,
        _parts: usize,
    ) -> Result<Extremes, X> {
        let mut taken = 0;
        let mut done = Ok(Extremes::NONE);
        let mut take = |rows: Coordinates, len: usize| {
            assert!(len <= n - taken, "more rows than were promised");
            if let Ok(extremes) = done {
                let chunk = with_rows!(rows, grid, rows => {
                    // SAFETY: by the promise of `take` the rows can be read; there are keys for them behind those of the rows before.
                    unsafe { write_keys(rows, 0..len, keys.get().add(taken)) }
                });
                done = chunk
                    .map(|one| extremes.and(one))
                    .map_err(|(row, outside)| grid.outside(taken + row, outside, self.linear));
            }
            taken += len;
        };
        (self.feed)(&mut Chunks { take: &mut take })?;
        assert!(taken == n, "fewer rows than were promised");
        Ok(done?)
    }
}

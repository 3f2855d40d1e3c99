//! A stable sort of entries by key, in three passes.
//!
//! 1. The keys of all rows, which are in memory or come in chunks, are computed and stored, in 32 bits if they fit: `keys`.
//! 2. Entries are partitioned by the highest bits of their keys: each thread counts how many of its rows go to each bucket, then moves them there.
//! 3. Each bucket is sorted in the cache by radix, and written in order: `radix`.
//!
//! Scratch memory has two places for each key and two for each value, however the keys are distributed.
//!
//! Invariants:
//!
//! 1. Threads share out the rows in passes 1 and 2, and the buckets in pass 3. What one writes no other touches before the pass is over.
//! 2. Everything that decides where something is written is in private scratch memory. Coordinates are read once, and values once.
//! 3. Scratch memory is uninitialised at first, see [`Scratch`](crate::memory::Scratch): until it is written it is addressed by pointers alone.
//! 4. A thread writes its share of buckets to the output from the index on that the share has among the entries, so never beyond the capacity.

mod keys;
mod radix;

use std::ops::Range;

use super::coordinates::Grid;
use super::entries::{Output, Values};
use super::writer::Writer;
use crate::element::Element;
use crate::memory::{Memory, Pages};
use crate::parallel::{self, Shared};
use crate::{dispatch, Error};
pub use keys::Chunks;
pub(super) use keys::{Chunked, InPlace};
use keys::{Key, Source};
use radix::{Digit, Entries};

/// Sorts entries, whose coordinates come from `source`, into `output`. Returns how many are left without duplicates.
///
/// # Errors
/// The errors of [`build`](super::build()), and of the source.
///
/// # Safety
/// As for [`build`](super::build()); the source has a row for each value, of which there is at least one.
pub(super) unsafe fn sort<P: Pages, X: From<Error>>(
    memory: &Memory<P>,
    source: impl Source<X>,
    values: &Values,
    grid: &Grid<'_>,
    output: &Output,
) -> Result<usize, X> {
    // SAFETY: the caller's promise; keys are less than the number of elements.
    unsafe {
        if grid.elements() as u64 <= 1 << u32::BITS {
            sort_keys::<P, X, u32>(memory, source, values, grid, output)
        } else {
            sort_keys::<P, X, u64>(memory, source, values, grid, output)
        }
    }
}

/// # Safety
/// As for [`sort`]; keys fit `K`.
unsafe fn sort_keys<P: Pages, X: From<Error>, K: Key>(
    memory: &Memory<P>,
    source: impl Source<X>,
    values: &Values,
    grid: &Grid<'_>,
    output: &Output,
) -> Result<usize, X> {
    let &Values { n, width, start } = values;
    let parts = parallel::parts(n.saturating_mul(8 * grid.rank() + width));
    let scratch = memory.scratch(n.saturating_mul(2 * (size_of::<K>() + width)))?;
    let keys = Shared(scratch.start().as_ptr().cast::<K>());
    // SAFETY: the scratch memory begins with the keys.
    let extremes = unsafe { source.keys(grid, keys, n, parts)? };
    let sorting = Sorting {
        n,
        parts,
        digit: Digit::highest(n, extremes),
        grid,
        output,
    };
    let sorted = dispatch!(width, E => {
        // SAFETY: the scratch memory has both places, each aligned: the values are behind two arrays of keys.
        unsafe {
            let copies = keys.get().add(2 * n).cast::<E>();
            let [first, second] = [0, 1].map(|k| Entries {
                keys: Shared(keys.get().add(k * n)),
                values: Shared(copies.add(k * n)),
            });
            let input = Entries {
                keys,
                values: Shared(start.cast_mut().cast()),
            };
            let starts = sorting.partition::<K, E>(input, second);
            sorting.write::<K, E>(&starts, second, first)
        }
    });
    Ok(sorted.ok_or(Error::ElementWidth { width })?)
}

/// The input of passes 2 and 3, but for the entries.
struct Sorting<'a> {
    n: usize,
    parts: usize,
    /// What entries are partitioned by.
    digit: Digit,
    grid: &'a Grid<'a>,
    output: &'a Output,
}

impl Sorting<'_> {
    /// Moves entries to their buckets. Returns where these begin, and where the last one ends.
    ///
    /// # Safety
    /// All keys were written, and nobody writes them; the values can be read. `to` is a place for as many in scratch memory.
    unsafe fn partition<K: Key, E: Element>(
        &self,
        from: Entries<K, E>,
        to: Entries<K, E>,
    ) -> Vec<usize> {
        let ranges = parallel::ranges(self.n, self.parts);
        let mut counts = parallel::run(ranges.clone(), |rows| {
            let mut counts = vec![0; self.digit.values()];
            // SAFETY: the caller's promise.
            radix::histogram(unsafe { from.keys(rows) }, &self.digit, &mut counts);
            counts
        });
        let starts = accumulate(&mut counts);
        parallel::run(ranges.zip(counts), |(rows, mut cursors)| {
            // SAFETY: the caller's promise; by the histogram, the cursors are where the entries of these rows go.
            unsafe {
                let values = from.values.get().add(rows.start);
                radix::scatter(from.keys(rows), values, &self.digit, &mut cursors, to);
            }
        });
        starts
    }

    /// Sorts each bucket, and writes it to the output, of entries with equal keys the last. Returns how many were written.
    ///
    /// # Safety
    /// The buckets are those of [`partition`](Self::partition), and the spare place is as large. The output is that of [`sort`].
    unsafe fn write<K: Key, E: Element>(
        &self,
        starts: &[usize],
        buckets: Entries<K, E>,
        spare: Entries<K, E>,
    ) -> usize {
        let shares = shares(starts, self.parts);
        let written = parallel::run(shares.clone(), |share| {
            let start = starts[share.start];
            let mut writer = Writer::new(self.grid, self.output, start);
            for bucket in starts[share.start..=share.end].windows(2) {
                let (at, n) = (bucket[0], bucket[1] - bucket[0]);
                // SAFETY: this bucket, and the same part of the spare place, belong to this job alone; pass 2 has written all of it. There is
                // capacity for all entries, and their keys are in the grid.
                unsafe {
                    radix::sort(buckets.from(at), spare.from(at), n, &mut |keys, values| {
                        write_last(keys, values, &mut writer);
                    });
                }
            }
            writer.at() - start
        });
        let runs = shares.iter().map(|share| starts[share.start]).zip(written);
        // SAFETY: each job has written that many entries, from the start of its first bucket on.
        unsafe { self.output.compact(self.grid.rank(), E::WIDTH, runs) }
    }
}

/// Writes sorted entries, of those with equal keys the last.
///
/// # Safety
/// There is a value for each key; the writer has capacity for as many, and the keys are in the grid.
unsafe fn write_last<K: Key, E: Element>(keys: &[K], values: *const E, writer: &mut Writer<'_>) {
    let last_ones = (0..keys.len()).filter(|&k| keys.get(k + 1) != Some(&keys[k]));
    // SAFETY: the caller's promise.
    let entries = last_ones.map(|k| (keys[k].wide(), unsafe { values.add(k).read() }));
    // SAFETY: as above.
    unsafe { writer.write_all(entries) };
}

/// Replaces the counts of each part of the rows, by bucket, by cursors: where the part puts its first entry of each bucket. Buckets are in order, and
/// parts within each. Returns where buckets begin, and where the last one ends.
fn accumulate(counts: &mut [Vec<usize>]) -> Vec<usize> {
    let mut total = 0;
    let mut starts = vec![0];
    for bucket in 0..counts[0].len() {
        for part in &mut *counts {
            total += std::mem::replace(&mut part[bucket], total);
        }
        starts.push(total);
    }
    starts
}

/// Divides the buckets among `parts` jobs: consecutive ones, with about as many entries each.
fn shares(starts: &[usize], parts: usize) -> Vec<Range<usize>> {
    let buckets = starts.len() - 1;
    let n = starts[buckets];
    let mut first = 0;
    (1..=parts)
        .map(|part| {
            let target = parallel::part_start(n, part, parts);
            let end = if part == parts {
                buckets
            } else {
                starts
                    .partition_point(|&start| start < target)
                    .clamp(first, buckets)
            };
            let share = first..end;
            first = end;
            share
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_all_buckets_in_order() {
        assert_eq!(shares(&[0, 5, 6, 10], 2), [0..1, 1..3]);
        assert_eq!(shares(&[0, 10, 10], 3), [0..1, 1..1, 1..2]);
        assert_eq!(shares(&[0, 0], 2), [0..0, 0..1]);
    }
}

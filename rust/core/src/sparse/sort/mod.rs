//! A stable sort of entries by key, in three passes.
//!
//! 1. **Histogram.** The keys of all rows, which are in memory or come in `chunks`, are computed and stored, in 32 bits if they fit: `keys`. How many
//!    fall into each bucket, a range of keys, is counted: `plan`. If the keys are skewed, so that some buckets overflow, ranges of different lengths
//!    are chosen from a sample: `division`, which splits off `outliers`, or takes `splitters` for bounds as sample sort does.
//! 2. **Partition.** Entries are moved to their buckets in order, through write-combining buffers of a cache line: `distribution`.
//! 3. **Sort** of one bucket after the other by a `bucket_sorter`, in the cache. Where keys are dense, by a bitmap: the number of bits set in front
//!    of a key is the rank of its record (`window`). Else by an LSD radix sort (`digits`). The result is written in order.
//!
//! Scratch memory holds all keys, all records, a cache line for each thread and bucket, and for each thread what the largest of its buckets needs;
//! skew makes that large only if the sample has missed it.
//!
//! Invariants:
//!
//! 1. Threads share out the rows in passes 1 and 2, and the buckets in pass 3. What one writes no other touches before the pass is over.
//! 2. Everything that decides where something is written is in private scratch memory. Coordinates are read once, and values once.
//! 3. Scratch memory is uninitialised at first, see [`Scratch`](crate::memory::Scratch): until it is written it is addressed by pointers, or as
//!    `MaybeUninit`.
//! 4. A thread writes its share of buckets to the output from the index on that the share has among the records, so never beyond the capacity.

mod bucket_sorter;
mod chunks;
mod digits;
mod distribution;
mod division;
mod keys;
mod outliers;
mod plan;
mod splitters;
mod window;

use super::coordinates::Grid;
use super::entries::{Output, Values};
use super::writer::Writer;
use crate::element::Element;
use crate::memory::{Memory, Pages};
use crate::parallel::{self, Shared};
use crate::{dispatch, Error};
use bucket_sorter::Place;
pub(super) use chunks::Chunked;
pub use chunks::Chunks;
use distribution::{distribute, in_bucket, Record, LINE};
use division::{Division, Keys};
pub(super) use keys::InPlace;
use keys::{Keying, Source};
use plan::{shares, Counts, Key, Plan};

/// Sorts entries, whose coordinates come from `source`, into `output`. Returns how many are left without duplicates.
///
/// # Errors
/// The errors of [`build`](super::build()), and of the source.
///
/// # Safety
/// As for [`build`](super::build()); the source has a row for each value.
pub(super) unsafe fn sort<P: Pages, X: From<Error>>(
    memory: &Memory<P>,
    source: impl Source<P, X>,
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
    source: impl Source<P, X>,
    values: &Values,
    grid: &Grid<'_>,
    output: &Output,
) -> Result<usize, X> {
    let (n, width) = (values.n, values.width);
    let parts = parallel::parts(n.saturating_mul(8 * grid.rank() + width));
    let whole = 0..grid.elements().max(1) as u64;
    let mut plan = Plan::new(n, width, whole.clone());

    let mut space = Space::default();
    let keys = space.take::<K>(n);
    let scratch = memory.scratch(space.bytes)?;
    // SAFETY: `take` has reserved it in the scratch memory.
    let keys = Shared(unsafe { scratch.start().as_ptr().add(keys).cast::<K>() });
    let mut counts = Counts::new(parts, plan.buckets)?;
    let keying = Keying {
        grid,
        plan: &plan,
        keys,
        n,
    };
    // SAFETY: `keys` is valid for writes of `n` keys.
    let bounds = unsafe { source.keys(memory, &keying, &mut counts)? };
    // SAFETY: the source has written all keys, and nobody writes them from here on.
    let all = unsafe { Keys::new(keys.get(), n, parts) };
    if (bounds.end - bounds.start) < whole.end / 8 {
        plan = Plan::new(n, width, bounds.clone());
        counts = all.count(plan.buckets, |[key]| [plan.bucket(key)])?;
    }
    let mut division = Division::Even(plan);
    if plan.is_crowded(n, &counts) {
        (division, counts) = Division::of_crowd(&all, width, bounds)?;
    }
    let sorting = Sorting {
        division,
        grid,
        n,
        values: Shared(values.start),
        output,
    };
    // SAFETY: keys and counts belong to the entries.
    let sorted = dispatch!(width, E => unsafe {
        // The offset of a 32-bit key fits 32 bits. Tested first, so that the other form is not compiled for such keys.
        if size_of::<K>() == size_of::<u32>() || sorting.division.most_bits(counts.buckets()) <= u32::BITS {
            sorting.finish::<P, K, u32, E>(memory, keys, counts)
        } else {
            sorting.finish::<P, K, u64, E>(memory, keys, counts)
        }
    });
    Ok(sorted.ok_or(Error::ElementWidth { width })??)
}

/// The layout of one allocation: arrays one after the other, each aligned to a cache line.
#[derive(Default)]
struct Space {
    bytes: usize,
}

impl Space {
    /// Appends an array of `n` elements, and returns its offset in bytes. Saturates, so that allocating fails if it fits no address space.
    fn take<T>(&mut self, n: usize) -> usize {
        let start = self.bytes;
        let bytes = n.saturating_mul(size_of::<T>()).saturating_add(LINE - 1) / LINE * LINE;
        self.bytes = start.saturating_add(bytes);
        start
    }
}

/// The input of passes 2 and 3.
struct Sorting<'a> {
    division: Division,
    grid: &'a Grid<'a>,
    n: usize,
    values: Shared<*const u8>,
    output: &'a Output,
}

impl Sorting<'_> {
    /// # Safety
    /// As for [`sort`]; keys and counts belong to the entries, and offsets fit `O`.
    unsafe fn finish<P: Pages, K: Key, O: Key, E: Element>(
        &self,
        memory: &Memory<P>,
        keys: Shared<*mut K>,
        mut counts: Counts,
    ) -> Result<usize, Error> {
        let (n, division) = (self.n, &self.division);
        let (parts, buckets) = (counts.parts(), counts.buckets());
        let starts = counts.accumulate();
        let shares = shares(&division.work(&starts), parts);

        let mut space = Space::default();
        let records = space.take::<Record<O, E>>(n);
        let lines: Vec<usize> = (0..parts)
            .map(|_| space.take::<[u8; LINE]>(buckets))
            .collect();
        let sorters: Vec<Place> = shares
            .iter()
            .map(|share| Place::take::<O, E>(&mut space, division, &starts, share))
            .collect();
        let scratch = memory.scratch(space.bytes)?;
        let start = Shared(scratch.start().as_ptr());
        // SAFETY: `take` has reserved it in the scratch memory.
        let records = Shared(unsafe { start.get().add(records).cast::<Record<O, E>>() });

        parallel::run(counts.each(), |(part, cursors)| {
            let rows =
                parallel::part_start(n, part, parts)..parallel::part_start(n, part + 1, parts);
            let from = (keys.get().cast_const(), self.values.get().cast::<E>());
            // SAFETY: by the histogram, the cursors are where the entries of these rows go.
            unsafe {
                let to = (records.get(), start.get().add(lines[part]), cursors);
                match division {
                    Division::Even(plan) => distribute(|[key]| [plan.place(key)], rows, from, to),
                    Division::Core(core) => distribute(|[key]| [core.place(key)], rows, from, to),
                    Division::Crowded(splitters) => {
                        distribute(|keys| splitters.places(keys), rows, from, to)
                    }
                }
            }
        });

        let written = parallel::run(shares.iter().cloned().zip(sorters), |(share, sorter)| {
            // SAFETY: these buckets and this sorter belong to this job alone. Pass 2 has written all records of a bucket, from its start to the next,
            // because the starts are the prefix sums of the histogram.
            unsafe {
                let mut writer = Writer::new(self.grid, self.output, starts[share.start]);
                let mut sorter = sorter.at::<O, E>(start.get());
                for bucket in share.clone() {
                    let records = in_bucket(records.get(), &starts, bucket);
                    let first = division.first(bucket);
                    if division.is_window(bucket) {
                        sorter.write_window(first, records, &mut writer);
                    } else {
                        sorter.write(first, records, division.bits(bucket), &mut writer);
                    }
                }
                writer.at() - starts[share.start]
            }
        });
        let runs = shares.iter().map(|share| starts[share.start]).zip(written);
        // SAFETY: each job has written that many entries, from the start of its first bucket on.
        Ok(unsafe { self.output.compact(self.grid.rank(), E::WIDTH, runs) })
    }
}

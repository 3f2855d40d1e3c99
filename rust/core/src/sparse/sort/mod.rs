//! Entries become ordered by their keys.
//!
//! 1. The keys of all rows, which are in memory or come in `pieces`, are computed and kept, as narrow as they can be: `keys`; it is counted how many
//!    fall into each bucket, a range of keys: `plan`. Where they crowd in some of these, ranges become of different length: `division`, which leaves
//!    out `outliers`, or makes buckets between `splitters`.
//! 2. Entries are moved to their buckets, which keeps the order within each: `distribution`.
//! 3. Bucket after bucket, by a `bucket_sorter`, whose memory is in the cache: where keys lie close, a bit is set for each in a `window`, and the
//!    bits in front of it say where its record goes; else records are sorted by `digits`, from the lowest on. Then they are written in order.
//!
//! Scratch memory has room for all keys, all records, a line for each thread and bucket, and for each thread what the largest of its buckets needs,
//! which a crowd makes large only if the sample has missed it.
//!
//! Invariants:
//!
//! 1. Threads share the rows for 1 and 2, the buckets for 3: what one writes no other touches before all are done.
//! 2. All that decides where something is written is in scratch memory, which nobody else knows; rows are read once, values once.
//! 3. Scratch memory has no values until they are written, see [`Scratch`](crate::memory::Scratch): until then it is addressed by pointers, or as
//!    `MaybeUninit`.
//! 4. The entries of a bucket are written from where its share of buckets begins among the records on, so never more than there is room for.

mod bucket_sorter;
mod digits;
mod distribution;
mod division;
mod keys;
mod outliers;
mod pieces;
mod plan;
mod splitters;
mod window;

use super::coordinates::Grid;
use super::entries::{Room, Values};
use super::writer::Writer;
use crate::element::Element;
use crate::memory::{Memory, Pages};
use crate::parallel::{self, Shared};
use crate::{dispatch, Error};
use bucket_sorter::Place;
use distribution::{distribute, in_bucket, Record, LINE};
use division::{Division, Keys};
pub(super) use keys::InPlace;
use keys::{Keying, Source};
pub(super) use pieces::Brought;
pub use pieces::Pieces;
use plan::{shares, Counts, Key, Plan};

/// Sorts entries, the rows of which come from the source, into the room; gives how many are left.
///
/// # Errors
/// Those of [`build`](super::build()), and of the source.
///
/// # Safety
/// As for [`build`](super::build()); the source has a row for each value.
pub(super) unsafe fn sort<P: Pages, X: From<Error>>(
    memory: &Memory<P>,
    source: impl Source<P, X>,
    values: &Values,
    grid: &Grid<'_>,
    room: &Room,
) -> Result<usize, X> {
    // SAFETY: the caller's promise; keys are less than the number of elements.
    unsafe {
        if grid.elements() as u64 <= 1 << u32::BITS {
            sort_keys::<P, X, u32>(memory, source, values, grid, room)
        } else {
            sort_keys::<P, X, u64>(memory, source, values, grid, room)
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
    room: &Room,
) -> Result<usize, X> {
    let (n, width) = (values.n, values.width);
    let parts = parallel::parts(n.saturating_mul(8 * grid.rank() + width));
    let whole = 0..grid.elements().max(1) as u64;
    let mut plan = Plan::new(n, width, whole.clone());

    let mut space = Space::default();
    let keys = space.take::<K>(n);
    let scratch = memory.scratch(space.bytes)?;
    // SAFETY: the scratch memory has room for that.
    let keys = Shared(unsafe { scratch.start().as_ptr().add(keys).cast::<K>() });
    let mut counts = Counts::new(parts, plan.buckets)?;
    let keying = Keying {
        grid,
        plan: &plan,
        keys,
        n,
    };
    // SAFETY: there is room for the keys.
    let bounds = unsafe { source.keys(memory, &keying, &mut counts)? };
    // SAFETY: they were all written, and are not from here on.
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
        room,
    };
    // SAFETY: keys and counts are those of the entries.
    let sorted = dispatch!(width, E => unsafe {
        // Keys of 32 bits have no longer offsets: asked first, the other form is not compiled for them.
        if size_of::<K>() == size_of::<u32>() || sorting.division.most_bits(counts.buckets()) <= u32::BITS {
            sorting.finish::<P, K, u32, E>(memory, keys, counts)
        } else {
            sorting.finish::<P, K, u64, E>(memory, keys, counts)
        }
    });
    Ok(sorted.ok_or(Error::ElementWidth { width })??)
}

/// Where things are in one piece of memory, each at a multiple of a line.
#[derive(Default)]
struct Space {
    bytes: usize,
}

impl Space {
    /// Takes room for `n` of a type, and gives where it is; what does not fit any address space gets a length that no memory has.
    fn take<T>(&mut self, n: usize) -> usize {
        let start = self.bytes;
        let bytes = n.saturating_mul(size_of::<T>()).saturating_add(LINE - 1) / LINE * LINE;
        self.bytes = start.saturating_add(bytes);
        start
    }
}

/// What sorting needs to know once there are keys.
struct Sorting<'a> {
    division: Division,
    grid: &'a Grid<'a>,
    n: usize,
    values: Shared<*const u8>,
    room: &'a Room,
}

impl Sorting<'_> {
    /// # Safety
    /// As for [`sort`]; keys and counts are those of the entries, offsets fit `O`.
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
        // SAFETY: the scratch memory has room for all that was taken.
        let records = Shared(unsafe { start.get().add(records).cast::<Record<O, E>>() });

        parallel::run(counts.each(), |(part, cursors)| {
            let rows =
                parallel::part_start(n, part, parts)..parallel::part_start(n, part + 1, parts);
            let from = (keys.get().cast_const(), self.values.get().cast::<E>());
            // SAFETY: the cursors are where the entries of these rows have their places, by the counts.
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
            // SAFETY: the buckets are those of this job, and hold records from start to start, all written by the jobs before: the starts are those
            // of the counts, by which each entry had a place. The sorter is this job's as well.
            unsafe {
                let mut writer = Writer::new(self.grid, self.room, starts[share.start]);
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
        Ok(unsafe { self.room.close_up(self.grid.rank(), E::WIDTH, runs) })
    }
}

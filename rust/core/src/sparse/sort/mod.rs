//! Entries become ordered by their keys.
//!
//! 1. The keys of all rows are computed and kept, as narrow as they can be; it is counted how many fall into each bucket, a range of keys: `plan`.
//! 2. Entries are moved to their buckets, which keeps the order within each: `distribution`.
//! 3. Bucket after bucket, in the cache: where keys lie close, values are put at their places in a `window` of dense memory, a bit is set for each,
//!    and the bits are read in order; else records are sorted by `digits`, from the lowest on.
//!
//! Invariants:
//!
//! 1. Threads share the rows for 1 and 2, the buckets for 3: what one writes no other touches before all are done.
//! 2. All that decides where something is written is in scratch memory, which nobody else knows; rows are read once, values once.
//! 3. The entries of a bucket are written from where its share of buckets begins among the records on, so never more than there is room for.

mod digits;
mod distribution;
mod plan;
mod window;

use std::ops::Range;
use std::slice;

use super::build::{Entries, Room};
use super::coordinates::{Grid, Outside};
use super::crew::{self, Shared};
use super::rows::Rows;
use super::writer::Writer;
use crate::dtype::Element;
use crate::memory::{Memory, Pages};
use crate::{dispatch, Error};
use distribution::{distribute, in_bucket, Record, LINE};
use plan::{shares, Counts, Key, Plan};

/// Sorts the entries into the room; gives how many are left.
///
/// # Errors
/// Those of [`build`](super::build()).
///
/// # Safety
/// As for [`build`](super::build()), and the rows are those of the entries.
pub(super) unsafe fn sort<P: Pages, R: Rows>(
    memory: &Memory<P>,
    rows: R,
    entries: &Entries,
    grid: &Grid<'_>,
    room: &Room,
) -> Result<usize, Error> {
    // SAFETY: the caller's promise; keys are less than the number of elements.
    unsafe {
        if grid.elements() as u64 <= 1 << u32::BITS {
            sort_keys::<P, R, u32>(memory, rows, entries, grid, room)
        } else {
            sort_keys::<P, R, u64>(memory, rows, entries, grid, room)
        }
    }
}

/// # Safety
/// As for [`sort`]; keys fit `K`.
unsafe fn sort_keys<P: Pages, R: Rows, K: Key>(
    memory: &Memory<P>,
    rows: R,
    entries: &Entries,
    grid: &Grid<'_>,
    room: &Room,
) -> Result<usize, Error> {
    let (n, width) = (entries.n, entries.width);
    let parts = crew::size(n.saturating_mul(8 * grid.rank() + width));
    let whole = 0..grid.elements().max(1) as u64;
    let mut plan = Plan::new(n, width, whole.clone());

    let mut space = Space::default();
    let keys = space.take::<K>(n);
    let scratch = memory.scratch(space.bytes)?;
    // SAFETY: the scratch memory has room for that.
    let keys = Shared(unsafe { scratch.start().as_ptr().add(keys).cast::<K>() });
    let mut counts = Counts::new(parts, plan.buckets)?;
    let range = |part: usize| crew::start(n, part, parts)..crew::start(n, part + 1, parts);
    let seen = crew::run(counts.each(), |(part, counts)| {
        // SAFETY: there are such rows, and each job has its own.
        unsafe { key_part(rows, range(part), keys.get(), &plan, counts) }
    });
    let mut bounds = whole.end..0;
    for part in seen {
        let keys = part.map_err(|(row, outside)| grid.outside(row, outside, R::LINEAR))?;
        bounds = bounds.start.min(keys.start)..bounds.end.max(keys.end);
    }
    if (bounds.end - bounds.start) < whole.end / 8 {
        plan = Plan::new(n, width, bounds);
        counts = Counts::new(parts, plan.buckets)?;
        crew::run(counts.each(), |(part, counts)| {
            for row in range(part) {
                // SAFETY: it was written above.
                let key = unsafe { keys.get().add(row).read() };
                counts[plan.bucket(key.wide())] += 1;
            }
        });
    }
    let sorting = Sorting {
        plan,
        grid,
        n,
        values: Shared(entries.values),
        room: Shared(room),
    };
    // SAFETY: keys and counts are those of the entries.
    let sorted = dispatch!(width, E => unsafe {
        if plan.shift <= u32::BITS {
            sorting.finish::<P, K, u32, E>(memory, keys, counts)
        } else {
            sorting.finish::<P, K, u64, E>(memory, keys, counts)
        }
    });
    sorted.ok_or(Error::ElementWidth { width })?
}

/// Computes the keys of some rows and counts those of each bucket; gives the range that they are in.
///
/// # Safety
/// There are such rows, and room for their keys.
unsafe fn key_part<R: Rows, K: Key>(
    rows: R,
    range: Range<usize>,
    keys: *mut K,
    plan: &Plan,
    counts: &mut [usize],
) -> Result<Range<u64>, (usize, Outside)> {
    let (mut least, mut end) = (u64::MAX, 0);
    for row in range {
        // SAFETY: the caller's promise.
        unsafe {
            let key = rows.key(row).map_err(|outside| (row, outside))?;
            keys.add(row).write(K::narrow(key));
            counts[plan.bucket(key)] += 1;
            (least, end) = (least.min(key), end.max(key + 1));
        }
    }
    Ok(least..end)
}

/// Where things are in one piece of memory, each at a multiple of a line.
#[derive(Default)]
struct Space {
    bytes: usize,
}

impl Space {
    /// Where so many are; what does not fit any address space gets a length that no memory has.
    fn take<T>(&mut self, n: usize) -> usize {
        let start = self.bytes;
        let bytes = n.saturating_mul(size_of::<T>()).saturating_add(LINE - 1) / LINE * LINE;
        self.bytes = start.saturating_add(bytes);
        start
    }
}

/// What sorting needs to know once there are keys.
struct Sorting<'a> {
    plan: Plan,
    grid: &'a Grid<'a>,
    n: usize,
    values: Shared<*const u8>,
    room: Shared<&'a Room>,
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
        let (n, plan) = (self.n, &self.plan);
        let parts = counts.parts();
        let starts = counts.accumulate();
        let shares = shares(&starts, parts);
        let window: usize = if plan.windows { 1 << plan.shift } else { 0 };

        let mut space = Space::default();
        let records = space.take::<Record<O, E>>(n);
        let lines: Vec<usize> = (0..parts)
            .map(|_| space.take::<[u8; LINE]>(plan.buckets))
            .collect();
        // What a thread needs to sort its buckets.
        let desks: Vec<usize> = shares
            .iter()
            .map(|share| {
                if plan.windows {
                    window::take::<E>(&mut space, window)
                } else {
                    let largest = share.clone().map(|at| starts[at + 1] - starts[at]).max();
                    space.take::<Record<O, E>>(largest.unwrap_or(0))
                }
            })
            .collect();
        let scratch = memory.scratch(space.bytes)?;
        let start = Shared(scratch.start().as_ptr());
        // SAFETY: the scratch memory has room for all that was taken.
        let records = Shared(unsafe { start.get().add(records).cast::<Record<O, E>>() });

        crew::run(counts.each(), |(part, cursors)| {
            let range = crew::start(n, part, parts)..crew::start(n, part + 1, parts);
            // SAFETY: the cursors are where the entries of these rows have their places, by the counts.
            unsafe {
                let lines = start.get().add(lines[part]);
                distribute(
                    plan,
                    range,
                    (keys.get(), self.values.get().cast::<E>()),
                    records.get(),
                    lines,
                    cursors,
                );
            }
        });

        let written = crew::run(shares.iter().cloned().zip(desks), |(share, desk)| {
            // SAFETY: the buckets are those of this job, and hold records from start to start; so does the desk.
            unsafe {
                let mut writer = Writer::new(self.grid, self.room.get(), starts[share.start]);
                let desk = start.get().add(desk);
                if plan.windows {
                    let (bits, cells) = window::at::<E>(desk, window);
                    for bucket in share.clone() {
                        let records = in_bucket(records.get(), &starts, bucket);
                        window::write(plan.first(bucket), records, bits, cells, &mut writer);
                    }
                } else {
                    for bucket in share.clone() {
                        let records = in_bucket(records.get(), &starts, bucket);
                        let spare = slice::from_raw_parts_mut(desk.cast(), records.len());
                        let sorted = digits::order(records, spare, plan.shift);
                        digits::write(plan.first(bucket), sorted, &mut writer);
                    }
                }
                writer.at() - starts[share.start]
            }
        });
        let runs = shares.iter().map(|share| starts[share.start]).zip(written);
        // SAFETY: each job has written so many entries from the start of its first bucket on.
        Ok(unsafe { self.room.get().close_up(self.grid.rank(), E::WIDTH, runs) })
    }
}

//! Entries become ordered by their keys.
//!
//! 1. The keys of all rows, which are in memory or come in `pieces`, are computed and kept, as narrow as they can be: `keys`; it is counted how many
//!    fall into each bucket, a range of keys: `plan`.
//! 2. Entries are moved to their buckets, which keeps the order within each: `distribution`.
//! 3. Bucket after bucket, in the cache: where keys lie close, a bit is set for each in a `window`, and the bits in front of it say where its record
//!    goes; else records are sorted by `digits`, from the lowest on. Then they are written in order.
//!
//! Invariants:
//!
//! 1. Threads share the rows for 1 and 2, the buckets for 3: what one writes no other touches before all are done.
//! 2. All that decides where something is written is in scratch memory, which nobody else knows; rows are read once, values once.
//! 3. The entries of a bucket are written from where its share of buckets begins among the records on, so never more than there is room for.

mod digits;
mod distribution;
mod keys;
mod pieces;
mod plan;
mod window;

use std::ops::Range;
use std::slice;

use super::build::{Room, Values};
use super::coordinates::Grid;
use super::crew::{self, Shared};
use super::writer::Writer;
use crate::dtype::Element;
use crate::memory::{Memory, Pages};
use crate::{dispatch, Error};
use distribution::{distribute, in_bucket, Record, LINE};
pub(super) use keys::InPlace;
use keys::{Keying, Source};
pub(super) use pieces::Brought;
pub use pieces::Pieces;
use plan::{shares, Counts, Key, Plan};
use window::Window;

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
    let parts = crew::size(n.saturating_mul(8 * grid.rank() + width));
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
    if (bounds.end - bounds.start) < whole.end / 8 {
        plan = Plan::new(n, width, bounds);
        counts = Counts::new(parts, plan.buckets)?;
        crew::run(counts.each(), |(part, counts)| {
            for row in crew::start(n, part, parts)..crew::start(n, part + 1, parts) {
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
        values: Shared(values.start),
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
    Ok(sorted.ok_or(Error::ElementWidth { width })??)
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

        // How many records the largest bucket of a share has.
        let largest = |share: &Range<usize>| {
            let sizes = share.clone().map(|at| starts[at + 1] - starts[at]);
            sizes.max().unwrap_or(0)
        };

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
                    Window::<O, E>::take(&mut space, window, largest(share))
                } else {
                    space.take::<Record<O, E>>(largest(share))
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
                    let mut window = Window::at(desk, window, largest(&share));
                    for bucket in share.clone() {
                        let records = in_bucket(records.get(), &starts, bucket);
                        window.write(plan.first(bucket), records, &mut writer);
                    }
                } else {
                    for bucket in share.clone() {
                        let records = in_bucket(records.get(), &starts, bucket);
                        let spare = slice::from_raw_parts_mut(desk.cast(), records.len());
                        let sorted = digits::order(records, spare, plan.shift);
                        let sorted = digits::last_ones(sorted);
                        writer.write_all(plan.first(bucket), sorted.map(Record::entry));
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

//! Entries become ordered by their keys.
//!
//! 1. The keys of all rows are computed and kept, as narrow as they can be; it is counted how many fall into each bucket, a range of keys.
//! 2. Entries are moved to their buckets, which keeps the order within each.
//! 3. Bucket after bucket, in the cache: where keys lie close, values are put at their places in a window of dense memory, a bit is set for each, and the bits
//!    are read in order; else records are sorted digit by digit, from the lowest on.
//!
//! Threads share the rows for 1 and 2, the buckets for 3. All that decides where something is written is in scratch memory, which nobody else knows.

use std::ops::Range;
use std::slice;

use super::build::{Entries, Room};
use super::coordinates::{Grid, Outside, Rows};
use super::crew::{self, Shared};
use super::writer::Writer;
use crate::dtype::Element;
use crate::memory::{Memory, Pages};
use crate::{dispatch, Error};

/// The most buckets: each has a cache line of its own while entries are moved.
const MOST_BUCKETS: usize = 4096;
/// How many entries a bucket of records should have.
const RECORDS: usize = if cfg!(miri) { 8 } else { 4096 };
/// The most buckets of records.
const MOST_RECORD_BUCKETS: usize = 2048;
/// Windows are worth it where one of so many places is taken.
const SPARSEST: u64 = 128;
/// The logarithm of how many bytes of values a window has.
const WINDOW_BITS: u32 = if cfg!(miri) { 5 } else { 19 };
/// What entries wait in until they are written together, in bytes: a cache line.
const LINE: usize = 64;
/// Buckets of up to so many records are sorted by insertion.
const FEW: usize = 32;
/// How many bits a digit has at most, for few records and for many: as many numbers as it has values are cleared and added up.
const DIGITS: [u32; 2] = [8, 11];
/// From so many records on, they are many.
const MANY: usize = if cfg!(miri) { 40 } else { 2048 };

/// A key, or where it is in its bucket, as wide as need be.
trait Key: Copy + Ord + Send + Sync + 'static {
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

/// An entry in its bucket.
#[derive(Clone, Copy)]
#[repr(C)]
struct Record<O, E> {
    offset: O,
    value: E,
}

/// How keys are divided into buckets.
#[derive(Clone, Copy, Debug)]
struct Plan {
    /// The first key of the first bucket.
    base: u64,
    /// The logarithm of how many keys a bucket has.
    shift: u32,
    buckets: usize,
    /// Whether buckets are windows.
    windows: bool,
}

impl Plan {
    /// For `n` keys in a range that is not empty.
    fn new(n: usize, width: usize, keys: Range<u64>) -> Plan {
        let most = keys.end - 1 - keys.start;
        let window = WINDOW_BITS - width.ilog2();
        let windows =
            (n as u64).saturating_mul(SPARSEST) > most && most >> window < MOST_BUCKETS as u64;
        let bits = u64::BITS - most.leading_zeros();
        let shift = if windows {
            window.min(bits)
        } else {
            let buckets = (n / RECORDS).clamp(1, MOST_RECORD_BUCKETS);
            bits - buckets.ilog2().min(bits)
        };
        Plan {
            base: keys.start,
            shift,
            buckets: (most >> shift) as usize + 1,
            windows,
        }
    }

    #[inline(always)]
    fn bucket(&self, key: u64) -> usize {
        ((key - self.base) >> self.shift) as usize
    }

    /// Where in its bucket the key is.
    #[inline(always)]
    fn offset(&self, key: u64) -> u64 {
        (key - self.base) & !(u64::MAX << self.shift)
    }

    /// The first key of a bucket.
    fn first(&self, bucket: usize) -> u64 {
        self.base + ((bucket as u64) << self.shift)
    }
}

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

/// A number for each part of the rows and each bucket.
struct Counts {
    numbers: Vec<usize>,
    buckets: usize,
}

impl Counts {
    fn new(parts: usize, buckets: usize) -> Result<Counts, Error> {
        let mut numbers = Vec::new();
        let asked = parts * buckets;
        numbers
            .try_reserve_exact(asked)
            .map_err(|_| Error::NoTemporary {
                bytes: asked * size_of::<usize>(),
            })?;
        numbers.resize(asked, 0);
        Ok(Counts { numbers, buckets })
    }

    fn each(&mut self) -> impl Iterator<Item = (usize, &mut [usize])> {
        self.numbers.chunks_exact_mut(self.buckets).enumerate()
    }

    /// Counts become where the first of each is to go, bucket after bucket, and in each part after part; gives where the buckets begin, and the last one ends.
    fn accumulate(&mut self) -> Vec<usize> {
        let mut total = 0;
        let mut starts = Vec::with_capacity(self.buckets + 1);
        for bucket in 0..self.buckets {
            starts.push(total);
            for at in (bucket..self.numbers.len()).step_by(self.buckets) {
                total += std::mem::replace(&mut self.numbers[at], total);
            }
        }
        starts.push(total);
        starts
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
        let parts = counts.numbers.len() / counts.buckets;
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
                    let bits = space.take::<u64>(window.div_ceil(64));
                    space.take::<E>(window);
                    bits
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
                    let bits = slice::from_raw_parts_mut(desk.cast::<u64>(), window.div_ceil(64));
                    let mut space = Space::default();
                    space.take::<u64>(bits.len());
                    let cells =
                        slice::from_raw_parts_mut(desk.add(space.bytes).cast::<E>(), window);
                    bits.fill(0);
                    for bucket in share.clone() {
                        let records = in_bucket(records.get(), &starts, bucket);
                        write_window(plan.first(bucket), records, bits, cells, &mut writer);
                    }
                } else {
                    for bucket in share.clone() {
                        let records = in_bucket(records.get(), &starts, bucket);
                        let spare = slice::from_raw_parts_mut(desk.cast(), records.len());
                        let sorted = order(records, spare, plan.shift);
                        write_sorted(plan.first(bucket), sorted, &mut writer);
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

/// Divides the buckets among so many jobs: consecutive ones, with about as many entries each.
fn shares(starts: &[usize], parts: usize) -> Vec<Range<usize>> {
    let buckets = starts.len() - 1;
    let n = starts[buckets];
    let mut first = 0;
    (1..=parts)
        .map(|part| {
            let wanted = crew::start(n, part, parts);
            let end = if part == parts {
                buckets
            } else {
                starts
                    .partition_point(|&start| start < wanted)
                    .clamp(first, buckets)
            };
            let share = first..end;
            first = end;
            share
        })
        .collect()
}

/// Moves the entries of some rows to their buckets, through a line for each, so that memory is written in whole lines.
///
/// # Safety
/// The cursors are where the first of these entries of each bucket goes, and all of them have their places from there on. There is a line for each bucket.
unsafe fn distribute<K: Key, O: Key, E: Element>(
    plan: &Plan,
    range: Range<usize>,
    (keys, values): (*const K, *const E),
    records: *mut Record<O, E>,
    lines: *mut u8,
    cursors: &mut [usize],
) {
    let per_line = LINE / size_of::<Record<O, E>>();
    let lines = lines.cast::<Record<O, E>>();
    // The first place of each bucket that is not written yet: a line may begin with another job's.
    // SAFETY: as below.
    let flush = |bucket: usize, from: usize, to: usize| unsafe {
        lines
            .add(bucket * per_line + from % per_line)
            .copy_to_nonoverlapping(records.add(from), to - from);
    };
    let starts = cursors.to_vec();
    for row in range {
        // SAFETY: there is such a row; its bucket is one of those that the keys were counted for.
        unsafe {
            let key = keys.add(row).read().wide();
            let bucket = plan.bucket(key);
            let cursor = cursors[bucket];
            let slot = cursor % per_line;
            lines.add(bucket * per_line + slot).write(Record {
                offset: O::narrow(plan.offset(key)),
                value: values.add(row).read_unaligned(),
            });
            cursors[bucket] = cursor + 1;
            if slot == per_line - 1 {
                let from = cursor - slot;
                if from < starts[bucket] {
                    flush(bucket, starts[bucket], cursor + 1);
                } else {
                    write_line(
                        lines.add(bucket * per_line).cast(),
                        records.add(from).cast(),
                    );
                }
            }
        }
    }
    for (bucket, &cursor) in cursors.iter().enumerate() {
        let from = (cursor - cursor % per_line).max(starts[bucket]);
        flush(bucket, from, cursor);
    }
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    // SAFETY: every processor of this kind can do it. Other threads read what was written past the cache.
    unsafe {
        std::arch::x86_64::_mm_sfence();
    }
}

/// Writes a line past the cache, where the processor can.
///
/// # Safety
/// Both are lines, at multiples of their length.
#[inline(always)]
unsafe fn write_line(from: *const [u8; LINE], to: *mut [u8; LINE]) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    // SAFETY: the caller's promise; every processor of this kind can do it.
    unsafe {
        use std::arch::x86_64::{__m128i, _mm_load_si128, _mm_stream_si128};
        let (from, to) = (from.cast::<__m128i>(), to.cast::<__m128i>());
        for k in 0..LINE / size_of::<__m128i>() {
            _mm_stream_si128(to.add(k), _mm_load_si128(from.add(k)));
        }
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    // SAFETY: the caller's promise.
    unsafe {
        from.copy_to_nonoverlapping(to, 1);
    }
}

/// The records of a bucket.
///
/// # Safety
/// Nobody else uses them.
unsafe fn in_bucket<'a, T>(records: *mut T, starts: &[usize], bucket: usize) -> &'a mut [T] {
    // SAFETY: the caller's promise.
    unsafe {
        slice::from_raw_parts_mut(
            records.add(starts[bucket]),
            starts[bucket + 1] - starts[bucket],
        )
    }
}

/// Writes the entries of a bucket by way of a window; the bits are clear before and after.
///
/// # Safety
/// There is room for as many entries.
unsafe fn write_window<O: Key, E: Element>(
    first: u64,
    records: &[Record<O, E>],
    bits: &mut [u64],
    cells: &mut [E],
    writer: &mut Writer<'_>,
) {
    for &Record { offset, value } in records {
        let at = offset.wide() as usize;
        cells[at] = value;
        bits[at / 64] |= 1 << (at % 64);
    }
    for (word, bits) in bits.iter_mut().enumerate() {
        let bits = std::mem::take(bits);
        if bits != 0 {
            let at = word * 64;
            // SAFETY: there are no more bits than records, and only those of cells are set.
            unsafe { writer.write_bits(first + at as u64, bits, cells.as_ptr().add(at)) };
        }
    }
}

/// Writes the entries of a bucket that is in order, of equal ones the last.
///
/// # Safety
/// There is room for as many entries.
unsafe fn write_sorted<O: Key, E: Element>(
    first: u64,
    records: &[Record<O, E>],
    writer: &mut Writer<'_>,
) {
    for (at, &Record { offset, value }) in records.iter().enumerate() {
        if records
            .get(at + 1)
            .is_some_and(|next| next.offset == offset)
        {
            continue;
        }
        // SAFETY: the caller's promise.
        unsafe { writer.write(first + offset.wide(), value) };
    }
}

/// Sorts by offset; equal ones keep their order. What is sorted is in one of the two places then.
fn order<'a, O: Key, E: Element>(
    records: &'a mut [Record<O, E>],
    spare: &'a mut [Record<O, E>],
    bits: u32,
) -> &'a mut [Record<O, E>] {
    let n = records.len();
    if n <= FEW {
        for end in 1..n {
            let record = records[end];
            let mut at = end;
            while at > 0 && records[at - 1].offset > record.offset {
                records[at] = records[at - 1];
                at -= 1;
            }
            records[at] = record;
        }
        return records;
    }
    let (mut from, mut to) = (records, spare);
    let passes = bits.div_ceil(DIGITS[usize::from(n >= MANY)]).max(1);
    let digit_bits = bits.div_ceil(passes).max(1);
    let mut counts = [0usize; 1 << DIGITS[1]];
    let counts = &mut counts[..1 << digit_bits];
    for shift in (0..bits).step_by(digit_bits as usize) {
        let mask = counts.len() - 1;
        let digit = |record: &Record<O, E>| (record.offset.wide() >> shift) as usize & mask;
        counts.fill(0);
        for record in from.iter() {
            counts[digit(record)] += 1;
        }
        if counts[digit(&from[0])] == n {
            continue;
        }
        let mut total = 0;
        for count in &mut *counts {
            total += std::mem::replace(count, total);
        }
        for record in from.iter() {
            let at = &mut counts[digit(record)];
            to[*at] = *record;
            *at += 1;
        }
        (from, to) = (to, from);
    }
    from
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_has_a_bucket() {
        for n in [1, 100, 100_000, 10_000_000] {
            for width in [1, 2, 4, 8] {
                for end in [
                    1,
                    2,
                    63,
                    4096,
                    1 << 26,
                    (1 << 26) + 1,
                    1 << 40,
                    i64::MAX as u64,
                ] {
                    for start in [0, end / 3, end - 1] {
                        let plan = Plan::new(n, width, start..end);
                        assert_eq!(plan.bucket(end - 1), plan.buckets - 1, "{n} {end} {plan:?}");
                        assert!(plan.buckets <= MOST_BUCKETS, "{n} {end} {plan:?}");
                        let key = start + (end - start) / 2;
                        assert_eq!(
                            plan.first(plan.bucket(key)) + plan.offset(key),
                            key,
                            "{plan:?}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn equal_offsets_keep_their_order() {
        let mut records: Vec<Record<u32, u32>> = (0..1000)
            .map(|value| Record {
                offset: (value * 7919) % 300,
                value,
            })
            .collect();
        let mut spare = records.clone();
        let sorted = order(&mut records, &mut spare, 9);
        assert!(sorted
            .windows(2)
            .all(|pair| (pair[0].offset, pair[0].value) < (pair[1].offset, pair[1].value)));
    }

    #[test]
    fn shares_are_all_buckets_in_order() {
        assert_eq!(shares(&[0, 5, 6, 10], 2), [0..1, 1..3]);
        assert_eq!(shares(&[0, 10, 10], 3), [0..1, 1..1, 1..2]);
        assert_eq!(shares(&[0, 0], 2), [0..0, 0..1]);
    }
}

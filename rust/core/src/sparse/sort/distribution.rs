//! Pass 2: entries are moved to their buckets, through write-combining buffers.
//!
//! Invariants:
//!
//! 1. Every place among the records is written by one job. A job flushes a whole cache line only if all of it belongs to the job, else record by
//!    record.
//! 2. A job takes its rows in order, so the records of a bucket are in the order of their rows.
//! 3. Keys come from private scratch memory, so they are the ones that were counted: no bucket overflows.

use std::ops::Range;
use std::slice;

use super::plan::Key;
use crate::element::Element;

/// The size of a write-combining buffer in bytes: a cache line, which records may not fill. On 32-bit x86, where 8 bytes are aligned to 4, five
/// records of 12 bytes leave a gap, and the next record of the bucket lies behind that.
pub(super) const LINE: usize = 64;

/// An entry in its bucket.
#[derive(Clone, Copy)]
#[repr(C)]
pub(super) struct Record<O, E> {
    pub offset: O,
    pub value: E,
}

impl<O: Key, E: Element> Record<O, E> {
    /// The offset and the value.
    #[inline(always)]
    pub fn entry(&self) -> (u64, E) {
        (self.offset.wide(), self.value)
    }
}

/// Moves the entries of some rows to their buckets, through a write-combining buffer for each bucket, so that memory is written in whole cache lines.
/// `places` maps `N` keys at a time to their buckets and offsets.
///
/// # Safety
/// `cursors` are where these entries go in each bucket, by the histogram. There is a buffer for each bucket.
#[inline(never)] // once, not in each thread's own closure as well
pub(super) unsafe fn distribute<K: Key, O: Key, E: Element, const N: usize>(
    places: impl Fn([u64; N]) -> [(usize, u64); N],
    rows: Range<usize>,
    (keys, values): (*const K, *const E),
    (records, lines, cursors): (*mut Record<O, E>, *mut u8, &mut [usize]),
) {
    let per_line = LINE / size_of::<Record<O, E>>();
    let lines = lines.cast::<Record<O, E>>();
    // The first place of each bucket that is not flushed yet: a cache line may begin with records of another job.
    // SAFETY: as below.
    let flush = |bucket: usize, from: usize, to: usize| unsafe {
        lines
            .add(bucket * per_line + from % per_line)
            .copy_to_nonoverlapping(records.add(from), to - from);
    };
    let starts = cursors.to_vec();
    let mut put = |row: usize, (bucket, offset): (usize, u64)| {
        // SAFETY: there is such a row; its bucket is one of those that the keys were counted for.
        unsafe {
            let cursor = cursors[bucket];
            let slot = cursor % per_line;
            lines.add(bucket * per_line + slot).write(Record {
                offset: O::narrow(offset),
                value: values.add(row).read_unaligned(),
            });
            cursors[bucket] = cursor + 1;
            if slot == per_line - 1 {
                let from = cursor - slot;
                if from < starts[bucket] {
                    flush(bucket, starts[bucket], cursor + 1);
                } else {
                    write_line(lines.add(bucket * per_line), records.add(from));
                }
            }
        }
    };
    // SAFETY: there are such rows.
    let key = |row: usize| unsafe { keys.add(row).read() }.wide();
    let rest = rows.end - rows.len() % N;
    for row in (rows.start..rest).step_by(N) {
        let found = places(std::array::from_fn(|k| key(row + k)));
        for (k, place) in found.into_iter().enumerate() {
            put(row + k, place);
        }
    }
    for row in rest..rows.end {
        put(row, places([key(row); N])[0]);
    }
    for (bucket, &cursor) in cursors.iter().enumerate() {
        let from = (cursor - cursor % per_line).max(starts[bucket]);
        flush(bucket, from, cursor);
    }
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    // SAFETY: every processor of this kind can do it. It orders non-temporal stores before what other threads read.
    unsafe {
        std::arch::x86_64::_mm_sfence();
    }
}

/// Flushes as many records as a cache line holds; by non-temporal stores if they fill it and the processor has these.
///
/// # Safety
/// So many can be read and written. Where they fill a line, both are lines, at multiples of their length.
#[inline(always)]
unsafe fn write_line<R>(from: *const R, to: *mut R) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    if LINE % size_of::<R>() == 0 {
        // SAFETY: the caller's promise; every processor of this kind can do it. What is between the fields of a record has no value, and no
        // type that could be loaded: the instructions move it as it is.
        unsafe {
            std::arch::asm!(
                "movdqa {a}, [{from}]",
                "movdqa {b}, [{from} + 16]",
                "movdqa {c}, [{from} + 32]",
                "movdqa {d}, [{from} + 48]",
                "movntdq [{to}], {a}",
                "movntdq [{to} + 16], {b}",
                "movntdq [{to} + 32], {c}",
                "movntdq [{to} + 48], {d}",
                from = in(reg) from,
                to = in(reg) to,
                a = out(xmm_reg) _,
                b = out(xmm_reg) _,
                c = out(xmm_reg) _,
                d = out(xmm_reg) _,
                options(nostack, preserves_flags)
            );
        }
        return;
    }
    // SAFETY: the caller's promise.
    unsafe { from.copy_to_nonoverlapping(to, LINE / size_of::<R>()) };
}

/// The records of a bucket.
///
/// # Safety
/// They were all written, and nobody else uses them.
pub(super) unsafe fn in_bucket<'a, T>(
    records: *mut T,
    starts: &[usize],
    bucket: usize,
) -> &'a mut [T] {
    // SAFETY: the caller's promise.
    unsafe {
        slice::from_raw_parts_mut(
            records.add(starts[bucket]),
            starts[bucket + 1] - starts[bucket],
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As large as `u64`, and aligned as that is on 32-bit x86. The lower half comes first, so its derived order is meaningless.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    struct Half([u32; 2]);

    impl Key for Half {
        fn narrow(key: u64) -> Half {
            Half([key as u32, (key >> 32) as u32])
        }

        fn wide(self) -> u64 {
            u64::from(self.0[1]) << 32 | u64::from(self.0[0])
        }
    }

    /// Moves entries to two buckets, the second bucket's first, and checks both; `first` is the size of the first bucket.
    fn distributed<O: Key>(first: usize) {
        const N: usize = 100;
        let keys: Vec<u64> = (0..N as u64).rev().collect();
        let values: Vec<u32> = (0..N as u32).collect();
        let size = size_of::<Record<O, u32>>();
        let mut memory = vec![[0u64; LINE / 8]; (N * size).div_ceil(LINE) + 3];
        let start = memory.as_mut_ptr().cast::<u8>();
        let start = start.wrapping_add(start.align_offset(LINE));
        let records = start.cast::<Record<O, u32>>();
        let lines = start.wrapping_add((N * size).next_multiple_of(LINE));
        let mut cursors = [0, first];
        let place = |[key]: [u64; 1]| match key.checked_sub(first as u64) {
            None => [(0, key)],
            Some(offset) => [(1, offset)],
        };
        let from = (keys.as_ptr(), values.as_ptr());
        // SAFETY: the memory holds the records and behind them a buffer for each bucket, all aligned; as many keys fall into the first bucket as
        // there are places in front of the second cursor.
        let moved = unsafe {
            distribute(place, 0..N, from, (records, lines, &mut cursors));
            slice::from_raw_parts(records, N)
        };
        let entries: Vec<_> = moved.iter().map(Record::entry).collect();
        let of_bucket = |keys: Range<usize>, first: usize| {
            keys.rev()
                .map(move |key| ((key - first) as u64, (N - 1 - key) as u32))
        };
        let expected: Vec<_> = of_bucket(0..first, 0)
            .chain(of_bucket(first..N, first))
            .collect();
        assert_eq!(entries, expected);
    }

    #[test]
    fn a_bucket_keeps_to_its_places_whether_or_not_records_fill_a_line() {
        for first in 40..60 {
            distributed::<u32>(first);
            distributed::<u64>(first);
            distributed::<Half>(first);
        }
    }
}

//! Entries are moved to their buckets.
//!
//! Invariants:
//!
//! 1. Every place among the records is written by one job: a line as a whole only where all of it is this job's, else the places that are.
//! 2. A job takes its rows in order, so the records of a bucket are in the order of their rows.
//! 3. Keys come from scratch memory, where nobody can have changed them since they were counted: no bucket gets more than were.

use std::ops::Range;
use std::slice;

use super::plan::Key;
use crate::element::Element;

/// What entries wait in until they are written together, in bytes: a cache line, or less where records do not fill it. On x86 of 32 bits, where 8
/// bytes are aligned as 4 are, five of 12 bytes leave a gap, behind which the next record of their bucket lies.
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

/// Moves the entries of some rows to their buckets, through a line for each, so that memory is written in whole lines. `places` gives the buckets
/// of `N` keys at once, and their offsets there.
///
/// # Safety
/// The cursors are where the first of these entries of each bucket goes, and all of them have their places from there on. There is a line for each
/// bucket.
#[inline(never)] // once, not in each thread's own closure as well
pub(super) unsafe fn distribute<K: Key, O: Key, E: Element, const N: usize>(
    places: impl Fn([u64; N]) -> [(usize, u64); N],
    rows: Range<usize>,
    (keys, values): (*const K, *const E),
    (records, lines, cursors): (*mut Record<O, E>, *mut u8, &mut [usize]),
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
    // SAFETY: every processor of this kind can do it. Other threads read what was written past the cache.
    unsafe {
        std::arch::x86_64::_mm_sfence();
    }
}

/// Writes as many records as a line holds, past the cache where they fill it and the processor can.
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

    /// As wide as `u64`, and aligned as that is on x86 of 32 bits; the lower half comes first, and its order is of no use.
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

    /// Moves entries to two buckets, of which the first has so many, those of the second one first, and looks at what is in the places of both.
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
        // SAFETY: the memory has room for the records and a line for each bucket behind them, to all of which it was aligned; as many keys as there
        // are places in front of the cursor fall into the first bucket.
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

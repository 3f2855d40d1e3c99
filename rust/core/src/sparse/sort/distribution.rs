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

/// What entries wait in until they are written together, in bytes: a cache line.
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
                    write_line(
                        lines.add(bucket * per_line).cast(),
                        records.add(from).cast(),
                    );
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

/// Writes a line past the cache, where the processor can.
///
/// # Safety
/// Both are lines, at multiples of their length.
#[inline(always)]
unsafe fn write_line(from: *const [u8; LINE], to: *mut [u8; LINE]) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
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
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    // SAFETY: the caller's promise.
    unsafe {
        from.copy_to_nonoverlapping(to, 1);
    }
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

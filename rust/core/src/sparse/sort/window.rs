//! A bucket whose keys lie close is written by way of a window: dense memory for its keys, and a bit for each.
//!
//! Invariants:
//!
//! 1. Bits are clear between buckets.
//! 2. A cell is read only if its bit is set, which says that an entry of this bucket was put there: the last one, as of equal keys the last stays.

use std::slice;

use super::distribution::Record;
use super::plan::Key;
use super::Space;
use crate::dtype::Element;
use crate::sparse::writer::Writer;

/// Takes the space of a window for so many keys; gives where it is.
pub(super) fn take<E: Element>(space: &mut Space, keys: usize) -> usize {
    let bits = space.take::<u64>(keys.div_ceil(64));
    space.take::<E>(keys);
    bits
}

/// The bits, which are clear, and the cells of the window at that place.
///
/// # Safety
/// It is the space that [`take`] has taken for so many keys, and nobody else uses it.
pub(super) unsafe fn at<'a, E: Element>(
    start: *mut u8,
    keys: usize,
) -> (&'a mut [u64], &'a mut [E]) {
    let words = keys.div_ceil(64);
    let mut space = Space::default();
    space.take::<u64>(words);
    // SAFETY: the caller's promise: this is how `take` has divided it.
    unsafe {
        let bits = slice::from_raw_parts_mut(start.cast::<u64>(), words);
        bits.fill(0);
        let cells = slice::from_raw_parts_mut(start.add(space.bytes).cast::<E>(), keys);
        (bits, cells)
    }
}

/// Writes the entries of a bucket by way of a window; the bits are clear before and after.
///
/// # Safety
/// There is room for as many entries.
pub(super) unsafe fn write<O: Key, E: Element>(
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

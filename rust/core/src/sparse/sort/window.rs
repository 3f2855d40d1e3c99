//! A bucket whose keys are dense is sorted by a bitmap with a bit for each key of its range (the window): the number of bits set in front of a key is
//! the rank of its record.
//!
//! Invariants:
//!
//! 1. Bits are clear between buckets.
//! 2. Records are put at their places in the order in which they come, so of equal keys the last stays.
//! 3. A rank is below the number of set bits, which exceeds neither the number of records nor that of the keys in the window.
//! 4. Ranks and places are uninitialised until they are written for a bucket: first all ranks, then each place below the number of set bits.

use std::mem::MaybeUninit;
use std::slice;

use super::distribution::Record;
use super::plan::Key;
use super::Space;
use crate::element::Element;
use crate::sparse::writer::Writer;

/// How many keys share a word of bits.
const WORD: usize = u64::BITS as usize;

/// What puts buckets of `keys` keys in order.
pub(super) struct Window<'a, O, E> {
    bits: &'a mut [u64],
    /// How many bits are set in front of each word.
    ranks: &'a mut [MaybeUninit<u32>],
    /// Where records go.
    sorted: &'a mut [MaybeUninit<Record<O, E>>],
    keys: usize,
}

impl<'a, O: Key, E: Element> Window<'a, O, E> {
    /// Reserves the memory of a window for buckets of `keys` keys and at most `most` records. Returns its offset.
    pub fn take(space: &mut Space, keys: usize, most: usize) -> usize {
        let words = keys.div_ceil(WORD);
        let start = space.take::<u64>(words);
        space.take::<u32>(words);
        space.take::<Record<O, E>>(keys.min(most));
        start
    }

    /// The window at that place.
    ///
    /// # Safety
    /// It is the space that [`take`](Self::take) has taken for as many, and nobody else uses it.
    pub unsafe fn at(start: *mut u8, keys: usize, most: usize) -> Window<'a, O, E> {
        let words = keys.div_ceil(WORD);
        let mut space = Space::default();
        let bits = space.take::<u64>(words);
        let ranks = space.take::<u32>(words);
        let sorted = space.take::<Record<O, E>>(keys.min(most));
        // SAFETY: the caller's promise: this is how `take` has divided it. Bits are written before there is a reference to them.
        unsafe {
            let bits = start.add(bits).cast::<u64>();
            bits.write_bytes(0, words);
            Window {
                bits: slice::from_raw_parts_mut(bits, words),
                ranks: slice::from_raw_parts_mut(start.add(ranks).cast(), words),
                sorted: slice::from_raw_parts_mut(start.add(sorted).cast(), keys.min(most)),
                keys,
            }
        }
    }

    /// Writes the entries of a bucket in order, of equal offsets the last.
    ///
    /// # Safety
    /// The writer has capacity for as many entries as records; with that first key, their keys are in the grid.
    pub unsafe fn write(&mut self, first: u64, records: &[Record<O, E>], writer: &mut Writer<'_>) {
        // SAFETY: the caller's promise; places below the number of bits have records (invariant 4).
        unsafe {
            if records.len() < self.keys {
                let n = self.rank(records);
                let sorted = self.sorted[..n].iter();
                let entries = sorted.map(|record| record.assume_init_ref().entry());
                writer.write_all(first, entries);
            } else {
                self.write_cells(first, records, writer);
            }
        }
    }

    /// As [`write`](Self::write), for at least as many records as keys: each value goes to the cell of its key at once, in a single pass over the
    /// records.
    ///
    /// # Safety
    /// As there.
    unsafe fn write_cells(
        &mut self,
        first: u64,
        records: &[Record<O, E>],
        writer: &mut Writer<'_>,
    ) {
        assert!(
            self.sorted.len() >= self.keys,
            "more records than were promised"
        );
        let cells = self.sorted.as_mut_ptr().cast::<MaybeUninit<E>>();
        // SAFETY: a value is no larger than a record, so the places hold a cell for each key; they hold nothing else now.
        let cells = unsafe { slice::from_raw_parts_mut(cells, self.keys) };
        for record in records {
            let at = record.offset.wide() as usize;
            cells[at].write(record.value);
            self.bits[at / WORD] |= 1 << (at % WORD);
        }
        for (word, bits) in self.bits.iter_mut().enumerate() {
            let bits = std::mem::take(bits);
            if bits != 0 {
                let at = word * WORD;
                // SAFETY: no more bits are set than there are records, and only for cells that were written.
                unsafe {
                    let values = cells.as_ptr().add(at).cast::<E>();
                    writer.write_bits(first + at as u64, bits, values);
                }
            }
        }
    }

    /// Moves records, fewer than keys, to their ranks. Returns how many are left without duplicates.
    fn rank(&mut self, records: &[Record<O, E>]) -> usize {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::is_x86_feature_detected as has;
            if has!("popcnt") && has!("bmi1") && has!("bmi2") {
                // SAFETY: the processor can do it.
                return unsafe { self.rank_counting(records) };
            }
        }
        self.rank_inline(records)
    }

    /// As [`rank`](Self::rank), where bits are counted by one instruction, which not all processors of this kind have.
    ///
    /// # Safety
    /// The processor can do it.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "popcnt,bmi1,bmi2")]
    unsafe fn rank_counting(&mut self, records: &[Record<O, E>]) -> usize {
        self.rank_inline(records)
    }

    #[inline(always)]
    fn rank_inline(&mut self, records: &[Record<O, E>]) -> usize {
        for record in records {
            let at = record.offset.wide() as usize;
            self.bits[at / WORD] |= 1 << (at % WORD);
        }
        let mut total = 0;
        for (bits, rank) in self.bits.iter().zip(&mut *self.ranks) {
            rank.write(total);
            total += bits.count_ones();
        }
        for record in records {
            let at = record.offset.wide() as usize;
            let before = self.bits[at / WORD] & ((1 << (at % WORD)) - 1);
            // SAFETY: all ranks were written just now.
            let rank = unsafe { self.ranks[at / WORD].assume_init() } + before.count_ones();
            self.sorted[rank as usize].write(*record);
        }
        self.bits.fill(0);
        total as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sparse::coordinates::Grid;
    use crate::sparse::entries::Output;

    fn order(keys: usize, offsets: &[u32]) -> Vec<(i64, u32)> {
        let records: Vec<_> = (0u32..)
            .zip(offsets)
            .map(|(value, &offset)| Record { offset, value })
            .collect();
        let mut space = Space::default();
        let n = records.len();
        assert_eq!(Window::<u32, u32>::take(&mut space, keys, n), 0);
        // Uninitialised, so that Miri sees reads that come too early.
        let mut memory = vec![MaybeUninit::<u64>::uninit(); space.bytes / size_of::<u64>()];
        // SAFETY: the memory is what `take` has reserved, and aligned.
        let mut window = unsafe { Window::at(memory.as_mut_ptr().cast::<u8>(), keys, n) };
        let mut ordered = || {
            let (mut indices, mut values) = (vec![0i64; n], vec![0u32; n]);
            let output = Output {
                indices: indices.as_mut_ptr(),
                values: values.as_mut_ptr().cast(),
                capacity: n,
            };
            let shape = [keys as i64];
            let grid = Grid::new(&shape).unwrap();
            let mut writer = Writer::new(&grid, &output, 0);
            // SAFETY: the output has capacity for as many entries as records.
            unsafe { window.write(0, &records, &mut writer) };
            let written = writer.at();
            indices.into_iter().zip(values).take(written).collect()
        };
        let first: Vec<_> = ordered();
        assert_eq!(first, ordered(), "bits are clear when a bucket is done");
        first
    }

    #[test]
    fn of_equal_offsets_the_last_stays() {
        let expected = [(0, 6), (3, 1), (63, 4), (64, 5), (99, 3)];
        let offsets = [64, 3, 0, 99, 63, 64, 0];
        assert_eq!(order(100, &offsets), expected);
        // As many as there are keys, and more.
        assert_eq!(order(4, &[3, 1, 3, 1]), [(1, 3), (3, 2)]);
        assert_eq!(order(4, &[3, 0, 3, 1, 0]), [(0, 4), (1, 3), (3, 2)]);
    }

    #[test]
    fn a_bucket_may_be_empty_and_full() {
        assert_eq!(order(100, &[]), []);
        let full: Vec<(i64, u32)> = (0..100).map(|at| (i64::from(at), 99 - at)).collect();
        let offsets: Vec<u32> = (0..100).rev().collect();
        assert_eq!(order(100, &offsets), full);
        assert_eq!(order(1, &[0]), [(0, 0)]);
    }
}

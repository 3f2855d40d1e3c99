//! A cursor that appends entries to an output.

use super::coordinates::Grid;
use super::entries::Output;
use super::expander::Expander;
use crate::element::Element;

/// Appends entries to an output, given by their keys, from which it computes the coordinates.
pub(super) struct Writer<'a> {
    expander: Expander<'a>,
    output: Output,
    rank: usize,
    /// The cursor: the entry that is written next.
    at: usize,
    /// Whether coordinates are written by non-temporal stores.
    past_cache: bool,
}

/// A row of two coordinates.
type Pair = [i64; 2];

/// From this many bytes of coordinates on, stores bypass the cache. Small in tests, so that they get here.
const LARGE: usize = if cfg!(miri) {
    512
} else if cfg!(debug_assertions) {
    8 << 10
} else {
    32 << 20
};

impl<'a> Writer<'a> {
    /// Writes from entry `at` on.
    pub fn new(grid: &Grid<'a>, output: &Output, at: usize) -> Writer<'a> {
        Writer {
            expander: Expander::new(grid),
            output: *output,
            rank: grid.rank(),
            at,
            past_cache: output.capacity.saturating_mul(size_of::<Pair>()) >= LARGE
                && output.indices.addr().is_multiple_of(size_of::<Pair>()),
        }
    }

    /// The entry that is written next.
    pub fn at(&self) -> usize {
        self.at
    }

    /// The remaining capacity.
    pub fn left(&self) -> usize {
        self.output.capacity - self.at.min(self.output.capacity)
    }

    /// # Safety
    /// At least one entry is left, and the key is in the grid.
    #[inline(always)]
    pub unsafe fn write<E: Element>(&mut self, key: u64, value: E) {
        // SAFETY: the caller's promise.
        unsafe {
            self.expander
                .write(key, self.output.indices.add(self.at * self.rank));
            self.output
                .values
                .cast::<E>()
                .add(self.at)
                .write_unaligned(value);
        }
        self.at += 1;
    }

    /// Writes entries, given by their keys and values.
    ///
    /// # Safety
    /// As many entries are left, and their keys, which ascend, are in the grid.
    #[inline(always)]
    pub unsafe fn write_all<E: Element>(&mut self, entries: impl Iterator<Item = (u64, E)>) {
        // SAFETY: the caller's promise; a grid with a key has no axis without elements.
        unsafe {
            match (self.rank, self.past_cache) {
                (1, _) => self.write_rows::<E, 1>(entries, |to, row| to.write_unaligned(row)),
                (2, true) => {
                    self.write_rows::<E, 2>(entries, |to, row| write_past_cache(to, row));
                    make_visible();
                }
                (2, false) => self.write_rows::<E, 2>(entries, |to, row| to.write_unaligned(row)),
                (3, _) => self.write_rows::<E, 3>(entries, |to, row| to.write_unaligned(row)),
                _ => entries.for_each(|(key, value)| self.write(key, value)),
            }
        }
    }

    /// [`write_all`](Self::write_all) for one rank, with what the loop needs in registers.
    ///
    /// # Safety
    /// As there; `RANK` is the rank, and rows can be written in that way.
    #[inline(always)]
    unsafe fn write_rows<E: Element, const RANK: usize>(
        &mut self,
        entries: impl Iterator<Item = (u64, E)>,
        write: impl Fn(*mut [i64; RANK], [i64; RANK]),
    ) {
        let rows = self.output.indices.cast::<[i64; RANK]>();
        let values = self.output.values.cast::<E>();
        let columns = self.expander.row_len();
        let mut at = self.at;
        let mut row = [0; RANK];
        // The first key of the row; `None` before the first row.
        let mut start = None;
        for (key, value) in entries {
            let column = start.map_or(columns, |start| key - start);
            if column < columns {
                row[RANK - 1] = column as i64;
            } else {
                // Not written to `row` itself: its address would escape, and each entry would load it from memory.
                let mut next = [0; RANK];
                // SAFETY: a row is as long as the rank.
                unsafe { self.expander.write(key, next.as_mut_ptr()) };
                row = next;
                start = Some(key - row[RANK - 1] as u64);
            }
            // SAFETY: the caller's promise.
            unsafe {
                write(rows.add(at), row);
                values.add(at).write_unaligned(value);
            }
            at += 1;
        }
        self.at = at;
    }

    /// Writes the value `k` with the key `first + k` for each bit `k` that is set.
    ///
    /// # Safety
    /// As many entries are left as bits are set; their keys are in the grid, and their values can be read.
    #[inline(always)]
    pub unsafe fn write_bits<E: Element>(&mut self, first: u64, mut bits: u64, values: *const E) {
        let Some([row, column]) = self.expander.pair(first, u64::from(u64::BITS)) else {
            while bits != 0 {
                let k = bits.trailing_zeros() as usize;
                // SAFETY: the caller's promise.
                unsafe { self.write(first + k as u64, values.add(k).read_unaligned()) };
                bits &= bits - 1;
            }
            return;
        };
        // SAFETY: the caller's promise; there are as many entries as bits.
        unsafe {
            let mut pairs = self.output.indices.add(2 * self.at).cast::<Pair>();
            let mut to = self.output.values.cast::<E>().add(self.at);
            self.at += bits.count_ones() as usize;
            while bits != 0 {
                let k = bits.trailing_zeros() as usize;
                pairs.write_unaligned([row, column + k as i64]);
                to.write_unaligned(values.add(k).read_unaligned());
                pairs = pairs.add(1);
                to = to.add(1);
                bits &= bits - 1;
            }
        }
    }
}

/// A non-temporal store of a pair, where the processor has one: cache lines that are overwritten as a whole need not be read first.
///
/// # Safety
/// `to` is valid for writes, and aligned to the size of a pair.
#[inline(always)]
unsafe fn write_past_cache(to: *mut Pair, pair: Pair) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    // SAFETY: the caller's promise; every processor of this kind can do it.
    unsafe {
        use std::arch::x86_64::{_mm_set_epi64x, _mm_stream_si128};
        _mm_stream_si128(to.cast(), _mm_set_epi64x(pair[1], pair[0]));
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    // SAFETY: the caller's promise.
    unsafe {
        to.write(pair);
    }
}

/// Orders non-temporal stores before whatever makes the entries known to other threads.
fn make_visible() {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    // SAFETY: every processor of this kind can do it.
    unsafe {
        std::arch::x86_64::_mm_sfence();
    }
}

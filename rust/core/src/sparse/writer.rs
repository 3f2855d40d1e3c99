//! Where the next entry of a result goes.

use super::build::Room;
use super::coordinates::Grid;
use super::expander::Expander;
use crate::dtype::Element;

/// Writes entries one behind the other, whose keys become coordinates.
pub(super) struct Writer<'a> {
    expander: Expander<'a>,
    room: Room,
    rank: usize,
    /// The entry that is written next.
    at: usize,
}

impl<'a> Writer<'a> {
    /// Writes from that entry on.
    pub fn new(grid: &Grid<'a>, room: &Room, at: usize) -> Writer<'a> {
        Writer {
            expander: Expander::new(grid),
            room: *room,
            rank: grid.rank(),
            at,
        }
    }

    /// The entry that is written next.
    pub fn at(&self) -> usize {
        self.at
    }

    /// How many there is room for.
    pub fn left(&self) -> usize {
        self.room.n - self.at.min(self.room.n)
    }

    /// # Safety
    /// There is room for one more, and the key is in the grid.
    #[inline(always)]
    pub unsafe fn write<E: Element>(&mut self, key: u64, value: E) {
        // SAFETY: the caller's promise.
        unsafe {
            self.expander
                .write(key, self.room.indices.add(self.at * self.rank));
            self.room
                .values
                .cast::<E>()
                .add(self.at)
                .write_unaligned(value);
        }
        self.at += 1;
    }

    /// Writes the value `k` with the key `first + k` for each bit `k` that is set.
    ///
    /// # Safety
    /// There is room for as many, the keys of the bits that are set are in the grid, and their values are there.
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
        // SAFETY: the caller's promise; so many bits, so many entries.
        unsafe {
            let mut pairs = self.room.indices.add(2 * self.at).cast::<[i64; 2]>();
            let mut to = self.room.values.cast::<E>().add(self.at);
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

//! Converts keys to coordinates, caching the outer coordinates of the last row.
//!
//! Invariants:
//!
//! 1. `kept` are the outer coordinates of the row that begins at the key `first`; initially zeros, the row of key 0.
//! 2. If rows cannot be cached, `size` is 0, and no key is in the cached row.

use super::coordinates::Grid;

/// The maximum number of outer coordinates (all but the last) that an [`Expander`] caches.
const KEPT: usize = 7;

/// Computes the coordinates of keys. Fast as long as keys stay in one row, whose outer coordinates it caches.
pub(super) struct Expander<'a> {
    shape: &'a [i64],
    /// The size of the last axis.
    size: u64,
    /// The key of the first element of the cached row.
    first: u64,
    /// The outer coordinates of the cached row.
    kept: [i64; KEPT],
}

impl<'a> Expander<'a> {
    pub fn new(grid: &Grid<'a>) -> Expander<'a> {
        Expander {
            shape: grid.shape(),
            // Without an axis or without elements there is no row.
            size: match grid.shape() {
                [.., last] if grid.rank() <= KEPT + 1 => *last as u64,
                _ => 0,
            },
            first: 0,
            kept: [0; KEPT],
        }
    }

    /// The size of the last axis; 0 if rows cannot be cached: no axis, no elements, or too many axes.
    pub fn row_len(&self) -> u64 {
        self.size
    }

    /// Writes the coordinates of a key.
    ///
    /// # Safety
    /// `to` is valid for writes of as many numbers as the grid has axes.
    #[inline(always)]
    pub unsafe fn write(&mut self, key: u64, to: *mut i64) {
        // A key before the row wraps around to a number that is too large, too.
        if key.wrapping_sub(self.first) >= self.size {
            self.turn(key);
            if self.size == 0 {
                // SAFETY: the caller's promise.
                return unsafe { self.write_all(key, to) };
            }
        }
        let last = (key - self.first) as i64;
        // SAFETY: the caller's promise.
        unsafe {
            match self.shape.len() {
                1 => to.write_unaligned(last),
                2 => to.cast::<[i64; 2]>().write_unaligned([self.kept[0], last]),
                rank => {
                    for (axis, &coordinate) in self.kept[..rank - 1].iter().enumerate() {
                        to.add(axis).write_unaligned(coordinate);
                    }
                    to.add(rank - 1).write_unaligned(last);
                }
            }
        }
    }

    /// The two coordinates of a key, if there are two and the next `n` keys, this one included, are in the same row.
    #[inline(always)]
    pub fn pair(&mut self, key: u64, n: u64) -> Option<[i64; 2]> {
        if self.shape.len() != 2 || n > self.size {
            return None;
        }
        if key.wrapping_sub(self.first) >= self.size {
            self.turn(key);
        }
        let column = key - self.first;
        (self.size - column >= n).then_some([self.kept[0], column as i64])
    }

    /// Caches the row of a key.
    #[inline(never)]
    fn turn(&mut self, key: u64) {
        if self.size == 0 {
            return;
        }
        let mut rest = key / self.size;
        self.first = rest * self.size;
        let outer = &self.shape[..self.shape.len() - 1];
        for (axis, &size) in outer.iter().enumerate().rev() {
            let size = size.max(1) as u64;
            self.kept[axis] = (rest % size) as i64;
            rest /= size;
        }
    }

    /// # Safety
    /// As for [`write`](Self::write).
    unsafe fn write_all(&self, key: u64, to: *mut i64) {
        let mut rest = key;
        for (axis, &size) in self.shape.iter().enumerate().rev() {
            let size = size.max(1) as u64;
            // SAFETY: the caller's promise.
            unsafe { to.add(axis).write_unaligned((rest % size) as i64) };
            rest /= size;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expand(shape: &[i64], keys: &[u64]) -> Vec<Vec<i64>> {
        let grid = Grid::new(shape).unwrap();
        let mut expander = Expander::new(&grid);
        keys.iter()
            .map(|&key| {
                let mut row = vec![-1; shape.len()];
                // SAFETY: the row is as long as the shape.
                unsafe { expander.write(key, row.as_mut_ptr()) };
                row
            })
            .collect()
    }

    #[test]
    fn keys_expand_in_any_order() {
        assert_eq!(
            expand(&[3, 4], &[0, 3, 4, 11, 1]),
            [[0, 0], [0, 3], [1, 0], [2, 3], [0, 1]]
        );
        assert_eq!(expand(&[5], &[4, 0, 2]), [[4], [0], [2]]);
        assert_eq!(
            expand(&[2, 3, 4], &[23, 12, 0]),
            [[1, 2, 3], [1, 0, 0], [0, 0, 0]]
        );
        assert_eq!(expand(&[], &[0, 0]), [[0i64; 0], []]);
    }

    #[test]
    fn pairs_are_for_keys_of_one_row() {
        let shape = [3, 100];
        let mut expander = Expander::new(&Grid::new(&shape).unwrap());
        assert_eq!(expander.pair(0, 64), Some([0, 0]));
        assert_eq!(expander.pair(136, 64), Some([1, 36]));
        assert_eq!(expander.pair(137, 64), None);
        assert_eq!(expander.pair(0, 101), None);
        let cube = Grid::new(&[2, 2, 100]).unwrap();
        assert_eq!(Expander::new(&cube).pair(0, 2), None);
    }

    #[test]
    fn more_axes_than_are_kept_expand_too() {
        let shape = [2; 11];
        for key in [0u64, 1, 5, 1024, 2047, 3] {
            let row = &expand(&shape, &[7, key])[1];
            let bits: Vec<i64> = (0..11).rev().map(|bit| (key >> bit & 1) as i64).collect();
            assert_eq!(row, &bits, "{key}");
        }
    }
}

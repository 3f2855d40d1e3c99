//! Rows of coordinates, and the one number that each stands for.

use crate::{shape, Error};

/// Where the coordinates of elements are.
#[derive(Clone, Copy, Debug)]
pub enum Coordinates {
    /// Rows of as many coordinates as there are axes.
    Rows(*const i64),
    /// Positions in row-major order.
    Linear(*const i64),
}

impl Coordinates {
    /// The first number.
    pub fn start(self) -> *const i64 {
        match self {
            Coordinates::Rows(start) | Coordinates::Linear(start) => start,
        }
    }
}

/// A coordinate that is not inside of its axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Outside {
    axis: usize,
    coordinate: i64,
}

/// A dense shape. The key of an element is its position in row-major order.
#[derive(Clone, Copy, Debug)]
pub struct Grid<'a> {
    shape: &'a [i64],
    elements: i64,
}

impl<'a> Grid<'a> {
    /// The grid of that shape.
    ///
    /// # Errors
    /// [`Error::NegativeSize`], [`Error::TooManyElements`].
    pub fn new(shape: &'a [i64]) -> Result<Grid<'a>, Error> {
        Ok(Grid {
            shape,
            elements: shape::elements(shape)?,
        })
    }

    /// The size of each axis.
    pub fn shape(&self) -> &'a [i64] {
        self.shape
    }

    /// How many axes there are.
    pub fn rank(&self) -> usize {
        self.shape.len()
    }

    /// How many positions there are.
    pub fn elements(&self) -> i64 {
        self.elements
    }

    pub(super) fn outside(&self, row: usize, outside: Outside, linear: bool) -> Error {
        let Outside { axis, coordinate } = outside;
        if linear {
            return Error::PositionOutside {
                row,
                position: coordinate,
                elements: self.elements,
                shape: self.shape.to_vec(),
            };
        }
        Error::CoordinateOutside {
            row,
            axis,
            coordinate,
            size: self.shape[axis],
            shape: self.shape.to_vec(),
        }
    }
}

/// Rows that can be read, each number once.
pub(super) trait Rows: Copy + Send + Sync {
    /// Whether a row is one position.
    const LINEAR: bool;

    /// The key of a row.
    ///
    /// # Safety
    /// There is such a row.
    unsafe fn key(&self, row: usize) -> Result<u64, Outside>;

    /// The key of a row, whose coordinates are written.
    ///
    /// # Safety
    /// There is such a row, and room for its coordinates.
    unsafe fn transcribe(
        &self,
        row: usize,
        expander: &mut Expander<'_>,
        to: *mut i64,
    ) -> Result<u64, Outside>;
}

/// Rows of any rank.
#[derive(Clone, Copy)]
pub(super) struct AnyRows<'a> {
    start: *const i64,
    shape: &'a [i64],
}

// SAFETY: memory that any thread may read.
unsafe impl Send for AnyRows<'_> {}
// SAFETY: as above.
unsafe impl Sync for AnyRows<'_> {}

impl<'a> AnyRows<'a> {
    pub fn new(start: *const i64, grid: &Grid<'a>) -> AnyRows<'a> {
        AnyRows {
            start,
            shape: grid.shape,
        }
    }
}

impl Rows for AnyRows<'_> {
    const LINEAR: bool = false;

    #[inline(always)]
    unsafe fn key(&self, row: usize) -> Result<u64, Outside> {
        let mut key = 0;
        for (axis, &size) in self.shape.iter().enumerate() {
            // SAFETY: the caller's promise. Volatile, since what was checked must be what is used.
            let coordinate = unsafe {
                self.start
                    .add(row * self.shape.len() + axis)
                    .read_volatile()
            };
            if coordinate as u64 >= size as u64 {
                return Err(Outside { axis, coordinate });
            }
            // No more than the number of elements, which fits.
            key = key * size as u64 + coordinate as u64;
        }
        Ok(key)
    }

    #[inline(always)]
    unsafe fn transcribe(
        &self,
        row: usize,
        _expander: &mut Expander<'_>,
        to: *mut i64,
    ) -> Result<u64, Outside> {
        let mut key = 0;
        for (axis, &size) in self.shape.iter().enumerate() {
            // SAFETY: the caller's promise.
            unsafe {
                let coordinate = self
                    .start
                    .add(row * self.shape.len() + axis)
                    .read_volatile();
                if coordinate as u64 >= size as u64 {
                    return Err(Outside { axis, coordinate });
                }
                to.add(axis).write_unaligned(coordinate);
                key = key * size as u64 + coordinate as u64;
            }
        }
        Ok(key)
    }
}

/// Rows of two coordinates.
#[derive(Clone, Copy)]
pub(super) struct Pairs {
    start: *const i64,
    shape: [u64; 2],
}

// SAFETY: memory that any thread may read.
unsafe impl Send for Pairs {}
// SAFETY: as above.
unsafe impl Sync for Pairs {}

impl Pairs {
    pub fn new(start: *const i64, shape: [i64; 2]) -> Pairs {
        Pairs {
            start,
            shape: shape.map(|size| size as u64),
        }
    }

    /// # Safety
    /// There is such a row.
    #[inline(always)]
    unsafe fn load(&self, row: usize) -> Result<[i64; 2], Outside> {
        // SAFETY: the caller's promise. Volatile, since what was checked must be what is used.
        let (i, j) = unsafe {
            let start = self.start.add(2 * row);
            (start.read_volatile(), start.add(1).read_volatile())
        };
        if i as u64 >= self.shape[0] {
            return Err(Outside {
                axis: 0,
                coordinate: i,
            });
        }
        if j as u64 >= self.shape[1] {
            return Err(Outside {
                axis: 1,
                coordinate: j,
            });
        }
        Ok([i, j])
    }

    #[inline(always)]
    fn join(&self, [i, j]: [i64; 2]) -> u64 {
        i as u64 * self.shape[1] + j as u64
    }
}

impl Rows for Pairs {
    const LINEAR: bool = false;

    #[inline(always)]
    unsafe fn key(&self, row: usize) -> Result<u64, Outside> {
        // SAFETY: the caller's promise.
        unsafe { self.load(row) }.map(|pair| self.join(pair))
    }

    #[inline(always)]
    unsafe fn transcribe(
        &self,
        row: usize,
        _expander: &mut Expander<'_>,
        to: *mut i64,
    ) -> Result<u64, Outside> {
        // SAFETY: the caller's promise.
        unsafe {
            let pair = self.load(row)?;
            to.cast::<[i64; 2]>().write_unaligned(pair);
            Ok(self.join(pair))
        }
    }
}

/// Positions.
#[derive(Clone, Copy)]
pub(super) struct Positions {
    start: *const i64,
    elements: u64,
}

// SAFETY: memory that any thread may read.
unsafe impl Send for Positions {}
// SAFETY: as above.
unsafe impl Sync for Positions {}

impl Positions {
    pub fn new(start: *const i64, grid: &Grid<'_>) -> Positions {
        Positions {
            start,
            elements: grid.elements as u64,
        }
    }
}

impl Rows for Positions {
    const LINEAR: bool = true;

    #[inline(always)]
    unsafe fn key(&self, row: usize) -> Result<u64, Outside> {
        // SAFETY: the caller's promise. Volatile, since what was checked must be what is used.
        let position = unsafe { self.start.add(row).read_volatile() };
        if position as u64 >= self.elements {
            return Err(Outside {
                axis: 0,
                coordinate: position,
            });
        }
        Ok(position as u64)
    }

    #[inline(always)]
    unsafe fn transcribe(
        &self,
        row: usize,
        expander: &mut Expander<'_>,
        to: *mut i64,
    ) -> Result<u64, Outside> {
        // SAFETY: the caller's promise; the key was checked.
        unsafe {
            let key = self.key(row)?;
            expander.write(key, to);
            Ok(key)
        }
    }
}

/// Evaluates an expression with a name bound to the quickest [`Rows`] of some coordinates.
macro_rules! with_rows {
    ($coordinates:expr, $grid:expr, $rows:ident => $body:expr) => {
        match ($coordinates, $grid.shape()) {
            ($crate::sparse::coordinates::Coordinates::Linear(start), _) => {
                let $rows = $crate::sparse::coordinates::Positions::new(start, $grid);
                $body
            }
            ($crate::sparse::coordinates::Coordinates::Rows(start), [rows, columns]) => {
                let $rows = $crate::sparse::coordinates::Pairs::new(start, [*rows, *columns]);
                $body
            }
            ($crate::sparse::coordinates::Coordinates::Rows(start), _) => {
                let $rows = $crate::sparse::coordinates::AnyRows::new(start, $grid);
                $body
            }
        }
    };
}
pub(super) use with_rows;

/// How many coordinates in front of the last an [`Expander`] keeps.
const KEPT: usize = 7;

/// Keys become coordinates again. Quick where one key follows another in the same row, whose other coordinates it keeps.
pub(super) struct Expander<'a> {
    shape: &'a [i64],
    /// The size of the last axis.
    size: u64,
    /// The key of the first element of the row kept.
    first: u64,
    /// All coordinates of that row but the last.
    kept: [i64; KEPT],
}

impl<'a> Expander<'a> {
    pub fn new(grid: &Grid<'a>) -> Expander<'a> {
        Expander {
            shape: grid.shape,
            // Without an axis or without elements there is nothing to keep.
            size: match grid.shape {
                [.., last] if grid.rank() <= KEPT + 1 => *last as u64,
                _ => 0,
            },
            first: 0,
            kept: [0; KEPT],
        }
    }

    /// Writes the coordinates of a key.
    ///
    /// # Safety
    /// There is room for them.
    #[inline(always)]
    pub unsafe fn write(&mut self, key: u64, to: *mut i64) {
        // A key before the row wraps, and is too large as well.
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

    /// Keeps the row of that key.
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
    /// There is room for the coordinates.
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
                // SAFETY: the row has room for its coordinates.
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

//! Rows of coordinates, and their keys: linear indices in row-major order.
//!
//! Invariants:
//!
//! 1. Each number is loaded once, so that the checked value is the one used: others may write it concurrently.
//! 2. A key is less than the number of elements, and [`Rows::transcribe`] writes exactly the coordinates whose key it returns.

use std::sync::atomic::{AtomicI64, Ordering};

use super::coordinates::{Grid, Outside};
use super::expander::Expander;
use crate::parallel::Shared;

/// Loads a number that determines the address of a write, and that others may write concurrently: once, so that the checked value is the one used.
///
/// # Safety
/// The number is aligned to 8 bytes and can be read. There is no Rust reference to it.
#[inline(always)]
pub(super) unsafe fn load_once(number: *const i64) -> i64 {
    debug_assert!(number.addr().is_multiple_of(8), "{number:?}");
    // SAFETY: the caller's promise. Nothing is written by this reference; a relaxed load of a number that is no wider than a pointer may also read
    // memory that cannot be written.
    unsafe { AtomicI64::from_ptr(number.cast_mut()) }.load(Ordering::Relaxed)
}

/// Rows of coordinates to read.
pub(super) trait Rows: Copy + Send + Sync {
    /// Whether a row is a linear index.
    const LINEAR: bool;

    /// The key of a row.
    ///
    /// # Safety
    /// There is such a row.
    unsafe fn key(&self, row: usize) -> Result<u64, Outside>;

    /// Returns the key of a row, and copies its coordinates.
    ///
    /// # Safety
    /// There is such a row, and `to` is valid for writes of its coordinates.
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
    start: Shared<*const i64>,
    shape: &'a [i64],
}

impl<'a> AnyRows<'a> {
    pub fn new(start: *const i64, grid: &Grid<'a>) -> AnyRows<'a> {
        AnyRows {
            start: Shared(start),
            shape: grid.shape(),
        }
    }

    /// The key of a row; `each` is called with every axis and coordinate.
    ///
    /// # Safety
    /// There is such a row.
    #[inline(always)]
    unsafe fn key_of_each(
        &self,
        row: usize,
        mut each: impl FnMut(usize, i64),
    ) -> Result<u64, Outside> {
        let mut key = 0;
        for (axis, &size) in self.shape.iter().enumerate() {
            // SAFETY: the caller's promise.
            let coordinate =
                unsafe { load_once(self.start.get().add(row * self.shape.len() + axis)) };
            if coordinate as u64 >= size as u64 {
                return Err(Outside { axis, coordinate });
            }
            each(axis, coordinate);
            // At most the number of elements, which fits.
            key = key * size as u64 + coordinate as u64;
        }
        Ok(key)
    }
}

impl Rows for AnyRows<'_> {
    const LINEAR: bool = false;

    #[inline(always)]
    unsafe fn key(&self, row: usize) -> Result<u64, Outside> {
        // SAFETY: the caller's promise.
        unsafe { self.key_of_each(row, |_, _| {}) }
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
            self.key_of_each(row, |axis, coordinate| {
                to.add(axis).write_unaligned(coordinate)
            })
        }
    }
}

/// Rows of two coordinates.
#[derive(Clone, Copy)]
pub(super) struct Pairs {
    start: Shared<*const i64>,
    shape: [u64; 2],
}

impl Pairs {
    pub fn new(start: *const i64, shape: [i64; 2]) -> Pairs {
        Pairs {
            start: Shared(start),
            shape: shape.map(|size| size as u64),
        }
    }

    /// # Safety
    /// There is such a row.
    #[inline(always)]
    unsafe fn load(&self, row: usize) -> Result<[i64; 2], Outside> {
        // SAFETY: the caller's promise.
        let (i, j) = unsafe {
            let start = self.start.get().add(2 * row);
            (load_once(start), load_once(start.add(1)))
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
    start: Shared<*const i64>,
    elements: u64,
}

impl Positions {
    pub fn new(start: *const i64, grid: &Grid<'_>) -> Positions {
        Positions {
            start: Shared(start),
            elements: grid.elements() as u64,
        }
    }
}

impl Rows for Positions {
    const LINEAR: bool = true;

    #[inline(always)]
    unsafe fn key(&self, row: usize) -> Result<u64, Outside> {
        // SAFETY: the caller's promise.
        let position = unsafe { load_once(self.start.get().add(row)) };
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

/// Evaluates an expression with a name bound to the fastest [`Rows`] for some coordinates.
macro_rules! with_rows {
    ($coordinates:expr, $grid:expr, $rows:ident => $body:expr) => {
        match ($coordinates, $grid.shape()) {
            ($crate::sparse::coordinates::Coordinates::Linear(start), _) => {
                let $rows = $crate::sparse::rows::Positions::new(start, $grid);
                $body
            }
            ($crate::sparse::coordinates::Coordinates::Rows(start), [rows, columns]) => {
                let $rows = $crate::sparse::rows::Pairs::new(start, [*rows, *columns]);
                $body
            }
            ($crate::sparse::coordinates::Coordinates::Rows(start), _) => {
                let $rows = $crate::sparse::rows::AnyRows::new(start, $grid);
                $body
            }
        }
    };
}
pub(super) use with_rows;

//! Compressed rows of a matrix, CSR: the number of entries before each row, and the columns of entries.

use super::rows::load_once;
use crate::Error;

/// Writes the row pointers of CSR, `rows + 1` numbers: how many of `n` sorted pairs of coordinates come before each row, and the total.
///
/// # Errors
/// [`Error::CoordinateOutside`], [`Error::Unsorted`]; part of the pointers may be written then.
///
/// # Safety
/// `indices` is aligned and valid for reads of `2 * n` numbers, `pointers` for writes of `rows + 1`. They do not overlap; others may write to both.
pub unsafe fn row_pointers(
    indices: *const i64,
    n: usize,
    rows: usize,
    pointers: *mut i64,
) -> Result<(), Error> {
    // Pointers up to this one are written.
    let mut written = 0;
    // SAFETY: `rows + 1` is at least 1.
    unsafe { pointers.write_unaligned(0) };
    for row in 0..n {
        // SAFETY: the caller's promise.
        let coordinate = unsafe { load_once(indices.add(2 * row)) };
        if coordinate as u64 >= rows as u64 {
            return Err(Error::CoordinateOutside {
                row,
                axis: 0,
                coordinate,
                size: rows as i64,
                shape: vec![rows as i64],
            });
        }
        let line = coordinate as usize;
        if line < written {
            return Err(Error::Unsorted { row });
        }
        while written < line {
            written += 1;
            // SAFETY: not above `rows`.
            unsafe { pointers.add(written).write_unaligned(row as i64) };
        }
    }
    while written < rows {
        written += 1;
        // SAFETY: not above `rows`.
        unsafe { pointers.add(written).write_unaligned(n as i64) };
    }
    Ok(())
}
/// Writes the columns of `n` pairs of coordinates, 4 bytes each.
///
/// # Errors
/// [`Error::CoordinateOutside`] for one that is not below `columns`, or does not fit; part of them may be written then.
///
/// # Safety
/// `indices` is aligned and valid for reads of `2 * n` numbers, `to` for writes of `n`. They do not overlap; others may write to both.
pub unsafe fn narrow_columns(
    indices: *const i64,
    n: usize,
    columns: i64,
    to: *mut i32,
) -> Result<(), Error> {
    for row in 0..n {
        // SAFETY: the caller's promise.
        let coordinate = unsafe { load_once(indices.add(2 * row + 1)) };
        match i32::try_from(coordinate) {
            // SAFETY: the caller's promise.
            Ok(narrow) if (0..columns).contains(&coordinate) => unsafe {
                to.add(row).write_unaligned(narrow);
            },
            _ => {
                return Err(Error::CoordinateOutside {
                    row,
                    axis: 1,
                    coordinate,
                    size: columns,
                    shape: vec![columns],
                })
            }
        }
    }
    Ok(())
}

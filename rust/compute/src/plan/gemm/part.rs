//! Parts of the operands of a matrix product, in place or packed.

use std::ops::{Add, Mul};

/// An element type of matrix products.
pub(super) trait Float:
    Copy + Default + From<u8> + Add<Output = Self> + Mul<Output = Self> + 'static
{
    fn of_bits(bits: u64) -> Self;
    fn finite(self) -> bool;
    fn normal(self) -> bool;
    fn negative(self) -> bool;
}

impl Float for f32 {
    fn of_bits(bits: u64) -> f32 {
        f32::from_bits(bits as u32)
    }

    fn finite(self) -> bool {
        self.is_finite()
    }

    fn normal(self) -> bool {
        self.is_normal()
    }

    fn negative(self) -> bool {
        self.is_sign_negative()
    }
}

impl Float for f64 {
    fn of_bits(bits: u64) -> f64 {
        f64::from_bits(bits)
    }

    fn finite(self) -> bool {
        self.is_finite()
    }

    fn normal(self) -> bool {
        self.is_normal()
    }

    fn negative(self) -> bool {
        self.is_sign_negative()
    }
}

/// Part of a matrix: the address of its first element, and the strides of rows and columns, in bytes.
#[derive(Clone, Copy)]
pub(super) struct Part {
    pub first: *mut u8,
    pub row: isize,
    pub column: isize,
}

impl Part {
    /// The element in a row and a column.
    ///
    /// # Safety
    ///
    /// The element exists.
    pub unsafe fn get<T: Float>(&self, row: usize, column: usize) -> T {
        let offset = row as isize * self.row + column as isize * self.column;
        // SAFETY: as the caller says.
        unsafe { self.first.wrapping_offset(offset).cast::<T>().read() }
    }

    /// Writes the element in a row and a column.
    ///
    /// # Safety
    ///
    /// The element exists, and is not shared.
    pub unsafe fn set<T: Float>(&self, row: usize, column: usize, value: T) {
        let offset = row as isize * self.row + column as isize * self.column;
        // SAFETY: as the caller says.
        unsafe { self.first.wrapping_offset(offset).cast::<T>().write(value) };
    }

    /// Whether all elements of these rows and columns are finite.
    ///
    /// # Safety
    ///
    /// The elements exist.
    pub unsafe fn is_finite<T: Float>(&self, rows: usize, columns: usize) -> bool {
        let by_rows = self.column.abs() <= self.row.abs();
        let (outer, inner) = if by_rows {
            (rows, columns)
        } else {
            (columns, rows)
        };
        (0..outer).all(|i| {
            // No early exit, so that the loop is branchless.
            (0..inner).fold(true, |finite, j| {
                let (row, column) = if by_rows { (i, j) } else { (j, i) };
                // SAFETY: as the caller says.
                finite & unsafe { self.get::<T>(row, column) }.finite()
            })
        })
    }
}

/// Part of an operand, in place if that is wanted and rows and columns have constant strides, else packed, contiguous along the same axis as the
/// operand.
///
/// # Safety
///
/// There are elements of the operand at all offsets.
pub(super) unsafe fn part<T: Float>(
    base: *mut u8,
    (rows, row): (&[isize], Option<isize>),
    (columns, column): (&[isize], Option<isize>),
    in_place: bool,
    copy: &mut Vec<T>,
) -> Part {
    if let (Some(row), Some(column), true) = (row, column, in_place) {
        let first = base.wrapping_offset(rows[0] + columns[0]);
        return Part { first, row, column };
    }
    let size = size_of::<T>() as isize;
    let by_rows = match (row, column) {
        (Some(row), Some(column)) => column.abs() <= row.abs(),
        (row, column) => column.is_some() || row.is_none(),
    };
    let (outer, inner, step) = if by_rows {
        (rows, columns, column)
    } else {
        (columns, rows, row)
    };
    copy.resize(outer.len() * inner.len(), T::default());
    for (line, &offset) in copy.chunks_exact_mut(inner.len()).zip(outer) {
        let from = base.wrapping_offset(offset);
        if step == Some(size) {
            let from = from.wrapping_offset(inner[0]).cast::<T>();
            // SAFETY: contiguous elements of the operand.
            unsafe { line.as_mut_ptr().copy_from_nonoverlapping(from, line.len()) };
        } else {
            for (slot, &place) in line.iter_mut().zip(inner) {
                // SAFETY: an element of the operand.
                *slot = unsafe { from.wrapping_offset(place).cast::<T>().read() };
            }
        }
    }
    let line = size * inner.len() as isize;
    let first = copy.as_mut_ptr().cast();
    if by_rows {
        Part {
            first,
            row: line,
            column: size,
        }
    } else {
        Part {
            first,
            row: size,
            column: line,
        }
    }
}

//! A matrix in memory of the library, column after column, which is how decompositions are fastest.

use faer::{MatMut, MatRef};

use super::Real;
use crate::operands::{list, Source, Target};
use tensornio_compute::Error;

/// The side of the blocks in which rows become columns: two of them fit the first cache.
const BLOCK: usize = 32;

/// A matrix, column after column.
pub(super) struct Matrix<T> {
    rows: usize,
    columns: usize,
    elements: Vec<T>,
}

/// Copies a matrix of `rows` rows into one whose columns are the rows.
fn transpose<T: Copy>(from: &[T], rows: usize, columns: usize, to: &mut [T]) {
    for first in (0..rows).step_by(BLOCK) {
        let rows_of = first..(first + BLOCK).min(rows);
        for start in (0..columns).step_by(BLOCK) {
            for row in rows_of.clone() {
                for column in start..(start + BLOCK).min(columns) {
                    to[column * rows + row] = from[row * columns + column];
                }
            }
        }
    }
}

impl<T: Real> Matrix<T> {
    /// A matrix of zeros.
    pub fn zeros(rows: usize, columns: usize) -> Result<Matrix<T>, Error> {
        Ok(Matrix {
            rows,
            columns,
            elements: list(rows * columns)?,
        })
    }

    /// A matrix with ones on its diagonal, else zeros.
    pub fn identity(rows: usize, columns: usize) -> Result<Matrix<T>, Error> {
        let mut made = Matrix::zeros(rows, columns)?;
        for n in 0..rows.min(columns) {
            made.set(n, n, T::ONE);
        }
        Ok(made)
    }

    /// The matrix whose rows begin at an element.
    pub fn read(
        from: &Source<T>,
        at: usize,
        rows: usize,
        columns: usize,
    ) -> Result<Matrix<T>, Error> {
        let mut read = list(rows * columns)?;
        from.read(at, &mut read);
        let mut made = Matrix::zeros(rows, columns)?;
        transpose(&read, rows, columns, &mut made.elements);
        Ok(made)
    }

    /// Writes the rows, from an element on.
    pub fn write(&self, to: &Target<T>, at: usize) -> Result<(), Error> {
        let mut rows = list(self.elements.len())?;
        transpose(&self.elements, self.columns, self.rows, &mut rows);
        to.write(at, &rows);
        Ok(())
    }

    pub fn rows(&self) -> usize {
        self.rows
    }

    pub fn columns(&self) -> usize {
        self.columns
    }

    /// The elements, column after column.
    pub fn elements(&self) -> &[T] {
        &self.elements
    }

    /// The same, to be written.
    pub fn elements_mut(&mut self) -> &mut [T] {
        &mut self.elements
    }

    /// The elements of a column.
    pub fn column(&mut self, column: usize) -> &mut [T] {
        &mut self.elements[column * self.rows..(column + 1) * self.rows]
    }

    /// Puts columns into an order, which names each once.
    pub fn arrange(&mut self, order: &[usize]) -> Result<(), Error> {
        let mut arranged = list(self.elements.len())?;
        for (to, &from) in order.iter().enumerate() {
            let column = &self.elements[from * self.rows..(from + 1) * self.rows];
            arranged[to * self.rows..(to + 1) * self.rows].copy_from_slice(column);
        }
        self.elements = arranged;
        Ok(())
    }

    pub fn get(&self, row: usize, column: usize) -> T {
        self.elements[column * self.rows + row]
    }

    pub fn set(&mut self, row: usize, column: usize, value: T) {
        self.elements[column * self.rows + row] = value;
    }

    /// The elements on the diagonal.
    pub fn diagonal(&self) -> impl Iterator<Item = T> + '_ {
        (0..self.rows.min(self.columns)).map(|n| self.get(n, n))
    }

    pub fn as_ref(&self) -> MatRef<'_, T> {
        MatRef::from_column_major_slice(&self.elements, self.rows, self.columns)
    }

    pub fn as_mut(&mut self) -> MatMut<'_, T> {
        MatMut::from_column_major_slice_mut(&mut self.elements, self.rows, self.columns)
    }
}

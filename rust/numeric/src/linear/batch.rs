//! The matrices of a batch: the last two axes of operands are those of each matrix, and the axes before broadcast.

use tensornio_compute::operand::Operand;
use tensornio_compute::Error;

use super::factor::{Fault, Stop};
use super::matrix::Matrix;
use super::Real;
use crate::lanes::{deep, units};
use crate::operands::{malformed, Source};

/// The least number of multiplications for which a thread takes matrices, about.
const UNIT: usize = 1 << 12;

/// An operand as matrices; a vector is a matrix of one column.
struct Side<T> {
    elements: Source<T>,
    rows: usize,
    columns: usize,
    batch: Vec<usize>,
}

impl<T: Real> Side<T> {
    /// # Safety
    /// As [`Operand`] says.
    unsafe fn new(operand: &Operand) -> Result<Side<T>, Error> {
        // SAFETY: the caller's promise.
        let elements = unsafe { Source::<T>::new(operand) }?;
        let (rows, columns, batch) = match *elements.shape() {
            [] => return Err(malformed("an operand of rank 0")),
            [rows] => (rows, 1, Vec::new()),
            [ref batch @ .., rows, columns] => (rows, columns, batch.to_vec()),
        };
        Ok(Side {
            elements,
            rows,
            columns,
            batch,
        })
    }

    /// The number of the first element of the matrix at these positions of the batch, of which this has the last ones.
    fn place(&self, positions: &[usize]) -> usize {
        let own = &positions[positions.len() - self.batch.len()..];
        let pairs = self.batch.iter().zip(own);
        let matrix = pairs.fold(0, |at, (&size, &position)| {
            at * size + if size == 1 { 0 } else { position }
        });
        matrix * self.rows * self.columns
    }
}

/// The matrices of operands.
pub(super) struct Batch<T> {
    sides: Vec<Side<T>>,
    shape: Vec<usize>,
}

impl<T: Real> Batch<T> {
    /// # Safety
    /// As [`Operand`] says, as long as the result is used.
    pub unsafe fn new(operands: &[Operand]) -> Result<Batch<T>, Error> {
        let mut sides = Vec::new();
        let mut shape: Vec<usize> = Vec::new();
        for operand in operands {
            // SAFETY: the caller's promise.
            let side = unsafe { Side::<T>::new(operand) }?;
            while shape.len() < side.batch.len() {
                shape.insert(0, 1);
            }
            for (one, &other) in shape.iter_mut().rev().zip(side.batch.iter().rev()) {
                *one = match (*one, other) {
                    (1, size) | (size, 1) => size,
                    (size, other) if size == other => size,
                    _ => return Err(malformed("batches that do not broadcast")),
                };
            }
            sides.push(side);
        }
        Ok(Batch { sides, shape })
    }

    /// How many matrices there are.
    pub fn count(&self) -> usize {
        self.shape.iter().product()
    }

    /// The rows and columns of an operand's matrices.
    pub fn size(&self, side: usize) -> (usize, usize) {
        (self.sides[side].rows, self.sides[side].columns)
    }

    fn positions(&self, number: usize) -> Vec<usize> {
        let mut left = number;
        let mut positions = vec![0; self.shape.len()];
        for (position, &size) in positions.iter_mut().zip(&self.shape).rev() {
            *position = left % size;
            left /= size;
        }
        positions
    }

    /// A matrix of an operand.
    pub fn matrix(&self, side: usize, number: usize) -> Result<Matrix<T>, Error> {
        let one = &self.sides[side];
        let at = one.place(&self.positions(number));
        Matrix::read(&one.elements, at, one.rows, one.columns)
    }

    /// Does work for each number of a matrix, on several threads if there are many; `cost` multiplications each.
    pub fn each(
        &self,
        cost: usize,
        work: &(dyn Fn(usize) -> Result<(), Stop> + Sync),
    ) -> Result<(), Error> {
        let count = self.count();
        let each = (UNIT / cost.max(1)).max(1);
        units(count.div_ceil(each), count.saturating_mul(cost), &|unit| {
            let first = unit * each;
            deep(|| {
                for number in first..(first + each).min(count) {
                    work(number).map_err(|stop| self.error(stop, number))?;
                }
                Ok(())
            })
        })
    }

    /// The error of a matrix, by its positions in the batch.
    fn error(&self, stop: Stop, number: usize) -> Error {
        let fault = match stop {
            Stop::Error(error) => return error,
            Stop::Fault(fault) => match fault {
                Fault::Singular => "is singular: a pivot is exactly 0",
                Fault::NotDefinite => "is not positive definite",
                Fault::NotFinite => "has an element that is not finite",
                Fault::NotConverged => "has values to which iteration does not converge",
            },
        };
        Error::arithmetic(if self.shape.is_empty() {
            format!("the matrix {fault}")
        } else {
            format!(
                "the matrix {:?} of the batch {fault}",
                self.positions(number)
            )
        })
    }
}

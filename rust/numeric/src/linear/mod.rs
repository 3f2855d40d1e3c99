//! Linear algebra on the matrices of a batch: the last two axes are those of each matrix.
//!
//! | module | one noun |
//! | --- | --- |
//! | `batch` | operands and results as matrices |
//! | `matrix` | a matrix in memory of the library |
//! | `factor` | decompositions of one matrix |

mod batch;
mod factor;
mod matrix;

use std::ops::{Div, Mul, Neg};

use faer::traits::RealField;
use tensornio_compute::operand::{Operand, OperandMut};
use tensornio_compute::Error;

use crate::call::Algorithm;
use crate::operands::{list, malformed, Target};
use crate::quantile::Float;
use batch::Batch;
use factor::{Lu, Svd};
use matrix::Matrix;

/// A number of matrices.
pub(crate) trait Real:
    Float
    + RealField
    + Default
    + PartialOrd
    + Neg<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
{
    const ONE: Self;
    const EPSILON: Self;
    fn finite(self) -> bool;
}

macro_rules! real {
    ($($number:ty)*) => {
        $(impl Real for $number {
            const ONE: $number = 1.0;
            const EPSILON: $number = <$number>::EPSILON;
            fn finite(self) -> bool {
                self.is_finite()
            }
        })*
    };
}
real!(f32 f64);

/// The sizes of an algorithm's results for each matrix, for operands of these rows and columns.
fn sizes(
    algorithm: Algorithm,
    (m, n): (usize, usize),
    second: Option<(usize, usize)>,
) -> Result<Vec<usize>, Error> {
    let size = m.min(n);
    let is_square = m == n;
    match (algorithm, second) {
        (Algorithm::Cholesky | Algorithm::Inverse, None) if is_square => Ok(vec![n * n]),
        (Algorithm::Determinant, None) if is_square => Ok(vec![1]),
        (Algorithm::LogDeterminant, None) if is_square => Ok(vec![1, 1]),
        (Algorithm::Eigh, None) if is_square => Ok(vec![n, n * n]),
        (Algorithm::Qr, None) => Ok(vec![m * size, size * n]),
        (Algorithm::Svd, None) => Ok(vec![m * size, size, size * n]),
        (Algorithm::PseudoInverse, None) => Ok(vec![n * m]),
        (Algorithm::Solve | Algorithm::Triangular, Some((rows, columns)))
            if is_square && rows == n =>
        {
            Ok(vec![n * columns])
        }
        (Algorithm::LeastSquares, Some((rows, columns))) if rows == m => Ok(vec![n * columns]),
        _ => Err(malformed(format!("{algorithm:?} of {m} x {n}, {second:?}"))),
    }
}

/// Runs an algorithm of linear algebra.
///
/// # Errors
/// An arithmetic error that names the matrix of the batch if it is singular, not positive definite, or not finite.
///
/// # Safety
/// As [`Operand`] and [`OperandMut`] say.
pub(crate) unsafe fn run<T: Real>(
    algorithm: Algorithm,
    inputs: &[Operand],
    outputs: &mut [OperandMut],
    is_lower: bool,
) -> Result<(), Error> {
    // SAFETY: the caller's promise.
    let batch = unsafe { Batch::<T>::new(inputs) }?;
    let (m, n) = batch.size(0);
    let second = (inputs.len() == 2).then(|| batch.size(1));
    let sizes = sizes(algorithm, (m, n), second)?;
    if sizes.len() != outputs.len() {
        return Err(malformed(format!("{} results", outputs.len())));
    }
    let mut results = Vec::new();
    for (&size, output) in sizes.iter().zip(outputs) {
        // SAFETY: the caller's promise.
        results.push((
            unsafe { Target::<T>::new(output, batch.count() * size) }?,
            size,
        ));
    }
    let cost = (m * n).saturating_mul(m.min(n).max(second.map_or(0, |(_, columns)| columns)));
    batch.each(cost, &|number| {
        let put = |result: usize, from: &[T]| {
            let (target, size) = &results[result];
            target.write(number * size, from);
        };
        let write = |result: usize, from: &Matrix<T>| {
            let (target, size) = &results[result];
            from.write(target, number * size)
        };
        if m == 0 || n == 0 {
            // The product of no pivots, and the least solution of no equations.
            match algorithm {
                Algorithm::Determinant => put(0, &[T::ONE]),
                Algorithm::LogDeterminant => {
                    put(0, &[T::default()]);
                    put(1, &[T::ONE]);
                }
                Algorithm::LeastSquares => put(0, &list(results[0].1)?),
                _ => {}
            }
            return Ok(());
        }
        let mut a = batch.matrix(0, number)?;
        match algorithm {
            Algorithm::Cholesky => {
                factor::cholesky(&mut a)?;
                write(0, &a)?;
            }
            Algorithm::Inverse => {
                let mut inverse = Matrix::identity(n, n)?;
                Lu::of(a)?.solve(&mut inverse)?;
                write(0, &inverse)?;
            }
            Algorithm::Determinant => put(0, &[Lu::of(a)?.determinant()]),
            Algorithm::LogDeterminant => {
                let (log, sign) = Lu::of(a)?.log_determinant();
                put(0, &[T::of_real(log)]);
                put(1, &[T::of_real(sign)]);
            }
            Algorithm::Eigh => {
                let (values, vectors) = factor::eigh(&mut a)?;
                put(0, &values);
                write(1, &vectors)?;
            }
            Algorithm::Qr => {
                let (q, r) = factor::qr(a)?;
                write(0, &q)?;
                write(1, &r)?;
            }
            Algorithm::Svd => {
                let mut found = Svd::of(&mut a)?;
                write(0, &found.u)?;
                put(1, found.values());
                // The columns of v are the rows of its transpose.
                put(2, found.v.elements());
            }
            Algorithm::PseudoInverse => {
                write(0, &Svd::of(&mut a)?.solve(&Matrix::identity(m, m)?)?)?;
            }
            Algorithm::LeastSquares => {
                write(0, &Svd::of(&mut a)?.solve(&batch.matrix(1, number)?)?)?;
            }
            Algorithm::Solve => {
                let mut b = batch.matrix(1, number)?;
                Lu::of(a)?.solve(&mut b)?;
                write(0, &b)?;
            }
            _ => {
                let mut b = batch.matrix(1, number)?;
                factor::triangular(&mut a, &mut b, is_lower)?;
                write(0, &b)?;
            }
        }
        Ok(())
    })
}

/// The rank of each matrix.
///
/// # Errors
/// As [`run`] says.
///
/// # Safety
/// As [`Operand`] and [`OperandMut`] say.
pub(crate) unsafe fn rank<T: Real>(x: &Operand, out: &mut OperandMut) -> Result<(), Error> {
    // SAFETY: the caller's promise.
    let batch = unsafe { Batch::<T>::new(std::slice::from_ref(x)) }?;
    // SAFETY: the same.
    let out = unsafe { Target::<i64>::new(out, batch.count()) }?;
    let (m, n) = batch.size(0);
    batch.each((m * n).saturating_mul(m.min(n)), &|number| {
        let rank = if m == 0 || n == 0 {
            0
        } else {
            factor::rank_of(&mut batch.matrix(0, number)?)?
        };
        out.set(number, rank as i64);
        Ok(())
    })
}

//! Matrices of tests, and what tests say of them.

use crate::called::{array, Array};
use tensornio_compute::{Error, ErrorKind};
use tensornio_core::dtype::Typed;

/// The two types, by what their rounding is.
pub trait Real: Typed {
    const EPSILON: f64;
    fn of(value: f64) -> Self;
    fn to(self) -> f64;
}

impl Real for f64 {
    const EPSILON: f64 = f64::EPSILON;
    fn of(value: f64) -> f64 {
        value
    }
    fn to(self) -> f64 {
        self
    }
}

impl Real for f32 {
    const EPSILON: f64 = f32::EPSILON as f64;
    fn of(value: f64) -> f32 {
        value as f32
    }
    fn to(self) -> f64 {
        f64::from(self)
    }
}

pub fn zeros<T: Real>(shape: &[i64]) -> Array<T> {
    let count = shape.iter().product::<i64>() as usize;
    array(shape, vec![T::of(0.0); count])
}

/// A matrix in double precision.
#[derive(Clone, Debug)]
pub struct Plain {
    pub rows: usize,
    pub columns: usize,
    pub values: Vec<f64>,
}

impl Plain {
    pub fn of<T: Real>(x: &Array<T>) -> Plain {
        let (rows, columns) = match x.shape[..] {
            [rows] => (rows, 1),
            [rows, columns] => (rows, columns),
            _ => panic!("{:?}", x.shape),
        };
        Plain {
            rows: rows as usize,
            columns: columns as usize,
            values: x.values.iter().map(|&value| value.to()).collect(),
        }
    }

    pub fn from(rows: usize, columns: usize, of: impl Fn(usize, usize) -> f64) -> Plain {
        let values = (0..rows * columns)
            .map(|n| of(n / columns, n % columns))
            .collect();
        Plain {
            rows,
            columns,
            values,
        }
    }

    pub fn at(&self, row: usize, column: usize) -> f64 {
        self.values[row * self.columns + column]
    }

    pub fn times(&self, other: &Plain) -> Plain {
        assert_eq!(self.columns, other.rows);
        Plain::from(self.rows, other.columns, |row, column| {
            (0..self.columns)
                .map(|k| self.at(row, k) * other.at(k, column))
                .sum()
        })
    }

    pub fn transposed(&self) -> Plain {
        Plain::from(self.columns, self.rows, |row, column| self.at(column, row))
    }

    pub fn norm(&self) -> f64 {
        self.values.iter().fold(0.0, |most: f64, value| {
            if value.is_nan() {
                f64::NAN
            } else {
                most.max(value.abs())
            }
        })
    }

    pub fn minus(&self, other: &Plain) -> Plain {
        assert_eq!((self.rows, self.columns), (other.rows, other.columns));
        Plain::from(self.rows, self.columns, |row, column| {
            self.at(row, column) - other.at(row, column)
        })
    }

    pub fn identity(n: usize) -> Plain {
        Plain::from(n, n, |row, column| f64::from(row == column))
    }

    pub fn diagonal(values: &[f64]) -> Plain {
        let n = values.len();
        Plain::from(
            n,
            n,
            |row, column| if row == column { values[row] } else { 0.0 },
        )
    }

    pub fn array<T: Real>(&self) -> Array<T> {
        array(
            &[self.rows as i64, self.columns as i64],
            self.values.iter().map(|&value| T::of(value)),
        )
    }
}

/// That a matrix is zero, up to the rounding of so many steps on numbers of that size.
#[track_caller]
pub fn nothing<T: Real>(what: &str, left: &Plain, size: f64, steps: usize) {
    let most = 16.0 * (steps.max(4) as f64) * T::EPSILON * size;
    assert!(left.norm() <= most, "{what}: {} above {most}", left.norm());
}

pub fn orthonormal<T: Real>(what: &str, columns: &Plain) {
    let left = columns
        .transposed()
        .times(columns)
        .minus(&Plain::identity(columns.columns));
    nothing::<T>(&format!("{what} orthonormal"), &left, 1.0, columns.rows);
}

pub fn failure(of: Result<i64, Error>) -> (ErrorKind, String) {
    let error = of.unwrap_err();
    (error.kind(), error.to_string())
}

//! The algorithms by number, and a call of one.

use tensornio_compute::operand::{DType, Operand, OperandMut};
use tensornio_compute::Error;
use tensornio_core::dtype::Bool;

#[cfg(feature = "fourier")]
use crate::fourier;
#[cfg(feature = "linear")]
use crate::linear;
use crate::operands::malformed;
use crate::random::{self, Distribution};
use crate::scan::{self, Carried};
use crate::{count, quantile, scatter, sort};

macro_rules! algorithms {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// An algorithm. Its number, which crosses the boundary, is that of the constant in Java's `internal.compute.Algorithm`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Algorithm {
            $($(#[$doc])* $name,)*
        }

        impl Algorithm {
            /// All algorithms, by number.
            pub const ALL: &[Algorithm] = &[$(Algorithm::$name,)*];
        }
    };
}

algorithms! {
    /// Uniform random numbers. Numbers: the seed, the first element.
    Uniform,
    /// Normal random numbers. Numbers: the seed, the first element.
    Normal,
    /// Normal random numbers between -2 and 2. Numbers: the seed, the first element.
    Truncated,
    /// Random integers. Numbers: the seed, the first element, the least, and what is above the largest.
    Integers,
    /// Random truth values. Numbers: the seed, the first element, the bits of the probability.
    Bernoulli,
    /// Distinct random positions. Numbers: the seed, the first element, how many there are to choose from.
    Choose,
    /// Sorting. Numbers: the axis, and 1 to descend.
    Sort,
    /// The positions of numbers in their order. Numbers: the axis, and 1 to descend.
    ArgSort,
    /// The largest numbers, and their positions. Numbers: the axis, and how many.
    TopK,
    /// The distinct numbers, the place of each element among them, and their counts. Returns how many there are.
    Unique,
    /// Where the second operand's numbers belong in the first. Numbers: 1 for behind those that are equal.
    Search,
    /// Counts in bins. Numbers: the bits of the lower and of the upper end.
    Histogram,
    /// How many counts there are of integers, which it returns: no result.
    Bins,
    /// Counts of integers.
    Count,
    /// Running sums. Numbers: the axis, 1 if an element has no part in its own, and 1 for reverse.
    CumSum,
    /// Running products. Numbers: the same.
    CumProd,
    /// Running maxima. Numbers: the same.
    CumMax,
    /// Quantiles. Numbers: the axis, and the bits of the quantile.
    Quantile,
    /// Slices that are put, or added, where indices say. Numbers: 1 to add.
    Scatter,
    /// Lower triangular factors of symmetric matrices.
    Cholesky,
    /// Matrices with orthonormal columns, and upper triangular ones.
    Qr,
    /// Singular value decompositions: left vectors, values, right vectors transposed.
    Svd,
    /// Eigenvalues and eigenvectors of symmetric matrices.
    Eigh,
    /// Solutions of systems of equations.
    Solve,
    /// Least solutions of least squares.
    LeastSquares,
    /// Solutions for triangular matrices. Numbers: 1 for lower ones.
    Triangular,
    /// Inverse matrices.
    Inverse,
    /// Pseudo-inverse matrices.
    PseudoInverse,
    /// Determinants.
    Determinant,
    /// Logarithms of determinants' absolute values, and their signs.
    LogDeterminant,
    /// Ranks of matrices.
    Rank,
    /// Fourier transforms of real numbers. Numbers: how many there are in a row.
    RealFft,
    /// Back to real numbers. Numbers: the same.
    RealFftBack,
    /// Fourier transforms of complex numbers. Numbers: the same.
    Fft,
    /// Back to complex numbers. Numbers: the same.
    FftBack,
}

/// Calls a generic function for the type of an operand.
macro_rules! typed {
    ($dtype:expr, $t:ident => $call:expr; $($of:ident: $rust:ty),*) => {
        match $dtype {
            $(Some(DType::$of) => {
                type $t = $rust;
                // SAFETY: the promise of `run`'s caller.
                unsafe { $call }
            })*
            Some(other) => {
                let possible = [$(DType::$of.to_string()),*].join(", ");
                Err(Error::illegal(format!(
                    "elements of {other} are not supported, but those of {possible}: cast makes them so"
                )))
            }
            None => Err(malformed("a number in place of a tensor")),
        }
    };
}
macro_rules! numbers {
    ($dtype:expr, $t:ident => $call:expr) => {
        typed!($dtype, $t => $call; Float: f32, Double: f64, Int32: i32, Int64: i64, UInt8: u8)
    };
}
macro_rules! integers {
    ($dtype:expr, $t:ident => $call:expr) => {
        typed!($dtype, $t => $call; Int32: i32, Int64: i64, UInt8: u8)
    };
}
macro_rules! floats {
    ($dtype:expr, $t:ident => $call:expr) => {
        typed!($dtype, $t => $call; Float: f32, Double: f64)
    };
}

/// The type of an operand; `None` of a number.
fn dtype(operand: &Operand) -> Option<DType> {
    match *operand {
        Operand::Tensor { dtype, .. } => Some(dtype),
        Operand::Number(_) => None,
    }
}

/// The error of an algorithm that this library leaves out.
#[cfg(not(all(feature = "linear", feature = "fourier")))]
fn left_out(feature: &str) -> Error {
    Error::illegal(format!(
        "this native library is built without the feature {feature}, as it is for Android unless TENSORNIO_ANDROID_FEATURES names it"
    ))
}

/// Runs an algorithm. What it returns besides its results is a number that some have, else 0.
///
/// # Errors
/// An illegal argument if operands, results or numbers do not fit the algorithm, or as it says; out of memory.
///
/// # Safety
/// As [`Operand`] and [`OperandMut`] say. No result overlaps an operand or another result.
pub unsafe fn run(
    algorithm: Algorithm,
    inputs: &[Operand],
    outputs: &mut [OperandMut],
    numbers: &[i64],
) -> Result<i64, Error> {
    let fraction = |bits: i64| f64::from_bits(bits as u64);
    match (algorithm, inputs, &mut *outputs, numbers) {
        (Algorithm::Choose, [], [out], &[seed, first, of]) => {
            let of = usize::try_from(of).map_err(malformed)?;
            // SAFETY: the caller's promise.
            unsafe { random::choose(of, seed as u64, first as u64, out) }.map(|()| 0)
        }
        (_, [], [out], &[seed, first, ref more @ ..]) => {
            let distribution = match (algorithm, more) {
                (Algorithm::Uniform, []) => Distribution::Uniform,
                (Algorithm::Normal, []) => Distribution::Normal,
                (Algorithm::Truncated, []) => Distribution::Truncated,
                (Algorithm::Integers, &[low, high]) if low < high => {
                    Distribution::Integers(low, high)
                }
                (Algorithm::Bernoulli, &[p]) => Distribution::Bernoulli(fraction(p)),
                _ => return Err(malformed(format!("{algorithm:?} of {numbers:?}"))),
            };
            // SAFETY: the caller's promise.
            unsafe { random::fill(distribution, seed as u64, first as u64, out) }.map(|()| 0)
        }
        (Algorithm::Sort, [x], [out], &[axis, descending]) => {
            numbers!(dtype(x), T => sort::sort::<T>(x, out, axis, descending == 1)).map(|()| 0)
        }
        (Algorithm::ArgSort, [x], [out], &[axis, descending]) => {
            numbers!(dtype(x), T => sort::argsort::<T>(x, out, axis, descending == 1)).map(|()| 0)
        }
        (Algorithm::TopK, [x], [values, positions], &[axis, k]) => {
            numbers!(dtype(x), T => sort::top_k::<T>(x, values, positions, axis, k)).map(|()| 0)
        }
        (Algorithm::Unique, [x], [values, inverse, counts], []) => {
            numbers!(dtype(x), T => sort::unique::<T>(x, values, inverse, counts))
        }
        (Algorithm::Search, [sorted, x], [out], &[right]) => {
            numbers!(dtype(x), T => sort::search::<T>(sorted, x, out, right == 1)).map(|()| 0)
        }
        (Algorithm::Histogram, [x], [out], &[from, to]) => {
            let (from, to) = (fraction(from), fraction(to));
            numbers!(dtype(x), T => count::histogram::<T>(x, out, from, to)).map(|()| 0)
        }
        (Algorithm::Bins, [x], [], []) => integers!(dtype(x), T => count::bins::<T>(x)),
        (Algorithm::Count, [x], [out], []) => {
            integers!(dtype(x), T => count::count::<T>(x, out)).map(|()| 0)
        }
        (
            Algorithm::CumSum | Algorithm::CumProd | Algorithm::CumMax,
            [x],
            [out],
            &[axis, exclusive, reverse],
        ) => {
            let carried = match algorithm {
                Algorithm::CumSum => Carried::Sum,
                Algorithm::CumProd => Carried::Product,
                _ => Carried::Maximum,
            };
            let (exclusive, reverse) = (exclusive == 1, reverse == 1);
            numbers!(dtype(x), T => scan::scan::<T>(carried, x, out, axis, exclusive, reverse))
                .map(|()| 0)
        }
        (Algorithm::Quantile, [x], [out], &[axis, q]) => {
            floats!(dtype(x), T => quantile::quantile::<T>(x, out, axis, fraction(q))).map(|()| 0)
        }
        (Algorithm::Scatter, [x, indices, updates], [out], &[adds]) => {
            let adds = adds == 1;
            typed!(dtype(x), T => scatter::scatter::<T>(x, indices, updates, out, adds);
                Float: f32, Double: f64, Int32: i32, Int64: i64, UInt8: u8, Bool: Bool)
            .map(|()| 0)
        }
        #[cfg(feature = "linear")]
        (Algorithm::Rank, [x], [out], []) => {
            floats!(dtype(x), T => linear::rank::<T>(x, out)).map(|()| 0)
        }
        #[cfg(feature = "linear")]
        (
            Algorithm::Cholesky
            | Algorithm::Qr
            | Algorithm::Svd
            | Algorithm::Eigh
            | Algorithm::Solve
            | Algorithm::LeastSquares
            | Algorithm::Triangular
            | Algorithm::Inverse
            | Algorithm::PseudoInverse
            | Algorithm::Determinant
            | Algorithm::LogDeterminant,
            [x, ..],
            outputs,
            numbers,
        ) => {
            let is_lower = numbers == [1];
            floats!(dtype(x), T => linear::run::<T>(algorithm, inputs, outputs, is_lower))
                .map(|()| 0)
        }
        #[cfg(feature = "fourier")]
        (
            Algorithm::RealFft | Algorithm::RealFftBack | Algorithm::Fft | Algorithm::FftBack,
            [x],
            [out],
            &[length],
        ) => {
            let kind = match algorithm {
                Algorithm::RealFft => fourier::Kind::Real,
                Algorithm::RealFftBack => fourier::Kind::RealBack,
                Algorithm::Fft => fourier::Kind::Complex,
                _ => fourier::Kind::ComplexBack,
            };
            let length = usize::try_from(length).map_err(malformed)?;
            floats!(dtype(x), T => fourier::transform::<T>(kind, x, out, length)).map(|()| 0)
        }
        #[cfg(not(feature = "linear"))]
        _ if (Algorithm::Cholesky as usize..=Algorithm::Rank as usize)
            .contains(&(algorithm as usize)) =>
        {
            Err(left_out("linear"))
        }
        #[cfg(not(feature = "fourier"))]
        _ if algorithm as usize >= Algorithm::RealFft as usize => Err(left_out("fourier")),
        (_, inputs, outputs, numbers) => Err(malformed(format!(
            "{algorithm:?} of {} operands, {} results and the numbers {numbers:?}",
            inputs.len(),
            outputs.len()
        ))),
    }
}

//! Algorithms on tensors that no comprehension says, behind one entry, [`run`]; independent of Java.
//!
//! | module | one noun |
//! | --- | --- |
//! | [`call`] | an algorithm by number, with its operands and parameters |
//! | `operands` | the elements of an operand, and of a result |
//! | `lanes` | the lanes of an array along an axis, and the threads that share them |
//! | `order` | the order of numbers, as keys |
//! | `sort` | sorting, the largest, the distinct, searching |
//! | `count` | histograms |
//! | `quantile` | quantiles |
//! | `scatter` | slices that are put where indices say |
//! | `scan` | running sums, products and maxima |
//! | `linear` | decompositions of matrices; with the feature of this name |
//! | `fourier` | Fourier transforms; with the feature of this name |
//! | [`philox`] | the generator of random bits |
//! | [`normal`] | the inverse of the normal distribution |
//! | [`random`] | distributions of random numbers |
//!
//! Results are the same for any number of threads.

pub mod call;
mod count;
#[cfg(feature = "fourier")]
mod fourier;
mod lanes;
#[cfg(feature = "linear")]
mod linear;
pub mod normal;
mod operands;
mod order;
pub mod philox;
mod quantile;
pub mod random;
pub mod scan;
mod scatter;
mod sort;

pub use call::{run, Algorithm};

//! Memory to read and to write. Java may write any of it at any time, so it is accessed through raw pointers only.

pub use tensornio_core::dtype::DType;
pub use tensornio_core::layout::Strided;

/// A number that takes the type of its context.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// Of an integer type.
    Integer(i64),
    /// Of a floating-point type.
    Fraction(f64),
}

impl std::fmt::Display for Number {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Number::Integer(integer) => write!(f, "{integer}"),
            Number::Fraction(fraction) => write!(f, "{fraction:?}"),
        }
    }
}

/// An input.
///
/// The constructing code promises that every element that `layout` selects, relative to `data`, stays allocated and
/// initialised during the run, and that `data` is aligned to the type's size.
#[derive(Clone, Copy, Debug)]
pub enum Operand<'a> {
    /// A tensor.
    Tensor {
        /// The type of its elements.
        dtype: DType,
        /// The address of position 0.
        data: *const u8,
        /// The layout of its elements.
        layout: Strided<&'a [i64]>,
    },
    /// A number.
    Number(Number),
}

/// An output, under the promises of [`Operand`], and with distinct positions.
#[derive(Clone, Debug)]
pub struct OperandMut<'a> {
    /// The type of its elements.
    pub dtype: DType,
    /// The address of position 0.
    pub data: *mut u8,
    /// The layout of its elements.
    pub layout: Strided<&'a [i64]>,
}

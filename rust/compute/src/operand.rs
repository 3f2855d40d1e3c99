//! Memory to read and to write. Java may write any of it at any time, so it is touched through raw pointers only.

pub use tensornio_core::dtype::DType;
pub use tensornio_core::layout::Strided;

/// A number that takes the type of its surroundings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// From an integer type.
    Integer(i64),
    /// From a type with fractions.
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
/// Whoever makes one promises that every element that `layout` selects, counted from `data`, stays allocated and initialised during the run, and
/// that `data` is aligned to the type's size.
#[derive(Clone, Copy, Debug)]
pub enum Operand<'a> {
    /// A tensor.
    Tensor {
        /// The type of its elements.
        dtype: DType,
        /// Where position 0 is.
        data: *const u8,
        /// Which elements it has.
        layout: Strided<&'a [i64]>,
    },
    /// A number.
    Number(Number),
}

/// An output, under the promises of [`Operand`], and that no two positions share memory.
#[derive(Clone, Debug)]
pub struct OperandMut<'a> {
    /// The type of its elements.
    pub dtype: DType,
    /// Where position 0 is.
    pub data: *mut u8,
    /// Which elements it has.
    pub layout: Strided<&'a [i64]>,
}

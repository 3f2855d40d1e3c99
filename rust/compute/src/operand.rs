//! Memory to read and to write. Java may write any of it at any time, so it is touched through raw pointers only.

pub use tensornio_core::dtype::DType;

/// Where the elements of a tensor are: `[i, j, ...]` at `start + i * strides[0] + j * strides[1] + ...`, in elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strided {
    /// The size of each axis.
    pub shape: Vec<i64>,
    /// The stride of each axis, in elements.
    pub strides: Vec<i64>,
    /// The position of the first element.
    pub start: i64,
}

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
#[derive(Clone, Debug)]
pub enum Operand {
    /// A tensor.
    Tensor {
        /// The type of its elements.
        dtype: DType,
        /// Where position 0 is.
        data: *const u8,
        /// Which elements it has.
        layout: Strided,
    },
    /// A number.
    Number(Number),
}

/// An output, under the promises of [`Operand`], and that no two positions share memory.
#[derive(Clone, Debug)]
pub struct OperandMut {
    /// The type of its elements.
    pub dtype: DType,
    /// Where position 0 is.
    pub data: *mut u8,
    /// Which elements it has.
    pub layout: Strided,
}

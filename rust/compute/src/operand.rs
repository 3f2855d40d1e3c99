//! Memory to read and to write. Java may write any of it at any time, so it is touched through raw pointers only.

/// A computable type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum DType {
    Float,
    Double,
    Int32,
    Int64,
    UInt8,
    Bool,
}

impl DType {
    /// All of them.
    pub const ALL: [DType; 6] = [
        DType::Float,
        DType::Double,
        DType::Int32,
        DType::Int64,
        DType::UInt8,
        DType::Bool,
    ];

    /// How messages name it.
    pub fn name(self) -> &'static str {
        match self {
            DType::Float => "FLOAT",
            DType::Double => "DOUBLE",
            DType::Int32 => "INT32",
            DType::Int64 => "INT64",
            DType::UInt8 => "UINT8",
            DType::Bool => "BOOL",
        }
    }

    /// The word that casts to it.
    pub fn cast(self) -> &'static str {
        match self {
            DType::Float => "float",
            DType::Double => "double",
            DType::Int32 => "int",
            DType::Int64 => "long",
            DType::UInt8 => "uint8",
            DType::Bool => "bool",
        }
    }

    /// Whether it is INT32, INT64 or UINT8; these are also what look-ups read.
    pub fn is_integer(self) -> bool {
        matches!(self, DType::Int32 | DType::Int64 | DType::UInt8)
    }

    /// The bytes of an element.
    pub fn size(self) -> usize {
        match self {
            DType::Float | DType::Int32 => 4,
            DType::Double | DType::Int64 => 8,
            DType::UInt8 | DType::Bool => 1,
        }
    }
}

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

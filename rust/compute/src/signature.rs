//! The types and shapes of inputs.

use crate::operand::DType;

/// The type of an input: that of its elements, or of a number, which takes the type of its context like a literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A tensor, or a truth value.
    Typed(DType),
    /// A number of an integer type, such as `java.lang.Integer`; of rank 0.
    Integer,
    /// A number of a floating-point type, such as `java.lang.Double`; of rank 0.
    Fraction,
}

/// The type and shape of an input.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Signature {
    /// Its type.
    pub kind: Kind,
    /// Its shape.
    pub shape: Vec<i64>,
}

impl Signature {
    /// The signature of a tensor.
    pub fn tensor(dtype: DType, shape: &[i64]) -> Signature {
        Signature {
            kind: Kind::Typed(dtype),
            shape: shape.to_vec(),
        }
    }
}

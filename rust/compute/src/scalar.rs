//! One element of a computable type, and what operators make of it.

use crate::operand::DType;

/// One element.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum Scalar {
    Float(f32),
    Double(f64),
    Int32(i32),
    Int64(i64),
    UInt8(u8),
    Bool(bool),
}

impl Scalar {
    /// Its type.
    pub fn dtype(self) -> DType {
        match self {
            Scalar::Float(_) => DType::Float,
            Scalar::Double(_) => DType::Double,
            Scalar::Int32(_) => DType::Int32,
            Scalar::Int64(_) => DType::Int64,
            Scalar::UInt8(_) => DType::UInt8,
            Scalar::Bool(_) => DType::Bool,
        }
    }
}

//! The identity elements of operators, and filling memory with them.

use crate::ast::Op;
use crate::operand::DType;
use crate::scalar::Scalar;

/// The bits of the identity element of an operator.
pub(crate) fn identity(op: Op, dtype: DType) -> u64 {
    let pick = |zero: Scalar, one: Scalar, low: Scalar, high: Scalar| match op {
        Op::Set | Op::Sum => zero,
        Op::Product => one,
        Op::Max => low,
        Op::Min => high,
    };
    let scalar = match dtype {
        DType::Float => pick(
            Scalar::Float(0.0),
            Scalar::Float(1.0),
            Scalar::Float(f32::NEG_INFINITY),
            Scalar::Float(f32::INFINITY),
        ),
        DType::Double => pick(
            Scalar::Double(0.0),
            Scalar::Double(1.0),
            Scalar::Double(f64::NEG_INFINITY),
            Scalar::Double(f64::INFINITY),
        ),
        DType::Int32 => pick(
            Scalar::Int32(0),
            Scalar::Int32(1),
            Scalar::Int32(i32::MIN),
            Scalar::Int32(i32::MAX),
        ),
        DType::Int64 => pick(
            Scalar::Int64(0),
            Scalar::Int64(1),
            Scalar::Int64(i64::MIN),
            Scalar::Int64(i64::MAX),
        ),
        DType::UInt8 => pick(
            Scalar::UInt8(0),
            Scalar::UInt8(1),
            Scalar::UInt8(0),
            Scalar::UInt8(255),
        ),
        DType::Bool => pick(
            Scalar::Bool(false),
            Scalar::Bool(true),
            Scalar::Bool(false),
            Scalar::Bool(true),
        ),
    };
    super::emit::bits(scalar)
}

/// Writes n elements of these bits.
///
/// # Safety
///
/// `to` is writable for n elements of that size.
pub(crate) unsafe fn fill(to: *mut u8, n: usize, size: usize, bits: u64) {
    // SAFETY: as the caller says.
    unsafe {
        match size {
            1 => to.write_bytes(bits as u8, n),
            4 => (0..n).for_each(|k| to.cast::<u32>().add(k).write_unaligned(bits as u32)),
            _ => (0..n).for_each(|k| to.cast::<u64>().add(k).write_unaligned(bits)),
        }
    }
}

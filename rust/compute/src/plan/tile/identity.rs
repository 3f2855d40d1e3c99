//! The identity elements of operators, and filling memory with them.

use crate::ast::Op;
use crate::operand::DType;
use crate::scalar::Scalar;

/// The bits of the identity element of an operator.
pub(crate) fn identity(op: Op, dtype: DType) -> u64 {
    Scalar::identity(op, dtype).bits()
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
            2 => (0..n).for_each(|k| to.cast::<u16>().add(k).write_unaligned(bits as u16)),
            4 => (0..n).for_each(|k| to.cast::<u32>().add(k).write_unaligned(bits as u32)),
            _ => (0..n).for_each(|k| to.cast::<u64>().add(k).write_unaligned(bits)),
        }
    }
}

//! Tensors in memory, and how far each loop moves in them.

use crate::bound::Index;
use crate::kernel;
use crate::operand::{DType, Strided};

/// A tensor's type and layout.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct View {
    pub dtype: DType,
    pub layout: Strided,
}

/// The stride of each loop in an access, in bytes, of the axes without look-ups.
pub(crate) fn steps(indices: &[Index], view: &View, loops: usize) -> Vec<i64> {
    let size = kernel::size(view.dtype) as i64;
    let mut strides = vec![0i64; loops];
    for (index, &stride) in indices.iter().zip(view.layout.strides()) {
        if index.look_up.is_none() {
            for &(l, k) in &index.affine.terms {
                strides[l] = strides[l].wrapping_add(stride.wrapping_mul(size).wrapping_mul(k));
            }
        }
    }
    strides
}

/// The row-major layout of a bound shape, which fits memory.
pub(crate) fn row_major(shape: &[i64]) -> Strided {
    Strided::row_major(shape).unwrap_or_else(|error| unreachable!("{error}"))
}

//! Tensors in memory, and how far each loop moves in them.

use crate::bound::Index;
use crate::operand::{DType, Strided};

/// A tensor's type and layout.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct View {
    pub dtype: DType,
    pub layout: Strided,
}

impl View {
    /// The position of an access where all loops are 0, in elements, without the axes with look-ups.
    pub fn start(&self, indices: &[Index]) -> i64 {
        let axes = indices.iter().zip(self.layout.strides());
        axes.filter(|(index, _)| index.look_up.is_none()).fold(
            self.layout.offset(),
            |start, (index, &stride)| {
                start.wrapping_add(stride.wrapping_mul(index.affine.constant))
            },
        )
    }

    /// The stride of each loop in an access, in bytes, of the axes without look-ups.
    pub fn steps(&self, indices: &[Index], loops: usize) -> Vec<i64> {
        let size = self.dtype.width() as i64;
        let mut strides = vec![0i64; loops];
        for (index, &stride) in indices.iter().zip(self.layout.strides()) {
            if index.look_up.is_none() {
                for &(l, k) in &index.affine.terms {
                    strides[l] = strides[l].wrapping_add(stride.wrapping_mul(size).wrapping_mul(k));
                }
            }
        }
        strides
    }
}

/// The row-major layout of a bound shape, which fits memory.
pub(crate) fn row_major(shape: &[i64]) -> Strided {
    Strided::row_major(shape).unwrap_or_else(|error| unreachable!("{error}"))
}

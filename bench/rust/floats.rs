//! Row-major tensors of floats in the library's own memory, which has huge pages as that of tensors and of NumPy's arrays has.

use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;
use std::sync::LazyLock;

use tensornio_compute::operand::Strided;
use tensornio_core::memory::{Memory, System};

static MEMORY: LazyLock<Memory<System>> = LazyLock::new(|| Memory::new(System::new(), 4 << 30));

/// Floats in a block of memory.
pub struct Block {
    start: NonNull<f32>,
    len: usize,
}

impl Block {
    /// So many floats: some function of their number.
    pub fn new(len: usize) -> Block {
        let start = MEMORY.allocate(len.max(1) * size_of::<f32>(), true);
        let start = start.expect("no error").expect("memory").cast();
        let mut block = Block { start, len };
        for (k, x) in block.iter_mut().enumerate() {
            *x = (k * 7919 % 1009) as f32 / 1009.0 - 0.5;
        }
        block
    }
}

impl Deref for Block {
    type Target = [f32];

    fn deref(&self) -> &[f32] {
        // SAFETY: the block is this value's, has so many floats, and was zeroed.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.len) }
    }
}

impl DerefMut for Block {
    fn deref_mut(&mut self) -> &mut [f32] {
        // SAFETY: as above.
        unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr(), self.len) }
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        MEMORY.release(self.start.cast()).expect("a block");
    }
}

/// A row-major tensor.
pub struct Floats {
    shape: Vec<i64>,
    pub data: Block,
}

impl Floats {
    /// A tensor of that shape.
    pub fn new(shape: &[i64]) -> Floats {
        Floats {
            shape: shape.to_vec(),
            data: Block::new(shape.iter().product::<i64>() as usize),
        }
    }

    /// Where its elements are.
    pub fn layout(&self) -> Strided {
        Strided::row_major(&self.shape[..]).expect("a shape")
    }
}

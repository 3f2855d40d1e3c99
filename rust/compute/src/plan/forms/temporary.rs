//! Memory of temporary tensors, within the library's budget.

use tensornio_core::memory::{shared, Scratch, System};

/// The most bytes that are not of the budget, of which a block has whole pages.
const SMALL: usize = 1 << 12;

/// Unwritten memory for the elements of a tensor.
pub(crate) enum Temporary {
    Small(Vec<u64>),
    Block(Scratch<'static, System>),
}

impl Temporary {
    /// Memory of so many bytes; none if it is more than what is left.
    pub fn new(bytes: usize) -> Option<Temporary> {
        if bytes > SMALL {
            return shared().scratch(bytes).ok().map(Temporary::Block);
        }
        let mut words = Vec::new();
        words.try_reserve_exact(bytes.div_ceil(8)).ok()?;
        Some(Temporary::Small(words))
    }

    /// The same, of zeros.
    pub fn zeroed(bytes: usize) -> Option<Temporary> {
        let mut made = Temporary::new(bytes)?;
        // SAFETY: it has so many bytes, and is this call's alone.
        unsafe { made.ptr().write_bytes(0, bytes) };
        Some(made)
    }

    /// Its first byte, at a multiple of 8.
    pub fn ptr(&mut self) -> *mut u8 {
        match self {
            Temporary::Small(words) => words.as_mut_ptr().cast(),
            Temporary::Block(block) => block.start().as_ptr(),
        }
    }
}

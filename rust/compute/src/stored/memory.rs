//! Memory of results and temporaries, within the library's budget.

use std::ptr::NonNull;
use std::sync::Arc;

use tensornio_core::memory::{shared, Scratch, System};

use crate::{Error, ErrorKind};

/// A block of elements that its owner writes and then shares, read-only.
#[derive(Debug)]
pub struct Buffer {
    /// Keeps the memory.
    _block: Scratch<'static, System>,
    start: NonNull<u8>,
    len: usize,
}

// SAFETY: the block is memory that nobody else has; it is written through `&mut` only.
unsafe impl Send for Buffer {}
// SAFETY: as above.
unsafe impl Sync for Buffer {}

impl Buffer {
    /// A block of so many elements of that width, all bytes 0.
    ///
    /// # Errors
    /// Of kind out of memory; `what` is said of it.
    pub fn zeroed(
        len: usize,
        width: usize,
        what: impl FnOnce() -> String,
    ) -> Result<Buffer, Error> {
        let made = Buffer::uncleared(len, width, what)?;
        // SAFETY: the block has so many bytes, and is this call's alone.
        unsafe { made.start.as_ptr().write_bytes(0, made.len) };
        Ok(made)
    }

    /// The same, of which nothing is written: for who writes all of it, by its address, before anything else.
    ///
    /// # Errors
    /// Of kind out of memory; `what` is said of it.
    pub fn uncleared(
        len: usize,
        width: usize,
        what: impl FnOnce() -> String,
    ) -> Result<Buffer, Error> {
        let bytes = len.checked_mul(width);
        let bytes = bytes.filter(|&bytes| isize::try_from(bytes).is_ok());
        let block = bytes.and_then(|bytes| shared().scratch(bytes.max(1)).ok());
        let (Some(bytes), Some(block)) = (bytes, block) else {
            let fault = format!(
                "{}: {len} elements of {width} bytes do not fit the memory that is left",
                what()
            );
            return Err(Error::new(ErrorKind::OutOfMemory, vec![fault]));
        };
        Ok(Buffer {
            start: block.start(),
            _block: block,
            len: bytes,
        })
    }

    /// The address of its first byte, at a multiple of 64.
    pub fn start(&self) -> *const u8 {
        self.start.as_ptr()
    }

    /// The address of its first byte, to write.
    pub fn start_mut(&mut self) -> *mut u8 {
        self.start.as_ptr()
    }

    /// Is no longer than so many bytes from now on.
    pub fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
    }

    /// Its length in bytes.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether it has no bytes.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Its bytes as elements, of which any bits are a value.
    pub fn of<T: bytemuck::Pod>(&self) -> &[T] {
        // SAFETY: the block begins at a multiple of 64, has so many bytes, and all of them are written: it began as zeros, or who made it wrote
        // them before this.
        unsafe { std::slice::from_raw_parts(self.start().cast(), self.len / size_of::<T>()) }
    }

    /// Its bytes as elements, to write.
    pub fn of_mut<T: bytemuck::Pod>(&mut self) -> &mut [T] {
        // SAFETY: as above, and nobody else refers to it.
        unsafe {
            std::slice::from_raw_parts_mut(self.start_mut().cast(), self.len / size_of::<T>())
        }
    }
}

/// Numbers that several tensors may share: row splits, or coordinates.
#[derive(Clone, Debug)]
pub enum Numbers<'a> {
    /// Those of an input.
    Given(&'a [i64]),
    /// Those of a result.
    Made(Arc<Buffer>),
}

impl Numbers<'_> {
    /// A copy of numbers.
    ///
    /// # Errors
    /// Of kind out of memory.
    pub fn copied(
        numbers: &[i64],
        what: impl FnOnce() -> String,
    ) -> Result<Numbers<'static>, Error> {
        let mut buffer = Buffer::zeroed(numbers.len(), 8, what)?;
        buffer.of_mut().copy_from_slice(numbers);
        Ok(Numbers::Made(Arc::new(buffer)))
    }

    /// Whether both are the same memory, and so equal.
    pub fn is_same(&self, other: &Numbers<'_>) -> bool {
        std::ptr::eq(self.as_ptr(), other.as_ptr()) && self.len() == other.len()
    }
}

impl std::ops::Deref for Numbers<'_> {
    type Target = [i64];

    fn deref(&self) -> &[i64] {
        match self {
            Numbers::Given(numbers) => numbers,
            Numbers::Made(buffer) => buffer.of(),
        }
    }
}

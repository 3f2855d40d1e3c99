//! The memory of tensors: the library's or the caller's.

use std::ptr::NonNull;
use std::sync::Arc;

use tensornio_compute::stored::memory::Buffer;
use tensornio_core::memory::shared;

use crate::status::Failure;

/// The address of empty tensors: a multiple of all alignments.
#[repr(align(64))]
struct Nothing(#[allow(dead_code)] [u8; 64]);
static NOTHING: Nothing = Nothing([0; 64]);

/// The memory of tensors, shared by all views of it.
#[derive(Clone)]
pub(crate) struct Memory {
    start: NonNull<u8>,
    len: usize,
    /// `None` if the caller owns it, or a run has made it.
    _block: Option<Arc<Block>>,
    /// What keeps the memory of a result.
    _made: Option<Arc<Buffer>>,
}

/// A block of the library's memory, released with the last tensor that uses it.
struct Block(NonNull<u8>);

// SAFETY: a block belongs to no thread; its content is accessed only through raw pointers.
unsafe impl Send for Memory {}
// SAFETY: as above.
unsafe impl Sync for Memory {}
// SAFETY: as above.
unsafe impl Send for Block {}
// SAFETY: as above.
unsafe impl Sync for Block {}

impl Drop for Block {
    fn drop(&mut self) {
        // It is live until here, as C cannot close it. There is no caller to report an error to.
        drop(shared().release(self.0));
    }
}

impl Memory {
    /// Allocates zeroed memory.
    pub fn zeroed(len: usize) -> Result<Memory, Failure> {
        if len == 0 {
            return Ok(Memory {
                start: NonNull::from(&NOTHING).cast(),
                len,
                _block: None,
                _made: None,
            });
        }
        let Some(start) = shared().allocate(len, true)? else {
            let stats = shared().stats();
            return Err(Failure::out_of_memory(format!(
                "no {len} bytes for a tensor: {} bytes are the limit of all memory, of which {} are in use",
                stats.limit, stats.live_bytes
            )));
        };
        Ok(Memory {
            start,
            len,
            _block: Some(Arc::new(Block(start))),
            _made: None,
        })
    }

    /// Wraps the caller's memory.
    ///
    /// # Safety
    /// It stays valid for reads and writes as long as a tensor uses it.
    pub unsafe fn of_caller(start: NonNull<u8>, len: usize) -> Memory {
        Memory {
            start,
            len,
            _block: None,
            _made: None,
        }
    }

    /// Memory that a run has made, of which nobody else has written parts.
    pub fn of_result(made: Arc<Buffer>) -> Result<Memory, Failure> {
        let start = NonNull::new(made.start().cast_mut());
        let start = start.ok_or_else(|| Failure::out_of_memory("a result has no memory"))?;
        Ok(Memory {
            start,
            len: made.len(),
            _block: None,
            _made: Some(made),
        })
    }

    /// The address of its first byte.
    pub fn start(&self) -> NonNull<u8> {
        self.start
    }

    /// Its size in bytes.
    pub fn len(&self) -> usize {
        self.len
    }
}

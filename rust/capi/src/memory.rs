//! Whose memory tensors are in.

use std::ptr::NonNull;
use std::sync::Arc;

use tensornio_core::memory::shared;

use crate::status::Failure;

/// Where a tensor without elements points to: a multiple of all alignments.
#[repr(align(64))]
struct Nothing(#[allow(dead_code)] [u8; 64]);
static NOTHING: Nothing = Nothing([0; 64]);

/// Memory that tensors lie in; shared by all that view it.
#[derive(Clone)]
pub(crate) struct Memory {
    start: NonNull<u8>,
    len: usize,
    /// Absent where the caller owns it.
    _block: Option<Arc<Block>>,
}

/// A block of the library's memory, released with the last tensor in it.
struct Block(NonNull<u8>);

// SAFETY: a block belongs to no thread; what it holds is touched through raw pointers alone.
unsafe impl Send for Memory {}
// SAFETY: as above.
unsafe impl Sync for Memory {}
// SAFETY: as above.
unsafe impl Send for Block {}
// SAFETY: as above.
unsafe impl Sync for Block {}

impl Drop for Block {
    fn drop(&mut self) {
        // It is live until here: C cannot close it. An error has nobody to be told.
        drop(shared().release(self.0));
    }
}

impl Memory {
    /// New memory, of zeros.
    pub fn zeroed(len: usize) -> Result<Memory, Failure> {
        if len == 0 {
            return Ok(Memory {
                start: NonNull::from(&NOTHING).cast(),
                len,
                _block: None,
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
        })
    }

    /// The caller's memory.
    ///
    /// # Safety
    /// It stays, for reads and writes, as long as a tensor lies in it.
    pub unsafe fn of_caller(start: NonNull<u8>, len: usize) -> Memory {
        Memory {
            start,
            len,
            _block: None,
        }
    }

    /// Its first byte.
    pub fn start(&self) -> NonNull<u8> {
        self.start
    }

    /// How many bytes it has.
    pub fn len(&self) -> usize {
        self.len
    }
}

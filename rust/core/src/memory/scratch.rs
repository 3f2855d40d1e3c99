//! A block for intermediate results.

use std::ptr::NonNull;

use super::{Memory, Pages};
use crate::Error;

/// A block that is not shared, and that goes to the pool when this is dropped.
///
/// It is uninitialized until it is written: pages from the pool have the values of their last owner, including padding
/// between fields. So no reference may point to unwritten memory.
#[derive(Debug)]
pub struct Scratch<'m, P: Pages> {
    memory: &'m Memory<P>,
    start: NonNull<u8>,
}

impl<P: Pages> Memory<P> {
    /// A block of that many bytes, at least 1, for intermediate results.
    ///
    /// # Errors
    /// [`Error::NoScratch`] if it does not fit the limit; those of [`Memory::allocate`].
    pub fn scratch(&self, len: usize) -> Result<Scratch<'_, P>, Error> {
        let Some(start) = self.allocate(len, false)? else {
            let stats = self.stats();
            return Err(Error::NoScratch {
                asked: len,
                limit: stats.limit,
                live: stats.live_bytes,
            });
        };
        Ok(Scratch {
            memory: self,
            start,
        })
    }
}

impl<P: Pages> Scratch<'_, P> {
    /// Its first byte, at a multiple of 64.
    pub fn start(&self) -> NonNull<u8> {
        self.start
    }
}

impl<P: Pages> Drop for Scratch<'_, P> {
    fn drop(&mut self) {
        // It is still live: its address is not shared.
        if let Err(error) = self.memory.release(self.start) {
            log::warn!("scratch memory was not released: {error}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::Heap;
    use std::panic::{self, AssertUnwindSafe};

    /// A second panic, out of the drop, would end the process.
    #[test]
    fn a_panic_under_the_lock_is_the_one_that_arrives() {
        let memory = Memory::new(Heap::new(), 64 << 10);
        let kept = memory.scratch(100).unwrap();
        let payload = panic::catch_unwind(AssertUnwindSafe(|| {
            let _scratch = memory.scratch(100).unwrap();
            let _ledger = memory.lock();
            panic!("under the lock");
        }))
        .unwrap_err();
        assert_eq!(payload.downcast_ref(), Some(&"under the lock"));
        assert_eq!(memory.release(kept.start()), Err(Error::Broken));
        drop(kept);
    }
}

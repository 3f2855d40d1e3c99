//! A block for intermediate results.

use std::cell::Cell;
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
    len: usize,
}

thread_local! {
    /// The bytes of this thread's blocks, and the most there were. A block that another thread drops is one of its maker's for ever.
    static USED: Cell<(i64, i64)> = const { Cell::new((0, 0)) };
}

fn count(bytes: i64) {
    // A thread that ends counts no more.
    let _ = USED.try_with(|used| {
        let (live, most) = used.get();
        let live = live.wrapping_add(bytes);
        used.set((live, most.max(live)));
    });
}

/// Does work, and says how many bytes this thread's blocks for intermediate results had at most at a time, beside those from before.
pub fn most_scratch<T>(work: impl FnOnce() -> T) -> (T, u64) {
    let (before, outer) = USED.get();
    USED.set((before, before));
    let done = work();
    let (live, most) = USED.get();
    USED.set((live, most.max(outer)));
    (done, most.wrapping_sub(before).max(0) as u64)
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
        count(len as i64);
        Ok(Scratch {
            memory: self,
            start,
            len,
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
        count(-(self.len as i64));
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

    #[test]
    fn the_most_bytes_at_a_time_are_counted() {
        let memory = Memory::new(Heap::new(), 64 << 10);
        let before = memory.scratch(500).unwrap();
        let (kept, most) = most_scratch(|| {
            let first = memory.scratch(100).unwrap();
            let (_, inner) = most_scratch(|| memory.scratch(40).map(drop));
            assert_eq!(inner, 40);
            drop(first);
            memory.scratch(120).unwrap()
        });
        assert_eq!(most, 140);
        assert_eq!(most_scratch(|| drop(kept)).1, 0);
        drop(before);
    }

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

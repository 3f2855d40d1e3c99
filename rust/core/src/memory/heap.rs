//! Pages from the allocator: the same guarantees without system calls, for Miri and for tests.

use std::alloc::{alloc_zeroed, dealloc, Layout};
use std::io;
use std::ptr::NonNull;
use std::sync::{Mutex, PoisonError};

use super::pages::{Geometry, NotMoved, Pages};

/// Plain allocations. Discarding clears, and moving copies and clears, so they must not race with readers.
///
/// The allocations are freed when this is dropped, with the [`Memory`](super::Memory) that owns it.
#[derive(Debug)]
pub struct Heap {
    geometry: Geometry,
    regions: Mutex<Vec<Region>>,
}

#[derive(Debug)]
struct Region {
    start: NonNull<u8>,
    layout: Layout,
}

// SAFETY: a region is owned memory, not bound to a thread.
unsafe impl Send for Region {}

impl Heap {
    /// Small pages, so that tests cover all cases with little memory: 64 bytes, and huge ones of 1 KiB, which blocks from 512 bytes on do not share.
    pub fn new() -> Heap {
        Heap::with_geometry(Geometry {
            page: 64,
            huge: 1 << 10,
            spread: 512,
            arena: (4 << 10, 16 << 10),
            least_move: 128,
            most_islands: 64,
            moves: true,
            discard_zeroes: true,
        })
    }

    /// A heap with this geometry.
    pub fn with_geometry(geometry: Geometry) -> Heap {
        Heap {
            geometry,
            regions: Mutex::new(Vec::new()),
        }
    }
}

impl Default for Heap {
    fn default() -> Heap {
        Heap::new()
    }
}

impl Drop for Heap {
    fn drop(&mut self) {
        for region in self
            .regions
            .get_mut()
            .unwrap_or_else(PoisonError::into_inner)
            .drain(..)
        {
            // SAFETY: allocated with this layout in `reserve`; its memory was only used through the owner of this heap.
            unsafe { dealloc(region.start.as_ptr(), region.layout) };
        }
    }
}

// SAFETY: promise 1: regions live as long as this value. Promise 2: nothing here fails halfway. Promise 3: the geometry is a field.
unsafe impl Pages for Heap {
    fn geometry(&self) -> Geometry {
        self.geometry
    }

    fn describe(&self) -> String {
        "memory from the heap".to_owned()
    }

    fn reserve(&self, len: usize) -> io::Result<NonNull<u8>> {
        let out_of_memory = || io::Error::from(io::ErrorKind::OutOfMemory);
        let layout =
            Layout::from_size_align(len.max(1), self.geometry.huge).map_err(|_| out_of_memory())?;
        // SAFETY: the size is not 0.
        let start = NonNull::new(unsafe { alloc_zeroed(layout) }).ok_or_else(out_of_memory)?;
        self.regions
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(Region { start, layout });
        Ok(start)
    }

    unsafe fn commit(&self, _start: NonNull<u8>, _len: usize) -> io::Result<()> {
        Ok(())
    }

    unsafe fn advise_huge(&self, _start: NonNull<u8>, _len: usize) -> bool {
        true // pretends, so that islands are counted
    }

    unsafe fn discard(&self, start: NonNull<u8>, len: usize) -> io::Result<()> {
        // SAFETY: the caller's promise.
        unsafe { start.write_bytes(0, len) };
        Ok(())
    }

    unsafe fn move_pages(
        &self,
        from: NonNull<u8>,
        to: NonNull<u8>,
        len: usize,
    ) -> Result<(), NotMoved> {
        // SAFETY: the caller's promise; the ranges have no page in common.
        unsafe {
            to.copy_from_nonoverlapping(from, len);
            from.write_bytes(0, len);
        }
        Ok(())
    }
}

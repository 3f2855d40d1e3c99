//! macOS and other Unix systems: a fixed anonymous mapping replaces the pages of a range.

use std::io;
use std::ptr::NonNull;

use super::mapping::{map, page_size};
use super::pages::{reserve_aligned, Geometry, Pages, SMALL_ARENA};

const ALIGNMENT: usize = 2 << 20;

/// Pages of a Unix that cannot move them: private anonymous memory.
#[derive(Debug)]
pub struct Unix {
    geometry: Geometry,
}

impl Unix {
    /// Queries the system.
    #[allow(clippy::new_without_default)] // like those of the other systems
    pub fn new() -> Unix {
        let page = page_size(16 << 10);
        Unix {
            geometry: Geometry {
                page,
                huge: ALIGNMENT.max(page),
                spread: ALIGNMENT.max(page),
                arena: if cfg!(target_pointer_width = "64") {
                    (1 << 30, 16 << 30)
                } else {
                    SMALL_ARENA
                },
                least_move: usize::MAX,
                most_islands: 0,
                moves: false,
                discard_zeroes: true,
            },
        }
    }
}

// SAFETY: promise 1: nothing is unmapped; a fixed mapping takes the place of another in one system call. Promise 2: system calls say whether they
// failed. Promise 3: the geometry is a field.
unsafe impl Pages for Unix {
    fn geometry(&self) -> Geometry {
        self.geometry
    }

    fn describe(&self) -> String {
        "pages are replaced by fresh ones at close".to_owned()
    }

    fn reserve(&self, len: usize) -> io::Result<NonNull<u8>> {
        // SAFETY: no address is given, and as many bytes are reserved as requested.
        unsafe {
            reserve_aligned(len, self.geometry.huge, |len| {
                map(std::ptr::null_mut(), len, 0)
            })
        }
    }

    unsafe fn commit(&self, _start: NonNull<u8>, _len: usize) -> io::Result<()> {
        Ok(()) // the kernel does, at the first access
    }

    unsafe fn discard(&self, start: NonNull<u8>, len: usize) -> io::Result<()> {
        // SAFETY: the range is part of an arena, and its values are not needed.
        unsafe { map(start.as_ptr().cast(), len, libc::MAP_FIXED) }.map(drop)
    }
}

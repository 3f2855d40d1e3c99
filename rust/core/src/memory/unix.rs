//! macOS and other Unix systems: a fixed anonymous mapping replaces the pages of a range.

use std::io;
use std::ptr::NonNull;

use libc::{c_int, c_void};

use super::pages::{Geometry, NotMoved, Pages};

const PROTECTION: c_int = libc::PROT_READ | libc::PROT_WRITE;
const PRIVATE: c_int = libc::MAP_PRIVATE | libc::MAP_ANON;
const ALIGNMENT: usize = 2 << 20;

/// Pages of a Unix that cannot move them: private anonymous memory.
#[derive(Debug)]
pub struct Unix {
    geometry: Geometry,
}

impl Unix {
    /// Asks the system for its numbers.
    #[allow(clippy::new_without_default)] // like those of the other systems
    pub fn new() -> Unix {
        // SAFETY: no memory is passed.
        let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
        let page = usize::try_from(page)
            .ok()
            .filter(|page| page.is_power_of_two())
            .unwrap_or(16 << 10);
        Unix {
            geometry: Geometry {
                page,
                huge: ALIGNMENT.max(page),
                spread: ALIGNMENT.max(page),
                arena: if cfg!(target_pointer_width = "64") {
                    (1 << 30, 16 << 30)
                } else {
                    (8 << 20, 64 << 20)
                },
                least_move: usize::MAX,
                most_islands: 0,
                moves: false,
                discard_zeroes: true,
            },
        }
    }
}

/// # Safety
/// With `MAP_FIXED`: what is mapped there belongs to the caller.
unsafe fn map(at: *mut c_void, len: usize, flags: c_int) -> io::Result<NonNull<u8>> {
    // SAFETY: the caller's promise; without an address nothing that exists is touched.
    let mapped = unsafe { libc::mmap(at, len, PROTECTION, PRIVATE | flags, -1, 0) };
    if mapped == libc::MAP_FAILED {
        return Err(io::Error::last_os_error());
    }
    NonNull::new(mapped.cast()).ok_or_else(|| io::Error::other("mapped at address 0"))
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
        let huge = self.geometry.huge;
        let with_margin = len
            .checked_add(huge)
            .ok_or_else(|| io::Error::from(io::ErrorKind::OutOfMemory))?;
        // SAFETY: no address is given; the offset stays inside of what was mapped.
        unsafe {
            let region = map(std::ptr::null_mut(), with_margin, 0)?;
            Ok(region.add(region.addr().get().wrapping_neg() % huge))
        }
    }

    unsafe fn commit(&self, _start: NonNull<u8>, _len: usize) -> io::Result<()> {
        Ok(()) // the kernel does, at the first access
    }

    unsafe fn advise_huge(&self, _start: NonNull<u8>, _len: usize) -> bool {
        false
    }

    unsafe fn discard(&self, start: NonNull<u8>, len: usize) -> io::Result<()> {
        // SAFETY: the range is part of an arena, and its values are not needed.
        unsafe { map(start.as_ptr().cast(), len, libc::MAP_FIXED) }.map(drop)
    }

    unsafe fn renew(&self, start: NonNull<u8>, len: usize) -> io::Result<()> {
        // SAFETY: the caller's promise.
        unsafe { self.discard(start, len) }
    }

    unsafe fn move_pages(
        &self,
        _from: NonNull<u8>,
        _to: NonNull<u8>,
        _len: usize,
    ) -> Result<(), NotMoved> {
        Err(NotMoved {
            reason: io::Error::from(io::ErrorKind::Unsupported),
            target_intact: true,
        })
    }
}

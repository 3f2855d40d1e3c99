//! Memory under `mlockall(MCL_FUTURE)`, by which the kernel locks each new mapping and fills it with pages: of an arena that would be gigabytes.

use std::io;
use std::ptr::{self, NonNull};

use libc::{c_int, c_long, c_void};

use crate::memory::mapping::{map, map_as};

/// Since Linux 4.4: locks pages as they come, and fills nothing. Not in every `libc`.
const MLOCK_ONFAULT: c_long = 1;
/// Since Linux 5.18: `MADV_DONTNEED` for locked pages, too.
const MADV_DONTNEED_LOCKED: c_int = 24;

/// Whether the mapping that starts there is locked.
///
/// # Safety
/// A page of the caller's own is mapped there.
unsafe fn is_locked(start: NonNull<u8>, page: usize) -> bool {
    // This flag is for caches that others fill; of anonymous memory it changes nothing, and is refused for locked pages.
    // SAFETY: the caller's promise.
    let status = unsafe {
        libc::msync(
            start.as_ptr().cast(),
            page,
            libc::MS_ASYNC | libc::MS_INVALIDATE,
        )
    };
    status != 0 && io::Error::last_os_error().raw_os_error() == Some(libc::EBUSY)
}

/// Locks the pages of a locked mapping only as they come, or none where the kernel cannot do that.
///
/// # Safety
/// The mapping is the caller's.
unsafe fn lock_later(start: NonNull<u8>, len: usize) {
    // SAFETY: the caller's promise; neither call changes a value.
    unsafe {
        if libc::syscall(libc::SYS_mlock2, start.as_ptr(), len, MLOCK_ONFAULT) != 0 {
            libc::munlock(start.as_ptr().cast(), len);
        }
    }
}

/// Maps fresh memory anywhere, without its pages; whether it is locked.
pub(super) fn reserve(len: usize, page: usize) -> io::Result<(NonNull<u8>, bool)> {
    // SAFETY: no address is given; what is mapped here is this function's own until it returns.
    unsafe {
        // Nothing is filled that cannot be accessed.
        let start = map_as(ptr::null_mut(), len, libc::PROT_NONE, 0)?;
        let locked = is_locked(start, page);
        if locked {
            lock_later(start, len);
        }
        let access = libc::PROT_READ | libc::PROT_WRITE;
        if libc::mprotect(start.as_ptr().cast(), len, access) != 0 {
            let reason = io::Error::last_os_error();
            libc::munmap(start.as_ptr().cast(), len);
            return Err(reason);
        }
        Ok((start, locked))
    }
}

/// Maps fresh memory in place of other, where it must be readable at each moment; whether it is locked. Then the kernel has filled it, and it is
/// emptied.
///
/// # Safety
/// As for [`map`].
pub(super) unsafe fn replace(
    at: *mut c_void,
    len: usize,
    flags: c_int,
    page: usize,
) -> io::Result<(NonNull<u8>, bool)> {
    // SAFETY: the caller's promise.
    unsafe {
        let start = map(at, len, flags)?;
        let locked = is_locked(start, page);
        if locked {
            lock_later(start, len);
            // What is not emptied stays until the block is freed; it reads as zeros in any case.
            drop(discard(start, len));
        }
        Ok((start, locked))
    }
}

/// Empties a range, also a locked one, if the kernel can do that.
///
/// # Safety
/// The range is whole pages of the caller's, who does not need the values.
pub(super) unsafe fn discard(start: NonNull<u8>, len: usize) -> io::Result<()> {
    for advice in [libc::MADV_DONTNEED, MADV_DONTNEED_LOCKED] {
        // SAFETY: the caller's promise.
        if unsafe { libc::madvise(start.as_ptr().cast(), len, advice) } == 0 {
            return Ok(());
        }
    }
    Err(io::Error::last_os_error())
}

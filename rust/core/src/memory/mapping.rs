//! Private anonymous memory of Unix systems.

use std::io;
use std::ptr::NonNull;

use libc::{c_int, c_void};

const PROTECTION: c_int = libc::PROT_READ | libc::PROT_WRITE;
/// Without a reservation of memory for all of an arena, where the system can do without.
#[cfg(any(target_os = "linux", target_os = "android"))]
const PRIVATE: c_int = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
#[cfg(not(any(target_os = "linux", target_os = "android")))]
const PRIVATE: c_int = libc::MAP_PRIVATE | libc::MAP_ANON;

/// The size of a page; `usual` if the system does not say.
pub(super) fn page_size(usual: usize) -> usize {
    // SAFETY: no memory is passed.
    let size = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    usize::try_from(size)
        .ok()
        .filter(|size| size.is_power_of_two())
        .unwrap_or(usual)
}

/// Maps private anonymous memory, at `at` if `flags` say so.
///
/// # Safety
/// With `MAP_FIXED`: what is mapped there belongs to the caller.
pub(super) unsafe fn map(at: *mut c_void, len: usize, flags: c_int) -> io::Result<NonNull<u8>> {
    // SAFETY: the caller's promise.
    unsafe { map_as(at, len, PROTECTION, flags) }
}

/// Maps private anonymous memory that can be accessed as `protection` says.
///
/// # Safety
/// As for [`map`].
pub(super) unsafe fn map_as(
    at: *mut c_void,
    len: usize,
    protection: c_int,
    flags: c_int,
) -> io::Result<NonNull<u8>> {
    // SAFETY: the caller's promise; without an address nothing that exists is touched.
    let mapped = unsafe { libc::mmap(at, len, protection, PRIVATE | flags, -1, 0) };
    if mapped == libc::MAP_FAILED {
        return Err(io::Error::last_os_error());
    }
    NonNull::new(mapped.cast()).ok_or_else(|| io::Error::other("mapped at address 0"))
}

//! Moving pages from one range to another, and whether that works here.

use std::io;
use std::ptr::NonNull;

use libc::{c_int, c_long};

use super::Linux;
use crate::memory::mapping::map;
use crate::memory::pages::NotMoved;

// Not in every `libc`, so named here.
// `c_long`, as arguments of a system call are: of a narrower one the upper half of the register is left as it was.
const MREMAP_MAYMOVE: c_long = 1;
const MREMAP_FIXED: c_long = 2;
/// Since Linux 5.7: the old range stays mapped, without its pages.
const MREMAP_DONTUNMAP: c_long = 4;
/// Since Linux 4.17: an error instead of unmapping what is there; before, a mere hint.
const MAP_FIXED_NOREPLACE: c_int = 0x10_0000;

/// # Safety
/// As for [`move_pages`], except that it does not tell what becomes of `to`.
unsafe fn remap(from: NonNull<u8>, to: NonNull<u8>, len: usize) -> io::Result<()> {
    let flags = MREMAP_MAYMOVE | MREMAP_FIXED | MREMAP_DONTUNMAP;
    // The system call itself: Android's library has no `mremap`, and others have a variadic one that passes garbage on for what is left out.
    // SAFETY: both ranges are the caller's, whose promise it is that the target's content is not needed.
    let moved = unsafe {
        libc::syscall(
            libc::SYS_mremap,
            from.as_ptr(),
            len,
            len,
            flags,
            to.as_ptr(),
        )
    };
    if moved == -1 {
        return Err(io::Error::last_os_error());
    }
    Ok(())
}

/// Moves a page and checks both sides: some emulators and sandboxes accept the call but do something else.
pub(super) fn probe(page: usize) -> io::Result<()> {
    const MARK: u8 = 0x5a;
    // SAFETY: four pages of this function's own, of which every other is used, so that nothing merges. Accesses are volatile: the compiler does not
    // know what the calls do.
    unsafe {
        let region = map(std::ptr::null_mut(), 4 * page, 0)?;
        let (from, to) = (region, region.add(2 * page));
        // If this fails, the page at `to` may be unmapped, and somebody else's by now: four pages of addresses are the price.
        from.write_volatile(MARK);
        remap(from, to, page)?;
        let works = (|| {
            let (left, arrived) = (from.read_volatile(), to.read_volatile());
            from.write_volatile(1);
            map(from.as_ptr().cast(), page, libc::MAP_FIXED)?;
            let renewed = from.read_volatile();
            if (left, arrived, renewed, to.read_volatile()) == (0, MARK, 0, MARK) {
                Ok(())
            } else {
                Err(io::Error::other(format!(
                    "{MARK} became {arrived}, and left {left}, then {renewed}"
                )))
            }
        })();
        libc::munmap(region.as_ptr().cast(), 4 * page);
        works
    }
}

/// Moves pages, and sees to the target where that fails.
///
/// # Safety
/// As for [`Pages::move_pages`](crate::memory::Pages::move_pages).
pub(super) unsafe fn move_pages(
    pages: &Linux,
    from: NonNull<u8>,
    to: NonNull<u8>,
    len: usize,
) -> Result<(), NotMoved> {
    // SAFETY: the caller's promise.
    let Err(reason) = (unsafe { remap(from, to, len) }) else {
        return Ok(());
    };
    // The kernel unmaps the target early, and some errors come later. If it is a hole now, it is filled; if something is there, it may be what was
    // there before, but also a mapping of another thread that just found the hole.
    // It is mapped as arenas are, or it would not merge with its neighbours.
    // SAFETY: this flag replaces nothing.
    let refilled = unsafe { pages.map_fresh(to.as_ptr().cast(), len, MAP_FIXED_NOREPLACE) };
    let target_intact = match refilled {
        Ok(mapped) if mapped == to => true,
        Ok(elsewhere) => {
            // An old kernel, which took the address for a hint.
            // SAFETY: mapped just now, and nobody knows it.
            unsafe { libc::munmap(elsewhere.as_ptr().cast(), len) };
            false
        }
        Err(_) => false,
    };
    Err(NotMoved {
        reason,
        target_intact,
    })
}

//! The interface to the system's memory.

use std::io;
use std::ptr::NonNull;

/// The sizes and limits of a system.
#[derive(Clone, Copy, Debug)]
pub struct Geometry {
    /// The size of a page, a power of two of at least 64.
    pub page: usize,
    /// The size of a huge page, a power of two and at least a page. Blocks of this size and more start at multiples of it.
    pub huge: usize,
    /// Blocks of at least this size, at most [`huge`](Self::huge), do not share the addresses of a huge page with
    /// others. With plentiful address space that pays for smaller blocks, too: the kernel frees a page table only when
    /// all of its addresses are unmapped, so adjacent closed blocks would keep theirs.
    pub spread: usize,
    /// The length of the first arena, and the maximum length unless a block needs more.
    pub arena: (usize, usize),
    /// The minimum length of blocks that are worth being moved.
    pub least_move: usize,
    /// The maximum number of islands: ranges with a separate mapping.
    pub most_islands: usize,
    /// Whether [`Pages::move_pages`] works here.
    pub moves: bool,
    /// Whether discarded pages are guaranteed to read as zeros. Otherwise values that must not be read any more are
    /// cleared before they are discarded, and memory that must be zeroed when it is handed out.
    pub discard_zeroes: bool,
}

/// The [`Geometry::arena`] where address space is scarce, as with 32 bits.
#[cfg(any(unix, windows))]
pub(super) const SMALL_ARENA: (usize, usize) = (8 << 20, 64 << 20);

/// Why pages were not moved, and what became of the target.
#[derive(Debug)]
pub struct NotMoved {
    /// The system's error.
    pub reason: io::Error,
    /// Whether the target is unchanged. If not, it may belong to another mapping by now and must never be accessed.
    pub target_intact: bool,
}

/// Address space that is never unmapped, and its pages.
///
/// # Safety
/// Callers rely on these guarantees:
///
/// 1. Memory from [`reserve`](Pages::reserve) is exclusive, and stays readable and writable (once committed) by every thread as long as this value
///    lives, whatever the other methods do to it and whichever threads access it concurrently.
/// 2. A method that returns `Ok` has done what it says. One that returns `Err` has changed nothing, except that some of the pages to be discarded
///    or moved may be zero, and, for a move, as [`NotMoved`] says.
/// 3. [`geometry`](Pages::geometry) always returns the same numbers.
pub unsafe trait Pages: Send + Sync {
    /// The geometry of this system.
    fn geometry(&self) -> Geometry;

    /// One line about how pages are recycled here, for the log.
    fn describe(&self) -> String;

    /// Reserves address space that starts at a multiple of [`Geometry::huge`] and reads as zeros once committed.
    ///
    /// # Errors
    /// The system's.
    fn reserve(&self, len: usize) -> io::Result<NonNull<u8>>;

    /// Makes reserved pages readable and writable, if they are not; their values are kept.
    ///
    /// # Errors
    /// The system's, when it has no memory for them.
    ///
    /// # Safety
    /// The range consists of whole pages from `reserve`. That applies to the ranges of all methods.
    unsafe fn commit(&self, start: NonNull<u8>, len: usize) -> io::Result<()>;

    /// Requests huge pages; returns whether the range has a separate mapping now. Does nothing where unsupported.
    ///
    /// # Safety
    /// As for [`commit`](Pages::commit).
    unsafe fn advise_huge(&self, _start: NonNull<u8>, _len: usize) -> bool {
        false
    }

    /// Returns the pages of a range to the system, without accessing them, which would fault in missing ones. The range
    /// then reads as zeros (but see [`Geometry::discard_zeroes`]) and can be written.
    ///
    /// # Errors
    /// The system's.
    ///
    /// # Safety
    /// As for [`commit`](Pages::commit), and the values are not needed.
    unsafe fn discard(&self, start: NonNull<u8>, len: usize) -> io::Result<()>;

    /// Discards, and merges the range with the mappings around it again; on a system without islands it never was separate.
    ///
    /// # Errors
    /// The system's.
    ///
    /// # Safety
    /// As for [`discard`](Pages::discard).
    unsafe fn renew(&self, start: NonNull<u8>, len: usize) -> io::Result<()> {
        // SAFETY: the caller's promise.
        unsafe { self.discard(start, len) }
    }

    /// Moves pages: `to` gets the values of `from`, and `from` reads as zeros; at no time is `from` unreadable. A
    /// system without [`Geometry::moves`] accesses neither.
    ///
    /// # Errors
    /// The reason. The caller then discards `from`.
    ///
    /// # Safety
    /// As for [`discard`](Pages::discard), for both ranges, which have no page in common; `to` is not shared, and reads as zeros.
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

/// Reserves address space that starts at a multiple of `alignment`, by reserving that many additional bytes, which stay unused.
///
/// # Safety
/// `reserve` returns as many bytes as requested.
#[cfg(any(unix, windows))]
pub(super) unsafe fn reserve_aligned(
    len: usize,
    alignment: usize,
    reserve: impl FnOnce(usize) -> io::Result<NonNull<u8>>,
) -> io::Result<NonNull<u8>> {
    let with_margin = len
        .checked_add(alignment)
        .ok_or_else(|| io::Error::from(io::ErrorKind::OutOfMemory))?;
    let region = reserve(with_margin)?;
    // SAFETY: less than the alignment, so inside of the margin.
    Ok(unsafe { region.add(region.addr().get().wrapping_neg() % alignment) })
}

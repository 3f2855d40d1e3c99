//! What memory needs from the system.

use std::io;
use std::ptr::NonNull;

/// The sizes and limits of a system.
#[derive(Clone, Copy, Debug)]
pub struct Geometry {
    /// The size of a page, a power of two of at least 64.
    pub page: usize,
    /// The size of a huge page, a power of two and at least a page. Blocks of this size and more start at multiples of it.
    pub huge: usize,
    /// Blocks of this size and more, at most [`huge`](Self::huge), have the addresses of whole huge pages to themselves. Where address space is
    /// plentiful that pays for smaller blocks, too: the kernel frees a page table only when all of its addresses are unmapped, so adjacent closed
    /// blocks would keep theirs.
    pub spread: usize,
    /// How many bytes of address space an arena has: the first one, and the largest unless a block needs more.
    pub arena: (usize, usize),
    /// Blocks shorter than this are not worth being moved.
    pub least_move: usize,
    /// How many ranges may have a mapping of their own at a time, by having been moved or advised about.
    pub most_islands: usize,
    /// Whether [`Pages::move_pages`] works here.
    pub moves: bool,
    /// Whether what was discarded reads zeros for certain. Else what must not be read any more is cleared before it is discarded, and what must read
    /// zeros when it is handed out.
    pub discard_zeroes: bool,
}

/// The [`Geometry::arena`] where addresses are scarce, as all are that have 32 bits.
#[cfg(any(unix, windows))]
pub(super) const SMALL_ARENA: (usize, usize) = (8 << 20, 64 << 20);

/// Why pages were not moved, and what became of the target.
#[derive(Debug)]
pub struct NotMoved {
    /// What the system said.
    pub reason: io::Error,
    /// Whether the target is as it was before. If not, it may belong to somebody else by now and must never be touched.
    pub target_intact: bool,
}

/// Address space that is never given back, and pages in it.
///
/// # Safety
/// Memory is handed out on the strength of these promises:
///
/// 1. What [`reserve`](Pages::reserve) gave stays readable and writable (once committed) by every thread as long as this value lives, whatever
///    happens to it by the other methods and whoever reads or writes it meanwhile; and it is nobody else's.
/// 2. A method that answers `Ok` has done what it says. One that answers `Err` has changed nothing but, perhaps, set some of the pages that it was
///    to discard or move to zero, and, for a move, what [`NotMoved`] says.
/// 3. The numbers of [`geometry`](Pages::geometry) are always the same.
pub unsafe trait Pages: Send + Sync {
    /// The numbers of this system.
    fn geometry(&self) -> Geometry;

    /// One line about how pages are recycled here, for the log.
    fn describe(&self) -> String;

    /// Reserves address space that starts at a multiple of [`Geometry::huge`] and reads zeros once committed.
    ///
    /// # Errors
    /// The system's.
    fn reserve(&self, len: usize) -> io::Result<NonNull<u8>>;

    /// Makes reserved pages readable and writable, if they are not; what they hold stays.
    ///
    /// # Errors
    /// The system's, when it has no memory for them.
    ///
    /// # Safety
    /// The range consists of whole pages of what `reserve` gave. That goes for the ranges of all methods.
    unsafe fn commit(&self, start: NonNull<u8>, len: usize) -> io::Result<()>;

    /// Asks for huge pages; whether the range has a mapping of its own now. A system that cannot be asked does nothing.
    ///
    /// # Safety
    /// As for [`commit`](Pages::commit).
    unsafe fn advise_huge(&self, _start: NonNull<u8>, _len: usize) -> bool {
        false
    }

    /// Gives the pages of a range back, without touching them first, which would make pages of what has none. It reads zeros (or, see
    /// [`Geometry::discard_zeroes`], may do so soon or never) and can be written.
    ///
    /// # Errors
    /// The system's.
    ///
    /// # Safety
    /// As for [`commit`](Pages::commit), and nobody needs what is there.
    unsafe fn discard(&self, start: NonNull<u8>, len: usize) -> io::Result<()>;

    /// Discards, and makes the range a part of the mappings around it again, which it is still on a system that has no islands.
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

    /// Moves pages: `to` holds what `from` held, and `from` reads zeros, with no moment between at which it cannot be read. A system without
    /// [`Geometry::moves`] touches neither.
    ///
    /// # Errors
    /// Why not. The caller discards `from` then.
    ///
    /// # Safety
    /// As for [`discard`](Pages::discard), for both ranges, which have no page in common; nobody else knows `to`, which reads zeros.
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

/// Reserves address space that starts at a multiple of `alignment`, by reserving that much more. The rest stays reserved and unused.
///
/// # Safety
/// `reserve` gives as many bytes as it is asked for.
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

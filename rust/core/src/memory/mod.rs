//! Blocks of memory that can be closed at any time, even while other threads read them.
//!
//! `close()` takes the *pages* away from the addresses, not the addresses away from the readers:
//!
//! ```text
//!            allocate            close                    release
//!   free ---------------> live ---------> closed (stale) ---------> free      addresses
//!     ^                   ^  |                                        ^
//!     |                   |  | release, never closed                  | target of the next move
//!     | trim              |  v                                        |
//!     +------------------ pooled <-----------------------------------+
//!                                pages, moved at close
//! ```
//!
//! - *free*: no buffer can reach the range, and it reads as zeros.
//! - *live*: a buffer reads and writes the pages of the range.
//! - *closed*: the pages were moved to a free range, which is then pooled, or discarded. The old addresses read as zeros, and writes to them are
//!   lost, until the owner of the buffer declares it unreachable by `release`.
//! - *pooled*: pages with old values, which no buffer can reach. The next block of their size gets them, cleared.
//!
//! Where pages cannot be moved they are discarded in place, and nothing enters the pool at close.
//! Address space is reserved in arenas that grow and are never unmapped, so free, stale and untouched ranges look alike to the
//! kernel and share mappings. Ranges that were the target of a move, or were advised to use huge pages, are *islands*:
//! separate mappings, whose number the kernel limits.
//!
//! Invariants:
//!
//! 1. No allocation makes live + pooled + leaving bytes exceed the limit. (A limit that is set below them, or a system that refuses to take pages
//!    back, may.)
//! 2. Each address of an arena is in exactly one state: in a free range; in a block, live or closed; in the pool; in transit between these, owned
//!    by one thread; or lost, after a failed move.
//! 3. A free range reads as zeros, subject to [`Geometry::discard_zeroes`], and no buffer can reach it.
//! 4. The range of a closed block becomes free only by `release`, after another discard: late writes may have faulted in pages.
//! 5. The lock guards state only. System calls, clearing and logging happen outside: they take long, and a logger may call back.
//!
//! Files: `pages` is the interface to the system, implemented by `linux` and `unix` (with `mapping`), `windows`, and [`heap`](Heap); `sizes`, `span`,
//! `block`, `ranges` in `addresses`, and `pool` are the parts of `ledger`, the state under the lock; [`Memory`] carries out its `decisions`, whose
//! `effects` are system calls; `scratch` is a temporary block; [`shared`](shared()) is the memory of the process.

mod addresses;
mod block;
mod decisions;
mod effects;
mod heap;
mod ledger;
#[cfg(any(target_os = "linux", target_os = "android"))]
mod linux;
#[cfg(unix)]
mod mapping;
mod pages;
mod pool;
mod ranges;
mod scratch;
mod shared;
mod sizes;
mod span;
mod stats;
#[cfg(all(unix, not(any(target_os = "linux", target_os = "android"))))]
mod unix;
#[cfg(windows)]
mod windows;

use std::ptr::NonNull;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use crate::Error;
use decisions::{Close, Offer, Outcome, Releasing};
pub use heap::Heap;
use ledger::Ledger;
#[cfg(any(target_os = "linux", target_os = "android"))]
pub use linux::Linux as System;
pub use pages::{Geometry, NotMoved, Pages};
pub use scratch::{most_scratch, Scratch};
pub use shared::shared;
pub use stats::Stats;
#[cfg(all(unix, not(any(target_os = "linux", target_os = "android"))))]
pub use unix::Unix as System;
#[cfg(windows)]
pub use windows::Windows as System;

/// Blocks of memory within a limit. All methods may be called by any thread; see the [module](self) for the states of a block.
///
/// Addresses are 64-byte aligned; those of blocks from 2 MiB up are 2 MiB aligned on systems with huge pages of that size.
#[derive(Debug)]
pub struct Memory<P: Pages> {
    pages: P,
    geometry: Geometry,
    moving: AtomicBool,
    lost: AtomicU32,
    announced: AtomicBool,
    ledger: Mutex<Ledger>,
    /// Signalled when evicted bytes were returned to the system.
    left: Condvar,
}

impl<P: Pages> Memory<P> {
    /// Memory of at most `limit` bytes, including the pool, recycled in the best way that the system supports.
    pub fn new(pages: P, limit: u64) -> Memory<P> {
        let geometry = pages.geometry();
        Memory {
            geometry,
            moving: AtomicBool::new(geometry.moves),
            lost: AtomicU32::new(0),
            announced: AtomicBool::new(false),
            ledger: Mutex::new(Ledger::new(geometry, limit)),
            left: Condvar::new(),
            pages,
        }
    }

    /// Sets the limit. What the pool holds above its capacity is returned to the system; blocks stay, but no more are allocated until they fit again.
    pub fn set_limit(&self, limit: u64) {
        let evicted = self.lock().set_limit(limit, Instant::now());
        self.give_back_all(evicted);
    }

    /// Sets whether pages may be moved at close, if the system supports it; else they are discarded.
    pub fn set_moving(&self, moving: bool) {
        self.moving
            .store(moving && self.geometry.moves, Ordering::Relaxed);
    }

    /// A block of at least `len` bytes, zeroed if requested; else its contents are arbitrary old values of this
    /// library. `None` if it does not fit the limit, even without the pool.
    ///
    /// # Errors
    /// [`Error::EmptyBlock`], [`Error::BlockTooLarge`]; [`Error::Refused`] if the system has no address space or no memory for it.
    pub fn allocate(&self, len: usize, zeroed: bool) -> Result<Option<NonNull<u8>>, Error> {
        let request = self.geometry.request(len)?;
        self.announce();
        let mut ledger = self.lock();
        loop {
            match ledger.allocate(&request, Instant::now()) {
                Offer::Pooled(span) => {
                    drop(ledger);
                    if zeroed {
                        // SAFETY: the block was given to this call alone, and has `len` bytes.
                        unsafe { span.start.write_bytes(0, len) };
                    }
                    return Ok(Some(span.start));
                }
                Offer::Fresh(span) => {
                    drop(ledger);
                    return self.open(span, len, zeroed).map(Some);
                }
                Offer::Evict(evicted) => {
                    drop(ledger);
                    if self.give_back_all(evicted) == 0 {
                        return Ok(None);
                    }
                    ledger = self.lock();
                }
                Offer::Wait => ledger = self.left.wait(ledger).unwrap_or_else(|_| Self::broken()),
                Offer::Grow(size) => {
                    drop(ledger);
                    self.grow(size)?;
                    ledger = self.lock();
                }
                Offer::Never => return Ok(None),
            }
        }
    }

    /// The length that was requested when the block was allocated.
    ///
    /// # Errors
    /// [`Error::NoSuchBlock`]; [`Error::BlockClosed`].
    pub fn len_of(&self, block: NonNull<u8>) -> Result<usize, Error> {
        self.lock().find_live(block).map(|(len, _)| len)
    }

    /// Takes the pages from a block. When this returns, its addresses read as zeros, and may be accessed until it is released.
    ///
    /// # Errors
    /// [`Error::NoSuchBlock`]; [`Error::BlockClosed`].
    pub fn close(&self, block: NonNull<u8>) -> Result<(), Error> {
        self.close_by(block, self.moving.load(Ordering::Relaxed))
    }

    /// Like [`close`](Self::close), for a block whose pages the system may be using by their physical addresses: direct I/O that another thread has
    /// begun continues with the pages themselves. So they are discarded, and never moved to another block.
    ///
    /// # Errors
    /// Those of [`close`](Self::close).
    pub fn close_in_place(&self, block: NonNull<u8>) -> Result<(), Error> {
        self.close_by(block, false)
    }

    fn close_by(&self, block: NonNull<u8>, mut may_move: bool) -> Result<(), Error> {
        let mut closing = loop {
            // A statement of its own: the lock must not be held while the decision is carried out.
            let decision = self.lock().begin_close(block, may_move, Instant::now())?;
            match decision {
                Close::Begun(closing) => break closing,
                Close::Grow(size) => {
                    if let Err(error) = self.grow(size) {
                        log::debug!("no address space to move {size} bytes to, so they are discarded: {error}");
                        may_move = false;
                    }
                }
            }
        };
        self.give_back_all(std::mem::take(&mut closing.evicted));
        let mut target_intact = true;
        let mut outcome = None;
        let mut failure = None;
        if let Some(target) = closing.target {
            match self.move_pages(&closing, target) {
                Ok(moved) => outcome = Some(moved),
                Err(not_moved) => {
                    target_intact = not_moved.target_intact;
                    failure = Some(not_moved);
                }
            }
        }
        let outcome = outcome
            .unwrap_or_else(|| self.discard_or_clear(closing.block.start, closing.block.size));
        self.lock()
            .finish_close(&closing, outcome, target_intact, Instant::now());
        if let Some(not_moved) = failure {
            self.report(&closing, &not_moved);
        }
        Ok(())
    }

    /// Releases the addresses of a block that no buffer can reach any more. A block that was not closed goes to the pool as it is.
    ///
    /// # Errors
    /// [`Error::NoSuchBlock`]; [`Error::BlockClosing`] if another thread is closing it, and so can reach it; [`Error::Broken`], where other methods
    /// panic: this one is called while a panic unwinds.
    pub fn release(&self, block: NonNull<u8>) -> Result<(), Error> {
        let releasing = self.lock_unless_broken()?.release(block, Instant::now())?;
        match releasing {
            Releasing::Stale(span) => {
                let given = self.give_back(span);
                let mut ledger = self.lock_unless_broken()?;
                match given {
                    Ok(()) => ledger.set_free(span),
                    Err(_) => ledger.keep(span, Instant::now()),
                }
            }
            Releasing::Live(leaving) => {
                self.give_back_all(leaving);
            }
        }
        Ok(())
    }

    /// Discards the whole pages inside bytes `from` to `to` (excluded) of a block. Their values are lost, and they no longer count: discard only what
    /// will not be used. With [`Geometry::discard_zeroes`] they read as zeros until they are written; else they were cleared before, and what they
    /// read is up to the system, since clearing them again would fault in pages that no longer count.
    ///
    /// # Errors
    /// [`Error::NoSuchBlock`]; [`Error::BlockClosed`]; [`Error::PartOutside`].
    ///
    /// # Safety
    /// The block is not released before this returns: its range could be reused by another block, whose values would be lost. It may be closed.
    pub unsafe fn discard(&self, block: NonNull<u8>, from: usize, to: usize) -> Result<(), Error> {
        let (len, span) = self.lock().find_live(block)?;
        if from > to || to > len {
            return Err(Error::PartOutside { from, to, len });
        }
        let page = self.geometry.page;
        let (first, end) = (from.next_multiple_of(page), to - to % page);
        if first < end {
            // SAFETY: inside of the block, since `to` is; by the caller's promise it still is the block's range.
            let start = unsafe { span.start.add(first) };
            if self.discard_or_clear(start, end - first) == Outcome::Discarded {
                self.lock().returned(block, first, end);
            }
        }
        Ok(())
    }

    /// Discards late writes to a closed block; does nothing while it is not closed.
    ///
    /// # Errors
    /// [`Error::NoSuchBlock`].
    ///
    /// # Safety
    /// As for [`discard`](Self::discard).
    pub unsafe fn discard_stale(&self, block: NonNull<u8>) -> Result<(), Error> {
        let stale = self.lock().find_stale(block)?;
        if let Some(span) = stale {
            // SAFETY: whole pages of a block that is closed, and by the caller's promise is not released meanwhile.
            if let Err(reason) = unsafe { self.pages.discard(span.start, span.size) } {
                log::debug!(
                    "{} bytes of a closed block cannot be discarded again until it is released: {reason}",
                    span.size
                );
            }
        }
        Ok(())
    }

    /// Returns blocks to the system that have been in the pool for at least that long.
    pub fn trim(&self, idle: Duration) {
        let evicted = self.lock().trim(idle, Instant::now());
        self.give_back_all(evicted);
    }

    /// The current statistics.
    pub fn stats(&self) -> Stats {
        self.lock().stats()
    }

    /// The system's pages.
    pub fn pages(&self) -> &P {
        &self.pages
    }

    fn lock(&self) -> MutexGuard<'_, Ledger> {
        self.lock_unless_broken().unwrap_or_else(|_| Self::broken())
    }

    /// The ledger, for code that runs while a panic unwinds, and must not panic again.
    fn lock_unless_broken(&self) -> Result<MutexGuard<'_, Ledger>, Error> {
        self.ledger.lock().map_err(|_| Error::Broken)
    }

    /// The ledger for a thread that only keeps others from it.
    #[cfg(all(unix, not(miri)))]
    fn lock_even_broken(&self) -> MutexGuard<'_, Ledger> {
        self.ledger
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// A ledger that a panic left inconsistent must not be used.
    fn broken() -> ! {
        panic!("{}", Error::Broken)
    }
}

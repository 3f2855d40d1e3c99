//! Blocks of memory that can be closed at any time, whoever still reads them.
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
//! - *free*: nobody has the range, and it reads zeros.
//! - *live*: a buffer reads and writes the pages of the range.
//! - *closed*: the pages have been moved to a free range, which is then pooled, or given back. The old addresses read zeros and take
//!   writes that nobody will see, until the owner of the buffer says by `release` that it is unreachable.
//! - *pooled*: pages with old values, which nobody has. The next block of their size gets them, cleared.
//!
//! Where pages cannot be moved they are discarded in place, and nothing enters the pool at close.
//! Address space is reserved in arenas that grow and are never unmapped, so free, stale and untouched ranges look alike to the
//! kernel and share mappings. Ranges that were moved to, or were advised to have huge pages, are *islands*: mappings of their own, of which the
//! kernel has only so many.
//!
//! Invariants:
//!
//! 1. No allocation makes live + pooled + leaving bytes exceed the limit. (A limit that is set below them, or a system that refuses to take pages
//!    back, may.)
//! 2. Each address of an arena is in one place: a free range; a block, live or closed; the pool; on its way between these, in
//!    the hands of one thread; or lost, after a failed move.
//! 3. A free range reads zeros, as far as [`Geometry::discard_zeroes`], and no buffer leads there.
//! 4. The range of a closed block becomes free only by `release`, after one more discard: a racing writer may have given it pages.
//! 5. The lock guards numbers. System calls, clearing and logging happen outside: they take long, and a logger may come back here.
//!
//! Files: `pages` is what is asked of a system, and `linux` and `unix` (by `mapping`), `windows`, [`heap`](Heap) answer; `sizes`, `span`,
//! `block`, `ranges` in `addresses`, and `pool` are the parts of `ledger`, the state under the lock; [`Memory`] carries out its `decisions`, whose
//! `effects` are system calls; `scratch` is a block for a while; [`shared`](shared()) is the memory of a process.

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
pub use scratch::Scratch;
pub use shared::shared;
pub use stats::Stats;
#[cfg(all(unix, not(any(target_os = "linux", target_os = "android"))))]
pub use unix::Unix as System;
#[cfg(windows)]
pub use windows::Windows as System;

/// Blocks of memory within a limit. All methods may be called by any thread; see the [module](self) for what happens to a block.
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
    /// Signalled when bytes that were leaving are gone.
    left: Condvar,
}

impl<P: Pages> Memory<P> {
    /// Memory of at most `limit` bytes, those in the pool included, which is recycled in the best way that the system has.
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

    /// Sets the limit. Whatever the pool holds above its share is given back; blocks stay, but no more are allocated until they fit again.
    pub fn set_limit(&self, limit: u64) {
        let evicted = self.lock().set_limit(limit, Instant::now());
        self.give_back_all(evicted);
    }

    /// Sets whether pages may be moved at close, where the system can; else they are discarded.
    pub fn set_moving(&self, moving: bool) {
        self.moving
            .store(moving && self.geometry.moves, Ordering::Relaxed);
    }

    /// A block of at least `len` bytes, zeroed if asked; else what it holds may be anything that this library had in memory. `None` if it does not
    /// fit the limit, even if nothing was pooled.
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

    /// The length that was asked for when the block was allocated.
    ///
    /// # Errors
    /// [`Error::NoSuchBlock`]; [`Error::BlockClosed`].
    pub fn len_of(&self, block: NonNull<u8>) -> Result<usize, Error> {
        self.lock().find_live(block).map(|(len, _)| len)
    }

    /// Takes the pages from a block. Its addresses read zeros when this returns, and may be read and written until it is released.
    ///
    /// # Errors
    /// [`Error::NoSuchBlock`]; [`Error::BlockClosed`].
    pub fn close(&self, block: NonNull<u8>) -> Result<(), Error> {
        self.close_by(block, self.moving.load(Ordering::Relaxed))
    }

    /// As [`close`](Self::close), for a block whose pages the system may be using by their physical addresses: direct I/O, which another thread has
    /// begun, goes on with the pages themselves. So they are given up to it, and never moved to another block.
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

    /// Gives up the addresses of a block: no buffer leads there any more. A block that was not closed goes to the pool as it is.
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

    /// Gives back the whole pages inside bytes `from` to `to` (excluded) of a block. What they held is gone, and they count no more: give back only
    /// what will not be used. Where [`Geometry::discard_zeroes`] they read zeros until they are written; else they have been cleared, and what they
    /// read then is up to the system, since clearing them once more would make them pages again that nobody counts.
    ///
    /// # Errors
    /// [`Error::NoSuchBlock`]; [`Error::BlockClosed`]; [`Error::PartOutside`].
    ///
    /// # Safety
    /// The block is not released before this returns: its range could be another's then, whose values would go. It may be closed.
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

    /// Gives back once more what late writers have put into a closed block; nothing while it is not closed.
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
                    "{} bytes written after a close stay until it is released: {reason}",
                    span.size
                );
            }
        }
        Ok(())
    }

    /// Gives back blocks that have been in the pool for at least that long.
    pub fn trim(&self, idle: Duration) {
        let evicted = self.lock().trim(idle, Instant::now());
        self.give_back_all(evicted);
    }

    /// What there is now.
    pub fn stats(&self) -> Stats {
        self.lock().stats()
    }

    /// The system's side.
    pub fn pages(&self) -> &P {
        &self.pages
    }

    fn lock(&self) -> MutexGuard<'_, Ledger> {
        self.lock_unless_broken().unwrap_or_else(|_| Self::broken())
    }

    /// The ledger, for what runs while a panic unwinds, and must not add another.
    fn lock_unless_broken(&self) -> Result<MutexGuard<'_, Ledger>, Error> {
        self.ledger.lock().map_err(|_| Error::Broken)
    }

    /// Numbers that a panic left half-written must not decide about memory.
    fn broken() -> ! {
        panic!("{}", Error::Broken)
    }
}

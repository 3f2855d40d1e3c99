//! Carries out the decisions of the ledger. System calls run without the lock (invariant 5 of the [module](super)),
//! which is only taken to report the results.

use std::io;
use std::ptr::NonNull;
use std::sync::atomic::Ordering;

use super::decisions::{Closing, Outcome};
use super::pages::{NotMoved, Pages};
use super::pool::Pooled;
use super::span::Span;
use super::Memory;
use crate::Error;

/// After this many moves that lost their target, moving stops, since each costs address space.
const MOST_LOST: u32 = 16;

impl<P: Pages> Memory<P> {
    /// Logs once how pages are recycled, when somebody sees it: at an allocation, since the logger may not be ready before, or when the level is
    /// set after that.
    pub fn announce(&self) {
        if log::log_enabled!(log::Level::Debug) && !self.announced.swap(true, Ordering::Relaxed) {
            let off = if self.geometry.moves && !self.moving.load(Ordering::Relaxed) {
                " (switched off: discarding)"
            } else {
                ""
            };
            log::debug!(
                "pages of {} bytes; {}{off}",
                self.geometry.page,
                self.pages.describe()
            );
        }
    }

    /// Adds an arena for a block of that size.
    pub(super) fn grow(&self, size: usize) -> Result<(), Error> {
        let (wished, least) = self.lock().arena_for(size);
        let mut len = wished;
        let reserved = self.pages.reserve(wished).or_else(|reason| {
            log::debug!(
                "cannot reserve {wished} bytes of address space ({reason}), trying {least}"
            );
            len = least;
            self.pages.reserve(least)
        });
        let base = reserved.map_err(|reason| refused(len, "address space", &reason))?;
        let (address, alignment) = (base.addr().get(), self.geometry.huge);
        assert!(
            address % alignment == 0,
            "reserve promises address space aligned to {alignment}, and gave it at {address:#x}"
        );
        self.lock().add_arena(size, base, len);
        log::debug!("an arena of {len} bytes at {address:#x}");
        Ok(())
    }

    /// Makes a fresh block usable.
    pub(super) fn open(&self, span: Span, len: usize, zeroed: bool) -> Result<NonNull<u8>, Error> {
        // SAFETY: the span was taken from a free range, so it consists of whole pages of an arena.
        unsafe {
            if let Err(reason) = self.pages.commit(span.start, span.size) {
                self.lock().cancel(span.start);
                return Err(refused(span.size, "memory", &reason));
            }
            if span.island && !self.pages.advise_huge(span.start, span.size) {
                self.lock().no_island(span.start);
            }
            if zeroed && !self.geometry.discard_zeroes {
                span.start.write_bytes(0, len);
            }
        }
        Ok(span.start)
    }

    pub(super) fn move_pages(&self, closing: &Closing, target: Span) -> Result<Outcome, NotMoved> {
        let block = closing.block;
        // SAFETY: both are whole pages of arenas; the block is closing, so its values are not needed, and no I/O has its pages, which
        // `close_in_place` is for; the target was free (invariant 3).
        unsafe {
            self.pages
                .move_pages(block.start, target.start, block.size)?;
            // If this fails, the old range merely stays a separate mapping until it is released.
            Ok(Outcome::Moved {
                // The whole range, so that its page table is freed.
                renewed: self
                    .pages
                    .renew(block.start, self.geometry.range(block.size))
                    .is_ok(),
            })
        }
    }

    /// Discards values that a buffer can still reach. They are cleared if the system may keep them, or refuses to discard them, as for locked pages.
    pub(super) fn discard_or_clear(&self, start: NonNull<u8>, size: usize) -> Outcome {
        // SAFETY: whole pages of a block whose values there nobody needs any more.
        let clear = || unsafe { start.write_bytes(0, size) };
        let cleared = !self.geometry.discard_zeroes;
        if cleared {
            // Before the discard: afterwards it would fault in pages that no longer count.
            clear();
        }
        // SAFETY: as above.
        match unsafe { self.pages.discard(start, size) } {
            Ok(()) => Outcome::Discarded,
            Err(reason) => {
                log::debug!(
                    "{size} bytes are cleared, since the system refuses to discard them: {reason}"
                );
                if !cleared {
                    clear();
                }
                Outcome::Kept
            }
        }
    }

    /// Discards the pages of a span that no buffer can reach. They are not cleared: [`open`](Self::open) does that
    /// where necessary when they are handed out again.
    pub(super) fn give_back(&self, span: Span) -> io::Result<()> {
        // SAFETY: the span is in the hands of this thread (invariant 2).
        unsafe {
            if span.island {
                self.pages
                    .renew(span.start, span.size)
                    .or_else(|_| self.pages.discard(span.start, span.size))
            } else {
                self.pages.discard(span.start, span.size)
            }
        }
    }

    /// Discards evicted spans; returns how many the system took.
    pub(super) fn give_back_all(&self, leaving: Vec<Pooled>) -> usize {
        let mut taken = 0;
        for pooled in leaving {
            let given = self.give_back(pooled.span);
            // A panic may have poisoned the ledger; waiting threads are woken to notice it.
            if let Ok(mut ledger) = self.lock_unless_broken() {
                match given {
                    Ok(()) => {
                        ledger.left(pooled.span);
                        taken += 1;
                    }
                    Err(_) => ledger.stayed(pooled),
                }
            }
            self.left.notify_all();
        }
        taken
    }

    /// Logs a failed move, and stops moving when too many targets have been lost.
    pub(super) fn report(&self, closing: &Closing, not_moved: &NotMoved) {
        let NotMoved {
            reason,
            target_intact,
        } = not_moved;
        log::debug!(
            "{} bytes were not moved, but discarded: {reason}",
            closing.block.size
        );
        if !target_intact && self.lost.fetch_add(1, Ordering::Relaxed) + 1 == MOST_LOST {
            self.moving.store(false, Ordering::Relaxed);
            log::warn!("{MOST_LOST} failed moves have cost address space (the last: {reason}); from now on pages are discarded at close");
        }
    }
}

fn refused(asked: usize, what: &'static str, reason: &io::Error) -> Error {
    Error::Refused {
        asked,
        what,
        reason: reason.to_string(),
    }
}

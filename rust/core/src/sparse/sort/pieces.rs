//! Rows that come piece by piece, from a thread that alone can reach them, and only for a while.
//!
//! That thread copies a piece to a slot for another thread, if one is free, and else works on it where it is. So it never waits, and all threads have
//! work to the end.
//!
//! Invariants:
//!
//! 1. A slot belongs to the thread that brings while it is free, then to nobody while it waits, then to the thread that takes it, until it is given
//!    back.
//! 2. Rows are numbered as they come. Each is worked on once, so no two threads write one key.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::{Condvar, Mutex, MutexGuard};

use super::keys::{Keying, Seen, Source};
use super::plan::{Counts, Key};
use crate::memory::{Memory, Pages};
use crate::parallel::{self, Shared};
use crate::sparse::coordinates::Coordinates;
use crate::sparse::rows::with_rows;
use crate::Error;

/// How many bytes are in a slot, but for a row: parts of a few times as many then make as many pieces, and none of a few rows that are left over.
const SLOT: usize = if cfg!(miri) { 64 } else { 256 << 10 };
/// Slots for each thread that takes them: one to work on, others that wait.
const SLOTS: usize = 4;

/// Takes rows, piece by piece.
pub struct Pieces<'a> {
    /// Takes a piece, whose coordinates can be read until it returns.
    take: &'a mut dyn FnMut(Coordinates, usize),
}

impl Pieces<'_> {
    /// Takes the next `n` rows. It does not log, and never waits for the work of another thread: only for a lock that others hold for a few
    /// instructions, and never while they call anything that could wait.
    ///
    /// # Safety
    /// There are such rows, of the form that was said, aligned; others may write them.
    pub unsafe fn take(&mut self, rows: Coordinates, n: usize) {
        (self.take)(rows, n);
    }
}

/// Rows that a function brings, all in its order.
pub(in crate::sparse) struct Brought<F> {
    pub bring: F,
    pub linear: bool,
}

impl<P: Pages, X: From<Error>, F: FnOnce(&mut Pieces<'_>) -> Result<(), X>> Source<P, X>
    for Brought<F>
{
    unsafe fn keys<K: Key>(
        self,
        memory: &Memory<P>,
        keying: &Keying<'_, K>,
        counts: &mut Counts,
    ) -> Result<Range<u64>, X> {
        let Brought { bring, linear } = self;
        let parts = counts.parts();
        let others = parts - 1;
        let per_row = if linear { 1 } else { keying.grid.rank() };
        let per_slot = SLOT / (8 * per_row).max(1) + 1;
        let in_slot = per_slot.saturating_mul(per_row);
        // A row may be longer than a slot should be: no more than hold all rows.
        let slots = (SLOTS * others).min(keying.n.div_ceil(per_slot));
        let room = memory.scratch(slots.saturating_mul(in_slot).saturating_mul(8).max(1))?;
        let room = Shared(room.start().as_ptr().cast::<i64>());
        // SAFETY: there is such a slot.
        let slot_at = |slot: usize| unsafe { room.get().add(slot * in_slot) };
        let at = if linear {
            Coordinates::Linear
        } else {
            Coordinates::Rows
        };

        let exchange = Exchange::new(slots);
        let mut workers = (0..parts)
            .map(|_| Worker::new(keying, parts))
            .collect::<Result<Vec<_>, _>>()?;
        let mut own = workers.remove(0);
        let ((brought, own), others) = parallel::beside(
            || {
                let closing = Closing(&exchange);
                let mut next = 0;
                let mut take = |rows: Coordinates, n: usize| {
                    for from in (0..n).step_by(per_slot) {
                        let start = rows.start().wrapping_add(from * per_row);
                        let piece = next..next + per_slot.min(n - from);
                        next = piece.end;
                        assert!(next <= keying.n, "more rows than were promised");
                        match exchange.free() {
                            Some(slot) => {
                                // SAFETY: the rows are there, by the promise of `take`, and fit the slot, which is this thread's.
                                unsafe {
                                    start.copy_to_nonoverlapping(
                                        slot_at(slot),
                                        piece.len() * per_row,
                                    );
                                }
                                exchange.fill(slot, piece);
                            }
                            // SAFETY: the rows are there, by the promise of `take`; nobody else works on them.
                            None => unsafe { own.work(at(start), piece) },
                        }
                    }
                };
                let brought = bring(&mut Pieces { take: &mut take });
                assert!(
                    brought.is_err() || next == keying.n,
                    "fewer rows than were promised"
                );
                drop(closing);
                // What waits yet.
                while let Some((slot, piece)) = exchange.next() {
                    // SAFETY: the rows were copied there, and the slot is this thread's.
                    unsafe { own.work(at(slot_at(slot)), piece) };
                }
                (brought, own)
            },
            workers,
            |mut worker| {
                while let Some((slot, piece)) = exchange.next() {
                    // SAFETY: as above.
                    unsafe { worker.work(at(slot_at(slot)), piece) };
                    exchange.give_back(slot);
                }
                worker
            },
        );
        brought?;
        let mut seen = Vec::with_capacity(parts);
        for worker in std::iter::once(own).chain(others) {
            counts.add(&worker.counts);
            seen.push(worker.seen);
        }
        Ok(Seen::all(seen, keying.grid, linear)?)
    }
}

/// What one thread works with.
struct Worker<'a, K> {
    keying: &'a Keying<'a, K>,
    counts: Counts,
    seen: Seen,
}

impl<'a, K: Key> Worker<'a, K> {
    fn new(keying: &'a Keying<'a, K>, parts: usize) -> Result<Worker<'a, K>, Error> {
        Ok(Worker {
            keying,
            counts: Counts::new(parts, keying.plan.buckets)?,
            seen: Seen::default(),
        })
    }

    /// Works on the rows of those numbers, the first of which is where the coordinates begin.
    ///
    /// # Safety
    /// There are such rows, and no other thread works on them.
    unsafe fn work(&mut self, coordinates: Coordinates, piece: Range<usize>) {
        let (n, parts) = (self.keying.n, self.counts.parts());
        for (part, counts) in self.counts.each() {
            let start = parallel::part_start(n, part, parts).max(piece.start);
            let end = parallel::part_start(n, part + 1, parts).min(piece.end);
            if start < end {
                with_rows!(coordinates, self.keying.grid, rows => {
                    // SAFETY: the caller's promise; keys have room for all rows.
                    unsafe { self.seen.look(rows, piece.start, start..end, self.keying, counts) }
                });
            }
        }
    }
}

/// Where threads hand pieces on.
struct Exchange {
    state: Mutex<State>,
    filled: Condvar,
}

struct State {
    /// Slots with the numbers of their rows.
    waiting: VecDeque<(usize, Range<usize>)>,
    free: Vec<usize>,
    /// Whether no more will come.
    closed: bool,
}

impl Exchange {
    fn new(slots: usize) -> Exchange {
        let state = State {
            waiting: VecDeque::with_capacity(slots),
            free: (0..slots).collect(),
            closed: false,
        };
        Exchange {
            state: Mutex::new(state),
            filled: Condvar::new(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Nothing in here panics while it is locked.
        self.state
            .lock()
            .unwrap_or_else(|broken| broken.into_inner())
    }

    /// A slot to fill, if there is one.
    fn free(&self) -> Option<usize> {
        self.lock().free.pop()
    }

    fn fill(&self, slot: usize, rows: Range<usize>) {
        self.lock().waiting.push_back((slot, rows));
        self.filled.notify_one();
    }

    /// The piece that has waited longest; waits for one, unless no more will come.
    fn next(&self) -> Option<(usize, Range<usize>)> {
        let mut state = self.lock();
        loop {
            if let Some(piece) = state.waiting.pop_front() {
                return Some(piece);
            }
            if state.closed {
                return None;
            }
            state = self
                .filled
                .wait(state)
                .unwrap_or_else(|broken| broken.into_inner());
        }
    }

    fn give_back(&self, slot: usize) {
        self.lock().free.push(slot);
    }
}

/// Says when it is dropped, by a panic as well, that no more will come: else other threads would wait for ever.
struct Closing<'a>(&'a Exchange);

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        self.0.lock().closed = true;
        self.0.filled.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sparse::coordinates::Grid;
    use crate::sparse::sort::plan::Plan;

    /// The thread that brings may work on a piece before one that waits, which has lower numbers.
    #[test]
    fn the_first_row_outside_is_told_in_whatever_order_pieces_come() {
        let grid = Grid::new(&[8]).unwrap();
        let plan = Plan::new(8, 4, 0..8);
        let mut keys = [0u32; 8];
        let keying = Keying {
            grid: &grid,
            plan: &plan,
            keys: Shared(keys.as_mut_ptr()),
            n: 8,
        };
        let mut positions = [7, 6, 8, 4, 3, -1, 1, 0];
        for pieces in [[0..2, 2..4, 4..8], [4..8, 2..4, 0..2], [2..4, 0..2, 4..8]] {
            let mut worker = Worker::new(&keying, 2).unwrap();
            for piece in pieces {
                let start = positions[piece.start..].as_mut_ptr();
                // SAFETY: there are such rows.
                unsafe { worker.work(Coordinates::Linear(start), piece) };
            }
            let told = Seen::all([worker.seen], &grid, true);
            assert!(
                matches!(told, Err(Error::PositionOutside { row: 2, .. })),
                "{told:?}"
            );
        }
    }
}

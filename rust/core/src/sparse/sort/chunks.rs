//! Coordinates that arrive in chunks, from the one thread that can read them, and only until it moves on (as parts of a pinned Java array do).
//!
//! That thread, the producer, copies a chunk to a staging buffer for another thread if one is free, and else works on it in place. So it never waits,
//! and all threads have work to the end.
//!
//! Invariants:
//!
//! 1. A staging buffer (slot) belongs to the producer while it is free, to nobody while it is queued, and to the consumer that took it until that
//!    releases it.
//! 2. Rows are numbered in the order in which they arrive. Each is worked on once, so no two threads write one key.

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

/// The size of a staging buffer in bytes, but for one row more: chunks of a multiple of it then divide evenly, without a small remainder.
const SLOT: usize = if cfg!(miri) { 64 } else { 256 << 10 };
/// Staging buffers for each consumer: one to work on, the others queued.
const SLOTS: usize = 4;

/// Accepts coordinates, a chunk at a time.
pub struct Chunks<'a> {
    /// Accepts a chunk, whose coordinates can be read until it returns.
    take: &'a mut dyn FnMut(Coordinates, usize),
}

impl Chunks<'_> {
    /// Accepts the next `n` rows. It does not log, and never waits for the work of another thread: only for a lock that others hold for a few
    /// instructions, and never while they call anything that could wait.
    ///
    /// # Safety
    /// `rows` is aligned, of the form that was announced, and valid for reads of `n` rows; others may write them.
    pub unsafe fn take(&mut self, rows: Coordinates, n: usize) {
        (self.take)(rows, n);
    }
}

/// Rows that a function feeds, in its order.
pub(in crate::sparse) struct Chunked<F> {
    pub feed: F,
    pub linear: bool,
}

impl<P: Pages, X: From<Error>, F: FnOnce(&mut Chunks<'_>) -> Result<(), X>> Source<P, X>
    for Chunked<F>
{
    unsafe fn keys<K: Key>(
        self,
        memory: &Memory<P>,
        keying: &Keying<'_, K>,
        counts: &mut Counts,
    ) -> Result<Range<u64>, X> {
        let Chunked { feed, linear } = self;
        let parts = counts.parts();
        let others = parts - 1;
        let per_row = if linear { 1 } else { keying.grid.rank() };
        let per_slot = SLOT / (8 * per_row).max(1) + 1;
        let in_slot = per_slot.saturating_mul(per_row);
        // A row may be longer than a slot; no more slots than hold all rows.
        let slots = (SLOTS * others).min(keying.n.div_ceil(per_slot));
        let output = memory.scratch(slots.saturating_mul(in_slot).saturating_mul(8).max(1))?;
        let output = Shared(output.start().as_ptr().cast::<i64>());
        // SAFETY: slots are below `slots`.
        let slot_at = |slot: usize| unsafe { output.get().add(slot * in_slot) };
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
        let ((fed, own), others) = parallel::beside(
            || {
                let closing = Closing(&exchange);
                let mut next = 0;
                let mut take = |rows: Coordinates, n: usize| {
                    for from in (0..n).step_by(per_slot) {
                        let start = rows.start().wrapping_add(from * per_row);
                        let chunk = next..next + per_slot.min(n - from);
                        next = chunk.end;
                        assert!(next <= keying.n, "more rows than were promised");
                        match exchange.free() {
                            Some(slot) => {
                                // SAFETY: by the promise of `take` the rows can be read; they fit the slot, which belongs to this thread.
                                unsafe {
                                    start.copy_to_nonoverlapping(
                                        slot_at(slot),
                                        chunk.len() * per_row,
                                    );
                                }
                                exchange.fill(slot, chunk);
                            }
                            // SAFETY: by the promise of `take` the rows can be read; nobody else works on them.
                            None => unsafe { own.work(at(start), chunk) },
                        }
                    }
                };
                let fed = feed(&mut Chunks { take: &mut take });
                assert!(
                    fed.is_err() || next == keying.n,
                    "fewer rows than were promised"
                );
                drop(closing);
                // What is still queued.
                while let Some((slot, chunk)) = exchange.next() {
                    // SAFETY: the rows were copied there, and the slot belongs to this thread.
                    unsafe { own.work(at(slot_at(slot)), chunk) };
                }
                (fed, own)
            },
            workers,
            |mut worker| {
                while let Some((slot, chunk)) = exchange.next() {
                    // SAFETY: as above.
                    unsafe { worker.work(at(slot_at(slot)), chunk) };
                    exchange.release(slot);
                }
                worker
            },
        );
        fed?;
        let mut seen = Vec::with_capacity(parts);
        for worker in std::iter::once(own).chain(others) {
            counts.add(&worker.counts);
            seen.push(worker.seen);
        }
        Ok(Seen::all(seen, keying.grid, linear)?)
    }
}

/// The state of one thread.
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

    /// Computes and counts the keys of the rows with the numbers `chunk`; `coordinates` points to the first of them.
    ///
    /// # Safety
    /// There are such rows, and no other thread works on them.
    unsafe fn work(&mut self, coordinates: Coordinates, chunk: Range<usize>) {
        let (n, parts) = (self.keying.n, self.counts.parts());
        for (part, counts) in self.counts.each() {
            let start = parallel::part_start(n, part, parts).max(chunk.start);
            let end = parallel::part_start(n, part + 1, parts).min(chunk.end);
            if start < end {
                with_rows!(coordinates, self.keying.grid, rows => {
                    // SAFETY: the caller's promise; the array of keys is as long as all rows.
                    unsafe { self.seen.look(rows, chunk.start, start..end, self.keying, counts) }
                });
            }
        }
    }
}

/// The queue of chunks between the producer and the consumers.
struct Exchange {
    state: Mutex<State>,
    filled: Condvar,
}

struct State {
    /// Filled slots, with the numbers of their rows.
    waiting: VecDeque<(usize, Range<usize>)>,
    free: Vec<usize>,
    /// Whether no more chunks will come.
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

    /// Takes the oldest chunk from the queue; waits for one unless the queue is closed.
    fn next(&self) -> Option<(usize, Range<usize>)> {
        let mut state = self.lock();
        loop {
            if let Some(chunk) = state.waiting.pop_front() {
                return Some(chunk);
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

    fn release(&self, slot: usize) {
        self.lock().free.push(slot);
    }
}

/// Closes the queue when it is dropped, also by a panic: else consumers would wait for ever.
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

    /// The producer may work on a chunk before one that is queued, which has lower numbers.
    #[test]
    fn the_first_row_outside_is_told_in_whatever_order_chunks_come() {
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
        for chunks in [[0..2, 2..4, 4..8], [4..8, 2..4, 0..2], [2..4, 0..2, 4..8]] {
            let mut worker = Worker::new(&keying, 2).unwrap();
            for chunk in chunks {
                let start = positions[chunk.start..].as_mut_ptr();
                // SAFETY: there are such rows.
                unsafe { worker.work(Coordinates::Linear(start), chunk) };
            }
            let told = Seen::all([worker.seen], &grid, true);
            assert!(
                matches!(told, Err(Error::PositionOutside { row: 2, .. })),
                "{told:?}"
            );
        }
    }
}

//! The ledger by itself, with time and outcomes as a test wants them: the corners that a whole [`Memory`](crate::memory::Memory) seldom meets.

use super::*;
use crate::memory::pages::Pages;
use crate::memory::Heap;

const LIMIT: u64 = 8 << 10;
/// What the pool may hold.
const POOL: usize = LIMIT as usize / 4;

/// A ledger, and memory for the addresses in it, which nobody touches.
struct Bookkeeper {
    ledger: Ledger,
    arenas: Vec<Vec<u8>>,
    now: Instant,
}

impl Bookkeeper {
    fn new(most_islands: usize) -> Bookkeeper {
        let geometry = Geometry {
            most_islands,
            ..Heap::new().geometry()
        };
        Bookkeeper {
            ledger: Ledger::new(geometry, LIMIT),
            arenas: Vec::new(),
            now: Instant::now(),
        }
    }

    fn grow(&mut self, size: usize) {
        let (len, _) = self.ledger.arena_for(size);
        let mut arena = vec![0; len];
        let base = NonNull::new(arena.as_mut_ptr()).unwrap();
        self.arenas.push(arena);
        self.ledger.add_arena(size, base, len);
    }

    fn allocate(&mut self, len: usize) -> Span {
        let request = self.ledger.geometry.request(len).unwrap();
        loop {
            match self.ledger.allocate(&request, self.now) {
                Offer::Fresh(span) | Offer::Pooled(span) => return span,
                Offer::Grow(size) => self.grow(size),
                other => panic!("{other:?}"),
            }
        }
    }

    fn begin_close(&mut self, span: Span) -> Closing {
        loop {
            match self.ledger.begin_close(span.start, true, self.now).unwrap() {
                Close::Begun(closing) => return closing,
                Close::Grow(size) => self.grow(size),
            }
        }
    }

    fn finish(&mut self, closing: &Closing, outcome: Outcome, target_intact: bool) {
        self.ledger
            .finish_close(closing, outcome, target_intact, self.now);
    }

    /// Closes a block, which must be moved; gives what left the pool for it.
    fn close(&mut self, span: Span) -> Vec<Pooled> {
        let mut closing = self.begin_close(span);
        assert!(closing.target.is_some(), "it is moved");
        self.finish(&closing, Outcome::Moved { renewed: true }, true);
        std::mem::take(&mut closing.evicted)
    }

    fn pooled(&self) -> u64 {
        self.ledger.stats().pooled_bytes
    }

    /// Releases a block that is live; where what leaves starts.
    fn release(&mut self, block: Span) -> Vec<NonNull<u8>> {
        match self.ledger.release(block.start, self.now).unwrap() {
            Releasing::Live(leaving) => leaving.iter().map(|pooled| pooled.span.start).collect(),
            stale => panic!("{stale:?}"),
        }
    }
}

#[test]
fn the_pool_is_filled_to_the_last_byte() {
    let mut bookkeeper = Bookkeeper::new(64);
    let halves = [POOL / 2; 2].map(|len| bookkeeper.allocate(len));
    for half in halves {
        assert!(bookkeeper.close(half).is_empty());
    }
    assert_eq!(bookkeeper.pooled(), POOL as u64);
    let small = bookkeeper.allocate(128);
    assert_eq!(
        bookkeeper.close(small).len(),
        1,
        "one byte more does not fit"
    );

    let mut bookkeeper = Bookkeeper::new(64);
    let whole = bookkeeper.allocate(POOL);
    assert!(bookkeeper.release(whole).is_empty());
    assert_eq!(bookkeeper.pooled(), POOL as u64);
}

#[test]
fn pages_that_are_on_their_way_to_the_pool_have_their_room_there() {
    let mut bookkeeper = Bookkeeper::new(64);
    let [pooled, arriving, small, next, half] =
        [POOL / 2, POOL / 2, 128, POOL / 2, POOL / 2].map(|len| bookkeeper.allocate(len));
    assert!(bookkeeper.close(pooled).is_empty());
    let closing = bookkeeper.begin_close(arriving);
    assert!(closing.evicted.is_empty());
    // The pool is full once they have arrived.
    assert_eq!(bookkeeper.close(small).len(), 1);

    let leaving = bookkeeper.release(half);
    assert_eq!(leaving.len(), 1, "as large as what is missing");
    assert_ne!(leaving, [half.start]);
    let larger = bookkeeper.allocate(POOL / 2 + 64);
    assert_eq!(bookkeeper.release(larger), [larger.start]);
    let other = bookkeeper.begin_close(next);
    assert!(other.target.is_some(), "what is left when all others go");
    let larger = bookkeeper.allocate(128);
    assert!(bookkeeper.begin_close(larger).target.is_none());
}

#[test]
fn what_the_system_does_not_take_stays_in_the_pool_as_old_as_it_is() {
    let mut bookkeeper = Bookkeeper::new(64);
    let span = bookkeeper.allocate(512);
    assert!(bookkeeper.close(span).is_empty());
    let idle = Duration::from_secs(1);
    assert!(bookkeeper.ledger.trim(idle, bookkeeper.now).is_empty());
    for _ in 0..2 {
        let mut leaving = bookkeeper.ledger.trim(idle, bookkeeper.now + idle);
        assert_eq!(leaving.len(), 1);
        assert_eq!(bookkeeper.pooled(), 512, "it counts until it is gone");
        bookkeeper.ledger.stayed(leaving.remove(0));
        assert_eq!(bookkeeper.pooled(), 512);
    }
    let mut leaving = bookkeeper.ledger.trim(idle, bookkeeper.now + idle);
    bookkeeper.ledger.left(leaving.remove(0).span);
    assert_eq!(bookkeeper.pooled(), 0);
}

#[test]
fn no_more_blocks_are_islands_than_may_be() {
    let mut bookkeeper = Bookkeeper::new(1);
    assert!(
        !bookkeeper.allocate(512).island,
        "too small for a huge page"
    );
    let first = bookkeeper.allocate(1 << 10);
    assert!(first.island);
    assert!(!bookkeeper.allocate(1 << 10).island);
    bookkeeper.ledger.cancel(first.start);
    assert!(bookkeeper.allocate(1 << 10).island);
}

#[test]
fn a_target_that_was_lost_is_no_island_any_more() {
    let mut bookkeeper = Bookkeeper::new(1);
    for target_intact in [false, true, false, true] {
        let span = bookkeeper.allocate(512);
        let closing = bookkeeper.begin_close(span);
        assert!(closing.target.is_some());
        bookkeeper.finish(&closing, Outcome::Discarded, target_intact);
    }
}

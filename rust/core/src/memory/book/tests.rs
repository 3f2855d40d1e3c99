//! The book by itself, with time and answers as a test wants them: the corners that a whole [`Memory`](crate::memory::Memory) seldom meets.

use super::*;
use crate::memory::pages::Pages;
use crate::memory::Heap;

const LIMIT: u64 = 8 << 10;
/// What the pool may hold.
const POOL: usize = LIMIT as usize / 4;

/// A book, and memory for the addresses in it, which nobody touches.
struct Office {
    book: Book,
    arenas: Vec<Vec<u8>>,
    now: Instant,
}

impl Office {
    fn new(most_islands: usize) -> Office {
        let geometry = Geometry {
            most_islands,
            ..Heap::new().geometry()
        };
        Office {
            book: Book::new(geometry, LIMIT),
            arenas: Vec::new(),
            now: Instant::now(),
        }
    }

    fn grow(&mut self, size: usize) {
        let (len, _) = self.book.arena_for(size);
        let mut arena = vec![0; len];
        let base = NonNull::new(arena.as_mut_ptr()).unwrap();
        self.arenas.push(arena);
        self.book.add_arena(size, base, len);
    }

    fn allocate(&mut self, len: usize) -> Span {
        let request = self.book.sizes.request(len).unwrap();
        loop {
            match self.book.allocate(&request, self.now) {
                Offer::Fresh(span) | Offer::Pooled(span) => return span,
                Offer::Grow(size) => self.grow(size),
                other => panic!("{other:?}"),
            }
        }
    }

    fn begin_close(&mut self, span: Span) -> Closing {
        loop {
            match self.book.begin_close(span.start, true, self.now).unwrap() {
                Close::Begun(closing) => return closing,
                Close::Grow(size) => self.grow(size),
            }
        }
    }

    fn finish(&mut self, closing: &Closing, outcome: Outcome, target_intact: bool) {
        self.book
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
        self.book.stats().pooled_bytes
    }
}

#[test]
fn the_pool_is_filled_to_the_last_byte() {
    let mut office = Office::new(64);
    let halves = [POOL / 2; 2].map(|len| office.allocate(len));
    for half in halves {
        assert!(office.close(half).is_empty());
    }
    assert_eq!(office.pooled(), POOL as u64);
    let small = office.allocate(128);
    assert_eq!(office.close(small).len(), 1, "one byte more has no room");

    let mut office = Office::new(64);
    let whole = office.allocate(POOL);
    let released = office.book.release(whole.start, office.now).unwrap();
    assert!(matches!(released, Releasing::Pooled(evicted) if evicted.is_empty()));
    assert_eq!(office.pooled(), POOL as u64);
}

#[test]
fn pages_that_are_on_their_way_to_the_pool_have_their_room_there() {
    let mut office = Office::new(64);
    let [pooled, arriving, small, next, half] =
        [POOL / 2, POOL / 2, 128, POOL / 2, POOL / 2].map(|len| office.allocate(len));
    assert!(office.close(pooled).is_empty());
    let closing = office.begin_close(arriving);
    assert!(closing.evicted.is_empty());
    // The pool is full once they have arrived.
    assert_eq!(office.close(small).len(), 1);

    let released = office.book.release(half.start, office.now).unwrap();
    assert!(
        matches!(released, Releasing::Pooled(evicted) if evicted.len() == 1),
        "as large as the room"
    );
    let larger = office.allocate(POOL / 2 + 64);
    let released = office.book.release(larger.start, office.now).unwrap();
    assert!(matches!(released, Releasing::Leave(_)));
    let other = office.begin_close(next);
    assert!(
        other.target.is_some(),
        "the room that is left when all others go"
    );
    let larger = office.allocate(128);
    assert!(office.begin_close(larger).target.is_none());
}

#[test]
fn what_the_system_does_not_take_stays_in_the_pool_as_old_as_it_is() {
    let mut office = Office::new(64);
    let span = office.allocate(512);
    assert!(office.close(span).is_empty());
    let idle = Duration::from_secs(1);
    assert!(office.book.trim(idle, office.now).is_empty());
    for _ in 0..2 {
        let mut leaving = office.book.trim(idle, office.now + idle);
        assert_eq!(leaving.len(), 1);
        assert_eq!(office.pooled(), 512, "it counts until it is gone");
        office.book.stayed(leaving.remove(0));
        assert_eq!(office.pooled(), 512);
    }
    let mut leaving = office.book.trim(idle, office.now + idle);
    office.book.left(leaving.remove(0).span);
    assert_eq!(office.pooled(), 0);
}

#[test]
fn no_more_blocks_are_islands_than_may_be() {
    let mut office = Office::new(1);
    assert!(!office.allocate(512).island, "too small for a huge page");
    let first = office.allocate(1 << 10);
    assert!(first.island);
    assert!(!office.allocate(1 << 10).island);
    office.book.cancel(first.start);
    assert!(office.allocate(1 << 10).island);
}

#[test]
fn a_target_that_was_lost_is_no_island_any_more() {
    let mut office = Office::new(1);
    for target_intact in [false, true, false, true] {
        let span = office.allocate(512);
        let closing = office.begin_close(span);
        assert!(closing.target.is_some());
        office.finish(&closing, Outcome::Discarded, target_intact);
    }
}

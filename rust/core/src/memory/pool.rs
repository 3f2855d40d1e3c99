//! Unused blocks, kept for the next tensor of about their size.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use super::span::Span;

/// A span in the pool, and since when.
#[derive(Debug)]
pub(super) struct Pooled {
    pub span: Span,
    pub since: Instant,
}

/// The pool. Invariants:
/// 1. Both maps hold the same spans; keys of `by_age` ascend in order of insertion.
/// 2. `bytes` is the sum of their sizes.
#[derive(Debug, Default)]
pub(super) struct Pool {
    by_age: BTreeMap<u64, Pooled>,
    by_size: BTreeSet<(usize, u64)>,
    next: u64,
    bytes: u64,
}

impl Pool {
    /// The sum of the sizes.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Puts a span in.
    pub fn put(&mut self, span: Span, now: Instant) {
        self.bytes += span.size as u64;
        self.by_size.insert((span.size, self.next));
        self.by_age.insert(self.next, Pooled { span, since: now });
        self.next += 1;
    }

    /// Takes the smallest span of a size within these limits; of several, the most recent one.
    pub fn take(&mut self, least: usize, most: usize) -> Option<Span> {
        let &(size, _) = self.by_size.range((least, 0)..=(most, u64::MAX)).next()?;
        let &(_, age) = self
            .by_size
            .range((size, 0)..=(size, u64::MAX))
            .next_back()?;
        self.remove(age).map(|pooled| pooled.span)
    }

    /// Takes the oldest span, if it is at least `idle` old.
    pub fn take_oldest(&mut self, idle: Duration, now: Instant) -> Option<Pooled> {
        let (&age, oldest) = self.by_age.first_key_value()?;
        if now.saturating_duration_since(oldest.since) < idle {
            return None;
        }
        self.remove(age)
    }

    fn remove(&mut self, age: u64) -> Option<Pooled> {
        let pooled = self.by_age.remove(&age)?;
        self.by_size.remove(&(pooled.span.size, age));
        self.bytes -= pooled.span.size as u64;
        Some(pooled)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ptr::{self, NonNull};

    fn span(place: usize, size: usize) -> Span {
        Span {
            start: NonNull::new(ptr::without_provenance_mut(place)).unwrap(),
            size,
            island: false,
        }
    }

    fn place(span: Span) -> usize {
        span.start.addr().get()
    }

    #[test]
    fn sizes_within_the_limits_fit_and_the_newest_goes_first() {
        let now = Instant::now();
        let mut pool = Pool::default();
        for (place, size) in [(1, 10), (2, 12), (3, 10), (4, 20)] {
            pool.put(span(place, size), now);
        }
        assert_eq!(pool.bytes(), 52);
        assert!(pool.take(13, 19).is_none());
        assert_eq!(pool.take(9, 12).map(place), Some(3));
        assert_eq!(pool.take(9, 12).map(place), Some(1));
        assert_eq!(pool.take(9, 12).map(place), Some(2));
        assert!(pool.take(9, 12).is_none());
        assert_eq!(pool.bytes(), 20);
    }

    #[test]
    fn the_oldest_goes_when_it_has_been_idle() {
        let start = Instant::now();
        let at = |millis| start + Duration::from_millis(millis);
        let mut pool = Pool::default();
        pool.put(span(1, 10), at(0));
        pool.put(span(2, 5), at(600));
        let second = Duration::from_secs(1);
        assert!(pool.take_oldest(second, at(999)).is_none());
        assert_eq!(
            pool.take_oldest(second, at(1000))
                .map(|pooled| place(pooled.span)),
            Some(1)
        );
        assert!(pool.take_oldest(second, at(1000)).is_none());
        assert_eq!(
            pool.take_oldest(Duration::ZERO, at(600))
                .map(|pooled| place(pooled.span)),
            Some(2)
        );
        assert_eq!(pool.bytes(), 0);
        assert!(pool.take_oldest(Duration::ZERO, at(600)).is_none());
    }
}

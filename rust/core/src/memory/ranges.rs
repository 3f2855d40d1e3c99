//! Free address ranges, as numbers: best fit, with neighbours joined.

use std::collections::{BTreeMap, BTreeSet};

/// A set of free ranges.
///
/// Invariants:
/// 1. Both maps hold the same ranges, none of length 0.
/// 2. No two ranges overlap or touch.
/// 3. Starts and lengths are multiples of the unit that all callers use.
#[derive(Debug, Default)]
pub(super) struct Ranges {
    length_at: BTreeMap<usize, usize>,
    by_length: BTreeSet<(usize, usize)>,
}

impl Ranges {
    /// Takes `len` bytes from the shortest range that is long enough, of several the lowest; returns their start.
    pub fn take(&mut self, len: usize) -> Option<usize> {
        let &(found, start) = self.by_length.range((len, 0)..).next()?;
        self.remove(start, found);
        if found > len {
            self.insert(start + len, found - len);
        }
        Some(start)
    }

    /// Makes an allocated range free.
    pub fn give(&mut self, mut start: usize, mut len: usize) {
        if let Some((&before, &its_len)) = self.length_at.range(..start).next_back() {
            debug_assert!(
                before + its_len <= start,
                "invariant 2: {start:#x} is free already"
            );
            if before + its_len == start {
                self.remove(before, its_len);
                (start, len) = (before, its_len + len);
            }
        }
        if let Some((&after, &its_len)) = self.length_at.range(start..).next() {
            debug_assert!(
                start + len <= after,
                "invariant 2: {after:#x} is free already"
            );
            if start + len == after {
                self.remove(after, its_len);
                len += its_len;
            }
        }
        self.insert(start, len);
    }

    fn insert(&mut self, start: usize, len: usize) {
        self.length_at.insert(start, len);
        self.by_length.insert((len, start));
    }

    fn remove(&mut self, start: usize, len: usize) {
        self.length_at.remove(&start);
        self.by_length.remove(&(len, start));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(ranges: &Ranges) -> Vec<(usize, usize)> {
        let by_start: Vec<_> = ranges
            .length_at
            .iter()
            .map(|(&start, &len)| (start, len))
            .collect();
        let mut other: Vec<_> = ranges
            .by_length
            .iter()
            .map(|&(len, start)| (start, len))
            .collect();
        other.sort_unstable();
        assert_eq!(by_start, other, "invariant 1");
        assert!(
            by_start
                .windows(2)
                .all(|pair| pair[0].0 + pair[0].1 < pair[1].0),
            "invariant 2: {by_start:?}"
        );
        by_start
    }

    #[test]
    fn the_shortest_range_that_fits_is_taken() {
        let mut ranges = Ranges::default();
        for (start, len) in [(100, 50), (200, 20), (300, 30)] {
            ranges.give(start, len);
        }
        assert_eq!(ranges.take(25), Some(300));
        assert_eq!(ranges.take(20), Some(200));
        assert_eq!(ranges.take(51), None);
        assert_eq!(listed(&ranges), [(100, 50), (325, 5)]);
    }

    #[test]
    fn neighbours_are_joined() {
        let mut ranges = Ranges::default();
        ranges.give(10, 10);
        ranges.give(30, 10);
        assert_eq!(listed(&ranges), [(10, 10), (30, 10)]);
        ranges.give(20, 10);
        assert_eq!(listed(&ranges), [(10, 30)]);
        ranges.give(0, 10);
        ranges.give(40, 1);
        assert_eq!(listed(&ranges), [(0, 41)]);
    }

    #[test]
    fn a_random_program_agrees_with_a_bit_map() {
        const SPACE: usize = 300;
        let mut free = [true; SPACE];
        let mut taken: Vec<(usize, usize)> = Vec::new();
        let mut ranges = Ranges::default();
        ranges.give(0, SPACE);
        let mut seed = 0x9e3779b97f4a7c15u64;
        for _ in 0..if cfg!(miri) { 30 } else { 20_000 } {
            seed = seed
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            let random = (seed >> 33) as usize;
            if random.is_multiple_of(2) {
                let len = 1 + random / 2 % 40;
                let longest = free
                    .split(|free| !free)
                    .map(<[bool]>::len)
                    .filter(|&run| run >= len)
                    .min();
                let start = ranges.take(len);
                assert_eq!(start.is_some(), longest.is_some());
                if let Some(start) = start {
                    assert!(free[start..start + len].iter().all(|&free| free));
                    free[start..start + len].fill(false);
                    taken.push((start, len));
                }
            } else if !taken.is_empty() {
                let (start, len) = taken.swap_remove(random / 2 % taken.len());
                free[start..start + len].fill(true);
                ranges.give(start, len);
            }
            let count: usize = listed(&ranges).iter().map(|range| range.1).sum();
            assert_eq!(count, free.iter().filter(|&&free| free).count());
        }
    }
}

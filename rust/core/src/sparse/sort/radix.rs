//! Radix sorts of keys and the values beside them, between two places in memory.
//!
//! Both kinds are stable, and made of one pass: a histogram of a digit, then a scatter to the buckets of that digit. A partition (MSD) takes the
//! highest digit; the LSD sort takes one digit after the other from the lowest on. Few entries are sorted by insertion.
//!
//! Invariants:
//!
//! 1. Keys are private to the sort, so that those which are scattered are those which were counted: no bucket overflows.
//! 2. A place that is read was written as a whole: it is the input, or the target of the pass before.

use std::ops::Range;
use std::slice;

use super::keys::{Extremes, Key};
use crate::element::Element;
use crate::parallel::Shared;

/// How many entries a bucket of a partition should have: both places of them fit the cache of a core.
const BUCKET: usize = if cfg!(miri) { 8 } else { 32 << 10 };
/// A bucket with more entries, as skewed keys give, is partitioned again.
const LARGEST: usize = 4 * BUCKET;
/// The most bits of the digit of a partition: more buckets than that would share too few cache lines and pages.
const PARTITION_BITS: u32 = if cfg!(miri) { 3 } else { 8 };
/// Up to so many entries are sorted by insertion.
const FEW: usize = if cfg!(miri) { 8 } else { 32 };
/// The most bits of a digit of the LSD sort, below `MANY` entries and from there on: a histogram costs as much to clear and accumulate as it has
/// buckets.
const DIGIT_BITS: [u32; 2] = if cfg!(miri) { [3, 4] } else { [8, 11] };
/// See [`DIGIT_BITS`].
const MANY: usize = if cfg!(miri) { 16 } else { 2048 };

/// Keys and the values beside them, in two arrays.
pub(super) struct Entries<K, E> {
    pub keys: Shared<*mut K>,
    pub values: Shared<*mut E>,
}

impl<K, E> Clone for Entries<K, E> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K, E> Copy for Entries<K, E> {}

impl<K: Key, E: Element> Entries<K, E> {
    /// The entries from number `start` on.
    ///
    /// # Safety
    /// There are so many.
    pub unsafe fn from(self, start: usize) -> Self {
        // SAFETY: the caller's promise.
        unsafe {
            Entries {
                keys: Shared(self.keys.get().add(start)),
                values: Shared(self.values.get().add(start)),
            }
        }
    }

    /// The keys of a range of entries.
    ///
    /// # Safety
    /// They were written, and nobody writes them for as long.
    pub unsafe fn keys<'a>(self, range: Range<usize>) -> &'a [K] {
        // SAFETY: the caller's promise.
        unsafe { slice::from_raw_parts(self.keys.get().add(range.start), range.len()) }
    }
}

/// Some bits of the distance of a key from a base.
#[derive(Clone, Copy)]
pub(super) struct Digit {
    base: u64,
    shift: u32,
    bits: u32,
}

impl Digit {
    /// The digit for a partition of `n` keys: the highest bits.
    pub fn highest(n: usize, keys: Extremes) -> Digit {
        let all = keys.bits();
        let bits = (n / BUCKET).max(1).ilog2().min(PARTITION_BITS).min(all);
        Digit {
            base: keys.least,
            shift: all - bits,
            bits,
        }
    }

    /// How many values it has.
    pub fn values(&self) -> usize {
        1 << self.bits
    }

    #[inline(always)]
    fn of(&self, key: impl Key) -> usize {
        ((key.wide() - self.base) >> self.shift) as usize & (self.values() - 1)
    }
}

/// Counts the keys with each value of a digit.
pub(super) fn histogram<K: Key>(keys: &[K], digit: &Digit, counts: &mut [usize]) {
    for &key in keys {
        counts[digit.of(key)] += 1;
    }
}

/// Replaces counts by where the entries of each bucket begin: the sums of those before.
fn accumulate(counts: &mut [usize]) {
    let mut total = 0;
    for count in counts {
        total += std::mem::replace(count, total);
    }
}

/// Moves entries to the buckets of a digit, in order. The cursors are advanced.
///
/// # Safety
/// There is a value for each key. By the histogram of these keys, `cursors` are where their entries go in each bucket, for which `to` is valid.
#[inline(never)]
pub(super) unsafe fn scatter<K: Key, E: Element>(
    keys: &[K],
    values: *const E,
    digit: &Digit,
    cursors: &mut [usize],
    to: Entries<K, E>,
) {
    for (row, &key) in keys.iter().enumerate() {
        let cursor = &mut cursors[digit.of(key)];
        // SAFETY: the caller's promise.
        unsafe {
            to.keys.get().add(*cursor).write(key);
            to.values
                .get()
                .add(*cursor)
                .write(values.add(row).read_unaligned());
        }
        *cursor += 1;
    }
}

/// Sorts `n` entries with the help of a spare place for as many. Gives `sink` all of them in order, some at a time: keys and values.
///
/// # Safety
/// The entries were written, and nobody else uses either place.
pub(super) unsafe fn sort<K: Key, E: Element>(
    entries: Entries<K, E>,
    spare: Entries<K, E>,
    n: usize,
    sink: &mut impl FnMut(&[K], *const E),
) {
    // SAFETY: the caller's promise.
    let keys = unsafe { entries.keys(0..n) };
    let extremes = keys
        .iter()
        .fold(Extremes::NONE, |all, key| all.with(key.wide()));
    if n <= LARGEST || extremes.least == extremes.greatest {
        // SAFETY: the caller's promise.
        unsafe {
            let sorted = sort_digits(entries, spare, n, extremes);
            return sink(sorted.keys(0..n), sorted.values.get());
        }
    }
    let digit = Digit::highest(n, extremes);
    let mut cursors = vec![0; digit.values()];
    histogram(keys, &digit, &mut cursors);
    accumulate(&mut cursors);
    // SAFETY: the cursors are where the buckets begin in the spare place, then where they end. Each bucket has fewer bits than all.
    unsafe {
        scatter(keys, entries.values.get(), &digit, &mut cursors, spare);
        let mut start = 0;
        for end in cursors {
            sort(spare.from(start), entries.from(start), end - start, sink);
            start = end;
        }
    }
}

/// An insertion sort.
fn insert<K: Key, E: Element>(keys: &mut [K], values: &mut [E]) {
    for end in 1..keys.len() {
        let mut at = end;
        while at > 0 && keys[at - 1].wide() > keys[at].wide() {
            keys.swap(at - 1, at);
            values.swap(at - 1, at);
            at -= 1;
        }
    }
}

/// An LSD radix sort, of few entries an insertion sort. Returns the place of the result.
///
/// # Safety
/// As for [`sort`], of whose keys these are the extremes.
unsafe fn sort_digits<K: Key, E: Element>(
    entries: Entries<K, E>,
    spare: Entries<K, E>,
    n: usize,
    extremes: Extremes,
) -> Entries<K, E> {
    if n <= FEW {
        // SAFETY: the entries were written, and nobody else uses them.
        unsafe {
            let keys = slice::from_raw_parts_mut(entries.keys.get(), n);
            insert(keys, slice::from_raw_parts_mut(entries.values.get(), n));
        }
        return entries;
    }
    let (mut from, mut to) = (entries, spare);
    let all = extremes.bits();
    let passes = all.div_ceil(DIGIT_BITS[usize::from(n >= MANY)]);
    let mut cursors = [0; 1 << DIGIT_BITS[1]];
    for pass in 0..passes {
        let bits = all.div_ceil(passes);
        let digit = Digit {
            base: extremes.least,
            shift: pass * bits,
            bits,
        };
        let cursors = &mut cursors[..digit.values()];
        cursors.fill(0);
        // SAFETY: the entries were written; the cursors are where the buckets begin.
        unsafe {
            let keys = from.keys(0..n);
            histogram(keys, &digit, cursors);
            accumulate(cursors);
            scatter(keys, from.values.get(), &digit, cursors, to);
        }
        (from, to) = (to, from);
    }
    from
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sorts keys, whose values are their numbers, beside the standard library's stable sort.
    fn check<K: Key>(keys: &[u64]) {
        let n = keys.len();
        let mut expected: Vec<(u64, u32)> = keys.iter().copied().zip(0..).collect();
        expected.sort_by_key(|&(key, _)| key);
        // Uninitialised, so that Miri sees reads that come too early.
        let mut spare = (Vec::<K>::with_capacity(n), Vec::<u32>::with_capacity(n));
        let mut narrow: Vec<K> = keys.iter().map(|&key| K::narrow(key)).collect();
        let mut values: Vec<u32> = (0..n as u32).collect();
        let [entries, spare] = [
            (narrow.as_mut_ptr(), values.as_mut_ptr()),
            (spare.0.as_mut_ptr(), spare.1.as_mut_ptr()),
        ]
        .map(|(keys, values)| Entries {
            keys: Shared(keys),
            values: Shared(values),
        });
        let mut sorted = Vec::with_capacity(n);
        // SAFETY: both places have room for so many; the first has them.
        unsafe {
            sort(entries, spare, n, &mut |keys: &[K], values| {
                let values = slice::from_raw_parts(values, keys.len());
                sorted.extend(
                    keys.iter()
                        .map(|key| key.wide())
                        .zip(values.iter().copied()),
                );
            });
        }
        assert!(sorted == expected, "{keys:?}");
    }

    #[test]
    fn sorts_are_stable_however_keys_are_distributed() {
        let mut seed = 1u64;
        let mut random = |below: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            ((u128::from(seed) * u128::from(below)) >> u64::BITS) as u64
        };
        for n in [
            0,
            1,
            2,
            FEW,
            FEW + 1,
            BUCKET,
            LARGEST,
            LARGEST + 1,
            3 * LARGEST,
        ] {
            let most = u64::from(u32::MAX);
            check::<u32>(&(0..n).map(|_| random(most + 1)).collect::<Vec<_>>());
            check::<u32>(&(0..n).map(|_| most - random(10)).collect::<Vec<_>>());
            check::<u64>(&vec![u64::MAX; n]);
            check::<u64>(
                &(0..n)
                    .map(|_| random(1 << 60) >> random(60))
                    .collect::<Vec<_>>(),
            );
            // Nearly all in one bucket of each partition.
            let mut crowded: Vec<u64> = (0..n).map(|_| (1 << 50) + random(1 << 20)).collect();
            for (k, key) in crowded.iter_mut().take(6).enumerate() {
                *key = [0, u64::MAX, 1 << 62, 1 << 40, (1 << 50) + (1 << 30), 5][k];
            }
            check::<u64>(&crowded);
        }
    }

    #[test]
    fn a_partition_has_more_buckets_the_more_keys_there_are() {
        let all = Extremes::NONE.with(7).with(u64::MAX);
        let buckets = |n| Digit::highest(n, all).values();
        assert_eq!([0, 1, 2 * BUCKET - 1].map(buckets), [1; 3]);
        assert_eq!(buckets(2 * BUCKET), 2);
        assert_eq!(buckets(usize::MAX), 1 << PARTITION_BITS);
        // As many as there are keys at most.
        let few = Digit::highest(usize::MAX, Extremes::NONE.with(7).with(8));
        assert_eq!((few.values(), few.of(7u64), few.of(8u64)), (2, 0, 1));
        assert_eq!(
            Digit::highest(usize::MAX, Extremes::NONE.with(7)).values(),
            1
        );
    }
}

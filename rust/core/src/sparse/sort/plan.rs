//! Buckets of equal length, the histogram of the keys, and the shares of the threads.
//!
//! Invariants:
//!
//! 1. Every key of the range has one bucket, greater keys the same or a later one: what is in order in each bucket is in order as a whole.
//! 2. The first key of its bucket plus its offset there is the key; offsets are less than `1 << shift`.
//! 3. Accumulated, the histogram says where each part of the rows puts its first entry of each bucket: parts in order, without overlaps or gaps.

use std::ops::Range;

use crate::parallel;
use crate::Error;

/// The most buckets: each has a cache line of its own while entries are moved.
const MOST_BUCKETS: usize = 4096;
/// How many entries a bucket of records should have.
const RECORDS: usize = if cfg!(miri) { 8 } else { 4096 };
/// The most buckets of records; a power of two.
pub(super) const MOST_RECORD_BUCKETS: usize = if cfg!(miri) { 64 } else { 2048 };
/// A bucket is overfull above this multiple of its fair share of records.
pub(super) const CROWD: usize = 8;
/// A bitmap pays off if at least one key in this many occurs.
const SPARSEST: u64 = 128;
/// The logarithm of how many bytes of values a window has at most.
const WINDOW_BITS: u32 = if cfg!(miri) { 5 } else { 19 };
/// The logarithm of how many keys a window should have: then its bits and ranks stay in the nearest cache.
const WINDOW_KEYS: u32 = if cfg!(miri) { 4 } else { 17 };

/// The type of a key, or of its offset in its bucket: 32 or 64 bits.
pub(in crate::sparse) trait Key: Copy + Ord + Send + Sync + 'static {
    fn narrow(key: u64) -> Self;
    fn wide(self) -> u64;
}

impl Key for u32 {
    #[inline(always)]
    fn narrow(key: u64) -> u32 {
        key as u32
    }

    #[inline(always)]
    fn wide(self) -> u64 {
        u64::from(self)
    }
}

impl Key for u64 {
    #[inline(always)]
    fn narrow(key: u64) -> u64 {
        key
    }

    #[inline(always)]
    fn wide(self) -> u64 {
        self
    }
}

/// How keys are divided into buckets.
#[derive(Clone, Copy, Debug)]
pub(in crate::sparse) struct Plan {
    /// The first key of the first bucket.
    base: u64,
    /// The logarithm of how many keys a bucket has.
    pub shift: u32,
    pub buckets: usize,
    /// Whether buckets are windows.
    pub windows: bool,
}

impl Plan {
    /// For `n` keys in a range that is not empty.
    pub fn new(n: usize, width: usize, keys: Range<u64>) -> Plan {
        let most = keys.end - 1 - keys.start;
        let bits = u64::BITS - most.leading_zeros();
        let largest = WINDOW_BITS - width.ilog2();
        let window = bits
            .saturating_sub(MOST_BUCKETS.ilog2())
            .clamp(WINDOW_KEYS.min(largest), largest);
        let windows =
            (n as u64).saturating_mul(SPARSEST) > most && most >> window < MOST_BUCKETS as u64;
        let shift = if windows {
            window.min(bits)
        } else {
            bits - record_buckets(n).ilog2().min(bits)
        };
        Plan {
            base: keys.start,
            shift,
            buckets: (most >> shift) as usize + 1,
            windows,
        }
    }

    /// Whether a bucket of records is overfull: the keys are skewed.
    pub fn is_crowded(&self, n: usize, counts: &Counts) -> bool {
        !self.windows && counts.largest() > CROWD * n.div_ceil(record_buckets(n)).max(RECORDS)
    }

    #[inline(always)]
    pub fn bucket(&self, key: u64) -> usize {
        ((key - self.base) >> self.shift) as usize
    }

    /// The offset of a key in its bucket.
    #[inline(always)]
    pub fn offset(&self, key: u64) -> u64 {
        (key - self.base) & !(u64::MAX << self.shift)
    }

    /// The bucket of a key, and its offset there.
    #[inline(always)]
    pub fn place(&self, key: u64) -> (usize, u64) {
        (self.bucket(key), self.offset(key))
    }

    /// The first key of a bucket.
    pub fn first(&self, bucket: usize) -> u64 {
        self.base + ((bucket as u64) << self.shift)
    }
}

/// How many buckets `n` records should have.
pub(super) fn record_buckets(n: usize) -> usize {
    (n / RECORDS).clamp(1, MOST_RECORD_BUCKETS)
}

/// The histogram: a count for each part of the rows and each bucket.
pub(in crate::sparse) struct Counts {
    numbers: Vec<usize>,
    buckets: usize,
}

impl Counts {
    pub fn new(parts: usize, buckets: usize) -> Result<Counts, Error> {
        let mut numbers = Vec::new();
        let asked = parts * buckets;
        numbers
            .try_reserve_exact(asked)
            .map_err(|_| no_memory::<usize>(asked))?;
        numbers.resize(asked, 0);
        Ok(Counts { numbers, buckets })
    }

    /// How many parts the rows have.
    pub fn parts(&self) -> usize {
        self.numbers.len() / self.buckets
    }

    pub fn buckets(&self) -> usize {
        self.buckets
    }

    /// How many the largest bucket has, of all parts.
    pub fn largest(&self) -> usize {
        let of_bucket = |bucket| self.numbers[bucket..].iter().step_by(self.buckets).sum();
        (0..self.buckets).map(of_bucket).max().unwrap_or(0)
    }

    pub fn each(&mut self) -> impl Iterator<Item = (usize, &mut [usize])> {
        self.numbers.chunks_exact_mut(self.buckets).enumerate()
    }

    /// Adds another histogram of as many parts and buckets.
    pub fn add(&mut self, counts: &Counts) {
        for (sum, number) in self.numbers.iter_mut().zip(&counts.numbers) {
            *sum += number;
        }
    }

    /// Replaces counts by their exclusive prefix sums, bucket after bucket, and in each part after part: the cursors of pass 2. Returns where the
    /// buckets begin, and where the last one ends.
    pub fn accumulate(&mut self) -> Vec<usize> {
        let mut total = 0;
        let mut starts = Vec::with_capacity(self.buckets + 1);
        for bucket in 0..self.buckets {
            starts.push(total);
            for at in (bucket..self.numbers.len()).step_by(self.buckets) {
                total += std::mem::replace(&mut self.numbers[at], total);
            }
        }
        starts.push(total);
        starts
    }
}

/// The allocator cannot provide that many numbers.
pub(super) fn no_memory<T>(numbers: usize) -> Error {
    Error::Refused {
        asked: numbers.saturating_mul(size_of::<T>()),
        what: "memory to sort with",
        reason: "the allocator has no more".to_owned(),
    }
}

/// Divides the buckets among `parts` jobs: consecutive ones, with about as many entries each.
pub(super) fn shares(starts: &[usize], parts: usize) -> Vec<Range<usize>> {
    let buckets = starts.len() - 1;
    let n = starts[buckets];
    let mut first = 0;
    (1..=parts)
        .map(|part| {
            let target = parallel::part_start(n, part, parts);
            let end = if part == parts {
                buckets
            } else {
                starts
                    .partition_point(|&start| start < target)
                    .clamp(first, buckets)
            };
            let share = first..end;
            first = end;
            share
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_has_a_bucket() {
        for n in [1, 100, 100_000, 10_000_000] {
            for width in [1, 2, 4, 8] {
                for end in [
                    1,
                    2,
                    63,
                    4096,
                    1 << 26,
                    (1 << 26) + 1,
                    1 << 40,
                    i64::MAX as u64,
                ] {
                    for start in [0, end / 3, end - 1] {
                        let plan = Plan::new(n, width, start..end);
                        assert_eq!(plan.bucket(end - 1), plan.buckets - 1, "{n} {end} {plan:?}");
                        assert!(plan.buckets <= MOST_BUCKETS, "{n} {end} {plan:?}");
                        let key = start + (end - start) / 2;
                        assert_eq!(
                            plan.first(plan.bucket(key)) + plan.offset(key),
                            key,
                            "{plan:?}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn shares_are_all_buckets_in_order() {
        assert_eq!(shares(&[0, 5, 6, 10], 2), [0..1, 1..3]);
        assert_eq!(shares(&[0, 10, 10], 3), [0..1, 1..1, 1..2]);
        assert_eq!(shares(&[0, 0], 2), [0..0, 0..1]);
    }

    #[test]
    fn counts_that_no_memory_holds_are_an_error_about_sorting() {
        // More than any allocator is asked for: with 32 bits, the system may well have half of that.
        let most = usize::MAX / size_of::<usize>();
        let error = Counts::new(1, most).err().unwrap();
        assert_eq!(
            error.to_string(),
            format!(
                "the system has no {} bytes of memory to sort with: the allocator has no more",
                most * size_of::<usize>()
            )
        );
    }
}

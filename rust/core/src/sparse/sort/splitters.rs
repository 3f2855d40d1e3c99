//! Sample sort's splitters, for keys that are skewed in many places: buckets begin at keys of a sample, so that each has about as many entries.
//!
//! Invariants:
//!
//! 1. Every key of the range has one bucket, greater keys the same or a later one; the first key of its bucket plus its offset there is the key.
//! 2. A key that is twice [`SAMPLES`] times or more in the sample has a bucket of its own, where nothing is left to sort.

use std::ops::Range;

use super::plan::MOST_RECORD_BUCKETS as MOST;

/// The oversampling factor, keys of the sample for each bucket: then one bucket in a million has four times its share.
pub(super) const SAMPLES: usize = 16;
/// How many keys are looked up at a time, so that their cache misses overlap.
pub(super) const ABREAST: usize = 4;

/// Where buckets begin.
pub(super) struct Splitters {
    /// The first key of each bucket, ascending, padded with a number that is no key.
    firsts: Box<[u64; MOST]>,
    buckets: usize,
    /// Behind the last key.
    end: u64,
}

impl Splitters {
    /// For keys in a range that is not empty, from a sorted sample of them with [`SAMPLES`] keys for each bucket.
    pub fn new(keys: Range<u64>, sample: &[u64]) -> Splitters {
        let mut firsts = Box::new([u64::MAX; MOST]);
        firsts[0] = keys.start;
        let mut last = 0;
        for &key in sample.iter().step_by(SAMPLES).skip(1).take(MOST - 1) {
            // A key that begins a bucket already has many entries: it gets that bucket alone, and the next begins after it.
            let first = key + u64::from(key == firsts[last]);
            if first > firsts[last] && first < keys.end {
                last += 1;
                firsts[last] = first;
            }
        }
        Splitters {
            firsts,
            buckets: last + 1,
            end: keys.end,
        }
    }

    pub fn buckets(&self) -> usize {
        self.buckets
    }

    /// The buckets of some keys, by a branchless binary search: branches would be unpredictable.
    #[inline(always)]
    pub fn buckets_of(&self, keys: [u64; ABREAST]) -> [usize; ABREAST] {
        let firsts = &*self.firsts;
        let mut found = [0; ABREAST];
        let mut half = MOST / 2;
        while half > 0 {
            for (at, key) in found.iter_mut().zip(keys) {
                // A product, because the compiler would make a branch of a choice. The remainder is a no-op that removes the bounds check.
                *at += half * usize::from(firsts[(*at + half) % MOST] <= key);
            }
            half /= 2;
        }
        found
    }

    /// The buckets of some keys, and their offsets there.
    #[inline(always)]
    pub fn places(&self, keys: [u64; ABREAST]) -> [(usize, u64); ABREAST] {
        let buckets = self.buckets_of(keys);
        std::array::from_fn(|k| (buckets[k], keys[k] - self.firsts[buckets[k]]))
    }

    /// The first key of a bucket.
    pub fn first(&self, bucket: usize) -> u64 {
        self.firsts[bucket]
    }

    /// How many bits the offsets of a bucket have.
    pub fn bits(&self, bucket: usize) -> u32 {
        let end = if bucket + 1 < self.buckets {
            self.firsts[bucket + 1]
        } else {
            self.end
        };
        u64::BITS - (end - 1 - self.firsts[bucket]).leading_zeros()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A sample that has each of the keys so often.
    fn sample(keys: &[(u64, usize)]) -> Vec<u64> {
        let times = keys.iter().map(|&(key, n)| vec![key; n]);
        times.flatten().collect()
    }

    #[test]
    fn a_key_with_many_entries_has_a_bucket_of_its_own() {
        let sample = sample(&[(3, 1), (50, 3 * SAMPLES), (51, 2 * SAMPLES), (90, SAMPLES)]);
        let splitters = Splitters::new(0..100, &sample);
        let firsts: Vec<u64> = (0..splitters.buckets())
            .map(|at| splitters.first(at))
            .collect();
        assert_eq!(firsts, [0, 50, 51, 52, 90]);
        let bits: Vec<u32> = (0..splitters.buckets())
            .map(|at| splitters.bits(at))
            .collect();
        assert_eq!(bits, [6, 0, 0, 6, 4]);
        assert_eq!(
            splitters.places([49, 50, 52, 99]),
            [(0, 49), (1, 0), (3, 0), (4, 9)]
        );
    }

    #[test]
    fn one_key_in_all_places_is_one_bucket() {
        for key in [0, 7, i64::MAX as u64 - 1] {
            let splitters = Splitters::new(key..key + 1, &sample(&[(key, 8 * SAMPLES)]));
            assert_eq!((splitters.buckets(), splitters.bits(0)), (1, 0));
            assert_eq!(splitters.buckets_of([key; ABREAST]), [0; ABREAST]);
        }
    }

    #[test]
    fn there_are_no_more_buckets_than_there_may_be() {
        let sample: Vec<u64> = (0..(MOST * SAMPLES) as u64).collect();
        let splitters = Splitters::new(0..sample.len() as u64, &sample);
        assert_eq!(splitters.buckets(), MOST);
        let last = sample.len() as u64 - 1;
        assert_eq!(splitters.buckets_of([0, 15, 16, last]), [0, 0, 1, MOST - 1]);
        assert_eq!(splitters.bits(MOST - 1), SAMPLES.ilog2());
    }
}

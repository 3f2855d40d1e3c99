//! How keys are divided into buckets of about equal size, however they are distributed.
//!
//! Ranges of equal length are found by a shift, and suffice unless keys are skewed. The histogram says whether they are; a sample of the keys says
//! where. What the sample misses may make a bucket larger than it should be, but nothing wrong: buckets are counted before they are filled.

use std::ops::Range;

use super::outliers::Core;
use super::plan::{no_memory, record_buckets, Counts, Key, Plan, CROWD};
use super::splitters::{Splitters, SAMPLES};
use crate::parallel::{self, Shared};
use crate::Error;

/// All keys, in private memory.
#[derive(Clone, Copy)]
pub(super) struct Keys<K> {
    start: Shared<*const K>,
    n: usize,
    /// How many threads share them.
    parts: usize,
}

impl<K: Key> Keys<K> {
    /// # Safety
    /// There are `n` keys, all written, which nobody writes as long as this is used.
    pub unsafe fn new(start: *const K, n: usize, parts: usize) -> Keys<K> {
        Keys {
            start: Shared(start),
            n,
            parts,
        }
    }

    fn at(&self, row: usize) -> u64 {
        assert!(row < self.n, "no such row");
        // SAFETY: there is such a key.
        unsafe { self.start.get().add(row).read() }.wide()
    }

    /// The histogram: how many keys of each part of the rows fall into each bucket. `buckets` maps `N` keys at a time.
    pub fn count<const N: usize>(
        &self,
        buckets: usize,
        buckets_of: impl Fn([u64; N]) -> [usize; N] + Sync,
    ) -> Result<Counts, Error> {
        let mut counts = Counts::new(self.parts, buckets)?;
        parallel::run(counts.each(), |(part, counts)| {
            let start = parallel::part_start(self.n, part, self.parts);
            let len = parallel::part_start(self.n, part + 1, self.parts) - start;
            // SAFETY: there are such keys, by the promise of `new`.
            let keys = unsafe { std::slice::from_raw_parts(self.start.get().add(start), len) };
            let mut abreast = keys.chunks_exact(N);
            for keys in &mut abreast {
                for bucket in buckets_of(std::array::from_fn(|k| keys[k].wide())) {
                    counts[bucket] += 1;
                }
            }
            for key in abreast.remainder() {
                counts[buckets_of([key.wide(); N])[0]] += 1;
            }
        });
        Ok(counts)
    }

    /// A sorted sample of `size` keys, from rows picked at random, because a periodic input could be in step with evenly spaced rows.
    fn sample(&self, size: usize) -> Result<Vec<u64>, Error> {
        let mut sample = Vec::new();
        sample
            .try_reserve_exact(size)
            .map_err(|_| no_memory::<u64>(size))?;
        let mut random = 0u64;
        sample.extend((0..size).map(|_| {
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            self.at(((u128::from(random) * self.n as u128) >> u64::BITS) as usize)
        }));
        sample.sort_unstable();
        Ok(sample)
    }
}

/// How keys are divided into buckets.
pub(super) enum Division {
    /// Into ranges of equal length.
    Even(Plan),
    /// Into ranges of equal length, with outliers split off.
    Core(Core),
    /// At splitters from a sample.
    Crowded(Splitters),
}

impl Division {
    /// For skewed keys, too many of which are in one bucket of a plan; the range is not empty. Counts them anew.
    pub fn of_crowd<K: Key>(
        keys: &Keys<K>,
        width: usize,
        range: Range<u64>,
    ) -> Result<(Division, Counts), Error> {
        let sample = keys.sample(record_buckets(keys.n) * SAMPLES)?;
        // An overfull bucket has more than several should have; so the sample covers several buckets, and the core is not empty.
        let inside = &sample[SAMPLES..sample.len() - SAMPLES];
        let core = core(inside, &range);
        let plan = Plan::new(keys.n, width, core.clone());
        if (core.end - core.start) < (range.end - range.start) / 8 && suits(&plan, inside) {
            let core = Core::new(plan, core, range);
            let counts = keys.count(core.buckets(), |[key]| [core.count(key)])?;
            return Ok((Division::Core(core), counts));
        }
        let splitters = Splitters::new(range, &sample);
        let counts = keys.count(splitters.buckets(), |keys| splitters.buckets_of(keys))?;
        Ok((Division::Crowded(splitters), counts))
    }

    /// The number of keys that a window spans, if buckets are windows.
    pub fn window(&self) -> Option<usize> {
        match self {
            Division::Even(plan) => Some(plan),
            Division::Core(core) => Some(core.plan()),
            Division::Crowded(_) => None,
        }
        .filter(|plan| plan.windows)
        .map(|plan| 1 << plan.shift)
    }

    /// Whether a bucket is a window.
    pub fn is_window(&self, bucket: usize) -> bool {
        match self {
            Division::Even(plan) => plan.windows,
            Division::Core(core) => core.plan().windows && core.is_inside(bucket),
            Division::Crowded(_) => false,
        }
    }

    /// The first key of a bucket.
    pub fn first(&self, bucket: usize) -> u64 {
        match self {
            Division::Even(plan) => plan.first(bucket),
            Division::Core(core) => core.first(bucket),
            Division::Crowded(splitters) => splitters.first(bucket),
        }
    }

    /// How many bits the offsets of a bucket have.
    pub fn bits(&self, bucket: usize) -> u32 {
        match self {
            Division::Even(plan) => plan.shift,
            Division::Core(core) => core.bits(bucket),
            Division::Crowded(splitters) => splitters.bits(bucket),
        }
    }

    /// The most bits that an offset has in the first `buckets` buckets.
    pub fn most_bits(&self, buckets: usize) -> u32 {
        let bits = (0..buckets).map(|bucket| self.bits(bucket));
        bits.max().unwrap_or(0)
    }

    /// Whether a bucket is a single key, so that nothing is left to sort.
    pub fn is_one_key(&self, bucket: usize) -> bool {
        !self.is_window(bucket) && self.bits(bucket) == 0
    }

    /// The prefix sums of the work of the buckets, in records, given where each begins.
    pub fn work(&self, starts: &[usize]) -> Vec<usize> {
        let mut done = 0;
        let mut work = vec![done];
        for (bucket, pair) in starts.windows(2).enumerate() {
            done += if self.is_one_key(bucket) {
                1
            } else {
                pair[1] - pair[0]
            };
            work.push(done);
        }
        work
    }
}

/// A core range: the middle of the sample, widened by a quarter on each side, so that only outliers are beyond it.
fn core(inside: &[u64], keys: &Range<u64>) -> Range<u64> {
    let (first, last) = (inside[0], inside[inside.len() - 1]);
    let margin = (last - first) / 4;
    first.saturating_sub(margin).max(keys.start)..(last + 1 + margin).min(keys.end)
}

/// Whether no bucket of a plan is overfull with the sample from inside the core. Windows may be: they pass over each record once or twice, in the
/// cache.
fn suits(plan: &Plan, inside: &[u64]) -> bool {
    let mut together = inside.chunk_by(|&one, &other| plan.bucket(one) == plan.bucket(other));
    plan.windows || together.all(|keys| keys.len() <= CROWD * SAMPLES)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sparse::sort::splitters::ABREAST;

    const N: usize = if cfg!(miri) { 240 } else { 300_000 };
    const END: u64 = 1 << 60;

    /// Random numbers below an end.
    fn random(mut seed: u64) -> impl FnMut(u64) -> u64 {
        move |end| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            ((u128::from(seed) * u128::from(end)) >> u64::BITS) as u64
        }
    }

    /// Divides keys of some distribution, with two in the corners of the shape. Each must have a bucket, and no bucket much more than its share,
    /// unless it is a single key.
    fn divide(mut key: impl FnMut(usize) -> u64) -> Division {
        let mut keys: Vec<u64> = (0..N).map(&mut key).collect();
        (keys[N / 3], keys[N / 2]) = (0, END - 1);
        // SAFETY: they are there.
        let all = unsafe { Keys::new(keys.as_ptr(), N, 3) };
        let even = Plan::new(N, 4, 0..END);
        let counts = all.count(even.buckets, |[key]| [even.bucket(key)]).unwrap();
        assert!(even.is_crowded(N, &counts), "else this tests nothing");

        let (division, mut counts) = Division::of_crowd(&all, 4, 0..END).unwrap();
        let buckets = counts.buckets();
        let starts = counts.accumulate();
        assert_eq!((starts.len(), starts[buckets]), (buckets + 1, N));
        let part = N / record_buckets(N);
        for bucket in 0..buckets {
            let n = starts[bucket + 1] - starts[bucket];
            let done = division.is_window(bucket) || division.is_one_key(bucket);
            assert!(done || n <= CROWD * part, "{n} of {part} in {bucket}");
        }

        keys.sort_unstable();
        for (row, &key) in keys.iter().enumerate() {
            let (bucket, offset) = match &division {
                Division::Even(plan) => plan.place(key),
                Division::Core(core) => core.place(key),
                Division::Crowded(splitters) => splitters.places([key; ABREAST])[0],
            };
            assert!((starts[bucket]..starts[bucket + 1]).contains(&row), "{key}");
            assert_eq!(division.first(bucket) + offset, key);
            assert!(offset >> division.bits(bucket) == 0, "{offset} in {bucket}");
        }
        division
    }

    #[test]
    fn a_row_beside_two_outliers_is_divided_as_if_it_were_alone() {
        let mut random = random(1);
        let row = divide(|_| END / 2 + random(1 << 31));
        assert!(matches!(row, Division::Core(_)));
        assert_eq!(row.window(), None);
        assert!(row.most_bits(100) <= u32::BITS, "records are as short");
        let close = divide(|_| END / 2 + random(2 * N as u64));
        assert!(matches!(close, Division::Core(_)));
        assert!(close.window().is_some());
    }

    #[test]
    fn clusters_and_powers_are_divided_where_they_crowd() {
        let mut random = random(2);
        let clusters = divide(|row| (1 + row as u64 % 3) * (END / 5) + random(1 << 32));
        assert!(matches!(clusters, Division::Crowded(_)));
        let powers = divide(|_| random(END) >> random(60));
        assert!(matches!(powers, Division::Crowded(_)));
        // In rows of a large matrix.
        divide(|_| ((random(1 << 30) >> random(30)) << 30) + (random(1 << 30) >> random(30)));
    }

    #[test]
    fn many_equal_keys_are_no_work() {
        let division = divide(|_| END / 2);
        assert!(division.most_bits(3) <= 1);
        let mut random = random(3);
        // Most of them equal to one of three.
        let division = divide(|row| match row % 4 {
            0 => random(END),
            k => END / 4 * k as u64,
        });
        assert!(matches!(division, Division::Crowded(_)));
        let Division::Crowded(splitters) = &division else {
            unreachable!("as was asserted");
        };
        let one_key: Vec<bool> = (0..splitters.buckets())
            .map(|bucket| division.is_one_key(bucket))
            .collect();
        assert!(one_key.contains(&true) && one_key.contains(&false));
        let starts: Vec<usize> = (0..=one_key.len()).map(|k| k * 1000).collect();
        let work = division.work(&starts);
        for (k, one) in one_key.into_iter().enumerate() {
            assert_eq!(work[k + 1] - work[k], if one { 1 } else { 1000 });
        }
    }

    #[test]
    fn what_repeats_itself_does_not_keep_pace_with_the_sample() {
        let mut random = random(4);
        // Every 64th key is far from the others, and they are many.
        divide(|row| match row % 64 {
            0 => random(END),
            _ => END / 3 + random(1 << 40),
        });
    }
}

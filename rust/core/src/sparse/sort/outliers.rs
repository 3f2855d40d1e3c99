//! If all keys but a few are in a small part of their range, that core is divided evenly; the outliers below and above it have a bucket each.
//!
//! Invariants:
//!
//! 1. Every key of the range has one bucket, greater keys the same or a later one; the first key of its bucket plus its offset there is the key.
//! 2. Once all keys were counted, the offsets of outliers have as few bits as the actual outliers allow: two in the corners of a large shape make no
//!    record longer.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use super::plan::Plan;

/// Keys with a core.
pub(super) struct Core {
    /// How the core is divided.
    plan: Plan,
    core: Range<u64>,
    /// Where all keys are.
    keys: Range<u64>,
    /// The last key below the core, of those that were counted.
    below: AtomicU64,
    /// The first key above the core, of those that were counted.
    above: AtomicU64,
}

impl Core {
    /// With a core that is a part of the range of keys.
    pub fn new(plan: Plan, core: Range<u64>, keys: Range<u64>) -> Core {
        Core {
            plan,
            below: AtomicU64::new(keys.start),
            above: AtomicU64::new(keys.end - 1),
            core,
            keys,
        }
    }

    /// How the core is divided.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The number of buckets: one below the core, the buckets of the core, and one above.
    pub fn buckets(&self) -> usize {
        self.plan.buckets + 2
    }

    /// Whether a bucket is one of the core.
    pub fn is_inside(&self, bucket: usize) -> bool {
        (1..=self.plan.buckets).contains(&bucket)
    }

    /// The bucket of a key, which is counted.
    #[inline(always)]
    pub fn count(&self, key: u64) -> usize {
        if self.core.contains(&key) {
            self.plan.bucket(key) + 1
        } else if key < self.core.start {
            self.below.fetch_max(key, Ordering::Relaxed);
            0
        } else {
            self.above.fetch_min(key, Ordering::Relaxed);
            self.plan.buckets + 1
        }
    }

    /// The bucket of a key that was counted, and its offset there.
    #[inline(always)]
    pub fn place(&self, key: u64) -> (usize, u64) {
        if self.core.contains(&key) {
            (self.plan.bucket(key) + 1, self.plan.offset(key))
        } else if key < self.core.start {
            (0, key - self.keys.start)
        } else {
            let above = self.above.load(Ordering::Relaxed);
            (self.plan.buckets + 1, key - above)
        }
    }

    /// The first key of a bucket.
    pub fn first(&self, bucket: usize) -> u64 {
        match bucket {
            0 => self.keys.start,
            _ if self.is_inside(bucket) => self.plan.first(bucket - 1),
            _ => self.above.load(Ordering::Relaxed),
        }
    }

    /// How many bits the offsets of a bucket have.
    pub fn bits(&self, bucket: usize) -> u32 {
        let most = match bucket {
            0 => self.below.load(Ordering::Relaxed) - self.keys.start,
            _ if self.is_inside(bucket) => return self.plan.shift,
            _ => self.keys.end - 1 - self.above.load(Ordering::Relaxed),
        };
        u64::BITS - most.leading_zeros()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outliers_have_offsets_as_short_as_they_lie_close() {
        let core = (1 << 40)..(1 << 40) + 1000;
        let end = 1 << 60;
        let divided = Core::new(Plan::new(500, 4, core.clone()), core.clone(), 5..end);
        let last = divided.buckets() - 1;
        // As if there were none.
        assert_eq!((divided.bits(0), divided.bits(last)), (0, 0));
        let keys = [
            5,
            8,
            core.start - 1 - (1 << 39),
            core.start,
            core.end - 1,
            end - 5,
            end - 1,
        ];
        for key in [8, 5, core.start, core.end - 1, end - 1, end - 5] {
            divided.count(key);
        }
        assert_eq!((divided.bits(0), divided.bits(last)), (2, 3));
        divided.count(keys[2]);
        assert_eq!((divided.bits(0), divided.bits(last)), (39, 3));
        let places = keys.map(|key| (divided.place(key), key));
        for ((bucket, offset), key) in places {
            assert_eq!(bucket, divided.count(key));
            assert_eq!(divided.first(bucket) + offset, key);
            assert_eq!(divided.is_inside(bucket), core.contains(&key), "{key}");
        }
        assert!(places.is_sorted());
    }
}

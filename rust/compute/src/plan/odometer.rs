//! Loops around each other, the last one fastest.

use smallvec::SmallVec;

/// Where each loop is; few are so deep that this needs memory.
pub(crate) type Place = SmallVec<[i64; 6]>;

/// Where loops of these ranges are in round `k` of all.
pub(crate) fn odometer(ranges: &[i64], mut k: i64) -> Place {
    let mut at = Place::from_elem(0, ranges.len());
    for (at, range) in at.iter_mut().zip(ranges).rev() {
        *at = k % range;
        k /= range;
    }
    at
}

/// The next round; loops before `first` stay.
pub(crate) fn advance(at: &mut [i64], ranges: &[i64], first: usize) {
    for k in (first..at.len()).rev() {
        at[k] += 1;
        if at[k] < ranges[k] {
            return;
        }
        at[k] = 0;
    }
}

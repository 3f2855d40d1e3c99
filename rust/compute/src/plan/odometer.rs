//! The values of nested loops, the last one being the innermost.

use smallvec::SmallVec;

/// The value of each loop, inline for the usual depths.
pub(crate) type Place = SmallVec<[i64; 6]>;

/// The values of loops with these ranges in iteration `k`.
pub(crate) fn odometer(ranges: &[i64], mut k: i64) -> Place {
    let mut at = Place::from_elem(0, ranges.len());
    for (at, range) in at.iter_mut().zip(ranges).rev() {
        // A division takes longer than a short loop, and most begin with their first iteration.
        if k == 0 {
            break;
        }
        *at = k % range;
        k /= range;
    }
    at
}

/// Advances to the next iteration; loops before `first` stay.
pub(crate) fn advance(at: &mut [i64], ranges: &[i64], first: usize) {
    for k in (first..at.len()).rev() {
        at[k] += 1;
        if at[k] < ranges[k] {
            return;
        }
        at[k] = 0;
    }
}

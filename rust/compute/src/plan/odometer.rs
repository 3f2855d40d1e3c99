//! The values of nested loops, the last one being the innermost.

/// Sets loops with these ranges to their values in iteration `k`.
pub(crate) fn set(at: &mut [i64], ranges: &[i64], mut k: i64) {
    at.fill(0);
    for (at, range) in at.iter_mut().zip(ranges).rev() {
        // A division takes longer than a short loop, and most begin with their first iteration.
        if k == 0 {
            break;
        }
        *at = k % range;
        k /= range;
    }
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

//! The values of nested loops, the last one being the innermost.

/// Sets loops with these ranges to their values in iteration `k`.
#[inline]
pub(crate) fn set(at: &mut [i64], ranges: &[i64], mut k: i64) {
    for (at, range) in at.iter_mut().zip(ranges).rev() {
        // A division takes longer than a short loop, and most begin with their first iteration.
        (*at, k) = if k == 0 {
            (0, 0)
        } else {
            (k % range, k / range)
        };
    }
}

/// Advances to the next iteration.
#[inline]
pub(crate) fn advance(at: &mut [i64], ranges: &[i64]) {
    for (at, range) in at.iter_mut().zip(ranges).rev() {
        *at += 1;
        if *at < *range {
            return;
        }
        *at = 0;
    }
}

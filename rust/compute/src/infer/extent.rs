//! The lowest and the highest value of an affine form over loops.

use crate::bound::Affine;

/// What values of affine forms stay within, so that a look-up can be added and nothing overflows.
pub(super) const REACH: i128 = 1 << 62;

/// Least and greatest value, where loops are as many as `ranges`; a loop that runs zero times counts as if it ran once.
pub(super) fn of(affine: &Affine, ranges: &[i64]) -> (i128, i128) {
    let mut extent = (i128::from(affine.constant), i128::from(affine.constant));
    for &(id, coefficient) in &affine.terms {
        add(&mut extent, coefficient, ranges[id]);
    }
    extent
}

/// Adds a loop. Sums saturate: what does is far outside.
pub(super) fn add(extent: &mut (i128, i128), coefficient: i64, range: i64) {
    let reach = i128::from(coefficient) * i128::from((range - 1).max(0));
    if reach < 0 {
        extent.0 = extent.0.saturating_add(reach);
    } else {
        extent.1 = extent.1.saturating_add(reach);
    }
}

//! The lowest and the highest value of an affine form over loops.

use crate::bound::Affine;

/// The bound of the values of affine forms, so that adding a look-up cannot overflow.
pub(crate) const REACH: i128 = 1 << 62;

/// The lowest and the highest value over loops of these `ranges`; a range of 0 counts as 1.
pub(crate) fn of(affine: &Affine, ranges: &[i64]) -> (i128, i128) {
    let mut extent = (i128::from(affine.constant), i128::from(affine.constant));
    for &(id, coefficient) in &affine.terms {
        add(&mut extent, coefficient, ranges[id]);
    }
    extent
}

/// Adds a loop. Sums saturate, which is far out of bounds.
pub(crate) fn add(extent: &mut (i128, i128), coefficient: i64, range: i64) {
    let reach = i128::from(coefficient) * i128::from((range - 1).max(0));
    if reach < 0 {
        extent.0 = extent.0.saturating_add(reach);
    } else {
        extent.1 = extent.1.saturating_add(reach);
    }
}

//! Conditions of guards: what they are, which of them always hold, and which indices they keep inside.

use super::extent::{self, REACH};
use crate::bound::{Affine, Condition};

/// Whether it holds for all values of the loops.
pub(super) fn always_holds(condition: &Condition, ranges: &[i64]) -> bool {
    is_inside(&condition.affine, condition.bound, ranges)
}

/// Whether an index is inside of an axis for all values of the loops.
pub(super) fn is_inside(affine: &Affine, length: i64, ranges: &[i64]) -> bool {
    let (least, greatest) = extent::of(affine, ranges);
    least >= 0 && greatest < i128::from(length)
}

/// Whether one of the conditions keeps an index inside of an axis: it is that of the condition plus a constant.
pub(super) fn keep_inside(conditions: &[Condition], affine: &Affine, length: i64) -> bool {
    conditions.iter().any(|condition| {
        let shift = i128::from(affine.constant) - i128::from(condition.affine.constant);
        condition.affine.terms == affine.terms
            && shift >= 0
            && i128::from(condition.bound) + shift <= i128::from(length)
    })
}

/// Whether values fit an `i64` with room to spare.
pub(super) fn fits(affine: &Affine, ranges: &[i64]) -> bool {
    let (least, greatest) = extent::of(affine, ranges);
    -REACH < least && greatest < REACH
}

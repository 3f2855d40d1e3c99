//! Conditions of guards: which of them always hold, and which indices they keep within bounds.

use super::extent::{self, REACH};
use crate::bound::{Affine, Condition};

/// Whether a condition holds for all values of the loops.
pub(crate) fn always_holds(condition: &Condition, ranges: &[i64]) -> bool {
    is_inside(&condition.affine, condition.bound, ranges)
}

/// Whether an index is within an axis for all values of the loops.
pub(crate) fn is_inside(affine: &Affine, length: i64, ranges: &[i64]) -> bool {
    let (least, greatest) = extent::of(affine, ranges);
    least >= 0 && greatest < i128::from(length)
}

/// Whether one of the conditions keeps an index within an axis: the index is a multiple of the condition's affine form, plus a constant.
pub(crate) fn keep_inside(conditions: &[Condition], affine: &Affine, length: i64) -> bool {
    conditions.iter().any(|condition| {
        let Some(factor) = factor(affine, &condition.affine) else {
            return false;
        };
        // The condition's index is in 0..bound, so this one is between these two.
        let first = i128::from(affine.constant)
            .saturating_sub(factor.saturating_mul(i128::from(condition.affine.constant)));
        let last = first.saturating_add(factor.saturating_mul(i128::from(condition.bound) - 1));
        first.min(last) >= 0 && first.max(last) < i128::from(length)
    })
}

/// The factor between the terms of one affine form and those of another.
fn factor(affine: &Affine, other: &Affine) -> Option<i128> {
    let (&(_, first), &(_, of_other)) = (affine.terms.first()?, other.terms.first()?);
    let (factor, rest) = (
        i128::from(first) / i128::from(of_other),
        i128::from(first) % i128::from(of_other),
    );
    let is_multiple = affine.terms.len() == other.terms.len()
        && affine
            .terms
            .iter()
            .zip(&other.terms)
            .all(|(a, b)| a.0 == b.0 && i128::from(a.1) == factor * i128::from(b.1));
    (rest == 0 && is_multiple).then_some(factor)
}

/// Whether values are within [`extent::REACH`].
pub(crate) fn fits(affine: &Affine, ranges: &[i64]) -> bool {
    is_within(affine, ranges, REACH)
}

/// Whether all values are less than `reach` away from 0.
pub(crate) fn is_within(affine: &Affine, ranges: &[i64], reach: i128) -> bool {
    let (least, greatest) = extent::of(affine, ranges);
    -reach < least && greatest < reach
}

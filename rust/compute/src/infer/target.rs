//! The shape of a statement's target.

use super::extent;
use crate::bound::{Affine, Index};
use crate::operand::DType;

/// Checks that a shape can be in memory: no size is negative, and its bytes fit an `isize`.
pub(crate) fn check_size(shape: &[i64], dtype: Option<DType>) -> Result<(), String> {
    let elements = tensornio_core::shape::elements(shape).map_err(|error| error.to_string())?;
    let width = dtype.map_or(8, DType::width) as i64;
    match elements.checked_mul(width).map(isize::try_from) {
        Some(Ok(_)) => Ok(()),
        _ => Err(format!(
            "shape {shape:?} has more elements than memory can hold"
        )),
    }
}

/// The length that writing at an index needs: the highest position plus 1.
pub(crate) fn length(affine: &Affine, ranges: &[i64]) -> i128 {
    let mut length = 1 + i128::from(affine.constant);
    for &(id, coefficient) in affine
        .terms
        .iter()
        .filter(|&&(_, coefficient)| coefficient > 0)
    {
        length = length.saturating_add(i128::from(coefficient) * (i128::from(ranges[id]) - 1));
    }
    length.max(0)
}

/// The shape of a target, and the faults of writes below 0 or beyond a given shape. Guarded writes are checked at run time, if necessary.
pub(crate) fn shape(
    label: &str,
    target: &str,
    left: &[Index],
    ranges: &[i64],
    pinned: Option<&[i64]>,
    guarded: bool,
) -> Result<Vec<i64>, Vec<String>> {
    let mut faults = Vec::new();
    let mut shape = Vec::new();
    let runs = ranges.iter().all(|&range| range > 0);
    for (axis, index) in left.iter().enumerate() {
        let (least, greatest) = extent::of(&index.affine, ranges);
        let size = match pinned {
            Some(pinned) => pinned[axis],
            None if index.look_up.is_some() => {
                faults.push(format!("{label}: nothing determines the length of {target} axis {axis}; give it by where {target}[...]"));
                continue;
            }
            None => i64::try_from(length(&index.affine, ranges)).unwrap_or_else(|_| {
                faults.push(format!(
                    "{label}: {target} axis {axis} would be longer than {}",
                    i64::MAX
                ));
                0
            }),
        };
        if runs && index.look_up.is_none() && !guarded {
            if least < 0 {
                faults.push(format!(
                    "{label}: {target} axis {axis} would be written at {least}"
                ));
            } else if greatest >= i128::from(size) && pinned.is_some() {
                faults.push(format!(
                    "{label}: {target} axis {axis} of length {size} would be written at {greatest}"
                ));
            }
        }
        shape.push(size);
    }
    if faults.is_empty() {
        Ok(shape)
    } else {
        Err(faults)
    }
}

//! Any strides: plain loops, in the order of the axes.

use super::{each, one, Pair, FROM, TO};
use crate::element::Element;

/// Copies element by element.
///
/// # Safety
/// As for [`copy`](super::copy()); the selections have no byte in common.
pub(super) unsafe fn copy<E: Element>(axes: &[Pair], from: *const u8, to: *mut u8) {
    // SAFETY: the caller's promise, here and in the loops.
    unsafe {
        match axes {
            [] => one::<E>(from, to),
            [axis] => row::<E>(axis, from, to),
            [outer @ .., rows, columns] => each(outer, from, to, &mut |mut from, mut to| {
                for _ in 0..rows.size {
                    row::<E>(columns, from, to);
                    from = from.wrapping_offset(rows.strides[FROM]);
                    to = to.wrapping_offset(rows.strides[TO]);
                }
            }),
        }
    }
}

/// Copies along one axis. Unit strides have separate loops, in which the stride is a constant.
///
/// # Safety
/// As for [`copy`].
#[inline(always)]
unsafe fn row<E: Element>(axis: &Pair, from: *const u8, to: *mut u8) {
    let unit = E::WIDTH as isize;
    // SAFETY: the caller's promise.
    unsafe {
        match axis.strides {
            [0, to_step] if to_step == unit => fill::<E>(axis.size, from, to),
            [from_step, to_step] if from_step == unit && to_step == unit => {
                steps::<E>(axis.size, from, unit, to, unit)
            }
            [from_step, to_step] if from_step == -unit && to_step == unit => {
                steps::<E>(axis.size, from, -unit, to, unit)
            }
            [from_step, to_step] if to_step == unit => {
                steps::<E>(axis.size, from, from_step, to, unit)
            }
            [from_step, to_step] if from_step == unit => {
                steps::<E>(axis.size, from, unit, to, to_step)
            }
            [from_step, to_step] => steps::<E>(axis.size, from, from_step, to, to_step),
        }
    }
}

/// Copies elements with any strides.
///
/// # Safety
/// As for [`copy`].
#[inline(always)]
pub(super) unsafe fn steps<E: Element>(
    size: usize,
    from: *const u8,
    from_step: isize,
    to: *mut u8,
    to_step: isize,
) {
    for k in 0..size as isize {
        // SAFETY: the caller's promise: these are positions of the selections.
        unsafe { one::<E>(from.offset(k * from_step), to.offset(k * to_step)) };
    }
}

/// # Safety
/// As for [`copy`].
#[inline(always)]
unsafe fn fill<E: Element>(size: usize, from: *const u8, to: *mut u8) {
    // SAFETY: the caller's promise; one load is enough, since the source is one element.
    unsafe {
        let value = from.cast::<E>().read_unaligned();
        for k in 0..size {
            to.add(k * E::WIDTH).cast::<E>().write_unaligned(value);
        }
    }
}

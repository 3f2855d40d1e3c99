//! Copies between strided selections of the same shape.
//!
//! A copy is planned by `plan`, then run:
//!
//! 1. Axes of size 1 go, and those that lead nowhere. Where no two elements land on the same place, order does not matter: axes are turned so that
//!    the target runs upwards, sorted so that its smallest steps are innermost, and merged with their neighbours.
//! 2. A last axis of 2, 4 or 8 bytes without gaps becomes one wider element.
//! 3. Selections that may overlap are refused.
//! 4. What the innermost axes look like chooses the loop: `runs` of bytes, `transpose` in tiles, or `strided` steps.
//!
//! All loops are generic over the width of an element, step in bytes, and take elements that are not aligned.

mod plan;
mod runs;
mod strided;
mod transpose;

use crate::layout::Axis;
use crate::{dispatch, element::Element, shape, Error};
use plan::Plan;

/// An axis of the two selections; the strides are bytes.
type Pair = Axis<[isize; 2]>;
const FROM: usize = 0;
const TO: usize = 1;

/// The highest rank that is left without such axes: two to the power of it is no number of elements.
const MOST_AXES: usize = 62;
/// Ranks up to this, which are all that one meets, clear less of the stack.
const FEW_AXES: usize = 8;

/// Copies a selection of elements of `width` bytes to another of the same shape; strides are in elements, of any sign. Where
/// several elements have the same place in the target, the last one in row-major order stays.
///
/// Neither allocates, but for an error, nor logs.
///
/// # Errors
/// [`Error::ElementWidth`], [`Error::RankMismatch`], [`Error::NegativeSize`], [`Error::TooManyElements`];
/// [`Error::Overlap`] unless all of one selection, from its first byte to its last, lies in front of the other; the target is as before.
///
/// # Safety
/// `from` and `to` point to element `[0, 0, ...]` of selections that lie inside of memory, as [`check`](crate::layout::check) sees to, which
/// stays readable and writable, respectively, during the call. Nothing may hold a Rust reference to the target.
///
/// Java may write both meanwhile: then what is copied is any mixture. Rust's memory model does not cover that; see the rules of the [crate].
pub unsafe fn copy(
    width: usize,
    shape: &[i64],
    from: *const u8,
    from_strides: &[i64],
    to: *mut u8,
    to_strides: &[i64],
) -> Result<(), Error> {
    for strides in [from_strides, to_strides] {
        if strides.len() != shape.len() {
            return Err(Error::RankMismatch {
                rank: shape.len(),
                strides: strides.len(),
            });
        }
    }
    if dispatch!(width, E => E::WIDTH).is_none() {
        return Err(Error::ElementWidth { width });
    }
    if shape::elements(shape)? == 0 {
        return Ok(());
    }
    // Along an axis without strides each position is the same element: once is enough, and its size may be more than there are addresses.
    let matters =
        |&(&size, (&from, &to)): &(&i64, (&i64, &i64))| size > 1 && (from != 0 || to != 0);
    let axes_that_matter = shape
        .iter()
        .zip(from_strides.iter().zip(to_strides))
        .filter(matters);
    let rank = axes_that_matter.clone().count();
    let mut few = [Pair {
        size: 0,
        strides: [0; 2],
    }; FEW_AXES];
    let mut most;
    let axes = if rank <= FEW_AXES {
        &mut few[..rank]
    } else {
        most = [Pair {
            size: 0,
            strides: [0; 2],
        }; MOST_AXES];
        &mut most[..rank]
    };
    // Steps along axes of 2 and more lead from one element of a selection to another, so in bytes, too, they fit an isize; and so does their number,
    // as at least one selection has an element for each.
    let bytes = |stride: i64| stride as isize * width as isize;
    for (axis, (&size, (&from, &to))) in axes.iter_mut().zip(axes_that_matter) {
        *axis = Pair {
            size: size as usize,
            strides: [bytes(from), bytes(to)],
        };
    }
    let plan = Plan::new(width, axes, from, to);
    // SAFETY: the caller's promise; a plan selects what its arguments do.
    unsafe { plan.run() }
}

/// Copies in the order of the axes.
///
/// # Safety
/// As for [`copy`]; the selections have no byte in common.
unsafe fn copy_apart(width: usize, axes: &[Pair], from: *const u8, to: *mut u8) {
    // SAFETY: the caller's promise. Transposes change the order of two axes, which only a target that is apart in both of them allows: they
    // have been sorted then, so that steps in the target become smaller from axis to axis.
    unsafe {
        if let Some((outer, run)) = runs::split(width, axes) {
            return each(outer, from, to, &mut |from, to| runs::copy(run, from, to));
        }
        dispatch!(width, E => match transpose::split::<E>(axes) {
            Some(split) => split.copy(from, to),
            None => strided::copy::<E>(axes, from, to),
        });
    }
}

/// Calls `inner` at each position of the axes, in row-major order.
///
/// # Safety
/// Those of `inner`, at each position.
unsafe fn each(
    axes: &[Pair],
    mut from: *const u8,
    mut to: *mut u8,
    inner: &mut impl FnMut(*const u8, *mut u8),
) {
    let Some((axis, rest)) = axes.split_first() else {
        return inner(from, to);
    };
    for _ in 0..axis.size {
        // SAFETY: the caller's promise, for the part of the positions that start here.
        unsafe { each(rest, from, to, inner) };
        // The step after the last leads outside, which only a wrapping offset may.
        from = from.wrapping_offset(axis.strides[FROM]);
        to = to.wrapping_offset(axis.strides[TO]);
    }
}

/// Copies one element.
///
/// # Safety
/// There is an element at each address.
#[inline(always)]
unsafe fn one<E: Element>(from: *const u8, to: *mut u8) {
    // SAFETY: the caller's promise; buffers may start anywhere.
    unsafe {
        to.cast::<E>()
            .write_unaligned(from.cast::<E>().read_unaligned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes_are_found_before_memory_is_touched() {
        let nowhere = std::ptr::null_mut::<u8>();
        let copy = |width, shape: &[i64], from: &[i64], to: &[i64]| {
            // SAFETY: all of these are refused or select nothing.
            unsafe { copy(width, shape, nowhere, from, nowhere, to) }
        };
        assert_eq!(
            copy(3, &[1], &[1], &[1]),
            Err(Error::ElementWidth { width: 3 })
        );
        assert_eq!(
            copy(4, &[1], &[], &[1]),
            Err(Error::RankMismatch {
                rank: 1,
                strides: 0
            })
        );
        assert_eq!(
            copy(4, &[1], &[1], &[1, 2]),
            Err(Error::RankMismatch {
                rank: 1,
                strides: 2
            })
        );
        assert_eq!(
            copy(4, &[-1], &[1], &[1]),
            Err(Error::NegativeSize {
                axis: 0,
                size: -1,
                shape: vec![-1]
            })
        );
        let shape = vec![1 << 62, 4];
        assert_eq!(
            copy(4, &shape, &[0, 0], &[0, 0]),
            Err(Error::TooManyElements { shape })
        );
        assert_eq!(copy(4, &[5, 0], &[1, 1], &[1, 1]), Ok(()));
    }
}

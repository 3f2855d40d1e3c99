//! Copies between strided selections of the same shape.
//!
//! A copy is planned by `plan`, then run:
//!
//! 1. Axes of size 1, and those whose strides are 0 on both sides, are dropped. If the target's positions are distinct, the order of copying does
//!    not matter: axes with a negative target stride are flipped, axes are sorted by target stride, the smallest innermost, and adjacent axes merged.
//! 2. A contiguous last axis of 2, 4 or 8 bytes becomes one wider element.
//! 3. Selections that may overlap are refused.
//! 4. The innermost axes choose the loop: contiguous `runs` of bytes, `transpose` in tiles, or `strided`.
//!
//! All loops are generic over the width of an element, have strides in bytes, and accept elements that are not aligned.

mod parts;
mod plan;
mod runs;
mod strided;
mod transpose;

use std::ops::Range;

use crate::layout::{Axis, Strided};
use crate::{dispatch, element::Element, Error};
pub use parts::each_part;
use plan::Plan;

/// An axis of the two selections; the strides are bytes.
type Pair = Axis<[isize; 2]>;
const FROM: usize = 0;
const TO: usize = 1;

/// The maximum number of axes of size 2 or more: 2^63 elements do not fit an `i64`.
const MOST_AXES: usize = 62;
/// The maximum number of axes of the common case, which clears less of the stack.
const FEW_AXES: usize = 8;

/// Copies a selection of elements of `width` bytes to another of the same shape. If several elements have the same position in the target, the last
/// one in row-major order wins.
///
/// It does not log, and allocates for an error only.
///
/// # Errors
/// [`Error::ElementWidth`], [`Error::ShapeMismatch`];
/// [`Error::Overlap`] if the byte ranges of the selections, from the first byte to the last, overlap; the target is unchanged.
///
/// # Safety
/// `from` and `to` point to position 0 of memory that contains the selections, as [`Strided::check`] ensures, and stays
/// readable and writable, respectively, during the call. Nothing may hold a Rust reference to the target.
///
/// Java may write both concurrently: then old and new values are mixed. Rust's memory model does not cover that; see the rules of the [crate].
pub unsafe fn copy(
    width: usize,
    from: *const u8,
    source: Strided<&[i64]>,
    to: *mut u8,
    target: Strided<&[i64]>,
) -> Result<(), Error> {
    if dispatch!(width, E => E::WIDTH).is_none() {
        return Err(Error::ElementWidth { width });
    }
    let shape = source.shape();
    if shape != target.shape() {
        return Err(Error::ShapeMismatch {
            from: shape.to_vec(),
            to: target.shape().to_vec(),
        });
    }
    if source.is_empty() {
        return Ok(());
    }
    let (from_strides, to_strides) = (source.strides(), target.strides());
    // The offset is the position of an element in memory, so it fits an isize in bytes, too.
    let from = from.wrapping_offset(source.offset() as isize * width as isize);
    let to = to.wrapping_offset(target.offset() as isize * width as isize);
    // Where both strides are 0, all positions are the same element, which is copied once. Such a size may exceed the address space.
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
    // On an axis of 2 or more positions a stride is the distance of two elements in memory, so it fits an isize in
    // bytes; so does the size, since at least one side has a distinct element at each position.
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

/// Whether two ranges of addresses have a byte in common.
pub fn overlap(one: &Range<usize>, other: &Range<usize>) -> bool {
    one.start.max(other.start) < one.end.min(other.end)
}

/// Copies in the order of the axes.
///
/// # Safety
/// As for [`copy`]; the selections have no byte in common.
unsafe fn copy_disjoint(width: usize, axes: &[Pair], from: *const u8, to: *mut u8) {
    // SAFETY: the caller's promise. A transpose changes the order of two axes. It is chosen only if each target stride spans all inner axes, so the
    // target's positions are distinct.
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
        // After the last position this may point outside of the memory, which requires a wrapping offset.
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
        let copy = |width, (shape, to_shape): (&[i64], &[i64])| {
            let source = Strided::row_major(shape).unwrap();
            let target = Strided::row_major(to_shape).unwrap();
            // SAFETY: all of these are refused or select nothing.
            unsafe {
                copy(
                    width,
                    nowhere,
                    source.as_slices(),
                    nowhere,
                    target.as_slices(),
                )
            }
        };
        assert_eq!(copy(3, (&[1], &[1])), Err(Error::ElementWidth { width: 3 }));
        assert_eq!(
            copy(4, (&[1, 2], &[2])),
            Err(Error::ShapeMismatch {
                from: vec![1, 2],
                to: vec![2]
            })
        );
        assert_eq!(copy(4, (&[5, 0], &[5, 0])), Ok(()));
    }

    #[test]
    fn ranges_overlap_where_they_have_a_byte_in_common() {
        assert!(
            overlap(&(0..4), &(3..9)) && overlap(&(3..9), &(0..4)) && overlap(&(0..9), &(3..4))
        );
        assert!(
            !overlap(&(0..4), &(4..9)) && !overlap(&(4..9), &(0..4)) && !overlap(&(3..3), &(0..9))
        );
    }
}

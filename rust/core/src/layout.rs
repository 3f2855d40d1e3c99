//! Strided selections of a stretch of elements, and their check.

use crate::{shape, Error};

/// Checks a selection: `shape` elements, of which `[i, j, ...]` lies at position `start + i * strides[0] + j * strides[1] + ...` of a stretch of
/// `len` elements. Strides may be negative, zero (an element that is seen several times) or larger than a row. Gives how many elements it has.
///
/// All that touches memory relies on this:
///
/// 1. `shape` and `strides` have the same length, the rank.
/// 2. No size is negative, and the product of those that are not 0 fits an `i64`.
/// 3. If no size is 0, every position selected is in `0..len`. If one is 0, nothing is selected, and `start` and strides may be anything.
///
/// From 3 follows: along an axis of 2 or more positions a stride is less than `len`, either way. Strides of axes of size 1 are never used, and
/// may be anything.
///
/// # Errors
/// [`Error::RankMismatch`], [`Error::NegativeSize`], [`Error::TooManyElements`], [`Error::SelectionOutside`].
pub fn check(shape: &[i64], strides: &[i64], start: i64, len: usize) -> Result<usize, Error> {
    if shape.len() != strides.len() {
        return Err(Error::RankMismatch {
            rank: shape.len(),
            strides: strides.len(),
        });
    }
    let elements = shape::elements(shape)?;
    if elements > 0 {
        let (lowest, highest) = extent(shape, strides, start);
        // What saturated is below 0 or at least i64::MAX, which no length is above.
        if lowest < 0 || u64::try_from(highest).map_or(true, |highest| highest >= len as u64) {
            let (shape, strides) = (shape.to_vec(), strides.to_vec());
            return Err(Error::SelectionOutside {
                shape,
                strides,
                start,
                lowest,
                highest,
                len,
            });
        }
    }
    usize::try_from(elements).map_err(|_| Error::TooManyElements {
        shape: shape.to_vec(),
    })
}

/// The lowest and the highest position of a selection that has some, clamped to an `i64`.
fn extent(shape: &[i64], strides: &[i64], start: i64) -> (i64, i64) {
    let (mut lowest, mut highest) = (start, start);
    for (&size, &stride) in shape.iter().zip(strides) {
        let reach = stride.saturating_mul(size - 1);
        if reach < 0 {
            lowest = lowest.saturating_add(reach);
        } else {
            highest = highest.saturating_add(reach);
        }
    }
    (lowest, highest)
}

/// One axis of several selections of the same shape, with its stride in each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Axis<const N: usize> {
    pub size: usize,
    pub strides: [isize; N],
}

/// Merges neighbours, outermost first, that are one longer axis in every selection: where a step along the outer one is as
/// far as all steps along the inner one. Gives how many axes are left; they stand in front.
pub(crate) fn merge<const N: usize>(axes: &mut [Axis<N>]) -> usize {
    let mut kept = 0;
    for next in 0..axes.len() {
        let inner = axes[next];
        // The products are distances inside of the selections, or their whole length, so they fit.
        let joins = |outer: &Axis<N>| {
            (0..N).all(|k| outer.strides[k] == inner.strides[k].wrapping_mul(inner.size as isize))
        };
        if kept > 0 && joins(&axes[kept - 1]) {
            axes[kept - 1] = Axis {
                size: axes[kept - 1].size * inner.size,
                strides: inner.strides,
            };
        } else {
            axes[kept] = inner;
            kept += 1;
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extents_follow_the_signs_of_strides() {
        assert_eq!(extent(&[2, 3], &[3, 1], 10), (10, 15));
        assert_eq!(extent(&[2, 3], &[-3, 1], 10), (7, 12));
        assert_eq!(extent(&[2, 3], &[0, -1], 10), (8, 10));
        assert_eq!(extent(&[], &[], 4), (4, 4));
    }

    #[test]
    fn a_selection_fits_to_the_last_element() {
        assert_eq!(check(&[2, 3], &[3, 1], 4, 10), Ok(6));
        assert_eq!(check(&[2, 3], &[-3, -1], 5, 6), Ok(6));
        assert_eq!(check(&[], &[], 0, 1), Ok(1));
    }

    #[test]
    fn one_element_further_is_outside() {
        for (strides, start, len) in [
            ([3, 1], 5, 10),
            ([-3, -1], 4, 6),
            ([3, 1], -1, 10),
            ([3, 1], 0, 5),
        ] {
            let error = check(&[2, 3], &strides, start, len).unwrap_err();
            assert!(
                matches!(error, Error::SelectionOutside { .. }),
                "{strides:?} {start} {len}: {error}"
            );
        }
        assert!(check(&[], &[], 0, 0).is_err());
    }

    #[test]
    fn nothing_is_nowhere_outside() {
        assert_eq!(check(&[0], &[1], 77, 0), Ok(0));
        assert_eq!(check(&[4, 0], &[i64::MAX, i64::MIN], i64::MIN, 3), Ok(0));
    }

    #[test]
    fn an_axis_of_one_may_have_any_stride() {
        assert_eq!(check(&[1, 4], &[i64::MIN, 1], 0, 4), Ok(4));
    }

    #[test]
    fn arithmetic_that_overflows_is_outside() {
        for (shape, strides, start) in [
            (vec![3], vec![i64::MAX], 0),
            (vec![3], vec![i64::MIN], 0),
            (vec![2, 2], vec![i64::MAX, i64::MAX], 0),
            (vec![2, 2], vec![i64::MIN, i64::MAX], 0),
            (vec![1 << 40], vec![1 << 40], 0),
            (vec![2], vec![1], i64::MAX),
            (vec![2], vec![-1], i64::MIN),
        ] {
            let error = check(&shape, &strides, start, usize::MAX / 2).unwrap_err();
            assert!(matches!(error, Error::SelectionOutside { .. }), "{error}");
        }
    }

    #[test]
    fn ranks_must_agree() {
        assert_eq!(
            check(&[1, 2], &[1], 0, 9),
            Err(Error::RankMismatch {
                rank: 2,
                strides: 1
            })
        );
    }

    fn merged(axes: &[(usize, isize, isize)]) -> Vec<(usize, isize, isize)> {
        let mut axes: Vec<_> = axes
            .iter()
            .map(|&(size, a, b)| Axis {
                size,
                strides: [a, b],
            })
            .collect();
        let kept = merge(&mut axes);
        axes[..kept]
            .iter()
            .map(|axis| (axis.size, axis.strides[0], axis.strides[1]))
            .collect()
    }

    #[test]
    fn neighbours_merge_where_both_sides_run_on() {
        assert_eq!(merged(&[(2, 12, 12), (3, 4, 4), (4, 1, 1)]), [(24, 1, 1)]);
        assert_eq!(
            merged(&[(2, 12, 24), (3, 4, 8), (4, 1, 1)]),
            [(6, 4, 8), (4, 1, 1)]
        );
        assert_eq!(
            merged(&[(2, 12, 4), (3, 4, 8), (4, 1, 1)]),
            [(2, 12, 4), (3, 4, 8), (4, 1, 1)]
        );
        assert_eq!(merged(&[(2, 0, 3), (3, 0, 1)]), [(6, 0, 1)]);
        assert_eq!(merged(&[]), []);
    }
}

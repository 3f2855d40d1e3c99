//! Strided selections of linear memory: their check, their extent, and the axes that merge.
//!
//! Java has the same rules in `internal/layout`; the table `tests/layouts.txt` tests both.

use crate::{shape, Error};

/// A strided selection: `shape` elements, of which `[i, j, ...]` lies at position `offset + i * strides[0] + j * strides[1] + ...` of linear memory,
/// counted in elements. Strides may be negative, zero (several indices share an element) or larger than a row.
///
/// The numbers are owned (`Strided`) or borrowed (`Strided<&[i64]>`).
///
/// All accesses to memory rely on these invariants:
///
/// 1. `shape` and `strides` have the same length, the rank.
/// 2. No size is negative, and the product of those that are not 0 fits an `i64`.
/// 3. Where [`check`](Strided::check) has passed for a length: if no size is 0, every position is in `0..len`. If one is 0, nothing is selected, and
///    offset and strides may be anything.
///
/// From 3 follows: along an axis of 2 or more positions a stride is less than `len`, either way. Strides of axes of size 1 are never used, and
/// may be anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Strided<A = Vec<i64>> {
    shape: A,
    strides: A,
    offset: i64,
}

impl Strided {
    /// All elements of a shape, contiguous in row-major order from position 0. A size of 0 counts as 1 when strides are computed.
    ///
    /// # Errors
    /// [`Error::NegativeSize`], [`Error::TooManyElements`].
    pub fn row_major(shape: impl Into<Vec<i64>>) -> Result<Strided, Error> {
        let shape = shape.into();
        shape::elements(&shape)?;
        let mut strides = vec![0; shape.len()];
        let mut stride = 1;
        for (axis, &size) in shape.iter().enumerate().rev() {
            strides[axis] = stride;
            stride *= size.max(1);
        }
        Ok(Strided {
            shape,
            strides,
            offset: 0,
        })
    }
}

impl<A: AsRef<[i64]>> Strided<A> {
    /// A selection; [`check`](Strided::check) checks that it is within memory.
    ///
    /// # Errors
    /// [`Error::RankMismatch`], [`Error::NegativeSize`], [`Error::TooManyElements`].
    pub fn new(shape: A, strides: A, offset: i64) -> Result<Strided<A>, Error> {
        let (rank, given) = (shape.as_ref().len(), strides.as_ref().len());
        if rank != given {
            return Err(Error::RankMismatch {
                rank,
                strides: given,
            });
        }
        shape::elements(shape.as_ref())?;
        Ok(Strided {
            shape,
            strides,
            offset,
        })
    }

    /// The size of each axis.
    pub fn shape(&self) -> &[i64] {
        self.shape.as_ref()
    }

    /// The stride of each axis, in elements.
    pub fn strides(&self) -> &[i64] {
        self.strides.as_ref()
    }

    /// The position of element `[0, 0, ...]`.
    pub fn offset(&self) -> i64 {
        self.offset
    }

    /// The number of axes.
    pub fn rank(&self) -> usize {
        self.shape().len()
    }

    /// The number of elements selected.
    pub fn elements(&self) -> i64 {
        // Invariant 2: in any order, a product of sizes that are not 0 fits.
        match self.shape().contains(&0) {
            true => 0,
            false => self.shape().iter().product(),
        }
    }

    /// Whether nothing is selected.
    pub fn is_empty(&self) -> bool {
        self.shape().contains(&0)
    }

    /// The same, borrowed.
    pub fn as_slices(&self) -> Strided<&[i64]> {
        Strided {
            shape: self.shape(),
            strides: self.strides(),
            offset: self.offset,
        }
    }

    /// The lowest and the highest position, clamped to an `i64`; `None` if nothing is selected.
    pub fn bounds(&self) -> Option<(i64, i64)> {
        if self.is_empty() {
            return None;
        }
        let (mut lowest, mut highest) = (self.offset, self.offset);
        for (&size, &stride) in self.shape().iter().zip(self.strides()) {
            let reach = stride.saturating_mul(size - 1);
            if reach < 0 {
                lowest = lowest.saturating_add(reach);
            } else {
                highest = highest.saturating_add(reach);
            }
        }
        Some((lowest, highest))
    }

    /// Checks that the selection is within memory of `len` elements. Returns the number of elements selected.
    ///
    /// # Errors
    /// [`Error::SelectionOutside`], [`Error::TooManyElements`].
    pub fn check(&self, len: usize) -> Result<usize, Error> {
        if let Some((lowest, highest)) = self.bounds() {
            // A clamped bound is below 0 or at least i64::MAX, which no length exceeds.
            if lowest < 0 || u64::try_from(highest).map_or(true, |highest| highest >= len as u64) {
                return Err(Error::SelectionOutside {
                    shape: self.shape().to_vec(),
                    strides: self.strides().to_vec(),
                    start: self.offset,
                    lowest,
                    highest,
                    len,
                });
            }
        }
        usize::try_from(self.elements()).map_err(|_| Error::TooManyElements {
            shape: self.shape().to_vec(),
        })
    }

    /// Whether the elements are contiguous in row-major order, at any offset. An empty selection is.
    pub fn is_contiguous(&self) -> bool {
        let mut inner = 1;
        self.is_empty()
            || self
                .shape()
                .iter()
                .zip(self.strides())
                .rev()
                .all(|(&size, &stride)| {
                    let joins = size == 1 || stride == inner;
                    inner *= size;
                    joins
                })
    }

    /// Whether the positions are certainly distinct: from the smallest to the largest, each stride exceeds the span of all smaller ones. Any slice of
    /// a row-major tensor has distinct positions.
    pub fn has_distinct_positions(&self) -> bool {
        if self.is_contiguous() {
            return true;
        }
        let mut axes: Vec<(u64, u64)> = self
            .shape()
            .iter()
            .zip(self.strides())
            .filter(|(&size, _)| size > 1)
            .map(|(&size, &stride)| (stride.unsigned_abs(), size.unsigned_abs()))
            .collect();
        axes.sort_unstable();
        are_distinct(axes)
    }
}

/// Whether each stride exceeds the span of all smaller ones, so that positions are certainly distinct. Of each axis the stride, without its sign, and
/// the size; the strides ascend.
pub(crate) fn are_distinct(axes: impl IntoIterator<Item = (u64, u64)>) -> bool {
    let mut span = 0u64;
    axes.into_iter().all(|(stride, size)| {
        let exceeds = stride > span;
        span = span.saturating_add(stride.saturating_mul(size - 1));
        exceeds
    })
}

impl<'a> Strided<&'a [i64]> {
    /// The size of each axis, with the lifetime of the borrowed slice.
    pub(crate) fn shape_of(&self) -> &'a [i64] {
        self.shape
    }

    /// The same selection with another offset.
    pub fn at_offset(self, offset: i64) -> Self {
        Strided { offset, ..self }
    }

    /// A valid range of an axis, starting at `from`; `shape` is that of the result, whose size on this axis is the length of the range.
    pub(crate) fn part<'b>(self, axis: usize, from: i64, shape: &'b [i64]) -> Strided<&'b [i64]>
    where
        'a: 'b,
    {
        debug_assert!(shape.len() == self.shape.len() && from + shape[axis] <= self.shape[axis]);
        Strided {
            shape,
            strides: self.strides,
            offset: self.offset + from * self.strides[axis],
        }
    }
}

/// One axis of several selections of the same shape, with its stride in each: `[isize; 2]`, or a `Vec` if their number is dynamic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Axis<S> {
    /// The number of positions.
    pub size: usize,
    /// The stride in each selection, in elements or bytes.
    pub strides: S,
}

/// Merges adjacent axes, outermost first, that are one longer axis in every selection: where the outer stride is the inner stride times the inner
/// size. Axes of size 1 are dropped. Returns the number of axes left; they are the first ones, and the others are unspecified.
///
/// No size may be 0, and the selections must have passed [`Strided::check`]. Every axis has as many strides.
pub fn merge<S: AsRef<[isize]>>(axes: &mut [Axis<S>]) -> usize {
    let mut kept = 0;
    for next in 0..axes.len() {
        let size = axes[next].size;
        if size == 1 {
            continue;
        }
        // The product is at most the span of a selection and a stride, so it fits.
        let joins = kept > 0
            && std::iter::zip(axes[kept - 1].strides.as_ref(), axes[next].strides.as_ref())
                .all(|(&outer, &inner)| outer == inner.wrapping_mul(size as isize));
        if joins {
            axes.swap(kept - 1, next);
            axes[kept - 1].size *= axes[next].size;
        } else {
            axes.swap(kept, next);
            kept += 1;
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(shape: &[i64], strides: &[i64], offset: i64, len: usize) -> Result<usize, Error> {
        Strided::new(shape, strides, offset)?.check(len)
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
    fn an_empty_selection_is_never_outside() {
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

    #[test]
    fn more_elements_than_can_be_counted_are_refused() {
        assert!(Strided::row_major([1 << 62, 4]).is_err());
    }

    fn distinct(shape: &[i64], strides: &[i64]) -> bool {
        Strided::new(shape, strides, 0)
            .unwrap()
            .has_distinct_positions()
    }

    #[test]
    fn strides_that_exceed_inner_spans_are_distinct() {
        assert!(distinct(&[], &[]));
        assert!(distinct(&[2, 3], &[3, 1]));
        assert!(distinct(&[3, 2], &[1, -3]));
        assert!(distinct(&[2, 1, 2], &[2, 0, 1]));
        assert!(distinct(&[5, 0], &[0, 0]));
    }

    #[test]
    fn strides_that_meet_are_not() {
        assert!(!distinct(&[2], &[0]));
        assert!(!distinct(&[2, 3], &[2, 1]));
        assert!(!distinct(&[2, 2], &[1, -1]));
        assert!(!distinct(&[1 << 20, 2, 1 << 40], &[1, 1, 1]));
    }
}

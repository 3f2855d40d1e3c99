//! The loop order of a copy.
//!
//! Invariants:
//!
//! 1. A plan copies the same elements to the same positions as its arguments; if positions of the target repeat, in the same order.
//! 2. Axes are flipped and sorted only if the target's positions are distinct; then its strides descend, on which `transpose` relies.
//! 3. Loops run only over selections that are disjoint in memory.

use std::ops::Range;

use super::{copy_disjoint, overlap, Pair, FROM, MOST_AXES, TO};
use crate::layout::{are_distinct, merge};
use crate::Error;

/// A copy with its axes in the fastest order.
pub(super) struct Plan<'a> {
    width: usize,
    axes: &'a [Pair],
    from: *const u8,
    to: *mut u8,
}

impl<'a> Plan<'a> {
    pub fn new(
        mut width: usize,
        axes: &'a mut [Pair],
        mut from: *const u8,
        mut to: *mut u8,
    ) -> Plan<'a> {
        if !has_distinct_targets(axes) {
            let kept = merge(axes);
            return Plan {
                width,
                axes: &axes[..kept],
                from,
                to,
            };
        }
        for axis in axes.iter_mut().filter(|axis| axis.strides[TO] < 0) {
            let last = axis.size as isize - 1;
            from = from.wrapping_offset(last * axis.strides[FROM]);
            to = to.wrapping_offset(last * axis.strides[TO]);
            axis.strides = axis.strides.map(|stride| -stride);
        }
        axes.sort_unstable_by_key(|axis| std::cmp::Reverse(axis.strides[TO]));
        let mut kept = merge(axes);
        if let Some(last) = axes[..kept].last() {
            let run = last.size * width;
            if last.strides == [width as isize; 2] && matches!(run, 2 | 4 | 8) {
                width = run;
                kept -= 1;
            }
        }
        Plan {
            width,
            axes: &axes[..kept],
            from,
            to,
        }
    }

    /// # Safety
    /// As for [`copy`](super::copy()).
    pub unsafe fn run(&self) -> Result<(), Error> {
        let Plan {
            width,
            axes,
            from,
            to,
        } = *self;
        let (read, written) = (self.extent(from, FROM), self.extent(to, TO));
        if overlap(&read, &written) {
            return Err(Error::Overlap { read, written });
        }
        // SAFETY: the caller's promise, and the selections are disjoint.
        unsafe { copy_disjoint(width, axes, from, to) };
        Ok(())
    }

    /// The addresses from the first byte of a selection to its last.
    fn extent(&self, first: *const u8, side: usize) -> Range<usize> {
        let (mut low, mut high) = (first.addr(), first.addr() + self.width);
        for axis in self.axes {
            let reach = (axis.size as isize - 1) * axis.strides[side];
            if reach < 0 {
                low -= reach.unsigned_abs();
            } else {
                high += reach.unsigned_abs();
            }
        }
        low..high
    }
}

/// Whether the target's positions are certainly distinct, found without an allocation. Others may be distinct, too; they are copied in row-major
/// order, which is slower.
fn has_distinct_targets(axes: &[Pair]) -> bool {
    let mut order = [0u8; MOST_AXES];
    let order = &mut order[..axes.len()];
    for (k, place) in order.iter_mut().enumerate() {
        *place = k as u8;
    }
    let step = |k: u8| axes[k as usize].strides[TO].unsigned_abs();
    order.sort_unstable_by_key(|&k| step(k));
    are_distinct(
        order
            .iter()
            .map(|&k| (step(k) as u64, axes[k as usize].size as u64)),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(size: usize, from: isize, to: isize) -> Pair {
        Pair {
            size,
            strides: [from, to],
        }
    }

    fn plan_of(width: usize, axes: &[Pair]) -> (usize, Vec<Pair>) {
        let mut axes = axes.to_vec();
        let plan = Plan::new(width, &mut axes, std::ptr::null(), std::ptr::null_mut());
        (plan.width, plan.axes.to_vec())
    }

    #[test]
    fn contiguous_axes_become_one() {
        assert_eq!(
            plan_of(4, &[pair(2, 48, 48), pair(3, 16, 16), pair(4, 4, 4)]),
            (4, vec![pair(24, 4, 4)])
        );
        assert_eq!(
            plan_of(4, &[pair(3, -16, -16), pair(4, -4, -4)]),
            (4, vec![pair(12, 4, 4)])
        );
    }

    #[test]
    fn the_targets_smallest_strides_are_innermost() {
        assert_eq!(
            plan_of(4, &[pair(5, 4, 400), pair(6, 80, -8)]),
            (4, vec![pair(5, 4, 400), pair(6, -80, 8)])
        );
        assert_eq!(
            plan_of(4, &[pair(6, 80, 8), pair(5, 4, 400)]),
            (4, vec![pair(5, 4, 400), pair(6, 80, 8)])
        );
    }

    #[test]
    fn two_contiguous_elements_are_one_wider_element() {
        assert_eq!(
            plan_of(4, &[pair(9, 16, 8), pair(2, 4, 4)]),
            (8, vec![pair(9, 16, 8)])
        );
        assert_eq!(
            plan_of(1, &[pair(9, 16, 12), pair(3, 1, 1)]),
            (1, vec![pair(9, 16, 12), pair(3, 1, 1)])
        );
    }

    #[test]
    fn repeated_positions_keep_the_order() {
        let axes = [pair(2, 4, 0), pair(6, 80, 8)];
        assert!(!has_distinct_targets(&axes));
        assert_eq!(plan_of(4, &axes), (4, axes.to_vec()));
        assert!(!has_distinct_targets(&[pair(4, 0, 4), pair(4, 0, -4)]));
        assert!(has_distinct_targets(&[pair(4, 0, 4), pair(4, 0, -16)]));
    }
}

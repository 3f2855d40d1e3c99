//! Masks: where a guard makes an operand of a matrix product zero, and packing of its blocks with zeros there.
//!
//! A guard around a read makes it zero, and zero times infinity is NaN. A guard around the product excludes products, whatever the factors; zeros
//! have the same effect if all other factors are finite, which [`Contraction`](super::contraction::Contraction) checks.

use std::ops::Range;

use super::axis::offsets;
use super::part::Float;
use super::runs::Runs;
use crate::bound::{Access, Condition, LoopId};
use crate::infer::condition;
use crate::plan::rewrite::Product;

/// The values of conditions are less than this away from 0, and bounds at most this, so that their difference does not overflow.
const REACH: isize = 1 << (isize::BITS - 2);

/// The loops of a product by role.
pub(crate) struct Loops<'a> {
    /// The range of each.
    pub ranges: &'a [i64],
    /// Rows of A, columns of B.
    pub own: [&'a [LoopId]; 2],
    /// The reduced loops.
    pub depth: &'a [LoopId],
    /// The loops of the batch.
    pub batch: &'a [LoopId],
}

/// `0 <= own[i] + depth[k] + batch[b] < bound`
#[derive(Debug)]
struct Inside {
    /// The terms along the operand's own axis, and along the depth.
    along: [Vec<isize>; 2],
    batch: Vec<isize>,
    bound: isize,
    /// Whether products are excluded where it does not hold; else the operand is 0 there.
    whole: bool,
}

/// The mask of an operand. Its axes are its own, rows or columns, and the depth.
#[derive(Debug)]
pub(crate) struct Mask {
    conditions: Vec<Inside>,
    /// The axis along which copies are contiguous.
    inner: usize,
    runs: Runs,
}

/// A part of a run, along the inner axis of a block.
struct Stretch {
    range: Range<usize>,
    /// Its first cell, and how many there are.
    cell: usize,
    cells: usize,
    /// The stride of the operand.
    step: isize,
    /// The value of each condition in the first cell, and its step from one to the next.
    values: Vec<(isize, isize)>,
}

/// A packed part of an operand: its first element, and the strides along both axes, in bytes.
pub(crate) struct Copy {
    pub first: *mut u8,
    pub steps: [isize; 2],
}

impl Loops<'_> {
    fn always(&self, condition: &Condition) -> bool {
        condition::always_holds(condition, self.ranges)
    }

    /// Whether a condition depends only on an operand's loops.
    fn fits(&self, at: usize, condition: &Condition) -> bool {
        let of = |l: &LoopId| {
            let [own, depth, batch] = [self.own[at], self.depth, self.batch];
            self.ranges[*l] <= 1 || own.contains(l) || depth.contains(l) || batch.contains(l)
        };
        condition::is_within(&condition.affine, self.ranges, REACH as i128)
            && condition.affine.terms.iter().all(|(l, _)| of(l))
    }

    /// The conditions of each of two reads, and whether products are excluded otherwise. `None` if there are other
    /// conditions, or if they alone do not keep each read within its tensor, of these shapes.
    pub fn conditions<'c>(
        &self,
        product: &Product<'c>,
        whole: &'c [Condition],
        shapes: [&[i64]; 2],
    ) -> Option<[Vec<(&'c Condition, bool)>; 2]> {
        let mut taken = [Vec::new(), Vec::new()];
        for (at, taken) in taken.iter_mut().enumerate() {
            for &guard in &product.read_guards[at] {
                if self.always(guard) {
                    continue;
                }
                if !self.fits(at, guard) {
                    return None;
                }
                taken.push((guard, false));
            }
        }
        let leaves = [0, 1].map(|at| self.leaves(product.reads[at], shapes[at]));
        for guard in whole.iter().chain(product.guards.iter().copied()) {
            if self.always(guard) {
                continue;
            }
            match [self.fits(0, guard), self.fits(1, guard)] {
                [false, false] => return None,
                [true, false] => taken[0].push((guard, true)),
                [false, true] => taken[1].push((guard, true)),
                [true, true] => {
                    if leaves[0] || !leaves[1] {
                        taken[0].push((guard, true));
                    }
                    if leaves[1] {
                        taken[1].push((guard, true));
                    }
                }
            }
        }
        for (at, taken) in taken.iter().enumerate() {
            let conditions: Vec<Condition> =
                taken.iter().map(|(guard, _)| (*guard).clone()).collect();
            let kept = product.reads[at]
                .indices
                .iter()
                .zip(shapes[at])
                .all(|(index, &length)| {
                    condition::is_inside(&index.affine, length, self.ranges)
                        || condition::keep_inside(&conditions, &index.affine, length)
                });
            if !kept {
                return None;
            }
        }
        Some(taken)
    }

    /// Whether a read would be out of bounds without its conditions.
    fn leaves(&self, access: &Access, shape: &[i64]) -> bool {
        let inside = |(index, &length): (&crate::bound::Index, &i64)| {
            condition::is_inside(&index.affine, length, self.ranges)
        };
        !access.indices.iter().zip(shape).all(inside)
    }

    /// The mask of an operand with these offsets along its own axis and the depth; `None` without conditions.
    pub fn mask(
        &self,
        at: usize,
        conditions: &[(&Condition, bool)],
        places: [&[isize]; 2],
    ) -> Option<Mask> {
        if conditions.is_empty() {
            return None;
        }
        let conditions: Vec<Inside> = conditions
            .iter()
            .map(|&(Condition { affine, bound }, whole)| {
                let mut factors = vec![0; self.ranges.len()];
                affine.terms.iter().for_each(|&(l, k)| factors[l] = k);
                let values = |loops: &[LoopId]| offsets(loops, self.ranges, &factors);
                let mut batch = values(self.batch);
                batch
                    .iter_mut()
                    .for_each(|value| *value += affine.constant as isize);
                Inside {
                    along: [values(self.own[at]), values(self.depth)],
                    batch,
                    bound: (*bound).min(REACH as i64) as isize,
                    whole,
                }
            })
            .collect();
        let [own, depth] = [0, 1].map(|axis| {
            let values = conditions.iter().map(|inside| &inside.along[axis][..]);
            Runs::new(places[axis], &values.collect::<Vec<_>>())
        });
        // The axis with longer runs.
        let inner = usize::from(depth.mean() >= own.mean());
        Some(Mask {
            conditions,
            inner,
            runs: if inner == 0 { own } else { depth },
        })
    }
}

/// The part of `lo..hi` in which `0 <= first + step * x < bound`.
fn narrow(first: isize, step: isize, bound: isize, lo: usize, hi: usize) -> (usize, usize) {
    let last = first + step * (hi.max(1) - 1) as isize;
    if (0..bound).contains(&first) && (0..bound).contains(&last) {
        return (lo, hi);
    }
    if step == 0 {
        return if (0..bound).contains(&first) {
            (lo, hi)
        } else {
            (lo, lo)
        };
    }
    // ceil(a / b) is -floor(-a / b).
    let (from, to) = if step > 0 {
        (-first.div_euclid(step), -(first - bound).div_euclid(step))
    } else {
        (
            (first - bound).div_euclid(-step) + 1,
            first.div_euclid(-step) + 1,
        )
    };
    let clamped = |x: isize| x.clamp(0, hi as isize) as usize;
    let (from, to) = (lo.max(clamped(from)), hi.min(clamped(to)));
    (from, to.max(from))
}

impl Mask {
    /// Whether products are excluded.
    pub fn is_whole(&self) -> bool {
        self.conditions.iter().any(|inside| inside.whole)
    }

    /// Whether the product at a position is included.
    pub fn lets(&self, batch: usize, own: usize, depth: usize) -> bool {
        self.conditions
            .iter()
            .filter(|inside| inside.whole)
            .all(|inside| {
                let value = inside.batch[batch] + inside.along[0][own] + inside.along[1][depth];
                (0..inside.bound).contains(&value)
            })
    }

    /// A part of a run.
    fn stretch(&self, range: Range<usize>, places: &[isize]) -> Stretch {
        let Range { start, end } = range;
        let cell = start / self.runs.cell;
        let second = (cell + 1) * self.runs.cell;
        let value = |inside: &Inside| {
            let along = &inside.along[self.inner];
            let step = if second < end {
                along[second] - along[start]
            } else {
                0
            };
            (along[start], step)
        };
        Stretch {
            cell,
            cells: (end - 1) / self.runs.cell + 1 - cell,
            step: match end - start {
                1 => 0,
                _ => places[start + 1] - places[start],
            },
            values: self.conditions.iter().map(value).collect(),
            range,
        }
    }

    /// Packs a part of the operand in a product of the batch, with zeros where a condition does not hold. `places` are the offsets of all positions
    /// along both axes.
    ///
    /// # Safety
    ///
    /// There are elements where all conditions hold.
    pub unsafe fn copy<T: Float>(
        &self,
        base: *mut u8,
        places: [&[isize]; 2],
        ranges: [&Range<usize>; 2],
        batch: usize,
        copy: &mut Vec<T>,
    ) -> Copy {
        let (inner, outer) = (self.inner, 1 - self.inner);
        let (range, places_along) = (ranges[inner], places[inner]);
        let size = size_of::<T>() as isize;
        copy.resize(ranges[0].len() * ranges[1].len(), T::default());
        let stretches: Vec<Stretch> = self
            .runs
            .within(range)
            .map(|part| self.stretch(part, places_along))
            .collect();
        for (line, o) in copy
            .chunks_exact_mut(range.len())
            .zip(ranges[outer].clone())
        {
            let from = base.wrapping_offset(places[outer][o]);
            for stretch in &stretches {
                let Range { start, end } = stretch.range;
                let (mut lo, mut hi) = (0, stretch.cells);
                for (inside, &(value, step)) in self.conditions.iter().zip(&stretch.values) {
                    let first = inside.batch[batch] + inside.along[outer][o] + value;
                    (lo, hi) = narrow(first, step, inside.bound, lo, hi);
                }
                let run = &mut line[start - range.start..end - range.start];
                if lo == hi {
                    run.fill(T::default());
                    continue;
                }
                // The first and the last cell may be there in part.
                let at = |cell: usize| (stretch.cell + cell) * self.runs.cell;
                let (lo, hi) = (at(lo).max(start) - start, at(hi).min(end) - start);
                run[..lo].fill(T::default());
                run[hi..].fill(T::default());
                let from = from.wrapping_offset(places_along[start + lo]);
                if stretch.step == size || hi - lo == 1 {
                    // SAFETY: contiguous elements.
                    unsafe {
                        run[lo..]
                            .as_mut_ptr()
                            .copy_from_nonoverlapping(from.cast(), hi - lo)
                    };
                    continue;
                }
                for (k, slot) in run[lo..hi].iter_mut().enumerate() {
                    let from = from.wrapping_offset(k as isize * stretch.step);
                    // SAFETY: an element.
                    *slot = unsafe { from.cast::<T>().read() };
                }
            }
        }
        let mut steps = [size; 2];
        steps[outer] = size * range.len() as isize;
        Copy {
            first: copy.as_mut_ptr().cast(),
            steps,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::narrow;

    #[test]
    fn the_part_where_a_condition_holds_is_that_of_its_elements() {
        for first in -9..9 {
            for step in -3..=3 {
                for bound in 0..6 {
                    for (lo, hi) in [(0, 7), (2, 5), (3, 3)] {
                        let (from, to) = narrow(first, step, bound, lo, hi);
                        let holds = |x: &usize| (0..bound).contains(&(first + step * *x as isize));
                        let found: Vec<usize> = (from..to).collect();
                        let expected: Vec<usize> = (lo..hi).filter(holds).collect();
                        assert_eq!(
                            found, expected,
                            "{first} + {step} x < {bound} in {lo}..{hi}"
                        );
                        assert!((lo..=hi).contains(&from) && to <= hi);
                    }
                }
            }
        }
    }
}

//! Reductions on the tile VM: values are accumulated in lanes or rows, and their sums in a pairwise tree.

use std::ops::Range;

use super::code::Slot;
use super::identity::fill;
use super::machine::{Failed, Machine};
use super::odometer::{advance, set};
use super::root::Root;
use crate::kernel::fold::LANES;
use crate::kernel::{self, Folding, Kernel};

/// The number of values added to an accumulator before it goes to the tree.
pub(super) const FLUSH: usize = 64;

impl Machine<'_> {
    /// Writes n finished elements of a reduction to the target, from `inner` of the innermost loop on.
    ///
    /// # Safety
    ///
    /// As [`tile`](Machine::tile).
    pub(super) unsafe fn store(&mut self, inner: i64, n: usize, from: *const u8) {
        let m = &self.nest.memories[self.nest.target as usize];
        let to = self.scratch.rows[self.nest.target as usize]
            .wrapping_offset(m.inner as isize * inner as isize);
        // SAFETY: the elements of the target that these loops are for.
        unsafe {
            if m.inner == m.size as i64 || n == 1 {
                to.copy_from_nonoverlapping(from, n * m.size);
            } else {
                kernel::unpack(self.nest.dtype)(
                    n,
                    to,
                    from,
                    std::ptr::without_provenance(m.inner as usize),
                    from,
                );
            }
        }
    }

    /// Like [`points`](Machine::points), for one point, but only some of its reduced iterations; the partial result goes to `to`.
    ///
    /// # Safety
    ///
    /// As `points`; `to` is writable for a result.
    pub unsafe fn partial(
        &mut self,
        point: i64,
        reduced: Range<i64>,
        inner: Range<i64>,
        to: *mut u8,
    ) -> Result<(), Failed> {
        let kept = self.nest.kept.len();
        set(&mut self.scratch.at[..kept], &self.nest.kept, point);
        let size = self.nest.dtype.width();
        // SAFETY: as the caller says.
        unsafe {
            if matches!(self.nest.root, Root::Fold { .. }) {
                return self.reduce(reduced, inner, to);
            }
            let mut t = inner.start;
            while t < inner.end {
                let n = (inner.end - t).min(self.nest.tile as i64);
                self.reduce(
                    reduced.clone(),
                    t..t + n,
                    to.wrapping_add((t - inner.start) as usize * size),
                )?;
                t += n;
            }
        }
        Ok(())
    }

    /// Writes n elements, combined from partial results, to a point's target.
    ///
    /// # Safety
    ///
    /// As `points`.
    pub unsafe fn finish(&mut self, point: i64, inner: i64, n: usize, from: *const u8) {
        let kept = self.nest.kept.len();
        set(&mut self.scratch.at[..kept], &self.nest.kept, point);
        self.move_rows();
        // SAFETY: as the caller says.
        unsafe { self.store(inner, n, from) };
    }

    /// Reduces a part of the reduced loops: into one element at `to` if the innermost is one of them, else into one for
    /// each of `inner`, at most a tile.
    ///
    /// # Safety
    ///
    /// As `points`; `to` is writable for these elements.
    pub(super) unsafe fn reduce(
        &mut self,
        reduced: Range<i64>,
        inner: Range<i64>,
        to: *mut u8,
    ) -> Result<(), Failed> {
        let nest = self.nest;
        let bits = nest.identity;
        let size = nest.dtype.width();
        let kept = nest.kept.len();
        set(&mut self.scratch.at[kept..], &nest.reduced, reduced.start);
        let mut tree = Tree::default();
        match nest.root {
            Root::Fold { kernels, a, b, .. } => {
                let Folding { fold, finish, .. } = kernels;
                let lanes: *mut u8 = (&raw mut self.lanes).cast();
                // SAFETY: the lanes have the capacity for elements of 8 bytes; the rest as the caller says.
                unsafe {
                    fill(lanes, LANES, size, bits);
                    let mut added = 0;
                    for _ in reduced {
                        self.move_rows();
                        let mut t = inner.start;
                        while t < inner.end {
                            let n = (inner.end - t).min(nest.tile as i64) as usize;
                            let (lo, hi) = self.tile(t, n)?;
                            if lo < hi {
                                let adds = (hi - lo).div_ceil(LANES);
                                if nest.rounds && added + adds > FLUSH && added > 0 {
                                    let mut sum = 0u64;
                                    let sum = (&raw mut sum).cast::<u8>();
                                    finish(LANES, sum, lanes, lanes, lanes);
                                    tree.push(self, nest.combine, sum, 1, size);
                                    fill(lanes, LANES, size, bits);
                                    added = 0;
                                }
                                let (a, b) = (self.address(a, lo), self.address(b, lo));
                                fold(hi - lo, lanes, a, b, a);
                                added += adds;
                            }
                            t += n as i64;
                        }
                        advance(&mut self.scratch.at[kept..], &nest.reduced);
                    }
                    finish(LANES, to, lanes, lanes, lanes);
                    tree.finish(self, nest.combine, to, 1, size);
                }
            }
            Root::Rows {
                accumulate,
                a,
                b,
                four,
                together,
            } => {
                let n = (inner.end - inner.start) as usize;
                // The last of the reduced loops, of which there is one: else each value would be stored as it is.
                let last = self.scratch.at.len() - 1;
                // SAFETY: `to` has the capacity of a tile; the rest as the caller says.
                unsafe {
                    fill(to, n, size, bits);
                    let mut added = 0;
                    let mut left = reduced.end - reduced.start;
                    while left > 0 {
                        self.move_rows();
                        let range = nest.reduced[last - kept];
                        let mut done = 1;
                        if together {
                            let first = self.scratch.at[last];
                            let room = if nest.rounds { FLUSH - added } else { FLUSH };
                            let rows = room.min(nest.tile / n);
                            done = left.min(range - first).min(rows as i64);
                            let rows = done as usize;
                            added += rows - 1;
                            let (lo, hi) = self.tile(first * n as i64, rows * n)?;
                            // Conditions do not depend on these two loops.
                            let mut row = if lo < hi { 0 } else { rows };
                            while row < rows {
                                let (a, b) = (self.address(a, row * n), self.address(b, row * n));
                                match four {
                                    Some(four) if row + 4 <= rows => {
                                        let bytes = std::ptr::without_provenance(n * size);
                                        four(n, to, a, bytes, a);
                                        row += 4;
                                    }
                                    _ => {
                                        accumulate(n, to, a, b, a);
                                        row += 1;
                                    }
                                }
                            }
                        } else if let (Some(four), Slot::Memory(m), true) =
                            (four, a, left >= 4 && self.scratch.at[last] + 4 <= range)
                        {
                            let memory = &nest.memories[m as usize];
                            let stride = memory.step_of(last);
                            let row = self.scratch.rows[m as usize]
                                .wrapping_offset(memory.inner as isize * inner.start as isize);
                            let row = self.near(m as usize, row, n, (4, stride as isize))?;
                            four(
                                n,
                                to,
                                row,
                                std::ptr::without_provenance(stride as usize),
                                row,
                            );
                            done = 4;
                        } else {
                            let (lo, hi) = self.tile(inner.start, n)?;
                            if lo < hi {
                                let (a, b) = (self.address(a, lo), self.address(b, lo));
                                accumulate(hi - lo, to.add(lo * size), a, b, a);
                            }
                        }
                        added += 1;
                        left -= done;
                        self.scratch.at[last] += done - 1;
                        advance(&mut self.scratch.at[kept..], &nest.reduced);
                        if nest.rounds && added == FLUSH && left > 0 {
                            tree.push(self, nest.combine, to, n, size);
                            fill(to, n, size, bits);
                            added = 0;
                        }
                    }
                    tree.finish(self, nest.combine, to, n, size);
                }
            }
            Root::Store { .. } | Root::Scatter { .. } => {}
        }
        Ok(())
    }
}

/// Pairwise summation: each level has at most one sum, and two sums of a level make one of the next, as in a binary counter.
#[derive(Default)]
struct Tree {
    count: u64,
}

impl Tree {
    /// Adds n elements, whose memory is overwritten.
    unsafe fn push(
        &mut self,
        machine: &mut Machine<'_>,
        combine: Kernel,
        from: *mut u8,
        n: usize,
        size: usize,
    ) {
        let mut level = 0;
        while self.count >> level & 1 == 1 {
            let sum = machine.scratch.levels[level].ptr();
            // SAFETY: a level has a tile of elements.
            unsafe { combine(n, from, sum, sum, sum) };
            level += 1;
        }
        self.count += 1;
        let levels = &mut machine.scratch.levels;
        if levels.len() <= level {
            levels.resize_with(level + 1, Default::default);
        }
        levels[level].grow(machine.nest.tile * machine.nest.width);
        // SAFETY: as above.
        unsafe { levels[level].ptr().copy_from_nonoverlapping(from, n * size) };
    }

    /// Adds the total of all levels to n elements.
    unsafe fn finish(
        &mut self,
        machine: &mut Machine<'_>,
        combine: Kernel,
        to: *mut u8,
        n: usize,
        _size: usize,
    ) {
        let levels = u64::BITS - self.count.leading_zeros();
        for level in 0..levels as usize {
            if self.count >> level & 1 == 1 {
                let sum = machine.scratch.levels[level].ptr();
                // SAFETY: a level has a tile of elements.
                unsafe { combine(n, to, sum, sum, sum) };
            }
        }
    }
}

//! Transposes: source and target are contiguous along different axes.
//!
//! In either order, two plain loops would use one element of a cache line at a time on one side. So the two axes are blocked:
//!
//! ```text
//! for each block of BLOCK along the source's unit axis         (its lines of the target stay in the cache)
//!     for each TILE along the target's unit axis
//!         for each TILE of the block: load TILE x TILE, transpose it in registers, store it
//! ```

use std::ops::Range;

use super::strided::steps;
use super::{each, Pair, FROM, TO};
use crate::element::Element;

/// The side of a tile: a cache line has 8 elements of 8 bytes.
const TILE: usize = 8;
/// The width of a block: a cache line of the source that one tile loads is used by the adjacent ones.
const BLOCK: usize = 8 * TILE;
/// Where a side is shorter than a tile, loops go in stretches that fit the L1 cache.
const STRETCH: usize = 512;

/// Two axes to transpose, and those around them.
pub(super) struct Split<'a, E: Element> {
    before: &'a [Pair],
    /// The axis along which the source is contiguous.
    source: Pair,
    between: &'a [Pair],
    /// The last axis, along which the target is contiguous.
    target: Pair,
    element: std::marker::PhantomData<E>,
}

/// Finds the two axes, if this is a transpose to distinct positions.
pub(super) fn split<E: Element>(axes: &[Pair]) -> Option<Split<'_, E>> {
    let unit = E::WIDTH as isize;
    let (target, outer) = axes.split_last()?;
    let sorted = axes
        .windows(2)
        .all(|pair| pair[0].strides[TO] >= pair[1].strides[TO] * pair[1].size as isize);
    let from_step = target.strides[FROM];
    // A source stride of 0 is a fill, which is faster row by row.
    if target.strides[TO] != unit || from_step == unit || from_step == 0 || !sorted {
        return None;
    }
    let at = outer.iter().rposition(|axis| axis.strides[FROM] == unit)?;
    Some(Split {
        before: &outer[..at],
        source: outer[at],
        between: &outer[at + 1..],
        target: *target,
        element: std::marker::PhantomData,
    })
}

impl<E: Element> Split<'_, E> {
    /// Copies in tiles.
    ///
    /// # Safety
    /// As for [`copy`](super::copy()); the selections have no byte in common.
    pub(super) unsafe fn copy(&self, from: *const u8, to: *mut u8) {
        // SAFETY: the caller's promise: the positions of all four groups of axes are those of the selections.
        unsafe {
            each(self.before, from, to, &mut |from, to| {
                each(self.between, from, to, &mut |from, to| self.plane(from, to));
            });
        }
    }

    /// # Safety
    /// As for [`copy`](Split::copy), for one position of the axes around.
    unsafe fn plane(&self, from: *const u8, to: *mut u8) {
        let (long, wide) = (self.source.size, self.target.size);
        // SAFETY: the tiles and the rests cover each position of the two axes once, and no other.
        unsafe {
            if long < TILE || wide < TILE {
                return self.rest(0..long, 0..wide, from, to);
            }
            let (long_tiles, wide_tiles) = (long - long % TILE, wide - wide % TILE);
            for block in (0..long_tiles).step_by(BLOCK) {
                for column in (0..wide_tiles).step_by(TILE) {
                    for row in (block..long_tiles.min(block + BLOCK)).step_by(TILE) {
                        self.tile(row, column, from, to);
                    }
                }
            }
            self.rest(0..long_tiles, wide_tiles..wide, from, to);
            self.rest(long_tiles..long, 0..wide, from, to);
        }
    }

    /// The byte offsets in source and target of position `k` of the source's and `l` of the target's unit axis.
    #[inline(always)]
    fn at(&self, k: usize, l: usize) -> (isize, isize) {
        let (k, l, unit) = (k as isize, l as isize, E::WIDTH as isize);
        (
            k * unit + l * self.target.strides[FROM],
            k * self.source.strides[TO] + l * unit,
        )
    }

    /// # Safety
    /// As for [`plane`](Split::plane); all positions of the tile exist.
    #[inline(always)]
    unsafe fn tile(&self, k: usize, l: usize, from: *const u8, to: *mut u8) {
        let mut tile = [[E::default(); TILE]; TILE];
        let (from_offset, to_offset) = self.at(k, l);
        // SAFETY: the caller's promise. An array of elements that is not aligned is read and written as such.
        unsafe {
            let (from, to) = (from.offset(from_offset), to.offset(to_offset));
            for (l, line) in tile.iter_mut().enumerate() {
                *line = from
                    .offset(l as isize * self.target.strides[FROM])
                    .cast::<[E; TILE]>()
                    .read_unaligned();
            }
            let transposed: [[E; TILE]; TILE] =
                std::array::from_fn(|k| std::array::from_fn(|l| tile[l][k]));
            for (k, line) in transposed.into_iter().enumerate() {
                to.offset(k as isize * self.source.strides[TO])
                    .cast::<[E; TILE]>()
                    .write_unaligned(line);
            }
        }
    }

    /// Copies the edges, which fill no tile: plain loops along the longer side, in stretches.
    ///
    /// # Safety
    /// As for [`plane`](Split::plane); all positions exist.
    unsafe fn rest(&self, long: Range<usize>, wide: Range<usize>, from: *const u8, to: *mut u8) {
        let unit = E::WIDTH as isize;
        let (from_step, to_step) = (self.target.strides[FROM], self.source.strides[TO]);
        let row = |k: usize, l: usize, size: usize, from_step: isize, to_step: isize| {
            let (from_offset, to_offset) = self.at(k, l);
            // SAFETY: the caller's promise: the positions are among those of the two ranges.
            unsafe {
                steps::<E>(
                    size,
                    from.offset(from_offset),
                    from_step,
                    to.offset(to_offset),
                    to_step,
                )
            }
        };
        if long.len() > wide.len() {
            for start in long.clone().step_by(STRETCH) {
                let size = STRETCH.min(long.end - start);
                wide.clone()
                    .for_each(|l| row(start, l, size, unit, to_step));
            }
        } else {
            for start in wide.clone().step_by(STRETCH) {
                let size = STRETCH.min(wide.end - start);
                long.clone()
                    .for_each(|k| row(k, start, size, from_step, unit));
            }
        }
    }
}

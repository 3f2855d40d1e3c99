//! Transposes: source and target are contiguous along different axes.
//!
//! In either order, two plain loops would use one element of a cache line at a time on one side. So the two axes are
//! blocked, and each block goes through a staging buffer that fits the L1 cache:
//!
//! ```text
//! for each block: COLUMNS cache lines of the source, adjacent lines first
//!     for each tile of the block: load LANES x LANES, transpose it in registers, store it to the stage
//!     for each line of the stage: store it to the target, in whole cache lines
//! ```
//!
//! Without the staging buffer, strides of a power of two would be slow: the lines of a block map to few sets of the cache. A large target is written
//! by non-temporal stores: otherwise each of its lines would be read first, and evict one of the source.

use std::mem::MaybeUninit;
use std::ops::Range;

use super::strided::steps;
use super::{each, Pair, FROM, TO};
use crate::element::Element;

/// The length of a strip, which fits the L1 cache, where tiles are not used.
const STRETCH: usize = 512;
/// The bytes of a cache line.
const LINE: usize = 64;
/// The number of source lines of a block. Fewer make short runs in the target, more do not fit the L1 cache.
const COLUMNS: usize = 128;
/// The minimum size of a target for non-temporal stores: smaller ones are likely to be read from the cache soon.
const STREAMED: usize = if cfg!(miri) { 1 << 10 } else { 4 << 20 };

/// The two axes to transpose, and the axes around them.
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

/// The staging buffer: a transposed block, as lines of the target.
#[repr(align(64))]
struct Stage([MaybeUninit<u8>; LINE * COLUMNS]);
const _: () = assert!(align_of::<Stage>() == LINE);

impl<E: Element> Split<'_, E> {
    /// The maximum number of elements of a block along the source's unit axis: a cache line.
    const ROWS: usize = LINE / E::WIDTH;
    /// The side of a tile in elements: a vector of 16 bytes, which all processors have.
    const LANES: usize = 16 / E::WIDTH;
    /// The stride of lines of a stage, in bytes.
    const PITCH: isize = (COLUMNS * E::WIDTH) as isize;

    /// Copies block by block.
    ///
    /// # Safety
    /// As for [`copy`](super::copy()); the selections have no byte in common.
    pub(super) unsafe fn copy(&self, from: *const u8, to: *mut u8) {
        let mut stage = Stage([MaybeUninit::uninit(); LINE * COLUMNS]);
        let around = self.before.iter().chain(self.between);
        let bytes = around
            .map(|axis| axis.size)
            .fold(E::WIDTH, usize::saturating_mul)
            .saturating_mul(self.source.size)
            .saturating_mul(self.target.size);
        let large = bytes >= STREAMED;
        // SAFETY: the caller's promise: the positions of all four groups of axes are those of the selections.
        unsafe {
            each(self.before, from, to, &mut |from, to| {
                each(self.between, from, to, &mut |from, to| {
                    self.plane(large, &mut stage, from, to);
                });
            });
        }
        if large {
            fence();
        }
    }

    /// # Safety
    /// As for [`copy`](Split::copy), for one position of the axes around.
    unsafe fn plane(&self, large: bool, stage: &mut Stage, from: *const u8, to: *mut u8) {
        let (long, wide) = (self.source.size, self.target.size);
        if long < Self::LANES || wide < Self::LANES {
            // SAFETY: these are all positions of the two axes.
            return unsafe { self.short(from, to) };
        }
        let row_lead = lead::<E>(from.addr(), self.target.strides[FROM]).unwrap_or(0);
        let column_lead = lead::<E>(to.addr(), self.source.strides[TO]);
        for columns in blocks(column_lead.unwrap_or(0), wide, COLUMNS) {
            let aligned = column_lead.is_some_and(|lead| columns.start >= lead);
            for rows in blocks(row_lead, long, Self::ROWS) {
                // SAFETY: the blocks cover each position of the two axes once, and no other.
                unsafe { self.block(rows, columns.clone(), large && aligned, stage, from, to) };
            }
        }
    }

    /// Copies the positions `rows` along the source's unit axis, at most [`ROWS`](Self::ROWS), and `columns` along the target's, at most [`COLUMNS`].
    ///
    /// # Safety
    /// As for [`plane`](Split::plane); the positions exist. If `streamed`, each line begins at a multiple of [`LINE`] bytes.
    unsafe fn block(
        &self,
        rows: Range<usize>,
        columns: Range<usize>,
        streamed: bool,
        stage: &mut Stage,
        from: *const u8,
        to: *mut u8,
    ) {
        let stage: *mut u8 = stage.0.as_mut_ptr().cast();
        let unit = E::WIDTH as isize;
        let (from_step, to_step) = (self.target.strides[FROM], self.source.strides[TO]);
        let (long, wide) = (rows.len(), columns.len());
        let (long_tiles, wide_tiles) = (long - long % Self::LANES, wide - wide % Self::LANES);
        let (row, column) = (rows.start as isize, columns.start as isize);
        // SAFETY: the caller's promise for source and target; a stage has a capacity of ROWS lines of COLUMNS elements.
        unsafe {
            let from = from.offset(row * unit + column * from_step);
            let to = to.offset(row * to_step + column * unit);
            let source =
                |k: usize, l: usize| from.offset(k as isize * unit + l as isize * from_step);
            let staged = |k: usize, l: usize| stage.add((k * COLUMNS + l) * E::WIDTH);
            for l in (0..wide_tiles).step_by(Self::LANES) {
                for k in (0..long_tiles).step_by(Self::LANES) {
                    tile::transpose::<E>(source(k, l), from_step, staged(k, l), Self::PITCH);
                }
                // The following lines are next: they are too many streams for the hardware prefetcher.
                for l in l..l + Self::LANES {
                    prefetch(from.wrapping_offset(LINE as isize + l as isize * from_step));
                }
            }
            for l in 0..wide {
                let k = if l < wide_tiles { long_tiles } else { 0 };
                if k < long {
                    steps::<E>(long - k, source(k, l), unit, staged(k, l), Self::PITCH);
                }
            }
            for k in 0..long {
                let to = to.offset(k as isize * to_step);
                if streamed {
                    stream(wide * E::WIDTH, staged(k, 0), to);
                } else {
                    store(wide * E::WIDTH, staged(k, 0), to);
                }
            }
        }
    }

    /// Copies a plane that is too narrow for tiles: plain loops along the longer side, in strips.
    ///
    /// # Safety
    /// As for [`plane`](Split::plane).
    unsafe fn short(&self, from: *const u8, to: *mut u8) {
        let unit = E::WIDTH as isize;
        let (long, wide) = (self.source.size, self.target.size);
        let (from_step, to_step) = (self.target.strides[FROM], self.source.strides[TO]);
        let row = |k: usize, l: usize, size: usize, steps_from: isize, steps_to: isize| {
            let (k, l) = (k as isize, l as isize);
            // SAFETY: the caller's promise: the positions are among those of the two axes.
            unsafe {
                steps::<E>(
                    size,
                    from.offset(k * unit + l * from_step),
                    steps_from,
                    to.offset(k * to_step + l * unit),
                    steps_to,
                )
            }
        };
        if long > wide {
            for stretch in blocks(0, long, STRETCH) {
                (0..wide).for_each(|l| row(stretch.start, l, stretch.len(), unit, to_step));
            }
        } else {
            for stretch in blocks(0, wide, STRETCH) {
                (0..long).for_each(|k| row(k, stretch.start, stretch.len(), from_step, unit));
            }
        }
    }
}

/// The number of elements before the first that is aligned to a cache line, at this address and after each step; `None` if it is not the same.
fn lead<E: Element>(address: usize, step: isize) -> Option<usize> {
    let bytes = address.wrapping_neg() % LINE;
    (bytes.is_multiple_of(E::WIDTH) && step % LINE as isize == 0).then_some(bytes / E::WIDTH)
}

/// Splits the positions up to `end`: the first `lead`, then blocks of length `len`, the last one perhaps shorter.
fn blocks(lead: usize, end: usize, len: usize) -> impl Iterator<Item = Range<usize>> {
    let lead = lead.min(end);
    let first = Some(0..lead).filter(|first| !first.is_empty());
    let others = (lead..end).step_by(len);
    first
        .into_iter()
        .chain(others.map(move |start| start..end.min(start + len)))
}

/// Copies bytes, usually a few lines, for which a call of `memcpy` would take as long again.
///
/// # Safety
/// There are as many bytes on each side, none of them in common.
#[inline(always)]
unsafe fn store(bytes: usize, from: *const u8, to: *mut u8) {
    let whole = bytes - bytes % LINE;
    // SAFETY: the caller's promise.
    unsafe {
        for at in (0..whole).step_by(LINE) {
            let line = from.add(at).cast::<[u8; LINE]>().read();
            to.add(at).cast::<[u8; LINE]>().write_unaligned(line);
        }
        if whole < bytes {
            to.add(whole)
                .copy_from_nonoverlapping(from.add(whole), bytes - whole);
        }
    }
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
use x86_64::{fence, prefetch, stream};

/// Instructions that every x86-64 processor has.
#[cfg(all(target_arch = "x86_64", not(miri)))]
mod x86_64 {
    use std::arch::x86_64::*;

    /// Copies bytes by non-temporal stores; a remainder shorter than a vector by plain ones.
    ///
    /// # Safety
    /// As for [`store`](super::store); both sides begin at a multiple of 16. A [`fence`] is needed before other threads may learn that it was done.
    #[inline(always)]
    pub(super) unsafe fn stream(bytes: usize, from: *const u8, to: *mut u8) {
        let whole = bytes - bytes % 16;
        // SAFETY: the caller's promise.
        unsafe {
            for at in (0..whole).step_by(16) {
                _mm_stream_si128(to.add(at).cast(), _mm_load_si128(from.add(at).cast()));
            }
            if whole < bytes {
                to.add(whole)
                    .copy_from_nonoverlapping(from.add(whole), bytes - whole);
            }
        }
    }

    /// Orders non-temporal stores before all subsequent ones.
    pub(super) fn fence() {
        // SAFETY: every processor of this kind has the instruction.
        unsafe { _mm_sfence() }
    }

    /// Prefetches a line that is read soon; the address may be invalid.
    #[inline(always)]
    pub(super) fn prefetch(from: *const u8) {
        // SAFETY: a prefetch accesses no memory, so the address may be invalid.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(from.cast()) };
    }
}

#[cfg(not(all(target_arch = "x86_64", not(miri))))]
use store as stream;

#[cfg(not(all(target_arch = "x86_64", not(miri))))]
fn fence() {}

#[cfg(not(all(target_arch = "x86_64", not(miri))))]
fn prefetch(_from: *const u8) {}

#[cfg(target_arch = "x86_64")]
mod tile {
    use std::arch::x86_64::*;

    use crate::element::Element;

    /// Transposes a tile of as many rows as a vector of 16 bytes has elements: each of `log2(rows)` rounds interleaves
    /// the first half of the rows with the second.
    ///
    /// # Safety
    /// There is such a tile on each side.
    #[inline(always)]
    pub(super) unsafe fn transpose<E: Element>(
        from: *const u8,
        from_step: isize,
        to: *mut u8,
        to_step: isize,
    ) {
        let lanes = 16 / E::WIDTH;
        // SAFETY: the caller's promise; every processor of this kind has these instructions.
        unsafe {
            let mut rows = [_mm_setzero_si128(); 16];
            for (l, row) in rows[..lanes].iter_mut().enumerate() {
                *row = _mm_loadu_si128(from.offset(l as isize * from_step).cast());
            }
            let mut round = 1;
            while round < lanes {
                let before = rows;
                for i in 0..lanes / 2 {
                    let (low, high) = (before[i], before[i + lanes / 2]);
                    (rows[2 * i], rows[2 * i + 1]) = match E::WIDTH {
                        1 => (_mm_unpacklo_epi8(low, high), _mm_unpackhi_epi8(low, high)),
                        2 => (_mm_unpacklo_epi16(low, high), _mm_unpackhi_epi16(low, high)),
                        4 => (_mm_unpacklo_epi32(low, high), _mm_unpackhi_epi32(low, high)),
                        _ => (_mm_unpacklo_epi64(low, high), _mm_unpackhi_epi64(low, high)),
                    };
                }
                round *= 2;
            }
            for (k, row) in rows[..lanes].iter().enumerate() {
                _mm_storeu_si128(to.offset(k as isize * to_step).cast(), *row);
            }
        }
    }
}

#[cfg(not(target_arch = "x86_64"))]
mod tile {
    use super::steps;
    use crate::element::Element;

    /// Transposes a tile of as many rows as 16 bytes have elements.
    ///
    /// # Safety
    /// There is such a tile on each side.
    #[inline(always)]
    pub(super) unsafe fn transpose<E: Element>(
        from: *const u8,
        from_step: isize,
        to: *mut u8,
        to_step: isize,
    ) {
        let lanes = 16 / E::WIDTH;
        for l in 0..lanes {
            // SAFETY: the caller's promise.
            unsafe {
                steps::<E>(
                    lanes,
                    from.offset(l as isize * from_step),
                    E::WIDTH as isize,
                    to.add(l * E::WIDTH),
                    to_step,
                )
            };
        }
    }
}

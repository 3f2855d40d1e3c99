//! A packed part of an image, for the filters of [`filter`](super::filter): what they read, and the sums that they make.

use crate::kernel::taps::{Tap, STEP};

/// Rows that are at least so long are runs by themselves if there are more than so many cells between them; else runs go on from one to the next.
const LONG: usize = 32;
const BETWEEN: usize = 8;
/// Runs go on as long as what lies between rows is at most so many times the rows.
const WASTE: usize = 2;

/// An axis of an image with windows: output `p` meets position `stride * p + dilation * r + first` at tap `r`.
#[derive(Clone, Debug)]
pub(super) struct Side {
    pub outputs: usize,
    pub taps: usize,
    pub stride: usize,
    pub dilation: usize,
    pub first: i64,
    /// Positions below 0, and from this one on, are zero.
    pub bound: i64,
    /// Strides, in bytes: of a position in the image, of an output, and of a tap in the filter.
    pub x: isize,
    pub y: isize,
    pub w: isize,
}

impl Side {
    /// The cells of a phase, for so many outputs; `None` if a number overflows.
    fn cells(&self, outputs: usize) -> Option<usize> {
        let reach = self.dilation.checked_mul(self.taps - 1)?;
        (outputs - 1)
            .checked_add(reach / self.stride)?
            .checked_add(1)
    }

    /// The phases that taps meet, ascending.
    fn phases(&self) -> Vec<usize> {
        let taps = 0..self.taps;
        let mut phases: Vec<usize> = taps.map(|r| self.dilation * r % self.stride).collect();
        phases.sort_unstable();
        phases.dedup();
        phases
    }

    /// The cells of all phases; `None` if a number overflows, or would as positions are computed.
    pub fn packed(&self, outputs: usize) -> Option<usize> {
        let reach = self.dilation.checked_mul(self.taps)?;
        self.stride.checked_mul(self.outputs)?.checked_add(reach)?;
        self.cells(outputs)?.checked_mul(self.phases().len())
    }

    /// The positions that windows meet and the image has.
    pub fn inside(&self) -> (i64, i64) {
        let reach = self.stride * (self.outputs - 1) + self.dilation * (self.taps - 1);
        (
            self.first.max(0),
            self.first.saturating_add(reach as i64 + 1).min(self.bound),
        )
    }
}

/// Adjacent cells that the image has: the first of them, where it is in the image, and how many they are.
#[derive(Clone, Copy)]
struct Piece {
    cell: usize,
    offset: isize,
    count: usize,
}

/// A packed part.
pub(super) struct Image<T> {
    pub axes: Vec<Side>,
    /// Of each axis the phases, the cells of each, and their distance.
    phases: Vec<Vec<usize>>,
    counts: Vec<usize>,
    strides: Vec<usize>,
    /// The cells of one phase of all axes.
    plane: usize,
    /// The packed elements, and cells beyond them.
    pub cells: Vec<T>,
    /// The sums of outputs.
    pub sums: Vec<T>,
    /// The distance of each tap in the cells, and the element of the filter.
    pub places: Vec<usize>,
    pub factors: Vec<T>,
    /// Of each tap the offset in the filter, in bytes.
    weights: Vec<isize>,
    /// What is made at once: where it begins in the cells and in the sums, and how many sums it has.
    pub runs: Vec<(usize, usize)>,
    pub length: usize,
    /// Where each row of outputs begins in the sums, and in the outputs in bytes.
    rows: Vec<(usize, isize)>,
    /// The cells that are not zero for the outputs from one on along the first axis: the same of each channel.
    pieces: Vec<Piece>,
    pieces_of: Option<usize>,
}

/// Calls for each combination of values below some limits, the last being the innermost.
fn each(limits: &[usize], mut call: impl FnMut(&[usize])) {
    let mut at = vec![0; limits.len()];
    loop {
        call(&at);
        let Some(place) = (0..at.len()).rev().find(|&d| at[d] + 1 < limits[d]) else {
            return;
        };
        at[place] += 1;
        at[place + 1..].fill(0);
    }
}

/// Takes elements that are `step` apart.
///
/// # Safety
///
/// There is one for each cell.
#[inline(always)]
unsafe fn spread<T: Tap>(cells: &mut [T], from: *const T, step: isize) {
    for (k, cell) in cells.iter_mut().enumerate() {
        // SAFETY: as the caller says.
        *cell = unsafe { from.wrapping_offset(k as isize * step).read() };
    }
}

impl<T: Tap> Image<T> {
    /// Memory for a part; `packed` outputs along the first axis were found to fit.
    pub fn new(axes: Vec<Side>, packed: usize) -> Image<T> {
        debug_assert!(axes[0].outputs <= packed);
        let phases: Vec<Vec<usize>> = axes.iter().map(Side::phases).collect();
        let counts: Vec<usize> = axes
            .iter()
            .map(|axis| axis.cells(axis.outputs).unwrap_or(0))
            .collect();
        let mut strides = vec![1; axes.len()];
        for d in (1..axes.len()).rev() {
            strides[d - 1] = strides[d] * counts[d];
        }
        let plane = strides[0] * counts[0];
        let planes: usize = phases.iter().map(Vec::len).product();
        let (mut places, mut weights) = (Vec::new(), Vec::new());
        let taps: Vec<usize> = axes.iter().map(|axis| axis.taps).collect();
        each(&taps, |tap| {
            let (mut phase, mut place, mut weight) = (0, 0, 0);
            for (d, (axis, &r)) in axes.iter().zip(tap).enumerate() {
                let position = axis.dilation * r;
                let own = position % axis.stride;
                phase =
                    phase * phases[d].len() + phases[d].iter().take_while(|&&p| p < own).count();
                place += position / axis.stride * strides[d];
                weight += axis.w * r as isize;
            }
            places.push(phase * plane + place);
            weights.push(weight);
        });
        let last = axes.len() - 1;
        let wasteful = |d: usize| counts[d] > WASTE * axes[d].outputs;
        let outer: Vec<usize> = axes[..last].iter().map(|axis| axis.outputs).collect();
        let mut rows = Vec::new();
        each(&outer, |at| {
            rows.push(at.iter().zip(&strides).map(|(p, s)| p * s).sum())
        });
        let (mut runs, mut length) = (vec![(0, 0)], axes[last].outputs);
        let apart = length >= LONG && counts[last] - length > BETWEEN;
        if apart || (1..=last).any(wasteful) {
            let apart = length.next_multiple_of(STEP);
            runs = rows
                .iter()
                .enumerate()
                .map(|(k, &cell)| (cell, k * apart))
                .collect();
            rows = runs.iter().map(|run| run.1).collect();
        } else {
            length += rows.last().map_or(0, |&row: &usize| row);
        }
        let mut places_of_rows = Vec::with_capacity(rows.len());
        each(&outer, |at| {
            let steps = at.iter().zip(&axes);
            places_of_rows.push(steps.fold(0isize, |offset, (&p, axis)| {
                offset.wrapping_add(axis.y.wrapping_mul(p as isize))
            }));
        });
        Image {
            cells: vec![T::zeroed(); planes * plane + STEP],
            sums: vec![T::zeroed(); rows.last().map_or(0, |row| row + axes[last].outputs) + STEP],
            rows: rows.into_iter().zip(places_of_rows).collect(),
            pieces: Vec::new(),
            pieces_of: None,
            factors: vec![T::ONE; places.len()],
            axes,
            phases,
            counts,
            strides,
            plane,
            places,
            weights,
            runs,
            length,
        }
    }

    /// Packs the part for outputs from `first` on along the first axis of an image whose position 0 is at `from`.
    ///
    /// # Safety
    ///
    /// There are elements at the positions [`inside`](Side::inside) of the axes.
    pub unsafe fn pack(&mut self, from: *const u8, first: usize) {
        if self.pieces_of != Some(first) {
            self.find_pieces(first);
        }
        let axis = &self.axes[self.axes.len() - 1];
        let step = axis.x * axis.stride as isize;
        for piece in &self.pieces {
            let from = from.wrapping_offset(piece.offset).cast::<T>();
            let line = &mut self.cells[piece.cell..piece.cell + piece.count];
            // SAFETY: these positions are inside, along each of the axes.
            unsafe {
                match step / size_of::<T>() as isize {
                    1 => line.as_mut_ptr().copy_from_nonoverlapping(from, line.len()),
                    // A step that the compiler knows, which it has vectors for.
                    2 => spread(line, from, 2),
                    step => spread(line, from, step),
                }
            }
        }
    }

    /// Finds the pieces for outputs from `first` on along the first axis, and makes all cells zero.
    fn find_pieces(&mut self, first: usize) {
        self.pieces_of = Some(first);
        self.pieces.clear();
        self.cells.fill(T::zeroed());
        let last = self.axes.len() - 1;
        let rows: Vec<usize> = (0..last)
            .map(|d| self.phases[d].len() * self.counts[d])
            .collect();
        let skipped = |d: usize| if d == 0 { first } else { 0 };
        let start = |d: usize| self.axes[d].first + (self.axes[d].stride * skipped(d)) as i64;
        let limits: Vec<(i64, i64)> = (0..=last)
            .map(|d| {
                let mut part = self.axes[d].clone();
                part.first = start(d);
                part.inside()
            })
            .collect();
        let (axis, count) = (&self.axes[last], self.counts[last]);
        let stride = axis.stride as i64;
        // Of each phase along the last axis the cells that the image has, and where the first of them is.
        let spans: Vec<(usize, usize, isize)> = self.phases[last]
            .iter()
            .map(|&phase| {
                let zero = start(last) + phase as i64;
                let (lo, hi) = limits[last];
                let cell = |position: i64| (position - zero + stride - 1).div_euclid(stride);
                let lo = cell(lo).clamp(0, count as i64);
                let hi = cell(hi).clamp(lo, count as i64);
                (
                    lo as usize,
                    hi as usize,
                    axis.x.wrapping_mul((zero + stride * lo) as isize),
                )
            })
            .collect();
        let planes = self.phases[last].len();
        let (axes, phases, counts, strides, plane) = (
            &self.axes,
            &self.phases,
            &self.counts,
            &self.strides,
            self.plane,
        );
        let pieces = &mut self.pieces;
        each(&rows, |row| {
            let (mut phase, mut place, mut offset, mut is_there) = (0, 0, 0isize, true);
            for (d, &at) in row.iter().enumerate() {
                let (own, cell) = (at / counts[d], at % counts[d]);
                phase = phase * phases[d].len() + own;
                place += cell * strides[d];
                let position = start(d) + (axes[d].stride * cell + phases[d][own]) as i64;
                is_there &= (limits[d].0..limits[d].1).contains(&position);
                offset = axes[d]
                    .x
                    .wrapping_mul(position as isize)
                    .wrapping_add(offset);
            }
            let lines = spans.iter().enumerate();
            for (own, &(lo, hi, inner)) in lines.filter(|(_, span)| is_there && span.0 < span.1) {
                pieces.push(Piece {
                    cell: (phase * planes + own) * plane + place + lo,
                    offset: offset.wrapping_add(inner),
                    count: hi - lo,
                });
            }
        });
    }

    /// Takes the elements of a filter.
    ///
    /// # Safety
    ///
    /// There is one for each tap.
    pub unsafe fn weigh(&mut self, from: *const u8) {
        for (factor, &offset) in self.factors.iter_mut().zip(&self.weights) {
            // SAFETY: as the caller says.
            *factor = unsafe { from.wrapping_offset(offset).cast::<T>().read() };
        }
    }

    /// Writes the sums to the outputs, the first of which is at `to`.
    ///
    /// # Safety
    ///
    /// The outputs are writable.
    pub unsafe fn give(&self, to: *mut u8) {
        let axis = &self.axes[self.axes.len() - 1];
        let (count, step) = (axis.outputs, axis.y);
        for &(place, offset) in &self.rows {
            let (line, to) = (&self.sums[place..place + count], to.wrapping_offset(offset));
            // SAFETY: as the caller says.
            unsafe {
                if step == size_of::<T>() as isize {
                    to.cast::<T>()
                        .copy_from_nonoverlapping(line.as_ptr(), count);
                } else {
                    for (p, &sum) in line.iter().enumerate() {
                        to.wrapping_offset(step * p as isize).cast::<T>().write(sum);
                    }
                }
            }
        }
    }
}

//! Filters of each channel: `y[n,c,p] += x[n,c,s*p + d*r - b] * w[c,r]`, sums over windows whose elements meet no other channel's, along up to three
//! axes of an image, with zeros around it; and pools, `y[n,c,p] max= x[n,c,s*p + d*r - b]`. There is no matrix product in it: rows or columns of one
//! would be 1.
//!
//! Of an image a part is packed that fits the cache: with its zeros, and by phases, so that what lies a stride apart is adjacent. Then a tap of the
//! filter is the packed part at a distance, whatever the stride and dilation; and rows follow each other with what lies between them, so that sums
//! run over the ends of short ones, and what they make there is left out.
//!
//! A pool without zeros whose channels are next to each other reads its vectors where they are: nothing is packed.
//!
//! A guard that makes a read zero outside of the image may stand around it, one for each axis; a guard around a product of two may not, for it would
//! leave out what is NaN.

use tensornio_core::parallel::Shared;

use super::axis::offsets;
use super::contraction::{start, Start};
use super::image::{Image, Side};
use super::multiply::UNIT;
use super::windows::Windows;
use crate::bound::{Access, LoopId, Statement, TensorId};
use crate::kernel::taps::{windows, Tap, Taps, STEP};
use crate::kernel::{Kernel, Level};
use crate::operand::DType;
use crate::plan::tile::{advance, units, Failed, View};

/// Sums over windows, or their largest or smallest elements.
#[derive(Debug)]
pub(crate) struct Filter {
    dtype: DType,
    kernel: Kernel,
    x: Start,
    /// The filter; none if each element counts once.
    w: Option<Start>,
    y: Start,
    /// Offsets of x, w and y for each channel.
    channels: Vec<[isize; 3]>,
    /// Offsets of x and w for each filter whose sums are added.
    added: Vec<[isize; 2]>,
    /// The axes of the image, for all outputs.
    axes: Vec<Side>,
    /// The outputs along the first axis that are computed of a packed part.
    block: usize,
    /// The distances of the taps in elements, if nothing need be packed.
    in_place: Option<Vec<usize>>,
}

/// The distances of the taps in elements, if each element counts once, all windows lie inside of the image, and outputs along its last axis are as
/// far apart as what they are made of, and as many as the kernel writes.
fn in_place(axes: &[Side], size: usize) -> Option<Vec<usize>> {
    let (last, outer) = axes.split_last()?;
    let step = size as isize;
    let aligned = last.taps == 1 && last.stride == 1 && [last.x, last.y] == [step, step];
    let inside = axes.iter().all(|axis| {
        let reach = (axis.outputs - 1) * axis.stride + (axis.taps - 1) * axis.dilation;
        axis.first >= 0 && axis.first + (reach as i64) < axis.bound
    });
    if outer.is_empty() || !aligned || !inside || last.outputs % STEP != 0 {
        return None;
    }
    let mut places = vec![0];
    for axis in outer {
        let step = usize::try_from(axis.x).ok()? / size * axis.dilation;
        places = places
            .into_iter()
            .flat_map(|place| (0..axis.taps).map(move |tap| place + tap * step))
            .collect();
    }
    Some(places)
}

impl Filter {
    /// Whether a statement is one of filters that is worth it. No loop has range 0.
    pub fn fits(statement: &Statement, views: &[View]) -> bool {
        Windows::of(statement, views).is_some()
    }

    /// The statement as filters; `None` if it does not fit.
    pub fn new(level: Level, statement: &Statement, views: &[View]) -> Option<Filter> {
        let found = Windows::of(statement, views)?;
        let dtype = statement.value.dtype;
        let table = |loops: &[LoopId], at: usize| offsets(loops, &found.ranges, &found.strides[at]);
        let of = [0, 1, 2].map(|at| table(&found.channels, at));
        let added = [0, 1].map(|at| table(&found.added, at));
        let begin = |access: &Access| start(access.tensor, &access.indices, &views[access.tensor]);
        // Positions along the axes of the image are counted from 0, not from the first window's.
        let mut origin = begin(found.x);
        for axis in &found.axes {
            let moved = axis.x.wrapping_mul(axis.first as isize);
            origin.offset = origin.offset.wrapping_sub(moved);
        }
        Some(Filter {
            dtype,
            kernel: windows(level, statement.op, dtype)?,
            x: origin,
            w: found.w.map(begin),
            y: start(statement.target, &statement.left, &views[statement.target]),
            channels: (0..of[0].len())
                .map(|k| [of[0][k], of[1][k], of[2][k]])
                .collect(),
            added: (0..added[0].len())
                .map(|k| [added[0][k], added[1][k]])
                .collect(),
            in_place: match found.w {
                None => in_place(&found.axes, dtype.width()),
                Some(_) => None,
            },
            axes: found.axes,
            block: found.block,
        })
    }

    /// The bytes of each tensor that are touched, counted from position 0.
    pub fn touched(&self) -> Vec<(TensorId, (i128, i128))> {
        let size = self.dtype.width() as i128;
        let bounds = |offsets: &mut dyn Iterator<Item = isize>| {
            offsets.fold((i128::MAX, i128::MIN), |(least, greatest), offset| {
                (least.min(offset as i128), greatest.max(offset as i128))
            })
        };
        let mut all = Vec::new();
        for (at, start) in [Some(self.x), self.w, Some(self.y)].into_iter().enumerate() {
            let Some(start) = start else { continue };
            let mut range = bounds(&mut self.channels.iter().map(|channel| channel[at]));
            if at < 2 {
                let added = bounds(&mut self.added.iter().map(|added| added[at]));
                range = (range.0 + added.0, range.1 + added.1);
            }
            let mut empty = false;
            for axis in &self.axes {
                let (first, last, step) = match at {
                    0 => {
                        let (lo, hi) = axis.inside();
                        empty |= lo >= hi;
                        (lo, hi - 1, axis.x)
                    }
                    1 => (0, axis.taps as i64 - 1, axis.w),
                    _ => (0, axis.outputs as i64 - 1, axis.y),
                };
                let ends = [first, last].map(|position| i128::from(position) * step as i128);
                range = (
                    range.0 + ends[0].min(ends[1]),
                    range.1 + ends[0].max(ends[1]),
                );
            }
            if !empty {
                let start_at = start.offset as i128;
                all.push((
                    start.tensor,
                    (start_at + range.0, start_at + range.1 + size),
                ));
            }
        }
        all
    }

    /// Computes all of them.
    ///
    /// # Safety
    ///
    /// `bases` are the addresses of position 0 of the tensors that this was made for; nobody else writes the target.
    pub unsafe fn run(&self, bases: &[*mut u8]) -> Result<(), Failed> {
        let at = |start: Start| bases[start.tensor].wrapping_offset(start.offset);
        let w = self.w.map_or(std::ptr::null_mut(), at);
        let all = Shared([at(self.x), w, at(self.y)]);
        let blocks = self.axes[0].outputs.div_ceil(self.block);
        let parts = self.channels.len() * blocks;
        let counts = self.axes.iter().flat_map(|axis| [axis.outputs, axis.taps]);
        let each = counts.fold(self.added.len(), usize::saturating_mul) / blocks;
        let per_unit = (UNIT / each.max(1)).max(1);
        units(parts.div_ceil(per_unit) as i64, &|unit| {
            let first = unit as usize * per_unit;
            let parts = (first..(first + per_unit).min(parts))
                .map(|part| (part / blocks, part % blocks * self.block));
            // SAFETY: as the caller says; parts have outputs of their own.
            unsafe {
                match self.dtype {
                    DType::Float => self.parts::<f32>(all.get(), parts),
                    _ => self.parts::<f64>(all.get(), parts),
                }
            }
            Ok(())
        })
    }

    /// Computes parts: each a channel, and the first of the outputs along the first axis.
    ///
    /// # Safety
    ///
    /// As [`run`](Filter::run); `all` are the addresses of x, w and y.
    unsafe fn parts<T: Tap>(&self, all: [*mut u8; 3], parts: impl Iterator<Item = (usize, usize)>) {
        if let Some(places) = &self.in_place {
            // SAFETY: as the caller says.
            return unsafe { self.parts_in_place::<T>(places, all, parts) };
        }
        let mut image: Option<Image<T>> = None;
        let mut packed = None;
        for (channel, first) in parts {
            let [x, w, y] = self.channels[channel];
            let outputs = self.block.min(self.axes[0].outputs - first);
            let image = match &mut image {
                Some(image) if image.axes[0].outputs == outputs => image,
                image => {
                    packed = None;
                    let mut axes = self.axes.clone();
                    axes[0].outputs = outputs;
                    image.insert(Image::new(axes, self.block))
                }
            };
            for (k, &[added_x, added_w]) in self.added.iter().enumerate() {
                let from = x.wrapping_add(added_x);
                // SAFETY: as the caller says, for all of this: `touched` has all of it.
                unsafe {
                    if packed != Some((from, first)) {
                        image.pack(all[0].wrapping_offset(from), first);
                        packed = Some((from, first));
                    }
                    if self.w.is_some() {
                        image.weigh(all[1].wrapping_offset(w).wrapping_offset(added_w));
                    }
                }
                let taps = Taps {
                    places: image.places.as_ptr(),
                    factors: image.factors.as_ptr(),
                    count: image.places.len(),
                    add: k > 0,
                };
                let taps = (&raw const taps).cast::<u8>();
                for &(cell, sum) in &image.runs {
                    let to = image.sums[sum..].as_mut_ptr().cast();
                    let from = image.cells[cell..].as_ptr().cast();
                    // SAFETY: a run that is rounded up to a multiple of the kernel's step is in the sums, and at the distance of each tap in
                    // the cells.
                    unsafe { (self.kernel)(image.length, to, from, taps, taps) };
                }
            }
            let to = all[2].wrapping_offset(y);
            let skipped = self.axes[0].y.wrapping_mul(first as isize);
            // SAFETY: these outputs are this part's.
            unsafe { image.give(to.wrapping_offset(skipped)) };
        }
    }

    /// The same of a pool that reads its image where it is.
    ///
    /// # Safety
    ///
    /// As [`parts`](Filter::parts).
    unsafe fn parts_in_place<T: Tap>(
        &self,
        places: &[usize],
        all: [*mut u8; 3],
        parts: impl Iterator<Item = (usize, usize)>,
    ) {
        let Some((last, outer)) = self.axes.split_last() else {
            return;
        };
        let factors = vec![T::ONE; places.len()];
        let corner: isize = self
            .axes
            .iter()
            .map(|axis| axis.first as isize * axis.x)
            .sum();
        let mut ranges: Vec<i64> = outer.iter().map(|axis| axis.outputs as i64).collect();
        let mut at = vec![0i64; outer.len()];
        for (channel, first) in parts {
            let [x, _, y] = self.channels[channel];
            let outputs = self.block.min(self.axes[0].outputs - first);
            let skipped = |step: isize| step.wrapping_mul(first as isize);
            let from = all[0].wrapping_offset(x.wrapping_add(corner));
            let from = from.wrapping_offset(skipped(outer[0].x * outer[0].stride as isize));
            let to = all[2]
                .wrapping_offset(y)
                .wrapping_offset(skipped(outer[0].y));
            ranges[0] = outputs as i64;
            at.fill(0);
            for _ in 0..ranges.iter().product() {
                let (mut position, mut output) = (0isize, 0isize);
                for (axis, &k) in outer.iter().zip(&at) {
                    position += axis.x * axis.stride as isize * k as isize;
                    output += axis.y * k as isize;
                }
                for (k, &[added, _]) in self.added.iter().enumerate() {
                    let taps = Taps {
                        places: places.as_ptr(),
                        factors: factors.as_ptr(),
                        count: places.len(),
                        add: k > 0,
                    };
                    let taps = (&raw const taps).cast::<u8>();
                    let row = from.wrapping_offset(position).wrapping_offset(added);
                    let to = to.wrapping_offset(output);
                    // SAFETY: the outputs of this point, a multiple of the kernel's step, and at the distance of each tap as many elements inside of
                    // the image; `touched` has all of it.
                    unsafe { (self.kernel)(last.outputs, to, row, taps, taps) };
                }
                advance(&mut at, &ranges);
            }
        }
    }
}

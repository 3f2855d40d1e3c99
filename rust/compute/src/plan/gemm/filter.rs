//! Filters of each channel: `y[n,c,p] += x[n,c,s*p + d*r - b] * w[c,r]`, sums over windows whose elements meet no other channel's, along up to three
//! axes of an image, with zeros around it; and pools, `y[n,c,p] max= x[n,c,s*p + d*r - b]`. There is no matrix product in it: rows or columns of one
//! would be 1.
//!
//! Of an image a part is packed that fits the cache: with its zeros, and by phases, so that what lies a stride apart is adjacent. Then a tap of the
//! filter is the packed part at a distance, whatever the stride and dilation; and rows follow each other with what lies between them, so that sums
//! run over the ends of short ones, and what they make there is left out.
//!
//! A guard that makes a read zero outside of the image may stand around it, one for each axis; a guard around a product of two may not, for it would
//! leave out what is NaN.

use tensornio_core::parallel::Shared;

use super::axis::offsets;
use super::contraction::{start, Start};
use super::image::{Image, Side};
use super::multiply::UNIT;
use crate::ast::Op;
use crate::bound::{Access, Condition, Index, LoopId, Statement, TensorId};
use crate::infer::condition;
use crate::kernel::taps::{windows, Tap, Taps};
use crate::kernel::{Kernel, Level};
use crate::operand::DType;
use crate::plan::rewrite::{writes_directly, Product};
use crate::plan::tile::{units, Failed, View};

/// The minimum number of multiplications; the tile VM computes smaller sums.
const LEAST: i64 = 4096;
/// The maximum number of taps, and of filters whose sums are added, so that errors stay within those of matrix products.
const MOST: i64 = 256;
/// The maximum number of images.
const IMAGES: i64 = 1 << 20;
/// The maximum number of axes of an image.
const AXES: usize = 3;
/// Bytes of a packed part: with the sums of it they fit the L2 cache.
const PART: usize = 64 << 10;
/// The maximum bytes of a packed part that is one row high.
const ROW: usize = 4 << 20;

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
}

/// The loops of a statement by role.
struct Roles {
    /// The axes of the image that has windows: the axis of the read, the loop over outputs and the loop over taps.
    spatial: Vec<(usize, Option<LoopId>, Option<LoopId>)>,
    channels: Vec<LoopId>,
    added: Vec<LoopId>,
}

impl Roles {
    fn of(statement: &Statement, x: &Access, in_x: &[i64], in_w: Option<&[i64]>) -> Option<Roles> {
        let loops = &statement.loops;
        let moves = |l: LoopId| loops[l].range > 1;
        let is_output =
            |l: LoopId| l < statement.kept && in_x[l] != 0 && in_w.is_none_or(|w| w[l] == 0);
        let is_tap =
            |l: LoopId| l >= statement.kept && in_x[l] != 0 && in_w.is_none_or(|w| w[l] != 0);
        let once = |l: LoopId| {
            let terms = x.indices.iter().flat_map(|index| &index.affine.terms);
            terms.filter(|term| term.0 == l).count() == 1
        };
        // The loops over outputs and taps of an index that has no others.
        let window = |index: &Index| {
            let (mut output, mut tap) = (None, None);
            for &(l, k) in index.affine.terms.iter().filter(|term| moves(term.0)) {
                let place = match (is_output(l), is_tap(l)) {
                    (true, _) => &mut output,
                    (_, true) => &mut tap,
                    _ => return None,
                };
                if k <= 0 || !once(l) || place.replace(l).is_some() {
                    return None;
                }
            }
            Some((output, tap))
        };
        let windows: Vec<_> = x.indices.iter().map(window).collect();
        let first = windows
            .iter()
            .position(|window| matches!(window, Some((Some(_), Some(_)))))?;
        let spatial: Vec<_> = windows
            .into_iter()
            .enumerate()
            .skip(first)
            .filter_map(|(at, window)| window.map(|(output, tap)| (at, output, tap)))
            .filter(|(_, output, tap)| output.is_some() || tap.is_some())
            .collect();
        let taken = |l: &LoopId| {
            let mut all = spatial.iter();
            all.any(|&(_, output, tap)| output == Some(*l) || tap == Some(*l))
        };
        let rest: Vec<LoopId> = (0..loops.len())
            .filter(|&l| moves(l))
            .filter(|l| !taken(l))
            .collect();
        let (mut channels, added): (Vec<_>, Vec<_>) =
            rest.into_iter().partition(|&l| l < statement.kept);
        // Those that read the same image follow each other.
        channels.sort_by_key(|&l| in_x[l] == 0);
        (spatial.len() <= AXES).then_some(Roles {
            spatial,
            channels,
            added,
        })
    }
}

impl Filter {
    /// The statement as filters; `None` if it is something else, or too small or large. No loop has range 0.
    pub fn new(level: Level, statement: &Statement, views: &[View]) -> Option<Filter> {
        let target = &views[statement.target];
        if !statement.guards.is_empty() || !writes_directly(statement, target.layout.shape()) {
            return None;
        }
        let product = Product::of(&statement.value)?;
        let plain = product.factors.is_empty() && product.read_factors.iter().all(Vec::is_empty);
        match (statement.op, product.reads.len()) {
            (Op::Sum, 2) if plain && product.guards.is_empty() => {
                (0..2).find_map(|at| Filter::of(level, statement, views, &product, [at, 1 - at]))
            }
            (Op::Sum | Op::Max | Op::Min, 1) if plain => {
                Filter::of(level, statement, views, &product, [0, 1])
            }
            _ => None,
        }
    }

    /// The same, where these reads of the product are the image and, if there are two, the filter.
    fn of(
        level: Level,
        statement: &Statement,
        views: &[View],
        product: &Product<'_>,
        [image, filter]: [usize; 2],
    ) -> Option<Filter> {
        let (x, w) = (product.reads[image], product.reads.get(filter));
        let dtype = statement.value.dtype;
        let loops = statement.loops.len();
        let ranges: Vec<i64> = statement.loops.iter().map(|l| l.range).collect();
        let (view_x, view_y) = (&views[x.tensor], &views[statement.target]);
        let in_x = view_x.steps(&x.indices, loops);
        let of_w = w.map(|w| views[w.tensor].steps(&w.indices, loops));
        let in_y = view_y.steps(&statement.left, loops);
        let shape = view_x.layout.shape();
        // Of one read a guard around it is one around all, which is 0 there, too.
        let guards: Vec<&Condition> = product.read_guards[image]
            .iter()
            .chain(&product.guards)
            .copied()
            .filter(|guard| !condition::always_holds(guard, &ranges))
            .collect();
        // A loop has a stride of 0 also along an axis of which all elements are one; then it is none of the image.
        let roles = Roles::of(statement, x, &in_x, of_w.as_deref())?;
        let in_w = of_w.unwrap_or_else(|| vec![0; loops]);
        let size = dtype.width();
        let inside =
            |index: &Index, length: i64| condition::is_inside(&index.affine, length, &ranges);
        if let Some(w) = w {
            let mut axes = w.indices.iter().zip(views[w.tensor].layout.shape());
            let all = axes.all(|(index, &length)| inside(index, length));
            if !all || !product.read_guards[filter].is_empty() {
                return None;
            }
        }
        let mut guarded = 0;
        let mut axes = Vec::new();
        for (at, (index, &length)) in x.indices.iter().zip(shape).enumerate() {
            let Some(&(_, output, tap)) = roles.spatial.iter().find(|axis| axis.0 == at) else {
                if !inside(index, length) {
                    return None;
                }
                continue;
            };
            let own = guards.iter().filter(|guard| guard.affine == index.affine);
            let bound = own.clone().map(|guard| guard.bound).min();
            guarded += own.count();
            if bound.is_none() && !inside(index, length)
                || bound.is_some_and(|bound| bound > length)
            {
                return None;
            }
            let factor = |l: Option<LoopId>| {
                let mut terms = index.affine.terms.iter();
                terms
                    .find(|term| Some(term.0) == l)
                    .map_or(1, |term| term.1)
            };
            let range = |l: Option<LoopId>| l.map_or(1, |l| ranges[l]);
            let along = |l: Option<LoopId>, strides: &[i64]| l.map_or(0, |l| strides[l]) as isize;
            axes.push(Side {
                outputs: usize::try_from(range(output)).ok()?,
                taps: usize::try_from(range(tap)).ok()?,
                stride: usize::try_from(factor(output)).ok()?,
                dilation: usize::try_from(factor(tap)).ok()?,
                first: index.affine.constant,
                bound: bound.unwrap_or(length),
                x: view_x.layout.strides()[at].checked_mul(size as i64)? as isize,
                y: along(output, &in_y),
                w: along(tap, &in_w),
            });
        }
        let count = |loops: &mut dyn Iterator<Item = i64>| loops.fold(1i64, i64::saturating_mul);
        let over = |loops: &[LoopId]| count(&mut loops.iter().map(|&l| ranges[l]));
        let taps = count(&mut axes.iter().map(|axis| axis.taps as i64));
        let outputs = count(&mut axes.iter().map(|axis| axis.outputs as i64));
        let (channels, added) = (over(&roles.channels), over(&roles.added));
        let work = [taps, outputs, channels, added]
            .into_iter()
            .fold(1, i64::saturating_mul);
        let last = axes.last()?;
        if guarded != guards.len()
            || [last.x, last.y].iter().all(|&step| step != size as isize)
            || taps > MOST
            || added > MOST
            || channels > IMAGES
            || work < LEAST
        {
            return None;
        }
        let block = block(&axes, size)?;
        let table = |loops: &[LoopId], strides: &[i64]| offsets(loops, &ranges, strides);
        let at = |strides: &[i64]| table(&roles.channels, strides);
        let ((of_x, of_w), of_y) = ((at(&in_x), at(&in_w)), at(&in_y));
        let channels = (0..of_x.len()).map(|k| [of_x[k], of_w[k], of_y[k]]);
        let added = table(&roles.added, &in_x)
            .into_iter()
            .zip(table(&roles.added, &in_w));
        // Positions along the axes of the image are counted from 0, not from the first window's.
        let mut origin = start(x.tensor, &x.indices, view_x);
        for axis in &axes {
            origin.offset = origin
                .offset
                .wrapping_sub(axis.x.wrapping_mul(axis.first as isize));
        }
        Some(Filter {
            dtype,
            kernel: windows(level, statement.op, dtype)?,
            x: origin,
            w: w.map(|w| start(w.tensor, &w.indices, &views[w.tensor])),
            y: start(statement.target, &statement.left, view_y),
            channels: channels.collect(),
            added: added.map(|(x, w)| [x, w]).collect(),
            axes,
            block,
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
        let each = self.axes.iter().map(|axis| axis.outputs * axis.taps);
        let each = each.product::<usize>() * self.added.len() / blocks;
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
}

/// The outputs along the first axis that are computed of a part that fits the cache; `None` if not even one row does.
fn block(axes: &[Side], size: usize) -> Option<usize> {
    let (first, rest) = axes.split_first()?;
    let others = rest.iter().try_fold(size, |bytes, axis| {
        bytes.checked_mul(axis.packed(axis.outputs)?)
    })?;
    let bytes = |outputs: usize| first.packed(outputs)?.checked_mul(others);
    let rows = (PART / bytes(1)?.max(1)).clamp(1, first.outputs);
    let mut block = rows;
    while block > 1 && bytes(block)? > PART {
        block /= 2;
    }
    (bytes(block)? <= ROW).then(|| first.outputs.div_ceil(first.outputs.div_ceil(block)))
}

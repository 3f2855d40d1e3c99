//! A statement as sums over windows: which loops are outputs and taps along the axes of an image, and which are channels, or are added.

use super::image::Side;
use crate::ast::Op;
use crate::bound::{Access, Condition, Index, LoopId, Statement, TensorId};
use crate::infer::condition;
use crate::plan::rewrite::{is_inside, writes_directly, Product};
use crate::plan::tile::View;

/// The minimum number of multiplications; the tile VM computes smaller sums.
const LEAST: i64 = 4096;
/// The minimum number of outputs of a channel; fewer do not fill a vector, and sums over channels are matrix products.
const OUTPUTS: i64 = 4;
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

/// A statement as sums over windows, or their largest or smallest elements.
pub(super) struct Windows<'a> {
    /// The image.
    pub x: &'a Access,
    /// The filter; none if each element counts once.
    pub w: Option<&'a Access>,
    /// The range of each loop.
    pub ranges: Vec<i64>,
    /// The stride of each loop in x, w and y, in bytes.
    pub strides: [Vec<i64>; 3],
    pub channels: Vec<LoopId>,
    /// The reduced loops that are no taps.
    pub added: Vec<LoopId>,
    /// The axes of the image, for all outputs.
    pub axes: Vec<Side>,
    /// The outputs along the first axis that are computed of a packed part.
    pub block: usize,
}

/// An axis of the image that has windows: the axis of the read, the loop over outputs and the loop over taps.
type Spatial = (usize, Option<LoopId>, Option<LoopId>);

/// The loops of a statement by role.
struct Roles {
    spatial: Vec<Spatial>,
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

impl<'a> Windows<'a> {
    /// Those of a statement; `None` if it is something else, or too small or large. No loop has range 0.
    pub fn of(statement: &'a Statement, views: &[View]) -> Option<Windows<'a>> {
        let target = &views[statement.target];
        if !statement.guards.is_empty() || !writes_directly(statement, target.layout.shape()) {
            return None;
        }
        let product = Product::of(&statement.value)?;
        let plain = product.factors.is_empty() && product.read_factors.iter().all(Vec::is_empty);
        let with = |reads| Windows::with(statement, views, &product, reads);
        match (statement.op, product.reads.len()) {
            (Op::Sum, 2) if plain && product.guards.is_empty() => {
                with([0, 1]).or_else(|| with([1, 0]))
            }
            (Op::Sum | Op::Max | Op::Min, 1) if plain => with([0, 1]),
            _ => None,
        }
    }

    /// The same, where these reads of the product are the image and, if there are two, the filter.
    fn with(
        statement: &Statement,
        views: &[View],
        product: &Product<'a>,
        [image, filter]: [usize; 2],
    ) -> Option<Windows<'a>> {
        let (x, w) = (product.reads[image], product.reads.get(filter).copied());
        let ranges = statement.ranges();
        let steps = |tensor: TensorId, indices| views[tensor].steps(indices, ranges.len());
        let in_x = steps(x.tensor, &x.indices);
        let in_w = w.map(|w| steps(w.tensor, &w.indices));
        // A loop has a stride of 0 also along an axis of which all elements are one; then it is none of the image.
        let roles = Roles::of(statement, x, &in_x, in_w.as_deref())?;
        if let Some(w) = w {
            let shape = views[w.tensor].layout.shape();
            if !is_inside(&w.indices, shape, &ranges) || !product.read_guards[filter].is_empty() {
                return None;
            }
        }
        // Of one read a guard around it is one around all, which is 0 there, too.
        let guards: Vec<&Condition> = product.read_guards[image]
            .iter()
            .chain(&product.guards)
            .copied()
            .filter(|guard| !condition::always_holds(guard, &ranges))
            .collect();
        let in_w = in_w.unwrap_or_else(|| vec![0; ranges.len()]);
        let strides = [in_x, in_w, steps(statement.target, &statement.left)];
        let axes = sides(
            x,
            &views[x.tensor],
            &roles.spatial,
            &guards,
            &ranges,
            &strides,
        )?;
        let size = views[x.tensor].dtype.width();
        let last = axes.last()?;
        if [last.x, last.y].iter().all(|&step| step != size as isize) {
            return None;
        }
        let windows = Windows {
            x,
            w,
            block: block(&axes, size)?,
            ranges,
            strides,
            channels: roles.channels,
            added: roles.added,
            axes,
        };
        windows.has_worth().then_some(windows)
    }

    /// Whether they are neither too few nor too many.
    fn has_worth(&self) -> bool {
        let count = |numbers: &mut dyn Iterator<Item = i64>| numbers.fold(1, i64::saturating_mul);
        let over = |loops: &[LoopId]| count(&mut loops.iter().map(|&l| self.ranges[l]));
        let taps = count(&mut self.axes.iter().map(|axis| axis.taps as i64));
        let outputs = count(&mut self.axes.iter().map(|axis| axis.outputs as i64));
        let (channels, added) = (over(&self.channels), over(&self.added));
        let work = count(&mut [taps, outputs, channels, added].into_iter());
        outputs >= OUTPUTS && taps <= MOST && added <= MOST && channels <= IMAGES && work >= LEAST
    }
}

/// The axes of an image with windows; `None` if something is read beside it without a guard along that axis, or a guard is of something else.
fn sides(
    x: &Access,
    view: &View,
    spatial: &[Spatial],
    guards: &[&Condition],
    ranges: &[i64],
    strides: &[Vec<i64>; 3],
) -> Option<Vec<Side>> {
    let mut guarded = 0;
    let mut axes = Vec::new();
    for (at, (index, &length)) in x.indices.iter().zip(view.layout.shape()).enumerate() {
        let is_inside = condition::is_inside(&index.affine, length, ranges);
        let Some(&(_, output, tap)) = spatial.iter().find(|axis| axis.0 == at) else {
            if !is_inside {
                return None;
            }
            continue;
        };
        let own = guards.iter().filter(|guard| guard.affine == index.affine);
        guarded += own.clone().count();
        let bound = match own.map(|guard| guard.bound).min() {
            Some(bound) if bound <= length => bound,
            None if is_inside => length,
            _ => return None,
        };
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
            bound,
            x: view.layout.strides()[at].checked_mul(view.dtype.width() as i64)? as isize,
            y: along(output, &strides[2]),
            w: along(tap, &strides[1]),
        });
    }
    (guarded == guards.len()).then_some(axes)
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

//! Running sums, products and extrema, and first-order filters, `y[t] = a*y[t-1] + c*x[t]`, along an axis on which a step would touch few elements,
//! or such as are far apart: lane by lane, each of them one loop over the steps.
//!
//! A step has to wait for the one before, so several lanes run side by side where there are several.

use tensornio_core::parallel::Shared;

use crate::ast::{Binary, Op};
use crate::bound::{Access, Bound, Expr, First, Lag, Node, Scan, Statement, TensorId};
use crate::operand::DType;
use crate::plan::rewrite::Cell;
use crate::plan::tile::{advance, parts, set, units, Failed, View};

/// The lanes that run side by side: an addition takes four cycles, in which as many others may begin.
const SIDE: usize = 8;

/// Fewer lanes than these run one after the other though a step would find its elements side by side.
const FEW: i64 = 32;

/// The elements of a unit of work, at least.
const UNIT: i64 = 1 << 16;

/// What a step makes of the step before, `s`, and of what it reads, `x`.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Form {
    /// `a*s + c*x`; one of them may be 1.
    Add,
    /// `a*s - c*x`
    Sub,
    Mul,
    Max,
    Min,
}

/// Where an operand begins, and how far it goes, in elements.
#[derive(Clone, Debug)]
struct Walk {
    tensor: TensorId,
    offset: i64,
    step: i64,
    lanes: Vec<i64>,
}

impl Walk {
    /// The walk over an access, by the loop over the steps and those over lanes; none if it is not affine.
    fn of(access: &Access, views: &[View], step: usize, loops: &[usize]) -> Option<Walk> {
        let layout = &views[access.tensor].layout;
        let mut strides = vec![0; loops.len() + 1];
        let mut offset = layout.offset();
        for (index, &stride) in access.indices.iter().zip(layout.strides()) {
            if !index.is_plain() {
                return None;
            }
            offset = offset.checked_add(index.affine.constant.checked_mul(stride)?)?;
            for &(id, factor) in &index.affine.terms {
                strides[id] = factor.checked_mul(stride)?.checked_add(strides[id])?;
            }
        }
        Some(Walk {
            tensor: access.tensor,
            offset,
            step: strides[step],
            lanes: loops.iter().map(|&id| strides[id]).collect(),
        })
    }

    /// The elements of a tensor before the first step, by the axis of each lane among `rank`, of which the tensor may lack the first; none if it has
    /// more.
    fn first(
        tensor: TensorId,
        view: &View,
        rank: usize,
        axes: impl Iterator<Item = usize>,
    ) -> Option<Walk> {
        let strides = view.layout.strides();
        let lacks = rank.checked_sub(strides.len())?;
        let stride = |axis: usize| axis.checked_sub(lacks).map_or(0, |place| strides[place]);
        Some(Walk {
            tensor,
            offset: view.layout.offset(),
            step: 0,
            lanes: axes.map(stride).collect(),
        })
    }
}

/// What is before the first step.
#[derive(Clone, Debug)]
enum Start {
    Cell(Cell),
    Tensor(Walk),
}

/// A recurrence of one statement as a loop for each lane.
#[derive(Debug)]
pub(crate) struct Lanes {
    form: Form,
    dtype: DType,
    steps: i64,
    /// The ranges of the loops over lanes.
    ranges: Vec<i64>,
    to: Walk,
    from: Walk,
    start: Start,
    /// `a` and `c`.
    factors: [Option<Cell>; 2],
}

impl Lanes {
    /// The lanes of a scan with one statement; none if it is not of that form, or faster step by step.
    pub fn new(bound: &Bound, scan: &Scan, statement: &Statement, views: &[View]) -> Option<Lanes> {
        let ([lag], [(step, axis)]) = (&scan.lags[..], &scan.members[..]) else {
            return None;
        };
        let dtype = statement.value.dtype;
        let is_number = matches!(
            dtype,
            DType::Float | DType::Double | DType::Int32 | DType::Int64
        );
        let plain =
            statement.op == Op::Set && statement.guards.is_empty() && lag.of == statement.target;
        let alone = statement.kept == statement.loops.len();
        if !is_number || !plain || !alone || views[lag.of].dtype != dtype || scan.steps < 2 {
            return None;
        }
        let shape = views[lag.of].layout.shape();
        let mut lanes = vec![0; statement.loops.len()];
        for (at, index) in statement.left.iter().enumerate() {
            let [(id, 1)] = index.affine.terms[..] else {
                return None;
            };
            if !index.is_plain()
                || index.affine.constant != 0
                || statement.loops[id].range != shape[at]
                || statement.left.len() != lanes.len()
            {
                return None;
            }
            lanes[id] = at;
        }
        let (form, factors, x) = form(&statement.value, statement, lag)?;
        let loops: Vec<usize> = (0..lanes.len()).filter(|id| id != step).collect();
        let walk = |access: &Access| Walk::of(access, views, *step, &loops);
        let to = walk(&Access {
            tensor: lag.of,
            indices: statement.left.clone(),
        })?;
        let from = walk(x)?;
        if views[from.tensor].dtype != dtype {
            return None;
        }
        let ranges: Vec<i64> = loops.iter().map(|&id| statement.loops[id].range).collect();
        let count: i64 = ranges.iter().product();
        let is_near = |(&range, stride): (&i64, &i64)| range > 1 && stride.abs() < to.step.abs();
        if count == 0 || count >= FEW && ranges.iter().zip(&to.lanes).any(is_near) {
            return None;
        }
        let start = match lag.first {
            First::Number(scalar) => Start::Cell(Cell::Bits(scalar.bits())),
            First::Tensor(id) if bound.tensors[id].dtype.is_none() => {
                Start::Cell(Cell::Number(id, dtype))
            }
            First::Tensor(id) if views[id].dtype == dtype => {
                let axes = loops
                    .iter()
                    .map(|&id| lanes[id] - usize::from(lanes[id] > *axis));
                Start::Tensor(Walk::first(id, &views[id], shape.len() - 1, axes)?)
            }
            First::Tensor(_) => return None,
        };
        let mut made = Lanes {
            form,
            dtype,
            steps: scan.steps,
            ranges,
            to,
            from,
            start,
            factors,
        };
        for walk in [&mut made.to, &mut made.from] {
            if scan.down {
                let reach = walk.step.checked_mul(scan.steps - 1)?;
                walk.offset = walk.offset.checked_add(reach)?;
                walk.step = walk.step.checked_neg()?;
            }
        }
        let is_inside = |walk: &Walk| made.is_inside(walk, &views[walk.tensor]);
        let has_start = match &made.start {
            Start::Cell(_) => true,
            Start::Tensor(walk) => is_inside(walk),
        };
        (is_inside(&made.to) && is_inside(&made.from) && has_start).then_some(made)
    }

    /// Whether all that a walk meets, over all steps and lanes, is inside of the tensor's memory. Nothing is checked as lanes run.
    fn is_inside(&self, walk: &Walk, view: &View) -> bool {
        let Some((first, last)) = view.layout.bounds() else {
            return false;
        };
        let (mut least, mut greatest) = (i128::from(walk.offset), i128::from(walk.offset));
        let lanes = walk.lanes.iter().zip(&self.ranges);
        for (&stride, &range) in lanes.chain([(&walk.step, &self.steps)]) {
            let reach = i128::from(stride) * i128::from(range - 1);
            least += reach.min(0);
            greatest += reach.max(0);
        }
        i128::from(first) <= least && greatest <= i128::from(last)
    }

    /// Runs all lanes.
    ///
    /// # Safety
    ///
    /// As [`Nest::run`](crate::plan::tile::Nest::run).
    pub unsafe fn run(
        &self,
        bases: &[*mut u8],
        numbers: &(dyn Fn(usize, DType) -> u64 + Sync),
    ) -> Result<(), Failed> {
        // SAFETY: as the caller says.
        unsafe {
            match self.dtype {
                DType::Float => self.typed::<f32>(bases, numbers),
                DType::Double => self.typed::<f64>(bases, numbers),
                DType::Int32 => self.typed::<i32>(bases, numbers),
                _ => self.typed::<i64>(bases, numbers),
            }
        }
    }

    /// # Safety
    ///
    /// As [`run`](Lanes::run), for the type of the elements.
    unsafe fn typed<T: Element>(
        &self,
        bases: &[*mut u8],
        numbers: &(dyn Fn(usize, DType) -> u64 + Sync),
    ) -> Result<(), Failed> {
        let value = |cell: &Cell| T::of_bits(cell.bits(numbers));
        let [a, c] = self.factors;
        let (one, a, c) = (
            a.is_none(),
            a.as_ref().map_or(T::ONE, value),
            c.as_ref().map_or(T::ONE, value),
        );
        let start = match &self.start {
            Start::Cell(cell) => Some(value(cell)),
            Start::Tensor(_) => None,
        };
        let count: i64 = self.ranges.iter().product();
        let per_unit = parts((UNIT / self.steps).max(1), SIDE as i64) * SIDE as i64;
        let all = Shared(bases.as_ptr());
        let tensors = bases.len();
        units(parts(count, per_unit), &|unit| {
            // SAFETY: the slice that was given, which outlives the units.
            let bases = unsafe { std::slice::from_raw_parts(all.get(), tensors) };
            let mut at = vec![0; self.ranges.len()];
            set(&mut at, &self.ranges, unit * per_unit);
            let mut side: Vec<Lane<T>> = Vec::with_capacity(SIDE);
            let end = ((unit + 1) * per_unit).min(count);
            for lane in unit * per_unit..end {
                let place = |walk: &Walk| {
                    let reach: i64 = walk
                        .lanes
                        .iter()
                        .zip(&at)
                        .map(|(stride, at)| stride * at)
                        .sum();
                    bases[walk.tensor]
                        .cast::<T>()
                        .wrapping_offset((walk.offset + reach) as isize)
                };
                side.push(Lane {
                    to: place(&self.to),
                    from: place(&self.from),
                    now: match (&self.start, start) {
                        // SAFETY: it was checked that a walk is inside of its tensor.
                        (Start::Tensor(walk), _) => unsafe { place(walk).read() },
                        (_, start) => start.unwrap_or(T::ONE),
                    },
                });
                if side.len() == SIDE || lane + 1 == end {
                    // SAFETY: as above; lanes of units are disjoint.
                    unsafe {
                        match self.form {
                            Form::Add if one => self.steps(&mut side, |s, x| s.plus(c.times(x))),
                            Form::Add => self.steps(&mut side, |s, x| a.times(s).plus(c.times(x))),
                            Form::Sub => self.steps(&mut side, |s, x| a.times(s).minus(c.times(x))),
                            Form::Mul => self.steps(&mut side, |s, x| s.times(x)),
                            Form::Max => self.steps(&mut side, T::most),
                            Form::Min => self.steps(&mut side, T::least),
                        }
                    }
                    side.clear();
                }
                advance(&mut at, &self.ranges);
            }
            Ok(())
        })
    }

    /// Runs all steps of some lanes.
    ///
    /// # Safety
    ///
    /// All elements of the lanes exist, and nobody else writes them.
    unsafe fn steps<T: Element>(&self, side: &mut [Lane<T>], next: impl Fn(T, T) -> T) {
        // SAFETY: as the caller says.
        unsafe {
            if let Ok(all) = <&mut [Lane<T>; SIDE]>::try_from(&mut *side) {
                self.walk(all, &next);
            } else {
                side.iter_mut()
                    .for_each(|lane| self.walk(std::array::from_mut(lane), &next));
            }
        }
    }

    /// # Safety
    ///
    /// As [`steps`](Lanes::steps).
    #[inline(always)]
    unsafe fn walk<T: Element, const N: usize>(
        &self,
        side: &mut [Lane<T>; N],
        next: &impl Fn(T, T) -> T,
    ) {
        let (to, from) = (self.to.step as isize, self.from.step as isize);
        for _ in 0..self.steps {
            for lane in side.iter_mut() {
                // SAFETY: as the caller says.
                unsafe {
                    lane.now = next(lane.now, lane.from.read());
                    lane.to.write(lane.now);
                }
                lane.to = lane.to.wrapping_offset(to);
                lane.from = lane.from.wrapping_offset(from);
            }
        }
    }
}

/// A lane at a step.
struct Lane<T> {
    to: *mut T,
    from: *const T,
    now: T,
}

/// The form of a value, its factors of the step before and of the read, and the read.
fn form<'a>(
    value: &'a Expr,
    statement: &Statement,
    lag: &Lag,
) -> Option<(Form, [Option<Cell>; 2], &'a Access)> {
    let Node::Binary(operator, p, q) = &value.node else {
        return None;
    };
    let is_before = |access: &Access| {
        let mut pairs = access.indices.iter().zip(&statement.left);
        access.tensor == lag.target
            && access.indices.len() == statement.left.len()
            && pairs.all(|(index, left)| index.is_plain() && index.affine == left.affine)
    };
    let (p, q) = (scaled(p)?, scaled(q)?);
    let (before, x) = match (is_before(p.1), is_before(q.1)) {
        (true, false) => (p, q),
        (false, true) if *operator != Binary::Sub => (q, p),
        _ => return None,
    };
    if x.1.tensor == lag.target {
        return None;
    }
    let form = match operator {
        Binary::Add => Form::Add,
        Binary::Sub => Form::Sub,
        Binary::Mul => Form::Mul,
        Binary::Max => Form::Max,
        Binary::Min => Form::Min,
        _ => return None,
    };
    let is_plain = before.0.is_none() && x.0.is_none();
    (matches!(form, Form::Add | Form::Sub) || is_plain).then_some((form, [before.0, x.0], x.1))
}

/// A read, and the constant by which it is multiplied, if there is one.
fn scaled(expr: &Expr) -> Option<(Option<Cell>, &Access)> {
    match &expr.node {
        Node::Read(access) => Some((None, access)),
        Node::Binary(Binary::Mul, p, q) => match (&p.node, &q.node) {
            (_, Node::Read(access)) => Some((Some(Cell::of(p)?), access)),
            (Node::Read(access), _) => Some((Some(Cell::of(q)?), access)),
            _ => None,
        },
        _ => None,
    }
}

/// An element of a lane. Integers wrap.
trait Element: Copy + Send + Sync {
    const ONE: Self;
    fn of_bits(bits: u64) -> Self;
    fn plus(self, other: Self) -> Self;
    fn minus(self, other: Self) -> Self;
    fn times(self, other: Self) -> Self;
    /// The larger one; NaN if one is.
    fn most(self, other: Self) -> Self;
    /// The lower one; NaN if one is.
    fn least(self, other: Self) -> Self;
}

macro_rules! float {
    ($type:ty, $bits:ty) => {
        impl Element for $type {
            const ONE: $type = 1.0;
            fn of_bits(bits: u64) -> $type {
                <$type>::from_bits(bits as $bits)
            }
            fn plus(self, other: $type) -> $type {
                self + other
            }
            fn minus(self, other: $type) -> $type {
                self - other
            }
            fn times(self, other: $type) -> $type {
                self * other
            }
            fn most(self, other: $type) -> $type {
                if self.is_nan() || self > other {
                    self
                } else {
                    other
                }
            }
            fn least(self, other: $type) -> $type {
                if self.is_nan() || self < other {
                    self
                } else {
                    other
                }
            }
        }
    };
}

macro_rules! integer {
    ($type:ty) => {
        impl Element for $type {
            const ONE: $type = 1;
            fn of_bits(bits: u64) -> $type {
                bits as $type
            }
            fn plus(self, other: $type) -> $type {
                self.wrapping_add(other)
            }
            fn minus(self, other: $type) -> $type {
                self.wrapping_sub(other)
            }
            fn times(self, other: $type) -> $type {
                self.wrapping_mul(other)
            }
            fn most(self, other: $type) -> $type {
                self.max(other)
            }
            fn least(self, other: $type) -> $type {
                self.min(other)
            }
        }
    };
}

float!(f32, u32);
float!(f64, u64);
integer!(i32);
integer!(i64);

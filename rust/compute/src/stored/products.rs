//! Sums of products along runs, without a column between: of factors that are the same along a run, and one or two that move.

use super::accumulate::{carry, Cells};
use super::code::{Code, Compiler};
use super::evaluate::Machine;
use super::lines::{self, Line, Step};
use super::rows;
use super::runs::{Kind, Runs};
use super::tensor::Tensor;
use crate::ast::Binary;
use crate::bound::{Access, Expr, LoopId, Node, TensorId};
use crate::kernel::isa::{kernel, Body, Isa};
pub(super) use crate::kernel::stream::prefetch;
use crate::kernel::{Kernel, Level};
use crate::operand::DType;
use crate::Error;

/// Doubles whose products are summed plainly, in lanes, before what rounding loses is carried.
const PLAIN: usize = 4096;

/// A product, of which sums are computed run by run.
pub(super) struct Product {
    dtype: DType,
    /// The factors that are the same along a run, multiplied.
    scale: Option<Code>,
    moving: Vec<Moving>,
    sum: Kernel,
    add: Kernel,
}

/// A factor that moves along a run.
enum Moving {
    /// The entries that lead the innermost loop.
    Entries(TensorId),
    /// A line of a tensor.
    Read(Access),
}

impl Product {
    /// The product that a value is, if it is one that this can sum; `target` is how the positions that are written move.
    pub fn new(
        value: &Expr,
        kind: Kind,
        inner: LoopId,
        target: Option<Step>,
        tensors: &[Tensor<'_>],
        compiler: &mut Compiler<'_, '_>,
    ) -> Result<Option<Product>, Error> {
        if !matches!(value.dtype, DType::Float | DType::Double) || kind == Kind::Points {
            return Ok(None);
        }
        let mut factors = Vec::new();
        multiplied(value, &mut factors);
        let mut scale: Option<Expr> = None;
        let mut moving = Vec::new();
        for factor in factors {
            if let Node::Read(access) = &factor.node {
                if let Some(leaf) = compiler.leaf(access) {
                    if kind == Kind::Entries(leaf) {
                        moving.push(Moving::Entries(access.tensor));
                        continue;
                    }
                } else if moves(factor, inner) {
                    let form = &tensors[access.tensor].form;
                    match (lines::step(form, &access.indices, inner), kind) {
                        (Some(Step::By(1)), Kind::Range) => {}
                        (Some(Step::By(_)), Kind::Entries(_)) => {}
                        _ => return Ok(None),
                    }
                    moving.push(Moving::Read(access.clone()));
                    continue;
                }
            }
            if moves(factor, inner) {
                return Ok(None);
            }
            scale = Some(match scale {
                None => factor.clone(),
                Some(scale) => Expr {
                    dtype: value.dtype,
                    node: Node::Binary(Binary::Mul, Box::new(scale), Box::new(factor.clone())),
                },
            });
        }
        let is_read = |one: &&Moving| matches!(one, Moving::Read(_));
        let reads = moving.iter().filter(is_read).count();
        let fits = match (target, kind) {
            (Some(Step::Same), Kind::Range) => matches!(moving.len(), 1 | 2),
            (Some(Step::Same), _) => matches!((moving.len(), reads), (1, _) | (2, 1)),
            (Some(Step::By(1)), Kind::Range) => moving.len() == 1,
            (Some(Step::By(_)), Kind::Entries(_)) => (moving.len(), reads) == (1, 0),
            _ => false,
        };
        if !fits {
            return Ok(None);
        }
        // The entries first.
        moving.sort_by_key(|one| matches!(one, Moving::Read(_)));
        let level = Level::best();
        let (sum, add) = match value.dtype {
            DType::Float => (kernel::<Dot<f32>>(level), kernel::<Axpy>(level)),
            _ => (kernel::<Dot<f64>>(level), kernel::<Carry>(level)),
        };
        Ok(Some(Product {
            dtype: value.dtype,
            scale: scale.map(|scale| compiler.code(&scale)).transpose()?,
            moving,
            sum,
            add,
        }))
    }

    /// Adds the products at the points of runs to the elements on a line; false if something has no place, so that it is to be done point by point.
    ///
    /// # Safety
    /// As [`Cells::add`].
    pub unsafe fn add(
        &self,
        machine: &Machine<'_, '_>,
        runs: &Runs<'_, '_>,
        target: &Line,
        cells: Cells,
    ) -> Result<bool, Error> {
        let mut lines = Vec::new();
        for one in &self.moving {
            let (id, line) = match one {
                Moving::Entries(id) => {
                    let Kind::Entries(leaf) = runs.kind else {
                        return Ok(false);
                    };
                    let count = machine.tensors[*id]
                        .points()
                        .map_or(0, |points| points.count);
                    let inside = |line: &Line| {
                        let mut ends = line.firsts.iter().zip(runs.starts().windows(2));
                        ends.all(|(&first, ends)| {
                            first >= 0 && first as usize + (ends[1] - ends[0]) <= count
                        })
                    };
                    (*id, lines::entries(leaf, runs).filter(inside))
                }
                Moving::Read(access) => (
                    access.tensor,
                    machine.read_line(access.tensor, &access.indices, runs)?,
                ),
            };
            let Some(line) = line else { return Ok(false) };
            lines.push((machine.tensors[id].data, line));
        }
        let scale = match &self.scale {
            Some(scale) => Some(machine.column(scale, &runs.heads)?),
            None => None,
        };
        let of = |run: usize| match (&scale, self.dtype) {
            (None, _) => 1.0,
            (Some(scale), DType::Float) => f64::from(scale.of::<f32>()[run]),
            (Some(scale), _) => scale.of::<f64>()[run],
        };
        // SAFETY: as the caller says; a line is of positions of elements of its tensor.
        unsafe {
            match self.dtype {
                DType::Float => self.runs::<f32>(runs, &lines, target, cells, &of),
                _ => self.runs::<f64>(runs, &lines, target, cells, &of),
            }
        }
        Ok(true)
    }

    /// Adds, run by run.
    ///
    /// # Safety
    /// As [`add`](Product::add); lines are those of tensors of this type, at these addresses.
    unsafe fn runs<T: Real>(
        &self,
        runs: &Runs<'_, '_>,
        lines: &[(*const u8, Line)],
        target: &Line,
        cells: Cells,
        scale: &dyn Fn(usize) -> f64,
    ) {
        let starts = runs.starts();
        let at = |line: &(*const u8, Line), run: usize| {
            // SAFETY: it is the position of an element.
            unsafe { line.0.cast::<T>().offset(line.1.firsts[run] as isize) }
        };
        let heads = &runs.heads.loops[runs.inner];
        for run in 0..runs.len() {
            let n = starts[run + 1] - starts[run];
            let first = at(&lines[0], run);
            if runs.kind == Kind::Range && run + 4 < runs.len() {
                for line in lines {
                    prefetch(at(line, run + 4).cast(), n * size_of::<T>());
                }
            }
            match (target.step, runs.coordinates()) {
                (Step::Same, None) => {
                    let Some(cell) = cells.cells(target.firsts[run], 1) else {
                        continue;
                    };
                    let second = lines.get(1).map_or(std::ptr::null(), |line| at(line, run));
                    let mut done = 0;
                    while done < n {
                        let some = (n - done).min(PLAIN);
                        let mut sum = 0.0f64;
                        // SAFETY: all positions of a run are those of elements.
                        unsafe {
                            let second = match second.is_null() {
                                true => second,
                                false => second.add(done),
                            };
                            let (first, to) = (first.add(done), &raw mut sum);
                            (self.sum)(
                                some,
                                to.cast(),
                                first.cast(),
                                second.cast(),
                                std::ptr::null(),
                            );
                            cells.sum(cell, scale(run) * sum);
                        }
                        done += some;
                    }
                }
                (Step::Same, Some((column, places))) => {
                    let Some(cell) = cells.cells(target.firsts[run], 1) else {
                        continue;
                    };
                    let coordinates = column.from(places[run]).take(n);
                    let (from, most) = (heads[run], runs.last(run).wrapping_sub(heads[run]).max(0));
                    // Coordinates are those of the run's ends, or between.
                    let way = |coordinate: i64| coordinate.wrapping_sub(from).clamp(0, most);
                    let by = |line: &Line| match line.step {
                        Step::By(by) => by,
                        _ => 1,
                    };
                    let mut lanes = [0.0f64; 4];
                    match lines {
                        [(_, one)] if one.step == Step::Next => {
                            for k in 0..n {
                                // SAFETY: all positions of a run are those of elements.
                                lanes[k & 3] += unsafe { (*first.add(k)).into() };
                            }
                        }
                        [(_, one)] => {
                            let by = by(one);
                            for (done, coordinate) in coordinates.enumerate() {
                                // SAFETY: as above.
                                let value =
                                    unsafe { *first.offset((way(coordinate) * by) as isize) };
                                lanes[done & 3] += value.into();
                            }
                        }
                        [_, other, ..] => {
                            let (second, by) = (at(other, run), by(&other.1));
                            for (done, coordinate) in coordinates.enumerate() {
                                // SAFETY: as above.
                                let (a, b) = unsafe {
                                    (
                                        *first.add(done),
                                        *second.offset((way(coordinate) * by) as isize),
                                    )
                                };
                                lanes[done & 3] += a.into() * b.into();
                            }
                        }
                        [] => {}
                    }
                    let sum = (lanes[0] + lanes[2]) + (lanes[1] + lanes[3]);
                    // SAFETY: the cell is inside, and this thread's alone.
                    unsafe { cells.sum(cell, scale(run) * sum) };
                }
                (Step::By(by), Some((column, places))) => {
                    let (from, most) = (heads[run], runs.last(run).wrapping_sub(heads[run]).max(0));
                    let to = target.firsts[run];
                    let ends = (cells.cells(to, 1), cells.cells(to + most * by, 1));
                    let (Some(_), Some(_)) = ends else { continue };
                    let scale = scale(run);
                    for (k, coordinate) in column.from(places[run]).take(n).enumerate() {
                        let way = coordinate.wrapping_sub(from).clamp(0, most);
                        // SAFETY: it is between two cells that are inside, and this thread's alone; there are as many entries.
                        unsafe {
                            let value: f64 = (*first.add(k)).into();
                            cells.sum(cells.index(to + way * by), scale * value);
                        }
                    }
                }
                (_, _) => {
                    let Some(cell) = cells.cells(target.firsts[run], n) else {
                        continue;
                    };
                    let scale = scale(run);
                    let (to, lost) = cells.of_sum(cell);
                    // SAFETY: the cells are inside, and this thread's alone; all positions of a run are those of elements.
                    unsafe {
                        let scale = (&raw const scale).cast();
                        (self.add)(n, to.cast(), first.cast(), scale, lost.cast());
                    }
                }
            }
        }
    }
}

/// The factors of a product.
fn multiplied<'e>(expr: &'e Expr, factors: &mut Vec<&'e Expr>) {
    match &expr.node {
        Node::Binary(Binary::Mul, a, b) => {
            multiplied(a, factors);
            multiplied(b, factors);
        }
        _ => factors.push(expr),
    }
}

/// Whether an expression depends on a loop.
fn moves(expr: &Expr, inner: LoopId) -> bool {
    let of = |access: &Access| {
        let mut loops = Vec::new();
        access
            .indices
            .iter()
            .for_each(|index| rows::loops(index, &mut loops));
        loops.contains(&inner)
    };
    match &expr.node {
        Node::Constant(_) | Node::Number(_) => false,
        Node::Loop(id) => *id == inner,
        Node::Read(access) => of(access),
        Node::Unary(_, a) | Node::Cast(a) => moves(a, inner),
        Node::Binary(_, a, b) => moves(a, inner) || moves(b, inner),
        // These are evaluated point by point.
        Node::Select(..) | Node::Guard(..) => true,
    }
}

/// A float of a product.
trait Real: Copy + Into<f64> {}

impl Real for f32 {}
impl Real for f64 {}

/// `a * b + c`, in one step where the processor has it.
#[inline(always)]
pub(super) fn fused<I: Isa>(a: f64, b: f64, c: f64) -> f64 {
    match I::FMA {
        true => a.mul_add(b, c),
        false => a * b + c,
    }
}

/// `to[0] = sum of a[k] * b[k]`, or of `a[k]` if b is null, in doubles.
struct Dot<T>(std::marker::PhantomData<T>);

impl<T: Real> Body for Dot<T> {
    const WIDE: bool = true;

    #[inline(always)]
    unsafe fn run<I: Isa>(n: usize, to: *mut u8, a: *const u8, b: *const u8, _: *const u8) {
        let mut lanes = [0.0f64; 16];
        let (whole, plain) = (n / 16 * 16, b.is_null());
        // SAFETY: a, and b if it is not null, are readable for n elements; the result is one double.
        unsafe {
            let a = std::slice::from_raw_parts(a.cast::<T>(), n);
            let b = match plain {
                true => &[][..],
                false => std::slice::from_raw_parts(b.cast::<T>(), n),
            };
            for at in (0..whole).step_by(16) {
                for (k, lane) in lanes.iter_mut().enumerate() {
                    *lane = match plain {
                        true => *lane + a[at + k].into(),
                        false => fused::<I>(a[at + k].into(), b[at + k].into(), *lane),
                    };
                }
            }
            for (lane, at) in lanes.iter_mut().zip(whole..n) {
                *lane = match plain {
                    true => *lane + a[at].into(),
                    false => fused::<I>(a[at].into(), b[at].into(), *lane),
                };
            }
            for half in [8, 4, 2, 1] {
                for lane in 0..half {
                    lanes[lane] += lanes[lane + half];
                }
            }
            to.cast::<f64>().write(lanes[0]);
        }
    }
}

/// `to[k] += a[k] * b[0]`: `to` and b are doubles, a floats.
struct Axpy;

impl Body for Axpy {
    const WIDE: bool = true;

    #[inline(always)]
    unsafe fn run<I: Isa>(n: usize, to: *mut u8, a: *const u8, b: *const u8, _: *const u8) {
        // SAFETY: `to` is writable, and a readable, for n elements, which are not the same; b is one double.
        unsafe {
            let scale = *b.cast::<f64>();
            let to = std::slice::from_raw_parts_mut(to.cast::<f64>(), n);
            let a = std::slice::from_raw_parts(a.cast::<f32>(), n);
            for (to, &a) in to.iter_mut().zip(a) {
                *to = fused::<I>(f64::from(a), scale, *to);
            }
        }
    }
}

/// `to[k] += a[k] * b[0]` of doubles, where `c[k]` gets what the rounding of the sum lost.
struct Carry;

impl Body for Carry {
    #[inline(always)]
    unsafe fn run<I: Isa>(n: usize, to: *mut u8, a: *const u8, b: *const u8, c: *const u8) {
        // SAFETY: `to` and c are writable, and a readable, for n elements, of which none are the same; b is one double.
        unsafe {
            let scale = *b.cast::<f64>();
            let to = std::slice::from_raw_parts_mut(to.cast::<f64>(), n);
            let lost = std::slice::from_raw_parts_mut(c.cast_mut().cast::<f64>(), n);
            let a = std::slice::from_raw_parts(a.cast::<f64>(), n);
            for ((to, lost), &a) in to.iter_mut().zip(lost).zip(a) {
                carry(to, lost, a * scale);
            }
        }
    }
}

//! A sum of products as one sweep over the rows of a matrix, sparse or ragged: where each operand is follows from the row, the place of an entry, its
//! coordinate along the row, and the innermost loop, by one multiplication each. Lengths of axes are compared with ranges before; coordinates, of
//! which nothing is promised, as they are read. A sweep that meets one outside of its axis gives up: the walk over points then says what is wrong.

mod finder;
mod fold;
mod lines;
mod map;
mod sample;
mod scatter;
mod segments;

pub(super) use self::map::Map;

use std::cell::Cell;
use std::ops::Range as Span;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use self::finder::Finder;
use self::segments::{Coordinates, Rows, Segments};
use super::accumulate::{Accumulator, Cells};
use super::memory::Buffer;
use super::nest::Nest;
use super::statement::Statement;
use super::support::Support;
use super::tensor::{Form, Tensor};
use super::walk::Walk;
use super::windows::Shared;
use crate::ast::{Binary, Op};
use crate::bound::{Expr, Node};
use crate::kernel::isa::kernel;
use crate::kernel::{Kernel, Level};
use crate::operand::DType;
use crate::scalar::Scalar;
use crate::Error;

/// The most entries at a time.
const SOME: usize = 256;

/// How many entries before it is read an element is fetched.
const AHEAD: usize = 12;

thread_local! {
    static SWEPT: Cell<u64> = const { Cell::new(0) };
}

/// For tests: how many statements were sweeps on this thread so far.
pub fn swept() -> u64 {
    SWEPT.get()
}

/// A statement was one sweep over rows.
pub(super) fn count_sweep() {
    SWEPT.set(SWEPT.get() + 1);
}

/// Where an operand is, in elements: so far for each row, coordinate, place, and value of the innermost loop.
#[derive(Clone, Copy, Debug, Default)]
struct Way {
    base: i64,
    row: i64,
    coordinate: i64,
    place: i64,
    inner: i64,
}

impl Way {
    /// The position at a row, a coordinate and a place; of a coordinate that is fetched before it was checked, any.
    #[inline(always)]
    fn at(&self, row: i64, coordinate: i64, place: usize) -> isize {
        let of_row = self.base + self.row * row + self.place * place as i64;
        of_row.wrapping_add(self.coordinate.wrapping_mul(coordinate)) as isize
    }

    fn is_of_row(&self) -> bool {
        (self.coordinate, self.place) == (0, 0)
    }

    /// Whether its elements are those of the entries, one after the other.
    fn is_of_places(&self) -> bool {
        (self.row, self.coordinate, self.place) == (0, 0, 1)
    }
}

/// A factor: the address of position 0, and where its elements are.
#[derive(Clone, Copy)]
struct Factor {
    data: *const u8,
    way: Way,
}

impl Factor {
    /// The address of an element.
    #[inline(always)]
    fn at<T>(&self, row: i64, coordinate: i64, place: usize) -> *const T {
        self.data
            .cast::<T>()
            .wrapping_offset(self.way.at(row, coordinate, place))
    }
}

/// What a sweep does with the entries of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pass {
    /// Combines them to an element.
    Fold,
    /// Adds lines to a line.
    Lines,
    /// Adds to an element for each coordinate, or to a line.
    Scatter,
    /// Sums a line for each entry.
    Sample,
}

/// A statement as a sweep.
pub(super) struct Sweep<'s> {
    op: Op,
    dtype: DType,
    pass: Pass,
    rows: Rows<'s>,
    /// The range of rows, and the number of places.
    range: i64,
    places: usize,
    coordinates: Coordinates<'s>,
    /// All coordinates are to be below it.
    limit: u64,
    /// The range of the innermost loop, or 1.
    inner: usize,
    constant: f64,
    /// Factors that are the same along a row, one for each entry, one by coordinates, and those with an innermost loop.
    of_rows: Vec<Factor>,
    of_places: Vec<Factor>,
    by_coordinates: Vec<Factor>,
    of_lines: Vec<Factor>,
    target: Way,
}

// SAFETY: operands are read only, and stay where they are while a statement runs.
unsafe impl Sync for Sweep<'_> {}

/// What a kernel does: rows of a sweep, into elements of the target or into cells.
struct Job<'j, 's> {
    sweep: &'j Sweep<'s>,
    rows: Span<i64>,
    /// The address of the target's position 0.
    to: *mut u8,
    cells: Option<Cells>,
    /// The number of entries that were met.
    entries: u64,
    failed: bool,
}

/// Some entries of a row that follow one another.
struct Entries<'e> {
    row: i64,
    /// The product of the factors that are the same along the row.
    scale: f64,
    /// The row's first place, and its end.
    first: usize,
    end: usize,
    /// The first place of these entries.
    from: usize,
    /// Their coordinates, which are below the limit.
    coordinates: &'e [i64],
}

impl<'j, 's> Job<'j, 's> {
    #[inline(always)]
    fn segments(&self) -> Segments<'s> {
        Segments::new(self.sweep.rows, self.rows.clone(), self.sweep.places)
    }

    /// Calls `visit` with the entries of each row that has some, [`SOME`] at a time; gives up at a coordinate that has no place.
    ///
    /// # Safety
    /// T is the type of the factors.
    #[inline(always)]
    unsafe fn each_entries<T: Real>(&mut self, mut visit: impl FnMut(&Entries<'_>)) {
        let sweep = self.sweep;
        let mut coordinates = [0i64; SOME];
        let mut segments = self.segments();
        while let Some((row, first, end)) = segments.next() {
            if first == end {
                continue;
            }
            // SAFETY: there is such a row.
            let scale = unsafe { sweep.scale::<T>(row) };
            let mut from = first;
            while from < end {
                let coordinates = &mut coordinates[..(end - from).min(SOME)];
                // SAFETY: places are below their number.
                if !unsafe {
                    sweep
                        .coordinates
                        .fill(first, from, sweep.limit, coordinates)
                } {
                    self.failed = true;
                    return;
                }
                let some = coordinates.len();
                visit(&Entries {
                    row,
                    scale,
                    first,
                    end,
                    from,
                    coordinates,
                });
                from += some;
            }
            self.entries += (end - first) as u64;
        }
        self.failed |= segments.failed;
    }
}

/// A float, as factors and targets have it.
trait Real: Copy + PartialOrd + Into<f64> + 'static {
    /// Whether sums carry what rounding loses.
    const CARRIED: bool;
    const LEAST: Self;
    const GREATEST: Self;
    fn of(value: f64) -> Self;
}

impl Real for f32 {
    const CARRIED: bool = false;
    const LEAST: f32 = f32::NEG_INFINITY;
    const GREATEST: f32 = f32::INFINITY;

    #[inline(always)]
    fn of(value: f64) -> f32 {
        value as f32
    }
}

impl Real for f64 {
    const CARRIED: bool = true;
    const LEAST: f64 = f64::NEG_INFINITY;
    const GREATEST: f64 = f64::INFINITY;

    #[inline(always)]
    fn of(value: f64) -> f64 {
        value
    }
}

/// A sum, and what its rounding lost. Of an infinite sum that is NaN.
#[inline(always)]
fn restored(sum: f64, lost: f64) -> f64 {
    match lost.is_finite() {
        true => sum + lost,
        false => sum,
    }
}

impl<'s> Sweep<'s> {
    /// The sweep that a statement is, if it is one. `target` is what it writes: elements, or those of the entries of its only sparse read.
    pub fn new(
        statement: &'s Statement,
        walk: &'s Walk<'_, '_>,
        nest: &'s Nest,
        tensors: &'s [Tensor<'_>],
        target: Option<&Form<'_>>,
    ) -> Option<Sweep<'s>> {
        let (op, dtype) = (statement.op, statement.value.dtype);
        let is_real = matches!(dtype, DType::Float | DType::Double);
        let is_plain = statement.guards.is_empty() && statement.outside.is_none();
        // Elsewhere than in the support extrema meet 0.
        let is_plain = is_plain && (op == Op::Sum || nest.alone || nest.support == Support::All);
        if !is_real || !is_plain || nest.ranges.are_empty() {
            return None;
        }
        let (mut finder, rows, own, range) = Finder::new(walk, nest, tensors)?;
        let inner_range = match finder.inner {
            Some(id) => usize::try_from(finder.fixed(id)?).ok()?,
            None => 1,
        };
        let to = match target {
            Some(form) => finder.way(form, &statement.left)?,
            None => Way {
                place: 1,
                ..Way::default()
            },
        };
        let mut sweep = Sweep {
            op,
            dtype,
            pass: Pass::Fold,
            rows,
            range,
            places: 0,
            coordinates: own,
            limit: 0,
            inner: inner_range,
            constant: 1.0,
            of_rows: Vec::new(),
            of_places: Vec::new(),
            by_coordinates: Vec::new(),
            of_lines: Vec::new(),
            target: to,
        };
        sweep.factors(&statement.value, &mut finder)?;
        if let Some(access) = finder.looked_up {
            let tensor = &tensors[access.tensor];
            let places = finder.looked_up_places(tensor, access)?;
            sweep.coordinates = match tensor.dtype()? {
                DType::Int64 => Coordinates::Longs(tensor.data.cast()),
                DType::Int32 => Coordinates::Ints(tensor.data.cast()),
                _ => return None,
            };
            finder.places = finder.places.min(places);
        }
        (sweep.limit, sweep.places) = (finder.limit, finder.places);
        sweep.pass = sweep.pass()?;
        Some(sweep)
    }

    /// Finds the factors of a product.
    fn factors<'f>(&mut self, expr: &'f Expr, finder: &mut Finder<'f, '_>) -> Option<()> {
        if expr.dtype != self.dtype {
            return None;
        }
        match &expr.node {
            Node::Binary(Binary::Mul, a, b) => {
                self.factors(a, finder)?;
                self.factors(b, finder)
            }
            Node::Constant(Scalar::Float(value)) => {
                self.constant *= f64::from(*value);
                Some(())
            }
            Node::Constant(Scalar::Double(value)) => {
                self.constant *= *value;
                Some(())
            }
            Node::Read(access) => {
                let tensor = &finder.tensors[access.tensor];
                let way = match &tensor.form {
                    // The only sparse read is the one that leads.
                    Form::Sparse(_) => Way {
                        place: 1,
                        ..Way::default()
                    },
                    form => finder.way(form, &access.indices)?,
                };
                let factor = Factor {
                    data: tensor.data,
                    way,
                };
                let class = match way {
                    Way { inner: 1, .. } => &mut self.of_lines,
                    Way { inner: 0, .. } if way.is_of_row() => &mut self.of_rows,
                    Way { inner: 0, .. } if way.is_of_places() => &mut self.of_places,
                    Way {
                        inner: 0, place: 0, ..
                    } => &mut self.by_coordinates,
                    _ => return None,
                };
                class.push(factor);
                Some(())
            }
            _ => None,
        }
    }

    /// What is done for each row, if there are kernels for the factors that there are.
    fn pass(&self) -> Option<Pass> {
        let to = self.target;
        let counts = (
            self.of_places.len(),
            self.by_coordinates.len(),
            self.of_lines.len(),
        );
        if self.op != Op::Sum {
            let is_extremum = matches!(self.op, Op::Max | Op::Min);
            let is_one = counts == (1, 0, 0) && self.of_rows.is_empty() && self.constant == 1.0;
            let is_row = to.is_of_row() && to.row != 0 && self.inner == 1;
            return (is_extremum && is_one && is_row).then_some(Pass::Fold);
        }
        let kept = to.inner == 1;
        match (to.is_of_row(), to.place) {
            (true, _) if to.row == 0 => None,
            (true, _) => match (counts, kept) {
                ((1 | 2, 0, 0) | (0 | 1, 1, 0), false) if self.inner == 1 => Some(Pass::Fold),
                ((0 | 1, 0, 1), true) if !self.of_lines[0].way.is_of_row() => Some(Pass::Lines),
                _ => None,
            },
            (false, 0) => match (counts, kept) {
                ((0 | 1, 0, 0), false) if self.inner == 1 => Some(Pass::Scatter),
                ((0 | 1, 0, 0 | 1), true) => Some(Pass::Scatter),
                _ => None,
            },
            (false, _) => match (counts, to.inner) {
                ((0 | 1, 0, 1 | 2), 0) => Some(Pass::Sample),
                _ => None,
            },
        }
    }

    /// The product of the factors that are the same along a row.
    ///
    /// # Safety
    /// There is such a row, and T is the type.
    #[inline(always)]
    unsafe fn scale<T: Real>(&self, row: i64) -> f64 {
        let mut scale = self.constant;
        for factor in &self.of_rows {
            // SAFETY: as the caller says; ranges are within the axes.
            scale *= unsafe { *factor.at::<T>(row, 0, 0) }.into();
        }
        scale
    }

    fn kernel(&self) -> Kernel {
        let level = Level::best();
        match (self.pass, self.dtype) {
            (Pass::Fold, DType::Float) => kernel::<fold::Fold<f32>>(level),
            (Pass::Fold, _) => kernel::<fold::Fold<f64>>(level),
            (Pass::Lines, DType::Float) => kernel::<lines::Lines<f32>>(level),
            (Pass::Lines, _) => kernel::<lines::Lines<f64>>(level),
            (Pass::Scatter, DType::Float) => kernel::<scatter::Scatter<f32>>(level),
            (Pass::Scatter, _) => kernel::<scatter::Scatter<f64>>(level),
            (Pass::Sample, DType::Float) => kernel::<sample::Sample<f32>>(level),
            (Pass::Sample, _) => kernel::<sample::Sample<f64>>(level),
        }
    }

    /// Computes so many elements, with the number of points; none if something has no place.
    pub fn run(
        &self,
        statement: &Statement,
        walk: &Walk<'_, '_>,
        count: usize,
        what: &dyn Fn() -> String,
    ) -> Result<Option<(Buffer, u64)>, Error> {
        let (kernel, gone, entries) = (self.kernel(), AtomicBool::new(false), AtomicU64::new(0));
        let is_distinct = self.target.row != 0 || self.target.place != 0;
        let run = |to: *mut u8, cells: Option<Cells>, part: Span<i64>| {
            if gone.load(Ordering::Relaxed) {
                return;
            }
            let mut job = Job {
                sweep: self,
                rows: part.start..part.end.min(self.range),
                to,
                cells,
                entries: 0,
                failed: false,
            };
            let job_at = (&raw mut job).cast::<u8>();
            // SAFETY: the job is one for which the kernel was chosen; parts write distinct elements. Positions are those of elements: ranges were
            // compared with axes, coordinates are compared with the limit, places with their number.
            unsafe {
                kernel(
                    1,
                    job_at,
                    std::ptr::null(),
                    std::ptr::null(),
                    std::ptr::null(),
                )
            };
            gone.fetch_or(job.failed, Ordering::Relaxed);
            entries.fetch_add(job.entries, Ordering::Relaxed);
        };
        let buffer = if self.pass == Pass::Scatter {
            let mut accumulator = Accumulator::new(Op::Sum, self.dtype, count, false, what)?;
            let cells = accumulator.cells();
            statement.parts(walk.points(), self.range, is_distinct, &|part| {
                run(std::ptr::null_mut(), Some(cells), part);
                Ok(())
            })?;
            match gone.load(Ordering::Relaxed) {
                true => None,
                false => Some(accumulator.finish(what)?),
            }
        } else {
            let mut made = Buffer::zeroed(count, self.dtype.width(), what)?;
            if self.op != Op::Sum {
                let bits = Scalar::identity(self.op, self.dtype).bits();
                match self.dtype {
                    DType::Float => made.of_mut::<u32>().fill(bits as u32),
                    _ => made.of_mut::<u64>().fill(bits),
                }
            }
            let to = Shared(made.start_mut());
            statement.parts(walk.points(), self.range, is_distinct, &|part| {
                // SAFETY: it is the beginning.
                run(unsafe { to.at(0) }, None, part);
                Ok(())
            })?;
            (!gone.load(Ordering::Relaxed)).then_some(made)
        };
        let points = entries.into_inner().saturating_mul(self.inner as u64);
        if buffer.is_some() {
            count_sweep();
        }
        Ok(buffer.map(|buffer| (buffer, points)))
    }
}

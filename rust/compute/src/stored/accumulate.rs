//! The elements of a statement's target while they are computed.

use super::lines::{Line, Step};
use super::memory::Buffer;
use super::runs::Runs;
use crate::ast::Op;
use crate::operand::DType;
use crate::scalar::Scalar;
use crate::Error;

/// Elements under an operator. FLOAT sums and products are accumulated in double and rounded once; DOUBLE sums carry what rounding lost.
pub(super) struct Accumulator {
    op: Op,
    dtype: DType,
    count: usize,
    /// The elements, as they are accumulated.
    values: Buffer,
    /// What rounding of a sum of doubles lost, so far.
    lost: Option<Buffer>,
    /// How many points each element has got.
    visits: Option<Buffer>,
}

/// The addresses of an accumulator, or of a part, for several threads that write distinct elements.
#[derive(Clone, Copy)]
pub(super) struct Cells {
    op: Op,
    dtype: DType,
    /// The position of the first cell.
    base: i64,
    count: usize,
    values: *mut u8,
    lost: *mut f64,
    visits: *mut i64,
}

// SAFETY: threads write distinct elements, as `add` demands.
unsafe impl Send for Cells {}
// SAFETY: as above.
unsafe impl Sync for Cells {}

impl Accumulator {
    /// So many elements, all the identity of the operator; with `counted`, the points of each are counted.
    pub fn new(
        op: Op,
        dtype: DType,
        count: usize,
        counted: bool,
        what: &dyn Fn() -> String,
    ) -> Result<Accumulator, Error> {
        let wide = wide(op, dtype);
        let mut values = Buffer::zeroed(count, wide.width(), what)?;
        let identity = Scalar::identity(op, wide);
        if identity != Scalar::zero(wide) {
            fill(&mut values, identity, count);
        }
        let lost = (op == Op::Sum && dtype == DType::Double)
            .then(|| Buffer::zeroed(count, 8, what))
            .transpose()?;
        let visits = counted
            .then(|| Buffer::zeroed(count, 8, what))
            .transpose()?;
        Ok(Accumulator {
            op,
            dtype,
            count,
            values,
            lost,
            visits,
        })
    }

    pub fn cells(&mut self) -> Cells {
        let start = |buffer: &mut Option<Buffer>| {
            buffer
                .as_mut()
                .map_or(std::ptr::null_mut(), Buffer::start_mut)
        };
        Cells {
            op: self.op,
            dtype: self.dtype,
            base: 0,
            count: self.count,
            values: self.values.start_mut(),
            lost: start(&mut self.lost).cast(),
            visits: start(&mut self.visits).cast(),
        }
    }

    /// Whether sums are accumulated in more memory than they have in the end.
    pub fn is_wide(op: Op, dtype: DType) -> bool {
        op == Op::Sum && matches!(dtype, DType::Float | DType::Double)
    }

    /// The cells of a part of a target: so many elements from a position on, all the identity again.
    pub fn window(&mut self, base: i64, count: usize) -> Cells {
        let wide = wide(self.op, self.dtype);
        let identity = Scalar::identity(self.op, wide);
        fill(&mut self.values, identity, count);
        if let Some(lost) = &mut self.lost {
            lost.of_mut::<f64>()[..count].fill(0.0);
        }
        let mut cells = self.cells();
        (cells.base, cells.count) = (base, count.min(self.count));
        cells
    }

    /// Writes the first elements in their type.
    ///
    /// # Safety
    /// There is room for them, which nobody else reads or writes, and the accumulator is wide.
    pub unsafe fn write(&self, count: usize, to: *mut u8) {
        let wide: &[f64] = &self.values.of()[..count];
        match &self.lost {
            Some(lost) => {
                let lost: &[f64] = &lost.of()[..count];
                for (at, (&value, &lost)) in wide.iter().zip(lost).enumerate() {
                    // Of an infinite sum what is lost is NaN.
                    let sum = if lost.is_finite() {
                        value + lost
                    } else {
                        value
                    };
                    // SAFETY: as the caller says.
                    unsafe { to.cast::<f64>().add(at).write(sum) };
                }
            }
            None => {
                for (at, &value) in wide.iter().enumerate() {
                    // SAFETY: as the caller says.
                    unsafe { to.cast::<f32>().add(at).write(value as f32) };
                }
            }
        }
    }

    /// The number of elements.
    pub fn count(&self) -> usize {
        self.count
    }

    /// How many points each element has got, if they were counted.
    pub fn visits(&self) -> &[i64] {
        self.visits.as_ref().map_or(&[], |visits| visits.of())
    }

    /// Combines an element with a value some times, for the points that were not visited.
    pub fn repeat(&mut self, at: usize, value: f64, times: i64) {
        let op = self.op;
        let combined = |a: f64| match op {
            Op::Set => a,
            Op::Sum => a + value * times as f64,
            Op::Product => a * value.powf(times as f64),
            Op::Max if a.is_nan() || value.is_nan() => f64::NAN,
            Op::Min if a.is_nan() || value.is_nan() => f64::NAN,
            Op::Max => a.max(value),
            Op::Min => a.min(value),
        };
        let whole = |a: i64| {
            let value = value as i64;
            match op {
                Op::Set => a,
                Op::Sum => a.wrapping_add(value.wrapping_mul(times)),
                Op::Product => {
                    if value == 1 {
                        a
                    } else {
                        a.wrapping_mul(value)
                    }
                }
                Op::Max => a.max(value),
                Op::Min => a.min(value),
            }
        };
        match wide(op, self.dtype) {
            DType::Float => {
                let cell = &mut self.values.of_mut::<f32>()[at];
                *cell = combined(f64::from(*cell)) as f32;
            }
            DType::Double => {
                let cell = &mut self.values.of_mut::<f64>()[at];
                *cell = combined(*cell);
            }
            DType::Int32 => {
                let cell = &mut self.values.of_mut::<i32>()[at];
                *cell = whole(i64::from(*cell)) as i32;
            }
            DType::Int64 => {
                let cell = &mut self.values.of_mut::<i64>()[at];
                *cell = whole(*cell);
            }
            DType::UInt8 => {
                let cell = &mut self.values.of_mut::<u8>()[at];
                *cell = whole(i64::from(*cell)) as u8;
            }
            DType::Bool => {
                let cell = &mut self.values.of_mut::<u8>()[at];
                *cell = whole(i64::from(*cell)) as u8;
            }
            // Of encodings there is `=` alone.
            _ => {}
        }
    }

    /// The elements, in their type.
    pub fn finish(mut self, what: &dyn Fn() -> String) -> Result<Buffer, Error> {
        if let Some(lost) = &self.lost {
            let lost: &[f64] = lost.of();
            for (value, lost) in self.values.of_mut::<f64>().iter_mut().zip(lost) {
                // Of an infinite sum what is lost is NaN.
                if lost.is_finite() {
                    *value += lost;
                }
            }
        }
        if wide(self.op, self.dtype) == self.dtype {
            return Ok(self.values);
        }
        let mut narrow = Buffer::zeroed(self.count, 4, what)?;
        let wide: &[f64] = self.values.of();
        for (to, &value) in narrow.of_mut::<f32>().iter_mut().zip(wide) {
            *to = value as f32;
        }
        Ok(narrow)
    }
}

/// The type in which elements are accumulated.
fn wide(op: Op, dtype: DType) -> DType {
    match (op, dtype) {
        (Op::Sum | Op::Product, DType::Float) => DType::Double,
        _ => dtype,
    }
}

fn fill(buffer: &mut Buffer, scalar: Scalar, count: usize) {
    let bits = scalar.bits();
    match scalar.dtype().width() {
        1 => buffer.of_mut::<u8>()[..count].fill(bits as u8),
        2 => buffer.of_mut::<u16>()[..count].fill(bits as u16),
        4 => buffer.of_mut::<u32>()[..count].fill(bits as u32),
        _ => buffer.of_mut::<u64>()[..count].fill(bits),
    }
}

impl Cells {
    /// Combines elements with values, in order. Positions that are -1 are not written.
    ///
    /// # Safety
    /// No other thread writes elements at these positions, and there are as many values of the type.
    pub unsafe fn add(self, positions: &[i64], values: *const u8) {
        let base = self.base;
        // Also of what was checked: this is what memory safety hangs on.
        let inside = |at: i64| (at.wrapping_sub(base) as u64) < self.count as u64;
        macro_rules! each {
            ($t:ty, |$cell:ident, $value:ident| $combine:expr) => {{
                let cells = self.values.cast::<$t>();
                // SAFETY: as the caller says.
                let values = unsafe { of::<$t>(values, positions.len()) };
                for (&at, &$value) in positions.iter().zip(values) {
                    if inside(at) {
                        // SAFETY: it is inside, and this thread's alone, as the caller says.
                        let $cell = unsafe { &mut *cells.add((at - base) as usize) };
                        $combine;
                    }
                }
            }};
        }
        macro_rules! numbers {
            ($t:ty, $add:ident, $mul:ident) => {
                match self.op {
                    Op::Set => each!($t, |cell, value| *cell = value),
                    Op::Sum => each!($t, |cell, value| *cell = cell.$add(value)),
                    Op::Product => each!($t, |cell, value| *cell = cell.$mul(value)),
                    Op::Max => each!($t, |cell, value| *cell = (*cell).max(value)),
                    Op::Min => each!($t, |cell, value| *cell = (*cell).min(value)),
                }
            };
        }
        macro_rules! extrema {
            ($t:ty) => {
                match self.op {
                    Op::Max => each!($t, |cell, value| if value > *cell || value.is_nan() {
                        *cell = value;
                    }),
                    Op::Min => each!($t, |cell, value| if value < *cell || value.is_nan() {
                        *cell = value;
                    }),
                    _ => each!($t, |cell, value| *cell = value),
                }
            };
        }
        match (self.dtype, self.op) {
            (DType::Float, Op::Sum | Op::Product) => {
                let cells = self.values.cast::<f64>();
                // SAFETY: as the caller says.
                let values = unsafe { of::<f32>(values, positions.len()) };
                for (&at, &value) in positions.iter().zip(values) {
                    if inside(at) {
                        // SAFETY: it is inside, and this thread's alone, as the caller says.
                        let cell = unsafe { &mut *cells.add((at - base) as usize) };
                        if self.op == Op::Sum {
                            *cell += f64::from(value);
                        } else {
                            *cell *= f64::from(value);
                        }
                    }
                }
            }
            (DType::Float, _) => extrema!(f32),
            (DType::Double, Op::Sum) => {
                let cells = self.values.cast::<f64>();
                // SAFETY: as the caller says.
                let values = unsafe { of::<f64>(values, positions.len()) };
                for (&at, &value) in positions.iter().zip(values) {
                    if inside(at) {
                        // SAFETY: both are inside, and this thread's alone, as the caller says.
                        unsafe {
                            let at = (at - base) as usize;
                            carry(&mut *cells.add(at), &mut *self.lost.add(at), value);
                        };
                    }
                }
            }
            (DType::Double, Op::Product) => each!(f64, |cell, value| *cell *= value),
            (DType::Double, _) => extrema!(f64),
            (DType::Int32, _) => numbers!(i32, wrapping_add, wrapping_mul),
            (DType::Int64, _) => numbers!(i64, wrapping_add, wrapping_mul),
            (DType::UInt8 | DType::Bool, _) => numbers!(u8, wrapping_add, wrapping_mul),
            // Of encodings there is `=` alone.
            (encoding, _) => match encoding.width() {
                1 => each!(u8, |cell, value| *cell = value),
                2 => each!(u16, |cell, value| *cell = value),
                4 => each!(u32, |cell, value| *cell = value),
                _ => each!(u64, |cell, value| *cell = value),
            },
        }
        if !self.visits.is_null() {
            for &at in positions {
                if inside(at) {
                    // SAFETY: it is inside, and this thread's alone, as the caller says.
                    unsafe { *self.visits.add((at - base) as usize) += 1 };
                }
            }
        }
    }
    /// The cell of a position that is inside.
    pub fn index(self, at: i64) -> usize {
        (at - self.base) as usize
    }

    /// Adds to a cell of a sum of floats.
    ///
    /// # Safety
    /// It is inside, and this thread's alone.
    pub unsafe fn sum(self, cell: usize, value: f64) {
        // SAFETY: as the caller says; sums of floats are doubles, and those of doubles have what they lost beside them.
        unsafe {
            let to = &mut *self.values.cast::<f64>().add(cell);
            match self.lost.is_null() {
                true => *to += value,
                false => carry(to, &mut *self.lost.add(cell), value),
            }
        }
    }

    /// The addresses of a cell of a sum of floats, and of what it lost, if that is carried.
    pub fn of_sum(self, cell: usize) -> (*mut f64, *mut f64) {
        let lost = match self.lost.is_null() {
            true => self.lost,
            false => self.lost.wrapping_add(cell),
        };
        (self.values.cast::<f64>().wrapping_add(cell), lost)
    }

    /// The cell of a position, if it is inside, and so are as many as follow it.
    pub fn cells(self, at: i64, count: usize) -> Option<usize> {
        let at = usize::try_from(at.checked_sub(self.base)?).ok()?;
        (at.checked_add(count)? <= self.count).then_some(at)
    }

    /// Combines elements with the values at the points of runs, whose positions are on a line; false if that is to be done position by position.
    ///
    /// # Safety
    /// As [`add`](Cells::add).
    pub unsafe fn add_line(self, line: &Line, runs: &Runs<'_, '_>, values: *const u8) -> bool {
        let starts = runs.starts();
        let ends = line.firsts.iter().zip(starts.windows(2));
        let next =
            line.step == Step::Next || line.step == Step::By(1) && runs.coordinates().is_none();
        if self.op == Op::Set && next && self.visits.is_null() {
            let width = self.dtype.width();
            for (&first, ends) in ends {
                let count = ends[1] - ends[0];
                if let Some(at) = self.cells(first, count) {
                    // SAFETY: the cells are inside, and this thread's alone; the values are as many as there are points.
                    unsafe {
                        std::ptr::copy_nonoverlapping(
                            values.add(ends[0] * width),
                            self.values.add(at * width),
                            count * width,
                        );
                    }
                }
            }
            return true;
        }
        let same = line.step == Step::Same;
        if !(same || next) {
            return false;
        }
        macro_rules! each {
            ($t:ty, |$at:ident, $values:ident| $combine:expr) => {{
                // SAFETY: as the caller says.
                let all = unsafe { of::<$t>(values, starts[starts.len() - 1]) };
                for (&first, ends) in ends {
                    let $values = &all[ends[0]..ends[1]];
                    if let Some($at) = self.cells(first, if same { 1 } else { $values.len() }) {
                        // SAFETY: the cells are inside, and this thread's alone, as the caller says.
                        unsafe { $combine };
                    }
                }
            }};
        }
        let (cells, lost) = (self.values.cast::<f64>(), self.lost);
        match (self.dtype, self.op, same) {
            (DType::Float, Op::Sum, true) => {
                each!(f32, |at, values| *cells.add(at) += sum(values))
            }
            (DType::Float, Op::Sum, false) => each!(f32, |at, values| {
                let cells = std::slice::from_raw_parts_mut(cells.add(at), values.len());
                for (cell, &value) in cells.iter_mut().zip(values) {
                    *cell += f64::from(value);
                }
            }),
            (DType::Double, Op::Sum, true) => each!(f64, |at, values| {
                for values in values.chunks(1024) {
                    carry(&mut *cells.add(at), &mut *lost.add(at), sum(values));
                }
            }),
            (DType::Double, Op::Sum, false) => each!(f64, |at, values| {
                for (n, &value) in values.iter().enumerate() {
                    carry(&mut *cells.add(at + n), &mut *lost.add(at + n), value);
                }
            }),
            (DType::Float, Op::Max | Op::Min, true) => each!(f32, |at, values| {
                let cell = &mut *self.values.cast::<f32>().add(at);
                *cell = extreme(values, *cell, self.op == Op::Max);
            }),
            (DType::Double, Op::Max | Op::Min, true) => each!(f64, |at, values| {
                let cell = &mut *cells.add(at);
                *cell = extreme(values, *cell, self.op == Op::Max);
            }),
            _ => return false,
        }
        if !self.visits.is_null() {
            for (&first, ends) in line.firsts.iter().zip(starts.windows(2)) {
                let count = ends[1] - ends[0];
                if let Some(at) = self.cells(first, if same { 1 } else { count }) {
                    // SAFETY: as above: there is a count for each cell.
                    unsafe {
                        match same {
                            true => *self.visits.add(at) += count as i64,
                            false => (0..count).for_each(|n| *self.visits.add(at + n) += 1),
                        }
                    }
                }
            }
        }
        true
    }
}

/// So many values.
///
/// # Safety
/// They are there, of this type, aligned, and nobody writes them.
unsafe fn of<'v, T>(values: *const u8, count: usize) -> &'v [T] {
    // SAFETY: as the caller says.
    unsafe { std::slice::from_raw_parts(values.cast(), count) }
}

/// Adds to a sum of doubles, and to what rounding has lost.
#[inline(always)]
pub(super) fn carry(cell: &mut f64, lost: &mut f64, value: f64) {
    let sum = *cell + value;
    *lost += if cell.abs() >= value.abs() {
        (*cell - sum) + value
    } else {
        (value - sum) + *cell
    };
    *cell = sum;
}

/// The sum of values, in lanes, of which each has no more than 64 of a thousand.
fn sum<T: Copy + Into<f64>>(values: &[T]) -> f64 {
    let mut lanes = [0.0; 16];
    let mut chunks = values.chunks_exact(16);
    for chunk in &mut chunks {
        for (lane, &value) in lanes.iter_mut().zip(chunk) {
            *lane += value.into();
        }
    }
    for (lane, &value) in lanes.iter_mut().zip(chunks.remainder()) {
        *lane += value.into();
    }
    for half in [8, 4, 2, 1] {
        for lane in 0..half {
            lanes[lane] += lanes[lane + half];
        }
    }
    lanes[0]
}

/// The greatest of values and a first one, or the least; NaN if one is.
fn extreme<T: Copy + PartialOrd>(values: &[T], first: T, greatest: bool) -> T {
    fn lanes<T: Copy + PartialOrd>(values: &[T], first: T, take: impl Fn(T, T) -> bool) -> T {
        let mut lanes = [first; 8];
        let mut chunks = values.chunks_exact(8);
        let next = |lane: &mut T, value: T| {
            // NaN is what is not equal to itself.
            #[allow(clippy::eq_op)]
            if take(value, *lane) || value != value {
                *lane = value;
            }
        };
        for chunk in &mut chunks {
            for (lane, &value) in lanes.iter_mut().zip(chunk) {
                next(lane, value);
            }
        }
        for &value in chunks.remainder() {
            next(&mut lanes[0], value);
        }
        let mut all = lanes[0];
        for &lane in &lanes[1..] {
            next(&mut all, lane);
        }
        all
    }
    match greatest {
        true => lanes(values, first, |a, b| a > b),
        false => lanes(values, first, |a, b| a < b),
    }
}

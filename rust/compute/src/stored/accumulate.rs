//! The elements of a statement's target while they are computed.

use super::block::Column;
use super::memory::Buffer;
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

/// The addresses of an accumulator, for several threads that write distinct elements.
#[derive(Clone, Copy)]
pub(super) struct Cells {
    op: Op,
    dtype: DType,
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
            fill(&mut values, identity);
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
            count: self.count,
            values: self.values.start_mut(),
            lost: start(&mut self.lost).cast(),
            visits: start(&mut self.visits).cast(),
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

fn fill(buffer: &mut Buffer, scalar: Scalar) {
    let bits = scalar.bits();
    match scalar.dtype().width() {
        1 => buffer.of_mut::<u8>().fill(bits as u8),
        2 => buffer.of_mut::<u16>().fill(bits as u16),
        4 => buffer.of_mut::<u32>().fill(bits as u32),
        _ => buffer.of_mut::<u64>().fill(bits),
    }
}

impl Cells {
    /// Combines elements with values, in order. Positions that are -1 are not written.
    ///
    /// # Safety
    /// No other thread writes elements at these positions.
    pub unsafe fn add(self, positions: &[i64], values: &Column) {
        // Also of what was checked: this is what memory safety hangs on.
        let inside = |at: i64| (at as u64) < self.count as u64;
        macro_rules! each {
            ($t:ty, |$cell:ident, $value:ident| $combine:expr) => {{
                let cells = self.values.cast::<$t>();
                for (&at, &$value) in positions.iter().zip(values.of::<$t>()) {
                    if inside(at) {
                        // SAFETY: it is inside, and this thread's alone, as the caller says.
                        let $cell = unsafe { &mut *cells.add(at as usize) };
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
                for (&at, &value) in positions.iter().zip(values.of::<f32>()) {
                    if inside(at) {
                        // SAFETY: it is inside, and this thread's alone, as the caller says.
                        let cell = unsafe { &mut *cells.add(at as usize) };
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
                for (&at, &value) in positions.iter().zip(values.of::<f64>()) {
                    if inside(at) {
                        // SAFETY: both are inside, and this thread's alone, as the caller says.
                        let (cell, lost) = unsafe {
                            (
                                &mut *cells.add(at as usize),
                                &mut *self.lost.add(at as usize),
                            )
                        };
                        let sum = *cell + value;
                        *lost += if cell.abs() >= value.abs() {
                            (*cell - sum) + value
                        } else {
                            (value - sum) + *cell
                        };
                        *cell = sum;
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
                    unsafe { *self.visits.add(at as usize) += 1 };
                }
            }
        }
    }
}

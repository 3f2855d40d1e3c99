//! The points of a sparse result while they are found: sorted and combined from time to time, so that memory is within a few times of the result.

use super::block::Column;
use super::memory::{Buffer, Numbers};
use super::tensor::{Form, Points, Tensor};
use crate::ast::Op;
use crate::operand::DType;
use crate::{Error, ErrorKind};

/// The least number of points that are collected before they are combined.
const LEAST: usize = 1 << 16;

/// Points and values, of which those at the same place are added.
pub(super) struct Collector {
    op: Op,
    dtype: DType,
    shape: Vec<i64>,
    /// The bits of each coordinate in a key.
    bits: Vec<u32>,
    /// Keys in row-major order, and values: floats as doubles, integers modulo 2^64. Those of `combined` are sorted and distinct.
    points: Vec<(u128, u64)>,
    combined: usize,
    /// Whether keys ascend so far, so that nothing is to be sorted.
    ascends: bool,
}

impl Collector {
    /// Nothing yet.
    ///
    /// # Errors
    /// Of kind illegal argument: a shape with more elements than 63 bits count.
    pub fn new(op: Op, dtype: DType, shape: &[i64], label: &str) -> Result<Collector, Error> {
        tensornio_core::shape::elements(shape)
            .map_err(|error| Error::illegal(format!("{label}: {error}")))?;
        // They fit a key: ceil(log2 n) is at most 2 / log2 3 times log2 n, and these add up to less than 63.
        let bits: Vec<u32> = shape
            .iter()
            .map(|&length| 64 - (length.max(1) as u64 - 1).leading_zeros())
            .collect();
        Ok(Collector {
            op,
            dtype,
            shape: shape.to_vec(),
            bits,
            points: Vec::new(),
            combined: 0,
            ascends: true,
        })
    }

    /// Adds points; each column has the coordinates on an axis, inside of it.
    pub fn add(
        &mut self,
        count: usize,
        coordinates: &[Vec<i64>],
        values: &Column,
        label: &str,
    ) -> Result<(), Error> {
        if self.points.len() + count > self.points.capacity() {
            self.combine();
            let wanted = (2 * self.points.len()).max(LEAST) + count;
            self.points
                .try_reserve(wanted - self.points.len())
                .map_err(|_| {
                    let fault = format!("{label}: no memory for {wanted} points");
                    Error::new(ErrorKind::OutOfMemory, vec![fault])
                })?;
        }
        for at in 0..count {
            let mut key = 0u128;
            for (column, &bits) in coordinates.iter().zip(&self.bits) {
                key = if bits == 0 { key } else { key << bits } | column[at] as u128;
            }
            let value = match self.dtype {
                DType::Float => f64::from(values.of::<f32>()[at]).to_bits(),
                DType::Double | DType::Int64 => values.of::<u64>()[at],
                DType::Int32 => i64::from(values.of::<i32>()[at]) as u64,
                DType::UInt8 | DType::Bool => u64::from(values.of::<u8>()[at]),
                // Of encodings there is `=` alone.
                encoding => match encoding.width() {
                    1 => u64::from(values.of::<u8>()[at]),
                    2 => u64::from(values.of::<u16>()[at]),
                    4 => u64::from(values.of::<u32>()[at]),
                    _ => values.of::<u64>()[at],
                },
            };
            self.ascends &= self.points.last().is_none_or(|last| last.0 < key);
            self.points.push((key, value));
        }
        Ok(())
    }

    /// Sorts, and combines what is at one place in the order in which it came.
    fn combine(&mut self) {
        if self.ascends {
            self.combined = self.points.len();
            return;
        }
        self.points.sort_by_key(|&(key, _)| key);
        let is_float = matches!(self.dtype, DType::Float | DType::Double);
        let (mut to, mut from) = (0, 0);
        while from < self.points.len() {
            let (key, first) = self.points[from];
            from += 1;
            let (mut value, mut lost) = (first, 0.0f64);
            while from < self.points.len() && self.points[from].0 == key {
                let next = self.points[from].1;
                value = if self.op == Op::Set {
                    next
                } else if is_float {
                    let (a, b) = (f64::from_bits(value), f64::from_bits(next));
                    let sum = a + b;
                    lost += if a.abs() >= b.abs() {
                        (a - sum) + b
                    } else {
                        (b - sum) + a
                    };
                    sum.to_bits()
                } else {
                    value.wrapping_add(next)
                };
                from += 1;
            }
            if is_float && lost.is_finite() && lost != 0.0 {
                value = (f64::from_bits(value) + lost).to_bits();
            }
            self.points[to] = (key, value);
            to += 1;
        }
        self.points.truncate(to);
        self.combined = to;
        self.ascends = true;
    }

    /// The sparse tensor.
    pub fn finish(mut self, label: &str) -> Result<Tensor<'static>, Error> {
        self.combine();
        let (count, rank) = (self.points.len(), self.shape.len());
        let what = || format!("{label}: a sparse tensor of {count} points");
        let mut coordinates = Buffer::zeroed(count * rank, 8, what)?;
        let mut values = Buffer::zeroed(count, self.dtype.width(), what)?;
        let numbers = coordinates.of_mut::<i64>();
        for (at, &(key, _)) in self.points.iter().enumerate() {
            let mut rest = key;
            for axis in (0..rank).rev() {
                let bits = self.bits[axis];
                let mask = if bits == 0 { 0 } else { (1u128 << bits) - 1 };
                numbers[at * rank + axis] = (rest & mask) as i64;
                rest = if bits == 0 { rest } else { rest >> bits };
            }
        }
        let bits = self.points.iter().map(|&(_, value)| value);
        if self.dtype == DType::Float {
            for (to, bits) in values.of_mut::<f32>().iter_mut().zip(bits) {
                *to = f64::from_bits(bits) as f32;
            }
        } else {
            match self.dtype.width() {
                1 => narrow(values.of_mut::<u8>(), bits, |bits| bits as u8),
                2 => narrow(values.of_mut::<u16>(), bits, |bits| bits as u16),
                4 => narrow(values.of_mut::<u32>(), bits, |bits| bits as u32),
                _ => narrow(values.of_mut::<u64>(), bits, |bits| bits),
            }
        }
        let points = Points {
            shape: self.shape,
            coordinates: Numbers::Made(coordinates.into()),
            count,
        };
        Ok(Tensor::made(self.dtype, values, Form::Sparse(points)))
    }
}

fn narrow<T>(to: &mut [T], bits: impl Iterator<Item = u64>, of: impl Fn(u64) -> T) {
    for (to, bits) in to.iter_mut().zip(bits) {
        *to = of(bits);
    }
}

//! The points of a sparse result while they are found: sorted and combined from time to time, so that memory is within a few times of the result.

use super::block::Column;
use super::memory::{Buffer, Numbers};
use super::tensor::{Form, Points, Tensor};
use crate::ast::Op;
use crate::operand::DType;
use crate::Error;

/// The least number of points that are collected before they are combined.
const LEAST: usize = 1 << 16;

/// A point: its position in row-major order, its number in the order in which points came, and its value: floats as doubles, integers modulo 2^64.
type Point = [u64; 3];

/// Points and values, of which those at the same place are added.
pub(super) struct Collector<'l> {
    op: Op,
    dtype: DType,
    shape: Vec<i64>,
    label: &'l str,
    /// Room for points, and where they are merged, all within the library's budget.
    points: Buffer,
    spare: Option<Buffer>,
    len: usize,
    /// The number of points that are sorted and distinct.
    combined: usize,
    /// The number of points that came so far.
    came: u64,
    /// Whether positions ascend so far, so that nothing is to be sorted.
    ascends: bool,
}

impl<'l> Collector<'l> {
    /// Nothing yet.
    ///
    /// # Errors
    /// Of kind illegal argument: a shape with more elements than 63 bits count. Of kind out of memory.
    pub fn new(
        op: Op,
        dtype: DType,
        shape: &[i64],
        label: &'l str,
    ) -> Result<Collector<'l>, Error> {
        tensornio_core::shape::elements(shape)
            .map_err(|error| Error::illegal(format!("{label}: {error}")))?;
        Ok(Collector {
            op,
            dtype,
            shape: shape.to_vec(),
            label,
            points: room(0, label)?,
            spare: None,
            len: 0,
            combined: 0,
            came: 0,
            ascends: true,
        })
    }

    /// Adds points; each column has the coordinates on an axis, inside of it.
    ///
    /// # Errors
    /// Of kind out of memory.
    pub fn add(
        &mut self,
        count: usize,
        coordinates: &[Vec<i64>],
        values: &Column,
    ) -> Result<(), Error> {
        if self.len + count > self.points.of::<Point>().len() {
            self.make_room(count)?;
        }
        let points = &mut self.points.of_mut::<Point>()[..self.len + count];
        for at in 0..count {
            let mut position = 0;
            for (column, &length) in coordinates.iter().zip(&self.shape) {
                position = position * length as u64 + column[at] as u64;
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
            let last = self.len.checked_sub(1).map(|last| points[last][0]);
            self.ascends &= last.is_none_or(|last| last < position);
            points[self.len] = [position, self.came, value];
            self.len += 1;
            self.came += 1;
        }
        Ok(())
    }

    /// Combines points, and makes room for more: for at least as many as there are, so that each is combined few times.
    fn make_room(&mut self, count: usize) -> Result<(), Error> {
        self.combine()?;
        let wanted = (2 * self.len).max(LEAST) + count;
        if self.points.of::<Point>().len() < wanted {
            self.spare = None;
            let mut larger = room(wanted, self.label)?;
            let points = &self.points.of::<Point>()[..self.len];
            larger.of_mut::<Point>()[..self.len].copy_from_slice(points);
            self.points = larger;
        }
        Ok(())
    }

    /// Sorts, and combines what is at one place in the order in which it came.
    fn combine(&mut self) -> Result<(), Error> {
        if self.ascends {
            self.combined = self.len;
            return Ok(());
        }
        let mut spare = match self.spare.take() {
            Some(spare) => spare,
            None => room(self.points.of::<Point>().len(), self.label)?,
        };
        let (first, second) = self.points.of_mut::<Point>()[..self.len].split_at_mut(self.combined);
        // By numbers, too, so that the order is as stable as that of a sort that needs memory.
        second.sort_unstable_by_key(|&[position, number, _]| (position, number));
        let is_float = matches!(self.dtype, DType::Float | DType::Double);
        let to = spare.of_mut::<Point>();
        let (mut a, mut b, mut len) = (0, 0, 0);
        // What rounding of the last sum lost.
        let mut lost = 0.0f64;
        while a < first.len() || b < second.len() {
            let of_first = b == second.len() || a < first.len() && first[a][0] <= second[b][0];
            let next = if of_first { first[a] } else { second[b] };
            (a, b) = (a + usize::from(of_first), b + usize::from(!of_first));
            match to[..len].last_mut() {
                Some(last) if last[0] == next[0] => {
                    last[2] = match self.op {
                        Op::Set => next[2],
                        _ if is_float => {
                            let (a, b) = (f64::from_bits(last[2]), f64::from_bits(next[2]));
                            let sum = a + b;
                            lost += if a.abs() >= b.abs() {
                                (a - sum) + b
                            } else {
                                (b - sum) + a
                            };
                            sum.to_bits()
                        }
                        _ => last[2].wrapping_add(next[2]),
                    };
                }
                last => {
                    restore(last, std::mem::take(&mut lost));
                    to[len] = next;
                    len += 1;
                }
            }
        }
        restore(to[..len].last_mut(), lost);
        self.spare = Some(std::mem::replace(&mut self.points, spare));
        (self.len, self.combined, self.ascends) = (len, len, true);
        Ok(())
    }

    /// The sparse tensor.
    ///
    /// # Errors
    /// Of kind out of memory.
    pub fn finish(mut self) -> Result<Tensor<'static>, Error> {
        self.combine()?;
        self.spare = None;
        let (count, rank) = (self.len, self.shape.len());
        let what = || format!("{}: a sparse tensor of {count} points", self.label);
        let mut coordinates = Buffer::zeroed(count.saturating_mul(rank), 8, what)?;
        let mut values = Buffer::zeroed(count, self.dtype.width(), what)?;
        let points = &self.points.of::<Point>()[..count];
        if rank > 0 {
            let rows = coordinates.of_mut::<i64>().chunks_exact_mut(rank);
            for (to, &[position, ..]) in rows.zip(points) {
                let mut rest = position;
                for (to, &length) in to.iter_mut().zip(&self.shape).rev() {
                    // There are no points where a length is 0.
                    let length = length.max(1) as u64;
                    *to = (rest % length) as i64;
                    rest /= length;
                }
            }
        }
        let bits = points.iter().map(|&[.., value]| value);
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
            compressed: None,
        };
        Ok(Tensor::made(self.dtype, values, Form::Sparse(points)))
    }
}

/// Room for so many points.
fn room(points: usize, label: &str) -> Result<Buffer, Error> {
    Buffer::zeroed(points, size_of::<Point>(), || {
        format!("{label}: the points of a sparse result")
    })
}

/// Adds to a sum what its rounding lost. Of an infinite sum that is NaN.
fn restore(sum: Option<&mut Point>, lost: f64) {
    if let Some([.., value]) = sum.filter(|_| lost.is_finite() && lost != 0.0) {
        *value = (f64::from_bits(*value) + lost).to_bits();
    }
}

fn narrow<T>(to: &mut [T], bits: impl Iterator<Item = u64>, of: impl Fn(u64) -> T) {
    for (to, bits) in to.iter_mut().zip(bits) {
        *to = of(bits);
    }
}

//! Slices that are put, or added, where indices say.

use tensornio_compute::operand::{Operand, OperandMut};
use tensornio_compute::Error;
use tensornio_core::dtype::{Bool, Typed};

use crate::operands::{malformed, Source, Target};

/// An element that is put where another is, or added to it.
pub(crate) trait Put: Typed {
    fn plus(self, other: Self) -> Self;
}

macro_rules! put {
    ($($number:ty: $plus:expr;)*) => {
        $(impl Put for $number {
            fn plus(self, other: $number) -> $number {
                $plus(self, other)
            }
        })*
    };
}
put! {
    f32: |a, b| a + b;
    f64: |a, b| a + b;
    i32: i32::wrapping_add;
    i64: i64::wrapping_add;
    u8: u8::wrapping_add;
    Bool: |a: Bool, b: Bool| Bool::from(a.get() || b.get());
}

/// A copy of `x` into which slices were put, or added, in order: of those at the same place the last is left. Each row of the indices, along their
/// last axis, is the place of a slice on the first axes of `x`.
///
/// # Safety
/// As [`Operand`] and [`OperandMut`] say.
pub(crate) unsafe fn scatter<T: Put>(
    x: &Operand,
    indices: &Operand,
    updates: &Operand,
    out: &mut OperandMut,
    adds: bool,
) -> Result<(), Error> {
    // SAFETY: the caller's promise, for all of these.
    let (x, indices, updates, out) = unsafe {
        let x = Source::<T>::new(x)?;
        let out = Target::<T>::new(out, x.len())?;
        (
            x,
            Source::<i64>::new(indices)?,
            Source::<T>::new(updates)?,
            out,
        )
    };
    let (&depth, rows) = indices
        .shape()
        .split_last()
        .ok_or_else(|| malformed("indices of rank 0"))?;
    if depth > x.shape().len() {
        return Err(malformed("more indices than axes"));
    }
    let (places, slice) = x.shape().split_at(depth);
    let (rows, length): (usize, usize) = (rows.iter().product(), slice.iter().product());
    if rows.checked_mul(length) != Some(updates.len()) {
        return Err(malformed("updates of another size"));
    }
    let mut values = x.all()?;
    for row in 0..rows {
        let mut place = 0;
        for (axis, &size) in places.iter().enumerate() {
            let at = indices.get(row * depth + axis);
            let found = usize::try_from(at).ok().filter(|&at| at < size);
            let at = found.ok_or_else(|| {
                Error::outside(format!(
                    "row {row} of indices has {at} for axis {axis} of x, of length {size}"
                ))
            })?;
            place = place * size + at;
        }
        for n in 0..length {
            let (to, from) = (
                &mut values[place * length + n],
                updates.get(row * length + n),
            );
            *to = if adds { to.plus(from) } else { from };
        }
    }
    out.write(0, &values);
    Ok(())
}

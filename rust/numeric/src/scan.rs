//! Running sums, products and maxima along an axis: one step after the other, each rounded, never in another order.

use tensornio_compute::operand::{Operand, OperandMut};
use tensornio_compute::Error;

use crate::lanes::Lanes;
use crate::operands::{Source, Target};
use crate::order::Ordered;

/// What is carried on.
#[derive(Clone, Copy, Debug)]
pub enum Carried {
    /// The sum.
    Sum,
    /// The product.
    Product,
    /// The largest.
    Maximum,
}

/// A number that is carried on.
pub(crate) trait Scanned: Ordered {
    const ZERO: Self;
    const ONE: Self;
    const LEAST: Self;
    fn sum(self, other: Self) -> Self;
    fn product(self, other: Self) -> Self;
    /// The larger; NaN if one is NaN.
    fn maximum(self, other: Self) -> Self {
        if self.is_nan() || other < self {
            self
        } else {
            other
        }
    }
}

macro_rules! scanned {
    ($($number:ty: $zero:expr, $one:expr, $least:expr, $sum:expr, $product:expr;)*) => {
        $(impl Scanned for $number {
            const ZERO: $number = $zero;
            const ONE: $number = $one;
            const LEAST: $number = $least;
            fn sum(self, other: $number) -> $number {
                $sum(self, other)
            }
            fn product(self, other: $number) -> $number {
                $product(self, other)
            }
        })*
    };
}
scanned! {
    f32: 0.0, 1.0, f32::NEG_INFINITY, |a, b| a + b, |a, b| a * b;
    f64: 0.0, 1.0, f64::NEG_INFINITY, |a, b| a + b, |a, b| a * b;
    i32: 0, 1, i32::MIN, i32::wrapping_add, i32::wrapping_mul;
    i64: 0, 1, i64::MIN, i64::wrapping_add, i64::wrapping_mul;
    u8: 0, 1, u8::MIN, u8::wrapping_add, u8::wrapping_mul;
}

/// Carries on along an axis: from the first element on, or in reverse; an element has its own part, unless it is excluded.
///
/// # Safety
/// As [`Operand`] and [`OperandMut`] say.
pub(crate) unsafe fn scan<T: Scanned>(
    carried: Carried,
    x: &Operand,
    out: &mut OperandMut,
    axis: i64,
    exclusive: bool,
    reverse: bool,
) -> Result<(), Error> {
    match carried {
        // SAFETY: the caller's promise.
        Carried::Sum => unsafe { along(x, out, axis, exclusive, reverse, T::ZERO, T::sum) },
        // SAFETY: as above.
        Carried::Product => unsafe { along(x, out, axis, exclusive, reverse, T::ONE, T::product) },
        // SAFETY: as above.
        Carried::Maximum => unsafe {
            along(x, out, axis, exclusive, reverse, T::LEAST, T::maximum)
        },
    }
}

unsafe fn along<T: Scanned>(
    x: &Operand,
    out: &mut OperandMut,
    axis: i64,
    exclusive: bool,
    reverse: bool,
    identity: T,
    step: impl Fn(T, T) -> T + Sync,
) -> Result<(), Error> {
    // SAFETY: the caller's promise.
    let x = unsafe { Source::<T>::new(x) }?;
    // SAFETY: as above.
    let out = unsafe { Target::<T>::new(out, x.len()) }?;
    let lanes = Lanes::new(x.shape(), axis)?;
    if lanes.length == 0 {
        return Ok(());
    }
    let carry = |carried: &mut T, value: &mut T| {
        let next = step(*carried, *value);
        *value = if exclusive { *carried } else { next };
        *carried = next;
    };
    // The first step of a sum is the element itself: 0 + -0 would not be.
    let lane = |lane: &mut [T]| {
        let mut carried = identity;
        let mut begun = false;
        let mut next = |value: &mut T| {
            if begun {
                carry(&mut carried, value);
            } else {
                (carried, begun) = (*value, true);
                if exclusive {
                    *value = identity;
                }
            }
        };
        if reverse {
            lane.iter_mut().rev().for_each(&mut next);
        } else {
            lane.iter_mut().for_each(&mut next);
        }
    };
    lanes.each(&|group| {
        let mut values = lanes.read(&x, group)?;
        values.chunks_exact_mut(lanes.length).for_each(lane);
        lanes.write(&out, group, &values);
        Ok(())
    })
}

//! Rows at several distances, multiplied by a number each and added, or their largest or smallest elements: the innermost loop of a filter, whose
//! results stay in registers.

use std::marker::PhantomData;

use super::function::{madd, madd32};
use super::isa::{kernel, Body, Element, Isa, Kernel, Level};
use super::map::Binary;
use super::ops::{Max, Min};
use crate::ast::Op;
use crate::operand::DType;

/// The sums that are written at once: a result has room for whole multiples of so many elements.
pub const STEP: usize = 8;
/// The sums that are in registers at once.
const MANY: usize = 32;

/// A type of elements of filters.
pub trait Tap: Element {
    /// The number by which nothing changes.
    const ONE: Self;
    /// `self * by + plus`.
    fn madd<I: Isa>(self, by: Self, plus: Self) -> Self;
}

impl Tap for f32 {
    const ONE: f32 = 1.0;

    #[inline(always)]
    fn madd<I: Isa>(self, by: f32, plus: f32) -> f32 {
        madd32::<I>(self, by, plus)
    }
}

impl Tap for f64 {
    const ONE: f64 = 1.0;

    #[inline(always)]
    fn madd<I: Isa>(self, by: f64, plus: f64) -> f64 {
        madd::<I>(self, by, plus)
    }
}

/// The taps of a filter.
#[derive(Clone, Copy, Debug)]
pub struct Taps<T> {
    /// The distance of each, in elements.
    pub places: *const usize,
    /// The number by which each is multiplied.
    pub factors: *const T,
    /// Their number.
    pub count: usize,
    /// Whether what is there is taken in, too.
    pub add: bool,
}

/// What is made of the elements that taps meet.
pub trait Meeting<T> {
    /// Of N elements.
    ///
    /// # Safety
    ///
    /// The taps, at least one, are readable, and a for N elements from each of their places on; `to` is readable and writable for N elements.
    unsafe fn of<I: Isa, const N: usize>(to: *mut T, a: *const T, taps: &Taps<T>);
}

/// `sum of factors[t] * a[j + places[t]]`
pub struct Sum;

impl<T: Tap> Meeting<T> for Sum {
    #[inline(always)]
    unsafe fn of<I: Isa, const N: usize>(to: *mut T, a: *const T, taps: &Taps<T>) {
        // SAFETY: as the caller says.
        unsafe {
            let mut sums: [T; N] = [T::zeroed(); N];
            for t in 0..taps.count {
                let factor = taps.factors.add(t).read();
                let row = a.add(taps.places.add(t).read());
                for (k, sum) in sums.iter_mut().enumerate() {
                    *sum = row.add(k).read().madd::<I>(factor, *sum);
                }
            }
            if taps.add {
                for (k, sum) in sums.iter_mut().enumerate() {
                    *sum = sum.madd::<I>(T::ONE, to.add(k).read());
                }
            }
            to.cast::<[T; N]>().write(sums);
        }
    }
}

/// The largest or smallest of `a[j + places[t]]`, by an operator.
pub struct Extreme<F>(PhantomData<F>);

impl<T: Tap, F: Binary<T, T>> Meeting<T> for Extreme<F> {
    #[inline(always)]
    unsafe fn of<I: Isa, const N: usize>(to: *mut T, a: *const T, taps: &Taps<T>) {
        // SAFETY: as the caller says.
        unsafe {
            let row = |t: usize| a.add(taps.places.add(t).read());
            let first = if taps.add { to.cast_const() } else { row(0) };
            let mut found = first.cast::<[T; N]>().read_unaligned();
            for t in usize::from(!taps.add)..taps.count {
                let row = row(t);
                for (k, found) in found.iter_mut().enumerate() {
                    *found = F::f::<I>(*found, row.add(k).read());
                }
            }
            to.cast::<[T; N]>().write_unaligned(found);
        }
    }
}

/// Writes what M makes of taps, which are at the address b, for n elements, rounded up to a multiple of [`STEP`].
pub struct Windows<M, T>(PhantomData<(M, T)>);

impl<M: Meeting<T>, T: Tap> Body for Windows<M, T> {
    #[inline(always)]
    unsafe fn run<I: Isa>(n: usize, to: *mut u8, a: *const u8, b: *const u8, _: *const u8) {
        let (to, a) = (to.cast::<T>(), a.cast::<T>());
        // SAFETY: b is the address of the taps; the rest as they say.
        unsafe {
            let taps = b.cast::<Taps<T>>().read();
            let mut done = 0;
            while done + MANY <= n {
                M::of::<I, MANY>(to.add(done), a.add(done), &taps);
                done += MANY;
            }
            while done < n {
                M::of::<I, STEP>(to.add(done), a.add(done), &taps);
                done += STEP;
            }
        }
    }
}

/// The kernel of sums, or of the largest or smallest elements; `None` for other operators, and other types than FLOAT and DOUBLE.
pub fn windows(level: Level, op: Op, dtype: DType) -> Option<Kernel> {
    Some(match (op, dtype) {
        (Op::Sum, DType::Float) => kernel::<Windows<Sum, f32>>(level),
        (Op::Sum, DType::Double) => kernel::<Windows<Sum, f64>>(level),
        (Op::Max, DType::Float) => kernel::<Windows<Extreme<Max>, f32>>(level),
        (Op::Max, DType::Double) => kernel::<Windows<Extreme<Max>, f64>>(level),
        (Op::Min, DType::Float) => kernel::<Windows<Extreme<Min>, f32>>(level),
        (Op::Min, DType::Double) => kernel::<Windows<Extreme<Min>, f64>>(level),
        _ => return None,
    })
}
